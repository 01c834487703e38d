import type { Room } from '../house/room.ts';
import { mergeLikers } from '../likers/merge.ts';
import { sumUpLikers } from '../likers/sum-up.ts';
import { likeAudit } from './audit.ts';
import { likes } from './aggregate.ts';
import { computeAlsoLiked } from './also-liked.worker.ts';
import { personalData } from './personal-data.ts';
import { readLikesAhead } from './ahead.ts';
import { moveLike, projectSomeLikes, retitleSomeLikes, retitleSomeLikesOfCopies } from './repair.ts';
import { resolvers } from './resolvers.ts';

export const room = {
  resolvers,
  transactions: [likes.transaction],
  jobs: {
    RENAME: projectSomeLikes,
    AUDIENCE: projectSomeLikes,
    SUSPENSION: [{ name: 'likes', work: projectSomeLikes }],
    RETITLE: [
      { name: 'likes', work: retitleSomeLikes },
      { name: 'likes-of-copies', work: retitleSomeLikesOfCopies, isLast: true },
    ],
    RETITLE_COPY: retitleSomeLikes,
    SUM_UP: sumUpLikers,
    MERGE: mergeLikers(moveLike),
  },
  audits: [likeAudit],
  workers: [{ name: 'also liked', periodMs: 1_000, run: computeAlsoLiked }],
  personalData,
  impersonalTables: ['like_counts', 'also_liked'],
  readsAhead: { of: 'Book', read: readLikesAhead },
} satisfies Room;
