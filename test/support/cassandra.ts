import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../src/config/config.ts';
import { startTestNode } from '../../tools/support/test-node.ts';
import { IS_FULL } from './full.ts';
import { dropKeyspaces } from './keyspaces.ts';

declare module 'vitest' {
  interface ProvidedContext {
    contactPoints: string;
    /** The prefix of the names of the run's keyspaces. */
    keyspacePrefix: string;
    sharedKeyspace: string;
    /** A folder of the run, removed with it. */
    folder: string;
  }
}

/** The run's Cassandra, and the number of projects that still use it. */
interface Shared {
  readonly provided: ProvidedContext;
  readonly stop: () => Promise<void>;
  users: number;
}

/** Every project loads this file again, but all of them use one node. */
const world = globalThis as typeof globalThis & { testCassandra?: Promise<Shared> | undefined };

/**
 * Provides one Cassandra for the whole test run, found or started as the server itself does. Its
 * data is deleted after the run.
 */
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
  const running = await startTestNode(cassandra.contactPoints, !IS_FULL, (line) => {
    console.log(`[cassandra] ${line}`);
  });
  await mkdir(join(running.folder, 'emptied'));
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
        // A Cassandra that ran before the tests keeps running.
        if (cassandra.contactPoints) await dropKeyspaces(cassandra, keyspacePrefix);
      } finally {
        await running.stop();
      }
    },
    users: 0,
  };
}
