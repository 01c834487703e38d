import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fastify from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { AppContext } from '../src/context/context.ts';
import { importProgress, isImported, checksumOf, keepImportProgress } from '../src/bulk-import/operations.ts';
import { importLibraries } from '../src/libraries/import.ts';
import { SAMPLE, SAMPLE_LIBRARIES } from '../tools/places.ts';
import { yieldingLimit } from '../tools/sample/sample-data.ts';
import { SAMPLE_LOGINS, SAMPLE_PASSWORD } from '../tools/sample/sample-readers.ts';
import { startServer, testEnvironment, ownKeyspace } from './support/app.ts';
import { Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';
import { startProcess, type ServerProcess } from '../tools/support/process.ts';

/** The file that `npm start` runs. */
const START = join(import.meta.dirname, '../tools/start.ts');

/** The number of the first rows of each sample file that a short test skips. */
const LEFT_OUT = { books: 9_900, libraries: 9_150 };

/** Records that most rows of a file are imported, so that an import continues near its end. */
async function leaveOut(app: AppContext, what: keyof typeof LEFT_OUT): Promise<void> {
  if (IS_FULL) return;
  const file = { books: SAMPLE, libraries: SAMPLE_LIBRARIES }[what];
  await keepImportProgress(app, await checksumOf(file), LEFT_OUT[what], false);
}

/** Imports the libraries of the cities in the tutorial. */
async function importLibrariesOfTutorial(app: AppContext): Promise<void> {
  const [columns, ...lines] = readFileSync(SAMPLE_LIBRARIES, 'utf8').split('\n');
  const file = join(inject('folder'), 'libraries-of-tutorial.csv');
  writeFileSync(file, [columns, ...lines.filter((line) => /^PA,|SALEM,97/.test(line))].join('\n'));
  await importLibraries(app, file);
}

describe('the sample data', () => {
  const servers: ServerProcess[] = [];
  let survivor: ServerProcess;
  afterAll(() => Promise.all(servers.map(({ stop }) => stop())));

  test('is imported by one of the servers while it answers, and by another one when the first is killed', async () => {
    const environment = testEnvironment({ SAMPLE_DATA: 'on' });
    const { app } = await startServer(await ownKeyspace(environment));
    await importLibrariesOfTutorial(app);
    await leaveOut(app, 'libraries');
    const checksum = await checksumOf(SAMPLE);
    const rowsDone = async () => (await importProgress(app, checksum)).rowsDone;
    const start = async () => {
      const server = await startProcess(environment, undefined, START);
      servers.push(server);
      return server;
    };
    const started = await Promise.all([start(), start()]);
    for (const { url } of started) {
      const { book } = await new Client(url).data('{ book(isbn: "0439023483") { title } }');
      expect(book.title).toBe('The Hunger Games (The Hunger Games, #1)');
    }
    const hasSaid = (server: ServerProcess, text: string) => server.printed().includes(text);
    const waiting = () => started.find((server) => hasSaid(server, 'another server imports the sample data'));
    const importing = () => started.find((server) => hasSaid(server, 'importing the sample'));
    while (!waiting() || !importing()) await sleep(20);
    while ((await rowsDone()) < 500) await sleep(20);
    const [killed, other] = [importing()!, waiting()!];
    survivor = other;
    expect(other).not.toBe(killed);
    killed.process.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(await rowsDone()).toBeLessThan(10_000);
    await leaveOut(app, 'books');
    expect(hasSaid(other, 'importing the sample')).toBe(false);

    while (!hasSaid(other, 'imported 9977 of 10000 books; 23 refused')) await sleep(100);
    expect(await isImported(app, SAMPLE)).toBe(true);
    expect(await isImported(app, SAMPLE_LIBRARIES)).toBe(true);
    const { rows } = await app.cassandra.client.execute('SELECT book_id FROM books', [], { fetchSize: 20_000 });
    expect(rows.length).toBeGreaterThan(500);
    if (!IS_FULL) return;
    expect(rows).toHaveLength(9_977);
    expect(rows.filter((row) => String(row['book_id']).startsWith('goodreads-'))).toHaveLength(700);
  });

  test('includes readers with likes, views and copies, each once, and three readers to log in as', async () => {
    const client = new Client(survivor.url);
    const { books } = await client.data(
      '{ books(first: 3) { nodes { likeCount likeTally { count isExact } likers(first: 100) { nodes { fullName } } } } }',
    );
    for (const { likeCount, likeTally, likers } of books.nodes) {
      expect(likeCount).toBeGreaterThan(10);
      expect(likeTally).toEqual({ count: likeCount, isExact: true });
      expect(likers.nodes).toHaveLength(likeCount);
    }
    // Likes are trending once the roll-up has counted them.
    const trending = async () =>
      (await client.data('{ trending(window: WEEK, first: 5) { edges { likes } } }')).trending;
    await expect.poll(trending).toMatchObject({ edges: [{}, {}, {}, {}, {}] });

    const lives = [];
    for (const { email, fullName } of SAMPLE_LOGINS) {
      const reader = new Client(survivor.url);
      reader.token = (await reader.mutate('login', { email, password: SAMPLE_PASSWORD }, 'accessToken')).accessToken;
      const { viewer, feed } = await reader.data(`{ viewer {
        fullName privacy { likes } likes(first: 100) { nodes { id } } listings(orderBy: PRICE, first: 100) { nodes { id } }
        readBooks(first: 100) { nodes { id } } recentlyViewed(first: 100) { nodes { id } } blocked(first: 5) { nodes { id } }
        shelf(status: WANT_TO_READ, first: 100) { nodes { id } }
        following(first: 100) { nodes { id } } followers(first: 100) { nodes { id } }
      } feed(first: 100) { nodes { reader { id } } } }`);
      expect(viewer.fullName).toBe(fullName);
      const sizes = Object.entries({ ...viewer, feed } as object).flatMap(([list, page]) =>
        page !== null && typeof page === 'object' && 'nodes' in page ? [[list, (page.nodes as unknown[]).length]] : [],
      );
      lives.push({ privacy: viewer.privacy.likes, ...Object.fromEntries(sizes) });
    }
    const busy = { privacy: 'EVERYONE', likes: 40, readBooks: 16, recentlyViewed: 12, blocked: 0, shelf: 4, feed: 100 };
    expect(lives).toEqual([
      { ...busy, listings: 3, following: 12, followers: 13 },
      { ...busy, listings: 30, following: 4, followers: 5 },
      {
        ...{ privacy: 'ONLY_ME', likes: 0, listings: 0, readBooks: 0, recentlyViewed: 12, blocked: 1, shelf: 0 },
        ...{ following: 4, followers: 0, feed: 100 },
      },
    ]);
  });

  test('gives the results of the pasted tutorial', async () => {
    const tutorial = readFileSync(join(import.meta.dirname, '../docs/tutorial.md'), 'utf8');
    const script = [...tutorial.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
    const { book } = await new Client(survivor.url).data('{ book(isbn: "9780439023481") { likeCount } }');
    const likes: number = book.likeCount;
    expect(likes).toBeGreaterThan(20);
    const pasted = script.replace('http://localhost:4000', survivor.url);
    expect(pasted).not.toBe(script);
    const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(answers).toMatchObject([
      {
        data: {
          book: { title: 'The Hunger Games (The Hunger Games, #1)', authors: ['Suzanne Collins'], likeCount: likes },
        },
      },
      { data: { viewer: { sessions: { edges: [{ node: { isCurrent: true } }] }, loginCount: 1 } } },
      { data: { like: { changed: true, likeable: { likeCount: likes + 1, viewerHasLiked: true }, userErrors: [] } } },
      {
        data: {
          book: {
            likeTally: { count: likes + 1, isExact: true },
            likers: { edges: [{ node: { fullName: 'Ann Lee' } }, {}, {}, {}, {}] },
          },
        },
      },
      { data: { markAsRead: { book: { title: 'The Hunger Games (The Hunger Games, #1)' }, userErrors: [] } } },
      {
        data: {
          viewer: {
            fullName: 'Ann Lee',
            readBooks: { edges: [{ node: { title: 'The Hunger Games (The Hunger Games, #1)' } }] },
            actions: {
              // The day on which she read it is before the day of her registration.
              edges: [{ node: { kind: 'LIKED' } }, { node: { kind: 'REGISTERED' } }, { node: { kind: 'READ' } }],
            },
          },
        },
      },
      { data: { books: { edges: [{ node: { title: 'The Hunger Games (The Hunger Games, #1)' } }] } } },
      { data: { listItem: { item: { status: 'FOR_SALE' }, userErrors: [] } } },
      {
        data: {
          viewer: {
            listings: {
              edges: [
                {
                  node: {
                    title: 'The Hunger Games (The Hunger Games, #1)',
                    price: { amount: '4.50', currency: 'EUR' },
                  },
                },
              ],
            },
          },
        },
      },
      { data: { libraries: { edges: [{ node: { city: expect.stringMatching(/salem/i), state: 'Oregon' } }] } } },
      {
        data: {
          libraries: {
            edges: [
              { node: { name: 'Cooper-Siegel Community Library', openedOn: '2011-04-30' } },
              { node: { name: 'Whitehall Public Library', openedOn: '1963-05-05' } },
            ],
          },
        },
      },
      {
        data: {
          libraries: {
            edges: [
              { distanceKm: 3.285, node: { name: 'Allegheny Sys Admin Unit' } },
              { distanceKm: 3.979, node: { name: 'Carnegie Library of Pittsburgh' } },
            ],
          },
        },
      },
      {
        data: {
          register: {
            accessToken: null,
            userErrors: [
              { path: ['input', 'email'] },
              { path: ['input', 'password'] },
              { path: ['input', 'fullName'] },
            ],
          },
        },
      },
    ]);
  });
});

test('an import that yields to requests does one write at a time while a request is in progress', async () => {
  const server = fastify();
  afterAll(() => server.close());
  const limit = yieldingLimit(server);
  const asked = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<string>();
  server.get('/', () => {
    asked.resolve(undefined);
    return answer.promise;
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const alone = limit.concurrency;
  expect(alone).toBeGreaterThan(1);

  const givenUp = new AbortController();
  const requests = [fetch(url), fetch(url, { signal: givenUp.signal })];
  await asked.promise;
  expect(limit.concurrency).toBe(1);
  givenUp.abort();
  await expect(requests[1]).rejects.toThrow(/abort/);
  expect(limit.concurrency).toBe(1);

  answer.resolve('answered');
  expect(await (await requests[0]!).text()).toBe('answered');
  while (limit.concurrency !== alone) await sleep(10);
});
