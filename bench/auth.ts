import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import { accountStates, insertLoginInfo } from '../src/accounts/tables.ts';
import { applied } from '../src/cassandra/statement.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../src/context/context.ts';
import { say } from '../src/terminal/progress.ts';
import { inTurns, machine, makeReaders, measure, median, withBench, type Measured } from './bench.ts';
import { accountState } from '../tools/support/account-state.ts';
import { openSession } from '../src/sessions/operations.ts';
import { ask } from './http.ts';

/**
 * `npm run bench -- auth`: compares logins with bare verifications of passwords on the same cores.
 * It measures how much logins slow down reads in the same process, and compares the answers for
 * emails with and without an account by time.
 */

const PASSWORD = 'correct horse battery';
/** There are enough readers that no reader logs in more often than in production. */
const READERS = 2_000;
const LOGINS_AT_ONCE = 16;
/** Reads are sent at a constant rate, independent of the duration of answers. */
const READS_PER_SECOND = 50;
/** The rate is about that of the logins here: their cost for the database, without the hashing. */
const SESSIONS_PER_SECOND = 45;
const SECONDS = 15;
const ROUNDS = 3;
const WARM_UP_SECONDS = 30;
const TRIES = 100;

const LOGIN =
  'mutation ($input: LoginInput!) { login(input: $input) { accessToken userErrors { code message path } } }';
const READ = '{ book(isbn: "9780439023481") { title } }';

say(machine());
await withBench(1, async ({ app, startServer }) => {
  const { url } = await startServer();
  const hash = await app.passwords.hash(PASSWORD);
  say(`making ${String(READERS)} accounts`);
  const emails = Array.from({ length: READERS }, (_, index) => `reader-${String(index)}@example.com`);
  await pLimit(64).map(emails, (email) => makeAccount(app, email, hash));
  let turn = 0;
  const login = async () => {
    const input = { email: emails[turn++ % READERS], password: PASSWORD };
    const { login: answer } = await ask<{ login: { accessToken: string | null } }>(url, '', LOGIN, { input });
    if (answer.accessToken === null) throw new Error(`a login failed: ${JSON.stringify(answer)}`);
  };
  const read = () => ask(url, '', READ, {});

  // A fresh Cassandra interprets its code, and logins alone are too few to warm it up.
  say(`warming up for ${String(WARM_UP_SECONDS)} s`);
  const readers = await makeReaders(app, READERS);
  const begin = () => {
    const { userId = '' } = readers[turn++ % READERS] ?? {};
    return openSession(requestContext(app, ANONYMOUS), { userId, by: 'LOGIN', device: null, visitId: undefined });
  };
  await measure({ seconds: WARM_UP_SECONDS, atOnce: 64 }, begin);
  await measure({ seconds: SECONDS, atOnce: LOGINS_AT_ONCE }, login);
  // The results of the reads during other work, in the order of the labels below.
  const beside: Measured[] = [];
  const withReads = async (work: Promise<Measured>) => {
    const [measured, reads] = await Promise.all([work, paced(READS_PER_SECOND, read)]);
    beside.push(reads);
    return measured;
  };
  const readsBeside = () => Promise.resolve(beside.at(-1) ?? { rate: NaN, p50: NaN, p99: NaN });
  const medians = await inTurns(ROUNDS, {
    'bare verifications': () =>
      measure({ seconds: SECONDS, atOnce: availableParallelism() }, () => argon2.verify(hash, PASSWORD)),
    'reads alone': () => paced(READS_PER_SECOND, read),
    'logins, with reads': () => withReads(measure({ seconds: SECONDS, atOnce: LOGINS_AT_ONCE }, login)),
    'reads, with logins': readsBeside,
    'logins without hashing, with reads': () => withReads(paced(SESSIONS_PER_SECOND, begin)),
    'reads, with logins without hashing': readsBeside,
  });
  const of = (name: keyof typeof medians) => medians[name];
  say(
    `logins against bare verifications: ${(of('logins, with reads').rate / of('bare verifications').rate).toFixed(2)} × (0.9 asked)`,
  );
  say(
    'p99 of reads with logins against without: ' +
      `${(of('reads, with logins').p99 / of('reads alone').p99).toFixed(2)} × (at most 2 asked)`,
  );

  say(
    'the same, with the statements of as many logins and no hashing: ' +
      `${(of('reads, with logins without hashing').p99 / of('reads alone').p99).toFixed(2)} ×`,
  );

  const times = { wrong: [] as number[], unknown: [] as number[] };
  for (let index = 0; index < TRIES; index++) {
    // The two tries of each pair take turns in being first.
    const pair = index % 2 === 0 ? (['wrong', 'unknown'] as const) : (['unknown', 'wrong'] as const);
    for (const kind of pair) {
      const email = kind === 'wrong' ? emails[index % READERS] : `nobody-${String(index)}@example.com`;
      const before = performance.now();
      await ask(url, '', LOGIN, { input: { email, password: 'wrong horse' } });
      times[kind].push(performance.now() - before);
    }
  }
  const [wrong, unknown] = [median(times.wrong), median(times.unknown)];
  say(
    `${String(TRIES)} tries each: wrong password ${wrong.toFixed(1)} ms, ` +
      `unknown email ${unknown.toFixed(1)} ms (medians): ` +
      `${((unknown / wrong - 1) * 100).toFixed(1)} % apart (within 10 % asked)`,
  );
});
process.exit(0);

/** Makes an account without the cost of hashing its password. */
async function makeAccount(app: AppContext, email: string, hash: string): Promise<void> {
  const userId = app.randomId();
  const state = { ...accountState(app.randomId, app.clock()), email, password_hash: hash };
  const made = { reservation_id: state.email_reservation_id, account_version: 0, reserved_at: app.clock() };
  const reservation = { email, user_id: userId, ...made };
  await applied(app.cassandra, insertLoginInfo, reservation);
  await accountStates.compareAndSet(app.cassandra, { user_id: userId }, null, state);
}

/** Runs some work at a constant rate for some time, whether or not earlier work is done. */
async function paced(perSecond: number, work: () => Promise<unknown>): Promise<Measured> {
  const latencies: number[] = [];
  const under: Promise<unknown>[] = [];
  const begun = performance.now();
  for (let index = 0; index < perSecond * SECONDS; index++) {
    const due = begun + (index * 1_000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    // Latency is measured from the time at which a call was due, so it includes the wait before
    // sending.
    under.push(work().then(() => latencies.push(performance.now() - due)));
  }
  await Promise.all(under);
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (percent: number) => sorted[Math.floor((sorted.length * percent) / 100)] ?? NaN;
  return { rate: perSecond, p50: at(50), p99: at(99) };
}
