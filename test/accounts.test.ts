import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import argon2 from 'argon2';
import {
  decodeJwt,
  decodeProtectedHeader,
  SignJWT,
  UnsecuredJWT,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeEmail } from '../src/accounts/changes.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import type { UnauthenticatedReason } from '../src/graphql/errors.ts';
import { accountById } from '../src/identity/operations.ts';
import { ownKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './support/app.ts';
import { PASSWORD } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { mailInFolder, tokenIn } from './support/mails.ts';

const AUTH = 'accessToken accessTokenExpiresAt viewer { id fullName email registeredAt }';
const ann = { email: 'ann@example.com', password: 'correct horse', fullName: ' Ann  Lee ' };
let server: TestServer;

beforeAll(async () => {
  // This test hashes passwords as strongly as the defaults.
  server = await startServer(
    await ownKeyspace(testEnvironment({ ARGON2_MEMORY_KIB: undefined, ARGON2_PASSES: undefined })),
  );
});

describe('register', () => {
  test('makes an account and logs in', async () => {
    const client = server.client();
    const made = await client.mutate('register', ann, AUTH);
    expect(made).toMatchObject({ userErrors: [], viewer: { fullName: 'Ann Lee', email: 'ann@example.com' } });
    client.token = made.accessToken;
    expect((await client.data('{ viewer { id email } }')).viewer).toEqual({
      id: made.viewer.id,
      email: 'ann@example.com',
    });
    expect(Date.parse(made.accessTokenExpiresAt) - Date.now()).toBeGreaterThan(800_000);
  });

  test.each([
    [{ ...ann, email: 'ann' }, 'INVALID_EMAIL', ['input', 'email']],
    [{ ...ann, email: 'b@example.com', password: 'short' }, 'INVALID_PASSWORD', ['input', 'password']],
    [{ ...ann, email: 'b@example.com', password: '' }, 'INVALID_PASSWORD', ['input', 'password']],
    [{ ...ann, email: 'b@example.com', password: 'x'.repeat(257) }, 'INVALID_PASSWORD', ['input', 'password']],
    [{ ...ann, email: 'b@example.com', fullName: '  ' }, 'INVALID_INPUT', ['input', 'fullName']],
    [{ ...ann, email: 'b@example.com', fullName: 'x'.repeat(101) }, 'INVALID_INPUT', ['input', 'fullName']],
    [{ ...ann, email: ' ANN@Example.com' }, 'EMAIL_TAKEN', ['input', 'email']],
  ])('refuses %j', async (input, code, path) => {
    const refused = await server.client().mutate('register', input, AUTH);
    expect(refused).toMatchObject({ viewer: null, accessToken: null, userErrors: [{ code, path }] });
    if (input.email === 'b@example.com') {
      const tried = await server.client().mutate('login', { email: input.email, password: input.password }, AUTH);
      expect(tried.userErrors[0].code).toBe('INVALID_CREDENTIALS');
    }
  });

  test('many at once with one email in different spellings make exactly one account', async () => {
    const count = runs(50, 10);
    const spellings = ['jo@example.com', ' JO@example.com', 'Jo@EXAMPLE.com ', 'ｊｏ@example.com', 'jo@ｅxample．com'];
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const email = spellings[index % spellings.length];
        return server
          .client()
          .mutate('register', { email, password: `password ${index}`, fullName: `Jo ${index}` }, AUTH);
      }),
    );
    const made = answers.filter(({ viewer }) => viewer !== null);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ userErrors }) => userErrors[0]?.code === 'EMAIL_TAKEN')).toHaveLength(count - 1);
    const password = made[0].viewer.fullName.replace('Jo', 'password');
    const loggedIn = await server.client().mutate('login', { email: 'jo@example.com', password }, AUTH);
    expect(loggedIn.viewer).toEqual(made[0].viewer);
  });
});

