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

/** Result of a mutation that changes the account. */
export type AccountPayload = {
  __typename?: 'AccountPayload';
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};

/** An action: something that a reader did. */
export type Action = {
  __typename?: 'Action';
  /** The time of the action; for `READ`, the time when the reader read the book. */
  at: Scalars['DateTime']['output'];
  /**
   * The book that the action is about, directly or through a copy or a review; null if the action is
   * not about a book.
   */
  book?: Maybe<Book>;
  /**
   * The target of a click, as the client names it; null for other kinds, and if the click has no
   * target.
   */
  element?: Maybe<Scalars['String']['output']>;
  /** The kind of action. */
  kind: ActionKind;
  /**
   * The book, copy, list or review that was liked or unliked, or the copy that was listed, changed,
   * withdrawn, sold or clicked; null for other kinds.
   */
  likeable?: Maybe<Book | BookList | Item | Review>;
  /** The price that the copy got by `LISTED` or `PRICE_CHANGED`; null for other kinds. */
  price?: Maybe<Money>;
  /** The status that the book got by `STATUS_CHANGED`; null for other kinds. */
  status?: Maybe<ReadingStatus>;
};

/** A page of the actions of a reader. */
export type ActionConnection = {
  __typename?: 'ActionConnection';
  /** The actions of this page. */
  edges: Array<ActionEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Action>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** An action in a list. */
export type ActionEdge = {
  __typename?: 'ActionEdge';
  /** The time of the action. */
  at: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The action. */
  node: Action;
};

/**
 * The kinds of actions. A server may be configured not to record `VIEWED` and `CLICKED`; actions of
 * signed-out visitors are never recorded.
 */
export type ActionKind =
  /** The reader clicked something that names a book or a copy. The action has the time of the click. */
  | 'CLICKED'
  /** The reader liked a book, a copy, a list or a review. */
  | 'LIKED'
  /** The reader offered a copy of a book for sale. */
  | 'LISTED'
  /** The reader logged in. */
  | 'LOGGED_IN'
  /** The reader changed the price of a copy. */
  | 'PRICE_CHANGED'
  /**
   * The reader read a book. The action has the time of the reading. For a day this is its noon in UTC;
   * for an unknown time, the moment when the reader recorded the reading.
   */
  | 'READ'
  /**
   * The reader gave a reading another day. The log keeps the action `READ` of the former day, and has
   * one of the new day.
   */
  | 'READING_CORRECTED'
  /** The reader created the account. */
  | 'REGISTERED'
  /** The reader sold a copy. */
  | 'SOLD'
  /** The reader wanted to read a book, began it, continued it or gave it up. */
  | 'STATUS_CHANGED'
  /** The reader took a like back. */
  | 'UNLIKED'
  /** The reader removed a book from the books that they have read. */
  | 'UNMARKED_READ'
  /**
   * The reader viewed a book. The action is recorded once for each minute, and has the time of the
   * first view in that minute.
   */
  | 'VIEWED'
  /** The reader took a copy off the market. */
  | 'WITHDRAWN';

/** The order of actions. */
export type ActionOrder =
  /** The newest actions come first. */
  | 'NEWEST'
  /** The oldest actions come first. */
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

/** Input for `addBook`. */
export type AddBookInput = {
  /** The authors, first author first: 1 to 50 authors, each with 1 to 500 characters (code points). */
  authors: Array<Scalars['String']['input']>;
  /** The URL of a cover picture: `https`, from one of the hosts that the server allows. */
  coverUrl?: InputMaybe<Scalars['String']['input']>;
  /** The genres of the book, best match first: at most 10, each with 1 to 50 characters (code points). */
  genres?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * An ISBN-10 or ISBN-13, with all of its digits. It may have hyphens, spaces, the word ISBN in front
   * and a remark such as `(pbk.)` at the end.
   */
  isbn: Scalars['String']['input'];
  /** The language of the edition: ISO 639-2 (`eng`) or BCP 47 (`en-US`). */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** The title in the language in which the book was written, if known. */
  originalTitle?: InputMaybe<Scalars['String']['input']>;
  /** Further ISBNs of the book, in the forms that `isbn` may have: at most 20. */
  otherIsbns?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The number of pages of the edition: 1 to 100,000. */
  pages?: InputMaybe<Scalars['Int']['input']>;
  /** The publication date of the edition: `1998`, `1998-05` or `1998-05-23`, from the year 1 to 2200. */
  publishedOn?: InputMaybe<Scalars['String']['input']>;
  /**
   * The year in which the work was first published, up to 2200; negative before the common era, and
   * never 0.
   */
  publishedYear?: InputMaybe<Scalars['Int']['input']>;
  /** The publisher of the edition: 1 to 500 characters (code points). */
  publisher?: InputMaybe<Scalars['String']['input']>;
  /** The title, with the series if the book is part of one: 1 to 500 characters (code points). */
  title: Scalars['String']['input'];
  /** The id of the work of which the book is another edition; by default it is a work of its own. */
  workId?: InputMaybe<Scalars['ID']['input']>;
};

/** Input for `addPasskey`. */
export type AddPasskeyInput = {
  /** The name of the passkey in the list of passkeys: 1 to 100 characters (code points). */
  name: Scalars['String']['input'];
  /** The browser's answer to the options of `startPasskey`: `RegistrationResponseJSON` of WebAuthn. */
  response: Scalars['JSONObject']['input'];
};

/** Input for `addToList`. */
export type AddToListInput = {
  /** The id of the book of the list after which this one is placed; at the end by default. */
  after?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The id of the list. */
  listId: Scalars['ID']['input'];
  /** A note about the book; at most 1,000 characters (code points). */
  note?: InputMaybe<Scalars['String']['input']>;
};

/** A page of the books that readers of a book like, too. */
export type AlsoLikedConnection = {
  __typename?: 'AlsoLikedConnection';
  /** The books of this page. */
  edges: Array<AlsoLikedEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A book that readers of another book like, too. */
export type AlsoLikedEdge = {
  __typename?: 'AlsoLikedEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book that they like, too. */
  node: Book;
  /**
   * The similarity of the two books, from 0 to 1: the cosine of their likes, which is `sharedReaders`
   * divided by the square root of the product of the number of readers that were looked at and the
   * number of likes of `node`.
   */
  score: Scalars['Float']['output'];
  /** The number of readers who like both books, among those that were looked at; at least 5. */
  sharedReaders: Scalars['Int']['output'];
};

/** The people who may see something of a reader's. */
export type Audience =
  /** Everyone, signed in or signed out. */
  | 'EVERYONE'
  /** Only the reader. */
  | 'ONLY_ME'
  /** Readers who are signed in. */
  | 'SIGNED_IN';

/** Result of a mutation that logs in or refreshes tokens. */
export type AuthPayload = {
  __typename?: 'AuthPayload';
  /** The access token. Send it with every request: `Authorization: Bearer <accessToken>`. */
  accessToken?: Maybe<Scalars['String']['output']>;
  /** The time when the access token expires. */
  accessTokenExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * The refresh token. It can be used once, for `refreshTokens`. Keep it where no script of others can
   * read it. Null if the answer sets it as a cookie, which a client asks for with the header
   * `refresh-token-in: cookie`.
   */
  refreshToken?: Maybe<Scalars['String']['output']>;
  /** The reader's session on this device. */
  session?: Maybe<Session>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader who is logged in now; null if `userErrors` says why not. */
  viewer?: Maybe<User>;
};

/** Input for `block`. */
export type BlockInput = {
  /** The id of a reader, but not of the viewer. */
  id: Scalars['ID']['input'];
};

/** Result of `block` and `unblock`. */
export type BlockPayload = {
  __typename?: 'BlockPayload';
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /** The other reader. */
  user?: Maybe<User>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** A page of the readers that a reader blocks. */
export type BlockedReaderConnection = {
  __typename?: 'BlockedReaderConnection';
  /** The blocks of this page. */
  edges: Array<BlockedReaderEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<User>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
  /** The number of readers whom the reader blocks, at most 1,000. */
  totalCount: Scalars['Int']['output'];
};

/** A blocked reader in a list. */
export type BlockedReaderEdge = {
  __typename?: 'BlockedReaderEdge';
  /** The time of the block. */
  blockedAt: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The blocked reader. */
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
  /**
   * The books that readers of this one like, too, most similar first: at most 50, one edition of each
   * work, and none of this book's own. The list is computed from the newest 100 likes of each of the
   * newest 500 readers who like the book, as far as everybody may see their likes. It is computed
   * again some minutes after the likes have grown or shrunk by a twentieth.
   */
  alsoLiked: AlsoLikedConnection;
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
  /** Further ISBN-13s of the book, without hyphens, by which `Query.book` finds it as well. */
  otherIsbns: Array<Scalars['String']['output']>;
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
  /**
   * The ratings that readers give the book here, in stars. `averageRating` is that of the imported
   * catalogue. The field costs two reads of its own, and two more if very many readers have ever rated
   * the book.
   */
  ratingTally: RatingTally;
  /** The number of ratings in `averageRating`. */
  ratingsCount?: Maybe<Scalars['Int']['output']>;
  /** The reviews of the book. The `node` of an edge is null for a review that the caller may not see. */
  reviews: ReviewConnection;
  /** The title, with the series if the book is part of one. */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes the book; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked the book; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The viewer's rating of the book in stars; null if there is none, or they are signed out. */
  viewerRating?: Maybe<Scalars['Float']['output']>;
  /** The viewer's reading of the book; null if they never had one, or are signed out. */
  viewerReading?: Maybe<Reading>;
  /** The viewer's review of the book; null if there is none, or they are signed out. */
  viewerReview?: Maybe<Review>;
  /** The work of which the book is an edition. Likes and readings belong to the edition. */
  work: Work;
};


/** One edition of a book. */
export type BookActivityArgs = {
  from: Scalars['DateTime']['input'];
  granularity: Granularity;
  to: Scalars['DateTime']['input'];
};


/** One edition of a book. */
export type BookAlsoLikedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
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


/** One edition of a book. */
export type BookReviewsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: ReviewOrder;
};

/** A page of books. */
export type BookConnection = {
  __typename?: 'BookConnection';
  /** The number of all books of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
  /** The books of this page. */
  edges: Array<BookEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
  /** The genres whose names are most similar to `genre`, if no book has that genre; otherwise empty. */
  similarGenres: Array<Genre>;
};

/** A book in a list. */
export type BookEdge = {
  __typename?: 'BookEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
};

/** A list of books that a reader has made, in the reader's own order. */
export type BookList = Likeable & Node & {
  __typename?: 'BookList';
  /** The readers who may see the list; null unless the viewer made it. */
  audience?: Maybe<Audience>;
  /** The time when the list was made. */
  createdAt: Scalars['DateTime']['output'];
  /** The description of the list; null if it has none. */
  description?: Maybe<Scalars['String']['output']>;
  /** The entries of the list, in the order of its owner. */
  entries: BookListEntryConnection;
  /** The id of the list: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /**
   * The number of readers who like it: approximate at any instant, exact about a second after the last
   * change. It includes the viewer's own likes at once.
   */
  likeCount: Scalars['Int']['output'];
  /**
   * The number of readers who like it, and whether that is known to be exact. The field costs two
   * reads of its own, and two more if very many readers have ever liked it.
   */
  likeTally: LikeTally;
  /**
   * The readers who like it, newest like first. Changes that others made within the last second may
   * not show yet; the viewer's own changes do.
   */
  likers: LikerConnection;
  /** The name of the list, as `title`. */
  name: Scalars['String']['output'];
  /** The reader who made the list; null if the caller may not see them. */
  owner?: Maybe<User>;
  /**
   * The time when an administrator took the list down; null if none did. Only its owner and
   * administrators still see it then, and its owner can only delete it.
   */
  takenDownAt?: Maybe<Scalars['DateTime']['output']>;
  /** The administrator's reason for taking the list down. */
  takenDownReason?: Maybe<Scalars['String']['output']>;
  /** The name of the list. */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes it; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked it; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** A list of books that a reader has made, in the reader's own order. */
export type BookListEntriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A list of books that a reader has made, in the reader's own order. */
export type BookListLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of the lists that a reader has made. */
export type BookListConnection = {
  __typename?: 'BookListConnection';
  /** The number of all lists that the caller may see. It is read only if asked for. */
  count: RowCount;
  /** The lists of this page. */
  edges: Array<BookListEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<BookList>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A list of books among those of its owner. */
export type BookListEdge = {
  __typename?: 'BookListEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The list. */
  node: BookList;
};

/** A page of the entries of a list. */
export type BookListEntryConnection = {
  __typename?: 'BookListEntryConnection';
  /** The number of all entries of the list, which is always exact. */
  count: RowCount;
  /** The entries of this page. */
  edges: Array<BookListEntryEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** An entry of a list. */
export type BookListEntryEdge = {
  __typename?: 'BookListEntryEdge';
  /** The time when the book was added to the list. */
  addedAt: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
  /** The note of the list's owner about the book; null if there is none. */
  note?: Maybe<Scalars['String']['output']>;
};

/** The result of a change of a list. */
export type BookListPayload = {
  __typename?: 'BookListPayload';
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /** The list after the change; null if nothing was done, and if it was deleted. */
  list?: Maybe<BookList>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** The order of a list of all books. */
export type BookOrder =
  /** The books that came into the catalogue last come first. */
  | 'ADDED'
  /** The most popular books come first. */
  | 'POPULARITY'
  /** The last published books come first. Books whose year is not known come last. */
  | 'PUBLISHED'
  /** Sorts the books by title. Case, accents and punctuation do not matter, and 2 is before 10. */
  | 'TITLE';

/** Result of `addBook` and `updateBook`. */
export type BookPayload = {
  __typename?: 'BookPayload';
  /** The book after the change. */
  book?: Maybe<Book>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The administrator. */
  viewer?: Maybe<User>;
};

/** Input for `changeEmail`. */
export type ChangeEmailInput = {
  /**
   * The code, if the account has a second factor: the six digits that the app shows, or a recovery
   * code. Each can be used once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /**
   * The new email address. Case, surrounding spaces and Unicode spelling do not matter: there is one
   * account per address.
   */
  email: Scalars['String']['input'];
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/** Input for `changePassword`. */
export type ChangePasswordInput = {
  /**
   * The code, if the account has a second factor: the six digits that the app shows, or a recovery
   * code. Each can be used once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /**
   * The new password: at least 8 characters unless the server requires more, at most 256. Any
   * characters are allowed. The passwords that everyone tries first are refused, and so is one that
   * has nothing but the name and email address.
   */
  newPassword: Scalars['String']['input'];
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/** Input for `changePrice`. */
export type ChangePriceInput = {
  /** The id of the copy. */
  itemId: Scalars['ID']['input'];
  /** The new price: above 0, in the currency that the copy had. */
  price: MoneyInput;
};

/** A circle on the earth, by its centre (WGS 84) and radius. */
export type Circle = {
  /** The degrees north of the equator, from -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** The degrees east of Greenwich, from -180 to 180. */
  longitude: Scalars['Float']['input'];
  /** The radius in kilometres, at most 100. */
  withinKm: Scalars['Float']['input'];
};

/** A click in a session. */
export type Click = {
  __typename?: 'Click';
  /** The time of the click, by the client's clock. */
  at: Scalars['DateTime']['output'];
  /** The client's own id for the click. */
  id: Scalars['UUID']['output'];
  /** The properties that the client gave the click, in the order given. */
  properties: Array<ClickProperty>;
  /**
   * The id of the click's session; null while the session is a visitor's, because only the visitor may
   * know that id.
   */
  sessionId?: Maybe<Scalars['ID']['output']>;
  /** The id of the book or copy that the click names; null if it names none. */
  subjectId?: Maybe<Scalars['ID']['output']>;
  /** The client's name for what was clicked. */
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

/** A click in a list. */
export type ClickEdge = {
  __typename?: 'ClickEdge';
  /** The time of the click, by the client's clock. */
  at: Scalars['DateTime']['output'];
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The click. */
  node: Click;
};

/** A click to record. */
export type ClickInput = {
  /**
   * The time of the click: within its session and the last 7 days, and at most 5 minutes ahead of the
   * server's clock.
   */
  at: Scalars['DateTime']['input'];
  /**
   * The id that the client makes once for each click. A click that is sent again with the same id and
   * time is the same click.
   */
  id: Scalars['UUID']['input'];
  /**
   * The properties of the click, for debugging or to compare two designs: at most 10, each with a
   * different name.
   */
  properties?: InputMaybe<Array<ClickPropertyInput>>;
  /**
   * The id of the book or copy that the click names. Such clicks are also among the actions of the
   * session's reader.
   */
  subjectId?: InputMaybe<Scalars['ID']['input']>;
  /** The client's name for what was clicked: at most 500 characters (code points). */
  target?: InputMaybe<Scalars['String']['input']>;
};

/** A name and a value that a client gives a click. */
export type ClickProperty = {
  __typename?: 'ClickProperty';
  /** The name of the property. */
  name: Scalars['String']['output'];
  /** The value of the property. */
  value: Scalars['String']['output'];
};

/** A name and a value to record with a click. */
export type ClickPropertyInput = {
  /** The name of the property: 1 to 100 characters (code points). */
  name: Scalars['String']['input'];
  /** The value of the property: at most 500 characters (code points). */
  value: Scalars['String']['input'];
};

/** Input for `confirmTwoFactor`. */
export type ConfirmTwoFactorInput = {
  /** The six digits that the app shows. */
  code: Scalars['String']['input'];
};

/** Result of `confirmTwoFactor`. */
export type ConfirmTwoFactorPayload = {
  __typename?: 'ConfirmTwoFactorPayload';
  /**
   * The ten recovery codes, for a reader who has lost the app. Each can be used once in place of a
   * code from the app. They are shown once.
   */
  recoveryCodes?: Maybe<Array<Scalars['String']['output']>>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};

/** Input for `createList`. */
export type CreateListInput = {
  /** The readers who may see the list. */
  audience: Audience;
  /** The description; at most 1,000 characters (code points). Line breaks become spaces. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The name: 1 to 100 characters (code points). */
  name: Scalars['String']['input'];
};

/** A currency that copies can be sold in. */
export type Currency = {
  __typename?: 'Currency';
  /** The code of ISO 4217, such as `EUR`. */
  code: Scalars['String']['output'];
  /** The number of digits after the point that a price may have. */
  digits: Scalars['Int']['output'];
};

/** The export of everything that is stored about the viewer. */
export type DataExport = {
  __typename?: 'DataExport';
  /**
   * The path of the export. Fetch it by POST with the same access token and the password,
   * `{"password": "…"}`, and a `"code"` if the account has a second factor. The answer is one JSON
   * object, sent piece by piece. A wrong password or code is answered with `userErrors`, as mutations
   * answer it. The export can be fetched at most five times a day. With `"format": "GOODREADS"` the
   * answer is the viewer's library alone, as a CSV file in the form of Goodreads.
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

/** Input for `decideReport`. */
export type DecideReportInput = {
  /** The id of a report, as `Report.id` returned it. */
  id: Scalars['ID']['input'];
  /** The reason for the decision; at most 1,000 characters (code points). */
  note?: InputMaybe<Scalars['String']['input']>;
  /** The decision: `UPHELD` or `DISMISSED`. */
  status: ReportStatus;
};

/** Result of `decideReport`. */
export type DecideReportPayload = {
  __typename?: 'DecideReportPayload';
  /** The report after the decision. */
  report?: Maybe<Report>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** A decision of an administrator. */
export type Decision = {
  __typename?: 'Decision';
  /** The administrator who decided; null once their account is deleted. */
  administrator?: Maybe<User>;
  /** The time of the decision. */
  at: Scalars['DateTime']['output'];
  /** The kind of decision. */
  kind: DecisionKind;
  /** The reason for the decision; null if none was given. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** A page of the decisions of administrators. */
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

/** The kinds of decisions of administrators. */
export type DecisionKind =
  /** The suspension of a reader was ended. */
  | 'ACCOUNT_REINSTATED'
  /** A reader was suspended. */
  | 'ACCOUNT_SUSPENDED'
  /** A book was added to the catalogue. */
  | 'BOOK_ADDED'
  /** The data of a book was changed. */
  | 'BOOK_UPDATED'
  /** A reader's name was taken down. */
  | 'NAME_TAKEN_DOWN'
  /** A report was upheld or dismissed. */
  | 'REPORT_DECIDED'
  /** A review was taken down. */
  | 'REVIEW_TAKEN_DOWN'
  /** The title that a seller gave a copy, or a list, was taken down. */
  | 'TITLE_TAKEN_DOWN';

/** Input for `deleteAccount`. */
export type DeleteAccountInput = {
  /**
   * The code, if the account has a second factor: the six digits that the app shows, or a recovery
   * code. Each can be used once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/** Result of `deleteAccount`. */
export type DeleteAccountPayload = {
  __typename?: 'DeleteAccountPayload';
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Input for `deleteList`. */
export type DeleteListInput = {
  /** The id of the list. */
  listId: Scalars['ID']['input'];
};

/** Input for `deleteReview`. */
export type DeleteReviewInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** Input for `endSession`. */
export type EndSessionInput = {
  /**
   * The password of the viewer, to end another session than this one if the login of this one was more
   * than 15 minutes ago.
   */
  password?: InputMaybe<Scalars['String']['input']>;
  /** The id of one of the viewer's sessions. */
  sessionId: Scalars['ID']['input'];
};

/** Result of `endSession`. */
export type EndSessionPayload = {
  __typename?: 'EndSessionPayload';
  /** The session after the change. */
  session?: Maybe<Session>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
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

/** One time of finishing a book. */
export type FinishedReading = {
  __typename?: 'FinishedReading';
  /**
   * The day on which the reader finished the book. A day that they gave is the same in every time
   * zone; a moment that they gave is turned into a day in the time zone, or into `startedOn` if that
   * is later. Null if the time is unknown.
   */
  finishedOn?: Maybe<Scalars['Date']['output']>;
  /** The id for `updateReading`. */
  id: Scalars['ID']['output'];
  /**
   * The time when the reader finished the book; a day is returned as its noon in UTC. Null if the time
   * is unknown.
   */
  readAt?: Maybe<Scalars['DateTime']['output']>;
  /** The day on which the reader began the book; null if they did not give it. */
  startedOn?: Maybe<Scalars['Date']['output']>;
};


/** One time of finishing a book. */
export type FinishedReadingFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

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

/** A genre in the statistics of a reader. */
export type GenreOfReading = {
  __typename?: 'GenreOfReading';
  /** The number of different books. */
  books: Scalars['Int']['output'];
  /** The genre. */
  genre: Scalars['String']['output'];
};

/** The length of a window of time. */
export type Granularity =
  /** One day, in UTC. */
  | 'DAY'
  /** One hour. */
  | 'HOUR'
  /** One minute. */
  | 'MINUTE';

/** The fate of a line of an import. */
export type ImportFate =
  /** The line may be about several books, its `candidates`: `resolveImportRow` says which one it is. */
  | 'AMBIGUOUS'
  /** The line cannot be read. */
  | 'FAILED'
  /** The line is about a book of the catalogue, and your reading says what it says. */
  | 'MATCHED'
  /**
   * The book is known, but the line did not change its status or readings; `reason` says why. Its
   * rating or review may have been added.
   */
  | 'NOT_KEPT'
  /** The line was not yet gone through. */
  | 'PENDING'
  /**
   * The catalogue does not have the book, or the viewer says so. The line is kept among
   * `User.unlistedBooks`, and is imported when the book comes.
   */
  | 'UNLISTED';

/** A line of an import. */
export type ImportRow = {
  __typename?: 'ImportRow';
  /** The authors in the file. */
  authors: Array<Scalars['String']['output']>;
  /** The book that the line is about; null if it has none. */
  book?: Maybe<Book>;
  /**
   * The books that may be meant, at most 10. A line that the viewer has resolved keeps them. Those of
   * an `UNLISTED` line are books that the viewer has refused.
   */
  candidates: Array<Book>;
  /** The fate of the line. */
  fate: ImportFate;
  /** The number of the line, from 1, without the header. */
  line: Scalars['Int']['output'];
  /** The reason for the fate, and what of the line was not kept; null if there is nothing to say. */
  reason?: Maybe<Scalars['String']['output']>;
  /**
   * The title in the file, or else the ISBN or id that tells the book; empty for a line that cannot be
   * read.
   */
  title: Scalars['String']['output'];
};

/** A page of lines of an import. */
export type ImportRowConnection = {
  __typename?: 'ImportRowConnection';
  /** The lines of this page. */
  edges: Array<ImportRowEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<ImportRow>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A line in a list. */
export type ImportRowEdge = {
  __typename?: 'ImportRowEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The line. */
  node: ImportRow;
};

/** A shelf or status in the file of an import. */
export type ImportShelf = {
  __typename?: 'ImportShelf';
  /** The status that the books get; null for a shelf of the reader's own until `mapImportShelf` says. */
  becomes?: Maybe<ReadingStatus>;
  /** True for a shelf of the reader's own, whose status only `mapImportShelf` can tell. */
  isOwn: Scalars['Boolean']['output'];
  /** The number of lines on the shelf. */
  lines: Scalars['Int']['output'];
  /** The name in the words of the file. */
  name: Scalars['String']['output'];
};

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
  /** The number of all copies of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
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

/** Result of a mutation that changes a copy. */
export type ItemPayload = {
  __typename?: 'ItemPayload';
  /** The copy after the change. */
  item?: Maybe<Item>;
  /**
   * The copy as an edge of the seller's `listings` without ranges, for clients that add it to the list
   * that they show; null if the copy is not for sale.
   */
  itemEdge?: Maybe<ItemEdge>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The seller. */
  viewer?: Maybe<User>;
};


/** Result of a mutation that changes a copy. */
export type ItemPayloadItemEdgeArgs = {
  orderBy?: ListingOrder;
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
  /**
   * The distance from the centre of `near` to the library as the crow flies, to the metre. Null if the
   * libraries of a city were asked for.
   */
  distanceKm?: Maybe<Scalars['Float']['output']>;
  /** The library. */
  node: Library;
};

/** The import of the viewer's library from another service, sent by `POST /import-my-library`. */
export type LibraryImport = Node & {
  __typename?: 'LibraryImport';
  /** The number of lines with the fate `AMBIGUOUS`. */
  ambiguous: Scalars['Int']['output'];
  /** The time when the file was first sent. */
  begunAt: Scalars['DateTime']['output'];
  /** The number of lines with the fate `FAILED`. */
  failed: Scalars['Int']['output'];
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /** The number of lines in the file, without its header. Each of them has one fate. */
  lines: Scalars['Int']['output'];
  /** The number of lines with the fate `MATCHED`. */
  matched: Scalars['Int']['output'];
  /** The number of lines with the fate `NOT_KEPT`. */
  notKept: Scalars['Int']['output'];
  /** The number of lines with the fate `PENDING`. */
  pending: Scalars['Int']['output'];
  /**
   * The part of the work that is done, from 0 to 1. It rises from the first page on. Once the viewer
   * undoes the import, the work is to take back what it brought.
   */
  progress: Scalars['Float']['output'];
  /** Indicates whether these are the viewer's reviews here, or become it when their book is known. */
  publishesReviews: Scalars['Boolean']['output'];
  /** The number of lines with a review, which `publishImportedReviews` makes the viewer's reviews. */
  reviews: Scalars['Int']['output'];
  /** The lines, in the order of the file. */
  rows: ImportRowConnection;
  /** The shelves or statuses in the file, in the order in which they appear. */
  shelves: Array<ImportShelf>;
  /** The service that made the file. */
  source: LibrarySource;
  /** The status of the import. */
  status: LibraryImportStatus;
  /** The number of lines with the fate `UNLISTED`. */
  unlisted: Scalars['Int']['output'];
};


/** The import of the viewer's library from another service, sent by `POST /import-my-library`. */
export type LibraryImportRowsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ImportFate>;
};

/** A page of imports. */
export type LibraryImportConnection = {
  __typename?: 'LibraryImportConnection';
  /** The imports of this page. */
  edges: Array<LibraryImportEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Maybe<LibraryImport>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** An import in a list. */
export type LibraryImportEdge = {
  __typename?: 'LibraryImportEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The import; null if it was removed just now. */
  node?: Maybe<LibraryImport>;
};

/** Result of the mutations of an import. */
export type LibraryImportPayload = {
  __typename?: 'LibraryImportPayload';
  /** The import after the change. */
  libraryImport?: Maybe<LibraryImport>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader. */
  viewer?: Maybe<User>;
};

/** The status of an import. */
export type LibraryImportStatus =
  /** Every line has its fate. */
  | 'DONE'
  /** The file is being stored. If that was interrupted, send it again or undo the import. */
  | 'RECEIVING'
  /** The lines are being imported. */
  | 'RUNNING'
  /** The readings, ratings and reviews that the import brought are being taken back. */
  | 'UNDOING'
  /**
   * The readings, ratings and reviews that the import brought were taken back. Sending the file again
   * begins anew.
   */
  | 'UNDONE';

/** The order of libraries. */
export type LibraryOrder =
  /** Sorts the libraries by name. Case, accents and punctuation do not matter, and 2 is before 10. */
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

/** A service whose export of a reader's library can be imported. */
export type LibrarySource =
  /** BookWyrm. */
  | 'BOOKWYRM'
  /** Goodreads, whose format many others write as well, among them the export of this server. */
  | 'GOODREADS'
  /** Hardcover. */
  | 'HARDCOVER'
  /** LibraryThing, tab-separated. */
  | 'LIBRARYTHING'
  /** The StoryGraph. */
  | 'STORYGRAPH';

/** A page of the books, copies, lists and reviews that a reader likes. */
export type LikeConnection = {
  __typename?: 'LikeConnection';
  /** The number of all likes of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
  /** The likes of this page. */
  edges: Array<LikeEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<Book | BookList | Item | Review>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A like, as its reader's list shows it. */
export type LikeEdge = {
  __typename?: 'LikeEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The time of the like. */
  likedAt: Scalars['DateTime']['output'];
  /**
   * The liked book, copy, list or review; null for one that the caller may not see, and for a list
   * that is gone.
   */
  node?: Maybe<Book | BookList | Item | Review>;
  /**
   * The title of the liked object. That of a book is from the like's own row: a page of titles of
   * books costs no more reads. Null if `node` is null.
   */
  title?: Maybe<Scalars['String']['output']>;
};

/** Input for `like`. */
export type LikeInput = {
  /** The id of a book, a copy, a list or a review. */
  id: Scalars['ID']['input'];
};

/** Result of `like` and `unlike`. */
export type LikePayload = {
  __typename?: 'LikePayload';
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /**
   * The like as an edge of the viewer's `likes` without `of`, for clients that add it to the list that
   * they show; null if the viewer does not like it.
   */
  likeEdge?: Maybe<LikeEdge>;
  /** The book, copy, list or review after the change. */
  likeable?: Maybe<Book | BookList | Item | Review>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};

/** A like count that says how far it can be trusted. */
export type LikeTally = {
  __typename?: 'LikeTally';
  /** The moment to which the count refers. */
  asOf: Scalars['DateTime']['output'];
  /** The number of readers who like the object. */
  count: Scalars['Int']['output'];
  /** True only if every like and unlike that was answered before `asOf` is known to be counted. */
  isExact: Scalars['Boolean']['output'];
};

/** An object that readers can like: a book, a second-hand copy, a list of books or a review. */
export type Likeable = {
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /**
   * The number of readers who like the object: approximate at any instant, exact about a second
   * after the last change. It includes the viewer's own likes at once.
   */
  likeCount: Scalars['Int']['output'];
  /**
   * The number of readers who like the object, and whether it is known to be exact. The field costs
   * two reads of its own, and two more if very many readers have ever liked the object.
   */
  likeTally: LikeTally;
  /**
   * The readers who like the object, newest like first. Changes that others made within the last
   * second may not show yet; the viewer's own changes do.
   */
  likers: LikerConnection;
  /**
   * The title of the book, also of a review of it; that which the seller gave the copy, or the name of
   * the list.
   */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes the object; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked the object; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** An object that readers can like: a book, a second-hand copy, a list of books or a review. */
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
  | 'ITEM'
  /** Lists of books. */
  | 'LIST'
  /** Reviews of books. */
  | 'REVIEW';

/** A page of the readers who like a book, a copy, a list or a review. */
export type LikerConnection = {
  __typename?: 'LikerConnection';
  /** The likes of this page. */
  edges: Array<LikerEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<User>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
  /**
   * The number of all readers who like it, including those whom the caller may not see. It equals
   * `Likeable.likeCount`, and is as exact.
   */
  totalCount: Scalars['Int']['output'];
};

/** A like, as the list of likers shows it. */
export type LikerEdge = {
  __typename?: 'LikerEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The time of the like. */
  likedAt: Scalars['DateTime']['output'];
  /**
   * The reader who likes it; null if they do not show their likes to the caller, or if one of the two
   * blocks the other. The like counts all the same.
   */
  node?: Maybe<User>;
};

/** Input for `listItem`. */
export type ListItemInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The condition of the copy. */
  condition: ItemCondition;
  /**
   * A text of the client's choice, at most 200 characters (code points): a repeated call with the same
   * key lists nothing more.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The price of the copy: above 0. All copies of a seller are sold in one currency. */
  price: MoneyInput;
  /** The title of the copy, in place of the book's title: 1 to 500 characters (code points). */
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
   * The code, if the account has a second factor: the six digits that the app shows, or a recovery
   * code. Each can be used once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /** The email address of the account, in any spelling. */
  email: Scalars['String']['input'];
  /** The password of the account. */
  password: Scalars['String']['input'];
  /**
   * The session that the visitor had so far, which becomes the reader's. A session that has ended is
   * left alone.
   */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

/** The numbers of successful and failed logins of a reader. */
export type LoginTally = {
  __typename?: 'LoginTally';
  /** The number of tries with a wrong password. */
  failed: Scalars['Int']['output'];
  /** The number of successful logins, including the registration. */
  succeeded: Scalars['Int']['output'];
};

/** The logins of a reader within windows that end now. */
export type LoginWindows = {
  __typename?: 'LoginWindows';
  /** The logins within the last seven calendar days, from this time of day on. */
  last7Days: LoginTally;
  /** The logins within the last 24 hours. */
  last24Hours: LoginTally;
  /** The logins within the last thirty calendar days, from this time of day on. */
  last30Days: LoginTally;
  /** The logins since the last midnight. */
  thisDay: LoginTally;
  /** The logins since midnight at the start of the first day of this month. */
  thisMonth: LoginTally;
  /** The logins since the last midnight at the start of a Monday. */
  thisWeek: LoginTally;
};

/** Input for `loginWithPasskey`. */
export type LoginWithPasskeyInput = {
  /** The name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /**
   * The browser's answer to the options of `startPasskeyLogin`: `AuthenticationResponseJSON` of
   * WebAuthn.
   */
  response: Scalars['JSONObject']['input'];
  /**
   * The session that the visitor had so far, which becomes the reader's. A session that has ended is
   * left alone.
   */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

/** Input for `logout`. */
export type LogoutInput = {
  /**
   * Ends all sessions of the reader, not only this one. This takes a login within the last 15 minutes,
   * or the password.
   */
  everywhere?: InputMaybe<Scalars['Boolean']['input']>;
  /** The password of the reader, for `everywhere` if the login was longer ago. */
  password?: InputMaybe<Scalars['String']['input']>;
};

/** Result of `logout`. */
export type LogoutPayload = {
  __typename?: 'LogoutPayload';
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Input for `mapImportShelf`. */
export type MapImportShelfInput = {
  /** The status that its books get. */
  becomes: ReadingStatus;
  /** The id of the import. */
  importId: Scalars['ID']['input'];
  /** The name of the shelf, as `LibraryImport.shelves` has it. */
  shelf: Scalars['String']['input'];
};

/**
 * Input for `markAsRead`: the book, and a day or a moment, not both. A day or moment other than before
 * is a re-read. Without either, the book is read now, if it is not marked as read already.
 */
export type MarkAsReadInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /**
   * The day on which the book was finished, from the year 1900 until today: the same day in every time
   * zone. If it is given as `null`, the book was read at an unknown time.
   */
  finishedOn?: InputMaybe<Scalars['Date']['input']>;
  /**
   * The moment when the book was read, from the year 1900 (in the time zone that it is written with)
   * until now.
   */
  readAt?: InputMaybe<Scalars['DateTime']['input']>;
  /**
   * The day on which the book was started, not after the day on which it was finished, which is that
   * of `readAt` in the time zone that it is written with. It is also recorded for a reading that is
   * known already.
   */
  startedOn?: InputMaybe<Scalars['Date']['input']>;
};

/** Input for `markAsSold`. */
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
  /** The amount, as a plain decimal with no more decimal places than the currency has: `12.50`. */
  amount: Scalars['Decimal']['input'];
  /** The currency, as an ISO 4217 code: `EUR`. */
  currency: Scalars['String']['input'];
};

/** A month in the statistics of a reader. */
export type MonthOfReading = {
  __typename?: 'MonthOfReading';
  /** The number of books finished. */
  books: Scalars['Int']['output'];
  /** The month, from 1 to 12. */
  month: Scalars['Int']['output'];
  /** The number of their pages, as far as these are known. */
  pages: Scalars['Int']['output'];
};

/** Input for `moveInList`. */
export type MoveInListInput = {
  /** The id of the book of the list after which it is placed; null for the first place. */
  after?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the book to move. */
  bookId: Scalars['ID']['input'];
  /** The id of the list. */
  listId: Scalars['ID']['input'];
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
   * Adds a book to a list of the viewer, which can have 10,000 books. A book that the list has already
   * stays as it is.
   */
  addToList: BookListPayload;
  /**
   * Hides the viewer and another reader from each other. Repeating a block changes nothing. The block
   * is in force from the answer on, which arrives after about a second.
   */
  block: BlockPayload;
  /**
   * Changes the email address that the viewer logs in with; the former address is free at once. If the
   * server requires verified email addresses, the change happens once the new address is verified with
   * the token that is sent to it (`verifyEmail`); until then `viewer.email` is the former address. The
   * last request counts: it makes the tokens of earlier ones invalid, and a request for the address
   * that the account has withdraws them.
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
  /** Makes a list of books. A reader can have 100 lists. */
  createList: BookListPayload;
  /** Decides a report. A report that was decided can be decided again. For administrators. */
  decideReport: DecideReportPayload;
  /**
   * Deletes the viewer's account and everything that is stored about them, including their likes. This
   * cannot be undone.
   */
  deleteAccount: DeleteAccountPayload;
  /** Deletes a list of the viewer, with its entries. Likes of it stay, without its name. */
  deleteList: BookListPayload;
  /** Deletes the viewer's review of a book, with its former texts. */
  deleteReview: ReviewPayload;
  /**
   * Ends one of the viewer's sessions, perhaps on another device. Ending another session takes a login
   * within the last 15 minutes, or the password. Ending the current session takes neither.
   */
  endSession: EndSessionPayload;
  /** Likes a book, a copy, a list or a review. Repeating a like changes nothing. */
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
  /** Says which status the books of a shelf of the viewer's own get, and imports their lines. */
  mapImportShelf: LibraryImportPayload;
  /** Records that the viewer has read a book: on a day, at a moment, or at an unknown time. */
  markAsRead: ReadingPayload;
  /** Records that one of the viewer's copies was sold. */
  markAsSold: ItemPayload;
  /** Moves a book to another place of a list of the viewer. */
  moveInList: BookListPayload;
  /**
   * Makes the reviews in the file of an import the viewer's reviews here, which all who may see the
   * viewer may read. A review that the viewer has written or deleted here stays as it is, and the
   * `reason` of its line says so.
   */
  publishImportedReviews: LibraryImportPayload;
  /** Rates a book for the viewer, or changes the viewer's rating. */
  rateBook: RatingPayload;
  /**
   * Records clicks in a session of the viewer or of a signed-out visitor. Clicks may arrive late, in
   * any order and more than once; each is recorded once.
   */
  recordClicks: RecordClicksPayload;
  /** Records that the viewer views a book. */
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
  /** Removes a book from a list of the viewer. */
  removeFromList: BookListPayload;
  /** Removes one of the viewer's passkeys. Sessions that were started with it continue. */
  removePasskey: AccountPayload;
  /**
   * Reports a reader, a copy, a book or a list to the administrators. Reporting the same thing again
   * changes nothing.
   */
  report: ReportPayload;
  /**
   * Sends the viewer an email with a token for `verifyEmail`; does nothing if their email address is
   * verified. The tokens of earlier emails for this address become invalid. A server may require a
   * verified email address before the viewer changes anything but their login (`EMAIL_NOT_VERIFIED`).
   * It may also delete an account that stays unverified, by the day that the email names.
   */
  requestEmailVerification: AccountPayload;
  /**
   * Sends an email with a token for `resetPassword` if an account has this email address. The answer
   * is the same if none has. The tokens of earlier emails become invalid. A caller who asks too often
   * gets `RATE_LIMITED`; the token of the last email is valid unless the password or the email address
   * has changed since.
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
   * Says which book a line of an import is about, and imports it. A line that was matched can be given
   * another book as well: what it brought to the former one is taken back, except for what the viewer
   * has changed since.
   */
  resolveImportRow: LibraryImportPayload;
  /** Sets how many books the viewer wants to read in a year, or removes that goal. */
  setReadingGoal: SetReadingGoalPayload;
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
   * Takes down the name of a reader, the title of a copy, a list, or a review. The reader is then
   * called `Reader` everywhere, and can choose another name, but not that one; the copy gets the title
   * of its book; the list or review is shown only to its reader and to administrators, and can be
   * deleted, but not changed. For administrators.
   */
  takeDown: TakeDownPayload;
  /**
   * Removes the viewer's block of another reader. If the other reader blocks the viewer, that block
   * stays. The answer arrives after about a second, as for `block`.
   */
  unblock: BlockPayload;
  /**
   * Takes back the readings, ratings and reviews that an import brought. Whatever the viewer has
   * changed since stays.
   */
  undoImport: LibraryImportPayload;
  /** Removes a like. Removing a like that does not exist changes nothing. */
  unlike: LikePayload;
  /** Removes a book from the books that the viewer has read, with all times at which it was read. */
  unmarkAsRead: ReadingPayload;
  /** Takes the viewer's rating of a book back. */
  unrateBook: RatingPayload;
  /** Changes what is known about a book. For administrators. */
  updateBook: BookPayload;
  /** Changes a list of the viewer. Fields that are not given stay. */
  updateList: BookListPayload;
  /** Changes the note about a book of a list of the viewer. */
  updateListEntry: BookListPayload;
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
   * Corrects the days of a reading. The reading moves in the lists, and the activity log says that it
   * was corrected.
   */
  updateReading: ReadingPayload;
  /**
   * Verifies an email address with a token from an email. The caller is signed in as its reader or
   * signed out; `viewer` is null when signed out. An address that `changeEmail` asked for becomes the
   * reader's, unless another account has it by now (`EMAIL_TAKEN`).
   */
  verifyEmail: AccountPayload;
  /** Takes one of the viewer's copies off the market. Repeating the call changes nothing. */
  withdrawItem: ItemPayload;
  /** Writes the viewer's review of a book, or another text for it. A reader has one review of a book. */
  writeReview: ReviewPayload;
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
export type MutationAddToListArgs = {
  input: AddToListInput;
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
export type MutationCreateListArgs = {
  input: CreateListInput;
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
export type MutationDeleteListArgs = {
  input: DeleteListInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationDeleteReviewArgs = {
  input: DeleteReviewInput;
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
export type MutationMapImportShelfArgs = {
  input: MapImportShelfInput;
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
export type MutationMoveInListArgs = {
  input: MoveInListInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationPublishImportedReviewsArgs = {
  input: PublishImportedReviewsInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationRateBookArgs = {
  input: RateBookInput;
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
  input?: RefreshTokensInput;
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
export type MutationRemoveFromListArgs = {
  input: RemoveFromListInput;
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
export type MutationResolveImportRowArgs = {
  input: ResolveImportRowInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationSetReadingGoalArgs = {
  input: SetReadingGoalInput;
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
export type MutationUndoImportArgs = {
  input: UndoImportInput;
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
export type MutationUnrateBookArgs = {
  input: UnrateBookInput;
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
export type MutationUpdateListArgs = {
  input: UpdateListInput;
};


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationUpdateListEntryArgs = {
  input: UpdateListEntryInput;
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
export type MutationUpdateReadingArgs = {
  input: UpdateReadingInput;
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


/**
 * The write operations of the API. Problems that a person can act on are in `userErrors`; the mutation
 * then did nothing.
 */
export type MutationWriteReviewArgs = {
  input: WriteReviewInput;
};

/** An object with an id of its own. */
export type Node = {
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
};

/** The position of a page in its list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the last edge; null if the page is empty. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** Indicates whether the list continues after this page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Indicates whether the list has edges before this page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first edge; null if the page is empty. */
  startCursor?: Maybe<Scalars['String']['output']>;
};

/** A passkey: a way to log in without a password, with a device that its reader unlocks (WebAuthn). */
export type Passkey = {
  __typename?: 'Passkey';
  /** The time when the passkey was added. */
  createdAt: Scalars['DateTime']['output'];
  /** The authenticator's id for the passkey, in base64url. */
  credentialId: Scalars['String']['output'];
  /** The time when someone last logged in with the passkey; null until then. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reader's name for the passkey. */
  name: Scalars['String']['output'];
};

/** A new name that has not reached every list yet. */
export type PendingRename = {
  __typename?: 'PendingRename';
  /** The time when the name was changed. */
  beganAt: Scalars['DateTime']['output'];
  /** The number of pages, of at most 200 likes each, that have the new name already. */
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

/** The audiences of what a reader likes and has read. */
export type Privacy = {
  __typename?: 'Privacy';
  /**
   * The audience of the reader's likes, also in the list of likers of what they like. `EVERYONE` by
   * default.
   */
  likes: Audience;
  /** The audience of the books that the reader has read. `ONLY_ME` by default. */
  readings: Audience;
};

/** Input for `publishImportedReviews`. */
export type PublishImportedReviewsInput = {
  /** The id of the import. */
  importId: Scalars['ID']['input'];
};

/**
 * The read operations of the API. They change nothing. A field that cannot be answered is null and has
 * an error; the other fields are answered.
 */
export type Query = {
  __typename?: 'Query';
  /**
   * The decisions of administrators about a reader, a book, a copy, a list or a review, latest first.
   * For administrators; anyone else gets `FORBIDDEN`.
   */
  administration?: Maybe<DecisionConnection>;
  /**
   * The book with the given ISBN, or else one with that ISBN among its `otherIsbns`; null if there is
   * none.
   */
  book?: Maybe<Book>;
  /**
   * Books found by words of their titles and authors, by author or by genre; most popular first. A
   * book whose title is the whole `query` counts as ten times as popular, and at least like one with
   * 1,000 ratings.
   * Several filters narrow the result. Without a filter, all books are returned, in any order.
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
  /** The currencies that copies can be sold in, in the order of their codes. */
  currencies?: Maybe<Array<Currency>>;
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
  /**
   * The libraries near a position, nearest first, or those of a city; empty if the place is not known.
   * Without `state`, those of all cities of that name in the country; without `country` as well, in
   * the world.
   */
  libraries?: Maybe<LibraryConnection>;
  /**
   * The measurements that servers take of themselves every ten seconds, oldest first. They are kept
   * for a week unless the server is configured otherwise. A request covers at most a day and 3,000
   * data points. For administrators; anyone else gets `FORBIDDEN`.
   */
  measurements?: Maybe<Array<DataPoint>>;
  /** The object with the given id; null if no object has it. */
  node?: Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>;
  /**
   * The objects with the given ids, in the same order. An entry is null if no object has the id; a
   * malformed id also has an error at its position.
   */
  nodes?: Maybe<Array<Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>>>;
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
  orderBy?: BookOrder;
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
  city?: InputMaybe<Scalars['String']['input']>;
  country?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  near?: InputMaybe<Circle>;
  openedBetween?: InputMaybe<DateRange>;
  orderBy?: InputMaybe<LibraryOrder>;
  state?: InputMaybe<Scalars['String']['input']>;
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

/** Input for `rateBook`. */
export type RateBookInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The number of stars, from 0.25 to 5 in steps of 0.25. */
  rating: Scalars['Float']['input'];
};

/** The amount that a caller may ask for within a minute. */
export type RateLimit = {
  __typename?: 'RateLimit';
  /** The cost of this request by the fields that it may ask for, known before it is answered. */
  cost: Scalars['Int']['output'];
  /**
   * The total cost that is allowed within a minute. A request costs 1, and 1 more for every 1,000
   * fields that it may ask for; a change counts as 900 fields, and one that asks for a password as
   * 4,900. A request may ask for at most 10,000 fields. A query that has read more than 1,000 database
   * rows for each 1 of its cost instead costs 1 for every 1,000 rows; the difference is counted when
   * the query is answered.
   */
  limit: Scalars['Int']['output'];
  /** The cost that is left of `limit`. */
  remaining: Scalars['Int']['output'];
  /** The time when the whole limit is available again. */
  resetAt: Scalars['DateTime']['output'];
};

/** A page of the books that a reader has rated. */
export type RatedBookConnection = {
  __typename?: 'RatedBookConnection';
  /** The number of all books of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
  /** The books of this page. */
  edges: Array<RatedBookEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<Book>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A book that a reader has rated. */
export type RatedBookEdge = {
  __typename?: 'RatedBookEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: Book;
  /**
   * The time when the reader rated the book, first if they changed the rating; the time of the import
   * if one brought it.
   */
  ratedAt: Scalars['DateTime']['output'];
  /** The number of stars, from 0.25 to 5 in quarters. */
  rating: Scalars['Float']['output'];
};

/** The result of `rateBook` and `unrateBook`. */
export type RatingPayload = {
  __typename?: 'RatingPayload';
  /** The book after the change; null if nothing was done. */
  book?: Maybe<Book>;
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};

/**
 * The ratings of a book by readers. A rating goes from 0.25 to 5 stars, in quarters of a star. Fewer
 * than five could tell how a single reader rates the book, even if that is hidden; so only their
 * number is told, unless the viewer's is the only one.
 */
export type RatingTally = {
  __typename?: 'RatingTally';
  /** The mean of all ratings, in stars; null if there are none, or too few to tell it. */
  average?: Maybe<Scalars['Float']['output']>;
  /** The number of ratings. */
  count: Scalars['Int']['output'];
  /**
   * The numbers of ratings of 0.25, 0.5, 0.75 … 5 stars: twenty of them, the fewest stars first. All
   * are 0 if there are too few ratings to tell them.
   */
  histogram: Array<Scalars['Int']['output']>;
  /** True only if every rating that was answered before the query is known to be counted. */
  isExact: Scalars['Boolean']['output'];
};

/** A page of the books that a reader has read. */
export type ReadBookConnection = {
  __typename?: 'ReadBookConnection';
  /** The number of all books of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
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
  /** The authors of the book, first author first. */
  authors: Array<Scalars['String']['output']>;
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /**
   * The day on which the reader last finished the book. A day that they gave is the same in every time
   * zone; a moment that they gave is turned into a day in the time zone, or into `startedOn` if that
   * is later. Null if the time is unknown.
   */
  finishedOn?: Maybe<Scalars['Date']['output']>;
  /** The genres of the book, best match first. */
  genres: Array<Scalars['String']['output']>;
  /** The book. */
  node: Book;
  /** The publisher of the edition; null if not known. */
  publisher?: Maybe<Scalars['String']['output']>;
  /**
   * The time when the reader last read the book; a day is returned as its noon in UTC. Null if the
   * time is unknown.
   */
  readAt?: Maybe<Scalars['DateTime']['output']>;
  /** The same day as `finishedOn`. */
  readOn?: Maybe<Scalars['Date']['output']>;
  /**
   * The times at which the reader read the book, newest first. A day is returned as its noon in UTC;
   * readings at an unknown time are left out.
   */
  reads: Array<Scalars['DateTime']['output']>;
  /** The day on which the reader began that reading; null if they did not give it. */
  startedOn?: Maybe<Scalars['Date']['output']>;
  /**
   * The title of the book. This field and all that follow come from the list's own row, so a list of
   * them costs no more reads.
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
  /** The last read books come first. Books that were read at an unknown time come last. */
  | 'READ_AT'
  /**
   * Sorts the books by title, then by first author. Case, accents and punctuation do not matter, and 2
   * is before 10.
   */
  | 'TITLE';

/** A reader's status, progress and times of reading of one book. */
export type Reading = {
  __typename?: 'Reading';
  /**
   * The day on which the reader last finished the book. A day that they gave is the same in every time
   * zone; a moment that they gave is turned into a day in the time zone, or into the day on which
   * they began that reading if that is later. Null if they have not finished it, or at an unknown
   * time.
   */
  finishedOn?: Maybe<Scalars['Date']['output']>;
  /** The last 50 steps that led to this status, oldest first. */
  history: Array<ReadingStep>;
  /** The part of the book that the reader has read, in percent. */
  progress: Scalars['Int']['output'];
  /** The readings, newest first, each with its days; those at an unknown time come last. */
  readings: Array<FinishedReading>;
  /**
   * The times at which the reader read the book, newest first. A day is returned as its noon in UTC;
   * readings at an unknown time are left out.
   */
  reads: Array<Scalars['DateTime']['output']>;
  /** The time when the reader last changed the status or the progress. */
  since: Scalars['DateTime']['output'];
  /**
   * The day on which the reader last began the book: the day that they gave, or the day in the time
   * zone on which they set the status `READING`. Null if they did neither, or only after the day on
   * which they finished it.
   */
  startedOn?: Maybe<Scalars['Date']['output']>;
  /** The current status; null if the reader took it back. */
  status?: Maybe<ReadingStatus>;
};


/** A reader's status, progress and times of reading of one book. */
export type ReadingFinishedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** A reader's status, progress and times of reading of one book. */
export type ReadingStartedOnArgs = {
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

/** Result of a mutation that changes a reading. */
export type ReadingPayload = {
  __typename?: 'ReadingPayload';
  /** The book. */
  book?: Maybe<Book>;
  /**
   * The book as an edge of the viewer's `readBooks`, for clients that add it to the list that they
   * show; null if the book is not marked as read.
   */
  readEdge?: Maybe<ReadBookEdge>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};


/** Result of a mutation that changes a reading. */
export type ReadingPayloadReadEdgeArgs = {
  orderBy?: ReadBookOrder;
};

/** A year of a reader. A book that was finished several times counts as often. */
export type ReadingStatistics = {
  __typename?: 'ReadingStatistics';
  /** The number of books finished. */
  books: Scalars['Int']['output'];
  /** The book that the reader rates highest; null if they have rated none. */
  dearest?: Maybe<Book>;
  /** The 20 most frequent genres of the books, each book counted once; the most frequent one first. */
  genres: Array<GenreOfReading>;
  /** The number of books that the reader wants to read; null if they have no goal. */
  goal?: Maybe<Scalars['Int']['output']>;
  /** False for a year with more than 2,000 books: only so many of them are looked at. */
  isComplete: Scalars['Boolean']['output'];
  /** The book with the most pages; null if no number of pages is known. */
  longest?: Maybe<Book>;
  /** The twelve months, January first. */
  months: Array<MonthOfReading>;
  /** The number of pages of these books, as far as their pages are known. */
  pages: Scalars['Int']['output'];
  /** The year. */
  year: Scalars['Int']['output'];
};

/** The statuses that a reader can give a book. */
export type ReadingStatus =
  /** The reader gave up the book. */
  | 'GIVEN_UP'
  /** The reader has read the book. */
  | 'READ'
  /** The reader is reading the book, perhaps again. */
  | 'READING'
  /** The reader wants to read the book. */
  | 'WANT_TO_READ';

/** A step of reading a book. */
export type ReadingStep = {
  __typename?: 'ReadingStep';
  /** The time of the step. */
  at: Scalars['DateTime']['output'];
  /** The part of the book that the reader had read by then, in percent. */
  progress: Scalars['Int']['output'];
  /** The status from this step on; null if the reader took it back. */
  status?: Maybe<ReadingStatus>;
};

/** Input for `recordClicks`. */
export type RecordClicksInput = {
  /** The clicks, at most 500. */
  clicks: Array<ClickInput>;
  /** The id of the session. */
  sessionId: Scalars['ID']['input'];
};

/** Result of `recordClicks`. */
export type RecordClicksPayload = {
  __typename?: 'RecordClicksPayload';
  /** The number of clicks that were new. */
  recorded: Scalars['Int']['output'];
  /** The session. */
  session?: Maybe<Session>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Input for `recordView`. */
export type RecordViewInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** Input for `refreshTokens`. */
export type RefreshTokensInput = {
  /**
   * The refresh token from the last answer; leave it out if the token is in a cookie. Do not send an
   * expired access token with it.
   */
  refreshToken?: InputMaybe<Scalars['String']['input']>;
};

/** Input for `register`. */
export type RegisterInput = {
  /** The name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /**
   * The email address to log in with. Case, surrounding spaces and Unicode spelling do not matter:
   * there is one account per address.
   */
  email: Scalars['String']['input'];
  /**
   * The name that everyone sees: 1 to 100 characters (code points), in one line. Extra spaces and
   * invisible characters are removed.
   */
  fullName: Scalars['String']['input'];
  /**
   * The new password: at least 8 characters unless the server requires more, at most 256. Any
   * characters are allowed. The passwords that everyone tries first are refused, and so is one that
   * has nothing but the name and email address.
   */
  password: Scalars['String']['input'];
  /**
   * The session that the visitor had so far, which becomes the reader's. A session that has ended is
   * left alone.
   */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

/** Input for `reinstateAccount`. */
export type ReinstateAccountInput = {
  /** The id of a reader. */
  id: Scalars['ID']['input'];
  /**
   * The reason; at most 1,000 characters (code points). The reader finds it in the export of their
   * data.
   */
  reason: Scalars['String']['input'];
};

/** Input for `removeFromList`. */
export type RemoveFromListInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The id of the list. */
  listId: Scalars['ID']['input'];
};

/** Input for `removePasskey`. */
export type RemovePasskeyInput = {
  /**
   * The code, if the account has a second factor: the six digits that the app shows, or a recovery
   * code. Each can be used once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The `credentialId` of the passkey. */
  credentialId: Scalars['String']['input'];
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/**
 * A report by a reader. It is deleted with the account of its reporter, or of the reader whom it is
 * about.
 */
export type Report = {
  __typename?: 'Report';
  /** The time of the report. */
  at: Scalars['DateTime']['output'];
  /** The reporter's comment; null if they made none. */
  comment?: Maybe<Scalars['String']['output']>;
  /** The time of the decision; null while the report is open. */
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * The administrator who decided last; null while the report is open, and once their account is
   * deleted.
   */
  decidedBy?: Maybe<User>;
  /** The id of the report, for `decideReport` alone. */
  id: Scalars['ID']['output'];
  /** The administrator's note; null if they made none. */
  note?: Maybe<Scalars['String']['output']>;
  /**
   * The reader whom the report is about: the reported reader, the seller of the copy, the owner of the
   * list or the author of the review. Null for a book, and if the reader is gone.
   */
  reader?: Maybe<User>;
  /** The reason for the report. */
  reason: ReportReason;
  /** The reader who made the report. */
  reporter?: Maybe<User>;
  /** The status of the report. */
  status: ReportStatus;
  /** The subject of the report; null if it is gone. */
  subject?: Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>;
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
  /** The report; null if it has just been deleted with an account. */
  node?: Maybe<Report>;
};

/** Input for `report`. */
export type ReportInput = {
  /** Further details; at most 1,000 characters (code points). */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** The id of a reader, a copy, a book, a list or a review. */
  id: Scalars['ID']['input'];
  /** The reason for the report. */
  reason: ReportReason;
};

/** Result of `report`. */
export type ReportPayload = {
  __typename?: 'ReportPayload';
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** The reasons for which something can be reported. */
export type ReportReason =
  /** The subject of the report is against the law. */
  | 'ILLEGAL'
  /** The subject of the report pretends to be someone else. */
  | 'IMPERSONATION'
  /** The subject of the report insults or threatens someone. */
  | 'OFFENSIVE'
  /** Another reason, which the comment gives. */
  | 'OTHER'
  /** The subject of the report is advertising, or meant to deceive. */
  | 'SPAM';

/** The status of a report. */
export type ReportStatus =
  /** An administrator found nothing wrong. */
  | 'DISMISSED'
  /** No administrator has decided yet. */
  | 'OPEN'
  /** An administrator found the report to be true. */
  | 'UPHELD';

/** Input for `requestPasswordReset`. */
export type RequestPasswordResetInput = {
  /** The email address that the reader logs in with. */
  email: Scalars['String']['input'];
};

/** Result of `requestPasswordReset`. */
export type RequestPasswordResetPayload = {
  __typename?: 'RequestPasswordResetPayload';
  /**
   * The reasons why no email would be sent to any account; empty on success, whether or not an account
   * has the email address.
   */
  userErrors: Array<UserError>;
};

/** Input for `resetPassword`. */
export type ResetPasswordInput = {
  /**
   * The code, if the account has a second factor and the email address is verified: the six digits
   * that the app shows, or a recovery code. Each can be used once; the token stays valid if the code
   * is missing or wrong.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
  /**
   * The new password: at least 8 characters unless the server requires more, at most 256. Any
   * characters are allowed. The passwords that everyone tries first are refused, and so is one that
   * has nothing but the name and email address.
   */
  password: Scalars['String']['input'];
  /**
   * The session that the visitor had so far, which becomes the reader's. A session that has ended is
   * left alone.
   */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * The token from the email. It can be used once, within half an hour unless the server is configured
   * otherwise.
   */
  token: Scalars['String']['input'];
};

/** Input for `resolveImportRow`. */
export type ResolveImportRowInput = {
  /**
   * The id of the book that the line is about; null if it is about none of the catalogue. The line is
   * then `UNLISTED`, and is not matched with the same books again.
   */
  bookId?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the import. */
  importId: Scalars['ID']['input'];
  /** The number of the line, from 1. */
  line: Scalars['Int']['input'];
};

/** A review of a book by a reader. */
export type Review = Likeable & Node & {
  __typename?: 'Review';
  /** The author; null if the caller may not see them. */
  author?: Maybe<User>;
  /** The book. */
  book: Book;
  /** The time when the review was last changed; null if it never was. */
  editedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Indicates whether the text tells how the book goes on, so that it should be hidden at first. */
  hasSpoilers: Scalars['Boolean']['output'];
  /** The former texts, newest first; the last 50 are kept. For administrators; null for others. */
  history?: Maybe<Array<ReviewText>>;
  /**
   * The id of the object: opaque, stable and unique. A review that its author deletes and writes anew
   * has another one, and none of the likes.
   */
  id: Scalars['ID']['output'];
  /** The language of the text as a code of ISO 639, such as `en`, if its author gave one. */
  language?: Maybe<Scalars['String']['output']>;
  /**
   * The number of readers who like the review: approximate at any instant, exact about a second after
   * the last change. It includes the viewer's own likes at once.
   */
  likeCount: Scalars['Int']['output'];
  /**
   * The number of readers who like the review, and whether it is known to be exact. The field costs
   * two reads of its own, and two more if very many readers have ever liked the review.
   */
  likeTally: LikeTally;
  /**
   * The readers who like the review, newest like first. Changes that others made within the last
   * second may not show yet; the viewer's own changes do.
   */
  likers: LikerConnection;
  /**
   * The author's current rating of the book in stars; null if there is none, and if the caller may not
   * see the books that the author has read.
   */
  rating?: Maybe<Scalars['Float']['output']>;
  /**
   * The time when an administrator took the review down; null if none did. Only its author and
   * administrators still see it then.
   */
  takenDownAt?: Maybe<Scalars['DateTime']['output']>;
  /** The administrator's reason for taking the review down. */
  takenDownReason?: Maybe<Scalars['String']['output']>;
  /** The text: 1 to 10,000 characters (code points), perhaps with line breaks. */
  text: Scalars['String']['output'];
  /** The title of the book. */
  title: Scalars['String']['output'];
  /** Indicates whether the viewer likes the review; false when signed out. */
  viewerHasLiked: Scalars['Boolean']['output'];
  /** The time when the viewer liked the review; null if they do not like it. */
  viewerLikedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The time when the review was written. */
  writtenAt: Scalars['DateTime']['output'];
};


/** A review of a book by a reader. */
export type ReviewLikersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of reviews. */
export type ReviewConnection = {
  __typename?: 'ReviewConnection';
  /**
   * The number of all reviews of the list, on this page and others, with those that the caller may not
   * see. It is read only if asked for.
   */
  count: RowCount;
  /** The reviews of this page. */
  edges: Array<ReviewEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<Review>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A review in a list. */
export type ReviewEdge = {
  __typename?: 'ReviewEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The review; null if the caller may not see it. */
  node?: Maybe<Review>;
};

/** The order of the reviews of a book. */
export type ReviewOrder =
  /**
   * The reviews with the most likes come first, by their number of likes rounded down to two
   * significant digits; among equal ones, the last written. The order follows the likes some seconds
   * later.
   */
  | 'MOST_LIKED'
  /** The last written reviews come first. A changed review stays at its place. */
  | 'NEWEST';

/** The result of `writeReview` and `deleteReview`. */
export type ReviewPayload = {
  __typename?: 'ReviewPayload';
  /** The book; null if nothing was done. */
  book?: Maybe<Book>;
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /** The review after the change; null if it was deleted, or nothing was done. */
  review?: Maybe<Review>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};

/** A former text of a review. */
export type ReviewText = {
  __typename?: 'ReviewText';
  /** Indicates whether the text told how the book goes on. */
  hasSpoilers: Scalars['Boolean']['output'];
  /** The language of the text, if its author gave one. */
  language?: Maybe<Scalars['String']['output']>;
  /** The text. */
  text: Scalars['String']['output'];
  /** The time when the text was written. */
  writtenAt: Scalars['DateTime']['output'];
};

/** The number of entries of a list. Up to 1,000 they are counted exactly. */
export type RowCount = {
  __typename?: 'RowCount';
  /**
   * Indicates whether the list has no further entries. False above 1,000, and for a search that would
   * have to look through too many books.
   */
  isExact: Scalars['Boolean']['output'];
  /** The number of entries; if `isExact` is false, the list has at least so many. */
  value: Scalars['Int']['output'];
};

/** A security event: something that happened to an account. */
export type SecurityEvent = {
  __typename?: 'SecurityEvent';
  /**
   * The network address that the event came from, if known. It is kept for 90 days unless the server
   * is configured otherwise.
   */
  address?: Maybe<Scalars['String']['output']>;
  /** The time of the event. */
  at: Scalars['DateTime']['output'];
  /** The kind of event. */
  kind: SecurityEventKind;
  /**
   * The session that the event is about or came from; null if there was none, or if it is no longer
   * kept.
   */
  session?: Maybe<Session>;
};

/** A page of the security events of an account. */
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

/** The kinds of security events. */
export type SecurityEventKind =
  /** The suspension of the account ended. */
  | 'ACCOUNT_REINSTATED'
  /** An administrator suspended the account. */
  | 'ACCOUNT_SUSPENDED'
  /** The reader became an administrator. */
  | 'ADMINISTRATOR_GRANTED'
  /** The reader stopped being an administrator. */
  | 'ADMINISTRATOR_REVOKED'
  /** Everything that is stored about the reader was exported. */
  | 'DATA_EXPORTED'
  /** The email address of the account was changed. */
  | 'EMAIL_CHANGED'
  /** The reader proved by email that the address is theirs. */
  | 'EMAIL_VERIFIED'
  /** Someone logged in. */
  | 'LOGGED_IN'
  /** Someone tried a wrong password, or a wrong code after the right password. */
  | 'LOGIN_FAILED'
  /** An administrator took down the name of the reader. */
  | 'NAME_TAKEN_DOWN'
  /** A passkey was added: from then on, the reader, or whoever has their password, can log in with it. */
  | 'PASSKEY_ADDED'
  /** A passkey became invalid, or all of them did because the password was lost and reset. */
  | 'PASSKEY_REMOVED'
  /** The password was changed. */
  | 'PASSWORD_CHANGED'
  /** The password was changed by someone who had lost it and received an email. */
  | 'PASSWORD_RESET'
  /** A recovery code of the account was used. */
  | 'RECOVERY_CODE_USED'
  /** The account was created. */
  | 'REGISTERED'
  /** An administrator took down a review of the reader. */
  | 'REVIEW_TAKEN_DOWN'
  /** An administrator took down the title that the reader gave a copy, or a list of the reader. */
  | 'TITLE_TAKEN_DOWN'
  /**
   * A refresh token arrived that had been used before, so its session was ended: someone has a copy of
   * the token.
   */
  | 'TOKEN_REUSED'
  /** The second factor was turned off: from then on, logging in takes only the password. */
  | 'TWO_FACTOR_OFF'
  /** The second factor was turned on: from then on, logging in also takes a code. */
  | 'TWO_FACTOR_ON';

/** A session of a reader or a visitor on one device. */
export type Session = Node & {
  __typename?: 'Session';
  /** The number of clicks in the session. */
  clickCount: Scalars['Int']['output'];
  /** The clicks in the session, oldest first. */
  clicks: ClickConnection;
  /** The client's name for the device of the session. */
  device?: Maybe<Scalars['String']['output']>;
  /**
   * The length of the session, from its beginning to the last sign of life: a click, a refresh of its
   * tokens, or its end if it was ended.
   */
  duration: Scalars['Duration']['output'];
  /**
   * The time when the session ended: by logging out, from another device, by a new password, or by
   * itself. Null while it is open.
   */
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * The id of the session: opaque, stable and unique. The id of a visitor's session is known to the
   * visitor alone: keep it secret until the login.
   */
  id: Scalars['ID']['output'];
  /** Indicates whether this request belongs to the session. */
  isCurrent: Scalars['Boolean']['output'];
  /** The time when the tokens of the session were last refreshed. */
  lastActiveAt: Scalars['DateTime']['output'];
  /** The time of the newest click, by the client's clock; null if the session has none. */
  lastClickAt?: Maybe<Scalars['DateTime']['output']>;
  /** The time when the session began. */
  startedAt: Scalars['DateTime']['output'];
};


/** A session of a reader or a visitor on one device. */
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

/** A session in a list. */
export type SessionEdge = {
  __typename?: 'SessionEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The session. */
  node: Session;
  /** The time when the session began. */
  startedAt: Scalars['DateTime']['output'];
};

/** Input for `setReadingGoal`. */
export type SetReadingGoalInput = {
  /** The number of books, from 1 to 10,000; null for no goal. */
  books?: InputMaybe<Scalars['Int']['input']>;
  /** The year, from 1900 to the next one. */
  year: Scalars['Int']['input'];
};

/** The result of `setReadingGoal`. */
export type SetReadingGoalPayload = {
  __typename?: 'SetReadingGoalPayload';
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change; null if nothing was done. */
  viewer?: Maybe<User>;
};

/** Input for `setReadingStatus`. */
export type SetReadingStatusInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The part of the book that the viewer has read, in percent: from 0 to 100. */
  progress?: InputMaybe<Scalars['Int']['input']>;
  /** The new status. */
  status: ReadingStatus;
};

/** A page of the books on a shelf, or on all shelves. */
export type ShelfConnection = {
  __typename?: 'ShelfConnection';
  /** The number of all books of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
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
  /** The part of the book that the reader has read, in percent. */
  progress: Scalars['Int']['output'];
  /** The time when the reader last changed the status or the progress. */
  since: Scalars['DateTime']['output'];
  /** The status of the book, which says on which shelf it stands. */
  status: ReadingStatus;
};

/** Input for `startPasskey`. */
export type StartPasskeyInput = {
  /**
   * The code, if the account has a second factor: the six digits that the app shows, or a recovery
   * code. Each can be used once.
   */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/** Result of `startPasskeyLogin`. */
export type StartPasskeyLoginPayload = {
  __typename?: 'StartPasskeyLoginPayload';
  /**
   * The options for the browser: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. They are valid
   * for five minutes, and for one login.
   */
  options?: Maybe<Scalars['JSONObject']['output']>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Result of `startPasskey`. */
export type StartPasskeyPayload = {
  __typename?: 'StartPasskeyPayload';
  /**
   * The options for the browser: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. They are valid
   * for five minutes.
   */
  options?: Maybe<Scalars['JSONObject']['output']>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Input for `startSession`. */
export type StartSessionInput = {
  /** The name of the device in the list of sessions; at most 200 characters (code points). */
  device?: InputMaybe<Scalars['String']['input']>;
};

/** Result of `startSession`. */
export type StartSessionPayload = {
  __typename?: 'StartSessionPayload';
  /** The session. */
  session?: Maybe<Session>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Input for `startTwoFactor`. */
export type StartTwoFactorInput = {
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/** Result of `startTwoFactor`. */
export type StartTwoFactorPayload = {
  __typename?: 'StartTwoFactorPayload';
  /** The secret in base32, for typing into the app. It is shown once. */
  secret?: Maybe<Scalars['String']['output']>;
  /** The secret as a URI (`otpauth://`), to show as a QR code. */
  uri?: Maybe<Scalars['String']['output']>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
  /** The reader after the change. */
  viewer?: Maybe<User>;
};

/** Input for `stopTwoFactor`. */
export type StopTwoFactorInput = {
  /** The six digits that the app shows, or a recovery code. */
  code: Scalars['String']['input'];
  /** The current password of the account. */
  password: Scalars['String']['input'];
};

/** Input for `suspendAccount`. */
export type SuspendAccountInput = {
  /** The id of a reader who is not an administrator. */
  id: Scalars['ID']['input'];
  /**
   * The reason; at most 1,000 characters (code points). The reader finds it in the export of their
   * data.
   */
  reason: Scalars['String']['input'];
};

/** Result of `suspendAccount` and `reinstateAccount`. */
export type SuspensionPayload = {
  __typename?: 'SuspensionPayload';
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /** The reader. */
  user?: Maybe<User>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** Input for `takeDown`. */
export type TakeDownInput = {
  /** The id of a reader, a copy, a list or a review. */
  id: Scalars['ID']['input'];
  /**
   * The reason; at most 1,000 characters (code points). The reader finds it in the export of their
   * data, unless it is about a copy; and that of a list or review with it.
   */
  reason: Scalars['String']['input'];
};

/** Result of `takeDown`. */
export type TakeDownPayload = {
  __typename?: 'TakeDownPayload';
  /** Indicates whether this call changed anything; false if nothing was left to change. */
  changed: Scalars['Boolean']['output'];
  /** The reader, copy, list or review after the change. */
  node?: Maybe<Book | BookList | Item | Library | LibraryImport | Review | Session | User | Work>;
  /** The reasons why nothing was done; empty on success. */
  userErrors: Array<UserError>;
};

/** A range of time. */
export type TimeRange = {
  /** The range begins at this moment. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** The range ends before this moment. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A page of the most liked books, copies or reviews. */
export type TrendingConnection = {
  __typename?: 'TrendingConnection';
  /** The books, copies or reviews of this page. */
  edges: Array<TrendingEdge>;
  /** The nodes of `edges`, in the same order; null where the `node` of the edge is null. */
  nodes: Array<Maybe<Book | BookList | Item | Review>>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** One of the most liked books, copies or reviews. */
export type TrendingEdge = {
  __typename?: 'TrendingEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The number of likes within the window that were not taken back. */
  likes: Scalars['Int']['output'];
  /** The liked book, copy or review; null for one that the caller may not see. */
  node?: Maybe<Book | BookList | Item | Review>;
};

/** The time that a trending list covers. */
export type TrendingWindow =
  /** This hour (UTC) and the 23 hours before it. */
  | 'DAY'
  /** This minute and the 59 minutes before it. */
  | 'HOUR'
  /** This day (UTC) and the six days before it. */
  | 'WEEK';

/** Input for `unblock`. */
export type UnblockInput = {
  /** The id of a reader. */
  id: Scalars['ID']['input'];
};

/** Input for `undoImport`. */
export type UndoImportInput = {
  /** The id of the import. */
  importId: Scalars['ID']['input'];
};

/** Input for `unlike`. */
export type UnlikeInput = {
  /** The id of a book, a copy, a list or a review. */
  id: Scalars['ID']['input'];
};

/**
 * A book of a reader that the catalogue does not have, as the file of an import tells it. If several
 * files have it, the one that was first sent last counts.
 */
export type UnlistedBook = {
  __typename?: 'UnlistedBook';
  /** The authors in the file. */
  authors: Array<Scalars['String']['output']>;
  /** The import that has the book, for `resolveImportRow`; null if it was removed just now. */
  libraryImport?: Maybe<LibraryImport>;
  /** The number of the line in the import, for `resolveImportRow`. */
  line: Scalars['Int']['output'];
  /** The shelf in the words of the file; null if the line has none. */
  shelf?: Maybe<Scalars['String']['output']>;
  /** The status that the book will get; null if its shelf becomes none. */
  status?: Maybe<ReadingStatus>;
  /** The title in the file, or else the ISBN or id that tells the book. */
  title: Scalars['String']['output'];
};

/** A page of books that the catalogue does not have. */
export type UnlistedBookConnection = {
  __typename?: 'UnlistedBookConnection';
  /** The number of all books of the list, on this page and others. It is read only if asked for. */
  count: RowCount;
  /** The books of this page. */
  edges: Array<UnlistedBookEdge>;
  /** The nodes of `edges`, in the same order. */
  nodes: Array<UnlistedBook>;
  /** The position of the page in the list. */
  pageInfo: PageInfo;
};

/** A book that the catalogue does not have, in a list. */
export type UnlistedBookEdge = {
  __typename?: 'UnlistedBookEdge';
  /** The cursor of this edge, for `after` and `before`. */
  cursor: Scalars['String']['output'];
  /** The book. */
  node: UnlistedBook;
};

/** Input for `unmarkAsRead`. */
export type UnmarkAsReadInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** Input for `unrateBook`. */
export type UnrateBookInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
};

/** Input for `updateBook`. Fields that are not given stay as they are. */
export type UpdateBookInput = {
  /** The authors, first author first: 1 to 50 authors, each with 1 to 500 characters (code points). */
  authors?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The URL of a cover picture: `https`, from one of the hosts that the server allows; null for none. */
  coverUrl?: InputMaybe<Scalars['String']['input']>;
  /**
   * The genres of the book, best match first: at most 10, each with 1 to 50 characters (code points);
   * null or empty if not known.
   */
  genres?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The language of the edition: ISO 639-2 (`eng`) or BCP 47 (`en-US`); null if not known. */
  languageCode?: InputMaybe<Scalars['String']['input']>;
  /** The title in the language in which the book was written; null if there is no other title. */
  originalTitle?: InputMaybe<Scalars['String']['input']>;
  /** Further ISBNs of the book, with or without hyphens: at most 20; null or empty if there are none. */
  otherIsbns?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The number of pages of the edition: 1 to 100,000; null if not known. */
  pages?: InputMaybe<Scalars['Int']['input']>;
  /**
   * The publication date of the edition: `1998`, `1998-05` or `1998-05-23`, from the year 1 to 2200;
   * null if not known.
   */
  publishedOn?: InputMaybe<Scalars['String']['input']>;
  /**
   * The year in which the work was first published, up to 2200; negative before the common era, and
   * never 0. Null if not known.
   */
  publishedYear?: InputMaybe<Scalars['Int']['input']>;
  /** The publisher of the edition: 1 to 500 characters (code points); null if not known. */
  publisher?: InputMaybe<Scalars['String']['input']>;
  /** The title, with the series if the book is part of one: 1 to 500 characters (code points). */
  title?: InputMaybe<Scalars['String']['input']>;
  /**
   * The id of the work of which the book is an edition; null makes it the only edition of a work, and
   * the others keep theirs with its id. Likes and readings stay with the book, so that the change can
   * be undone.
   */
  workId?: InputMaybe<Scalars['ID']['input']>;
};

/** Input for `updateListEntry`. */
export type UpdateListEntryInput = {
  /** The id of a book of the list. */
  bookId: Scalars['ID']['input'];
  /** The id of the list. */
  listId: Scalars['ID']['input'];
  /** The note, at most 1,000 characters (code points); null removes it. */
  note?: InputMaybe<Scalars['String']['input']>;
};

/** Input for `updateList`. */
export type UpdateListInput = {
  /** The readers who may see the list. */
  audience?: InputMaybe<Audience>;
  /** The description, at most 1,000 characters (code points); null removes it. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The id of the list. */
  listId: Scalars['ID']['input'];
  /** The name: 1 to 100 characters (code points). */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Input for `updatePrivacy`. Fields that are not given stay as they are. */
export type UpdatePrivacyInput = {
  /** The audience of the viewer's likes. */
  likes?: InputMaybe<Audience>;
  /** The audience of the books that the viewer has read. */
  readings?: InputMaybe<Audience>;
};

/** Input for `updateProfile`. */
export type UpdateProfileInput = {
  /**
   * The name that everyone sees: 1 to 100 characters (code points), in one line. Extra spaces and
   * invisible characters are removed.
   */
  fullName: Scalars['String']['input'];
};

/** Input for `updateReading`: the days that change. A day that is left out stays as it is. */
export type UpdateReadingInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** The day on which the book was finished, from the year 1900 until today; `null` if nobody knows it. */
  finishedOn?: InputMaybe<Scalars['Date']['input']>;
  /** The id of one of `viewerReading { readings }`; the newest reading by default. */
  readingId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * The day on which the book was started, not after the day on which it was finished, which is for a
   * moment the latest one that it was anywhere; `null` if nobody knows it.
   */
  startedOn?: InputMaybe<Scalars['Date']['input']>;
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
  /**
   * The currency of the reader's prices, as a code of ISO 4217. It is that of the first copy that they
   * listed, and each further copy must have it; null before, and unless the reader is the viewer.
   */
  currency?: Maybe<Scalars['String']['output']>;
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
  /** The imports of the reader's library, last begun first; null unless the reader is the viewer. */
  libraryImports?: Maybe<LibraryImportConnection>;
  /**
   * The books, copies, lists and reviews that the reader likes, newest like first; null if the caller
   * may not see them. Changes that others made within the last second may not show yet.
   */
  likes?: Maybe<LikeConnection>;
  /** The copies that the reader sells. */
  listings: ItemConnection;
  /** The lists of books that the reader has made and the caller may see, newest first. */
  lists: BookListConnection;
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
  /**
   * The books that the reader has rated, last rated first; null if the caller may not see the books
   * that the reader has read. A changed rating stays at its place.
   */
  ratings?: Maybe<RatedBookConnection>;
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
   * The reader's reviews of books, newest first. The `node` of an edge is null for a review that was
   * taken down, unless the caller may see that.
   */
  reviews?: Maybe<ReviewConnection>;
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
  /**
   * The reader's goal for a year, and statistics of the books that they finished in it; null if the
   * caller may not see the books that the reader has read. Readings without a known day are in no
   * year, and a moment is in the year of its day in UTC.
   */
  statistics?: Maybe<ReadingStatistics>;
  /**
   * The books in the imports of the reader that the catalogue does not have, by title. Once it has one
   * of them, the book moves to `shelf` within a minute. Null unless the reader is the viewer.
   */
  unlistedBooks?: Maybe<UnlistedBookConnection>;
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
export type UserLibraryImportsArgs = {
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
export type UserListsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
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
export type UserRatingsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
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
export type UserReviewsArgs = {
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
  status?: InputMaybe<ReadingStatus>;
};


/** A reader: a person with an account. */
export type UserStatisticsArgs = {
  year: Scalars['Int']['input'];
};


/** A reader: a person with an account. */
export type UserUnlistedBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ReadingStatus>;
};

/**
 * A reason why a mutation did nothing, for the person who asked for it. All problems of the input are
 * returned together, each field with its `path`, in the order of the schema, at most 100. Problems
 * that only the stored data can show are looked for when the input is valid, and are returned alone.
 * `docs/errors.md` says what to do with each code.
 */
export type UserError = {
  __typename?: 'UserError';
  /** The kind of reason, for programs. */
  code: UserErrorCode;
  /** The problem and what to do about it, for people, in English. */
  message: Scalars['String']['output'];
  /**
   * The path of the input field, from the outermost field: `["input", "email"]`; null if the reason is
   * about no single field.
   */
  path?: Maybe<Array<Scalars['String']['output']>>;
  /** The number of seconds after which another try is considered, with `RATE_LIMITED`. */
  retryAfterSeconds?: Maybe<Scalars['Int']['output']>;
};

/** The kinds of reasons why a mutation did nothing. */
export type UserErrorCode =
  /** The account is suspended; nobody can log in to it. */
  | 'ACCOUNT_SUSPENDED'
  /**
   * The server requires the viewer to verify their email address before they change anything but their
   * login: see `requestEmailVerification`.
   */
  | 'EMAIL_NOT_VERIFIED'
  /** The email address already belongs to an account. */
  | 'EMAIL_TAKEN'
  /** The viewer may not do this: it belongs to someone else, or is for administrators. */
  | 'FORBIDDEN'
  /**
   * No account has this email address and password, the password is not the viewer's, or the code is
   * invalid; `path` says which.
   */
  | 'INVALID_CREDENTIALS'
  /** The text is not an email address. */
  | 'INVALID_EMAIL'
  /** Another input field cannot be used; `path` names it. */
  | 'INVALID_INPUT'
  /**
   * The passkey is not valid here, or no longer valid, or its challenge is too old or was answered
   * before: start again.
   */
  | 'INVALID_PASSKEY'
  /** The password does not meet the rules, or is known from a breach; the message says which. */
  | 'INVALID_PASSWORD'
  /** The token is not valid, or no longer valid: log in again, or ask for another email. */
  | 'INVALID_TOKEN'
  /** The request needs email, which the server's operators have not set up. */
  | 'MAIL_NOT_SET_UP'
  /** The id is well-formed, but no object that the viewer may see has it. */
  | 'NOT_FOUND'
  /** The request needs passkeys, which the server's operators have not set up. */
  | 'PASSKEYS_NOT_SET_UP'
  /**
   * The login of this session was too long ago for the request: send it again with `password`, or log
   * in again.
   */
  | 'PASSWORD_REQUIRED'
  /** Too many tries failed; `retryAfterSeconds` says when to try again. */
  | 'RATE_LIMITED'
  /** The request needs keys for second factors, which the server's operators have not set up. */
  | 'TWO_FACTOR_NOT_SET_UP'
  /**
   * The password is right, and the account has a second factor: send the same request again with
   * `code`.
   */
  | 'TWO_FACTOR_REQUIRED';

/** Input for `verifyEmail`. */
export type VerifyEmailInput = {
  /**
   * The token from the email. It can be used once, within a day unless the server is configured
   * otherwise.
   */
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

/** Input for `withdrawItem`. */
export type WithdrawItemInput = {
  /** The id of the copy. */
  itemId: Scalars['ID']['input'];
};

/** A work: what the editions of a book have in common, in whatever language or form. */
export type Work = Node & {
  __typename?: 'Work';
  /** The editions in the catalogue, most popular first. */
  editions: BookConnection;
  /** The id of the object: opaque, stable and unique. */
  id: Scalars['ID']['output'];
  /**
   * The original title of the most popular edition, or its title if that is the original one; null if
   * no edition is in the catalogue any more.
   */
  title?: Maybe<Scalars['String']['output']>;
};


/** A work: what the editions of a book have in common, in whatever language or form. */
export type WorkEditionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** Input for `writeReview`. */
export type WriteReviewInput = {
  /** The id of the book. */
  bookId: Scalars['ID']['input'];
  /** True if the text tells how the book goes on. */
  hasSpoilers: Scalars['Boolean']['input'];
  /**
   * The language of the text: a code of ISO 639 of two or three letters, such as `en` or `eng`. Left
   * out or null, the review has none, even if its former text had one.
   */
  language?: InputMaybe<Scalars['String']['input']>;
  /**
   * The text: 1 to 10,000 characters (code points). Line breaks stay, with at most one empty line
   * between two others.
   */
  text: Scalars['String']['input'];
};
