import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { AppContext } from '../context/context.ts';
import { overloaded, RateLimitedError, type RequestError } from '../graphql/errors.ts';
import { hashedAddress } from '../throttling/addresses.ts';
import { bytesInFlight, noRoomError, type HeldBytes } from './bytes-in-flight.ts';
import { answerOf } from './errors.ts';

/**
 * Limits on the number of concurrent requests, and on the bytes that they hold. A request over a
 * limit is refused before anything is parsed, authenticated or read. A refusal therefore costs
 * almost nothing, and the admitted requests are answered in time.
 */

/**
 * The kinds of requests. Each kind is counted separately, so that too many of one kind leave room
 * for the others.
 */
export type RequestKind = 'query' | 'mutation' | 'import';

declare module 'fastify' {
  interface FastifyRequest {
    /** The kind that the request was admitted as; null unless it is in progress. */
    admittedAs: RequestKind | null;
    /** The bytes that the request holds until it has ended. */
    held: HeldBytes | null;
    /** Set once the request has begun. */
    end: RequestEnd | null;
  }
}

/** The admitted requests of all servers in this process. */
const underWay: Record<RequestKind, number> = { query: 0, mutation: 0, import: 0 };
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
  help:
    'Requests that were refused because too many of their kind were in progress, ' +
    'or because of the bytes that they would hold',
  labelNames: ['kind'],
});

/** The time after which a client should try again, when a burst is usually over. */
const RETRY_AFTER_SECONDS = 1;
/** The bodies are made once, because there is no time for it under load. */
const REFUSAL = JSON.stringify(answerOf(fullError()));
const NO_ROOM = JSON.stringify(answerOf(noRoomError()));

/**
 * The maximum number of bytes of a body other than a file. A file up to this size is a short one.
 */
export const BODY_BYTES_MAX = 256 * 1_024;

export class Admission {
  readonly #most: Readonly<Record<RequestKind, number>>;
  readonly #underWay: Record<RequestKind, number> = { query: 0, mutation: 0, import: 0 };

  /** @param most the maximum number of concurrent requests of each kind */
  constructor(most: Readonly<Record<RequestKind, number>>) {
    this.#most = most;
  }

  /** Admits the GraphQL requests of one part of a server. */
  admitGraphql(server: FastifyInstance): void {
    // The kind is unknown before the body is read. A GET is always a query; a POST is refused here
    // only if neither kind has room.
    server.addHook('onRequest', (request, reply, done) => {
      if (this.#isFull('query') && (request.method === 'GET' || this.#isFull('mutation')))
        refuse('query', REFUSAL, reply);
      else done();
    });
    // A request is counted from the moment its body has arrived, even if that took long.
    server.addHook('preHandler', (request, reply, done) => {
      if (this.#admit(kindOf(request), request, reply)) done();
    });
    // The work is done at this point, even if sending the answer takes a long time.
    server.addHook('onSend', (request, _reply, _payload, done) => {
      this.#end(request);
      done();
    });
  }

  /**
   * Admits an import. A hook for `preHandler`. An import is in progress from the arrival of its
   * whole file until its answer is sent. Long imports do not keep out a short one, which takes no
   * longer than other requests.
   */
  readonly admitImport = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (Buffer.isBuffer(request.body) && request.body.length <= BODY_BYTES_MAX) {
      done();
      return;
    }
    if (!this.#admit('import', request, reply)) return;
    request.end?.whenOver(() => {
      this.#end(request);
    });
    done();
  };

  /**
   * Reads something as a query.
   * @throws `OVERLOADED` (503) if as many queries are in progress as may be
   */
  async asQuery<Read>(read: () => Promise<Read>): Promise<Read> {
    if (this.#isFull('query')) throw fullError();
    this.#begin('query');
    try {
      return await read();
    } finally {
      this.#endOf('query');
    }
  }

  #isFull(kind: RequestKind): boolean {
    return this.#underWay[kind] >= this.#most[kind];
  }

  #admit(kind: RequestKind, request: FastifyRequest, reply: FastifyReply): boolean {
    if (this.#isFull(kind)) {
      refuse(kind, REFUSAL, reply);
      return false;
    }
    this.#begin(kind);
    request.admittedAs = kind;
    return true;
  }

  #end(request: FastifyRequest): void {
    const { admittedAs: kind } = request;
    if (kind === null) return;
    this.#endOf(kind);
    request.admittedAs = null;
  }

