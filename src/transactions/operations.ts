import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { RequestError, UserError } from '../graphql/errors.ts';
import { mustBeTrusted } from '../trust/operations.ts';
import { shardOf } from '../cassandra/shards.ts';
import { TAKEN_AFTER_MS, transactionLog, type Logged, type Place } from './log.ts';
import { deleteDeadLetter, insertDeadLetter, selectDeadLetters } from './tables.ts';

/**
 * Transactions: a change of several tables is logged before it begins. What fails after that is finished later by its own process; what
 * a dead process leaves, by another one.
 */

const DEAD_LETTER_SHARDS = 8;

/** A named part of a transaction. The process may die before and after each. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** A kind of transaction: how to finish one whose process died, from what was logged of it. */
export interface TransactionKind<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Idempotent, and safe beside a caller that is still at work. A {@link UserError} means: nothing to finish. */
  readonly recover: (app: AppContext, payload: Payload, step: Step) => Promise<void>;
}

/** A transaction that could not be finished, and why. */
export interface DeadLetter extends Logged {
  readonly shard: number;
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** A transaction under way. */
export interface Transaction {
  readonly step: Step;
  /**
   * Logs the transaction anew. This process may have been taken over, and the first entry be finished with; so nothing may be decided
   * on account of that entry again.
   */
  readonly logAgain: () => Promise<void>;
  /** Logs the transaction anew where the last entry is so old that it may be finished with: for what no fence keeps from being written. */
  readonly stayLogged: () => Promise<void>;
}

/** An entry so young belongs to a process whose heart others still hear. */
const LOGGED_MS = TAKEN_AFTER_MS / 2;
const LOG_TRIES = 3;

/**
 * Runs a transaction.
 * @param work does it; a {@link UserError} from it means that nothing was done and nothing is to be finished
 * @throws {CassandraError} with an unknown outcome when it could not be finished now: it will be, by recovery
 * @throws `OVERLOADED` where this server may not be trusted with it, or has too much to finish; nothing was done
 */
export async function transact<Payload, Result>(
  app: AppContext,
  kind: TransactionKind<Payload>,
  payload: Payload,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  mustBeTrusted(app);
  const log = transactionLog(app);
  log.mustHaveRoom();

  const logged = { kind: kind.name, payload: JSON.stringify(payload), begun_at: app.clock() };
  const places: Place[] = [];
  let loggedAt = -Infinity;
  const logAgain = async () => {
    const begun = app.steady();
    places.push(await log.write(app, { transaction_id: app.randomId(), ...logged }));
    loggedAt = begun;
  };
  const stayLogged = async () => {
    for (let tries = 1; app.steady() - loggedAt >= LOGGED_MS; tries++) {
      if (tries > LOG_TRIES) throw new CassandraError('unknown', 'the log is too slow to go on', undefined);
      await logAgain();
    }
  };
  // Nobody waits for an entry to go: it is struck out with all of its tick.
  const complete = () => {
    for (const place of places) log.complete(place);
    return Promise.resolve();
  };
  const step = steps(app, kind.name);
  await step('log', logAgain);
  try {
    const result = await work({ step, logAgain, stayLogged });
    await step('complete', complete);
    return result;
  } catch (error) {
    if (error instanceof UserError) {
      await complete();
      throw error;
    }
    log.leave(app, { transaction_id: places[0]?.transactionId ?? app.randomId(), ...logged }, places);
    throw new CassandraError('unknown', `${kind.name} was not finished`, error);
  }
}

/**
 * Does what follows from a transaction in the same request. This server may refuse to begin another one, as nothing was done; of the
 * request that is not true any more.
 * @throws {CassandraError} with an unknown outcome where that is refused
 */
export async function afterDecision<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new CassandraError('unknown', 'what follows from a change was refused', error);
  }
}

function steps(app: AppContext, transaction: string): Step {
  return async (name, work) => {
    await app.atCrashPoint(`${transaction}: before ${name}`);
    const result = await work();
    await app.atCrashPoint(`${transaction}: after ${name}`);
    return result;
  };
}

/**
 * Finishes one transaction, beside whoever else does. One that cannot be finished, whatever is tried, becomes a dead letter
 * with the reason; one that only Cassandra's state keeps from being finished is to be tried again.
 * @returns the reason for which it became a dead letter
 * @throws {CassandraError} it is not finished
 */
export async function finish(app: AppContext, kinds: TransactionKinds, logged: Logged): Promise<string | undefined> {
  const reason = await tryToFinish(app, kinds, logged);
  if (reason !== undefined) {
    const shard = shardOf(logged.transaction_id, DEAD_LETTER_SHARDS);
    await write(app.cassandra, insertDeadLetter, { shard, ...logged, reason, dead_lettered_at: app.clock() });
  }
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
    // What follows from it is a transaction too, for which there is no room now, or no trust.
    if (error instanceof RequestError)
      throw new CassandraError('refused', `${kind.name} cannot be finished now`, error);
    if (!(error instanceof UserError))
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return undefined;
}

/** Every transaction that is a dead letter. */
export async function* findDeadLetters(app: AppContext): AsyncGenerator<DeadLetter> {
  for (let shard = 0; shard < DEAD_LETTER_SHARDS; shard++) {
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
