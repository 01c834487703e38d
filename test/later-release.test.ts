import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordActions } from '../src/activity/log.ts';
import { recordDecision } from '../src/administration/operations.ts';
import { allStatements, write } from '../src/cassandra/statement.ts';
import { insertActivity } from '../src/events/tables.ts';
import { recordSecurityEvent } from '../src/security/operations.ts';
import { alterableKeyspace, startServer, type TestServer } from './support/app.ts';
import { registerAdministrator } from './support/accounts.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { Client, PASSWORD } from './support/client.ts';
import { keyOf } from './support/ids.ts';

/** Rows that a later release of the server has written to the same keyspace. */

let server: TestServer;
/** Another server of this release, which has prepared its statements before the field was added. */
let neighbour: TestServer;
let reader: Client;
let other: Client;
let followed: Client;
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

/** Adds a field to every type, as a migration does while servers run. */
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

/** Changes a state of most tables, through a server. */
async function changeSomething({ url }: TestServer, fullName: string) {
  const there = new Client(url);
  there.token = reader.token;
  // Follows are first: the first failed condition makes the driver prepare all statements again.
  await does(there, 'unfollow', { id: followed.viewerId });
  await does(there, 'follow', { id: followed.viewerId });
  await does(there, 'updateProfile', { fullName });
  await does(there, 'unlike', { id: book });
  await does(there, 'like', { id: book });
  await does(there, 'markAsRead', { bookId: book, finishedOn: `2026-03-0${fullName.length}` });
  await does(there, 'changePrice', { itemId: item, price: { amount: String(fullName.length), currency: 'EUR' } });
}

beforeAll(async () => {
  server = await startServer(await alterableKeyspace());
  reader = await server.client().registerSomebody('Ann');
  other = await server.client().registerSomebody('Bob');
  followed = await server.client().registerSomebody('Cid');
  [book = ''] = await ownBooks(server.app, 1);

  await does(reader, 'follow', { id: followed.viewerId });
  await does(reader, 'like', { id: book });
  await does(reader, 'markAsRead', { bookId: book, finishedOn: '2026-01-01' });
  await does(reader, 'block', { id: other.viewerId });
  await does(reader, 'report', { id: book, reason: 'SPAM' });
  const listed = { bookId: book, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
  ({
    item: { id: item },
  } = await reader.mutate('listItem', listed, 'item { id }'));

  neighbour = await startServer(server.app.config);
  await changeSomething(neighbour, 'Anne');

  await addField();
  // Cassandra asks only the first client that uses a statement after that to prepare it again.
  await changeSomething(server, 'Ann');
  await fillField();
});

describe('a field that a later release added to the states', () => {
  test('survives the changes of a server that Cassandra has not notified of it', async () => {
    const laterOf = async () => (await statesNow()).map(({ table, key, later }) => [table, key, later]);
    const before = await laterOf();
    await changeSomething(neighbour, 'Anna');
    expect(await laterOf()).toEqual(before);
  });

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
    await does(reader, 'unfollow', { id: followed.viewerId });
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
      'follows_by_user',
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
    expect(accounts.map(({ later }) => later ?? null).toSorted()).toEqual(['later', 'later', null]);
  });
});

