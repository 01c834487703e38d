import { idOf, isMade, reviewKeyOf } from '../../../src/reviews/aggregate.ts';
import { rankOf } from '../../../src/reviews/rank.ts';
import type { ReviewState } from '../../../src/reviews/tables.ts';
import { isPossible } from '../../support/history.ts';
import { effectOnReview, NO_REVIEW, reviewText } from '../acts/reviews.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { encode, show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

const reviewsIn = (cluster: Cluster) =>
  cluster
    .scan('reviews')
    .map((row) => ({ reviewId: show(row['review_id']), state: row['state'] as ReviewState }))
    .filter(({ state }) => isMade(state));

/**
 * Compares the source of truth of reviews with the lists, their texts with all decisions, and their
 * ranks with their likes.
 */
export function* driftOfReviews(cluster: Cluster, erased: ReadonlySet<string>): Generator<string> {
  const written = reviewsIn(cluster).filter(({ state }) => state.author_id !== null);
  const compared = (table: string, columns: readonly string[]) => {
    const told = (row: Row) => columns.map((column) => show(row[column])).join(' ');
    const wanted = written.map(({ reviewId, state }) =>
      told({ ...state, review_id: reviewId, user_id: state.author_id, year: state.written_at.getUTCFullYear() }),
    );
    return differences(table, wanted, cluster.scan(table).map(told));
  };
  yield* compared('reviews_by_book', ['book_id', 'year', 'written_at', 'review_id']);
  yield* compared('reviews_by_book_by_likes', ['book_id', 'like_rank', 'written_at', 'review_id']);
  yield* compared('reviews_by_user_by_written_at', ['user_id', 'written_at', 'review_id']);

  const textOf = (reviewId: unknown, { edit, text }: Row) => `${show(reviewId)} ${show(edit)} ${show(text)}`;
  const texts = new Map<string, Set<string>>(written.map(({ reviewId }) => [reviewId, new Set()]));
  for (const row of cluster.decidedIn('reviews')) {
    const state = row['state'] as ReviewState;
    const own = texts.get(show(row['review_id']));
    // A deletion removes all texts before it.
    if (state.author_id === null) own?.clear();
    else own?.add(textOf(row['review_id'], { ...state }));
  }
  yield* differences(
    'review_texts',
    [...texts.values()].flatMap((own) => [...own]),
    cluster.scan('review_texts').map((row) => textOf(row['review_id'], row)),
  );

  const likers = Map.groupBy(
    cluster.scan('user_by_item').filter((row) => row['liked'] === true),
    (row) => encode(row['likeable_id']),
  );
  for (const { reviewId, state } of written) {
    const rank = rankOf(likers.get(`Review:${idOf(reviewId, state)}`)?.length ?? 0);
    if (state.like_rank !== rank) yield `the review ${reviewId} has the rank ${state.like_rank}, not ${rank}`;
    if (erased.has(show(state.author_id))) yield `reviews still has a review of a deleted reader: ${reviewId}`;
  }
}

/** Checks that the calls about each review are linearizable and end with the stored state. */
export function* impossibleReviews(cluster: Cluster, { reviews, leaving }: Library, now: number): Generator<string> {
  const states = new Map(reviewsIn(cluster).map(({ reviewId, state }) => [reviewId, state]));
  for (const [key, history] of reviews) {
    const [userId = '', bookId = ''] = key.split(' ');
    if (leaving.has(userId)) continue;
    const {
      text = '',
      author_id = null,
      taken_down_at = null,
    } = states.get(reviewKeyOf(userId, bookId).reviewId) ?? {};
    const answer = author_id === null ? NO_REVIEW : reviewText(text, taken_down_at !== null);
    const last = { verb: 'look', begun: now, ended: now + 1, answer } as const;
    if (!isPossible([...history, last], NO_REVIEW, effectOnReview))
      yield `the calls about the review ${key} are not linearizable`;
  }
}
