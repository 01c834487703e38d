import { errors } from 'cassandra-driver';
import { beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../src/accounts/aggregate.ts';
import { changeEmail } from '../src/accounts/changes.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { importSample, manyBookIds } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

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

  test('accepts the new email in any spelling, and releases the former one', async () => {
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

  test('of 16 readers at once to one address: exactly one gets it, and each reader has one email', async () => {
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

  test('of one account to several addresses at once: the account has the email that it shows, and the others are free', async () => {
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
  test('ends all other sessions, and keeps the session that made the change', async () => {
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

  test('is not released when an earlier change is repeated late', async () => {
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
