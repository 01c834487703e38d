import type { Audit } from '../audit/audit.ts';
import { projectionAudit } from '../audit/projection.ts';
import type { Feature } from '../feature/feature.ts';
import { noticesBy, requiredNotices } from '../notices/operations.ts';
import { byFollowedAt, byRequestedAt, follows, newsOf, ofFollowed } from './aggregate.ts';
import { wrongCounts } from './counts.ts';
import { followers } from './followers.ts';
import { hiddenFollows } from './hidden-follows.ts';
import { personalData } from './personal-data.ts';
import { projectSomeFollows } from './repair.ts';
import { resolvers } from './resolvers.ts';

/**
 * The audit of follows and their lists. That of likes scans the followers, who are in its table.
 */
const followAudit: Audit = projectionAudit(follows, {
  kind: 'follows',
  lists: [byFollowedAt, byRequestedAt, ofFollowed, followers.compared, requiredNotices(), hiddenFollows],
  keyOf: ({ user_id, followed_id }) => ({ userId: user_id, followedId: followed_id }),
  join: noticesBy(newsOf),
  suspectOfPartition: (app, { user_id }) => wrongCounts(app, user_id),
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
