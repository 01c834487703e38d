import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../src/accounts/aggregate.ts';
import type { Config } from '../src/config/config.ts';
import { idArgument } from '../src/graphql/ids.ts';
import { mailer } from '../src/mail/mailer.ts';
import { registerAdministrator } from './support/accounts.ts';
import { startServer, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { runs } from './support/full.ts';
import { mailSettings, tokenIn, type Mailbox } from './support/mails.ts';
import { statementsOf } from '../tools/support/statements.ts';

/** A reader has lost their password, and resets it with a mail. */

const NEW = 'a battery staple';
const MINUTE = 60_000;
const ENDED_WITHIN_MS = 2_000;
const RESET = 'A new password';
const AUTH = 'viewer { id email isEmailVerified } session { device isCurrent } accessToken refreshToken';

let config: Config;
let mailbox: Mailbox;
let server: TestServer;
let other: TestServer;
let now: Date | undefined;
let addresses = 0;

beforeAll(async () => {
  ({ mailbox, config } = await mailSettings({ PASSWORD_RESET_URL: 'https://app.example/reset#token={token}' }));
  const clock = () => now ?? new Date();
  server = await startServer(config, { clock });
  other = await startServer(config, { clock });
});

afterEach(() => {
  now = undefined;
});

/** Makes a signed-out client with its own address. */
const from = (address = `198.51.100.${String(++addresses)}`, at = server) => at.client().from(address);

const userIdOf = ({ viewerId }: Client) => idArgument('id', viewerId).key;
const ask = (email: string, client = from()) => client.mutate('requestPasswordReset', { email }, '__typename');
const reset = (token: string, password = NEW, more: object = {}, client = from()) =>
  client.mutate('resetPassword', { token, password, ...more }, AUTH);
const codesOf = ({ userErrors }: { userErrors: { code: string }[] }) => userErrors.map(({ code }) => code);
const logIn = (email: string, password: string) => from().mutate('login', { email, password }, AUTH);

/** Requests a mail, and returns the token in it. */
async function tokenFor(email: string, count = 1): Promise<string> {
  expect(await ask(email)).toMatchObject({ userErrors: [] });
  return tokenIn((await mailbox.arrived(email, RESET, count)).body);
}

/** Expects an account to be unchanged: its password is the former one. */
async function expectUnchanged(reader: Client): Promise<void> {
  expect((await logIn(reader.email, PASSWORD)).viewer).toMatchObject({ id: reader.viewerId });
  expect(codesOf(await logIn(reader.email, NEW))).toEqual(['INVALID_CREDENTIALS']);
}

const INVALID = [{ code: 'INVALID_TOKEN', path: ['input', 'token'] }];
const NOBODY = { viewer: null, session: null, accessToken: null, refreshToken: null };

describe('a lost password', () => {
  test('is replaced with a token from a mail, which also logs in and ends all sessions on every server', async () => {
    const reader = await from().registerSomebody();
    const elsewhere = await from(undefined, other).login(reader.email);
    const token = await tokenFor(reader.email);
    const { body } = mailbox.to(reader.email, RESET)[0]!;
    expect(body).toContain(`https://app.example/reset#token=${token}`);
    expect(body).toContain('30 minutes');

    const answer = await reset(token, NEW, { device: 'New phone' }, from(undefined, other));
    expect(answer).toMatchObject({ userErrors: [], session: { device: 'New phone', isCurrent: true } });
    expect(answer.viewer).toEqual({ id: reader.viewerId, email: reader.email, isEmailVerified: true });

    const deadline = Date.now() + ENDED_WITHIN_MS;
    for (const at of [server, other]) {
      for (const { token: former } of [reader, elsewhere]) {
        const client = at.client();
        client.token = former;
        while ((await client.send('{ viewer { id } }')).status !== 401) {
          expect(Date.now(), 'every server knows in time').toBeLessThan(deadline);
          await sleep(20);
        }
      }
    }
    const { refreshToken } = elsewhere;
    expect(codesOf(await from().mutate('refreshTokens', { refreshToken }, 'viewer { id }'))).toEqual(['INVALID_TOKEN']);
    expect(codesOf(await logIn(reader.email, PASSWORD))).toEqual(['INVALID_CREDENTIALS']);
    expect((await logIn(reader.email, NEW)).viewer).toMatchObject({ id: reader.viewerId });

    const again = from().useTokens(answer);
    const { viewer } = await again.data('{ viewer { id securityEvents { edges { node { kind } } } } }');
    expect(kindsOf(viewer.securityEvents)).toEqual(
      expect.arrayContaining(['PASSWORD_RESET', 'EMAIL_VERIFIED', 'LOGGED_IN']),
    );
    expect(kindsOf(viewer.securityEvents)).not.toContain('PASSWORD_CHANGED');
    await mailbox.arrived(reader.email, 'Your password was changed');
  });

  test('one token is valid once, however many use it at once, and voids the earlier ones', async () => {
    const reader = await from().registerSomebody();
    const first = await tokenFor(reader.email);
    const second = await tokenFor(reader.email, 2);
    const passwords = Array.from({ length: runs(10, 4) }, (_, index) => `battery staple ${index}`);
    const answers = await Promise.all(
      passwords.map((password, index) => reset(second, password, {}, from(undefined, index % 2 ? other : server))),
    );
    const done = answers.filter(({ viewer }) => viewer !== null);
    expect(done).toHaveLength(1);
    for (const answer of answers)
      if (!done.includes(answer)) expect(answer).toMatchObject({ ...NOBODY, userErrors: INVALID });

    const good = passwords[answers.indexOf(done[0])]!;
    for (const token of [first, second]) expect(await reset(token)).toMatchObject({ ...NOBODY, userErrors: INVALID });
    expect((await logIn(reader.email, good)).viewer).toMatchObject({ id: reader.viewerId });
  });

  test('a token is valid for half an hour', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenFor(reader.email);
    now = new Date(Date.now() + 30 * MINUTE + 1_000);
    expect(await reset(token)).toMatchObject({ ...NOBODY, userErrors: INVALID });
    now = new Date(Date.now() + 29 * MINUTE);
    expect((await reset(token)).viewer).toMatchObject({ id: reader.viewerId });
  });

  test.each<[string, (reader: Client) => Promise<{ userErrors: { code: string }[] }>]>([
    [
      'password',
      (reader) => reader.mutate('changePassword', { password: PASSWORD, newPassword: 'wrong horses' }, 'viewer { id }'),
    ],
    [
      'email',
      (reader) => reader.mutate('changeEmail', { email: `x-${reader.email}`, password: PASSWORD }, 'viewer { id }'),
    ],
    ['account', (reader) => reader.mutate('deleteAccount', { password: PASSWORD }, '__typename')],
  ])('a token is void once the %s has changed or is gone', async (_what, change) => {
    const reader = await from().registerSomebody();
    const token = await tokenFor(reader.email);
    expect(codesOf(await change(reader))).toEqual([]);
    expect(await reset(token)).toMatchObject({ ...NOBODY, userErrors: INVALID });
  });

  test('a token is for one account and one purpose', async () => {
    const reader = await from().registerSomebody();
    const another = await from().registerSomebody();
    const token = Buffer.from(await tokenFor(reader.email), 'base64url');
    const forged = Buffer.concat([Buffer.from(userIdOf(another).replaceAll('-', ''), 'hex'), token.subarray(16)]);
    const verification = tokenIn((await mailbox.arrived(another.email, 'Is this your email?')).body);
    for (const wrong of [forged.toString('base64url'), verification]) {
      expect(await reset(wrong)).toMatchObject({ ...NOBODY, userErrors: INVALID });
    }
    const verified = await from().mutate('verifyEmail', { token: token.toString('base64url') }, 'viewer { id }');
    expect(verified).toMatchObject({ viewer: null, userErrors: INVALID });
    for (const each of [reader, another]) await expectUnchanged(each);
  });

  test('a token is in no table, only its hash', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenFor(reader.email);
    const cql = "SELECT JSON * FROM mail_tokens WHERE user_id = ? AND purpose = 'RESET_PASSWORD'";
    const { rows } = await server.app.cassandra.client.execute(cql, [userIdOf(reader)], { prepare: true });
    const [row, ...more] = rows.map((each) => each['[json]'] as string);
    expect(more).toEqual([]);
    expect(row).toContain(createHash('sha256').update(Buffer.from(token, 'base64url')).digest('base64url'));
    expect(row).not.toContain(token);
    expect(row).not.toContain(reader.email);
  });
});

