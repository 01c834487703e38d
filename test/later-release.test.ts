import { beforeAll, describe, expect, test } from 'vitest';
import { allStatements } from '../src/cassandra/statement.ts';
import { alterableKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';

/** Rows that a later release of the server wrote into the same keyspace. */

let server: TestServer;
let reader: Client;
let other: Client;
let book: string;
let item: string;

const execute = (cql: string, params: Record<string, unknown> = {}) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });

const does = async (who: Client, what: string, input: Record<string, unknown>) => {
  expect(await who.mutate(what, input, '')).toMatchObject({ userErrors: [] });
};

/** The tables of states of user-defined types, with the names of their key columns. */
const stateTables = allStatements().flatMap(({ cql }) => {
  const [, table, where] = /^UPDATE (\w+).* SET state = :next (WHERE .*) IF state = :current$/.exec(cql) ?? [];
  if (table === undefined || where === undefined || table === 'genre_versions') return [];
  return { table, where, key: Array.from(where.matchAll(/:(\w+)/g), ([, name = '']) => name) };
});

interface Found {
  readonly table: string;
  readonly key: string;
  readonly version: number;
  readonly later: string | null | undefined;
}

/** Lists the states of a table. */
async function found({ table, key }: (typeof stateTables)[number]): Promise<Found[]> {
  const { rows } = await execute(`SELECT * FROM ${table}`);
  return rows.map((row) => {
    const state = row['state'] as { version: number; later?: string | null };
    return { table, key: key.map((name) => String(row[name])).join(), version: state.version, later: state.later };
  });
}
const statesNow = async () => (await Promise.all(stateTables.map(found))).flat();

/** Adds a field to every type, as a migration does beside running servers. */
async function addField() {
  const { client, keyspace } = { client: server.app.cassandra.client, keyspace: server.app.config.cassandra.keyspace };
  const { rows } = await client.execute('SELECT type_name FROM system_schema.types WHERE keyspace_name = ?', [
    keyspace,
  ]);
  for (const row of rows) await client.execute(`ALTER TYPE ${row['type_name'] as string} ADD later text`);
}

/** Gives every state a value of the new field, as a later release does with its next change. */
async function fillField() {
  for (const { table, where, key } of stateTables) {
    const { rows } = await execute(`SELECT * FROM ${table}`);
    for (const row of rows) {
      const values = Object.fromEntries(key.map((name) => [name, row[name] as unknown]));
      const state = { ...(row['state'] as object), later: 'later' };
      await execute(`UPDATE ${table} SET state = :state ${where} IF EXISTS`, { ...values, state });
    }
  }
}

beforeAll(async () => {
  server = await startServer(await alterableKeyspace());
  reader = await server.client().registerSomebody('Ann');
  other = await server.client().registerSomebody('Bob');
  [book = ''] = await ownBooks(server.app, 1);

  await does(reader, 'like', { id: book });
  await does(reader, 'markAsRead', { bookId: book, finishedOn: '2026-01-01' });
  await does(reader, 'block', { id: other.viewerId });
  await does(reader, 'report', { id: book, reason: 'SPAM' });
  const listed = { bookId: book, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
  ({
    item: { id: item },
  } = await reader.mutate('listItem', listed, 'item { id }'));

  await addField();
  await fillField();
});

describe('a field that a later release added to the states', () => {
  test('survives the changes of a server that does not know it', async () => {
    const before = await statesNow();
    expect(before.length).toBeGreaterThanOrEqual(8);
    expect(before.every(({ later }) => later === 'later')).toBe(true);

    await does(reader, 'updateProfile', { fullName: 'Annie' });
    await does(reader, 'unlike', { id: book });
    await does(reader, 'like', { id: book });
    const again = { bookId: book, finishedOn: '2026-02-02' };
    await does(reader, 'markAsRead', again);
    await does(reader, 'unblock', { id: other.viewerId });
    const price = { itemId: item, price: { amount: '6', currency: 'EUR' } };
    await does(reader, 'changePrice', price);
    await does(other, 'logout', {});

    const after = new Map((await statesNow()).map((state) => [`${state.table} ${state.key}`, state]));
    const changed = before.flatMap(({ table, key, version, later }) => {
      const now = after.get(`${table} ${key}`);
      expect(now?.later).toBe(later);
      return now?.version === version ? [] : table;
    });
    expect([...new Set(changed)].toSorted()).toEqual([
      'blocks_by_user',
      'items',
      'likes_by_user',
      'readings_by_user',
      'sessions_by_id',
      'users_by_id',
    ]);
  });

  test('is deleted with the account whose state has it', async () => {
    await does(reader, 'deleteAccount', { password: PASSWORD });
    const accounts = (await statesNow()).filter(({ table }) => table === 'users_by_id');
    expect(accounts.map(({ later }) => later ?? null).toSorted()).toEqual(['later', null]);
  });
});
