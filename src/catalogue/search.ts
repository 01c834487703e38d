import { z } from 'zod';
import { HIGHEST_TEXT, readWanted, type Slice } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import { connection, onePartition, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { wordsOf } from '../text/text.ts';
import { authorKey, hasWords, PREFIX_LENGTH_MAX } from './listing.ts';
import {
  selectByAuthorAscending,
  selectByAuthorDescending,
  selectByWordAscending,
  selectByWordDescending,
  type BookState,
} from './tables.ts';
import { bookLoader } from './loaders.ts';

const TEXT_LENGTH_MAX = 200;
/** Of so many words the lists are looked at. */
const LISTS_MAX = 4;
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

/** A row of a list. */
interface ListedBook extends BookPosition {
  readonly words: string;
  /** The book itself; an author's list has not got it. */
  readonly state?: BookState;
}

/**
 * A page of the books whose title or authors have words that begin so, or that an author wrote; most popular first.
 * It is one partition: that of the author or the word; of several words, that of the one whose books lie farthest apart.
 * Further words are compared row by row.
 * @throws `BAD_USER_INPUT` when nothing is asked for, or the paging arguments cannot be used
 */
export async function booksLike(
  context: RequestContext,
  search: BookSearch,
  page: PageArguments,
): Promise<BookConnection> {
  const { cassandra } = context;
  if (search.query == null && search.author == null)
    throw badUserInput('Give the argument "query", or "author", or both.');
  const terms = search.query == null ? [] : textArgument('query', search.query, wordsOf);
  const [author] = search.author == null ? [undefined] : textArgument('author', search.author, (text) => [authorKey(text)].filter((key) => key !== '')); // prettier-ignore
  const lists = author === undefined ? prefixesOf(terms) : [author];
  const compared = author === undefined && lists.length === 1 ? terms.filter((term) => term !== lists[0]) : terms;
  const listed = (name: string, { descending, from, limit }: Slice<BookPosition>): Promise<ListedBook[]> => {
    const range = { ...(from ?? (descending ? HIGHEST : LOWEST)), rows_max: limit };
    return author === undefined
      ? rows(cassandra, descending ? selectByWordDescending : selectByWordAscending, { prefix: name, ...range })
      : rows(cassandra, descending ? selectByAuthorDescending : selectByAuthorAscending, { author: name, ...range });
  };
  const list = {
    ...onePartition,
    name: `books ${author ?? ''} ${terms.join(' ')}`,
    descending: true,
    cursor: z.object({ popularity: z.int(), book_id: z.string() }),
    positionOf: ({ popularity, book_id }: BookPosition) => ({ popularity, book_id }),
  };
  const read = async (slice: Slice<BookPosition>): Promise<BookPosition[]> => {
    const some = sparsest(lists, listed);
    const isWanted = ({ words }: ListedBook) => hasWords(words, compared);
    const found =
      compared.length === 0
        ? await some(slice)
        : await readWanted<ListedBook, BookPosition>(list, slice, isWanted, some);
    for (const { book_id, state } of found) if (state) bookLoader(context).prime(book_id, { book_id, state });
    return found;
  };
  return connection(page, { ...list, read: (_partition, slice) => read(slice) }, ({ book_id }, cursor) => ({
    cursor,
    bookId: book_id,
  }));
}

/** The lists of the longest words, which have the fewest books as a rule. */
function prefixesOf(terms: readonly string[]): string[] {
  const prefixes = terms.map((term) => Array.from(term).slice(0, PREFIX_LENGTH_MAX));
  const longestFirst = prefixes.toSorted((one, other) => other.length - one.length);
  return [...new Set(longestFirst.map((letters) => letters.join('')))].slice(0, LISTS_MAX);
}

/**
 * Reads that of several lists which comes farthest with as many rows; each of them has every book that is wanted. The first
 * read is of all of them.
 */
function sparsest(
  lists: readonly string[],
  read: (list: string, slice: Slice<BookPosition>) => Promise<ListedBook[]>,
): (slice: Slice<BookPosition>) => Promise<ListedBook[]> {
  let candidates = lists;
  return async (slice) => {
    const [first, ...others] = await Promise.all(
      candidates.map(async (list) => ({ list, page: await read(list, slice) })),
    );
    if (!first) throw new Error('A search has no list');
    const farthest = others.reduce((best, each) => (isFarther(each.page, best.page, slice) ? each : best), first);
    candidates = [farthest.list];
    return farthest.page;
  };
}

/** Whether one page comes farther than another one from the same position; what has ended has come to the end. */
function isFarther(
  one: readonly BookPosition[],
  other: readonly BookPosition[],
  { descending, limit }: Slice<unknown>,
) {
  const [lastOfOne, lastOfOther] = [one.at(limit - 1), other.at(limit - 1)];
  if (!lastOfOne || !lastOfOther) return !lastOfOne;
  return descending ? lastOfOne.popularity < lastOfOther.popularity : lastOfOne.popularity > lastOfOther.popularity;
}

function textArgument(name: string, text: string, partsOf: (text: string) => string[]): string[] {
  const parts = text.length > TEXT_LENGTH_MAX ? [] : partsOf(text);
  if (parts.length === 0)
    throw badUserInput(`The argument "${name}" must have letters or digits, and at most ${String(TEXT_LENGTH_MAX)} characters.`); // prettier-ignore
  return parts;
}
