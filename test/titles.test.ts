import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { isbnOf } from './support/books.ts';
import { doJobs } from '../src/jobs/jobs.worker.ts';
import { sortKey } from '../src/text/sorting.ts';
import { HOUR_MS } from '../src/time/units.ts';
import { startServer } from './support/app.ts';
import { points, startSurvivor, type Survivor } from './support/crash.ts';
import type { Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';
import { storedIdOf } from './support/ids.ts';

/**
 * A change of a book's title, and of its other listed fields, reaches every row that has the former
 * values.
 */

let survivor: Survivor;
let administrator: Client;
let seller: Client;
let isbn = 978_000_000_100;

beforeAll(async () => {
  survivor = await startSurvivor();
  administrator = await registerAdministrator(survivor);
  seller = await survivor.client().registerSomebody();
});

async function addBook(title: string): Promise<string> {
  const { book, userErrors } = await administrator.mutate(
    'addBook',
    { isbn: isbnOf(++isbn), title, authors: ['Ann'] },
    'book { id }',
  );
  expect(userErrors).toEqual([]);
  return book.id as string;
}

async function listCopy(bookId: string, title?: string): Promise<string> {
  const input = { bookId, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD', ...(title && { title }) };
  return (await seller.mutate('listItem', input, 'item { id }')).item.id as string;
}

const retitle = (bookId: string, title: string, client = administrator) =>
  client.mutate('updateBook', { bookId, title }, 'book { title }');

const change = (bookId: string, changes: object) =>
  administrator.mutate('updateBook', { bookId, ...changes }, 'book { title }');

const priceOf = (amount: string) => ({ amount, currency: 'EUR' });

/** Reads the list of read books, with the fields of each book in its rows. */
async function readBy(reader: Client, orderBy: 'TITLE' | 'READ_AT'): Promise<object[]> {
  const { viewer } = await reader.data(
    `{ viewer { readBooks(orderBy: ${orderBy}, first: 100) { edges { title authors genres publisher } } } }`,
  );
  return viewer.readBooks.edges as object[];
}

/** Reads the titles in the rows of a seller's lists, and in those of a book. */
async function titlesForSale(ofSeller: Client, bookId: string) {
  const { viewer, node } = await ofSeller.data(
    `query ($id: ID!) { viewer { price: listings(orderBy: PRICE) { ...Titles } date: listings { ...Titles } }
                        node(id: $id) { ... on Book { copies { ...Titles } } } }
     fragment Titles on ItemConnection { edges { title node { title } } }`,
    { id: bookId },
  );
  const titles = (list: { edges: { title: string; node: { title: string } }[] }) => {
    for (const { title, node: copy } of list.edges) expect(title).toBe(copy.title);
    return list.edges.map(({ title }) => title);
  };
  return { price: titles(viewer.price), date: titles(viewer.date), copies: titles(node.copies) };
}

const titlesOf = async (reader: Client): Promise<string[]> => {
  const { viewer } = await reader.data('{ viewer { likes(first: 50) { edges { title } } } }');
  return viewer.likes.edges.map((edge: { title: string }) => edge.title);
};

async function untilNoJob(): Promise<void> {
  for (;;) {
    const { rowLength } = await survivor.app.cassandra.client.execute('SELECT kind FROM jobs');
    if (rowLength === 0) return;
    await doJobs(survivor.app);
  }
}

describe('a new title', () => {
  test('is in the likes of the book and of its copies, except copies with their own title', async () => {
    const book = await addBook('Former');
    const copies = [await listCopy(book), await listCopy(book, 'Signed by the author'), await listCopy(book)];
    const readers = await Promise.all([1, 2, 3].map(() => survivor.client().registerSomebody()));
    for (const reader of readers) for (const id of [book, ...copies]) await reader.like(id);
    await readers[2]!.unlike(book);
    await readers[2]!.unlike(copies[0]!);
    expect((await retitle(book, 'Latter')).book).toEqual({ title: 'Latter' });
    for (const reader of readers.slice(0, 2)) {
      expect(await titlesOf(reader)).toEqual(['Latter', 'Signed by the author', 'Latter', 'Latter']);
    }
    expect(await titlesOf(readers[2]!)).toEqual(['Latter', 'Signed by the author']);
    const { nodes } = await seller.data('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Item { title } } }', {
      ids: copies,
    });
    expect(nodes).toEqual([{ title: 'Latter' }, { title: 'Signed by the author' }, { title: 'Latter' }]);
  });

  test('is in the likes of copies that are no longer for sale', async () => {
    const book = await addBook('Former');
    const [sold, withdrawn] = [await listCopy(book), await listCopy(book)];
    const reader = await survivor.client().registerSomebody();
    for (const id of [sold, withdrawn]) await reader.like(id);
    await seller.mutate('markAsSold', { itemId: sold }, 'item { id }');
    await seller.mutate('withdrawItem', { itemId: withdrawn }, 'item { id }');
    await retitle(book, 'Latter');
    await untilNoJob();
    expect(await titlesOf(reader)).toEqual(['Latter', 'Latter']);
  });

  test('is in the lists of its copies, except copies with their own title', async () => {
    const own = await survivor.client().registerSomebody();
    const book = await addBook('Former');
    for (const title of [undefined, 'Signed by the author', undefined]) {
      const input = { bookId: book, price: priceOf('5'), condition: 'GOOD', title };
      expect((await own.mutate('listItem', input, 'item { id }')).userErrors).toEqual([]);
    }
    await retitle(book, 'Latter');
    await untilNoJob();
    const titles = ['Latter', 'Signed by the author', 'Latter'];
    expect(await titlesForSale(own, book)).toEqual({ price: titles, date: titles, copies: titles });
  });

  test('moves the book in the lists of read books, and updates its other fields there', async () => {
    const reader = await survivor.client().registerSomebody();
    const [moved, stays] = [await addBook('Alpha'), await addBook('Middle')];
    for (const bookId of [moved, stays]) await reader.mutate('markAsRead', { bookId }, 'book { id }');
    const middle = { title: 'Middle', authors: ['Ann'], genres: [], publisher: null };
    const alpha = { ...middle, title: 'Alpha' };
    expect(await readBy(reader, 'TITLE')).toEqual([alpha, middle]);
    expect(await readBy(reader, 'READ_AT')).toEqual([middle, alpha]);

    await change(moved, { title: 'Zeta' });
    await untilNoJob();
    expect(await readBy(reader, 'TITLE')).toEqual([middle, { ...alpha, title: 'Zeta' }]);
    const zeta = { title: 'Zeta', authors: ['Ben', 'Ann'], genres: ['Fantasy'], publisher: 'Tor' };
    await change(moved, { authors: zeta.authors, genres: zeta.genres, publisher: zeta.publisher });
    await untilNoJob();
    expect(await readBy(reader, 'TITLE')).toEqual([middle, zeta]);
    expect(await readBy(reader, 'READ_AT')).toEqual([middle, zeta]);

    await change(moved, { publisher: null });
    await untilNoJob();
    expect(await readBy(reader, 'TITLE')).toEqual([middle, { ...zeta, publisher: null }]);
    await reader.mutate('unmarkAsRead', { bookId: moved }, 'book { id }');
    expect(await readBy(reader, 'TITLE')).toEqual([middle]);
  });

  test('is in the list of a reader who marked the book meanwhile, and whom its job did not find', async () => {
    const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const slow = await startServer(survivor.app.config, {
      atCrashPoint: async (name) => {
        if (name !== 'reading: before readers') return;
        reached.resolve(undefined);
        await released.promise;
      },
    });
    const [book, other] = [await addBook('Alpha'), await addBook('Middle')];
    const reader = await survivor.client().registerSomebody();
    await reader.mutate('markAsRead', { bookId: other }, 'book { id }');
    const client = slow.client();
    client.token = reader.token;
    const marked = client.mutate('markAsRead', { bookId: book }, 'book { id }');
    await reached.promise;
    await retitle(book, 'Zeta');
    await untilNoJob();
    released.resolve(undefined);
    await marked;
    await untilNoJob();
    expect(await readBy(reader, 'TITLE')).toMatchObject([{ title: 'Middle' }, { title: 'Zeta' }]);
    // Nothing is left under the former title.
    const { rows } = await survivor.app.cassandra.client.execute('SELECT title_sort FROM books_read_by_user');
    expect(rows.map((row) => row['title_sort'] as string)).not.toContain('alpha');
  });

  test('at random, with concurrent readings, likes and sales: every list agrees with its books and copies', async () => {
    const act = fc.record({
      what: fc.constantFrom('READ', 'UNREAD', 'LIKE', 'UNLIKE', 'SELL', 'SOLD', 'PRICE', 'CHANGE', 'CHANGE'),
      book: fc.nat(3),
      reader: fc.nat(1),
      title: fc.constantFrom('Ant', 'ant', 'Bee', 'Ápe', 'Cat', 'Zebra'),
      rest: fc.constantFrom({}, { authors: ['Zoe', 'Ann'] }, { genres: ['Poetry'] }, { publisher: 'Tor' }),
      atOnce: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
        const books = await Promise.all(['Ant', 'Bee', 'Cat', 'Dog'].map(addBook));
        const readers = await Promise.all([1, 2].map(() => survivor.client().registerSomebody()));
        const copies: string[] = [];
        const under: Promise<unknown>[] = [];
        for (const { what, book, reader: number, title, rest, atOnce } of acts) {
          const [bookId, reader] = [books[book]!, readers[number]!];
          const copy = copies.at(-1);
          const done = {
            READ: () => reader.mutate('markAsRead', { bookId }, 'book { id }'),
            UNREAD: () => reader.mutate('unmarkAsRead', { bookId }, 'book { id }'),
            LIKE: () => reader.like(copy ?? bookId),
            UNLIKE: () => reader.unlike(copy ?? bookId),
            SELL: async () => {
              const input = { bookId, price: priceOf('5'), condition: 'GOOD' };
              copies.push((await readers[0]!.mutate('listItem', input, 'item { id }')).item.id as string);
            },
            SOLD: () => copy && readers[0]!.mutate('markAsSold', { itemId: copy }, 'item { id }'),
            PRICE: () =>
              copy && readers[0]!.mutate('changePrice', { itemId: copy, price: priceOf('7') }, 'item { id }'),
            CHANGE: () => change(bookId, { title, ...rest }),
          }[what]();
          if (atOnce) under.push(Promise.resolve(done));
          else await done;
        }
        await Promise.all(under);
        await untilNoJob();

        for (const reader of readers) {
          const { viewer } = await reader.data(
            `{ viewer {
                 likes { edges { title node { ... on Likeable { title } ... on Book { authors } } } }
                 read: likes { nodes { ... on Likeable { title } ... on Book { authors genres } } }
                 TITLE: readBooks { edges { ...Said } } READ_AT: readBooks(orderBy: READ_AT) { edges { ...Said } } } }
             fragment Said on ReadBookEdge { title authors genres publisher node { id title authors genres publisher } }`,
          );
          for (const [index, { title, node }] of viewer.likes.edges.entries()) {
            expect(title).toBe(node.title);
            // These books are read, because their genres are requested.
            expect(viewer.read.nodes[index]).toMatchObject(node);
          }
          for (const edges of [viewer.TITLE.edges, viewer.READ_AT.edges]) {
            for (const { node, ...said } of edges) expect(node).toMatchObject(said);
          }
          const ids = (list: { edges: { node: { id: string } }[] }) => list.edges.map(({ node }) => node.id);
          expect(ids(viewer.TITLE).toSorted()).toEqual(ids(viewer.READ_AT).toSorted());
          const sorted = viewer.TITLE.edges.map(({ title }: { title: string }) => sortKey(title));
          expect(sorted).toEqual(sorted.toSorted());
        }
        for (const book of books) await titlesForSale(readers[0]!, book);
      }),
      { numRuns: IS_FULL ? 6 : 1 },
    );
  });

  test('is in likes behind more likers than one page of work holds', async () => {
    const book = await addBook('Former');
    const copy = await listCopy(book);
    const { client } = survivor.app.cassandra;
    // Likers who never liked come before the reader.
    const liker = `INSERT INTO user_by_item (likeable_id, shard, liked, liked_at, user_id, version, full_name)
                   VALUES (?, 0, true, ?, ?, 1, 'Nobody')`;
    const at = new Date(Date.now() - HOUR_MS);
    for (const id of [book, copy]) {
      const ids = Array.from({ length: 201 }, () => survivor.app.randomId());
      await Promise.all(ids.map((each) => client.execute(liker, [storedIdOf(id), at, each], { prepare: true })));
    }
    const reader = await survivor.client().registerSomebody();
    await reader.like(book);
    await reader.like(copy);
    await retitle(book, 'Latter');
    await untilNoJob();
    expect(await titlesOf(reader)).toEqual(['Latter', 'Latter']);
  });

  test('is in a like that was decided before it, and that its job did not find among the likers', async () => {
    const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const slow = await startServer(survivor.app.config, {
      atCrashPoint: async (name) => {
        if (name !== 'like: before likers') return;
        reached.resolve(undefined);
        await released.promise;
      },
    });
    const book = await addBook('Former');
    const reader = await survivor.client().registerSomebody();
    const client = slow.client();
    client.token = reader.token;
    const liked = client.like(book);
    await reached.promise;
    await retitle(book, 'Latter');
    await untilNoJob();
    released.resolve(undefined);
    await liked;
    expect(await titlesOf(reader)).toEqual(['Latter']);
  });

  test('reaches likes that are made during the change, and the last of several titles is kept', async () => {
    for (let round = 0; round < (IS_FULL ? 4 : 2); round++) {
      const book = await addBook('Title');
      const readers = await Promise.all(Array.from({ length: 6 }, () => survivor.client().registerSomebody()));
      await Promise.all([
        ...readers.map((reader) => reader.like(book)),
        ...['One', 'Two', 'Three'].map((title) => retitle(book, title)),
      ]);
      await untilNoJob();
      const { node } = await seller.data('query ($id: ID!) { node(id: $id) { ... on Book { title } } }', { id: book });
      for (const reader of readers) expect(await titlesOf(reader), `round ${String(round)}`).toEqual([node.title]);
    }
  });
});

describe('updateBook, killed at every point', () => {
  const all = [
    ...points('book', ['compare-and-set', 'lists', 'retitle', 'relist']),
    ...['RETITLE: after page 1', 'RETITLE: after page 2', 'RELIST: after page 1'],
  ];

  test('the new title is everywhere, or nowhere', async () => {
    const reader = await survivor.client().registerSomebody();
    const books = new Map<string, string>();
    for (const point of all) {
      const book = await addBook('Former');
      books.set(point, book);
      await reader.like(book);
      await reader.like(await listCopy(book));
      await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
    }
    await survivor.crashAtEach(all, (client, point) => {
      client.token = administrator.token;
      return retitle(books.get(point)!, `New ${point}`, client);
    });
    const titles = await titlesOf(reader);
    const read = await readBy(reader, 'READ_AT');
    const byTitle = (await readBy(reader, 'TITLE')).map((said) => (said as { title: string }).title);
    expect(byTitle.map(sortKey)).toEqual(byTitle.map(sortKey).toSorted());
    expect(byTitle).toHaveLength(books.size);
    for (const [index, point] of [...books.keys()].reverse().entries()) {
      const isAbsent = point.endsWith('log') || point.endsWith('before compare-and-set');
      const title = isAbsent ? 'Former' : `New ${point}`;
      expect(titles.slice(2 * index, 2 * index + 2), point).toEqual([title, title]);
      expect(read[index], point).toMatchObject({ title });
    }
  });
});
