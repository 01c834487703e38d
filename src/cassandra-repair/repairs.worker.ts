import { Gauge } from 'prom-client';
import { z } from 'zod';
import { readTopology } from '../cassandra/topology.ts';
import type { AppContext } from '../context/context.ts';
import { repairedSince, repairsOf } from './ages.ts';

/**
 * The age of the last repair. Without a repair within `gc_grace_seconds`, deleted rows can
 * reappear, so an alert warns some days before.
 */

const age = new Gauge({
  name: 'repair_age_seconds',
  help:
    'Seconds since the whole ring was repaired, or since the keyspace was created; ' +
    '0 if no row has several replicas; -1 while unknown',
});
const createdRow = z.object({ applied_at: z.date() });

age.set(-1);

/** Measures the age of the last repair. */
export async function measureRepairs(app: AppContext): Promise<void> {
  try {
    age.set(await repairAge(app));
  } catch (error) {
    age.set(-1);
    throw error;
  }
}

/** Returns the age in seconds; 0 if no row has several replicas. */
async function repairAge(app: AppContext): Promise<number> {
  const { client } = app.cassandra;
  const { keyspace } = app.config.cassandra;
  const { replication } = await readTopology(client, keyspace);
  const factors = Object.values(replication?.options ?? {}).map(Number);
  if (!factors.some((factor) => factor > 1)) return 0;

  const [repairs, tables, created] = await Promise.all([
    client.execute(
      `SELECT keyspace_name, columnfamily_names, finished_at, successful_ranges
       FROM system_distributed.parent_repair_history`,
      [],
      { prepare: true },
    ),
    client.execute('SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?', [keyspace], {
      prepare: true,
    }),
    client.execute(`SELECT applied_at FROM ${keyspace}.schema_steps WHERE name = '(created)'`),
  ]);
  const own = repairsOf(repairs.rows, keyspace, tables.rowLength);
  const tokens = client.hosts.values().flatMap((host) => host.tokens.map(BigInt));
  const since = repairedSince(tokens, own, createdRow.parse({ ...created.rows[0] }).applied_at);
  return (app.clock().getTime() - since.getTime()) / 1_000;
}
