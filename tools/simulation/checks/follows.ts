import { LOWEST_UUID } from '../../../src/cassandra/orders.ts';
import type { FollowCounts, FollowState } from '../../../src/follows/tables.ts';
import { endsBy, isLinearizable } from '../../support/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

/** Returns whether a row of likers or counts is about the followers of a reader. */
export const isOfFollowers = (row: Row): boolean => show(row['likeable_id']).startsWith('User:');

const pairOf = (row: Row) => `${show(row['user_id'])} ${show(row['followed_id'])}`;

/** Returns the follows, with their states; without tombstones. */
const followsIn = (cluster: Cluster) =>
  cluster
    .scan('follows_by_user')
    .map((row) => ({
      pair: pairOf(row),
      userId: show(row['user_id']),
      followedId: show(row['followed_id']),
      ...stateOf(row),
    }))
    .filter(({ change_id }) => show(change_id) !== LOWEST_UUID);

const stateOf = (row: Row) => row['state'] as FollowState;

/** Returns the counts that a row of a reader has, if there are any. */
function countsIn(row: Row): string[] {
  const counts = row['counts'] as FollowCounts | null;
  return counts ? [`${show(row['user_id'])} ${counts.at_once} ${counts.ever}`] : [];
}

/** Compares follows with the lists of both readers, and with blocks. */
export function* driftOfFollows(cluster: Cluster): Generator<string> {
  const all = followsIn(cluster);
  const followed = all.filter((each) => each.followed);
  yield* differences(
    'following_by_user',
    followed.map(({ pair, followed_at }) => `${pair} ${show(followed_at)}`),
    cluster.scan('following_by_user').map((row) => `${pairOf(row)} ${show(row['followed_at'])}`),
  );
  yield* differences(
    'follow_requests_by_user',
    all.filter(({ requested }) => requested).map(({ pair, requested_at }) => `${pair} ${show(requested_at)}`),
    cluster.scan('follow_requests_by_user').map((row) => `${pairOf(row)} ${show(row['requested_at'])}`),
  );
  yield* differences(
    'follower_ids_by_user',
    all.map(({ pair }) => pair),
    cluster.scan('follower_ids_by_user').map(pairOf),
  );
  yield* differences(
    'user_by_item',
    followed.map(
      ({ userId, followedId, shard, followed_at }) => `${userId} User:${followedId} ${shard} ${show(followed_at)}`,
    ),
    cluster
      .scan('user_by_item')
      .filter((row) => row['liked'] === true && isOfFollowers(row))
      .map((row) => ['user_id', 'likeable_id', 'shard', 'liked_at'].map((column) => show(row[column])).join(' ')),
  );

  const ofReader = Map.groupBy(all, ({ userId }) => userId);
  yield* differences(
    'counts of follows_by_user',
    [...ofReader].map(([userId, own]) => {
      const atOnce = own.filter(({ followed: isFollowed, requested }) => isFollowed || requested);
      return `${userId} ${atOnce.length} ${own.length}`;
    }),
    [...new Set(cluster.scan('follows_by_user').flatMap(countsIn))],
  );

  const hidden = new Set(
    cluster
      .scan('hidden_by_user')
      .filter((row) => row['blocks'] === true || row['is_blocked'] === true)
      .map((row) => `${show(row['user_id'])} ${show(row['other_id'])}`),
  );
  for (const { pair, requested } of all.filter((each) => each.followed || each.requested))
    if (hidden.has(pair)) yield `${pair}: ${requested ? 'a request' : 'a follow'} of readers who are hidden`;
}

/**
 * Checks that the calls about each follow are linearizable and end with the stored state. A block
 * of either reader may end the follow; so may the follow itself, if it finds the two hidden.
 */
export function* impossibleFollows(
  cluster: Cluster,
  { follows, blocks, leaving }: Library,
  now: number,
): Generator<string> {
  const states = new Map(followsIn(cluster).map(({ pair, followed }) => [pair, followed]));
  for (const [pair, history] of follows) {
    const readers = pair.split(' ');
    if (readers.some((userId) => leaving.has(userId))) continue;

    const ofBoth = [pair, readers.toReversed().join(' ')].flatMap((key) => blocks.get(key) ?? []);
    const ends = ofBoth.filter(({ verb }) => verb === 'like').flatMap((block) => endsBy(block, history));
    const last = { verb: 'read', begun: now, ended: now + 1, answer: states.get(pair) ?? false } as const;
    if (!isLinearizable([...history, ...ends, last])) yield `the calls about the follow ${pair} are not linearizable`;
  }
}
