import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ringNode } from './node.ts';

/** The format of a backup: a folder for each node, with a manifest and a folder for each table. */

const MANIFEST = 'manifest.json';

const column = z.strictObject({
  name: z.string(),
  type: z.string(),
  kind: z.enum(['partition_key', 'clustering', 'static', 'regular']),
  position: z.int(),
});

const file = z.strictObject({ name: z.string().regex(/^[\w.-]+$/), bytes: z.int(), sha256: z.hex() });

const manifest = z.strictObject({
  /** The version of this format. */
  format: z.literal(1),
  /** The release of the schema, and the time of the snapshot. */
  release: z.string(),
  at: z.iso.datetime(),
  keyspace: z.string(),
  /** The applied steps of migrations. */
  steps: z.array(z.string()),
  /** The node of this part, and all nodes of the ring at that time. */
  node: ringNode,
  ring: z.array(ringNode),
  types: z.array(
    z.strictObject({ name: z.string(), fields: z.array(z.strictObject({ name: z.string(), type: z.string() })) }),
  ),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(column), files: z.array(file) })),
});
/** The content of the part of one node. */
export type Manifest = z.infer<typeof manifest>;
export type BackedUpFile = z.infer<typeof file>;

/** The part of one node. */
export interface Part extends Manifest {
  readonly folder: string;
}

export const writeManifest = (folder: string, content: Manifest): Promise<void> =>
  writeFile(join(folder, MANIFEST), JSON.stringify(content, null, 2), { flush: true });

/**
 * Reads the parts of a backup that are on this machine.
 * @throws {Error} if there is none, or one cannot be read
 */
export async function readParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.toSorted().map((name) => readPart(join(folder, name))));
  const parts = found.filter((part) => part !== undefined);
  if (parts.length === 0)
    throw new Error(
      `${folder} has no backup: none of its folders has a ${MANIFEST}. Give --from the folder that --to had.`,
    );
  return parts;
}

async function readPart(folder: string): Promise<Part | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const read = manifest.safeParse(parsed(text));
  if (!read.success) throw new Error(`${join(folder, MANIFEST)} cannot be read: ${z.prettifyError(read.error)}`);
  return { ...read.data, folder };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the folder of a table within a part. Cassandra reads the keyspace and the table from the
 * folders of a file.
 */
export const folderOf = (part: string, keyspace: string, table: string): string => join(part, keyspace, table);

/** Returns the SHA-256 of a file. */
export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Checks the files of some tables.
 * @param onProgress called after each file
 * @throws {Error} naming the first missing or different file
 */
export async function requireIntact(part: Part, tables: readonly string[], onProgress: () => void): Promise<void> {
  for (const { name: table, files } of part.tables.filter(({ name }) => tables.includes(name))) {
    for (const { name, bytes, sha256 } of files) {
      const path = join(folderOf(part.folder, part.keyspace, table), name);
      const size = (await stat(path).catch(() => undefined))?.size;
      if (size === undefined) throw new Error(`The backup lacks the file ${path}.`);
      if (size !== bytes || (await checksumOf(path)) !== sha256)
        throw new Error(`The file ${path} differs from the backed-up file: its checksum is wrong.`);
      onProgress();
    }
  }
}
