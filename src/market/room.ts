import type { Room } from '../house/room.ts';
import { listings, projectSomeCopies, retitleSomeCopies } from './aggregate.ts';
import { itemAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { bookOfItem, isItemShown, itemById, itemTitleNow, shownItem } from './operations.ts';

export const room = {
  resolvers,
  nodeTypes: {
    Item: {
      find: shownItem,
      likeable: {
        kind: 'ITEM',
        plural: 'copies',
        findAny: itemById,
        isShown: isItemShown,
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
  },
  audits: [itemAudit],
  personalData,
} satisfies Room;
