import { readFileSync } from 'node:fs';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import type { Book } from '../src/catalogue/book.ts';
import { booksNow } from '../src/catalogue/operations.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { loadLikes } from '../tools/bulk/likes.ts';
import { say } from '../src/terminal/progress.ts';
import type { ServerProcess } from '../tools/support/process.ts';
import { OPERATIONS, type OperationName } from './api/operations.ts';
import { Load, type MeasuredTurn } from './api/turns.ts';
import type { Asked } from './api/workloads.ts';
import { likeableIdOf, machine, makeReaders, median, withBench, type Bench, type Reader } from './bench.ts';

/**
 * `npm run bench -- growth`: measures the cost of a request as the data grows. A reader's likes and
 * a book's likers grow to a hundred times as many, and the same load is distributed over more
 * servers. It prints the figures of docs/capacity.md.
 */

const SIZES = [1, 10, 100] as const;
/** The number of likes of the smallest size: one more than a page. */
const LIKES = 21;
const LIKERS = 21;
/** The number is higher than needed, because some books have no ISBN. */
const BOOKS = LIKES * 100 + 300;
/** The readers who ask. They have no likes before. */
const ASKERS = 500;
const READERS = LIKERS * 100 + 101 + ASKERS;
const SERVERS = [1, 2, 4] as const;
const CONNECTIONS = 16;
const ROUNDS = 5;
const SECONDS = 3;
const KIBIBYTE = 1_024;

/** The cost of requests, summed over servers. */
interface Cost {
  /** Requests a second. */
  readonly rate: number;
  /** The servers' own processor time for each request, in milliseconds. */
  readonly processorMs: number;
  readonly statements: number;
  /**
   * The number of bytes that the servers have read and written for each request, including the
   * traffic with Cassandra.
   */
  readonly kibibytes: number;
}

type Variables = Record<string, string>;
type LikedBook = Pick<Book, 'title' | 'authors'> & { readonly isbn: string };

say(machine());
await withBench(1, run, BOOKS);
process.exit(0);

async function run(bench: Bench): Promise<void> {
  const books = await booksOf(bench);
  const readers = await makeReaders(bench.app, READERS);
  await makeLikes(bench, readers, books);
  const askers = readers.slice(-ASKERS);
  const reader = (size: number) => ({ id: encodeId({ type: 'User', key: readers[size]?.userId ?? '' }) });
  const book = (size: number) => ({ isbn: books.at(-size)?.isbn ?? '' });
  const id = (size: number) => ({ id: encodeId({ type: 'Book', key: book(size).isbn }) });

  const one = await bench.startServer();
  await table(
    '20 likes of a reader, × 21',
    SIZES,
    () => [one],
    (size) => each(askers, ['likes'], reader(size)),
  );
  await table(
    '20 likers of a book, × 21',
    SIZES,
    () => [one],
    (size) => each(askers, ['likers'], book(size)),
  );
  await table(
    'count of a book, × 21',
    SIZES,
    () => [one],
    (size) => each(askers, ['count'], book(size)),
  );
  await table(
    'like and unlike, of a book with × 21',
    SIZES,
    () => [one],
    (size) => each(askers, ['like', 'unlike'], id(size)),
  );
  const servers = [one];
  while (servers.length < Math.max(...SERVERS)) servers.push(await bench.startServer());
  await table(
    '20 likes of a reader, servers',
    SERVERS,
    (count) => servers.slice(0, count),
    () => SIZES.flatMap((size) => each(askers, ['likes'], reader(size))),
  );

  /** Measures each size in turns, and prints the medians. */
  async function table(
    title: string,
    sizes: readonly number[],
    serversFor: (size: number) => readonly ServerProcess[],
    asked: (size: number) => Asked[][],
  ): Promise<void> {
    const costs = new Map(sizes.map((size) => [size, [] as Cost[]]));
    for (let round = 0; round <= ROUNDS; round++)
      for (const size of sizes) {
        const cost = await measured(bench, serversFor(size), askers, asked(size));
        // The first round warms everything up.
        if (round > 0) costs.get(size)?.push(cost);
      }
    process.stdout.write(`${title} | requests/s | CPU ms | statements | KiB\n`);
    for (const [size, ofSize] of costs) {
      const of = (what: keyof Cost, digits: number) => median(ofSize.map((cost) => cost[what])).toFixed(digits);
      const line = [size, of('rate', 0), of('processorMs', 2), of('statements', 2), of('kibibytes', 1)];
      process.stdout.write(`${line.join(' | ')}\n`);
    }
  }
}

