import pLimit from 'p-limit';
import { CassandraError } from '../cassandra/errors.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { MINUTE_MS } from '../time/units.ts';

/**
 * Work in bulk: so many parts of it at once, and each again, after a pause, where Cassandra did not do it. For parts that may be
 * repeated: what they write is absolute, and what they decide is recognised when it is met again.
 */

const PARTS_AT_ONCE = 32;
const PAUSE_MS = 100;
const PAUSE_MAX_MS = 5 * 1_000;
/** What takes no longer nobody needs to know of. */
const TOLD_AFTER_MS = 10 * 1_000;
const TOLD_EVERY_MS = 30 * 1_000;
const GIVEN_UP_AFTER_MS = 10 * MINUTE_MS;

const WHAT_TO_DO =
  'See that its nodes run, can be reached and are not busy with something else (nodetool status, nodetool tpstats)';

/** When it was last told that a part is repeated: of many that wait for the same Cassandra, one says so. */
const lastTold = perProcess(() => ({ at: -Infinity }));

/**
 * Does something until Cassandra has done it.
 * @param work may be repeated
 * @throws when it is still not done after ten minutes, saying what to do; at once whatever is no state of Cassandra
 */
export async function repeated<Result>(app: AppContext, work: () => Promise<Result>): Promise<Result> {
  const begun = app.steady();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CassandraError)) throw error;

      const now = app.steady();
      if (now - begun > GIVEN_UP_AFTER_MS) {
        const message = `Cassandra has not done it for ${GIVEN_UP_AFTER_MS / MINUTE_MS} minutes (${error.message}). ${WHAT_TO_DO}, then do the same again: it goes on where it was.`;
        throw new Error(message, { cause: error });
      }
      tell(app, now - begun, error);
      await app.cassandra.backOff(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS));
    }
  }
}

function tell(app: AppContext, milliseconds: number, error: CassandraError): void {
  const told = lastTold(app);
  if (milliseconds < TOLD_AFTER_MS || app.steady() - told.at < TOLD_EVERY_MS) return;

  told.at = app.steady();
  const seconds = Math.round(milliseconds / 1_000);
  app.logger.warn(
    { err: error, seconds },
    `Cassandra has not done a part of the load or import for ${seconds} s; it is tried again until it does. ${WHAT_TO_DO}.`,
  );
}

/**
 * Does some work for each of many items, each until Cassandra has done it.
 * @param work may be repeated
 * @param limit how many are under way at once
 * @throws as {@link repeated} does
 */
export const inBulk = <Item, Result>(
  app: AppContext,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  limit = pLimit(PARTS_AT_ONCE),
): Promise<Result[]> => limit.map(items, (item) => repeated(app, () => work(item)));
