import { errors, type Client } from 'cassandra-driver';
import { z } from 'zod';
import type { CassandraConfig } from '../config/config.ts';

/**
 * How the keyspace is replicated, and whether the settings can keep the product's promises with it.
 *
 * What is promised rests on two things: that conditional writes of a row are decided by a majority of all its replicas, and that
 * a read meets every write that was answered. The first is so with SERIAL, the second where reads and writes wait for a
 * majority of all replicas. With one data centre LOCAL_QUORUM and LOCAL_SERIAL say the same as QUORUM and SERIAL; with several they
 * do not: a data centre that lags is believed, and what it has not received yet counts as erased, as empty, as nobody's.
 */

/** How a keyspace is replicated. */
export interface Replication {
  /** The class without its package: `NetworkTopologyStrategy`. */
  readonly strategy: string;
  /** What the class was told: of `NetworkTopologyStrategy` the replication factor of every data centre. */
  readonly options: Readonly<Record<string, string>>;
}

/** How a keyspace is replicated, in what cluster. */
export interface Topology {
  /** Unset where there is no such keyspace. */
  readonly replication: Replication | undefined;
  /** The data centres that have nodes. */
  readonly dataCentres: readonly string[];
}

type Settings = Pick<CassandraConfig, 'keyspace' | 'localDataCenter' | 'consistency' | 'serialConsistency'>;

/** A keyspace whose replication does not go with the settings. */
export class TopologyError extends Error {
  override name = 'TopologyError';
}

const replicationRow = z.object({ replication: z.record(z.string(), z.string()) });

/** Asks the node at hand how the keyspace is replicated. The cluster's nodes the driver knows by itself. */
export async function readTopology(client: Client, keyspace: string): Promise<Topology> {
  const { rows } = await client.execute(
    'SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?',
    [keyspace],
    { prepare: true },
  );
  const dataCentres = [...new Set(client.hosts.values().map(({ datacenter }) => datacenter))].toSorted();
  if (!rows[0]) return { replication: undefined, dataCentres };

  const { class: name = '', ...options } = replicationRow.parse({ ...rows[0] }).replication;
  return { replication: { strategy: name.slice(name.lastIndexOf('.') + 1), options }, dataCentres };
}

/**
 * Connects a client.
 * @throws {TopologyError} where the cluster has no node in the local data centre
 */
export async function connect(client: Client, { localDataCenter }: Pick<Settings, 'localDataCenter'>): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const found = dataCentresFound(error);
    if (found === undefined) throw error;
    throw new TopologyError(
      `CASSANDRA_LOCAL_DC is ${localDataCenter}, but the cluster has nodes in ${found} only. Set CASSANDRA_LOCAL_DC to one of these.`,
    );
  }
}

/** The data centres that the driver found instead of the local one. */
function dataCentresFound(error: unknown): string | undefined {
  if (!(error instanceof errors.NoHostAvailableError)) return undefined;
  const [found] = Object.values(error.innerErrors as Record<string, unknown>)
    .filter((inner) => inner instanceof errors.ArgumentError)
    .flatMap(({ message }) => /only found hosts in data centers: \[(.+)\]/.exec(message)?.[1] ?? []);
  return found;
}

/**
 * Refuses settings that cannot keep the promises with the keyspace as it is replicated.
 * @throws {TopologyError} naming the settings, what was found, and what to set
 */
export async function mustKeepPromises(client: Client, settings: Settings): Promise<void> {
  const reason = whyUnsafe(await readTopology(client, settings.keyspace), settings);
  if (reason !== undefined) throw new TopologyError(reason);
}

/**
 * Why settings cannot keep the promises with a topology, and what to do; `undefined` where they can.
 *
 * The replication factors decide nothing here: with any of them two majorities of the replicas have one in common. With 1 a
 * node that is away takes its rows with it, and with 2 either of them does; nothing that was answered is forgotten by that.
 */
export function whyUnsafe({ replication, dataCentres }: Topology, settings: Settings): string | undefined {
  const { keyspace, localDataCenter } = settings;
  if (!replication) return `There is no keyspace ${keyspace}. Start the server: it makes it.`;
  const { strategy, options } = replication;
  if (strategy === 'SimpleStrategy') {
    if (dataCentres.length === 1) return notReplicatedTo(settings, dataCentres, dataCentres);
    return (
      `The keyspace ${keyspace} has SimpleStrategy, and the cluster nodes in several data centres (${dataCentres.join(', ')}): ` +
      'nobody can say which of them has what. ' +
      `ALTER KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': …}, ` +
      `then nodetool repair --full ${keyspace} on every node, then start again. ${SEE}`
    );
  }
  if (strategy !== 'NetworkTopologyStrategy')
    return (
      `The keyspace ${keyspace} is replicated by ${strategy}, of which this server does not know what a majority is: ` +
      `ALTER KEYSPACE ${keyspace} to NetworkTopologyStrategy, repair, then start again. ${SEE}`
    );

  const partly = Object.entries(options).filter(([, factor]) => !/^\d+$/.test(factor));
  if (partly.length > 0)
    return (
      `The keyspace ${keyspace} has replication factors that are no whole numbers (${toldOf(partly)}): conditional writes ` +
      `cannot be decided by transient replicas. ALTER KEYSPACE ${keyspace} to whole numbers, repair, then start again. ${SEE}`
    );

  const replicated = Object.entries(options).filter(([, factor]) => Number(factor) > 0);
  const names = replicated.map(([name]) => name);
  const { consistency, serialConsistency } = settings;
  if (names.length > 1 && (consistency !== 'QUORUM' || serialConsistency !== 'SERIAL'))
    return (
      `The keyspace ${keyspace} is replicated to several data centres (${toldOf(replicated)}), where ` +
      `CASSANDRA_CONSISTENCY=${consistency} with CASSANDRA_SERIAL_CONSISTENCY=${serialConsistency} cannot keep the promises: ` +
      'what one data centre has not received yet would count as erased. ' +
      `Set CASSANDRA_CONSISTENCY=QUORUM and CASSANDRA_SERIAL_CONSISTENCY=SERIAL for every server and tool. ${SEE}`
    );
  return notReplicatedTo(settings, names, dataCentres);
}

const SEE = 'See "Data centres" in docs/operations.md.';

const toldOf = (factors: readonly (readonly [string, string])[]) =>
  factors.map(([name, factor]) => `${name}: ${factor}`).join(', ');

function notReplicatedTo(
  { keyspace, localDataCenter }: Settings,
  replicated: readonly string[],
  dataCentres: readonly string[],
): string | undefined {
  if (replicated.includes(localDataCenter)) return undefined;
  const found = replicated.length > 0 ? `only to ${replicated.join(', ')}` : 'to no data centre at all';
  return (
    `CASSANDRA_LOCAL_DC is ${localDataCenter}, but the keyspace ${keyspace} is replicated ${found} ` +
    `(data centres with nodes: ${dataCentres.join(', ')}). Set CASSANDRA_LOCAL_DC to one that it is replicated to. ${SEE}`
  );
}

/** A replication in words: `NetworkTopologyStrategy (dc1: 3)`. */
export const replicationTold = ({ strategy, options }: Replication): string =>
  `${strategy} (${toldOf(Object.entries(options).toSorted(([one], [other]) => one.localeCompare(other)))})`;
