import type { Feature } from '../feature/feature.ts';
import { personalData } from './personal-data.ts';
import { CLICK_SHARDS, clickRecording } from './recording.ts';
import { resolvers } from './resolvers.ts';

export const feature = {
  resolvers,
  costs: { Query: { clicks: { partitions: () => CLICK_SHARDS } } },
  transactions: [clickRecording],
  personalData,
  impersonalTables: ['click_buckets_by_day'],
  beforeVerified: ['recordClicks'],
} satisfies Feature;
