import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { say } from '../src/terminal/progress.ts';
import { World } from '../tools/simulation/world.ts';
import { LIKE, machine, makeReaders, measure, percentile, shown, withBench, type Bench } from './bench.ts';
import { prepared, send, type PreparedRequest } from './http.ts';
import { crowd } from './overload/crowd.ts';
import { processorSecondsOf } from './processor.ts';

/**
 * `npm run bench -- overload`: measures the answers under more load than the server can handle.
 * Requests arrive at a rate, whether or not earlier ones are answered, as from many independent
 * people. This process makes the load; the server and Cassandra have their own.
 *
 * Then a crowd tries to use all memory of a server for a minute: uploads, exports and deep pages,
 * four times the admitted number. `--seconds N` runs only that part, for N seconds. It exits with 1
 * if that server ends, a check of its health fails, or an answer is wrong.
 */

const READERS = 500;
/** The number of prepared requests, which are sent repeatedly. One of ten requests is a like. */
const REQUESTS = 6_000;
const WARM_UP_SECONDS = 15;
const CLOSED_SECONDS = 6;
const CLOSED_AT_ONCE = 16;
const TRIED_SECONDS = 5;
/** Fractions of the rate that is reached if each request waits for its answer. */
const TRIED_PARTS = [1, 0.9, 0.8, 0.7, 0.6, 0.5];
/**
 * A load is sustainable if this share of its requests is answered, and 99 of 100 within this time.
 */
const GOOD_PART = 0.99;
const SUSTAINED_P99_MS = 250;
const PHASE_SECONDS = 8;
/** A caller does not wait longer than that. */
const GOOD_WITHIN_MS = 1_000;

const BOOK = 'id title authors genres publisher likeCount viewerHasLiked';
const READ_BOOK = `query ($id: ID!) { node(id: $id) { ... on Book { ${BOOK} } } }`;
const READ_GENRE = `query ($genre: String) { books(genre: $genre, first: 20) { edges { cursor node { ${BOOK} } } } }`;
const CROWD_SECONDS = 60;
const GENRES = ['Fantasy', 'Romance', 'Young Adult', 'Mystery', 'Classics', 'History', 'Science Fiction', 'Biography'];

const { seconds } = parseArgs({ options: { seconds: { type: 'string' } } }).values;
if (seconds !== undefined && !/^[1-9]\d*$/.test(seconds)) {
  say('Usage: npm run bench -- overload [--seconds N]');
  process.exit(2);
}

say(machine());
await withBench(1, async (bench) => {
  if (seconds === undefined) {
    // The settings are the defaults, without the limits of single callers.
    const { QUERIES_MAX, MUTATIONS_MAX } = process.env;
    const server = await bench.startServer({ QUERIES_MAX, MUTATIONS_MAX });
    await judge(await requestsOf(bench, server.url), server.process.pid ?? 0);
    await server.stop();
  }
  if (!(await crowd(bench, Number(seconds ?? CROWD_SECONDS)))) process.exitCode = 1;
});
process.exit();

/** Makes reads and likes of many readers, in an order in which no book occurs twice in a row. */
async function requestsOf({ app, bookIds }: Bench, url: string): Promise<PreparedRequest[]> {
  const readers = await makeReaders(app, READERS);
  return Array.from({ length: REQUESTS }, (_, index) => {
    const { token = '' } = readers[(index * 7) % READERS] ?? {};
    const id = bookIds[(index * 37) % bookIds.length];
    if (index % 10 === 0) return prepared(url, token, LIKE, { id });
    if (index % 10 === 1) return prepared(url, token, READ_GENRE, { genre: GENRES[index % GENRES.length] });
    return prepared(url, token, READ_BOOK, { id });
  });
}

/** The result of a load. Times are in milliseconds, from the time at which a request was due. */
interface Outcome {
  readonly offered: number;
  /** Answers without an error, in time, a second. */
  readonly good: number;
  readonly refused: number;
  readonly late: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly refusedP99: number;
}

