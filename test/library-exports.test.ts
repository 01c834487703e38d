import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { importBooks } from '../src/catalogue/import.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { importSample, isbnOf, manyBookIds, NEEDED } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { IS_FULL } from './support/full.ts';
import { doAllJobs } from './support/jobs.ts';
import { importOf, untilImported } from './support/library-imports.ts';

/**
 * The export of a reader's library in the form of Goodreads, which can be imported without loss.
 */

const BOOKS = 15;

let server: TestServer;
let administrator: Client;
let books: string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
  await importSample(server.app, 100);
  books = await manyBookIds(server, BOOKS);
});

async function exported(reader: Client): Promise<Buffer> {
  const answer = await reader.exportMyData({ password: PASSWORD, format: 'GOODREADS' });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-library.csv"');
  return Buffer.from(await answer.arrayBuffer());
}

/** Returns the status, the rating and the review of each book of a reader, with all days. */
async function libraryOf(reader: Client): Promise<Map<string, unknown>> {
  const reading = 'viewerReading { status progress since startedOn readings { finishedOn startedOn } }';
  const book = `id viewerRating ${reading} viewerReview { text hasSpoilers }`;
  const { viewer } = await reader.data(
    `{ viewer { shelf(first: ${BOOKS}) { nodes { ${book} } } readBooks(first: ${BOOKS}) { nodes { ${book} } }
      ratings(first: ${BOOKS}) { nodes { ${book} } }
      reviews(first: ${BOOKS}) { nodes { book { ${book} } } } } }`,
  );
  const reviewed = viewer.reviews.nodes.map((review: { book: object }) => review.book);
  const books: { id: string; viewerReading: { status: string | null; since: string; readings: object[] } | null }[] = [
    ...viewer.shelf.nodes,
    ...viewer.readBooks.nodes,
    ...viewer.ratings.nodes,
    ...reviewed,
  ];
  return new Map(
    books.map(({ id, viewerReading: reading, ...said }) => [
      id,
      {
        ...said,
        // Taking a book off its shelf leaves nothing of a book that was never read.
        viewerReading:
          reading && (reading.status !== null || reading.readings.length > 0)
            ? { ...reading, since: reading.since.slice(0, 10) }
            : null,
      },
    ]),
  );
}

const day = fc
  .integer({ min: 0, max: 8_000 })
  .map((days) => new Date(Date.UTC(2001, 0, 1 + days)).toISOString().slice(0, 10));
/** A finished reading: its day, and its duration in days; null if unknown. */
const finished = fc.record({ finishedOn: fc.option(day), days: fc.option(fc.nat(60)) });
/** A stored text with characters that cause problems in spreadsheets and CSV. */
const reviewText = fc
  .array(
    fc.constantFrom('=', '＝', '-', "'", '"', ',', 'a', 'é', '\n', ' b', '&amp;', '<', '>', '<b>', '</i>', '<spoiler>'),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => `${parts.join('')}c`.trim())
  .filter((text) => !text.includes('\n '));
const said = fc.record({
  reads: fc.uniqueArray(finished, { maxLength: 4, selector: ({ finishedOn }) => finishedOn }),
  /** True for a book that the reader begins before its status. */
  isBegun: fc.boolean(),
  /** Null for a book that is taken off its shelf, undefined if nothing is said. */
  status: fc.constantFrom('WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP', null, undefined),
  progress: fc.nat(100),
  rating: fc.option(fc.integer({ min: 1, max: 20 }).map((quarters) => quarters / 4)),
  review: fc.option(fc.record({ text: reviewText, hasSpoilers: fc.boolean() })),
});

type SaidOfBook = typeof said extends fc.Arbitrary<infer Each> ? Each : never;

/** A library with all kinds of data that an export has lost before. */
const HARD: SaidOfBook[] = [
  {
    reads: [
      { finishedOn: '2001-01-05', days: null },
      { finishedOn: null, days: null },
    ],
    isBegun: false,
    status: undefined,
    progress: 0,
    rating: null,
    review: { text: 'I <b>love</b> it: a<b && c>d &amp; <spoiler>', hasSpoilers: false },
  },
  {
    reads: [],
    isBegun: false,
    status: 'READING',
    progress: 40,
    rating: null,
    review: { text: '＝SUM(A1)', hasSpoilers: true },
  },
  {
    reads: [{ finishedOn: '2001-01-05', days: 3 }],
    isBegun: true,
    status: 'GIVEN_UP',
    progress: 40,
    rating: null,
    review: null,
  },
  {
    reads: [
      { finishedOn: '2001-01-05', days: 3 },
      { finishedOn: null, days: null },
    ],
    isBegun: true,
    status: null,
    progress: 0,
    rating: 4,
    review: null,
  },
];

