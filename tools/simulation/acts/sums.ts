import { subjectOf } from '../../../src/graphql/ids.ts';
import { likeCounts } from '../../../src/likers/loaders.ts';
import { blockOf } from '../../../src/likers/numbering.ts';
import { sumUpLikers } from '../../../src/likers/sum-up.ts';
import type { BegunSum } from '../library.ts';
import { attempt, type Outcome, type Scene } from './act.ts';

/**
 * A server sums up the likes of any block of a book's shards but the newest, even of one with few
 * likes.
 */
export async function callSumUps(scene: Scene): Promise<Outcome> {
  const { world, library, app } = scene;
  const bookId = world.pick(library.books);
  const counts = await attempt(scene, () => likeCounts(app).load(subjectOf({ type: 'Book', key: bookId })));
  if (counts.outcome !== 'DONE') return counts.outcome;

  const newest = blockOf(counts.result?.newestShard ?? 0);
  if (newest === 0) return 'DONE';
  const sum = { bookId, block: world.below(newest), isDone: false };
  library.sums.push(sum);
  return sumUp(scene, sum);
}

/** Sums up a block that was begun. The product stores it in a job first, which never forgets it. */
export async function sumUp(scene: Scene, sum: BegunSum): Promise<Outcome> {
  const { bookId, block } = sum;
  const subject = subjectOf({ type: 'Book', key: bookId });
  const came = await attempt(scene, () => sumUpLikers(scene.app, bookId, String(block), subject));
  if (came.outcome === 'DONE') sum.isDone = true;
  return came.outcome;
}
