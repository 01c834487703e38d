import type { ListedBook } from '../catalogue/book.ts';
import { connection, type CountedConnection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { dayIn, type TimeZone } from '../time/zones.ts';
import { isReReading } from './aggregate.ts';
import { finishedOn } from './reads.ts';
import { shelf, SHELVES, type Read, type ReadingStep } from './tables.ts';
import { viewerReadingLoader } from './loaders.ts';

/** The viewer's relation to a book. */
export interface Reading {
  readonly bookId: string;
  /** Null if it was taken back. */
  readonly status: ReadingStatus | null;
  /** In percent. */
  readonly progress: number;
  readonly since: Date;
  /** The readings, oldest first, unknown times before all others. */
  readonly reads: readonly Read[];
  /** The steps, oldest first. */
  readonly history: ReadingStep[];
}

/** Returns the viewer's relation to a book; null if they have none or are signed out. */
export async function viewerReading(context: RequestContext, book: ListedBook): Promise<Reading | null> {
  const state = (await viewerReadingLoader(context).load(book.id))?.state;
  const last = state?.history.at(-1);
  if (!last) return null;
  const { status, progress, at } = last;
  return {
    bookId: book.id,
    status: status === 'NONE' ? null : status,
    progress,
    since: at,
    reads: state?.marked ? state.reads : [],
    history: state?.history ?? [],
  };
}

/** The day on which the newest reading of a book was begun; null if unknown. */
export function startedOn({ history, reads }: Pick<Reading, 'history' | 'reads'>, timeZone: TimeZone): string | null {
  // The days of a reading are valid until the book is begun again.
  const finished = isReReading({ history }) ? undefined : reads.at(-1);
  if (finished?.started_on) return finished.started_on;
  let first = history.findLastIndex(({ status, started_on }) => status === 'READING' || started_on !== null);
  // Progress adds steps. The first of them is the beginning.
  while (history[first]?.started_on === null && history[first - 1]?.status === 'READING') first--;
  const step = history[first];
  if (!step) return null;
  const day = step.started_on ?? (step.import_id === null ? dayIn(step.at, timeZone) : null);
  // The reading may be an earlier one, which the status is not about.
  const lastDay = finishedOn(finished, timeZone);
  return day !== null && lastDay !== null && day > lastDay ? null : day;
}

/** A book on a shelf. */
export interface ShelfEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  readonly status: ReadingStatus;
  readonly since: Date;
  readonly progress: number;
}

/** Returns the shelves that a list reads in parallel. */
export const shelvesOf = (status: ReadingStatus | null | undefined): readonly ReadingStatus[] =>
  status == null ? SHELVES : [status];

/**
 * Returns a page of the books on a shelf of a reader, or on all shelves, last change first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function shelfOf(
  { cassandra }: RequestContext,
  userId: string,
  status: ReadingStatus | null | undefined,
  page: PageArguments,
): Promise<CountedConnection<ShelfEdge>> {
  const sides = { column: 'status', of: () => shelvesOf(status) } as const;
  const list = {
    name: `shelf ${status ?? ''} ${userId}`,
    descending: true,
    ...shelf.list(cassandra, { user_id: userId }, { sides }),
  };
  return connection(page, list, ({ at, book_id, progress, ...row }, cursor) => ({
    cursor,
    bookId: book_id,
    status: row.status as ReadingStatus,
    since: at,
    progress,
  }));
}
