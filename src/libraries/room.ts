import type { Room } from '../house/room.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  impersonalTables: ['libraries_by_id', 'libraries_by_city', 'libraries_by_city_opened', 'libraries_by_cell', 'places'],
} satisfies Room;
