import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildClientSchema,
  buildSchema,
  getDirectiveValues,
  getIntrospectionQuery,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
  type ASTNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { CANDIDATES_MAX } from '../src/catalogue/matching.ts';
import { KNOWN_LIKERS } from '../src/likes/known-likers.ts';
import { CLICKS_PER_CALL } from '../src/clicks/inputs.ts';
import { PAGE_SIZE } from '../src/graphql/connections.ts';
import { REQUEST_ERROR_CODES } from '../src/graphql/errors.ts';
import { currencies } from '../src/market/iso-4217.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';

/**
 * The parts of the contract that tools and clients use, in addition to the promises of single
 * features.
 */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

const SCHEMA_TEXT = readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8');
const SCHEMA = buildSchema(SCHEMA_TEXT);

/** Words that begin a description with its object, or with an incomplete sentence. */
const BEGINS_WITH_OBJECT =
  /^(What|Whether|Whoever|Whom?|Whose|Who|How|Which|When|Where|Why|Since|Of|In which|With which|From where|So (many|long|often))\b/;

/**
 * Lists the descriptions of the schema that are hard to read: with a line that is too long, or that
 * begin with their object.
 */
function hardToRead(text: string): string[] {
  const found: string[] = [];
  const enter = (node: ASTNode) => {
    const description = 'description' in node ? node.description : undefined;
    if (!description?.loc) return;
    const { start, end } = description.loc;
    const lineEnd = text.indexOf('\n', end);
    const lines = text.slice(text.lastIndexOf('\n', start) + 1, lineEnd < 0 ? text.length : lineEnd).split('\n');
    if (BEGINS_WITH_OBJECT.test(description.value) || lines.some((line) => line.length > 100))
      found.push(description.value);
  };
  visit(parse(text), { enter });

  return found;
}

/** Lists the types, fields, arguments and values of a schema that have no description. */
function withoutDescription(schema: GraphQLSchema): string[] {
  const found: string[] = [];
  const look = (name: string, { description }: { readonly description?: string | null | undefined }) => {
    if (description == null || description === '') found.push(name);
  };

  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    look(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(`${type.name}.${field.name}`, field);
      for (const arg of field.args) look(`${type.name}.${field.name}(${arg.name}:)`, arg);
    }
  }

  return found;
}

/** Returns the costs of the fields of the schema, as a client reads them. */
function directivesOf(schema: GraphQLSchema): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type),
  );
  return new Map(
    types.flatMap((type) =>
      Object.values(type.getFields()).map((field) => {
        const [cost, listSize] = ['cost', 'listSize'].map((name) => {
          const directive = schema.getDirective(name);
          return directive && field.astNode && getDirectiveValues(directive, field.astNode);
        });
        return [`${type.name}.${field.name}`, { ...cost, ...listSize }] as const;
      }),
    ),
  );
}

/** Lists the fields, arguments and values that are deprecated without a date. */
function undated(text: string): string[] {
  const found: string[] = [];
  const enter = (node: ASTNode) => {
    if (!('directives' in node) || !('name' in node)) return;
    const deprecated = node.directives.find(({ name }) => name.value === 'deprecated');
    if (deprecated && !/\bremoved after \d{4}-\d{2}-\d{2}\b/.test(print(deprecated))) found.push(node.name.value);
  };
  visit(parse(text), { enter });

  return found;
}

/** Returns a value that has the type of a required argument, to ask with it. */
function anyOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return anyOf(type.ofType);
  if (isListType(type)) return [anyOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return requiredOf(Object.values(type.getFields()));
  return ANY_OF_SCALAR[type.name];
}

const requiredOf = (inputs: readonly (GraphQLArgument | GraphQLInputField)[]) =>
  Object.fromEntries(inputs.filter((input) => isRequiredArgument(input)).map(({ name, type }) => [name, anyOf(type)]));

const ANY_OF_SCALAR: Readonly<Record<string, unknown>> = {
  ID: 'none',
  String: 'text',
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-01-01T00:00:00Z',
  Date: '2026-01-01',
};

/** Returns a request for one field of `Query` or `Mutation`, with its required arguments. */
function requestFor(operation: 'query' | 'mutation', { name, args, type }: GraphQLField<unknown, unknown>) {
  const required = args.filter(isRequiredArgument);
  const declared = required.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const given = required.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const named = getNamedType(type);
  const userErrors = operation === 'mutation' ? 'userErrors { message }' : '';
  const selection = isCompositeType(named) ? `{ __typename ${userErrors} }` : '';
  const query = `${operation} Asked${declared && `(${declared})`} { ${name}${given && `(${given})`} ${selection} }`;
  return { query, variables: requiredOf(args) };
}

