import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { feedMonthRows, feedMonthsPart } from '../activity/feed-months.ts';
import { listedMonths } from '../activity/months.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import type { Content } from '../aggregates/state.ts';
import { projectedList, requiredRows } from '../aggregates/projected-list.ts';
import { sendTogether } from '../cassandra/batches.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { first, write } from '../cassandra/statement.ts';
import { announcedLikes } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { uuidOf } from '../graphql/ids.ts';
import { accountNow } from '../identity/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { beginningOf, monthOf, SECOND_MS } from '../time/units.ts';
import {
  deleteText,
  deleteTexts,
  insertText,
  reviewedInMonth,
  reviewsByLikes,
  reviewsOfBook,
  reviewsOfReader,
  reviewStates,
  selectReviews,
  type ReviewState,
} from './tables.ts';

/** The kind of a review: its key, its states and what is projected from them. */

/** The maximum number of kept former texts of a review. */
export const FORMER_TEXTS_MAX = 50;

const reviewKey = z.strictObject({ reviewId: uuid, authorId: uuid });
type ReviewKey = z.infer<typeof reviewKey>;

/** The part of a state without a text. */
export const NO_TEXT = {
  author_id: null,
  text: '',
  has_spoilers: false,
  language: null,
  taken_down_by: null,
  taken_down_reason: null,
  import_id: null,
  shows_rating: null,
};

/** The place of a review in each list. */
const placeOf = ({ reviewId, authorId }: ReviewKey, state: ReviewState, like_rank: number) => ({
  ...partitionOf(state),
  user_id: authorId,
  like_rank,
  written_at: state.written_at,
  review_id: reviewId,
});

/** Each list has a row of a review with a text; `rank` is that of its likes. */
const listed = {
  rowsOf: (key: ReviewKey, state: ReviewState, rank: number) => (isWritten(state) ? [placeOf(key, state, rank)] : []),
  formerKeysOf: (key: ReviewKey, state: ReviewState) => [placeOf(key, state, state.like_rank)],
};

/** Returns true for a review that followers see: its author wrote or changed it on this server. */
const isForFeeds = (state: ReviewState): boolean =>
  isWritten(state) && state.import_id === null && !state.taken_down_at;

const placeInMonth = ({ reviewId, authorId }: ReviewKey, { written_at }: ReviewState) => ({
  user_id: authorId,
  month: monthOf(written_at),
  written_at,
  review_id: reviewId,
});

/** The months of a reader's reviews, for feeds. */
export const monthsOfReviews = requiredRows(listedMonths, {
  rowsOf: ({ authorId }: ReviewKey, state: ReviewState) =>
    isForFeeds(state) ? feedMonthRows(authorId, [state.written_at]) : [],
});

/** The lists of the reviews of books and of readers. */
export const listsOfReviews = [
  projectedList(reviewsOfBook, listed),
  projectedList(reviewsOfReader, { ...listed, readerOf: ({ user_id }) => user_id }),
  projectedList(reviewsByLikes, {
    ...listed,
    formerKeysOf: (key, state) =>
      [state.like_rank, state.former_rank ?? state.like_rank].map((rank) => placeOf(key, state, rank)),
  }),
  projectedList(reviewedInMonth, {
    rowsOf: (key: ReviewKey, state: ReviewState, _rank: number) =>
      isForFeeds(state) ? [placeInMonth(key, state)] : [],
    // A review never becomes one of an import, so that of an import never had a row.
    formerKeysOf: (key, state) => (state.import_id === null ? [placeInMonth(key, state)] : []),
    readerOf: ({ user_id }) => user_id,
  }),
];

/** The source of truth for every review, and what is projected from it. */
export const reviews = aggregate({
  name: 'review',
  key: reviewKey,
  table: reviewStates,
  rowKey: ({ reviewId }) => ({ review_id: reviewId }),
  tombstone: {
    ...NO_TEXT,
    book_id: '',
    written_at: new Date(0),
    edited_at: null,
    edit: 0,
    first_edit: 0,
    taken_down_at: null,
    like_rank: 0,
    former_rank: null,
  },
  projectionContext: (app, { authorId }) => accountNow(app, authorId),
  erase: forgetReview,
  // A state has only its own text, and the lists order reviews by the time of their first text.
  needsFormerProjection: () => true,
  projections: (app, key, state) => {
    if (!isMade(state)) return [];
    const { taken_down_at: at, taken_down_by: by, taken_down_reason: reason } = state;
    const decision = () =>
      recordDecisionFor(app, { type: 'Review', key: idOf(key.reviewId, state) }, key.authorId, {
        kind: 'REVIEW_TAKEN_DOWN',
        at,
        by,
        reason,
      });
    const lists = () => writeLists(app, key, state);
    return [{ texts: () => writeText(app, key, state), lists, ...(at && { decision }) }];
  },
});

/**
 * Returns the key of a reader's review of a book. A deleted review and a new one have the same key.
 */
export const reviewKeyOf = (authorId: string, bookId: string): ReviewKey => ({
  reviewId: uuidOf(`review ${authorId} ${bookId}`),
  authorId,
});

/**
 * Returns the id of a review. A review that is written after a deletion gets a new id, so it has
 * none of the likes and reports of the deleted one.
 */
