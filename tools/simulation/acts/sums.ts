import { subjectOf } from '../../../src/graphql/ids.ts';
import { likeCounts } from '../../../src/likes/loaders.ts';
import { blockOf } from '../../../src/likes/shards.ts';
import { sumUpLikesOf } from '../../../src/likes/sum-up.ts';
import { attempt, type Outcome, type Scene } from './act.ts';

/**
 * A server sums up the likes of any block of a book's shards but the newest, even of one with few
 * likes.
 */
export async function callSumUps(scene: Scene): Promise<Outcome> {
  const { world, library, app } = scene;
  const key = world.pick(library.books);
  const came = await attempt(scene, async () => {
    const counts = await likeCounts(app).load(subjectOf({ type: 'Book', key }));
    const newest = blockOf(counts?.newestShard ?? 0);
    if (newest > 0) await sumUpLikesOf('Book')(app, key, String(world.below(newest)));
  });
  return came.outcome;
}
