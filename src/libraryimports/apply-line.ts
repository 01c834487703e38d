import type { Precondition } from '../aggregates/kind.ts';
import type { ImportContext } from '../aggregates/importing.ts';
import type { Book } from '../catalogue/book.ts';
import { addImportedRating, removeImportedRating } from '../ratings/imported.ts';
import { addImportedReading, removeImportedReading } from '../reading/imported.ts';
import { addImportedReview, removeImportedReview } from '../reviews/imported.ts';
import type { AppContext } from '../context/context.ts';
import { sentences } from './lines.ts';
import { markLinesAbout } from './mark-pending.ts';
import { hasReading, LINES_PER_BOOK_MAX, mergeLines, statusOf, type MergedLines } from './merge-lines.ts';
import {
  importsOfReader,
  mapConcurrently,
  type FoundImport,
  type LineChange,
  type LineOfBook,
  type StoredLine,
} from './stored-lines.ts';
import type { OwnState } from './unmatched-lines.ts';

/** Applies lines to the reading, rating and review of a book, and reverts that. */

/** The result for one part of a line. */
interface Part {
  readonly isKept: boolean;
  /** The sentence for the reader if the part was changed or left out. */
  readonly reason?: string | undefined;
}

const NOTHING: Part = { isKept: false };

/**
 * Applies all lines of an import about a book, merged into one reading, one rating and one review.
 * @param lines the first lines about the book, up to the limit
 * @param book the book; `undefined` if there is none
 * @returns the lines with their outcomes
 */
export async function applyLines(
  app: AppContext,
  importing: ImportContext,
  state: OwnState,
  lines: readonly LineOfBook[],
  book: Book | undefined,
): Promise<LineChange[]> {
  if (!book || book.isRemoved)
    return lines.map((line) => outcomeOf(line, { isKept: false, reason: 'The book is no longer in the catalogue.' }));

  const { rating, review, reading } = mergeLines(lines, state.shelves);
  const isRatingKept = rating !== undefined && (await addImportedRating(app, importing, book.id, rating.stars));
  const shownReview = state.publishes_reviews ? review : undefined;
  const reviewProblem = shownReview && (await addImportedReview(app, importing, book.id, shownReview));
  const isReadingKept = reading !== undefined && (await addImportedReading(app, importing, book, reading));
  return lines.map((line) => {
    const others = [ratingPart(line, rating, isRatingKept), reviewPart(line, shownReview, reviewProblem)];
    return outcomeOf(line, readingPart(line, state, reading, isReadingKept, others), ...others);
  });
}

/** Returns the outcome of a line about a book that has too many lines before it. */
export const overLimit = (line: LineOfBook): LineChange =>
  outcomeOf(line, { isKept: false, reason: `Only the first ${LINES_PER_BOOK_MAX} lines about a book are imported.` });

function outcomeOf(line: LineOfBook, { isKept, reason }: Part, ...others: readonly Part[]): LineChange {
  const reasons = [reason, ...others.map((each) => each.reason)].filter((each) => each !== undefined);
  const fate = isKept ? 'MATCHED' : 'NOT_KEPT';
  return { ...line, outcome: { ...line.row, fate, reason: sentences(...reasons, ...line.content.warnings) } };
}

function readingPart(
  { content }: LineOfBook,
  { shelves }: OwnState,
  reading: MergedLines['reading'],
  isReadingKept: boolean,
  others: readonly Part[],
): Part {
  const status = statusOf(content, shelves);
  if (!hasReading(content, shelves) || !reading)
    return content.shelf === null
      ? { isKept: others.some(({ isKept }) => isKept), reason: NO_STATUS }
      : { isKept: false, reason: OWN_SHELF };

  const reason = isReadingKept ? unlessSame(reading.status === status, reading.line, 'status') : EXISTING_STATUS;
  return { isKept: isReadingKept, reason };
}

function ratingPart({ content }: LineOfBook, rating: MergedLines['rating'], isRatingKept: boolean): Part {
  if (content.rating === null || !rating) return NOTHING;
  const isSame = rating.stars === content.rating;
  return { isKept: isRatingKept, reason: isRatingKept ? unlessSame(isSame, rating.line, 'rating') : EXISTING_RATING };
}

/** @param problem the reason why the review was not added; unset if it was */
function reviewPart({ content }: LineOfBook, review: MergedLines['review'], problem: string | undefined): Part {
  if (content.review === null || !review) return NOTHING;
  const reason = problem ?? unlessSame(review.text === content.review, review.line, 'review');
  return { isKept: problem === undefined, reason };
}

const NO_STATUS = 'The line has neither a status nor a date.';
const OWN_SHELF = 'This shelf is one of your own. Choose the status of its books.';
const EXISTING_STATUS = 'Your existing status was kept.';
const EXISTING_RATING = 'Your existing rating was kept.';

const unlessSame = (isSame: boolean, line: number, part: string): string | undefined =>
  isSame ? undefined : `Line ${line} has the same book; its ${part} was used.`;

/**
 * Reverts the additions of lines to books, once for each book, and marks the lines of the reader's
 * other imports about these books as pending, so that they are applied instead.
 * @param booksOf the books to which a line may have been applied
 * @returns these books
 */
export async function revertLines(
  app: AppContext,
  { importId, state }: FoundImport,
  lines: readonly StoredLine[],
  booksOf: (line: StoredLine) => readonly string[],
  condition: Precondition,
): Promise<string[]> {
  const all = lines.flatMap((line) => booksOf(line).map((bookId) => ({ bookId, content: line.content })));
  const books = Map.groupBy(all, ({ bookId }) => bookId);
  const importing = { userId: state.user_id, importId, condition };
  await mapConcurrently([...books], async ([bookId, added]) => {
    const hasAny = (isIn: (line: StoredLine['content']) => boolean) => added.some(({ content }) => isIn(content));
    if (hasAny((line) => hasReading(line, state.shelves))) await removeImportedReading(app, importing, bookId);
    if (hasAny(({ rating }) => rating !== null)) await removeImportedRating(app, importing, bookId);
    if (hasAny(({ review }) => review !== null)) await removeImportedReview(app, importing, bookId);
  });

  const bookIds = [...books.keys()];
  const others = bookIds.length > 0 ? await importsOfReader(app, state.user_id) : [];
  for (const other of others) if (other !== importId) await markLinesAbout(app, other, bookIds);
  return bookIds;
}
