// Generated from schema.graphql by `npm run codegen`. Do not edit.
import type { RequestContext } from '../../context/context.ts';
import type { Connection } from '../connections.ts';
import type { Models } from '../models.ts';
import type * as Types from './schema-types.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };


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
) => Types.Maybe<TTypes> | Promise<Types.Maybe<TTypes>>;

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
  AcceptFollowerInput: Types.AcceptFollowerInput;
  AccountPayload: ResolverTypeWrapper<Omit<Types.AccountPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversTypes['User']> }>;
  Action: ResolverTypeWrapper<Models['Action']>;
  ActionConnection: ResolverTypeWrapper<Connection<Models['ActionEdge']>>;
  ActionEdge: ResolverTypeWrapper<Models['ActionEdge']>;
  ActionKind: Types.ActionKind;
  ActionOrder: Types.ActionOrder;
  ActivityPoint: ResolverTypeWrapper<Models['ActivityPoint']>;
  AddBookInput: Types.AddBookInput;
  AddPasskeyInput: Types.AddPasskeyInput;
  AddPushSubscriptionInput: Types.AddPushSubscriptionInput;
  AddToListInput: Types.AddToListInput;
  AlsoLikedConnection: ResolverTypeWrapper<Connection<Models['AlsoLikedEdge']>>;
  AlsoLikedEdge: ResolverTypeWrapper<Models['AlsoLikedEdge']>;
  Audience: Types.Audience;
  AuthPayload: ResolverTypeWrapper<Omit<Types.AuthPayload, 'session' | 'viewer'> & { session?: Types.Maybe<ResolversTypes['Session']>, viewer?: Types.Maybe<ResolversTypes['User']> }>;
  Author: ResolverTypeWrapper<Models['Author']>;
  BlockInput: Types.BlockInput;
  BlockPayload: ResolverTypeWrapper<Omit<Types.BlockPayload, 'user'> & { user?: Types.Maybe<ResolversTypes['User']> }>;
  BlockedReaderConnection: ResolverTypeWrapper<Models['BlockedReaderConnection']>;
  BlockedReaderEdge: ResolverTypeWrapper<Models['BlockedReaderEdge']>;
  Book: ResolverTypeWrapper<Models['Book']>;
  BookConnection: ResolverTypeWrapper<Models['BookConnection']>;
  BookEdge: ResolverTypeWrapper<Models['BookEdge']>;
  BookInSeries: ResolverTypeWrapper<Models['BookInSeries']>;
  BookInSeriesInput: Types.BookInSeriesInput;
  BookList: ResolverTypeWrapper<Models['BookList']>;
  BookListConnection: ResolverTypeWrapper<Models['BookListConnection']>;
  BookListEdge: ResolverTypeWrapper<Models['BookListEdge']>;
  BookListEntryConnection: ResolverTypeWrapper<Models['BookListEntryConnection']>;
  BookListEntryEdge: ResolverTypeWrapper<Models['BookListEntryEdge']>;
  BookListPayload: ResolverTypeWrapper<Models['BookListPayload']>;
  BookOrder: Types.BookOrder;
  BookPayload: ResolverTypeWrapper<Omit<Types.BookPayload, 'book' | 'viewer'> & { book?: Types.Maybe<ResolversTypes['Book']>, viewer?: Types.Maybe<ResolversTypes['User']> }>;
  Boolean: ResolverTypeWrapper<Types.Scalars['Boolean']['output']>;
  ChangeEmailInput: Types.ChangeEmailInput;
  ChangePasswordInput: Types.ChangePasswordInput;
  ChangePriceInput: Types.ChangePriceInput;
  Circle: Types.Circle;
  Click: ResolverTypeWrapper<Models['Click']>;
  ClickConnection: ResolverTypeWrapper<Connection<Models['ClickEdge']>>;
  ClickEdge: ResolverTypeWrapper<Models['ClickEdge']>;
  ClickInput: Types.ClickInput;
  ClickProperty: ResolverTypeWrapper<Types.ClickProperty>;
  ClickPropertyInput: Types.ClickPropertyInput;
  ConfirmTwoFactorInput: Types.ConfirmTwoFactorInput;
  ConfirmTwoFactorPayload: ResolverTypeWrapper<Omit<Types.ConfirmTwoFactorPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversTypes['User']> }>;
  ContactSellerInput: Types.ContactSellerInput;
  ContactSellerPayload: ResolverTypeWrapper<Omit<Types.ContactSellerPayload, 'item'> & { item?: Types.Maybe<ResolversTypes['Item']> }>;
  CreateListInput: Types.CreateListInput;
  Currency: ResolverTypeWrapper<Types.Currency>;
  DataExport: ResolverTypeWrapper<Types.DataExport>;
  DataPoint: ResolverTypeWrapper<Types.DataPoint>;
  Date: ResolverTypeWrapper<Types.Scalars['Date']['output']>;
  DateRange: Types.DateRange;
  DateTime: ResolverTypeWrapper<Types.Scalars['DateTime']['output']>;
  DecideReportInput: Types.DecideReportInput;
  DecideReportPayload: ResolverTypeWrapper<Omit<Types.DecideReportPayload, 'report'> & { report?: Types.Maybe<ResolversTypes['Report']> }>;
  Decimal: ResolverTypeWrapper<Types.Scalars['Decimal']['output']>;
  Decision: ResolverTypeWrapper<Models['Decision']>;
  DecisionConnection: ResolverTypeWrapper<Connection<Models['DecisionEdge']>>;
  DecisionEdge: ResolverTypeWrapper<Models['DecisionEdge']>;
  DecisionKind: Types.DecisionKind;
  DeleteAccountInput: Types.DeleteAccountInput;
  DeleteAccountPayload: ResolverTypeWrapper<Types.DeleteAccountPayload>;
  DeleteListInput: Types.DeleteListInput;
  DeleteReviewInput: Types.DeleteReviewInput;
  Duration: ResolverTypeWrapper<Types.Scalars['Duration']['output']>;
  EmailVerification: Types.EmailVerification;
  EndSessionInput: Types.EndSessionInput;
  EndSessionPayload: ResolverTypeWrapper<Omit<Types.EndSessionPayload, 'session' | 'viewer'> & { session?: Types.Maybe<ResolversTypes['Session']>, viewer?: Types.Maybe<ResolversTypes['User']> }>;
  Event: ResolverTypeWrapper<Types.Event>;
  EventConnection: ResolverTypeWrapper<Connection<Models['EventEdge']>>;
  EventEdge: ResolverTypeWrapper<Models['EventEdge']>;
  EventKind: Types.EventKind;
  FeedChangedEvent: ResolverTypeWrapper<Models['FeedChangedEvent']>;
  FeedConnection: ResolverTypeWrapper<Models['FeedConnection']>;
  FeedEdge: ResolverTypeWrapper<Models['FeedEdge']>;
  FeedEntry: ResolverTypeWrapper<Models['FeedEntry']>;
  FeedEntryKind: Types.FeedEntryKind;
  FinishedBook: ResolverTypeWrapper<Omit<Types.FinishedBook, 'book'> & { book: ResolversTypes['Book'] }>;
  FinishedReading: ResolverTypeWrapper<Models['FinishedReading']>;
  Float: ResolverTypeWrapper<Types.Scalars['Float']['output']>;
  FollowInput: Types.FollowInput;
  FollowPayload: ResolverTypeWrapper<Models['FollowPayload']>;
  FollowRequestConnection: ResolverTypeWrapper<Models['FollowRequestConnection']>;
  FollowRequestEdge: ResolverTypeWrapper<Models['FollowRequestEdge']>;
  FollowedReaderConnection: ResolverTypeWrapper<Models['FollowedReaderConnection']>;
  FollowedReaderEdge: ResolverTypeWrapper<Models['FollowedReaderEdge']>;
  FollowerConnection: ResolverTypeWrapper<Models['FollowerConnection']>;
  FollowerEdge: ResolverTypeWrapper<Models['FollowerEdge']>;
  FollowerPayload: ResolverTypeWrapper<Models['FollowerPayload']>;
  FollowerTally: ResolverTypeWrapper<Types.FollowerTally>;
  Genre: ResolverTypeWrapper<Types.Genre>;
  GenreConnection: ResolverTypeWrapper<Connection<Models['GenreEdge']>>;
  GenreEdge: ResolverTypeWrapper<Models['GenreEdge']>;
  GenreOfReading: ResolverTypeWrapper<Types.GenreOfReading>;
  Granularity: Types.Granularity;
  ID: ResolverTypeWrapper<Types.Scalars['ID']['output']>;
  ImportFate: Types.ImportFate;
  ImportRow: ResolverTypeWrapper<Models['ImportRow']>;
  ImportRowConnection: ResolverTypeWrapper<Connection<Models['ImportRowEdge']>>;
  ImportRowEdge: ResolverTypeWrapper<Models['ImportRowEdge']>;
  ImportShelf: ResolverTypeWrapper<Models['ImportShelf']>;
  Int: ResolverTypeWrapper<Types.Scalars['Int']['output']>;
  Item: ResolverTypeWrapper<Models['Item']>;
  ItemCondition: Types.ItemCondition;
  ItemConnection: ResolverTypeWrapper<Models['ItemConnection']>;
  ItemEdge: ResolverTypeWrapper<Models['ItemEdge']>;
  ItemPayload: ResolverTypeWrapper<Omit<Types.ItemPayload, 'item' | 'itemEdge' | 'viewer'> & { item?: Types.Maybe<ResolversTypes['Item']>, itemEdge?: Types.Maybe<ResolversTypes['ItemEdge']>, viewer?: Types.Maybe<ResolversTypes['User']> }>;
  ItemStatus: Types.ItemStatus;
  JSONObject: ResolverTypeWrapper<Types.Scalars['JSONObject']['output']>;
  KnownLikers: ResolverTypeWrapper<Models['KnownLikers']>;
  Library: ResolverTypeWrapper<Models['Library']>;
  LibraryConnection: ResolverTypeWrapper<Connection<Models['LibraryEdge']>>;
  LibraryEdge: ResolverTypeWrapper<Models['LibraryEdge']>;
  LibraryImport: ResolverTypeWrapper<Models['LibraryImport']>;
  LibraryImportConnection: ResolverTypeWrapper<Connection<Models['LibraryImportEdge']>>;
  LibraryImportEdge: ResolverTypeWrapper<Models['LibraryImportEdge']>;
  LibraryImportPayload: ResolverTypeWrapper<Omit<Types.LibraryImportPayload, 'libraryImport' | 'viewer'> & { libraryImport?: Types.Maybe<ResolversTypes['LibraryImport']>, viewer?: Types.Maybe<ResolversTypes['User']> }>;
  LibraryImportStatus: Types.LibraryImportStatus;
  LibraryOrder: Types.LibraryOrder;
  LibrarySource: Types.LibrarySource;
  LikeConnection: ResolverTypeWrapper<Models['LikeConnection']>;
  LikeEdge: ResolverTypeWrapper<Models['LikeEdge']>;
  LikeInput: Types.LikeInput;
  LikePayload: ResolverTypeWrapper<Models['LikePayload']>;
  LikeTalliesEvent: ResolverTypeWrapper<Models['LikeTalliesEvent']>;
  LikeTally: ResolverTypeWrapper<Types.LikeTally>;
  LikeTallyChange: ResolverTypeWrapper<Models['LikeTallyChange']>;
  Likeable: ResolverTypeWrapper<Models['Likeable']>;
  LikeableKind: Types.LikeableKind;
  LikerConnection: ResolverTypeWrapper<Models['LikerConnection']>;
  LikerEdge: ResolverTypeWrapper<Models['LikerEdge']>;
  ListItemInput: Types.ListItemInput;
  ListingOrder: Types.ListingOrder;
  LoginInput: Types.LoginInput;
  LoginTally: ResolverTypeWrapper<Types.LoginTally>;
  LoginWindows: ResolverTypeWrapper<Models['LoginWindows']>;
  LoginWithPasskeyInput: Types.LoginWithPasskeyInput;
  LogoutInput: Types.LogoutInput;
  LogoutPayload: ResolverTypeWrapper<Types.LogoutPayload>;
  MapImportShelfInput: Types.MapImportShelfInput;
  MarkAsReadInput: Types.MarkAsReadInput;
  MarkAsSoldInput: Types.MarkAsSoldInput;
  MarkNotificationsReadInput: Types.MarkNotificationsReadInput;
  Money: ResolverTypeWrapper<Types.Money>;
  MoneyInput: Types.MoneyInput;
  MonthOfReading: ResolverTypeWrapper<Omit<Types.MonthOfReading, 'finished'> & { finished: Array<ResolversTypes['FinishedBook']> }>;
  MoveInListInput: Types.MoveInListInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<Models['Node']>;
  Notification: ResolverTypeWrapper<Models['Notification']>;
  NotificationConnection: ResolverTypeWrapper<Connection<Models['NotificationEdge']>>;
  NotificationEdge: ResolverTypeWrapper<Models['NotificationEdge']>;
  NotificationKind: Types.NotificationKind;
  NotificationSettings: ResolverTypeWrapper<Models['NotificationSettings']>;
  PageInfo: ResolverTypeWrapper<Models['PageInfo']>;
  Passkey: ResolverTypeWrapper<Types.Passkey>;
  PendingRename: ResolverTypeWrapper<Types.PendingRename>;
  Place: ResolverTypeWrapper<Types.Place>;
  PlaceConnection: ResolverTypeWrapper<Connection<Models['PlaceEdge']>>;
  PlaceEdge: ResolverTypeWrapper<Models['PlaceEdge']>;
  PriceRange: Types.PriceRange;
  Privacy: ResolverTypeWrapper<Types.Privacy>;
  PublishImportedReviewsInput: Types.PublishImportedReviewsInput;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RateBookInput: Types.RateBookInput;
  RateLimit: ResolverTypeWrapper<Types.RateLimit>;
  RatedBookConnection: ResolverTypeWrapper<Models['RatedBookConnection']>;
  RatedBookEdge: ResolverTypeWrapper<Models['RatedBookEdge']>;
  RatingPayload: ResolverTypeWrapper<Models['RatingPayload']>;
  RatingTally: ResolverTypeWrapper<Models['RatingTally']>;
  ReadBookConnection: ResolverTypeWrapper<Models['ReadBookConnection']>;
  ReadBookEdge: ResolverTypeWrapper<Models['ReadBookEdge']>;
  ReadBookOrder: Types.ReadBookOrder;
  Reading: ResolverTypeWrapper<Models['Reading']>;
  ReadingPayload: ResolverTypeWrapper<Omit<Types.ReadingPayload, 'book' | 'readEdge' | 'viewer'> & { book?: Types.Maybe<ResolversTypes['Book']>, readEdge?: Types.Maybe<ResolversTypes['ReadBookEdge']>, viewer?: Types.Maybe<ResolversTypes['User']> }>;
  ReadingStatistics: ResolverTypeWrapper<Models['ReadingStatistics']>;
  ReadingStatus: Types.ReadingStatus;
  ReadingStep: ResolverTypeWrapper<Types.ReadingStep>;
  RecordClicksInput: Types.RecordClicksInput;
  RecordClicksPayload: ResolverTypeWrapper<Omit<Types.RecordClicksPayload, 'session'> & { session?: Types.Maybe<ResolversTypes['Session']> }>;
  RecordViewInput: Types.RecordViewInput;
  RefreshTokensInput: Types.RefreshTokensInput;
  RegisterInput: Types.RegisterInput;
  ReinstateAccountInput: Types.ReinstateAccountInput;
  RemoveFollowerInput: Types.RemoveFollowerInput;
  RemoveFromListInput: Types.RemoveFromListInput;
  RemovePasskeyInput: Types.RemovePasskeyInput;
  Report: ResolverTypeWrapper<Models['Report']>;
  ReportConnection: ResolverTypeWrapper<Connection<Models['ReportEdge']>>;
  ReportEdge: ResolverTypeWrapper<Models['ReportEdge']>;
  ReportInput: Types.ReportInput;
  ReportPayload: ResolverTypeWrapper<Types.ReportPayload>;
  ReportReason: Types.ReportReason;
  ReportStatus: Types.ReportStatus;
  RequestPasswordResetInput: Types.RequestPasswordResetInput;
  RequestPasswordResetPayload: ResolverTypeWrapper<Types.RequestPasswordResetPayload>;
  ResetPasswordInput: Types.ResetPasswordInput;
  ResolveImportRowInput: Types.ResolveImportRowInput;
  Review: ResolverTypeWrapper<Models['Review']>;
  ReviewConnection: ResolverTypeWrapper<Models['ReviewConnection']>;
  ReviewEdge: ResolverTypeWrapper<Models['ReviewEdge']>;
  ReviewOrder: Types.ReviewOrder;
  ReviewPayload: ResolverTypeWrapper<Models['ReviewPayload']>;
  ReviewText: ResolverTypeWrapper<Models['ReviewText']>;
  RowCount: ResolverTypeWrapper<Types.RowCount>;
  SecurityEvent: ResolverTypeWrapper<Models['SecurityEvent']>;
  SecurityEventConnection: ResolverTypeWrapper<Connection<Models['SecurityEventEdge']>>;
  SecurityEventEdge: ResolverTypeWrapper<Models['SecurityEventEdge']>;
  SecurityEventKind: Types.SecurityEventKind;
  Series: ResolverTypeWrapper<Models['Series']>;
  SeriesBookConnection: ResolverTypeWrapper<Models['SeriesBookConnection']>;
  SeriesBookEdge: ResolverTypeWrapper<Models['SeriesBookEdge']>;
  Session: ResolverTypeWrapper<Models['Session']>;
  SessionConnection: ResolverTypeWrapper<Connection<Models['SessionEdge']>>;
  SessionEdge: ResolverTypeWrapper<Models['SessionEdge']>;
  SetReadingGoalInput: Types.SetReadingGoalInput;
  SetReadingGoalPayload: ResolverTypeWrapper<Omit<Types.SetReadingGoalPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversTypes['User']> }>;
  SetReadingStatusInput: Types.SetReadingStatusInput;
  Settings: ResolverTypeWrapper<Types.Settings>;
  ShareYearInput: Types.ShareYearInput;
  ShareYearPayload: ResolverTypeWrapper<Omit<Types.ShareYearPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversTypes['User']> }>;
  ShelfConnection: ResolverTypeWrapper<Models['ShelfConnection']>;
  ShelfEdge: ResolverTypeWrapper<Models['ShelfEdge']>;
  StartPasskeyInput: Types.StartPasskeyInput;
  StartPasskeyLoginPayload: ResolverTypeWrapper<Types.StartPasskeyLoginPayload>;
  StartPasskeyPayload: ResolverTypeWrapper<Types.StartPasskeyPayload>;
  StartSessionInput: Types.StartSessionInput;
  StartSessionPayload: ResolverTypeWrapper<Omit<Types.StartSessionPayload, 'session'> & { session?: Types.Maybe<ResolversTypes['Session']> }>;
  StartTwoFactorInput: Types.StartTwoFactorInput;
  StartTwoFactorPayload: ResolverTypeWrapper<Omit<Types.StartTwoFactorPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversTypes['User']> }>;
  StopTwoFactorInput: Types.StopTwoFactorInput;
  String: ResolverTypeWrapper<Types.Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SuspendAccountInput: Types.SuspendAccountInput;
  SuspensionPayload: ResolverTypeWrapper<Omit<Types.SuspensionPayload, 'user'> & { user?: Types.Maybe<ResolversTypes['User']> }>;
  TakeDownInput: Types.TakeDownInput;
  TakeDownPayload: ResolverTypeWrapper<Omit<Types.TakeDownPayload, 'node'> & { node?: Types.Maybe<ResolversTypes['Node']> }>;
  TimeRange: Types.TimeRange;
  TrendingConnection: ResolverTypeWrapper<Connection<Models['TrendingEdge']>>;
  TrendingEdge: ResolverTypeWrapper<Models['TrendingEdge']>;
  TrendingWindow: Types.TrendingWindow;
  UUID: ResolverTypeWrapper<Types.Scalars['UUID']['output']>;
  UnblockInput: Types.UnblockInput;
  UndoImportInput: Types.UndoImportInput;
  UnfollowInput: Types.UnfollowInput;
  UnlikeInput: Types.UnlikeInput;
  UnlistedBook: ResolverTypeWrapper<Models['UnlistedBook']>;
  UnlistedBookConnection: ResolverTypeWrapper<Models['UnlistedBookConnection']>;
  UnlistedBookEdge: ResolverTypeWrapper<Models['UnlistedBookEdge']>;
  UnmarkAsReadInput: Types.UnmarkAsReadInput;
  UnrateBookInput: Types.UnrateBookInput;
  UpdateBookInput: Types.UpdateBookInput;
  UpdateListEntryInput: Types.UpdateListEntryInput;
  UpdateListInput: Types.UpdateListInput;
  UpdateNotificationSettingsInput: Types.UpdateNotificationSettingsInput;
  UpdatePrivacyInput: Types.UpdatePrivacyInput;
  UpdateProfileInput: Types.UpdateProfileInput;
  UpdateReadingInput: Types.UpdateReadingInput;
  User: ResolverTypeWrapper<Models['User']>;
  UserError: ResolverTypeWrapper<Types.UserError>;
  UserErrorCode: Types.UserErrorCode;
  VerifyEmailInput: Types.VerifyEmailInput;
  ViewedBookConnection: ResolverTypeWrapper<Connection<Models['ViewedBookEdge']>>;
  ViewedBookEdge: ResolverTypeWrapper<Models['ViewedBookEdge']>;
  ViewerChangedEvent: ResolverTypeWrapper<Models['ViewerChangedEvent']>;
  ViewerDataKind: Types.ViewerDataKind;
  WithdrawItemInput: Types.WithdrawItemInput;
  Work: ResolverTypeWrapper<Models['Work']>;
  WriteReviewInput: Types.WriteReviewInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AcceptFollowerInput: Types.AcceptFollowerInput;
  AccountPayload: Omit<Types.AccountPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversParentTypes['User']> };
  Action: Models['Action'];
  ActionConnection: Connection<Models['ActionEdge']>;
  ActionEdge: Models['ActionEdge'];
  ActivityPoint: Models['ActivityPoint'];
  AddBookInput: Types.AddBookInput;
  AddPasskeyInput: Types.AddPasskeyInput;
  AddPushSubscriptionInput: Types.AddPushSubscriptionInput;
  AddToListInput: Types.AddToListInput;
  AlsoLikedConnection: Connection<Models['AlsoLikedEdge']>;
  AlsoLikedEdge: Models['AlsoLikedEdge'];
  AuthPayload: Omit<Types.AuthPayload, 'session' | 'viewer'> & { session?: Types.Maybe<ResolversParentTypes['Session']>, viewer?: Types.Maybe<ResolversParentTypes['User']> };
  Author: Models['Author'];
  BlockInput: Types.BlockInput;
  BlockPayload: Omit<Types.BlockPayload, 'user'> & { user?: Types.Maybe<ResolversParentTypes['User']> };
  BlockedReaderConnection: Models['BlockedReaderConnection'];
  BlockedReaderEdge: Models['BlockedReaderEdge'];
  Book: Models['Book'];
  BookConnection: Models['BookConnection'];
  BookEdge: Models['BookEdge'];
  BookInSeries: Models['BookInSeries'];
  BookInSeriesInput: Types.BookInSeriesInput;
  BookList: Models['BookList'];
  BookListConnection: Models['BookListConnection'];
  BookListEdge: Models['BookListEdge'];
  BookListEntryConnection: Models['BookListEntryConnection'];
  BookListEntryEdge: Models['BookListEntryEdge'];
  BookListPayload: Models['BookListPayload'];
  BookPayload: Omit<Types.BookPayload, 'book' | 'viewer'> & { book?: Types.Maybe<ResolversParentTypes['Book']>, viewer?: Types.Maybe<ResolversParentTypes['User']> };
  Boolean: Types.Scalars['Boolean']['output'];
  ChangeEmailInput: Types.ChangeEmailInput;
  ChangePasswordInput: Types.ChangePasswordInput;
  ChangePriceInput: Types.ChangePriceInput;
  Circle: Types.Circle;
  Click: Models['Click'];
  ClickConnection: Connection<Models['ClickEdge']>;
  ClickEdge: Models['ClickEdge'];
  ClickInput: Types.ClickInput;
  ClickProperty: Types.ClickProperty;
  ClickPropertyInput: Types.ClickPropertyInput;
  ConfirmTwoFactorInput: Types.ConfirmTwoFactorInput;
  ConfirmTwoFactorPayload: Omit<Types.ConfirmTwoFactorPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversParentTypes['User']> };
  ContactSellerInput: Types.ContactSellerInput;
  ContactSellerPayload: Omit<Types.ContactSellerPayload, 'item'> & { item?: Types.Maybe<ResolversParentTypes['Item']> };
  CreateListInput: Types.CreateListInput;
  Currency: Types.Currency;
  DataExport: Types.DataExport;
  DataPoint: Types.DataPoint;
  Date: Types.Scalars['Date']['output'];
  DateRange: Types.DateRange;
  DateTime: Types.Scalars['DateTime']['output'];
  DecideReportInput: Types.DecideReportInput;
  DecideReportPayload: Omit<Types.DecideReportPayload, 'report'> & { report?: Types.Maybe<ResolversParentTypes['Report']> };
  Decimal: Types.Scalars['Decimal']['output'];
  Decision: Models['Decision'];
  DecisionConnection: Connection<Models['DecisionEdge']>;
  DecisionEdge: Models['DecisionEdge'];
  DeleteAccountInput: Types.DeleteAccountInput;
  DeleteAccountPayload: Types.DeleteAccountPayload;
  DeleteListInput: Types.DeleteListInput;
  DeleteReviewInput: Types.DeleteReviewInput;
  Duration: Types.Scalars['Duration']['output'];
  EndSessionInput: Types.EndSessionInput;
  EndSessionPayload: Omit<Types.EndSessionPayload, 'session' | 'viewer'> & { session?: Types.Maybe<ResolversParentTypes['Session']>, viewer?: Types.Maybe<ResolversParentTypes['User']> };
  Event: Types.Event;
  EventConnection: Connection<Models['EventEdge']>;
  EventEdge: Models['EventEdge'];
  FeedChangedEvent: Models['FeedChangedEvent'];
  FeedConnection: Models['FeedConnection'];
  FeedEdge: Models['FeedEdge'];
  FeedEntry: Models['FeedEntry'];
  FinishedBook: Omit<Types.FinishedBook, 'book'> & { book: ResolversParentTypes['Book'] };
  FinishedReading: Models['FinishedReading'];
  Float: Types.Scalars['Float']['output'];
  FollowInput: Types.FollowInput;
  FollowPayload: Models['FollowPayload'];
  FollowRequestConnection: Models['FollowRequestConnection'];
  FollowRequestEdge: Models['FollowRequestEdge'];
  FollowedReaderConnection: Models['FollowedReaderConnection'];
  FollowedReaderEdge: Models['FollowedReaderEdge'];
  FollowerConnection: Models['FollowerConnection'];
  FollowerEdge: Models['FollowerEdge'];
  FollowerPayload: Models['FollowerPayload'];
  FollowerTally: Types.FollowerTally;
  Genre: Types.Genre;
  GenreConnection: Connection<Models['GenreEdge']>;
  GenreEdge: Models['GenreEdge'];
  GenreOfReading: Types.GenreOfReading;
  ID: Types.Scalars['ID']['output'];
  ImportRow: Models['ImportRow'];
  ImportRowConnection: Connection<Models['ImportRowEdge']>;
  ImportRowEdge: Models['ImportRowEdge'];
  ImportShelf: Models['ImportShelf'];
  Int: Types.Scalars['Int']['output'];
  Item: Models['Item'];
  ItemConnection: Models['ItemConnection'];
  ItemEdge: Models['ItemEdge'];
  ItemPayload: Omit<Types.ItemPayload, 'item' | 'itemEdge' | 'viewer'> & { item?: Types.Maybe<ResolversParentTypes['Item']>, itemEdge?: Types.Maybe<ResolversParentTypes['ItemEdge']>, viewer?: Types.Maybe<ResolversParentTypes['User']> };
  JSONObject: Types.Scalars['JSONObject']['output'];
  KnownLikers: Models['KnownLikers'];
  Library: Models['Library'];
  LibraryConnection: Connection<Models['LibraryEdge']>;
  LibraryEdge: Models['LibraryEdge'];
  LibraryImport: Models['LibraryImport'];
  LibraryImportConnection: Connection<Models['LibraryImportEdge']>;
  LibraryImportEdge: Models['LibraryImportEdge'];
  LibraryImportPayload: Omit<Types.LibraryImportPayload, 'libraryImport' | 'viewer'> & { libraryImport?: Types.Maybe<ResolversParentTypes['LibraryImport']>, viewer?: Types.Maybe<ResolversParentTypes['User']> };
  LikeConnection: Models['LikeConnection'];
  LikeEdge: Models['LikeEdge'];
  LikeInput: Types.LikeInput;
  LikePayload: Models['LikePayload'];
  LikeTalliesEvent: Models['LikeTalliesEvent'];
  LikeTally: Types.LikeTally;
  LikeTallyChange: Models['LikeTallyChange'];
  Likeable: Models['Likeable'];
  LikerConnection: Models['LikerConnection'];
  LikerEdge: Models['LikerEdge'];
  ListItemInput: Types.ListItemInput;
  LoginInput: Types.LoginInput;
  LoginTally: Types.LoginTally;
  LoginWindows: Models['LoginWindows'];
  LoginWithPasskeyInput: Types.LoginWithPasskeyInput;
  LogoutInput: Types.LogoutInput;
  LogoutPayload: Types.LogoutPayload;
  MapImportShelfInput: Types.MapImportShelfInput;
  MarkAsReadInput: Types.MarkAsReadInput;
  MarkAsSoldInput: Types.MarkAsSoldInput;
  MarkNotificationsReadInput: Types.MarkNotificationsReadInput;
  Money: Types.Money;
  MoneyInput: Types.MoneyInput;
  MonthOfReading: Omit<Types.MonthOfReading, 'finished'> & { finished: Array<ResolversParentTypes['FinishedBook']> };
  MoveInListInput: Types.MoveInListInput;
  Mutation: Record<PropertyKey, never>;
  Node: Models['Node'];
  Notification: Models['Notification'];
  NotificationConnection: Connection<Models['NotificationEdge']>;
  NotificationEdge: Models['NotificationEdge'];
  NotificationSettings: Models['NotificationSettings'];
  PageInfo: Models['PageInfo'];
  Passkey: Types.Passkey;
  PendingRename: Types.PendingRename;
  Place: Types.Place;
  PlaceConnection: Connection<Models['PlaceEdge']>;
  PlaceEdge: Models['PlaceEdge'];
  PriceRange: Types.PriceRange;
  Privacy: Types.Privacy;
  PublishImportedReviewsInput: Types.PublishImportedReviewsInput;
  Query: Record<PropertyKey, never>;
  RateBookInput: Types.RateBookInput;
  RateLimit: Types.RateLimit;
  RatedBookConnection: Models['RatedBookConnection'];
  RatedBookEdge: Models['RatedBookEdge'];
  RatingPayload: Models['RatingPayload'];
  RatingTally: Models['RatingTally'];
  ReadBookConnection: Models['ReadBookConnection'];
  ReadBookEdge: Models['ReadBookEdge'];
  Reading: Models['Reading'];
  ReadingPayload: Omit<Types.ReadingPayload, 'book' | 'readEdge' | 'viewer'> & { book?: Types.Maybe<ResolversParentTypes['Book']>, readEdge?: Types.Maybe<ResolversParentTypes['ReadBookEdge']>, viewer?: Types.Maybe<ResolversParentTypes['User']> };
  ReadingStatistics: Models['ReadingStatistics'];
  ReadingStep: Types.ReadingStep;
  RecordClicksInput: Types.RecordClicksInput;
  RecordClicksPayload: Omit<Types.RecordClicksPayload, 'session'> & { session?: Types.Maybe<ResolversParentTypes['Session']> };
  RecordViewInput: Types.RecordViewInput;
  RefreshTokensInput: Types.RefreshTokensInput;
  RegisterInput: Types.RegisterInput;
  ReinstateAccountInput: Types.ReinstateAccountInput;
  RemoveFollowerInput: Types.RemoveFollowerInput;
  RemoveFromListInput: Types.RemoveFromListInput;
  RemovePasskeyInput: Types.RemovePasskeyInput;
  Report: Models['Report'];
  ReportConnection: Connection<Models['ReportEdge']>;
  ReportEdge: Models['ReportEdge'];
  ReportInput: Types.ReportInput;
  ReportPayload: Types.ReportPayload;
  RequestPasswordResetInput: Types.RequestPasswordResetInput;
  RequestPasswordResetPayload: Types.RequestPasswordResetPayload;
  ResetPasswordInput: Types.ResetPasswordInput;
  ResolveImportRowInput: Types.ResolveImportRowInput;
  Review: Models['Review'];
  ReviewConnection: Models['ReviewConnection'];
  ReviewEdge: Models['ReviewEdge'];
  ReviewPayload: Models['ReviewPayload'];
  ReviewText: Models['ReviewText'];
  RowCount: Types.RowCount;
  SecurityEvent: Models['SecurityEvent'];
  SecurityEventConnection: Connection<Models['SecurityEventEdge']>;
  SecurityEventEdge: Models['SecurityEventEdge'];
  Series: Models['Series'];
  SeriesBookConnection: Models['SeriesBookConnection'];
  SeriesBookEdge: Models['SeriesBookEdge'];
  Session: Models['Session'];
  SessionConnection: Connection<Models['SessionEdge']>;
  SessionEdge: Models['SessionEdge'];
  SetReadingGoalInput: Types.SetReadingGoalInput;
  SetReadingGoalPayload: Omit<Types.SetReadingGoalPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversParentTypes['User']> };
  SetReadingStatusInput: Types.SetReadingStatusInput;
  Settings: Types.Settings;
  ShareYearInput: Types.ShareYearInput;
  ShareYearPayload: Omit<Types.ShareYearPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversParentTypes['User']> };
  ShelfConnection: Models['ShelfConnection'];
  ShelfEdge: Models['ShelfEdge'];
  StartPasskeyInput: Types.StartPasskeyInput;
  StartPasskeyLoginPayload: Types.StartPasskeyLoginPayload;
  StartPasskeyPayload: Types.StartPasskeyPayload;
  StartSessionInput: Types.StartSessionInput;
  StartSessionPayload: Omit<Types.StartSessionPayload, 'session'> & { session?: Types.Maybe<ResolversParentTypes['Session']> };
  StartTwoFactorInput: Types.StartTwoFactorInput;
  StartTwoFactorPayload: Omit<Types.StartTwoFactorPayload, 'viewer'> & { viewer?: Types.Maybe<ResolversParentTypes['User']> };
  StopTwoFactorInput: Types.StopTwoFactorInput;
  String: Types.Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  SuspendAccountInput: Types.SuspendAccountInput;
  SuspensionPayload: Omit<Types.SuspensionPayload, 'user'> & { user?: Types.Maybe<ResolversParentTypes['User']> };
  TakeDownInput: Types.TakeDownInput;
  TakeDownPayload: Omit<Types.TakeDownPayload, 'node'> & { node?: Types.Maybe<ResolversParentTypes['Node']> };
  TimeRange: Types.TimeRange;
  TrendingConnection: Connection<Models['TrendingEdge']>;
  TrendingEdge: Models['TrendingEdge'];
  UUID: Types.Scalars['UUID']['output'];
  UnblockInput: Types.UnblockInput;
  UndoImportInput: Types.UndoImportInput;
  UnfollowInput: Types.UnfollowInput;
  UnlikeInput: Types.UnlikeInput;
  UnlistedBook: Models['UnlistedBook'];
  UnlistedBookConnection: Models['UnlistedBookConnection'];
  UnlistedBookEdge: Models['UnlistedBookEdge'];
  UnmarkAsReadInput: Types.UnmarkAsReadInput;
  UnrateBookInput: Types.UnrateBookInput;
  UpdateBookInput: Types.UpdateBookInput;
  UpdateListEntryInput: Types.UpdateListEntryInput;
  UpdateListInput: Types.UpdateListInput;
  UpdateNotificationSettingsInput: Types.UpdateNotificationSettingsInput;
  UpdatePrivacyInput: Types.UpdatePrivacyInput;
  UpdateProfileInput: Types.UpdateProfileInput;
  UpdateReadingInput: Types.UpdateReadingInput;
  User: Models['User'];
  UserError: Types.UserError;
  VerifyEmailInput: Types.VerifyEmailInput;
  ViewedBookConnection: Connection<Models['ViewedBookEdge']>;
  ViewedBookEdge: Models['ViewedBookEdge'];
  ViewerChangedEvent: Models['ViewerChangedEvent'];
  WithdrawItemInput: Types.WithdrawItemInput;
  Work: Models['Work'];
  WriteReviewInput: Types.WriteReviewInput;
};

