import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { Counter, Gauge } from 'prom-client';
import type { AppContext, Caller } from '../context/context.ts';
import { formatError, overloaded, RequestError, tooManyStreams, refusedToken } from '../graphql/errors.ts';
import { hashedAddress } from '../throttling/addresses.ts';
import { SECOND_MS } from '../time/units.ts';
import { tooLarge } from './budgets.ts';
import { noRoomError } from './bytes-in-flight.ts';
import { signedOutOf } from './caller.ts';
import { answerOf } from './errors.ts';
import { isEnding } from './health.ts';
import { logFailure } from './request-log.ts';
import type { StreamForm } from './stream-forms.ts';

/**
 * The open streams of subscriptions. A stream takes the next event only when its client has read
 * the one before, so a slow client costs no memory. It ends with an error that tells the client
 * what to do, or without one if the client is gone or does not read.
 */

/** The time between two looks at all streams. */
const LOOK_MS = SECOND_MS;
/** The maximum time without an event after which a heartbeat is sent. Proxies wait for longer. */
const SILENT_MS = 12 * SECOND_MS;
/** The time within which a client must read some of the bytes that wait for it. */
const STALLED_MS = 5 * SECOND_MS;
/** The number of seconds over which the clients of an ending server spread. */
const SPREAD_SECONDS = 5;
const RETRY_AFTER_SECONDS = 5;

/** The reasons why streams end. */
const REASONS = {
  CLIENT: 'the client has closed the connection',
  SIGNED_OUT: 'the access token has expired, or its session has ended',
  SLOW: 'the client does not read',
  SERVER: 'the server is about to end',
  ERROR: 'an event could not be made',
} as const;
type Reason = keyof typeof REASONS;

const openStreams = new Gauge({
  name: 'subscription_streams_open',
  help: 'Open streams of subscriptions',
});
const events = new Counter({
  name: 'subscription_events_total',
  help: 'Events sent to subscribers',
});
const ended = new Counter({
  name: 'subscription_streams_ended_total',
  help: `Streams that have ended, by reason: ${Object.entries(REASONS)
    .map(([reason, text]) => `${reason}: ${text}`)
    .join('; ')}`,
  labelNames: ['reason'],
});
for (const reason of Object.keys(REASONS)) ended.inc({ reason }, 0);

/** The number of open streams of each caller, and the maximum of each. */
class Callers {
  readonly #counts = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  isFull(caller: string): boolean {
    return (this.#counts.get(caller) ?? 0) >= this.#most;
  }

  add(caller: string): void {
    this.#counts.set(caller, (this.#counts.get(caller) ?? 0) + 1);
  }

  remove(caller: string): void {
    const left = (this.#counts.get(caller) ?? 0) - 1;
    if (left > 0) this.#counts.set(caller, left);
    else this.#counts.delete(caller);
  }
}

/** The streams of a server. */
export class Streams {
  readonly #app: AppContext;
  readonly #open = new Set<Stream>();
  readonly #addresses: Callers;
  readonly #readers: Callers;
  /** The number of streams that are open or about to be. */
  #admitted = 0;

  constructor(server: FastifyInstance, app: AppContext) {
    this.#app = app;
    this.#addresses = new Callers(app.config.subscriptions.perAddress);
    this.#readers = new Callers(app.config.subscriptions.perReader);
    const looking = setInterval(() => {
      this.#look();
    }, LOOK_MS).unref();
    server.addHook('preClose', async () => {
      this.#endAll();
    });
    server.addHook('onClose', (_server, done) => {
      clearInterval(looking);
      done();
    });
  }

