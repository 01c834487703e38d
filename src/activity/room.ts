import type { Room } from '../house/room.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  costs: { User: { actions: { partitions: ({ kinds }) => Math.max(1, new Set(kinds).size) } } },
  personalData,
} satisfies Room;
