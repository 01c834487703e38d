import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppContext, JobHandler } from '../src/context/context.ts';
import { beginJob, doJob, jobsOf } from '../src/jobs/operations.ts';
import { sharedKeyspace, startServer } from './support/app.ts';

/** Jobs by themselves: done a page at a time, by one process or several, and gone on with from where they were. */

let app: AppContext;
/** The positions at which a page was begun. */
let begun: string[];

beforeAll(async () => {
  ({ app } = await startServer(await sharedKeyspace()));
});

beforeEach(() => {
  begun = [];
});

const newSubject = () => ({ type: 'User', key: randomUUID() }) as const;

/** Three pages. */
const threePages: JobHandler = async (_app, _key, position) => {
  begun.push(position);
  return { '': 'first', first: 'second', second: undefined }[position];
};
const processWith = (handler: JobHandler): AppContext => ({ ...app, jobHandlers: { COUNT: handler } });

/** Gives every job of a subject a turn of one page. */
const turn = async (subject: ReturnType<typeof newSubject>, handler = threePages) => {
  const done: boolean[] = [];
  for (const job of await jobsOf(app, subject)) done.push(await doJob(processWith(handler), job, 0));
  return done;
};

test('a job goes on from where its last turn ended, and is gone when it is done', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  expect(await turn(subject)).toEqual([false]);
  expect(await jobsOf(app, subject)).toMatchObject([{ position: 'first', pages_done: 1 }]);
  // The change that it follows from is projected once more.
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  expect(await turn(subject)).toEqual([false]);
  expect(await turn(subject)).toEqual([true]);
  expect(begun).toEqual(['', 'first', 'second']);
  expect(await jobsOf(app, subject)).toEqual([]);
});

test('a page in which its process dies is done again', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  await turn(subject);
  await expect(turn(subject, () => Promise.reject(new Error('the process died here')))).rejects.toThrow('died');
  await turn(subject);
  expect(begun).toEqual(['', 'first']);
});

test('a newer change has a job of its own, from the beginning', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'COUNT', 'change 1', new Date());
  await turn(subject);
  await beginJob(app, subject, 'COUNT', 'change 2', new Date());
  await turn(subject);
  expect(begun).toEqual(['', 'first', '']);
  expect(await jobsOf(app, subject)).toHaveLength(2);
});

test('one that this server has no handler for is left to those that have', async () => {
  const subject = newSubject();
  await beginJob(app, subject, 'NEWER', 'change 1', new Date());
  expect(await turn(subject)).toEqual([false]);
  expect(await jobsOf(app, subject)).toMatchObject([{ kind: 'NEWER' }]);
});
