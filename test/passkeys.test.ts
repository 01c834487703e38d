import { beforeAll, describe, expect, test } from 'vitest';
import { bytesOfUuid, idArgument } from '../src/graphql/ids.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { Authenticator, type Options, type Said } from './support/authenticator.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { startMailbox, tokenIn, type Mailbox } from './support/mails.ts';

/** Readers log in with passkeys instead of email and password. */

const ORIGIN = 'https://books.example';
const AUTH = 'viewer { id } session { id } accessToken refreshToken';
const NOBODY = { viewer: null, session: null, accessToken: null, refreshToken: null };
const INVALID = [{ code: 'INVALID_PASSKEY', path: ['input', 'response'] }];

let mailbox: Mailbox;
let settings: Record<string, string>;
let server: TestServer;
let other: TestServer;
let now = Date.now();

beforeAll(async () => {
  mailbox = await startMailbox();
  settings = {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Library <library@example.com>',
    EMAIL_VERIFICATION: 'off',
    MAILS_PER_ADDRESS: '0',
    TRUST_PROXY: '1',
    PASSKEY_ORIGINS: `${ORIGIN}, https://app.books.example`,
  };
  const config = await sharedKeyspace(settings);
  const clock = () => new Date(now);
  server = await startServer(config, { clock });
  other = await startServer(config, { clock });
});

const begin = (reader: Client, password = PASSWORD) => reader.mutate('startPasskey', { password }, 'options');
const add = (reader: Client, response: object, name = 'My phone') =>
  reader.mutate('addPasskey', { name, response }, 'viewer { passkeys { credentialId name createdAt lastUsedAt } }');
const passkeysOf = async (reader: Client) =>
  (await reader.data('{ viewer { passkeys { credentialId name lastUsedAt } } }')).viewer.passkeys;
const remove = (reader: Client, { credentialId }: Authenticator, password = PASSWORD) =>
  reader.mutate('removePasskey', { credentialId, password }, 'viewer { passkeys { credentialId } }');
const eventsOf = async (reader: Client): Promise<string[]> =>
  kindsOf((await reader.data('{ viewer { securityEvents { edges { node { kind } } } } }')).viewer.securityEvents);

/** Returns the handle by which authenticators know a reader. */
const handleOf = ({ viewerId }: Client) => bytesOfUuid(idArgument('id', viewerId).key).toString('base64url');

/** Begins a login. */
async function asked(at = server): Promise<Options> {
  const { startPasskeyLogin } = await at
    .client()
    .data('mutation { startPasskeyLogin { options userErrors { code } } }');
  expect(startPasskeyLogin.userErrors).toEqual([]);
  return startPasskeyLogin.options;
}
const logIn = (response: object, at = server) => at.client().mutate('loginWithPasskey', { response }, AUTH);

/** Makes a reader with a passkey. */
async function equipped(said: Partial<Said> = {}): Promise<{ reader: Client; authenticator: Authenticator }> {
  const reader = await server.client().registerSomebody();
  const authenticator = new Authenticator();
  const { options } = await begin(reader);
  expect(await add(reader, authenticator.create(options, { origin: ORIGIN, ...said }))).toMatchObject({
    userErrors: [],
  });
  return { reader, authenticator };
}

/** Logs in once more. Each challenge is newer than the one before. */
async function logInAgain(authenticator: Authenticator, said: Partial<Said> = {}, at = server) {
  now += 10;
  return logIn(authenticator.get(await asked(at), { origin: ORIGIN, ...said }), at);
}

