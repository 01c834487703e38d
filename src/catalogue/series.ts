import type { RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { nameArgument } from './search-terms.ts';
import { positionOf } from './series-names.ts';
import { booksInSeries } from './tables.ts';
import { nameKey } from './name-key.ts';

/** Series of books, read from the books that belong to them. */

/** A series. All books that name it belong to it, in any spelling. */
export interface Series {
  readonly name: string;
}

/** A book of a series. */
export interface SeriesBookEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  /** The number of the book in the series, as in {@link positionOf}. */
  readonly position: string | null;
}

/**
 * Returns a series in the spelling of its first book; null if no book belongs to it.
 * @throws `BAD_USER_INPUT` when the name has no letter or digit, or is too long
 */
export async function seriesByName({ cassandra }: RequestContext, name: string): Promise<Series | null> {
  const first = { descending: false, from: undefined, limit: 1 };
  const [found] = await booksInSeries.read(cassandra, { series: nameArgument('name', name) }, first);
  return found ? { name: found.name } : null;
}

/**
 * Returns a page of the books of a series, in its order.
 * @throws `BAD_USER_INPUT` naming the argument that cannot be used
 */
export function booksOfSeries(
  { cassandra }: RequestContext,
  { name }: Series,
  page: PageArguments,
): Promise<CountedConnection<SeriesBookEdge>> {
  const series = nameKey(name);
  const list = { name: `series ${series}`, descending: false, ...booksInSeries.list(cassandra, { series }) };
  return connection(page, list, ({ book_id, ...place }, cursor) => ({
    cursor,
    bookId: book_id,
    position: positionOf(place),
  }));
}
