import { precondition, type Precondition } from '../aggregates/kind.ts';
import { waitAfterConflict, untilKnown } from '../cassandra/retries.ts';
import { appliedBatch, bind, first, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { selectRevision, setRevision } from './tables.ts';

/**
 * All lines of an import share one revision, and are changed only if it is still the one that was
 * read. So several servers may process an import at once: none decides from lines that another has
 * changed.
 */

/** Reads the revision of the lines of an import; null before the first change. */
export async function revisionOf({ cassandra }: AppContext, importId: string): Promise<number | null> {
  const row = await first(cassandra, selectRevision, { import_id: importId, rows_max: 1 });
  return row?.revision ?? null;
}

/**
 * Writes to the lines of an import if their revision is still the one that was read.
 * @returns false if another process has changed lines of the import since
 */
export const writeIf = (
  { cassandra }: AppContext,
  importId: string,
  { current, next }: { readonly current: number | null; readonly next: number | null },
  writes: readonly Bound[],
): Promise<boolean> =>
  untilKnown(cassandra, () =>
    appliedBatch(cassandra, [bind(setRevision, { import_id: importId, current, next }), ...writes]),
  );

/** Thrown when the revision has changed since it was read. */
class ChangedLinesError extends UserError {
  constructor() {
    super('INVALID_INPUT', 'The lines of the import changed meanwhile.', ['input', 'importId']);
  }
}

/**
 * Changes readings, ratings and reviews only while the revision of the lines is the one that was
 * read. A server that stalls meanwhile changes nothing, and may die at any moment.
 * @param work makes each change on the condition that it is given; returns false if another process
 *   has changed lines of the import meanwhile
 * @returns false if another process has changed lines of the import meanwhile
 */
export async function ifRevisionUnchanged(
  app: AppContext,
  { importId, revision }: { readonly importId: string; readonly revision: number | null },
  work: (condition: Precondition) => Promise<boolean>,
): Promise<boolean> {
  const latest = shared(() => revisionOf(app, importId));
  const condition = precondition('lines', async () => {
    if ((await latest()) !== revision) throw new ChangedLinesError();
  });
  try {
    return await work(condition);
  } catch (error) {
    if (error instanceof ChangedLinesError) return false;
    throw error;
  }
}

/** Returns a function that does one read for all callers who wait for the same earlier read. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  const begin = () => {
    next = undefined;
    return read();
  };
  return () => {
    if (next) return next;
    next = latest.then(begin);
    latest = next.catch(() => undefined);
    return next;
  };
}

/** Raises the revision, so that every change decided from an earlier read fails. */
export const raiseRevision = (app: AppContext, importId: string): Promise<void> =>
  retryOnConflict(app, async () => {
    const current = await revisionOf(app, importId);
    return writeIf(app, importId, { current, next: (current ?? 0) + 1 }, []);
  });

/**
 * Repeats an attempt until no other process interferes.
 * @param attempt reads lines and records them; returns false if another process has changed lines
 *   meanwhile
 * @throws {ContentionError} if other processes are faster each time
 */
export async function retryOnConflict({ cassandra }: AppContext, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await attempt()); tries++) await waitAfterConflict(cassandra, tries, 'the import');
}
