import { bind, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { folded, wordsBehindApostrophes, wordsOf } from '../text/folding.ts';
import { beginningOf } from '../text/text.ts';
import { editionWrites } from './editions.ts';
import { orderWrites } from './orders.ts';
import { otherFormsOf, withAnd } from './word-forms.ts';
import { booksOfAuthor, booksOfGenre, deleteByWord, encodeState, insertByWord, type BookState } from './tables.ts';

/**
 * The keys of a book in the lists: authors, genres, titles, and the prefixes of the words of titles
 * and authors.
 */

/** The longest prefix that is listed, in characters. */
export const PREFIX_LENGTH_MAX = 12;

/** The fields of a book that decide its place in the lists. */
type Listing = NonNullable<BookState['former']>;

/** The listing of a book; `null` if it is not listed. */
export const listingOf = ({
  title,
  original_title,
  authors,
  genres,
  ratings_count,
  published_year,
  added_at,
  removed_at,
  work_id,
  source_ids,
  other_isbns,
}: BookState): Listing | null => {
  if (title === '' || removed_at) return null;

  const popularity = ratings_count ?? 0;
  const references = { work_id, source_ids, other_isbns };
  return { title, original_title, authors, genres, popularity, published_year, added_at, ...references };
};

/**
 * Spaces, and punctuation that only separates or marks words. Other characters are part of a name:
 * C, C++ and C# differ. So is a dot in front of a word, as in .NET.
 */
const BETWEEN_WORDS =
  /[\s\p{Z}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc},;:'"·‧•・、。]|(?<=[\p{L}\p{N}\p{M}\p{P}])\.|\.(?!\p{L})/gu;

/**
 * The key of an author or genre: `J.K. Rowling`, `J. K. Rowling` and `jk rowling` have the same
 * one. A name of nothing but such punctuation is its own key.
 */
export function nameKey(name: string): string {
  const text = folded(name);
  return text.replace(BETWEEN_WORDS, '') || text.replace(/[\s\p{Z}]/gu, '');
}

/**
 * The term of an author or a genre among the words of a book. No word of a title has such
 * characters.
 */
export const authorTerm = (key: string): string => `@${key} `;
export const genreTerm = (key: string): string => `#${key} `;
/** The key of the list of books with a title. */
export const titlePrefix = (key: string): string => `=${key}`;
/** The term of a whole title among the words of a book. */
export const titleTerm = (key: string): string => `${titlePrefix(key)} `;

const TITLE_KEY_LENGTH_MAX = 100;
/** The part of a title that is read for its key, in code points: half of it may be no letters. */
const TITLE_READ_MAX = 2 * TITLE_KEY_LENGTH_MAX;

/** The key of a whole title, made of its words; `undefined` if it has none. */
export function titleKey(words: readonly string[]): string | undefined {
  const key = words.join('');
  return key === '' ? undefined : Array.from(key).slice(0, TITLE_KEY_LENGTH_MAX).join('');
}

/** `The Hunger Games (The Hunger Games, #1)` is also called `The Hunger Games`. */
const REMARK = /(?<!\s)\s*[([][^()[\]]*[)\]]\s*$/u;

/** The title without a remark in parentheses at its end. */
const withoutRemark = (title: string): string => title.replace(REMARK, '');

const titlesOf = ({ title, original_title }: Pick<Listing, 'title' | 'original_title'>): string[] =>
  original_title === null ? [title] : [title, original_title];

/** The keys of titles, with and without a remark. */
export function titleKeysIn(titles: readonly string[]): string[] {
  const read = titles
    .flatMap((title) => [title, withoutRemark(title)])
    .map((title) => beginningOf(title, TITLE_READ_MAX));
  const keys = [...new Set(read)].map((title) => titleKey(wordsOf(title)));
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/**
 * The keys under which a book with a title that somebody tells may be listed. Some write `&` for
 * `and`, and `&` is no word.
 */
export const titleKeysTold = (title: string): string[] =>
  titleKeysIn([title, title.replaceAll('&', ' and '), title.replaceAll(/\band\b/gi, '&')]);

/** The keys of all titles of a book. */
export const titleKeysOf = (listing: Listing): string[] => {
  const titles = titlesOf(listing);
  return titleKeysIn([...titles, ...titles.map(withAnd)]);
};

/**
 * The words of a book. Initials also make one word: `J.K. Rowling` is found by `j k` and by `jk`.
 * The part behind an apostrophe is a word as well: `D'Artagnan` is found by `dartagnan` and by
 * `artagnan`. So are the {@link otherFormsOf} titles and names.
 */
export function wordsIn(listing: Pick<Listing, 'title' | 'original_title' | 'authors'>): Set<string> {
  const titles = titlesOf(listing);
  const found = new Set([
    ...titles.flatMap(wordsOf),
    ...[...titles, ...listing.authors].flatMap(wordsBehindApostrophes),
  ]);
  for (const author of listing.authors) {
    let initials = '';
    for (const word of wordsOf(author)) {
      found.add(word);
      initials = word.length === 1 ? initials + word : '';
      if (initials !== '') found.add(initials);
    }
  }
  for (const text of [...titles.map(withoutRemark), ...listing.authors])
    for (const word of otherFormsOf(text)) found.add(word);
  return found;
}

function* prefixesOf(words: Iterable<string>): Generator<string> {
  for (const word of words) {
    const letters = Array.from(word);
    for (let length = 1; length <= Math.min(letters.length, PREFIX_LENGTH_MAX); length++)
      yield letters.slice(0, length).join('');
  }
}

/** True if each term is the prefix of a word. */
export const hasWords = (words: string, terms: readonly string[]): boolean =>
  terms.every((term) => words.includes(` ${term}`));

/** The text that each row of a book has for comparison: words, titles, authors and genres. */
const textOf = (listing: Listing): string =>
  [
    ' ',
    ...[...wordsIn(listing)].map((word) => `${word} `),
    ...titleKeysOf(listing).map(titleTerm),
    ...listing.authors.map((name) => authorTerm(nameKey(name))),
    ...listing.genres.map((name) => genreTerm(nameKey(name))),
  ].join('');

/** A row of a book in one of the lists by key. */
interface ListedUnder {
  readonly list: 'author' | 'genre' | 'word';
  /** The key within the list. */
  readonly name: string;
}

/** The rows of a book in the lists, by key. */
function rowsOf(bookId: string, listing: Listing | null): Map<string, ListedUnder> {
  if (!listing) return new Map();
  const named = (list: 'author' | 'genre', names: readonly string[]) =>
    names.map((name) => ({ list, name: nameKey(name) })).filter(({ name }) => name !== '');
  const rows: ListedUnder[] = [
    ...named('author', listing.authors),
    ...named('genre', listing.genres),
    ...[...prefixesOf(wordsIn(listing))].map((name) => ({ list: 'word' as const, name })),
    ...titleKeysOf(listing).map((key) => ({ list: 'word' as const, name: titlePrefix(key) })),
  ];
  return new Map(rows.map((row) => [`${row.list} ${listing.popularity} ${bookId} ${row.name}`, row]));
}

/** The rows of a book in one of the lists, each with its key within the list. */
export function rowsIn(list: ListedUnder['list'], bookId: string, state: BookState) {
  const listing = listingOf(state);
  if (!listing) return [];
  const row = { popularity: listing.popularity, book_id: bookId, words: textOf(listing) };
  const listed = [...rowsOf(bookId, listing).values()].filter((each) => each.list === list);
  return listed.map(({ name }) => ({ name, row }));
}

/** The writes that take the lists from the former to the current listing of a book. */
export async function listingWrites(cassandra: Cassandra, bookId: string, state: BookState): Promise<Bound[]> {
  const version = BigInt(state.version);
  const now = listingOf(state);
  const [before, after] = [rowsOf(bookId, state.former), rowsOf(bookId, now)];
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, row]) => row);
  const writes = gone.map((row) =>
    deletionFrom(row, { popularity: state.former?.popularity ?? 0, book_id: bookId, version }),
  );
  writes.push(...orderWrites(bookId, state.former, now, version));
  writes.push(...editionWrites(bookId, state.former, now, version));
  if (!now) return writes;

  const row = { popularity: now.popularity, book_id: bookId, words: textOf(now), version };
  const listed = await encodeState(cassandra, state);
  return [...writes, ...[...after.values()].map((under) => insertionInto(under, row, listed))];
}

