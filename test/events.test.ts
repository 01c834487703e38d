import { idArgument } from '../src/graphql/ids.ts';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppContext } from '../src/context/context.ts';
import { eventShardOf, recordEvent, type LibraryEvent } from '../src/events/operations.ts';
import { RollUp, rollUp } from '../src/events/rollup.ts';
import type { TestServer } from './support/app.ts';
import { emptyTables } from './support/emptying.ts';
import { countEverything, startCounted } from './support/counting.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';

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

/** Counts until no window is left, with the given servers, one after the other. */
const countAll = (app: AppContext, counting?: RollUp) => countEverything(app, () => (now += 2 * SECOND), counting);

const counters = async () => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
};

describe('an event of a book', () => {
  test('is in its chart and in the trending lists until it is taken back', async () => {
    const readers = await Promise.all(Array.from({ length: 3 }, () => server.client().registerSomebody()));
    const [one, two] = books as [string, string];
    const from = new Date(now).toISOString();
    for (const reader of readers) await reader.like(one);
    await readers[0]!.like(two);
    await readers[0]!.mutate('recordView', { bookId: one }, 'book { id }');
    await readers[0]!.mutate('recordView', { bookId: one }, 'book { id }');
    await readers[1]!.mutate('markAsRead', { bookId: one }, 'book { id }');
    const price = { amount: '3', currency: 'EUR' };
    const listed = await readers[1]!.mutate('listItem', { bookId: one, price, condition: 'GOOD' }, 'item { id }');
    for (const reader of readers) await reader.like(listed.item.id);
    await readers[1]!.mutate('markAsSold', { itemId: listed.item.id }, 'item { id }');
    await countAll(server.app);
    const to = new Date(now + MINUTE).toISOString();
    const chart = (client: Client, granularity: string) =>
      client
        .data(
          `query ($id: ID!, $from: DateTime!, $to: DateTime!) { node(id: $id) { ... on Book { activity(granularity: ${granularity}, from: $from, to: $to) { at likes views reads sales } } } }`,
          { id: one, from, to },
        )
        .then((data) => data.node.activity);
    const trending = (args: string) =>
      readers[0]!
        .data(`{ trending(${args}) { edges { likes cursor node { __typename id } } ${PAGE_INFO} } }`)
        .then((data) => data.trending);
    const counts = { likes: 3, views: 1, reads: 1, sales: 1 };
    expect((await chart(readers[0]!, 'MINUTE'))[0]).toEqual({ at: from, ...counts });
    expect((await chart(readers[0]!, 'HOUR'))[0]).toMatchObject(counts);
    expect(await chart(readers[0]!, 'DAY')).toMatchObject([counts]);
    for (const window of ['HOUR', 'DAY', 'WEEK']) {
      const { edges } = await trending(`window: ${window}`);
      expect(edges.map((edge: { likes: number; node: { id: string } }) => [edge.node.id, edge.likes])).toEqual([
        [one, 3],
        [listed.item.id, 3],
        [two, 1],
      ]);
    }
    expect(await readers[0]!.allPages(1, 'forward', (args) => trending(`window: DAY, of: BOOK, ${args}`))).toHaveLength(
      2,
    );
    const [copy] = (await trending('window: DAY, of: ITEM')).edges;
    expect(copy).toMatchObject({ node: { __typename: 'Item' } });
    // A caller who does not see the copy still gets its cursor.
    const { key } = idArgument('id', listed.item.id as string);
    expect(Buffer.from(copy.cursor as string, 'base64url').toString('latin1')).not.toContain(key);
    // Some events are taken back late, and the windows are corrected.
    const before = (await counters())('rollup_corrections_total');
    now += 5 * MINUTE;
    await readers[1]!.unlike(one);
    await readers[1]!.mutate('unmarkAsRead', { bookId: one }, 'book { id }');
    await readers[0]!.unlike(two);
    await countAll(server.app);
    expect((await chart(readers[0]!, 'MINUTE'))[0]).toEqual({ at: from, ...counts, likes: 2, reads: 0 });
    expect((await trending('window: HOUR')).edges.map((edge: { likes: number }) => edge.likes)).toEqual([3, 2]);
    expect((await counters())('rollup_corrections_total')).toBeGreaterThan(before);
    // An hour later the event is no longer in the last hour.
    now += HOUR;
    await countAll(server.app, rollUp(server.app));
    now += 20 * SECOND;
    await rollUp(server.app).run(server.app);
    await rollUp(server.app).run(server.app);
    expect((await trending('window: HOUR')).edges).toEqual([]);
    expect((await trending('window: DAY')).edges).toHaveLength(2);
  });

  test.each([
    ['granularity: HOUR, from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z"', '"from"'],
    ['granularity: MINUTE, from: "2026-02-01T00:00:00Z", to: "2026-02-03T00:00:00Z"', '"from"'],
    ['granularity: DAY, from: "0001-02-01T00:00:00Z", to: "2026-02-03T00:00:00Z"', '"from"'],
  ])('activity(%s) is refused with its name', async (args, argument) => {
    const { errors } = await server.client().send(`{ book(isbn: "9780439023481") { activity(${args}) { at } } }`);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(errors?.[0]?.message).toContain(argument);
  });
});

