import { randomUUID } from 'node:crypto';
import { errors } from 'cassandra-driver';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UNCOUNTED } from '../src/likes/aggregate.ts';
import { startWorkers } from '../src/app/workers.ts';
import { CassandraError } from '../src/cassandra/errors.ts';
import type { AppContext } from '../src/context/context.ts';
import { UserError } from '../src/graphql/errors.ts';
import { likeStates, type LikeState } from '../src/likes/tables.ts';
import { aggregate, isTombstone } from '../src/aggregates/aggregate.ts';
import {
  findDeadLetters,
  LOG_SHARDS,
  transact,
  type TransactionKind,
  type TransactionKinds,
} from '../src/transactions/operations.ts';
import { recoverTransactions, retryDeadLetters } from '../src/transactions/recovery.worker.ts';
import { startServer, ownKeyspace } from './support/app.ts';
import { intercepted } from './support/intercept.ts';

/** The transaction log by itself: what is orphaned is finished, what cannot be finished becomes a dead letter and is told. */

let app: AppContext;
let sweptAtStart: number;

beforeAll(async () => {
  ({ app } = await startServer(await ownKeyspace()));
  const stopWorkers = await startWorkers(app);
  sweptAtStart = (await execute('SELECT shard FROM transaction_log_swept')).rowLength;
  await stopWorkers();
});

const execute = (cql: string, params: unknown[] = []) => app.cassandra.client.execute(cql, params, { prepare: true });
const logged = async () => (await execute('SELECT * FROM transaction_log')).rows;
const deadLetters = async () => {
  const found = [];
  for await (const each of findDeadLetters(app)) found.push(each);
  return found;
};

/** An entry that a process orphaned some seconds ago. */
async function leaveBehind(kind: string, payload: string, secondsAgo = 10): Promise<void> {
  const begun = new Date(Date.now() - secondsAgo * 1_000);
  const bucket = new Date(Math.floor(begun.getTime() / 10_000) * 10_000);
  await execute(
    'INSERT INTO transaction_log (bucket, shard, transaction_id, kind, payload, begun_at) VALUES (?, 0, ?, ?, ?, ?)',
    [bucket, randomUUID(), kind, payload, begun],
  );
}

const kindsOf = (...kinds: TransactionKind<{ number: number }>[]) => kinds as unknown as TransactionKinds;
const counting = (recovered: number[], fails?: Error): TransactionKind<{ number: number }> => ({
  name: 'counting',
  payload: z.strictObject({ number: z.int() }),
  recover: ({}, { number }) => {
    if (fails) return Promise.reject(fails);
    recovered.push(number);
    return Promise.resolve();
  },
});

test('a server has looked at the whole log before it answers: from then on it is known where to look', () => {
  expect(sweptAtStart).toBe(LOG_SHARDS);
});

test('what was orphaned is finished by each process that looks, and then no more', async () => {
  await leaveBehind('counting', '{"number":1}');
  await leaveBehind('counting', '{"number":2}', 0);
  const recovered: number[] = [];
  await recoverTransactions(app, kindsOf(counting(recovered)));
  // The second one is too young to have been orphaned.
  expect(recovered).toEqual([1]);
  expect(await logged()).toHaveLength(1);
  await execute('TRUNCATE transaction_log');
});

