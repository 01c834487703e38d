import { expect, test } from 'vitest';
import { compareWays } from '../tools/fuzz/differential.ts';
import { fuzz } from '../tools/fuzz/fuzz.ts';
import { ownKeyspace, startServer, startServerProcess, testEnvironment } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { runs } from './support/full.ts';

async function startFuzzed() {
  // Requests read the whole keyspace, in which other test files write likes of readers who never
  // existed.
  const config = await ownKeyspace();
  const { app } = await startServer(config);
  await ownBooks(app, 20);
  const more = { CASSANDRA_KEYSPACE: config.cassandra.keyspace, LOG_LEVEL: 'error' };
  return startServerProcess(testEnvironment(more));
}

// The command `npm run chaos -- fuzz --differential 200000` compares more.
test('a generated operation gets the same answer with and without Apollo, with the same statements', async () => {
  const environment = testEnvironment({ RATE_LIMIT_PER_MINUTE: '1000000' });
  const seed = Math.floor(Math.random() * 2 ** 31);

  const { differences, whole } = await compareWays(await startServer(await ownKeyspace(environment)), seed, runs(500));

  expect(differences, `with seed ${seed}`).toEqual([]);
  // The others differ in their errors, if at all.
  expect(whole).toBeGreaterThan(runs(125));
});

// The command `npm run chaos -- fuzz` sends 100,000, and measures the turns of the event loop.
test('any request is answered, or refused with a named reason', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { url, printed } = await startFuzzed();
  const { failures, whole } = await fuzz(url, seed, runs(500));

  const told = failures.map(({ what, request }) => ({ what, ...request, body: String(request?.body).slice(0, 5_000) }));
  expect(told, `with seed ${seed}; the server said: ${printed().slice(-20_000)}`).toEqual([]);
  // A good part of the requests is like those of frontends.
  expect(whole).toBeGreaterThan(runs(100));
});
