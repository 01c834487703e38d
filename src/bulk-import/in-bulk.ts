import pLimit from 'p-limit';
import { CassandraError } from '../cassandra/errors.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { MINUTE_MS } from '../time/units.ts';

/**
 * Runs bulk work: several parts at once. A part that Cassandra did not complete is repeated after a
 * pause. Parts must be repeatable: they write absolute values, and recognise their own decisions.
 */

const PARTS_AT_ONCE = 32;
const PAUSE_MS = 100;
const PAUSE_MAX_MS = 5 * 1_000;
/** Shorter waits are not reported. */
const WARN_AFTER_MS = 10 * 1_000;
const WARN_EVERY_MS = 30 * 1_000;
const GIVEN_UP_AFTER_MS = 10 * MINUTE_MS;

const WHAT_TO_DO =
  'Check that its nodes run, can be reached and are not busy with something else (nodetool status, nodetool tpstats)';

/** The time of the last warning. Only one of the waiting parts warns. */
const lastWarning = perProcess(() => ({ at: -Infinity }));

/**
 * Repeats work until Cassandra has completed it.
 * @param work a function that can be repeated
 * @throws after ten minutes, with what to do; immediately for an error that is not from Cassandra
 */
export async function repeated<Result>(app: AppContext, work: () => Promise<Result>): Promise<Result> {
  const begun = app.monotonicNow();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CassandraError)) throw error;

      const now = app.monotonicNow();
      if (now - begun > GIVEN_UP_AFTER_MS) {
        const message =
          `Cassandra has not completed this for ${GIVEN_UP_AFTER_MS / MINUTE_MS} minutes ` +
          `(${error.message}). ${WHAT_TO_DO}, then run the same command again: ` +
          'it continues where it stopped.';
        throw new Error(message, { cause: error });
      }
      warnOfDelay(app, now - begun, error);
      await app.cassandra.backOff(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS));
    }
  }
}

function warnOfDelay(app: AppContext, milliseconds: number, error: CassandraError): void {
  const warning = lastWarning(app);
  if (milliseconds < WARN_AFTER_MS || app.monotonicNow() - warning.at < WARN_EVERY_MS) return;

  warning.at = app.monotonicNow();
  const seconds = Math.round(milliseconds / 1_000);
  app.logger.warn(
    { err: error, seconds },
    `Cassandra has not completed a part of the load or import for ${seconds} s; ` +
      `it is retried until it does. ${WHAT_TO_DO}.`,
  );
}

/**
 * Repeats work for each item until Cassandra has completed it.
 * @param work a function that can be repeated
 * @param limit the maximum number of concurrent items
 * @throws the errors of {@link repeated}
 */
export const inBulk = <Item, Result>(
  app: AppContext,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  limit = pLimit(PARTS_AT_ONCE),
): Promise<Result[]> => limit.map(items, (item) => repeated(app, () => work(item)));
