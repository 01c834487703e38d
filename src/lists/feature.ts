import { projectionAudit } from '../audit/projection.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import type { Feature } from '../feature/feature.ts';
import { lists, ofOwner, ownerNow } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { isListShown, listIncludingDeleted, shownList } from './operations.ts';

/** The audit of the lists of each reader. */
const listAudit = projectionAudit(lists, {
  kind: 'lists',
  lists: [ofOwner],
  // A list that was never made or was deleted is in no list of lists.
  keyOf: ({ list_id }, state) => ({ listId: list_id, ownerId: state?.owner_id ?? LOWEST_UUID }),
  behind: (_key, state) => (state?.owner_id ? [{ type: 'User', key: state.owner_id }] : []),
});

export const feature = {
  resolvers,
  nodeTypes: {
    BookList: {
      find: shownList,
      // The row of a like does not have the name of a list, because the name is erased with its
      // owner's account.
      likeable: {
        kind: 'LIST',
        plural: 'lists',
        likedSince: '1.1.0',
        findAny: listIncludingDeleted,
        isShown: isListShown,
        notified: { kind: 'LIST_LIKED', ownerNow },
        readerOf: ({ ownerId }) => ownerId,
      },
    },
  },
  transactions: [lists.transaction],
  audits: [listAudit],
  personalData,
  viewerData: {
    createList: 'LISTS',
    updateList: 'LISTS',
    deleteList: 'LISTS',
    addToList: 'LISTS',
    updateListEntry: 'LISTS',
    removeFromList: 'LISTS',
    moveInList: 'LISTS',
  },
} satisfies Feature;
