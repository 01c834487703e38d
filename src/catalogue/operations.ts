import { requireAdministrator } from '../identity/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput, UserError, invalidInput } from '../graphql/errors.ts';
import { keyArgument, keyInput } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import { doJobsOf } from '../jobs/operations.ts';
import { books, changedBook, type BookFields } from './aggregate.ts';
import {
  authorsInput,
  coverInput,
  dateInput,
  descriptionInput,
  genresInput,
  isbnInput,
  languageInput,
  pagesInput,
  seriesInput,
  optionalTextInput,
  otherIsbnsInput,
  textInput,
  yearInput,
  type SeriesInput,
} from './inputs.ts';
import { parseIsbn } from './isbn.ts';
import { editionsByIsbn, editionsByWork, selectBooks, type BookState } from './tables.ts';
import { bookOf, isMade, workIdOf, type Book, type ListedBook } from './book.ts';
import { untilShown } from '../context/shown.ts';
import { bookLoader, describedBookLoader, keptBooks } from './loaders.ts';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import { rows } from '../cassandra/statement.ts';

/** Returns a book of the catalogue by id; null if there is none. */
export async function bookById(context: RequestContext, bookId: string): Promise<Book | null> {
  return shownBook(context, bookId);
}

/**
 * Like {@link bookById}, for pages of many books. It returns the value without a promise if the
 * book is known.
 */
export const shownBook = (context: RequestContext, bookId: string): MaybePromise<Book | null> =>
  andThen(bookLoader(context).load(bookId), (book) => (!book || book.isRemoved ? null : book));

/** Returns a book by id, even if it was removed; null if there never was one. */
export async function bookEvenRemoved(context: RequestContext, bookId: string): Promise<Book | null> {
  return (await bookLoader(context).load(bookId)) ?? null;
}

/**
 * Returns a book, even if removed, that must exist because a row about it was just read.
 * @throws Error when there is none, because no row about a book may outlive it
 */
export const existingBook = (context: RequestContext, bookId: string): MaybePromise<Book> =>
  andThen(bookLoader(context).load(bookId), (book) => {
    if (!book) throw new Error(`A row refers to the book ${bookId}, which does not exist`);
    return book;
  });

/** Returns the description of a book on a page; null if it has none. */
export const descriptionOf = (context: RequestContext, { id, description }: ListedBook): MaybePromise<string | null> =>
  description === undefined
    ? andThen(describedBookLoader(context).load(id), (book) => book?.description ?? null)
    : description;

/**
 * Returns a book by id, or by ISBN-10 or ISBN-13 as {@link bookWithIsbn} does; null if there is
 * none.
 * @throws `BAD_USER_INPUT` with the problem of the id or ISBN, or unless exactly one is given
 */
export async function bookBy(
  context: RequestContext,
  { id, isbn }: { id?: string | null; isbn?: string | null },
): Promise<Book | null> {
  if ((id == null) === (isbn == null)) throw badUserInput('Give either the argument "isbn" or the argument "id".');
  if (isbn == null) return bookById(context, keyArgument('id', id ?? '', 'Book', 'a book'));

  const { isbn13, problem } = parseIsbn(isbn);
  if (problem !== undefined) throw badUserInput(`The argument "isbn" ${problem}.`);
  return bookWithIsbn(context, isbn13);
}

/**
 * Returns the edition with an ISBN-13, otherwise the first book that has it among its other ISBNs;
 * null if there is none.
 */
export async function bookWithIsbn(context: RequestContext, isbn: string): Promise<Book | null> {
  const own = await bookById(context, isbn);
  if (own) return own;

  const first = { descending: false, from: undefined, limit: 1 };
  const [found] = await editionsByIsbn.read(context.cassandra, { isbn }, first);
  return found ? bookById(context, found.book_id) : null;
}

/** The input of an administrator about a book. */
export interface BookInput {
  readonly title?: string | null;
  readonly originalTitle?: string | null;
  readonly authors?: readonly string[] | null;
  readonly publishedYear?: number | null;
  readonly languageCode?: string | null;
  readonly genres?: readonly string[] | null;
  readonly publisher?: string | null;
  readonly pages?: number | null;
  readonly publishedOn?: string | null;
  readonly coverUrl?: string | null;
  readonly workId?: string | null;
  readonly otherIsbns?: readonly string[] | null;
  readonly series?: readonly SeriesInput[] | null;
  readonly description?: string | null;
}

/** Reads the fields in an input; `null` removes an optional field. */
function fieldsInput({ config }: RequestContext, input: BookInput): Partial<BookFields> {
  const { title, originalTitle, authors, publishedYear, languageCode } = input;
  const { genres, publisher, pages, publishedOn, coverUrl, workId, otherIsbns, series, description } = input;
  return readInput<Partial<BookFields>>({
    ...(title != null && { title: () => textInput('title', title) }),
    ...(originalTitle !== undefined && { original_title: () => optionalTextInput('originalTitle', originalTitle) }),
    ...(authors != null && { authors: () => authorsInput(authors) }),
    ...(publishedYear !== undefined && { published_year: () => yearInput(publishedYear) }),
    ...(languageCode !== undefined && { language_code: () => languageInput(languageCode) }),
    ...(genres !== undefined && { genres: () => genresInput(genres ?? []) }),
    ...(publisher !== undefined && { publisher: () => optionalTextInput('publisher', publisher) }),
    ...(pages !== undefined && { pages: () => pagesInput(pages) }),
    ...(publishedOn !== undefined && { published_on: () => dateInput(publishedOn) }),
    ...(coverUrl !== undefined && { cover_url: () => coverInput(coverUrl, config.coverHosts) }),
    ...(workId !== undefined && {
      work_id: () => (workId === null ? null : keyInput('workId', workId, 'Work', 'a work')),
    }),
    ...(otherIsbns !== undefined && { other_isbns: () => otherIsbnsInput(otherIsbns ?? []) }),
    ...(series !== undefined && { series: () => seriesInput(series ?? []) }),
    ...(description !== undefined && { description: () => descriptionInput(description) }),
  });
}

