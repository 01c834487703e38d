import DataLoader from 'dataloader';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/by-key.ts';
import { rows, type Cassandra } from '../cassandra/statement.ts';
import { perRequest, type AppContext } from '../context/context.ts';
import { jobsOf } from '../jobs/operations.ts';
import { agree, EMPTY, total, type Histogram } from './histogram.ts';
import { blockOf, shardsOfBlock } from './numbering.ts';
import { countsInForce, publishedCountOf, shardCounts, type PublishedCount } from './publishing.ts';
import { tablesOf } from './tables.ts';
import { mergeOf } from './upkeep.ts';

/**
 * The number of likes of a likeable, or of ratings and their histogram, from the shards themselves.
 *
 * The published counts are read first, then the states of their shards, by key. A like is answered
 * only when its shard has committed it and the count is published, and both reads see every write
 * that was answered before. So whatever was answered before the first read is in a published shard,
 * and that shard has committed it by the second read: the sum of the committed counts includes
 * every like and unlike that was answered before. It may include later ones as well, so constant
 * change makes it no less exact.
 *
 * Each published count carries the version of its shard, and none is published before it is
 * committed. So a shard that is behind its published count, or that disagrees with it at the same
 * version, is impossible: somebody has changed a row by hand, or replicas have lost what they
 * acknowledged. Then the tally is not exact.
 *
 * A like that is being moved to another shard is in both for a moment, and may be in only one of
 * them if they are read at two moments. So the tally is not exact while there is a job that merges
 * the likeable's shards, before the shards are read or after. No job begins and ends in between: it
 * is left alone for its first seconds.
 */

/** The maximum number of shards read by key: 5 million likes at 40,000 a shard, or two blocks. */
const SHARDS_MAX = 128;

/** A number of likes, or of ratings. */
export interface Tally {
  readonly count: number;
  /** The ratings by quarter of a star; empty if there are none, and of likes. */
  readonly histogram: Histogram;
  /** True if it includes every like that was answered before. */
  readonly isExact: boolean;
}

/** The count of one shard. */
interface ShardCount {
  readonly shard: number;
  readonly version: number;
  readonly likeCount: number;
  readonly histogram: Histogram;
}

/** The published count of one shard, or of all shards of a block. */
type Published = ShardCount & PublishedCount;

/**
 * Loads tallies of likes and of ratings by likeable_id. Each is read again whenever it is asked
 * for.
 */
export const tallyLoader = perRequest(
  (context) =>
    new DataLoader((likeableIds: readonly string[]) => talliesOf(context, likeableIds), {
      cache: false,
      maxBatchSize: KEYS_PER_STATEMENT,
    }),
);

async function talliesOf(app: AppContext, likeableIds: readonly string[]): Promise<Tally[]> {
  const byTables = Map.groupBy(new Set(likeableIds), tablesOf).values();
  const tallies = await Promise.all([...byTables].map((ids) => talliesOfKind(app, ids)));
  const found = new Map(tallies.flat());
  return likeableIds.map((id) => found.get(id) ?? NOTHING);
}

const NOTHING: Tally = { count: 0, histogram: EMPTY, isExact: true };

/** @param likeableIds different ones: those of likes, or those of ratings */
async function talliesOfKind(app: AppContext, likeableIds: readonly string[]): Promise<[string, Tally][]> {
  const { cassandra } = app;
  const published = await publishedWithVersions(cassandra, likeableIds);
  const committed = new Map<string, ShardCount[]>();
  for (const id of likeableIds) if (shardsIn(published.get(id)).length <= SHARDS_MAX) committed.set(id, []);

  // A single shard cannot be merged.
  const inSeveral = [...committed.keys()].filter((id) => shardsIn(published.get(id)).length > 1);
  const mergedBefore = await amongMerged(app, inSeveral);
  const byShards = Map.groupBy(committed.keys(), (id) => shardsIn(published.get(id)).join());
  await Promise.all(
    [...byShards.values()].flatMap((ids) => {
      const shards = keysInParts(shardsIn(published.get(ids[0] ?? '')));
      return shards.flatMap((some) =>
        keysInParts(ids, Math.floor(KEYS_PER_STATEMENT / some.length)).map((part) =>
          readShards(cassandra, part, some, committed),
        ),
      );
    }),
  );

  const merged = new Set([...mergedBefore, ...(await amongMerged(app, inSeveral))]);
  return likeableIds.map((id) => {
    const tally = tallyOf(published.get(id) ?? [], committed.get(id));
    return [id, { ...tally, isExact: tally.isExact && !merged.has(id) }];
  });
}