describe('the schema', () => {
  test('is served word for word as in schema.graphql', async () => {
    const served = await server
      .client()
      .data(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }));
    const printed = printSchema(lexicographicSortSchema(buildClientSchema(served)));
    expect(printed).toBe(printSchema(lexicographicSortSchema(SCHEMA)));
  });

  test('has only fields of Query that can fail alone', () => {
    const fields = Object.values(SCHEMA.getQueryType()?.getFields() ?? {});
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ type }) => isNonNullType(type))).toEqual([]);
  });

  test('describes things subject first, in lines of at most 100 characters', () => {
    expect(hardToRead(SCHEMA_TEXT)).toEqual([]);
  });

  test('describes the cost of each mutation and the length of each page', () => {
    const directives = directivesOf(SCHEMA);
    const mutations = Object.keys(SCHEMA.getMutationType()?.getFields() ?? {});
    const weights = new Set(mutations.map((name) => directives.get(`Mutation.${name}`)?.['weight']));
    expect(weights).toEqual(new Set(['900', '4900']));

    const pages = Object.values(SCHEMA.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter(({ args }) => args.some(({ name }) => name === 'first'))
          .filter(({ type }) => getNamedType(type).name.endsWith('Connection'))
          .map(({ name }) => `${type.name}.${name}`),
      );
    expect(pages).not.toEqual([]);
    const ofPage = { assumedSize: PAGE_SIZE, slicingArguments: ['first', 'last'], sizedFields: ['edges', 'nodes'] };
    // Known likers are no connection, because a client shows only the first of them.
    const ofKnownLikers = { assumedSize: KNOWN_LIKERS, slicingArguments: ['first'], sizedFields: ['nodes'] };
    for (const page of pages) {
      const expected = page.endsWith('.knownLikers') ? ofKnownLikers : ofPage;
      expect(directives.get(page), page).toEqual({ ...expected, requireOneSlicingArgument: false });
    }
  });

  test('gives the lengths of lists as they are', () => {
    const directives = directivesOf(SCHEMA);
    expect(directives.get('Query.currencies')).toHaveProperty('assumedSize', currencies.length);
    expect(directives.get('ImportRow.candidates')).toHaveProperty('assumedSize', CANDIDATES_MAX);
    expect(directives.get('RecordClicksInput.clicks')).toHaveProperty('assumedSize', CLICKS_PER_CALL);
  });

  test('describes everything, and links the specifications of its scalars', () => {
    expect(withoutDescription(SCHEMA)).toEqual([]);
    const scalars = Object.values(SCHEMA.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    for (const scalar of scalars) expect(scalar).toHaveProperty('specifiedByURL', expect.stringMatching(/^https:/));
  });
});

test('the descriptions mark the fields for administrators', async () => {
  const reader = await server.client().registerSomebody();
  const said: string[] = [];
  const refused: string[] = [];
  for (const [operation, type] of [
    ['query', SCHEMA.getQueryType()],
    ['mutation', SCHEMA.getMutationType()],
  ] as const)
    for (const field of Object.values(type?.getFields() ?? {})) {
      // The session is needed for the others.
      if (field.name === 'logout') continue;
      if (/\bFor\s+administrators\b/.test(field.description ?? '')) said.push(field.name);
      const { query, variables } = requestFor(operation, field);
      const answer = JSON.stringify(await reader.send(query, variables));
      if (answer.includes('Only administrators can')) refused.push(field.name);
    }
  expect(said).not.toEqual([]);
  expect(refused).toEqual(said);
});

test('each deprecation gives the date until which the field is kept', () => {
  expect(undated(SCHEMA_TEXT)).toEqual([]);
  const example = `type Query {
    dated: Int @deprecated(reason: "Use \`next\`. It may be removed after 2027-06-01.")
    undated(old: Int @deprecated(reason: "Use \`next\`.")): Int @deprecated
  }`;
  expect(undated(example)).toEqual(['undated', 'old']);
});

test('docs/errors.md explains each code, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');
  const codesIn = (list: string) => {
    const section = page.split(/^## /m).find((part) => part.startsWith(`\`${list}\``)) ?? '';
    return [...section.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
  };
  const userErrorCode = SCHEMA.getType('UserErrorCode');
  expect(codesIn('extensions.code')).toEqual(REQUEST_ERROR_CODES);
  expect(codesIn('UserErrorCode')).toEqual(
    isEnumType(userErrorCode) && userErrorCode.getValues().map(({ name }) => name),
  );
});
