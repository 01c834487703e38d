import { beforeAll, expect, test } from 'vitest';
import { rollUpAudit } from '../src/events/audit.ts';
import { eventShardOf, recordEvent } from '../src/events/operations.ts';
import { RollUp } from '../src/events/rollup.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import { countEverything } from './support/counting.ts';
import { some } from './support/full.ts';
import { storedIdOf } from './support/ids.ts';

/** Audits of the counts of events. The roll-up repairs them by counting again. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let server: TestServer;
let now = Date.UTC(2026, 5, 1, 12);
const happened = new Date(now);
let subject: string;
let shard: number;
let counting: RollUp;

beforeAll(async () => {
  server = await startServer(await ownKeyspace(), { clock: () => new Date(now) });
  counting = new RollUp(server.app.randomId());
  await importSample(server.app, 10);
  const books = await bookIds(server);
  for (let index = 0; index < 3; index++) {
    const reader = await server.client().registerSomebody();
    await reader.like(books[0]!);
    await reader.mutate('markAsRead', { bookId: books[0] }, 'book { id }');
    await reader.like(books[1]!);
    await reader.unlike(books[1]!);
  }
  subject = storedIdOf(books[0]!);
  shard = eventShardOf(subject);
  await countAll();
});

const countAll = () => countEverything(server.app, () => (now += 2_000), counting);
const execute = (cql: string, params: unknown[] = []) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });
const windowOf = (length: number) => new Date(Math.floor(happened.getTime() / length) * length);

test('a window that ended a moment ago is not judged', async () => {
  const found = await audited(server.app, [rollUpAudit]);
  expect(found).toMatchObject({ drift: [], rows: expect.any(Number) });
  await execute(
    "UPDATE events_by_minute USING TIMESTAMP 1 SET event_count = 9 WHERE window_start = ? AND shard = ? AND subject_id = 'Book:x' AND kind = 'LIKE'",
    [windowOf(MINUTE), shard],
  );
  expect((await audited(server.app, [rollUpAudit])).drift).toEqual([]);
  await execute(
    'DELETE FROM events_by_minute USING TIMESTAMP 2 WHERE window_start = ? AND shard = ? AND subject_id = ? AND kind = ?',
    [windowOf(MINUTE), shard, 'Book:x', 'LIKE'],
  );
  now += 2 * DAY;
  expect((await audited(server.app, [rollUpAudit])).drift).toEqual([]);
});

const tables = { events_by_minute: MINUTE, events_by_hour: HOUR, events_by_day: DAY };
/** Returns the write timestamp of the counts of a window. */
async function versionOf(table: keyof typeof tables): Promise<bigint> {
  const { rows } = await execute(
    `SELECT WRITETIME(event_count) AS written FROM ${table} WHERE window_start = ? AND shard = ? AND subject_id = ? AND kind = 'LIKE'`,
    [windowOf(tables[table]), shard, subject],
  );
  return BigInt(String(rows[0]!['written']));
}

const plants = (Object.keys(tables) as (keyof typeof tables)[]).flatMap((table) => [
  [
    table,
    'is wrong',
    async () =>
      execute(
        `INSERT INTO ${table} (window_start, shard, subject_id, kind, event_count) VALUES (?, ?, ?, 'LIKE', 99) USING TIMESTAMP ?`,
        [windowOf(tables[table]), shard, subject, (await versionOf(table)) + 1n],
      ),
  ] as const,
  [
    table,
    'lacks',
    async () =>
      execute(
        `DELETE FROM ${table} USING TIMESTAMP ? WHERE window_start = ? AND shard = ? AND subject_id = ? AND kind = 'LIKE'`,
        [await versionOf(table), windowOf(tables[table]), shard, subject],
      ),
  ] as const,
  [
    table,
    'is of something that had no events',
    async () =>
      execute(
        `INSERT INTO ${table} (window_start, shard, subject_id, kind, event_count) VALUES (?, ?, 'Book:x', 'SALE', 1) USING TIMESTAMP ?`,
        [windowOf(tables[table]), shard, (await versionOf(table)) + 1n],
      ),
  ] as const,
]);

// The five of a short test have each table, and each way to be wrong.
test.each(some(plants, 5))('a count in %s that %s is found by name, and counted again', async (table, _what, plant) => {
  await plant();
  const found = await audited(server.app, [rollUpAudit]);
  expect(found.drift.map((each) => each.table)).toContain(table);
  for (const drift of found.drift)
    expect(drift.what).toMatch(/^the count of the (?:minute|hour|day) from 2026-06-01T[\d:.]+Z in shard \d+$/);

  const repaired = await audited(server.app, [rollUpAudit], { repair: true, pause: countAll });
  for (const drift of repaired.drift) expect(drift).toMatchObject({ kind: 'roll-ups', repaired: true });
  expect((await audited(server.app, [rollUpAudit])).drift).toEqual([]);
});

test('counts that are missing because the roll-up is behind are no drift', async () => {
  await recordEvent(server.app, { kind: 'VIEW', subject, at: happened, id: 'a late one', version: 1, happened: true });
  now += 10 * MINUTE;
  expect((await audited(server.app, [rollUpAudit])).drift).toEqual([]);
  await countAll();
  expect((await audited(server.app, [rollUpAudit])).drift).toEqual([]);
});

test('a minute is not counted again if its events have expired or soon will', async () => {
  now += 6 * DAY;
  await execute('DELETE FROM events USING TIMESTAMP 99 WHERE minute = ? AND shard = ?', [windowOf(MINUTE), shard]);
  expect((await audited(server.app, [rollUpAudit])).drift).toEqual([]);
});
