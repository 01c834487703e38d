import { randomBytes } from 'node:crypto';
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

/** One Cassandra for the whole test run, found or started as the server itself does; its data goes with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { cassandra } = readConfig(process.env);
  const running = await startTestNode(cassandra.contactPoints, (line) => {
    console.log(`[cassandra] ${line}`);
  });
  const isExternal = running.kind === 'external';
  const keyspacePrefix = `test_${randomBytes(6).toString('hex')}_`;
  project.provide('contactPoints', running.contactPoints.join(','));
  project.provide('keyspacePrefix', keyspacePrefix);
  project.provide('sharedKeyspace', `${keyspacePrefix}shared`);
  project.provide('folder', running.folder);
  return async () => {
    try {
      // One that was there before the run stays.
      if (isExternal) await dropKeyspaces(cassandra, keyspacePrefix);
    } finally {
      await running.stop();
    }
  };
}
