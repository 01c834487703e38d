import type { Aggregate } from '../aggregates/aggregate.ts';
import type { ComparedList } from '../aggregates/projected-list.ts';
import type { Version } from '../aggregates/state.ts';
import { auditedTable, eachRow, type AuditedTable, type Suspect } from '../audit/audit.ts';
import { first, type Cassandra } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { jobsOf } from '../jobs/operations.ts';
import { countShard, groupCommit } from './group-commit.ts';
import { isPublished, likeCounts } from './counts.ts';
import { agree } from './histogram.ts';
import { tablesOf, type LikerKey, type LikersTables, type StoredLiker } from './tables.ts';

/** The likes or the ratings that the rows of likers follow from. */
interface Source<Key, State extends Version> {
  readonly tables: LikersTables;
  /**
   * Returns the likeable_id of a thing, given its `Type:key`; `undefined` for a thing of another
   * kind.
   */
  readonly idOf: (likeableId: string) => string | undefined;
  readonly states: Pick<Aggregate<Key, State>, 'read' | 'repair'>;
  readonly keyOf: (row: StoredLiker) => Key;
  /** Reads a state from a majority of replicas. */
  readonly find: (app: AppContext, key: Key) => Promise<State | undefined>;
  /**
   * Returns the row that follows from a state, with `liked` false if it was taken back; `undefined`
   * for a tombstone.
   */
  readonly rowOf: (key: Key, state: State) => StoredLiker | undefined;
}

/** The likers that follow from one kind of states, as the scan of their table checks them. */
export interface AuditedLikers {
  readonly idOf: (likeableId: string) => string | undefined;
  /**
   * Returns the suspect for a row that does not follow from its state; `undefined` for any other.
   */
  readonly suspectOf: (app: AppContext, row: StoredLiker) => Promise<Suspect | undefined>;
}

/**
 * Makes the comparison of likers with their source of truth.
 * @returns `compared`: the rows of likers that follow from a state; `likers`: for
 *   {@link auditedLikers}, which finds surplus rows
 */
export function auditOfLikers<Key, State extends Version>(
  source: Source<Key, State>,
): { readonly compared: ComparedList<Key, State, unknown>; readonly likers: AuditedLikers } {
  const { tables, idOf, states, keyOf, find, rowOf } = source;
  const { likersTable, selectLiker } = tables;
  const expected = (key: Key, state: State | undefined) => state && rowOf(key, state);

  const isWrong = async (app: AppContext, { key, state }: { readonly key: Key; readonly state: State }) => {
    const should = rowOf(key, state);
    if (!should) return false;
    const is = await first(app.cassandra, selectLiker, { ...keyIn(should), liked: true });
    return should.liked ? !is || is.quarters !== should.quarters : is !== undefined;
  };
  const compared: ComparedList<Key, State, unknown> = {
    table: likersTable,
    lacking: async (app, found) => {
      const wrong = await Promise.all(found.map((each) => isWrong(app, each)));
      return found.filter((_, index) => wrong[index]);
    },
    wrong: async (app, of) => (of && (await isWrong(app, of)) ? [WRONG_LIKER] : []),
  };

  const suspectOf = async (app: AppContext, row: StoredLiker) => {
    const key = keyOf(row);
    return isSame(row, expected(key, await find(app, key))) ? undefined : stale(app, row);
  };

  /** Returns the suspect for a row that does not follow from its state. */
  function stale(app: AppContext, row: StoredLiker): Suspect {
    const { likeable_id, user_id } = row;
    const key = keyOf(row);
    const expectedNow = async () => expected(key, await states.read(app, key));
    return {
      what: `the row of ${user_id} among the likers of ${likeable_id}`,
      look: async () => {
        const should = await expectedNow();
        const is = await first(app.cassandra, selectLiker, keyIn(row));
        if (!is || isSame({ ...row, ...is }, should)) return [];
        return (await jobsOf(app, { type: 'User', key: user_id })).length > 0 ? undefined : [likersTable];
      },
      // A row in its right place can only have a wrong rating. The next version of the state
      // replaces it.
      repair: async () => {
        if (isInPlace(row, await expectedNow())) await states.repair(app, key);
        else await removeLiker(app, keyIn(row));
      },
    };
  }

  return { compared, likers: { idOf, suspectOf } };
}

/**
 * Makes the scan of a table of likers, which finds surplus rows and wrong counts.
 * @param likersOf returns the kind that the likers of a likeable_id belong to; all kinds have the
 *   same tables
 */
export function auditedLikers(
  { likersTable, scanLikers, selectLikers }: LikersTables,
  likersOf: (likeableId: string) => AuditedLikers,
): AuditedTable {
  return auditedTable<Pick<LikerKey, 'likeable_id' | 'shard' | 'liked'>, StoredLiker>(likersTable, {
    key: ['likeable_id', 'shard'],
    ring: scanLikers,
    within: {
      of: 'likeableId',
      partition: selectLikers,
      partitionsOf: async (app, scope) => {
        const likeable_id = 'likeableId' in scope ? likersOf(scope.likeableId).idOf(scope.likeableId) : undefined;
        if (likeable_id === undefined) return [];
        const shards = ((await likeCounts(app).load(likeable_id))?.newestShard ?? 0) + 1;
        return Array.from({ length: shards }, (_, shard) => ({ likeable_id, shard, liked: true }));
      },
    },
    suspects: eachRow(async (app, row) => (row.liked ? likersOf(row.likeable_id).suspectOf(app, row) : undefined)),
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
}

/** A wrong row. The next version of its state writes or removes it. */
const WRONG_LIKER = { written: 0, isTooMany: false, remove: async () => undefined, afterRepair: async () => undefined };

const keyIn = ({ likeable_id, shard, liked, liked_at, user_id }: StoredLiker): LikerKey => ({
  likeable_id,
  shard,
  liked,
  liked_at,
  user_id,
});

/** Returns whether the row of a liker is where the row of its state is. */
const isInPlace = ({ liked_at, shard }: StoredLiker, should: StoredLiker | undefined): boolean =>
  should?.liked === true && should.liked_at.getTime() === liked_at.getTime() && should.shard === shard;

const isSame = (is: StoredLiker, should: StoredLiker | undefined): boolean =>
  isInPlace(is, should) && is.quarters === should?.quarters;

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
