import { encodeId, subjectOf, uuidOf, type NodeId } from '../../../src/graphql/ids.ts';
import { block, unblock } from '../../../src/blocks/operations.ts';
import { hiddenReaders } from '../../../src/identity/privacy.ts';
import { decideReport, report } from '../../../src/reports/operations.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/**
 * A reader blocks or unblocks another reader, views one, or reports something; or the administrator
 * decides about a report.
 */
export function callModeration(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  if (library.hidden.size > 0 && world.chance(0.3)) return lookAtHidden(scene);
  return world.chance(0.5) ? callBlocks(scene) : callReports(scene);
}

/**
 * Checks on any server that it hides two readers from each other after a block was answered. The
 * server may have cached its reads from before the block.
 */
async function lookAtHidden(scene: Scene): Promise<Outcome> {
  const { world, library, problems } = scene;
  const pair = world.pick([...library.hidden]);
  const [one = '', other = ''] = world.chance(0.5) ? pair.split(' ') : pair.split(' ').toReversed();
  const came = await attempt(scene, async () => hiddenReaders(contextOf(scene, one)).has(other));
  // The blocks of deleted readers are deleted with them.
  const isOver = library.leaving.has(one) || library.leaving.has(other) || !library.hidden.has(pair);
  if (came.outcome === 'DONE' && !came.result && !isOver)
    problems.push(`the readers ${pair} are not hidden from each other after a block was answered`);
  return came.outcome;
}

/**
 * The reader often is about to leave. All of their data is deleted with them, including writes in
 * progress.
 */
const somebody = ({ world, library: { readers, leaving } }: Scene): string =>
  world.pick(leaving.size > 0 && world.chance(0.3) ? [...leaving] : readers);

/**
 * Returns two readers about whose follow a caller has called; often none, so that all are blocked.
 */
function followers({ world, library: { follows } }: Scene): readonly [string, string] | undefined {
  if (follows.size === 0 || world.chance(0.3)) return undefined;
  const [one = '', other = ''] = world.pick([...follows.keys()]).split(' ');
  return world.chance(0.5) ? [one, other] : [other, one];
}

async function callBlocks(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [userId, otherId] = followers(scene) ?? [world.pick(library.readers), somebody(scene)];
  const change = world.pick([block, unblock]);
  const pair = `${userId} ${otherId}`;
  const begun = world.steps;
  library.hidden.delete(pair);
  // Blocks have the same possible histories as likes.
  const call = begin(library.blocks, pair, change === block ? 'like' : 'unlike', world.steps);
  const id = encodeId({ type: 'User', key: otherId });
  const came = await attempt(scene, () => change(contextOf(scene, userId), { id }));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result.changed);
  // Either of two concurrent calls may have been decided last.
  const isAlone = call.others.every(({ ended }) => ended < begun);
  if (came.outcome === 'DONE' && change === block && isAlone) library.hidden.add(pair);
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
