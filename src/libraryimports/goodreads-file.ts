import type { Book } from '../catalogue/book.ts';
import { numberAtGoodreads } from '../catalogue/editions.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { ownRatings, ratingsAmong } from '../ratings/exported.ts';
import { booksWithReading, ownReadings, type OwnReading } from '../reading/exported.ts';
import { ownReviews, reviewsAmong } from '../reviews/exported.ts';
import { quoted } from '../text/csv.ts';
import { ownLines, unpublishedReviews, type FileReview, type OwnLine, type UnpublishedReviews } from './exported.ts';
import { givenUp } from './merge-lines.ts';

/**
 * Writes a reader's library in the format of Goodreads, which nearly every other service can read.
 * Four columns are our own: `Dates Read` and `Date Started`, because Goodreads has one day for each
 * book; `Star Rating`, because it has whole stars; and `Progress`.
 */

/** A line of the file. */
interface OwnBook extends Pick<OwnReading, 'reads' | 'startedOn'> {
  readonly book: BookInFile;
  /**
   * The name of the Goodreads shelf, or of the reader's own; '' for a book on no shelf, which the
   * import leaves on none.
   */
  readonly shelf: string;
  readonly progress: number | null;
  /** Null if unknown. */
  readonly addedOn: string | null;
  /** Null for a book that is not rated. */
  readonly stars: number | null;
  readonly review: FileReview | undefined;
}

/** The fields of a book that a line has. */
type BookInFile = Pick<Book, 'title' | 'authors' | 'isbn'> &
  Partial<Pick<Book, 'averageRating' | 'publisher' | 'pages' | 'publishedOn' | 'publishedYear'>> & {
    /** The Goodreads id; '' if the book has an ISBN, or the id is unknown. */
    readonly number: string;
  };

/** Other services identify an edition by its ISBN. The Goodreads id is for editions without one. */
const bookInFile = (book: Book): BookInFile => ({
  ...book,
  number: book.isbn === null ? book.id.replace('goodreads-', '') : '',
});

const SHELVES: Readonly<Record<ReadingStatus, string>> = {
  WANT_TO_READ: 'to-read',
  READING: 'currently-reading',
  READ: 'read',
  GIVEN_UP: 'did-not-finish',
};

const slashed = (day: string): string => day.replaceAll('-', '/');
const dayOf = (day: string | null): string => (day === null ? 'unknown' : slashed(day));

const columns: Readonly<Record<string, (own: OwnBook) => string>> = {
  'Book Id': ({ book }) => book.number,
  Title: ({ book }) => book.title,
  Author: ({ book }) => book.authors[0] ?? '',
  'Author l-f': ({ book }) => (book.authors[0] ?? '').replace(/^(.*) (\S+)$/, '$2, $1'),
  'Additional Authors': ({ book }) => book.authors.slice(1).join(', '),
  ISBN: () => '',
  ISBN13: ({ book }) => book.isbn ?? '',
  'My Rating': ({ stars }) => String(stars === null ? 0 : Math.max(1, Math.round(stars))),
  'Average Rating': ({ book }) => String(book.averageRating ?? ''),
  Publisher: ({ book }) => book.publisher ?? '',
  Binding: () => '',
  'Number of Pages': ({ book }) => String(book.pages ?? ''),
  'Year Published': ({ book }) => book.publishedOn?.slice(0, 4) ?? '',
  'Original Publication Year': ({ book }) => String(book.publishedYear ?? ''),
  'Date Read': ({ reads }) => slashed(reads.at(-1)?.finishedOn ?? ''),
  'Date Added': ({ addedOn }) => slashed(addedOn ?? ''),
  Bookshelves: ({ shelf }) => shelf,
  'Bookshelves with positions': () => '',
  'Exclusive Shelf': ({ shelf }) => shelf,
  'My Review': ({ review }) => review?.text ?? '',
  Spoiler: ({ review }) => (review?.hasSpoilers ? 'true' : ''),
  'Private Notes': () => '',
  'Read Count': ({ reads }) => String(reads.length),
  'Owned Copies': () => '0',
  'Dates Read': ({ reads }) =>
    reads
      .map(({ startedOn, finishedOn }) => (startedOn === null ? '' : `${slashed(startedOn)}-`) + dayOf(finishedOn))
      .reverse()
      .join(', '),
  'Date Started': ({ startedOn }) => slashed(startedOn ?? ''),
  Progress: ({ progress }) => String(progress ?? ''),
  'Star Rating': ({ stars }) => String(stars ?? ''),
};

/** A text that a spreadsheet would run as a formula. A negative number is not one. */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)'*[=+\-@\t\r\n＝＋－＠]/;

/** Quotes a cell, and writes a formula as a text. */
const cell = (text: string): string => quoted(FORMULA.test(text) ? `'${text}` : text);

