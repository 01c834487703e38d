import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordClicks } from '../src/clicks/operations.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
let server: TestServer;
let now: number;

interface Click {
  readonly id: string;
  readonly at: string;
  readonly target: string | null;
}

beforeAll(async () => {
  now = Date.UTC(2026, 5, 1, 12);
  server = await startServer(await sharedKeyspace({ ACCESS_TOKEN_SECONDS: '86400' }), {
    clock: () => new Date(now),
  });
});

async function startSession(client: Client): Promise<string> {
  return (await client.mutate('startSession', {}, 'session { id startedAt }')).session.id as string;
}
const record = (client: Client, sessionId: string, clicks: readonly object[]) =>
  client.mutate('recordClicks', { sessionId, clicks }, 'session { id } recorded');
const clicks =
  (client: Client, sessionId: string, range = '') =>
  (args: string) =>
    client
      .data(
        `{ node(id: "${sessionId}") { ... on Session { clicks(${range} ${args}) { edges { at cursor node { id at target } } ${PAGE_INFO} } } } }`,
      )
      .then((data) => data.node.clicks);
const nodesOf = (edges: { node: Click }[]) => edges.map(({ node }) => node);
const click = (at: number, target: string | null = null): Click => ({
  id: randomUUID(),
  at: new Date(at).toISOString(),
  target,
});
const inOrder = (all: readonly Click[]) =>
  all.toSorted((one, other) => (one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at < other.at ? -1 : 1));

/** The partition key of the current hour's clicks. */
const hourKey = (session: string) => [keyOf(session), new Date(Math.floor(now / (60 * MINUTE)) * 60 * MINUTE)];

describe('bytes of clicks', () => {
  const clicksOf = (bytes: number) => Array.from({ length: bytes / 500 }, () => click(now, 'x'.repeat(500)));

  test.each([
    ['a reader', 1],
    ['all visitors of an address', 10],
  ])('%s may record a limited number within a minute', async (who, times) => {
    const limited = await startServer(await sharedKeyspace({ CLICK_KIB_PER_MINUTE: '10' }), {
      clock: () => new Date(now),
    });
    const next = async () => (who === 'a reader' ? limited.client().registerSomebody() : limited.client());
    const client = await next();
    const session = await startSession(client);
    for (let time = 0; time < times; time++)
      expect((await record(client, session, clicksOf(10_000))).recorded).toBe(20);

    const refused = await record(client, session, clicksOf(3_000));
    expect(refused).toMatchObject({ recorded: 0, userErrors: [{ code: 'RATE_LIMITED' }] });
    expect(refused.userErrors[0].message).toMatch(/10 KiB.*send fewer/);
    expect(refused.userErrors[0].retryAfterSeconds).toBeGreaterThan(0);
    expect((await clicks(client, session)('first: 100')).edges).toHaveLength(Math.min(100, 20 * times));

    now += MINUTE;
    expect((await record(client, session, clicksOf(3_000))).recorded).toBe(6);
  });
});

