import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../src/terminal/progress.ts';
import type { Bench } from '../bench.ts';
import { keyOf } from './by-hand.ts';
import type { Data } from './shapes.ts';
import type { OperationName } from './operations.ts';
import { findPostgres, startPostgres } from './postgres.ts';
import { POSTGRAPHILE, type System } from './systems.ts';

/**
 * PostGraphile on a PostgreSQL with the same data. Its schema has other names, so its requests and
 * answers are translated.
 */

const FOLDER = join(import.meta.dirname, '../postgraphile');
const CHANGE = '{ result { changed likeCount viewerHasLiked } }';

/**
 * Makes our operations in terms of PostGraphile's schema, for the same values.
 * @param variable declares the variable of the reader, if the requests name theirs
 * @param reader passes that variable to a field
 */
const queriesOf = (variable: string, reader: string): Readonly<Record<OperationName, string>> => {
  const liked = `viewerHasLiked${bracketed(reader)}`;
  const line = `{ isbn title authors likeCount ${liked} }`;
  const declared = bracketed(variable);
  return {
    book: `query Book($isbn: String!) {
     bookByIsbn(isbn: $isbn) { isbn title authors genres publishedYear averageRating } }`,
    home: `query Home${declared} { viewer${bracketed(reader)} { fullName
     viewsByReaderId(first: 20, orderBy: [VIEWED_AT_DESC, ISBN_ASC]) {
     edges { node { viewedAt bookByIsbn ${line} } } }
     readingsByReaderId(first: 20, condition: { status: "READING" }, orderBy: [SINCE_DESC, ISBN_DESC]) {
     edges { node { since progress bookByIsbn ${line} } } } }
     allTrendings(first: 20, orderBy: [RANK_ASC]) { edges { node { likes bookByIsbn ${line} } } } }`,
    likes: `query Likes($id: UUID! ${variable}) { readerByReaderId(readerId: $id) { fullName
     likesByReaderId(first: 20, orderBy: [LIKED_AT_DESC, ISBN_DESC]) {
     edges { node { likedAt bookByIsbn ${line} } } pageInfo { hasNextPage } } } }`,
    likers: `query Likers($isbn: String!) {
     bookByIsbn(isbn: $isbn) { title likeCount
     likesByIsbn(first: 20, orderBy: [LIKED_AT_DESC, READER_ID_DESC]) {
     edges { node { likedAt readerByReaderId { fullName } } } pageInfo { hasNextPage } } } }`,
    history: `query History($to: Datetime! ${variable}) {
     viewer${bracketed(reader)} { history(until: $to, first: 20) { edges { node { kind at bookByIsbn { isbn title } } }
     pageInfo { hasNextPage } } } }`,
    range: `query Range($id: UUID!) { readerByReaderId(readerId: $id) {
     likesByReaderId(first: 20, orderBy: [LIKED_AT_DESC, ISBN_DESC]) {
     edges { node { likedAt bookByIsbn { title } } } } } }`,
    edge: `query Edge($isbn: String! ${variable}) { bookByIsbn(isbn: $isbn) { ${liked} } }`,
    count: 'query Count($isbn: String!) { bookByIsbn(isbn: $isbn) { likeCount } }',
    timeRange: `query TimeRange($from: Datetime!, $to: Datetime! ${variable}) {
     viewer${bracketed(reader)} { history(since: $from, until: $to, first: 20) { edges { node { kind at } } } } }`,
    like: `mutation Like($id: String! ${variable}) { likeBook(input: { book: $id ${reader} }) ${CHANGE} }`,
    unlike: `mutation Unlike($id: String! ${variable}) { unlikeBook(input: { book: $id ${reader} }) ${CHANGE} }`,
  };
};

const bracketed = (text: string) => (text === '' ? '' : `(${text})`);

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}
interface Page<Node> extends Edges<Node> {
  readonly pageInfo: object;
}
interface Like {
  readonly likedAt: string;
  readonly bookByIsbn: { readonly title: string };
  readonly readerByReaderId: object;
}
interface Action {
  readonly kind: string;
  readonly at: string;
  readonly bookByIsbn?: object | null;
}
interface OfBook {
  readonly bookByIsbn: object;
}
interface Answer {
  readonly bookByIsbn: { readonly title: string; readonly likeCount: number; readonly likesByIsbn: Page<Like> };
  readonly readerByReaderId: { readonly fullName: string; readonly likesByReaderId: Page<Like> };
  readonly viewer: {
    readonly fullName: string;
    readonly history: Page<Action>;
    readonly viewsByReaderId: Edges<OfBook & { readonly viewedAt: string }>;
    readonly readingsByReaderId: Edges<OfBook & { readonly since: string; readonly progress: number }>;
  };
  readonly allTrendings: Edges<OfBook & { readonly likes: number }>;
  readonly likeBook: { readonly result: Change };
  readonly unlikeBook: { readonly result: Change };
}
interface Change {
  readonly changed: boolean;
  readonly likeCount: number;
  readonly viewerHasLiked: boolean;
}

/** Formats moments like our server. */
const momentOf = (text: string) => new Date(text).toISOString();

