import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { groupCommit } from '../src/member-sets/group-commit.ts';
import { hashedAddress } from '../src/throttling/addresses.ts';
import { waitFor } from '../src/throttling/operations.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { newLike } from './support/changes.ts';
import { PASSWORD } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';

let server: TestServer;
/** A second server with the same limits. */
let other: TestServer;
/**
 * The clock moves only when a test advances it, so that a wait of a second does not end on a slow
 * machine.
 */
let now = Date.now();
const clock = () => new Date(now);
let addresses = 0;
/** The free tries of the servers on which a test uses up those of an address, ten times as many. */
const FREE = runs(5, 1);

beforeAll(async () => {
  const config = await ownKeyspace(
    testEnvironment({ LOGIN_ATTEMPTS_FREE: '5', RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '1' }),
  );
  server = await startServer(config, { clock });
  other = await startServer(config, { clock });
});

/** Makes a client with its own address. */
const from = (address = `203.0.113.${String(++addresses)}`, at = server) => at.client().from(address);

async function tryAs(email: string, password: string, client = from()) {
  const { userErrors } = await client.mutate('login', { email, password }, 'accessToken');
  return (userErrors[0] as { code: string; retryAfterSeconds: number | null; path: string[] } | undefined) ?? null;
}

const failsOf = async (email: string, count: number, client = from()) => {
  for (let turn = 0; turn < count; turn++) {
    expect(await tryAs(email, 'wrong horse', client)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  }
};

describe('tries with a password', () => {
  test.each([['known'], ['unknown']] as const)(
    'on an account that is %s: five are free, then the wait doubles each time, up to a minute',
    async (which) => {
      const owner = await from().registerSomebody();
      const email = which === 'known' ? owner.email : `nobody-${owner.email}`;
      await failsOf(email, 5);
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
        const refused = await tryAs(email, 'wrong horse', from(undefined, other));
        expect(refused).toMatchObject({ code: 'RATE_LIMITED', path: ['input'] });
        expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(seconds);
        expect(refused?.retryAfterSeconds).toBeGreaterThan(seconds / 2 - 1);
        now += (refused?.retryAfterSeconds ?? 0) * 1_000;
        await failsOf(email, 1);
      }
    },
  );

  test('that are refused do not extend the wait, and the right password is accepted after a minute', async () => {
    const owner = await from().registerSomebody();
    await failsOf(owner.email, 5);
    for (let turn = 0; turn < 20; turn++) {
      expect(await tryAs(owner.email, PASSWORD)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    }
    now += 1_000;
    expect(await tryAs(owner.email, PASSWORD)).toBeNull();
    // A success forgets the failures.
    await failsOf(owner.email, 5);
  });

  test('by strangers do not delay the owner at an address from which they logged in before', async () => {
    const home = from();
    const owner = await home.registerSomebody();
    await failsOf(owner.email, 5);
    expect(await tryAs(owner.email, PASSWORD, from())).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await tryAs(owner.email, PASSWORD, home)).toBeNull();
    // A stranger at that address also has only five tries.
    await failsOf(owner.email, 5, home);
    expect(await tryAs(owner.email, PASSWORD, home)).toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('that fail, or are refused, are logged with a hash of the address', async () => {
    const { email, viewerId } = await from().registerSomebody();
    const logged: unknown[] = [];
    const { info } = server.app.logger;
    // Requests are logged there as well.
    const kept = (about: object, message?: string) => {
      if (message?.includes('password')) logged.push([about, message]);
    };
    Object.assign(server.app.logger, { info: kept });
    const address = '203.0.113.250';
    await failsOf(email, 5, from(address));
    expect(await tryAs(email, 'wrong horse', from(address))).toMatchObject({ code: 'RATE_LIMITED' });
    Object.assign(server.app.logger, { info });
    const about = {
      userId: keyOf(viewerId),
      address: hashedAddress(server.app.config, address),
    };
    const wrong = [about, 'a password was wrong'];
    expect(logged).toEqual([
      ...Array.from({ length: 5 }, () => wrong),
      [about, 'a try with a password was refused: too many tries failed'],
    ]);
  });

  test('may fail a hundred times in a row, even slowly; then they are possible only from the owner’s address, where a success restarts the count', async () => {
    const { config } = server.app;
    expect(config.loginFailuresMax).toBe(100);
    const most = runs(100, 10);
    const [here, beside] = [
      await startServer({ ...config, loginFailuresMax: most }, { clock }),
      await startServer({ ...config, loginFailuresMax: most }, { clock }),
    ];
    const fails = (email: string, count: number) => failsOf(email, count, from(undefined, here));
    const home = from(undefined, here);
    const owner = await home.registerSomebody();
    const nobody = `nobody-${owner.email}`;
    const began = now;
    await Promise.all([fails(owner.email, 5), fails(nobody, 5)]);
    for (let failed = 5; failed < most; failed++) {
      now += 60_000;
      await Promise.all([fails(owner.email, 1), fails(nobody, 1)]);
    }
    now += 60_000;
    for (const email of [owner.email, nobody]) {
      for (const at of [here, beside]) {
        const refused = await tryAs(email, PASSWORD, from(undefined, at));
        expect(refused).toMatchObject({ code: 'RATE_LIMITED', path: ['input'] });
        expect(refused?.retryAfterSeconds).toBe(30 * 86_400 - (now - began) / 1_000);
      }
    }

    // The access token of an hour and a half ago has expired.
    home.token = undefined;
    expect(await tryAs(owner.email, PASSWORD, home)).toBeNull();
    expect(await tryAs(owner.email, PASSWORD, from(undefined, beside))).toBeNull();
    expect(await tryAs(nobody, PASSWORD, from(undefined, beside))).toMatchObject({ code: 'RATE_LIMITED' });
    now += 30 * 86_400_000;
    expect(await tryAs(nobody, PASSWORD, from(undefined, beside))).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('many at once are no more than one after the other', async () => {
    const count = runs(100, 30);
    const owner = await from().registerSomebody();
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        tryAs(owner.email, 'wrong horse', from(undefined, [server, other][index % 2])),
      ),
    );
    const looked = answers.filter((error) => error?.code === 'INVALID_CREDENTIALS');
    // The number may be lower because of contention, but never higher.
    expect(looked.length).toBeLessThanOrEqual(5);
    expect(looked.length + answers.filter((error) => error?.code === 'RATE_LIMITED').length).toBe(count);
  });

  test('logins at once with the right password wait for each other, and all succeed', async () => {
    const owner = await from().registerSomebody();
    const answers = await Promise.all(Array.from({ length: runs(30, 12) }, () => tryAs(owner.email, PASSWORD)));
    expect(answers.filter((error) => error !== null)).toEqual([]);
  });

  test('from one address, on whatever accounts: ten times as many are free', async () => {
    const strict = await startServer({ ...server.app.config, loginAttemptsFree: FREE }, { clock });
    const attacker = from(undefined, strict);
    await Promise.all(
      Array.from({ length: 5 }, async (_, part) => {
        for (let turn = 0; turn < 2 * FREE; turn++) {
          const email = `somebody-${String(part)}-${String(turn)}@example.com`;
          expect(await tryAs(email, 'wrong horse', attacker)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
        }
      }),
    );
    expect(await tryAs('one-more@example.com', 'wrong horse', attacker)).toMatchObject({ code: 'RATE_LIMITED' });
    const owner = await from().registerSomebody();
    expect(await tryAs(owner.email, PASSWORD, from(undefined, strict))).toBeNull();
  });

  test('are the same for calls that ask for the password again', async () => {
    const owner = await from().registerSomebody();
    const input = { password: 'wrong horse', newPassword: 'a better horse' };
    for (let turn = 0; turn < 5; turn++) {
      const { userErrors } = await owner.mutate('changePassword', input, 'viewer { id }');
      expect(userErrors).toMatchObject([{ code: 'INVALID_CREDENTIALS', path: ['input', 'password'] }]);
    }
    const { userErrors } = await owner.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(userErrors).toMatchObject([{ code: 'RATE_LIMITED', retryAfterSeconds: 1 }]);
  });

  test('from an address that a client forges are not counted for that address if no proxy is trusted', async () => {
    const config = { ...server.app.config, trustProxy: 0, loginAttemptsFree: FREE };
    const untrusting = await startServer(config, { clock });
    for (let turn = 0; turn < 10 * FREE; turn++) await failsOf(`x${turn}@example.com`, 1, from(undefined, untrusting));
    expect(await tryAs('y@example.com', 'wrong horse', from(undefined, untrusting))).toMatchObject({
      code: 'RATE_LIMITED',
    });
  });
});

describe('registrations with taken emails', () => {
  const most = 10 * FREE;
  let strict: TestServer;
  beforeAll(async () => {
    strict = await startServer({ ...server.app.config, loginAttemptsFree: FREE }, { clock });
  });

  test('are told so to one address for some of them, and then nothing about any', async () => {
    const taken = await Promise.all(Array.from({ length: most + 1 }, () => from().registerSomebody()));
    const harvester = from(undefined, strict);
    const tryEmail = async (email: string) => {
      const input = { email, password: PASSWORD, fullName: 'Somebody' };
      return (await harvester.mutate('register', input, 'viewer { id }')).userErrors[0]?.code as string | undefined;
    };
    // If all are sent at once, contention may refuse all of them, so that none is reported.
    const answers = await pLimit(8).map(taken, ({ email }) => tryEmail(email));
    const told = answers.filter((code) => code === 'EMAIL_TAKEN').length;
    // The number may be lower because of contention, but never higher.
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(most);
    expect(answers.filter((code) => code === 'RATE_LIMITED')).toHaveLength(most + 1 - told);
    expect(await tryEmail(`free-${taken[0]!.email}`)).toBe('RATE_LIMITED');
  });

  test('are reported again for the same email, which reveals nothing new', async () => {
    const { email } = await from().registerSomebody();
    const somebody = from(undefined, strict);
    for (let turn = 0; turn < most + 2; turn++) {
      const input = { email, password: PASSWORD, fullName: 'Somebody' };
      const { userErrors } = await somebody.mutate('register', input, 'viewer { id }');
      expect(userErrors).toMatchObject([{ code: 'EMAIL_TAKEN' }]);
    }
  });
});

describe('accounts', () => {
  const register = async (address: string, at: TestServer) => {
    const input = { email: `${randomUUID()}@example.com`, password: PASSWORD, fullName: 'Ann Lee' };
    const { viewer, userErrors } = await from(address, at).mutate('register', input, 'viewer { id }');
    return userErrors[0]?.retryAfterSeconds ?? (viewer ? 'MADE' : userErrors);
  };

  test('from one address are limited within an hour, even at once and on all servers; another address has its own limit', async () => {
    const config = { ...server.app.config, registrationsPerHour: 3 };
    const [one, two] = await Promise.all([startServer(config, { clock }), startServer(config, { clock })]);
    const [address, elsewhere] = ['198.51.100.1', '198.51.100.2'];
    expect(await register(address, one)).toBe('MADE');
    now += 600_000;
    expect(await register(address, two)).toBe('MADE');
    const atOnce = await Promise.all([one, two, one, two].map((at) => register(address, at)));
    expect(atOnce.filter((made) => made === 'MADE').length).toBeLessThanOrEqual(1);
    while ((await register(address, one)) === 'MADE');
    expect(await register(address, two)).toBe(3_000);
    expect(await register(elsewhere, two)).toBe('MADE');

    now += 2_999_000;
    expect(await register(address, one)).toBe(1);
    now += 1_000;
    expect(await register(address, one)).toBe('MADE');
    expect(await register(address, two)).toBe(600);
  });
});

test('a reader’s likes of one thing within an hour are limited, but not unlikes or likes of others', async () => {
  const { accessTokens } = server.app.config;
  const config = { ...server.app.config, likeChangesPerHour: 6, accessTokens: { ...accessTokens, seconds: 86_400 } };
  const [one, two] = await Promise.all([startServer(config, { clock }), startServer(config, { clock })]);
  const reader = await from(undefined, one).registerSomebody();
  const elsewhere = from(undefined, two);
  elsewhere.token = reader.token;
  const [book, another] = (await ownBooks(one.app, 2)) as [string, string];
  for (let time = 0; time < 3; time++) {
    expect(await reader.like(book)).toMatchObject({ changed: true, userErrors: [] });
    now += 60_000;
    expect(await elsewhere.unlike(book)).toMatchObject({ changed: true, userErrors: [] });
  }
  const refused = { changed: false, userErrors: [{ code: 'RATE_LIMITED', path: ['input'], retryAfterSeconds: 3_420 }] };
  for (const client of [reader, elsewhere]) {
    const { changed, userErrors } = await client.mutate('like', { id: book }, 'changed');
    expect({ changed, userErrors }).toMatchObject(refused);
  }
  expect(await reader.like(another)).toMatchObject({ changed: true });

  now += 3_420_000;
  expect(await reader.like(book)).toMatchObject({ changed: true, userErrors: [] });
});

describe('the wait', () => {
  test('matches its definition, for any tries in any order', () => {
    const moment = fc.integer({ min: 0, max: 200_000 });
    const tries = fc.array(fc.record({ at: moment, try_id: fc.uuid(), failed: fc.boolean() }), { maxLength: 40 });
    fc.assert(
      fc.property(tries, moment, fc.integer({ min: 1, max: 20 }), (all, at, free) => {
        const mine = { at: new Date(at), try_id: '00000000-0000-4000-8000-000000000000', failed: false };
        const dated = all.map((each) => ({ ...each, at: new Date(each.at) }));
        const failed = all.filter((each) => each.failed || at - each.at > 10_000).map((each) => each.at);
        const sinceLast = Math.max(0, at - Math.max(...failed)) / 1_000;
        const delay = Math.min(60, 2 ** (failed.length - free));
        const tooMany = sinceLast < delay ? Math.ceil(delay - sinceLast) : failed.length < all.length ? 'BUSY' : 0;
        const few = all.length < free ? 0 : 'BUSY';
        expect(waitFor(dated, free, mine)).toBe(failed.length < free ? few : tooMany);
      }),
    );
  });
});

describe('an address', () => {
  test('is the same for all addresses that its user can choose', () => {
    expect(hashedAddress(server.app.config, '2001:db8:1:2:3::1')).toBe(
      hashedAddress(server.app.config, '2001:0db8:0001:0002:ffff::9'),
    );
    expect(hashedAddress(server.app.config, '2001:db8:1:2::1')).not.toBe(
      hashedAddress(server.app.config, '2001:db8:1:3::1'),
    );
    expect(hashedAddress(server.app.config, '::ffff:203.0.113.7')).toBe(
      hashedAddress(server.app.config, '203.0.113.7'),
    );
    expect(hashedAddress(server.app.config, '203.0.113.7')).not.toBe(hashedAddress(server.app.config, '203.0.113.8'));
  });
});

describe('requests', () => {
  let limited: TestServer;
  let beside: TestServer;

  beforeAll(async () => {
    const config = { ...server.app.config, rateLimitPerMinute: 10 };
    // The time is the middle of a minute in the past, so that the minute does not end while the
    // test runs.
    const clock = () => new Date(Date.UTC(2026, 5, 1, 12, 0, 30));
    limited = await startServer(config, { clock, workers: true });
    beside = await startServer(config, { clock, workers: true });
  });

  const QUERY = '{ rateLimit { limit remaining cost resetAt } }';

  test('are counted, including the one that requests the count, and refused when there are too many', async () => {
    const client = from(undefined, limited);
    for (let turn = 1; turn <= 10; turn++) {
      const { data, headers } = await client.send(QUERY);
      const remaining = 10 - turn;
      expect(data.rateLimit).toEqual({ limit: 10, remaining, cost: 1, resetAt: '2026-06-01T12:01:00.000Z' });
      expect(headers.get('ratelimit-limit')).toBe('10');
      expect(headers.get('ratelimit-remaining')).toBe(String(remaining));
      expect(headers.get('ratelimit-reset')).toBe('30');
    }
    const refused = await client.send(QUERY);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(refused.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } }]);
    const exported = await client.exportMyData();
    expect([exported.status, exported.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await from(undefined, limited).send(QUERY)).status).toBe(200);
  });

  test('that may request thousands of fields cost more', async () => {
    const client = from(undefined, limited);
    const query = `{ rateLimit { cost remaining } book(isbn: "9780439023481") { likers(first: 100) { edges { node { likes(first: 30) { edges { cursor } } } } } } }`;
    const { rateLimit } = await client.data(query);
    expect(rateLimit.cost).toBeGreaterThan(3);
    expect(rateLimit.remaining).toBe(10 - rateLimit.cost);
    const refused = await client.send(query.replace('first: 30', 'first: 45'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    // The refused query was charged only 1 for being read.
    expect((await client.data(QUERY)).rateLimit.remaining).toBe(rateLimit.remaining - 2);
  });

  test('that have read thousands of rows cost more once they are answered, and are answered', async () => {
    const [id = ''] = await ownBooks(limited.app, 1);
    const stripes = Array.from({ length: 64 }, (_, index) => 64 + index);
    await Promise.all(
      stripes.flatMap((shard) =>
        Array.from({ length: 40 }, (_, index) =>
          groupCommit(limited.app).apply(storedIdOf(id), shard, newLike(index + 1)),
        ),
      ),
    );
    const client = from(undefined, limited);
    const likers = (first: number) =>
      client.send(`{ node(id: "${id}") { ... on Book { likers(first: ${first}) { edges { cursor } } } } }`);
    const few = await likers(5);
    expect([few.headers.get('ratelimit-remaining'), few.headers.get('ratelimit-cost')]).toEqual(['9', '1']);
    // The query reads 21 rows of each of 64 stripes, and their counts.
    const many = await likers(20);
    expect(many.data.node.likers.edges).toHaveLength(20);
    expect([many.headers.get('ratelimit-remaining'), many.headers.get('ratelimit-cost')]).toEqual(['7', '2']);
    for (const remaining of ['4', '1', '0']) {
      const more = await likers(38);
      expect(more.status).toBe(200);
      expect(more.headers.get('ratelimit-remaining')).toBe(remaining);
    }
    expect((await likers(38)).status).toBe(429);
  });

  test('are counted per reader, from any address, over all servers together', async () => {
    const reader = await from(undefined, limited).registerSomebody();
    const elsewhere = from(undefined, beside);
    elsewhere.token = reader.token;
    for (let turn = 0; turn < 6; turn++) await reader.data(QUERY);
    expect((await elsewhere.data(QUERY)).rateLimit.remaining).toBe(9);
    // The servers exchange counts about once a second.
    const deadline = Date.now() + 5_000;
    let remaining: number;
    do {
      expect(Date.now()).toBeLessThan(deadline);
      await sleep(1_100);
      remaining = (await elsewhere.data(QUERY)).rateLimit.remaining as number;
    } while (remaining > 3);
    expect(remaining).toBeLessThanOrEqual(2);
  });

  test('of all readers at one address are limited to ten times the limit of one', async () => {
    const address = '198.51.100.7';
    const rateLimitPerMinute = runs(10, 2);
    const strict = await startServer({ ...limited.app.config, rateLimitPerMinute }, { clock: limited.app.clock });
    const readers = await Promise.all(Array.from({ length: 11 }, () => from(undefined, limited).registerSomebody()));
    for (const [index, { token }] of readers.entries()) {
      const reader = Object.assign(from(address, strict), { token });
      const statuses = [];
      for (let turn = 0; turn < rateLimitPerMinute; turn++) statuses.push((await reader.send(QUERY)).status);
      const expected = Array.from({ length: rateLimitPerMinute }, () => (index < 10 ? 200 : 429));
      expect(statuses, `reader ${String(index)}`).toEqual(expected);
    }
    // Signed-out callers there are counted separately.
    expect((await from(address, strict).send(QUERY)).status).toBe(200);
  });

  test('are not limited at all with 0', async () => {
    expect(await server.client().data(QUERY)).toEqual({ rateLimit: null });
  });
});
