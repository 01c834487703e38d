import { FILTERED_ROWS_MIN, type Slice } from '../cassandra/paging.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { rowsOfUnlisted, unlistedBooks, type UnlistedPlace, type UnlistedPosition } from './tables.ts';

/** The list of a reader's books that the catalogue does not have. */

/** A book of a reader that the catalogue does not have. */
export interface UnlistedBook {
  readonly title: string;
  readonly authors: readonly string[];
  readonly shelf: string | null;
  readonly status: ReadingStatus | null;
  readonly importId: string;
  readonly line: number;
}

/** A book in the list. */
export interface UnlistedBookEdge {
  readonly cursor: Cursor;
  readonly node: UnlistedBook;
}

/** The number of rows read for each book, more than a book usually has. */
const ROWS_PER_BOOK = 3;

/**
 * Returns a page of the books of a reader that the catalogue does not have, by title. If several
 * lines are about one book, the line of the newest import is shown.
 * @param status only books with this status; all if it is not given
 */
export async function unlistedBooksOf(
  { cassandra }: RequestContext,
  user_id: string,
  status: ReadingStatus | null | undefined,
  page: PageArguments,
): Promise<CountedConnection<UnlistedBookEdge>> {
  const places = unlistedBooks.list(cassandra, { user_id });
  const list = {
    ...places,
    name: `unlistedBooks ${status ?? ''} ${user_id}`,
    descending: false,
    read: (partitions: readonly number[], slice: Slice<UnlistedPosition>) =>
      newestPerBook((limit) => places.read(partitions, { ...slice, limit }), slice.limit),
    ...(status != null && {
      filter: { keep: (place: UnlistedPlace) => place.status === status, rowsMin: FILTERED_ROWS_MIN },
    }),
  };
  const { edges, ...found } = await connection(page, list, (place, cursor) => ({ ...place, user_id, cursor }));
  const books = await rowsOfUnlisted.find(cassandra, edges);
  const known = new Map(books.map((book) => [rowsOfUnlisted.nameOf(book), book]));
  const shown = edges.flatMap(({ cursor, ...place }) => {
    const book = known.get(rowsOfUnlisted.nameOf(place));
    if (!book) return [];
    const { title, authors, shelf, line, import_id: importId } = book;
    return [{ cursor, node: { title, authors, shelf, line, importId, status: book.status } }];
  });
  return { ...found, edges: shown };
}

/** Reads rows of enough books for a page, and returns the newest row of each book. */
async function newestPerBook(
  read: (limit: number) => Promise<UnlistedPlace[]>,
  booksMax: number,
): Promise<UnlistedPlace[]> {
  for (let rowsMax = ROWS_PER_BOOK * (booksMax + 1); ; rowsMax *= ROWS_PER_BOOK) {
    const rows = await read(rowsMax);
    const books = [...Map.groupBy(rows, ({ title_sort, author_key }) => `${title_sort}\n${author_key}`).values()];
    const isEnd = rows.length < rowsMax;
    // Further rows may be about the last book.
    if (isEnd || books.length > booksMax) return books.slice(0, booksMax).flatMap(newestOf);
  }
}

const newestOf = (rows: readonly UnlistedPlace[]): UnlistedPlace[] =>
  rows.toSorted((one, other) => other.begun_at.getTime() - one.begun_at.getTime() || one.line - other.line).slice(0, 1);
