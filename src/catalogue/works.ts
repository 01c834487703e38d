import type { RequestContext } from '../context/context.ts';
import { connection, type PageArguments } from '../graphql/connections.ts';
import type { Work } from './book.ts';
import { bestEditionLoader } from './loaders.ts';
import { existingBook } from './operations.ts';
import type { BookConnection } from './search.ts';
import { editionsByWork } from './tables.ts';

/** Works, read from the editions that point to them. */

/** Returns a work; null if no book of the catalogue points to it. */
export async function workById(context: RequestContext, id: string): Promise<Work | null> {
  return (await bestEditionLoader(context).load(id)) ? { type: 'Work', id } : null;
}

/**
 * Returns the original title of the most popular edition, or its title if it has no original title;
 * null if no book points to the work any more.
 */
export async function titleOfWork(context: RequestContext, { id }: Work): Promise<string | null> {
  const best = await bestEditionLoader(context).load(id);
  if (!best) return null;

  const { originalTitle, title } = await existingBook(context, best.book_id);
  return originalTitle ?? title;
}

/**
 * Returns a page of the editions of a work, most popular first.
 * @throws `BAD_USER_INPUT` naming the argument that cannot be used
 */
export const editionsOf = (
  { cassandra }: RequestContext,
  { id }: Work,
  page: PageArguments,
): Promise<BookConnection> => {
  const list = { name: `editions ${id}`, descending: true, ...editionsByWork.list(cassandra, { work_id: id }) };
  return connection(page, list, ({ book_id }, cursor) => ({ cursor, bookId: book_id }));
};
