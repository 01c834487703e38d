import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { loadAccount } from '../bulk/accounts.ts';
import { ActionsInBulk } from '../bulk/actions.ts';
import { keysInParts } from '../../src/cassandra/statement-builders.ts';
import { bookIdsByNumber, importBooks } from '../../src/catalogue/import.ts';
import type { Book } from '../../src/catalogue/book.ts';
import { bookById } from '../../src/catalogue/operations.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { subjectOf, uuidOf } from '../../src/graphql/ids.ts';
import { inBulk } from '../../src/bulk-import/in-bulk.ts';
import { checksumOf, importProgress, isImported, keepImportProgress } from '../../src/bulk-import/operations.ts';
import { loadLikes } from '../bulk/likes.ts';
import { SAMPLE } from '../places.ts';
import { fractionOf } from '../sample/sample-readers.ts';
import { say } from '../../src/terminal/progress.ts';
import { progressBar, showImport } from '../support/progress-bar.ts';
import { loadReadings } from '../bulk/readings.ts';
import { DAY_MS } from '../../src/time/units.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- load`: loads readers with readings and likes of real books, for benchmarks and
 * demos.
 */

const USAGE = `Usage: npm run admin -- load --pairs FILE [--readers N] [--seed N]
  --pairs    lines of READER<tab>BOOK, whole numbers; BOOK is the book_id of data/books.csv
  --readers  only the first N readers of the file
  --seed     seed of the moments, by default 1
Every pair is a book that was read within the last two years and, up to a week later, liked.
A load that was ended continues.
The readers log in as reader-READER@load.example with the password "a good book".`;

const PASSWORD = 'a good book';
const YEAR_MS = 365 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/**
 * The approximate number of pairs that are loaded together. The likes of their readers are written
 * together, grouped by book.
 */
const PAIRS_PER_PART = 80_000;
const ACCOUNTS_AT_ONCE = 64;

interface Reader {
  readonly number: number;
  readonly books: number[];
}

/** Reads the readers of a file with all their books, in the order in which they first appear. */
async function readersOf(file: string): Promise<Reader[]> {
  const readers = new Map<number, Reader>();
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    lines++;
    const [, number, book] = (/^(\d{1,9})\t(\d{1,9})$/.exec(line) ?? []).map(Number);
    if (number === undefined || book === undefined)
      throw new Error(`line ${String(lines)} of ${file} is not READER<tab>BOOK: ${JSON.stringify(line)}`);
    const known = readers.get(number);
    if (known) known.books.push(book);
    else readers.set(number, { number, books: [book] });
  }
  return [...readers.values()];
}

/** Loads some readers with their readings and likes. */
async function loadReaders(
  app: AppContext,
  readers: readonly Reader[],
  books: ReadonlyMap<number, Book>,
  passwordHash: string,
  seed: number,
): Promise<{ pairs: number; unknown: number }> {
  const end = Math.floor(app.clock().getTime() / DAY_MS) * DAY_MS;
  const begin = new Date(end - 2 * YEAR_MS);
  const userIdOf = ({ number }: Reader) => uuidOf(`reader in bulk ${String(number)}`);
  const nameOf = ({ number }: Reader) => `Reader ${String(number)}`;
  const activityLog = new ActionsInBulk();
  await pLimit(ACCOUNTS_AT_ONCE).map(readers, (reader) => {
    const email = `reader-${String(reader.number)}@load.example`;
    return loadAccount(app, userIdOf(reader), { email, fullName: nameOf(reader), passwordHash }, begin, activityLog);
  });
  let unknown = 0;
  const pairs = readers.flatMap((reader) =>
    reader.books.flatMap((number) => {
      const book = books.get(number);
      if (!book) {
        unknown++;
        return [];
      }
      const pair = `${String(seed)} ${String(reader.number)} ${String(number)}`;
      const readAt = begin.getTime() + Math.floor(fractionOf(`read ${pair}`) * 2 * YEAR_MS);
      const likedAt = readAt + Math.floor(fractionOf(`liked ${pair}`) * Math.min(WEEK_MS, end - readAt));
      return [{ reader, book, readAt: new Date(readAt), likedAt: new Date(likedAt) }];
    }),
  );
  await loadReadings(
    app,
    pairs.map(({ reader, book, readAt }) => ({ userId: userIdOf(reader), book, readAt })),
    activityLog,
  );
  await loadLikes(
    app,
    pairs.map(({ reader, book, likedAt }) => ({
      userId: userIdOf(reader),
      fullName: nameOf(reader),
      likeableId: subjectOf({ type: 'Book', key: book.id }),
      title: book.title,
      authors: book.authors,
      likedAt,
    })),
    activityLog,
  );
  await activityLog.write(app);
  return { pairs: pairs.length, unknown };
}

