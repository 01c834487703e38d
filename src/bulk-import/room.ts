import type { Room } from '../house/room.ts';

export const room = {
  impersonalTables: ['imports'],
} satisfies Room;
