import { feedMonthWrites } from '../activity/feed-months.ts';
import { feedSource } from '../activity/feed-sources.ts';
import { filling } from '../jobs/filling.ts';
import { likedByReaders, scanLikes } from './tables.ts';

/** The likes of readers in the feeds of their followers. */
export const likesInFeeds = feedSource({
  kind: 'LIKED',
  audience: 'likes',
  list: likedByReaders,
  partitionsOf: (months) =>
    [...Map.groupBy(months, ({ month }) => month.getUTCFullYear())].flatMap(([year, some]) =>
      [...new Set(some.map(({ userId }) => userId))].map((user_id) => ({ user_id, year })),
    ),
  placeOf: ({ at, userId, key }) => ({ user_id: userId, liked_at: at, likeable_id: key }),
  entryOf: ({ liked_at, user_id, likeable_id }) => ({ at: liked_at, userId: user_id, key: likeable_id }),
});

/**
 * Lists the months of the likes that release 1.0.0 wrote: a part of the move of the migration
 * `0016-feeds`.
 */
export const fillMonthsOfLikes = filling(
  scanLikes,
  ({ user_id, state: { liked, liked_at } }) => (liked && liked_at ? feedMonthWrites(user_id, [liked_at]) : []),
  ({ params }) => String(params['user_id']),
);