export type CostDirectiveArgs = {
  weight: Types.Scalars['String']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize?: Types.Maybe<Types.Scalars['Int']['input']>;
  requireOneSlicingArgument?: Types.Maybe<Types.Scalars['Boolean']['input']>;
  sizedFields?: Types.Maybe<Array<Types.Scalars['String']['input']>>;
  slicingArguments?: Types.Maybe<Array<Types.Scalars['String']['input']>>;
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AccountPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AccountPayload'] = ResolversParentTypes['AccountPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ActionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Action'] = ResolversParentTypes['Action']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  element?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ActionKind'], ParentType, ContextType>;
  likeable?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  price?: Resolver<Types.Maybe<ResolversTypes['Money']>, ParentType, ContextType>;
  status?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
};

export type ActionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ActionConnection'] = ResolversParentTypes['ActionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ActionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Action']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ActionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ActionEdge'] = ResolversParentTypes['ActionEdge']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Action'], ParentType, ContextType>;
};

export type ActivityPointResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ActivityPoint'] = ResolversParentTypes['ActivityPoint']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reads?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sales?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  views?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AlsoLikedConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AlsoLikedConnection'] = ResolversParentTypes['AlsoLikedConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AlsoLikedEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AlsoLikedEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AlsoLikedEdge'] = ResolversParentTypes['AlsoLikedEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sharedReaders?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AuthPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuthPayload'] = ResolversParentTypes['AuthPayload']> = {
  accessToken?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accessTokenExpiresAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  refreshToken?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type AuthorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Author'] = ResolversParentTypes['Author']> = {
  books?: Resolver<ResolversTypes['BookConnection'], ParentType, ContextType, Partial<Types.AuthorBooksArgs>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BlockPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BlockPayload'] = ResolversParentTypes['BlockPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  user?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type BlockedReaderConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BlockedReaderConnection'] = ResolversParentTypes['BlockedReaderConnection']> = {
  edges?: Resolver<Array<ResolversTypes['BlockedReaderEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['User']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type BlockedReaderEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BlockedReaderEdge'] = ResolversParentTypes['BlockedReaderEdge']> = {
  blockedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type BookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Book'] = ResolversParentTypes['Book']> = {
  activity?: Resolver<Array<ResolversTypes['ActivityPoint']>, ParentType, ContextType, RequireFields<Types.BookActivityArgs, 'from' | 'granularity' | 'to'>>;
  alsoLiked?: Resolver<ResolversTypes['AlsoLikedConnection'], ParentType, ContextType, Partial<Types.BookAlsoLikedArgs>>;
  authors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  averageRating?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  copies?: Resolver<ResolversTypes['ItemConnection'], ParentType, ContextType, Partial<Types.BookCopiesArgs>>;
  coverUrl?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  genres?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isbn?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  knownLikers?: Resolver<ResolversTypes['KnownLikers'], ParentType, ContextType, Partial<Types.BookKnownLikersArgs>>;
  languageCode?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<Types.BookLikersArgs>>;
  originalTitle?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  otherIsbns?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  pages?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  publishedOn?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publishedYear?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  publisher?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ratingTally?: Resolver<ResolversTypes['RatingTally'], ParentType, ContextType>;
  ratingsCount?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  reviews?: Resolver<ResolversTypes['ReviewConnection'], ParentType, ContextType, RequireFields<Types.BookReviewsArgs, 'orderBy'>>;
  series?: Resolver<Array<ResolversTypes['BookInSeries']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  viewerRating?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  viewerReading?: Resolver<Types.Maybe<ResolversTypes['Reading']>, ParentType, ContextType>;
  viewerReview?: Resolver<Types.Maybe<ResolversTypes['Review']>, ParentType, ContextType>;
  work?: Resolver<ResolversTypes['Work'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookConnection'] = ResolversParentTypes['BookConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['BookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  similarGenres?: Resolver<Array<ResolversTypes['Genre']>, ParentType, ContextType>;
};

export type BookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookEdge'] = ResolversParentTypes['BookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
};

export type BookInSeriesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookInSeries'] = ResolversParentTypes['BookInSeries']> = {
  position?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  series?: Resolver<ResolversTypes['Series'], ParentType, ContextType>;
};

export type BookListResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookList'] = ResolversParentTypes['BookList']> = {
  audience?: Resolver<Types.Maybe<ResolversTypes['Audience']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  description?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  entries?: Resolver<ResolversTypes['BookListEntryConnection'], ParentType, ContextType, Partial<Types.BookListEntriesArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  knownLikers?: Resolver<ResolversTypes['KnownLikers'], ParentType, ContextType, Partial<Types.BookListKnownLikersArgs>>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<Types.BookListLikersArgs>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  owner?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  takenDownAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  takenDownReason?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BookListConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookListConnection'] = ResolversParentTypes['BookListConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['BookListEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['BookList']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type BookListEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookListEdge'] = ResolversParentTypes['BookListEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['BookList'], ParentType, ContextType>;
};

export type BookListEntryConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookListEntryConnection'] = ResolversParentTypes['BookListEntryConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['BookListEntryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type BookListEntryEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookListEntryEdge'] = ResolversParentTypes['BookListEntryEdge']> = {
  addedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  note?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type BookListPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookListPayload'] = ResolversParentTypes['BookListPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  list?: Resolver<Types.Maybe<ResolversTypes['BookList']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type BookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BookPayload'] = ResolversParentTypes['BookPayload']> = {
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ClickResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Click'] = ResolversParentTypes['Click']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['UUID'], ParentType, ContextType>;
  properties?: Resolver<Array<ResolversTypes['ClickProperty']>, ParentType, ContextType>;
  sessionId?: Resolver<Types.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  subjectId?: Resolver<Types.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  target?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClickConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClickConnection'] = ResolversParentTypes['ClickConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ClickEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Click']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ClickEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClickEdge'] = ResolversParentTypes['ClickEdge']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Click'], ParentType, ContextType>;
};

