import { errors, type Client } from 'cassandra-driver';
import { z } from 'zod';
import type { CassandraConfig } from '../config/config.ts';
import { requireCassandra } from './product.ts';

/**
 * The keyspace's replication, and the check that the product's promises hold with it and the
 * settings.
 *
 * The promises rest on two facts: a majority of all replicas decides the conditional writes of a
 * row, and a read sees every acknowledged write. SERIAL ensures the first. The second holds if
 * reads and writes wait for a majority of all replicas. With one data centre LOCAL_QUORUM and
 * LOCAL_SERIAL are the same as QUORUM and SERIAL. With several they are not: reads trust a data
 * centre that lags behind, and data that it has not received yet appears erased, empty or unowned.
 */

/** The replication of a keyspace. */
export interface Replication {
  /** The class without its package: `NetworkTopologyStrategy`. */
  readonly strategy: string;
  /**
   * The options of the class. For `NetworkTopologyStrategy` they are the replication factors of the
   * data centres.
   */
  readonly options: Readonly<Record<string, string>>;
}

/** The replication of a keyspace, and the data centres of its cluster. */
export interface Topology {
  /** Unset if the keyspace does not exist. */
  readonly replication: Replication | undefined;
  /** The data centres with nodes. */
  readonly dataCentres: readonly string[];
}

type Settings = Pick<CassandraConfig, 'keyspace' | 'localDataCenter' | 'consistency' | 'serialConsistency'>;

/** Thrown if the replication of the keyspace does not suit the settings. */
export class TopologyError extends Error {
  override name = 'TopologyError';
}

const replicationRow = z.object({ replication: z.record(z.string(), z.string()) });

/**
 * Reads the replication of the keyspace from the node that answers. The driver already knows the
 * nodes of the cluster.
 */
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
 * @throws {TopologyError} if the cluster has no node in the local data centre
 * @throws {ProductError} if the database is not a supported Apache Cassandra
 */
export async function connect(client: Client, { localDataCenter }: Pick<Settings, 'localDataCenter'>): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const found = dataCentresFound(error);
    if (found === undefined) throw error;
    throw new TopologyError(
      `CASSANDRA_LOCAL_DC is ${localDataCenter}, but the cluster has nodes in ${found} only. ` +
        'Set CASSANDRA_LOCAL_DC to one of these.',
    );
  }
  await requireCassandra(client);
}

/** Returns the data centres that the driver found instead of the local one. */
function dataCentresFound(error: unknown): string | undefined {
  if (!(error instanceof errors.NoHostAvailableError)) return undefined;
  const [found] = Object.values(error.innerErrors as Record<string, unknown>)
    .filter((inner) => inner instanceof errors.ArgumentError)
    .flatMap(({ message }) => /only found hosts in data centers: \[(.+)\]/.exec(message)?.[1] ?? []);
  return found;
}

/**
 * Refuses settings with which the promises do not hold for the keyspace's replication.
 * @throws {TopologyError} naming the settings, the replication found, and the value to set
 */
export async function requireGuarantees(client: Client, settings: Settings): Promise<void> {
  const reason = whyUnsafe(await readTopology(client, settings.keyspace), settings);
  if (reason !== undefined) throw new TopologyError(reason);
}

/**
 * Returns why the promises do not hold with some settings and a topology, and how to fix it;
 * `undefined` if they hold.
 *
 * The replication factors do not matter here, because two majorities of the replicas always have a
 * replica in common. With a factor of 1 or 2, the rows of any node that is down are unavailable,
 * but no acknowledged write is lost.
 */
export function whyUnsafe({ replication, dataCentres }: Topology, settings: Settings): string | undefined {
  const { keyspace, localDataCenter } = settings;
  if (!replication) return `There is no keyspace ${keyspace}; \`npm run admin -- migrate apply\` creates it.`;
  const { strategy, options } = replication;
  if (strategy === 'SimpleStrategy') {
    if (dataCentres.length === 1) return notReplicatedTo(settings, dataCentres, dataCentres);
    return (
      `The keyspace ${keyspace} has SimpleStrategy, and the cluster nodes in several data centres ` +
      `(${dataCentres.join(', ')}): it is unknown which of them has which rows. ` +
      `ALTER KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': …}, ` +
      `then nodetool repair --full ${keyspace} on every node, then start again. ${SEE}`
    );
  }
  if (strategy !== 'NetworkTopologyStrategy')
    return (
      `The keyspace ${keyspace} is replicated by ${strategy}, and this server does not know what a majority of its ` +
      `replicas is: ALTER KEYSPACE ${keyspace} to NetworkTopologyStrategy, repair, then start again. ${SEE}`
    );

  const partly = Object.entries(options).filter(([, factor]) => !/^\d+$/.test(factor));
  if (partly.length > 0)
    return (
      `The keyspace ${keyspace} has replication factors that are not whole numbers (${textOfFactors(partly)}): ` +
      'conditional writes cannot be decided by transient replicas. ' +
      `ALTER KEYSPACE ${keyspace} to whole numbers, repair, then start again. ${SEE}`
    );

  const replicated = Object.entries(options).filter(([, factor]) => Number(factor) > 0);
  const names = replicated.map(([name]) => name);
  const { consistency, serialConsistency } = settings;
  if (names.length > 1 && (consistency !== 'QUORUM' || serialConsistency !== 'SERIAL'))
    return (
      `The keyspace ${keyspace} is replicated to several data centres (${textOfFactors(replicated)}), where ` +
      `CASSANDRA_CONSISTENCY=${consistency} with CASSANDRA_SERIAL_CONSISTENCY=${serialConsistency} ` +
      'cannot keep the promises: ' +
      'data that one data centre has not received yet would be treated as erased. ' +
      `Set CASSANDRA_CONSISTENCY=QUORUM and CASSANDRA_SERIAL_CONSISTENCY=SERIAL for every server and tool. ${SEE}`
    );
  return notReplicatedTo(settings, names, dataCentres);
}

const SEE = 'See "Data centres" in docs/operations.md.';

const textOfFactors = (factors: readonly (readonly [string, string])[]) =>
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
    `(data centres with nodes: ${dataCentres.join(', ')}). ` +
    `Set CASSANDRA_LOCAL_DC to one that it is replicated to. ${SEE}`
  );
}

/** Returns a replication as text: `NetworkTopologyStrategy (dc1: 3)`. */
export const describeReplication = ({ strategy, options }: Replication): string =>
  `${strategy} (${textOfFactors(Object.entries(options).toSorted(([one], [other]) => one.localeCompare(other)))})`;
