import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import DataLoader from 'dataloader';
import {
  actionsOf,
  connectByHand,
  countsOf,
  itemsOf,
  keyOf,
  likeByHand,
  likersOf,
  readingNowOf,
  rowsOf,
  trendingByHand,
  unlikeByHand,
  viewsOf,
  type ActionRow,
  type BookState,
  type Changed,
  type Counts,
  type Item,
  type Liker,
  type ReadingNow,
  type Trend,
  type View,
} from './by-hand.ts';
import { ready, viewerOf } from './token.ts';

/**
 * Plain Apollo Server, as in its guide, with a DataLoader for all reads by key, and one statement
 * for each key.
 */

const TYPES = `
  type Query { viewer: User, book(isbn: String!): Book, node(id: ID!): Node
    trending(window: TrendingWindow!, of: LikeableKind!, first: Int!): TrendingConnection! }
  enum TrendingWindow { WEEK }
  enum LikeableKind { BOOK }
  enum ReadingStatus { READING }
  type TrendingConnection { edges: [TrendingEdge!]! }
  type TrendingEdge { likes: Int!, node: Likeable }
  type Mutation { like(input: LikeInput!): LikePayload, unlike(input: LikeInput!): LikePayload }
  input LikeInput { id: ID! }
  interface Node { id: ID! }
  interface Likeable { likeCount: Int!, viewerHasLiked: Boolean! }
  type Book implements Node & Likeable {
    id: ID!, isbn: String!, title: String!, authors: [String!]!, genres: [String!]!, publishedYear: Int, averageRating: Float
    likeCount: Int!, viewerHasLiked: Boolean!, likers(first: Int!): LikerConnection!
  }
  type User implements Node { id: ID!, fullName: String!, likes(first: Int!): LikeConnection!
    actions(from: DateTime, to: DateTime!, first: Int!): ActionConnection!
    recentlyViewed(first: Int!): ViewedBookConnection!, shelf(status: ReadingStatus!, first: Int!): ShelfConnection! }
  type ViewedBookConnection { edges: [ViewedBookEdge!]! }
  type ViewedBookEdge { viewedAt: String!, node: Book }
  type ShelfConnection { edges: [ShelfEdge!]! }
  type ShelfEdge { since: String!, progress: Int!, node: Book }
  scalar DateTime
  type ActionConnection { edges: [ActionEdge!]!, pageInfo: PageInfo! }
  type ActionEdge { node: Action! }
  type Action { kind: String!, at: String!, book: Book }
  type PageInfo { hasNextPage: Boolean! }
  type LikeConnection { edges: [LikeEdge!]!, pageInfo: PageInfo! }
  type LikeEdge { likedAt: String!, title: String!, node: Likeable }
  type LikerConnection { edges: [LikerEdge!]!, pageInfo: PageInfo! }
  type LikerEdge { likedAt: String!, node: User }
  type LikePayload { changed: Boolean!, likeable: Likeable, userErrors: [UserError!]! }
  type UserError { code: String! }
`;

const client = await connectByHand();

interface UserRow {
  readonly full_name: string;
  readonly registered_at: Date;
}

/** Makes a loader that sends one statement for each key. */
const byKey = <Value>(load: (key: string) => Promise<Value>) =>
  new DataLoader((keys: readonly string[]) => Promise.all(keys.map(load)));

const contextOf = (viewer: string) => ({
  viewer,
  books: byKey(async (isbn) => {
    const cql = 'SELECT state FROM books WHERE book_id = ?';
    const [row] = await rowsOf<{ state: BookState }>(client, cql, [isbn]);
    return row && { __typename: 'Book', isbn, ...row.state, genres: row.state.genres ?? [] };
  }),
  users: byKey(async (userId) => {
    const cql =
      'SELECT state.full_name AS full_name, state.registered_at AS registered_at FROM users_by_id WHERE user_id = ?';
    const [row] = await rowsOf<UserRow>(client, cql, [userId]);
    return row && { __typename: 'User', userId, ...row };
  }),
  counts: byKey(
    async (likeableId): Promise<Counts> =>
      (await countsOf(client, [likeableId])).get(likeableId) ?? { likeCount: 0, shards: [] },
  ),
  liked: byKey(async (likeableId) => {
    const cql = 'SELECT state.liked AS liked FROM likes_by_user WHERE user_id = ? AND likeable_id = ?';
    const [row] = await rowsOf<{ liked: boolean }>(client, cql, [viewer, likeableId]);
    return row?.liked === true;
  }),
});
type Context = ReturnType<typeof contextOf>;

interface Book extends BookState {
  readonly isbn: string;
  /** The values after a change; otherwise they are read. */
  readonly likeCount?: number;
  readonly viewerHasLiked?: boolean;
}
interface User extends UserRow {
  readonly userId: string;
}

