import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import type { RequestContext } from '../context/context.ts';
import type { Execution, KnownOperation } from './execution.ts';
import { beforeAnswer, type Answer, type AskedOperation, type RequestStep } from './steps.ts';

/**
 * GraphQL over HTTP: Apollo Server as a route of Fastify. Apollo's pipeline takes more time than most operations do, so
 * the route itself answers a text that Apollo has found valid before, as long as the answer is nothing but data. Apollo
 * answers everything else, and tells every error.
 */

/** Without its protection against forged requests, which nothing here needs, Apollo reads no others. */
const HEADERS_READ = ['accept', 'content-type'] as const;
/** So many different ones of so many letters; clients send a handful. */
const ACCEPTS_KEPT = 100;
const ACCEPT_LETTERS_MAX = 200;
const NO_PARTS = 'The schema has no directive that lets an answer come in parts';

let answeredAlone = 0;
/** Asked for its value when somebody looks. */
new Counter({
  name: 'graphql_direct_answers_total',
  help: "Answers of known operations that did not go through Apollo's pipeline",
  collect() {
    this.reset();
    this.inc(answeredAlone);
  },
});

declare module 'fastify' {
  interface FastifyRequest {
    /** What stands in for what was sent behind the `?`. */
    search: string | null;
  }
}

/** How requests at `/graphql` are answered. */
export interface GraphqlOptions {
  /** Has been started. */
  readonly apollo: ApolloServer<RequestContext>;
  readonly execution: Execution;
  /** Throws what a request is refused with. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  /** Are taken before each answer; Apollo takes them itself. */
  readonly steps: readonly RequestStep[];
}

/** Answers GraphQL requests at `/graphql`. */
export function serveGraphql(server: FastifyInstance, options: GraphqlOptions): void {
  const { apollo, execution, steps } = options;
  /** By the header `accept`: the content type that Apollo answered with. */
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
    } = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method,
        headers: headersOf(request),
        body: request.body,
        search: request.search ?? searchOf(request),
      },
      context,
    });
    if (body.kind === 'chunked') throw new Error(NO_PARTS);

    const { accept = '' } = request.headers;
    const contentType = headers.get('content-type');
    if (status === 200 && contentType !== undefined && accept.length <= ACCEPT_LETTERS_MAX)
      contentTypes.set(accept, contentType);
    return sendAs(reply, status, headers, body.string);
  };

  server.decorateRequest('search', null);
  server.route({
    // Apollo answers OPTIONS with the methods that there are.
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      const known = knownAskedFor(request, execution);
      const contentType = contentTypes.get(request.headers.accept ?? '');
      if (!known || contentType === undefined) return answerByApollo(request, reply, () => options.contextOf(request));

      const coming = options.contextOf(request);
      const context = await coming.catch(() => undefined);
      if (!context) return answerByApollo(request, reply, () => coming);

      context.outcome = execution.execute({ ...known, context });
      const { data, errors } = await context.outcome.catch(() => NOT_EXECUTED);
      if (errors) return answerByApollo(request, reply, () => Promise.resolve(context));

      const headers = new Map([['content-type', contentType]]);
      const answer: Answer = {
        schema: execution.schema,
        ...known,
        contextValue: context,
        response: { http: { headers }, body: { kind: 'single', singleResult: { data: data ?? null } } },
      };
      beforeAnswer(steps, answer);
      answeredAlone++;
      const { http, body } = answer.response;
      if (body.kind === 'incremental') throw new Error(NO_PARTS);
      return sendAs(reply, http.status ?? 200, headers, `${JSON.stringify(body.singleResult)}\n`);
    },
  });
}

/** Of a request that a step has refused; what with, its outcome says. */
const NOT_EXECUTED = { data: undefined, errors: [] };

/** The known operation that a POST request asks for; `undefined` where Apollo may have something to refuse. */
function knownAskedFor(
  { method, body }: FastifyRequest,
  execution: Execution,
): (KnownOperation & Pick<AskedOperation, 'request'>) | undefined {
  if (method !== 'POST' || !isRecord(body)) return undefined;
  const { query, operationName: name, variables: given, extensions: more } = body;
  const [operationName, variables, extensions] = [name ?? undefined, given ?? {}, more ?? {}];
  const isNamed = operationName === undefined || (typeof operationName === 'string' && operationName !== '');
  if (typeof query !== 'string' || !isNamed || !isRecord(variables) || !isRecord(extensions)) return undefined;
  // No document is to be found by its hash any more.
  if ('persistedQuery' in extensions) return undefined;

  const known = execution.known(query, operationName);
  return known && { ...known, request: { query, operationName, variables } };
}

function sendAs(reply: FastifyReply, status: number, headers: Iterable<[string, string]>, body: string): string {
  for (const [name, value] of headers) reply.header(name, value);
  reply.code(status);
  return body;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function headersOf({ headers }: FastifyRequest): HeaderMap {
  const read = new HeaderMap();
  for (const name of HEADERS_READ) {
    const value = headers[name];
    if (value !== undefined) read.set(name, value);
  }
  return read;
}

/** `?query=…`, as it was sent. */
export function searchOf({ url }: FastifyRequest): string {
  const begin = url.indexOf('?');
  return begin < 0 ? '' : url.slice(begin);
}
