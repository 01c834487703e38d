import { updatePrivacy } from '../../../src/accounts/changes.ts';
import { shardOf } from '../../../src/cassandra/shards.ts';
import { followerTallyOf } from '../../../src/follows/lists.ts';
import { acceptFollower, follow, removeFollower, unfollow } from '../../../src/follows/operations.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { viewerFollows } from '../../../src/identity/following.ts';
import { existingAccount } from '../../../src/identity/operations.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/** Returns whether a reader may approve their followers: a third of all readers. */
const isCareful = (userId: string) => shardOf(userId, 3) === 0;

const inputOf = (userId: string) => ({ id: encodeId({ type: 'User', key: userId }) });

/**
 * A reader follows another one, ends that, or reads whether they follow them. A reader who may
 * approve their followers also answers requests.
 */
export async function callFollows(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [userId, followedId] = [world.pick(library.readers), world.pick(library.readers)];
  if (isCareful(followedId)) return callRequests(scene, userId, followedId);

  const verb = world.pick(['like', 'like', 'unlike', 'read'] as const);
  // Follows have the same possible histories as likes.
  const call = begin(library.follows, `${userId} ${followedId}`, verb, world.steps);
  const came = await attempt(scene, () => changeOrRead(scene, userId, followedId, verb));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function changeOrRead(
  scene: Scene,
  userId: string,
  followedId: string,
  verb: 'like' | 'unlike' | 'read',
): Promise<boolean> {
  const context = contextOf(scene, userId);
  if (verb === 'read') {
    const { count, isExact } = await followerTallyOf(context, await existingAccount(context, followedId));
    if (isExact && count < 0) scene.problems.push(`${followedId} is followed by ${count}`);
    return viewerFollows(context, followedId);
  }
  return (await (verb === 'like' ? follow : unfollow)(context, inputOf(followedId))).changed;
}

async function callRequests(scene: Scene, userId: string, followedId: string): Promise<Outcome> {
  const { world } = scene;
  const [follower, followed] = [contextOf(scene, userId), contextOf(scene, followedId)];
  const change = world.pick<() => Promise<unknown>>([
    () => updatePrivacy(followed, { approvesFollowers: world.chance(0.8) }),
    () => follow(follower, inputOf(followedId)),
    () => follow(follower, inputOf(followedId)),
    () => unfollow(follower, inputOf(followedId)),
    () => acceptFollower(followed, inputOf(userId)),
    () => acceptFollower(followed, inputOf(userId)),
    () => removeFollower(followed, inputOf(userId)),
  ]);
  return (await attempt(scene, change)).outcome;
}
