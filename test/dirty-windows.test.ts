import { randomUUID } from 'node:crypto';
import { errors } from 'cassandra-driver';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compareClock } from '../src/trust/trust.worker.ts';
import type { AppContext } from '../src/context/context.ts';
import { eventShardOf, recordEvent, type LibraryEvent } from '../src/events/operations.ts';
import { DirtyWindows } from '../src/events/dirty-windows.ts';
import { RollUp } from '../src/events/rollup.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { emptyTables } from './support/emptying.ts';
import { IS_FULL, runs, some } from './support/full.ts';
import { intercepted, type Sent } from './support/intercept.ts';
import { traced } from './support/tracing.ts';

/**
 * The queue of minutes to be counted: no minute gets lost, delays others, or slows the queue down.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestServer;
let now = Date.UTC(2026, 5, 1, 12);

beforeAll(async () => {
  server = await startServer(await ownKeyspace(), { clock: () => new Date(now) });
});
/** Earlier events are too old to matter, and the former holder of the lease is dead. */
beforeEach(() => {
  now += 30 * 24 * HOUR;
});

/** Makes a separate process on the same tables. */
const anotherApp = (more: Partial<AppContext> = {}): AppContext => ({
  ...server.app,
  cassandra: { ...server.app.cassandra },
  ...more,
});
/** Makes a process whose statements the test intercepts. */
const appThat = (answer: (sent: Sent) => ReturnType<Sent['send']>): AppContext =>
  anotherApp({ cassandra: intercepted(server.app.cassandra, answer) });
const timedOut = () => Promise.reject(new errors.OperationTimedOutError('no answer'));

const execute = async (cql: string) => (await server.app.cassandra.client.execute(cql)).rows;
let subjects = 9_780_000_000_000;
const newSubject = () => `Book:${String(subjects++)}`;
const like = (subject: string, id: string = randomUUID(), at = now): LibraryEvent => ({
  kind: 'LIKE',
  subject,
  at: new Date(at),
  id,
  version: 1,
  happened: true,
});
const countOf = async (subject: string, table = 'events_by_minute') =>
  (await execute(`SELECT event_count FROM ${table} WHERE subject_id = '${subject}' ALLOW FILTERING`)).map(
    (row) => row['event_count'] as number,
  );
const bucketsLeft = async () => (await execute('SELECT DISTINCT bucket, part FROM dirty_windows')).length;
const trends = async () =>
  (await execute("SELECT top FROM trending WHERE last = 'HOUR' AND likeable_type = 'Book'")).flatMap((row) =>
    ((row['top'] ?? []) as { subject_id: string }[]).map(({ subject_id }) => subject_id),
  );

/** Lets a server count every second, or for a longer time every other second in a short test. */
async function countFor(seconds: number, app: AppContext, counting: RollUp): Promise<void> {
  const step = IS_FULL || seconds < 40 ? 1 : 2;
  for (let second = 0; second < seconds; second += step) {
    now += step * SECOND;
    await counting.run(app);
  }
}
/** Returns a counting server that has the lease. */
async function holder(app: AppContext = anotherApp()): Promise<RollUp> {
  const counting = new RollUp(randomUUID());
  for (let second = 0; second < 20; second += 2) {
    now += 2 * SECOND;
    await counting.run(app);
  }
  return counting;
}

