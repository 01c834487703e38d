import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Book as BookModel } from './catalogue/operations.ts';
import type { User as UserModel } from './accounts/operations.ts';
import type { Likeable as LikeableModel, LikeEdge as LikeEdgeModel, LikerEdge as LikerEdgeModel } from './likes/operations.ts';
import type { NodeObject as NodeObjectModel } from './nodes.ts';
import type { Action as ActionModel } from './activity/operations.ts';
import type { ReadBookEdge as ReadBookEdgeModel, ReadBookConnection as ReadBookConnectionModel } from './reading/operations.ts';
import type { PageInfo as PageInfoModel } from './connections.ts';
import type { RequestContext } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A moment, as RFC 3339 with milliseconds in UTC: `2026-03-01T09:30:00.000Z`. Offsets are accepted in input. */
  DateTime: { input: Date; output: Date; }
};

/** One thing that a reader did. */
export type Action = {
  __typename?: 'Action';
  /** When they did it; for `READ` when they read the book. */
  at: Scalars['DateTime']['output'];
  /** The book that it was about; null when it was not about a book. */
  book?: Maybe<Book>;
  /** What they did. */
  kind: ActionKind;
  /** What was liked or no longer liked; null for other kinds. */
  likeable?: Maybe<Likeable>;
};

/** A page of what a reader did. */
export type ActionConnection = {
  __typename?: 'ActionConnection';
  /** The actions of this page. */
  edges: Array<ActionEdge>;
  /** Where the page lies in the list. */
  pageInfo: PageInfo;
};

/** An action in its list. */
export type ActionEdge = {
  __typename?: 'ActionEdge';
  /** When it was done. */
  at: Scalars['DateTime']['output'];
  /** Where this edge lies in the list. */
  cursor: Scalars['String']['output'];
  /** The action. */
  node: Action;
};

/** What a reader did. */
export type ActionKind =
  /** Liked something. */
  | 'LIKED'
  /** Logged in. */
  | 'LOGGED_IN'
  /** Read a book; the action's moment is that of reading. */
  | 'READ'
  /** Made the account. */
  | 'REGISTERED'
  /** Took a like back. */
  | 'UNLIKED'
  /** Took a book out of what they have read. */
  | 'UNMARKED_READ';

/** The order of actions. */
export type ActionOrder =
  /** Newest first. */
  | 'NEWEST'
  /** Oldest first. */
  | 'OLDEST';

/** The answer to registering or logging in. */
export type AuthPayload = {
  __typename?: 'AuthPayload';
  /** Send it with every request: `Authorization: Bearer <accessToken>`. */
  accessToken?: Maybe<Scalars['String']['output']>;
  /** When the access token ends. */
  accessTokenExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader who is logged in now; null when `userErrors` says why not. */
  viewer?: Maybe<User>;
};

