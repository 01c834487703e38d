import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Merge, type ManyLists } from '../src/cassandra/merge.ts';
import { runs } from './support/full.ts';

/** Many lists in memory, merged into one. */

interface Row {
  readonly at: number;
  /** The number of the list. */
  readonly list: number;
  /** The place among the rows of the list. */
  readonly place: number;
}

const compare = (one: Row, other: Row) => one.at - other.at || one.list - other.list;
const inOrder = (rows: readonly Row[], descending: boolean) =>
  rows.toSorted((one, other) => (descending ? -1 : 1) * (compare(one, other) || one.place - other.place));

/** The numbers of lists and rows that were read. */
interface Reads {
  lists: number;
  rows: number;
}

/** Makes two sources of lists, every second list in each. */
function sourcesOf(lists: readonly (readonly Row[])[], reads: Reads): ManyLists<Row, Row>[] {
  return [0, 1].map((source) => {
    const own = lists.filter((_, index) => index % 2 === source);
    return {
      count: own.length,
      read: (numbers, { descending, from, limit }, until) => {
        const sign = descending ? -1 : 1;
        const isBehind = (row: Row) => from === undefined || sign * (compare(row, from) || row.place - from.place) > 0;
        // As a statement does: all rows of the moment belong to it.
        const isUntil = ({ at }: Row) => until === undefined || sign * (at - until.at) <= 0;
        const rowsOf = (number: number) =>
          inOrder(own[number] ?? [], descending).filter((row) => isBehind(row) && isUntil(row));
        const found = numbers.map((number) => rowsOf(number).slice(0, limit));
        reads.lists += found.length;
        reads.rows += found.flat().length;
        return Promise.resolve(found);
      },
    };
  });
}

/** The moments of the rows of a list: few or many, spread, all alike, or one after the other. */
const moments = fc.oneof(
  fc.array(fc.nat(50), { maxLength: 5 }),
  fc.array(fc.nat(3), { maxLength: 30 }),
  fc
    .record({ begin: fc.nat(40), length: fc.nat(40) })
    .map(({ begin, length }) => Array.from({ length }, (_, index) => begin + index / 4)),
);

test('rows of any number of lists come in order, each once, from any place, in either direction', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.array(moments, { maxLength: 6 }), fc.array(moments, { minLength: 100, maxLength: 150 })),
      fc.boolean(),
      fc.nat(20),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
      async (all, descending, skipped, limits) => {
        const lists = all.map((some, list) =>
          some.map((at, place) => ({ at, list, place: descending ? -place : place })),
        );
        const expected = inOrder(lists.flat(), descending);
        const from = expected[skipped - 1];
        const merge = new Merge(sourcesOf(lists, { lists: 0, rows: 0 }), compare, { descending, from });
        const found: Row[] = [];
        for (let page = 0; ; page++) {
          const limit = limits[page % limits.length] ?? 1;
          const rows = await merge.next(limit);
          found.push(...rows);
          if (rows.length < limit) break;
        }
        expect(found).toEqual(expected.slice(from ? skipped : 0));
        expect(await merge.next(1)).toEqual([]);
      },
    ),
    { numRuns: runs(200) },
  );
});

test('of thousands of lists, those without any of the next rows are not read again', async () => {
  const LISTS = 8_000;
  const spread = Array.from({ length: LISTS }, (_, list) =>
    Array.from({ length: 10 }, (_unused, place) => ({
      at: 1_000 - place * 10 - (list % 97) / 10,
      list,
      place: -place,
    })),
  );
  const burst = Array.from({ length: 5_000 }, (_, place) => ({ at: 1_000_000 - place, list: LISTS, place: -place }));
  const reads = { lists: 0, rows: 0 };
  const merge = new Merge(sourcesOf([...spread, burst], reads), compare, { descending: true, from: undefined });

  expect(await merge.next(21)).toEqual(burst.slice(0, 21));
  expect(reads.lists).toBeLessThan(LISTS + 500);
  expect(reads.rows).toBeLessThan(LISTS / 4);
  reads.lists = 0;
  for (let from = 21; from < 4_821; from += 200) expect(await merge.next(200)).toEqual(burst.slice(from, from + 200));
  expect(reads.lists).toBeLessThan(500);

  const rest = inOrder(spread.flat(), true);
  expect(await merge.next(200)).toEqual([...burst.slice(4_821), ...rest.slice(0, 21)]);
});
