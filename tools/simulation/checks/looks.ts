import type { AccountState } from '../../../src/accounts/tables.ts';
import type { FollowState } from '../../../src/follows/tables.ts';
import type { LikeState } from '../../../src/likes/tables.ts';
import type { Scene } from '../acts/act.ts';
import { looksOf } from '../acts/looks.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show } from '../cluster/values.ts';
import { differences } from './differences.ts';

/**
 * Compares what a server shows, with all that it keeps, with a plain model of the sources of truth:
 * likes of books in feeds, known likers of books, and the notification of followers.
 */
export async function* wronglyShown(scene: Scene): AsyncGenerator<string> {
  const { cluster, library } = scene;
  const follows = pairsIn(cluster, 'follows_by_user', (state) => (state as FollowState).followed, 'followed_id');
  const likes = pairsIn(cluster, 'likes_by_user', (state) => (state as LikeState).liked, 'likeable_id');
  const showing = new Set(
    cluster.scan('users_by_id').flatMap((row) => {
      const { suspended, erased_at, likes_audience } = row['state'] as AccountState;
      return suspended || erased_at || likes_audience === 'ONLY_ME' ? [] : [show(row['user_id'])];
    }),
  );

  for (const userId of library.readers.filter((id) => !library.leaving.has(id))) {
    const looks = await looksOf(scene, userId);
    if (!looks) continue;
    const seen = follows.flatMap(([one, other]) => (one === userId && showing.has(other) ? [other] : []));
    const liked = likes.filter(([by, thing]) => seen.includes(by) && thing.startsWith('Book:'));
    const entries = (looks.feed?.edges ?? []).map(({ node }) => `${node.userId} ${node.key}`);
    yield* differences(
      `the feed of ${userId}`,
      liked.map(([by, thing]) => `${by} ${thing}`),
      entries.filter((entry) => entry.includes(' Book:')),
    );
    yield* differences(
      `the known likers of ${userId}`,
      liked.map(([by, thing]) => `${by} ${thing}`),
      [...looks.known].flatMap(([bookId, { nodes }]) => nodes.map(({ id }) => `${id} Book:${bookId}`)),
    );

    const followers = follows.filter(([, other]) => other === userId).length;
    yield* differences(
      `the followers that ${userId} is notified of`,
      followers > 0 ? [String(followers)] : [],
      looks.notifications.edges.flatMap(({ node }) => (node.kind === 'FOLLOWED' ? [String(node.readers?.count)] : [])),
    );
  }
}

/** Returns the pairs of readers and things in a table whose states hold. */
const pairsIn = (
  cluster: Cluster,
  table: string,
  holds: (state: unknown) => boolean,
  column: string,
): (readonly [userId: string, other: string])[] =>
  cluster
    .scan(table)
    .flatMap((row) => (holds(row['state']) ? [[show(row['user_id']), show(row[column])] as const] : []));
