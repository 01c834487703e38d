import { expect, test } from 'vitest';
import { requireCassandra, whyNotCassandra, type ProductFacts } from '../src/cassandra/product.ts';
import { readConfig } from '../src/config/config.ts';
import { withSchemaClient } from '../src/schema/client.ts';
import { testEnvironment } from './support/app.ts';

/**
 * Databases that speak Cassandra's protocol and are refused because of the product and version that
 * they report.
 */

const CASSANDRA: ProductFacts = {
  isAstra: false,
  local: {
    release_version: '5.0.9',
    cluster_name: 'library',
    partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner',
  },
  systemTables: ['local', 'paxos', 'peers_v2'],
};
const saying = (local: object, more: Partial<ProductFacts> = {}): ProductFacts => ({
  ...CASSANDRA,
  ...more,
  local: { ...CASSANDRA.local, ...local },
});

test('the real Cassandra is accepted', async () => {
  const config = readConfig(testEnvironment({ CASSANDRA_KEYSPACE: 'unused' })).cassandra;
  await withSchemaClient(config, undefined, requireCassandra);
});

test.for(['4.1.0', '4.1.7', '5.0-beta1', '5.0.9', '6.0.0-alpha2', '11.2.3'])('Cassandra %s is accepted', (version) => {
  expect(whyNotCassandra(saying({ release_version: version }))).toBeUndefined();
});

test.for<[string, ProductFacts, RegExp]>([
  ['DataStax Astra', saying({}, { isAstra: true }), /^This is DataStax Astra\./],
  ['DSE', saying({ release_version: '4.0.0.6833', dse_version: '6.8.33' }), /^This is DataStax Enterprise 6\.8\.33,/],
  ['ScyllaDB', saying({ release_version: '3.0.8' }, { systemTables: ['local', 'scylla_local'] }), /^This is ScyllaDB,/],
  [
    'Amazon Keyspaces',
    saying({
      release_version: '3.11.2',
      cluster_name: 'Amazon Keyspaces',
      partitioner: 'com.amazonaws.cassandra.DefaultPartitioner',
    }),
    /^This is Amazon Keyspaces,/,
  ],
  ['Cassandra 4.0', saying({ release_version: '4.0.13' }), /^This is a database of version 4\.0\.13 /],
  ['Cassandra 3.11', saying({ release_version: '3.11.19' }), /^This is a database of version 3\.11\.19 /],
  [
    'another partitioner',
    saying({ partitioner: 'example.Partitioner' }),
    /with the partitioner example\.Partitioner\./,
  ],
  [
    'a database that reports neither a version nor a partitioner',
    saying({ release_version: null, partitioner: null }),
    /^This is a database of version unknown/,
  ],
])('%s is refused, and the message says what to name instead', ([, facts, message]) => {
  expect(whyNotCassandra(facts)).toMatch(message);
  expect(whyNotCassandra(facts)).toContain('name such a cluster in CASSANDRA_CONTACT_POINTS');
});
