import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { audit, type AuditPosition } from '../src/audit/audit.ts';
import type { AppContext } from '../src/context/context.ts';
import { EVERYTHING, type AuditScope } from '../src/audit/scan.ts';
import { likeAudit } from '../src/likes/audit.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { audited as auditedBy } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import type { Client } from './support/client.ts';
import { some } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

/** The readers who like a book, and those of them who no longer do. */
const [LIKERS, FORMER] = [24, 10];
const AUDIT = join(import.meta.dirname, '../tools/admin/audit.ts');

let environment: Record<string, string | undefined>;
let server: TestServer;
let books: string[];
let readers: Client[];

beforeAll(async () => {
  environment = testEnvironment({ LIKE_SHARD_ROWS_MAX: '7' });
  server = await startServer(await ownKeyspace(environment));
  await importSample(server.app, 10);
  books = await bookIds(server);
  readers = await Promise.all(Array.from({ length: LIKERS }, () => server.client().registerSomebody()));
  for (const reader of readers) await reader.like(books[0]!);
  for (const book of books) await readers[0]!.like(book);
  for (const reader of readers.slice(10, 10 + FORMER)) await reader.unlike(books[0]!);
});

const execute = (cql: string, params: unknown[] = []) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });
const userIdOf = (reader: Client) => keyOf(reader.viewerId);

/** Audits the likes. */
const audited = (scope: AuditScope = EVERYTHING, repair = false) =>
  auditedBy(server.app, [likeAudit], { scope, repair });
const tablesOf = (drift: readonly { table: string }[]) => drift.map(({ table }) => table).sort();

/** Runs `npm run admin -- audit` like an operator. */
const runAudit = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [AUDIT, ...args], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });

test('rows that the server wrote have not drifted, and every row is read, at any division into parts', async () => {
  const whole = await audited();
  expect(whole.drift).toEqual([]);
  // The likes in the source of truth, those of them that are listed for their reader, the likers or
  // former ones, and one row for each shard.
  const likes = LIKERS + books.length - 1;
  expect(whole.rows).toBe(likes + (likes - FORMER) + likes + books.length - 1 + Math.ceil(LIKERS / 7));
  let rows = 0;
  for (let part = 1; part <= 3; part++) rows += (await audited({ part, parts: 3 })).rows;
  expect(rows).toBe(whole.rows);
});

test('rows read for counts and for repeated checks are reported', async () => {
  const readFor = async (app: AppContext = server.app) => {
    let [rowsCompared, rowsRead] = [0, 0];
    for await (const page of audit(app, [likeAudit], EVERYTHING, false)) {
      rowsCompared += page.rows;
      rowsRead += page.rowsRead;
    }
    return rowsRead - rowsCompared;
  };
  // Every like in force is counted.
  const counting = await readFor();
  expect(counting).toBeGreaterThanOrEqual(LIKERS - FORMER + books.length - 1);

  await execute('INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (?, 0, 99) USING TIMESTAMP 1', [
    storedIdOf(books[6]!),
  ]);
  const quick = { ...server.app, cassandra: { ...server.app.cassandra, backOff: () => Promise.resolve() } };
  expect(await readFor(quick)).toBeGreaterThanOrEqual(counting + 8);
  await audited(EVERYTHING, true);
});

test('an audit can continue from any position of another one', async () => {
  const positions: AuditPosition[] = [];
  const rowsBehind: number[] = [];
  for await (const { position, rows } of audit(server.app, [likeAudit], EVERYTHING, false)) {
    positions.push(position);
    rowsBehind.push(rows);
  }
  const total = rowsBehind.reduce((sum, rows) => sum + rows, 0);
  let done = 0;
  for (const [index, position] of positions.entries()) {
    done += rowsBehind[index]!;
    let rest = 0;
    for await (const { rows } of audit(server.app, [likeAudit], EVERYTHING, false, position)) rest += rows;
    expect(
      done + rest,
      JSON.stringify(position, (_key, value: unknown) => String(value)),
    ).toBe(total);
  }
});

