import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchCassandra } from '../../src/launch/launch.ts';
import { readConfig } from '../../src/config/config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    contactPoints: string;
  }
}

/** One Cassandra for the whole test run, found or started as the server itself does; its data goes with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'social-e-library-test-'));
  const { cassandra } = readConfig(process.env);
  const places = { folder: join(import.meta.dirname, '../../.cassandra'), dataFolder, volume: undefined };
  const running = await launchCassandra(cassandra.contactPoints, places, (line) => {
    console.log(`[cassandra] ${line}`);
  });
  project.provide('contactPoints', running.contactPoints.join(','));
  return async () => {
    await running.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
}
