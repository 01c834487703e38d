import type { AppContext } from '../context/context.ts';
import type { Aggregate, Content, Reservation, Version } from './aggregate.ts';

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
