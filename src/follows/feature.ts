import type { Audit } from '../audit/audit.ts';
import { projectionAudit } from '../audit/projection.ts';
import type { Feature } from '../feature/feature.ts';
import { byFollowedAt, byRequestedAt, follows, ofFollowed } from './aggregate.ts';
import { followers } from './followers.ts';
import { personalData } from './personal-data.ts';
import { projectSomeFollows } from './repair.ts';
import { resolvers } from './resolvers.ts';

/**
 * The audit of the lists of follows. That of likes scans the followers, who are in the same table.
 */
const followAudit: Audit = projectionAudit(follows, {
  kind: 'follows',
  lists: [byFollowedAt, byRequestedAt, ofFollowed, followers.compared],
  keyOf: ({ user_id, followed_id }) => ({ userId: user_id, followedId: followed_id }),
  behind: ({ userId, followedId }) => [
    { type: 'User', key: userId },
    { type: 'User', key: followedId },
  ],
});

/** The part of the jobs that write the name and audience of a reader into lists again. */
const written = [{ name: 'follows', work: projectSomeFollows }];

export const feature = {
  resolvers,
  transactions: [follows.transaction],
  jobs: { RENAME: written, AUDIENCE: written, SUSPENSION: written },
  audits: [followAudit],
  personalData,
} satisfies Feature;
