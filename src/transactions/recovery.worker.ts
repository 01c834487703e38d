import pLimit from 'p-limit';
import { Gauge } from 'prom-client';
import { each } from '../cassandra/statement.ts';
import { compareReleases, RELEASE } from '../config/release.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { TAKEN_AFTER_MS, transactionLog, type Logged, type Unfinished } from './log.ts';
import { findDeadLetters, finish, retryDeadLetter, type TransactionKinds } from './operations.ts';
import { EVERYBODY, selectEntries, selectIncarnations } from './tables.ts';

/**
 * The numbers of first tries and of retries that run at the same time. They are separate, so that
 * transactions that cannot be finished do not delay others.
 */
const FIRST_TRIES_AT_ONCE = 32;
const RETRIES_AT_ONCE = 8;
/**
 * The maximum time that the next try waits for a slow one: a random part of this. A statement only
 * times out after seconds.
 */
const PATIENCE_MS = 2_000;
/** The age from which an unfinished transaction raises an alarm. */
const ALARM_AFTER_MS = 60_000;

const orphaned = new Gauge({
  name: 'transactions_orphaned',
  help: 'Transactions that a dead server orphaned or that failed on this one, and that this one has not finished yet',
});
const logAge = new Gauge({
  name: 'transaction_log_age_seconds',
  help: 'Time for which this server has known the oldest transaction that it has to finish; 0 if there is none',
});
const deadLetters = new Gauge({
  name: 'transaction_dead_letters',
  help: 'Transactions that cannot be finished by any server, as of the last read',
});

/**
 * Sends the heartbeat of this process. It shows that the process is alive and takes over others.
 * While it does, no other process finishes this process's transactions, so they are reported here.
 */
export async function sendHeartbeat(app: AppContext): Promise<void> {
  reportUnfinished(app);
  const log = transactionLog(app);
  // Recovery may write the time of day if there is no row yet, so it needs a trusted clock.
  log.takesOver = whyUntrusted(app) === undefined;
  await log.beat(app);
}

/** Maintains the log of a process that takes over no others, such as a tool, if it has a log. */
export async function keepLog(app: AppContext): Promise<void> {
  const log = transactionLog(app);
  if (!log.own) return;
  await log.beat(app);
  await log.strikeOut(app);
}

/** Ends the log of this process, and leaves no complete transactions to others. */
export const closeLog = (app: AppContext): Promise<void> => transactionLog(app).close(app);

/**
 * Strikes out complete transactions, takes over processes whose heartbeat has stopped, and begins
 * to finish unfinished transactions.
 * @returns `tried`: settles when each of these was tried once, which may take a long time
 */
export async function recoverTransactions(app: AppContext, kinds: TransactionKinds): Promise<{ tried: Promise<void> }> {
  const strikingOut = transactionLog(app)
    .strikeOut(app)
    .catch((error: unknown) => {
      app.logger.error({ err: error }, 'complete ticks of the log could not be struck out yet');
    });
  if (whyUntrusted(app) !== undefined) return { tried: strikingOut };

  const own = recovery(app);
  const begun = [strikingOut, own.tryAll(app, kinds)];
  await own.takeOverStopped(app);
  begun.push(own.tryAll(app, kinds));
  return { tried: Promise.all(begun).then(() => undefined) };
}

const recovery = perProcess(() => new Recovery());

/** One server's view of the others. */
class Recovery {
  /** The latest beat of each incarnation, and the time since which no later one was seen. */
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>();
  /** The servers of the last read. */
  #servers = '';
  readonly #firstTries = pLimit(FIRST_TRIES_AT_ONCE);
  readonly #retries = pLimit(RETRIES_AT_ONCE);

