import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { types, type Client } from 'cassandra-driver';

/**
 * The maximum widths of the partitions of each table according to its schema, and the actual ones.
 */

const CQL_FOLDER = join(import.meta.dirname, '../../cql');

/** The maximum numbers of cells and bytes of a partition. */
export const CELLS_MAX = 1_000_000;
export const BYTES_MAX = 100_000_000;
/** Cassandra stores the write timestamp with each cell, or with the row if it has no cells. */
const WRITE_TIME_BYTES = 8;

const FIXED_BYTES = new Map(
  Object.entries({ boolean: 1, int: 4, date: 4, bigint: 8, double: 8, timestamp: 8, uuid: 16 }),
);

const FIXED_BYTES_BY_CODE = new Map(
  [...FIXED_BYTES].map(([name, bytes]) => [types.dataTypes[name as keyof typeof types.dataTypes], bytes]),
);

/** The bound that a table's `.cql` file declares for its widest partition. */
export interface DeclaredBound {
  readonly rows: number;
  /** The usual bytes of a value, for each column whose type does not define its length. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** A column in the database's own schema. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly kind: 'partition_key' | 'clustering' | 'regular' | 'static';
  readonly position: number;
}

/** The width of a partition. */
export interface Width {
  readonly rows: number;
  readonly cells: number;
  readonly bytes: number;
}

/** A found partition, with its key. */
export interface FoundPartition extends Width {
  readonly key: string;
}

/** The result of scanning a table. */
export interface Survey {
  readonly partitions: number;
  readonly rows: number;
  /**
   * True if all of the table was scanned, false if the scan stopped at the wanted number of rows.
   */
  readonly isAll: boolean;
  readonly widest: FoundPartition | undefined;
}

/**
 * The nodes' own figures of a table: sums, except for the largest partition; null while they are
 * unknown.
 */
export interface NodeSizes {
  readonly diskMiB: number | null;
  readonly largestPartitionMiB: number | null;
  readonly estimatedPartitions: number | null;
}

/** @throws Error if a bound cannot be read */
export function parseBound(comment: string): DeclaredBound | undefined {
  const text = comment.replace(/\n--/g, '').replace(/\s+/g, ' ');
  const [, rows, columns] = /\bBound: ([\d,]+) rows?\b[^;.]*(?:\.\d[^;.]*)?(?:; ([\w, ]+) bytes)?\./.exec(text) ?? [];
  if (rows === undefined) return undefined;
  const number = (digits: string) => Number(digits.replaceAll(',', ''));
  const bytes = [...(columns ?? '').matchAll(/(\w+) ([\d,]*\d)/g)].map(
    ([, column = '', width = '']) => [column, number(width)] as const,
  );
  return { rows: number(rows), bytes: new Map(bytes) };
}

/** Reads the bounds that `cql/*.cql` declares, by table. */
export async function declaredBounds(): Promise<Map<string, DeclaredBound>> {
  const bounds = new Map<string, DeclaredBound>();
  for (const file of (await readdir(CQL_FOLDER)).filter((name) => name.endsWith('.cql')).sort()) {
    const text = await readFile(join(CQL_FOLDER, file), 'utf8');
    for (const [, comment = '', table = ''] of text.matchAll(/((?:^--.*\n)+)CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)) {
      const bound = parseBound(comment);
      if (bound) bounds.set(table, bound);
    }
  }
  return bounds;
}

/** Reads the columns of every table of a keyspace. */
export async function tablesOf(client: Client, keyspace: string): Promise<Map<string, Column[]>> {
  const { rows } = await client.execute(
    'SELECT table_name, column_name, type, kind, position FROM system_schema.columns WHERE keyspace_name = ?',
    [keyspace],
    { prepare: true, fetchSize: 5_000 },
  );
  const columns = rows.map((row) => ({
    table: row['table_name'] as string,
    name: row['column_name'] as string,
    type: row['type'] as string,
    kind: row['kind'] as Column['kind'],
    position: row['position'] as number,
  }));
  return Map.groupBy(columns, ({ table }) => table);
}

const ofKind = (columns: readonly Column[], ...kinds: Column['kind'][]) =>
  columns.filter(({ kind }) => kinds.includes(kind));

/**
 * Computes the width of a partition with a number of rows: `cells = rows × (columns − key columns −
 * static columns) + static columns`; `bytes = partition key + static columns + rows × (clustering
 * and regular columns) + 8 × cells`, at least 8 a row (Carpenter and Hewitt, Cassandra: The
 * Definitive Guide, "Calculating Partition Size").
 * @param bytesOf the usual bytes of a column's values
 */
export function widthOf(columns: readonly Column[], rows: number, bytesOf: (column: Column) => number): Width {
  const [regular, fixed] = [ofKind(columns, 'regular').length, ofKind(columns, 'static').length];
  const total = (...kinds: Column['kind'][]) =>
    ofKind(columns, ...kinds).reduce((sum, column) => sum + bytesOf(column), 0);
  const cells = rows * regular + fixed;
  const writeTimes = WRITE_TIME_BYTES * (rows * Math.max(1, regular) + fixed);
  const bytes = total('partition_key', 'static') + rows * total('clustering', 'regular') + writeTimes;
  return { rows, cells, bytes };
}

/**
 * Computes the width that the widest partition of a table may have.
 * @throws Error naming the column whose length is not declared
 */
export const boundOf = (columns: readonly Column[], { rows, bytes }: DeclaredBound): Width =>
  widthOf(columns, rows, ({ name, type }) => {
    const width = FIXED_BYTES.get(type) ?? bytes.get(name);
    if (width === undefined) throw new Error(`the bound does not give the bytes of ${name} (${type})`);
    return width;
  });

/**
 * Computes the stored length of a value in Cassandra. Each part of a list or of a user type is
 * preceded by 4 bytes.
 */
function storedBytes(value: unknown, { code, info }: Type): number {
  if (value === null || value === undefined) return 0;
  const { ascii, text, varchar, list, set, udt } = types.dataTypes;
  if (code === ascii || code === text || code === varchar) return Buffer.byteLength(value as string);
  if (code === list || code === set) {
    const parts = Array.from(value as Iterable<unknown>);
    return parts.reduce<number>((sum, part) => sum + 4 + storedBytes(part, info as Type), 4);
  }
  if (code === udt) {
    const { fields } = info as { fields: { name: string; type: Type }[] };
    const parts = value as Record<string, unknown>;
    return fields.reduce((sum, { name, type }) => sum + 4 + storedBytes(parts[name], type), 0);
  }
  return FIXED_BYTES_BY_CODE.get(code) ?? 0;
}

interface Type {
  readonly code: types.dataTypes;
  readonly info: unknown;
}

const ROWS_PER_READ = 1_000;

/**
 * Reads a sample of a table's partitions from a random place in the ring, each as a whole.
 * @param rowsMax no partition is begun after this number of rows
 */
export async function survey(
  client: Client,
  keyspace: string,
  table: string,
  columns: readonly Column[],
  rowsMax: number,
): Promise<Survey> {
  const key = ofKind(columns, 'partition_key').toSorted((one, other) => one.position - other.position);
  const token = `token(${key.map(({ name }) => name).join(', ')})`;
  const select = `SELECT ${columns.map(({ name }) => name).join(', ')} FROM ${keyspace}.${table} WHERE ${token}`;
  const begin = randomBytes(8).readBigInt64BE();
  let [partitions, rows] = [0, 0];
  let widest: FoundPartition | undefined;
  for (const range of ['>', '<=']) {
    const options = { prepare: true, fetchSize: ROWS_PER_READ };
    const found = await client.execute(`${select} ${range} ?`, [begin], options);
    const typeOf = new Map(found.columns.map(({ name, type }) => [name, type as Type]));
    let current: FoundPartition | undefined;
    const finish = () => {
      if (current && (!widest || current.bytes > widest.bytes)) widest = current;
    };
    for await (const row of found) {
      const name = key.map((column) => String(row[column.name])).join(', ');
      if (current?.key !== name) {
        finish();
        if (rows >= rowsMax) return { partitions, rows, isAll: false, widest };
        partitions++;
        current = { key: name, ...measured(row, typeOf, ofKind(columns, 'partition_key', 'static')), rows: 0 };
      }
      const { cells, bytes } = measured(row, typeOf, ofKind(columns, 'clustering', 'regular'));
      current = {
        key: name,
        rows: current.rows + 1,
        cells: current.cells + cells,
        bytes: current.bytes + bytes + (cells === 0 ? WRITE_TIME_BYTES : 0),
      };
      rows++;
    }
    finish();
  }
  return { partitions, rows, isAll: true, widest };
}

function measured(row: types.Row, typeOf: ReadonlyMap<string, Type>, columns: readonly Column[]) {
  let [cells, bytes] = [0, 0];
  for (const { name, kind } of columns) {
    const type = typeOf.get(name);
    const value: unknown = row[name];
    if (value === null || !type) continue;
    bytes += storedBytes(value, type);
    if (kind !== 'regular' && kind !== 'static') continue;
    cells++;
    bytes += WRITE_TIME_BYTES;
  }
  return { cells, bytes };
}

/**
 * Reads the nodes' own figures of every table of a keyspace. Each node's tables of sizes contain
 * only its own figures.
 */
export async function nodeSizes(client: Client, keyspace: string): Promise<Map<string, NodeSizes>> {
  const sizes = new Map<string, NodeSizes>();
  const queries = {
    diskMiB: 'SELECT table_name, mebibytes AS size FROM system_views.disk_usage',
    largestPartitionMiB: 'SELECT table_name, mebibytes AS size FROM system_views.max_partition_size',
    estimatedPartitions: 'SELECT table_name, partitions_count AS size FROM system.size_estimates',
  } as const;
  const unknown = { diskMiB: null, largestPartitionMiB: null, estimatedPartitions: null };
  for (const host of client.hosts.values()) {
    for (const [what, query] of Object.entries(queries) as [keyof NodeSizes, string][]) {
      const where =
        what === 'estimatedPartitions' ? ' WHERE keyspace_name = ?' : ' WHERE keyspace_name = ? ALLOW FILTERING';
      const { rows } = await client.execute(query + where, [keyspace], { prepare: true, host, fetchSize: 5_000 });
      for (const row of rows) {
        const known = sizes.get(row['table_name'] as string) ?? unknown;
        const [before, size] = [known[what] ?? 0, Number(row['size'])];
        const after = what === 'largestPartitionMiB' ? Math.max(before, size) : before + size;
        sizes.set(row['table_name'] as string, { ...known, [what]: after });
      }
    }
  }
  return sizes;
}
