import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { isbnOf } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { callersOf, testInput, type Callers } from './support/input-errors.ts';
import { untilImported } from './support/library-imports.ts';

/** The goals of readers, and the statistics of the books that they finished in a year. */

let server: TestServer;
let callers: Callers;
let books: { id: string; isbn: string; pages: number; genres: string[] }[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  callers = await callersOf(server);
  const administrator = await registerAdministrator(server);
  const added = Array.from({ length: 5 }, async (_, index) => {
    const [isbn, pages, genres] = [
      isbnOf(978_123_456_000 + index),
      100 * (index + 1),
      [`${index === 2 ? 'Genre-' : 'genre '}${index % 2}`, 'all'],
    ];
    const input = { isbn, title: `Book ${index}`, authors: ['Ann Lee'], pages, genres };
    const { book, userErrors } = await administrator.mutate('addBook', input, 'book { id }');
    expect(userErrors).toEqual([]);
    return { id: book.id as string, isbn, pages, genres };
  });
  books = await Promise.all(added);
});

const FIELDS =
  'goal isShared books pages months { month books pages } genres { genre books } longest { id } dearest { id } isComplete';

const statisticsOf = async (reader: Client, year: number) =>
  (await reader.data(`{ viewer { statistics(year: ${year}) { ${FIELDS} } } }`)).viewer.statistics;

/** Returns the statistics of a year that follow from the readings, as their reader sees them. */
async function expectedOf(reader: Client, year: number) {
  const finished: string[][] = [];
  const query =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { viewerReading { readings { finishedOn } } } } }';
  const { nodes } = await reader.data(query, { ids: books.map(({ id }) => id) });
  for (const { viewerReading } of nodes) {
    const days: (string | null)[] = (viewerReading?.readings ?? []).map(
      (read: { finishedOn: string }) => read.finishedOn,
    );
    finished.push(days.filter((day) => day !== null).filter((day) => day.startsWith(String(year))));
  }
  const months = Array.from({ length: 12 }, (_, index) => {
    const inMonth = finished.map((days) => days.filter((day) => Number(day.slice(5, 7)) === index + 1).length);
    const pages = inMonth.reduce((sum, times, place) => sum + times * books[place]!.pages, 0);
    return { month: index + 1, books: inMonth.reduce((sum, times) => sum + times, 0), pages };
  });
  const read = books.filter((_, place) => finished[place]!.length > 0);
  return {
    books: finished.flat().length,
    pages: months.reduce((sum, { pages }) => sum + pages, 0),
    months,
    genres: expect.arrayContaining(read.length > 0 ? [{ genre: 'all', books: read.length }] : []),
    longest: read.length > 0 ? { id: read.at(-1)!.id } : null,
  };
}

const markAsRead = async (reader: Client, place: number, finishedOn: string | null) => {
  const input = { bookId: books[place]!.id, finishedOn };
  expect((await reader.mutate('markAsRead', input, '__typename')).userErrors).toEqual([]);
};

