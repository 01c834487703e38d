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
 * Jobs that begin later, days after the change that they follow from. They wait by the hour in which they are due, where nobody looks at
 * them before; then they become jobs as all others.
 */

/** So long after its hour a job begins: whoever does it sees that it is due, though clocks differ a little. */
const BEGUN_AFTER_MS = MINUTE_MS;
/** So long after its hour a job may still come to light, in a data centre that was away. */
const LATE_MS = DAY_MS;
/** More than are ever due at once, but after a long standstill. */
const HOURS_AT_ONCE = 1_000;
const WRITES_AT_ONCE = 32;

/** A job that is to begin at a moment, or within an hour of it. */
export interface ScheduledJob {
  readonly kind: string;
  readonly cause: string;
  readonly dueAt: Date;
}

/** The end of the hour that a moment is in. */
const endOfHour = (ms: number) => new Date(Math.ceil(ms / HOUR_MS) * HOUR_MS);

const keyOf = (subject: NodeId, { kind, cause }: ScheduledJob, hour: Date) => ({
  ...partitionOf(subjectOf(subject)),
  hour,
  kind,
  cause,
});

/** Lets a job begin later. Doing so again changes nothing; after it has begun, it begins once more. */
export async function scheduleJob({ cassandra, clock }: AppContext, subject: NodeId, job: ScheduledJob): Promise<void> {
  // An hour that is near may be done with before this is written.
  const key = keyOf(subject, job, endOfHour(Math.max(job.dueAt.getTime(), clock().getTime() + HOUR_MS)));
  const { shard, hour } = key;
  // First: an hour without jobs is harmless, a job without its hour never begins.
  await write(cassandra, insertScheduledHour, { shard, hour });
  await write(cassandra, insertScheduledJob, key);
}

/** Takes a job back that has not begun, for good, also one that is just being scheduled. */
export async function unscheduleJob({ cassandra }: AppContext, subject: NodeId, job: ScheduledJob): Promise<void> {
  await write(cassandra, eraseScheduledJob, keyOf(subject, job, endOfHour(job.dueAt.getTime())));
}

/**
 * Begins the jobs of a shard that are due. May be repeated, and done by several at once.
 * @param begun the hours whose jobs have begun, by an earlier call
 * @returns those that are still to be looked at once more
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
