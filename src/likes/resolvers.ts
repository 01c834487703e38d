import { accountById } from '../accounts/operations.ts';
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
const likeable: Pick<
  NonNullable<Resolvers['Book']>,
  'viewerHasLiked' | 'viewerLikedAt' | 'likeCount' | 'likeTally' | 'likers'
> = {
  viewerHasLiked: async (thing, _args, context) => (await viewerLikedAt(context, thing)) !== null,
  viewerLikedAt: (thing, _args, context) => viewerLikedAt(context, thing),
  likeCount: (thing, _args, context) => likeCountOf(context, thing),
  likeTally: (thing, _args, context) => likeTallyOf(context, thing),
  likers: (thing, args, context) => likersOf(context, thing, args),
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
  User: {
    likes: (user, args, context) => likesOf(context, user, args),
  },
  LikeEdge: {
    node: ({ node }, _args, context) => existingLikeable(context, node),
  },
};
