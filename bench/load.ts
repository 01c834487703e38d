import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import { bookIdsByNumber } from '../src/catalogue/import.ts';
import { bookById } from '../src/catalogue/operations.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../src/context/context.ts';
import { DirtyWindows } from '../src/events/dirty-windows.ts';
import { eventShardOf } from '../src/events/operations.ts';
import { RollUp } from '../src/events/rollup.ts';
import { subjectOf } from '../src/graphql/ids.ts';
import { loadLikes } from '../tools/bulk/likes.ts';
import { SAMPLE } from '../tools/places.ts';
import { say } from '../src/terminal/progress.ts';
import { loadReadings } from '../tools/bulk/readings.ts';
import { wordsOf } from '../src/text/folding.ts';
import { DAY_MS } from '../src/time/units.ts';
import { spawnGuarded } from '../tools/support/guarded.ts';
import { inTurns, machine, makeReaders, measure, median, withBench, type Bench } from './bench.ts';
import { ask } from './http.ts';

/**
 * `npm run bench -- load PAIRS`: measures the speed of loading readers in bulk and of rolling up
 * events. The load is compared with the bare driver that writes the same rows without conditions.
 * It also compares a search with a book by its ISBN, and a page in the middle of a long history
 * with its first one. PAIRS is a file in the format of `npm run admin -- load`.
 */

const ROUNDS = 3;
const SECONDS = 10;
const HISTORY = 100_000;
const FLOOR_READERS = 1_000;
const EVENTS = 400_000;
const EVENT_MINUTES = 4;

const [pairsFile] = process.argv.slice(2);
if (pairsFile === undefined) {
  say('Usage: npm run bench -- load PAIRS, a file as npm run admin -- load takes it');
  process.exit(2);
}

say(machine());
await withBench(1, async (bench) => {
  await reads(bench);
  await rollUps(bench);
  await floor(bench, pairsFile);
  await load(bench, pairsFile);
});
process.exit(0);

/** Makes one server count raw events of a few minutes that are not counted yet. */
async function rollUps({ app, bookIds }: Bench): Promise<void> {
  const subjects = bookIds.slice(0, 2_000).map((id) => Buffer.from(id, 'base64url').toString());
  const begin = Math.floor(app.clock().getTime() / 60_000) * 60_000 - (EVENT_MINUTES + 1) * 60_000;
  say(`writing ${String(EVENTS)} events of ${String(EVENT_MINUTES)} minutes about ${String(subjects.length)} books`);
  const insert = `INSERT INTO events (minute, shard, subject_id, kind, event_id) VALUES (?, ?, ?, ?, ?)
     USING TTL 600000 AND TIMESTAMP 1`;
  const byPartition = Map.groupBy(
    Array.from({ length: EVENTS }, (_, index) => {
      const subject = subjects[index % subjects.length] ?? '';
      return { subject, minute: begin + (index % EVENT_MINUTES) * 60_000, shard: eventShardOf(subject) };
    }),
    ({ minute, shard }) => `${String(minute)} ${String(shard)}`,
  );
  await pLimit(16).map([...byPartition.values()], async (events) => {
    for (let from = 0; from < events.length; from += 100) {
      const queries = events.slice(from, from + 100).map(({ minute, shard, subject }) => ({
        query: insert,
        params: [new Date(minute), shard, subject, 'LIKE', app.randomId()],
      }));
      await app.cassandra.client.batch(queries, { prepare: true, logged: false });
    }
  });
  const figures: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    // Each round has a new server without cached state.
    for (const table of ['leases', 'dirty_windows']) await app.cassandra.client.execute(`TRUNCATE ${table}`);
    const rollUp = new RollUp(app.randomId());
    await rollUp.run(app);
    const dirtyWindows = new DirtyWindows();
    for (const [{ minute, shard } = { minute: 0, shard: 0 }] of byPartition.values())
      await dirtyWindows.record(app, new Date(minute), shard);
    const cpu = process.cpuUsage();
    const begun = performance.now();
    await rollUp.run(app);
    const seconds = (performance.now() - begun) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    figures.push(EVENTS / seconds);
    say(
      `  round ${String(round)}: ${String(EVENTS)} events in ${seconds.toFixed(2)} s, ` +
        `${((user + system) / 1e6).toFixed(2)} s of this process' CPU`,
    );
  }
  say(`roll-up: ${median(figures).toFixed(0)} events/s (50000 asked)`);
}

