import type { Audience } from '../graphql/schema.generated.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { appliedBatch, batch, bind, each, rows, type Bound, type Cassandra } from '../cassandra/statement.ts';
import { perProcess } from '../context/context.ts';
import {
  openShard,
  selectShard,
  selectShardRows,
  selectShardRowsSerially,
  updateCount,
  updateFormerLiker,
  updateLiker,
  updateShard,
  type ShardStatics,
} from './tables.ts';
import { DAY_SECONDS } from '../time/units.ts';

/**
 * Version-fenced group commit: brings a shard of `user_by_item` up to the states that the source of truth has decided.
 *
 * The changes that arrive while one batch is under way become the next one. A batch reads the shard's version and the
 * rows that it is about to change in one serial read, leaves out what is not newer than the stored row, and writes the
 * rows and the count together on condition that the shard's version is still the one read. So a change may be given
 * any number of times, by any number of processes, in any order. The count is then made public, stamped with the version.
 */

/** A batch of so many rows stays under Cassandra's 50 KiB limit for batches. */
const CHANGES_PER_BATCH = 100;
/** A former like is remembered for this long, so that a late repetition of the like finds a newer version. */
const FORMER_LIKE_SECONDS = DAY_SECONDS;
const TRIES = 20;
const PAUSE_MS = 10;

/** The row that keeps a shard's static columns readable by key; its like never was. */
export const SENTINEL = { liked_at: new Date(0), user_id: LOWEST_UUID } as const;

/** One reader's like of the shard's likeable, as the source of truth has it. */
export interface Change {
  readonly userId: string;
  readonly fullName: string;
  /** Who may see that it is them. */
  readonly audience: Audience;
  readonly liked: boolean;
  readonly version: number;
  readonly likedAt: Date;
}

/** What a like that was taken back says of its reader: it is only kept for late repetitions to lose against. */
export const NOBODY = { fullName: '', audience: 'ONLY_ME' } as const;

