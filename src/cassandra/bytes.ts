/** Estimates of the size of values, in bytes, as Cassandra counts them in a batch. */

/** The overhead of a row and of each of its values, on top of the bytes of texts and blobs. */
const ROW_BYTES = 60;
const VALUE_BYTES = 25;
const LENGTH_BYTES = 4;

/** Returns the estimated size of a row, given by its columns. */
export function bytesOf(row: Readonly<Record<string, unknown>>): number {
  let bytes = ROW_BYTES;
  for (const value of Object.values(row)) bytes += VALUE_BYTES + bytesIn(value);
  return bytes;
}

/**
 * Returns the size of texts and blobs. The size of a value in a list or user-defined type includes
 * its length field.
 */
function bytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (Buffer.isBuffer(value)) return value.length;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return 0;

  let bytes = 0;
  for (const item of Object.values(value)) bytes += LENGTH_BYTES + bytesIn(item);
  return bytes;
}

/** The amount of some rows. */
export interface Size {
  readonly rows: number;
  /** The size as counted by {@link bytesOf}. */
  readonly bytes: number;
}

export const sizeOf = (rows: readonly Readonly<Record<string, unknown>>[]): Size => ({
  rows: rows.length,
  bytes: rows.reduce((bytes, row) => bytes + bytesOf(row), 0),
});
