import { recordClicks } from '../../../src/clicks/operations.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/time/units.ts';
import type { SentClick, Visit } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import { callSessions } from './sessions.ts';

const CLICKS_MAX = 3;
const TARGETS = ['cover', 'title'] as const;

/**
 * A client sends some clicks of a session, a reader's or a visitor's. Sometimes it sends earlier
 * ones again.
 */
export async function callClicks(scene: Scene): Promise<Outcome> {
  const { world, library, app } = scene;
  const sessions: Visit[] = [...library.sessions, ...library.visits];
  if (sessions.length === 0) return callSessions(scene);
  // The reader is often about to delete the account, so that clicks that are being recorded must be
  // deleted too.
  const leaving = sessions.filter(({ userId }) => userId !== null && library.leaving.has(userId));
  const { userId, sessionId, startedAt } = world.pick(leaving.length > 0 && world.chance(0.3) ? leaving : sessions);

  // The moment is now, in the previous hour, at the beginning of the session, or in the future.
  const now = app.clock().getTime();
  const moment = () => {
    const at = world.pick([now, now, now - HOUR_MS, startedAt.getTime(), now + 4 * MINUTE_MS]);
    return new Date(Math.max(at, startedAt.getTime()));
  };
  const before = library.clicks.filter((click) => click.sessionId === sessionId);
  const sent = Array.from({ length: 1 + world.below(CLICKS_MAX) }, (): SentClick => {
    const again = before.length > 0 && world.chance(0.3) ? world.pick(before) : undefined;
    const at = again && world.chance(0.8) ? again.at : moment();
    return { userId, sessionId, at, id: again?.id ?? world.uuid(), isDone: false };
  });
  library.clicks.push(...sent);

  // A click that is sent again may have other properties than before.
  const clicks = sent.map(({ id, at }) => ({
    id,
    at,
    target: world.pick(TARGETS),
    ...(world.chance(0.7) && { subjectId: encodeId({ type: 'Book', key: world.pick(library.books) }) }),
    ...(world.chance(0.3) && { properties: [{ name: 'design', value: world.pick(['A', 'B']) }] }),
  }));
  const input = { sessionId: encodeId({ type: 'Session', key: sessionId }), clicks };
  const came = await attempt(scene, () => recordClicks(contextOf(scene, userId), input));
  if (came.outcome === 'DONE') for (const click of sent) click.isDone = true;
  return came.outcome;
}
