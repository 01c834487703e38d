import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectCassandra } from '../src/cassandra/client.ts';
import { cql } from '../src/cassandra/columns.ts';
import { Merge } from '../src/cassandra/merge.ts';
import { ONE_PARTITION, readSlice, type Slice } from '../src/cassandra/paging.ts';
import { ringScan } from '../src/cassandra/ring.ts';
import { each, page, type Cassandra } from '../src/cassandra/statement.ts';
import { countEvents } from '../src/events/tables.ts';
import { connection } from '../src/graphql/connections.ts';
import { yearOf } from '../src/activity/log.ts';
import { actionsByKind } from '../src/activity/tables.ts';
import { likers } from '../src/member-sets/tables.ts';
import { selectItems } from '../src/likes/tables.ts';
import { listingsByPrice } from '../src/market/tables.ts';
import { librariesByOpening } from '../src/libraries/tables.ts';
import { readInMonth } from '../src/reading/tables.ts';
import type { CassandraConfig } from '../src/config/config.ts';
import { ownKeyspace } from './support/app.ts';
import { runs } from './support/full.ts';

/** Ranges and pages of a real Cassandra, compared with sorting the same rows in memory. */

let config: CassandraConfig;
let cassandra: Cassandra;
beforeAll(async () => {
  ({ cassandra: config } = await ownKeyspace());
  cassandra = await connectCassandra(config);
  return () => cassandra.client.shutdown();
});

const insert = (table: string, row: Record<string, unknown>) =>
  cassandra.client.execute(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
    Object.values(row),
    { prepare: true },
  );
const uuidOf = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Reads every row of a list, page by page. */
async function allOf<Row, Position>(
  list: Parameters<typeof readSlice<Row, Position>>[0],
  descending: boolean,
  limit: number,
): Promise<Row[]> {
  const found: Row[] = [];
  let from: Position | undefined;
  for (;;) {
    const { rows, more } = await readSlice(list, { descending, from, limit });
    found.push(...rows);
    const last = rows.at(-1);
    if (!more || last === undefined) return found;
    from = list.positionOf(last);
  }
}

type Compared = number | string;
function compareAll(one: readonly Compared[], other: readonly Compared[]): number {
  for (const [index, value] of one.entries()) {
    if (value < other[index]!) return -1;
    if (value > other[index]!) return 1;
  }
  return 0;
}

type ReadInMonth = ReturnType<typeof readInMonth.positionOf>;

/** Compares the readings of different readers. */
const compareReadings = (one: ReadInMonth, other: ReadInMonth) =>
  one.noted_at.getTime() - other.noted_at.getTime() ||
  Number(one.user_id > other.user_id) - Number(one.user_id < other.user_id);

const RUNS = { numRuns: runs(60) };

