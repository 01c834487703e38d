import { errors } from 'cassandra-driver';
import { beforeAll, describe, expect, test } from 'vitest';
import { Recent } from '../src/cassandra/recent-reads.ts';
import { applied, first } from '../src/cassandra/statement.ts';
import { RELEASE } from '../src/config/release.ts';
import { Lease } from '../src/leases/operations.ts';
import { insertLease, selectLease } from '../src/leases/tables.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { intercepted } from './support/intercept.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

/** Returns the values of a metric by its labels, as written after its name. */
async function metric(name: string): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const lines = metrics.split('\n').filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(name.length, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Returns the growth of the values of a metric during some work. */
async function growth(name: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await metric(name);
  await work();
  const after = Object.entries(await metric(name));
  return Object.fromEntries(
    after.map(([labels, value]) => [labels, value - (before[labels] ?? 0)]).filter(([, more]) => more !== 0),
  ) as Record<string, number>;
}

const ask = (query: string) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

const BOOK = '{ book(isbn: "9780439023481") { id } }';

describe('/metrics', () => {
  test('counts answers by their status', async () => {
    const more = await growth('http_responses_total', async () => {
      await ask(BOOK);
      await ask(BOOK);
      await ask('{ nothing }');
      await fetch(`${server.url}/nothing`);
    });
    // The first request for the metrics was also answered.
    expect(more).toEqual({ '{status="200"}': 3, '{status="400"}': 1, '{status="404"}': 1 });
  });

  test('counts errors by their code', async () => {
    const more = await growth('graphql_errors_total', async () => {
      await ask(BOOK);
      await ask('{ nothing }');
      await ask('mutation { like(input: { id: "x" }) { userErrors { code } } }');
    });
    expect(more).toEqual({ '{code="BAD_USER_INPUT"}': 1, '{code="UNAUTHENTICATED"}': 1 });
  });

  test('measures operations by the fields of Query and Mutation', async () => {
    const more = await growth('graphql_field_seconds_count', () =>
      ask('{ viewer { id } a: viewer { id } rateLimit { limit } }'),
    );
    expect(more).toEqual({ '{field="Query.viewer"}': 1, '{field="Query.rateLimit"}': 1 });
  });

  test('counts the hits and misses of a cache', async () => {
    const recent = new Recent<number>({ name: 'OF_A_TEST', milliseconds: 1, sizeMax: 10, monotonicNow: () => 0 });
    const more = await growth('cache_lookups_total', async () => {
      for (let times = 1; times <= 3; times++)
        await (recent.kept('key') ?? recent.keep('key', () => Promise.resolve(1)));
    });
    expect(more).toMatchObject({
      '{cache="OF_A_TEST",result="miss"}': 1,
      '{cache="OF_A_TEST",result="hit"}': 2,
    });
  });

  test('measures statements, and counts those that fail', async () => {
    const failing = (error: Error) => intercepted(server.app.cassandra, () => Promise.reject(error));
    const sent = async () => {
      for (const error of [new errors.OperationTimedOutError('slow', '127.0.0.1'), new TypeError('wrong')])
        await expect(first(failing(error), selectLease, { name: 'none' })).rejects.toThrow();
    };
    expect(await growth('cassandra_statement_errors_total', sent)).toEqual({
      '{statement="SELECT leases",error="unknown"}': 1,
      '{statement="SELECT leases",error="bug"}': 1,
    });
    const more = await growth('cassandra_statement_seconds_count', sent);
    expect(more['{statement="SELECT leases"}']).toBeGreaterThanOrEqual(2);
  });

  test('counts conditional writes that were applied, and those that lost to other writes', async () => {
    const { cassandra, randomId } = server.app;
    const lease = { name: 'of two', holder: randomId(), epoch: 1, heartbeat: 0 };
    const more = await growth('cassandra_conditional_writes_total', async () => {
      for (let times = 1; times <= 2; times++) await applied(cassandra, insertLease, lease);
    });
    expect(more).toMatchObject({
      '{statement="INSERT leases",result="applied"}': 1,
      '{statement="INSERT leases",result="preceded"}': 1,
    });
  });

  test('shows the leases that this server holds, and its release', async () => {
    const lease = new Lease('of a test', server.app.randomId());
    await lease.hold(server.app);
    expect(await metric('lease_held')).toMatchObject({ '{lease="of a test"}': 1 });
    await lease.release(server.app);
    expect(await metric('lease_held')).toMatchObject({ '{lease="of a test"}': 0 });

    let aheadMs = 0;
    const app = { ...server.app, clock: () => new Date(Date.now() + aheadMs) };
    await new Lease('of a clock', server.app.randomId()).hold(app);
    expect(await metric('lease_held')).toMatchObject({ '{lease="of a clock"}': 1 });
    aheadMs = 10_000;
    expect(await metric('lease_held')).toMatchObject({ '{lease="of a clock"}': 0 });

    expect(await metric('release_info')).toEqual({ [`{release="${RELEASE}"}`]: 1 });
  });
});
