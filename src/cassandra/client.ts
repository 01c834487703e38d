import { setTimeout as sleep } from 'node:timers/promises';
import { Client, types, type ClientOptions } from 'cassandra-driver';
import type { CassandraConfig } from '../config.ts';
import { ConditionalToFirstReplica } from './routing.ts';
import type { Cassandra } from './statement.ts';

/** Cassandra gives a write up after 2 s and a read after 5 s; a node that says nothing for longer is not going to. */
const READ_TIMEOUT_MS = 6_000;

/**
 * A driver client, not yet connected.
 * @param keyspace unset for the migrator, which makes the keyspace
 */
export function makeClient(config: CassandraConfig, keyspace: string | undefined): Client {
  if (!config.contactPoints) throw new Error('The launcher has not yet said where Cassandra is');
  const options: ClientOptions = {
    contactPoints: [...config.contactPoints],
    localDataCenter: config.localDataCenter,
    queryOptions: {
      prepare: true,
      consistency: types.consistencies[consistencyNames[config.consistency]],
    },
    policies: { loadBalancing: new ConditionalToFirstReplica(config.localDataCenter) },
    socketOptions: { readTimeout: READ_TIMEOUT_MS },
    encoding: { useBigIntAsLong: true },
  };
  if (keyspace !== undefined) options.keyspace = keyspace;
  if (config.credentials) options.credentials = { ...config.credentials };
  if (config.tls) options.sslOptions = config.tls.ca === undefined ? {} : { ca: [config.tls.ca] };
  return new Client(options);
}

const consistencyNames = {
  LOCAL_QUORUM: 'localQuorum',
  QUORUM: 'quorum',
  SERIAL: 'serial',
  LOCAL_SERIAL: 'localSerial',
} as const;

/** Waits for a random part of a time. */
export const backOff = (msMax: number) => sleep(msMax * Math.random());

/** Connects to the keyspace that the migrator has made. */
export async function connectCassandra(config: CassandraConfig): Promise<Cassandra> {
  const client = makeClient(config, config.keyspace);
  await client.connect();
  return {
    client,
    serialConsistency: types.consistencies[consistencyNames[config.serialConsistency]],
    backOff,
  };
}

/** Whether Cassandra answers. */
export async function isAnswering({ client }: Cassandra): Promise<boolean> {
  try {
    await client.execute('SELECT release_version FROM system.local');
    return true;
  } catch {
    return false;
  }
}
