import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../src/config/config.ts';
import { mailer } from '../src/mail/mailer.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { startMailbox, tokenIn, type Mailbox } from './support/mails.ts';

/** A reader proves that they get what is sent to their email. */

const HOUR = 3_600_000;
const SUBJECT = 'Is this your email?';
const INVALID = { viewer: null, userErrors: [{ code: 'INVALID_TOKEN', path: ['input', 'token'] }] };

let config: Config;
let mailbox: Mailbox;
let server: TestServer;
let now: Date | undefined;
let addresses = 0;

beforeAll(async () => {
  mailbox = await startMailbox();
  config = await sharedKeyspace({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'library@example.com',
    EMAIL_VERIFICATION_URL: 'https://app.example/verify?token={token}',
    MAILS_PER_ADDRESS: '5',
    TRUST_PROXY: '1',
  });
  server = await startServer(config, { clock: () => now ?? new Date() });
});

afterEach(() => {
  now = undefined;
});

/** Somebody at an address of their own, signed out. */
const from = (at = server) => at.client().from(`192.0.2.${String(++addresses)}`);

const verify = (token: string, client = from()) =>
  client.mutate('verifyEmail', { token }, 'viewer { id isEmailVerified }');
const request = async (client: Client) =>
  (
    await client.data(
      'mutation { requestEmailVerification { viewer { isEmailVerified } userErrors { code path retryAfterSeconds } } }',
    )
  ).requestEmailVerification;
const isVerified = async (reader: Client) =>
  (await reader.data('{ viewer { isEmailVerified } }')).viewer.isEmailVerified as boolean | null;
const tokenOf = async (email: string, count = 1) => tokenIn((await mailbox.arrived(email, SUBJECT, count)).body);
const moveTo = (reader: Client, email: string) =>
  reader.mutate('changeEmail', { email, password: PASSWORD }, 'viewer { isEmailVerified }');

describe('an email', () => {
  test('is verified by the mail that registering sends, signed out as well, and once', async () => {
    const reader = await from().registerSomebody();
    const { body } = await mailbox.arrived(reader.email, SUBJECT);
    const token = tokenIn(body);
    expect(body).toContain(`https://app.example/verify?token=${token}`);
    expect(await isVerified(reader)).toBe(false);

    expect(await verify(token)).toEqual({ viewer: null, userErrors: [] });
    expect(await isVerified(reader)).toBe(true);
    expect(await verify(token)).toMatchObject(INVALID);

    const { viewer } = await reader.data('{ viewer { securityEvents { edges { node { kind } } } } }');
    expect(kindsOf(viewer.securityEvents)).toEqual(['EMAIL_VERIFIED', 'REGISTERED']);
    // Nothing is left to be asked for.
    expect(await request(reader)).toEqual({ viewer: { isEmailVerified: true }, userErrors: [] });
  });

  test('is verified once by many at once with one token', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenOf(reader.email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1);
    expect(await isVerified(reader)).toBe(true);
  });

  test('can be asked for again, five times an hour', async () => {
    const reader = await from().registerSomebody();
    await mailbox.arrived(reader.email, SUBJECT);
    now = new Date();
    // The one of the registration counts.
    for (let turn = 0; turn < 4; turn++) {
      expect(await request(reader)).toEqual({ viewer: { isEmailVerified: false }, userErrors: [] });
    }
    expect(await request(reader)).toMatchObject({
      viewer: null,
      userErrors: [{ code: 'RATE_LIMITED', path: ['input'] }],
    });
    const former = await tokenOf(reader.email);
    expect(await verify(await tokenOf(reader.email, 5), reader)).toMatchObject({ viewer: { isEmailVerified: true } });
    expect(await verify(former)).toMatchObject(INVALID);
  });

  test('a token is good for a day', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenOf(reader.email);
    now = new Date(Date.now() + 24 * HOUR + 1_000);
    expect(await verify(token)).toMatchObject(INVALID);
    now = new Date(Date.now() + 23 * HOUR);
    expect(await verify(token)).toMatchObject({ userErrors: [] });
  });

  test('a token is nobody else’s', async () => {
    const [reader, another] = [await from().registerSomebody(), await from().registerSomebody()];
    const token = await tokenOf(reader.email);
    expect(await verify(token, another)).toMatchObject(INVALID);
    expect([await isVerified(reader), await isVerified(another)]).toEqual([false, false]);
    expect(await verify(token, reader)).toMatchObject({ viewer: { id: reader.viewerId, isEmailVerified: true } });
  });

  test('that is another one now is verified anew: tokens for the former one are void, also after its return', async () => {
    const reader = await from().registerSomebody();
    const former = reader.email;
    const token = await tokenOf(former);
    expect(await moveTo(reader, `x-${former}`)).toMatchObject({ viewer: { isEmailVerified: false }, userErrors: [] });
    expect(await verify(token)).toMatchObject(INVALID);
    expect(await verify(await tokenOf(`x-${former}`))).toMatchObject({ userErrors: [] });
    expect(await isVerified(reader)).toBe(true);

    expect(await moveTo(reader, former)).toMatchObject({ viewer: { isEmailVerified: false }, userErrors: [] });
    expect(await verify(token)).toMatchObject(INVALID);
    expect(await isVerified(reader)).toBe(false);
  });

  test('is asked for by a reader alone', async () => {
    expect(await from().errorCode('mutation { requestEmailVerification { userErrors { code } } }')).toBe(
      'UNAUTHENTICATED',
    );
  });
});

describe('notices', () => {
  test('of another email go to the former one, and of another password to the email', async () => {
    const reader = await from().registerSomebody();
    await moveTo(reader, `x-${reader.email}`);
    await mailbox.arrived(reader.email, 'Your email was changed');
    await reader.mutate('changePassword', { password: PASSWORD, newPassword: 'a battery staple' }, 'viewer { id }');
    await mailbox.arrived(`x-${reader.email}`, 'Your password was changed');
  });

  test('fill nobody’s mailbox: five of a kind an hour', async () => {
    const changing = await startServer(config);
    const reader = await from(changing).registerSomebody();
    const mine = reader.email;
    const victim = `victim-${mine}`;
    for (let turn = 0; turn < 7; turn++) {
      for (const email of [victim, mine]) expect(await moveTo(reader, email)).toMatchObject({ userErrors: [] });
    }
    await mailer(changing.app).end();
    expect(mailbox.to(victim, 'Your email was changed')).toHaveLength(5);
    expect(mailbox.to(victim, SUBJECT)).toHaveLength(5);
  });
});
