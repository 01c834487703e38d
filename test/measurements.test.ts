import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { transactionKinds } from '../src/app/workers.ts';
import type { AppContext } from '../src/context/context.ts';
import { figures } from '../src/measurements/figures.ts';
import { measure } from '../src/measurements/measurements.worker.ts';
import { transact } from '../src/transactions/operations.ts';
import { sendHeartbeat, recoverTransactions, retryDeadLetters } from '../src/transactions/recovery.worker.ts';
import { anotherProcess } from './support/transactions.ts';
import { busiestOf, drawn, periodsBefore, sparkline } from '../tools/top/drawing.ts';
import { registerAdministrator } from './support/accounts.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import type { Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { traced } from './support/tracing.ts';

/** The measurements that servers make of themselves. */

const SECOND = 1_000;
const PERIOD = 10 * SECOND;
const DAY = 86_400 * SECOND;
const KEPT_DAYS = 2;

const environment = testEnvironment({ MEASUREMENTS_KEPT_DAYS: String(KEPT_DAYS), ACCESS_TOKEN_SECONDS: '86400' });
let server: TestServer;
let now = Date.UTC(2026, 5, 10, 12);
let administrator: Client;

beforeAll(async () => {
  server = await startServer(await ownKeyspace(environment), { clock: () => new Date(now) });
  administrator = await registerAdministrator(server);
});

const iso = (time: number) => new Date(time).toISOString();

const points = (series: string, from: number, to: number, client = administrator) =>
  client
    .data(
      'query ($s: String!, $f: DateTime!, $t: DateTime!) { measurements(series: $s, from: $f, to: $t) { at value server } }',
      { s: series, f: iso(from), t: iso(to) },
    )
    .then(({ measurements }) => measurements as { at: string; value: number; server: string }[] | null);

/** Makes a separate process on the same tables. */
const anotherApp = (more: Partial<AppContext> = {}): AppContext => ({
  ...server.app,
  cassandra: { ...server.app.cassandra },
  ...more,
});

describe('a server', () => {
  test('measures its operations, by the fields of the schema for any aliases', async () => {
    const reader = await server.client().registerSomebody();
    // Earlier measurements are discarded.
    figures(server.app).take();
    await reader.data(
      'query Mine { a: viewer { id } b: viewer { id } ...more } fragment more on Query { ... { __typename rateLimit { cost } } }',
    );
    await reader.data('{ viewer { id } }');
    await reader.mutate('updateProfile', { fullName: 'New' }, 'viewer { id }');
    expect(await reader.errorCode('{ book(isbn: "x") { id } }')).toBe('BAD_USER_INPUT');
    expect(await reader.errorCode('{ nothing }')).toBe('BAD_USER_INPUT');
    expect(await reader.errorCode('{')).toBe('BAD_USER_INPUT');
    await measure(server.app);

    const at = iso(Math.floor(now / PERIOD) * PERIOD);
    const only = async (series: string) => {
      const found = await points(series, now - PERIOD, now + PERIOD);
      expect(found).toMatchObject([{ at, server: figures(server.app).serverId }]);
      return found?.[0]?.value;
    };
    expect(await only('requests')).toBe(6);
    expect(await only('errors')).toBe(3);
    expect(await only('requests Query.viewer')).toBe(2);
    expect(await only('requests Query.rateLimit')).toBe(1);
    expect(await only('requests Query.book')).toBe(1);
    expect(await only('requests Mutation.updateProfile')).toBe(1);
    expect(await only('p50 Query.viewer')).toBeGreaterThan(0);
    expect(await only('p99 Query.viewer')).toBeGreaterThanOrEqual((await only('p50 Query.viewer'))!);
    expect(await only('event-loop-delay-p99')).toBeGreaterThanOrEqual(0);
    // No request used these operations.
    expect(await points('p99 Query.trending', now - PERIOD, now + PERIOD)).toEqual([]);
    const { rows } = await server.app.cassandra.client.execute('SELECT DISTINCT series, day FROM measurements');
    const named = rows.map((row) => row['series'] as string).filter((series) => series.includes(' '));
    const operations = ['Query.viewer', 'Query.rateLimit', 'Query.book', 'Mutation.updateProfile'];
    expect(new Set(named)).toEqual(
      new Set(operations.flatMap((operation) => ['requests', 'p50', 'p99'].map((figure) => `${figure} ${operation}`))),
    );
  });

  test('begins again every time', () => {
    const own = figures(anotherApp());
    own.record(['Query.book'], 0.25, true);
    own.record(['Query.book'], 0, false);
    const first = own.take();
    expect(Object.fromEntries(first)).toMatchObject({ requests: 2, errors: 1, 'requests Query.book': 2 });
    // The unit is ms, with two digits.
    expect(first.get('p99 Query.book')).toBeGreaterThan(247);
    expect(first.get('p99 Query.book')).toBeLessThan(253);
    expect(first.get('p50 Query.book')).toBeLessThan(1);
    own.record(['Query.viewer'], 1e9, false);
    expect([...own.take().keys()]).toEqual([
      'requests',
      'errors',
      'event-loop-delay-p99',
      'requests Query.viewer',
      'p50 Query.viewer',
      'p99 Query.viewer',
    ]);
    expect(Object.fromEntries(own.take())).toMatchObject({ requests: 0, errors: 0 });
  });

  test('measures the age of the oldest log entry, and the number of dead letters', async () => {
    now += DAY;
    let monotonicNow = 0;
    const own = anotherProcess(server.app, { monotonicNow: () => monotonicNow });
    const unknown = { name: 'of another version', payload: z.strictObject({}), recover: () => Promise.resolve() };
    await expect(transact(own, unknown, {}, () => Promise.reject(new Error('It failed.')))).rejects.toThrow();
    monotonicNow = 7 * SECOND;
    await sendHeartbeat(own);
    await (
      await recoverTransactions(own, transactionKinds)
    ).tried;
    await retryDeadLetters(server.app, transactionKinds);
    await measure(server.app);
    administrator = await server.client().login(administrator.email);
    expect(await points('log-age', now - PERIOD, now + PERIOD)).toMatchObject([{ value: 7 }]);
    expect(await points('dead-letters', now - PERIOD, now + PERIOD)).toMatchObject([{ value: 1 }]);
    now += PERIOD;
    await sendHeartbeat(own);
    await measure(server.app);
    expect((await points('log-age', now - 2 * PERIOD, now + PERIOD))?.map(({ value }) => value)).toEqual([7, 0]);
  });

  test('writes by itself', async () => {
    // Workers stop when the clock jumps, so this server has its own clock.
    const own = await startServer(await ownKeyspace(), { workers: true });
    const client = await registerAdministrator(own);
    await client.data('{ countries { edges { cursor } } }');
    const lately = () => points('requests Query.countries', Date.now() - 60 * SECOND, Date.now() + PERIOD, client);
    const expected = [{ value: 1, server: figures(own.app).serverId }];
    await expect.poll(lately, { interval: 500 }).toMatchObject(expected);
  });
});