/** Yields the lines of the file. */
export async function* goodreadsFileOf(app: AppContext, userId: string): AsyncGenerator<string> {
  yield `${Object.keys(columns).join(',')}\r\n`;
  const unpublished = await unpublishedReviews(app, userId);
  const booksOf = (lines: readonly Line[]) => withBooks(app, userId, lines, unpublished);
  for await (const some of inChunks(ownReadings(app, userId))) yield* linesOf(await booksOf(some.map(readLine)));

  const written = new Set<string>();
  for await (const some of inChunks(ownLines(app, userId, unpublished))) {
    yield* linesOf(some.filter(({ bookId }) => bookId === null).map(unlistedBook));
    const ofBooks = some.filter(hasBook);
    const listed = await booksWithReading(app, userId, idsOf(ofBooks));
    const others = ofBooks.filter(({ bookId }) => !listed.has(bookId));
    for (const { bookId } of others) written.add(bookId);
    yield* linesOf(await booksOf(others.map(lineWithoutStatus)));
  }

  for await (const some of inChunks(ownRatings(app, userId))) {
    const listed = await booksWithReading(app, userId, idsOf(some));
    const others = some.filter(({ bookId }) => !listed.has(bookId) && !written.has(bookId));
    yield* linesOf(await booksOf(others.map(({ bookId, ratedOn }) => unreadLine(bookId, ratedOn))));
  }

  for await (const some of inChunks(ownReviews(app, userId))) {
    const bookIds = idsOf(some);
    const [listed, rated] = await Promise.all([
      booksWithReading(app, userId, bookIds),
      ratingsAmong(app, userId, bookIds),
    ]);
    const others = some.filter(({ bookId }) => ![listed, rated, written].some((each) => each.has(bookId)));
    yield* linesOf(await booksOf(others.map(({ bookId, writtenOn }) => unreadLine(bookId, writtenOn))));
  }
}

const BOOKS_AT_ONCE = 100;

async function* inChunks<Each>(all: AsyncIterable<Each>): AsyncGenerator<Each[]> {
  let some: Each[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length < BOOKS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

const idsOf = (some: readonly { readonly bookId: string }[]): string[] => some.map(({ bookId }) => bookId);

/** A line without the parts that other features store. */
type Line = Omit<OwnBook, 'book' | 'stars' | 'review'> & { readonly bookId: string };

const readLine = ({ bookId, status, since: addedOn, progress, startedOn, reads }: OwnReading): Line => ({
  bookId,
  shelf: status === null ? '' : SHELVES[status],
  progress,
  addedOn,
  startedOn,
  reads,
});

const unreadLine = (bookId: string, addedOn: string | null): Line => ({
  bookId,
  shelf: '',
  progress: null,
  addedOn,
  startedOn: null,
  reads: [],
});

const hasBook = <Each extends OwnLine>(each: Each): each is Each & { readonly bookId: string } => each.bookId !== null;

/** The line of a book without a status, perhaps on a shelf of the reader's own. */
function lineWithoutStatus({ bookId, content, status }: OwnLine & { readonly bookId: string }): Line {
  const { shelf, progress, addedOn, startedOn, reads } = content;
  // A status that the reader has removed is not exported.
  if (shelf === null || status !== null) return unreadLine(bookId, addedOn);
  return { bookId, shelf, progress, addedOn, startedOn, reads };
}

/** Adds the books, ratings and reviews to lines, even for books that have left the catalogue. */
async function withBooks(
  app: AppContext,
  userId: string,
  lines: readonly Line[],
  unpublished: UnpublishedReviews,
): Promise<OwnBook[]> {
  const bookIds = idsOf(lines);
  const [books, ratings, reviews] = await Promise.all([
    booksNow(app, bookIds),
    ratingsAmong(app, userId, bookIds),
    reviewsAmong(app, userId, bookIds),
  ]);
  const others = await unpublished.among(bookIds.filter((bookId) => !reviews.has(bookId)));
  return lines.flatMap(({ bookId, ...line }) => {
    const book = books.get(bookId);
    const [stars, review] = [ratings.get(bookId) ?? null, reviews.get(bookId) ?? others.get(bookId)];
    return book ? [{ ...line, book: bookInFile(book), stars, review }] : [];
  });
}

/** The line of a book that the catalogue does not have, or that the reader has to choose. */
function unlistedBook({ content, status }: OwnLine): OwnBook {
  // The shelf is exported as its status, so its last day does not end a reading.
  const { reads, addedOn } = status === 'GIVEN_UP' ? givenUp(content) : content;
  const { title, authors, isbns, sourceIds, shelf, startedOn, progress, rating: stars } = content;
  const review = content.review === null ? undefined : { text: content.review, hasSpoilers: content.hasSpoilers };
  const number = sourceIds.map(numberAtGoodreads).find((each) => each !== undefined) ?? '';
  const book = { title, authors, isbn: isbns[0] ?? null, number };
  const own = { progress, addedOn, startedOn, reads, stars, review };
  return { book, shelf: status === null ? (shelf ?? '') : SHELVES[status], ...own };
}

function* linesOf(books: readonly OwnBook[]): Generator<string> {
  for (const book of books) {
    const cells = Object.values(columns).map((column) => cell(column(book)));
    yield `${cells.join(',')}\r\n`;
  }
}
