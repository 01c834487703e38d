import { appliedBatch, bind } from '../../src/cassandra/statement.ts';
import { groupCommit } from '../../src/likes/group-commit.ts';
import { SENTINEL } from '../../src/likes/shard-state.ts';
import { openShard, updateFormerLiker, updateLiker, updateShard } from '../../src/likes/tables.ts';
import { say } from '../../src/terminal/progress.ts';
import { inTurns, measure, withBench, type Bench, newLike } from '../bench.ts';

const SECONDS = 6;
const ROUNDS = 5;
/** Of the group commit: so many likes of the likeable are under way. */
const LIKES_AT_ONCE = 800;
/** Of one conditional write a like: more would only wait. */
const WRITES_AT_ONCE = 16;

/** Transitions on one hot likeable: the group commit, beside one conditional write a like. */
export async function benchHot(): Promise<void> {
  await withBench(1, async (bench) => {
    const measured = await inTurns(ROUNDS, {
      'group commit': committedTogether(bench),
      'a write a like': oneWriteALike(bench),
    });
    const { rate } = measured['group commit'];
    const ratio = rate / measured['a write a like'].rate;
    say(`transitions on one likeable: ${rate.toFixed(0)}/s, ${ratio.toFixed(1)} × one conditional write a like`);
  });
}

let likeables = 0;

function committedTogether({ app }: Bench) {
  return () => {
    const likeableId = `Book:goodreads-${++likeables}`;
    let shard = 0;
    let rows = 0;
    return measure({ seconds: SECONDS, atOnce: LIKES_AT_ONCE }, () => {
      // The likeable's shards fill as they do in the server.
      if (++rows % app.config.likeShardRowsMax === 0) shard++;
      return groupCommit(app).apply(likeableId, shard, newLike(app));
    });
  };
}

/**
 * The best that one conditional write a like can do: one process that knows the version, takes turns with itself, and needs
 * no read. It writes the like's row and the count, as the group commit does.
 */
function oneWriteALike({ app }: Bench) {
  return async () => {
    const key = { likeable_id: `Book:goodreads-${++likeables}`, shard: 0 };
    let version = 1;
    const shard = () => ({ ...key, like_count: version, row_count: version, closed: false, summed: false });
    const sentinel = bind(updateFormerLiker, { ...key, ...SENTINEL });
    await appliedBatch(app.cassandra, [bind(openShard, { ...shard(), next_version: 1 }), sentinel]);
    let turn = Promise.resolve();
    return measure({ seconds: SECONDS, atOnce: WRITES_AT_ONCE }, () => {
      const mine = turn.then(async () => {
        const like = {
          liked_at: app.clock(),
          user_id: app.randomId(),
          liked: true,
          version: 1,
          full_name: 'Somebody',
          audience: 'EVERYONE',
        } as const;
        const count = { ...shard(), next_version: version + 1, current_version: version };
        await appliedBatch(app.cassandra, [bind(updateShard, count), bind(updateLiker, { ...key, ...like })]);
        version++;
      });
      turn = mine;
      return mine;
    });
  };
}
