import type { Importing } from '../aggregates/importing.ts';
import type { Book } from '../catalogue/book.ts';
import type { AppContext } from '../context/context.ts';
import { addImportedRating } from '../ratings/imported.ts';
import { addImported } from '../reading/imported.ts';
import { addImportedReview } from '../reviews/imported.ts';
import { sentences, type ImportedLine } from './lines.ts';
import { saidTogether, statusOf, type SaidTogether } from './said-together.ts';
import type { LineOfBook, StoredLine } from './stored-lines.ts';
import type { OwnState } from './waiting.ts';

/** Adds lines to the readings, ratings and reviews of their reader. */

/** A part of a line. If something of it was not kept, a sentence gives the reason. */
interface Part {
  readonly isKept: boolean;
  readonly reason?: string | undefined;
}

const NOTHING: Part = { isKept: false };

/**
 * Adds what a line says to the reading of its book, its rating and the review.
 * @param ofBook all lines of the import about the same book
 * @param book the book; `undefined` if it is not there
 * @returns the line with its fate
 */
export async function keep(
  app: AppContext,
  importing: Importing,
  state: OwnState,
  stored: LineOfBook,
  ofBook: readonly LineOfBook[],
  book: Book | undefined,
): Promise<StoredLine> {
  const { said, row } = stored;
  const became = (isKept: boolean, ...reasons: readonly (string | undefined)[]): StoredLine => {
    const reason = sentences(...reasons.filter((each) => each !== undefined), ...said.cut);
    return { ...stored, row: { ...row, fate: isKept ? 'MATCHED' : 'NOT_KEPT', reason } };
  };
  if (!book || book.isRemoved) return became(false, 'The book is no longer in the catalogue.');

  const together = saidTogether(ofBook, state.shelves);
  const parts = [
    await keepRating(app, importing, book.id, said, together),
    await keepReview(app, importing, book.id, state, said, together),
  ];
  const reasons = parts.map(({ reason }) => reason);
  const status = statusOf(said, state.shelves);
  if (status === null || !together.reading) {
    if (said.shelf !== null) return became(false, OWN_SHELF, ...reasons);
    const isAnyKept = parts.some(({ isKept }) => isKept);
    return became(isAnyKept, NO_STATUS, ...reasons);
  }

  const { line, ...reading } = together.reading;
  const isKept = await addImported(app, importing, book, reading);
  return became(isKept, isKept ? unlessSame(reading.status === status, line, 'status') : OTHER_WORD, ...reasons);
}

async function keepRating(
  app: AppContext,
  importing: Importing,
  bookId: string,
  said: ImportedLine,
  { rating }: SaidTogether,
): Promise<Part> {
  if (said.rating === null || !rating) return NOTHING;
  const isKept = await addImportedRating(app, importing, bookId, rating.stars);
  return { isKept, reason: isKept ? unlessSame(rating.stars === said.rating, rating.line, 'rating') : OTHER_RATING };
}

async function keepReview(
  app: AppContext,
  importing: Importing,
  bookId: string,
  state: OwnState,
  said: ImportedLine,
  { review }: SaidTogether,
): Promise<Part> {
  if (said.review === null || !review || !state.publishes_reviews) return NOTHING;
  const problem = await addImportedReview(app, importing, bookId, review);
  return {
    isKept: problem === undefined,
    reason: problem ?? unlessSame(review.text === said.review, review.line, 'review'),
  };
}

const NO_STATUS = 'The line has neither a status nor a date.';
const OWN_SHELF = 'This shelf is one of your own. Choose the status that it stands for.';
const OTHER_WORD = 'The book has another status, from here or from a later file, which stays.';
const OTHER_RATING = 'The book has another rating, from here or from a later file, which stays.';

const unlessSame = (isSame: boolean, line: number, word: string): string | undefined =>
  isSame ? undefined : `Line ${line} is about the same book, and its ${word} counts.`;
