import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit, type ProjectedList } from '../audit/projection.ts';
import { rows } from '../cassandra/statement.ts';
import { books } from './aggregate.ts';
import { editionRows } from './editions.ts';
import { recountGenre } from './genres.ts';
import { listingOf, rowsIn, wordsIn } from './listing.ts';
import { placesOf } from './orders.ts';
import { spellingsOfWords } from './spelling.ts';
import {
  rowsOfAdditions,
  rowsOfAuthors,
  rowsOfEditions,
  rowsOfGenres,
  rowsOfIsbns,
  rowsOfPopularity,
  rowsOfSources,
  rowsOfSpellings,
  rowsOfTitles,
  rowsOfWords,
  rowsOfYears,
  scanBooks,
  selectBooks,
  listedState,
  type BookState,
} from './tables.ts';

/** Audits the lists of books. */

/** A list of books, by book id. */
type List = ProjectedList<string, BookState, undefined>;

const keyOf = ({ book_id }: { readonly book_id: string }): string => book_id;

const byAuthor: List = projectedList({
  rows: rowsOfAuthors,
  rowsOf: (bookId, state) => rowsIn('author', bookId, state).map(({ name: author, row }) => ({ ...row, author })),
  keyOf,
});

const byGenre: List = projectedList({
  rows: rowsOfGenres,
  rowsOf: (bookId, state) => rowsIn('genre', bookId, state).map(({ name: genre, row }) => ({ ...row, genre })),
  keyOf,
  // A genre's books are counted from this list.
  afterRepair: async (app, bookId, { genre }) => {
    const state = await books.read(app, { bookId });
    await recountGenre(app, genre, state?.genres ?? []);
  },
});

/** The places of a book in the lists of all books, if it is listed. */
function placesIn(bookId: string, state: BookState) {
  const listing = listingOf(state);
  return listing ? [placesOf(bookId, listing)] : [];
}

const byPopularity: List = projectedList({
  rows: rowsOfPopularity,
  rowsOf: (bookId, state) => placesIn(bookId, state).map(({ popularity }) => popularity),
  keyOf,
});

const byTitle: List = projectedList({
  rows: rowsOfTitles,
  rowsOf: (bookId, state) => placesIn(bookId, state).map(({ title }) => title),
  keyOf,
});

const byYear: List = projectedList({
  rows: rowsOfYears,
  rowsOf: (bookId, state) => placesIn(bookId, state).map(({ year }) => year),
  keyOf,
});

const byAddition: List = projectedList({
  rows: rowsOfAdditions,
  rowsOf: (bookId, state) => placesIn(bookId, state).map(({ addition }) => addition),
  keyOf,
});

/** The rows of a book in the lists of editions, if it is listed. */
function editionsIn(bookId: string, state: BookState) {
  const listing = listingOf(state);
  return listing ? editionRows(bookId, listing) : undefined;
}

const byWork: List = projectedList({
  rows: rowsOfEditions,
  rowsOf: (bookId, state) => editionsIn(bookId, state)?.work ?? [],
  keyOf,
});

const byIsbn: List = projectedList({
  rows: rowsOfIsbns,
  rowsOf: (bookId, state) => editionsIn(bookId, state)?.isbn ?? [],
  keyOf,
});

const bySource: List = projectedList({
  rows: rowsOfSources,
  rowsOf: (bookId, state) => editionsIn(bookId, state)?.source ?? [],
  keyOf,
});

/** Many books share a word, so a row belongs to no book, and no row is surplus. */
const bySpelling: List = projectedList({
  rows: rowsOfSpellings,
  rowsOf: (_bookId, state) => {
    const listing = listingOf(state);
    return listing ? spellingsOfWords(wordsIn(listing)) : [];
  },
});

const byWord: List = projectedList({
  rows: rowsOfWords,
  rowsOf: (bookId, state) =>
    rowsIn('word', bookId, state).map(({ name: prefix, row }) => ({ ...row, prefix, state: listedState(state) })),
  keyOf,
});

/** The audit of the catalogue and its lists. */
export const bookAudit: Audit = projectionAudit(
  {
    kind: 'books',
    table: 'books',
    partition: ['book_id'],
    ring: scanBooks,
    keyOf,
    nameOf: (bookId) => `book_id = ${bookId}`,
    find: async ({ cassandra }, bookIds) => {
      const found = await rows(cassandra, selectBooks, { book_ids: bookIds });
      return found.map(({ book_id, state }) => ({ key: book_id, state }));
    },
    read: (app, bookId) => books.read(app, { bookId }),
    about: () => Promise.resolve(undefined),
    behind: () => [],
    repair: (app, bookId, above) => books.repair(app, { bookId }, above),
  },
  [byAuthor, byGenre, byPopularity, byTitle, byYear, byAddition, byWork, byIsbn, bySource, byWord, bySpelling],
);