describe('a passkey', () => {
  test('is made by the browser, and is enough to log its reader in on every server', async () => {
    const reader = await server.client().registerSomebody();
    const { options } = await begin(reader);
    expect(options).toMatchObject({
      rp: { id: 'books.example' },
      user: { id: handleOf(reader), name: reader.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });

    const authenticator = new Authenticator();
    const { viewer } = await add(reader, authenticator.create(options, { origin: 'https://app.books.example' }));
    const passkey = { credentialId: authenticator.credentialId, name: 'My phone', lastUsedAt: null };
    expect(viewer.passkeys).toEqual([{ ...passkey, createdAt: expect.any(String) }]);
    await mailbox.arrived(reader.email, 'Your account has a new passkey');
    expect(await eventsOf(reader)).toContain('PASSKEY_ADDED');

    for (const at of [server, other, server]) {
      const answer = await logInAgain(authenticator, {}, at);
      expect(answer).toMatchObject({
        viewer: { id: reader.viewerId },
        accessToken: expect.any(String),
        userErrors: [],
      });
    }
    expect(await passkeysOf(reader)).toEqual([{ ...passkey, lastUsedAt: new Date(now).toISOString() }]);
    const somebody = await server.client().registerSomebody();
    const seen = await somebody.data('query ($id: ID!) { node(id: $id) { ... on User { passkeys { name } } } }', {
      id: reader.viewerId,
    });
    expect(seen.node).toEqual({ passkeys: null });
  });

  test('can be used once per challenge, even on two servers at once', async () => {
    const { reader, authenticator } = await equipped();
    now += 10;
    const older = await asked();
    now += 10;
    const options = await asked();
    const response = authenticator.get(options, { origin: ORIGIN });
    const answers = await Promise.all([logIn(response), logIn(response, other), logIn(response)]);
    expect(answers.filter(({ viewer }) => viewer?.id === reader.viewerId)).toHaveLength(1);
    expect(answers.filter(({ userErrors }) => userErrors[0]?.code === 'INVALID_PASSKEY')).toHaveLength(2);

    for (const again of [response, authenticator.get(older, { origin: ORIGIN })])
      expect(await logIn(again, other)).toMatchObject({ ...NOBODY, userErrors: INVALID });
    expect((await logInAgain(authenticator)).userErrors).toEqual([]);
  });

  test('is refused with the same error for any reason', async () => {
    const { authenticator } = await equipped();
    const victim = await equipped();
    const origin = ORIGIN;
    const options = async () => {
      now += 10;
      return asked();
    };
    const good = authenticator.get(await options(), { origin });
    const spoilt = (field: string, value: unknown) => ({
      ...good,
      response: { ...(good['response'] as object), [field]: value },
    });
    const { options: creation } = await begin(victim.reader);
    const wrong: Record<string, object> = {
      'another origin': authenticator.get(await options(), { origin: 'https://books.example.evil' }),
      'another domain': authenticator.get(await options(), { origin, rpId: 'books.example.evil' }),
      'not unlocked': authenticator.get(await options(), { origin, isUnlocked: false }),
      'a challenge of nobody': authenticator.get({ ...(await options()), challenge: 'bm9ib2R5' }, { origin }),
      'a challenge for something else': authenticator.get({ ...creation, rpId: 'books.example' }, { origin }),
      'another signature': spoilt(
        'signature',
        (victim.authenticator.get(await options(), { origin })['response'] as Record<string, string>)['signature'],
      ),
      'no signature': spoilt('signature', ''),
      'the handle of another reader': authenticator.get(await options(), {
        origin,
        userHandle: handleOf(victim.reader),
      }),
      'the handle of nobody': authenticator.get(await options(), { origin, userHandle: 'AAAAAAAAQACAAAAAAAAAAA' }),
      'no handle': authenticator.get(await options(), { origin, userHandle: 'x' }),
      'an unknown passkey': new Authenticator().get(await options(), { origin, userHandle: handleOf(victim.reader) }),
      'nothing of it': {},
      'something else': { id: 1, response: { userHandle: [] } },
    };
    const messages = new Set<string>();
    for (const [what, response] of Object.entries(wrong)) {
      const { userErrors, ...answer } = await server.client().mutate('loginWithPasskey', { response }, AUTH);
      expect(answer, what).toEqual(NOBODY);
      expect(userErrors, what).toMatchObject(INVALID);
      messages.add(userErrors[0].message);
    }
    expect(messages.size).toBe(1);

    const late = authenticator.get(await options(), { origin });
    now += 5 * 60_000 + 1;
    expect(await logIn(late)).toMatchObject({ ...NOBODY, userErrors: INVALID });
    expect((await logInAgain(authenticator)).userErrors).toEqual([]);
  });

  test('makes the address of its use a known one, where failures of strangers do not lock its reader out', async () => {
    const { reader, authenticator } = await equipped();
    const known = async () => {
      const cql = 'SELECT address FROM known_addresses_by_user WHERE user_id = ?';
      return (await server.app.cassandra.client.execute(cql, [idArgument('id', reader.viewerId).key])).rowLength;
    };
    const before = await known();
    now += 10;
    const response = authenticator.get(await asked(), { origin: ORIGIN });
    expect(
      (await server.client().from('192.0.2.77').mutate('loginWithPasskey', { response }, AUTH)).userErrors,
    ).toEqual([]);
    expect(await known()).toBe(before + 1);
  });

  test('that was copied is detected if it counts its uses', async () => {
    const { reader, authenticator } = await equipped({ counter: 7 });
    expect((await logInAgain(authenticator, { counter: 9 })).viewer).toEqual({ id: reader.viewerId });
    for (const counter of [8, 9, 0])
      expect(await logInAgain(authenticator, { counter })).toMatchObject({ ...NOBODY, userErrors: INVALID });
    expect((await logInAgain(authenticator, { counter: 10 })).userErrors).toEqual([]);
  });

  test('is not added with another reader’s challenge, after a change of password, too late, or without user verification', async () => {
    const reader = await server.client().registerSomebody();
    const somebody = await server.client().registerSomebody();
    const authenticator = new Authenticator();
    const refused = { viewer: null, userErrors: INVALID };
    const { options } = await begin(somebody);
    expect(await add(reader, authenticator.create(options, { origin: ORIGIN }))).toMatchObject(refused);

    const own = (await begin(reader)).options;
    for (const said of [
      { origin: 'https://evil.example' },
      { origin: ORIGIN, isUnlocked: false },
      { origin: ORIGIN, rpId: 'evil.example' },
    ])
      expect(await add(reader, authenticator.create(own, said))).toMatchObject(refused);
    expect(await add(reader, authenticator.create({ ...own, ...(await asked()) }, { origin: ORIGIN }))).toMatchObject(
      refused,
    );
    now += 5 * 60_000 + 1;
    expect(await add(reader, authenticator.create(own, { origin: ORIGIN }))).toMatchObject(refused);

    const before = (await begin(reader)).options;
    await reader.mutate('changePassword', { password: PASSWORD, newPassword: 'a battery staple' }, 'viewer { id }');
    expect(await add(reader, authenticator.create(before, { origin: ORIGIN }))).toMatchObject(refused);
    expect(await passkeysOf(reader)).toEqual([]);
  });

  test('is added once, and a reader has at most 20', async () => {
    const { reader, authenticator } = await equipped();
    const { options } = await begin(reader);
    expect(options.excludeCredentials).toMatchObject([{ id: authenticator.credentialId }]);
    const made: object[] = [];
    for (let count = 1; count < 20; count++) {
      made.push(new Authenticator().create((await begin(reader)).options, { origin: ORIGIN }));
      for (const response of count % 6 === 0 ? [...made.slice(0, 2), ...made.slice(-2)] : made.slice(-1))
        expect((await add(reader, response)).userErrors).toEqual([]);
    }
    expect(await passkeysOf(reader)).toHaveLength(20);

    const full = [{ code: 'INVALID_INPUT', path: ['input'] }];
    expect((await add(reader, new Authenticator().create(options, { origin: ORIGIN }))).userErrors).toMatchObject(full);
    expect((await begin(reader)).userErrors).toMatchObject(full);
  });

  test('is added once for each challenge: at once, one after the other, on two servers, or after its removal', async () => {
    const reader = await server.client().registerSomebody();
    const { options } = await begin(reader);
    const elsewhere = Object.assign(other.client(), { token: reader.token });
    const authenticators = Array.from({ length: 4 }, () => new Authenticator());
    const made = authenticators.map((each) => each.create(options, { origin: ORIGIN }));
    const answers = await Promise.all(made.map((response, at) => add(at % 2 ? elsewhere : reader, response)));
    const added = answers.findIndex(({ userErrors }) => userErrors.length === 0);
    expect(answers.filter(({ userErrors }) => userErrors[0]?.code === 'INVALID_PASSKEY')).toHaveLength(3);
    const one = [{ credentialId: authenticators[added]!.credentialId }];
    expect(await passkeysOf(reader)).toMatchObject(one);

    expect((await add(elsewhere, made[added]!)).userErrors).toEqual([]);
    expect((await add(reader, new Authenticator().create(options, { origin: ORIGIN }))).userErrors).toMatchObject(
      INVALID,
    );
    expect(await passkeysOf(reader)).toMatchObject(one);
    expect((await remove(reader, authenticators[added]!)).userErrors).toEqual([]);
    for (const response of made) expect((await add(reader, response)).userErrors).toMatchObject(INVALID);
    expect(await passkeysOf(reader)).toEqual([]);

    // A second challenge is void once another passkey was added.
    const [first, second] = [(await begin(reader)).options, (await begin(reader)).options];
    expect((await add(reader, new Authenticator().create(second, { origin: ORIGIN }))).userErrors).toEqual([]);
    expect((await add(reader, new Authenticator().create(first, { origin: ORIGIN }))).userErrors).toMatchObject(
      INVALID,
    );
  });

  test('is neither added nor used if another page may frame ours', async () => {
    const { reader, authenticator } = await equipped({ page: { crossOrigin: undefined } });
    const { options } = await begin(reader);
    for (const page of [
      { crossOrigin: true, topOrigin: 'https://evil.example' },
      { crossOrigin: true, topOrigin: ORIGIN },
      { crossOrigin: true },
      { topOrigin: 'https://evil.example' },
      { crossOrigin: 'true' },
      { crossOrigin: null },
    ]) {
      const made = new Authenticator().create(options, { origin: ORIGIN, page });
      expect((await add(reader, made)).userErrors, JSON.stringify(page)).toMatchObject(INVALID);
      expect(await logInAgain(authenticator, { page })).toMatchObject({ ...NOBODY, userErrors: INVALID });
    }
    expect(await passkeysOf(reader)).toHaveLength(1);
    expect((await logInAgain(authenticator)).userErrors).toEqual([]);
  });

  test('does not reveal the maker of its authenticator: it has no attestation, or is self-signed', async () => {
    const reader = await server.client().registerSomebody();
    const refused: Partial<Said>[] = [
      { format: 'packed', statement: { x5c: [new Uint8Array(700)] } },
      { format: 'packed', statement: { x5c: [] } },
      { format: 'packed', statement: { ecdaaKeyId: new Uint8Array(8) } },
      { format: 'packed', statement: { sig: new Uint8Array(70) } },
      { format: 'none', statement: { x5c: [new Uint8Array(700)] } },
      ...['fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet', 'compound', ''].map((format) => ({ format })),
    ];
    const { options } = await begin(reader);
    for (const said of refused) {
      const { userErrors } = await add(reader, new Authenticator().create(options, { origin: ORIGIN, ...said }));
      expect(userErrors, JSON.stringify(said)).toMatchObject(INVALID);
    }
    const authenticator = new Authenticator();
    const made = authenticator.create(options, { origin: ORIGIN, format: 'packed' });
    expect((await add(reader, made)).userErrors).toEqual([]);
    expect((await logInAgain(authenticator)).viewer).toEqual({ id: reader.viewerId });
  });

  test('has an id of at most 1,023 bytes and a key of at most 2 KB', async () => {
    const reader = await server.client().registerSomebody();
    for (const [idBytes, keyPadding, isGood] of [
      [1_024, 0, false],
      [60_000, 0, false],
      [16, 2_048, false],
      [16, 140_000, false],
      [1_023, 1_900, true],
    ] as const) {
      const authenticator = new Authenticator(undefined, idBytes);
      const { options } = await begin(reader);
      const { userErrors } = await add(reader, authenticator.create(options, { origin: ORIGIN, keyPadding }));
      expect(userErrors, `${String(idBytes)} ${String(keyPadding)}`).toMatchObject(isGood ? [] : INVALID);
      if (isGood) expect((await logInAgain(authenticator)).viewer).toEqual({ id: reader.viewerId });
    }
    expect(await passkeysOf(reader)).toHaveLength(1);
  });

  test('is refused in a response that is too long or nested too deeply, regardless of its other content', async () => {
    const { reader, authenticator } = await equipped();
    for (const extra of ['x'.repeat(33_000), Array.from({ length: 9_000 }, () => 12_345)]) {
      const { options } = await begin(reader);
      const made = new Authenticator().create(options, { origin: ORIGIN });
      expect((await add(reader, { ...made, extra })).userErrors).toMatchObject(INVALID);
      now += 10;
      const used = authenticator.get(await asked(), { origin: ORIGIN });
      expect(await logIn({ ...used, extra })).toMatchObject({ ...NOBODY, userErrors: INVALID });
    }
    // A client of JavaScript cannot write this JSON, but a server could read it.
    const query =
      'mutation ($input: LoginWithPasskeyInput!) { loginWithPasskey(input: $input) { userErrors { code path } } }';
    const body = JSON.stringify({ query, variables: { input: { response: { extra: 'DEEP' } } } });
    const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: body.replace('"DEEP"', deep) });
    expect([sent.status, await sent.json()]).toMatchObject([
      200,
      { data: { loginWithPasskey: { userErrors: INVALID } } },
    ]);

    const made = new Authenticator().create((await begin(reader)).options, { origin: ORIGIN });
    expect(
      (await add(reader, { ...made, authenticatorAttachment: 'platform', extra: 'x'.repeat(3_000) })).userErrors,
    ).toEqual([]);
    expect((await logInAgain(authenticator)).userErrors).toEqual([]);
  });

  test('is removed with the password', async () => {
    const { reader, authenticator } = await equipped();
    expect((await remove(reader, authenticator, 'not it')).userErrors).toMatchObject([
      { code: 'INVALID_CREDENTIALS', path: ['input', 'password'] },
    ]);
    expect((await remove(reader, new Authenticator())).userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'credentialId'] },
    ]);
    expect(await remove(reader, authenticator)).toEqual({ viewer: { passkeys: [] }, userErrors: [] });
    await mailbox.arrived(reader.email, 'A passkey was removed');
    expect(await eventsOf(reader)).toContain('PASSKEY_REMOVED');
    expect(await logInAgain(authenticator, {}, other)).toMatchObject({ ...NOBODY, userErrors: INVALID });
  });

  test('is removed by a reset of the password, and with the account', async () => {
    const reset = await equipped();
    const { reader } = reset;
    await server.client().mutate('requestPasswordReset', { email: reader.email }, '');
    const token = tokenIn((await mailbox.arrived(reader.email, 'A new password')).body);
    const { userErrors } = await server.client().mutate('resetPassword', { token, password: 'a battery staple' }, AUTH);
    expect(userErrors).toEqual([]);
    expect(await logInAgain(reset.authenticator)).toMatchObject({ ...NOBODY, userErrors: INVALID });

    const leaving = await equipped();
    await leaving.reader.mutate('deleteAccount', { password: PASSWORD }, '');
    expect(await logInAgain(leaving.authenticator)).toMatchObject({ ...NOBODY, userErrors: INVALID });
  });
});

test('passkeys that are not set up cannot be used', async () => {
  const without = await startServer(await sharedKeyspace());
  const reader = await without.client().registerSomebody();
  const notSetUp = [{ code: 'PASSKEYS_NOT_SET_UP', path: ['input'] }];
  expect((await begin(reader)).userErrors).toMatchObject(notSetUp);
  expect((await add(reader, {})).userErrors).toMatchObject(notSetUp);
  expect((await logIn({}, without)).userErrors).toMatchObject(notSetUp);
  const { startPasskeyLogin } = await without
    .client()
    .data('mutation { startPasskeyLogin { options userErrors { code } } }');
  expect(startPasskeyLogin).toEqual({ options: null, userErrors: [{ code: 'PASSKEYS_NOT_SET_UP' }] });
  expect(await passkeysOf(reader)).toEqual([]);
});
