import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, startServerProcess, testEnvironment } from './support/app.ts';

/**
 * The probes of GraphQL scanners, especially graphql-cop, against a server with the settings of
 * production.
 */

let url: string;
let inDevelopment: string;

beforeAll(async () => {
  const config = await sharedKeyspace();
  inDevelopment = (await startServer(config)).url;
  const environment = testEnvironment({ CASSANDRA_KEYSPACE: config.cassandra.keyspace, TRUST_PROXY: '1' });
  ({ url } = await startServerProcess({ ...environment, NODE_ENV: 'production' }));
});

interface Answered {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: {
    message: string;
    extensions: Record<string, unknown>;
    locations?: { line: number; column: number }[];
  }[];
}

const ask = (body: unknown, at = url) => send(JSON.stringify(body), at);

async function send(body: string, at = url): Promise<Answered> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${at}/graphql`, { method: 'POST', headers, body });
  return (await response.json()) as Answered;
}

const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('is refused with its name', () => {
  test.each([
    [
      '101 aliases',
      `{ ${many(101, (index) => `alias${index}: __typename`)} }`,
      /too many aliases in the query; at most 100/,
    ],
    ['a field 500 times', `{ ${many(500, () => '__typename')} }`, /too many fields in the query; at most 400/],
    [
      'ten directives at a field',
      `{ __typename ${many(10, () => '@include(if: true)')} }`,
      /too many directives at one place; at most 5/,
    ],
    ['ten unknown directives', `{ __typename ${many(10, () => '@aa')} }`, /too many directives at one place/],
    ['introspection', '{ __schema { types { name fields { name } } } }', /introspection/i],
    ['introspection of one type', '{ __type(name: "User") { fields { name } } }', /introspection/i],
  ])('%s', async (_what, query, message) => {
    const { data, errors } = await ask({ query });
    expect(data ?? null).toBeNull();
    expect(errors?.map((error) => error.extensions['code'])).toEqual(errors?.map(() => 'BAD_USER_INPUT'));
    expect(errors?.map((error) => error.message)).toContainEqual(expect.stringMatching(message));
  });

  test('a text of empty lines with a hundred mistakes, is answered with the places of the first ones', async () => {
    const query = `{ ${many(300, (index) => `unknown${index}${'\n'.repeat(300)}`)} }`;
    const { errors = [] } = await ask({ query });
    expect(errors).toHaveLength(11);
    expect(errors.map(({ locations }) => locations?.[0]?.line).slice(0, 3)).toEqual([1, 301, 601]);
  });

  test.each([
    ['50,000 wrong ids', `[${'{},'.repeat(49_999)}{}]`, /too many values/],
    ['9,000 wrong ids', `[${'{},'.repeat(8_999)}{}]`, /"\$v" has an invalid value at "v\[0\]"/],
    ['an object of 15,000 fields', `{${many(15_000, (at) => `"${at}": 1,`)} "x": 1}`, /too many values/],
    ['a list of lists of lists', '['.repeat(50_000) + ']'.repeat(50_000), /too many values/],
  ])('a variable with %s', async (_what, v, message) => {
    const query = 'query ($v: [ID!]!) { nodes(ids: $v) { id } }';
    const { data, errors = [] } = await send(`{"query": ${JSON.stringify(query)}, "variables": {"v": ${v}}}`);
    expect(data ?? null).toBeNull();
    expect(errors.length).toBeLessThanOrEqual(11);
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(message) as string,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  test('introspection that requests everything repeatedly', async () => {
    const query = `{ ${many(99, (index) => `a${index}: __schema { types { name kind } }`)} }`;
    const { errors } = await ask({ query }, inDevelopment);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/at most 10000 are allowed/) as string }]);
  });

  test('many queries in one array', async () => {
    expect((await ask(Array.from({ length: 10 }, () => ({ query: '{ __typename }' })))).errors).toHaveLength(1);
  });

  test('a cycle through introspection, even if that is on', async () => {
    const query =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }';
    const { data, errors } = await ask({ query }, inDevelopment);
    expect(data ?? null).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('a mutation by GET, and a query as a form', async () => {
    const byGet = await fetch(`${url}/graphql?query=${encodeURIComponent('mutation { __typename }')}`);
    expect([byGet.status, ((await byGet.json()) as Answered).data ?? null]).toEqual([405, null]);
    const asForm = await fetch(`${url}/graphql`, {
      method: 'POST',
      body: new URLSearchParams({ query: '{ __typename }' }),
    });
    expect([asForm.status, ((await asForm.json()) as Answered).data ?? null]).toEqual([415, null]);
  });
});

describe('no information leaks', () => {
  test.each([
    ['about names that nearly fit', '{ __schema { directive } }'],
    ['about our own names that nearly fit', '{ boks(query: "x") { edges { cursor } } }'],
    ['about the place of an error in the code', 'qwerty { abc }'],
  ])('%s', async (_what, query) => {
    const { errors = [] } = await ask({ query });
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, extensions } of errors) {
      expect(message).not.toMatch(/Did you mean/);
      expect(Object.keys(extensions)).toEqual(['code']);
    }
  });

  test('by GraphiQL, by tracing, or about the server software', async () => {
    const page = await fetch(`${url}/graphiql`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(404);
    for (const at of [url, inDevelopment]) {
      const shown = await fetch(`${at}/graphql?query={__typename}`, { headers: { accept: 'text/html' } });
      expect(await shown.text()).not.toMatch(/<html|apollo/i);
    }
    const answer = await fetch(`${url}/graphql?query={__typename}`, { headers: { accept: 'application/json' } });
    expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
    expect([...answer.headers.keys()]).not.toContain('server');
    expect([...answer.headers.keys()]).not.toContain('x-powered-by');
    const trace = await fetch(`${url}/graphql`, { method: 'OPTIONS' });
    expect(trace.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('every answer is declared as data, and over TLS requires TLS from then on', async () => {
  const shown = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
  const data = "default-src 'none'; frame-ancestors 'none'";
  for (const path of ['/graphql?query={__typename}', '/nothing', '/health/live', '/export-my-data']) {
    const plain = await fetch(url + path);
    expect(Object.fromEntries(plain.headers)).toMatchObject({ ...shown, 'content-security-policy': data });
    expect(plain.headers.get('strict-transport-security')).toBeNull();
    const byTls = await fetch(url + path, { headers: { 'x-forwarded-proto': 'https' } });
    expect(byTls.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  }
  expect(Object.fromEntries((await fetch(`${url}/%`)).headers)).toMatchObject(shown);
});