describe('a minute that cannot be counted', () => {
  test('delays no other minute, remains dirty, and is retried less and less often until it succeeds', async () => {
    const [unreadable, other] = [newSubject(), newSubject()];
    let isMended = false;
    let tries = 0;
    const app = appThat(({ cql, values, send }) => {
      if (isMended || !/FROM events\s+WHERE minute/.test(cql) || values['shard'] !== eventShardOf(unreadable))
        return send();
      tries++;
      return timedOut();
    });
    const counting = await holder(app);
    await recordEvent(app, like(unreadable));
    await recordEvent(app, like(other));
    await countFor(2, app, counting);
    for (const table of ['events_by_minute', 'events_by_hour', 'events_by_day'])
      expect(await countOf(other, table)).toEqual([1]);
    expect(await trends()).toEqual([other]);
    expect(await countOf(unreadable)).toEqual([]);

    await countFor(90, app, counting);
    // It is counted by Cassandra, then page by page; after that only page by page, after 1 s, 2 s,
    // 4 s …
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(10);
    expect(await bucketsLeft()).toBe(1);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('rollup_windows_failing 1');
    const later = newSubject();
    await recordEvent(app, like(later));
    await countFor(2, app, counting);
    expect(await trends()).toEqual(expect.arrayContaining([other, later]));

    isMended = true;
    await countFor(180, app, counting);
    expect(await countOf(unreadable, 'events_by_day')).toEqual([1]);
    expect(await trends()).toContain(unreadable);
    expect(await bucketsLeft()).toBe(0);
  });

  test('delays no other minute either if its hour cannot be written', async () => {
    const [unwritable, other] = [newSubject(), newSubject()];
    let isMended = false;
    const app = appThat(({ cql, values, send }) => {
      const isOfHour = cql.includes('FROM events_by_hour') && values['shard'] === eventShardOf(unwritable);
      return isOfHour && !isMended ? timedOut() : send();
    });
    const counting = new RollUp(randomUUID());
    await recordEvent(app, like(unwritable));
    await recordEvent(app, like(other));
    await countFor(60, app, counting);
    expect(await countOf(other, 'events_by_day')).toEqual([1]);
    expect(await countOf(unwritable, 'events_by_day')).toEqual([]);
    expect(await trends()).toContain(other);
    isMended = true;
    await countFor(120, app, counting);
    expect(await countOf(unwritable, 'events_by_day')).toEqual([1]);
    expect(await bucketsLeft()).toBe(0);
  });

  test('delays the roll-up if not even its record can be read', async () => {
    const subject = newSubject();
    let isReadable = true;
    const app = appThat(({ cql, send }) => (!isReadable && /FROM dirty_windows\b/.test(cql) ? timedOut() : send()));
    const lag = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return Number(/^rollup_lag_seconds (.*)$/m.exec(metrics)?.[1]);
    };
    const counting = await holder(app);
    await recordEvent(app, like(subject));
    isReadable = false;
    await countFor(60, app, counting);
    expect(await lag()).toBeGreaterThanOrEqual(60);
    expect(await lag()).toBeLessThan(75);

    isReadable = true;
    await countFor(2, app, counting);
    expect(await countOf(subject)).toEqual([1]);
    expect(await lag()).toBe(0);
  });

  test('is counted page by page if Cassandra cannot count it within one statement', async () => {
    // The pages of a count have 5,000 events.
    const count = runs(12_000, 6_000);
    const hot = newSubject();
    const app = appThat(({ cql, send }) => (cql.includes('GROUP BY') ? timedOut() : send()));
    const counting = await holder(app);
    await recordEvent(app, like(hot));
    const minute = new Date(Math.floor(now / MINUTE) * MINUTE);
    const query = "INSERT INTO events (minute, shard, subject_id, kind, event_id, at) VALUES (?, ?, ?, 'LIKE', ?, ?)";
    for (let begin = 0; begin < count - 1; begin += 500) {
      const many = Math.min(500, count - 1 - begin);
      const queries = Array.from({ length: many }, () => ({
        query,
        params: [minute, eventShardOf(hot), hot, randomUUID(), minute],
      }));
      await server.app.cassandra.client.batch(queries, { prepare: true, logged: false });
    }
    await countFor(1, app, counting);
    expect(await countOf(hot)).toEqual([count]);
    expect(await countOf(hot, 'events_by_day')).toEqual([count]);
    await countFor(50, app, counting);
    expect(await bucketsLeft()).toBe(0);
  });
});

