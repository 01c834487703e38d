import { LOWEST_UUID } from '../../../src/cassandra/orders.ts';
import { isLinearizable } from '../../support/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';
import { isOfFollowers } from './follows.ts';

/**
 * Compares the source of truth of likes with the lists, and the counts with likers and followers.
 */
export function* driftOfLikes(cluster: Cluster): Generator<string> {
  const likeOf = (row: Row) =>
    `${show(row['user_id'])} likes ${show(row['likeable_id'])} since ${show(row['liked_at'])}`;
  const wanted = cluster.scan('likes_by_user').flatMap((row) => {
    const state = row['state'] as { liked: boolean; liked_at: Date | null };
    return state.liked ? [likeOf({ ...row, liked_at: state.liked_at })] : [];
  });
  const members = cluster.scan('user_by_item').filter((row) => row['liked'] === true);
  const rows = members.filter((row) => !isOfFollowers(row));
  const states = cluster.scan('likes_by_user');
  const shards = new Map(states.map((row) => [`${show(row['user_id'])} ${show(row['likeable_id'])}`, row['state']]));
  for (const row of rows) {
    const state = shards.get(`${show(row['user_id'])} ${show(row['likeable_id'])}`) as { shard: number } | undefined;
    if (state?.shard !== row['shard']) yield `user_by_item has a like in another shard than its state: ${show(row)}`;
  }
  yield* differences('item_by_user', wanted, cluster.scan('item_by_user').map(likeOf));
  yield* differences('user_by_item', wanted, rows.map(likeOf));

  const published = cluster.scan('like_counts');
  for (const likeableId of new Set(published.map((row) => row['likeable_id']))) {
    const own = published.filter((row) => row['likeable_id'] === likeableId);
    const sum = own.reduce((total, row) => total + (row['like_count'] as number), 0);
    const count = members.filter((row) => row['likeable_id'] === likeableId).length;
    if (sum !== count) yield `like_counts of ${show(likeableId)} is ${sum}, not ${count}`;
  }
  for (const row of members) {
    const shard = members.filter(
      (each) => each['likeable_id'] === row['likeable_id'] && each['shard'] === row['shard'],
    );
    if (row['like_count'] !== shard.length)
      yield `a shard of ${show(row['likeable_id'])} has the count ${show(row['like_count'])}, not ${shard.length}`;
  }
}

/** Checks that every like is listed under its reader's current name. */
export function* staleNames(cluster: Cluster): Generator<string> {
  const names = new Map(
    cluster
      .scan('users_by_id')
      .map((row) => [show(row['user_id']), (row['state'] as { full_name: string }).full_name] as const),
  );
  for (const row of cluster.scan('user_by_item')) {
    const userId = show(row['user_id']);
    if (row['liked'] === true && userId !== LOWEST_UUID && row['full_name'] !== names.get(userId))
      yield `a stale name: ${show(row)}`;
  }
}

/** Checks that the calls about each like are linearizable and end with the stored state. */
export function* impossibleLikes(cluster: Cluster, { likes, leaving }: Library, now: number): Generator<string> {
  const states = new Map(
    cluster
      .scan('likes_by_user')
      .map((row) => [
        `${show(row['user_id'])} ${show(row['likeable_id'])}`,
        (row['state'] as { liked: boolean }).liked,
      ]),
  );
  for (const [key, history] of likes) {
    if (leaving.has(key.split(' ')[0] ?? '')) continue;
    const last = { verb: 'read', begun: now, ended: now + 1, answer: states.get(key) ?? false } as const;
    if (!isLinearizable([...history, last])) yield `the calls about the like ${key} are not linearizable`;
  }
}
