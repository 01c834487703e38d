import type { ActionsInBulk } from './actions.ts';
import { feedMonthWrites } from '../../src/activity/feed-months.ts';
import { inBatches } from '../../src/cassandra/batches.ts';
import { batch, rows, type Bound } from '../../src/cassandra/statement.ts';
import type { Book } from '../../src/catalogue/book.ts';
import type { AppContext } from '../../src/context/context.ts';
import { recordEvent } from '../../src/events/operations.ts';
import { uuidOf } from '../../src/graphql/ids.ts';
import { inBulk } from '../../src/bulk-import/in-bulk.ts';
import { decideMany } from './decide.ts';
import { actionOfReading, eventOfReading, firstReading } from '../../src/reading/aggregate.ts';
import {
  byMonth,
  byReadAt,
  byTitle,
  listedFields,
  ofBook,
  onShelf,
  type listsOfReadings,
} from '../../src/reading/lists.ts';
import { readingStates, selectReadingsOfViewer } from '../../src/reading/tables.ts';
import { byYear } from '../../src/reading/years.ts';

/** Marks many books as read at once, with the writes grouped by partition. */

/** A reading in the past. */
export interface FormerReading {
  readonly userId: string;
  readonly book: Book;
  readonly readAt: Date;
}

/**
 * Marks books as read in the past. A book that the reader has a state for is not changed. This is
 * not a transaction: an interrupted call must be repeated, and then writes only missing rows.
 * @param activityLog collects the actions, for the caller to write
 */
export async function loadReadings(
  app: AppContext,
  readings: readonly FormerReading[],
  activityLog: ActionsInBulk,
): Promise<void> {
  const byReader = Map.groupBy(readings, ({ userId }) => userId);
  const readers = await inBulk(app, byReader, ([userId, ofReader]) => readAll(app, userId, ofReader, activityLog));
  // The rows of one book by several readers are written together.
  await inBulk(app, inBatches(readers.flat(), partitionOf), (writes) => batch(app.cassandra, writes));
}

const partitionOf = ({ params }: Bound) => `${String(params['book_id'])} ${String(params['shard'])}`;

/** @returns the writes for the readers of each book */
async function readAll(
  app: AppContext,
  userId: string,
  readings: readonly FormerReading[],
  activityLog: ActionsInBulk,
): Promise<Bound[]> {
  const { cassandra } = app;
  const changeIdOf = (bookId: string) => uuidOf(`reading in bulk ${userId} ${bookId}`);
  const wanted = readings.map(
    ({ book, readAt }) => [book.id, firstReading(book, readAt, changeIdOf(book.id))] as const,
  );
  const states = await decideMany(
    app,
    new Map(wanted),
    (book_id, next) => readingStates.bind({ user_id: userId, book_id }, null, next),
    async (book_ids) => {
      const found = await rows(cassandra, selectReadingsOfViewer, { user_id: userId, book_ids });
      return new Map(found.map(({ book_id, state }) => [book_id, state]));
    },
  );
  // A state that another call decided is projected by that call.
  const decided = [...states].flatMap(([book_id, state]) => {
    const [read] = state.reads;
    return read && state.change_id === changeIdOf(book_id) ? [{ book_id, state, read }] : [];
  });
  if (decided.length === 0) return [];
  const books = new Map(readings.map(({ book }) => [book.id, book]));
  const ofList = (list: (typeof listsOfReadings)[number]) =>
    decided.flatMap(({ book_id: bookId, state }) => {
      const book = books.get(bookId);
      return list.writes({ userId, bookId }, state, book && listedFields(book));
    });
  const ofYears = inBatches(ofList(byYear), ({ params }) => String(params['year']));
  const ofMonths = inBatches(ofList(byMonth), ({ params }) => String(params['month']));
  await Promise.all([
    ...[...ofYears, ...ofMonths, ofList(byTitle), ofList(byReadAt), ofList(onShelf)].map((writes) =>
      batch(cassandra, writes),
    ),
    ...decided.map(({ book_id: bookId, read, state }) =>
      recordEvent(app, eventOfReading({ userId, bookId }, read, state.version, true)),
    ),
  ]);
  const moments = decided.map(({ read }) => read.noted_at);
  await batch(cassandra, feedMonthWrites(userId, moments));
  activityLog.add(
    userId,
    decided.map(({ book_id, read }) => actionOfReading(book_id, read)),
  );
  return ofList(ofBook);
}