describe('bad input', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'token'],
    ['too long', 'x'.repeat(100_000)],
    ['of random bits', randomBytes(48).toString('base64url')],
    ['not in base64url', '+/'.repeat(32)],
  ])('a token that is %s', async (_what, token) => {
    expect(await reset(token)).toMatchObject({ ...NOBODY, userErrors: INVALID });
    const { userErrors } = await from().mutate('verifyEmail', { token }, 'viewer { id }');
    expect(userErrors).toMatchObject(INVALID);
  });

  test('with a valid token: the field is named, nothing changes, and the token stays valid', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenFor(reader.email);
    const key = { userId: userIdOf(reader), what: 'PASSWORD', reservations: [] } as const;
    const before = await accounts.read(server.app, key);
    for (const [more, code, field] of [
      [{ password: 'short' }, 'INVALID_PASSWORD', 'password'],
      [{ password: 'password1234' }, 'INVALID_PASSWORD', 'password'],
      [{ device: 'x'.repeat(201) }, 'INVALID_INPUT', 'device'],
      [{ sessionId: 'x' }, 'INVALID_INPUT', 'sessionId'],
    ] as const)
      expect(await reset(token, NEW, more)).toMatchObject({
        ...NOBODY,
        userErrors: [{ code, path: ['input', field] }],
      });
    expect(await accounts.read(server.app, key)).toEqual(before);
    expect((await reset(token)).viewer).toMatchObject({ id: reader.viewerId });
  });

  test('an invalid email', async () => {
    expect(await ask('nowhere')).toMatchObject({ userErrors: [{ code: 'INVALID_EMAIL', path: ['input', 'email'] }] });
  });
});

