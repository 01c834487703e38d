import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { applied, first } from '../../src/cassandra/statement.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { selectTrending, type Trend } from '../../src/events/tables.ts';
import { encodeId, subjectOf } from '../../src/graphql/ids.ts';
import { setReadingStatus } from '../../src/reading/operations.ts';
import { shelfOf } from '../../src/reading/shelves.ts';
import { DAY_MS, DAY_SECONDS } from '../../src/time/units.ts';
import { insertViews } from '../../src/views/tables.ts';
import type { Chance } from '../../tools/support/chance.ts';
import type { Data, DataBook, DataReader, DataReading, DataView } from './shapes.ts';
import { skewed } from './workloads.ts';

/**
 * The parts of home pages besides likes: the recently viewed books, the books being read, and the
 * trending list.
 */

const AT_ONCE = 32;
/**
 * The numbers for each reader, if there are enough books: one is more than a page, the other less.
 */
const VIEWS = 30;
const READING = 3;
/** All views are within the 30 days for which they are shown. */
const VIEWED_WITHIN_MS = 20 * DAY_MS;
const VIEWS_KEPT_SECONDS = 30 * DAY_SECONDS;
const TRENDING_MAX = 100;
const TRENDING_WITHIN_MS = 60_000;
const LOOKED_AT_EVERY_MS = 200;

type Books = readonly DataBook[];
type Readers = readonly Pick<DataReader, 'userId'>[];

/**
 * Records views of books by readers, each book once. The rows are those that the operation writes,
 * without its events.
 */
export async function makeViews(app: AppContext, readers: Readers, books: Books, chance: Chance): Promise<DataView[]> {
  const now = app.clock().getTime();
  const made = readers.map((_, reader) => {
    const moments = new Set<number>();
    const seen = someBooks(books, VIEWS, chance);
    while (moments.size < seen.length) moments.add(now - Math.floor(chance.random() * VIEWED_WITHIN_MS));
    const newestFirst = [...moments].sort((one, other) => other - one);
    return seen.map((book, index) => ({ reader, book, viewedAt: new Date(newestFirst[index] ?? now) }));
  });

  await pLimit(AT_ONCE).map(made, async (ofReader, reader) => {
    const views = ofReader.map(({ book, viewedAt }) => ({
      viewed_at: viewedAt,
      book_id: books[book]?.isbn ?? '',
      logged_at: viewedAt,
    }));
    const row = { user_id: readers[reader]?.userId ?? '', views, ttl_seconds: VIEWS_KEPT_SECONDS };
    await applied(app.cassandra, insertViews, row);
  });
  return made.flat();
}

/** Makes readers begin books. */
export async function makeReading(
  app: AppContext,
  readers: Readers,
  books: Books,
  chance: Chance,
): Promise<DataReading[]> {
  const places = new Map(books.map(({ isbn }, place) => [isbn, place]));
  const wanted = readers.map(({ userId }) => ({ userId, begun: someBooks(books, READING, chance) }));
  const made = await pLimit(AT_ONCE).map(wanted, async ({ userId, begun }, reader) => {
    const context = requestContext(app, { ...ANONYMOUS, viewerId: userId });
    for (const book of begun) {
      const bookId = encodeId({ type: 'Book', key: books[book]?.isbn ?? '' });
      await setReadingStatus(context, { bookId, status: 'READING', progress: book % 100 });
    }
    const { edges } = await shelfOf(context, userId, 'READING', { first: READING });
    return edges.map(({ bookId, progress, since }) => ({ reader, book: places.get(bookId) ?? 0, progress, since }));
  });
  return made.flat();
}

/** Picks different books, popular ones more often than others, at most half of all. */
function someBooks(books: Books, most: number, chance: Chance): number[] {
  const some = new Set<number>();
  while (some.size < Math.min(most, Math.floor(books.length / 2))) some.add(skewed(chance, books.length));
  return [...some];
}

/** Lists the things most liked within this day (UTC) and the six before, most liked first. */
function trendingAt({ books, likes }: Pick<Data, 'books' | 'likes'>, now: Date): Trend[] {
  const begin = Math.floor(now.getTime() / DAY_MS - 6) * DAY_MS;
  const counts = new Map<string, number>();
  for (const { book, likedAt } of likes) {
    const subject_id = subjectOf({ type: 'Book', key: books[book]?.isbn ?? '' });
    if (likedAt.getTime() >= begin) counts.set(subject_id, (counts.get(subject_id) ?? 0) + 1);
  }
  return [...counts]
    .map(([subject_id, count]) => ({ subject_id, likes: count }))
    .sort((one, other) => other.likes - one.likes || (one.subject_id < other.subject_id ? -1 : 1))
    .slice(0, TRENDING_MAX);
}

/**
 * Waits until our servers have counted all likes and unlikes.
 * @throws if the trending list still differs after a minute
 */
export async function untilTrending(app: AppContext, data: Pick<Data, 'books' | 'likes'>): Promise<void> {
  const deadline = app.monotonicNow() + TRENDING_WITHIN_MS;
  for (;;) {
    const row = await first(app.cassandra, selectTrending, { last: 'WEEK', likeable_type: 'Book' });
    if (isDeepStrictEqual(row?.top ?? [], trendingAt(data, app.clock()))) return;
    if (app.monotonicNow() > deadline)
      throw new Error('The trending list is not that of the most liked books, a minute later');
    await sleep(LOOKED_AT_EVERY_MS);
  }
}
