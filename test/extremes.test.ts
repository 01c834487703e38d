import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeId } from '../src/graphql/ids.ts';
import { Subscriber } from '../tools/support/subscriber.ts';
import { registerAdministrator } from './support/accounts.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Answer, type Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';

/**
 * Every argument and input field of a scalar type gets the extremes of that type: each is answered,
 * or refused with its name.
 */

const SCHEMA = buildSchema(readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8'));

const MOMENTS = [
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1582-10-10T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+25:00',
  '2026-01-01',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '+010000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  `2026-01-01T00:00:00.${'9'.repeat(10_000)}Z`,
  '',
  0,
  1e308,
];

const SEED = Math.floor(Math.random() * 2 ** 31);
/** Any moments of the whole range. */
const RANDOM_MOMENTS = fc
  .sample(fc.date({ min: new Date(MOMENTS[2] as string), max: new Date(MOMENTS[12] as string), noInvalidDate: true }), {
    seed: SEED,
    numRuns: 5,
  })
  .map((moment) => moment.toISOString());

/** Pairs of moments: all pairs, or a random selection in a short test. */
const ALL_PAIRS = [...MOMENTS, ...RANDOM_MOMENTS].flatMap((one, _index, all) =>
  all.map((other) => [one, other] as const),
);
const PAIRS_MAX = 15;
const PAIRS = IS_FULL
  ? ALL_PAIRS
  : fc.sample(fc.shuffledSubarray(ALL_PAIRS, { minLength: PAIRS_MAX, maxLength: PAIRS_MAX }), {
      seed: SEED,
      numRuns: 1,
    })[0]!;

/** The extremes by the name of the scalar, without those that JSON cannot represent. */
const EXTREMES: Readonly<Record<string, readonly unknown[]>> = {
  DateTime: [...MOMENTS, ...RANDOM_MOMENTS],
  Date: [
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '10000-01-01',
    '-0001-01-01',
    '2023-02-29',
    '2026-13-01',
    '',
    20_260_101,
  ],
  Duration: [
    'PT9999999999999999999999S',
    'P99999999Y',
    'P2026Y',
    'P999999999Y',
    'P999999999M999999999W999999999D',
    'PT999999999H',
    `PT0.${'9'.repeat(400)}S`,
    `P${'9'.repeat(400)}D`,
    'P0D',
    'PT0S',
    'PT0.000000001S',
    '-P1D',
    'P-1D',
    'P1,5Y',
    'P',
    '',
    1e308,
  ],
  Decimal: [
    '0',
    '-0',
    '-1',
    '1e308',
    '0.'.padEnd(400, '0'),
    '9'.repeat(400),
    '92233720368547758.08',
    'NaN',
    '',
    1e308,
    '١٢',
  ],
  Int: [2 ** 31 - 1, -(2 ** 31), 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, -1e308, 0, -1, 0.5, '1', true],
  Float: [1e308, -1e308, 5e-324],
  UUID: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '', 'x'],
  ID: ['', '\u0000', 'x'.repeat(70_000), 0, -1, 2 ** 53, 'Qm9vazo', encodeId({ type: 'Book', key: '9999999999999' })],
  String: [
    '',
    '\u0000',
    '\uD800',
    '\u{10FFFF}',
    'z'.repeat(70_000),
    'ﷺ'.repeat(20_000),
    '__proto__',
    '0000-01-01',
    '1e308',
  ],
  JSONObject: [{}, { id: 'x'.repeat(70_000) }, { id: 1e308, response: null }, { ['__proto__x']: [[[[]]]] }],
};

/** The part of the extremes that a short test tries of each argument, by lot. */
const TRIED = 1 / 4;
let lots = 0;

/** Returns the extremes to try of an argument: all of them, or some by lot in a short test. */
function extremesOf({ scalar }: Leaf): readonly unknown[] {
  const all = EXTREMES[scalar]!;
  const length = Math.ceil(all.length * (IS_FULL ? 1 : TRIED));
  const lot = fc.shuffledSubarray([...all], { minLength: length, maxLength: length });
  return fc.sample(lot, { seed: SEED + lots++, numRuns: 1 })[0]!;
}

