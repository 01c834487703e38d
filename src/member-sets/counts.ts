import { sizeOf } from '../cassandra/bytes.ts';
import { rowLoader } from '../cassandra/key-loaders.ts';
import { batch, bind, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { announcement, keptUntilChanged } from '../changes/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { firstOfBlock, isSumRight, sumWrites, withoutSums } from './former-sums.ts';
import { agree, EMPTY, type Histogram } from './histogram.ts';
import { BLOCK_SHARDS, isStripe, nextShard } from './numbering.ts';
import { histogramColumn, type ShardState } from './shard.ts';
import { tablesOf } from './tables.ts';

/**
 * The published counts of a likeable, one for each shard. The write timestamp of a count is the
 * version of its shard, so that an older count never replaces a newer one.
 */

interface PublishedCount {
  readonly shard: number;
  /** The version of the shard; 0 for a shard that was opened for the likes to come. */
  readonly version: number;
  readonly likeCount: number;
  readonly histogram: Histogram;
}

/**
 * The number of likes of a likeable, by its shards. Thousands are kept in memory, so rarely used
 * values are computed on demand.
 */
export class LikeCounts {
  readonly likeableId: string;
  readonly likeCount: number;
  /** The number of open stripes; 1 if a single shard is open. */
  readonly stripes: number;
  readonly #published: readonly PublishedCount[];

  /** @param published the counts of the shards, the lowest shard first */
  constructor(likeableId: string, published: readonly PublishedCount[], stripes: number) {
    this.likeableId = likeableId;
    this.stripes = stripes;
    this.#published = published;
    this.likeCount = published.reduce((total, { likeCount }) => total + likeCount, 0);
  }

  /** The shards that have likes. */
  get shards(): number[] {
    return this.#published.flatMap(({ shard, likeCount }) => (likeCount > 0 ? shard : []));
  }

  /** Returns whether the same shards have likes in other counts. */
  areOfShardsOf(other: LikeCounts): boolean {
    return this.shards.join() === other.shards.join();
  }

  get newestShard(): number {
    return this.#published.at(-1)?.shard ?? 0;
  }

  /** Returns whether these counts include every change that other counts of the thing include. */
  include(other: LikeCounts): boolean {
    if (other === this) return true;
    const versions = new Map(this.#published.map(({ shard, version }) => [shard, version]));
    const areNewer = other.#published.every(({ shard, version }) => (versions.get(shard) ?? -1) >= version);
    // The count of a full shard is deleted once all of its likes were taken back.
    return areNewer && this.shards.every((shard) => other.#published.some((count) => count.shard === shard));
  }

  /** Returns a copy of the counts in which the count of one shard is replaced. */
  with(shard: number, { version, likeCount, histogram }: Counted & Pick<ShardState, 'version'>): LikeCounts {
    const others = this.#published.filter((count) => count.shard !== shard);
    const published = [...others, { shard, version, likeCount, histogram }];
    return new LikeCounts(
      this.likeableId,
      published.toSorted((one, other) => one.shard - other.shard),
      this.stripes,
    );
  }
}

/** The counts of a likeable that nobody has liked yet. */
export const noCounts = (likeableId: string): LikeCounts => new LikeCounts(likeableId, [], 1);

type StoredCount = NonNullable<ReturnType<typeof publishedCountOf>>;

/** Makes a loader of current counts, for decisions. Requests show `shownCounts`. */
export const likeCounts = ({ cassandra }: AppContext, options: Partial<Pick<AppContext, 'atEndOfTurn'>> = {}) =>
  rowLoader(
    async (likeable_ids) => {
      const found = new Map<string, { stripes: number; counts: StoredCount[] }>();
      // The rows are sorted by likeable, and then by shard.
      const byTables = [...Map.groupBy(likeable_ids, tablesOf)];
      const read = byTables.map(([{ selectCounts }, ids]) => rows(cassandra, selectCounts, { likeable_ids: ids }));
      for (const row of (await Promise.all(read)).flat()) {
        const counts = found.get(row.likeable_id)?.counts ?? [];
        const count = publishedCountOf(row);
        if (count) counts.push(count);
        found.set(row.likeable_id, { stripes: row.stripes ?? 1, counts });
      }
      return Promise.all(
        [...found].map(async ([likeableId, { stripes, counts }]) => {
          const published = await withoutSums(cassandra, likeableId, counts);
          return new LikeCounts(likeableId, published, stripes);
        }),
      );
    },
    ({ likeableId }) => likeableId,
    options,
  );

/** The maximum memory of the kept counts, of about half a kilobyte each. */
const COUNTS_BYTES_MAX = 16 * 2 ** 20;

/** The counts kept in this process, which may be a moment old. */
export const keptCounts = perProcess((app) => {
  const counts = likeCounts(app, { atEndOfTurn: app.atEndOfTurn });
  return keptUntilChanged(app, 'LIKE_COUNTS', { bytesMax: COUNTS_BYTES_MAX }, async (likeableId) => {
    const row = await counts.load(likeableId);
    return { row, size: sizeOf(row ? row.shards.map((shard) => ({ shard })) : []) };
  });
});

/** Returns the write that announces a change of the published counts of a likeable. */
export const announcedCounts = (app: Pick<AppContext, 'clock'>, likeableId: string): Bound =>
  announcement(app, { kind: 'LIKE_COUNTS', key: likeableId });

/** Returns the columns of a published count. */
const countColumns = (likeableId: string, shard: number, { likeCount, histogram }: Counted) => ({
  likeable_id: likeableId,
  shard,
  like_count: likeCount,
  ...histogramColumn(likeableId, histogram),
});

/** The number and the histogram of a shard. */
type Counted = Pick<ShardState, 'likeCount' | 'histogram'>;

const NOTHING_COUNTED: Counted = { likeCount: 0, histogram: EMPTY };

/**
 * Publishes a shard's count, and opens the next shard if this one is full. The count of a full
 * shard is deleted once all of its likes were taken back.
 */
export async function publishCount(
  app: Pick<AppContext, 'cassandra' | 'clock'>,
  likeableId: string,
  shard: number,
  state: ShardState,
): Promise<void> {
  const { deleteCount, updateCount } = tablesOf(likeableId);
  const version = BigInt(state.version);
  const isGone = state.closed && state.likeCount === 0;
  const writes = [
    isGone
      ? bind(deleteCount, { likeable_id: likeableId, shard, version })
      : bind(updateCount, { ...countColumns(likeableId, shard, state), version }),
  ];

  if (state.summed) {
    writes.push(...(await sumWrites(app.cassandra, likeableId, shard)));
  } else if (state.closed) {
    const next = countColumns(likeableId, nextShard(shard), NOTHING_COUNTED);
    writes.push(bind(updateCount, { ...next, version: 0n }));
  }
  await batch(app.cassandra, [...writes, announcedCounts(app, likeableId)]);
}

/**
 * The number of stripes opened at the first failure. All are opened when these fail as well. The
 * first number is low because two readers may like a thing at the same moment by chance.
 */
const FEW = 8;
const HOT_SECONDS = 60;

/**
 * Opens stripes for a minute, at least as many as are open already, after another server was faster
 * with a change of an open shard.
 */
export async function openStripes(app: AppContext, likeableId: string, shard: number): Promise<void> {
  // The read also updates the kept counts, so this server's next likes use stripes that others have
  // opened.
  const open = (await keptCounts(app).read(likeableId)).row?.stripes ?? 1;
  const stripes = Math.max(open, isStripe(shard) ? BLOCK_SHARDS : FEW);
  const mark = bind(tablesOf(likeableId).updateStripes, { likeable_id: likeableId, stripes, ttl_seconds: HOT_SECONDS });
  await batch(app.cassandra, [mark, announcedCounts(app, likeableId)]);
  keptCounts(app).forget(likeableId);
}

/** The columns of a row of counts that concern a shard. */
interface CountRow {
  readonly shard: number | null;
  readonly like_count: number | null;
  readonly shard_version: bigint | null;
  readonly summed?: boolean | null;
  readonly histogram?: Histogram;
}

/**
 * Returns the count that a row publishes. There is none if stripes were opened before any shard,
 * which leaves a row without a shard.
 */
export const publishedCountOf = ({ shard, like_count, shard_version, summed, histogram = EMPTY }: CountRow) =>
  shard === null
    ? undefined
    : {
        shard,
        version: Number(shard_version ?? 0),
        likeCount: like_count ?? 0,
        histogram,
        isSum: summed ?? false,
      };

/**
 * Returns whether the published count of a shard agrees with the shard. A sum is compared for the
 * first shard of its block.
 */
export async function isPublished(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
  state: ShardState,
): Promise<boolean> {
  const found = await rows(cassandra, tablesOf(likeableId).selectCounts, { likeable_ids: [likeableId] });
  const counts = found.map(publishedCountOf).filter((count) => count !== undefined);
  const sum = counts.find((count) => count.isSum && count.shard === firstOfBlock(shard));
  if (sum) return shard !== sum.shard || isSumRight(cassandra, likeableId, sum);

  const own = counts.find((count) => count.shard === shard);
  return own ? isSame(own, state) : state.closed && isSame(NOTHING_COUNTED, state);
}

const isSame = (one: Counted, other: Counted): boolean =>
  one.likeCount === other.likeCount && agree(one.histogram, other.histogram);
