import { beforeAll, describe, expect, test } from 'vitest';
import type { AppContext } from '../src/context/context.ts';
import { beginJob, doJobsOf, jobsOf, JOB_SHARDS } from '../src/jobs/operations.ts';
import { beginDueJobs } from '../src/jobs/schedule.ts';
import { DAY_MS, HOUR_MS } from '../src/time/units.ts';
import { startServer, type TestServer } from './support/app.ts';
import { Client, PASSWORD } from './support/client.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';
import { keyOf } from './support/ids.ts';
import { mailInFolder, tokenIn } from './support/mails.ts';

/**
 * If emails must be verified, an account with an unverified email is deleted after a day, so that
 * no reader keeps another person's address.
 */

const AHEAD_MS = DAY_MS + 2 * HOUR_MS;

let survivor: Survivor;
/** The same server a day later. */
let later: TestServer;

beforeAll(async () => {
  const required = { EMAIL_VERIFICATION: 'required', EMAIL_VERIFICATION_DAYS: '1', EMAIL_VERIFICATION_HOURS: '168' };
  survivor = await startSurvivor(required, { CLOCK_AHEAD_MS: String(AHEAD_MS) });
  later = await startServer(survivor.app.config, { clock: () => new Date(Date.now() + AHEAD_MS) });
});

const userIdOf = ({ viewerId }: Client) => keyOf(viewerId);
const subjectOf = (reader: Client) => ({ type: 'User', key: userIdOf(reader) }) as const;
const rowsOf = (reader: Client) => survivor.rowsAbout([userIdOf(reader), reader.email]);
const tryLogin = async (email: string) =>
  (await survivor.client().mutate('login', { email, password: PASSWORD }, 'accessToken')).userErrors;
const tryRegister = async (email: string) =>
  (await survivor.client().mutate('register', { email, password: PASSWORD, fullName: 'Another' }, 'accessToken'))
    .userErrors;
const verify = async (email: string, at: TestServer = survivor) => {
  const mail = await mailInFolder(survivor.app.config.mail.folder!, email, 'Is this your email?');
  return (await at.client().mutate('verifyEmail', { token: tokenIn(mail) }, '__typename')).userErrors;
};

/** Begins due jobs, and runs those of a reader. */
async function passTime(reader: Client, app: AppContext = later.app): Promise<void> {
  for (let shard = 0; shard < JOB_SHARDS; shard++) await beginDueJobs(app, shard, new Set());
  while ((await jobsOf(app, subjectOf(reader))).length > 0) await doJobsOf(app, subjectOf(reader));
}

async function expectGone(reader: Client): Promise<void> {
  expect(await tryLogin(reader.email)).toMatchObject([{ code: 'INVALID_CREDENTIALS' }]);
  // The survivor, whose clock is ahead too, may just have begun the same job once more.
  await expect.poll(() => rowsOf(reader)).toEqual(['users_by_id']);
  expect(await tryRegister(reader.email)).toEqual([]);
}

/** One server dies at these points of a registration and of the verification of another email. */
const REGISTRATION = ['account: before deadline', 'account: after deadline'];
const VERIFICATION = points('account', ['compare-and-set', 'reservation', 'release', 'name', 'events']);
const verifying = new Map<string, Client>();
const tokens = new Map<string, string>();
const inputOf = (point: string) => ({
  email: `${point.replace(/\W+/g, '-')}@example.com`,
  password: PASSWORD,
  fullName: 'Ann Lee',
});

beforeAll(async () => {
  for (const point of VERIFICATION) {
    const reader = await survivor.client().registerSomebody();
    expect(await verify(reader.email)).toEqual([]);
    await reader.mutate('changeEmail', { email: `x-${reader.email}`, password: PASSWORD }, '__typename');
    const mail = await mailInFolder(survivor.app.config.mail.folder!, `x-${reader.email}`, 'Is this your email?');
    verifying.set(point, reader);
    tokens.set(point, tokenIn(mail));
  }
  await survivor.crashAtEach([...REGISTRATION, ...VERIFICATION], (client, point) =>
    REGISTRATION.includes(point)
      ? client.mutate('register', inputOf(point), 'accessToken')
      : client.mutate('verifyEmail', { token: tokens.get(point) }, '__typename'),
  );
});

describe('a registration, killed at every point of its deadline', () => {
  test.each(REGISTRATION)('%s: it has one', async (point) => {
    const { email } = inputOf(point);
    const reader = await survivor.client().login(email);
    expect(await rowsOf(reader)).toContain('scheduled_jobs');
  });
});

describe('the verification of another email, killed at every point', () => {
  test.each(VERIFICATION)(
    '%s: the account has it, verified, and the former one is free; or the token is still valid',
    async (point) => {
      const reader = verifying.get(point)!;
      const { viewer } = await reader.data('{ viewer { email isEmailVerified } }');
      const email = isUndecided(point) ? reader.email : `x-${reader.email}`;
      expect(viewer).toEqual({ email, isEmailVerified: true });
      const again = await survivor.client().mutate('verifyEmail', { token: tokens.get(point) }, '__typename');
      expect(again.userErrors).toMatchObject(isUndecided(point) ? [] : [{ code: 'INVALID_TOKEN' }]);
      expect(await tryRegister(reader.email)).toEqual([]);
    },
  );
});

