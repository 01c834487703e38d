import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { jobHandlers, transactionKinds } from '../../src/app/workers.ts';
import { allStatements } from '../../src/cassandra/statement.ts';
import { RELEASE } from '../../src/config/release.ts';
import { features } from '../../src/features.ts';
import { CQL_FOLDER, declaredFiles, schemaOf } from '../../src/schema/declared.ts';

/** The stored forms of all data that servers of two releases read and write at the same time. */

const FILE = join(CQL_FOLDER, 'released.json');

const coded = {
  /** The values that a column or a field of a state may have, by path: `items.state.condition`. */
  values: z.record(z.string(), z.array(z.string())),
  /** The fields of the payload of each kind of transaction: `required` or `optional`. */
  transactions: z.record(z.string(), z.record(z.string(), z.enum(['required', 'optional']))),
  /** The kinds of jobs, with the names of their parts. */
  jobs: z.record(z.string(), z.array(z.string())),
};

/** The file of the last release. */
const released = z.strictObject({
  release: z.string(),
  /** The statements that create its schema. */
  schema: z.array(z.string()),
  ...coded,
});
export type Released = z.output<typeof released>;

export interface StoredForms extends Pick<Released, keyof typeof coded> {
  /** The fields of each user-defined type, with their types. */
  readonly types: Record<string, Record<string, string>>;
  /** The columns of each table, with their types and their places in the key. */
  readonly tables: Record<string, Record<string, string>>;
}

/** Reads the forms of the last release. */
export const readReleased = async (): Promise<Released> => released.parse(JSON.parse(await readFile(FILE, 'utf8')));

/** Records this code as the last release. */
export async function recordReleased(): Promise<Released> {
  const now = await releasedNow();
  await writeFile(FILE, `${JSON.stringify(now, undefined, 2)}\n`);
  return now;
}

/** Returns the stored forms of this code. */
export const formsNow = async (): Promise<StoredForms> => formsOf(await releasedNow());

/** Returns the stored forms of a release, with the declarations of its statements. */
export function formsOf({ schema, values, transactions, jobs }: Released): StoredForms {
  const { types, tables } = schemaOf(schema);
  return {
    types: byName(types, ({ fields }) => byName(fields, ({ type }) => type)),
    tables: byName(tables, ({ columns }) =>
      byName(columns, ({ type, kind, position }) => [type, kind, ...(position < 0 ? [] : [position])].join(' ')),
    ),
    values,
    transactions,
    jobs,
  };
}

async function releasedNow(): Promise<Released> {
  return {
    release: RELEASE,
    schema: (await declaredFiles()).flatMap(({ statements }) => statements),
    values: valuesNow(),
    transactions: byName(transactionKinds, ({ payload }) => {
      const { properties, required } = z.toJSONSchema(payload, JSON_SCHEMA);
      return Object.fromEntries(
        Object.keys(properties ?? {}).map(
          (field) => [field, required?.includes(field) ? 'required' : 'optional'] as const,
        ),
      );
    }),
    jobs: Object.fromEntries(
      Object.keys(jobHandlers).map((kind) => [kind, features.flatMap(({ jobs = {} }) => partsOf(jobs[kind]))]),
    ),
  };
}

const JSON_SCHEMA = { io: 'input', unrepresentable: 'any' } as const;

const partsOf = (work: unknown): string[] =>
  Array.isArray(work) ? (work as readonly { readonly name: string }[]).map(({ name }) => name) : [];

const byName = <Item extends { readonly name: string }, Form>(items: readonly Item[], formOf: (item: Item) => Form) =>
  Object.fromEntries(items.map((item) => [item.name, formOf(item)]));

/** Returns the values of all columns and fields that have a list of them. */
function valuesNow(): Record<string, string[]> {
  const found = allStatements().flatMap(({ cql, row }) => {
    const [, table] = /\b(?:FROM|INTO|UPDATE) (\w+)/.exec(cql) ?? [];
    return table === undefined ? [] : valuesIn(z.toJSONSchema(row, { ...JSON_SCHEMA, io: 'output' }), table);
  });
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function valuesIn(schema: unknown, path: string): [string, string[]][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, items, anyOf, enum: values } = schema as Record<string, unknown>;
  return [
    ...(Array.isArray(values) ? [[path, values.map(String).toSorted()] satisfies [string, string[]]] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, each]) => valuesIn(each, `${path}.${name}`)),
    ...valuesIn(items, path),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((each) => valuesIn(each, path)) : []),
  ];
}

/**
 * Returns the ways in which this code cannot read data of a release, or stores data that the
 * release cannot read. Additions that an older server ignores are allowed.
 */
export function brokenForms(released: StoredForms, now: StoredForms): string[] {
  const broken: string[] = [];
  const compareFields = (
    what: string,
    before: Readonly<Record<string, string>>,
    after: Readonly<Record<string, string>> = {},
  ) => {
    for (const [name, type] of Object.entries(before))
      if (after[name] !== type) broken.push(`${what}.${name} was ${type} and is ${after[name] ?? 'gone'}`);
  };
  for (const [name, fields] of Object.entries(released.types))
    compareFields(`The type ${name}`, fields, now.types[name]);
  for (const [name, columns] of Object.entries(released.tables))
    compareFields(`The table ${name}`, columns, now.tables[name]);

  for (const [path, values] of Object.entries(released.values)) {
    const gone = values.filter((value) => !now.values[path]?.includes(value));
    if (gone.length > 0) broken.push(`${path} may contain ${gone.join(', ')}, which this code cannot read`);
  }

  for (const [kind, before] of Object.entries(released.transactions)) {
    const after = now.transactions[kind];
    if (!after) broken.push(`The kind of transaction ${kind} was removed, but a server may have logged one`);
    else {
      compareFields(`The payload of ${kind}`, before, after);
      for (const [field, is] of Object.entries(after))
        if (!(field in before) && is === 'required')
          broken.push(`The payload of ${kind} has the new field ${field}, which must be optional`);
    }
  }

  for (const [kind, parts] of Object.entries(released.jobs)) {
    const gone = parts.filter((part) => !now.jobs[kind]?.includes(part));
    if (!now.jobs[kind]) broken.push(`The kind of job ${kind} was removed, but one may be unfinished`);
    else if (gone.length > 0)
      broken.push(`The part ${gone.join(', ')} of the job ${kind} was removed, but an unfinished job may be in it`);
  }
  return broken;
}
