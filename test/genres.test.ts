import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { nameKey } from '../src/catalogue/name-key.ts';
import { removeBook } from '../src/catalogue/operations.ts';
import { registerAdministrator } from './support/accounts.ts';
import { isbnOf } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { points, startSurvivor, type Survivor } from './support/crash.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';

/**
 * The genres of books, and the number of books of each, for any changes, and when any server dies.
 */

const GENRES = ['Fantasy', 'War', 'Warhammer', 'Science Fiction', "Children's"] as const;

let survivor: Survivor;
let administrator: Client;
let isbn = 978_000_010_000;

beforeAll(async () => {
  survivor = await startSurvivor();
  administrator = await registerAdministrator(survivor);
});

async function addBook(genres: readonly string[], title = 'A book'): Promise<string> {
  const { book, userErrors } = await administrator.mutate(
    'addBook',
    { isbn: isbnOf(++isbn), title, authors: ['Ann'], genres },
    'book { id }',
  );
  expect(userErrors).toEqual([]);
  return book.id as string;
}

const setGenres = (bookId: string, genres: readonly string[], client = administrator) =>
  client.mutate('updateBook', { bookId, genres }, 'book { genres }');

async function booksOf(genre: string): Promise<Set<string>> {
  const edges = await survivor.client().allPages(7, 'forward', (args) =>
    survivor
      .client()
      .data(`query ($genre: String!) { books(genre: $genre, ${args}) { edges { cursor node { id } } ${PAGE_INFO} } }`, {
        genre,
      })
      .then(({ books }) => books),
  );
  expect(new Set(edges.map(({ node }) => node.id)).size).toBe(edges.length);
  return new Set(edges.map(({ node }) => node.id as string));
}

async function counts(): Promise<Map<string, number>> {
  const edges = await survivor.client().allPages(2, 'backward', (args) =>
    survivor
      .client()
      .data(`{ genres(${args}) { edges { cursor node { name bookCount } } ${PAGE_INFO} } }`)
      .then(({ genres }) => genres),
  );
  return new Map(edges.map(({ node }) => [node.name as string, node.bookCount as number]));
}

/** Waits until all genres are counted. */
async function untilCounted(): Promise<void> {
  for (;;) {
    const { rows } = await survivor.app.cassandra.client.execute('SELECT version, counted_version FROM genres');
    if (rows.every((row) => row['version'] === row['counted_version'])) return;
    await sleep(50);
  }
}

/**
 * Expects every genre to list exactly the books of a test that belong to it, and to have the right
 * count.
 */
async function expectBooks(made: readonly string[], genresOf: ReadonlyMap<string, readonly string[]>): Promise<void> {
  await untilCounted();
  const counted = await counts();
  for (const genre of GENRES) {
    const found = await booksOf(genre);
    expect(
      made.filter((id) => found.has(id)),
      genre,
    ).toEqual(made.filter((id) => genresOf.get(id)?.includes(genre)));
    expect(counted.get(genre) ?? 0, genre).toBe(found.size);
  }
}

const remove = (id: string) => removeBook(survivor.app, keyOf(id));

test('the sample’s genres have their counts, by name', async () => {
  await untilCounted();
  const counted = await counts();
  expect([...counted.keys()]).toEqual([...counted.keys()].toSorted());
  expect(counted.get('Fantasy')).toBe((await booksOf('fantasy')).size);
  expect(counted.get('Fantasy')).toBeGreaterThan(1);
});

test('random changes match a plain model: every genre has its books and their number', async () => {
  const someGenres = fc.subarray([...GENRES]);
  const aStep = fc.oneof(
    fc.record({ add: someGenres }),
    fc.record({ book: fc.nat(), genres: someGenres }),
    fc.record({ remove: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 20 }), async (steps) => {
      const made: string[] = [];
      const model = new Map<string, readonly string[]>();
      for (const step of steps) {
        const book = [...model.keys()][('book' in step ? step.book : 'remove' in step ? step.remove : 0) % model.size];
        if ('add' in step) {
          const id = await addBook(step.add);
          made.push(id);
          model.set(id, step.add);
        } else if (book !== undefined && 'book' in step) {
          expect((await setGenres(book, step.genres)).book.genres).toEqual(step.genres);
          model.set(book, step.genres);
        } else if (book !== undefined) {
          expect(await remove(book)).toBe(true);
          model.delete(book);
        }
      }
      await expectBooks(made, model);
    }),
    { numRuns: runs(8) },
  );
});

describe('updateBook, killed at every point', () => {
  test('the book is in the lists of its former genres, or in those of its new ones, and all are counted', async () => {
    const all = points('book', ['compare-and-set', 'lists', 'genres']);
    const books = new Map<string, string>();
    for (const point of all) books.set(point, await addBook(['Fantasy', 'War']));
    await survivor.crashAtEach(all, (client, point) => {
      client.token = administrator.token;
      return setGenres(books.get(point)!, ['War', 'Warhammer'], client);
    });
    const isAbsent = (point: string) => point.endsWith('log') || point.endsWith('before compare-and-set');
    await expectBooks(
      [...books.values()],
      new Map([...books].map(([point, id]) => [id, isAbsent(point) ? ['Fantasy', 'War'] : ['War', 'Warhammer']])),
    );
  });
});

test('names that differ only by a sign are different genres and authors, but names that differ only by spaces are the same', async () => {
  const names = ['C', 'C++', 'C#', '.NET', 'NET', 'R&B', 'RB', 'A*', 'A', 'F♯', 'F'];
  const id = await addBook(names.slice(0, 9));
  const { node } = await survivor
    .client()
    .data('query ($id: ID!) { node(id: $id) { ... on Book { genres } } }', { id });
  expect(node.genres).toEqual(names.slice(0, 9));
  const books = new Map<string, string>();
  for (const name of names) books.set(name, await addBook([name], `Of ${name}`));
  await untilCounted();
  const counted = await counts();
  for (const name of names) {
    const found = await booksOf(name);
    expect(
      [...books].filter(([, book]) => found.has(book)).map(([each]) => each),
      name,
    ).toEqual([name]);
    expect(counted.get(name), name).toBe(found.size);
  }
  for (const [one, other] of [
    ['Sci-Fi', 'sci fi'],
    ['Ch. Fiction', 'ch fiction'],
    ['Ｃ＋＋', 'c++'],
    ['ハリー・ポッター', 'ハリーポッター'],
  ] as const)
    expect(nameKey(one)).toBe(nameKey(other));
  expect(nameKey('—')).not.toBe('');
});
