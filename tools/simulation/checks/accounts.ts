import { personalTables } from '../../../src/app/personal-data.ts';
import { LOWEST_UUID } from '../../../src/cassandra/orders.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import { differences } from './differences.ts';

interface AccountState {
  readonly email: string;
  readonly email_reservation_id: unknown;
  readonly erased_at: Date | null;
}

interface SessionState {
  readonly user_id: unknown;
  readonly started_at: Date;
  readonly active_at: Date;
  readonly ended_at: Date | null;
}

/** Finds the readers whose account is deleted, or was never made. */
export const erasedIn = (cluster: Cluster): Set<string> =>
  new Set(
    cluster
      .scan('users_by_id')
      .filter((row) => (row['state'] as AccountState).erased_at !== null)
      .map((row) => show(row['user_id'])),
  );

/**
 * Checks that one account has one email, one email has one account, and nothing else is reserved.
 */
export function* driftOfEmails(cluster: Cluster): Generator<string> {
  const claim = (email: unknown, userId: unknown, reservation: unknown) =>
    `${show(email)} by ${show(userId)} as ${show(reservation)}`;
  const wanted = cluster.scan('users_by_id').flatMap((row) => {
    const { email, email_reservation_id, erased_at } = row['state'] as AccountState;
    return erased_at ? [] : [claim(email, row['user_id'], email_reservation_id)];
  });
  const found = cluster
    .scan('users_by_login_info')
    .map((row) => claim(row['email'], row['user_id'], row['reservation_id']));
  yield* differences('users_by_login_info', wanted, found);
}

/** Compares the source of truth of sessions with the lists. */
export function* driftOfSessions(cluster: Cluster): Generator<string> {
  const told = (row: Row) =>
    ['session_id', 'user_id', 'started_at', 'active_at', 'ended_at']
      .map((column) => show(row[column] ?? null))
      .join(' ');
  const wanted = cluster
    .scan('sessions_by_id')
    .filter((row) => (row['state'] as SessionState).user_id !== null)
    .map((row) => told({ ...row, ...(row['state'] as SessionState) }));
  yield* differences('sessions_by_user', wanted, cluster.scan('sessions_by_user').map(told));
}

/** Finds remaining rows of deleted accounts. */
export function* leftBehind(cluster: Cluster, erased: ReadonlySet<string>): Generator<string> {
  for (const { table } of personalTables) {
    if (table === 'users_by_id') continue;
    for (const row of cluster.scan(table)) {
      const [, likedReader = ''] = /^User:(.*)$/.exec(show(row['likeable_id'])) ?? [];
      if (erased.has(likedReader)) yield `${table} still has the followers of a deleted reader: ${show(row)}`;
      const owners = ['user_id', 'seller_id', 'other_id', 'followed_id'].map((column) => show(row[column]));
      if (!owners.some((owner) => erased.has(owner))) continue;
      // Fences and former likers are ignored: a fence contains no decision, and a former liker only
      // a version. Both expire.
      const { change_id } = { ...(row['state'] as { change_id?: unknown } | undefined) };
      if (show(change_id) === LOWEST_UUID || row['liked'] === false) continue;
      yield `${table} still has a row of a deleted reader: ${show(row)}`;
    }
  }
}
