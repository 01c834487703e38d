import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { connectCassandra } from './cassandra/client.ts';
import { launchCassandra } from './launch/launch.ts';
import { readConfig, renewSecrets } from './config/config.ts';
import type { AppContext } from './context/context.ts';
import { makeLogger } from './app/logger.ts';
import { prepareSchema } from './app/migrations.ts';
import { PLACES, SECRET } from './app/places.ts';
import { whenNpmEnds } from './terminal/npm.ts';
import { say } from './terminal/progress.ts';
import { importSampleData, yieldingLimit } from './app/sample-data.ts';
import { makeSampleLogins, SAMPLE_LOGINS, SAMPLE_PASSWORD } from './app/sample-readers.ts';
import { beginEnding } from './http/health.ts';
import { createMetricsServer } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { isWebClientBuilt, WEB_CLIENT_FOLDER } from './http/web-client.ts';
import { startWorkers } from './app/workers.ts';
import { appContext } from './app/app-context.ts';

/** `npm start`: from a bare checkout to an API that answers. */

/** The started parts, which are ended in reverse order. */
const started: { what: string; end: () => Promise<unknown> }[] = [];
let ending: Promise<void> | undefined;
/** Set when this server answers requests. */
let serving: AppContext | undefined;
/** The time for ending everything, after which the process exits all the same. */
const END_MS = 20_000;
const drained = new AbortController();

function end(exitCode: number): Promise<void> {
  ending ??= (async () => {
    let current = 'the start';
    setTimeout(() => {
      say(`${current} did not end within ${END_MS / 1_000} s; other servers finish what is under way`);
      process.exit(1);
    }, END_MS).unref();
    for (const { what, end: endIt } of started.toReversed()) {
      current = what;
      await endIt().catch((error: unknown) => {
        say(`${what} could not be ended cleanly: ${String(error)}`);
      });
    }
    process.exit(exitCode);
  })();
  return ending;
}

/** Lets load balancers notice that this server is about to end, while it goes on answering. */
async function drain(): Promise<void> {
  const drainMs = serving?.config.http.drainMs ?? 0;
  if (!serving || drainMs === 0) return;
  beginEnding(serving);
  say(
    `this server goes on answering for ${drainMs / 1_000} s, so that load balancers notice; a second signal ends it now`,
  );
  await sleep(drainMs, undefined, { signal: drained.signal }).catch(() => undefined);
}

async function main(): Promise<void> {
  const given = readConfig(process.env);
  const logger = makeLogger(given.log.level);
  for (const warning of given.warnings) logger.warn(warning);
  let draining: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (draining) drained.abort();
      else say(`${signal}: stopping everything that was started`);
      draining ??= drain().then(() => end(0));
    });
  }
  whenNpmEnds(() => void end(1));

  const launching = launchCassandra(given.cassandra.contactPoints, PLACES, say);
  // It is pushed before it has started, so that an interrupted start leaves nothing behind.
  started.push({
    what: 'Cassandra',
    end: () =>
      launching.then(
        ({ stop }) => stop(),
        () => undefined,
      ),
  });
  const running = await launching;
  const isSecretGiven = given.accessTokens.secrets.length > 0;
  const config = {
    ...given,
    cassandra: { ...given.cassandra, contactPoints: running.contactPoints },
    accessTokens: isSecretGiven ? given.accessTokens : { ...given.accessTokens, secrets: [await developmentSecret()] },
  };
  await prepareSchema(config, say);
  const cassandra = await connectCassandra(config.cassandra);
  started.push({ what: 'the connection to Cassandra', end: () => cassandra.client.shutdown() });

  const app = appContext({ config, cassandra, logger });
  renewSecretsOnHangup(app);
  const metrics = createMetricsServer(app);
  started.push({ what: 'the metrics', end: () => metrics.close() });
  started.push({ what: 'the workers', end: await startWorkers(app) });
  const server = await createServer(app);
  if (config.sampleData) await beginSampleData(app, server);
  started.push({ what: 'the HTTP server', end: () => server.close() });
  const address = await listen(server, config.http.host, config.http.port, 'PORT');
  const metricsAddress =
    config.metricsPort === undefined
      ? undefined
      : await listen(metrics, config.http.host, config.metricsPort, 'METRICS_PORT');
  serving = app;

  say(`Cassandra (${running.kind})  ${running.contactPoints.join(',')}  keyspace ${config.cassandra.keyspace}`);
  say(`API       POST ${address}/graphql`);
  if (metricsAddress !== undefined) say(`Metrics   ${metricsAddress}/metrics`);
  if (!config.production) say(`GraphiQL  ${address}/graphiql`);
  if (config.webClient)
    say(`Web page  ${(await isWebClientBuilt(WEB_CLIENT_FOLDER)) ? `${address}/app` : 'npm run web builds it'}`);
  if (config.mail.folder !== undefined) say(`Mails     ${address}/mails`);
  if (config.sampleData) {
    say(`Readers to log in as, with the password ${JSON.stringify(SAMPLE_PASSWORD)}:`);
    for (const { email, life } of SAMPLE_LOGINS) say(`  ${email.padEnd(20)} ${life}`);
  }
  if (!isSecretGiven) say(`ACCESS_TOKEN_SECRET is not set: tokens are signed with a development secret, ${SECRET}`);
  say('ready; Ctrl-C ends everything');
}

/** A supervisor sends SIGHUP when it has written a new secret or certificate. */
function renewSecretsOnHangup({ config, logger }: AppContext): void {
  // A terminal that closes sends it as well, and should end what runs in it.
  if (!config.production) return;
  process.on('SIGHUP', () => {
    try {
      renewSecrets(config, process.env);
      logger.info('secrets and certificates were read again');
    } catch (error) {
      logger.error({ err: error }, 'secrets and certificates cannot be read again; the former ones stay in use');
    }
  });
}

/** Makes the secret once, so that readers stay logged in after a restart. */
async function developmentSecret(): Promise<string> {
  await mkdir(dirname(SECRET), { recursive: true });
  const made = randomBytes(48).toString('base64');
  // If two servers start together, one of them makes it.
  await writeFile(SECRET, made, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return readFile(SECRET, 'utf8');
}

/** @param setting the name of the setting with the port */
async function listen(server: FastifyInstance, host: string, port: number, setting: string): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} of ${host} is taken. Stop the process that uses it, or set ${setting} to another.`, {
      cause: error,
    });
  }
}

/**
 * Begins to import the sample data, and makes the readers to log in as. It returns when the most
 * popular books are imported; the others follow while the API answers. The next start goes on where
 * an end interrupted it.
 */
async function beginSampleData(app: AppContext, server: FastifyInstance): Promise<void> {
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
    if (!ending) say(`The sample data is not complete; the next start continues with it. ${String(error)}`);
  });
  await Promise.all([makeSampleLogins(app), firstBooks.catch(() => undefined)]);
}

try {
  await main();
} catch (error) {
  // Errors that come from the end itself are not reported.
  if (!ending) say(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  await end(1);
}
