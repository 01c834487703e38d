import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchCassandra } from '../../src/launch/launch.ts';
import { readConfig } from '../../src/config/config.ts';
import { PLACES } from '../../src/app/places.ts';
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
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-test-'));
  const { cassandra } = readConfig(process.env);
  const places = { ...PLACES, dataFolder: join(folder, 'data'), isTemporary: true };
  const running = await launchCassandra(cassandra.contactPoints, places, (line) => {
    console.log(`[cassandra] ${line}`);
  });
  const isExternal = running.kind === 'external';
  const keyspacePrefix = `test_${randomBytes(6).toString('hex')}_`;
  project.provide('contactPoints', running.contactPoints.join(','));
  project.provide('keyspacePrefix', keyspacePrefix);
  project.provide('sharedKeyspace', `${keyspacePrefix}shared`);
  project.provide('folder', folder);
  return async () => {
    try {
      // One that was there before the run stays.
      if (isExternal) await dropKeyspaces(cassandra, keyspacePrefix);
    } finally {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    }
  };
}
