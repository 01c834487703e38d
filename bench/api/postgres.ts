import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../tools/launch/embedded.ts';
import { spawnGuarded } from '../../tools/support/guarded.ts';
import type { Bench } from '../bench.ts';
import type { Data } from './shapes.ts';

/** A separate PostgreSQL in a temporary folder, with default settings. */

export interface Postgres {
  /** The address for its clients. */
  readonly url: string;
  /** The main process of the database. */
  readonly pid: number;
  /** Recomputes the trending list. */
  readonly refreshTrending: () => Promise<void>;
}

const run = promisify(execFile);
const USER = 'bench';
/** The folder of Debian that has the programs of the server in a folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
const TRIES = 100;
const PAUSE_MS = 200;
const ROWS_PER_PART = 10_000;

/** Finds the folder of PostgreSQL's programs; `undefined` if it is not installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const folders = [...versions.toReversed(), ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name))));
}

/**
 * Starts PostgreSQL on a free port of 127.0.0.1, with tables and all data in them.
 * @param programs the folder that {@link findPostgres} found
 * @param tables a file of SQL
 * @param atEnd called with the function that ends and removes it
 */
export async function startPostgres(
  programs: string,
  tables: string,
  data: Data,
  atEnd: Bench['atEnd'],
): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-postgres-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const owner = await ownerOf(folder);
  const database = join(folder, 'data');
  await run(join(programs, 'initdb'), ['-D', database, '-U', USER, '-A', 'trust', '-E', 'UTF8'], owner);
  const port = await freePort();
  const settings = ['-D', database, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  // SIGINT disconnects all clients.
  const server = spawnGuarded(join(programs, 'postgres'), settings, owner, 'INT');
  server.stdout.resume();
  server.stderr.resume();
  const ended = once(server, 'exit');
  atEnd(async () => {
    server.kill('SIGINT');
    await ended;
  });

  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  await answering(programs, url);
  await tell(programs, url, [await readFile(tables, 'utf8')]);
  await tell(programs, url, copied(data));
  await tell(programs, url, ['VACUUM ANALYZE;']);
  return {
    url,
    pid: server.pid ?? 0,
    refreshTrending: () => tell(programs, url, ['REFRESH MATERIALIZED VIEW trending;']),
  };
}

/**
 * Picks the user that PostgreSQL runs as, because it refuses root. The folder is given to that
 * user.
 */
async function ownerOf(folder: string): Promise<{ uid?: number; gid?: number; cwd: string }> {
  if (process.getuid?.() !== 0) return { cwd: folder };

  const idOf = async (option: string) => {
    const { stdout } = await run('id', [option, 'postgres']).catch(() => run('id', [option, 'nobody']));
    return Number(stdout);
  };
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  await chown(folder, uid, gid);
  return { uid, gid, cwd: folder };
}

async function answering(programs: string, url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await tell(programs, url, ['SELECT 1;']);
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Runs parts of a text with psql. */
async function tell(programs: string, url: string, parts: Iterable<string>): Promise<void> {
  const child = spawn(join(programs, 'psql'), [url, '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'close') as Promise<[number | null]>;
  // If psql ends early, its exit gives the reason.
  await pipeline(parts, child.stdin).catch(() => undefined);
  const [code] = await ended;
  if (code !== 0) throw new Error(`psql ended with ${String(code)}: ${complaint}`);
}

/**
 * Makes the input of psql from all data, in parts, because a string has at most half a gigabyte.
 */
function* copied({ books, readers, registeredAt, likes, views, reading }: Data): Generator<string> {
  const isbnOf = (book: number) => books[book]?.isbn;
  const userIdOf = (reader: number) => readers[reader]?.userId;
  const likeCounts = new Map<number, number>();
  for (const { book } of likes) likeCounts.set(book, (likeCounts.get(book) ?? 0) + 1);

  yield* copy('books', books, ({ isbn, title, authors, genres, publishedYear, averageRating }, index) => {
    const lists = [arrayOf(authors), arrayOf(genres)];
    return [isbn, title, ...lists, publishedYear, averageRating, likeCounts.get(index) ?? 0];
  });
  yield* copy('readers', readers, ({ userId, fullName }) => [userId, fullName]);
  yield* copy('likes', likes, ({ reader, book, likedAt }) => [userIdOf(reader), isbnOf(book), likedAt.toISOString()]);
  yield* copy('views', views, ({ reader, book, viewedAt }) => [userIdOf(reader), isbnOf(book), viewedAt.toISOString()]);
  yield* copy('readings', reading, ({ reader, book, progress, since }) => {
    return [userIdOf(reader), isbnOf(book), 'READING', progress, since.toISOString()];
  });
  yield* copy('actions', readers, ({ userId }) => [userId, registeredAt.toISOString(), 'REGISTERED', null]);
  yield* copy('actions', likes, ({ reader, book, likedAt }) => {
    return [userIdOf(reader), likedAt.toISOString(), 'LIKED', isbnOf(book)];
  });
}

type Cell = string | number | null | undefined;

/** Writes items as CSV. An empty cell is null; one in quotes never is. */
function* copy<Item>(
  table: string,
  items: readonly Item[],
  cellsOf: (item: Item, index: number) => readonly Cell[],
): Generator<string> {
  yield `COPY ${table} FROM STDIN (FORMAT csv);\n`;
  for (let from = 0; from < items.length; from += ROWS_PER_PART) {
    const part = items.slice(from, from + ROWS_PER_PART);
    yield part
      .map(
        (item, index) =>
          `${cellsOf(item, from + index)
            .map(cellOf)
            .join(',')}\n`,
      )
      .join('');
  }
  yield '\\.\n';
}

const cellOf = (cell: Cell): string =>
  cell === null || cell === undefined ? '' : `"${String(cell).replaceAll('"', '""')}"`;

const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
