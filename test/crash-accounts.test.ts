import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { erasedTables } from '../src/app/personal-data.ts';
import { startServer, type TestServer } from './support/app.ts';
import { bookIds } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { some } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { mailInFolder, tokenIn } from './support/mails.ts';
import { isUndecided, kindsOf, madeForEach, points, startSurvivor, type Survivor } from './support/crash.ts';

/**
 * Kills a server (-9) at every crash point of every change of an account. Another server, which
 * runs the workers, must complete the change or leave it undone.
 */

let survivor: Survivor;
/**
 * A server whose clock is stopped at the moment at which codes were last used, so that they remain
 * valid however long recovery takes.
 */
let stopped: TestServer;
let now = Date.now();
let books: string[];

beforeAll(async () => {
  survivor = await startSurvivor();
  stopped = await startServer(survivor.app.config, { clock: () => new Date(now) });
  books = await bookIds(survivor);
});

const accountPoints = (steps: readonly string[]) => points('account', steps);
const emailOf = (point: string, more = '') => `${point.replace(/\W+/g, '-').toLowerCase()}${more}@example.com`;
const tryLogin = (email: string) =>
  survivor
    .client()
    .mutate('login', { email, password: PASSWORD }, 'accessToken refreshToken viewer { id fullName email }');

/** Makes a reader for each point. */
const makeReaders = (all: readonly string[]): Promise<Map<string, Client>> =>
  madeForEach(all, () => survivor.client().registerSomebody('Former Name'));

/** Makes readers who have each read one book and like two. */
const makeBusyReaders = (all: readonly string[]): Promise<Map<string, Client>> =>
  madeForEach(all, async () => {
    const reader = await survivor.client().registerSomebody('Former Name');
    for (const id of books.slice(0, 2)) await reader.like(id);
    await reader.mutate('markAsRead', { bookId: books[0]! }, 'book { id }');
    return reader;
  });

describe('register, killed at every point', () => {
  const accountAll = accountPoints(['compare-and-set', 'reservation', 'release', 'name', 'events', 'action']);
  // The registration is a separate action of the account.
  const sessionAll = points('session', ['compare-and-set', 'list', 'login', 'event']);
  const all = [...accountAll, ...sessionAll];
  const inputOf = (point: string) => ({ email: emailOf(point), password: PASSWORD, fullName: 'Ann Lee' });

  beforeAll(() =>
    survivor.crashAtEach(all, (client, point) => client.mutate('register', inputOf(point), 'accessToken')),
  );

  test.each(all)('%s: the account is whole, or absent', async (point) => {
    const email = emailOf(point);
    const loggedIn = await tryLogin(email);
    if (point.startsWith('account') && isUndecided(point)) {
      expect(loggedIn.userErrors[0].code).toBe('INVALID_CREDENTIALS');
      const made = await survivor.client().mutate('register', inputOf(point), 'viewer { email }');
      expect(made.viewer).toEqual({ email });
      return;
    }
    const client = survivor.client().useTokens(loggedIn);
    expect(loggedIn.viewer).toMatchObject({ fullName: 'Ann Lee', email });
    // The session of the registration is counted if it began.
    const logins = point.startsWith('session') && !isUndecided(point) ? 2 : 1;
    const { viewer } = await client.data(
      `{ viewer { actions { edges { node { kind } } } readBooks { readerFullName } loginCount(last: "PT1H")
           sessions { edges { node { id } } } securityEvents { edges { node { kind } } } } }`,
    );
    expect(kindsOf(viewer.actions)).toEqual(['LOGGED_IN', 'REGISTERED']);
    expect(viewer.readBooks.readerFullName).toBe('Ann Lee');
    expect(viewer.loginCount).toBe(logins);
    expect(viewer.sessions.edges).toHaveLength(logins);
    expect(kindsOf(viewer.securityEvents)).toEqual(logins === 2 ? ['LOGGED_IN', 'REGISTERED'] : ['LOGGED_IN']);
    const again = await survivor.client().mutate('register', inputOf(point), 'accessToken');
    expect(again.userErrors[0].code).toBe('EMAIL_TAKEN');
  });
});

