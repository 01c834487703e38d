import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { loadPasskeys } from './accounts/webauthn.ts';
import { connectCassandra } from './cassandra/client.ts';
import { readConfig, renewSecrets, type Config } from './config/config.ts';
import type { AppContext } from './context/context.ts';
import { makeLogger } from './app/logger.ts';
import { prepareSchema } from './app/migrations.ts';
import { whenNpmEnds } from './terminal/npm.ts';
import { say } from './terminal/progress.ts';
import { beginEnding } from './http/health.ts';
import { createMetricsServer } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { isWebClientBuilt, WEB_CLIENT_FOLDER } from './http/web-client.ts';
import { startWorkers } from './app/workers.ts';
import { appContext } from './app/app-context.ts';

/** The process of a server: starts its parts, and ends them in reverse order. */

/** A part that was started. */
export interface Part {
  readonly what: string;
  readonly end: () => Promise<unknown>;
}

/** The work of `npm start` that a server in production does not do. */
export interface Development {
  /** Returns the settings with the contact points of a Cassandra. */
  readonly prepare: (given: Config, started: Part[]) => Promise<Config>;
  /** Fills the keyspace. It is called before the server listens. */
  readonly fill: (app: AppContext, server: FastifyInstance, started: Part[]) => Promise<void>;
}

/** The file with the secret that a development server signs its tokens with. */
const SECRET = join(import.meta.dirname, '../.cassandra/access-token-secret');

const started: Part[] = [];
let ending: Promise<void> | undefined;
/** Set when this server answers requests. */
let serving: AppContext | undefined;
/** The maximum time for ending all parts. After that, the process exits anyway. */
const END_MS = 20_000;
const drained = new AbortController();

function end(exitCode: number): Promise<void> {
  ending ??= (async () => {
    let current = 'the start';
    setTimeout(() => {
      say(`${current} did not end within ${END_MS / 1_000} s; other servers finish its unfinished work`);
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

/**
 * Waits until load balancers notice that this server is about to end. It still answers requests.
 */
async function drain(): Promise<void> {
  const drainMs = serving?.config.http.drainMs ?? 0;
  if (!serving || drainMs === 0) return;
  beginEnding(serving);
  say(
    `this server continues to answer for ${drainMs / 1_000} s, so that load balancers notice; ` +
      'a second signal ends it now',
  );
  await sleep(drainMs, undefined, { signal: drained.signal }).catch(() => undefined);
}

async function start(development: Development | undefined): Promise<void> {
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

  const prepared = (await development?.prepare(given, started)) ?? given;
  const isSecretGiven = given.accessTokens.secrets.length > 0;
  const config = {
    ...prepared,
    accessTokens: isSecretGiven ? given.accessTokens : { ...given.accessTokens, secrets: [await developmentSecret()] },
  };
  // Loading goes on while Cassandra answers.
  const loading = loadPasskeys(config);
  await prepareSchema(config, say);
  const cassandra = await connectCassandra(config.cassandra);
  started.push({ what: 'the connection to Cassandra', end: () => cassandra.client.shutdown() });

  const app = appContext({ config, cassandra, logger });
  renewSecretsOnHangup(app);
  await loading;
  const metrics = createMetricsServer(app);
  started.push({ what: 'the metrics', end: () => metrics.close() });
  started.push({ what: 'the workers', end: await startWorkers(app) });
  const server = await createServer(app);
  await development?.fill(app, server, started);
  started.push({ what: 'the HTTP server', end: () => server.close() });
  const address = await listen(server, config.http.host, config.http.port, 'PORT');
  const metricsAddress =
    config.metricsPort === undefined
      ? undefined
      : await listen(metrics, config.http.host, config.metricsPort, 'METRICS_PORT');
  serving = app;

  say(`Cassandra ${config.cassandra.contactPoints?.join(',') ?? ''}  keyspace ${config.cassandra.keyspace}`);
  say(`API       POST ${address}/graphql`);
  if (metricsAddress !== undefined) say(`Metrics   ${metricsAddress}/metrics`);
  if (!config.production) say(`GraphiQL  ${address}/graphiql`);
  if (config.webClient)
    say(`Web page  ${(await isWebClientBuilt(WEB_CLIENT_FOLDER)) ? `${address}/app` : 'npm run web builds it'}`);
  if (config.mail.folder !== undefined) say(`Mails     ${address}/mails`);
  if (!isSecretGiven) say(`ACCESS_TOKEN_SECRET is not set: tokens are signed with a development secret, ${SECRET}`);
  say('ready; Ctrl-C ends everything');
}

/** A supervisor sends SIGHUP when it has written a new secret or certificate. */
function renewSecretsOnHangup({ config, logger }: AppContext): void {
  // A closing terminal sends the signal as well, and then the process should end.
  if (!config.production) return;
  process.on('SIGHUP', () => {
    try {
      renewSecrets(config, process.env);
      logger.info('secrets and certificates were read again');
    } catch (error) {
      logger.error({ err: error }, 'secrets and certificates cannot be read again; the former ones remain in use');
    }
  });
}

/** Makes the secret once, so that readers remain logged in after a restart. */
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

/** Starts a server in this process, which ends with it. */
export async function serve(development?: Development): Promise<void> {
  try {
    await start(development);
  } catch (error) {
    // Errors that come from the end itself are not reported.
    if (!ending) say(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    await end(1);
  }
}
