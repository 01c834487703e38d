import type { FastifyBaseLogger } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Budget } from '../cassandra/budget.ts';
import { sharedOf, type Cassandra } from '../cassandra/statement.ts';
import type { Config } from '../config/config.ts';

/** Hashes and verifies passwords outside the event loop, one per core at a time. */
export interface PasswordHashing {
  /** @returns the salted hash in PHC format; the password itself is not stored */
  readonly hash: (password: string) => Promise<string>;
  /**
   * @param hash `undefined` for an account that does not exist; the verification takes equally long
   */
  readonly verify: (hash: string | undefined, password: string) => Promise<boolean>;
  /** True if a hash was made with other settings than the current ones. */
  readonly isOutdated: (hash: string) => boolean;
}

/** The objects that live as long as the process. Features add their own by {@link perProcess}. */
export interface AppContext {
  readonly config: Config;
  readonly cassandra: Cassandra;
  readonly logger: FastifyBaseLogger;
  /** The current time. Each operation reads it once. */
  readonly clock: () => Date;
  /** A monotonic clock in ms, for measuring durations. */
  readonly monotonicNow: () => number;
  /**
   * Runs a function at the end of this turn of the event loop, after all work that arrived together
   * has begun.
   */
  readonly atEndOfTurn: (then: () => void) => void;
  readonly randomId: () => string;
  /** The id of the current request; unset for workers and tools. */
  readonly requestId?: string;
  readonly passwords: PasswordHashing;
  /** The handlers of jobs, by kind. A server of another version may have others. */
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /**
   * Called with the name of every point of a transaction at which the process could die. Tests make
   * it wait or die there.
   */
  readonly atCrashPoint: (name: string) => void | Promise<void>;
}

/**
 * Does one page of a job. It can be repeated.
 * @param key the key of the job's subject
 * @param position the end of the previous page, '' at first
 * @param subject the job's subject, `Type:key`
 * @param cause the name of the change that began the job, if any
 * @returns the end of this page, `undefined` when the job is done
 */
export type JobHandler = (
  app: AppContext,
  key: string,
  position: string,
  subject: string,
  cause?: string,
) => Promise<string | undefined>;

/** The caller: a reader in one of their sessions, or a signed-out caller. */
export interface Caller {
  readonly viewerId: string | null;
  readonly sessionId: string | null;
  /** The network address, determined with the configured trust in proxies. */
  readonly address: string;
}

/** A signed-out caller, for the server's own requests. */
export const ANONYMOUS: Caller = { viewerId: null, sessionId: null, address: '' };

/** The caller's remaining allowance, after the current request. */
export interface RateLimit {
  /** The allowance per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** The cost of this request. */
  readonly cost: number;
  readonly resetAt: Date;
}

/** The cookie of the refresh token, for a request that asks for it. */
export interface RefreshCookie {
  /** The token that the browser sent; unset if it has none. */
  readonly sent: string | undefined;
  /** The token that the answer sets; null removes the cookie, and unset keeps it. */
  next: { readonly token: string; readonly seconds: number } | null | undefined;
}

/** The objects that live as long as one request. Features add their own by {@link perRequest}. */
export interface RequestContext extends AppContext {
  /**
   * The process's connection. Once the request is known to be a query, it is bound to the query's
   * budget.
   */
  cassandra: Cassandra;
  /**
   * The reader that the request acts for: the owner of its token, or the reader who has just logged
   * in.
   */
  viewerId: string | null;
  /** The session of that reader. */
  sessionId: string | null;
  /** The caller who sent the request and pays for it, also when it acts for somebody else. */
  readonly caller: Caller;
  readonly address: string;
  /** The caller's remaining allowance; unset if nothing is limited. */
  rateLimit: RateLimit | undefined;
  /** The cookie of the refresh token; unset if the refresh token travels in input and answer. */
  refreshCookie: RefreshCookie | undefined;
  /** Sentences about the answer that go into its `extensions`, by name; unset if there are none. */
  notes: Readonly<Record<string, string>> | undefined;
  /** The budget of statements, if the request is a query; unset for the server's own requests. */
  budget: Budget | undefined;
  /** The result that Apollo sends; unset if Apollo executes the operation itself. */
  outcome: Promise<ExecutionResult> | undefined;
  /** The time of its arrival, by {@link AppContext.monotonicNow}. */
  readonly begunAt: number;
  /** The parts that features have added to this request, by the function that makes them. */
  readonly parts: Map<object, unknown>;
}

/** The context of one request. */
export const requestContext = (app: AppContext, caller: Caller): RequestContext => ({
  ...app,
  ...caller,
  caller,
  rateLimit: undefined,
  refreshCookie: undefined,
  notes: undefined,
  budget: undefined,
  outcome: undefined,
  begunAt: app.monotonicNow(),
  parts: new Map(),
});

/** Adds a part to each process, such as a cache. It is made on first use. */
export const perProcess = <Part>(make: (app: AppContext) => Part): ((app: AppContext) => Part) =>
  // The context of a request is a copy of the context of its process, with the same connection. The
  // part must use the connection without the request's budget.
  memoised(
    (app) => make({ ...app, cassandra: sharedOf(app.cassandra) }),
    ({ cassandra }) => sharedOf(cassandra),
  );

/** Adds a part to each request, such as a loader. It is made on first use. */
export const perRequest =
  <Part extends object>(make: (context: RequestContext) => Part) =>
  (context: RequestContext): Part => {
    const known = context.parts.get(make) as Part | undefined;
    if (known) return known;
    const made = make(context);
    context.parts.set(make, made);
    return made;
  };

/**
 * Returns a function that makes a value once per context.
 * @param keyOf returns the object that identifies a context; the value is kept as long as this
 *   object
 */
export function memoised<Context, Part>(make: (context: Context) => Part, keyOf: (context: Context) => object) {
  const made = new WeakMap<object, { readonly part: Part }>();
  return (context: Context): Part => {
    const key = keyOf(context);
    let known = made.get(key);
    if (!known) made.set(key, (known = { part: make(context) }));
    return known.part;
  };
}
