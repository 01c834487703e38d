import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import type { Audit } from '../src/audit/audit.ts';
import { bookStates } from '../src/catalogue/tables.ts';
import { doJobs } from '../src/jobs/jobs.worker.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import type { Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';
import { keyOf } from './support/ids.ts';

/** Audits of the lists that are projected from sources of truth, and their repairs. */

let server: TestServer;
let books: string[];
let readers: Client[];
/** A text that only these tests write. */
const STRANGE = 'What nobody says';

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, 10);
  books = await bookIds(server);
  readers = await Promise.all(Array.from({ length: 4 }, (_, index) => server.client().registerSomebody(`R ${index}`)));
  for (const reader of readers) await live(reader, books);
});

/** Does everything that writes rows to lists. */
async function live(reader: Client, some: readonly string[]): Promise<void> {
  const [first, second, third, fourth] = some;
  await reader.mutate('markAsRead', { bookId: first, readAt: '2020-02-02T20:20:00Z' }, 'book { id }');
  await reader.mutate('markAsRead', { bookId: first }, 'book { id }');
  await reader.mutate('markAsRead', { bookId: second }, 'book { id }');
  await reader.mutate('unmarkAsRead', { bookId: second }, 'book { id }');
  await reader.mutate('setReadingStatus', { bookId: third, status: 'READING', progress: 30 }, 'book { id }');
  await reader.mutate('setReadingStatus', { bookId: fourth, status: 'WANT_TO_READ' }, 'book { id }');
  await reader.like(first!);
  const copies: string[] = [];
  for (const amount of ['5', '6', '7']) {
    const price = { amount, currency: 'EUR' };
    const listed = await reader.mutate('listItem', { bookId: first, price, condition: 'GOOD' }, 'item { id }');
    copies.push(listed.item.id as string);
  }
  await reader.mutate('changePrice', { itemId: copies[0], price: { amount: '8', currency: 'EUR' } }, 'item { id }');
  await reader.mutate('withdrawItem', { itemId: copies[1] }, 'item { id }');
  await server.client().login(reader.email, 'a phone');
}

const execute = (cql: string, params: unknown[] = []) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });
const audits = (kind: string): Audit[] => everyAudit.filter((each) => each.kind === kind);
const tablesOf = (drift: readonly { table: string }[]) => [...new Set(drift.map(({ table }) => table))].toSorted();

test('rows that servers have written have not drifted', async () => {
  const found = await audited(server.app, everyAudit);
  expect(found.drift).toEqual([]);
  expect(found.rows).toBeGreaterThan(500);
});

/** Reads a row of a table, with its write timestamp. */
async function someRow(table: string, written: string, where = ''): Promise<Record<string, unknown>> {
  const { rows } = await execute(`SELECT * FROM ${table} ${where} LIMIT 1 ALLOW FILTERING`);
  const row = { ...rows[0]! };
  const keys = await keysOf(table);
  const condition = keys.map((key) => `${key} = ?`).join(' AND ');
  const time = await execute(
    `SELECT WRITETIME(${written}) AS written FROM ${table} WHERE ${condition}`,
    keys.map((key) => row[key]),
  );
  return { ...row, written: time.rows[0]!['written'] };
}

async function keysOf(table: string): Promise<string[]> {
  const { rows } = await execute(
    'SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?',
    [server.app.config.cassandra.keyspace, table],
  );
  return rows.filter(({ kind }) => kind !== 'regular' && kind !== 'static').map((row) => row['column_name'] as string);
}

/** Deletes a row, at its own version. */
async function lose(table: string, written: string, where?: string): Promise<void> {
  const row = await someRow(table, written, where);
  const keys = await keysOf(table);
  const condition = keys.map((key) => `${key} = ?`).join(' AND ');
  await execute(`DELETE FROM ${table} USING TIMESTAMP ? WHERE ${condition}`, [
    row['written'],
    ...keys.map((key) => row[key]),
  ]);
}