describe('a value that only a later release knows', () => {
  /** Changes the state of a row as a server of the later release does, and returns the new one. */
  async function setState(table: string, key: Record<string, unknown>, change: Record<string, unknown>) {
    const where = Object.keys(key).map((name) => `${name} = :${name}`);
    const { rows } = await execute(`SELECT state FROM ${table} WHERE ${where.join(' AND ')}`, key);
    const former = rows[0]?.['state'] as { version: number };
    const state = { ...former, ...change, version: former.version + 1, change_id: randomUUID() };
    await execute(`UPDATE ${table} SET state = :state WHERE ${where.join(' AND ')} IF EXISTS`, { ...key, state });
  }
  const stateOf = async (table: string, where: string, key: unknown) =>
    (await execute(`SELECT state FROM ${table} WHERE ${where} = :key`, { key })).first()['state'] as object;

  let ann: Client;
  let bob: Client;
  let userId: string;

  beforeAll(async () => {
    ann = await server.client().registerSomebody('Ann');
    bob = await server.client().registerSomebody('Bob');
    userId = keyOf(ann.viewerId);
  });

  test('of an audience: it is treated as the strictest audience until the reader chooses another', async () => {
    await does(ann, 'like', { id: book });
    const likesSeenBy = async (who: Client) => {
      const { node } = await who.data(`{ node(id: "${ann.viewerId}") { ... on User { likes { edges { cursor } } } } }`);
      return (node.likes?.edges.length ?? null) as number | null;
    };
    expect(await likesSeenBy(bob)).toBe(1);

    await setState('users_by_id', { user_id: userId }, { likes_audience: 'FRIENDS' });
    expect(await likesSeenBy(bob)).toBeNull();
    expect(await likesSeenBy(ann)).toBe(1);
    expect((await ann.data('{ viewer { privacy { likes } } }')).viewer.privacy.likes).toBe('ONLY_ME');

    await does(ann, 'updateProfile', { fullName: 'Anne' });
    expect(await stateOf('users_by_id', 'user_id', userId)).toMatchObject({
      full_name: 'Anne',
      likes_audience: 'FRIENDS',
    });
    await does(ann, 'updatePrivacy', { likes: 'EVERYONE' });
    expect(await stateOf('users_by_id', 'user_id', userId)).toMatchObject({ likes_audience: 'EVERYONE' });
    expect(await likesSeenBy(bob)).toBe(1);
  });

  test('of a copy, a reading or a report: another value is shown instead, and audits do not change it', async () => {
    const listed = { bookId: book, price: { amount: '7', currency: 'EUR' }, condition: 'GOOD' };
    const { item: copy } = await ann.mutate('listItem', listed, 'item { id }');
    await setState('items', { item_id: keyOf(copy.id) }, { status: 'RESERVED', condition: 'SIGNED', currency: 'XXB' });
    const { node } = await ann.data(
      `{ node(id: "${copy.id}") { ... on Item { status condition price { amount currency } } } }`,
    );
    expect(node).toEqual({ status: 'WITHDRAWN', condition: 'POOR', price: { amount: '7', currency: 'XXB' } });

    await does(ann, 'setReadingStatus', { bookId: book, status: 'READING' });
    const key = { user_id: userId, book_id: keyOf(book) };
    const { history } = (await stateOf('readings_by_user', 'user_id', userId)) as { history: object[] };
    await setState('readings_by_user', key, { history: [...history, { ...history[0], status: 'LENT' }] });
    const reading = '{ viewerReading { status history { status } } }';
    const read = await ann.data(`{ node(id: "${book}") { ... on Book ${reading} } }`);
    expect(read.node.viewerReading).toEqual({ status: null, history: [{ status: 'READING' }, { status: null }] });

    const before = (await execute('SELECT * FROM books_by_reading_status')).rows;
    const { drift } = await audited(server.app, [auditOf('readings'), auditOf('items')], { repair: true });
    expect(drift).toEqual([]);
    expect((await execute('SELECT * FROM books_by_reading_status')).rows).toEqual(before);

    await does(ann, 'report', { id: book, reason: 'SPAM' });
    const { rows: reports } = await execute('SELECT report_id FROM reports');
    for (const { report_id } of reports)
      await setState('reports', { report_id }, { reason: 'DULL', status: 'PENDING' });
    const administrator = await registerAdministrator(server);
    const asked = '{ reports { edges { node { reason status } } } }';
    expect((await administrator.data(asked)).reports.edges).toEqual([{ node: { reason: 'OTHER', status: 'OPEN' } }]);
  });

  test('of a kind: lists leave out its rows, and their pages are still full', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    for (let second = 1; second <= 6; second++) {
      const kind = second % 2 === 0 ? 'DANCED' : 'VIEWED';
      const [id, [address, sessionId]] = [randomUUID(), [null, null]];
      await recordActions(server.app, userId, [{ kind: kind as 'VIEWED', at: at(second), subject: '' }]);
      const event = second % 2 === 0 ? 'DANCED' : 'DATA_EXPORTED';
      await recordSecurityEvent(server.app, userId, id, {
        kind: event as 'DATA_EXPORTED',
        at: at(second),
        address,
        sessionId,
      });
      const decision = second % 2 === 0 ? 'DANCED' : 'NAME_TAKEN_DOWN';
      await recordDecision(server.app, `User:${userId}`, id, {
        kind: decision as 'NAME_TAKEN_DOWN',
        at: at(second),
        administratorId: userId,
        reason: '',
      });
    }
    const range = `from: "${at(0).toISOString()}", to: "${at(9).toISOString()}"`;
    const page = (kind: string) => ({
      edges: [{ node: { kind } }, { node: { kind } }],
      pageInfo: { hasNextPage: true },
    });
    const asked = '{ edges { node { kind } } pageInfo { hasNextPage } }';
    const { viewer } = await ann.data(
      `{ viewer { actions(first: 2, ${range}) ${asked} securityEvents(first: 2, ${range}) ${asked} } }`,
    );
    expect(viewer).toEqual({ actions: page('VIEWED'), securityEvents: page('DATA_EXPORTED') });

    const administrator = await registerAdministrator(server);
    const found = await administrator.data(`{ administration(id: "${ann.viewerId}", first: 2) ${asked} }`);
    expect(found.administration).toEqual(page('NAME_TAKEN_DOWN'));
  });

  test('of a kind of events: charts show the known kinds', async () => {
    const day = new Date(Date.UTC(2026, 0, 1));
    const period = new Date(Date.UTC(2026, 0, 1));
    for (const [kind, event_count] of [
      ['LIKE', 3],
      ['SHARE', 4],
    ] as const) {
      await write(server.app.cassandra, insertActivity, {
        subject_id: `Book:${keyOf(book)}`,
        granularity: 'DAY',
        period,
        window_start: day,
        kind,
        event_count,
        version: 1n,
        ttl_seconds: 0,
      });
    }
    const range = `from: "${day.toISOString()}", to: "${new Date(day.getTime() + 1).toISOString()}"`;
    const chart = await ann.data(
      `{ node(id: "${book}") { ... on Book { activity(granularity: DAY, ${range}) { likes views } } } }`,
    );
    expect(chart.node.activity).toEqual([{ likes: 3, views: 0 }]);
  });
});
