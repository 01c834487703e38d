import { beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../src/accounts/aggregate.ts';
import { registerAdministrator } from './support/accounts.ts';
import { books } from '../src/catalogue/aggregate.ts';
import type { AppContext } from '../src/context/context.ts';
import { encodeId, uuidOf } from '../src/graphql/ids.ts';
import { doJobsOf } from '../src/jobs/operations.ts';
import { blocks } from '../src/blocks/aggregate.ts';
import { follows } from '../src/follows/aggregate.ts';
import { listings } from '../src/market/aggregate.ts';
import { readings } from '../src/reading/aggregate.ts';
import { sessions } from '../src/sessions/aggregate.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { jsonRows } from '../tools/support/patience.ts';

/**
 * Lists match their states: late writes of a slow process change nothing, and a later change also
 * makes the missing writes of a dead process.
 */

let server: TestServer;
let reader: Client;
let book: string;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  [book] = (await ownBooks(server.app, 1)) as [string];
  reader = await registerAdministrator(server, 'Former Name');
});

const workOf = (key: string) => encodeId({ type: 'Work', key });

/** Makes a process whose writes to lists wait until they are released. */
function slowProcess() {
  const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
    if (!cql.startsWith('SELECT') && !cql.includes(' IF ') && !/ (?:transaction_log|incarnations) /.test(cql)) {
      reached.resolve(undefined);
      await released.promise;
    }
    return send();
  });
  const app: AppContext = { ...server.app, cassandra };
  return { app, reached: reached.promise, release: () => released.resolve(undefined) };
}

/** Reads the rows about the reader or the book. */
async function rowsOf(tables: readonly string[]): Promise<string[]> {
  const rows: string[] = [];
  for (const table of tables) {
    const found = await jsonRows(server.app.cassandra.client, table);
    rows.push(...found.map((row) => `${table} ${row}`));
  }
  const texts = [reader.viewerId, book].map(keyOf);
  return rows.filter((row) => texts.some((text) => row.includes(text))).toSorted();
}

interface Case {
  /** The tables in which a later change must not be undone. */
  readonly tables: readonly string[];
  /** Makes the object to change, and returns a function that projects its state once more. */
  readonly before: () => Promise<(app: AppContext) => Promise<unknown>>;
  readonly change: () => Promise<unknown>;
}

const price = (amount: string) => ({ amount, currency: 'EUR' });
let copy: string;
let token: string;
let other: Client;
const list = async () => {
  const listed = await reader.mutate('listItem', { bookId: book, price: price('5'), condition: 'GOOD' }, 'item { id }');
  copy = listed.item.id as string;
  return (app: AppContext) => listings.repair(app, { itemId: keyOf(copy), sellerId: keyOf(reader.viewerId) });
};
const ofSeller = ['item_by_seller_by_price', 'item_by_seller_by_listed_at', 'items_by_book'];
const ofReading = ['books_read_by_user', 'books_read_by_user_by_read_at', 'books_by_reading_status', 'readers_by_book'];
const read = async () => {
  await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
  return (app: AppContext) => readings.repair(app, { userId: keyOf(reader.viewerId), bookId: keyOf(book) });
};