/** A query for the fields of each type that has arguments of a scalar type. */
let places: Readonly<Record<string, (field: string) => string>>;
/** Valid values for the other arguments, by the name of the argument or field, or of its type. */
let usable: Readonly<Record<string, unknown>>;
let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  client = await registerAdministrator(server);
  const [bookId = ''] = await ownBooks(server.app, 1);
  await client.mutate('updateBook', { bookId, series: [{ name: 'Tales' }] }, 'book { id }');
  const { authors } = (await client.data(`{ node(id: "${bookId}") { ... on Book { authors } } }`)).node;
  await client.mutate('markAsRead', { bookId }, 'book { id }');
  await client.like(bookId);
  const price = { amount: '12.50', currency: 'EUR' };
  const { item } = await client.mutate('listItem', { bookId, price, condition: 'GOOD' }, 'item { id }');
  const { review } = await client.mutate('writeReview', { bookId, text: 'Good', hasSpoilers: false }, 'review { id }');
  const { viewer } = await client.data('{ viewer { sessions { nodes { id } } } }');
  const sessionId = viewer.sessions.nodes[0].id as string;
  const at = new Date().toISOString();
  const clicks = [{ id: '6e0b3f6e-7f0c-4b8e-9f57-0d7c2d1a5c11', at }];
  expect(await client.mutate('recordClicks', { sessionId, clicks }, 'recorded')).toMatchObject({ recorded: 1 });

  const library = 'Title,Author,Bookshelves,Exclusive Shelf\nA Book,Ann Lee,,read\n';
  const { id: importId } = (await (await client.importMyLibrary(library)).json()) as { id: string };

  const { list } = await client.mutate('createList', { name: 'Best', audience: 'ONLY_ME' }, 'list { id }');

  const on = (type: string, id: string) => (field: string) => `{ node(id: "${id}") { ... on ${type} { ${field} } } }`;
  places = {
    Query: (field) => `{ ${field} }`,
    Subscription: (field) => `{ ${field} }`,
    User: (field) => `{ viewer { ${field} } }`,
    Session: on('Session', sessionId),
    Book: on('Book', bookId),
    Author: (field) => `{ author(name: ${JSON.stringify(authors[0])}) { ${field} } }`,
    Series: (field) => on('Book', bookId)(`series { series { ${field} } }`),
    Work: (field) => on('Book', bookId)(`work { ${field} }`),
    Item: on('Item', item.id as string),
    BookList: on('BookList', list.id as string),
    Review: on('Review', review.id as string),
    LibraryImport: on('LibraryImport', importId),
    Notification: (field) => `{ viewer { notifications { nodes { ${field} } } } }`,
    Reading: (field) => on('Book', bookId)(`viewerReading { ${field} }`),
    FinishedReading: (field) => on('Book', bookId)(`viewerReading { readings { ${field} } }`),
    ReadBookEdge: (field) => `{ viewer { readBooks { edges { ${field} } } } }`,
  };
  usable = {
    id: bookId,
    ids: [bookId],
    bookId,
    importId,
    itemId: item.id,
    listId: list.id,
    sessionId,
    subjectId: bookId,
    isbn: '9780439023481',
    from: new Date(Date.now() - 60_000).toISOString(),
    to: at,
    at,
    last: 'P1D',
    amount: '12.50',
    currency: 'EUR',
    series: 'requests',
    email: 'nobody@example.com',
    newPassword: PASSWORD,
    authors: ['An Author'],
    DateTime: at,
    ListingOrder: 'LISTED_AT',
    UUID: '6e0b3f6e-7f0c-4b8e-9f57-0d7c2d1a5c12',
    JSONObject: { id: 'x' },
    String: 'nonsense',
    ID: bookId,
    Int: 1,
    Float: 1,
    Boolean: false,
  };
});

/** A place within an argument or input that takes a scalar. */
interface Leaf {
  readonly path: readonly string[];
  readonly scalar: string;
}

function leavesOf(type: GraphQLInputType, path: readonly string[]): Leaf[] {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return leavesOf(nullable.ofType, [...path, '0']);
  if (isInputObjectType(nullable))
    return Object.values(nullable.getFields()).flatMap((field) => leavesOf(field.type, [...path, field.name]));
  return Object.hasOwn(EXTREMES, nullable.name) ? [{ path, scalar: nullable.name }] : [];
}

const leavesOfArguments = (field: GraphQLField<unknown, unknown>): Leaf[] =>
  field.args.flatMap((arg) => leavesOf(arg.type, [arg.name]));

/** Makes a value of a type, with the extreme at a place within it and without anything optional. */
function valueOf(type: GraphQLInputType, name: string, [at, ...within]: readonly string[], extreme: unknown): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    if (at !== undefined) return [valueOf(nullable.ofType, name, within, extreme)];
    return usable[name] ?? [valueOf(nullable.ofType, name, [], extreme)];
  }
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields()).filter(
      (field) => field.name === at || isNonNullType(field.type),
    );
    return Object.fromEntries(
      fields.map((field) => [
        field.name,
        valueOf(field.type, field.name, field.name === at ? within : [], field.name === at ? extreme : UNSET),
      ]),
    );
  }
  if (extreme !== UNSET) return extreme;
  return nullable.name === 'UUID' ? usable['UUID'] : (usable[name] ?? usable[nullable.name] ?? firstOf(nullable.name));
}

