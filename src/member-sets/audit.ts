import { auditedTable, eachRow, type AuditedTable, type Suspect } from '../audit/audit.ts';
import { first, type Cassandra } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { countShard, groupCommit } from './group-commit.ts';
import { likeCounts } from './loaders.ts';
import { isPublished } from './publishing.ts';
import { agree } from './histogram.ts';
import { tablesOf, type LikerKey, type LikersTables, type StoredLiker } from './tables.ts';

/** A row in a list of likers, compared with the feature's source of truth. */
export interface ListedLiker extends StoredLiker {
  /** Reads the row again; `undefined` if it was deleted. */
  readonly now: () => Promise<Pick<StoredLiker, 'quarters'> | undefined>;
  /** Deletes the row and subtracts it from the count. */
  readonly remove: () => Promise<void>;
}

/**
 * Makes the audit of the lists of likers and of their counts.
 * @param of the tables of likes or of ratings; `idOf`: returns the likeable_id of a thing, given
 *   its `Type:key`; `undefined` for a thing of another kind
 * @param suspectOf compares a row with the source of truth; returns `undefined` if they agree
 */
export const auditedLikers = (
  { idOf, tables }: { idOf: (likeableId: string) => string | undefined; tables: LikersTables },
  suspectOf: (app: AppContext, liker: ListedLiker) => Promise<Suspect | undefined>,
): AuditedTable => {
  const { likersTable, scanLikers, selectLiker, selectLikers } = tables;
  return auditedTable<Pick<LikerKey, 'likeable_id' | 'shard' | 'liked'>, StoredLiker>(likersTable, {
    key: ['likeable_id', 'shard'],
    ring: scanLikers,
    within: {
      of: 'likeableId',
      partition: selectLikers,
      partitionsOf: async (app, scope) => {
        const likeable_id = 'likeableId' in scope ? idOf(scope.likeableId) : undefined;
        if (likeable_id === undefined) return [];
        const shards = ((await likeCounts(app).load(likeable_id))?.newestShard ?? 0) + 1;
        return Array.from({ length: shards }, (_, shard) => ({ likeable_id, shard, liked: true }));
      },
    },
    suspects: eachRow(async (app, row) => {
      if (!row.liked) return undefined;
      const { likeable_id, shard, liked, liked_at, user_id } = row;
      const key = { likeable_id, shard, liked, liked_at, user_id };
      return suspectOf(app, {
        ...row,
        now: () => first(app.cassandra, selectLiker, key),
        remove: () => removeLiker(app, key),
      });
    }),
    suspectOfPartition: async (app, { likeable_id, shard }) => {
      const look = () => wrongCounts(app.cassandra, likeable_id, shard);
      // A shard that changes while it is counted is in use. It is counted when it rests.
      if (!(await look())?.length) return undefined;
      return {
        what: `the count of ${likeable_id} in its shard ${shard}`,
        look,
        repair: () => groupCommit(app).recount(likeable_id, shard),
      };
    },
  });
};

/** Takes a liker out of a shard by a change with a version above that of the row. */
async function removeLiker(app: AppContext, key: LikerKey): Promise<void> {
  const row = await first(app.cassandra, tablesOf(key.likeable_id).selectLiker, key);
  if (!row) return;
  const { likeable_id, shard, liked_at, user_id } = key;
  const takenBack = { userId: user_id, version: row.version + 1, likedAt: liked_at, shown: undefined };
  await groupCommit(app).apply(likeable_id, shard, takenBack);
}

/**
 * Compares a shard's count with its rows, and the published count with the shard.
 * @returns the tables that are wrong; `undefined` for a shard that changed meanwhile
 */
async function wrongCounts(cassandra: Cassandra, likeable_id: string, shard: number): Promise<string[] | undefined> {
  const counted = await countShard(cassandra, likeable_id, shard);
  if (!counted) return undefined;

  const wrong: string[] = [];
  const { likersTable, countsTable } = tablesOf(likeable_id);
  const { state, liked, histogram } = counted;
  if (state.likeCount !== liked || !agree(state.histogram, histogram)) wrong.push(likersTable);
  if (!(await isPublished(cassandra, likeable_id, shard, state))) wrong.push(countsTable);
  return wrong;
}
