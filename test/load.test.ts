import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errors } from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadAccount } from '../tools/bulk/accounts.ts';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import { everyAudit } from '../src/app/workers.ts';
import type { Cassandra } from '../src/cassandra/statement.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../src/context/context.ts';
import { bookById } from '../src/catalogue/operations.ts';
import { bookIdsByNumber, importBooks } from '../src/catalogue/import.ts';
import { importLibraries } from '../src/libraries/import.ts';
import { repeated } from '../src/bulk-import/in-bulk.ts';
import { checksumOf, keepImportProgress } from '../src/bulk-import/operations.ts';
import { loadLikes } from '../tools/bulk/likes.ts';
import { loadReadings } from '../tools/bulk/readings.ts';
import { SAMPLE, SAMPLE_LIBRARIES } from '../tools/places.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { audited, impatient } from './support/audit.ts';
import { importSample } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';
import { intercepted } from './support/intercept.ts';

const environment = testEnvironment();
const tool = (name: string) => join(import.meta.dirname, `../tools/admin/${name}.ts`);
let server: TestServer;
let folder: string;
/** The books that each reader read and liked. */
const pairs = new Map<number, number[]>();
let titles: Map<number, string>;
/** The ids of the books of the sample by their numbers there. */
let bookIds: Map<string, string>;

