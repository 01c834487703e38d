import { ANONYMOUS, requestContext, type AppContext, type RequestContext } from '../../../src/context/context.ts';
import { RequestError, UserError } from '../../../src/graphql/errors.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Library } from '../library.ts';
import type { Process } from '../process.ts';
import type { World } from '../world.ts';
import { ifUnavailable } from '../servers.ts';

/** The environment of a caller, who makes one call of a real operation on some server. */
export interface Scene {
  readonly world: World;
  readonly cluster: Cluster;
  readonly library: Library;
  readonly app: AppContext;
  readonly process: Process;
  /** Mistakes that are found during a call. */
  readonly problems: string[];
}

/** The outcome of a call. */
export type Outcome = 'DONE' | 'REFUSED' | 'UNKNOWN';

export type Act = (scene: Scene) => Promise<Outcome>;

export const contextOf = ({ app }: Scene, viewerId: string | null, sessionId: string | null = null): RequestContext =>
  requestContext(app, { ...ANONYMOUS, viewerId, sessionId });

/** Makes a call and returns its outcome. If its server dies, the caller never gets the outcome. */
export async function attempt<Result>(
  { process }: Scene,
  call: () => Promise<Result>,
): Promise<{ readonly outcome: 'DONE'; readonly result: Result } | { readonly outcome: 'REFUSED' | 'UNKNOWN' }> {
  const answered = call().then(
    (result) => ({ outcome: 'DONE', result }) as const,
    (error: unknown) => {
      // The product reports that nothing was done.
      if (error instanceof UserError || error instanceof RequestError) return { outcome: 'REFUSED' } as const;
      ifUnavailable(error);
      return { outcome: 'UNKNOWN' } as const;
    },
  );
  const known = await process.orDeath(answered);
  return known === 'unknown' ? { outcome: 'UNKNOWN' } : known;
}
