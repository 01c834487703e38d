import type { z } from 'zod';
import { CassandraError } from '../cassandra/errors.ts';
import { each, write, type Cassandra } from '../cassandra/statement.ts';
import { compareReleases } from '../config/release.ts';
import type { AppContext } from '../context/context.ts';
import { RequestError, UserError } from '../graphql/errors.ts';
import { requireTrusted } from '../trust/operations.ts';
import { shardOf } from '../cassandra/shards.ts';
import { TAKEN_AFTER_MS, transactionLog, type Logged, type Place } from './log.ts';
import { deleteDeadLetter, EVERYBODY, insertDeadLetter, selectDeadLetters, selectIncarnations } from './tables.ts';

/**
 * Transactions. A change of several tables is logged before it begins. If it fails after that, its
 * own process finishes it later. If the process dies, another one finishes it.
 */

const DEAD_LETTER_SHARDS = 8;

/** Runs a named part of a transaction. The process may die before and after each part. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * A kind of transaction, with the function that finishes one from its log entry after its process
 * died.
 */
export interface TransactionKind<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /**
   * Finishes a transaction. It is idempotent, and safe while the caller is still running. A {@link
   * UserError} means that there is nothing to finish.
   */
  readonly recover: (app: AppContext, payload: Payload, step: Step) => Promise<void>;
}

