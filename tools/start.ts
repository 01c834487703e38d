import type { FastifyInstance } from 'fastify';
import type { Config } from '../src/config/config.ts';
import type { AppContext } from '../src/context/context.ts';
import { serve, type Part } from '../src/serve.ts';
import { say } from '../src/terminal/progress.ts';
import { launchCassandra } from './launch/launch.ts';
import { PLACES } from './places.ts';
import { importSampleData, yieldingLimit } from './sample/sample-data.ts';
import { makeSampleLogins, SAMPLE_LOGINS, SAMPLE_PASSWORD } from './sample/sample-readers.ts';

/** `npm start`: starts an API from a bare checkout. */

await serve({ prepare, fill });

/** Launches a Cassandra, unless the settings name one. */
async function prepare(given: Config, started: Part[]): Promise<Config> {
  const launching = launchCassandra(given.cassandra.contactPoints, PLACES, say);
  // The part is registered before it has started, so that an interrupted start leaves nothing
  // behind.
  started.push({
    what: 'Cassandra',
    end: () =>
      launching.then(
        ({ stop }) => stop(),
        () => undefined,
      ),
  });
  const { contactPoints } = await launching;
  return { ...given, cassandra: { ...given.cassandra, contactPoints } };
}

/**
 * Begins to import the sample data, and makes the readers to log in as. It returns when the most
 * popular books are imported; the others follow while the API answers. The next start continues an
 * interrupted import.
 */
async function fill(app: AppContext, server: FastifyInstance, started: Part[]): Promise<void> {
  if (!app.config.sampleData) return;
  const stopping = new AbortController();
  const { firstBooks, all } = importSampleData(app, yieldingLimit(server), stopping.signal);
  started.push({
    what: 'the import of the sample data',
    end: () => {
      stopping.abort();
      return all.catch(() => undefined);
    },
  });
  all.catch((error: unknown) => {
    if (!stopping.signal.aborted)
      say(`The sample data is not complete; the next start continues with it. ${String(error)}`);
  });
  await Promise.all([makeSampleLogins(app), firstBooks.catch(() => undefined)]);
  say(`Readers to log in as, with the password ${JSON.stringify(SAMPLE_PASSWORD)}:`);
  for (const { email, life } of SAMPLE_LOGINS) say(`  ${email.padEnd(20)} ${life}`);
}
