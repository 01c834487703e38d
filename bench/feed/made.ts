import pLimit from 'p-limit';
import { accountState } from '../../tools/support/account-state.ts';
import { Chance } from '../../tools/support/chance.ts';
import { accountStates } from '../../src/accounts/tables.ts';
import { feedMonthWrites, monthsShown } from '../../src/activity/feed-months.ts';
import type { FeedKind } from '../../src/activity/feed-sources.ts';
import { inBatches } from '../../src/cassandra/batches.ts';
import { untilKnown } from '../../src/cassandra/retries.ts';
import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { batch, bind, type Bound } from '../../src/cassandra/statement.ts';
import type { Audience } from '../../src/graphql/generated/schema-types.ts';
import { likedItems } from '../../src/likes/tables.ts';
import { ratedInMonth } from '../../src/ratings/tables.ts';
import { readInMonth } from '../../src/reading/tables.ts';
import { reviewKeyOf } from '../../src/reviews/aggregate.ts';
import { reviewedInMonth } from '../../src/reviews/tables.ts';
import { monthOf } from '../../src/time/units.ts';
import { likeableIdOf, type Bench } from '../bench.ts';
import { makeReviewState } from '../lists/made.ts';

/** Readers with likes, readings, ratings and reviews, as feeds show them. */

const AT_ONCE = 24;
const ROWS_PER_BATCH = 60;
/** The habits of readers. */
export interface Life {
  /** The number of months, the current one included. */
  readonly months: number;
  /** The shares of readers, each with the chance that such a reader is active in a month. */
  readonly habits: readonly { readonly share: number; readonly active: number }[];
  /** The mean number of entries of a reader in an active month. */
  readonly entriesMean: number;
  /** Returns who sees the likes and the readings of a reader, by the number of the reader. */
  readonly audiences: (index: number) => Readonly<Record<'likes' | 'readings', Audience>>;
}

/** A year of which most readers are inactive in a month; half of them show their readings. */
export const USUAL: Life = {
  months: 12,
  habits: [
    { share: 0.05, active: 0.9 },
    { share: 0.15, active: 0.4 },
    { share: 0.8, active: 0.05 },
  ],
  entriesMean: 12,
  audiences: (index) => ({ likes: 'EVERYONE', readings: index % 2 === 0 ? 'EVERYONE' : 'ONLY_ME' }),
};
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

/** An entry that was made. */
export interface MadeEntry {
  readonly kind: FeedKind;
  /** The number of its reader. */
  readonly index: number;
  readonly userId: string;
  readonly bookId: string;
  readonly at: Date;
}

/** The readers that were made, and their entries. */
export interface MadeReaders {
  readonly userIds: readonly string[];
  readonly entries: readonly MadeEntry[];
  /** The number of readers who have entries in the current month. */
  readonly activeNow: number;
}

/** Makes readers, with the rows of what they did for feeds. */
export async function makeActiveReaders(
  { app, bookIds }: Bench,
  count: number,
  seed: number,
  life: Life = USUAL,
): Promise<MadeReaders> {
  const chance = new Chance(seed);
  const books = bookIds.map((id) => likeableIdOf(id).replace('Book:', ''));
  const now = app.clock();
  const months = monthsShown(now).slice(0, life.months);
  const userIds = Array.from({ length: count }, () => app.randomId());
  const entries = userIds.flatMap((userId, index) =>
    months.flatMap((month, age) => {
      if (chance.random() > habitOf(life, index / count)) return [];
      const end = months[age - 1] ?? now;
      const length = 1 + Math.floor(-Math.log(1 - chance.random()) * (life.entriesMean - 1));
      return Array.from({ length }, (): MadeEntry => {
        const at = new Date(month.getTime() + chance.below((age === 0 ? now : end).getTime() - month.getTime()));
        return { kind: chance.pick(SHARES), index, userId, bookId: chance.pick(books), at };
      });
    }),
  );

  const byReader = Map.groupBy(entries, ({ userId }) => userId);
  await pLimit(AT_ONCE).map(userIds.entries(), async ([index, userId]) => {
    const { likes, readings } = life.audiences(index);
    const state = {
      ...accountState(app.randomId, now),
      full_name: `Reader ${String(index)}`,
      likes_audience: likes,
      readings_audience: readings,
    };
    await accountStates.compareAndSet(app.cassandra, { user_id: userId }, null, state);
    const own = byReader.get(userId) ?? [];
    for (const part of keysInParts(own.flatMap(writesOf), ROWS_PER_BATCH)) await batch(app.cassandra, part);
    for (const { kind, bookId, at } of own)
      if (kind === 'REVIEWED') await untilKnown(app.cassandra, () => makeReviewState(app, userId, bookId, at, REVIEW));
  });
  const [thisMonth = now] = months;
  const activeNow = new Set(entries.filter(({ at }) => at >= thisMonth).map(({ userId }) => userId)).size;
  return { userIds, entries, activeNow };
}

/** Returns the chance that a reader is active in a month. */
function habitOf({ habits }: Life, place: number): number {
  let shares = 0;
  for (const { share, active } of habits) {
    shares += share;
    if (place < shares) return active;
  }
  return 0;
}

/** Returns the writes of an entry, as its operation writes them for feeds. */
function writesOf({ kind, userId, bookId, at }: MadeEntry): Bound[] {
  const key = { user_id: userId, month: monthOf(at), version: 1n };
  const write = {
    LIKED: () => bind(likedItems.insert, { ...likedRow(userId, `Book:${bookId}`, at), version: 1n }),
    READ: () => bind(readInMonth.insert, { ...key, noted_at: at, book_id: bookId }),
    RATED: () => bind(ratedInMonth.insert, { ...key, rated_at: at, book_id: bookId, quarters: 14 }),
    REVIEWED: () =>
      bind(reviewedInMonth.insert, { ...key, written_at: at, review_id: reviewKeyOf(userId, bookId).reviewId }),
  }[kind];
  return [...feedMonthWrites(userId, [at]), write()];
}

const likedRow = (user_id: string, likeable_id: string, liked_at: Date) => ({
  user_id,
  year: liked_at.getUTCFullYear(),
  liked_at,
  likeable_id,
  title: 'A title of usual length',
  authors: ['An Author'],
});

/**
 * Makes the newest likes of a reader, which no feed shows.
 * @param of `taken back`: the likes have ended; `hidden`: they are of reviews that are gone
 */
export async function makeHiddenLikes(
  { app }: Bench,
  userId: string,
  count: number,
  of: 'taken back' | 'hidden',
): Promise<void> {
  const now = app.clock().getTime();
  const writes = Array.from({ length: count }, (_, index) => {
    const row = likedRow(userId, `Review:${app.randomId()}.1`, new Date(now - index));
    const insert = bind(likedItems.insert, { ...row, version: 1n });
    if (of === 'hidden') return [insert];
    const { title: _title, authors: _authors, ...key } = row;
    return [insert, bind(likedItems.delete, { ...key, version: 2n })];
  });
  for (const part of inBatches(writes.flat(), () => userId)) await batch(app.cassandra, part);
}