describe('a year of a reader', () => {
  test('has books and pages by month, genres, the longest and the best rated book', async () => {
    const reader = await server.client().registerSomebody();
    await markAsRead(reader, 0, '2024-01-31');
    await markAsRead(reader, 0, '2024-12-31');
    await markAsRead(reader, 0, '2025-01-01');
    // Its genre is spelled otherwise.
    await markAsRead(reader, 2, '2024-01-02');
    await markAsRead(reader, 3, null);
    for (const [place, rating] of [4.5, 5, 3].entries())
      await reader.mutate('rateBook', { bookId: books[place]!.id, rating }, '__typename');

    const empty = Array.from({ length: 12 }, (_, index) => ({ month: index + 1, books: 0, pages: 0 }));
    expect(await statisticsOf(reader, 2024)).toEqual({
      goal: null,
      isShared: false,
      books: 3,
      pages: 500,
      months: empty.with(0, { month: 1, books: 2, pages: 400 }).with(11, { month: 12, books: 1, pages: 100 }),
      genres: [
        { genre: 'Genre-0', books: 2 },
        { genre: 'all', books: 2 },
      ],
      longest: { id: books[2]!.id },
      dearest: { id: books[0]!.id },
      isComplete: true,
    });
    const finished = 'finished { finishedOn book { id } }';
    const { viewer } = await reader.data(`{ viewer { statistics(year: 2024) { months { ${finished} } } } }`);
    const [first, ...others] = viewer.statistics.months;
    expect(first.finished).toEqual([
      { finishedOn: '2024-01-31', book: { id: books[0]!.id } },
      { finishedOn: '2024-01-02', book: { id: books[2]!.id } },
    ]);
    expect(others.at(-1).finished).toEqual([{ finishedOn: '2024-12-31', book: { id: books[0]!.id } }]);
    expect(await statisticsOf(reader, 2023)).toMatchObject({ books: 0, months: empty, longest: null, dearest: null });
  });

  test("is visible to those who may see the reader's readings, for a year that exists", async () => {
    const reader = await server.client().registerSomebody();
    await markAsRead(reader, 1, '2024-05-05');
    const query = `{ node(id: "${reader.viewerId}") { ... on User { statistics(year: 2024) { books } } } }`;
    const seen = async () => (await callers.clients.reader.data(query)).node.statistics;
    expect(await seen()).toBeNull();
    await reader.mutate('updatePrivacy', { readings: 'EVERYONE' }, 'viewer { id }');
    expect(await seen()).toEqual({ books: 1 });
    for (const year of [1899, 2999])
      expect(await reader.errorCode(`{ viewer { statistics(year: ${year}) { books } } }`)).toBe('BAD_USER_INPUT');
  });

  testInput('shareYear', { who: 'reader', input: { year: 1, isShared: true }, wrong: ['year'] }, () => callers);

  test('is visible to everyone but blocked readers while it is shared, and keeps its goal', async () => {
    const [reader, blocked] = await Promise.all([1, 2].map(() => server.client().registerSomebody()));
    await reader!.mutate('updatePrivacy', { readings: 'ONLY_ME' }, 'viewer { id }');
    await reader!.mutate('block', { id: blocked!.viewerId }, 'changed');
    await reader!.mutate('setReadingGoal', { year: 2024, books: 7 }, '__typename');
    const year = (year: number) => `statistics(year: ${year}) { goal isShared }`;
    const query = `{ node(id: "${reader!.viewerId}") { ... on User { shared: ${year(2024)} other: ${year(2025)} } } }`;
    const seenBy = async (client: Client) => (await client.data(query)).node;

    for (const isShared of [true, true, false]) {
      const { viewer } = await reader!.mutate('shareYear', { year: 2024, isShared }, `viewer { ${year(2024)} }`);
      expect(viewer.statistics).toEqual({ goal: 7, isShared });
      const shared = isShared ? { goal: 7, isShared } : null;
      expect(await seenBy(server.client())).toEqual({ shared, other: null });
      expect(await seenBy(blocked!)).toEqual(null);
    }
    await reader!.mutate('shareYear', { year: 2024, isShared: true }, '__typename');
    await reader!.mutate('setReadingGoal', { year: 2024, books: null }, '__typename');
    expect(await seenBy(server.client())).toMatchObject({ shared: { goal: null, isShared: true } });
  });

  test('has a picture while it is shared, which is drawn anew only after a change', async () => {
    const reader = await server.client().registerSomebody('Ann <i> & 李');
    await reader.mutate('updatePrivacy', { readings: 'ONLY_ME' }, 'viewer { id }');
    const picture = async (year = '2024', id = reader.viewerId) => {
      const response = await fetch(`${server.url}/pictures/years/${id}/${year}.png`);
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    };
    expect((await picture()).status).toBe(404);

    await reader.mutate('shareYear', { year: 2024, isShared: true }, '__typename');
    const empty = await picture();
    expect(empty.status).toBe(200);
    expect(empty.body.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect(await picture()).toEqual(empty);
    await markAsRead(reader, 1, '2024-05-05');
    const read = await picture();
    expect(read.status).toBe(200);
    expect(read.body.equals(empty.body)).toBe(false);

    await reader.mutate('shareYear', { year: 2024, isShared: false }, '__typename');
    expect((await picture()).status).toBe(404);
    for (const wrong of [await picture('2999'), await picture('x'), await picture('2024', books[0]!.id)])
      expect(wrong.status).toBe(404);
  });

  test('matches the readings after they are added, corrected and taken back in any order', async () => {
    const day = fc
      .integer({ min: 0, max: 1_000 })
      .map((days) => new Date(Date.UTC(2022, 6, 1 + days)).toISOString().slice(0, 10));
    const act = fc.oneof(
      { weight: 5, arbitrary: fc.record({ act: fc.constant('mark' as const), day: fc.option(day), place: fc.nat(4) }) },
      {
        weight: 3,
        arbitrary: fc.record({ act: fc.constant('correct' as const), day: fc.option(day), place: fc.nat(4) }),
      },
      fc.record({ act: fc.constant('unmark' as const), day: fc.constant(null), place: fc.nat(4) }),
      fc.record({ act: fc.constant('import' as const), day, place: fc.nat(4) }),
      fc.record({ act: fc.constant('undo' as const), day: fc.constant(null), place: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 14 }), async (acts) => {
        const reader = await server.client().registerSomebody();
        let imported: string | undefined;
        for (const each of acts) {
          const bookId = books[each.place]!.id;
          if (each.act === 'mark') await reader.mutate('markAsRead', { bookId, finishedOn: each.day }, '__typename');
          if (each.act === 'correct')
            await reader.mutate('updateReading', { bookId, finishedOn: each.day }, '__typename');
          if (each.act === 'unmark') await reader.mutate('unmarkAsRead', { bookId }, '__typename');
          if (each.act === 'import') {
            const year = Number(each.day.slice(0, 4));
            const read = [each.day, each.day.replace(String(year), String(year - 1))].join(', ').replaceAll('-', '/');
            const line = `Book ${each.place},Ann Lee,${books[each.place]!.isbn},read,read,"${read}"`;
            const file = `Title,Author,ISBN13,Bookshelves,Exclusive Shelf,Dates Read\n${line}\n`;
            imported = (await untilImported(reader, Buffer.from(file))).id;
          }
          if (each.act === 'undo' && imported !== undefined)
            await reader.mutate('undoImport', { importId: imported }, '__typename');
        }
        for (const year of [2021, 2022, 2023, 2024, 2025])
          expect(await statisticsOf(reader, year)).toMatchObject(await expectedOf(reader, year));
      }),
      { numRuns: runs(15, 3) },
    );
    expect(await audited(server.app, [auditOf('readings')])).toMatchObject({ drift: [] });
  });
});