const before = (finishedOn: string, days: number) =>
  new Date(Date.parse(finishedOn) - days * 86_400_000).toISOString().slice(0, 10);

test('an export, an erasure and an import preserve a library', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 12 }), async (library) => {
      const reader = await server.client().registerSomebody();
      const write = async ({ reads, isBegun, status, progress, rating, review }: SaidOfBook, index: number) => {
        const bookId = books[index];
        for (const { finishedOn, days } of reads) {
          const startedOn = finishedOn !== null && days !== null ? before(finishedOn, days) : null;
          const { userErrors } = await reader.mutate('markAsRead', { bookId, finishedOn, startedOn }, '__typename');
          expect(userErrors).toEqual([]);
        }
        if (isBegun) await reader.mutate('setReadingStatus', { bookId, status: 'READING' }, '__typename');
        if (status !== undefined)
          await reader.mutate(
            'setReadingStatus',
            { bookId, status, progress: { null: 0, WANT_TO_READ: 0, READ: 100 }[String(status)] ?? progress },
            '__typename',
          );
        if (rating !== null) await reader.mutate('rateBook', { bookId, rating }, '__typename');
        if (review !== null) await reader.mutate('writeReview', { bookId, ...review }, '__typename');
      };
      await Promise.all(library.map(write));
      const [there, file] = [await libraryOf(reader), await exported(reader)];
      await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
      if (there.size === 0) return;

      const another = await server.client().registerSomebody();
      const done = await untilImported(another, file);
      expect(done).toMatchObject({ source: 'GOODREADS', lines: there.size });
      await another.mutate('publishImportedReviews', { importId: done.id }, '__typename');
      expect((await importOf(another, done.id)).matched).toBe(there.size);
      expect(await libraryOf(another)).toEqual(there);
    }),
    { numRuns: IS_FULL ? 15 : 2, examples: [[HARD]] },
  );
});

