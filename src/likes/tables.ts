import { z } from 'zod';
import { ttlOf } from '../aggregates/aggregate.ts';
import { deleteFrom, insertInto, selectFrom } from '../cassandra/by-key.ts';
import { cql, modelOf, type Columns, type Values } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { declareStatement, statement } from '../cassandra/statement.ts';
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
  hour_began: cql.timestamp.nullable(),
  hour_likes: cql.int,
  change_id: cql.uuid,
});
export type LikeState = z.output<typeof state>;

const likeKey = { user_id: cql.uuid, likeable_id: cql.text };
export type LikeKey = Values<typeof likeKey>;

// likes_by_user: the source of truth.

export const likeStates = stateTable({ table: 'likes_by_user', key: likeKey, state, ttlSeconds: ttlOf });

export const selectLikesOfViewer = statement({
  cql: `SELECT likeable_id, state FROM likes_by_user WHERE user_id = :user_id AND likeable_id IN :likeable_ids`,
  params: { user_id: cql.uuid, likeable_ids: cql.text.array() },
  row: cql.row({ likeable_id: cql.text, state }),
});

// item_by_user: what a reader likes. The write timestamp is the version of the like.

const yearOfReader = { user_id: cql.uuid, year: cql.int };
const itemOrder = { liked_at: cql.timestamp, likeable_id: cql.text };
const itemKey = { ...yearOfReader, ...itemOrder };
export type ItemKey = Values<typeof itemKey>;

export const likedItems = versionedList({
  table: 'item_by_user',
  partition: yearOfReader,
  order: itemOrder,
  columns: { title: cql.text },
});

export const eraseItems = erasing('item_by_user', yearOfReader);

// user_by_item: who likes a likeable, and how many. Rows and static columns change in one conditional batch.

const shardKey = { likeable_id: cql.text, shard: cql.int };
const likerKey = { ...shardKey, liked_at: cql.timestamp, user_id: cql.uuid };
const likerRow = { ...likerKey, liked: cql.boolean };
export type LikerKey = Values<typeof likerKey>;
export type LikerRow = Values<typeof likerRow>;

const shardStatics = { shard_version: cql.int, like_count: cql.int, row_count: cql.int, closed: cql.boolean };
export type ShardStatics = Values<typeof shardStatics>;

const shardRows = {
  cql: `SELECT liked_at, user_id, liked, version, shard_version, like_count, row_count, closed FROM user_by_item
        WHERE likeable_id = :likeable_id AND shard = :shard AND (liked_at, user_id) IN :positions`,
  params: { ...shardKey, positions: z.array(cql.tuple(cql.timestamp, cql.uuid)) },
  row: cql.row({ liked_at: cql.timestamp, user_id: cql.uuid, liked: cql.boolean, version: cql.int, ...shardStatics }),
} as const;

export const selectShardRows = statement(shardRows);
export const selectShardRowsSerially = statement({ ...shardRows, serialRead: true });

const shardState = {
  next_version: cql.int,
  like_count: cql.int,
  row_count: cql.int,
  closed: cql.boolean,
};

/** The first write of a shard. */
export const openShard = statement({
  cql: `UPDATE user_by_item SET shard_version = :next_version, like_count = :like_count, row_count = :row_count, closed = :closed
        WHERE likeable_id = :likeable_id AND shard = :shard IF shard_version = null`,
  params: { ...shardKey, ...shardState },
});

export const updateShard = statement({
  cql: `UPDATE user_by_item SET shard_version = :next_version, like_count = :like_count, row_count = :row_count, closed = :closed
        WHERE likeable_id = :likeable_id AND shard = :shard IF shard_version = :current_version`,
  params: { ...shardKey, ...shardState, current_version: cql.int },
});

/** Of a liker: the name, and who may see it. */
const shown = { full_name: cql.text, audience: z.enum(AUDIENCES) };

