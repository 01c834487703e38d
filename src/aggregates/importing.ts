import type { AppContext } from '../context/context.ts';
import type { Aggregate } from './aggregate.ts';
import type { Precondition } from './kind.ts';
import type { Content, Version } from './state.ts';

/** Changes that imports of a reader's library make to the reader's states. */

/** An import that is being reverted. */
export interface RevertContext {
  readonly userId: string;
  readonly importId: string;
  /** Holds while the lines of the import are unchanged since the decision. */
  readonly condition: Precondition;
}

/** An import that is being applied. */
export interface ImportContext extends RevertContext {
  /**
   * Returns true for an import that was begun before this one. Only the data of such imports is
   * replaced.
   */
  readonly isOlder: (importId: string) => boolean;
}

/** True for data of an import that was begun later. */
export const isFromLaterImport = ({ importId, isOlder }: ImportContext, import_id: string | null): boolean =>
  import_id !== null && import_id !== importId && !isOlder(import_id);

/**
 * Changes a state, or raises its version if there is nothing to change, so that a slow server that
 * has read the state can no longer change it.
 * @param next returns the next state, `undefined` to leave it
 */
export async function changeOrFence<Key, State extends Version>(
  app: AppContext,
  { read, change, repair }: Aggregate<Key, State>,
  key: Key,
  next: (state: State | undefined, at: Date) => Content<State> | undefined,
  reservation: Precondition,
): Promise<void> {
  const { changed } = await change(app, key, await read(app, key), next, reservation);
  if (changed) return;

  // The slow server may have changed the state just before it was fenced.
  const fenced = await repair(app, key);
  if (next(fenced, app.clock())) await change(app, key, fenced, next, reservation);
}
