import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { runs } from './support/full.ts';
import { startMailbox, tokenIn, type Mailbox } from './support/mails.ts';

/**
 * A person with one factor of an account cannot guess the other one, and a person who has never
 * verified an email cannot keep its owner out.
 */

const FREE = 5;
const STEP_MS = 30_000;
const NEW = 'a battery staple';

let mailbox: Mailbox;
let server: TestServer;
let addresses = 0;
/** The clock is stopped while guesses are counted: a guess that is not delayed is a free one. */
let now = Date.now();

beforeAll(async () => {
  mailbox = await startMailbox();
  const settings = {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Library <library@example.com>',
    TWO_FACTOR_KEYS: randomBytes(32).toString('base64'),
    PASSKEY_ORIGINS: 'https://books.example',
    EMAIL_VERIFICATION: 'off',
    MAILS_PER_ADDRESS: '0',
    LOGIN_ATTEMPTS_FREE: String(FREE),
    TRUST_PROXY: '1',
  };
  server = await startServer(await sharedKeyspace(settings), { clock: () => new Date(now) });
});

beforeEach(() => {
  now += STEP_MS;
});

const from = () => {
  addresses++;
  return server.client().from(`203.0.${String(addresses >> 8)}.${String(addresses & 255)}`);
};
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: now + steps * STEP_MS });

interface Guessed {
  readonly code?: string;
  readonly path?: readonly string[];
}

/** Returns the first error of a call. A call with a guessed password or code may have one. */
const errorOf = ({ userErrors = [] }: { userErrors?: Guessed[] }): Guessed => userErrors[0] ?? {};

/** Makes a reader with the secret of a second factor, active or pending. */
async function somebody(isOn: boolean): Promise<{ readonly reader: Client; readonly secret: string }> {
  const reader = await from().registerSomebody();
  const { secret } = await reader.mutate('startTwoFactor', { password: PASSWORD }, 'secret');
  if (isOn)
    expect(errorOf(await reader.mutate('confirmTwoFactor', { code: codeOf(secret) }, 'viewer { id }'))).toEqual({});
  return { reader, secret };
}

/** The calls that take a password or a code, by their names. */
const call = async (who: Client, name: string, password: string, code?: string): Promise<Guessed> => {
  const { email } = who;
  const inputs: Readonly<Record<string, object>> = {
    login: { email, password, code },
    startTwoFactor: { password },
    confirmTwoFactor: { code: code ?? '000000' },
    stopTwoFactor: { password, code: code ?? '000000' },
    changeEmail: { email: `x-${email}`, password, code },
    changePassword: { newPassword: NEW, password, code },
    deleteAccount: { password, code },
    startPasskey: { password, code },
    removePasskey: { credentialId: 'x', password, code },
  };
  if (name === 'export') return errorOf((await (await who.exportMyData({ password, code })).json()) as object);
  return errorOf(await who.mutate(name, inputs[name] as Record<string, unknown>, '__typename'));
};
const CALLS = [
  'login',
  'startTwoFactor',
  'confirmTwoFactor',
  'stopTwoFactor',
  'changeEmail',
  'changePassword',
  'deleteAccount',
  'startPasskey',
  'removePasskey',
  'export',
] as const;

describe('guesses at a second factor', () => {
  const steps = fc.array(
    fc.record({
      name: fc.constantFrom(...CALLS),
      password: fc.constantFrom(PASSWORD, PASSWORD, PASSWORD, 'wrong horse'),
      hasCode: fc.boolean(),
      where: fc.constantFrom(0, 1),
    }),
    { minLength: 12, maxLength: 24 },
  );

  test(
    'by somebody with the password are as few as those at the password, whatever is called in between',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const { reader, secret } = await somebody(true);
          const good = [-2, -1, 0, 1, 2].map((step) => codeOf(secret, step));
          const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find(
            (code) => !good.includes(code),
          );
          // The thieves have the token and the password, at two addresses from which nobody has
          // logged in.
          const thieves = [from(), from()].map((thief) =>
            Object.assign(thief, { token: reader.token, email: reader.email }),
          );
          let guesses = 0;
          const run = async ({ name, password, hasCode, where }: (typeof sequence)[number]) => {
            const { code } = await call(thieves[where]!, name, password, hasCode ? wrong : undefined);
            if (code === 'INVALID_CREDENTIALS') guesses++;
            expect(code).toBeDefined();
          };
          for (const step of sequence) await run(step);
          // The calls that reset counts are made between the guesses.
          for (let turn = 0; turn < 10; turn++) {
            await run({ name: 'stopTwoFactor', password: PASSWORD, hasCode: true, where: (turn % 2) as 0 | 1 });
            await run({ name: 'startTwoFactor', password: PASSWORD, hasCode: false, where: (turn % 2) as 0 | 1 });
          }
          expect(guesses).toBe(FREE);
          // The owner can log in from their former address, which restarts the count.
          now += STEP_MS;
          expect(await call(reader, 'login', PASSWORD, codeOf(secret))).toEqual({});
          expect((await call(thieves[0]!, 'login', PASSWORD, wrong)).code).toBe('INVALID_CREDENTIALS');
        }),
        { numRuns: runs(10, 2) },
      );
    },
  );

  test('by simultaneous calls are limited to the same number', async () => {
    const { reader } = await somebody(true);
    const thief = Object.assign(from(), { token: reader.token, email: reader.email });
    const answers = await Promise.all(
      Array.from({ length: runs(40, 16) }, (_, turn) =>
        call(thief, turn % 2 ? 'startTwoFactor' : 'stopTwoFactor', PASSWORD),
      ),
    );
    expect(answers.filter(({ code }) => code === 'INVALID_CREDENTIALS').length).toBeLessThanOrEqual(FREE);
  });
});