export type ClickPropertyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClickProperty'] = ResolversParentTypes['ClickProperty']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConfirmTwoFactorPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfirmTwoFactorPayload'] = ResolversParentTypes['ConfirmTwoFactorPayload']> = {
  recoveryCodes?: Resolver<Types.Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ContactSellerPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ContactSellerPayload'] = ResolversParentTypes['ContactSellerPayload']> = {
  item?: Resolver<Types.Maybe<ResolversTypes['Item']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type CurrencyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Currency'] = ResolversParentTypes['Currency']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  digits?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DataExportResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DataExport'] = ResolversParentTypes['DataExport']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DataPointResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DataPoint'] = ResolversParentTypes['DataPoint']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  server?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DecideReportPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DecideReportPayload'] = ResolversParentTypes['DecideReportPayload']> = {
  report?: Resolver<Types.Maybe<ResolversTypes['Report']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export type DecisionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Decision'] = ResolversParentTypes['Decision']> = {
  administrator?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['DecisionKind'], ParentType, ContextType>;
  reason?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DecisionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DecisionConnection'] = ResolversParentTypes['DecisionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['DecisionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Decision']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DecisionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DecisionEdge'] = ResolversParentTypes['DecisionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Decision'], ParentType, ContextType>;
};

export type DeleteAccountPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteAccountPayload'] = ResolversParentTypes['DeleteAccountPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export interface DurationScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Duration'], any> {
  name: 'Duration';
}

