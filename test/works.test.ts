import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { importBooks } from '../src/catalogue/import.ts';
import { removeBook } from '../src/catalogue/operations.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { importSample, isbnOf, NEEDED, ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { jsonRows } from '../tools/support/patience.ts';
import { statementsOf } from '../tools/support/statements.ts';

/** Works and their editions. A book points to its work, and this has no other effect. */

let server: TestServer;
let administrator: Client;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
  await importSample(server.app, 20);
});

const workIdOf = (key: string) => encodeId({ type: 'Work', key });

const isbns = (function* () {
  for (let digits = 979_300_000_000; ; digits++) yield isbnOf(digits);
})();
const newIsbn = () => isbns.next().value;

async function addBook(title: string, more: object = {}): Promise<string> {
  const input = { isbn: newIsbn(), title, authors: ['Ann Lee'], ...more };
  const { book, userErrors } = await administrator.mutate('addBook', input, 'book { id }');
  expect(userErrors).toEqual([]);
  return book.id as string;
}

const update = (bookId: string, changes: object) =>
  administrator.mutate('updateBook', { bookId, ...changes }, 'book { id }');

/** Returns the shown fields of a book's work. */
async function workOf(bookId: string): Promise<{ id: string; title: string | null; editions: string[] }> {
  const query =
    '($id: ID!) { node(id: $id) { ... on Book { work { id title editions(first: 100) { nodes { id } } } } } }';
  const { node } = await server.client().data(`query ${query}`, { id: bookId });
  return { ...node.work, editions: node.work.editions.nodes.map(({ id }: { id: string }) => id) };
}

const find = async (isbn: string) =>
  (await server.client().data('query ($isbn: String!) { book(isbn: $isbn) { id } }', { isbn })).book;

describe('a book of the sample', () => {
  test('has the work of its source, with the original title', async () => {
    const { id } = await find('9780439554930');
    expect(await workOf(id)).toEqual({
      id: workIdOf('goodreads-work-4640799'),
      title: "Harry Potter and the Philosopher's Stone",
      editions: [id],
    });
  });

  test('can be found by its number, and by the number of the edition that represents its work', async () => {
    const file = join(inject('folder'), 'other-best.csv');
    const header = NEEDED.replace('goodreads_book_id,', 'goodreads_book_id,best_book_id,work_id,');
    await writeFile(file, `${header}\n700000001,700000002,700000003,,,Bo,,,A title,,,\n`);
    await importBooks(server.app, file);

    const rows = (await jsonRows(server.app.cassandra.client, 'book_by_source')).map(
      (row) => JSON.parse(row) as object,
    );
    for (const number of ['700000001', '700000002'])
      expect(rows).toContainEqual({ source_id: `goodreads:${number}`, book_id: 'goodreads-700000001' });
    const { work } = (
      await server
        .client()
        .data(
          `{ node(id: "${encodeId({ type: 'Book', key: 'goodreads-700000001' })}") { ... on Book { work { id } } } }`,
        )
    ).node;
    expect(work.id).toBe(workIdOf('goodreads-work-700000003'));

    await writeFile(file, `${NEEDED}\n700000001,,,Bo,,,A title,,,\n`);
    await importBooks(server.app, file);
    expect(await jsonRows(server.app.cassandra.client, 'book_by_source')).toHaveLength(rows.length);
  });

  test('keeps its work if a file without that column is imported again', async () => {
    const [bookId = ''] = await ownBooks(server.app, 1);
    const other = await addBook('The first one');
    await update(bookId, { workId: (await workOf(other)).id });

    const number = keyOf(bookId).replace('goodreads-', '');
    const file = join(inject('folder'), 'again.csv');
    await writeFile(file, `${NEEDED}\n${number},,,An Author,,,Another title,,,\n`);
    await importBooks(server.app, file);
    expect((await workOf(bookId)).id).toBe((await workOf(other)).id);
  });
});

