import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'cassandra-driver';
import pLimit from 'p-limit';
import { everyAudit } from '../../src/app/workers.ts';
import { audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';
import { compareReleases, RELEASE } from '../../src/config/release.ts';
import type { CassandraConfig, Config } from '../../src/config/config.ts';
import type { AppContext } from '../../src/context/context.ts';
import { raiseEpochs } from '../../src/leases/operations.ts';
import { differencesOf, storedSchema } from '../../src/schema/check.ts';
import { withSchemaClient } from '../../src/schema/client.ts';
import { declaredSchema } from '../../src/schema/declared.ts';
import { tableKinds, type TableKind } from '../../src/schema/kinds.ts';
import { createMissing } from '../support/missing-tables.ts';
import { readRecords, recordLoaded, recordRestore, removeLoaded, removeRestore } from '../../src/schema/records.ts';
import { say } from '../../src/terminal/progress.ts';
import { withBar } from '../support/progress-bar.ts';
import { processesAlive } from '../../src/transactions/operations.ts';
import { eraseAllAgain, readErasedIds } from '../support/erased-files.ts';
import { rebuildFrom } from '../support/rebuilding.ts';
import { withAppOf } from '../with-app.ts';
import { folderOf, requireIntact, readParts, type Part } from './manifest.ts';
import { localNode, ringOf, tableFolders, type LocalNode, type Nodetool, type RingNode } from './node.ts';

/**
 * Restores a backup in steps: `begin` once, `load` on each node, and `finish` once. After `begin`,
 * no server can start until `finish` has made the tables consistent. Each step may be repeated.
 */

/** The time in which a live server sends several heartbeats. */
const WATCHED_MS = 3_000;
const LOADED_AT_ONCE = 2;
/** Each pass over the data repairs rows that the previous pass could not reach. */
const PASSES_MAX = 6;
/** No server changes anything meanwhile, so a suspect needs no long observation. */
const PAUSE_MAX_MS = 5;
const NAMED_MAX = 5;

/**
 * Checks that the parts of a backup that are on this machine can be restored, and changes nothing.
 * @throws {Error} with the problem
 */
async function checkedParts(config: CassandraConfig, from: string, tables: readonly string[]): Promise<Part[]> {
  const parts = await readParts(from);
  await withSchemaClient(config, undefined, async (client) => {
    const ring = await ringOf(client);
    const stored = await storedSchema(client, config.keyspace);
    const declared = await declaredSchema();
    const missing = declared.tables.filter(({ name }) => !stored.tables.some((each) => each.name === name));
    const here = { tables: [...stored.tables, ...missing], types: stored.types };
    for (const part of parts) {
      requireOldRelease(part);
      if (part.keyspace !== config.keyspace)
        throw new Error(
          `The backup ${part.folder} has the keyspace ${part.keyspace}, but CASSANDRA_KEYSPACE is ${config.keyspace}.`,
        );
      requireSameRing(part, ring);
      const ofPart = tables.map((name) => part.tables.find((each) => each.name === name) ?? name);
      const absent = ofPart.find((each) => typeof each === 'string');
      if (absent !== undefined) throw new Error(`The backup ${part.folder} has no table ${absent}.`);
      const of = part.tables.filter(({ name }) => tables.includes(name)).map((each) => ({ ...each, options: '' }));
      const differences = differencesOf({ tables: of, types: part.types }, here);
      if (differences.length > 0)
        throw new Error(
          `The keyspace ${config.keyspace} does not match the backup ${part.folder}: ` +
            `${differences.slice(0, NAMED_MAX).join('; ')}. Restore it with release ${part.release}.`,
        );
    }
  });
  const files = parts.flatMap((part) =>
    part.tables.flatMap((table) => (tables.includes(table.name) ? table.files : [])),
  );
  await withBar('checking', 'files', async (update) => {
    let done = 0;
    for (const part of parts)
      await requireIntact(part, tables, () => {
        update({ items: ++done, done, total: files.length });
      });
  });
  return parts;
}

const namesOf = (kinds: ReadonlyMap<string, TableKind>, wanted: TableKind['kind']) =>
  [...kinds].flatMap(([name, { kind }]) => (kind === wanted ? [name] : []));

/** Returns the requested tables, and all tables derived from them. */
function restoredTables(kinds: ReadonlyMap<string, TableKind>, wanted: readonly string[] | undefined): string[] {
  const originals = namesOf(kinds, 'original');
  const wrong = wanted?.find((name) => !originals.includes(name));
  if (wrong !== undefined)
    throw new Error(
      kinds.get(wrong)?.kind === 'derived'
        ? `${wrong} is derived: \`npm run admin -- rebuild --table ${wrong}\` rebuilds it.`
        : `${wrong} is not a table that can be restored. These can: ${originals.join(', ')}.`,
    );
  const tables = new Set(wanted ?? originals);
  // The iteration of a set includes elements that are added meanwhile.
  for (const name of tables)
    for (const [other, of] of kinds) if (of.kind === 'derived' && of.from[0] === name) tables.add(other);
  return [...tables];
}

function requireOldRelease({ folder, release }: Part): void {
  if (compareReleases(release, RELEASE) > 0)
    throw new Error(
      `The backup ${folder} was made by release ${release}, but this is release ${RELEASE}. ` +
        `Restore it with release ${release}.`,
    );
}

function requireSameRing({ folder, ring: former }: Part, ring: readonly RingNode[]): void {
  const textOf = (nodes: readonly RingNode[]) =>
    nodes
      .map(({ tokens }) => tokens.join())
      .toSorted()
      .join(' ');
  if (textOf(former) !== textOf(ring))
    throw new Error(
      `The backup ${folder} was made from a ring of ${former.length} nodes whose tokens differ ` +
        'from those of this ring, ' +
        `which has ${ring.length}. Give the nodes of a new cluster the tokens of the manifest (initial_token), ` +
        'or load the files with sstableloader.',
    );
}

/**
 * Empties the tables to be restored. From then on no server starts.
 * @param wanted the original tables to restore; unset for all
 * @throws {Error} if a server is running, or the backup cannot be restored; nothing is changed then
 */
export async function begin(config: Config, from: string, wanted: readonly string[] | undefined): Promise<void> {
  const { keyspace } = config.cassandra;
  const kinds = await tableKinds();
  const tables = restoredTables(kinds, wanted);
  const emptied = wanted ? [] : namesOf(kinds, 'passing');
  await checkedParts(config.cassandra, from, tables);
  await withSchemaClient(config.cassandra, undefined, async (client) => {
    const before = await readRecords(client, keyspace);
    if (before?.createdBy === undefined)
      throw new Error(`The keyspace ${keyspace} has no schema yet. Run \`npm run admin -- migrate apply\` first.`);
    if (before.restoring) requireSameTables(before.restoring, tables);
    else await createMissing(config.cassandra, tables, say);

    await recordRestore(client, keyspace, tables);
    await requireNoServers(config).catch(async (error: unknown) => {
      if (!before.restoring) await removeRestore(client, keyspace, []);
      throw error;
    });
    await removeLoaded(client, keyspace, before.loaded);
    for (const table of [...tables, ...emptied]) {
      say(`emptying ${table}`);
      await client.execute(`TRUNCATE ${keyspace}.${table}`);
    }
  });
}

function requireSameTables(underWay: readonly string[], tables: readonly string[]): void {
  if (underWay.join() !== tables.join())
    throw new Error(`A restore of other tables is in progress: ${underWay.join(', ')}. Finish that restore first.`);
}

/** @throws {Error} naming a server that is running */
async function requireNoServers(config: Config): Promise<void> {
  say(`checking for ${WATCHED_MS / 1_000} s whether a server is running`);
  const alive = await withAppOf(config, (app) => processesAlive(app, () => sleep(WATCHED_MS)));
  const [first] = alive;
  if (first)
    throw new Error(
      `${alive.length} servers are running, such as ${first.incarnation} of release ${first.release}. ` +
        'Stop all of them first: they would overwrite restored data with data in their memory.',
    );
}

/**
 * Loads the part of the backup that belongs to the node on this machine.
 * @throws {Error} if the backup has no such part, or it cannot be restored; nothing is changed then
 */
export async function load(config: Config, nodetool: Nodetool, from: string): Promise<void> {
  const { keyspace } = config.cassandra;
  await withSchemaClient(config.cassandra, undefined, async (client) => {
    const { restoring: tables } = await requireBegunRestore(client, keyspace);
    const parts = await checkedParts(config.cassandra, from, tables);
    const node = await localNode(client, nodetool);
    const part = parts.find((each) => each.node.tokens.join() === node.tokens.join());
    if (!part) throw new Error(`${from} has no part of a node with the tokens of this node, ${node.hostId}.`);

    const withFiles = part.tables.filter(({ name, files }) => tables.includes(name) && files.length > 0);
    await withBar('loading', 'tables', async (update) => {
      let done = 0;
      await pLimit(LOADED_AT_ONCE).map(withFiles, async ({ name }) => {
        // Without the option Cassandra would move the files out of the backup.
        await nodetool('import', '--copy-data', keyspace, name, resolve(folderOf(part.folder, keyspace, name)));
        if (!(await hasData(client, keyspace, node, name)))
          throw new Error(`Cassandra has not imported the files of ${name}; its log has the reason.`);
        update({ items: ++done, done, total: withFiles.length });
      });
    });
    await recordLoaded(client, keyspace, node.hostId);
  });
}

/**
 * Returns whether a node has files of a table, because `nodetool import` also succeeds without any.
 */
async function hasData(client: Client, keyspace: string, node: LocalNode, table: string): Promise<boolean> {
  const folders = await tableFolders(client, keyspace, node, table);
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return names.flat().some((name) => name.endsWith('-Data.db'));
}

async function requireBegunRestore(client: Client, keyspace: string) {
  const { restoring, loaded } = (await readRecords(client, keyspace)) ?? {};
  if (!restoring) throw new Error(`No restore of ${keyspace} has begun: \`npm run admin -- restore begin\` first.`);
  return { restoring, loaded: loaded ?? [] };
}

/**
 * Makes the tables consistent, and erases the accounts again that were erased since the backup.
 * Then servers may start.
 * @param erasedFiles the files with the ids of deleted accounts, one a line
 * @returns false if problems remain that people have to decide
 * @throws {Error} if a node has not loaded its part; nothing is changed then
 */
export async function finish(config: Config, nodetool: Nodetool, erasedFiles: readonly string[]): Promise<boolean> {
  const { keyspace } = config.cassandra;
  const ids = await readErasedIds(erasedFiles);
  return withSchemaClient(config.cassandra, undefined, async (client) => {
    const { restoring: tables, loaded } = await requireBegunRestore(client, keyspace);
    const ring = await ringOf(client);
    const absent = ring.find(({ hostId }) => !loaded.includes(hostId));
    if (absent)
      throw new Error(
        `The node ${absent.hostId} has not loaded its part: run \`npm run admin -- restore load\` there.`,
      );
    if (ring.length > 1) {
      say('repairing the replicas');
      await nodetool('repair', '--full', keyspace);
    }

    const isWhole = await withAppOf(config, async (app) => {
      if (tables.includes('leases')) await raiseEpochs(app);
      await eraseAllAgain(app, ids);
      return agree(app);
    });
    await removeRestore(client, keyspace, loaded);
    say(`restored ${tables.length} tables; servers may start`);
    say('give them a new ACCESS_TOKEN_SECRET first: sessions that were ended since the backup are open again');
    return isWhole;
  });
}

/** Rebuilds and audits until there is no drift. */
async function agree(app: AppContext): Promise<boolean> {
  for (const source of new Set((await derivedKinds()).flatMap(({ from }) => from))) await rebuildFrom(app, source);

  const backOff = (ms: number, stopping?: AbortSignal) => app.cassandra.backOff(Math.min(ms, PAUSE_MAX_MS), stopping);
  const impatient = { ...app, cassandra: { ...app.cassandra, backOff } };
  for (let pass = 1; ; pass++) {
    const { rows, wrong } = await auditOnce(impatient, pass);
    say(wrong.length === 0 ? `${rows} rows audited: zero drift` : `${rows} rows audited, ${wrong.length} repaired`);
    if (wrong.length === 0) return true;
    if (pass === PASSES_MAX) {
      for (const each of wrong) say(`people have to decide: ${each}`);
      return false;
    }
  }
}

/** Repairs drift, and returns its names. */
const auditOnce = (app: AppContext, pass: number) =>
  withBar(`auditing, pass ${pass}`, 'rows', async (update) => {
    const wrong: string[] = [];
    let rows = 0;
    for await (const page of audit(app, everyAudit, EVERYTHING, true)) {
      rows += page.rows;
      wrong.push(...page.drift.map(({ table, what }) => `${table}: ${what}`));
      wrong.push(...page.unreadable.map(({ table, partition }) => `${table} is unreadable: ${partition}`));
      update({ items: rows, done: Math.round(page.progress * 1_000), total: 1_000 });
    }
    return { rows, wrong };
  });

async function derivedKinds() {
  return [...(await tableKinds()).values()].filter((each) => each.kind === 'derived');
}
