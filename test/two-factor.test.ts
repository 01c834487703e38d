import { randomBytes } from 'node:crypto';
import { Secret, TOTP, URI } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../src/accounts/aggregate.ts';
import { idArgument } from '../src/graphql/ids.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { runs, some } from './support/full.ts';
import { startMailbox, tokenIn, type Mailbox } from './support/mails.ts';

/** A second factor: an app that shows codes, and recovery codes in case the app is lost. */

const NEW = 'a battery staple';
const STEP_MS = 30_000;
const FREE = runs(5, 2);
const AUTH = 'viewer { id } session { id } accessToken refreshToken';
const KEY = randomBytes(32).toString('base64');
const FORMER_KEY = randomBytes(32).toString('base64');

let mailbox: Mailbox;
let settings: Record<string, string>;
let server: TestServer;
let other: TestServer;
/** A server that limits tries to as many free ones. */
let limited: TestServer;
let addresses = 0;
/** The clock moves only when a test advances it, so that a code remains valid on a slow machine. */
let now = Date.now();

const start = async (more: Record<string, string | undefined> = {}) =>
  startServer(await ownKeyspace(testEnvironment({ ...settings, ...more })), { clock: () => new Date(now) });

beforeAll(async () => {
  mailbox = await startMailbox();
  settings = {
    CASSANDRA_KEYSPACE: (await ownKeyspace()).cassandra.keyspace,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Library <library@example.com>',
    TWO_FACTOR_KEYS: KEY,
    PASSKEY_ORIGINS: 'https://books.example',
    EMAIL_VERIFICATION: 'off',
    MAILS_PER_ADDRESS: '0',
    TRUST_PROXY: '1',
  };
  [server, other] = [await start(), await start()];
  limited = await start({ LOGIN_ATTEMPTS_FREE: String(FREE) });
});

/** Each test uses its own moments. */
beforeEach(() => {
  now += STEP_MS;
});

/** Makes a signed-out client with its own address. */
const from = (at = server) => at.client().from(`192.0.2.${String((++addresses % 250) + 1)}`);

interface Secured {
  readonly reader: Client;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: now + steps * STEP_MS });

/** Makes a code of the app for a time step whose code was not used yet. */
function nextCode({ secret }: { secret: string }): string {
  now += STEP_MS;
  return codeOf(secret);
}

/** Makes six digits that are not a code of these time steps. */
function wrongCode({ secret }: { secret: string }): string {
  const good = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !good.includes(code))!;
}

const begin = (reader: Client, password = PASSWORD) =>
  reader.mutate('startTwoFactor', { password }, 'secret uri viewer { id }');
const confirm = (reader: Client, code: string) =>
  reader.mutate('confirmTwoFactor', { code }, 'recoveryCodes viewer { isTwoFactorEnabled }');
const stop = (reader: Client, code: string, password = PASSWORD) =>
  reader.mutate('stopTwoFactor', { password, code }, 'viewer { isTwoFactorEnabled }');
const logIn = ({ email }: Client, code?: string, client = from(), password = PASSWORD) =>
  client.mutate('login', { email, password, code }, AUTH);

/** Makes a reader with a second factor. */
async function secured(at = server): Promise<Secured> {
  const reader = await from(at).registerSomebody();
  const { secret } = await begin(reader);
  const { recoveryCodes, userErrors } = await confirm(reader, codeOf(secret));
  expect(userErrors).toEqual([]);
  return { reader, secret, recoveryCodes };
}

/** Makes a reader with a second factor who has verified their email. */
async function verified(): Promise<Secured> {
  const someone = await secured();
  await someone.reader.data('mutation { requestEmailVerification { __typename } }');
  const token = tokenIn((await mailbox.arrived(someone.reader.email, 'Is this your email?')).body);
  expect((await from().mutate('verifyEmail', { token }, '__typename')).userErrors).toEqual([]);
  return someone;
}

