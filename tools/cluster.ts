import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, policies } from 'cassandra-driver';
import { startNode, type NodePlace, type RunningNode } from '../src/launch/embedded.ts';
import { PLACES } from '../src/app/places.ts';
import { say } from '../src/terminal/progress.ts';

const NODES = 3;
const STORAGE_PORT = 17_000;
const RING = 2n ** 64n;
const COMPLETE_WITHIN_MS = 60_000;

/** A node of a cluster that can be stopped, killed, and started again. */
export interface ClusterNode {
  readonly address: string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Starts it again after it was killed. */
  readonly restart: () => Promise<void>;
}

/** Waits until a node knows all others, and they agree on the schema. */
async function untilComplete({ address, nativePort }: NodePlace): Promise<void> {
  const whiteList = new policies.loadBalancing.WhiteListPolicy(
    new policies.loadBalancing.DCAwareRoundRobinPolicy('datacenter1'),
    [`${address}:${nativePort}`],
  );
  const client = new Client({
    contactPoints: [`${address}:${nativePort}`],
    localDataCenter: 'datacenter1',
    protocolOptions: { port: nativePort },
    policies: { loadBalancing: whiteList },
  });
  const deadline = performance.now() + COMPLETE_WITHIN_MS;
  try {
    for (;;) {
      const [own, peers] = await Promise.all([
        client.execute('SELECT schema_version FROM system.local'),
        client.execute('SELECT schema_version FROM system.peers_v2'),
      ]);
      const versions = new Set([...own.rows, ...peers.rows].map((row) => String(row['schema_version'])));
      if (peers.rowLength === NODES - 1 && versions.size === 1) return;
      if (performance.now() > deadline) throw new Error(`${address} does not find the other nodes`);
      await sleep(200);
    }
  } finally {
    await client.shutdown();
  }
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
    for (const place of places) await untilComplete(place);
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
