import { encodeId } from '../../../src/graphql/ids.ts';
import { follow, followerTallyOf, unfollow, viewerFollows } from '../../../src/follows/operations.ts';
import { existingAccount } from '../../../src/identity/operations.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/** A reader follows another one, ends that, or reads whether they follow them. */
export async function callFollows(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [userId, followedId] = [world.pick(library.readers), world.pick(library.readers)];
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
  const input = { id: encodeId({ type: 'User', key: followedId }) };
  return (await (verb === 'like' ? follow : unfollow)(context, input)).changed;
}
