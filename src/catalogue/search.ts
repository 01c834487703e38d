import { z } from 'zod';
import {
  connection,
  EMPTY_PAGE,
  listNameIn,
  type CountedConnection,
  type PageArguments,
  type Cursor,
} from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { BookOrder } from '../graphql/generated/schema-types.ts';
import { wordsOf } from '../text/folding.ts';
import { parseIsbn } from './isbn.ts';
import { nameOf, readingsOf, type BookSearch, type Terms } from './search-terms.ts';
import { authorTerm, genreTerm, hasWords, PREFIX_LENGTH_MAX, titleTerm } from './listing.ts';
import { nameKey } from './name-key.ts';
import { bookWithIsbn } from './operations.ts';
import {
  additionYearOf,
  additionYears,
  initialOf,
  INITIALS,
  magnitudeOf,
  MAGNITUDES,
  periodOf,
  PERIODS,
} from './orders.ts';
import {
  booksByAddition,
  booksByPopularity,
  booksByTitle,
  booksByYear,
  booksOfAuthor,
  booksOfGenre,
  booksWithWord,
  type BookState,
} from './tables.ts';
import { listedBookOf } from './book.ts';
import { bookLoader } from './loaders.ts';
import { wordsLike } from './spelling.ts';
import { otherFormsOf } from './word-forms.ts';
import {
  FILTERED_ROWS_MIN,
  firstOf,
  mergedRead,
  ONE_PARTITION,
  type PartitionedList,
  type Slice,
} from '../cassandra/paging.ts';

/** The maximum number of words whose lists are read. */
const LISTS_MAX = 4;
const ORDERED_SEARCH =
  'The argument "orderBy" sorts the list of all books. Leave it out with "query", "author" or "genre": ' +
  'a search is by popularity.';
/** A page of books. */
export interface BookConnection extends CountedConnection<{ cursor: Cursor; bookId: string }> {
  /** The key of the requested genre. */
  readonly genre?: string | undefined;
}

interface BookPosition {
  readonly popularity: number;
  readonly book_id: string;
}

/** A row of a list. */
interface ListedBook extends BookPosition {
  readonly words: string;
  /** The book itself; unset in the lists of authors and genres. */
  readonly state?: BookState;
}

/** A list that contains all matching books. */
interface CandidateList {
  /** The term that all rows of the list have, for {@link hasWords}. */
  readonly term: string;
  readonly read: Read;
}

/** A row of a list, and whether the query is the title of its book. */
interface FoundBook extends ListedBook {
  readonly isCalledSo: 0 | 1;
}

const OTHERS = 0;
const CALLED_SO = 1;

/** The factor of the popularity of a book whose title is the query. */
const TITLE_WEIGHT = 10;
/** The minimum weight, in ratings, of a book whose title is the query. */
const TITLE_RATINGS_MIN = 1_000;
/** The bounds of {@link BookPosition.popularity}, an `int`. */
const [INT_MIN, INT_MAX] = [-(2 ** 31), 2 ** 31 - 1];

const cursor = z.strictObject({
  isCalledSo: z.literal([OTHERS, CALLED_SO]),
  popularity: z.int32(),
  book_id: z.string(),
});
type FoundPosition = z.output<typeof cursor>;

const positionOf = ({ isCalledSo, popularity, book_id }: FoundPosition): FoundPosition => ({
  isCalledSo,
  popularity,
  book_id,
});

/**
 * Returns a page of the books that match a search by prefixes of words in title, original title or
 * authors, by author and by genre; the most popular first. A book whose title is the query has a
 * higher weight. An ISBN finds its book. A search without a result is repeated with the words
 * joined or plain, then with one wrong letter allowed in each word. An empty search lists all
 * books.
 *
 * It reads two partitions. One has the books whose title is the query. The other is the list of the
 * author, or otherwise of the word or genre with the sparsest list. It compares the rows with the
 * rest of the search. If nothing is found, it tries the author's name as a part of a name, such as
 * a last name.
 * @param orderBy the order of the list of all books; a search is by popularity
 * @throws `BAD_USER_INPUT` when an argument has no letter or digit, a search has another order, or
 *   the paging arguments cannot be used
 */
