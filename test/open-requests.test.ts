import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { TOTP } from 'otpauth';
import { beforeAll, expect, test } from 'vitest';
import { accountKey, accounts } from '../src/accounts/aggregate.ts';
import type { Config } from '../src/config/config.ts';
import { startServer, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { mailSettings, tokenIn, type Mailbox } from './support/mails.ts';

/** Only the token of the last one of several open requests of a kind is valid. */

const VERIFY = 'Is this your email?';
const RESET = 'A new password';

let mailbox: Mailbox;
let config: Config;
let servers: Record<Mode, [TestServer, TestServer]>;
let addresses = 0;

/** `TRIAL`: verified emails are required, and the reader's email was never verified. */
const MODES = ['ASKED', 'REQUIRED', 'TRIAL'] as const;
type Mode = (typeof MODES)[number];

beforeAll(async () => {
  ({ mailbox, config } = await mailSettings({
    MAILS_PER_ADDRESS: '90',
    TWO_FACTOR_KEYS: randomBytes(32).toString('base64'),
  }));
  const { mail } = config;
  const required = { ...config, mail: { ...mail, emailVerification: { ...mail.emailVerification, isRequired: true } } };
  const pair = async (of: Config) => Promise.all([startServer(of), startServer(of)]);
  const [asked, demanding] = [await pair(config), await pair(required)];
  servers = { ASKED: asked, REQUIRED: demanding, TRIAL: demanding };
});

/** Makes a signed-out client with its own address. */
const from = (mode: Mode, at = 0) => {
  addresses++;
  return servers[mode][at % 2]!.client().from(`198.18.${String(addresses >> 8)}.${String(addresses & 255)}`);
};

interface Answer {
  readonly userErrors: readonly { readonly code: string }[];
}
const codeOf = ({ userErrors }: Answer) => userErrors[0]?.code;
const changeEmail = (reader: Client, email: string, password = PASSWORD): Promise<Answer> =>
  reader.mutate('changeEmail', { email, password }, '__typename');
const verifyEmail = (mode: Mode, token: string): Promise<Answer> =>
  from(mode).mutate('verifyEmail', { token }, '__typename');
const askReset = (mode: Mode, email: string, at = 0): Promise<Answer> =>
  from(mode, at).mutate('requestPasswordReset', { email }, '__typename');
const requestVerification = async (reader: Client): Promise<Answer> =>
  (await reader.data('mutation { requestEmailVerification { userErrors { code } } }')).requestEmailVerification;

type Kind = 'VERIFY' | 'MOVE' | 'RESET';

/** The state of one reader's account, and the tokens that they were mailed. */
class Model {
  readonly mode: Mode;
  readonly reader: Client;
  readonly emails: Readonly<Record<'a' | 'b' | 'first' | 'taken', string>>;
  readonly tokens: { readonly kind: Kind; readonly email: string; readonly text: string }[] = [];
  /** The number of the valid token of each kind. */
  readonly open = new Map<Kind, number>();
  readonly #mails = new Map<string, number>();
  email: string;
  password = PASSWORD;
  isVerified = false;
  wasVerified = false;

  constructor(mode: Mode, reader: Client, taken: string) {
    this.mode = mode;
    this.reader = reader;
    this.email = reader.email;
    this.emails = { first: reader.email, a: `a-${reader.email}`, b: `b-${reader.email}`, taken };
  }

  /** Reads the token in the next mail, which replaces the other tokens of its kind. */
  async mailed(kind: Kind, email: string): Promise<void> {
    const subject = kind === 'RESET' ? RESET : VERIFY;
    const count = (this.#mails.get(`${subject} ${email}`) ?? 0) + 1;
    this.#mails.set(`${subject} ${email}`, count);
    const text = tokenIn((await mailbox.arrived(email, subject, count)).body);
    this.open.set(kind, this.tokens.push({ kind, email, text }) - 1);
  }

  isGood(index: number, kinds: readonly Kind[]): boolean {
    const kind = this.tokens[index]?.kind;
    return kind !== undefined && kinds.includes(kind) && this.open.get(kind) === index;
  }

  verified(email: string): void {
    if (email !== this.email) this.open.clear();
    this.open.delete('VERIFY');
    [this.email, this.isVerified, this.wasVerified] = [email, true, true];
  }

  passwordChanged(password: string): void {
    this.password = password;
    this.open.delete('RESET');
    this.open.delete('MOVE');
  }
}

async function modelOf(mode: Mode, taken: string): Promise<Model> {
  const model = new Model(mode, await from(mode).registerSomebody(), taken);
  await model.mailed('VERIFY', model.email);
  if (mode !== 'REQUIRED') return model;
  expect(codeOf(await verifyEmail(mode, model.tokens[0]!.text))).toBeUndefined();
  model.verified(model.email);
  return model;
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ change: fc.constantFrom('a', 'b', 'first', 'taken', 'own') }) },
  { weight: 4, arbitrary: fc.record({ verify: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ reset: fc.nat() }) },
  { weight: 1, arbitrary: fc.constantFrom('requestVerification', 'requestReset', 'changePassword') },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does a step, and compares its answer with the model. */
