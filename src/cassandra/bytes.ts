/** About how many bytes values take, as Cassandra counts them in a batch. */

/** What is counted of a row, and of each of its values, beside texts and bytes. */
const ROW_BYTES = 60;
const VALUE_BYTES = 25;
const LENGTH_BYTES = 4;

/** The bytes of a row, by its columns. */
export const bytesOf = (row: Readonly<Record<string, unknown>>): number =>
  Object.values(row).reduce<number>((sum, value) => sum + VALUE_BYTES + bytesIn(value), ROW_BYTES);

/** The bytes of texts and bytes, those in lists and user-defined types with their lengths. */
function bytesIn(value: unknown): number {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return Buffer.byteLength(value);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!Array.isArray(value) && !isPlain) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + LENGTH_BYTES + bytesIn(item), 0);
}
