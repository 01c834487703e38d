import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { setAdministrator } from '../src/accounts/operations.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { bookIds, importSample, ownBooks } from './support/books.ts';
import { PAGE_INFO, type Answer, type Client } from './support/client.ts';
import { runs } from './support/full.ts';

/**
 * The route itself answers a known text, and its answer must equal Apollo's: status, headers, data,
 * errors and the statements sent. A comment that makes a text new sends it through Apollo.
 */

let server: TestServer;
let reader: Client;
let books: string[];
/** The texts of all statements that the server has sent. */
const sent: string[] = [];

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  await importSample(server.app, 10);
  books = await bookIds(server);
  reader = await server.client().registerSomebody();
  for (const id of books.slice(0, 4)) await reader.mutate('like', { id }, 'likeable { id }');
  await reader.mutate('markAsRead', { bookId: books[0], readAt: '2026-01-02T00:00:00Z' }, 'book { id }');

  const { client } = server.app.cassandra;
  const execute = client.execute.bind(client) as (cql: string, ...rest: unknown[]) => Promise<unknown>;
  Object.assign(client, {
    execute: (cql: string, ...rest: unknown[]) => {
      sent.push(cql);
      return execute(cql, ...rest);
    },
  });
});

/** Returns a client of the same reader at another server. */
const at = ({ client }: TestServer): Client => Object.assign(client(), { token: reader.token });

/** Tables that a server reads periodically, independent of requests. */
const BY_CLOCK = / FROM (?:sessions_by_id|leases|incarnations|transaction_log) /;

let texts = 0;
/** Returns the same operation as a text that is new to the server. */
const asNew = (query: string) => `${query}\n# ${++texts}`;

interface Answered {
  readonly status: number;
  readonly heads: Readonly<Record<string, string>>;
  readonly data: unknown;
  readonly errors: Answer['errors'];
  readonly statements: readonly string[];
}

async function ask(query: string, variables: Record<string, unknown>, operationName?: string): Promise<Answered> {
  sent.length = 0;
  const { status, headers, data, errors } = await at(server).send(query, variables, operationName);
  const heads = Object.fromEntries(
    [...headers].filter(([name]) => !['date', 'ratelimit-reset', 'x-request-id'].includes(name)),
  );
  // The first of two fields to fail, and the first statement to be sent, are random.
  const inOrder = errors?.toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1));
  return {
    status,
    heads,
    data: data as unknown,
    errors: inOrder,
    statements: sent.filter((cql) => cql.startsWith('SELECT ') && !BY_CLOCK.test(cql)).toSorted(),
  };
}

/**
 * Sends a text twice: Apollo answers the first time, and the route the second time. A change is
 * made once before.
 */
async function answers(query: string, variables: Record<string, unknown>, operationName?: string) {
  await ask(query, variables, operationName);
  const expected = await ask(asNew(query), variables, operationName);
  return { expected, got: await ask(query, variables, operationName) };
}

async function answeredDirectly(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^graphql_direct_answers_total (\d+)$/m.exec(metrics)?.[1]);
}

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

/** Values that fit a variable, or may. */
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

test('a known text gets the same answer as from Apollo, for any variables', async () => {
  const before = await answeredDirectly();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...DOCUMENTS), variablesOf(), async (query, variables) => {
      const { expected, got } = await answers(query, variables);
      expect(got).toEqual(expected);
    }),
    { numRuns: runs(400) },
  );
  expect(await answeredDirectly()).toBeGreaterThan(before);
});

test('a known text is answered without Apollo, unless the answer has more than data', async () => {
  const query = 'query Own($isbn: String!) { book(isbn: $isbn) { title } }';
  const isbn = '9780439023481';
  await server.client().data(query, { isbn });
  const before = await answeredDirectly();
  await server.client().data(query, { isbn });
  expect(await answeredDirectly()).toBe(before + 1);

  expect(await server.client().errorCode(query, { isbn: 'x' })).toBe('BAD_USER_INPUT');
  expect(await answeredDirectly()).toBe(before + 1);
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
  ['an unsupported media type', {}, { accept: 'text/html' }],
])('with %s, a known text is answered as by Apollo', async (_what, more, headers) => {
  const query = 'query Some($first: Int = 1) { countries(first: $first) { nodes { name } } }';
  const post = async (text: string, body: object, accept = {}) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...accept },
      body: JSON.stringify({ query: text, ...body }),
    });
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  for (const known of [{}, { operationName: 'Some' }]) await post(query, known);
  const expected = await post(asNew(query), more, headers);
  expect(expected[0]).toBeLessThan(500);
  for (let times = 0; times < 2; times++) expect(await post(query, more, headers)).toEqual(expected);
});

