import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { importBooks } from '../src/catalogue/import.ts';
import { removeBook } from '../src/catalogue/operations.ts';
import { doJobsOf } from '../src/jobs/operations.ts';
import { imports } from '../src/libraryimports/aggregate.ts';
import { importAudit } from '../src/libraryimports/audit.ts';
import { ratingAudit } from '../src/ratings/audit.ts';
import { encodeId, uuidOf } from '../src/graphql/ids.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { importSample, isbnOf, NEEDED, ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';
import { importOf, untilImported, type Import } from './support/library-imports.ts';

/**
 * Imports of readers' own libraries. The files of `own-libraries/` are made by hand, with the
 * columns and the oddities of real files.
 */

let server: TestServer;
let administrator: Client;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
  await importSample(server.app, 200);
  const namesake = { isbn: '9780525953500', title: 'The Stranger', authors: ['Harlan Coben'] };
  expect((await administrator.mutate('addBook', namesake, '__typename')).userErrors).toEqual([]);
});

const fileOf = (name: string) => readFile(join(import.meta.dirname, 'own-libraries', name));
const bookOf = (key: string) => encodeId({ type: 'Book', key });
const HUNGER_GAMES = bookOf('9780439023481');

/** Imports a file for a new reader. */
async function imported(name: string): Promise<{ reader: Client; done: Import }> {
  const reader = await server.client().registerSomebody();
  return { reader, done: await untilImported(reader, await fileOf(name)) };
}

/** Returns the ratings of the reader, by title. */
async function ratingsOf(reader: Client): Promise<Record<string, number>> {
  const { viewer } = await reader.data('{ viewer { ratings(first: 30) { edges { rating node { title } } } } }');
  const edges = viewer.ratings.edges as readonly { rating: number; node: { title: string } }[];
  return Object.fromEntries(edges.map(({ rating, node }) => [node.title, rating]));
}

/** Returns the entries of the reader's lists, by title. */
async function libraryOf(reader: Client): Promise<Record<string, unknown>> {
  const { viewer } = await reader.data(`{ viewer { shelf(first: 30) { edges { node { title viewerReading {
    status startedOn readings { finishedOn startedOn }
  } } } } } }`);
  return Object.fromEntries(
    viewer.shelf.edges.map(({ node }: { node: { title: string; viewerReading: object } }) => [
      node.title,
      node.viewerReading,
    ]),
  );
}

const fates = ({ rows }: Import) => rows.map(({ fate }) => fate);
const read = (finishedOn: string | null, startedOn: string | null = null) => ({ finishedOn, startedOn });

