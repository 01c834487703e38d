import { batch, type Bound, type Cassandra } from './statement.ts';

/** Writes of one feature that are sent together with those of others. */
export interface Part {
  readonly writes: readonly Bound[];
  /** Called once all parts are written. */
  readonly onWritten?: () => Promise<void> | void;
}

/**
 * Sends parts in one batch, which a transaction repeats until all of them are there.
 * @param parts may still be in the making; the batch waits for the last one
 */
export async function sendTogether(cassandra: Cassandra, parts: readonly (Part | Promise<Part>)[]): Promise<void> {
  const made = await Promise.all(parts.map(async (part) => part));
  const writes = made.flatMap((part) => part.writes);
  await batch(cassandra, writes);
  await Promise.all(made.map(async ({ onWritten }) => onWritten?.()));
}
