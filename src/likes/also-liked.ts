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
import { alsoLikedBook, insertAlsoLiked, likedPlaces, selectAlsoLiked, type AlsoLikedBook } from './tables.ts';
import { yearsOfLikes } from './years.ts';

/**
 * "Readers who liked this also liked": a list for each book, computed from samples, so that it
 * costs the same for a book that millions like. The list holds books and numbers, and no reader.
 */

/** The number of newest likers of a book that are looked at. */
const LIKERS_MAX = 500;
/** The number of newest likes of each of them. */
const LIKES_OF_ONE_MAX = 100;
const READERS_AT_ONCE = 8;

/** A list is computed again after the likes have grown or shrunk by this share of their number. */
const GROWTH = 1 / 20;
/** The time during which a list is not computed again, however much its book is liked. */
export const AGAIN_MS = 10 * MINUTE_MS;

/** The moment of a list, and the number of likes that it follows from. */
export interface Computed {
  readonly likeCount: number;
  readonly at: number;
}

/** Returns whether likes have changed so much that a list no longer follows from them. */
export const isOutdated = ({ likeCount }: Pick<Computed, 'likeCount'>, now: number): boolean =>
  now !== likeCount && Math.abs(now - likeCount) >= GROWTH * likeCount;

/** Returns whether a list was computed so lately that it is left as it is. */
const isRecent = ({ at }: Pick<Computed, 'at'>, now: Date): boolean => Math.abs(now.getTime() - at) < AGAIN_MS;

/** A list after it was looked at. */
export interface Looked {
  readonly computed: Computed;
  /** True if it was left as it is although it is outdated, because it is recent. */
  readonly isBehind: boolean;
}

/**
 * Computes the list of a book, unless the stored one is recent or still follows from its likes.
 * Several servers may do so at once.
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
 * Computes the books that are most like a book. It asks the accounts who may see a reader's likes:
 * the rows of likers have the former audience until a job has changed them.
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

/** A book that readers of another one like, too. */
export interface AlsoLikedEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  readonly sharedReaders: number;
  readonly score: number;
}

/**
 * Returns a page of the books that readers of a book like, too, most similar first. Books that were
 * removed from the catalogue are left out, and editions of works that are listed already.
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
