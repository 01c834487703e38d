import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import { ownKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './app.ts';
import { importSample } from './books.ts';
import { Client } from './client.ts';
import type { ServerProcess } from './process.ts';

/** Servers that die where a test says, and one that lives on and finishes what they left behind. */

const CRASHING_SERVER = join(import.meta.dirname, 'crashing-server.ts');
const RECOVERED_WITHIN_MS = 20_000;

/** A server with the workers, beside those that die. */
export interface Survivor extends TestServer {
  /** Starts a server in a process of its own. `CRASH_AT`: where it dies; `STOP_AT`: where it is stopped. */
  readonly startCrashing: (where: { CRASH_AT?: string; STOP_AT?: string }) => Promise<ServerProcess>;
  /** For each point, lets a server die there while it answers a request; then waits until nothing unfinished is left. */
  readonly crashAtEach: (
    all: readonly string[],
    request: (client: Client, point: string) => Promise<unknown>,
    endLoad?: () => Promise<void>,
  ) => Promise<void>;
  /** Waits until the transaction log holds as many entries as wanted. */
  readonly untilLog: (isWanted: (unfinished: number) => boolean) => Promise<void>;
}

/** The points of a transaction at which a process can die. */
export const points = (transaction: string, steps: readonly string[]) =>
  ['log', ...steps, 'complete'].flatMap((step) => [`${transaction}: before ${step}`, `${transaction}: after ${step}`]);

/** Points before which the compare-and-set has not happened: the change must be absent. */
export const isUndecided = (point: string) =>
  point.endsWith('log') ||
  point.includes(' former ') ||
  point.endsWith('before compare-and-set') ||
  point.endsWith('reservation');

export const kindsOf = (actions: { edges: { node: { kind: string } }[] }) => actions.edges.map(({ node }) => node.kind);

/** Starts the one that lives on, on a keyspace of its own with the best known books. */
export async function startSurvivor(): Promise<Survivor> {
  // The audit repairs: it must not hide what would be wrong without it.
  const environment = testEnvironment({ LIKE_AUDIT_ROWS_PER_SECOND: '0' });
  const server = await startServer(await ownKeyspace(environment), { workers: true });
  await importSample(server.app, 10);
  const { client } = server.app.cassandra;
  const until = async (table: string, isWanted: (rows: number) => boolean) => {
    const deadline = Date.now() + RECOVERED_WITHIN_MS;
    while (!isWanted((await client.execute(`SELECT kind FROM ${table}`)).rowLength)) {
      expect(Date.now(), 'in time').toBeLessThan(deadline);
      await sleep(50);
    }
  };
  const startCrashing = (where: { CRASH_AT?: string; STOP_AT?: string }) =>
    startServerProcess({ ...environment, ...where }, undefined, CRASHING_SERVER);
  return {
    ...server,
    startCrashing,
    untilLog: (isWanted) => until('transaction_log', isWanted),
    crashAtEach: async (all, request, endLoad = () => Promise.resolve()) => {
      await pLimit(2).map(all, async (point) => {
        const { url, ended } = await startCrashing({ CRASH_AT: point });
        await expect(request(new Client(url), point), point).rejects.toThrow(
          /fetch failed|other side closed|terminated/,
        );
        expect(await ended).toBe('SIGKILL');
      });
      await endLoad();
      await until('transaction_log', (left) => left === 0);
      await until('jobs', (left) => left === 0);
    },
  };
}
