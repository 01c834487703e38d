import { beforeAll, expect, test } from 'vitest';
import { compareWays } from '../tools/fuzz/differential.ts';
import { fuzz } from '../tools/fuzz/fuzz.ts';
import { ownKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { IS_FULL } from './support/full.ts';

/** The number of requests of each test. */
const REQUESTS = IS_FULL ? 500 : 80;

let environment: Record<string, string | undefined>;
let server: TestServer;
beforeAll(async () => {
  // Requests find whatever the keyspace has, and other files write likes of readers who never were.
  environment = testEnvironment({ RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'error' });
  server = await startServer(await ownKeyspace(environment));
  await ownBooks(server.app, 20);
});

// The command `npm run chaos -- fuzz --differential 200000` compares more.
test('a generated operation gets the same answer with and without Apollo, with the same statements', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);

  const { differences, whole } = await compareWays(server, seed, REQUESTS);

  expect(differences, `with seed ${seed}`).toEqual([]);
  // The others differ in their errors, if at all.
  expect(whole).toBeGreaterThan(REQUESTS / 4);
});

// The command `npm run chaos -- fuzz` sends 100,000, and measures the turns of the event loop.
test('any request is answered, or refused with a named reason', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { url, printed } = await startServerProcess({ ...environment, RATE_LIMIT_PER_MINUTE: '0' });
  const { failures, whole } = await fuzz(url, seed, REQUESTS);

  const told = failures.map(({ what, request }) => ({ what, ...request, body: String(request?.body).slice(0, 5_000) }));
  expect(told, `with seed ${seed}; the server said: ${printed().slice(-20_000)}`).toEqual([]);
  // A good part of the requests is like those of frontends: three in ten, and by chance fewer.
  expect(whole).toBeGreaterThan(IS_FULL ? REQUESTS / 5 : REQUESTS / 8);
});
