import { wordsOf } from '../text/folding.ts';
import type { Book } from './book.ts';
import type { BookReference } from './book-references.ts';
import { titleKeysIn, possibleTitleKeys } from './listing.ts';
import { nameKey } from './name-key.ts';

/** Compares the title and authors of a reference with the book that its id or ISBN names. */

/**
 * The part of a reference that agrees with a book. A reference without a title agrees with every
 * book.
 */
export type Support = 'TITLE' | 'AUTHOR';

/**
 * Compares a reference with a book.
 * @returns `undefined` if neither the title nor an author is the same
 */
export function supportOf(reference: Pick<BookReference, 'title' | 'authors'>, book: Book): Support | undefined {
  if (reference.title === '') return 'TITLE';
  const titles = book.originalTitle === null ? [book.title] : [book.title, book.originalTitle];
  if (isAnySame(possibleTitleKeys(reference.title), titleKeysIn(titles))) return 'TITLE';

  // `Emma` and `Emma: A Modern Retelling` are books of two authors.
  if (reference.authors.length === 0) return isSameMainTitle(reference.title, titles) ? 'TITLE' : undefined;
  const authors = namesOf(book.authors);
  const isAuthor = namesOf(reference.authors).some((name) => authors.some((author) => isSameName(name, author)));
  return isAuthor ? 'AUTHOR' : undefined;
}

const isAnySame = (keys: readonly string[], others: readonly string[]): boolean =>
  keys.some((key) => others.includes(key));

/** Compares titles without their subtitles. At least one of the titles must have a subtitle. */
function isSameMainTitle(title: string, titles: readonly string[]): boolean {
  const [main, others] = [mainTitle(title), titles.map(mainTitle)];
  const isOther = main !== title || others.some((other) => !titles.includes(other));
  return isOther && isAnySame(possibleTitleKeys(main), titleKeysIn(others));
}

/** The title without a subtitle. */
const mainTitle = (title: string): string => title.split(/[:;]|\s[-–—]\s|,\s+or,?\s/iu, 1)[0] ?? title;

/**
 * The limits of the compared parts of names. Real names are shorter; the limits are against
 * attacks.
 */
const NAMES_MAX = 10;
const NAME_UNITS_MAX = 60;
const NAME_WORDS_MAX = 10;

/** A name in the form in which names are compared. */
interface Name {
  readonly key: string;
  readonly words: readonly string[];
}

const namesOf = (names: readonly string[]): Name[] =>
  names.slice(0, NAMES_MAX).map((name) => {
    const beginning = name.slice(0, NAME_UNITS_MAX);
    return { key: nameKey(beginning), words: wordsOf(beginning).slice(0, NAME_WORDS_MAX) };
  });

/**
 * True if two names may be of one person: `J.K. Rowling` and `J. K. Rowling`, `Brown, Dan` and
 * `Dan Brown`, `N. Sparks` and `Nicholas Sparks`, `Kurt Vonnegut` and `Kurt Vonnegut Jr.`
 */
function isSameName(one: Name, other: Name): boolean {
  if (one.key === other.key) return one.key !== '';
  const [shorter, longer] =
    one.words.length <= other.words.length ? [one.words, other.words] : [other.words, one.words];
  const left = [...longer];
  let areWhole = 0;
  for (const word of shorter.toSorted((first, second) => second.length - first.length)) {
    const same = left.indexOf(word);
    const place = same >= 0 ? same : left.findIndex((each) => isInitialOf(word, each) || isInitialOf(each, word));
    if (place < 0) return false;
    left.splice(place, 1);
    if (same >= 0 && word.length > 1) areWhole++;
  }
  return areWhole > 0;
}

const isInitialOf = (initial: string, word: string): boolean => initial.length === 1 && word.startsWith(initial);
