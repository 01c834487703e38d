import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';

/**
 * The spans of requests that are traced. A statement belongs to the request that sends it, even if
 * other requests share its result.
 */

/** A request that is traced. */
export interface TracedRequest {
  readonly tracer: Tracer;
  readonly span: Span;
}

const current = new AsyncLocalStorage<TracedRequest>();

/** Runs a function, and everything that it starts, as part of a traced request. */
export const runTraced = (request: TracedRequest, run: () => void): void => {
  current.run(request, run);
};

/** Returns the span of the current request; `undefined` if it is not traced. */
export const requestSpan = (): Span | undefined => current.getStore()?.span;

/** Begins the span of a statement; `undefined` if its request is not traced. */
export function beginStatement(label: string): Span | undefined {
  const request = current.getStore();
  if (!request) return undefined;
  // https://opentelemetry.io/docs/specs/semconv/database/database-spans/
  const attributes = { 'db.system.name': 'cassandra', 'db.query.summary': label };
  const parent = trace.setSpan(ROOT_CONTEXT, request.span);
  return request.tracer.startSpan(label, { kind: SpanKind.CLIENT, attributes }, parent);
}

/** Ends a span when a promise settles, and marks it as failed if the promise rejects. */
export async function endWith<Result>(span: Span, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    markFailed(span, error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Marks a span as failed.
 * @param type one of a few names; a message might contain a reader's text
 */
export function markFailed(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', type);
}