export async function booksLike(
  context: RequestContext,
  search: BookSearch,
  orderBy: BookOrder,
  page: PageArguments,
): Promise<BookConnection> {
  if (search.query == null && search.author == null && search.genre == null) return allBooks(context, orderBy, page);
  if (orderBy !== 'POPULARITY') throw badUserInput(ORDERED_SEARCH);
  const [typed, otherwise] = readingsOf(search);
  const readings = [...typed, ...otherwise];
  const genre = typed[0]?.genre;
  const pageOf = async (name: string, list: FoundList): Promise<BookConnection> => {
    const found = await connection(
      page,
      { ...list, name, descending: true, cursor },
      ({ book_id, state }, cursorOf) => {
        if (state) bookLoader(context).prime(book_id, listedBookOf(book_id, state));
        return { cursor: cursorOf, bookId: book_id };
      },
    );
    return { ...found, genre };
  };

  const attempts = [
    ...readings.map((terms) => ({
      name: `books ${nameOf(terms)}`,
      list: async () => (await listOfIsbn(context, search.query ?? '', terms)) ?? listOf(context, terms),
    })),
    ...typed.map((terms) => ({ name: `books ~ ${nameOf(terms)}`, list: () => forgivenList(context, terms) })),
  ];
  const position = page.after ?? page.before;
  const isOne = position != null || page.first === 0 || page.last === 0;
  const listName = position == null ? undefined : listNameIn(position);
  const resumed = attempts.find(({ name }) => name === listName) ?? attempts[0];
  for (const { name, list: listed } of isOne && resumed ? [resumed] : attempts) {
    const list = await listed();
    const found = list && (await pageOf(name, list));
    if (found && (isOne || found.edges.length > 0)) return found;
  }
  return { ...EMPTY_PAGE, genre };
}

/**
 * Lists the books that match with one wrong letter allowed in each word; `undefined` if no word of
 * the catalogue is similar to a word of the query. It reads the lists of one word and of similar
 * words as one list, and compares the rows with the other words.
 */
async function forgivenList(
  { cassandra }: RequestContext,
  { words, narrowing, authorWords }: Terms,
): Promise<FoundList | undefined> {
  const [longest, others] = [words.toSorted(byLength).slice(0, LISTS_MAX), words.toSorted(byLength).slice(LISTS_MAX)];
  const forgiven = await Promise.all(
    longest.map(async (word) => ({ word, alternatives: await wordsLike(cassandra, word) })),
  );
  const read = forgiven
    .filter(({ alternatives }) => alternatives.length > 0)
    .toSorted((one, other) => one.alternatives.length - other.alternatives.length)[0];
  if (!read) return undefined;

  const prefixes = new Set([read.word, ...read.alternatives].map((word) => beginningOf(word)));
  const certain = [...others, ...narrowing];
  return {
    ...ONE_PARTITION,
    positionOf,
    read: async (_partitions: readonly number[], { descending, from, limit }: Slice<FoundPosition>) => {
      const slice = { descending, from: from && { popularity: from.popularity, book_id: from.book_id }, limit };
      const each = [...prefixes].map((prefix) => booksWithWord.read(cassandra, { prefix }, slice));
      const rows = new Map((await Promise.all(each)).flat().map((row) => [row.book_id, row]));
      return marked(OTHERS, firstOf([...rows.values()], byPopularity, slice));
    },
    filter: {
      keep: (row: FoundBook) =>
        hasWords(row.words, certain) &&
        isBy(row, authorWords) &&
        forgiven.every(({ word, alternatives }) =>
          [word, ...alternatives.map((each) => `${each} `)].some((term) => hasWords(row.words, [term])),
        ),
      rowsMin: FILTERED_ROWS_MIN,
    },
  };
}

const byLength = (one: string, other: string) => other.length - one.length;

const byPopularity = (one: BookPosition, other: BookPosition) =>
  one.popularity - other.popularity || Buffer.compare(Buffer.from(one.book_id), Buffer.from(other.book_id));

const beginningOf = (word: string) => Array.from(word).slice(0, PREFIX_LENGTH_MAX).join('');

