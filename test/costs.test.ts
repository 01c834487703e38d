import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  execute,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  parse,
  validate,
  type GraphQLFieldResolver,
  type OperationDefinitionNode,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { scalars } from '../src/graphql/scalars.ts';
import { complexityOf } from '../src/http/costs.ts';
import { KNOWN_LIKERS } from '../src/likes/known-likers.ts';
import { Operations } from '../tools/fuzz/operations.ts';
import { Seen } from '../tools/fuzz/values.ts';
import { Chance } from '../tools/support/chance.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { runs } from './support/full.ts';

/**
 * A cached document costs as much as a new one. Each document is sent repeatedly, together with one
 * that is new to the server.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await sharedKeyspace({ RATE_LIMIT_PER_MINUTE: '1000000' }));
});

let documents = 0;
const unseen = (query: string) => `# ${++documents}\n${query}`;

const EDGES = 'edges { node { title authors genres } }';
const ids = (count: number) =>
  Array.from({ length: count }, () => encodeId({ type: 'User', key: crypto.randomUUID() }));
/** The number of fields is high enough that a page of 100 costs more than one small request. */
const MANY =
  'edges { node { title authors genres publisher } } more: edges { node { title authors genres publisher } }';
const LIKES = 'likes(first: 10) { edges { likedAt } }';
const FROM = '2026-03-01T00:00:00.000Z';

test.each<[string, string, readonly Record<string, unknown>[]]>([
  ['has no variables', `books(genre: "x", first: 100) { ${EDGES} }`, [{}, {}, { first: 5 }]],
  [
    'has small pages',
    `($genre: String!) books(genre: $genre) { ${EDGES} }`,
    [{ genre: 'x' }, { genre: 'y' }, { genre: 5 }],
  ],
  [
    'has large pages, whatever its variables',
    `($genre: String!) books(genre: $genre, first: 100) { ${EDGES} again: ${EDGES} }`,
    [{ genre: 'x' }, {}, { genre: 'y' }, { genre: [] }, { genre: 'x' }],
  ],
  [
    'is too much, unless its variables do not fit',
    `($isbn: String!) book(isbn: $isbn) { likers(first: 100) { edges { node { likes(first: 100) { edges { cursor } } } } } }`,
    [{ isbn: '9780439023481' }, { isbn: [] }, {}],
  ],
  [
    'has pages as long as a variable',
    `($first: Int = 2) books(genre: "x", first: $first) { ${EDGES} again: ${EDGES} }`,
    [{}, { first: 100 }, { first: 1 }, { first: null }, { first: 'x' }, { first: 99 }],
  ],
  [
    'has pages as long as the other variable',
    `($a: Int, $b: Int) books(genre: "x", first: $a, last: $b) { ${EDGES} again: ${EDGES} }`,
    [{ a: 1 }, { b: 100 }, { a: 100 }],
  ],
  [
    'has as many ids as a variable',
    `($ids: [ID!]!) nodes(ids: $ids) { ... on User { ${LIKES} } }`,
    [{ ids: ids(1) }, { ids: ids(100) }, { ids: ids(2) }],
  ],
  [
    'has ids that are variables',
    `($a: ID!, $b: ID!) nodes(ids: [$a, $b]) { ... on User { ${LIKES} } }`,
    [{ a: ids(1)[0], b: ids(1)[0] }, { a: 5 }],
  ],
  [
    'has windows from one variable to another',
    '($from: DateTime!, $to: DateTime!) siteActivity(granularity: HOUR, from: $from, to: $to) { at likes }',
    [
      { from: FROM, to: '2026-03-02T00:00:00.000Z' },
      { from: FROM, to: '2026-05-02T00:00:00.000Z' },
      { from: 'x', to: FROM },
    ],
  ],
  [
    'has what a variable includes',
    `($is: Boolean!) books(genre: "x", first: 100) { pageInfo { hasNextPage } ... @include(if: $is) { ${MANY} } }`,
    [{ is: false }, { is: true }, { is: false }, {}],
  ],
  [
    'has what a variable skips in a fragment',
    `($is: Boolean!) books(genre: "x", first: 100) { ...Page } } fragment Page on BookConnection { pageInfo { hasNextPage } ... @skip(if: $is) { ${MANY} }`,
    [{ is: true }, { is: false }, { is: true }],
  ],
  [
    'has a null where none may be',
    '($order: BookOrder) books(orderBy: $order) { edges { cursor } }',
    [{ order: 'TITLE' }, { order: null }, {}, { order: 'TITLE' }],
  ],
  [
    'has a null within a value where none may be',
    '($to: Date) libraries(country: "x", state: "x", city: "x", openedBetween: { from: "2020-01-01", to: $to }) { edges { cursor } }',
    [{ to: '2021-01-01' }, { to: null }, {}],
  ],
])('what %s', async (_name, query, many) => {
  const [, variables = '', fields = ''] = /^(\(.*?\))? ?(.*)$/s.exec(query) ?? [];
  const document = unseen(`query ${variables} { rateLimit { cost } ${fields} }`);
  const client = server.client();
  for (const given of [...many, ...many]) {
    const [kept, anew] = [await client.send(document, given), await client.send(unseen(document), given)];
    const told = ({ status, data, errors }: typeof kept) => ({
      status,
      data,
      errors: errors?.map(({ message, path }) => ({ message, path })),
    });
    expect(told(kept), JSON.stringify(given)).toEqual(told(anew));
  }
});

