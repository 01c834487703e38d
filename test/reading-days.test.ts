import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { ownReadings } from '../src/reading/exported.ts';
import { finishedInYear } from '../src/reading/years.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';

let server: TestServer;
let now: number;
let books: string[];

beforeAll(async () => {
  now = Date.UTC(2026, 5, 1, 9);
  server = await startServer(await sharedKeyspace({ ACCESS_TOKEN_SECONDS: '86400' }), { clock: () => new Date(now) });
  books = await ownBooks(server.app, 6);
});

type Input = Readonly<Record<string, unknown>>;
const READING = 'viewerReading { status progress reads startedOn finishedOn history { status } }';
const mark = (reader: Client, input: Input) =>
  reader.mutate('markAsRead', { bookId: books[0], ...input }, `book { id ${READING} }`);
const setStatus = (reader: Client, status: string, more: Input = {}) =>
  reader.mutate('setReadingStatus', { bookId: books[0], status, ...more }, `book { id ${READING} }`);
const readBooks =
  (reader: Client, orderBy: 'TITLE' | 'READ_AT', timeZone = 'UTC') =>
  (args: string) =>
    reader
      .data(
        `query ($zone: String) { viewer { readBooks(orderBy: ${orderBy}, ${args}) {
          edges { finishedOn(timeZone: $zone) startedOn readAt readOn(timeZone: $zone) reads cursor node { id } } ${PAGE_INFO} } } }`,
        { zone: timeZone },
      )
      .then((data) => data.viewer.readBooks);
const FINISHED = 'readings { id finishedOn startedOn readAt }';
const correct = async (reader: Client, bookId: string, index: number, days: Input) => {
  const { node } = await reader.data(`{ node(id: "${bookId}") { ... on Book { viewerReading { readings { id } } } } }`);
  const readingId = node.viewerReading?.readings[index]?.id as string | undefined;
  return reader.mutate('updateReading', { bookId, readingId, ...days }, `book { viewerReading { ${FINISHED} } }`);
};
const readsInLog = async (reader: Client) => {
  const { viewer } = await reader.data('{ viewer { actions(kinds: [READ], first: 100) { edges { at } } } }');
  return (viewer.actions.edges as { at: string }[]).map(({ at }) => at);
};
const noon = (day: string) => `${day}T12:00:00.000Z`;

