import { connect } from 'node:net';
import { serverAudits } from 'graphql-http';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';

/** What browsers and clients take from HTTP itself: GraphQL over HTTP, CORS, charsets. */

const ORIGIN = 'https://books.example';
const BODY = JSON.stringify({ query: '{ __typename }' });

let server: TestServer;
let shared: TestServer;
beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  const settings = { CORS_ORIGINS: `${ORIGIN}, http://127.0.0.1:5173`, RATE_LIMIT_PER_MINUTE: '1000' };
  // The middle of a minute of long ago: it does not end while the test runs.
  const clock = () => new Date(Date.UTC(2026, 5, 1, 12, 0, 30));
  shared = await startServer(await sharedKeyspace(settings), { clock });
});

describe('GraphQL over HTTP, by the audits of graphql-http', () => {
  const audits = serverAudits({ url: () => `${server.url}/graphql`, fetchFn: fetch });
  /**
   * What should be 200 to a client that accepts `application/json`: a document that cannot be read or is not valid, and variables that are not.
   * It is 400 here whatever the client accepts, so that proxies and logs see it.
   */
  const OTHERWISE = ['572B', 'FDE2', '7B9B'];

  test.each(audits)('$name', async ({ id, fn }) => {
    expect((await fn()).status).toBe(OTHERWISE.includes(id) ? 'warn' : 'ok');
  });
});

describe('a charset', () => {
  const post = (type: string) =>
    fetch(`${server.url}/graphql`, { method: 'POST', headers: { 'content-type': type }, body: BODY });

  test.each(['koi8-r', 'utf-16', '"latin1"', ''])('that is not utf-8 (%s) is refused', async (charset) => {
    const answer = await post(`application/json; charset=${charset}`);
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  test.each(['utf-8', 'UTF8', '"utf-8"'])('that is (%s) is read', async (charset) => {
    expect((await post(`application/json; charset=${charset}`)).status).toBe(200);
  });
});

describe('the page of an origin', () => {
  const ask = async ({ url }: TestServer, origin: string | undefined, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', ...(origin && { origin }) };
    const answer = await fetch(`${url}/graphql`, { method: 'POST', body: BODY, ...init, headers });
    return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
  };
  /** As browsers ask: without a body, and what it would be. */
  const preflight = async ({ url }: TestServer, origin: string) => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' }; // prettier-ignore
    const { status, headers } = await fetch(`${url}/graphql`, { method: 'OPTIONS', headers: { origin, ...asked } });
    return { status, headers: Object.fromEntries(headers) };
  };
  const leftOf = async () => Number((await ask(shared, ORIGIN)).headers['ratelimit-remaining']);
  const corsOf = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

  test('that is listed may send a token and read answers, errors and limits; it is asked for no cookies', async () => {
    const asked = await preflight(shared, ORIGIN);
    expect(asked.status).toBe(204);
    expect(corsOf(asked.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization,content-type',
    });
    expect(asked.headers).not.toHaveProperty('ratelimit-remaining');

    for (const body of [BODY, '{']) {
      const { headers } = await ask(shared, ORIGIN, { body });
      expect(headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: expect.stringMatching(/\borigin\b/i) }); // prettier-ignore
      expect(headers['access-control-expose-headers']).toContain('retry-after');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('is asked for beforehand at no cost', async () => {
    const left = await leftOf();
    for (let turn = 0; turn < 3; turn++) await preflight(shared, ORIGIN);
    expect(await leftOf()).toBe(left - 1);
  });

  test.each(['https://books.example.evil', 'http://books.example', 'null', undefined])(
    'that is not listed (%s) is answered as before, without a word of CORS',
    async (origin) => {
      const answered = await ask(shared, origin);
      expect(answered).toMatchObject({ status: 200, text: (await ask(server, origin)).text });
      expect(answered.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test('is not known to a server without a list', async () => {
    expect(corsOf((await ask(server, ORIGIN)).headers)).toEqual({});
    expect(corsOf((await preflight(server, ORIGIN)).headers)).toEqual({});
  });
});

test('a request that is none is refused with a type that no browser guesses', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('nonsense\r\n\r\n');
  let answer = '';
  for await (const bytes of socket) answer += String(bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nx-content-type-options: nosniff\r\n/);
});
