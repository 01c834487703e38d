import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  printSchema,
  visit,
  type ASTNode,
  type GraphQLSchema,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { REQUEST_ERROR_CODES } from '../src/graphql/errors.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';

/** The parts of the contract that tools and clients use, beside the promises of single features. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

const SCHEMA_TEXT = readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8');
const SCHEMA = buildSchema(SCHEMA_TEXT);

/** Words that begin a description with its object, or with half a sentence. */
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

describe('the schema', () => {
  test('is served as schema.graphql has it, word for word', async () => {
    const served = await server
      .client()
      .data(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }));
    const printed = printSchema(lexicographicSortSchema(buildClientSchema(served)));
    expect(printed).toBe(printSchema(lexicographicSortSchema(SCHEMA)));
  });

  test('lets every field of Query fail by itself', () => {
    const fields = Object.values(SCHEMA.getQueryType()?.getFields() ?? {});
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ type }) => isNonNullType(type))).toEqual([]);
  });

  test('describes things subject first, in lines of at most 100 characters', () => {
    expect(hardToRead(SCHEMA_TEXT)).toEqual([]);
  });

  test('describes everything, and links the specifications of its scalars', () => {
    expect(withoutDescription(SCHEMA)).toEqual([]);
    const scalars = Object.values(SCHEMA.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    for (const scalar of scalars) expect(scalar).toHaveProperty('specifiedByURL', expect.stringMatching(/^https:/));
  });
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