const UNSET = Symbol('no extreme');
/** Returns the first value of an enum. */
const firstOf = (name: string): unknown => {
  const type = SCHEMA.getType(name);
  return isEnumType(type) ? type.getValues()[0]?.name : undefined;
};

/** Selects all leaves of a type, and those of its pages. */
function selectionOf(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(({ args }) => args.length === 0);
  const asked = fields.flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth < 4 && /^(?:edges|node|properties|pageInfo|userErrors|this|last)/.test(field.name)
      ? [`${field.name} ${selectionOf(field.type, depth + 1)}`]
      : [];
  });
  return `{ __typename ${asked.join(' ')} }`;
}

/** An argument that a field also needs, although the schema does not declare it as required. */
const NEEDED: Readonly<Record<string, { readonly needs: string; readonly unless: string }>> = {
  libraries: { needs: 'city', unless: 'near' },
};

interface Request {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly names: readonly string[];
}

/** Makes a request for a field with some of its arguments, and those that it needs. */
function requestFor(
  keyword: 'query' | 'mutation' | 'subscription',
  place: (field: string) => string,
  field: GraphQLField<unknown, unknown>,
  extremes: readonly { readonly path: readonly string[]; readonly extreme: unknown }[],
): Request {
  const isExtreme = (name: string) => extremes.some(({ path }) => path[0] === name);
  const { needs, unless } = NEEDED[field.name] ?? {};
  const given = field.args.filter(
    ({ name, type }) => isExtreme(name) || isNonNullType(type) || (name === needs && !isExtreme(unless!)),
  );
  const variables = Object.fromEntries(
    given.map((arg) => {
      const { path, extreme } = extremes.find(({ path: [name] }) => name === arg.name) ?? { path: [], extreme: UNSET };
      return [arg.name, valueOf(arg.type, arg.name, path.slice(1), extreme)];
    }),
  );
  const declared = given.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const asked = `${field.name}(${passed}) ${selectionOf(field.type)}`;
  return {
    query: `${keyword} (${declared}) ${place(asked)}`,
    variables,
    names: extremes.map(({ path }) => path.findLast((part) => part !== '0') ?? ''),
  };
}

/** Errors about a query as a whole: it requests too much, or lacks one of three arguments. */
const NAMES_NONE = /^(?:This query may ask for|Give at least one of the arguments)/;
const REFUSALS = ['BAD_USER_INPUT', 'NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED'];

/** Returns the problem of an answer. */
function problemOf({ status, errors = [] }: Answer, { names }: Request): string | undefined {
  if (status >= 500) return `the status ${status}`;
  for (const { message, extensions } of errors) {
    if (!REFUSALS.includes(extensions.code)) return `${extensions.code}: ${message}`;
    if (
      extensions.code === 'BAD_USER_INPUT' &&
      !NAMES_NONE.test(message) &&
      !names.some((name) => message.includes(`${name}"`))
    )
      return `a message that does not name the field: ${message}`;
  }
  return undefined;
}

/** Sends a request, and returns its answer; of a subscription, the first event. */
async function answerTo({ query, variables }: Request): Promise<Answer> {
  if (!query.startsWith('subscription')) return client.send(query, variables);
  const response = await Subscriber.ask(client, query, variables);
  if (response.headers.get('content-type')?.startsWith('application/')) {
    const { status, headers } = response;
    return { status, headers, ...((await response.json()) as object) } as Answer;
  }
  await response.body?.cancel();
  const subscriber = await Subscriber.begin(client, query, variables);
  const event = await subscriber.next();
  subscriber.close();
  return { status: 200, headers: response.headers, ...event } as Answer;
}

/**
 * Sends some requests, a few at a time.
 * @returns the wrong answers
 */
async function problemsOf(requests: readonly Request[]): Promise<unknown[]> {
  const found = await pLimit(8).map(requests, async (request) => {
    const answer = await answerTo(request);
    const problem = problemOf(answer, request);
    return problem === undefined
      ? []
      : [{ problem, variables: JSON.stringify(request.variables).slice(0, 300), query: request.query }];
  });
  return found.flat();
}

const composite = Object.values(SCHEMA.getTypeMap()).filter(isObjectType);
const [mutations, others] = [true, false].map((isMutation) =>
  composite.filter(({ name }) => !name.startsWith('__') && (name === 'Mutation') === isMutation),
) as [typeof composite, typeof composite];
/** The fields of a type that take a scalar. */
const takingScalars = (type: (typeof composite)[number]) =>
  Object.values(type.getFields()).filter((field) => leavesOfArguments(field).length > 0);