describe('an expiry, killed at every point', () => {
  const all = [
    ...points('account', ['compare-and-set', 'release', 'sessions', 'job', 'deadline']),
    'EXPIRE: after page 1',
  ];
  const readers = new Map<string, Client>();

  beforeAll(async () => {
    for (const point of all) readers.set(point, await survivor.client().registerSomebody());
    await survivor.crashAtEach(all, async ({ url }, point) => {
      const body = JSON.stringify({ subject: `User:${userIdOf(readers.get(point)!)}`, kind: 'EXPIRE' });
      await fetch(`${url}/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'crash-at': point },
        body,
      });
    });
  });

  test.each(all)(
    '%s: the account is deleted with all data, or unchanged, and deleted by the next attempt',
    async (point) => {
      const reader = readers.get(point)!;
      if (isUndecided(point)) {
        expect(await tryLogin(reader.email)).toEqual([]);
        // The first survivor may have begun its due job already.
        expect((await rowsOf(reader)).filter((table) => ['scheduled_jobs', 'jobs'].includes(table))).toHaveLength(1);
        expect(await tryRegister(reader.email)).toMatchObject([{ code: 'EMAIL_TAKEN' }]);
        await passTime(reader);
      }
      await expectGone(reader);
    },
  );
});

describe('an account whose email is not verified', () => {
  test('is kept until its deadline, then deleted, and its address is released', async () => {
    const reader = await survivor.client().registerSomebody();
    await passTime(reader, survivor.app);
    // A server whose clock is ahead begins the job.
    await beginJob(survivor.app, subjectOf(reader), 'EXPIRE', 'registered', new Date());
    await expect(doJobsOf(survivor.app, subjectOf(reader))).rejects.toThrow('before its time');
    expect(await tryLogin(reader.email)).toEqual([]);
    await passTime(reader);
    await expectGone(reader);
  });

  test('is deleted even if its email was changed, and both emails are released', async () => {
    const reader = await survivor.client().registerSomebody();
    const former = reader.email;
    reader.email = `x-${former}`;
    expect(
      (await reader.mutate('changeEmail', { email: reader.email, password: PASSWORD }, '__typename')).userErrors,
    ).toEqual([]);
    await passTime(reader);
    await expectGone(reader);
    expect(await tryRegister(former)).toEqual([]);
  });

  test('is kept if it is verified at the last moment, when it is about to be deleted', async () => {
    const reader = await survivor.client().registerSomebody();
    let verified: unknown;
    const deciding: AppContext = {
      ...later.app,
      atCrashPoint: async (point) => {
        if (point === 'account: before compare-and-set') verified ??= await verify(reader.email, later);
      },
    };
    await passTime(reader, deciding);
    expect(verified).toEqual([]);
    expect(await tryLogin(reader.email)).toEqual([]);
    expect((await reader.data('{ viewer { isEmailVerified } }')).viewer.isEmailVerified).toBe(true);
  });

  test('cannot be verified any more once it is deleted', async () => {
    const reader = await survivor.client().registerSomebody();
    const mail = await mailInFolder(survivor.app.config.mail.folder!, reader.email, 'Is this your email?');
    await passTime(reader);
    const { userErrors } = await later.client().mutate('verifyEmail', { token: tokenIn(mail) }, '__typename');
    expect(userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
  });

  test('is kept if it ever was verified, without another email that was only requested', async () => {
    const reader = await survivor.client().registerSomebody();
    expect(await verify(reader.email)).toEqual([]);
    const wanted = `x-${reader.email}`;
    expect(
      (await reader.mutate('changeEmail', { email: wanted, password: PASSWORD }, '__typename')).userErrors,
    ).toEqual([]);
    await passTime(reader);
    expect(await tryLogin(reader.email)).toEqual([]);
    expect(await tryRegister(wanted)).toEqual([]);
  });

  test('is kept if a reset of its password has verified the email', async () => {
    const reader = await survivor.client().registerSomebody();
    await survivor.client().mutate('requestPasswordReset', { email: reader.email }, '__typename');
    const mail = await mailInFolder(survivor.app.config.mail.folder!, reader.email, 'A new password');
    const input = { token: tokenIn(mail), password: PASSWORD };
    expect((await survivor.client().mutate('resetPassword', input, '__typename')).userErrors).toEqual([]);
    await passTime(reader);
    expect(await tryLogin(reader.email)).toEqual([]);
  });

  test('is kept if it registered while verification was not required, or if it is no longer required', async () => {
    const { config } = survivor.app;
    const { emailVerification } = config.mail;
    const asking = {
      ...config,
      mail: { ...config.mail, emailVerification: { ...emailVerification, isRequired: false } },
    };
    const former = await (await startServer(asking)).client().registerSomebody();
    await passTime(former);
    expect(await tryLogin(former.email)).toEqual([]);

    const reader = await survivor.client().registerSomebody();
    await passTime(reader, { ...later.app, config: asking });
    expect(await tryLogin(reader.email)).toEqual([]);
  });

  test('leaves nothing behind if its reader deletes it before the deadline', async () => {
    const reader = await survivor.client().registerSomebody();
    expect(await rowsOf(reader)).toContain('scheduled_jobs');
    await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    await expectGone(reader);
  });
});
