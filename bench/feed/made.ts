import pLimit from 'p-limit';
import { accountState } from '../../tools/support/account-state.ts';
import { Chance } from '../../tools/support/chance.ts';
import { accountStates } from '../../src/accounts/tables.ts';
import { feedMonthWrites, monthsShown } from '../../src/activity/feed-months.ts';
import type { FeedKind } from '../../src/activity/feed-sources.ts';
import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { batch, bind, type Bound } from '../../src/cassandra/statement.ts';
import { likedItems } from '../../src/likes/tables.ts';
import { ratedInMonth } from '../../src/ratings/tables.ts';
import { readInMonth } from '../../src/reading/tables.ts';
import { reviewKeyOf } from '../../src/reviews/aggregate.ts';
import { reviewedInMonth } from '../../src/reviews/tables.ts';
import { monthOf } from '../../src/time/units.ts';
import { likeableIdOf, type Bench } from '../bench.ts';
import { makeReviewState } from '../lists/made.ts';

/**
 * Readers with a year of likes, readings, ratings and reviews, most of them inactive in a month.
 */

const AT_ONCE = 64;
const ROWS_PER_BATCH = 60;
/** The shares of readers, each with the chance that such a reader is active in a month. */
const HABITS = [
  { share: 0.05, active: 0.9 },
  { share: 0.15, active: 0.4 },
  { share: 0.8, active: 0.05 },
] as const;
/** The mean number of entries of a reader in an active month. */
const ENTRIES_MEAN = 12;
const REVIEW = 'A review of some length. '.repeat(10);
/** The kinds of entries, by their shares. */
const SHARES: readonly FeedKind[] = [
  'LIKED',
  'LIKED',
  'LIKED',
  'LIKED',
  'LIKED',
  'READ',
  'READ',
  'RATED',
  'RATED',
  'REVIEWED',
];

/** The readers that were made, and the numbers of their entries. */
export interface MadeReaders {
  readonly userIds: readonly string[];
  readonly entries: number;
  /** The number of readers who have entries in the current month. */
  readonly activeNow: number;
}

/** Makes readers, half of whom show their readings, with the rows of a year for feeds. */
export async function makeActiveReaders({ app, bookIds }: Bench, count: number, seed: number): Promise<MadeReaders> {
  const chance = new Chance(seed);
  const books = bookIds.map((id) => likeableIdOf(id).replace('Book:', ''));
  const now = app.clock();
  let [entries, activeNow] = [0, 0];
  const made = Array.from({ length: count }, (_, index) => {
    const userId = app.randomId();
    const writes: Bound[] = [];
    const reviewed: { readonly bookId: string; readonly at: Date }[] = [];
    for (const [age, month] of monthsShown(now).entries()) {
      if (chance.random() > habitOf(index / count)) continue;
      const end = age === 0 ? now.getTime() : (monthsShown(now)[age - 1] ?? now).getTime();
      const length = 1 + Math.floor(-Math.log(1 - chance.random()) * (ENTRIES_MEAN - 1));
      entries += length;
      if (age === 0) activeNow++;
      for (let each = 0; each < length; each++) {
        const at = new Date(month.getTime() + Math.floor(chance.random() * (end - month.getTime())));
        const kind = SHARES[chance.below(SHARES.length)] ?? 'LIKED';
        const bookId = books[chance.below(books.length)] ?? '';
        writes.push(...writesOf(userId, kind, bookId, at));
        if (kind === 'REVIEWED') reviewed.push({ bookId, at });
      }
    }
    return { userId, index, writes, reviewed };
  });

  await pLimit(AT_ONCE).map(made, async ({ userId, index, writes, reviewed }) => {
    const readings_audience = index % 2 === 0 ? 'EVERYONE' : 'ONLY_ME';
    const state = {
      ...accountState(app.randomId, now),
      full_name: `Reader ${String(index)}`,
      readings_audience,
    } as const;
    await accountStates.compareAndSet(app.cassandra, { user_id: userId }, null, state);
    for (const part of keysInParts(writes, ROWS_PER_BATCH)) await batch(app.cassandra, part);
    for (const { bookId, at } of reviewed) await makeReviewState(app, userId, bookId, at, REVIEW);
  });
  return { userIds: made.map(({ userId }) => userId), entries, activeNow };
}

/** Returns the chance that a reader is active in a month. */
function habitOf(place: number): number {
  let shares = 0;
  for (const { share, active } of HABITS) {
    shares += share;
    if (place < shares) return active;
  }
  return 0;
}

/** Returns the writes of an entry, as its operation writes them for feeds. */
function writesOf(userId: string, kind: FeedKind, bookId: string, at: Date): Bound[] {
  const key = { user_id: userId, month: monthOf(at), version: 1n };
  const write = {
    LIKED: () => {
      const place = { user_id: userId, year: at.getUTCFullYear(), liked_at: at, likeable_id: `Book:${bookId}` };
      return bind(likedItems.insert, {
        ...place,
        title: 'A title of usual length',
        authors: ['An Author'],
        version: 1n,
      });
    },
    READ: () => bind(readInMonth.insert, { ...key, noted_at: at, book_id: bookId }),
    RATED: () => bind(ratedInMonth.insert, { ...key, rated_at: at, book_id: bookId, quarters: 14 }),
    REVIEWED: () =>
      bind(reviewedInMonth.insert, { ...key, written_at: at, review_id: reviewKeyOf(userId, bookId).reviewId }),
  }[kind];
  return [...feedMonthWrites(userId, [at]), write()];
}
