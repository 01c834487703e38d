import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import { overloaded } from '../graphql/errors.ts';
import { answerOf } from './errors.ts';

/**
 * How many requests are under way at once. What comes beyond is refused at once, before anything is parsed, authenticated or
 * read: what is under way is answered in time, and a refusal costs next to nothing.
 */

/** What is counted apart, so that a crowd of one kind leaves room for the others. */
export type RequestKind = 'query' | 'mutation' | 'export';

declare module 'fastify' {
  interface FastifyRequest {
    /** As what it was admitted, while it is under way. */
    admittedAs: RequestKind | null;
  }
}

/** Of all servers of this process. */
const underWay: Record<RequestKind, number> = { query: 0, mutation: 0, export: 0 };
// Asked for its value when somebody looks: it changes twice with every request.
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
  help: 'Requests that were refused as too many of their kind were under way',
  labelNames: ['kind'],
});

/** What was too much a moment ago is over by then. */
const RETRY_AFTER_SECONDS = 1;
const REFUSAL = overloaded('This server has more to do than it can.', RETRY_AFTER_SECONDS);
/** Made once: there is no time for it when it is needed. */
const REFUSAL_BODY = JSON.stringify(answerOf(REFUSAL));

/** Admits the requests of one server. */
export class Admission {
  readonly #most: Readonly<Record<RequestKind, number>>;
  readonly #underWay: Record<RequestKind, number> = { query: 0, mutation: 0, export: 0 };

  /** @param most so many of each kind are under way at once */
  constructor(most: Readonly<Record<RequestKind, number>>) {
    this.#most = most;
  }

  /** Admits the GraphQL requests of a part of a server. */
  admitGraphql(server: FastifyInstance): void {
    // Before the body is read: whether it is a query is not yet known.
    server.addHook('onRequest', (request, reply, done) => {
      if (this.#isFull('query') && (request.method === 'GET' || this.#isFull('mutation'))) refuse('query', reply);
      else done();
    });
    // Once it is there, for however long it took to come in.
    server.addHook('preHandler', (request, reply, done) => {
      if (this.#admit(kindOf(request), request, reply)) done();
    });
    // The work is done then, even if the answer takes long to go out.
    server.addHook('onSend', (request, _reply, _payload, done) => {
      this.#end(request);
      done();
    });
  }

  /** Admits an export, which is under way until it has gone out. */
  readonly admitExport = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (!this.#admit('export', request, reply)) return;
    reply.raw.once('close', () => {
      this.#end(request);
    });
    done();
  };

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
 * As what a request counts. What speaks of mutations at all counts as one: the text is not yet parsed, and none that is one
 * gets by.
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