  /**
   * Takes over the incarnations whose heartbeat has stopped and that are assigned to this server.
   */
  async takeOverStopped(app: AppContext): Promise<void> {
    const log = transactionLog(app);
    const { own } = log;
    const wasThere = own !== undefined && own.tick > 0;
    // The clock is read before and after the query, so that the conclusions are right even if this
    // process stalls in between.
    const begun = app.monotonicNow();
    const found = await Array.fromAsync(each(app.cassandra, selectIncarnations, EVERYBODY));
    const now = app.monotonicNow();

    const servers = found.flatMap(({ incarnation, takes_over }) => (takes_over ? incarnation : [])).join();
    if (servers !== this.#servers) log.othersChangedAt = now;
    this.#servers = servers;

    // Another server has taken this incarnation over unnoticed, because the whole machine stalled,
    // including its monotonic clock.
    if (wasThere && own === log.own && !found.some(({ incarnation }) => incarnation === own.id)) log.endIncarnation();
    if (own) log.rank = found.filter(({ incarnation }) => incarnation < own.id).length;
    const dead = new Map<
      string,
      { readonly ticks: readonly number[]; readonly stamp: bigint; readonly release: string }
    >();
    for (const { incarnation, beat, open_ticks, stamp, release } of found) {
      const seen = this.#seen.get(incarnation);
      if (!seen || seen.beat !== beat) this.#seen.set(incarnation, { beat, since: now });
      else if (incarnation !== own?.id && begun - seen.since >= TAKEN_AFTER_MS)
        dead.set(incarnation, { ticks: [...open_ticks, beat], stamp, release });
    }
    for (const id of this.#seen.keys()) if (!found.some(({ incarnation }) => incarnation === id)) this.#seen.delete(id);

    const takingOver = found.filter(({ takes_over }) => takes_over);
    const alive = takingOver.filter(({ incarnation }) => !dead.has(incarnation));
    log.isOutdated = alive.some(({ release }) => compareReleases(release, RELEASE) > 0);
    log.oldestAlive = takingOver.map(({ release }) => release).toSorted(compareReleases)[0];
    const isMine = (id: string) => {
      const { release } = dead.get(id) ?? {};
      return release !== undefined && own !== undefined && takerOf(id, takersOf(release, alive)) === own.id;
    };
    for (const other of log.others.values()) if (!other.isOwn && !isMine(other.id)) log.abandon(other);
    const mine = [...dead].filter(([id]) => isMine(id) && !log.others.has(id));
    await Promise.all(
      mine.map(([id, { ticks, stamp }]) =>
        // An incarnation that cannot be read now must not delay the others.
        takeOver(app, id, ticks, stamp).catch((error: unknown) => {
          app.logger.error({ err: error, incarnation: id }, 'the log of a dead server cannot be read yet');
        }),
      ),
    );
  }

  /** Tries the transactions that are due. */
  async tryAll(app: AppContext, kinds: TransactionKinds): Promise<void> {
    const now = app.monotonicNow();
    const due = [...transactionLog(app).unfinished].filter((each) => !each.isUnderWay && each.nextAt <= now);
    await Promise.all(
      due.map((each) => {
        each.isUnderWay = true;
        const limit = each.tries === 0 ? this.#firstTries : this.#retries;
        return limit(() => Promise.race([recoverIfTrusted(app, kinds, each), app.cassandra.backOff(PATIENCE_MS)]));
      }),
    );
  }
}

/** Reports the unfinished transactions. They also age while this server is untrusted. */
function reportUnfinished(app: AppContext): void {
  const now = app.monotonicNow();
  const ages = [...transactionLog(app).unfinished].map(({ since }) => now - since);
  orphaned.set(ages.length);
  logAge.set(Math.max(0, ...ages) / 1_000);

  const late = ages.filter((age) => age > ALARM_AFTER_MS);
  if (late.length === 0) return;
  const cause = whyUntrusted(app) ?? 'Cassandra refuses or loses their writes';
  app.logger.fatal(
    { transactions: late.length, oldestSeconds: Math.round(Math.max(...late) / 1_000) },
    `transactions have been unfinished for more than a minute: ${cause}, so check that first`,
  );
}

/**
 * Returns the servers that may take over a server of a release: those of the same or a later
 * release, because an older one may not know the kinds of its transactions. If there are none,
 * older servers may. A transaction that they do not know becomes a dead letter, and the next later
 * server finishes it.
 */
function takersOf(
  release: string,
  alive: readonly { readonly incarnation: string; readonly release: string }[],
): readonly string[] {
  const able = alive.filter((each) => compareReleases(each.release, release) >= 0);
  return (able.length > 0 ? able : alive).map(({ incarnation }) => incarnation);
}

/**
 * Returns the incarnation that takes over another one. All servers choose the same one without
 * communication, and the next one if that one dies.
 */
function takerOf(id: string, takers: readonly string[]): string | undefined {
  const distance = (other: string) => (begin(id) ^ begin(other)) >>> 0;
  return takers.toSorted((one, other) => distance(one) - distance(other))[0];
}

/** Returns the first 32 bits of a random UUID as a number. */
const begin = (id: string) => Number.parseInt(id.slice(0, 8), 16);

async function takeOver(app: AppContext, id: string, open: readonly number[], stamp: bigint): Promise<void> {
  const ticks = new Map<number, Logged[]>();
  for (const tick of open)
    ticks.set(tick, await Array.fromAsync(each(app.cassandra, selectEntries, { incarnation: id, tick })));

  const transactions = [...ticks.values()].reduce((sum, { length }) => sum + length, 0);
  app.logger.info({ incarnation: id, transactions }, 'takes over the log of a dead server');
  transactionLog(app).takeOver(app, id, ticks, stamp);
}

/** Trust is checked again, because a try may begin long after the run. */
async function recoverIfTrusted(app: AppContext, kinds: TransactionKinds, unfinished: Unfinished): Promise<void> {
  if (whyUntrusted(app) === undefined) await recover(app, kinds, unfinished);
  else unfinished.isUnderWay = false;
}

async function recover(app: AppContext, kinds: TransactionKinds, unfinished: Unfinished): Promise<void> {
  const { transaction_id, kind, begun_at, request_id } = unfinished.logged;
  const about = {
    transaction: transaction_id,
    kind,
    begunAt: begun_at,
    requestId: request_id === '' ? undefined : request_id,
  };
  try {
    const reason = await finish(app, kinds, unfinished.logged);
    transactionLog(app).finished(unfinished);
    if (reason === undefined) app.logger.info(about, 'finished an orphaned transaction');
    else app.logger.fatal({ ...about, reason }, 'an orphaned transaction cannot be finished; it is a dead letter now');
  } catch (error) {
    transactionLog(app).failed(app, unfinished);
    app.logger.error({ ...about, err: error }, 'an orphaned transaction could not be finished yet');
  }
}

/** Tries the dead letters again and reports those that remain. None is ever dropped. */
export async function retryDeadLetters(app: AppContext, kinds: TransactionKinds): Promise<void> {
  let left = 0;
  for await (const logged of findDeadLetters(app)) {
    const { transaction_id, kind, reason, dead_lettered_at, request_id } = logged;
    const about = {
      transaction: transaction_id,
      kind,
      reason,
      deadLetteredAt: dead_lettered_at,
      requestId: request_id === '' ? undefined : request_id,
    };
    try {
      if (await retryDeadLetter(app, kinds, logged)) {
        app.logger.info({ transaction: transaction_id, kind }, 'finished a dead letter');
        continue;
      }
      app.logger.error(about, 'a transaction is a dead letter');
    } catch (error) {
      // A failure must not hide the dead letters after it.
      app.logger.error({ ...about, err: error }, 'a dead letter could not be retried');
    }
    left++;
  }
  deadLetters.set(left);
}
