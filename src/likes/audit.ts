import { projectionAudit } from '../audit/projection.ts';
import type { Audit } from '../audit/audit.ts';
import { first } from '../cassandra/statement.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext } from '../context/context.ts';
import { followers, isOfFollowers } from '../follows/followers.ts';
import { parseSubject, storedSubject } from '../graphql/ids.ts';
import { auditedLikers, auditOfLikers } from '../member-sets/audit.ts';
import { likeTables } from '../member-sets/operations.ts';
import { byLikedAt, likes, type LikeKey } from './aggregate.ts';
import { noteAudited } from './also-liked.worker.ts';
import type { ShownFields } from './likeables.ts';
import { selectItems, selectLikes, selectLikesAmong, type LikeState } from './tables.ts';

/** Audits the list of each reader's likes, and the likers of each thing, against the likes. */

/** The likers of each thing. */
const likers = auditOfLikers({
  tables: likeTables,
  idOf: (likeableId) => likeableId,
  states: likes,
  keyOf: ({ likeable_id, user_id }) => ({ userId: user_id, likeableId: likeable_id }),
  find: async (app, { userId, likeableId }) => {
    // Each round of the audits visits every liked book, which may have been liked through a server
    // that has ended since.
    const bookId = bookIdOf(likeableId);
    if (bookId !== undefined) noteAudited(app, bookId);
    return (await first(app.cassandra, selectLikesAmong, { user_id: userId, likeable_ids: [likeableId] }))?.state;
  },
  rowOf: ({ userId, likeableId }: LikeKey, { liked, liked_at, shard }: LikeState) =>
    liked_at ? { likeable_id: likeableId, shard, liked, liked_at, user_id: userId } : undefined,
});

const projected = projectionAudit(likes, {
  kind: 'likes',
  lists: [byLikedAt, likers.compared],
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

/**
 * The scan of the likers of each thing and of the followers of each reader, and of their counts.
 */
const audited = auditedLikers(likeTables, (likeableId) =>
  isOfFollowers(likeableId) ? followers.likers : likers.likers,
);

export const likeAudit: Audit = { ...projected, tables: [...projected.tables, audited] };
