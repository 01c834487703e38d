import type { Client } from 'cassandra-driver';
import { requireGuarantees, readTopology } from '../cassandra/topology.ts';
import type { CassandraConfig } from '../config/config.ts';
import { compareReleases } from '../config/release.ts';
import type { Log } from '../terminal/progress.ts';
import { requireAdmittedRelease, requireUnchangedMigrations, requireDeclaredSchema } from './check.ts';
import { schemaChanges, withSchemaClient } from './client.ts';
import { declaredFiles } from './declared.ts';
import { SchemaError } from './errors.ts';
import { readMigrations, type Migration, type Step } from './migrations.ts';
import {
  createRecords,
  readRecords,
  recordCreation,
  recordOldestRelease,
  recordStep,
  whileLocked,
  type Records,
} from './records.ts';

/**
 * Changes of the schema. A new keyspace gets the schema that `cql/*.cql` declares. A keyspace of an
 * earlier release gets it by the migrations of `cql/migrations/`: each is expanded, its move fills
 * the new columns and tables, and once no server of an earlier release is left it may be
 * contracted.
 */

export interface Progress {
  readonly migration: Migration;
  readonly state: 'pending' | 'expanded' | 'contracted';
  /** True if its move has begun, or if it has no move. */
  readonly isMoveBegun: boolean;
}

const moveOf = ({ name }: Migration) => `${name}/move`;

function progressOf(migration: Migration, { steps }: Records): Progress {
  const isDone = (some: readonly Step[]) => some.every(({ name }) => steps.has(name));
  const state = !isDone(migration.expand)
    ? 'pending'
    : migration.contract.length > 0 && isDone(migration.contract)
      ? 'contracted'
      : 'expanded';
  return { migration, state, isMoveBegun: migration.move === undefined || steps.has(moveOf(migration)) };
}

/** The schema of a keyspace, compared with this release. */
export interface Status {
  /** The release that created the keyspace; unset if it has no schema yet. */
  readonly createdBy: string | undefined;
  /** The progress of each migration of this release. */
  readonly progress: readonly Progress[];
  /** The migrations of newer releases. */
  readonly unknown: readonly string[];
}

/**
 * Reads the progress of the migrations, and changes nothing.
 * @throws {SchemaError} if this release does not suit the keyspace
 */
export async function schemaStatus(config: CassandraConfig, migrations?: readonly Migration[]): Promise<Status> {
  const known = migrations ?? (await readMigrations());
  const records = (await withSchemaClient(config, undefined, (client) => readRecords(client, config.keyspace))) ?? NONE;
  requireAdmittedRelease(config.keyspace, records);
  requireUnchangedMigrations(config.keyspace, records, known);
  return {
    createdBy: records.createdBy,
    progress: known.map((migration) => progressOf(migration, records)),
    unknown: [...records.oldestReleases.keys()].filter((name) => !known.some((each) => each.name === name)),
  };
}

const NONE: Records = {
  createdBy: undefined,
  steps: new Map(),
  oldestReleases: new Map(),
  restoring: undefined,
  loaded: [],
};

/**
 * Changes the keyspace to this release's schema, and creates it if needed. Several processes may do
 * so at once. A run continues where a killed one ended.
 * @param log called with each change
 * @returns the progress of each migration
 * @throws {SchemaError} if this release does not suit the keyspace
 * @throws {TopologyError} if the settings cannot keep the guarantees with the keyspace's
 *   replication
 */
export async function migrate(
  config: CassandraConfig,
  log: Log,
  migrations?: readonly Migration[],
): Promise<Progress[]> {
  const { keyspace } = config;
  const known = migrations ?? (await readMigrations());
  return withSchemaClient(config, undefined, async (client) => {
    const change = schemaChanges(client, config);
    await createKeyspace(client, config, change);
    await requireGuarantees(client, config);
    await change([createRecords(keyspace)]);

    return whileLocked(client, keyspace, log, async (requireLock) => {
      const records = (await readRecords(client, keyspace)) ?? NONE;
      requireAdmittedRelease(keyspace, records);
      requireUnchangedMigrations(keyspace, records, known);
      const work = { client, keyspace, change, log, requireLock };
      if (records.createdBy === undefined) await create(work, known);
      else for (const migration of known) await expand(work, migration, records);
      await requireDeclaredSchema(client, keyspace);

      const after = (await readRecords(client, keyspace)) ?? NONE;
      return known.map((migration) => progressOf(migration, after));
    });
  });
}

interface Work {
  readonly client: Client;
  readonly keyspace: string;
  readonly change: (statements: readonly string[]) => Promise<void>;
  readonly log: Log;
  readonly requireLock: () => Promise<void>;
}

