import { Gauge } from 'prom-client';
import { shardsInTurn } from '../cassandra/shards.ts';
import type { AppContext } from '../context/context.ts';
import { doJob, JOB_SHARDS, jobsIn } from './operations.ts';

/** Each job gets a turn of so long, so that a long one does not hold up the others. */
const TURN_MS = 2_000;
/** Who asked for it does some of it at once; a job is left to the workers when it is older. */
const LEFT_AFTER_MS = 6_000;

const unfinished = new Gauge({
  name: 'jobs_unfinished',
  help: 'Renames and erasures of accounts, and new titles of books, that were not finished when they were last looked at',
  labelNames: ['kind'],
});

/** Goes on with every job that is left. Each server begins at a shard of its own choice; two may do the same work. */
export async function doJobs(app: AppContext): Promise<void> {
  const left = new Map(Object.keys(app.jobHandlers).map((kind) => [kind, 0]));
  for (const shard of shardsInTurn(app, JOB_SHARDS)) {
    for (const job of await jobsIn(app, shard)) {
      const isLeft = app.clock().getTime() - job.begun_at.getTime() > LEFT_AFTER_MS;
      if (!isLeft || !(await doJob(app, job, TURN_MS))) left.set(job.kind, (left.get(job.kind) ?? 0) + 1);
    }
  }
  for (const [kind, count] of left) unfinished.set({ kind }, count);
}
