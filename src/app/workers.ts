import { setTimeout as sleep } from 'node:timers/promises';
import type { Audit } from '../audit/audit.ts';
import { auditShare } from '../audit/audit.worker.ts';
import { readChanges } from '../changes/operations.ts';
import { compareClock, checkTopology } from '../trust/trust.worker.ts';
import type { AppContext } from '../context/context.ts';
import type { NodeTypes } from '../feature/node-types.ts';
import type { Worker } from '../feature/feature.ts';
import { doJobs, endJobs } from '../jobs/jobs.worker.ts';
import { features } from '../features.ts';
import type { TransactionKinds } from '../transactions/operations.ts';
import {
  sendHeartbeat,
  closeLog,
  keepLog,
  recoverTransactions,
  retryDeadLetters,
} from '../transactions/recovery.worker.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { handlersOf } from './job-handlers.ts';
import { eraseSome } from './personal-data.ts';

/** All kinds of transactions, so that each server can finish the transactions of any other. */
export const transactionKinds: TransactionKinds = features.flatMap(({ transactions = [] }) => transactions);

/** All audits. docs/architecture.md explains them, and lists the tables without an audit. */
export const everyAudit: readonly Audit[] = features.flatMap(({ audits = [] }) => audits);

/** All types of objects with an id. */
export const nodeTypes = Object.assign({}, ...features.map((feature) => feature.nodeTypes)) as NodeTypes;

/** The functions that are told of news. */
export const newsListeners = features.flatMap(({ onNews = [] }) => onNews);

/** The handler of each kind of job. */
export const jobHandlers = { ...handlersOf(features), ERASE: eraseSome };

/** The workers that decide whether this process may change anything. */
const watchers: readonly Worker[] = [
  { name: 'clock', periodMs: 1_000, run: compareClock },
  { name: 'topology', periodMs: 30_000, run: checkTopology },
];

/** The heartbeat of this server. It continues while the server may not change anything. */
const heartbeat: Worker = { name: 'heartbeat', periodMs: 1_000, run: sendHeartbeat };

/** The workers that run while this server may be trusted. */
const workers: readonly Worker[] = [
  {
    name: 'transaction recovery',
    periodMs: 1_000,
    // A recovery may wait for timeouts. The next run must not wait for it.
    run: async (app) => void (await recoverTransactions(app, transactionKinds)),
  },
  // A later release may be able to finish a transaction that its predecessor could not.
  {
    name: 'transaction dead letters',
    periodMs: 60_000,
    isAtStart: true,
    run: (app) => retryDeadLetters(app, transactionKinds),
  },
  { name: 'changes', periodMs: 500, run: readChanges },
  { name: 'jobs', periodMs: 1_000, run: doJobs, end: endJobs },
  ...features.flatMap((feature) => feature.workers ?? []),
  { name: 'audit', periodMs: 1_000, run: (app, stopping) => auditShare(app).run(app, everyAudit, stopping) },
];

/** All workers of a server. docs/operations.md has the statements of each while nothing happens. */
export const everyWorker: readonly Worker[] = [...watchers, heartbeat, ...workers];

/**
 * Starts the watchers and waits for their first result.
 * @returns a function that stops them and waits for the runs in progress
 */
async function startWatching(app: AppContext): Promise<() => Promise<void>> {
  for (const { run } of watchers) await run(app, new AbortController().signal);
  return runForever(app, watchers);
}

/**
 * Starts the workers. The heartbeat begins before the first request is answered, so that no
 * transaction has to wait for the first beat.
 * @returns a function that stops them and waits for the runs in progress. Call it when no request
 * is in progress
 */
export async function startWorkers(app: AppContext): Promise<() => Promise<void>> {
  const stopWatching = await startWatching(app);
  await sendHeartbeat(app);
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
 * Starts the workers that a tool needs: the watchers, and the heartbeat once it has logged a
 * transaction.
 * @returns a function that stops them
 */
export async function startForTool(app: AppContext): Promise<() => Promise<void>> {
  const stopWatching = await startWatching(app);
  const stopBeating = runForever(app, [{ ...heartbeat, run: keepLog }]);
  return async () => {
    await Promise.all([stopWatching(), stopBeating()]);
    await closeLog(app);
  };
}

/**
 * Runs workers, each in its period.
 * @returns a function that stops them, waits for the runs in progress and releases their leases
 */
function runForever(app: AppContext, all: readonly Worker[]): () => Promise<void> {
  const stopping = new AbortController();
  const loops = all.map(async ({ name, periodMs, isAtStart, run }) => {
    for (let waitMs = isAtStart ? 0 : periodMs; ; waitMs = periodMs) {
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await run(app, stopping.signal);
      } catch (error) {
        app.logger.error({ err: error, worker: name }, 'a worker failed; its next run continues');
      }
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(loops);
    await Promise.all(
      all.map(async ({ name, end }) => {
        // A lease that is not released expires.
        await end?.(app).catch((error: unknown) => {
          app.logger.warn({ err: error, worker: name }, 'a worker could not give its lease back');
        });
      }),
    );
  };
}