export const idOf = (reviewId: string, { first_edit }: Pick<ReviewState, 'first_edit'>): string =>
  `${reviewId}.${first_edit}`;

/** Returns the `reviewId` in the id of a review. */
export const reviewIdIn = (id: string): string => id.slice(0, id.indexOf('.'));

/** Returns whether there is a text: it was written, and not deleted since. */
export const isWritten = (state: ReviewState | undefined): state is ReviewState & { readonly author_id: string } =>
  state !== undefined && state.author_id !== null;

/** A text that a review gets. */
type GivenText = Pick<ReviewState, 'text' | 'has_spoilers' | 'language' | 'import_id' | 'shows_rating'>;

/** Returns the next state of a review with a text; `undefined` if nothing changes. */
export function withText(
  { authorId }: ReviewKey,
  bookId: string,
  state: ReviewState | undefined,
  given: GivenText,
  at: Date,
): Content<ReviewState> | undefined {
  const edit = (state?.edit ?? 0) + 1;
  if (!isWritten(state)) {
    const written = { author_id: authorId, book_id: bookId, written_at: at, edited_at: null, taken_down_at: null };
    return { ...NO_TEXT, ...given, ...written, edit, first_edit: edit, like_rank: 0, former_rank: null };
  }
  const { text, has_spoilers, language } = given;
  const isSame = state.text === text && state.has_spoilers === has_spoilers && state.language === language;
  if (!isSame) return { ...state, ...given, edited_at: at, edit };
  // The review belongs to the last writer of its text, so that no undo of an earlier import takes
  // it back.
  const { import_id, shows_rating } = given;
  return import_id === state.import_id && shows_rating === state.shows_rating
    ? undefined
    : { ...state, import_id, shows_rating };
}

/**
 * True for a review that was written, even if it was deleted; false if there was only an attempt.
 */
export const isMade = ({ book_id }: ReviewState) => book_id !== '';

/**
 * Begins the job that lists a review under its number of likes. Call it once they are counted. The
 * changes within a second share a job: it runs seconds later, so it sees all of them.
 */
export async function beginRanking(app: AppContext, id: string): Promise<void> {
  const at = app.clock();
  const second = new Date(beginningOf(at.getTime(), SECOND_MS)).toISOString();
  await beginJob(app, { type: 'Review', key: id }, 'RANK_REVIEW', second, at);
}

/** Returns the author of a review by its id; null if the review was deleted. */
export async function authorNow(app: AppContext, id: string): Promise<string | null> {
  const reviewId = reviewIdIn(id);
  const authorIn = (state: ReviewState | undefined) => (state && idOf(reviewId, state) === id ? state.author_id : null);
  const found = await first(app.cassandra, selectReviews, { review_ids: [reviewId] });
  // Only a serial read knows that a review is not there.
  return authorIn(found?.state) ?? authorIn(await reviews.read(app, { reviewId, authorId: LOWEST_UUID }));
}

/** Returns the partition of a review among those of its book. */
export const partitionOf = ({ book_id, written_at }: Pick<ReviewState, 'book_id' | 'written_at'>) => ({
  book_id,
  year: written_at.getUTCFullYear(),
});

/**
 * Writes the current text to the table of former texts, and deletes the oldest. Deletes all if the
 * review is deleted.
 */
async function writeText({ cassandra }: AppContext, { reviewId }: ReviewKey, state: ReviewState): Promise<void> {
  const { author_id, edit, text, has_spoilers, language, written_at, edited_at } = state;
  const key = { review_id: reviewId, version: BigInt(state.version) };
  if (author_id === null) return write(cassandra, deleteTexts, key);

  const row = { edit, text, has_spoilers, language, written_at: edited_at ?? written_at };
  const tooOld = edit - FORMER_TEXTS_MAX - 1;
  await Promise.all([
    write(cassandra, insertText, { ...key, ...row }),
    tooOld > 0 && write(cassandra, deleteText, { ...key, edit: tooOld }),
  ]);
}

/** Writes a review to the lists of its book and of its author, or removes it there. */
const writeLists = (app: AppContext, key: ReviewKey, state: ReviewState): Promise<void> =>
  sendTogether(app.cassandra, [
    {
      writes: [
        ...listsOfReviews.flatMap((list) => list.writes(key, state, state.like_rank)),
        announcedLikes(app, { type: 'Review', key: idOf(key.reviewId, state) }),
      ],
    },
    feedMonthsPart(app, key.authorId, isForFeeds(state) ? [state.written_at] : []),
  ]);

/**
 * Deletes a review of a deleted account, with its former texts. Likes of the review keep its book.
 * It may be repeated at any time.
 */
export async function forgetReview(app: AppContext, key: ReviewKey): Promise<void> {
  const state = await reviews.amend(app, key, async (former) => {
    // The caller may be wrong about the author, whose account then is not deleted.
    if (former.author_id === null || (await accountNow(app, former.author_id))) return undefined;
    return { ...former, ...NO_TEXT, taken_down_at: null };
  });
  if (!state || !isMade(state) || state.author_id !== null) return;
  await Promise.all([writeText(app, key, state), writeLists(app, key, state)]);
}
