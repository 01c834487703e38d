import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { fillSeries } from '../src/catalogue/aggregate.ts';
import { importBooks } from '../src/catalogue/import.ts';
import { removeBook } from '../src/catalogue/operations.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { importSample, isbnOf, NEEDED, ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
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

describe('a description', () => {
  const descriptionOf = async (id: string) =>
    (await server.client().data(`{ node(id: "${id}") { ... on Book { description } } }`)).node.description;

  test('is shown wherever its book is, and can be changed and removed', async () => {
    const description = 'A man  reads.\r\n\n\nHe rides.';
    const shown = 'A man reads.\n\nHe rides.';
    const bookId = await addBook('Described Quux', { description });
    expect(await descriptionOf(bookId)).toBe(shown);
    const { books } = await server.client().data('{ books(query: "described quux") { nodes { title description } } }');
    expect(books.nodes).toEqual([{ title: 'Described Quux', description: shown }]);
    const { rows } = await server.app.cassandra.client.execute('SELECT JSON * FROM books_by_word');
    expect(JSON.stringify(rows)).not.toContain('He rides');

    await update(bookId, { title: 'Described Again' });
    expect(await descriptionOf(bookId)).toBe(shown);
    await update(bookId, { description: null });
    expect(await descriptionOf(bookId)).toBeNull();
  });

  test.each([[' \n '], ['\u202E'], ['x'.repeat(5_001)]])('is not %j', async (description) => {
    const refused = await update(await addBook('As it was'), { description });
    expect(refused.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'description'] }]);
  });
});

/** Returns the books of a series with their positions; null if there is no such series. */
async function seriesNamed(name: string, args = 'first: 100') {
  const books = `books(${args}) { edges { cursor position node { title } } ${PAGE_INFO} }`;
  const query = `query ($name: String!) { series(name: $name) { name ${books} } }`;
  return (await server.client().data(query, { name })).series;
}
const placesIn = async (name: string): Promise<[title: string, position: string | null][] | null> =>
  (await seriesNamed(name))?.books.edges.map(({ node, position }: Edge) => [node.title, position]) ?? null;
interface Edge {
  readonly node: { readonly title: string };
  readonly position: string | null;
}
const seriesOf = async (id: string) => {
  const fields = '... on Book { series { series { name } position } }';
  return (await server.client().data(`{ node(id: "${id}") { ${fields} } }`)).node.series;
};