describe.each(others.filter((type) => takingScalars(type).length > 0).map(({ name }) => name))(
  '%s answers or refuses the extremes of its arguments',
  (typeName) => {
    const keyword = typeName === 'Subscription' ? 'subscription' : 'query';
    const fields = takingScalars(SCHEMA.getType(typeName) as (typeof composite)[number]);
    test.each(fields.map(({ name }) => name))('%s', async (name) => {
      const place = places[typeName];
      if (!place) throw new Error(`This test lacks a query for a ${typeName}`);
      const field = fields.find((each) => each.name === name)!;
      const leaves = leavesOfArguments(field);
      const single = leaves.flatMap((leaf) =>
        extremesOf(leaf).map((extreme) => requestFor(keyword, place, field, [{ path: leaf.path, extreme }])),
      );
      const [from, to] = ['from', 'to'].map((end) => leaves.find(({ path }) => path.length === 1 && path[0] === end));
      const both =
        from && to
          ? PAIRS.map(([one, other]) =>
              requestFor(keyword, place, field, [
                { path: from.path, extreme: one },
                { path: to.path, extreme: other },
              ]),
            )
          : [];
      expect(await problemsOf([...single, ...both]), `with seed ${SEED}`).toEqual([]);
    });
  },
);

test('a range that is wider than all time gives the same as no range', async () => {
  const clicksWithin = async (range: string) => {
    const asked = `clicks${range} { nodes { id at target subjectId properties { name } } edges { at } ${PAGE_INFO} }`;
    const { node } = await client.data(places['Session']!(asked));
    const { nodes, edges, pageInfo } = node.clicks;
    return { nodes, edges, hasNextPage: pageInfo.hasNextPage };
  };
  const all = await clicksWithin('');
  expect(all.nodes).toHaveLength(1);
  const [from, to] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z'];
  for (const range of [
    `(from: "${from}")`,
    `(to: "${to}")`,
    `(from: "${from}", to: "${to}")`,
    '(from: "1960-02-29T00:00:00Z")',
  ])
    expect(await clicksWithin(range), range).toEqual(all);
});

test('a page can begin after a click with any id', async () => {
  const { session } = await client.mutate('startSession', { device: 'x' }, 'session { id }');
  const sessionId = session.id as string;
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: length, maxLength: length });
  const anyUuid = fc.tuple(hex(8), hex(4), hex(4), hex(4), hex(12)).map((parts) => parts.join('-'));
  const ids = [
    ...new Set(['0', 'f'].map((digit) => digit.repeat(8) + `-${digit.repeat(4)}`.repeat(3) + `-${digit.repeat(12)}`)),
    ...fc.sample(anyUuid, { seed: SEED, numRuns: 20 }),
  ];
  const at = new Date().toISOString();
  const clicks = ids.map((id) => ({ id, at }));
  expect(await client.mutate('recordClicks', { sessionId, clicks }, 'recorded userErrors { message }')).toMatchObject({
    recorded: ids.length,
    userErrors: [],
  });

  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const page = `clicks(first: 1, after: ${JSON.stringify(after)}) { nodes { id } ${PAGE_INFO} }`;
    const { node } = await client.data(`{ node(id: "${sessionId}") { ... on Session { ${page} } } }`);
    found.push(...node.clicks.nodes.map(({ id }: { id: string }) => id));
    if (!node.clicks.pageInfo.hasNextPage) break;
    after = node.clicks.pageInfo.endCursor as string;
  }
  // Cassandra sorts UUIDs by their version first.
  expect(found.toSorted(), `with seed ${SEED}`).toEqual(ids.toSorted());
});

describe('mutations answer or refuse the extremes of their inputs', () => {
  // The session of the clicks is ended last.
  const fields = mutations
    .flatMap((type) => Object.values(type.getFields()))
    .toSorted((one, other) => Number(one.name === 'endSession') - Number(other.name === 'endSession'));
  beforeEach(async () => {
    // Some calls end the session.
    const { data } = await client.send('{ viewer { id } }');
    if (!data?.viewer) client = await server.client().login(client.email);
  });
  test.each(fields.filter(({ args }) => args.length > 0).map(({ name }) => name))('%s', async (name) => {
    const field = fields.find((each) => each.name === name)!;
    const leaves = leavesOfArguments(field);
    const requests = leaves.flatMap((leaf) =>
      extremesOf(leaf).map((extreme) =>
        requestFor('mutation', (asked) => `{ ${asked} }`, field, [{ path: leaf.path, extreme }]),
      ),
    );
    expect(await problemsOf(requests), `with seed ${SEED}`).toEqual([]);
  });
});
