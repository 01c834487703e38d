import { expect, test } from 'vitest';
import { RELEASE } from '../src/config/release.ts';
import { oldestRelease } from '../src/transactions/operations.ts';
import { ownKeyspace, sharedKeyspace, startServer, startServerProcess, testEnvironment } from './support/app.ts';

/** The end of a server at a signal. */

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Returns the health that a server reports, and whether it closes the connection. */
async function readiness(url: string) {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: await response.json(), connection: response.headers.get('connection') };
}

test('a server records its release; about to end, it reports that on both ports, continues to answer, and releases its leases', async () => {
  const environment = testEnvironment({ DRAIN_SECONDS: '2', METRICS_PORT: '0' });
  const { cassandra } = (await startServer(await ownKeyspace(environment))).app;
  const { client } = cassandra;
  const holders = async () => {
    const { rows } = await client.execute('SELECT name, holder FROM leases');
    const held = rows.map((row): [string, string] => [String(row['name']), String(row['holder'])]);
    return Object.fromEntries(held.filter(([name]) => ['jobs', 'events', 'genres'].includes(name)));
  };
  const { url, process, ended, printed } = await startServerProcess(environment);
  const metrics = /Metrics +(\S+)\/metrics/.exec(printed())?.[1] ?? '';
  for (const each of [url, metrics]) expect(await readiness(each)).toMatchObject({ status: 200 });
  await expect.poll(async () => Object.keys(await holders()).length).toBe(3);
  expect(Object.values(await holders())).not.toContain(NOBODY);
  // So nothing that it needs is dropped.
  expect(await oldestRelease(cassandra)).toBe(RELEASE);

  process.kill('SIGTERM');
  await expect.poll(async () => (await readiness(url)).status).toBe(503);
  const body = { status: 'not ready', reason: 'this server is about to end' };
  expect(await readiness(url)).toEqual({ status: 503, body, connection: 'close' });
  expect(await readiness(metrics)).toMatchObject({ status: 503, body });
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
  expect(await ended).toBe(0);
  expect(await holders()).toEqual({ jobs: NOBODY, events: NOBODY, genres: NOBODY });
});

test('a second signal ends a server that waits for load balancers', async () => {
  const { cassandra } = await sharedKeyspace();
  const environment = testEnvironment({ DRAIN_SECONDS: '60', CASSANDRA_KEYSPACE: cassandra.keyspace });
  const { process, ended, printed } = await startServerProcess(environment);
  process.kill('SIGTERM');
  await expect.poll(printed).toContain('continues to answer for 60 s');
  process.kill('SIGTERM');
  expect(await ended).toBe(0);
});
