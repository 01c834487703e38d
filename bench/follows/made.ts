import pLimit from 'p-limit';
import { versionAfter, versioned } from '../../src/aggregates/state.ts';
import { inBatches } from '../../src/cassandra/batches.ts';
import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { batch } from '../../src/cassandra/statement.ts';
import type { AppContext } from '../../src/context/context.ts';
import { byFollowedAt, followersId, ofFollowed } from '../../src/follows/aggregate.ts';
import { countedStates, recount } from '../../src/follows/counts.ts';
import { followStates, type FollowState } from '../../src/follows/tables.ts';
import { groupCommit, placeFor } from '../../src/member-sets/operations.ts';
import { decideMany } from '../../tools/bulk/decide.ts';

/** Follows in large numbers. */

const AT_ONCE = 64;
/** The number of followers for whom the shard is chosen once. */
const FOLLOWERS_PER_PLACE = 500;

const NEVER = { requested: false, requested_at: null, hour_began: null, hour_follows: 0 };

/** Makes the first state of a follow. */
function followed(app: AppContext, shard: number, at: Date): FollowState & { readonly followed_at: Date } {
  return versioned<FollowState & { readonly followed_at: Date }>(
    { ...NEVER, followed: true, followed_at: at, shard },
    versionAfter(app, undefined, at),
  );
}

/** Lets readers without accounts follow a reader, with all the rows of their follows. */
export async function makeFollowers(app: AppContext, followedId: string, count: number): Promise<void> {
  const followers = Array.from({ length: count }, () => app.randomId());
  const limit = pLimit(AT_ONCE);
  for (const part of keysInParts(followers, FOLLOWERS_PER_PLACE)) {
    const { shard } = await placeFor(app, followersId(followedId));
    await limit.map(part, async (userId) => {
      const key = { userId, followedId };
      const state = followed(app, shard, app.clock());
      await countedStates.compareAndSet(app.cassandra, { user_id: userId, followed_id: followedId }, null, state);
      await batch(
        app.cassandra,
        [byFollowedAt, ofFollowed].flatMap((list) => list.writes(key, state, undefined)),
      );
      const { version, followed_at: likedAt } = state;
      const shown = { fullName: 'Somebody', audience: 'EVERYONE' as const };
      await groupCommit(app).apply(followersId(followedId), shard, { userId, version, likedAt, shown });
    });
  }
}

/**
 * Makes the states of a reader who follows some readers without accounts, and has followed others,
 * without the lists that follow from them.
 */
export async function makeStates(app: AppContext, userId: string, now: number, former: number): Promise<void> {
  const state = followed(app, 0, app.clock());
  const wanted = Array.from({ length: now + former }, (_, index) => {
    return [app.randomId(), { ...state, followed: index < now }] as const;
  });
  await decide(app, userId, new Map(wanted));
}

/** Lets a reader follow others, without being among their followers. */
export async function makeFollows(app: AppContext, userId: string, followedIds: readonly string[]): Promise<void> {
  const state = followed(app, 0, app.clock());
  await decide(app, userId, new Map(followedIds.map((id) => [id, state])));
  const writes = followedIds.flatMap((followedId) => byFollowedAt.writes({ userId, followedId }, state, undefined));
  for (const part of inBatches(writes, () => userId)) await batch(app.cassandra, part);
}

/** Makes the states of a reader's follows, by the other reader. */
async function decide(app: AppContext, userId: string, states: ReadonlyMap<string, FollowState>): Promise<void> {
  await decideMany(
    app,
    states,
    (followed_id, next) => followStates.bind({ user_id: userId, followed_id }, null, next),
    () => Promise.resolve(new Map<string, FollowState>()),
  );
  await recount(app, userId);
}
