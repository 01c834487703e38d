import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNode, type NodePlace, type RunningNode } from '../src/cassandra/embedded/node.ts';
import { PLACES } from '../src/places.ts';
import { say } from '../src/progress.ts';

const NODES = 3;
const STORAGE_PORT = 17_000;
const RING = 2n ** 64n;

/** A node of a cluster that can be stopped, killed, and started again. */
export interface ClusterNode {
  readonly address: string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Starts it again after it was killed. */
  readonly restart: () => Promise<void>;
}

/**
 * Starts three real nodes on 127.0.0.1 to 127.0.0.3, each with a third of the ring and, at a replication factor of 3, all
 * of the data.
 * @param dataFolder is emptied before and removed afterwards
 */
export async function startCluster(dataFolder: string, nativePort: number) {
  await rm(dataFolder, { recursive: true, force: true });
  const places = Array.from({ length: NODES }, (_, index): NodePlace => ({
    dataFolder: join(dataFolder, String(index + 1)),
    address: `127.0.0.${index + 1}`,
    nativePort,
    storagePort: STORAGE_PORT,
    cluster: { seed: '127.0.0.1', token: -(RING / 2n) + (BigInt(index) * RING) / BigInt(NODES) },
  }));
  const running = new Map<NodePlace, RunningNode>();
  const start = async (place: NodePlace) => {
    running.set(place, await startNode(PLACES.folder, place, say));
  };
  const stop = async () => {
    await Promise.all([...running.values()].map((node) => node.stop()));
    await rm(dataFolder, { recursive: true, force: true });
  };
  const [seed, ...others] = places;
  try {
    // The others ask the first one for the ring, and do not wait for it for long.
    if (seed) await start(seed);
    await Promise.all(others.map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  const nodes = places.map((place): ClusterNode => ({
    address: place.address,
    signal: (signal) => process.kill(running.get(place)?.pid ?? NaN, signal),
    restart: async () => {
      await running.get(place)?.stop();
      await start(place);
    },
  }));
  return { nodes, stop };
}
