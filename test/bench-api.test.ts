import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { compareAnswers } from '../bench/api/compare.ts';
import type { Data } from '../bench/api/shapes.ts';
import type { System } from '../bench/api/systems.ts';
import { rowsOf, summaryOf } from '../bench/api/table.ts';
import { sequences } from '../bench/api/workloads.ts';
import { inventBooks } from '../bench/books.ts';
import { SAMPLE } from '../tools/places.ts';
import { parseIsbn } from '../src/catalogue/isbn.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { recordsOf } from '../src/bulk-import/csv.ts';
import { Chance } from '../tools/support/chance.ts';

/** The comparisons and requests of `npm run bench -- api`. */

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a system that gives the same answer to everything. */
async function answering(name: string, data: object): Promise<System> {
  const server = createServer((_request, response) => {
    const body = JSON.stringify({ data });
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pid: 0,
    databasePid: 0,
    request: () => ({ query: '{ book }', variables: {} }),
    valuesOf: (_operation, answer) => answer,
  };
}

const BOOKS = ['9780439023481', '9780439554930', '9780316015844'];
const READERS = [0, 1, 2, 3].map((index) => ({ userId: `reader ${index}`, fullName: '', token: '' }));
const LIKED = encodeId({ type: 'Book', key: BOOKS[0] ?? '' });
const data: Data = {
  books: BOOKS.map((isbn) => ({ isbn, title: '', authors: [], genres: [], publishedYear: null, averageRating: null })),
  readers: READERS,
  registeredAt: new Date(0),
  likes: [],
  views: [],
  reading: [],
  isLiked: (reader, bookId) => reader === 0 && bookId === LIKED,
};

test('equal answers are counted, whatever the order of their fields', async () => {
  const systems = [
    await answering('one', { book: { title: 'A', likeCount: 1 } }),
    await answering('other', { book: { likeCount: 1, title: 'A' } }),
  ];
  const asked = sequences(data, { title: '', shares: { book: 1 } }, 3, new Chance(1));

  expect(await compareAnswers(systems, data, asked)).toBe(3);
});

test('a different value ends the comparison, with its path', async () => {
  const systems = [
    await answering('one', { book: { title: 'A', likeCount: 1 } }),
    await answering('other', { book: { title: 'A', likeCount: 2 } }),
  ];
  const asked = sequences(data, { title: '', shares: { book: 1 } }, 3, new Chance(1));

  await expect(compareAnswers(systems, data, asked)).rejects.toThrow(
    /book .* differ at \.book\.likeCount:\n {2}one: 1\n {2}other: 2$/,
  );
});

test('each like is taken back, and its reader and book occur in no other like', () => {
  const asked = sequences(data, { title: '', shares: { like: 1 } }, 11, new Chance(1));

  const pairs = asked.map(([like, unlike]) => {
    expect(unlike).toEqual({ ...like, operation: 'unlike' });
    return `${like?.reader} ${String(like?.variables['id'])}`;
  });
  expect(new Set(pairs).size).toBe(BOOKS.length * READERS.length - 1);
  expect(pairs).not.toContain(`0 ${LIKED}`);
});

test('each reader makes one request and is the subject of one before any does so again', () => {
  const asked = sequences(data, { title: '', shares: { likes: 1 } }, 2 * READERS.length, new Chance(1)).flat();

  for (const turn of [asked.slice(0, READERS.length), asked.slice(READERS.length)]) {
    expect(new Set(turn.map(({ reader }) => reader)).size).toBe(READERS.length);
    expect(new Set(turn.map(({ variables }) => variables['id'])).size).toBe(READERS.length);
  }
});

test('the summary has the medians of the ratios of all rounds, and nothing about a system that was not measured', () => {
  const turn = {
    requests: 1,
    p50: 1,
    processorMs: 0.5,
    databaseMs: 0.25,
    residentMebibytes: 200,
    statements: new Map(),
  };
  const turns = (rates: readonly number[], p99: number) => rates.map((rate) => ({ ...turn, rate, p99 }));
  const rows = rowsOf(
    new Map([
      ['ours', turns([90, 200, 110], 6)],
      ['floor', turns([100, 400, 100], 4)],
    ]),
  );

  const [, , line = ''] = summaryOf(new Map([['a page', rows]])).split('\n');
  const cells = line.split('|').map((cell) => cell.trim());
  expect(cells.slice(1, -1)).toEqual([
    'a page',
    '110',
    '0.90 (0.50 to 1.10)',
    '',
    '6.0',
    '1.50',
    '0.50',
    '0.50',
    '',
    '',
    '0.25',
    '0.25',
    '',
    '200',
  ]);
});

test('generated books can be imported: each has its own title and ISBN', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-test-'));
  try {
    const records = recordsOf(await inventBooks(SAMPLE, folder, 10_500), ['isbn13', 'title']);
    const found = await Array.fromAsync(records, ({ record }) => record);
    expect(new Set(found.map(({ isbn13 = '' }) => parseIsbn(isbn13).isbn13)).size).toBe(10_500);
    expect(found.at(-1)?.['title']).toMatch(/, volume 3$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Returns whether a process is still running. A zombie has ended. */
async function isRunning(pid: number): Promise<boolean> {
  const found = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => undefined);
  return found !== undefined && !found.stdout.startsWith('Z');
}

test('a guarded process ends with the process that started it, even if that is killed', async () => {
  const guarded = JSON.stringify(join(import.meta.dirname, '../tools/support/guarded.ts'));
  const script = `import { spawnGuarded } from ${guarded}; console.log(spawnGuarded('sleep', ['3600'], {}).pid)`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [printed] = (await once(starter.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString());
  expect(await isRunning(pid)).toBe(true);

  starter.kill('SIGKILL');
  while (await isRunning(pid));
});