describe('changeEmail, killed at every point', () => {
  const all = accountPoints(['compare-and-set', 'reservation', 'release', 'name', 'events']);
  let readers: Map<string, Client>;

  beforeAll(async () => {
    readers = await makeReaders(all);
    await survivor.crashAtEach(all, (client, point) => {
      client.token = readers.get(point)?.token;
      return client.mutate('changeEmail', { email: emailOf(point, '-new'), password: PASSWORD }, 'viewer { email }');
    });
  });

  test.each(all)('%s: the account has one email, and the other one is free', async (point) => {
    const reader = readers.get(point)!;
    const emails = [reader.email, emailOf(point, '-new')];
    const [kept, free] = isUndecided(point) ? emails : emails.toReversed();
    const { viewer } = await reader.data('{ viewer { email securityEvents { edges { node { kind } } } } }');
    expect(viewer.email).toBe(kept);
    expect(kindsOf(viewer.securityEvents)).toEqual(
      isUndecided(point) ? ['REGISTERED'] : ['EMAIL_CHANGED', 'REGISTERED'],
    );
    expect((await tryLogin(free!)).userErrors[0].code).toBe('INVALID_CREDENTIALS');
    expect((await tryLogin(kept!)).viewer).toMatchObject({ id: reader.viewerId });
    const input = { email: free, password: PASSWORD, fullName: 'Another' };
    expect((await survivor.client().mutate('register', input, 'viewer { id }')).userErrors).toEqual([]);
  });
});

describe('changePassword, killed at every point', () => {
  const all = accountPoints(['compare-and-set', 'release', 'name', 'events', 'sessions']);
  let readers: Map<string, Client>;
  const others = new Map<string, Client>();

  beforeAll(async () => {
    readers = await makeReaders(all);
    for (const [point, { email }] of readers) others.set(point, await survivor.client().login(email));
    await survivor.crashAtEach(all, (client, point) => {
      client.token = readers.get(point)?.token;
      return client.mutate('changePassword', { password: PASSWORD, newPassword: 'wrong horses' }, 'viewer { id }');
    });
  });

  test.each(all)(
    '%s: one password is valid, and if it is the new one, the other sessions have ended',
    async (point) => {
      const reader = readers.get(point)!;
      const [good, bad] = isUndecided(point) ? [PASSWORD, 'wrong horses'] : ['wrong horses', PASSWORD];
      const logIn = (password: string) =>
        survivor.client().mutate('login', { email: reader.email, password }, 'viewer { id }');
      expect((await logIn(bad)).userErrors[0].code).toBe('INVALID_CREDENTIALS');
      expect((await logIn(good)).viewer).toEqual({ id: reader.viewerId });
      expect((await reader.data('{ viewer { id } }')).viewer).toEqual({ id: reader.viewerId });
      const { status } = await others.get(point)!.send('{ viewer { id } }');
      expect(status).toBe(isUndecided(point) ? 200 : 401);
    },
  );
});