const pageOf = <Edge>(edges: readonly Edge[], first: number) => ({
  edges: edges.slice(0, first),
  pageInfo: { hasNextPage: edges.length > first },
});

const change =
  (changeOne: typeof likeByHand, viewerHasLiked: boolean) =>
  async (_parent: unknown, { input }: { input: { id: string } }, { viewer, books }: Context) => {
    const [book, { changed, likeCount }]: [object | undefined, Changed] = await Promise.all([
      books.load(keyOf(input.id)),
      changeOne(client, viewer, keyOf(input.id)),
    ]);
    return { changed, likeable: { ...book, likeCount, viewerHasLiked }, userErrors: [] };
  };

const resolvers = {
  Query: {
    viewer: (_parent: unknown, _arguments: unknown, { users, viewer }: Context) => users.load(viewer),
    book: (_parent: unknown, { isbn }: { isbn: string }, { books }: Context) => books.load(isbn),
    node: (_parent: unknown, { id }: { id: string }, { users }: Context) => users.load(keyOf(id)),
    trending: async (_parent: unknown, { first }: { first: number }) => ({
      edges: await trendingByHand(client, first),
    }),
  },
  Mutation: { like: change(likeByHand, true), unlike: change(unlikeByHand, false) },
  Book: {
    publishedYear: ({ published_year }: Book) => published_year,
    averageRating: ({ average_rating }: Book) => average_rating,
    likeCount: async ({ isbn, likeCount }: Book, _arguments: unknown, { counts }: Context) =>
      likeCount ?? (await counts.load(`Book:${isbn}`)).likeCount,
    viewerHasLiked: ({ isbn, viewerHasLiked }: Book, _arguments: unknown, { liked }: Context) =>
      viewerHasLiked ?? liked.load(`Book:${isbn}`),
    likers: async ({ isbn }: Book, { first }: { first: number }, { counts }: Context) =>
      pageOf(await likersOf(client, `Book:${isbn}`, await counts.load(`Book:${isbn}`), first + 1), first),
  },
  User: {
    fullName: ({ full_name }: { full_name: string }) => full_name,
    likes: async ({ userId, registered_at }: User, { first }: { first: number }) =>
      pageOf(await itemsOf(client, userId, registered_at, first + 1), first),
    recentlyViewed: async ({ userId }: User, { first }: { first: number }) => ({
      edges: await viewsOf(client, userId, first),
    }),
    shelf: async ({ userId }: User, { first }: { first: number }) => ({
      edges: await readingNowOf(client, userId, first),
    }),
    actions: async ({ userId }: User, { from, to, first }: { from?: string; to: string; first: number }) => {
      const within = { from: new Date(from ?? 0), to: new Date(to) };
      const actions = await actionsOf(client, userId, within, first + 1);
      return pageOf(
        actions.map((node) => ({ node })),
        first,
      );
    },
  },
  Action: {
    at: ({ at }: ActionRow) => at.toISOString(),
    book: ({ subject_id }: ActionRow, _arguments: unknown, { books }: Context) =>
      subject_id === '' ? null : books.load(subject_id.slice('Book:'.length)),
  },
  LikeEdge: {
    likedAt: ({ liked_at }: Item) => liked_at.toISOString(),
    node: ({ likeable_id }: Item, _arguments: unknown, { books }: Context) =>
      books.load(likeable_id.slice('Book:'.length)),
  },
  TrendingEdge: {
    node: ({ subject_id }: Trend, _arguments: unknown, { books }: Context) =>
      books.load(subject_id.slice('Book:'.length)),
  },
  ViewedBookEdge: {
    viewedAt: ({ viewed_at }: View) => viewed_at.toISOString(),
    node: ({ book_id }: View, _arguments: unknown, { books }: Context) => books.load(book_id),
  },
  ShelfEdge: {
    since: ({ at }: ReadingNow) => at.toISOString(),
    node: ({ book_id }: ReadingNow, _arguments: unknown, { books }: Context) => books.load(book_id),
  },
  LikerEdge: {
    likedAt: ({ liked_at }: Liker) => liked_at.toISOString(),
    node: ({ full_name }: Liker) => ({ __typename: 'User', full_name }),
  },
};

const server = new ApolloServer<Context>({ typeDefs: TYPES, resolvers });
const { url } = await startStandaloneServer(server, {
  listen: { port: 0, host: '127.0.0.1' },
  context: ({ req }) => Promise.resolve(contextOf(viewerOf(req.headers.authorization))),
});
ready(Number(new URL(url).port));
process.on('SIGTERM', () => process.exit(0));
