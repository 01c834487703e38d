import { bind, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { wordsBehindApostrophes, wordsOf } from '../text/folding.ts';
import { booksOfAuthor, booksOfGenre, deleteByWord, encodeState, insertByWord, type BookState } from './tables.ts';

/** Under what a book is listed: its authors, its genres, and the beginnings of the words of its title and authors. */

/** Longer beginnings are not kept. */
export const PREFIX_LENGTH_MAX = 12;

/** What the lists know of a book. */
type Listing = NonNullable<BookState['former']>;

/** What a book is listed under; `null` when it is not. */
export const listingOf = ({ title, authors, genres, ratings_count, removed_at }: BookState): Listing | null =>
  title === '' || removed_at ? null : { title, authors, genres, popularity: ratings_count ?? 0 };

/** An author or a genre as they are looked up: `J.K. Rowling`, `J. K. Rowling` and `jk rowling` are one. */
export const nameKey = (name: string): string => wordsOf(name).join('');

/** What says in the words of a book that it is of an author, or of a genre. No word of a title has such signs. */
export const authorTerm = (key: string): string => `@${key} `;
export const genreTerm = (key: string): string => `#${key} `;

/**
 * The words of a book. Initials are also one word: `J.K. Rowling` is found by `j k` and by `jk`. What stands behind an
 * apostrophe is one as well: `D'Artagnan` is found by `dartagnan` and by `artagnan`.
 */
function wordsIn({ title, authors }: Listing): Set<string> {
  const found = new Set([...wordsOf(title), ...[title, ...authors].flatMap(wordsBehindApostrophes)]);
  for (const author of authors) {
    let initials = '';
    for (const word of wordsOf(author)) {
      found.add(word);
      initials = word.length === 1 ? initials + word : '';
      if (initials !== '') found.add(initials);
    }
  }
  return found;
}

function* prefixesOf(words: Iterable<string>): Generator<string> {
  for (const word of words) {
    const letters = Array.from(word);
    for (let length = 1; length <= Math.min(letters.length, PREFIX_LENGTH_MAX); length++)
      yield letters.slice(0, length).join('');
  }
}

/** Whether each term is the beginning of a word. */
export const hasWords = (words: string, terms: readonly string[]): boolean =>
  terms.every((term) => words.includes(` ${term}`));

/** All that a list's row says of what its book has: words, authors and genres. */
const textOf = (listing: Listing): string =>
  [
    ' ',
    ...[...wordsIn(listing)].map((word) => `${word} `),
    ...listing.authors.map((name) => authorTerm(nameKey(name))),
    ...listing.genres.map((name) => genreTerm(nameKey(name))),
  ].join('');

/** A row of a book in one of the lists. */
interface ListedUnder {
  readonly list: 'author' | 'genre' | 'word';
  readonly name: string;
}

/** The rows of a book in the lists, by their key. */
function rowsOf(bookId: string, listing: Listing | null): Map<string, ListedUnder> {
  if (!listing) return new Map();
  const named = (list: 'author' | 'genre', names: readonly string[]) =>
    names.map((name) => ({ list, name: nameKey(name) })).filter(({ name }) => name !== '');
  const rows: ListedUnder[] = [
    ...named('author', listing.authors),
    ...named('genre', listing.genres),
    ...[...prefixesOf(wordsIn(listing))].map((name) => ({ list: 'word' as const, name })),
  ];
  return new Map(rows.map((row) => [`${row.list} ${listing.popularity} ${bookId} ${row.name}`, row]));
}

/** Where a book is in the lists, and what its rows say. */
export function listedUnder(bookId: string, state: BookState) {
  const listing = listingOf(state);
  const names = { author: [] as string[], genre: [] as string[], word: [] as string[] };
  if (!listing) return undefined;
  for (const { list, name } of rowsOf(bookId, listing).values()) names[list].push(name);
  return { names, row: { popularity: listing.popularity, book_id: bookId, words: textOf(listing) } };
}

/** The writes that bring the lists from what a book was listed under before to what it is listed under now. */
export async function listingWrites(cassandra: Cassandra, bookId: string, state: BookState): Promise<Bound[]> {
  const version = BigInt(state.version);
  const now = listingOf(state);
  const [before, after] = [rowsOf(bookId, state.former), rowsOf(bookId, now)];
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, row]) => row);
  const writes = gone.map((row) =>
    deletionFrom(row, { popularity: state.former?.popularity ?? 0, book_id: bookId, version }),
  );
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

/** The genres that a book came into or left by its newest change. */
export function genresChanged(state: BookState): string[] {
  const [before, now] = [state.former?.genres ?? [], listingOf(state)?.genres ?? []];
  const keysOf = (names: readonly string[]) => new Set(names.map(nameKey));
  const [keysBefore, keysNow] = [keysOf(before), keysOf(now)];
  return [
    ...now.filter((name) => !keysBefore.has(nameKey(name))),
    ...before.filter((name) => !keysNow.has(nameKey(name))),
  ];
}
