import type { Room } from '../house/room.ts';
import { likeAudit } from './audit.ts';
import { likes } from './aggregate.ts';
import { mergeLikesOf } from './merge.ts';
import { personalData } from './personal-data.ts';
import { readLikesAhead } from './ahead.ts';
import { projectSomeLikes, retitleSomeLikesOf, retitleSomeLikesOfCopies } from './repair.ts';
import { resolvers } from './resolvers.ts';
import { sumUpLikesOf } from './sum-up.ts';

export const room = {
  resolvers,
  transactions: [likes.transaction],
  jobs: {
    RENAME: projectSomeLikes,
    AUDIENCE: projectSomeLikes,
    SUSPENSION: [{ name: 'likes', work: projectSomeLikes }],
    RETITLE: [
      { name: 'likes', work: retitleSomeLikesOf('Book') },
      { name: 'likes-of-copies', work: retitleSomeLikesOfCopies, isLast: true },
    ],
    RETITLE_COPY: retitleSomeLikesOf('Item'),
    SUM_UP: sumUpLikesOf('Book'),
    SUM_UP_COPY: sumUpLikesOf('Item'),
    MERGE: mergeLikesOf('Book'),
    MERGE_COPY: mergeLikesOf('Item'),
  },
  audits: [likeAudit],
  personalData,
  impersonalTables: ['like_counts'],
  readsAhead: { of: 'Book', read: readLikesAhead },
} satisfies Room;
