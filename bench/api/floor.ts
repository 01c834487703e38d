import fastify from 'fastify';
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
  type BookState,
  type Counts,
  type Item,
} from './by-hand.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import { likeBySameStatements, unlikeBySameStatements } from './same-statements.ts';
import { ready, viewerOf } from './token.ts';

/**
 * The floor: Fastify, the driver, and hand-written code with the necessary statements of each
 * operation. It knows the operations by their texts and parses no GraphQL. Counts are cached for a
 * second, unless EVERY_COUNT is true. A like takes few statements, or the same as our server if
 * SAME_STATEMENTS is true. If BOOKS_KEPT is true each book is read once, so `book` shows the cost
 * of receiving a request and sending its answer.
 */

const COUNTS_KEPT_MS = 1_000;
const PAGE = 20;
const NONE: Counts = { likeCount: 0, shards: [] };

const isEveryCountRead = process.env['EVERY_COUNT'] === 'true';
const [likeIt, unlikeIt] =
  process.env['SAME_STATEMENTS'] === 'true'
    ? [likeBySameStatements, unlikeBySameStatements]
    : [likeByHand, unlikeByHand];
const client = await connectByHand();
const keptBooks = process.env['BOOKS_KEPT'] === 'true' ? new Map<string, BookState>() : undefined;

/**
 * The counts that were read within the last second. Older counts remain until they are requested
 * again, because there are few things.
 */
const kept = new Map<string, { readonly counts: Counts; readonly until: number }>();

async function counts(likeableIds: readonly string[]): Promise<Map<string, Counts>> {
  if (isEveryCountRead) return countsOf(client, likeableIds);

  const now = performance.now();
  const missing = likeableIds.filter((id) => (kept.get(id)?.until ?? 0) < now);
  if (missing.length > 0) {
    const found = await countsOf(client, missing);
    for (const [id, each] of found) kept.set(id, { counts: each, until: now + COUNTS_KEPT_MS });
  }
  return new Map(likeableIds.map((id) => [id, kept.get(id)?.counts ?? NONE]));
}

const countOf = async (likeableId: string): Promise<Counts> => (await counts([likeableId])).get(likeableId) ?? NONE;

async function booksOf(bookIds: readonly string[]): Promise<Map<string, BookState>> {
  const cql = 'SELECT book_id, state FROM books WHERE book_id IN ?';
  const found = await rowsOf<{ book_id: string; state: BookState }>(client, cql, [bookIds]);
  return new Map(found.map(({ book_id, state }) => [book_id, state]));
}

async function likedBy(userId: string, likeableIds: readonly string[]): Promise<Set<string>> {
  const cql = 'SELECT likeable_id, state.liked AS liked FROM likes_by_user WHERE user_id = ? AND likeable_id IN ?';
  const found = await rowsOf<{ likeable_id: string; liked: boolean }>(client, cql, [userId, likeableIds]);
  return new Set(found.flatMap(({ likeable_id, liked }) => (liked ? likeable_id : [])));
}

/**
 * Returns books with the fields that pages of books show: their counts, and whether the viewer
 * likes them.
 */
async function linesOf(viewer: string, likeableIds: readonly string[]) {
  const [books, ofAll, liked] = await Promise.all([
    booksOf(likeableIds.map((id) => id.slice('Book:'.length))),
    counts(likeableIds),
    likedBy(viewer, likeableIds),
  ]);
  return likeableIds.map((id) => {
    const isbn = id.slice('Book:'.length);
    const { title, authors } = books.get(isbn) ?? {};
    return { isbn, title, authors, likeCount: ofAll.get(id)?.likeCount ?? 0, viewerHasLiked: liked.has(id) };
  });
}

/** Returns a page of likes, whose rows have all shown fields of the books. */
async function page(viewer: string, items: readonly Item[]) {
  const likeableIds = items.map(({ likeable_id }) => likeable_id);
  const [ofAll, liked] = await Promise.all([counts(likeableIds), likedBy(viewer, likeableIds)]);
  return items.map(({ liked_at, likeable_id, title, authors }) => ({
    likedAt: liked_at,
    node: {
      isbn: likeable_id.slice('Book:'.length),
      title,
      authors: authors ?? [],
      likeCount: ofAll.get(likeable_id)?.likeCount ?? 0,
      viewerHasLiked: liked.has(likeable_id),
    },
  }));
}

type Handler = (viewer: string, variables: Record<string, string>) => Promise<object>;

