import pLimit from 'p-limit';
import { page, rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts';
import { partitionOf } from './operations.ts';
import {
  deleteScheduledHour,
  deleteScheduledJob,
  eraseScheduledJob,
  insertJob,
  insertScheduledHour,
  insertScheduledJob,
  selectDueHours,
  selectScheduledJobs,
} from './tables.ts';

/**
 * Scheduled jobs begin days after the change that asked for them. They are stored by the hour in
 * which they are due. They are first read after that hour, and then become ordinary jobs.
 */

/**
 * The delay between a job's hour and its beginning. It covers the differences of clocks, so that
 * every server agrees that the job is due.
 */
const BEGUN_AFTER_MS = MINUTE_MS;
/**
 * The time after its hour during which a job may still appear, from a data centre that was cut off.
 */
const LATE_MS = DAY_MS;
/** The maximum number of hours read at once. More are due only after a long downtime. */
const HOURS_AT_ONCE = 1_000;
const WRITES_AT_ONCE = 32;

/** A job that begins at a moment, or within an hour after it. */
export interface ScheduledJob {
  readonly kind: string;
  readonly cause: string;
  readonly dueAt: Date;
}

/** Returns the end of the hour that contains a moment. */
const endOfHour = (ms: number) => new Date(Math.ceil(ms / HOUR_MS) * HOUR_MS);

const keyOf = (subject: NodeId, { kind, cause }: ScheduledJob, hour: Date) => ({
  ...partitionOf(subjectOf(subject)),
  hour,
  kind,
  cause,
});

/**
 * Schedules a job. Repeating this has no effect before the job begins. After that, the job begins
 * once more.
 */
export async function scheduleJob({ cassandra, clock }: AppContext, subject: NodeId, job: ScheduledJob): Promise<void> {
  // An hour that is near may be finished before this write is visible.
  const key = keyOf(subject, job, endOfHour(Math.max(job.dueAt.getTime(), clock().getTime() + HOUR_MS)));
  const { shard, hour } = key;
  // The hour is written first: an hour without jobs is harmless, but a job without its hour never
  // begins.
  await write(cassandra, insertScheduledHour, { shard, hour });
  await write(cassandra, insertScheduledJob, key);
}

/** Permanently removes a job that has not begun, even if it is just being scheduled. */
export async function unscheduleJob({ cassandra }: AppContext, subject: NodeId, job: ScheduledJob): Promise<void> {
  await write(cassandra, eraseScheduledJob, keyOf(subject, job, endOfHour(job.dueAt.getTime())));
}

/**
 * Begins the due jobs of a shard. It may be repeated, and run on several servers at once.
 * @param begun the hours whose jobs an earlier call has begun
 * @returns the hours to read again
 */
export async function beginDueJobs(
  app: AppContext,
  shard: number,
  begun: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const now = new Date(app.clock().getTime() - BEGUN_AFTER_MS);
  const left = new Set<number>();
  for (const { hour } of await rows(app.cassandra, selectDueHours, { shard, now, rows_max: HOURS_AT_ONCE })) {
    const isLast = now.getTime() - hour.getTime() >= LATE_MS;
    if (isLast || !begun.has(hour.getTime())) await beginJobsOf(app, { shard, hour });
    if (isLast) await write(app.cassandra, deleteScheduledHour, { shard, hour });
    else left.add(hour.getTime());
  }
  return left;
}

async function beginJobsOf({ cassandra }: AppContext, of: { shard: number; hour: Date }): Promise<void> {
  const limit = pLimit(WRITES_AT_ONCE);
  let pageState: string | undefined;
  do {
    const read = await page(cassandra, selectScheduledJobs, of, pageState);
    await limit.map(read.rows, async (job) => {
      await write(cassandra, insertJob, { shard: of.shard, ...job, begun_at: of.hour });
      await write(cassandra, deleteScheduledJob, { ...of, ...job });
    });
    ({ pageState } = read);
  } while (pageState !== undefined);
}
