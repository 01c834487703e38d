import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppContext } from '../src/context/context.ts';
import { recordEvent, type LibraryEvent } from '../src/events/operations.ts';
import { RollUp } from '../src/events/rollup.ts';
import { encodeId, uuidOf } from '../src/graphql/ids.ts';
import { registerAdministrator } from './support/accounts.ts';
import type { TestServer } from './support/app.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { countEverything, startCounted } from './support/counting.ts';
import { runs } from './support/full.ts';

/** The events that administrators see: all counts by window, and the single events of one thing. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestServer;
let now: number;
let books: string[];

beforeAll(async () => {
  now = Date.UTC(2026, 5, 1, 12);
  ({ server, books } = await startCounted(() => now));
});

/** Earlier events are too old to matter. */
beforeEach(() => {
  now += 30 * DAY;
});

const countAll = (app: AppContext, counting?: RollUp) => countEverything(app, () => (now += 2 * SECOND), counting);

describe('all activity', () => {
  const siteActivity = (client: Client, granularity: string, from: number, to: number) =>
    client
      .data(
        `query ($from: DateTime!, $to: DateTime!) { siteActivity(granularity: ${granularity}, from: $from, to: $to) { at likes views reads sales } }`,
        { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      )
      .then((data) => data.siteActivity);

  /** The recorded events. If an event was recorded twice, the newer version is valid. */
  class Model {
    readonly #events = new Map<string, LibraryEvent>();

    record(event: LibraryEvent): void {
      const key = `${event.kind} ${event.subject} ${event.id}`;
      if ((this.#events.get(key)?.version ?? 0) <= event.version) this.#events.set(key, event);
    }

    /** Counts the events in every window from one moment until just before another. */
    windows(length: number, from: number, to: number) {
      const begin = Math.floor(from / length) * length;
      const names = { LIKE: 'likes', VIEW: 'views', READ: 'reads', SALE: 'sales' } as const;
      const points = Array.from({ length: Math.ceil((to - begin) / length) }, (_, index) => ({
        at: new Date(begin + index * length).toISOString(),
        likes: 0,
        views: 0,
        reads: 0,
        sales: 0,
      }));
      for (const { kind, at, happened } of this.#events.values()) {
        const point = points[Math.floor((at.getTime() - begin) / length)];
        if (point && happened) point[names[kind]]++;
      }
      return points;
    }
  }

  interface AnEvent extends Pick<LibraryEvent, 'kind' | 'subject' | 'id' | 'happened'> {
    readonly agoMinutes: number;
  }

  test('matches a model, even with late, repeated or retracted events, and servers that die or sleep while counting', async () => {
    const { email } = await registerAdministrator(server);
    const anEvent = fc.record({
      kind: fc.constantFrom('LIKE' as const, 'VIEW' as const, 'READ' as const, 'SALE' as const),
      subject: fc.integer({ min: 0, max: 40 }).map((number) => `Book:${String(9_780_000_000_000 + number)}`),
      agoMinutes: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9_000 })),
      id: fc.integer({ min: 0, max: 20 }).map(String),
      happened: fc.boolean(),
    });
    const someEvents = fc.array(anEvent, { minLength: 1, maxLength: 12 });
    const aStep = fc.oneof(
      { weight: 6, arbitrary: fc.record({ record: someEvents }) },
      { weight: 3, arbitrary: fc.record({ waitSeconds: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 2, arbitrary: fc.record({ dieAfter: fc.integer({ min: 1, max: 16 }) }) },
      { weight: 3, arbitrary: fc.record({ sleepAfter: fc.integer({ min: 1, max: 16 }), meanwhile: someEvents }) },
      { weight: 3, arbitrary: fc.constant({ count: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 20 }), async (steps) => {
        now += 30 * DAY;
        const administrator = await server.client().login(email);
        const model = new Model();
        const app: AppContext = {
          ...server.app,
          // A separate process remembers no dirty windows of others.
          cassandra: { ...server.app.cassandra },
        };
        let counting = new RollUp(randomUUID());
        let version = 0;
        const record = async (events: readonly AnEvent[]) => {
          for (const { agoMinutes, ...event } of events) {
            const moment = new Date(now - agoMinutes * MINUTE);
            const about = { ...event, at: moment, id: `${event.id} ${moment.getTime()}`, version: ++version };
            model.record(about);
            await recordEvent(app, about);
            if (version % 3 === 0) await recordEvent(app, about);
          }
        };
        for (const step of steps) {
          if ('record' in step) {
            await record(step.record);
          } else if ('waitSeconds' in step) {
            now += step.waitSeconds * SECOND;
          } else if ('dieAfter' in step) {
            let points = 0;
            // A dead process must not pass any other point either.
            const atCrashPoint = () => {
              if (++points >= step.dieAfter) throw new Error('died');
            };
            await counting.run({ ...app, atCrashPoint }).catch((error: unknown) => {
              expect(String(error)).toContain('died');
              counting = new RollUp(randomUUID());
            });
          } else if ('sleepAfter' in step) {
            let points = 0;
            // Another server takes over and counts all events and newer ones while this one is
            // paused; then this one continues.
            const atCrashPoint = async () => {
              if (++points !== step.sleepAfter) return;
              await record(step.meanwhile);
              const next = new RollUp(randomUUID());
              await countAll(app, next);
              counting = next;
            };
            await counting.run({ ...app, atCrashPoint });
          } else {
            await counting.run(app);
          }
        }
        await countAll(app, counting);

        const from = now - 8 * DAY;
        const to = now + 1;
        expect(await siteActivity(administrator, 'DAY', from, to)).toEqual(model.windows(DAY, from, to));
        expect(await siteActivity(administrator, 'HOUR', from, to)).toEqual(model.windows(HOUR, from, to));
        for (let begin = from; begin < to; begin += DAY) {
          const end = Math.min(begin + DAY, to);
          expect(await siteActivity(administrator, 'MINUTE', begin, end)).toEqual(model.windows(MINUTE, begin, end));
        }
      }),
      // Shrinking a failing case would exceed the time of the test.
      { numRuns: runs(8), endOnFailure: true },
    );
  });

  test('is kept as long as the charts of books', async () => {
    await recordEvent(server.app, {
      kind: 'SALE',
      subject: 'Book:9780000000001',
      at: new Date(now),
      id: 'x',
      version: 1,
      happened: true,
    });
    await countAll(server.app);
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT granularity, window_start, TTL(event_count) AS ttl FROM site_activity',
    );
    const daysOf = (granularity: string) =>
      new Set(
        rows
          .filter(
            (row) => row['granularity'] === granularity && (row['window_start'] as Date).getTime() > now - 2 * DAY,
          )
          .map((row) => (row['ttl'] === null ? null : Math.ceil((row['ttl'] as number) / 86_400))),
      );
    expect(daysOf('MINUTE')).toEqual(new Set([9]));
    expect(daysOf('HOUR')).toEqual(new Set([400]));
    expect(daysOf('DAY')).toEqual(new Set([null]));
  });

  test('costs as much as the fields of all its windows', async () => {
    const administrator = await registerAdministrator(server);
    const chart =
      'siteActivity(granularity: MINUTE, from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z") { likes views }';
    await administrator.data(`{ ${chart} }`);
    const charts = Array.from({ length: 4 }, (_, index) => `a${index}: ${chart}`);
    expect(await administrator.errorCode(`{ ${charts.join(' ')} }`)).toBe('BAD_USER_INPUT');
  });

  test('is for administrators', async () => {
    const query = 'siteActivity(granularity: DAY, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { likes }';
    const events = `events(id: "${books[0]!}", from: "2026-01-01T00:00:00Z", to: "2026-01-01T00:01:00Z") { edges { node { id } } }`;
    const reader = await server.client().registerSomebody();
    for (const asked of [query, events]) {
      expect(await server.client().errorCode(`{ ${asked} }`)).toBe('UNAUTHENTICATED');
      expect(await reader.errorCode(`{ ${asked} }`)).toBe('FORBIDDEN');
    }
  });

  test.each([
    ['siteActivity(granularity: HOUR, from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z") { at }', '"from"'],
    ['siteActivity(granularity: MINUTE, from: "2026-02-01T00:00:00Z", to: "2026-02-03T00:00:00Z") { at }', '"from"'],
    ['events(id: "BOOK", from: "2026-02-01T01:00:00Z", to: "2026-02-01T00:00:00Z") { edges { cursor } }', '"from"'],
    ['events(id: "BOOK", from: "2026-02-01T00:00:00Z", to: "2026-02-01T01:00:00.001Z") { edges { cursor } }', '"to"'],
    ['events(id: "x", from: "2026-02-01T00:00:00Z", to: "2026-02-01T01:00:00Z") { edges { cursor } }', '"id"'],
    ['events(id: "READER", from: "2026-02-01T00:00:00Z", to: "2026-02-01T01:00:00Z") { edges { cursor } }', '"id"'],
    [
      'events(id: "BOOK", from: "2026-02-01T00:00:00Z", to: "2026-02-01T01:00:00Z", first: 101) { edges { cursor } }',
      '"first"',
    ],
    [
      'events(id: "BOOK", from: "2026-02-01T00:00:00Z", to: "2026-02-01T01:00:00Z", after: "x") { edges { cursor } }',
      '"after"',
    ],
  ])('%s is refused with its name', async (query, argument) => {
    const administrator = await registerAdministrator(server);
    const asked = query.replace('BOOK', books[0]!).replace('READER', administrator.viewerId);
    const { errors } = await administrator.send(`{ ${asked} }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0]?.message).toContain(argument);
  });
});

describe('the events of a thing', () => {
  const QUERY = (args: string) =>
    `query ($id: ID!, $from: DateTime!, $to: DateTime!) { events(id: $id, from: $from, to: $to, ${args}) { edges { cursor node { id kind at } } ${PAGE_INFO} } }`;

  test('are the events of the range, minute by minute, in pages of any size, and do not reveal their readers', async () => {
    const administrator = await registerAdministrator(server);
    const subject = 'Book:9780000000055';
    const begin = Math.floor(now / HOUR) * HOUR;
    const recorded = fc.sample(
      fc.record({
        kind: fc.constantFrom('LIKE' as const, 'VIEW' as const),
        at: fc.integer({ min: 0, max: 62 * MINUTE }).map((after) => new Date(begin - 30 * SECOND + after)),
      }),
      { numRuns: 60, seed: 7 },
    );
    now = begin + 2 * HOUR;
    const stored: string[] = [];
    for (const [index, { kind, at }] of recorded.entries()) {
      const id = `${administrator.viewerId} ${subject} ${at.getTime()} ${index}`;
      await recordEvent(server.app, { kind, subject, at, id, version: 1, happened: true });
      stored.push(uuidOf(id));
    }
    await recordEvent(server.app, {
      kind: 'LIKE',
      subject: 'Book:9780000000056',
      at: new Date(begin),
      id: 'x',
      version: 1,
      happened: true,
    });

    const [from, to] = [begin + 5_250, begin + HOUR];
    const range = {
      id: encodeId({ type: 'Book', key: subject.slice(5) }),
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    };
    const read = (args: string) => administrator.data(QUERY(args), range).then((data) => data.events);
    const order = (event: { kind: string; at: string }) => `${event.at.slice(0, 16)} ${event.kind}`;
    const expected = recorded
      .filter(({ at }) => at.getTime() >= from && at.getTime() < to)
      .map(({ kind, at }) => ({ kind, at: at.toISOString() }));
    expect(expected.length).toBeGreaterThan(30);
    expect(expected.length).toBeLessThan(recorded.length);
    for (const direction of ['forward', 'backward'] as const) {
      for (const size of [1, 7, 100]) {
        const edges = await administrator.allPages(size, direction, read);
        const found = edges.map(({ node }) => node as { id: string; kind: string; at: string });
        expect(found.map(order)).toEqual(expected.map(order).toSorted());
        expect(new Set(found.map(({ kind, at }) => `${at} ${kind}`))).toEqual(
          new Set(expected.map(({ kind, at }) => `${at} ${kind}`)),
        );
        expect(new Set(found.map(({ id }) => id)).size).toBe(expected.length);

        // A person who has the ids of all readers could compare them with the stored ids.
        const shown = JSON.stringify(
          edges.map(({ cursor, node }) => [Buffer.from(cursor as string, 'base64url').toString(), node]),
        );
        for (const id of stored) {
          expect(shown).not.toContain(id);
          expect(shown).not.toContain(Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'));
        }
      }
    }

    const [{ cursor }] = (await read('first: 1')).edges as [{ cursor: string }];
    const { errors } = await administrator.send(QUERY(`after: "${cursor}"`), { ...range, id: books[0] });
    expect(errors).toMatchObject([{ message: expect.stringContaining('"after"') }]);
  });

  test('are none eight days later', async () => {
    let administrator = await registerAdministrator(server);
    const reader = await server.client().registerSomebody();
    const from = now;
    await reader.like(books[4]!);
    const range = { id: books[4], from: new Date(from).toISOString(), to: new Date(from + MINUTE).toISOString() };
    const events = () => administrator.data(QUERY('first: 5'), range).then((data) => data.events.edges);
    expect(await events()).toMatchObject([{ node: { kind: 'LIKE', at: range.from } }]);
    now += 8 * DAY + MINUTE;
    administrator = await server.client().login(administrator.email);
    expect(await events()).toEqual([]);
  });
});
