import { randomUUID } from 'node:crypto';
import { errors } from 'cassandra-driver';
import { beforeAll, expect, test } from 'vitest';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { idArgument } from '../src/graphql/ids.ts';
import { all } from '../src/cassandra/maybe-promise.ts';
import { forgetLiveness, isSessionOpen } from '../src/sessions/liveness.ts';
import { startSession } from '../src/sessions/operations.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD } from './support/client.ts';
import { heldUpAt } from './support/held-up.ts';
import { intercepted } from './support/intercept.ts';
import { anotherProcess, liveLong } from './support/transactions.ts';
import { HOUR_MS } from '../src/time/units.ts';

/** Sessions of a process that is paused while recovery and an erasure run. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
});

/** Makes another process take over all unfinished work. */
const recover = () => liveLong(anotherProcess(server.app));

test('a session that recovery abandoned is still begun, or has an unknown outcome', async () => {
  let isSlow = true;
  const atCrashPoint = async (name: string) => {
    if (name !== 'session: before compare-and-set' || !isSlow) return;
    isSlow = false;
    await recover();
  };
  const [started] = await Promise.allSettled([
    startSession(requestContext({ ...server.app, atCrashPoint }, ANONYMOUS), {}),
  ]);
  if (started.status === 'rejected') expect(started.reason).toMatchObject({ outcome: 'unknown' });
});

test('an attempt with a lost answer does not begin a session again after its account is erased', async () => {
  const reader = await server.client().registerSomebody();
  const viewerId = idArgument('id', reader.viewerId).key;
  let isHeard = false;
  const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
    const result = await send();
    if (!cql.startsWith('UPDATE sessions_by_id') || isHeard) return result;
    isHeard = true;
    await recover();
    expect((await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename')).userErrors).toEqual([]);
    expect(await server.rowsAbout([viewerId])).toEqual(['users_by_id']);
    throw new errors.OperationTimedOutError('no answer');
  });
  const atCrashPoint = (name: string) => {
    if (name === 'session: after compare-and-set') throw new Error('the process died here');
  };
  const context = requestContext({ ...server.app, cassandra, atCrashPoint }, { ...ANONYMOUS, viewerId });
  await expect(startSession(context, {})).rejects.toThrow();
  await recover();
  expect(await server.rowsAbout([viewerId])).toEqual(['users_by_id']);
});

test('a check if a session is open is answered even while the session is being erased', async () => {
  const [asked, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const cassandra = intercepted(server.app.cassandra, async ({ send }) => {
    asked.resolve(undefined);
    await released.promise;
    return send();
  });
  const app = { ...server.app, cassandra };
  const owner = { userId: randomUUID(), sessionId: randomUUID() };
  const answer = isSessionOpen(app, owner, new Date());
  await asked.promise;

  forgetLiveness(app, owner.sessionId);
  released.resolve(undefined);
  expect(await answer).toBe(false);
});

test('the sessions of requests that arrive together are read by one statement', async () => {
  const asked: string[] = [];
  const cassandra = intercepted(server.app.cassandra, ({ values, send }) => {
    asked.push(String(values['session_ids']));
    return send();
  });
  const app = { ...server.app, cassandra };
  const sessions = await Promise.all([1, 2].map(() => startSession(requestContext(server.app, ANONYMOUS), {})));
  const owners = sessions.map(({ session }) => ({ userId: randomUUID(), sessionId: session.id }));
  const answers = [];
  for (const owner of owners) {
    answers.push(isSessionOpen(app, owner, new Date()));
    // The next request arrives in the same turn of the event loop.
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
  }
  // The session is open, but belongs to no reader.
  expect(await all(answers)).toEqual([false, false]);
  expect(asked).toEqual([owners.map(({ sessionId }) => sessionId).join()]);
});

test('an erasure finds the clicks of an hour after it abandoned the clicks of another hour', async () => {
  const hoursAgo = await startServer(server.app.config, { clock: () => new Date(Date.now() - 3 * HOUR_MS) });
  const early = await hoursAgo.client().registerSomebody();
  const { viewer } = await early.data('{ viewer { sessions { edges { node { id startedAt } } } } }');
  const { id: sessionId, startedAt } = viewer.sessions.edges[0].node as { id: string; startedAt: string };
  const click = (at: string) => ({ sessionId, clicks: [{ id: randomUUID(), at, target: 'cover' }] });
  expect(await early.mutate('recordClicks', click(startedAt), 'recorded')).toMatchObject({ recorded: 1 });

  const reader = await server.client().login(early.email);
  const goOnClicking = await heldUpAt(server, 'clicks: before compare-and-set', reader, (client) =>
    client.mutate('recordClicks', click(new Date().toISOString()), 'recorded'),
  );
  const goOnLeaving = await heldUpAt(server, 'account: after compare-and-set', reader, (client) =>
    client.mutate('deleteAccount', { password: PASSWORD }, '__typename'),
  );
  await goOnClicking();
  expect(await goOnLeaving()).toMatchObject({ userErrors: [] });
  expect(await server.rowsAbout([idArgument('id', sessionId).key])).toEqual(['sessions_by_id']);
});