const stateOf = ({ viewerId }: Client) =>
  accounts.read(server.app, { userId: idArgument('id', viewerId).key, what: 'TWO_FACTOR', reservations: [] });
const isOn = async (reader: Client) =>
  (await reader.data('{ viewer { isTwoFactorEnabled } }')).viewer.isTwoFactorEnabled;
const eventsOf = async (reader: Client): Promise<string[]> =>
  kindsOf((await reader.data('{ viewer { securityEvents { edges { node { kind } } } } }')).viewer.securityEvents);

const REQUIRED = [{ code: 'TWO_FACTOR_REQUIRED', path: ['input', 'code'] }];
const WRONG = [{ code: 'INVALID_CREDENTIALS', path: ['input', 'code'] }];
const WRONG_CODE = { userErrors: WRONG };
const MALFORMED = [{ code: 'INVALID_INPUT', path: ['input', 'code'] }];
const NOBODY = { viewer: null, session: null, accessToken: null, refreshToken: null };

test('a passkey is made and removed with a code, which is valid once', async () => {
  const someone = await secured();
  const make = (code?: string) => someone.reader.mutate('startPasskey', { password: PASSWORD, code }, 'options');
  const code = nextCode(someone);
  expect(await make()).toMatchObject({ options: null, userErrors: REQUIRED });
  expect(await make(wrongCode(someone))).toMatchObject({ options: null, userErrors: WRONG });
  expect(await make(code)).toMatchObject({ options: { rp: { id: 'books.example' } }, userErrors: [] });
  expect(await make(code)).toMatchObject({ options: null, userErrors: WRONG });

  const remove = (given?: string) =>
    someone.reader.mutate('removePasskey', { credentialId: 'x', password: PASSWORD, code: given }, 'viewer { id }');
  expect(await remove()).toMatchObject({ viewer: null, userErrors: REQUIRED });
  expect((await remove(nextCode(someone))).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
});

describe('a second factor', () => {
  test('is active once a code of the app was sent, and from then on a login requires a code', async () => {
    const reader = await from().registerSomebody();
    const { secret, uri, viewer } = await begin(reader);
    expect(viewer).toEqual({ id: reader.viewerId });
    expect(URI.parse(uri)).toMatchObject({ issuer: 'Library', label: reader.email, digits: 6, period: 30 });
    expect((URI.parse(uri) as TOTP).secret.base32).toBe(secret);
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
    expect(await isOn(reader)).toBe(false);
    expect((await logIn(reader)).viewer).toEqual({ id: reader.viewerId });

    const refused = { recoveryCodes: null, viewer: null, userErrors: WRONG };
    expect(await confirm(reader, wrongCode({ secret }))).toMatchObject(refused);
    expect(await isOn(reader)).toBe(false);
    const { recoveryCodes, ...confirmed } = await confirm(reader, codeOf(secret));
    expect(confirmed).toEqual({ viewer: { isTwoFactorEnabled: true }, userErrors: [] });
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    await mailbox.arrived(reader.email, 'Your second factor is on');
    expect(await eventsOf(reader)).toContain('TWO_FACTOR_ON');
    const somebody = await from().registerSomebody();
    const seen = await somebody.data(`{ node(id: "${reader.viewerId}") { ... on User { isTwoFactorEnabled } } }`);
    expect(seen.node).toEqual({ isTwoFactorEnabled: null });

    for (const none of [undefined, '', ' '])
      expect(await logIn(reader, none)).toMatchObject({ ...NOBODY, userErrors: REQUIRED });
    for (const wrong of [wrongCode({ secret }), 'nonsense', 'AAAA-AAAA-AAAA-AAAA', 'x'.repeat(70_000)])
      expect(await logIn(reader, wrong)).toMatchObject({ ...NOBODY, userErrors: WRONG });
    // The confirmation used that code.
    expect(await logIn(reader, codeOf(secret))).toMatchObject({ ...NOBODY, userErrors: WRONG });
    const code = nextCode({ secret });
    expect((await logIn(reader, `${code.slice(0, 3)} ${code.slice(3)}`)).viewer).toEqual({ id: reader.viewerId });
    // The reader is notified of tries by a person who has the password.
    expect(await eventsOf(reader)).toContain('LOGIN_FAILED');
  });

  test('reveals nothing to a caller without the password, and no code is used then', async () => {
    const { reader, secret } = await secured();
    const code = nextCode({ secret });
    const nobody = await from().mutate(
      'login',
      { email: `nobody-${reader.email}`, password: 'wrong horse', code },
      AUTH,
    );
    expect(nobody.userErrors).toMatchObject([{ code: 'INVALID_CREDENTIALS', path: ['input'] }]);
    for (const given of [code, undefined, 'nonsense'])
      expect(await logIn(reader, given, from(), 'wrong horse')).toEqual(nobody);
    expect((await logIn(reader, code)).userErrors).toEqual([]);
  });

  test('accepts the code of the half minute before and after, but no code older than the last used one', async () => {
    const { reader, secret } = await secured();
    now += 5 * STEP_MS;
    for (const steps of [-2, 2]) expect(await logIn(reader, codeOf(secret, steps))).toMatchObject(WRONG_CODE);
    expect((await logIn(reader, codeOf(secret, -1))).userErrors).toEqual([]);
    expect((await logIn(reader, codeOf(secret, 1))).userErrors).toEqual([]);
    for (const steps of [-1, 0, 1]) expect(await logIn(reader, codeOf(secret, steps))).toMatchObject(WRONG_CODE);
    now += 2 * STEP_MS;
    expect((await logIn(reader, codeOf(secret))).userErrors).toEqual([]);
  });

  test.each(['app', 'recovery'])('a code (%s) is valid once, even if used at once at two servers', async (kind) => {
    const someone = await secured();
    const { reader, recoveryCodes } = someone;
    const code = kind === 'app' ? nextCode(someone) : recoveryCodes[3]!;
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) => logIn(reader, code, from(at % 2 ? other : server))),
    );
    expect(answers.filter(({ viewer }) => viewer !== null)).toHaveLength(1);
    expect(answers.flatMap(({ userErrors }) => userErrors)).toMatchObject(Array.from({ length: 5 }, () => WRONG[0]));
    for (const at of [server, other]) expect(await logIn(reader, code, from(at))).toMatchObject(WRONG_CODE);
  });

  test('a recovery code is accepted in any spelling, and the reader is notified', async () => {
    const { reader, recoveryCodes } = await secured();
    const [first = '', second = '', ...others] = recoveryCodes;
    expect((await logIn(reader, first.toLowerCase().replaceAll('-', ' '))).viewer).toEqual({ id: reader.viewerId });
    expect((await mailbox.arrived(reader.email, 'A recovery code was used')).body).toContain('9 are left');
    expect((await logIn(reader, second.replaceAll('-', ''))).userErrors).toEqual([]);
    expect(await eventsOf(reader)).toContain('RECOVERY_CODE_USED');
    for (const code of [first, second]) expect(await logIn(reader, code)).toMatchObject(WRONG_CODE);
    const used = some(others, 2);
    for (const code of used) expect((await logIn(reader, code)).userErrors).toEqual([]);
    expect((await stateOf(reader))?.recovery_codes).toHaveLength(others.length - used.length);
    for (const code of used) expect(await logIn(reader, code)).toMatchObject(WRONG_CODE);
  });

  test('uses the secret that was made last, and none is made while one is active', async () => {
    const reader = await from().registerSomebody();
    const [former, latter] = [await begin(reader), await begin(reader)];
    expect(await confirm(reader, codeOf(former.secret))).toMatchObject(WRONG_CODE);
    expect((await confirm(reader, codeOf(latter.secret))).userErrors).toEqual([]);

    const before = await stateOf(reader);
    const again = { userErrors: [{ code: 'INVALID_INPUT', path: ['input'] }] };
    expect(await begin(reader)).toMatchObject({ secret: null, uri: null, viewer: null, ...again });
    expect(await confirm(reader, nextCode(latter))).toMatchObject({ recoveryCodes: null, ...again });
    expect(await stateOf(reader)).toEqual(before);
  });

  test.each(['app', 'recovery'])('is removed with the password and a code (%s)', async (kind) => {
    const someone = await secured();
    const { reader, recoveryCodes } = someone;
    const code = kind === 'app' ? nextCode(someone) : recoveryCodes[0]!;
    expect(await stop(reader, code, 'wrong horse')).toMatchObject({
      viewer: null,
      userErrors: [{ code: 'INVALID_CREDENTIALS', path: ['input', 'password'] }],
    });
    expect(await stop(reader, wrongCode(someone))).toMatchObject({ viewer: null, userErrors: WRONG });
    expect(await isOn(reader)).toBe(true);

    expect(await stop(reader, code)).toMatchObject({ viewer: { isTwoFactorEnabled: false }, userErrors: [] });
    await mailbox.arrived(reader.email, 'Your second factor is off');
    expect(await eventsOf(reader)).toEqual(expect.arrayContaining(['TWO_FACTOR_ON', 'TWO_FACTOR_OFF']));
    expect((await logIn(reader)).userErrors).toEqual([]);
    expect(await stateOf(reader)).toMatchObject({ two_factor_secret: null, two_factor_step: null, recovery_codes: [] });
    const { userErrors } = await stop(reader, nextCode(someone));
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input'] }]);
    expect((await begin(reader)).userErrors).toEqual([]);
  });
});