describe('resetPassword, killed at every point', () => {
  const accountAll = accountPoints(['compare-and-set', 'release', 'name', 'events', 'sessions']);
  const sessionAll = points('session', ['compare-and-set', 'list', 'login', 'event', 'action']);
  const all = [...accountAll, ...sessionAll];
  const isAbsent = (point: string) => point.startsWith('account') && isUndecided(point);
  let readers: Map<string, Client>;
  const tokens = new Map<string, string>();
  const reset = (client: Client, point: string, password: string) =>
    client.mutate('resetPassword', { token: tokens.get(point), password }, 'viewer { id }');

  beforeAll(async () => {
    readers = await makeReaders(all);
    for (const [point, { email }] of readers) {
      await survivor.client().mutate('requestPasswordReset', { email }, '__typename');
      const mail = await mailInFolder(survivor.app.config.mail.folder!, email, 'A new password');
      tokens.set(point, tokenIn(mail));
    }
    await survivor.crashAtEach(all, (client, point) => reset(client, point, 'wrong horses'));
  });

  test.each(all)(
    '%s: one password is valid; the token is used and the sessions have ended, or neither',
    async (point) => {
      const reader = readers.get(point)!;
      const [good, bad] = isAbsent(point) ? [PASSWORD, 'wrong horses'] : ['wrong horses', PASSWORD];
      const logIn = (password: string) =>
        survivor.client().mutate('login', { email: reader.email, password }, 'accessToken refreshToken viewer { id }');
      expect((await logIn(bad)).userErrors[0].code).toBe('INVALID_CREDENTIALS');
      const loggedIn = survivor.client().useTokens(await logIn(good));
      expect((await reader.send('{ viewer { id } }')).status).toBe(isAbsent(point) ? 200 : 401);
      const { viewer } = await loggedIn.data(
        '{ viewer { isEmailVerified securityEvents { edges { node { kind } } } } }',
      );
      expect(viewer.isEmailVerified).toBe(!isAbsent(point));
      const kinds = kindsOf(viewer.securityEvents);
      expect(kinds.filter((kind) => kind === 'PASSWORD_RESET')).toHaveLength(isAbsent(point) ? 0 : 1);

      const again = await reset(survivor.client(), point, 'horses once more');
      expect(again.userErrors).toMatchObject(isAbsent(point) ? [] : [{ code: 'INVALID_TOKEN' }]);
    },
  );
});

