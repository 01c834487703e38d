import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { transactionKinds } from '../src/app/workers.ts';
import type { AppContext } from '../src/context/context.ts';
import { beginJob, doJobsOf, jobsOf } from '../src/jobs/operations.ts';
import { findDeadLetters, isEarlierReleaseAlive, isLaterReleaseAlive } from '../src/transactions/operations.ts';
import { sendHeartbeat, retryDeadLetters } from '../src/transactions/recovery.worker.ts';
import { ownKeyspace, startServer } from './support/app.ts';
import { emptyTables } from './support/emptying.ts';
import { intercepted } from './support/intercept.ts';
import { anotherProcess, counting, kindsOf, leaveEntry, liveLong, liveOn } from './support/transactions.ts';

/** The transaction log while servers of two releases are alive. */

let app: AppContext;

beforeAll(async () => {
  ({ app } = await startServer(await ownKeyspace()));
});
beforeEach(() => emptyTables(app.cassandra.client, 'transaction_log', 'incarnations', 'transaction_dead_letters'));

const deadLetters = () => Array.fromAsync(findDeadLetters(app));

const LATER = '999.0.0';
/** Makes a process of a later release. */
const later = () =>
  anotherProcess(app, {
    cassandra: intercepted(app.cassandra, ({ cql, values, send }) => {
      if (cql.startsWith('INSERT INTO incarnations')) Object.assign(values, { release: LATER });
      return send();
    }),
  });

describe('a transaction that a later release has logged', () => {
  const LOGGED = 8;
  const leaveSome = async () => {
    for (let number = 1; number <= LOGGED; number++) await leaveEntry(later(), 'newer', `{"number":${number}}`);
  };
  const newer = (recovered: number[]) => ({ ...counting(recovered), name: 'newer' });

  test('is left to a server of that release, however many older ones are alive', async () => {
    await leaveSome();
    const olderOnes = Array.from({ length: 3 }, () => anotherProcess(app));
    const newest = later();
    const recovered: number[] = [];
    for (let seconds = 0; seconds < 8; seconds++) {
      for (const process of [...olderOnes, newest]) {
        process.pass(1_000);
        await sendHeartbeat(process);
      }
      for (const process of olderOnes) await liveOn(process, kindsOf(counting(recovered)));
      await liveOn(newest, kindsOf(counting(recovered), newer(recovered)));
    }
    expect(recovered.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await deadLetters()).toEqual([]);
    expect(olderOnes.every(isLaterReleaseAlive)).toBe(true);
    expect([newest, ...olderOnes].map((process) => isEarlierReleaseAlive(process, LATER))).not.toContain(false);
    expect(isEarlierReleaseAlive(newest, '1.0.0')).toBe(false);
  });

  test('becomes dead letters while no such server is alive, and the next such server finishes them', async () => {
    await leaveSome();
    const older = anotherProcess(app);
    await liveLong(older, kindsOf(counting([])));
    expect(await deadLetters()).toHaveLength(LOGGED);
    expect(isLaterReleaseAlive(older)).toBe(false);
    const recovered: number[] = [];
    await retryDeadLetters(app, kindsOf(newer(recovered)));
    expect(recovered.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test.each(transactionKinds.map(({ name, payload }) => [name, payload] as const))(
    'is not finished by half: a payload of the kind %s with a field that this release does not know is refused',
    (_kind, payload) => {
      const open = objectsIn(z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any' })).filter(
        ({ additionalProperties: others }) => others !== false,
      );
      expect(open).toEqual([]);
    },
  );
});

test('the jobs of a change are left to a later release while it is alive, even by the request that made it', async () => {
  const done: string[] = [];
  const work = (_app: AppContext, key: string) => Promise.resolve(void done.push(key));
  const [older, newest] = [anotherProcess(app, { jobHandlers: { ERASE: work } }), later()];
  const live = async (...processes: ReturnType<typeof later>[]) => {
    for (const process of processes) {
      process.pass(1_000);
      await liveOn(process);
    }
  };
  for (let seconds = 0; seconds < 8; seconds++) await live(newest, older);
  const subject = { type: 'User', key: randomUUID() } as const;
  await beginJob(older, subject, 'ERASE', 'deleted', older.clock());
  await doJobsOf(older, subject);
  expect([done, (await jobsOf(older, subject)).length]).toEqual([[], 1]);

  for (let seconds = 0; seconds < 8; seconds++) await live(older);
  await doJobsOf(older, subject);
  expect([done, await jobsOf(older, subject)]).toEqual([[subject.key], []]);
});

/** Returns the schemas of all objects within a JSON schema. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, ...more } = schema as Record<string, unknown>;
  const within = Object.values(more).flatMap(objectsIn);
  return type === 'object' ? [more, ...within] : within;
}
