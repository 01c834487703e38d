import type { AccountState } from '../../../src/accounts/tables.ts';
import type { ListingState } from '../../../src/market/tables.ts';
import { isLinearizable, isPossible } from '../../support/history.ts';
import { effectOnName } from '../acts/take-downs.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show } from '../cluster/values.ts';
import type { Library } from '../library.ts';

/** Checks that the calls about each name are linearizable and end with the stored state. */
export function* impossibleNames(cluster: Cluster, { names, leaving }: Library, now: number): Generator<string> {
  const accounts = new Map(
    cluster.scan('users_by_id').map((row) => [show(row['user_id']), (row['state'] as AccountState).full_name]),
  );
  for (const [userId, history] of names) {
    if (leaving.has(userId)) continue;
    const last = { verb: 'look', begun: now, ended: now + 1, answer: accounts.get(userId) ?? '' } as const;
    if (!isPossible([...history, last], '', effectOnName))
      yield `the calls about the name of ${userId} are not linearizable`;
  }
}

/** Checks the same for the titles of copies. */
export function* impossibleOwnTitles(cluster: Cluster, library: Library, now: number): Generator<string> {
  const copies = new Map(
    cluster.scan('items').map((row) => [show(row['item_id']), (row['state'] as ListingState).own_title]),
  );
  for (const { itemId, sellerId, hasTitle } of library.copies) {
    const history = library.ownTitles.get(itemId) ?? [];
    if (library.leaving.has(sellerId)) continue;
    const answer = (copies.get(itemId) ?? null) !== null;
    const last = { verb: 'read', begun: now, ended: now + 1, answer } as const;
    if (!isLinearizable([...history, last], hasTitle))
      yield `the calls about the title of the copy ${itemId} are not linearizable`;
  }
}