describe('a lost password', () => {
  async function tokenFor({ email }: Client, count = 1): Promise<string> {
    await from().mutate('requestPasswordReset', { email }, '__typename');
    return tokenIn((await mailbox.arrived(email, 'A new password', count)).body);
  }
  const reset = (token: string, code?: string, at = server, password = NEW) =>
    from(at).mutate('resetPassword', { token, password, code }, AUTH);

  test('needs a code as well, before anything changes', async () => {
    const someone = await verified();
    const { reader, recoveryCodes } = someone;
    const token = await tokenFor(reader);
    const code = nextCode(someone);
    const before = await stateOf(reader);
    expect(await reset(token)).toMatchObject({ ...NOBODY, userErrors: REQUIRED });
    expect(await reset(token, wrongCode(someone))).toMatchObject({ ...NOBODY, userErrors: WRONG });
    expect(await reset(token, code, server, 'short')).toMatchObject({ userErrors: [{ code: 'INVALID_PASSWORD' }] });
    expect(await stateOf(reader)).toEqual(before);

    expect((await reset(token, code)).viewer).toEqual({ id: reader.viewerId });
    expect(await logIn(reader, code, from(), NEW)).toMatchObject(WRONG_CODE);
    expect((await logIn(reader, nextCode(someone), from(), NEW)).userErrors).toEqual([]);
    const another = await tokenFor(reader, 2);
    expect((await reset(another, recoveryCodes[0], other)).viewer).toEqual({ id: reader.viewerId });
    await mailbox.arrived(reader.email, 'A recovery code was used');
    expect(await logIn(reader, recoveryCodes[0], from(), NEW)).toMatchObject(WRONG_CODE);
  });

  test('has a separate count of tries, which strangers cannot use up', async () => {
    const someone = await verified();
    const { reader } = someone;
    const token = await tokenFor(reader);
    for (let turn = 0; turn < FREE; turn++) await logIn(reader, undefined, from(limited), 'wrong horse');
    expect(await logIn(reader, undefined, from(limited))).toMatchObject({ userErrors: [{ code: 'RATE_LIMITED' }] });

    for (let turn = 0; turn < FREE; turn++) {
      expect(await reset(token, undefined, limited)).toMatchObject({ userErrors: REQUIRED });
      expect(await reset(token, wrongCode(someone), limited)).toMatchObject(WRONG_CODE);
    }
    const code = nextCode(someone);
    now -= STEP_MS;
    expect(await reset(token, code, limited)).toMatchObject({ ...NOBODY, userErrors: [{ code: 'RATE_LIMITED' }] });
    now += STEP_MS;
    expect((await reset(token, code, limited)).viewer).toEqual({ id: reader.viewerId });
  });
});

