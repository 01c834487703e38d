import { randomUUID } from 'node:crypto';
import { types, type Client } from 'cassandra-driver';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { personalTables } from '../src/app/personal-data.ts';
import { features } from '../src/features.ts';
import { UNCOUNTED } from '../src/likes/aggregate.ts';
import { connectCassandra } from '../src/cassandra/client.ts';
import { allStatements, appliedBatch, batch, bind, write } from '../src/cassandra/statement.ts';
import { declaredSchema } from '../src/schema/declared.ts';
import { likedItems, likeStates } from '../src/likes/tables.ts';
import '../src/app/workers.ts';
import '../src/http/server.ts';
import { sharedKeyspace } from './support/app.ts';
import { intercepted } from './support/intercept.ts';

/** The driver's metadata of a prepared statement. */
interface Prepared {
  readonly meta: { readonly columns: { name: string }[] };
}

describe('every statement, against the real schema', () => {
  let client: Client;
  let prepared: Map<string, Prepared>;

  beforeAll(async () => {
    const config = await sharedKeyspace();
    ({ client } = await connectCassandra(config.cassandra));
    prepared = new Map();
    for (const { cql } of allStatements()) {
      // The driver prepares the statement, then fails because the values are missing, so nothing is
      // executed.
      await client.execute(cql, {}, { prepare: true }).catch((error: unknown) => {
        if (!String(error).includes('not defined')) throw new Error(`${cql}\n${String(error)}`);
      });
      const metadata = client.metadata as unknown as { getPreparedInfo: (keyspace: string, cql: string) => Prepared };
      prepared.set(cql, metadata.getPreparedInfo(config.cassandra.keyspace, cql));
    }
    return () => client.shutdown();
  });

  test('exists, and can be prepared', () => {
    expect(prepared.size).toBeGreaterThan(30);
    expect(prepared.size).toBe(allStatements().length);
  });

  test('takes exactly the values that it declares', () => {
    for (const statement of allStatements()) {
      const markers = prepared.get(statement.cql)?.meta.columns.map(({ name }) => name);
      expect(new Set(keysOf(statement)), statement.cql).toEqual(new Set(markers));
    }
  });

  test('selects exactly the columns that its row has', () => {
    for (const { cql, row } of allStatements()) {
      const selected = /^\s*SELECT ([\s\S]*?) FROM/.exec(cql)?.[1];
      if (selected === undefined) continue;
      const columns = selected.split(/,\s*(?![^(]*\))/).map((column) => column.split(' AS ').at(-1)?.trim());
      expect(new Set(keysOf({ params: row })), cql).toEqual(new Set(columns));
    }
  });

  test('names its whole partition key: none scans, none filters', () => {
    for (const { cql, rowsPerPage } of allStatements()) {
      expect(cql).not.toMatch(/ALLOW FILTERING/i);
      // Cassandra itself refuses an INSERT without its whole key.
      if (cql.startsWith('INSERT')) continue;
      const columns = keysOfTable(cql, 'partition_key');
      expect(columns, cql).not.toEqual([]);
      // Only an audit walks a table from end to end, a page at a time.
      const token = `token(${columns.join(', ')})`;
      if (rowsPerPage !== undefined && cql.endsWith(`WHERE ${token} > :above AND ${token} <= :up_to`)) continue;
      for (const column of columns) expect(cql).toMatch(new RegExp(`\\b${column} (?:=|IN) :`));
    }
  });

  test('uses a table whose compaction suits its writes', async () => {
    const compactionOf = new Map(
      (await declaredSchema()).tables.map(({ name, options }) => [name, /'class': '(\w+)'/.exec(options)?.[1]]),
    );
    const tableOf = (cql: string) => /\b(?:FROM|INTO|UPDATE) (\w+)/.exec(cql)?.[1];
    const tablesOf = (pattern: RegExp) =>
      new Set(allStatements().flatMap(({ cql }) => (pattern.test(cql) ? (tableOf(cql) ?? []) : [])));
    const compactedBy = (strategy: string) => [...compactionOf].flatMap(([name, by]) => (by === strategy ? name : []));

    expect(compactedBy('LeveledCompactionStrategy').toSorted()).toEqual(
      [...tablesOf(/ IF state = :current$/)].toSorted(),
    );

    const windowed = compactedBy('TimeWindowCompactionStrategy');
    expect(windowed).toContain('measurements');
    expect(windowed.filter((table) => tablesOf(/\bUSING TIMESTAMP\b/).has(table))).toEqual([]);
  });

  test('reads at most the rows that it declares', () => {
    for (const { cql, rowsPerPage } of allStatements()) {
      if (!cql.startsWith('SELECT')) {
        expect(rowsPerPage, cql).toBeUndefined();
        continue;
      }
      if (rowsPerPage === undefined) {
        // A test above checks that whole partition keys are named.
        const isBounded = /LIMIT :\w+$/.test(cql) || readsByKeys(cql);
        expect(isBounded, `${cql}\nneeds a LIMIT, every key column, or "rowsPerPage"`).toBe(true);
      } else {
        expect(cql).not.toMatch(/(?<!PER PARTITION )LIMIT/);
        expect(rowsPerPage, cql).toBeLessThanOrEqual(1_000);
      }
    }
  });

  test('every table of the schema declares how it is exported and erased, or that it has no personal data', async () => {
    const inSchema = (what: string) =>
      client.execute(`SELECT ${what} WHERE keyspace_name = ?`, [client.keyspace], { prepare: true });
    const tables = await inSchema('table_name FROM system_schema.tables');
    const names = tables.rows.map((row) => row['table_name'] as string);
    const impersonalTables = features.flatMap((room) => room.impersonalTables ?? []);
    expect([...personalTables.map(({ table }) => table), ...impersonalTables].toSorted()).toEqual(names.toSorted());
    const columns = await inSchema('table_name, column_name FROM system_schema.columns');
    const named = columns.rows
      .filter((row) => /user|email|name$|address|device|caller|payload/.test(row['column_name'] as string))
      .map((row) => row['table_name'] as string);
    // The names in these tables are not those of people.
    const others = [
      'audits',
      'leases',
      'genres',
      'books_by_series',
      'schema_steps',
      'libraries_by_id',
      'libraries_by_city',
      'libraries_by_city_opened',
      'libraries_by_cell',
      'places',
    ];
    const suspects = [...new Set(named)].filter((table) => !others.includes(table));
    for (const table of suspects) expect(impersonalTables, table).not.toContain(table);
  });

  function readsByKeys(cql: string): boolean {
    // Rows by ten minutes are bounded by their day, rows by month or day by a reader's lifetime,
    // rows by hour by their month, and counts by the likes that fill a shard; a sum or count is one
    // row.
    if (
      / FROM (?:months_by_user|action_months_by_user|click_buckets_by_day|logins_by_user_day|logins_by_user_hour|like_counts|rating_counts)\b/.test(
        cql,
      )
    )
      return true;
    if (cql.startsWith('SELECT count(*)') || / GROUP BY (?:likeable|session)_id$/.test(cql)) return true;
    const where = cql.slice(cql.indexOf('WHERE'));
    return keysOfTable(cql, 'partition_key', 'clustering').every((column) => new RegExp(`\\b${column}\\b`).test(where));
  }

  let keyColumns: { table_name: string; column_name: string; kind: string; position: number }[];
  beforeAll(async () => {
    const { rows } = await client.execute(
      'SELECT table_name, column_name, kind, position FROM system_schema.columns WHERE keyspace_name = ?',
      [client.keyspace],
      { prepare: true },
    );
    keyColumns = rows as unknown as typeof keyColumns;
  });

  /** The columns in their order within the key. */
  function keysOfTable(cql: string, ...kinds: string[]): string[] {
    const table = /(?:FROM|UPDATE) (\w+)/.exec(cql)?.[1];
    return keyColumns
      .filter(({ table_name, kind }) => table_name === table && kinds.includes(kind))
      .toSorted((one, other) => one.position - other.position)
      .map(({ column_name }) => column_name);
  }
});

