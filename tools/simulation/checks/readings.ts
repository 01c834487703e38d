import { isPossible } from '../../support/history.ts';
import { UNKNOWN_READ_AT } from '../../../src/reading/tables.ts';
import { effectOnReading, standingOf, UNREAD, type StoredReading } from '../acts/readings.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { encode, show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

const stateIn = (row: Row) => row['state'] as StoredReading;

/**
 * Compares the source of truth of readings with the lists, the shelves, and the readers of each
 * book.
 */
export function* driftOfReadings(cluster: Cluster): Generator<string> {
  const states = cluster.scan('readings_by_user');
  const marked = states.filter((row) => stateIn(row).marked);
  const readBy = (row: Row) => `${show(row['user_id'])} has read ${show(row['book_id'])}`;
  const readAt = (row: Row) => `${readBy(row)} at ${show(row['reads'])}`;
  const wanted = marked.map((row) => readAt({ ...row, reads: stateIn(row).reads }));
  yield* differences('books_read_by_user', wanted, cluster.scan('books_read_by_user').map(readAt));
  const lastReadAt = (row: Row) => `${readAt(row)}, last at ${show(row['read_at'])}`;
  yield* differences(
    'books_read_by_user_by_read_at',
    marked.map((row) => {
      const { reads } = stateIn(row);
      return lastReadAt({ ...row, reads, read_at: reads?.at(-1)?.read_at ?? UNKNOWN_READ_AT });
    }),
    cluster.scan('books_read_by_user_by_read_at').map(lastReadAt),
  );
  const finished = (row: Row, year: number, times: number) => `${readBy(row)} ${times} times in ${year}`;
  yield* differences(
    'books_finished_by_year',
    marked.flatMap((row) => {
      const days = (stateIn(row).reads ?? []).flatMap(({ read_at, finished_on }) =>
        finished_on ? encode(finished_on) : (read_at?.toISOString() ?? []),
      );
      const years = Map.groupBy(days, (day) => Number(day.slice(0, 4)));
      return [...years].map(([year, { length }]) => finished(row, year, length));
    }),
    cluster
      .scan('books_finished_by_year')
      .map((row) => finished(row, row['year'] as number, (row['days'] as unknown[]).length)),
  );
  yield* differences('readers_by_book', marked.map(readBy), cluster.scan('readers_by_book').map(readBy));

  const onShelf = (row: Row) =>
    `${show(row['user_id'])} has ${show(row['book_id'])} on ${show(row['status'])} since ${show(row['at'])}`;
  const shelved = states.flatMap((row) => {
    const last = stateIn(row).history?.at(-1);
    return last && last.status !== 'NONE' ? [onShelf({ ...row, ...last })] : [];
  });
  yield* differences('books_by_reading_status', shelved, cluster.scan('books_by_reading_status').map(onShelf));

  const names = new Map(
    cluster
      .scan('users_by_id')
      .map((row) => [show(row['user_id']), (row['state'] as { full_name: string }).full_name] as const),
  );
  for (const row of cluster.scan('books_read_by_user')) {
    const name = row['full_name'];
    if (name !== null && name !== names.get(show(row['user_id']))) yield `a stale name: ${show(row)}`;
  }
}

/** Checks that the calls about each reading are linearizable and end with the stored state. */
export function* impossibleReadings(cluster: Cluster, { readings, leaving }: Library, now: number): Generator<string> {
  const states = new Map<string, string>(
    cluster
      .scan('readings_by_user')
      .map((row) => [`${show(row['user_id'])} ${show(row['book_id'])}`, standingOf(stateIn(row))] as const),
  );
  for (const [key, history] of readings) {
    if (leaving.has(key.split(' ')[0] ?? '')) continue;
    const last = { verb: 'look', begun: now, ended: now + 1, answer: states.get(key) ?? UNREAD } as const;
    if (!isPossible([...history, last], UNREAD, effectOnReading))
      yield `the calls about the reading ${key} are not linearizable`;
  }
}
