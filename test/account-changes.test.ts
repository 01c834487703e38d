import { randomUUID } from 'node:crypto';
import { errors } from 'cassandra-driver';
import { beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../src/accounts/aggregate.ts';
import { changeEmail } from '../src/accounts/changes.ts';
import { personalTables } from '../src/app/personal-data.ts';
import { rooms } from '../src/rooms.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { importSample, manyBookIds } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { jsonRows } from './support/patience.ts';

let server: TestServer;
let other: TestServer;
let books: string[];

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment());
  server = await startServer(config, { workers: true });
  other = await startServer(config);
  await importSample(server.app, 280);
  books = await manyBookIds(server, 280);
});

type Payload = Record<'userErrors', readonly { readonly code: string }[]>;
const tryLogin = (email: string, password = PASSWORD) =>
  server.client().mutate('login', { email, password }, 'viewer { id } accessToken refreshToken');
const codesOf = ({ userErrors }: Payload) => userErrors.map(({ code }) => code);

/** A rename longer than a request continues in the background, and the viewer sees it. */
async function untilRenamed(reader: Client): Promise<void> {
  while ((await reader.data('{ viewer { pendingRename { beganAt pagesDone } } }')).viewer.pendingRename);
}

describe('updateProfile', () => {
  test('renames a reader everywhere, even with more than a page of likes', async () => {
    const reader = await server.client().registerSomebody('Former Name');
    await Promise.all(books.slice(0, 230).map((id) => reader.like(id)));
    await reader.unlike(books[0]!);
    await reader.mutate('markAsRead', { bookId: books[0]! }, 'book { id }');
    const { viewer } = await reader.mutate('updateProfile', { fullName: ' New  Name ' }, 'viewer { fullName }');
    expect(viewer).toEqual({ fullName: 'New Name' });
    await untilRenamed(reader);
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT user_id, liked, full_name FROM user_by_item',
      [],
      { fetchSize: 10_000 },
    );
    const mine = rows.filter((row) => String(row['user_id']) === keyOf(reader.viewerId) && row['liked'] === true);
    expect(mine).toHaveLength(229);
    expect(new Set(mine.map((row) => row['full_name'] as string))).toEqual(new Set(['New Name']));
    const read = await reader.data('{ viewer { readBooks { readerFullName } likes(first: 1) { edges { title } } } }');
    expect(read.viewer.readBooks.readerFullName).toBe('New Name');
    const { nodes } = await reader.data(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { viewerHasLiked likeTally { count } likers { edges { node { fullName } } } } } }',
      { ids: books.slice(0, 2) },
    );
    expect(nodes).toEqual([
      { viewerHasLiked: false, likeTally: { count: 0 }, likers: { edges: [] } },
      { viewerHasLiked: true, likeTally: { count: 1 }, likers: { edges: [{ node: { fullName: 'New Name' } }] } },
    ]);
  });

  test('every like has the last name, even those made or taken back during renames', async () => {
    const reader = await server.client().registerSomebody('Name 0');
    const elsewhere = other.client();
    elsewhere.token = reader.token;
    const some = books.slice(260, 280);
    await Promise.all([
      (async () => {
        for (let turn = 1; turn <= 5; turn++)
          await reader.mutate('updateProfile', { fullName: `Name ${turn}` }, 'viewer { id }');
      })(),
      ...some.map(async (id, index) => {
        for (let turn = 0; turn < 3; turn++) {
          await elsewhere.like(id);
          if (turn < 2 || index % 2 === 0) await elsewhere.unlike(id);
        }
      }),
    ]);
    await untilRenamed(reader);
    const { nodes } = await reader.data(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { likers { edges { node { fullName } } } } } }',
      { ids: some },
    );
    nodes.forEach((node: { likers: { edges: unknown[] } }, index: number) => {
      expect(node.likers.edges).toEqual(index % 2 === 0 ? [] : [{ node: { fullName: 'Name 5' } }]);
    });
  });

  test.each([[''], ['x'.repeat(101)], ['a\nb']])('the name %.20j is refused', async (fullName) => {
    const reader = await server.client().registerSomebody('Kept');
    const { userErrors } = await reader.mutate('updateProfile', { fullName }, 'viewer { id }');
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'fullName'] }]);
    expect((await reader.data('{ viewer { fullName } }')).viewer.fullName).toBe('Kept');
  });
});