  /**
   * Admits a stream of a caller.
   * @returns a function that ends the admission; it may be called again
   * @throws `OVERLOADED` if this server has as many streams as it may, or is about to end;
   *   `RATE_LIMITED` if the caller has
   */
  admit({ viewerId, address }: Caller): () => void {
    const { max, perAddress, perReader } = this.#app.config.subscriptions;
    if (isEnding(this.#app)) throw aboutToEnd();
    if (this.#admitted >= max)
      throw overloaded('This server has as many subscriptions as it may.', RETRY_AFTER_SECONDS);
    const from = hashedAddress(this.#app.config, address);
    if (this.#addresses.isFull(from)) throw tooManyStreams(`of one address, ${perAddress}`, RETRY_AFTER_SECONDS);
    if (viewerId !== null && this.#readers.isFull(viewerId))
      throw tooManyStreams(`of one reader, ${perReader}`, RETRY_AFTER_SECONDS);

    this.#admitted++;
    this.#addresses.add(from);
    if (viewerId !== null) this.#readers.add(viewerId);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#admitted--;
      this.#addresses.remove(from);
      if (viewerId !== null) this.#readers.remove(viewerId);
    };
  }

  /**
   * Answers a request with a stream of results.
   * @param leave ends the admission of the stream
   * @returns the stream, to be sent
   */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    form: StreamForm,
    results: AsyncGenerator<ExecutionResult>,
    leave: () => void,
  ): Readable {
    const { connectionIdleMs } = this.#app.config.http;
    const silentMs = Math.min(SILENT_MS, connectionIdleMs / 3);
    const stream = new Stream(this.#app, request, { form, results, silentMs });
    this.#open.add(stream);
    openStreams.inc();
    stream.once('close', () => {
      this.#open.delete(stream);
      openStreams.dec();
      leave();
      ended.inc({ reason: stream.reason });
      request.log.info({ reason: stream.reason }, `a subscription ended: ${REASONS[stream.reason]}`);
    });
    reply.type(form.contentType);
    // Nginx holds back answers without this header until they have ended.
    reply.header('x-accel-buffering', 'no');
    // A connection that is kept open would delay the end of the server.
    reply.header('connection', 'close');
    return stream;
  }

  #look(): void {
    if (isEnding(this.#app)) this.#endAll();
    else for (const stream of this.#open) stream.look();
  }

  #endAll(): void {
    for (const stream of this.#open) stream.endWith(aboutToEnd(), 'SERVER');
  }
}

/** Clients that come back at different moments do not overload the other servers. */
const aboutToEnd = (): RequestError =>
  overloaded('This server is about to end.', Math.ceil(Math.random() * SPREAD_SECONDS));

/** One stream: a source of bytes that waits until its client has read them. */
class Stream extends Readable {
  /** The reason why it has ended, or would end now. */
  reason: Reason = 'CLIENT';
  readonly #app: AppContext;
  readonly #request: FastifyRequest;
  readonly #form: StreamForm;
  readonly #results: AsyncGenerator<ExecutionResult>;
  readonly #silentMs: number;
  readonly #signedOut: ReturnType<typeof signedOutOf>;
  #isAwaited = false;
  #isOver = false;
  #sentAt: number;
  /** The bytes that the client had taken at the last look, and since when it has taken no more. */
  #taken = { bytes: 0, since: 0 };

  constructor(
    app: AppContext,
    request: FastifyRequest,
    of: { form: StreamForm; results: AsyncGenerator<ExecutionResult>; silentMs: number },
  ) {
    // The next event is made only once the one before is on its way.
    super({ highWaterMark: 1 });
    this.#app = app;
    this.#request = request;
    this.#form = of.form;
    this.#results = of.results;
    this.#silentMs = of.silentMs;
    this.#signedOut = signedOutOf(app, request);
    this.#sentAt = app.monotonicNow();
    this.push(of.form.begin);
  }

  override _read(): void {
    if (this.#isAwaited || this.#isOver) return;
    this.#isAwaited = true;
    this.#results.next().then(
      ({ value, done }) => {
        this.#isAwaited = false;
        if (this.#isOver) return;
        if (done) this.#end('');
        else this.#sendEvent(value);
      },
      (error: unknown) => {
        this.endWith(error, 'ERROR');
      },
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isOver = true;
    void this.#results.return(undefined);
    done(error);
  }

  /** Sends an error as the last event. */
  endWith(error: unknown, reason: Reason): void {
    if (this.#isOver) return;
    this.reason = reason;
    this.#end(this.#form.event(JSON.stringify(answerOf(error, (cause) => logFailure(this.#request, cause)))));
  }

  /** Ends the stream if its caller is not signed in any more or does not read it. */
  look(): void {
    const now = this.#app.monotonicNow();
    if (this.#isStalled(now)) {
      this.reason = 'SLOW';
      this.#request.raw.socket.destroy();
      return;
    }
    if (this.readableLength === 0 && now - this.#sentAt >= this.#silentMs) this.#send(this.#form.heartbeat);
    this.#signedOut().then(
      (reason) => {
        if (reason) this.endWith(refusedToken(reason), 'SIGNED_OUT');
      },
      // It is unknown whether the session is open, so the next look asks again.
      () => undefined,
    );
  }

  #isStalled(now: number): boolean {
    const { socket } = this.#request.raw;
    const bytes = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength + this.readableLength === 0 || bytes > this.#taken.bytes)
      this.#taken = { bytes, since: now };
    return now - this.#taken.since >= STALLED_MS;
  }

  /** Sends an event, unless it is larger than an answer may be, or there is no room for it. */
  #sendEvent({ data, errors }: ExecutionResult): void {
    const report = (cause: unknown) => logFailure(this.#request, cause);
    const formatted = errors?.map((error) => formatError(error.toJSON(), error, report));
    const text = this.#form.event(JSON.stringify({ data, errors: formatted }));
    const { held } = this.#request;
    if (text.length > this.#app.config.queries.answerBytesMax) {
      this.endWith(tooLarge(this.#app.config), 'ERROR');
    } else if (held?.canBecome(text.length) === false) {
      this.endWith(noRoomError(), 'ERROR');
    } else {
      held?.become(text.length);
      events.inc();
      this.#send(text);
    }
  }

  #send(text: string): void {
    if (this.#isOver) return;
    this.#sentAt = this.#app.monotonicNow();
    this.push(text);
  }

  #end(last: string): void {
    this.#isOver = true;
    void this.#results.return(undefined);
    this.push(last + this.#form.end);
    this.push(null);
  }
}