describe('Goodreads', () => {
  test('in 24 columns: each line has its fate, and no day is invented', async () => {
    const { reader, done } = await imported('goodreads-24.csv');
    expect(done).toMatchObject({ source: 'GOODREADS', status: 'DONE', lines: 10, pending: 0 });
    expect(fates(done)).toEqual([
      ...['MATCHED', 'MATCHED', 'MATCHED', 'MATCHED', 'MATCHED'],
      ...['UNLISTED', 'NOT_KEPT', 'AMBIGUOUS', 'MATCHED', 'FAILED'],
    ]);
    const { matched, ambiguous, unlisted, failed, notKept } = done;
    expect({ matched, ambiguous, unlisted, failed, notKept }).toEqual({
      matched: 6,
      ambiguous: 1,
      unlisted: 1,
      failed: 1,
      notKept: 1,
    });
    expect(done.rows[2]?.reason).toContain('1 of 2 was imported');
    expect(done.rows[6]?.reason).toContain('Choose the status');
    expect(done.rows[7]?.candidates).toHaveLength(2);
    expect(done.rows[8]?.reason).toMatch(/"2999\/01\/01" is not a day.*"6" is not a rating/);
    expect(done.shelves).toEqual([
      { name: 'read', lines: 5, becomes: 'READ', isOwn: false },
      { name: 'currently-reading', lines: 1, becomes: 'READING', isOwn: false },
      { name: 'to-read', lines: 2, becomes: 'WANT_TO_READ', isOwn: false },
      { name: 'unfinished', lines: 1, becomes: null, isOwn: true },
    ]);
    expect(await libraryOf(reader)).toEqual({
      'The Hunger Games (The Hunger Games, #1)': { status: 'READ', startedOn: null, readings: [read('2021-03-05')] },
      'Twilight (Twilight, #1)': { status: 'READ', startedOn: null, readings: [read(null)] },
      'To Kill a Mockingbird': { status: 'READ', startedOn: null, readings: [read(null)] },
      'The Catcher in the Rye': { status: 'READING', startedOn: null, readings: [] },
      'The Hobbit': { status: 'WANT_TO_READ', startedOn: null, readings: [] },
      'Angels & Demons (Robert Langdon, #1)': { status: 'READ', startedOn: null, readings: [read(null)] },
    });
    // The rating of a book is imported for any shelf.
    expect(await ratingsOf(reader)).toEqual({
      'The Hunger Games (The Hunger Games, #1)': 5,
      'To Kill a Mockingbird': 4,
      'Pride and Prejudice': 3,
    });
  });

  test.each([
    [
      'goodreads-31.csv',
      { "Harry Potter and the Sorcerer's Stone (Harry Potter, #1)": 'READ', 'The Great Gatsby': 'WANT_TO_READ' },
    ],
    ['goodreads-23-quoted.csv', { 'The Fault in Our Stars': 'READ', 'The Kite Runner': 'WANT_TO_READ' }],
  ])('%s is read by the names of its columns', async (name, statuses) => {
    const { reader, done } = await imported(name);
    expect(fates(done)).toEqual(['MATCHED', 'MATCHED']);
    const library = (await libraryOf(reader)) as Record<string, { status: string }>;
    expect(Object.fromEntries(Object.entries(library).map(([title, { status }]) => [title, status]))).toEqual(statuses);
  });
});