describe('a day', () => {
  test('is the same day in every time zone, and noon if a moment is requested', async () => {
    const reader = await server.client().registerSomebody();
    const answer = await mark(reader, { finishedOn: '2026-01-02', startedOn: '2025-12-30' });
    expect(answer.book.viewerReading).toMatchObject({
      status: 'READ',
      finishedOn: '2026-01-02',
      startedOn: '2025-12-30',
      reads: [noon('2026-01-02')],
    });
    for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kolkata']) {
      for (const orderBy of ['TITLE', 'READ_AT'] as const) {
        const { edges } = await readBooks(reader, orderBy, zone)('first: 5');
        expect(edges).toMatchObject([
          {
            finishedOn: '2026-01-02',
            startedOn: '2025-12-30',
            readOn: '2026-01-02',
            readAt: noon('2026-01-02'),
            reads: [noon('2026-01-02')],
          },
        ]);
      }
    }
    expect(await readsInLog(reader)).toEqual([noon('2026-01-02')]);
  });

  test('is counted once, and a repetition with the moment that older clients received is the same reading', async () => {
    const reader = await server.client().registerSomebody();
    await mark(reader, { finishedOn: '2026-01-02' });
    await mark(reader, { finishedOn: '2026-01-02' });
    await mark(reader, { readAt: noon('2026-01-02') });
    await mark(reader, {});
    const noted = await mark(reader, { finishedOn: '2026-01-02', startedOn: '2026-01-01' });
    expect(noted.book.viewerReading).toMatchObject({ reads: [noon('2026-01-02')], startedOn: '2026-01-01' });
    const again = await mark(reader, { finishedOn: '2026-03-04' });
    expect(again.book.viewerReading).toMatchObject({
      reads: [noon('2026-03-04'), noon('2026-01-02')],
      finishedOn: '2026-03-04',
      startedOn: null,
    });
  });

  test('of the start can be given with a reading that ends now, and for a book that was begun again since then', async () => {
    const reader = await server.client().registerSomebody();
    const first = await mark(reader, { startedOn: '2026-05-01' });
    expect(first.book.viewerReading).toMatchObject({ startedOn: '2026-05-01', finishedOn: '2026-06-01' });
    const same = await mark(reader, { startedOn: '2026-05-02' });
    expect(same.book.viewerReading.reads).toHaveLength(1);
    expect(same.book.viewerReading.startedOn).toBe('2026-05-02');
    now += 16 * 3_600_000;
    const again = await mark(reader, { startedOn: '2026-06-02' });
    expect(again.book.viewerReading).toMatchObject({ startedOn: '2026-06-02', finishedOn: '2026-06-02' });
    expect(again.book.viewerReading.reads).toHaveLength(2);
    // The book is begun once more. In the westernmost time zones, the day of that moment is another
    // one.
    now += 6 * 3_600_000;
    await setStatus(reader, 'READING', { progress: 10 });
    const data = await reader.data(
      `{ node(id: "${books[0]!}") { ... on Book { viewerReading { startedOn(timeZone: "Etc/GMT+12") } } } }`,
    );
    expect(data.node.viewerReading.startedOn).toBe('2026-06-01');
  });

  test('may be today anywhere on Earth, but not later', async () => {
    now = Date.UTC(2026, 6, 1, 9, 59);
    const reader = await server.client().registerSomebody();
    for (const field of ['finishedOn', 'startedOn']) {
      const refused = await mark(reader, { [field]: '2026-07-02' });
      expect(refused).toMatchObject({ book: null, userErrors: [{ code: 'INVALID_INPUT', path: ['input', field] }] });
    }
    expect((await readBooks(reader, 'TITLE')('first: 5')).edges).toEqual([]);
    now = Date.UTC(2026, 6, 1, 10);
    expect((await mark(reader, { finishedOn: '2026-07-02', startedOn: '2026-07-02' })).userErrors).toEqual([]);
    expect((await readBooks(reader, 'READ_AT')('first: 5')).edges).toMatchObject([{ finishedOn: '2026-07-02' }]);
  });

  test.each([
    [{ finishedOn: '2026-01-02', readAt: '2026-01-02T10:00:00Z' }, ['finishedOn', 'readAt']],
    [{ finishedOn: null, readAt: '2026-01-02T10:00:00Z' }, ['finishedOn', 'readAt']],
    [{ finishedOn: '2026-01-02', startedOn: '2026-01-03' }, ['startedOn', 'finishedOn']],
    [{ readAt: '2026-01-02T23:00:00Z', startedOn: '2026-01-03' }, ['startedOn', 'readAt']],
    [{ finishedOn: '1899-12-31' }, ['finishedOn']],
    [{ finishedOn: '0001-01-01', startedOn: '9999-12-31' }, ['finishedOn', 'startedOn']],
    [
      { bookId: 'x', finishedOn: '2999-01-01', readAt: '2999-01-01T00:00:00Z', startedOn: '1800-01-01' },
      ['bookId', 'finishedOn', 'readAt', 'startedOn'],
    ],
  ])('%j is refused with its name', async (input, fields) => {
    const reader = await server.client().registerSomebody();
    const { book, userErrors } = await mark(reader, input);
    expect(book).toBeNull();
    expect(userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`)).toEqual(
      fields.map((field) => `INVALID_INPUT input.${field}`),
    );
    expect((await readBooks(reader, 'TITLE')('first: 5')).edges).toEqual([]);
  });

  test('of a moment is determined by the offset in which the moment is written', async () => {
    const reader = await server.client().registerSomebody();
    const offset = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => {
      const minutes = Math.abs(quarters) * 15;
      const text = (part: number) => String(Math.floor(part)).padStart(2, '0');
      return `${quarters < 0 ? '-' : '+'}${text(minutes / 60)}:${text(minutes % 60)}`;
    });
    const judged = async (readAt: string) => {
      const asVariable = await mark(reader, { readAt });
      const asLiteral = await reader.data(
        `mutation { markAsRead(input: { bookId: "${books[0]!}", readAt: "${readAt}" }) { userErrors { path } } }`,
      );
      expect(asLiteral.markAsRead.userErrors).toHaveLength(asVariable.userErrors.length);
      return asVariable.userErrors.length === 0;
    };
    for (const known of ['+14:00', '-12:00', '+00:00']) {
      expect(await judged(`1900-01-01T00:00:00${known}`)).toBe(true);
      expect(await judged(`1899-12-31T23:59:59${known}`)).toBe(false);
    }
    await fc.assert(
      fc.asyncProperty(offset, async (text) => {
        expect(await judged(`1900-01-01T00:00:00${text}`)).toBe(true);
        expect(await judged(`1899-12-31T23:59:59.999${text}`)).toBe(false);
        const late = await mark(reader, { readAt: `2026-01-02T23:59:59${text}`, startedOn: '2026-01-03' });
        expect(late.userErrors).toHaveLength(2);
        const inTime = await mark(reader, { readAt: `2026-01-02T00:00:00${text}`, startedOn: '2026-01-02' });
        expect(inTime.userErrors).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });
});

test('no book is shown or exported as begun after it was finished, for any accepted days', async () => {
  now = Date.UTC(2026, 5, 1, 10);
  const reader = await server.client().registerSomebody();
  const userId = keyOf((await reader.data('{ viewer { id } }')).viewer.id as string);
  // The moments are around a new year, so that a day more or less is another year.
  const hour = fc.integer({ min: -40, max: 40 });
  const quarters = fc.integer({ min: -12 * 4, max: 14 * 4 });
  const day = fc.option(fc.constantFrom('2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'));
  const zone = fc.constantFrom('UTC', 'Etc/GMT+12', 'Pacific/Kiritimati', 'America/New_York', 'Asia/Kolkata');
  const seen = { accepted: 0 };
  await fc.assert(
    fc.asyncProperty(
      hour,
      quarters,
      day,
      day,
      day,
      zone,
      async (hours, ahead, startedOn, corrected, finishedOn, timeZone) => {
        const local = new Date(Date.UTC(2026, 0, 1, hours) + ahead * 900_000).toISOString().slice(0, 19);
        const minutes = Math.abs(ahead) * 15;
        const [h, m] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
        const readAt = `${local}${ahead < 0 ? '-' : '+'}${h}:${m}`;
        await reader.mutate('unmarkAsRead', { bookId: books[0] }, 'book { id }');
        const marked = await mark(reader, { readAt, startedOn });
        if (marked.userErrors.length === 0) seen.accepted++;
        await reader.mutate('updateReading', { bookId: books[0], startedOn: corrected }, 'book { id }');
        if (finishedOn) await reader.mutate('updateReading', { bookId: books[0], finishedOn }, 'book { id }');

        const days = `startedOn finishedOn(timeZone: "${timeZone}")`;
        const { node, viewer } = await reader.data(
          `{ node(id: "${books[0]!}") { ... on Book { viewerReading { startedOn(timeZone: "${timeZone}") finishedOn(timeZone: "${timeZone}") readings { ${days} } } } }
           viewer { readBooks { edges { ${days} } } } }`,
        );
        const exported: { startedOn: string | null; finishedOn: string | null }[] = [];
        for await (const each of ownReadings(server.app, userId)) exported.push(...each.reads);
        const { viewerReading } = node;
        const all = [viewerReading, ...(viewerReading?.readings ?? []), ...viewer.readBooks.edges, ...exported];
        for (const shown of all.filter(Boolean) as { startedOn: string | null; finishedOn: string | null }[])
          expect((shown.startedOn ?? '') <= (shown.finishedOn ?? '9999')).toBe(true);

        const years = await Promise.all([2025, 2026].map((year) => finishedInYear(server.app, userId, year, 10)));
        const finished = exported.flatMap(({ finishedOn: last }) => last ?? []);
        expect(years.map((found) => found.flatMap((book) => book.days))).toEqual(
          ['2025', '2026'].map((year) => finished.filter((last) => last.startsWith(year))),
        );
      },
    ),
    { numRuns: runs(25), endOnFailure: true },
  );
  expect(seen.accepted).toBeGreaterThan(0);
});

describe('a book that was read at an unknown time', () => {
  test('has no day, is last by date, and is unchanged when it is marked again', async () => {
    const reader = await server.client().registerSomebody();
    const answer = await mark(reader, { finishedOn: null });
    await mark(reader, { finishedOn: null });
    expect(answer.book.viewerReading).toMatchObject({ status: 'READ', finishedOn: null, startedOn: null, reads: [] });
    await mark(reader, { bookId: books[1], readAt: '1900-01-01T00:00:00+14:00' });
    const { edges } = await readBooks(reader, 'READ_AT')('first: 5');
    expect(edges).toMatchObject([
      { node: { id: books[1] } },
      { node: { id: books[0] }, finishedOn: null, startedOn: null, readAt: null, readOn: null, reads: [] },
    ]);
    expect(await readsInLog(reader)).toHaveLength(2);
    await reader.mutate('unmarkAsRead', { bookId: books[0] }, 'book { id }');
    expect((await readBooks(reader, 'READ_AT')('first: 5')).edges).toHaveLength(1);
  });

  test('is given only by null: an omitted variable means now', async () => {
    const text =
      'mutation ($bookId: ID!, $on: Date) { markAsRead(input: { bookId: $bookId, finishedOn: $on }) { book { viewerReading { finishedOn } } } }';
    const finishedOn = async (variables: Input) => {
      const reader = await server.client().registerSomebody();
      const data = await reader.data(text, { bookId: books[0], ...variables });
      return data.markAsRead.book.viewerReading.finishedOn as string | null;
    };
    expect(await finishedOn({})).toBe(new Date(now).toISOString().slice(0, 10));
    expect(await finishedOn({ on: null })).toBeNull();
    expect(await finishedOn({ on: '2026-01-02' })).toBe('2026-01-02');
  });

  test('is counted on no day', async () => {
    const [id] = (await ownBooks(server.app, 1)) as [string];
    const key = storedIdOf(id);
    const reader = await server.client().registerSomebody();
    const counted = async () => {
      const { rows } = await server.app.cassandra.client.execute(
        'SELECT subject_id FROM events WHERE subject_id = ? ALLOW FILTERING',
        [key],
        { prepare: true },
      );
      return rows.length;
    };
    await mark(reader, { bookId: id, finishedOn: null });
    expect(await counted()).toBe(0);
    await mark(reader, { bookId: id, finishedOn: new Date(now).toISOString().slice(0, 10) });
    expect(await counted()).toBe(1);
  });
});

describe('a correction', () => {
  test('moves a reading to another day, in the lists, the log and the counts', async () => {
    const [id] = (await ownBooks(server.app, 1)) as [string];
    const reader = await server.client().registerSomebody();
    const [today, yesterday] = [0, 1].map((days) => new Date(now - days * 86_400_000).toISOString().slice(0, 10));
    await mark(reader, { bookId: id, finishedOn: '2020-02-02' });
    await mark(reader, { bookId: id, finishedOn: today });

    const days = { finishedOn: yesterday, startedOn: '2020-03-03' };
    const { book, userErrors } = await correct(reader, id, 0, days);
    expect(userErrors).toEqual([]);
    const [newest, oldest] = book.viewerReading.readings;
    expect([newest, oldest]).toMatchObject([
      { ...days, readAt: noon(yesterday!) },
      { finishedOn: '2020-02-02', startedOn: null },
    ]);
    expect((await correct(reader, id, 0, days)).book).toEqual(book);
    // The older reading becomes the newer one, so the book moves by date.
    await correct(reader, id, 1, { finishedOn: today });
    const { edges } = await readBooks(reader, 'READ_AT')('first: 5');
    expect(edges).toMatchObject([{ finishedOn: today, reads: [noon(today!), noon(yesterday!)] }]);

    const { viewer } = await reader.data(
      '{ viewer { actions(kinds: [READING_CORRECTED]) { edges { node { book { id } } } } } }',
    );
    expect(viewer.actions.edges).toEqual([{ node: { book: { id } } }, { node: { book: { id } } }]);
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT at FROM events WHERE subject_id = ? ALLOW FILTERING',
      [storedIdOf(id)],
      { prepare: true },
    );
    const counted = rows.map((row) => (row['at'] as Date).toISOString().slice(0, 10));
    expect(counted.toSorted()).toEqual([yesterday, today]);
  });

  test('that is impossible is refused with its field', async () => {
    const reader = await server.client().registerSomebody();
    const refusal = async (input: Input) => {
      const { book, userErrors } = await reader.mutate('updateReading', { bookId: books[0], ...input }, 'book { id }');
      expect(book).toBeNull();
      return userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`);
    };
    expect(await refusal({ finishedOn: null })).toEqual(['NOT_FOUND input.bookId']);
    await mark(reader, { finishedOn: '2026-01-02' });
    await mark(reader, { finishedOn: '2026-01-03' });
    const both = ['INVALID_INPUT input.finishedOn', 'INVALID_INPUT input.startedOn'];
    expect(await refusal({})).toEqual(both);
    expect(await refusal({ startedOn: '2026-01-04' })).toEqual(both.toReversed());
    expect(await refusal({ finishedOn: '2026-01-02' })).toEqual(['INVALID_INPUT input.finishedOn']);
    expect(await refusal({ finishedOn: null, readingId: 'x' })).toEqual(['INVALID_INPUT input.readingId']);
    const none = Buffer.from('9780439023481 1').toString('base64url');
    expect(await refusal({ finishedOn: null, readingId: none })).toEqual(['NOT_FOUND input.readingId']);
    const { edges } = await readBooks(reader, 'READ_AT')('first: 5');
    expect(edges).toMatchObject([{ reads: [noon('2026-01-03'), noon('2026-01-02')] }]);
  });
});

