import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { isbnOf } from './support/books.ts';
import type { Client } from './support/client.ts';
import { doAllJobs } from './support/jobs.ts';
import { importOf, untilImported, type Import } from './support/library-imports.ts';

/** Lines of imports for which the reader later chooses another book or none. */

let server: TestServer;
let administrator: Client;
let [camus, coben, other]: readonly string[] = [];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
  camus = await addBook('The Stranger', 'Albert Camus', 1);
  coben = await addBook('The Stranger', 'Harlan Coben', 2);
  other = await addBook('Other', 'Ann Lee', 3);
});

async function addBook(title: string, author: string, digits: number): Promise<string> {
  const input = { isbn: isbnOf(979_800_000_000 + digits), title, authors: [author] };
  const { book, userErrors } = await administrator.mutate('addBook', input, 'book { id }');
  expect(userErrors).toEqual([]);
  await doAllJobs(server.app);
  return book.id;
}

const HEADER = 'Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf,My Review';
const fileOf = (...lines: string[]) => Buffer.from([HEADER, ...lines].join('\n'));
/** It may be about two books. */
const AMBIGUOUS = 'The Stranger,,4,2020/01/02,read,read,As I said';
const BY_CAMUS = 'The Stranger,Albert Camus,4,2020/01/02,read,read,As I said';

async function imported(...lines: string[]): Promise<{ reader: Client; done: Import }> {
  const reader = await server.client().registerSomebody();
  const { id } = await untilImported(reader, fileOf(...lines));
  await reader.mutate('publishImportedReviews', { importId: id }, '__typename');
  return { reader, done: await importOf(reader, id) };
}

/** Chooses the book of a line, and returns the import after that. */
async function resolve(reader: Client, importId: string, line: number, bookId?: string | null): Promise<Import> {
  const { userErrors } = await reader.mutate('resolveImportRow', { importId, line, bookId }, '__typename');
  expect(userErrors).toEqual([]);
  return importOf(reader, importId);
}

/** Returns the reader's data about a book. */
async function libraryOf(reader: Client, bookId: string | undefined): Promise<unknown> {
  const { node } = await reader.data(
    `query ($bookId: ID!) { node(id: $bookId) { ... on Book {
      viewerRating viewerReview { text } viewerReading { status readings { finishedOn } }
    } } }`,
    { bookId },
  );
  const { status = null, readings = [] } = node.viewerReading ?? {};
  const days = readings.map(({ finishedOn }: { finishedOn: string }) => finishedOn);
  return [status, days, node.viewerRating, node.viewerReview?.text ?? null];
}

const BROUGHT = ['READ', ['2020-01-02'], 4, 'As I said'];
const NOTHING = [null, [], null, null];

async function unlistedOf(reader: Client): Promise<unknown> {
  const { viewer } = await reader.data('{ viewer { unlistedBooks { nodes { title status } } } }');
  return viewer.unlistedBooks.nodes;
}

