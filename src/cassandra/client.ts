import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { auth, Client, policies, types, type ClientOptions } from 'cassandra-driver';
import { z } from 'zod';
import type { CassandraConfig } from '../config/config.ts';
import { atMost } from './concurrency-limit.ts';
import { requireAllowedStatements } from './guardrails.ts';
import { ConditionalToFirstReplica, WriteTimestamps } from './driver-policies.ts';
import type { Cassandra } from './statement.ts';
import { connect, requireGuarantees } from './topology.ts';

const NATIVE_PORT = 9042;
/** The time after which a statement fails. Cassandra itself abandons a write after 2 s. */
const TIMEOUT_MS = 4_000;
/** The timeout of changes of the schema, which take longer. */
const SCHEMA_TIMEOUT_MS = 30_000;
/**
 * The time after which an idempotent statement is also sent to a second node, because the first one
 * may have stopped.
 */
const SECOND_TRY_AFTER_MS = 500;
/**
 * The maximum number of concurrent statements of a process. Its connection to a node accepts 2,048
 * and refuses more. Half of them leaves room for second attempts even if all statements are sent to
 * one node.
 */
const STATEMENTS_AT_ONCE = 1_024;

/**
 * Creates a driver client for requests, not yet connected. After 4 s the outcome of a statement is
 * unknown.
 */
const requestClient = (config: CassandraConfig): Client =>
  new Client({
    ...clientOptions(config),
    keyspace: config.keyspace,
    socketOptions: { readTimeout: TIMEOUT_MS },
  });

/**
 * Creates a driver client for changes of the schema, not yet connected. It does not wait for
 * agreement of the nodes, which took half a second per table in a cluster of three nodes.
 * @param keyspace unset if it does not exist yet
 */
export const schemaClient = (config: CassandraConfig, keyspace?: string): Client => {
  const options = clientOptions(config);
  return new Client({
    ...options,
    ...(keyspace !== undefined && { keyspace }),
    protocolOptions: { ...options.protocolOptions, maxSchemaAgreementWaitSeconds: 0 },
    isMetadataSyncEnabled: false,
    socketOptions: { readTimeout: SCHEMA_TIMEOUT_MS },
  });
};

function clientOptions(config: CassandraConfig): ClientOptions {
  if (!config.contactPoints)
    throw new Error('CASSANDRA_CONTACT_POINTS is not set; `npm start` launches a Cassandra without it');
  const options: ClientOptions = {
    contactPoints: [...config.contactPoints],
    localDataCenter: config.localDataCenter,
    // The driver discovers other nodes by address without a port, so all nodes must listen on the
    // same port.
    protocolOptions: { port: portOf(config.contactPoints) },
    queryOptions: {
      prepare: true,
      // Paging is off unless a statement requests it, because with paging Cassandra reads the
      // partitions of an IN list one by one.
      fetchSize: 0,
      consistency: types.consistencies[consistencyNames[config.consistency]],
    },
    policies: {
      loadBalancing: new ConditionalToFirstReplica(config.localDataCenter),
      speculativeExecution: new policies.speculativeExecution.ConstantSpeculativeExecutionPolicy(
        SECOND_TRY_AFTER_MS,
        1,
      ),
      timestampGeneration: new WriteTimestamps(),
    },
    encoding: { useBigIntAsLong: true },
  };
  if (config.credentials) options.authProvider = new RenewedCredentials(config.credentials);
  if (config.tls) options.sslOptions = renewedTls(config.tls);
  return options;
}

/** Logs in each new connection with the current password. */
class RenewedCredentials extends auth.PlainTextAuthProvider {
  readonly #credentials: NonNullable<CassandraConfig['credentials']>;

  constructor(credentials: NonNullable<CassandraConfig['credentials']>) {
    super(credentials.username, credentials.password);
    this.#credentials = credentials;
  }

  override newAuthenticator(endpoint: string, name: string): auth.Authenticator {
    const { username, password } = this.#credentials;
    return new auth.PlainTextAuthProvider(username, password).newAuthenticator(endpoint, name);
  }
}

/**
 * Returns the options of TLS. The driver reads them for each connection, and treats an undefined
 * option as unset.
 */
const renewedTls = (tls: NonNullable<CassandraConfig['tls']>): ConnectionOptions => ({
  // By default the driver accepts any certificate.
  rejectUnauthorized: true,
  get ca() {
    return tls.ca;
  },
  get cert() {
    return tls.cert;
  },
  get key() {
    return tls.key;
  },
});

const portOf = (contactPoints: readonly string[]): number =>
  Number(/[^:]:(\d+)$/.exec(contactPoints[0] ?? '')?.[1] ?? NATIVE_PORT);

const consistencyNames = {
  LOCAL_QUORUM: 'localQuorum',
  QUORUM: 'quorum',
  SERIAL: 'serial',
  LOCAL_SERIAL: 'localSerial',
} as const;

/** Waits for a random part of a time. */
export const backOff = async (msMax: number, stopping?: AbortSignal): Promise<void> => {
  await sleep(msMax * Math.random(), undefined, stopping && { signal: stopping }).catch((error: unknown) => {
    if (!stopping?.aborted) throw error;
  });
};

/**
 * Connects to an existing keyspace.
 * @throws {TopologyError} if the product's promises do not hold with these settings and the
 *   keyspace's replication
 * @throws {GuardrailError} if Cassandra would refuse this server's statements
 */
export async function connectCassandra(config: CassandraConfig): Promise<Cassandra> {
  const client = requestClient(config);
  try {
    await connect(client, config);
    await requireGuarantees(client, config);
    await requireAllowedStatements(client);
  } catch (error) {
    await client.shutdown();
    throw error;
  }
  return {
    client,
    serialConsistency: types.consistencies[consistencyNames[config.serialConsistency]],
    backOff,
    atOnce: atMost(STATEMENTS_AT_ONCE),
  };
}

/** Returns the time of the node that answers. */
export async function nodeTime({ client }: Cassandra): Promise<Date> {
  const { rows } = await client.execute('SELECT toTimestamp(now()) AS now FROM system.local');
  return z.object({ now: z.date() }).parse({ ...rows[0] }).now;
}

/** Returns true if Cassandra answers. */
export async function isAnswering({ client }: Cassandra): Promise<boolean> {
  try {
    await client.execute('SELECT release_version FROM system.local');
    return true;
  } catch {
    return false;
  }
}
