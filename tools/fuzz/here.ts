import { appContext } from '../../src/app/app-context.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { connectCassandra } from '../../src/cassandra/client.ts';
import { migrate } from '../../src/schema/migrate.ts';
import { readConfig } from '../../src/config/config.ts';
import { createServer } from '../../src/http/server.ts';
import type { ServerHere } from './world.ts';

/**
 * Starts a server in this process, without its workers, so that the statements of each request can
 * be seen.
 */
export async function startHere(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServerHere & { stop: () => Promise<void> }> {
  const config = readConfig(environment);
  await migrate(config.cassandra, () => undefined);
  const cassandra = await connectCassandra(config.cassandra);
  const app = appContext({ config, cassandra, logger: makeLogger(config.log.level) });
  const server = await createServer(app);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await server.close();
    await cassandra.client.shutdown();
  };
  return { url, app, stop };
}