describe('a range returns the rows within it, in either order, with any size of page', () => {
  test('by price, date and id, within prices', async () => {
    const row = fc.record({ amount: fc.integer({ min: 1, max: 9 }), time: fc.nat(3), id: fc.nat(5) });
    const bound = fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined });
    const keyOf = ({ amount, time, id }: { amount: number; time: number; id: number }) => [amount, time, id];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: (each) => keyOf(each).join(), minLength: 8, maxLength: 25 }),
        bound,
        bound,
        fc.boolean(),
        fc.integer({ min: 1, max: 6 }),
        async (rows, from, to, descending, limit) => {
          const seller_id = randomUUID();
          await Promise.all(
            rows.map(({ amount, time, id }) =>
              insert('item_by_seller_by_price', {
                seller_id,
                amount_e4: BigInt(amount),
                title: 'A title',
                listed_at: new Date(time),
                item_id: uuidOf(id),
              }),
            ),
          );
          const within = {
            from: from === undefined ? undefined : BigInt(from),
            to: to === undefined ? undefined : BigInt(to),
          };
          const found = await allOf(listingsByPrice.list(cassandra, { seller_id }, { within }), descending, limit);
          const expected = rows
            .filter(({ amount }) => amount >= (from ?? 0) && amount < (to ?? Infinity))
            .map(keyOf)
            .sort(compareAll);
          expect(
            found.map(({ amount_e4, listed_at, item_id }) => [
              Number(amount_e4),
              listed_at.getTime(),
              Number.parseInt(item_id.slice(-12), 16),
            ]),
          ).toEqual(descending ? expected.toReversed() : expected);
        },
      ),
      RUNS,
    );
  });

  test('by moment, in consecutive partitions, within moments, filtered', async () => {
    const row = fc.record({
      shard: fc.nat(3),
      time: fc.integer({ min: 1, max: 6 }),
      id: fc.nat(3),
      isShown: fc.boolean(),
    });
    const keyOf = ({ shard, time, id }: { shard: number; time: number; id: number }) => [shard, time, id];
    const bound = fc.option(fc.nat(7), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: (each) => keyOf(each).join(), minLength: 10, maxLength: 30 }),
        bound,
        bound,
        fc.boolean(),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(0, 3, 30),
        async (rows, from, to, descending, limit, rowsMin) => {
          const likeable_id = randomUUID();
          await Promise.all(
            rows.map(({ shard, time, id, isShown }) =>
              insert('user_by_item', {
                likeable_id,
                shard,
                liked: true,
                liked_at: new Date(time),
                user_id: uuidOf(id),
                full_name: 'A reader',
                audience: isShown ? 'EVERYONE' : 'ONLY_ME',
              }),
            ),
          );
          const list = likers.list(
            cassandra,
            { likeable_id, liked: true },
            {
              within: {
                from: from === undefined ? null : new Date(from),
                to: to === undefined ? null : new Date(to),
              },
              buckets: { column: 'shard', values: [2, 0, 3, 1], of: ({ shard }) => shard },
            },
          );
          const keep = ({ audience }: { audience: string }) => audience === 'EVERYONE';
          const filtered = { ...list, filter: { keep, rowsMin } };
          const expected = rows
            .filter(({ time, isShown }) => isShown && time >= (from ?? 0) && time < (to ?? Infinity))
            .map(keyOf)
            .sort(compareAll);
          expect(
            (await allOf(filtered, descending, limit)).map(({ shard, liked_at, user_id }) => [
              shard,
              liked_at.getTime(),
              Number.parseInt(user_id.slice(-12), 16),
            ]),
          ).toEqual(descending ? expected.toReversed() : expected);
        },
      ),
      RUNS,
    );
  });

  test('by moment, in parallel partitions that each have several rows of one moment', async () => {
    const row = fc.record({
      kind: fc.constantFrom('A', 'B', 'C'),
      time: fc.integer({ min: 1, max: 3 }),
      subject: fc.constantFrom('', 'a', 'b'),
      element: fc.constantFrom('', 'x', '\u{10FFFE}'),
    });
    const keyOf = ({
      kind,
      time,
      subject,
      element,
    }: Record<'kind' | 'subject' | 'element', string> & { time: number }) => [time, kind, subject, element] as const;
    const bound = fc.option(fc.nat(4), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: (each) => keyOf(each).join(), minLength: 8, maxLength: 25 }),
        fc.subarray(['A', 'B', 'C', 'D'], { minLength: 1 }),
        bound,
        bound,
        fc.boolean(),
        fc.integer({ min: 1, max: 6 }),
        async (rows, kinds, from, to, descending, limit) => {
          const user_id = randomUUID();
          // There are two years, and the second begins with the third moment.
          const momentOf = (time: number) => new Date(Date.UTC(2030, 0, 1) + time - 3);
          const bucketOf = ({ at }: { at: Date }) => yearOf(at);
          await Promise.all(
            rows.map(({ kind, time, subject, element }) => {
              const at = momentOf(time);
              return insert('actions_by_user_by_kind', {
                user_id,
                year: yearOf(at),
                kind,
                at,
                subject_id: subject,
                element,
              });
            }),
          );
          const list = actionsByKind.list(
            cassandra,
            { user_id },
            {
              within: {
                from: from === undefined ? null : momentOf(from),
                to: to === undefined ? null : momentOf(to),
              },
              buckets: { column: 'year', values: [2029, 2030], of: bucketOf },
              sides: { column: 'kind', of: () => kinds },
            },
          );
          const expected = rows
            .filter(({ kind, time }) => kinds.includes(kind) && time >= (from ?? 0) && time < (to ?? Infinity))
            .map(keyOf)
            .sort(compareAll);
          expect(
            (await allOf(list, descending, limit)).map(({ at, kind, subject_id, element }) => [
              at.getTime() - momentOf(0).getTime(),
              kind,
              subject_id,
              element,
            ]),
          ).toEqual(descending ? expected.toReversed() : expected);
        },
      ),
      RUNS,
    );
  });

  test('by moment, merged from few rows of each of many partitions', async () => {
    const READERS = 12;
    const row = fc.record({ reader: fc.nat(READERS - 1), time: fc.integer({ min: 1, max: 8 }), book: fc.nat(2) });
    const keyOf = ({ reader, time, book }: { reader: number; time: number; book: number }) => [time, reader, book];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: (each) => keyOf(each).join(), minLength: 20, maxLength: 60 }),
        fc.subarray(Array.from({ length: READERS }, (_, index) => index)),
        fc.option(fc.nat(9), { nil: undefined }),
        fc.boolean(),
        fc.integer({ min: 1, max: 12 }),
        async (rows, read, from, descending, limit) => {
          // The readers have different months, and the later ones may have higher ids.
          const prefix = randomUUID().slice(0, 24);
          const userIdOf = (reader: number) => `${prefix}${reader.toString(16).padStart(12, '0')}`;
          const monthOfReader = (reader: number) => new Date(Date.UTC(2030, reader % 2));
          await Promise.all(
            rows.map(({ reader, time, book }) =>
              insert('feed_readings_by_user', {
                user_id: userIdOf(reader),
                month: monthOfReader(reader),
                noted_at: new Date(time),
                book_id: String(book),
              }),
            ),
          );
          const keys = read.map((reader) => ({ user_id: userIdOf(reader), month: monthOfReader(reader) }));
          const within = { from: from === undefined ? null : new Date(from) };
          const readEach = (numbers: readonly number[], slice: Slice<ReadInMonth>) =>
            readInMonth.ofEach(
              cassandra,
              numbers.map((number) => keys[number]!),
              slice,
              within,
            );
          const list = {
            ...ONE_PARTITION,
            positionOf: readInMonth.positionOf,
            read: (_partitions: readonly number[], slice: Slice<ReadInMonth>) =>
              new Merge([{ count: keys.length, read: readEach }], compareReadings, slice).next(slice.limit),
          };
          const expected = rows
            .filter(({ reader, time }) => read.includes(reader) && time >= (from ?? 0))
            .map(keyOf)
            .sort(compareAll);
          expect(
            (await allOf(list, descending, limit)).map(({ noted_at, user_id, book_id }) => [
              noted_at.getTime(),
              Number.parseInt(user_id.slice(-12), 16),
              Number(book_id),
            ]),
          ).toEqual(descending ? expected.toReversed() : expected);
        },
      ),
      RUNS,
    );
  });

  test('by day and text, ascending, with inclusive bounds', async () => {
    const city = { country: 'x', state: 'y', city: randomUUID() };
    const rows = [
      { opened_on: '0000-01-01', name_sort: '', library_id: 'a' },
      { opened_on: '1911-05-23', name_sort: 'ä', library_id: 'b' },
      { opened_on: '9999-12-31', name_sort: 'z', library_id: 'c' },
      { opened_on: '9999-12-31', name_sort: '\u{10FFFE}', library_id: 'd' },
    ];
    for (const row of rows) await insert('libraries_by_city_opened', { ...city, ...row });
    const list = librariesByOpening.list(cassandra, city);
    expect(await allOf(list, false, 1)).toEqual(rows);
    expect(await allOf(list, true, 1)).toEqual(rows.toReversed());

    const days = [undefined, ...new Set(rows.map((row) => row.opened_on)), '1911-05-24'];
    for (const from of days)
      for (const to of days) {
        const within = librariesByOpening.list(cassandra, city, { within: { from, to } });
        const expected = rows.filter(({ opened_on: day }) => (!from || day >= from) && (!to || day < to));
        expect(await allOf(within, false, 1), `${from} to ${to}`).toEqual(expected);
        expect(await allOf(within, true, 1), `${from} to ${to}`).toEqual(expected.toReversed());
      }
  });
});