async function createKeyspace(client: Client, config: CassandraConfig, change: Work['change']): Promise<void> {
  const { keyspace, localDataCenter, replicationFactor } = config;
  const { replication } = await readTopology(client, keyspace);
  // Another process may have just made it, and some nodes may not know it yet.
  if (replication) return change([]);

  const nodes = client.hosts.length;
  if (replicationFactor === undefined && nodes > 1)
    throw new SchemaError(
      `There is no keyspace ${keyspace}, and the cluster has ${nodes} nodes: ` +
        'set CASSANDRA_REPLICATION_FACTOR to the number of nodes ' +
        'that store each row. 3 is usual, because then any one of them may stop; ' +
        'with 1, the data of a lost node is lost.',
    );
  await change([
    `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = ` +
      `{'class': 'NetworkTopologyStrategy', '${localDataCenter}': ${replicationFactor ?? 1}}`,
  ]);
}

/**
 * Creates the whole schema. It has everything that the migrations add, and lacks everything that
 * they drop.
 */
async function create(work: Work, migrations: readonly Migration[]): Promise<void> {
  const { client, keyspace, change, log, requireLock } = work;
  for (const { name, statements } of await declaredFiles()) {
    await requireLock();
    log(`creating the tables of cql/${name}.cql`);
    await change(statements.map((each) => inKeyspace(keyspace, each)));
  }
  for (const migration of migrations) {
    const { name, contract, release, oldestBeside } = migration;
    await recordOldestRelease(client, keyspace, name, contract.length > 0 ? release : oldestBeside);
    for (const step of [...migration.expand, ...contract]) await recordStep(client, keyspace, step.name, step.checksum);
    await recordStep(client, keyspace, moveOf(migration), '');
  }
  await recordCreation(client, keyspace);
}

async function expand(work: Work, migration: Migration, records: Records): Promise<void> {
  const { client, keyspace } = work;
  if (!records.oldestReleases.has(migration.name))
    await recordOldestRelease(client, keyspace, migration.name, migration.oldestBeside);
  await applySteps(work, migration.expand, records);
}

async function applySteps(work: Work, steps: readonly Step[], records: Records): Promise<void> {
  const { client, keyspace, change, log, requireLock } = work;
  for (const { name, statement, checksum } of steps.filter((step) => !records.steps.has(step.name))) {
    await requireLock();
    log(`applying ${name}: ${statement.replace(/\s+/g, ' ')}`);
    await change([inKeyspace(keyspace, statement)]);
    await recordStep(client, keyspace, name, checksum);
  }
}

/** Puts the keyspace before the name of the table or type that a statement changes. */
export const inKeyspace = (keyspace: string, statement: string) =>
  statement.replace(/^((?:CREATE|ALTER|DROP) (?:TABLE|TYPE) (?:IF (?:NOT )?EXISTS )?)/, `$1${keyspace}.`);

/** Records that the move of a migration has begun: its job is stored. */
export const recordMove = (config: CassandraConfig, migration: Migration): Promise<void> =>
  withSchemaClient(config, undefined, (client) => recordStep(client, config.keyspace, moveOf(migration), ''));

/**
 * Drops the parts that only earlier releases need. After that, there is no way back to those
 * releases.
 * @param name the name of the migration
 * @param oldestServer returns the oldest release of the servers that run; `undefined` if none runs
 * @param isMoved returns true if the move of the migration is finished
 * @throws {SchemaError} if the migration is not ready to be contracted; nothing is dropped then
 */
export async function contract(
  config: CassandraConfig,
  log: Log,
  name: string,
  { oldestServer, isMoved }: ReadyToContract,
  migrations?: readonly Migration[],
): Promise<void> {
  const { keyspace } = config;
  const known = migrations ?? (await readMigrations());
  const migration = known.find((each) => each.name === name);
  if (!migration) {
    const names = known.map((each) => each.name).join(', ');
    throw new SchemaError(`This release has no migration ${name}. ${names ? `It has ${names}.` : 'It has none.'}`);
  }

  await withSchemaClient(config, undefined, (client) =>
    whileLocked(client, keyspace, log, async (requireLock) => {
      const records = (await readRecords(client, keyspace)) ?? NONE;
      requireAdmittedRelease(keyspace, records);
      requireUnchangedMigrations(keyspace, records, known);
      const { state, isMoveBegun } = progressOf(migration, records);
      if (state === 'pending' || !isMoveBegun)
        throw new SchemaError(`The migration ${name} is not applied: run \`npm run admin -- migrate apply\` first.`);
      if (!(await isMoved(migration)))
        throw new SchemaError(
          `The move of ${name} is not finished; \`npm run admin -- migrate status\` shows its progress.`,
        );

      // From here on no server of an earlier release can start, so the servers found now are all
      // there are.
      await recordOldestRelease(client, keyspace, name, migration.release);
      const oldest = await oldestServer();
      if (oldest !== undefined && compareReleases(oldest, migration.release) < 0) {
        await recordOldestRelease(client, keyspace, name, migration.oldestBeside);
        throw new SchemaError(
          `A server of release ${oldest} is running, which needs what ${name} drops: ` +
            `replace it by release ${migration.release} first.`,
        );
      }
      const change = schemaChanges(client, config);
      await applySteps({ client, keyspace, change, log, requireLock }, migration.contract, records);
    }),
  );
}

export interface ReadyToContract {
  readonly oldestServer: () => Promise<string | undefined>;
  readonly isMoved: (migration: Migration) => Promise<boolean>;
}