test('a call that asks for the password of an account that was just deleted is refused like a wrong password', async () => {
  const reader = await server.client().registerSomebody();
  const viewerId = keyOf(reader.viewerId);
  const context = requestContext(server.app, { ...ANONYMOUS, viewerId });
  // The request has read the account by then.
  expect(await accountById(context, viewerId)).not.toBeNull();
  await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
  const wanted = { email: `x-${reader.email}`, password: PASSWORD };
  await expect(changeEmail(context, wanted)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
});

describe('login', () => {
  test('accepts the email in any spelling and the password in any Unicode form', async () => {
    const email = 'Zoë@example.com';
    await server.client().mutate('register', { email, password: 'cafe\u0301 noir', fullName: 'Zoë' }, AUTH);
    const loggedIn = await server
      .client()
      .mutate('login', { email: 'ZOE\u0308@example.com', password: 'caf\u00e9 noir' }, AUTH);
    expect(loggedIn.userErrors).toEqual([]);
    expect(loggedIn.viewer.fullName).toBe('Zoë');
  });

  test('an unknown email and a wrong password get the same answer', async () => {
    const wrong = await server.client().mutate('login', { email: ann.email, password: 'wrong horse' }, AUTH);
    const unknown = await server
      .client()
      .mutate('login', { email: 'nobody@example.com', password: 'wrong horse' }, AUTH);
    const malformed = await server.client().mutate('login', { email: 'nobody', password: 'wrong horse' }, AUTH);
    expect(wrong).toMatchObject({ viewer: null, accessToken: null, userErrors: [{ code: 'INVALID_CREDENTIALS' }] });
    expect(unknown).toEqual(wrong);
    expect(malformed).toEqual(wrong);
  });
});

describe('a reader’s own data', () => {
  test('is null for anybody else', async () => {
    const owner = await server.client().registerSomebody('Owner');
    const query = '{ node(id: "' + owner.viewerId + '") { ... on User { fullName email actions { edges { at } } } } }';
    expect((await owner.data(query)).node).toMatchObject({ fullName: 'Owner', email: expect.stringContaining('@') });
    const other = await server.client().registerSomebody('Other');
    for (const somebody of [other, server.client()]) {
      expect((await somebody.data(query)).node).toEqual({ fullName: 'Owner', email: null, actions: null });
    }
  });
});

describe('access tokens', () => {
  const key = new TextEncoder().encode('a secret of this test run, and of no other');
  let header: JWTHeaderParameters;
  let reservations: JWTPayload;
  /** Makes a valid token, of an open session. */
  const valid = () => new SignJWT({ ...reservations });

  beforeAll(async () => {
    const reader = await server.client().registerSomebody();
    header = decodeProtectedHeader(reader.token!) as JWTHeaderParameters;
    const { sub, sid, iss, aud } = decodeJwt<{ sid: string }>(reader.token!);
    reservations = { sub: sub!, sid, iss: iss!, aud: aud! };
  });

  test.each<[string, () => Promise<string> | string, UnauthenticatedReason?]>([
    ['garbage', () => 'garbage'],
    [
      'expired',
      () => valid().setProtectedHeader(header).setIssuedAt('-1h').setExpirationTime('-1m').sign(key),
      'TOKEN_EXPIRED',
    ],
    [
      'expired, of another key',
      () => valid().setProtectedHeader(header).setIssuedAt('-1h').setExpirationTime('-1m').sign(key.toReversed()),
    ],
    [
      'of another key',
      () => valid().setProtectedHeader(header).setIssuedAt().setExpirationTime('1h').sign(key.toReversed()),
    ],
    [
      'of another type',
      () =>
        valid()
          .setProtectedHeader({ ...header, typ: 'JWT' })
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(key),
    ],
    [
      'for another audience',
      () => valid().setAudience('x').setProtectedHeader(header).setIssuedAt().setExpirationTime('1h').sign(key),
    ],
    ['without an end', () => valid().setProtectedHeader(header).setIssuedAt().sign(key)],
    [
      'of another algorithm',
      () =>
        valid()
          .setProtectedHeader({ ...header, alg: 'HS512' })
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(key),
    ],
    ['unsigned', () => new UnsecuredJWT({ ...reservations }).setIssuedAt().setExpirationTime('1h').encode()],
    [
      'issued in the future',
      () => valid().setProtectedHeader(header).setIssuedAt('1h').setExpirationTime('2h').sign(key),
    ],
    [
      'of a key that nobody knows',
      () =>
        valid()
          .setProtectedHeader({ ...header, kid: 'x' })
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(key),
    ],
    [
      'of no key',
      () => {
        const { alg, typ } = header;
        return valid().setProtectedHeader({ alg, typ: typ! }).setIssuedAt().setExpirationTime('1h').sign(key);
      },
    ],
    [
      'of another session than its reader’s',
      () =>
        valid()
          .setSubject(crypto.randomUUID())
          .setProtectedHeader(header)
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(key),
      'SESSION_ENDED',
    ],
    [
      'tampered with',
      async () => {
        const token = await valid().setProtectedHeader(header).setIssuedAt().setExpirationTime('1h').sign(key);
        const [head, , signature] = token.split('.');
        const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: crypto.randomUUID() })).toString(
          'base64url',
        );
        return [head, payload, signature].join('.');
      },
    ],
  ])('one that is %s is answered 401', async (_kind, make, reason = 'TOKEN_INVALID') => {
    const client = server.client();
    client.token = await make();
    const answer = await client.send('{ __typename }');
    expect(answer.status).toBe(401);
    expect(answer.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', reason });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="social-e-library", error="invalid_token"');
  });

  test('a request with an authorization header without a token is answered with 401, and with what to send', async () => {
    for (const authorization of ['Basic eDp5', 'Bearer', 'Bearer two words']) {
      const client = server.client();
      client.headers = { authorization };
      const answer = await client.send('{ __typename }');
      expect(answer.status).toBe(401);
      expect(answer.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', reason: 'NO_TOKEN' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="social-e-library"');
    }
  });

  test('a field that needs a token fails alone without one, with status 200 and no challenge', async () => {
    const answer = await server.client().send('mutation { like(input: { id: "x" }) { changed } }');
    expect(answer.status).toBe(200);
    expect(answer.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', reason: 'NO_TOKEN' });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  test('a valid one is accepted', async () => {
    const client = server.client();
    client.token = await valid().setProtectedHeader(header).setIssuedAt().setExpirationTime('1h').sign(key);
    expect((await client.data('{ viewer { fullName } }')).viewer).toEqual({ fullName: 'Somebody' });
  });
});

