import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { idArgument } from '../src/graphql/ids.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { jsonRows } from '../tools/support/patience.ts';

const AUTH = 'viewer { id } session { id device endedAt isCurrent } accessToken refreshToken';
const ENDED_WITHIN_MS = 2_000;

let now: Date | undefined;
let server: TestServer;
/** A second server, which behaves like another process. */
let other: TestServer;

beforeAll(async () => {
  const config = await sharedKeyspace({ TRUST_PROXY: '1' });
  server = await startServer(config, { clock: () => now ?? new Date() });
  other = await startServer(config, { clock: () => now ?? new Date() });
});

const refresh = (client: Client, refreshToken = client.refreshToken) =>
  signedOut(client).mutate('refreshTokens', { refreshToken }, AUTH);

/** Makes a client of the same server, without an access token. */
function signedOut(client: Client): Client {
  const same = server.client();
  same.headers = client.headers;
  return same;
}

/** Waits until the other server refuses an access token. */
async function untilRefused(token: string | undefined): Promise<void> {
  const client = other.client();
  client.token = token;
  const deadline = Date.now() + ENDED_WITHIN_MS;
  for (;;) {
    const { status, errors } = await client.send('{ viewer { id } }');
    if (status === 401) {
      expect(errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', reason: 'SESSION_ENDED' });
      return;
    }
    expect(Date.now(), 'the other server knows in time').toBeLessThan(deadline);
    await sleep(50);
  }
}

async function isGood(token: string | undefined): Promise<boolean> {
  const client = other.client();
  client.token = token;
  return (await client.send('{ viewer { id } }')).status === 200;
}

/** Returns the remaining seconds until the row of a session expires; null if it never does. */
async function secondsLeft(id: string): Promise<number | null> {
  const cql = 'SELECT TTL(state) AS seconds FROM sessions_by_id WHERE session_id = ?';
  const { rows } = await server.app.cassandra.client.execute(cql, [idArgument('id', id).key], { prepare: true });
  return rows[0]!['seconds'] as number | null;
}

describe('a session', () => {
  test('begins with a registration or a login, and has its device', async () => {
    const client = server.client();
    const input = {
      email: `${randomUUID()}@example.com`,
      password: 'correct horse',
      fullName: 'D',
      device: ' Ann’s phone ',
    };
    const made = await client.mutate('register', input, AUTH);
    expect(made.session).toMatchObject({ device: 'Ann’s phone', endedAt: null, isCurrent: true });
    const again = await client.mutate('login', { email: input.email, password: input.password }, AUTH);
    expect(again.session).toMatchObject({ device: null, endedAt: null, isCurrent: true });
    expect(again.session.id).not.toBe(made.session.id);
    client.useTokens(again);
    const { node } = await client.data(`{ node(id: "${made.session.id}") { ... on Session { device isCurrent } } }`);
    expect(node).toEqual({ device: 'Ann’s phone', isCurrent: false });
    const somebody = await server.client().registerSomebody();
    expect((await somebody.data(`{ node(id: "${made.session.id}") { id } }`)).node).toBeNull();
  });

  test('with a device of 201 characters is refused', async () => {
    const input = { email: 'x@example.com', password: 'correct horse', device: 'x'.repeat(201) };
    const refused = await server.client().mutate('login', input, AUTH);
    expect(refused.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'device'] }]);
  });

  test('of a visitor becomes the reader’s at login, once', async () => {
    const visitor = server.client();
    const started = await visitor.mutate('startSession', { device: 'a browser' }, 'session { id startedAt endedAt }');
    expect(started.session.endedAt).toBeNull();
    const { id } = started.session;
    expect((await visitor.data(`{ node(id: "${id}") { id } }`)).node).toEqual({ id });
    const owner = await server.client().registerSomebody();
    const credentials = { email: owner.email, password: 'correct horse', sessionId: id };
    const taken = await visitor.mutate('login', credentials, AUTH);
    expect(taken.session).toMatchObject({ id, device: 'a browser' });
    expect((await server.client().data(`{ node(id: "${id}") { id } }`)).node).toBeNull();
    // The session now belongs to a reader, so another login begins a new one.
    const somebody = await server.client().registerSomebody();
    const second = await server.client().mutate('login', { ...credentials, email: somebody.email }, AUTH);
    expect(second.userErrors).toEqual([]);
    expect(second.session.id).not.toBe(id);
  });

  test('of a visitor expires after a month, unless a reader logs in with it', async () => {
    const visitor = server.client();
    const { session } = await visitor.mutate('startSession', {}, 'session { id }');
    expect(await secondsLeft(session.id)).toBeGreaterThan(29 * 86_400);
    expect(await secondsLeft(session.id)).toBeLessThanOrEqual(30 * 86_400);
    const owner = await server.client().registerSomebody();
    await visitor.mutate('login', { email: owner.email, password: 'correct horse', sessionId: session.id }, AUTH);
    expect(await secondsLeft(session.id)).toBeNull();
  });

  test.each([
    ['garbage', 'INVALID_INPUT'],
    [Buffer.from('Book:9780439023481').toString('base64url'), 'INVALID_INPUT'],
  ])('a login with the session %s is refused', async (sessionId, code) => {
    const input = { email: 'x@example.com', password: 'correct horse', sessionId };
    const refused = await server.client().mutate('login', input, AUTH);
    expect(refused.userErrors).toMatchObject([{ code, path: ['input', 'sessionId'] }]);
  });

  test('ends at logout, with its access token on every server within two seconds', async () => {
    const reader = await server.client().registerSomebody();
    const elsewhere = await server.client().login(reader.email);
    expect(await isGood(reader.token)).toBe(true);
    expect(await isGood(elsewhere.token)).toBe(true);
    expect(await reader.mutate('logout', {}, '__typename')).toMatchObject({ userErrors: [] });
    await untilRefused(reader.token);
    expect((await refresh(reader)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    expect(await isGood(elsewhere.token)).toBe(true);
  });

  test('and all others end at a logout everywhere', async () => {
    const reader = await server.client().registerSomebody();
    const elsewhere = await server.client().login(reader.email);
    const somebody = await server.client().registerSomebody();
    await reader.mutate('logout', { everywhere: true }, '__typename');
    await Promise.all([reader, elsewhere].map(({ token }) => untilRefused(token)));
    expect(await isGood(somebody.token)).toBe(true);
  });

  test('can be ended from another device; the session of another reader is not found', async () => {
    const reader = await server.client().registerSomebody();
    const phone = await server.client().login(reader.email, 'phone');
    const { edges } = (await reader.data('{ viewer { sessions { edges { node { id device } } } } }')).viewer.sessions;
    const { id } = edges.find(({ node }: { node: { device: string } }) => node.device === 'phone').node;
    const somebody = await server.client().registerSomebody();
    expect((await somebody.mutate('endSession', { sessionId: id }, 'session { id }')).userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'sessionId'] },
    ]);
    const ended = await reader.mutate('endSession', { sessionId: id }, 'session { id endedAt } viewer { id }');
    expect(ended).toMatchObject({ session: { id }, viewer: { id: reader.viewerId }, userErrors: [] });
    expect(ended.session.endedAt).not.toBeNull();
    await untilRefused(phone.token);
  });

  test('on another device, and all of them, can be ended with a fresh login or the password; the current one needs only its token', async () => {
    const began = Date.now();
    now = new Date(began);
    const reader = await server.client().registerSomebody();
    const phone = await server.client().login(reader.email, 'phone');
    const { edges } = (await reader.data('{ viewer { sessions { edges { node { id device } } } } }')).viewer.sessions;
    const { id: sessionId } = edges.find(({ node }: { node: { device: string } }) => node.device === 'phone').node;
    const end = (more: object = {}) => reader.mutate('endSession', { sessionId, ...more }, 'session { endedAt }');
    const endAll = (client: Client, more: object = {}) =>
      client.mutate('logout', { everywhere: true, ...more }, '__typename');

    now = new Date(began + 15 * 60_000 + 1);
    // The continuation of a session is no login.
    for (const client of [reader, phone]) client.useTokens(await refresh(client));
    const stale = [{ code: 'PASSWORD_REQUIRED', path: ['input', 'password'] }];
    const wrong = [{ code: 'INVALID_CREDENTIALS', path: ['input', 'password'] }];
    expect(await end()).toMatchObject({ session: null, userErrors: stale });
    expect(await end({ password: null })).toMatchObject({ session: null, userErrors: stale });
    expect(await end({ password: 'wrong horse' })).toMatchObject({ session: null, userErrors: wrong });
    expect(await end({ password: '' })).toMatchObject({ session: null, userErrors: wrong });
    expect((await endAll(reader)).userErrors).toMatchObject(stale);
    expect((await endAll(reader, { password: 'wrong horse' })).userErrors).toMatchObject(wrong);
    for (const { token } of [reader, phone]) expect(await isGood(token)).toBe(true);

    const ended = await end({ password: PASSWORD });
    expect(ended).toMatchObject({ session: { endedAt: expect.any(String) }, userErrors: [] });
    // The tablet has logged in just now.
    const tablet = await server.client().login(reader.email);
    expect((await endAll(tablet)).userErrors).toEqual([]);
    expect((await refresh(reader)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);

    const alone = await server.client().login(reader.email);
    now = new Date(now.getTime() + 20 * 60_000);
    alone.useTokens(await refresh(alone));
    const { nodes } = (await alone.data('{ viewer { sessions { nodes { id isCurrent } } } }')).viewer.sessions;
    const own = nodes.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect((await alone.mutate('endSession', { sessionId: own.id }, '__typename')).userErrors).toEqual([]);
    const last = await server.client().login(reader.email);
    now = new Date(now.getTime() + 20 * 60_000);
    last.useTokens(await refresh(last));
    expect((await last.mutate('logout', {}, '__typename')).userErrors).toEqual([]);
    now = undefined;
  });

  test('logging out without a token is UNAUTHENTICATED', async () => {
    const client = server.client();
    expect(await client.errorCode('mutation { logout { userErrors { code } } }')).toBe('UNAUTHENTICATED');
    expect(await client.errorCode('mutation { endSession(input: { sessionId: "x" }) { userErrors { code } } }')).toBe(
      'UNAUTHENTICATED',
    );
  });
});

