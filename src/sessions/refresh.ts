import { accountById, accountSuspended, type User } from '../identity/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { invalidInput, UserError } from '../graphql/errors.ts';
import type { Content } from '../aggregates/state.ts';
import { ended, isOpen, sessions } from './aggregate.ts';
import { expiryOf, issueTokens, type OpenedSession } from './operations.ts';
import type { SessionState } from './tables.ts';
import { isGenuine, nextRefreshToken, nextRefreshTokenOf, refreshHash, sessionOfRefreshToken } from './tokens.ts';
import { forgetLiveness } from './liveness.ts';

/** The verdict on a refresh token. */
type Verdict =
  | { readonly is: 'current'; readonly next: string }
  /**
   * The directly preceding token within the grace period: another tab was faster, or the answer was
   * lost.
   */
  | { readonly is: 'former'; readonly next: string }
  /** An older token that was once valid, so it may be a stolen copy. */
  | { readonly is: 'reused' }
  | { readonly is: 'worthless' };

function judge({ config }: AppContext, state: SessionState | undefined, token: string, now: Date): Verdict {
  // A session ends when the secret that made its tokens is removed.
  if (!state?.logged_in_at || !isOpen(state, now) || !isGenuine(config, token)) return { is: 'worthless' };
  const { refresh_hash, former_refresh_hash, refreshed_at } = state;
  const hash = refreshHash(token);
  if (hash === refresh_hash) return { is: 'current', next: nextRefreshToken(config, token) };
  const isGraceful =
    hash === former_refresh_hash &&
    refreshed_at !== null &&
    now.getTime() - refreshed_at.getTime() <= config.sessions.refreshGraceSeconds * 1_000;
  if (isGraceful && refresh_hash !== null) {
    const next = nextRefreshTokenOf(config, token, refresh_hash);
    return next === undefined ? { is: 'worthless' } : { is: 'former', next };
  }
  return { is: 'reused' };
}

/**
 * Continues a session: returns a new access token, and the refresh token that follows the given
 * one. If none is given, the token of the cookie is used.
 * @throws {UserError} `INVALID_INPUT` if there is neither; `INVALID_TOKEN` for anything but the
 *   current token or, within the grace period, the one before it; an older one also ends the
 *   session. `ACCOUNT_SUSPENDED` for a token that would otherwise be valid, or was the last one of
 *   a session that has ended.
 */
export async function refreshTokens(
  context: RequestContext,
  input: { refreshToken?: string | null },
): Promise<OpenedSession & { viewer: User }> {
  const refreshToken = input.refreshToken ?? tokenOfCookie(context);
  const path = input.refreshToken == null ? ['input'] : ['input', 'refreshToken'];
  const now = context.clock();
  const sessionId = sessionOfRefreshToken(refreshToken);
  if (sessionId === undefined) throw invalidToken(path);
  const key = { sessionId, login: null };
  const found = await sessions.read(context, key);

  const isToChange = ['current', 'reused'].includes(judge(context, found, refreshToken, now).is);
  const { before, state } = isToChange
    ? await sessions.change(context, key, found, (current, at) => after(context, current, refreshToken, at))
    : { before: found, state: found };
  if (isToChange) forgetLiveness(context, sessionId);

  const verdict = judge(context, before, refreshToken, now);
  const isGood = verdict.is === 'current' || verdict.is === 'former';
  // The error about a suspended account is only for the holder of the last token, even if the
  // session has ended.
  const isLast = state?.refresh_hash === refreshHash(refreshToken);
  if (!state?.user_id || (!isGood && !isLast)) throw invalidToken(path);
  const viewer = await accountById(context, state.user_id);
  if (viewer?.isSuspended) throw accountSuspended(path);
  if (!viewer || !isGood) throw invalidToken(path);

  return { viewer, ...(await issueTokens(context, sessionId, state, verdict.next, now)) };
}

/**
 * Returns the refresh token of the request's cookie.
 * @throws {UserError} `INVALID_INPUT` if the request uses no cookie; `INVALID_TOKEN` if the browser
 *   has none
 */
function tokenOfCookie({ refreshCookie }: RequestContext): string {
  if (!refreshCookie) throw invalidInput(['refreshToken'], 'Send the refresh token of the last answer.');
  if (refreshCookie.sent === undefined) throw invalidToken(['input']);
  return refreshCookie.sent;
}

/** Returns the session after a refresh with a token; `undefined` if the token changes nothing. */
function after(
  app: AppContext,
  state: SessionState | undefined,
  token: string,
  at: Date,
): Content<SessionState> | undefined {
  const verdict = judge(app, state, token, at);
  if (!state?.logged_in_at) return undefined;
  if (verdict.is === 'reused') return ended(state, 'TOKEN_REUSE', at);
  if (verdict.is !== 'current') return undefined;
  return {
    ...state,
    active_at: at,
    expires_at: expiryOf(app, state.logged_in_at, at),
    refresh_hash: refreshHash(verdict.next),
    former_refresh_hash: state.refresh_hash,
    refreshed_at: at,
  };
}

const invalidToken = (path: readonly string[]) =>
  new UserError('INVALID_TOKEN', 'This refresh token is invalid or has expired. Log in again.', path);