export type EndSessionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EndSessionPayload'] = ResolversParentTypes['EndSessionPayload']> = {
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type EventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Event'] = ResolversParentTypes['Event']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EventKind'], ParentType, ContextType>;
};

export type EventConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EventConnection'] = ResolversParentTypes['EventConnection']> = {
  edges?: Resolver<Array<ResolversTypes['EventEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Event']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type EventEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EventEdge'] = ResolversParentTypes['EventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Event'], ParentType, ContextType>;
};

export type FeedChangedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FeedChangedEvent'] = ResolversParentTypes['FeedChangedEvent']> = {
  cursors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FeedConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FeedConnection'] = ResolversParentTypes['FeedConnection']> = {
  edges?: Resolver<Array<ResolversTypes['FeedEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['FeedEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type FeedEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FeedEdge'] = ResolversParentTypes['FeedEdge']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['FeedEntry'], ParentType, ContextType>;
};

export type FeedEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FeedEntry'] = ResolversParentTypes['FeedEntry']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['FeedEntryKind'], ParentType, ContextType>;
  likeable?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  rating?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  reader?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  review?: Resolver<Types.Maybe<ResolversTypes['Review']>, ParentType, ContextType>;
};

export type FinishedBookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FinishedBook'] = ResolversParentTypes['FinishedBook']> = {
  book?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  finishedOn?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
};

export type FinishedReadingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FinishedReading'] = ResolversParentTypes['FinishedReading']> = {
  finishedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType, RequireFields<Types.FinishedReadingFinishedOnArgs, 'timeZone'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  readAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  startedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
};