const keysOf = ({ params }: { readonly params: unknown }) =>
  Object.keys((params as { shape: Record<string, unknown> }).shape);

test('the helper refuses values that the bare driver accepts', async () => {
  const { selectBooks } = await import('../src/catalogue/tables.ts');
  expect(() => z.encode(selectBooks.params, { book_ids: ['x'], surplus: 1 } as never)).toThrow(/surplus/);
  expect(() => z.encode(selectBooks.params, { book_ids: undefined } as never)).toThrow();
  expect(() => z.decode(selectBooks.row, { book_id: 'x', title: null })).toThrow(/title/);
});

test('a conditional statement is sent once, and decided at the configured level; any other may be repeated', async () => {
  const config = await sharedKeyspace({ CASSANDRA_SERIAL_CONSISTENCY: 'LOCAL_SERIAL' });
  const cassandra = await connectCassandra(config.cassandra);
  onTestFinished(() => cassandra.client.shutdown());
  const { localSerial } = types.consistencies;
  const options: [boolean | undefined, types.consistencies | undefined, types.consistencies | undefined][] = [];
  const seen = intercepted(cassandra, (sent) => {
    options.push([sent.options.isIdempotent, sent.options.consistency, sent.options.serialConsistency]);
    return sent.send();
  });
  const key = { user_id: randomUUID(), likeable_id: 'Book:9780439023481' };
  const state = {
    liked: true,
    version: 1,
    liked_at: new Date(),
    changed_at: new Date(),
    shard: 0,
    former_shard: null,
    ...UNCOUNTED,
    change_id: randomUUID(),
  };
  const of = { ...key, year: 2026, liked_at: new Date(), version: 1n };
  const item = { ...of, title: '', authors: [] };
  await likeStates.compareAndSet(seen, key, null, state);
  await likeStates.read(seen, key);
  await appliedBatch(seen, [likeStates.bind(key, state, state)]);
  await write(seen, likedItems.insert, item);
  await batch(seen, [bind(likedItems.insert, item), bind(likedItems.delete, of)]);
  expect(options).toEqual([
    [false, undefined, localSerial],
    [true, localSerial, undefined],
    [false, undefined, localSerial],
    [true, undefined, undefined],
    [true, undefined, undefined],
  ]);
});
