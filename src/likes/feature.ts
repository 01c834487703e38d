import type { JobHandler } from '../context/context.ts';
import type { Feature } from '../feature/feature.ts';
import { likeAudit } from './audit.ts';
import { likes } from './aggregate.ts';
import { computeAlsoLiked } from './also-liked.worker.ts';
import { fillMonthsOfLikes } from './in-feeds.ts';
import { personalData } from './personal-data.ts';
import { readLikesAhead } from './read-ahead.ts';
import { projectSomeLikes, retitleSomeLikes, retitleSomeLikesOfCopies } from './repair.ts';
import { resolvers } from './resolvers.ts';

/** The handler of a kind of job that only release 1.0.0 begins and runs. */
const endAtOnce: JobHandler = () => Promise.resolve(undefined);

/** The part of the jobs that write the name and audience of a reader into lists again. */
const written = [{ name: 'likes', work: projectSomeLikes }];

export const feature = {
  resolvers,
  transactions: [likes.transaction],
  jobs: {
    RENAME: written,
    AUDIENCE: written,
    SUSPENSION: written,
    RETITLE: [
      { name: 'likes', work: retitleSomeLikes },
      { name: 'likes-of-copies', work: retitleSomeLikesOfCopies, isLast: true },
    ],
    RETITLE_COPY: retitleSomeLikes,
    FILL_FEEDS: [{ name: 'likes', work: fillMonthsOfLikes }],
    SUM_UP: endAtOnce,
    MERGE: endAtOnce,
  },
  audits: [likeAudit],
  workers: [{ name: 'also liked', periodMs: 1_000, run: computeAlsoLiked }],
  personalData,
  impersonalTables: ['also_liked'],
  readsAhead: { of: 'Book', read: readLikesAhead },
} satisfies Feature;