/** A transaction that could not be finished, and the reason. */
export interface DeadLetter extends Logged {
  readonly shard: number;
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** A transaction in progress. */
export interface Transaction {
  readonly step: Step;
  /**
   * Logs the transaction again. Another server may have taken this process over and finished the
   * first entry, so no second decision may rely on that entry.
   */
  readonly logAgain: () => Promise<void>;
  /**
   * Logs the transaction again if its last entry may have been finished, because it is old or
   * another server may have taken this process over. Call it before writes that no fence prevents,
   * and before those after a fence.
   */
  readonly ensureLogged: () => Promise<void>;
}

/**
 * The maximum age of an entry to rely on. The other servers still see the heartbeat of its process.
 */
const LOGGED_MS = TAKEN_AFTER_MS / 2;
const LOG_TRIES = 3;

/**
 * Runs a transaction.
 * @param work makes the change; a {@link UserError} from it means that nothing was done and there
 *   is nothing to finish
 * @throws {CassandraError} with an unknown outcome if it could not be finished now: recovery will
 *   finish it
 * @throws `OVERLOADED` if this server cannot be trusted with it, or has too much to finish; nothing
 *   was done
 */
export async function transact<Payload, Result>(
  app: AppContext,
  kind: TransactionKind<Payload>,
  payload: Payload,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  requireTrusted(app);
  const log = transactionLog(app);
  log.requireRoom();

  const about = { begun_at: app.clock(), request_id: app.requestId ?? '' };
  const logged = { kind: kind.name, payload: JSON.stringify(payload), ...about };
  const places: Place[] = [];
  let loggedAt = -Infinity;
  const logAgain = async () => {
    const begun = app.monotonicNow();
    places.push(await log.write(app, { transaction_id: app.randomId(), ...logged }));
    loggedAt = begun;
  };
  const isLogged = () => {
    const now = app.monotonicNow();
    return now - loggedAt < LOGGED_MS && places.at(-1)?.of.isOwned(now) === true;
  };
  const ensureLogged = async () => {
    for (let tries = 1; !isLogged(); tries++) {
      if (tries > LOG_TRIES) throw new CassandraError('unknown', 'the log is too slow to continue', undefined);
      await logAgain();
    }
  };
  // Nothing waits for the deletion of an entry, because it is struck out later with its whole tick.
  const complete = () => {
    for (const place of places) log.complete(place);
    return Promise.resolve();
  };
  const step = steps(app, kind.name);
  await step('log', logAgain);
  try {
    const result = await work({ step, logAgain, ensureLogged });
    await step('complete', complete);
    return result;
  } catch (error) {
    if (error instanceof UserError) {
      await complete();
      throw error;
    }
    log.keepUnfinished(app, { transaction_id: places[0]?.transactionId ?? app.randomId(), ...logged }, places);
    throw new CassandraError('unknown', `${kind.name} was not finished`, error);
  }
}

/**
 * Runs the work that follows a transaction in the same request. If this server refuses another
 * transaction, its error says that nothing was done, which is no longer true of the request.
 * @throws {CassandraError} with an unknown outcome if the work is refused
 */
export async function afterDecision<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new CassandraError('unknown', 'the projections of a change were refused', error);
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
 * Finishes one transaction; others may try at the same time. A transaction that no retry can finish
 * becomes a dead letter with the reason. A transaction that failed only because of Cassandra's
 * state must be tried again.
 * @returns the reason why it became a dead letter, `undefined` if it is finished
 * @throws {CassandraError} if it is not finished
 */
export async function finish(app: AppContext, kinds: TransactionKinds, logged: Logged): Promise<string | undefined> {
  const reason = await tryToFinish(app, kinds, logged);
  if (reason !== undefined) {
    const shard = shardOf(logged.transaction_id, DEAD_LETTER_SHARDS);
    await write(app.cassandra, insertDeadLetter, { shard, ...logged, reason, dead_lettered_at: app.clock() });
  }
  return reason;
}

/** Kinds of transactions, each with its own type of payload. */
export type TransactionKinds = readonly (Omit<TransactionKind<never>, 'payload'> & {
  readonly payload: z.ZodType;
})[];

/** @returns the reason why it cannot be finished, `undefined` if it is finished */
async function tryToFinish(app: AppContext, kinds: TransactionKinds, logged: Logged): Promise<string | undefined> {
  const kind = kinds.find((each) => each.name === logged.kind);
  if (!kind) return `This server knows no transaction of the kind ${logged.kind}; a newer one may.`;
  try {
    // The types do not express that a kind's `recover` accepts the result of its own `payload`.
    const payload = kind.payload.parse(JSON.parse(logged.payload)) as never;
    await kind.recover(app, payload, steps(app, `${kind.name} recovery`));
  } catch (error) {
    if (error instanceof CassandraError) throw error;
    // It begins a further transaction, which this server refuses now.
    if (error instanceof RequestError)
      throw new CassandraError('refused', `${kind.name} cannot be finished now`, error);
    if (!(error instanceof UserError))
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return undefined;
}

/**
 * Returns the oldest release of the processes that log transactions; `undefined` if there are none.
 * A dead process is included until another one has taken it over, within seconds.
 */
export async function oldestRelease(cassandra: Cassandra): Promise<string | undefined> {
  const found = await Array.fromAsync(each(cassandra, selectIncarnations, EVERYBODY), ({ release }) => release);
  return found.toSorted(compareReleases)[0];
}

/**
 * Returns the processes that log transactions and are alive.
 * @param wait waits until a living one has raised its beat, which it does each second
 */
export async function processesAlive(
  { cassandra }: Pick<AppContext, 'cassandra'>,
  wait: () => Promise<unknown>,
): Promise<readonly { readonly incarnation: string; readonly release: string }[]> {
  const look = () => Array.fromAsync(each(cassandra, selectIncarnations, EVERYBODY));
  const before = new Map((await look()).map(({ incarnation, beat }) => [incarnation, beat]));
  await wait();
  return (await look()).filter(({ incarnation, beat }) => before.get(incarnation) !== beat);
}

/**
 * Returns true if a server of a later release is alive. Such a server knows all kinds of work of
 * this release, and perhaps others.
 */
export const isLaterReleaseAlive = (app: AppContext): boolean => transactionLog(app).isOutdated;

/**
 * Returns true if a server of a release before the given one is alive, or has left unfinished
 * transactions, as of the last read. Such a server does not know the additions of that release.
 */
export function isEarlierReleaseAlive(app: AppContext, release: string): boolean {
  const oldest = transactionLog(app).oldestAlive;
  return oldest !== undefined && compareReleases(oldest, release) < 0;
}

/**
 * Returns the time in milliseconds since this server last saw a change of the live servers;
 * infinite if it has never seen one.
 */
export const settledFor = (app: AppContext): number => app.monotonicNow() - transactionLog(app).othersChangedAt;

export const findDeadLetters = ({ cassandra }: AppContext): AsyncGenerator<DeadLetter> =>
  each(cassandra, selectDeadLetters, { shards: Array.from({ length: DEAD_LETTER_SHARDS }, (_, shard) => shard) });

/**
 * Tries again to finish a dead letter. A newer release may be able to.
 * @returns true if it is finished
 */
export async function retryDeadLetter(app: AppContext, kinds: TransactionKinds, logged: DeadLetter): Promise<boolean> {
  if ((await tryToFinish(app, kinds, logged)) !== undefined) return false;
  await removeDeadLetter(app, logged);
  return true;
}

/** Removes a dead letter. Its transaction is not tried again. */
export async function removeDeadLetter({ cassandra }: AppContext, letter: DeadLetter): Promise<void> {
  const { shard, transaction_id } = letter;
  await write(cassandra, deleteDeadLetter, { shard, transaction_id });
}