describe('clicks', () => {
  test('match the model in every slice and page when they arrive late, out of order, repeated and across hours', async () => {
    const aClick = fc.record({
      minute: fc.integer({ min: 0, max: 400 }),
      target: fc.option(fc.constantFrom('a', 'b')),
    });
    const aSlice = fc.record({
      from: fc.option(fc.integer({ min: 0, max: 400 })),
      to: fc.option(fc.integer({ min: 0, max: 400 })),
      size: fc.integer({ min: 1, max: 30 }),
      direction: fc.constantFrom('forward' as const, 'backward' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aClick, { maxLength: 25 }), { minLength: 1, maxLength: 5 }),
        fc.array(aSlice, { minLength: 4, maxLength: 4 }),
        async (batches, slices) => {
          const client = await server.client().registerSomebody();
          const session = await startSession(client);
          const begun = now;
          now += 401 * MINUTE;
          const all = new Map<string, Click>();
          for (const batch of batches) {
            const made = batch.map(({ minute, target }) => click(begun + minute * MINUTE, target));
            // Some clicks were sent before, and one is repeated.
            const sent = [...made, ...[...all.values()].slice(0, 5), ...made.slice(0, 1)];
            expect(await record(client, session, sent)).toMatchObject({ recorded: made.length, userErrors: [] });
            for (const each of made) all.set(each.id, each);
            expect((await record(client, session, sent)).recorded).toBe(0);
          }
          for (const { from, to, size, direction } of slices) {
            const [earliest, latest] = from !== null && to !== null && from > to ? [to, from] : [from, to];
            const moment = (minute: number | null) =>
              minute === null ? undefined : new Date(begun + minute * MINUTE).toISOString();
            const [a, b] = [moment(earliest), moment(latest)];
            const range = `${a === undefined ? '' : `from: "${a}"`} ${b === undefined ? '' : `to: "${b}"`}`;
            const edges = await client.allPages(size, direction, clicks(client, session, range));
            const expected = inOrder([...all.values()]).filter(({ at }) => at >= (a ?? '') && at < (b ?? '9'));
            expect(nodesOf(edges), range).toEqual(expected);
            const last = await clicks(client, session, range)(`last: ${size}`);
            expect(nodesOf(last.edges)).toEqual(expected.slice(-size));
          }
        },
      ),
      { numRuns: runs(12) },
    );
  });

  test('sent by eight at once are recorded once', async () => {
    const client = server.client();
    const session = await startSession(client);
    const sent = Array.from({ length: 120 }, (_, index) => click(now + index));
    const answers = await Promise.all(Array.from({ length: 8 }, () => record(client, session, sent)));
    expect(answers.reduce((sum: number, { recorded }: { recorded: number }) => sum + recorded, 0)).toBe(120);
    expect(nodesOf(await client.allPages(100, 'forward', clicks(client, session)))).toEqual(inOrder(sent));
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT click_count FROM clicks_by_session WHERE session_id = ? AND hour = ?',
      hourKey(session),
      { prepare: true },
    );
    expect(rows[0]?.['click_count']).toBe(120);
  });

  test('of an hour are at most 100,000, and a robot that sends more is refused as a whole', async () => {
    const client = server.client();
    const session = await startSession(client);
    await record(client, session, [click(now)]);
    const key = hourKey(session);
    await server.app.cassandra.client.execute(
      'UPDATE clicks_by_session SET click_count = 99998 WHERE session_id = ? AND hour = ? IF version = 1',
      key,
      { prepare: true },
    );
    const tooMany = [click(now), click(now), click(now), click(now - 1)];
    now += 1;
    const { session: none, recorded, userErrors } = await record(client, session, [...tooMany.slice(0, 3)]);
    expect([none, recorded]).toEqual([null, 0]);
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'clicks'] }]);
    expect((await record(client, session, tooMany.slice(0, 2))).recorded).toBe(2);
    expect((await record(client, session, [click(now)])).userErrors).toHaveLength(1);
    expect((await clicks(client, session)('first: 100')).edges).toHaveLength(3);
  });

  describe('of an hour that fills up meanwhile', () => {
    // The number exceeds one batch.
    const sent = () =>
      Array.from({ length: 200 }, (_, index) => ({ ...click(now, 'x'.repeat(500)), at: new Date(now + index) }));

    /**
     * Sends clicks while others fill the hour up to some room, before or after the first batch is
     * written.
     */
    async function recordBeside(occasion: 'before' | 'after', room: number) {
      const client = server.client();
      const session = await startSession(client);
      await record(client, session, [click(now)]);
      const { cassandra } = server.app;
      const fill = (version: number) =>
        cassandra.client.execute(
          `UPDATE clicks_by_session SET click_count = ${100_000 - room}, version = ${version + 1}
           WHERE session_id = ? AND hour = ? IF version = ${version}`,
          hourKey(session),
          { prepare: true },
        );
      let batches = 0;
      const beside = intercepted(cassandra, async ({ cql, send }) => {
        if (!cql.includes('UPDATE clicks_by_session') || batches++ > 0) return send();
        if (occasion === 'before') await fill(1);
        const applied = await send();
        if (occasion === 'after') await fill(2);
        return applied;
      });
      const context = requestContext({ ...server.app, cassandra: beside }, ANONYMOUS);
      const answer = await recordClicks(context, { sessionId: session, clicks: sent() }).catch(
        (error: unknown) => error,
      );
      const kept = (await client.allPages(100, 'forward', clicks(client, session))).length;
      return { answer, kept, refused: await record(client, session, [click(now)]) };
    }

    test('are all refused, though some would fit', async () => {
      const { answer, kept } = await recordBeside('before', 150);
      expect(answer).toMatchObject({ code: 'INVALID_INPUT', path: ['input', 'clicks'] });
      expect(kept).toBe(1);
    });

    test('are all recorded once some are, and no others', async () => {
      const { answer, kept, refused } = await recordBeside('after', 0);
      expect(answer).toMatchObject({ recorded: 200 });
      expect(kept).toBe(201);
      expect(refused.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'clicks'] }]);
    });
  });

  test.each([
    ['in the future', () => [click(now + 6 * MINUTE)], ['0', 'at']],
    ['older than 7 days', () => [click(now), click(now - 7 * DAY - 1)], ['1', 'at']],
    ['from before the session', () => [click(now), click(now), click(now - 60 * MINUTE)], ['2', 'at']],
    ['with a long target', () => [click(now, 'x'.repeat(501))], ['0', 'target']],
    ['with line breaks', () => [click(now, 'a\nb')], ['0', 'target']],
    ['more than 500', () => Array.from({ length: 501 }, () => click(now)), []],
    ['10,000 at once', () => Array.from({ length: 2_000 }, () => click(now)), []],
  ])('%s are refused as a whole, by name', async (_what, made, path) => {
    const client = server.client();
    const session = await startSession(client);
    now += 1;
    const answer = await record(client, session, made());
    expect(answer).toMatchObject({ session: null, recorded: 0 });
    expect(answer.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'clicks', ...path] }]);
    expect((await clicks(client, session)('first: 5')).edges).toEqual([]);
  });

  test('up to five minutes ahead are accepted, but not after the end of the session', async () => {
    const client = await server.client().registerSomebody();
    const session = (await client.data('{ viewer { sessions { edges { node { id } } } } }')).viewer.sessions.edges[0]
      .node.id as string;
    expect((await record(client, session, [click(now + 5 * MINUTE)])).recorded).toBe(1);
    const other = await server.client().login(client.email);
    await other.mutate('endSession', { sessionId: session }, 'session { id }');
    now += 10 * MINUTE;
    expect((await record(other, session, [click(now - 10 * MINUTE)])).recorded).toBe(1);
    expect((await record(other, session, [click(now)])).userErrors).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });

  test('in the session of another reader, or in no session, are NOT_FOUND; the clicks of a visitor become those of the reader', async () => {
    const visitor = server.client();
    const session = await startSession(visitor);
    await record(visitor, session, [click(now, 'home')]);
    const reader = await server.client().registerSomebody();
    const login = await visitor.mutate(
      'login',
      { email: reader.email, password: 'correct horse', sessionId: session },
      'session { id } accessToken refreshToken viewer { id }',
    );
    visitor.useTokens(login);
    expect(login.session.id).toBe(session);
    await record(visitor, session, [click(now, 'book')]);
    expect(
      nodesOf((await clicks(visitor, session)('first: 5')).edges)
        .map(({ target }) => target)
        .toSorted(),
    ).toEqual(['book', 'home']);
    const thief = await server.client().registerSomebody();
    const none = Buffer.from(`Session:${randomUUID()}`).toString('base64url');
    for (const id of [session, none])
      expect((await record(thief, id, [click(now)])).userErrors).toMatchObject([
        { code: 'NOT_FOUND', path: ['input', 'sessionId'] },
      ]);
    expect((await record(thief, 'x', [])).userErrors).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect(
      await thief.errorCode(
        `mutation { recordClicks(input: { sessionId: "${session}", clicks: [{ id: "x", at: "2026-06-01T12:00:00Z" }] }) { recorded } }`,
      ),
    ).toBe('BAD_USER_INPUT');
  });
});

