import { readFileSync } from 'node:fs';
import type { types } from 'cassandra-driver';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql';
import { TOTP } from 'otpauth';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../src/config/config.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { requireVerified } from '../src/identity/operations.ts';
import { mailer } from '../src/mail/mailer.ts';
import { idArgument } from '../src/graphql/ids.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { kindsOf } from './support/crash.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { mailSettings, tokenIn, type Mailbox } from './support/mails.ts';

/** A reader proves that they receive mail at their email. */

const HOUR = 3_600_000;
const SUBJECT = 'Is this your email?';
const INVALID = { viewer: null, userErrors: [{ code: 'INVALID_TOKEN', path: ['input', 'token'] }] };

let config: Config;
let mailbox: Mailbox;
let server: TestServer;
let now: Date | undefined;
let addresses = 0;

beforeAll(async () => {
  const { cassandra } = await ownKeyspace();
  ({ mailbox, config } = await mailSettings({
    CASSANDRA_KEYSPACE: cassandra.keyspace,
    EMAIL_VERIFICATION_URL: 'https://app.example/verify?token={token}',
  }));
  server = await startServer(config, { clock: () => now ?? new Date() });
});

afterEach(() => {
  now = undefined;
});

/** Makes a signed-out client with its own address. */
const from = (at = server) => at.client().from(`192.0.2.${String(++addresses)}`);

const verify = (token: string, client = from()) =>
  client.mutate('verifyEmail', { token }, 'viewer { id isEmailVerified }');
const request = async (client: Client) => {
  const { requestEmailVerification } = await client.data(
    'mutation { requestEmailVerification { viewer { isEmailVerified } userErrors { code path retryAfterSeconds } } }',
  );
  return requestEmailVerification;
};
const isVerified = async (reader: Client) =>
  (await reader.data('{ viewer { isEmailVerified } }')).viewer.isEmailVerified as boolean | null;
const tokenOf = async (email: string, count = 1) => tokenIn((await mailbox.arrived(email, SUBJECT, count)).body);
const moveTo = (reader: Client, email: string) =>
  reader.mutate('changeEmail', { email, password: PASSWORD }, 'viewer { isEmailVerified }');

describe('an email', () => {
  test('is verified once, with the mail sent at registration, even by a signed-out caller', async () => {
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
    // Nothing is left to be requested.
    expect(await request(reader)).toEqual({ viewer: { isEmailVerified: true }, userErrors: [] });
  });

  test('is verified once by many simultaneous calls with one token', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenOf(reader.email);
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(token)));
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1);
    expect(await isVerified(reader)).toBe(true);
  });

  test('can be requested again, five times an hour', async () => {
    const reader = await from().registerSomebody();
    await mailbox.arrived(reader.email, SUBJECT);
    now = new Date();
    // The mail sent at registration is included.
    for (let turn = 0; turn < 4; turn++) {
      expect(await request(reader)).toEqual({ viewer: { isEmailVerified: false }, userErrors: [] });
      await mailbox.arrived(reader.email, SUBJECT, turn + 2);
    }
    expect(await request(reader)).toMatchObject({
      viewer: null,
      userErrors: [{ code: 'RATE_LIMITED', path: ['input'] }],
    });
    const former = await tokenOf(reader.email);
    expect(await verify(await tokenOf(reader.email, 5), reader)).toMatchObject({ viewer: { isEmailVerified: true } });
    expect(await verify(former)).toMatchObject(INVALID);
  });

  test('a token is valid for a day', async () => {
    const reader = await from().registerSomebody();
    const token = await tokenOf(reader.email);
    now = new Date(Date.now() + 24 * HOUR + 1_000);
    expect(await verify(token)).toMatchObject(INVALID);
    now = new Date(Date.now() + 23 * HOUR);
    expect(await verify(token)).toMatchObject({ userErrors: [] });
  });

  test('a token is valid for no other account', async () => {
    const [reader, another] = [await from().registerSomebody(), await from().registerSomebody()];
    const token = await tokenOf(reader.email);
    expect(await verify(token, another)).toMatchObject(INVALID);
    expect([await isVerified(reader), await isVerified(another)]).toEqual([false, false]);
    expect(await verify(token, reader)).toMatchObject({ viewer: { id: reader.viewerId, isEmailVerified: true } });
  });

  test('must be verified again after a change: tokens for the former email are void, even if the account gets it again', async () => {
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

  test('is requested only by a reader', async () => {
    expect(await from().errorCode('mutation { requestEmailVerification { userErrors { code } } }')).toBe(
      'UNAUTHENTICATED',
    );
  });
});

