import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CassandraError } from '../src/cassandra/errors.ts';
import type { AppContext, JobHandler } from '../src/context/context.ts';
import { overloaded } from '../src/graphql/errors.ts';
import type { NodeId } from '../src/graphql/ids.ts';
import { JobWorker } from '../src/jobs/jobs.worker.ts';
import { Lease } from '../src/leases/operations.ts';
import { beginJob, beginMove, doJob, doJobsOf, isMoveDone, jobsOf } from '../src/jobs/operations.ts';
import { scheduleJob, unscheduleJob } from '../src/jobs/schedule.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/time/units.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { ownKeyspace, sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { emptyTables } from './support/emptying.ts';
import { intercepted } from './support/intercept.ts';

/**
 * Jobs in isolation: they run page by page, in one process or several, and continue from their
 * position.
 */

let app: AppContext;
/** The positions at which a page began. */
let begun: string[];

beforeAll(async () => {
  ({ app } = await startServer(await sharedKeyspace()));
});

beforeEach(() => {
  begun = [];
});

const newSubject = () => ({ type: 'User', key: randomUUID() }) as const;

/** A handler of three pages. */
const threePages: JobHandler = async (_app, _key, position) => {
  begun.push(position);
  return { '': 'first', first: 'second', second: undefined }[position];
};
const processWith = (handler: JobHandler): AppContext => ({ ...app, jobHandlers: { COUNT: handler } });

/** Runs a page of every job of a subject. */
const turn = async (subject: ReturnType<typeof newSubject>, handler = threePages) => {
  const done: boolean[] = [];
  for (const job of await jobsOf(app, subject)) done.push(await doJob(processWith(handler), job, () => false));
  return done;
};

test('a job continues where its last turn ended, and is deleted when it is done', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  expect(await turn(subject)).toEqual([false]);
  expect(await jobsOf(app, subject)).toMatchObject([{ position: 'first', pages_done: 1 }]);
  // The change that began the job is projected once more.
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  expect(await turn(subject)).toEqual([false]);
  expect(await turn(subject)).toEqual([true]);
  expect(begun).toEqual(['', 'first', 'second']);
  expect(await jobsOf(app, subject)).toEqual([]);
});

test('a server that gets a lease back drops its cached state if another server had the lease, and only then', async () => {
  let now = Date.now();
  const inTime: AppContext = { ...app, clock: () => new Date(now), monotonicNow: () => now };
  const name = `test ${randomUUID()}`;
  const [first, second] = [new Lease(name, randomUUID()), new Lease(name, randomUUID())];
  let forgotten = 0;
  const run = (lease: Lease) => lease.beginRun(inTime, () => forgotten++);
  const takeOver = async (lease: Lease) => {
    // The lease of the first holder has ended; it sees the lease of another server, and that server
    // is dead.
    for (let looks = 0; looks < 2; looks++) {
      await run(lease);
      now += 11_000;
    }
    return run(lease);
  };

  expect(await run(first)).toBe(true);
  forgotten = 0;
  now += 3_000;
  expect(await run(first)).toBe(true);
  expect(forgotten).toBe(0);

  expect(await takeOver(second)).toBe(true);
  forgotten = 0;
  expect(await takeOver(first)).toBe(true);
  expect(forgotten).toBeGreaterThan(0);
  expect(first.runEpoch).toBe(3);
});

test('a released lease is taken at the first read, and only once', async () => {
  const name = `test ${randomUUID()}`;
  const leases = Array.from({ length: 6 }, () => new Lease(name, randomUUID()));
  const [first, ...others] = leases as [Lease, ...Lease[]];
  expect(await first.hold(app)).toBe(true);
  await first.release(app);
  const took = await Promise.all(others.map((lease) => lease.hold(app)));
  expect(took.filter(Boolean)).toHaveLength(1);
  expect(others.find(({ epoch }) => epoch !== undefined)?.epoch).toBe(2);

  // A server that has lost its lease does not take it from its new holder.
  await first.release(app);
  expect(await Promise.all(leases.map((lease) => lease.keep(app)))).toEqual([false, ...took]);
});

