import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listInMemory, mergedRead, readSlice, type PartitionedList } from '../src/cassandra/paging.ts';
import { connection } from '../src/graphql/connections.ts';

interface Row {
  readonly partition: number;
  readonly place: number;
  readonly kept: boolean;
}

/** Makes a list in memory whose partitions count their reads. */
function listOf(
  rows: readonly Row[],
  partitions: readonly number[],
  reads: number[][],
  rowsMin = 0,
): PartitionedList<Row, Row> {
  return {
    partitions,
    partitionOf: ({ partition }) => partition,
    positionOf: (row) => row,
    filter: { keep: ({ kept }) => kept, rowsMin },
    read: (some, { descending, from, limit }) => {
      reads.push([...some]);
      const key = ({ partition, place }: Row) => partition * 100 + place;
      const inSome = rows.filter((row) => some.includes(row.partition));
      const inOrder = inSome.toSorted((one, other) => (descending ? key(other) - key(one) : key(one) - key(other)));
      const behind = inOrder.filter(
        ({ place }) => from === undefined || (descending ? place < from.place : place > from.place),
      );
      return Promise.resolve(behind.slice(0, limit));
    },
  };
}

test('walking page by page returns every kept row once, in order, from either end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.record({ partition: fc.nat(5), place: fc.nat(30), kept: fc.boolean() }), {
        selector: ({ partition, place }) => `${partition}/${place}`,
      }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      fc.constantFrom(0, 3, 30),
      async (rows, limit, descending, rowsMin) => {
        const reads: number[][] = [];
        const list = listOf(rows, [3, 0, 5, 1, 4, 2], reads, rowsMin);
        const key = ({ partition, place }: Row) => partition * 100 + place;
        const expected = rows
          .filter(({ kept }) => kept)
          .toSorted((one, other) => (descending ? key(other) - key(one) : key(one) - key(other)));
        const found: Row[] = [];
        let from: Row | undefined;
        for (;;) {
          const page = await readSlice(list, { descending, from, limit });
          found.push(...page.rows);
          if (!page.more) break;
          expect(page.rows).toHaveLength(limit);
          from = page.rows.at(-1);
        }
        expect(found).toEqual(expected);
      },
    ),
  );
});

test('only partitions that the page needs are read', async () => {
  const rows = [5, 4, 3].flatMap((partition) => [1, 2, 3].map((place) => ({ partition, place, kept: true })));
  const reads: number[][] = [];
  await readSlice(listOf(rows, [3, 4, 5], reads), { descending: true, from: undefined, limit: 2 });
  expect(reads).toEqual([[5]]);
});

test('partitions with few rows are read several at once, as many as are expected to suffice, in growing numbers', async () => {
  const months = Array.from({ length: 60 }, (_, month) => month + 1);
  const readsOf = async (rowsOfEach: number, limit: number, descending = true) => {
    const rows = months.flatMap((partition) =>
      Array.from({ length: rowsOfEach }, (_, place) => ({ partition, place, kept: true })),
    );
    const reads: number[][] = [];
    await readSlice(listOf(rows, months, reads), { descending, from: undefined, limit });
    return reads.map((some) => some.length);
  };

  expect(await readsOf(10, 25)).toEqual([1, 2]);
  expect(await readsOf(2, 20)).toEqual([1, 4, 6]);
  expect(await readsOf(2, 20, false)).toEqual([1, 4, 6]);
  expect(await readsOf(0, 20)).toEqual([1, 4, 12, 12, 12, 12, 7]);
});

test('after rows were dropped, about as many are read as are missing; more and more if all were dropped', async () => {
  const limitsOf = async (isKept: (place: number) => boolean) => {
    const rows = Array.from({ length: 900 }, (_, place) => ({ partition: 0, place, kept: isKept(place) }));
    const list = listOf(rows, [0], []);
    const limits: number[] = [];
    const read: typeof list.read = (some, slice) => {
      limits.push(slice.limit);
      return list.read(some, slice);
    };
    const { rows: found } = await readSlice({ ...list, read }, { descending: false, from: undefined, limit: 20 });
    expect(found).toEqual(rows.filter(({ kept }) => kept).slice(0, 20));
    return limits;
  };

  expect(await limitsOf((place) => place !== 7)).toEqual([21, 3]);
  expect(await limitsOf((place) => place % 2 === 0)).toEqual([21, 39]);
  expect(await limitsOf((place) => place >= 500)).toEqual([21, 63, 189, 200, 200]);
});

test('several sources are merged into one list, even if they overlap, and each is read once per page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.nat(8), fc.nat(3)), { selector: String }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (rows, limit, descending) => {
        const compare = (one: [number, number], other: [number, number]) => one[0] - other[0] || one[1] - other[1];
        const inOrder = rows.toSorted(compare);
        let reads = 0;
        const sources = [0, 1, 2, 3].map((source) => {
          const { read } = listInMemory(
            inOrder.filter((row) => row[1] === source),
            compare,
          );
          return (slice: Parameters<typeof read>[1]) => {
            reads++;
            return read([0], slice);
          };
        });
        const merged: PartitionedList<[number, number], [number, number]> = {
          ...listInMemory<[number, number]>([], compare),
          read: (_partition, slice) => mergedRead(sources, compare, slice),
        };
        const found: [number, number][] = [];
        for (let pages = 1; ; pages++) {
          const page = await readSlice(merged, { descending, from: found.at(-1), limit });
          expect(reads).toBe(4 * pages);
          found.push(...page.rows);
          if (!page.more) break;
        }
        expect(found).toEqual(descending ? inOrder.toReversed() : inOrder);
      },
    ),
  );
});

test('a cursor is made only when it is requested, not for every edge', async () => {
  const sealed: number[] = [];
  const cursor = z.codec(z.int(), z.int(), {
    decode: (place) => place,
    encode: (place) => (sealed.push(place), place),
  });
  const list = {
    ...listInMemory([1, 2, 3, 4], (one, other) => one - other),
    name: 'places',
    descending: false,
    cursor,
  };
  const edgeOf = (place: number, cursor: () => string) => ({ place, cursor });

  const { edges, pageInfo } = await connection({ first: 2 }, list, edgeOf);
  expect(sealed).toEqual([]);
  const after = pageInfo.endCursor?.() ?? null;
  expect(sealed).toEqual([2]);
  expect(edges[1]?.cursor()).toBe(after);

  const next = await connection({ first: 2, after }, list, edgeOf);
  expect(next.edges.map(({ place }) => place)).toEqual([3, 4]);
});
