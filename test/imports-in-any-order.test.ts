import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { doAllJobs } from './support/jobs.ts';

/** Several imports of one reader, which may be sent again and undone in any order. */

const HEADER = 'Book Id,Title,Author,My Rating,Date Read,My Review,Bookshelves,Exclusive Shelf';
const SHELVES = ['read', 'to-read', 'currently-reading'];
const seed = Date.now();

let server: TestServer;
let books: readonly string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  books = await ownBooks(server.app, 2);
});

/** A line of a file about one book. */
const line = fc.record({
  shelf: fc.constantFrom(...SHELVES),
  rating: fc.integer({ min: 0, max: 3 }),
  day: fc.constantFrom('', '2020/01/02', '2021/03/04'),
  review: fc.constantFrom('', 'One word', 'Another word'),
});
/** A file that may leave out any book. */
const file = fc.tuple(fc.option(line), fc.option(line)).filter((lines) => lines.some((said) => said !== null));
const READ = { shelf: 'read', rating: 2, day: '2020/01/02', review: 'One word' };
const WANTED = { ...READ, shelf: 'to-read', day: '' };
type File = readonly ({ shelf: string; rating: number; day: string; review: string } | null)[];

interface Act {
  readonly what: 'send' | 'undo';
  readonly index: number;
}

const acts = (...all: readonly string[]): Act[] =>
  all.map((each) => ({ what: each.startsWith('send') ? 'send' : 'undo', index: Number(each.split(' ')[1]) }));

const bytesOf = (said: File, index: number) => {
  const lines = said.flatMap((each, book) =>
    each === null
      ? []
      : `${keyOf(books[book]!).replace('goodreads-', '')},A Book,An Author,${each.rating},${each.day},${each.review},,${each.shelf}`,
  );
  // Files with the same content are different imports.
  return Buffer.from([HEADER, ...lines, `,Nobody Has This ${index},Nobody,0,,,,to-read`].join('\n'));
};

async function send(reader: Client, said: File, index: number): Promise<string> {
  const { id } = (await (await reader.importMyLibrary(bytesOf(said, index))).json()) as { id: string };
  await reader.mutate('publishImportedReviews', { importId: id }, '__typename');
  await doAllJobs(server.app);
  return id;
}

async function undo(reader: Client, importId: string): Promise<void> {
  const { userErrors } = await reader.mutate('undoImport', { importId }, '__typename');
  expect(userErrors).toEqual([]);
  await doAllJobs(server.app);
}

/** Imports files, one after the other, and returns the reader who imported them. */
async function importedBy(...files: readonly File[]): Promise<{ reader: Client; ids: string[] }> {
  const reader = await server.client().registerSomebody();
  const ids: string[] = [];
  for (const [index, said] of files.entries()) ids.push(await send(reader, said, index));
  return { reader, ids };
}

/** Returns the data of a reader about the books. */
async function libraryOf(reader: Client): Promise<unknown> {
  const { nodes } = await reader.data(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book {
      viewerRating viewerReview { text } viewerReading { status readings { finishedOn } }
    } } }`,
    { ids: books },
  );
  return nodes.map(({ viewerReading, ...node }: { viewerReading: { status: string | null } | null }) => ({
    ...node,
    viewerReading: viewerReading?.status ? viewerReading : null,
  }));
}

test(`the later file wins, with any repetitions and undos in any order (seed ${seed})`, async () => {
  const act = fc.record({ what: fc.constantFrom('send' as const, 'undo' as const), index: fc.nat({ max: 2 }) });
  await fc.assert(
    fc.asyncProperty(fc.tuple(file, file, file), fc.array(act, { minLength: 1, maxLength: 3 }), async (files, all) => {
      const { reader, ids } = await importedBy(...files);
      const left = new Set([0, 1, 2]);
      for (const { what, index } of all) {
        if (what === 'send') {
          await send(reader, files[index]!, index);
          left.add(index);
        } else if (left.delete(index)) await undo(reader, ids[index]!);
      }

      const other = await server.client().registerSomebody();
      for (const [index, said] of files.entries()) if (left.has(index)) await send(other, said, index);
      expect(await libraryOf(reader)).toEqual(await libraryOf(other));
    }),
    {
      seed,
      numRuns: runs(12, 5),
      examples: [
        [
          [
            [{ ...READ, day: '' }, null],
            [READ, null],
            [null, READ],
          ],
          acts('undo 0', 'send 0'),
        ],
        // The same value in two files belongs to the later one; a file between them changes
        // nothing.
        [
          [
            [WANTED, null],
            [READ, null],
            [WANTED, null],
          ],
          acts('undo 2', 'undo 1', 'send 2', 'send 1'),
        ],
      ],
    },
  );
  expect((await audited(server.app, everyAudit)).drift).toEqual([]);
});

const ALL_OF_READ = {
  viewerRating: 2,
  viewerReview: { text: 'One word' },
  viewerReading: { status: 'READ', readings: [{ finishedOn: '2020-01-02' }] },
};
const NOTHING = { viewerRating: null, viewerReview: null, viewerReading: null };

test('a file with the day of a reading replaces the unknown day of an earlier file', async () => {
  const { reader, ids } = await importedBy([{ ...READ, day: '' }, null], [READ, null]);
  expect(await libraryOf(reader)).toEqual([ALL_OF_READ, NOTHING]);
  await undo(reader, ids[1]!);
  const unknown = { status: 'READ', readings: [{ finishedOn: null }] };
  expect(await libraryOf(reader)).toEqual([{ ...ALL_OF_READ, viewerReading: unknown }, NOTHING]);
});

test('a line that is about no book removes nothing that another file has added to the book', async () => {
  const { reader, ids } = await importedBy([READ, null], [READ, null]);
  await reader.mutate('resolveImportRow', { importId: ids[0], line: 1, bookId: null }, '__typename');
  await doAllJobs(server.app);
  expect(await libraryOf(reader)).toEqual([ALL_OF_READ, NOTHING]);
});

test('a rating and a review become the reader’s own as soon as the reader sends the same ones here', async () => {
  const { reader, ids } = await importedBy([READ, READ]);
  const [bookId] = books;
  await reader.mutate('rateBook', { bookId, rating: 2 }, '__typename');
  await reader.mutate('writeReview', { bookId, text: 'One word', hasSpoilers: false }, '__typename');
  await undo(reader, ids[0]!);
  expect(await libraryOf(reader)).toEqual([{ ...ALL_OF_READ, viewerReading: null }, NOTHING]);
});
