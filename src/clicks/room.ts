import type { Room } from '../house/room.ts';
import { personalData } from './personal-data.ts';
import { clickRecording } from './recording.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [clickRecording],
  personalData,
  impersonalTables: ['click_buckets_by_day'],
  beforeVerified: ['recordClicks'],
} satisfies Room;
