import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryOptions } from 'cassandra-driver';
import type { CassandraConfig } from '../config/config.ts';
import { backOff, schemaClient } from './client.ts';
import { convertError } from './errors.ts';
import type { Log } from '../launch/running.ts';
import { untilKnown } from './until-known.ts';
import { connect, mustKeepPromises } from './topology.ts';

/**
 * The migrator. It applies each file of `cql/*.cql` once, as one step, and records it with its
 * checksum in `schema_steps`. It refuses a database whose steps are not exactly the first steps of
 * this server, and never guesses.
 */

const CQL_FOLDER = join(import.meta.dirname, '../../cql');
/** The time that a server may hold the lock. The lock of a dead server expires. */
const LOCK_SECONDS = 60;
const AGREED_WITHIN_MS = 30_000;
const AGREEMENT_LOOK_MS = 50;
const LOCK_LOOK_MS = 200;
const LOCK_STEP = '(lock)';

interface Step {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** The schema of the database is unknown to this server. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

/**
 * Brings the keyspace to this server's schema, and creates it if needed. Several servers may do so
 * at once.
 * @throws {SchemaError} if the database has a step that is unknown here or has changed since it was
 *   applied
 * @throws {TopologyError} if the settings cannot keep the promises with the keyspace's replication
 */
export async function migrate(config: CassandraConfig, log: Log): Promise<void> {
  const steps = await readSteps();
  await withSchemaClient(config, undefined, async (client) => {
    const node = nodeOf(client, config);
    // A keyspace or table that another server has just created exists, but some nodes may not know
    // it yet.
    await createKeyspace(client, config, node);
    await untilAgreed(client, node);
    await mustKeepPromises(client, config);
    await createStepsTable(client, config.keyspace, node);
    await untilAgreed(client, node);
  });
  await withSchemaClient(config, config.keyspace, (client) =>
    whileLocked(client, log, async (renewLock) => {
      const missing = check(config.keyspace, steps, await appliedSteps(client));
      const node = nodeOf(client, config);
      for (const step of missing) {
        log(`applying schema step ${step.name}`);
        await renewLock();
        for (const statement of step.statements) await client.execute(statement, [], { prepare: false, ...node });
        await untilAgreed(client, node);
        await decide(
          client,
          'INSERT INTO schema_steps (name, checksum, applied_at) VALUES (?, ?, toTimestamp(now())) IF NOT EXISTS',
          [step.name, step.checksum],
        );
      }
    }),
  );
}

type Node = Pick<QueryOptions, 'host'>;

/**
 * Returns the node that executes all changes of the schema and reports whether the others agree.
 * Another node may not yet know the schema that a statement builds on, and reports agreement as
 * long as it has not heard of a change.
 */
function nodeOf(client: Client, { localDataCenter }: CassandraConfig): Node {
  const host = client.hosts.values().find((each) => each.datacenter === localDataCenter && each.isUp());
  return host ? { host } : {};
}

async function untilAgreed(client: Client, node: Node): Promise<void> {
  const deadline = Date.now() + AGREED_WITHIN_MS;
  const versionsIn = async (table: string) =>
    (await client.execute(`SELECT schema_version FROM ${table}`, [], node)).rows.flatMap(
      ({ schema_version: version }) => (version === null ? [] : [String(version)]),
    );
  for (;;) {
    const versions = await Promise.all([versionsIn('system.local'), versionsIn('system.peers_v2')]);
    if (new Set(versions.flat()).size === 1) return;
    if (Date.now() > deadline) {
      throw new SchemaError('The nodes of the cluster do not agree on its schema; see `nodetool describecluster`.');
    }
    await sleep(AGREEMENT_LOOK_MS);
  }
}

/**
 * Changes the schema with a client of its own.
 * @param keyspace unset if it does not exist yet
 */
export async function withSchemaClient(
  config: CassandraConfig,
  keyspace: string | undefined,
  use: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = schemaClient(config, keyspace);
  try {
    await connect(client, config);
    await use(client);
  } finally {
    await client.shutdown();
  }
}

async function readSteps(): Promise<Step[]> {
  const files = (await readdir(CQL_FOLDER)).filter((file) => file.endsWith('.cql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(CQL_FOLDER, file), 'utf8');
      const withoutComments = text.replace(/--.*$/gm, '');
      const statements = withoutComments
        .split(/;\s*$/m)
        .map((statement) => statement.trim())
        .filter((statement) => statement !== '');
      // The checksum covers only the statements, so that a comment can be improved at any time.
      const checksum = createHash('sha256').update(statements.join(';').replace(/\s+/g, ' ')).digest('hex');
      return { name: file.replace(/\.cql$/, ''), checksum, statements };
    }),
  );
}