describe('the work of a book', () => {
  test('is its own work at first, named by its title', async () => {
    const bookId = await addBook('Alone');
    expect(await workOf(bookId)).toEqual({ id: workIdOf(keyOf(bookId)), title: 'Alone', editions: [bookId] });
  });

  test('can be joined and left again by editions, which keep all likes and readings', async () => {
    const [german, english] = [await addBook('Der Turm'), await addBook('The Tower', { originalTitle: 'Der Turm' })];
    const reader = await server.client().registerSomebody();
    await reader.like(german);
    await reader.like(english);
    await reader.mutate('markAsRead', { bookId: english }, 'book { id }');
    const apart = await workOf(english);

    const { id: workId } = await workOf(german);
    await update(english, { workId });
    expect(await workOf(english)).toEqual(await workOf(german));
    expect((await workOf(german)).editions.toSorted()).toEqual([german, english].toSorted());
    const { node } = await server.client().data(`{ node(id: "${apart.id}") { id } }`);
    expect(node).toBeNull();

    await update(english, { workId: null });
    expect(await workOf(english)).toEqual(apart);
    expect((await workOf(german)).editions).toEqual([german]);
    const fields = '... on Book { likeTally { count isExact } viewerHasLiked viewerReading { status } }';
    const { nodes } = await reader.data(`query ($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } }`, {
      ids: [german, english],
    });
    const liked = { likeTally: { count: 1, isExact: true }, viewerHasLiked: true };
    expect(nodes).toMatchObject([
      { ...liked, viewerReading: null },
      { ...liked, viewerReading: { status: 'READ' } },
    ]);
  });

  test('is the work of the books it was joined with and not separated from, whichever of them is separated', async () => {
    const step = fc.record({ book: fc.nat(4), joins: fc.option(fc.nat(4)) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 8 }), async (steps) => {
        const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => addBook(`Book ${index}`)));
        /** The number of the part to which each book belongs. */
        const parts = ids.map((_, index) => index);
        for (const [at, { book, joins }] of steps.entries()) {
          const workId = joins === null ? null : (await workOf(ids[joins]!)).id;
          expect((await update(ids[book]!, { workId })).userErrors).toEqual([]);
          parts[book] = joins === null ? ids.length + at : parts[joins]!;
        }

        const works = await Promise.all(ids.map(workOf));
        for (const [index, work] of works.entries()) {
          const together = ids.filter((_, other) => parts[other] === parts[index]);
          expect(work.editions.toSorted()).toEqual(together.toSorted());
          expect((await server.client().data(`{ node(id: "${work.id}") { id } }`)).node).toEqual({ id: work.id });
        }
      }),
      { numRuns: IS_FULL ? 8 : 2, endOnFailure: true },
    );
  });

  test('is a node, with pages of editions, most popular first', async () => {
    const popular = (await find('9780439023481')).id as string;
    const { id: workId } = await workOf(popular);
    const others = [await addBook('One', { workId }), await addBook('Two', { workId })];
    const query = `query ($after: String) { node(id: "${workId}") { __typename ... on Work {
      title editions(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } count { value isExact } }
    } } }`;
    const { node: first } = await server.client().data(query);
    expect(first).toMatchObject({ __typename: 'Work', title: 'The Hunger Games' });
    expect(first.editions.count).toEqual({ value: 3, isExact: true });
    expect(first.editions.nodes[0].id).toBe(popular);
    const { node: second } = await server.client().data(query, { after: first.editions.pageInfo.endCursor });
    const ids = [...first.editions.nodes, ...second.editions.nodes].map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual([popular, ...others].toSorted());
    expect(second.editions.pageInfo.hasNextPage).toBe(false);
  });

  test('has no edition that was removed, which a reading still shows', async () => {
    const bookId = await addBook('Gone');
    const reader = await server.client().registerSomebody();
    await reader.mutate('markAsRead', { bookId }, 'book { id }');
    const { id } = await workOf(bookId);
    await removeBook(server.app, keyOf(bookId));

    const read = await reader.data(
      '{ viewer { readBooks { nodes { title work { id title editions { nodes { id } } } } } } }',
    );
    expect(read.viewer.readBooks.nodes).toEqual([
      { title: 'Gone', work: { id, title: null, editions: { nodes: [] } } },
    ]);
    expect((await server.client().data(`{ node(id: "${id}") { id } }`)).node).toBeNull();
  });

  test('needs the same number of statements for a page of many books as for few', async () => {
    const cost = async (first: number) => {
      const page = () => server.client().data(`{ books(first: ${first}) { nodes { work { title } } } }`);
      await page();
      return [...(await statementsOf(server, page))].filter(([label]) => label.includes('editions_by_work'));
    };
    expect(await cost(20)).toEqual(await cost(2));
  });
});

