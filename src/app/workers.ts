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
import { blocks } from '../moderation/aggregate.ts';
import { reports } from '../moderation/reports.ts';
import { measure } from '../measurements/measurements.worker.ts';
import { PERIOD_MS } from '../measurements/series.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { lookAtTopology } from '../trust/topology.worker.ts';
import { everyAudit } from './audits.ts';
import { eraseSome } from './personal-data.ts';

/** Every kind of transaction, so that any server can finish what any other began. */
export const transactionKinds = [
  ...[accounts, books, sessions, likes, readings, listings, blocks, reports].map(({ transaction }) => transaction),
  clickRecording,
] as unknown as TransactionKinds;

/** Every kind of job, and who does it. */
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

/** A run takes no input, may be repeated at any time, and does not retry by itself. */
interface Worker {
  readonly name: string;
  readonly periodMs: number;
  /** @param stopping the process is about to end, and waits for the run: one that takes long ends where it can */
  readonly run: (app: AppContext, stopping: AbortSignal) => Promise<void>;
}

/** What watches over whether this process may be trusted to change anything. */
const watchers: readonly Worker[] = [
  { name: 'clock', periodMs: 1_000, run: compareClock },
  { name: 'topology', periodMs: 30_000, run: lookAtTopology },
];

/** That this server lives. It goes on also while it may change nothing. */
const heartbeat: Worker = { name: 'heartbeat', periodMs: 1_000, run: beat };

/** What runs beside the requests, while this server may be trusted. */
const workers: readonly Worker[] = [
  {
    name: 'transaction recovery',
    periodMs: 1_000,
    // It goes on while the next run looks around, which must not wait for what times out.
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

/** What a server does beside the requests; docs/operations.md says what each sends when nothing happens. */
export const everyWorker: readonly Worker[] = [...watchers, heartbeat, ...workers];

/**
 * Watches whether this process may be trusted to change anything. It is known when this returns.
 * @returns ends it, waiting for the runs under way
 */
async function startWatching(app: AppContext): Promise<() => Promise<void>> {
  for (const { run } of watchers) await run(app, new AbortController().signal);
  return runForever(app, watchers);
}

/**
 * Starts the workers. The heart beats before the first request is answered, so that its transactions need not wait for that.
 * @returns ends them, waiting for the runs under way; to be called when no request is under way any more
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
 * Starts what a tool needs beside its work: to know whether it may be trusted, and a heart once it has logged something.
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
