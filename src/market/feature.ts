import { projectionAudit } from '../audit/projection.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import type { Feature } from '../feature/feature.ts';
import {
  describedCopies,
  fillCopies,
  listings,
  listsOfCopies,
  moveSomeCopies,
  projectSomeCopies,
  retitleSomeCopies,
} from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { bookOfItem, isItemShown, itemById, itemTitleNow, shownItem } from './operations.ts';

/** The audit of copies, with the lists of sellers and of books. */
const itemAudit = projectionAudit(listings, {
  kind: 'items',
  lists: listsOfCopies,
  // A copy that was never listed or has no seller any more is in no list.
  keyOf: ({ item_id }, state) => ({ itemId: item_id, sellerId: state?.seller_id ?? LOWEST_UUID }),
  join: describedCopies,
  behind: ({ itemId }, state) => [
    { type: 'Item', key: itemId },
    ...(state ? [{ type: 'Book', key: state.book_id } as const] : []),
    ...(state?.seller_id ? [{ type: 'User', key: state.seller_id } as const] : []),
  ],
});

export const feature = {
  resolvers,
  nodeTypes: {
    Item: {
      find: shownItem,
      likeable: {
        kind: 'ITEM',
        plural: 'copies',
        findAny: itemById,
        isShown: isItemShown,
        readerOf: ({ sellerId }) => sellerId,
        whyGone: ({ status }) =>
          status === 'FOR_SALE' ? undefined : 'This copy is not for sale any more and cannot be liked.',
        fieldsInRow: async (app, itemId) => ({ title: await itemTitleNow(app, itemId), authors: [] }),
        bookOf: bookOfItem,
      },
    },
  },
  transactions: [listings.transaction],
  jobs: {
    SUSPENSION: [{ name: 'copies', work: projectSomeCopies }],
    RETITLE: [{ name: 'copies', work: retitleSomeCopies }],
    MOVE_COPIES: moveSomeCopies,
    FILL_COPIES: fillCopies,
  },
  audits: [itemAudit],
  personalData,
  viewerData: {
    listItem: 'COPIES',
    changePrice: 'COPIES',
    withdrawItem: 'COPIES',
    markAsSold: 'COPIES',
  },
} satisfies Feature;
