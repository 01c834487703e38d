import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers';
import { buildSchema, lexicographicSortSchema, parse, printSchema, Source, type GraphQLSchema } from 'graphql';
import { say } from '../src/progress.ts';

/** `npm run codegen [-- --check]`: makes the types of the schema, or ends with 1 if they are not those of the schema. */

const PROJECT = join(import.meta.dirname, '..');
const SCHEMA = join(PROJECT, 'schema.graphql');
const TYPES = join(PROJECT, 'src/schema.generated.ts');

/** The options of both plugins; the paths are relative to the file of the types. */
const config: typescript.TypeScriptPluginConfig & typescriptResolvers.TypeScriptResolversPluginConfig = {
  contextType: './context.ts#RequestContext',
  enumsAsTypes: true,
  useTypeImports: true,
  useIndexSignature: false,
  strictScalars: true,
  scalars: {
    ID: { input: 'string', output: 'string' },
    DateTime: { input: 'Date', output: 'Date' },
    Duration: 'string',
    Date: 'string',
    UUID: 'string',
    Decimal: 'string',
  },
  optionalResolveType: false,
  makeResolverTypeCallable: true,
  mappers: {
    Book: './catalogue/operations.ts#Book as BookModel',
    BookEdge: '{ cursor: string; bookId: string }',
    Item: './market/operations.ts#Item as ItemModel',
    ItemEdge: '{ cursor: string; itemId: string; listedAt: Date }',
    ViewedBookEdge: '{ cursor: string; viewedAt: Date; bookId: string }',
    TrendingEdge: './events/operations.ts#TrendingEdge as TrendingEdgeModel',
    ActivityPoint: './events/operations.ts#ActivityPoint as ActivityPointModel',
    Library: './libraries/operations.ts#Library as LibraryModel',
    LibraryEdge: '{ cursor: string; libraryId: string }',
    User: './accounts/operations.ts#User as UserModel',
    Likeable: './likes/operations.ts#Likeable as LikeableModel',
    Node: './nodes.ts#NodeObject as NodeObjectModel',
    Action: './activity/operations.ts#Action as ActionModel',
    LikeEdge: './likes/operations.ts#LikeEdge as LikeEdgeModel',
    LikerEdge: './likes/operations.ts#LikerEdge as LikerEdgeModel',
    Reading: './reading/shelves.ts#Reading as ReadingModel',
    ShelfEdge: './reading/shelves.ts#ShelfEdge as ShelfEdgeModel',
    ReadBookEdge: './reading/operations.ts#ReadBookEdge as ReadBookEdgeModel',
    ReadBookConnection: './reading/operations.ts#ReadBookConnection as ReadBookConnectionModel',
    LikePayload: './likes/operations.ts#LikeAnswer',
    Session: './sessions/operations.ts#Session as SessionModel',
    SecurityEvent: './security/operations.ts#SecurityEvent as SecurityEventModel',
    LoginWindows: './logins/operations.ts#LoginWindows as LoginWindowsModel',
    PageInfo: './connections.ts#PageInfo as PageInfoModel',
  },
};

/** In the order of the alphabet, so that moving a type within the file changes nothing. */
async function readSchema(): Promise<GraphQLSchema> {
  const text = await readFile(SCHEMA, 'utf8');
  try {
    return lexicographicSortSchema(buildSchema(new Source(text, 'schema.graphql')));
  } catch (error) {
    // As a text it shows the lines that it is about.
    say(String(error));
    process.exit(1);
  }
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const schema = await readSchema();
const types = await codegen({
  schema: parse(printSchema(schema)),
  schemaAst: schema,
  documents: [],
  filename: TYPES,
  plugins: [{ typescript: {} }, { typescriptResolvers: {} }],
  pluginMap: { typescript, typescriptResolvers },
  config,
});

if (!values.check) {
  await writeFile(TYPES, types);
} else if (types !== (await readFile(TYPES, 'utf8'))) {
  say('src/schema.generated.ts is not what schema.graphql makes of it; run: npm run codegen');
  process.exitCode = 1;
}
