import { CassandraError } from '../cassandra/errors.ts';
import { appliedBatch, each, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';
import { keptCounts, openStripes, publishCount } from './counts.ts';
import { EMPTY, moved, type Histogram } from './histogram.ts';
import { OwnCommits, type FoundShard, type StoredLike } from './own-commits.ts';
import {
  changedState,
  nameOfLike,
  NO_SHARD,
  quartersOf,
  SENTINEL,
  stateOf,
  writesOf,
  type Change,
  type ShardState,
} from './shard.ts';
import { tablesOf, type LikersTables } from './tables.ts';

/**
 * Version-fenced group commit: updates a shard of `user_by_item` to the states that the source of
 * truth has decided.
 *
 * The changes that arrive while one batch is in progress become the next batch. A batch reads the
 * shard's version and the rows to change in one read. It leaves out changes that are not newer than
 * the stored rows, and writes the rows and the count together, on condition that the shard still
 * has the version that was read. So a change may be given any number of times, by any number of
 * processes, in any order. The count is then published, stamped with the version.
 *
 * A shard is not read if this process knows its content: it has made every commit to the shard
 * since before the changes were decided (`own-commits.ts`).
 *
 * For every other shard the first read of a batch is a plain read, and so are the reads of a
 * recount. Such a read must show a version together with all of its rows: with the newest version
 * but rows missing, the condition would hold and the count be wrong. It does, for three reasons.
 * Reads and commits each wait for a majority of all replicas (`src/cassandra/topology.ts` refuses
 * anything else). A batch is one mutation, which a replica has completely or not at all, and a
 * majority has committed it before the next batch is proposed. A read merges the data of a
 * majority, so with a version it shows every version before it. It may show an older version. Then
 * the condition fails, which brings the newer version to a majority, and the next read shows that.
 *
 * A serial read shows the state if an outcome is unknown, or if nothing is left to write. It is
 * used only then, because it is a separate Paxos round, which competes with commits. No read
 * repairs a replica (`read_repair = 'NONE'`): a repair would copy the rows that were read and the
 * version to it, without the other rows of the same batch.
 */

/** The maximum number of changes in a batch, to stay under Cassandra's 50 KiB limit. */
const CHANGES_PER_BATCH = 100;
const TRIES = 20;
/**
 * The maximum number of waiting changes of a shard: a tenth of a second's work on a small machine.
 * Further ones are refused.
 */
const WAITING_MAX = 2_000;
const RETRY_AFTER_SECONDS = 1;
const PAUSE_MS = 10;

/** Reads the rows of a shard plainly, or serially. */
type ReadShard = LikersTables['selectShardRows'];

/** A shard after a commit. */
export interface Committed {
  readonly state: ShardState;
  /** Resolves once the count is published; rejects if that failed. */
  readonly published: Promise<void>;
}

interface Waiting {
  readonly change: Change;
  readonly done: (committed: Committed) => void;
  readonly failed: (error: unknown) => void;
}

/** The group commit of this process. */
export const groupCommit = perProcess((app) => new GroupCommit(app));

export class GroupCommit {
  readonly #app: AppContext;
  /** The waiting changes by shard. A shard has an entry as long as a batch of it is in progress. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #known: OwnCommits;

  constructor(app: AppContext) {
    this.#app = app;
    this.#known = new OwnCommits(app.monotonicNow, app.config.likeShardAloneCommits);
  }

  /**
   * Refuses a change that is not decided yet if too many wait for its shard. A decided change is
   * never refused.
   * @throws `OVERLOADED`
   */
  requireRoom(likeableId: string, shard: number): void {
    if ((this.#waiting.get(shardName(likeableId, shard))?.length ?? 0) < WAITING_MAX) return;
    throw overloaded('Too many readers are liking or rating this at the moment.', RETRY_AFTER_SECONDS);
  }

  /**
   * Commits one change to its shard, and begins to publish the shard's count. After that, jobs that
   * visit all likers find the like.
   * @throws {CassandraError} with an unknown outcome; repeating the change is safe
   */
  commit(likeableId: string, shard: number, change: Change): Promise<Committed> {
    return new Promise((done, failed) => {
      const key = shardName(likeableId, shard);
      const waiting = this.#waiting.get(key);
      if (waiting) {
        waiting.push({ change, done, failed });
      } else {
        this.#waiting.set(key, [{ change, done, failed }]);
        void this.#commitWaiting(key, likeableId, shard);
      }
    });
  }

  /**
   * Commits one change to its shard, and publishes the count.
   * @throws {CassandraError} with an unknown outcome; repeating the change is safe
   */
  async apply(likeableId: string, shard: number, change: Change): Promise<void> {
    const { published } = await this.commit(likeableId, shard, change);
    await published;
  }

  /** Returns whether this process is committing changes of a shard, so that another would wait. */
  isBusy(likeableId: string, shard: number): boolean {
    return this.#waiting.has(shardName(likeableId, shard));
  }

  async #commitWaiting(key: string, likeableId: string, shard: number): Promise<void> {
    // Changes that arrive in the same tick are in one batch, including the first one.
    await Promise.resolve();
    for (;;) {
      const waiting = this.#waiting.get(key)?.splice(0, CHANGES_PER_BATCH) ?? [];
      if (waiting.length === 0) {
        this.#waiting.delete(key);
        return;
      }
      try {
        const state = await this.#commit(likeableId, shard, newestOfEach(waiting.map(({ change }) => change)));
        // The next batch does not wait for this count: of two counts, the one with the higher
        // version wins.
        const published = publishCount(this.#app, likeableId, shard, state);
        // A job that visits all likers always reads the first shard, even without a count. It finds
        // a like in another shard only after the count is published.
        const isFound = shard === 0 ? Promise.resolve() : published;
        isFound.then(
          () => {
            for (const { done } of waiting) done({ state, published });
          },
          (error: unknown) => {
            for (const { failed } of waiting) failed(error);
          },
        );
        // The callers that wait for the count receive a failure.
        published.catch(() => undefined);
      } catch (error) {
        for (const { failed } of waiting) failed(error);
      }
    }
  }

  async #commit(likeableId: string, shard: number, changes: readonly Change[]): Promise<ShardState> {
    const { selectShardRows, selectShardRowsSerially } = tablesOf(likeableId);
    let known = this.#known.find(shardName(likeableId, shard), changes);
    let read = selectShardRows;
    for (let tries = 1; ; tries++) {
      const isRead = known === undefined;
      try {
        const found = known ?? (await this.#read(likeableId, shard, changes, read));
        known = undefined;
        const tried = await this.#tryToCommit(likeableId, shard, changes, isRead ? read : undefined, found);
        if (typeof tried === 'object') return tried;
        // The failed condition has brought the winner's write to a majority. A plain read shows it,
        // and does not compete with other commits.
        read = tried === 'OVERTAKEN' ? selectShardRows : selectShardRowsSerially;
        // There is no need to back off if nothing was read, because the winner may have committed
        // long ago.
        if (tried === 'UNCONFIRMED' || !isRead) continue;
      } catch (error) {
        if (!(error instanceof CassandraError) || tries === TRIES) throw error;
        read = selectShardRowsSerially;
      }
      if (tries === TRIES)
        throw new CassandraError('unknown', `shard ${shard} of ${likeableId} is contended`, undefined);
      // Another process was faster, or the outcome is unknown. The next try recognises committed
      // changes by their versions.
      await this.#app.cassandra.backOff(PAUSE_MS * Math.min(tries, 10));
    }
  }

  async #read(likeableId: string, shard: number, changes: readonly Change[], read: ReadShard): Promise<FoundShard> {
    const positions = changes.map(({ likedAt, userId }): [Date, string] => [likedAt, userId]);
    const stored = await rows(this.#app.cassandra, read, {
      likeable_id: likeableId,
      shard,
      slices: [true, false],
      positions: [[SENTINEL.liked_at, SENTINEL.user_id], ...positions],
    });
    const likes = new Map<string, StoredLike>();
    for (const { user_id: userId, liked_at: likedAt, version, liked, quarters } of stored) {
      const key = nameOfLike({ userId, likedAt });
      const before = likes.get(key);
      // The former liker's row still exists after a like was taken back and repeated.
      likes.set(key, {
        version: Math.max(version, before?.version ?? 0),
        liked: liked || (before?.liked ?? false),
        quarters: quarters ?? before?.quarters,
      });
    }
    return { state: stored[0] ? stateOf(stored[0]) : NO_SHARD, likes };
  }

  /**
   * Commits the changes to a shard that has not changed since it was read.
   * @param read the statement that read it; `undefined` if nothing was read
   */
  async #tryToCommit(
    likeableId: string,
    shard: number,
    changes: readonly Change[],
    read: ReadShard | undefined,
    { state: before, likes }: FoundShard,
  ): Promise<ShardState | 'OVERTAKEN' | 'UNCONFIRMED'> {
    const key = { likeable_id: likeableId, shard };
    let { likeCount, rowCount, histogram } = before;
    const writes: Bound[] = [];
    const left = new Map<string, StoredLike>();
    for (const change of changes) {
      const isLiked = change.shown !== undefined;
      const quarters = quartersOf(change.shown);
      const name = nameOfLike(change);
      const stored = likes.get(name);
      if (stored && stored.version >= change.version) continue;
      const wasLiked = stored?.liked ?? false;
      likeCount += Number(isLiked) - Number(wasLiked);
      rowCount += stored ? 0 : 1;
      histogram = moved(histogram, stored?.quarters, quarters);
      writes.push(...writesOf(key, change, wasLiked));
      left.set(name, { version: change.version, liked: isLiked, quarters });
    }
    // A plain read may show a failed commit that only one replica has. A serial read makes sure
    // that a majority has it.
    const isSerial = read === tablesOf(likeableId).selectShardRowsSerially;
    if (writes.length === 0) return isSerial ? before : 'UNCONFIRMED';
    const version = before.version + 1;
    const closed = before.closed || rowCount >= this.#app.config.likeShardRowsMax;
    const after = { ...before, version, likeCount, rowCount, histogram, closed };
    const isApplied = await appliedBatch(this.#app.cassandra, [...changedState(key, before, after), ...writes]);
    // New likes are then added to another shard.
    if (closed && changes.some(({ shown }) => shown)) keptCounts(this.#app).forget(likeableId);
    // Another process was faster. A change in a closed shard cannot be moved to another shard.
    // Nobody waits for the stripes: if they are not opened, the next contention opens them.
    if (!isApplied && read && !before.closed) openStripes(this.#app, likeableId, shard).catch(() => undefined);
    if (!isApplied) return 'OVERTAKEN';

    this.#known.committed(shardName(likeableId, shard), before, after, left);
    return after;
  }

  /**
   * Counts a shard's rows, and commits and publishes the result as its count.
   * @throws {CassandraError} if the shard changes so often that it cannot be counted
   */
  async recount(likeableId: string, shard: number): Promise<void> {
    const key = { likeable_id: likeableId, shard };
    for (let tries = 1; tries <= TRIES; tries++) {
      const counted = await countShard(this.#app.cassandra, likeableId, shard);
      if (counted) {
        const { liked: likeCount, histogram } = counted;
        const state = { ...counted.state, version: counted.state.version + 1, likeCount, histogram };
        if (await appliedBatch(this.#app.cassandra, changedState(key, counted.state, state))) {
          await publishCount(this.#app, likeableId, shard, state);
          return;
        }
      }
      await this.#app.cassandra.backOff(PAUSE_MS * tries);
    }
    throw new CassandraError('unknown', `shard ${shard} of ${likeableId} could not be counted`, undefined);
  }
}

/** A shard, and the count of its rows. */
interface CountedShard {
  readonly state: ShardState;
  readonly liked: number;
  readonly histogram: Histogram;
}

/**
 * Counts the likers of a shard by reading its rows.
 * @returns the shard's state before it was counted, and the number and the histogram of its rows;
 *   `undefined` if it changed meanwhile or does not exist
 */
export async function countShard(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
): Promise<CountedShard | undefined> {
  const key = { likeable_id: likeableId, shard };
  const { selectLikers, selectShardRows } = tablesOf(likeableId);
  const state = await readState(cassandra, selectShardRows, key);
  if (!state) return undefined;

  let liked = 0;
  let histogram = EMPTY;
  for await (const { shard_version, quarters } of each(cassandra, selectLikers, { ...key, liked: true })) {
    if (shard_version !== state.version) return undefined;
    liked++;
    histogram = moved(histogram, null, quarters);
  }
  return { state, liked, histogram };
}

/** Reads a shard's state; `undefined` if the shard does not exist. */
async function readState(
  cassandra: Cassandra,
  read: ReadShard,
  key: { readonly likeable_id: string; readonly shard: number },
): Promise<ShardState | undefined> {
  const ownRow = { slices: [SENTINEL.liked], positions: [[SENTINEL.liked_at, SENTINEL.user_id] as [Date, string]] };
  const [current] = await rows(cassandra, read, { ...key, ...ownRow });
  return current && stateOf(current);
}

/** Returns the newest change of each like. */
function newestOfEach(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) {
    const key = nameOfLike(change);
    if ((newest.get(key)?.version ?? 0) < change.version) newest.set(key, change);
  }
  return [...newest.values()];
}

const shardName = (likeableId: string, shard: number) => `${shard} ${likeableId}`;
