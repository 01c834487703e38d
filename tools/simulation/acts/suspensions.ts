import { reinstateAccount, suspendAccount } from '../../../src/accounts/suspension.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { accountById } from '../../../src/identity/operations.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/** Suspensions are lifted more often than imposed, because a suspended reader cannot log in. */
const VERBS = ['like', 'like', 'unlike', 'unlike', 'unlike', 'read'] as const;

/** The administrator suspends or reinstates a reader, or reads whether a reader is suspended. */
export async function callSuspensions(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  // The reader is often a seller, because copies of sellers must be withheld.
  const { sellerId } = library.copies.length > 0 && world.chance(0.7) ? world.pick(library.copies) : {};
  const [userId, verb] = [sellerId ?? world.pick(library.readers), world.pick(VERBS)];
  // Suspensions have the same possible histories as likes.
  const call = begin(library.suspensions, userId, verb, world.steps);
  const came = await attempt(scene, () => changeOrLook(scene, userId, verb));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function changeOrLook(scene: Scene, userId: string, verb: (typeof VERBS)[number]): Promise<boolean> {
  const context = contextOf(scene, scene.library.administrator);
  if (verb === 'read') return (await accountById(context, userId))?.isSuspended ?? false;
  const input = { id: encodeId({ type: 'User', key: userId }), reason: 'They sell what is not theirs' };
  return (await (verb === 'like' ? suspendAccount : reinstateAccount)(context, input)).changed;
}

/**
 * Records that a suspension was lifted: the reader was not suspended at some moment between the
 * beginning of that call and now.
 */
export function noteLetIn({ world, library }: Scene, userId: string, begun: number): void {
  begin(library.suspensions, userId, 'read', begun).end(world.steps, false);
}
