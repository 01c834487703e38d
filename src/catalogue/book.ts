import { placesInSeries, type PlaceInSeries } from './series-names.ts';
import type { BookState } from './tables.ts';

/** A work, which groups the editions of a book. Everything about it is read from the editions. */
export interface Work {
  readonly type: 'Work';
  readonly id: string;
}

/** One edition of a book. */
export interface Book {
  readonly type: 'Book';
  /** The ISBN-13. For a book without an ISBN, it is `goodreads-` and its number at Goodreads. */
  readonly id: string;
  readonly isbn: string | null;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly authors: string[];
  /** The year of the first publication, negative before the common era. */
  readonly publishedYear: number | null;
  readonly languageCode: string | null;
  /** The genres, best match first. Many come from readers' shelves. */
  readonly genres: string[];
  readonly publisher: string | null;
  readonly pages: number | null;
  /** The date of the edition's publication: a year, a month or a day in ISO 8601 format. */
  readonly publishedOn: string | null;
  readonly coverUrl: string | null;
  /** From 1 to 5. */
  readonly averageRating: number | null;
  readonly ratingsCount: number | null;
  /** The work that the book is an edition of. */
  readonly work: Work;
  /** Further ISBN-13s of the book. */
  readonly otherIsbns: string[];
  /** The series that the book belongs to, with its place in each. */
  readonly series: PlaceInSeries[];
  /** Unset for a book from a row of `books_by_word`, which has no description. */
  readonly description?: string | null;
  /**
   * True for a book that was removed from the catalogue. Searches do not find it, but likes and
   * readings still show it.
   */
  readonly isRemoved: boolean;
}

/** The fields of a book that a row of a list contains, or that follow from the book's id. */
export type FieldInRow = 'type' | 'id' | 'isbn' | 'title' | 'authors';

/**
 * A book on a page. It has all fields if the book was read, and only some if a row of a list was
 * read.
 */
export type ListedBook = Pick<Book, FieldInRow> & Partial<Book>;

/** True for a book that was added, false for an abandoned attempt to add it. */
export const isMade = ({ title }: BookState) => title !== '';

/**
 * Returns the work of a book. A book that points to no work is the only edition of a work with the
 * book's id.
 */
export const workIdOf = (bookId: string, { work_id }: Pick<BookState, 'work_id'>): string => work_id ?? bookId;

/** Makes a book from its row. */
export const bookOf = (bookId: string, state: BookState): Book => ({
  ...listedBookOf(bookId, state),
  description: state.description,
});

/** Makes a book from its state in a row of `books_by_word`. */
export const listedBookOf = (bookId: string, state: BookState): Book => ({
  type: 'Book',
  id: bookId,
  isbn: state.isbn,
  title: state.title,
  originalTitle: state.original_title,
  authors: state.authors,
  publishedYear: state.published_year,
  languageCode: state.language_code,
  genres: state.genres,
  publisher: state.publisher,
  pages: state.pages,
  publishedOn: state.published_on,
  coverUrl: state.cover_url,
  averageRating: state.average_rating,
  ratingsCount: state.ratings_count,
  work: { type: 'Work', id: workIdOf(bookId, state) },
  otherIsbns: state.other_isbns ?? [],
  series: placesInSeries(state),
  isRemoved: state.removed_at !== null,
});
