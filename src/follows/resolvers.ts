import type { RequestContext } from '../context/context.ts';
import type { CountedConnection } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { viewerFollows, viewerHasRequestedFollow } from '../identity/following.ts';
import { accountById } from '../identity/operations.ts';
import { isShown, onlyForSelf, shownReader } from '../identity/privacy.ts';
import {
  followersOf,
  followerTallyOf,
  followingOf,
  followRequestsOf,
  type FollowedReaderConnection,
  type FollowedReaderEdge,
  type FollowerConnection,
  type FollowerEdge,
  type FollowRequestEdge,
} from './lists.ts';
import {
  acceptFollower,
  follow,
  removeFollower,
  unfollow,
  type FollowAnswer,
  type FollowerAnswer,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    FollowedReaderConnection: FollowedReaderConnection;
    FollowedReaderEdge: FollowedReaderEdge;
    FollowerConnection: FollowerConnection;
    FollowerEdge: FollowerEdge;
    FollowPayload: FollowAnswer;
    FollowerPayload: FollowerAnswer;
    FollowRequestConnection: CountedConnection<FollowRequestEdge>;
    FollowRequestEdge: FollowRequestEdge;
  }
}

const unchanged = { userId: null, viewerId: null, changed: false };
const nobody = { ...unchanged, followEdge: null };

/** The readers in a payload. There are no ids if the mutation was refused before it began. */
const readers = {
  user: ({ userId }: Partial<FollowerAnswer>, _args: object, context: RequestContext) =>
    userId == null ? null : shownReader(context, userId),
  viewer: ({ viewerId }: Partial<FollowerAnswer>, _args: object, context: RequestContext) =>
    viewerId == null ? null : accountById(context, viewerId),
};

export const resolvers = {
  Mutation: {
    follow: (_mutation, { input }, context) => mutation(nobody, () => follow(context, input)),
    unfollow: (_mutation, { input }, context) => mutation(nobody, () => unfollow(context, input)),
    acceptFollower: (_mutation, { input }, context) => mutation(unchanged, () => acceptFollower(context, input)),
    removeFollower: (_mutation, { input }, context) => mutation(unchanged, () => removeFollower(context, input)),
  },
  FollowPayload: readers,
  FollowerPayload: readers,
  User: {
    followers: (user, page, context) => followersOf(context, user, page),
    following: async (user, page, context) =>
      (await isShown(context, user.id, 'likes')) ? followingOf(context, user, page) : null,
    followerTally: (user, _args, context) => followerTallyOf(context, user),
    viewerFollows: (user, _args, context) => viewerFollows(context, user.id),
    viewerHasRequestedFollow: (user, _args, context) => viewerHasRequestedFollow(context, user.id),
    followRequests: onlyForSelf(followRequestsOf),
  },
  FollowRequestEdge: {
    node: ({ userId }, _args, context) => shownReader(context, userId),
  },
  FollowedReaderEdge: {
    node: ({ userId }, _args, context) => shownReader(context, userId),
  },
} satisfies Resolvers;
