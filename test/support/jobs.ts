import type { AppContext } from '../../src/context/context.ts';
import { doJob, JOB_SHARDS, jobsIn } from '../../src/jobs/operations.ts';

/**
 * Runs all unfinished jobs and the jobs that they begin, as the workers would do some seconds
 * later.
 */
export async function doAllJobs(app: AppContext): Promise<void> {
  for (let isAnyDone = true; isAnyDone;) {
    isAnyDone = false;
    for (let shard = 0; shard < JOB_SHARDS; shard++)
      for (const job of (await jobsIn(app, shard)).rows) if (await doJob(app, job, () => true)) isAnyDone = true;
  }
}
