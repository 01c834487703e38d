import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'cassandra-driver';
import { z } from 'zod';

/** The node of Cassandra on this machine. */

/** The output of `nodetool` may exceed the default limit of 1 MiB. */
const PRINTED_MAX = 64 * 1_024 * 1_024;

/** Runs `nodetool` and returns its output. */
export type Nodetool = (...given: readonly string[]) => Promise<string>;

/** @param command the command of `nodetool`, with the options that each call needs */
export const nodetoolBy =
  (command: string): Nodetool =>
  async (...given) => {
    const [first = ''] = given;
    try {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command} "$@"`, 'nodetool', ...given], {
        maxBuffer: PRINTED_MAX,
      });
      return stdout;
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
      const why = (stderr || stdout).trim().slice(-1_000);
      throw new Error(`\`${command} ${first}\` failed; use --nodetool for another command:\n${why}`, { cause: error });
    }
  };

/** A node of a ring. */
export const ringNode = z.strictObject({ hostId: z.uuid(), tokens: z.array(z.string()).nonempty() });
export type RingNode = z.infer<typeof ringNode>;

/** The node that `nodetool` manages. */
export interface LocalNode extends RingNode {
  readonly dataFolders: readonly string[];
}

const tokensRow = z.object({ host_id: z.unknown().transform(String), tokens: z.array(z.string()) });

/** Reads the nodes of the cluster and their tokens. */
export async function ringOf(client: Client): Promise<RingNode[]> {
  const host = client.hosts.values().find((each) => each.isUp());
  const ofOneNode = host ? { host } : {};
  const [own, peers] = await Promise.all([
    client.execute('SELECT host_id, tokens FROM system.local', [], ofOneNode),
    client.execute('SELECT host_id, tokens FROM system.peers_v2', [], ofOneNode),
  ]);
  return [...own.rows, ...peers.rows].map((row) => {
    const { host_id: hostId, tokens } = tokensRow.parse({ ...row });
    return ringNode.parse({ hostId, tokens: tokens.toSorted() });
  });
}

/**
 * Finds the node that `nodetool` manages.
 * @throws {Error} if it is not one of the cluster
 */
export async function localNode(client: Client, nodetool: Nodetool): Promise<LocalNode> {
  const id = /^ID\s*: (\S+)/m.exec(await nodetool('info'))?.[1];
  const found = (await ringOf(client)).find(({ hostId }) => hostId === id);
  const host = client.hosts.values().find(({ hostId }) => String(hostId) === id);
  if (!found || !host)
    throw new Error(
      `\`nodetool\` manages the node ${String(id)}, which is not one of the cluster of CASSANDRA_CONTACT_POINTS.`,
    );
  const setting = await client.execute(
    "SELECT value FROM system_views.settings WHERE name = 'data_file_directories'",
    [],
    { host },
  );
  const folders = String(setting.first()['value']).replace(/^\[|\]$/g, '');
  return { ...found, dataFolders: folders.split(', ') };
}

/**
 * Returns the folders in which a node keeps the files of a table. Some may not exist.
 * @throws {Error} if nothing of the keyspace can be read
 */
export async function tableFolders(
  client: Client,
  keyspace: string,
  { dataFolders }: LocalNode,
  table: string,
): Promise<string[]> {
  const ofKeyspace = dataFolders.map((folder) => join(folder, keyspace));
  const isReadable = await Promise.all(ofKeyspace.map((folder) => stat(folder).then(Boolean, () => false)));
  if (!isReadable.includes(true))
    throw new Error(
      `No files can be read in ${ofKeyspace.join(', ')}: run this on the machine of the node, ` +
        'as a user with read permission.',
    );
  const found = await client.execute(
    'SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?',
    [keyspace, table],
    { prepare: true },
  );
  const id = String(found.first()['id']).replaceAll('-', '');
  return ofKeyspace.map((folder) => join(folder, `${table}-${id}`));
}