describe('the trending list', () => {
  test('is written again unchanged if another server may have written in between', async () => {
    const subject = newSubject();
    const app = appThat(async ({ cql, values, send }) => {
      const result = await send();
      const isEmpty = Array.isArray(values['top']) && values['top'].length === 0;
      return cql.startsWith('INSERT INTO trending ') && isEmpty ? timedOut() : result;
    });
    const counting = await holder(app);
    await recordEvent(app, like(subject, 'a like'));
    await countFor(2, app, counting);
    expect(await trends()).toEqual([subject]);

    await recordEvent(app, { ...like(subject, 'a like'), version: 2, happened: false });
    await countFor(2, app, counting);
    expect(await trends()).toEqual([]);

    await recordEvent(app, { ...like(subject, 'a like'), version: 3 });
    await countFor(60, app, counting);
    expect(await trends()).toEqual([subject]);
    expect(await bucketsLeft()).toBe(0);
  });
});

describe('a window with later events', () => {
  /** Returns the times of the last writes to each chart of a thing. */
  const chartedAt = async (subject: string) => {
    const answer = await execute(
      `SELECT WRITETIME(event_count) AS at FROM activity_by_subject WHERE subject_id = '${subject}' ALLOW FILTERING`,
    );
    return answer.map((row) => String(row['at']).padStart(20, '0'));
  };

  /** Makes two things with an event each in one shard, and a server that has counted them. */
  async function counted() {
    const still = newSubject();
    let busy = newSubject();
    while (eventShardOf(busy) !== eventShardOf(still)) busy = newSubject();
    const failing = { isSo: false };
    const app = appThat(({ cql, send }) =>
      failing.isSo && cql.includes('INTO activity_by_subject') ? timedOut() : send(),
    );
    const counting = await holder(app);
    await recordEvent(app, like(still));
    await recordEvent(app, like(busy));
    await countFor(1, app, counting);
    expect(await countOf(busy, 'activity_by_subject')).toEqual([1, 1, 1]);
    return { app, counting, failing, still, busy };
  }

  test('writes only its changes, and all counts at its last count', async () => {
    const { app, counting, still, busy } = await counted();
    const before = await chartedAt(still);
    await recordEvent(app, like(busy));
    await countFor(2, app, counting);
    for (const table of ['events_by_minute', 'events_by_hour', 'events_by_day']) {
      expect(await countOf(busy, table)).toEqual([2]);
      expect(await countOf(still, table)).toEqual([1]);
    }
    expect(await countOf(busy, 'activity_by_subject')).toEqual([2, 2, 2]);
    expect(await chartedAt(still)).toEqual(before);

    // A chart row is lost. The audit finds it, and asks for another count.
    const year = new Date(Date.UTC(new Date(now).getUTCFullYear(), 0)).toISOString();
    await execute(
      `DELETE FROM activity_by_subject USING TIMESTAMP ${before.toSorted().at(-1) ?? ''} WHERE subject_id = '${still}' AND granularity = 'DAY' AND period = '${year}'`,
    );
    expect(await countOf(still, 'activity_by_subject')).toEqual([1, 1]);
    await countFor(60, app, counting);
    expect(await countOf(still, 'activity_by_subject')).toEqual([1, 1, 1]);
    expect(await bucketsLeft()).toBe(0);
  });

  test('leaves an hour and a day as they are at the last count of another minute, unless they are wrong', async () => {
    const { app, counting, still, busy } = await counted();
    await countFor(60, app, counting);
    const before = await chartedAt(still);

    await recordEvent(app, like(busy));
    await countFor(60, app, counting);
    expect(await chartedAt(still)).toEqual(before);
    expect(await countOf(busy, 'events_by_day')).toEqual([2]);

    // A stored count is lost.
    const [{ written }] = (await execute(
      `SELECT WRITETIME(event_count) AS written FROM events_by_day WHERE subject_id = '${still}' ALLOW FILTERING`,
    )) as unknown as [{ written: bigint }];
    const day = `window_start = '${new Date(now - (now % DAY)).toISOString()}' AND shard = ${eventShardOf(still)}`;
    await execute(
      `DELETE FROM events_by_day USING TIMESTAMP ${String(written)} WHERE ${day} AND subject_id = '${still}'`,
    );
    expect(await countOf(still, 'events_by_day')).toEqual([]);
    await recordEvent(app, like(busy));
    await countFor(60, app, counting);
    expect(await countOf(still, 'events_by_day')).toEqual([1]);
    expect(await chartedAt(still)).not.toEqual(before);
    expect(await bucketsLeft()).toBe(0);
  });

  test('writes everything after a failed write', async () => {
    const { app, counting, failing, still, busy } = await counted();
    const before = await chartedAt(still);
    failing.isSo = true;
    await recordEvent(app, like(busy));
    await countFor(2, app, counting);
    expect(await countOf(busy, 'activity_by_subject')).toEqual([1, 1, 1]);

    failing.isSo = false;
    await countFor(3, app, counting);
    expect(await countOf(busy, 'activity_by_subject')).toEqual([2, 2, 2]);
    expect(await chartedAt(still)).not.toEqual(before);
    await countFor(60, app, counting);
    expect(await bucketsLeft()).toBe(0);
  });
});