describe('a late projection of an old state', () => {
  test.each<[string, Case]>([
    [
      'a price',
      {
        tables: ofSeller,
        before: list,
        change: () => reader.mutate('changePrice', { itemId: copy, price: price('3') }, 'item { id }'),
      },
    ],
    [
      'a copy for sale',
      {
        tables: ofSeller,
        before: list,
        change: () => reader.mutate('withdrawItem', { itemId: copy }, 'item { id }'),
      },
    ],
    [
      'a book that was read',
      {
        tables: ofReading,
        before: read,
        change: () => reader.mutate('unmarkAsRead', { bookId: book }, 'book { id }'),
      },
    ],
    [
      'a name',
      {
        tables: ['books_read_by_user'],
        before: () => {
          const key = { userId: keyOf(reader.viewerId), what: 'NAME', reservations: [] } as const;
          return Promise.resolve((app) => accounts.repair(app, key));
        },
        change: () => reader.mutate('updateProfile', { fullName: 'Latter Name' }, 'viewer { id }'),
      },
    ],
    [
      'a book’s title',
      {
        tables: ['books_by_author', 'books_by_word'],
        before: () => Promise.resolve((app) => books.repair(app, { bookId: keyOf(book) })),
        change: () => reader.mutate('updateBook', { bookId: book, title: 'Latter', authors: ['Zoe'] }, 'book { id }'),
      },
    ],
    [
      'a book’s work, other ISBNs and series',
      {
        tables: ['editions_by_work', 'editions_by_isbn', 'books_by_series'],
        before: async () => {
          const series = [{ name: 'Its Series', position: '2' }];
          const references = { workId: workOf('9780439023481'), otherIsbns: ['9780439023481'], series };
          await reader.mutate('updateBook', { bookId: book, ...references }, 'book { id }');
          return (app) => books.repair(app, { bookId: keyOf(book) });
        },
        change: () =>
          reader.mutate('updateBook', { bookId: book, workId: null, otherIsbns: [], series: [] }, 'book { id }'),
      },
    ],
    [
      'a session',
      {
        tables: ['sessions_by_user'],
        before: async () => {
          const credentials = { email: reader.email, password: PASSWORD };
          const { session, refreshToken } = await server
            .client()
            .mutate('login', credentials, 'session { id } refreshToken');
          token = refreshToken as string;
          return (app) => sessions.repair(app, { sessionId: keyOf(session.id), login: null });
        },
        change: () => server.client().mutate('refreshTokens', { refreshToken: token }, 'session { id }'),
      },
    ],
    [
      'a block',
      {
        tables: ['hidden_by_user', 'blocked_by_user'],
        before: async () => {
          other = await server.client().registerSomebody();
          await reader.mutate('block', { id: other.viewerId }, 'changed');
          return (app) => blocks.repair(app, { userId: keyOf(reader.viewerId), otherId: keyOf(other.viewerId) });
        },
        change: () => reader.mutate('unblock', { id: other.viewerId }, 'changed'),
      },
    ],
    [
      'a follow',
      {
        tables: ['user_by_item', 'like_counts', 'following_by_user'],
        before: async () => {
          other = await server.client().registerSomebody();
          await reader.mutate('follow', { id: other.viewerId }, 'changed');
          const key = { userId: keyOf(reader.viewerId), followedId: keyOf(other.viewerId) };
          return (app) => follows.repair(app, key);
        },
        change: () => reader.mutate('unfollow', { id: other.viewerId }, 'changed'),
      },
    ],
  ])('%s: it changes nothing', async (_what, { tables, before, change }) => {
    const repair = await before();
    const slow = slowProcess();
    const repaired = repair(slow.app);
    await slow.reached;
    const was = await rowsOf(tables);
    expect(await change()).toMatchObject({ userErrors: [] });
    const is = await rowsOf(tables);
    expect(is).not.toEqual(was);
    slow.release();
    await repaired;
    expect(await rowsOf(tables)).toEqual(is);
  });
});

