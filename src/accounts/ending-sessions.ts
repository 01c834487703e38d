import type { RequestContext } from '../context/context.ts';
import { unauthenticated, UserError } from '../graphql/errors.ts';
import { requireViewer } from '../identity/operations.ts';
import { endedByReader, endSession, endSessionsOf, loginOf, sessionInput } from '../sessions/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { confirmByPassword } from './operations.ts';

/**
 * How readers end sessions. One's own takes nothing but its token. The others take a proof that is fresh (OWASP ASVS 5.0.0, 7.5.2): a
 * login of this session within the last minutes, by whatever it was, or the password once more; so that who finds a device that was left
 * open, or has a token of weeks ago, does not throw its reader out everywhere else.
 */

/** How long a login is such a proof: as long as an access token is good by default. */
const LOGIN_FRESH_MS = 15 * MINUTE_MS;

/**
 * Ends the session of the request, or every one of its reader.
 * @throws `UNAUTHENTICATED` when signed out
 * @throws {UserError} for every one: `PASSWORD_REQUIRED`, `INVALID_CREDENTIALS`, both about `password`; `RATE_LIMITED`
 */
export async function logout(
  context: RequestContext,
  { everywhere, password }: { everywhere?: boolean | null; password?: string | null },
) {
  const { viewerId, sessionId } = context;
  if (viewerId === null || sessionId === null) throw unauthenticated('NO_TOKEN');
  if (everywhere) {
    await mustBeFresh(context, viewerId, sessionId, password);
    await endSessionsOf(context, viewerId, 'READER');
  } else await endSession(context, sessionId, 'READER');
  return {};
}

/**
 * Ends one of the viewer's sessions, on another device perhaps.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `sessionId`; of another session than that of the request:
 *   `PASSWORD_REQUIRED`, `INVALID_CREDENTIALS`, both about `password`; `RATE_LIMITED`
 */
export async function endSessionOfViewer(
  context: RequestContext,
  input: { sessionId: string; password?: string | null },
) {
  const viewer = await requireViewer(context);
  const sessionId = sessionInput(input.sessionId);
  if ((await loginOf(context, sessionId))?.userId !== viewer.id) {
    throw new UserError('NOT_FOUND', 'No session of yours has this id.', ['input', 'sessionId']);
  }
  if (sessionId !== context.sessionId) await mustBeFresh(context, viewer.id, context.sessionId, input.password);
  return { session: await endedByReader(context, sessionId), viewer };
}

/** @throws {UserError} `PASSWORD_REQUIRED`, `INVALID_CREDENTIALS`, both about `password`; `RATE_LIMITED` */
async function mustBeFresh(
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