test('they also preserve books that are added to the catalogue later', async () => {
  const isbn = isbnOf(979_123_450_001);
  const file = [
    'Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,Read Count,Dates Read',
    `,To Come One,Ann Lee,${isbn},4,2020/02/03,2020/01/02,,read,2,"2020/02/01-2020/02/03, unknown"`,
    '99000001,To Come Two,Ann Lee,,0,,2021/01/02,,currently-reading,0,',
    ',To Come Three,Ann Lee,,0,,,"my, own",,0,',
    ',To Come Four,Bo Berg,,5,,,paused,paused,0,',
    // Each of two editions has its own days and ratings.
    ',To Come Five,Cy Day,,2,2018/03/04,2018/01/01,,read,1,',
    ',To Come Five,Cy Day,,3,2019/03/04,2019/01/01,,read,1,',
    ',To Come Six,Di Eve,,0,2017/03/04,2017/01/01,,left,1,',
  ];
  const ofStoryGraph = [
    'Title,Authors,Read Status,Dates Read',
    'To Come Seven,Ed Fox,currently-reading,2022/05/06-',
    'To Come Eight,Gi Hay,did-not-finish,2022/05/06-2022/06/07',
  ].join('\n');
  const reader = await server.client().registerSomebody();
  const { id } = await untilImported(reader, Buffer.from(file.join('\n')));
  for (const shelf of ['paused', 'left'])
    await reader.mutate('mapImportShelf', { importId: id, shelf, becomes: 'GIVEN_UP' }, '__typename');
  await untilImported(reader, Buffer.from(ofStoryGraph));
  // The export of another account had a book that was read and is on no shelf.
  const ofOurs = [
    'Title,Author,Bookshelves,Exclusive Shelf,Dates Read,Star Rating,Progress',
    'To Come Nine,Jo Ivy,,,2016/05/04-2016/05/06,,',
  ].join('\n');
  await untilImported(reader, Buffer.from(ofOurs));
  const another = await server.client().registerSomebody();
  const done = await untilImported(another, await exported(reader));
  expect(done).toMatchObject({ lines: 10, unlisted: 10 });

  const lines = [`9900000,,${isbn},Ann Lee,,,To Come One,,,`, '99000001,,,Ann Lee,,,To Come II,,,'];
  const authors = {
    Three: 'Ann Lee',
    Four: 'Bo Berg',
    Five: 'Cy Day',
    Six: 'Di Eve',
    Seven: 'Ed Fox',
    Eight: 'Gi Hay',
    Nine: 'Jo Ivy',
  };
  const others = Object.entries(authors).map(([title, author], n) => `99000${n + 3},,,${author},,,To Come ${title},,,`);
  const catalogue = join(inject('folder'), 'to-come.csv');
  await writeFile(catalogue, [NEEDED, ...lines, ...others].join('\n'));
  await importBooks(server.app, catalogue);
  await doAllJobs(server.app);

  const library = await libraryOf(reader);
  expect([...library.values()]).toMatchObject([
    { viewerRating: 5, viewerReading: { status: 'GIVEN_UP' } },
    { viewerReading: { status: 'GIVEN_UP', startedOn: '2022-05-06', since: '2022-06-07' } },
    { viewerReading: { status: 'READING', startedOn: '2022-05-06' } },
    { viewerRating: null, viewerReading: { status: 'READING' } },
    {
      viewerRating: 4,
      viewerReading: { status: 'READ', readings: [{ finishedOn: '2020-02-03' }, { finishedOn: null }] },
    },
    { viewerRating: 3, viewerReading: { readings: [{ finishedOn: '2019-03-04' }, { finishedOn: '2018-03-04' }] } },
    { viewerReading: { status: 'GIVEN_UP', since: '2017-03-04', readings: [] } },
    { viewerReading: { status: null, readings: [{ finishedOn: '2016-05-06', startedOn: '2016-05-04' }] } },
  ]);
  expect(await libraryOf(another)).toEqual(library);

  // The day on which a book was begun is kept when its progress changes.
  const [bookId] = [...library].find(([, said]) => /READING.*2022-05-06/.test(JSON.stringify(said))) ?? [];
  await reader.mutate('setReadingStatus', { bookId, status: 'READING', progress: 40 }, '__typename');
  const last = await server.client().registerSomebody();
  await untilImported(last, await exported(reader));
  expect(await libraryOf(last)).toEqual(await libraryOf(reader));
});

test('they also preserve lines that are not applied yet, and reviews that are not published', async () => {
  const header = 'Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Exclusive Shelf,Bookshelves,My Review\n';
  const older = [',Nobody Has It,Ann Lee,,1,2009/01/02,2009/01/01,read,,', ',Divergent,Veronica Roth,,0,,,unread,,'];
  const newer = [
    // The id is that of one work, the ISBN that of another.
    '2767052,Neither,Ann Lee,9780618260300,4,2020/01/02,2020/01/01,read,,Either',
    ',Divergent,Veronica Roth,,3,2021/01/02,2021/01/01,left,,Stopped',
    ',Twilight,Stephenie Meyer,,0,2022/01/02,2022/01/01,read,,It is <i>good</i>',
    ',Insurgent,Veronica Roth,,0,2022/01/02,2022/01/01,read,,Away',
    ',The Kite Runner,Khaled Hosseini,,0,,2023/01/01,,,<spoiler>He comes back',
    ',Nobody Has It,Ann Lee,,4,2010/01/02,2010/01/01,read,,One',
    ',Nobody Has It,Ann Lee,,5,2011/01/02,2011/01/01,read,,Other',
  ];
  const reader = await server.client().registerSomebody();
  await untilImported(reader, Buffer.from(header + older.join('\n')));
  const first = await untilImported(reader, Buffer.from(header + newer.join('\n')));
  const undone = await untilImported(reader, Buffer.from(`${header},Undone,Ann Lee,,0,,,read,,\n`));
  await reader.mutate('undoImport', { importId: undone.id }, '__typename');
  expect(first).toMatchObject({ ambiguous: 1, unlisted: 2, notKept: 2, matched: 2 });
  // A reading that the reader has removed is not added again with its review.
  const takenBack = first.rows.find(({ title }) => title === 'Insurgent')?.book?.id;
  await reader.mutate('unmarkAsRead', { bookId: takenBack }, '__typename');
  // A book that they have taken off its shelf is on none, and was read.
  const takenOff = first.rows.find(({ title }) => title.startsWith('Twilight'))?.book?.id;
  await reader.mutate('setReadingStatus', { bookId: takenOff, status: null }, '__typename');

  const another = await server.client().registerSomebody();
  const second = await untilImported(another, await exported(reader));
  const fates = ({ rows }: typeof first) => rows.map(({ fate, title }) => `${fate} ${title.split(' (')[0]}`).toSorted();
  const expected = fates(first).map((each) => (each === 'MATCHED Insurgent' ? 'NOT_KEPT Insurgent' : each));
  expect(fates(second)).toEqual(expected.toSorted());
  expect(await libraryOf(another)).toEqual(await libraryOf(reader));
  const [once, twice] = [await exported(reader), await exported(another)].map(String);
  expect(twice?.split('\r\n').toSorted()).toEqual(once?.split('\r\n').toSorted());

  for (const [client, { id, rows }] of [
    [reader, first],
    [another, second],
  ] as const) {
    await client.mutate('mapImportShelf', { importId: id, shelf: 'left', becomes: 'GIVEN_UP' }, '__typename');
    await client.mutate('publishImportedReviews', { importId: id }, '__typename');
    const { line, candidates } = rows.find(({ fate }) => fate === 'AMBIGUOUS')!;
    await client.mutate('resolveImportRow', { importId: id, line, bookId: candidates[0]?.id }, '__typename');
  }
  const library = await libraryOf(reader);
  expect(library.size).toBe(5);
  expect(await libraryOf(another)).toEqual(library);
});

