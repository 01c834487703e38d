import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { wordsOf } from '../text/folding.ts';
import { isMade } from './book.ts';
import { authorTerm, hasWords, nameKey, titleKey, titleTerm, withoutRemark } from './listing.ts';
import { bookBySource, booksWithWord, editionsByIsbn, selectBooks } from './tables.ts';

/** Finds the book that a line of somebody's list is about. Nothing is guessed. */

/** The part of a line by which its book is found. */
export interface ToldBook {
  readonly sourceIds: readonly string[];
  readonly isbns: readonly string[];
  readonly title: string;
  readonly authors: readonly string[];
}

/** The maximum number of books that are considered, and offered to a reader. */
export const CANDIDATES_MAX = 10;

/**
 * Finds the books that a line may be about: by an id elsewhere, or else by the ISBN of any edition,
 * or else by title and author, as the search compares them. A single one is the book; if there are
 * several, or a title without an author, the reader has to say which one.
 */
export async function booksTold(
  app: AppContext,
  told: ToldBook,
): Promise<{ bookId: string; candidates?: never } | { bookId?: never; candidates: string[] }> {
  const byNumber = (await withSourceIds(app, told)) ?? (await withIsbns(app, told));
  const found = byNumber ?? (await withTitle(app, told));
  const [only] = found;
  const isCertain = byNumber !== undefined || told.authors.length > 0;
  return only !== undefined && found.length === 1 && isCertain ? { bookId: only } : { candidates: found };
}

const firstRows = { descending: false, from: undefined, limit: CANDIDATES_MAX };

/** Returns the ids, each once; `undefined` if there are none. */
const distinct = (ids: readonly string[]): string[] | undefined => (ids.length > 0 ? [...new Set(ids)] : undefined);

async function withSourceIds({ cassandra }: AppContext, { sourceIds }: ToldBook): Promise<string[] | undefined> {
  const found = await Promise.all(sourceIds.map((source_id) => bookBySource.read(cassandra, { source_id }, firstRows)));
  return distinct(found.flat().map(({ book_id }) => book_id));
}

async function withIsbns({ cassandra }: AppContext, { isbns }: ToldBook): Promise<string[] | undefined> {
  if (isbns.length === 0) return undefined;
  const own = await rows(cassandra, selectBooks, { book_ids: [...isbns] });
  const listed = own.filter(({ state }) => isMade(state) && !state.removed_at).map(({ book_id }) => book_id);
  if (listed.length > 0) return distinct(listed);

  const others = await Promise.all(isbns.map((isbn) => editionsByIsbn.read(cassandra, { isbn }, firstRows)));
  return distinct(others.flat().map(({ book_id }) => book_id));
}

async function withTitle({ cassandra }: AppContext, { title, authors }: ToldBook): Promise<string[]> {
  const keys = [title, withoutRemark(title)].map((each) => titleKey(wordsOf(each)));
  const prefixes = [...new Set(keys.filter((key) => key !== undefined))].map((key) => titleTerm(key).trimEnd());
  const found = await Promise.all(
    prefixes.map((prefix) => booksWithWord.read(cassandra, { prefix }, { ...firstRows, descending: true })),
  );
  const terms = authors.map((name) => authorTerm(nameKey(name)));
  const isBy = (words: string) => terms.length === 0 || terms.some((term) => hasWords(words, [term]));
  return [...new Set(found.flat().flatMap(({ book_id, words }) => (isBy(words) ? book_id : [])))];
}
