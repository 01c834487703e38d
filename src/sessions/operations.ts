import pLimit from 'p-limit';
import { accountNow } from '../identity/operations.ts';
import { monthly, monthsOf } from '../activity/months.ts';
import type { TimeRange } from '../time/ranges.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { encodeId, keyInput } from '../graphql/ids.ts';
import { shownInput } from '../graphql/inputs.ts';
import { ended, isOpen, sessions, UNBEGUN } from './aggregate.ts';
import { selectSessions, selectSessionsOfMonth, sessionsByStart, type SessionState } from './tables.ts';
import { firstRefreshToken, issueAccessToken, refreshHash } from './tokens.ts';
import { sessionLoader } from './loaders.ts';
import { forgetLiveness } from './liveness.ts';
import { each, first } from '../cassandra/statement.ts';
import { DAY_MS } from '../time/units.ts';

/** A session: one device that uses the library since some moment, with or without a login. */
export interface Session {
  readonly type: 'Session';
  readonly id: string;
  readonly device: string | null;
  readonly startedAt: Date;
  readonly lastActiveAt: Date;
  /** Null while the session is open. */
  readonly endedAt: Date | null;
  /** The moment at which something other than expiry ended the session; null if nothing did. */
  readonly stoppedAt: Date | null;
  /** True for the session of a visitor who did not log in. */
  readonly isAnonymous: boolean;
}

/** A session with the tokens that continue it. */
export interface OpenedSession {
  readonly session: Session;
  readonly accessToken: string;
  readonly accessTokenExpiresAt: Date;
  readonly refreshToken: string;
}

/** The reasons for which a session ends, except expiry. */
export type SessionEnd = NonNullable<SessionState['ended_by']>;

const DEVICE_LENGTH_MAX = 200;
/** The time after which a session without a login expires. It has no token to continue it. */
const VISIT_MS = DAY_MS;
const ENDED_AT_ONCE = 8;

function sessionOf(
  id: string,
  state: Pick<SessionState, 'user_id' | 'device' | 'started_at' | 'active_at' | 'expires_at' | 'ended_at'>,
  now: Date,
): Session {
  const { device, started_at, active_at, expires_at, ended_at } = state;
  if (!started_at || !active_at || !expires_at) throw new Error(`The session ${id} never began`);
  const endedAt = ended_at ?? (expires_at <= now ? expires_at : null);
  const isAnonymous = state.user_id === null;
  return {
    type: 'Session',
    id,
    device,
    startedAt: started_at,
    lastActiveAt: active_at,
    endedAt,
    stoppedAt: ended_at,
    isAnonymous,
  };
}

/**
 * Reads the client's name for its device.
 * @returns null if it is missing or blank
 * @throws {UserError} `INVALID_INPUT` about `device`
 */
export function deviceInput(device: string | null | undefined): string | null {
  if (device == null || device.trim() === '') return null;
  return shownInput(['device'], 'The name of a device', device, DEVICE_LENGTH_MAX, 'REFUSED');
}

/**
 * Reads the id of a session that a client names.
 * @throws {UserError} `INVALID_INPUT` about `sessionId`
 */
export const sessionInput = (id: string): string => keyInput('sessionId', id, 'Session', 'a session');

/**
 * Begins a session without a login, for a caller that is signed out or for the viewer.
 * @throws {UserError} `INVALID_INPUT` about `device`
 */
export async function startSession(context: RequestContext, input: { device?: string | null }) {
  const device = deviceInput(input.device);
  const sessionId = context.randomId();

  const { state } = await sessions.change(context, { sessionId, login: null }, undefined, (found, at) =>
    // If this process was slow, recovery may have given the session up. Then it never began.
    found?.started_at
      ? undefined
      : {
          ...begun(undefined, device, at),
          user_id: context.viewerId,
          expires_at: new Date(at.getTime() + VISIT_MS),
        },
  );
  if (!state) throw new Error(`The session ${sessionId} was not begun`);

  return { session: sessionOf(sessionId, state, context.clock()) };
}

