import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { subscriptionsOf } from './operations.ts';
import { eraseSubscriptions } from './tables.ts';

/** The endpoint and the keys are secrets, with which others could send messages. */
async function* subscriptionsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const { sessionId, endpoint, addedAt } of await subscriptionsOf(app, userId))
    yield { sessionId, pushService: new URL(endpoint).host, addedAt };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'push_subscriptions_by_user',
    exported: subscriptionsOfUser,
    erased: erasedBy(eraseSubscriptions, 'user_id'),
  },
  {
    table: 'pushes_by_user',
    exported: 'only the kinds of the notifications that were pushed in the last ten minutes',
    erased: 'expires after ten minutes',
  },
];
