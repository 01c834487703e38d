import { accountById, type User } from '../identity/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { changeOf } from '../aggregates/aggregate.ts';
import { ended, isOpen, sessionAuthority } from './authority.ts';
import { expiryOf, goOn, type OpenedSession } from './operations.ts';
import type { SessionState } from './tables.ts';
import { isGenuine, nextRefreshToken, nextRefreshTokenOf, refreshHash, sessionOfRefreshToken } from './tokens.ts';
import { liveSessions } from './liveness.ts';

/** What a refresh token is worth. */
type Verdict =
  | { readonly is: 'current'; readonly next: string }
  /** The one directly before, within the grace: another tab was faster, or the answer was lost. */
  | { readonly is: 'former'; readonly next: string }
  /** One that was good once: somebody has a copy of it. */
  | { readonly is: 'reused' }
  | { readonly is: 'worthless' };

function judge({ config }: AppContext, state: SessionState | undefined, token: string, now: Date): Verdict {
  if (!state?.logged_in_at || !isOpen(state, now)) return { is: 'worthless' };
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
  return { is: isGenuine(config, token) ? 'reused' : 'worthless' };
}

/**
 * Goes on with a session: a new access token, and the refresh token that follows the given one.
 * @throws {UserError} `INVALID_TOKEN` for anything but the current token; one of before ends the session as well
 */
export async function refreshTokens(
  context: RequestContext,
  { refreshToken }: { refreshToken: string },
): Promise<OpenedSession & { viewer: User }> {
  const now = context.clock();
  const sessionId = sessionOfRefreshToken(refreshToken);
  if (sessionId === undefined) throw invalidToken();
  const payload = { sessionId, login: false };
  let state = await sessionAuthority.read(context, payload);
  let verdict = judge(context, state, refreshToken, now);
  if (verdict.is === 'current' || verdict.is === 'reused') {
    await sessionAuthority.change(context, payload, state, (current) => {
      verdict = judge(context, current, refreshToken, now);
      state = current && after(context, current, verdict, now);
      return state === current ? undefined : state;
    });
    liveSessions(context).forget(sessionId);
  }
  if (!state?.user_id || (verdict.is !== 'current' && verdict.is !== 'former')) throw invalidToken();
  const viewer = await accountById(context, state.user_id);
  if (!viewer) throw invalidToken();
  return { viewer, ...(await goOn(context, sessionId, state, verdict.next, now)) };
}

/** The session as a token leaves it. */
function after(app: AppContext, state: SessionState, verdict: Verdict, now: Date): SessionState {
  if (verdict.is === 'reused') return ended(app, state, 'TOKEN_REUSE', now);
  if (verdict.is !== 'current' || !state.logged_in_at) return state;
  return {
    ...state,
    ...changeOf(app, state, now),
    active_at: now,
    expires_at: expiryOf(app, state.logged_in_at, now),
    refresh_hash: refreshHash(verdict.next),
    former_refresh_hash: state.refresh_hash,
    refreshed_at: now,
  };
}

const invalidToken = () =>
  new UserError('INVALID_TOKEN', 'This refresh token is not good (any more). Log in again.', ['input', 'refreshToken']);
