import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchCassandra } from '../../src/cassandra/launch.ts';
import { readConfig } from '../../src/config.ts';
import { PLACES } from '../../src/places.ts';

declare module 'vitest' {
  interface ProvidedContext {
    contactPoints: string;
  }
}

/** One Cassandra for the whole test run, found or started as the server itself does; its data goes with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'social-e-library-test-'));
  const { cassandra } = readConfig(process.env);
  const places = { ...PLACES, dataFolder, isTemporary: true };
  const running = await launchCassandra(cassandra.contactPoints, places, (line) => {
    console.log(`[cassandra] ${line}`);
  });
  project.provide('contactPoints', running.contactPoints.join(','));
  return async () => {
    await running.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
}
