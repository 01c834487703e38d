import { beforeAll, expect, test } from 'vitest';
import { applyMigrations, isMoved } from '../src/app/migrations.ts';
import type { CassandraConfig } from '../src/config/config.ts';
import { compareReleases } from '../src/config/release.ts';
import { doJobs } from '../src/jobs/jobs.worker.ts';
import { withSchemaClient } from '../src/schema/client.ts';
import { contract } from '../src/schema/migrate.ts';
import { readMigrations } from '../src/schema/migrations.ts';
import { MINUTE_MS } from '../src/time/units.ts';
import { ownKeyspace, releasedKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import { jsonRows } from '../tools/support/patience.ts';
import { readReleased } from '../tools/support/stored-forms.ts';

/** A keyspace of release 1.0.0 gets the rows and the schema that this release has besides. */

/** The fields that release 1.0.0 does not know. It knows the start of a reading, not of a step. */
const LATER_FIELDS = {
  books: /, "(?:work_id|source_ids|other_isbns|description|series)": (?:\[.*?\]|".*?"|null)/g,
  readings_by_user:
    /, "(?:import_id": (?:"[^"]*"|null), "started_on|import_id|imported_on|gone_years)": (?:\[.*?\]|"[^"]*"|null)/g,
};

/** A server of this release alone, and the one whose keyspace was of release 1.0.0. */
let server: TestServer;
let later: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, 20);
  const [bookId] = await bookIds(server);
  const reader = await server.client().registerSomebody();
  expect(await reader.mutate('markAsRead', { bookId, finishedOn: '2019-03-04' }, '')).toMatchObject({ userErrors: [] });

  const config = await releasedKeyspace();
  await withSchemaClient(config.cassandra, config.cassandra.keyspace, async (client) => {
    for (const [table, fields] of Object.entries(LATER_FIELDS))
      for (const row of await jsonRows(server.app.cassandra.client, table))
        await client.execute(`INSERT INTO ${table} JSON ?`, [row.replaceAll(fields, '')], { prepare: true });
  });

  await applyMigrations(config.cassandra, () => undefined);
  // The workers leave a new job alone for some seconds.
  later = await startServer(config, { clock: () => new Date(Date.now() + MINUTE_MS) });
  for (const migration of await readMigrations())
    while (!(await isMoved(config.cassandra, migration))) await doJobs(later.app);
});

test('the editions of its books, and their rows by other forms of words', async () => {
  const editions = (await jsonRows(later.app.cassandra.client, 'editions_by_work')).map(
    (row) => JSON.parse(row) as { book_id: string; work_id: string },
  );
  expect(editions.length).toBeGreaterThanOrEqual(20);
  for (const { book_id, work_id } of editions) expect(work_id).toBe(book_id);
  expect((await audited(later.app, [auditOf('books')])).drift).toEqual([]);
});

test('the series of its books', async () => {
  const rowsIn = async ({ app }: TestServer) => (await jsonRows(app.cassandra.client, 'books_by_series')).toSorted();
  expect((await rowsIn(server)).length).toBeGreaterThan(5);
  expect(await rowsIn(later)).toEqual(await rowsIn(server));
});

test('the years of its readings', async () => {
  const rowsIn = async ({ app }: TestServer) =>
    (await jsonRows(app.cassandra.client, 'books_finished_by_year')).toSorted();
  expect(await rowsIn(server)).toHaveLength(1);
  expect(await rowsIn(later)).toEqual(await rowsIn(server));
});

/**
 * Reads the options of all tables and the order of their rows, which differ neither by keyspace nor
 * by table.
 */
const optionsOf = (config: CassandraConfig) =>
  withSchemaClient(config, undefined, async (client) => {
    const read = async (what: string) =>
      (await client.execute(`SELECT * FROM system_schema.${what} WHERE keyspace_name = ?`, [config.keyspace])).rows.map(
        ({ keyspace_name: _keyspace, id: _id, ...options }: Record<string, unknown>) => options,
      );
    const orders = (await read('columns')).map((column) => [
      `${String(column['table_name'])}.${String(column['column_name'])}`,
      column['clustering_order'],
    ]);
    const options = (await read('tables')).map((table) => [table['table_name'], table]);
    return { orders: Object.fromEntries(orders), options: Object.fromEntries(options) };
  });

test('the tables of a new one', async () => {
  const { cassandra } = later.app.config;
  /** Nothing delays a contraction. */
  const ready = { oldestServer: () => Promise.resolve(undefined), isMoved: () => Promise.resolve(true) };
  const { release } = await readReleased();
  for (const { name, release: since, contract: steps } of await readMigrations())
    if (compareReleases(since, release) > 0 && steps.length > 0)
      await contract(cassandra, () => undefined, name, ready);
  expect(await optionsOf(cassandra)).toEqual(await optionsOf(server.app.config.cassandra));
});