describe('a goal', () => {
  testInput('setReadingGoal', { who: 'reader', input: { year: 1, books: 0 }, wrong: ['year', 'books'] }, () => callers);

  test('is set for a year, changed and removed', async () => {
    const reader = await server.client().registerSomebody();
    for (const goal of [12, 12, 40, null, 1]) {
      const input = { year: 2024, books: goal };
      const { viewer } = await reader.mutate('setReadingGoal', input, 'viewer { statistics(year: 2024) { goal } }');
      expect(viewer.statistics).toEqual({ goal });
    }
    expect(await statisticsOf(reader, 2025)).toMatchObject({ goal: null });
  });

  test('is exported, and deleted with the account', async () => {
    const reader = await server.client().registerSomebody();
    await reader.mutate('setReadingGoal', { year: 2024, books: 7 }, '__typename');
    await reader.mutate('shareYear', { year: 2024, isShared: true }, '__typename');
    const exported = (await (await reader.exportMyData()).json()) as Record<string, unknown>;
    expect(exported['reading_goals_by_user']).toMatchObject([{ year: 2024, books: 7, isShared: true }]);

    const another = await server.client().registerSomebody();
    await another.mutate('setReadingGoal', { year: 2024, books: 7 }, '__typename');
    await markAsRead(another, 1, '2024-05-05');
    await another.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    const id = keyOf(another.viewerId);
    expect(await server.rowsAbout([id])).toEqual(['users_by_id']);
  });
});
