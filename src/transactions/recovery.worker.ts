import type { AppContext } from '../context.ts';
import { findLeftBehind, finish, LOG_SHARDS, type TransactionKind } from './operations.ts';

/**
 * Finishes what dead processes left behind, once. What cannot be finished is logged and stays for the next time.
 */
export async function recoverTransactions(app: AppContext, kinds: readonly TransactionKind<never>[]): Promise<void> {
  for (let shard = 0; shard < LOG_SHARDS; shard++) {
    for (const entry of await findLeftBehind(app, shard)) {
      const about = { transaction: entry.transaction_id, kind: entry.kind, begunAt: entry.begun_at };
      try {
        await finish(app, kinds, entry);
        app.logger.info(about, 'finished a transaction that was left behind');
      } catch (error) {
        app.logger.error({ ...about, error }, 'a transaction that was left behind cannot be finished yet');
      }
    }
  }
}
