import { endSessionOfViewer, logout } from '../../../src/accounts/ending-sessions.ts';
import { login, type LoggedIn } from '../../../src/accounts/operations.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { startSession } from '../../../src/sessions/operations.ts';
import { refreshTokens } from '../../../src/sessions/refresh.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import { noteLetIn } from './suspensions.ts';

export const PASSWORD = 'seven sleepy seals sing';

/** A visitor or a reader begins a session without a login. */
async function beginVisit(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const userId = world.chance(0.2) ? world.pick(library.readers) : null;
  const came = await attempt(scene, () => startSession(contextOf(scene, userId), {}));
  if (came.outcome === 'DONE') {
    const { id, startedAt } = came.result.session;
    library.visits.push({ userId, sessionId: id, startedAt });
  }
  return came.outcome;
}

/** A reader who logs in often had a visitor's session before. */
export const visitNow = ({ world, library }: Scene): { sessionId?: string } =>
  library.visits.length > 0 && world.chance(0.4)
    ? { sessionId: encodeId({ type: 'Session', key: world.pick(library.visits).sessionId }) }
    : {};

/** Records a session, so that later calls can continue it. */
export function keepSession({ library }: Scene, { viewer, session, refreshToken }: LoggedIn): void {
  library.sessions.push({ userId: viewer.id, sessionId: session.id, startedAt: session.startedAt, refreshToken });
}

/**
 * A visitor begins a session, or a reader logs in, continues a session (sometimes with an older
 * token), or ends one or all sessions.
 */
export async function callSessions(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const begun = world.steps;
  if (world.chance(0.2)) return beginVisit(scene);
  const open = library.sessions.length > 0 && world.chance(0.6) ? world.pick(library.sessions) : undefined;
  if (!open) {
    const who = { email: world.pick(library.emails), password: PASSWORD, ...visitNow(scene) };
    const came = await attempt(scene, () => login(contextOf(scene, null), who));
    if (came.outcome === 'DONE') {
      keepSession(scene, came.result);
      noteLetIn(scene, came.result.viewer.id, begun);
    }
    return came.outcome;
  }

  const { userId, sessionId, refreshToken } = open;
  const context = contextOf(scene, userId, sessionId);
  if (world.chance(0.6)) {
    const came = await attempt(scene, () => refreshTokens(contextOf(scene, null), { refreshToken }));
    if (came.outcome === 'DONE') {
      noteLetIn(scene, userId, begun);
      if (world.chance(0.9)) open.refreshToken = came.result.refreshToken;
    }
    return came.outcome;
  }
  const end = world.pick<() => Promise<unknown>>([
    () => logout(context, { everywhere: false }),
    () => logout(context, { everywhere: true, password: PASSWORD }),
    () => endSessionOfViewer(context, { sessionId: encodeId({ type: 'Session', key: sessionId }), password: PASSWORD }),
  ]);
  return (await attempt(scene, end)).outcome;
}