describe('what cannot be finished becomes a dead letter with its reason, and never dropped', () => {
  test.each<[string, string, string, RegExp]>([
    ['of a kind that this server does not know', 'newer', '{}', /knows no transaction of the kind newer/],
    ['with a payload that is no JSON', 'counting', '{"number":', /SyntaxError/],
    ['with a payload of another shape', 'counting', '{"number":"one"}', /ZodError[\s\S]*number/],
  ])('%s', async (_what, kind, payload, reason) => {
    await leaveBehind(kind, payload);
    await recoverTransactions(app, kindsOf(counting([])));
    expect(await logged()).toEqual([]);
    const [found, ...more] = await deadLetters();
    expect(more).toEqual([]);
    expect(found).toMatchObject({ kind, payload });
    expect(found?.reason).toMatch(reason);
    await execute('TRUNCATE transaction_dead_letters');
  });

  test('and is finished once a server knows how', async () => {
    await leaveBehind('counting', '{"number":7}');
    await recoverTransactions(app, kindsOf(counting([], new Error('a mistake'))));
    expect(await deadLetters()).toMatchObject([{ reason: 'Error: a mistake' }]);
    await retryDeadLetters(app, kindsOf(counting([], new Error('still a mistake'))));
    expect(await deadLetters()).toHaveLength(1);
    const recovered: number[] = [];
    await retryDeadLetters(app, kindsOf(counting(recovered)));
    expect(recovered).toEqual([7]);
    expect(await deadLetters()).toEqual([]);
  });

  test('and stays in the log until it is among the dead letters', async () => {
    await leaveBehind('newer', '{}');
    const refusing = intercepted(app.cassandra, ({ cql, send }) =>
      cql.startsWith('INSERT INTO transaction_dead_letters')
        ? Promise.reject(new errors.BusyConnectionError('127.0.0.1', 1, 1))
        : send(),
    );
    await recoverTransactions({ ...app, cassandra: refusing }, []);
    expect(await deadLetters()).toEqual([]);
    expect(await logged()).toHaveLength(1);
    await recoverTransactions(app, []);
    expect(await deadLetters()).toHaveLength(1);
    expect(await logged()).toEqual([]);
    await execute('TRUNCATE transaction_dead_letters');
  });

  test('but stays in the log, with an alarm after a minute, when only Cassandra keeps it from being finished', async () => {
    await leaveBehind('counting', '{"number":8}', 90);
    await execute('TRUNCATE transaction_log_swept');
    const earlier = { ...app, clock: () => new Date(Date.now() - 90_000) };
    await recoverTransactions(earlier, []);
    const alarms: unknown[] = [];
    const logger = { ...silent, fatal: (...told: unknown[]) => alarms.push(told) } as unknown as AppContext['logger'];
    const unavailable = new CassandraError('refused', 'no capacity', undefined);
    await recoverTransactions({ ...app, logger }, kindsOf(counting([], unavailable)));
    expect(await logged()).toHaveLength(1);
    expect(await deadLetters()).toEqual([]);
    expect(JSON.stringify(alarms)).toMatch(/unfinished for more than a minute/);
    // Its bucket has been closed for long, but is not empty.
    const recovered: number[] = [];
    await recoverTransactions(app, kindsOf(counting(recovered)));
    expect(recovered).toEqual([8]);
    expect(await logged()).toEqual([]);
  });
});

test('an entry that took too long to be written is written anew: it must not come into a bucket that is closed', async () => {
  const begun = Date.now();
  let readings = 0;
  // The process was stopped for a minute between reading its clock and writing the entry.
  const clock = () => new Date(readings++ === 0 ? begun : begun + 60_000);
  await transact({ ...app, clock }, counting([]), { number: 1 }, async () => {
    const buckets = (await logged()).map((row) => (row['bucket'] as Date).getTime());
    expect(buckets).toHaveLength(2);
    expect(Math.max(...buckets)).toBeGreaterThan(begun + 45_000);
  });
  expect(await logged()).toEqual([]);
});

test('an entry is found however late it comes into its bucket, as long as that is not closed', async () => {
  const now = Math.floor(Date.now() / 10_000) * 10_000 + 5_000;
  const at = { ...app, clock: () => new Date(now) };
  await recoverTransactions(at, []);
  // Its server's clock is 9 s behind, its bucket began 9 s before that, and writing it took 9 s.
  await leaveBehind('counting', '{"number":3}', (Date.now() - now) / 1_000 + 28);
  const recovered: number[] = [];
  await recoverTransactions(at, kindsOf(counting(recovered)));
  expect(recovered).toEqual([3]);
  expect(await logged()).toEqual([]);
});