describe('another ISBN of a book', () => {
  test('finds the book until it is taken away', async () => {
    const [isbn, other] = [newIsbn(), newIsbn()];
    const hyphened = `${isbn.slice(0, 3)}-${isbn.slice(3)}`;
    const bookId = await addBook('Twice', { otherIsbns: [hyphened, isbn, other] });
    expect(await find(isbn)).toEqual({ id: bookId });
    expect(await find(other)).toEqual({ id: bookId });
    const { node } = await server.client().data(`{ node(id: "${bookId}") { ... on Book { otherIsbns } } }`);
    expect(node.otherIsbns).toEqual([isbn, other]);

    await update(bookId, { otherIsbns: [other] });
    expect(await find(isbn)).toBeNull();
    expect(await find(other)).toEqual({ id: bookId });
    await update(bookId, { otherIsbns: null });
    expect(await find(other)).toBeNull();
  });

  test('ranks after an edition that has it as its own ISBN', async () => {
    const isbn = newIsbn();
    const bookId = await addBook('By mistake', { otherIsbns: [isbn] });
    expect(await find(isbn)).toEqual({ id: bookId });
    const own = await addBook('The one', { isbn });
    expect(await find(isbn)).toEqual({ id: own });
  });

  test.each([
    ['a wrong check digit', { otherIsbns: ['9780439023482'] }, 'otherIsbns'],
    ['too many of them', { otherIsbns: Array.from({ length: 21 }, newIsbn) }, 'otherIsbns'],
    ['the id of a book as a work', { workId: encodeId({ type: 'Book', key: '9780439023481' }) }, 'workId'],
  ])('%s is refused, and nothing is changed', async (_what, changes, field) => {
    const bookId = await addBook('As it was');
    const refused = await update(bookId, { title: 'Changed', ...changes });
    expect(refused.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', field] }]);
    const { node } = await server.client().data(`{ node(id: "${bookId}") { ... on Book { title } } }`);
    expect(node.title).toBe('As it was');
  });
});

test('a lost row and a surplus row are found by the audit, and repaired', async () => {
  const { app } = server;
  const bookId = keyOf(await addBook('Audited', { otherIsbns: [newIsbn()] }));
  const [isbn] = await rowsAbout('editions_by_isbn', bookId);
  await app.cassandra.client.execute(
    'DELETE FROM editions_by_isbn USING TIMESTAMP 1 WHERE isbn = ?',
    [isbn?.['isbn']],
    {
      prepare: true,
    },
  );
  await app.cassandra.client.execute(
    'INSERT INTO editions_by_work (work_id, popularity, book_id) VALUES (?, 7, ?) USING TIMESTAMP 1',
    ['goodreads-work-1', bookId],
    { prepare: true },
  );

  const { drift } = await audited(app, [auditOf('books')], { repair: true });
  expect(new Set(drift.map(({ table }) => table))).toEqual(new Set(['editions_by_isbn', 'editions_by_work']));
  expect((await audited(app, [auditOf('books')])).drift).toEqual([]);
  expect(await rowsAbout('editions_by_isbn', bookId)).toEqual([isbn]);
  expect(await rowsAbout('editions_by_work', bookId)).toEqual([{ work_id: bookId, popularity: 0, book_id: bookId }]);
});

async function rowsAbout(table: string, bookId: string) {
  const rows = (await jsonRows(server.app.cassandra.client, table)).map(
    (row) => JSON.parse(row) as Record<string, unknown>,
  );
  return rows.filter((row) => row['book_id'] === bookId);
}
