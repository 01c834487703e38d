import { Gauge } from 'prom-client';
import type { AppContext } from '../context.ts';
import { shardsInTurn } from '../shards.ts';
import { advance, TASK_SHARDS, tasksIn } from './operations.ts';

/** Each task gets a turn of so long, so that a long one does not hold up the others. */
const TURN_MS = 2_000;
/** Who asked for it does some of it at once; a task is left to the workers when it is older. */
const LEFT_AFTER_MS = 6_000;

const unfinished = new Gauge({
  name: 'tasks_unfinished',
  help: 'Renames and erasures of accounts, and new titles of books, that were not finished when they were last looked at',
  labelNames: ['kind'],
});

/** Goes on with every task that is left. Each server begins at a shard of its own choice; two may do the same work. */
export async function doTasks(app: AppContext): Promise<void> {
  const left = { RENAME: 0, ERASE: 0, RETITLE: 0 };
  for (const shard of shardsInTurn(app, TASK_SHARDS)) {
    for (const task of await tasksIn(app, shard)) {
      const isLeft = app.clock().getTime() - task.begun_at.getTime() > LEFT_AFTER_MS;
      if (!isLeft || !(await advance(app, task, TURN_MS))) left[task.kind]++;
    }
  }
  for (const [kind, count] of Object.entries(left)) unfinished.set({ kind }, count);
}