describe('buckets', () => {
  test('are read without a tombstone, and only from the cursor on, however many windows were counted', async () => {
    // The bucket is at the beginning of an hour, so that the list of the hour is deleted too.
    now = Math.ceil(now / HOUR) * HOUR - runs(5, 2) * MINUTE;
    const app = anotherApp();
    const counting = await holder(app);
    const windows = async () => {
      for (let count = 0; count < runs(20, 8); count++) {
        now += 14 * SECOND;
        const [minuteAgo, hourAgo] = [now - count * MINUTE, now - HOUR];
        for (const at of [now, minuteAgo, hourAgo]) await recordEvent(app, like(newSubject(), randomUUID(), at));
        await counting.run(app);
      }
      await countFor(40, app, counting);
    };
    await windows();
    await windows();
    expect(await bucketsLeft()).toBe(0);
    expect((await execute('SELECT hour FROM dirty_window_buckets')).length).toBeGreaterThan(0);

    const another = await startServer(server.app.config, { clock: () => new Date(now) });
    const trace = traced(another.app.cassandra.client, /^SELECT.* dirty_window/s);
    // The new holder does not know the data that the other one has read.
    await recordEvent(app, like(newSubject()));
    const next = new RollUp(randomUUID());
    await next.run(another.app);
    now += 11 * SECOND;
    const taken = await trace(() => next.run(another.app));
    expect(taken.map(({ label }) => label)).toEqual([
      'SELECT dirty_windows_swept',
      'SELECT dirty_window_buckets',
      'SELECT dirty_windows',
    ]);
    for (const { tombstonesRead, rowsRead, isScan } of taken)
      expect({ tombstonesRead, isScan, isFew: rowsRead <= 4 }).toEqual({
        tombstonesRead: 0,
        isScan: false,
        isFew: true,
      });

    await countFor(60, another.app, next);
    const idle = await trace(() => next.run(another.app));
    expect(idle).toMatchObject([{ label: 'SELECT dirty_window_buckets', tombstonesRead: 0, rowsRead: 0 }]);
  });

  test('are continued at the cursor by the next holder', async () => {
    const first = anotherApp();
    const counting = await holder(first);
    const [before, after] = [newSubject(), newSubject()];
    await recordEvent(first, like(before));
    await countFor(60, first, counting);
    const cursor = (await execute('SELECT bucket FROM dirty_windows_swept'))[0]?.['bucket'] as Date;
    expect(cursor.getTime()).toBeGreaterThan(now - 70 * SECOND);
    await recordEvent(first, like(after));
    await recordEvent(first, like(before, 'once more'));

    const read: { cql: string; at: number }[] = [];
    const second = appThat(({ cql, values, send }) => {
      const at = values['at_least'] ?? values['bucket'];
      if (cql.startsWith('SELECT') && cql.includes('dirty_window') && at instanceof Date)
        read.push({ cql, at: at.getTime() });
      return send();
    });
    await countFor(60, second, await holder(second));
    expect(await countOf(after)).toEqual([1]);
    expect((await countOf(before)).reduce((sum, count) => sum + count)).toBe(2);
    expect(read.length).toBeGreaterThan(0);
    for (const { at } of read) expect(at).toBeGreaterThanOrEqual(cursor.getTime());
  });

  test.each([-4 * SECOND, 4 * SECOND])(
    "include late records of a server whose clock is off by %i ms, with the roll-up's clock off the other way",
    async (offMs) => {
      const counter = anotherApp({ clock: () => new Date(now - offMs) });
      const counting = await holder(counter);
      // Those of a server that is behind are the late ones.
      for (const heldUp of some(['dirty_windows', 'dirty_window_buckets', 'events'], offMs < 0 ? 3 : 2)) {
        const subject = newSubject();
        const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
        const writer = {
          ...appThat(async ({ cql, send }) => {
            if (cql.startsWith(`INSERT INTO ${heldUp} `)) {
              reached.resolve(undefined);
              await released.promise;
            }
            return send();
          }),
          clock: () => new Date(now + offMs),
        };
        // By the writer's clock the bucket ends now, and the next one begins.
        now = Math.ceil((now + offMs) / (10 * SECOND)) * 10 * SECOND - offMs - 1;
        const recording = recordEvent(writer, like(subject, 'slow', now + offMs));
        await reached.promise;
        await countFor(9, counter, counting);
        now += 950;
        await counting.run(counter);
        released.resolve(undefined);
        await recording;
        await countFor(60, counter, counting);
        expect(await countOf(subject, 'events_by_day'), heldUp).toEqual([1]);
        expect(await bucketsLeft()).toBe(0);
      }
    },
  );
});

