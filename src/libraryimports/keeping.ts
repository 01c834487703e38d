import type { Importing } from '../aggregates/importing.ts';
import type { Book } from '../catalogue/book.ts';
import { addImportedRating } from '../ratings/imported.ts';
import { addImported } from '../reading/imported.ts';
import { addImportedReview } from '../reviews/imported.ts';
import type { AppContext } from '../context/context.ts';
import { sentences } from './lines.ts';
import { LINES_PER_BOOK_MAX, saidTogether, statusOf, type SaidTogether } from './said-together.ts';
import type { LineChange, LineOfBook } from './stored-lines.ts';
import type { OwnState } from './waiting.ts';

/** Adds lines to the readings, ratings and reviews of their reader, once for each book. */

/** A part of a line. If something of it was not kept, a sentence gives the reason. */
interface Part {
  readonly isKept: boolean;
  readonly reason?: string | undefined;
}

const NOTHING: Part = { isKept: false };

/**
 * Adds what all lines of an import about a book say to its reading, its rating and the review.
 * @param lines the first ones, as many as are imported
 * @param book the book; `undefined` if it is not there
 * @returns the lines with their fates
 */
export async function keepBook(
  app: AppContext,
  importing: Importing,
  state: OwnState,
  lines: readonly LineOfBook[],
  book: Book | undefined,
): Promise<LineChange[]> {
  if (!book || book.isRemoved)
    return lines.map((line) => became(line, { isKept: false, reason: 'The book is no longer in the catalogue.' }));

  const { rating, review, reading } = saidTogether(lines, state.shelves);
  const isRatingKept = rating !== undefined && (await addImportedRating(app, importing, book.id, rating.stars));
  const shownReview = state.publishes_reviews ? review : undefined;
  const reviewProblem = shownReview && (await addImportedReview(app, importing, book.id, shownReview));
  const isReadingKept = reading !== undefined && (await addImported(app, importing, book, reading));
  return lines.map((line) => {
    const others = [ratingOf(line, rating, isRatingKept), reviewOf(line, shownReview, reviewProblem)];
    return became(line, readingOf(line, state, reading, isReadingKept, others), ...others);
  });
}

/** Returns what becomes of a line about a book that has too many lines before it. */
export const onePastTheLimit = (line: LineOfBook): LineChange =>
  became(line, { isKept: false, reason: `Of one book, only the first ${LINES_PER_BOOK_MAX} lines are imported.` });

function became(line: LineOfBook, { isKept, reason }: Part, ...others: readonly Part[]): LineChange {
  const reasons = [reason, ...others.map((each) => each.reason)].filter((each) => each !== undefined);
  const fate = isKept ? 'MATCHED' : 'NOT_KEPT';
  return { ...line, becomes: { ...line.row, fate, reason: sentences(...reasons, ...line.said.cut) } };
}

function readingOf(
  { said }: LineOfBook,
  { shelves }: OwnState,
  reading: SaidTogether['reading'],
  isReadingKept: boolean,
  others: readonly Part[],
): Part {
  const status = statusOf(said, shelves);
  if (status === null || !reading)
    return said.shelf === null
      ? { isKept: others.some(({ isKept }) => isKept), reason: NO_STATUS }
      : { isKept: false, reason: OWN_SHELF };

  const reason = isReadingKept ? unlessSame(reading.status === status, reading.line, 'status') : OTHER_WORD;
  return { isKept: isReadingKept, reason };
}

function ratingOf({ said }: LineOfBook, rating: SaidTogether['rating'], isRatingKept: boolean): Part {
  if (said.rating === null || !rating) return NOTHING;
  const reason = isRatingKept ? unlessSame(rating.stars === said.rating, rating.line, 'rating') : OTHER_RATING;
  return { isKept: isRatingKept, reason };
}

/** @param problem the reason why the review was not added; unset if it was */
function reviewOf({ said }: LineOfBook, review: SaidTogether['review'], problem: string | undefined): Part {
  if (said.review === null || !review) return NOTHING;
  const reason = problem ?? unlessSame(review.text === said.review, review.line, 'review');
  return { isKept: problem === undefined, reason };
}

const NO_STATUS = 'The line has neither a status nor a date.';
const OWN_SHELF = 'This shelf is one of your own. Choose the status that it stands for.';
const OTHER_WORD = 'The book has another status, from here or from a later file, which stays.';
const OTHER_RATING = 'The book has another rating, from here or from a later file, which stays.';

const unlessSame = (isSame: boolean, line: number, word: string): string | undefined =>
  isSame ? undefined : `Line ${line} is about the same book, and its ${word} counts.`;
