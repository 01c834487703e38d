import { flushCompileCache } from 'node:module';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { readConfig } from '../../src/config/config.ts';

import { makeLogger } from '../../src/app/logger.ts';
import { createServer } from '../../src/http/server.ts';
import { appContext } from '../../src/app/app-context.ts';

/**
 * The real server without its workers. It dies as by kill -9 when it comes to the crash point CRASH_AT, and is stopped,
 * as by a long pause of its machine, when it comes to STOP_AT.
 */

const config = readConfig(process.env);
const server = await createServer(
  appContext({
    config,
    cassandra: await connectCassandra(config.cassandra),
    logger: makeLogger(config.logLevel),
    atCrashPoint: (name) => {
      if (name === process.env['CRASH_AT']) process.kill(process.pid, 'SIGKILL');
      if (name === process.env['STOP_AT']) process.kill(process.pid, 'SIGSTOP');
    },
  }),
);
// Else it is only kept when a process ends by itself.
flushCompileCache();
const url = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(`POST ${url}/graphql ready;`);
