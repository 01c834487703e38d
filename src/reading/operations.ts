import { z } from 'zod';
import { existingAccount, type User } from '../identity/operations.ts';
import { EARLIEST, HIGHEST_TEXT, LATEST, type Slice } from '../cassandra/paging.ts';
import { rows, write } from '../cassandra/statement.ts';
import { connection, cursorMoment, onePartition, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { ReadBookOrder } from '../graphql/schema.generated.ts';
import {
  selectByReadAtAscending,
  selectByReadAtDescending,
  selectByTitleAscending,
  selectByTitleDescending,
  updateFullName,
} from './tables.ts';

/** A book that a reader has read. */
export interface ReadBookEdge {
  readonly cursor: string;
  readonly bookId: string;
  readonly readAt: Date;
  /** Newest first. */
  readonly reads: Date[];
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
    ...onePartition,
    name: `readBooks TITLE ${userId}`,
    descending: false,
    cursor: z.object({ title_sort: z.string(), author_sort: z.string(), book_id: z.string() }),
    positionOf: ({ title_sort, author_sort, book_id }: TitlePosition) => ({ title_sort, author_sort, book_id }),
    read: (_partition: number, { descending, from, limit }: Slice<TitlePosition>) => {
      const end = descending ? HIGHEST_TEXT : '';
      const position = from ?? { title_sort: end, author_sort: end, book_id: end };
      const slice = { user_id: userId, ...position, rows_max: limit };
      return rows(context.cassandra, descending ? selectByTitleDescending : selectByTitleAscending, slice);
    },
  };
  const found = await connection(page, list, ({ book_id, reads, full_name }, cursor) => {
    fullName = full_name ?? undefined;
    return readBookEdge(book_id, reads, cursor);
  });
  return { ...found, userId, fullName };
}

interface TitlePosition {
  readonly title_sort: string;
  readonly author_sort: string;
  readonly book_id: string;
}

async function readBooksByReadAt(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<ReadBookConnection> {
  const list = {
    ...onePartition,
    name: `readBooks READ_AT ${userId}`,
    descending: true,
    cursor: z.object({ read_at: cursorMoment, book_id: z.string() }),
    positionOf: ({ read_at, book_id }: ReadAtPosition) => ({ read_at, book_id }),
    read: (_partition: number, { descending, from, limit }: Slice<ReadAtPosition>) => {
      const end = descending ? { read_at: LATEST, book_id: HIGHEST_TEXT } : { read_at: EARLIEST, book_id: '' };
      const slice = { user_id: userId, ...(from ?? end), rows_max: limit };
      return rows(context.cassandra, descending ? selectByReadAtDescending : selectByReadAtAscending, slice);
    },
  };
  const found = await connection(page, list, ({ book_id, reads }, cursor) => readBookEdge(book_id, reads, cursor));
  return { ...found, userId, fullName: undefined };
}

interface ReadAtPosition {
  readonly read_at: Date;
  readonly book_id: string;
}

function readBookEdge(bookId: string, reads: readonly Date[], cursor: string): ReadBookEdge {
  const newestFirst = reads.toReversed();
  const [readAt] = newestFirst;
  if (!readAt) throw new Error(`The book ${bookId} is listed as read, but at no moment`);
  return { cursor, bookId, readAt, reads: newestFirst };
}

/** The name of the reader of a page of books. */
export async function readerOf(context: RequestContext, page: ReadBookConnection): Promise<string> {
  return page.fullName ?? (await existingAccount(context, page.userId)).fullName;
}
