import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aggregate } from '../src/aggregates/aggregate.ts';
import { isTombstone } from '../src/aggregates/state.ts';
import type { AppContext } from '../src/context/context.ts';
import { UNCOUNTED } from '../src/likes/aggregate.ts';
import { likeStates, type LikeState } from '../src/likes/tables.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { ownKeyspace, startServer } from './support/app.ts';
import { emptyTables } from './support/emptying.ts';

/** Changes of a process that is paused while recovery and an erasure run. */

let app: AppContext;

beforeAll(async () => {
  ({ app } = await startServer(await ownKeyspace()));
});

const execute = (cql: string, params: unknown[] = []) => app.cassandra.client.execute(cql, params, { prepare: true });
const logged = async () => (await execute('SELECT * FROM transaction_log')).rows;

describe('a process that is slow during recovery and an erasure decides nothing without a log entry', () => {
  const likeKey = z.strictObject({ user_id: z.uuid(), likeable_id: z.string() });
  const newLikeKey = (): z.output<typeof likeKey> => ({ user_id: randomUUID(), likeable_id: 'Book:9780439023481' });
  let entriesWhenProjected: number[] = [];
  const testLikes = aggregate({
    name: 'test like',
    key: likeKey,
    table: likeStates,
    rowKey: (of) => of,
    tombstone: { liked: false, liked_at: null, shard: 0, former_shard: null, ...UNCOUNTED },
    projectionContext: () => Promise.resolve({}),
    projections: () => [
      {
        list: async () => {
          entriesWhenProjected.push((await logged()).length);
        },
      },
    ],
  });
  const liked = (state: LikeState | undefined, at: Date) =>
    state?.liked ? undefined : { liked: true, liked_at: at, shard: 0, former_shard: null, ...UNCOUNTED };

  test.each([
    ['nothing was decided', false],
    ['something was decided', true],
  ])('if %s before', async (_what, isDecided) => {
    const of = newLikeKey();
    if (isDecided) await testLikes.change(app, of, undefined, liked);
    entriesWhenProjected = [];
    let isFirst = true;
    const take = async () => {
      if (!isFirst) return;
      isFirst = false;
      await testLikes.transaction.recover(app, of, (_name, work) => work());
      await testLikes.forget(app, of);
      transactionLog(app).endIncarnation();
      await emptyTables(app.cassandra.client, 'transaction_log');
      entriesWhenProjected = [];
    };
    const slow = { name: 'slow', take, release: () => Promise.resolve() };
    await testLikes.change(app, of, undefined, liked, slow);
    expect(entriesWhenProjected).toEqual([1]);
    const { rows } = await execute('SELECT state, TTL(state) FROM likes_by_user WHERE user_id = ?', [of.user_id]);
    expect(rows).toMatchObject([{ state: { liked: true }, 'ttl(state)': null }]);
  });

  test('because a tombstone remains until it expires', async () => {
    const of = newLikeKey();
    await testLikes.change(app, of, undefined, liked);
    await testLikes.forget(app, of);
    const state = await testLikes.read(app, of);
    expect(state && isTombstone(state)).toBe(true);
    await testLikes.forget(app, of);
    expect(await testLikes.read(app, of)).toEqual(state);
    const { rows } = await execute('SELECT TTL(state) FROM likes_by_user WHERE user_id = ?', [of.user_id]);
    expect(rows[0]?.['ttl(state)']).toBeLessThanOrEqual(86_400);
    // The row consists only of its state; a row that was inserted would remain after the state
    // expires.
    await execute('DELETE state FROM likes_by_user WHERE user_id = ? AND likeable_id = ?', [
      of.user_id,
      of.likeable_id,
    ]);
    expect(await testLikes.read(app, of)).toBeUndefined();
  });
});