beforeAll(async () => {
  server = await startServer(await ownKeyspace(environment));
  folder = await mkdtemp(join(tmpdir(), 'load-'));
  await importSample(server.app, 70);
  // The other books are in no pair.
  await keepImportProgress(server.app, await checksumOf(SAMPLE), 10_000, true);
  const context = requestContext(server.app, ANONYMOUS);
  titles = new Map();
  bookIds = await bookIdsByNumber(SAMPLE);
  for (const [number, id] of [...bookIds].slice(0, 60)) {
    titles.set(Number(number), (await bookById(context, id))!.title);
  }
  const numbers = [...titles.keys()];
  for (let reader = 1; reader <= 24; reader++) {
    // The factor 7 is coprime to their number, so no pair occurs twice.
    const books = Array.from({ length: 10 + (reader % 10) }, (_, index) => numbers[(reader * 11 + index * 7) % 60]!);
    pairs.set(reader, books);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** As in a real file, a reader's lines are scattered. */
async function pairsFile(): Promise<string> {
  const lines = [...pairs].flatMap(([reader, books]) => books.map((book, index) => ({ reader, book, index })));
  lines.sort((one, other) => one.index - other.index);
  const file = join(folder, 'pairs.tsv');
  await writeFile(file, lines.map(({ reader, book }) => `${reader}\t${book}\n`).join(''));
  return file;
}

const run = (name: string, ...given: string[]) =>
  promisify(execFile)(process.execPath, [tool(name), ...given], { env: environment }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { code: number; stdout: string },
  );

/** Audits everything that a load makes. */
const driftOfLoaded = async () => {
  const audits = everyAudit.filter(({ kind }) => ['likes', 'readings', 'accounts'].includes(kind));
  const { rows, drift } = await audited(server.app, audits);
  expect(audits).toHaveLength(3);
  expect(rows).toBeGreaterThan(0);
  return drift;
};

/** Logs in a reader whom a load has made. */
const logIn = async (reader: Client, email: string) =>
  reader.useTokens(
    await reader.mutate('login', { email, password: 'a good book' }, 'accessToken refreshToken viewer { id }'),
  );

const listOf = (client: Client, list: string, fields: string) =>
  client.allPages(50, 'forward', (args) =>
    client
      .data(`{ viewer { ${list.replace('ARGS', args)} { edges { cursor ${fields} } ${PAGE_INFO} } } }`)
      .then(({ viewer }) => viewer[list.slice(0, list.indexOf('('))]),
  );

describe('npm run admin -- load', () => {
  test('killed in the middle and repeated, makes one reading and one like of every pair, and the audit finds no drift', async () => {
    const file = await pairsFile();
    // The load is killed when part of it is written.
    const { client } = server.app.cassandra;
    const killed = spawn(process.execPath, [tool('load'), '--pairs', file], { env: environment, stdio: 'ignore' });
    const ended = new Promise((resolve) => killed.once('exit', resolve));
    const isAnyLiked = async () => (await client.execute('SELECT user_id FROM likes_by_user LIMIT 1')).rowLength > 0;
    while (killed.exitCode === null && !(await isAnyLiked())) await sleep(5);
    killed.kill('SIGKILL');
    expect(await ended, 'the exit code of what was killed').toBeNull();

    const first = await run('load', '--pairs', file, '--readers', '18');
    expect(first.stdout).toMatch(/18 readers with \d+ pairs/);
    const rest = await run('load', '--pairs', file);
    expect(rest.stdout).toMatch(/18 readers are loaded already, 6 are left/);
    expect(await driftOfLoaded()).toEqual([]);

    for (const number of [1, 24]) {
      const expected = pairs.get(number)!.map((book) => titles.get(book)!);
      const reader = server.client();
      await logIn(reader, `reader-${number}@load.example`);
      const likes = await listOf(reader, 'likes(ARGS)', 'title likedAt node { viewerHasLiked }');
      expect(likes.map(({ title }) => title).toSorted()).toEqual(expected.toSorted());
      expect(likes.every(({ node }) => node.viewerHasLiked)).toBe(true);
      const moments = likes.map(({ likedAt }) => Date.parse(likedAt));
      expect(moments).toEqual(moments.toSorted((one, other) => other - one));
      expect(Math.min(...moments)).toBeGreaterThan(Date.now() - 732 * 86_400_000);
      expect(Math.max(...moments)).toBeLessThan(Date.now());
      for (const list of [
        'readBooks(orderBy: TITLE, ARGS)',
        'readBooks(orderBy: READ_AT, ARGS)',
        'shelf(status: READ, ARGS)',
      ]) {
        const read = await listOf(reader, list, 'node { title }');
        expect(read.map(({ node }) => node.title).toSorted(), list).toEqual(expected.toSorted());
      }
      const actions = await listOf(
        reader,
        'actions(kinds: [READ, LIKED, REGISTERED], orderBy: OLDEST, ARGS)',
        'node { kind at }',
      );
      expect(actions).toHaveLength(2 * expected.length + 1);
      expect(actions[0].node.kind).toBe('REGISTERED');
    }
    // A book has one liker for each of its pairs.
    const [book] = pairs.get(1)!;
    const expected = [...pairs.values()].filter((books) => books.includes(book!)).length;
    const { rows } = await client.execute('SELECT sum(like_count) AS likes FROM like_counts');
    expect(Number(rows[0]!['likes'])).toBe([...pairs.values()].flat().length);
    const { node } = await server
      .client()
      .data(
        'query ($id: ID!) { node(id: $id) { ... on Book { likeCount likers(first: 100) { edges { node { fullName } } } } } }',
        { id: Buffer.from(`Book:${bookIds.get(String(book))!}`).toString('base64url') },
      );
    expect(node.likeCount).toBe(expected);
    expect(node.likers.edges).toHaveLength(expected);
    expect(node.likers.edges[0].node.fullName).toMatch(/^Reader \d+$/);
  });

  test('does not change the data that readers have entered themselves meanwhile', async () => {
    const reader = server.client();
    await logIn(reader, 'reader-1@load.example');
    const { viewer } = await reader.data('{ viewer { likes(first: 1) { edges { title node { id } } } } }');
    const [{ node, title }] = viewer.likes.edges;
    await reader.unlike(node.id);
    await reader.mutate('unmarkAsRead', { bookId: node.id }, 'book { id }');
    const before = [
      await listOf(reader, 'likes(ARGS)', 'title likedAt'),
      await listOf(reader, 'readBooks(ARGS)', 'node { title }'),
    ];
    const again = await run('load', '--pairs', join(folder, 'pairs.tsv'), '--seed', '2', '--readers', '8');
    expect(again.stdout).toMatch(/8 readers with/);
    const after = [
      await listOf(reader, 'likes(ARGS)', 'title likedAt'),
      await listOf(reader, 'readBooks(ARGS)', 'node { title }'),
    ];
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    expect(JSON.stringify(after)).not.toContain(title);
    expect(await driftOfLoaded()).toEqual([]);
  });

  const refused: [string[], number, string][] = [
    [['--pairs', 'x', '--readers', '0'], 2, '--readers is a whole number of readers'],
    [['--pairs'], 2, "'--pairs <value>' argument missing"],
    [[], 2, '--pairs names the file to load'],
    [['--pairs', '/nowhere'], 1, 'no such file'],
  ];
  test.each(IS_FULL ? refused : refused.slice(0, 1))(
    '%j exits with %i and the reason',
    async (given, code, message) => {
      const found = await run('load', ...given);
      expect(found.code).toBe(code);
      expect(found.stdout).toContain(message);
    },
  );

  test('names the line that it cannot read, and writes nothing', async () => {
    const file = join(folder, 'wrong.tsv');
    await writeFile(file, '900\t1\n900,2\n');
    const { code, stdout } = await run('load', '--pairs', file);
    expect(code).toBe(1);
    expect(stdout).toContain('line 2');
    const wrong = await server
      .client()
      .mutate('login', { email: 'reader-900@load.example', password: 'a good book' }, 'accessToken');
    expect(wrong.accessToken).toBeNull();
  });
});

/** The number exceeds the retries of a decision within a request. */
const LOSSES = 6;

/**
 * Makes a connection to a Cassandra that does not answer for a while: at first, statements of each
 * kind, or their answers, are lost.
 */
function losing(cassandra: Cassandra): Cassandra {
  const losses = new Map<string, number>();
  const lossy = intercepted(cassandra, async ({ cql, send }) => {
    const lost = losses.get(cql) ?? 0;
    if (lost === LOSSES) return send();
    losses.set(cql, lost + 1);
    if (lost % 2 === 1) await send();
    throw new errors.OperationTimedOutError('lost by the test');
  });
  return impatient(lossy);
}

describe('a Cassandra that does not answer for a while', () => {
  test('does not end a load: lost work is repeated once', async () => {
    const app = { ...server.app, cassandra: losing(server.app.cassandra) };
    const [userId, fullName, email] = [app.randomId(), 'Patient Reader', 'patient@load.example'];
    const books = await Promise.all(
      [...bookIds.values()]
        .slice(0, 10)
        .map(async (id) => (await bookById(requestContext(server.app, ANONYMOUS), id))!),
    );
    const at = new Date(Date.now() - 3_600_000);
    const activityLog = new ActionsInBulk();

    const passwordHash = await app.passwords.hash('a good book');
    await loadAccount(app, userId, { email, fullName, passwordHash }, new Date(at.getTime() - 1), activityLog);
    await loadReadings(
      app,
      books.map((book) => ({ userId, book, readAt: at })),
      activityLog,
    );
    await loadLikes(
      app,
      books.map(({ id, title, authors }) => ({
        userId,
        fullName,
        likeableId: `Book:${id}`,
        title,
        authors,
        likedAt: at,
      })),
      activityLog,
    );
    await activityLog.write(app);

    const reader = server.client();
    await logIn(reader, email);
    expect(await listOf(reader, 'likes(ARGS)', 'title')).toHaveLength(books.length);
    expect(await listOf(reader, 'readBooks(ARGS)', 'node { title }')).toHaveLength(books.length);
    expect(await listOf(reader, 'actions(kinds: [READ, LIKED, REGISTERED], ARGS)', 'node { kind }')).toHaveLength(
      2 * books.length + 1,
    );
    expect(await driftOfLoaded()).toEqual([]);
  });

  test('does not end an import', async () => {
    const app = { ...server.app, cassandra: losing(server.app.cassandra) };
    const columns =
      'book_id,goodreads_book_id,isbn,isbn13,title,original_title,authors,original_publication_year,language_code,average_rating,ratings_count,genres';
    const file = join(folder, 'lost.csv');
    await writeFile(file, `${columns}\n1,990001,,,Undauntedly,,A Patient Author,2001,eng,4.5,10,Patience\n`);

    expect(await importBooks(app, file)).toMatchObject({ rows: 1, imported: 1 });
    const { books } = await server.client().data('{ books(query: "undauntedly") { edges { node { title } } } }');
    expect(books.edges).toEqual([{ node: { title: 'Undauntedly' } }]);
    expect((await importLibraries(app, SAMPLE_LIBRARIES, { rowsMax: 20 })).imported).toBe(20);
  });

  test('is reported from time to time with advice, and waited for at most ten minutes', async () => {
    let now = 0;
    const warn = vi.fn();
    const app = {
      ...server.app,
      cassandra: intercepted(impatient(server.app.cassandra), () =>
        Promise.reject(new errors.OperationTimedOutError('lost by the test')),
      ),
      monotonicNow: () => (now += 1_000),
      logger: { warn } as unknown as AppContext['logger'],
    };

    await expect(keepImportProgress(app, 'never', 0, false)).rejects.toThrow(
      /not completed this for 10 minutes \(INSERT imports: .*Check that its nodes run.* it continues where it stopped\./,
    );
    expect(warn.mock.calls.length).toBeGreaterThan(1);
    expect(warn.mock.calls.length).toBeLessThan(30);
    expect(warn.mock.calls[0]?.[1]).toMatch(/retried until it does.*Check that its nodes run/);
  });

  test('is not confused with other failures', async () => {
    const mistaken = vi.fn(() => Promise.reject(new Error('a mistake')));

    await expect(repeated(server.app, mistaken)).rejects.toThrow('a mistake');
    expect(mistaken).toHaveBeenCalledTimes(1);
  });
});
