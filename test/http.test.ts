import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema, getNullableType, isListType, isObjectType } from 'graphql';
import { withoutValues } from '../src/graphql/errors.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './support/app.ts';
import { rawConnection } from './support/raw.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

const get = (path: string, init?: RequestInit) => fetch(server.url + path, init);
const post = async (body: string, type = 'application/json') => {
  const response = await get('/graphql', { method: 'POST', headers: { 'content-type': type }, body });
  const { errors } = (await response.json()) as { errors?: { message: string; extensions: { code: string } }[] };
  return { status: response.status, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message };
};

const HALF_A_BODY =
  'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{';

/**
 * Sends the beginning of a request, and then a letter every tenth of a second until the connection
 * is closed.
 */
function drip(url: string, begun: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(begun);
  const dripping = setInterval(() => socket.write('x'), 100);
  return socket.once('close', () => {
    clearInterval(dripping);
  });
}

describe('paths other than GraphQL', () => {
  test('/health/live and /health/ready', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'live' });
    expect(await (await get('/health/ready')).json()).toEqual({ status: 'ready' });
  });

  test('/health/ready queries Cassandra about once a second, however often it is requested', async () => {
    const { client } = server.app.cassandra;
    const execute = client.execute.bind(client) as (query: string, ...rest: unknown[]) => unknown;
    let looks = 0;
    const counting = (query: string, ...rest: unknown[]) => {
      looks += Number(query.includes('FROM leases'));
      return execute(query, ...rest);
    };
    Object.assign(client, { execute: counting });
    await Promise.all(Array.from({ length: 100 }, () => get('/health/ready')));
    Object.assign(client, { execute });
    expect(looks).toBeLessThan(10);
  });

  test('/health/ready fails if no majority of anything is reachable, but not if only the majority of some rows is not', async () => {
    const { client } = server.app.cassandra;
    const execute = client.execute.bind(client) as (query: string, ...rest: unknown[]) => unknown;
    let fails: (name: string) => boolean = () => true;
    const cutOff = (query: string, values: { name: string }, ...rest: unknown[]) =>
      query.includes('FROM leases') && fails(values.name)
        ? Promise.reject(new Error('Not enough replicas available'))
        : execute(query, values, ...rest);
    Object.assign(client, { execute: cutOff });
    const readiness = async () => {
      const response = await get('/health/ready');
      return [response.status, await response.json()];
    };
    try {
      const reason = 'too few replicas answer for a majority';
      await expect.poll(readiness).toEqual([503, { status: 'not ready', reason }]);
      fails = (name) => name !== 'ready 5';
      await expect.poll(readiness).toEqual([200, { status: 'ready' }]);
    } finally {
      Object.assign(client, { execute });
    }
  });

  test('/metrics counts operations and statements', async () => {
    await server.client().data('{ book(isbn: "9780439023481") { id } }');
    const metrics = await (await get('/metrics')).text();
    expect(metrics).toMatch(/cassandra_statements_total\{statement="SELECT books"\} [1-9]/);
    expect(metrics).toMatch(/graphql_operation_seconds_count\{operation="query",result="ok"\} [1-9]/);
  });

  test('/graphiql loads nothing from elsewhere and has the example queries', async () => {
    const page = await (await get('/graphiql')).text();
    expect(page).toContain('query FindABook');
    const html = page.replaceAll(/<script>[\s\S]*<\/script>/g, '').replaceAll(/<style>[\s\S]*<\/style>/g, '');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('/ leads to GraphiQL', async () => {
    const response = await get('/', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/graphiql']);
  });

  test('another path is answered with the address of the API', async () => {
    const response = await get('/nothing');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('POST /graphql');
  });
});

describe('requests', () => {
  test('queries by GET are answered, but mutations are not', async () => {
    const query = await get(`/graphql?query=${encodeURIComponent('{ __typename }')}`);
    expect(await query.json()).toEqual({ data: { __typename: 'Query' } });
    const mutation = await get(
      `/graphql?query=${encodeURIComponent('mutation { unlike(input: { id: "x" }) { changed } }')}`,
    );
    expect(mutation.status).toBe(405);
  });

  test('answers cannot be cached', async () => {
    expect((await get(`/graphql?query=${encodeURIComponent('{ __typename }')}`)).headers.get('cache-control')).toBe(
      'no-store',
    );
  });

  test.each([
    ['invalid JSON', '{', 400],
    ['no query', '{}', 400],
    ['an invalid query', JSON.stringify({ query: '{' }), 400],
    ['an unknown field', JSON.stringify({ query: '{ vewer { id } }' }), 400],
    ['a batch', JSON.stringify([{ query: '{ __typename }' }]), 400],
    ['a subscription without a stream', JSON.stringify({ query: 'subscription { viewerChanged { kinds } }' }), 400],
    ['a persisted query', JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }), 200],
    ['an unknown operation', JSON.stringify({ query: 'query A { __typename }', operationName: 'B' }), 400],
    ['more than 256 KiB', JSON.stringify({ query: '#'.repeat(300_000) }), 413],
    ['more than 2,000 tokens', JSON.stringify({ query: `{ ${'__typename '.repeat(2_000)} }` }), 400],
  ])('%s is BAD_USER_INPUT', async (_what, body, status) => {
    expect(await post(body)).toMatchObject({ status, code: 'BAD_USER_INPUT' });
  });

  // Each text made a regular expression backtrack from every position, for seconds.
  test.each([
    ['suggestions', (text: string) => text.repeat(13_000), ' Did you mean '],
    ['places', (text: string) => text.repeat(17_000), ' at "a.a.a.a'],
    ['refusals', (text: string) => text.repeat(9_000), ' cannot represent value '],
    ['findings', (text: string) => text.repeat(20_000), ', found <a'],
  ])('a value of many %s is refused and not repeated', async (_what, repeated, text) => {
    const value = repeated(text);
    const literal = await post(
      JSON.stringify({ query: `{ books(query: "a", first: ${JSON.stringify(value)}) { edges { cursor } } }` }),
    );
    const query = 'query ($first: Int) { books(query: "a", first: $first) { edges { cursor } } }';
    const variable = await post(JSON.stringify({ query, variables: { first: value } }));
    for (const { code, message } of [literal, variable]) {
      expect(code).toBe('BAD_USER_INPUT');
      expect(message).toMatch(
        /^(?:"first": Int cannot represent non-integer value|Variable "\$first" has an invalid value)/,
      );
      expect(message?.length).toBeLessThan(200);
    }
    // The number is far more than a request may have.
    for (const before of ['Variable "$a" got invalid value "', 'Int cannot represent ', 'Expected a']) {
      expect(withoutValues(`${before}${value.repeat(100)}?`)).not.toBe('');
    }
  });

  test.each([
    [
      'query ($isbn: String!) { book(isbn: $isbn) { id } }',
      { isbn: 5 },
      'Variable "$isbn" has an invalid value. String cannot represent a non string value. A text is in quotes.',
    ],
    [
      'query ($isbn: String!) { book(isbn: $isbn) { id } }',
      {},
      'Variable "$isbn" of required type "String!" was not provided.',
    ],
    [
      'mutation ($i: LoginInput!) { login(input: $i) { accessToken } }',
      { i: { email: 'x' } },
      'Variable "$i" has an invalid value. Field "password" of required type "String!" was not provided.',
    ],
    [
      'mutation ($i: LoginInput!) { login(input: $i) { accessToken } }',
      { i: { email: 'x', password: 's', pasword: 's' } },
      'Variable "$i" has an invalid value. Field "pasword" is not defined by type "LoginInput". Did you mean "password"?',
    ],
    [
      'mutation ($i: LoginInput!) { login(input: $i) { accessToken } }',
      { i: { email: 'x', password: null } },
      'Variable "$i" has an invalid value at "i.password". Expected non-nullable type "String!" not to be null.',
    ],
    [
      '{ viewer { actions(from: "yesterday") { edges { at } } } }',
      {},
      /^"from": A DateTime is a moment of the years 1 to 9999 in the format of RFC 3339, such as 2026-03-01T09:30:00Z\.$/,
    ],
    ['{ genres(first: "all") { edges { cursor } } }', {}, /^"first": Int cannot represent non-integer value\.$/],
    [
      'mutation { login(input: { email: 5, password: "secret" }) { accessToken } }',
      {},
      /^"email": String cannot represent a non string value\. A text is in quotes\.$/,
    ],
  ])('%s with %j names the error', async (query, variables, message) => {
    const answer = await post(JSON.stringify({ query, variables }));
    expect(answer.code).toBe('BAD_USER_INPUT');
    expect(answer.message).toMatch(message);
  });

  test('a query that may request too much is refused before it reads anything', async () => {
    const likes = 'likes(first: 100) { edges { likedAt title } }';
    const nested = `{ book(isbn: "9780439023481") { likers(first: 100) { edges { node { ${likes} } } } } }`;
    const { code, message } = await post(JSON.stringify({ query: nested }));
    expect(code).toBe('BAD_USER_INPUT');
    expect(message).toMatch(/may ask for \d+ fields; at most 10000/);
    const id = Buffer.from(`User:${crypto.randomUUID()}`).toString('base64url');
    const ids = Array.from({ length: 100 }, () => id);
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { ${likes} } } }`;
    expect((await post(JSON.stringify({ query, variables: { ids } }))).code).toBe('BAD_USER_INPUT');
    expect((await post(JSON.stringify({ query, variables: { ids: [id] } }))).code).toBeUndefined();
    const aliases = Array.from(
      { length: 150 },
      (_, index) => `a${index}: viewer { likes(first: 100) { edges { likedAt } } }`,
    );
    expect((await post(JSON.stringify({ query: `{ ${aliases.join(' ')} }` }))).code).toBe('BAD_USER_INPUT');
  });

  test.each([
    ['register', 'input: { email: "x@example.com", password: "correct horse", fullName: "X" }', 3],
    ['like', `input: { id: "${encodeId({ type: 'Book', key: '9780439023481' })}" }`, 12],
  ])('many times %s in one request is refused before the first', async (field, input, times) => {
    const aliases = Array.from({ length: times }, (_, index) => `a${index}: ${field}(${input}) { __typename }`);
    const { code, message } = await post(JSON.stringify({ query: `mutation { ${aliases.join(' ')} }` }));
    expect(code).toBe('BAD_USER_INPUT');
    expect(message).toMatch(/at most 10000/);
  });

  test('each window of a chart costs as much as its fields', async () => {
    const activity =
      'activity(granularity: MINUTE, from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z") { likes views }';
    const chart = `book(isbn: "9780439023481") { ${activity} }`;
    expect((await post(JSON.stringify({ query: `{ ${chart} }` }))).code).toBeUndefined();
    const charts = Array.from({ length: 4 }, (_, index) => `a${index}: ${chart}`);
    expect((await post(JSON.stringify({ query: `{ ${charts.join(' ')} }` }))).code).toBe('BAD_USER_INPUT');
  });

  test.each([
    [
      'shards of clicks',
      10,
      'clicks(from: "2026-07-05T00:00:00Z", to: "2026-07-06T00:00:00Z", first: 100) { edges { node { id } } }',
    ],
    ['kinds of actions', 25, 'viewer { actions(kinds: [LIKED, READ, SOLD, SOLD], first: 100) { edges { at } } }'],
  ])('all rows that are read side by side count: %s', async (_what, times, field) => {
    const aliases = Array.from({ length: times }, (_, index) => `a${index}: ${field}`);
    const refusal = /at most 10000/;
    expect((await post(JSON.stringify({ query: `{ ${aliases.join(' ')} }` }))).message).toMatch(refusal);
    const fewer = await post(JSON.stringify({ query: `{ ${aliases.slice(1).join(' ')} }` }));
    expect(fewer.message ?? '').not.toMatch(refusal);
  });

  test.each([
    ['readings', 98, 'book(isbn: "9780439023481") { viewerReading { readings { finishedOn } } }'],
    ['similar genres', 19, 'books(genre: "nonsense", first: 50) { similarGenres { name } }'],
  ])('a list that no argument bounds counts more than one row: %s', async (_what, times, field) => {
    const aliases = Array.from({ length: times }, (_, index) => `a${index}: ${field}`);
    const refusal = /at most 10000/;
    expect((await post(JSON.stringify({ query: `{ ${aliases.join(' ')} }` }))).message).toMatch(refusal);
    const fewer = await post(JSON.stringify({ query: `{ ${aliases.slice(1).join(' ')} }` }));
    expect(fewer.message ?? '').not.toMatch(refusal);
  });

  test('every list of the schema has a cost that depends on its arguments, or is short', async () => {
    const schema = buildSchema(await readFile(join(import.meta.dirname, '../schema.graphql'), 'utf8'));
    // Short lists are as long as their input. The cost of a page includes its edges.
    const counted = new Set([
      'edges',
      'nodes',
      'activity',
      'siteActivity',
      'measurements',
      'userErrors',
      'authors',
      'genres',
      'reads',
      'history',
      'path',
      'properties',
      'recoveryCodes',
      'passkeys',
      'currencies',
      'avatarHosts',
      'passkeyOrigins',
      'similarGenres',
      'readings',
      'otherIsbns',
      'series',
      'candidates',
      'shelves',
      'histogram',
      'months',
      'finished',
      'readers',
      'changes',
      'kinds',
      'cursors',
    ]);
    const lists = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) => Object.values(type.getFields()))
      .filter(({ type }) => isListType(getNullableType(type)))
      .map(({ name }) => name);
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter((name) => !counted.has(name))).toEqual([]);
  });

  test('a query that is deeper than nested lists need is refused, also if the depth is in fragments', async () => {
    const nested = (levels: number): string =>
      levels === 0
        ? 'likers { edges { cursor } }'
        : `likers(first: 1) { edges { node { likes(first: 1) { edges { node { ... on Book { ${nested(levels - 1)} } } } } } } }`;
    const book = 'book(isbn: "9780439023481")';
    expect(await post(JSON.stringify({ query: `{ ${book} { ${nested(2)} } }` }))).toMatchObject({ status: 200 });
    const { status, code, message } = await post(JSON.stringify({ query: `{ ${book} { ${nested(3)} } }` }));
    expect({ status, code }).toEqual({ status: 400, code: 'BAD_USER_INPUT' });
    expect(message).toMatch(/22 levels deep; at most 20 are allowed/);

    const fragments = `fragment A on Book { ${nested(1)} } fragment B on Book { likers(first: 1) { edges { node { likes(first: 1) { edges { node { ...A } } } } } } }`;
    const spread = `likers(first: 1) { edges { node { likes(first: 1) { edges { node { ...B } } } } } }`;
    expect((await post(JSON.stringify({ query: `{ ${book} { ${spread} } } ${fragments}` }))).message).toMatch(
      /22 levels/,
    );
  });

  test('each click costs', async () => {
    const click = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', at: '2026-01-01T00:00:00Z' };
    const query = `mutation ($clicks: [ClickInput!]!) { a: recordClicks(input: { sessionId: "x", clicks: $clicks }) { recorded userErrors { code } } b: recordClicks(input: { sessionId: "x", clicks: [] }) { recorded userErrors { code } } }`;
    const ask = (count: number) =>
      post(JSON.stringify({ query, variables: { clicks: Array.from({ length: count }, () => click) } }));
    expect(await ask(500)).toMatchObject({ status: 200 });
    const variables = { clicks: Array.from({ length: 500 }, () => click) };
    const refused = await post(JSON.stringify({ query: query.replace('[] }', '$clicks }'), variables }));
    expect(refused.message).toMatch(/may ask for 168\d\d fields/);
  });

  test('a query of nested fragments, too many to be counted, is refused', async () => {
    // Each fragment spreads the next one twice, which gives 2^150 fields.
    const fragments = Array.from(
      { length: 150 },
      (_, index) => `fragment Z${index} on Query { ...Z${index + 1} ...Z${index + 1} }`,
    );
    const query = `{ ...Z0 } ${fragments.join(' ')} fragment Z150 on Query { __typename }`;
    const { code, message } = await post(JSON.stringify({ query }));
    expect(code).toBe('BAD_USER_INPUT');
    expect(message).toMatch(/at most 4000 are allowed/);
  });
});

describe('nodes', () => {
  test('are returned in the given order, with null for an unknown id', async () => {
    const somebody = await server.client().registerSomebody('Ann');
    const unknown = Buffer.from(`User:${crypto.randomUUID()}`).toString('base64url');
    const ids = [unknown, somebody.viewerId, unknown];
    const { nodes } = await somebody.data('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids });
    expect(nodes).toEqual([null, { __typename: 'User', id: somebody.viewerId }, null]);
  });

  test.each([
    '',
    'x',
    'VXNlcjp4',
    Buffer.from('User:').toString('base64url'),
    Buffer.from('constructor:1').toString('base64url'),
  ])('a malformed id (%j) is BAD_USER_INPUT', async (id) => {
    expect(await server.client().errorCode('query ($id: ID!) { node(id: $id) { id } }', { id })).toBe('BAD_USER_INPUT');
    expect(await server.client().errorCode('query ($id: ID!) { nodes(ids: [$id]) { id } }', { id })).toBe(
      'BAD_USER_INPUT',
    );
  });

  test('of more than 100 ids are refused', async () => {
    const ids = Array.from({ length: 101 }, () => Buffer.from('Book:9780000000002').toString('base64url'));
    expect(await server.client().errorCode('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).toBe(
      'BAD_USER_INPUT',
    );
  });
});

describe('the process', () => {
  const environment = () => testEnvironment({ CASSANDRA_KEYSPACE: server.app.config.cassandra.keyspace });

  test('shows no schema and no GraphiQL in production', async () => {
    const { url } = await startServer({ ...server.app.config, production: true });
    const body = JSON.stringify({ query: '{ __schema { types { name } } }' });
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
    expect((await fetch(`${url}/graphiql`)).status).toBe(404);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  test.each([
    ['headers', 'POST /graphql HTTP/1.1\r\nhost: x\r\n'],
    ['a body', HALF_A_BODY],
  ])('does not wait for ever for the rest of %s, however slowly it comes', async (_what, begun) => {
    const { url } = await startServer(await sharedKeyspace({ REQUEST_TIMEOUT_SECONDS: '1' }));
    const socket = drip(url, begun);
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    await new Promise((closed) => socket.once('close', closed));
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });

  test('has its metrics on a separate port, if one is set, and exits at SIGTERM although a request is half sent', async () => {
    const { url, printed, process, ended } = await startServerProcess({
      ...environment(),
      METRICS_PORT: '0',
      REQUEST_TIMEOUT_SECONDS: '2',
    });
    const [, metrics = ''] = /Metrics +(http\S+)/.exec(printed()) ?? [];
    const shown = await fetch(metrics);
    expect(await shown.text()).toContain('cassandra_statements_total');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(new URL('/graphql', metrics))).status).toBe(404);

    const socket = drip(url, HALF_A_BODY);
    // After this answer, the server has read from the other connection as well.
    await fetch(`${url}/health/live`);
    process.kill('SIGTERM');
    expect(await ended).toBe(0);
    socket.destroy();
  });

  test('answers requests that began before its end, and then closes their connections', async () => {
    const { url, process, ended } = await startServerProcess(environment());
    const begun = [
      ['POST /graphql HT', 'TP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 26\r\n\r\n'],
      ['POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 26\r\n\r\n', ''],
    ].map(([beginning = '', rest = '']) => {
      const { socket, closed, received } = rawConnection(url);
      socket.write(beginning);
      return { socket, closed, received, rest };
    });
    // Once this is answered, the server has read from the other connections as well.
    await fetch(`${url}/health/live`);
    process.kill('SIGTERM');
    while (
      await fetch(`${url}/health/live`).then(
        () => true,
        () => false,
      )
    )
      await sleep(10);
    for (const { socket, closed, received, rest } of begun) {
      socket.write(`${rest}{"query":"{ __typename }"}`);
      await closed;
      expect(received()).toMatch(/^HTTP\/1.1 200 /);
      expect(received()).toMatch(/\r\nconnection: close\r\n/i);
      expect(received()).toContain('{"data":{"__typename":"Query"}}');
    }
    expect(await ended).toBe(0);
  });

  test.each([
    [{ PORT: 'x', LOG_LEVEL: 'loud' }, [/PORT is "x"/, /LOG_LEVEL is "loud"/]],
    [{ CASSANDRA_CONTACT_POINTS: '127.0.0.1:1' }, [/127\.0\.0\.1/]],
    [{ CASSANDRA_CONTACT_POINTS: undefined }, [/CASSANDRA_CONTACT_POINTS is not set; `npm start`/]],
    [{ PERSISTED_DOCUMENTS: 'package.json' }, [/PERSISTED_DOCUMENTS: package\.json cannot be used/]],
  ])('exits with the reason if it cannot start with %j', async (wrong, reasons) => {
    const failed = await startServerProcess({ ...environment(), ...wrong }).catch((error: unknown) => String(error));
    for (const reason of reasons) expect(failed).toMatch(reason);
  });

  test('reports that its port is taken', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    await expect(startServerProcess({ ...environment(), PORT: String(port) })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken`,
    );
    taken.close();
  });
});