describe('changeEmail', () => {
  const change = (client: Client, email: string, password = PASSWORD) =>
    client.mutate('changeEmail', { email, password }, 'viewer { email }');

  test('accepts the new one in any spelling, and frees the former one', async () => {
    const reader = await server.client().registerSomebody();
    const former = reader.email;
    expect((await change(reader, ` MOVED-${former}`)).viewer).toEqual({ email: `moved-${former}` });
    expect(codesOf(await tryLogin(former))).toEqual(['INVALID_CREDENTIALS']);
    expect((await tryLogin(`moved-${former}`)).viewer).toEqual({ id: reader.viewerId });
    const made = { email: former, password: PASSWORD, fullName: 'Another' };
    expect(codesOf(await server.client().mutate('register', made, 'viewer { id }'))).toEqual([]);
    expect(codesOf(await change(reader, former))).toEqual(['EMAIL_TAKEN']);
    // A change to the reader's own email changes nothing.
    expect((await change(reader, `moved-${former}`)).viewer).toEqual({ email: `moved-${former}` });
    const { viewer } = await reader.data(
      '{ viewer { securityEvents { edges { node { kind session { isCurrent } } } } } }',
    );
    expect(viewer.securityEvents.edges.map(({ node }: { node: unknown }) => node)).toContainEqual({
      kind: 'EMAIL_CHANGED',
      session: { isCurrent: true },
    });
  });

  test('of 16 readers at once to one address: one of them gets it, nobody has none or two', async () => {
    const readers = await Promise.all(Array.from({ length: 16 }, () => server.client().registerSomebody()));
    const wanted = `wanted-${readers[0]!.email}`;
    const answers = await Promise.all(
      readers.map((reader, index) => {
        const client = (index % 2 === 0 ? server : other).client();
        client.token = reader.token;
        return change(client, index % 3 === 0 ? wanted.toUpperCase() : wanted);
      }),
    );
    expect(answers.filter(({ viewer }) => viewer !== null)).toHaveLength(1);
    expect(answers.filter((answer) => codesOf(answer)[0] === 'EMAIL_TAKEN')).toHaveLength(15);
    const owners: string[] = [];
    for (const reader of readers) {
      const { email } = (await reader.data('{ viewer { email } }')).viewer as { email: string };
      expect([reader.email, wanted]).toContain(email);
      expect((await tryLogin(email)).viewer).toEqual({ id: reader.viewerId });
      if (email === wanted) {
        owners.push(reader.viewerId);
        expect(codesOf(await tryLogin(reader.email))).toEqual(['INVALID_CREDENTIALS']);
      }
    }
    expect(owners).toHaveLength(1);
    const { rows } = await server.app.cassandra.client.execute('SELECT email, user_id FROM users_by_login_info');
    const ids = new Set(readers.map(({ viewerId }) => keyOf(viewerId)));
    expect(rows.filter((row) => ids.has(String(row['user_id'])))).toHaveLength(16);
  });

  test('of one account to several addresses at once: it has the one it reports, and the others are free', async () => {
    const reader = await server.client().registerSomebody();
    const wanted = Array.from({ length: 10 }, (_, index) => `m${index}-${reader.email}`);
    await Promise.all(wanted.map((email) => change(reader, email)));
    const { email } = (await reader.data('{ viewer { email } }')).viewer as { email: string };
    const { rows } = await server.app.cassandra.client.execute('SELECT email, user_id FROM users_by_login_info');
    const reservations = rows.filter((row) => String(row['user_id']) === keyOf(reader.viewerId));
    expect(reservations.map((row) => row['email'] as string)).toEqual([email]);
  });

  test('is refused with a wrong password, or for an invalid address', async () => {
    const reader = await server.client().registerSomebody();
    expect(codesOf(await change(reader, 'new@example.com', 'wrong horse'))).toEqual(['INVALID_CREDENTIALS']);
    expect(codesOf(await change(reader, 'nowhere'))).toEqual(['INVALID_EMAIL']);
    expect((await tryLogin(reader.email)).viewer).toEqual({ id: reader.viewerId });
  });
});

