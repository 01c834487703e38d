import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { renameSomeLikes } from '../likes/operations.ts';
import { eraseSome } from '../personal-data.ts';
import { shardOf } from '../shards.ts';
import {
  deleteTask,
  insertTask,
  selectTasks,
  selectTasksOfUser,
  updateTask,
  type AccountState,
  type AccountTask,
} from './tables.ts';

/**
 * What a change of an account leaves to be done in so many rows that no request can wait for all of it. It is noted with
 * the change, done a page at a time, and goes on after any crash from where it was.
 */

export const TASK_SHARDS = 8;
const TASKS_MAX = 100;

/** Notes what is to be done. Doing so again while it is not done changes nothing, later it is done once more. */
export async function beginTask(
  app: AppContext,
  userId: string,
  kind: AccountTask['kind'],
  state: AccountState,
): Promise<void> {
  const version = kind === 'RENAME' ? state.name_version : 0;
  const key = { shard: shardOf(userId, TASK_SHARDS), user_id: userId, kind, version };
  await write(app.cassandra, insertTask, { ...key, begun_at: state.changed_at });
}

/** The tasks of one shard. */
export const tasksIn = ({ cassandra }: AppContext, shard: number): Promise<AccountTask[]> =>
  rows(cassandra, selectTasks, { shard, rows_max: TASKS_MAX });

/** The tasks of one reader. */
export const tasksOf = ({ cassandra }: AppContext, userId: string): Promise<AccountTask[]> =>
  rows(cassandra, selectTasksOfUser, { shard: shardOf(userId, TASK_SHARDS), user_id: userId, rows_max: TASKS_MAX });

/**
 * Goes on with a task, page after page.
 * @param forMs for about so long
 * @returns whether it is finished
 */
export async function advance(app: AppContext, task: AccountTask, forMs: number): Promise<boolean> {
  const { user_id, kind, version, begun_at } = task;
  const key = { shard: shardOf(user_id, TASK_SHARDS), user_id, kind, version };
  const some = kind === 'RENAME' ? renameSomeLikes : eraseSome;
  const until = app.clock().getTime() + forMs;
  let position = task.position ?? '';
  for (let done = (task.done ?? 0) + 1; ; done++) {
    const next = await some(app, user_id, position);
    app.atCrashPoint(`${kind}: after page ${String(done)}`);
    if (next === undefined) {
      await write(app.cassandra, deleteTask, key);
      return true;
    }
    position = next;
    await write(app.cassandra, updateTask, { ...key, begun_at, position, done });
    if (app.clock().getTime() >= until) return false;
  }
}
