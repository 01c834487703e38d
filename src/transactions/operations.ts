import { beginningOf } from '../time/units.ts';
import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { each, first, rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { shardOf } from '../cassandra/shards.ts';
import {
  deleteEntry,
  deleteDeadLetter,
  insertEntry,
  insertDeadLetter,
  selectEntries,
  selectDeadLetters,
  selectSwept,
  updateSwept,
} from './tables.ts';

/**
 * The transaction log: a change of several tables is logged before it begins, and its entry removed when it is complete.
 * The entries that a dead process orphaned are completed by the recovery worker of any other.
 */

export const LOG_SHARDS = 8;
/** An entry is kept under the ten seconds in which its transaction began. */
const BUCKET_MS = 10_000;
/** An entry this old was orphaned, or its caller is slow; recovery and a slow caller do not disturb each other. */
const ORPHANED_AFTER_MS = 2_000;
/** An entry that took longer to be written is written anew, so that none comes into a bucket that is closed. */
const LOGGED_WITHIN_MS = 10_000;
/** So long after its beginning a bucket is closed: its own length, the writing of an entry, and clocks that differ by 10 s. */
const CLOSED_AFTER_MS = BUCKET_MS + LOGGED_WITHIN_MS + 10_000;
const BUCKETS_AT_ONCE = 32;
const ENTRIES_PER_READ = 500;

/** A named part of a transaction. The process may die before and after each. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** A kind of transaction: how to finish one whose process died, from what was logged of it. */
export interface TransactionKind<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Idempotent, and safe beside a caller that is still at work. A {@link UserError} means: nothing to finish. */
  readonly recover: (app: AppContext, payload: Payload, step: Step) => Promise<void>;
}

/** What was logged of a transaction. */
export interface Logged {
  readonly shard: number;
  readonly transaction_id: string;
  readonly kind: string;
  readonly payload: string;
  readonly begun_at: Date;
}

/** An entry of the log, as the recovery worker finds it. */
export interface Entry extends Logged {
  readonly bucket: Date;
}

