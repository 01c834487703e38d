import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { keysInParts } from '../src/cassandra/statement-builders.ts';
import { batch, bind } from '../src/cassandra/statement.ts';
import { importBooks } from '../src/catalogue/import.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { doJobsOf } from '../src/jobs/operations.ts';
import { requestContext } from '../src/context/context.ts';
import { forgetImport, imports } from '../src/libraryimports/aggregate.ts';
import { importAudit, unlistedAudit } from '../src/libraryimports/audit.ts';
import { chooseBook } from '../src/libraryimports/chosen-book.ts';
import { readLibrary, receiveLibrary } from '../src/libraryimports/operations.ts';
import { unlistedLines } from '../src/libraryimports/tables.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { isbnOf, NEEDED } from './support/books.ts';
import type { Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { doAllJobs } from './support/jobs.ts';
import { importOf, untilImported, type Import } from './support/library-imports.ts';

/** The books of imports that the catalogue does not have, and what happens when they are added. */

let server: TestServer;
let administrator: Client;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
});

const HEADER = 'Title,Author,ISBN13,Bookshelves,Exclusive Shelf';
const fileOf = (...lines: string[]) => Buffer.from([HEADER, ...lines].join('\n'));

/** Imports lines for a new reader. */
async function imported(...lines: string[]): Promise<{ reader: Client; done: Import }> {
  const reader = await server.client().registerSomebody();
  return { reader, done: await untilImported(reader, fileOf(...lines)) };
}

interface Unlisted {
  readonly title: string;
  readonly authors: readonly string[];
  readonly status: string | null;
  readonly shelf: string | null;
  readonly line: number;
  readonly libraryImport: { readonly id: string };
}

