import type { Room } from '../house/room.ts';
import { personalData } from './personal-data.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  personalData,
} satisfies Room;
