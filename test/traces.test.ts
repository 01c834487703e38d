import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { ACTION_KIND_COUNT } from '../src/graphql/kinds.ts';
import { countGenres } from '../src/catalogue/genres.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { untilImported } from './support/library-imports.ts';
import { mailInFolder, tokenIn } from './support/mails.ts';
import { importSomeLibraries } from './support/some-libraries.ts';
import { FILTERED, FOR_ADMINISTRATORS, PAGE, QUERIES } from './support/traced-queries.ts';
import { costsOf, traced, type TracedStatement } from './support/tracing.ts';
import { rollUp } from '../src/events/rollup.ts';
import { measure } from '../src/measurements/measurements.worker.ts';

/**
 * The cost of every query and mutation, from Cassandra's traces. This test writes
 * `docs/queries.md`.
 */

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The rows of every list. */
const ROWS = 5;

let server: TestServer;
let trace: (work: () => Promise<unknown>) => Promise<TracedStatement[]>;
let now = Date.UTC(2026, 5, 10, 12);
let reader: Client;
/** A reader with one session. If several end at once, they may share a read of the account. */
let forgetful: Client;
let administrator: Client;
let books: string[];
let items: string[];
let sessionId: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const environment = testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' });
  server = await startServer(await ownKeyspace(environment), {
    clock: () => new Date((now += 10)),
    // No heartbeat is sent during the test.
    monotonicNow: () => 0,
  });
  await importSample(server.app);
  await importSomeLibraries(server.app, ROWS);
  books = await bookIds(server);
  reader = await server.client().registerSomebody('Ann Lee');
  forgetful = await server.client().registerSomebody();
  administrator = await registerAdministrator(server, 'Bo');
  items = [];
  for (let index = 0; index < ROWS; index++) {
    // Some events are in the previous month; events that are not counted expire within nine days.
    if (index === 2) {
      await countAll();
      now += 25 * DAY;
      reader = await server.client().login(reader.email);
    }
    await other(index);
    const book = books[index]!;
    const input = { bookId: books[0]!, price: { amount: `${index + 1}`, currency: 'EUR' }, condition: 'GOOD' };
    items.push((await reader.mutate('listItem', input, 'item { id }')).item.id);
    await reader.like(book);
    await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
    await reader.mutate('rateBook', { bookId: book, rating: 4 }, 'changed');
    const words = { bookId: book, text: 'Good', hasSpoilers: false };
    const { review } = await reader.mutate('writeReview', words, 'review { id }');
    await (await server.client().registerSomebody('Fan')).like(review.id);
    ids['review'] = review.id;
    const { list } = await reader.mutate('createList', { name: `List ${index}`, audience: 'EVERYONE' }, 'list { id }');
    ids['list'] ??= list.id;
    await reader.mutate('addToList', { listId: ids['list'], bookId: book }, 'changed');
    await reader.mutate('recordView', { bookId: book }, 'book { id }');
    await reader.login(reader.email);
  }
  for (const title of ['Nowhere', 'Not Here', 'Not There'])
    await untilImported(reader, Buffer.from(`Title,Author,Bookshelves,Exclusive Shelf\n${title},Nobody,,read`));
  await reader.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
  for (let count = 0; count < ROWS; count++) ids['asking'] = await asking();
  sessionId = (await reader.mutate('startSession', {}, 'session { id }')).session.id;
  now += MINUTE;
  await reader.mutate('recordClicks', { sessionId, clicks: someClicks(ROWS) }, 'recorded');
  administrator = await server.client().login(administrator.email);
  ids['verification'] = await verificationOf(administrator);
  await countAll();
  while (!(await isCounted())) await countGenres(server.app);
  for (let count = 0; count < ROWS; count++) {
    now += MINUTE;
    await measure(server.app);
  }
  Object.assign(ids, {
    book: books[0]!,
    nextBook: books[6]!,
    item: items[0]!,
    theirs: await sell(),
    session: sessionId,
  });
  trace = traced(server.app.cassandra.client);
});

/** Another reader asks to follow the reader. */
async function asking(): Promise<string> {
  const client = await server.client().registerSomebody('Dee Eff');
  await client.mutate('follow', { id: reader.viewerId }, 'changed');
  return client.viewerId;
}

