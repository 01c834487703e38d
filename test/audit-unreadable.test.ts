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
import { groupCommit } from '../src/member-sets/group-commit.ts';
import { SENTINEL } from '../src/member-sets/shard.ts';
import { impatient, isRoundDone } from './support/audit.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { IS_FULL } from './support/full.ts';
import { intercepted } from './support/intercept.ts';

/**
 * Audits of tables that Cassandra partly refuses to read: a page that has to skip more than 100,000
 * tombstones. One partition has that many, three others have that many together, and rows on both
 * sides of them have drifted.
 */

const AUDIT = join(import.meta.dirname, '../tools/admin/audit.ts');
const TOO_MANY = 100_001;
const TOO_MANY_IN_THREE = 34_000;
const DELETED_AT_ONCE = 2_000;
const DRIFTED = Array.from({ length: 12 }, (_, index) => `Book:goodreads-${index + 1}`);
const UNREADABLE = 'Book:goodreads-100';
/** Three shards with too many tombstones together. A short test has only the one with as many. */
const ADDING_UP = IS_FULL ? [201, 202, 203].map((number) => `Book:goodreads-${number}`) : [];
/** The sixteenths of the ring, and the attempts to read a partition that does not answer. */
const SILENT_PAGES_MAX = 16 + 10;

let environment: Record<string, string | undefined>;
let server: TestServer;
let unreadable: Unreadable;
/** A part of the ring without the unreadable partition, and the drifted books in it. */
let withoutUnreadable: AuditScope;
let driftedThere: string[];

beforeAll(async () => {
  environment = testEnvironment({ AUDIT_ROWS_PER_SECOND: '1000' });
  server = await startServer(await ownKeyspace(environment));
  const like = { version: 1, likedAt: new Date(), shown: { fullName: 'Nobody', audience: 'EVERYONE' } } as const;
  // These likers are unknown to the source of truth.
  for (const likeableId of DRIFTED)
    await groupCommit(server.app).apply(likeableId, 0, { ...like, userId: randomUUID() });
  // These shards contain only likes that were taken back.
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
  // The part is the half of the ring without the unreadable partition.
  const isSecond = token < 0n;
  withoutUnreadable = { part: isSecond ? 2 : 1, parts: 2 };
  driftedThere = DRIFTED.filter((book) => (tokens.get(book) ?? 0n) >= 0n === isSecond).toSorted();
  expect(driftedThere.length).toBeGreaterThan(0);
  const ring = 'token(likeable_id, shard)';
  unreadable = { kind: 'likes', table: 'user_by_item', partition: `${ring} > ${token - 1n} AND ${ring} <= ${token}` };
});

/** Leaves tombstones in a shard: those of three columns of each liker, who never existed. */
async function leaveTombstones(likeableId: string, count: number): Promise<void> {
  const query = `DELETE version, full_name, audience FROM user_by_item
     WHERE likeable_id = ? AND shard = 0 AND liked = true AND liked_at = ? AND user_id = ?`;
  const likers = Math.ceil(count / 3);
  for (let done = 0; done < likers; done += DELETED_AT_ONCE) {
    const deletions = Array.from({ length: Math.min(DELETED_AT_ONCE, likers - done) }, (_, index) => ({
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

/** Runs an audit, and returns its findings, including those from before it fails. */
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
/** Returns the books that have drifted. */
const booksOf = (drift: readonly { what: string }[]) =>
  drift.map(({ what }) => /Book:[\w-]+/.exec(what)?.[0]).toSorted();

test('an audit reports the one unreadable partition and all drift on both sides, and splits pages with too many tombstones', async () => {
  const found = await audited(EVERYTHING);
  expect(found.unreadable).toEqual([unreadable]);
  expect(booksOf(found.drift)).toEqual(DRIFTED.toSorted());
  expect(found.error).toBeUndefined();
});

test('an audit of the one likeable reports it as well', async () => {
  const found = await audited({ likeableId: UNREADABLE });
  const partition = `likeable_id = ${UNREADABLE} AND shard = 0`;
  expect(new Set(found.unreadable.map((each) => each.partition))).toEqual(new Set([partition]));
});

/**
 * Makes a connection on which scans of the likers fail with an error; `undefined` lets them
 * through.
 */
const failing = (error: () => Error | undefined): Cassandra =>
  intercepted(server.app.cassandra, ({ cql, send }) => {
    const isScan = cql.includes('ring_token') && cql.includes('FROM user_by_item');
    const thrown = isScan ? error() : undefined;
    return thrown ? Promise.reject(thrown) : send();
  });
const silence = () => new errors.OperationTimedOutError('no answer');

test('an audit ends when nodes are down, silent or broken, reports no unreadable partition, and can continue from there', async () => {
  const { unavailableException, readFailure } = types.responseErrorCodes;
  for (const error of [
    () => new errors.ResponseError(unavailableException, 'away'),
    silence,
    () => new errors.ResponseError(readFailure, 'broken'),
  ]) {
    let left = Infinity;
    const troubled = failing(() => (left-- > 0 ? error() : undefined));
    let found = await audited(withoutUnreadable, troubled);
    // The error persists for some more rounds.
    for (left = 3; left > 0;) {
      expect(found).toMatchObject({ drift: [], unreadable: [], error: expect.any(CassandraError) });
      found = await audited(withoutUnreadable, troubled, found.position);
    }
    if (found.error) found = await audited(withoutUnreadable, troubled, found.position);
    expect(found).toMatchObject({ unreadable: [], error: undefined });
    expect(booksOf(found.drift)).toEqual(driftedThere);
  }
});

test('a partition that never answers while others do is reported and skipped', async () => {
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

test('npm run admin -- audit exits with 1 and names it', async () => {
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

test("the servers' audit skips it, reports it in log and metrics, and repairs the drift behind it", async () => {
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