/** Compares searches with a book by ISBN, and pages of a reader with a long history. */
async function reads({ app, startServer, bookIds }: Bench): Promise<void> {
  const server = await startServer();
  const { url } = server;
  const [reader = { userId: '', token: '' }] = await makeReaders(app, 1);
  say(`making a history of ${String(HISTORY)} readings`);
  const now = app.clock().getTime();
  await history(app, reader.userId, now);
  const context = requestContext(app, ANONYMOUS);
  const books = await Promise.all(
    bookIds
      .slice(0, 2_000)
      .map((id) => bookById(context, Buffer.from(id, 'base64url').toString().slice('Book:'.length))),
  );
  const known = books.flatMap((book) => (book?.isbn == null ? [] : [book]));
  let turn = 0;
  const next = () => known[(turn += 7) % known.length];
  const byIsbn = () =>
    ask(url, '', 'query ($isbn: String!) { book(isbn: $isbn) { id title authors } }', { isbn: next()?.isbn });
  const search = (words: number) => () => {
    const query = wordsOf(next()?.title ?? 'a')
      .slice(0, words)
      .map((word) => word.slice(0, 4))
      .join(' ');
    return ask(url, '', 'query ($query: String!) { books(query: $query) { edges { node { id title authors } } } }', {
      query,
    });
  };
  const page = (to: Date) => () =>
    ask(url, reader.token, 'query ($to: DateTime!) { viewer { actions(to: $to) { edges { node { kind at } } } } }', {
      to: to.toISOString(),
    });
  const first = page(new Date(now));
  const middle = page(new Date(now - 365 * DAY_MS));
  say('warming up');
  for (const work of [byIsbn, search(1), search(2), first, middle])
    await measure({ seconds: SECONDS, atOnce: 2 }, work);
  const turns = { seconds: SECONDS, atOnce: 1 };
  const medians = await inTurns(ROUNDS, {
    'book(isbn:)': () => measure(turns, byIsbn),
    'books(query:), one word': () => measure(turns, search(1)),
    'books(query:), two words': () => measure(turns, search(2)),
    'first page': () => measure(turns, first),
    'page in the middle': () => measure(turns, middle),
  });
  const ratio = (one: keyof typeof medians, other: keyof typeof medians) =>
    `p99 ${(medians[one].p99 / medians[other].p99).toFixed(2)} ×, ` +
    `p50 ${(medians[one].p50 / medians[other].p50).toFixed(2)} ×`;
  say(
    `books(query:) of one word against book(isbn:): ${ratio('books(query:), one word', 'book(isbn:)')} (p99 3 asked)`,
  );
  say(
    `books(query:) of two words against book(isbn:): ${ratio('books(query:), two words', 'book(isbn:)')} (p99 3 asked)`,
  );
  say(
    `page in the middle of ${String(HISTORY)} against the first: ` +
      `${ratio('page in the middle', 'first page')} (p99 1.2 asked)`,
  );
  await server.stop();
}

/** Makes readings over two years in the activity log of one reader. */
async function history(app: AppContext, userId: string, now: number): Promise<void> {
  const activityLog = new ActionsInBulk();
  const moments = Array.from({ length: HISTORY }, (_, index) => new Date(now - ((index + 1) / HISTORY) * 730 * DAY_MS));
  activityLog.add(
    userId,
    moments.map((at) => ({ kind: 'READ', at, subject: 'Book:9780439023481' })),
  );
  await activityLog.write(app);
}

/**
 * Writes the rows of some readers without conditions and reads, by the bare driver. This is the
 * upper limit of the speed.
 */