/** Updates, not inserts: a row is nothing but its cells, so that one whose cells have ended is gone. */
export const updateLiker = statement({
  cql: `UPDATE user_by_item SET liked = :liked, version = :version, full_name = :full_name, audience = :audience
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, liked: cql.boolean, version: cql.int, ...shown },
});

export const updateFormerLiker = statement({
  cql: `UPDATE user_by_item USING TTL :kept_seconds SET liked = :liked, version = :version, full_name = :full_name, audience = :audience
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, kept_seconds: cql.int, liked: cql.boolean, version: cql.int, ...shown },
});

export const likers = range({
  table: 'user_by_item',
  partition: shardKey,
  located: { shard: cql.int },
  order: { liked_at: cql.timestamp, user_id: cql.uuid },
  columns: { liked: cql.boolean, ...shown },
});

// like_counts: the count of every shard. The write timestamp is the shard's version.

export const updateCount = statement({
  cql: `INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (:likeable_id, :shard, :like_count)
        USING TIMESTAMP :shard_version`,
  params: { ...shardKey, like_count: cql.int, shard_version: cql.bigint },
});

/** The sum over a likeable's shards, and the shard that new likes go to. */
export const selectCounts = statement({
  cql: `SELECT likeable_id, sum(like_count) AS like_count, max(shard) AS newest_shard FROM like_counts
        WHERE likeable_id IN :likeable_ids GROUP BY likeable_id`,
  params: { likeable_ids: cql.text.array() },
  row: cql.row({ likeable_id: cql.text, like_count: cql.int, newest_shard: cql.int }),
});

export const selectCount = selectFrom('like_counts', shardKey, { like_count: cql.int });

/** A shard as a whole, with what it says of itself in each row. */
export const selectShard = selectFrom('user_by_item', shardKey, { ...likerRow, ...shardStatics }, 1_000);

// For audits and changes of accounts: whole tables, page by page in token order, whole partitions, and single rows.

const AUDITED_ROWS = 50;
const likeRow = { ...likeKey, state };

/** Declares the reading of a part of a table along the ring of tokens. */
function scanOf<Row extends Columns>(table: string, partition: Columns, row: Row) {
  const token = `token(${Object.keys(partition).join(', ')})`;
  return declareStatement({
    cql: `SELECT ${token} AS ring_token, ${Object.keys(row).join(', ')} FROM ${table}
        WHERE ${token} > :above AND ${token} <= :up_to`,
    params: cql.row({ above: cql.bigint, up_to: cql.bigint }),
    row: modelOf({ ring_token: cql.bigint, ...row }),
    rowsPerPage: AUDITED_ROWS,
  });
}

export const scanLikes = scanOf('likes_by_user', { user_id: cql.uuid }, likeRow);

export const selectLikes = selectFrom('likes_by_user', { user_id: cql.uuid }, likeRow, 200);

export const scanItems = scanOf('item_by_user', yearOfReader, itemKey);

export const selectItems = selectFrom('item_by_user', yearOfReader, itemKey, AUDITED_ROWS);

export const scanLikers = scanOf('user_by_item', shardKey, likerRow);

export const selectLike = selectFrom('likes_by_user', likeKey, { likeable_id: cql.text, state });

/** `written`: the row's write timestamp, whoever wrote it. */
export const selectItem = statement({
  cql: `SELECT likeable_id, WRITETIME(title) AS written FROM item_by_user
        WHERE user_id = :user_id AND year = :year AND liked_at = :liked_at AND likeable_id = :likeable_id`,
  params: itemKey,
  row: cql.row({ likeable_id: cql.text, written: cql.bigint }),
});

export const selectLiker = selectFrom('user_by_item', likerKey, { liked: cql.boolean, version: cql.int });

// like_audits: how far the audits are.

const auditKey = { name: cql.text };
const auditRow = { position: cql.text, rows_done: cql.int, drift_found: cql.int, at: cql.timestamp };

export const insertAudit = insertInto('like_audits', { ...auditKey, ...auditRow });

export const selectAudit = selectFrom('like_audits', auditKey, auditRow);

export const deleteAudit = deleteFrom('like_audits', auditKey);
