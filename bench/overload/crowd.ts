import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { say } from '../../src/terminal/progress.ts';
import { Client, PASSWORD } from '../../tools/support/client.ts';
import type { ServerProcess } from '../../tools/support/process.ts';
import { percentile, type Bench } from '../bench.ts';

/**
 * Callers who use as much memory of a server as they can: uploads, exports and deep pages, four
 * times the admitted number, half of them sent or read slowly. The server has the heap of a
 * container of 1 GiB.
 */

const HEAP = '--max-old-space-size=512 --max-semi-space-size=16';
const QUERIES_MAX = 32;
const TIMES = 4;
/**
 * The number of requests of each kind that would fit: 14 files of 10 MiB, and 35 exports of 4 MiB.
 */
const AT_ONCE = { upload: 14 * TIMES, export: 35 * TIMES, page: QUERIES_MAX * TIMES } as const;
type Kind = keyof typeof AT_ONCE;
/** A reader may export five times a day. */
const EXPORTS = 5;
const LOOKS = 20;
const SLOW_BYTES = 64 * 1_024;
const SLOW_MS = 1_000;
const TIRED_MS = 60_000;

const LINES = Array.from(
  { length: 19_900 },
  (_, n) => `"A Book of Number ${n} that Nobody Knows","Somebody ${n}",read,"${'A long review. '.repeat(28)}"`,
);
const FILES = [
  Buffer.from(['Title,Author,Bookshelves,My Review', ...LINES].join('\n')),
  Buffer.from(`Title,Author,Bookshelves\n${','.repeat(9_900_000)}`),
  Buffer.from('Title,Author,Bookshelves\n' + '"never closed,\n'.repeat(660_000)),
];
const ALIASES = Array.from({ length: 80 }, (_, index) => `${'a'.repeat(2_000)}${index}: id`).join(' ');
const PAGE = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { title ${ALIASES} } } }`;
const CLICKS = Array.from({ length: 40 }, () => ({ name: 'n', value: 'v'.repeat(500) }));

/** The number of answers by kind and result, such as `page 200` and `upload OVERLOADED`. */
type Answers = Map<string, number>;

/** The expected answers of an overloaded server. */
const RIGHT = /^\w+ (?:2\d\d|OVERLOADED|RATE_LIMITED|BAD_USER_INPUT|408|cut off)$/;

/**
 * Sends all kinds of requests at once for some time, and reports the results.
 * @returns whether the server survived, was healthy and gave no wrong answer
 */
export async function crowd({ startServer, bookIds }: Bench, seconds: number): Promise<boolean> {
  const settings = { QUERIES_MAX: String(QUERIES_MAX), MUTATIONS_MAX: undefined, TRUST_PROXY: '1' };
  const cheap = { ARGON2_MEMORY_KIB: '8192', ARGON2_PASSES: '1' };
  const server = await startServer({ ...settings, ...cheap, NODE_OPTIONS: HEAP });
  const health: number[] = [];
  const worker = new Worker(new URL('health.ts', import.meta.url), { workerData: { url: server.url } });
  worker.on('message', (taken: number[]) => health.push(...taken));

  const answers: Answers = new Map();
  const end = performance.now() + seconds * 1_000;
  say(`${JSON.stringify(AT_ONCE)} at once for ${String(seconds)} s, with ${HEAP}`);
  const callers = Object.entries(AT_ONCE).flatMap(([kind, atOnce]) =>
    Array.from({ length: atOnce }, (_, index) =>
      goOn(server, kind as Kind, { index, bookIds, answers, isOver: () => performance.now() > end }),
    ),
  );
  const isDone = Promise.all(callers).then(() => true);
  let heapMost = 0;
  while (!(await Promise.race([isDone, sleep((seconds * 1_000) / LOOKS, false)]))) {
    heapMost = Math.max(heapMost, await look(server, health, answers));
    if (server.process.exitCode !== null || server.process.signalCode !== null) break;
  }
  await worker.terminate();

  const isAlive = server.process.exitCode === null && server.process.signalCode === null;
  const failed = health.filter((taken) => taken === Infinity).length;
  const wrong = [...answers].filter(([answer]) => !RIGHT.test(answer));
  say(`health: ${shownHealth(health)}; ${String(failed)} of ${String(health.length)} checks failed (0 asked)`);
  say(`heap, at most: ${heapMost.toFixed(0)} MiB; the server ${isAlive ? 'lives' : 'has ended'}`);
  for (const [answer, count] of wrong) say(`wrong: ${answer}, ${String(count)} times`);
  return isAlive && failed === 0 && wrong.length === 0;
}

interface Caller {
  readonly index: number;
  readonly bookIds: readonly string[];
  readonly answers: Answers;
  readonly isOver: () => boolean;
}

/** Sends one request of a kind after the other. */
async function goOn({ url }: ServerProcess, kind: Kind, { index, bookIds, answers, isOver }: Caller): Promise<void> {
  const count = (answer: string) => answers.set(`${kind} ${answer}`, (answers.get(`${kind} ${answer}`) ?? 0) + 1);
  for (let turn = index; !isOver(); turn++) {
    try {
      if (kind === 'page') {
        const ids = Array.from({ length: 15 }, (_, n) => bookIds[(turn * 31 + n) % bookIds.length]);
        count(
          await send(
            url,
            '/graphql',
            turn,
            undefined,
            Buffer.from(JSON.stringify({ query: PAGE, variables: { ids } })),
          ),
        );
        continue;
      }
      const reader = await new Client(url).from(addressOf(turn)).registerSomebody();
      if (kind === 'upload') {
        count(await send(url, '/import-my-library', turn, reader.token, FILES[turn % FILES.length] ?? Buffer.of()));
        continue;
      }
      await haveMuch(reader);
      const body = Buffer.from(JSON.stringify({ password: PASSWORD }));
      for (let times = 0; times < EXPORTS && !isOver(); times++)
        count(await send(url, '/export-my-data', turn + times, reader.token, body));
    } catch {
      // The reader could not be registered, or the server has ended, which is detected elsewhere.
      await sleep(SLOW_MS);
    }
  }
}

const addressOf = (turn: number) => `198.51.${String(turn % 100)}.${String((turn * 7) % 250)}`;

/** Gives a reader a megabyte to export. */
async function haveMuch(reader: Client): Promise<void> {
  const { session } = (await reader.mutate('startSession', {}, 'session { id }')) as { session: { id: string } };
  for (let call = 0; call < 5; call++) {
    const clicks = Array.from({ length: 40 }, () => ({
      id: randomUUID(),
      at: new Date(),
      target: 't'.repeat(400),
      properties: CLICKS.slice(0, 9),
    }));
    await reader.mutate('recordClicks', { sessionId: session.id, clicks }, 'recorded');
  }
}

/** Sends a request and reads its answer, every other time slowly. */
async function send(url: string, path: string, turn: number, token: string | undefined, body: Buffer): Promise<string> {
  const isSlow = turn % 2 === 0;
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-forwarded-for': addressOf(turn),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const asked = request(url + path, { method: 'POST', headers, agent: false, timeout: TIRED_MS });
  asked.on('timeout', () => asked.destroy()).on('error', () => undefined);
  const early = new AbortController();
  const answered = once(asked, 'response').then(([answer]: IncomingMessage[]) => {
    early.abort();
    return answer;
  });
  answered.catch(() => undefined);
  try {
    if (isSlow && body.length > SLOW_BYTES) {
      const part = Math.ceil(body.length / 10);
      for (let from = 0; from < body.length && !asked.destroyed && !early.signal.aborted; from += part) {
        asked.write(body.subarray(from, from + part));
        await sleep(SLOW_MS);
      }
      asked.end();
    } else asked.end(body);
    const answer = await answered;
    if (!answer) return 'cut off';
    let text = '';
    for await (const piece of answer.setEncoding('latin1') as AsyncIterable<string>) {
      if (text.length < 1_000) text += piece;
      if (isSlow) await sleep((piece.length / SLOW_BYTES) * SLOW_MS);
    }
    const { statusCode = 0 } = answer;
    return /"code":"(\w+)"/.exec(statusCode === 200 ? '' : text)?.[1] ?? String(statusCode);
  } catch {
    return 'cut off';
  } finally {
    asked.destroy();
  }
}

/** @returns the server's heap in MiB */
async function look({ url }: ServerProcess, health: readonly number[], answers: Answers): Promise<number> {
  const metrics = await fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  const mib = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) / 2 ** 20;
  const heap = mib('nodejs_heap_size_used_bytes');
  say(
    `  heap ${heap.toFixed(0)}, resident ${mib('process_resident_memory_bytes').toFixed(0)}, ` +
      `held ${mib('http_bytes_in_flight').toFixed(0)} MiB; ` +
      `health ${shownHealth(health)}; ${[...answers].map(([answer, count]) => `${answer}: ${String(count)}`).join(', ')}`,
  );
  return heap;
}

const shownHealth = (taken: readonly number[]) =>
  `p99 ${percentile(taken, 99).toFixed(0)} ms, p99.9 ${percentile(taken, 99.9).toFixed(0)} ms`;
