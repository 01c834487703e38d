import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../accounts/aggregate.ts';
import { expireAccount } from '../accounts/email-verification.ts';
import { books } from '../catalogue/aggregate.ts';
import { compareClock } from '../clocks/clock.worker.ts';
import { clickRecording } from '../clicks/recording.ts';
import { countGenres } from '../catalogue/genres.ts';
import type { AppContext } from '../context/context.ts';
import { auditShare } from '../audit/audit.worker.ts';
import { likes } from '../likes/aggregate.ts';
import { listings, projectSomeCopies, retitleSomeCopies } from '../market/aggregate.ts';
import { readings, relistSomeReadings } from '../reading/aggregate.ts';
import { sessions } from '../sessions/aggregate.ts';
import { doJobs } from '../jobs/jobs.worker.ts';
import { inTurn } from '../jobs/operations.ts';
import type { TransactionKinds } from '../transactions/operations.ts';
import { beat, closeLog, keepLog, recoverTransactions, retryDeadLetters } from '../transactions/recovery.worker.ts';
import { requestCosts } from '../throttling/request-costs.ts';
import { rollUp } from '../events/rollup.ts';
import { projectSomeLikes, retitleSomeLikesOf, retitleSomeLikesOfCopies } from '../likes/repair.ts';
import { mergeLikesOf } from '../likes/merge.ts';
import { sumUpLikesOf } from '../likes/sum-up.ts';
import { blocks } from '../blocks/aggregate.ts';
import { reports } from '../reports/aggregate.ts';
import { measure } from '../measurements/measurements.worker.ts';
import { PERIOD_MS } from '../measurements/series.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { lookAtTopology } from '../trust/topology.worker.ts';
import { everyAudit } from './audits.ts';
import { eraseSome } from './personal-data.ts';

/** All kinds of transactions, so that each server can finish those of any other. */
export const transactionKinds = [
  ...[accounts, books, sessions, likes, readings, listings, blocks, reports].map(({ transaction }) => transaction),
  clickRecording,
] as unknown as TransactionKinds;

/** The handler of each kind of job. */
export const jobHandlers = {
  RENAME: projectSomeLikes,
  AUDIENCE: projectSomeLikes,
  SUSPENSION: inTurn([
    { name: 'likes', work: projectSomeLikes },
    { name: 'copies', work: projectSomeCopies },
  ]),
  RETITLE: inTurn([
    { name: 'likes', work: retitleSomeLikesOf('Book') },
    { name: 'copies', work: retitleSomeCopies },
    { name: 'likes-of-copies', work: retitleSomeLikesOfCopies },
  ]),
  RETITLE_COPY: retitleSomeLikesOf('Item'),
  SUM_UP: sumUpLikesOf('Book'),
  SUM_UP_COPY: sumUpLikesOf('Item'),
  MERGE: mergeLikesOf('Book'),
  MERGE_COPY: mergeLikesOf('Item'),
  RELIST: relistSomeReadings,
  ERASE: eraseSome,
  EXPIRE: expireAccount,
};

/** A worker. A run can be repeated at any time and does not retry by itself. */
interface Worker {
  readonly name: string;
  readonly periodMs: number;
  /**
   * @param stopping aborted when the process is about to end and waits for the run; a long run then
   *   ends early
   */
  readonly run: (app: AppContext, stopping: AbortSignal) => Promise<void>;
}

/** The workers that decide if this process may be trusted to change anything. */
const watchers: readonly Worker[] = [
  { name: 'clock', periodMs: 1_000, run: compareClock },
  { name: 'topology', periodMs: 30_000, run: lookAtTopology },
];

/** The sign of life of this server. It goes on while the server may not change anything. */
const heartbeat: Worker = { name: 'heartbeat', periodMs: 1_000, run: beat };

/** The workers that run while this server may be trusted. */
const workers: readonly Worker[] = [
  {
    name: 'transaction recovery',
    periodMs: 1_000,
    // A recovery may wait for timeouts. The next run must not wait for it.
    run: async (app) => void (await recoverTransactions(app, transactionKinds)),
  },
  { name: 'transaction dead letters', periodMs: 60_000, run: (app) => retryDeadLetters(app, transactionKinds) },
  { name: 'jobs', periodMs: 1_000, run: doJobs },
  { name: 'request costs', periodMs: 1_000, run: (app) => requestCosts(app).exchange(app) },
  { name: 'event roll-up', periodMs: 1_000, run: (app) => rollUp(app).run(app) },
  { name: 'genre counts', periodMs: 3_000, run: countGenres },
  { name: 'measurements', periodMs: PERIOD_MS, run: measure },
  { name: 'audit', periodMs: 1_000, run: (app, stopping) => auditShare(app).run(app, everyAudit, stopping) },
];

/** All workers of a server. docs/operations.md has the statements of each while nothing happens. */
export const everyWorker: readonly Worker[] = [...watchers, heartbeat, ...workers];

/**
 * Starts the watchers and waits for their first result.
 * @returns a function that stops them and waits for the runs under way
 */
async function startWatching(app: AppContext): Promise<() => Promise<void>> {
  for (const { run } of watchers) await run(app, new AbortController().signal);
  return runForever(app, watchers);
}

/**
 * Starts the workers. The heart beats before the first request is answered, so that its
 * transactions need not wait for that.
 * @returns ends them, waiting for the runs under way; to be called when no request is under way any
 *   more
 */
export async function startWorkers(app: AppContext): Promise<() => Promise<void>> {
  const stopWatching = await startWatching(app);
  await beat(app);
  const stopBeating = runForever(app, [heartbeat]);
  const stopWorking = runForever(
    app,
    workers.map(({ run, ...worker }) => ({
      ...worker,
      run: async (_app: AppContext, stopping: AbortSignal) => {
        if (whyUntrusted(app) === undefined) await run(app, stopping);
      },
    })),
  );
  return async () => {
    await Promise.all([stopWatching(), stopBeating(), stopWorking()]);
    await closeLog(app);
  };
}

/**
 * Starts what a tool needs beside its work: to know whether it may be trusted, and a heart once it
 * has logged something.
 * @returns ends it
 */
export async function startForTool(app: AppContext): Promise<() => Promise<void>> {
  const stopWatching = await startWatching(app);
  const stopBeating = runForever(app, [{ ...heartbeat, run: keepLog }]);
  return async () => {
    await Promise.all([stopWatching(), stopBeating()]);
    await closeLog(app);
  };
}

/** Runs workers, each in its period. */
function runForever(app: AppContext, all: readonly Worker[]): () => Promise<void> {
  const stopping = new AbortController();
  const loops = all.map(async ({ name, periodMs, run }) => {
    for (;;) {
      await sleep(periodMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await run(app, stopping.signal);
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
