import { setTimeout as sleep } from 'node:timers/promises';
import { register } from 'prom-client';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { transactionKinds } from '../src/app/workers.ts';
import { compareClock } from '../src/trust/trust.worker.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { transact } from '../src/transactions/operations.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { some } from './support/full.ts';
import { anotherProcess, counting, liveLong, liveOn, strikeOut } from './support/transactions.ts';

/**
 * A server whose clock is wrong makes no changes, and does not finish the work of other servers.
 */

let server: TestServer;
let offMs = 0;
let reader: Client;
let bookId = '';

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment({ CLOCK_SKEW_MAX_MS: '4000' }));
  server = await startServer(config, { clock: () => new Date(Date.now() + offMs) });
  [bookId = ''] = await ownBooks(server.app, 1);
  reader = await server.client().registerSomebody();
});
beforeEach(() => {
  offMs = 0;
});

const compare = async () => {
  for (let times = 0; times < 5; times++) await compareClock(server.app);
};
const readiness = async () => {
  // The clock is compared once a second at most.
  await sleep(1_100);
  const response = await fetch(`${server.url}/health/ready`);
  return [response.status, await response.json()];
};
const entries = async () => {
  await strikeOut(server.app);
  return (await server.app.cassandra.client.execute('SELECT kind FROM transaction_log')).rowLength;
};

test.each(some([600_000, 60_000, -60_000, -600_000, 6_000, -6_000], 3))('a clock that is off by %i ms', async (off) => {
  await compare();
  expect(await readiness()).toEqual([200, { status: 'ready' }]);

  offMs = off;
  // The clock was set just now, and has not been compared since then.
  const like = 'mutation ($id: ID!) { like(input: { id: $id }) { changed } }';
  expect((await reader.send(like, { id: bookId })).errors).toMatchObject([{ extensions: { code: 'OVERLOADED' } }]);
  // The first comparison after that detects it as well, regardless of earlier comparisons.
  await compareClock(server.app);
  expect((await reader.send(like, { id: bookId })).errors).toMatchObject([{ extensions: { code: 'OVERLOADED' } }]);
  await compare();
  const { errors } = await server.client().send('mutation { startSession(input: {}) { session { id } } }');
  expect(errors).toMatchObject([{ extensions: { code: 'OVERLOADED' } }]);
  expect(errors?.[0]?.message).toMatch(/clock of this server is wrong.*Nothing was done/);
  expect(await entries()).toBe(0);
  expect(await readiness()).toEqual([503, { status: 'not ready', reason: 'the clock of this server is wrong' }]);

  offMs = 0;
  await compare();
  expect((await reader.like(bookId)).userErrors).toEqual([]);
  expect((await reader.unlike(bookId)).userErrors).toEqual([]);
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
});

test('a pause of the process between two comparisons is not mistaken for a wrong clock', async () => {
  await compare();
  const { clock } = server.app;
  let looks = 0;
  const paused = { ...server.app, clock: () => new Date(clock().getTime() - (looks++ === 0 ? 120_000 : 0)) };
  await compareClock(paused);
  expect((await reader.like(bookId)).userErrors).toEqual([]);
});

test('the age of an unfinished change is reported while the clock is wrong', async () => {
  const age = async () => (await register.getSingleMetric('transaction_log_age_seconds')?.get())?.values[0]?.value;
  const wrong = anotherProcess(server.app);
  const kind = counting([]);
  const kinds = [...transactionKinds, kind];
  await compareClock(wrong);
  await expect(transact(wrong, kind, { number: 1 }, () => Promise.reject(new Error('It failed.')))).rejects.toThrow();
  await liveOn(wrong, kinds);
  expect(await age()).toBe(0);

  offMs = 600_000;
  wrong.pass(90_000);
  await liveOn(wrong, kinds);
  expect(await age()).toBe(90);

  offMs = 0;
  await compareClock(wrong);
  await liveOn(wrong, kinds);
  await liveOn(wrong, kinds);
  expect(await age()).toBe(0);
});

test('the changes of a dead server are finished by one whose clock is right', async () => {
  const wrong = anotherProcess(server.app);
  const dead = anotherProcess(server.app);
  await transactionLog(dead).write(dead, {
    transaction_id: dead.randomId(),
    kind: 'of another version',
    payload: '{}',
    begun_at: new Date(),
    request_id: '',
  });
  await compareClock(wrong);
  offMs = 600_000;
  await liveLong(wrong);
  expect(await entries()).toBe(1);

  offMs = 0;
  const right = anotherProcess(server.app);
  for (let seconds = 0; seconds < 6; seconds++) {
    for (const process of [right, wrong]) process.pass(1_000);
    offMs = 600_000;
    await liveOn(wrong);
    offMs = 0;
    await liveOn(right);
  }
  expect(await entries()).toBe(0);
});