describe('a call that requires the password', () => {
  type Answer = Readonly<{ userErrors?: unknown[] }>;
  const confirmed = (reader: Client, field: string, more: object, code?: string): Promise<Answer> =>
    reader.mutate(field, { ...more, password: PASSWORD, code }, '__typename');
  const CALLS: Readonly<Record<string, (reader: Client, code?: string) => Promise<Answer>>> = {
    changeEmail: (reader, code) => confirmed(reader, 'changeEmail', { email: `x-${reader.email}` }, code),
    changePassword: (reader, code) => confirmed(reader, 'changePassword', { newPassword: NEW }, code),
    exportMyData: async (reader, code) =>
      (await (await reader.exportMyData({ password: PASSWORD, code })).json()) as Answer,
    deleteAccount: (reader, code) => confirmed(reader, 'deleteAccount', {}, code),
  };
  const isDone = ({ userErrors = [] }: Answer) => userErrors.length === 0;

  test.each(Object.keys(CALLS))('needs a code as well, once: %s', async (name) => {
    const someone = await secured();
    const { reader, recoveryCodes } = someone;
    const call = CALLS[name]!;
    const before = await stateOf(reader);
    for (const none of [undefined, '', ' ']) expect(await call(reader, none)).toMatchObject({ userErrors: REQUIRED });
    for (const wrong of [wrongCode(someone), 'nonsense']) expect(await call(reader, wrong)).toMatchObject(WRONG_CODE);
    expect(await stateOf(reader)).toEqual(before);
    expect(await eventsOf(reader)).toContain('LOGIN_FAILED');

    const code = name === 'changeEmail' ? recoveryCodes[0]! : nextCode(someone);
    expect(await call(reader, code)).toSatisfy(isDone);
    const after = (await stateOf(reader))!;
    if (name === 'deleteAccount') expect(after.erased_at).not.toBeNull();
    else expect(after).not.toEqual(before);
    if (name === 'changeEmail') await mailbox.arrived(reader.email, 'A recovery code was used');
    const password = name === 'changePassword' ? NEW : PASSWORD;
    const answer = await from().mutate('login', { email: after.email, password, code }, AUTH);
    expect(answer).toMatchObject({ ...NOBODY, userErrors: [{ code: 'INVALID_CREDENTIALS' }] });
  });

  test('accepts a code once, even if several calls use it at once on two servers', async () => {
    const someone = await secured();
    const { reader } = someone;
    const code = nextCode(someone);
    const elsewhere = from(other);
    Object.assign(elsewhere, { token: reader.token, email: `y-${reader.email}` });
    const calls = [reader, elsewhere].flatMap((client) => [
      CALLS['changeEmail']!(client, code),
      CALLS['exportMyData']!(client, code),
      logIn(reader, code, from(), PASSWORD) as Promise<Answer>,
    ]);
    expect((await Promise.all(calls)).filter(isDone)).toHaveLength(1);
  });

  test('does not delete the account by a code that was used meanwhile', async () => {
    const someone = await secured();
    const { reader } = someone;
    const code = nextCode(someone);
    let loggedIn: Promise<unknown> | undefined;
    const slow = await startServer(server.app.config, {
      clock: () => new Date(now),
      atCrashPoint: async (point) => {
        if (point === 'account: before compare-and-set') await (loggedIn ??= logIn(reader, code));
      },
    });
    const elsewhere = from(slow);
    elsewhere.token = reader.token;
    expect(await CALLS['deleteAccount']!(elsewhere, code)).toMatchObject(WRONG_CODE);
    expect(await loggedIn).toMatchObject({ userErrors: [] });
    expect((await stateOf(reader))?.erased_at).toBeNull();
  });

  test('is refused if the email is taken, and the code remains valid', async () => {
    const someone = await secured();
    const { reader } = someone;
    const { email } = await from().registerSomebody();
    const code = nextCode(someone);
    const taken = await confirmed(reader, 'changeEmail', { email }, code);
    expect(taken).toMatchObject({ userErrors: [{ code: 'EMAIL_TAKEN' }] });
    expect(await CALLS['deleteAccount']!(reader, code)).toSatisfy(isDone);
  });
});

