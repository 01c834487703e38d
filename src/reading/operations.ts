import { existingAccount, type User } from '../identity/operations.ts';
import { rows, write } from '../cassandra/statement.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { ReadBookOrder } from '../graphql/schema.generated.ts';
import { momentsOf } from './reads.ts';
import { readByTitle, readByReadAt, selectFullNames, updateFullName, type Read, type ReadBookRow } from './tables.ts';

/** A book that a reader has read. */
export interface ReadBookEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  /** The newest reading. */
  readonly newest: Read;
  /** Newest first, without what nobody knows the time of. */
  readonly reads: Date[];
  /** What the list's own row says of the book. */
  readonly title: string;
  readonly authors: string[];
  readonly genres: string[];
  readonly publisher: string | null;
}

/** A page of the books that a reader has read. */
export interface ReadBookConnection extends Connection<ReadBookEdge> {
  /** The reader's name as the page's own partition has it; unset on an empty page, and by date. */
  readonly fullName: string | undefined;
  readonly userId: string;
}

/**
 * Writes a reader's name into their list of books, where it is kept once.
 * @param version of the account that brought the name: an older one changes nothing
 */
export async function nameReadBooks(
  { cassandra }: AppContext,
  userId: string,
  fullName: string,
  version: number,
): Promise<void> {
  await write(cassandra, updateFullName, { user_id: userId, full_name: fullName, version: BigInt(version) });
}

/** The names that some readers have in their lists of books, by id, each with its version. */
export async function namesOfReaders(
  { cassandra }: AppContext,
  userIds: readonly string[],
): Promise<Map<string, { readonly fullName: string; readonly version: number }>> {
  const found = await rows(cassandra, selectFullNames, { user_ids: [...userIds], rows_max: 1 });
  const named = found.flatMap(({ user_id, full_name, written }) =>
    full_name === null ? [] : [[user_id, { fullName: full_name, version: Number(written ?? 0n) }] as const],
  );
  return new Map(named);
}

/**
 * A page of the books that a reader has read.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function readBooksOf(
  context: RequestContext,
  user: User,
  orderBy: ReadBookOrder,
  page: PageArguments,
): Promise<ReadBookConnection> {
  switch (orderBy) {
    case 'TITLE':
      return readBooksByTitle(context, user.id, page);
    case 'READ_AT':
      return readBooksByReadAt(context, user.id, page);
  }
}

async function readBooksByTitle(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<ReadBookConnection> {
  let fullName: string | undefined;
  const list = {
    name: `readBooks TITLE ${userId}`,
    descending: false,
    ...readByTitle.list(context.cassandra, { user_id: userId }),
  };
  const found = await connection(page, list, ({ full_name, ...row }, cursor) => {
    fullName = full_name ?? undefined;
    return readBookEdge(row, cursor);
  });
  return { ...found, userId, fullName };
}

async function readBooksByReadAt(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<ReadBookConnection> {
  const list = {
    name: `readBooks READ_AT ${userId}`,
    descending: true,
    ...readByReadAt.list(context.cassandra, { user_id: userId }),
  };
  const found = await connection(page, list, readBookEdge);
  return { ...found, userId, fullName: undefined };
}

function readBookEdge(row: ReadBookRow, cursor: Cursor): ReadBookEdge {
  const { book_id: bookId, title, authors, genres, publisher } = row;
  const newest = row.reads.at(-1);
  if (!newest) throw new Error(`The book ${bookId} is listed as read, but was never read`);
  const reads = momentsOf(row.reads);
  return { cursor, bookId, newest, reads, title, authors, genres, publisher: publisher === '' ? null : publisher };
}

/** The name of the reader of a page of books. */
export async function readerOf(context: RequestContext, page: ReadBookConnection): Promise<string> {
  return page.fullName ?? (await existingAccount(context, page.userId)).fullName;
}
