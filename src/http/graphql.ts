import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestContext } from '../context/context.ts';

/** GraphQL over HTTP: Apollo Server as a route of Fastify, with no more made of a request than Apollo reads. */

/** Without its protection against forged requests, which nothing here needs, Apollo reads no others. */
const HEADERS_READ = ['accept', 'content-type'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** What stands in for what was sent behind the `?`. */
    search: string | null;
  }
}

/**
 * Answers GraphQL requests at `/graphql`.
 * @param apollo has been started
 * @param contextOf throws what a request is refused with
 */
export function serveGraphql(
  server: FastifyInstance,
  apollo: ApolloServer<RequestContext>,
  contextOf: (request: FastifyRequest) => Promise<RequestContext>,
): void {
  server.decorateRequest('search', null);
  server.route({
    // Apollo answers OPTIONS with the methods that there are.
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      const { status, headers, body } = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: request.method,
          headers: headersOf(request),
          body: request.body,
          search: request.search ?? searchOf(request),
        },
        context: () => contextOf(request),
      });
      if (body.kind === 'chunked') throw new Error('The schema has no directive that lets an answer come in parts');

      for (const [name, value] of headers) reply.header(name, value);
      reply.code(status ?? 200);
      return body.string;
    },
  });
}

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
