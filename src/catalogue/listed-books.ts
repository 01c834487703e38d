import { sizeOf } from '../cassandra/bytes.ts';
import { Recent, shared, type Found } from '../cassandra/recent-reads.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import { shownFor } from '../context/shown.ts';
import { keysWithJob } from '../jobs/operations.ts';
import type { Book, FieldInRow, ListedBook } from './book.ts';

/** Books from the rows of lists, so that a page of a list reads no book. */

/** The fields of a book that rows of lists lack. */
const NOT_LISTED = {
  originalTitle: true,
  publishedYear: true,
  languageCode: true,
  genres: true,
  publisher: true,
  pages: true,
  publishedOn: true,
  coverUrl: true,
  averageRating: true,
  ratingsCount: true,
  work: true,
  otherIsbns: true,
  series: true,
  description: true,
  isRemoved: true,
} satisfies Record<Exclude<keyof Book, FieldInRow>, true>;

const namesNotListed = Object.keys(NOT_LISTED);

/**
 * Returns whether the row of a list has all requested fields of a book. Fields of other features
 * need only fields that rows have.
 */
export const isInRow = (asked: ReadonlySet<string>): boolean => !namesNotListed.some((name) => asked.has(name));

/** The books whose rows in lists may be out of date. */
export interface RetitledBooks {
  readonly has: (bookId: string) => boolean;
}

/** The books with an unfinished job, as of a moment ago; `undefined` if there are too many. */
const recentlyRetitled = perProcess((app) => {
  const recent = new Recent<Found<RetitledBooks>>({ ...shownFor(app), name: 'RETITLED', sizeMax: 1 });
  const read = async () => ({ row: await keysWithJob(app, 'Book', 'RETITLE'), size: sizeOf([]) });
  return () => recent.kept('') ?? recent.keep('', read);
});

/**
 * Returns the books whose rows in lists may be out of date, because their job `RETITLE` is
 * unfinished. Call it before the rows are read: a job that finishes in between has already written
 * them.
 */
export const retitledBooks = async (context: RequestContext): Promise<RetitledBooks> =>
  (await shared(context.cassandra, recentlyRetitled(context))) ?? { has: () => true };

/** Makes a book from the row of a list. */
export const listedBook = ({ id, title, authors }: Pick<Book, 'id' | 'title' | 'authors'>): ListedBook => ({
  type: 'Book',
  id,
  isbn: /^\d{13}$/.test(id) ? id : null,
  title,
  authors,
});
