import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { cql } from '../cassandra/columns.ts';
import { shardOf } from '../cassandra/shards.ts';
import { selectAmong, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { statement } from '../cassandra/statement.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';
import { yearsBetween } from '../time/ranges.ts';

/** The UDT follow_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  followed: cql.boolean,
  followed_at: cql.timestamp.nullable(),
  requested: cql.boolean,
  requested_at: cql.timestamp.nullable(),
  shard: cql.int,
  hour_began: cql.timestamp.nullable(),
  hour_follows: cql.int,
});
export type FollowState = z.output<typeof state>;

const user = { user_id: cql.uuid };
const followed = { followed_id: cql.uuid };

// follows_by_user: the source of truth for follows.

export const followStates = stateTable({
  table: 'follows_by_user',
  key: { ...user, ...followed },
  partition: user,
  state,
  ttlSeconds: ttlOf,
});

export const selectFollows = selectFrom('follows_by_user', user, { ...followed, state }, 200);

/** The UDT follow_counts. */
const counts = z.object({ version: cql.int, at_once: cql.int, ever: cql.int });
export type FollowCounts = z.output<typeof counts>;

/** Reads the counts of a reader's follows, which any row of the reader has. */
export const selectFollowCounts = selectFirst('follows_by_user', user, { counts: counts.nullable() });

export const updateFollowCounts = statement({
  cql: 'UPDATE follows_by_user SET counts = :next WHERE user_id = :user_id IF counts = :current',
  params: { ...user, next: counts.nullable(), current: counts.nullable() },
  row: cql.row({ counts: counts.nullable() }),
});

/** The states of some follows of a reader. */
export const selectFollowsAmong = selectAmong('follows_by_user', 'followed_id', { ...followed, state }, user);

/** The parts of a reader's states that counts follow from. */
export const selectFollowMarks = statement({
  cql: `SELECT state.followed AS followed, state.requested AS requested, state.change_id AS change_id
        FROM follows_by_user WHERE user_id = :user_id`,
  params: user,
  row: cql.row({ followed: cql.boolean, requested: cql.boolean, change_id: cql.uuid }),
  rowsPerPage: 1_000,
});

// following_by_user: the list of a reader. The write timestamp is the version of the follow.

export const followedReaders = versionedList({
  table: 'following_by_user',
  partition: user,
  order: { followed_at: cql.timestamp, ...followed },
  columns: {},
});

export const eraseFollowing = erasing('following_by_user', user);

// follow_requests_by_user: the requests to a reader. The write timestamp is the version of the
// follow.

const yearOfReader = { ...followed, year: cql.int };

export const followRequests = versionedList({
  table: 'follow_requests_by_user',
  partition: yearOfReader,
  several: 'year',
  order: { requested_at: cql.timestamp, ...user },
  columns: {},
});

/** Returns the years in which a reader may have got requests: the buckets of a list. */
export function yearsOfRequests(registeredAt: Date, now: Date) {
  return {
    column: 'year',
    values: yearsBetween(registeredAt, now),
    of: ({ requested_at }: { readonly requested_at: Date }) => requested_at.getUTCFullYear(),
  } as const;
}

export const selectRequests = selectFrom(
  'follow_requests_by_user',
  yearOfReader,
  { requested_at: cql.timestamp, ...user },
  500,
);

export const eraseRequests = erasing('follow_requests_by_user', yearOfReader);

// follower_ids_by_user: everybody whose follow of a reader has a state. The write timestamp is the
// version of the follow.

export const FOLLOWER_SHARDS = 64;

const shardOfReader = { ...followed, shard: cql.int };

export const followerIds = versionedList({
  table: 'follower_ids_by_user',
  partition: shardOfReader,
  order: user,
  columns: {},
});

/** The key of the row that leads from a followed reader to a follower. */
export const followerIdKey = (userId: string, followedId: string) => ({
  followed_id: followedId,
  shard: shardOf(userId, FOLLOWER_SHARDS),
  user_id: userId,
});

export const eraseFollowerId = erasing('follower_ids_by_user', { ...shardOfReader, ...user });

export const eraseFollowerIds = erasing('follower_ids_by_user', shardOfReader);