/** One edition of a book. */
export type Book = Likeable & Node & {
  __typename?: 'Book';
  /** The authors, the first one first; never empty. */
  authors: Array<Scalars['String']['output']>;
  /** The average rating, from 1 to 5, in the data that the catalogue was imported from. */
  averageRating?: Maybe<Scalars['Float']['output']>;
  /** Opaque, stable, and unlike the id of any other thing. */
  id: Scalars['ID']['output'];
  /** The ISBN-13, without hyphens; null for the few books that have none. */
  isbn?: Maybe<Scalars['String']['output']>;
  /** The language of the edition as the catalogue names it: ISO 639-2 (`eng`), or BCP 47 (`en-US`). */
  languageCode?: Maybe<Scalars['String']['output']>;
  /** How many readers like it: approximate at any instant, exact about a second after the last change. Includes the viewer's own likes at once. */
  likeCount: Scalars['Int']['output'];
  /** How many readers like it, and whether that is exact; costs a read of its own. */
  likeTally: LikeTally;
  /** The readers who like it, newest like first. */
  likers: LikerConnection;
  /** The title in the language it was written in, where known. */
  originalTitle?: Maybe<Scalars['String']['output']>;
  /** The year in which the work was first published; negative before the common era. */
  publishedYear?: Maybe<Scalars['Int']['output']>;
  /** How many ratings that average is of. */
  ratingsCount?: Maybe<Scalars['Int']['output']>;
  /** The title, with its series where it is part of one. */
  title: Scalars['String']['output'];
  /** Whether the viewer likes it; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** When the viewer liked it; null when they do not. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** One edition of a book. */
export type BookLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of what a reader likes. */
export type LikeConnection = {
  __typename?: 'LikeConnection';
  /** The likes of this page. */
  edges: Array<LikeEdge>;
  /** Where the page lies in the list. */
  pageInfo: PageInfo;
};

/** A like, seen from its reader. */
export type LikeEdge = {
  __typename?: 'LikeEdge';
  /** Where this edge lies in the list. */
  cursor: Scalars['String']['output'];
  /** When it was liked. */
  likedAt: Scalars['DateTime']['output'];
  /** The thing that is liked. */
  node: Likeable;
  /** The thing's title, from the like's own row: a list of titles costs no more reads. */
  title: Scalars['String']['output'];
};

/** What to like. */
export type LikeInput = {
  /** The id of a thing that can be liked. */
  id: Scalars['ID']['input'];
};

/** The answer to a like or unlike. */
export type LikePayload = {
  __typename?: 'LikePayload';
  /** Whether this call changed anything: false when it was so already. */
  changed: Scalars['Boolean']['output'];
  /** The thing, as it is now. */
  likeable?: Maybe<Likeable>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** A count of likes that says how far it can be trusted. */
export type LikeTally = {
  __typename?: 'LikeTally';
  /** The moment the count speaks of. */
  asOf: Scalars['DateTime']['output'];
  /** How many readers like the thing. */
  count: Scalars['Int']['output'];
  /** True only when every like and unlike that was answered before `asOf` is counted. */
  isExact: Scalars['Boolean']['output'];
};

/** A thing that readers can like. */
export type Likeable = {
  /** Opaque, stable, and unlike the id of any other thing. */
  id: Scalars['ID']['output'];
  /** How many readers like it: approximate at any instant, exact about a second after the last change. Includes the viewer's own likes at once. */
  likeCount: Scalars['Int']['output'];
  /** How many readers like it, and whether that is exact; costs a read of its own. */
  likeTally: LikeTally;
  /** The readers who like it, newest like first. */
  likers: LikerConnection;
  /** Whether the viewer likes it; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** When the viewer liked it; null when they do not. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** A thing that readers can like. */
export type LikeableLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of the readers who like a thing. */
export type LikerConnection = {
  __typename?: 'LikerConnection';
  /** The likes of this page. */
  edges: Array<LikerEdge>;
  /** Where the page lies in the list. */
  pageInfo: PageInfo;
};

/** A like, seen from the thing. */
export type LikerEdge = {
  __typename?: 'LikerEdge';
  /** Where this edge lies in the list. */
  cursor: Scalars['String']['output'];
  /** When they liked it. */
  likedAt: Scalars['DateTime']['output'];
  /** The reader who likes it. */
  node: User;
};

/** Who logs in. */
export type LoginInput = {
  /** The email address of the account, in any spelling. */
  email: Scalars['String']['input'];
  /** The account's password. */
  password: Scalars['String']['input'];
};

/** Which book was read, and when. */
export type MarkAsReadInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** When it was read, from the year 1900 until now. Another moment than before is a re-read. Unless given: now, if the book is not marked as read already. */
  readAt?: InputMaybe<Scalars['DateTime']['input']>;
};

export type Mutation = {
  __typename?: 'Mutation';
  /** Likes a thing. Liking twice is liking once. */
  like: LikePayload;
  /** Logs in. */
  login: AuthPayload;
  /** Notes that the viewer has read a book. */
  markAsRead: ReadingPayload;
  /** Makes an account and logs in. */
  register: AuthPayload;
  /** Takes a like back. Taking back what was not liked changes nothing. */
  unlike: LikePayload;
  /** Takes a book out of what the viewer has read, all its moments included. */
  unmarkAsRead: ReadingPayload;
};


export type MutationLikeArgs = {
  input: LikeInput;
};


export type MutationLoginArgs = {
  input: LoginInput;
};


export type MutationMarkAsReadArgs = {
  input: MarkAsReadInput;
};


export type MutationRegisterArgs = {
  input: RegisterInput;
};


export type MutationUnlikeArgs = {
  input: UnlikeInput;
};


export type MutationUnmarkAsReadArgs = {
  input: UnmarkAsReadInput;
};

/** Anything with an id of its own. */
export type Node = {
  /** Opaque, stable, and unlike the id of any other thing. */
  id: Scalars['ID']['output'];
};

/** Where a page lies in its list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the last edge; null on an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether the list goes on behind this page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether the list has something before this page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first edge; null on an empty page. */
  startCursor?: Maybe<Scalars['String']['output']>;
};

export type Query = {
  __typename?: 'Query';
  /** A book by its ISBN; null when no book has it. */
  book?: Maybe<Book>;
  /** Anything that has an id; null when nothing has this one. */
  node?: Maybe<Node>;
  /** Many things by their ids, in the given order; null where nothing has an id. */
  nodes: Array<Maybe<Node>>;
  /** The reader whose access token came with the request; null when signed out. */
  viewer?: Maybe<User>;
};


export type QueryBookArgs = {
  isbn: Scalars['String']['input'];
};


export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


export type QueryNodesArgs = {
  ids: Array<Scalars['ID']['input']>;
};

/** A page of the books that a reader has read. */
export type ReadBookConnection = {
  __typename?: 'ReadBookConnection';
  /** The books of this page. */
  edges: Array<ReadBookEdge>;
  /** Where the page lies in the list. */
  pageInfo: PageInfo;
  /** The full name of the reader whose books these are. */
  readerFullName: Scalars['String']['output'];
};

/** A book that a reader has read. */
export type ReadBookEdge = {
  __typename?: 'ReadBookEdge';
  /** Where this edge lies in the list. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
  /** When it was last read. */
  readAt: Scalars['DateTime']['output'];
  /** Every time it was read, newest first. */
  reads: Array<Scalars['DateTime']['output']>;
};

/** The order of a reader's books. */
export type ReadBookOrder =
  /** Last read first. */
  | 'READ_AT'
  /** By title, then by first author; case and accents do not matter. */
  | 'TITLE';

/** The answer to a change of what was read. */
export type ReadingPayload = {
  __typename?: 'ReadingPayload';
  /** The book. */
  book?: Maybe<Book>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** Who registers. */
export type RegisterInput = {
  /** The email address to log in with. Case, surrounding spaces and Unicode spelling do not matter: one account per address. */
  email: Scalars['String']['input'];
  /** The name that everybody sees: 1 to 100 characters. */
  fullName: Scalars['String']['input'];
  /** At least 8 characters, at most 256; any characters. */
  password: Scalars['String']['input'];
};

/** What to like no longer. */
export type UnlikeInput = {
  /** The id of a thing that can be liked. */
  id: Scalars['ID']['input'];
};

/** Which book was not read after all. */
export type UnmarkAsReadInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** A reader. */
export type User = Node & {
  __typename?: 'User';
  /** What they did here: the viewer's own only, null for anybody else. */
  actions?: Maybe<ActionConnection>;
  /** The address they log in with: the viewer's own only, null for anybody else. */
  email?: Maybe<Scalars['String']['output']>;
  /** The name that everybody sees. */
  fullName: Scalars['String']['output'];
  /** Opaque, stable, and unlike the id of any other thing. */
  id: Scalars['ID']['output'];
  /** What they like, newest like first. */
  likes: LikeConnection;
  /** The books they have read, one edge a book. */
  readBooks: ReadBookConnection;
  /** When they registered. */
  registeredAt: Scalars['DateTime']['output'];
};


/** A reader. */
export type UserActionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  kinds?: InputMaybe<Array<ActionKind>>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ActionOrder;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


/** A reader. */
export type UserLikesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A reader. */
export type UserReadBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ReadBookOrder;
};

/** A reason why a mutation did nothing, for the person who asked for it. */
export type UserError = {
  __typename?: 'UserError';
  /** What kind of reason, for programs. */
  code: UserErrorCode;
  /** What is wrong and what to do about it, for people, in English. */
  message: Scalars['String']['output'];
  /** The input field it is about, from the outermost one: `["input", "email"]`; null when it is about no one field. */
  path?: Maybe<Array<Scalars['String']['output']>>;
};

/** The kinds of reasons why a mutation did nothing. */
export type UserErrorCode =
  /** The email belongs to an account already. */
  | 'EMAIL_TAKEN'
  /** No account has this email and password. */
  | 'INVALID_CREDENTIALS'
  /** The text is not an email address. */
  | 'INVALID_EMAIL'
  /** Another input field cannot be used; path names it. */
  | 'INVALID_INPUT'
  /** The password does not meet the rules; the message says which. */
  | 'INVALID_PASSWORD'
  /** The id is well-formed, but nothing has it. */
  | 'NOT_FOUND';



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Action: ResolverTypeWrapper<ActionModel>;
  ActionConnection: ResolverTypeWrapper<Omit<ActionConnection, 'edges' | 'pageInfo'> & { edges: Array<ResolversTypes['ActionEdge']>, pageInfo: ResolversTypes['PageInfo'] }>;
  ActionEdge: ResolverTypeWrapper<Omit<ActionEdge, 'node'> & { node: ResolversTypes['Action'] }>;
  ActionKind: ActionKind;
  ActionOrder: ActionOrder;
  AuthPayload: ResolverTypeWrapper<Omit<AuthPayload, 'viewer'> & { viewer?: Maybe<ResolversTypes['User']> }>;
  Book: ResolverTypeWrapper<BookModel>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  LikeConnection: ResolverTypeWrapper<Omit<LikeConnection, 'edges' | 'pageInfo'> & { edges: Array<ResolversTypes['LikeEdge']>, pageInfo: ResolversTypes['PageInfo'] }>;
  LikeEdge: ResolverTypeWrapper<LikeEdgeModel>;
  LikeInput: LikeInput;
  LikePayload: ResolverTypeWrapper<Omit<LikePayload, 'likeable' | 'viewer'> & { likeable?: Maybe<ResolversTypes['Likeable']>, viewer?: Maybe<ResolversTypes['User']> }>;
  LikeTally: ResolverTypeWrapper<LikeTally>;
  Likeable: ResolverTypeWrapper<LikeableModel>;
  LikerConnection: ResolverTypeWrapper<Omit<LikerConnection, 'edges' | 'pageInfo'> & { edges: Array<ResolversTypes['LikerEdge']>, pageInfo: ResolversTypes['PageInfo'] }>;
  LikerEdge: ResolverTypeWrapper<LikerEdgeModel>;
  LoginInput: LoginInput;
  MarkAsReadInput: MarkAsReadInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<NodeObjectModel>;
  PageInfo: ResolverTypeWrapper<PageInfoModel>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ReadBookConnection: ResolverTypeWrapper<ReadBookConnectionModel>;
  ReadBookEdge: ResolverTypeWrapper<ReadBookEdgeModel>;
  ReadBookOrder: ReadBookOrder;
  ReadingPayload: ResolverTypeWrapper<Omit<ReadingPayload, 'book' | 'viewer'> & { book?: Maybe<ResolversTypes['Book']>, viewer?: Maybe<ResolversTypes['User']> }>;
  RegisterInput: RegisterInput;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  UnlikeInput: UnlikeInput;
  UnmarkAsReadInput: UnmarkAsReadInput;
  User: ResolverTypeWrapper<UserModel>;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Action: ActionModel;
  ActionConnection: Omit<ActionConnection, 'edges' | 'pageInfo'> & { edges: Array<ResolversParentTypes['ActionEdge']>, pageInfo: ResolversParentTypes['PageInfo'] };
  ActionEdge: Omit<ActionEdge, 'node'> & { node: ResolversParentTypes['Action'] };
  AuthPayload: Omit<AuthPayload, 'viewer'> & { viewer?: Maybe<ResolversParentTypes['User']> };
  Book: BookModel;
  Boolean: Scalars['Boolean']['output'];
  DateTime: Scalars['DateTime']['output'];
  Float: Scalars['Float']['output'];
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  LikeConnection: Omit<LikeConnection, 'edges' | 'pageInfo'> & { edges: Array<ResolversParentTypes['LikeEdge']>, pageInfo: ResolversParentTypes['PageInfo'] };
  LikeEdge: LikeEdgeModel;
  LikeInput: LikeInput;
  LikePayload: Omit<LikePayload, 'likeable' | 'viewer'> & { likeable?: Maybe<ResolversParentTypes['Likeable']>, viewer?: Maybe<ResolversParentTypes['User']> };
  LikeTally: LikeTally;
  Likeable: LikeableModel;
  LikerConnection: Omit<LikerConnection, 'edges' | 'pageInfo'> & { edges: Array<ResolversParentTypes['LikerEdge']>, pageInfo: ResolversParentTypes['PageInfo'] };
  LikerEdge: LikerEdgeModel;
  LoginInput: LoginInput;
  MarkAsReadInput: MarkAsReadInput;
  Mutation: Record<PropertyKey, never>;
  Node: NodeObjectModel;
  PageInfo: PageInfoModel;
  Query: Record<PropertyKey, never>;
  ReadBookConnection: ReadBookConnectionModel;
  ReadBookEdge: ReadBookEdgeModel;
  ReadingPayload: Omit<ReadingPayload, 'book' | 'viewer'> & { book?: Maybe<ResolversParentTypes['Book']>, viewer?: Maybe<ResolversParentTypes['User']> };
  RegisterInput: RegisterInput;
  String: Scalars['String']['output'];
  UnlikeInput: UnlikeInput;
  UnmarkAsReadInput: UnmarkAsReadInput;
  User: UserModel;
  UserError: UserError;
};

