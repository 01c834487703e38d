import { z } from 'zod';
import { aggregate } from '../aggregates/aggregate.ts';
import { write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { ratedBooks, ratingStates } from './tables.ts';

/** The kind of a rating: its key, its states and their projections. */

const ratingKey = z.strictObject({ userId: z.uuid(), bookId: z.string() });
export type RatingKey = z.infer<typeof ratingKey>;

/** The source of truth for ratings, and its projections. */
export const ratings = aggregate({
  name: 'rating',
  key: ratingKey,
  table: ratingStates,
  rowKey: ({ userId, bookId }) => ({ user_id: userId, book_id: bookId }),
  tombstone: { stars: null, rated_at: null },
  owner: (app, { userId }) => accountNow(app, userId),
  erase: forgetRating,
  // A new rating lacks the time of the former one, under which the list has it.
  forgets: (former, next) => former.rated_at?.getTime() !== next.rated_at?.getTime(),
  projections: ({ cassandra }, { userId, bookId }, { stars, rated_at, version }) => {
    if (!rated_at) return [];
    const row = { user_id: userId, book_id: bookId, rated_at, version: BigInt(version) };
    const list = () =>
      stars === null
        ? write(cassandra, ratedBooks.delete, row)
        : write(cassandra, ratedBooks.insert, { ...row, stars });
    return [{ list }];
  },
});

/** Forgets a rating of a deleted account. The reader's list is erased as a whole. */
export function forgetRating(app: AppContext, key: RatingKey): Promise<void> {
  return ratings.forget(app, key);
}
