import { editionRows } from '../../../src/catalogue/editions.ts';
import { listingOf, rowsIn } from '../../../src/catalogue/listing.ts';
import { nameKey } from '../../../src/catalogue/name-key.ts';
import { placesOf } from '../../../src/catalogue/orders.ts';
import { listedState, type BookState } from '../../../src/catalogue/tables.ts';
import { sortKey } from '../../../src/text/sorting.ts';
import { isPossible } from '../../support/history.ts';
import { effectOnBook, NOT_THERE } from '../acts/books.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

const stateIn = (row: Row) => row['state'] as BookState;

const booksIn = (cluster: Cluster) =>
  new Map(cluster.scan('books').map((row) => [show(row['book_id']), stateIn(row)] as const));

/**
 * Compares the source of truth of books with the lists by author, genre and word, those of all
 * books, and with the genres.
 */
export function* driftOfBooks(cluster: Cluster): Generator<string> {
  const books = [...booksIn(cluster)];
  const listedIn = (list: Parameters<typeof rowsIn>[0]) =>
    books.flatMap(([bookId, state]) => rowsIn(list, bookId, state));
  const LISTS = [
    ['books_by_author', 'author', 'author'],
    ['books_by_genre', 'genre', 'genre'],
    ['books_by_word', 'prefix', 'word'],
  ] as const;
  for (const [table, column, list] of LISTS) {
    const told = (row: Row) =>
      `${show(row[column])} ${show(row['popularity'])} ${show(row['book_id'])} ${show(row['words'])}`;
    const wanted = listedIn(list).map(({ name, row }) => told({ ...row, [column]: name }));
    yield* differences(table, wanted, cluster.scan(table).map(told));
  }
  const ORDERS = [
    ['books_by_popularity', 'popularity', ['magnitude', 'popularity', 'book_id']],
    ['books_by_title', 'title', ['initial', 'title_sort', 'book_id']],
    ['books_by_published_year', 'year', ['period', 'published_year', 'popularity', 'book_id']],
    ['books_by_added_at', 'addition', ['year', 'added_at', 'book_id']],
  ] as const;
  for (const [table, order, columns] of ORDERS) {
    const told = (row: Row) => show(columns.map((column) => row[column]));
    const wanted = books.flatMap(([bookId, state]) => {
      const listing = listingOf(state);
      return listing ? told(placesOf(bookId, listing)[order]) : [];
    });
    yield* differences(table, wanted, cluster.scan(table).map(told));
  }
  const EDITIONS = [
    ['editions_by_work', 'work', ['work_id', 'popularity', 'book_id']],
    ['editions_by_isbn', 'isbn', ['isbn', 'book_id']],
    ['book_by_source', 'source', ['source_id', 'book_id']],
    ['books_by_series', 'series', ['series', 'number_from', 'number_to', 'book_id', 'name']],
  ] as const;
  for (const [table, list, columns] of EDITIONS) {
    const told = (row: Row) => show(columns.map((column) => row[column]));
    const wanted = books.flatMap(([bookId, state]) => {
      const listing = listingOf(state);
      return listing ? editionRows(bookId, listing)[list].map(told) : [];
    });
    yield* differences(table, wanted, cluster.scan(table).map(told));
  }
  const states = new Map(books);
  for (const row of cluster.scan('books_by_word')) {
    const state = states.get(show(row['book_id']));
    if (!state || textOf(stateIn(row)) !== textOf(listedState(state)))
      yield `books_by_word has an old book: ${show(row)}`;
  }

  for (const row of cluster.scan('genres')) {
    const { genre, book_count, version, counted_version } = row;
    const isOfIt = (state: BookState) => !state.removed_at && state.genres.some((name) => nameKey(name) === genre);
    const count = books.filter(([, state]) => isOfIt(state)).length;
    if (book_count !== count) yield `genres has the count ${show(book_count)} for ${show(genre)}, not ${count}`;
    if (version !== counted_version) yield `the books of ${show(genre)} are not counted at their current version`;
  }
  const genres = new Set(cluster.scan('genres').map((row) => row['genre']));
  for (const name of new Set(listedIn('genre').map((listed) => listed.name)))
    if (!genres.has(name)) yield `genres lacks ${name}`;
}

const textOf = (state: object) =>
  show(Object.fromEntries(Object.entries(state).toSorted(([one], [other]) => (one < other ? -1 : 1))));

/** Checks that every row with fields of a book has the current values. */
export function* staleTitles(cluster: Cluster): Generator<string> {
  const books = booksIn(cluster);
  const titles = new Map([...books].map(([bookId, { title }]) => [`Book:${bookId}`, title]));
  for (const row of cluster.scan('items')) {
    const { book_id, own_title } = row['state'] as { book_id: string; own_title: string | null };
    titles.set(`Item:${show(row['item_id'])}`, own_title ?? titles.get(`Book:${book_id}`) ?? '');
  }
  for (const row of cluster.scan('item_by_user')) {
    const likeableId = show(row['likeable_id']);
    const authors = books.get(likeableId.replace('Book:', ''))?.authors ?? [];
    // A like has no title of a list or review.
    const title = /^(BookList|Review):/.test(likeableId) ? '' : titles.get(likeableId);
    if (row['title'] !== title || show(row['authors']) !== show(authors))
      yield `a stale title or authors of a like: ${show(row)}`;
  }
  for (const table of ['item_by_seller_by_price', 'item_by_seller_by_listed_at', 'items_by_book'])
    for (const row of cluster.scan(table))
      if (row['title'] !== titles.get(`Item:${show(row['item_id'])}`)) yield `a stale title in ${table}: ${show(row)}`;

  for (const table of ['books_read_by_user', 'books_read_by_user_by_read_at']) {
    for (const row of cluster.scan(table)) {
      const book = books.get(show(row['book_id']));
      const { title = '', authors = [], genres, publisher } = book ?? {};
      const said = { title, authors, genres, publisher: publisher ?? '' };
      const position = { title_sort: sortKey(title), author_sort: sortKey(authors[0] ?? '') };
      const wanted = { ...row, ...said, ...('title_sort' in row && position) };
      if (show(row) !== show(wanted)) yield `${table} has an old state of a book: ${show(row)}`;
    }
  }
}

/** Checks that every finished import is recorded as finished. */
export function* driftOfImports(cluster: Cluster, { imports }: Library): Generator<string> {
  const finished = new Set(
    cluster.scan('imports').flatMap((row) => (row['finished_at'] === null ? [] : show(row['file_checksum']))),
  );
  for (const { checksum, isDone } of imports)
    if (isDone && !finished.has(checksum)) yield `imports does not record that ${checksum} has ended`;
}

/** Checks that the calls about each book are linearizable and end with the stored state. */
export function* impossibleTitles(cluster: Cluster, { titles }: Library, now: number): Generator<string> {
  const books = booksIn(cluster);
  for (const [bookId, history] of titles) {
    const book = books.get(bookId);
    const isThere = book && book.title !== '' && !book.removed_at;
    const last = { verb: 'look', begun: now, ended: now + 1, answer: isThere ? book.title : NOT_THERE } as const;
    if (!isPossible([...history, last], NOT_THERE, effectOnBook))
      yield `the calls about the book ${bookId} are not linearizable`;
  }
}
