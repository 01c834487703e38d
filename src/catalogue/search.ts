import { z } from 'zod';
import { HIGHEST_TEXT, readWanted, type Slice } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import { connection, onePartition, type Connection, type PageArguments } from '../connections.ts';
import type { RequestContext } from '../context.ts';
import { badUserInput } from '../errors.ts';
import { wordsOf } from '../text.ts';
import { authorKey, hasWords, PREFIX_LENGTH_MAX } from './listing.ts';
import {
  selectByAuthorAscending,
  selectByAuthorDescending,
  selectBooksByWordAscending,
  selectBooksByWordDescending,
  selectByWordAscending,
  selectByWordDescending,
  type ListedBook,
} from './tables.ts';

const TEXT_LENGTH_MAX = 200;
/** Where several words narrow a list, most rows of it are read in vain; so many at once. */
const ROWS_PER_READ = 200;
const POPULARITY_MAX = 2 ** 31 - 1;

/** Before and behind every book of a list. */
const HIGHEST = { popularity: POPULARITY_MAX, book_id: HIGHEST_TEXT };
const LOWEST = { popularity: -1, book_id: '' };

/** What to look for. */
export interface BookSearch {
  readonly query?: string | null | undefined;
  readonly author?: string | null | undefined;
}

/** A page of books. */
export type BookConnection = Connection<{ cursor: string; bookId: string }>;

interface BookPosition {
  readonly popularity: number;
  readonly book_id: string;
}

/**
 * A page of the books whose title or authors have words that begin so, or that an author wrote; most popular first.
 * It is one partition: that of the author, else that of the longest word, which has the fewest books as a rule; further
 * words are compared row by row.
 * @throws `BAD_USER_INPUT` when nothing is asked for, or the paging arguments cannot be used
 */
export async function booksLike(
  { cassandra, loaders }: RequestContext,
  search: BookSearch,
  page: PageArguments,
): Promise<BookConnection> {
  if (search.query == null && search.author == null)
    throw badUserInput('Give the argument "query", or "author", or both.');
  const terms = search.query == null ? [] : textArgument('query', search.query, wordsOf);
  const [author] = search.author == null ? [undefined] : textArgument('author', search.author, (text) => [authorKey(text)].filter((key) => key !== '')); // prettier-ignore
  // Of words of one length the last: articles come first.
  const longest = terms.reduce((one, other) => (Array.from(other).length >= Array.from(one).length ? other : one), '');
  const prefix = Array.from(longest).slice(0, PREFIX_LENGTH_MAX).join('');
  const compared = terms.filter((term) => author !== undefined || term !== prefix);
  const rangeOf = ({ descending, from, limit }: Slice<BookPosition>) => ({
    ...(from ?? (descending ? HIGHEST : LOWEST)),
    rows_max: limit,
  });
  /** The one word's rows have the books themselves. */
  const books = async (slice: Slice<BookPosition>): Promise<BookPosition[]> => {
    const of = slice.descending ? selectBooksByWordDescending : selectBooksByWordAscending;
    const found = await rows(cassandra, of, { prefix, ...rangeOf(slice) });
    for (const { book_id, state } of found) loaders.books.prime(book_id, { book_id, state });
    return found;
  };
  const listed = (slice: Slice<BookPosition>): Promise<ListedBook[]> => {
    const range = rangeOf(slice);
    if (author !== undefined)
      return rows(cassandra, slice.descending ? selectByAuthorDescending : selectByAuthorAscending, {
        author,
        ...range,
      });
    return rows(cassandra, slice.descending ? selectByWordDescending : selectByWordAscending, { prefix, ...range });
  };
  const list = {
    ...onePartition,
    name: `books ${author ?? ''} ${terms.join(' ')}`,
    descending: true,
    cursor: z.object({ popularity: z.int(), book_id: z.string() }),
    positionOf: ({ popularity, book_id }: BookPosition) => ({ popularity, book_id }),
  };
  const read = (slice: Slice<BookPosition>): Promise<BookPosition[]> => {
    if (compared.length > 0)
      return readWanted<ListedBook, BookPosition>(list, slice, ROWS_PER_READ, ({ words }) => hasWords(words, compared), listed); // prettier-ignore
    return author === undefined ? books(slice) : listed(slice);
  };
  return connection(page, { ...list, read: (_partition, slice) => read(slice) }, ({ book_id }, cursor) => ({
    cursor,
    bookId: book_id,
  }));
}

function textArgument(name: string, text: string, partsOf: (text: string) => string[]): string[] {
  const parts = text.length > TEXT_LENGTH_MAX ? [] : partsOf(text);
  if (parts.length === 0)
    throw badUserInput(`The argument "${name}" must have letters or digits, and at most ${String(TEXT_LENGTH_MAX)} characters.`); // prettier-ignore
  return parts;
}
