import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLACES } from '../places.ts';
import { launchCassandra } from '../launch/launch.ts';
import type { Log } from '../../src/terminal/progress.ts';
import type { RunningCassandra } from '../launch/running.ts';

/** A Cassandra for tests. */
export interface TestNode extends RunningCassandra {
  /** A folder that is deleted with the node. */
  readonly folder: string;
}

/**
 * Finds a Cassandra for tests or starts one, like a server. If it was started, its data is deleted
 * with it.
 * @param isShort true if a started one runs only for a few minutes
 */
export async function startTestNode(
  contactPoints: readonly string[] | undefined,
  isShort: boolean,
  log: Log,
): Promise<TestNode> {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-test-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const places = { ...PLACES, dataFolder: join(folder, 'data'), isTemporary: true, isShort };
    const running = await launchCassandra(contactPoints, places, log);
    const stop = async () => {
      try {
        await running.stop();
      } finally {
        await remove();
      }
    };
    return { ...running, folder, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
