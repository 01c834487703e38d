export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A calendar day in RFC 3339 format, from the year 1 on: `2026-03-01`. */
  Date: { input: string; output: string; }
  /**
   * A moment in the years 1 to 9999, in RFC 3339 format, in UTC with milliseconds:
   * `2026-03-01T09:30:00.000Z`. Input may have an offset and up to nine digits after the second, of
   * which only the milliseconds count.
   */
  DateTime: { input: Date; output: Date; }
  /** An exact decimal number, written as a string: `12.50`. It never has an exponent. */
  Decimal: { input: string; output: string; }
  /**
   * A length of time in ISO 8601 format: `PT24H`, `P7D`. Each number has at most nine digits, and only
   * seconds may have a fraction.
   */
  Duration: { input: string; output: string; }
  /** A JSON object, in the form that browsers and their libraries accept and return. */
  JSONObject: { input: object; output: object; }
  /** A UUID in RFC 9562 format: `0190163d-8694-739b-aea5-966c26f8ad91`. */
  UUID: { input: string; output: string; }
};

/** The answer to a change of the account. */
export type AccountPayload = {
  __typename?: 'AccountPayload';
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** Something that a reader did. */
export type Action = {
  __typename?: 'Action';
  /** When they did it; for `READ` when they read the book. */
  at: Scalars['DateTime']['output'];
  /** The book that it was about, itself or by a copy; null when it was not about a book. */
  book?: Maybe<Book>;
  /**
   * What it was done to, as the client calls it: the target of a click; null for other kinds, and
   * where a click has none.
   */
  element?: Maybe<Scalars['String']['output']>;
  /** What they did. */
  kind: ActionKind;
  /**
   * What was liked or no longer liked, or the copy that was listed, changed, withdrawn, sold or
   * clicked; null for other kinds.
   */
  likeable?: Maybe<Likeable>;
};

/** A page of what a reader did. */
export type ActionConnection = {
  __typename?: 'ActionConnection';
  /** The actions of this page. */
  edges: Array<ActionEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Action>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** An action in its list. */
export type ActionEdge = {
  __typename?: 'ActionEdge';
  /** When it was done. */
  at: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The action. */
  node: Action;
};

/**
 * What a reader did. A server may be set up not to record `VIEWED` and `CLICKED`; of somebody signed
 * out nothing is recorded.
 */
export type ActionKind =
  /** Clicked something that names a book or a copy; the action's moment is that of the click. */
  | 'CLICKED'
  /** Liked something. */
  | 'LIKED'
  /** Offered a copy of a book. */
  | 'LISTED'
  /** Logged in. */
  | 'LOGGED_IN'
  /** Changed the price of a copy. */
  | 'PRICE_CHANGED'
  /**
   * Read a book; the action's moment is that of reading: of a day, its noon in UTC; where nobody knows
   * it, when the reader said so.
   */
  | 'READ'
  /** Made the account. */
  | 'REGISTERED'
  /** Sold a copy. */
  | 'SOLD'
  /** Wanted to read a book, began it, went on with it, or gave it up. */
  | 'STATUS_CHANGED'
  /** Took a like back. */
  | 'UNLIKED'
  /** Took a book out of what they have read. */
  | 'UNMARKED_READ'
  /** Looked at a book, once for each minute; the action's moment is the beginning of the minute. */
  | 'VIEWED'
  /** Took a copy off the market. */
  | 'WITHDRAWN';

/** The order of actions. */
export type ActionOrder =
  /** Newest first. */
  | 'NEWEST'
  /** Oldest first. */
  | 'OLDEST';

/** The events of a book, or of the whole site, within a window of time. */
export type ActivityPoint = {
  __typename?: 'ActivityPoint';
  /** The beginning of the window. */
  at: Scalars['DateTime']['output'];
  /** The number of readers who liked it and did not take the like back. */
  likes: Scalars['Int']['output'];
  /**
   * The number of readers who finished it. Several readings by one reader within a day (UTC) count
   * once.
   */
  reads: Scalars['Int']['output'];
  /** The number of copies that were sold. */
  sales: Scalars['Int']['output'];
  /** The number of views. Several views by one reader within a minute count once. */
  views: Scalars['Int']['output'];
};

/** A book to be added. */
export type AddBookInput = {
  /** The authors, the first one first: 1 to 50, each with 1 to 500 characters (code points). */
  authors: Array<Scalars['String']['input']>;
  /** A picture of its cover: `https`, from one of the hosts that the server allows. */
  coverUrl?: InputMaybe<Scalars['String']['input']>;
  /** Genres of the book, the best first: at most 10, each with 1 to 50 characters (code points). */
  genres?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * ISBN-10 or ISBN-13, with or without hyphens, spaces, the word ISBN in front and a remark as
   * `(pbk.)` behind; with all of its digits.
   */
  isbn: Scalars['String']['input'];
  /** The language of the edition: ISO 639-2 (`eng`), or BCP 47 (`en-US`). */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** The title in the language in which the book was written, if known. */
  originalTitle?: InputMaybe<Scalars['String']['input']>;
  /** How many pages the edition has: 1 to 100,000. */
  pages?: InputMaybe<Scalars['Int']['input']>;
  /** When the edition came out: `1998`, `1998-05` or `1998-05-23`, from the year 1 to 2200. */
  publishedOn?: InputMaybe<Scalars['String']['input']>;
  /**
   * The year in which the work was first published, up to 2200; negative before the common era, and
   * never 0.
   */
  publishedYear?: InputMaybe<Scalars['Int']['input']>;
  /** Who published the edition: 1 to 500 characters (code points). */
  publisher?: InputMaybe<Scalars['String']['input']>;
  /** The title, with its series where it is part of one: 1 to 500 characters (code points). */
  title: Scalars['String']['input'];
};

/** A passkey that was made. */
export type AddPasskeyInput = {
  /** Name of the passkey in the list of passkeys: 1 to 100 characters (code points). */
  name: Scalars['String']['input'];
  /**
   * What the browser answered to the options of `startPasskey`: `RegistrationResponseJSON` of
   * WebAuthn.
   */
  response: Scalars['JSONObject']['input'];
};

/** Who may see something of a reader's. */
export type Audience =
  /** Everybody, signed out or in. */
  | 'EVERYONE'
  /** The reader alone. */
  | 'ONLY_ME'
  /** Readers who are logged in. */
  | 'SIGNED_IN';

/** The answer to registering, logging in, or going on. */
export type AuthPayload = {
  __typename?: 'AuthPayload';
  /** Send it with every request: `Authorization: Bearer <accessToken>`. */
  accessToken?: Maybe<Scalars['String']['output']>;
  /** When the access token ends. */
  accessTokenExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Good once, for `refreshTokens`. Keep it where no script of others can read it. */
  refreshToken?: Maybe<Scalars['String']['output']>;
  /** Their session, on this device. */
  session?: Maybe<Session>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader who is logged in now; null when `userErrors` says why not. */
  viewer?: Maybe<User>;
};

/** Whom to block. */
export type BlockInput = {
  /** A reader, but not the viewer. */
  id: Scalars['ID']['input'];
};

/** The answer to a block, or to taking one back. */
export type BlockPayload = {
  __typename?: 'BlockPayload';
  /** Whether this call changed anything: false when it was so already. */
  changed: Scalars['Boolean']['output'];
  /** The other reader. */
  user?: Maybe<User>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** A page of whom a reader blocks. */
export type BlockedReaderConnection = {
  __typename?: 'BlockedReaderConnection';
  /** The blocks of this page. */
  edges: Array<BlockedReaderEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<User>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** Somebody whom a reader blocks. */
export type BlockedReaderEdge = {
  __typename?: 'BlockedReaderEdge';
  /** When they were blocked. */
  blockedAt: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** Who it is. */
  node: User;
};

/** One edition of a book. */
export type Book = Likeable & Node & {
  __typename?: 'Book';
  /**
   * The activity of the book in each window of a time range, for charts. Empty windows are included,
   * and the data is a few seconds old. A request returns at most 1,500 windows. Minutes are kept for a
   * week, hours for a year.
   */
  activity: Array<ActivityPoint>;
  /** The authors, first author first; never empty. */
  authors: Array<Scalars['String']['output']>;
  /** The average rating, from 1 to 5, in the data that the catalogue was imported from. */
  averageRating?: Maybe<Scalars['Float']['output']>;
  /** The second-hand copies of the book that readers sell, last listed first. */
  copies: ItemConnection;
  /**
   * The URL of a cover picture, from one of the hosts that the server allows (`COVER_HOSTS`); null if
   * there is none.
   */
  coverUrl?: Maybe<Scalars['String']['output']>;
  /**
   * The genres of the book, best match first; often chosen by readers, not librarians. Empty if not
   * known.
   */
  genres: Array<Scalars['String']['output']>;
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /** The ISBN-13 without hyphens; null for the few books that have none. */
  isbn?: Maybe<Scalars['String']['output']>;
  /** The language of the edition as the catalogue names it: ISO 639-2 (`eng`) or BCP 47 (`en-US`). */
  languageCode?: Maybe<Scalars['String']['output']>;
  /**
   * The number of readers who like the book: approximate at any instant, exact about a second after
   * the last change. It includes the viewer's own likes at once.
   */
  likeCount: Scalars['Int']['output'];
  /**
   * The number of readers who like the book, and whether it is known to be exact. The field costs two
   * reads of its own, and two more if very many readers have ever liked the book.
   */
  likeTally: LikeTally;
  /**
   * The readers who like the book, newest like first. Changes that others made within the last second
   * may not show yet; the viewer's own changes do.
   */
  likers: LikerConnection;
  /** The title in the language in which the book was written, if known. */
  originalTitle?: Maybe<Scalars['String']['output']>;
  /** The number of pages of the edition; null if not known. */
  pages?: Maybe<Scalars['Int']['output']>;
  /**
   * The publication date of the edition, in ISO 8601 format: a year (`1998`), a month (`1998-05`) or a
   * day (`1998-05-23`); null if not known.
   */
  publishedOn?: Maybe<Scalars['String']['output']>;
  /** The year in which the work was first published; negative before the common era. */
  publishedYear?: Maybe<Scalars['Int']['output']>;
  /** The publisher of the edition; null if not known, as for most books of the sample. */
  publisher?: Maybe<Scalars['String']['output']>;
  /** The number of ratings in `averageRating`. */
  ratingsCount?: Maybe<Scalars['Int']['output']>;
  /** The title, with the series if the book is part of one. */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes the book; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked the book; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The viewer's reading of the book; null if they never had one, or are signed out. */
  viewerReading?: Maybe<Reading>;
};


/** One edition of a book. */
export type BookActivityArgs = {
  from: Scalars['DateTime']['input'];
  granularity: Granularity;
  to: Scalars['DateTime']['input'];
};


/** One edition of a book. */
export type BookCopiesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** One edition of a book. */
export type BookLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of books. */
export type BookConnection = {
  __typename?: 'BookConnection';
  /** The books of this page. */
  edges: Array<BookEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A book in a list. */
export type BookEdge = {
  __typename?: 'BookEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
};

/** The answer to a change of the catalogue. */
export type BookPayload = {
  __typename?: 'BookPayload';
  /** The book, as it is now. */
  book?: Maybe<Book>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The administrator. */
  viewer?: Maybe<User>;
};

/** With which email to log in. */
export type ChangeEmailInput = {
  /**
   * Where the account has a second factor: the six digits that the app shows, or a recovery code. Each
   * is good once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /**
   * The new email address. Case, surrounding spaces and Unicode spelling do not matter: one account
   * per address.
   */
  email: Scalars['String']['input'];
  /** The account's password, once more. */
  password: Scalars['String']['input'];
};

/** With which password to log in. */
export type ChangePasswordInput = {
  /**
   * Where the account has a second factor: the six digits that the app shows, or a recovery code. Each
   * is good once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /**
   * At least 8 characters unless the library asks for more, at most 256; any characters, but none of
   * the passwords that everybody tries first, and not only the name and email.
   */
  newPassword: Scalars['String']['input'];
  /** The account's password until now. */
  password: Scalars['String']['input'];
};

/** What a copy is to cost. */
export type ChangePriceInput = {
  /** The id of the copy. */
  itemId: Scalars['ID']['input'];
  /** What it is to cost: above 0, in the currency that it had. */
  price: MoneyInput;
};

/** Something that was clicked. */
export type Click = {
  __typename?: 'Click';
  /** When it was clicked, by the client's clock. */
  at: Scalars['DateTime']['output'];
  /** The client's own id for it. */
  id: Scalars['UUID']['output'];
  /** What else the client said of it, in the order in which it was said. */
  properties: Array<ClickProperty>;
  /** The id of its session; null while that is a visitor's, whose id only they may know. */
  sessionId?: Maybe<Scalars['ID']['output']>;
  /** The id of the book or copy that it names; null where it names none. */
  subjectId?: Maybe<Scalars['ID']['output']>;
  /** What was clicked, as the client calls it. */
  target?: Maybe<Scalars['String']['output']>;
};

/** A page of clicks. */
export type ClickConnection = {
  __typename?: 'ClickConnection';
  /** The clicks of this page. */
  edges: Array<ClickEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Click>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A click in its list. */
export type ClickEdge = {
  __typename?: 'ClickEdge';
  /** When it was clicked, by the client's clock. */
  at: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The click. */
  node: Click;
};

/** Something that was clicked. */
export type ClickInput = {
  /**
   * When it was clicked: within its session and the last 7 days, and no more than 5 minutes ahead of
   * the server's clock.
   */
  at: Scalars['DateTime']['input'];
  /**
   * Made by the client, once for each click: sent again with the same id and moment it is the same
   * click.
   */
  id: Scalars['UUID']['input'];
  /**
   * What else there is to say of it, for debugging, or to compare two designs: at most 10, each with a
   * name of its own.
   */
  properties?: InputMaybe<Array<ClickPropertyInput>>;
  /**
   * The id of the book or copy that it names: such clicks are also among the actions of the session's
   * reader.
   */
  subjectId?: InputMaybe<Scalars['ID']['input']>;
  /** Name by which the client calls the clicked thing: at most 500 characters (code points). */
  target?: InputMaybe<Scalars['String']['input']>;
};

/** What else a client says of a click. */
export type ClickProperty = {
  __typename?: 'ClickProperty';
  /** The name of the property. */
  name: Scalars['String']['output'];
  /** What it is. */
  value: Scalars['String']['output'];
};

/** What else a client says of a click. */
export type ClickPropertyInput = {
  /** Name of the property: from 1 to 100 characters (code points). */
  name: Scalars['String']['input'];
  /** Value of the property: at most 500 characters (code points). */
  value: Scalars['String']['input'];
};

/** A proof that the app has the secret. */
export type ConfirmTwoFactorInput = {
  /** The six digits that the app shows. */
  code: Scalars['String']['input'];
};

/** The answer to who has a second factor from now on. */
export type ConfirmTwoFactorPayload = {
  __typename?: 'ConfirmTwoFactorPayload';
  /** Ten codes for who has lost the app, each good once instead of one of the app. They are shown once. */
  recoveryCodes?: Maybe<Array<Scalars['String']['output']>>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** Everything that is stored about the viewer. */
export type DataExport = {
  __typename?: 'DataExport';
  /**
   * Fetch it by POST with the same access token and the password, `{"password": "…"}`, and a `"code"`
   * where the account has a second factor; the answer is one JSON object, sent piece by piece. What is
   * wrong with either is answered as `userErrors`, as mutations do it. Five times a day at most.
   */
  path: Scalars['String']['output'];
};

/** A value that a server measured of itself once. */
export type DataPoint = {
  __typename?: 'DataPoint';
  /**
   * The beginning of the ten seconds in which the value was measured. The value describes about the
   * ten seconds before.
   */
  at: Scalars['DateTime']['output'];
  /** The id of the server; a server gets a new id with each start. */
  server: Scalars['ID']['output'];
  /** The measured value; the series says what it measures. */
  value: Scalars['Float']['output'];
};

/** A range of days. */
export type DateRange = {
  /** The range begins on this day. */
  from?: InputMaybe<Scalars['Date']['input']>;
  /** The range ends before this day. */
  to?: InputMaybe<Scalars['Date']['input']>;
};

/** What to decide about a report. */
export type DecideReportInput = {
  /** A report, as `Report.id` gave it. */
  id: Scalars['ID']['input'];
  /** Why; at most 1,000 characters (code points). */
  note?: InputMaybe<Scalars['String']['input']>;
  /** `UPHELD` or `DISMISSED`. */
  status: ReportStatus;
};

/** The answer to a decision about a report. */
export type DecideReportPayload = {
  __typename?: 'DecideReportPayload';
  /** The report, as it is now. */
  report?: Maybe<Report>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** Something that an administrator decided. */
export type Decision = {
  __typename?: 'Decision';
  /** By whom; null once their account is deleted. */
  administrator?: Maybe<User>;
  /** When. */
  at: Scalars['DateTime']['output'];
  /** What was decided. */
  kind: DecisionKind;
  /** Why; null where nothing was said. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** A page of what administrators decided. */
export type DecisionConnection = {
  __typename?: 'DecisionConnection';
  /** The decisions of this page. */
  edges: Array<DecisionEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Decision>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A decision in a list. */
export type DecisionEdge = {
  __typename?: 'DecisionEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The decision. */
  node: Decision;
};

/** What an administrator can decide. */
export type DecisionKind =
  /** A reader who was suspended was let in again. */
  | 'ACCOUNT_REINSTATED'
  /** A reader was suspended. */
  | 'ACCOUNT_SUSPENDED'
  /** A book was added to the catalogue. */
  | 'BOOK_ADDED'
  /** What is known of a book was changed. */
  | 'BOOK_UPDATED'
  /** A reader's name was taken down. */
  | 'NAME_TAKEN_DOWN'
  /** A report was upheld or dismissed. */
  | 'REPORT_DECIDED'
  /** The title that a seller gave a copy was taken down. */
  | 'TITLE_TAKEN_DOWN';

/** Whether to go for good. */
export type DeleteAccountInput = {
  /**
   * Where the account has a second factor: the six digits that the app shows, or a recovery code. Each
   * is good once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The account's password, once more. */
  password: Scalars['String']['input'];
};

/** The answer to deleting the account. */
export type DeleteAccountPayload = {
  __typename?: 'DeleteAccountPayload';
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** Which session to end. */
export type EndSessionInput = {
  /**
   * For another session than this one, where the login of this one was longer than 15 minutes ago: the
   * viewer's password.
   */
  password?: InputMaybe<Scalars['String']['input']>;
  /** The id of one of the viewer's sessions. */
  sessionId: Scalars['ID']['input'];
};

/** The answer to ending a session. */
export type EndSessionPayload = {
  __typename?: 'EndSessionPayload';
  /** The session, as it is now. */
  session?: Maybe<Session>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** An event that happened once. It does not reveal who caused it. */
export type Event = {
  __typename?: 'Event';
  /** The time of the event. */
  at: Scalars['DateTime']['output'];
  /** A name that no other event has. It is stable while the server's secret stays the same. */
  id: Scalars['ID']['output'];
  /** The kind of event. */
  kind: EventKind;
};

/** A page of events. */
export type EventConnection = {
  __typename?: 'EventConnection';
  /** The events of this page. */
  edges: Array<EventEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Event>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** An event in a list. */
export type EventEdge = {
  __typename?: 'EventEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The event. */
  node: Event;
};

/** The kinds of events that are counted for a book or copy. */
export type EventKind =
  /** A reader liked the book or copy and did not take the like back. */
  | 'LIKE'
  /** A reader finished the book. */
  | 'READ'
  /** A copy of the book was sold. */
  | 'SALE'
  /** A reader viewed the book. Several views by one reader within a minute are one event. */
  | 'VIEW';

/** A genre of books. */
export type Genre = {
  __typename?: 'Genre';
  /** The number of books that have the genre, some seconds old. */
  bookCount: Scalars['Int']['output'];
  /** The name of the genre, as it was last given. */
  name: Scalars['String']['output'];
};

/** A page of genres. */
export type GenreConnection = {
  __typename?: 'GenreConnection';
  /** The genres of this page. */
  edges: Array<GenreEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Genre>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A genre in a list. */
export type GenreEdge = {
  __typename?: 'GenreEdge';
  /** The cursor of this genre, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The genre. */
  node: Genre;
};

/** The length of a window of time. */
export type Granularity =
  /** One day, in UTC. */
  | 'DAY'
  /** One hour. */
  | 'HOUR'
  /** One minute. */
  | 'MINUTE';

/** A copy of a book that a reader sells. */
export type Item = Likeable & Node & {
  __typename?: 'Item';
  /** The book that this is a copy of. */
  book: Book;
  /** The condition of the copy. */
  condition: ItemCondition;
  /** The time since which the copy is not for sale; null while it is. */
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /**
   * The number of readers who like the copy: approximate at any instant, exact about a second after
   * the last change. It includes the viewer's own likes at once.
   */
  likeCount: Scalars['Int']['output'];
  /**
   * The number of readers who like the copy, and whether it is known to be exact. The field costs two
   * reads of its own, and two more if very many readers have ever liked the copy.
   */
  likeTally: LikeTally;
  /**
   * The readers who like the copy, newest like first. Changes that others made within the last second
   * may not show yet; the viewer's own changes do.
   */
  likers: LikerConnection;
  /** The time when the copy was listed. */
  listedAt: Scalars['DateTime']['output'];
  /** The price of the copy, or its last price once it is off the market. */
  price: Money;
  /** The seller; null if their account is deleted, or if the caller may not see them. */
  seller?: Maybe<User>;
  /** The sale status of the copy. */
  status: ItemStatus;
  /** The title that the seller gave the copy; otherwise the title of the book. */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes the copy; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked the copy; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** A copy of a book that a reader sells. */
export type ItemLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** The condition of a copy. */
export type ItemCondition =
  /** The copy has marks or worn edges; every page is there. */
  | 'FAIR'
  /** The copy has signs of use. */
  | 'GOOD'
  /** The copy was read, but shows no signs of it. */
  | 'LIKE_NEW'
  /** The copy is unread. */
  | 'NEW'
  /** The copy is damaged, but readable. */
  | 'POOR';

/** A page of copies. */
export type ItemConnection = {
  __typename?: 'ItemConnection';
  /** The copies of this page. */
  edges: Array<ItemEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Item>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A copy in a list. */
export type ItemEdge = {
  __typename?: 'ItemEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The time when the copy was listed. */
  listedAt: Scalars['DateTime']['output'];
  /** The copy. */
  node: Item;
  /** The title of the copy, from the list's own row: a list of titles costs no more reads. */
  title: Scalars['String']['output'];
};

/** The answer to a change of a copy. */
export type ItemPayload = {
  __typename?: 'ItemPayload';
  /** The copy, as it is now. */
  item?: Maybe<Item>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The seller. */
  viewer?: Maybe<User>;
};

/** The sale status of a copy. */
export type ItemStatus =
  /** The copy can be bought. */
  | 'FOR_SALE'
  /** The copy was sold. */
  | 'SOLD'
  /** The seller took the copy off the market. */
  | 'WITHDRAWN';

/** A library that readers can visit in person. */
export type Library = Node & {
  __typename?: 'Library';
  /** The street and number; may be empty. */
  address: Scalars['String']['output'];
  /** The city, as it is written in its own language. */
  city: Scalars['String']['output'];
  /** The English name of the country. */
  country: Scalars['String']['output'];
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /** The latitude in degrees north of the equator (WGS 84), if known. */
  latitude?: Maybe<Scalars['Float']['output']>;
  /** The longitude in degrees east of Greenwich (WGS 84), if known. */
  longitude?: Maybe<Scalars['Float']['output']>;
  /** The name of the library. */
  name: Scalars['String']['output'];
  /**
   * The day on which the library itself or its present main building opened. Null if the day is not
   * known; a year alone is not taken for a day. The day is imported from the column `Opened On`. In
   * the sample it is known for few libraries, from the pages that `data/openings.csv` names.
   */
  openedOn?: Maybe<Scalars['Date']['output']>;
  /** The postal code. */
  postalCode: Scalars['String']['output'];
  /** The state. */
  state: Scalars['String']['output'];
};

/** A page of libraries. */
export type LibraryConnection = {
  __typename?: 'LibraryConnection';
  /** The libraries of this page. */
  edges: Array<LibraryEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Library>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A library in a list. */
export type LibraryEdge = {
  __typename?: 'LibraryEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The library. */
  node: Library;
};

/** The order of libraries. */
export type LibraryOrder =
  /** By name. Case, accents and punctuation do not matter, and 2 is before 10. */
  | 'NAME'
  /**
   * The oldest libraries come first, those of one day by name. Libraries whose opening day is not
   * known come last, by name.
   */
  | 'OPENED'
  /**
   * The newest libraries come first, those of one day by name in reverse. Libraries whose opening day
   * is not known come last, by name.
   */
  | 'OPENED_DESC';

/** A page of what a reader likes. */
export type LikeConnection = {
  __typename?: 'LikeConnection';
  /** The likes of this page. */
  edges: Array<LikeEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<Likeable>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A like, seen from its reader. */
export type LikeEdge = {
  __typename?: 'LikeEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** When it was liked. */
  likedAt: Scalars['DateTime']['output'];
  /** The liked book or copy; null for a copy whose seller the caller may not see. */
  node?: Maybe<Likeable>;
  /**
   * Its title, from the like's own row: a list of books' titles costs no more reads. Null where `node`
   * is.
   */
  title?: Maybe<Scalars['String']['output']>;
};

/** What to like. */
export type LikeInput = {
  /** The id of a book or a copy. */
  id: Scalars['ID']['input'];
};

/** The answer to a like or unlike. */
export type LikePayload = {
  __typename?: 'LikePayload';
  /** Whether this call changed anything: false when it was so already. */
  changed: Scalars['Boolean']['output'];
  /** The book or copy, as it is now. */
  likeable?: Maybe<Likeable>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** A like count that says how far it can be trusted. */
export type LikeTally = {
  __typename?: 'LikeTally';
  /** The moment to which the count refers. */
  asOf: Scalars['DateTime']['output'];
  /** The number of readers who like the book or copy. */
  count: Scalars['Int']['output'];
  /** True only if every like and unlike that was answered before `asOf` is known to be counted. */
  isExact: Scalars['Boolean']['output'];
};

/** An object that readers can like: a book or a second-hand copy. */
export type Likeable = {
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /**
   * The number of readers who like the book or copy: approximate at any instant, exact about a second
   * after the last change. It includes the viewer's own likes at once.
   */
  likeCount: Scalars['Int']['output'];
  /**
   * The number of readers who like the book or copy, and whether it is known to be exact. The field
   * costs two reads of its own, and two more if very many readers have ever liked the book or copy.
   */
  likeTally: LikeTally;
  /**
   * The readers who like the book or copy, newest like first. Changes that others made within the last
   * second may not show yet; the viewer's own changes do.
   */
  likers: LikerConnection;
  /** The title of the book, or the title that the seller gave the copy. */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes the book or copy; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked the book or copy; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** An object that readers can like: a book or a second-hand copy. */
export type LikeableLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** The kinds of objects that readers can like. */
export type LikeableKind =
  /** Books. */
  | 'BOOK'
  /** Second-hand copies. */
  | 'ITEM';

/** A page of the readers who like a book or a copy. */
export type LikerConnection = {
  __typename?: 'LikerConnection';
  /** The likes of this page. */
  edges: Array<LikerEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<User>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
  /**
   * How many readers like it in all, those included whom the caller does not see:
   * `Likeable.likeCount`, as exact as that is.
   */
  totalCount: Scalars['Int']['output'];
};

/** A like, seen from what is liked. */
export type LikerEdge = {
  __typename?: 'LikerEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** When they liked it. */
  likedAt: Scalars['DateTime']['output'];
  /**
   * The reader who likes it: null where they do not show what they like to the caller, or one of both
   * blocks the other. The like counts all the same.
   */
  node?: Maybe<User>;
};

/** A copy to be sold. */
export type ListItemInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The condition of the copy. */
  condition: ItemCondition;
  /**
   * Any text of the client's making, at most 200 characters (code points): a repeated call with the
   * same one lists nothing more.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** What it is to cost: above 0. All copies of a seller are sold in one currency. */
  price: MoneyInput;
  /** Title of the copy, instead of the book's title: 1 to 500 characters (code points). */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** The order of a seller's copies. */
export type ListingOrder =
  /** The last listed copies come first. */
  | 'LISTED_AT'
  /** The cheapest copies come first. */
  | 'PRICE'
  /** The most expensive copies come first. */
  | 'PRICE_DESC';

/** Input for `login`. */
export type LoginInput = {
  /**
   * Where the account has a second factor: the six digits that the app shows, or a recovery code. Each
   * is good once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /** The email address of the account, in any spelling. */
  email: Scalars['String']['input'];
  /** The account's password. */
  password: Scalars['String']['input'];
  /** The session that the visitor had so far; it becomes theirs. One that has ended is left alone. */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

/** How often a reader logged in, and how often that failed. */
export type LoginTally = {
  __typename?: 'LoginTally';
  /** How often somebody tried a wrong password. */
  failed: Scalars['Int']['output'];
  /** How often they logged in, registering included. */
  succeeded: Scalars['Int']['output'];
};

/** The logins of a reader within windows that end now. */
export type LoginWindows = {
  __typename?: 'LoginWindows';
  /** Within the last seven days of the calendar, at this time of day. */
  last7Days: LoginTally;
  /** Within the last 24 hours. */
  last24Hours: LoginTally;
  /** Within the last thirty days of the calendar, at this time of day. */
  last30Days: LoginTally;
  /** Since the last midnight. */
  thisDay: LoginTally;
  /** Since the midnight before the first of the month. */
  thisMonth: LoginTally;
  /** Since the last midnight before a Monday. */
  thisWeek: LoginTally;
};

/** Who logs in by a passkey. */
export type LoginWithPasskeyInput = {
  /** Name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /**
   * What the browser answered to the options of `startPasskeyLogin`: `AuthenticationResponseJSON` of
   * WebAuthn.
   */
  response: Scalars['JSONObject']['input'];
  /** The session that the visitor had so far; it becomes theirs. One that has ended is left alone. */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

/** What to end. */
export type LogoutInput = {
  /**
   * All sessions of the reader, not only this one: within 15 minutes of the login, or with the
   * password.
   */
  everywhere?: InputMaybe<Scalars['Boolean']['input']>;
  /** With `everywhere`, where the login was longer ago: the reader's password. */
  password?: InputMaybe<Scalars['String']['input']>;
};

/** The answer to logging out. */
export type LogoutPayload = {
  __typename?: 'LogoutPayload';
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/**
 * Which book was read, and when: a day or a moment, not both. Another one than before is a re-read.
 * Without either: now, if the book is not marked as read already.
 */
export type MarkAsReadInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /**
   * The day on which it was finished, from the year 1900 until today: the same day in every time zone.
   * `null`, when it is given: the book was read, and nobody knows when.
   */
  finishedOn?: InputMaybe<Scalars['Date']['input']>;
  /**
   * The moment at which it was read, from the year 1900 (in the time zone that it is written with)
   * until now.
   */
  readAt?: InputMaybe<Scalars['DateTime']['input']>;
  /**
   * The day on which it was started, not after the one on which it was finished. Of a reading that is
   * known already it is noted as well.
   */
  startedOn?: InputMaybe<Scalars['Date']['input']>;
};

/** Which copy was sold. */
export type MarkAsSoldInput = {
  /** The id of the copy. */
  itemId: Scalars['ID']['input'];
};

/** A sum of money. */
export type Money = {
  __typename?: 'Money';
  /** The amount, with as many decimal places as the currency has. */
  amount: Scalars['Decimal']['output'];
  /** The currency, as an ISO 4217 code: `EUR`. */
  currency: Scalars['String']['output'];
};

/** A sum of money, as input. */
export type MoneyInput = {
  /** A plain decimal with no more digits than the currency has: `12.50`. */
  amount: Scalars['Decimal']['input'];
  /** ISO 4217: `EUR`. */
  currency: Scalars['String']['input'];
};

/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /** Adds a book to the catalogue, or adds a removed book again. For administrators. */
  addBook: BookPayload;
  /**
   * Adds a passkey that the viewer's browser created; from then on the viewer can log in with it. An
   * account has at most 20 passkeys.
   */
  addPasskey: AccountPayload;
  /**
   * Hides the viewer and another reader from each other. Repeating a block changes nothing. The block
   * is in force from the answer on, which arrives after about a second.
   */
  block: BlockPayload;
  /**
   * Changes the email address that the viewer logs in with; the former address is free at once. If the
   * server requires verified email addresses, the change happens once the new address is verified with
   * the token that is sent to it (`verifyEmail`); until then `viewer.email` is the former address.
   */
  changeEmail: AccountPayload;
  /** Changes the viewer's password and ends all their other sessions. */
  changePassword: AccountPayload;
  /** Changes the price of one of the viewer's copies. */
  changePrice: ItemPayload;
  /**
   * Activates the secret of `startTwoFactor`: from then on a code is needed wherever the password is.
   * Keep the recovery codes: they are the only way in without the app. If this answer is lost, call
   * `stopTwoFactor` with a code from the app and start again. While the email address is not verified,
   * `resetPassword` removes the second factor again.
   */
  confirmTwoFactor: ConfirmTwoFactorPayload;
  /** Decides a report. A report that was decided can be decided again. For administrators. */
  decideReport: DecideReportPayload;
  /**
   * Deletes the viewer's account and everything that is stored about them, including their likes. This
   * cannot be undone.
   */
  deleteAccount: DeleteAccountPayload;
  /**
   * Ends one of the viewer's sessions, perhaps on another device. Ending another session takes a login
   * within the last 15 minutes, or the password. Ending the current session takes neither.
   */
  endSession: EndSessionPayload;
  /** Likes a book or a copy. Repeating a like changes nothing. */
  like: LikePayload;
  /**
   * Offers a copy of a book for sale. A repeated call with the same `idempotencyKey` returns the copy
   * that the first call listed.
   */
  listItem: ItemPayload;
  /** Logs in to an account. */
  login: AuthPayload;
  /** Logs in with a passkey, in place of email address, password and code. */
  loginWithPasskey: AuthPayload;
  /**
   * Ends the session of the access token, or all sessions of its reader. Their tokens are refused
   * within seconds.
   */
  logout: LogoutPayload;
  /** Records that the viewer has read a book: on a day, at a moment, or at an unknown time. */
  markAsRead: ReadingPayload;
  /** Records that one of the viewer's copies was sold. */
  markAsSold: ItemPayload;
  /**
   * Records clicks in a session of the viewer or of a signed-out visitor. Clicks may arrive late, in
   * any order and more than once; each is recorded once.
   */
  recordClicks: RecordClicksPayload;
  /** Records that the viewer looks at a book. */
  recordView: ReadingPayload;
  /**
   * Continues a session: returns a new access token and the next refresh token. Two tabs that refresh
   * at the same time get the same refresh token. An older refresh token ends the session, because
   * someone has a copy of it.
   */
  refreshTokens: AuthPayload;
  /** Creates an account and logs in. */
  register: AuthPayload;
  /** Ends the suspension of a reader, and shows again what is theirs. For administrators. */
  reinstateAccount: SuspensionPayload;
  /** Removes one of the viewer's passkeys. Sessions that were started with it continue. */
  removePasskey: AccountPayload;
  /**
   * Reports a reader, a copy or a book to the administrators. Reporting the same thing again changes
   * nothing.
   */
  report: ReportPayload;
  /**
   * Sends the viewer an email with a token for `verifyEmail`; does nothing if their email address is
   * verified. A server may require a verified email address before the viewer changes anything but
   * their login (`EMAIL_NOT_VERIFIED`). It may also delete an account that stays unverified, by the
   * day that the email names.
   */
  requestEmailVerification: AccountPayload;
  /**
   * Sends an email with a token for `resetPassword` if an account has this email address. The answer
   * is the same if none has. A caller who asks too often gets `RATE_LIMITED`; the tokens of the emails
   * sent so far are valid unless the password or the email address has changed since.
   */
  requestPasswordReset: RequestPasswordResetPayload;
  /**
   * Sets a new password with a token from an email, ends all sessions of the account and logs in. The
   * tokens of its other emails become invalid. The email address is verified from then on. If it was
   * not verified before, the second factor is removed, because the email is the first proof of who
   * owns the account.
   */
  resetPassword: AuthPayload;
  /**
   * Sets the viewer's reading status of a book. `READ` works like `markAsRead`, but counts as another
   * reading only if the viewer was `READING` the book since the last one. A viewer who resumes a book
   * that they gave up need not send their progress again.
   */
  setReadingStatus: ReadingPayload;
  /**
   * Starts to create a passkey for the viewer. Pass `options` to the browser within five minutes
   * (`startRegistration({ optionsJSON })` of @simplewebauthn/browser, or
   * `PublicKeyCredential.parseCreationOptionsFromJSON`), and pass the result to `addPasskey`.
   */
  startPasskey: StartPasskeyPayload;
  /**
   * Starts a login with a passkey, without naming an account. Pass `options` to the browser within
   * five minutes (`startAuthentication({ optionsJSON })` of @simplewebauthn/browser, or
   * `PublicKeyCredential.parseRequestOptionsFromJSON`), and pass the result to `loginWithPasskey`.
   */
  startPasskeyLogin: StartPasskeyLoginPayload;
  /**
   * Starts a session without a login. A visitor's session becomes the reader's when it is sent with
   * `register` or `login`.
   */
  startSession: StartSessionPayload;
  /**
   * Creates a secret for an authenticator app (TOTP, RFC 6238). The secret takes effect with
   * `confirmTwoFactor`; a repeated call replaces it.
   */
  startTwoFactor: StartTwoFactorPayload;
  /**
   * Removes the second factor and its recovery codes from the account; `login` then needs only the
   * password.
   */
  stopTwoFactor: AccountPayload;
  /**
   * Suspends a reader: ends their sessions within seconds, prevents logins to their account and hides
   * everything of theirs from others. An administrator cannot be suspended. For administrators.
   */
  suspendAccount: SuspensionPayload;
  /**
   * Removes the name of a reader or the title of a copy everywhere. The reader is then called `Reader`
   * and can set another name; the copy gets the title of its book. For administrators.
   */
  takeDown: TakeDownPayload;
  /**
   * Removes the viewer's block of another reader. If the other reader blocks the viewer, that block
   * stays. The answer arrives after about a second, as for `block`.
   */
  unblock: BlockPayload;
  /** Removes a like. Removing a like that does not exist changes nothing. */
  unlike: LikePayload;
  /** Removes a book from the books that the viewer has read, with all times at which it was read. */
  unmarkAsRead: ReadingPayload;
  /** Changes what is known about a book. For administrators. */
  updateBook: BookPayload;
  /**
   * Changes who can see what the viewer likes and has read. The change is in force from the answer on,
   * which arrives after about a second.
   */
  updatePrivacy: AccountPayload;
  /**
   * Changes the viewer's name everywhere it is shown. The answer arrives after about a second, when no
   * server shows the former name any longer.
   */
  updateProfile: AccountPayload;
  /**
   * Verifies an email address with a token from an email. The caller is signed in as its reader or
   * signed out; `viewer` is null when signed out. An address that `changeEmail` asked for becomes the
   * reader's, unless another account has it by now (`EMAIL_TAKEN`).
   */
  verifyEmail: AccountPayload;
  /** Takes one of the viewer's copies off the market. Repeating the call changes nothing. */
  withdrawItem: ItemPayload;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationAddBookArgs = {
  input: AddBookInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationAddPasskeyArgs = {
  input: AddPasskeyInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationBlockArgs = {
  input: BlockInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationChangeEmailArgs = {
  input: ChangeEmailInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationChangePasswordArgs = {
  input: ChangePasswordInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationChangePriceArgs = {
  input: ChangePriceInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationConfirmTwoFactorArgs = {
  input: ConfirmTwoFactorInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationDecideReportArgs = {
  input: DecideReportInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationDeleteAccountArgs = {
  input: DeleteAccountInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationEndSessionArgs = {
  input: EndSessionInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationLikeArgs = {
  input: LikeInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationListItemArgs = {
  input: ListItemInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationLoginArgs = {
  input: LoginInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationLoginWithPasskeyArgs = {
  input: LoginWithPasskeyInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationLogoutArgs = {
  input?: LogoutInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationMarkAsReadArgs = {
  input: MarkAsReadInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationMarkAsSoldArgs = {
  input: MarkAsSoldInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRecordClicksArgs = {
  input: RecordClicksInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRecordViewArgs = {
  input: RecordViewInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRefreshTokensArgs = {
  input: RefreshTokensInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRegisterArgs = {
  input: RegisterInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationReinstateAccountArgs = {
  input: ReinstateAccountInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRemovePasskeyArgs = {
  input: RemovePasskeyInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationReportArgs = {
  input: ReportInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRequestPasswordResetArgs = {
  input: RequestPasswordResetInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationResetPasswordArgs = {
  input: ResetPasswordInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationSetReadingStatusArgs = {
  input: SetReadingStatusInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationStartPasskeyArgs = {
  input: StartPasskeyInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationStartSessionArgs = {
  input?: StartSessionInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationStartTwoFactorArgs = {
  input: StartTwoFactorInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationStopTwoFactorArgs = {
  input: StopTwoFactorInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationSuspendAccountArgs = {
  input: SuspendAccountInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationTakeDownArgs = {
  input: TakeDownInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUnblockArgs = {
  input: UnblockInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUnlikeArgs = {
  input: UnlikeInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUnmarkAsReadArgs = {
  input: UnmarkAsReadInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUpdateBookArgs = {
  input: UpdateBookInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUpdatePrivacyArgs = {
  input: UpdatePrivacyInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUpdateProfileArgs = {
  input: UpdateProfileInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationVerifyEmailArgs = {
  input: VerifyEmailInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationWithdrawItemArgs = {
  input: WithdrawItemInput;
};

/** An object with an id of its own. */
export type Node = {
  /** The id of the object: opaque, stable and unique. */
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

/** A way to log in without a password, by a device that its reader unlocks (WebAuthn). */
export type Passkey = {
  __typename?: 'Passkey';
  /** When it was added. */
  createdAt: Scalars['DateTime']['output'];
  /** What the authenticator calls it, in base64url. */
  credentialId: Scalars['String']['output'];
  /** When somebody last logged in by it; null until then. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What its reader calls it. */
  name: Scalars['String']['output'];
};

/** A new name that has not reached every list yet. */
export type PendingRename = {
  __typename?: 'PendingRename';
  /** When the name was changed. */
  beganAt: Scalars['DateTime']['output'];
  /** How many pages of at most 200 likes have it already. */
  pagesDone: Scalars['Int']['output'];
};

/** A place that has libraries. */
export type Place = {
  __typename?: 'Place';
  /** The name of the place, which `libraries`, `states` and `cities` accept as it is. */
  name: Scalars['String']['output'];
};

/** A page of places. */
export type PlaceConnection = {
  __typename?: 'PlaceConnection';
  /** The places of this page. */
  edges: Array<PlaceEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Place>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A place in a list. */
export type PlaceEdge = {
  __typename?: 'PlaceEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The place. */
  node: Place;
};

/** A range of prices in the seller's currency, both ends included. */
export type PriceRange = {
  /** The highest price, as a plain decimal. */
  max?: InputMaybe<Scalars['Decimal']['input']>;
  /** The lowest price, as a plain decimal. */
  min?: InputMaybe<Scalars['Decimal']['input']>;
};

/** Who may see what of a reader's. */
export type Privacy = {
  __typename?: 'Privacy';
  /** What they like, and that they do, among the likers of a book or a copy. `EVERYONE` at first. */
  likes: Audience;
  /** What they have read. `ONLY_ME` at first. */
  readings: Audience;
};

/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type Query = {
  __typename?: 'Query';
  /**
   * The decisions of administrators about a reader, a book or a copy, latest first. For
   * administrators; anyone else gets `FORBIDDEN`.
   */
  administration?: Maybe<DecisionConnection>;
  /** The book with the given ISBN; null if no book has it. */
  book?: Maybe<Book>;
  /**
   * Books found by words of their titles and authors, by author or by genre; most popular first.
   * Several filters narrow the result. Without a filter, all books are returned.
   */
  books?: Maybe<BookConnection>;
  /** The cities of a state that have libraries, by name; empty if the place is not known. */
  cities?: Maybe<PlaceConnection>;
  /**
   * The clicks of all sessions, oldest first. Clicks are kept for 40 days. For administrators; anyone
   * else gets `FORBIDDEN`.
   */
  clicks?: Maybe<ClickConnection>;
  /** The countries that have libraries, by name. */
  countries?: Maybe<PlaceConnection>;
  /**
   * The events of a book or copy within an hour at most, one by one. The oldest minute comes first;
   * the events of one minute are ordered by kind, not by time. Events are kept for eight days. For
   * administrators; anyone else gets `FORBIDDEN`.
   */
  events?: Maybe<EventConnection>;
  /**
   * The place from which everything that is stored about the viewer can be fetched, and how to confirm
   * the request; null when signed out.
   */
  exportMyData?: Maybe<DataExport>;
  /** The genres that books have, by name, for pickers. */
  genres?: Maybe<GenreConnection>;
  /** The libraries of a city; empty if the place is not known. */
  libraries?: Maybe<LibraryConnection>;
  /**
   * The measurements that servers take of themselves every ten seconds, oldest first. They are kept
   * for a week unless the server is configured otherwise. A request covers at most a day and 3,000
   * data points. For administrators; anyone else gets `FORBIDDEN`.
   */
  measurements?: Maybe<Array<DataPoint>>;
  /** The object with the given id; null if no object has it. */
  node?: Maybe<Node>;
  /**
   * The objects with the given ids, in the same order. An entry is null if no object has the id; a
   * malformed id also has an error at its position.
   */
  nodes?: Maybe<Array<Maybe<Node>>>;
  /**
   * The amount that the caller may still ask for, with this request counted; null if there is no
   * limit. Every answer has the same in the headers `ratelimit-limit`, `ratelimit-remaining` and
   * `ratelimit-reset` (seconds). The header `ratelimit-cost` has the final cost of the request.
   */
  rateLimit?: Maybe<RateLimit>;
  /** The reports of readers, oldest first. For administrators; anyone else gets `FORBIDDEN`. */
  reports?: Maybe<ReportConnection>;
  /**
   * The activity of the whole site in each window of a time range, like `Book.activity` but over the
   * events of all books and copies. Empty windows are included, and the data is a few seconds old. For
   * administrators; anyone else gets `FORBIDDEN`.
   */
  siteActivity?: Maybe<Array<ActivityPoint>>;
  /** The states of a country that have libraries, by name; empty if the country is not known. */
  states?: Maybe<PlaceConnection>;
  /**
   * The books and copies with the most recent likes, most liked first, at most 100. The list is a few
   * seconds old.
   */
  trending?: Maybe<TrendingConnection>;
  /** The reader whose access token was sent with the request; null when signed out. */
  viewer?: Maybe<User>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryAdministrationArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  id: Scalars['ID']['input'];
  last?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryBookArgs = {
  isbn: Scalars['String']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  author?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  genre?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  query?: InputMaybe<Scalars['String']['input']>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryCitiesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  country: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  state: Scalars['String']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryClicksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from: Scalars['DateTime']['input'];
  last?: InputMaybe<Scalars['Int']['input']>;
  target?: InputMaybe<Scalars['String']['input']>;
  to: Scalars['DateTime']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryCountriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from: Scalars['DateTime']['input'];
  id: Scalars['ID']['input'];
  last?: InputMaybe<Scalars['Int']['input']>;
  to: Scalars['DateTime']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryGenresArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryLibrariesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  city: Scalars['String']['input'];
  country: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  openedBetween?: InputMaybe<DateRange>;
  orderBy?: LibraryOrder;
  state: Scalars['String']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryMeasurementsArgs = {
  from: Scalars['DateTime']['input'];
  series: Scalars['String']['input'];
  to: Scalars['DateTime']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryNodesArgs = {
  ids: Array<Scalars['ID']['input']>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryReportsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: ReportStatus;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QuerySiteActivityArgs = {
  from: Scalars['DateTime']['input'];
  granularity: Granularity;
  to: Scalars['DateTime']['input'];
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryStatesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  country: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type QueryTrendingArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  of?: InputMaybe<LikeableKind>;
  window: TrendingWindow;
};

/** How much a caller may ask for within a minute. */
export type RateLimit = {
  __typename?: 'RateLimit';
  /** What this request costs, by the fields that it may ask for: known before it is answered. */
  cost: Scalars['Int']['output'];
  /**
   * What may be asked for in all: a request costs 1, and 1 more for every 1,000 fields that it may ask
   * for, where a change counts as 900 fields, and one that asks for a password as 4,900. At most
   * 10,000 are allowed. A query that has read more than 1,000 rows of the database for each 1 costs 1
   * for every 1,000 of them; what that is more is counted when it is answered.
   */
  limit: Scalars['Int']['output'];
  /** What is left of it. */
  remaining: Scalars['Int']['output'];
  /** When all of it can be asked for again. */
  resetAt: Scalars['DateTime']['output'];
};

/** A page of the books that a reader has read. */
export type ReadBookConnection = {
  __typename?: 'ReadBookConnection';
  /** The books of this page. */
  edges: Array<ReadBookEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
  /** The full name of the reader whose books these are. */
  readerFullName: Scalars['String']['output'];
};

/** A book that a reader has read. */
export type ReadBookEdge = {
  __typename?: 'ReadBookEdge';
  /** Who wrote it, the first one first. */
  authors: Array<Scalars['String']['output']>;
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /**
   * The day on which it was last finished: the same in every time zone where the reader said a day,
   * that in the time zone where they said a moment; null where nobody knows when.
   */
  finishedOn?: Maybe<Scalars['Date']['output']>;
  /** Its genres, the best first. */
  genres: Array<Scalars['String']['output']>;
  /** The book. */
  node: Book;
  /** Who published this edition; null when it is not known. */
  publisher?: Maybe<Scalars['String']['output']>;
  /** When it was last read: of a day, its noon in UTC; null where nobody knows when. */
  readAt?: Maybe<Scalars['DateTime']['output']>;
  /** As `finishedOn`. */
  readOn?: Maybe<Scalars['Date']['output']>;
  /**
   * Every time it was read, newest first: of a day, its noon in UTC; those that nobody knows the time
   * of are left out.
   */
  reads: Array<Scalars['DateTime']['output']>;
  /** The day on which that reading was started; null where the reader did not say it. */
  startedOn?: Maybe<Scalars['Date']['output']>;
  /**
   * The book's title, from the list's own row, as all that follows: a list of these costs no more
   * reads.
   */
  title: Scalars['String']['output'];
};


/** A book that a reader has read. */
export type ReadBookEdgeFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** A book that a reader has read. */
export type ReadBookEdgeReadOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

/** The order of a reader's books. */
export type ReadBookOrder =
  /** Last read first; what was read nobody knows when comes last. */
  | 'READ_AT'
  /** By title, then by first author; case, accents and punctuation do not matter, and 2 is before 10. */
  | 'TITLE';

/** How it stands with a reader and a book. */
export type Reading = {
  __typename?: 'Reading';
  /**
   * The day on which they last finished it: the same in every time zone where they said a day, that in
   * the time zone where they said a moment; null where they did not, or nobody knows when.
   */
  finishedOn?: Maybe<Scalars['Date']['output']>;
  /** How it came to be so, oldest first: the last 50 steps. */
  history: Array<ReadingStep>;
  /** How much of it they have read, in percent. */
  progress: Scalars['Int']['output'];
  /**
   * Every time they read it, newest first: of a day, its noon in UTC; those that nobody knows the time
   * of are left out.
   */
  reads: Array<Scalars['DateTime']['output']>;
  /** Since when it is so. */
  since: Scalars['DateTime']['output'];
  /**
   * The day on which they last began it: as they said it, or that of the moment at which they were
   * `READING` it, in a time zone; null where they said neither.
   */
  startedOn?: Maybe<Scalars['Date']['output']>;
  /** What the reader has to do with it; null when they took that back. */
  status?: Maybe<ReadingStatus>;
};


/** How it stands with a reader and a book. */
export type ReadingFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** How it stands with a reader and a book. */
export type ReadingStartedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

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

/** What a reader has to do with a book. */
export type ReadingStatus =
  /** They do not go on with it. */
  | 'GIVEN_UP'
  /** They have read it. */
  | 'READ'
  /** They are reading it, perhaps once more. */
  | 'READING'
  /** They want to read it. */
  | 'WANT_TO_READ';

/** A step of reading a book. */
export type ReadingStep = {
  __typename?: 'ReadingStep';
  /** When it was. */
  at: Scalars['DateTime']['output'];
  /** How much of it they had read by then, in percent. */
  progress: Scalars['Int']['output'];
  /** What the reader had to do with the book from then on; null when they took that back. */
  status?: Maybe<ReadingStatus>;
};

/** What was clicked in a session. */
export type RecordClicksInput = {
  /** At most 500. */
  clicks: Array<ClickInput>;
  /** The id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** The answer to recording clicks. */
export type RecordClicksPayload = {
  __typename?: 'RecordClicksPayload';
  /** How many of the clicks were new. */
  recorded: Scalars['Int']['output'];
  /** The session. */
  session?: Maybe<Session>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** Which book is looked at. */
export type RecordViewInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** With what to go on. */
export type RefreshTokensInput = {
  /** The one that came with the last answer. Send no access token beside it that has ended. */
  refreshToken: Scalars['String']['input'];
};

/** Who registers. */
export type RegisterInput = {
  /** Name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /**
   * The email address to log in with. Case, surrounding spaces and Unicode spelling do not matter: one
   * account per address.
   */
  email: Scalars['String']['input'];
  /**
   * The name that everybody sees: 1 to 100 characters (code points), in one line. Stray spaces and
   * characters that nobody sees are left out.
   */
  fullName: Scalars['String']['input'];
  /**
   * At least 8 characters unless the library asks for more, at most 256; any characters, but none of
   * the passwords that everybody tries first, and not only the name and email.
   */
  password: Scalars['String']['input'];
  /** The session that the visitor had so far; it becomes theirs. One that has ended is left alone. */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

/** Whom to let in again. */
export type ReinstateAccountInput = {
  /** The id of a reader. */
  id: Scalars['ID']['input'];
  /** Why; at most 1,000 characters (code points). The reader finds it in the export of their data. */
  reason: Scalars['String']['input'];
};

/** A passkey that is to go. */
export type RemovePasskeyInput = {
  /**
   * Where the account has a second factor: the six digits that the app shows, or a recovery code. Each
   * is good once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Which one, by its `credentialId`. */
  credentialId: Scalars['String']['input'];
  /** The account's password, once more. */
  password: Scalars['String']['input'];
};

/**
 * Something that a reader reported. It goes with the account of who reported it, and of the reader
 * whom it is about.
 */
export type Report = {
  __typename?: 'Report';
  /** When it was reported. */
  at: Scalars['DateTime']['output'];
  /** What the reporter said; null where they said nothing. */
  comment?: Maybe<Scalars['String']['output']>;
  /** When it was decided; null while it is open. */
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Who decided it last; null while it is open, and once their account is deleted. */
  decidedBy?: Maybe<User>;
  /** For `decideReport` alone. */
  id: Scalars['ID']['output'];
  /** What they said of it; null where they said nothing. */
  note?: Maybe<Scalars['String']['output']>;
  /**
   * Whom it is about: the reader who was reported, or the seller of the copy; null for a book, and
   * where they are gone.
   */
  reader?: Maybe<User>;
  /** What is wrong with it. */
  reason: ReportReason;
  /** Who reported it. */
  reporter?: Maybe<User>;
  /** What has become of it. */
  status: ReportStatus;
  /** What it is about; null where that is gone. */
  subject?: Maybe<Node>;
};

/** A page of reports. */
export type ReportConnection = {
  __typename?: 'ReportConnection';
  /** The reports of this page. */
  edges: Array<ReportEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<Report>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A report in a list. */
export type ReportEdge = {
  __typename?: 'ReportEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The report; null where it went this moment, with an account that was deleted. */
  node?: Maybe<Report>;
};

/** What to report. */
export type ReportInput = {
  /** More about it; at most 1,000 characters (code points). */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** A reader, a copy or a book. */
  id: Scalars['ID']['input'];
  /** What is wrong with it. */
  reason: ReportReason;
};

/** The answer to a report. */
export type ReportPayload = {
  __typename?: 'ReportPayload';
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** Why something is reported. */
export type ReportReason =
  /** It is against the law. */
  | 'ILLEGAL'
  /** It pretends to be somebody else. */
  | 'IMPERSONATION'
  /** It insults or threatens. */
  | 'OFFENSIVE'
  /** Something else, which the comment says. */
  | 'OTHER'
  /** It is advertising, or there to deceive. */
  | 'SPAM';

/** What has become of a report. */
export type ReportStatus =
  /** An administrator found nothing wrong. */
  | 'DISMISSED'
  /** Nobody has decided yet. */
  | 'OPEN'
  /** An administrator found it to be so. */
  | 'UPHELD';

/** Who has lost their password. */
export type RequestPasswordResetInput = {
  /** The email that they log in with. */
  email: Scalars['String']['input'];
};

/** The answer to who has lost their password. */
export type RequestPasswordResetPayload = {
  __typename?: 'RequestPasswordResetPayload';
  /**
   * Why no mail would be sent to any account; empty when all is well, whether or not an account has
   * the email.
   */
  userErrors: Array<UserError>;
};

/** A password for who has lost theirs. */
export type ResetPasswordInput = {
  /**
   * Where the account has a second factor and the email is verified: the six digits that the app
   * shows, or a recovery code. Each is good once, and the token stays good where it is missing or
   * wrong.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /**
   * At least 8 characters unless the library asks for more, at most 256; any characters, but none of
   * the passwords that everybody tries first, and not only the name and email.
   */
  password: Scalars['String']['input'];
  /** The session that the visitor had so far; it becomes theirs. One that has ended is left alone. */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
  /** From the mail; good once, for half an hour unless the library is set otherwise. */
  token: Scalars['String']['input'];
};

/** Something that happened to an account. */
export type SecurityEvent = {
  __typename?: 'SecurityEvent';
  /**
   * The network address that it came from, where that is known; it is kept for 90 days, or as long as
   * the server is set to.
   */
  address?: Maybe<Scalars['String']['output']>;
  /** The time of the event. */
  at: Scalars['DateTime']['output'];
  /** The kind of event. */
  kind: SecurityEventKind;
  /**
   * The session that it was about or came from; null where there was none, or where it is no longer
   * kept.
   */
  session?: Maybe<Session>;
};

/** A page of what happened to an account. */
export type SecurityEventConnection = {
  __typename?: 'SecurityEventConnection';
  /** The events of this page. */
  edges: Array<SecurityEventEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<SecurityEvent>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A security event in its list. */
export type SecurityEventEdge = {
  __typename?: 'SecurityEventEdge';
  /** The time of the event. */
  at: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The event. */
  node: SecurityEvent;
};

/** What happened to an account. */
export type SecurityEventKind =
  /** It was suspended, and is no longer. */
  | 'ACCOUNT_REINSTATED'
  /** An administrator suspended it. */
  | 'ACCOUNT_SUSPENDED'
  /** Its reader became an administrator. */
  | 'ADMINISTRATOR_GRANTED'
  /** Its reader is an administrator no longer. */
  | 'ADMINISTRATOR_REVOKED'
  /** Everything that is stored about its reader was fetched. */
  | 'DATA_EXPORTED'
  /** It got another email. */
  | 'EMAIL_CHANGED'
  /** Its reader proved by a mail that the email is theirs. */
  | 'EMAIL_VERIFIED'
  /** Somebody logged in. */
  | 'LOGGED_IN'
  /** Somebody tried a wrong password, or a wrong code after the right one. */
  | 'LOGIN_FAILED'
  /** An administrator took its name down. */
  | 'NAME_TAKEN_DOWN'
  /** Its reader, or whoever has their password, can log in by a new passkey from here on. */
  | 'PASSKEY_ADDED'
  /** One of its passkeys is not good any more, or none is, as the password was lost and reset. */
  | 'PASSKEY_REMOVED'
  /** It got another password. */
  | 'PASSWORD_CHANGED'
  /** It got another password, from somebody who had lost it and got a mail. */
  | 'PASSWORD_RESET'
  /** One of its recovery codes was used. */
  | 'RECOVERY_CODE_USED'
  /** It was made. */
  | 'REGISTERED'
  /** An administrator took down what its reader called a copy. */
  | 'TITLE_TAKEN_DOWN'
  /**
   * A refresh token came that had been used before, so that its session was ended: somebody has a copy
   * of it.
   */
  | 'TOKEN_REUSED'
  /** Logging in takes the password alone from here on. */
  | 'TWO_FACTOR_OFF'
  /** Logging in takes a code as well from here on. */
  | 'TWO_FACTOR_ON';

/** From where and since when somebody uses the library. */
export type Session = Node & {
  __typename?: 'Session';
  /** How many clicks it has. */
  clickCount: Scalars['Int']['output'];
  /** What was clicked in it, oldest first. */
  clicks: ClickConnection;
  /** What the client called the device that it runs on. */
  device?: Maybe<Scalars['String']['output']>;
  /**
   * How long it has lasted, from its beginning to the last sign of life: a click, a refresh of its
   * tokens, or its end where it was ended.
   */
  duration: Scalars['Duration']['output'];
  /**
   * When it ended: by logging out, from another device, by a new password, or by itself. Null while it
   * is open.
   */
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * Opaque, stable, and unlike the id of any other object. A visitor's is known to them alone: keep it
   * secret until the login.
   */
  id: Scalars['ID']['output'];
  /** Whether this very request belongs to it. */
  isCurrent: Scalars['Boolean']['output'];
  /** When its tokens were last refreshed. */
  lastActiveAt: Scalars['DateTime']['output'];
  /** When the newest of its clicks was, by the client's clock; null where it has none. */
  lastClickAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it began. */
  startedAt: Scalars['DateTime']['output'];
};


/** From where and since when somebody uses the library. */
export type SessionClicksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A page of a reader's sessions. */
export type SessionConnection = {
  __typename?: 'SessionConnection';
  /** The sessions of this page. */
  edges: Array<SessionEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Session>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A session in its list. */
export type SessionEdge = {
  __typename?: 'SessionEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The session. */
  node: Session;
  /** When it began. */
  startedAt: Scalars['DateTime']['output'];
};

/** What the viewer has to do with a book. */
export type SetReadingStatusInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** How much of it they have read, in percent: from 0 to 100. */
  progress?: InputMaybe<Scalars['Int']['input']>;
  /** What they have to do with it. */
  status: ReadingStatus;
};

/** A page of the books on a shelf. */
export type ShelfConnection = {
  __typename?: 'ShelfConnection';
  /** The books of this page. */
  edges: Array<ShelfEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A book on a shelf. */
export type ShelfEdge = {
  __typename?: 'ShelfEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
  /** How much of it the reader has read, in percent. */
  progress: Scalars['Int']['output'];
  /** Since when it is there. */
  since: Scalars['DateTime']['output'];
};

/** What confirms that a passkey is to be made. */
export type StartPasskeyInput = {
  /**
   * Where the account has a second factor: the six digits that the app shows, or a recovery code. Each
   * is good once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The account's password, once more. */
  password: Scalars['String']['input'];
};

/** The answer to who wants to log in by a passkey. */
export type StartPasskeyLoginPayload = {
  __typename?: 'StartPasskeyLoginPayload';
  /**
   * For the browser: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. Good for five minutes, and
   * for one login.
   */
  options?: Maybe<Scalars['JSONObject']['output']>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** The answer to who wants a passkey. */
export type StartPasskeyPayload = {
  __typename?: 'StartPasskeyPayload';
  /** For the browser: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. Good for five minutes. */
  options?: Maybe<Scalars['JSONObject']['output']>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** Who begins a session. */
export type StartSessionInput = {
  /** Name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
};

/** The answer to beginning a session. */
export type StartSessionPayload = {
  __typename?: 'StartSessionPayload';
  /** The session. */
  session?: Maybe<Session>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** What a secret is made with. */
export type StartTwoFactorInput = {
  /** The account's password, once more. */
  password: Scalars['String']['input'];
};

/** The answer to who wants a second factor. */
export type StartTwoFactorPayload = {
  __typename?: 'StartTwoFactorPayload';
  /** The secret in base32, for who types it into the app. It is shown once. */
  secret?: Maybe<Scalars['String']['output']>;
  /** The same as a URI (`otpauth://`), to be shown as a QR code. */
  uri?: Maybe<Scalars['String']['output']>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
  /** The reader, as they are now. */
  viewer?: Maybe<User>;
};

/** What confirms that no code is to be asked for any more. */
export type StopTwoFactorInput = {
  /** The six digits that the app shows, or a recovery code. */
  code: Scalars['String']['input'];
  /** The account's password, once more. */
  password: Scalars['String']['input'];
};

/** Whom to suspend. */
export type SuspendAccountInput = {
  /** A reader, but no administrator. */
  id: Scalars['ID']['input'];
  /** Why; at most 1,000 characters (code points). The reader finds it in the export of their data. */
  reason: Scalars['String']['input'];
};

/** The answer to a suspension, or to its end. */
export type SuspensionPayload = {
  __typename?: 'SuspensionPayload';
  /** Whether this call changed anything: false when it was so already. */
  changed: Scalars['Boolean']['output'];
  /** The reader. */
  user?: Maybe<User>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** What to take down the name or title of. */
export type TakeDownInput = {
  /** A reader or a copy. */
  id: Scalars['ID']['input'];
  /**
   * Why; at most 1,000 characters (code points). The reader finds it in the export of their data, but
   * for what is about a copy.
   */
  reason: Scalars['String']['input'];
};

/** The answer when something is taken down. */
export type TakeDownPayload = {
  __typename?: 'TakeDownPayload';
  /** Whether this call changed anything: false when it was so already. */
  changed: Scalars['Boolean']['output'];
  /** The reader or copy, as it is now. */
  node?: Maybe<Node>;
  /** Why nothing was done; empty when all is well. */
  userErrors: Array<UserError>;
};

/** A range of time. */
export type TimeRange = {
  /** The range begins at this moment. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** The range ends before this moment. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A page of the most liked books and copies. */
export type TrendingConnection = {
  __typename?: 'TrendingConnection';
  /** The books and copies of this page. */
  edges: Array<TrendingEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<Likeable>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** One of the most liked books and copies. */
export type TrendingEdge = {
  __typename?: 'TrendingEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The number of likes within the window that were not taken back. */
  likes: Scalars['Int']['output'];
  /** The liked book or copy; null for a copy whose seller the caller may not see. */
  node?: Maybe<Likeable>;
};

/** The time that a trending list covers. */
export type TrendingWindow =
  /** This hour (UTC) and the 23 hours before it. */
  | 'DAY'
  /** This minute and the 59 minutes before it. */
  | 'HOUR'
  /** This day (UTC) and the six days before it. */
  | 'WEEK';

/** Whom to block no longer. */
export type UnblockInput = {
  /** The id of a reader. */
  id: Scalars['ID']['input'];
};

/** What to like no longer. */
export type UnlikeInput = {
  /** The id of a book or a copy. */
  id: Scalars['ID']['input'];
};

/** Which book was not read after all. */
export type UnmarkAsReadInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** What is to be changed about a book; fields that are not given stay. */
export type UpdateBookInput = {
  /** The authors, the first one first: 1 to 50, each with 1 to 500 characters (code points). */
  authors?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** A picture of its cover, `https`, from one of the hosts that the server allows; null for none. */
  coverUrl?: InputMaybe<Scalars['String']['input']>;
  /**
   * Genres of the book, the best first: at most 10, each with 1 to 50 characters (code points); null
   * or empty where not known.
   */
  genres?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The language of the edition: ISO 639-2 (`eng`), or BCP 47 (`en-US`); null where not known. */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** The title in the language it was written in; null where there is none other. */
  originalTitle?: InputMaybe<Scalars['String']['input']>;
  /** How many pages the edition has, 1 to 100,000; null where not known. */
  pages?: InputMaybe<Scalars['Int']['input']>;
  /**
   * When the edition came out, `1998`, `1998-05` or `1998-05-23`, from the year 1 to 2200; null where
   * not known.
   */
  publishedOn?: InputMaybe<Scalars['String']['input']>;
  /**
   * The year in which the work was first published, up to 2200, negative before the common era and
   * never 0; null where not known.
   */
  publishedYear?: InputMaybe<Scalars['Int']['input']>;
  /** Who published the edition, 1 to 500 characters (code points); null where not known. */
  publisher?: InputMaybe<Scalars['String']['input']>;
  /** The title, with its series where it is part of one: 1 to 500 characters (code points). */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** Who may see what of the viewer's. What is not given stays. */
export type UpdatePrivacyInput = {
  /** What they like. */
  likes?: InputMaybe<Audience>;
  /** What they have read. */
  readings?: InputMaybe<Audience>;
};

/** What others are to see. */
export type UpdateProfileInput = {
  /**
   * The name that everybody sees: 1 to 100 characters (code points), in one line. Stray spaces and
   * characters that nobody sees are left out.
   */
  fullName: Scalars['String']['input'];
};

/** A reader: a person with an account. */
export type User = Node & {
  __typename?: 'User';
  /** The actions of the reader on the site; null unless the reader is the viewer. */
  actions?: Maybe<ActionConnection>;
  /**
   * The readers that this reader blocks, last blocked first, at most 1,000; null unless the reader is
   * the viewer.
   */
  blocked?: Maybe<BlockedReaderConnection>;
  /** The email address that the reader logs in with; null unless the reader is the viewer. */
  email?: Maybe<Scalars['String']['output']>;
  /** The name that everyone sees. */
  fullName: Scalars['String']['output'];
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /** Indicates whether the reader may change the catalogue; null unless the reader is the viewer. */
  isAdministrator?: Maybe<Scalars['Boolean']['output']>;
  /**
   * Indicates whether the reader has proved by email that the address is theirs; null unless the
   * reader is the viewer.
   */
  isEmailVerified?: Maybe<Scalars['Boolean']['output']>;
  /**
   * Indicates whether logging in to the account also takes a code; null unless the reader is the
   * viewer.
   */
  isTwoFactorEnabled?: Maybe<Scalars['Boolean']['output']>;
  /**
   * The books and copies that the reader likes, newest like first; null if the caller may not see
   * them. Changes that others made within the last second may not show yet.
   */
  likes?: Maybe<LikeConnection>;
  /** The copies that the reader sells. */
  listings: ItemConnection;
  /**
   * The number of times that the reader logged in until now, including the registration; null unless
   * the reader is the viewer.
   */
  loginCount?: Maybe<Scalars['Int']['output']>;
  /** The numbers of successful and failed logins of the reader; null unless the reader is the viewer. */
  logins?: Maybe<LoginWindows>;
  /**
   * The passkeys that the reader can log in with instead of the password, at most 20; null unless the
   * reader is the viewer.
   */
  passkeys?: Maybe<Array<Passkey>>;
  /**
   * The reader's new name, while it has not reached every list; null unless the reader is the viewer,
   * and null once it has.
   */
  pendingRename?: Maybe<PendingRename>;
  /** The audiences of what the reader likes and has read; null unless the reader is the viewer. */
  privacy?: Maybe<Privacy>;
  /** The books that the reader has read, one edge for each book; null if the caller may not see them. */
  readBooks?: Maybe<ReadBookConnection>;
  /**
   * The books that the reader viewed within the last 30 days, last viewed first, at most 100, each
   * once; null unless the reader is the viewer.
   */
  recentlyViewed?: Maybe<ViewedBookConnection>;
  /** The time when the reader registered. */
  registeredAt: Scalars['DateTime']['output'];
  /**
   * The events of the account that its reader should know of, newest first; null unless the reader is
   * the viewer.
   */
  securityEvents?: Maybe<SecurityEventConnection>;
  /**
   * The sessions of the reader, the session that began last first; null unless the reader is the
   * viewer.
   */
  sessions?: Maybe<SessionConnection>;
  /**
   * The books that the reader wants to read, is reading, has read or gave up, last change first; null
   * unless the reader is the viewer.
   */
  shelf?: Maybe<ShelfConnection>;
};


/** A reader: a person with an account. */
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


/** A reader: a person with an account. */
export type UserBlockedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A reader: a person with an account. */
export type UserLikesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  of?: InputMaybe<LikeableKind>;
};


/** A reader: a person with an account. */
export type UserListingsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  listedBetween?: InputMaybe<TimeRange>;
  orderBy?: ListingOrder;
  priceBetween?: InputMaybe<PriceRange>;
};


/** A reader: a person with an account. */
export type UserLoginCountArgs = {
  last: Scalars['Duration']['input'];
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** A reader: a person with an account. */
export type UserLoginsArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** A reader: a person with an account. */
export type UserReadBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ReadBookOrder;
};


/** A reader: a person with an account. */
export type UserRecentlyViewedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A reader: a person with an account. */
export type UserSecurityEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


/** A reader: a person with an account. */
export type UserSessionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


/** A reader: a person with an account. */
export type UserShelfArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status: ReadingStatus;
};

/**
 * A reason why a mutation did nothing, for the person who asked for it. Everything that is wrong with
 * the input is told at once, each field with its path, in the order of the schema, at most 100 of
 * them; what only the stored data can tell is looked at when the input is good, and told alone.
 * `docs/errors.md` says what to do with each code.
 */
export type UserError = {
  __typename?: 'UserError';
  /** What kind of reason, for programs. */
  code: UserErrorCode;
  /** What is wrong and what to do about it, for people, in English. */
  message: Scalars['String']['output'];
  /**
   * The input field it is about, from the outermost one: `["input", "email"]`; null when it is about
   * no one field.
   */
  path?: Maybe<Array<Scalars['String']['output']>>;
  /** With `RATE_LIMITED`: after how many seconds another try is looked at. */
  retryAfterSeconds?: Maybe<Scalars['Int']['output']>;
};

/** The kinds of reasons why a mutation did nothing. */
export type UserErrorCode =
  /** The account is suspended; nobody can log in to it. */
  | 'ACCOUNT_SUSPENDED'
  /**
   * The viewer has to verify their email before they change anything but their login, as this library
   * requires: see `requestEmailVerification`.
   */
  | 'EMAIL_NOT_VERIFIED'
  /** The email belongs to an account already. */
  | 'EMAIL_TAKEN'
  /** The viewer may not do this: it is somebody else's, or for administrators. */
  | 'FORBIDDEN'
  /**
   * No account has this email and password, or it is not the viewer's; or the code is not good, which
   * path tells.
   */
  | 'INVALID_CREDENTIALS'
  /** The text is not an email address. */
  | 'INVALID_EMAIL'
  /** Another input field cannot be used; path names it. */
  | 'INVALID_INPUT'
  /**
   * The passkey is not good here, or not any more, or what was asked of it is too old or was answered
   * before: start again.
   */
  | 'INVALID_PASSKEY'
  /** The password does not meet the rules, or is known from a breach; the message says which. */
  | 'INVALID_PASSWORD'
  /** The token is not good, or not any more: log in again, or ask for another mail. */
  | 'INVALID_TOKEN'
  /** What is asked for needs mails, which those who run the library have not set up. */
  | 'MAIL_NOT_SET_UP'
  /** The id is well-formed, but nothing has it. */
  | 'NOT_FOUND'
  /** What is asked for needs passkeys, which those who run the library have not set up. */
  | 'PASSKEYS_NOT_SET_UP'
  /**
   * The login of this session was too long ago for what is asked: send the same once more with
   * `password`, or log in again.
   */
  | 'PASSWORD_REQUIRED'
  /** Too many tries failed; `retryAfterSeconds` says when to try again. */
  | 'RATE_LIMITED'
  /** What is asked for needs keys for second factors, which those who run the library have not set up. */
  | 'TWO_FACTOR_NOT_SET_UP'
  /** The password is right, and the account has a second factor: send the same once more with `code`. */
  | 'TWO_FACTOR_REQUIRED';

/** A proof that an email is the reader's. */
export type VerifyEmailInput = {
  /** From the mail; good once, for a day unless the library is set otherwise. */
  token: Scalars['String']['input'];
};

/** A page of the books that a reader viewed. */
export type ViewedBookConnection = {
  __typename?: 'ViewedBookConnection';
  /** The books of this page. */
  edges: Array<ViewedBookEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A book that a reader viewed. */
export type ViewedBookEdge = {
  __typename?: 'ViewedBookEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
  /** The time when the reader last viewed the book. */
  viewedAt: Scalars['DateTime']['output'];
};

/** Which copy is not to be sold. */
export type WithdrawItemInput = {
  /** The id of the copy. */
  itemId: Scalars['ID']['input'];
};
