import pLimit from 'p-limit';
import { Gauge } from 'prom-client';
import { perProcess, type AppContext } from '../context/context.ts';
import { Lease } from '../leases/operations.ts';
import { waitAfter } from '../time/backoff.ts';
import { isLaterReleaseAlive } from '../transactions/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { doJob, JOB_SHARDS, jobsIn, turnOf } from './operations.ts';
import { beginDueJobs } from './schedule.ts';
import type { Job } from './tables.ts';

/** The time that a job gets per turn, so that a long job does not delay the others. */
const TURN_MS = 2_000;
/** The number of a shard's jobs that run at the same time. */
const AT_ONCE = 4;
/**
 * The request that causes a job works on it first. The workers take a job over when it is older
 * than this, or when they first saw it this long ago.
 */
const LEFT_AFTER_MS = 6_000;
/** The interval at which a shard is checked for due scheduled jobs. Jobs are due on the hour. */
const SCHEDULE_LOOK_MS = 5 * MINUTE_MS;

const unfinished = new Gauge({
  name: 'jobs_unfinished',
  help: 'Unfinished jobs, such as erasures, renames and new titles, as last read by the server that runs them',
  labelNames: ['kind'],
});
const failing = new Gauge({
  name: 'jobs_failing',
  help: 'Jobs whose last try failed, as last read by the server that runs them; they are retried',
  labelNames: ['kind'],
});

/** A job that was unfinished at the last check. */
interface Left {
  readonly kind: string;
  /**
   * The time at which this server first saw it. `begun_at` is by another server's clock, which may
   * be wrong.
   */
  readonly since: number;
  /** The number of its latest failures in a row. */
  readonly failures: number;
  /** After a failure, the time of the next try. */
  readonly notBefore: number;
}

const nameOf = ({ subject, kind, cause }: Job) => `${subject} ${kind} ${cause}`;

/** The job worker of this process. */
const jobWorker = perProcess(({ randomId }) => new JobWorker(randomId()));

/** Works on unfinished jobs, if this server holds the lease for them. */
export const doJobs = (app: AppContext, stopping?: AbortSignal): Promise<void> => jobWorker(app).run(app, stopping);

/** Lets another server work on the jobs. */
export const endJobs = (app: AppContext): Promise<void> => jobWorker(app).end(app);

/**
 * Works on unfinished jobs. One server at a time does so, the holder of the lease. There is one
 * lease for all shards: there is rarely enough work to share, and a lease per shard would need
 * eight times as many heartbeats when idle. An empty shard is checked every eighth time.
 */
export class JobWorker {
  readonly #lease: Lease;
  /** The unfinished jobs of each shard at the last check, by name. */
  readonly #shards = new Map<number, ReadonlyMap<string, Left>>();
  /** The hours of each shard whose scheduled jobs have begun, and the time of that check. */
  readonly #schedules = new Map<number, { readonly begun: ReadonlySet<number>; readonly at: number }>();
  #next = 0;
  #underWay: Promise<void> | undefined;

  /** @param holder an id of this server */
  constructor(holder: string) {
    this.#lease = new Lease('jobs', holder);
  }

  /**
   * Gives a turn to every unfinished job that is due, if this server holds the lease.
   * @param stopping ends the run between two steps of a job; the next holder of the lease continues
   */
  run(app: AppContext, stopping?: AbortSignal): Promise<void> {
    this.#underWay ??= this.#run(app, stopping).finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** Lets another server work on the jobs. */
  end(app: AppContext): Promise<void> {
    return this.#lease.release(app);
  }

  async #run(app: AppContext, stopping?: AbortSignal): Promise<void> {
    const isHeld = await this.#beginRun(app);
    const looked = isHeld
      ? await Promise.allSettled(this.#shardsInNeed().map((shard) => this.#checkShard(app, shard, stopping)))
      : [];

    this.#updateMetrics();
    const failed = looked.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /**
   * Returns whether this server works on jobs now. It leaves them to a server of a later release,
   * which knows all kinds of jobs of this release, and perhaps others.
   */
  async #beginRun(app: AppContext): Promise<boolean> {
    const forget = () => {
      this.#shards.clear();
      this.#schedules.clear();
    };
    if (!isLaterReleaseAlive(app)) return this.#lease.beginRun(app, forget);

    await this.#lease.release(app);
    forget();
    return false;
  }

  /**
   * Returns the shards that had unfinished jobs or were never checked, and one of the others, in
   * turn.
   */
  #shardsInNeed(): number[] {
    const next = this.#next++ % JOB_SHARDS;
    const shards = Array.from({ length: JOB_SHARDS }, (_, shard) => shard);
    return shards.filter((shard) => shard === next || this.#shards.get(shard)?.size !== 0);
  }

  async #beginDue(app: AppContext, shard: number): Promise<void> {
    const { begun = new Set<number>(), at = -Infinity } = this.#schedules.get(shard) ?? {};
    const now = app.clock().getTime();
    if (Math.abs(now - at) < SCHEDULE_LOOK_MS) return;

    this.#schedules.set(shard, { begun: await beginDueJobs(app, shard, begun), at: now });
  }

  async #checkShard(app: AppContext, shard: number, stopping?: AbortSignal): Promise<void> {
    await this.#beginDue(app, shard);
    const limit = pLimit(AT_ONCE);
    const before = this.#shards.get(shard);
    const left = new Map<string, Left>();
    let pageState: string | undefined;
    do {
      const read = await jobsIn(app, shard, pageState);
      await limit.map(read.rows, async (job) => {
        const name = nameOf(job);
        const seen = before?.get(name) ?? { kind: job.kind, since: app.clock().getTime(), failures: 0, notBefore: 0 };
        const still = stopping?.aborted ? seen : await this.#giveTurn(app, job, seen, stopping);
        if (still) left.set(name, still);
      });
      ({ pageState } = read);
    } while (pageState !== undefined && !stopping?.aborted && (await this.#lease.keep(app)));
    this.#shards.set(shard, left);
  }

  /**
   * Continues a job if it is due.
   * @returns the job's state for the next check; `undefined` when it is finished
   */
  async #giveTurn(app: AppContext, job: Job, seen: Left, stopping?: AbortSignal): Promise<Left | undefined> {
    const { subject, kind, begun_at } = job;
    const now = app.clock().getTime();
    if (now - Math.min(begun_at.getTime(), seen.since) <= LEFT_AFTER_MS || now < seen.notBefore) return seen;

    try {
      if (!app.jobHandlers[kind]) throw new Error(`This server has no handler for jobs of the kind ${kind}`);
      const isTime = turnOf(app, TURN_MS);
      const isDone = await doJob(app, job, async () => isTime() && !stopping?.aborted && this.#lease.keep(app));
      return isDone ? undefined : { ...seen, failures: 0, notBefore: 0 };
    } catch (error) {
      const failures = seen.failures + 1;
      const waitMs = waitAfter(failures);
      app.logger.error({ err: error, kind, subject, failures, waitMs }, 'a job failed; it is retried');
      return { ...seen, failures, notBefore: app.clock().getTime() + waitMs };
    }
  }

  #updateMetrics(): void {
    unfinished.reset();
    failing.reset();
    for (const shard of this.#shards.values()) {
      for (const { kind, failures } of shard.values()) {
        unfinished.inc({ kind });
        if (failures > 0) failing.inc({ kind });
      }
    }
  }
}
