import { LRUCache } from 'lru-cache';
import type { Audience } from '../graphql/schema.generated.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { appliedBatch, bind, each, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { perProcess } from '../context/context.ts';
import { overloaded } from '../graphql/errors.ts';
import {
  KnownShards,
  nameOfLike,
  NOTHING_FOUND,
  type FoundShard,
  type NamedLike,
  type StoredLike,
} from './known-shards.ts';
import { recentCounts } from './loaders.ts';
import { countWrite, publishCount } from './published.ts';
import { changedState, NO_SHARD, SENTINEL, stateOf, type ShardState } from './shard-state.ts';
import { stripes } from './stripes.ts';
import {
  deleteLiker,
  selectLikers,
  selectShardRows,
  selectShardRowsSerially,
  updateFormerLiker,
  updateLiker,
} from './tables.ts';
import { DAY_SECONDS } from '../time/units.ts';

/**
 * Version-fenced group commit: brings a shard of `user_by_item` up to the states that the source of truth has decided.
 *
 * The changes that arrive while one batch is under way become the next one. A batch reads the shard's version and the
 * rows that it is about to change in one read, leaves out what is not newer than the stored row, and writes the
 * rows and the count together on condition that the shard's version is still the one read. So a change may be given
 * any number of times, by any number of processes, in any order. The count is then made public, stamped with the version.
 *
 * A shard that is probably not there is not read: its first batch is conditional on that, and before it there is no row. Nor is
 * one of which this process knows what it has, as it has made every commit since before the changes were decided
 * (`known-shards.ts`). Else the first read of a batch is a plain one, and so are those of a recount. What they show of a version
 * must be all of it: with the newest version and rows of earlier ones missing, the condition would hold and the count be wrong. It is all of it, as reads
 * and commits each wait for a majority of all replicas (`src/cassandra/topology.ts` refuses anything else): a batch is one mutation,
 * which a replica has or has not; before the next one is proposed a majority has committed it; and a read merges what a majority
 * has, so that with a version it shows every one before. It may show an older version; then the condition fails, which brings
 * what it failed by to a majority, and the next read shows that. Only where an outcome is unknown, or nothing is left to be written,
 * a serial read says what holds: it is a Paxos round of its own, in the way of whoever commits. Reads repair nothing here
 * (`read_repair = 'NONE'`): a repair brings a replica the rows that were read, and the version with them, without the other rows of
 * the same batch.
 */

/** A batch of so many rows stays under Cassandra's 50 KiB limit for batches. */
const CHANGES_PER_BATCH = 100;
/** A former like is remembered for this long, so that a late repetition of the like finds a newer version. */
const FORMER_LIKE_SECONDS = DAY_SECONDS;
const TRIES = 20;
/** So many changes of a shard wait at most before new ones are refused: a tenth of a second's work on a small machine. */
const WAITING_MAX = 2_000;
const RETRY_AFTER_SECONDS = 1;
const PAUSE_MS = 10;
/** What so many shards have said is remembered. */
const SHARDS_REMEMBERED = 10_000;

/** One reader's like of the shard's likeable, as the source of truth has it. */
export interface Change extends NamedLike {
  readonly version: number;
  /** What is shown of them, and to whom; `undefined` once the like is taken back. */
  readonly shown: { readonly fullName: string; readonly audience: Audience } | undefined;
}

interface Waiting {
  readonly change: Change;
  /** Whether whoever waits may be left the count to be made public. */
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
      contended: (likeableId, shard) => {
        stripes(app).contended(likeableId, shard);
      },
      full: (likeableId) => {
        recentCounts(app).forget(likeableId);
      },
    }),
);

