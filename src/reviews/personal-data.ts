import { eraseMonthly } from '../activity/months.ts';
import { each, first, page, rows } from '../cassandra/statement.ts';
import pLimit from 'p-limit';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetReview, FORMER_TEXTS_MAX } from './aggregate.ts';
import {
  eraseReviewedInMonth,
  eraseReviewsOfReader,
  selectReviews,
  selectReviewsOfReader,
  selectTexts,
} from './tables.ts';

const AT_ONCE = 16;

async function* reviewsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { review_id } of each(cassandra, selectReviewsOfReader, { user_id })) {
    const row = await first(cassandra, selectReviews, { review_ids: [review_id] });
    if (!row) continue;
    const { book_id, text, has_spoilers, language, shows_rating, written_at, edited_at } = row.state;
    const { taken_down_at, taken_down_reason } = row.state;
    yield {
      book: book_id,
      text,
      hasSpoilers: has_spoilers,
      language,
      showsRating: shows_rating ?? false,
      writtenAt: written_at,
      editedAt: edited_at,
      takenDownAt: taken_down_at,
      takenDownReason: taken_down_reason,
    };
  }
}

async function* textsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { review_id } of each(cassandra, selectReviewsOfReader, { user_id })) {
    const [state, texts] = await Promise.all([
      first(cassandra, selectReviews, { review_ids: [review_id] }),
      rows(cassandra, selectTexts, { review_id, rows_max: FORMER_TEXTS_MAX + 1 }),
    ]);
    for (const { text, has_spoilers, language, written_at } of texts)
      yield { book: state?.state.book_id, text, hasSpoilers: has_spoilers, language, writtenAt: written_at };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'reviews',
    exported: reviewsOfUser,
    erased: async (app, user_id, after) => {
      const some = await page(app.cassandra, selectReviewsOfReader, { user_id }, after);
      await pLimit(AT_ONCE).map(some.rows, ({ review_id }) =>
        forgetReview(app, { reviewId: review_id, authorId: user_id }),
      );
      return some.pageState;
    },
  },
  { table: 'review_texts', exported: textsOfUser, erased: 'with reviews' },
  { table: 'reviews_by_book', exported: 'a projection of reviews', erased: 'with reviews' },
  { table: 'reviews_by_book_by_likes', exported: 'a projection of reviews', erased: 'with reviews' },
  {
    table: 'feed_reviews_by_user',
    exported: 'a projection of reviews',
    erased: (app, userId) => eraseMonthly(app, userId, 'feed', eraseReviewedInMonth),
  },
  {
    table: 'reviews_by_user_by_written_at',
    exported: 'a projection of reviews',
    erased: erasedBy(eraseReviewsOfReader, 'user_id'),
  },
];