test('a cursor returns its position unchanged; an invented one is refused', async () => {
  const seller_id = randomUUID();
  for (const amount of [1n, 2n, 3n])
    await insert('item_by_seller_by_price', {
      seller_id,
      amount_e4: amount,
      listed_at: new Date(),
      item_id: randomUUID(),
      title: '',
    });
  const list = { name: 'copies', descending: false, ...listingsByPrice.list(cassandra, { seller_id }) };
  const read = (after?: string) =>
    connection({ first: 2, after: after ?? null }, list, ({ amount_e4: amount }, cursor) => ({ amount, cursor }));
  const { edges } = await read();
  expect((await read(edges[1]!.cursor())).edges.map(({ amount }) => amount)).toEqual([3n]);

  const position = { amount_e4: '1', listed_at: new Date().toISOString(), item_id: randomUUID() };
  const cursor = (more: object, name = 'copies') =>
    Buffer.from(JSON.stringify([name, { ...position, ...more }])).toString('base64url');
  expect((await read(cursor({}))).edges).toHaveLength(2);
  const wrong = [
    cursor({}, 'another list'),
    cursor({ amount_e4: 1 }),
    cursor({ amount_e4: '9'.repeat(30) }),
    cursor({ listed_at: 'yesterday' }),
    cursor({ item_id: 'x' }),
    cursor({ surplus: 1 }),
  ];
  for (const each of wrong) await expect(read(each)).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
});

