import { bind, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { wordsOf } from '../text/text.ts';
import { booksOfAuthor, deleteByWord, encodeState, insertByWord, type BookState } from './tables.ts';

/** Under what a book is listed: its authors, and the beginnings of the words of its title and authors. */

/** Longer beginnings are not kept. */
export const PREFIX_LENGTH_MAX = 12;

/** What the lists know of a book. */
type Listing = NonNullable<BookState['former']>;

/** What a book is listed under; `null` when it is not. */
export const listingOf = ({ title, authors, ratings_count, removed_at }: BookState): Listing | null =>
  title === '' || removed_at ? null : { title, authors, popularity: ratings_count ?? 0 };

/** An author as they are looked up: `J.K. Rowling`, `J. K. Rowling` and `jk rowling` are one. */
export const authorKey = (name: string): string => wordsOf(name).join('');

/** The words of a book. Initials are also one word: `J.K. Rowling` is found by `j k` and by `jk`. */
function wordsIn({ title, authors }: Listing): Set<string> {
  const found = new Set(wordsOf(title));
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

/** The rows of a book in the lists, by their key. */
function rowsOf(bookId: string, listing: Listing | null): Map<string, { list: 'author' | 'word'; name: string }> {
  const rows = new Map<string, { list: 'author' | 'word'; name: string }>();
  if (!listing) return rows;
  const key = (list: string, name: string) => `${list} ${listing.popularity} ${bookId} ${name}`;
  for (const author of listing.authors) {
    const name = authorKey(author);
    if (name !== '') rows.set(key('author', name), { list: 'author', name });
  }
  for (const name of prefixesOf(wordsIn(listing))) rows.set(key('word', name), { list: 'word', name });
  return rows;
}

/** The writes that bring the lists from what a book was listed under before to what it is listed under now. */
export async function listingWrites(cassandra: Cassandra, bookId: string, state: BookState): Promise<Bound[]> {
  const version = BigInt(state.version);
  const now = listingOf(state);
  const [before, after] = [rowsOf(bookId, state.former), rowsOf(bookId, now)];
  const writes: Bound[] = [];
  for (const [key, { list, name }] of before) {
    if (after.has(key) || !state.former) continue;
    const row = { popularity: state.former.popularity, book_id: bookId, version };
    writes.push(list === 'author' ? bind(booksOfAuthor.delete, { ...row, author: name }) : bind(deleteByWord, { ...row, prefix: name })); // prettier-ignore
  }
  if (!now) return writes;
  const words = ` ${[...wordsIn(now)].join(' ')} `;
  const listed = await encodeState(cassandra, { ...state, former: null });
  for (const { list, name } of after.values()) {
    const row = { popularity: now.popularity, book_id: bookId, words, version };
    writes.push(list === 'author' ? bind(booksOfAuthor.insert, { ...row, author: name }) : bind(insertByWord, { ...row, prefix: name, state: listed })); // prettier-ignore
  }
  return writes;
}
