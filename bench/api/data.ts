import { loadAccount } from '../../tools/bulk/accounts.ts';
import { ActionsInBulk } from '../../tools/bulk/actions.ts';
import { booksNow } from '../../src/catalogue/operations.ts';
import { ANONYMOUS, requestContext } from '../../src/context/context.ts';
import { encodeId, subjectOf, uuidOf } from '../../src/graphql/ids.ts';
import { loadLikes } from '../../tools/bulk/likes.ts';
import { openSession } from '../../src/sessions/operations.ts';
import { say } from '../../src/terminal/progress.ts';
import { DAY_MS } from '../../src/time/units.ts';
import { Chance } from '../../tools/support/chance.ts';
import pLimit from 'p-limit';
import { likeableIdOf, type Bench } from '../bench.ts';
import { makeReading, makeViews } from './home.ts';
import type { Data, DataBook, DataLike, Sizes } from './shapes.ts';
import { skewed } from './workloads.ts';

/** The data that all systems have: books of the sample, readers, and their likes. */

const SPAN_MS = 730 * DAY_MS;
const AT_ONCE = 64;
const BOOKS_AT_ONCE = 100;

/**
 * Makes readers, with a session each, and their likes of two years. They like random books, and
 * popular books more often; bench/RESULTS.md compares the shape with that of real pairs.
 * @param hasHome true if home pages are requested, whose parts take as long to make as all likes
 * @throws if the readers and books are too few for the number of likes
 */
export async function makeData({ app, bookIds }: Bench, sizes: Sizes, seed: number, hasHome: boolean): Promise<Data> {
  const books = await booksOf({ app, bookIds });
  if (sizes.likes > (books.length * sizes.readers) / 4)
    throw new Error(`${sizes.readers} readers cannot like ${books.length} books ${sizes.likes} times by chance`);

  const chance = new Chance(seed);
  const end = Math.floor(app.clock().getTime() / DAY_MS) * DAY_MS;
  const registeredAt = new Date(end - SPAN_MS);
  const activityLog = new ActionsInBulk();
  const readers = await pLimit(AT_ONCE).map(Array.from({ length: sizes.readers }), async (_, number) => {
    const userId = uuidOf(`reader ${seed} ${number}`);
    const fullName = `Reader ${number}`;
    const email = `reader-${number}@bench.example`;
    await loadAccount(app, userId, { email, fullName, passwordHash: '' }, registeredAt, activityLog);
    const login = { userId, by: 'LOGIN', device: null, visitId: undefined } as const;
    const { accessToken } = await openSession(requestContext(app, ANONYMOUS), login);
    return { userId, fullName, token: accessToken };
  });
  say(`${readers.length} readers`);

  const pairs = new Set<number>();
  const pairOf = (reader: number, book: number) => reader * books.length + book;
  const likes: DataLike[] = [];
  while (likes.length < sizes.likes) {
    const [reader, book] = [chance.below(readers.length), skewed(chance, books.length)];
    const likedAt = new Date(registeredAt.getTime() + 1 + Math.floor(chance.random() * (SPAN_MS - 1)));
    if (pairs.has(pairOf(reader, book))) continue;
    pairs.add(pairOf(reader, book));
    likes.push({ reader, book, likedAt });
  }
  const likeableIds = books.map(({ isbn }) => subjectOf({ type: 'Book', key: isbn }));
  await loadLikes(
    app,
    likes.map(({ reader, book, likedAt }) => ({
      userId: readers[reader]?.userId ?? '',
      fullName: readers[reader]?.fullName ?? '',
      likeableId: likeableIds[book] ?? '',
      title: books[book]?.title ?? '',
      authors: books[book]?.authors ?? [],
      likedAt,
    })),
    activityLog,
  );
  await activityLog.write(app);
  say(`${likes.length} likes`);
  const places = new Map(books.map(({ isbn }, place) => [encodeId({ type: 'Book', key: isbn }), place]));
  return {
    books,
    readers,
    registeredAt,
    likes,
    views: hasHome ? await makeViews(app, readers, books, chance) : [],
    reading: hasHome ? await makeReading(app, readers, books, chance) : [],
    isLiked: (reader, bookId) => pairs.has(pairOf(reader, places.get(bookId) ?? NaN)),
  };
}

async function booksOf({ app, bookIds }: Pick<Bench, 'app' | 'bookIds'>): Promise<DataBook[]> {
  const isbns = bookIds
    .map((id) => likeableIdOf(id).replace('Book:', ''))
    .filter((id) => /^\d+$/.test(id))
    .sort();
  const books: DataBook[] = [];
  for (let from = 0; from < isbns.length; from += BOOKS_AT_ONCE) {
    const found = await booksNow(app, isbns.slice(from, from + BOOKS_AT_ONCE));
    for (const { id, title, authors, genres, publishedYear, averageRating } of found.values())
      books.push({ isbn: id, title, authors, genres, publishedYear, averageRating });
  }
  return books;
}
