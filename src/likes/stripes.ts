import { write } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { transactionLog } from '../transactions/log.ts';
import type { LikeCounts } from './like-counts.ts';
import { recentCounts } from './loaders.ts';
import { BLOCK_SHARDS, generationOf, isStripe, stripeBeside } from './shards.ts';
import { updateStripes } from './tables.ts';

/**
 * Which shard a new like goes to. Any that is open will do, as its state says for good where it is.
 *
 * Where the servers change one shard at once, all but one fail each time. A server to which this happens has stripes opened for a
 * minute: it says so where everybody looks who likes the thing, and each goes to a stripe of its own from then on. Which one follows from
 * the list of hearts that beat, which every server reads each second: while they all see the same, no two share one. A minute
 * after the last failure one shard is enough again.
 */

/** What is contended has a few stripes, what still is has all: a thing that two like at one moment by chance does not get many. */
const FEW = 8;
const HOT_SECONDS = 60;

/** The choices of this process. */
export const stripes = perProcess((app) => new Stripes(app));

class Stripes {
  readonly #app: AppContext;

  constructor(app: AppContext) {
    this.#app = app;
  }

  /** The shard for a new like. */
  openShard(counts: Pick<LikeCounts, 'newestShard' | 'stripes'> | undefined): number {
    const { newestShard = 0, stripes: open = 1 } = counts ?? {};
    return open === 1 ? generationOf(newestShard) : stripeBeside(newestShard, transactionLog(this.#app).rank % open);
  }

  /** Somebody else was faster with a change of a shard that is open. Nobody waits until others know. */
  contended(likeableId: string, shard: number): void {
    // Without it the next failure tells.
    this.#open(likeableId, isStripe(shard) ? BLOCK_SHARDS : FEW).catch(() => undefined);
  }

  /** Opens so many stripes for a while, and no fewer than are open already. */
  async #open(likeableId: string, wanted: number): Promise<void> {
    // Others may have opened some already, which likes are to know of at once.
    const open = (await recentCounts(this.#app).read(likeableId)).row?.stripes ?? 1;
    const mark = { likeable_id: likeableId, stripes: Math.max(open, wanted), ttl_seconds: HOT_SECONDS };
    await write(this.#app.cassandra, updateStripes, mark);
    recentCounts(this.#app).forget(likeableId);
  }
}
