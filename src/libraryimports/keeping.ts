import type { Reservation } from '../aggregates/aggregate.ts';
import { booksNow } from '../catalogue/operations.ts';
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

/** The book to which an import adds something. */
type OfBook = Parameters<typeof addImportedRating>[1];

/**
 * Adds what a line says to the reading of its book, its rating and the review.
 * @param ofBook all lines of the import about the same book
 * @param condition holds while these lines are as they were read
 * @returns the line with its fate
 */
export async function keep(
  app: AppContext,
  state: OwnState,
  stored: LineOfBook,
  ofBook: readonly LineOfBook[],
  condition: Reservation,
): Promise<StoredLine> {
  const { said, row } = stored;
  const book = (await booksNow(app, [row.book_id])).get(row.book_id);
  const became = (isKept: boolean, ...parts: readonly Part[]): StoredLine => {
    const reason = sentences(...parts.flatMap((part) => part.reason ?? []), ...said.cut);
    const fate = isKept ? 'MATCHED' : 'NOT_KEPT';
    return { ...stored, row: { ...row, fate, reason } };
  };
  if (!book || book.isRemoved) return became(false, { isKept: false, reason: 'The book is in the catalogue no more.' });

  const together = saidTogether(ofBook, state.shelves);
  const bookOf = { userId: state.user_id, bookId: book.id, importId: stored.importId, condition };
  const others = [await keepRating(app, bookOf, said, together), await keepReview(app, bookOf, state, said, together)];
  const status = statusOf(said, state.shelves);
  if (status === null || !together.reading)
    return said.shelf === null
      ? became(
          others.some(({ isKept }) => isKept),
          { isKept: false, reason: NO_STATUS },
          ...others,
        )
      : became(false, { isKept: false, reason: OWN_SHELF }, ...others);

  const { line, ...reading } = together.reading;
  const isKept = await addImported(app, { ...bookOf, book }, reading);
  const reason = isKept ? unlessSame(reading.status === status, line, 'status') : OTHER_WORD;
  return became(isKept, { isKept, reason }, ...others);
}

async function keepRating(app: AppContext, of: OfBook, said: ImportedLine, { rating }: SaidTogether): Promise<Part> {
  if (said.rating === null || !rating) return NOTHING;
  const isKept = await addImportedRating(app, of, rating.stars);
  return { isKept, reason: isKept ? unlessSame(rating.stars === said.rating, rating.line, 'rating') : OTHER_RATING };
}

async function keepReview(
  app: AppContext,
  of: OfBook,
  state: OwnState,
  said: ImportedLine,
  { review }: SaidTogether,
): Promise<Part> {
  if (said.review === null || !review || !state.publishes_reviews) return NOTHING;
  const problem = await addImportedReview(app, of, review);
  return {
    isKept: problem === undefined,
    reason: problem ?? unlessSame(review.text === said.review, review.line, 'review'),
  };
}

const NO_STATUS = 'The line says neither a status nor a day.';
const OWN_SHELF = 'The shelf is one of your own: say which status it becomes.';
const OTHER_WORD = 'You have said otherwise here, and that stays.';
const OTHER_RATING = 'You have another rating of the book, which stays.';

const unlessSame = (isSame: boolean, line: number, word: string): string | undefined =>
  isSame ? undefined : `Line ${line} is about the same book, and its ${word} counts.`;