const HANDLERS: Readonly<Record<OperationName, Handler>> = {
  book: async (_viewer, { isbn = '' }) => {
    const book = keptBooks?.get(isbn) ?? (await booksOf([isbn])).get(isbn);
    if (!book) return { book: null };
    keptBooks?.set(isbn, book);
    const { title, authors, genres, published_year: publishedYear, average_rating: averageRating } = book;
    return { book: { isbn, title, authors, genres: genres ?? [], publishedYear, averageRating } };
  },
  home: async (viewer) => {
    const [[reader], views, reading, trending] = await Promise.all([
      rowsOf<{ full_name: string }>(client, 'SELECT state.full_name AS full_name FROM users_by_id WHERE user_id = ?', [
        viewer,
      ]),
      viewsOf(client, viewer, PAGE),
      readingNowOf(client, viewer, PAGE),
      trendingByHand(client, PAGE),
    ]);
    const likeableIds = [
      ...[...views, ...reading].map(({ book_id }) => `Book:${book_id}`),
      ...trending.map(({ subject_id }) => subject_id),
    ];
    const lines = await linesOf(viewer, [...new Set(likeableIds)]);
    const byIsbn = new Map(lines.map((line) => [line.isbn, line]));
    const recentlyViewed = views.map(({ viewed_at, book_id }) => ({ viewedAt: viewed_at, node: byIsbn.get(book_id) }));
    const shelf = reading.map(({ at, progress, book_id }) => ({ since: at, progress, node: byIsbn.get(book_id) }));
    return {
      viewer: { fullName: reader?.full_name, recentlyViewed: { edges: recentlyViewed }, shelf: { edges: shelf } },
      trending: {
        edges: trending.map(({ subject_id, likes }) => ({ likes, node: byIsbn.get(subject_id.slice('Book:'.length)) })),
      },
    };
  },
  likes: async (viewer, { id = '' }) => {
    const cql =
      'SELECT state.full_name AS full_name, state.registered_at AS registered_at FROM users_by_id WHERE user_id = ?';
    const [reader] = await rowsOf<{ full_name: string; registered_at: Date }>(client, cql, [keyOf(id)]);
    if (!reader) return { node: null };
    const items = await itemsOf(client, keyOf(id), reader.registered_at, PAGE + 1);
    const likes = { edges: await page(viewer, items.slice(0, PAGE)), pageInfo: { hasNextPage: items.length > PAGE } };
    return { node: { fullName: reader.full_name, likes } };
  },
  likers: async (_viewer, { isbn = '' }) => {
    const [books, ofBook] = await Promise.all([booksOf([isbn]), countOf(`Book:${isbn}`)]);
    const book = books.get(isbn);
    if (!book) return { book: null };
    const likers = await likersOf(client, `Book:${isbn}`, ofBook, PAGE + 1);
    const edges = likers
      .slice(0, PAGE)
      .map(({ liked_at, full_name }) => ({ likedAt: liked_at, node: { fullName: full_name } }));
    const pageInfo = { hasNextPage: likers.length > PAGE };
    return { book: { title: book.title, likeCount: ofBook.likeCount, likers: { edges, pageInfo } } };
  },
  history: async (viewer, { to = '' }) => {
    const actions = await actionsOf(client, viewer, { from: new Date(0), to: new Date(to) }, PAGE + 1);
    const isbns = actions.map(({ subject_id }) => subject_id.slice('Book:'.length)).filter((isbn) => isbn !== '');
    const books = await booksOf([...new Set(isbns)]);
    const edges = actions.slice(0, PAGE).map(({ kind, at, subject_id }) => {
      const isbn = subject_id.slice('Book:'.length);
      const title = books.get(isbn)?.title;
      return { node: { kind, at, book: title === undefined ? null : { isbn, title } } };
    });
    return { viewer: { actions: { edges, pageInfo: { hasNextPage: actions.length > PAGE } } } };
  },
  range: async (_viewer, { id = '' }) => {
    const cql = 'SELECT state.registered_at AS registered_at FROM users_by_id WHERE user_id = ?';
    const [reader] = await rowsOf<{ registered_at: Date }>(client, cql, [keyOf(id)]);
    if (!reader) return { node: null };
    const items = await itemsOf(client, keyOf(id), reader.registered_at, PAGE);
    return { node: { likes: { edges: items.map(({ liked_at, title }) => ({ likedAt: liked_at, title })) } } };
  },
  edge: async (viewer, { isbn = '' }) => ({
    book: { viewerHasLiked: (await likedBy(viewer, [`Book:${isbn}`])).size > 0 },
  }),
  count: async (_viewer, { isbn = '' }) => ({ book: { likeCount: (await countOf(`Book:${isbn}`)).likeCount } }),
  timeRange: async (viewer, { from = '', to = '' }) => {
    const actions = await actionsOf(client, viewer, { from: new Date(from), to: new Date(to) }, PAGE);
    return { viewer: { actions: { edges: actions.map(({ kind, at }) => ({ node: { kind, at } })) } } };
  },
  like: async (viewer, { id = '' }) => {
    const { changed, likeCount } = await likeIt(client, viewer, keyOf(id));
    return { like: { changed, likeable: { likeCount, viewerHasLiked: true }, userErrors: [] } };
  },
  unlike: async (viewer, { id = '' }) => {
    const { changed, likeCount } = await unlikeIt(client, viewer, keyOf(id));
    return { unlike: { changed, likeable: { likeCount, viewerHasLiked: false }, userErrors: [] } };
  },
};

const handlers = new Map<string, Handler>(
  (Object.keys(HANDLERS) as OperationName[]).map((name) => [OPERATIONS[name], HANDLERS[name]]),
);
const server = fastify();
server.post<{ Body: { query: string; variables: Record<string, string> } }>('/graphql', async ({ body, headers }) => {
  const handler = handlers.get(body.query);
  if (!handler) throw new Error('not an operation of this benchmark');
  return { data: await handler(viewerOf(headers.authorization), body.variables) };
});
ready(Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port));
process.on('SIGTERM', () => process.exit(0));
