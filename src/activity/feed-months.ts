import type { Part } from '../cassandra/batches.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { all, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { sharedLoader } from '../cassandra/recent-reads.ts';
import { rows } from '../cassandra/statement.ts';
import { announcement, keptUntilChanged } from '../changes/operations.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { monthOf } from '../time/units.ts';
import { unlistedMonths } from './log.ts';
import { monthWrites } from './months.ts';
import { selectMonthsOfReaders } from './tables.ts';

/**
 * The months in which readers did something that feeds show. Most readers did nothing in most
 * months, so a feed reads the lists of few of the readers that it is made of.
 */

const LIST = 'feed';

/** The number of months that a feed goes back, in addition to the current one. */
const MONTHS_SHOWN = 12;

/** Returns the months that a feed shows, newest first. */
export const monthsShown = (now: Date): Date[] =>
  Array.from(
    { length: MONTHS_SHOWN + 1 },
    (_, index) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index)),
  );

/** Returns the rows that list the months of some moments, for audits. */
export const feedMonthRows = (userId: string, moments: readonly Date[]) =>
  [...new Set(moments.map((at) => monthOf(at).getTime()))].map((time) => ({
    user_id: userId,
    list: LIST,
    month: new Date(time),
  }));

/**
 * The writes that list the months of some moments, for tools and jobs. Servers that have cached the
 * months of the reader see them minutes later.
 */
export const feedMonthWrites = (userId: string, moments: readonly Date[]) => monthWrites(userId, LIST, moments);

/**
 * The writes that list the months of rows for feeds, to be sent in the batch of the rows. There are
 * none if this process has listed the months before.
 */
export function feedMonthsPart(app: AppContext, userId: string, moments: readonly Date[]): Part {
  const { unlisted, areListed } = unlistedMonths(app, userId, moments, (at) => `${LIST} ${monthOf(at).getTime()}`);
  if (unlisted.length === 0) return { writes: [] };
  return {
    writes: [announcement(app, { kind: 'FEED_MONTHS', key: userId }), ...feedMonthWrites(userId, unlisted)],
    onWritten: () => {
      areListed();
      keptMonths(app).forget(userId);
    },
  };
}

/** The beginnings of the months in which a reader has rows for feeds, in ms. */
export type FeedMonths = ReadonlySet<number>;

/** The maximum memory of the kept months, of half a kilobyte to a kilobyte a reader. */
const MONTHS_BYTES_MAX = 12 * 2 ** 20;
/** The memory of a number in a set. */
const BYTES_PER_MONTH = 40;

/** The months of readers. One statement reads those that are requested at the same moment. */
const keptMonths = perProcess((app) => {
  const { cassandra, atEndOfTurn, clock } = app;
  const months = rowLoader(
    async (user_ids) => {
      const from_month = monthsShown(clock()).at(-1) ?? clock();
      const found = await rows(cassandra, selectMonthsOfReaders, { user_ids, list: LIST, from_month });
      const byReader = Map.groupBy(found, (row) => row.user_id);
      return user_ids.map((user_id) => ({ user_id, rows: byReader.get(user_id) ?? [] }));
    },
    ({ user_id }) => user_id,
    { atEndOfTurn },
  );
  return keptUntilChanged(app, 'FEED_MONTHS', { bytesMax: MONTHS_BYTES_MAX }, async (userId) => {
    const { rows: found = [] } = (await months.load(userId)) ?? {};
    const row: FeedMonths = new Set(found.map(({ month }) => month.getTime()));
    return { row, size: { rows: 1, bytes: row.size * BYTES_PER_MONTH } };
  });
});

/**
 * Reads the months of some readers, which may be a moment old.
 * @returns the months, in the order of the readers
 */
export function feedMonthsOf(
  context: RequestContext,
  userIds: readonly string[],
): MaybePromise<(FeedMonths | undefined)[]> {
  const loader = sharedLoader(context, keptMonths(context));
  return all(userIds.map((userId) => loader.load(userId)));
}