export type FollowPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowPayload'] = ResolversParentTypes['FollowPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  followEdge?: Resolver<Types.Maybe<ResolversTypes['FollowedReaderEdge']>, ParentType, ContextType>;
  user?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type FollowRequestConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowRequestConnection'] = ResolversParentTypes['FollowRequestConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['FollowRequestEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['User']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type FollowRequestEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowRequestEdge'] = ResolversParentTypes['FollowRequestEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type FollowedReaderConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowedReaderConnection'] = ResolversParentTypes['FollowedReaderConnection']> = {
  edges?: Resolver<Array<ResolversTypes['FollowedReaderEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['User']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type FollowedReaderEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowedReaderEdge'] = ResolversParentTypes['FollowedReaderEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  followedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type FollowerConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowerConnection'] = ResolversParentTypes['FollowerConnection']> = {
  edges?: Resolver<Array<ResolversTypes['FollowerEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['User']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type FollowerEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowerEdge'] = ResolversParentTypes['FollowerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  followedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type FollowerPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowerPayload'] = ResolversParentTypes['FollowerPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  user?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type FollowerTallyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FollowerTally'] = ResolversParentTypes['FollowerTally']> = {
  asOf?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type GenreResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Genre'] = ResolversParentTypes['Genre']> = {
  bookCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type GenreConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GenreConnection'] = ResolversParentTypes['GenreConnection']> = {
  edges?: Resolver<Array<ResolversTypes['GenreEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Genre']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type GenreEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GenreEdge'] = ResolversParentTypes['GenreEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Genre'], ParentType, ContextType>;
};

export type GenreOfReadingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GenreOfReading'] = ResolversParentTypes['GenreOfReading']> = {
  books?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  genre?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ImportRowResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ImportRow'] = ResolversParentTypes['ImportRow']> = {
  authors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  candidates?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  fate?: Resolver<ResolversTypes['ImportFate'], ParentType, ContextType>;
  line?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reason?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ImportRowConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ImportRowConnection'] = ResolversParentTypes['ImportRowConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ImportRowEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['ImportRow']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ImportRowEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ImportRowEdge'] = ResolversParentTypes['ImportRowEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ImportRow'], ParentType, ContextType>;
};

export type ImportShelfResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ImportShelf'] = ResolversParentTypes['ImportShelf']> = {
  becomes?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
  isOwn?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  lines?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ItemResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Item'] = ResolversParentTypes['Item']> = {
  book?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  condition?: Resolver<ResolversTypes['ItemCondition'], ParentType, ContextType>;
  endedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  knownLikers?: Resolver<ResolversTypes['KnownLikers'], ParentType, ContextType, Partial<Types.ItemKnownLikersArgs>>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<Types.ItemLikersArgs>>;
  listedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  place?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  seller?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ItemStatus'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ItemConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ItemConnection'] = ResolversParentTypes['ItemConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ItemEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Item']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ItemEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ItemEdge'] = ResolversParentTypes['ItemEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  listedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Item'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ItemPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ItemPayload'] = ResolversParentTypes['ItemPayload']> = {
  item?: Resolver<Types.Maybe<ResolversTypes['Item']>, ParentType, ContextType>;
  itemEdge?: Resolver<Types.Maybe<ResolversTypes['ItemEdge']>, ParentType, ContextType, RequireFields<Types.ItemPayloadItemEdgeArgs, 'orderBy'>>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export interface JsonObjectScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSONObject'], any> {
  name: 'JSONObject';
}

export type KnownLikersResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['KnownLikers'] = ResolversParentTypes['KnownLikers']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['User']>, ParentType, ContextType>;
};

export type LibraryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Library'] = ResolversParentTypes['Library']> = {
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  city?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  country?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  latitude?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  longitude?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  openedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  postalCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LibraryConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LibraryConnection'] = ResolversParentTypes['LibraryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LibraryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Library']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LibraryEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LibraryEdge'] = ResolversParentTypes['LibraryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  distanceKm?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Library'], ParentType, ContextType>;
};

export type LibraryImportResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LibraryImport'] = ResolversParentTypes['LibraryImport']> = {
  ambiguous?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  begunAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lines?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  matched?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  notKept?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  publishesReviews?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reviews?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['ImportRowConnection'], ParentType, ContextType, Partial<Types.LibraryImportRowsArgs>>;
  shelves?: Resolver<Array<ResolversTypes['ImportShelf']>, ParentType, ContextType>;
  source?: Resolver<ResolversTypes['LibrarySource'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['LibraryImportStatus'], ParentType, ContextType>;
  unlisted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LibraryImportConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LibraryImportConnection'] = ResolversParentTypes['LibraryImportConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LibraryImportEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['LibraryImport']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LibraryImportEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LibraryImportEdge'] = ResolversParentTypes['LibraryImportEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['LibraryImport']>, ParentType, ContextType>;
};

export type LibraryImportPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LibraryImportPayload'] = ResolversParentTypes['LibraryImportPayload']> = {
  libraryImport?: Resolver<Types.Maybe<ResolversTypes['LibraryImport']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type LikeConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeConnection'] = ResolversParentTypes['LikeConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['LikeEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['Likeable']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LikeEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeEdge'] = ResolversParentTypes['LikeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  title?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type LikePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikePayload'] = ResolversParentTypes['LikePayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  likeEdge?: Resolver<Types.Maybe<ResolversTypes['LikeEdge']>, ParentType, ContextType>;
  likeable?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type LikeTalliesEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeTalliesEvent'] = ResolversParentTypes['LikeTalliesEvent']> = {
  changes?: Resolver<Array<ResolversTypes['LikeTallyChange']>, ParentType, ContextType>;
};

export type LikeTallyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeTally'] = ResolversParentTypes['LikeTally']> = {
  asOf?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type LikeTallyChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikeTallyChange'] = ResolversParentTypes['LikeTallyChange']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  likeTally?: Resolver<Types.Maybe<ResolversTypes['LikeTally']>, ParentType, ContextType>;
};

export type LikeableResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Likeable'] = ResolversParentTypes['Likeable']> = {
  __resolveType: TypeResolveFn<'Book' | 'BookList' | 'Item' | 'Review', ParentType, ContextType>;
};

export type LikerConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikerConnection'] = ResolversParentTypes['LikerConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LikerEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['User']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LikerEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LikerEdge'] = ResolversParentTypes['LikerEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type LoginTallyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LoginTally'] = ResolversParentTypes['LoginTally']> = {
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  succeeded?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LoginWindowsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LoginWindows'] = ResolversParentTypes['LoginWindows']> = {
  last7Days?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  last24Hours?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  last30Days?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  thisDay?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  thisMonth?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
  thisWeek?: Resolver<ResolversTypes['LoginTally'], ParentType, ContextType>;
};

export type LogoutPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LogoutPayload'] = ResolversParentTypes['LogoutPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  amount?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MonthOfReadingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MonthOfReading'] = ResolversParentTypes['MonthOfReading']> = {
  books?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  finished?: Resolver<Array<ResolversTypes['FinishedBook']>, ParentType, ContextType>;
  month?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  acceptFollower?: Resolver<ResolversTypes['FollowerPayload'], ParentType, ContextType, RequireFields<Types.MutationAcceptFollowerArgs, 'input'>>;
  addBook?: Resolver<ResolversTypes['BookPayload'], ParentType, ContextType, RequireFields<Types.MutationAddBookArgs, 'input'>>;
  addPasskey?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationAddPasskeyArgs, 'input'>>;
  addPushSubscription?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationAddPushSubscriptionArgs, 'input'>>;
  addToList?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationAddToListArgs, 'input'>>;
  block?: Resolver<ResolversTypes['BlockPayload'], ParentType, ContextType, RequireFields<Types.MutationBlockArgs, 'input'>>;
  changeEmail?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationChangeEmailArgs, 'input'>>;
  changePassword?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationChangePasswordArgs, 'input'>>;
  changePrice?: Resolver<ResolversTypes['ItemPayload'], ParentType, ContextType, RequireFields<Types.MutationChangePriceArgs, 'input'>>;
  confirmTwoFactor?: Resolver<ResolversTypes['ConfirmTwoFactorPayload'], ParentType, ContextType, RequireFields<Types.MutationConfirmTwoFactorArgs, 'input'>>;
  contactSeller?: Resolver<ResolversTypes['ContactSellerPayload'], ParentType, ContextType, RequireFields<Types.MutationContactSellerArgs, 'input'>>;
  createList?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationCreateListArgs, 'input'>>;
  decideReport?: Resolver<ResolversTypes['DecideReportPayload'], ParentType, ContextType, RequireFields<Types.MutationDecideReportArgs, 'input'>>;
  deleteAccount?: Resolver<ResolversTypes['DeleteAccountPayload'], ParentType, ContextType, RequireFields<Types.MutationDeleteAccountArgs, 'input'>>;
  deleteList?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationDeleteListArgs, 'input'>>;
  deleteReview?: Resolver<ResolversTypes['ReviewPayload'], ParentType, ContextType, RequireFields<Types.MutationDeleteReviewArgs, 'input'>>;
  endSession?: Resolver<ResolversTypes['EndSessionPayload'], ParentType, ContextType, RequireFields<Types.MutationEndSessionArgs, 'input'>>;
  follow?: Resolver<ResolversTypes['FollowPayload'], ParentType, ContextType, RequireFields<Types.MutationFollowArgs, 'input'>>;
  like?: Resolver<ResolversTypes['LikePayload'], ParentType, ContextType, RequireFields<Types.MutationLikeArgs, 'input'>>;
  listItem?: Resolver<ResolversTypes['ItemPayload'], ParentType, ContextType, RequireFields<Types.MutationListItemArgs, 'input'>>;
  login?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<Types.MutationLoginArgs, 'input'>>;
  loginWithPasskey?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<Types.MutationLoginWithPasskeyArgs, 'input'>>;
  logout?: Resolver<ResolversTypes['LogoutPayload'], ParentType, ContextType, RequireFields<Types.MutationLogoutArgs, 'input'>>;
  mapImportShelf?: Resolver<ResolversTypes['LibraryImportPayload'], ParentType, ContextType, RequireFields<Types.MutationMapImportShelfArgs, 'input'>>;
  markAsRead?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<Types.MutationMarkAsReadArgs, 'input'>>;
  markAsSold?: Resolver<ResolversTypes['ItemPayload'], ParentType, ContextType, RequireFields<Types.MutationMarkAsSoldArgs, 'input'>>;
  markNotificationsRead?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationMarkNotificationsReadArgs, 'input'>>;
  moveInList?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationMoveInListArgs, 'input'>>;
  publishImportedReviews?: Resolver<ResolversTypes['LibraryImportPayload'], ParentType, ContextType, RequireFields<Types.MutationPublishImportedReviewsArgs, 'input'>>;
  rateBook?: Resolver<ResolversTypes['RatingPayload'], ParentType, ContextType, RequireFields<Types.MutationRateBookArgs, 'input'>>;
  recordClicks?: Resolver<ResolversTypes['RecordClicksPayload'], ParentType, ContextType, RequireFields<Types.MutationRecordClicksArgs, 'input'>>;
  recordView?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<Types.MutationRecordViewArgs, 'input'>>;
  refreshTokens?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<Types.MutationRefreshTokensArgs, 'input'>>;
  register?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<Types.MutationRegisterArgs, 'input'>>;
  reinstateAccount?: Resolver<ResolversTypes['SuspensionPayload'], ParentType, ContextType, RequireFields<Types.MutationReinstateAccountArgs, 'input'>>;
  removeFollower?: Resolver<ResolversTypes['FollowerPayload'], ParentType, ContextType, RequireFields<Types.MutationRemoveFollowerArgs, 'input'>>;
  removeFromList?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationRemoveFromListArgs, 'input'>>;
  removePasskey?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationRemovePasskeyArgs, 'input'>>;
  removePushSubscription?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType>;
  report?: Resolver<ResolversTypes['ReportPayload'], ParentType, ContextType, RequireFields<Types.MutationReportArgs, 'input'>>;
  requestEmailVerification?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType>;
  requestPasswordReset?: Resolver<ResolversTypes['RequestPasswordResetPayload'], ParentType, ContextType, RequireFields<Types.MutationRequestPasswordResetArgs, 'input'>>;
  resetPassword?: Resolver<ResolversTypes['AuthPayload'], ParentType, ContextType, RequireFields<Types.MutationResetPasswordArgs, 'input'>>;
  resolveImportRow?: Resolver<ResolversTypes['LibraryImportPayload'], ParentType, ContextType, RequireFields<Types.MutationResolveImportRowArgs, 'input'>>;
  setReadingGoal?: Resolver<ResolversTypes['SetReadingGoalPayload'], ParentType, ContextType, RequireFields<Types.MutationSetReadingGoalArgs, 'input'>>;
  setReadingStatus?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<Types.MutationSetReadingStatusArgs, 'input'>>;
  shareYear?: Resolver<ResolversTypes['ShareYearPayload'], ParentType, ContextType, RequireFields<Types.MutationShareYearArgs, 'input'>>;
  startPasskey?: Resolver<ResolversTypes['StartPasskeyPayload'], ParentType, ContextType, RequireFields<Types.MutationStartPasskeyArgs, 'input'>>;
  startPasskeyLogin?: Resolver<ResolversTypes['StartPasskeyLoginPayload'], ParentType, ContextType>;
  startSession?: Resolver<ResolversTypes['StartSessionPayload'], ParentType, ContextType, RequireFields<Types.MutationStartSessionArgs, 'input'>>;
  startTwoFactor?: Resolver<ResolversTypes['StartTwoFactorPayload'], ParentType, ContextType, RequireFields<Types.MutationStartTwoFactorArgs, 'input'>>;
  stopTwoFactor?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationStopTwoFactorArgs, 'input'>>;
  suspendAccount?: Resolver<ResolversTypes['SuspensionPayload'], ParentType, ContextType, RequireFields<Types.MutationSuspendAccountArgs, 'input'>>;
  takeDown?: Resolver<ResolversTypes['TakeDownPayload'], ParentType, ContextType, RequireFields<Types.MutationTakeDownArgs, 'input'>>;
  unblock?: Resolver<ResolversTypes['BlockPayload'], ParentType, ContextType, RequireFields<Types.MutationUnblockArgs, 'input'>>;
  undoImport?: Resolver<ResolversTypes['LibraryImportPayload'], ParentType, ContextType, RequireFields<Types.MutationUndoImportArgs, 'input'>>;
  unfollow?: Resolver<ResolversTypes['FollowPayload'], ParentType, ContextType, RequireFields<Types.MutationUnfollowArgs, 'input'>>;
  unlike?: Resolver<ResolversTypes['LikePayload'], ParentType, ContextType, RequireFields<Types.MutationUnlikeArgs, 'input'>>;
  unmarkAsRead?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<Types.MutationUnmarkAsReadArgs, 'input'>>;
  unrateBook?: Resolver<ResolversTypes['RatingPayload'], ParentType, ContextType, RequireFields<Types.MutationUnrateBookArgs, 'input'>>;
  updateBook?: Resolver<ResolversTypes['BookPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdateBookArgs, 'input'>>;
  updateList?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdateListArgs, 'input'>>;
  updateListEntry?: Resolver<ResolversTypes['BookListPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdateListEntryArgs, 'input'>>;
  updateNotificationSettings?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdateNotificationSettingsArgs, 'input'>>;
  updatePrivacy?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdatePrivacyArgs, 'input'>>;
  updateProfile?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdateProfileArgs, 'input'>>;
  updateReading?: Resolver<ResolversTypes['ReadingPayload'], ParentType, ContextType, RequireFields<Types.MutationUpdateReadingArgs, 'input'>>;
  verifyEmail?: Resolver<ResolversTypes['AccountPayload'], ParentType, ContextType, RequireFields<Types.MutationVerifyEmailArgs, 'input'>>;
  withdrawItem?: Resolver<ResolversTypes['ItemPayload'], ParentType, ContextType, RequireFields<Types.MutationWithdrawItemArgs, 'input'>>;
  writeReview?: Resolver<ResolversTypes['ReviewPayload'], ParentType, ContextType, RequireFields<Types.MutationWriteReviewArgs, 'input'>>;
};

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Book' | 'BookList' | 'Item' | 'Library' | 'LibraryImport' | 'Review' | 'Session' | 'User' | 'Work', ParentType, ContextType>;
};

