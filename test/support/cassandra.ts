import { randomBytes } from 'node:crypto';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../src/config/config.ts';
import { startTestNode } from '../../tools/support/test-node.ts';
import { dropKeyspaces } from './keyspaces.ts';

declare module 'vitest' {
  interface ProvidedContext {
    contactPoints: string;
    /** What the names of the run's keyspaces begin with. */
    keyspacePrefix: string;
    sharedKeyspace: string;
    /** A folder of the run, which ends with it. */
    folder: string;
  }
}

/** The run's Cassandra, and how many projects still use it. */
interface Shared {
  readonly provided: ProvidedContext;
  readonly stop: () => Promise<void>;
  users: number;
}

/** Every project loads this file anew, but all of them are to use one node. */
const world = globalThis as typeof globalThis & { testCassandra?: Promise<Shared> | undefined };

/** One Cassandra for the whole test run, found or started as the server itself does; its data goes with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  world.testCassandra ??= start();
  const shared = await world.testCassandra;
  shared.users += 1;
  project.provide('contactPoints', shared.provided.contactPoints);
  project.provide('keyspacePrefix', shared.provided.keyspacePrefix);
  project.provide('sharedKeyspace', shared.provided.sharedKeyspace);
  project.provide('folder', shared.provided.folder);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    world.testCassandra = undefined;
    await shared.stop();
  };
}

async function start(): Promise<Shared> {
  const { cassandra } = readConfig(process.env);
  const running = await startTestNode(cassandra.contactPoints, (line) => {
    console.log(`[cassandra] ${line}`);
  });
  const keyspacePrefix = `test_${randomBytes(6).toString('hex')}_`;
  return {
    provided: {
      contactPoints: running.contactPoints.join(','),
      keyspacePrefix,
      sharedKeyspace: `${keyspacePrefix}shared`,
      folder: running.folder,
    },
    stop: async () => {
      try {
        // One that was there before the run stays.
        if (running.kind === 'external') await dropKeyspaces(cassandra, keyspacePrefix);
      } finally {
        await running.stop();
      }
    },
    users: 0,
  };
}
