import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { announce, keptUntilChanged, readChanges } from '../src/changes/operations.ts';
import type { Config } from '../src/config/config.ts';
import type { AppContext } from '../src/context/context.ts';
import { appContext } from '../src/app/app-context.ts';
import { makeLogger } from '../src/app/logger.ts';
import { connectCassandra } from '../src/cassandra/client.ts';
import { sharedKeyspace } from './support/app.ts';
import { runs } from './support/full.ts';
import { intercepted } from './support/intercept.ts';
import type { Cassandra } from '../src/cassandra/statement.ts';

/**
 * The list of changes in Cassandra, followed by a cache, with the maximum difference of clocks
 * between servers.
 */

const SHOWN_MS = 1_000;
const SKEW_MS = 4_000;
/** The time between two reads of the list. */
const PERIOD_MS = 500;
/** A time after which nothing is cached any more. */
const LONG_MS = 11 * 60_000;

let config: Config;
let cassandra: Cassandra;

beforeAll(async () => {
  config = await sharedKeyspace({ SHOWN_AGE_MAX_MS: String(SHOWN_MS), CLOCK_SKEW_MAX_MS: String(SKEW_MS) });
  cassandra = await connectCassandra(config.cassandra);
  return () => cassandra.client.shutdown();
});

/** Makes servers whose clocks differ from the time of the test. */
function serversAt(time: { now: number }, connection = cassandra) {
  // Each run is years away from all others, so that it reads only its own announcements.
  const epoch = Date.UTC(1980, 0) + Math.floor(Math.random() * 40 * 365) * 86_400_000;
  return (skew: number): AppContext =>
    appContext({
      config,
      // Each context is a separate process.
      cassandra: { ...connection },
      logger: makeLogger('fatal'),
      clock: () => new Date(epoch + time.now + skew),
      monotonicNow: () => time.now,
    });
}

/** A cache of numbers that counts how often each key was changed and how often it read the key. */
function cacheOf(app: AppContext, truth: ReadonlyMap<string, number>) {
  let reads = 0;
  const kept = keptUntilChanged(app, 'BOOK', { bytesMax: 1_000_000 }, (key) => {
    reads++;
    return Promise.resolve({ row: { value: truth.get(key) ?? 0 }, size: { rows: 1, bytes: 10 } });
  });
  const look = async (key: string) => (await (kept.kept(key) ?? kept.read(key))).row?.value;
  return { look, reads: () => reads };
}

describe('a kept row', () => {
  test('is not read again while it is unchanged, and read again once it is changed', async () => {
    const time = { now: 1_000_000 };
    const serverAt = serversAt(time);
    const [reader, writer] = [serverAt(0), serverAt(0)];
    const [changed, unchanged] = [randomUUID(), randomUUID()];
    const truth = new Map<string, number>();
    const { look, reads } = cacheOf(reader, truth);
    const run = async (milliseconds: number) => {
      for (let waited = 0; waited < milliseconds; waited += PERIOD_MS) {
        time.now += PERIOD_MS;
        await readChanges(reader);
      }
    };

    await run(PERIOD_MS);
    await Promise.all([look(changed), look(unchanged)]);
    await run(60_000);
    expect([await look(changed), await look(unchanged), reads()]).toEqual([0, 0, 2]);

    await announce(writer, [{ kind: 'BOOK', key: changed }]);
    truth.set(changed, 1);
    await run(SHOWN_MS + PERIOD_MS);
    expect([await look(changed), await look(unchanged), reads()]).toEqual([1, 0, 3]);
  });

  test('is never kept longer than the maximum time for rows', async () => {
    const time = { now: 1_000_000 };
    const reader = serversAt(time)(0);
    const key = randomUUID();
    const { look, reads } = cacheOf(reader, new Map());
    await readChanges(reader);
    for (let waited = 0; waited <= LONG_MS; waited += PERIOD_MS) {
      time.now += PERIOD_MS;
      await readChanges(reader);
      await look(key);
    }
    expect(reads()).toBe(3);
  });

  test.each([
    ['cannot be read', (cql: string) => cql.includes('changes_by_time')],
    ['cannot be read before anything was', () => true],
  ])('is a second old at most while the list of changes %s', async (_when, fails) => {
    const time = { now: 1_000_000 };
    let isGone = false;
    const connection = intercepted(cassandra, (sent) =>
      isGone && fails(sent.cql) ? Promise.reject(new Error('Cassandra is gone')) : sent.send(),
    );
    const reader = serversAt(time, connection)(0);
    const { look, reads } = cacheOf(reader, new Map());
    await readChanges(reader);
    await look('a key');
    isGone = true;
    time.now += SHOWN_MS + 1;
    await expect(readChanges(reader)).rejects.toThrow('gone');
    await look('a key');
    expect(reads()).toBe(2);

    // Announcements from that time may no longer be in the part of the list that is read.
    isGone = false;
    time.now += 10 * SHOWN_MS;
    await readChanges(reader);
    await look('a key');
    expect(reads()).toBe(3);
  });

  test('is dropped with all others of its kind if too many change at once', async () => {
    const time = { now: 1_000_000 };
    const serverAt = serversAt(time);
    const [reader, writer] = [serverAt(0), serverAt(0)];
    const { look, reads } = cacheOf(reader, new Map());
    await readChanges(reader);
    await look('a key');
    const many = Array.from({ length: 2_000 }, () => ({ kind: 'BOOK' as const, key: randomUUID() }));
    for (let from = 0; from < many.length; from += 500) await announce(writer, many.slice(from, from + 500));
    time.now += SHOWN_MS + 1;
    await readChanges(reader);
    await look('a key');
    expect(reads()).toBe(2);
  });
});

