import type { Client } from 'cassandra-driver';
import { z } from 'zod';

/**
 * The check that a database is Apache Cassandra in a supported version. Other databases speak its
 * protocol, and would fail later, or silently.
 */

/** Thrown for a database that this server does not support. */
export class ProductError extends Error {
  override name = 'ProductError';
}

/** The facts that distinguish databases with Cassandra's protocol. */
export interface ProductFacts {
  /** True if the driver was told that the database is a service of DataStax. */
  readonly isAstra: boolean;
  /** The row of `system.local`. */
  readonly local: Readonly<Record<string, unknown>>;
  /** The tables of the keyspace `system`. */
  readonly systemTables: readonly string[];
}

const OLDEST = [4, 1] as const;

/**
 * Refuses a database that is not Apache Cassandra 4.1 or later.
 * @throws {ProductError} naming the database and the reason
 */
export async function requireCassandra(client: Client): Promise<void> {
  const [local, tables] = await Promise.all([
    client.execute('SELECT * FROM system.local'),
    client.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'system'"),
  ]);
  const reason = whyNotCassandra({
    // The driver's types lack `isDbaas`.
    isAstra: (client.metadata as unknown as { isDbaas: () => boolean }).isDbaas(),
    local: { ...local.rows[0] },
    systemTables: tables.rows.map((row) => String(row['table_name'])),
  });
  if (reason !== undefined) throw new ProductError(reason);
}

const facts = z.object({
  release_version: z.string().catch(''),
  cluster_name: z.string().catch(''),
  partitioner: z.string().catch(''),
  dse_version: z.string().optional().catch(undefined),
});

/** Returns why a database is refused; `undefined` if it is not. */
export function whyNotCassandra({ isAstra, local, systemTables }: ProductFacts): string | undefined {
  const { release_version: version, cluster_name: name, partitioner, dse_version: dse } = facts.parse(local);
  if (isAstra)
    return (
      'This is DataStax Astra. Its settings (Paxos, limits, options of tables) can be neither read nor chosen. ' +
      NEEDED
    );
  if (dse !== undefined)
    return `This is DataStax Enterprise ${dse}, which is built on a Cassandra before Paxos v2. ${NEEDED}`;
  if (systemTables.some((table) => table.startsWith('scylla')))
    return (
      'This is ScyllaDB, whose conditional writes are another implementation of Paxos, with which this release was ' +
      `never tested. ${NEEDED}`
    );
  if (name === 'Amazon Keyspaces' || partitioner.startsWith('com.amazonaws.'))
    return `This is Amazon Keyspaces, which has no conditional batches, and so cannot group likes. ${NEEDED}`;

  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isRecent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (!isRecent || !partitioner.startsWith('org.apache.cassandra.'))
    return (
      `This is a database of version ${version || 'unknown'} with the partitioner ${partitioner || 'unknown'}. ` +
      NEEDED
    );
  return undefined;
}

const NEEDED =
  'The guarantees apply to Apache Cassandra 4.1 or later: name such a cluster in CASSANDRA_CONTACT_POINTS.';
