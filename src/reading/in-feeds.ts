import { feedMonthWrites } from '../activity/feed-months.ts';
import { feedSource, partitionsByMonth } from '../activity/feed-sources.ts';
import { filling } from '../jobs/filling.ts';
import { byMonth, momentsForFeeds } from './lists.ts';
import { readInMonth, scanReadings } from './tables.ts';

/** The readings of readers in the feeds of their followers. */
export const readingsInFeeds = feedSource({
  kind: 'READ',
  audience: 'readings',
  list: readInMonth,
  partitionsOf: partitionsByMonth,
  placeOf: ({ at, userId, key }) => ({ user_id: userId, noted_at: at, book_id: key }),
  entryOf: ({ noted_at, user_id, book_id }) => ({ at: noted_at, userId: user_id, key: book_id }),
});

/**
 * Writes the readings that release 1.0.0 wrote, for feeds: a part of the move of the migration
 * `0016-feeds`.
 */
export const fillReadingsInFeeds = filling(
  scanReadings,
  ({ user_id: userId, book_id: bookId, state }) => [
    ...feedMonthWrites(userId, momentsForFeeds(state)),
    ...byMonth.writes({ userId, bookId }, state, undefined),
  ],
  ({ label, params }) => `${label} ${String(params['user_id'])} ${String(params['month'])}`,
);
