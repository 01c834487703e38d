import { z } from 'zod';
import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

/** The UDT like_state. */
const state = z.object({
  liked: cql.boolean,
  version: cql.int,
  liked_at: cql.timestamp.nullable(),
  changed_at: cql.timestamp,
  shard: cql.int,
  change_id: cql.uuid,
});
export type LikeState = z.output<typeof state>;

const likeKey = { user_id: cql.uuid, likeable_id: cql.text };

// likes_by_user: the authority.

/** An update also where there is no row: it is nothing but its state, so that one whose state has ended is gone. */
export const updateLike = statement({
  cql: `UPDATE likes_by_user USING TTL :ttl_seconds SET state = :next
        WHERE user_id = :user_id AND likeable_id = :likeable_id IF state = :current`,
  params: { ...likeKey, next: state, current: state.nullable(), ttl_seconds: cql.int },
  row: cql.row({ state }),
  idempotent: false,
});

export const selectLikeSerially = statement({
  cql: `SELECT state FROM likes_by_user WHERE user_id = :user_id AND likeable_id = :likeable_id`,
  params: likeKey,
  row: cql.row({ state }),
  idempotent: true,
  serialRead: true,
});

export const selectLikesOfViewer = statement({
  cql: `SELECT likeable_id, state FROM likes_by_user WHERE user_id = :user_id AND likeable_id IN :likeable_ids`,
  params: { user_id: cql.uuid, likeable_ids: cql.text.array() },
  row: cql.row({ likeable_id: cql.text, state }),
  idempotent: true,
});

// item_by_user: what a reader likes. The write timestamp is the version of the like.

const itemKey = { user_id: cql.uuid, year: cql.int, liked_at: cql.timestamp, likeable_id: cql.text };
const itemRow = cql.row({ liked_at: cql.timestamp, likeable_id: cql.text, title: cql.text });

export const insertItem = statement({
  cql: `INSERT INTO item_by_user (user_id, year, liked_at, likeable_id, title)
        VALUES (:user_id, :year, :liked_at, :likeable_id, :title) USING TIMESTAMP :version`,
  params: { ...itemKey, title: cql.text, version: cql.bigint },
  idempotent: true,
});

export const deleteItem = statement({
  cql: `DELETE FROM item_by_user USING TIMESTAMP :version
        WHERE user_id = :user_id AND year = :year AND liked_at = :liked_at AND likeable_id = :likeable_id`,
  params: { ...itemKey, version: cql.bigint },
  idempotent: true,
});

export const eraseItems = statement({
  cql: `DELETE FROM item_by_user USING TIMESTAMP :write_timestamp WHERE user_id = :user_id AND year = :year`,
  params: { user_id: cql.uuid, year: cql.int, write_timestamp: cql.bigint },
  idempotent: true,
});

const itemSlice = { ...itemKey, rows_max: cql.int };

export const selectItemsDescending = statement({
  cql: `SELECT liked_at, likeable_id, title FROM item_by_user WHERE user_id = :user_id AND year = :year
        AND (liked_at, likeable_id) < (:liked_at, :likeable_id)
        ORDER BY liked_at DESC, likeable_id DESC LIMIT :rows_max`,
  params: itemSlice,
  row: itemRow,
  idempotent: true,
});

export const selectItemsAscending = statement({
  cql: `SELECT liked_at, likeable_id, title FROM item_by_user WHERE user_id = :user_id AND year = :year
        AND (liked_at, likeable_id) > (:liked_at, :likeable_id)
        ORDER BY liked_at ASC, likeable_id ASC LIMIT :rows_max`,
  params: itemSlice,
  row: itemRow,
  idempotent: true,
});

// user_by_item: who likes a thing, and how many. Rows and static columns change in one conditional batch.

const shardKey = { likeable_id: cql.text, shard: cql.int };
const likerKey = { ...shardKey, liked_at: cql.timestamp, user_id: cql.uuid };

const shardRow = {
  liked_at: cql.timestamp,
  user_id: cql.uuid,
  liked: cql.boolean,
  version: cql.int,
  shard_version: cql.int,
  like_count: cql.int,
  row_count: cql.int,
  closed: cql.boolean,
};

