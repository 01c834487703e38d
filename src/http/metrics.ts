import fastify, { type FastifyInstance } from 'fastify';
import type { DocumentNode, GraphQLObjectType, OperationDefinitionNode } from 'graphql';
import { Counter, Gauge, Histogram, register } from 'prom-client';
import { memoised, type AppContext } from '../context/context.ts';
import { RELEASE } from '../config/release.ts';
import { REQUEST_ERROR_CODES } from '../graphql/errors.ts';
import { figures } from '../measurements/figures.ts';
import { operationsIn } from '../measurements/series.ts';
import { serveHealth } from './health.ts';
import { securityHeaders } from './security-headers.ts';
import type { Answer, RequestStep } from './steps.ts';

const operationSeconds = new Histogram({
  name: 'graphql_operation_seconds',
  help: 'Duration of GraphQL operations, by kind and by whether they had errors',
  labelNames: ['operation', 'result'],
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
});
const fieldSeconds = new Histogram({
  name: 'graphql_field_seconds',
  help: 'Duration of the operations that asked for a field of Query or Mutation',
  labelNames: ['field'],
  buckets: [0.01, 0.05, 0.1, 0.5, 2],
});
const errorsAnswered = new Counter({
  name: 'graphql_errors_total',
  help: 'Errors in answers to GraphQL operations, by extensions.code',
  labelNames: ['code'],
});
// Prometheus sees the growth of a series but not its first value, so each series begins with 0.
for (const code of REQUEST_ERROR_CODES) errorsAnswered.inc({ code }, 0);

const responses = new Counter({
  name: 'http_responses_total',
  help: 'Answers to HTTP requests, by status',
  labelNames: ['status'],
});
new Gauge({
  name: 'release_info',
  help: 'Always 1; its label names the release that this server runs',
  labelNames: ['release'],
}).set({ release: RELEASE }, 1);

/** Counts the answers of a server by their status. */
export function countResponses(server: FastifyInstance): void {
  server.addHook('onResponse', (_request, { statusCode }, done) => {
    responses.inc({ status: statusCode });
    done();
  });
}

/** Answers `/metrics` with the metrics of this process, in Prometheus's format. */
export function serveMetrics(server: FastifyInstance): void {
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}

/**
 * Makes a server for metrics and health checks, for a port that is not public. Requests of readers
 * take none of its connections. It does not listen yet.
 */
export function createMetricsServer(app: AppContext): FastifyInstance {
  const server = fastify();
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(securityHeaders(request));
    done();
  });
  serveMetrics(server);
  serveHealth(server, app);
  return server;
}

/** Returns the operations of a request, computed once per operation. */
const operationsOf = memoised(
  ({
    document,
    operation,
    type,
  }: {
    document: DocumentNode;
    operation: OperationDefinitionNode;
    type: GraphQLObjectType;
  }) => operationsIn(document, operation.selectionSet, type),
  ({ operation }) => operation,
);

/** Returns the fields of Query or Mutation that an answered operation asked for. */
export function fieldsAskedFor({ operation, document, schema }: Answer): Iterable<string> {
  const type = operation && schema.getRootType(operation.operation);
  return type && document ? operationsOf({ document, operation, type }) : [];
}

/** Counts each request among the metrics and the measurements of this process. */
export const operationMetrics: RequestStep = {
  beforeAnswer: (answer, seconds) => {
    const {
      operation,
      errors,
      contextValue,
      response: { body },
    } = answer;
    operationSeconds.observe({ operation: operation?.operation ?? 'none', result: errors ? 'errors' : 'ok' }, seconds);
    const operations = fieldsAskedFor(answer);
    for (const field of operations) fieldSeconds.observe({ field }, seconds);
    figures(contextValue).record(operations, seconds, errors !== undefined);

    const answered = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
    for (const { extensions } of answered) errorsAnswered.inc({ code: String(extensions?.['code']) });
  },
};
