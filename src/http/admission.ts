import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import { overloaded } from '../graphql/errors.ts';
import { answerOf } from './errors.ts';

/**
 * Limits on the requests under way at once. A request over the limit is refused before anything is
 * parsed, authenticated or read. So the requests under way are answered in time, and a refusal
 * costs next to nothing.
 */

/**
 * The kinds of requests that are counted apart, so that a crowd of one kind leaves room for the
 * others.
 */
export type RequestKind = 'query' | 'mutation' | 'export' | 'import';

declare module 'fastify' {
  interface FastifyRequest {
    /** The kind under which the request was admitted; null unless it is under way. */
    admittedAs: RequestKind | null;
  }
}

/** The requests under way in all servers of this process. */
const underWay: Record<RequestKind, number> = { query: 0, mutation: 0, export: 0, import: 0 };
// The gauge is computed only when it is read, because it changes twice with every request.
new Gauge({
  name: 'http_requests_under_way',
  help: 'Requests that were admitted and are not yet answered, by kind',
  labelNames: ['kind'],
  collect() {
    for (const [kind, count] of Object.entries(underWay)) this.set({ kind }, count);
  },
});
const refused = new Counter({
  name: 'http_requests_refused_total',
  help: 'Requests that were refused because too many of their kind were under way',
  labelNames: ['kind'],
});

/** The wait after which a client should try again: a burst is over by then. */
const RETRY_AFTER_SECONDS = 1;
const REFUSAL = overloaded('This server is overloaded.', RETRY_AFTER_SECONDS);
/** The body is made once, because there is no time for it under load. */
const REFUSAL_BODY = JSON.stringify(answerOf(REFUSAL));

export class Admission {
  readonly #most: Readonly<Record<RequestKind, number>>;
  readonly #underWay: Record<RequestKind, number> = { query: 0, mutation: 0, export: 0, import: 0 };

  /** @param most the maximum number of requests of each kind under way at once */
  constructor(most: Readonly<Record<RequestKind, number>>) {
    this.#most = most;
  }

  /** Admits the GraphQL requests of one part of a server. */
  admitGraphql(server: FastifyInstance): void {
    // The kind is unknown before the body is read. A GET is always a query; a POST is refused here
    // only if neither kind has room.
    server.addHook('onRequest', (request, reply, done) => {
      if (this.#isFull('query') && (request.method === 'GET' || this.#isFull('mutation'))) refuse('query', reply);
      else done();
    });
    // A request counts from the moment its body has arrived, however long that took.
    server.addHook('preHandler', (request, reply, done) => {
      if (this.#admit(kindOf(request), request, reply)) done();
    });
    // The work is done at this point, even if the answer takes long to go out.
    server.addHook('onSend', (request, _reply, _payload, done) => {
      this.#end(request);
      done();
    });
  }

  /**
   * Returns a hook that admits an export or an import, which is under way until its answer has gone
   * out.
   */
  admitLong(kind: 'export' | 'import') {
    return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      if (!this.#admit(kind, request, reply)) return;
      reply.raw.once('close', () => {
        this.#end(request);
      });
      done();
    };
  }

  #isFull(kind: RequestKind): boolean {
    return this.#underWay[kind] >= this.#most[kind];
  }

  #admit(kind: RequestKind, request: FastifyRequest, reply: FastifyReply): boolean {
    if (this.#isFull(kind)) {
      refuse(kind, reply);
      return false;
    }
    this.#underWay[kind]++;
    underWay[kind]++;
    request.admittedAs = kind;
    return true;
  }

  #end(request: FastifyRequest): void {
    const { admittedAs: kind } = request;
    if (kind === null) return;
    this.#underWay[kind]--;
    underWay[kind]--;
    request.admittedAs = null;
  }
}

/**
 * Returns the kind that a request counts as. A text that contains the word "mutation" counts as
 * one: it is not yet parsed, and no real mutation may pass as a query.
 */
function kindOf({ body }: FastifyRequest): RequestKind {
  const { query } = (body ?? {}) as { query?: unknown };
  return typeof query === 'string' && query.includes('mutation') ? 'mutation' : 'query';
}

function refuse(kind: RequestKind, reply: FastifyReply): void {
  refused.inc({ kind });
  reply
    .code(503)
    .header('retry-after', String(RETRY_AFTER_SECONDS))
    .type('application/json; charset=utf-8')
    .send(REFUSAL_BODY);
}
