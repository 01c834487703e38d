import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  boundOf,
  BYTES_MAX,
  CELLS_MAX,
  declaredBounds,
  parseBound,
  survey,
  tablesOf,
  type Column,
  type DeclaredBound,
} from '../tools/partitions/widths.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';

import { PATIENTLY } from '../tools/support/patience.ts';
const environment = testEnvironment();
let server: TestServer;
let tables: Map<string, Column[]>;
let bounds: Map<string, DeclaredBound>;
let keyspace: string;

beforeAll(async () => {
  server = await startServer(await ownKeyspace(environment));
  ({ keyspace } = server.app.config.cassandra);
  tables = await tablesOf(server.app.cassandra.client, keyspace);
  bounds = await declaredBounds();
});

const boundOfTable = (table: string) => boundOf(tables.get(table) ?? [], bounds.get(table)!);

describe('the bound of every table', () => {
  test('is documented above it, and keeps a partition under a million cells and 100 MB', () => {
    expect(tables.size).toBeGreaterThan(50);
    for (const [table, columns] of tables) {
      if (table === 'schema_steps') continue;
      const declared = bounds.get(table);
      expect(declared, `${table} has no bound`).toBeDefined();
      const { cells, bytes } = boundOf(columns, declared!);
      expect(cells, table).toBeLessThanOrEqual(CELLS_MAX);
      expect(bytes, table).toBeLessThan(BYTES_MAX);
    }
    for (const table of bounds.keys()) expect([...tables.keys()]).toContain(table);
  });

  test('follows from the schema by the formula', () => {
    // The formula is 49,000 rows × 3 columns + 5 static columns; 30 + 4 of the key, 4 + 4 + 4 + 1 +
    // 1 static, 1 + 8 + 16 of the clustering key, 4 + 30 + 8 of the columns, 8 a cell.
    expect(boundOfTable('user_by_item')).toEqual({
      rows: 49_000,
      cells: 49_000 * 3 + 5,
      bytes: 34 + 14 + 49_000 * (25 + 42) + 8 * 147_005,
    });
    // The table has no column besides the key, so the row itself has the write timestamp.
    expect(boundOfTable('readers_by_book')).toEqual({
      rows: 1_000_000,
      cells: 0,
      bytes: 13 + 4 + 1_000_000 * (16 + 8),
    });
  });

  test.each([
    ['-- Bound: 1 row.', { rows: 1, bytes: {} }],
    ['-- Bound: 1,200 rows, a row a month; list 20 bytes.', { rows: 1_200, bytes: { list: 20 } }],
    ['-- Bound: 9 rows, every 8.6 s of\n-- a day; a 3, b 5,000 bytes. More.', { rows: 9, bytes: { a: 3, b: 5_000 } }],
    ['-- Bound: some rows.', undefined],
  ])('is read from %j', (comment, expected) => {
    const bound = parseBound(comment);
    expect(bound && { rows: bound.rows, bytes: Object.fromEntries(bound.bytes) }).toEqual(expected);
  });

  test('must give the bytes of every column whose type does not define them', () => {
    const bound = { rows: 1, bytes: new Map([['book_id', 13]]) };
    expect(() => boundOf(tables.get('books')!, bound)).toThrow('state (frozen<book_state>)');
  });
});

describe('the data of the tables', () => {
  const measure = (table: string, rowsMax: number) =>
    survey(server.app.cassandra.client, keyspace, table, tables.get(table)!, rowsMax);

  test('is measured as stored: the widest partition by its rows, cells and bytes', async () => {
    const { client } = server.app.cassandra;
    for (const [inside, names] of [
      ['A', ['x']],
      ['Ää', ['one', 'three', 'two']],
      ['B', ['y', 'z']],
    ] as const) {
      for (const name of names) {
        await client.execute('INSERT INTO places (inside, name_sort, name) VALUES (?, ?, ?)', [inside, name, name], {
          prepare: true,
        });
      }
    }
    const letters = 'onethreetwo'.length;
    const widest = { key: 'Ää', rows: 3, cells: 3, bytes: 4 + 2 * letters + 3 * 8 };
    expect(await measure('places', 100)).toEqual({ partitions: 3, rows: 6, isAll: true, widest });
    const sample = await measure('places', 1);
    expect(sample).toMatchObject({ partitions: 1, isAll: false });
    // A partition that has been begun is read to its end.
    expect(sample.rows).toBe(sample.widest?.rows);
  });
});

describe('npm run admin -- partitions', () => {
  const tool = join(import.meta.dirname, '../tools/admin/partitions.ts');
  const run = (...given: string[]) =>
    promisify(execFile)(process.execPath, [tool, ...given], { env: environment }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: unknown) => error as { code: number; stdout: string },
    );

  test('prints every table, and exits with 1 if one has no bound or is too wide', async () => {
    const { code, stdout } = await run('--json');
    expect(code).toBe(0);
    const { tables: lines } = JSON.parse(stdout);
    expect(lines).toHaveLength(tables.size - 1);
    expect(lines.find(({ table }: { table: string }) => table === 'places')).toMatchObject({
      bound: { rows: 50_000 },
      found: { isAll: true, widest: { key: 'Ää', rows: 3 } },
      growth: 50_000 / 3,
      problems: [],
    });
    const { client } = server.app.cassandra;
    await client.execute('CREATE TABLE unbounded (id int PRIMARY KEY)', [], PATIENTLY);
    const failed = await run();
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/unbounded: no bound is written above it/);
    expect(failed.stdout).toContain(`${String(tables.size)} tables, 1 over`);
    await client.execute('DROP TABLE unbounded', [], PATIENTLY);
  });

  test('prints its usage', async () => {
    const { code, stdout } = await run('--rows', 'many');
    expect(code).toBe(2);
    expect(stdout).toContain('--rows is a whole number of rows');
  });
});