/** The common part of a new session and of a visitor's session that becomes a reader's. */
const begun = (visit: SessionState | undefined, device: string | null, at: Date) => ({
  ...UNBEGUN,
  device: device ?? visit?.device ?? null,
  started_at: visit?.started_at ?? at,
  active_at: at,
});

/** A login: the reader, how they logged in, and the visitor's session they had before. */
export interface LoginSession {
  readonly userId: string;
  readonly by: 'LOGIN' | 'REGISTER';
  readonly device: string | null;
  /** The id of a visitor's session. It becomes the reader's if it is open and has no reader. */
  readonly visitId: string | undefined;
}

/** Opens the session of a login. */
export async function openSession(context: RequestContext, login: LoginSession): Promise<OpenedSession> {
  const sessionId = login.visitId ?? context.randomId();
  // The address is empty if the server itself logs in.
  const key = { sessionId, login: { address: context.address === '' ? null : context.address } };
  const refreshToken = firstRefreshToken(context.config, sessionId);
  const isFree = (found: SessionState | undefined, at: Date) =>
    login.visitId === undefined ? !found : found?.user_id === null && isOpen(found, at);

  const expected = login.visitId === undefined ? undefined : await sessions.read(context, key);
  const { changed, state } = await sessions.change(context, key, expected, (found, at) =>
    isFree(found, at)
      ? {
          ...begun(found, login.device, at),
          user_id: login.userId,
          logged_in_at: at,
          logged_in_by: login.by,
          expires_at: expiryOf(context, at, at),
          refresh_hash: refreshHash(refreshToken),
        }
      : undefined,
  );
  // The visitor's session belongs to another reader, has ended or was removed. That does not refuse
  // the login.
  if (!changed || !state) return openSession(context, { ...login, visitId: undefined });

  forgetLiveness(context, sessionId);
  return issueTokens(context, sessionId, state, refreshToken, context.clock());
}

/**
 * Returns the moment at which a session expires: `idleSeconds` after its last refresh, but at the
 * latest `seconds` after its login.
 */
export function expiryOf({ config }: AppContext, loggedInAt: Date, now: Date): Date {
  const { seconds, idleSeconds } = config.sessions;
  return new Date(Math.min(now.getTime() + idleSeconds * 1_000, loggedInAt.getTime() + seconds * 1_000));
}

/** Issues new tokens, and makes the rest of the request act for the reader of the session. */
export async function issueTokens(
  context: RequestContext,
  sessionId: string,
  state: SessionState,
  refreshToken: string,
  now: Date,
): Promise<OpenedSession> {
  if (state.user_id === null) throw new Error(`The session ${sessionId} is a visitor's`);
  context.viewerId = state.user_id;
  context.sessionId = sessionId;
  const access = await issueAccessToken(context.config, { userId: state.user_id, sessionId }, now);
  const { refreshCookie } = context;
  if (refreshCookie) {
    const leftMs = (state.expires_at?.getTime() ?? 0) - now.getTime();
    refreshCookie.next = { token: refreshToken, seconds: Math.max(0, Math.floor(leftMs / 1_000)) };
  }
  return { session: sessionOf(sessionId, state, now), ...access, refreshToken };
}

/** Removes the cookie of the refresh token, if the request uses one. */
export function removeRefreshCookie({ refreshCookie }: RequestContext): void {
  if (refreshCookie) refreshCookie.next = null;
}

/**
 * Ends a session if it is open and a condition holds.
 * @param isVoid the condition; it receives the moment of the login, null if there was none
 */
export async function endSession(
  app: AppContext,
  sessionId: string,
  by: SessionEnd,
  isVoid: (loggedInAt: Date | null) => boolean = () => true,
): Promise<void> {
  const key = { sessionId, login: null };
  const expected = await sessions.read(app, key);
  await sessions.change(app, key, expected, (state, at) =>
    state && isOpen(state, at) && isVoid(state.logged_in_at) ? ended(state, by, at) : undefined,
  );
  forgetLiveness(app, sessionId);
}

/** Ends a session at its reader's request, and returns it after that. */
export async function endedByReader(context: RequestContext, sessionId: string): Promise<Session | null> {
  await endSession(context, sessionId, 'READER');
  sessionLoader(context).clear(sessionId);
  return sessionById(context, sessionId);
}

