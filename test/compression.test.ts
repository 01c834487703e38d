import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildSchema, getNamedType, isAbstractType, isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Answer } from './support/client.ts';
import { raw, type RawAnswer } from './support/raw.ts';

/** Answers of queries are compressed; answers with secrets never are. */

const DECOMPRESSED: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

let server: TestServer;
let ids: string[];
beforeAll(async () => {
  server = await startServer(await sharedKeyspace({ PASSKEY_ORIGINS: 'http://localhost:4000' }));
  ids = await ownBooks(server.app, 20);
});

const PAGE = '($ids: [ID!]!) { nodes(ids: $ids) { id ... on Book { title authors likeCount } } }';

/** Sends an operation by POST. */
function post(encoding: string | undefined, query: string, variables: Readonly<Record<string, unknown>>, more = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(encoding !== undefined && { 'accept-encoding': encoding }),
  };
  return raw(server.url, '/graphql', { ...headers, ...more }, JSON.stringify({ query, variables }));
}

const encodingOf = ({ headers }: RawAnswer) => headers['content-encoding'];

describe.each(['br', 'gzip'])('a page by %s', (encoding) => {
  const expectSame = (compressed: RawAnswer, plain: RawAnswer) => {
    expect(encodingOf(plain)).toBeUndefined();
    expect(encodingOf(compressed)).toBe(encoding);
    expect([plain.headers.vary, compressed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(compressed.headers['content-length']).toBe(String(compressed.body.length));
    expect(compressed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 2);
    expect(DECOMPRESSED[encoding]?.(compressed.body).toString()).toBe(plain.body.toString());
  };

  test('equals the uncompressed page, whether its text is new or known', async () => {
    const query = `query By_${encoding} ${PAGE}`;
    const asNew = await post(encoding, query, { ids });
    const asKnown = await post(encoding, query, { ids });
    const plain = await post(undefined, query, { ids });
    expectSame(asNew, plain);
    expectSame(asKnown, plain);
  });

  test('is the plain page by GET', async () => {
    const search = new URLSearchParams({ query: `query ${PAGE}`, variables: JSON.stringify({ ids }) });
    const path = `/graphql?${search.toString()}`;
    const headers = { 'content-type': 'application/json' };
    const plain = await raw(server.url, path, headers);
    expectSame(await raw(server.url, path, { ...headers, 'accept-encoding': encoding }), plain);
  });
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.8, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br ; q=0.000 , GZIP ; Q=0.001', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.5', 'gzip'],
  ['*;q=0', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['deflate, zstd', undefined],
  ['brotli, xgzip', undefined],
  ['br;q=most', undefined],
  ['', undefined],
])('a client that takes "%s" gets %s', async (accepted, encoding) => {
  expect(encodingOf(await post(accepted, `query ${PAGE}`, { ids }))).toBe(encoding);
});

test('a small answer is sent uncompressed', async () => {
  const { headers, body } = await post('br, gzip', 'query Small { __typename }', {});
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Accept-Encoding');
  expect(JSON.parse(body.toString())).toEqual({ data: { __typename: 'Query' } });
});

describe('never compressed', () => {
  const MANY = Array.from({ length: 10 }, (_each, index) => index);
  const tokens = MANY.map((index) => `a${index}: accessToken r${index}: refreshToken`).join(' ');
  const payload = `{ ${tokens} refreshToken userErrors { code } }`;
  const expectPlain = ({ headers, body, status }: RawAnswer) => {
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.length).toBeGreaterThan(2_048);
    return { status, ...(JSON.parse(body.toString()) as Pick<Answer, 'data'>) };
  };
  const mutate = async (field: string, input: Readonly<Record<string, unknown>>) => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
    const query = `query Beside { __typename } mutation Asked($input: ${type}) { ${field}(input: $input) ${payload} }`;
    const body = JSON.stringify({ query, operationName: 'Asked', variables: { input } });
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'br, gzip' };
    const { data } = expectPlain(await raw(server.url, '/graphql', headers, body));
    expect(data[field].userErrors).toEqual([]);
    return data[field].refreshToken as string;
  };

  test('the tokens of a new account, a login and a renewal', async () => {
    const email = `compressed-${Date.now()}@example.com`;
    await mutate('register', { email, password: PASSWORD, fullName: 'Somebody' });
    const refreshToken = await mutate('login', { email, password: PASSWORD });
    await mutate('refreshTokens', { refreshToken });
  });

  test('the options of a passkey', async () => {
    const options = MANY.map((index) => `o${index}: options`).join(' ');
    const query = `mutation { startPasskeyLogin { ${options} userErrors { code } } }`;
    const { data } = expectPlain(await post('br, gzip', query, {}));
    expect(data.startPasskeyLogin.userErrors).toEqual([]);
  });

  test('an error that repeats the text of a request', async () => {
    const fields = MANY.map((index) => `unknown${'x'.repeat(100)}${index}`).join(' ');
    expect(expectPlain(await post('br, gzip', `{ ${fields} }`, {})).status).toBe(400);
  });

  test('the export of all data', async () => {
    const reader = await server.client().registerSomebody('Reader '.repeat(10).trim());
    const { headers, body } = await raw(
      server.url,
      '/export-my-data',
      { 'content-type': 'application/json', 'accept-encoding': 'br, gzip', authorization: `Bearer ${reader.token}` },
      JSON.stringify({ password: PASSWORD }),
    );
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.toString()).toContain(reader.email);
  });
});

test('no query can ask for a secret', async () => {
  const schema = buildSchema(await readFile(join(import.meta.dirname, '../schema.graphql'), 'utf8'));
  const secrets = /token|secret|password(?!LengthMin)|recoveryCodes|options|^uri$/i;
  const named = (type: 'Query' | 'Mutation') => fieldsBelow(schema, type).filter((name) => secrets.test(name));
  expect(named('Mutation')).toEqual(expect.arrayContaining(['accessToken', 'refreshToken', 'options', 'uri']));
  expect(named('Query')).toEqual([]);
});

/** Returns the names of all fields that can be asked for below a type. */
function fieldsBelow(schema: GraphQLSchema, root: string): string[] {
  const names = new Set<string>();
  const types = new Set([schema.getType(root)]);
  for (const type of types) {
    if (isAbstractType(type)) for (const possible of schema.getPossibleTypes(type)) types.add(possible);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      names.add(field.name);
      types.add(getNamedType(field.type));
    }
  }
  return [...names];
}
