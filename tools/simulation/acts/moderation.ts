import { encodeId, subjectOf, uuidOf, type NodeId } from '../../../src/graphql/ids.ts';
import { block, unblock } from '../../../src/blocks/operations.ts';
import { decideReport, report } from '../../../src/reports/operations.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/**
 * A reader blocks another one, takes that back, or reports something; or the administrator decides
 * about a report.
 */
export function callModeration(scene: Scene): Promise<Outcome> {
  return scene.world.chance(0.5) ? callBlocks(scene) : callReports(scene);
}

/**
 * The reader often is about to leave. Everything about them goes with them, whatever is still being
 * written.
 */
const somebody = ({ world, library: { readers, leaving } }: Scene): string =>
  world.pick(leaving.size > 0 && world.chance(0.3) ? [...leaving] : readers);

async function callBlocks(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [userId, otherId] = [world.pick(library.readers), somebody(scene)];
  const change = world.pick([block, unblock]);
  // Blocks have the same possible histories as likes.
  const call = begin(library.blocks, `${userId} ${otherId}`, change === block ? 'like' : 'unlike', world.steps);
  const id = encodeId({ type: 'User', key: otherId });
  const came = await attempt(scene, () => change(contextOf(scene, userId), { id }));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result.changed);
  return came.outcome;
}

async function callReports(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  if (library.reports.size > 0 && world.chance(0.5)) {
    const context = contextOf(scene, library.administrator);
    const input = { id: world.pick([...library.reports]), status: world.pick(['UPHELD', 'DISMISSED'] as const) };
    return (await attempt(scene, () => decideReport(context, input))).outcome;
  }
  const userId = world.pick(library.readers);
  const about: NodeId = world.chance(0.5)
    ? { type: 'User', key: somebody(scene) }
    : { type: 'Book', key: world.pick(library.books) };
  const input = { id: encodeId(about), reason: 'SPAM' } as const;
  const came = await attempt(scene, () => report(contextOf(scene, userId), input));
  if (came.outcome === 'DONE') library.reports.add(uuidOf(`report ${userId} ${subjectOf(about)}`));
  return came.outcome;
}
