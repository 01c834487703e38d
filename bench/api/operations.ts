/**
 * The operations that are sent to the systems, in terms of our schema. Systems that know them in
 * advance may recognise them by their texts.
 */

const LINE = 'isbn title authors likeCount viewerHasLiked';
const CHANGE = '{ changed likeable { likeCount viewerHasLiked } userErrors { code } }';

export const OPERATIONS = {
  book: 'query Book($isbn: String!) { book(isbn: $isbn) { isbn title authors genres publishedYear averageRating } }',
  home: `query Home { viewer { fullName recentlyViewed(first: 20) { edges { viewedAt node { ${LINE} } } }
     shelf(status: READING, first: 20) { edges { since progress node { ${LINE} } } } }
     trending(window: WEEK, of: BOOK, first: 20) { edges { likes node { ... on Book { ${LINE} } } } } }`,
  likes: `query Likes($id: ID!) { node(id: $id) {
     ... on User { fullName likes(first: 20) { edges { likedAt node { ... on Book { ${LINE} } } }
     pageInfo { hasNextPage } } } } }`,
  likers: `query Likers($isbn: String!) {
     book(isbn: $isbn) { title likeCount
     likers(first: 20) { edges { likedAt node { fullName } } pageInfo { hasNextPage } } } }`,
  history: `query History($to: DateTime!) {
     viewer { actions(to: $to, first: 20) { edges { node { kind at book { isbn title } } }
     pageInfo { hasNextPage } } } }`,
  range: 'query Range($id: ID!) { node(id: $id) { ... on User { likes(first: 20) { edges { likedAt title } } } } }',
  edge: 'query Edge($isbn: String!) { book(isbn: $isbn) { viewerHasLiked } }',
  count: 'query Count($isbn: String!) { book(isbn: $isbn) { likeCount } }',
  timeRange: `query TimeRange($from: DateTime!, $to: DateTime!) {
     viewer { actions(from: $from, to: $to, first: 20) { edges { node { kind at } } } } }`,
  like: `mutation Like($id: ID!) { like(input: { id: $id }) ${CHANGE} }`,
  unlike: `mutation Unlike($id: ID!) { unlike(input: { id: $id }) ${CHANGE} }`,
} as const;

export type OperationName = keyof typeof OPERATIONS;
