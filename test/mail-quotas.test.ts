import { beforeAll, expect, test } from 'vitest';
import { idArgument } from '../src/graphql/ids.ts';
import { mailer } from '../src/mail/mailer.ts';
import type { Config } from '../src/config/config.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { startMailbox, tokenIn, type Mailbox } from './support/mails.ts';

/**
 * The limit of mails to an email that several accounts have in turn: no account uses up the mails
 * of the next one.
 */

const VERIFY = 'Is this your email?';
const RESET = 'A new password';
const QUOTA = 5;

let mailbox: Mailbox;
let config: Config;
let server: TestServer;
let addresses = 0;

beforeAll(async () => {
  mailbox = await startMailbox();
  config = await sharedKeyspace({
    EMAIL_VERIFICATION: 'required',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'library@example.com',
    MAILS_PER_ADDRESS: String(QUOTA),
    TRUST_PROXY: '1',
  });
  server = await startServer(config);
});

const from = (at = server) => {
  addresses++;
  return at.client().from(`198.51.${String(addresses >> 8)}.${String(addresses & 255)}`);
};
const codesOf = ({ userErrors }: { userErrors: { code: string }[] }) => userErrors.map(({ code }) => code);
const request = async (client: Client): Promise<{ userErrors: { code: string; message: string }[] }> =>
  (await client.data('mutation { requestEmailVerification { userErrors { code message } } }')).requestEmailVerification;
const askReset = (email: string, at = server): Promise<{ userErrors: { code: string; message: string }[] }> =>
  from(at).mutate('requestPasswordReset', { email }, '__typename');
const moveTo = async (reader: Client, email: string) => {
  const answer = await reader.mutate('changeEmail', { email, password: PASSWORD }, '__typename');
  expect(answer.userErrors).toEqual([]);
};
const register = async (client: Client, email: string) =>
  client.useTokens(
    await client.mutate(
      'register',
      { email, password: PASSWORD, fullName: 'Ann Lee' },
      'accessToken refreshToken viewer { id }',
    ),
  );

let emails = 0;
const newEmail = () => `owner-${String(process.pid)}-${String(++emails)}-${String(Date.now())}@example.com`;

/**
 * Makes accounts take another person's email in turn, each send the maximum number of mails to it,
 * and give it up.
 */
async function useUp(email: string, squatters: number): Promise<void> {
  // Its mails have arrived when the server ends.
  const at = await startServer(config);
  let resets = 0;
  for (let turn = 1; turn <= squatters; turn++) {
    const squatter = await from(at).registerSomebody();
    await moveTo(squatter, email);
    for (let time = 0; time <= QUOTA; time++) {
      await request(squatter);
      if (codesOf(await askReset(email, at)).length === 0) resets++;
    }
    expect(codesOf(await request(squatter))).toEqual(['RATE_LIMITED']);
    // A reset is not sent once its account has given the email up.
    await mailbox.arrived(email, RESET, resets);
    await moveTo(squatter, `left-${squatter.email}`);
  }
  await mailer(at.app).end();
}

test.each([1, 6])('the owner of an email gets their mails, although %i accounts had it before', async (squatters) => {
  const email = newEmail();
  await useUp(email, squatters);
  const [verifications, resets] = [VERIFY, RESET].map((kind) => mailbox.to(email, kind).length) as [number, number];
  // A mailbox gets twenty mails of a kind an hour, and one more for each account.
  for (const sent of [verifications, resets]) {
    if (squatters > 4) expect(sent).toBeGreaterThanOrEqual(4 * QUOTA);
    expect(sent).toBeLessThanOrEqual(4 * QUOTA + squatters);
  }

  // Only the owner's mail is valid.
  const owner = await register(from(), email);
  const token = tokenIn((await mailbox.arrived(email, VERIFY, verifications + 1)).body);
  const verified = await from().mutate('verifyEmail', { token }, '__typename');
  expect(verified.userErrors).toEqual([]);
  expect((await owner.data('{ viewer { isEmailVerified } }')).viewer).toEqual({ isEmailVerified: true });

  expect(codesOf(await askReset(email))).toEqual([]);
  const another = tokenIn((await mailbox.arrived(email, RESET, resets + 1)).body);
  const reset = await from().mutate('resetPassword', { token: another, password: 'a battery staple' }, 'viewer { id }');
  expect(reset).toMatchObject({ viewer: { id: owner.viewerId }, userErrors: [] });
});

test('mails to an email without an account are not counted for its later account', async () => {
  const email = newEmail();
  for (let turn = 0; turn < QUOTA; turn++) expect(codesOf(await askReset(email))).toEqual([]);
  expect(codesOf(await askReset(email))).toEqual(['RATE_LIMITED']);
  await register(from(), email);
  expect(codesOf(await askReset(email))).toEqual([]);
});

test('counts of mails do not name their accounts, and leave no trace of a deleted one', async () => {
  const email = newEmail();
  const reader = await register(from(), email);
  await request(reader);
  await askReset(email);
  await mailbox.arrived(email, RESET);
  const { key } = idArgument('id', reader.viewerId);
  const tries = 'SELECT subject FROM tries_by_subject';
  const { rows } = await server.app.cassandra.client.execute(tries, [], { fetchSize: 100_000 });
  const subjects = rows.map((row) => row['subject'] as string);
  expect(subjects.some((subject) => subject.startsWith('mails '))).toBe(true);
  expect(subjects.filter((subject) => subject.includes(key) || subject.includes(email))).toEqual([]);
});

test('an account that returns to an email does not restart its count, and cannot use its earlier mails', async () => {
  const email = newEmail();
  const reader = await from().registerSomebody();
  await moveTo(reader, email);
  // A mail that is admitted at the same time may use up the quota of a request, and then both are
  // refused.
  await mailbox.arrived(email, VERIFY);
  while (codesOf(await request(reader)).length === 0);
  await moveTo(reader, `left-${reader.email}`);
  await moveTo(reader, email);
  const { userErrors } = await request(reader);
  expect(userErrors).toMatchObject([{ code: 'RATE_LIMITED' }]);
  expect(userErrors[0]!.message).not.toMatch(/good/);
});
