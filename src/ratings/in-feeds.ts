import { feedSource, partitionsByMonth } from '../activity/feed-sources.ts';
import { ratedInMonth } from './tables.ts';

/** The ratings of readers in the feeds of their followers. */
export const ratingsInFeeds = feedSource({
  kind: 'RATED',
  audience: 'readings',
  list: ratedInMonth,
  partitionsOf: partitionsByMonth,
  placeOf: ({ at, userId, key }) => ({ user_id: userId, rated_at: at, book_id: key }),
  entryOf: ({ rated_at, user_id, book_id, quarters }) => ({ at: rated_at, userId: user_id, key: book_id, quarters }),
});