  #begin(kind: RequestKind): void {
    this.#underWay[kind]++;
    underWay[kind]++;
  }

  #endOf(kind: RequestKind): void {
    this.#underWay[kind]--;
    underWay[kind]--;
  }
}

/**
 * Returns the kind under which a request is counted. A text that contains the word "mutation" is
 * counted as one: it is not yet parsed, and no real mutation may pass as a query.
 */
function kindOf({ body }: FastifyRequest): RequestKind {
  const { query } = (body ?? {}) as { query?: unknown };
  return typeof query === 'string' && query.includes('mutation') ? 'mutation' : 'query';
}

/** Counts the bytes that each request to a server holds, and refuses a body that does not fit. */
export function countBytes(server: FastifyInstance, { config }: AppContext): void {
  server.decorateRequest('held', null);
  server.decorateRequest('end', null);
  server.addHook('onRequest', (request, reply, done) => {
    const held = bytesInFlight.begin(hashedAddress(config, request.ip));
    request.held = held;
    request.end = new RequestEnd(request, reply);
    request.end.whenOver(() => {
      held.end();
    });
    // Announced bytes are not yet held, so a client that sends nothing does not block others. A
    // body that would never fit is refused when it is read, because sending it again is useless.
    const announced = Number(request.headers['content-length'] ?? 0);
    if (held.fits(announced) || announced > bytesInFlight.callerMost) done();
    else refuse('bytes', NO_ROOM, reply);
  });
  server.addHook('preHandler', ({ end }, reply, done) => {
    // Nobody waits for the answer to a request that has ended, and none of its bytes are counted.
    if (end?.beginWork() === false) reply.hijack();
    else done();
  });
  server.addHook('onSend', ({ end }, _reply, payload, done) => {
    end?.endWork();
    done(null, payload);
  });
}

/**
 * Admits a request of a reader until it has ended.
 * @throws {RateLimitedError} if another request of the reader is in progress
 */
export type AdmitOne = (request: FastifyRequest, readerId: string) => void;

/** Returns a function that admits one request of a kind of each reader at a time. */
export function onePerReader(why: string): AdmitOne {
  const readers = new Set<string>();
  return (request, readerId) => {
    if (readers.has(readerId)) throw new RateLimitedError(why, RETRY_AFTER_SECONDS);
    readers.add(readerId);
    request.end?.whenOver(() => {
      readers.delete(readerId);
    });
  };
}

/**
 * The end of a request: its answer was sent, or its connection is closed and its work is done. A
 * client may close the connection long before the work is done.
 */
class RequestEnd {
  #isClosed: boolean;
  #isWorkedOn = false;
  readonly #waiting: (() => void)[] = [];

  constructor({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply) {
    this.#isClosed = socket.destroyed;
    response.once('close', () => {
      this.#isClosed = true;
      this.#look();
    });
  }

  /** Begins the work, once the body has arrived. Returns false if the request has already ended. */
  beginWork(): boolean {
    this.#isWorkedOn = !this.#isClosed;
    return this.#isWorkedOn;
  }

  /** Ends the work, once there is an answer or a stream of one. */
  endWork(): void {
    this.#isWorkedOn = false;
    this.#look();
  }

  /** Calls a function when the request ends; immediately if it has already ended. */
  whenOver(call: () => void): void {
    this.#waiting.push(call);
    this.#look();
  }

  #look(): void {
    if (!this.#isClosed || this.#isWorkedOn) return;
    for (const call of this.#waiting.splice(0)) call();
  }
}

/** Counts a body that does not fit, and makes the error that refuses it. */
export function refusedBody(): RequestError {
  refused.inc({ kind: 'bytes' });
  return noRoomError();
}

/** Returns the error for a request when as many of its kind are in progress as may be. */
function fullError(): RequestError {
  return overloaded('This server is overloaded.', RETRY_AFTER_SECONDS);
}

/** @param kind the kind of the limit that was exceeded */
function refuse(kind: RequestKind | 'bytes', body: string, reply: FastifyReply): void {
  refused.inc({ kind });
  reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).type('application/json; charset=utf-8').send(body);
}