test('guesses at the password are not forgotten by a code that activates a second factor', async () => {
  const { reader, secret } = await somebody(false);
  const thief = Object.assign(from(), { token: reader.token, email: reader.email });
  for (let turn = 1; turn < FREE; turn++) {
    expect(await call(thief, 'deleteAccount', 'wrong horse')).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  }
  expect(await call(thief, 'confirmTwoFactor', '', codeOf(secret))).toEqual({});
  expect(await call(thief, 'login', 'wrong horse')).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await call(thief, 'login', 'wrong horse')).toMatchObject({ code: 'RATE_LIMITED' });
});

test('the password alone restarts the count if there is no second factor', async () => {
  const { reader } = await somebody(false);
  const elsewhere = Object.assign(from(), { token: reader.token, email: reader.email });
  for (let round = 0; round < 2; round++) {
    for (let turn = 1; turn < FREE; turn++) {
      expect(await call(elsewhere, 'login', 'wrong horse')).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    }
    expect(await call(elsewhere, 'startTwoFactor', PASSWORD)).toEqual({});
  }
});

describe('an account with another person’s email', () => {
  async function resetBy(email: string, password: string, code?: string) {
    await from().mutate('requestPasswordReset', { email }, '__typename');
    const count = mailbox.to(email, 'A new password').length + 1;
    const token = tokenIn((await mailbox.arrived(email, 'A new password', count)).body);
    return from().mutate('resetPassword', { token, password, code }, 'viewer { id isTwoFactorEnabled } accessToken');
  }

  test('cannot keep the owner out by a second factor: a reset of the password removes it', async () => {
    const { reader: squatter } = await somebody(true);
    const answer = await resetBy(squatter.email, NEW);
    expect(answer).toMatchObject({ viewer: { id: squatter.viewerId, isTwoFactorEnabled: false }, userErrors: [] });
    await mailbox.arrived(squatter.email, 'Your second factor is off');

    const owner = from();
    const logIn = (password: string) => owner.mutate('login', { email: squatter.email, password }, 'accessToken');
    expect(errorOf(await logIn(PASSWORD)).code).toBe('INVALID_CREDENTIALS');
    const { accessToken, userErrors } = await logIn(NEW);
    expect(userErrors).toEqual([]);
    owner.token = accessToken as string;
    const { viewer } = await owner.data('{ viewer { isEmailVerified securityEvents { edges { node { kind } } } } }');
    expect(viewer.isEmailVerified).toBe(true);
    expect(kindsOf(viewer.securityEvents)).toContain('TWO_FACTOR_OFF');

    // The factor now belongs to the reader: a mail alone does not remove it.
    const { secret: own } = await owner.mutate('startTwoFactor', { password: NEW }, 'secret');
    expect(errorOf(await owner.mutate('confirmTwoFactor', { code: codeOf(own) }, '__typename'))).toEqual({});
    expect(errorOf(await resetBy(squatter.email, PASSWORD)).code).toBe('TWO_FACTOR_REQUIRED');
    now += STEP_MS;
    expect(errorOf(await resetBy(squatter.email, PASSWORD, codeOf(own)))).toEqual({});
  });

  test('removes a pending second factor too, and ignores a code that is sent with it', async () => {
    const { reader: squatter, secret } = await somebody(false);
    const { accessToken } = await resetBy(squatter.email, NEW, '000000');
    const owner = Object.assign(from(), { token: accessToken });
    const { userErrors } = await owner.mutate('confirmTwoFactor', { code: codeOf(secret) }, '__typename');
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input'] }]);
  });
});
