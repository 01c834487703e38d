import { existingBook } from '../catalogue/operations.ts';
import { accountById } from '../identity/operations.ts';
import { isShown } from '../identity/privacy.ts';
import type { LikerConnection, LikerEdge } from '../identity/shown-likers.ts';
import { fieldsAskedOfNodes } from '../graphql/asked-fields.ts';
import type { CountedConnection, PageArguments } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { alsoLikedOf, type AlsoLikedEdge } from './also-liked.ts';
import { knownLikersOf, type KnownLikers } from './known-likers.ts';
import {
  bookOfSubject,
  findLikeable,
  isLikeableShown,
  likedLikeable,
  titleOfLiked,
  type Likeable,
} from './likeables.ts';
import {
  like,
  likeCountOf,
  likersOf,
  likesOf,
  likeTallyOf,
  type LikeAnswer,
  unlike,
  viewerHasLiked,
  viewerLikedAt,
  type LikeEdge,
} from './operations.ts';
import { parseSubject } from '../graphql/ids.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Likeable: Likeable;
    LikeConnection: CountedConnection<LikeEdge>;
    LikeEdge: LikeEdge;
    LikerConnection: LikerConnection;
    KnownLikers: KnownLikers;
    LikerEdge: LikerEdge;
    LikePayload: LikeAnswer;
    AlsoLikedEdge: AlsoLikedEdge;
  }
}

const nothing = { likeable: null, viewerId: null, changed: false, likeEdge: null };

/** The fields that every likeable type has; its own resolvers spread them. */
const likeable = {
  viewerHasLiked: (likeable: Likeable, _args: object, context: RequestContext) => viewerHasLiked(context, likeable),
  viewerLikedAt: (likeable: Likeable, _args: object, context: RequestContext) => viewerLikedAt(context, likeable),
  likeCount: (likeable: Likeable, _args: object, context: RequestContext) => likeCountOf(context, likeable),
  likeTally: (likeable: Likeable, _args: object, context: RequestContext) => likeTallyOf(context, likeable),
  likers: (likeable: Likeable, args: PageArguments, context: RequestContext) => likersOf(context, likeable, args),
  knownLikers: (likeable: Likeable, args: { first?: number | null }, context: RequestContext) =>
    knownLikersOf(context, likeable, args),
};

export const resolvers = {
  Mutation: {
    like: (_mutation, { input }, context) => mutation(nothing, () => like(context, input)),
    unlike: (_mutation, { input }, context) => mutation(nothing, () => unlike(context, input)),
  },
  LikePayload: {
    likeable: async ({ likeable }, _args, context) =>
      likeable && (await isLikeableShown(context, likeable)) ? likeable : null,
    // There is no viewer id either if the mutation was refused before it began.
    viewer: ({ viewerId }, _args, context) => (viewerId == null ? null : accountById(context, viewerId)),
  },
  Likeable: {
    __resolveType: (likeable: Likeable) => likeable.type,
  },
  Book: {
    ...likeable,
    alsoLiked: (book, page, context) => alsoLikedOf(context, book, page),
  },
  AlsoLikedEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
  Item: likeable,
  BookList: likeable,
  Review: likeable,
  User: {
    likes: async (user, { of, ...page }, context, info) =>
      (await isShown(context, user.id, 'likes'))
        ? likesOf(context, user, of ?? null, page, fieldsAskedOfNodes(info))
        : null,
  },
  TrendingEdge: {
    node: ({ node }, _args, context) => likedLikeable(context, node),
  },
  Action: {
    likeable: ({ kind, subject }, _args, context) => {
      const id = parseSubject(subject);
      const isLikeable = kind === 'LIKED' || kind === 'UNLIKED' || id?.type === 'Item';
      return id && isLikeable ? findLikeable(context, id) : null;
    },
    book: ({ subject }, _args, context) => bookOfSubject(context, subject),
  },
  LikeEdge: {
    node: ({ node }, _args, context) => node.known ?? likedLikeable(context, node),
    title: ({ node, title }, _args, context) => titleOfLiked(context, node, title),
  },
} satisfies Resolvers;
