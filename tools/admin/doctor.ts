import type { Client } from 'cassandra-driver';
import { requireGuarantees } from '../../src/cassandra/topology.ts';
import type { CassandraConfig } from '../../src/config/config.ts';
import { checkSchema } from '../../src/schema/check.ts';
import { withSchemaClient } from '../../src/schema/client.ts';
import { judgeOptions } from '../doctor/options.ts';
import { judgeRights } from '../doctor/rights.ts';
import { judgeNodes, type Judgement, type NodeFacts } from '../doctor/judgements.ts';
import { withCassandra } from '../with-app.ts';

/**
 * `npm run admin -- doctor`: checks the Cassandra cluster in the settings. It changes nothing. It
 * exits with 1 if servers would not work with it, or could lose acknowledged changes.
 */

await withCassandra(async ({ cassandra }) => {
  const judgements = await withSchemaClient(cassandra, undefined, (client) => judge(client, cassandra));
  for (const { verdict, what, found, advice } of judgements)
    console.log(`${verdict.padEnd(4)}  ${what}: ${found}${advice === '' ? '' : `\n      ${advice}`}`);
  console.log('Not checked, because CQL does not show it: the free disk space (`df`).');
  return judgements.some(({ verdict }) => verdict === 'FAIL') ? 1 : 0;
});

async function judge(client: Client, config: CassandraConfig): Promise<Judgement[]> {
  const { keyspace } = config;
  const nodes: NodeFacts[] = [];
  for (const host of client.hosts.values()) nodes.push(await factsOf(client, host));
  return [
    ...judgeNodes(nodes),
    await judgeBy(`replication of ${keyspace}`, () => requireGuarantees(client, config)),
    await judgeBy(`schema of ${keyspace}`, () => checkSchema(config)),
    ...(await judgeOptions(client, keyspace)),
    ...(await judgeRights(client, keyspace, config.credentials?.username, nodes)),
  ];
}

/** Reads the facts about a node. */
async function factsOf(client: Client, host: ReturnType<Client['hosts']['values']>[number]): Promise<NodeFacts> {
  const ask = (query: string) => client.execute(query, [], { host });
  const before = Date.now();
  const local = (await ask('SELECT release_version, toTimestamp(now()) AS time FROM system.local')).first();
  const after = Date.now();
  const time = (local['time'] as Date).getTime();
  const { rows } = await ask('SELECT name, value FROM system_views.settings');
  return {
    address: host.address,
    version: String(local['release_version']),
    settings: new Map(rows.map((row) => [row['name'] as string, row['value'] as string | null])),
    // The node read its clock at some moment between the two.
    clockAheadMs: time > after ? time - after : Math.min(0, time - before),
  };
}

/** Runs a check that throws an error with the problem and its solution. */
async function judgeBy(what: string, check: () => Promise<void>): Promise<Judgement> {
  try {
    await check();
    return { verdict: 'ok', what, found: 'as required', advice: '' };
  } catch (error) {
    return { verdict: 'FAIL', what, found: 'wrong', advice: error instanceof Error ? error.message : String(error) };
  }
}