async function follow(model: Model, what: Step, number: number): Promise<void> {
  const { mode, reader, tokens } = model;
  const chosen = (index: number) => index % tokens.length;
  if (what === 'requestVerification') {
    expect(codeOf(await requestVerification(reader))).toBeUndefined();
    if (!model.isVerified) await model.mailed('VERIFY', model.email);
  } else if (what === 'requestReset') {
    expect(codeOf(await askReset(mode, model.email))).toBeUndefined();
    await model.mailed('RESET', model.email);
  } else if (what === 'changePassword') {
    const newPassword = `battery staple ${String(number)}`;
    const input = { password: model.password, newPassword };
    expect(codeOf(await reader.mutate('changePassword', input, '__typename'))).toBeUndefined();
    model.passwordChanged(newPassword);
  } else if ('change' in what) {
    const email = what.change === 'own' ? model.email : model.emails[what.change as 'a'];
    const code = codeOf(await changeEmail(reader, email, model.password));
    expect(code).toBe(what.change === 'taken' ? 'EMAIL_TAKEN' : undefined);
    if (email === model.email) model.open.delete('MOVE');
    else if (code === undefined && mode !== 'ASKED' && model.wasVerified) await model.mailed('MOVE', email);
    else if (code === undefined) {
      model.open.clear();
      [model.email, model.isVerified] = [email, false];
      await model.mailed('VERIFY', email);
    }
  } else if ('verify' in what) {
    const index = chosen(what.verify);
    const isGood = model.isGood(index, ['VERIFY', 'MOVE']);
    expect(codeOf(await verifyEmail(mode, tokens[index]!.text))).toBe(isGood ? undefined : 'INVALID_TOKEN');
    if (isGood) model.verified(tokens[index]!.email);
  } else {
    const index = chosen(what.reset);
    const isGood = model.isGood(index, ['RESET']);
    const password = `wrong horses ${String(number)}`;
    const answer = await from(mode).mutate(
      'resetPassword',
      { token: tokens[index]!.text, password },
      'viewer { id } accessToken refreshToken',
    );
    expect(codeOf(answer)).toBe(isGood ? undefined : 'INVALID_TOKEN');
    if (!isGood) return;
    reader.useTokens(answer);
    model.passwordChanged(password);
    model.verified(model.email);
  }
}

