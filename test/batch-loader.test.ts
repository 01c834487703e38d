import { expect, test } from 'vitest';
import { BatchLoader } from '../src/cassandra/key-loaders.ts';
import { Budget } from '../src/cassandra/budget.ts';
import { sharedLoader } from '../src/cassandra/recent-reads.ts';
import { all, andThen } from '../src/cassandra/maybe-promise.ts';
import { withinBudget, type Cassandra } from '../src/cassandra/statement.ts';

/**
 * A loader of a request reads keys together, once, and does not wait for values that it already
 * has.
 */

const rows = new Map([
  ['a', 1],
  ['b', 2],
]);

/** Makes a loader of some rows, which notes the keys of each of its reads. */
function loaderOf(found: (keys: readonly string[]) => Map<string, number | Error> | Promise<Map<string, number>>) {
  const read: string[] = [];
  const loader = new BatchLoader<number>(async (keys) => {
    read.push(keys.join());
    return found(keys);
  });
  return { loader, read };
}

test('keys requested within one tick are read together, each once, and are available immediately from then on', async () => {
  const { loader, read } = loaderOf(() => rows);
  const first = [loader.load('a'), loader.load('b'), loader.load('a')];
  const later = Promise.resolve().then(() => loader.load('none'));

  expect(await Promise.all([...first, later])).toEqual([1, 2, 1, undefined]);
  expect([loader.load('a'), loader.load('none')]).toEqual([1, undefined]);
  expect(read).toEqual(['a,b,none']);
});

test('keys that are read ahead are available without a promise, and a failure is thrown to every caller that requests them', async () => {
  let fails = true;
  const { loader, read } = loaderOf(() => {
    if (fails) throw new Error('no answer');
    return rows;
  });
  await loader.ahead(['a', 'b']);
  await expect(loader.load('a')).rejects.toThrow('no answer');

  fails = false;
  await loader.ahead(['a', 'b']);
  expect([loader.load('a'), loader.load('b')]).toEqual([1, 2]);
  await loader.ahead(['a', 'b']);
  expect(read).toEqual(['a,b', 'a', 'a,b']);
});

test('a key that fails does not fail others, and the next request tries again', async () => {
  let b: number | Error = new Error('no answer');
  const { loader } = loaderOf(() => new Map([...rows, ['b', b]]));
  const both = await Promise.allSettled([loader.load('a'), loader.load('b')]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

  b = 3;
  expect(await loader.load('b')).toBe(3);
});

test('a value is not kept if its key was cleared while it was read', async () => {
  const { promise, resolve } = Promise.withResolvers<Map<string, number>>();
  let now: Map<string, number> | Promise<Map<string, number>> = promise;
  const { loader } = loaderOf(() => now);
  const before = loader.load('a');
  await new Promise(setImmediate);
  loader.clear('a');
  now = new Map([['a', 7]]);
  const after = loader.load('a');
  resolve(rows);

  expect(await Promise.all([before, after])).toEqual([1, 7]);
  expect(loader.load('a')).toBe(7);
});

test('a known value is returned synchronously, and looked up once', async () => {
  const read: string[] = [];
  const asked: string[] = [];
  const loader = new BatchLoader<number>(
    (keys) => {
      read.push(keys.join());
      return Promise.resolve(rows);
    },
    (key) => {
      asked.push(key);
      return key === 'a' ? 4 : undefined;
    },
  );
  expect([loader.load('a'), loader.load('a')]).toEqual([4, 4]);
  await loader.ahead(['a', 'b']);
  expect(loader.load('b')).toBe(2);
  expect([read, asked]).toEqual([['b'], ['a', 'b']]);

  loader.clear('a');
  expect(loader.load('a')).toBe(4);
});

test('a key with a primed value is not read', async () => {
  const { loader, read } = loaderOf(() => rows);
  loader.prime('a', 5);
  loader.prime('a', 6);
  expect(loader.load('a')).toBe(5);
  expect(read).toEqual([]);
});

test("a budget that others' reads have spent also fails pending reads, and nothing else", async () => {
  const allowance = { rowsMax: 1, bytesMax: 1_000, milliseconds: 1_000 };
  const budget = new Budget({ ...allowance, clock: () => new Date(0), isClientGone: () => false, hold: () => true });
  const size = { rows: 1, bytes: 1 };
  const slow = new Promise(setImmediate).then(() => ({ row: { name: 'slow' }, size }));
  const loader = sharedLoader(
    { cassandra: withinBudget({} as Cassandra, budget) },
    { kept: (key) => (key === 'slow' ? slow : { row: { name: key }, size }), read: () => slow },
  );

  const found = await Promise.allSettled(['slow', 'first', 'second'].map(async (key) => loader.load(key)));
  expect(found).toMatchObject([
    { reason: { spent: 'ROWS' } },
    { value: { name: 'first' } },
    { reason: { spent: 'ROWS' } },
  ]);
});

test('a shared read that fails does so only for the callers that wait for it', async () => {
  const asked: string[] = [];
  const loader = sharedLoader<object>(
    { cassandra: {} as Cassandra },
    {
      kept: async (key) => {
        asked.push(key);
        await Promise.resolve();
        throw new Error('no answer');
      },
      read: () => Promise.reject(new Error('not read')),
    },
  );
  // An unhandled rejection would end the process, and so the test run.
  await loader.ahead(['a', 'b']);
  await new Promise(setImmediate);
  expect(asked).toEqual(['a', 'b']);
  await expect(loader.load('a')).rejects.toThrow('no answer');
});

test('a continuation runs synchronously for a value, and its error becomes a rejection as for a promise', async () => {
  const next = (value: number) => {
    if (value < 0) throw new Error('less than nothing');
    return value + 1;
  };
  expect(andThen(1, next)).toBe(2);
  expect(all([1, 2])).toEqual([1, 2]);
  const found = await Promise.allSettled([
    andThen(-1, next),
    andThen(Promise.resolve(-1), next),
    all([1, andThen(2, next)]),
  ]);
  expect(found).toMatchObject([
    { reason: { message: 'less than nothing' } },
    { reason: { message: 'less than nothing' } },
    { value: [1, 3] },
  ]);
});