const shardRows = {
  cql: `SELECT liked_at, user_id, liked, version, shard_version, like_count, row_count, closed FROM user_by_item
        WHERE likeable_id = :likeable_id AND shard = :shard AND (liked_at, user_id) IN :positions`,
  params: { ...shardKey, positions: z.array(cql.tuple(cql.timestamp, cql.uuid)) },
  row: cql.row(shardRow),
  idempotent: true,
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
  idempotent: false,
});

export const updateShard = statement({
  cql: `UPDATE user_by_item SET shard_version = :next_version, like_count = :like_count, row_count = :row_count, closed = :closed
        WHERE likeable_id = :likeable_id AND shard = :shard IF shard_version = :current_version`,
  params: { ...shardKey, ...shardState, current_version: cql.int },
  idempotent: false,
});

/** Updates, not inserts: a row is nothing but its cells, so that one whose cells have ended is gone. */
export const updateLiker = statement({
  cql: `UPDATE user_by_item SET liked = :liked, version = :version, full_name = :full_name
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, liked: cql.boolean, version: cql.int, full_name: cql.text },
  idempotent: false,
});

export const updateFormerLiker = statement({
  cql: `UPDATE user_by_item USING TTL :kept_seconds SET liked = :liked, version = :version, full_name = :full_name
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked_at = :liked_at AND user_id = :user_id`,
  params: { ...likerKey, kept_seconds: cql.int, liked: cql.boolean, version: cql.int, full_name: cql.text },
  idempotent: false,
});

const likerSlice = { ...likerKey, rows_max: cql.int };
const likerRow = cql.row({
  shard: cql.int,
  liked_at: cql.timestamp,
  user_id: cql.uuid,
  liked: cql.boolean,
  full_name: cql.text,
});

export const selectLikersDescending = statement({
  cql: `SELECT shard, liked_at, user_id, liked, full_name FROM user_by_item
        WHERE likeable_id = :likeable_id AND shard = :shard
        AND (liked_at, user_id) < (:liked_at, :user_id) AND (liked_at) > (:beginning)
        ORDER BY liked_at DESC, user_id DESC LIMIT :rows_max`,
  params: { ...likerSlice, beginning: cql.timestamp },
  row: likerRow,
  idempotent: true,
});

export const selectLikersAscending = statement({
  cql: `SELECT shard, liked_at, user_id, liked, full_name FROM user_by_item
        WHERE likeable_id = :likeable_id AND shard = :shard
        AND (liked_at, user_id) > (:liked_at, :user_id)
        ORDER BY liked_at ASC, user_id ASC LIMIT :rows_max`,
  params: likerSlice,
  row: likerRow,
  idempotent: true,
});

// like_counts: the count of every shard. The write timestamp is the shard's version.

const countRow = { likeable_id: cql.text, shard: cql.int, like_count: cql.int, shard_version: cql.bigint };

export const updateCount = statement({
  cql: `INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (:likeable_id, :shard, :like_count)
        USING TIMESTAMP :shard_version`,
  params: countRow,
  idempotent: true,
});

/** The sum over a thing's shards, and the shard that new likes go to. */
export const selectCounts = statement({
  cql: `SELECT likeable_id, sum(like_count) AS like_count, max(shard) AS newest_shard FROM like_counts
        WHERE likeable_id IN :likeable_ids GROUP BY likeable_id`,
  params: { likeable_ids: cql.text.array() },
  row: cql.row({ likeable_id: cql.text, like_count: cql.int, newest_shard: cql.int }),
  idempotent: true,
});

export const selectCount = statement({
  cql: `SELECT like_count FROM like_counts WHERE likeable_id = :likeable_id AND shard = :shard`,
  params: shardKey,
  row: cql.row({ like_count: cql.int }),
  idempotent: true,
});

// For audits and changes of accounts: whole tables, page by page in token order, whole partitions, and single rows.

/** The rest of one partition, or the partitions that come after a token. */
const walked = { rows_max: cql.int };
const beyond = { ring_token: cql.bigint, ...walked };

const likeWalked = cql.row({ ring_token: cql.bigint, user_id: cql.uuid, likeable_id: cql.text, state });

export type LikeWalked = z.output<typeof likeWalked>;

export const walkLikesBeyond = statement({
  cql: `SELECT token(user_id) AS ring_token, user_id, likeable_id, state FROM likes_by_user
        WHERE token(user_id) > :ring_token LIMIT :rows_max`,
  params: beyond,
  row: likeWalked,
  idempotent: true,
});

export const walkLikesWithin = statement({
  cql: `SELECT token(user_id) AS ring_token, user_id, likeable_id, state FROM likes_by_user
        WHERE user_id = :user_id AND likeable_id > :likeable_id LIMIT :rows_max`,
  params: { ...likeKey, ...walked },
  row: likeWalked,
  idempotent: true,
});

const itemWalked = cql.row({
  ring_token: cql.bigint,
  user_id: cql.uuid,
  year: cql.int,
  liked_at: cql.timestamp,
  likeable_id: cql.text,
});
export type ItemWalked = z.output<typeof itemWalked>;

export const walkItemsBeyond = statement({
  cql: `SELECT token(user_id, year) AS ring_token, user_id, year, liked_at, likeable_id FROM item_by_user
        WHERE token(user_id, year) > :ring_token LIMIT :rows_max`,
  params: beyond,
  row: itemWalked,
  idempotent: true,
});

export const walkItemsWithin = statement({
  cql: `SELECT token(user_id, year) AS ring_token, user_id, year, liked_at, likeable_id FROM item_by_user
        WHERE user_id = :user_id AND year = :year AND (liked_at, likeable_id) < (:liked_at, :likeable_id) LIMIT :rows_max`,
  params: { ...itemKey, ...walked },
  row: itemWalked,
  idempotent: true,
});

const likerWalked = cql.row({ ring_token: cql.bigint, ...shardKey, ...shardRow });
export type LikerWalked = z.output<typeof likerWalked>;

export const walkLikersBeyond = statement({
  cql: `SELECT token(likeable_id, shard) AS ring_token, likeable_id, shard, liked_at, user_id, liked, version, shard_version, like_count, row_count, closed
        FROM user_by_item WHERE token(likeable_id, shard) > :ring_token LIMIT :rows_max`,
  params: beyond,
  row: likerWalked,
  idempotent: true,
});

export const walkLikersWithin = statement({
  cql: `SELECT token(likeable_id, shard) AS ring_token, likeable_id, shard, liked_at, user_id, liked, version, shard_version, like_count, row_count, closed
        FROM user_by_item WHERE likeable_id = :likeable_id AND shard = :shard
        AND (liked_at, user_id) < (:liked_at, :user_id) LIMIT :rows_max`,
  params: { ...likerKey, ...walked },
  row: likerWalked,
  idempotent: true,
});

export const selectLike = statement({
  cql: `SELECT likeable_id, state FROM likes_by_user WHERE user_id = :user_id AND likeable_id = :likeable_id`,
  params: likeKey,
  row: cql.row({ likeable_id: cql.text, state }),
  idempotent: true,
});

/** `written`: the row's write timestamp, whoever wrote it. */
export const selectItem = statement({
  cql: `SELECT likeable_id, WRITETIME(title) AS written FROM item_by_user
        WHERE user_id = :user_id AND year = :year AND liked_at = :liked_at AND likeable_id = :likeable_id`,
  params: itemKey,
  row: cql.row({ likeable_id: cql.text, written: cql.bigint }),
  idempotent: true,
});

export const selectLiker = statement({
  cql: `SELECT liked, version FROM user_by_item
        WHERE likeable_id = :likeable_id AND shard = :shard AND liked_at = :liked_at AND user_id = :user_id`,
  params: likerKey,
  row: cql.row({ liked: cql.boolean, version: cql.int }),
  idempotent: true,
});

// like_audits: how far the audits are.

const auditRow = { position: cql.text, rows_done: cql.int, drift_found: cql.int, at: cql.timestamp };

export const insertAudit = statement({
  cql: `INSERT INTO like_audits (name, position, rows_done, drift_found, at) VALUES (:name, :position, :rows_done, :drift_found, :at)`,
  params: { name: cql.text, ...auditRow },
  idempotent: true,
});

export const selectAudit = statement({
  cql: `SELECT position, rows_done, drift_found, at FROM like_audits WHERE name = :name`,
  params: { name: cql.text },
  row: cql.row(auditRow),
  idempotent: true,
});

export const deleteAudit = statement({
  cql: `DELETE FROM like_audits WHERE name = :name`,
  params: { name: cql.text },
  idempotent: true,
});
