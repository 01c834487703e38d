import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, policies } from 'cassandra-driver';
import type { CassandraConfig } from '../../src/config/config.ts';
import { withSchemaClient } from '../../src/schema/client.ts';
import { freePort, startNode, type NodePlace, type RunningNode } from '../launch/embedded.ts';
import { PLACES } from '../places.ts';
import { say } from '../../src/terminal/progress.ts';

const RING = 2n ** 64n;
const COMPLETE_WITHIN_MS = 60_000;

/** A node of a cluster that can be stopped, killed, and started again. */
export interface ClusterNode {
  readonly address: string;
  readonly dataCentre: string;
  /** The folder of its data, hints and log. */
  readonly dataFolder: string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Starts the node again after it was killed. */
  readonly restart: () => Promise<void>;
  /** Removes its data, as after the loss of its disk, and makes it replace itself. */
  readonly replace: () => Promise<void>;
}

/** The superuser of a cluster whose clients must log in. */
export const SUPERUSER = { username: 'cassandra', password: 'cassandra' } as const;

/** Waits until a node knows all others, and they agree on the schema. */
async function untilComplete(place: NodePlace, localDataCenter: string, nodes: number): Promise<void> {
  const deadline = performance.now() + COMPLETE_WITHIN_MS;
  for (;;) {
    // The superuser is created a moment after the node answers, and cannot log in before.
    const found = await isComplete(place, localDataCenter, nodes).catch((error: unknown) => error);
    if (found === true) return;
    if (performance.now() > deadline)
      throw new Error(`${place.address} does not find the other nodes`, { cause: found });
    await sleep(200);
  }
}

async function isComplete(
  { address, nativePort, isSecured }: NodePlace,
  localDataCenter: string,
  nodes: number,
): Promise<boolean> {
  const whiteList = new policies.loadBalancing.WhiteListPolicy(
    new policies.loadBalancing.DCAwareRoundRobinPolicy(localDataCenter),
    [`${address}:${nativePort}`],
  );
  const client = new Client({
    contactPoints: [`${address}:${nativePort}`],
    localDataCenter,
    protocolOptions: { port: nativePort },
    policies: { loadBalancing: whiteList },
    ...(isSecured && { credentials: SUPERUSER }),
  });
  try {
    const [own, peers] = await Promise.all([
      client.execute('SELECT schema_version FROM system.local'),
      client.execute('SELECT schema_version FROM system.peers_v2'),
    ]);
    const versions = new Set([...own.rows, ...peers.rows].map((row) => String(row['schema_version'])));
    return peers.rowLength === nodes - 1 && versions.size === 1;
  } finally {
    await client.shutdown();
  }
}

/** The data centre of each node if all are in one: the default of servers. */
const ONE_DATA_CENTRE: readonly string[] = Array.from({ length: 3 }, () => 'datacenter1');

/**
 * Starts real nodes on 127.0.0.1 and the following addresses, by default three. Each has an equal
 * part of the ring and, with their number as the replication factor, all data.
 * @param dataFolder is emptied before and removed afterwards
 * @param nativePort the port for clients; the nodes talk to each other on a free one
 * @param dataCentres the data centre of each node
 * @param more `isSecured`: clients must log in, at first as `SUPERUSER`; `isShort`: the nodes run
 *   for a few minutes only; `isTemporary`: their data need not survive a kill
 */
export async function startCluster(
  dataFolder: string,
  nativePort: number,
  dataCentres: readonly string[] = ONE_DATA_CENTRE,
  more: Pick<NodePlace, 'isSecured' | 'isShort' | 'isTemporary'> = {},
) {
  await rm(dataFolder, { recursive: true, force: true });
  const dataCentreOf = (index: number) => dataCentres[index] ?? 'datacenter1';
  const addressOf = (index: number) => `127.0.0.${index + 1}`;
  const indexes = dataCentres.map((_, index) => index);
  // Each data centre has a seed, so that the nodes of one that is started again find one that is
  // running.
  const ofDataCentres = Map.groupBy(indexes, dataCentreOf).values();
  const seeds = [...ofDataCentres].map(([first = 0]) => addressOf(first));
  const storagePort = await freePort();
  const places = indexes.map((index): NodePlace => ({
    dataFolder: join(dataFolder, String(index + 1)),
    address: addressOf(index),
    nativePort,
    storagePort,
    ...more,
    cluster: {
      seeds,
      token: -(RING / 2n) + (BigInt(index) * RING) / BigInt(dataCentres.length),
      dataCentre: dataCentreOf(index),
    },
  }));
  const running = new Map<NodePlace, RunningNode>();
  const start = async (place: NodePlace, as = place) => {
    running.set(place, await startNode(PLACES.folder, as, say));
  };
  const stop = async () => {
    await Promise.all([...running.values()].map((node) => node.stop()));
    await rm(dataFolder, { recursive: true, force: true });
  };
  const [seed, ...others] = places;
  try {
    // The others get the ring from the first node, with a short timeout.
    if (seed) await start(seed);
    await Promise.all(others.map((place) => start(place)));
    for (const [index, place] of places.entries()) await untilComplete(place, dataCentreOf(index), places.length);
  } catch (error) {
    await stop();
    throw error;
  }
  const nodes = places.map((place, index): ClusterNode => ({
    address: place.address,
    dataCentre: dataCentreOf(index),
    dataFolder: place.dataFolder,
    signal: (signal) => process.kill(running.get(place)?.pid ?? NaN, signal),
    restart: async () => {
      await running.get(place)?.stop();
      await start(place);
    },
    replace: async () => {
      const { cluster } = place;
      await running.get(place)?.stop();
      await rm(place.dataFolder, { recursive: true });
      await start(place, { ...place, ...(cluster && { cluster: { ...cluster, isReplacing: true } }) });
    },
  }));
  return { nodes, stop };
}

/**
 * Makes the keyspace like an operator with several data centres, so that all nodes have all data.
 */
export async function makeKeyspace(config: CassandraConfig, dataCentres: readonly string[]): Promise<void> {
  const replicas = [...Map.groupBy(dataCentres, (name) => name)].map(([name, nodes]) => `'${name}': ${nodes.length}`);
  await withSchemaClient(config, undefined, (client) =>
    client.execute(
      `CREATE KEYSPACE ${config.keyspace}
       WITH replication = {'class': 'NetworkTopologyStrategy', ${replicas.join(', ')}}`,
    ),
  );
}
