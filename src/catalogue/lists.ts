import { projectedList, requiredRows, type VersionedTable } from '../aggregates/projected-list.ts';
import type { RowIn } from '../cassandra/ring.ts';
import { bind, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { editionRows } from './editions.ts';
import { recountGenre } from './genres.ts';
import { describe, listingOf, namesIn, rowsIn, wordsIn, type Described, type Listing } from './listing.ts';
import { placesOf } from './orders.ts';
import { spellingsOfWords } from './spelling.ts';
import {
  bookBySource,
  booksByAddition,
  booksByPopularity,
  booksByTitle,
  booksByYear,
  booksInSeries,
  booksOfAuthor,
  booksOfGenre,
  booksWithWord,
  bookStates,
  editionsByIsbn,
  editionsByWork,
  encodeState,
  insertByWord,
  listedState,
  spelledWords,
  type BookState,
} from './tables.ts';

/** The lists that follow from a book: lists by key, lists of all books, and lists of editions. */

interface BookKey {
  readonly bookId: string;
}

/** The data that the rows of a book share. The state in the lists is encoded once. */
type Shared = (Described & { readonly state?: Buffer }) | undefined;

/** Declares the rows of a list that follow from the current and the former listing of a book. */
const listed = <Row>(rowsOf: (bookId: string, listing: Listing) => readonly Row[]) => ({
  rowsOf: ({ bookId }: BookKey, state: BookState) => {
    const listing = listingOf(state);
    return listing ? rowsOf(bookId, listing) : [];
  },
  formerKeysOf: ({ bookId }: BookKey, { former }: BookState) => (former ? rowsOf(bookId, former) : []),
});

/** Returns the keys of the rows of a former listing in a list by name. */
const formerIn = (list: Parameters<typeof namesIn>[0], { bookId }: BookKey, { former }: BookState) =>
  former ? namesIn(list, former).map((name) => ({ name, popularity: former.popularity, book_id: bookId })) : [];

const byAuthor = projectedList(booksOfAuthor, {
  rowsOf: ({ bookId }: BookKey, state: BookState, shared: Shared) =>
    rowsIn('author', bookId, state, shared).map(({ name: author, row }) => ({ ...row, author })),
  formerKeysOf: (key, state) => formerIn('author', key, state).map(({ name: author, ...row }) => ({ ...row, author })),
});

const byGenre = projectedList(booksOfGenre, {
  rowsOf: ({ bookId }: BookKey, state: BookState, shared: Shared) =>
    rowsIn('genre', bookId, state, shared).map(({ name: genre, row }) => ({ ...row, genre })),
  formerKeysOf: (key, state) => formerIn('genre', key, state).map(({ name: genre, ...row }) => ({ ...row, genre })),
  // A genre's books are counted from this list.
  afterRepair: async (app, { genre, book_id }) => {
    const state = await bookStates.read(app.cassandra, { book_id });
    await recountGenre(app, genre, state?.genres ?? []);
  },
});

const byWord = projectedList(booksWithWord, {
  rowsOf: ({ bookId }: BookKey, state: BookState, shared: Shared) => {
    const ofBook = listedState(state);
    return rowsIn('word', bookId, state, shared).map(({ name: prefix, row }) => ({ ...row, prefix, state: ofBook }));
  },
  formerKeysOf: (key, state) => formerIn('word', key, state).map(({ name: prefix, ...row }) => ({ ...row, prefix })),
  insertOf: (row, shared) =>
    shared?.state ? bind(insertByWord, { ...row, state: shared.state }) : bind(booksWithWord.insert, row),
  isWide: true,
});

/**
 * The list of words by spelling. Many books share a word, so a row does not belong to one book, and
 * no row is surplus.
 */
const bySpelling = requiredRows(
  spelledWords,
  listed((_bookId, listing) => spellingsOfWords(wordsIn(listing))),
);

/** Declares a list of books or editions by their current and former listings. */
const listedIn = <Table extends VersionedTable>(
  table: Table,
  rowsOf: (bookId: string, listing: Listing) => readonly RowIn<Table>[],
) => projectedList(table, listed(rowsOf));

const listsOfBooks = [
  listedIn(booksByPopularity, (bookId, listing) => [placesOf(bookId, listing).popularity]),
  listedIn(booksByTitle, (bookId, listing) => [placesOf(bookId, listing).title]),
  listedIn(booksByYear, (bookId, listing) => [placesOf(bookId, listing).year]),
  listedIn(booksByAddition, (bookId, listing) => [placesOf(bookId, listing).addition]),
  listedIn(editionsByWork, (bookId, listing) => editionRows(bookId, listing).work),
  listedIn(editionsByIsbn, (bookId, listing) => editionRows(bookId, listing).isbn),
  listedIn(bookBySource, (bookId, listing) => editionRows(bookId, listing).source),
  listedIn(booksInSeries, (bookId, listing) => editionRows(bookId, listing).series),
  byAuthor,
  byGenre,
  byWord,
];

/** All lists that audits compare. */
export const comparedLists = [...listsOfBooks, bySpelling];

/** Returns the writes that update the lists from the former to the current listing of a book. */
export async function listingWrites(cassandra: Cassandra, bookId: string, state: BookState): Promise<Bound[]> {
  const described = describe(state);
  const shared = described && { ...described, state: await encodeState(cassandra, state) };
  return listsOfBooks.flatMap((list) => list.writes({ bookId }, state, shared));
}