/** Returns a page of a reader's unlisted books. */
async function unlistedOf(reader: Client, args = 'first: 50') {
  const fields = 'nodes { title authors status shelf line libraryImport { id } }';
  const { viewer } = await reader.data(
    `{ viewer { unlistedBooks(${args}) { ${fields} pageInfo { hasNextPage hasPreviousPage startCursor endCursor } count { value isExact } } } }`,
  );
  return viewer.unlistedBooks as {
    nodes: readonly Unlisted[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    count: { value: number; isExact: boolean };
  };
}

const titlesOf = async (reader: Client, args?: string) =>
  (await unlistedOf(reader, args)).nodes.map(({ title }) => title);

/** Returns the titles on a reader's shelves, with their statuses. */
async function shelfOf(reader: Client): Promise<unknown> {
  const { viewer } = await reader.data('{ viewer { shelf(first: 50) { edges { status node { title } } } } }');
  const edges = viewer.shelf.edges as readonly { status: string; node: { title: string } }[];
  return Object.fromEntries(edges.map(({ status, node }) => [node.title, status]));
}

/** Adds a book, and runs the jobs that this begins. */
async function added(book: { isbn: string; title: string; authors: readonly string[]; otherIsbns?: string[] }) {
  const { userErrors } = await administrator.mutate('addBook', book, '__typename');
  expect(userErrors).toEqual([]);
  await doAllJobs(server.app);
}

const waiting = async () => (await server.app.cassandra.client.execute('SELECT * FROM awaited_books')).rows;

describe('the list', () => {
  test('has the books by title, each once, with the data of the newest file', async () => {
    const { reader, done } = await imported(
      'Zebras at Night,Ann Lee,,,read',
      'Ärger,Bo Berg,,,to-read',
      'Chapter 10,Cy Coe,,mine,mine',
      'Chapter 2,Cy Coe,,,read',
      'Chapter 2,Dee Doe,,,read',
    );
    const newer = await untilImported(reader, fileOf('CHAPTER 2,C.y. Coe,,,currently-reading', 'Apart,Ann Lee,,,read'));
    const { nodes, count } = await unlistedOf(reader);
    const of = ({ id }: Import, line: number) => ({ libraryImport: { id }, line });
    expect(nodes).toEqual([
      { title: 'Apart', authors: ['Ann Lee'], status: 'READ', shelf: 'read', ...of(newer, 2) },
      { title: 'Ärger', authors: ['Bo Berg'], status: 'WANT_TO_READ', shelf: 'to-read', ...of(done, 2) },
      { title: 'CHAPTER 2', authors: ['C.y. Coe'], status: 'READING', shelf: 'currently-reading', ...of(newer, 1) },
      { title: 'Chapter 2', authors: ['Dee Doe'], status: 'READ', shelf: 'read', ...of(done, 5) },
      { title: 'Chapter 10', authors: ['Cy Coe'], status: null, shelf: 'mine', ...of(done, 3) },
      { title: 'Zebras at Night', authors: ['Ann Lee'], status: 'READ', shelf: 'read', ...of(done, 1) },
    ]);
    expect(count).toEqual({ value: 6, isExact: true });
    expect(await titlesOf(reader, 'status: READ')).toEqual(['Apart', 'Chapter 2', 'Zebras at Night']);

    const mapping = { importId: done.id, shelf: 'mine', becomes: 'GIVEN_UP' };
    await reader.mutate('mapImportShelf', mapping, '__typename');
    expect(await titlesOf(reader, 'status: GIVEN_UP')).toEqual(['Chapter 10']);
  });

  test.for([1, 2, 3, 7])('has the same pages of %i rows forwards and backwards', async (size) => {
    const lines = Array.from({ length: 8 }, (_, index) => `Page ${index % 5},Author ${index % 2},,,read`);
    const { reader } = await imported(...lines, ...lines.toReversed());
    const all = (await unlistedOf(reader)).nodes;
    expect(all).toHaveLength(8);

    const walk = async (backwards: boolean) => {
      const found: Unlisted[] = [];
      for (let cursor = ''; ;) {
        const { nodes, pageInfo } = await unlistedOf(
          reader,
          backwards
            ? `last: ${size}${cursor && `, before: "${cursor}"`}`
            : `first: ${size}${cursor && `, after: "${cursor}"`}`,
        );
        if (backwards) found.unshift(...nodes);
        else found.push(...nodes);
        if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return found;
        cursor = backwards ? pageInfo.startCursor : pageInfo.endCursor;
      }
    };
    expect(await walk(false)).toEqual(all);
    expect(await walk(true)).toEqual(all);
  });

  test('can be limited to one status, however many other books there are', async () => {
    const { reader, done } = await imported('The Only One,Ann Lee,,,to-read');
    const others = Array.from({ length: 10_000 }, (_, index) =>
      bind(unlistedLines.insert, {
        ...{ user_id: keyOf(reader.viewerId), title_sort: `a ${index}`, author_key: '', import_id: keyOf(done.id) },
        ...{ line: index + 2, begun_at: new Date(), title: 'A Book '.repeat(150), authors: [], shelf: null },
        ...{ status: 'READ', version: 1n },
      }),
    );
    for (const some of keysInParts(others)) await batch(server.app.cassandra, some);
    expect((await unlistedOf(reader, 'status: WANT_TO_READ')).nodes).toMatchObject([{ title: 'The Only One' }]);
    // They belong to no line.
    await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
    await doAllJobs(server.app);
  });

  test('is visible only to its reader', async () => {
    const { reader } = await imported('Mine Alone,Ann Lee,,,read');
    const other = await server.client().registerSomebody();
    const query = `{ node(id: "${reader.viewerId}") { ... on User { unlistedBooks { nodes { title } } } } }`;
    for (const client of [other, administrator, server.client()])
      expect((await client.data(query)).node.unlistedBooks).toBeNull();
  });
});

describe('a book that comes', () => {
  test.for([
    ['by its ISBN', isbnOf(979_700_000_001), 'Another Name', ['Ann Lee'], false],
    ['by another ISBN of it', isbnOf(979_700_000_011), 'Another Name', ['Ann Lee'], true],
    ['by title and author', isbnOf(979_700_000_021), 'Waited For (A Series, #1)', ['Ann Lee'], false],
  ] as const)('moves to the shelves, found %s', async ([how, isbn, title, authors, isOther]) => {
    const told = isOther ? isbnOf(979_700_000_012) : isbn;
    const name = how === 'by title and author' ? 'Waited for' : `A Book Found ${how}`;
    const { reader, done } = await imported(
      `${name},Ann Lee,${how === 'by title and author' ? '' : told},,read`,
      `Another Wait ${how},Ann Lee,,,to-read`,
    );
    expect(done.unlisted).toBe(2);

    await added({ isbn, title, authors: [...authors], ...(isOther && { otherIsbns: [told] }) });
    expect(await shelfOf(reader)).toEqual({ [title]: 'READ' });
    expect(await titlesOf(reader)).toEqual([`Another Wait ${how}`]);
    const { rows, matched, unlisted } = await importOf(reader, done.id);
    expect([rows[0]?.fate, rows[0]?.book?.id]).toEqual(['MATCHED', encodeId({ type: 'Book', key: isbn })]);
    expect([matched, unlisted]).toEqual([1, 1]);
  });

  test('by a catalogue file is found for all readers who wait for it', async () => {
    const readers = await Promise.all(
      [1, 2, 3].map((each) => imported(`From a File ${each},Ann Lee,,,read`, 'From a File,Bo Berg,,,to-read')),
    );
    const catalogue = join(inject('folder'), 'arrivals.csv');
    const lines = [1, 2, 3].map((each) => `7100000${each},,,Ann Lee,,,From a File ${each},,,`);
    await writeFile(catalogue, [NEEDED, ...lines, '71000009,,,Bo Berg,,,From a File,,,'].join('\n'));
    await importBooks(server.app, catalogue);
    await doAllJobs(server.app);

    for (const [index, { reader }] of readers.entries()) {
      expect(await shelfOf(reader)).toEqual({ [`From a File ${index + 1}`]: 'READ', 'From a File': 'WANT_TO_READ' });
      expect(await titlesOf(reader)).toEqual([]);
    }
  });

  test('by an edit of another book is also found', async () => {
    const [isbn, told] = [isbnOf(979_700_000_031), isbnOf(979_700_000_032)];
    await added({ isbn, title: 'Known Otherwise', authors: ['Ann Lee'] });
    const { reader } = await imported(`Known by Its Number,Ann Lee,${told},,read`);
    await administrator.mutate(
      'updateBook',
      { bookId: encodeId({ type: 'Book', key: isbn }), otherIsbns: [told] },
      '__typename',
    );
    await doAllJobs(server.app);
    expect(await shelfOf(reader)).toEqual({ 'Known Otherwise': 'READ' });
  });

  test.each([
    ['Salt and Light', 'Salt & Light', 979_700_000_033],
    ['Bread & Wine', 'Bread and Wine', 979_700_000_034],
  ])('with another word for "and" is found: %s is %s', async (told, title, digits) => {
    const { reader } = await imported(`${told},Ann Lee,,,read`);
    await added({ isbn: isbnOf(digits), title, authors: ['Ann Lee'] });
    expect(await shelfOf(reader)).toEqual({ [title]: 'READ' });
  });

  test('leaves the choice to the reader if several books match', async () => {
    const { reader, done } = await imported('Untold,,,,read');
    await added({ isbn: isbnOf(979_700_000_041), title: 'Untold', authors: ['Ann Lee'] });
    expect((await importOf(reader, done.id)).rows[0]).toMatchObject({ fate: 'AMBIGUOUS', candidates: [{}] });
    expect(await titlesOf(reader)).toEqual([]);

    const bookId = encodeId({ type: 'Book', key: isbnOf(979_700_000_041) });
    await reader.mutate('resolveImportRow', { importId: done.id, line: 1, bookId }, '__typename');
    expect((await importOf(reader, done.id)).rows[0]).toMatchObject({ fate: 'MATCHED', book: { id: bookId } });
    expect(await shelfOf(reader)).toEqual({ Untold: 'READ' });
  });

  test('is imported once for all lines of a reader that wait for it', async () => {
    const lines = Array.from({ length: 60 }, () => 'Waited For by Many,Ann Lee,,,read');
    const { reader, done } = await imported(...lines);
    let changes = 0;
    const cassandra = intercepted(server.app.cassandra, ({ cql, send }) => {
      if (cql.includes('readings_by_user ') && cql.includes(' IF ')) changes++;
      return send();
    });
    const isbn = isbnOf(979_700_000_045);
    await administrator.mutate('addBook', { isbn, title: 'Waited For by Many', authors: ['Ann Lee'] }, '__typename');
    await doAllJobs({ ...server.app, cassandra });
    expect(await shelfOf(reader)).toEqual({ 'Waited For by Many': 'READ' });
    expect(await importOf(reader, done.id)).toMatchObject({ matched: 20, notKept: 40, unlisted: 0, pending: 0 });
    expect(changes).toBe(1);
  });

  test('while the file is imported is found for every line', async () => {
    const titles = Array.from({ length: 30 }, (_, index) => `At Once ${index}`);
    const reader = await server.client().registerSomebody();
    const [done] = await Promise.all([
      untilImported(reader, fileOf(...titles.map((title) => `${title},Ann Lee,,,read`))),
      ...titles.map((title, index) => added({ isbn: isbnOf(979_710_000_000 + index), title, authors: ['Ann Lee'] })),
    ]);
    expect(await importOf(reader, done.id)).toMatchObject({ matched: 30, unlisted: 0 });
    expect(await titlesOf(reader)).toEqual([]);
  });
});

describe('a line waits no more', () => {
  test('after its import was undone, until the file is sent again', async () => {
    const line = 'Undone Before It Came,Ann Lee,,,read';
    const { reader, done } = await imported(line);
    await reader.mutate('undoImport', { importId: done.id }, '__typename');
    expect(await titlesOf(reader)).toEqual([]);
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ term: '=undonebeforeitcame' }));

    await added({ isbn: isbnOf(979_700_000_051), title: 'Undone Before It Came', authors: ['Ann Lee'] });
    expect(await shelfOf(reader)).toEqual({});
    await untilImported(reader, fileOf(line));
    expect(await shelfOf(reader)).toEqual({ 'Undone Before It Came': 'READ' });
  });

  test('if its import is undone while the book is added', async () => {
    const title = 'Undone Meanwhile';
    const { reader, done } = await imported(`${title},Ann Lee,,,read`);
    const [importId, isbn] = [keyOf(done.id), isbnOf(979_700_000_061)];
    const slow = {
      ...server.app,
      // The line is imported while its import is being undone.
      atCrashPoint: async (name: string) => {
        if (name === 'reading: after compare-and-set')
          await reader.mutate('undoImport', { importId: done.id }, '__typename');
      },
    };
    await administrator.mutate(
      'addBook',
      { isbn: isbnOf(979_700_000_062), title: 'Other', authors: ['A'] },
      '__typename',
    );
    await chooseBook(slow, importId, 1, isbnOf(979_700_000_062), () => undefined);
    await doJobsOf(slow, { type: 'LibraryImport', key: importId });
    expect(await importOf(reader, done.id)).toMatchObject({ status: 'UNDONE', pending: 1 });
    expect(await shelfOf(reader)).toEqual({});
    await added({ isbn, title, authors: ['Ann Lee'] });
    expect(await shelfOf(reader)).toEqual({});
  });

  test('after its reader has deleted the account', async () => {
    const { reader } = await imported('Waited for by a Ghost,Ann Lee,,,read');
    const isThere = async () => (await waiting()).some(({ term }) => term === '=waitedforbyaghost');
    expect(await isThere()).toBe(true);
    await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
    expect(await isThere()).toBe(false);
  });

  test('after the account was deleted while the file was imported', async () => {
    const reader = await server.client().registerSomebody();
    const caller = { viewerId: keyOf(reader.viewerId), sessionId: null, address: '127.0.0.1' };
    const [matching, erasing] = [
      heldUp(/INSERT INTO library_import_lines \(import_id, line, fate/),
      heldUp(/DELETE FROM library_import_lines/),
    ];
    const library = await readLibrary(fileOf('Matched Too Late,Ann Lee,,,read'), new Date());
    const importing = receiveLibrary(requestContext({ ...matching.app, requestId: 'slow' }, caller), library);
    await matching.reached;

    const { rows } = await server.app.cassandra.client.execute(
      'SELECT import_id FROM library_imports_by_user WHERE user_id = ?',
      [caller.viewerId],
    );
    const importId = String(rows[0]?.['import_id']);
    const forgetting = forgetImport(erasing.app, { importId });
    await erasing.reached;
    matching.resume();
    await importing;
    erasing.resume();
    await forgetting;
    const left = await waiting();
    expect(left.filter(({ import_id }) => String(import_id) === importId)).toEqual([]);
    await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
    await doAllJobs(server.app);
  });

  test('and nothing has drifted', async () => {
    expect((await audited(server.app, [importAudit, unlistedAudit])).drift).toEqual([]);
  });
});

