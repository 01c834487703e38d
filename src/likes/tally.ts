import DataLoader from 'dataloader';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/row-loader.ts';
import { rows, type Cassandra } from '../cassandra/statement.ts';
import { perRequest, type AppContext } from '../context/context.ts';
import { jobsOf } from '../jobs/operations.ts';
import { likeableIdFrom } from './likeables.ts';
import { countsInForce, publishedCountOf, shardCounts, type PublishedCount } from './published.ts';
import { blockOf, shardsOfBlock } from './shards.ts';
import { selectPublishedCounts } from './tables.ts';
import { jobKindOf } from './upkeep.ts';

/**
 * How many like a likeable, from the shards themselves.
 *
 * What is published is read first, then what the shards have committed, by key. A like is answered only when its shard has
 * committed it and the count is published, and both reads meet every write that was answered before. So whatever was answered
 * before the first of them is in a shard that is published, and that shard has committed it when the second one comes: the sum
 * of what is committed has every like and unlike that was answered before. Likes in between may be in it as well, so
 * that constant change makes it no less exact.
 *
 * Each published count carries the version of the shard that it is of, and none is published before it is committed. So what was
 * read is impossible where a shard is behind what it has published, or where both are at one version and do not agree:
 * somebody has changed a row by hand, or replicas have lost what they had taken. Then nobody knows.
 *
 * A like that is being moved to another shard is in both for a moment, and in one of them where they are read at two moments. So
 * while there is a job that merges the shards of a thing, before they are read or after, its count is not exact. No job begins and
 * ends in between: it is left alone for its first seconds.
 */

/** So many shards are read by key: 5 million likes at 40,000 a shard, or all shards of two blocks. */
const SHARDS_MAX = 128;

/** A number of likes. */
export interface Tally {
  readonly count: number;
  readonly isExact: boolean;
}

/** What is known of one shard. */
interface ShardCount {
  readonly shard: number;
  readonly version: number;
  readonly likeCount: number;
}

/** What is published of one shard, or of all shards of a block. */
type Published = ShardCount & PublishedCount;

/** Tallies by likeable_id, each read anew whenever it is asked for. */
export const tallyLoader = perRequest(
  (context) =>
    new DataLoader((likeableIds: readonly string[]) => talliesOf(context, likeableIds), {
      cache: false,
      maxBatchSize: KEYS_PER_STATEMENT,
    }),
);

async function talliesOf(app: AppContext, likeableIds: readonly string[]): Promise<Tally[]> {
  const { cassandra } = app;
  const published = await publishedWithVersions(cassandra, [...new Set(likeableIds)]);
  const committed = new Map<string, ShardCount[]>();
  for (const id of new Set(likeableIds)) if (shardsIn(published.get(id)).length <= SHARDS_MAX) committed.set(id, []);
  // Of one shard there is nothing to be merged.
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
    const { count, isExact } = tallyOf(published.get(id) ?? [], committed.get(id));
    return { count, isExact: isExact && !merged.has(id) };
  });
}

/** Those of some likeables of which shards are merged, or about to be. */
async function amongMerged(app: AppContext, likeableIds: readonly string[]): Promise<string[]> {
  const jobs = await Promise.all(likeableIds.map((id) => jobsOf(app, likeableIdFrom(id))));
  return likeableIds.filter((id, index) =>
    jobs[index]?.some(({ kind }) => kind === jobKindOf('MERGE', likeableIdFrom(id))),
  );
}

/** Which shards there are, the lowest first: the first one is there before it is published. */
const shardsIn = (published: readonly Published[] = []) =>
  [
    ...new Set([0, ...published.flatMap(({ shard, isSum }) => (isSum ? shardsOfBlock(blockOf(shard)) : shard))]),
  ].toSorted((one, other) => one - other);

async function publishedWithVersions(
  cassandra: Cassandra,
  likeable_ids: string[],
): Promise<Map<string, readonly Published[]>> {
  const found = new Map<string, Published[]>();
  for (const row of await rows(cassandra, selectPublishedCounts, { likeable_ids })) {
    const count = publishedCountOf(row);
    // A row without a count has no version either.
    if (!count || row.shard_version === null) continue;
    const counts = found.get(row.likeable_id) ?? [];
    counts.push({ ...count, version: Number(row.shard_version) });
    found.set(row.likeable_id, counts);
  }
  return new Map([...found].map(([likeableId, counts]) => [likeableId, countsInForce(counts)]));
}

/** @param into gets these shards of each likeable, as far as they are there */
async function readShards(
  cassandra: Cassandra,
  likeableIds: readonly string[],
  shards: readonly number[],
  into: ReadonlyMap<string, ShardCount[]>,
): Promise<void> {
  for (const row of await shardCounts(cassandra, likeableIds, shards)) {
    const { likeable_id, shard, shard_version: version, like_count: likeCount } = row;
    into.get(likeable_id)?.push({ shard, version, likeCount });
  }
}

/**
 * How many likes follow from what is published and from what was committed after that was read.
 * @param committed unset where there are too many shards to be read
 */
export function tallyOf(published: readonly Published[], committed: readonly ShardCount[] | undefined): Tally {
  const sum = (counts: readonly ShardCount[]) => counts.reduce((total, { likeCount }) => total + likeCount, 0);
  if (!committed) return { count: sum(published), isExact: false };

  const isExact = published.every(({ shard, version, likeCount, isSum }) => {
    // A shard is opened, and published as empty, before anybody is in it.
    const own = committed.filter((each) => (isSum ? blockOf(each.shard) === blockOf(shard) : each.shard === shard));
    const ownVersion = own.reduce((total, each) => total + each.version, 0);
    return version < ownVersion || (version === ownVersion && likeCount === sum(own));
  });
  return { count: sum(committed), isExact };
}
