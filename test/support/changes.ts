import { randomUUID } from 'node:crypto';
import type { Change } from '../../src/member-sets/shard.ts';

/** The fields that are shown of a liker. */
export const SHOWN = { fullName: 'Somebody', audience: 'EVERYONE' } as const;

/** Makes a reader's first like of something, at a second. */
export const newLike = (second: number): Change => ({
  userId: randomUUID(),
  version: 1,
  likedAt: new Date(1_000 * second),
  shown: SHOWN,
});

export const takenBack = (like: Change): Change => ({ ...like, version: like.version + 1, shown: undefined });