/** Reads the books of some readers. */
async function booksByNumber(app: AppContext, readers: readonly Reader[]): Promise<Map<number, Book>> {
  if (!(await isImported(app, SAMPLE)))
    await showImport('books', (onProgress) => importBooks(app, SAMPLE, { onProgress }));
  const wanted = new Set(readers.flatMap(({ books }) => books));
  const ids = [...(await bookIdsByNumber(SAMPLE))].filter(([number]) => wanted.has(Number(number)));
  const found = await inBulk(app, keysInParts(ids), (part) => {
    const context = requestContext(app, ANONYMOUS);
    return Promise.all(
      part.map(async ([number, bookId]) => [Number(number), await bookById(context, bookId)] as const),
    );
  });
  return new Map(found.flat().flatMap(([number, book]) => (book ? [[number, book] as const] : [])));
}

async function load(app: AppContext, given: ReturnType<typeof readArguments>): Promise<number> {
  if (app.config.production)
    throw new Error('This creates readers with a well-known password: never run it in production.');
  const { file, seed, readersMax } = given;
  const loadId = `${await checksumOf(file)} seed ${String(seed)}`;
  const { rowsDone: readersDone } = await importProgress(app, loadId);
  const all = await readersOf(file);
  const readers = all.slice(readersDone, readersMax);
  if (readersDone > 0) say(`${String(readersDone)} readers are loaded already, ${String(readers.length)} are left`);
  const books = await booksByNumber(app, readers);
  const passwordHash = await app.passwords.hash(PASSWORD);
  const bar = progressBar('loading', 'pairs');
  const total = readers.reduce((sum, reader) => sum + reader.books.length, 0);
  const begun = performance.now();
  let [pairs, unknown, done] = [0, 0, 0];
  for (const part of partsOf(readers)) {
    const loaded = await loadReaders(app, part, books, passwordHash, seed);
    pairs += loaded.pairs;
    unknown += loaded.unknown;
    done += part.length;
    await keepImportProgress(app, loadId, readersDone + done, readersDone + done === all.length);
    bar.update({ items: pairs, done: pairs + unknown, total });
  }
  bar.stop();
  const seconds = (performance.now() - begun) / 1_000;
  say(
    `${String(readers.length)} readers with ${String(pairs)} pairs as reads and likes in ${seconds.toFixed(1)} s, ` +
      `${(pairs / seconds).toFixed(0)} pairs/s; ${String(unknown)} are of books that the catalogue lacks`,
  );
  say('npm run admin -- audit --rate 100000 compares all rows about likes');
  return 0;
}

/** Splits readers into parts with about the number of pairs that are loaded together. */
function* partsOf(readers: readonly Reader[]): Generator<Reader[]> {
  let part: Reader[] = [];
  let pairs = 0;
  for (const reader of readers) {
    part.push(reader);
    pairs += reader.books.length;
    if (pairs < PAIRS_PER_PART) continue;
    yield part;
    [part, pairs] = [[], 0];
  }
  if (part.length > 0) yield part;
}

function readArguments() {
  const { values } = parseArgs({
    options: { pairs: { type: 'string' }, readers: { type: 'string' }, seed: { type: 'string', default: '1' } },
  });
  if (values.pairs === undefined) throw new Error('--pairs names the file to load');
  const [readersMax, seed] = [Number(values.readers ?? Number.MAX_SAFE_INTEGER), Number(values.seed)];
  if (!Number.isSafeInteger(readersMax) || readersMax < 1) throw new Error('--readers is a whole number of readers');
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed is a whole number');
  return { file: values.pairs, readersMax, seed };
}

try {
  const given = readArguments();
  await withApp((app) => load(app, given));
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
