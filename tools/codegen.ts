import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';
import { format, resolveConfig } from 'prettier';

/**
 * `npm run codegen`: makes the types of schema.graphql, and those of its resolvers.
 * `npm run check:schema`: the same with `--check`; it ends with 1 when what is there is not what would be made.
 */

const PROJECT = join(import.meta.dirname, '..');
const HEADER = '/* Made by `npm run codegen` from schema.graphql; change that file instead. */\n/* eslint-disable */\n';

/** What a resolver gets of a type is what its feature declares in `Models`. */
const MODELS = [
  'Action',
  'ActivityPoint',
  'Book',
  'Item',
  'ItemEdge',
  'BookEdge',
  'Library',
  'LibraryEdge',
  'LikeEdge',
  'LikePayload',
  'Likeable',
  'LikerEdge',
  'LoginWindows',
  'Node',
  'PageInfo',
  'ReadBookConnection',
  'ReadBookEdge',
  'Reading',
  'SecurityEvent',
  'Session',
  'ShelfEdge',
  'TrendingEdge',
  'User',
  'ViewedBookEdge',
];

const shared = {
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    ID: { input: 'string', output: 'string' },
    DateTime: { input: 'Date', output: 'Date' },
    Duration: 'string',
    Date: 'string',
    UUID: 'string',
    Decimal: 'string',
  },
};

const outputs = [
  {
    filename: 'src/graphql/schema.generated.ts',
    imports: '',
    plugin: { typescript },
    config: shared,
  },
  {
    filename: 'src/graphql/resolvers.generated.ts',
    imports: [
      "import type { RequestContext } from '../context/context.ts';",
      "import type { Models } from './models.ts';",
      "import type * as Types from './schema.generated.ts';\n",
    ].join('\n'),
    plugin: { typescriptResolvers },
    config: {
      ...shared,
      namespacedImportName: 'Types',
      contextType: 'RequestContext',
      useIndexSignature: false,
      optionalResolveType: false,
      makeResolverTypeCallable: true,
      mappers: Object.fromEntries(MODELS.map((name) => [name, `Models['${name}']`])),
    },
  },
];

const isCheck = process.argv.includes('--check');
const schema = parse(readFileSync(join(PROJECT, 'schema.graphql'), 'utf8'));
for (const { filename, imports, plugin, config } of outputs) {
  const file = join(PROJECT, filename);
  const [name = ''] = Object.keys(plugin);
  const made = await codegen({ filename, schema, documents: [], plugins: [{ [name]: {} }], pluginMap: plugin, config });
  const text = await format(`${HEADER}${imports}${made}`, { ...(await resolveConfig(file)), filepath: file });
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${filename} is not what schema.graphql makes of it. Run: npm run codegen`);
    process.exitCode = 1;
  }
}
