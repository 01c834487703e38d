import { errors } from 'cassandra-driver';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CassandraError } from '../src/cassandra/errors.ts';
import type { AppContext } from '../src/context/context.ts';
import { overloaded, UserError } from '../src/graphql/errors.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { findDeadLetters, transact, type TransactionKind } from '../src/transactions/operations.ts';
import {
  sendHeartbeat,
  closeLog,
  keepLog,
  recoverTransactions,
  retryDeadLetters,
} from '../src/transactions/recovery.worker.ts';
import { startServer, ownKeyspace } from './support/app.ts';
import { emptyTables } from './support/emptying.ts';
import { intercepted } from './support/intercept.ts';
import {
  anotherProcess,
  counting,
  kindsOf,
  leaveEntry,
  liveLong,
  liveOn,
  strikeOut,
  type TestProcess,
} from './support/transactions.ts';

/**
 * The transaction log in isolation: the owners of entries, their takeover, recovery, and dead
 * letters.
 */

let app: AppContext;

beforeAll(async () => {
  ({ app } = await startServer(await ownKeyspace()));
});
beforeEach(() => emptyTables(app.cassandra.client, 'transaction_log', 'incarnations', 'transaction_dead_letters'));

const execute = (cql: string, params: unknown[] = []) => app.cassandra.client.execute(cql, params, { prepare: true });
const logged = async () => (await execute('SELECT * FROM transaction_log')).rows;
const incarnations = async () =>
  (await execute('SELECT incarnation FROM incarnations')).rows.map((row) => String(row['incarnation']));
const deadLetters = () => Array.fromAsync(findDeadLetters(app));
const idOf = (process: AppContext) => transactionLog(process).own?.id;

/** Makes a process log a transaction and die. */
const leaveBehind = (kind: string, payload: string, process: AppContext = anotherProcess(app)) =>
  leaveEntry(process, kind, payload);

const unavailable = new CassandraError('refused', 'no capacity', undefined);

/** Makes a process that intercepts the nth statement of a kind. */
function withNth(nth: number, begins: string, happen: (send: () => Promise<unknown>) => Promise<void>): TestProcess {
  let count = 0;
  const cassandra = intercepted(app.cassandra, async ({ cql, send }) => {
    if (!cql.startsWith(begins) || ++count !== nth) return send();
    let answer: ReturnType<typeof send> | undefined;
    await happen(() => (answer = send()));
    return answer ?? send();
  });
  return anotherProcess(app, { cassandra });
}