/** How a group commit works, and who is told what it finds out. */
interface GroupCommitOptions {
  readonly shardRowsMax: number;
  /** After so many commits in a row without another one between, a shard is not read before the next one. */
  readonly aloneCommits: number;
  /** A clock that is never set, in ms. */
  readonly steady: () => number;
  /** Somebody else was faster with a shard that is open. */
  readonly contended?: (likeableId: string, shard: number) => void;
  /** A like was brought into a shard that is closed: new ones go to another one. */
  readonly full?: (likeableId: string) => void;
}

export class GroupCommit {
  readonly #cassandra: Cassandra;
  readonly #options: GroupCommitOptions;
  /** The changes that wait, by shard; a shard is here as long as a batch of it is under way. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Those that are believed not to be there yet; each is for the next batch. */
  readonly #absent = new LRUCache<string, true>({ max: SHARDS_REMEMBERED });
  /** What was begun to be read for a change of a shard that nothing waits for, by shard; good for its next batch alone. */
  readonly #ahead = new LRUCache<string, { readonly of: string; readonly found: Promise<FoundShard> }>({
    max: SHARDS_REMEMBERED,
  });
  /** What shards said of themselves when a change of this process was in them. */
  readonly #said = new LRUCache<string, ShardState>({ max: SHARDS_REMEMBERED });
  readonly #known: KnownShards;

  constructor(cassandra: Cassandra, options: GroupCommitOptions) {
    this.#cassandra = cassandra;
    this.#options = options;
    this.#known = new KnownShards(options.steady, options.aloneCommits);
  }

  /**
   * Refuses a change that is not decided yet, where too many wait for its shard already. What is decided is never refused.
   * @throws `OVERLOADED`
   */
  mustHaveRoom(likeableId: string, shard: number): void {
    if ((this.#waiting.get(shardName(likeableId, shard))?.length ?? 0) < WAITING_MAX) return;
    throw overloaded(
      'More readers like this at the moment, or take it back, than can be counted.',
      RETRY_AFTER_SECONDS,
    );
  }

  /**
   * Brings one change into its shard and into the count, and waits until it is there.
   * @param takesCount whether the caller writes what is left to be written for the count to be public
   * @returns that; nothing, unless the caller takes it, and then only of a change that was committed alone
   * @throws {CassandraError} with an unknown outcome; giving the change again is safe
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
   * Begins to read what the commit of a change will need, which is decided and has still to be given, as it is probably going to be committed
   * alone. Like any plain read it may show an older version then: the commit's condition finds that out.
   */
  readAhead(likeableId: string, shard: number, change: NamedLike): void {
    const name = shardName(likeableId, shard);
    if (this.#waiting.has(name) || this.#absent.has(name) || this.#ahead.has(name)) return;
    if (this.#known.find(name, [change])) return;

    const found = this.#read(likeableId, shard, [change], selectShardRows);
    // Whoever commits the change hears of a failure.
    found.catch(() => undefined);
    this.#ahead.set(name, { of: nameOfLike(change), found });
  }

  /** Whether changes of a shard are being committed by this process, so that another one would wait. */
  isBusy(likeableId: string, shard: number): boolean {
    return this.#waiting.has(shardName(likeableId, shard));
  }

  /** Tells that a shard is probably not there yet; one that is there all the same costs a try. */
  expectAbsent(likeableId: string, shard: number): void {
    const name = shardName(likeableId, shard);
    if (!this.#said.has(name)) this.#absent.set(name, true);
  }

  /** What a shard said of itself when the newest change of this process was in it, if that is remembered. */
  saidOf(likeableId: string, shard: number): ShardState | undefined {
    return this.#said.get(shardName(likeableId, shard));
  }

  async #commitWaiting(key: string, likeableId: string, shard: number): Promise<void> {
    // Changes that are given at the same moment go together, the first one included.
    await Promise.resolve();
    for (;;) {
      const waiting = this.#waiting.get(key)?.splice(0, CHANGES_PER_BATCH) ?? [];
      if (waiting.length === 0) {
        this.#waiting.delete(key);
        return;
      }
      try {
        const state = await this.#commit(likeableId, shard, newestOfEach(waiting.map(({ change }) => change)));
        this.#said.set(key, state);
        const [only] = waiting;
        const left = waiting.length === 1 && only?.takesCount ? countWrite(likeableId, shard, state) : undefined;
        if (left) {
          only?.done([left]);
          continue;
        }
        // The next batch need not wait for this one's count: of two counts the one of the higher version stays.
        publishCount(this.#cassandra, likeableId, shard, state).then(
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
        // What a condition failed by is on a majority since then: a plain read shows it, and is in no other commit's way.
        read = tried === 'OVERTAKEN' ? selectShardRows : selectShardRowsSerially;
        // Who did not look may have been overtaken long ago.
        if (tried === 'UNCONFIRMED' || !isRead) continue;
      } catch (error) {
        if (!(error instanceof CassandraError) || tries === TRIES) throw error;
        read = selectShardRowsSerially;
      }
      if (tries === TRIES)
        throw new CassandraError('unknown', `shard ${shard} of ${likeableId} is contended`, undefined);
      // Another process was faster, or nobody knows; what has landed is recognised by its version.
      await this.#cassandra.backOff(PAUSE_MS * Math.min(tries, 10));
    }
  }

  /** What was read ahead for the only change of a batch. Whatever else was is too old after the batch. */
  #takeAhead(name: string, [change, ...others]: readonly Change[]): Promise<FoundShard> | undefined {
    const ahead = this.#ahead.get(name);
    this.#ahead.delete(name);
    const isOfChange = change && others.length === 0 && ahead?.of === nameOfLike(change);
    return isOfChange ? ahead.found : undefined;
  }

  async #read(
    likeableId: string,
    shard: number,
    changes: readonly NamedLike[],
    read: typeof selectShardRows,
  ): Promise<FoundShard> {
    const positions = changes.map(({ likedAt, userId }): [Date, string] => [likedAt, userId]);
    const stored = await rows(this.#cassandra, read, {
      likeable_id: likeableId,
      shard,
      slices: [true, false],
      positions: [[SENTINEL.liked_at, SENTINEL.user_id], ...positions],
    });
    const likes = new Map<string, StoredLike>();
    for (const { user_id: userId, liked_at: likedAt, version, liked } of stored) {
      const key = nameOfLike({ userId, likedAt });
      const before = likes.get(key);
      // One that was taken back may have been liked anew since: the former liker is still there then.
      likes.set(key, {
        version: Math.max(version, before?.version ?? 0),
        liked: liked || (before?.liked ?? false),
      });
    }
    return { state: stored[0] ? stateOf(stored[0]) : NO_SHARD, likes };
  }

  /**
   * @param read by which that was read which was found; `undefined` where nothing was read
   */
  async #tryToCommit(
    likeableId: string,
    shard: number,
    changes: readonly Change[],
    read: typeof selectShardRows | undefined,
    { state: before, likes }: FoundShard,
  ): Promise<ShardState | 'OVERTAKEN' | 'UNCONFIRMED'> {
    const key = { likeable_id: likeableId, shard };
    let { likeCount, rowCount } = before;
    const writes: Bound[] = [];
    const left = new Map<string, StoredLike>();
    for (const change of changes) {
      const isLiked = change.shown !== undefined;
      const name = nameOfLike(change);
      const stored = likes.get(name);
      if (stored && stored.version >= change.version) continue;
      const wasLiked = stored?.liked ?? false;
      likeCount += Number(isLiked) - Number(wasLiked);
      rowCount += stored ? 0 : 1;
      writes.push(...writesOf(key, change, wasLiked));
      left.set(name, { version: change.version, liked: isLiked });
    }
    // What a plain read shows may be on one replica alone, of a commit that failed: a serial one makes sure that a majority has it.
    if (writes.length === 0) return read === selectShardRowsSerially ? before : 'UNCONFIRMED';
    const { shardRowsMax, contended, full } = this.#options;
    const version = before.version + 1;
    const closed = before.closed || rowCount >= shardRowsMax;
    const after = { ...before, version, likeCount, rowCount, closed };
    const isApplied = await appliedBatch(this.#cassandra, [...changedState(key, before, after), ...writes]);
    if (closed && changes.some(({ shown }) => shown)) full?.(likeableId);
    // What is to be changed in a shard that is closed cannot go to another one.
    if (!isApplied && read && !before.closed) contended?.(likeableId, shard);
    if (!isApplied) return 'OVERTAKEN';

    this.#known.committed(shardName(likeableId, shard), before, after, left);
    return after;
  }

  /**
   * Counts a shard's rows and makes the result its count, and public.
   * @throws {CassandraError} when the shard changes so often that it cannot be counted
   */
  async recount(likeableId: string, shard: number): Promise<void> {
    const key = { likeable_id: likeableId, shard };
    for (let tries = 1; tries <= TRIES; tries++) {
      const counted = await countShard(this.#cassandra, likeableId, shard);
      if (counted) {
        const state = { ...counted.state, version: counted.state.version + 1, likeCount: counted.liked };
        if (await appliedBatch(this.#cassandra, changedState(key, counted.state, state))) {
          await publishCount(this.#cassandra, likeableId, shard, state);
          return;
        }
      }
      await this.#cassandra.backOff(PAUSE_MS * tries);
    }
    throw new CassandraError('unknown', `shard ${shard} of ${likeableId} could not be counted`, undefined);
  }

  /**
   * Marks a shard as one that is counted in the sum of its block, and closes it, also where it is not there yet. May be repeated.
   * @throws {CassandraError} when it changes so often that it cannot be marked
   */
  async markSummed(likeableId: string, shard: number): Promise<void> {
    const key = { likeable_id: likeableId, shard };
    for (let tries = 1; tries <= TRIES; tries++) {
      const before = await readState(this.#cassandra, selectShardRowsSerially, key);
      if (before?.summed) return;
      const state = before ?? NO_SHARD;
      const marked = { ...state, version: state.version + 1, closed: true, summed: true };
      if (await appliedBatch(this.#cassandra, changedState(key, state, marked))) return;
      await this.#cassandra.backOff(PAUSE_MS * tries);
    }
    throw new CassandraError('unknown', `shard ${shard} of ${likeableId} could not be marked`, undefined);
  }
}

/**
 * Counts the likers of a shard.
 * @returns what the shard said before it was counted, and how many likes it holds; `undefined` when it was seen to change
 *   meanwhile, or is not there
 */
export async function countShard(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
): Promise<{ state: ShardState; liked: number } | undefined> {
  const key = { likeable_id: likeableId, shard };
  const state = await readState(cassandra, selectShardRows, key);
  if (!state) return undefined;

  let liked = 0;
  for await (const { shard_version } of each(cassandra, selectLikers, { ...key, liked: true })) {
    if (shard_version !== state.version) return undefined;
    liked++;
  }
  return { state, liked };
}

/** What a shard says of itself; `undefined` where it is not there. */
async function readState(
  cassandra: Cassandra,
  read: typeof selectShardRows,
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

/** A liker and a former liker are rows of two slices, so that pages of likers need not read the former ones. */
function writesOf(shard: { likeable_id: string; shard: number }, change: Change, wasLiked: boolean): Bound[] {
  const { userId, version, likedAt, shown } = change;
  const key = { ...shard, liked_at: likedAt, user_id: userId };
  const liker = { ...key, liked: true };
  if (shown) return [bind(updateLiker, { ...liker, version, full_name: shown.fullName, audience: shown.audience })];

  const former = bind(updateFormerLiker, { ...key, liked: false, version, kept_seconds: FORMER_LIKE_SECONDS });
  return wasLiked ? [bind(deleteLiker, liker), former] : [former];
}
