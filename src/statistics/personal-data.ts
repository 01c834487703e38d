import { isTombstone } from '../aggregates/state.ts';
import { each, page } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetGoal } from './aggregate.ts';
import { selectGoals } from './tables.ts';

async function* goalsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { year, state } of each(cassandra, selectGoals, { user_id })) {
    if (isTombstone(state)) continue;
    yield { year, books: state.books, isShared: state.is_shared === true, changedAt: state.changed_at };
  }
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'reading_goals_by_user',
    exported: goalsOfUser,
    erased: async (app, userId, after) => {
      const some = await page(app.cassandra, selectGoals, { user_id: userId }, after);
      // Concurrent conditional writes in one partition would contend.
      for (const { year } of some.rows) await forgetGoal(app, { userId, year });
      return some.pageState;
    },
  },
];
