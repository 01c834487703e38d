import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { recordDecisionFor } from '../administration/operations.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { projectedList } from '../aggregates/projected-list.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { batch, bind, first, type Bound } from '../cassandra/statement.ts';
import { announcedLikes } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import { accountNow } from '../identity/operations.ts';
import {
  BOOKS,
  deletePart,
  ENTRIES,
  HEAD,
  listsByUser,
  listStates,
  selectLists,
  type BookListState,
} from './tables.ts';

/** The kind of a list of books: its key, its states and their projections. */

const listKey = z.strictObject({ listId: uuid, ownerId: uuid });
export type ListKey = z.infer<typeof listKey>;

export const NOT_TAKEN_DOWN = { taken_down_at: null, taken_down_by: null, taken_down_reason: null };

/** The fields of a deleted list, except for the time at which it was made. */
export const GONE = { owner_id: null, name: '', description: '', audience: 'ONLY_ME', entry_count: 0 } as const;

/** The lists of each reader. */
export const ofOwner = projectedList(listsByUser, {
  rowsOf: ({ listId }: ListKey, { owner_id, created_at }: BookListState) =>
    owner_id === null ? [] : [{ user_id: owner_id, created_at, list_id: listId }],
  formerKeysOf: ({ listId, ownerId }, { created_at }) => [{ user_id: ownerId, created_at, list_id: listId }],
  readerOf: ({ user_id }) => user_id,
});

/** The source of truth for lists, and the list of its owner's lists. */
export const lists = aggregate({
  name: 'list',
  key: listKey,
  table: listStates,
  rowKey: ({ listId }) => ({ list_id: listId }),
  tombstone: { ...GONE, created_at: new Date(0), ...NOT_TAKEN_DOWN },
  projectionContext: (app, { ownerId }) => accountNow(app, ownerId),
  erase: forgetList,
  // The state of a deleted list no longer contains its take-down.
  needsFormerProjection: ({ taken_down_at }) => taken_down_at !== null,
  projections: (app, key, state) => {
    if (!isMade(state)) return [];
    const { taken_down_at: at, taken_down_by: by, taken_down_reason: reason } = state;
    const seen = announcedLikes(app, { type: 'BookList', key: key.listId });
    const list = () => batch(app.cassandra, [...ofOwner.writes(key, state, undefined), seen]);
    const decision = () =>
      recordDecisionFor(app, { type: 'BookList', key: key.listId }, key.ownerId, {
        kind: 'TITLE_TAKEN_DOWN',
        at,
        by,
        reason,
      });
    // The owner is read after the list is written: an erasure that did not find the list has
    // already marked the account as deleted.
    const owner = async () => {
      if (!(await accountNow(app, key.ownerId))) await forgetList(app, key);
    };
    return [{ list, ...(at && { decision }) }, { owner }];
  },
});

/** True for a list that was made; false if there was only an attempt to make it. */
export const isMade = ({ created_at }: BookListState): boolean => created_at.getTime() !== 0;

/** Returns the owner of a list; null if the list was deleted. */
export async function ownerNow(app: AppContext, listId: string): Promise<string | null> {
  const found = await first(app.cassandra, selectLists, { ...HEAD, list_ids: [listId] });
  // Only a serial read knows that a list is not there.
  const state = found?.state.owner_id ? found.state : await lists.read(app, { listId, ownerId: LOWEST_UUID });
  return state?.owner_id ?? null;
}

/** Returns the writes that delete all entries of a list, for any number of entries. */
export const withoutEntries = (listId: string): Bound[] =>
  [ENTRIES, BOOKS].map((each) => bind(deletePart, { list_id: listId, ...each }));

/** Forgets a list of a deleted account. It can be repeated at any time. */
export async function forgetList(app: AppContext, key: ListKey): Promise<void> {
  const gone = async (former: BookListState) => {
    // The caller may be wrong about the owner, whose account then is not deleted.
    if (former.owner_id === null || (await accountNow(app, former.owner_id))) return undefined;
    return { ...former, ...GONE, ...NOT_TAKEN_DOWN };
  };
  const state = await lists.amend(app, key, gone, withoutEntries(key.listId));
  if (state?.owner_id === null && isMade(state)) await batch(app.cassandra, ofOwner.writes(key, state, undefined));
}
