import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { say } from '../../src/terminal/progress.ts';
import { LIKE, makeReaders, percentile, type Bench, type Reader } from '../bench.ts';
import { makeFollows } from '../follows/made.ts';
import { ask, prepared, subscribe } from '../http.ts';
import { processorSecondsOf, residentMebibytesOf } from '../processor.ts';
import { makeActiveReaders } from './made.ts';

/**
 * The cost of subscribers to their feeds when a reader acts whom all of them follow, together with
 * 149 others, and the latency of other requests meanwhile.
 */

const SUBSCRIBERS = [100, 1_000] as const;
const FOLLOWED = 150;
const AT_ONCE = 32;
const REST_MS = 5_000;
/** An act is looked at again when the list of changes drops it. */
const ACT_MS = 45_000;
/** The time between two other requests. */
const PROBE_MS = 20;

const TOLD = 'subscription { feedChanged { cursors } }';
const PROBE = 'query ($id: ID!) { node(id: $id) { ... on Book { title likeCount viewerHasLiked } } }';
const READ = 'mutation ($id: ID!) { markAsRead(input: { bookId: $id }) { userErrors { code } } }';

/** Measures subscribers, of each number on a server of their own. */
export async function measureTold(bench: Bench, seed: number): Promise<void> {
  const { userIds } = await makeActiveReaders(bench, FOLLOWED - 1, seed);
  for (const count of SUBSCRIBERS) await measureSubscribers(bench, userIds, count);
}

async function measureSubscribers(bench: Bench, followed: readonly string[], count: number): Promise<void> {
  const { app, bookIds } = bench;
  const { url, process: server } = await bench.startServer({
    CONNECTIONS_MAX: String(count + 1_000),
    SUBSCRIPTIONS_MAX: String(count),
    SUBSCRIPTIONS_PER_ADDRESS: String(count),
    // An audit would remove the rows that are made without their states.
    AUDIT_ROWS_PER_SECOND: '0',
  });
  const pid = server.pid ?? NaN;
  const [acting, probing, ...viewers] = await makeReaders(app, count + 2);
  if (!acting || !probing) throw new Error('There are no readers');
  const limit = pLimit(AT_ONCE);
  await limit.map(viewers, ({ userId }) => makeFollows(app, userId, [acting.userId, ...followed]));

  const probes: number[] = [];
  const prober = probe(url, probing, bookIds, probes);
  await sleep(REST_MS);
  const before = residentMebibytesOf(pid);
  let onEvent = (): void => undefined;
  const opened = performance.now();
  const sockets = await limit.map(viewers, async ({ token }) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const socket = subscribe(prepared(url, token, TOLD, {}), (data) => {
      if (!data.includes('"feedChanged"')) throw new Error(data);
      resolve(undefined);
      onEvent();
    });
    await promise;
    return socket;
  });
  const took = (performance.now() - opened) / 1_000;
  const memory = residentMebibytesOf(pid);
  say(
    `${count} subscribers: open after ${took.toFixed(1)} s; memory ${before.toFixed(0)}, then ${memory.toFixed(0)} MiB`,
  );

  // The follows of the subscribers, and what else was announced, are looked at no more.
  await sleep(ACT_MS);
  const rest = await during(pid, probes, ACT_MS, () => Promise.resolve());
  say(`  at rest: ${rest.shown}`);
  const acts = {
    'a reading that its reader hides': { query: READ, events: 0 },
    'a like': { query: LIKE, events: count },
  };
  for (const [name, { query, events }] of Object.entries(acts)) {
    const ages: number[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let begun = NaN;
    onEvent = () => {
      if (ages.push(performance.now() - begun) === events) resolve(undefined);
    };
    let told = '';
    const whole = await during(pid, probes, ACT_MS, async () => {
      const first = await during(pid, probes, 0, async () => {
        await ask(url, acting.token, query, { id: bookIds[count] });
        begun = performance.now();
        if (events > 0) await promise;
      });
      if (events === 0) return;
      const [half = NaN, last = NaN] = [50, 100].map((percent) => percentile(ages, percent) / 1_000);
      told = `all told after ${last.toFixed(1)} s (p50 ${half.toFixed(1)} s); until then ${first.shown}; `;
      // The second read of each feed begins half a minute after the act, and takes as long.
      await sleep(ACT_MS + 1_000 * last);
    });
    if (ages.length !== events) throw new Error(`${name} sent ${ages.length} events instead of ${events}`);
    const spent = ((whole.cores - rest.cores) * whole.seconds * 1_000) / count;
    say(`  ${name}: ${told}in ${whole.seconds.toFixed(0)} s ${whole.shown}; ${spent.toFixed(2)} ms more a subscriber`);
  }
  prober.stop();
  for (const socket of sockets) socket.destroy();
}

/** Asks for a book again and again, and collects the latencies. */
function probe(url: string, { token }: Reader, bookIds: readonly string[], latencies: number[]) {
  let isOver = false;
  const asking = async () => {
    for (let each = 0; !isOver; each++) {
      const begun = performance.now();
      await ask(url, token, PROBE, { id: bookIds[each % bookIds.length] });
      latencies.push(performance.now() - begun);
      await sleep(PROBE_MS);
    }
  };
  void asking();
  return { stop: () => (isOver = true) };
}

/** Does some work, for some time at least, and describes what the server took meanwhile. */
async function during(pid: number, probes: number[], leastMs: number, work: () => Promise<unknown>) {
  probes.length = 0;
  const [cpu, begun] = [processorSecondsOf(pid), performance.now()];
  await work();
  await sleep(Math.max(0, begun + leastMs - performance.now()));
  const seconds = (performance.now() - begun) / 1_000;
  const cores = (processorSecondsOf(pid) - cpu) / seconds;
  const shown = `${cores.toFixed(2)} cores, other requests p50 ${percentile(probes, 50).toFixed(1)} ms, p99 ${percentile(probes, 99).toFixed(1)} ms`;
  return { seconds, cores, shown };
}