export type ActionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Action'] = ResolversParentTypes['Action']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ActionKind'], ParentType, ContextType>;
  likeable?: Resolver<Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
};

export type ActionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ActionConnection'] = ResolversParentTypes['ActionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ActionEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ActionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ActionEdge'] = ResolversParentTypes['ActionEdge']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Action'], ParentType, ContextType>;
};

export type AuthPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuthPayload'] = ResolversParentTypes['AuthPayload']> = {
  accessToken?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accessTokenExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type BookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Book'] = ResolversParentTypes['Book']> = {
  authors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  averageRating?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isbn?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  languageCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<BookLikersArgs>>;
  originalTitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publishedYear?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  ratingsCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type LikeConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeConnection'] = ResolversParentTypes['LikeConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LikeEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LikeEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeEdge'] = ResolversParentTypes['LikeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Likeable'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LikePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikePayload'] = ResolversParentTypes['LikePayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  likeable?: Resolver<Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type LikeTallyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeTally'] = ResolversParentTypes['LikeTally']> = {
  asOf?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type LikeableResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Likeable'] = ResolversParentTypes['Likeable']> = {
  __resolveType: TypeResolveFn<'Book', ParentType, ContextType>;
};

export type LikerConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikerConnection'] = ResolversParentTypes['LikerConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LikerEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LikerEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikerEdge'] = ResolversParentTypes['LikerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  like?: Resolver<ResolversTypes['LikePayload'], ParentType, ContextType, RequireFields<MutationLikeArgs, 'input'>>;
  login?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<MutationLoginArgs, 'input'>>;
  markAsRead?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<MutationMarkAsReadArgs, 'input'>>;
  register?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<MutationRegisterArgs, 'input'>>;
  unlike?: Resolver<ResolversTypes['LikePayload'], ParentType, ContextType, RequireFields<MutationUnlikeArgs, 'input'>>;
  unmarkAsRead?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<MutationUnmarkAsReadArgs, 'input'>>;
};

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Book' | 'User', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType, RequireFields<QueryBookArgs, 'isbn'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<Array<Maybe<ResolversTypes['Node']>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  viewer?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ReadBookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadBookConnection'] = ResolversParentTypes['ReadBookConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ReadBookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  readerFullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReadBookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadBookEdge'] = ResolversParentTypes['ReadBookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  readAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reads?: Resolver<Array<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ReadingPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadingPayload'] = ResolversParentTypes['ReadingPayload']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  actions?: Resolver<Maybe<ResolversTypes['ActionConnection']>, ParentType, ContextType, RequireFields<UserActionsArgs, 'orderBy'>>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['LikeConnection'], ParentType, ContextType, Partial<UserLikesArgs>>;
  readBooks?: Resolver<ResolversTypes['ReadBookConnection'], ParentType, ContextType, RequireFields<UserReadBooksArgs, 'orderBy'>>;
  registeredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  Action?: ActionResolvers<ContextType>;
  ActionConnection?: ActionConnectionResolvers<ContextType>;
  ActionEdge?: ActionEdgeResolvers<ContextType>;
  AuthPayload?: AuthPayloadResolvers<ContextType>;
  Book?: BookResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  LikeConnection?: LikeConnectionResolvers<ContextType>;
  LikeEdge?: LikeEdgeResolvers<ContextType>;
  LikePayload?: LikePayloadResolvers<ContextType>;
  LikeTally?: LikeTallyResolvers<ContextType>;
  Likeable?: LikeableResolvers<ContextType>;
  LikerConnection?: LikerConnectionResolvers<ContextType>;
  LikerEdge?: LikerEdgeResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ReadBookConnection?: ReadBookConnectionResolvers<ContextType>;
  ReadBookEdge?: ReadBookEdgeResolvers<ContextType>;
  ReadingPayload?: ReadingPayloadResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

