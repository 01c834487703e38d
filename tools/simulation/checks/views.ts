import { uuidOf } from '../../../src/graphql/ids.ts';
import { COUNTED_MS } from '../../../src/events/operations.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show } from '../cluster/values.ts';
import type { Library } from '../library.ts';

/** Returns the id of the event of a view. */
export const eventIdOf = ({ userId, bookId, minute }: Library['views'][number]): string =>
  uuidOf(`${userId} Book:${bookId} ${minute.getTime() / 60_000}`);

/**
 * Compares the views of callers with their rows: each answered view must exist, and every row must
 * belong to a view. The activity log is checked separately.
 */
export function* driftOfViews(
  cluster: Cluster,
  { views }: Library,
  erased: ReadonlySet<string>,
  now: number,
): Generator<string> {
  const storedViews = new Map<string, number>();
  for (const row of cluster.scan('recently_viewed_by_user'))
    for (const { viewed_at, book_id } of row['views'] as { viewed_at: Date; book_id: string }[])
      storedViews.set(`${show(row['user_id'])} ${book_id}`, viewed_at.getTime());
  const events = cluster.scan('events').filter((row) => row['kind'] === 'VIEW');
  const counted = new Set(events.map((row) => show(row['event_id'])));

  for (const view of views) {
    const { userId, bookId, at, isDone } = view;
    if (!isDone || erased.has(userId)) continue;
    const about = `${userId} at ${bookId} at ${show(at)}`;
    if ((storedViews.get(`${userId} ${bookId}`) ?? 0) < at.getTime())
      yield `recently_viewed_by_user lacks the view of ${about}`;
    const isKept = at.getTime() >= now - COUNTED_MS;
    if (isKept && !counted.has(eventIdOf(view))) yield `events lacks the view of ${about}`;
  }
  const known = new Set(views.map(eventIdOf));
  for (const id of counted) if (!known.has(id)) yield `events has a view that never happened: ${id}`;
  const done = new Set(views.map(({ userId, bookId, at }) => `${userId} ${bookId} ${at.getTime()}`));
  for (const [key, at] of storedViews)
    if (!done.has(`${key} ${at}`)) yield `recently_viewed_by_user has a view that never happened: ${key}`;
}