describe('refresh tokens', () => {
  test('are valid once, and each returns the next', async () => {
    const reader = await server.client().registerSomebody();
    const seen = new Set([reader.refreshToken]);
    for (let turn = 0; turn < 4; turn++) {
      const answer = await refresh(reader);
      expect(answer).toMatchObject({ viewer: { id: reader.viewerId }, session: { endedAt: null } });
      expect(Buffer.from(answer.refreshToken, 'base64url').length).toBeGreaterThanOrEqual(16);
      reader.useTokens(answer);
      expect(await isGood(reader.token)).toBe(true);
      seen.add(reader.refreshToken);
    }
    expect(seen.size).toBe(5);
  });

  test('the previous one is valid for ten seconds, and returns the same next one, for tabs that refresh at once', async () => {
    const reader = await server.client().registerSomebody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(reader)));
    expect(new Set(answers.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    reader.useTokens(answers[0]);
    expect((await refresh(reader)).userErrors).toEqual([]);
  });

  test.each([
    ['the one directly before, later than that', 1, 11_000],
    ['an older one, at once', 2, 0],
  ])('%s ends the session, its access tokens on every server within two seconds', async (_which, turns, laterMs) => {
    const reader = await server.client().registerSomebody();
    const stolen = reader.refreshToken;
    for (let turn = 0; turn < turns; turn++) reader.useTokens(await refresh(reader));
    expect(await isGood(reader.token)).toBe(true);
    now = new Date(Date.now() + laterMs);
    expect((await refresh(reader, stolen)).userErrors).toMatchObject([
      { code: 'INVALID_TOKEN', path: ['input', 'refreshToken'] },
    ]);
    await untilRefused(reader.token);
    expect((await refresh(reader)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    now = undefined;
    const back = await server.client().login(reader.email);
    const { viewer } = await back.data('{ viewer { securityEvents { edges { node { kind session { endedAt } } } } } }');
    const kinds = viewer.securityEvents.edges.map(({ node }: { node: { kind: string } }) => node.kind);
    expect(kinds.toSorted()).toEqual(['LOGGED_IN', 'REGISTERED', 'TOKEN_REUSED']);
  });

  test('an invented one ends nothing, even for a session whose id is known', async () => {
    const reader = await server.client().registerSomebody();
    const bytes = Buffer.from(reader.refreshToken, 'base64url');
    for (const index of [20, bytes.length - 1]) {
      const forged = Buffer.from(bytes);
      forged[index]! ^= 1;
      const answer = await refresh(reader, forged.toString('base64url'));
      expect(answer.userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    }
    for (const garbage of ['', 'x', reader.token!, `${reader.refreshToken}A`]) {
      expect((await refresh(reader, garbage)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    }
    expect((await refresh(reader)).userErrors).toEqual([]);
  });

  test('are stored nowhere', async () => {
    const reader = await server.client().registerSomebody();
    reader.useTokens(await refresh(reader));
    const rows = await jsonRows(server.app.cassandra.client, 'sessions_by_id');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.join('')).not.toContain(reader.refreshToken);
  });

  test('expire when unused for SESSION_IDLE_DAYS, and SESSION_DAYS after the login', async () => {
    const day = 86_400_000;
    const begun = Date.now();
    const [idle, busy] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
    for (const days of [10, 20, 29]) {
      now = new Date(begun + days * day);
      busy.useTokens(await refresh(busy));
    }
    expect((await refresh(idle)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    now = new Date(begun + 30 * day + 60_000);
    expect((await refresh(busy)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    now = undefined;
  });
});

describe('the secrets', () => {
  test('are rotated: tokens signed with an old one are valid only while it is in the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
    const file = join(folder, 'secrets');
    const [old] = server.app.config.accessTokens.secrets as [string];
    const fresh = 'another secret, which signs from now on';
    const serverWith = async (secrets: string[]) => {
      await writeFile(file, `${secrets.join('\n')}\n`);
      return startServer(await sharedKeyspace({ ACCESS_TOKEN_SECRET: undefined, ACCESS_TOKEN_SECRET_FILE: file }));
    };
    const reader = await server.client().registerSomebody();
    const [both, only] = [await serverWith([fresh, old]), await serverWith([fresh])];
    await rm(folder, { recursive: true });
    const ask = async (at: TestServer, token: string | undefined) => {
      const client = at.client();
      client.token = token;
      return (await client.send('{ viewer { id } }')).status;
    };
    expect(await ask(both, reader.token)).toBe(200);
    expect(await ask(only, reader.token)).toBe(401);
    const input = { refreshToken: reader.refreshToken };
    const refreshed = await both.client().mutate('refreshTokens', input, AUTH);
    expect(await ask(only, refreshed.accessToken)).toBe(200);
    expect(await ask(server, refreshed.accessToken)).toBe(401);
  });
});

describe('the list of sessions', () => {
  test('is listed newest first, across months, within ranges, in pages of every size', async () => {
    const begun = [
      '2026-01-05T10:00:00.000Z',
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
      '2026-04-10T10:00:00.000Z',
      '2026-04-10T10:00:00.001Z',
    ];
    now = new Date(begun[0]!);
    let reader = await server.client().registerSomebody();
    for (const at of begun.slice(1)) {
      now = new Date(at);
      reader = await server.client().login(reader.email, at);
    }
    const list = (args: string) =>
      reader
        .data(`{ viewer { sessions(${args}) { edges { cursor startedAt node { startedAt } } ${PAGE_INFO} } } }`)
        .then(({ viewer }) => viewer.sessions);
    const momentsOf = (edges: { startedAt: string }[]) => edges.map(({ startedAt }) => startedAt);
    for (const size of [1, 2, 50]) {
      for (const direction of ['forward', 'backward'] as const) {
        expect(momentsOf(await reader.allPages(size, direction, list))).toEqual(begun.toReversed());
      }
    }
    const range = `from: "${begun[1]}", to: "${begun[3]}"`;
    expect(momentsOf((await list(`first: 100, ${range}`)).edges)).toEqual([begun[2], begun[1]]);
    expect(momentsOf((await list(`last: 100, ${range}`)).edges)).toEqual([begun[2], begun[1]]);
    expect(
      await reader.errorCode(`{ viewer { sessions(from: "${begun[3]}", to: "${begun[1]}") { edges { cursor } } } }`),
    ).toBe('BAD_USER_INPUT');
    now = undefined;
  });

  test('and the security events are shown only to the viewer', async () => {
    const reader = await server.client().registerSomebody();
    const query = `{ node(id: "${reader.viewerId}") { ... on User { sessions { edges { cursor } }
      securityEvents { edges { cursor } } loginCount(last: "P1D") logins { thisDay { failed } } pendingRename { pagesDone } } } }`;
    for (const somebody of [await server.client().registerSomebody(), server.client()]) {
      expect((await somebody.data(query)).node).toEqual({
        sessions: null,
        securityEvents: null,
        loginCount: null,
        logins: null,
        pendingRename: null,
      });
    }
  });

  test('the security events have the address', async () => {
    const reader = server.client();
    reader.from('203.0.113.7');
    await reader.registerSomebody();
    const stranger = server.client();
    stranger.from('198.51.100.9');
    await stranger.mutate('login', { email: reader.email, password: 'wrong horse' }, AUTH);
    const { viewer } = await reader.data('{ viewer { securityEvents { edges { node { kind address } } } } }');
    expect(viewer.securityEvents.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      { kind: 'LOGIN_FAILED', address: '198.51.100.9' },
      { kind: 'REGISTERED', address: '203.0.113.7' },
    ]);
  });
});
