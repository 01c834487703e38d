import { eraseMonthly } from '../activity/months.ts';
import { isTombstone } from '../aggregates/state.ts';
import { each, page } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetRating } from './aggregate.ts';
import { starsOf } from './stars.ts';
import { eraseRatedBooks, eraseRatedInMonth, selectRatings } from './tables.ts';

async function* ratingsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { book_id, state } of each(cassandra, selectRatings, { user_id })) {
    if (isTombstone(state)) continue;
    const { quarters, rated_at, changed_at } = state;
    yield {
      book: book_id,
      rating: quarters === null ? null : starsOf(quarters),
      ratedAt: rated_at,
      changedAt: changed_at,
    };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'ratings_by_user_by_rated_at',
    exported: 'a projection of ratings_by_user',
    erased: erasedBy(eraseRatedBooks, 'user_id'),
  },
  {
    table: 'feed_ratings_by_user',
    exported: 'a projection of ratings_by_user',
    erased: (app, userId) => eraseMonthly(app, userId, 'feed', eraseRatedInMonth),
  },
  {
    table: 'ratings_by_user',
    exported: ratingsOfUser,
    erased: async (app, userId, after) => {
      const some = await page(app.cassandra, selectRatings, { user_id: userId }, after);
      // Concurrent conditional writes in one partition would contend.
      for (const { book_id } of some.rows) await forgetRating(app, { userId, bookId: book_id });
      return some.pageState;
    },
  },
  {
    table: 'raters_by_book',
    exported: 'a projection of ratings_by_user',
    erased: 'erased with ratings_by_user: the rating is removed immediately, and the id of the reader after a day',
  },
];
