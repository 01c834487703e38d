import pLimit from 'p-limit';
import { each, page, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetBlocks } from './aggregate.ts';
import { eraseBlocked, eraseHidden, selectBlocked, selectHiddenPage } from './tables.ts';

const AT_ONCE = 16;

async function* blockedByUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { other_id, blocked_at } of each(cassandra, selectBlocked, { user_id }))
    yield { readerId: other_id, blockedAt: blocked_at };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'hidden_by_user',
    exported: 'the reader’s own blocks are in blocked_by_user; nobody learns who blocks them',
    erased: async (app, user_id, after) => {
      const { cassandra } = app;
      const some = await page(cassandra, selectHiddenPage, { user_id }, after);
      await pLimit(AT_ONCE).map(some.rows, async ({ other_id }) => {
        await forgetBlocks(app, { userId: user_id, otherId: other_id });
      });
      if (some.pageState === undefined) await write(cassandra, eraseHidden, { user_id });
      return some.pageState;
    },
  },
  {
    table: 'blocked_by_user',
    exported: blockedByUser,
    erased: erasedBy(eraseBlocked, 'user_id'),
  },
  {
    table: 'blocks_by_user',
    exported: 'current blocks are in blocked_by_user',
    erased: 'with hidden_by_user, which has the readers of every block',
  },
];
