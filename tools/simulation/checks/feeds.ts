import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import { differences } from './differences.ts';

/** The stored fields that decide what followers see. */
interface Imported {
  readonly import_id: unknown;
}
interface LikeState {
  readonly liked: boolean;
  readonly liked_at: Date | null;
}
interface ReadingState {
  readonly marked: boolean;
  readonly reads: readonly (Imported & { readonly noted_at: Date })[] | null;
}
type RatingState = Imported & { readonly quarters: number | null; readonly rated_at: Date | null };
type ReviewState = Imported & {
  readonly author_id: unknown;
  readonly written_at: Date;
  readonly taken_down_at: Date | null;
};

const isOwn = ({ import_id }: Imported) => import_id == null;

/** An entry of a feed: who did it, when, and the rest of its row. */
interface Entry {
  readonly userId: unknown;
  readonly at: Date;
  readonly key: unknown;
  readonly quarters?: unknown;
}

/** Compares the lists that feeds merge, and their months, with the sources of truth. */
export function* driftOfFeeds(cluster: Cluster): Generator<string> {
  const wanted = {
    LIKED: cluster.scan('likes_by_user').flatMap(({ user_id, likeable_id, state }): Entry[] => {
      const { liked, liked_at } = state as LikeState;
      return liked && liked_at ? [{ userId: user_id, at: liked_at, key: likeable_id }] : [];
    }),
    READ: cluster.scan('readings_by_user').flatMap(({ user_id, book_id, state }): Entry[] => {
      const { marked, reads } = state as ReadingState;
      const own = marked ? (reads ?? []).filter(isOwn) : [];
      return own.map(({ noted_at }) => ({ userId: user_id, at: noted_at, key: book_id }));
    }),
    RATED: cluster.scan('ratings_by_user').flatMap(({ user_id, book_id, state }): Entry[] => {
      const { quarters, rated_at, import_id } = state as RatingState;
      const isShown = quarters !== null && rated_at && isOwn({ import_id });
      return isShown ? [{ userId: user_id, at: rated_at, key: book_id, quarters }] : [];
    }),
    REVIEWED: cluster.scan('reviews').flatMap(({ review_id, state }): Entry[] => {
      const { author_id, written_at, taken_down_at, import_id } = state as ReviewState;
      const isShown = author_id !== null && !taken_down_at && isOwn({ import_id });
      return isShown ? [{ userId: author_id, at: written_at, key: review_id }] : [];
    }),
  };

  const told = ({ userId, at, key, quarters }: Entry) =>
    `${show(userId)} ${show(key)} ${show(quarters)} in ${monthIn(at)} at ${show(at)}`;
  const lists = [
    ['feed_readings_by_user', wanted.READ, 'noted_at', 'book_id'],
    ['feed_ratings_by_user', wanted.RATED, 'rated_at', 'book_id'],
    ['feed_reviews_by_user', wanted.REVIEWED, 'written_at', 'review_id'],
  ] as const;
  for (const [table, entries, moment, key] of lists) {
    const found = cluster.scan(table);
    for (const row of found)
      if (monthIn(row['month'] as Date) !== monthIn(row[moment] as Date))
        yield `${table} has a wrong month: ${show(row)}`;
    const entryOf = (row: Row): Entry => ({
      userId: row['user_id'],
      at: row[moment] as Date,
      key: row[key],
      quarters: row['quarters'],
    });
    yield* differences(table, entries.map(told), found.map(entryOf).map(told));
  }

  const months = new Set(
    cluster
      .scan('months_by_user')
      .flatMap(({ user_id, list, month }) => (list === 'feed' ? [`${show(user_id)} ${monthIn(month as Date)}`] : [])),
  );
  for (const entry of Object.values(wanted).flat())
    if (!months.has(`${show(entry.userId)} ${monthIn(entry.at)}`))
      yield `months_by_user lacks the month of: ${told(entry)}`;
}

const monthIn = (moment: Date) => moment.toISOString().slice(0, 7);