test('each click is charged, even if the document is cached', async () => {
  const query = unseen('mutation ($input: RecordClicksInput!) { recordClicks(input: $input) { userErrors { code } } }');
  const client = server.client();
  const costOf = async (clicks: number) => {
    const click = { id: crypto.randomUUID(), at: FROM, target: 'x' };
    const { headers } = await client.send(query, {
      input: {
        sessionId: encodeId({ type: 'Session', key: crypto.randomUUID() }),
        clicks: Array.from({ length: clicks }, () => click),
      },
    });
    return Number(headers.get('ratelimit-cost'));
  };
  expect(await costOf(1)).toBe(1);
  expect(await costOf(1)).toBe(1);
  expect(await costOf(100)).toBeGreaterThan(1);
});

test('the number of errors is the maximum for a caller who repeats the document', async () => {
  const client = server.client();
  const input = { sessionId: 'x', clicks: [{ id: crypto.randomUUID(), at: FROM }] };
  const ask = async (fields: string, times: number) => {
    const errors = Array.from({ length: times }, (_, index) => `e${index}: userErrors { ...Of }`).join(' ');
    const query = unseen(
      `mutation ($input: RecordClicksInput!) { recordClicks(input: $input) { ${errors} } } fragment Of on UserError { ${fields} }`,
    );
    const { status, headers } = await client.send(query, { input });
    return { status, cost: Number(headers.get('ratelimit-cost')) };
  };
  const each = '__typename code message path retryAfterSeconds';

  expect((await ask(each, 1)).cost).toBe(1);
  expect((await ask(each, 90)).status).toBe(200);
  expect((await ask(`${each} again: message`, 1)).status).toBe(200);
  expect((await ask(`${each} again: message`, 90)).status).toBe(400);
});

/** Values for the scalars of the schema; all other scalars get texts. */
const LEAVES: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1.5,
  Boolean: true,
  DateTime: new Date(0),
  Date: '2026-01-01',
  Decimal: '1.00',
  JSONObject: {},
};

test('no generated operation executes more fields than its cost allows', async () => {
  const text = await readFile(join(import.meta.dirname, '../schema.graphql'), 'utf8');
  const schema = makeExecutableSchema({ typeDefs: text, resolvers: scalars });
  const seed = Math.floor(Math.random() * 2 ** 31);
  const chance = new Chance(seed);
  const seen = new Seen(chance);
  seen.ids.push(...ids(3));
  seen.isbns.push('9780439023481');
  const operations = new Operations(schema, chance, seen);
  let executed = 0;
  /** Answers every list with the maximum number of elements of its page. */
  const full: GraphQLFieldResolver<{ size?: number }, unknown> = (source, args: Record<string, unknown>, _, info) => {
    executed++;
    const type = getNullableType(info.returnType);
    const named = getNamedType(type);
    if (isLeafType(named)) {
      const leaf = isEnumType(named) ? named.getValues()[0]?.value : (LEAVES[named.name] ?? 'x');
      return isListType(type) ? [] : leaf;
    }
    const [possible] = isObjectType(named) ? [named] : schema.getPossibleTypes(named);
    const usual = info.fieldName === 'knownLikers' ? KNOWN_LIKERS : 20;
    const size = (args['first'] ?? args['last'] ?? usual) as number;
    const one = { __typename: possible?.name, size };
    if (!isListType(type)) return one;
    const isPage = info.fieldName === 'edges' || info.fieldName === 'nodes';
    const ofNodes = (args['ids'] as unknown[] | undefined)?.length;
    return Array.from({ length: ofNodes ?? (isPage ? (source.size ?? 1) : 1) }, () => one);
  };

  let compared = 0;
  while (compared < runs(1_500, 300)) {
    const { query, variables, operationName } = operations.make();
    let document;
    try {
      document = parse(query);
    } catch {
      continue;
    }
    if (validate(schema, document).length > 0) continue;
    const operation = document.definitions.find(
      (each): each is OperationDefinitionNode =>
        each.kind === Kind.OPERATION_DEFINITION && (operationName === undefined || each.name?.value === operationName),
    );
    const asked = { schema, query: document, variables, ...(operationName !== undefined && { operationName }) };
    const complexity = complexityOf(asked, operation);
    if (complexity > 10_000) continue;
    executed = 0;
    await execute({
      schema,
      document,
      variableValues: variables,
      operationName,
      fieldResolver: full,
      rootValue: {},
    });
    compared++;
    expect(executed, `${query}\n${JSON.stringify(variables)}\nwith seed ${seed}`).toBeLessThanOrEqual(complexity);
  }
});