const key = fc.constantFrom('one', 'two');
const step = fc.oneof(
  // A step reads a key four times a second.
  { weight: 3, arbitrary: fc.record({ does: fc.constant('watch' as const), key, milliseconds: fc.nat(25_000) }) },
  // The change happens some time after its announcement, because a conditional write may take a
  // long time.
  { weight: 2, arbitrary: fc.record({ does: fc.constant('change' as const), key, after: fc.nat(15_000) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), milliseconds: fc.nat(40_000) }) },
);

test('nothing is shown that was changed more than a second ago, whatever the clocks show and however long a read of the list takes', async () => {
  const skew = fc.oneof(fc.constantFrom(-SKEW_MS, SKEW_MS), fc.integer({ min: -SKEW_MS, max: SKEW_MS }));
  const given = fc.record({
    reader: skew,
    writer: skew,
    steps: fc.array(step, { minLength: 4, maxLength: 16 }),
    /** The worker of the list stalls from time to time. */
    stalls: fc.array(fc.nat(9_000), { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ reader: readerSkew, writer: writerSkew, steps, stalls }) => {
      const time = { now: 1_000_000 };
      const serverAt = serversAt(time);
      const [reader, writer] = [serverAt(readerSkew), serverAt(writerSkew)];
      const truth = new Map<string, number>();
      const changes: { key: string; value: number; at: number }[] = [];
      const pending: { key: string; at: number }[] = [];
      const { look } = cacheOf(reader, truth);
      const stall = stalls.values();
      let nextRead = time.now;
      const goTo = async (end: number) => {
        for (;;) {
          pending.sort((one, other) => one.at - other.at);
          const change = pending[0];
          const next = Math.min(end, nextRead, change?.at ?? Infinity);
          time.now = next;
          if (change?.at === next) {
            pending.shift();
            const value = (truth.get(change.key) ?? 0) + 1;
            truth.set(change.key, value);
            changes.push({ key: change.key, value, at: next });
          } else if (nextRead === next) {
            await readChanges(reader);
            nextRead = next + PERIOD_MS + (stall.next().value ?? 0);
          } else return;
        }
      };
      const requireCurrent = async (key: string) => {
        const known = changes.filter((change) => change.key === key && change.at < time.now - SHOWN_MS);
        expect(await look(key)).toBeGreaterThanOrEqual(known.at(-1)?.value ?? 0);
      };
      for (const each of steps) {
        if (each.does === 'wait') await goTo(time.now + each.milliseconds);
        else if (each.does === 'change') {
          await announce(writer, [{ kind: 'BOOK', key: each.key }]);
          pending.push({ key: each.key, at: time.now + each.after });
        } else
          for (const end = time.now + each.milliseconds; time.now < end;) {
            await requireCurrent(each.key);
            await goTo(time.now + PERIOD_MS / 2);
          }
      }
    }),
    { numRuns: runs(60) },
  );
});