test('an event recorded after the clocks were ahead for a while is still counted, and reported', async () => {
  const app = anotherApp();
  const before = newSubject();
  now += HOUR;
  await recordEvent(app, like(before));
  await countFor(60, app, await holder(app));
  expect(await countOf(before)).toEqual([1]);

  now -= HOUR;
  const after = newSubject();
  const behind = anotherApp();
  await recordEvent(behind, like(after));
  // The roll-up begins when the bucket of the event is already closed.
  now += MINUTE;
  await countFor(2, behind, await holder(behind));
  expect(await countOf(after)).toEqual([1]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(Number(/^rollup_swept_ahead_seconds (.+)$/m.exec(metrics)?.[1])).toBeGreaterThan(3_000);
});

test('a minute whose events have expired is not counted again, and its counts are kept', async () => {
  const app = anotherApp();
  const subject = newSubject();
  const minute = new Date(Math.floor(now / MINUTE) * MINUTE);
  await recordEvent(app, like(subject));
  const counting = await holder(app);
  await countFor(60, app, counting);
  expect(await countOf(subject)).toEqual([1]);

  await emptyTables(server.app.cassandra.client, 'events');
  now += 8 * 24 * HOUR;
  await new DirtyWindows().record(app, minute, eventShardOf(subject));
  await countFor(60, app, counting);
  expect(await countOf(subject)).toEqual([1]);
  expect(await bucketsLeft()).toBe(0);
});

test('buckets get nothing from a server whose clock is wrong', async () => {
  let offMs = 0;
  const config = { ...server.app.config, clockSkewMaxMs: 4_000 };
  const { app } = await startServer(config, { clock: () => new Date(Date.now() + offMs) });
  const recorded = async () => (await execute('SELECT bucket FROM dirty_windows')).length;
  expect(await recorded()).toBe(0);
  await compareClock(app);
  offMs = -60_000;
  const event = like(newSubject(), 'x', Date.now());
  await expect(recordEvent(app, event)).rejects.toThrow('clock is wrong');
  expect(await recorded()).toBe(0);
  offMs = 0;
  await recordEvent(app, event);
  expect(await recorded()).toBe(1);
});
