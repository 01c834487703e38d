import type { Readable } from 'node:stream';
import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import type { RequestContext } from '../context/context.ts';
import type { Execution, KnownOperation } from './execution.ts';
import { answering } from './request-log.ts';
import { beforeAnswer, type Answer, type AskedOperation, type RequestStep } from './steps.ts';
import { streamFormFor, type StreamForm } from './stream-forms.ts';
import type { Streams } from './streams.ts';

/**
 * GraphQL over HTTP: Apollo Server as a Fastify route. Apollo's pipeline takes longer than most
 * operations, so the route itself executes a text that Apollo has validated before, and answers it
 * if there are no errors. Apollo answers everything else, including every error.
 */

/**
 * The only headers that Apollo reads, since its CSRF protection, which this API does not need, is
 * off.
 */
const HEADERS_READ = ['accept', 'content-type'] as const;
/**
 * The maximum number of `accept` headers kept, and the maximum length of one. Clients send a
 * handful of different ones.
 */
const ACCEPTS_KEPT = 100;
const ACCEPT_LETTERS_MAX = 200;
const NO_PARTS = 'The schema has no directive for answers that are sent in parts';

let answeredAlone = 0;
/** The counter is set only when it is read. */
new Counter({
  name: 'graphql_direct_answers_total',
  help: "Answers of known operations that did not pass through Apollo's pipeline",
  collect() {
    this.reset();
    this.inc(answeredAlone);
  },
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The query string that replaces the one in the URL; null if none does. */
    search: string | null;
  }
}

/** The options of {@link serveGraphql}. */
export interface GraphqlOptions {
  /** A started server. */
  readonly apollo: ApolloServer<RequestContext>;
  readonly execution: Execution;
  /** Makes the context of a request, or throws the error that refuses the request. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  /** Waits for a turn to write an answer. Requests for the same data end at the same moment. */
  readonly turnOf: (request: FastifyRequest) => Promise<void>;
  readonly streams: Streams;
  /**
   * The steps that the route takes before each answer that it gives itself. Apollo takes them
   * itself.
   */
  readonly steps: readonly RequestStep[];
}

/** A known operation, and the request that asks for it. */
type KnownAsked = KnownOperation & Pick<AskedOperation, 'request'>;

