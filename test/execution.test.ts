import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';

/**
 * What is compiled answers as graphql-js does, errors and their paths included. Both servers have the same tables, and every other test
 * asks a server that compiles all it can.
 */

let byGraphqlJs: TestServer;
let compiling: TestServer;
let reader: Client;
let books: string[];

beforeAll(async () => {
  byGraphqlJs = await startServer(await sharedKeyspace({ COMPILED_QUERIES: 'off' }));
  compiling = await startServer(await sharedKeyspace({ COMPILED_QUERIES: 'always' }));
  await importSample(compiling.app, 10);
  books = await bookIds(compiling);
  reader = await compiling.client().registerSomebody();
  for (const id of books.slice(0, 4)) await reader.mutate('like', { id }, 'likeable { id }');
  await reader.mutate('markAsRead', { bookId: books[0], readAt: '2026-01-02T00:00:00Z' }, 'book { id }');
});

/** The same reader, asking another server. */
const at = ({ client }: TestServer): Client => Object.assign(client(), { token: reader.token });

/**
 * What both answer, one after the other: what is changed twice must be the same twice. Who compiles is asked twice, as what is
 * compiled is answered without Apollo the second time.
 */
async function answers(query: string, variables: Record<string, unknown>) {
  const ask = async (server: TestServer) => {
    const { status, headers, data, errors } = await at(server).send(query, variables);
    const heads = Object.fromEntries([...headers].filter(([name]) => !['date', 'ratelimit-reset'].includes(name)));
    // Which of two fields fails first is chance.
    const inOrder = errors?.toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1));
    return { status, heads, data: data as unknown, errors: inOrder };
  };
  const expected = await ask(byGraphqlJs);
  expect(await ask(compiling)).toEqual(expected);
  return { expected, got: await ask(compiling) };
}

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(`${compiling.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
}
const compiledCount = () => metric('graphql_operations_compiled_total');
const answeredAlone = () => metric('graphql_compiled_answers_total');

const BOOK = '__typename id title authors likeCount viewerHasLiked';
const LIKEABLE = `... on Book { ${BOOK} } ... on Item { id }`;
const DOCUMENTS = [
  `query ($isbn: String!, $first: Int) { book(isbn: $isbn) { ${BOOK} likers(first: $first) { edges { cursor node { id fullName } } ${PAGE_INFO} } } }`,
  `query ($first: Int, $after: String) { viewer { id likes(first: $first, after: $after) { edges { cursor likedAt node { ${LIKEABLE} } } ${PAGE_INFO} } } }`,
  `query ($id: ID!) { node(id: $id) { id ... on User { fullName email likes(first: 2) { edges { node { id } } } } ${LIKEABLE} } }`,
  `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } again: nodes(ids: $ids) { ...named } } fragment named on Node { ... on Book { title } }`,
  `query ($with: Boolean!, $without: Boolean!) { viewer { id @skip(if: $without) fullName @include(if: $with) ... @include(if: $with) { readBooks { edges { readAt readOn node { title } } } } } }`,
  `query ($from: DateTime!, $to: DateTime!) { viewer { actions(from: $from, to: $to, first: 3) { edges { cursor node { __typename } } } } }`,
  `query ($window: TrendingWindow!, $of: LikeableKind) { trending(window: $window, of: $of) { edges { node { ${LIKEABLE} } } } }`,
  `query ($first: Int, $after: String, $ids: [ID!]!) { genres(first: $first) { nodes { name } } nodes(ids: $ids) { id } countries(after: $after) { nodes { name } } __typename }`,
  `query ($isbn: String!) { a: book(isbn: $isbn) { title } b: book(isbn: $isbn) { likeCount } nothing: book(isbn: $isbn) { likeTally { count isExact } } }`,
  `mutation ($input: LikeInput!) { like(input: $input) { likeable { ${LIKEABLE} } userErrors { code path message } } }`,
  `mutation ($one: RecordViewInput!, $id: ID!) { recordView(input: $one) { userErrors { code } } like(input: { id: $id }) { userErrors { code } likeable { id } } }`,
  `{ __schema { queryType { name fields { name args { name type { name kind ofType { name } } defaultValue } } } } }`,
];

/** A value that fits a variable, or may. */
const fitting: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  isbn: () => fc.constantFrom('9780439023481', '0439023483', 'x'),
  first: () => fc.integer({ min: -1, max: 101 }),
  after: () => fc.constantFrom(null, 'x'),
  id: () => fc.constantFrom(...books, reader.viewerId, 'x'),
  ids: () => fc.array(fc.constantFrom(...books, reader.viewerId, 'x'), { maxLength: 4 }),
  with: () => fc.boolean(),
  without: () => fc.boolean(),
  from: () => fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T01:00:00.5+01:00'),
  to: () => fc.constantFrom('2027-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  window: () => fc.constantFrom('HOUR', 'DAY', 'WEEK'),
  of: () => fc.constantFrom('BOOK', 'ITEM', null),
  input: () => fc.record({ id: fc.constantFrom(...books, 'x') }),
  one: () => fc.record({ bookId: fc.constantFrom(...books, 'x') }),
};
const anything = () =>
  fc.oneof(
    fc.constantFrom<unknown>(0, 1.5, 1e12, true, null, '', 'BOOK', '2026-01-01', '2', [], ['x', null], {}),
    fc.constantFrom<unknown>({ id: 1 }, { id: books[1], more: 1 }, { bookId: books[2] }, [books[0], 1, null]),
  );
const variablesOf = () =>
  fc.record(
    Object.fromEntries(
      Object.entries(fitting).map(([name, fit]) => [
        name,
        fc.oneof({ weight: 12, arbitrary: fit() }, { weight: 1, arbitrary: anything() }),
      ]),
    ),
    { requiredKeys: ['isbn', 'ids', 'id', 'with', 'without', 'window', 'input', 'one'] },
  );

test('what is compiled answers as graphql-js does, whatever the variables', async () => {
  const before = await compiledCount();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...DOCUMENTS), variablesOf(), async (query, variables) => {
      const { expected, got } = await answers(query, variables);
      expect(got).toEqual(expected);
    }),
    { numRuns: 400 },
  );
  expect(await compiledCount()).toBeGreaterThan(before);
});

test('what is compiled is answered without Apollo, unless there is more to say than data', async () => {
  const query = 'query Own($isbn: String!) { book(isbn: $isbn) { title } }';
  const isbn = '9780439023481';
  await compiling.client().data(query, { isbn });
  const before = await answeredAlone();
  await compiling.client().data(query, { isbn });
  expect(await answeredAlone()).toBe(before + 1);

  expect(await compiling.client().errorCode(query, { isbn: 'x' })).toBe('BAD_USER_INPUT');
  expect(await answeredAlone()).toBe(before + 1);
});

test.each<[string, Record<string, unknown>, Record<string, string>]>([
  ['no variable', {}, {}],
  ['null for all variables', { variables: null }, {}],
  ['a list of variables', { variables: [] }, {}],
  ['variables as a text', { variables: '{"first":2}' }, {}],
  ['the name of the operation', { operationName: 'Some' }, {}],
  ['null for a name', { operationName: null }, {}],
  ['an empty name', { operationName: '' }, {}],
  ['the name of no operation', { operationName: 'Nobody' }, {}],
  ['a number for a name', { operationName: 1 }, {}],
  ['extensions of a client', { extensions: { clientLibrary: { name: 'x' } } }, {}],
  ['extensions as a text', { extensions: 'x' }, {}],
  ['a hash that nobody knows', { extensions: { persistedQuery: { version: 1 } } }, {}],
  ['a media type of GraphQL', {}, { accept: 'application/graphql-response+json' }],
  ['several media types', {}, { accept: 'text/html;q=0.5,application/json;q=0.9,*/*;q=0.1' }],
  ['a media type that is none of ours', {}, { accept: 'text/html' }],
])('with %s, a text that was compiled is answered as by Apollo', async (_what, more, headers) => {
  const query = 'query Some($first: Int = 1) { countries(first: $first) { nodes { name } } }';
  const ask = async ({ url }: TestServer, body: object, accept = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...accept },
      body: JSON.stringify({ query, ...body }),
    });
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  for (const known of [{}, { operationName: 'Some' }]) await ask(compiling, known);
  const expected = await ask(byGraphqlJs, more, headers);
  expect(expected[0]).toBeLessThan(500);
  for (let times = 0; times < 2; times++) expect(await ask(compiling, more, headers)).toEqual(expected);
});

test('whoever is refused is told the same, whether or not what they ask for is compiled', async () => {
  const query = 'query ($first: Int) { countries(first: $first) { nodes { name } } }';
  await compiling.client().data(query, { first: 1 });
  const told = await Promise.all(
    [byGraphqlJs, compiling].map(async (server) => {
      const client = Object.assign(server.client(), { token: 'no token' });
      const { status, data, errors } = await client.send(query, { first: 1 });
      return { status, data: data as unknown, errors };
    }),
  );
  expect(told[0]).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(told[1]).toEqual(told[0]);
});

test.each<[string, string, Record<string, unknown>]>([
  ['of a field', 'query ($isbn: String!) { book(isbn: $isbn) { title } other: viewer { id } }', { isbn: 'x' }],
  [
    'of a field in a list',
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { sessions { edges { node { id } } } likes(first: 1000) { edges { cursor } } } } }',
    {},
  ],
])('an error %s has the same path, place and code', async (_what, query, variables) => {
  const { expected, got } = await answers(query, { ids: [reader.viewerId, books[0]], ...variables });
  expect(expected.errors?.length).toBeGreaterThan(0);
  expect(got).toEqual(expected);
});

test('a root that fails leaves the others answered, and so does an id among others', async () => {
  const query = `query ($isbn: String!, $none: String, $many: Int!, $id: ID!, $ids: [ID!]!) {
    book(isbn: $isbn) { id } books(query: $none) { edges { cursor } } genres(first: $many) { edges { cursor } }
    libraries(country: $isbn, state: $isbn, city: $isbn, first: $many) { edges { cursor } }
    countries(first: $many) { edges { cursor } } states(country: $isbn, first: $many) { edges { cursor } }
    cities(country: $isbn, state: $isbn, first: $many) { edges { cursor } } trending(window: DAY, first: $many) { edges { cursor } }
    tooMany: nodes(ids: [${'$id '.repeat(101)}]) { id } nodes(ids: $ids) { id } viewer { id }
  }`;
  const before = await compiledCount();
  const [book = '', other = ''] = books;
  const { expected, got } = await answers(query, {
    isbn: 'x',
    none: '',
    many: 101,
    id: 'x',
    ids: [book, other, 'x', book],
  });
  const failed = ['book', 'books', 'genres', 'libraries', 'countries', 'states', 'cities', 'trending', 'tooMany'];
  for (const { data, errors = [] } of [expected, got]) {
    expect(data).toEqual({
      ...Object.fromEntries(failed.map((name) => [name, null])),
      nodes: [{ id: book }, { id: other }, null, { id: book }],
      viewer: { id: reader.viewerId },
    });
    expect(errors.map(({ path = [] }) => path.join('.')).toSorted()).toEqual([...failed, 'nodes.2'].toSorted());
    for (const { extensions } of errors) expect(extensions).toEqual({ code: 'BAD_USER_INPUT' });
  }
  expect(await compiledCount()).toBeGreaterThan(before);
});

test('an error that nobody foresaw is answered alike', async () => {
  const answered = await Promise.all(
    ['off', 'always'].map(async (COMPILED_QUERIES) => {
      const atCrashPoint = () => {
        throw new Error('nobody foresaw this');
      };
      const failing = await startServer(await sharedKeyspace({ COMPILED_QUERIES }), { atCrashPoint });
      const query = `mutation ($input: LikeInput!) { like(input: $input) { likeable { ${LIKEABLE} } } }`;
      const { status, data, errors } = await at(failing).send(query, { input: { id: books[9] } });
      return { status, data: data as unknown, errors };
    }),
  );
  expect(answered[0]?.errors).toHaveLength(1);
  expect(answered[1]).toEqual(answered[0]);
});

test.each([
  // As graphql-jit marks a date among the arguments, which it writes into its code as it is.
  ['a text that would be code', '{ book(isbn: "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d0)+(globalThis.broken=1") { title } }'], // prettier-ignore
  ['a block of text', '{ book(isbn: """x""") { title } }'],
  ['a text that a variable has unless it is given', 'query ($isbn: String! = "9780439023481") { book(isbn: $isbn) { title } }'], // prettier-ignore
  ['a name that objects have', '{ viewer { __proto__: id } }'],
  ['a name that objects have, in a fragment', '{ viewer { ...on User { likes { edges { __proto__: cursor } } } } }'],
])('%s is not compiled', async (_what, query) => {
  const before = await compiledCount();
  const { expected, got } = await answers(query, {});
  expect(got).toEqual(expected);
  expect(await compiledCount()).toBe(before);
  expect('broken' in globalThis).toBe(false);
});

test('what is seldom asked for is not compiled, what is asked for often is', async () => {
  const often = await startServer(await sharedKeyspace({ COMPILED_QUERIES: 'often' }));
  const before = await compiledCount();
  for (let asked = 0; asked < 8; asked++) await often.client().data('{ viewer { id } seldom: viewer { id } }');
  expect(await compiledCount()).toBe(before);
  await often.client().data('{ viewer { id } seldom: viewer { id } }');
  expect(await compiledCount()).toBe(before + 1);
});
