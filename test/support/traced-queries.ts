/** The queries of which `test/traces.test.ts` documents the costs. */

/** The number of rows on each page. */
export const PAGE = 2;
const edges = (fields: string) => `edges { cursor ${fields} }`;
const book = 'node { id title }';

/** Queries that filter the rows that they read, read several partitions, or count 1,000 rows. */
export const FILTERED = new Set([
  'copies',
  'copies of a genre by price',
  'books(query:), with wrong letters',
  'books(query:), a whole title',
  'books(query:), two words',
  'books(genre:), narrowed by a word',
  'books(author:), the last name',
  'genres',
  'feed',
  'User.likes with their number',
  'User.lists',
  'User.notifications',
  'User.unreadNotificationCount',
  'libraries by name, opened within a range',
  'libraries near a position',
]);

/** Queries for administrators only. */
export const FOR_ADMINISTRATORS = new Set([
  'clicks of all sessions',
  'siteActivity by hour, a day',
  'events of a book within an hour',
  'measurements of a day',
  'reports',
  'administration',
]);

/** All queries, each with a page of 2 rows of a longer list. */
export const QUERIES: readonly (readonly [name: string, query: string])[] = [
  ['book(isbn:)', '{ book(isbn: "0439023483") { title authors } }'],
  [
    'book(isbn:) with counts and the viewer’s like and reading',
    '{ book(isbn: "0439023483") { title likeCount viewerHasLiked viewerReading { status } } }',
  ],
  [
    'node(id:), a copy with its book and seller',
    'query ($item: ID!) { node(id: $item) { ... on Item { title book { title } seller { fullName } } } }',
  ],
  ['books', `{ books(first: 2) { ${edges(book)} } }`],
  ['books(orderBy: TITLE)', `{ books(orderBy: TITLE, first: 2) { ${edges(book)} } }`],
  ['books(orderBy: PUBLISHED)', `{ books(orderBy: PUBLISHED, first: 2) { ${edges(book)} } }`],
  ['books(orderBy: ADDED)', `{ books(orderBy: ADDED, first: 2) { ${edges(book)} } }`],
  ['books(query:), a whole title', `{ books(query: "the hunger games", first: 2) { ${edges(book)} } }`],
  ['books(query:), an ISBN', `{ books(query: "0439023483", first: 2) { ${edges(book)} } }`],
  ['books(query:), with wrong letters', `{ books(query: "hary poter", first: 2) { ${edges(book)} } }`],
  ['books(query:), one word', `{ books(query: "har", first: 2) { ${edges(book)} } }`],
  ['books(query:), two words', `{ books(query: "har pot", first: 2) { ${edges(book)} } }`],
  ['books(genre:)', `{ books(genre: "fantasy", first: 2) { ${edges(book)} } }`],
  ['books(genre:), narrowed by a word', `{ books(genre: "fantasy", query: "har", first: 2) { ${edges(book)} } }`],
  ['genres', `{ genres(first: 2) { ${edges('node { name bookCount }')} } }`],
  ['books(author:)', `{ books(author: "J.K. Rowling", first: 2) { ${edges(book)} } }`],
  ['author(name:)', `{ author(name: "J.K. Rowling") { name books(first: 2) { ${edges(book)} } } }`],
  ['series(name:)', `{ series(name: "Harry Potter") { name books(first: 2) { ${edges(`position ${book}`)} } } }`],
  ['books(author:), the last name', `{ books(author: "Rowling", first: 2) { ${edges(book)} } }`],
  ['Book.likers', `{ book(isbn: "0439023483") { likers(first: 2) { ${edges('node { fullName } likedAt')} } } }`],
  [
    'Book.likers, with pictures',
    `{ book(isbn: "0439023483") { likers(first: 2) { ${edges('node { fullName avatarUrl }')} } } }`,
  ],
  ['Book.work', `{ book(isbn: "0439023483") { work { title editions(first: 2) { ${edges('node { title }')} } } } }`],
  ['book(isbn:) of no edition', '{ book(isbn: "9791234567896") { title } }'],
  ['Book.knownLikers', '{ book(isbn: "0439023483") { knownLikers { count nodes { fullName } } } }'],
  ['Book.likeTally', '{ book(isbn: "0439023483") { likeTally { count isExact } } }'],
  ['Book.ratingTally', '{ book(isbn: "0439023483") { viewerRating ratingTally { average isExact } } }'],
  ['Book.alsoLiked', `{ book(isbn: "0439023483") { alsoLiked(first: 2) { ${edges('sharedReaders')} } } }`],
  [
    'Book.reviews, most liked first',
    `{ book(isbn: "0439023483") { reviews(orderBy: MOST_LIKED, first: 2) { ${edges('node { text author { fullName } }')} } } }`,
  ],
  ['copies', `{ copies(first: 2) { ${edges(book)} } }`],
  [
    'copies of a genre by price',
    `{ copies(genre: "fantasy", orderBy: PRICE, currency: "EUR", first: 2) { ${edges(book)} } }`,
  ],
  ['Book.copies', `{ book(isbn: "0439023483") { copies(first: 2) { ${edges('node { title price { amount } }')} } } }`],
  [
    'Book.activity by hour, a day',
    '{ book(isbn: "0439023483") { activity(granularity: HOUR, from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z") { likes } } }',
  ],
  [
    'siteActivity by hour, a day',
    '{ siteActivity(granularity: HOUR, from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z") { likes } }',
  ],
  [
    'events of a book within an hour',
    `query ($book: ID!) { events(id: $book, from: "2026-07-05T12:00:00Z", to: "2026-07-05T13:00:00Z", first: 2) { ${edges('node { kind at }')} } }`,
  ],
  [
    'measurements of a day',
    '{ measurements(series: "requests", from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z") { at value } }',
  ],
  ['reports', `{ reports(status: OPEN, first: 2) { ${edges('node { reason at reporter { fullName } }')} } }`],
  [
    'administration',
    `query ($book: ID!) { administration(id: $book, first: 2) { ${edges('node { kind at reason }')} } }`,
  ],
  ['trending(window:)', `{ trending(window: DAY, first: 2) { ${edges('node { id } likes')} } }`],
  ['viewer', '{ viewer { fullName email } }'],
  [
    'User.likes, counts and flags included',
    `{ viewer { likes(first: 2) { ${edges('title node { likeCount viewerHasLiked }')} } } }`,
  ],
  ['User.likes with their number', `{ viewer { likes(first: 2) { count { value } ${edges('title')} } } }`],
  ['User.readBooks by title', `{ viewer { readBooks(first: 2) { ${edges(book)} } } }`],
  ['User.readBooks by date', `{ viewer { readBooks(orderBy: READ_AT, first: 2) { ${edges(book)} } } }`],
  ['User.ratings', `{ viewer { ratings(first: 2) { ${edges(`rating ${book}`)} } } }`],
  ['User.reviews', `{ viewer { reviews(first: 2) { ${edges('node { text }')} } } }`],
  ['User.lists', `{ viewer { lists(first: 2) { ${edges('node { title }')} } } }`],
  ['User.libraryImports', `{ viewer { libraryImports(first: 2) { ${edges('node { source status }')} } } }`],
  [
    'User.unlistedBooks',
    `{ viewer { unlistedBooks(first: 2) { ${edges('node { title libraryImport { source } }')} } } }`,
  ],
  [
    'BookList.entries',
    `query ($list: ID!) { node(id: $list) { ... on BookList { entries(first: 2) { ${edges(`note ${book}`)} } } } }`,
  ],
  ['User.statistics', '{ viewer { statistics(year: 2026) { goal books pages longest { title } } } }'],
  ['User.shelf', `{ viewer { shelf(status: READ, first: 2) { ${edges(book)} } } }`],
  ['User.shelf, all shelves', `{ viewer { shelf(first: 2) { ${edges(`status ${book}`)} } } }`],
  ['User.actions', `{ viewer { actions(first: 2) { ${edges('node { kind at }')} } } }`],
  [
    'User.actions of two months',
    `{ viewer { actions(from: "2026-06-01T00:00:00Z", orderBy: OLDEST, first: 20) { ${edges('node { kind at }')} } } }`,
  ],
  ['User.actions of a kind', `{ viewer { actions(kinds: [VIEWED], first: 2) { ${edges('node { kind at }')} } } }`],
  [
    'User.actions of three kinds',
    `{ viewer { actions(kinds: [VIEWED, LIKED, CLICKED], first: 2) { ${edges('node { kind at }')} } } }`,
  ],
  ['User.recentlyViewed', `{ viewer { recentlyViewed(first: 2) { ${edges(book)} } } }`],
  ['User.followers', `{ viewer { followers(first: 2) { totalCount ${edges('node { fullName }')} } } }`],
  ['User.following', `{ viewer { following(first: 2) { ${edges('node { fullName viewerFollows }')} } } }`],
  ['User.followRequests', `{ viewer { followRequests(first: 2) { ${edges('node { fullName }')} } } }`],
  ['feed', `{ feed(first: 2) { ${edges('node { kind reader { fullName } book { title } }')} } }`],
  ['User.followerTally', '{ viewer { followerTally { count isExact } } }'],
  [
    'User.notifications',
    `{ viewer { notifications(first: 2) { ${edges('node { kind count readers { fullName } subject { id } }')} } } }`,
  ],
  ['User.unreadNotificationCount', '{ viewer { unreadNotificationCount } }'],
  ['User.blocked', `{ viewer { blocked(first: 2) { ${edges('node { fullName }')} } } }`],
  ['User.sessions', `{ viewer { sessions(first: 2) { ${edges('node { startedAt }')} } } }`],
  [
    'User.sessions with their clicks’ figures',
    `{ viewer { sessions(first: 2) { ${edges('node { clickCount lastClickAt duration }')} } } }`,
  ],
  ['User.securityEvents', `{ viewer { securityEvents(first: 2) { ${edges('node { kind }')} } } }`],
  ['User.loginCount', '{ viewer { loginCount(last: "P1M") } }'],
  ['User.currency', '{ viewer { currency } }'],
  [
    'User.listings by price',
    `{ viewer { listings(orderBy: PRICE, first: 2) { ${edges('node { title price { amount } }')} } } }`,
  ],
  [
    'User.listings by price, within a range',
    `{ viewer { listings(orderBy: PRICE_DESC, priceBetween: { min: "2", max: "4" }, first: 2) { ${edges('node { title }')} } } }`,
  ],
  ['User.listings by date', `{ viewer { listings(first: 2) { ${edges('node { title }')} } } }`],
  [
    'Session.clicks',
    `query ($session: ID!) { node(id: $session) { ... on Session { clicks(first: 2) { ${edges('node { at }')} } } } }`,
  ],
  [
    'clicks of all sessions',
    `{ clicks(from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z", first: 2) { ${edges('node { at target sessionId }')} } }`,
  ],
  [
    'libraries by name',
    `{ libraries(country: "us", state: "oregon", city: "salem", first: 2) { ${edges('node { name }')} } }`,
  ],
  [
    'libraries near a position',
    `{ libraries(near: { latitude: 44.94, longitude: -123.03, withinKm: 10 }, first: 2) { ${edges('distanceKm node { name }')} } }`,
  ],
  ['libraries by name, in all states', `{ libraries(city: "salem", first: 2) { ${edges('node { name }')} } }`],
  [
    'libraries by opening',
    `{ libraries(country: "us", state: "oregon", city: "salem", orderBy: OPENED, first: 2) { ${edges('node { name }')} } }`,
  ],
  [
    'libraries by name, opened within a range',
    `{ libraries(country: "us", state: "oregon", city: "salem", openedBetween: { from: "1991-01-01" }, first: 2) { ${edges('node { name }')} } }`,
  ],
  [
    'libraries by opening, newest first',
    `{ libraries(country: "us", state: "oregon", city: "salem", orderBy: OPENED_DESC, first: 2) { ${edges('node { name }')} } }`,
  ],
  [
    'libraries by opening, within a range',
    `{ libraries(country: "us", state: "oregon", city: "salem", orderBy: OPENED, openedBetween: { from: "1991-01-01", to: "1995-01-01" }, first: 2) { ${edges('node { name }')} } }`,
  ],
  ['countries', `{ countries(first: 2) { ${edges('node { name }')} } }`],
  ['states', `{ states(country: "us", first: 2) { ${edges('node { name }')} } }`],
  ['cities', `{ cities(country: "us", state: "OR", first: 2) { ${edges('node { name }')} } }`],
];