async function createKeyspace(client: Client, config: CassandraConfig, node: Node): Promise<void> {
  const nodes = client.hosts.values().filter((host) => host.datacenter === config.localDataCenter).length;
  const replicationFactor = config.replicationFactor ?? (nodes >= 3 ? 3 : 1);
  await client.execute(
    `CREATE KEYSPACE IF NOT EXISTS ${config.keyspace} WITH replication = ` +
      `{'class': 'NetworkTopologyStrategy', '${config.localDataCenter}': ${replicationFactor}}`,
    [],
    node,
  );
}

async function createStepsTable(client: Client, keyspace: string, node: Node): Promise<void> {
  // The id is fixed, so that two servers that create the table through two nodes at the same moment
  // create a single table.
  await client.execute(
    `CREATE TABLE IF NOT EXISTS ${keyspace}.schema_steps (name text PRIMARY KEY, checksum text, applied_at timestamp, holder uuid) ` +
      `WITH ID = ${tableId(keyspace)} AND comment = 'Which schema steps this database has, and who is changing it now'`,
    [],
    node,
  );
}

function tableId(keyspace: string): string {
  const hex = createHash('md5').update(`${keyspace}.schema_steps`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

async function whileLocked(
  client: Client,
  log: Log,
  work: (renewLock: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const holder = randomUUID();
  const take = async () => {
    const taken = await decide(
      client,
      `INSERT INTO schema_steps (name, holder) VALUES ('${LOCK_STEP}', ${holder}) IF NOT EXISTS USING TTL ${LOCK_SECONDS}`,
    );
    // An own earlier attempt may have been applied although its answer was lost.
    return taken.wasApplied() || String(taken.first()['holder']) === holder;
  };
  const renew = async () => {
    const renewed = await decide(
      client,
      `UPDATE schema_steps USING TTL ${LOCK_SECONDS} SET holder = ${holder} WHERE name = '${LOCK_STEP}' IF holder = ${holder}`,
    );
    if (!renewed.wasApplied())
      throw new SchemaError(
        `A schema step took longer than ${LOCK_SECONDS} s, and another server goes on with the schema; start this one again.`,
      );
  };
  for (let tries = 1; !(await take()); tries++) {
    if (tries === 1)
      log(
        `waiting for another server, which is changing the schema; if it has died, its lock expires within ${LOCK_SECONDS} s`,
      );
    await sleep(LOCK_LOOK_MS);
  }

  try {
    await work(renew);
  } finally {
    await decide(client, `DELETE FROM schema_steps WHERE name = '${LOCK_STEP}' IF holder = ${holder}`);
  }
}

/**
 * Executes a conditional write until its outcome is known, because servers that start together
 * contend.
 */
const decide = (client: Client, query: string, params: string[] = []) =>
  untilKnown({ backOff }, async () => {
    try {
      return await client.execute(query, params);
    } catch (error) {
      throw convertError('schema_steps', error);
    }
  });

async function appliedSteps(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.execute('SELECT name, checksum FROM schema_steps');
  return new Map(
    rows.filter((row) => row['name'] !== LOCK_STEP).map((row) => [row['name'] as string, row['checksum'] as string]),
  );
}

/** Returns the steps that have not been applied. */
function check(keyspace: string, steps: readonly Step[], known: ReadonlyMap<string, string>): Step[] {
  const names = new Set(steps.map((step) => step.name));
  const unknown = [...known.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new SchemaError(
      `The keyspace ${keyspace} has schema steps that this server does not know: ${unknown.join(', ')}. ` +
        'A newer version has changed it: start that version, or name another CASSANDRA_KEYSPACE.',
    );
  }
  const changed = steps.filter((step) => known.has(step.name) && known.get(step.name) !== step.checksum);
  if (changed.length > 0) {
    throw new SchemaError(
      `The keyspace ${keyspace} was made with other versions of these schema steps: ${changed.map((step) => step.name).join(', ')}. ` +
        'Start the version that made it, or name another CASSANDRA_KEYSPACE.',
    );
  }
  return steps.filter((step) => !known.has(step.name));
}
