import type { Room } from '../house/room.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
} satisfies Room;
