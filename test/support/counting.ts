import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AppContext } from '../../src/context/context.ts';
import { RollUp } from '../../src/events/rollup.ts';
import { ownKeyspace, startServer, testEnvironment } from './app.ts';
import { bookIds, importSample } from './books.ts';

/**
 * The maximum number of steps of the clock. All work of a former holder of the lease has ended by
 * then.
 */
const ROUNDS_MAX = 150;

/**
 * Counts events until none is left to count.
 * @param advance moves the clock forward by some seconds
 */
export async function countEverything(
  app: AppContext,
  advance: () => void,
  counting = new RollUp(randomUUID()),
): Promise<void> {
  for (let round = 0; ; round++) {
    await counting.run(app);
    const left = await app.cassandra.client.execute('SELECT record_id FROM dirty_windows');
    if (left.rowLength === 0) return;
    expect(round).toBeLessThan(ROUNDS_MAX);
    advance();
  }
}

/**
 * Starts a server in its own keyspace, with ten books. The test counts its events by its own clock.
 * @param now the clock, in ms
 */
export async function startCounted(now: () => number) {
  const config = await ownKeyspace(testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' }));
  const server = await startServer(config, { clock: () => new Date(now()) });
  await importSample(server.app, 10);
  return { server, books: await bookIds(server) };
}
