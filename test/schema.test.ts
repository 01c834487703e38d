import { Client } from 'cassandra-driver';
import { describe, expect, inject, test } from 'vitest';
import { migrate, SchemaError } from '../src/cassandra/schema.ts';
import { readConfig } from '../src/config/config.ts';
import { newName, testEnvironment } from './support/app.ts';

const noLog = () => undefined;

describe('the migrator', () => {
  const { cassandra } = readConfig(testEnvironment({ CASSANDRA_KEYSPACE: newName() }));

  test('makes one schema when four servers start at once, and the next one finds nothing to do', async () => {
    const lines: string[] = [];
    await Promise.all(Array.from({ length: 4 }, () => migrate(cassandra, (line) => lines.push(line))));
    const steps = lines.filter((line) => line.startsWith('applying'));
    expect(steps.length).toBe(new Set(steps).size);
    expect(steps).toContain('applying schema step likes');
    await migrate(cassandra, () => {
      throw new Error('nothing is left to be applied');
    });
  });

  test('says that it waits for a server that died while it changed the schema', async () => {
    await migrate(cassandra, noLog);
    const client = new Client({
      contactPoints: inject('contactPoints').split(','),
      localDataCenter: cassandra.localDataCenter,
      keyspace: cassandra.keyspace,
    });
    await client.execute("INSERT INTO schema_steps (name, holder) VALUES ('(lock)', uuid()) IF NOT EXISTS USING TTL 2");
    await client.shutdown();
    const lines: string[] = [];
    await migrate(cassandra, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringMatching(/^waiting for another server.* expires within 60 s$/)]);
  });

  test('refuses a schema that this server does not know, whole or changed', async () => {
    await migrate(cassandra, noLog);
    const client = new Client({
      contactPoints: inject('contactPoints').split(','),
      localDataCenter: cassandra.localDataCenter,
      keyspace: cassandra.keyspace,
    });
    await client.execute("INSERT INTO schema_steps (name, checksum) VALUES ('loans', 'x') IF NOT EXISTS");
    await expect(migrate(cassandra, noLog)).rejects.toThrow(SchemaError);
    await expect(migrate(cassandra, noLog)).rejects.toThrow(/does not know: loans/);
    await client.execute("DELETE FROM schema_steps WHERE name = 'loans' IF EXISTS");
    await client.execute("UPDATE schema_steps SET checksum = 'x' WHERE name = 'likes' IF EXISTS");
    await expect(migrate(cassandra, noLog)).rejects.toThrow(/other versions of these schema steps: likes/);
    await client.shutdown();
  });

  test('reports a data centre that the cluster does not have, with those it has', async () => {
    await expect(migrate({ ...cassandra, localDataCenter: 'elsewhere' }, noLog)).rejects.toThrow(
      /elsewhere|datacenter1/,
    );
  });
});
