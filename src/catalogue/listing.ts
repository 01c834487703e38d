import { wordsBehindApostrophes, wordsOf } from '../text/folding.ts';
import { beginningOf } from '../text/text.ts';
import { nameKey } from './name-key.ts';
import { seriesOf } from './series-names.ts';
import { otherFormsOf, withAnd } from './word-forms.ts';
import type { BookState } from './tables.ts';

/**
 * The keys of a book in the lists: authors, genres, titles, and the prefixes of the words of titles
 * and authors.
 */

/** The maximum length of a listed prefix, in characters. */
export const PREFIX_LENGTH_MAX = 12;

/** The fields of a book that determine its places in the lists. */
export type Listing = NonNullable<BookState['former']>;

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
  series,
}: BookState): Listing | null => {
  if (title === '' || removed_at) return null;

  const popularity = ratings_count ?? 0;
  const references = { work_id, source_ids, other_isbns, series: seriesOf({ title, series }) };
  return { title, original_title, authors, genres, popularity, published_year, added_at, ...references };
};

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
/**
 * The maximum length of the part of a title that its key is made from, in code points. Half of it
 * may be characters other than letters.
 */
const TITLE_READ_MAX = 2 * TITLE_KEY_LENGTH_MAX;

/** Returns the key of a whole title from its words; `undefined` if it has no words. */
export function titleKey(words: readonly string[]): string | undefined {
  const key = words.join('');
  return key === '' ? undefined : Array.from(key).slice(0, TITLE_KEY_LENGTH_MAX).join('');
}

/**
 * A remark at the end of a title: `The Hunger Games (The Hunger Games, #1)` is also called `The
 * Hunger Games`.
 */
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
 * Returns the keys that a book with a given title may be listed under. Some titles have `&` instead
 * of `and`, and `&` is not a word.
 */
export const possibleTitleKeys = (title: string): string[] =>
  titleKeysIn([title, title.replaceAll('&', ' and '), title.replaceAll(/\band\b/gi, '&')]);

/** The keys of all titles of a book. */
export const titleKeysOf = (listing: Listing): string[] => {
  const titles = titlesOf(listing);
  return titleKeysIn([...titles, ...titles.map(withAnd)]);
};

/**
 * Returns the words of a book. Initials also form one word: `J.K. Rowling` is found by `j k` and by
 * `jk`. The part behind an apostrophe is a word as well: `D'Artagnan` is found by `dartagnan` and
 * by `artagnan`. The {@link otherFormsOf} titles and names are included.
 */
export function wordsIn(listing: Pick<Listing, 'title' | 'original_title' | 'authors'>): ReadonlySet<string> {
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

/**
 * Returns the text that each row of a book contains for comparison: words, titles, authors and
 * genres.
 */
const textOf = (listing: Listing, words: ReadonlySet<string>): string =>
  [
    ' ',
    ...[...words].map((word) => `${word} `),
    ...titleKeysOf(listing).map(titleTerm),
    ...listing.authors.map((name) => authorTerm(nameKey(name))),
    ...listing.genres.map((name) => genreTerm(nameKey(name))),
  ].join('');

/** A list of books by their authors, their genres, or the prefixes of their words. */
type ListByName = 'author' | 'genre' | 'word';

/** Returns the names that a book is listed under in a list. */
export function namesIn(list: ListByName, listing: Listing, words = wordsIn(listing)): string[] {
  if (list === 'word') return [...new Set([...prefixesOf(words), ...titleKeysOf(listing).map(titlePrefix)])];
  const names = list === 'author' ? listing.authors : listing.genres;
  return [...new Set(names.map(nameKey))].filter((name) => name !== '');
}

/** The text in all rows of a book, and its words. Making it takes some time. */
export interface Described {
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

/** Describes a book; `undefined` if it is not listed. */
export function describe(state: BookState): Described | undefined {
  const listing = listingOf(state);
  if (!listing) return undefined;
  const words = wordsIn(listing);
  return { words, text: textOf(listing, words) };
}

/** Returns the rows of a book in a list, each with its name there. */
export function rowsIn(list: ListByName, bookId: string, state: BookState, described = describe(state)) {
  const listing = listingOf(state);
  if (!listing || !described) return [];
  const row = { popularity: listing.popularity, book_id: bookId, words: described.text };
  return namesIn(list, listing, described.words).map((name) => ({ name, row }));
}

/** Returns the genres that the latest change of a book added or removed. */
export function genresChanged(state: BookState): string[] {
  const [before, now] = [state.former?.genres ?? [], listingOf(state)?.genres ?? []];
  const keysOf = (names: readonly string[]) => new Set(names.map(nameKey));
  const [keysBefore, keysNow] = [keysOf(before), keysOf(now)];
  return [
    ...now.filter((name) => !keysBefore.has(nameKey(name))),
    ...before.filter((name) => !keysNow.has(nameKey(name))),
  ];
}
