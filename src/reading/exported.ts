import { each, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { dayAt } from '../time/days.ts';
import { isReReading, readsIn } from './aggregate.ts';
import { finishedOn } from './reads.ts';
import { startedOn } from './shelves.ts';
import { selectReadings, selectReadingsOfViewer, type ReadingState } from './tables.ts';

/** The readings of a reader in the form of exports: by days, in UTC. */

/** The reading of a book that is on a shelf of a reader, or that they have read. */
export interface OwnReading {
  readonly bookId: string;
  /** Null for a book that was read and is on no shelf. */
  readonly status: ReadingStatus | null;
  /** In percent. */
  readonly progress: number;
  /** The day of the status. */
  readonly since: string;
  /** The day on which the book was last begun, if no reading has it; null if unknown. */
  readonly startedOn: string | null;
  /** The readings, oldest first; an unknown day is null. */
  readonly reads: readonly { readonly startedOn: string | null; readonly finishedOn: string | null }[];
}

function readingIn({ book_id: bookId, state }: StoredReading): OwnReading[] {
  const last = state.history.at(-1);
  if (!last || (last.status === 'NONE' && readsIn(state).length === 0)) return [];

  const { progress, at } = last;
  const status = last.status === 'NONE' ? null : last.status;
  const isToldByRead = readsIn(state).at(-1)?.started_on != null && !isReReading(state);
  const begunOn = isToldByRead ? null : startedOn({ history: state.history, reads: readsIn(state) }, 'UTC');
  const reads = readsIn(state).map((read) => ({ startedOn: read.started_on, finishedOn: finishedOn(read, 'UTC') }));
  return [{ bookId, status, progress, since: dayAt(at), startedOn: begunOn, reads }];
}

interface StoredReading {
  readonly book_id: string;
  readonly state: ReadingState;
}

/** Yields the readings of a reader in no order. */
export async function* ownReadings({ cassandra }: AppContext, user_id: string): AsyncGenerator<OwnReading> {
  for await (const row of each(cassandra, selectReadings, { user_id })) yield* readingIn(row);
}

/** Returns those of some books that {@link ownReadings} has. */
export async function booksWithReading(
  { cassandra }: AppContext,
  user_id: string,
  book_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows(cassandra, selectReadingsOfViewer, { user_id, book_ids });
  return new Set(found.flatMap(readingIn).map(({ bookId }) => bookId));
}