test('clicks of a reader are kept permanently, or for CLICKS_KEPT_DAYS; those of a visitor for 40 days', async () => {
  const keeping = (days: string) => sharedKeyspace({ CLICKS_KEPT_DAYS: days }).then((config) => startServer(config));
  const daysKept = async ({ client, app }: TestServer, isReader: boolean) => {
    const somebody = isReader ? await client().registerSomebody() : client();
    const sessionId = await startSession(somebody);
    const id = randomUUID();
    const click = { id, at: new Date().toISOString(), target: 'cover' };
    expect((await record(somebody, sessionId, [click])).userErrors).toEqual([]);
    const key = keyOf(sessionId);
    const select =
      'SELECT click_id, TTL(target) AS seconds FROM clicks_by_session WHERE session_id = ? ALLOW FILTERING';
    const { rows } = await app.cassandra.client.execute(select, [key], { prepare: true });
    const seconds = rows.find((row) => String(row['click_id']) === id)?.['seconds'] as number | null;
    return seconds === null ? null : Math.ceil(seconds / 86_400);
  };

  const [forGood, forAYear] = await Promise.all([keeping('0'), keeping('365')]);
  expect(await daysKept(forGood, true)).toBeNull();
  expect(await daysKept(forAYear, true)).toBe(365);
  expect(await daysKept(forAYear, false)).toBe(40);
  await expect(keeping('39')).rejects.toThrow(
    /CLICKS_KEPT_DAYS is "39"; allowed: 0 to keep them permanently, or a whole number from 40/,
  );
});
