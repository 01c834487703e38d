import { projectionAudit } from '../audit/projection.ts';
import type { Feature } from '../feature/feature.ts';
import { readings, relistSomeReadings } from './aggregate.ts';
import { fillReadingsInFeeds } from './in-feeds.ts';
import { comparedLists, listedFieldsOf } from './lists.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { shelvesOf } from './shelves.ts';
import { fillYears } from './years.ts';

/** The audit of readings, with the lists and shelves of readers and the readers of each book. */
const readingAudit = projectionAudit(readings, {
  kind: 'readings',
  lists: comparedLists,
  keyOf: ({ user_id, book_id }) => ({ userId: user_id, bookId: book_id }),
  join: listedFieldsOf,
  behind: ({ userId, bookId }) => [
    { type: 'User', key: userId },
    { type: 'Book', key: bookId },
  ],
});

export const feature = {
  resolvers,
  costs: { User: { shelf: { partitions: ({ status }) => shelvesOf(status).length } } },
  transactions: [readings.transaction],
  jobs: {
    RELIST: relistSomeReadings,
    FILL_YEARS: fillYears,
    FILL_FEEDS: [{ name: 'readings', work: fillReadingsInFeeds }],
  },
  audits: [readingAudit],
  personalData,
  viewerData: {
    markAsRead: 'READINGS',
    updateReading: 'READINGS',
    unmarkAsRead: 'READINGS',
    setReadingStatus: 'READINGS',
  },
} satisfies Feature;