test('a job that this server refuses to continue does not report to the caller of its change that nothing was done', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  const refusing = processWith(() => Promise.reject(overloaded('The clock of this server is wrong.', 5)));
  await expect(doJobsOf(refusing, subject)).rejects.toThrow(CassandraError);
  expect(await jobsOf(app, subject)).toHaveLength(1);
});

test('a page in which its process dies is done again', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  await turn(subject);
  await expect(turn(subject, () => Promise.reject(new Error('the process died here')))).rejects.toThrow('died');
  await turn(subject);
  expect(begun).toEqual(['', 'first']);
});

test('a newer change has a separate job, from the beginning', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  await turn(subject);
  await beginJob(app, subject, 'COUNT', 'change 2', new Date());
  await turn(subject);
  expect(begun).toEqual(['', 'first', '']);
  expect(await jobsOf(app, subject)).toHaveLength(2);
});

test('a job without a handler on this server is left to servers that have one', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'NEWER', 'change 1', new Date());
  expect(await turn(subject)).toEqual([false]);
  expect(await jobsOf(app, subject)).toMatchObject([{ kind: 'NEWER' }]);
});

/** Servers that run unfinished jobs, in a keyspace without other servers. */
describe('unfinished jobs', () => {
  let server: TestServer;
  let now = Date.now();

  beforeAll(async () => {
    server = await startServer(await ownKeyspace(), { clock: () => new Date(now) });
  });
  afterEach(() => emptyTables(server.app.cassandra.client, 'jobs'));
  beforeEach(() => {
    // The former holder is dead.
    now += 60_000;
  });

  /** Makes one of several servers, in this process. */
  const serverWith = (handler: JobHandler, more: Partial<AppContext> = {}) => {
    const own: AppContext = {
      ...server.app,
      cassandra: { ...server.app.cassandra },
      jobHandlers: { COUNT: handler },
      ...more,
    };
    const worker = new JobWorker(randomUUID());
    /** Runs the server for some seconds. */
    const runFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        now += 1_000;
        await worker.run(own);
      }
    };
    return { app: own, runFor, run: () => worker.run(own), end: () => worker.end(own) };
  };
  const beginSome = (subjects: readonly NodeId[]) =>
    Promise.all(subjects.map((subject) => beginJob(server.app, subject, 'COUNT', 'change', new Date(now))));
  /** Makes subjects whose jobs are in one shard. */
  const inOneShard = (many: number) =>
    Array.from({ length: many }, () => ({ type: 'User', key: `00000008${randomUUID().slice(8)}` }) as const);
  const left = async () =>
    (await server.app.cassandra.client.execute('SELECT subject FROM jobs')).rows.map((row) => row['subject'] as string);

  test('of a migration are left to a server that has their handler', async () => {
    await beginMove(server.app, '0001-loans', 'LEND', new Date(now));
    const older = serverWith(() => Promise.resolve(undefined));
    await older.runFor(20);
    expect(await isMoveDone(server.app, '0001-loans')).toBe(false);
    expect(await isMoveDone(server.app, '0002-fines')).toBe(true);

    now += 60_000;
    const moved: string[] = [];
    const lend: JobHandler = (_app, migration) => {
      moved.push(migration);
      return Promise.resolve(undefined);
    };
    await serverWith(lend, { jobHandlers: { LEND: lend } }).runFor(20);
    expect(moved).toEqual(['0001-loans']);
    expect(await isMoveDone(server.app, '0001-loans')).toBe(true);
  });

  test('are left to a later release while a server of it is alive', async () => {
    const [subject] = inOneShard(1);
    const done: string[] = [];
    const countingBy = (who: string) =>
      serverWith(() => {
        done.push(who);
        return Promise.resolve(undefined);
      });
    const [older, later] = [countingBy('older'), countingBy('later')];
    await older.runFor(20);
    await beginSome([subject!]);
    const see = (isLaterAlive: boolean) => {
      transactionLog(older.app).isOutdated = isLaterAlive;
    };
    see(true);
    await older.runFor(1);
    // The lease was given back: otherwise the later one would have to wait until it expires.
    await later.runFor(7);
    await older.runFor(1);
    expect(done).toEqual(['later']);

    see(false);
    await later.end();
    await beginSome([subject!]);
    await older.runFor(20);
    expect(done).toEqual(['later', 'older']);
  });

  test('all finish, however many are in a shard, and however many of the first ones fail', async () => {
    const subjects = inOneShard(250);
    await beginSome(subjects);
    const keys = subjects.map(({ key }) => key).toSorted();
    const failing = new Set<string>(keys.slice(0, 120));
    const done: string[] = [];
    let isMended = false;
    const one = serverWith(async (_app, key) => {
      if (failing.has(key) && !isMended) throw new Error('this one fails');
      done.push(key);
      return undefined;
    });
    // The server of the request runs them for some seconds.
    await one.runFor(5);
    expect(done).toEqual([]);
    await one.runFor(10);
    expect(done.toSorted()).toEqual(keys.slice(120));
    isMended = true;
    await one.runFor(10);
    expect(done.toSorted()).toEqual(keys);
    expect(await left()).toEqual([]);
  });

  test('do not wait for a failing one, which is retried less and less often, reported, and never dropped', async () => {
    const subjects = inOneShard(8);
    const failing = subjects.map(({ key }) => key).toSorted()[0]!;
    await beginSome(subjects);
    const tries: number[] = [];
    const done: string[] = [];
    let isMended = false;
    const told: object[] = [];
    const logger = Object.assign(Object.create(server.app.logger) as AppContext['logger'], {
      error: (about: object) => told.push(about),
    });
    const one = serverWith(
      async (_app, key) => {
        if (key !== failing || isMended) return void done.push(key);
        tries.push(now);
        throw new Error('this one fails');
      },
      { logger },
    );
    await one.runFor(80);
    expect(done).toHaveLength(7);
    expect(await left()).toEqual([`User:${failing}`]);
    // 1 s, 2 s, 4 s … and never longer than 30 s
    expect(tries.slice(1).map((time, index) => time - tries[index]!)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000,
    ]);
    expect(told.at(-1)).toMatchObject({ kind: 'COUNT', subject: `User:${failing}`, failures: 7 });
    const gauges = async () =>
      /^jobs_(failing|unfinished)\{kind="COUNT"\} \d+$/gm[Symbol.match](
        await (await fetch(`${server.url}/metrics`)).text(),
      );
    expect(await gauges()).toEqual(['jobs_unfinished{kind="COUNT"} 1', 'jobs_failing{kind="COUNT"} 1']);

    isMended = true;
    await one.runFor(70);
    expect(done).toContain(failing);
    expect(await left()).toEqual([]);
    expect(await gauges()).toBeNull();
  });

  test('are reported like failing ones if a server has no handler for them', async () => {
    await beginJob(server.app, newSubject(), 'NEWER', 'change', new Date(now));
    await serverWith(threePages).runFor(20);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('jobs_failing{kind="NEWER"} 1');
  });

  test('run once, on one of several servers', async () => {
    const subjects = Array.from({ length: 40 }, newSubject);
    await beginSome(subjects);
    const pages: string[] = [];
    const handler: JobHandler = async (_app, key, position) => {
      pages.push(`${key} ${position}`);
      await new Promise(setImmediate);
      return position === 'last' ? undefined : 'last';
    };
    const servers = Array.from({ length: 3 }, () => serverWith(handler));
    for (let second = 0; second < 20; second++) {
      now += 1_000;
      await Promise.all(servers.map(({ run }) => run()));
    }
    expect(pages.toSorted()).toEqual(subjects.flatMap(({ key }) => [`${key} `, `${key} last`]).toSorted());
    expect(await left()).toEqual([]);
  });

  test('are continued by another server when their server dies, and not before', async () => {
    const subject = newSubject();
    const dying = serverWith((_app, _key, position) => {
      begun.push(`dying ${position}`);
      return position === '' ? Promise.resolve('first') : new Promise(() => undefined);
    });
    await dying.runFor(20);
    await beginSome([subject]);
    now += 7_000;
    const advance = () => {
      void dying.run();
      return begun;
    };
    await expect.poll(advance).toEqual(['dying ', 'dying first']);

    const next = serverWith(threePages);
    await next.runFor(10);
    expect(begun).toHaveLength(2);
    await next.runFor(15);
    expect(begun.slice(2)).toEqual(['first', 'second']);
    expect(await left()).toEqual([]);
  });

  describe('scheduled jobs', () => {
    const at = (dueAt: number) => ({ kind: 'COUNT', cause: 'change', dueAt: new Date(dueAt) });
    const waiting = async () => {
      const { client } = server.app.cassandra;
      const tables = ['scheduled_jobs', 'scheduled_job_hours'].map((table) =>
        client.execute(`SELECT hour FROM ${table}`),
      );
      return (await Promise.all(tables)).map(({ rowLength }) => rowLength);
    };
    let done: string[];
    const handler: JobHandler = async (_app, key) => void done.push(key);

    beforeEach(() => {
      done = [];
    });
    afterEach(() => emptyTables(server.app.cassandra.client, 'scheduled_jobs', 'scheduled_job_hours'));

    test('begin when they are due, and not before; cancelled ones never do', async () => {
      const [subjects, takenBack] = [inOneShard(3), newSubject()];
      const due = at(now + 2 * HOUR_MS);
      for (const subject of [...subjects, takenBack]) await scheduleJob(server.app, subject, due);
      await unscheduleJob(server.app, takenBack, due);
      // A slow process projects that once more.
      await scheduleJob(server.app, takenBack, due);

      const one = serverWith(handler);
      now = due.dueAt.getTime() - 30_000;
      await one.runFor(20);
      expect(done).toEqual([]);
      // They begin a minute after their hour, which ends up to an hour later.
      now += HOUR_MS + 2 * MINUTE_MS;
      await one.runFor(20);
      expect(done.toSorted()).toEqual(subjects.map(({ key }) => key).toSorted());
      expect((await waiting())[0]).toBe(0);
      now += DAY_MS;
      await one.runFor(20);
      expect(await waiting()).toEqual([0, 0]);
    });

    test('begin even if they become visible hours later', async () => {
      const late = newSubject();
      const due = at(now + HOUR_MS);
      const asOf = new Date(now);
      const one = serverWith(handler);
      // The hour has passed, but its job is not visible yet.
      await scheduleJob(server.app, late, due);
      await emptyTables(server.app.cassandra.client, 'scheduled_jobs');
      now += 3 * HOUR_MS;
      await one.runFor(20);
      expect(done).toEqual([]);
      await scheduleJob({ ...server.app, clock: () => asOf }, late, due);
      now += DAY_MS;
      await one.runFor(20);
      expect(done).toEqual([late.key]);
      expect(await waiting()).toEqual([0, 0]);
    });

    test('begin soon if they were already due, but not in an hour that may already be finished', async () => {
      const late = newSubject();
      await scheduleJob(server.app, late, at(now - DAY_MS));
      const { rows } = await server.app.cassandra.client.execute('SELECT hour FROM scheduled_jobs');
      expect(rows.map((row) => (row['hour'] as Date).getTime() - now >= HOUR_MS)).toEqual([true]);
      now += 2 * HOUR_MS + 2 * MINUTE_MS;
      await serverWith(handler).runFor(20);
      expect(done).toEqual([late.key]);
    });

    test.each(['INSERT INTO jobs', 'DELETE FROM scheduled_jobs', 'DELETE FROM scheduled_job_hours'])(
      'begin even if the server that begins them dies at %s',
      async (begins) => {
        const subject = newSubject();
        await scheduleJob(server.app, subject, at(now + HOUR_MS));
        now += 3 * HOUR_MS + DAY_MS;
        const cassandra = intercepted(server.app.cassandra, ({ cql, send }) =>
          cql.startsWith(begins) ? Promise.reject(new Error('the process died here')) : send(),
        );
        await expect(serverWith(handler, { cassandra }).runFor(20)).rejects.toThrow('died');
        now += 60_000;
        await serverWith(handler).runFor(40);
        expect(done).toEqual([subject.key]);
        expect(await waiting()).toEqual([0, 0]);
      },
    );
  });
});