describe('changePassword', () => {
  test('ends all other sessions, and keeps the one it is made in', async () => {
    const reader = await server.client().registerSomebody();
    const elsewhere = await server.client().login(reader.email);
    const input = { password: PASSWORD, newPassword: 'a battery staple' };
    const changed = await reader.mutate('changePassword', input, 'viewer { id }');
    expect(changed).toMatchObject({ viewer: { id: reader.viewerId }, userErrors: [] });
    expect((await elsewhere.send('{ viewer { id } }')).status).toBe(401);
    const refused = await server
      .client()
      .mutate('refreshTokens', { refreshToken: elsewhere.refreshToken }, 'viewer { id }');
    expect(codesOf(refused)).toEqual(['INVALID_TOKEN']);
    expect((await reader.data('{ viewer { id } }')).viewer.id).toBe(reader.viewerId);
    expect(codesOf(await tryLogin(reader.email))).toEqual(['INVALID_CREDENTIALS']);
    expect((await tryLogin(reader.email, 'a battery staple')).viewer).toEqual({ id: reader.viewerId });
    const { viewer } = await reader.data('{ viewer { securityEvents { edges { node { kind } } } } }');
    expect(kindsOf(viewer.securityEvents)).toContain('PASSWORD_CHANGED');
  });

  test('ends all sessions of logins with the former password that happen at the same time', async () => {
    const reader = await server.client().registerSomebody();
    const input = { password: PASSWORD, newPassword: 'a battery staple' };
    const [, ...logins] = await Promise.all([
      reader.mutate('changePassword', input, 'viewer { id }'),
      ...Array.from({ length: 12 }, () => tryLogin(reader.email)),
    ]);
    for (const login of logins.filter(({ accessToken }) => accessToken !== null)) {
      const client = other.client();
      client.token = login.accessToken;
      expect((await client.send('{ viewer { id } }')).status).toBe(401);
    }
  });

  test.each([
    ['short', 'INVALID_PASSWORD'],
    ['password1234', 'INVALID_PASSWORD'],
    ['x'.repeat(257), 'INVALID_PASSWORD'],
  ])('to %.20j is refused', async (newPassword, code) => {
    const reader = await server.client().registerSomebody();
    const { userErrors } = await reader.mutate('changePassword', { password: PASSWORD, newPassword }, 'viewer { id }');
    expect(userErrors).toMatchObject([{ code, path: ['input', 'newPassword'] }]);
    expect((await tryLogin(reader.email)).viewer).toEqual({ id: reader.viewerId });
  });
});

describe('a change while another one of the same account is decided', () => {
  const NEW = 'a battery staple';
  const moveTo = (email: string) => (client: Client) =>
    client.mutate('changeEmail', { email, password: PASSWORD }, 'viewer { id }');
  const become = (newPassword: string) => (client: Client) =>
    client.mutate('changePassword', { password: PASSWORD, newPassword }, 'viewer { id }');
  const leave = (client: Client) => client.mutate('deleteAccount', { password: PASSWORD }, '__typename');
  const rename = (client: Client) => client.mutate('updateProfile', { fullName: 'Latter' }, 'viewer { id }');

  test.each<[string, (email: string) => Record<'slow' | 'meanwhile', (client: Client) => Promise<Payload>>, string]>([
    ['an email', (email) => ({ slow: moveTo(`y-${email}`), meanwhile: moveTo(`z-${email}`) }), 'INVALID_INPUT'],
    ['a deletion', (email) => ({ slow: leave, meanwhile: moveTo(`z-${email}`) }), 'INVALID_INPUT'],
    ['a password', () => ({ slow: become('wrong horses'), meanwhile: become(NEW) }), 'INVALID_CREDENTIALS'],
    ['a name', () => ({ slow: rename, meanwhile: leave }), 'NOT_FOUND'],
  ])('of %s is refused', async (_what, calls, code) => {
    const reader = await server.client().registerSomebody('Former');
    const { slow, meanwhile } = calls(reader.email);
    const resume = await heldUpAt(server, 'account: before compare-and-set', reader, slow);
    expect(codesOf(await meanwhile(reader))).toEqual([]);
    const key = { userId: keyOf(reader.viewerId), what: 'NAME', reservations: [] } as const;
    const decided = await accounts.read(server.app, key);
    expect(codesOf(await resume())).toEqual([code]);
    // Recovery may have raised its version.
    expect(await accounts.read(server.app, key)).toEqual({ ...decided, version: expect.any(Number) as number });
    expect(codesOf(await tryLogin(`y-${reader.email}`))).toEqual(['INVALID_CREDENTIALS']);
    const free = { email: `y-${reader.email}`, password: PASSWORD, fullName: 'Another' };
    expect(codesOf(await server.client().mutate('register', free, 'viewer { id }'))).toEqual([]);
  });

  test('to the same email reserves it once: the second call has to wait', async () => {
    const reader = await server.client().registerSomebody();
    const email = `y-${reader.email}`;
    const resume = await heldUpAt(server, 'account: after reservation', reader, moveTo(email));
    expect(codesOf(await moveTo(email)(reader))).toEqual(['INVALID_INPUT']);
    // The reserved email does not log anybody in before the account has it.
    expect(codesOf(await tryLogin(email))).toEqual(['INVALID_CREDENTIALS']);
    expect(codesOf(await resume())).toEqual([]);
    expect((await tryLogin(email)).viewer).toEqual({ id: reader.viewerId });
  });
});

