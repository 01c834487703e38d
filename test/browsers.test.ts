import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { serverAudits } from 'graphql-http';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';

/** The parts of HTTP that browsers and clients rely on: GraphQL over HTTP, CORS, charsets. */

const ORIGIN = 'https://books.example';
const BODY = JSON.stringify({ query: '{ __typename }' });

let server: TestServer;
let shared: TestServer;
beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  const settings = {
    WEB_CLIENT: 'off',
    // Servers of other test files charge their requests to another caller.
    ACCESS_TOKEN_SECRET: 'a secret of this test file, and of no other',
    CORS_ORIGINS: `${ORIGIN}, http://127.0.0.1:5173`,
    RATE_LIMIT_PER_MINUTE: '1000000',
  };
  const now = new Date();
  shared = await startServer(await sharedKeyspace(settings), { clock: () => now });
});

describe('GraphQL over HTTP passes the audits of graphql-http', () => {
  const audits = serverAudits({ url: () => `${server.url}/graphql`, fetchFn: fetch });
  /**
   * Audits that ask for status 200, for a client that accepts `application/json`, when a document
   * cannot be read or is not valid, or variables are invalid. The server answers 400 for any
   * `accept` header, so that proxies and logs see it.
   */
  const OTHERWISE = ['572B', 'FDE2', '7B9B'];

  test.each(audits)('$name', async ({ id, fn }) => {
    expect((await fn()).status).toBe(OTHERWISE.includes(id) ? 'warn' : 'ok');
  });
});

describe('a charset', () => {
  const post = (type: string) =>
    fetch(`${server.url}/graphql`, { method: 'POST', headers: { 'content-type': type }, body: BODY });

  test.each(['koi8-r', 'utf-16', '"latin1"', ''])('other than utf-8 (%s) is refused', async (charset) => {
    const answer = await post(`application/json; charset=${charset}`);
    expect(answer.status).toBe(415);
    const message =
      'Send the body in UTF-8, as "content-type: application/json; charset=utf-8"; no other charset is accepted.';
    expect(await answer.json()).toEqual({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  test.each(['utf-8', 'UTF8', '"utf-8"'])('of utf-8 (%s) is accepted', async (charset) => {
    expect((await post(`application/json; charset=${charset}`)).status).toBe(200);
  });
});

test.each(['text/plain', 'text/plain; charset=utf-8', 'application/x-www-form-urlencoded'])(
  'a body that is not declared as JSON (%s) is refused',
  async (type) => {
    for (const path of ['/graphql', '/export-my-data']) {
      const answer = await fetch(server.url + path, { method: 'POST', headers: { 'content-type': type }, body: BODY });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    }
  },
);

describe('a page of an origin', () => {
  const send = async ({ url }: TestServer, init: RequestInit) => {
    const answer = await fetch(`${url}/graphql`, init);
    return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
  };
  const ask = (of: TestServer, origin: string | undefined, body = BODY) =>
    send(of, { method: 'POST', headers: { 'content-type': 'application/json', ...(origin && { origin }) }, body });
  const preflight = (of: TestServer, origin: string | undefined) => {
    const headers = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    return send(of, { method: 'OPTIONS', headers: { ...headers, ...(origin && { origin }) } });
  };
  const corsOf = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

  test('in the list may send a token and read answers, errors and limits; it needs no cookies', async () => {
    const asked = await preflight(shared, ORIGIN);
    expect(asked.status).toBe(204);
    expect(corsOf(asked.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization,content-type',
    });

    for (const body of [BODY, '{']) {
      const { headers } = await ask(shared, ORIGIN, body);
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        vary: expect.stringMatching(/\borigin\b/i),
      });
      expect(headers['access-control-expose-headers']).toContain('retry-after');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test.each(['https://books.example.evil', 'http://books.example', 'null', undefined])(
    'not in the list (%s) is answered as before, without CORS headers',
    async (origin) => {
      const answered = await ask(shared, origin);
      expect(answered).toMatchObject({ status: 200, text: (await ask(server, origin)).text });
      expect(corsOf(answered.headers)).toEqual({});
      expect(answered.headers['vary']).toBe('Origin, Accept-Encoding');

      const asked = await preflight(shared, origin);
      const { status, text } = await preflight(server, origin);
      expect(asked).toMatchObject({ status, text });
      expect(corsOf(asked.headers)).toEqual({});
    },
  );

  test('in the list is charged for its requests, but not for preflights', async () => {
    const left = async () => Number((await ask(shared, ORIGIN)).headers['ratelimit-remaining']);
    const before = await left();
    for (let times = 0; times < 5; times++) await preflight(shared, ORIGIN);
    expect(await left()).toBe(before - 1);
  });

  test('is unknown to a server without a list', async () => {
    expect(corsOf((await ask(server, ORIGIN)).headers)).toEqual({});
    expect(corsOf((await preflight(server, ORIGIN)).headers)).toEqual({});
  });
});

test.each([
  ['a malformed request', 'nonsense\r\n\r\n', 400],
  ['a request with too long headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is refused with the headers of every answer', async (_what, sent, status) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [first, ...headers] = head.split('\r\n');
  expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  expect(headers).toEqual(
    expect.arrayContaining([
      'cache-control: no-store',
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      `content-length: ${String(body.length)}`,
      'referrer-policy: no-referrer',
      'x-content-type-options: nosniff',
    ]),
  );
  expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
});

test('GraphiQL cannot be embedded in a frame', async () => {
  const { headers } = await fetch(`${server.url}/graphiql`);
  expect(headers.get('content-security-policy')).toMatch(/^frame-ancestors 'none'/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
