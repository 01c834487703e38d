import type { Span } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context/context.ts';
import { markFailed, requestSpan, runTraced } from '../tracing/spans.ts';
import { fieldsAskedFor } from './metrics.ts';
import { parentOf } from './request-id.ts';
import type { RequestStep } from './steps.ts';

/** The traces of GraphQL requests, for a server whose operator has a collector for them. */

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of a request that is traced. */
    span: Span | null;
  }
}

/** Traces a share of the requests to a server. Without a collector it adds nothing. */
export async function traceRequests(server: FastifyInstance, { config, logger }: AppContext): Promise<void> {
  const { url, percent } = config.traces;
  server.decorateRequest('span', null);
  if (url === undefined) return;

  const { startTraces } = await import('../tracing/exporter.ts');
  const { tracer, begin, end } = startTraces(url, percent, (problem) => {
    logger.warn({ problem }, 'traces were not exported');
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const span = begin(`${request.method} /graphql`, request.id, parentOf(request));
    // https://opentelemetry.io/docs/specs/semconv/http/http-spans/
    span.setAttributes({ 'http.request.method': request.method, 'http.route': '/graphql' });
    if (span.isRecording()) request.span = span;
    done();
  });
  // A body arrives in events of its socket, which would lose a context that onRequest sets.
  server.addHook('preHandler', ({ span }, _reply, done) => {
    if (span) runTraced({ tracer, span }, done);
    else done();
  });
  server.addHook('onResponse', ({ span }, { statusCode }, done) => {
    span?.setAttribute('http.response.status_code', statusCode);
    if (span && statusCode >= 500) markFailed(span, String(statusCode));
    span?.end();
    done();
  });
  server.addHook('onClose', end);
}

/**
 * Names the span of a request by the fields that it requests, of a few hundred possible ones. The
 * name of the operation is not used, because a client can choose any.
 */
export const operationTrace: RequestStep = {
  beforeAnswer: (answer) => {
    const span = requestSpan();
    if (!span) return;
    const {
      operation,
      response: { body },
    } = answer;
    const kind = operation?.operation ?? 'none';
    span.updateName([...fieldsAskedFor(answer)].join(' ') || kind);
    // https://opentelemetry.io/docs/specs/semconv/graphql/graphql-spans/
    span.setAttribute('graphql.operation.type', kind);
    if (operation?.name) span.setAttribute('graphql.operation.name', operation.name.value);
    const [error] = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
    if (error) markFailed(span, String(error.extensions?.['code']));
  },
};
