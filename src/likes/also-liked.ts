import pLimit from 'p-limit';
import { readSlice, listInMemory } from '../cassandra/paging.ts';
import { first, write } from '../cassandra/statement.ts';
import { bookById, booksNow } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { connection, type Connection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { parseSubject, subjectOf } from '../graphql/ids.ts';
import { openLikersAmong, type OpenLiker } from '../identity/operations.ts';
import { countsNow, newestLikers, type LikeCounts } from '../member-sets/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { alsoLikedLoader } from './loaders.ts';
import {
  ALSO_LIKED_MAX,
  bySimilarity,
  mostSimilar,
  onePerWork,
  sharedReaders,
  SHARED_READERS_MIN,
} from './similarity.ts';
import {
  alsoLikedBook,
  insertAlsoLiked,
  likedPlaces,
  selectAlsoLiked,
  yearsOfLikes,
  type AlsoLikedBook,
} from './tables.ts';

/**
 * "Readers who liked this also liked": a list for each book. It is computed from samples, so a book
 * that millions like costs no more than another. The list has books and numbers, and no readers.
 */

/** The number of newest likers of a book in the sample. */
const LIKERS_MAX = 500;
/** The number of newest likes of each liker in the sample. */
const LIKES_OF_ONE_MAX = 100;
const READERS_AT_ONCE = 8;

/** The relative change of the number of likes after which a list is computed again. */
const GROWTH = 1 / 20;
/** The minimum time between two computations of a list. */
export const AGAIN_MS = 10 * MINUTE_MS;

/** The moment of a list, and the number of likes that it was computed from. */
export interface Computed {
  readonly likeCount: number;
  readonly at: number;
}

/** Returns whether the number of likes has changed enough for a new list. */
export const isOutdated = ({ likeCount }: Pick<Computed, 'likeCount'>, now: number): boolean =>
  now !== likeCount && Math.abs(now - likeCount) >= GROWTH * likeCount;

/** Returns whether a list is too recent to be computed again. */
const isRecent = ({ at }: Pick<Computed, 'at'>, now: Date): boolean => Math.abs(now.getTime() - at) < AGAIN_MS;

/** A list after a check. */
export interface Looked {
  readonly computed: Computed;
  /** True if the list is outdated, and was not computed again because it is recent. */
  readonly isBehind: boolean;
}

/**
 * Computes the list of a book, unless the stored one is recent or not outdated. Several servers may
 * do so at once.
 */
export async function refreshAlsoLiked(app: AppContext, bookId: string): Promise<Looked> {
  const likeableId = subjectOf({ type: 'Book', key: bookId });
  const [stored, found] = await Promise.all([
    first(app.cassandra, selectAlsoLiked, { book_ids: [bookId] }),
    countsNow(app, [likeableId]),
  ]);
  const [counts, now] = [found.get(likeableId), app.clock()];
  const likeCount = counts?.likeCount ?? 0;
  const before = stored && { likeCount: stored.like_count, at: stored.computed_at.getTime() };
  if (before && !isOutdated(before, likeCount)) return { computed: before, isBehind: false };
  if (before && isRecent(before, now)) return { computed: before, isBehind: true };

  // The list of a book with few likes is empty, and not stored unless there was one.
  if (stored || likeCount >= SHARED_READERS_MIN) {
    const books = counts ? await similarTo(app, bookId, counts) : [];
    await write(app.cassandra, insertAlsoLiked, {
      book_id: bookId,
      like_count: likeCount,
      computed_at: now,
      books,
    });
  }
  return { computed: { likeCount, at: now.getTime() }, isBehind: false };
}

/**
 * Computes the books most similar to a book. It reads the audience of each reader's likes from
 * their account, because the rows of likers have the former audience until a job has changed them.
 */
async function similarTo(app: AppContext, bookId: string, counts: LikeCounts): Promise<AlsoLikedBook[]> {
  const newest = await newestLikers(app, counts, LIKERS_MAX);
  const readers = await openLikersAmong(
    app,
    newest.map(({ user_id }) => user_id),
  );
  if (readers.length < SHARED_READERS_MIN) return [];

  const likes = await pLimit(READERS_AT_ONCE).map(readers, (reader) => likedBooks(app, reader));
  const shared = sharedReaders(bookId, likes);
  const likeableIdOf = (key: string) => subjectOf({ type: 'Book', key });
  const ofOthers = await countsNow(app, [...shared.keys()].map(likeableIdOf));
  const similar = mostSimilar(readers.length, shared, (key) => ofOthers.get(likeableIdOf(key))?.likeCount ?? 0);
  const books = await booksNow(app, [bookId, ...similar.map(({ book_id }) => book_id)]);
  const workOf = (key: string) => books.get(key)?.work.id;
  return onePerWork(similar, workOf(bookId) ?? bookId, workOf).slice(0, ALSO_LIKED_MAX);
}

/** Reads the books among the newest likes of a reader. */
async function likedBooks(app: AppContext, { userId, registeredAt }: OpenLiker): Promise<string[]> {
  const buckets = yearsOfLikes(registeredAt, app.clock());
  const list = likedPlaces.list(app.cassandra, { user_id: userId }, { buckets });
  const { rows } = await readSlice(list, { descending: true, from: undefined, limit: LIKES_OF_ONE_MAX });
  return rows.flatMap(({ likeable_id }) => {
    const id = parseSubject(likeable_id);
    return id?.type === 'Book' ? id.key : [];
  });
}

/** A book that readers of another one also like. */
export interface AlsoLikedEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  readonly sharedReaders: number;
  readonly score: number;
}

/**
 * Returns a page of the books that readers of a book also like, most similar first. It leaves out
 * books that were removed from the catalogue, and further editions of listed works.
 * @throws `BAD_USER_INPUT` naming the argument that cannot be used
 */
export async function alsoLikedOf(
  context: RequestContext,
  book: { readonly id: string },
  page: PageArguments,
): Promise<Connection<AlsoLikedEdge>> {
  const similar = (await alsoLikedLoader(context).load(book.id))?.books ?? [];
  // Editions may have been joined or removed since the list was computed.
  const ids = similar.length === 0 ? [] : [book.id, ...similar.map(({ book_id }) => book_id)];
  const found = await Promise.all(ids.map((id) => bookById(context, id)));
  const works = new Map(found.flatMap((each) => (each ? [[each.id, each.work.id]] : [])));
  const shown = onePerWork(similar, works.get(book.id) ?? book.id, (id) => works.get(id));
  const list = {
    ...listInMemory(shown, bySimilarity),
    name: `also liked ${book.id}`,
    descending: false,
    cursor: alsoLikedBook,
  };
  return connection(page, list, ({ book_id, shared_readers, score }, cursor) => ({
    cursor,
    bookId: book_id,
    sharedReaders: shared_readers,
    score,
  }));
}