describe('the file', () => {
  test('has a line for each book, and no cell that a spreadsheet runs', async () => {
    const title = '=HYPERLINK("http://localhost/", "Look")';
    const input = { isbn: '9791234567896', title, authors: ['@Ann', '-Bo'], publishedYear: -720 };
    const { book } = await administrator.mutate('addBook', input, 'book { id }');
    const reader = await server.client().registerSomebody();
    await reader.mutate('writeReview', { bookId: book.id, text: '＝SUM(A1)', hasSpoilers: false }, '__typename');
    await reader.mutate('markAsRead', { bookId: book.id, finishedOn: '2024-05-06' }, '__typename');
    await reader.mutate(
      'markAsRead',
      { bookId: book.id, finishedOn: '2020-01-02', startedOn: '2020-01-01' },
      '__typename',
    );

    // The moment is the day before in UTC.
    const moment = { bookId: book.id, readAt: '2019-07-04T08:00:00+12:00', startedOn: '2019-07-04' };
    await reader.mutate('markAsRead', moment, '__typename');

    const [line, ...others] = parse<Record<string, string>>(await exported(reader), { columns: true });
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      Title: `'${title}`,
      Author: "'@Ann",
      'Additional Authors': "'-Bo",
      ISBN13: '9791234567896',
      'Date Read': '2024/05/06',
      'Exclusive Shelf': 'read',
      'Original Publication Year': '-720',
      'Read Count': '3',
      'Dates Read': '2024/05/06, 2020/01/01-2020/01/02, 2019/07/04-2019/07/04',
      'My Rating': '0',
      'My Review': "'＝SUM(A1)",
    });
  });

  test('has whole stars for other services, quarters for this server, and books that are only rated', async () => {
    const reader = await server.client().registerSomebody();
    for (const [index, rating] of [0.25, 3.5, 4.25].entries())
      await reader.mutate('rateBook', { bookId: books[index], rating }, '__typename');
    await reader.mutate('setReadingStatus', { bookId: books[1], status: 'READING' }, '__typename');

    const lines = parse<Record<string, string>>(await exported(reader), { columns: true });
    const told = lines.map((line) => [line['Exclusive Shelf'], line['My Rating'], line['Star Rating']]);
    expect(told.toSorted()).toEqual([
      ['', '1', '0.25'],
      ['', '4', '4.25'],
      ['currently-reading', '4', '3.5'],
    ]);
  });

  test('is refused without the password, and in an unknown format', async () => {
    const reader = await server.client().registerSomebody();
    const wrong = await reader.exportMyData({ password: 'wrong horse', format: 'GOODREADS' });
    expect([wrong.status, await wrong.json()]).toMatchObject([403, { userErrors: [{ code: 'INVALID_CREDENTIALS' }] }]);
    const unknown = await reader.exportMyData({ password: PASSWORD, format: 'XML' });
    expect([unknown.status, JSON.stringify(await unknown.json())]).toEqual([400, expect.stringContaining('GOODREADS')]);
  });
});