test('a token is valid as long as its request is the last one, for any requests in any order', async () => {
  const { email: taken } = await from('ASKED').registerSomebody();
  const run = fc.record({ mode: fc.constantFrom(...MODES), steps: fc.array(step, { minLength: 6, maxLength: 14 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 12, maxLength: 12 }), async (runs) => {
      const done = runs.map(async ({ mode, steps }) => {
        const model = await modelOf(mode, taken);
        for (const [number, what] of steps.entries()) await follow(model, what, number);
        const { viewer } = await model.reader.data('{ viewer { email isEmailVerified } }');
        expect(viewer).toEqual({ email: model.email, isEmailVerified: model.isVerified });
      });
      await Promise.all(done);
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

test('of two requests at the same moment one wins, and only its token is valid', async () => {
  const model = await modelOf('REQUIRED', '');
  const { reader, emails } = model;
  const key = accountKey(keyOf(reader.viewerId), 'EMAIL');
  /** Returns the last two tokens, with the valid one last. */
  const lastTwo = async (name: 'new_email_token' | 'reset_token') => {
    const hash = (await accounts.read(servers.REQUIRED[0].app, key))?.[name];
    const isInForce = ({ text }: { text: string }) =>
      createHash('sha256').update(Buffer.from(text, 'base64url')).digest('base64url') === hash;
    return model.tokens.slice(-2).toSorted((one, other) => Number(isInForce(one)) - Number(isInForce(other)));
  };

  const elsewhere = from('REQUIRED', 1);
  elsewhere.token = reader.token;
  await Promise.all([changeEmail(reader, emails.a), changeEmail(elsewhere, emails.b)]);
  for (const each of [emails.a, emails.b]) await model.mailed('MOVE', each);
  const moves: unknown[] = [];
  const [, winner] = await lastTwo('new_email_token');
  for (const { text } of await lastTwo('new_email_token')) moves.push(codeOf(await verifyEmail('REQUIRED', text)));
  expect(moves).toEqual(['INVALID_TOKEN', undefined]);

  await Promise.all([0, 1].map((at) => askReset('REQUIRED', winner!.email, at)));
  for (const _ of [0, 1]) await model.mailed('RESET', winner!.email);
  const resets: unknown[] = [];
  for (const { text } of await lastTwo('reset_token')) {
    const input = { token: text, password: 'a battery staple' };
    resets.push(codeOf(await from('REQUIRED').mutate('resetPassword', input, '__typename')));
  }
  expect(resets).toEqual(['INVALID_TOKEN', undefined]);
});

test('a token that a server of release 1.0.0 mailed is valid until another one is requested', async () => {
  const former = await modelOf('REQUIRED', '');
  const { reader } = former;
  const key = accountKey(keyOf(reader.viewerId), 'EMAIL');
  const { app } = servers.REQUIRED[0];
  /**
   * Changes the state to the state that a server of release 1.0.0 writes, which names no tokens.
   */
  const forgetTokens = async () =>
    accounts.change(app, key, await accounts.read(app, key), (state) => ({
      ...state!,
      reset_token: null,
      verification_token: null,
      new_email_token: null,
    }));
  await changeEmail(reader, former.emails.a);
  await former.mailed('MOVE', former.emails.a);
  await askReset('REQUIRED', former.email);
  await former.mailed('RESET', former.email);
  await forgetTokens();
  const [, move, reset] = former.tokens;

  await changeEmail(reader, former.emails.b);
  expect(codeOf(await verifyEmail('REQUIRED', move!.text))).toBe('INVALID_TOKEN');
  await forgetTokens();
  await changeEmail(reader, former.email);
  expect(codeOf(await verifyEmail('REQUIRED', move!.text))).toBe('INVALID_TOKEN');
  await forgetTokens();
  expect(codeOf(await verifyEmail('REQUIRED', move!.text))).toBeUndefined();

  const input = { token: reset!.text, password: 'a battery staple' };
  expect(codeOf(await from('REQUIRED').mutate('resetPassword', input, '__typename'))).toBe('INVALID_TOKEN');
  await askReset('REQUIRED', former.emails.a);
  await former.mailed('RESET', former.emails.a);
  await forgetTokens();
  input.token = former.tokens.at(-1)!.text;
  expect(codeOf(await from('REQUIRED').mutate('resetPassword', input, '__typename'))).toBeUndefined();
});

test('of two pending secrets for a second factor, the last one is used', async () => {
  const reader = await from('ASKED').registerSomebody();
  const begin = async () => (await reader.mutate('startTwoFactor', { password: PASSWORD }, 'secret')).secret as string;
  const [first, last] = [await begin(), await begin()];
  const confirm = async (secret: string) =>
    codeOf(await reader.mutate('confirmTwoFactor', { code: new TOTP({ secret }).generate() }, '__typename'));
  expect(await confirm(first)).toBe('INVALID_CREDENTIALS');
  expect(await confirm(last)).toBeUndefined();
});
