import type { RequestContext } from '../context/context.ts';
import { connection, type PageArguments } from '../graphql/connections.ts';
import { nameKey } from './name-key.ts';
import { existingBook } from './operations.ts';
import type { BookConnection } from './search.ts';
import { nameArgument } from './search-terms.ts';
import { booksOfAuthor } from './tables.ts';

/** Authors, read from their books. */

/** An author. All books that name them are theirs, in any spelling. */
export interface Author {
  readonly name: string;
}

/**
 * Returns an author in the spelling of their most popular book; null if no book names them.
 * @throws `BAD_USER_INPUT` when the name has no letter or digit, or is too long
 */
export async function authorByName(context: RequestContext, name: string): Promise<Author | null> {
  const author = nameArgument('name', name);
  const first = { descending: true, from: undefined, limit: 1 };
  const [found] = await booksOfAuthor.read(context.cassandra, { author }, first);
  if (!found) return null;

  const { authors } = await existingBook(context, found.book_id);
  // The book may be a moment older than the row.
  return { name: authors.find((each) => nameKey(each) === author) ?? name };
}

/**
 * Returns a page of the books of an author, most popular first.
 * @throws `BAD_USER_INPUT` naming the argument that cannot be used
 */
export function booksBy({ cassandra }: RequestContext, { name }: Author, page: PageArguments): Promise<BookConnection> {
  const author = nameKey(name);
  const list = { name: `author ${author}`, descending: true, ...booksOfAuthor.list(cassandra, { author }) };
  return connection(page, list, ({ book_id }, cursor) => ({ cursor, bookId: book_id }));
}
