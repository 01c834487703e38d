import { appliedBatch, bind } from '../../src/cassandra/statement.ts';
import type { AppContext } from '../../src/context/context.ts';
import type { Change } from '../../src/member-sets/shard.ts';
import { groupCommit } from '../../src/member-sets/group-commit.ts';
import { SENTINEL } from '../../src/member-sets/shard.ts';
import { ratingsId } from '../../src/member-sets/operations.ts';
import { likeTables } from '../../src/member-sets/tables.ts';
import { say } from '../../src/terminal/progress.ts';
import { inTurns, measure, withBench, type Bench, newLike } from '../bench.ts';

const SECONDS = 6;
const ROUNDS = 5;
/** The number of concurrent likes with the group commit. */
const LIKES_AT_ONCE = 800;
/** The number of concurrent likes with one conditional write for each. More would only wait. */
const WRITES_AT_ONCE = 16;

/**
 * Measures transitions on one hot likeable: by the group commit, and by one conditional write for
 * each like. Ratings of one hot book go through the same group commit.
 */
export async function benchHot(): Promise<void> {
  await withBench(1, async (bench) => {
    const measured = await inTurns(ROUNDS, {
      'group commit': committedTogether(bench),
      ratings: ratedTogether(bench),
      'a write a like': oneWriteALike(bench),
    });
    const { rate } = measured['group commit'];
    const ratio = rate / measured['a write a like'].rate;
    say(`transitions on one likeable: ${rate.toFixed(0)}/s, ${ratio.toFixed(1)} × one conditional write a like`);
    const ofRatings = measured.ratings.rate;
    say(`ratings of one book: ${ofRatings.toFixed(0)}/s, ${(ofRatings / rate).toFixed(2)} × likes`);
  });
}

let likeables = 0;

const committedTogether = ({ app }: Bench) => ofOne(app, 'Book:goodreads-', () => newLike(app));

const ratedTogether = ({ app }: Bench) =>
  ofOne(app, ratingsId('goodreads-'), () => ({ ...newLike(app), shown: { quarters: 1 + (likeables % 20) } }));

function ofOne(app: AppContext, prefix: string, changeOf: () => Change) {
  return () => {
    const likeableId = `${prefix}${++likeables}`;
    let shard = 0;
    let rows = 0;
    return measure({ seconds: SECONDS, atOnce: LIKES_AT_ONCE }, () => {
      // The likeable's shards fill as they do in the server.
      if (++rows % app.config.likeShardRowsMax === 0) shard++;
      return groupCommit(app).apply(likeableId, shard, changeOf());
    });
  };
}

/**
 * Likes with one conditional write each, under the best conditions: a single process that knows the
 * version, writes one after the other, and needs no read. It writes the like's row and the count,
 * as the group commit does.
 */
function oneWriteALike({ app }: Bench) {
  return async () => {
    const key = { likeable_id: `Book:goodreads-${++likeables}`, shard: 0 };
    let version = 1;
    const shard = () => ({ ...key, like_count: version, row_count: version, closed: false, summed: false });
    const sentinel = bind(likeTables.updateFormerLiker, { ...key, ...SENTINEL });
    await appliedBatch(app.cassandra, [bind(likeTables.openShard, { ...shard(), next_version: 1 }), sentinel]);
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
        await appliedBatch(app.cassandra, [
          bind(likeTables.updateShard, count),
          bind(likeTables.updateLiker, { ...key, ...like }),
        ]);
        version++;
      });
      turn = mine;
      return mine;
    });
  };
}