describe('after the entry is written', () => {
  test('a failure is of unknown outcome, also where Cassandra refused a statement, and the entry stays', async () => {
    const refused = new CassandraError('refused', 'no capacity', undefined);
    const work = transact(app, counting([]), { number: 1 }, () => Promise.reject(refused));
    await expect(work).rejects.toMatchObject({ name: 'CassandraError', outcome: 'unknown', cause: refused });
    expect(await logged()).toHaveLength(1);
    await execute('TRUNCATE transaction_log');
  });

  test.each([[1], [2]])('a UserError means that nothing was done: none of %i entries stays', async (entries) => {
    const refused = new UserError('NOT_FOUND', 'No.', ['input']);
    const work = transact(app, counting([]), { number: 1 }, async ({ logAgain }) => {
      if (entries === 2) await logAgain();
      expect(await logged()).toHaveLength(entries);
      throw refused;
    });
    await expect(work).rejects.toBe(refused);
    expect(await logged()).toEqual([]);
  });

  test('what of it turns out to be nothing to finish is no dead letter', async () => {
    await leaveBehind('counting', '{"number":4}');
    await recoverTransactions(app, kindsOf(counting([], new UserError('NOT_FOUND', 'No.', ['input']))));
    expect(await logged()).toEqual([]);
    expect(await deadLetters()).toEqual([]);
  });
});

describe('who is slow while recovery and an erasure pass decides nothing that the log does not have', () => {
  const likeKey = z.strictObject({ user_id: z.uuid(), likeable_id: z.string() });
  const newLikeKey = (): z.output<typeof likeKey> => ({ user_id: randomUUID(), likeable_id: 'Book:9780439023481' });
  let entriesWhenProjected: number[] = [];
  const testLikes = aggregate({
    name: 'test like',
    key: likeKey,
    table: likeStates,
    rowKey: (of) => of,
    tombstone: { liked: false, liked_at: null, shard: 0, ...UNCOUNTED },
    owner: () => Promise.resolve({}),
    projections: () => [
      {
        list: async () => {
          entriesWhenProjected.push((await logged()).length);
        },
      },
    ],
  });
  const liked = (state: LikeState | undefined, at: Date) =>
    state?.liked ? undefined : { liked: true, liked_at: at, shard: 0, ...UNCOUNTED };

  test.each([
    ['nothing was decided', false],
    ['something was decided', true],
  ])('where %s before', async (_what, isDecided) => {
    const of = newLikeKey();
    if (isDecided) await testLikes.change(app, of, undefined, liked);
    entriesWhenProjected = [];
    let isFirst = true;
    const take = async () => {
      if (!isFirst) return;
      isFirst = false;
      await testLikes.transaction.recover(app, of, (_name, work) => work());
      await testLikes.forget(app, of);
      await execute('TRUNCATE transaction_log');
      entriesWhenProjected = [];
    };
    const slow = { name: 'slow', take, release: () => Promise.resolve() };
    await testLikes.change(app, of, undefined, liked, slow);
    expect(entriesWhenProjected).toEqual([1]);
    const { rows } = await execute('SELECT state, TTL(state) FROM likes_by_user WHERE user_id = ?', [of.user_id]);
    expect(rows).toMatchObject([{ state: { liked: true }, 'ttl(state)': null }]);
    await execute('TRUNCATE transaction_log');
  });

  test('by a tombstone that goes by itself', async () => {
    const of = newLikeKey();
    await testLikes.change(app, of, undefined, liked);
    await testLikes.forget(app, of);
    const state = await testLikes.read(app, of);
    expect(state && isTombstone(state)).toBe(true);
    await testLikes.forget(app, of);
    expect(await testLikes.read(app, of)).toEqual(state);
    const { rows } = await execute('SELECT TTL(state) FROM likes_by_user WHERE user_id = ?', [of.user_id]);
    expect(rows[0]?.['ttl(state)']).toBeLessThanOrEqual(86_400);
    // No more than its state: an inserted row would be left without it.
    await execute('DELETE state FROM likes_by_user WHERE user_id = ? AND likeable_id = ?', [
      of.user_id,
      of.likeable_id,
    ]);
    expect(await testLikes.read(app, of)).toBeUndefined();
  });
});

const silent = { info: () => undefined, error: () => undefined };