describe('a reservation on an email', () => {
  const contextOf = (reader: Client, cassandra = server.app.cassandra) =>
    requestContext({ ...server.app, cassandra }, { ...ANONYMOUS, viewerId: keyOf(reader.viewerId) });

  test('is not released by a late repetition of an earlier change', async () => {
    const reader = await server.client().registerSomebody();
    const { email } = reader;
    const key = { userId: keyOf(reader.viewerId), what: 'EMAIL', reservations: [] } as const;
    const reservationOf = async () => (await accounts.read(server.app, key))!.email_reservation_id;
    const first = { email, reservationId: await reservationOf() };
    await changeEmail(contextOf(reader), { email: `y-${email}`, password: PASSWORD });
    const second = { email: `y-${email}`, reservationId: await reservationOf() };
    await changeEmail(contextOf(reader), { email, password: PASSWORD });
    await accounts.repair(server.app, { ...key, reservations: [first, second] });
    expect((await tryLogin(email)).viewer).toEqual({ id: reader.viewerId });
    expect(codesOf(await tryLogin(second.email))).toEqual(['INVALID_CREDENTIALS']);
  });

  test("is recognised as the account's own when its answer was lost", async () => {
    const reader = await server.client().registerSomebody();
    let isLost = false;
    const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
      const result = await send();
      if (!cql.startsWith('INSERT INTO users_by_login_info') || isLost) return result;
      isLost = true;
      throw new errors.OperationTimedOutError('no answer');
    });
    await changeEmail(contextOf(reader, cassandra), { email: `y-${reader.email}`, password: PASSWORD });
    expect(isLost).toBe(true);
    expect((await tryLogin(`y-${reader.email}`)).viewer).toEqual({ id: reader.viewerId });
  });
});