async function floor({ app }: Bench, file: string): Promise<void> {
  const pairs = await somePairs(app, file);
  const captured: { query: string; params: unknown }[][] = [];
  const { client } = app.cassandra;
  const listening = new Proxy(client, {
    get: (target, name) => {
      if (name === 'batch') {
        return (queries: { query: string; params: unknown }[], options: object) => {
          captured.push(queries.map(({ query, params }) => ({ query: unconditional(query), params })));
          return target.batch(queries as never, options);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const bulk = await loadSome({ ...app, cassandra: { ...app.cassandra, client: listening } }, pairs);
  const seconds: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const begun = performance.now();
    await pLimit(32).map(captured, (queries) => client.batch(queries as never, { prepare: true, logged: false }));
    seconds.push((performance.now() - begun) / 1_000);
  }
  const rows = captured.reduce((sum, queries) => sum + queries.length, 0);
  say(
    `the same ${String(rows)} rows of ${String(pairs.length)} pairs by the bare driver without ` +
      `conditions: ${(pairs.length / median(seconds)).toFixed(0)} pairs/s, ` +
      `${(rows / median(seconds)).toFixed(0)} rows/s`,
  );
  say(`the first run, in which all rows are written: ${(pairs.length / bulk).toFixed(0)} pairs/s`);
}

function unconditional(query: string): string {
  return query.replace(/ IF (?:NOT EXISTS|state = :current|shard_version = \S+)/, '');
}

async function somePairs(app: AppContext, file: string) {
  const context = requestContext(app, ANONYMOUS);
  const ids = await bookIdsByNumber(SAMPLE);
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const readers = new Map(
    [...new Set(lines.map(([reader]) => reader))].slice(0, FLOOR_READERS).map((reader) => [reader, app.randomId()]),
  );
  const found = lines.map(async ([reader, number = '']) => {
    const userId = readers.get(reader);
    const id = ids.get(number);
    const book = userId !== undefined && id !== undefined ? await bookById(context, id) : null;
    return book && userId !== undefined ? [{ userId, book }] : [];
  });
  const now = app.clock().getTime();
  return (await Promise.all(found))
    .flat()
    .map((pair, index) => ({ ...pair, at: new Date(now - 8 * DAY_MS - index * 60_000) }));
}

/** @returns the seconds that it took */
async function loadSome(app: AppContext, pairs: Awaited<ReturnType<typeof somePairs>>): Promise<number> {
  const activityLog = new ActionsInBulk();
  const begun = performance.now();
  await loadReadings(
    app,
    pairs.map(({ userId, book, at }) => ({ userId, book, readAt: at })),
    activityLog,
  );
  const likes = pairs.map(({ userId, book, at }) => ({
    userId,
    fullName: 'Somebody',
    likeableId: subjectOf({ type: 'Book', key: book.id }),
    title: book.title,
    authors: book.authors,
    likedAt: at,
  }));
  await loadLikes(app, likes, activityLog);
  await activityLog.write(app);
  return (performance.now() - begun) / 1_000;
}

/** Runs `npm run admin -- load` with the whole file, and samples its memory. */
async function load({ environment }: Bench, file: string): Promise<void> {
  const tool = join(import.meta.dirname, '../tools/admin/load.ts');
  const child = spawnGuarded(process.execPath, ['--max-semi-space-size=64', tool, '--pairs', file], {
    env: environment,
  });
  child.stderr.pipe(process.stderr);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const memory: number[] = [];
  const timer = setInterval(() => {
    void readFile(`/proc/${String(child.pid)}/status`, 'utf8').then(
      (status) => memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
      () => undefined,
    );
  }, 5_000);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  say(
    `npm run admin -- load: ${/\d+ readers with .*/.exec(printed)?.[0] ?? printed} (exit ` +
      `${String(code)}; 5000 pairs/s asked)`,
  );
  say(`  memory every 5 s, MB: ${memory.map((value) => value.toFixed(0)).join(' ')}`);
}