/** Returns a page of all books. */
async function allBooks(
  { cassandra, clock }: RequestContext,
  orderBy: BookOrder,
  page: PageArguments,
): Promise<BookConnection> {
  const edgeOf = ({ book_id }: { readonly book_id: string }, cursorOf: Cursor) => ({
    cursor: cursorOf,
    bookId: book_id,
  });
  if (orderBy === 'TITLE') {
    const buckets = { column: 'initial', values: INITIALS, of: initialOf } as const;
    const list = { name: 'books TITLE', descending: false, ...booksByTitle.list(cassandra, {}, { buckets }) };
    return connection(page, list, edgeOf);
  }
  if (orderBy === 'PUBLISHED') {
    const buckets = { column: 'period', values: PERIODS, of: periodOf } as const;
    const list = { name: 'books PUBLISHED', descending: true, ...booksByYear.list(cassandra, {}, { buckets }) };
    return connection(page, list, edgeOf);
  }
  if (orderBy === 'ADDED') {
    const buckets = { column: 'year', values: additionYears(clock()), of: additionYearOf } as const;
    const list = { name: 'books ADDED', descending: true, ...booksByAddition.list(cassandra, {}, { buckets }) };
    return connection(page, list, edgeOf);
  }
  const buckets = { column: 'magnitude', values: MAGNITUDES, of: magnitudeOf } as const;
  const list = { name: 'books', descending: true, ...booksByPopularity.list(cassandra, {}, { buckets }) };
  return connection(page, list, edgeOf);
}

/**
 * Lists the book whose ISBN is the query; `undefined` if the query is not an ISBN, or no matching
 * book has it.
 */
async function listOfIsbn(
  context: RequestContext,
  query: string,
  { narrowing, authorWords }: Terms,
): Promise<FoundList | undefined> {
  const { isbn13 } = parseIsbn(query);
  const book = isbn13 === undefined ? null : await bookWithIsbn(context, isbn13);
  if (!book) return undefined;
  const authors = book.authors.map((name) => authorTerm(nameKey(name)));
  const genres = book.genres.map((name) => genreTerm(nameKey(name)));
  const names = [...authors, ...genres];
  if (!narrowing.every((term) => names.includes(term)) || !hasAuthor(book.authors, authorWords)) return undefined;
  const row: FoundBook = { isCalledSo: CALLED_SO, popularity: book.ratingsCount ?? 0, book_id: book.id, words: '' };
  return {
    ...ONE_PARTITION,
    positionOf,
    read: (_partitions: readonly number[], { from }: Slice<FoundPosition>) => Promise.resolve(from ? [] : [row]),
  };
}

type FoundList = PartitionedList<FoundBook, FoundPosition>;

/** True for a row of a book that has an author with all of the words in their name. */
const isBy = ({ state }: ListedBook, authorWords: readonly string[]) => hasAuthor(state?.authors ?? [], authorWords);

function hasAuthor(authors: readonly string[], authorWords: readonly string[]): boolean {
  if (authorWords.length === 0) return true;
  return authors.some((author) => {
    const words = [...wordsOf(author), ...otherFormsOf(author)];
    return authorWords.every((word) => words.includes(word));
  });
}

function listOf({ cassandra }: RequestContext, terms: Terms): FoundList {
  const { words, title: key, author, authorWords, genre, narrowing } = terms;
  const candidates: CandidateList[] =
    author === undefined
      ? prefixesOf([...words, ...authorWords]).map((prefix) => ({
          term: prefix,
          read: (slice) => booksWithWord.read(cassandra, { prefix }, slice),
        }))
      : [{ term: authorTerm(author), read: (slice) => booksOfAuthor.read(cassandra, { author }, slice) }];
  // Rows of a genre lack the authors' names.
  if (author === undefined && authorWords.length === 0 && genre !== undefined)
    candidates.push({ term: genreTerm(genre), read: (slice) => booksOfGenre.read(cassandra, { genre }, slice) });

  const all = [...words, ...authorWords.map((word) => `${word} `), ...narrowing];
  const compared = candidates.length === 1 ? all.filter((term) => term !== candidates[0]?.term) : all;
  const others = sparsest(candidates);
  const title = key === undefined ? undefined : titleTerm(key);
  const keep = (row: FoundBook) =>
    isBy(row, authorWords) &&
    (row.isCalledSo === CALLED_SO
      ? hasWords(row.words, narrowing)
      : hasWords(row.words, compared) && (title === undefined || !hasWords(row.words, [title])));
  return {
    ...ONE_PARTITION,
    positionOf,
    read: byWeight(
      others,
      title === undefined ? undefined : (slice) => booksWithWord.read(cassandra, { prefix: title.trimEnd() }, slice),
    ),
    filter: { keep, rowsMin: compared.length > 0 ? FILTERED_ROWS_MIN : 0 },
  };
}

