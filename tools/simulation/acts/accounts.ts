import { changeEmail, deleteAccount, updatePrivacy, updateProfile } from '../../../src/accounts/changes.ts';
import { register } from '../../../src/accounts/operations.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import { keepSession, PASSWORD, visitNow } from './sessions.ts';

/** The probability is low so that most readers keep their account. */
const LEAVING_CHANCE = 0.06;

/**
 * Registers a reader, changes an email or name, restricts what a reader shows, or deletes an
 * account. More readers want an email than there are emails.
 */
export async function callAccounts(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const userId = world.pick(library.readers);
  const email = world.pick(library.emails);
  const fullName = `Name ${String(world.steps)}`;
  if (world.chance(LEAVING_CHANCE)) {
    // The deleted reader often has sessions, so that there is more to erase.
    const leaverId =
      library.clicks.length > 0 && world.chance(0.7) ? (world.pick(library.clicks).userId ?? userId) : userId;
    library.leaving.add(leaverId);
    return (await attempt(scene, () => deleteAccount(contextOf(scene, leaverId), { password: PASSWORD }))).outcome;
  }
  if (world.chance(0.25)) {
    const who = { email, password: PASSWORD, fullName, ...visitNow(scene) };
    const begun = world.steps;
    const came = await attempt(scene, () => register(contextOf(scene, null), who));
    if (came.outcome === 'DONE') {
      const { id } = came.result.viewer;
      library.readers.push(id);
      begin(library.names, id, `call ${fullName}`, begun).end(world.steps);
      keepSession(scene, came.result);
    }
    return came.outcome;
  }
  if (world.chance(0.3)) {
    const call = begin(library.names, userId, `call ${fullName}`, world.steps);
    const came = await attempt(scene, () => updateProfile(contextOf(scene, userId), { fullName }));
    if (came.outcome === 'REFUSED') call.withdraw();
    if (came.outcome === 'DONE') call.end(world.steps);
    return came.outcome;
  }
  const change = world.pick<() => Promise<unknown>>([
    () => changeEmail(contextOf(scene, userId), { email, password: PASSWORD }),
    () => changeEmail(contextOf(scene, userId), { email, password: PASSWORD }),
    () => updatePrivacy(contextOf(scene, userId), { likes: world.pick(['EVERYONE', 'ONLY_ME']) }),
  ]);
  return (await attempt(scene, change)).outcome;
}
