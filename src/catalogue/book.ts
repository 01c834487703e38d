import type { BookState } from './tables.ts';

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
  /** The best first; often what readers say of it. */
  readonly genres: string[];
  readonly publisher: string | null;
  readonly pages: number | null;
  /** When the edition came out: a year, a month or a day, as ISO 8601 has them. */
  readonly publishedOn: string | null;
  readonly coverUrl: string | null;
  /** From 1 to 5. */
  readonly averageRating: number | null;
  readonly ratingsCount: number | null;
  /** Taken out of the catalogue: it is found no more, but what is about it still names it. */
  readonly isRemoved: boolean;
}

/** Whether there was ever a book, not only somebody who wanted to add it. */
export const isMade = ({ title }: BookState) => title !== '';

/** A book as its row says. */
export const bookOf = (bookId: string, state: BookState): Book => ({
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
  isRemoved: state.removed_at !== null,
});
