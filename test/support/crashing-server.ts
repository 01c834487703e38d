import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { setInterval } from 'node:timers';
import { appContext } from '../../src/app/app-context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { readConfig } from '../../src/config/config.ts';
import { createServer } from '../../src/http/server.ts';
import { doJob } from '../../src/jobs/operations.ts';
import { transactionLog } from '../../src/transactions/log.ts';

/**
 * The real server with its heartbeat, but without its other workers. A request with the header
 * `crash-at` proceeds only to that crash point, and reports that on a separate line. So each of
 * many requests has reached its point when the test kills the server. A request with `stop-at`
 * stops the whole process there, like a long pause of its machine. The server's clock may be ahead,
 * by `CLOCK_AHEAD_MS`.
 */

interface Fate {
  readonly crashAt: string | undefined;
  readonly stopAt: string | undefined;
  isHalted: boolean;
  /** The time at which the clock stands still for a request, in milliseconds. */
  readonly stillAt: number | undefined;
}

const fates = new AsyncLocalStorage<Fate>();
const never = new Promise<void>(() => undefined);

const config = readConfig(process.env);
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const app = appContext({
  config,
  cassandra: await connectCassandra(config.cassandra),
  logger: makeLogger(config.log.level),
  clock: () => new Date((fates.getStore()?.stillAt ?? Date.now()) + aheadMs),
  atCrashPoint: (name) => {
    const fate = fates.getStore();
    if (!fate) return undefined;

    if (name === fate.stopAt) process.kill(process.pid, 'SIGSTOP');
    if (name === fate.crashAt) {
      fate.isHalted = true;
      console.log(`halted ${name}`);
    }
    // No part of a halted request continues, not even its parallel steps.
    return fate.isHalted ? never : undefined;
  },
});
const server = await createServer(app);
setInterval(() => {
  transactionLog(app)
    .beat(app)
    .catch(() => undefined);
}, 1_000);
server.addHook('preHandler', ({ headers }, _reply, done) => {
  const [crashAt, stopAt] = ['crash-at', 'stop-at'].map((name) => headers[name]?.toString());
  // A request does the pages of a job for a few seconds only, in which a busy machine may not reach
  // the page at which the server is to die.
  const stillAt = crashAt?.includes(': after page ') ? Date.now() : undefined;
  fates.run({ crashAt, stopAt, isHalted: false, stillAt }, done);
});

// Runs the first page of a job that no request runs.
server.post<{ Body: { subject: string; kind: string } }>('/jobs', async ({ body }) => {
  const job = { ...body, cause: '', begun_at: app.clock(), position: null, pages_done: null };
  await doJob(app, job, () => false);
});

// Node otherwise keeps the compile cache only when a process ends normally.
flushCompileCache();
const url = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(`POST ${url}/graphql ready;`);
