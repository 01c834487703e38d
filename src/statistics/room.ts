import type { Room } from '../house/room.ts';
import { goals } from './aggregate.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [goals.transaction],
  personalData,
} satisfies Room;
