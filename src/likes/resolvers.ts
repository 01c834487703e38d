import { accountById } from '../accounts/operations.ts';
import type { PageArguments } from '../connections.ts';
import type { RequestContext } from '../context.ts';
import { mutation } from '../errors.ts';
import type { Resolvers } from '../schema.generated.ts';
import {
  existingLikeable,
  like,
  likeCountOf,
  likersOf,
  likesOf,
  likeTallyOf,
  unlike,
  viewerLikedAt,
  type Likeable,
} from './operations.ts';

const nothing = { likeable: null, viewerId: null, changed: false };

/** The fields that every likeable type has; its own resolvers spread them. */
const likeable = {
  viewerHasLiked: async (thing: Likeable, _args: object, context: RequestContext) =>
    (await viewerLikedAt(context, thing)) !== null,
  viewerLikedAt: (thing: Likeable, _args: object, context: RequestContext) => viewerLikedAt(context, thing),
  likeCount: (thing: Likeable, _args: object, context: RequestContext) => likeCountOf(context, thing),
  likeTally: (thing: Likeable, _args: object, context: RequestContext) => likeTallyOf(context, thing),
  likers: (thing: Likeable, args: PageArguments, context: RequestContext) => likersOf(context, thing, args),
};

export const resolvers: Resolvers = {
  Mutation: {
    like: (_mutation, { input }, context) => mutation(nothing, () => like(context, input)),
    unlike: (_mutation, { input }, context) => mutation(nothing, () => unlike(context, input)),
  },
  LikePayload: {
    viewer: ({ viewerId }, _args, context) => (viewerId === null ? null : accountById(context, viewerId)),
  },
  Likeable: {
    __resolveType: (thing: Likeable) => thing.type,
  },
  Book: likeable,
  Item: likeable,
  User: {
    likes: (user, args, context) => likesOf(context, user, args),
  },
  LikeEdge: {
    node: ({ node }, _args, context) => existingLikeable(context, node),
  },
};
