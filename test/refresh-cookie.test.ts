import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { refreshed } from './guide/cookie.ts';
import { PASSWORD } from './support/client.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- the query decides what an answer has */

/** The refresh token in a cookie: the requests that use it, and attacks by pages of other sites. */

const LISTED = 'https://app.books.example';
const AUTH = 'accessToken refreshToken viewer { id } userErrors { code path }';
const REFRESH = `mutation { refreshTokens { ${AUTH} } }`;
const LOGOUT = 'mutation { logout { userErrors { code path } } }';

/** A server with the settings of production, where the cookie has a prefix. */
let server: TestServer;
let without: TestServer;
let development: TestServer;
let now: Date | undefined;

beforeAll(async () => {
  const settings = { REFRESH_COOKIE: 'on', CORS_ORIGINS: LISTED };
  const config = await sharedKeyspace(settings);
  const clock = () => now ?? new Date();
  server = await startServer({ ...config, production: true }, { clock });
  development = await startServer(config, { clock });
  without = await startServer(await sharedKeyspace({ REFRESH_COOKIE: 'off', WEB_CLIENT: 'off' }));
});

afterEach(() => {
  now = undefined;
  vi.unstubAllGlobals();
});

interface Answered {
  readonly status: number;
  readonly body: any;
  readonly cookies: readonly string[];
}

type Sent = Readonly<Record<string, string>>;
const ASKED: Sent = { 'refresh-token-in': 'cookie' };

