import { randomUUID } from 'node:crypto';
import { errors } from 'cassandra-driver';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UNCOUNTED } from '../src/likes/aggregate.ts';
import { aggregate } from '../src/aggregates/aggregate.ts';
import type { Precondition } from '../src/aggregates/kind.ts';
import { isTombstone, type Content } from '../src/aggregates/state.ts';
import type { AppContext } from '../src/context/context.ts';
import { formatError, UserError } from '../src/graphql/errors.ts';
import { likeStates, type LikeState } from '../src/likes/tables.ts';
import { sharedKeyspace, startServer } from './support/app.ts';
import { intercepted } from './support/intercept.ts';
import { strikeOut } from './support/transactions.ts';

/**
 * Changes of an aggregate in isolation: with lost answers, clocks, reservations, and owners whose
 * account is deleted.
 */

let app: AppContext;
let owner: { name: string } | undefined;
let projected: string[];

beforeAll(async () => {
  ({ app } = await startServer(await sharedKeyspace()));
});

beforeEach(() => {
  owner = { name: 'Former' };
  projected = [];
});

const newKey = () => ({ user_id: randomUUID(), likeable_id: 'Book:9780439023481' });
const testLikes = aggregate({
  name: 'test like',
  key: z.strictObject({ user_id: z.uuid(), likeable_id: z.string() }),
  table: likeStates,
  rowKey: (key) => key,
  tombstone: { liked: false, liked_at: null, shard: 0, former_shard: null, ...UNCOUNTED },
  projectionContext: () => Promise.resolve(owner),
  erase: async () => {
    projected.push('erased');
  },
  projections: (_app, _key, { liked, version }, { name }) => [
    { list: async () => void projected.push(`${name} ${liked ? 'likes' : 'does not like'}, ${version}`) },
  ],
});

const liked = (state: LikeState | undefined, at: Date): Content<LikeState> | undefined =>
  state?.liked ? undefined : { liked: true, liked_at: at, shard: 0, former_shard: null, ...UNCOUNTED };
const unliked = (state: LikeState | undefined): Content<LikeState> | undefined =>
  state?.liked ? { ...state, liked: false } : undefined;

const processes: AppContext[] = [];
/** Counts the log entries, except for those of complete transactions. */
const entriesOf = async ({ user_id }: { user_id: string }) => {
  for (const each of [app, ...processes]) await strikeOut(each);
  const { rows } = await app.cassandra.client.execute('SELECT payload FROM transaction_log');
  return rows.filter((row) => (row['payload'] as string).includes(user_id)).length;
};

/**
 * A process that gets no answer to its first attempt to decide, and retries after something has
 * happened.
 */
function hearingNothing(meanwhile: () => Promise<unknown>): AppContext {
  let isFirst = true;
  const cassandra = intercepted(app.cassandra, async ({ cql, send }) => {
    const result = await send();
    if (!cql.startsWith('UPDATE likes_by_user') || !isFirst) return result;
    isFirst = false;
    await meanwhile();
    throw new errors.OperationTimedOutError('no answer');
  });
  const process = { ...app, cassandra };
  processes.push(process);
  return process;
}

describe('an attempt to decide whose answer was lost', () => {
  test.each<[string, (key: ReturnType<typeof newKey>) => Promise<unknown>, number]>([
    ['nobody came between', () => Promise.resolve(), 1],
    ['recovery fenced', (key) => testLikes.repair(app, key), 2],
  ])('is known to have decided if %s', async (_what, meanwhile, version) => {
    const key = newKey();
    const { changed, state } = await testLikes.change(
      hearingNothing(() => meanwhile(key)),
      key,
      undefined,
      liked,
    );
    expect(changed).toBe(true);
    expect(state).toMatchObject({ liked: true, version });
    expect(projected.at(-1)).toBe(`Former likes, ${version}`);
    expect(await entriesOf(key)).toBe(0);
  });

  test('has an unknown outcome if others have changed the result: it is not decided twice', async () => {
    const key = newKey();
    const takeBack = async () => testLikes.change(app, key, await testLikes.read(app, key), unliked);
    const change = testLikes.change(hearingNothing(takeBack), key, undefined, liked);
    await expect(change).rejects.toMatchObject({ outcome: 'unknown' });
    expect(await testLikes.read(app, key)).toMatchObject({ liked: false, version: 2 });
    expect(await entriesOf(key)).toBe(1);
  });
});

