import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'cassandra-driver';
import type { CassandraConfig } from '../../src/config/config.ts';
import { RELEASE } from '../../src/config/release.ts';
import { requireAdmittedRelease, storedSchema } from '../../src/schema/check.ts';
import { withSchemaClient } from '../../src/schema/client.ts';
import { tableKinds } from '../../src/schema/kinds.ts';
import { readRecords } from '../../src/schema/records.ts';
import { say } from '../../src/terminal/progress.ts';
import { withBar } from '../support/progress-bar.ts';
import { checksumOf, folderOf, writeManifest, type BackedUpFile } from './manifest.ts';
import { localNode, ringOf, tableFolders, type LocalNode, type Nodetool } from './node.ts';

/** Files that a snapshot has in addition to the data. */
const NO_DATA = new Set(['manifest.json', 'schema.cql']);

/**
 * Backs up the part of the keyspace that the node of this machine stores. Servers may be running.
 * @param to the folder of the backup, in which the part gets its own folder
 * @throws {Error} with what to do; nothing is left in the folder then
 */
export async function backUp(config: CassandraConfig, nodetool: Nodetool, to: string): Promise<void> {
  await withSchemaClient(config, undefined, async (client) => {
    const node = await localNode(client, nodetool);
    const folder = join(to, node.hostId);
    if (await stat(folder).catch(() => undefined))
      throw new Error(`${folder} already has a backup of this node: choose another folder.`);

    const unfinished = `${folder}.unfinished`;
    const snapshot = `backup-${Date.now()}`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    try {
      say(`taking the snapshot ${snapshot} of ${config.keyspace}`);
      await nodetool('snapshot', '-t', snapshot, '--', config.keyspace);
      await copySnapshot(client, config.keyspace, node, snapshot, unfinished);
      await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
      await nodetool('clearsnapshot', '-t', snapshot, '--', config.keyspace);
    }
    say(`the part of the node ${node.hostId} is in ${folder}`);
  });
}

async function copySnapshot(
  client: Client,
  keyspace: string,
  node: LocalNode,
  snapshot: string,
  to: string,
): Promise<void> {
  const at = new Date().toISOString();
  const records = await readRecords(client, keyspace);
  if (records?.createdBy === undefined) throw new Error(`The keyspace ${keyspace} has no schema yet.`);
  requireAdmittedRelease(keyspace, records);
  const schema = await storedSchema(client, keyspace);
  const kinds = await tableKinds();
  const kept = schema.tables.filter(({ name }) => (kinds.get(name)?.kind ?? 'passing') !== 'passing');

  const tables: { name: string; columns: (typeof kept)[number]['columns'][number][]; files: BackedUpFile[] }[] = [];
  await withBar('copying', 'files', async (update) => {
    let copied = 0;
    for (const [index, { name, columns }] of kept.entries()) {
      const files: BackedUpFile[] = [];
      const folders = await tableFolders(client, keyspace, node, name);
      for (const from of await snapshotFolders(folders, snapshot)) {
        for (const file of (await readdir(from)).filter((each) => !NO_DATA.has(each))) {
          const path = join(folderOf(to, keyspace, name), file);
          await cp(join(from, file), path);
          files.push({ name: file, bytes: (await stat(path)).size, sha256: await checksumOf(path) });
          copied++;
        }
      }
      tables.push({ name, columns: [...columns], files });
      update({ items: copied, done: index + 1, total: kept.length });
    }
  });

  const { hostId, tokens } = node;
  await writeManifest(to, {
    format: 1,
    release: RELEASE,
    at,
    keyspace,
    steps: [...records.steps.keys()],
    node: { hostId, tokens },
    ring: await ringOf(client),
    types: schema.types.map(({ name, fields }) => ({ name, fields: [...fields] })),
    tables,
  });
}

/** Returns the folders with the files of a table in a snapshot. */
async function snapshotFolders(folders: readonly string[], snapshot: string): Promise<string[]> {
  const all = folders.map((folder) => join(folder, 'snapshots', snapshot));
  const isThere = await Promise.all(all.map((folder) => stat(folder).then(Boolean, () => false)));
  return all.filter((_folder, index) => isThere[index]);
}
