import { comparable, compare, type Comparable, type Row, type Value } from './values.ts';
import type { Table } from './schema.ts';

/**
 * Rows as a replica stores them: cells with write timestamps, tombstones, times to live, and how two versions of a row become one.
 * Rows never change: a change makes another one. So replicas share what they have in common, and what was read stays as it was.
 * Timestamps are in microseconds, all else in milliseconds.
 */

/** A tombstone: what was written at its timestamp or before is gone. `at`: when it was made, for gc_grace. */
export interface Tombstone {
  readonly timestamp: number;
  readonly at: number;
}

export interface Cell {
  /** Null in a tombstone. */
  readonly value: Value;
  readonly timestamp: number;
  /** Infinity for no time to live; in a tombstone when it was made. */
  readonly expires: number;
}

/** That a row is there whatever its cells: an INSERT writes it. */
export type Marker = Pick<Cell, 'timestamp' | 'expires'>;

export interface StoredRow {
  /** Its clustering columns; none for the static columns of a partition. */
  readonly key: Row;
  /** Those as they compare. */
  readonly order: readonly Comparable[];
  readonly marker: Marker | undefined;
  readonly deleted: Tombstone | undefined;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** What a replica has of a partition, or what was read of that. */
export interface Partition {
  readonly key: Row;
  statics: StoredRow | undefined;
  deleted: Tombstone | undefined;
  readonly rows: Map<string, StoredRow>;
}

export const emptyPartition = (key: Row): Partition => ({
  key,
  statics: undefined,
  deleted: undefined,
  rows: new Map(),
});

export const orderOf = (table: Table, key: Row): Comparable[] =>
  table.clusteringKey.map((column) => comparable(key[column]));

/**
 * Which of two cells holds, as Cassandra's `Cells.resolveRegular` has it: the later one; of one moment what is deleted or will be,
 * a tombstone first, then what ends later, then the greater value.
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

export const laterTombstone = (one: Tombstone | undefined, other: Tombstone | undefined): Tombstone | undefined =>
  one && other ? (one.timestamp >= other.timestamp ? one : other) : (one ?? other);

/** One row of two versions of it. Gives back one of the two where nothing comes from the other. */
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

/** One partition of what several replicas have of it. */
export function mergePartitions(all: readonly Partition[]): Partition {
  const [first, ...others] = all;
  if (!first) throw new Error('nothing was read');
  const merged = { ...first, rows: new Map(first.rows) };
  for (const { statics, deleted, rows } of others) {
    if (statics) merged.statics = mergeRows(merged.statics, statics);
    merged.deleted = laterTombstone(merged.deleted, deleted);
    for (const [id, row] of rows) merged.rows.set(id, mergeRows(merged.rows.get(id), row));
  }
  return merged;
}

/** Whether two replicas answered the same. */
export function isSame(one: Partition, other: Partition): boolean {
  if (one.statics !== other.statics || one.deleted?.timestamp !== other.deleted?.timestamp) return false;
  if (one.rows.size !== other.rows.size) return false;
  for (const [id, row] of one.rows) if (other.rows.get(id) !== row) return false;
  return true;
}

/** What is to be seen of a partition's static columns. */
export function visibleStatics(table: Table, { key, statics, deleted }: Partition, now: number): Row {
  const visible: Row = { ...key };
  for (const column of table.statics) {
    const cell = statics?.cells.get(column);
    visible[column] =
      cell && cell.timestamp > (deleted?.timestamp ?? -Infinity) && cell.expires > now ? cell.value : null;
  }
  return visible;
}

/** A row as it is to be seen, with the static columns; `undefined` where nothing of it is left. */
export function visibleRow(row: StoredRow, deleted: Tombstone | undefined, shared: Row, now: number): Row | undefined {
  const since = Math.max(row.deleted?.timestamp ?? -Infinity, deleted?.timestamp ?? -Infinity);
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

/** What is left of a row once its replica has forgotten the tombstones that are older than gc_grace, and what they had shadowed. */
export function purged(row: StoredRow, before: number, partition: Tombstone | undefined): StoredRow | undefined {
  const since = Math.max(row.deleted?.timestamp ?? -Infinity, partition?.timestamp ?? -Infinity);
  const isKept = ({ timestamp, expires }: Marker) => timestamp > since && expires > before;
  const cells = new Map([...row.cells].filter(([, cell]) => isKept(cell)));
  const marker = row.marker && isKept(row.marker) ? row.marker : undefined;
  const deleted = row.deleted && row.deleted.at > before ? row.deleted : undefined;
  return cells.size > 0 || marker || deleted ? { ...row, marker, deleted, cells } : undefined;
}
