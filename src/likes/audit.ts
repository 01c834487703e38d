import { isDeepStrictEqual } from 'node:util';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { auditedTable, eachRow, type Audit, type Suspect } from '../audit/audit.ts';
import type { Book } from '../catalogue/book.ts';
import { booksNow } from '../catalogue/operations.ts';
import { storedSubject } from '../graphql/ids.ts';
import { jobsOf } from '../jobs/operations.ts';
import { auditedLikers } from '../member-sets/audit.ts';
import { isLiker, likeTables } from '../member-sets/operations.ts';
import { noteAudited } from './also-liked.worker.ts';
import { removeStaleItem, repairLike } from './repair.ts';
import {
  likeStates,
  scanItems,
  scanLikes,
  selectItem,
  selectItems,
  selectLike,
  selectLikes,
  type ItemKey,
  type ItemRow,
  type LikeRowKey,
  type LikeState,
} from './tables.ts';

/** The audit of likes: how their tables are compared with the source of truth, and repaired. */

const LIKERS_TABLE = likeTables.likersTable;

/** The source of truth of each reader's likes. */
const likes = auditedTable<Pick<LikeRowKey, 'user_id'>, LikeRowKey & { readonly state: LikeState }>('likes_by_user', {
  key: ['user_id'],
  ring: scanLikes,
  within: {
    of: 'userId',
    partition: selectLikes,
    partitionsOf: async (_app, scope) => ('userId' in scope ? [{ user_id: scope.userId }] : []),
  },
  suspects: eachRow(async (app, row) => {
    if ((await notFollowed(app, row, row.state)).length === 0) return undefined;
    return {
      what: `the like of ${row.likeable_id} by ${row.user_id}`,
      look: async () => unlessChanging(app, row, await notFollowed(app, row, await readSerially(app, row))),
      repair: () => repairLike(app, row.user_id, row.likeable_id),
    };
  }),
});

/** The lists of each reader's likes. */
const items = auditedTable<Pick<ItemKey, 'user_id' | 'year'>, ItemRow>('item_by_user', {
  key: ['user_id', 'year'],
  ring: scanItems,
  within: {
    of: 'userId',
    partition: selectItems,
    partitionsOf: async (_app, scope) =>
      'userId' in scope ? scope.years.map((year) => ({ user_id: scope.userId, year })) : [],
  },
  suspects: async (app, page, stopping) => {
    const books = await booksNow(app, page.flatMap(bookIdsIn));
    const suspects = eachRow<ItemRow>(async (_app, row) => {
      if (isLikedAt(await read(app, row), row)) return isOutdated(row, row, books) ? outdated(app, row) : undefined;
      const key = itemKeyOf(row);
      return stale(app, row, 'item_by_user', {
        isListed: async () => (await first(app.cassandra, selectItem, key)) !== undefined,
        repair: () => removeStaleItem(app, key),
      });
    });
    return suspects(app, page, stopping);
  },
});

/** Returns the id of the liked book in an array; an empty array for other things. */
function bookIdsIn({ likeable_id }: Pick<ItemKey, 'likeable_id'>): string[] {
  const { type, key } = storedSubject(likeable_id);
  return type === 'Book' ? [key] : [];
}

/** Returns whether the row of a like has another title or other authors than its book. */
function isOutdated(key: ItemKey, row: Pick<ItemRow, 'title' | 'authors'>, books: ReadonlyMap<string, Book>): boolean {
  const [book] = bookIdsIn(key).flatMap((id) => books.get(id) ?? []);
  return book !== undefined && !isDeepStrictEqual([book.title, book.authors], [row.title, row.authors]);
}

/** Makes the suspect for a row that has former fields of its book. */
function outdated(app: AppContext, key: ItemKey): Suspect {
  const rowNow = () => first(app.cassandra, selectItem, itemKeyOf(key));
  return {
    what: `the title or the authors in the like of ${key.likeable_id} by ${key.user_id}`,
    look: async () => {
      const [row, books] = await Promise.all([rowNow(), booksNow(app, bookIdsIn(key))]);
      if (!row || !isOutdated(key, row, books)) return [];
      const isChanging = (await jobsOf(app, storedSubject(key.likeable_id))).length > 0;
      return isChanging ? undefined : unlessChanging(app, key, ['item_by_user']);
    },
    repair: async () => repairLike(app, key.user_id, key.likeable_id, Number((await rowNow())?.written ?? 0n)),
  };
}

/** The lists of likers, and their counts. */
const likers = auditedLikers({ idOf: (likeableId) => likeableId, tables: likeTables }, async (app, liker) => {
  for (const bookId of bookIdsIn(liker)) noteAudited(app, bookId);
  if (isLikedAt(await read(app, liker), liker)) return undefined;
  return stale(app, liker, LIKERS_TABLE, {
    isListed: async () => (await liker.now()) !== undefined,
    repair: liker.remove,
  });
});

/** The source of truth, both lists, and the counts. */
export const likeAudit: Audit = { kind: 'likes', tables: [likes, items, likers] };

/** Makes the suspect for a row whose moment is not in the source of truth. */
const stale = (
  app: AppContext,
  row: LikeRowKey & { liked_at: Date; shard?: number },
  table: string,
  { isListed, repair }: { isListed: () => Promise<boolean>; repair: () => Promise<void> },
): Suspect => ({
  what: `a like of ${row.likeable_id} by ${row.user_id}, which the source of truth does not have`,
  look: async () => {
    const isWrong = !isLikedAt(await readSerially(app, row), row) && (await isListed());
    return unlessChanging(app, row, isWrong ? [table] : []);
  },
  repair,
});

/** Skips the check while a job, such as an erasure, changes the likes of the reader. */
async function unlessChanging(app: AppContext, { user_id }: LikeRowKey, wrong: string[]) {
  if (wrong.length === 0) return [];
  return (await jobsOf(app, { type: 'User', key: user_id })).length > 0 ? undefined : wrong;
}

const read = async ({ cassandra }: AppContext, { user_id, likeable_id }: LikeRowKey) =>
  (await first(cassandra, selectLike, { user_id, likeable_id }))?.state;

const readSerially = ({ cassandra }: AppContext, { user_id, likeable_id }: LikeRowKey) =>
  likeStates.read(cassandra, { user_id, likeable_id });

/** Returns whether the like of a row is the one in force, by the source of truth. */
const isLikedAt = (state: LikeState | undefined, row: { liked_at: Date; shard?: number }) =>
  state?.liked === true &&
  state.liked_at?.getTime() === row.liked_at.getTime() &&
  (row.shard === undefined || row.shard === state.shard);

const itemKeyOf = ({ user_id, liked_at, likeable_id }: LikeRowKey & { liked_at: Date }) => ({
  user_id,
  year: liked_at.getUTCFullYear(),
  liked_at,
  likeable_id,
});

/** Returns the lists that disagree with a state. */
async function notFollowed(
  app: AppContext,
  { user_id, likeable_id }: LikeRowKey,
  state: LikeState | undefined,
): Promise<string[]> {
  if (!state?.liked_at) return [];
  const { liked, liked_at, shard } = state;
  const [item, isListed] = await Promise.all([
    first(app.cassandra, selectItem, itemKeyOf({ user_id, likeable_id, liked_at })),
    isLiker(app, { likeable_id, shard, liked_at, user_id }),
  ]);
  const off: string[] = [];
  if ((item !== undefined) !== liked) off.push('item_by_user');
  if (isListed !== liked) off.push(LIKERS_TABLE);
  return off;
}
