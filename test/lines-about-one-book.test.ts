import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { storedIdOf } from './support/ids.ts';
import { untilImported } from './support/library-imports.ts';

/** Several lines of a file that are about one book, such as lines about its editions. */

let server: TestServer;
let bookId: string;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  [bookId = ''] = await ownBooks(server.app, 1);
});

interface Line {
  readonly shelf: string;
  readonly day: string;
  readonly readCount: number;
  readonly rating: number;
}

const HEADER = 'Book Id,Title,Author,My Rating,Date Read,Read Count,Bookshelves,Exclusive Shelf';
const sourceId = () => storedIdOf(bookId).replace('Book:goodreads-', '');
const fileOf = (lines: readonly Line[]) =>
  lines.map(
    ({ shelf, day, readCount, rating }) =>
      `${sourceId()},A Book,An Author,${rating || ''},${day},${readCount},${shelf},${shelf}`,
  );

/** Imports lines, and returns the reader's data about the book after that. */
async function broughtBy(lines: readonly string[]): Promise<{ reader: Client; brought: object }> {
  const reader = await server.client().registerSomebody();
  await untilImported(reader, Buffer.from([HEADER, ...lines].join('\n')));
  return { reader, brought: await bookOf(reader) };
}

async function bookOf(reader: Client): Promise<object> {
  const { node } = await reader.data(
    `query ($bookId: ID!) { node(id: $bookId) { ... on Book {
      viewerRating viewerReading { status progress readings { finishedOn } }
    } } }`,
    { bookId },
  );
  return node;
}

const line = (shelf: string, day = '', readCount = 0, rating = 0): Line => ({ shelf, day, readCount, rating });
const reading = (status: string, ...days: (string | null)[]) => ({
  status,
  progress: status === 'READ' ? 100 : 0,
  readings: days.map((finishedOn) => ({ finishedOn })),
});

describe('lines about one book are merged', () => {
  test.each<[string, readonly Line[], object]>([
    [
      'one is read, another one is to be read',
      [line('read', '2020/01/02', 1, 4), line('to-read')],
      { viewerRating: 4, viewerReading: reading('READ', '2020-01-02') },
    ],
    [
      'one is read on a day, another one on an unknown day',
      [line('read', '2020/01/02', 1), line('read', '', 1)],
      { viewerRating: null, viewerReading: reading('READ', '2020-01-02') },
    ],
    [
      'one is read again',
      [line('read', '2020/01/02', 1, 3), line('currently-reading', '', 0, 5)],
      { viewerRating: 3, viewerReading: reading('READING', '2020-01-02') },
    ],
    [
      'both are read, and the rating of the later day is used',
      [line('read', '2020/01/02', 1, 5), line('read', '2021/03/04', 1, 3)],
      { viewerRating: 3, viewerReading: reading('READ', '2021-03-04', '2020-01-02') },
    ],
  ])('%s', async (_name, lines, expected) => {
    for (const inOrder of [lines, lines.toReversed()])
      expect((await broughtBy(fileOf(inOrder))).brought).toEqual(expected);
  });

  test('in any order, and a second import changes nothing', async () => {
    const anyLine = fc.record({
      shelf: fc.constantFrom('read', 'to-read', 'currently-reading'),
      day: fc.constantFrom('', '2019/05/06', '2020/01/02', '2021/03/04'),
      readCount: fc.nat({ max: 2 }),
      rating: fc.nat({ max: 5 }),
    });
    const lines = fc.array(anyLine, { minLength: 2, maxLength: 4 });
    // Lines that differ in no field that orders them have the order of the file.
    const ordered = lines.filter((all) => new Set(all.map(({ day }) => day)).size === all.length);
    const cases = ordered.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([all, shuffled]) => {
        const [one, other] = [await broughtBy(fileOf(all)), await broughtBy(fileOf(shuffled))];
        expect(other.brought).toEqual(one.brought);

        await untilImported(one.reader, Buffer.from([HEADER, ...fileOf(all)].join('\n')));
        expect(await bookOf(one.reader)).toEqual(one.brought);
      }),
      { numRuns: 15 },
    );
  });

  test('if they are more than a page of lines apart', async () => {
    const between = Array.from({ length: 210 }, (_, index) => `,Nobody Has Book ${index},Somebody,,,,read,read`);
    const [first = '', last = ''] = fileOf([line('to-read'), line('read', '2020/01/02', 1)]);
    const { brought } = await broughtBy([first, ...between, last]);
    expect(brought).toEqual({ viewerRating: null, viewerReading: reading('READ', '2020-01-02') });
  });

  test('but not more than twenty, and another line replaces one that is changed to another book', async () => {
    const reader = await server.client().registerSomebody();
    const days = Array.from({ length: 23 }, (_, index) => `2020/01/${String(index + 1).padStart(2, '0')}`);
    const file = [HEADER, ...fileOf(days.map((day) => line('read', day, 1)))].join('\n');
    const { id, rows, notKept } = await untilImported(reader, Buffer.from(file));
    expect(notKept).toBe(3);
    expect(rows[19]?.fate).toBe('MATCHED');
    expect(rows[20]?.reason).toBe('Only the first 20 lines about a book are imported.');
    const daysRead = async () => {
      const { viewerReading } = (await bookOf(reader)) as { viewerReading: { readings: { finishedOn: string }[] } };
      return viewerReading.readings
        .map(({ finishedOn }) => Number(finishedOn.slice(-2)))
        .toSorted((one, other) => one - other);
    };
    const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
    expect(await daysRead()).toEqual(upTo(20));

    await reader.mutate('resolveImportRow', { importId: id, line: 1, bookId: null }, '__typename');
    expect(await daysRead()).toEqual(upTo(21).slice(1));
    await reader.mutate('undoImport', { importId: id }, '__typename');
    expect(await daysRead()).toEqual([]);
  });

  test('and each names the line that was used instead', async () => {
    const reader = await server.client().registerSomebody();
    const lines = fileOf([line('to-read', '', 0, 5), line('read', '2020/01/02', 1, 4)]);
    const { rows } = await untilImported(reader, Buffer.from([HEADER, ...lines].join('\n')));
    expect(rows).toMatchObject([
      {
        fate: 'MATCHED',
        reason: 'Line 2 has the same book; its status was used. Line 2 has the same book; its rating was used.',
      },
      { fate: 'MATCHED', reason: null },
    ]);
  });
});