test('wrong codes are throttled as wrong passwords are; a request for a code neither counts nor resets', async () => {
  const someone = await secured();
  const { reader, recoveryCodes } = someone;
  const asked = async () => {
    for (let turn = 0; turn <= FREE; turn++)
      expect(await logIn(reader, undefined, from(limited))).toMatchObject({ userErrors: REQUIRED });
  };
  await asked();
  const wrong = wrongCode(someone);
  const tooMany = { ...NOBODY, userErrors: [{ code: 'RATE_LIMITED' }] };
  for (let turn = 1; turn < FREE; turn++) expect(await logIn(reader, wrong, from(limited))).toMatchObject(WRONG_CODE);
  await asked();
  expect(await logIn(reader, wrong, from(limited))).toMatchObject(WRONG_CODE);
  for (const code of [wrong, recoveryCodes[0], undefined])
    expect(await logIn(reader, code, from(limited))).toMatchObject(tooMany);
  now += STEP_MS;
  expect((await logIn(reader, recoveryCodes[0], from(limited))).userErrors).toEqual([]);

  const [signedIn, leaving] = [await secured(limited), await secured(limited)];
  const pending = await from(limited).registerSomebody();
  const { secret } = await begin(pending);
  const tries = [
    () => stop(signedIn.reader, wrongCode(signedIn)),
    () => confirm(pending, wrongCode({ secret })),
    () => leaving.reader.mutate('deleteAccount', { password: PASSWORD, code: wrongCode(leaving) }, '__typename'),
  ];
  for (const again of tries) {
    for (let turn = 0; turn < FREE; turn++) expect(await again()).toMatchObject(WRONG_CODE);
    expect(await again()).toMatchObject({ userErrors: [{ code: 'RATE_LIMITED' }] });
  }
});