/** The places that no book has in the lists of all books. */
const MISPLACED = {
  books_by_popularity: { popularity: 7 },
  books_by_title: { title_sort: '1 zzz' },
  books_by_published_year: { published_year: 1 },
  books_by_added_at: { added_at: new Date(0) },
  editions_by_work: { work_id: 'goodreads-work-0' },
  book_by_source: { source_id: 'goodreads:0' },
};

/** The log names wrong rows by ids, not by titles, words or names. */
const BY_IDS = /^(what follows from|a row of) \w+_id = \S+( AND \w+_id = \S+)?$/;

type Case = [kind: string, table: string, what: string, plant: () => Promise<unknown>];

interface Group {
  readonly kind: string;
  readonly tables: string;
  readonly cases: Case[];
}

/**
 * Gathers cases of one kind of audit that are about different tables. In a full test each case is
 * alone.
 */
function grouped(cases: readonly Case[]): Group[] {
  const groups: Case[][] = [];
  for (const each of cases) {
    const [kind, table] = each;
    const isFree = (group: Case[]) => group[0]![0] === kind && group.every(([, taken]) => taken !== table);
    const group = IS_FULL ? undefined : groups.find(isFree);
    if (group) group.push(each);
    else groups.push([each]);
  }
  return groups.map((group) => {
    const tables = group.map(([, table, what]) => `${table} ${what}`).join(', ');
    return { kind: group[0]![0], tables, cases: group };
  });
}

/**
 * Deletes a row of a list of all books, with its book's version as the timestamp, because the row
 * has no cell with a version.
 */
async function loseBook(list: string): Promise<void> {
  const { rows } = await execute(`SELECT * FROM ${list} LIMIT 1`);
  const found = await execute('SELECT state FROM books WHERE book_id = ?', [rows[0]!['book_id']]);
  const { version } = found.rows[0]!['state'] as { version: number };
  const keys = await keysOf(list);
  const condition = keys.map((key) => `${key} = ?`).join(' AND ');
  await execute(`DELETE FROM ${list} USING TIMESTAMP ? WHERE ${condition}`, [
    BigInt(version),
    ...keys.map((key) => rows[0]![key] as unknown),
  ]);
}

/** Adds a row for a book in another place. */
async function misplaceBook(list: string, place: object): Promise<void> {
  const { rows } = await execute(`SELECT * FROM ${list} LIMIT 1`);
  const row: Record<string, unknown> = { ...rows[0]!, ...place };
  const keys = await keysOf(list);
  await execute(
    `INSERT INTO ${list} (${keys.join(', ')}) VALUES (${keys.map(() => '?').join(', ')}) USING TIMESTAMP 1`,
    keys.map((key) => row[key]),
  );
}

/**
 * Deletes a reader of a book, with the version of the reading as the timestamp, because the row has
 * no cell with a version.
 */
async function loseReader(bookId: string, userId: string): Promise<void> {
  const { rows } = await execute('SELECT state FROM readings_by_user WHERE user_id = ? AND book_id = ?', [
    userId,
    bookId,
  ]);
  const { version } = rows[0]!['state'] as { version: number };
  const shard = Number.parseInt(userId.slice(0, 8), 16) % 16;
  await execute('DELETE FROM readers_by_book USING TIMESTAMP ? WHERE book_id = ? AND shard = ? AND user_id = ?', [
    BigInt(version),
    bookId,
    shard,
    userId,
  ]);
}

/**
 * Deletes rows of copies, each with its copy's version as the timestamp, because the rows have no
 * cells with a version.
 */
async function loseCopies(table: 'items_by_seller' | 'every_item_by_book', column: string, key: string) {
  const { rows } = await execute(`SELECT * FROM ${table} WHERE ${column} = ? ALLOW FILTERING`, [key]);
  for (const row of rows) {
    const copies = await execute('SELECT state FROM items WHERE item_id = ?', [row['item_id']]);
    const { version } = copies.rows[0]!['state'] as { version: number };
    const names = row.keys();
    const condition = names.map((name) => `${name} = ?`).join(' AND ');
    await execute(`DELETE FROM ${table} USING TIMESTAMP ? WHERE ${condition}`, [
      BigInt(version),
      ...names.map((name) => row[name] as unknown),
    ]);
  }
}

