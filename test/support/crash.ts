import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ownKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './app.ts';
import { importSample } from './books.ts';
import { Client } from './client.ts';
import { IS_FULL, some } from './full.ts';
import type { ServerProcess } from '../../tools/support/process.ts';
import { anotherProcess, liveLong } from './transactions.ts';
import { closeLog } from '../../src/transactions/recovery.worker.ts';

/** Servers that die at points chosen by a test, and a survivor that finishes their work. */

const CRASHING_SERVER = join(import.meta.dirname, 'crashing-server.ts');
/**
 * A limit for tests that hang, so that they report what was missing. It is long enough for a busy
 * machine; no test depends on it.
 */
const HALTED_WITHIN_MS = 300_000;
const RECOVERED_WITHIN_MS = 300_000;

/** A server with the workers, in addition to those that die. */
export interface Survivor extends TestServer {
  /**
   * Starts a server in a separate process. The test kills it while a request is at the point named
   * in its headers.
   */
  readonly startCrashing: () => Promise<CrashingServer>;
  /**
   * Kills a server at each point of answering a request; then waits until nothing unfinished is
   * left.
   */
  readonly crashAtEach: (
    all: readonly string[],
    request: (client: Client, point: string) => Promise<unknown>,
    endLoad?: () => Promise<void>,
  ) => Promise<void>;
  /**
   * Waits until the transaction log holds the wanted number of entries. Complete ones remain there
   * for a second or two.
   */
  readonly untilLog: (isWanted: (entries: number) => boolean) => Promise<void>;
  /**
   * Makes another process immediately take over all unfinished work, without waiting for a
   * heartbeat to stop for seconds.
   */
  readonly finishAll: () => Promise<void>;
}

/** A server that is killed once its requests are at their crash points. */
export interface CrashingServer extends ServerProcess {
  /** Waits until requests have reached these crash points, and kills the server (-9). */
  readonly killAt: (points: readonly string[]) => Promise<void>;
}

/**
 * Lists the points of a transaction at which a process can die. Nothing is written between the end
 * of a step and the beginning of the next one, so the end of a step is a separate point only for
 * the decision and for the last step. A short run dies before and after the decision, with some of
 * the projections written, and with all of them.
 */
export function points(transaction: string, steps: readonly string[]): string[] {
  const projections = steps.slice(steps.indexOf('compare-and-set') + 1);
  const before = IS_FULL
    ? ['log', ...steps, 'complete']
    : ['compare-and-set', ...some(projections.slice(1), 2), 'complete'];
  const after = IS_FULL ? ['compare-and-set', 'complete'] : ['compare-and-set'];
  return [
    ...before.map((step) => `${transaction}: before ${step}`),
    ...after.map((step) => `${transaction}: after ${step}`),
  ];
}

/** Returns whether a point is before the compare-and-set, so that the change must be absent. */
export const isUndecided = (point: string) =>
  point.endsWith('log') ||
  point.includes(' former ') ||
  point.endsWith('before compare-and-set') ||
  point.endsWith('reservation');

/** Makes something for each point, such as a reader. All at once take less processor time. */
export const madeForEach = async <Made>(
  all: readonly string[],
  make: (point: string) => Promise<Made>,
): Promise<Map<string, Made>> =>
  new Map(await Promise.all(all.map(async (point) => [point, await make(point)] as const)));

export const kindsOf = (actions: { edges: { node: { kind: string } }[] }) => actions.edges.map(({ node }) => node.kind);

/**
 * Starts the server that survives, in its own keyspace with the most popular books.
 * @param more settings of all servers
 * @param crashingEnvironment environment variables of the servers that die
 */
export async function startSurvivor(
  more: Record<string, string> = {},
  crashingEnvironment: Record<string, string> = {},
): Promise<Survivor> {
  // The audit repairs, so it must not run before the checks.
  const environment = testEnvironment({ AUDIT_ROWS_PER_SECOND: '0', ...more });
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
  const startCrashing = async (): Promise<CrashingServer> => {
    const server = await startServerProcess({ ...environment, ...crashingEnvironment }, undefined, CRASHING_SERVER);
    const killAt = async (points: readonly string[]) => {
      const deadline = Date.now() + HALTED_WITHIN_MS;
      const missing = () => points.filter((point) => !server.printed().includes(`halted ${point}\n`));
      while (missing().length > 0 && Date.now() < deadline) await sleep(5);
      server.process.kill('SIGKILL');
      expect(missing(), 'crash points that no request reached').toEqual([]);
      expect(await server.ended).toBe('SIGKILL');
    };
    return { ...server, killAt };
  };
  const finishAll = async () => {
    const taker = anotherProcess(server.app);
    while ((await client.execute('SELECT kind FROM transaction_log')).rowLength > 0) await liveLong(taker);
    await closeLog(taker);
  };
  return {
    ...server,
    startCrashing,
    finishAll,
    untilLog: (isWanted) => until('transaction_log', isWanted),
    crashAtEach: async (all, request, endLoad = () => Promise.resolve()) => {
      const { url, killAt } = await startCrashing();
      const dying = all.map((point) => {
        const client = new Client(url);
        client.headers = { 'crash-at': point };
        return expect(request(client, point), point).rejects.toThrow(/fetch failed|other side closed|terminated/);
      });
      await Promise.all([killAt(all), ...dying]);
      await endLoad();
      await finishAll();
      await until('jobs', (left) => left === 0);
    },
  };
}