describe('drift of every kind is found, reported, and repaired', () => {
  const likedAt = async (reader: Client, book: string) => {
    const { rows } = await execute('SELECT state FROM likes_by_user WHERE user_id = ? AND likeable_id = ?', [
      userIdOf(reader),
      storedIdOf(book),
    ]);
    return rows[0]?.['state'] as { liked_at: Date; shard: number };
  };
  const long = (number: number) => BigInt(number);

  test.each<[string, string[], () => Promise<unknown>]>([
    [
      'a like that is not listed for its reader',
      ['item_by_user'],
      async () => {
        const { liked_at } = await likedAt(readers[1]!, books[0]!);
        const key = [userIdOf(readers[1]!), liked_at.getUTCFullYear(), liked_at, storedIdOf(books[0]!)];
        return execute(
          'DELETE FROM item_by_user USING TIMESTAMP 1 WHERE user_id = ? AND year = ? AND liked_at = ? AND likeable_id = ?',
          key,
        );
      },
    ],
    [
      'a like that is listed for its reader, and was never made',
      ['item_by_user'],
      () =>
        execute(
          'INSERT INTO item_by_user (user_id, year, liked_at, likeable_id, title) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP 1000',
          [userIdOf(readers[2]!), 2020, new Date(Date.UTC(2020, 5)), storedIdOf(books[1]!), 'A title'],
        ),
    ],
    [
      'a former title and other authors in a like',
      // The scans of both tables find it.
      ['item_by_user', 'item_by_user'],
      async () => {
        const { liked_at } = await likedAt(readers[1]!, books[0]!);
        const key = [userIdOf(readers[1]!), liked_at.getUTCFullYear(), liked_at, storedIdOf(books[0]!)];
        return execute(
          'UPDATE item_by_user USING TIMESTAMP 1000 SET title = ?, authors = ? WHERE user_id = ? AND year = ? AND liked_at = ? AND likeable_id = ?',
          ['zzz', ['Nobody'], ...key],
        );
      },
    ],
    [
      'a liker who is not listed',
      ['user_by_item', 'user_by_item'],
      async () => {
        const { liked_at, shard } = await likedAt(readers[3]!, books[0]!);
        return execute(
          'DELETE FROM user_by_item WHERE likeable_id = ? AND shard = ? AND liked = true AND liked_at = ? AND user_id = ? IF EXISTS',
          [storedIdOf(books[0]!), shard, liked_at, userIdOf(readers[3]!)],
        );
      },
    ],
    [
      'a liker who never liked',
      ['user_by_item', 'user_by_item'],
      () =>
        execute(
          `INSERT INTO user_by_item (likeable_id, shard, liked, liked_at, user_id, version, full_name)
           VALUES (?, 0, true, ?, ?, 1, 'Nobody') IF NOT EXISTS`,
          [storedIdOf(books[2]!), new Date(), userIdOf(readers[4]!)],
        ),
    ],
    [
      "a shard's count",
      ['like_counts', 'user_by_item'],
      () =>
        execute('UPDATE user_by_item SET like_count = 99 WHERE likeable_id = ? AND shard = 0 IF like_count > 0', [
          storedIdOf(books[3]!),
        ]),
    ],
    [
      'a published count',
      ['like_counts'],
      () =>
        execute('INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (?, 0, 99) USING TIMESTAMP ?', [
          storedIdOf(books[4]!),
          long(1),
        ]),
    ],
  ])('%s', async (_what, tables, spoil) => {
    await spoil();
    expect(tablesOf((await audited()).drift)).toEqual(tables);
    const repaired = await audited(EVERYTHING, true);
    expect(repaired.drift.length).toBeGreaterThan(0);
    for (const drift of repaired.drift) expect(drift).toMatchObject({ repaired: true });
    expect((await audited()).drift).toEqual([]);
    const { node } = await server
      .client()
      .data(
        `{ node(id: "${books[0]}") { ... on Book { likeCount likeTally { count } likers(first: 100) { edges { cursor } } } } }`,
      );
    expect(node).toMatchObject({ likeCount: LIKERS - FORMER, likeTally: { count: LIKERS - FORMER } });
    expect(node.likers.edges).toHaveLength(LIKERS - FORMER);
  });
});

