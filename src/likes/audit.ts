import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { auditedTable, eachRow, type Audit, type Suspect } from '../audit/audit.ts';
import { jobsOf } from '../jobs/operations.ts';
import { countShard, groupCommit } from './group-commit.ts';
import { likeCounts } from './loaders.ts';
import { isPublished } from './published.ts';
import { removeStaleItem, removeStaleLiker, repairLike } from './repair.ts';
import {
  likeStates,
  scanItems,
  scanLikers,
  scanLikes,
  selectItem,
  selectItems,
  selectLike,
  selectLiker,
  selectLikers,
  selectLikes,
  type ItemKey,
  type LikeRowKey,
  type LikerKey,
  type LikeState,
} from './tables.ts';
import { beginUpkeep } from './upkeep.ts';

/** What of the likes can look wrong, how it is looked at again, and how it is repaired. */

/** What each reader likes, as the source of truth has it. */
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

/** What each reader likes, as it is listed. */
const items = auditedTable<Pick<ItemKey, 'user_id' | 'year'>, ItemKey>('item_by_user', {
  key: ['user_id', 'year'],
  ring: scanItems,
  within: {
    of: 'userId',
    partition: selectItems,
    partitionsOf: async (_app, scope) =>
      'userId' in scope ? scope.years.map((year) => ({ user_id: scope.userId, year })) : [],
  },
  suspects: eachRow(async (app, row) => {
    if (isLikedAt(await read(app, row), row)) return undefined;
    const key = itemKeyOf(row);
    return stale(app, row, 'item_by_user', {
      isListed: async () => (await first(app.cassandra, selectItem, key)) !== undefined,
      repair: () => removeStaleItem(app, key),
    });
  }),
});

/** Who likes each likeable, and how many. */
const likerRows = auditedTable<Pick<LikerKey, 'likeable_id' | 'shard' | 'liked'>, LikerKey>('user_by_item', {
  key: ['likeable_id', 'shard'],
  ring: scanLikers,
  within: {
    of: 'likeableId',
    partition: selectLikers,
    partitionsOf: async (app, scope) => {
      if (!('likeableId' in scope)) return [];
      const { likeableId: likeable_id } = scope;
      const shards = ((await likeCounts(app).load(likeable_id))?.newestShard ?? 0) + 1;
      return Array.from({ length: shards }, (_, shard) => ({ likeable_id, shard, liked: true }));
    },
  },
  suspects: eachRow(async (app, row) => {
    if (!row.liked || isLikedAt(await read(app, row), row)) return undefined;
    const { likeable_id, shard, liked, liked_at, user_id } = row;
    const key = { likeable_id, shard, liked, liked_at, user_id };
    return stale(app, row, 'user_by_item', {
      isListed: async () => (await first(app.cassandra, selectLiker, key)) !== undefined,
      repair: () => removeStaleLiker(app, key),
    });
  }),
  suspectOfPartition: async (app, { likeable_id, shard }) => {
    // Whose shards were left as they are, because nobody likes it any more, is found here.
    if (shard > 0) beginUpkeep(app, await likeCounts(app).load(likeable_id));
    const look = () => wrongCounts(app, likeable_id, shard);
    // A shard that changes while it is counted is one that works; it is counted when it rests.
    if (!(await look())?.length) return undefined;
    return {
      what: `the count of ${likeable_id} in its shard ${shard}`,
      look,
      repair: () => groupCommit(app).recount(likeable_id, shard),
    };
  },
});

/** The source of truth, both lists, and the counts. */
export const likeAudit: Audit = { kind: 'likes', tables: [likes, items, likerRows] };

/** Where drift can be: what follows from the source of truth. */
type DriftedTable = 'item_by_user' | 'user_by_item' | 'like_counts';

/** A row of a list at a moment that the source of truth does not know. */
const stale = (
  app: AppContext,
  row: LikeRowKey & { liked_at: Date; shard?: number },
  table: DriftedTable,
  { isListed, repair }: { isListed: () => Promise<boolean>; repair: () => Promise<void> },
): Suspect => ({
  what: `a like of ${row.likeable_id} by ${row.user_id}, at a moment at which there is none`,
  look: async () => {
    const isWrong = !isLikedAt(await readSerially(app, row), row) && (await isListed());
    return unlessChanging(app, row, isWrong ? [table] : []);
  },
  repair,
});

/** Nobody can tell while a job changes the likes of the reader, such as their erasure. */
async function unlessChanging(app: AppContext, { user_id }: LikeRowKey, wrong: DriftedTable[]) {
  if (wrong.length === 0) return [];
  return (await jobsOf(app, { type: 'User', key: user_id })).length > 0 ? undefined : wrong;
}

const read = async ({ cassandra }: AppContext, { user_id, likeable_id }: LikeRowKey) =>
  (await first(cassandra, selectLike, { user_id, likeable_id }))?.state;

const readSerially = ({ cassandra }: AppContext, { user_id, likeable_id }: LikeRowKey) =>
  likeStates.read(cassandra, { user_id, likeable_id });

/** Whether the source of truth says that the like of a row is the one in force. */
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

/** Which lists do not say what a state says. */
async function notFollowed(
  { cassandra }: AppContext,
  { user_id, likeable_id }: LikeRowKey,
  state: LikeState | undefined,
): Promise<DriftedTable[]> {
  if (!state?.liked_at) return [];
  const { liked, liked_at, shard } = state;
  const [item, liker] = await Promise.all([
    first(cassandra, selectItem, itemKeyOf({ user_id, likeable_id, liked_at })),
    first(cassandra, selectLiker, { likeable_id, shard, liked: true, liked_at, user_id }),
  ]);
  const off: DriftedTable[] = [];
  if ((item !== undefined) !== liked) off.push('item_by_user');
  if ((liker !== undefined) !== liked) off.push('user_by_item');
  return off;
}

/**
 * Whether a shard counts its own rows rightly, and whether the published count is that of the shard.
 * @returns the tables that are off; `undefined` for a shard that changed meanwhile
 */
async function wrongCounts(
  { cassandra }: AppContext,
  likeable_id: string,
  shard: number,
): Promise<DriftedTable[] | undefined> {
  const counted = await countShard(cassandra, likeable_id, shard);
  if (!counted) return undefined;

  const off: DriftedTable[] = [];
  if (counted.state.likeCount !== counted.liked) off.push('user_by_item');
  if (!(await isPublished(cassandra, likeable_id, shard, counted.state))) off.push('like_counts');
  return off;
}
