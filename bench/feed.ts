import { follow } from '../src/follows/operations.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { say } from '../src/terminal/progress.ts';
import { machine, makeReaders, percentile, withBench, type Bench, type Reader } from './bench.ts';
import { makeActiveReaders } from './feed/made.ts';
import { measureTold } from './feed/told.ts';
import { measureWorst } from './feed/worst.ts';
import { ask } from './http.ts';
import { processorSecondsOf } from './processor.ts';

/**
 * `npm run bench -- feed [usual] [worst] [told]`: measures feeds, by default all parts. `usual`: a
 * page of the feed of readers who follow 2,000 and 150 others, most of whom did nothing in the
 * current month. One server process answers over real HTTP, first when it has cached nothing of the
 * followed readers, then when it has. `worst`: the worst feeds. `told`: what subscribers cost.
 */

const FOLLOWED = [2_000, 150] as const;
const SEED = 1;
/** The number of servers whose first answer is measured. */
const FIRST_ANSWERS = 5;
const WARM_UP = 300;
const PAGES = 200;

const QUERY = `query ($after: String) { feed(first: 20, after: $after) {
  edges { cursor at node { kind reader { id fullName } likeable { __typename id title }
    book { id title authors coverUrl } rating review { text hasSpoilers } } }
  pageInfo { hasNextPage endCursor } } }`;

interface Page {
  readonly feed: {
    readonly edges: readonly object[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const pageOf = async (url: string, { token }: Reader, after: string | null) =>
  (await ask<Page>(url, token, QUERY, { after })).feed;

const parts = { usual: measureUsual, worst: measureWorst, told: measureTold };
const asked = process.argv.slice(2);
if (asked.some((name) => !Object.hasOwn(parts, name))) {
  say('Usage: npm run bench -- feed [usual] [worst] [told]');
  process.exit(2);
}
say(`${machine()}; seed ${String(SEED)}`);
for (const [name, part] of Object.entries(parts))
  if (asked.length === 0 || asked.includes(name)) await withBench(1, (bench) => part(bench, SEED));
process.exit(0);

async function measureUsual(bench: Bench): Promise<void> {
  const { userIds, entries, activeNow } = await makeActiveReaders(bench, FOLLOWED[0], SEED);
  say(`${userIds.length} readers, ${entries.length} entries in a year, ${activeNow} readers active in this month`);
  const strangers = await makeActiveReaders(bench, FOLLOWED[0], SEED + 1);
  const warmer = await makeFollower(bench, strangers.userIds);

  for (const count of FOLLOWED) {
    const step = userIds.length / count;
    const viewer = await makeFollower(bench, userIds.filter((_, index) => index % step < 1).slice(0, count));
    await measureFeed(bench, viewer, warmer, count);
  }
}

/** Makes a reader who follows some others. */
async function makeFollower({ app }: Bench, followed: readonly string[]): Promise<Reader> {
  const [reader] = await makeReaders(app, 1);
  if (!reader) throw new Error('There is no reader');
  say(`following ${String(followed.length)} readers`);
  const context = () => requestContext(app, { ...ANONYMOUS, viewerId: reader.userId });
  for (const key of followed) await follow(context(), { id: encodeId({ type: 'User', key }) });
  return reader;
}

async function measureFeed(bench: Bench, viewer: Reader, warmer: Reader, followed: number): Promise<void> {
  const firsts: number[] = [];
  for (let each = 0; each < FIRST_ANSWERS; each++) {
    const { url, stop } = await bench.startServer();
    for (let warm = 0; warm < WARM_UP; warm++) await pageOf(url, warmer, null);
    const begun = performance.now();
    await pageOf(url, viewer, null);
    firsts.push(performance.now() - begun);
    await stop();
  }
  say(`${followed} followed, a server's first answer: p50 ${percentile(firsts, 50).toFixed(1)} ms`);

  const { url, process: server, stop } = await bench.startServer();
  for (let warm = 0; warm < WARM_UP; warm++) await pageOf(url, viewer, null);
  let after: string | null = null;
  const pages = {
    'first pages': () => pageOf(url, viewer, null),
    'later pages': async () => {
      const { pageInfo } = await pageOf(url, viewer, after);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    },
  };
  for (const [name, page] of Object.entries<() => Promise<unknown>>(pages)) {
    const pids = [server.pid ?? NaN, bench.cassandraPid];
    const before = pids.map(processorSecondsOf);
    const latencies: number[] = [];
    for (let each = 0; each < PAGES; each++) {
      const begun = performance.now();
      await page();
      latencies.push(performance.now() - begun);
    }
    const [ofServer, ofCassandra] = pids.map((pid, index) => {
      const seconds = processorSecondsOf(pid) - (before[index] ?? NaN);
      return ((seconds * 1_000) / PAGES).toFixed(1);
    });
    say(
      `${followed} followed, ${name}: p50 ${percentile(latencies, 50).toFixed(1)} ms, ` +
        `p99 ${percentile(latencies, 99).toFixed(1)} ms; processor: server ${String(ofServer)} ms, ` +
        `Cassandra ${String(ofCassandra)} ms`,
    );
  }
  await stop();
}
