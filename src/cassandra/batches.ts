import type { Bound } from './statement.ts';

/** Cassandra refuses batches over 50 KiB to several partitions; of one row any size. */
const BATCH_BYTES_MAX = 40_000;
/** What Cassandra counts of a row, and of each of its values, beside texts and bytes. */
const ROW_BYTES = 60;
const VALUE_BYTES = 25;
const LENGTH_BYTES = 4;

/** The bytes of a row that is written, about as Cassandra counts them. */
const bytesOf = ({ params }: Bound): number =>
  Object.values(params).reduce<number>((sum, value) => sum + VALUE_BYTES + bytesIn(value), ROW_BYTES);

/** The bytes of texts and bytes, those in lists and user-defined types with their lengths. */
function bytesIn(value: unknown): number {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return Buffer.byteLength(value);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!Array.isArray(value) && !isPlain) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + LENGTH_BYTES + bytesIn(item), 0);
}

/**
 * Many writes as few batches, each as large as it may be. Those to one partition come together: within a batch they are one
 * mutation.
 * @param partitionOf names the partition that a write goes to
 */
export function inBatches(writes: readonly Bound[], partitionOf: (write: Bound) => string): Generator<Bound[]> {
  return inParts([...Map.groupBy(writes, partitionOf).values()].flat(), (write) => write);
}

/**
 * Many items as few parts, of which each can be written as one batch.
 * @param writeOf what is written of an item
 */
export function* inParts<Item>(items: readonly Item[], writeOf: (item: Item) => Bound): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const each of items) {
    const size = bytesOf(writeOf(each));
    if (part.length > 0 && bytes + size > BATCH_BYTES_MAX) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(each);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