/** Returns the likeables whose shards are being merged, or are about to be. */
async function amongMerged(app: AppContext, likeableIds: readonly string[]): Promise<string[]> {
  const merges = likeableIds.map(mergeOf);
  const jobs = await Promise.all(merges.map(({ subject }) => jobsOf(app, subject)));
  return likeableIds.filter((_id, index) => jobs[index]?.some(({ kind }) => kind === merges[index]?.kind));
}

/** Returns the existing shards, the lowest first. The first one exists before it is published. */
const shardsIn = (published: readonly Published[] = []) =>
  [
    ...new Set([0, ...published.flatMap(({ shard, isSum }) => (isSum ? shardsOfBlock(blockOf(shard)) : shard))]),
  ].toSorted((one, other) => one - other);

async function publishedWithVersions(
  cassandra: Cassandra,
  likeableIds: readonly string[],
): Promise<Map<string, readonly Published[]>> {
  const found = new Map<string, Published[]>();
  const { selectPublishedCounts } = tablesOf(likeableIds[0] ?? '');
  for (const row of await rows(cassandra, selectPublishedCounts, { likeable_ids: [...likeableIds] })) {
    const count = publishedCountOf(row);
    // A row without a count has no version either.
    if (!count || row.shard_version === null) continue;
    const counts = found.get(row.likeable_id) ?? [];
    counts.push({ ...count, version: Number(row.shard_version) });
    found.set(row.likeable_id, counts);
  }
  return new Map([...found].map(([likeableId, counts]) => [likeableId, countsInForce(counts)]));
}

/** @param into gets the existing ones of these shards, by likeable */
async function readShards(
  cassandra: Cassandra,
  likeableIds: readonly string[],
  shards: readonly number[],
  into: ReadonlyMap<string, ShardCount[]>,
): Promise<void> {
  for (const row of await shardCounts(cassandra, likeableIds, shards)) {
    const { likeable_id, shard, shard_version: version, like_count: likeCount, histogram = EMPTY } = row;
    into.get(likeable_id)?.push({ shard, version, likeCount, histogram });
  }
}

/**
 * Computes the tally from the published counts and the counts that were committed after they were
 * read.
 * @param committed unset if there are too many shards to read
 */
function tallyOf(published: readonly Published[], committed: readonly ShardCount[] | undefined): Tally {
  const sum = (counts: readonly ShardCount[]) => ({
    count: counts.reduce((count, { likeCount }) => count + likeCount, 0),
    histogram: total(counts.map(({ histogram }) => histogram)),
  });
  if (!committed) return { ...sum(published), isExact: false };

  const isExact = published.every(({ shard, version, likeCount, histogram, isSum }) => {
    // A shard is opened, and published as empty, before it has any like.
    const own = committed.filter((each) => (isSum ? blockOf(each.shard) === blockOf(shard) : each.shard === shard));
    const ownVersion = own.reduce((total, each) => total + each.version, 0);
    const { count: ownCount, histogram: ownHistogram } = sum(own);
    const isSame = likeCount === ownCount && agree(histogram, ownHistogram);
    return version < ownVersion || (version === ownVersion && isSame);
  });
  return { ...sum(committed), isExact };
}
