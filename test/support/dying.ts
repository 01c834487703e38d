import type { AppContext } from '../../src/context/context.ts';
import { intercepted } from './intercept.ts';

/**
 * Does work in processes that die: the first one before its first write, the next one before its
 * second write, until one of them does not die.
 */
export async function untilOneSurvives(app: AppContext, work: (dying: AppContext) => Promise<unknown>): Promise<void> {
  const backOff = () => Promise.reject(new Error('the process died'));
  for (let lost = 0, isDone = false; !isDone; lost++) {
    let writes = 0;
    const cassandra = intercepted(app.cassandra, async ({ cql, send }) => {
      if (!cql.startsWith('SELECT') && writes++ >= lost) throw new Error('the process died');
      return send();
    });
    isDone = await work({ ...app, cassandra: { ...cassandra, backOff } }).then(
      () => true,
      () => false,
    );
  }
}
