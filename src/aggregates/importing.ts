import type { AppContext } from '../context/context.ts';
import type { Aggregate, Content, Reservation, Version } from './aggregate.ts';

/** Changes of a reader's rows by imports of their library. */

/** An import that changes something. */
export interface Removing {
  readonly userId: string;
  readonly importId: string;
  /** Holds while the import is as it was when the change followed from it. */
  readonly condition: Reservation;
}

/** An import that says something of a book. */
export interface Importing extends Removing {
  /**
   * Returns true for an import that was begun before this one. What it says is replaced; what any
   * other import says stays.
   */
  readonly isOlder: (importId: string) => boolean;
}

/** True if an import that was begun later said something. */
export const isSaidLater = ({ importId, isOlder }: Importing, import_id: string | null): boolean =>
  import_id !== null && import_id !== importId && !isOlder(import_id);

/**
 * Changes a row, or fences off its other callers if there is nothing to change: a slow one may be
 * about to change the row as it is, and must not any more.
 * @param next returns the next state, `undefined` to leave the row
 */
export async function changeOrFence<Key, State extends Version>(
  app: AppContext,
  { read, change, repair }: Aggregate<Key, State>,
  key: Key,
  next: (state: State | undefined, at: Date) => Content<State> | undefined,
  reservation: Reservation,
): Promise<void> {
  const { changed } = await change(app, key, await read(app, key), next, reservation);
  if (!changed) await repair(app, key);
}
