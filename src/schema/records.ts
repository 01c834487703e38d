import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'cassandra-driver';
import { z } from 'zod';
import { RELEASE } from '../config/release.ts';
import type { Log } from '../terminal/progress.ts';
import { executeConditional } from './client.ts';
import { SchemaError } from './errors.ts';

/**
 * The table `schema_steps`: the applied steps of a keyspace, and the process that is changing it.
 */

/** The time after which the lock of a dead process expires. */
const LOCK_SECONDS = 60;
const RENEWED_EVERY_MS = 15_000;
const LOCK_LOOK_MS = 200;
const LOCK = '(lock)';
/** Recorded once a new keyspace has everything. */
const CREATED = '(created)';

const COLUMNS = {
  name: 'text PRIMARY KEY',
  checksum: 'text',
  applied_at: 'timestamp',
  release: 'text',
  oldest_release: 'text',
  holder: 'uuid',
  holder_name: 'text',
};

/** Recorded while the keyspace is restored from a backup. */
const RESTORE = '(restore)';
/** Recorded for each node that has loaded its part of the backup, before its host ID. */
const LOADED = '(loaded) ';

/** The steps that have been applied to a keyspace. */
export interface Records {
  /** The release that created the keyspace; unset until it is complete. */
  readonly createdBy: string | undefined;
  /** The checksum of each step that was applied. */
  readonly steps: ReadonlyMap<string, string>;
  /** The oldest release whose servers may run, by the migration that recorded it. */
  readonly oldestReleases: ReadonlyMap<string, string>;
  /** The tables that are being restored; unset if none are. */
  readonly restoring: readonly string[] | undefined;
  /** The host IDs of the nodes that have loaded their part of the backup. */
  readonly loaded: readonly string[];
}

/**
 * Returns the statement that creates the table. The table's id is fixed, so that two processes that
 * create it through two nodes at the same moment create a single table.
 */
export function createRecords(keyspace: string): string {
  const hex = createHash('md5').update(`${keyspace}.schema_steps`).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);
  return (
    `CREATE TABLE IF NOT EXISTS ${keyspace}.schema_steps (${columns.join(', ')}) WITH ID = ${id} ` +
    `AND comment = 'Which migrations this keyspace has, and who is changing it now'`
  );
}

const columnRow = z.object({ column_name: z.string() });
const recordRow = z.object({
  name: z.string(),
  checksum: z.string().nullable(),
  release: z.string().nullable(),
  oldest_release: z.string().nullable(),
});

/**
 * Reads the records of a keyspace; `undefined` if it has none, or does not exist.
 * @throws {SchemaError} if the keyspace is older than release 1.0.0, the first with migrations
 */
export async function readRecords(client: Client, keyspace: string): Promise<Records | undefined> {
  const found = await client.execute(
    "SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND table_name = 'schema_steps'",
    [keyspace],
  );
  const columns = found.rows.map((row) => columnRow.parse({ ...row }).column_name);
  if (columns.length === 0) return undefined;
  if (!Object.keys(COLUMNS).every((name) => columns.includes(name)))
    throw new SchemaError(
      `The keyspace ${keyspace} was made before release 1.0.0, from which on keyspaces are migrated. ` +
        'Name another CASSANDRA_KEYSPACE; in development you can remove the folder .cassandra instead.',
    );

  const { rows } = await client.execute(`SELECT name, checksum, release, oldest_release FROM ${keyspace}.schema_steps`);
  const records = rows.map((row) => recordRow.parse({ ...row }));
  return {
    createdBy: records.find(({ name }) => name === CREATED)?.release ?? undefined,
    steps: new Map(records.flatMap(({ name, checksum }) => (checksum === null ? [] : [[name, checksum]]))),
    restoring: records.find(({ name }) => name === RESTORE)?.checksum?.split(','),
    loaded: records.flatMap(({ name }) => (name.startsWith(LOADED) ? [name.slice(LOADED.length)] : [])),
    oldestReleases: new Map(
      records.flatMap(({ name, oldest_release: oldest }) => (oldest === null ? [] : [[name, oldest]])),
    ),
  };
}

export async function recordStep(client: Client, keyspace: string, name: string, checksum: string): Promise<void> {
  await executeConditional(
    client,
    `INSERT INTO ${keyspace}.schema_steps (name, checksum, release, applied_at)
     VALUES (?, ?, ?, toTimestamp(now())) IF NOT EXISTS`,
    [name, checksum, RELEASE],
  );
}

