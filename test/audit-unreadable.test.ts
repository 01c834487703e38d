import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { errors, types } from 'cassandra-driver';
import { beforeAll, expect, test } from 'vitest';
import { makeLogger } from '../src/app/logger.ts';
import { CassandraError } from '../src/cassandra/errors.ts';
import type { Cassandra } from '../src/cassandra/statement.ts';
import { auditShare } from '../src/audit/audit.worker.ts';
import { audit, type AuditPosition, type Drift, type Unreadable } from '../src/audit/audit.ts';
import { EVERYTHING, type AuditScope } from '../src/audit/scan.ts';
import { likeAudit } from '../src/likes/audit.ts';
import { groupCommit } from '../src/likes/group-commit.ts';
import { SENTINEL } from '../src/likes/shard-state.ts';
import { impatient, isRoundDone } from './support/audit.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { intercepted } from './support/intercept.ts';

/**
 * Audits beside what Cassandra refuses to read: a page behind more than 100,000 of its tombstones. One partition has so many,
 * three have so many together, and on both sides of them in the ring there is drift.
 */

const AUDIT = join(import.meta.dirname, '../tools/audit.ts');
const TOO_MANY = 100_001;
const TOO_MANY_IN_THREE = 34_000;
const DELETED_AT_ONCE = 2_000;
const DRIFTED = Array.from({ length: 12 }, (_, index) => `Book:goodreads-${index + 1}`);
const UNREADABLE = 'Book:goodreads-100';
const ADDING_UP = [201, 202, 203].map((number) => `Book:goodreads-${number}`);
/** Of the ring, a sixteenth at a time; and tries of one partition that does not answer. */
const SILENT_PAGES_MAX = 16 + 10;

let environment: Record<string, string | undefined>;
let server: TestServer;
let unreadable: Unreadable;
/** A part of the ring without the unreadable partition, and those with drift in it. */
let withoutUnreadable: AuditScope;
let driftedThere: string[];

beforeAll(async () => {
  environment = testEnvironment({ AUDIT_ROWS_PER_SECOND: '1000' });
  server = await startServer(await ownKeyspace(environment));
  const like = { version: 1, likedAt: new Date(), shown: { fullName: 'Nobody', audience: 'EVERYONE' } } as const;
  // Likers that the source of truth does not know.
  for (const likeableId of DRIFTED)
    await groupCommit(server.app).apply(likeableId, 0, { ...like, userId: randomUUID() });
  // A shard that has nothing but likes that were taken back.
  const takenBack = { ...like, userId: randomUUID(), version: 2, shown: undefined };
  for (const likeableId of [UNREADABLE, ...ADDING_UP]) {
    await groupCommit(server.app).apply(likeableId, 0, takenBack);
    await leaveTombstones(likeableId, likeableId === UNREADABLE ? TOO_MANY : TOO_MANY_IN_THREE);
  }

  const tokens = new Map(await Promise.all([...DRIFTED, UNREADABLE].map(tokenOf)));
  const token = tokens.get(UNREADABLE) ?? 0n;
  const before = [...tokens.values()].filter((each) => each < token);
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(DRIFTED.length);
  // One half of the ring, or the other.
  const isSecond = token < 0n;
  withoutUnreadable = { part: isSecond ? 2 : 1, parts: 2 };
  driftedThere = DRIFTED.filter((book) => (tokens.get(book) ?? 0n) >= 0n === isSecond).toSorted();
  expect(driftedThere.length).toBeGreaterThan(0);
  const ring = 'token(likeable_id, shard)';
  unreadable = { kind: 'likes', table: 'user_by_item', partition: `${ring} > ${token - 1n} AND ${ring} <= ${token}` };
});

/** Deletes as many likers of a book, who never were. */
async function leaveTombstones(likeableId: string, count: number): Promise<void> {
  const query =
    'DELETE FROM user_by_item WHERE likeable_id = ? AND shard = 0 AND liked = true AND liked_at = ? AND user_id = ?';
  for (let done = 0; done < count; done += DELETED_AT_ONCE) {
    const deletions = Array.from({ length: Math.min(DELETED_AT_ONCE, count - done) }, (_, index) => ({
      query,
      params: [likeableId, new Date(done + index), SENTINEL.user_id],
    }));
    await server.app.cassandra.client.batch(deletions, { prepare: true, logged: false });
  }
}

async function tokenOf(likeableId: string): Promise<[string, bigint]> {
  const { rows } = await server.app.cassandra.client.execute(
    `SELECT token(likeable_id, shard) AS ring_token FROM user_by_item
     WHERE likeable_id = ? AND shard = 0 AND liked = false AND liked_at = ? AND user_id = ?`,
    [likeableId, SENTINEL.liked_at, SENTINEL.user_id],
    { prepare: true },
  );
  return [likeableId, rows[0]?.['ring_token'] as bigint];
}

