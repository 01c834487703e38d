import fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter } from 'prom-client';
import { requestContext, type AppContext } from '../context/context.ts';
import { mailer } from '../mail/mailer.ts';
import { pusher } from '../notifications/pushes.ts';
import { Admission, countBytes } from './admission.ts';
import { executableSchema, startApollo } from './apollo.ts';
import { boundAnswers, budgetOf, requestBudget } from './budgets.ts';
import { bytesInFlight } from './bytes-in-flight.ts';
import { callerOf, rateLimitHeaders } from './caller.ts';
import { compressAnswers } from './compression.ts';
import { readJsonAlone } from './content-types.ts';
import { allowOrigins } from './cors.ts';
import { costLimit } from './costs.ts';
import { answerError, bodyOf, refuseConnection } from './errors.ts';
import { Execution } from './execution.ts';
import { serveExports } from './export.ts';
import { serveGraphiql } from './graphiql.ts';
import { serveGraphql } from './graphql.ts';
import { beginEnding, isEnding, serveHealth } from './health.ts';
import { FILE_BYTES_MAX, serveImports } from './import.ts';
import { serveMails } from './mails.ts';
import { countResponses, operationMetrics, serveMetrics } from './metrics.ts';
import { addNotes } from './notes.ts';
import { persistedDocuments } from './persisted-documents.ts';
import { refreshCookieOf, setRefreshCookie } from './refresh-cookie.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { logRequests, requestLog } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';
import { endSlowReaders, sendInPieces } from './sending.ts';
import { sharePreviews } from './share-previews.ts';
import type { RequestStep } from './steps.ts';
import { Streams } from './streams.ts';
import { operationTrace, traceRequests } from './tracing.ts';
import { nextTurnOf } from './turns.ts';
import { Validation } from './validation.ts';
import { serveYearPictures } from './year-pictures.ts';
import { serveWebClient, urlForWebClient, WEB_CLIENT_FOLDER } from './web-client.ts';

/** The interval of the check for requests that take too long to arrive. */
const CONNECTIONS_CHECKED_MS = 1_000;
/** The maximum number of files that are read and stored at the same time. */
const IMPORTS_MAX = 8;
const MIB = 1_024 * 1_024;

collectDefaultMetrics();
const refusedConnections = new Counter({
  name: 'http_connections_refused_total',
  help: 'Connections that were closed immediately because too many were open',
});

/**
 * Makes the HTTP server. It does not listen yet.
 * @throws if this process has less memory than a single request may hold
 */
export async function createServer(app: AppContext): Promise<FastifyInstance> {
  const { production, documents, http, mail, metricsPort, webClient } = app.config;
  requireMemory(app);
  const server = httpServer(app);
  const schema = await executableSchema(app);
  const validation = new Validation(schema, !production);
  const persisted = persistedDocuments(documents, validation);
  const execution = new Execution(schema, validation, STEPS);
  const apollo = await startApollo(app, execution, STEPS, persisted);
  countResponses(server);
  logRequests(server, app);
  server.addHook('onClose', () => apollo.stop());
  server.addHook('onClose', () => mailer(app).end());
  server.addHook('onClose', () => pusher(app).end());

  await allowOrigins(server, app);
  readJsonAlone(server, app);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send(bodyOf('NOT_FOUND', 'There is nothing here; the API is POST /graphql.')),
  );

  const admission = new Admission({
    query: http.queriesMax,
    mutation: http.mutationsMax,
    import: IMPORTS_MAX,
  });
  const streams = new Streams(server, app);
  server.decorateRequest('admittedAs', null);
  server.decorateRequest('budget', null);
  await server.register(async (graphql) => {
    await traceRequests(graphql, app);
    persisted?.resolveIn(graphql);
    admission.admitGraphql(graphql);
    boundAnswers(graphql, app);
    compressAnswers(graphql);
    sendInPieces(graphql);
    const contextOf = async (request: FastifyRequest) => {
      const { caller, rateLimit } = await callerOf(app, request);
      const refreshCookie = refreshCookieOf(app, request);
      request.budget = budgetOf(app, request);
      return Object.assign(requestContext({ ...app, requestId: request.id }, caller), {
        rateLimit,
        refreshCookie,
        budget: request.budget,
      });
    };
    const turnOf = ({ ip }: FastifyRequest) => nextTurnOf(app.config, ip);
    serveGraphql(graphql, { apollo, execution, contextOf, turnOf, streams, steps: STEPS });
  });
  serveExports(server, app);
  serveImports(server, app, admission);
  serveYearPictures(server, app, admission);

  serveHealth(server, app);
  if (!production)
    await server.register(async (pages) => {
      sendInPieces(pages);
      serveGraphiql(pages);
      return Promise.resolve();
    });
  if (webClient) await serveWebClient(server, app.config, WEB_CLIENT_FOLDER, sharePreviews(app, admission));
  if (mail.folder !== undefined) serveMails(server, app.config, mail.folder);
  if (!production && metricsPort === undefined) serveMetrics(server);
  return server;
}

