import type { Restriction } from './cql.ts';
import type { PartitionKey, Query } from './mutation.ts';
import type { Slice } from './replica.ts';
import { visibleRow, visibleRows, visibleStatics, type Partition } from './rows.ts';
import type { Table } from './schema.ts';
import {
  comparable,
  compare,
  compareAll,
  encode,
  numberOf,
  type Comparable,
  type Row,
  type Value,
  type Values,
} from './values.ts';
import { types } from 'cassandra-driver';

/** Computes the result of a SELECT from the rows of replicas. */

/** The number of rows to return at once, and the page before them. */
export interface Paging {
  readonly fetchSize?: number;
  readonly pageState?: string;
}

export interface Result {
  readonly rows: Row[];
  /** Null if there are no more rows. */
  readonly pageState: string | null;
}

/** A partition that was read. */
export interface Read {
  readonly of: PartitionKey;
  readonly found: Partition;
}

/** The position of a row: its partition, and its place in that. */
interface Position {
  readonly token: bigint;
  readonly order: readonly Comparable[];
}

/** Returns the rows that a query asks of each partition. */
export function sliceOf({ parsed: { table, where }, values }: Query): Slice {
  const tests = where.flatMap((restriction) =>
    restriction.columns[0] === 'ring_token' ? [] : testOf(table, restriction, values),
  );
  if (tests.length === 0) return () => true;
  return (_id, { order }) => tests.every((test) => test(order));
}

function testOf(table: Table, { columns, operator, markers }: Restriction, values: Values) {
  const at = columns.map((column) => table.clusteringKey.indexOf(column));
  const own = (order: readonly Comparable[]) => at.flatMap((index) => order[index] ?? []);
  if (operator === 'IN') {
    const wanted = (values[markers[0] ?? ''] as Value[]).map((each) =>
      (each instanceof types.Tuple ? (each.values() as Value[]) : [each]).map(comparable),
    );
    return (order: readonly Comparable[]) => wanted.some((each) => compareAll(own(order), each) === 0);
  }
  const limit = markers.map((marker) => comparable(values[marker]));
  const holds = comparisons[operator];
  if (!holds) throw new Error(`an operator that the model lacks: ${operator}`);
  return (order: readonly Comparable[]) => holds(compareAll(own(order), limit));
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Returns whether a scan includes a partition. */
export function isWalked({ parsed: { where }, values }: Query, id: string): boolean {
  const token = tokenOf(id);
  return where.every(({ columns, operator, markers: [marker = ''] }) =>
    columns[0] === 'ring_token' ? comparisons[operator]?.(compare(token, values[marker] as bigint)) : true,
  );
}

const tokens = new Map<string, bigint>();

/** Any even distribution can be used: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
export function tokenOf(id: string): bigint {
  let hash = tokens.get(id);
  if (hash !== undefined) return hash;
  hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  hash = BigInt.asIntN(64, hash);
  tokens.set(id, hash);
  return hash;
}

/** The last row of every page that was followed by more rows, by its page state. */
export class Pages {
  readonly #ends: Position[] = [];

  endOf(pageState: string | undefined): Position | undefined {
    return pageState ? this.#ends[Number.parseInt(pageState, 16)] : undefined;
  }

  begin(end: Position): string {
    return (this.#ends.push(end) - 1).toString(16).padStart(4, '0');
  }
}

/** @param now in milliseconds */
export function resultOf(query: Query, reads: readonly Read[], now: number, paging: Paging, pages: Pages): Result {
  const { table, selected, descending, limit, limitOfPartition, where, isWalk } = query.parsed;
  if (selected.some(({ aggregate }) => aggregate)) return { rows: aggregated(query, reads, now), pageState: null };

  const sign = descending ? -1 : 1;
  const isOfWholePartitions = where.every(({ columns }) => columns[0] === 'ring_token');
  let found: { readonly position: Position; readonly row: Row }[] = [];
  for (const { of, found: partition } of reads) {
    const shared = visibleStatics(table, partition, now);
    const token = isWalk || paging.fetchSize !== undefined ? tokenOf(of.id) : 0n;
    // A partition without rows has one row of its static columns, if the query selects all of its
    // rows.
    const isOfStatics = isOfWholePartitions && [...table.statics].some((column) => shared[column] !== null);
    if (isWalk) shared['ring_token'] = token;
    const own: typeof found = [];
    for (const stored of partition.rows.values()) {
      const row = visibleRow(stored, partition, shared, now);
      if (row) own.push({ position: { token, order: stored.order }, row });
    }
    if (own.length > 1) own.sort((one, other) => compareAll(one.position.order, other.position.order) * sign);
    if (own.length === 0 && isOfStatics) own.push({ position: { token, order: [] }, row: shared });
    found.push(...own.slice(0, limitOfPartition === undefined ? Infinity : (query.values[limitOfPartition] as number)));
  }
  // A page begins after the last row of the previous page, even if that row has changed meanwhile,
  // as in Cassandra.
  const end = pages.endOf(paging.pageState);
  if (end)
    found = found.filter(
      ({ position: { token, order } }) => (compare(token, end.token) || compareAll(order, end.order) * sign) > 0,
    );
  const size = Math.min(numberOf(limit, query.values) ?? Infinity, paging.fetchSize ?? Infinity);
  const page = found.slice(0, size);
  const last = paging.fetchSize !== undefined && page.length < found.length ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => {
      const projected: Row = {};
      for (const { name, of } of selected) projected[name] = valueOf(row, of);
      return projected;
    }),
    pageState: last ? pages.begin(last.position) : null,
  };
}

