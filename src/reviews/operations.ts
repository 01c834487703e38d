import { rows } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { bookIdInput, existingBook, requireBook, requireBookEvenRemoved, shownBook } from '../catalogue/operations.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import type { ReviewOrder, UserError as UserErrorData } from '../graphql/generated/schema-types.ts';
import { sealed } from '../graphql/sealed.ts';
import { isAdministrator, requireSignedIn } from '../identity/operations.ts';
import { hiddenReaders, isShown, shownReader } from '../identity/privacy.ts';
import { ratingOf } from '../ratings/operations.ts';
import {
  FORMER_TEXTS_MAX,
  idOf,
  isMade,
  isWritten,
  reviewKeyOf,
  NO_TEXT,
  reviewIdIn,
  reviews,
  withText,
} from './aggregate.ts';
import { languageInput, textInput } from './inputs.ts';
import { reviewLoader } from './loaders.ts';
import { reviewsByLikes, reviewsOfBook, reviewsOfReader, selectTexts, type ReviewState } from './tables.ts';

/** Writing, deleting and taking down reviews, and showing them. */

/** A review of a book by a reader. */
export interface Review {
  readonly type: 'Review';
  readonly id: string;
  /** The current title of its book. */
  readonly title: string;
  readonly bookId: string;
  /** Null if the review is deleted. It is then no longer shown, but likes of it may remain. */
  readonly authorId: string | null;
  readonly text: string;
  readonly hasSpoilers: boolean;
  readonly language: string | null;
  /** True if everybody who sees the review also sees its author's rating of the book. */
  readonly showsRating: boolean;
  readonly writtenAt: Date;
  /** The time of the last change of its text; null if there was none. */
  readonly editedAt: Date | null;
  /** The time of its take-down; null if it was not taken down. */
  readonly takenDownAt: Date | null;
  readonly takenDownReason: string | null;
}

/** A former text of a review. */
export interface ReviewText {
  readonly text: string;
  readonly hasSpoilers: boolean;
  readonly language: string | null;
  readonly writtenAt: Date;
}

/** The answer to a change of a review; only errors if nothing was done. */
export interface ReviewAnswer {
  readonly review: Review | null;
  readonly book: Book | null;
  readonly viewerId: string | null;
  readonly changed: boolean;
  readonly userErrors: UserErrorData[];
}

/** A review in a list. */
export interface ReviewEdge {
  readonly cursor: Cursor;
  /** The key of its state. */
  readonly reviewId: string;
}

/**
 * The viewer writes a review of a book, or changes its text.
 * @returns `changed`: false if the text is the same
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used; `NOT_FOUND` about `bookId`;
 *   `FORBIDDEN` about `bookId` if their review of it was taken down
 */
export async function writeReview(
  context: RequestContext,
  input: {
    bookId: string;
    text: string;
    hasSpoilers: boolean;
    language?: string | null;
    showsRating?: boolean | null;
  },
) {
  const userId = requireSignedIn(context);
  const { bookId, text, language } = readInput({
    bookId: () => bookIdInput(input.bookId),
    text: () => textInput(input.text),
    language: () => languageInput(input.language),
  });
  const book = await requireBook(context, bookId);
  const given = { text, has_spoilers: input.hasSpoilers, language, import_id: null };

  const done = await changeReview(context, userId, book, (state, at) => {
    if (state?.taken_down_at) throw takenDown();
    const shows_rating = input.showsRating ?? (isWritten(state) ? state.shows_rating : true);
    return withText(reviewKeyOf(userId, book.id), book.id, state, { ...given, shows_rating }, at);
  });
  return { ...done, review: await reviewUnder(context, reviewKeyOf(userId, bookId).reviewId) };
}

const takenDown = () =>
  new UserError(
    'FORBIDDEN',
    'An administrator took your review of this book down. You can delete it, but not write another one.',
    ['input', 'bookId'],
  );

/**
 * Deletes the viewer's review of a book, with its former texts.
 * @returns `changed`: false if there was none
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `bookId`
 */