describe('a list that is read page by page', () => {
  const userId = randomUUID();
  // The rows are three pages and a half.
  const likeables = Array.from({ length: 175 }, (_, index) => `likeable ${String(index).padStart(4, '0')}`);
  const key = { user_id: userId, year: 2026 };
  beforeAll(async () => {
    for (const likeable_id of likeables)
      await insert('item_by_user', { ...key, liked_at: new Date(0), likeable_id, title: 'A title' });
  });

  test('has every row once, in order, in any number of pages', async () => {
    const found: string[] = [];
    for await (const { likeable_id } of each(cassandra, selectItems, key)) found.push(likeable_id);
    expect(found).toEqual(likeables.toReversed());
    for await (const row of each(cassandra, selectItems, { ...key, year: 1999 })) expect(row).toBeUndefined();
  });

  test('continues after a page, also in another process, and after the rows of the page were deleted', async () => {
    const scanItems = ringScan('item_by_user', { user_id: cql.uuid, year: cql.int }, { likeable_id: cql.text });
    const first = await page(cassandra, scanItems, { above: -(2n ** 63n), up_to: 2n ** 63n - 1n });
    expect(first.rows).toHaveLength(50);
    for (const { likeable_id } of first.rows)
      await cassandra.client.execute(
        'DELETE FROM item_by_user WHERE user_id = ? AND year = ? AND liked_at = ? AND likeable_id = ?',
        [userId, 2026, new Date(0), likeable_id],
        { prepare: true },
      );
    const other = await connectCassandra(config);
    const found: string[] = [];
    for (let { pageState } = first; pageState !== undefined;) {
      const next = await page(other, scanItems, { above: -(2n ** 63n), up_to: 2n ** 63n - 1n }, pageState);
      found.push(...next.rows.map(({ likeable_id }) => likeable_id));
      ({ pageState } = next);
    }
    await other.client.shutdown();
    expect([...first.rows.map(({ likeable_id }) => likeable_id), ...found]).toEqual(likeables.toReversed());
  });

  test('has every group of rows with its count', async () => {
    const key = { minute: new Date(0), shard: 3 };
    const subjects = Array.from({ length: 1_100 }, (_, index) => `Book:${String(index).padStart(4, '0')}`);
    await pLimit(64).map(
      subjects.flatMap((subject_id) => [subject_id, subject_id]),
      (subject_id) => insert('events', { ...key, subject_id, kind: 'LIKE', event_id: randomUUID() }),
    );
    const found = [];
    for await (const count of each(cassandra, countEvents, key)) found.push(count);
    expect(found).toEqual(subjects.map((subject_id) => ({ subject_id, kind: 'LIKE', event_count: 2 })));
  });
});
