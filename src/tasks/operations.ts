import { rows, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { subjectOf, uuidOf, type NodeId } from '../ids.ts';
import { renameSomeLikes, retitleSomeLikes } from '../likes/operations.ts';
import { eraseSome } from '../personal-data.ts';
import { shardOf } from '../shards.ts';
import { deleteTask, insertTask, selectTasks, selectTasksOf, updateTask, type Task } from './tables.ts';

/**
 * What a change leaves to be done in so many rows that no request can wait for all of it. It is noted with the change,
 * done a page at a time, and goes on after any crash from where it was.
 */

export const TASK_SHARDS = 8;
const TASKS_MAX = 100;
/** Who asks for a change waits so long for its tasks; the rest is done behind their back, by the workers. */
const WAITED_MS = 4_000;

/** Does a page of a task behind a position, '' at first; returns the next one, `undefined` when all is done. */
type Work = (app: AppContext, key: string, position: string) => Promise<string | undefined>;

const works: Record<Task['kind'], Work> = {
  RENAME: renameSomeLikes,
  ERASE: eraseSome,
  RETITLE: retitleSomeLikes,
};

const partitionOf = (subject: string) => ({ shard: shardOf(uuidOf(subject), TASK_SHARDS), subject });

/**
 * Notes what is to be done. Doing so again while it is not done changes nothing, later it is done once more.
 * @param version of what it follows from, so that a newer change begins a task of its own
 */
export async function beginTask(
  { cassandra }: AppContext,
  subject: NodeId,
  kind: Task['kind'],
  version: number,
  begunAt: Date,
): Promise<void> {
  const key = { ...partitionOf(subjectOf(subject)), kind, version };
  await write(cassandra, insertTask, { ...key, begun_at: begunAt });
}

/** The tasks of one shard. */
export const tasksIn = ({ cassandra }: AppContext, shard: number): Promise<Task[]> =>
  rows(cassandra, selectTasks, { shard, rows_max: TASKS_MAX });

/** The tasks that changes of one thing left. */
export const tasksOf = ({ cassandra }: AppContext, subject: NodeId): Promise<Task[]> =>
  rows(cassandra, selectTasksOf, { ...partitionOf(subjectOf(subject)), rows_max: TASKS_MAX });

/** Does the tasks of one thing, as far as a request can wait for them. */
export async function doTasksOf(app: AppContext, subject: NodeId): Promise<void> {
  for (const task of await tasksOf(app, subject)) await advance(app, task, WAITED_MS);
}

/**
 * Goes on with a task, page after page.
 * @param forMs for about so long
 * @returns whether it is finished
 */
export async function advance(app: AppContext, task: Task, forMs: number): Promise<boolean> {
  const { subject, kind, version, begun_at } = task;
  const key = { ...partitionOf(subject), kind, version };
  const until = app.clock().getTime() + forMs;
  let position = task.position ?? '';
  for (let done = (task.done ?? 0) + 1; ; done++) {
    const next = await works[kind](app, subject.slice(subject.indexOf(':') + 1), position);
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