/** Returns a column, a field of one, such as `state.email`, or the write timestamp of one. */
function valueOf(row: Row, of: string): Value {
  const value = row[of];
  if (value !== undefined) return of.startsWith('WRITETIME') ? BigInt(value as number) : value;
  const [column = '', field] = of.split('.');
  return field === undefined ? null : ((row[column] as Row | null | undefined)?.[field] ?? null);
}

/** Computes aggregates: a row for each group, or one for all. */
function aggregated({ parsed: { table, selected, groupBy } }: Query, reads: readonly Read[], now: number): Row[] {
  const rows = reads.flatMap(({ found }) => visibleRows(table, found, now));
  const groups = Map.groupBy(rows, (row) => groupBy.map((column) => encode(row[column])).join(' '));
  return (groupBy.length > 0 ? [...groups.values()] : [rows]).map((group) => {
    const counted: Row = {};
    for (const { name, of, aggregate, isInt } of selected) {
      if (aggregate === undefined) counted[name] = group[0]?.[of] ?? null;
      else if (aggregate === 'count' && of === '*') counted[name] = isInt ? group.length : BigInt(group.length);
      else throw new Error(`an aggregate that the model lacks: ${aggregate}`);
    }
    return counted;
  });
}

/**
 * Finds the reason why a conditional write is not applied.
 * @param partition the row that the write names, and the static columns
 * @returns `undefined` if it can be applied
 */
export function standsInTheWay(query: Query, id: string, partition: Partition, now: number): Row | undefined {
  const { condition, table } = query.parsed;
  const shared = visibleStatics(table, partition, now);
  const stored = partition.rows.get(id);
  const row = stored && visibleRow(stored, partition, shared, now);
  if (condition === 'NOT EXISTS')
    return row && Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('WRITETIME')));
  if (condition === 'EXISTS') return row ? undefined : {};
  if (condition === undefined) return undefined;

  const isOfStatics = condition.every(({ column }) => table.statics.has(column));
  const current = isOfStatics ? shared : row;
  const found = condition.map(({ column, operator, marker }) => ({
    column,
    operator,
    value: current?.[column] ?? null,
    wanted: marker === 'null' ? null : query.values[marker],
  }));
  if (found.every(isMet)) return undefined;
  const isThere = isOfStatics ? condition.some(({ column }) => shared[column] !== null) : row;
  return isThere ? Object.fromEntries(found.map(({ column, value }) => [column, value])) : {};
}

/** Returns whether a value meets a condition. A missing value sorts before all others. */
function isMet({ value, operator, wanted }: { value: unknown; operator: string; wanted: unknown }): boolean {
  if (operator === '=') return encode(value) === encode(wanted);
  if (operator === '<') return value !== null && Number(value) < Number(wanted);
  throw new Error(`a condition that the model lacks: ${operator}`);
}