export type NotificationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Notification'] = ResolversParentTypes['Notification']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isRead?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['NotificationKind'], ParentType, ContextType>;
  readers?: Resolver<Array<ResolversTypes['User']>, ParentType, ContextType, RequireFields<Types.NotificationReadersArgs, 'first'>>;
  subject?: Resolver<ResolversTypes['Node'], ParentType, ContextType>;
};

export type NotificationConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NotificationConnection'] = ResolversParentTypes['NotificationConnection']> = {
  edges?: Resolver<Array<ResolversTypes['NotificationEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Notification']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type NotificationEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NotificationEdge'] = ResolversParentTypes['NotificationEdge']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Notification'], ParentType, ContextType>;
};

export type NotificationSettingsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NotificationSettings'] = ResolversParentTypes['NotificationSettings']> = {
  followed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  importEnded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isPushed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  listLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reviewLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PasskeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Passkey'] = ResolversParentTypes['Passkey']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  credentialId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PendingRenameResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PendingRename'] = ResolversParentTypes['PendingRename']> = {
  beganAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  pagesDone?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PlaceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Place'] = ResolversParentTypes['Place']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PlaceConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PlaceConnection'] = ResolversParentTypes['PlaceConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PlaceEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Place']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PlaceEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PlaceEdge'] = ResolversParentTypes['PlaceEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Place'], ParentType, ContextType>;
};

export type PrivacyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Privacy'] = ResolversParentTypes['Privacy']> = {
  approvesFollowers?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['Audience'], ParentType, ContextType>;
  readings?: Resolver<ResolversTypes['Audience'], ParentType, ContextType>;
  takesMessages?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  administration?: Resolver<Types.Maybe<ResolversTypes['DecisionConnection']>, ParentType, ContextType, RequireFields<Types.QueryAdministrationArgs, 'id'>>;
  author?: Resolver<Types.Maybe<ResolversTypes['Author']>, ParentType, ContextType, RequireFields<Types.QueryAuthorArgs, 'name'>>;
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType, Partial<Types.QueryBookArgs>>;
  books?: Resolver<Types.Maybe<ResolversTypes['BookConnection']>, ParentType, ContextType, RequireFields<Types.QueryBooksArgs, 'orderBy'>>;
  cities?: Resolver<Types.Maybe<ResolversTypes['PlaceConnection']>, ParentType, ContextType, RequireFields<Types.QueryCitiesArgs, 'country' | 'state'>>;
  clicks?: Resolver<Types.Maybe<ResolversTypes['ClickConnection']>, ParentType, ContextType, RequireFields<Types.QueryClicksArgs, 'from' | 'to'>>;
  copies?: Resolver<Types.Maybe<ResolversTypes['ItemConnection']>, ParentType, ContextType, RequireFields<Types.QueryCopiesArgs, 'orderBy'>>;
  countries?: Resolver<Types.Maybe<ResolversTypes['PlaceConnection']>, ParentType, ContextType, Partial<Types.QueryCountriesArgs>>;
  currencies?: Resolver<Types.Maybe<Array<ResolversTypes['Currency']>>, ParentType, ContextType>;
  events?: Resolver<Types.Maybe<ResolversTypes['EventConnection']>, ParentType, ContextType, RequireFields<Types.QueryEventsArgs, 'from' | 'id' | 'to'>>;
  exportMyData?: Resolver<Types.Maybe<ResolversTypes['DataExport']>, ParentType, ContextType>;
  feed?: Resolver<Types.Maybe<ResolversTypes['FeedConnection']>, ParentType, ContextType, Partial<Types.QueryFeedArgs>>;
  genres?: Resolver<Types.Maybe<ResolversTypes['GenreConnection']>, ParentType, ContextType, Partial<Types.QueryGenresArgs>>;
  libraries?: Resolver<Types.Maybe<ResolversTypes['LibraryConnection']>, ParentType, ContextType, Partial<Types.QueryLibrariesArgs>>;
  measurements?: Resolver<Types.Maybe<Array<ResolversTypes['DataPoint']>>, ParentType, ContextType, RequireFields<Types.QueryMeasurementsArgs, 'from' | 'series' | 'to'>>;
  node?: Resolver<Types.Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<Types.QueryNodeArgs, 'id'>>;
  nodes?: Resolver<Types.Maybe<Array<Types.Maybe<ResolversTypes['Node']>>>, ParentType, ContextType, RequireFields<Types.QueryNodesArgs, 'ids'>>;
  rateLimit?: Resolver<Types.Maybe<ResolversTypes['RateLimit']>, ParentType, ContextType>;
  reports?: Resolver<Types.Maybe<ResolversTypes['ReportConnection']>, ParentType, ContextType, RequireFields<Types.QueryReportsArgs, 'status'>>;
  series?: Resolver<Types.Maybe<ResolversTypes['Series']>, ParentType, ContextType, RequireFields<Types.QuerySeriesArgs, 'name'>>;
  settings?: Resolver<Types.Maybe<ResolversTypes['Settings']>, ParentType, ContextType>;
  siteActivity?: Resolver<Types.Maybe<Array<ResolversTypes['ActivityPoint']>>, ParentType, ContextType, RequireFields<Types.QuerySiteActivityArgs, 'from' | 'granularity' | 'to'>>;
  states?: Resolver<Types.Maybe<ResolversTypes['PlaceConnection']>, ParentType, ContextType, RequireFields<Types.QueryStatesArgs, 'country'>>;
  trending?: Resolver<Types.Maybe<ResolversTypes['TrendingConnection']>, ParentType, ContextType, RequireFields<Types.QueryTrendingArgs, 'window'>>;
  user?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<Types.QueryUserArgs, 'id'>>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type RateLimitResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RateLimit'] = ResolversParentTypes['RateLimit']> = {
  cost?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  resetAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type RatedBookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RatedBookConnection'] = ResolversParentTypes['RatedBookConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['RatedBookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type RatedBookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RatedBookEdge'] = ResolversParentTypes['RatedBookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  ratedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rating?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type RatingPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RatingPayload'] = ResolversParentTypes['RatingPayload']> = {
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type RatingTallyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RatingTally'] = ResolversParentTypes['RatingTally']> = {
  average?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  histogram?: Resolver<Array<ResolversTypes['Int']>, ParentType, ContextType>;
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ReadBookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadBookConnection'] = ResolversParentTypes['ReadBookConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ReadBookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  readerFullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReadBookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadBookEdge'] = ResolversParentTypes['ReadBookEdge']> = {
  authors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  finishedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType, RequireFields<Types.ReadBookEdgeFinishedOnArgs, 'timeZone'>>;
  genres?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  publisher?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  readAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  readOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType, RequireFields<Types.ReadBookEdgeReadOnArgs, 'timeZone'>>;
  reads?: Resolver<Array<ResolversTypes['DateTime']>, ParentType, ContextType>;
  startedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReadingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Reading'] = ResolversParentTypes['Reading']> = {
  finishedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType, RequireFields<Types.ReadingFinishedOnArgs, 'timeZone'>>;
  history?: Resolver<Array<ResolversTypes['ReadingStep']>, ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  readings?: Resolver<Array<ResolversTypes['FinishedReading']>, ParentType, ContextType>;
  reads?: Resolver<Array<ResolversTypes['DateTime']>, ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startedOn?: Resolver<Types.Maybe<ResolversTypes['Date']>, ParentType, ContextType, RequireFields<Types.ReadingStartedOnArgs, 'timeZone'>>;
  status?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
};

export type ReadingPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadingPayload'] = ResolversParentTypes['ReadingPayload']> = {
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  readEdge?: Resolver<Types.Maybe<ResolversTypes['ReadBookEdge']>, ParentType, ContextType, RequireFields<Types.ReadingPayloadReadEdgeArgs, 'orderBy'>>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ReadingStatisticsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadingStatistics'] = ResolversParentTypes['ReadingStatistics']> = {
  books?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  dearest?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  genres?: Resolver<Array<ResolversTypes['GenreOfReading']>, ParentType, ContextType>;
  goal?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isShared?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  longest?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  months?: Resolver<Array<ResolversTypes['MonthOfReading']>, ParentType, ContextType>;
  pages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  year?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ReadingStepResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReadingStep'] = ResolversParentTypes['ReadingStep']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
};