test('an audit of one reader compares their likes alone, and those of copies without titles', async () => {
  const [one, other] = [readers.at(-1)!, readers.at(-2)!];
  const scopeOf = (reader: Client) => ({ userId: userIdOf(reader), years: [new Date().getUTCFullYear()] });
  const copy = { bookId: books[0], price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
  await one.like((await other.mutate('listItem', copy, 'item { id }')).item.id as string);
  expect((await audited(scopeOf(one))).drift).toEqual([]);

  await execute('DELETE FROM item_by_user USING TIMESTAMP 1 WHERE user_id = ? AND year IN ?', [
    userIdOf(one),
    scopeOf(one).years,
  ]);
  expect((await audited(scopeOf(other))).drift).toEqual([]);
  expect(tablesOf((await audited(scopeOf(one), true)).drift)).toEqual(['item_by_user', 'item_by_user']);
  expect(await audited(scopeOf(one))).toMatchObject({ rows: 4, drift: [] });
});

test('a wrong count is repaired even if its shard changes while it is counted', async () => {
  const book = books[7]!;
  await execute('UPDATE user_by_item SET like_count = 99 WHERE likeable_id = ? AND shard = 0 IF like_count > 0', [
    storedIdOf(book),
  ]);
  let countings = 0;
  const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
    const isCounted = cql.includes('shard_version FROM user_by_item');
    if (isCounted && ++countings === 3) await readers[22]!.like(book);
    return send();
  });
  const drift = [];
  const impatient = { ...cassandra, backOff: () => Promise.resolve() };
  const scope = { likeableId: storedIdOf(book) };
  for await (const page of audit({ ...server.app, cassandra: impatient }, [likeAudit], scope, true))
    drift.push(...page.drift);
  expect(countings).toBeGreaterThan(3);
  // The like has published the wrong count.
  expect(drift).toMatchObject([{ table: 'user_by_item', repaired: true }]);
  expect((await audited(scope)).drift).toEqual([]);
});

test('npm run admin -- audit reports the drift of every table, exits with 1 if there is any, repairs it, and exits with 0', async () => {
  await execute('INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (?, 0, 7) USING TIMESTAMP 1', [
    storedIdOf(books[5]!),
  ]);
  const likeable = ['--likeable', books[5]!];
  const repaired = await runAudit(...likeable, '--repair');
  expect(repaired.code).toBe(1);
  expect(repaired.output).toMatch(/likes {7}rows \d+, drift 1, repaired 1, unreadable 0\n/);
  const clean = await runAudit();
  expect(clean).toMatchObject({ code: 0 });
  expect(clean.output).toMatch(/rows audited: zero drift, unreadable 0, 0 transaction dead letters/);

  const ofReader = await runAudit('--reader', readers[0]!.viewerId);
  expect(ofReader.code).toBe(0);
  expect(ofReader.output).toMatch(/likes {7}rows [1-9]/);
  expect(ofReader.output).not.toContain('readings');
  const nothing = await runAudit('--only', 'readings', '--likeable', books[6]!);
  expect(nothing.output).toContain('--reader and --likeable apply only to likes, ratings; audit readings without them');
  const two = await runAudit('--only', 'sessions,books');
  expect(two.code).toBe(0);
  expect(two.output).toMatch(/sessions {4}rows [1-9].*\n.*books {7}rows [1-9]/);
  expect(two.output).not.toContain('likes ');
  const refused = [
    ['--rate', '0'],
    ['--only', 'likes,nothing'],
    ['--part', '3/2'],
    ['--reader', 'x'],
    ['--only', 'likes,readings', '--reader', readers[0]!.viewerId],
    ['--nonsense'],
  ];
  for (const wrong of some(refused, 2)) {
    expect((await runAudit(...wrong)).code, wrong.join(' ')).toBeGreaterThan(0);
  }
});