/** A transaction that could not be finished, and why. */
export interface DeadLetter extends Logged {
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** A transaction under way. */
export interface Transaction {
  readonly step: Step;
  /**
   * Logs the transaction anew. Recovery may have taken up and removed the first entry, if this process was slow; so nothing
   * may be decided on account of that entry again.
   */
  readonly logAgain: () => Promise<void>;
}

/**
 * Runs a transaction.
 * @param work does it; a {@link UserError} from it means that nothing was done and nothing is to be finished
 * @throws {CassandraError} with an unknown outcome when it could not be finished now: it will be, by recovery
 */
export async function transact<Payload, Result>(
  app: AppContext,
  kind: TransactionKind<Payload>,
  payload: Payload,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const entries: Entry[] = [];
  const log = async () => {
    for (;;) {
      const entry = newEntry(app, kind.name, JSON.stringify(payload));
      entries.push(entry);
      await write(app.cassandra, insertEntry, entry);
      if (app.clock().getTime() - entry.begun_at.getTime() < LOGGED_WITHIN_MS) return;
    }
  };
  const finished = () => Promise.all(entries.map((entry) => remove(app, entry)));
  const step = steps(app, kind.name);
  await step('log', log);
  try {
    const result = await work({ step, logAgain: log });
    await step('complete', finished);
    return result;
  } catch (error) {
    if (error instanceof UserError) {
      await finished();
      throw error;
    }
    throw new CassandraError('unknown', `${kind.name} was not finished`, error);
  }
}

function newEntry(app: AppContext, kind: string, payload: string): Entry {
  const begun = app.clock();
  const transactionId = app.randomId();
  return {
    bucket: bucketOf(begun),
    shard: shardOf(transactionId, LOG_SHARDS),
    transaction_id: transactionId,
    kind,
    payload,
    begun_at: begun,
  };
}

function steps(app: AppContext, transaction: string): Step {
  return async (name, work) => {
    await app.atCrashPoint(`${transaction}: before ${name}`);
    const result = await work();
    await app.atCrashPoint(`${transaction}: after ${name}`);
    return result;
  };
}

const bucketOf = (moment: Date) => new Date(beginningOf(moment.getTime(), BUCKET_MS));

async function remove(app: AppContext, { bucket, shard, transaction_id }: Entry): Promise<void> {
  await write(app.cassandra, deleteEntry, { bucket, shard, transaction_id });
}

/**
 * Finds the entries of one shard that were orphaned, and remembers up to which bucket the shard is known to be empty.
 * A bucket is known to be empty when it was closed before it was read.
 */
export async function findOrphaned(app: AppContext, shard: number): Promise<Entry[]> {
  const now = app.clock().getTime();
  const closed = bucketOf(new Date(now - CLOSED_AFTER_MS)).getTime();
  const swept = (await first(app.cassandra, selectSwept, { shard }))?.bucket.getTime();
  const found: Entry[] = [];
  let empty = swept ?? closed;
  for (let begin = empty; begin <= now && found.length < ENTRIES_PER_READ; begin += BUCKETS_AT_ONCE * BUCKET_MS) {
    const buckets = Array.from({ length: BUCKETS_AT_ONCE }, (_, index) => begin + index * BUCKET_MS);
    const read = await Promise.all(
      buckets
        .filter((time) => time <= now)
        .map((time) =>
          rows(app.cassandra, selectEntries, { bucket: new Date(time), shard, entries_max: ENTRIES_PER_READ }),
        ),
    );
    for (const [index, entries] of read.entries()) {
      found.push(...entries);
      const time = begin + index * BUCKET_MS;
      if (found.length === 0 && time < closed) empty = time + BUCKET_MS;
    }
  }
  if (empty !== swept) {
    const bucket = new Date(empty);
    await write(app.cassandra, updateSwept, { shard, bucket, write_timestamp: BigInt(empty) });
  }
  return found.filter((entry) => now - entry.begun_at.getTime() > ORPHANED_AFTER_MS);
}

/**
 * Finishes one transaction that was orphaned. Two servers may do it at once. One that cannot be finished, whatever
 * is tried, becomes a dead letter with the reason; one that only Cassandra's state keeps from being finished stays.
 * @returns the reason for which it became a dead letter
 * @throws {CassandraError} the entry stays, for the next run
 */
export async function finish(app: AppContext, kinds: TransactionKinds, entry: Entry): Promise<string | undefined> {
  const reason = await tryToFinish(app, kinds, entry);
  if (reason !== undefined) {
    const { shard, transaction_id, kind, payload, begun_at } = entry;
    const logged = { shard, transaction_id, kind, payload, begun_at };
    await write(app.cassandra, insertDeadLetter, { ...logged, reason, dead_lettered_at: app.clock() });
  }
  await remove(app, entry);
  return reason;
}

/** Every kind of transaction that this server knows. */
export type TransactionKinds = readonly TransactionKind<never>[];

/** @returns why it cannot be finished */
async function tryToFinish(app: AppContext, kinds: TransactionKinds, logged: Logged): Promise<string | undefined> {
  const kind = kinds.find((each) => each.name === logged.kind);
  if (!kind) return `This server knows no transaction of the kind ${logged.kind}; a newer one may.`;
  try {
    const payload = kind.payload.parse(JSON.parse(logged.payload));
    await kind.recover(app, payload, steps(app, `${kind.name} recovery`));
  } catch (error) {
    if (error instanceof CassandraError) throw error;
    if (!(error instanceof UserError))
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return undefined;
}

/** Every transaction that is a dead letter. */
export async function* findDeadLetters(app: AppContext): AsyncGenerator<DeadLetter> {
  for (let shard = 0; shard < LOG_SHARDS; shard++) {
    yield* each(app.cassandra, selectDeadLetters, { shard });
  }
}

/**
 * Tries once more to finish a transaction that is a dead letter; a newer version may know how.
 * @returns whether it is finished
 */
export async function retryDeadLetter(app: AppContext, kinds: TransactionKinds, logged: DeadLetter): Promise<boolean> {
  const { shard, transaction_id } = logged;
  if ((await tryToFinish(app, kinds, logged)) !== undefined) return false;
  await write(app.cassandra, deleteDeadLetter, { shard, transaction_id });
  return true;
}
