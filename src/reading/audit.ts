import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { rows } from '../cassandra/statement.ts';
import { booksNow } from '../catalogue/operations.ts';
import { placeByReadAt, placeOnShelf, readings, readerKeyOf, listedFields } from './aggregate.ts';
import {
  rowsByReadAt,
  rowsByTitle,
  rowsOfReaders,
  rowsOfShelves,
  rowsOfYears,
  scanReadings,
  selectReadingsOfViewer,
  type ReadingState,
} from './tables.ts';
import { finishedInYears } from './years.ts';

/** Audits the lists of readers against what they have read. */

interface Key {
  readonly userId: string;
  readonly bookId: string;
}
/** The fields of each book in the lists, by book id. */
type ListedFields = ReadonlyMap<string, ReturnType<typeof listedFields>>;
type List = ProjectedList<Key, ReadingState, ListedFields>;

const keyOf = ({ user_id, book_id }: { readonly user_id: string; readonly book_id: string }): Key => ({
  userId: user_id,
  bookId: book_id,
});

/** The fields that both lists have of a book that is marked as read. */
const listedFieldsIn = (said: ListedFields, { bookId }: Key, { marked, reads }: ReadingState) => {
  const ofBook = said.get(bookId);
  return marked && ofBook ? { ...ofBook, reads } : undefined;
};

const byTitle: List = projectedList({
  rows: rowsByTitle,
  rowsOf: (key, state, about) => {
    const said = listedFieldsIn(about, key, state);
    const { title_sort, author_sort } = state;
    return said ? [{ user_id: key.userId, title_sort, author_sort, book_id: key.bookId, ...said }] : [];
  },
  keyOf,
});

const byReadAt: List = projectedList({
  rows: rowsByReadAt,
  rowsOf: (key, state, about) => {
    const said = listedFieldsIn(about, key, state);
    const newest = state.reads.at(-1);
    return said && newest
      ? [{ user_id: key.userId, read_at: placeByReadAt(newest), book_id: key.bookId, ...said }]
      : [];
  },
  keyOf,
});

const byYear: List = projectedList({
  rows: rowsOfYears,
  rowsOf: ({ userId, bookId }, state) =>
    [...finishedInYears(state)].map(([year, days]) => ({ user_id: userId, year, book_id: bookId, days })),
  keyOf,
});

const shelves: List = projectedList({
  rows: rowsOfShelves,
  rowsOf: ({ userId, bookId }, { history }) => {
    const last = history.at(-1);
    return last && last.status !== 'NONE' ? [{ user_id: userId, book_id: bookId, ...placeOnShelf(last) }] : [];
  },
  keyOf,
});

const readers: List = projectedList({
  rows: rowsOfReaders,
  rowsOf: (key, { marked }) => (marked ? [readerKeyOf(key)] : []),
  keyOf,
});

/** The audit of readings, with the lists and shelves of readers and the readers of each book. */
export const readingAudit: Audit = projectionAudit(
  {
    kind: 'readings',
    table: 'readings_by_user',
    partition: ['user_id'],
    ring: scanReadings,
    keyOf,
    nameOf: ({ userId, bookId }) => `user_id = ${userId} AND book_id = ${bookId}`,
    find: async ({ cassandra }, keys) => {
      const byReader = Map.groupBy(keys, ({ userId }) => userId);
      const found = await Promise.all(
        [...byReader].map(async ([userId, ofReader]) => {
          const book_ids = ofReader.map(({ bookId }) => bookId);
          const states = await rows(cassandra, selectReadingsOfViewer, { user_id: userId, book_ids });
          return states.map(({ book_id, state }) => ({ key: { userId, bookId: book_id }, state }));
        }),
      );
      return found.flat();
    },
    read: readings.read,
    about: async (app, found) => {
      const bookIds = found.map(({ key }) => key.bookId);
      const books = await booksNow(app, bookIds);
      return new Map([...books].map(([id, book]) => [id, listedFields(book)]));
    },
    behind: ({ userId, bookId }) => [
      { type: 'User', key: userId },
      { type: 'Book', key: bookId },
    ],
    repair: readings.repair,
  },
  [byTitle, byReadAt, byYear, shelves, readers],
);