/** A seller who can be written to lists a copy. */
async function sell(): Promise<string> {
  const seller = await server.client().registerSomebody('Cy Dent');
  await seller.mutate('verifyEmail', { token: await verificationOf(seller) }, 'viewer { id }');
  const input = { bookId: books[7]!, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
  return (await seller.mutate('listItem', input, 'item { id }')).item.id;
}

async function verificationOf(client: Client): Promise<string> {
  await client.data('mutation { requestEmailVerification { userErrors { code } } }');
  return tokenIn(await mailInFolder(server.app.config.mail.folder!, client.email, 'Is this your email?'));
}

/**
 * Another reader likes the first book and follows the reader, who follows them too; the reader
 * blocks a third one.
 */
async function other(index: number): Promise<void> {
  const client = await server.client().registerSomebody(`Reader ${String(index)}`);
  await client.like(books[0]!);
  await client.mutate('follow', { id: reader.viewerId }, 'changed');
  await reader.mutate('follow', { id: client.viewerId }, 'changed');
  const unwanted = await server.client().registerSomebody(`Unwanted ${String(index)}`);
  await reader.mutate('block', { id: unwanted.viewerId }, 'changed');
  await client.mutate('report', { id: unwanted.viewerId, reason: 'SPAM' }, '__typename');
  ids['unwanted'] = unwanted.viewerId;
}

/** Subscribes to push messages. Only this call finds them set up, so no other one sends any. */
async function subscribe(): Promise<void> {
  const { config } = server.app;
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const push = { privateKey: keys.getPrivateKey(), contact: 'mailto:people@library.example', hosts: ['push.example'] };
  Object.assign(config, { push });
  const input = { endpoint: 'https://push.example/a', p256dh, auth: randomBytes(16).toString('base64url') };
  expect(await reader.mutate('addPushSubscription', input, 'viewer { id }')).toMatchObject({ userErrors: [] });
  Object.assign(config, { push: null });
}

async function countAll(): Promise<void> {
  for (;;) {
    await rollUp(server.app).run(server.app);
    const { rowLength } = await server.app.cassandra.client.execute('SELECT record_id FROM dirty_windows');
    if (rowLength === 0) return;
    now += 2_000;
  }
}

async function isCounted(): Promise<boolean> {
  const { rows } = await server.app.cassandra.client.execute('SELECT version, counted_version FROM genres');
  return rows.every((row) => row['version'] === row['counted_version']);
}

/** All mutations. */
const MUTATIONS: readonly (readonly [name: string, work: () => Promise<unknown>])[] = [
  ['register', () => server.client().registerSomebody('New')],
  ['login', () => server.client().login(reader.email)],
  ['startSession', () => server.client().mutate('startSession', {}, 'session { id }')],
  ['like', () => reader.like(ids['nextBook']!)],
  ['like, once more', () => reader.like(ids['nextBook']!)],
  ['unlike', () => reader.unlike(ids['nextBook']!)],
  [
    'markNotificationsRead',
    () => reader.mutate('markNotificationsRead', { until: new Date(now).toISOString() }, '__typename'),
  ],
  ['addPushSubscription', subscribe],
  ['removePushSubscription', () => reader.data('mutation { removePushSubscription { __typename } }')],
  ['updateNotificationSettings', () => reader.mutate('updateNotificationSettings', { listLiked: false }, '__typename')],
  ['markAsRead', () => reader.mutate('markAsRead', { bookId: ids['nextBook']! }, 'book { id }')],
  [
    'updateReading',
    () => reader.mutate('updateReading', { bookId: ids['nextBook']!, finishedOn: '2026-06-01' }, 'book { id }'),
  ],
  ['unmarkAsRead', () => reader.mutate('unmarkAsRead', { bookId: ids['nextBook']! }, 'book { id }')],
  [
    'setReadingStatus',
    () => reader.mutate('setReadingStatus', { bookId: ids['nextBook']!, status: 'READING' }, 'book { id }'),
  ],
  ['rateBook', () => reader.mutate('rateBook', { bookId: ids['nextBook']!, rating: 4.5 }, 'changed')],
  ['rateBook, another rating', () => reader.mutate('rateBook', { bookId: ids['nextBook']!, rating: 2 }, 'changed')],
  ['unrateBook', () => reader.mutate('unrateBook', { bookId: ids['nextBook']! }, 'changed')],
  ['setReadingGoal', () => reader.mutate('setReadingGoal', { year: 2026, books: 12 }, 'viewer { id }')],
  ['shareYear', () => reader.mutate('shareYear', { year: 2026, isShared: true }, 'viewer { id }')],
  [
    'writeReview',
    () => reader.mutate('writeReview', { bookId: ids['nextBook']!, text: 'Good', hasSpoilers: false }, 'changed'),
  ],
  ['deleteReview', () => reader.mutate('deleteReview', { bookId: ids['nextBook']! }, 'changed')],
  ['createList', () => reader.mutate('createList', { name: 'More', audience: 'EVERYONE' }, 'changed')],
  ['addToList', () => reader.mutate('addToList', { listId: ids['list']!, bookId: ids['nextBook']! }, 'changed')],
  ['moveInList', () => reader.mutate('moveInList', { listId: ids['list']!, bookId: ids['nextBook']! }, 'changed')],
  [
    'removeFromList',
    () => reader.mutate('removeFromList', { listId: ids['list']!, bookId: ids['nextBook']! }, 'changed'),
  ],
  ['recordView', () => reader.mutate('recordView', { bookId: ids['nextBook']! }, 'book { id }')],
  [
    'recordClicks, 100 of one hour',
    () => reader.mutate('recordClicks', { sessionId: ids['session']!, clicks: someClicks(100) }, 'recorded'),
  ],
  [
    'listItem',
    () =>
      reader.mutate(
        'listItem',
        { bookId: ids['book']!, price: { amount: '9', currency: 'EUR' }, condition: 'GOOD' },
        'item { id }',
      ),
  ],
  [
    'changePrice',
    () =>
      reader.mutate('changePrice', { itemId: ids['item']!, price: { amount: '8', currency: 'EUR' } }, 'item { id }'),
  ],
  ['markAsSold', () => reader.mutate('markAsSold', { itemId: ids['item']! }, 'item { id }')],
  ['follow', () => reader.mutate('follow', { id: forgetful.viewerId }, 'changed')],
  ['unfollow', () => reader.mutate('unfollow', { id: forgetful.viewerId }, 'changed')],
  ['acceptFollower', () => reader.mutate('acceptFollower', { id: ids['asking']! }, 'changed')],
  ['removeFollower', () => reader.mutate('removeFollower', { id: ids['asking']! }, 'changed')],
  ['unblock', () => reader.mutate('unblock', { id: ids['unwanted']! }, 'changed')],
  ['block', () => reader.mutate('block', { id: ids['unwanted']! }, 'changed')],
  ['report', () => reader.mutate('report', { id: ids['unwanted']!, reason: 'SPAM' }, '__typename')],
  ['suspendAccount', () => administrator.mutate('suspendAccount', { id: ids['unwanted']!, reason: 'Spam' }, 'changed')],
  [
    'reinstateAccount',
    () => administrator.mutate('reinstateAccount', { id: ids['unwanted']!, reason: 'No spam' }, 'changed'),
  ],
  ['takeDown, a name', () => administrator.mutate('takeDown', { id: ids['unwanted']!, reason: 'Spam' }, 'changed')],
  [
    'addBook',
    () => administrator.mutate('addBook', { isbn: '9780306406157', title: 'Qux', authors: ['Ann'] }, 'book { id }'),
  ],
  ['updateProfile, a name', () => administrator.mutate('updateProfile', { fullName: 'Bo Lee' }, 'viewer { id }')],
  ['updateProfile', () => administrator.mutate('updateProfile', { bio: 'I read.' }, 'viewer { id }')],
  ['like, a review', () => administrator.like(ids['review']!)],
  [
    'startTwoFactor',
    async () => {
      ids['secret'] = (await reader.mutate('startTwoFactor', { password: PASSWORD }, 'secret')).secret;
    },
  ],
  ['confirmTwoFactor', () => reader.mutate('confirmTwoFactor', { code: nextCode() }, 'recoveryCodes')],
  [
    'login, with a code',
    () =>
      server.client().mutate('login', { email: reader.email, password: PASSWORD, code: nextCode() }, 'viewer { id }'),
  ],
  ['stopTwoFactor', () => reader.mutate('stopTwoFactor', { password: PASSWORD, code: nextCode() }, 'viewer { id }')],
  ['verifyEmail', () => administrator.mutate('verifyEmail', { token: ids['verification'] }, 'viewer { id }')],
  [
    'contactSeller',
    () =>
      administrator.mutate(
        'contactSeller',
        { itemId: ids['theirs']!, message: 'Is it still there?', showsMyEmail: true },
        'item { id }',
      ),
  ],
  [
    'requestPasswordReset',
    async () => {
      const answer = await server.client().mutate('requestPasswordReset', { email: forgetful.email }, '__typename');
      ids['reset'] = tokenIn(await mailInFolder(server.app.config.mail.folder!, forgetful.email, 'A new password'));
      return answer;
    },
  ],
  ['resetPassword', () => resetPassword(ids['reset']!)],
];

const resetPassword = (token: string) =>
  server.client().mutate('resetPassword', { token, password: 'a battery staple' }, 'viewer { id }');

/** Makes the code of a reader's app with a second factor, for a time step that was not used yet. */
const nextCode = () => new TOTP({ secret: ids['secret']! }).generate({ timestamp: (now += MINUTE) });

const someClicks = (count: number) =>
  Array.from({ length: count }, () => ({ id: randomUUID(), at: new Date(now).toISOString(), subjectId: books[0] }));

/**
 * These statements are sent once a second, not once a request: the state of a session and the
 * unfinished jobs of books are read, and a dirty window is recorded.
 */
const isOfRequest = ({ label, cql }: TracedStatement) =>
  !['SELECT sessions_by_id', 'INSERT dirty_windows', 'INSERT dirty_window_buckets'].includes(label) &&
  !cql.includes('FROM jobs WHERE shard IN');

const DOCUMENT: string[] = [];

const HEAD = `| | statements | partitions read | rows read | partitions written | which |
| --- | ---: | ---: | ---: | ---: | --- |`;

describe('a page of 2 of every list', () => {
  test('is read from the partitions that the query names, with at most one row more', async () => {
    DOCUMENT.push('## Queries\n', HEAD);
    for (const [name, query] of QUERIES) {
      const used = Object.fromEntries(Object.entries(ids).filter(([id]) => query.includes(`$${id}`)));
      const asking = FOR_ADMINISTRATORS.has(name) ? administrator : reader;
      const statements = (await trace(() => asking.data(query, used))).filter(isOfRequest);
      DOCUMENT.push(costsOf(name, statements));
      expect(
        statements.filter(({ tombstonesRead }) => tombstonesRead > 0),
        name,
      ).toEqual([]);
      for (const { cql, isScan, rowsRead, partitionsRead } of statements) {
        expect(isScan, `${name}: ${cql}`).toBe(false);
        expect(cql).not.toContain('ALLOW FILTERING');
        const isFiltered = FILTERED.has(name);
        // Static columns are counted as a separate row.
        const page = PAGE + 1 + Number(cql.includes('books_read_by_user '));
        // The table has a row for each kind that occurs in one of the two months.
        const months = cql.includes(' action_months_by_user') ? 2 * ACTION_KIND_COUNT : 0;
        // The rows of blocks are read once a request.
        const hidden = cql.includes(' hidden_by_user') ? ROWS : 0;
        const rowsMax =
          query.includes('first: 2)') && !isFiltered ? Math.max(page, partitionsRead, months, hidden) : 200;
        expect(rowsRead, `${name}: ${cql}`).toBeLessThanOrEqual(rowsMax);
      }
    }
  });

  test('and every change reads and writes only partitions that it names', async () => {
    DOCUMENT.push('\n## Mutations\n', HEAD);
    for (const [name, work] of MUTATIONS) {
      const statements = (await trace(work)).filter(isOfRequest);
      DOCUMENT.push(costsOf(name, statements));
      for (const { cql, isScan } of statements) expect(isScan, `${name}: ${cql}`).toBe(false);
    }
  });

  test('docs/queries.md has these costs', async () => {
    const text = `# What queries and mutations cost

\`test/traces.test.ts\` writes this page from Cassandra's own traces of one node, with
\`npm test -- traces -u\`. Each list has more rows than the 2 that a query asks for. A table without
a verb is read by a SELECT. No query reads a tombstone. The page leaves out Paxos' own tables, checks
of open sessions, unfinished jobs of books, and the dirty window of the roll-up.

${DOCUMENT.join('\n')}
`;
    await expect(text).toMatchFileSnapshot('../docs/queries.md');
  });
});