/** Makes a server with the limits of its connections, and with the headers of every answer. */
function httpServer(app: AppContext): FastifyInstance {
  const { requestTimeoutMs, connectionsMax, connectionIdleMs } = app.config.http;
  const server = fastify({
    loggerInstance: requestLog(app),
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // Fastify's default is to wait forever.
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: CONNECTIONS_CHECKED_MS },
    forceCloseConnections: 'idle',
    // A request on an open connection is still answered during shutdown. Fastify's own 503 does not
    // have the format of this API.
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    frameworkErrors: answerError,
    rewriteUrl: ({ url = '/' }) => urlForWebClient(url),
    // Connections are closed when idle between two requests, and when the client does not read its
    // answer.
    keepAliveTimeout: connectionIdleMs,
    connectionTimeout: connectionIdleMs,
    trustProxy: trusted(app.config.trustProxy),
  }) as unknown as FastifyInstance;
  server.server.maxConnections = connectionsMax;
  server.server.on('drop', () => {
    refusedConnections.inc();
  });

  endSlowReaders(server, app);
  countBytes(server, app);
  // Requests in progress at shutdown get the usual time of a request.
  server.addHook('preClose', async () => {
    beginEnding(app);
    setTimeout(() => {
      server.server.closeAllConnections();
    }, requestTimeoutMs).unref();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(securityHeaders(request)).header(REQUEST_ID_HEADER, request.id);
    // The client should send its next request to another server. A client that announced its body
    // by `expect` may not know whether the body is still expected.
    if (isEnding(app) || request.headers.expect !== undefined) reply.header('connection', 'close');
    done();
  });
  // The client sends the body only when it is wanted.
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response));
  server.addHook('preParsing', ({ headers }, reply, _arriving, done) => {
    if (headers.expect !== undefined) reply.raw.writeContinue();
    done();
  });
  return server;
}

/** Refuses settings that allow a single request to hold more memory than there is. */
function requireMemory({ config: { queries } }: AppContext): void {
  const { callerMost } = bytesInFlight;
  const needed = Math.max(FILE_BYTES_MAX, queries.bytesMax, queries.answerBytesMax);
  if (needed <= callerMost) return;
  throw new Error(
    `One request may hold ${needed / MIB} MiB, but with the memory of this process the requests of a caller may ` +
      `hold ${(callerMost / MIB).toFixed(1)} MiB together, a sixteenth of Node's heap. ` +
      'Give the process more memory, or lower QUERY_KIB_MAX and ANSWER_KIB_MAX to ' +
      `${Math.floor(callerMost / 1_024)} at most.`,
  );
}

/**
 * Returns Fastify's `trustProxy`: the number of hops, or the addresses, that are believed about the
 * client's address.
 */
const trusted = (proxies: number | readonly string[]) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];

/** The steps of every request, in this order. */
const STEPS: readonly RequestStep[] = [
  costLimit,
  requestBudget,
  rateLimitHeaders,
  setRefreshCookie,
  addNotes,
  operationMetrics,
  operationTrace,
];
