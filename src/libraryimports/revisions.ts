import { onCondition, type Reservation } from '../aggregates/aggregate.ts';
import { letOthersPass } from '../cassandra/contention.ts';
import { appliedBatch, bind, first, type Bound } from '../cassandra/statement.ts';
import { untilKnown } from '../cassandra/until-known.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { selectRevision, setRevision } from './tables.ts';

/**
 * All lines of an import have one revision. They are changed on condition that it is what was read,
 * so nobody decides from lines that others have changed: several servers may go through an import
 * at once.
 */

/** Reads the revision of the lines of an import; null if none was changed. */
export async function revisionOf({ cassandra }: AppContext, importId: string): Promise<number | null> {
  const row = await first(cassandra, selectRevision, { import_id: importId, rows_max: 1 });
  return row?.revision ?? null;
}

/**
 * Writes to the lines of an import if they are still as they were read.
 * @returns false if somebody has changed lines of the import since
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

/** Thrown when lines were changed since somebody read them. */
class ChangedLinesError extends UserError {
  constructor() {
    super('INVALID_INPUT', 'The lines of the import were changed meanwhile.', ['input', 'importId']);
  }
}

/**
 * Changes readings, ratings and reviews only while the lines that this follows from are as they
 * were read. A server that stalls meanwhile then changes nothing, and may die at any moment.
 * @param work makes each change on the condition that it is given; returns false if others have
 *   changed lines of the import meanwhile
 * @returns false if others have changed lines of the import meanwhile
 */
export async function whileAsRead(
  app: AppContext,
  { importId, revision }: { readonly importId: string; readonly revision: number | null },
  work: (condition: Reservation) => Promise<boolean>,
): Promise<boolean> {
  const latest = inRounds(() => revisionOf(app, importId));
  const condition = onCondition('lines', async () => {
    if ((await latest()) !== revision) throw new ChangedLinesError();
  });
  try {
    return await work(condition);
  } catch (error) {
    if (error instanceof ChangedLinesError) return false;
    throw error;
  }
}

/** Returns a function that reads for all who call it while it reads for others. */
function inRounds<Result>(read: () => Promise<Result>): () => Promise<Result> {
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

/** Makes all changes fail that follow from lines that were read before. */
export const raiseRevision = (app: AppContext, importId: string): Promise<void> =>
  untilRecorded(app, async () => {
    const current = await revisionOf(app, importId);
    return writeIf(app, importId, { current, next: (current ?? 0) + 1 }, []);
  });

/**
 * Repeats a try until it succeeds.
 * @param attempt reads lines and records them; returns false if others have changed lines meanwhile
 * @throws {ContentionError} if others are faster each time
 */
export async function untilRecorded({ cassandra }: AppContext, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await attempt()); tries++) await letOthersPass(cassandra, tries, 'the import');
}