describe('the existence of an account', () => {
  test('is visible neither in the answer nor in reads and writes; only an account gets a mail', async () => {
    // The mail and its token are made after the answer; here they are made after all statements are
    // counted.
    const counted = Promise.withResolvers<undefined>();
    const asked = await startServer(config, { atCrashPoint: () => counted.promise });
    const administrator = await registerAdministrator(server);
    const [known, suspended, deleted] = [
      await from().registerSomebody(),
      await from().registerSomebody(),
      await from().registerSomebody(),
    ];
    await administrator.mutate('suspendAccount', { id: suspended.viewerId, reason: 'A test' }, 'changed');
    await deleted.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    const token = await tokenFor(known.email);
    const unknown = `nobody-${known.email}`;

    const emails = [known.email, unknown, suspended.email, deleted.email];
    const answers: unknown[] = [];
    const sent: Map<string, number>[] = [];
    for (const email of emails) {
      sent.push(await statementsOf(asked, async () => answers.push(await ask(email, from(undefined, asked)))));
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    for (const statements of sent) expect(statements).toEqual(sent[0]);
    expect(sent[0]?.get('INSERT mail_tokens')).toBe(1);

    // The mails have arrived when the server ends.
    counted.resolve(undefined);
    await mailer(asked.app).end();
    expect(emails.map((email) => mailbox.to(email, RESET).length)).toEqual([2, 0, 0, 0]);
    expect(codesOf(await reset(token))).toEqual(['INVALID_TOKEN']);
    expect(codesOf(await reset(tokenIn(mailbox.to(known.email, RESET)[1]!.body)))).toEqual([]);
  });

  test('a reader who was suspended after the mail cannot reset the password, and gets the reason', async () => {
    const administrator = await registerAdministrator(server);
    const reader = await from().registerSomebody();
    const token = await tokenFor(reader.email);
    await administrator.mutate('suspendAccount', { id: reader.viewerId, reason: 'A test' }, 'changed');
    expect(await reset(token)).toMatchObject({ ...NOBODY, userErrors: [{ code: 'ACCOUNT_SUSPENDED' }] });
    await administrator.mutate('reinstateAccount', { id: reader.viewerId, reason: 'A test' }, 'changed');
    await expectUnchanged(reader);
  });
});

describe('repeated requests', () => {
  test.each(['known', 'unknown'])('for an email that is %s: five within half an hour', async (which) => {
    const reader = await from().registerSomebody();
    const email = which === 'known' ? reader.email : `nobody-${reader.email}`;
    now = new Date();
    for (let turn = 0; turn < 5; turn++) expect(codesOf(await ask(email))).toEqual([]);
    expect(await ask(email, from(undefined, other))).toMatchObject({
      userErrors: [{ code: 'RATE_LIMITED', path: ['input'], retryAfterSeconds: 1_800 }],
    });
    if (which === 'known') {
      // The mails that have arrived can still be used by the owner.
      const { body } = await mailbox.arrived(email, RESET, 5);
      expect(codesOf(await reset(tokenIn(body)))).toEqual([]);
    }
    now = new Date(now.getTime() + 30 * MINUTE);
    expect(codesOf(await ask(email))).toEqual([]);
  });

  test('from an address: ten times as many as for an email within an hour, whatever the emails', async () => {
    const perAddress = runs(5, 1);
    const client = from(undefined, await startServer({ ...config, mail: { ...config.mail, perAddress } }));
    const emails = Array.from({ length: 10 * perAddress }, () => `${randomBytes(8).toString('hex')}@example.com`);
    for (const email of emails) expect(codesOf(await ask(email, client))).toEqual([]);
    expect(codesOf(await ask('one-more@example.com', client))).toEqual(['RATE_LIMITED']);
  });
});
