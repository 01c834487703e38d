import { connectCassandra } from '../src/cassandra/client.ts';
import { launchCassandra } from './launch/launch.ts';
import { readConfig, type Config } from '../src/config/config.ts';
import type { AppContext } from '../src/context/context.ts';
import { makeLogger } from '../src/app/logger.ts';
import { prepareSchema } from '../src/app/migrations.ts';
import { PLACES } from './places.ts';
import { say, type Log } from '../src/terminal/progress.ts';
import { appContext } from '../src/app/app-context.ts';
import { startForTool } from '../src/app/workers.ts';

/**
 * Runs a tool on the Cassandra that the settings name, or on one that is started for it and ended
 * afterwards.
 * @param work returns the exit code
 * @param log called with a description of the started process
 */
export const withApp = (work: (app: AppContext) => Promise<number>, log: Log = say): Promise<void> =>
  withCassandra(async (config) => {
    await prepareSchema(config, log);
    return withAppOf(config, work);
  }, log);

/** Runs a tool on a Cassandra that has the schema. */
export async function withAppOf<Result>(config: Config, work: (app: AppContext) => Promise<Result>): Promise<Result> {
  const cassandra = await connectCassandra(config.cassandra);
  try {
    const app = appContext({ config, cassandra, logger: makeLogger(config.log.level) });
    const stop = await startForTool(app);
    try {
      return await work(app);
    } finally {
      await stop();
    }
  } finally {
    await cassandra.client.shutdown();
  }
}

/** Does the same without a check of the schema, for a tool that needs none or changes it. */
export async function withCassandra(work: (config: Config) => Promise<number>, log: Log = say): Promise<void> {
  try {
    const given = readConfig(process.env);
    const running = await launchCassandra(given.cassandra.contactPoints, PLACES, log);
    try {
      process.exitCode = await work({
        ...given,
        cassandra: { ...given.cassandra, contactPoints: running.contactPoints },
      });
    } finally {
      await running.stop();
    }
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
