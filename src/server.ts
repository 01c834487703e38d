import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { DateTimeResolver } from 'graphql-scalars';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import { resolvers as accounts } from './accounts/resolvers.ts';
import { readAccessToken } from './accounts/tokens.ts';
import { resolvers as activity } from './activity/resolvers.ts';
import { isAnswering } from './cassandra/client.ts';
import { resolvers as catalogue } from './catalogue/resolvers.ts';
import { PAGE_SIZE } from './connections.ts';
import { requestContext, type AppContext, type RequestContext } from './context.ts';
import { badUserInput, formatError, RequestError, unauthenticated } from './errors.ts';
import { graphiqlPage } from './graphiql.ts';
import { resolvers as likes } from './likes/resolvers.ts';
import { resolvers as nodes } from './nodes.ts';
import { resolvers as reading } from './reading/resolvers.ts';

const SCHEMA = join(import.meta.dirname, '../schema.graphql');
const BODY_BYTES_MAX = 256 * 1024;
const TOKENS_MAX = 2_000;
/** A field costs 1, a page or a list of ids as much as all its rows. */
const COMPLEXITY_MAX = 10_000;

collectDefaultMetrics();
const operationSeconds = new Histogram({
  name: 'graphql_operation_seconds',
  help: 'How long GraphQL operations took, by their kind and whether they had errors',
  labelNames: ['operation', 'result'],
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
});

/** Makes the HTTP server; it does not listen yet. */
export async function createServer(app: AppContext): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: app.logger,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;
  const apollo = new ApolloServer<RequestContext>({
    typeDefs: await readFile(SCHEMA, 'utf8'),
    resolvers: [{ DateTime: DateTimeResolver }, accounts, activity, catalogue, likes, nodes, reading],
    introspection: !app.config.production,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    // Nothing rides on cookies: a forged request has no token.
    csrfPrevention: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxLexicalTokens: TOKENS_MAX },
    logger: app.logger,
    formatError: (formatted, error) =>
      formatError(formatted, error, (cause) => {
        app.logger.error({ err: cause, path: formatted.path }, 'a request failed');
      }),
    plugins: [
      fastifyApolloDrainPlugin(server),
      ApolloServerPluginCacheControlDisabled(),
      complexityLimit,
      operationMetrics,
    ],
  });
  await apollo.start();

  // The cache-control plugin, which would say this, costs a third of the throughput.
  server.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  server.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) app.logger.error({ err: error }, 'a request failed');
    const [code, message] =
      status < 500
        ? ['BAD_USER_INPUT', error.message]
        : ['INTERNAL_SERVER_ERROR', 'Something went wrong on our side. It has been logged.'];
    return reply.code(status).send({ errors: [{ message, extensions: { code } }] });
  });
  server.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({
      errors: [{ message: 'There is nothing here; the API is POST /graphql.', extensions: { code: 'NOT_FOUND' } }],
    }),
  );

  await server.register(fastifyApollo(apollo), {
    path: '/graphql',
    context: async (request: FastifyRequest) => requestContext(app, await viewerIdOf(app, request)),
  });
  if (!app.config.production) {
    server.get('/graphiql', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(await graphiqlPage()),
    );
  }
  server.get('/health/live', () => ({ status: 'live' }));
  server.get('/health/ready', async (_request, reply) =>
    (await isAnswering(app.cassandra))
      ? { status: 'ready' }
      : reply.code(503).send({ status: 'not ready', reason: 'Cassandra does not answer' }),
  );
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
  return server;
}

async function viewerIdOf(app: AppContext, request: FastifyRequest): Promise<string | null> {
  const header = request.headers.authorization;
  // GraphiQL's header editor starts with an empty one.
  if (header === undefined || header === '') return null;
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  const viewerId = token && (await readAccessToken(app.config, token, app.clock()));
  if (!viewerId) {
    throw new RequestError(
      'UNAUTHENTICATED',
      `The access token is not good (any more). ${unauthenticated().message}`,
      401,
    );
  }
  return viewerId;
}

const pageEstimator: ComplexityEstimator = ({ args, childComplexity, field }) => {
  if (field.name === 'nodes') return 1 + (args['ids'] as unknown[]).length * childComplexity;
  if (!field.args.some(({ name }) => name === 'first')) return 1 + childComplexity;
  const size = (args['first'] ?? args['last'] ?? PAGE_SIZE) as number;
  return 1 + Math.max(size, 0) * childComplexity;
};

function complexityOf(query: Parameters<typeof getComplexity>[0]): number | undefined {
  try {
    return getComplexity(query);
  } catch {
    // The variables do not fit the query; the execution will say so.
    return undefined;
  }
}

const complexityLimit: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ request, document, schema }) => {
      const complexity = complexityOf({
        schema,
        query: document,
        ...(request.operationName && { operationName: request.operationName }),
        variables: request.variables ?? {},
        estimators: [pageEstimator],
      });
      if (complexity !== undefined && complexity > COMPLEXITY_MAX) {
        throw badUserInput(
          `This query may ask for ${String(complexity)} fields; at most ${String(COMPLEXITY_MAX)} are allowed. Ask for smaller pages, or in several queries.`,
        );
      }
    },
  }),
};

const operationMetrics: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async () => {
    const end = operationSeconds.startTimer();
    return {
      willSendResponse: async ({ operation, errors }) => {
        end({ operation: operation?.operation ?? 'none', result: errors ? 'errors' : 'ok' });
      },
    };
  },
};
