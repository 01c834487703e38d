import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connectCassandra } from '../src/cassandra/client.ts';
import { migrate } from '../src/schema/migrate.ts';
import { whyUnsafe, type Topology } from '../src/cassandra/topology.ts';
import { readConfig } from '../src/config/config.ts';
import { checkTopology } from '../src/trust/trust.worker.ts';
import { alterableKeyspace, startServer, testEnvironment } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { startProcess } from '../tools/support/process.ts';

/**
 * A server runs only if its settings keep the promises with the replication of the keyspace. `npm
 * run chaos -- cluster --data-centres 2` uses a real one.
 */

type Settings = Parameters<typeof whyUnsafe>[1];

const settings = (
  consistency: Settings['consistency'],
  serialConsistency: Settings['serialConsistency'],
  localDataCenter = 'one',
): Settings => ({ keyspace: 'library', consistency, serialConsistency, localDataCenter });
const replicated = (options: Record<string, string>, dataCentres = Object.keys(options)): Topology => ({
  replication: { strategy: 'NetworkTopologyStrategy', options },
  dataCentres,
});
const simple = (dataCentres: string[]): Topology => ({
  replication: { strategy: 'SimpleStrategy', options: { replication_factor: '3' } },
  dataCentres,
});

const PAIRS = [
  ['LOCAL_QUORUM', 'SERIAL'],
  ['LOCAL_QUORUM', 'LOCAL_SERIAL'],
  ['QUORUM', 'SERIAL'],
  ['QUORUM', 'LOCAL_SERIAL'],
] as const;

describe('the settings for a keyspace', () => {
  const one: [string, Topology][] = [
    ['of one data centre', replicated({ one: '3' })],
    ['of one data centre, with one replica', replicated({ one: '1' })],
    ['of one data centre among others', replicated({ one: '3' }, ['one', 'two'])],
    ['of one data centre and none of another', replicated({ one: '3', two: '0' })],
    ['of SimpleStrategy, in one data centre', simple(['one'])],
  ];
  test.each(one)('%s: all consistency levels, if that data centre is the local one', (_what, topology) => {
    for (const [consistency, serial] of PAIRS)
      expect(whyUnsafe(topology, settings(consistency, serial))).toBeUndefined();
    for (const [consistency, serial] of PAIRS) {
      const told = whyUnsafe(topology, settings(consistency, serial, 'two'));
      expect(told).toMatch(/CASSANDRA_LOCAL_DC is two, but .*replicated only to one .*Set CASSANDRA_LOCAL_DC to/);
    }
  });

  const several: [string, Topology][] = [
    ['two', replicated({ one: '3', two: '3' })],
    ['two, with a replica in one of them', replicated({ one: '3', two: '1' })],
    ['three', replicated({ one: '1', two: '1', three: '1' })],
    ['two, of which one has no nodes any more', replicated({ one: '3', two: '3' }, ['one'])],
  ];
  test.each(several)('of several data centres (%s): QUORUM with SERIAL alone', (_what, topology) => {
    for (const [consistency, serial] of PAIRS) {
      const told = whyUnsafe(topology, settings(consistency, serial));
      if (consistency === 'QUORUM' && serial === 'SERIAL') {
        expect(told).toBeUndefined();
        continue;
      }
      expect(told).toContain(`CASSANDRA_CONSISTENCY=${consistency} with CASSANDRA_SERIAL_CONSISTENCY=${serial}`);
      expect(told).toContain('one: ');
      expect(told).toContain('two: ');
      expect(told).toContain('Set CASSANDRA_CONSISTENCY=QUORUM and CASSANDRA_SERIAL_CONSISTENCY=SERIAL');
    }
    expect(whyUnsafe(topology, settings('QUORUM', 'SERIAL', 'elsewhere'))).toMatch(
      /LOCAL_DC is elsewhere.*to one, two/,
    );
  });

  const never: [string, Topology, RegExp][] = [
    ['of SimpleStrategy, in several data centres', simple(['one', 'two']), /one, two.*ALTER KEYSPACE library.*repair/],
    ['of no data centre', replicated({ one: '0' }), /CASSANDRA_LOCAL_DC is one.*to no data centre at all/],
    ['with transient replicas', replicated({ one: '3/1' }), /one: 3\/1.*whole numbers/],
    [
      'of another strategy',
      { replication: { strategy: 'EverywhereStrategy', options: {} }, dataCentres: ['one'] },
      /EverywhereStrategy.*NetworkTopologyStrategy/,
    ],
    ['that is not there', { replication: undefined, dataCentres: ['one'] }, /no keyspace library/],
  ];
  test.each(never)('%s: none', (_what, topology, told) => {
    for (const [consistency, serial] of PAIRS) expect(whyUnsafe(topology, settings(consistency, serial))).toMatch(told);
  });
});

