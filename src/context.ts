import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { accountLoaders } from './accounts/loaders.ts';
import { startPasswordHashing, type PasswordHashing } from './accounts/passwords.ts';
import type { Cassandra } from './cassandra/statement.ts';
import { bookLoaders } from './catalogue/loaders.ts';
import type { Config } from './config.ts';
import { GroupCommit } from './likes/group-commit.ts';
import { likeLoaders } from './likes/loaders.ts';

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
    passwords: await startPasswordHashing(),
    groupCommit: new GroupCommit(given.cassandra, given.config.likeShardRowsMax),
  };
}

/** What lives as long as one request. */
export interface RequestContext extends AppContext {
  /** The reader that the request speaks for: whose token came with it, or who has just logged in by it. */
  viewerId: string | null;
  readonly loaders: Loaders;
}

/** Each gathers the keys that one request asks for into few statements. */
export interface Loaders
  extends ReturnType<typeof bookLoaders>, ReturnType<typeof accountLoaders>, ReturnType<typeof likeLoaders> {}

/** The context of one request. */
export function requestContext(app: AppContext, viewerId: string | null): RequestContext {
  const context: RequestContext = {
    ...app,
    viewerId,
    loaders: {
      ...bookLoaders(app.cassandra),
      ...accountLoaders(app.cassandra),
      ...likeLoaders(app.cassandra, () => context.viewerId),
    },
  };
  return context;
}
