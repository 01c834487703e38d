import { bytesOf } from './bytes.ts';
import { batch, type Bound, type Cassandra } from './statement.ts';

/**
 * Cassandra refuses batches over 50 KiB that write to several partitions. Writes to a single row
 * may have any size.
 */
const BATCH_BYTES_MAX = 40_000;

/**
 * Splits many writes into few batches of the maximum size. Writes to one partition are in the same
 * batch if possible, because there they are one mutation.
 * @param partitionOf returns the name of the partition of a write
 */
export function inBatches(writes: readonly Bound[], partitionOf: (write: Bound) => string): Generator<Bound[]> {
  return inParts([...Map.groupBy(writes, partitionOf).values()].flat(), (write) => write);
}

/**
 * Splits many items into few parts, each of which fits into one batch.
 * @param writeOf returns the write for an item
 */
export function* inParts<Item>(items: readonly Item[], writeOf: (item: Item) => Bound): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const each of items) {
    const size = bytesOf(writeOf(each).params);
    if (part.length > 0 && bytes + size > BATCH_BYTES_MAX) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(each);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Writes of one feature that are sent together with those of others. */
export interface Part {
  readonly writes: readonly Bound[];
  /** Called once all parts are written. */
  readonly onWritten?: () => Promise<void> | void;
}

/**
 * Sends parts in one batch. The caller's transaction repeats it until all of them are written.
 * @param parts may be promises; the batch waits for all of them
 */
export async function sendTogether(cassandra: Cassandra, parts: readonly (Part | Promise<Part>)[]): Promise<void> {
  const made = await Promise.all(parts.map(async (part) => part));
  const writes = made.flatMap((part) => part.writes);
  await batch(cassandra, writes);
  await Promise.all(made.map(async ({ onWritten }) => onWritten?.()));
}
