import { errors } from 'cassandra-driver';
import { beforeAll, expect, test } from 'vitest';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { transactionKinds } from '../src/app/workers.ts';
import { idArgument } from '../src/graphql/ids.ts';
import { startSession } from '../src/sessions/operations.ts';
import { recoverTransactions } from '../src/transactions/recovery.worker.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD } from './support/client.ts';
import { intercepted } from './support/intercept.ts';

/** Sessions of a process that is slow while recovery, and an erasure, pass. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await recoverTransactions(server.app, []);
});

/** Recovery as it is three seconds later. */
const recover = () =>
  recoverTransactions({ ...server.app, clock: () => new Date(Date.now() + 3_000) }, transactionKinds);

test('a session that recovery gave up is begun all the same, or of unknown outcome', async () => {
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

test('an attempt to begin one whose answer was lost does not begin it again when its account is erased', async () => {
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
