import { auditedTable, eachRow, type Audit, type Suspect } from '../audit/audit.ts';
import type { AppContext } from '../context/context.ts';
import { MINUTE_MS } from '../time/units.ts';
import { countWindow, storedCounts } from './counts.ts';
import { dirtyWindows, isClosed, Sweep, windowsIn } from './dirty-windows.ts';
import { COUNTED_MS } from './operations.ts';
import { COUNTS, scanEvents } from './tables.ts';
import { lengthOf, type Granularity, type ShardWindow } from './windows.ts';

/**
 * The audit of the roll-ups. The count of a minute of a shard must equal its number of events, and
 * the count of an hour or day must equal the sum of its minutes or hours. The audit checks windows
 * that ended some time ago, as long as their events are kept. It records a wrong window as a dirty
 * window, so that the holder of the lease counts it, and the windows above it, again.
 */

/**
 * The minimum age of a checked window. Events are counted within seconds, or within minutes after a
 * crash or under load.
 */
const SETTLED_MS = 10 * MINUTE_MS;
/** The number of windows checked at once; each may have hundreds of thousands of counts. */
const WINDOWS_AT_ONCE = 2;

async function isWrong(app: AppContext, window: ShardWindow): Promise<boolean> {
  const counted = countWindow(app, window, new Map(), (part) => storedCounts(app, part));
  const [right, stored] = await Promise.all([counted, storedCounts(app, window)]);
  return right.size !== stored.size || [...right].some(([key, count]) => stored.get(key) !== count);
}

/**
 * True if a window still has to be counted. If a closed bucket is left, any window may have to be.
 */
async function isBehind(app: AppContext, { granularity, time, shard }: ShardWindow): Promise<boolean> {
  const now = app.clock().getTime();
  for (const place of await new Sweep().find(app, now)) {
    if (isClosed(place, now)) return true;
    for await (const { minute, shard: ofShard } of windowsIn(app, place))
      if (ofShard === shard && minute.getTime() >= time && minute.getTime() < time + lengthOf(granularity)) return true;
  }
  return false;
}

/**
 * True if all events of a window are still stored. The events of an older window are removed, or
 * will be soon.
 */
const isKept = (app: AppContext, { time }: ShardWindow) => time >= app.clock().getTime() - COUNTED_MS;

async function suspectOf(app: AppContext, window: ShardWindow): Promise<Suspect | undefined> {
  const { granularity, time, shard } = window;
  const now = app.clock().getTime();
  const isSettled = time + lengthOf(granularity) + SETTLED_MS < now;
  if (!isSettled || !isKept(app, window) || !(await isWrong(app, window))) return undefined;
  return {
    what: `the count of the ${granularity.toLowerCase()} from ${new Date(time).toISOString()} in shard ${shard}`,
    look: async () => {
      if (!isKept(app, window) || !(await isWrong(app, window))) return [];
      return (await isBehind(app, window)) ? undefined : [COUNTS[granularity].table];
    },
    repair: async () => {
      if (isKept(app, window)) await dirtyWindows(app).record(app, new Date(time), shard);
    },
  };
}

/** Audits the stored counts of one granularity. */
const countsTable = (granularity: Granularity) =>
  auditedTable(COUNTS[granularity].table, {
    key: ['window_start', 'shard'],
    ring: COUNTS[granularity].scan,
    isCounted: true,
    suspects: eachRow(
      (app, { window_start, shard }: { readonly window_start: Date; readonly shard: number }) =>
        suspectOf(app, { granularity, time: window_start.getTime(), shard }),
      WINDOWS_AT_ONCE,
    ),
  });

/** Audits the minutes that have events. */
const eventsTable = auditedTable('events', {
  key: ['minute', 'shard'],
  ring: scanEvents,
  isCounted: true,
  suspects: eachRow(
    (app, { minute, shard }: { readonly minute: Date; readonly shard: number }) =>
      suspectOf(app, { granularity: 'MINUTE', time: minute.getTime(), shard }),
    WINDOWS_AT_ONCE,
  ),
});

/** Audits the counts of events by minute, hour and day. */
export const rollUpAudit: Audit = {
  kind: 'roll-ups',
  tables: [eventsTable, countsTable('MINUTE'), countsTable('HOUR'), countsTable('DAY')],
};