describe('one reading or two', () => {
  const statuses = async (...steps: string[]) => {
    const reader = await server.client().registerSomebody();
    let last;
    for (const step of steps) {
      now += 1_000;
      last = await setStatus(reader, step);
    }
    return { reads: last.book.viewerReading.reads.length as number, log: (await readsInLog(reader)).length };
  };

  test.each([
    [1, ['READ', 'WANT_TO_READ', 'READ']],
    [1, ['READ', 'GIVEN_UP', 'READ']],
    [1, ['READING', 'READ', 'WANT_TO_READ', 'GIVEN_UP', 'READ', 'WANT_TO_READ', 'READ']],
    [2, ['READ', 'READING', 'READ']],
    [2, ['READ', 'WANT_TO_READ', 'READING', 'GIVEN_UP', 'READ', 'WANT_TO_READ', 'READ']],
  ])('%i: %j', async (count, steps) => {
    expect(await statuses(...steps)).toEqual({ reads: count, log: count });
  });

  test('a status chosen by mistake does not change the day', async () => {
    const reader = await server.client().registerSomebody();
    await mark(reader, { finishedOn: '2020-02-02' });
    await setStatus(reader, 'WANT_TO_READ');
    const { book } = await setStatus(reader, 'READ');
    expect(book.viewerReading).toMatchObject({ status: 'READ', progress: 100, finishedOn: '2020-02-02' });
  });

  test('a reader who gave a book up continues with the same progress', async () => {
    const reader = await server.client().registerSomebody();
    const progress = async (status: string, more: Input = {}) =>
      (await setStatus(reader, status, more)).book.viewerReading.progress as number;
    await progress('READING', { progress: 40 });
    expect(await progress('GIVEN_UP')).toBe(40);
    expect(await progress('READING')).toBe(40);
    expect(await progress('GIVEN_UP', { progress: 45 })).toBe(45);
    expect(await progress('READING', { progress: 0 })).toBe(0);
    await progress('READ');
    expect(await progress('READING')).toBe(0);
  });
});

