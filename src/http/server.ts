import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { parse, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { collectDefaultMetrics, Counter, Histogram } from 'prom-client';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { Admission } from './admission.ts';
import { readAhead } from './ahead.ts';
import { boundAnswers, budgetOf, budgetPayloads, requestBudget } from './budgets.ts';
import { callerOf } from './caller.ts';
import { readJsonAlone } from './content-types.ts';
import { allowOrigins } from './cors.ts';
import { costLimit } from './costs.ts';
import { memoised, requestContext, type AppContext, type RequestContext } from '../context/context.ts';
import { nodesOfConnections } from '../graphql/connection-nodes.ts';
import { formatError } from '../graphql/errors.ts';
import { documentLimits, TOKENS_MAX } from './document-limits.ts';
import { documentStore } from './documents.ts';
import { answerError, bodyOf, refuseConnection } from './errors.ts';
import { EXPORT_PATH, sendExport } from './export.ts';
import { graphiqlPage } from './graphiql.ts';
import { Execution } from './execution.ts';
import { serveGraphql } from './graphql.ts';
import { serveMetrics } from './metrics.ts';
import { whyCutOff } from '../leases/reach.ts';
import { mailer } from '../mail/mailer.ts';
import { serveMails } from './mails.ts';
import { persistedDocuments } from './persisted-documents.ts';
import { figures } from '../measurements/figures.ts';
import { operationsIn } from '../measurements/series.ts';
import { securityHeaders } from './security-headers.ts';
import { requestLog } from './request-log.ts';
import { resolvers } from './resolvers.ts';
import { answerSteps, type RequestStep } from './steps.ts';
import { scalars } from '../graphql/scalars.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { onlyVerifiedWrite } from './unverified.ts';

const SCHEMA = join(import.meta.dirname, '../../schema.graphql');
const BODY_BYTES_MAX = 256 * 1024;
const READINESS_KEPT_MS = 1_000;
/** The interval of the check for requests that take too long to arrive. */
const CONNECTIONS_CHECKED_MS = 1_000;
/** The maximum number of exports at once. Exports take long, and few readers ask for one. */
const EXPORTS_MAX = 8;

collectDefaultMetrics();
const operationSeconds = new Histogram({
  name: 'graphql_operation_seconds',
  help: 'How long GraphQL operations took, by their kind and whether they had errors',
  labelNames: ['operation', 'result'],
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
});
const refusedConnections = new Counter({
  name: 'http_connections_refused_total',
  help: 'Connections that were closed at once as too many were open',
});

/** Makes the HTTP server. It does not listen yet. */
export async function createServer(app: AppContext): Promise<FastifyInstance> {
  const { requestTimeoutMs, connectionsMax, connectionIdleMs, queriesMax, mutationsMax } = app.config.http;
  const server = fastify({
    loggerInstance: requestLog(app),
    bodyLimit: BODY_BYTES_MAX,
    // Fastify's default is to wait forever.
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: CONNECTIONS_CHECKED_MS },
    forceCloseConnections: 'idle',
    // A request on an open connection is still answered during shutdown. Fastify's own 503 does not
    // have the format of this API.
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    frameworkErrors: answerError,
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
  let isEnding = false;
  // Requests under way at shutdown get the usual time of a request.
  server.addHook('preClose', async () => {
    isEnding = true;
    setTimeout(() => {
      server.server.closeAllConnections();
    }, requestTimeoutMs).unref();
  });
  const typeDefs = parse(await readFile(SCHEMA, 'utf8'), { noLocation: true });
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: [scalars, ...resolvers, nodesOfConnections(typeDefs)],
  });
  readAhead(schema);
  budgetPayloads(schema);
  if (app.config.mail.emailVerification.isRequired) onlyVerifiedWrite(schema);
  const persisted = persistedDocuments(app.config.documents);
  const execution = new Execution(schema, STEPS);
  const apollo = new ApolloServer<RequestContext>({
    gateway: execution.gateway,
    introspection: !app.config.production,
    includeStacktraceInErrorResponses: false,
    // Cookies are not used, so a forged request has no token.
    csrfPrevention: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxLexicalTokens: TOKENS_MAX },
    validationRules: [documentLimits],
    documentStore: documentStore(),
    logger: app.logger,
    formatError: (formatted, error) =>
      formatError(formatted, error, (cause) => {
        app.logger.error({ err: cause, path: formatted.path }, 'a request failed');
      }),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      answerSteps(STEPS),
      ...(persisted ? [persisted.plugin] : []),
    ],
  });
  await apollo.start();
  server.addHook('onClose', () => apollo.stop());
  server.addHook('onClose', () => mailer(app).end());

  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(securityHeaders(request));
    // The client's next request should go to another server.
    if (isEnding) reply.header('connection', 'close');
    done();
  });
  await allowOrigins(server, app);
  readJsonAlone(server);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send(bodyOf('NOT_FOUND', 'There is nothing here; the API is POST /graphql.')),
  );

  const admission = new Admission({ query: queriesMax, mutation: mutationsMax, export: EXPORTS_MAX });
  server.decorateRequest('admittedAs', null);
  server.decorateRequest('budget', null);
  await server.register(async (graphql) => {
    persisted?.resolveIn(graphql);
    admission.admitGraphql(graphql);
    boundAnswers(graphql, app);
    const contextOf = async (request: FastifyRequest) => {
      const { caller, rateLimit } = await callerOf(app, request);
      request.budget = budgetOf(app, request);
      return Object.assign(requestContext(app, caller), { rateLimit, budget: request.budget });
    };
    serveGraphql(graphql, { apollo, execution, contextOf, steps: STEPS });
  });
  server.post(EXPORT_PATH, { onRequest: admission.admitExport }, (request, reply) => sendExport(app, request, reply));
  if (!app.config.production) {
    // The page takes longer to make than any other answer.
    let page: Promise<string> | undefined;
    server.get('/graphiql', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(await (page ??= graphiqlPage())),
    );
    server.get('/', (_request, reply) => reply.redirect('/graphiql'));
  }
  const { folder } = app.config.mail;
  if (folder !== undefined) serveMails(server, app.config, folder);
  server.get('/health/live', () => ({ status: 'live' }));
  const cutOff = recently(() => whyCutOff(app));
  server.get('/health/ready', async (_request, reply) => {
    const reason = (await cutOff()) ?? whyUntrusted(app);
    if (reason === undefined) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reason });
  });
  if (!app.config.production && app.config.metricsPort === undefined) serveMetrics(server);
  return server;
}

