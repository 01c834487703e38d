import { subjectOf } from '../../../src/graphql/ids.ts';
import { likeCounts } from '../../../src/likers/loaders.ts';
import { blockOf } from '../../../src/likers/numbering.ts';
import { sumUpLikers } from '../../../src/likers/sum-up.ts';
import { attempt, type Outcome, type Scene } from './act.ts';

/**
 * A server sums up the likes of any block of a book's shards but the newest, even of one with few
 * likes.
 */
export async function callSumUps(scene: Scene): Promise<Outcome> {
  const { world, library, app } = scene;
  const key = world.pick(library.books);
  const subject = subjectOf({ type: 'Book', key });
  const came = await attempt(scene, async () => {
    const counts = await likeCounts(app).load(subject);
    const newest = blockOf(counts?.newestShard ?? 0);
    if (newest > 0) await sumUpLikers(app, key, String(world.below(newest)), subject);
  });
  return came.outcome;
}
