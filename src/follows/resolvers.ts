import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { accountById } from '../identity/operations.ts';
import { isShown, shownReader } from '../identity/privacy.ts';
import {
  follow,
  followersOf,
  followerTallyOf,
  followingOf,
  unfollow,
  viewerFollows,
  type FollowAnswer,
  type FollowedReaderConnection,
  type FollowedReaderEdge,
  type FollowerConnection,
  type FollowerEdge,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    FollowedReaderConnection: FollowedReaderConnection;
    FollowedReaderEdge: FollowedReaderEdge;
    FollowerConnection: FollowerConnection;
    FollowerEdge: FollowerEdge;
    FollowPayload: FollowAnswer;
  }
}

const nobody = { userId: null, viewerId: null, changed: false, followEdge: null };

export const resolvers = {
  Mutation: {
    follow: (_mutation, { input }, context) => mutation(nobody, () => follow(context, input)),
    unfollow: (_mutation, { input }, context) => mutation(nobody, () => unfollow(context, input)),
  },
  FollowPayload: {
    // There are no ids either if the mutation was refused before it began.
    user: ({ userId }, _args, context) => (userId == null ? null : shownReader(context, userId)),
    viewer: ({ viewerId }, _args, context) => (viewerId == null ? null : accountById(context, viewerId)),
  },
  User: {
    followers: (user, page, context) => followersOf(context, user, page),
    following: async (user, page, context) =>
      (await isShown(context, user.id, 'likes')) ? followingOf(context, user, page) : null,
    followerTally: (user, _args, context) => followerTallyOf(context, user),
    viewerFollows: (user, _args, context) => viewerFollows(context, user.id),
  },
  FollowedReaderEdge: {
    node: ({ userId }, _args, context) => shownReader(context, userId),
  },
} satisfies Resolvers;