test('a trending copy is hidden from readers whom its seller blocks; its place is kept', async () => {
  const [seller, reader] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
  const input = { bookId: books[0], price: { amount: '3', currency: 'EUR' }, condition: 'GOOD' };
  const { item } = await seller.mutate('listItem', input, 'item { id }');
  await seller.like(item.id as string);
  await countAll(server.app);
  const trending = async (caller: Client) =>
    (await caller.data('{ trending(window: HOUR, of: ITEM) { edges { likes node { id } } } }')).trending
      .edges as object[];
  expect(await trending(reader)).toEqual([{ likes: 1, node: { id: item.id } }]);
  await seller.mutate('block', { id: reader.viewerId }, 'changed');
  expect(await trending(reader)).toEqual([{ likes: 1, node: null }]);
  expect(await trending(server.client())).toEqual([{ likes: 1, node: { id: item.id } }]);
});

describe('the roll-ups', () => {
  const KINDS = ['LIKE', 'VIEW', 'READ', 'SALE'] as const;

  /** Counts the raw events of every window. */
  async function recount(level: string, length: number): Promise<Map<string, number>> {
    const { rows } = await server.app.cassandra.client.execute('SELECT * FROM events', [], { fetchSize: 50_000 });
    const counts = new Map<string, number>();
    for (const row of rows) {
      const time = Math.floor((row['minute'] as Date).getTime() / length) * length;
      const key = `${level} ${time} ${String(row['shard'])} ${String(row['subject_id'])} ${String(row['kind'])}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  async function stored(table: string, level: string): Promise<Map<string, number>> {
    const { rows } = await server.app.cassandra.client.execute(`SELECT * FROM ${table}`, [], { fetchSize: 50_000 });
    return new Map(
      rows.map((row) => [
        `${level} ${(row['window_start'] as Date).getTime()} ${String(row['shard'])} ${String(row['subject_id'])} ${String(row['kind'])}`,
        row['event_count'] as number,
      ]),
    );
  }

  test('equal a recount, even with late, repeated or retracted events, and servers that die while counting', async () => {
    const anEvent = fc.record({
      kind: fc.constantFrom(...KINDS),
      subject: fc.integer({ min: 0, max: 5 }).map((index) => `Book:978000000000${index}`),
      agoMinutes: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9_000 })),
      id: fc.integer({ min: 0, max: 40 }).map(String),
      happened: fc.boolean(),
    });
    const aStep = fc.oneof(
      { weight: 6, arbitrary: fc.record({ record: fc.array(anEvent, { minLength: 1, maxLength: 12 }) }) },
      { weight: 3, arbitrary: fc.record({ waitSeconds: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 3, arbitrary: fc.record({ dieAfter: fc.integer({ min: 1, max: 12 }) }) },
      { weight: 3, arbitrary: fc.constant({ count: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 25 }), async (steps) => {
        now += 30 * DAY;
        const { client } = server.app.cassandra;
        await emptyTables(
          client,
          'events',
          'dirty_windows',
          'events_by_minute',
          'events_by_hour',
          'events_by_day',
          'activity_by_subject',
        );
        let dieAt = Infinity;
        let points = 0;
        const app: AppContext = {
          ...server.app,
          // A separate process remembers no dirty windows of others.
          cassandra: { ...server.app.cassandra },
          atCrashPoint: () => {
            if (++points >= dieAt) throw new Error('died');
          },
        };
        let counting = new RollUp(randomUUID());
        let version = 0;
        for (const step of steps) {
          if ('record' in step) {
            for (const { agoMinutes, ...event } of step.record) {
              const at = new Date(now - agoMinutes * MINUTE);
              const about: LibraryEvent = { ...event, at, id: `${event.id} ${at.getTime()}`, version: ++version };
              await recordEvent(app, about);
              if (version % 3 === 0) await recordEvent(app, about);
            }
          } else if ('waitSeconds' in step) {
            now += step.waitSeconds * SECOND;
          } else if ('dieAfter' in step) {
            [dieAt, points] = [step.dieAfter, 0];
            await counting.run(app).catch((error: unknown) => {
              expect(String(error)).toContain('died');
              counting = new RollUp(randomUUID());
            });
            dieAt = Infinity;
          } else {
            await counting.run(app);
          }
        }
        await countAll(app, counting);
        for (const [table, level, length] of [
          ['events_by_minute', 'MINUTE', MINUTE],
          ['events_by_hour', 'HOUR', HOUR],
          ['events_by_day', 'DAY', DAY],
        ] as const) {
          const expected = await recount(level, length);
          expect(await stored(table, level)).toEqual(expected);
          // The charts agree; a window without events may have a count of 0.
          const { rows } = await app.cassandra.client.execute('SELECT * FROM activity_by_subject', [], {
            fetchSize: 50_000,
          });
          const charted = new Map<string, number>();
          for (const row of rows) {
            if (row['granularity'] !== level || row['event_count'] === 0) continue;
            const subject = String(row['subject_id']);
            const time = (row['window_start'] as Date).getTime();
            charted.set(
              `${level} ${time} ${eventShardOf(subject)} ${subject} ${String(row['kind'])}`,
              row['event_count'] as number,
            );
          }
          expect(charted).toEqual(expected);
        }
      }),
      { numRuns: runs(12) },
    );
  });

  test('count a reader once a day, however often they report reading a book', async () => {
    const reader = await server.client().registerSomebody();
    const bookId = books[5]!;
    const day = Math.floor(now / DAY) * DAY;
    const moments = [day + 3 * HOUR, day + 2 * HOUR, day + 3 * HOUR + MINUTE, day - 5 * HOUR].map((time) =>
      new Date(time).toISOString(),
    );
    for (const readAt of moments) await reader.mutate('markAsRead', { bookId, readAt }, 'book { id }');
    const chart = async (granularity: string) => {
      const [from, to] = [day - DAY, day + DAY].map((time) => new Date(time).toISOString());
      const { node } = await reader.data(
        `query ($id: ID!) { node(id: $id) { ... on Book { activity(granularity: ${granularity}, from: "${from}", to: "${to}") { at reads } } } }`,
        { id: bookId },
      );
      return node.activity.filter(({ reads }: { reads: number }) => reads > 0) as { at: string; reads: number }[];
    };
    await countAll(server.app);
    expect((await chart('DAY')).map(({ reads }) => reads)).toEqual([1, 1]);
    // The event has the earliest of the day's moments.
    expect(await chart('HOUR')).toEqual([
      { at: moments[3], reads: 1 },
      { at: moments[1], reads: 1 },
    ]);

    await reader.mutate('unmarkAsRead', { bookId }, 'book { id }');
    await countAll(server.app);
    expect(await chart('DAY')).toEqual([]);
  });

  test('repair a chart after a server died between the counts and the charts, even if events were retracted meanwhile', async () => {
    const { client } = server.app.cassandra;
    const charted = async (subject: string) => {
      const query = 'SELECT event_count FROM activity_by_subject WHERE subject_id = ? ALLOW FILTERING';
      return (await client.execute(query, [subject], { prepare: true })).rows.map(
        (row) => row['event_count'] as number,
      );
    };
    const dieAt = async (point: string) => {
      const dying = new RollUp(randomUUID());
      // The former holder is dead.
      await dying.run(server.app);
      now += 11 * SECOND;
      const atCrashPoint = (name: string) => {
        if (name === point) throw new Error('died');
      };
      await expect(dying.run({ ...server.app, atCrashPoint })).rejects.toThrow('died');
    };
    let number = 9_780_000_000_070;
    for (const point of ['counted', 'wrote']) {
      for (const granularity of ['MINUTE', 'HOUR', 'DAY']) {
        const at = new Date(now);
        const of = (subject: string): LibraryEvent => ({
          kind: 'LIKE',
          subject,
          at,
          id: 'x',
          version: 1,
          happened: true,
        });
        const [former, passing] = [of(`Book:${String(number++)}`), of(`Book:${String(number++)}`)];
        await recordEvent(server.app, former);
        await countAll(server.app);
        expect(await charted(former.subject)).toEqual([1, 1, 1]);

        await recordEvent(server.app, { ...former, version: 2, happened: false });
        await recordEvent(server.app, passing);
        await dieAt(`roll-up: ${point} ${granularity}`);
        await recordEvent(server.app, { ...passing, version: 2, happened: false });
        await countAll(server.app);
        expect(await charted(former.subject)).toEqual([0, 0, 0]);
        expect(new Set([0, ...(await charted(passing.subject))])).toEqual(new Set([0]));
      }
    }
  });

  test('are made by one server at a time; when its heartbeat stops, another server takes over, and the first one writes nothing more', async () => {
    const [first, second] = [new RollUp(randomUUID()), new RollUp(randomUUID())];
    const event: LibraryEvent = {
      kind: 'VIEW',
      subject: 'Book:9780000000099',
      at: new Date(now),
      id: 'x',
      version: 1,
      happened: true,
    };
    const minutes = async () => {
      const { rows } = await server.app.cassandra.client.execute(
        "SELECT event_count FROM events_by_minute WHERE subject_id = 'Book:9780000000099' ALLOW FILTERING",
      );
      return rows.map((row) => row['event_count'] as number);
    };
    // The former holder is dead.
    await first.run(server.app);
    now += 11 * SECOND;
    await first.run(server.app);
    await recordEvent(server.app, event);
    await second.run(server.app);
    expect(await minutes()).toEqual([]);
    await first.run(server.app);
    expect(await minutes()).toEqual([1]);
    await recordEvent(server.app, { ...event, id: 'y' });
    now += 11 * SECOND;
    await second.run(server.app);
    now += 11 * SECOND;
    await second.run(server.app);
    expect(await minutes()).toEqual([2]);
    // The first one wakes up: its lease is over.
    await recordEvent(server.app, { ...event, id: 'z' });
    now += 3 * SECOND;
    await first.run(server.app);
    expect(await minutes()).toEqual([2]);
    await second.run(server.app);
    expect(await minutes()).toEqual([3]);
  });

  test('ignore an event more than seven days late, and a metric reports it', async () => {
    const before = (await counters())('events_too_late_total\\{kind="READ"\\}');
    await emptyTables(server.app.cassandra.client, 'dirty_windows');
    const reader = await server.client().registerSomebody();
    await reader.mutate(
      'markAsRead',
      { bookId: books[3], readAt: new Date(now - 8 * DAY).toISOString() },
      'book { id }',
    );
    const left = await server.app.cassandra.client.execute('SELECT record_id FROM dirty_windows');
    expect(left.rowLength).toBe(0);
    expect((await counters())('events_too_late_total\\{kind="READ"\\}')).toBe(before + 1);
  });
});
