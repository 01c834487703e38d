import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { shardOf } from '../src/cassandra/shards.ts';
import { CLICK_SHARDS } from '../src/clicks/recording.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';

/** Compares the clicks of all sessions, and the figures of one session, with a plain list. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const CLICK = 'id at target subjectId sessionId properties { name value }';

interface Click {
  readonly id: string;
  readonly at: string;
  readonly target: string | null;
  readonly subjectId: string | null;
  readonly sessionId: string | null;
  readonly properties: readonly { name: string; value: string }[];
}

let server: TestServer;
let administrator: Client;
let books: string[];
// The clock begins two hours before midnight.
let now = Date.UTC(2026, 5, 1, 22);

beforeAll(async () => {
  const environment = testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' });
  server = await startServer(await ownKeyspace(environment), { clock: () => new Date(now) });
  administrator = await registerAdministrator(server);
  books = await ownBooks(server.app, 2);
});

async function startSession(client: Client): Promise<string> {
  return (await client.mutate('startSession', {}, 'session { id }')).session.id as string;
}
const sessionOf = async (client: Client) =>
  (await client.data('{ viewer { sessions { edges { node { id } } } } }')).viewer.sessions.edges[0].node.id as string;
const record = (client: Client, sessionId: string, clicks: readonly object[]) =>
  client.mutate('recordClicks', { sessionId, clicks }, 'session { id clickCount lastClickAt duration } recorded');
const iso = (time: number) => new Date(time).toISOString();
const clicksBetween = (from: number, to: number, target?: string) => (page: string) =>
  administrator
    .data(
      `query ($from: DateTime!, $to: DateTime!, $target: String) {
        clicks(from: $from, to: $to, target: $target, ${page}) { edges { at cursor node { ${CLICK} } } ${PAGE_INFO} } }`,
      { from: iso(from), to: iso(to), target },
    )
    .then(({ clicks }) => clicks);
const sent = ({ id, at, target, subjectId, properties }: Click) => ({ id, at, target, subjectId, properties });

describe('clicks of all sessions', () => {
  test('match the model in every range, target and page, and in their figures, even late, repeated or over midnight', async () => {
    const aClick = fc.record({
      // Many clicks share a moment, in the same and in other sessions.
      minute: fc.constantFrom(0, 9, 10, 10, 11, 119, 120, 121, 300),
      session: fc.nat(3),
      target: fc.option(fc.constantFrom('a', 'b', 'c')),
      book: fc.option(fc.nat(1)),
      properties: fc.uniqueArray(
        fc.record({ name: fc.constantFrom('variant', 'x', '__proto__'), value: fc.constantFrom('', 'A', 'é\n') }),
        { selector: ({ name }) => name },
      ),
    });
    const aSlice = fc.record({
      from: fc.constantFrom(0, 10, 11, 120),
      length: fc.constantFrom(0, 1, 10, 111, 1_440),
      target: fc.option(fc.constantFrom('a', 'b', 'none'), { nil: undefined }),
      size: fc.constantFrom(1, 3, 50),
      direction: fc.constantFrom('forward' as const, 'backward' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aClick, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 4 }),
        fc.array(aSlice, { minLength: 4, maxLength: 4 }),
        async (calls, slices) => {
          // The runs are days apart, so that no clicks of an earlier run are between them.
          now += 4 * DAY;
          const begun = now;
          const reader = server.client();
          administrator.token = undefined;
          await administrator.login(administrator.email);
          await reader.registerSomebody();
          const visitor = server.client();
          const sessions = [
            { client: reader, id: await sessionOf(reader) },
            { client: reader, id: await startSession(reader) },
            { client: visitor, id: await startSession(visitor) },
            { client: visitor, id: await startSession(visitor) },
          ];
          now += 301 * MINUTE;

          const all: { session: number; click: Click }[] = [];
          for (const call of calls) {
            const made = call.map(({ minute, session, target, book, properties }) => ({
              session,
              click: {
                id: randomUUID(),
                at: iso(begun + minute * MINUTE),
                target,
                subjectId: book === null ? null : books[book]!,
                sessionId: session < 2 ? sessions[session]!.id : null,
                properties,
              },
            }));
            for (const [session, { client, id }] of sessions.entries()) {
              const own = made.filter((each) => each.session === session).map(({ click }) => click);
              const before = all.filter((each) => each.session === session).map(({ click }) => click);
              // A click that is sent again now has other values, which are ignored.
              const again = before.slice(0, 1).map((click) => ({ ...sent(click), target: 'changed', properties: [] }));
              const {
                recorded,
                session: answered,
                userErrors,
              } = await record(client, id, [...own.map(sent), ...again]);
              expect(userErrors).toEqual([]);
              expect(recorded).toBe(own.length);
              const moments = [...before, ...own].map(({ at }) => at).toSorted();
              expect(answered).toMatchObject({ clickCount: moments.length, lastClickAt: moments.at(-1) ?? null });
            }
            all.push(...made);
          }

          const placeOf = ({ session, click }: (typeof all)[number]) => {
            const key = keyOf(sessions[session]!.id);
            return [click.at, shardOf(key, CLICK_SHARDS), key, click.id].join(' ');
          };
          const inOrder = all.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
          for (const { from: minute, length, target, size, direction } of slices) {
            const [from, to] = [begun + minute * MINUTE, begun + (minute + length) * MINUTE];
            const edges = await server.client().allPages(size, direction, clicksBetween(from, to, target));
            const expected = inOrder
              .map(({ click }) => click)
              .filter(({ at }) => at >= iso(from) && at < iso(to))
              .filter((click) => target === undefined || click.target === target);
            expect(
              edges.map(({ node }) => node),
              JSON.stringify({ minute, length, target }),
            ).toEqual(expected);
          }

          // A reader's clicks that name a thing are actions too.
          const actions = await reader.allPages(7, 'forward', (page) =>
            reader
              .data(
                `{ viewer { actions(kinds: [CLICKED], ${page}) { edges { cursor node { at element book { id } } } ${PAGE_INFO} } } }`,
              )
              .then(({ viewer }) => viewer.actions),
          );
          const acts = new Set(actions.map(({ node }) => `${node.at} ${node.element} ${node.book.id}`));
          expect(acts.size).toBe(actions.length);
          const named = all.filter(({ session, click }) => session < 2 && click.subjectId !== null);
          expect(acts).toEqual(new Set(named.map(({ click }) => `${click.at} ${click.target} ${click.subjectId}`)));
        },
      ),
      { numRuns: runs(6) },
    );
  });

  test('are shown to administrators alone, of a day at most', async () => {
    const query = (from: number, to: number) => `{ clicks(from: "${iso(from)}", to: "${iso(to)}") { edges { at } } }`;
    expect(await server.client().errorCode(query(now, now))).toBe('UNAUTHENTICATED');
    const reader = await server.client().registerSomebody();
    expect(await reader.errorCode(query(now, now))).toBe('FORBIDDEN');
    administrator.token = undefined;
    await administrator.login(administrator.email);
    expect((await administrator.data(query(now - DAY, now))).clicks.edges).toBeDefined();
    for (const [from, to, names] of [
      [now, now - 1, '"from"'],
      [now - DAY - 1, now, '"to"'],
    ] as const) {
      const { errors } = await administrator.send(query(from, to));
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(errors![0]!.message).toContain(names);
    }
  });

  test('end only after their last activity', async () => {
    const client = await server.client().registerSomebody();
    const session = await sessionOf(client);
    const durationOf = async (asking = client) =>
      (await asking.data(`{ node(id: "${session}") { ... on Session { duration clickCount lastClickAt } } }`)).node;
    expect(await durationOf()).toEqual({ duration: 'PT0S', clickCount: 0, lastClickAt: null });
    now += 90 * MINUTE + 1_500;
    expect(await durationOf()).toMatchObject({ duration: 'PT0S' });
    await record(client, session, [{ id: randomUUID(), at: iso(now) }]);
    expect(await durationOf()).toEqual({ duration: 'PT1H30M1.5S', clickCount: 1, lastClickAt: iso(now) });
    now += 90 * MINUTE;
    const { refreshToken } = client;
    client.token = undefined;
    client.useTokens(await client.mutate('refreshTokens', { refreshToken }, 'accessToken refreshToken viewer { id }'));
    expect(await durationOf()).toMatchObject({ duration: 'PT3H1.5S' });
    now += MINUTE;
    const other = await server.client().login(client.email);
    await other.mutate('endSession', { sessionId: session }, 'session { id }');
    now += DAY / 2;
    expect(await durationOf(other)).toMatchObject({ duration: 'PT3H1M1.5S' });
  });

  const property = (name: string, value = '') => ({ name, value });
  test.each([
    [
      'eleven properties',
      { properties: Array.from({ length: 11 }, (_, index) => property(`p${index}`)) },
      ['properties'],
    ],
    ['a property without a name', { properties: [property('')] }, ['properties', '0', 'name']],
    ['a long name', { properties: [property('a'), property('x'.repeat(101))] }, ['properties', '1', 'name']],
    ['a long value', { properties: [property('a', 'x'.repeat(501))] }, ['properties', '0', 'value']],
    ['a name twice', { properties: [property('\u00E9'), property('e\u0301')] }, ['properties', '1', 'name']],
    ['a malformed id', { subjectId: 'nonsense' }, ['subjectId']],
    ['the id of a reader', { subjectId: Buffer.from(`User:${randomUUID()}`).toString('base64url') }, ['subjectId']],
  ])('with %s are refused as a whole, by name', async (_what, input, path) => {
    const client = await server.client().registerSomebody();
    const session = await sessionOf(client);
    const good = { id: randomUUID(), at: iso(now), subjectId: books[0] };
    const answer = await record(client, session, [good, { ...good, id: randomUUID(), ...input }]);
    expect(answer).toMatchObject({ session: null, recorded: 0 });
    expect(answer.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'clicks', '1', ...path] }]);
    const { node, viewer } = await client.data(
      `{ node(id: "${session}") { ... on Session { clickCount clicks { edges { at } } } } viewer { actions(kinds: [CLICKED]) { edges { at } } } }`,
    );
    expect([node, viewer.actions.edges]).toEqual([{ clickCount: 0, clicks: { edges: [] } }, []]);
  });

  test('with the longest properties are accepted, many at once', async () => {
    const client = await server.client().registerSomebody();
    const session = await sessionOf(client);
    const properties = Array.from({ length: 10 }, (_, index) => property(`${index}${'n'.repeat(99)}`, '€'.repeat(500)));
    const made = Array.from({ length: 12 }, () => ({
      id: randomUUID(),
      at: iso(now),
      target: '€'.repeat(500),
      subjectId: books[0],
      properties,
    }));
    const { recorded, session: answered } = await record(client, session, made);
    expect([recorded, answered.clickCount]).toEqual([12, 12]);
    const { node } = await client.data(
      `{ node(id: "${session}") { ... on Session { clicks { edges { node { ${CLICK} } } } } } }`,
    );
    expect(node.clicks.edges).toHaveLength(12);
    for (const edge of node.clicks.edges) expect(edge.node).toMatchObject({ properties, sessionId: session });
  });
});
