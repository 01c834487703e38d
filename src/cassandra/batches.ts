import type { Bound } from './statement.ts';

/** Cassandra refuses batches over 50 KiB to several partitions; of one row any size. */
const BATCH_BYTES_MAX = 40_000;
/** What Cassandra counts of a row, and of each of its values, beside texts and bytes. */
const ROW_BYTES = 60;
const VALUE_BYTES = 25;

/** The bytes of a row that is written, about as Cassandra counts them. */
const bytesOf = ({ params }: Bound): number =>
  Object.values(params).reduce<number>(
    (sum, value) =>
      sum + VALUE_BYTES + (typeof value === 'string' || Buffer.isBuffer(value) ? Buffer.byteLength(value) : 0),
    ROW_BYTES,
  );

/**
 * Many writes as few batches, each as large as it may be. Those to one partition come together: within a batch they are one
 * mutation.
 * @param partitionOf names the partition that a write goes to
 */
export function* inBatches(writes: readonly Bound[], partitionOf: (write: Bound) => string): Generator<Bound[]> {
  let part: Bound[] = [];
  let bytes = 0;
  for (const each of [...Map.groupBy(writes, partitionOf).values()].flat()) {
    const size = bytesOf(each);
    if (part.length > 0 && bytes + size > BATCH_BYTES_MAX) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(each);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