/** Answers GraphQL requests at `/graphql`. */
export function serveGraphql(server: FastifyInstance, options: GraphqlOptions): void {
  const { apollo, execution, steps } = options;
  /** The content types that Apollo answered with, by `accept` header. */
  const contentTypes = new LRUCache<string, string>({ max: ACCEPTS_KEPT });

  const answerByApollo = async (
    request: FastifyRequest,
    reply: FastifyReply,
    context: () => Promise<RequestContext>,
  ): Promise<string> => {
    const {
      status = 200,
      headers,
      body,
    } = await answering(request, () =>
      apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: request.method,
          headers: headersOf(request),
          body: request.body,
          search: request.search ?? searchOf(request),
        },
        context,
      }),
    );
    if (body.kind === 'chunked') throw new Error(NO_PARTS);
    await options.turnOf(request);

    const { accept = '' } = request.headers;
    const contentType = headers.get('content-type');
    if (status === 200 && contentType !== undefined && accept.length <= ACCEPT_LETTERS_MAX)
      contentTypes.set(accept, contentType);
    return sendAs(reply, status, headers, body.string);
  };

  const answerByStream = async (
    request: FastifyRequest,
    reply: FastifyReply,
    known: KnownAsked,
    form: StreamForm,
  ): Promise<Readable | string> => {
    const coming = options.contextOf(request);
    const context = await coming.catch(() => undefined);
    if (!context) return answerByApollo(request, reply, () => coming);

    let leave: () => void = () => undefined;
    const opening = (async () => {
      leave = options.streams.admit(context.caller);
      return execution.subscribe({ ...known, context });
    })();
    const results = await opening.catch((): ExecutionResult => ({ errors: [] }));
    if (Symbol.asyncIterator in results) {
      // The steps count the request, and add the headers of the caller's allowance.
      const headers = new Map<string, string>();
      beforeAnswer(steps, answerOf(known, context, { data: null }, headers));
      for (const [name, value] of headers) reply.header(name, value);
      return options.streams.open(request, reply, form, results, leave);
    }

    leave();
    // Apollo answers with the error.
    const outcome = opening.then(() => results);
    await outcome.catch(() => undefined);
    context.outcome = outcome;
    return answerByApollo(request, reply, () => Promise.resolve(context));
  };

  const answerOf = (
    known: KnownAsked,
    contextValue: RequestContext,
    singleResult: { readonly data: Readonly<Record<string, unknown>> | null },
    headers: Map<string, string>,
  ): Answer => ({
    schema: execution.schema,
    ...known,
    contextValue,
    response: { http: { headers }, body: { kind: 'single', singleResult: { ...singleResult } } },
  });

  server.decorateRequest('search', null);
  server.route({
    // Apollo answers OPTIONS with the allowed methods.
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      const known = knownAskedFor(request, execution);
      const form = streamFormFor(request.headers.accept);
      if (known && form && isSubscription(known)) return answerByStream(request, reply, known, form);
      const contentType = contentTypes.get(request.headers.accept ?? '');
      if (!known || isSubscription(known) || contentType === undefined)
        return answerByApollo(request, reply, () => options.contextOf(request));

      const coming = options.contextOf(request);
      const context = await coming.catch(() => undefined);
      if (!context) return answerByApollo(request, reply, () => coming);

      context.outcome = execution.execute({ ...known, context });
      const { data, errors } = await context.outcome.catch(() => NOT_EXECUTED);
      if (errors) return answerByApollo(request, reply, () => Promise.resolve(context));
      await options.turnOf(request);

      const headers = new Map([['content-type', contentType]]);
      const answer = answerOf(known, context, { data: data ?? null }, headers);
      beforeAnswer(steps, answer);
      answeredAlone++;
      const { http, body } = answer.response;
      if (body.kind === 'incremental') throw new Error(NO_PARTS);
      return sendAs(reply, http.status ?? 200, headers, `${JSON.stringify(body.singleResult)}\n`);
    },
  });
}

/** Stands for the result of a request that a step has refused. Its `outcome` has the error. */
const NOT_EXECUTED = { data: undefined, errors: [] };

/**
 * Returns the known operation that a POST request asks for; `undefined` if Apollo might refuse the
 * request.
 */
function knownAskedFor({ method, body }: FastifyRequest, execution: Execution): KnownAsked | undefined {
  if (method !== 'POST' || !isRecord(body)) return undefined;
  const { query, operationName: name, variables: given, extensions: more } = body;
  const [operationName, variables, extensions] = [name ?? undefined, given ?? {}, more ?? {}];
  const isNamed = operationName === undefined || (typeof operationName === 'string' && operationName !== '');
  if (typeof query !== 'string' || !isNamed || !isRecord(variables) || !isRecord(extensions)) return undefined;
  // Persisted queries are off in Apollo, so it answers this request with an error.
  if ('persistedQuery' in extensions) return undefined;

  const known = execution.known(query, operationName);
  return known && { ...known, request: { query, operationName, variables } };
}

function sendAs(reply: FastifyReply, status: number, headers: Iterable<[string, string]>, body: string): string {
  for (const [name, value] of headers) reply.header(name, value);
  reply.code(status);
  return body;
}

const isSubscription = ({ operation }: KnownOperation) => operation.operation === OperationTypeNode.SUBSCRIPTION;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function headersOf({ headers }: FastifyRequest): HeaderMap {
  const read = new HeaderMap();
  for (const name of HEADERS_READ) {
    const value = headers[name];
    if (value !== undefined) read.set(name, value);
  }
  // A client that accepts only a stream still gets its errors as JSON.
  const { accept = '' } = headers;
  if (streamFormFor(accept) && !/json|\*/i.test(accept)) read.set('accept', 'application/json');
  return read;
}

/** Returns the query string as it was sent, with its `?`; '' if there is none. */
export function searchOf({ url }: FastifyRequest): string {
  const begin = url.indexOf('?');
  return begin < 0 ? '' : url.slice(begin);
}