describe('a line that the reader resolves once more', () => {
  test('can be moved from one candidate to another, and back', async () => {
    const { reader, done } = await imported(AMBIGUOUS);
    await resolve(reader, done.id, 1, camus);
    for (const [chosen, left] of [
      [coben, camus],
      [camus, coben],
    ]) {
      const { rows, matched } = await resolve(reader, done.id, 1, chosen);
      expect(matched).toBe(1);
      expect(rows[0]).toMatchObject({ fate: 'MATCHED', book: { id: chosen }, candidates: [{}, {}] });
      expect([await libraryOf(reader, chosen), await libraryOf(reader, left)]).toEqual([BROUGHT, NOTHING]);
    }
  });

  test('can be moved from the book that it was matched with to any other one', async () => {
    const { reader, done } = await imported(BY_CAMUS);
    expect(await libraryOf(reader, camus)).toEqual(BROUGHT);
    await resolve(reader, done.id, 1, other);
    expect([await libraryOf(reader, other), await libraryOf(reader, camus)]).toEqual([BROUGHT, NOTHING]);

    await untilImported(reader, fileOf(BY_CAMUS));
    expect([await libraryOf(reader, other), await libraryOf(reader, camus)]).toEqual([BROUGHT, NOTHING]);
    await reader.mutate('undoImport', { importId: done.id }, '__typename');
    expect([await libraryOf(reader, other), await libraryOf(reader, camus)]).toEqual([NOTHING, NOTHING]);
  });

  test('may be about no book, and is not matched with the same one again', async () => {
    const line = 'Refused,Ann Lee,4,2020/01/02,read,read,As I said';
    const bookId = await addBook('Refused', 'Ann Lee', 11);
    const { reader, done } = await imported(line);
    expect(await libraryOf(reader, bookId)).toEqual(BROUGHT);
    const { rows, unlisted } = await resolve(reader, done.id, 1, null);
    expect(unlisted).toBe(1);
    const refused = { fate: 'UNLISTED', book: null, candidates: [{ id: bookId }] };
    expect(rows[0]).toMatchObject({ ...refused, reason: 'You chose none of the suggested books.' });
    expect(await libraryOf(reader, bookId)).toEqual(NOTHING);
    expect(await unlistedOf(reader)).toEqual([{ title: 'Refused', status: 'READ' }]);

    await administrator.mutate('updateBook', { bookId, otherIsbns: [isbnOf(979_800_000_012)] }, '__typename');
    await doAllJobs(server.app);
    expect((await untilImported(reader, fileOf(line))).rows[0]).toMatchObject(refused);
    const another = await addBook('Refused', 'Ann Lee', 13);
    expect((await importOf(reader, done.id)).rows[0]).toMatchObject({
      fate: 'AMBIGUOUS',
      candidates: [{ id: another }],
    });

    const none = (await resolve(reader, done.id, 1, null)).rows[0];
    expect(none).toMatchObject({ fate: 'UNLISTED', book: null, candidates: [{}, {}] });
    expect(none?.candidates).toEqual(expect.arrayContaining([{ id: bookId }, { id: another }]));
    expect([await libraryOf(reader, bookId), await libraryOf(reader, another)]).toEqual([NOTHING, NOTHING]);
    await doAllJobs(server.app);
    expect(await unlistedOf(reader)).toEqual([{ title: 'Refused', status: 'READ' }]);
    expect((await resolve(reader, done.id, 1, bookId)).rows[0]).toMatchObject({ fate: 'MATCHED' });
    expect(await libraryOf(reader, bookId)).toEqual(BROUGHT);
    expect(await unlistedOf(reader)).toEqual([]);
  });

  test('reverts nothing that the reader has changed since then', async () => {
    const { reader, done } = await imported(BY_CAMUS);
    await reader.mutate('markAsRead', { bookId: camus, finishedOn: '2024-05-06' }, '__typename');
    await reader.mutate('rateBook', { bookId: camus, rating: 2.5 }, '__typename');
    await reader.mutate('writeReview', { bookId: camus, text: 'My own', hasSpoilers: false }, '__typename');
    await resolve(reader, done.id, 1, other);
    expect(await libraryOf(reader, camus)).toEqual(['READ', ['2024-05-06'], 2.5, 'My own']);
    expect(await libraryOf(reader, other)).toEqual(BROUGHT);
  });

  test('keeps the data of another line about its former book', async () => {
    const again = 'The Stranger,Albert Camus,3,2019/03/04,read,read,';
    const { reader, done } = await imported(BY_CAMUS, again);
    expect(await libraryOf(reader, camus)).toEqual(['READ', ['2020-01-02', '2019-03-04'], 4, 'As I said']);
    expect((await resolve(reader, done.id, 1, other)).rows).toMatchObject([{ reason: null }, { reason: null }]);
    expect(await libraryOf(reader, camus)).toEqual(['READ', ['2019-03-04'], 3, null]);
    expect(await libraryOf(reader, other)).toEqual(BROUGHT);
  });

  test('is about one book, even if several are chosen at the same moment', async () => {
    const { reader, done } = await imported(BY_CAMUS);
    const all = [coben, other, null, camus, other].map((bookId) => resolve(reader, done.id, 1, bookId));
    await Promise.all(all);
    await doAllJobs(server.app);

    const [row] = (await importOf(reader, done.id)).rows;
    for (const bookId of [camus, coben, other])
      expect(await libraryOf(reader, bookId)).toEqual(bookId === row?.book?.id ? BROUGHT : NOTHING);
    expect(await unlistedOf(reader)).toHaveLength(row?.book ? 0 : 1);
  });

  test('must exist, and be given a book or null', async () => {
    const { reader, done } = await imported(BY_CAMUS, ',Nobody,,,read,read,');
    const errors = async (line: number, bookId?: string | null) =>
      (await reader.mutate('resolveImportRow', { importId: done.id, line, bookId }, '__typename')).userErrors;
    for (const line of [2, 3]) expect(await errors(line, camus)).toMatchObject([{ path: ['input', 'line'] }]);
    expect(await errors(1)).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'bookId'] }]);
  });
});

test('nothing has drifted', async () => {
  expect((await audited(server.app, everyAudit)).drift).toEqual([]);
});