interface Position {
  readonly popularity: number;
  readonly book_id: string;
  readonly version: bigint;
}

function deletionFrom({ list, name }: ListedUnder, row: Position): Bound {
  if (list === 'author') return bind(booksOfAuthor.delete, { ...row, author: name });
  if (list === 'genre') return bind(booksOfGenre.delete, { ...row, genre: name });
  return bind(deleteByWord, { ...row, prefix: name });
}

function insertionInto({ list, name }: ListedUnder, row: Position & { readonly words: string }, state: Buffer): Bound {
  if (list === 'author') return bind(booksOfAuthor.insert, { ...row, author: name });
  if (list === 'genre') return bind(booksOfGenre.insert, { ...row, genre: name });
  return bind(insertByWord, { ...row, prefix: name, state });
}

/** The genres that a book entered or left by its last change. */
export function genresChanged(state: BookState): string[] {
  const [before, now] = [state.former?.genres ?? [], listingOf(state)?.genres ?? []];
  const keysOf = (names: readonly string[]) => new Set(names.map(nameKey));
  const [keysBefore, keysNow] = [keysOf(before), keysOf(now)];
  return [
    ...now.filter((name) => !keysBefore.has(nameKey(name))),
    ...before.filter((name) => !keysNow.has(nameKey(name))),
  ];
}