export async function deleteReview(context: RequestContext, input: { bookId: string }) {
  const userId = requireSignedIn(context);
  const bookId = bookIdInput(input.bookId);
  const book = await requireBookEvenRemoved(context, bookId);

  const done = await changeReview(context, userId, book, (state) =>
    isWritten(state) ? { ...state, ...NO_TEXT } : undefined,
  );
  return { ...done, review: null };
}

/** Changes the state of a reader's review of a book. */
async function changeReview(
  context: RequestContext,
  userId: string,
  book: Book,
  next: Parameters<typeof reviews.change>[3],
): Promise<Omit<ReviewAnswer, 'review' | 'userErrors'>> {
  const key = reviewKeyOf(userId, book.id);
  const expected = await reviews.read(context, key);
  const { changed } = await reviews.change(context, key, expected, next);
  reviewLoader(context).clear(key.reviewId);
  return { book, viewerId: userId, changed };
}

/**
 * Takes a review down, so that only its author and administrators see it.
 * @returns `changed`: false if it was taken down already, or deleted meanwhile
 */
export async function takeReviewDown(
  context: RequestContext,
  { id, authorId }: Review & { readonly authorId: string },
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<{ review: Review | null; changed: boolean }> {
  const reviewId = reviewIdIn(id);
  const key = { reviewId, authorId };
  const expected = await reviews.read(context, key);
  const { changed } = await reviews.change(context, key, expected, (state, at) =>
    isWritten(state) && idOf(reviewId, state) === id && !state.taken_down_at
      ? { ...state, taken_down_at: at, taken_down_by: by, taken_down_reason: reason }
      : undefined,
  );
  reviewLoader(context).clear(reviewId);
  return { review: await reviewById(context, id), changed };
}

/**
 * Returns a review by id, even one that the caller may not see or that is deleted; null if there
 * never was one.
 */
export async function reviewById(context: RequestContext, id: string): Promise<Review | null> {
  const reviewId = reviewIdIn(id);
  const state = await stateNow(context, reviewId);
  if (!state) return null;
  // Another review was written since this one was deleted. Its book is returned for the readers who
  // like it.
  const isDeleted = idOf(reviewId, state) !== id;
  return reviewIn(context, id, isDeleted ? { ...state, ...NO_TEXT, taken_down_at: null } : state);
}

/** Returns the last review that was written under a key of states; null if there is none. */
async function reviewUnder(context: RequestContext, reviewId: string): Promise<Review | null> {
  const state = await stateNow(context, reviewId);
  return state && reviewIn(context, idOf(reviewId, state), state);
}

async function stateNow(context: RequestContext, reviewId: string): Promise<ReviewState | null> {
  const state = (await reviewLoader(context).load(reviewId))?.state;
  return state && isMade(state) ? state : null;
}

async function reviewIn(context: RequestContext, id: string, state: ReviewState): Promise<Review> {
  const { title } = await existingBook(context, state.book_id);
  return {
    type: 'Review',
    id,
    title,
    bookId: state.book_id,
    authorId: state.author_id,
    text: state.text,
    hasSpoilers: state.has_spoilers,
    language: state.language,
    showsRating: state.shows_rating ?? false,
    writtenAt: state.written_at,
    editedAt: state.edited_at,
    takenDownAt: state.taken_down_at,
    takenDownReason: state.taken_down_reason,
  };
}

/** Returns a review by id; null if there is none, or if the caller may not see it. */
export const shownReview = (context: RequestContext, id: string): Promise<Review | null> =>
  ifShown(context, reviewById(context, id));

/** Returns the book of a review; null if it was removed, or the caller may not see the review. */
export async function bookOfReview(context: RequestContext, id: string): Promise<Book | null> {
  const review = await shownReview(context, id);
  return review && shownBook(context, review.bookId);
}

/** Returns the review of an edge; null if it is deleted, or if the caller may not see it. */
export const reviewOf = (context: RequestContext, { reviewId }: Pick<ReviewEdge, 'reviewId'>): Promise<Review | null> =>
  ifShown(context, reviewUnder(context, reviewId));

async function ifShown(context: RequestContext, reading: Promise<Review | null>): Promise<Review | null> {
  // This begins a read that runs at the same time as the other one.
  hiddenReaders(context);
  const review = await reading;
  return review && (await isReviewShown(context, review)) ? review : null;
}

/**
 * Returns whether the caller may see a review. They must see its author. Only its author and
 * administrators see a review that was taken down.
 */
export async function isReviewShown(context: RequestContext, { authorId, takenDownAt }: Review): Promise<boolean> {
  if (authorId === null) return false;
  if (authorId === context.viewerId) return true;
  if (takenDownAt && !(await isAdministrator(context))) return false;
  return (await shownReader(context, authorId)) !== null;
}

/** Returns the viewer's review of a book; null if there is none, or they are signed out. */
export async function viewerReview(context: RequestContext, bookId: string): Promise<Review | null> {
  if (context.viewerId === null) return null;
  return ifShown(context, reviewUnder(context, reviewKeyOf(context.viewerId, bookId).reviewId));
}

/**
 * Returns the rating of the book by the author of its review, in stars; null if there is none, or
 * if neither the review nor the audience of the author's readings shows it.
 */
export async function ratingOfAuthor(
  context: RequestContext,
  { authorId, bookId, showsRating }: Review,
): Promise<number | null> {
  if (authorId === null || !(showsRating || (await isShown(context, authorId, 'readings')))) return null;
  return ratingOf(context, authorId, bookId);
}

/** Returns the former texts of a review, newest first, for administrators; null for others. */
export async function formerTextsOf(context: RequestContext, { id }: Review): Promise<ReviewText[] | null> {
  if (!(await isAdministrator(context))) return null;
  const texts = await rows(context.cassandra, selectTexts, {
    review_id: reviewIdIn(id),
    rows_max: FORMER_TEXTS_MAX + 1,
  });
  // The newest text is the one in force.
  return texts.slice(1).map(({ text, has_spoilers, language, written_at }) => ({
    text,
    hasSpoilers: has_spoilers,
    language,
    writtenAt: written_at,
  }));
}

/** The year in which the first reviews were written. */
const FIRST_YEAR = 2026;

/**
 * The codecs of cursors, made once because they cost as much as a row. Cursors are sealed because
 * they name reviews that the caller may not see.
 */
const cursorOfBook = perProcess(({ config }) => sealed(config, reviewsOfBook.cursor));
const cursorByLikes = perProcess(({ config }) => sealed(config, reviewsByLikes.cursor));
const cursorOfReader = perProcess(({ config }) => sealed(config, reviewsOfReader.cursor));

/**
 * Returns a page of the reviews of a book.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function reviewsOf(
  context: RequestContext,
  bookId: string,
  orderBy: ReviewOrder,
  page: PageArguments,
): Promise<CountedConnection<ReviewEdge>> {
  const named = { name: `reviews ${orderBy} ${bookId}`, descending: true };
  const key = { book_id: bookId };
  if (orderBy === 'MOST_LIKED') {
    const list = reviewsByLikes.list(context.cassandra, key);
    return connection(page, { ...list, ...named, cursor: cursorByLikes(context) }, edgeOf);
  }
  const years = context.clock().getUTCFullYear() - FIRST_YEAR + 1;
  const buckets = {
    column: 'year',
    values: Array.from({ length: years }, (_, index) => FIRST_YEAR + index),
    of: ({ written_at }: { written_at: Date }) => written_at.getUTCFullYear(),
  } as const;
  const list = reviewsOfBook.list(context.cassandra, key, { buckets });
  return connection(page, { ...list, ...named, cursor: cursorOfBook(context) }, edgeOf);
}

/**
 * Returns a page of the reviews of a reader, newest first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function reviewsBy(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<CountedConnection<ReviewEdge>> {
  const list = reviewsOfReader.list(context.cassandra, { user_id: userId });
  const named = { name: `reviews by ${userId}`, descending: true, cursor: cursorOfReader(context) };
  return connection(page, { ...list, ...named }, edgeOf);
}

const edgeOf = ({ review_id }: { readonly review_id: string }, cursor: Cursor): ReviewEdge => ({
  cursor,
  reviewId: review_id,
});
