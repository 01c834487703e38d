import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { personalTables } from '../src/app/personal-data.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { importSample, manyBookIds } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';
import { jsonRows } from '../tools/support/patience.ts';

/** The stored data about a person, its export, and its erasure with the account. */

let server: TestServer;
let other: TestServer;
let books: string[];

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment());
  server = await startServer(config, { workers: true });
  other = await startServer(config);
  await importSample(server.app, 11);
  books = await manyBookIds(server, 11);
});

type Payload = Record<'userErrors', readonly { readonly code: string }[]>;
const tryLogin = (email: string, password = PASSWORD) =>
  server.client().mutate('login', { email, password }, 'viewer { id } accessToken refreshToken');
const codesOf = ({ userErrors }: Payload) => userErrors.map(({ code }) => code);

describe('the stored data about a person', () => {
  /** A reader who has done everything that can be done here. */
  let reader: Client;
  /** The ids of readers of whom nothing is left. */
  const gone: string[] = [];

  beforeAll(async () => {
    reader = await server.client().registerSomebody('Quentin Unforgettable');
    const admirer = await server.client().registerSomebody();
    for (const id of books.slice(0, 5)) await reader.like(id);
    await reader.unlike(books[0]!);
    await reader.mutate('follow', { id: admirer.viewerId }, 'changed');
    await admirer.mutate('follow', { id: reader.viewerId }, 'changed');
    for (const bookId of books.slice(0, 3))
      await reader.mutate('markAsRead', { bookId, finishedOn: '2024-05-05', startedOn: '2024-05-01' }, 'book { id }');
    await reader.mutate('unmarkAsRead', { bookId: books[0]! }, 'book { id }');
    for (const bookId of books.slice(0, 2)) {
      const listed = await reader.mutate(
        'listItem',
        { bookId, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' },
        'item { id }',
      );
      await admirer.like(listed.item.id);
    }
    await tryLogin(reader.email, 'wrong horse');
    await server.client().login(reader.email, 'Quentin’s phone');
    const { session } = await reader.mutate('startSession', { device: 'Quentin’s tablet' }, 'session { id startedAt }');
    const click = { id: randomUUID(), at: session.startedAt, target: 'Quentin’s button', subjectId: books[0] };
    await reader.mutate('recordClicks', { sessionId: session.id, clicks: [click] }, 'recorded');
    await reader.mutate('recordView', { bookId: books[0]! }, 'book { id }');
    await reader.data('mutation { requestEmailVerification { userErrors { code } } }');
    await server.client().mutate('requestPasswordReset', { email: reader.email }, '__typename');
    await reader.mutate('changeEmail', { email: `x-${reader.email}`, password: PASSWORD }, 'viewer { id }');
    reader.email = `x-${reader.email}`;
  });

  test('is exported as one JSON object, without secrets, to its owner alone', async () => {
    const { path } = (await reader.data('{ exportMyData { path } }')).exportMyData as { path: string };
    expect(path).toBe('/export-my-data');
    expect((await server.client().data('{ exportMyData { path } }')).exportMyData).toBeNull();
    const signedOut = await server.client().exportMyData();
    const unauthenticated = { extensions: { code: 'UNAUTHENTICATED', reason: 'NO_TOKEN' } };
    expect([signedOut.status, await signedOut.json()]).toMatchObject([401, { errors: [unauthenticated] }]);
    expect(signedOut.headers.get('www-authenticate')).toBe('Bearer realm="social-e-library"');
    expect((await fetch(server.url + path, { headers: { authorization: `Bearer ${reader.token}` } })).status).toBe(404);
    for (const body of [{}, { password: 7 }, { password: PASSWORD, userId: 'another' }, [], null]) {
      const refused = await reader.exportMyData(body);
      const badInput = { extensions: { code: 'BAD_USER_INPUT' } };
      expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [badInput] }]);
    }
    const wrong = await reader.exportMyData({ password: 'wrong horse' });
    const wrongPassword = { code: 'INVALID_CREDENTIALS', path: ['input', 'password'] };
    expect([wrong.status, await wrong.json()]).toMatchObject([403, { userErrors: [wrongPassword] }]);
    const texts: string[] = [];
    for (let times = 0; times < 5; times++) {
      const response = await reader.exportMyData();
      expect(response.status).toBe(200);
      texts.push(await response.text());
    }
    const sixth = await reader.exportMyData();
    expect([sixth.status, await sixth.json()]).toMatchObject([429, { userErrors: [{ code: 'RATE_LIMITED' }] }]);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(86_000);
    const [text = ''] = texts;
    const all = JSON.parse(text) as Record<string, unknown[]>;
    const exported = personalTables.filter((table) => typeof table.exported === 'function').map(({ table }) => table);
    expect(Object.keys(all).toSorted()).toEqual(['exportedAt', ...exported].toSorted());
    expect(all['users_by_id']).toMatchObject([{ email: reader.email, fullName: 'Quentin Unforgettable' }]);
    expect(all['likes_by_user']).toHaveLength(5);
    expect(all['follows_by_user']).toMatchObject([{ followed: true }]);
    expect(all['user_by_item']).toMatchObject([{ readerId: expect.any(String) }]);
    const read = { finishedOn: '2024-05-05', startedOn: '2024-05-01' };
    expect(all['readings_by_user']).toMatchObject(Array(3).fill({ reads: [read] }));
    expect(all['items']).toMatchObject([{ price: { amount: '5.00', currency: 'EUR' } }, { status: 'FOR_SALE' }]);
    expect(all['sessions_by_id']).toHaveLength(3);
    expect(all['logins_by_user']).toHaveLength(4);
    expect(all['actions_by_user']!.length).toBeGreaterThan(10);
    const clicked = { kind: 'CLICKED', element: 'Quentin’s button' };
    expect(all['actions_by_user']).toContainEqual(expect.objectContaining(clicked));
    expect(all['clicks_by_session']).toMatchObject([{ target: 'Quentin’s button' }]);
    expect(all['security_events_by_user']!.map((event) => (event as { kind: string }).kind)).toContain('DATA_EXPORTED');
    expect(text).not.toMatch(/argon2|hash/i);
    expect(text).not.toContain(reader.refreshToken);
  });

  test('includes network addresses only in security events, and only for 90 days', async () => {
    await reader.mutate('refreshTokens', { refreshToken: reader.refreshToken }, 'viewer { id }');
    expect(await server.rowsAbout(['127.0.0.1'])).toEqual(['security_events_by_user']);
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT TTL(address) AS address, TTL(kind) AS kind FROM security_events_by_user',
    );
    // Events of accounts that do not exist expire soon, as whole rows.
    const ofAccounts = rows.filter(({ kind }) => kind === null);
    const keptDays = ofAccounts.flatMap(({ address }) => (address === null ? [] : [Math.ceil(address / 86_400)]));
    expect(new Set(keptDays)).toEqual(new Set([90]));
  });

  test('is deleted with the account from every table, and its likes from the counts', async () => {
    const other = await server.client().registerSomebody();
    for (const id of books.slice(0, 5)) await other.like(id);
    const texts = [keyOf(reader.viewerId), reader.email, 'Unforgettable', 'Quentin'];
    const tables = await server.rowsAbout(texts);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables).toContain('mail_tokens');
    expect(codesOf(await reader.mutate('deleteAccount', { password: 'wrong horse' }, '__typename'))).toEqual([
      'INVALID_CREDENTIALS',
    ]);
    expect(codesOf(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename'))).toEqual([]);
    expect((await reader.send('{ viewer { id } }')).status).toBe(401);
    expect(codesOf(await tryLogin(reader.email))).toEqual(['INVALID_CREDENTIALS']);
    // The number of exports of a day expires with it.
    expect(await server.rowsAbout(texts.slice(0, 2))).toEqual(['tries_by_subject', 'users_by_id']);
    const tries = await jsonRows(server.app.cassandra.client, 'tries_by_subject');
    const left = tries.filter((row) => texts.slice(0, 2).some((text) => row.includes(text)));
    expect(left).toEqual(Array(5).fill(expect.stringContaining(`"exports ${keyOf(reader.viewerId)}"`)));
    const users = await jsonRows(server.app.cassandra.client, 'users_by_id');
    expect(users.filter((row) => row.includes(keyOf(reader.viewerId))).join('')).not.toMatch(/@|Unforgettable|argon2/);
    const { nodes } = await server
      .client()
      .data(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { likeTally { count isExact } likers { edges { node { id } } } } } }`,
        { ids: books.slice(0, 5) },
      );
    for (const node of nodes) {
      expect(node.likers.edges.map((edge: { node: { id: string } }) => edge.node.id)).not.toContain(reader.viewerId);
      expect(node.likeTally).toEqual({ count: node.likers.edges.length, isExact: true });
    }
    expect((await other.data(`{ node(id: "${reader.viewerId}") { id } }`)).node).toBeNull();
    expect(
      codesOf(
        await server
          .client()
          .mutate('register', { email: reader.email, password: PASSWORD, fullName: 'New' }, 'viewer { id }'),
      ),
    ).toEqual([]);
  });

  test('is deleted during the start of a session, of which nothing remains', async () => {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const resume = await heldUpAt(server, 'session: before compare-and-set', reader, (client) =>
      client.send('mutation { startSession(input: {}) { session { id } } }'),
    );
    expect(codesOf(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename'))).toEqual([]);
    await resume();
    gone.push(keyOf(reader.viewerId));
  });

  test('is deleted during a login, which is refused and of which nothing remains', async () => {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const resume = await heldUpAt(server, 'session: before compare-and-set', reader, (client) =>
      client.mutate('login', { email: reader.email, password: PASSWORD }, 'accessToken'),
    );
    expect(codesOf(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename'))).toEqual([]);
    expect(codesOf(await resume())).toEqual(['INVALID_CREDENTIALS']);
    gone.push(keyOf(reader.viewerId));
  });

  test('is deleted during calls of the same reader, of which nothing remains', async () => {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const elsewhere = other.client();
    elsewhere.token = reader.token;
    let isOver = false;
    const calls = books.slice(5).map(async (id, index) => {
      while (!isOver) {
        const mutation = index % 2 === 0 ? `like(input: { id: "${id}" })` : `markAsRead(input: { bookId: "${id}" })`;
        const { status } = await elsewhere.send(`mutation { ${mutation} { userErrors { code } } }`);
        if (status === 401) return;
        await elsewhere.send(`mutation { unlike(input: { id: "${id}" }) { userErrors { code } } }`);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(codesOf(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename'))).toEqual([]);
    isOver = true;
    await Promise.all(calls);
    const { client } = server.app.cassandra;
    for (const table of ['transaction_log', 'jobs'])
      await expect.poll(async () => (await client.execute(`SELECT kind FROM ${table}`)).rowLength).toBe(0);
    gone.push(keyOf(reader.viewerId));
    for (const id of books.slice(5)) {
      const { node } = await server
        .client()
        .data(`{ node(id: "${id}") { ... on Book { likeTally { count } likers { edges { cursor } } } } }`);
      expect(node).toEqual({ likeTally: { count: 0 }, likers: { edges: [] } });
    }
  });

  test('is gone for these readers as well', async () => {
    expect(gone).toHaveLength(3);
    expect(await server.rowsAbout(gone)).toEqual(['users_by_id']);
  });
});
