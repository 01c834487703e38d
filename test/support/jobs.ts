import type { AppContext } from '../../src/context/context.ts';
import { doJob, JOB_SHARDS, jobsIn } from '../../src/jobs/operations.ts';

/**
 * Does all unfinished jobs and those that they begin, as the workers would do them some seconds
 * later.
 */
export async function doAllJobs(app: AppContext): Promise<void> {
  for (let isAnyDone = true; isAnyDone;) {
    isAnyDone = false;
    for (let shard = 0; shard < JOB_SHARDS; shard++)
      for (const job of (await jobsIn(app, shard)).rows) if (await doJob(app, job, () => true)) isAnyDone = true;
  }
}
