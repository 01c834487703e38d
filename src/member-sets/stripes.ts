import { batch, bind } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { transactionLog } from '../transactions/log.ts';
import type { LikeCounts } from './counts.ts';
import { keptCounts } from './loaders.ts';
import { BLOCK_SHARDS, generationOf, isStripe, shardOfStripe } from './numbering.ts';
import { announcedCounts } from './publishing.ts';
import { tablesOf } from './tables.ts';

/**
 * The choice of the shard for a new like. Any open shard is right, because the like's state names
 * its shard permanently.
 *
 * When several servers change one shard at once, all but one fail each time. A server that fails
 * opens stripes for a minute. It writes that to the counts, which every server reads before a like,
 * and each server then uses its own stripe. The stripe is computed from the list of live servers,
 * which every server reads each second: while all see the same list, no two share a stripe. A
 * minute after the last failure, one shard is used again.
 */

/**
 * The number of stripes opened at the first failure. All are opened when these fail as well. The
 * first number is low because two readers may like a thing at the same moment by chance.
 */
const FEW = 8;
const HOT_SECONDS = 60;

/** The choices of this process. */
export const stripes = perProcess((app) => new Stripes(app));

class Stripes {
  readonly #app: AppContext;

  constructor(app: AppContext) {
    this.#app = app;
  }

  /** Returns the shard for a new like. */
  openShard(counts: Pick<LikeCounts, 'newestShard' | 'stripes'> | undefined): number {
    const { newestShard = 0, stripes: open = 1 } = counts ?? {};
    return open === 1 ? generationOf(newestShard) : shardOfStripe(newestShard, transactionLog(this.#app).rank % open);
  }

  /** Opens stripes after another server was faster with a change of an open shard. */
  contended(likeableId: string, shard: number): void {
    // Nobody waits for the write. If it fails, the next contention opens the stripes.
    this.#open(likeableId, isStripe(shard) ? BLOCK_SHARDS : FEW).catch(() => undefined);
  }

  /** Opens stripes for a minute, at least as many as are open already. */
  async #open(likeableId: string, wanted: number): Promise<void> {
    // The read also updates the kept counts, so this server's next likes use stripes that others
    // have opened.
    const open = (await keptCounts(this.#app).read(likeableId)).row?.stripes ?? 1;
    const mark = { likeable_id: likeableId, stripes: Math.max(open, wanted), ttl_seconds: HOT_SECONDS };
    const { updateStripes } = tablesOf(likeableId);
    await batch(this.#app.cassandra, [bind(updateStripes, mark), announcedCounts(this.#app, likeableId)]);
    keptCounts(this.#app).forget(likeableId);
  }
}
