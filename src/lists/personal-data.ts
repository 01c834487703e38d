import { each, first, page, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetList } from './aggregate.ts';
import { ENTRIES, eraseListsOf, HEAD, selectEntries, selectLists, selectListsOf } from './tables.ts';

/** Yields each list of a reader, followed by its entries in their order. */
async function* listsOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { list_id } of each(cassandra, selectListsOf, { user_id })) {
    const found = await first(cassandra, selectLists, { ...HEAD, list_ids: [list_id] });
    if (found?.state.owner_id !== user_id) continue;
    const { name, description, audience, created_at, taken_down_at, taken_down_reason } = found.state;
    const takenDown = { takenDownAt: taken_down_at, takenDownReason: taken_down_reason };
    yield { list: list_id, name, description, audience, createdAt: created_at, ...takenDown };
    for await (const { book_id, note, added_at } of each(cassandra, selectEntries, { list_id, ...ENTRIES }))
      yield { list: list_id, book: book_id, note, addedAt: added_at };
  }
}

export const personalData: readonly PersonalTable[] = [
  { table: 'book_lists', exported: listsOfUser, erased: 'with lists_by_user, which has every list of the reader' },
  {
    table: 'lists_by_user',
    exported: 'a projection of book_lists',
    erased: async (app, user_id, after) => {
      const { cassandra } = app;
      const some = await page(cassandra, selectListsOf, { user_id }, after);
      for (const { list_id } of some.rows) await forgetList(app, { listId: list_id, ownerId: user_id });
      if (some.pageState === undefined) await write(cassandra, eraseListsOf, { user_id });
      return some.pageState;
    },
  },
];
