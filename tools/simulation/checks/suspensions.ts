import type { AccountState } from '../../../src/accounts/tables.ts';
import type { ListingState } from '../../../src/market/tables.ts';
import type { SessionState } from '../../../src/sessions/tables.ts';
import { isLinearizable } from '../../support/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show } from '../cluster/values.ts';
import type { Library } from '../library.ts';

/** Compares who is suspended with who sees their likes, with their copies, and with their sessions. */
export function* driftOfSuspensions(cluster: Cluster, { sessions }: Library, now: number): Generator<string> {
  const accounts = accountsIn(cluster);
  for (const row of cluster.scan('user_by_item')) {
    const account = accounts.get(show(row['user_id']));
    if (row['liked'] !== true || !account) continue;
    const audience = account.suspended ? 'ONLY_ME' : account.likes_audience;
    if (row['audience'] !== audience) yield `a like is shown to others than ${audience}: ${show(row)}`;
  }
  for (const row of cluster.scan('items')) {
    const { seller_id, withheld } = row['state'] as ListingState;
    const isSuspended = accounts.get(show(seller_id))?.suspended;
    if (seller_id !== null && withheld !== isSuspended)
      yield `a copy is ${withheld ? '' : 'not '}withheld, and its seller is not so: ${show(row)}`;
  }

  const states = new Map(
    cluster.scan('sessions_by_id').map((row) => [show(row['session_id']), row['state'] as SessionState]),
  );
  // Of a login of which nobody was told nobody has a token.
  for (const { userId, sessionId } of sessions) {
    const { ended_at = null, expires_at = null } = states.get(sessionId) ?? {};
    const isOpen = ended_at === null && expires_at !== null && expires_at.getTime() > now;
    if (isOpen && accounts.get(userId)?.suspended)
      yield `a reader who is suspended goes on with a session: ${sessionId}`;
  }
}

/**
 * What callers saw of each suspension must have been possible one call after the other, and end with what is there now. Whoever was let in
 * has seen that there was none.
 */
export function* impossibleSuspensions(
  cluster: Cluster,
  { suspensions, leaving }: Library,
  now: number,
): Generator<string> {
  const accounts = accountsIn(cluster);
  for (const [userId, history] of suspensions) {
    if (leaving.has(userId)) continue;
    const isSuspended = accounts.get(userId)?.suspended ?? false;
    const last = { verb: 'read', begun: now, ended: now + 1, answer: isSuspended } as const;
    if (!isLinearizable([...history, last])) yield `the calls about the suspension of ${userId} are not linearizable`;
  }
}

const accountsIn = (cluster: Cluster) =>
  new Map(cluster.scan('users_by_id').map((row) => [show(row['user_id']), row['state'] as AccountState]));