/**
 * Adds a book, or restores a removed one, for administrators.
 * @throws {UserError} `FORBIDDEN` for other readers; `INVALID_INPUT` about fields that cannot be
 *   used, and about `isbn` when the catalogue already has it
 */
export async function addBook(
  context: RequestContext,
  input: BookInput & { isbn: string; title: string; authors: readonly string[] },
) {
  const viewer = await requireAdministrator(context);
  const { isbn, said } = readInput({
    isbn: () => isbnInput('isbn', input.isbn),
    said: () => fieldsInput(context, input),
  });
  const fields = { ...said, isbn, removed_at: null };

  await books.change(context, { bookId: isbn }, undefined, (state, at) => {
    if (state && isMade(state) && !state.removed_at) {
      throw invalidInput(['isbn'], 'The catalogue has a book with this ISBN already. Change it with updateBook.');
    }
    return changedBook(state, fields, at, { edited: 'ADDED', edited_by: viewer.id });
  });
  return { book: await bookAfterChange(context, isbn), viewer };
}

/**
 * Changes fields of a book, for administrators. Fields that are not given are unchanged.
 * @throws {UserError} `FORBIDDEN` for other readers; `INVALID_INPUT` about fields that cannot be
 *   used; `NOT_FOUND` about `bookId`
 */
export async function updateBook(context: RequestContext, input: BookInput & { bookId: string }) {
  const viewer = await requireAdministrator(context);
  const { bookId, fields } = readInput({
    bookId: () => bookIdInput(input.bookId),
    fields: () => fieldsInput(context, input),
  });

  const expected = await books.read(context, { bookId });
  if (fields.work_id === null && expected) fields.work_id = await workApart(context, bookId, expected);
  await books.change(context, { bookId }, expected, (state, at) => {
    if (!state || !isMade(state) || state.removed_at) throw noBook();
    return changedBook(state, fields, at, { edited: 'UPDATED', edited_by: viewer.id });
  });
  await doJobsOf(context, { type: 'Book', key: bookId });
  return { book: await bookAfterChange(context, bookId), viewer };
}

/**
 * Returns the work for a book that is separated from other editions: its current work if it has no
 * other edition, otherwise the work with the book's own id. If other editions point to that work,
 * they keep it, and the book gets a new work.
 */
async function workApart(
  { cassandra, randomId }: AppContext,
  bookId: string,
  state: BookState,
): Promise<string | null> {
  const hasOthers = async (work_id: string) => {
    const two = await editionsByWork.read(cassandra, { work_id }, { descending: true, from: undefined, limit: 2 });
    return two.some(({ book_id }) => book_id !== bookId);
  };
  if (!(await hasOthers(workIdOf(bookId, state)))) return state.work_id;
  return (await hasOthers(bookId)) ? randomId() : null;
}

/** Reads a book after a change, without caches. */
async function bookAfterChange(context: RequestContext, bookId: string): Promise<Book | null> {
  await untilShown(context);
  bookLoader(context).clear(bookId);
  return bookById(context, bookId);
}

/**
 * Reads the key of a book from an input.
 * @throws {UserError} `INVALID_INPUT` about `bookId`
 */
export const bookIdInput = (id: string): string => keyInput('bookId', id, 'Book', 'a book');

/**
 * Returns the book of the catalogue that an input names.
 * @throws {UserError} `NOT_FOUND` about `bookId`
 */
export async function requireBook(context: RequestContext, bookId: string): Promise<Book> {
  const book = await bookById(context, bookId);
  if (!book) throw noBook();
  return book;
}

/**
 * Returns the book that an input names, even if it was removed from the catalogue.
 * @throws {UserError} `NOT_FOUND` about `bookId`
 */
export async function requireBookEvenRemoved(context: RequestContext, bookId: string): Promise<Book> {
  const book = await bookEvenRemoved(context, bookId);
  if (!book) throw noBook();
  return book;
}

const noBook = () => new UserError('NOT_FOUND', 'There is no such book.', ['input', 'bookId']);

/**
 * Removes a book from the catalogue. No server shows it after this returns.
 * @returns true if there was a book to remove
 */
export async function removeBook(app: AppContext, bookId: string): Promise<boolean> {
  const expected = await books.read(app, { bookId });
  const { changed } = await books.change(app, { bookId }, expected, (state, at) =>
    state && isMade(state) && !state.removed_at ? changedBook(state, { removed_at: at }, at) : undefined,
  );
  await untilShown(app);
  return changed;
}

/** Reads books by id, including removed books, without caches. */
export async function booksNow({ cassandra }: AppContext, bookIds: readonly string[]): Promise<Map<string, Book>> {
  const parts = keysInParts([...new Set(bookIds)]);
  const found = await Promise.all(parts.map((book_ids) => rows(cassandra, selectBooks, { book_ids })));
  return new Map(
    found
      .flat()
      .filter(({ state }) => isMade(state))
      .map(({ book_id, state }) => [book_id, bookOf(book_id, state)]),
  );
}

/** Reads a book that must exist, even if removed, without caches. */
export async function bookNow(app: AppContext, bookId: string): Promise<Book> {
  const { row: book } = await keptBooks(app).read(bookId);
  if (!book) throw new Error(`A row refers to the book ${bookId}, which does not exist`);
  return book;
}
