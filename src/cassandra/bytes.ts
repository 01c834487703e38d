/** About how many bytes values take, as Cassandra counts them in a batch. */

/** What is counted of a row, and of each of its values, beside texts and bytes. */
const ROW_BYTES = 60;
const VALUE_BYTES = 25;
const LENGTH_BYTES = 4;

/** The bytes of a row, by its columns. */
export function bytesOf(row: Readonly<Record<string, unknown>>): number {
  let bytes = ROW_BYTES;
  for (const value of Object.values(row)) bytes += VALUE_BYTES + bytesIn(value);
  return bytes;
}

/** The bytes of texts and bytes, those in lists and user-defined types with their lengths. */
function bytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (Buffer.isBuffer(value)) return value.length;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return 0;

  let bytes = 0;
  for (const item of Object.values(value)) bytes += LENGTH_BYTES + bytesIn(item);
  return bytes;
}
