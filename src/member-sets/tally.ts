import DataLoader from 'dataloader';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/statement-builders.ts';
import { rows, type Cassandra } from '../cassandra/statement.ts';
import { perRequest, type AppContext } from '../context/context.ts';
import { isEarlierReleaseAlive } from '../transactions/operations.ts';
import { withoutSums } from './former-sums.ts';
import { agree, EMPTY, total, type Histogram } from './histogram.ts';
import { publishedCountOf } from './counts.ts';
import { blockOf, shardsOfBlock } from './numbering.ts';
import { readStates } from './shard.ts';
import { tablesOf } from './tables.ts';

/**
 * The number of likes of a likeable, or of ratings and their histogram, from the shards themselves.
 *
 * The published counts are read first, then the states of their shards, by key. A like is answered
 * only when its shard has committed it and the count is published, and both reads see every write
 * that was answered before. So a like that was answered before the first read is in a published
 * shard, and that shard has committed it by the second read. The sum of the committed counts
 * therefore includes every like and unlike that was answered before. It may include later ones as
 * well, so it is exact even under constant change.
 *
 * Each published count carries the version of its shard, and none is published before it is
 * committed. So a shard is never behind its published count, and never differs from it at the same
 * version, unless a row was changed manually or replicas have lost acknowledged writes. Then the
 * tally is not exact.
 *
 * A server of release 1.0.0 merges shards: a like that it moves is in two shards for a moment, or
 * until the move is recovered. So the tally of several shards is not exact while such a server
 * runs.
 */

/** The release since which shards are not merged. */
const UNMERGED_SINCE = '1.1.0';

/** A number of likes, or of ratings. */
export interface Tally {
  readonly count: number;
  /** The ratings by quarter of a star; empty if there are none, and for likes. */
  readonly histogram: Histogram;
  /** True if it includes every like that was answered before. */
  readonly isExact: boolean;
  /**
   * The sum of the versions of all shards, those included that have lost all likes and are not
   * published any more. Each change raises the version of one shard and lowers none, so of two
   * tallies, from any servers, the one with the lower version is the older one.
   */
  readonly version: number;
}

interface ShardCount {
  readonly shard: number;
  readonly version: number;
  readonly likeCount: number;
  readonly histogram: Histogram;
}

/** Reads the tallies of some likeables, at most {@link KEYS_PER_STATEMENT}, in their order. */
export async function talliesOf(app: AppContext, likeableIds: readonly string[]): Promise<Tally[]> {
  const byTables = Map.groupBy(new Set(likeableIds), tablesOf).values();
  const tallies = await Promise.all([...byTables].map((ids) => talliesOfKind(app, ids)));
  const found = new Map(tallies.flat());
  return likeableIds.map((id) => found.get(id) ?? NOTHING);
}

const NOTHING: Tally = { count: 0, histogram: EMPTY, isExact: true, version: 0 };

/**
 * Loads tallies of likes and of ratings by likeable_id. Nothing is cached: each request of a tally
 * reads it again.
 */
export const tallyLoader = perRequest(
  (context) =>
    new DataLoader((likeableIds: readonly string[]) => talliesOf(context, likeableIds), {
      cache: false,
      maxBatchSize: KEYS_PER_STATEMENT,
    }),
);

/** @param likeableIds distinct ids: all of likes, or all of ratings */
async function talliesOfKind(app: AppContext, likeableIds: readonly string[]): Promise<[string, Tally][]> {
  const published = await publishedWithVersions(app.cassandra, likeableIds);
  const shardsIn = (id: string) => shardsOf(published.get(id) ?? []);
  const committed = new Map<string, ShardCount[]>(likeableIds.map((id) => [id, []]));

  const byShards = Map.groupBy(likeableIds, (id) => shardsIn(id).join()).values();
  const reads = [...byShards].flatMap((ids) =>
    keysInParts(shardsIn(ids[0] ?? '')).flatMap((shards) =>
      keysInParts(ids, Math.floor(KEYS_PER_STATEMENT / shards.length)).map((part) => ({ ids: part, shards })),
    ),
  );
  await Promise.all(
    reads.map(async ({ ids, shards }) => {
      for (const [id, counts] of await readStates(app.cassandra, ids, shards)) committed.get(id)?.push(...counts);
    }),
  );

  const isMerging = isEarlierReleaseAlive(app, UNMERGED_SINCE);
  return likeableIds.map((id) => {
    const tally = tallyOf(published.get(id) ?? [], committed.get(id) ?? []);
    return [id, { ...tally, isExact: tally.isExact && !(isMerging && shardsIn(id).length > 1) }];
  });
}

/**
 * Returns all shards that may exist, the lowest first. The first one exists before it is published.
 * Once another one is published, a lower one may have existed and lost its likes: it is read as
 * well, for its version.
 */
function shardsOf(published: readonly ShardCount[]): number[] {
  const newest = Math.max(0, ...published.map(({ shard }) => shard));
  if (newest === 0) return [0];
  return Array.from({ length: blockOf(newest) + 1 }, (_, block) => shardsOfBlock(block)).flat();
}

async function publishedWithVersions(
  cassandra: Cassandra,
  likeableIds: readonly string[],
): Promise<Map<string, readonly ShardCount[]>> {
  const found = new Map<string, (ShardCount & { readonly isSum: boolean })[]>();
  const { selectCounts } = tablesOf(likeableIds[0] ?? '');
  for (const row of await rows(cassandra, selectCounts, { likeable_ids: [...likeableIds] })) {
    const count = publishedCountOf(row);
    if (!count) continue;
    const counts = found.get(row.likeable_id) ?? [];
    counts.push(count);
    found.set(row.likeable_id, counts);
  }

  const ofShards = [...found].map(async ([id, counts]) => [id, await withoutSums(cassandra, id, counts)] as const);
  return new Map(await Promise.all(ofShards));
}

/**
 * Computes the tally from the published counts and the counts that were committed after they were
 * read.
 */
function tallyOf(published: readonly ShardCount[], committed: readonly ShardCount[]): Tally {
  const byShard = new Map(committed.map((count) => [count.shard, count]));
  const isExact = published.every(({ shard, version, likeCount, histogram }) => {
    // A shard is opened, and published as empty, before it has any like.
    const own = byShard.get(shard) ?? { version: 0, likeCount: 0, histogram: EMPTY };
    const isSame = likeCount === own.likeCount && agree(histogram, own.histogram);
    return version < own.version || (version === own.version && isSame);
  });
  return {
    count: committed.reduce((count, { likeCount }) => count + likeCount, 0),
    histogram: total(committed.map(({ histogram }) => histogram)),
    isExact,
    version: committed.reduce((sum, { version }) => sum + version, 0),
  };
}