describe('the keys', () => {
  test('can be replaced: a former key still decrypts a secret until its next use', async () => {
    const former = await start({ TWO_FACTOR_KEYS: FORMER_KEY });
    const both = await start({ TWO_FACTOR_KEYS: `${KEY}, ${FORMER_KEY}` });
    const someone = await secured(former);
    const { reader, recoveryCodes } = someone;
    const gone = [{ code: 'TWO_FACTOR_NOT_SET_UP', path: ['input', 'code'] }];
    expect(await logIn(reader, nextCode(someone))).toMatchObject({ ...NOBODY, userErrors: gone });
    // Recovery codes are not under any key.
    expect((await logIn(reader, recoveryCodes[0])).userErrors).toEqual([]);

    expect((await logIn(reader, nextCode(someone), from(both))).viewer).toEqual({ id: reader.viewerId });
    expect((await logIn(reader, nextCode(someone))).viewer).toEqual({ id: reader.viewerId });
    expect(await logIn(reader, nextCode(someone), from(former))).toMatchObject({ userErrors: gone });
  });

  test('are missing: nobody can add a second factor, and readers who have one cannot log in without it', async () => {
    const none = await start({ TWO_FACTOR_KEYS: undefined });
    const someone = await secured();
    const { reader } = someone;
    const client = from(none);
    client.token = reader.token;
    const before = await stateOf(reader);
    const notSetUp = { viewer: null, userErrors: [{ code: 'TWO_FACTOR_NOT_SET_UP', path: ['input'] }] };
    expect(await begin(client)).toMatchObject(notSetUp);
    expect(await confirm(client, nextCode(someone))).toMatchObject(notSetUp);
    expect(await stop(client, nextCode(someone))).toMatchObject(notSetUp);
    expect(await logIn(reader, undefined, from(none))).toMatchObject({ ...NOBODY, userErrors: REQUIRED });
    expect(await stateOf(reader)).toEqual(before);
  });
});

