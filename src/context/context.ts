import type { FastifyBaseLogger } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Budget } from '../cassandra/budget.ts';
import { sharedOf, type Cassandra } from '../cassandra/statement.ts';
import type { Config } from '../config/config.ts';

/** Hashes and verifies passwords beside everything else, as many at once as there are cores. */
export interface PasswordHashing {
  /** @returns the hash in PHC format, salted; the password itself is kept nowhere */
  readonly hash: (password: string) => Promise<string>;
  /** @param hash `undefined` for an account that does not exist; it takes as long as one that does */
  readonly verify: (hash: string | undefined, password: string) => Promise<boolean>;
  /** Whether a hash was made with other settings than those of now. */
  readonly isOutdated: (hash: string) => boolean;
}

/** What lives as long as the process, for operations and workers. Features add parts of their own, by {@link perProcess}. */
export interface AppContext {
  readonly config: Config;
  readonly cassandra: Cassandra;
  readonly logger: FastifyBaseLogger;
  /** The time. Every operation reads it once. */
  readonly clock: () => Date;
  /** A clock that is never set, in ms since any moment: for how long something takes. */
  readonly steady: () => number;
  /** Does something when all that has come in together was looked at: at the end of this turn of the event loop. */
  readonly atEndOfTurn: (then: () => void) => void;
  /** Makes a random UUID, for whatever needs an id. */
  readonly randomId: () => string;
  readonly passwords: PasswordHashing;
  /** Who does which kind of job; a server of another version may know others. */
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** Is told the name of every point of a transaction at which the process could die; tests let it wait or die there. */
  readonly atCrashPoint: (name: string) => void | Promise<void>;
}

/**
 * Does a page of a job. May be repeated.
 * @param key of what the job is about
 * @param position where the last page ended, '' at first
 * @returns where this one ended, `undefined` when all is done
 */
export type JobHandler = (app: AppContext, key: string, position: string) => Promise<string | undefined>;

/** Who asks: a reader in a session of theirs, or somebody signed out. */
export interface Caller {
  readonly viewerId: string | null;
  readonly sessionId: string | null;
  /** The network address, as far as it can be trusted. */
  readonly address: string;
}

/** Somebody signed out, for what the server itself asks. */
export const ANONYMOUS: Caller = { viewerId: null, sessionId: null, address: '' };

/** What a caller may still ask for, the request that asks included. */
export interface RateLimit {
  /** A minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Of this request. */
  readonly cost: number;
  readonly resetAt: Date;
}

/** What lives as long as one request. Features add parts of their own, by {@link perRequest}. */
export interface RequestContext extends AppContext {
  /** The process's connection; of a query with its budget, from the moment on at which it is known to be one. */
  cassandra: Cassandra;
  /** The reader that the request speaks for: whose token came with it, or who has just logged in by it. */
  viewerId: string | null;
  /** The session of that reader. */
  sessionId: string | null;
  readonly address: string;
  /** What the caller may still ask for; unset where nothing is limited. */
  rateLimit: RateLimit | undefined;
  /** What it may ask of Cassandra if it is a query; unset for what the server itself asks. */
  budget: Budget | undefined;
  /** What has come of it before Apollo answers it; unset where Apollo is to have it executed. */
  outcome: Promise<ExecutionResult> | undefined;
  /** When it came, by {@link AppContext.steady}. */
  readonly begunAt: number;
  /** The parts that features have added to this request, by what makes them. */
  readonly parts: Map<object, unknown>;
}

/** The context of one request. */
export const requestContext = (app: AppContext, caller: Caller): RequestContext => ({
  ...app,
  ...caller,
  rateLimit: undefined,
  budget: undefined,
  outcome: undefined,
  begunAt: app.steady(),
  parts: new Map(),
});

/** A part that a feature adds to every process, such as a cache; made with its first use. */
export const perProcess = <Part>(make: (app: AppContext) => Part): ((app: AppContext) => Part) =>
  // The context of a request is a copy of its process's, with the same connection; its budget ends with it.
  memoised(
    (app) => make({ ...app, cassandra: sharedOf(app.cassandra) }),
    ({ cassandra }) => sharedOf(cassandra),
  );

/** A part that a feature adds to every request, such as a loader; made with its first use. */
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
 * Makes something once of each context.
 * @param keyOf what a context is told by; what was made is kept as long as this
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
