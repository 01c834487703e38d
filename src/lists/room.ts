import type { Room } from '../house/room.ts';
import { lists } from './aggregate.ts';
import { listAudit } from './audit.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';
import { isListShown, listEvenGone, shownList } from './operations.ts';

export const room = {
  resolvers,
  nodeTypes: {
    BookList: {
      find: shownList,
      // A like has no name of a list, which is erased with the account of its owner.
      likeable: { kind: 'LIST', plural: 'lists', likedSince: '1.1.0', findAny: listEvenGone, isShown: isListShown },
    },
  },
  transactions: [lists.transaction],
  audits: [listAudit],
  personalData,
} satisfies Room;