describe('a second factor', () => {
  const accountAll = accountPoints(['compare-and-set', 'release', 'name', 'events']);
  const isAbsent = (point: string) => point.startsWith('account') && isUndecided(point);
  const WRONG = [{ code: 'INVALID_CREDENTIALS', path: ['input', 'code'] }];

  interface Secured {
    readonly reader: Client;
    readonly secret: string;
    recoveryCodes: readonly string[];
  }

  const codeOf = ({ secret }: Secured, steps = 0) => new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 });
  const logIn = ({ reader }: Secured, code?: string) =>
    stopped
      .client()
      .mutate('login', { email: reader.email, password: PASSWORD, code }, 'accessToken refreshToken viewer { id }');
  const confirm = (client: Client, someone: Secured, steps = 0) =>
    client.mutate('confirmTwoFactor', { code: codeOf(someone, steps) }, 'recoveryCodes');
  const stop = (client: Client, { recoveryCodes }: Secured) =>
    client.mutate('stopTwoFactor', { password: PASSWORD, code: recoveryCodes[0] }, 'viewer { isTwoFactorEnabled }');
  const isOn = async ({ reader }: Secured) =>
    (await reader.data('{ viewer { isTwoFactorEnabled } }')).viewer.isTwoFactorEnabled;

  /** Makes a reader for each point, whose app has a secret, active or pending. */
  function makeSecured(all: readonly string[], isInForce: boolean): Promise<Map<string, Secured>> {
    now = Date.now();
    return madeForEach(all, async () => {
      const reader = await stopped.client().registerSomebody();
      const { secret } = await reader.mutate('startTwoFactor', { password: PASSWORD }, 'secret');
      const someone: Secured = { reader, secret, recoveryCodes: [] };
      if (isInForce) ({ recoveryCodes: someone.recoveryCodes } = await confirm(reader, someone, -1));
      return someone;
    });
  }

  /** Kills a server while it answers each of them, with a code that is valid now. */
  const crashAtEach = (made: Map<string, Secured>, request: (client: Client, someone: Secured) => Promise<unknown>) =>
    survivor.crashAtEach([...made.keys()], (client, point) => {
      now = Date.now();
      const someone = made.get(point)!;
      client.token = someone.reader.token;
      return request(client, someone);
    });

  describe('login with a code, killed at every point', () => {
    const all = [...accountAll, ...points('session', ['compare-and-set', 'list', 'login', 'event', 'action'])];
    let made: Map<string, Secured>;
    const codes = new Map<Secured, string>();

    beforeAll(async () => {
      made = await makeSecured(all, true);
      await crashAtEach(made, (client, someone) => {
        codes.set(someone, codeOf(someone));
        client.token = undefined;
        const input = { email: someone.reader.email, password: PASSWORD, code: codes.get(someone) };
        return client.mutate('login', input, 'accessToken');
      });
    });

    test.each(all)('%s: the code is used or not, the session is open or not, and others can log in', async (point) => {
      const someone = made.get(point)!;
      const code = codes.get(someone);
      if (isAbsent(point)) expect((await logIn(someone, code)).userErrors).toEqual([]);
      expect((await logIn(someone, code)).userErrors).toMatchObject(WRONG);
      expect((await logIn(someone, codeOf(someone, 1))).userErrors).toEqual([]);
      expect((await logIn(someone, someone.recoveryCodes[0])).userErrors).toEqual([]);

      const { viewer } = await someone.reader.data('{ viewer { sessions { edges { node { id } } } } }');
      const isIn = isAbsent(point) || (point.startsWith('session') && !isUndecided(point));
      expect(viewer.sessions.edges).toHaveLength(isIn ? 4 : 3);
    });
  });

  describe('confirmTwoFactor, killed at every point', () => {
    let made: Map<string, Secured>;

    beforeAll(async () => {
      made = await makeSecured(accountAll, false);
      await crashAtEach(made, confirm);
    });

    test.each(accountAll)('%s: it is in force with the code used, or can still be confirmed by it', async (point) => {
      const someone = made.get(point)!;
      expect(await isOn(someone)).toBe(!isAbsent(point));
      if (isAbsent(point)) {
        expect((await logIn(someone)).userErrors).toEqual([]);
        expect((await confirm(someone.reader, someone)).recoveryCodes).toHaveLength(10);
      }
      expect((await logIn(someone)).userErrors).toMatchObject([{ code: 'TWO_FACTOR_REQUIRED' }]);
      expect((await logIn(someone, codeOf(someone))).userErrors).toMatchObject(WRONG);
      expect((await logIn(someone, codeOf(someone, 1))).userErrors).toEqual([]);
    });
  });

  describe('stopTwoFactor, killed at every point', () => {
    let made: Map<string, Secured>;

    beforeAll(async () => {
      made = await makeSecured(accountAll, true);
      await crashAtEach(made, stop);
    });

    test.each(accountAll)('%s: it is removed, or the recovery code is still valid', async (point) => {
      const someone = made.get(point)!;
      expect(await isOn(someone)).toBe(isAbsent(point));
      const again = await stop(someone.reader, someone);
      expect(again.userErrors).toMatchObject(isAbsent(point) ? [] : [{ code: 'INVALID_INPUT', path: ['input'] }]);
      expect((await logIn(someone)).userErrors).toEqual([]);
    });
  });
});

describe('verifyEmail, killed at every point', () => {
  const all = accountPoints(['compare-and-set', 'release', 'name', 'events']);
  let readers: Map<string, Client>;
  const tokens = new Map<string, string>();
  const verify = (client: Client, point: string) =>
    client.mutate('verifyEmail', { token: tokens.get(point) }, '__typename');

  beforeAll(async () => {
    readers = await makeReaders(all);
    for (const [point, reader] of readers) {
      await reader.data('mutation { requestEmailVerification { userErrors { code } } }');
      const mail = await mailInFolder(survivor.app.config.mail.folder!, reader.email, 'Is this your email?');
      tokens.set(point, tokenIn(mail));
    }
    await survivor.crashAtEach(all, verify);
  });

  test.each(all)('%s: the email is verified and the token used, or neither', async (point) => {
    const reader = readers.get(point)!;
    const { viewer } = await reader.data('{ viewer { isEmailVerified securityEvents { edges { node { kind } } } } }');
    expect(viewer.isEmailVerified).toBe(!isUndecided(point));
    expect(kindsOf(viewer.securityEvents)).toEqual(
      isUndecided(point) ? ['REGISTERED'] : ['EMAIL_VERIFIED', 'REGISTERED'],
    );
    const { userErrors } = await verify(survivor.client(), point);
    expect(userErrors).toMatchObject(isUndecided(point) ? [] : [{ code: 'INVALID_TOKEN' }]);
  });
});

