// Generated from schema.graphql by `npm run codegen`. Do not edit.
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  Date: { input: string; output: string; }
  DateTime: { input: Date; output: Date; }
  Decimal: { input: string; output: string; }
  Duration: { input: string; output: string; }
  JSONObject: { input: object; output: object; }
  UUID: { input: string; output: string; }
};

export type AcceptFollowerInput = {
  id: Scalars['ID']['input'];
};

export type AccountPayload = {
  __typename?: 'AccountPayload';
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type Action = {
  __typename?: 'Action';
  at: Scalars['DateTime']['output'];
  book?: Maybe<Book>;
  element?: Maybe<Scalars['String']['output']>;
  kind: ActionKind;
  likeable?: Maybe<Book | BookList | Item | Review>;
  price?: Maybe<Money>;
  status?: Maybe<ReadingStatus>;
};

export type ActionConnection = {
  __typename?: 'ActionConnection';
  edges: Array<ActionEdge>;
  nodes: Array<Action>;
  pageInfo: PageInfo;
};

export type ActionEdge = {
  __typename?: 'ActionEdge';
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: Action;
};

export type ActionKind =
  | 'CLICKED'
  | 'LIKED'
  | 'LISTED'
  | 'LOGGED_IN'
  | 'PRICE_CHANGED'
  | 'READ'
  | 'READING_CORRECTED'
  | 'REGISTERED'
  | 'SOLD'
  | 'STATUS_CHANGED'
  | 'UNLIKED'
  | 'UNMARKED_READ'
  | 'VIEWED'
  | 'WITHDRAWN';

export type ActionOrder =
  | 'NEWEST'
  | 'OLDEST';

export type ActivityPoint = {
  __typename?: 'ActivityPoint';
  at: Scalars['DateTime']['output'];
  likes: Scalars['Int']['output'];
  reads: Scalars['Int']['output'];
  sales: Scalars['Int']['output'];
  views: Scalars['Int']['output'];
};

export type AddBookInput = {
  authors: Array<Scalars['String']['input']>;
  coverUrl?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  genres?: InputMaybe<Array<Scalars['String']['input']>>;
  isbn: Scalars['String']['input'];
  languageCode?: InputMaybe<Scalars['String']['input']>;
  originalTitle?: InputMaybe<Scalars['String']['input']>;
  otherIsbns?: InputMaybe<Array<Scalars['String']['input']>>;
  pages?: InputMaybe<Scalars['Int']['input']>;
  publishedOn?: InputMaybe<Scalars['String']['input']>;
  publishedYear?: InputMaybe<Scalars['Int']['input']>;
  publisher?: InputMaybe<Scalars['String']['input']>;
  series?: InputMaybe<Array<BookInSeriesInput>>;
  title: Scalars['String']['input'];
  workId?: InputMaybe<Scalars['ID']['input']>;
};

export type AddPasskeyInput = {
  name: Scalars['String']['input'];
  response: Scalars['JSONObject']['input'];
};

export type AddPushSubscriptionInput = {
  auth: Scalars['String']['input'];
  endpoint: Scalars['String']['input'];
  p256dh: Scalars['String']['input'];
};

export type AddToListInput = {
  after?: InputMaybe<Scalars['ID']['input']>;
  bookId: Scalars['ID']['input'];
  listId: Scalars['ID']['input'];
  note?: InputMaybe<Scalars['String']['input']>;
};

export type AlsoLikedConnection = {
  __typename?: 'AlsoLikedConnection';
  edges: Array<AlsoLikedEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
};

export type AlsoLikedEdge = {
  __typename?: 'AlsoLikedEdge';
  cursor: Scalars['String']['output'];
  node: Book;
  score: Scalars['Float']['output'];
  sharedReaders: Scalars['Int']['output'];
};

export type Audience =
  | 'EVERYONE'
  | 'FOLLOWERS'
  | 'ONLY_ME'
  | 'SIGNED_IN';

export type AuthPayload = {
  __typename?: 'AuthPayload';
  accessToken?: Maybe<Scalars['String']['output']>;
  accessTokenExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  refreshToken?: Maybe<Scalars['String']['output']>;
  session?: Maybe<Session>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type Author = {
  __typename?: 'Author';
  books: BookConnection;
  name: Scalars['String']['output'];
};


export type AuthorBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type BlockInput = {
  id: Scalars['ID']['input'];
};

export type BlockPayload = {
  __typename?: 'BlockPayload';
  changed: Scalars['Boolean']['output'];
  user?: Maybe<User>;
  userErrors: Array<UserError>;
};

export type BlockedReaderConnection = {
  __typename?: 'BlockedReaderConnection';
  edges: Array<BlockedReaderEdge>;
  nodes: Array<User>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type BlockedReaderEdge = {
  __typename?: 'BlockedReaderEdge';
  blockedAt: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: User;
};

export type Book = Likeable & Node & {
  __typename?: 'Book';
  activity: Array<ActivityPoint>;
  alsoLiked: AlsoLikedConnection;
  authors: Array<Scalars['String']['output']>;
  averageRating?: Maybe<Scalars['Float']['output']>;
  copies: ItemConnection;
  coverUrl?: Maybe<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  genres: Array<Scalars['String']['output']>;
  id: Scalars['ID']['output'];
  isbn?: Maybe<Scalars['String']['output']>;
  knownLikers: KnownLikers;
  languageCode?: Maybe<Scalars['String']['output']>;
  likeCount: Scalars['Int']['output'];
  likeTally: LikeTally;
  likers: LikerConnection;
  originalTitle?: Maybe<Scalars['String']['output']>;
  otherIsbns: Array<Scalars['String']['output']>;
  pages?: Maybe<Scalars['Int']['output']>;
  publishedOn?: Maybe<Scalars['String']['output']>;
  publishedYear?: Maybe<Scalars['Int']['output']>;
  publisher?: Maybe<Scalars['String']['output']>;
  ratingTally: RatingTally;
  ratingsCount?: Maybe<Scalars['Int']['output']>;
  reviews: ReviewConnection;
  series: Array<BookInSeries>;
  title: Scalars['String']['output'];
  viewerHasLiked: Scalars['Boolean']['output'];
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
  viewerRating?: Maybe<Scalars['Float']['output']>;
  viewerReading?: Maybe<Reading>;
  viewerReview?: Maybe<Review>;
  work: Work;
};


export type BookActivityArgs = {
  from: Scalars['DateTime']['input'];
  granularity: Granularity;
  to: Scalars['DateTime']['input'];
};


export type BookAlsoLikedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type BookCopiesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type BookKnownLikersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type BookLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type BookReviewsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ReviewOrder;
};

export type BookConnection = {
  __typename?: 'BookConnection';
  count: RowCount;
  edges: Array<BookEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
  similarGenres: Array<Genre>;
};

export type BookEdge = {
  __typename?: 'BookEdge';
  cursor: Scalars['String']['output'];
  node: Book;
};

export type BookInSeries = {
  __typename?: 'BookInSeries';
  position?: Maybe<Scalars['String']['output']>;
  series: Series;
};

export type BookInSeriesInput = {
  name: Scalars['String']['input'];
  position?: InputMaybe<Scalars['String']['input']>;
};

export type BookList = Likeable & Node & {
  __typename?: 'BookList';
  audience?: Maybe<Audience>;
  createdAt: Scalars['DateTime']['output'];
  description?: Maybe<Scalars['String']['output']>;
  entries: BookListEntryConnection;
  id: Scalars['ID']['output'];
  knownLikers: KnownLikers;
  likeCount: Scalars['Int']['output'];
  likeTally: LikeTally;
  likers: LikerConnection;
  name: Scalars['String']['output'];
  owner?: Maybe<User>;
  takenDownAt?: Maybe<Scalars['DateTime']['output']>;
  takenDownReason?: Maybe<Scalars['String']['output']>;
  title: Scalars['String']['output'];
  viewerHasLiked: Scalars['Boolean']['output'];
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


export type BookListEntriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type BookListKnownLikersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type BookListLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type BookListConnection = {
  __typename?: 'BookListConnection';
  count: RowCount;
  edges: Array<BookListEdge>;
  nodes: Array<BookList>;
  pageInfo: PageInfo;
};

export type BookListEdge = {
  __typename?: 'BookListEdge';
  cursor: Scalars['String']['output'];
  node: BookList;
};

export type BookListEntryConnection = {
  __typename?: 'BookListEntryConnection';
  count: RowCount;
  edges: Array<BookListEntryEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
};

export type BookListEntryEdge = {
  __typename?: 'BookListEntryEdge';
  addedAt: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: Book;
  note?: Maybe<Scalars['String']['output']>;
};

export type BookListPayload = {
  __typename?: 'BookListPayload';
  changed: Scalars['Boolean']['output'];
  list?: Maybe<BookList>;
  userErrors: Array<UserError>;
};

export type BookOrder =
  | 'ADDED'
  | 'POPULARITY'
  | 'PUBLISHED'
  | 'TITLE';

export type BookPayload = {
  __typename?: 'BookPayload';
  book?: Maybe<Book>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type ChangeEmailInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  email: Scalars['String']['input'];
  password: Scalars['String']['input'];
};

export type ChangePasswordInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  newPassword: Scalars['String']['input'];
  password: Scalars['String']['input'];
};

export type ChangePriceInput = {
  itemId: Scalars['ID']['input'];
  price: MoneyInput;
};

export type Circle = {
  latitude: Scalars['Float']['input'];
  longitude: Scalars['Float']['input'];
  withinKm: Scalars['Float']['input'];
};

export type Click = {
  __typename?: 'Click';
  at: Scalars['DateTime']['output'];
  id: Scalars['UUID']['output'];
  properties: Array<ClickProperty>;
  sessionId?: Maybe<Scalars['ID']['output']>;
  subjectId?: Maybe<Scalars['ID']['output']>;
  target?: Maybe<Scalars['String']['output']>;
};

export type ClickConnection = {
  __typename?: 'ClickConnection';
  edges: Array<ClickEdge>;
  nodes: Array<Click>;
  pageInfo: PageInfo;
};

export type ClickEdge = {
  __typename?: 'ClickEdge';
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: Click;
};

export type ClickInput = {
  at: Scalars['DateTime']['input'];
  id: Scalars['UUID']['input'];
  properties?: InputMaybe<Array<ClickPropertyInput>>;
  subjectId?: InputMaybe<Scalars['ID']['input']>;
  target?: InputMaybe<Scalars['String']['input']>;
};

export type ClickProperty = {
  __typename?: 'ClickProperty';
  name: Scalars['String']['output'];
  value: Scalars['String']['output'];
};

export type ClickPropertyInput = {
  name: Scalars['String']['input'];
  value: Scalars['String']['input'];
};

export type ConfirmTwoFactorInput = {
  code: Scalars['String']['input'];
};

export type ConfirmTwoFactorPayload = {
  __typename?: 'ConfirmTwoFactorPayload';
  recoveryCodes?: Maybe<Array<Scalars['String']['output']>>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type ContactSellerInput = {
  itemId: Scalars['ID']['input'];
  message: Scalars['String']['input'];
  showsMyEmail: Scalars['Boolean']['input'];
};

export type ContactSellerPayload = {
  __typename?: 'ContactSellerPayload';
  item?: Maybe<Item>;
  userErrors: Array<UserError>;
};

export type CreateListInput = {
  audience: Audience;
  description?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
};

export type Currency = {
  __typename?: 'Currency';
  code: Scalars['String']['output'];
  digits: Scalars['Int']['output'];
};

export type DataExport = {
  __typename?: 'DataExport';
  path: Scalars['String']['output'];
};

export type DataPoint = {
  __typename?: 'DataPoint';
  at: Scalars['DateTime']['output'];
  server: Scalars['ID']['output'];
  value: Scalars['Float']['output'];
};

export type DateRange = {
  from?: InputMaybe<Scalars['Date']['input']>;
  to?: InputMaybe<Scalars['Date']['input']>;
};

export type DecideReportInput = {
  id: Scalars['ID']['input'];
  note?: InputMaybe<Scalars['String']['input']>;
  status: ReportStatus;
};

export type DecideReportPayload = {
  __typename?: 'DecideReportPayload';
  report?: Maybe<Report>;
  userErrors: Array<UserError>;
};

export type Decision = {
  __typename?: 'Decision';
  administrator?: Maybe<User>;
  at: Scalars['DateTime']['output'];
  kind: DecisionKind;
  reason?: Maybe<Scalars['String']['output']>;
};

export type DecisionConnection = {
  __typename?: 'DecisionConnection';
  edges: Array<DecisionEdge>;
  nodes: Array<Decision>;
  pageInfo: PageInfo;
};

export type DecisionEdge = {
  __typename?: 'DecisionEdge';
  cursor: Scalars['String']['output'];
  node: Decision;
};

export type DecisionKind =
  | 'ACCOUNT_REINSTATED'
  | 'ACCOUNT_SUSPENDED'
  | 'BOOK_ADDED'
  | 'BOOK_UPDATED'
  | 'NAME_TAKEN_DOWN'
  | 'REPORT_DECIDED'
  | 'REVIEW_TAKEN_DOWN'
  | 'TITLE_TAKEN_DOWN';

export type DeleteAccountInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  password: Scalars['String']['input'];
};

export type DeleteAccountPayload = {
  __typename?: 'DeleteAccountPayload';
  userErrors: Array<UserError>;
};

export type DeleteListInput = {
  listId: Scalars['ID']['input'];
};

export type DeleteReviewInput = {
  bookId: Scalars['ID']['input'];
};

export type EmailVerification =
  | 'ASKED'
  | 'ON_REQUEST'
  | 'REQUIRED';

export type EndSessionInput = {
  password?: InputMaybe<Scalars['String']['input']>;
  sessionId: Scalars['ID']['input'];
};

export type EndSessionPayload = {
  __typename?: 'EndSessionPayload';
  session?: Maybe<Session>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type Event = {
  __typename?: 'Event';
  at: Scalars['DateTime']['output'];
  id: Scalars['ID']['output'];
  kind: EventKind;
};

export type EventConnection = {
  __typename?: 'EventConnection';
  edges: Array<EventEdge>;
  nodes: Array<Event>;
  pageInfo: PageInfo;
};

export type EventEdge = {
  __typename?: 'EventEdge';
  cursor: Scalars['String']['output'];
  node: Event;
};

export type EventKind =
  | 'LIKE'
  | 'READ'
  | 'SALE'
  | 'VIEW';

export type FeedChangedEvent = {
  __typename?: 'FeedChangedEvent';
  cursors: Array<Scalars['String']['output']>;
};

export type FeedConnection = {
  __typename?: 'FeedConnection';
  edges: Array<FeedEdge>;
  nodes: Array<FeedEntry>;
  pageInfo: PageInfo;
};

export type FeedEdge = {
  __typename?: 'FeedEdge';
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: FeedEntry;
};

export type FeedEntry = {
  __typename?: 'FeedEntry';
  at: Scalars['DateTime']['output'];
  book?: Maybe<Book>;
  kind: FeedEntryKind;
  likeable?: Maybe<Book | BookList | Item | Review>;
  rating?: Maybe<Scalars['Float']['output']>;
  reader: User;
  review?: Maybe<Review>;
};

export type FeedEntryKind =
  | 'LIKED'
  | 'RATED'
  | 'READ'
  | 'REVIEWED';

export type FinishedBook = {
  __typename?: 'FinishedBook';
  book: Book;
  finishedOn: Scalars['Date']['output'];
};

export type FinishedReading = {
  __typename?: 'FinishedReading';
  finishedOn?: Maybe<Scalars['Date']['output']>;
  id: Scalars['ID']['output'];
  readAt?: Maybe<Scalars['DateTime']['output']>;
  startedOn?: Maybe<Scalars['Date']['output']>;
};


export type FinishedReadingFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

export type FollowInput = {
  id: Scalars['ID']['input'];
};

export type FollowPayload = {
  __typename?: 'FollowPayload';
  changed: Scalars['Boolean']['output'];
  followEdge?: Maybe<FollowedReaderEdge>;
  user?: Maybe<User>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type FollowRequestConnection = {
  __typename?: 'FollowRequestConnection';
  count: RowCount;
  edges: Array<FollowRequestEdge>;
  nodes: Array<Maybe<User>>;
  pageInfo: PageInfo;
};

export type FollowRequestEdge = {
  __typename?: 'FollowRequestEdge';
  cursor: Scalars['String']['output'];
  node?: Maybe<User>;
  requestedAt: Scalars['DateTime']['output'];
};

export type FollowedReaderConnection = {
  __typename?: 'FollowedReaderConnection';
  edges: Array<FollowedReaderEdge>;
  nodes: Array<Maybe<User>>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type FollowedReaderEdge = {
  __typename?: 'FollowedReaderEdge';
  cursor: Scalars['String']['output'];
  followedAt: Scalars['DateTime']['output'];
  node?: Maybe<User>;
};

export type FollowerConnection = {
  __typename?: 'FollowerConnection';
  edges: Array<FollowerEdge>;
  nodes: Array<Maybe<User>>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type FollowerEdge = {
  __typename?: 'FollowerEdge';
  cursor: Scalars['String']['output'];
  followedAt: Scalars['DateTime']['output'];
  node?: Maybe<User>;
};

export type FollowerPayload = {
  __typename?: 'FollowerPayload';
  changed: Scalars['Boolean']['output'];
  user?: Maybe<User>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type FollowerTally = {
  __typename?: 'FollowerTally';
  asOf: Scalars['DateTime']['output'];
  count: Scalars['Int']['output'];
  isExact: Scalars['Boolean']['output'];
};

export type Genre = {
  __typename?: 'Genre';
  bookCount: Scalars['Int']['output'];
  name: Scalars['String']['output'];
};

export type GenreConnection = {
  __typename?: 'GenreConnection';
  edges: Array<GenreEdge>;
  nodes: Array<Genre>;
  pageInfo: PageInfo;
};

export type GenreEdge = {
  __typename?: 'GenreEdge';
  cursor: Scalars['String']['output'];
  node: Genre;
};

export type GenreOfReading = {
  __typename?: 'GenreOfReading';
  books: Scalars['Int']['output'];
  genre: Scalars['String']['output'];
};

export type Granularity =
  | 'DAY'
  | 'HOUR'
  | 'MINUTE';

export type ImportFate =
  | 'AMBIGUOUS'
  | 'FAILED'
  | 'MATCHED'
  | 'NOT_KEPT'
  | 'PENDING'
  | 'UNLISTED';

export type ImportRow = {
  __typename?: 'ImportRow';
  authors: Array<Scalars['String']['output']>;
  book?: Maybe<Book>;
  candidates: Array<Book>;
  fate: ImportFate;
  line: Scalars['Int']['output'];
  reason?: Maybe<Scalars['String']['output']>;
  title: Scalars['String']['output'];
};

export type ImportRowConnection = {
  __typename?: 'ImportRowConnection';
  edges: Array<ImportRowEdge>;
  nodes: Array<ImportRow>;
  pageInfo: PageInfo;
};

export type ImportRowEdge = {
  __typename?: 'ImportRowEdge';
  cursor: Scalars['String']['output'];
  node: ImportRow;
};

export type ImportShelf = {
  __typename?: 'ImportShelf';
  becomes?: Maybe<ReadingStatus>;
  isOwn: Scalars['Boolean']['output'];
  lines: Scalars['Int']['output'];
  name: Scalars['String']['output'];
};

export type Item = Likeable & Node & {
  __typename?: 'Item';
  book: Book;
  condition: ItemCondition;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  id: Scalars['ID']['output'];
  knownLikers: KnownLikers;
  likeCount: Scalars['Int']['output'];
  likeTally: LikeTally;
  likers: LikerConnection;
  listedAt: Scalars['DateTime']['output'];
  place?: Maybe<Scalars['String']['output']>;
  price: Money;
  seller?: Maybe<User>;
  status: ItemStatus;
  title: Scalars['String']['output'];
  viewerHasLiked: Scalars['Boolean']['output'];
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


export type ItemKnownLikersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type ItemLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type ItemCondition =
  | 'FAIR'
  | 'GOOD'
  | 'LIKE_NEW'
  | 'NEW'
  | 'POOR';

export type ItemConnection = {
  __typename?: 'ItemConnection';
  count: RowCount;
  edges: Array<ItemEdge>;
  nodes: Array<Item>;
  pageInfo: PageInfo;
};

export type ItemEdge = {
  __typename?: 'ItemEdge';
  cursor: Scalars['String']['output'];
  listedAt: Scalars['DateTime']['output'];
  node: Item;
  title: Scalars['String']['output'];
};

export type ItemPayload = {
  __typename?: 'ItemPayload';
  item?: Maybe<Item>;
  itemEdge?: Maybe<ItemEdge>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};


export type ItemPayloadItemEdgeArgs = {
  orderBy?: ListingOrder;
};

export type ItemStatus =
  | 'FOR_SALE'
  | 'SOLD'
  | 'WITHDRAWN';

export type KnownLikers = {
  __typename?: 'KnownLikers';
  count: Scalars['Int']['output'];
  isExact: Scalars['Boolean']['output'];
  nodes: Array<User>;
};

export type Library = Node & {
  __typename?: 'Library';
  address: Scalars['String']['output'];
  city: Scalars['String']['output'];
  country: Scalars['String']['output'];
  id: Scalars['ID']['output'];
  latitude?: Maybe<Scalars['Float']['output']>;
  longitude?: Maybe<Scalars['Float']['output']>;
  name: Scalars['String']['output'];
  openedOn?: Maybe<Scalars['Date']['output']>;
  postalCode: Scalars['String']['output'];
  state: Scalars['String']['output'];
};

export type LibraryConnection = {
  __typename?: 'LibraryConnection';
  edges: Array<LibraryEdge>;
  nodes: Array<Library>;
  pageInfo: PageInfo;
};

export type LibraryEdge = {
  __typename?: 'LibraryEdge';
  cursor: Scalars['String']['output'];
  distanceKm?: Maybe<Scalars['Float']['output']>;
  node: Library;
};

export type LibraryImport = Node & {
  __typename?: 'LibraryImport';
  ambiguous: Scalars['Int']['output'];
  begunAt: Scalars['DateTime']['output'];
  failed: Scalars['Int']['output'];
  id: Scalars['ID']['output'];
  lines: Scalars['Int']['output'];
  matched: Scalars['Int']['output'];
  notKept: Scalars['Int']['output'];
  pending: Scalars['Int']['output'];
  progress: Scalars['Float']['output'];
  publishesReviews: Scalars['Boolean']['output'];
  reviews: Scalars['Int']['output'];
  rows: ImportRowConnection;
  shelves: Array<ImportShelf>;
  source: LibrarySource;
  status: LibraryImportStatus;
  unlisted: Scalars['Int']['output'];
};


export type LibraryImportRowsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ImportFate>;
};

export type LibraryImportConnection = {
  __typename?: 'LibraryImportConnection';
  edges: Array<LibraryImportEdge>;
  nodes: Array<Maybe<LibraryImport>>;
  pageInfo: PageInfo;
};

export type LibraryImportEdge = {
  __typename?: 'LibraryImportEdge';
  cursor: Scalars['String']['output'];
  node?: Maybe<LibraryImport>;
};

export type LibraryImportPayload = {
  __typename?: 'LibraryImportPayload';
  libraryImport?: Maybe<LibraryImport>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type LibraryImportStatus =
  | 'DONE'
  | 'RECEIVING'
  | 'RUNNING'
  | 'UNDOING'
  | 'UNDONE';

export type LibraryOrder =
  | 'NAME'
  | 'OPENED'
  | 'OPENED_DESC';

export type LibrarySource =
  | 'BOOKWYRM'
  | 'GOODREADS'
  | 'HARDCOVER'
  | 'LIBRARYTHING'
  | 'STORYGRAPH';

export type LikeConnection = {
  __typename?: 'LikeConnection';
  count: RowCount;
  edges: Array<LikeEdge>;
  nodes: Array<Maybe<Book | BookList | Item | Review>>;
  pageInfo: PageInfo;
};

export type LikeEdge = {
  __typename?: 'LikeEdge';
  cursor: Scalars['String']['output'];
  likedAt: Scalars['DateTime']['output'];
  node?: Maybe<Book | BookList | Item | Review>;
  title?: Maybe<Scalars['String']['output']>;
};

export type LikeInput = {
  id: Scalars['ID']['input'];
};

export type LikePayload = {
  __typename?: 'LikePayload';
  changed: Scalars['Boolean']['output'];
  likeEdge?: Maybe<LikeEdge>;
  likeable?: Maybe<Book | BookList | Item | Review>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type LikeTalliesEvent = {
  __typename?: 'LikeTalliesEvent';
  changes: Array<LikeTallyChange>;
};

export type LikeTally = {
  __typename?: 'LikeTally';
  asOf: Scalars['DateTime']['output'];
  count: Scalars['Int']['output'];
  isExact: Scalars['Boolean']['output'];
  version: Scalars['Float']['output'];
};

export type LikeTallyChange = {
  __typename?: 'LikeTallyChange';
  id: Scalars['ID']['output'];
  likeTally?: Maybe<LikeTally>;
};

export type Likeable = {
  id: Scalars['ID']['output'];
  knownLikers: KnownLikers;
  likeCount: Scalars['Int']['output'];
  likeTally: LikeTally;
  likers: LikerConnection;
  title: Scalars['String']['output'];
  viewerHasLiked: Scalars['Boolean']['output'];
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


export type LikeableKnownLikersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type LikeableLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type LikeableKind =
  | 'BOOK'
  | 'ITEM'
  | 'LIST'
  | 'REVIEW';

export type LikerConnection = {
  __typename?: 'LikerConnection';
  edges: Array<LikerEdge>;
  nodes: Array<Maybe<User>>;
  pageInfo: PageInfo;
  totalCount: Scalars['Int']['output'];
};

export type LikerEdge = {
  __typename?: 'LikerEdge';
  cursor: Scalars['String']['output'];
  likedAt: Scalars['DateTime']['output'];
  node?: Maybe<User>;
};

export type ListItemInput = {
  bookId: Scalars['ID']['input'];
  condition: ItemCondition;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  place?: InputMaybe<Scalars['String']['input']>;
  price: MoneyInput;
  title?: InputMaybe<Scalars['String']['input']>;
};

export type ListingOrder =
  | 'LISTED_AT'
  | 'PRICE'
  | 'PRICE_DESC';

export type LoginInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  device?: InputMaybe<Scalars['String']['input']>;
  email: Scalars['String']['input'];
  password: Scalars['String']['input'];
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

export type LoginTally = {
  __typename?: 'LoginTally';
  failed: Scalars['Int']['output'];
  succeeded: Scalars['Int']['output'];
};

export type LoginWindows = {
  __typename?: 'LoginWindows';
  last7Days: LoginTally;
  last24Hours: LoginTally;
  last30Days: LoginTally;
  thisDay: LoginTally;
  thisMonth: LoginTally;
  thisWeek: LoginTally;
};

export type LoginWithPasskeyInput = {
  device?: InputMaybe<Scalars['String']['input']>;
  response: Scalars['JSONObject']['input'];
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

export type LogoutInput = {
  everywhere?: InputMaybe<Scalars['Boolean']['input']>;
  password?: InputMaybe<Scalars['String']['input']>;
};

export type LogoutPayload = {
  __typename?: 'LogoutPayload';
  userErrors: Array<UserError>;
};

export type MapImportShelfInput = {
  becomes: ReadingStatus;
  importId: Scalars['ID']['input'];
  shelf: Scalars['String']['input'];
};

export type MarkAsReadInput = {
  bookId: Scalars['ID']['input'];
  finishedOn?: InputMaybe<Scalars['Date']['input']>;
  readAt?: InputMaybe<Scalars['DateTime']['input']>;
  startedOn?: InputMaybe<Scalars['Date']['input']>;
};

export type MarkAsSoldInput = {
  itemId: Scalars['ID']['input'];
};

export type MarkNotificationsReadInput = {
  until: Scalars['DateTime']['input'];
};

export type Money = {
  __typename?: 'Money';
  amount: Scalars['Decimal']['output'];
  currency: Scalars['String']['output'];
};

export type MoneyInput = {
  amount: Scalars['Decimal']['input'];
  currency: Scalars['String']['input'];
};

export type MonthOfReading = {
  __typename?: 'MonthOfReading';
  books: Scalars['Int']['output'];
  finished: Array<FinishedBook>;
  month: Scalars['Int']['output'];
  pages: Scalars['Int']['output'];
};

export type MoveInListInput = {
  after?: InputMaybe<Scalars['ID']['input']>;
  bookId: Scalars['ID']['input'];
  listId: Scalars['ID']['input'];
};

export type Mutation = {
  __typename?: 'Mutation';
  acceptFollower: FollowerPayload;
  addBook: BookPayload;
  addPasskey: AccountPayload;
  addPushSubscription: AccountPayload;
  addToList: BookListPayload;
  block: BlockPayload;
  changeEmail: AccountPayload;
  changePassword: AccountPayload;
  changePrice: ItemPayload;
  confirmTwoFactor: ConfirmTwoFactorPayload;
  contactSeller: ContactSellerPayload;
  createList: BookListPayload;
  decideReport: DecideReportPayload;
  deleteAccount: DeleteAccountPayload;
  deleteList: BookListPayload;
  deleteReview: ReviewPayload;
  endSession: EndSessionPayload;
  follow: FollowPayload;
  like: LikePayload;
  listItem: ItemPayload;
  login: AuthPayload;
  loginWithPasskey: AuthPayload;
  logout: LogoutPayload;
  mapImportShelf: LibraryImportPayload;
  markAsRead: ReadingPayload;
  markAsSold: ItemPayload;
  markNotificationsRead: AccountPayload;
  moveInList: BookListPayload;
  publishImportedReviews: LibraryImportPayload;
  rateBook: RatingPayload;
  recordClicks: RecordClicksPayload;
  recordView: ReadingPayload;
  refreshTokens: AuthPayload;
  register: AuthPayload;
  reinstateAccount: SuspensionPayload;
  removeFollower: FollowerPayload;
  removeFromList: BookListPayload;
  removePasskey: AccountPayload;
  removePushSubscription: AccountPayload;
  report: ReportPayload;
  requestEmailVerification: AccountPayload;
  requestPasswordReset: RequestPasswordResetPayload;
  resetPassword: AuthPayload;
  resolveImportRow: LibraryImportPayload;
  setReadingGoal: SetReadingGoalPayload;
  setReadingStatus: ReadingPayload;
  shareYear: ShareYearPayload;
  startPasskey: StartPasskeyPayload;
  startPasskeyLogin: StartPasskeyLoginPayload;
  startSession: StartSessionPayload;
  startTwoFactor: StartTwoFactorPayload;
  stopTwoFactor: AccountPayload;
  suspendAccount: SuspensionPayload;
  takeDown: TakeDownPayload;
  unblock: BlockPayload;
  undoImport: LibraryImportPayload;
  unfollow: FollowPayload;
  unlike: LikePayload;
  unmarkAsRead: ReadingPayload;
  unrateBook: RatingPayload;
  updateBook: BookPayload;
  updateList: BookListPayload;
  updateListEntry: BookListPayload;
  updateNotificationSettings: AccountPayload;
  updatePrivacy: AccountPayload;
  updateProfile: AccountPayload;
  updateReading: ReadingPayload;
  verifyEmail: AccountPayload;
  withdrawItem: ItemPayload;
  writeReview: ReviewPayload;
};


export type MutationAcceptFollowerArgs = {
  input: AcceptFollowerInput;
};


export type MutationAddBookArgs = {
  input: AddBookInput;
};


export type MutationAddPasskeyArgs = {
  input: AddPasskeyInput;
};


export type MutationAddPushSubscriptionArgs = {
  input: AddPushSubscriptionInput;
};


export type MutationAddToListArgs = {
  input: AddToListInput;
};


export type MutationBlockArgs = {
  input: BlockInput;
};


export type MutationChangeEmailArgs = {
  input: ChangeEmailInput;
};


export type MutationChangePasswordArgs = {
  input: ChangePasswordInput;
};


export type MutationChangePriceArgs = {
  input: ChangePriceInput;
};


export type MutationConfirmTwoFactorArgs = {
  input: ConfirmTwoFactorInput;
};


export type MutationContactSellerArgs = {
  input: ContactSellerInput;
};


export type MutationCreateListArgs = {
  input: CreateListInput;
};


export type MutationDecideReportArgs = {
  input: DecideReportInput;
};


export type MutationDeleteAccountArgs = {
  input: DeleteAccountInput;
};


export type MutationDeleteListArgs = {
  input: DeleteListInput;
};


export type MutationDeleteReviewArgs = {
  input: DeleteReviewInput;
};


export type MutationEndSessionArgs = {
  input: EndSessionInput;
};


export type MutationFollowArgs = {
  input: FollowInput;
};


export type MutationLikeArgs = {
  input: LikeInput;
};


export type MutationListItemArgs = {
  input: ListItemInput;
};


export type MutationLoginArgs = {
  input: LoginInput;
};


export type MutationLoginWithPasskeyArgs = {
  input: LoginWithPasskeyInput;
};


export type MutationLogoutArgs = {
  input?: LogoutInput;
};


export type MutationMapImportShelfArgs = {
  input: MapImportShelfInput;
};


export type MutationMarkAsReadArgs = {
  input: MarkAsReadInput;
};


export type MutationMarkAsSoldArgs = {
  input: MarkAsSoldInput;
};


export type MutationMarkNotificationsReadArgs = {
  input: MarkNotificationsReadInput;
};


export type MutationMoveInListArgs = {
  input: MoveInListInput;
};


export type MutationPublishImportedReviewsArgs = {
  input: PublishImportedReviewsInput;
};


export type MutationRateBookArgs = {
  input: RateBookInput;
};


export type MutationRecordClicksArgs = {
  input: RecordClicksInput;
};


export type MutationRecordViewArgs = {
  input: RecordViewInput;
};


export type MutationRefreshTokensArgs = {
  input?: RefreshTokensInput;
};


export type MutationRegisterArgs = {
  input: RegisterInput;
};


export type MutationReinstateAccountArgs = {
  input: ReinstateAccountInput;
};


export type MutationRemoveFollowerArgs = {
  input: RemoveFollowerInput;
};


export type MutationRemoveFromListArgs = {
  input: RemoveFromListInput;
};


export type MutationRemovePasskeyArgs = {
  input: RemovePasskeyInput;
};


export type MutationReportArgs = {
  input: ReportInput;
};


export type MutationRequestPasswordResetArgs = {
  input: RequestPasswordResetInput;
};


export type MutationResetPasswordArgs = {
  input: ResetPasswordInput;
};


export type MutationResolveImportRowArgs = {
  input: ResolveImportRowInput;
};


export type MutationSetReadingGoalArgs = {
  input: SetReadingGoalInput;
};


export type MutationSetReadingStatusArgs = {
  input: SetReadingStatusInput;
};


export type MutationShareYearArgs = {
  input: ShareYearInput;
};


export type MutationStartPasskeyArgs = {
  input: StartPasskeyInput;
};


export type MutationStartSessionArgs = {
  input?: StartSessionInput;
};


export type MutationStartTwoFactorArgs = {
  input: StartTwoFactorInput;
};


export type MutationStopTwoFactorArgs = {
  input: StopTwoFactorInput;
};


export type MutationSuspendAccountArgs = {
  input: SuspendAccountInput;
};


export type MutationTakeDownArgs = {
  input: TakeDownInput;
};


export type MutationUnblockArgs = {
  input: UnblockInput;
};


export type MutationUndoImportArgs = {
  input: UndoImportInput;
};


export type MutationUnfollowArgs = {
  input: UnfollowInput;
};


export type MutationUnlikeArgs = {
  input: UnlikeInput;
};


export type MutationUnmarkAsReadArgs = {
  input: UnmarkAsReadInput;
};


export type MutationUnrateBookArgs = {
  input: UnrateBookInput;
};


export type MutationUpdateBookArgs = {
  input: UpdateBookInput;
};


export type MutationUpdateListArgs = {
  input: UpdateListInput;
};


export type MutationUpdateListEntryArgs = {
  input: UpdateListEntryInput;
};


export type MutationUpdateNotificationSettingsArgs = {
  input: UpdateNotificationSettingsInput;
};


export type MutationUpdatePrivacyArgs = {
  input: UpdatePrivacyInput;
};


export type MutationUpdateProfileArgs = {
  input: UpdateProfileInput;
};


export type MutationUpdateReadingArgs = {
  input: UpdateReadingInput;
};


export type MutationVerifyEmailArgs = {
  input: VerifyEmailInput;
};


export type MutationWithdrawItemArgs = {
  input: WithdrawItemInput;
};


export type MutationWriteReviewArgs = {
  input: WriteReviewInput;
};

export type Node = {
  id: Scalars['ID']['output'];
};

export type Notification = {
  __typename?: 'Notification';
  at: Scalars['DateTime']['output'];
  count: Scalars['Int']['output'];
  isRead: Scalars['Boolean']['output'];
  kind: NotificationKind;
  readers: Array<User>;
  subject: Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work;
};


export type NotificationReadersArgs = {
  first?: Scalars['Int']['input'];
};

export type NotificationConnection = {
  __typename?: 'NotificationConnection';
  edges: Array<NotificationEdge>;
  nodes: Array<Notification>;
  pageInfo: PageInfo;
};

export type NotificationEdge = {
  __typename?: 'NotificationEdge';
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: Notification;
};

export type NotificationKind =
  | 'FOLLOWED'
  | 'IMPORT_ENDED'
  | 'LIST_LIKED'
  | 'REVIEW_LIKED';

export type NotificationSettings = {
  __typename?: 'NotificationSettings';
  followed: Scalars['Boolean']['output'];
  importEnded: Scalars['Boolean']['output'];
  isPushed: Scalars['Boolean']['output'];
  listLiked: Scalars['Boolean']['output'];
  reviewLiked: Scalars['Boolean']['output'];
};

export type PageInfo = {
  __typename?: 'PageInfo';
  endCursor?: Maybe<Scalars['String']['output']>;
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor?: Maybe<Scalars['String']['output']>;
};

export type Passkey = {
  __typename?: 'Passkey';
  createdAt: Scalars['DateTime']['output'];
  credentialId: Scalars['String']['output'];
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  name: Scalars['String']['output'];
};

export type PendingRename = {
  __typename?: 'PendingRename';
  beganAt: Scalars['DateTime']['output'];
  pagesDone: Scalars['Int']['output'];
};

export type Place = {
  __typename?: 'Place';
  name: Scalars['String']['output'];
};

export type PlaceConnection = {
  __typename?: 'PlaceConnection';
  edges: Array<PlaceEdge>;
  nodes: Array<Place>;
  pageInfo: PageInfo;
};

export type PlaceEdge = {
  __typename?: 'PlaceEdge';
  cursor: Scalars['String']['output'];
  node: Place;
};

export type PriceRange = {
  max?: InputMaybe<Scalars['Decimal']['input']>;
  min?: InputMaybe<Scalars['Decimal']['input']>;
};

export type Privacy = {
  __typename?: 'Privacy';
  approvesFollowers: Scalars['Boolean']['output'];
  likes: Audience;
  readings: Audience;
  takesMessages: Scalars['Boolean']['output'];
};

export type PublishImportedReviewsInput = {
  importId: Scalars['ID']['input'];
};

export type Query = {
  __typename?: 'Query';
  administration?: Maybe<DecisionConnection>;
  author?: Maybe<Author>;
  book?: Maybe<Book>;
  books?: Maybe<BookConnection>;
  cities?: Maybe<PlaceConnection>;
  clicks?: Maybe<ClickConnection>;
  copies?: Maybe<ItemConnection>;
  countries?: Maybe<PlaceConnection>;
  currencies?: Maybe<Array<Currency>>;
  events?: Maybe<EventConnection>;
  exportMyData?: Maybe<DataExport>;
  feed?: Maybe<FeedConnection>;
  genres?: Maybe<GenreConnection>;
  libraries?: Maybe<LibraryConnection>;
  measurements?: Maybe<Array<DataPoint>>;
  node?: Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>;
  nodes?: Maybe<Array<Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>>>;
  rateLimit?: Maybe<RateLimit>;
  reports?: Maybe<ReportConnection>;
  series?: Maybe<Series>;
  settings?: Maybe<Settings>;
  siteActivity?: Maybe<Array<ActivityPoint>>;
  states?: Maybe<PlaceConnection>;
  trending?: Maybe<TrendingConnection>;
  user?: Maybe<User>;
  viewer?: Maybe<User>;
};


export type QueryAdministrationArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  id: Scalars['ID']['input'];
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryAuthorArgs = {
  name: Scalars['String']['input'];
};


export type QueryBookArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  isbn?: InputMaybe<Scalars['String']['input']>;
};


export type QueryBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  author?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  genre?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: BookOrder;
  query?: InputMaybe<Scalars['String']['input']>;
};


export type QueryCitiesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  country: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  state: Scalars['String']['input'];
};


export type QueryClicksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from: Scalars['DateTime']['input'];
  last?: InputMaybe<Scalars['Int']['input']>;
  target?: InputMaybe<Scalars['String']['input']>;
  to: Scalars['DateTime']['input'];
};


export type QueryCopiesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  currency?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  genre?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ListingOrder;
};


export type QueryCountriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from: Scalars['DateTime']['input'];
  id: Scalars['ID']['input'];
  last?: InputMaybe<Scalars['Int']['input']>;
  to: Scalars['DateTime']['input'];
};


export type QueryFeedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryGenresArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryLibrariesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  city?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  near?: InputMaybe<Circle>;
  openedBetween?: InputMaybe<DateRange>;
  orderBy?: InputMaybe<LibraryOrder>;
  state?: InputMaybe<Scalars['String']['input']>;
};


export type QueryMeasurementsArgs = {
  from: Scalars['DateTime']['input'];
  series: Scalars['String']['input'];
  to: Scalars['DateTime']['input'];
};


export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


export type QueryNodesArgs = {
  ids: Array<Scalars['ID']['input']>;
};


export type QueryReportsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: ReportStatus;
};


export type QuerySeriesArgs = {
  name: Scalars['String']['input'];
};


export type QuerySiteActivityArgs = {
  from: Scalars['DateTime']['input'];
  granularity: Granularity;
  to: Scalars['DateTime']['input'];
};


export type QueryStatesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  country: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryTrendingArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  of?: InputMaybe<LikeableKind>;
  window: TrendingWindow;
};


export type QueryUserArgs = {
  id: Scalars['ID']['input'];
  seenBy?: InputMaybe<Audience>;
};

export type RateBookInput = {
  bookId: Scalars['ID']['input'];
  rating: Scalars['Float']['input'];
};

export type RateLimit = {
  __typename?: 'RateLimit';
  cost: Scalars['Int']['output'];
  limit: Scalars['Int']['output'];
  remaining: Scalars['Int']['output'];
  resetAt: Scalars['DateTime']['output'];
};

export type RatedBookConnection = {
  __typename?: 'RatedBookConnection';
  count: RowCount;
  edges: Array<RatedBookEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
};

export type RatedBookEdge = {
  __typename?: 'RatedBookEdge';
  cursor: Scalars['String']['output'];
  node: Book;
  ratedAt: Scalars['DateTime']['output'];
  rating: Scalars['Float']['output'];
};

export type RatingPayload = {
  __typename?: 'RatingPayload';
  book?: Maybe<Book>;
  changed: Scalars['Boolean']['output'];
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type RatingTally = {
  __typename?: 'RatingTally';
  average?: Maybe<Scalars['Float']['output']>;
  count: Scalars['Int']['output'];
  histogram: Array<Scalars['Int']['output']>;
  isExact: Scalars['Boolean']['output'];
};

export type ReadBookConnection = {
  __typename?: 'ReadBookConnection';
  count: RowCount;
  edges: Array<ReadBookEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
  readerFullName: Scalars['String']['output'];
};

export type ReadBookEdge = {
  __typename?: 'ReadBookEdge';
  authors: Array<Scalars['String']['output']>;
  cursor: Scalars['String']['output'];
  finishedOn?: Maybe<Scalars['Date']['output']>;
  genres: Array<Scalars['String']['output']>;
  node: Book;
  publisher?: Maybe<Scalars['String']['output']>;
  readAt?: Maybe<Scalars['DateTime']['output']>;
  readOn?: Maybe<Scalars['Date']['output']>;
  reads: Array<Scalars['DateTime']['output']>;
  startedOn?: Maybe<Scalars['Date']['output']>;
  title: Scalars['String']['output'];
};


export type ReadBookEdgeFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


export type ReadBookEdgeReadOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

export type ReadBookOrder =
  | 'READ_AT'
  | 'TITLE';

export type Reading = {
  __typename?: 'Reading';
  finishedOn?: Maybe<Scalars['Date']['output']>;
  history: Array<ReadingStep>;
  progress: Scalars['Int']['output'];
  readings: Array<FinishedReading>;
  reads: Array<Scalars['DateTime']['output']>;
  since: Scalars['DateTime']['output'];
  startedOn?: Maybe<Scalars['Date']['output']>;
  status?: Maybe<ReadingStatus>;
};


export type ReadingFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


export type ReadingStartedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

export type ReadingPayload = {
  __typename?: 'ReadingPayload';
  book?: Maybe<Book>;
  readEdge?: Maybe<ReadBookEdge>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};


export type ReadingPayloadReadEdgeArgs = {
  orderBy?: ReadBookOrder;
};

export type ReadingStatistics = {
  __typename?: 'ReadingStatistics';
  books: Scalars['Int']['output'];
  dearest?: Maybe<Book>;
  genres: Array<GenreOfReading>;
  goal?: Maybe<Scalars['Int']['output']>;
  isComplete: Scalars['Boolean']['output'];
  isShared: Scalars['Boolean']['output'];
  longest?: Maybe<Book>;
  months: Array<MonthOfReading>;
  pages: Scalars['Int']['output'];
  year: Scalars['Int']['output'];
};

export type ReadingStatus =
  | 'GIVEN_UP'
  | 'READ'
  | 'READING'
  | 'WANT_TO_READ';

export type ReadingStep = {
  __typename?: 'ReadingStep';
  at: Scalars['DateTime']['output'];
  progress: Scalars['Int']['output'];
  status?: Maybe<ReadingStatus>;
};

export type RecordClicksInput = {
  clicks: Array<ClickInput>;
  sessionId: Scalars['ID']['input'];
};

export type RecordClicksPayload = {
  __typename?: 'RecordClicksPayload';
  recorded: Scalars['Int']['output'];
  session?: Maybe<Session>;
  userErrors: Array<UserError>;
};

export type RecordViewInput = {
  bookId: Scalars['ID']['input'];
};

export type RefreshTokensInput = {
  refreshToken?: InputMaybe<Scalars['String']['input']>;
};

export type RegisterInput = {
  device?: InputMaybe<Scalars['String']['input']>;
  email: Scalars['String']['input'];
  fullName: Scalars['String']['input'];
  password: Scalars['String']['input'];
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

export type ReinstateAccountInput = {
  id: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type RemoveFollowerInput = {
  id: Scalars['ID']['input'];
};

export type RemoveFromListInput = {
  bookId: Scalars['ID']['input'];
  listId: Scalars['ID']['input'];
};

export type RemovePasskeyInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  credentialId: Scalars['String']['input'];
  password: Scalars['String']['input'];
};

export type Report = {
  __typename?: 'Report';
  at: Scalars['DateTime']['output'];
  comment?: Maybe<Scalars['String']['output']>;
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  decidedBy?: Maybe<User>;
  id: Scalars['ID']['output'];
  note?: Maybe<Scalars['String']['output']>;
  reader?: Maybe<User>;
  reason: ReportReason;
  reporter?: Maybe<User>;
  status: ReportStatus;
  subject?: Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>;
};

export type ReportConnection = {
  __typename?: 'ReportConnection';
  edges: Array<ReportEdge>;
  nodes: Array<Maybe<Report>>;
  pageInfo: PageInfo;
};

export type ReportEdge = {
  __typename?: 'ReportEdge';
  cursor: Scalars['String']['output'];
  node?: Maybe<Report>;
};

export type ReportInput = {
  comment?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
  reason: ReportReason;
};

export type ReportPayload = {
  __typename?: 'ReportPayload';
  userErrors: Array<UserError>;
};

export type ReportReason =
  | 'ILLEGAL'
  | 'IMPERSONATION'
  | 'OFFENSIVE'
  | 'OTHER'
  | 'SPAM';

export type ReportStatus =
  | 'DISMISSED'
  | 'OPEN'
  | 'UPHELD';

export type RequestPasswordResetInput = {
  email: Scalars['String']['input'];
};

export type RequestPasswordResetPayload = {
  __typename?: 'RequestPasswordResetPayload';
  userErrors: Array<UserError>;
};

export type ResetPasswordInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  device?: InputMaybe<Scalars['String']['input']>;
  password: Scalars['String']['input'];
  sessionId?: InputMaybe<Scalars['ID']['input']>;
  token: Scalars['String']['input'];
};

export type ResolveImportRowInput = {
  bookId?: InputMaybe<Scalars['ID']['input']>;
  importId: Scalars['ID']['input'];
  line: Scalars['Int']['input'];
};

export type Review = Likeable & Node & {
  __typename?: 'Review';
  author?: Maybe<User>;
  book: Book;
  editedAt?: Maybe<Scalars['DateTime']['output']>;
  hasSpoilers: Scalars['Boolean']['output'];
  history?: Maybe<Array<ReviewText>>;
  id: Scalars['ID']['output'];
  knownLikers: KnownLikers;
  language?: Maybe<Scalars['String']['output']>;
  likeCount: Scalars['Int']['output'];
  likeTally: LikeTally;
  likers: LikerConnection;
  rating?: Maybe<Scalars['Float']['output']>;
  showsRating: Scalars['Boolean']['output'];
  takenDownAt?: Maybe<Scalars['DateTime']['output']>;
  takenDownReason?: Maybe<Scalars['String']['output']>;
  text: Scalars['String']['output'];
  title: Scalars['String']['output'];
  viewerHasLiked: Scalars['Boolean']['output'];
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
  writtenAt: Scalars['DateTime']['output'];
};


export type ReviewKnownLikersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type ReviewLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type ReviewConnection = {
  __typename?: 'ReviewConnection';
  count: RowCount;
  edges: Array<ReviewEdge>;
  nodes: Array<Maybe<Review>>;
  pageInfo: PageInfo;
};

export type ReviewEdge = {
  __typename?: 'ReviewEdge';
  cursor: Scalars['String']['output'];
  node?: Maybe<Review>;
};

export type ReviewOrder =
  | 'MOST_LIKED'
  | 'NEWEST';

export type ReviewPayload = {
  __typename?: 'ReviewPayload';
  book?: Maybe<Book>;
  changed: Scalars['Boolean']['output'];
  review?: Maybe<Review>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type ReviewText = {
  __typename?: 'ReviewText';
  hasSpoilers: Scalars['Boolean']['output'];
  language?: Maybe<Scalars['String']['output']>;
  text: Scalars['String']['output'];
  writtenAt: Scalars['DateTime']['output'];
};

export type RowCount = {
  __typename?: 'RowCount';
  isExact: Scalars['Boolean']['output'];
  value: Scalars['Int']['output'];
};

export type SecurityEvent = {
  __typename?: 'SecurityEvent';
  address?: Maybe<Scalars['String']['output']>;
  at: Scalars['DateTime']['output'];
  kind: SecurityEventKind;
  session?: Maybe<Session>;
};

export type SecurityEventConnection = {
  __typename?: 'SecurityEventConnection';
  edges: Array<SecurityEventEdge>;
  nodes: Array<SecurityEvent>;
  pageInfo: PageInfo;
};

export type SecurityEventEdge = {
  __typename?: 'SecurityEventEdge';
  at: Scalars['DateTime']['output'];
  cursor: Scalars['String']['output'];
  node: SecurityEvent;
};

export type SecurityEventKind =
  | 'ACCOUNT_REINSTATED'
  | 'ACCOUNT_SUSPENDED'
  | 'ADMINISTRATOR_GRANTED'
  | 'ADMINISTRATOR_REVOKED'
  | 'DATA_EXPORTED'
  | 'EMAIL_CHANGED'
  | 'EMAIL_VERIFIED'
  | 'LOGGED_IN'
  | 'LOGIN_FAILED'
  | 'NAME_TAKEN_DOWN'
  | 'PASSKEY_ADDED'
  | 'PASSKEY_REMOVED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_RESET'
  | 'RECOVERY_CODE_USED'
  | 'REGISTERED'
  | 'REVIEW_TAKEN_DOWN'
  | 'TITLE_TAKEN_DOWN'
  | 'TOKEN_REUSED'
  | 'TWO_FACTOR_OFF'
  | 'TWO_FACTOR_ON';

export type Series = {
  __typename?: 'Series';
  books: SeriesBookConnection;
  name: Scalars['String']['output'];
};


export type SeriesBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type SeriesBookConnection = {
  __typename?: 'SeriesBookConnection';
  count: RowCount;
  edges: Array<SeriesBookEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
};

export type SeriesBookEdge = {
  __typename?: 'SeriesBookEdge';
  cursor: Scalars['String']['output'];
  node: Book;
  position?: Maybe<Scalars['String']['output']>;
};

export type Session = Node & {
  __typename?: 'Session';
  clickCount: Scalars['Int']['output'];
  clicks: ClickConnection;
  device?: Maybe<Scalars['String']['output']>;
  duration: Scalars['Duration']['output'];
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  id: Scalars['ID']['output'];
  isCurrent: Scalars['Boolean']['output'];
  lastActiveAt: Scalars['DateTime']['output'];
  lastClickAt?: Maybe<Scalars['DateTime']['output']>;
  startedAt: Scalars['DateTime']['output'];
};


export type SessionClicksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type SessionConnection = {
  __typename?: 'SessionConnection';
  edges: Array<SessionEdge>;
  nodes: Array<Session>;
  pageInfo: PageInfo;
};

export type SessionEdge = {
  __typename?: 'SessionEdge';
  cursor: Scalars['String']['output'];
  node: Session;
  startedAt: Scalars['DateTime']['output'];
};

export type SetReadingGoalInput = {
  books?: InputMaybe<Scalars['Int']['input']>;
  year: Scalars['Int']['input'];
};

export type SetReadingGoalPayload = {
  __typename?: 'SetReadingGoalPayload';
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type SetReadingStatusInput = {
  bookId: Scalars['ID']['input'];
  progress?: InputMaybe<Scalars['Int']['input']>;
  startedOn?: InputMaybe<Scalars['Date']['input']>;
  status?: InputMaybe<ReadingStatus>;
};

export type Settings = {
  __typename?: 'Settings';
  avatarHosts: Array<Scalars['String']['output']>;
  emailVerification: EmailVerification;
  hasSecondFactors: Scalars['Boolean']['output'];
  passkeyOrigins: Array<Scalars['String']['output']>;
  passwordLengthMin: Scalars['Int']['output'];
  pushPublicKey?: Maybe<Scalars['String']['output']>;
  sendsEmails: Scalars['Boolean']['output'];
};

export type ShareYearInput = {
  isShared: Scalars['Boolean']['input'];
  year: Scalars['Int']['input'];
};

export type ShareYearPayload = {
  __typename?: 'ShareYearPayload';
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type ShelfConnection = {
  __typename?: 'ShelfConnection';
  count: RowCount;
  edges: Array<ShelfEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
};

export type ShelfEdge = {
  __typename?: 'ShelfEdge';
  cursor: Scalars['String']['output'];
  node: Book;
  progress: Scalars['Int']['output'];
  since: Scalars['DateTime']['output'];
  status: ReadingStatus;
};

export type StartPasskeyInput = {
  code?: InputMaybe<Scalars['String']['input']>;
  password: Scalars['String']['input'];
};

export type StartPasskeyLoginPayload = {
  __typename?: 'StartPasskeyLoginPayload';
  options?: Maybe<Scalars['JSONObject']['output']>;
  userErrors: Array<UserError>;
};

export type StartPasskeyPayload = {
  __typename?: 'StartPasskeyPayload';
  options?: Maybe<Scalars['JSONObject']['output']>;
  userErrors: Array<UserError>;
};

export type StartSessionInput = {
  device?: InputMaybe<Scalars['String']['input']>;
};

export type StartSessionPayload = {
  __typename?: 'StartSessionPayload';
  session?: Maybe<Session>;
  userErrors: Array<UserError>;
};

export type StartTwoFactorInput = {
  password: Scalars['String']['input'];
};

export type StartTwoFactorPayload = {
  __typename?: 'StartTwoFactorPayload';
  secret?: Maybe<Scalars['String']['output']>;
  uri?: Maybe<Scalars['String']['output']>;
  userErrors: Array<UserError>;
  viewer?: Maybe<User>;
};

export type StopTwoFactorInput = {
  code: Scalars['String']['input'];
  password: Scalars['String']['input'];
};

export type Subscription = {
  __typename?: 'Subscription';
  feedChanged: FeedChangedEvent;
  likeTallies: LikeTalliesEvent;
  viewerChanged: ViewerChangedEvent;
};


export type SubscriptionLikeTalliesArgs = {
  ids: Array<Scalars['ID']['input']>;
};

export type SuspendAccountInput = {
  id: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type SuspensionPayload = {
  __typename?: 'SuspensionPayload';
  changed: Scalars['Boolean']['output'];
  user?: Maybe<User>;
  userErrors: Array<UserError>;
};

export type TakeDownInput = {
  id: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type TakeDownPayload = {
  __typename?: 'TakeDownPayload';
  changed: Scalars['Boolean']['output'];
  node?: Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>;
  userErrors: Array<UserError>;
};

export type TimeRange = {
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type TrendingConnection = {
  __typename?: 'TrendingConnection';
  edges: Array<TrendingEdge>;
  nodes: Array<Maybe<Book | BookList | Item | Review>>;
  pageInfo: PageInfo;
};

export type TrendingEdge = {
  __typename?: 'TrendingEdge';
  cursor: Scalars['String']['output'];
  likes: Scalars['Int']['output'];
  node?: Maybe<Book | BookList | Item | Review>;
};

export type TrendingWindow =
  | 'DAY'
  | 'HOUR'
  | 'WEEK';

export type UnblockInput = {
  id: Scalars['ID']['input'];
};

export type UndoImportInput = {
  importId: Scalars['ID']['input'];
};

export type UnfollowInput = {
  id: Scalars['ID']['input'];
};

export type UnlikeInput = {
  id: Scalars['ID']['input'];
};

export type UnlistedBook = {
  __typename?: 'UnlistedBook';
  authors: Array<Scalars['String']['output']>;
  libraryImport?: Maybe<LibraryImport>;
  line: Scalars['Int']['output'];
  shelf?: Maybe<Scalars['String']['output']>;
  status?: Maybe<ReadingStatus>;
  title: Scalars['String']['output'];
};

export type UnlistedBookConnection = {
  __typename?: 'UnlistedBookConnection';
  count: RowCount;
  edges: Array<UnlistedBookEdge>;
  nodes: Array<UnlistedBook>;
  pageInfo: PageInfo;
};

export type UnlistedBookEdge = {
  __typename?: 'UnlistedBookEdge';
  cursor: Scalars['String']['output'];
  node: UnlistedBook;
};

export type UnmarkAsReadInput = {
  bookId: Scalars['ID']['input'];
};

export type UnrateBookInput = {
  bookId: Scalars['ID']['input'];
};

export type UpdateBookInput = {
  authors?: InputMaybe<Array<Scalars['String']['input']>>;
  bookId: Scalars['ID']['input'];
  coverUrl?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  genres?: InputMaybe<Array<Scalars['String']['input']>>;
  languageCode?: InputMaybe<Scalars['String']['input']>;
  originalTitle?: InputMaybe<Scalars['String']['input']>;
  otherIsbns?: InputMaybe<Array<Scalars['String']['input']>>;
  pages?: InputMaybe<Scalars['Int']['input']>;
  publishedOn?: InputMaybe<Scalars['String']['input']>;
  publishedYear?: InputMaybe<Scalars['Int']['input']>;
  publisher?: InputMaybe<Scalars['String']['input']>;
  series?: InputMaybe<Array<BookInSeriesInput>>;
  title?: InputMaybe<Scalars['String']['input']>;
  workId?: InputMaybe<Scalars['ID']['input']>;
};

export type UpdateListEntryInput = {
  bookId: Scalars['ID']['input'];
  listId: Scalars['ID']['input'];
  note?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateListInput = {
  audience?: InputMaybe<Audience>;
  description?: InputMaybe<Scalars['String']['input']>;
  listId: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateNotificationSettingsInput = {
  followed?: InputMaybe<Scalars['Boolean']['input']>;
  importEnded?: InputMaybe<Scalars['Boolean']['input']>;
  listLiked?: InputMaybe<Scalars['Boolean']['input']>;
  reviewLiked?: InputMaybe<Scalars['Boolean']['input']>;
};

export type UpdatePrivacyInput = {
  approvesFollowers?: InputMaybe<Scalars['Boolean']['input']>;
  likes?: InputMaybe<Audience>;
  readings?: InputMaybe<Audience>;
  takesMessages?: InputMaybe<Scalars['Boolean']['input']>;
};

export type UpdateProfileInput = {
  avatarUrl?: InputMaybe<Scalars['String']['input']>;
  bio?: InputMaybe<Scalars['String']['input']>;
  fullName?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateReadingInput = {
  bookId: Scalars['ID']['input'];
  finishedOn?: InputMaybe<Scalars['Date']['input']>;
  readingId?: InputMaybe<Scalars['ID']['input']>;
  startedOn?: InputMaybe<Scalars['Date']['input']>;
};

export type User = Node & {
  __typename?: 'User';
  actions?: Maybe<ActionConnection>;
  avatarUrl?: Maybe<Scalars['String']['output']>;
  bio?: Maybe<Scalars['String']['output']>;
  blocked?: Maybe<BlockedReaderConnection>;
  currency?: Maybe<Scalars['String']['output']>;
  email?: Maybe<Scalars['String']['output']>;
  followRequests?: Maybe<FollowRequestConnection>;
  followerTally: FollowerTally;
  followers: FollowerConnection;
  following?: Maybe<FollowedReaderConnection>;
  fullName: Scalars['String']['output'];
  id: Scalars['ID']['output'];
  isAdministrator?: Maybe<Scalars['Boolean']['output']>;
  isEmailVerified?: Maybe<Scalars['Boolean']['output']>;
  isTwoFactorEnabled?: Maybe<Scalars['Boolean']['output']>;
  libraryImports?: Maybe<LibraryImportConnection>;
  likes?: Maybe<LikeConnection>;
  listings: ItemConnection;
  lists: BookListConnection;
  loginCount?: Maybe<Scalars['Int']['output']>;
  logins?: Maybe<LoginWindows>;
  notificationSettings?: Maybe<NotificationSettings>;
  notifications?: Maybe<NotificationConnection>;
  passkeys?: Maybe<Array<Passkey>>;
  pendingRename?: Maybe<PendingRename>;
  privacy?: Maybe<Privacy>;
  ratings?: Maybe<RatedBookConnection>;
  readBooks?: Maybe<ReadBookConnection>;
  recentlyViewed?: Maybe<ViewedBookConnection>;
  registeredAt: Scalars['DateTime']['output'];
  reviews?: Maybe<ReviewConnection>;
  securityEvents?: Maybe<SecurityEventConnection>;
  sessions?: Maybe<SessionConnection>;
  shelf?: Maybe<ShelfConnection>;
  statistics?: Maybe<ReadingStatistics>;
  unlistedBooks?: Maybe<UnlistedBookConnection>;
  unreadNotificationCount?: Maybe<Scalars['Int']['output']>;
  viewerFollows: Scalars['Boolean']['output'];
  viewerHasRequestedFollow: Scalars['Boolean']['output'];
};


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


export type UserBlockedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserFollowRequestsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserFollowersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserFollowingArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserLibraryImportsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserLikesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  of?: InputMaybe<LikeableKind>;
};


export type UserListingsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  listedBetween?: InputMaybe<TimeRange>;
  orderBy?: ListingOrder;
  priceBetween?: InputMaybe<PriceRange>;
};


export type UserListsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserLoginCountArgs = {
  last: Scalars['Duration']['input'];
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


export type UserLoginsArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


export type UserNotificationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserRatingsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserReadBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ReadBookOrder;
};


export type UserRecentlyViewedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserReviewsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type UserSecurityEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


export type UserSessionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


export type UserShelfArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ReadingStatus>;
};


export type UserStatisticsArgs = {
  year: Scalars['Int']['input'];
};


export type UserUnlistedBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ReadingStatus>;
};

export type UserError = {
  __typename?: 'UserError';
  code: UserErrorCode;
  message: Scalars['String']['output'];
  path?: Maybe<Array<Scalars['String']['output']>>;
  retryAfterSeconds?: Maybe<Scalars['Int']['output']>;
};

export type UserErrorCode =
  | 'ACCOUNT_SUSPENDED'
  | 'EMAIL_NOT_VERIFIED'
  | 'EMAIL_TAKEN'
  | 'FORBIDDEN'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_EMAIL'
  | 'INVALID_INPUT'
  | 'INVALID_PASSKEY'
  | 'INVALID_PASSWORD'
  | 'INVALID_TOKEN'
  | 'MAIL_NOT_SET_UP'
  | 'NOT_FOUND'
  | 'PASSKEYS_NOT_SET_UP'
  | 'PASSWORD_REQUIRED'
  | 'PUSH_NOT_SET_UP'
  | 'RATE_LIMITED'
  | 'TWO_FACTOR_NOT_SET_UP'
  | 'TWO_FACTOR_REQUIRED';

export type VerifyEmailInput = {
  token: Scalars['String']['input'];
};

export type ViewedBookConnection = {
  __typename?: 'ViewedBookConnection';
  edges: Array<ViewedBookEdge>;
  nodes: Array<Book>;
  pageInfo: PageInfo;
};

export type ViewedBookEdge = {
  __typename?: 'ViewedBookEdge';
  cursor: Scalars['String']['output'];
  node: Book;
  viewedAt: Scalars['DateTime']['output'];
};

export type ViewerChangedEvent = {
  __typename?: 'ViewerChangedEvent';
  kinds: Array<ViewerDataKind>;
};

export type ViewerDataKind =
  | 'COPIES'
  | 'IMPORTS'
  | 'LIKES'
  | 'LISTS'
  | 'NOTIFICATIONS'
  | 'PROFILE'
  | 'RATINGS'
  | 'READINGS'
  | 'REVIEWS';

export type WithdrawItemInput = {
  itemId: Scalars['ID']['input'];
};

export type Work = Node & {
  __typename?: 'Work';
  editions: BookConnection;
  id: Scalars['ID']['output'];
  title?: Maybe<Scalars['String']['output']>;
};


export type WorkEditionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

export type WriteReviewInput = {
  bookId: Scalars['ID']['input'];
  hasSpoilers: Scalars['Boolean']['input'];
  language?: InputMaybe<Scalars['String']['input']>;
  showsRating?: InputMaybe<Scalars['Boolean']['input']>;
  text: Scalars['String']['input'];
};
