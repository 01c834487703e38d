import { LRUCache } from 'lru-cache';
import type { Audience } from '../graphql/schema.generated.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { appliedBatch, bind, each, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { perProcess } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';
import { EMPTY, moved, type Histogram } from './histogram.ts';
import { keptCounts } from './loaders.ts';
import {
  nameOfLike,
  NOTHING_FOUND,
  OwnCommits,
  type FoundShard,
  type NamedLike,
  type StoredLike,
} from './own-commits.ts';
import { announcedCounts, countWrite, publishCount } from './publishing.ts';
import { changedState, NO_SHARD, SENTINEL, stateOf, type ShardState } from './shard.ts';
import { stripes } from './stripes.ts';
import { tablesOf, type LikersTables } from './tables.ts';
import { DAY_SECONDS } from '../time/units.ts';

/**
 * Version-fenced group commit: brings a shard of `user_by_item` up to the states that the source of
 * truth has decided.
 *
 * The changes that arrive while one batch is under way become the next batch. A batch reads the
 * shard's version and the rows that it is about to change in one read, leaves out changes that are
 * not newer than the stored rows, and writes the rows and the count together on condition that the
 * shard still has the version that was read. So a change may be given any number of times, by any
 * number of processes, in any order. The count is then published, stamped with the version.
 *
 * Two kinds of shards are not read. A shard that probably does not exist: its first batch is
 * conditional on that, and before it there is no row. And a shard whose content this process knows,
 * because it has made every commit since before the changes were decided (`own-commits.ts`).
 *
 * For every other shard the first read of a batch is a plain one, and so are those of a recount.
 * Such a read must show a version together with all of its rows: with the newest version but rows
 * missing, the condition would hold and the count be wrong. It does, for three reasons. Reads and
 * commits each wait for a majority of all replicas (`src/cassandra/topology.ts` refuses anything
 * else). A batch is one mutation, which a replica has or has not, and a majority has committed it
 * before the next batch is proposed. And a read merges what a majority has, so it shows with a
 * version every version before. It may show an older version; then the condition fails, which
 * brings the newer one to a majority, and the next read shows that.
 *
 * A serial read shows the state if an outcome is unknown, or if nothing is left to write. It is
 * used only then, because it is a Paxos round of its own, which competes with commits. No read
 * repairs a replica (`read_repair = 'NONE'`): a repair would bring it the rows that were read, and
 * the version with them, without the other rows of the same batch.
 */

/** The maximum number of changes in a batch, to stay under Cassandra's 50 KiB limit. */
const CHANGES_PER_BATCH = 100;
/** The time for which a former like is kept, so that a late repetition finds the newer version. */
const FORMER_LIKE_SECONDS = DAY_SECONDS;
const TRIES = 20;
/**
 * The number of waiting changes of a shard from which on new ones are refused: a tenth of a
 * second's work on a small machine.
 */
const WAITING_MAX = 2_000;
const RETRY_AFTER_SECONDS = 1;
const PAUSE_MS = 10;
/** The maximum number of shards in each of the caches. */
const SHARDS_REMEMBERED = 10_000;

/** The name of a reader in the row of a like, and who may see it. */
interface ShownLike {
  readonly fullName: string;
  readonly audience: Audience;
}

/** The rating in the row of a rating, in quarters of a star, from 1 to 20. */
interface ShownRating {
  readonly quarters: number;
}

/** One reader's like, or rating, of the shard's likeable, as the source of truth has it. */
export interface Change extends NamedLike {
  readonly version: number;
  /** `undefined` once it is taken back. */
  readonly shown: ShownLike | ShownRating | undefined;
}

const quartersOf = (shown: Change['shown']): number | undefined =>
  shown && 'quarters' in shown ? shown.quarters : undefined;

/** Reads the rows of a shard plainly, or serially. */
type ReadShard = LikersTables['selectShardRows'];

interface Waiting {
  readonly change: Change;
  /** True if the caller publishes the count itself. */
  readonly takesCount: boolean;
  readonly done: (left: Bound[]) => void;
  readonly failed: (error: unknown) => void;
}

/** The group commit of this process. */
export const groupCommit = perProcess(
  (app) =>
    new GroupCommit(app.cassandra, {
      shardRowsMax: app.config.likeShardRowsMax,
      aloneCommits: app.config.likeShardAloneCommits,
      steady: app.steady,
      announced: (likeableId) => announcedCounts(app, likeableId),
      contended: (likeableId, shard) => {
        stripes(app).contended(likeableId, shard);
      },
      full: (likeableId) => {
        keptCounts(app).forget(likeableId);
      },
    }),
);

/** The settings of a group commit, and the listeners to its findings. */
interface GroupCommitOptions {
  readonly shardRowsMax: number;
  /** The number of commits in a row, all by this process, after which a shard is not read. */
  readonly aloneCommits: number;
  /** A monotonic clock in ms. */
  readonly steady: () => number;
  /** Returns the write that announces a change of the published counts of a likeable. */
  readonly announced: (likeableId: string) => Bound;
  /** Called when another process was faster with an open shard. */
  readonly contended?: (likeableId: string, shard: number) => void;
  /** Called when a like was committed to a closed shard. New likes go to another shard. */
  readonly full?: (likeableId: string) => void;
}

