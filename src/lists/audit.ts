import type { Audit } from '../audit/audit.ts';
import { projectedList, projectionAudit } from '../audit/projection.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { lists } from './aggregate.ts';
import { HEAD, listStates, rowsOfLists, scanLists, selectLists, type BookListState } from './tables.ts';

/** The audit of the lists of each reader. */

const keyOf = ({ list_id }: { readonly list_id: string }): string => list_id;

const byUser = projectedList<string, BookListState, undefined, { user_id: string; created_at: Date; list_id: string }>({
  rows: rowsOfLists,
  rowsOf: (list_id, { owner_id, created_at }) =>
    owner_id === null ? [] : [{ user_id: owner_id, created_at, list_id }],
  keyOf,
  readerOf: ({ user_id }) => user_id,
});

const read = ({ cassandra }: AppContext, listId: string) => listStates.read(cassandra, { list_id: listId, ...HEAD });

export const listAudit: Audit = projectionAudit(
  {
    kind: 'lists',
    table: 'book_lists',
    partition: ['list_id'],
    ring: scanLists,
    keyOf,
    nameOf: (listId) => `list_id = ${listId}`,
    find: async ({ cassandra }, list_ids) => {
      const found = await rows(cassandra, selectLists, { ...HEAD, list_ids });
      return found.map(({ list_id, state }) => ({ key: list_id, state }));
    },
    read,
    about: () => Promise.resolve(undefined),
    behind: (_listId, state) => (state?.owner_id ? [{ type: 'User', key: state.owner_id }] : []),
    repair: async (app, listId, above) => {
      // A list that was never made, or is gone, has no row in any list.
      const ownerId = (await read(app, listId))?.owner_id ?? LOWEST_UUID;
      return lists.repair(app, { listId, ownerId }, above);
    },
  },
  [byUser],
);
