import pLimit from 'p-limit';
import { Gauge } from 'prom-client';
import { CassandraError } from '../cassandra/errors.ts';
import type { AppContext } from '../context/context.ts';
import { shardsInTurn } from '../cassandra/shards.ts';
import {
  findOrphaned,
  findDeadLetters,
  finish,
  retryDeadLetter,
  LOG_SHARDS,
  type Entry,
  type TransactionKinds,
} from './operations.ts';

/** So many are finished at once; what a server orphaned is at most what it had under way. */
const AT_ONCE = 16;
/** A transaction that is older, and still not finished, is cause for alarm. */
const ALARM_AFTER_MS = 60_000;

const unfinished = new Gauge({
  name: 'transactions_orphaned',
  help: 'Transactions that a dead server orphaned and that the last run of the recovery could not finish yet',
});
const logAge = new Gauge({
  name: 'transaction_log_age_seconds',
  help: 'How old the oldest entry was that the last run of the recovery found; 0 where none is older than two seconds',
});
const deadLetters = new Gauge({
  name: 'transaction_dead_letters',
  help: 'Transactions that cannot be finished by any server, as of the last look',
});

/**
 * Finishes what dead servers orphaned, once. Each server begins at a shard of its own choice, so that several share
 * the work without knowing of each other; what two of them finish is finished all the same.
 */
export async function recoverTransactions(app: AppContext, kinds: TransactionKinds): Promise<void> {
  const limit = pLimit(AT_ONCE);
  const stay: Entry[] = [];
  const now = app.clock().getTime();
  let oldestFound = now;
  for (const shard of shardsInTurn(app, LOG_SHARDS)) {
    const entries = await findOrphaned(app, shard);
    oldestFound = Math.min(oldestFound, ...entries.map(({ begun_at }) => begun_at.getTime()));
    await limit.map(entries, async (entry) => {
      if (!(await recover(app, kinds, entry))) stay.push(entry);
    });
  }
  unfinished.set(stay.length);
  logAge.set((now - oldestFound) / 1_000);
  const late = stay.filter((entry) => app.clock().getTime() - entry.begun_at.getTime() > ALARM_AFTER_MS);
  if (late.length > 0) {
    const oldest = late.reduce((one, other) => (one.begun_at < other.begun_at ? one : other)).begun_at;
    app.logger.fatal(
      { transactions: late.length, oldest },
      'transactions are unfinished for more than a minute: Cassandra refuses or loses their writes, look at it first',
    );
  }
}

async function recover(app: AppContext, kinds: TransactionKinds, entry: Entry): Promise<boolean> {
  const about = { transaction: entry.transaction_id, kind: entry.kind, begunAt: entry.begun_at };
  try {
    const reason = await finish(app, kinds, entry);
    if (reason === undefined) app.logger.info(about, 'finished a transaction that was orphaned');
    else
      app.logger.fatal(
        { ...about, reason },
        'a transaction that was orphaned cannot be finished; it is a dead letter now',
      );
    return true;
  } catch (error) {
    if (!(error instanceof CassandraError)) throw error;
    app.logger.error({ ...about, err: error }, 'a transaction that was orphaned could not be finished yet');
    return false;
  }
}

/** Tries the dead letters again, and reports those that are left. Nothing is ever dropped. */
export async function retryDeadLetters(app: AppContext, kinds: TransactionKinds): Promise<void> {
  let left = 0;
  for await (const logged of findDeadLetters(app)) {
    const { transaction_id, kind, reason, dead_lettered_at } = logged;
    if (await retryDeadLetter(app, kinds, logged)) {
      app.logger.info({ transaction: transaction_id, kind }, 'finished a transaction that is a dead letter');
    } else {
      left++;
      app.logger.error(
        { transaction: transaction_id, kind, reason, deadLetteredAt: dead_lettered_at },
        'a transaction is a dead letter',
      );
    }
  }
  deadLetters.set(left);
}
