import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { first, rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { UserError } from '../errors.ts';
import { deleteEntry, insertEntry, selectEntries, selectSwept, updateSwept } from './tables.ts';

/**
 * The transaction log: a change of several tables is noted before it begins and struck out when it is done.
 * What a dead process left behind is finished by the recovery worker of any other.
 */

export const LOG_SHARDS = 16;
const MINUTE_MS = 60_000;
/** An entry this old was left behind, or its caller is slow; recovery and a slow caller do not disturb each other. */
const LEFT_BEHIND_AFTER_MS = 3_000;
/** Clocks of servers may differ by this much; a minute is closed so long after its end. */
const CLOSED_AFTER_MS = 2 * MINUTE_MS;
const ENTRIES_PER_READ = 500;

/** A named part of a transaction. The process may die before and after each. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** A kind of transaction: how to finish one whose process died, from what was noted of it. */
export interface TransactionKind<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Idempotent, and safe beside a caller that is still at work. A {@link UserError} means: nothing to finish. */
  readonly recover: (app: AppContext, payload: Payload, step: Step) => Promise<void>;
}

/** An entry of the log, as the recovery worker finds it. */
export interface Entry {
  readonly minute: Date;
  readonly shard: number;
  readonly transaction_id: string;
  readonly kind: string;
  readonly payload: string;
  readonly begun_at: Date;
}

/** A transaction under way. */
export interface Transaction {
  readonly step: Step;
  /**
   * Notes the transaction anew. Recovery may have taken up the first note and struck it out, if this process was slow;
   * so nothing may be decided on account of that note again.
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
    const entry = newEntry(app.clock(), kind.name, JSON.stringify(payload));
    entries.push(entry);
    await write(app.cassandra, insertEntry, entry);
  };
  const finished = () => Promise.all(entries.map((entry) => remove(app, entry)));
  const step = steps(app, kind.name);
  await step('log', log);
  try {
    const result = await work({ step, logAgain: log });
    await step('finish', finished);
    return result;
  } catch (error) {
    if (error instanceof UserError) {
      await finished();
      throw error;
    }
    throw new CassandraError('unknown', `${kind.name} was not finished`, error);
  }
}

function newEntry(begun: Date, kind: string, payload: string): Entry {
  const transactionId = randomUUID();
  return {
    minute: minuteOf(begun),
    shard: Number.parseInt(transactionId.slice(0, 8), 16) % LOG_SHARDS,
    transaction_id: transactionId,
    kind,
    payload,
    begun_at: begun,
  };
}

function steps(app: AppContext, transaction: string): Step {
  return async (name, work) => {
    app.atCrashPoint(`${transaction}: before ${name}`);
    const result = await work();
    app.atCrashPoint(`${transaction}: after ${name}`);
    return result;
  };
}

const minuteOf = (moment: Date) => new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS);

async function remove(app: AppContext, { minute, shard, transaction_id }: Entry): Promise<void> {
  await write(app.cassandra, deleteEntry, { minute, shard, transaction_id });
}

/**
 * Finds what was left behind in one shard, and notes up to which minute the shard is known to be empty.
 * A minute is known to be empty when it was closed before it was read.
 */
export async function findLeftBehind(app: AppContext, shard: number): Promise<Entry[]> {
  const now = app.clock();
  const current = minuteOf(now);
  const closed = new Date(current.getTime() - CLOSED_AFTER_MS);
  const swept = (await first(app.cassandra, selectSwept, { shard }))?.minute ?? closed;
  const found: Entry[] = [];
  let empty = swept;
  for (let time = swept.getTime(); time <= current.getTime(); time += MINUTE_MS) {
    const minute = new Date(time);
    const entries = await rows(app.cassandra, selectEntries, { minute, shard, entries_max: ENTRIES_PER_READ });
    found.push(...entries);
    if (found.length === 0 && time < closed.getTime()) empty = new Date(time + MINUTE_MS);
    if (found.length >= ENTRIES_PER_READ) break;
  }
  if (empty > swept || swept === closed) {
    await write(app.cassandra, updateSwept, { shard, minute: empty, write_timestamp: BigInt(empty.getTime()) });
  }
  return found.filter((entry) => now.getTime() - entry.begun_at.getTime() > LEFT_BEHIND_AFTER_MS);
}

/**
 * Finishes one transaction that was left behind. Two servers may do it at once.
 * @throws Error when its kind is unknown or its payload cannot be read; the entry stays
 */
export async function finish(app: AppContext, kinds: readonly TransactionKind<never>[], entry: Entry): Promise<void> {
  const kind = kinds.find((each) => each.name === entry.kind);
  if (!kind)
    throw new Error(
      `The transaction ${entry.transaction_id} is of a kind that this server does not know: ${entry.kind}`,
    );
  try {
    const payload = kind.payload.parse(JSON.parse(entry.payload));
    await kind.recover(app, payload, steps(app, `${kind.name} recovery`));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  await remove(app, entry);
}