/** Returns the books that have an ISBN, which is used to request them. */
async function booksOf({ app, bookIds }: Bench): Promise<LikedBook[]> {
  const found = await booksNow(
    app,
    bookIds.slice(0, BOOKS).map((id) => likeableIdOf(id).slice('Book:'.length)),
  );
  return [...found.values()].flatMap(({ isbn, title, authors }) => (isbn === null ? [] : [{ isbn, title, authors }]));
}

/**
 * Makes likes: three readers like 1, 10 and 100 times as many of the first books, and three of the
 * last books are liked by 1, 10 and 100 times as many of the first readers.
 */
async function makeLikes({ app }: Bench, readers: readonly Reader[], books: readonly LikedBook[]) {
  const likedAt = app.clock();
  const like = (reader: Reader | undefined, book: LikedBook | undefined) => ({
    userId: reader?.userId ?? '',
    fullName: 'Somebody',
    likeableId: `Book:${book?.isbn ?? ''}`,
    title: book?.title ?? '',
    authors: book?.authors ?? [],
    likedAt,
  });
  const ofReaders = SIZES.flatMap((size) => books.slice(0, LIKES * size).map((book) => like(readers[size], book)));
  const ofBooks = SIZES.flatMap((size) =>
    readers.slice(101, LIKERS * size + 101).map((reader) => like(reader, books.at(-size))),
  );
  const activityLog = new ActionsInBulk();
  await loadLikes(app, [...ofReaders, ...ofBooks], activityLog);
  await activityLog.write(app);
}

/** Makes the same requests for all of these readers, one operation after the other. */
function each(askers: readonly Reader[], operations: readonly OperationName[], variables: Variables): Asked[][] {
  return askers.map((_, reader) => operations.map((operation) => ({ operation, reader, variables })));
}

/** Measures the cost of servers that each answer a share of the load. */
async function measured(
  { cassandraPid }: Bench,
  servers: readonly ServerProcess[],
  readers: readonly Reader[],
  asked: Asked[][],
): Promise<Cost> {
  const before = bytesOf(servers);
  const turns = await Promise.all(
    servers.map(async ({ url, process: { pid = 0 } }, place) => {
      const load = new Load(CONNECTIONS / servers.length);
      const system = {
        name: url,
        url,
        pid,
        databasePid: cassandraPid,
        metricsUrl: url,
        request: ({ operation, variables }: Asked) => ({ query: OPERATIONS[operation], variables }),
      };
      const share = asked.filter((_, index) => index % servers.length === place);
      const turn = await load.turn(system, { readers }, share, SECONDS);
      await load.stop();
      return turn;
    }),
  );
  const bytes = bytesOf(servers) - before;

  const requests = sum(turns.map((turn) => turn.requests));
  const each = (of: (turn: MeasuredTurn) => number) => sum(turns.map((turn) => of(turn) * turn.requests)) / requests;
  return {
    rate: sum(turns.map(({ rate }) => rate)),
    processorMs: each(({ processorMs }) => processorMs),
    statements: each(({ statements }) => sum([...statements.values()])),
    kibibytes: bytes / KIBIBYTE / requests,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Reads the number of bytes that servers have read and written so far, as counted by Linux. */
function bytesOf(servers: readonly ServerProcess[]): number {
  const io = servers.map(({ process: { pid } }) => readFileSync(`/proc/${String(pid)}/io`, 'utf8')).join('');
  return sum([...io.matchAll(/^[rw]char: (\d+)$/gm)].map(([, count]) => Number(count)));
}
