import { write } from '../cassandra/statement.ts';
import type { RequestContext } from '../context.ts';
import { badUserInput } from '../errors.ts';
import { parseIsbn } from './isbn.ts';
import { updateRemoved } from './tables.ts';

/** One edition of a book. */
export interface Book {
  readonly type: 'Book';
  /** The ISBN-13; for a book without an ISBN `goodreads-` and its number there. */
  readonly id: string;
  readonly isbn: string | null;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly authors: string[];
  /** Negative before the common era. */
  readonly publishedYear: number | null;
  readonly languageCode: string | null;
  /** From 1 to 5. */
  readonly averageRating: number | null;
  readonly ratingsCount: number | null;
  /** Taken out of the catalogue: it is found no more, but what is about it still names it. */
  readonly isRemoved: boolean;
}

/** A book of the catalogue by id; null when there is none. */
export async function bookById(context: RequestContext, bookId: string): Promise<Book | null> {
  const book = await bookEvenRemoved(context, bookId);
  return book?.isRemoved ? null : book;
}

/** A book by id, also one that was removed; null when there never was one. */
export async function bookEvenRemoved(context: RequestContext, bookId: string): Promise<Book | null> {
  const row = await context.loaders.books.load(bookId);
  return row
    ? {
        type: 'Book',
        id: row.book_id,
        isbn: row.isbn,
        title: row.title,
        originalTitle: row.original_title,
        authors: row.authors,
        publishedYear: row.published_year,
        languageCode: row.language_code,
        averageRating: row.average_rating,
        ratingsCount: row.ratings_count,
        isRemoved: row.removed_at !== null,
      }
    : null;
}

/**
 * A book that is known to exist or to have existed, because something about it was just read.
 * @throws Error when it does not: what is about a book must not outlive it
 */
export async function existingBook(context: RequestContext, bookId: string): Promise<Book> {
  const book = await bookEvenRemoved(context, bookId);
  if (!book) throw new Error(`Something is about the book ${bookId}, which does not exist`);
  return book;
}

/**
 * A book by ISBN-10 or ISBN-13; null when there is none.
 * @throws `BAD_USER_INPUT` saying what is wrong with the ISBN
 */
export async function bookByIsbn(context: RequestContext, isbn: string): Promise<Book | null> {
  const { isbn13, problem } = parseIsbn(isbn);
  if (problem !== undefined) throw badUserInput(`The argument "isbn" cannot be used: ${problem}.`);
  return bookById(context, isbn13);
}

/**
 * Takes a book out of the catalogue.
 * @returns whether there was one to take out
 */
export async function removeBook(context: RequestContext, bookId: string): Promise<boolean> {
  if (!(await bookById(context, bookId))) return false;
  await write(context.cassandra, updateRemoved, { book_id: bookId, removed_at: context.clock() });
  context.loaders.books.clear(bookId);
  return true;
}
