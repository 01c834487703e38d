import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { inBatches } from '../cassandra/batches.ts';
import { batch, bind, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { insertSpelling, selectWordsBySpelling } from './tables.ts';

/**
 * Finds words that differ by one wrong letter: a letter added, missing or replaced, or two
 * neighbouring letters swapped. Two such words become equal if the right letter of each is left
 * out. Therefore each word of the catalogue is stored under itself, and under itself without each
 * of its letters.
 */

/**
 * The minimum length of a word. In shorter words, a different letter usually makes a different
 * word.
 */
const WORD_LENGTH_MIN = 5;
const WORD_LENGTH_MAX = 20;
/** The maximum number of similar words that replace a word of a search. */
const ALTERNATIVES_MAX = 8;
/**
 * The maximum number of rows read from a partition. No spelling in the sample catalogue has that
 * many rows.
 */
const ROWS_MAX = 200;
/**
 * The number of first letters that name a partition. Spellings with the same first letters share a
 * partition, so that a word needs few writes.
 */
const BEGINNING_LENGTH = 2;
const BATCHES_AT_ONCE = 8;
/**
 * The maximum number of words that this server remembers as written. They need no further write,
 * because no row is ever deleted.
 */
const KNOWN_WORDS_MAX = 50_000;

/** A row of `words_by_spelling`. */
export interface Spelling {
  readonly beginning: string;
  readonly spelling: string;
  readonly word: string;
}

/** True for a word that consists of letters and has a length within the limits. */
const isLong = (word: string, lengthMin: number, lengthMax: number): boolean => {
  const { length } = Array.from(word);
  return length >= lengthMin && length <= lengthMax && !/\p{N}/u.test(word);
};

/** Returns a word, and the word without each of its letters. */
function spellingsOf(word: string): string[] {
  const letters = Array.from(word);
  return [...new Set([word, ...letters.map((_letter, index) => letters.toSpliced(index, 1).join(''))])];
}

const beginningOf = (spelling: string) => Array.from(spelling).slice(0, BEGINNING_LENGTH).join('');

/** Returns the rows that must exist for some words. */
export const spellingsOfWords = (words: Iterable<string>): Spelling[] =>
  [...words]
    .filter((word) => isLong(word, WORD_LENGTH_MIN, WORD_LENGTH_MAX))
    .flatMap((word) => spellingsOf(word).map((spelling) => ({ beginning: beginningOf(spelling), spelling, word })));

const knownWords = perProcess(() => new LRUCache<string, true>({ max: KNOWN_WORDS_MAX }));

/**
 * Writes the rows that find misspelt words.
 * @param words the words of books, in the form in which they are listed
 * @param which `NEW` skips words that this server has written before
 */
export async function writeSpellings(app: AppContext, words: Iterable<string>, which: 'ALL' | 'NEW'): Promise<void> {
  const known = knownWords(app);
  const wanted = [...new Set(words)].filter((word) => which === 'ALL' || !known.has(word));
  const writes = spellingsOfWords(wanted).map((row) => bind(insertSpelling, row));
  await pLimit(BATCHES_AT_ONCE).map([...inBatches(writes, listOf)], (part) => batch(app.cassandra, part));
  for (const word of wanted) known.set(word, true);
}

const listOf = ({ params }: Bound) => String(params['beginning']);

/**
 * Returns the words of the catalogue that differ by one letter from a typed word, most similar
 * first.
 */
export async function wordsLike(cassandra: Cassandra, typed: string): Promise<string[]> {
  // A typed word may be one letter longer or shorter than the words of the index.
  if (!isLong(typed, WORD_LENGTH_MIN - 1, WORD_LENGTH_MAX + 1)) return [];
  const parts = [...Map.groupBy(spellingsOf(typed), beginningOf)];
  const found = await Promise.all(
    parts.map(([beginning, spellings]) =>
      rows(cassandra, selectWordsBySpelling, { beginning, spellings, rows_max: ROWS_MAX }),
    ),
  );
  const words = [...new Set(found.flat().map(({ word }) => word))].filter((word) => isOneAway(typed, word));
  return words.toSorted((one, other) => unlikeness(typed, one) - unlikeness(typed, other)).slice(0, ALTERNATIVES_MAX);
}

/** Ranks words with the same first letter higher, because people rarely mistype it. */
const unlikeness = (typed: string, word: string) =>
  2 * Number(!word.startsWith(typed.charAt(0))) + Number(typed.length !== word.length);

/** True if one letter was added, left out or replaced, or two neighbours were swapped. */
export function isOneAway(one: string, other: string): boolean {
  const [from, to] = [Array.from(one), Array.from(other)];
  while (from.length > 0 && to.length > 0 && from[0] === to[0]) [from, to].forEach((letters) => letters.shift());
  while (from.length > 0 && to.length > 0 && from.at(-1) === to.at(-1)) [from, to].forEach((letters) => letters.pop());
  if (Math.max(from.length, to.length) === 1) return true;
  return from.length === 2 && to.length === 2 && from[0] === to[1] && from[1] === to[0];
}