export class GroupCommit {
  readonly #cassandra: Cassandra;
  readonly #options: GroupCommitOptions;
  /** The waiting changes by shard. A shard has an entry as long as a batch of it is under way. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** The shards that probably do not exist. An entry is used by the next batch. */
  readonly #absent = new LRUCache<string, true>({ max: SHARDS_REMEMBERED });
  /** The reads begun ahead of a change, by shard. Each serves the next batch alone. */
  readonly #ahead = new LRUCache<string, { readonly of: string; readonly found: Promise<FoundShard> }>({
    max: SHARDS_REMEMBERED,
  });
  /** The states of shards after the latest commit of this process. */
  readonly #committed = new LRUCache<string, ShardState>({ max: SHARDS_REMEMBERED });
  readonly #known: OwnCommits;

  constructor(cassandra: Cassandra, options: GroupCommitOptions) {
    this.#cassandra = cassandra;
    this.#options = options;
    this.#known = new OwnCommits(options.steady, options.aloneCommits);
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
   * Brings one change into its shard and into the published count.
   * @param takesCount true if the caller sends the returned writes, which publish the count
   * @returns these writes; none unless the caller takes them and the change was committed alone
   * @throws {CassandraError} with an unknown outcome; repeating the change is safe
   */
  apply(likeableId: string, shard: number, change: Change, takesCount = false): Promise<Bound[]> {
    return new Promise((done, failed) => {
      const key = shardName(likeableId, shard);
      const waiting = this.#waiting.get(key);
      if (waiting) {
        waiting.push({ change, takesCount, done, failed });
      } else {
        this.#waiting.set(key, [{ change, takesCount, done, failed }]);
        void this.#commitWaiting(key, likeableId, shard);
      }
    });
  }

  /**
   * Begins the read for a decided change that will follow, and will probably be committed alone.
   * Like any plain read it may show an older version; then the commit's condition fails.
   */
  readAhead(likeableId: string, shard: number, change: NamedLike): void {
    const name = shardName(likeableId, shard);
    if (this.#waiting.has(name) || this.#absent.has(name) || this.#ahead.has(name)) return;
    if (this.#known.find(name, [change])) return;

    const found = this.#read(likeableId, shard, [change], tablesOf(likeableId).selectShardRows);
    // The commit of the change reports a failure.
    found.catch(() => undefined);
    this.#ahead.set(name, { of: nameOfLike(change), found });
  }

  /** Returns whether this process is committing changes of a shard, so that another would wait. */
  isBusy(likeableId: string, shard: number): boolean {
    return this.#waiting.has(shardName(likeableId, shard));
  }

  /** Notes that a shard probably does not exist. If it does, the next commit takes one more try. */
  expectAbsent(likeableId: string, shard: number): void {
    const name = shardName(likeableId, shard);
    if (!this.#committed.has(name)) this.#absent.set(name, true);
  }

  /** Returns a shard's state after the latest commit of this process, if it is remembered. */
  committedState(likeableId: string, shard: number): ShardState | undefined {
    return this.#committed.get(shardName(likeableId, shard));
  }

  async #commitWaiting(key: string, likeableId: string, shard: number): Promise<void> {
    // Changes that arrive in the same tick go together, including the first one.
    await Promise.resolve();
    for (;;) {
      const waiting = this.#waiting.get(key)?.splice(0, CHANGES_PER_BATCH) ?? [];
      if (waiting.length === 0) {
        this.#waiting.delete(key);
        return;
      }
      try {
        const state = await this.#commit(likeableId, shard, newestOfEach(waiting.map(({ change }) => change)));
        this.#committed.set(key, state);
        const [only] = waiting;
        const left = waiting.length === 1 && only?.takesCount ? countWrite(likeableId, shard, state) : undefined;
        if (left) {
          only?.done([left, this.#options.announced(likeableId)]);
          continue;
        }
        // The next batch need not wait for this count: of two counts, the higher version stays.
        publishCount(this.#cassandra, likeableId, shard, state, this.#options.announced(likeableId)).then(
          () => {
            for (const { done } of waiting) done([]);
          },
          (error: unknown) => {
            for (const { failed } of waiting) failed(error);
          },
        );
      } catch (error) {
        for (const { failed } of waiting) failed(error);
      }
    }
  }

  async #commit(likeableId: string, shard: number, changes: readonly Change[]): Promise<ShardState> {
    const { selectShardRows, selectShardRowsSerially } = tablesOf(likeableId);
    const name = shardName(likeableId, shard);
    const known = this.#known.find(name, changes);
    let ahead = this.#takeAhead(name, changes);
    let read = known || this.#absent.delete(name) ? undefined : selectShardRows;
    for (let tries = 1; ; tries++) {
      const isRead = read !== undefined;
      try {
        const found = read ? (ahead ?? this.#read(likeableId, shard, changes, read)) : (known ?? NOTHING_FOUND);
        ahead = undefined;
        const tried = await this.#tryToCommit(likeableId, shard, changes, read, await found);
        if (typeof tried === 'object') return tried;
        // The failed condition brought the winner to a majority. A plain read shows it, and does
        // not compete with other commits.
        read = tried === 'OVERTAKEN' ? selectShardRows : selectShardRowsSerially;
        // Without a read, the winner may have committed long ago, so there is no need to back off.
        if (tried === 'UNCONFIRMED' || !isRead) continue;
      } catch (error) {
        if (!(error instanceof CassandraError) || tries === TRIES) throw error;
        read = selectShardRowsSerially;
      }
      if (tries === TRIES)
        throw new CassandraError('unknown', `shard ${shard} of ${likeableId} is contended`, undefined);
      // Another process was faster, or the outcome is unknown. The next try recognises committed
      // changes by their versions.
      await this.#cassandra.backOff(PAUSE_MS * Math.min(tries, 10));
    }
  }

  /**
   * Returns the read that was begun for the only change of a batch. Any other read of the shard is
   * dropped, because it is too old after the batch.
   */
  #takeAhead(name: string, [change, ...others]: readonly Change[]): Promise<FoundShard> | undefined {
    const ahead = this.#ahead.get(name);
    this.#ahead.delete(name);
    const isOfChange = change && others.length === 0 && ahead?.of === nameOfLike(change);
    return isOfChange ? ahead.found : undefined;
  }

  async #read(likeableId: string, shard: number, changes: readonly NamedLike[], read: ReadShard): Promise<FoundShard> {
    const positions = changes.map(({ likedAt, userId }): [Date, string] => [likedAt, userId]);
    const stored = await rows(this.#cassandra, read, {
      likeable_id: likeableId,
      shard,
      slices: [true, false],
      positions: [[SENTINEL.liked_at, SENTINEL.user_id], ...positions],
    });
    const likes = new Map<string, StoredLike>();
    for (const { user_id: userId, liked_at: likedAt, version, liked, quarters } of stored) {
      const key = nameOfLike({ userId, likedAt });
      const before = likes.get(key);
      // After a like that was taken back and repeated, the former liker's row is still there.
      likes.set(key, {
        version: Math.max(version, before?.version ?? 0),
        liked: liked || (before?.liked ?? false),
        quarters: quarters ?? before?.quarters,
      });
    }
    return { state: stored[0] ? stateOf(stored[0]) : NO_SHARD, likes };
  }

  /**
   * Commits the changes to a shard that is as it was found.
   * @param read the statement that found it; `undefined` if nothing was read
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
    const { shardRowsMax, contended, full } = this.#options;
    const version = before.version + 1;
    const closed = before.closed || rowCount >= shardRowsMax;
    const after = { ...before, version, likeCount, rowCount, histogram, closed };
    const isApplied = await appliedBatch(this.#cassandra, [...changedState(key, before, after), ...writes]);
    if (closed && changes.some(({ shown }) => shown)) full?.(likeableId);
    // A change in a closed shard cannot go to another shard.
    if (!isApplied && read && !before.closed) contended?.(likeableId, shard);
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
      const counted = await countShard(this.#cassandra, likeableId, shard);
      if (counted) {
        const { liked: likeCount, histogram } = counted;
        const state = { ...counted.state, version: counted.state.version + 1, likeCount, histogram };
        if (await appliedBatch(this.#cassandra, changedState(key, counted.state, state))) {
          await publishCount(this.#cassandra, likeableId, shard, state, this.#options.announced(likeableId));
          return;
        }
      }
      await this.#cassandra.backOff(PAUSE_MS * tries);
    }
    throw new CassandraError('unknown', `shard ${shard} of ${likeableId} could not be counted`, undefined);
  }
}

/** A shard, and what its rows are. */
interface CountedShard {
  readonly state: ShardState;
  readonly liked: number;
  readonly histogram: Histogram;
}

/**
 * Counts the likers of a shard.
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

const shardName = (likeableId: string, shard: number) => `${shard} ${likeableId}`;

function newestOfEach(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) {
    const key = nameOfLike(change);
    if ((newest.get(key)?.version ?? 0) < change.version) newest.set(key, change);
  }
  return [...newest.values()];
}

/**
 * Returns the writes of a change. Likers and former likers are rows of two slices, so that pages of
 * likers need not read the former ones.
 */
function writesOf(shard: { likeable_id: string; shard: number }, change: Change, wasLiked: boolean): Bound[] {
  const { deleteLiker, updateFormerLiker, updateLiker } = tablesOf(shard.likeable_id);
  const { userId, version, likedAt, shown } = change;
  const key = { ...shard, liked_at: likedAt, user_id: userId };
  const liker = { ...key, liked: true };
  if (shown) return [bind(updateLiker, { ...liker, version, ...columnsOf(shown) })];

  const former = bind(updateFormerLiker, { ...key, liked: false, version, kept_seconds: FORMER_LIKE_SECONDS });
  return wasLiked ? [bind(deleteLiker, liker), former] : [former];
}

const columnsOf = (shown: ShownLike | ShownRating) =>
  'quarters' in shown ? shown : { full_name: shown.fullName, audience: shown.audience };