test('a refused caller gets the same answer for a known text and a new one', async () => {
  const query = 'query ($first: Int) { countries(first: $first) { nodes { name } } }';
  await server.client().data(query, { first: 1 });
  const told = await Promise.all(
    [asNew(query), query].map(async (text) => {
      const client = Object.assign(server.client(), { token: 'no token' });
      const { status, data, errors } = await client.send(text, { first: 1 });
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

test('other fields are answered when one root field fails, and other nodes when one id fails', async () => {
  const query = `query ($isbn: String!, $none: String, $many: Int!, $id: ID!, $ids: [ID!]!) {
    book(isbn: $isbn) { id } books(query: $none) { edges { cursor } } genres(first: $many) { edges { cursor } }
    libraries(country: $isbn, state: $isbn, city: $isbn, first: $many) { edges { cursor } }
    countries(first: $many) { edges { cursor } } states(country: $isbn, first: $many) { edges { cursor } }
    cities(country: $isbn, state: $isbn, first: $many) { edges { cursor } } trending(window: DAY, first: $many) { edges { cursor } }
    tooMany: nodes(ids: [${'$id '.repeat(101)}]) { id } nodes(ids: $ids) { id } viewer { id }
  }`;
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
});

test('an unforeseen error gets the same answer', async () => {
  const atCrashPoint = () => {
    throw new Error('nobody foresaw this');
  };
  const failing = await startServer(await sharedKeyspace(), { atCrashPoint });
  const query = `mutation ($input: LikeInput!) { like(input: $input) { likeable { ${LIKEABLE} } } }`;
  const input = { id: books[9] };
  const [first, known] = [await at(failing).send(query, { input }), await at(failing).send(query, { input })];
  expect(first.errors).toHaveLength(1);
  expect({ ...known, headers: 0 }).toEqual({ ...first, headers: 0 });
});

describe('a repeated operation', () => {
  const TIMES = 12;

  test('leaves out a field of an input if its variable is omitted', async () => {
    const administrator = await server.client().registerSomebody();
    await setAdministrator(requestContext(server.app, ANONYMOUS), administrator.email, true);
    // Other files import the sample again meanwhile.
    const [bookId = ''] = await ownBooks(server.app, 1);
    await administrator.mutate(
      'updateBook',
      { bookId, pages: 321, publisher: 'Somebody', genres: ['essays'] },
      'book { id }',
    );
    const query = `mutation ($bookId: ID!, $title: String, $pages: Int, $publisher: String, $genres: [String!]) {
      updateBook(input: { bookId: $bookId, title: $title, pages: $pages, publisher: $publisher, genres: $genres }) {
        book { title pages publisher genres } userErrors { code }
      }
    }`;
    for (let time = 0; time < TIMES; time++) {
      const title = `Title ${time}`;
      const { updateBook } = await administrator.data(query, { bookId, title });
      const book = { title, pages: 321, publisher: 'Somebody', genres: ['essays'] };
      expect(updateBook).toEqual({ book, userErrors: [] });
    }
  });

  test('keeps the defaults of input fields', async () => {
    const query =
      'mutation ($everywhere: Boolean) { logout(input: { everywhere: $everywhere }) { userErrors { code } } }';
    for (let time = 0; time < TIMES; time++) {
      const one = await server.client().registerSomebody();
      const other = await server.client().login(one.email);
      await one.data(query);
      expect((await other.data('{ viewer { id } }')).viewer).toEqual({ id: one.viewerId });
    }
  });

  const DEEP =
    'fragment D on BookConnection { nodes { likers(first: 50) { nodes { likes(first: 50) { edges { likedAt } } } } } }';
  const PLAIN = 'b: books(query: $q, first: 100) { pageInfo { hasNextPage } }';
  test.each([
    ['a query', `query ($q: String!) { b: books(query: $q, first: 100) @skip(if: true) { ...D } ${PLAIN} } ${DEEP}`],
    [
      'a mutation',
      `mutation ($id: ID!) { recordView(input: { bookId: $id }) { viewer { likes { nodes { ...on Book { id } } } }
        book { likers @skip(if: true) { ...L } likers { pageInfo { hasNextPage } } } } }
        fragment L on LikerConnection { nodes { likes(first: 100) { nodes { likers(first: 100) { nodes { id } } } } } }`,
    ],
  ])('never executes fields that @skip leaves out, even if %s reaches them by two paths', async (_what, query) => {
    const variables = { q: 'the', id: books[0] };
    const first = await ask(query, variables);
    expect(first.errors).toBeUndefined();
    expect(JSON.stringify(first.data)).toContain('hasNextPage');
    for (let time = 1; time < TIMES; time++) expect((await ask(query, variables)).data).toEqual(first.data);
  });

  test('includes every field that at least one of several paths includes', async () => {
    const query =
      'query ($i: String!, $f: Boolean!) { book(isbn: $i) { ...F @include(if: $f) ...F } } fragment F on Book { title }';
    for (let time = 0; time < TIMES; time++) {
      const { book } = await at(server).data(query, { i: '9780439023481', f: false });
      expect(book).toEqual({ title: expect.any(String) as string });
    }
  });
});

// An expansion of 5 to the power of 40 would never end.
test.each([
  ['of fields', (next: string) => [0, 1, 2, 3, 4].map((n) => `a${n}: copies(first: 1) { nodes { book { ${next} } } }`)],
  ['of fragments at one place', (next: string) => Array.from({ length: 5 }, () => next)],
  ['of inline fragments', (next: string) => Array.from({ length: 5 }, () => `... on Book { ${next} }`)],
])('a fan %s does not hold the server up', async (_what, fan) => {
  for (const depth of [4, 5, 10, 40]) {
    const fragments = Array.from({ length: depth }, (_, level) => {
      const next = level === depth - 1 ? 'id' : `...F${level + 1}`;
      return `fragment F${level} on Book { ${fan(next).join(' ')} }`;
    });
    const query = `query ($i: String!) { book(isbn: $i) { ...F0 } } ${fragments.join(' ')}`;
    for (let time = 0; time < 9; time++) {
      const { status } = await server.client().send(query, { i: '9780439023481' });
      expect(status).toBeLessThan(500);
    }
  }
});
