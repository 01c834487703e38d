import { comparable, compare, compareAll, type Comparable, type Row, type Value } from './values.ts';
import type { Table } from './schema.ts';

/**
 * Rows as a replica stores them: cells with write timestamps, tombstones and times to live, and how
 * two versions of a row are merged. Rows are immutable: a change makes a new one. So replicas share
 * rows, and the result of a read does not change later. Timestamps are in microseconds, all else in
 * milliseconds.
 */

/**
 * A tombstone: everything written at its timestamp or before is deleted. `at`: the time at which it
 * was made, for gc_grace.
 */
export interface Tombstone {
  readonly timestamp: number;
  readonly at: number;
}

/** A tombstone of all rows of a partition whose clustering columns begin with some values. */
export interface RangeTombstone extends Tombstone {
  readonly prefix: readonly Comparable[];
}

export interface Cell {
  /** Null in a tombstone. */
  readonly value: Value;
  readonly timestamp: number;
  /** Infinity for no time to live; in a tombstone the time at which it was made. */
  readonly expires: number;
}

/** The marker that a row exists even without cells. An INSERT writes it. */
export type Marker = Pick<Cell, 'timestamp' | 'expires'>;

export interface StoredRow {
  /** The clustering columns; none for the static columns of a partition. */
  readonly key: Row;
  /** The clustering columns in a form that compares. */
  readonly order: readonly Comparable[];
  readonly marker: Marker | undefined;
  readonly deleted: Tombstone | undefined;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** The rows of a partition on a replica, or the read ones among them. */
export interface Partition {
  readonly key: Row;
  statics: StoredRow | undefined;
  deleted: Tombstone | undefined;
  /** By the encoded prefix. */
  ranges: ReadonlyMap<string, RangeTombstone>;
  readonly rows: Map<string, StoredRow>;
}

const NO_RANGES: ReadonlyMap<string, RangeTombstone> = new Map();

export const emptyPartition = (key: Row): Partition => ({
  key,
  statics: undefined,
  deleted: undefined,
  ranges: NO_RANGES,
  rows: new Map(),
});

export const orderOf = (table: Table, key: Row): Comparable[] =>
  table.clusteringKey.map((column) => comparable(key[column]));

/**
 * Decides which of two cells wins, like Cassandra's `Cells.resolveRegular`. The later one wins. If
 * both have the same timestamp, a deleted or expiring one wins, a tombstone first, then the one
 * that expires later, then the greater value.
 */
function later(one: Cell, other: Cell): Cell {
  if (one.timestamp !== other.timestamp) return one.timestamp > other.timestamp ? one : other;
  const rank = (cell: Cell) => (cell.value === null ? 2 : cell.expires === Infinity ? 0 : 1);
  if (rank(one) !== rank(other)) return rank(one) > rank(other) ? one : other;
  if (one.expires !== other.expires) return one.expires > other.expires ? one : other;
  return compare(comparable(one.value), comparable(other.value)) >= 0 ? one : other;
}

const laterMarker = (one: Marker | undefined, other: Marker | undefined): Marker | undefined => {
  if (!one || !other) return one ?? other;
  if (one.timestamp !== other.timestamp) return one.timestamp > other.timestamp ? one : other;
  return one.expires >= other.expires ? one : other;
};

export const laterTombstone = <Some extends Tombstone>(one: Some | undefined, other: Some | undefined) =>
  one && other ? (one.timestamp >= other.timestamp ? one : other) : (one ?? other);

/** Merges two sets of range tombstones. It returns the first one if the other adds nothing. */
export function mergeRanges(
  one: Partition['ranges'],
  other: Iterable<readonly [string, RangeTombstone]>,
): Partition['ranges'] {
  let merged: Map<string, RangeTombstone> | undefined;
  for (const [id, range] of other) {
    const own = one.get(id);
    const won = laterTombstone(own, range);
    if (won && won !== own) (merged ??= new Map(one)).set(id, won);
  }
  return merged ?? one;
}

/** Returns the latest tombstone of a range or of the partition that covers a row. */
export function tombstoneOver({ deleted, ranges }: Partition, { order }: StoredRow): Tombstone | undefined {
  let latest = deleted;
  for (const range of ranges.values())
    if (compareAll(range.prefix, order) === 0) latest = laterTombstone(latest, range);
  return latest;
}

/** Returns the latest tombstone that covers a row, including its own. */
export const latestTombstone = (partition: Partition, row: StoredRow): Tombstone | undefined =>
  laterTombstone(row.deleted, tombstoneOver(partition, row));

/** Merges two versions of a row. It returns one of them if the other adds nothing. */
export function mergeRows(one: StoredRow | undefined, other: StoredRow): StoredRow {
  if (!one || one === other) return other;
  let isOne = true;
  const cells = new Map(one.cells);
  for (const [name, cell] of other.cells) {
    const own = one.cells.get(name);
    if (own === cell) continue;
    const won = own ? later(own, cell) : cell;
    if (won === own) continue;
    isOne = false;
    cells.set(name, won);
  }
  const marker = laterMarker(one.marker, other.marker);
  const deleted = laterTombstone(one.deleted, other.deleted);
  if (isOne && marker === one.marker && deleted === one.deleted) return one;
  return { key: one.key, order: one.order, marker, deleted, cells };
}

/** Merges the copies that several replicas have of a partition. */
export function mergePartitions(all: readonly Partition[]): Partition {
  const [first, ...others] = all;
  if (!first) throw new Error('nothing was read');
  const merged = { ...first, rows: new Map(first.rows) };
  for (const { statics, deleted, ranges, rows } of others) {
    if (statics) merged.statics = mergeRows(merged.statics, statics);
    merged.deleted = laterTombstone(merged.deleted, deleted);
    merged.ranges = mergeRanges(merged.ranges, ranges);
    for (const [id, row] of rows) merged.rows.set(id, mergeRows(merged.rows.get(id), row));
  }
  return merged;
}

/** Returns whether two replicas gave the same answer. */
export function isSame(one: Partition, other: Partition): boolean {
  if (one.statics !== other.statics || one.deleted?.timestamp !== other.deleted?.timestamp) return false;
  if (one.rows.size !== other.rows.size || one.ranges.size !== other.ranges.size) return false;
  for (const [id, { timestamp }] of one.ranges) if (other.ranges.get(id)?.timestamp !== timestamp) return false;
  for (const [id, row] of one.rows) if (other.rows.get(id) !== row) return false;
  return true;
}

/** Returns the visible static columns of a partition. */
export function visibleStatics(table: Table, { key, statics, deleted }: Partition, now: number): Row {
  const visible: Row = { ...key };
  for (const column of table.statics) {
    const cell = statics?.cells.get(column);
    visible[column] =
      cell && cell.timestamp > (deleted?.timestamp ?? -Infinity) && cell.expires > now ? cell.value : null;
  }
  return visible;
}

/**
 * Returns the visible part of a row, with the static columns; `undefined` if nothing is visible.
 */
export function visibleRow(row: StoredRow, partition: Partition, shared: Row, now: number): Row | undefined {
  const since = latestTombstone(partition, row)?.timestamp ?? -Infinity;
  let isThere = row.marker !== undefined && row.marker.timestamp > since && row.marker.expires > now;
  const visible: Row = { ...shared, ...row.key };
  for (const [column, { value, timestamp, expires }] of row.cells) {
    const isLive = value !== null && timestamp > since && expires > now;
    visible[column] = isLive ? value : null;
    if (!isLive) continue;
    visible[`WRITETIME(${column})`] = timestamp;
    isThere = true;
  }
  return isThere ? visible : undefined;
}

/** Returns the visible rows of a partition. */
export function visibleRows(table: Table, partition: Partition, now: number): Row[] {
  const shared = visibleStatics(table, partition, now);
  return [...partition.rows.values()].flatMap<Row>((row) => visibleRow(row, partition, shared, now) ?? []);
}

/**
 * Returns a row without the tombstones that are older than gc_grace, and without the cells that
 * they cover.
 */
export function purged(row: StoredRow, before: number, over: Tombstone | undefined): StoredRow | undefined {
  const since = Math.max(row.deleted?.timestamp ?? -Infinity, over?.timestamp ?? -Infinity);
  const isKept = ({ timestamp, expires }: Marker) => timestamp > since && expires > before;
  const cells = new Map([...row.cells].filter(([, cell]) => isKept(cell)));
  const marker = row.marker && isKept(row.marker) ? row.marker : undefined;
  const deleted = row.deleted && row.deleted.at > before ? row.deleted : undefined;
  return cells.size > 0 || marker || deleted ? { ...row, marker, deleted, cells } : undefined;
}