describe('passwords', () => {
  const register = (password: string, more: Record<string, string> = {}) =>
    server
      .client()
      .mutate('register', { email: 'quentin.reader@example.org', fullName: 'Quentin Q', password, ...more }, AUTH);

  test.each([
    ['among the most common', 'password1234', /everybody tries first/],
    ['the same in capitals', 'PASSWORD1234', /everybody tries first/],
    ['the same in another width', 'ｐａｓｓｗｏｒｄ1234', /everybody tries first/],
    ['of one character', 'z'.repeat(40), /everybody tries first/],
    ['of the name', 'quentin quentin 7', /your name and email/],
    ['of the email', 'quentin.reader@example.org', /your name and email/],
    ['of the service', 'E-Library2026', /your name and email/],
    ['too short', 'seven77', /has 7 characters; use at least 8/],
    ['too short, whatever its bytes', '📚📚📚📚📚📚📚', /has 7 characters; use at least 8/],
    ['too long', 'ab'.repeat(129), /has 258 characters; use at most 256/],
  ])('%s are refused, with advice on what to change', async (_what, password, message) => {
    const { viewer, userErrors } = await register(password);
    expect(viewer).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID_PASSWORD', path: ['input', 'password'] }]);
    expect(userErrors[0].message).toMatch(message);
  });

  test.each([
    ['lower case alone', 'sleeping giants'],
    ['of 256 characters, all significant', `${'long '.repeat(51)}x`],
    ['of any script', 'книга на полке'],
    ['with the name among other words', 'quentin sleeps on giants'],
  ])('%s are accepted', async (what, password) => {
    const email = `${what.replace(/\W+/g, '-')}@example.com`;
    expect((await register(password, { email })).userErrors).toEqual([]);
    const client = server.client();
    expect((await client.mutate('login', { email, password: password.slice(0, -1) }, AUTH)).viewer).toBeNull();
    expect((await client.mutate('login', { email, password: `${password} ` }, AUTH)).viewer).toBeNull();
    expect((await client.mutate('login', { email, password }, AUTH)).userErrors).toEqual([]);
  });

  test('have at least PASSWORD_LENGTH_MIN characters, if that is more', async () => {
    const { passwords } = server.app.config;
    const strict = await startServer({ ...server.app.config, passwords: { ...passwords, lengthMin: 15 } });
    const input = { email: 'strict@example.com', fullName: 'S', password: 'sleeping giant' };
    const { userErrors } = await strict.client().mutate('register', input, AUTH);
    expect(userErrors[0].message).toMatch(/has 14 characters; use at least 15/);
  });

  test('are hashed again at the next login after the settings have changed, and only once', async () => {
    const { passwords } = server.app.config;
    const argon2id = { ...passwords.argon2id, passes: 3 };
    const stronger = await startServer({ ...server.app.config, passwords: { ...passwords, argon2id } });
    const reader = await server.client().registerSomebody();
    const hashOf = async () => {
      const { rows } = await server.app.cassandra.client.execute('SELECT user_id, state FROM users_by_id');
      const key = keyOf(reader.viewerId);
      const row = rows.find((each) => String(each['user_id']) === key);
      return (row?.['state'] as { password_hash: string }).password_hash;
    };
    expect(await hashOf()).toMatch(/t=2/);
    await stronger.client().login(reader.email);
    const upgraded = await hashOf();
    expect(upgraded).toMatch(/t=3/);
    await stronger.client().login(reader.email);
    expect(await hashOf()).toBe(upgraded);
    // An earlier session remains open because the password is the same.
    expect((await reader.data('{ viewer { id } }')).viewer.id).toBe(reader.viewerId);
  });

  test('are stored as argon2id with the parameters that OWASP recommends, each with its own salt', async () => {
    const hashes = await Promise.all([1, 2].map(() => server.app.passwords.hash('correct horse')));
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,p=1,t=2\$/);
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(await argon2.verify(hashes[0] ?? '', 'correct horse')).toBe(true);
  });

  test('are never logged in case of any error, and neither are network addresses', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'log-'));
    const log = join(folder, 'log');
    const environment = testEnvironment({
      LOG_LEVEL: 'trace',
      LOG_REQUESTS_PERCENT: '100',
      TRUST_PROXY: '1',
      CASSANDRA_KEYSPACE: server.app.config.cassandra.keyspace,
    });
    const { url, stop } = await startServerProcess(environment, log);
    const secret = 'horse-battery-staple';
    const address = '203.0.113.77';
    const send = async (path: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      headers.set('x-forwarded-for', address);
      return (await fetch(url + path, { ...init, headers })).text();
    };
    const post = (body: unknown) =>
      send('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const login = 'mutation ($input: LoginInput!) { login(input: $input) { accessToken userErrors { code } } }';
    const reset =
      'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { session { id } userErrors { code } } }';
    const reader = await server.client().registerSomebody();
    const request =
      'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { userErrors { code } } }';
    expect(await post({ query: request, variables: { input: { email: reader.email } } })).toContain('[]');
    const token = tokenIn(await mailInFolder(environment['MAIL_FOLDER']!, reader.email, 'A new password'));
    const answers = [
      await post({ query: login, variables: { input: { email: 'x@example.com', password: secret } } }),
      await post({ query: login, variables: { input: { email: 'x@example.com', password: { of: secret } } } }),
      await post({ query: login, variables: { input: { email: 'x@example.com', password: [secret, 'a; b'] } } }),
      await post({ query: reset, variables: { input: { token: secret, password: secret } } }),
      await post({ query: reset, variables: { input: { token, password: 'short' } } }),
      await post({ query: reset, variables: { input: { token, password: secret } } }),
      await post({ query: `mutation { login(input: { email: "x", password: { of: "${secret}" } }) { accessToken } }` }),
      await post({ query: `{ book(isbn: { of: "${secret}" }) { id } }` }),
      await send(
        `/graphql?query=${encodeURIComponent(`mutation { login(input: { email: "x", password: "${secret}" }) { accessToken } }`)}`,
        {},
      ),
      await send('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"password": "${secret}"`,
      }),
    ];
    await stop();
    for (const answer of answers) expect(answer).not.toContain(secret);
    const written = await readFile(log, 'utf8');
    expect(written.split('\n').length).toBeGreaterThan(10);
    for (const each of [secret, token, reader.email]) expect(written).not.toContain(each);
    expect(answers.filter((answer) => answer.includes('"session":{'))).toHaveLength(1);
    expect(written).toMatch(/"path":"\/graphql","address":"[\w-]{22}"/);
    expect(written).not.toContain(address);
    await rm(folder, { recursive: true });
  });
});
