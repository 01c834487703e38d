import { beforeAll, expect, test, vi } from 'vitest';
import { deleteAccount } from '../src/accounts/changes.ts';
import { everyAudit } from '../src/app/workers.ts';
import { books as bookAggregate, changedBook } from '../src/catalogue/aggregate.ts';
import { countGenres, recordGenres } from '../src/catalogue/genres.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { uuidOf } from '../src/graphql/ids.ts';
import { doJobsOf, jobsOf } from '../src/jobs/operations.ts';
import { forgetListing } from '../src/market/aggregate.ts';
import { forgetSession } from '../src/sessions/aggregate.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';

/** Audits and repairs while readers change the same data. */

const HOUR = 3_600_000;
let server: TestServer;
let books: string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, 10);
  books = await bookIds(server);
});

const execute = (cql: string, params: unknown[] = []) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });
const audits = (...kinds: string[]) => everyAudit.filter(({ kind }) => kinds.includes(kind));

const list = async (reader: Client, idempotencyKey: string): Promise<string> => {
  const price = { amount: '5', currency: 'EUR' };
  const { item } = await reader.mutate(
    'listItem',
    { bookId: books[0], price, condition: 'GOOD', idempotencyKey },
    'item { id }',
  );
  return keyOf(item.id as string);
};

test('a row that a repair deletes can be listed again later, by a server whose clock is an hour behind', async () => {
  const reader = await server.client().registerSomebody();
  const sellerId = keyOf(reader.viewerId);
  const itemId = uuidOf(`item ${sellerId} a key`);
  const shard = Number.parseInt(itemId.slice(0, 8), 16) % 16;
  await execute('INSERT INTO items_by_seller (seller_id, item_id) VALUES (?, ?) USING TIMESTAMP 1', [sellerId, itemId]);
  await execute('INSERT INTO every_item_by_book (book_id, shard, item_id) VALUES (?, ?, ?) USING TIMESTAMP 1', [
    keyOf(books[0]!),
    shard,
    itemId,
  ]);

  const ahead = Date.now() + HOUR;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ahead);
  const { drift } = await audited(server.app, audits('items'), { repair: true });
  clock.mockRestore();
  expect(drift.map(({ table }) => table).toSorted()).toEqual(['every_item_by_book', 'items_by_seller']);

  expect(await list(reader, 'a key')).toBe(itemId);
  expect((await audited(server.app, audits('items'))).drift).toEqual([]);
});

test('the remaining rows of an account are no drift while it is being erased', async () => {
  const reader = await server.client().registerSomebody();
  const userId = keyOf(reader.viewerId);
  const itemId = await list(reader, 'a copy');
  const { rows } = await execute('SELECT session_id FROM sessions_by_user WHERE user_id = ? ALLOW FILTERING', [userId]);
  const sessionId = String(rows[0]!['session_id']);

  // The job is begun, and forgets the states. The lists follow over time.
  const context = requestContext({ ...server.app, jobHandlers: {} }, { ...ANONYMOUS, viewerId: userId, sessionId });
  await deleteAccount(context, { password: PASSWORD });
  await forgetListing(server.app, { itemId, sellerId: userId });
  await forgetSession(server.app, sessionId);
  expect((await audited(server.app, audits('items', 'sessions'))).drift).toEqual([]);

  await doJobsOf(server.app, { type: 'User', key: userId });
  expect((await audited(server.app, audits('items', 'sessions'))).drift).toEqual([]);
});

test("a repair of one row of a book's list begins no job that visits the readers and copies of the book", async () => {
  const bookId = keyOf(books[1]!);
  const before = await bookAggregate.read(server.app, { bookId });
  const change = { title: 'A new title', genres: ['Genre One'] };
  await bookAggregate.change(server.app, { bookId }, before, (state, at) => changedBook(state, change, at));
  const subject = { type: 'Book', key: bookId } as const;
  expect((await jobsOf(server.app, subject)).map(({ kind }) => kind).toSorted()).toEqual([
    'BOOKS_ARRIVED',
    'MOVE_COPIES',
    'RELIST',
    'RETITLE',
  ]);
  await doJobsOf(server.app, subject);
  expect(await jobsOf(server.app, subject)).toEqual([]);

  const state = (await bookAggregate.read(server.app, { bookId }))!;
  const row = [BigInt(state.version), 'genreone', state.ratings_count ?? 0, bookId];
  await execute('DELETE FROM books_by_genre USING TIMESTAMP ? WHERE genre = ? AND popularity = ? AND book_id = ?', row);
  const { drift } = await audited(server.app, audits('books'), { repair: true });
  expect(drift).toMatchObject([{ table: 'books_by_genre', repaired: true }]);
  expect(await jobsOf(server.app, subject)).toEqual([]);
});

test('the books of a genre are counted again after a row of its list was removed', async () => {
  await recordGenres(server.app, ['Genre Two']);
  const put = 'INSERT INTO books_by_genre (genre, popularity, book_id, words) VALUES (?, 7, ?, ?) USING TIMESTAMP 1';
  await execute(put, ['genretwo', keyOf(books[2]!), ' words ']);
  await recordGenres(server.app, ['Genre Two']);
  expect(await countOf('genretwo')).toBe(1);
  const { drift } = await audited(server.app, audits('books'), { repair: true });
  expect(drift).toMatchObject([{ table: 'books_by_genre', repaired: true }]);
  expect(await countOf('genretwo')).toBe(0);
});

/** Returns the number of books of a genre, once they are counted. */
async function countOf(genre: string): Promise<unknown> {
  for (;;) {
    await countGenres(server.app);
    const { rows } = await execute(
      'SELECT version, counted_version, book_count FROM genres WHERE all_genres = 0 AND genre = ?',
      [genre],
    );
    if (rows[0]!['version'] === rows[0]!['counted_version']) return rows[0]!['book_count'] as unknown;
  }
}
