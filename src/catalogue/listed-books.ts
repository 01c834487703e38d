import { sizeOf } from '../cassandra/bytes.ts';
import type { RangeList } from '../cassandra/range.ts';
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
  isRemoved: true,
} satisfies Record<Exclude<keyof Book, FieldInRow>, true>;

const namesNotListed = Object.keys(NOT_LISTED);

/**
 * Returns whether the row of a list has all requested fields of a book. Fields of other features
 * need only fields that rows have.
 */
export const isInRow = (asked: ReadonlySet<string>): boolean => !namesNotListed.some((name) => asked.has(name));

/** The books whose rows in lists may be out of date. */
interface RetitledBooks {
  readonly has: (bookId: string) => boolean;
}

/** The books with an unfinished job, as of a moment ago. */
const recentlyRetitled = perProcess((app) => {
  const recent = new Recent<Found<RetitledBooks>>({ ...shownFor(app), name: 'RETITLED', sizeMax: 1 });
  const read = async () => {
    const bookIds = await keysWithJob(app, 'Book', 'RETITLE');
    return { row: bookIds ?? { has: () => true }, size: sizeOf([]) };
  };
  return () => recent.kept('') ?? recent.keep('', read);
});

/**
 * Wraps a list whose rows contain the title and authors of books, so that each row gets its book.
 * The job `RETITLE` updates such rows. While the job of a book is unfinished, its rows get no book.
 * @param fieldsOf returns the fields in a row; `undefined` if it is about no book
 */
export const withBooks = <Row, Position>(
  context: RequestContext,
  list: RangeList<Row, Position>,
  fieldsOf: (row: Row) => Pick<Book, 'id' | 'title' | 'authors'> | undefined,
): RangeList<Row & { readonly book: ListedBook | undefined }, Position> => ({
  ...list,
  read: async (partitions, slice) => {
    // The jobs are read before the rows: a job that finishes in between has already written the
    // rows.
    const retitled = await shared(context.cassandra, recentlyRetitled(context));
    const found = await list.read(partitions, slice);
    return found.map((row) => {
      const fields = fieldsOf(row);
      return { ...row, book: fields && retitled?.has(fields.id) === false ? listedBook(fields) : undefined };
    });
  },
});

const listedBook = ({ id, title, authors }: Pick<Book, 'id' | 'title' | 'authors'>): ListedBook => ({
  type: 'Book',
  id,
  isbn: /^\d{13}$/.test(id) ? id : null,
  title,
  authors,
});
