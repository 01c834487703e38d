import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { isbnOf } from './support/books.ts';
import { doJobs } from '../src/jobs/jobs.worker.ts';
import { startServer } from './support/app.ts';
import { startSurvivor, type Survivor } from './support/crash.ts';
import type { Client } from './support/client.ts';

/** A new title of a book comes into everything that shows the former one. */

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
  test('is in the likes of the book and of its copies that are called so, not of one with a title of its own', async () => {
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

  test('is in likes behind more rows than one page of work holds', async () => {
    const book = await addBook('Former');
    const copy = await listCopy(book);
    const reader = await survivor.client().registerSomebody();
    for (let time = 0; time < 205; time++) {
      await reader.like(book);
      await reader.unlike(book);
    }
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

  test('reaches likes that come while it is given, and of several the last one stays', async () => {
    for (let round = 0; round < 10; round++) {
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
  const all = ['log', 'compare-and-set', 'lists', 'job', 'complete']
    .flatMap((step) => [`book: before ${step}`, `book: after ${step}`])
    .concat('RETITLE: after page 1');

  test('the new title is everywhere, or nowhere', async () => {
    const reader = await survivor.client().registerSomebody();
    const books = new Map<string, string>();
    for (const point of all) {
      const book = await addBook('Former');
      books.set(point, book);
      await reader.like(book);
      await reader.like(await listCopy(book));
    }
    await survivor.crashAtEach(all, (client, point) => {
      client.token = administrator.token;
      return retitle(books.get(point)!, `New ${point}`, client);
    });
    const titles = await titlesOf(reader);
    for (const [index, point] of [...books.keys()].reverse().entries()) {
      const isAbsent = point.endsWith('log') || point.endsWith('before compare-and-set');
      const title = isAbsent ? 'Former' : `New ${point}`;
      expect(titles.slice(2 * index, 2 * index + 2), point).toEqual([title, title]);
    }
  });
});
