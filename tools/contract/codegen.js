import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers';
import { buildSchema, lexicographicSortSchema, parse, printSchema, Source } from 'graphql';

/**
 * `npm run codegen [-- --check]`: makes the types of the schema, and those of its resolvers. With
 * `--check` it exits with 1 if the present files differ from those that the schema makes.
 */

const PROJECT = join(import.meta.dirname, '../..');
const SCHEMA = join(PROJECT, 'schema.graphql');

/** The blocks in which features declare their models, by the name of the type. */
const MODELS_BLOCK = /^ *(?:export )?interface Models \{\n(.*?)^ *\}$/gms;

/** The types whose resolvers receive what a feature declares in `Models`. */
const MODELS = await readModels();

/** A type with edges of a model is a page of them; its `nodes` come from these. */
const CONNECTIONS = MODELS.filter((name) => name.endsWith('Edge'))
  .map((edge) => ({ edge, connection: edge.replace(/Edge$/, 'Connection') }))
  .filter(({ connection }) => !MODELS.includes(connection));

/** @type {typescript.TypeScriptPluginConfig} */
const shared = {
  // The descriptions are in schema.graphql.
  disableDescriptions: true,
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  // The names of the types of an interface are read from its fields.
  useImplementingTypes: true,
  scalars: {
    ID: { input: 'string', output: 'string' },
    DateTime: { input: 'Date', output: 'Date' },
    JSONObject: { input: 'object', output: 'object' },
    Duration: 'string',
    Date: 'string',
    UUID: 'string',
    Decimal: 'string',
  },
};

/** @type {typescriptResolvers.TypeScriptResolversPluginConfig} */
const forResolvers = {
  namespacedImportName: 'Types',
  contextType: 'RequestContext',
  useIndexSignature: false,
  optionalResolveType: false,
  makeResolverTypeCallable: true,
  mappers: {
    ...Object.fromEntries(MODELS.map((name) => [name, `Models['${name}']`])),
    ...Object.fromEntries(CONNECTIONS.map(({ edge, connection }) => [connection, `Connection<Models['${edge}']>`])),
  },
};

const HEADER = '// Generated from schema.graphql by `npm run codegen`. Do not edit.\n';

/**
 * The file of types imports nothing; the one of resolvers knows the request's context, and no
 * feature.
 */
const FILES = [
  { name: 'src/graphql/generated/schema-types.ts', imports: '', plugin: typescript, config: shared },
  {
    name: 'src/graphql/generated/resolver-types.ts',
    imports: `import type { RequestContext } from '../../context/context.ts';
import type { Connection } from '../connections.ts';
import type { Models } from '../models.ts';
import type * as Types from './schema-types.ts';
`,
    plugin: typescriptResolvers,
    config: { ...shared, ...forResolvers },
  },
];

async function readModels() {
  const files = await Array.fromAsync(glob('src/**/*.ts', { cwd: PROJECT }));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(PROJECT, file), 'utf8')));
  const blocks = texts.flatMap((text) => [...text.matchAll(MODELS_BLOCK)].map(([, block]) => block ?? ''));
  return blocks.flatMap((block) => [...block.matchAll(/^ {2,4}(\w+): /gm)].map(([, name]) => name ?? ''));
}

/** Types are sorted by name, so that moving a type within the file changes nothing. */
async function readSchema() {
  const text = await readFile(SCHEMA, 'utf8');
  try {
    return lexicographicSortSchema(buildSchema(new Source(text, 'schema.graphql')));
  } catch (error) {
    // The error as a text shows the lines that it is about.
    console.log(String(error));
    process.exit(1);
  }
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const schema = await readSchema();
for (const { name, imports, plugin, config } of FILES) {
  const file = join(PROJECT, name);
  const types = await codegen({
    schema: parse(printSchema(schema)),
    schemaAst: schema,
    documents: [],
    filename: file,
    plugins: [{ plugin: {} }],
    pluginMap: { plugin },
    config,
  });

  const text = HEADER + imports + types;
  if (!values.check) {
    await writeFile(file, text);
  } else if (text !== (await readFile(file, 'utf8'))) {
    console.log(`${name} differs from what schema.graphql generates; run: npm run codegen`);
    process.exitCode = 1;
  }
}
