import { deleteFrom, insertInto, selectFrom } from '../cassandra/by-key.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { ringScan } from '../cassandra/ring.ts';
import { statement } from '../cassandra/statement.ts';
import { storedAudience } from '../graphql/audience.ts';

// user_by_item: who likes a likeable, and how many do. Rows and static columns change in one
// conditional batch.

const shardKey = { likeable_id: cql.text, shard: cql.int };
/** The likers of a shard, or its former likers. */
const sliceKey = { ...shardKey, liked: cql.boolean };
const likerOrder = { liked_at: cql.timestamp, user_id: cql.uuid };
const likerKey = { ...sliceKey, ...likerOrder };
export type LikerKey = Values<typeof likerKey>;

const shardStatics = {
  shard_version: cql.int,
  like_count: cql.int,
  row_count: cql.int,
  closed: cql.boolean,
  summed: cql.boolean,
};
export type ShardStatics = Values<typeof shardStatics>;

const shardRows = {
  cql: `SELECT liked, liked_at, user_id, version, shard_version, like_count, row_count, closed, summed FROM user_by_item
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked IN :slices AND (liked_at, user_id) IN :positions`,
  params: {
    ...shardKey,
    slices: cql.boolean.array(),
    positions: cql.tuple(cql.timestamp, cql.uuid).array(),
  },
  row: cql.row({ liked: cql.boolean, ...likerOrder, version: cql.int, ...shardStatics }),
} as const;

export const selectShardRows = statement(shardRows);
export const selectShardRowsSerially = statement({ ...shardRows, serialRead: true });

/** The states of shards, each read by a row that always exists. */
export const selectShardCounts = statement({
  cql: `SELECT likeable_id, shard, version, shard_version, like_count, row_count, summed FROM user_by_item
        WHERE likeable_id IN :likeable_ids AND shard IN :shards AND liked = :liked AND liked_at = :liked_at AND user_id = :user_id`,
  params: {
    likeable_ids: cql.text.array(),
    shards: cql.int.array(),
    liked: cql.boolean,
    ...likerOrder,
  },
  row: cql.row({
    ...shardKey,
    version: cql.int,
    shard_version: cql.int,
    like_count: cql.int,
    row_count: cql.int,
    summed: cql.boolean,
  }),
});

const shardState = {
  next_version: cql.int,
  like_count: cql.int,
  row_count: cql.int,
  closed: cql.boolean,
  summed: cql.boolean,
};

/** The first write of a shard. */
export const openShard = statement({
  cql: `UPDATE user_by_item SET shard_version = :next_version, like_count = :like_count, row_count = :row_count,
        closed = :closed, summed = :summed
        WHERE likeable_id = :likeable_id AND shard = :shard IF shard_version = null`,
  params: { ...shardKey, ...shardState },
});

export const updateShard = statement({
  cql: `UPDATE user_by_item SET shard_version = :next_version, like_count = :like_count, row_count = :row_count,
        closed = :closed, summed = :summed
        WHERE likeable_id = :likeable_id AND shard = :shard IF shard_version = :current_version`,
  params: { ...shardKey, ...shardState, current_version: cql.int },
});

/** The name of a liker, and who may see it. */
const shown = { full_name: cql.text, audience: storedAudience };

/** It is an update, not an insert, so that a row whose cells have expired is gone. */
export const updateLiker = statement({
  cql: `UPDATE user_by_item SET version = :version, full_name = :full_name, audience = :audience
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked = :liked AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, version: cql.int, ...shown },
});

export const deleteLiker = deleteFrom('user_by_item', likerKey);

/** It is one cell, so that it leaves one tombstone when it expires. 0 seconds keep it for good. */
export const updateFormerLiker = statement({
  cql: `UPDATE user_by_item USING TTL :kept_seconds SET version = :version
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked = :liked AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, version: cql.int, kept_seconds: cql.int },
});

export const likers = range({
  table: 'user_by_item',
  partition: sliceKey,
  several: 'shard',
  located: { shard: cql.int },
  order: likerOrder,
  columns: shown,
});

// like_counts: the count of every shard, or of all shards of a block. The write timestamp is the
// shard's version, or the sum of the versions.

export const updateCount = statement({
  cql: `INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (:likeable_id, :shard, :like_count)
        USING TIMESTAMP :shard_version`,
  params: { ...shardKey, like_count: cql.int, shard_version: cql.bigint },
});

/** The sum of a block, in the row of its first shard. */
export const updateSum = insertInto(
  'like_counts',
  { ...shardKey, like_count: cql.int, summed: cql.boolean },
  'TIMESTAMP',
);

export const deleteCount = deleteFrom('like_counts', shardKey, 'TIMESTAMP');

/** Deletes the counts after one, up to another one, by one tombstone. */
export const deleteCountsBehind = statement({
  cql: `DELETE FROM like_counts USING TIMESTAMP :version
        WHERE likeable_id = :likeable_id AND shard > :first AND shard <= :last`,
  params: { likeable_id: cql.text, first: cql.int, last: cql.int, version: cql.bigint },
});

/** Sets the number of open stripes of a likeable for a time. */
export const updateStripes = statement({
  cql: `UPDATE like_counts USING TTL :ttl_seconds SET stripes = :stripes WHERE likeable_id = :likeable_id`,
  params: { likeable_id: cql.text, stripes: cql.int, ttl_seconds: cql.int },
});

/**
 * The counts of likeables. If stripes were opened before any shard, there is a row without a shard.
 * The counts of a likeable are read at once, not by pages: a sum that is written between two pages
 * could hide both itself and the counts that it replaces.
 */
export const selectCounts = statement({
  cql: `SELECT likeable_id, stripes, shard, like_count, summed FROM like_counts WHERE likeable_id IN :likeable_ids`,
  params: { likeable_ids: cql.text.array() },
  row: cql.row({
    likeable_id: cql.text,
    stripes: cql.int.nullable(),
    shard: cql.int.nullable(),
    like_count: cql.int.nullable(),
    summed: cql.boolean.nullable(),
  }),
});

/** The published counts of shards, each with the shard's version. */
export const selectPublishedCounts = statement({
  cql: `SELECT likeable_id, shard, like_count, summed, WRITETIME(like_count) AS shard_version FROM like_counts
        WHERE likeable_id IN :likeable_ids`,
  params: { likeable_ids: cql.text.array() },
  row: cql.row({
    likeable_id: cql.text,
    shard: cql.int.nullable(),
    like_count: cql.int.nullable(),
    summed: cql.boolean.nullable(),
    shard_version: cql.bigint.nullable(),
  }),
});

/** The likers of a shard, each with the shard's version. */
export const selectLikers = selectFrom('user_by_item', sliceKey, { ...likerKey, shard_version: cql.int }, 1_000);

// For audits: all rows in token order, and single rows.

export const scanLikers = ringScan('user_by_item', shardKey, likerKey);

export const selectLiker = selectFrom('user_by_item', likerKey, { version: cql.int });
