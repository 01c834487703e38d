import { HeaderMap } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import type { AppContext, RefreshCookie } from '../context/context.ts';
import { RequestError, type RequestErrorCode } from '../graphql/errors.ts';
import type { RequestStep } from './steps.ts';

/**
 * The refresh token in a cookie, for web pages: no script can read it. Only a request with a
 * special header reads or sets the cookie. A page of another origin cannot send that header without
 * a preflight, and no form, link or image can. Other clients send the token in the input and
 * receive it in the answer.
 */

const ASKS = 'refresh-token-in';
const ATTRIBUTES = 'HttpOnly; SameSite=Strict';
const NO_COOKIES = `This server sets no cookies. Leave the header ${ASKS} out, or set REFRESH_COOKIE=on at the server.`;
const WRONG_VALUE = `The header ${ASKS} has one value: cookie. Leave it out to have the refresh token in the answer.`;
const OTHER_ORIGIN = 'This origin may not use the cookie. It has to be among the CORS_ORIGINS of the server.';

/**
 * Returns the cookie of a request that asks for it; `undefined` for any other request.
 * @throws `BAD_USER_INPUT` (400) if there are no cookies, `FORBIDDEN` (403) for a page of an origin
 *   that may not use them
 */
export function refreshCookieOf({ config }: AppContext, request: FastifyRequest): RefreshCookie | undefined {
  const asked = request.headers[ASKS];
  if (asked === undefined) return undefined;
  if (!config.sessions.refreshCookie) throw refusal('BAD_USER_INPUT', 400, NO_COOKIES);
  if (asked !== 'cookie') throw refusal('BAD_USER_INPUT', 400, WRONG_VALUE);
  if (!mayUseCookie(request, config.corsOrigins)) throw refusal('FORBIDDEN', 403, OTHER_ORIGIN);

  return { sent: valueOf(nameOf(config), request.headers.cookie ?? ''), next: undefined };
}

const refusal = (code: RequestErrorCode, status: number, message: string) =>
  new RequestError(code, message, { http: { status, headers: new HeaderMap() } });

/**
 * Repeats what browsers already check by the preflight. A subdomain is the same site, so
 * `SameSite` does not keep its pages out.
 */
function mayUseCookie({ headers, host }: FastifyRequest, corsOrigins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && corsOrigins.includes(origin)) return true;
  // A development server that passes requests on may change the host, but not this header.
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || origin === `https://${host}` || origin === `http://${host}`;
}

/**
 * Returns the name of the cookie. Browsers accept a cookie with the prefix `__Host-` only from this
 * exact host, over https and for the path `/`, so no subdomain can plant another reader's token.
 * Without https, as in development, they refuse it.
 */
const nameOf = ({ production }: AppContext['config']) => (production ? '__Host-refresh-token' : 'refresh-token');

/**
 * Returns the value of a cookie; `undefined` if there is none, or several of that name. As in
 * browsers, only spaces and tabs around a cookie are removed. If other white space such as U+00A0
 * were removed, a subdomain could set a name that reads as the name with the prefix.
 */
function valueOf(name: string, header: string): string | undefined {
  const values = header.split(';').flatMap((pair) => {
    const [key, ...value] = pair.replace(/^[ \t]+/, '').split('=');
    return key === name ? [value.join('=')] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Sets or removes the cookie with the answer. */
export const setRefreshCookie: RequestStep = {
  beforeAnswer: ({ response, contextValue: { refreshCookie, config } }) => {
    if (refreshCookie?.next === undefined) return;
    const { token, seconds } = refreshCookie.next ?? { token: '', seconds: 0 };
    const secure = config.production ? '; Secure' : '';
    const cookie = `${nameOf(config)}=${token}; Max-Age=${seconds}; Path=/; ${ATTRIBUTES}${secure}`;
    response.http.headers.set('set-cookie', cookie);
  },
};