describe('the stored data about a person', () => {
  test('every table of the schema declares how it is exported and erased, or that it has no personal data', async () => {
    const { client } = server.app.cassandra;
    const inSchema = (what: string) =>
      client.execute(`SELECT ${what} WHERE keyspace_name = ?`, [client.keyspace], { prepare: true });
    const tables = await inSchema('table_name FROM system_schema.tables');
    const names = tables.rows.map((row) => row['table_name'] as string);
    const impersonalTables = rooms.flatMap((room) => room.impersonalTables ?? []);
    expect([...personalTables.map(({ table }) => table), ...impersonalTables].toSorted()).toEqual(names.toSorted());
    const columns = await inSchema('table_name, column_name FROM system_schema.columns');
    const named = columns.rows
      .filter((row) => /user|email|name$|address|device|caller|payload/.test(row['column_name'] as string))
      .map((row) => row['table_name'] as string);
    // The names in these tables are not those of people.
    const others = [
      'audits',
      'leases',
      'genres',
      'schema_steps',
      'libraries_by_id',
      'libraries_by_city',
      'libraries_by_city_opened',
      'libraries_by_cell',
      'places',
    ];
    const suspects = [...new Set(named)].filter((table) => !others.includes(table));
    for (const table of suspects) expect(impersonalTables, table).not.toContain(table);
  });

  /** Makes a reader who has done everything that can be done here. */
  async function busyReader(): Promise<Client> {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const admirer = await server.client().registerSomebody();
    for (const id of books.slice(230, 235)) await reader.like(id);
    await reader.unlike(books[230]!);
    for (const bookId of books.slice(230, 233))
      await reader.mutate('markAsRead', { bookId, finishedOn: '2024-05-05', startedOn: '2024-05-01' }, 'book { id }');
    await reader.mutate('unmarkAsRead', { bookId: books[230]! }, 'book { id }');
    for (const bookId of books.slice(230, 232)) {
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
    const click = { id: randomUUID(), at: session.startedAt, target: 'Quentin’s button', subjectId: books[230] };
    await reader.mutate('recordClicks', { sessionId: session.id, clicks: [click] }, 'recorded');
    await reader.mutate('recordView', { bookId: books[230]! }, 'book { id }');
    await reader.data('mutation { requestEmailVerification { userErrors { code } } }');
    await server.client().mutate('requestPasswordReset', { email: reader.email }, '__typename');
    await reader.mutate('changeEmail', { email: `x-${reader.email}`, password: PASSWORD }, 'viewer { id }');
    reader.email = `x-${reader.email}`;
    return reader;
  }

  test('is exported as one JSON object, without secrets, to its owner alone', async () => {
    const reader = await busyReader();
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

  test('includes network addresses only in security events, and there for 90 days', async () => {
    const reader = await busyReader();
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
    const reader = await busyReader();
    const other = await server.client().registerSomebody();
    for (const id of books.slice(230, 235)) await other.like(id);
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
    expect(await server.rowsAbout(texts.slice(0, 2))).toEqual(['users_by_id']);
    const users = await jsonRows(server.app.cassandra.client, 'users_by_id');
    expect(users.filter((row) => row.includes(keyOf(reader.viewerId))).join('')).not.toMatch(/@|Unforgettable|argon2/);
    const { nodes } = await server
      .client()
      .data(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { likeTally { count isExact } likers { edges { node { id } } } } } }`,
        { ids: books.slice(230, 235) },
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

  test('is deleted during the start of a session: nothing of the session stays', async () => {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const resume = await heldUpAt(server, 'session: before compare-and-set', reader, (client) =>
      client.send('mutation { startSession(input: {}) { session { id } } }'),
    );
    expect(codesOf(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename'))).toEqual([]);
    await resume();
    expect(await server.rowsAbout([keyOf(reader.viewerId)])).toEqual(['users_by_id']);
  });

  test('is deleted during a login: the login is refused, and nothing of it stays', async () => {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const resume = await heldUpAt(server, 'session: before compare-and-set', reader, (client) =>
      client.mutate('login', { email: reader.email, password: PASSWORD }, 'accessToken'),
    );
    expect(codesOf(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename'))).toEqual([]);
    expect(codesOf(await resume())).toEqual(['INVALID_CREDENTIALS']);
    expect(await server.rowsAbout([keyOf(reader.viewerId)])).toEqual(['users_by_id']);
  });

  test('is deleted during calls of the same reader: nothing of the calls stays', async () => {
    const reader = await server.client().registerSomebody('Quentin Unforgettable');
    const elsewhere = other.client();
    elsewhere.token = reader.token;
    let isOver = false;
    const calls = books.slice(240, 260).map(async (id, index) => {
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
    for (const table of ['transaction_log', 'jobs']) {
      while ((await client.execute(`SELECT kind FROM ${table}`)).rowLength > 0);
    }
    expect(await server.rowsAbout([keyOf(reader.viewerId)])).toEqual(['users_by_id']);
    for (const id of books.slice(240, 260)) {
      const { node } = await server
        .client()
        .data(`{ node(id: "${id}") { ... on Book { likeTally { count } likers { edges { cursor } } } } }`);
      expect(node).toEqual({ likeTally: { count: 0 }, likers: { edges: [] } });
    }
  });
});
