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
import type { BookOrder } from '../graphql/schema.generated.ts';
import { wordsOf } from '../text/folding.ts';
import { charactersIn } from '../text/text.ts';
import { parseIsbn } from './isbn.ts';
import { authorTerm, genreTerm, hasWords, nameKey, PREFIX_LENGTH_MAX, titleKey, titleTerm } from './listing.ts';
import { shownBook } from './operations.ts';
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
import { bookOf } from './book.ts';
import { bookLoader } from './loaders.ts';
import { wordsLike } from './spelling.ts';
import { FILTERED_ROWS_MIN, firstOf, type PartitionedList, type Slice } from '../cassandra/paging.ts';

const TEXT_LENGTH_MAX = 200;
/** The number of words whose lists are read. */
const LISTS_MAX = 4;
const ORDERED_SEARCH =
  'The argument "orderBy" sorts the list of all books. Leave it out with "query", "author" or "genre": a search is by popularity.';
/** The arguments of a search. */
export interface BookSearch {
  readonly query?: string | null | undefined;
  readonly author?: string | null | undefined;
  readonly genre?: string | null | undefined;
}

/** A page of books. */
export interface BookConnection extends CountedConnection<{ cursor: Cursor; bookId: string }> {
  /** The key of the genre that was asked for. */
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

/** A row of a list. Books whose title is the query come first. */
interface FoundBook extends ListedBook {
  readonly isCalledSo: 0 | 1;
}

/** The partitions of a list, by {@link FoundBook.isCalledSo}. */
const OTHERS = 0;
const CALLED_SO = 1;

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
 * authors, by author and by genre. Books whose title is the query come first, then the most
 * popular. An ISBN finds its book, a search without a result forgives one wrong letter in each
 * word, and an empty search lists all books.
 *
 * It reads two partitions: that of the books whose title is the query, and that of the author, or
 * else that of the word or genre whose books lie farthest apart. It compares the rows with the rest
 * of the search. If nothing is found, the author's name may be a part of a name, such as a last
 * name.
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
  const readings = readingsOf(search);
  const genre = readings[0]?.genre;
  const pageOf = async (name: string, list: FoundList): Promise<BookConnection> => {
    const found = await connection(
      page,
      { ...list, name, descending: true, cursor },
      ({ book_id, state }, cursorOf) => {
        if (state) bookLoader(context).prime(book_id, bookOf(book_id, state));
        return { cursor: cursorOf, bookId: book_id };
      },
    );
    return { ...found, genre };
  };

