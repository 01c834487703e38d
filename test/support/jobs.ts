import type { AppContext } from '../../src/context/context.ts';
import { doJob, JOB_SHARDS, jobsIn } from '../../src/jobs/operations.ts';

/** Does all unfinished jobs, as the workers would do them some seconds later. */
export async function doAllJobs(app: AppContext): Promise<void> {
  for (let shard = 0; shard < JOB_SHARDS; shard++)
    for (const job of (await jobsIn(app, shard)).rows) await doJob(app, job, () => true);
}