describe('if a verified email is required', () => {
  const REFUSED = [{ code: 'EMAIL_NOT_VERIFIED', path: ['input'] }];
  /**
   * Operations that verify an email, log in or out, or delete the account, and those that visitors
   * may use.
   */
  const ALLOWED = [
    'register login startPasskeyLogin loginWithPasskey refreshTokens logout endSession requestEmailVerification verifyEmail changeEmail changePassword',
    'requestPasswordReset resetPassword deleteAccount startSession recordClicks removePushSubscription',
  ].flatMap((names) => names.split(' '));
  let required: TestServer;
  let another: TestServer;
  let bookId: string;

  beforeAll(async () => {
    const demanding = {
      ...config,
      mail: { ...config.mail, emailVerification: { ...config.mail.emailVerification, isRequired: true } },
    };
    [required, another] = [await startServer(demanding), await startServer(demanding)];
    [bookId = ''] = await ownBooks(required.app, 1);
  });

  const mutations = buildSchema(readFileSync('schema.graphql', 'utf8')).getMutationType()!.getFields();
  /** Makes a valid value of an input type. */
  const valueOf = (type: GraphQLInputType): unknown => {
    if (isNonNullType(type)) return valueOf(type.ofType);
    if (isListType(type)) return [];
    if (isEnumType(type)) return type.getValues()[0]!.name;
    if (isInputObjectType(type)) {
      const needed = Object.values(type.getFields()).filter(isRequiredInputField);
      return Object.fromEntries(needed.map((field) => [field.name, valueOf(field.type)]));
    }
    const values: Record<string, unknown> = {
      ID: bookId,
      Decimal: '1',
      Int: 1,
      Float: 1,
      Boolean: true,
      JSONObject: {},
    };
    return values[type.name] ?? new Date().toISOString();
  };
  const payloadOf = (field: string) => {
    const payload = getNullableType(mutations[field]!.type) as GraphQLObjectType;
    const leaves = Object.values(payload.getFields()).map(({ name, type }) =>
      name === 'userErrors' || isLeafType(getNamedType(type)) ? name : `${name} { __typename }`,
    );
    return leaves.filter((name) => name !== 'userErrors').join(' ');
  };

  describe('a reader', () => {
    let reader: Client;

    beforeAll(async () => {
      reader = await from(required).registerSomebody('Ann Lee');
    });

    test.each(Object.keys(mutations).filter((name) => !ALLOWED.includes(name)))(
      '%s is refused until it is verified',
      async (field) => {
        const done = () => reader.data('{ viewer { fullName actions { edges { node { kind } } } } }');
        const before = await done();
        const input = valueOf(mutations[field]!.args[0]!.type) as Record<string, unknown>;
        const { userErrors, ...rest } = await reader.mutate(field, input, payloadOf(field));
        expect(userErrors).toMatchObject(REFUSED);
        expect(Object.values(rest).every((value) => value === null || value === false)).toBe(true);
        expect(await done()).toEqual(before);
      },
    );
  });

  test('a reader can write immediately after it, on each server', async () => {
    const reader = await from(required).registerSomebody();
    const elsewhere = from(another);
    elsewhere.token = reader.token;
    const like = (client: Client) => client.mutate('like', { id: bookId }, 'changed');
    for (const client of [reader, elsewhere]) expect((await like(client)).userErrors).toMatchObject(REFUSED);

    await verify(await tokenOf(reader.email), from(required));
    expect(await like(elsewhere)).toEqual({ changed: true, userErrors: [] });
    expect(await like(reader)).toEqual({ changed: false, userErrors: [] });
  });

  describe('another email', () => {
    const KEPT = { viewer: { isEmailVerified: true }, userErrors: [] };
    const emailOf = async (reader: Client) => (await reader.data('{ viewer { email } }')).viewer.email as string;
    const registers = async (email: string) =>
      (await from(required).mutate('register', { email, password: PASSWORD, fullName: 'Another' }, '__typename'))
        .userErrors;

    /** Makes a reader whose email is verified. */
    async function verified(): Promise<Client> {
      const reader = await from(required).registerSomebody();
      expect((await verify(await tokenOf(reader.email), from(required))).userErrors).toEqual([]);
      return reader;
    }

    test("is the reader's once they have verified it: until then nothing changes", async () => {
      const reader = await verified();
      const [former, wanted] = [reader.email, `x-${reader.email}`];
      expect(await moveTo(reader, wanted)).toEqual(KEPT);
      expect(await emailOf(reader)).toBe(former);
      expect((await reader.mutate('like', { id: bookId }, 'changed')).userErrors).toEqual([]);
      expect(mailbox.to(former, 'Your email was changed')).toEqual([]);
      const { body } = await mailbox.arrived(wanted, SUBJECT);
      expect(body).toContain('is about to get this email');

      expect(await verify(tokenIn(body), from(another))).toEqual({ viewer: null, userErrors: [] });
      expect([await emailOf(reader), await isVerified(reader)]).toEqual([wanted, true]);
      expect((await reader.mutate('unlike', { id: bookId }, 'changed')).userErrors).toEqual([]);
      await mailbox.arrived(former, 'Your email was changed');
      const { viewer } = await reader.data('{ viewer { securityEvents { edges { node { kind } } } } }');
      expect(kindsOf(viewer.securityEvents).toSorted()).toEqual([
        'EMAIL_CHANGED',
        'EMAIL_VERIFIED',
        'EMAIL_VERIFIED',
        'REGISTERED',
      ]);
      expect(await verify(tokenIn(body), from(required))).toMatchObject(INVALID);
      expect(await registers(former)).toEqual([]);
    });

    test('is not reserved: a reader who registers with it meanwhile keeps it', async () => {
      const reader = await verified();
      const [former, wanted] = [reader.email, `x-${reader.email}`];
      expect(await moveTo(reader, wanted)).toEqual(KEPT);
      const token = await tokenOf(wanted);
      expect(await registers(wanted)).toEqual([]);

      expect(await verify(token, from(required))).toMatchObject({
        viewer: null,
        userErrors: [{ code: 'EMAIL_TAKEN', path: ['input', 'token'] }],
      });
      expect([await emailOf(reader), await isVerified(reader)]).toEqual([former, true]);
      expect(await moveTo(reader, wanted)).toMatchObject({
        viewer: null,
        userErrors: [{ code: 'EMAIL_TAKEN', path: ['input', 'email'] }],
      });
    });

    test('is set once by many simultaneous calls, if it was requested last', async () => {
      const reader = await verified();
      const [x, y] = [`x-${reader.email}`, `y-${reader.email}`];
      for (const email of [x, y]) expect(await moveTo(reader, email)).toEqual(KEPT);
      const [void_, token] = [await tokenOf(x), await tokenOf(y)];
      expect(await verify(void_, from(required))).toMatchObject(INVALID);
      const answers = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((at) => verify(token, from(at % 2 ? required : another))),
      );
      expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1);
      expect(await verify(void_, from(required))).toMatchObject(INVALID);
      expect(await emailOf(reader)).toBe(y);
      expect(await registers(x)).toEqual([]);
    });

    test('is not set after a change of password, or for a suspended reader', async () => {
      const [reader, suspended] = [await verified(), await verified()];
      for (const each of [reader, suspended]) expect(await moveTo(each, `x-${each.email}`)).toEqual(KEPT);
      const changed = await reader.mutate(
        'changePassword',
        { password: PASSWORD, newPassword: 'a battery staple' },
        '__typename',
      );
      expect(changed.userErrors).toEqual([]);
      expect(await verify(await tokenOf(`x-${reader.email}`), from(required))).toMatchObject(INVALID);
      expect(await emailOf(reader)).toBe(reader.email);

      const administrator = await registerAdministrator(server);
      await administrator.mutate('suspendAccount', { id: suspended.viewerId, reason: 'Spam' }, 'changed');
      const refused = [{ code: 'ACCOUNT_SUSPENDED', path: ['input', 'token'] }];
      expect(await verify(await tokenOf(`x-${suspended.email}`), from(required))).toMatchObject({
        userErrors: refused,
      });
    });

    test('is not set without verification for a reader who verifies the first email at the same moment', async () => {
      const reader = await from(required).registerSomebody();
      const token = await tokenOf(reader.email);
      let verifying: Promise<unknown> | undefined;
      const slow = await startServer(required.app.config, {
        atCrashPoint: async (point) => {
          if (point === 'account: before compare-and-set') await (verifying ??= verify(token, from(another)));
        },
      });
      const elsewhere = from(slow);
      elsewhere.token = reader.token;
      const both = await moveTo(elsewhere, `x-${reader.email}`);
      expect(both).toMatchObject({ viewer: null, userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'email'] }] });
      expect(await verifying).toMatchObject({ userErrors: [] });
      expect([await emailOf(reader), await isVerified(reader)]).toEqual([reader.email, true]);
      expect(await registers(`x-${reader.email}`)).toEqual([]);
    });

    test('requires a code of the second factor once, with the request', async () => {
      const reader = await verified();
      const { secret } = await reader.mutate('startTwoFactor', { password: PASSWORD }, 'secret');
      const { recoveryCodes } = await reader.mutate(
        'confirmTwoFactor',
        { code: new TOTP({ secret }).generate() },
        'recoveryCodes',
      );
      const ask = (code?: string) =>
        reader.mutate(
          'changeEmail',
          { email: `x-${reader.email}`, password: PASSWORD, code },
          'viewer { isEmailVerified }',
        );
      expect(await ask()).toMatchObject({ userErrors: [{ code: 'TWO_FACTOR_REQUIRED', path: ['input', 'code'] }] });
      expect(await ask(recoveryCodes[0])).toEqual(KEPT);
      expect(await ask(recoveryCodes[0])).toMatchObject({
        userErrors: [{ code: 'INVALID_CREDENTIALS', path: ['input', 'code'] }],
      });
    });
  });

  test('a library is imported only after the verification', async () => {
    const reader = await required.client().registerSomebody();
    const refused = await reader.importMyLibrary('Title,Author,Bookshelves\nA Book,Ann Lee,read\n');
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { userErrors: [{ code: 'EMAIL_NOT_VERIFIED' }] },
    ]);
    const userId = idArgument('id', reader.viewerId).key;
    expect(await required.rowsAbout([userId])).not.toContain('library_imports_by_user');
  });

  test('a stale read refuses no reader who has verified their email', async () => {
    const reader = await from(required).registerSomebody();
    let former: types.ResultSet | undefined;
    const cassandra = intercepted(required.app.cassandra, async ({ cql, send }) =>
      cql.includes('FROM users_by_id WHERE user_id IN') ? (former ??= await send()) : send(),
    );
    const userId = keyOf(reader.viewerId);
    const ask = () =>
      requireVerified(requestContext({ ...required.app, cassandra }, { ...ANONYMOUS, viewerId: userId }));
    await expect(ask()).rejects.toThrow('Verify your email address first');
    await verify(await tokenOf(reader.email));
    await ask();
  });

  test('a reader can write in the same request that verifies it', async () => {
    const reader = await from(required).registerSomebody();
    const token = await tokenOf(reader.email);
    const answer = await reader.data(
      `mutation ($id: ID!, $token: String!) {
         early: like(input: { id: $id }) { changed userErrors { code } }
         verifyEmail(input: { token: $token }) { userErrors { code } }
         late: like(input: { id: $id }) { changed userErrors { code } } }`,
      { id: bookId, token },
    );
    expect(answer).toEqual({
      early: { changed: false, userErrors: [{ code: 'EMAIL_NOT_VERIFIED' }] },
      verifyEmail: { userErrors: [] },
      late: { changed: true, userErrors: [] },
    });
  });

  test('the mail contains the deadline, and readers may still read or delete their account', async () => {
    const reader = await from(required).registerSomebody();
    expect((await mailbox.arrived(reader.email, SUBJECT)).body).toContain('deleted unless you confirm by');
    const { session } = await reader.mutate('startSession', { device: 'phone' }, 'session { id }');
    expect(session).not.toBeNull();
    expect(await (await reader.exportMyData()).text()).toContain('"deletedUnlessVerifiedBy":"2');
    expect(await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename')).toMatchObject({
      userErrors: [],
    });
    expect((await from(required).mutate('startSession', {}, 'session { id }')).userErrors).toEqual([]);
    expect(await from(required).errorCode('mutation { like(input: { id: "x" }) { changed } }')).toBe('UNAUTHENTICATED');
  });
});

describe('notices', () => {
  test('about a changed email are sent to the former one, and mails about a changed password to the current one', async () => {
    const reader = await from().registerSomebody();
    await moveTo(reader, `x-${reader.email}`);
    await mailbox.arrived(reader.email, 'Your email was changed');
    await reader.mutate('changePassword', { password: PASSWORD, newPassword: 'a battery staple' }, 'viewer { id }');
    await mailbox.arrived(`x-${reader.email}`, 'Your password was changed');
  });

  test('are limited to five of a kind an hour for each mailbox', async () => {
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
