import { loadAccount } from '../../src/accounts/bulk.ts';
import { ActionsInBulk } from '../../src/activity/bulk.ts';
import { booksNow } from '../../src/catalogue/operations.ts';
import { ANONYMOUS, requestContext } from '../../src/context/context.ts';
import { encodeId, subjectOf, uuidOf } from '../../src/graphql/ids.ts';
import { loadLikes } from '../../src/likes/bulk.ts';
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
 * Makes readers, with a session each, and their likes. The likes are of two years, and more of them
 * are of popular books.
 * @throws if the readers and books are too few for the number of likes
 */
export async function makeData({ app, bookIds }: Bench, sizes: Sizes, seed: number): Promise<Data> {
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

  const likes = new Map<string, DataLike>();
  while (likes.size < sizes.likes) {
    const [reader, book] = [chance.below(readers.length), skewed(chance, books.length)];
    const likedAt = new Date(registeredAt.getTime() + 1 + Math.floor(chance.random() * (SPAN_MS - 1)));
    const name = pairOf(reader, encodeId({ type: 'Book', key: books[book]?.isbn ?? '' }));
    if (!likes.has(name)) likes.set(name, { reader, book, likedAt });
  }
  await loadLikes(
    app,
    [...likes.values()].map(({ reader, book, likedAt }) => ({
      userId: readers[reader]?.userId ?? '',
      fullName: readers[reader]?.fullName ?? '',
      likeableId: subjectOf({ type: 'Book', key: books[book]?.isbn ?? '' }),
      title: books[book]?.title ?? '',
      authors: books[book]?.authors ?? [],
      likedAt,
    })),
    activityLog,
  );
  await activityLog.write(app);
  say(`${likes.size} likes`);
  return {
    books,
    readers,
    registeredAt,
    likes: [...likes.values()],
    views: await makeViews(app, readers, books, chance),
    reading: await makeReading(app, readers, books, chance),
    isLiked: (reader, bookId) => likes.has(pairOf(reader, bookId)),
  };
}

const pairOf = (reader: number, bookId: string) => `${reader} ${bookId}`;

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