type Read = (slice: Slice<BookPosition>) => Promise<ListedBook[]>;

const marked = (isCalledSo: 0 | 1, rows: readonly ListedBook[]): FoundBook[] =>
  rows.map((row) => ({ ...row, isCalledSo }));

/** Returns the popularity that determines the place of a book in a search. */
const weightOf = ({ isCalledSo, popularity }: FoundPosition): number =>
  isCalledSo === OTHERS ? popularity : Math.min(Math.max(popularity * TITLE_WEIGHT, TITLE_RATINGS_MIN), INT_MAX - 1);

const inSearch = (one: FoundPosition, other: FoundPosition): number =>
  weightOf(one) - weightOf(other) || one.isCalledSo - other.isCalledSo || byPopularity(one, other);

/**
 * Converts a position of the search to a position in one of the two lists. No row is exactly at
 * that position, unless the position of the search is from that list.
 */
function placeIn(list: 0 | 1, from: FoundPosition): BookPosition {
  if (from.isCalledSo === list) return { popularity: from.popularity, book_id: from.book_id };
  if (list === OTHERS) return { popularity: weightOf(from) + 1, book_id: '' };
  const isAboveAny = from.popularity > TITLE_RATINGS_MIN;
  return { popularity: isAboveAny ? Math.ceil(from.popularity / TITLE_WEIGHT) : INT_MIN, book_id: '' };
}

/** Merges the books whose title is the query and the other books into one list by weight. */
function byWeight(others: Read, calledSo: Read | undefined) {
  const rowsOf = (list: 0 | 1, read: Read) => async (slice: Slice<FoundPosition>) =>
    marked(list, await read({ ...slice, from: slice.from && placeIn(list, slice.from) }));
  const lists = [rowsOf(OTHERS, others), ...(calledSo ? [rowsOf(CALLED_SO, calledSo)] : [])];
  return (_partitions: readonly number[], slice: Slice<FoundPosition>) => mergedRead(lists, inSearch, slice);
}

/** Returns the prefixes of the longest words, which usually have the fewest books. */
function prefixesOf(terms: readonly string[]): string[] {
  const prefixes = terms.map((term) => Array.from(term).slice(0, PREFIX_LENGTH_MAX));
  const longestFirst = prefixes.toSorted((one, other) => other.length - one.length);
  return [...new Set(longestFirst.map((letters) => letters.join('')))].slice(0, LISTS_MAX);
}

/**
 * Reads the list whose page covers the largest range of popularity. Each list contains all matching
 * books. The first read in a direction reads all lists to find it.
 */
function sparsest(lists: readonly CandidateList[]): Read {
  const candidates = new Map<boolean, readonly CandidateList[]>();
  return async (slice) => {
    const [first, ...others] = await Promise.all(
      (candidates.get(slice.descending) ?? lists).map(async (list) => ({ list, page: await list.read(slice) })),
    );
    if (!first) throw new Error('A search has no list');
    const farthest = others.reduce((best, each) => (isFarther(each.page, best.page, slice) ? each : best), first);
    candidates.set(slice.descending, [farthest.list]);
    return farthest.page;
  };
}

/**
 * True if one page ends farther from their common start than another. A page at the end of its list
 * is farthest.
 */
function isFarther(
  one: readonly BookPosition[],
  other: readonly BookPosition[],
  { descending, limit }: Slice<unknown>,
) {
  const [lastOfOne, lastOfOther] = [one.at(limit - 1), other.at(limit - 1)];
  if (!lastOfOne || !lastOfOther) return !lastOfOne;
  return descending ? lastOfOne.popularity < lastOfOther.popularity : lastOfOne.popularity > lastOfOther.popularity;
}