/**
 * Returns the reader of a session (null for a visitor's) and the moment of their login; `undefined`
 * if there is no such session.
 */
export async function loginOf(
  context: RequestContext,
  sessionId: string,
): Promise<{ readonly userId: string | null; readonly loggedInAt: Date | null } | undefined> {
  const state = (await sessionLoader(context).load(sessionId))?.state;
  return state && { userId: state.user_id, loggedInAt: state.logged_in_at };
}

/**
 * Returns a session of the viewer, or a visitor's session, whose id only that visitor knows.
 * Returns null for any other.
 */
export async function sessionById(context: RequestContext, sessionId: string): Promise<Session | null> {
  const state = (await sessionLoader(context).load(sessionId))?.state;
  if (!state?.started_at || (state.user_id !== null && state.user_id !== context.viewerId)) return null;
  return sessionOf(sessionId, state, context.clock());
}

/**
 * Returns the id of a session in the form that others may see. It is null for a visitor's session,
 * whose id serves as its password.
 */
export async function visibleSessionId(context: RequestContext, sessionId: string): Promise<string | null> {
  const state = (await sessionLoader(context).load(sessionId))?.state;
  return state && state.user_id !== null ? encodeId({ type: 'Session', key: sessionId }) : null;
}

/**
 * Returns the current reader of a session, independent of what the request has read before; null
 * for a visitor's session.
 * @returns `undefined` if the session is missing or its reader's account is deleted
 */
export async function readerOfSession(
  app: AppContext,
  sessionId: string,
): Promise<{ readonly userId: string | null } | undefined> {
  const found = (await first(app.cassandra, selectSessions, { session_ids: [sessionId] }))?.state;
  // The data of a missing session is erased, so only a serial read decides that it is missing.
  const state = found?.started_at ? found : await sessions.read(app, { sessionId, login: null });
  if (!state?.started_at) return undefined;
  const { user_id: userId } = state;
  return userId === null || (await accountNow(app, userId)) ? { userId } : undefined;
}

/**
 * Returns a page of a reader's sessions, last started first.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function sessionsOf(
  context: RequestContext,
  userId: string,
  range: TimeRange,
  page: PageArguments,
): Promise<Connection<{ cursor: Cursor; node: Session; startedAt: Date }>> {
  const now = context.clock();
  const startOf = ({ started_at }: { started_at: Date }) => started_at;
  const { name, options } = await monthly(context, userId, 'sessions', range, startOf);
  const list = { name, descending: true, ...sessionsByStart.list(context.cassandra, { user_id: userId }, options) };
  return connection(page, list, (row, cursor) => {
    const node = sessionOf(row.session_id, { ...row, user_id: userId }, now);
    return { cursor, node, startedAt: node.startedAt };
  });
}

/** Yields all sessions of a reader, newest first. */
export async function* allSessionsOf(app: AppContext, userId: string): AsyncGenerator<Session> {
  for (const month of await monthsOf(app, userId, 'sessions')) {
    for await (const row of each(app.cassandra, selectSessionsOfMonth, { user_id: userId, month }))
      yield sessionOf(row.session_id, { ...row, user_id: userId }, app.clock());
  }
}

/**
 * Ends the open sessions of a reader that match a condition.
 * @param isVoid the condition; it receives the id of a session and the moment of its login, null if
 *   there was none
 */
export async function endSessionsOf(
  app: AppContext,
  userId: string,
  by: SessionEnd,
  isVoid: (sessionId: string, loggedInAt: Date | null) => boolean = () => true,
): Promise<void> {
  // The list is read to its end first. If ending a session failed during a read, the failure would
  // be an unhandled rejection, which ends the process.
  const open: string[] = [];
  for await (const { id, endedAt } of allSessionsOf(app, userId)) if (endedAt === null) open.push(id);

  const end = (id: string) => endSession(app, id, by, (loggedInAt) => isVoid(id, loggedInAt));
  await pLimit(ENDED_AT_ONCE).map(open, end);
}