/** Writes a row with other values and a version that is some changes later. */
async function spoil(table: string, written: string, values: Record<string, unknown>, where?: string): Promise<void> {
  const { written: version, ...row } = await someRow(table, written, where);
  const changed = Object.entries({ ...row, ...values }).filter(([name]) => name !== 'full_name');
  const names = changed.map(([name]) => name);
  await execute(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) USING TIMESTAMP ?`,
    [...changed.map(([, value]) => value), BigInt(String(version)) + 3n],
  );
}

describe('every kind of drift is reported by name and repaired', () => {
  const strangeTime = new Date(Date.UTC(2001, 1, 1));
  const strangeRead = { read_at: strangeTime, finished_on: null, started_on: null, noted_at: strangeTime };
  const CASES: readonly Case[] = [
    ['readings', 'books_read_by_user', 'lacks', () => lose('books_read_by_user', 'title', "WHERE title > ''")],
    [
      'readings',
      'books_read_by_user',
      'has other values',
      () => spoil('books_read_by_user', 'title', { reads: [strangeRead] }, "WHERE title > ''"),
    ],
    [
      'readings',
      'books_read_by_user',
      'is one too many',
      () => spoil('books_read_by_user', 'title', { title_sort: 'zzz' }, "WHERE title > ''"),
    ],
    ['readings', 'books_read_by_user_by_read_at', 'lacks', () => lose('books_read_by_user_by_read_at', 'title')],
    [
      'readings',
      'books_read_by_user_by_read_at',
      'has other values',
      () => spoil('books_read_by_user_by_read_at', 'title', { title: STRANGE }),
    ],
    [
      'readings',
      'books_read_by_user_by_read_at',
      'is one too many',
      () => spoil('books_read_by_user_by_read_at', 'title', { read_at: strangeTime }),
    ],
    ['readings', 'books_by_reading_status', 'lacks', () => lose('books_by_reading_status', 'progress')],
    [
      'readings',
      'books_by_reading_status',
      'has other values',
      () => spoil('books_by_reading_status', 'progress', { progress: 77 }),
    ],
    [
      'readings',
      'books_by_reading_status',
      'is one too many',
      () => spoil('books_by_reading_status', 'progress', { at: strangeTime }),
    ],
    ['readings', 'readers_by_book', 'lacks', () => loseReader(keyOf(books[0]!), keyOf(readers[0]!.viewerId))],
    [
      'readings',
      'readers_by_book',
      'is one too many',
      () =>
        execute('INSERT INTO readers_by_book (book_id, shard, user_id) VALUES (?, 3, ?) USING TIMESTAMP 1', [
          keyOf(books[5]!),
          keyOf(readers[0]!.viewerId),
        ]),
    ],
    ['sessions', 'sessions_by_user', 'lacks', () => lose('sessions_by_user', 'active_at')],
    [
      'sessions',
      'sessions_by_user',
      'has other values',
      () => spoil('sessions_by_user', 'active_at', { device: STRANGE }),
    ],
    [
      'sessions',
      'sessions_by_user',
      'is one too many',
      () => spoil('sessions_by_user', 'active_at', { started_at: strangeTime }),
    ],
    [
      'sessions',
      'sessions_by_user',
      'belongs to no session',
      () => spoil('sessions_by_user', 'active_at', { session_id: randomUUID() }),
    ],
    [
      'sessions',
      'months_by_user',
      'lacks',
      () =>
        execute("DELETE FROM months_by_user WHERE user_id = ? AND list = 'sessions'", [keyOf(readers[1]!.viewerId)]),
    ],
    ['items', 'item_by_seller_by_price', 'lacks', () => lose('item_by_seller_by_price', 'title')],
    [
      'items',
      'item_by_seller_by_price',
      'has other values',
      () => spoil('item_by_seller_by_price', 'title', { title: STRANGE }),
    ],
    [
      'items',
      'item_by_seller_by_price',
      'is one too many',
      () => spoil('item_by_seller_by_price', 'title', { amount_e4: 1n }),
    ],
    ['items', 'item_by_seller_by_listed_at', 'lacks', () => lose('item_by_seller_by_listed_at', 'title')],
    [
      'items',
      'item_by_seller_by_listed_at',
      'has other values',
      () => spoil('item_by_seller_by_listed_at', 'title', { amount_e4: 1n }),
    ],
    [
      'items',
      'item_by_seller_by_listed_at',
      'is one too many',
      () => spoil('item_by_seller_by_listed_at', 'title', { listed_at: strangeTime }),
    ],
    ['items', 'items_for_sale_by_listed_at', 'lacks', () => lose('items_for_sale_by_listed_at', 'title')],
    [
      'items',
      'items_for_sale_by_price',
      'is one too many',
      () => spoil('items_for_sale_by_price', 'title', { genre: 'strange' }),
    ],
    ['items', 'items_by_book', 'lacks', () => lose('items_by_book', 'title')],
    ['items', 'items_by_book', 'has other values', () => spoil('items_by_book', 'title', { title: STRANGE })],
    ['items', 'items_by_book', 'belongs to no copy', () => spoil('items_by_book', 'title', { item_id: randomUUID() })],
    [
      'items',
      'items_by_seller',
      'lacks',
      () => loseCopies('items_by_seller', 'seller_id', keyOf(readers[2]!.viewerId)),
    ],
    [
      'items',
      'items_by_seller',
      'is one too many',
      () =>
        execute('INSERT INTO items_by_seller (seller_id, item_id) VALUES (?, ?) USING TIMESTAMP 1', [
          keyOf(readers[2]!.viewerId),
          randomUUID(),
        ]),
    ],
    [
      'items',
      'every_item_by_book',
      'is one too many',
      () =>
        execute('INSERT INTO every_item_by_book (book_id, shard, item_id) VALUES (?, 0, ?) USING TIMESTAMP 1', [
          keyOf(books[6]!),
          randomUUID(),
        ]),
    ],
    ['books', 'books_by_author', 'lacks', () => lose('books_by_author', 'words')],
    ['books', 'books_by_author', 'is one too many', () => spoil('books_by_author', 'words', { author: 'zzz' })],
    ['books', 'books_by_genre', 'lacks', () => lose('books_by_genre', 'words')],
    ['books', 'books_by_genre', 'has other values', () => spoil('books_by_genre', 'words', { words: STRANGE })],
    ['books', 'books_by_genre', 'is one too many', () => spoil('books_by_genre', 'words', { popularity: 7 })],
    ...Object.entries(MISPLACED).flatMap(([list, place]): Case[] => [
      ['books', list, 'lacks', () => loseBook(list)],
      ['books', list, 'is one too many', () => misplaceBook(list, place)],
    ]),
    [
      'books',
      'words_by_spelling',
      'lacks',
      async () => {
        const { rows } = await execute('SELECT beginning FROM words_by_spelling LIMIT 1');
        const { beginning } = rows[0]!;
        await execute('DELETE FROM words_by_spelling WHERE beginning = ?', [beginning]);
      },
    ],
    ['books', 'books_by_word', 'lacks', () => lose('books_by_word', 'words')],
    ['books', 'books_by_word', 'is one too many', () => spoil('books_by_word', 'words', { prefix: 'zzz' })],
    [
      'books',
      'books_by_word',
      'belongs to no book',
      () => spoil('books_by_word', 'words', { book_id: 'goodreads-999999' }),
    ],
  ];
  test.each(grouped(CASES))('$kind: a row of $tables', async ({ kind, cases }) => {
    for (const [, , , plant] of cases) await plant();
    const tables = cases.map(([, table]) => table).toSorted();
    const found = await audited(server.app, audits(kind));
    expect(tablesOf(found.drift)).toEqual(tables);
    for (const drift of found.drift) expect(drift).toMatchObject({ kind, what: expect.stringMatching(BY_IDS) });

    const repaired = await audited(server.app, audits(kind), { repair: true });
    // The repair of one table may repair the rows of the same thing in others.
    expect(tables).toEqual(expect.arrayContaining(tablesOf(repaired.drift)));
    expect(repaired.drift.length).toBeGreaterThan(0);
    for (const drift of repaired.drift) expect(drift).toMatchObject({ repaired: true });
    expect((await audited(server.app, audits(kind))).drift).toEqual([]);
  });

  test('lost rows of every copy are found and repaired', async () => {
    await loseCopies('every_item_by_book', 'book_id', keyOf(books[0]!));
    const repaired = await audited(server.app, audits('items'), { repair: true });
    expect(repaired.drift).toHaveLength(3 * readers.length);
    for (const drift of repaired.drift) expect(drift).toMatchObject({ table: 'every_item_by_book', repaired: true });
    expect((await audited(server.app, audits('items'))).drift).toEqual([]);
  });

  test('the repairs changed nothing else', async () => {
    expect((await audited(server.app, everyAudit)).drift).toEqual([]);
  });
});

test('a row written with the time of day is reported as not repairable', async () => {
  const { written, ...row } = await someRow('books_by_reading_status', 'progress');
  expect(written).toBeDefined();
  const names = Object.keys(row);
  await execute(
    `INSERT INTO books_by_reading_status (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    Object.values({ ...row, progress: 99 }),
  );
  const found = await audited(server.app, audits('readings'), { repair: true });
  expect(found.drift.length).toBeGreaterThan(0);
  for (const drift of found.drift) expect(drift).toMatchObject({ table: 'books_by_reading_status', repaired: false });
});

