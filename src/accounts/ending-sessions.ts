import type { RequestContext } from '../context/context.ts';
import { unauthenticated, UserError } from '../graphql/errors.ts';
import { requireViewer } from '../identity/operations.ts';
import {
  endedByReader,
  endSession,
  endSessionsOf,
  loginOf,
  removeRefreshCookie,
  sessionInput,
} from '../sessions/operations.ts';
import { refreshTokens } from '../sessions/refresh.ts';
import { MINUTE_MS } from '../time/units.ts';
import { confirmByPassword } from './operations.ts';

/**
 * The ways to end sessions. A reader needs only the token of the current session to end it. Other
 * sessions need a fresh proof (OWASP ASVS 5.0.0, 7.5.2): the password, or a login of any kind in
 * this session within the last minutes. A person with an unlocked device, or with an old token,
 * therefore cannot log the reader out everywhere else.
 */

/** The time for which a login is a fresh proof, the default lifetime of an access token. */
const LOGIN_FRESH_MS = 15 * MINUTE_MS;

/**
 * Ends the session of the request, or all sessions of its reader. Without an access token, it ends
 * the session of the refresh token's cookie.
 * @throws `UNAUTHENTICATED` when signed out
 * @throws {UserError} for a cookie: those of `refreshTokens`
 * @throws {UserError} when ending all: `PASSWORD_REQUIRED` or `INVALID_CREDENTIALS`, both about
 *   `password`; `RATE_LIMITED`
 */
export async function logout(
  context: RequestContext,
  { everywhere, password }: { everywhere?: boolean | null; password?: string | null },
) {
  if (context.viewerId === null && context.refreshCookie?.sent !== undefined) await refreshTokens(context, {});
  const { viewerId, sessionId } = context;
  if (viewerId === null || sessionId === null) throw unauthenticated('NO_TOKEN');
  if (everywhere) {
    await requireFreshLogin(context, viewerId, sessionId, password);
    await endSessionsOf(context, viewerId, 'READER');
  } else await endSession(context, sessionId, 'READER');

  removeRefreshCookie(context);
  return {};
}

/**
 * Ends one of the viewer's sessions, perhaps on another device.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `sessionId`; for a session other than
 *   the current one: `PASSWORD_REQUIRED` or `INVALID_CREDENTIALS`, both about `password`;
 *   `RATE_LIMITED`
 */
export async function endSessionOfViewer(
  context: RequestContext,
  input: { sessionId: string; password?: string | null },
) {
  const viewer = await requireViewer(context);
  const sessionId = sessionInput(input.sessionId);
  if ((await loginOf(context, sessionId))?.userId !== viewer.id) {
    throw new UserError('NOT_FOUND', 'You have no such session.', ['input', 'sessionId']);
  }
  if (sessionId !== context.sessionId) await requireFreshLogin(context, viewer.id, context.sessionId, input.password);
  const session = await endedByReader(context, sessionId);
  if (sessionId === context.sessionId) removeRefreshCookie(context);
  return { session, viewer };
}

/**
 * @throws {UserError} `PASSWORD_REQUIRED` or `INVALID_CREDENTIALS`, both about `password`;
 *   `RATE_LIMITED`
 */
async function requireFreshLogin(
  context: RequestContext,
  userId: string,
  sessionId: string | null,
  password: string | null | undefined,
): Promise<void> {
  if (password != null) return confirmByPassword(context, userId, password);
  const loggedInAt = sessionId === null ? null : (await loginOf(context, sessionId))?.loggedInAt;
  if (loggedInAt && context.clock().getTime() - loggedInAt.getTime() <= LOGIN_FRESH_MS) return;
  const message = 'You logged in too long ago to end other sessions. Send your password as well, or log in again.';
  throw new UserError('PASSWORD_REQUIRED', message, ['input', 'password']);
}
