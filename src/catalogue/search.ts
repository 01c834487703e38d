import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { wordsOf } from '../text/folding.ts';
import { charactersIn } from '../text/text.ts';
import { authorTerm, genreTerm, hasWords, nameKey, PREFIX_LENGTH_MAX } from './listing.ts';
import { booksOfAuthor, booksOfGenre, booksWithWord, type BookState } from './tables.ts';
import { bookOf } from './book.ts';
import { bookLoader } from './loaders.ts';
import { FILTERED_ROWS_MIN, ONE_PARTITION, type Slice } from '../cassandra/paging.ts';

const TEXT_LENGTH_MAX = 200;
/** Of so many words the lists are looked at. */
const LISTS_MAX = 4;
/** What to look for. */
export interface BookSearch {
  readonly query?: string | null | undefined;
  readonly author?: string | null | undefined;
  readonly genre?: string | null | undefined;
}

/** A page of books. */
export type BookConnection = Connection<{ cursor: Cursor; bookId: string }>;

interface BookPosition {
  readonly popularity: number;
  readonly book_id: string;
}

/** A row of a list. */
interface ListedBook extends BookPosition {
  readonly words: string;
  /** The book itself; the lists of authors and genres have not got it. */
  readonly state?: BookState;
}

/** A list in which every book is that is looked for. */
interface CandidateList {
  /** What every row of it has, as {@link hasWords} takes it. */
  readonly term: string;
  readonly read: (slice: Slice<BookPosition>) => Promise<ListedBook[]>;
}

/**
 * A page of the books whose title or authors have words that begin so, that an author wrote, or that are of a genre; most
 * popular first. It is one partition: that of the author; else, of the genre and the words, that of the one whose books lie
 * farthest apart. What else is asked for is compared row by row.
 * @throws `BAD_USER_INPUT` when nothing is asked for, or the paging arguments cannot be used
 */
export async function booksLike(
  context: RequestContext,
  search: BookSearch,
  page: PageArguments,
): Promise<BookConnection> {
  const { cassandra } = context;
  if (search.query == null && search.author == null && search.genre == null)
    throw badUserInput('Give at least one of the arguments "query", "author" and "genre".');
  const words = search.query == null ? [] : textArgument('query', search.query, wordsOf);
  const author = search.author == null ? undefined : nameArgument('author', search.author);
  const genre = search.genre == null ? undefined : nameArgument('genre', search.genre);

  const candidates: CandidateList[] =
    author === undefined
      ? prefixesOf(words).map((prefix) => ({
          term: prefix,
          read: (slice) => booksWithWord.read(cassandra, { prefix }, slice),
        }))
      : [{ term: authorTerm(author), read: (slice) => booksOfAuthor.read(cassandra, { author }, slice) }];
  if (author === undefined && genre !== undefined)
    candidates.push({ term: genreTerm(genre), read: (slice) => booksOfGenre.read(cassandra, { genre }, slice) });

  const terms = [...words];
  if (author !== undefined) terms.push(authorTerm(author));
  if (genre !== undefined) terms.push(genreTerm(genre));
  const compared = candidates.length === 1 ? terms.filter((term) => term !== candidates[0]?.term) : terms;

  const list = {
    ...ONE_PARTITION,
    name: `books ${terms.join(' ')}`,
    descending: true,
    cursor: booksWithWord.cursor,
    positionOf: booksWithWord.positionOf,
    read: sparsest(candidates),
    filter:
      compared.length > 0
        ? { keep: (row: ListedBook) => hasWords(row.words, compared), rowsMin: FILTERED_ROWS_MIN }
        : undefined,
  };
  return connection(page, list, ({ book_id, state }, cursor) => {
    if (state) bookLoader(context).prime(book_id, bookOf(book_id, state));
    return { cursor, bookId: book_id };
  });
}

/** The lists of the longest words, which have the fewest books as a rule. */
function prefixesOf(terms: readonly string[]): string[] {
  const prefixes = terms.map((term) => Array.from(term).slice(0, PREFIX_LENGTH_MAX));
  const longestFirst = prefixes.toSorted((one, other) => other.length - one.length);
  return [...new Set(longestFirst.map((letters) => letters.join('')))].slice(0, LISTS_MAX);
}

/**
 * Reads that of several lists which comes farthest with as many rows; each of them has every book that is wanted. The first
 * read in a direction is of all of them.
 */
function sparsest(
  lists: readonly CandidateList[],
): (partitions: readonly number[], slice: Slice<BookPosition>) => Promise<ListedBook[]> {
  const candidates = new Map<boolean, readonly CandidateList[]>();
  return async (_partitions, slice) => {
    const [first, ...others] = await Promise.all(
      (candidates.get(slice.descending) ?? lists).map(async (list) => ({ list, page: await list.read(slice) })),
    );
    if (!first) throw new Error('A search has no list');
    const farthest = others.reduce((best, each) => (isFarther(each.page, best.page, slice) ? each : best), first);
    candidates.set(slice.descending, [farthest.list]);
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

/** The key of an author or a genre. */
const nameArgument = (argument: string, text: string): string =>
  textArgument(argument, text, (name) => [nameKey(name)].filter((key) => key !== '')).join('');

function textArgument(name: string, text: string, partsOf: (text: string) => string[]): string[] {
  const parts = charactersIn(text) > TEXT_LENGTH_MAX ? [] : partsOf(text);
  if (parts.length === 0)
    throw badUserInput(`The argument "${name}" must have letters or digits, and at most ${TEXT_LENGTH_MAX} characters (code points).`); // prettier-ignore
  return parts;
}
