import { feedSource, partitionsByMonth } from '../activity/feed-sources.ts';
import { reviewedInMonth } from './tables.ts';

/** The reviews of readers in the feeds of their followers. */
export const reviewsInFeeds = feedSource({
  kind: 'REVIEWED',
  list: reviewedInMonth,
  partitionsOf: partitionsByMonth,
  placeOf: ({ at, userId, key }) => ({ user_id: userId, written_at: at, review_id: key }),
  entryOf: ({ written_at, user_id, review_id }) => ({ at: written_at, userId: user_id, key: review_id }),
});
