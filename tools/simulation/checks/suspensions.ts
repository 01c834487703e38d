import type { AccountState } from '../../../src/accounts/tables.ts';
import type { ListingState } from '../../../src/market/tables.ts';
import type { SessionState } from '../../../src/sessions/tables.ts';
import { isLinearizable } from '../../support/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show } from '../cluster/values.ts';
import type { Library } from '../library.ts';

/**
 * Compares suspensions with the audience of the reader's likes, with their copies, and with their
 * sessions.
 */
export function* driftOfSuspensions(cluster: Cluster, { sessions }: Library, now: number): Generator<string> {
  const accounts = accountsIn(cluster);
  for (const row of cluster.scan('user_by_item')) {
    const account = accounts.get(show(row['user_id']));
    if (row['liked'] !== true || !account) continue;
    const audience = account.suspended ? 'ONLY_ME' : account.likes_audience;
    if (row['audience'] !== audience) yield `a like has another audience than ${audience}: ${show(row)}`;
  }
  for (const row of cluster.scan('items')) {
    const { seller_id, withheld } = row['state'] as ListingState;
    const isSuspended = accounts.get(show(seller_id))?.suspended;
    if (seller_id !== null && withheld !== isSuspended)
      yield `a copy is ${withheld ? '' : 'not '}withheld, unlike its seller: ${show(row)}`;
  }

  const states = new Map(
    cluster.scan('sessions_by_id').map((row) => [show(row['session_id']), row['state'] as SessionState]),
  );
  // A login without an answer has given no token to anybody.
  for (const { userId, sessionId } of sessions) {
    const { ended_at = null, expires_at = null } = states.get(sessionId) ?? {};
    const isOpen = ended_at === null && expires_at !== null && expires_at.getTime() > now;
    if (isOpen && accounts.get(userId)?.suspended) yield `a suspended reader still has a session: ${sessionId}`;
  }
}

/**
 * Checks that the calls about each suspension are linearizable and end with the stored state. A
 * successful login shows that its reader was not suspended.
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
