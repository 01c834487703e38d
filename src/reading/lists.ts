import { feedMonthRows } from '../activity/feed-months.ts';
import { listedMonths } from '../activity/months.ts';
import { projectedList, requiredRows } from '../aggregates/projected-list.ts';
import { shardOf } from '../cassandra/shards.ts';
import { summaryOf } from '../catalogue/aggregate.ts';
import type { Book } from '../catalogue/book.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import { monthOf } from '../time/units.ts';
import {
  readByReadAt,
  readByTitle,
  readInMonth,
  readersOfBook,
  shelf,
  UNKNOWN_READ_AT,
  type Read,
  type ReadingKey,
  type ReadingState,
} from './tables.ts';
import { byYear } from './years.ts';

/** The lists that follow from readings. */

/** The number of partitions of a book's readers. */
export const READER_SHARDS = 16;

/** The fields of a book in a reader's lists. */
export const listedFields = (book: Book) => ({ ...summaryOf(book), publisher: book.publisher ?? '' });

type ListedFields = ReturnType<typeof listedFields>;

/** Reads the fields of the books of some readings. */
export async function listedFieldsOf(
  app: AppContext,
  found: readonly { readonly key: ReadingKey }[],
): Promise<(ListedFields | undefined)[]> {
  const bookIds = found.map(({ key }) => key.bookId);
  const books = await booksNow(app, bookIds);
  return bookIds.map((bookId) => {
    const book = books.get(bookId);
    return book && listedFields(book);
  });
}

/** The key of the rows of a reading. */
export const rowKeyOf = ({ userId, bookId }: ReadingKey) => ({ user_id: userId, book_id: bookId });

/** The place of a book in the list by date. */
export const placeByReadAt = ({ read_at }: Read): Date => read_at ?? UNKNOWN_READ_AT;

export const byTitle = projectedList(readByTitle, {
  rowsOf: (key: ReadingKey, state: ReadingState, book: ListedFields | undefined) => {
    const { marked, reads, title_sort, author_sort } = state;
    return marked && book ? [{ ...rowKeyOf(key), title_sort, author_sort, ...book, reads }] : [];
  },
  formerKeysOf: (key, { title_sort, author_sort, former }) =>
    [{ title_sort, author_sort }, ...(former ? [former] : [])].map((position) => ({ ...rowKeyOf(key), ...position })),
});

/** A book is in this list only under its newest reading. */
export const byReadAt = projectedList(readByReadAt, {
  rowsOf: (key: ReadingKey, { marked, reads }: ReadingState, book: ListedFields | undefined) => {
    const newest = reads.at(-1);
    return marked && book && newest ? [{ ...rowKeyOf(key), read_at: placeByReadAt(newest), ...book, reads }] : [];
  },
  formerKeysOf: (key, { reads, corrected }) =>
    [...reads, ...(corrected ? [corrected] : [])].map((read) => ({ ...rowKeyOf(key), read_at: placeByReadAt(read) })),
});

/** A shelf has a book under the last step of its reading. */
export const onShelf = projectedList(shelf, {
  rowsOf: (key: ReadingKey, state: ReadingState) => placesOnShelf(key, state.history.slice(-1)),
  formerKeysOf: (key, state) => placesOnShelf(key, state.history.slice(-2)),
});

const placesOnShelf = (key: ReadingKey, steps: ReadingState['history']) =>
  steps.flatMap(({ status, at, progress }) => (status === 'NONE' ? [] : [{ ...rowKeyOf(key), status, at, progress }]));

const readerKeyOf = ({ userId, bookId }: ReadingKey) => ({
  book_id: bookId,
  shard: shardOf(userId, READER_SHARDS),
  user_id: userId,
});

export const ofBook = projectedList(readersOfBook, {
  rowsOf: (key: ReadingKey, { marked }: ReadingState) => (marked ? [readerKeyOf(key)] : []),
  formerKeysOf: (key) => [readerKeyOf(key)],
});

/**
 * The readings that followers see. One from an import happened elsewhere, unless the reader has
 * corrected it.
 */
export const ownReads = ({ reads }: Pick<ReadingState, 'reads'>): Read[] =>
  reads.filter(({ import_id }) => import_id === null);

const placeInMonth = ({ userId, bookId }: ReadingKey, noted_at: Date) => ({
  user_id: userId,
  month: monthOf(noted_at),
  noted_at,
  book_id: bookId,
});

/** Returns the moments of the readings that followers see. */
export const momentsForFeeds = (state: Pick<ReadingState, 'marked' | 'reads'>): Date[] =>
  state.marked ? ownReads(state).map(({ noted_at }) => noted_at) : [];

/** A book is in this list under each of its reader's own readings. */
export const byMonth = projectedList(readInMonth, {
  rowsOf: (key: ReadingKey, state: ReadingState) => momentsForFeeds(state).map((at) => placeInMonth(key, at)),
  // A reading never becomes one of an import, so that of an import never had a row.
  formerKeysOf: (key, state) => ownReads(state).map(({ noted_at }) => placeInMonth(key, noted_at)),
});

/** The months of a reader's own readings, for feeds. */
const months = requiredRows(listedMonths, {
  rowsOf: ({ userId }: ReadingKey, state: ReadingState) => feedMonthRows(userId, momentsForFeeds(state)),
});

/** The lists that are written for each state, and those that an audit compares besides. */
export const listsOfReadings = [byTitle, byReadAt, byYear, byMonth, onShelf, ofBook];
export const comparedLists = [...listsOfReadings, months];
