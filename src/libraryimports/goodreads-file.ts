import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/schema.generated.ts';
import { ownBooks, type OwnBook } from '../reading/exported.ts';
import { quoted } from '../text/csv.ts';

/**
 * Writes a reader's library in the form of Goodreads, which nearly every other service can read.
 * Two columns are our own: `Dates Read`, as Goodreads has one day of each book, and `Progress`.
 */

const SHELVES: Readonly<Record<ReadingStatus, string>> = {
  WANT_TO_READ: 'to-read',
  READING: 'currently-reading',
  READ: 'read',
  GIVEN_UP: 'did-not-finish',
};

const slashed = (day: string): string => day.replaceAll('-', '/');
const dayOf = (day: string | null): string => (day === null ? 'unknown' : slashed(day));

const columns: Readonly<Record<string, (own: OwnBook) => string>> = {
  // Another service knows an edition by its ISBN; ours has the number of Goodreads for all others.
  'Book Id': ({ book }) => (book.isbn === null ? book.id.replace('goodreads-', '') : ''),
  Title: ({ book }) => book.title,
  Author: ({ book }) => book.authors[0] ?? '',
  'Author l-f': ({ book }) => (book.authors[0] ?? '').replace(/^(.*) (\S+)$/, '$2, $1'),
  'Additional Authors': ({ book }) => book.authors.slice(1).join(', '),
  ISBN: () => '',
  ISBN13: ({ book }) => book.isbn ?? '',
  'My Rating': () => '0',
  'Average Rating': ({ book }) => String(book.averageRating ?? ''),
  Publisher: ({ book }) => book.publisher ?? '',
  Binding: () => '',
  'Number of Pages': ({ book }) => String(book.pages ?? ''),
  'Year Published': ({ book }) => book.publishedOn?.slice(0, 4) ?? '',
  'Original Publication Year': ({ book }) => String(book.publishedYear ?? ''),
  'Date Read': ({ reads }) => slashed(reads.at(-1)?.finishedOn ?? ''),
  'Date Added': ({ since }) => slashed(since),
  Bookshelves: ({ status }) => SHELVES[status],
  'Bookshelves with positions': () => '',
  'Exclusive Shelf': ({ status }) => SHELVES[status],
  'My Review': () => '',
  Spoiler: () => '',
  'Private Notes': () => '',
  'Read Count': ({ reads }) => String(reads.length),
  'Owned Copies': () => '0',
  'Dates Read': ({ reads }) =>
    reads
      .map(({ startedOn, finishedOn }) => (startedOn === null ? '' : `${slashed(startedOn)}-`) + dayOf(finishedOn))
      .reverse()
      .join(', '),
  Progress: ({ progress }) => String(progress),
};

/** Quotes a cell, and writes one that a spreadsheet would run as a formula as a text. */
const cell = (text: string): string => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Yields the lines of the file. */
export async function* goodreadsFileOf(app: AppContext, userId: string): AsyncGenerator<string> {
  yield `${Object.keys(columns).join(',')}\r\n`;
  for await (const own of ownBooks(app, userId)) {
    const cells = Object.values(columns).map((column) => cell(column(own)));
    yield `${cells.join(',')}\r\n`;
  }
}