describe('updateProfile, killed at every point', () => {
  const pages = ['RENAME: after page 1', 'RENAME: after page 2'];
  const all = [...accountPoints(['compare-and-set', 'release', 'name', 'events', 'job']), ...pages];
  let readers: Map<string, Client>;

  beforeAll(async () => {
    readers = await makeBusyReaders(all);
    await survivor.crashAtEach(all, (client, point) => {
      client.token = readers.get(point)?.token;
      return client.mutate('updateProfile', { fullName: 'New Name' }, 'viewer { id }');
    });
  });

  test.each(all)('%s: the name is the same everywhere', async (point) => {
    const reader = readers.get(point)!;
    const { viewer, nodes } = await reader.data(
      `query ($ids: [ID!]!) { viewer { fullName readBooks { readerFullName } pendingRename { pagesDone } }
         nodes(ids: $ids) { ... on Likeable { likers(first: 100) { edges { node { id fullName } } } } } }`,
      { ids: books.slice(0, 2) },
    );
    const fullName = isUndecided(point) ? 'Former Name' : 'New Name';
    expect(viewer).toEqual({ fullName, readBooks: { readerFullName: fullName }, pendingRename: null });
    for (const { likers } of nodes) {
      const mine = likers.edges.filter(({ node }: { node: { id: string } }) => node.id === reader.viewerId);
      expect(mine).toEqual([{ node: { id: reader.viewerId, fullName } }]);
    }
  });
});

describe('deleteAccount, killed at every point', () => {
  const pages = erasedTables.map((_table, index) => `ERASE: after page ${String(index + 1)}`);
  const all = [...accountPoints(['compare-and-set', 'release', 'sessions', 'job']), ...some(pages, 4)];
  let readers: Map<string, Client>;
  let before: number[];
  const counts = async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Likeable { likeTally { count } } } }';
    const { nodes } = await survivor.client().data(query, { ids: books.slice(0, 2) });
    return nodes.map((node: { likeTally: { count: number } }) => node.likeTally.count) as number[];
  };

  beforeAll(async () => {
    before = await counts();
    readers = await makeBusyReaders(all);
    await survivor.crashAtEach(all, (client, point) => {
      client.token = readers.get(point)?.token;
      return client.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    });
  });

  test('no table contains data of deleted readers', async () => {
    const gone = all.filter((point) => !isUndecided(point)).map((point) => readers.get(point)!);
    const texts = gone.flatMap(({ viewerId, email }) => [keyOf(viewerId), email]);
    expect(await survivor.rowsAbout(texts)).toEqual(['users_by_id']);
  });

  test.each(all)('%s: the account is deleted with all data, or unchanged', async (point) => {
    const reader = readers.get(point)!;
    const loggedIn = await tryLogin(reader.email);
    if (isUndecided(point)) {
      expect(loggedIn.viewer).toMatchObject({ id: reader.viewerId, fullName: 'Former Name' });
      const { viewer } = await reader.data('{ viewer { likes { edges { title } } readBooks { edges { readAt } } } }');
      expect(viewer.likes.edges).toHaveLength(2);
      expect(viewer.readBooks.edges).toHaveLength(1);
      return;
    }
    expect(loggedIn.userErrors[0].code).toBe('INVALID_CREDENTIALS');
    expect((await reader.send('{ viewer { id } }')).status).toBe(401);
    const input = { email: reader.email, password: PASSWORD, fullName: 'Another' };
    expect((await survivor.client().mutate('register', input, 'viewer { id }')).userErrors).toEqual([]);
  });

  test('the counts are those of the remaining readers', async () => {
    const left = all.filter(isUndecided).length;
    expect(await counts()).toEqual(before.map((count) => count + left));
  });
});