describe('a series', () => {
  test('has the books whose titles name it, in any spelling', async () => {
    expect((await seriesNamed('the HUNGER games')).name).toBe('The Hunger Games');
    expect((await placesIn('The Hunger-Games'))?.map(([, position]) => position)).toEqual(['1', '2', '3']);
    const { id } = await find('9780439023481');
    expect(await seriesOf(id)).toEqual([{ series: { name: 'The Hunger Games' }, position: '1' }]);

    const titles: [suffix: string, series: string, position: string][] = [
      ['(Nine Lives #9)', 'Nine Lives', '9'],
      ['(Other, #2; Ten (of) Lives, # 1)', 'Other', ''],
      ['(Other Lives, #2; Ten Lives, # 01.50)', 'Ten Lives', '1.5'],
      ['[Eleven Lives, #1–3 + 4]', 'Eleven Lives', '1-3'],
      ['(Memory, Sorrow, and Lives, #3; Part 2)', 'Memory, Sorrow, and Lives', '3'],
      ['(Penguin Lives)', 'Penguin Lives', ''],
      ['(Number Lives #one)', 'Number Lives', ''],
      ['(Back Lives, #3-1)', 'Back Lives', ''],
      ['(#1)', '1', ''],
    ];
    for (const [suffix, series, position] of titles) {
      const title = `A life ${suffix}`;
      await addBook(title);
      expect(await placesIn(series), title).toEqual(position === '' ? null : [[title, position]]);
    }
  });

  test('has the books that administrators give it, in order, whatever their titles name', async () => {
    const name = 'Given Series';
    const add = (title: string, position?: string) => addBook(title, { series: [{ name, position }] });
    const second = await add('Second (Named Series, #7)', '2');
    await add('Without number');
    await add('All of them', '1-3.5');
    const first = await add('First', '1');
    await add('Between', ' 1.25 ');
    const order = ['First', 'All of them', 'Between', 'Second (Named Series, #7)', 'Without number'];
    expect((await placesIn(name))?.map(([title]) => title)).toEqual(order);
    expect((await placesIn(name))?.map(([, position]) => position)).toEqual(['1', '1-3.5', '1.25', '2', null]);
    for (const direction of ['forward', 'backward'] as const) {
      const pages = await server.client().allPages(2, direction, async (args) => (await seriesNamed(name, args)).books);
      expect(pages.map((edge) => (edge as unknown as Edge).node.title)).toEqual(order);
    }
    expect(await placesIn('Named Series')).toBeNull();

    await update(second, { series: null });
    expect(await placesIn('Named Series')).toEqual([['Second (Named Series, #7)', '7']]);
    await update(second, { title: 'Second (Renamed Series, #8)' });
    expect(await placesIn('Named Series')).toBeNull();
    expect(await placesIn('Renamed Series')).toEqual([['Second (Renamed Series, #8)', '8']]);
    await update(second, { series: [{ name, position: '2' }, { name: name.toUpperCase() }, { name: 'S' }] });
    expect(await placesIn('Renamed Series')).toBeNull();
    expect(await seriesOf(second)).toEqual([
      { series: { name }, position: '2' },
      { series: { name: 'S' }, position: null },
    ]);
    await update(second, { series: [] });
    expect(await seriesOf(second)).toEqual([{ series: { name: 'Renamed Series' }, position: '8' }]);
    await removeBook(server.app, keyOf(first));
    expect((await placesIn(name))?.map(([title]) => title)).toEqual(['All of them', 'Between', 'Without number']);
    expect((await audited(server.app, [auditOf('books')])).drift).toEqual([]);
  });

  test('of books from before there were series is filled by the move of the migration', async () => {
    const places = await placesIn('Harry Potter');
    expect(places).toHaveLength(2);
    const lost = "DELETE FROM books_by_series USING TIMESTAMP 1 WHERE series = 'harrypotter'";
    await server.app.cassandra.client.execute(lost);
    expect(await placesIn('Harry Potter')).toBeNull();

    let position: string | undefined = '';
    while (position !== undefined) position = await fillSeries(server.app, '0014-series', position, '');
    expect(await placesIn('Harry Potter')).toEqual(places);
  });

  test.each([
    ['a position that is no number', [{ name: 'S', position: 'first' }], '0.position'],
    ['positions the wrong way round', [{ name: 'S' }, { name: 'T', position: '3-1' }], '1.position'],
    ['a name without a letter', [{ name: '#!' }], '0.name'],
    ['too many of them', Array.from({ length: 11 }, (_, index) => ({ name: `S ${index}` })), ''],
    ['a name that is too long', [{ name: 'x'.repeat(201) }], '0.name'],
  ])('is not given to a book with %s', async (_what, series, at) => {
    const refused = await update(await addBook('As it was'), { series });
    expect(refused.userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: `input.series.${at}`.split('.').filter(Boolean) },
    ]);
  });

  test('or an author without a letter in the name is refused', async () => {
    for (const field of ['series', 'author'])
      for (const name of ['', '#!', 'x'.repeat(201)])
        expect(await server.client().errorCode(`{ ${field}(name: "${name}") { name } }`)).toBe('BAD_USER_INPUT');
  });
});

describe('an author', () => {
  const authorNamed = async (name: string) => {
    const query = 'query ($name: String!) { author(name: $name) { name books { nodes { title } } } }';
    return (await server.client().data(query, { name })).author;
  };

  test('has the books that name them in any spelling, and only these', async () => {
    const rowling = await authorNamed('jk rowling');
    expect(rowling.name).toBe('J.K. Rowling');
    expect(rowling.books.nodes[0].title).toBe("Harry Potter and the Sorcerer's Stone (Harry Potter, #1)");
    expect(await authorNamed('Rowling')).toBeNull();

    const bookId = await addBook('A book of two', { authors: ['Zoë Quux', 'Ann Lee'] });
    expect(await authorNamed('zoe quux')).toEqual({ name: 'Zoë Quux', books: { nodes: [{ title: 'A book of two' }] } });
    await update(bookId, { authors: ['Ann Lee'] });
    expect(await authorNamed('Zoë Quux')).toBeNull();
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