describe('a change that loses to other processes', () => {
  /** A process that loses to another one in each of its first attempts to decide. */
  function slower(key: ReturnType<typeof newKey>, losses: number) {
    const sent: string[] = [];
    const pauses: number[] = [];
    const cassandra = intercepted(app.cassandra, async ({ cql, send }) => {
      sent.push(cql);
      if (cql.startsWith('UPDATE likes_by_user') && pauses.length < losses) await testLikes.repair(app, key);
      return send();
    });
    const backOff = (msMax: number) => Promise.resolve(void pauses.push(msMax));
    const process = { ...app, cassandra: { ...cassandra, backOff } };
    processes.push(process);
    const count = (verb: string) => sent.filter((cql) => cql.startsWith(verb)).length;
    return { process, pauses, count };
  }

  test('pauses longer after each attempt, and keeps its single log entry', async () => {
    const key = newKey();
    const { process, pauses, count } = slower(key, 9);
    const { changed, state } = await testLikes.change(process, key, undefined, liked);
    expect({ changed, state }).toMatchObject({ changed: true, state: { liked: true, version: 10 } });
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 500, 500, 500]);
    expect(count('INSERT INTO transaction_log')).toBe(1);
    expect(await entriesOf(key)).toBe(0);
  });

  test('ends after 20 tries, with an error that asks the caller to repeat it', async () => {
    const key = newKey();
    const { process, pauses, count } = slower(key, Infinity);
    const error: unknown = await testLikes.change(process, key, undefined, liked).catch((thrown: unknown) => thrown);
    expect(count('UPDATE likes_by_user')).toBe(20);
    expect(pauses).toHaveLength(19);
    expect(count('INSERT INTO transaction_log')).toBe(1);
    expect(await entriesOf(key)).toBe(1);
    expect(formatError({ message: '' }, error, () => undefined)).toEqual({
      message:
        'Others are changing the same thing all the time. Whether it was done is unknown; repeat it in a few seconds, which is safe.',
      extensions: { code: 'TIMEOUT' },
    });
  });
});

test('the moments of changes increase even if the clock of a server is behind', async () => {
  const key = newKey();
  const begun = Date.now();
  const behind = (ms: number): AppContext => ({ ...app, clock: () => new Date(begun - ms) });
  const told: Date[] = [];
  const change = async (ms: number, next: typeof liked) =>
    testLikes.change(behind(ms), key, await testLikes.read(app, key), (state, at) => {
      told.push(at);
      return next(state, at);
    });
  const moments: (Date | undefined)[] = [];
  for (const [ms, next] of [
    [0, liked],
    [60_000, unliked],
    [60_000, liked],
  ] as const)
    moments.push((await change(ms, next)).state?.changed_at);
  expect(moments).toEqual([begun, begun + 1, begun + 2].map((moment) => new Date(moment)));
  expect(told).toEqual(moments);
});

describe('a reservation', () => {
  const reservation = (take: () => Promise<void>): Precondition & { released: number } => ({
    name: 'reservation',
    take,
    released: 0,
    release() {
      this.released++;
      return Promise.resolve();
    },
  });

  test('is made after the log entry and before the decision, and kept with it', async () => {
    const key = newKey();
    const found: unknown[] = [];
    const kept = reservation(async () => {
      found.push(await entriesOf(key), await testLikes.read(app, key));
    });
    await testLikes.change(app, key, undefined, liked, kept);
    expect(found).toEqual([1, undefined]);
    expect(kept.released).toBe(0);
  });

  test('is released if the change is refused, and nothing is left in the log', async () => {
    const key = newKey();
    await testLikes.change(app, key, undefined, liked);
    const refused = reservation(() => Promise.resolve());
    const change = testLikes.change(
      app,
      key,
      undefined,
      (state, at) => {
        if (state) throw new UserError('INVALID_INPUT', 'No.', ['input']);
        return { liked: true, liked_at: at, shard: 0, former_shard: null, ...UNCOUNTED };
      },
      refused,
    );
    await expect(change).rejects.toThrow(UserError);
    expect(refused.released).toBe(1);
    expect(await entriesOf(key)).toBe(0);
  });
});

describe('the owner is read after the decision', () => {
  test.each<[string, typeof owner, string]>([
    ['has another name by then', { name: 'Latter' }, 'Latter likes, 1'],
    ['has left by then', undefined, 'erased'],
  ])('who %s', async (_what, later, expected) => {
    const take = async () => {
      owner = later;
    };
    await testLikes.change(app, newKey(), undefined, liked, { name: 'meanwhile', take, release: take });
    expect(projected).toEqual([expected]);
  });
});

test('an aggregate that is changed while it is erased is still erased, and each of its states is retracted', async () => {
  const key = newKey();
  await testLikes.change(app, key, undefined, liked);
  const retracted: number[] = [];
  await testLikes.forget(app, key, async ({ version }) => {
    retracted.push(version);
    if (retracted.length === 1) await testLikes.repair(app, key);
  });
  expect(retracted).toEqual([1, 2]);
  const state = await testLikes.read(app, key);
  expect(state && isTombstone(state)).toBe(true);
  expect(state?.version).toBe(3);
});
