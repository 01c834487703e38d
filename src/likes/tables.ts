import { z } from 'zod';
import { ttlOf } from '../aggregates/aggregate.ts';
import { deleteFrom, insertInto, selectAmong, selectFrom } from '../cassandra/by-key.ts';
import { cql, type Values } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { ringScan, SCANNED_ROWS } from '../cassandra/ring.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';
import { AUDIENCES } from '../graphql/audience.ts';

/** The UDT like_state. */
const state = z.object({
  liked: cql.boolean,
  version: cql.int,
  liked_at: cql.timestamp.nullable(),
  changed_at: cql.timestamp,
  shard: cql.int,
  former_shard: cql.int.nullable(),
  hour_began: cql.timestamp.nullable(),
  hour_likes: cql.int,
  change_id: cql.uuid,
});
export type LikeState = z.output<typeof state>;

const likeColumns = { user_id: cql.uuid, likeable_id: cql.text };
export type LikeRowKey = Values<typeof likeColumns>;

// likes_by_user: the source of truth.

export const likeStates = stateTable({ table: 'likes_by_user', key: likeColumns, state, ttlSeconds: ttlOf });

/** Some likes of a reader as they were decided. */
export const selectLikesAmong = selectAmong(
  'likes_by_user',
  'likeable_id',
  { likeable_id: cql.text, state },
  { user_id: cql.uuid },
);

/** What pages show their reader of their likes. */
export const selectLikesOfViewer = statement({
  cql: `SELECT likeable_id, state.liked AS liked, state.liked_at AS liked_at, state.changed_at AS changed_at
        FROM likes_by_user WHERE user_id = :user_id AND likeable_id IN :likeable_ids`,
  params: { user_id: cql.uuid, likeable_ids: cql.text.array() },
  row: cql.row({
    likeable_id: cql.text,
    liked: cql.boolean,
    liked_at: cql.timestamp.nullable(),
    changed_at: cql.timestamp,
  }),
});

// item_by_user: what a reader likes. The write timestamp is the version of the like.

const yearOfReader = { user_id: cql.uuid, year: cql.int };
const itemOrder = { liked_at: cql.timestamp, likeable_id: cql.text };
const itemKey = { ...yearOfReader, ...itemOrder };
export type ItemKey = Values<typeof itemKey>;

export const likedItems = versionedList({
  table: 'item_by_user',
  partition: yearOfReader,
  several: 'year',
  order: itemOrder,
  columns: { title: cql.text },
});

export const eraseItems = erasing('item_by_user', yearOfReader);

// user_by_item: who likes a likeable, and how many. Rows and static columns change in one conditional batch.

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

/** What shards say of themselves, each by a row that is always there. */
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

/** Of a liker: the name, and who may see it. */
const shown = { full_name: cql.text, audience: z.enum(AUDIENCES) };

/** Updates, not inserts: a row is nothing but its cells, so that one whose cells have ended is gone. */
export const updateLiker = statement({
  cql: `UPDATE user_by_item SET version = :version, full_name = :full_name, audience = :audience
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked = :liked AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, version: cql.int, ...shown },
});

export const deleteLiker = deleteFrom('user_by_item', likerKey);

/** One cell, so that what is left of it when it has ended is one tombstone of Cassandra's. 0 seconds: for good. */
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

// like_counts: the count of every shard, or of all shards of a block. The write timestamp is the shard's version, or the sum of
// theirs.

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

/** All counts behind one, up to another one: one tombstone. */
export const deleteCountsBehind = statement({
  cql: `DELETE FROM like_counts USING TIMESTAMP :version
        WHERE likeable_id = :likeable_id AND shard > :first AND shard <= :last`,
  params: { likeable_id: cql.text, first: cql.int, last: cql.int, version: cql.bigint },
});

/** How many stripes of a likeable are open, for so long. */
export const updateStripes = statement({
  cql: `UPDATE like_counts USING TTL :ttl_seconds SET stripes = :stripes WHERE likeable_id = :likeable_id`,
  params: { likeable_id: cql.text, stripes: cql.int, ttl_seconds: cql.int },
});

/**
 * The shards of likeables; where stripes were opened before any shard was, a row without one. Those of each come by one read, not by pages:
 * else a sum and the counts that it takes the place of could both be missed, by a reader between whose pages it is written.
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

/** The counts of shards as they were made public, each with the shard's version. */
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

/** The likers of a shard, with its version in each row. */
export const selectLikers = selectFrom('user_by_item', sliceKey, { ...likerKey, shard_version: cql.int }, 1_000);

// For audits and changes of accounts: whole tables, page by page in token order, whole partitions, and single rows.

const likeRow = { ...likeColumns, state };

export const scanLikes = ringScan('likes_by_user', { user_id: cql.uuid }, likeRow);

export const selectLikes = selectFrom('likes_by_user', { user_id: cql.uuid }, likeRow, 200);

export const scanItems = ringScan('item_by_user', yearOfReader, itemKey);

export const selectItems = selectFrom('item_by_user', yearOfReader, itemKey, SCANNED_ROWS);

export const scanLikers = ringScan('user_by_item', shardKey, likerKey);

export const selectLike = selectFrom('likes_by_user', likeColumns, { likeable_id: cql.text, state });

/** `written`: the row's write timestamp, whoever wrote it. */
export const selectItem = statement({
  cql: `SELECT likeable_id, WRITETIME(title) AS written FROM item_by_user
        WHERE user_id = :user_id AND year = :year AND liked_at = :liked_at AND likeable_id = :likeable_id`,
  params: itemKey,
  row: cql.row({ likeable_id: cql.text, written: cql.bigint }),
});

export const selectLiker = selectFrom('user_by_item', likerKey, { version: cql.int });
