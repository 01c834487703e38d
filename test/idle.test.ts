import { beforeAll, expect, test } from 'vitest';
import { everyWorker } from '../src/app/workers.ts';
import type { AppContext } from '../src/context/context.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { importSample } from './support/books.ts';
import { intercepted } from './support/intercept.ts';

/**
 * An idle server sends few statements. Each further server adds only the statements that are not
 * under a lease.
 */

const SECOND = 1_000;
const MEASURED_SECONDS = 120;

let server: TestServer;
let now = Date.now();

beforeAll(async () => {
  const config = await ownKeyspace();
  // The clock of the test is ahead, and is still compared.
  server = await startServer(
    { ...config, clockSkewMaxMs: 3_600_000 },
    { clock: () => new Date(now), monotonicNow: () => now },
  );
  await importSample(server.app, 10);
});

/** Makes a server that counts its statements. */
function countingServer() {
  const sent = { statements: [] as string[] };
  const cassandra = intercepted(server.app.cassandra, ({ cql, send }) => {
    sent.statements.push(cql);
    return send();
  });
  const app: AppContext = { ...server.app, cassandra };
  /**
   * Runs everything that is due in a second of a server's life, and adds up the statements by
   * worker.
   */
  const live = async (second: number, sums: Map<string, number>) => {
    for (const { name, periodMs, run } of everyWorker) {
      if ((second * SECOND) % periodMs !== 0) continue;
      sent.statements = [];
      await run(app, new AbortController().signal);
      sums.set(name, (sums.get(name) ?? 0) + sent.statements.length);
    }
  };
  return { live };
}

test('an idle server sends at most 10 statements a second, and one that holds no lease at most 6', async () => {
  const servers = [countingServer(), countingServer()];
  const sums = servers.map(() => new Map<string, number>());
  const liveFor = async (seconds: number, counted: readonly Map<string, number>[]) => {
    for (let second = 1; second <= seconds; second++) {
      now += SECOND;
      for (const [index, { live }] of servers.entries()) await live(second, counted[index]!);
    }
  };
  // The first server takes the leases, and audits and counts everything.
  await liveFor(60, [new Map(), new Map()]);
  await liveFor(MEASURED_SECONDS, sums);

  const perSecond = sums.map((ofServer) =>
    [...ofServer].map(([name, count]) => [name, count / MEASURED_SECONDS] as const),
  );
  const [holder, other] = perSecond.map((of) => of.reduce((sum, [, count]) => sum + count, 0));
  expect(holder, JSON.stringify(perSecond)).toBeLessThanOrEqual(10);
  expect(other, JSON.stringify(perSecond)).toBeLessThanOrEqual(6);
  const jobs = perSecond.map((of) => of.find(([name]) => name === 'jobs')?.[1]);
  expect(jobs[0]).toBeLessThanOrEqual(1.5);
  expect(jobs[1]).toBeLessThanOrEqual(0.5);
});
