import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchCassandra } from '../../src/launch/launch.ts';
import { dropKeyspace } from '../../src/cassandra/schema.ts';
import { readConfig } from '../../src/config/config.ts';
import { PLACES } from '../../src/app/places.ts';

declare module 'vitest' {
  interface ProvidedContext {
    contactPoints: string;
    /** Whether it was there before the run, and stays. */
    isExternal: boolean;
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
  const keyspace = `test_${randomBytes(6).toString('hex')}`;
  project.provide('contactPoints', running.contactPoints.join(','));
  project.provide('isExternal', isExternal);
  project.provide('sharedKeyspace', keyspace);
  project.provide('folder', folder);
  return async () => {
    try {
      if (isExternal) await dropKeyspace({ ...cassandra, keyspace });
    } finally {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    }
  };
}