test('after days, moments and unknown times in any order, both lists match the model', async () => {
  interface Time {
    at: number;
    day: string | null;
    start: string | null;
    noted: number;
  }
  const day = fc
    .integer({ min: 0, max: 3 })
    .map((days) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));
  const moment = fc
    .integer({ min: 0, max: 8 })
    .map((halves) => new Date(Date.UTC(2026, 0, 1) + halves * 43_200_000).toISOString());
  const startedOn = fc.option(fc.constantFrom('2025-11-11', '2025-12-12'), { nil: undefined, freq: 2 });
  const step = fc.record({
    book: fc.nat(5),
    what: fc.oneof(
      fc.record({ finishedOn: fc.option(day, { freq: 3 }), startedOn }),
      fc.record({ readAt: moment, startedOn }),
      fc.record({ startedOn }),
      fc.record({ correct: fc.option(day, { freq: 3 }), which: fc.nat(3) }),
      fc.constantFrom('unmark', 'WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP'),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const reader = await server.client().registerSomebody();
      const model = new Map<string, Time[]>();
      const begun = new Set<string>();
      const log = new Set<string>();
      for (const { book, what } of steps) {
        now += 1_000;
        const id = books[book]!;
        const known = model.get(id) ?? [];
        const add = (time: Time) => {
          model.set(
            id,
            [...known, time].toSorted((one, other) => one.at - other.at),
          );
          log.add(new Date(time.at === -Infinity ? now : time.at).toISOString());
        };
        if (what === 'unmark') {
          await reader.mutate('unmarkAsRead', { bookId: id }, 'book { id }');
          model.delete(id);
        } else if (typeof what === 'string') {
          expect((await setStatus(reader, what, { bookId: id })).userErrors).toEqual([]);
          if (what === 'READING') begun.add(id);
          if (what !== 'READ') continue;
          if (known.length === 0 || begun.has(id)) add({ at: now, day: null, start: null, noted: now });
          begun.delete(id);
        } else if ('correct' in what) {
          const time = known.toReversed()[what.which % known.length];
          const at = what.correct === null ? -Infinity : Date.parse(noon(what.correct));
          const isTaken = known.some((each) => each !== time && each.at === at);
          const { userErrors } = await correct(reader, id, what.which % known.length, { finishedOn: what.correct });
          expect(userErrors.map(({ code }: { code: string }) => code)).toEqual(
            time ? (isTaken ? ['INVALID_INPUT'] : []) : ['NOT_FOUND'],
          );
          if (!time || isTaken) continue;
          if (time.at !== at) log.add(new Date(at === -Infinity ? time.noted : at).toISOString());
          Object.assign(time, { at, day: what.correct });
          known.sort((one, other) => one.at - other.at);
        } else {
          expect((await mark(reader, { bookId: id, ...what })).userErrors).toEqual([]);
          const { finishedOn, readAt, startedOn: start = null } = { finishedOn: undefined, readAt: undefined, ...what };
          const at = readAt
            ? Date.parse(readAt)
            : finishedOn
              ? Date.parse(noon(finishedOn))
              : finishedOn === null
                ? -Infinity
                : (known.at(-1)?.at ?? now);
          const same = known.find((time) => time.at === at);
          if (same) Object.assign(same, { day: finishedOn ?? same.day, start: start ?? same.start });
          else {
            add({ at, day: finishedOn ?? null, start, noted: now });
            begun.delete(id);
          }
        }
      }
      const edgeOf = ([id, times]: [string, Time[]]) => {
        const moments = times
          .filter(({ at }) => at !== -Infinity)
          .map(({ at }) => new Date(at).toISOString())
          .toReversed();
        const newest = times.at(-1)!;
        const readAt = moments[0] ?? null;
        const finishedOn = newest.day ?? readAt?.slice(0, 10) ?? null;
        return { node: { id }, readAt, reads: moments, finishedOn, readOn: finishedOn, startedOn: newest.start };
      };
      const keyOf = ({ node }: { node: { id: string } }) => storedIdOf(node.id);
      const edges = [...model].filter(([, times]) => times.length > 0).map(edgeOf);
      const byDate = edges.toSorted(
        (one, other) => (other.readAt ?? '').localeCompare(one.readAt ?? '') || (keyOf(other) < keyOf(one) ? -1 : 1),
      );
      for (const size of [1, 2, 50]) {
        for (const direction of ['forward', 'backward'] as const) {
          const told = async (orderBy: 'TITLE' | 'READ_AT') =>
            (await reader.allPages(size, direction, readBooks(reader, orderBy))).map(
              ({ cursor: _cursor, ...edge }) => edge,
            );
          expect(await told('READ_AT')).toEqual(byDate);
          const byId = (one: { node: { id: string } }, other: { node: { id: string } }) =>
            keyOf(one) < keyOf(other) ? -1 : 1;
          expect((await told('TITLE')).toSorted(byId)).toEqual(edges.toSorted(byId));
        }
      }
      expect(new Set(await readsInLog(reader))).toEqual(log);
    }),
    { numRuns: runs(12) },
  );
});
