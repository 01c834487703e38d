import { encodeId, subjectOf } from '../../../src/graphql/ids.ts';
import { accountById } from '../../../src/identity/operations.ts';
import { itemById } from '../../../src/market/operations.ts';
import { takeDown } from '../../../src/takedowns/operations.ts';
import type { Effect } from '../../support/history.ts';
import { encode } from '../cluster/values.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import type { NameVerb } from './verbs.ts';

/** The name of a reader whose own name was taken down. */
const NEUTRAL_NAME = 'Reader';
/** A title of copies that no book has. */
export const OWN_TITLE = 'Ij';

/**
 * Computes the next name after a call. A call that takes a name or title down learns whether that
 * changed it.
 */
export const effectOnName: Effect<NameVerb, string> = (state, verb) => {
  if (verb === 'look') return { state, answer: state };
  if (verb === 'take down') return { state: NEUTRAL_NAME, answer: String(state !== NEUTRAL_NAME) };
  return { state: verb.slice('call '.length) };
};

/**
 * The administrator takes down the name of a reader or the title of a copy, or a caller reads it.
 */
export async function callTakeDowns(scene: Scene): Promise<Outcome> {
  const { world, cluster, library } = scene;
  const isLook = world.chance(0.2);
  const titled = library.copies.filter(({ hasTitle }) => hasTitle);
  if (titled.length > 0 && world.chance(0.6)) {
    // The copy is a liked one if possible, because the list of likes also has its title.
    const subjects = new Set(cluster.scan('item_by_user').map((row) => encode(row['likeable_id'])));
    const liked = titled.filter(({ itemId }) => subjects.has(subjectOf({ type: 'Item', key: itemId })));
    return callTitles(scene, world.pick(liked.length > 0 ? liked : titled).itemId, isLook);
  }

  const userId = world.pick(library.readers);
  const call = begin(library.names, userId, isLook ? 'look' : 'take down', world.steps);
  const context = contextOf(scene, library.administrator);
  const came = await attempt(scene, async () =>
    isLook ? (await accountById(context, userId))?.fullName : String(await isTakenDown(scene, 'User', userId)),
  );
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function callTitles(scene: Scene, itemId: string, isLook: boolean): Promise<Outcome> {
  const { world, library } = scene;
  // A copy's own title can be taken down once, like a like that is taken back.
  const call = begin(library.ownTitles, itemId, isLook ? 'read' : 'unlike', world.steps);
  const context = contextOf(scene, library.administrator);
  const came = await attempt(scene, async () =>
    isLook ? (await itemById(context, itemId))?.title === OWN_TITLE : isTakenDown(scene, 'Item', itemId),
  );
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function isTakenDown(scene: Scene, type: 'User' | 'Item', key: string): Promise<boolean> {
  const input = { id: encodeId({ type, key }), reason: 'It offends' };
  return (await takeDown(contextOf(scene, scene.library.administrator), input)).changed;
}