export type RecordClicksPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordClicksPayload'] = ResolversParentTypes['RecordClicksPayload']> = {
  recorded?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReportResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Report'] = ResolversParentTypes['Report']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  comment?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  decidedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  decidedBy?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  note?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reader?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['ReportReason'], ParentType, ContextType>;
  reporter?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReportStatus'], ParentType, ContextType>;
  subject?: Resolver<Types.Maybe<ResolversTypes['Node']>, ParentType, ContextType>;
};

export type ReportConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReportConnection'] = ResolversParentTypes['ReportConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ReportEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['Report']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ReportEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReportEdge'] = ResolversParentTypes['ReportEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['Report']>, ParentType, ContextType>;
};

export type ReportPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReportPayload'] = ResolversParentTypes['ReportPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type RequestPasswordResetPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RequestPasswordResetPayload'] = ResolversParentTypes['RequestPasswordResetPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ReviewResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Review'] = ResolversParentTypes['Review']> = {
  author?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  book?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  editedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  hasSpoilers?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  history?: Resolver<Types.Maybe<Array<ResolversTypes['ReviewText']>>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  knownLikers?: Resolver<ResolversTypes['KnownLikers'], ParentType, ContextType, Partial<Types.ReviewKnownLikersArgs>>;
  language?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  likeCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  likeTally?: Resolver<ResolversTypes['LikeTally'], ParentType, ContextType>;
  likers?: Resolver<ResolversTypes['LikerConnection'], ParentType, ContextType, Partial<Types.ReviewLikersArgs>>;
  rating?: Resolver<Types.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  showsRating?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  takenDownAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  takenDownReason?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  viewerHasLiked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerLikedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  writtenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ReviewConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReviewConnection'] = ResolversParentTypes['ReviewConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ReviewEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['Review']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ReviewEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReviewEdge'] = ResolversParentTypes['ReviewEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['Review']>, ParentType, ContextType>;
};

export type ReviewPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReviewPayload'] = ResolversParentTypes['ReviewPayload']> = {
  book?: Resolver<Types.Maybe<ResolversTypes['Book']>, ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  review?: Resolver<Types.Maybe<ResolversTypes['Review']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ReviewTextResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReviewText'] = ResolversParentTypes['ReviewText']> = {
  hasSpoilers?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  language?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  writtenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type RowCountResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RowCount'] = ResolversParentTypes['RowCount']> = {
  isExact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type SecurityEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SecurityEvent'] = ResolversParentTypes['SecurityEvent']> = {
  address?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['SecurityEventKind'], ParentType, ContextType>;
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
};

export type SecurityEventConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SecurityEventConnection'] = ResolversParentTypes['SecurityEventConnection']> = {
  edges?: Resolver<Array<ResolversTypes['SecurityEventEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['SecurityEvent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SecurityEventEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SecurityEventEdge'] = ResolversParentTypes['SecurityEventEdge']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['SecurityEvent'], ParentType, ContextType>;
};

export type SeriesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Series'] = ResolversParentTypes['Series']> = {
  books?: Resolver<ResolversTypes['SeriesBookConnection'], ParentType, ContextType, Partial<Types.SeriesBooksArgs>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SeriesBookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SeriesBookConnection'] = ResolversParentTypes['SeriesBookConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['SeriesBookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SeriesBookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SeriesBookEdge'] = ResolversParentTypes['SeriesBookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  position?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SessionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session']> = {
  clickCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  clicks?: Resolver<ResolversTypes['ClickConnection'], ParentType, ContextType, Partial<Types.SessionClicksArgs>>;
  device?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  duration?: Resolver<ResolversTypes['Duration'], ParentType, ContextType>;
  endedAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isCurrent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  lastActiveAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastClickAt?: Resolver<Types.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SessionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SessionConnection'] = ResolversParentTypes['SessionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['SessionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Session']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type SessionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SessionEdge'] = ResolversParentTypes['SessionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Session'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SetReadingGoalPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SetReadingGoalPayload'] = ResolversParentTypes['SetReadingGoalPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type SettingsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Settings'] = ResolversParentTypes['Settings']> = {
  avatarHosts?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  emailVerification?: Resolver<ResolversTypes['EmailVerification'], ParentType, ContextType>;
  hasSecondFactors?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  passkeyOrigins?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  passwordLengthMin?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pushPublicKey?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sendsEmails?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ShareYearPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ShareYearPayload'] = ResolversParentTypes['ShareYearPayload']> = {
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type ShelfConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ShelfConnection'] = ResolversParentTypes['ShelfConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['ShelfEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ShelfEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ShelfEdge'] = ResolversParentTypes['ShelfEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReadingStatus'], ParentType, ContextType>;
};