async function send(query: string, headers: Sent = ASKED, at = server): Promise<Answered> {
  return answerOf(
    await fetch(`${at.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    }),
  );
}

const answerOf = async (answer: Response): Promise<Answered> => ({
  status: answer.status,
  body: await answer.json(),
  cookies: answer.headers.getSetCookie(),
});

/** The browser's part: keeps the name and the value of a cookie. */
const kept = ({ cookies }: Answered) => cookies[0]?.split(';', 1)[0] ?? '';

function withHeader({ headers }: RequestInit, cookie: string): Headers {
  const all = new Headers(headers);
  all.set('cookie', cookie);
  return all;
}

const withCookie = (cookie: string): Sent => ({ ...ASKED, cookie });

/** Logs a new reader in; returns the tokens of the page and the cookies of its browser. */
async function loggedIn() {
  const { email } = await server.client().registerSomebody();
  const login = `mutation { login(input: { email: "${email}", password: "${PASSWORD}" }) { ${AUTH} } }`;
  const answer = await send(login);
  return { answer, login, cookie: kept(answer), token: String(answer.body.data.login.accessToken) };
}

const isRefreshed = async (cookie: string) => {
  const { accessToken } = (await send(REFRESH, withCookie(cookie))).body.data.refreshTokens;
  return accessToken !== null;
};

const isSignedIn = async (token: string) => (await send('{ __typename }', { authorization: `Bearer ${token}` })).status;

describe('a page that requests the cookie', () => {
  test('gets the refresh token only in the cookie, which is kept as long as the session', async () => {
    const { answer, cookie } = await loggedIn();
    expect(answer.body.data.login).toMatchObject({ accessToken: expect.any(String), refreshToken: null });
    expect(answer.cookies).toHaveLength(1);
    const [, seconds] = /; Max-Age=(\d+);/.exec(answer.cookies[0]!) ?? [];
    expect(answer.cookies[0]).toBe(`${cookie}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict; Secure`);
    expect(cookie).toMatch(/^__Host-refresh-token=[\w-]{80,}$/);
    expect(Number(seconds)).toBeGreaterThan(13 * 86_400);
    expect(Number(seconds)).toBeLessThanOrEqual(14 * 86_400);
    expect(JSON.stringify(answer.body)).not.toContain(cookie.split('=')[1]);
  });

  test('refreshes and logs out by it, also when the access token has expired', async () => {
    const { cookie } = await loggedIn();
    const refreshed = await send(REFRESH, withCookie(cookie));
    expect(refreshed.body.data.refreshTokens).toMatchObject({
      accessToken: expect.any(String),
      refreshToken: null,
      userErrors: [],
    });
    expect(kept(refreshed)).not.toBe(cookie);

    const { accessToken } = refreshed.body.data.refreshTokens;
    const out = await send(LOGOUT, withCookie(kept(refreshed)));
    expect(out.body.data.logout.userErrors).toEqual([]);
    expect(out.cookies).toEqual(['__Host-refresh-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure']);
    expect(await isRefreshed(kept(refreshed))).toBe(false);
    await expect.poll(() => isSignedIn(accessToken)).toBe(401);
  });

  test('is written as the guide shows', async () => {
    const { cookie } = await loggedIn();
    const overHttp = fetch;
    let jar = cookie;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const answer = await overHttp(url, { ...init, headers: withHeader(init, jar) });
      jar = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? jar;
      return answer;
    });
    // Each call has the cookie of the previous one.
    for (let times = 0; times < 2; times++) expect(await isSignedIn((await refreshed(server.url))!)).toBe(200);
    jar = '';
    expect(await refreshed(server.url)).toBeUndefined();
  });

  test('loses the cookie when its session is ended with its access token', async () => {
    const session = '{ viewer { sessions(first: 1) { nodes { id } } } }';
    const ends = [
      () => LOGOUT,
      () => `mutation { deleteAccount(input: { password: "${PASSWORD}" }) { userErrors { code } } }`,
      async (token: string) => {
        const { data } = (await send(session, { authorization: `Bearer ${token}` })).body;
        const [{ id }] = data.viewer.sessions.nodes;
        return `mutation { endSession(input: { sessionId: "${id}" }) { userErrors { code } } }`;
      },
    ];
    for (const end of ends) {
      const { token, cookie } = await loggedIn();
      const { body, cookies } = await send(await end(token), {
        ...withCookie(cookie),
        authorization: `Bearer ${token}`,
      });
      expect(Object.values(body.data)).toEqual([{ userErrors: [] }]);
      expect(cookies).toEqual([expect.stringMatching(/^__Host-refresh-token=; Max-Age=0;/)]);
    }
  });

  test('in two tabs at once gets the same cookie; a copy that is used later ends the session', async () => {
    const began = new Date();
    now = began;
    const { cookie } = await loggedIn();
    const tabs = await Promise.all([1, 2].map(() => send(REFRESH, withCookie(cookie))));
    expect(new Set(tabs.map(kept)).size).toBe(1);
    now = new Date(began.getTime() + 11_000);
    expect(await isRefreshed(cookie)).toBe(false);
    expect(await isRefreshed(kept(tabs[0]!))).toBe(false);
  });

  test('may still send a token that it has kept so far', async () => {
    const reader = await server.client().registerSomebody();
    const moved = await send(
      `mutation { refreshTokens(input: { refreshToken: "${reader.refreshToken}" }) { ${AUTH} } }`,
    );
    expect(moved.body.data.refreshTokens).toMatchObject({ refreshToken: null, userErrors: [] });
    expect(await isRefreshed(kept(moved))).toBe(true);
  });

  test('without a cookie, or with several or a false one, is asked to log in', async () => {
    const { cookie } = await loggedIn();
    const told = { code: 'INVALID_TOKEN', path: ['input'] };
    const wrong = [`${cookie}; ${cookie}x`, `${cookie}x`, 'a=b'];
    // A subdomain may set cookies of these names.
    const planted = [`a=b; \u{a0}${cookie}`, `a=b; =${cookie}`];
    for (const headers of [ASKED, ...[...wrong, ...planted].map(withCookie)]) {
      const { body, cookies } = await send(REFRESH, headers);
      expect(body.data.refreshTokens).toMatchObject({ accessToken: null, userErrors: [told] });
      expect(cookies).toEqual([]);
    }
    const { body } = await send(LOGOUT);
    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', reason: 'NO_TOKEN' } }]);
    expect(await isRefreshed(`other=1; ${cookie}; more="x=y"`)).toBe(true);
  });

  test('gets a cookie that browsers accept without https in development, but not in production', async () => {
    const { login } = await loggedIn();
    const answer = await send(login, ASKED, development);
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^refresh-token=[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const planted = await send(REFRESH, withCookie(kept(answer)));
    expect(planted.body.data.refreshTokens.userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
  });
});

describe('a client that does not request the cookie', () => {
  test('gets the tokens in the answer, and its cookies are not read', async () => {
    const { login, cookie } = await loggedIn();
    const answer = await send(login, { cookie });
    expect(answer.body.data.login.refreshToken).toEqual(expect.any(String));
    expect(answer.cookies).toEqual([]);
    const refused = await send(REFRESH, { cookie });
    expect(refused.body.data.refreshTokens.userErrors).toEqual([
      { code: 'INVALID_INPUT', path: ['input', 'refreshToken'] },
    ]);
    const out = await send(LOGOUT, { cookie });
    expect(out.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await isRefreshed(cookie)).toBe(true);
  });
});

test('a server without cookies, and an unknown value, refuse the header instead of giving tokens to scripts', async () => {
  const { login } = await loggedIn();
  const answers = [await send(login, ASKED, without), await send(login, { 'refresh-token-in': 'local-storage' })];
  for (const { status, body, cookies } of answers) {
    expect({ status, data: body.data, cookies }).toEqual({ status: 400, data: undefined, cookies: [] });
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  }
  expect(answers.map(({ body }) => body.errors[0].message)).toEqual([
    expect.stringContaining('REFRESH_COOKIE=on'),
    expect.stringContaining('has one value: cookie'),
  ]);
});

describe('a page of another site, whose requests have the cookie', () => {
  /** Requests that a browser sends without a preflight. */
  const SIMPLE: readonly [string, RequestInit][] = [
    ['a form', { body: new URLSearchParams({ query: REFRESH }) }],
    ['a form with a file', { body: Object.entries({ query: REFRESH }).reduce(appended, new FormData()) }],
    ['plain text', { headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ query: REFRESH }) }],
    ['no content type', { body: new Blob([JSON.stringify({ query: REFRESH })]) }],
  ];
  function appended(form: FormData, [name, value]: [string, string]): FormData {
    form.append(name, value);
    return form;
  }

  test.each(SIMPLE)('can do nothing with %s', async (_what, init) => {
    const { cookie } = await loggedIn();
    const sent = { ...init, method: 'POST', headers: withHeader(init, cookie) };
    const { status, cookies } = await answerOf(await fetch(`${server.url}/graphql`, sent));
    expect({ status, cookies }).toEqual({ status: 415, cookies: [] });
    expect(await isRefreshed(cookie)).toBe(true);
  });

  test('can do nothing with a link or an image', async () => {
    const { cookie, token } = await loggedIn();
    for (const query of [REFRESH, LOGOUT]) {
      for (const headers of [{ cookie }, withCookie(cookie)]) {
        const url = `${server.url}/graphql?query=${encodeURIComponent(query)}`;
        const { status, cookies } = await answerOf(await fetch(url, { headers }));
        expect({ status, cookies }).toEqual({ status: 405, cookies: [] });
      }
    }
    expect(await isSignedIn(token)).toBe(200);
    expect(await isRefreshed(cookie)).toBe(true);
  });

  /** Headers that a browser adds. Old ones, and those without https, send no `sec-fetch-site`. */
  const OTHERS: readonly [string, Sent][] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a subdomain', { origin: 'https://evil.books.example', 'sec-fetch-site': 'same-site' }],
    ['an old browser', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a browser without origin', { 'sec-fetch-site': 'cross-site' }],
  ];

  test.each(OTHERS)('(%s) is refused even if it could send the header', async (_what, headers) => {
    const { cookie, login, token } = await loggedIn();
    // A login of the attacker would make the victim use the attacker's account.
    for (const query of [REFRESH, LOGOUT, login]) {
      const { status, body, cookies } = await send(query, { ...withCookie(cookie), ...headers });
      expect({ status, cookies }).toEqual({ status: 403, cookies: [] });
      expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    expect(await isSignedIn(token)).toBe(200);
    expect(await isRefreshed(cookie)).toBe(true);
  });

  test.each<[string, () => Sent]>([
    ['the page of this server', () => ({ origin: server.url, 'sec-fetch-site': 'same-origin' })],
    ['the page of this server in an old browser', () => ({ origin: server.url })],
    [
      'a page behind a proxy that changes the host',
      () => ({ origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' }),
    ],
    ['a page of the list', () => ({ origin: LISTED, 'sec-fetch-site': 'same-site' })],
  ])('does not keep out %s', async (_what, headers) => {
    const { cookie } = await loggedIn();
    const { body } = await send(REFRESH, { ...withCookie(cookie), ...headers() });
    expect(body.data.refreshTokens.userErrors).toEqual([]);
  });

  test('is not allowed by its preflight, and only listed origins may send cookies', async () => {
    const preflight = async (at: TestServer, origin: string) => {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,refresh-token-in',
      };
      const answer = await fetch(`${at.url}/graphql`, { method: 'OPTIONS', headers });
      return Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('access-control-')));
    };
    expect(await preflight(server, 'https://evil.books.example')).toEqual({});
    expect(await preflight(without, LISTED)).toEqual({});
    expect(await preflight(server, LISTED)).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type,refresh-token-in',
    });
  });
});
