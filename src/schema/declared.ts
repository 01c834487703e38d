import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The schema that `cql/*.cql` declares. This release needs it, and a new keyspace gets it. */

export const CQL_FOLDER = join(import.meta.dirname, '../../cql');

export interface Column {
  readonly name: string;
  /** The type in the notation of `system_schema`, for example `frozen<list<text>>`. */
  readonly type: string;
  readonly kind: 'partition_key' | 'clustering' | 'static' | 'regular';
  /** The place among the columns of the same part of the key; -1 outside the key. */
  readonly position: number;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Everything after `WITH`. */
  readonly options: string;
}

/** A user-defined type. */
export interface UserType {
  readonly name: string;
  readonly fields: readonly Pick<Column, 'name' | 'type'>[];
}

export interface Schema {
  readonly tables: readonly Table[];
  readonly types: readonly UserType[];
}

/** A file of statements. */
export interface CqlFile {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly statements: readonly string[];
}

/** Reads the files of `cql/`, in the order in which they are applied. */
export async function declaredFiles(): Promise<CqlFile[]> {
  const files = (await readdir(CQL_FOLDER)).filter((file) => file.endsWith('.cql')).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.cql$/, ''),
      statements: statementsIn(await readFile(join(CQL_FOLDER, file), 'utf8')),
    })),
  );
}

/** Returns the statements of a file, without their comments and semicolons. */
export const statementsIn = (text: string): string[] =>
  text
    .replace(/--.*$/gm, '')
    .split(/;\s*$/m)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Reads the schema that the statements of `cql/` declare. */
export const declaredSchema = async (): Promise<Schema> =>
  schemaOf((await declaredFiles()).flatMap((file) => file.statements));

/** Returns the schema that statements like those of `cql/` declare. */
export const schemaOf = (statements: readonly string[]): Schema => ({
  tables: statements.flatMap((each) => tableOf(each) ?? []),
  types: statements.flatMap((each) => typeOf(each) ?? []),
});

function tableOf(statement: string): Table | undefined {
  const [, name, body, options = ''] =
    /^CREATE TABLE IF NOT EXISTS (\w+) \((.*)\n\)(?: WITH (.*))?$/s.exec(statement) ?? [];
  if (name === undefined || body === undefined) return undefined;

  const parts = partsOf(body);
  const [, composite, first = '', rest = ''] =
    /^PRIMARY KEY \((?:\(([^)]*)\)|(\w+))(?:, (.*))?\)$/.exec(parts.at(-1) ?? '') ?? [];
  const partitionKey = partsOf(composite ?? first);
  const clusteringKey = partsOf(rest);

  const columns = parts
    .filter((part) => !part.startsWith('PRIMARY KEY'))
    .map((part): Column => {
      const [, column = '', type = '', mark] = /^(\w+) (.*?)( static| PRIMARY KEY)?$/.exec(part) ?? [];
      if (mark === ' PRIMARY KEY') return { name: column, type, kind: 'partition_key', position: 0 };
      if (mark === ' static') return { name: column, type, kind: 'static', position: -1 };
      const [ofPartition, ofClustering] = [partitionKey.indexOf(column), clusteringKey.indexOf(column)];
      if (ofPartition >= 0) return { name: column, type, kind: 'partition_key', position: ofPartition };
      if (ofClustering >= 0) return { name: column, type, kind: 'clustering', position: ofClustering };
      return { name: column, type, kind: 'regular', position: -1 };
    });
  return { name, columns, options };
}

function typeOf(statement: string): UserType | undefined {
  const [, name, body] = /^CREATE TYPE IF NOT EXISTS (\w+) \((.*)\n\)$/s.exec(statement) ?? [];
  if (name === undefined || body === undefined) return undefined;
  const fields = partsOf(body).map((part) => {
    const [field = '', ...type] = part.split(' ');
    return { name: field, type: type.join(' ') };
  });
  return { name, fields };
}

/** Splits a list at the commas that are outside brackets. */
function partsOf(list: string): string[] {
  const ends: number[] = [];
  let depth = 0;
  for (const [index, character] of Array.from(list).entries()) {
    if ('<('.includes(character)) depth++;
    if ('>)'.includes(character)) depth--;
    if (character === ',' && depth === 0) ends.push(index);
  }
  return [...ends, list.length]
    .map((end, index) => list.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end))
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '');
}