/** Caches an answer for `READINESS_KEPT_MS`, so that frequent checks do not reach Cassandra. */
function recently<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    if (!answer) {
      answer = ask();
      setTimeout(() => {
        answer = undefined;
      }, READINESS_KEPT_MS).unref();
    }
    return answer;
  };
}

/**
 * Returns Fastify's `trustProxy`: the number of hops, or the addresses, that are believed about the
 * client's address.
 */
const trusted = (proxies: number | readonly string[]) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];

const rateLimitHeaders: RequestStep = {
  beforeAnswer: ({ response, contextValue: { rateLimit, clock } }) => {
    if (!rateLimit) return;
    const seconds = String(Math.max(0, Math.ceil((rateLimit.resetAt.getTime() - clock().getTime()) / 1_000)));
    response.http.headers.set('ratelimit-limit', String(rateLimit.limit));
    response.http.headers.set('ratelimit-remaining', String(rateLimit.remaining));
    response.http.headers.set('ratelimit-reset', seconds);
    response.http.headers.set('ratelimit-cost', String(rateLimit.cost));
  },
};

/** Returns the operations of a request, computed once per operation. */
const operationsOf = memoised(
  ({ document, operation, type }: { document: DocumentNode; operation: OperationDefinitionNode; type: string }) =>
    operationsIn(document, operation.selectionSet, type),
  ({ operation }) => operation,
);

const operationMetrics: RequestStep = {
  beforeAnswer: ({ operation, document, schema, errors, contextValue }, seconds) => {
    operationSeconds.observe({ operation: operation?.operation ?? 'none', result: errors ? 'errors' : 'ok' }, seconds);
    const type = operation && schema.getRootType(operation.operation);
    const operations = type && document ? operationsOf({ document, operation, type: type.name }) : [];
    figures(contextValue).record(operations, seconds, errors !== undefined);
  },
};

/** The steps of every request, in this order. */
const STEPS: readonly RequestStep[] = [costLimit, requestBudget, rateLimitHeaders, operationMetrics];