/** Records that a keyspace has everything. */
export async function recordCreation(client: Client, keyspace: string): Promise<void> {
  await executeConditional(
    client,
    `INSERT INTO ${keyspace}.schema_steps (name, release, applied_at) VALUES (?, ?, toTimestamp(now())) IF NOT EXISTS`,
    [CREATED, RELEASE],
  );
}

/** Records the oldest release whose servers may run from now on. */
export async function recordOldestRelease(
  client: Client,
  keyspace: string,
  migration: string,
  oldest: string,
): Promise<void> {
  await executeConditional(
    client,
    `UPDATE ${keyspace}.schema_steps SET oldest_release = ? WHERE name = ? IF oldest_release != ?`,
    [oldest, migration, oldest],
  );
}

/** Records that some tables are being restored, so that no server starts meanwhile. */
export async function recordRestore(client: Client, keyspace: string, tables: readonly string[]): Promise<void> {
  await recordStep(client, keyspace, RESTORE, tables.join());
}

/** Records that a node has loaded its part of the backup. */
export async function recordLoaded(client: Client, keyspace: string, hostId: string): Promise<void> {
  await recordStep(client, keyspace, `${LOADED}${hostId}`, '');
}

/** Forgets which nodes have loaded their part of the backup. */
export async function removeLoaded(client: Client, keyspace: string, hostIds: readonly string[]): Promise<void> {
  for (const hostId of hostIds) await removeRecord(client, keyspace, `${LOADED}${hostId}`);
}

/** Records that the restore is finished. */
export async function removeRestore(client: Client, keyspace: string, loaded: readonly string[]): Promise<void> {
  await removeLoaded(client, keyspace, loaded);
  await removeRecord(client, keyspace, RESTORE);
}

const removeRecord = (client: Client, keyspace: string, name: string) =>
  executeConditional(client, `DELETE FROM ${keyspace}.schema_steps WHERE name = ? IF EXISTS`, [name]);

/**
 * Runs work while no other process changes the schema.
 * @param log called when another process has the lock, with its name
 * @param work receives a function to call before each step, which throws if the lock was lost
 */
export async function whileLocked<Result>(
  client: Client,
  keyspace: string,
  log: Log,
  work: (requireLock: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const holder = randomUUID();
  await takeLock(client, keyspace, holder, log);
  const requireLock = () => renewLock(client, keyspace, holder);
  // A failed renewal is noticed before the next step.
  const renewing = setInterval(() => void requireLock().catch(() => undefined), RENEWED_EVERY_MS);
  try {
    return await work(requireLock);
  } finally {
    clearInterval(renewing);
    await executeConditional(
      client,
      `DELETE FROM ${keyspace}.schema_steps WHERE name = '${LOCK}' IF holder = ${holder}`,
      [],
    );
  }
}

async function takeLock(client: Client, keyspace: string, holder: string, log: Log): Promise<void> {
  const name = `process ${process.pid} on ${hostname()}, release ${RELEASE}`;
  for (let tries = 1; ; tries++) {
    const taken = await executeConditional(
      client,
      `INSERT INTO ${keyspace}.schema_steps (name, holder, holder_name) VALUES ('${LOCK}', ${holder}, ?)
       IF NOT EXISTS USING TTL ${LOCK_SECONDS}`,
      [name],
    );
    if (taken.wasApplied()) return;
    const found = taken.first();
    // An earlier attempt by this process may have been applied although its answer was lost.
    if (String(found['holder']) === holder) return;
    if (tries === 1)
      log(
        `waiting for ${String(found['holder_name'])}, which is changing the schema; ` +
          `if it has died, its lock expires within ${LOCK_SECONDS} s`,
      );
    await sleep(LOCK_LOOK_MS);
  }
}

async function renewLock(client: Client, keyspace: string, holder: string): Promise<void> {
  const renewed = await executeConditional(
    client,
    `UPDATE ${keyspace}.schema_steps USING TTL ${LOCK_SECONDS} SET holder = ${holder}
     WHERE name = '${LOCK}' IF holder = ${holder}`,
    [],
  );
  if (!renewed.wasApplied())
    throw new SchemaError(
      `This process did not reach Cassandra for ${LOCK_SECONDS} s, and lost the lock of the schema; start it again.`,
    );
}
