import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import { goalStates } from './tables.ts';

/** A reader's goal for a year, and whether they share the year. Nothing is projected from it. */

const goalKey = z.strictObject({ userId: uuid, year: z.int() });
export type GoalKey = z.infer<typeof goalKey>;

export const goals = aggregate({
  name: 'reading goal',
  key: goalKey,
  table: goalStates,
  rowKey: ({ userId, year }) => ({ user_id: userId, year }),
  tombstone: { books: null, is_shared: null },
  projectionContext: (app, { userId }) => accountNow(app, userId),
  erase: forgetGoal,
  projections: () => [],
});

/** Forgets a goal of a deleted account. */
export function forgetGoal(app: AppContext, key: GoalKey): Promise<void> {
  return goals.forget(app, key);
}