export type StartPasskeyLoginPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['StartPasskeyLoginPayload'] = ResolversParentTypes['StartPasskeyLoginPayload']> = {
  options?: Resolver<Types.Maybe<ResolversTypes['JSONObject']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type StartPasskeyPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['StartPasskeyPayload'] = ResolversParentTypes['StartPasskeyPayload']> = {
  options?: Resolver<Types.Maybe<ResolversTypes['JSONObject']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type StartSessionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['StartSessionPayload'] = ResolversParentTypes['StartSessionPayload']> = {
  session?: Resolver<Types.Maybe<ResolversTypes['Session']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type StartTwoFactorPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['StartTwoFactorPayload'] = ResolversParentTypes['StartTwoFactorPayload']> = {
  secret?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  uri?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
  viewer?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  feedChanged?: SubscriptionResolver<ResolversTypes['FeedChangedEvent'], "feedChanged", ParentType, ContextType>;
  likeTallies?: SubscriptionResolver<ResolversTypes['LikeTalliesEvent'], "likeTallies", ParentType, ContextType, RequireFields<Types.SubscriptionLikeTalliesArgs, 'ids'>>;
  viewerChanged?: SubscriptionResolver<ResolversTypes['ViewerChangedEvent'], "viewerChanged", ParentType, ContextType>;
};

export type SuspensionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SuspensionPayload'] = ResolversParentTypes['SuspensionPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  user?: Resolver<Types.Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type TakeDownPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TakeDownPayload'] = ResolversParentTypes['TakeDownPayload']> = {
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['Node']>, ParentType, ContextType>;
  userErrors?: Resolver<Array<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type TrendingConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TrendingConnection'] = ResolversParentTypes['TrendingConnection']> = {
  edges?: Resolver<Array<ResolversTypes['TrendingEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<Types.Maybe<ResolversTypes['Likeable']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TrendingEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TrendingEdge'] = ResolversParentTypes['TrendingEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  likes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  node?: Resolver<Types.Maybe<ResolversTypes['Likeable']>, ParentType, ContextType>;
};

export interface UuidScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['UUID'], any> {
  name: 'UUID';
}

export type UnlistedBookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnlistedBook'] = ResolversParentTypes['UnlistedBook']> = {
  authors?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  libraryImport?: Resolver<Types.Maybe<ResolversTypes['LibraryImport']>, ParentType, ContextType>;
  line?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  shelf?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Types.Maybe<ResolversTypes['ReadingStatus']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UnlistedBookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnlistedBookConnection'] = ResolversParentTypes['UnlistedBookConnection']> = {
  count?: Resolver<ResolversTypes['RowCount'], ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['UnlistedBookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['UnlistedBook']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type UnlistedBookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnlistedBookEdge'] = ResolversParentTypes['UnlistedBookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['UnlistedBook'], ParentType, ContextType>;
};

export type UserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  actions?: Resolver<Types.Maybe<ResolversTypes['ActionConnection']>, ParentType, ContextType, RequireFields<Types.UserActionsArgs, 'orderBy'>>;
  avatarUrl?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bio?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  blocked?: Resolver<Types.Maybe<ResolversTypes['BlockedReaderConnection']>, ParentType, ContextType, Partial<Types.UserBlockedArgs>>;
  currency?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  followRequests?: Resolver<Types.Maybe<ResolversTypes['FollowRequestConnection']>, ParentType, ContextType, Partial<Types.UserFollowRequestsArgs>>;
  followerTally?: Resolver<ResolversTypes['FollowerTally'], ParentType, ContextType>;
  followers?: Resolver<ResolversTypes['FollowerConnection'], ParentType, ContextType, Partial<Types.UserFollowersArgs>>;
  following?: Resolver<Types.Maybe<ResolversTypes['FollowedReaderConnection']>, ParentType, ContextType, Partial<Types.UserFollowingArgs>>;
  fullName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isAdministrator?: Resolver<Types.Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  isEmailVerified?: Resolver<Types.Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  isTwoFactorEnabled?: Resolver<Types.Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  libraryImports?: Resolver<Types.Maybe<ResolversTypes['LibraryImportConnection']>, ParentType, ContextType, Partial<Types.UserLibraryImportsArgs>>;
  likes?: Resolver<Types.Maybe<ResolversTypes['LikeConnection']>, ParentType, ContextType, Partial<Types.UserLikesArgs>>;
  listings?: Resolver<ResolversTypes['ItemConnection'], ParentType, ContextType, RequireFields<Types.UserListingsArgs, 'orderBy'>>;
  lists?: Resolver<ResolversTypes['BookListConnection'], ParentType, ContextType, Partial<Types.UserListsArgs>>;
  loginCount?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType, RequireFields<Types.UserLoginCountArgs, 'last' | 'timeZone'>>;
  logins?: Resolver<Types.Maybe<ResolversTypes['LoginWindows']>, ParentType, ContextType, RequireFields<Types.UserLoginsArgs, 'timeZone'>>;
  notificationSettings?: Resolver<Types.Maybe<ResolversTypes['NotificationSettings']>, ParentType, ContextType>;
  notifications?: Resolver<Types.Maybe<ResolversTypes['NotificationConnection']>, ParentType, ContextType, Partial<Types.UserNotificationsArgs>>;
  passkeys?: Resolver<Types.Maybe<Array<ResolversTypes['Passkey']>>, ParentType, ContextType>;
  pendingRename?: Resolver<Types.Maybe<ResolversTypes['PendingRename']>, ParentType, ContextType>;
  privacy?: Resolver<Types.Maybe<ResolversTypes['Privacy']>, ParentType, ContextType>;
  ratings?: Resolver<Types.Maybe<ResolversTypes['RatedBookConnection']>, ParentType, ContextType, Partial<Types.UserRatingsArgs>>;
  readBooks?: Resolver<Types.Maybe<ResolversTypes['ReadBookConnection']>, ParentType, ContextType, RequireFields<Types.UserReadBooksArgs, 'orderBy'>>;
  recentlyViewed?: Resolver<Types.Maybe<ResolversTypes['ViewedBookConnection']>, ParentType, ContextType, Partial<Types.UserRecentlyViewedArgs>>;
  registeredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reviews?: Resolver<Types.Maybe<ResolversTypes['ReviewConnection']>, ParentType, ContextType, Partial<Types.UserReviewsArgs>>;
  securityEvents?: Resolver<Types.Maybe<ResolversTypes['SecurityEventConnection']>, ParentType, ContextType, Partial<Types.UserSecurityEventsArgs>>;
  sessions?: Resolver<Types.Maybe<ResolversTypes['SessionConnection']>, ParentType, ContextType, Partial<Types.UserSessionsArgs>>;
  shelf?: Resolver<Types.Maybe<ResolversTypes['ShelfConnection']>, ParentType, ContextType, Partial<Types.UserShelfArgs>>;
  statistics?: Resolver<Types.Maybe<ResolversTypes['ReadingStatistics']>, ParentType, ContextType, RequireFields<Types.UserStatisticsArgs, 'year'>>;
  unlistedBooks?: Resolver<Types.Maybe<ResolversTypes['UnlistedBookConnection']>, ParentType, ContextType, Partial<Types.UserUnlistedBooksArgs>>;
  unreadNotificationCount?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  viewerFollows?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  viewerHasRequestedFollow?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<Types.Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  retryAfterSeconds?: Resolver<Types.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ViewedBookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ViewedBookConnection'] = ResolversParentTypes['ViewedBookConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ViewedBookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ViewedBookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ViewedBookEdge'] = ResolversParentTypes['ViewedBookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Book'], ParentType, ContextType>;
  viewedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ViewerChangedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ViewerChangedEvent'] = ResolversParentTypes['ViewerChangedEvent']> = {
  kinds?: Resolver<Array<ResolversTypes['ViewerDataKind']>, ParentType, ContextType>;
};

export type WorkResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Work'] = ResolversParentTypes['Work']> = {
  editions?: Resolver<ResolversTypes['BookConnection'], ParentType, ContextType, Partial<Types.WorkEditionsArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<Types.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  AccountPayload?: AccountPayloadResolvers<ContextType>;
  Action?: ActionResolvers<ContextType>;
  ActionConnection?: ActionConnectionResolvers<ContextType>;
  ActionEdge?: ActionEdgeResolvers<ContextType>;
  ActivityPoint?: ActivityPointResolvers<ContextType>;
  AlsoLikedConnection?: AlsoLikedConnectionResolvers<ContextType>;
  AlsoLikedEdge?: AlsoLikedEdgeResolvers<ContextType>;
  AuthPayload?: AuthPayloadResolvers<ContextType>;
  Author?: AuthorResolvers<ContextType>;
  BlockPayload?: BlockPayloadResolvers<ContextType>;
  BlockedReaderConnection?: BlockedReaderConnectionResolvers<ContextType>;
  BlockedReaderEdge?: BlockedReaderEdgeResolvers<ContextType>;
  Book?: BookResolvers<ContextType>;
  BookConnection?: BookConnectionResolvers<ContextType>;
  BookEdge?: BookEdgeResolvers<ContextType>;
  BookInSeries?: BookInSeriesResolvers<ContextType>;
  BookList?: BookListResolvers<ContextType>;
  BookListConnection?: BookListConnectionResolvers<ContextType>;
  BookListEdge?: BookListEdgeResolvers<ContextType>;
  BookListEntryConnection?: BookListEntryConnectionResolvers<ContextType>;
  BookListEntryEdge?: BookListEntryEdgeResolvers<ContextType>;
  BookListPayload?: BookListPayloadResolvers<ContextType>;
  BookPayload?: BookPayloadResolvers<ContextType>;
  Click?: ClickResolvers<ContextType>;
  ClickConnection?: ClickConnectionResolvers<ContextType>;
  ClickEdge?: ClickEdgeResolvers<ContextType>;
  ClickProperty?: ClickPropertyResolvers<ContextType>;
  ConfirmTwoFactorPayload?: ConfirmTwoFactorPayloadResolvers<ContextType>;
  ContactSellerPayload?: ContactSellerPayloadResolvers<ContextType>;
  Currency?: CurrencyResolvers<ContextType>;
  DataExport?: DataExportResolvers<ContextType>;
  DataPoint?: DataPointResolvers<ContextType>;
  Date?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  DecideReportPayload?: DecideReportPayloadResolvers<ContextType>;
  Decimal?: GraphQLScalarType;
  Decision?: DecisionResolvers<ContextType>;
  DecisionConnection?: DecisionConnectionResolvers<ContextType>;
  DecisionEdge?: DecisionEdgeResolvers<ContextType>;
  DeleteAccountPayload?: DeleteAccountPayloadResolvers<ContextType>;
  Duration?: GraphQLScalarType;
  EndSessionPayload?: EndSessionPayloadResolvers<ContextType>;
  Event?: EventResolvers<ContextType>;
  EventConnection?: EventConnectionResolvers<ContextType>;
  EventEdge?: EventEdgeResolvers<ContextType>;
  FeedChangedEvent?: FeedChangedEventResolvers<ContextType>;
  FeedConnection?: FeedConnectionResolvers<ContextType>;
  FeedEdge?: FeedEdgeResolvers<ContextType>;
  FeedEntry?: FeedEntryResolvers<ContextType>;
  FinishedBook?: FinishedBookResolvers<ContextType>;
  FinishedReading?: FinishedReadingResolvers<ContextType>;
  FollowPayload?: FollowPayloadResolvers<ContextType>;
  FollowRequestConnection?: FollowRequestConnectionResolvers<ContextType>;
  FollowRequestEdge?: FollowRequestEdgeResolvers<ContextType>;
  FollowedReaderConnection?: FollowedReaderConnectionResolvers<ContextType>;
  FollowedReaderEdge?: FollowedReaderEdgeResolvers<ContextType>;
  FollowerConnection?: FollowerConnectionResolvers<ContextType>;
  FollowerEdge?: FollowerEdgeResolvers<ContextType>;
  FollowerPayload?: FollowerPayloadResolvers<ContextType>;
  FollowerTally?: FollowerTallyResolvers<ContextType>;
  Genre?: GenreResolvers<ContextType>;
  GenreConnection?: GenreConnectionResolvers<ContextType>;
  GenreEdge?: GenreEdgeResolvers<ContextType>;
  GenreOfReading?: GenreOfReadingResolvers<ContextType>;
  ImportRow?: ImportRowResolvers<ContextType>;
  ImportRowConnection?: ImportRowConnectionResolvers<ContextType>;
  ImportRowEdge?: ImportRowEdgeResolvers<ContextType>;
  ImportShelf?: ImportShelfResolvers<ContextType>;
  Item?: ItemResolvers<ContextType>;
  ItemConnection?: ItemConnectionResolvers<ContextType>;
  ItemEdge?: ItemEdgeResolvers<ContextType>;
  ItemPayload?: ItemPayloadResolvers<ContextType>;
  JSONObject?: GraphQLScalarType;
  KnownLikers?: KnownLikersResolvers<ContextType>;
  Library?: LibraryResolvers<ContextType>;
  LibraryConnection?: LibraryConnectionResolvers<ContextType>;
  LibraryEdge?: LibraryEdgeResolvers<ContextType>;
  LibraryImport?: LibraryImportResolvers<ContextType>;
  LibraryImportConnection?: LibraryImportConnectionResolvers<ContextType>;
  LibraryImportEdge?: LibraryImportEdgeResolvers<ContextType>;
  LibraryImportPayload?: LibraryImportPayloadResolvers<ContextType>;
  LikeConnection?: LikeConnectionResolvers<ContextType>;
  LikeEdge?: LikeEdgeResolvers<ContextType>;
  LikePayload?: LikePayloadResolvers<ContextType>;
  LikeTalliesEvent?: LikeTalliesEventResolvers<ContextType>;
  LikeTally?: LikeTallyResolvers<ContextType>;
  LikeTallyChange?: LikeTallyChangeResolvers<ContextType>;
  Likeable?: LikeableResolvers<ContextType>;
  LikerConnection?: LikerConnectionResolvers<ContextType>;
  LikerEdge?: LikerEdgeResolvers<ContextType>;
  LoginTally?: LoginTallyResolvers<ContextType>;
  LoginWindows?: LoginWindowsResolvers<ContextType>;
  LogoutPayload?: LogoutPayloadResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  MonthOfReading?: MonthOfReadingResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  Notification?: NotificationResolvers<ContextType>;
  NotificationConnection?: NotificationConnectionResolvers<ContextType>;
  NotificationEdge?: NotificationEdgeResolvers<ContextType>;
  NotificationSettings?: NotificationSettingsResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Passkey?: PasskeyResolvers<ContextType>;
  PendingRename?: PendingRenameResolvers<ContextType>;
  Place?: PlaceResolvers<ContextType>;
  PlaceConnection?: PlaceConnectionResolvers<ContextType>;
  PlaceEdge?: PlaceEdgeResolvers<ContextType>;
  Privacy?: PrivacyResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RateLimit?: RateLimitResolvers<ContextType>;
  RatedBookConnection?: RatedBookConnectionResolvers<ContextType>;
  RatedBookEdge?: RatedBookEdgeResolvers<ContextType>;
  RatingPayload?: RatingPayloadResolvers<ContextType>;
  RatingTally?: RatingTallyResolvers<ContextType>;
  ReadBookConnection?: ReadBookConnectionResolvers<ContextType>;
  ReadBookEdge?: ReadBookEdgeResolvers<ContextType>;
  Reading?: ReadingResolvers<ContextType>;
  ReadingPayload?: ReadingPayloadResolvers<ContextType>;
  ReadingStatistics?: ReadingStatisticsResolvers<ContextType>;
  ReadingStep?: ReadingStepResolvers<ContextType>;
  RecordClicksPayload?: RecordClicksPayloadResolvers<ContextType>;
  Report?: ReportResolvers<ContextType>;
  ReportConnection?: ReportConnectionResolvers<ContextType>;
  ReportEdge?: ReportEdgeResolvers<ContextType>;
  ReportPayload?: ReportPayloadResolvers<ContextType>;
  RequestPasswordResetPayload?: RequestPasswordResetPayloadResolvers<ContextType>;
  Review?: ReviewResolvers<ContextType>;
  ReviewConnection?: ReviewConnectionResolvers<ContextType>;
  ReviewEdge?: ReviewEdgeResolvers<ContextType>;
  ReviewPayload?: ReviewPayloadResolvers<ContextType>;
  ReviewText?: ReviewTextResolvers<ContextType>;
  RowCount?: RowCountResolvers<ContextType>;
  SecurityEvent?: SecurityEventResolvers<ContextType>;
  SecurityEventConnection?: SecurityEventConnectionResolvers<ContextType>;
  SecurityEventEdge?: SecurityEventEdgeResolvers<ContextType>;
  Series?: SeriesResolvers<ContextType>;
  SeriesBookConnection?: SeriesBookConnectionResolvers<ContextType>;
  SeriesBookEdge?: SeriesBookEdgeResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  SessionConnection?: SessionConnectionResolvers<ContextType>;
  SessionEdge?: SessionEdgeResolvers<ContextType>;
  SetReadingGoalPayload?: SetReadingGoalPayloadResolvers<ContextType>;
  Settings?: SettingsResolvers<ContextType>;
  ShareYearPayload?: ShareYearPayloadResolvers<ContextType>;
  ShelfConnection?: ShelfConnectionResolvers<ContextType>;
  ShelfEdge?: ShelfEdgeResolvers<ContextType>;
  StartPasskeyLoginPayload?: StartPasskeyLoginPayloadResolvers<ContextType>;
  StartPasskeyPayload?: StartPasskeyPayloadResolvers<ContextType>;
  StartSessionPayload?: StartSessionPayloadResolvers<ContextType>;
  StartTwoFactorPayload?: StartTwoFactorPayloadResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  SuspensionPayload?: SuspensionPayloadResolvers<ContextType>;
  TakeDownPayload?: TakeDownPayloadResolvers<ContextType>;
  TrendingConnection?: TrendingConnectionResolvers<ContextType>;
  TrendingEdge?: TrendingEdgeResolvers<ContextType>;
  UUID?: GraphQLScalarType;
  UnlistedBook?: UnlistedBookResolvers<ContextType>;
  UnlistedBookConnection?: UnlistedBookConnectionResolvers<ContextType>;
  UnlistedBookEdge?: UnlistedBookEdgeResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
  ViewedBookConnection?: ViewedBookConnectionResolvers<ContextType>;
  ViewedBookEdge?: ViewedBookEdgeResolvers<ContextType>;
  ViewerChangedEvent?: ViewerChangedEventResolvers<ContextType>;
  Work?: WorkResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  cost?: CostDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
};