test('a book has not drifted when recovery raised its version and changed nothing else', async () => {
  const { cassandra } = server.app;
  const key = { book_id: keyOf(books[1]!) };
  const state = (await bookStates.read(cassandra, key))!;
  const raised = { ...state, version: state.version + 1 };
  expect(await bookStates.compareAndSet(cassandra, key, state, raised)).toEqual({ applied: true });
  expect((await audited(server.app, audits('books'))).drift).toEqual([]);
});

test('the lists of a book are not reported while its title is being changed', async () => {
  const { rows } = await execute('SELECT state FROM books WHERE book_id = ?', [keyOf(books[0]!)]);
  expect(rows).toHaveLength(1);
  await execute(
    "UPDATE item_by_seller_by_price USING TIMESTAMP 900 SET title = 'Another' WHERE seller_id = ? AND amount_e4 = 70000 AND listed_at = ? AND item_id = ?",
    await copyOf(readers[3]!),
  );
  const shard = await jobOf(books[0]!);
  expect((await audited(server.app, audits('items'))).drift).toEqual([]);
  await execute('DELETE FROM jobs WHERE shard = ?', [shard]);
  expect(tablesOf((await audited(server.app, audits('items'), { repair: true })).drift)).toEqual([
    'item_by_seller_by_price',
  ]);
  await doJobs(server.app);
});

async function copyOf(reader: Client): Promise<unknown[]> {
  const { rows } = await execute(
    'SELECT seller_id, listed_at, item_id FROM item_by_seller_by_price WHERE seller_id = ? AND amount_e4 = 70000',
    [keyOf(reader.viewerId)],
  );
  return ['seller_id', 'listed_at', 'item_id'].map((name) => rows[0]![name] as unknown);
}

/** Begins a job of a book that no server runs. */
async function jobOf(book: string): Promise<number> {
  const { beginJob, JOB_SHARDS } = await import('../src/jobs/operations.ts');
  const { shardOf } = await import('../src/cassandra/shards.ts');
  const { uuidOf } = await import('../src/graphql/ids.ts');
  const key = keyOf(book);
  await beginJob(server.app, { type: 'Book', key }, 'RETITLE', 'a test', new Date());
  return shardOf(uuidOf(`Book:${key}`), JOB_SHARDS);
}