describe('a later change completes the work of a process that died before it projected its decision', () => {
  let dying: Client;

  beforeAll(async () => {
    const { client } = await startServer(server.app.config, {
      atCrashPoint: (name) => {
        if (name.endsWith(': after compare-and-set')) throw new Error('the process died here');
      },
    });
    dying = client();
    dying.token = reader.token;
  });

  const die = async (field: string, input: Record<string, unknown>) => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${field}(input: $input) { userErrors { code } } }`;
    expect(await dying.errorCode(query, { input })).toBe('TIMEOUT');
  };
  const valuesOf = async (cql: string, key: string) => {
    const { rows } = await server.app.cassandra.client.execute(cql, [key], { prepare: true });
    return rows.map((row) => Object.values(row as object));
  };

  test('a price: no list has the former price', async () => {
    await list();
    await die('changePrice', { itemId: copy, price: price('3') });
    await reader.mutate('changePrice', { itemId: copy, price: price('2') }, 'item { id }');
    const cql = 'SELECT item_id, amount_e4 FROM item_by_seller_by_price WHERE seller_id = ?';
    const found = await valuesOf(cql, keyOf(reader.viewerId));
    expect(found.filter(([id]) => String(id) === keyOf(copy)).map(([, amount]) => amount)).toEqual([20_000n]);
  });

  const decisionsAbout = async (id: string) => {
    const { administration } = await reader.data(
      'query ($id: ID!) { administration(id: $id) { edges { node { kind reason } } } }',
      { id },
    );
    return administration.edges.map(({ node }: { node: { kind: string; reason: string | null } }) =>
      `${node.kind} ${node.reason ?? ''}`.trim(),
    ) as string[];
  };

  test('a decision of an administrator: each is recorded', async () => {
    const { viewerId: id } = await server.client().registerSomebody();
    await die('suspendAccount', { id, reason: 'one' });
    await reader.mutate('reinstateAccount', { id, reason: 'two' }, 'changed');
    await die('takeDown', { id, reason: 'three' });
    await reader.mutate('suspendAccount', { id, reason: 'four' }, 'changed');
    expect(await decisionsAbout(id)).toEqual([
      'ACCOUNT_SUSPENDED four',
      'NAME_TAKEN_DOWN three',
      'ACCOUNT_REINSTATED two',
      'ACCOUNT_SUSPENDED one',
    ]);

    const [another] = (await ownBooks(server.app, 1)) as [string];
    await die('updateBook', { bookId: another, pages: 1 });
    await reader.mutate('updateBook', { bookId: another, pages: 2 }, 'book { id }');
    expect(await decisionsAbout(another)).toEqual(['BOOK_UPDATED', 'BOOK_UPDATED']);

    await reader.mutate('report', { id: another, reason: 'OTHER' }, '__typename');
    const reportId = uuidOf(`report ${keyOf(reader.viewerId)} Book:${keyOf(another)}`);
    await die('decideReport', { id: reportId, status: 'DISMISSED', note: 'five' });
    await reader.mutate('decideReport', { id: reportId, status: 'UPHELD', note: 'six' }, 'report { id }');
    expect((await decisionsAbout(another)).slice(0, 2)).toEqual(['REPORT_DECIDED six', 'REPORT_DECIDED five']);
  });

  test('a title that was taken down: the decision is recorded, and no like of the copy has the title', async () => {
    await reader
      .mutate('listItem', { bookId: book, price: price('5'), condition: 'GOOD', title: 'Bad' }, 'item { id }')
      .then(({ item }) => (copy = item.id as string));
    const liker = await server.client().registerSomebody();
    await liker.like(copy);
    await die('takeDown', { id: copy, reason: 'seven' });
    await reader.mutate('changePrice', { itemId: copy, price: price('4') }, 'item { id }');
    expect(await decisionsAbout(copy)).toEqual(['TITLE_TAKEN_DOWN seven']);
    await doJobsOf(server.app, { type: 'Item', key: keyOf(copy) });
    const { viewer } = await liker.data('{ viewer { likes(first: 1) { edges { title node { id } } } } }');
    expect(viewer.likes.edges[0].node.id).toBe(copy);
    expect(viewer.likes.edges[0].title).not.toBe('Bad');
  });

  test('a status: the book is on one shelf', async () => {
    const [another] = (await ownBooks(server.app, 1)) as [string];
    await reader.mutate('setReadingStatus', { bookId: another, status: 'READING' }, 'book { id }');
    await die('setReadingStatus', { bookId: another, status: 'GIVEN_UP' });
    await reader.mutate('setReadingStatus', { bookId: another, status: 'WANT_TO_READ' }, 'book { id }');
    const { rows } = await server.app.cassandra.client.execute(
      `SELECT status, book_id FROM books_by_reading_status
       WHERE user_id = ? AND status IN ('WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP')`,
      [keyOf(reader.viewerId)],
      { prepare: true },
    );
    expect(rows.filter((row) => row['book_id'] === keyOf(another))).toMatchObject([{ status: 'WANT_TO_READ' }]);
  });

  test('a title: a search for the former title finds nothing, and no like of the book has it', async () => {
    const [another] = (await ownBooks(server.app, 1)) as [string];
    const former = `quux${keyOf(another).replace(/\D/g, '').slice(0, 6)}`;
    await reader.mutate('updateBook', { bookId: another, title: former }, 'book { id }');
    await reader.like(another);
    await die('updateBook', { bookId: another, title: 'Latter' });
    await reader.mutate('updateBook', { bookId: another, authors: ['Zoe'] }, 'book { id }');
    expect(await valuesOf('SELECT book_id FROM books_by_word WHERE prefix = ?', former)).toEqual([]);
    const { viewer } = await reader.data('{ viewer { likes { edges { title } } } }');
    expect(viewer.likes.edges).toEqual([{ title: 'Latter' }]);
  });
});