test('neither the secrets nor the codes are stored or exported, and they are deleted with the account', async () => {
  const { reader, secret, recoveryCodes } = await secured();
  const pending = await from().registerSomebody();
  const secrets = [secret, (await begin(pending)).secret as string];
  const hidden = [
    ...secrets,
    ...secrets.map((text) => Secret.fromBase32(text).hex.toLowerCase()),
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll('-', '')),
  ];
  expect(await server.rowsAbout(hidden)).toEqual([]);
  expect(await server.rowsAbout([reader.email])).toContain('users_by_id');

  const { two_factor_secret, recovery_codes } = (await stateOf(reader))!;
  now += STEP_MS;
  const file = await (await reader.exportMyData({ password: PASSWORD, code: codeOf(secret) })).text();
  expect(file).toContain('"twoFactorSince"');
  for (const text of [...hidden, two_factor_secret!, ...recovery_codes]) expect(file).not.toContain(text);

  await reader.mutate('deleteAccount', { password: PASSWORD, code: nextCode({ secret }) }, '__typename');
  expect(await server.rowsAbout([two_factor_secret!, ...recovery_codes])).toEqual([]);
});

describe('bad input', () => {
  test('an invalid code is refused with its field', async () => {
    const { reader, recoveryCodes } = await secured();
    const pending = await from().registerSomebody();
    await begin(pending);
    const before = await Promise.all([stateOf(reader), stateOf(pending)]);
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', 'AAAA-AAAA-AAAA-AAA1', 'x'.repeat(70_000)]) {
      expect(await stop(reader, code)).toMatchObject({ viewer: null, userErrors: MALFORMED });
      expect(await confirm(pending, code)).toMatchObject({ viewer: null, recoveryCodes: null, userErrors: MALFORMED });
    }
    expect(await confirm(pending, recoveryCodes[0]!)).toMatchObject({ userErrors: MALFORMED });
    expect(await Promise.all([stateOf(reader), stateOf(pending)])).toEqual(before);
  });

  test('a wrong password makes no secret, and a missing secret cannot be confirmed', async () => {
    const reader = await from().registerSomebody();
    const before = await stateOf(reader);
    const userErrors = [{ code: 'INVALID_CREDENTIALS', path: ['input', 'password'] }];
    for (const password of ['', 'wrong horse', 'x'.repeat(70_000)])
      expect(await begin(reader, password)).toMatchObject({ secret: null, viewer: null, userErrors });
    expect(await confirm(reader, '123456')).toMatchObject({ userErrors: [{ code: 'INVALID_INPUT', path: ['input'] }] });
    expect(await stateOf(reader)).toEqual(before);
  });

  test.each([
    ['startTwoFactor', { password: PASSWORD }],
    ['confirmTwoFactor', { code: '123456' }],
    ['stopTwoFactor', { password: PASSWORD, code: '123456' }],
  ])('%s needs a signed-in caller', async (field, input) => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${field}(input: $input) { viewer { id } } }`;
    expect(await from().errorCode(query, { input })).toBe('UNAUTHENTICATED');
  });
});
