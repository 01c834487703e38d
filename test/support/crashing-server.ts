import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { setInterval } from 'node:timers';
import { appContext } from '../../src/app/app-context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { readConfig } from '../../src/config/config.ts';
import { createServer } from '../../src/http/server.ts';
import { transactionLog } from '../../src/transactions/log.ts';

/**
 * The real server, whose heart beats, without its other workers. A request with the header `crash-at` goes as far as that crash point and no step
 * further, and says so on a line of its own: so each of many is where it is to be when the test kills the server. One with
 * `stop-at` stops the whole process there, as by a long pause of its machine.
 */

interface Fate {
  readonly crashAt: string | undefined;
  readonly stopAt: string | undefined;
  isHalted: boolean;
}

const fates = new AsyncLocalStorage<Fate>();
const never = new Promise<void>(() => undefined);

const config = readConfig(process.env);
const app = appContext({
  config,
  cassandra: await connectCassandra(config.cassandra),
  logger: makeLogger(config.logLevel),
  atCrashPoint: (name) => {
    const fate = fates.getStore();
    if (!fate) return undefined;

    if (name === fate.stopAt) process.kill(process.pid, 'SIGSTOP');
    if (name === fate.crashAt) {
      fate.isHalted = true;
      console.log(`halted ${name}`);
    }
    // Nothing of a dead request goes on, its other steps neither.
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
  fates.run({ crashAt, stopAt, isHalted: false }, done);
});

// Else it is only kept when a process ends by itself.
flushCompileCache();
const url = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(`POST ${url}/graphql ready;`);