describe('measurements', () => {
  const DAY_OF = '"2026-02-01T00:00:00Z", to: "2026-02-02T00:00:00Z"';

  test.each([
    ['series: "requests", from: "2026-02-01T00:00:01Z", to: "2026-02-01T00:00:00Z"', '"from"'],
    ['series: "requests", from: "2026-02-01T00:00:00Z", to: "2026-02-02T00:00:00.001Z"', '"to"'],
    ...[
      'latency',
      '',
      'requests ',
      'p99',
      'p50 Query.nothing',
      'p99 Book.title',
      'p75 Query.book',
      'errors Query.book',
      'p99 Query.__schema',
      'p99  Query.book',
      'p99 Query.book x',
    ].map((series) => [`series: "${series}", from: ${DAY_OF}`, '"series"']),
  ])('measurements(%s) are refused by name', async (args, argument) => {
    const { errors } = await administrator.send(`{ measurements(${args}) { value } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0]?.message).toContain(argument);
    if (argument === '"series"') expect(errors?.[0]?.message).toMatch(/event-loop-delay-p99.*"p99 Query\.book"/);
  });

  test('are for administrators', async () => {
    const query = `{ measurements(series: "requests", from: ${DAY_OF}) { value } }`;
    expect(await server.client().errorCode(query)).toBe('UNAUTHENTICATED');
    expect(await (await server.client().registerSomebody()).errorCode(query)).toBe('FORBIDDEN');
    expect(await administrator.data(query)).toEqual({ measurements: [] });
    for (const at of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      const farOff = `{ measurements(series: "requests", from: "${at}", to: "${at}") { value } site: siteActivity(granularity: DAY, from: "${at}", to: "${at}") { at } }`;
      expect(await administrator.data(farOff)).toEqual({ measurements: [], site: expect.any(Array) });
    }
    const untilNoon = `{ measurements(series: "requests", from: "9999-12-31T12:00:00Z", to: "9999-12-31T23:00:00Z") { value } }`;
    expect(await administrator.data(untilNoon)).toEqual({ measurements: [] });
  });

  test('are charged for the maximum number of points', async () => {
    const day = (name: string, fields: string) =>
      `${name}: measurements(series: "requests", from: ${DAY_OF}) { ${fields} }`;
    await administrator.data(`{ ${day('a', 'at value server')} }`);
    const { errors } = await administrator.send(`{ ${day('a', 'at value server')} ${day('b', 'value')} }`);
    expect(errors?.[0]?.message).toContain('12002 fields');
  });

  test('are at most 3,000', async () => {
    const begin = Date.UTC(2026, 6, 1);
    const { client } = server.app.cassandra;
    const rows = Array.from({ length: 3_001 }, (_, index) => new Date(begin + index * PERIOD));
    for (let from = 0; from < rows.length; from += 500) {
      const insert =
        "INSERT INTO measurements (series, day, at, server_id, value) VALUES ('errors', '2026-07-01', ?, 00000000-0000-4000-8000-000000000001, 1)";
      const queries = rows.slice(from, from + 500).map((at) => ({ query: insert, params: [at] }));
      await client.batch(queries, { prepare: true, logged: false });
    }
    now = begin + DAY;
    administrator = await server.client().login(administrator.email);
    expect(await points('errors', begin, begin + 3_000 * PERIOD)).toHaveLength(3_000);
    const query = `{ measurements(series: "errors", from: "${iso(begin)}", to: "${iso(begin + DAY)}") { value } }`;
    const { errors } = await administrator.send(query);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('3000 points'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  test('of any range match a model, for days that have not ended', async () => {
    const days = KEPT_DAYS + 4;
    const aMoment = fc.integer({ min: 0, max: days * DAY - 1 });
    const aRun = fc.record({ after: aMoment, requests: fc.integer({ min: 0, max: 9 }), ofOther: fc.boolean() });
    const aRange = fc.record({ after: aMoment, length: fc.oneof(fc.constant(DAY), fc.integer({ min: 0, max: DAY })) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRun, { minLength: 20, maxLength: 60 }),
        fc.array(aRange, { minLength: 10, maxLength: 10 }),
        async (runs, ranges) => {
          const begin = (Math.floor(now / DAY) + 10) * DAY;
          const [one, other] = [anotherApp(), anotherApp()];
          const model = new Map<string, { at: string; value: number; server: string }>();
          for (const { after, requests, ofOther } of runs) {
            now = begin + after;
            const app = ofOther ? other : one;
            for (let count = 0; count < requests; count++) figures(app).record([], 0.001, false);
            await measure(app);
            const at = iso(Math.floor(now / PERIOD) * PERIOD);
            const { serverId } = figures(app);
            model.set(`${at} ${serverId}`, { at, value: requests, server: serverId });
          }
          now = begin + days * DAY;
          administrator = await server.client().login(administrator.email);
          const firstDay = begin + (days - KEPT_DAYS) * DAY;
          for (const { after, length } of ranges) {
            const [from, to] = [begin + after, begin + after + length];
            const expected = [...model.entries()]
              .toSorted(([one], [other]) => (one < other ? -1 : 1))
              .map(([, point]) => point)
              .filter(({ at }) => at >= iso(Math.max(from, firstDay)) && at < iso(to));
            expect(await points('requests', from, to)).toEqual(expected);
          }
        },
      ),
      { numRuns: runs(5, 1), endOnFailure: true },
    );
  });
});

describe('data points past their time', () => {
  test('expire by day: all rows of a day expire together, whenever they were written', async () => {
    const app = anotherApp();
    const day = (Math.floor(now / DAY) + 20) * DAY;
    const runs = [0, 9 * 3_600 * SECOND, DAY - 1];
    for (const after of runs) {
      now = day + after;
      await measure(app);
    }
    const { rows } = await server.app.cassandra.client.execute(
      "SELECT at, TTL(value) AS ttl, WRITETIME(value) AS written, toTimestamp(now()) AS now FROM measurements WHERE series = 'requests' AND day = ?",
      [iso(day).slice(0, 10)],
      { prepare: true },
    );
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const written = Number(row['written']) / 1_000;
      const lasts = (row['ttl'] as number) * SECOND + (row['now'] as Date).getTime() - written;
      const after = runs[rows.indexOf(row)]!;
      // The rows are not read from then on, and expire a minute later.
      const end = (KEPT_DAYS + 1) * DAY + 60 * SECOND;
      expect(Math.abs(after + lasts - end)).toBeLessThan(30 * SECOND);
    }
  });

  test('are not read: no query meets a tombstone', async () => {
    const { client } = server.app.cassandra;
    const today = (Math.floor(now / DAY) + 20) * DAY;
    const ended = today - (KEPT_DAYS + 1) * DAY;
    const insert = 'INSERT INTO measurements (series, day, at, server_id, value) VALUES (?, ?, ?, uuid(), 1)';
    for (let count = 0; count < 50; count++) {
      // The moments are the last ones of a day, and the first ones of the next.
      for (const at of [ended + DAY - (count + 1) * PERIOD, ended + DAY + count * PERIOD]) {
        const ttl = at < ended + DAY ? ' USING TTL 1' : '';
        await client.execute(`${insert}${ttl}`, ['log-age', iso(at).slice(0, 10), new Date(at)], { prepare: true });
      }
    }
    const expired = "SELECT at, value FROM measurements WHERE series = 'log-age' AND day = ?";
    const ofEnded = () => client.execute(expired, [iso(ended).slice(0, 10)], { prepare: true });
    await expect.poll(async () => (await ofEnded()).rowLength).toBe(0);
    now = today;
    administrator = await server.client().login(administrator.email);
    const trace = traced(client);
    // The rows still exist, for a query without that restriction.
    const [careless] = await trace(ofEnded);
    expect(careless).toMatchObject({ label: 'SELECT measurements' });
    expect(careless!.tombstonesRead).toBeGreaterThan(0);

    const from = ended + DAY / 2;
    const read = async () => expect(await points('log-age', from, from + DAY)).toHaveLength(50);
    const statements = (await trace(read)).filter(({ label }) => label === 'SELECT measurements');
    expect(statements).toMatchObject([{ partitionsRead: 1, rowsRead: 50, tombstonesRead: 0, isScan: false }]);
  });
});

describe('npm run admin -- top', () => {
  const tool = join(import.meta.dirname, '../tools/admin/top.ts');
  const run = (...given: string[]) =>
    promisify(execFile)(process.execPath, [tool, ...given], { env: environment }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );

  test('without a terminal prints the last minutes once, of all servers or of each', async () => {
    const servers = [0, 1].map(() => anotherApp({ clock: () => new Date(Date.now() - PERIOD) }));
    for (const [index, app] of servers.entries()) {
      for (let count = 0; count < 100 * (index + 1); count++) figures(app).record(['Query.book'], 0.02, index === 1);
      figures(app).record(['Mutation.like'], 0.5, false);
      await measure(app);
    }
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001B');
    const shown = (name: string) => stdout.split('\n').find((line) => line.startsWith(name)) ?? '';
    expect(stdout).toMatch(/^\d servers, five minutes to \d{4}-\d\d-\d\dT\d\d:\d\d:\d0Z/);
    expect(shown('requests/s')).toContain('█');
    expect(shown('errors/s')).toContain('█');
    expect(shown('event loop delay p99, ms')).toMatch(/ \d+\.\d /);
    expect(shown('dead letters')).toMatch(/ \d /);
    expect(shown('Query.book')).toMatch(/ 20\.\d +20\.\d /);
    expect(shown('Mutation.like')).toMatch(/ 50\d\.\d +50\d\.\d /);
    const each = await run('--by-server');
    for (const app of servers) expect(each.stdout).toContain(`server ${figures(app).serverId.slice(0, 8)}`);
  });

  test('prints its usage', async () => {
    const { code, stderr } = await run('--all');
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: npm run admin -- top');
  });

  test('adds up the counts of servers, and shows the highest of their values for the same log', () => {
    const time = Date.UTC(2026, 0, 1);
    const { from, to } = periodsBefore(new Date(time + 5 * SECOND));
    expect([from, to]).toEqual([new Date(time - 300 * SECOND), new Date(time)]);
    const at = new Date(time - PERIOD);
    const of = (one: number, other: number) => [
      { at, value: one, server: 'a' },
      { at, value: other, server: 'b' },
    ];
    const measured = new Map<string, { at: Date; value: number; server: string }[]>([
      ['requests', of(100, 50)],
      ['dead-letters', of(2, 2)],
      ['requests Query.book', of(30, 0)],
      ['requests Query.books', of(20, 20)],
      ['p99 Query.book', of(7, 9)],
    ]);
    const before = [{ at: new Date(time - 2 * PERIOD), value: 30, server: 'a' }];
    measured.set('requests Mutation.like', before).set('p99 Mutation.like', before);
    expect(busiestOf(measured)).toEqual(['Query.books', 'Mutation.like', 'Query.book']);
    const lines = drawn(measured, new Date(time + 5 * SECOND), false).map((line) => line.trim().split(/ {2,}/));
    expect(lines[0]).toEqual(['2 servers, five minutes to 2026-01-01T00:00:00Z']);
    expect(lines[2]).toEqual(['requests/s', '15.0', '█']);
    expect(lines[3]).toEqual(['errors/s', '-']);
    expect(lines.find(([name]) => name === 'dead letters')).toEqual(['dead letters', '2', '█']);
    expect(lines.find(([name]) => name === 'Query.book')).toEqual(['Query.book', '3.0', '-', '9.0', '█']);
    // No request used it in the last ten seconds.
    expect(lines.find(([name]) => name === 'Mutation.like')).toEqual(['Mutation.like', '0.0', '-', '-', '█']);
    expect(drawn(new Map(), new Date(time), true).at(-1)).toContain('There are no measurements');
  });

  test('draws from 0 to the greatest value', () => {
    expect(sparkline([0, 1, 4, 8, undefined, 3.9])).toBe('▁▁▄█ ▄');
    expect(sparkline([0, 0])).toBe('▁▁');
  });
});
