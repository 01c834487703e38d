import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../accounts/aggregate.ts';
import { books } from '../catalogue/aggregate.ts';
import { clickRecording } from '../clicks/recording.ts';
import { countGenres } from '../catalogue/genres.ts';
import type { AppContext } from '../context/context.ts';
import { auditSomeLikes } from '../likes/audit.worker.ts';
import { likes } from '../likes/aggregate.ts';
import { listings, retitleSomeCopies } from '../market/aggregate.ts';
import { readings, relistSomeReadings } from '../reading/aggregate.ts';
import { sessions } from '../sessions/aggregate.ts';
import { doJobs } from '../jobs/jobs.worker.ts';
import { inTurn } from '../jobs/operations.ts';
import type { TransactionKinds } from '../transactions/operations.ts';
import { recoverTransactions, retryDeadLetters } from '../transactions/recovery.worker.ts';
import { requestCosts } from '../throttling/request-costs.ts';
import { rollUp } from '../events/rollup.ts';
import { projectSomeLikes, retitleSomeLikes, retitleSomeLikesOfCopies } from '../likes/repair.ts';
import { measure } from '../measurements/measurements.worker.ts';
import { PERIOD_MS } from '../measurements/series.ts';
import { eraseSome } from './personal-data.ts';

/** Every kind of transaction, so that any server can finish what any other began. */
export const transactionKinds = [
  ...[accounts, books, sessions, likes, readings, listings].map(({ transaction }) => transaction),
  clickRecording,
] as unknown as TransactionKinds;

/** Every kind of job, and who does it. */
export const jobHandlers = {
  RENAME: projectSomeLikes,
  AUDIENCE: projectSomeLikes,
  RETITLE: inTurn([
    { name: 'likes', work: retitleSomeLikes },
    { name: 'copies', work: retitleSomeCopies },
    { name: 'likes-of-copies', work: retitleSomeLikesOfCopies },
  ]),
  RELIST: relistSomeReadings,
  ERASE: eraseSome,
};

/** What runs beside the requests. A run takes no input, may be repeated at any time, and does not retry by itself. */
const workers: readonly { name: string; periodMs: number; run: (app: AppContext) => Promise<void> }[] = [
  { name: 'transaction recovery', periodMs: 1_000, run: (app) => recoverTransactions(app, transactionKinds) },
  { name: 'transaction dead letters', periodMs: 60_000, run: (app) => retryDeadLetters(app, transactionKinds) },
  { name: 'jobs', periodMs: 1_000, run: doJobs },
  { name: 'request costs', periodMs: 1_000, run: (app) => requestCosts(app).exchange(app) },
  { name: 'event roll-up', periodMs: 1_000, run: (app) => rollUp(app).run(app) },
  { name: 'genre counts', periodMs: 1_000, run: countGenres },
  { name: 'measurements', periodMs: PERIOD_MS, run: measure },
  { name: 'like audit', periodMs: 1_000, run: auditSomeLikes },
];

/**
 * Starts the workers. The recovery runs once before the first request is answered, and remembers from which bucket of the log
 * on it has to look.
 * @returns ends them, waiting for the runs under way
 */
export async function startWorkers(app: AppContext): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  await recoverTransactions(app, transactionKinds);
  const loops = workers.map(async ({ name, periodMs, run }) => {
    for (;;) {
      await sleep(periodMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await run(app);
      } catch (error) {
        app.logger.error({ err: error, worker: name }, 'a worker failed; it goes on with its next run');
      }
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(loops);
  };
}
