/* Made by `npm run codegen` from schema.graphql; change that file instead. */
/* eslint-disable */
import type { RequestContext } from '../context/context.ts';
import type { Models } from './models.ts';
import type * as Types from './schema.generated.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };

export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<
  TResult,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
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

export type SubscriptionResolver<
  TResult,
  TKey extends string,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo,
) => Types.Maybe<TTypes> | Promise<Types.Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  obj: T,
  context: TContext,
  info: GraphQLResolveInfo,
) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<
  TResult = Record<PropertyKey, never>,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Types.Scalars['DateTime']['output']>;
  Duration: ResolverTypeWrapper<Types.Scalars['Duration']['output']>;
  Date: ResolverTypeWrapper<Types.Scalars['Date']['output']>;
  Decimal: ResolverTypeWrapper<Types.Scalars['Decimal']['output']>;
  UUID: ResolverTypeWrapper<Types.Scalars['UUID']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Types.Scalars['ID']['output']>;
  String: ResolverTypeWrapper<Types.Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Types.Scalars['Int']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<Models['Node']>;
  Likeable: ResolverTypeWrapper<Models['Likeable']>;
  Boolean: ResolverTypeWrapper<Types.Scalars['Boolean']['output']>;
  LikeTally: ResolverTypeWrapper<Types.LikeTally>;
  Book: ResolverTypeWrapper<Models['Book']>;
  Float: ResolverTypeWrapper<Types.Scalars['Float']['output']>;
  BookConnection: ResolverTypeWrapper<
    Omit<Types.BookConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['BookEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  BookEdge: ResolverTypeWrapper<Models['BookEdge']>;
  Money: ResolverTypeWrapper<Types.Money>;
  ItemCondition: Types.ItemCondition;
  ItemStatus: Types.ItemStatus;
  Item: ResolverTypeWrapper<Models['Item']>;
  ListingOrder: Types.ListingOrder;
  PriceRange: Types.PriceRange;
  TimeRange: Types.TimeRange;
  ItemConnection: ResolverTypeWrapper<
    Omit<Types.ItemConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['ItemEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  ItemEdge: ResolverTypeWrapper<Models['ItemEdge']>;
  ViewedBookConnection: ResolverTypeWrapper<
    Omit<Types.ViewedBookConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['ViewedBookEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  ViewedBookEdge: ResolverTypeWrapper<Models['ViewedBookEdge']>;
  TrendingWindow: Types.TrendingWindow;
  LikeableKind: Types.LikeableKind;
  Granularity: Types.Granularity;
  ActivityPoint: ResolverTypeWrapper<Models['ActivityPoint']>;
  TrendingConnection: ResolverTypeWrapper<
    Omit<Types.TrendingConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['TrendingEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  TrendingEdge: ResolverTypeWrapper<Models['TrendingEdge']>;
  LibraryOrder: Types.LibraryOrder;
  Library: ResolverTypeWrapper<Models['Library']>;
  LibraryConnection: ResolverTypeWrapper<
    Omit<Types.LibraryConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['LibraryEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  LibraryEdge: ResolverTypeWrapper<Models['LibraryEdge']>;
  Place: ResolverTypeWrapper<Types.Place>;
  PlaceConnection: ResolverTypeWrapper<
    Omit<Types.PlaceConnection, 'pageInfo'> & { pageInfo: ResolversTypes['PageInfo'] }
  >;
  PlaceEdge: ResolverTypeWrapper<Types.PlaceEdge>;
  User: ResolverTypeWrapper<Models['User']>;
  Session: ResolverTypeWrapper<Models['Session']>;
  Click: ResolverTypeWrapper<Types.Click>;
  ClickConnection: ResolverTypeWrapper<
    Omit<Types.ClickConnection, 'pageInfo'> & { pageInfo: ResolversTypes['PageInfo'] }
  >;
  ClickEdge: ResolverTypeWrapper<Types.ClickEdge>;
  SessionConnection: ResolverTypeWrapper<
    Omit<Types.SessionConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['SessionEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  SessionEdge: ResolverTypeWrapper<Omit<Types.SessionEdge, 'node'> & { node: ResolversTypes['Session'] }>;
  SecurityEventKind: Types.SecurityEventKind;
  SecurityEventConnection: ResolverTypeWrapper<
    Omit<Types.SecurityEventConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['SecurityEventEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  SecurityEventEdge: ResolverTypeWrapper<
    Omit<Types.SecurityEventEdge, 'node'> & { node: ResolversTypes['SecurityEvent'] }
  >;
  SecurityEvent: ResolverTypeWrapper<Models['SecurityEvent']>;
  LoginTally: ResolverTypeWrapper<Types.LoginTally>;
  LoginWindows: ResolverTypeWrapper<Models['LoginWindows']>;
  PendingRename: ResolverTypeWrapper<Types.PendingRename>;
  RateLimit: ResolverTypeWrapper<Types.RateLimit>;
  DataExport: ResolverTypeWrapper<Types.DataExport>;
  PageInfo: ResolverTypeWrapper<Models['PageInfo']>;
  LikeConnection: ResolverTypeWrapper<
    Omit<Types.LikeConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['LikeEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  LikeEdge: ResolverTypeWrapper<Models['LikeEdge']>;
  LikerConnection: ResolverTypeWrapper<
    Omit<Types.LikerConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['LikerEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  LikerEdge: ResolverTypeWrapper<Models['LikerEdge']>;
  ReadingStatus: Types.ReadingStatus;
  Reading: ResolverTypeWrapper<Models['Reading']>;
  ReadingStep: ResolverTypeWrapper<Types.ReadingStep>;
  ShelfConnection: ResolverTypeWrapper<
    Omit<Types.ShelfConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['ShelfEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  ShelfEdge: ResolverTypeWrapper<Models['ShelfEdge']>;
  ReadBookOrder: Types.ReadBookOrder;
  ReadBookConnection: ResolverTypeWrapper<Models['ReadBookConnection']>;
  ReadBookEdge: ResolverTypeWrapper<Models['ReadBookEdge']>;
  ActionKind: Types.ActionKind;
  ActionOrder: Types.ActionOrder;
  ActionConnection: ResolverTypeWrapper<
    Omit<Types.ActionConnection, 'edges' | 'pageInfo'> & {
      edges: Array<ResolversTypes['ActionEdge']>;
      pageInfo: ResolversTypes['PageInfo'];
    }
  >;
  ActionEdge: ResolverTypeWrapper<Omit<Types.ActionEdge, 'node'> & { node: ResolversTypes['Action'] }>;
  Action: ResolverTypeWrapper<Models['Action']>;
  UserError: ResolverTypeWrapper<Types.UserError>;
  UserErrorCode: Types.UserErrorCode;
  RegisterInput: Types.RegisterInput;
  LoginInput: Types.LoginInput;
  RefreshTokensInput: Types.RefreshTokensInput;
  LogoutInput: Types.LogoutInput;
  LogoutPayload: ResolverTypeWrapper<Types.LogoutPayload>;
  StartSessionInput: Types.StartSessionInput;
  StartSessionPayload: ResolverTypeWrapper<
    Omit<Types.StartSessionPayload, 'session'> & { session?: Types.Maybe<ResolversTypes['Session']> }
  >;
  EndSessionInput: Types.EndSessionInput;
  EndSessionPayload: ResolverTypeWrapper<
    Omit<Types.EndSessionPayload, 'session' | 'viewer'> & {
      session?: Types.Maybe<ResolversTypes['Session']>;
      viewer?: Types.Maybe<ResolversTypes['User']>;
    }
  >;
  UpdateProfileInput: Types.UpdateProfileInput;
  ChangeEmailInput: Types.ChangeEmailInput;
  ChangePasswordInput: Types.ChangePasswordInput;
  AccountPayload: ResolverTypeWrapper<
    Omit<Types.AccountPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversTypes['User']> }
  >;
  DeleteAccountInput: Types.DeleteAccountInput;
  DeleteAccountPayload: ResolverTypeWrapper<Types.DeleteAccountPayload>;
  AuthPayload: ResolverTypeWrapper<
    Omit<Types.AuthPayload, 'viewer' | 'session'> & {
      viewer?: Types.Maybe<ResolversTypes['User']>;
      session?: Types.Maybe<ResolversTypes['Session']>;
    }
  >;
  LikeInput: Types.LikeInput;
  UnlikeInput: Types.UnlikeInput;
  LikePayload: ResolverTypeWrapper<Models['LikePayload']>;
  MarkAsReadInput: Types.MarkAsReadInput;
  UnmarkAsReadInput: Types.UnmarkAsReadInput;
  SetReadingStatusInput: Types.SetReadingStatusInput;
  ReadingPayload: ResolverTypeWrapper<
    Omit<Types.ReadingPayload, 'book' | 'viewer'> & {
      book?: Types.Maybe<ResolversTypes['Book']>;
      viewer?: Types.Maybe<ResolversTypes['User']>;
    }
  >;
  AddBookInput: Types.AddBookInput;
  UpdateBookInput: Types.UpdateBookInput;
  BookPayload: ResolverTypeWrapper<
    Omit<Types.BookPayload, 'book' | 'viewer'> & {
      book?: Types.Maybe<ResolversTypes['Book']>;
      viewer?: Types.Maybe<ResolversTypes['User']>;
    }
  >;
  MoneyInput: Types.MoneyInput;
  ListItemInput: Types.ListItemInput;
  ChangePriceInput: Types.ChangePriceInput;
  WithdrawItemInput: Types.WithdrawItemInput;
  MarkAsSoldInput: Types.MarkAsSoldInput;
  ItemPayload: ResolverTypeWrapper<
    Omit<Types.ItemPayload, 'item' | 'viewer'> & {
      item?: Types.Maybe<ResolversTypes['Item']>;
      viewer?: Types.Maybe<ResolversTypes['User']>;
    }
  >;
  RecordViewInput: Types.RecordViewInput;
  RecordClicksInput: Types.RecordClicksInput;
  ClickInput: Types.ClickInput;
  RecordClicksPayload: ResolverTypeWrapper<
    Omit<Types.RecordClicksPayload, 'session'> & { session?: Types.Maybe<ResolversTypes['Session']> }
  >;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Types.Scalars['DateTime']['output'];
  Duration: Types.Scalars['Duration']['output'];
  Date: Types.Scalars['Date']['output'];
  Decimal: Types.Scalars['Decimal']['output'];
  UUID: Types.Scalars['UUID']['output'];
  Query: Record<PropertyKey, never>;
  ID: Types.Scalars['ID']['output'];
  String: Types.Scalars['String']['output'];
  Int: Types.Scalars['Int']['output'];
  Mutation: Record<PropertyKey, never>;
  Node: Models['Node'];
  Likeable: Models['Likeable'];
  Boolean: Types.Scalars['Boolean']['output'];
  LikeTally: Types.LikeTally;
  Book: Models['Book'];
  Float: Types.Scalars['Float']['output'];
  BookConnection: Omit<Types.BookConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['BookEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  BookEdge: Models['BookEdge'];
  Money: Types.Money;
  Item: Models['Item'];
  PriceRange: Types.PriceRange;
  TimeRange: Types.TimeRange;
  ItemConnection: Omit<Types.ItemConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['ItemEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  ItemEdge: Models['ItemEdge'];
  ViewedBookConnection: Omit<Types.ViewedBookConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['ViewedBookEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  ViewedBookEdge: Models['ViewedBookEdge'];
  ActivityPoint: Models['ActivityPoint'];
  TrendingConnection: Omit<Types.TrendingConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['TrendingEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  TrendingEdge: Models['TrendingEdge'];
  Library: Models['Library'];
  LibraryConnection: Omit<Types.LibraryConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['LibraryEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  LibraryEdge: Models['LibraryEdge'];
  Place: Types.Place;
  PlaceConnection: Omit<Types.PlaceConnection, 'pageInfo'> & { pageInfo: ResolversParentTypes['PageInfo'] };
  PlaceEdge: Types.PlaceEdge;
  User: Models['User'];
  Session: Models['Session'];
  Click: Types.Click;
  ClickConnection: Omit<Types.ClickConnection, 'pageInfo'> & { pageInfo: ResolversParentTypes['PageInfo'] };
  ClickEdge: Types.ClickEdge;
  SessionConnection: Omit<Types.SessionConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['SessionEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  SessionEdge: Omit<Types.SessionEdge, 'node'> & { node: ResolversParentTypes['Session'] };
  SecurityEventConnection: Omit<Types.SecurityEventConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['SecurityEventEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  SecurityEventEdge: Omit<Types.SecurityEventEdge, 'node'> & { node: ResolversParentTypes['SecurityEvent'] };
  SecurityEvent: Models['SecurityEvent'];
  LoginTally: Types.LoginTally;
  LoginWindows: Models['LoginWindows'];
  PendingRename: Types.PendingRename;
  RateLimit: Types.RateLimit;
  DataExport: Types.DataExport;
  PageInfo: Models['PageInfo'];
  LikeConnection: Omit<Types.LikeConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['LikeEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  LikeEdge: Models['LikeEdge'];
  LikerConnection: Omit<Types.LikerConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['LikerEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  LikerEdge: Models['LikerEdge'];
  Reading: Models['Reading'];
  ReadingStep: Types.ReadingStep;
  ShelfConnection: Omit<Types.ShelfConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['ShelfEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  ShelfEdge: Models['ShelfEdge'];
  ReadBookConnection: Models['ReadBookConnection'];
  ReadBookEdge: Models['ReadBookEdge'];
  ActionConnection: Omit<Types.ActionConnection, 'edges' | 'pageInfo'> & {
    edges: Array<ResolversParentTypes['ActionEdge']>;
    pageInfo: ResolversParentTypes['PageInfo'];
  };
  ActionEdge: Omit<Types.ActionEdge, 'node'> & { node: ResolversParentTypes['Action'] };
  Action: Models['Action'];
  UserError: Types.UserError;
  RegisterInput: Types.RegisterInput;
  LoginInput: Types.LoginInput;
  RefreshTokensInput: Types.RefreshTokensInput;
  LogoutInput: Types.LogoutInput;
  LogoutPayload: Types.LogoutPayload;
  StartSessionInput: Types.StartSessionInput;
  StartSessionPayload: Omit<Types.StartSessionPayload, 'session'> & {
    session?: Types.Maybe<ResolversParentTypes['Session']>;
  };
  EndSessionInput: Types.EndSessionInput;
  EndSessionPayload: Omit<Types.EndSessionPayload, 'session' | 'viewer'> & {
    session?: Types.Maybe<ResolversParentTypes['Session']>;
    viewer?: Types.Maybe<ResolversParentTypes['User']>;
  };
  UpdateProfileInput: Types.UpdateProfileInput;
  ChangeEmailInput: Types.ChangeEmailInput;
  ChangePasswordInput: Types.ChangePasswordInput;
  AccountPayload: Omit<Types.AccountPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversParentTypes['User']> };
  DeleteAccountInput: Types.DeleteAccountInput;
  DeleteAccountPayload: Types.DeleteAccountPayload;
  AuthPayload: Omit<Types.AuthPayload, 'viewer' | 'session'> & {
    viewer?: Types.Maybe<ResolversParentTypes['User']>;
    session?: Types.Maybe<ResolversParentTypes['Session']>;
  };
  LikeInput: Types.LikeInput;
  UnlikeInput: Types.UnlikeInput;
  LikePayload: Models['LikePayload'];
  MarkAsReadInput: Types.MarkAsReadInput;
  UnmarkAsReadInput: Types.UnmarkAsReadInput;
  SetReadingStatusInput: Types.SetReadingStatusInput;
  ReadingPayload: Omit<Types.ReadingPayload, 'book' | 'viewer'> & {
    book?: Types.Maybe<ResolversParentTypes['Book']>;
    viewer?: Types.Maybe<ResolversParentTypes['User']>;
  };
  AddBookInput: Types.AddBookInput;
  UpdateBookInput: Types.UpdateBookInput;
  BookPayload: Omit<Types.BookPayload, 'book' | 'viewer'> & {
    book?: Types.Maybe<ResolversParentTypes['Book']>;
    viewer?: Types.Maybe<ResolversParentTypes['User']>;
  };
  MoneyInput: Types.MoneyInput;
  ListItemInput: Types.ListItemInput;
  ChangePriceInput: Types.ChangePriceInput;
  WithdrawItemInput: Types.WithdrawItemInput;
  MarkAsSoldInput: Types.MarkAsSoldInput;
  ItemPayload: Omit<Types.ItemPayload, 'item' | 'viewer'> & {
    item?: Types.Maybe<ResolversParentTypes['Item']>;
    viewer?: Types.Maybe<ResolversParentTypes['User']>;
  };
  RecordViewInput: Types.RecordViewInput;
  RecordClicksInput: Types.RecordClicksInput;
  ClickInput: Types.ClickInput;
  RecordClicksPayload: Omit<Types.RecordClicksPayload, 'session'> & {
    session?: Types.Maybe<ResolversParentTypes['Session']>;
  };
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DurationScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Duration'], any> {
  name: 'Duration';
}

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export interface UuidScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UUID'], any> {
  name: 'UUID';
}

export type QueryResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query'],
> = {
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  node?: Resolver<
    Types.Maybe<ResolversTypes['Node']>,
    ParentType,
    ContextType,
    RequireFields<Types.QueryNodeArgs, 'id'>
  >;
  nodes?: Resolver<
    Array<Types.Maybe<ResolversTypes['Node']>>,
    ParentType,
    ContextType,
    RequireFields<Types.QueryNodesArgs, 'ids'>
  >;
  book?: Resolver<
    Types.Maybe<ResolversTypes['Book']>,
    ParentType,
    ContextType,
    RequireFields<Types.QueryBookArgs, 'isbn'>
  >;
  books?: Resolver<ResolversTypes['BookConnection'], ParentType, ContextType, Partial<Types.QueryBooksArgs>>;
  libraries?: Resolver<
    ResolversTypes['LibraryConnection'],
    ParentType,
    ContextType,
    RequireFields<Types.QueryLibrariesArgs, 'country' | 'state' | 'city' | 'orderBy'>
  >;
  countries?: Resolver<ResolversTypes['PlaceConnection'], ParentType, ContextType, Partial<Types.QueryCountriesArgs>>;
  states?: Resolver<
    ResolversTypes['PlaceConnection'],
    ParentType,
    ContextType,
    RequireFields<Types.QueryStatesArgs, 'country'>
  >;
  cities?: Resolver<
    ResolversTypes['PlaceConnection'],
    ParentType,
    ContextType,
    RequireFields<Types.QueryCitiesArgs, 'country' | 'state'>
  >;
  trending?: Resolver<
    ResolversTypes['TrendingConnection'],
    ParentType,
    ContextType,
    RequireFields<Types.QueryTrendingArgs, 'window'>
  >;
  rateLimit?: Resolver<Types.Maybe<ResolversTypes['RateLimit']>, ParentType, ContextType>;
  exportMyData?: Resolver<Types.Maybe<ResolversTypes['DataExport']>, ParentType, ContextType>;
};

export type MutationResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation'],
> = {
  register?: Resolver<
    ResolversTypes['AuthPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationRegisterArgs, 'input'>
  >;
  login?: Resolver<
    ResolversTypes['AuthPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationLoginArgs, 'input'>
  >;
  refreshTokens?: Resolver<
    ResolversTypes['AuthPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationRefreshTokensArgs, 'input'>
  >;
  logout?: Resolver<
    ResolversTypes['LogoutPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationLogoutArgs, 'input'>
  >;
  startSession?: Resolver<
    ResolversTypes['StartSessionPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationStartSessionArgs, 'input'>
  >;
  endSession?: Resolver<
    ResolversTypes['EndSessionPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationEndSessionArgs, 'input'>
  >;
  updateProfile?: Resolver<
    ResolversTypes['AccountPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationUpdateProfileArgs, 'input'>
  >;
  changeEmail?: Resolver<
    ResolversTypes['AccountPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationChangeEmailArgs, 'input'>
  >;
  changePassword?: Resolver<
    ResolversTypes['AccountPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationChangePasswordArgs, 'input'>
  >;
  deleteAccount?: Resolver<
    ResolversTypes['DeleteAccountPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationDeleteAccountArgs, 'input'>
  >;
  like?: Resolver<
    ResolversTypes['LikePayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationLikeArgs, 'input'>
  >;
  unlike?: Resolver<
    ResolversTypes['LikePayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationUnlikeArgs, 'input'>
  >;
  markAsRead?: Resolver<
    ResolversTypes['ReadingPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationMarkAsReadArgs, 'input'>
  >;
  unmarkAsRead?: Resolver<
    ResolversTypes['ReadingPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationUnmarkAsReadArgs, 'input'>
  >;
  setReadingStatus?: Resolver<
    ResolversTypes['ReadingPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationSetReadingStatusArgs, 'input'>
  >;
  recordView?: Resolver<
    ResolversTypes['ReadingPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationRecordViewArgs, 'input'>
  >;
  recordClicks?: Resolver<
    ResolversTypes['RecordClicksPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationRecordClicksArgs, 'input'>
  >;
  listItem?: Resolver<
    ResolversTypes['ItemPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationListItemArgs, 'input'>
  >;
  changePrice?: Resolver<
    ResolversTypes['ItemPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationChangePriceArgs, 'input'>
  >;
  withdrawItem?: Resolver<
    ResolversTypes['ItemPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationWithdrawItemArgs, 'input'>
  >;
  markAsSold?: Resolver<
    ResolversTypes['ItemPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationMarkAsSoldArgs, 'input'>
  >;
  addBook?: Resolver<
    ResolversTypes['BookPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationAddBookArgs, 'input'>
  >;
  updateBook?: Resolver<
    ResolversTypes['BookPayload'],
    ParentType,
    ContextType,
    RequireFields<Types.MutationUpdateBookArgs, 'input'>
  >;
};

export type NodeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node'],
> = {
  __resolveType: TypeResolveFn<'Book' | 'Item' | 'Library' | 'User' | 'Session', ParentType, ContextType>;
};

export type LikeableResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Likeable'] = ResolversParentTypes['Likeable'],
> = {
  __resolveType: TypeResolveFn<'Book' | 'Item', ParentType, ContextType>;
};

export type LikeTallyResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LikeTally'] = ResolversParentTypes['LikeTally'],
> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  asOf?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type BookResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Book'] = ResolversParentTypes['Book'],
> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isbn?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  originalTitle?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  authors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  publishedYear?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  languageCode?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  averageRating?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  ratingsCount?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<Types.BookLikersArgs>>;
  copies?: Resolver<ResolversTypes['ItemConnection'], ParentType, ContextType, Partial<Types.BookCopiesArgs>>;
  viewerReading?: Resolver<Types.Maybe<ResolversTypes['Reading']>, ParentType, ContextType>;
  activity?: Resolver<
    Array<ResolversTypes['ActivityPoint']>,
    ParentType,
    ContextType,
    RequireFields<Types.BookActivityArgs, 'granularity' | 'from' | 'to'>
  >;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BookConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['BookConnection'] = ResolversParentTypes['BookConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['BookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type BookEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['BookEdge'] = ResolversParentTypes['BookEdge'],
> = {
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MoneyResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money'],
> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ItemResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Item'] = ResolversParentTypes['Item'],
> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  condition?: Resolver<ResolversTypes['ItemCondition'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ItemStatus'], ParentType, ContextType>;
  seller?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  book?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  listedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<Types.ItemLikersArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ItemConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ItemConnection'] = ResolversParentTypes['ItemConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['ItemEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ItemEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ItemEdge'] = ResolversParentTypes['ItemEdge'],
> = {
  node?: Resolver<ResolversTypes['Item'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  listedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ViewedBookConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ViewedBookConnection'] = ResolversParentTypes['ViewedBookConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['ViewedBookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ViewedBookEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ViewedBookEdge'] = ResolversParentTypes['ViewedBookEdge'],
> = {
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  viewedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ActivityPointResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ActivityPoint'] = ResolversParentTypes['ActivityPoint'],
> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  views?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reads?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sales?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TrendingConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['TrendingConnection'] = ResolversParentTypes['TrendingConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['TrendingEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TrendingEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['TrendingEdge'] = ResolversParentTypes['TrendingEdge'],
> = {
  node?: Resolver<ResolversTypes['Likeable'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LibraryResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Library'] = ResolversParentTypes['Library'],
> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  postalCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  city?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  country?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  longitude?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  latitude?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  openedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LibraryConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LibraryConnection'] = ResolversParentTypes['LibraryConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['LibraryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LibraryEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LibraryEdge'] = ResolversParentTypes['LibraryEdge'],
> = {
  node?: Resolver<ResolversTypes['Library'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PlaceResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Place'] = ResolversParentTypes['Place'],
> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PlaceConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['PlaceConnection'] = ResolversParentTypes['PlaceConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['PlaceEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PlaceEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['PlaceEdge'] = ResolversParentTypes['PlaceEdge'],
> = {
  node?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UserResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User'],
> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  fullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  registeredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['LikeConnection'], ParentType, ContextType, Partial<Types.UserLikesArgs>>;
  readBooks?: Resolver<
    ResolversTypes['ReadBookConnection'],
    ParentType,
    ContextType,
    RequireFields<Types.UserReadBooksArgs, 'orderBy'>
  >;
  shelf?: Resolver<
    Types.Maybe<ResolversTypes['ShelfConnection']>,
    ParentType,
    ContextType,
    RequireFields<Types.UserShelfArgs, 'status'>
  >;
  listings?: Resolver<
    ResolversTypes['ItemConnection'],
    ParentType,
    ContextType,
    RequireFields<Types.UserListingsArgs, 'orderBy'>
  >;
  actions?: Resolver<
    Types.Maybe<ResolversTypes['ActionConnection']>,
    ParentType,
    ContextType,
    RequireFields<Types.UserActionsArgs, 'orderBy'>
  >;
  sessions?: Resolver<
    Types.Maybe<ResolversTypes['SessionConnection']>,
    ParentType,
    ContextType,
    Partial<Types.UserSessionsArgs>
  >;
  securityEvents?: Resolver<
    Types.Maybe<ResolversTypes['SecurityEventConnection']>,
    ParentType,
    ContextType,
    Partial<Types.UserSecurityEventsArgs>
  >;
  recentlyViewed?: Resolver<
    Types.Maybe<ResolversTypes['ViewedBookConnection']>,
    ParentType,
    ContextType,
    Partial<Types.UserRecentlyViewedArgs>
  >;
  loginCount?: Resolver<
    Types.Maybe<ResolversTypes['Int']>,
    ParentType,
    ContextType,
    RequireFields<Types.UserLoginCountArgs, 'last' | 'timeZone'>
  >;
  logins?: Resolver<
    Types.Maybe<ResolversTypes['LoginWindows']>,
    ParentType,
    ContextType,
    RequireFields<Types.UserLoginsArgs, 'timeZone'>
  >;
  isAdministrator?: Resolver<Types.Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  pendingRename?: Resolver<Types.Maybe<ResolversTypes['PendingRename']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SessionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session'],
> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastActiveAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  device?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isCurrent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  clicks?: Resolver<ResolversTypes['ClickConnection'], ParentType, ContextType, Partial<Types.SessionClicksArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ClickResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Click'] = ResolversParentTypes['Click'],
> = {
  id?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  target?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClickConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ClickConnection'] = ResolversParentTypes['ClickConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['ClickEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ClickEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ClickEdge'] = ResolversParentTypes['ClickEdge'],
> = {
  node?: Resolver<ResolversTypes['Click'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SessionConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['SessionConnection'] = ResolversParentTypes['SessionConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['SessionEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SessionEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['SessionEdge'] = ResolversParentTypes['SessionEdge'],
> = {
  node?: Resolver<ResolversTypes['Session'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SecurityEventConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['SecurityEventConnection'] = ResolversParentTypes['SecurityEventConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['SecurityEventEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SecurityEventEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['SecurityEventEdge'] = ResolversParentTypes['SecurityEventEdge'],
> = {
  node?: Resolver<ResolversTypes['SecurityEvent'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SecurityEventResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['SecurityEvent'] = ResolversParentTypes['SecurityEvent'],
> = {
  kind?: Resolver<ResolversTypes['SecurityEventKind'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  address?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
};

export type LoginTallyResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LoginTally'] = ResolversParentTypes['LoginTally'],
> = {
  succeeded?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LoginWindowsResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LoginWindows'] = ResolversParentTypes['LoginWindows'],
> = {
  last24Hours?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  last7Days?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  last30Days?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  thisDay?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  thisWeek?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  thisMonth?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
};

export type PendingRenameResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['PendingRename'] = ResolversParentTypes['PendingRename'],
> = {
  beganAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  pagesDone?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RateLimitResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['RateLimit'] = ResolversParentTypes['RateLimit'],
> = {
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  cost?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  resetAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DataExportResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['DataExport'] = ResolversParentTypes['DataExport'],
> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageInfoResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo'],
> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type LikeConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LikeConnection'] = ResolversParentTypes['LikeConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['LikeEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LikeEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LikeEdge'] = ResolversParentTypes['LikeEdge'],
> = {
  node?: Resolver<ResolversTypes['Likeable'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LikerConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LikerConnection'] = ResolversParentTypes['LikerConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['LikerEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LikerEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LikerEdge'] = ResolversParentTypes['LikerEdge'],
> = {
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ReadingResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Reading'] = ResolversParentTypes['Reading'],
> = {
  status?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startedOn?: Resolver<
    Types.Maybe<ResolversTypes['Date']>,
    ParentType,
    ContextType,
    RequireFields<Types.ReadingStartedOnArgs, 'timeZone'>
  >;
  finishedOn?: Resolver<
    Types.Maybe<ResolversTypes['Date']>,
    ParentType,
    ContextType,
    RequireFields<Types.ReadingFinishedOnArgs, 'timeZone'>
  >;
  reads?: Resolver<Array<ResolversTypes['DateTime']>, ParentType, ContextType>;
  history?: Resolver<Array<ResolversTypes['ReadingStep']>, ParentType, ContextType>;
};

export type ReadingStepResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ReadingStep'] = ResolversParentTypes['ReadingStep'],
> = {
  status?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ShelfConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ShelfConnection'] = ResolversParentTypes['ShelfConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['ShelfEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ShelfEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ShelfEdge'] = ResolversParentTypes['ShelfEdge'],
> = {
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ReadBookConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ReadBookConnection'] = ResolversParentTypes['ReadBookConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['ReadBookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  readerFullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReadBookEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ReadBookEdge'] = ResolversParentTypes['ReadBookEdge'],
> = {
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  readAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  readOn?: Resolver<
    ResolversTypes['Date'],
    ParentType,
    ContextType,
    RequireFields<Types.ReadBookEdgeReadOnArgs, 'timeZone'>
  >;
  reads?: Resolver<Array<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ActionConnectionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ActionConnection'] = ResolversParentTypes['ActionConnection'],
> = {
  edges?: Resolver<Array<ResolversTypes['ActionEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ActionEdgeResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ActionEdge'] = ResolversParentTypes['ActionEdge'],
> = {
  node?: Resolver<ResolversTypes['Action'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ActionResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['Action'] = ResolversParentTypes['Action'],
> = {
  kind?: Resolver<ResolversTypes['ActionKind'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  likeable?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
};

export type UserErrorResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError'],
> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<Types.Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  retryAfterSeconds?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type LogoutPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LogoutPayload'] = ResolversParentTypes['LogoutPayload'],
> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type StartSessionPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['StartSessionPayload'] = ResolversParentTypes['StartSessionPayload'],
> = {
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type EndSessionPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['EndSessionPayload'] = ResolversParentTypes['EndSessionPayload'],
> = {
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AccountPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['AccountPayload'] = ResolversParentTypes['AccountPayload'],
> = {
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type DeleteAccountPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['DeleteAccountPayload'] = ResolversParentTypes['DeleteAccountPayload'],
> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AuthPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['AuthPayload'] = ResolversParentTypes['AuthPayload'],
> = {
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  refreshToken?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accessToken?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accessTokenExpiresAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type LikePayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['LikePayload'] = ResolversParentTypes['LikePayload'],
> = {
  likeable?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReadingPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ReadingPayload'] = ResolversParentTypes['ReadingPayload'],
> = {
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type BookPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['BookPayload'] = ResolversParentTypes['BookPayload'],
> = {
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ItemPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['ItemPayload'] = ResolversParentTypes['ItemPayload'],
> = {
  item?: Resolver<Types.Maybe<ResolversTypes['Item']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RecordClicksPayloadResolvers<
  ContextType = RequestContext,
  ParentType extends ResolversParentTypes['RecordClicksPayload'] = ResolversParentTypes['RecordClicksPayload'],
> = {
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  recorded?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  DateTime?: GraphQLScalarType;
  Duration?: GraphQLScalarType;
  Date?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  UUID?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  Likeable?: LikeableResolvers<ContextType>;
  LikeTally?: LikeTallyResolvers<ContextType>;
  Book?: BookResolvers<ContextType>;
  BookConnection?: BookConnectionResolvers<ContextType>;
  BookEdge?: BookEdgeResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Item?: ItemResolvers<ContextType>;
  ItemConnection?: ItemConnectionResolvers<ContextType>;
  ItemEdge?: ItemEdgeResolvers<ContextType>;
  ViewedBookConnection?: ViewedBookConnectionResolvers<ContextType>;
  ViewedBookEdge?: ViewedBookEdgeResolvers<ContextType>;
  ActivityPoint?: ActivityPointResolvers<ContextType>;
  TrendingConnection?: TrendingConnectionResolvers<ContextType>;
  TrendingEdge?: TrendingEdgeResolvers<ContextType>;
  Library?: LibraryResolvers<ContextType>;
  LibraryConnection?: LibraryConnectionResolvers<ContextType>;
  LibraryEdge?: LibraryEdgeResolvers<ContextType>;
  Place?: PlaceResolvers<ContextType>;
  PlaceConnection?: PlaceConnectionResolvers<ContextType>;
  PlaceEdge?: PlaceEdgeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  Click?: ClickResolvers<ContextType>;
  ClickConnection?: ClickConnectionResolvers<ContextType>;
  ClickEdge?: ClickEdgeResolvers<ContextType>;
  SessionConnection?: SessionConnectionResolvers<ContextType>;
  SessionEdge?: SessionEdgeResolvers<ContextType>;
  SecurityEventConnection?: SecurityEventConnectionResolvers<ContextType>;
  SecurityEventEdge?: SecurityEventEdgeResolvers<ContextType>;
  SecurityEvent?: SecurityEventResolvers<ContextType>;
  LoginTally?: LoginTallyResolvers<ContextType>;
  LoginWindows?: LoginWindowsResolvers<ContextType>;
  PendingRename?: PendingRenameResolvers<ContextType>;
  RateLimit?: RateLimitResolvers<ContextType>;
  DataExport?: DataExportResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  LikeConnection?: LikeConnectionResolvers<ContextType>;
  LikeEdge?: LikeEdgeResolvers<ContextType>;
  LikerConnection?: LikerConnectionResolvers<ContextType>;
  LikerEdge?: LikerEdgeResolvers<ContextType>;
  Reading?: ReadingResolvers<ContextType>;
  ReadingStep?: ReadingStepResolvers<ContextType>;
  ShelfConnection?: ShelfConnectionResolvers<ContextType>;
  ShelfEdge?: ShelfEdgeResolvers<ContextType>;
  ReadBookConnection?: ReadBookConnectionResolvers<ContextType>;
  ReadBookEdge?: ReadBookEdgeResolvers<ContextType>;
  ActionConnection?: ActionConnectionResolvers<ContextType>;
  ActionEdge?: ActionEdgeResolvers<ContextType>;
  Action?: ActionResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
  LogoutPayload?: LogoutPayloadResolvers<ContextType>;
  StartSessionPayload?: StartSessionPayloadResolvers<ContextType>;
  EndSessionPayload?: EndSessionPayloadResolvers<ContextType>;
  AccountPayload?: AccountPayloadResolvers<ContextType>;
  DeleteAccountPayload?: DeleteAccountPayloadResolvers<ContextType>;
  AuthPayload?: AuthPayloadResolvers<ContextType>;
  LikePayload?: LikePayloadResolvers<ContextType>;
  ReadingPayload?: ReadingPayloadResolvers<ContextType>;
  BookPayload?: BookPayloadResolvers<ContextType>;
  ItemPayload?: ItemPayloadResolvers<ContextType>;
  RecordClicksPayload?: RecordClicksPayloadResolvers<ContextType>;
};
