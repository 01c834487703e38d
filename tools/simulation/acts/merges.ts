import type { JobHandler } from '../../../src/context/context.ts';
import { mergeLikers } from '../../../src/likers/merge.ts';
import { BLOCK_SHARDS } from '../../../src/likers/numbering.ts';
import { moveLike } from '../../../src/likes/repair.ts';
import { encode } from '../cluster/values.ts';
import { attempt, type Outcome, type Scene } from './act.ts';

/** The number of pages of a merge that one server does. */
const PAGES = 3;

/**
 * A server moves the likes of any shard of a book into another one. The product does so only for
 * shards with few likes.
 */
export async function callMerges(scene: Scene): Promise<Outcome> {
  const { world, cluster, library } = scene;
  const bookId = world.pick(library.books);
  const likers = cluster
    .scan('user_by_item')
    .filter((row) => row['liked'] === true && encode(row['likeable_id']) === `Book:${bookId}`);
  if (likers.length === 0) return 'DONE';

  const from = Number(world.pick(likers)['shard']);
  const inBlock = library.isSummed ? Array.from({ length: 2 }, () => world.below(BLOCK_SHARDS)) : [];
  const shards = [...likers.map(({ shard }) => Number(shard)), from + 1, BLOCK_SHARDS, ...inBlock];
  const others = shards.filter((shard) => shard !== from);
  const merge = JSON.stringify({ from, to: world.pick(others) });
  return mergeSomePages(scene, mergeLikers(moveLike), bookId, merge);
}

/** Does some pages of the job that merges shards of a book. */
export async function mergeSomePages(scene: Scene, work: JobHandler, bookId: string, merge: string): Promise<Outcome> {
  const came = await attempt(scene, async () => {
    let position: string | undefined = merge;
    for (let pages = 0; pages < PAGES && position !== undefined; pages++)
      position = await work(scene.app, bookId, position, `Book:${bookId}`);
  });
  return came.outcome;
}
