import { projectionAudit } from '../audit/projection.ts';
import type { Audit, Suspect } from '../audit/audit.ts';
import { first } from '../cassandra/statement.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import { parseSubject, storedSubject } from '../graphql/ids.ts';
import { jobsOf } from '../jobs/operations.ts';
import { auditedLikers, comparedLikers, type ListedLiker } from '../member-sets/audit.ts';
import { isLiker, likeTables } from '../member-sets/operations.ts';
import { byLikedAt, likes, type LikeKey } from './aggregate.ts';
import { noteAudited } from './also-liked.worker.ts';
import type { ShownFields } from './likeables.ts';
import { selectItems, selectLikes, selectLikesAmong, type LikeState } from './tables.ts';

/** Audits the list of each reader's likes, and the likers of each thing, against the likes. */

const LIKERS = likeTables.likersTable;

const projected = projectionAudit(likes, {
  kind: 'likes',
  lists: [
    byLikedAt,
    comparedLikers(LIKERS, async (app, { userId, likeableId }: LikeKey, { liked, liked_at, shard }: LikeState) => {
      if (!liked_at) return false;
      return (await isLiker(app, { likeable_id: likeableId, shard, liked_at, user_id: userId })) !== liked;
    }),
  ],
  keyOf: ({ user_id, likeable_id }) => ({ userId: user_id, likeableId: likeable_id }),
  join: shownFieldsOfBooks,
  behind: ({ userId, likeableId }) => [{ type: 'User', key: userId }, storedSubject(likeableId)],
  within: {
    likes_by_user: {
      of: 'userId',
      partition: selectLikes,
      partitionsOf: async (_app, scope) => ('userId' in scope ? [{ user_id: scope.userId }] : []),
    },
    item_by_user: {
      of: 'userId',
      partition: selectItems,
      partitionsOf: async (_app, scope) =>
        'userId' in scope ? scope.years.map((year) => ({ user_id: scope.userId, year })) : [],
    },
  },
});

/**
 * Reads the titles and authors of the liked books; `undefined` for other things. The title of a
 * copy can be that of its book, whose unfinished job an audit of the copy's likes does not find.
 */
async function shownFieldsOfBooks(
  app: AppContext,
  found: readonly { readonly key: LikeKey }[],
): Promise<(ShownFields | undefined)[]> {
  const ids = found.map(({ key }) => bookIdOf(key.likeableId));
  const books = await booksNow(
    app,
    ids.filter((id) => id !== undefined),
  );
  return ids.map((id) => {
    const book = id === undefined ? undefined : books.get(id);
    return book && { title: book.title, authors: book.authors };
  });
}

function bookIdOf(likeableId: string): string | undefined {
  const id = parseSubject(likeableId);
  return id?.type === 'Book' ? id.key : undefined;
}

/** The likers of each thing, and their counts. */
const likers = auditedLikers({ idOf: (likeableId) => likeableId, tables: likeTables }, async (app, liker) => {
  const { user_id, likeable_id } = liker;
  const bookId = bookIdOf(likeable_id);
  if (bookId !== undefined) noteAudited(app, bookId);
  const stored = await first(app.cassandra, selectLikesAmong, { user_id, likeable_ids: [likeable_id] });
  return isInForce(stored?.state, liker) ? undefined : stale(app, liker);
});

/** Returns whether a row among the likers is the like in force. */
const isInForce = (state: LikeState | undefined, { liked_at, shard }: ListedLiker) =>
  state?.liked === true && state.liked_at?.getTime() === liked_at.getTime() && state.shard === shard;

const stale = (app: AppContext, liker: ListedLiker): Suspect => {
  const { user_id: userId, likeable_id: likeableId } = liker;
  return {
    what: `a like of ${likeableId} by ${userId}, at a moment at which there is none`,
    look: async () => {
      const isRight = isInForce(await likes.read(app, { userId, likeableId }), liker);
      if (isRight || !(await liker.now())) return [];
      return (await jobsOf(app, { type: 'User', key: userId })).length > 0 ? undefined : [LIKERS];
    },
    repair: liker.remove,
  };
};

export const likeAudit: Audit = { ...projected, tables: [...projected.tables, likers] };