interface Waiting {
  readonly change: Change;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** What a shard says of itself. */
export interface ShardState {
  readonly version: number;
  readonly likeCount: number;
  readonly rowCount: number;
  readonly closed: boolean;
}

/** The group commit of this process. */
export const groupCommit = perProcess(({ cassandra, config }) => new GroupCommit(cassandra, config.likeShardRowsMax));

export class GroupCommit {
  readonly #cassandra: Cassandra;
  readonly #shardRowsMax: number;
  /** The changes that wait, by shard; a shard is here as long as a batch of it is under way. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(cassandra: Cassandra, shardRowsMax: number) {
    this.#cassandra = cassandra;
    this.#shardRowsMax = shardRowsMax;
  }

  /**
   * Brings one change into its shard and into the count, and waits until it is there.
   * @throws {CassandraError} with an unknown outcome; giving the change again is safe
   */
  apply(likeableId: string, shard: number, change: Change): Promise<void> {
    return new Promise((done, failed) => {
      const key = `${shard} ${likeableId}`;
      const waiting = this.#waiting.get(key);
      if (waiting) {
        waiting.push({ change, done, failed });
      } else {
        this.#waiting.set(key, [{ change, done, failed }]);
        void this.#commitWaiting(key, likeableId, shard);
      }
    });
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
        // The next batch need not wait for this one's count: of two counts the one of the higher version stays.
        publishCount(this.#cassandra, likeableId, shard, state).then(
          () => {
            for (const { done } of waiting) done();
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
    for (let tries = 1; ; tries++) {
      try {
        // A stale read fails the condition; then only a serial one is sure to see what stood in the way.
        const read = tries === 1 ? selectShardRows : selectShardRowsSerially;
        const committed = await this.#tryToCommit(likeableId, shard, changes, read);
        if (committed) return committed;
      } catch (error) {
        if (!(error instanceof CassandraError) || tries === TRIES) throw error;
      }
      if (tries === TRIES)
        throw new CassandraError('unknown', `shard ${shard} of ${likeableId} is contended`, undefined);
      // Another process was faster, or nobody knows; what has landed is recognised by its version.
      await this.#cassandra.backOff(PAUSE_MS * Math.min(tries, 10));
    }
  }

  async #tryToCommit(
    likeableId: string,
    shard: number,
    changes: readonly Change[],
    read: typeof selectShardRows,
  ): Promise<ShardState | undefined> {
    const key = { likeable_id: likeableId, shard };
    const positions = changes.map(({ likedAt, userId }): [Date, string] => [likedAt, userId]);
    const stored = await rows(this.#cassandra, read, {
      ...key,
      positions: [[SENTINEL.liked_at, SENTINEL.user_id], ...positions],
    });
    const current = stored[0];
    const before = current ? stateOf(current) : { version: 0, likeCount: 0, rowCount: 0, closed: false };
    const storedLikes = new Map(stored.map((row) => [likeKey(row.user_id, row.liked_at), row]));
    let { likeCount, rowCount } = before;
    const writes: Bound[] = [];
    for (const change of changes) {
      const row = storedLikes.get(likeKey(change.userId, change.likedAt));
      if (row && row.version >= change.version) continue;
      likeCount += Number(change.liked) - Number(row?.liked ?? false);
      rowCount += row ? 0 : 1;
      writes.push(writeOf(key, change));
    }
    if (writes.length === 0) return before;
    const version = before.version + 1;
    const after = { version, likeCount, rowCount, closed: before.closed || rowCount >= this.#shardRowsMax };
    const header = current
      ? [bind(updateShard, { ...key, ...columnsOf(after), current_version: before.version })]
      : [
          bind(openShard, { ...key, ...columnsOf(after) }),
          bind(updateLiker, { ...key, ...SENTINEL, liked: false, version: 0, full_name: '', audience: 'ONLY_ME' }),
        ];
    return (await appliedBatch(this.#cassandra, [...header, ...writes])) ? after : undefined;
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
        const { version, rowCount, closed } = counted.state;
        const state = { version: version + 1, likeCount: counted.liked, rowCount, closed };
        const write = bind(updateShard, { ...key, ...columnsOf(state), current_version: version });
        if (await appliedBatch(this.#cassandra, [write])) {
          await publishCount(this.#cassandra, likeableId, shard, state);
          return;
        }
      }
      await this.#cassandra.backOff(PAUSE_MS * tries);
    }
    throw new CassandraError('unknown', `shard ${shard} of ${likeableId} could not be counted`, undefined);
  }
}

/**
 * Counts the rows of a shard.
 * @returns what the shard says, and how many likes it holds; `undefined` when it changed in the meantime, or is not there
 */
export async function countShard(
  cassandra: Cassandra,
  likeableId: string,
  shard: number,
): Promise<{ state: ShardState; liked: number } | undefined> {
  const key = { likeable_id: likeableId, shard };
  let state: ShardState | undefined;
  let liked = 0;
  for await (const row of each(cassandra, selectShard, key)) {
    state ??= stateOf(row);
    if (row.shard_version !== state.version) return undefined;
    liked += Number(row.liked);
  }
  return state && { state, liked };
}

const stateOf = (row: ShardStatics): ShardState => ({
  version: row.shard_version,
  likeCount: row.like_count,
  rowCount: row.row_count,
  closed: row.closed,
});

const columnsOf = ({ version, likeCount, rowCount, closed }: ShardState) => ({
  next_version: version,
  like_count: likeCount,
  row_count: rowCount,
  closed,
});

const likeKey = (userId: string, likedAt: Date) => `${userId} ${likedAt.getTime()}`;

function newestOfEach(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) {
    const key = likeKey(change.userId, change.likedAt);
    if ((newest.get(key)?.version ?? 0) < change.version) newest.set(key, change);
  }
  return [...newest.values()];
}

function writeOf(key: { likeable_id: string; shard: number }, change: Change): Bound {
  const { userId, fullName, audience, liked, version, likedAt } = change;
  const row = { ...key, liked_at: likedAt, user_id: userId, liked, version, full_name: fullName, audience };
  return liked ? bind(updateLiker, row) : bind(updateFormerLiker, { ...row, kept_seconds: FORMER_LIKE_SECONDS });
}

/** Makes a shard's count public, and opens the next shard once this one is full. */
async function publishCount(cassandra: Cassandra, likeableId: string, shard: number, state: ShardState): Promise<void> {
  const count = { likeable_id: likeableId, shard, like_count: state.likeCount, shard_version: BigInt(state.version) };
  const writes = [bind(updateCount, count)];
  if (state.closed) {
    writes.push(bind(updateCount, { likeable_id: likeableId, shard: shard + 1, like_count: 0, shard_version: 0n }));
  }
  await batch(cassandra, writes);
}
