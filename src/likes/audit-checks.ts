import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { Scan } from './audit-scan.ts';
import { countShard, groupCommit } from './group-commit.ts';
import { removeStaleItem, removeStaleLiker, repairLike } from './repair.ts';
import {
  likeStates,
  scanItems,
  scanLikers,
  scanLikes,
  selectCount,
  selectCounts,
  selectItem,
  selectItems,
  selectLike,
  selectLiker,
  selectLikes,
  selectShard,
  type ItemKey,
  type LikeKey,
  type LikerRow,
  type LikeState,
} from './tables.ts';

/** What of the likes can look wrong, how it is looked at again, and how it is repaired. */

/** Where drift can be: what follows from the source of truth. */
export type DriftedTable = 'item_by_user' | 'user_by_item' | 'like_counts';

/** Something that looks wrong, and perhaps is only under way. */
export interface Suspect {
  readonly what: string;
  /** Looks again, and tells which tables are off. */
  readonly look: () => Promise<DriftedTable[]>;
  readonly repair: () => Promise<void>;
}

/** How one table is gone through, and what of it looks wrong. */
export interface TableAudit<Key, Row extends Key> extends Scan<Key, Row> {
  readonly suspect: (app: AppContext, row: Row) => Promise<Suspect | undefined>;
  readonly suspectOfPartition?: (app: AppContext, key: Key) => Promise<Suspect | undefined>;
}

/** What each reader likes, as the source of truth has it. */
export const likes: TableAudit<Pick<LikeKey, 'user_id'>, LikeKey & { readonly state: LikeState }> = {
  ring: scanLikes,
  partition: selectLikes,
  partitionsOf: async (_app, scope) => ('userId' in scope ? [{ user_id: scope.userId }] : []),
  suspect: async (app, row) => {
    if ((await notFollowed(app, row, row.state)).length === 0) return undefined;
    return {
      what: `the like of ${row.likeable_id} by ${row.user_id}`,
      look: async () => notFollowed(app, row, await readSerially(app, row)),
      repair: () => repairLike(app, row.user_id, row.likeable_id),
    };
  },
};

/** What each reader likes, as it is listed. */
export const items: TableAudit<Pick<ItemKey, 'user_id' | 'year'>, ItemKey> = {
  ring: scanItems,
  partition: selectItems,
  partitionsOf: async (_app, scope) =>
    'userId' in scope ? scope.years.map((year) => ({ user_id: scope.userId, year })) : [],
  suspect: async (app, row) => {
    if (isLikedAt(await read(app, row), row)) return undefined;
    const key = itemKeyOf(row);
    return stale(app, row, 'item_by_user', {
      isListed: async () => (await first(app.cassandra, selectItem, key)) !== undefined,
      repair: () => removeStaleItem(app, key),
    });
  },
};

/** Who likes each likeable, and how many. */
export const likerRows: TableAudit<Pick<LikerRow, 'likeable_id' | 'shard'>, LikerRow> = {
  ring: scanLikers,
  partition: selectShard,
  partitionsOf: async (app, scope) => {
    if (!('likeableId' in scope)) return [];
    const { likeableId: likeable_id } = scope;
    const counts = await first(app.cassandra, selectCounts, { likeable_ids: [likeable_id] });
    return Array.from({ length: (counts?.newest_shard ?? 0) + 1 }, (_, shard) => ({ likeable_id, shard }));
  },
  suspect: async (app, row) => {
    if (!row.liked || isLikedAt(await read(app, row), row)) return undefined;
    const { likeable_id, shard, liked_at, user_id } = row;
    const key = { likeable_id, shard, liked_at, user_id };
    return stale(app, row, 'user_by_item', {
      isListed: async () => (await first(app.cassandra, selectLiker, key))?.liked ?? false,
      repair: () => removeStaleLiker(app, key),
    });
  },
  suspectOfPartition: async (app, { likeable_id, shard }) => {
    const look = () => wrongCounts(app, likeable_id, shard);
    if ((await look()).length === 0) return undefined;
    return {
      what: `the count of ${likeable_id} in its shard ${shard}`,
      look,
      repair: () => groupCommit(app).recount(likeable_id, shard),
    };
  },
};

/** A row of a list at a moment that the source of truth does not know. */
const stale = (
  app: AppContext,
  row: LikeKey & { liked_at: Date; shard?: number },
  table: DriftedTable,
  { isListed, repair }: { isListed: () => Promise<boolean>; repair: () => Promise<void> },
): Suspect => ({
  what: `a like of ${row.likeable_id} by ${row.user_id}, at a moment at which there is none`,
  look: async () => (!isLikedAt(await readSerially(app, row), row) && (await isListed()) ? [table] : []),
  repair,
});

const read = async ({ cassandra }: AppContext, { user_id, likeable_id }: LikeKey) =>
  (await first(cassandra, selectLike, { user_id, likeable_id }))?.state;

const readSerially = ({ cassandra }: AppContext, { user_id, likeable_id }: LikeKey) =>
  likeStates.read(cassandra, { user_id, likeable_id });

/** Whether the source of truth says that the like of a row is the one in force. */
const isLikedAt = (state: LikeState | undefined, row: { liked_at: Date; shard?: number }) =>
  state?.liked === true &&
  state.liked_at?.getTime() === row.liked_at.getTime() &&
  (row.shard === undefined || row.shard === state.shard);

const itemKeyOf = ({ user_id, liked_at, likeable_id }: LikeKey & { liked_at: Date }) => ({
  user_id,
  year: liked_at.getUTCFullYear(),
  liked_at,
  likeable_id,
});

/** Which lists do not say what a state says. */
async function notFollowed(
  { cassandra }: AppContext,
  { user_id, likeable_id }: LikeKey,
  state: LikeState | undefined,
): Promise<DriftedTable[]> {
  if (!state?.liked_at) return [];
  const { liked, liked_at, shard } = state;
  const [item, liker] = await Promise.all([
    first(cassandra, selectItem, itemKeyOf({ user_id, likeable_id, liked_at })),
    first(cassandra, selectLiker, { likeable_id, shard, liked_at, user_id }),
  ]);
  const off: DriftedTable[] = [];
  if ((item !== undefined) !== liked) off.push('item_by_user');
  if ((liker?.liked ?? false) !== liked) off.push('user_by_item');
  return off;
}

/** Whether a shard counts its own rows rightly, and whether the published count is that of the shard. */
async function wrongCounts({ cassandra }: AppContext, likeable_id: string, shard: number): Promise<DriftedTable[]> {
  const published = await first(cassandra, selectCount, { likeable_id, shard });
  const counted = await countShard(cassandra, likeable_id, shard);
  // A shard that changes while it is counted is one that works; it is counted when it rests.
  if (!counted) return [];
  const off: DriftedTable[] = [];
  if (counted.state.likeCount !== counted.liked) off.push('user_by_item');
  if (published?.like_count !== counted.state.likeCount) off.push('like_counts');
  return off;
}
