import { types } from 'cassandra-driver';
import type { Parsed } from './cql.ts';
import {
  orderOf,
  type Cell,
  type Marker,
  type Partition,
  type RangeTombstone,
  type StoredRow,
  type Tombstone,
} from './rows.ts';
import type { Table } from './schema.ts';
import { comparable, encode, numberOf, valueFrom, type Row, type Values } from './values.ts';

/** A write or read with its values. */
export interface Query {
  readonly parsed: Parsed;
  readonly values: Values;
}

/** A partition of a table. */
export interface PartitionKey {
  readonly table: Table;
  readonly id: string;
  readonly key: Row;
}

/**
 * The effect of a write on one row, or on the static columns. It is itself a version of that row,
 * and is applied by merging.
 */
interface Update {
  /** The row's id; `undefined` for the static columns. */
  readonly id: string | undefined;
  readonly row: StoredRow;
  /**
   * The row before and after an application. Replicas that had the same row have the same result.
   */
  made?: { readonly from: StoredRow | undefined; readonly to: StoredRow };
}

/** All writes to one partition. A replica applies all of them or none. */
export interface Mutation {
  readonly of: PartitionKey;
  readonly deleted: Tombstone | undefined;
  /** By the encoded prefix. */
  readonly ranges: Partition['ranges'];
  readonly updates: readonly Update[];
}

/** A mutation to which more writes are added. */
interface Gathered extends Mutation {
  deleted: Tombstone | undefined;
  readonly ranges: Map<string, RangeTombstone>;
  readonly updates: Update[];
}

const NO_ROW: StoredRow = { key: {}, order: [], marker: undefined, deleted: undefined, cells: new Map() };

/** Returns the partitions that a query names, several for IN. */
export function partitionsOf({ parsed: { table, partitionKey }, values }: Query): PartitionKey[] {
  let keys: unknown[][] = [[]];
  for (const { marker, isIn } of partitionKey) {
    const value = values[marker];
    keys = isIn
      ? keys.flatMap((key) => (value as unknown[]).map((each) => [...key, each]))
      : keys.map((key) => [...key, value]);
  }
  return keys.map((key) => partitionOf(table, key));
}

export const partitionOf = (table: Table, key: readonly unknown[]): PartitionKey => ({
  table,
  id: `${table.name} ${key.map(encode).join(' ')}`,
  key: Object.fromEntries(table.partitionKey.map((column, index) => [column, key[index]])),
});

/** Returns the id of the row that a write names. */
export const rowIdOf = ({ parsed: { clusteringKey }, values }: Query): string =>
  clusteringKey.map((marker) => encode(values[marker])).join(' ');

/**
 * Makes the mutations of some writes, one for each partition.
 * @param timestamp the timestamp of writes that give none, in microseconds
 * @param now in milliseconds
 */
export function mutationsOf(writes: readonly Query[], timestamp: number, now: number): Mutation[] {
  const mutations = new Map<string, Gathered>();
  for (const write of writes) {
    const [of] = partitionsOf(write);
    if (!of) throw new Error('a write names a partition');
    let mutation = mutations.get(of.id);
    if (!mutation) mutations.set(of.id, (mutation = { of, deleted: undefined, ranges: new Map(), updates: [] }));
    const at = numberOf(write.parsed.timestamp, write.values) ?? timestamp;
    const tombstone = { timestamp: at, at: now };
    if (isOfPartition(write.parsed)) mutation.deleted = tombstone;
    else if (isOfRange(write.parsed)) mutation.ranges.set(rowIdOf(write), { ...tombstone, prefix: prefixOf(write) });
    else mutation.updates.push(...updatesOf(write, at, now));
  }
  return [...mutations.values()];
}

const isOfPartition = ({ verb, table, clusteringKey }: Parsed) =>
  verb === 'DELETE' && table.clusteringKey.length > 0 && clusteringKey.length === 0;

const isOfRange = ({ verb, table, clusteringKey }: Parsed) =>
  verb === 'DELETE' && clusteringKey.length < table.clusteringKey.length;

const prefixOf = ({ parsed: { clusteringKey }, values }: Query) =>
  clusteringKey.map((marker) => comparable(values[marker]));

function updatesOf(write: Query, timestamp: number, now: number): Update[] {
  const { parsed, values } = write;
  const { verb, table, timeToLive } = parsed;
  const id = rowIdOf(write);
  const key: Row = Object.fromEntries(
    table.clusteringKey.map((column, index) => [column, values[parsed.clusteringKey[index] ?? '']]),
  );
  const row = { ...NO_ROW, key, order: parsed.clusteringKey.length > 0 ? orderOf(table, key) : [] };
  const deleted = { timestamp, at: now };
  if (verb === 'DELETE') return [{ id, row: { ...row, deleted } }];

  const seconds = timeToLive === undefined ? table.timeToLive : (values[timeToLive] as number);
  const expires = seconds === 0 ? Infinity : now + seconds * 1_000;
  const [cells, statics] = [new Map<string, Cell>(), new Map<string, Cell>()];
  for (const { column, marker } of parsed.assignments) {
    const value = valueFrom(values[marker] ?? null);
    if (value === types.unset) continue;
    const cell: Cell = { value, timestamp, expires: value === null ? now : expires };
    (table.statics.has(column) ? statics : cells).set(column, cell);
  }
  const marker: Marker | undefined = verb === 'INSERT' ? { timestamp, expires } : undefined;
  const updates: Update[] = [];
  if (statics.size > 0) updates.push({ id: undefined, row: { ...NO_ROW, cells: statics } });
  if (cells.size > 0 || marker) updates.push({ id, row: { ...row, marker, cells } });
  return updates;
}
