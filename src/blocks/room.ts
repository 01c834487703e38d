import type { Room } from '../house/room.ts';
import { blocks } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [blocks.transaction],
  personalData,
} satisfies Room;
