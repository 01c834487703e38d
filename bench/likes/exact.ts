import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../src/terminal/progress.ts';
import type { ServerProcess } from '../../tools/support/process.ts';
import { LIKE, likeableIdOf, makeReaders, percentile, withBench, type Bench, type Reader } from '../bench.ts';
import { ask } from '../http.ts';

const BURSTS = 100;
const LIKES_A_BURST = 100;
const DEATHS = 8;
const STOPS = 12;

const TALLY = 'query ($id: ID!) { node(id: $id) { ... on Book { likeTally { count isExact } } } }';
interface Tally {
  readonly node: { readonly likeTally: { readonly count: number; readonly isExact: boolean } };
}

/**
 * Measures the time until a count is exact after the last like: in normal operation, and after a
 * server died.
 */
export async function benchExact(): Promise<void> {
  await withBench(1, async (bench) => {
    const readers = await makeReaders(bench.app, 1_000);
    const servers = [await bench.startServer(), await bench.startServer()];
    const healthy: number[] = [];
    for (let burst = 0; burst < BURSTS; burst++) {
      const id = bench.bookIds[burst] ?? '';
      await likeAll(servers, readers.slice(0, LIKES_A_BURST), id);
      healthy.push(await untilExact(servers[1]?.url ?? '', id, LIKES_A_BURST));
    }
    say(`healthy, ${BURSTS} bursts of ${LIKES_A_BURST} likes on two servers: exact after ${times(healthy)}`);

    const deaths: number[] = [];
    const left: number[] = [];
    const survivor = await bench.startServer();
    for (let death = 0; death < DEATHS; death++) {
      const id = bench.bookIds[BURSTS + death] ?? '';
      const victim = await bench.startServer();
      const answers = likeAll([victim], readers.slice(0, 400), id).catch(() => undefined);
      while ((await unfinished(bench)) < 10) await sleep(5);
      const died = performance.now();
      victim.process.kill('SIGKILL');
      await answers;
      left.push(await unfinished(bench));
      await untilAgreed(bench, survivor.url, id);
      deaths.push(performance.now() - died);
    }
    say(
      `a server killed (-9) with 400 likes under way, ${DEATHS} times: ` +
        `exact after ${times(deaths)}; it left ${left.join(', ')} unfinished`,
    );
  });
}

/** Measures the time until a count is exact after one of three nodes came back. */
export async function benchExactNode(): Promise<void> {
  await withBench(3, async (bench) => {
    const readers = await makeReaders(bench.app, LIKES_A_BURST);
    const server = await bench.startServer();
    const stops: number[] = [];
    // The server prepares its statements on every node, like a server that has run for some time.
    for (const id of bench.bookIds.slice(STOPS, STOPS + 5)) await likeAll([server], readers, id);
    for (let stop = 0; stop < STOPS; stop++) {
      const id = bench.bookIds[stop] ?? '';
      const node = bench.nodes[stop % bench.nodes.length];
      node?.signal('SIGSTOP');
      await likeAll([server], readers, id).catch(() => undefined);
      const back = performance.now();
      node?.signal('SIGCONT');
      await untilAgreed(bench, server.url, id);
      stops.push(performance.now() - back);
    }
    say(
      `a node of three stopped during ${LIKES_A_BURST} likes, ${STOPS} times: ` +
        `exact, after it came back, after ${times(stops)}`,
    );
  });
}

const times = (all: readonly number[]) =>
  `p50 ${percentile(all, 50).toFixed(0)} ms, p99 ${percentile(all, 99).toFixed(0)} ms, ` +
  `at most ${Math.max(...all).toFixed(0)} ms`;

/** Makes all readers like a book at once. Some likes may fail. */
async function likeAll(servers: readonly ServerProcess[], readers: readonly Reader[], id: string): Promise<void> {
  await Promise.all(
    readers.map(({ token }, index) => ask(servers[index % servers.length]?.url ?? '', token, LIKE, { id })),
  );
}

const tallyOf = async (url: string, id: string) => (await ask<Tally>(url, '', TALLY, { id })).node.likeTally;

async function untilExact(url: string, id: string, count: number): Promise<number> {
  const begun = performance.now();
  while ((await tallyOf(url, id)).count !== count) await sleep(1);
  return performance.now() - begun;
}

const unfinished = async ({ app }: Pick<Bench, 'app'>) =>
  (await app.cassandra.client.execute('SELECT transaction_id FROM transaction_log')).rowLength;

/** Waits until all work is finished, then compares the tally with the source of truth. */
async function untilAgreed({ app }: Pick<Bench, 'app'>, url: string, id: string): Promise<void> {
  while ((await unfinished({ app })) > 0) await sleep(20);
  const { rows } = await app.cassandra.client.execute('SELECT likeable_id, state FROM likes_by_user', [], {
    fetchSize: 100_000,
  });
  const likeableId = likeableIdOf(id);
  const liked = rows.filter((row) => row['likeable_id'] === likeableId && (row['state'] as { liked: boolean }).liked);
  const { count, isExact } = await tallyOf(url, id);
  if (count !== liked.length || !isExact)
    throw new Error(`the tally is ${count}, the source of truth has ${liked.length}`);
}