describe('StoryGraph', () => {
  test('has ranges and days, newest first, and rows without a status', async () => {
    const { reader, done } = await imported('storygraph.csv');
    expect(fates(done)).toEqual(['MATCHED', 'MATCHED', 'NOT_KEPT', 'MATCHED', 'MATCHED']);
    expect(await libraryOf(reader)).toEqual({
      'The Hunger Games (The Hunger Games, #1)': {
        status: 'READ',
        startedOn: '2021-03-01',
        readings: [read('2021-03-05', '2021-03-01'), read('2019-06-07'), read('2018-01-09', '2018-01-01')],
      },
      'The Great Gatsby': { status: 'GIVEN_UP', startedOn: null, readings: [] },
      'The Kite Runner': { status: 'READ', startedOn: null, readings: [read('2020-02-03')] },
      'Divergent (Divergent, #1)': { status: 'READING', startedOn: '2022-05-06', readings: [] },
    });
  });

  test.each(['storygraph-misread.csv', 'storygraph-latin1.csv'])('%s has its letters', async (name) => {
    const { done } = await imported(name);
    expect(done.rows[0]).toMatchObject({ title: expect.stringMatching(/^L['’]Étranger$/), fate: 'MATCHED' });
  });

  test('an impossible day or rating is left out with a warning', async () => {
    const { reader, done } = await imported('storygraph-misread.csv');
    expect(done.rows[1]?.reason).toMatch(/"2021\/13\/45" is not a day.*"3.3" is not a rating/);
    expect(await libraryOf(reader)).toMatchObject({ 'The Hobbit': { status: 'READ', readings: [read(null)] } });
  });
});

describe('LibraryThing', () => {
  test('has tabs, ISBNs in brackets, authors by their last names and collections', async () => {
    const { reader, done } = await imported('librarything.tsv');
    expect(fates(done)).toEqual(['MATCHED', 'MATCHED', 'NOT_KEPT']);
    expect(done.rows[0]?.authors).toEqual(['Albert Camus', 'Matthew Ward']);
    expect(await libraryOf(reader)).toEqual({
      'The Stranger': { status: 'WANT_TO_READ', startedOn: null, readings: [] },
      '1984': { status: 'READ', startedOn: '2016-01-02', readings: [read('2016-01-20', '2016-01-02')] },
    });
  });

  test.each([
    ['librarything-utf16.tsv', ['MATCHED'], { 'The Hobbit': { status: 'READING' } }],
    [
      'librarything-collections.tsv',
      ['MATCHED', 'MATCHED'],
      { 'Twilight (Twilight, #1)': { status: 'READ' }, 'The Kite Runner': { status: 'WANT_TO_READ' } },
    ],
  ])('%s', async (name, expected, library) => {
    const { reader, done } = await imported(name);
    expect(fates(done)).toEqual(expected);
    expect(await libraryOf(reader)).toMatchObject(library);
  });
});

describe('Hardcover', () => {
  test('lists people with their roles, the author last', async () => {
    const { done } = await imported('hardcover.csv');
    expect(fates(done)).toEqual(['MATCHED', 'MATCHED']);
    expect(done.rows.map(({ authors }) => authors)).toEqual([['Albert Camus'], ['Harlan Coben']]);
    expect(done.rows.map(({ book }) => book?.authors[0])).toEqual(['Albert Camus', 'Harlan Coben']);
  });

  test('has its own statuses', async () => {
    const { reader, done } = await imported('hardcover-statuses.csv');
    expect(fates(done)).toEqual(['MATCHED', 'MATCHED', 'MATCHED', 'NOT_KEPT']);
    expect(await libraryOf(reader)).toMatchObject({
      'The Hobbit': { status: 'WANT_TO_READ' },
      'The Great Gatsby': { status: 'READING' },
      'Divergent (Divergent, #1)': { status: 'GIVEN_UP' },
    });
  });

  test('a reading that began after its end has no beginning', async () => {
    const { reader } = await imported('hardcover-reversed.csv');
    expect(await libraryOf(reader)).toMatchObject({ 'Twilight (Twilight, #1)': { readings: [read('2020-03-01')] } });
  });
});

describe('BookWyrm', () => {
  test('has shelves of the reader’s own, and 0 for no rating', async () => {
    const { reader, done } = await imported('bookwyrm.csv');
    expect(fates(done)).toEqual(['MATCHED', 'NOT_KEPT']);
    expect(done.rows[0]?.reason).toBeNull();
    expect(await libraryOf(reader)).toMatchObject({
      'The Hunger Games (The Hunger Games, #1)': { readings: [read('2022-01-09', '2022-01-02')] },
    });
  });

  test.each([
    ['bookwyrm-old.csv', ['MATCHED'], {}],
    [
      'bookwyrm-stopped.csv',
      ['MATCHED', 'MATCHED'],
      { 'Divergent (Divergent, #1)': { status: 'GIVEN_UP' }, 'Twilight (Twilight, #1)': { status: 'WANT_TO_READ' } },
    ],
  ])('%s: its columns came and went', async (name, expected, library) => {
    const { reader, done } = await imported(name);
    expect(fates(done)).toEqual(expected);
    expect(await libraryOf(reader)).toMatchObject(library);
  });
});

describe('an import', () => {
  test('adds nothing to feeds, events and lists of actions', async () => {
    const { reader } = await imported('goodreads-24.csv');
    const { viewer } = await reader.data('{ viewer { actions(first: 100) { nodes { kind } } } }');
    expect(viewer.actions.nodes).toEqual([{ kind: 'REGISTERED' }]);
    const { rows } = await server.app.cassandra.client.execute('SELECT * FROM events');
    expect(JSON.stringify(rows)).not.toContain(keyOf(reader.viewerId));
  });

  test('that is repeated changes nothing, even after changes by the reader', async () => {
    const { reader, done } = await imported('storygraph.csv');
    await reader.mutate('setReadingStatus', { bookId: HUNGER_GAMES, status: 'READING' }, '__typename');
    const gatsby = done.rows[1]?.book?.id;
    await reader.mutate('setReadingStatus', { bookId: gatsby, status: 'WANT_TO_READ' }, '__typename');
    const kiteRunner = done.rows[3]?.book?.id;
    await reader.mutate('updateReading', { bookId: kiteRunner, finishedOn: '2020-02-04' }, '__typename');
    const before = await libraryOf(reader);

    const again = await untilImported(reader, await fileOf('storygraph.csv'));
    expect(again.id).toBe(done.id);
    expect(await libraryOf(reader)).toEqual(before);
    const other = await untilImported(reader, Buffer.concat([await fileOf('storygraph.csv'), Buffer.from('\n')]));
    expect(other.id).not.toBe(done.id);
    expect(await libraryOf(reader)).toEqual(before);
    expect(fates(other)).toEqual(['NOT_KEPT', 'NOT_KEPT', 'NOT_KEPT', 'MATCHED', 'MATCHED']);
  });

  test('that is sent to four servers at once is one import', async () => {
    const others = await Promise.all([1, 2, 3].map(() => startServer(server.app.config)));
    const reader = await server.client().registerSomebody();
    const elsewhere = others.map((other) => Object.assign(other.client(), { token: reader.token }));
    const file = await fileOf('storygraph.csv');
    const answers = await Promise.all([reader, ...elsewhere].map((client) => client.importMyLibrary(file)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    const { id } = (await answers[0]!.json()) as { id: string };
    await doJobsOf(server.app, { type: 'LibraryImport', key: keyOf(id) });
    const done = await importOf(reader, id);
    expect(done).toMatchObject({ status: 'DONE', lines: 5, matched: 4, notKept: 1, pending: 0 });
    const { viewer } = await reader.data(`{ viewer { libraryImports { nodes { id } }
      shelf(first: 20) { nodes { viewerReading { history { status } } } } } }`);
    expect(viewer.libraryImports.nodes).toEqual([{ id: done.id }]);
    expect(viewer.shelf.nodes).toHaveLength(4);
    for (const { viewerReading } of viewer.shelf.nodes) expect(viewerReading.history).toHaveLength(1);
  });

  test('is not reset by an upload of the same file that was paused meanwhile', async () => {
    const reader = await server.client().registerSomebody();
    const file = await fileOf('storygraph.csv');
    const resume = await heldUpAt(server, 'library import: after complete', reader, (client) =>
      client.importMyLibrary(file),
    );
    const { id } = await untilImported(reader, file);
    await resume();
    expect(await importOf(reader, id)).toMatchObject({ status: 'DONE', matched: 4, notKept: 1, pending: 0 });
  });

  test('that is undone reverts its additions, and keeps the reader’s own changes', async () => {
    const reader = await server.client().registerSomebody();
    await reader.mutate('markAsRead', { bookId: HUNGER_GAMES, finishedOn: '2015-05-05' }, '__typename');
    const first = await libraryOf(reader);
    const done = await untilImported(reader, await fileOf('storygraph.csv'));
    const kiteRunner = done.rows[3]?.book?.id;
    await reader.mutate('markAsRead', { bookId: kiteRunner, finishedOn: '2025-05-05' }, '__typename');

    const undone = await reader.mutate('undoImport', { importId: done.id }, 'libraryImport { status pending }');
    expect(undone).toMatchObject({ userErrors: [], libraryImport: { status: 'UNDONE', pending: 5 } });
    expect(await libraryOf(reader)).toEqual({
      ...first,
      'The Kite Runner': { status: 'READ', startedOn: null, readings: [read('2025-05-05')] },
    });

    const again = await untilImported(reader, await fileOf('storygraph.csv'));
    expect(again.id).toBe(done.id);
    expect(Object.keys(await libraryOf(reader))).toHaveLength(4);
  });

  test('cannot be started again while it is being undone', async () => {
    const { reader, done } = await imported('storygraph.csv');
    const key = { importId: keyOf(done.id) };
    await imports.amend(server.app, key, (state) => Promise.resolve({ ...state, status: 'UNDOING' }));
    const refused = await reader.importMyLibrary(await fileOf('storygraph.csv'));
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('is being undone. Send the file again'),
    ]);
    await imports.amend(server.app, key, (state) => Promise.resolve({ ...state, status: 'DONE' }));
    expect((await untilImported(reader, await fileOf('storygraph.csv'))).matched).toBe(4);
  });

  test('keeps the ratings that the reader has given, changed or taken back here', async () => {
    const file = (hobbit: number) =>
      Buffer.from(
        'Book Id,Title,Author,ISBN13,My Rating,Bookshelves,Exclusive Shelf\n' +
          '2767052,The Hunger Games,Suzanne Collins,,5,read,read\n' +
          `,The Hobbit,J.R.R. Tolkien,9780618260300,${hobbit},read,read\n` +
          '5107,The Catcher in the Rye,J.D. Salinger,,3,,\n',
      );
    const [hobbit, rye] = [bookOf('9780618260300'), bookOf('9780316769174')];
    const reader = await server.client().registerSomebody();
    await reader.mutate('rateBook', { bookId: HUNGER_GAMES, rating: 1.25 }, '__typename');
    const done = await untilImported(reader, file(4));
    const said = done.rows.map(({ fate, reason }) => [fate, reason]);
    expect(said).toEqual([
      ['MATCHED', expect.stringContaining('existing rating')],
      ['MATCHED', null],
      ['MATCHED', expect.stringContaining('neither a status')],
    ]);
    const [games, tolkien, salinger] = done.rows.map(({ book }) => book?.id);
    expect([games, tolkien, salinger]).toEqual([HUNGER_GAMES, hobbit, rye]);
    const names = ['The Hunger Games (The Hunger Games, #1)', 'The Hobbit', 'The Catcher in the Rye'] as const;
    expect(await ratingsOf(reader)).toEqual({ [names[0]]: 1.25, [names[1]]: 4, [names[2]]: 3 });

    // A newer export is another import, which may change the data of an earlier import.
    await reader.mutate('unrateBook', { bookId: rye }, '__typename');
    const newer = await untilImported(reader, file(2));
    expect(await ratingsOf(reader)).toEqual({ [names[0]]: 1.25, [names[1]]: 2 });

    await reader.mutate('undoImport', { importId: done.id }, '__typename');
    expect(await ratingsOf(reader)).toEqual({ [names[0]]: 1.25, [names[1]]: 2 });
    await reader.mutate('undoImport', { importId: newer.id }, '__typename');
    expect(await ratingsOf(reader)).toEqual({ [names[0]]: 1.25 });
    await untilImported(reader, file(2));
    expect(await ratingsOf(reader)).toEqual({ [names[0]]: 1.25, [names[1]]: 2 });
    const { drift } = await audited(server.app, [ratingAudit]);
    expect(drift).toEqual([]);
  });

  test('lets the reader map its shelves and resolve its lines', async () => {
    const { reader, done } = await imported('goodreads-24.csv');
    const mapping = { importId: done.id, shelf: 'unfinished', becomes: 'GIVEN_UP' };
    expect((await reader.mutate('mapImportShelf', mapping, '__typename')).userErrors).toEqual([]);
    expect(await libraryOf(reader)).toMatchObject({ 'Pride and Prejudice': { status: 'GIVEN_UP' } });
    // A shelf that was mapped wrongly can be mapped again.
    await reader.mutate('mapImportShelf', { ...mapping, becomes: 'WANT_TO_READ' }, '__typename');
    expect(await libraryOf(reader)).toMatchObject({ 'Pride and Prejudice': { status: 'WANT_TO_READ' } });
    const { shelves } = await importOf(reader, done.id);
    expect(shelves.filter(({ isOwn }) => isOwn)).toMatchObject([{ name: 'unfinished', becomes: 'WANT_TO_READ' }]);

    const [camus = ''] = done.rows[7]?.candidates.map(({ id }) => id) ?? [];
    const fields = 'libraryImport { ambiguous matched }';
    const resolved = await reader.mutate('resolveImportRow', { importId: done.id, line: 8, bookId: camus }, fields);
    expect(resolved).toMatchObject({ userErrors: [], libraryImport: { ambiguous: 0, matched: 8 } });
    const again = await reader.mutate('resolveImportRow', { importId: done.id, line: 8, bookId: camus }, fields);
    expect(again).toEqual(resolved);
    // A repeated upload keeps the book that the reader chose for the line.
    const repeated = await untilImported(reader, await fileOf('goodreads-24.csv'));
    expect(repeated.rows[7]).toMatchObject({ fate: 'MATCHED', book: { id: camus } });
  });

  test('has one book for a line for which the reader chooses two at the same moment', async () => {
    const { reader, done } = await imported('goodreads-24.csv');
    const before = Object.keys(await libraryOf(reader));
    const books = await ownBooks(server.app, 2);
    const both = books.map((bookId) =>
      reader.mutate('resolveImportRow', { importId: done.id, line: 8, bookId }, 'libraryImport { matched }'),
    );
    expect(await Promise.all(both)).toContainEqual({ userErrors: [], libraryImport: { matched: done.matched + 1 } });

    const { rows } = await importOf(reader, done.id);
    expect(books).toContain(rows[7]?.book?.id);
    const added = Object.entries(await libraryOf(reader)).filter(([title]) => !before.includes(title));
    expect(added).toHaveLength(1);
    await reader.mutate('undoImport', { importId: done.id }, '__typename');
    expect(await libraryOf(reader)).toEqual({});
  });

  test('finds a book that was added to the catalogue since then', async () => {
    const { reader, done } = await imported('goodreads-24.csv');
    const isbn = '9791234567896';
    const { book } = await administrator.mutate(
      'addBook',
      { isbn, title: 'A Book That Nobody Has', authors: ['Ann Nobody'] },
      'book { id }',
    );
    const again = await untilImported(reader, await fileOf('goodreads-24.csv'));
    expect([done.rows[5]?.fate, again.rows[5]?.fate]).toEqual(['UNLISTED', 'MATCHED']);
    expect(again.rows[5]?.book?.id).toBe(book.id);
    await administrator.mutate('updateBook', { bookId: book.id, title: 'Another Title' }, '__typename');
  });

  test('with the id of one work and the ISBN of another in a line leaves the choice to the reader', async () => {
    const reader = await server.client().registerSomebody();
    const line = '2767052,Tales,Suzanne Collins,J.R.R. Tolkien,9780618260300,to-read,to-read';
    const file = Buffer.from(`Book Id,Title,Author,Additional Authors,ISBN13,Bookshelves,Exclusive Shelf\n${line}\n`);
    const { rows } = await untilImported(reader, file);
    expect(rows[0]?.fate).toBe('AMBIGUOUS');
    expect(rows[0]?.candidates.map(({ id }) => id)).toEqual([HUNGER_GAMES, bookOf('9780618260300')]);
  });

  test('finds the right one of many books with a title by its author, however popular the others are', async () => {
    const authors = [...Array.from({ length: 15 }, (_, index) => `Poet ${index}`), 'Last Poet', 'Last Poet'];
    const books = authors.map((author, index) => `80000000${index},,,${author},,,Poems,,,${100 - index}`);
    const catalogue = join(inject('folder'), 'poems.csv');
    await writeFile(catalogue, [NEEDED, ...books].join('\n'));
    await importBooks(server.app, catalogue);

    const reader = await server.client().registerSomebody();
    const lines = ['Poems,Poet 14,,to-read', 'Poems,Last Poet,,to-read', 'Poems,Nobody,,to-read'];
    const file = ['Title,Author,Bookshelves,Exclusive Shelf', ...lines].join('\n');
    const { rows } = await untilImported(reader, Buffer.from(file));
    expect(rows.map(({ fate }) => fate)).toEqual(['MATCHED', 'AMBIGUOUS', 'UNLISTED']);
    expect(rows[0]?.book?.authors).toEqual(['Poet 14']);
    expect(rows[1]?.candidates).toHaveLength(2);
  });

  test('matches no book that was removed', async () => {
    const isbn = isbnOf(979_500_000_000);
    await administrator.mutate('addBook', { isbn, title: 'Pulped', authors: ['Ann Lee'] }, '__typename');
    await removeBook(server.app, isbn);
    const reader = await server.client().registerSomebody();
    const file = `Title,Author,ISBN13,Bookshelves,Exclusive Shelf\nPulped,Ann Lee,${isbn},,read\n`;
    expect(fates(await untilImported(reader, Buffer.from(file)))).toEqual(['UNLISTED']);
  });

  test('is visible only to its reader', async () => {
    const { reader, done } = await imported('goodreads-24.csv');
    const other = await server.client().registerSomebody();
    for (const client of [other, server.client()])
      expect((await client.data(`{ node(id: "${done.id}") { id } }`)).node).toBeNull();
    expect((await other.mutate('undoImport', { importId: done.id }, '__typename')).userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'importId'] },
    ]);
    const list = `... on User { libraryImports { nodes { id } } }`;
    expect((await other.data(`{ node(id: "${reader.viewerId}") { ${list} } }`)).node.libraryImports).toBeNull();
    expect((await reader.data(`{ viewer { ${list} } }`)).viewer.libraryImports.nodes).toEqual([{ id: done.id }]);
  });

  test('keeps its lines while an earlier attempt to begin it is abandoned', async () => {
    const { reader, done } = await imported('storygraph.csv');
    const stranger = await server.client().registerSomebody();
    const file = await fileOf('storygraph.csv');
    const checksum = createHash('sha256').update(file).digest('hex');
    const key = { importId: uuidOf(`${keyOf(stranger.viewerId)} ${checksum}`) };
    await imports.transaction.recover(server.app, key, async (name, work) => {
      const result = await work();
      if (name === 'compare-and-set') await untilImported(stranger, file);
      return result;
    });
    const again = await untilImported(stranger, file);
    expect(fates(again)).toEqual(fates(await importOf(reader, done.id)));
  });

  test('has one job for each change, however often its recovery is tried', async () => {
    const { done } = await imported('goodreads-24.csv');
    const key = { importId: keyOf(done.id) };
    await imports.amend(server.app, key, (state) => Promise.resolve({ ...state, status: 'RUNNING' }));
    for (let tries = 0; tries < 3; tries++) await imports.transaction.recover(server.app, key, (_name, work) => work());
    const { rows } = await server.app.cassandra.client.execute('SELECT subject, cause FROM jobs');
    expect(rows.filter((row) => row['subject'] === `LibraryImport:${key.importId}`)).toHaveLength(1);
    await doJobsOf(server.app, { type: 'LibraryImport', key: key.importId });
  });

  test('results in lists that agree with the states', async () => {
    expect((await audited(server.app, [importAudit, auditOf('readings')])).drift).toEqual([]);
  });

  test('is deleted with the account', async () => {
    const { reader, done } = await imported('goodreads-24.csv');
    const [id = '', importId = ''] = [reader.viewerId, done.id].map(keyOf);
    expect(await server.rowsAbout([importId])).toContain('library_import_lines');
    await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
    // The number of imports of a day expires with it. A tombstone of the import stays for a day.
    expect(await server.rowsAbout([id, importId])).toEqual(['library_imports', 'tries_by_subject', 'users_by_id']);
  });
});