describe('a dead process', () => {
  test('is taken over and finished, and leaves no entries', async () => {
    const [dead, taker] = [anotherProcess(app), anotherProcess(app)];
    await leaveBehind('counting', '{"number":1}', dead);
    const recovered: number[] = [];
    await liveLong(taker, kindsOf(counting(recovered)));
    expect(recovered).toEqual([1]);
    expect(await logged()).toEqual([]);
    expect(await incarnations()).toEqual([idOf(taker)]);
  });

  test('is not taken over while its heartbeat continues, however old its entries are', async () => {
    const [living, taker] = [anotherProcess(app), anotherProcess(app)];
    await leaveBehind('counting', '{"number":1}', { ...living, clock: () => new Date(0) });
    const recovered: number[] = [];
    for (let seconds = 0; seconds < 20; seconds++) {
      for (const process of [living, taker]) process.pass(1_000);
      if (seconds % 2 === 0) await sendHeartbeat(living);
      await liveOn(taker, kindsOf(counting(recovered)));
    }
    expect(recovered).toEqual([]);
    expect(await logged()).toHaveLength(1);
    expect(await incarnations()).toContain(idOf(living));
  });

  test('is taken over by one of the living, and by the next when that one dies', async () => {
    for (let number = 1; number <= 5; number++) await leaveBehind('counting', `{"number":${String(number)}}`);
    const takers = Array.from({ length: 4 }, () => anotherProcess(app));
    let recovered: number[] = [];
    const isStuck = counting(recovered, unavailable);
    const liveSeconds = async (processes: TestProcess[], kind: TransactionKind<{ number: number }>) => {
      for (let seconds = 0; seconds < 6; seconds++) {
        for (const process of takers) process.pass(1_000);
        for (const process of processes) await sendHeartbeat(process);
        for (const process of processes) await liveOn(process, kindsOf(kind));
      }
    };
    await liveSeconds(takers, isStuck);
    const taken = () => takers.map((process) => transactionLog(process).unfinished.size);
    expect(taken().reduce((sum, count) => sum + count)).toBe(5);

    const first = takers.find((process) => transactionLog(process).unfinished.size > 0)!;
    const left = takers.filter((process) => process !== first);
    recovered = [];
    await liveSeconds(left, counting(recovered));
    // Entries that wait for their next try take up to 8 s longer.
    await liveSeconds(left, counting(recovered));
    await liveSeconds(left, counting(recovered));
    expect(recovered.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(await logged()).toEqual([]);
  });

  test('is found with the entries that it logged while its last beat was in flight', async () => {
    const dead = withNth(2, 'INSERT INTO incarnations', async (send) => {
      await leaveBehind('counting', '{"number":1}', dead);
      await send();
      throw new errors.OperationTimedOutError('no answer');
    });
    await sendHeartbeat(dead);
    await expect(sendHeartbeat(dead)).rejects.toThrow();
    const recovered: number[] = [];
    await liveLong(anotherProcess(app), kindsOf(counting(recovered)));
    expect(recovered).toEqual([1]);
  });

  test('is taken over for any time of the clocks', async () => {
    const off = (ms: number) => anotherProcess(app, { clock: () => new Date(Date.now() + ms) });
    const recovered: number[] = [];
    for (const [number, ms] of [600_000, -600_000].entries()) {
      await leaveBehind('counting', `{"number":${String(number)}}`, off(ms));
      await liveLong(off(-ms), kindsOf(counting(recovered)));
    }
    expect(recovered).toEqual([0, 1]);
    expect(await logged()).toEqual([]);
  });
});

describe('a process that is paused', () => {
  test('while it logs: its change has an entry in an incarnation that no other process can have taken over', async () => {
    const slow = withNth(1, 'INSERT INTO transaction_log', async (send) => {
      await send();
      // The pause is longer than allowed, and another process has finished the entry.
      slow.pass(120_000);
      await liveLong(anotherProcess(app), kindsOf(counting([])));
      expect(await logged()).toEqual([]);
    });
    await sendHeartbeat(slow);
    const former = idOf(slow);
    await transact(slow, counting([]), { number: 1 }, async () => {
      expect(await logged()).toHaveLength(1);
      expect(String((await logged())[0]?.['incarnation'])).toBe(idOf(slow));
      expect(idOf(slow)).not.toBe(former);
    });
  });

  test('during its heartbeat: a late beat does not revive it', async () => {
    const slow = withNth(2, 'INSERT INTO incarnations', async (send) => {
      await send();
      slow.pass(1_500);
    });
    await sendHeartbeat(slow);
    const former = idOf(slow);
    // The second beat is not old yet when it is acknowledged, but the first one is.
    slow.pass(2_000);
    await sendHeartbeat(slow);
    await leaveBehind('counting', '{"number":1}', slow);
    expect(idOf(slow)).not.toBe(former);
  });

  test('before its first beat is acknowledged: others who saw that beat may have taken it over', async () => {
    const slow = withNth(1, 'INSERT INTO incarnations', async (send) => {
      await send();
      throw new errors.OperationTimedOutError('no answer');
    });
    await expect(sendHeartbeat(slow)).rejects.toThrow();
    const taker = anotherProcess(app);
    await liveLong(taker, []);
    expect(await incarnations()).toEqual([idOf(taker)]);
    slow.pass(5_000);
    await leaveBehind('counting', '{"number":1}', slow);
    const recovered: number[] = [];
    await liveLong(anotherProcess(app), kindsOf(counting(recovered)));
    expect(recovered).toEqual([1]);
  });

  test('with its whole machine, so that its clock shows no pause: it detects that it was taken over', async () => {
    const slow = anotherProcess(app);
    await liveOn(slow, []);
    const former = idOf(slow);
    const taker = anotherProcess(app);
    await liveLong(taker, []);
    expect(await incarnations()).toEqual([idOf(taker)]);
    await liveOn(slow, []);
    await leaveBehind('counting', '{"number":1}', slow);
    expect(idOf(slow)).not.toBe(former);
    expect(await incarnations()).toContain(idOf(slow));
  });

  test('at any other time: its late beats have no effect', async () => {
    let late: (() => Promise<unknown>) | undefined;
    const slow = withNth(2, 'INSERT INTO incarnations', (send) => {
      late = send;
      return Promise.reject(new errors.OperationTimedOutError('no answer'));
    });
    await sendHeartbeat(slow);
    await expect(sendHeartbeat(slow)).rejects.toThrow();
    const taker = anotherProcess(app);
    await liveLong(taker, []);
    await late?.();
    expect(await incarnations()).toEqual([idOf(taker)]);
  });
});

test('an entry that arrives after its tick was struck out has no effect', async () => {
  let late: (() => Promise<unknown>) | undefined;
  const process = withNth(1, 'INSERT INTO transaction_log', (send) => {
    late = send;
    return Promise.reject(new errors.OperationTimedOutError('no answer'));
  });
  await expect(transact(process, counting([]), { number: 1 }, () => Promise.resolve())).rejects.toThrow();
  await strikeOut(process);
  await late?.();
  expect(await logged()).toEqual([]);
});

describe('a stuck entry', () => {
  const stuckAbove = (recovered: number[], least: number, fails: () => Promise<void>) => ({
    ...counting(recovered),
    recover: ({}, { number }: { number: number }) => {
      if (number >= least) return fails();
      recovered.push(number);
      return Promise.resolve();
    },
  });

  test('does not hide others, even if there are more than a page of them', async () => {
    const dead = anotherProcess(app);
    for (let page = 0; page < 3; page++)
      await Promise.all(
        Array.from({ length: 501 }, (_, index) =>
          leaveBehind('counting', `{"number":${page === 1 && index === 250 ? 0 : 1}}`, dead),
        ),
      );
    const taker = anotherProcess(app);
    const recovered: number[] = [];
    await liveLong(taker, kindsOf(stuckAbove(recovered, 1, () => Promise.reject(unavailable))));
    expect(recovered).toEqual([0]);
    expect(transactionLog(taker).unfinished.size).toBe(1_502);
    expect(await deadLetters()).toEqual([]);
    // It is not retried before its time.
    await liveOn(taker, kindsOf(counting(recovered)));
    expect(recovered).toEqual([0]);
    taker.pass(2_100);
    await liveLong(taker, kindsOf(counting(recovered)));
    expect(recovered).toHaveLength(1_503);
    expect(await logged()).toEqual([]);
  });

  test('does not delay others while it waits for an answer', async () => {
    for (let number = 99; number >= 0; number--) await leaveBehind('counting', `{"number":${String(number)}}`);
    const { promise: never } = Promise.withResolvers<undefined>();
    const taker = anotherProcess(app);
    const recovered: number[] = [];
    await liveLong(taker, kindsOf(stuckAbove(recovered, 10, () => never)));
    expect(recovered.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(transactionLog(taker).unfinished.size).toBe(90);
  });

  test('is reported after a minute', async () => {
    await leaveBehind('counting', '{"number":8}');
    const alarms: unknown[] = [];
    const logger = { ...silent, fatal: (...told: unknown[]) => alarms.push(told) } as unknown as AppContext['logger'];
    const taker = anotherProcess(app, { logger });
    await liveLong(taker, kindsOf(counting([], unavailable)));
    expect(alarms).toEqual([]);
    for (let seconds = 0; seconds < 60; seconds += 2) {
      taker.pass(2_000);
      await liveOn(taker, kindsOf(counting([], unavailable)));
    }
    expect(JSON.stringify(alarms)).toMatch(/unfinished for more than a minute/);
    expect(await logged()).toHaveLength(1);
    expect(await deadLetters()).toEqual([]);
  });
});

describe('a transaction that cannot be finished becomes a dead letter with its reason, and is never dropped', () => {
  test.each<[string, string, string, RegExp]>([
    ['of a kind that this server does not know', 'newer', '{}', /knows no transaction of the kind newer/],
    ['with a payload that is no JSON', 'counting', '{"number":', /SyntaxError/],
    ['with a payload of another shape', 'counting', '{"number":"one"}', /ZodError[\s\S]*number/],
  ])('%s', async (_what, kind, payload, reason) => {
    await leaveBehind(kind, payload);
    await liveLong(anotherProcess(app), kindsOf(counting([])));
    expect(await logged()).toEqual([]);
    const [found, ...more] = await deadLetters();
    expect(more).toEqual([]);
    expect(found).toMatchObject({ kind, payload });
    expect(found?.reason).toMatch(reason);
  });

  test('and is finished once a server has its kind', async () => {
    await leaveBehind('counting', '{"number":7}');
    await liveLong(anotherProcess(app), kindsOf(counting([], new Error('a mistake'))));
    expect(await deadLetters()).toMatchObject([{ reason: 'Error: a mistake' }]);
    await retryDeadLetters(app, kindsOf(counting([], new Error('still a mistake'))));
    expect(await deadLetters()).toHaveLength(1);
    const recovered: number[] = [];
    await retryDeadLetters(app, kindsOf(counting(recovered)));
    expect(recovered).toEqual([7]);
    expect(await deadLetters()).toEqual([]);
  });

  test('and remains in the log until it is among the dead letters', async () => {
    await leaveBehind('newer', '{}');
    let isRefused = true;
    const cassandra = intercepted(app.cassandra, ({ cql, send }) =>
      isRefused && cql.startsWith('INSERT INTO transaction_dead_letters')
        ? Promise.reject(new errors.BusyConnectionError('127.0.0.1', 1, 1))
        : send(),
    );
    const taker = anotherProcess(app, { cassandra });
    await liveLong(taker, []);
    expect(await deadLetters()).toEqual([]);
    expect(await logged()).toHaveLength(1);
    isRefused = false;
    await liveLong(taker, []);
    expect(await deadLetters()).toHaveLength(1);
    expect(await logged()).toEqual([]);
  });
});

describe('after the entry is written', () => {
  test('a failure has an unknown outcome, even if Cassandra refused a statement, and its own process finishes it', async () => {
    const own = anotherProcess(app);
    const work = transact(own, counting([]), { number: 1 }, () => Promise.reject(unavailable));
    await expect(work).rejects.toMatchObject({ name: 'CassandraError', outcome: 'unknown', cause: unavailable });
    await strikeOut(own);
    expect(await logged()).toHaveLength(1);

    const recovered: number[] = [];
    own.pass(2_000);
    await liveOn(own, kindsOf(counting(recovered, unavailable)));
    expect(transactionLog(own).unfinished.size).toBe(1);
    own.pass(1_000);
    await liveOn(own, kindsOf(counting(recovered)));
    expect(recovered).toEqual([1]);
    await strikeOut(own);
    expect(await logged()).toEqual([]);
    expect(await incarnations()).toEqual([idOf(own)]);
  });

  test.each([[1], [2]])('a UserError means that nothing was done: none of %i entries remains', async (entries) => {
    const refused = new UserError('NOT_FOUND', 'No.', ['input']);
    const work = transact(app, counting([]), { number: 1 }, async ({ logAgain }) => {
      if (entries === 2) await logAgain();
      expect(await logged()).toHaveLength(entries);
      throw refused;
    });
    await expect(work).rejects.toBe(refused);
    await strikeOut(app);
    expect(await logged()).toEqual([]);
  });

  test('an entry with nothing to finish is no dead letter', async () => {
    await leaveBehind('counting', '{"number":4}');
    await liveLong(anotherProcess(app), kindsOf(counting([], new UserError('NOT_FOUND', 'No.', ['input']))));
    expect(await logged()).toEqual([]);
    expect(await deadLetters()).toEqual([]);
  });
});

test('unfinished transactions take limited room: when it is full, nothing new begins', async () => {
  const own = anotherProcess(app);
  const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>();
  const begun = Array.from({ length: 5_000 }, () => transact(own, counting([]), { number: 1 }, () => gate));
  const incomplete = () =>
    [...(transactionLog(own).own?.ticks.values() ?? [])].reduce((sum, { size }) => sum + size, 0);
  await expect.poll(incomplete).toBe(5_000);
  const refused = transact(own, counting([]), { number: 1 }, () => Promise.resolve());
  await expect(refused).rejects.toMatchObject({ extensions: { code: 'OVERLOADED' } });
  letGo(undefined);
  await Promise.all(begun);
  await transact(own, counting([]), { number: 1 }, () => Promise.resolve());
});

test('a process that ends leaves only the entries that it could not finish', async () => {
  const own = anotherProcess(app);
  await transact(own, counting([]), { number: 1 }, () => Promise.resolve());
  await closeLog(own);
  expect(await logged()).toEqual([]);
  expect(await incarnations()).toEqual([]);

  await transact(own, counting([]), { number: 1 }, () => Promise.reject(unavailable)).catch(() => undefined);
  await closeLog(own);
  expect(await logged()).toHaveLength(1);
  const recovered: number[] = [];
  await liveLong(anotherProcess(app), kindsOf(counting(recovered)));
  expect(recovered).toEqual([1]);
});

test('a tool is one incarnation however long it works, and sends nothing before its first transaction', async () => {
  const sent: string[] = [];
  const cassandra = intercepted(app.cassandra, ({ cql, send }) => {
    sent.push(cql);
    return send();
  });
  const tool = anotherProcess(app, { cassandra });
  await keepLog(tool);
  expect(sent).toEqual([]);
  const ids = new Set<string | undefined>();
  for (let seconds = 0; seconds < 10; seconds++) {
    await transact(tool, counting([]), { number: 1 }, () => Promise.resolve());
    ids.add(idOf(tool));
    tool.pass(1_000);
    await keepLog(tool);
  }
  expect([...ids]).toEqual([idOf(tool)]);
  expect((await logged()).length).toBeLessThanOrEqual(2);
});

test('a dead letter whose retry fails because of Cassandra does not hide those after it', async () => {
  for (const number of [1, 2]) await leaveBehind('counting', `{"number":${String(number)}}`);
  await liveLong(anotherProcess(app), []);
  expect(await deadLetters()).toHaveLength(2);
  const recovered: number[] = [];
  const failsOnce = counting(recovered);
  let tries = 0;
  const recover: typeof failsOnce.recover = (...given) =>
    tries++ === 0 ? Promise.reject(unavailable) : failsOnce.recover(...given);
  await retryDeadLetters(app, kindsOf({ ...failsOnce, recover }));
  expect(recovered).toHaveLength(1);
  expect(await deadLetters()).toHaveLength(1);
});

test('a transaction that cannot be finished because there is no room for its further transactions does not become a dead letter', async () => {
  await leaveBehind('counting', '{"number":1}');
  const living = anotherProcess(app);
  await liveLong(living, kindsOf(counting([], overloaded('Too much.', 5))));
  expect(await deadLetters()).toEqual([]);
  expect(await logged()).toHaveLength(1);
});

test("an idle process sends two statements a second: its own beat, and the read of the others' beats", async () => {
  const sent: string[] = [];
  const cassandra = intercepted(app.cassandra, ({ cql, send }) => {
    sent.push(cql.replace(/^(INSERT INTO|SELECT .* FROM) (\w+).*$/s, '$2'));
    return send();
  });
  const own = anotherProcess(app, { cassandra });
  for (let seconds = 0; seconds < 5; seconds++) {
    own.pass(1_000);
    await sendHeartbeat(own);
    await recoverTransactions(own, []);
  }
  expect(sent).toEqual(Array.from({ length: 10 }, () => 'incarnations'));
});

const silent = { info: () => undefined, error: () => undefined };