/** Returns a server in this process that is paused before some statement until it is resumed. */
function heldUp(statement: RegExp) {
  const [reached, resumed] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
    if (statement.test(cql)) {
      reached.resolve(undefined);
      await resumed.promise;
    }
    return send();
  });
  const resume = () => {
    resumed.resolve(undefined);
  };
  onTestFinished(resume);
  return { app: { ...server.app, cassandra }, reached: reached.promise, resume };
}

test('a reader can have at most 100,000 lines', async () => {
  const { reader, done } = await imported('One of Many,Ann Lee,,,read');
  await imports.amend(server.app, { importId: keyOf(done.id) }, (state) =>
    Promise.resolve({ ...state, lines: 99_999 }),
  );
  expect((await untilImported(reader, fileOf('The Last,Ann Lee,,,read'))).unlisted).toBe(1);

  const refused = await reader.importMyLibrary(fileOf('One Too Many,Ann Lee,,,read'));
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('your imports would have 100001 lines, and the maximum is 100000. Undo');
  expect((await untilImported(reader, fileOf('The Last,Ann Lee,,,read'))).unlisted).toBe(1);
});

test('the audit restores missing rows, and removes surplus ones', async () => {
  const { reader } = await imported('Lost and Found,Ann Lee,,,read');
  const { client } = server.app.cassandra;
  const [row] = (await waiting()).filter(({ term }) => term === '=lostandfound');
  await client.execute('TRUNCATE awaited_books');
  await client.execute('TRUNCATE unlisted_books_by_user');
  const { drift } = await audited(server.app, [unlistedAudit], { repair: true });
  expect(new Set(drift.map(({ table }) => table))).toEqual(new Set(['awaited_books', 'unlisted_books_by_user']));
  expect(await waiting()).toContainEqual(row);
  expect(await titlesOf(reader)).toEqual(['Lost and Found']);

  const { import_id, line } = row!;
  await client.execute(
    'INSERT INTO awaited_books (term, import_id, line) VALUES (?, ?, ?) USING TIMESTAMP 1',
    ['=surplus', import_id, line],
    {
      prepare: true,
    },
  );
  // This row belongs to a deleted line.
  await client.execute(
    'INSERT INTO awaited_books (term, import_id, line) VALUES (?, ?, ?) USING TIMESTAMP 1234',
    ['=surplus', randomUUID(), 7],
    { prepare: true },
  );
  await audited(server.app, [unlistedAudit], { repair: true });
  expect(await waiting()).not.toContainEqual(expect.objectContaining({ term: '=surplus' }));
  expect((await audited(server.app, [unlistedAudit])).drift).toEqual([]);
});
