import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CQL_FOLDER } from './declared.ts';

/**
 * The kind of a table, which its comment in `cql/` declares. It determines how lost rows are
 * restored.
 */
export type TableKind =
  /** Only a backup restores them. */
  | { readonly kind: 'original' }
  /** The rows are derived from other tables. `npm run admin -- rebuild` writes them again. */
  | { readonly kind: 'derived'; readonly from: readonly string[] }
  /** Nothing restores the rows: servers write new ones, and the old ones are not needed. */
  | { readonly kind: 'passing' };

const TABLES = /((?:^--.*\n)+)CREATE TABLE IF NOT EXISTS (\w+)/gm;
const KIND = /^-- Kind: (?:(original|passing)|derived from (\w+(?: and \w+)*))\.$/m;

/**
 * Reads the kinds of all tables.
 * @throws {Error} naming a table without a kind
 */
export async function tableKinds(): Promise<ReadonlyMap<string, TableKind>> {
  const files = (await readdir(CQL_FOLDER)).filter((file) => file.endsWith('.cql'));
  const texts = await Promise.all(files.map((file) => readFile(join(CQL_FOLDER, file), 'utf8')));
  return new Map(
    texts.flatMap((text) =>
      [...text.matchAll(TABLES)].map(([, comment = '', table = '']) => [table, kindIn(comment, table)] as const),
    ),
  );
}

function kindIn(comment: string, table: string): TableKind {
  const [, kind, from] = KIND.exec(comment) ?? [];
  if (kind === 'original' || kind === 'passing') return { kind };
  if (from === undefined) throw new Error(`The comment of the table ${table} in cql/ has no kind.`);
  return { kind: 'derived', from: from.split(' and ') };
}