async function judge(requests: readonly PreparedRequest[], serverPid: number): Promise<void> {
  let turn = 0;
  const next = () => {
    const request = requests[turn++ % requests.length];
    if (!request) throw new Error('There is no request to send');
    return request;
  };
  say(`warming up for ${String(WARM_UP_SECONDS)} s`);
  await measure({ seconds: WARM_UP_SECONDS, atOnce: CLOSED_AT_ONCE }, () => send(next()));
  const closed = await measure({ seconds: CLOSED_SECONDS, atOnce: CLOSED_AT_ONCE }, () => send(next()));
  say(`${String(CLOSED_AT_ONCE)} at once: ${shown(closed)}`);

  const offered = async (rate: number, seconds: number): Promise<Outcome> => {
    const before = processorTimes(serverPid);
    const outcome = await offer(rate, seconds, next);
    say(`  ${shownOutcome(outcome)}; ${shownTimes(before, processorTimes(serverPid))}`);
    return outcome;
  };
  let sustained = 0;
  for (const part of TRIED_PARTS) {
    sustained = part * closed.rate;
    const { good, p99 } = await offered(sustained, TRIED_SECONDS);
    if (good >= GOOD_PART * sustained && p99 <= SUSTAINED_P99_MS) break;
    await sleep(1_000);
  }
  say(`the sustainable load is ${sustained.toFixed(0)}/s; now 1 ×, 2 ×, 4 × and 1 × of it:`);

  const outcomes: Outcome[] = [];
  for (const times of [1, 2, 4, 1]) outcomes.push(await offered(times * sustained, PHASE_SECONDS));
  const [once, , fourfold, again] = outcomes as [Outcome, Outcome, Outcome, Outcome];
  const peak = Math.max(...outcomes.map(({ good }) => good));
  say(`good answers a second at 4 × against the peak: ${(fourfold.good / peak).toFixed(2)} × (at least 0.8 asked)`);
  say(`p99 of good answers at 4 × against 1 ×: ${(fourfold.p99 / once.p99).toFixed(2)} × (at most 3 asked)`);
  say(
    `1 × again against 1 ×: ${(again.good / once.good).toFixed(2)} × the good answers, ` +
      `${(again.p99 / once.p99).toFixed(2)} × their p99`,
  );
}

/** Sends requests at an average rate, at random moments, and waits for all answers. */
async function offer(rate: number, seconds: number, next: () => PreparedRequest): Promise<Outcome> {
  const good: number[] = [];
  const refused: number[] = [];
  let [late, failed] = [0, 0];
  const one = async (due: number) => {
    const { status, body } = await send(next()).catch(() => ({ status: 0, body: '' }));
    const took = performance.now() - due;
    if (status === 503) refused.push(took);
    else if (status !== 200 || body.includes('"errors"')) failed++;
    else if (took > GOOD_WITHIN_MS) late++;
    else good.push(took);
  };
  const under: Promise<void>[] = [];
  // The moments are the same in every run.
  const world = new World(1);
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  let due = begun;
  while (due < end) {
    for (; due <= performance.now() && due < end; due += (-Math.log(1 - world.random()) * 1_000) / rate)
      under.push(one(due));
    await sleep(1);
  }
  await Promise.all(under);
  return {
    offered: under.length / seconds,
    good: good.length / seconds,
    refused: refused.length / seconds,
    late: late / seconds,
    failed: failed / seconds,
    p50: percentile(good, 50),
    p99: percentile(good, 99),
    refusedP99: percentile(refused, 99),
  };
}

function shownOutcome({ offered, good, refused, late, failed, p50, p99, refusedP99 }: Outcome): string {
  return (
    `${offered.toFixed(0)}/s offered: ${good.toFixed(0)} good (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms), ` +
    `${refused.toFixed(0)} refused (p99 ${refusedP99.toFixed(1)} ms), ${late.toFixed(0)} late, ` +
    `${failed.toFixed(0)} failed`
  );
}

/** The seconds of processor time so far, and the time at which they were read. */
interface ProcessorTimes {
  readonly at: number;
  readonly server: number;
  readonly load: number;
  /** The time of all work on the machine, including other processes. */
  readonly all: number;
}

function processorTimes(serverPid: number): ProcessorTimes {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now() / 1_000,
    server: processorSecondsOf(serverPid),
    load: (user + system) / 1e6,
    all: cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000,
  };
}

function shownTimes(before: ProcessorTimes, after: ProcessorTimes): string {
  const cores = (what: 'server' | 'load' | 'all') => ((after[what] - before[what]) / (after.at - before.at)).toFixed(2);
  return `cores: ${cores('server')} the server, ${cores('load')} this load, ${cores('all')} everything`;
}
