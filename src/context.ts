import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { accountLoaders } from './accounts/loaders.ts';
import { passwordHashing, type PasswordHashing } from './accounts/passwords.ts';
import type { Cassandra } from './cassandra/statement.ts';
import { bookLoaders } from './catalogue/loaders.ts';
import type { Config } from './config.ts';
import { libraryLoaders } from './libraries/loaders.ts';
import { EventMarks } from './events/operations.ts';
import { RollUp } from './events/rollup.ts';
import { GroupCommit } from './likes/group-commit.ts';
import { likeLoaders } from './likes/loaders.ts';
import { LiveSessions } from './sessions/liveness.ts';
import { itemLoaders } from './market/loaders.ts';
import { readingLoaders } from './reading/loaders.ts';
import { sessionLoaders } from './sessions/loaders.ts';
import { RequestCosts, type RateLimit } from './throttling/request-costs.ts';

/** What lives as long as the process, for operations and workers. */
export interface AppContext {
  readonly config: Config;
  readonly cassandra: Cassandra;
  readonly logger: FastifyBaseLogger;
  /** The time. Every operation reads it once. */
  readonly clock: () => Date;
  /** Makes a random UUID, for whatever needs an id. */
  readonly randomId: () => string;
  readonly passwords: PasswordHashing;
  readonly groupCommit: GroupCommit;
  readonly eventMarks: EventMarks;
  readonly rollUp: RollUp;
  readonly liveSessions: LiveSessions;
  readonly requestCosts: RequestCosts;
  /** Is told the name of every point of a transaction at which the process could die; tests let it die there. */
  readonly atCrashPoint: (name: string) => void;
}

/**
 * Makes the context of a process.
 * @param given what is the process's own; `clock` and `atCrashPoint` are for tests
 */
export async function appContext(
  given: Pick<AppContext, 'config' | 'cassandra' | 'logger'> & Partial<Pick<AppContext, 'clock' | 'atCrashPoint'>>,
): Promise<AppContext> {
  return {
    clock: () => new Date(),
    randomId: randomUUID,
    atCrashPoint: () => undefined,
    ...given,
    passwords: passwordHashing(given.config.passwords.argon2id),
    eventMarks: new EventMarks(),
    rollUp: new RollUp(randomUUID()),
    liveSessions: new LiveSessions(given.cassandra),
    requestCosts: new RequestCosts(randomUUID()),
    groupCommit: new GroupCommit(given.cassandra, given.config.likeShardRowsMax),
  };
}

/** Who asks: a reader in a session of theirs, or somebody signed out. */
export interface Caller {
  readonly viewerId: string | null;
  readonly sessionId: string | null;
  /** The network address, as far as it can be trusted. */
  readonly address: string;
}

/** Somebody signed out, for what asks by itself. */
export const NOBODY: Caller = { viewerId: null, sessionId: null, address: '' };

/** What lives as long as one request. */
export interface RequestContext extends AppContext {
  /** The reader that the request speaks for: whose token came with it, or who has just logged in by it. */
  viewerId: string | null;
  /** The session of that reader. */
  sessionId: string | null;
  readonly address: string;
  /** What the caller may still ask for; unset where nothing is limited. */
  rateLimit: RateLimit | undefined;
  readonly loaders: Loaders;
}

/** Each gathers the keys that one request asks for into few statements. */
export interface Loaders
  extends
    ReturnType<typeof bookLoaders>,
    ReturnType<typeof accountLoaders>,
    ReturnType<typeof likeLoaders>,
    ReturnType<typeof libraryLoaders>,
    ReturnType<typeof itemLoaders>,
    ReturnType<typeof readingLoaders>,
    ReturnType<typeof sessionLoaders> {}

/** The context of one request. */
export function requestContext(app: AppContext, caller: Caller): RequestContext {
  const context: RequestContext = {
    ...app,
    ...caller,
    rateLimit: undefined,
    loaders: {
      ...bookLoaders(app.cassandra),
      ...accountLoaders(app.cassandra),
      ...libraryLoaders(app.cassandra),
      ...itemLoaders(app.cassandra),
      ...sessionLoaders(app.cassandra),
      ...likeLoaders(app.cassandra, () => context.viewerId),
      ...readingLoaders(app.cassandra, () => context.viewerId),
    },
  };
  return context;
}