/** What an audit finds; with what it finds before it fails, if it does. */
async function audited(scope: AuditScope, cassandra: Cassandra = server.app.cassandra, from?: AuditPosition) {
  const found = { drift: [] as Drift[], unreadable: [] as Unreadable[], failedPages: 0, error: undefined as unknown };
  let position = from;
  try {
    for await (const page of audit(
      { ...server.app, cassandra: impatient(cassandra) },
      [likeAudit],
      scope,
      false,
      from,
    )) {
      found.drift.push(...page.drift);
      found.unreadable.push(...page.unreadable);
      found.failedPages += Number(page.isFailed);
      ({ position } = page);
    }
  } catch (error) {
    found.error = error;
  }
  return { ...found, position };
}
/** The books of which drift tells. */
const booksOf = (drift: readonly { what: string }[]) =>
  drift.map(({ what }) => /Book:[\w-]+/.exec(what)?.[0]).toSorted();

test('an audit tells the one partition that cannot be read, and all drift before and behind it; pages are cut where they add up', async () => {
  const found = await audited(EVERYTHING);
  expect(found.unreadable).toEqual([unreadable]);
  expect(booksOf(found.drift)).toEqual(DRIFTED.toSorted());
  expect(found.error).toBeUndefined();
});

test('an audit of the one likeable tells it as well', async () => {
  const found = await audited({ likeableId: UNREADABLE });
  const partition = `likeable_id = ${UNREADABLE} AND shard = 0`;
  expect(new Set(found.unreadable.map((each) => each.partition))).toEqual(new Set([partition]));
});

/** The cluster, of which the scan of the likers is answered with an error; `undefined`: as it is. */
const failing = (error: () => Error | undefined): Cassandra =>
  intercepted(server.app.cassandra, ({ cql, send }) => {
    const isScan = cql.includes('ring_token') && cql.includes('FROM user_by_item');
    const thrown = isScan ? error() : undefined;
    return thrown ? Promise.reject(thrown) : send();
  });
const silence = () => new errors.OperationTimedOutError('no answer');

test('nodes that are away, or do not answer, or fail to read anything, are no unreadable partition: an audit ends, and goes on there', async () => {
  const { unavailableException, readFailure } = types.responseErrorCodes;
  for (const error of [
    () => new errors.ResponseError(unavailableException, 'away'),
    silence,
    () => new errors.ResponseError(readFailure, 'broken'),
  ]) {
    let left = Infinity;
    const troubled = failing(() => (left-- > 0 ? error() : undefined));
    let found = await audited(withoutUnreadable, troubled);
    // For some rounds more.
    for (left = 3; left > 0;) {
      expect(found).toMatchObject({ drift: [], unreadable: [], error: expect.any(CassandraError) });
      found = await audited(withoutUnreadable, troubled, found.position);
    }
    if (found.error) found = await audited(withoutUnreadable, troubled, found.position);
    expect(found).toMatchObject({ unreadable: [], error: undefined });
    expect(booksOf(found.drift)).toEqual(driftedThere);
  }
});

test('a partition that never answers, while others do, is reported and skipped', async () => {
  const { client } = server.app.cassandra;
  const token = BigInt(/<= (-?\d+)/.exec(unreadable.partition)?.[1] ?? '');
  let silences = 0;
  const silent = Object.assign(Object.create(client) as typeof client, {
    execute: (cql: string, values: { above: bigint; up_to: bigint }, options: object) => {
      const isScan = cql.includes('ring_token') && cql.includes('FROM user_by_item');
      if (!isScan || token <= values.above || token > values.up_to) return client.execute(cql, values, options);
      silences++;
      return Promise.reject(silence());
    },
  });
  const found = await audited(EVERYTHING, { ...server.app.cassandra, client: silent });
  expect(found).toMatchObject({ unreadable: [unreadable], error: undefined });
  expect(booksOf(found.drift)).toEqual(DRIFTED.toSorted());
  expect(silences).toBeLessThanOrEqual(SILENT_PAGES_MAX);
});

test('npm run audit ends with 1 and names it', async () => {
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      [AUDIT, '--likeable', Buffer.from(UNREADABLE).toString('base64url')],
      { env: environment },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
  expect(code).toBe(1);
  expect(output).toContain(`likes: user_by_item: unreadable, skipped: likeable_id = ${UNREADABLE} AND shard = 0`);
  expect(output).toMatch(/rows audited: zero drift, unreadable [1-9]/);
});

test("the servers' audit passes it by, says so in log and metrics, and repairs what is behind it", async () => {
  const said: object[] = [];
  const logger = Object.assign(makeLogger('silent'), { error: (what: object) => said.push(what) });
  const app = { ...server.app, logger, cassandra: impatient(server.app.cassandra) };
  for (let runs = 0; !(await isRoundDone(app, [likeAudit])); runs++) {
    expect(runs).toBeLessThan(500);
    await auditShare(app).run(app, [likeAudit]);
  }
  expect(said).toContainEqual(unreadable);
  expect(said.filter((each) => 'repaired' in each)).toHaveLength(DRIFTED.length);
  expect((await audited(EVERYTHING)).drift).toEqual([]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/audit_unreadable_total\{kind="likes",table="user_by_item"\} 1\n/);
});