const pageOf = ({ edges, pageInfo }: Page<Like>, nodeOf: (like: Like) => object) => ({
  edges: edges.map(({ node }) => ({ likedAt: momentOf(node.likedAt), node: nodeOf(node) })),
  pageInfo,
});
const changeOf = ({ result: { changed, ...likeable } }: { readonly result: Change }) => ({
  changed,
  likeable,
  userErrors: [],
});

/** PostGraphile's answers with our names. */
const VALUES: Readonly<Record<OperationName, (answer: Answer) => object>> = {
  book: ({ bookByIsbn }) => ({ book: bookByIsbn }),
  home: ({ viewer: { fullName, viewsByReaderId, readingsByReaderId }, allTrendings }) => ({
    viewer: {
      fullName,
      recentlyViewed: {
        edges: viewsByReaderId.edges.map(({ node: { viewedAt, bookByIsbn } }) => ({
          viewedAt: momentOf(viewedAt),
          node: bookByIsbn,
        })),
      },
      shelf: {
        edges: readingsByReaderId.edges.map(({ node: { since, progress, bookByIsbn } }) => ({
          since: momentOf(since),
          progress,
          node: bookByIsbn,
        })),
      },
    },
    trending: { edges: allTrendings.edges.map(({ node: { likes, bookByIsbn } }) => ({ likes, node: bookByIsbn })) },
  }),
  likes: ({ readerByReaderId: { fullName, likesByReaderId } }) => ({
    node: { fullName, likes: pageOf(likesByReaderId, ({ bookByIsbn }) => bookByIsbn) },
  }),
  likers: ({ bookByIsbn: { title, likeCount, likesByIsbn } }) => ({
    book: { title, likeCount, likers: pageOf(likesByIsbn, ({ readerByReaderId }) => readerByReaderId) },
  }),
  history: ({ viewer: { history } }) => ({
    viewer: {
      actions: {
        edges: history.edges.map(({ node: { kind, at, bookByIsbn } }) => ({
          node: { kind, at: momentOf(at), book: bookByIsbn },
        })),
        pageInfo: history.pageInfo,
      },
    },
  }),
  range: ({ readerByReaderId: { likesByReaderId } }) => ({
    node: {
      likes: {
        edges: likesByReaderId.edges.map(({ node: { likedAt, bookByIsbn } }) => ({
          likedAt: momentOf(likedAt),
          title: bookByIsbn.title,
        })),
      },
    },
  }),
  edge: ({ bookByIsbn }) => ({ book: bookByIsbn }),
  count: ({ bookByIsbn }) => ({ book: bookByIsbn }),
  timeRange: ({ viewer: { history } }) => ({
    viewer: {
      actions: { edges: history.edges.map(({ node: { kind, at } }) => ({ node: { kind, at: momentOf(at) } })) },
    },
  }),
  like: ({ likeBook }) => ({ like: changeOf(likeBook) }),
  unlike: ({ unlikeBook }) => ({ unlike: changeOf(unlikeBook) }),
};

/**
 * Starts PostgreSQL and PostGraphile, with as many connections between them as clients have to
 * PostGraphile. PostGraphile is started twice: its requests name their reader as an argument, or
 * the reader is a setting of PostgreSQL, which row security needs.
 * @returns none if one is not installed; then it prints how to install it
 */
export async function startPostgraphile(
  { startServer, atEnd }: Bench,
  data: Data,
  connections: number,
): Promise<System[]> {
  const programs = findPostgres();
  if (programs === undefined)
    say('without PostGraphile: PostgreSQL is not installed; on Debian the package is postgresql');
  const isInstalled = existsSync(join(FOLDER, 'node_modules'));
  if (!isInstalled) say('without PostGraphile: install it with npm ci --prefix bench/postgraphile');
  if (programs === undefined || !isInstalled) return [];

  const postgres = await startPostgres(programs, join(FOLDER, 'tables.sql'), data, atEnd);
  const start = async (name: string, hasSettings: boolean): Promise<System> => {
    const own = {
      DATABASE_URL: postgres.url,
      CONNECTIONS: String(connections),
      NODE_ENV: 'production',
      SETTINGS: String(hasSettings),
    };
    const server = await startServer(own, undefined, join(FOLDER, 'server.js'));
    const queries = hasSettings ? queriesOf('', '') : queriesOf('$viewer: UUID!', 'reader: $viewer');
    return {
      name,
      url: server.url,
      pid: server.process.pid ?? 0,
      databasePid: postgres.pid,
      refresh: postgres.refreshTrending,
      request: ({ operation, reader, variables }) => {
        const { id } = variables;
        const viewer = hasSettings ? {} : { viewer: data.readers[reader]?.userId };
        const key = typeof id === 'string' ? { id: keyOf(id) } : {};
        return { query: queries[operation], variables: { ...variables, ...viewer, ...key } };
      },
      valuesOf: (operation, answer) => VALUES[operation](answer as Answer),
    };
  };
  return Promise.all([start(POSTGRAPHILE, false), start('PostGraphile with settings', true)]);
}
