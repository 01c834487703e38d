import type { Change } from '../../src/member-sets/shard.ts';
import { groupCommit } from '../../src/member-sets/group-commit.ts';
import { say } from '../../src/terminal/progress.ts';
import { statementsOf } from '../../tools/support/statements.ts';
import { likeableIdOf, measure, newLike, withBench, type Bench } from '../bench.ts';
import { ask } from '../http.ts';

const SECONDS = 4;
/** The likes taken back in one shard; the most make it nearly full. */
const TAKEN_BACK = [0, 1_000, 10_000, 39_999];
/**
 * The shards of the worst page: each of its likers is in a separate shard, after likes that were
 * taken back.
 */
const SHARDS = 21;
const TAKEN_BACK_EACH = 4_000;

const PAGE = (size: number) =>
  `query ($id: ID!) { node(id: $id) { ... on Book { likers(first: ${size}) { edges { cursor } } } } }`;

/** Measures pages of likers after likes that were taken back. */
export async function benchToggled(): Promise<void> {
  await withBench(1, async (bench) => {
    const { url } = await bench.startServer();
    const [wide = '', ...ids] = bench.bookIds;
    const page = (id: string, size: number) => () => ask(url, '', PAGE(size), { id });
    await measure({ seconds: SECONDS, atOnce: 1 }, page(wide, 1));
    const report = async (what: string, id: string, size: number) => {
      // The server's audit also reads shards from time to time.
      const reads: number[] = [];
      for (let round = 0; round < 5; round++)
        reads.push((await statementsOf({ url }, page(id, size))).get('SELECT user_by_item') ?? 0);
      const { p50, p99 } = await measure({ seconds: SECONDS, atOnce: 1 }, page(id, size));
      say(
        `likers(first: ${size}), ${what}: ${Math.min(...reads)} reads of shards, ` +
          `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      );
    };
    for (const [index, count] of TAKEN_BACK.entries()) {
      const id = ids[index] ?? '';
      await oneLeft(bench, id, 0, count);
      await report(`behind ${count} taken back`, id, 1);
    }
    for (let shard = 0; shard < SHARDS; shard++) await oneLeft(bench, wide, shard, TAKEN_BACK_EACH);
    await report(`${SHARDS} shards with one each, behind ${TAKEN_BACK_EACH} taken back`, wide, SHARDS - 1);
  });
}

/** Fills a shard with one like and a number of newer likes that are taken back. */
async function oneLeft({ app }: Bench, id: string, shard: number, takenBack: number): Promise<void> {
  const begun = app.clock().getTime();
  const likes = Array.from({ length: takenBack + 1 }, (_, index): Change => {
    const likedAt = new Date(begun + index);
    return { ...newLike(app), likedAt };
  });
  const apply = (changes: readonly Change[]) =>
    Promise.all(changes.map((change) => groupCommit(app).apply(likeableIdOf(id), shard, change)));
  await apply(likes);
  await apply(likes.slice(1).map((like) => ({ ...like, version: 2, shown: undefined })));
}