describe('a real cluster', () => {
  test('without the local data centre: neither server nor tool connects, and each reports why', async () => {
    const environment = testEnvironment({ CASSANDRA_LOCAL_DC: 'elsewhere' });
    const { cassandra } = readConfig(environment);
    const told = /CASSANDRA_LOCAL_DC is elsewhere.*datacenter1/;
    await expect(migrate(cassandra, () => undefined)).rejects.toThrow(told);
    await expect(connectCassandra(cassandra)).rejects.toThrow(told);
    await expect(startProcess(environment)).rejects.toThrow(told);
  });

  test('with a keyspace whose replication changed after the start: the server changes nothing until it is restarted', async () => {
    const { app, url, client } = await startServer(await alterableKeyspace());
    const [bookId = ''] = await ownBooks(app, 1);
    const reader = await client().registerSomebody();
    const alter = async (replication: string) => {
      const { keyspace } = app.config.cassandra;
      await app.cassandra.client.execute(`ALTER KEYSPACE ${keyspace} WITH replication = ${replication}`);
      await checkTopology(app);
    };
    const readiness = async () => {
      // The replication is read once a second at most.
      await sleep(1_100);
      const response = await fetch(`${url}/health/ready`);
      return [response.status, await response.json()];
    };
    const like = 'mutation ($id: ID!) { like(input: { id: $id }) { changed } }';
    const tally = async () => {
      const asked = `{ node(id: "${bookId}") { ... on Book { likeTally { count isExact } } } }`;
      return (await client().data(asked)).node.likeTally;
    };
    await checkTopology(app);
    await reader.like(bookId);
    expect(await readiness()).toEqual([200, { status: 'ready' }]);
    expect(await tally()).toEqual({ count: 1, isExact: true });

    await alter("{'class': 'SimpleStrategy', 'replication_factor': 1}");
    const { errors } = await reader.send(like, { id: bookId });
    expect(errors).toMatchObject([{ extensions: { code: 'OVERLOADED' } }]);
    expect(errors?.[0]?.message).toMatch(/not replicated as this server needs it.*changes nothing.*Nothing was done/);
    expect(await client().errorCode('mutation { startSession(input: {}) { session { id } } }')).toBe('OVERLOADED');
    expect(await readiness()).toEqual([
      503,
      { status: 'not ready', reason: 'the data is not replicated as this server needs it' },
    ]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('\nreplication_unsafe 1\n');
    expect(await tally()).toEqual({ count: 1, isExact: false });

    // Meanwhile a write may have been stored on replicas that the next majority does not include.
    await alter("{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    expect(await client().errorCode('mutation { startSession(input: {}) { session { id } } }')).toBe('OVERLOADED');

    const again = await startServer(app.config);
    await checkTopology(again.app);
    const same = again.client();
    same.token = reader.token;
    expect((await same.unlike(bookId)).userErrors).toEqual([]);
    expect(await (await fetch(`${again.url}/metrics`)).text()).toContain('\nreplication_unsafe 0\n');
  });
});