  const attempts = [
    ...readings.map((terms) => ({
      name: `books ${nameOf(terms)}`,
      list: async () => (await bookWithIsbn(context, search.query ?? '', terms)) ?? listOf(context, terms),
    })),
    ...readings.map((terms) => ({ name: `books ~ ${nameOf(terms)}`, list: () => forgivenList(context, terms) })),
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
 * Lists the books that match with one wrong letter forgiven in each word; undefined if no word of
 * the catalogue is like one of the query. It reads the lists of one word and of the words like it
 * as one list, and compares the rows with the others.
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
    partitions: [OTHERS],
    partitionOf: () => OTHERS,
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
 * Returns the book whose ISBN is the query; `undefined` if it is no ISBN, or no matching book has
 * it.
 */
async function bookWithIsbn(
  context: RequestContext,
  query: string,
  { narrowing, authorWords }: Terms,
): Promise<FoundList | undefined> {
  const { isbn13 } = parseIsbn(query);
  const book = isbn13 === undefined ? null : await shownBook(context, isbn13);
  if (!book) return undefined;
  const authors = book.authors.map((name) => authorTerm(nameKey(name)));
  const genres = book.genres.map((name) => genreTerm(nameKey(name)));
  const names = [...authors, ...genres];
  if (!narrowing.every((term) => names.includes(term)) || !hasAuthor(book.authors, authorWords)) return undefined;
  const row: FoundBook = { isCalledSo: CALLED_SO, popularity: book.ratingsCount ?? 0, book_id: book.id, words: '' };
  return {
    partitions: [CALLED_SO],
    partitionOf: () => CALLED_SO,
    positionOf,
    read: (_partitions: readonly number[], { from }: Slice<FoundPosition>) => Promise.resolve(from ? [] : [row]),
  };
}

type FoundList = PartitionedList<FoundBook, FoundPosition>;

/** One reading of a search. */
interface Terms {
  readonly words: readonly string[];
  /** The key of an author's full name. */
  readonly author: string | undefined;
  /** The words of an author's name, if it is not known to be the full one. */
  readonly authorWords: readonly string[];
  readonly genre: string | undefined;
  /** The terms of the author and the genre. */
  readonly narrowing: readonly string[];
}

/** The readings of a search, first that with the full name of the author. */
function readingsOf(search: BookSearch): Terms[] {
  const words = search.query == null ? [] : textArgument('query', search.query, wordsOf);
  const author = search.author == null ? undefined : nameArgument('author', search.author);
  const genre = search.genre == null ? undefined : nameArgument('genre', search.genre);
  const ofGenre = genre === undefined ? [] : [genreTerm(genre)];
  if (author === undefined) return [{ words, author, authorWords: [], genre, narrowing: ofGenre }];
  return [
    { words, author, authorWords: [], genre, narrowing: [authorTerm(author), ...ofGenre] },
    { words, author: undefined, authorWords: wordsOf(search.author ?? ''), genre, narrowing: ofGenre },
  ];
}

const nameOf = ({ words, narrowing, authorWords }: Terms) =>
  [...words, ...narrowing, ...authorWords.map((word) => `@~${word}`)].join(' ');

/** True for a row of a book with an author who has all of the words in their name. */
const isBy = ({ state }: ListedBook, authorWords: readonly string[]) => hasAuthor(state?.authors ?? [], authorWords);

function hasAuthor(authors: readonly string[], authorWords: readonly string[]): boolean {
  if (authorWords.length === 0) return true;
  return authors.some((author) => {
    const words = wordsOf(author);
    return authorWords.every((word) => words.includes(word));
  });
}

function listOf({ cassandra }: RequestContext, terms: Terms): FoundList {
  const { words, author, authorWords, genre, narrowing } = terms;
  const candidates: CandidateList[] =
    author === undefined
      ? prefixesOf([...words, ...authorWords]).map((prefix) => ({
          term: prefix,
          read: (slice) => booksWithWord.read(cassandra, { prefix }, slice),
        }))
      : [{ term: authorTerm(author), read: (slice) => booksOfAuthor.read(cassandra, { author }, slice) }];
  // Rows of a genre do not have the authors' names.
  if (author === undefined && authorWords.length === 0 && genre !== undefined)
    candidates.push({ term: genreTerm(genre), read: (slice) => booksOfGenre.read(cassandra, { genre }, slice) });

  const all = [...words, ...authorWords.map((word) => `${word} `), ...narrowing];
  const compared = candidates.length === 1 ? all.filter((term) => term !== candidates[0]?.term) : all;
  const others = sparsest(candidates);
  const key = titleKey(words);
  const title = key === undefined ? undefined : titleTerm(key);
  const keep = (row: FoundBook) =>
    isBy(row, authorWords) &&
    (row.isCalledSo === CALLED_SO
      ? hasWords(row.words, narrowing)
      : hasWords(row.words, compared) && (title === undefined || !hasWords(row.words, [title])));
  return {
    partitions: title === undefined ? [OTHERS] : [OTHERS, CALLED_SO],
    partitionOf: ({ isCalledSo }: FoundPosition) => isCalledSo,
    positionOf,
    read:
      title === undefined
        ? async (_partitions: readonly number[], slice: Slice<FoundPosition>) => marked(OTHERS, await others(slice))
        : oneBeforeOthers((slice) => booksWithWord.read(cassandra, { prefix: title.trimEnd() }, slice), others),
    filter: { keep, rowsMin: compared.length > 0 ? FILTERED_ROWS_MIN : 0 },
  };
}

type Read = (slice: Slice<BookPosition>) => Promise<ListedBook[]>;

const marked = (isCalledSo: 0 | 1, rows: readonly ListedBook[]): FoundBook[] =>
  rows.map((row) => ({ ...row, isCalledSo }));

/** Reads the books whose title is the query, then the others. The start of both is read at once. */
function oneBeforeOthers(calledSo: Read, others: Read) {
  let ahead: readonly ListedBook[] | undefined;
  return async ([partition]: readonly number[], { descending, from, limit }: Slice<FoundPosition>) => {
    const slice = { descending, from: from && { popularity: from.popularity, book_id: from.book_id }, limit };
    const isBeginning = descending && !from;
    if (partition === CALLED_SO) {
      const [found, behind] = await Promise.all([calledSo(slice), isBeginning ? others(slice) : undefined]);
      ahead = behind;
      return marked(CALLED_SO, found);
    }
    const known = isBeginning ? ahead : undefined;
    return marked(OTHERS, known?.slice(0, limit) ?? (await others(slice)));
  };
}

/** The prefixes of the longest words, which usually have the fewest books. */
function prefixesOf(terms: readonly string[]): string[] {
  const prefixes = terms.map((term) => Array.from(term).slice(0, PREFIX_LENGTH_MAX));
  const longestFirst = prefixes.toSorted((one, other) => other.length - one.length);
  return [...new Set(longestFirst.map((letters) => letters.join('')))].slice(0, LISTS_MAX);
}

/**
 * Reads the list that gets farthest with the same number of rows. Each list has all matching books.
 * The first read in a direction reads all lists.
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
 * True if one page gets farther than another from the same position. A list without further rows
 * gets farthest.
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

/** The key of an author or a genre. */
const nameArgument = (argument: string, text: string): string =>
  textArgument(argument, text, (name) => (wordsOf(name).length > 0 ? [nameKey(name)] : [])).join('');

function textArgument(name: string, text: string, partsOf: (text: string) => string[]): string[] {
  const parts = charactersIn(text) > TEXT_LENGTH_MAX ? [] : partsOf(text);
  if (parts.length === 0)
    throw badUserInput(
      `The argument "${name}" must have letters or digits, and at most ${TEXT_LENGTH_MAX} characters (code points).`,
    );
  return parts;
}
