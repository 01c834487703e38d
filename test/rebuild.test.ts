import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { rebuild } from '../tools/support/rebuild.ts';
import { declaredSchema } from '../src/schema/declared.ts';
import { tableKinds } from '../src/schema/kinds.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import { PATIENTLY } from '../tools/support/patience.ts';

/** The kinds of tables, and the rebuild of lost derived tables. */

const kinds = await tableKinds();
const derived = [...kinds].flatMap(([table, of]) => (of.kind === 'derived' ? [{ table, from: of.from }] : []));

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, 10);
  const [first, second] = await bookIds(server);
  const reviews: string[] = [];
  for (const name of ['One', 'Two']) {
    const reader = await server.client().registerSomebody(name);
    await reader.mutate('markAsRead', { bookId: first, readAt: '2020-02-02T20:20:00Z' }, 'book { id }');
    await reader.mutate('setReadingStatus', { bookId: second, status: 'WANT_TO_READ' }, 'book { id }');
    await reader.like(first!);
    await reader.mutate('rateBook', { bookId: first, rating: 3.5 }, 'changed');
    const { list } = await reader.mutate('createList', { name, audience: 'EVERYONE' }, 'list { id }');
    await reader.mutate('addToList', { listId: list.id, bookId: first }, 'changed');
    const words = { bookId: first, text: 'Good', hasSpoilers: false };
    const { review } = await reader.mutate('writeReview', words, 'review { id }');
    for (const id of reviews) await reader.like(id);
    reviews.push(review.id as string);
    const copy = { bookId: first, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
    await reader.mutate('listItem', copy, 'item { id }');
    await reader.importMyLibrary('Title,Author,Bookshelves,Exclusive Shelf\nA Book,Ann Lee,,read\n');
  }
  const [followed, asked] = await Promise.all([1, 2].map(() => server.client().registerSomebody()));
  await asked!.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
  const follower = await server.client().registerSomebody();
  for (const { viewerId: id } of [followed!, asked!]) await follower.mutate('follow', { id }, 'changed');
  const administrator = await registerAdministrator(server);
  await administrator.mutate('updateBook', { bookId: first, otherIsbns: ['9791234567896'] }, '__typename');
});

/** Columns that a rebuild gives new values: versions of changes, and the time of a reservation. */
const ANEW = new Set(['account_version', 'reserved_at', 'version', 'shard_version', 'state']);

/** Returns all rows of a table, as texts in their order. */
async function rowsOf(table: string): Promise<string[]> {
  const { rows } = await server.app.cassandra.client.execute(`SELECT * FROM ${table}`, [], PATIENTLY);
  return rows
    .map((row) =>
      inspect(
        Object.entries(row).filter(([name]) => !ANEW.has(name)),
        { depth: 9, breakLength: Infinity },
      ),
    )
    .toSorted();
}

describe('the kind of each table', () => {
  test('is declared, and every declaration has a table', async () => {
    const { tables } = await declaredSchema();
    expect([...kinds.keys()].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  test('is derived only from tables that an audit scans', () => {
    const scanned = new Set(everyAudit.flatMap(({ tables }) => tables.map(({ table }) => table)));
    expect(derived.flatMap(({ from }) => from).filter((table) => !scanned.has(table))).toEqual([]);
    expect(derived.length).toBeGreaterThan(15);
  });
});

test.for(derived)('$table is rebuilt after all its rows were lost', async ({ table, from }) => {
  const { app } = server;
  const before = await rowsOf(table);
  expect(before.length).toBeGreaterThan(0);

  await app.cassandra.client.execute(`TRUNCATE ${table}`, [], PATIENTLY);
  for (const source of from)
    for await (const page of rebuild(app, everyAudit, source)) expect(page.unreadable).toEqual([]);

  expect(await rowsOf(table)).toEqual(before);
});

test('nothing has drifted after that', async () => {
  expect((await audited(server.app, everyAudit)).drift).toEqual([]);
});

test('npm run admin -- rebuild creates a table and fills it', async () => {
  const before = await rowsOf('items_by_book');
  await server.app.cassandra.client.execute('DROP TABLE items_by_book', [], PATIENTLY);

  const { stdout } = await rebuildTool('--table', 'items_by_book');

  expect(stdout).toContain('creating the table items_by_book');
  expect(stdout).toContain('read 2 rows of items, and rebuilt missing rows for 2 of them');
  expect(await rowsOf('items_by_book')).toEqual(before);
});

const rebuildTool = (...given: string[]) => {
  const { contactPoints, keyspace } = server.app.config.cassandra;
  const env = testEnvironment({ CASSANDRA_CONTACT_POINTS: contactPoints?.join(','), CASSANDRA_KEYSPACE: keyspace });
  return promisify(execFile)(process.execPath, ['tools/admin/rebuild.ts', ...given], { env });
};

test.for([
  [[], /--table is needed\. Derived tables are .*items_by_book/],
  [['--table', 'items'], /items is original: only a backup has its rows/],
  [['--table', 'trending'], /trending needs no rebuilding/],
  [['--table', 'book'], /there is no table book\. Derived tables are/],
] as const)('what cannot be rebuilt is refused: %s', async ([given, message]) => {
  await expect(rebuildTool(...given)).rejects.toMatchObject({ code: 2, stdout: expect.stringMatching(message) });
});
