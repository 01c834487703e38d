import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createServer } from '../src/http/server.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const manifestOf = (...texts: string[]) => Object.fromEntries(texts.map((text) => [sha256(text), text]));
const byApollo = (hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });

const QUERY = 'query ($isbn: String!) { book(isbn: $isbn) { id } }';
const MUTATION =
  'mutation ($email: String!) { login(input: { email: $email, password: "a good book" }) { userErrors { code } } }';
const OTHER = '{ __typename }';
const NOT_FOUND = { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'BAD_USER_INPUT' } }] };

/** One server answers any document, the other one only persisted ones. */
let any: TestServer;
let only: TestServer;
let folder: string;

async function fileOf(content: unknown): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(join(inject('folder'), 'persisted-'));
  const persisted = { PERSISTED_DOCUMENTS: await fileOf(manifestOf(QUERY, MUTATION)) };
  any = await startServer(await sharedKeyspace(persisted));
  only = await startServer(await sharedKeyspace({ ...persisted, DOCUMENTS: 'persisted', MUTATIONS_MAX: '1' }));
});

async function post({ url }: TestServer, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) };
}

async function get({ url }: TestServer, parameters: Record<string, unknown>) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const response = await fetch(`${url}/graphql?${search.toString()}`);
  return { status: response.status, ...((await response.json()) as object) };
}

describe.each(['any', 'persisted'])('with DOCUMENTS=%s', (documents) => {
  const server = () => (documents === 'any' ? any : only);

  test.each([
    ['documentId', { documentId: `sha256:${sha256(QUERY)}` }],
    ['extensions.persistedQuery', byApollo(sha256(QUERY))],
    ['its text and its hash', { query: QUERY, ...byApollo(sha256(QUERY)) }],
    ['its text', { query: QUERY }],
  ])('a persisted document is answered by %s, by POST and by GET', async (_what, named) => {
    const answer = { status: 200, data: { book: null } };
    const unknown = { isbn: '9780000000002' };
    expect(await post(server(), { ...named, variables: unknown })).toEqual(answer);
    expect(await get(server(), { ...named, variables: unknown })).toEqual(answer);
  });

  test('an unknown hash is answered as clients expect, and no client can register it', async () => {
    for (const named of [byApollo(sha256(OTHER)), { documentId: `sha256:${sha256(OTHER)}` }]) {
      expect(await post(server(), named)).toEqual({ status: 200, ...NOT_FOUND });
      expect(await get(server(), named)).toEqual({ status: 200, ...NOT_FOUND });
    }
    await post(server(), { query: OTHER, ...byApollo(sha256(OTHER)) });
    expect(await post(server(), byApollo(sha256(OTHER)))).toEqual({ status: 200, ...NOT_FOUND });
  });

  test('a hash cannot be sent with the text of another document', async () => {
    const message = expect.stringContaining('not the SHA-256 of the query') as unknown;
    const refusal = { status: 400, errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
    expect(await post(server(), { query: OTHER, ...byApollo(sha256(QUERY)) })).toEqual(refusal);
    expect(await get(server(), { query: OTHER, documentId: sha256(QUERY) })).toEqual(refusal);
  });

  test('a persisted mutation is refused by GET', async () => {
    expect(await get(server(), { ...byApollo(sha256(MUTATION)), variables: { email: 'x' } })).toMatchObject({
      status: 405,
    });
  });

  test.each([{ documentId: 5 }, { extensions: { persistedQuery: null } }, { extensions: 5 }, [byApollo('x')], 'x'])(
    'a request without a document, as %j, is BAD_USER_INPUT',
    async (body) => {
      const errors = [{ extensions: { code: 'BAD_USER_INPUT' } }];
      expect(await post(server(), body)).toMatchObject({ status: 400, errors });
    },
  );
});

test('a server that answers any document also answers documents that are not persisted', async () => {
  expect(await post(any, { query: OTHER })).toEqual({ status: 200, data: { __typename: 'Query' } });
  expect(await get(any, { query: OTHER })).toEqual({ status: 200, data: { __typename: 'Query' } });
});

test('a server that answers persisted documents alone refuses others, with advice', async () => {
  const message = expect.stringMatching(/answers only persisted documents.*documentId.*PERSISTED_DOCUMENTS/) as unknown;
  const refusal = { status: 400, errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
  expect(await post(only, { query: OTHER })).toEqual(refusal);
  expect(await post(only, { query: OTHER, ...byApollo(sha256(OTHER)) })).toEqual(refusal);
  expect(await get(only, { query: OTHER })).toEqual(refusal);
  // Only the first one is read and answered.
  const twice = `query=${encodeURIComponent(QUERY)}&query=${encodeURIComponent(OTHER)}&variables={"isbn":"9780000000002"}`;
  expect(await (await fetch(`${only.url}/graphql?${twice}`)).json()).toEqual({ data: { book: null } });
});

test('a persisted mutation is counted as a mutation', async () => {
  const { client } = only.app.cassandra;
  const execute = client.execute.bind(client) as (...given: unknown[]) => Promise<unknown>;
  const { promise: gate, resolve: letGo } = Promise.withResolvers<undefined>();
  let isOneHeld = false;
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<undefined>();
  Object.assign(client, {
    execute: async (cql: string, ...rest: unknown[]) => {
      if (!isOneHeld && cql.includes(' FROM users_by_login_info ')) {
        isOneHeld = true;
        hold(undefined);
        await gate;
      }
      return execute(cql, ...rest);
    },
  });
  const login = { ...byApollo(sha256(MUTATION)), variables: { email: `${crypto.randomUUID()}@example.com` } };
  const held = post(only, login);
  await isHeld;
  expect(await post(only, login)).toMatchObject({ status: 503, errors: [{ extensions: { code: 'OVERLOADED' } }] });
  letGo(undefined);
  expect(await held).toMatchObject({ status: 200, data: { login: { userErrors: [{ code: 'INVALID_CREDENTIALS' }] } } });
  Object.assign(client, { execute });
});

test.each([
  ['invalid JSON', '{', /not a JSON object of documents/],
  ['a list', [QUERY], /not a JSON object of documents/],
  ['no text', { [sha256(QUERY)]: 5 }, /not a JSON object of documents/],
  ['an MD5', { ef1d: QUERY }, /"ef1d" is not the SHA-256 .*relay-compiler/],
  ['the hash of another document', { [sha256(OTHER)]: QUERY }, new RegExp(`"${sha256(OTHER)}" is not the SHA-256`)],
  ['invalid GraphQL', manifestOf('{'), new RegExp(`${sha256('{')}: Syntax Error`)],
  [
    'an unknown field',
    manifestOf(QUERY, '{ vewer { id } }'),
    new RegExp(`${sha256('{ vewer { id } }')}: Cannot query field "vewer"`),
  ],
  ['a wrong value', manifestOf('{ viewer { actions(from: "now") { edges { at } } } }'), /A DateTime is a moment/],
  ['too many tokens', manifestOf(`{ ${'__typename '.repeat(2_000)} }`), /more that 2000 tokens/],
])('a file with %s ends the start and is named', async (_what, content, reason) => {
  const file = await fileOf(content);
  const config = { ...any.app.config, documents: { persisted: file, only: false } };
  const started = createServer({ ...any.app, config });
  await expect(started).rejects.toThrow(`PERSISTED_DOCUMENTS: ${file}`);
  await expect(started).rejects.toThrow(reason);
});
