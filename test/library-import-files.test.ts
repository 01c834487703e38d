import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tableIn } from '../src/libraryimports/file.ts';
import { readLibrary } from '../src/libraryimports/operations.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf } from './support/books.ts';
import { runs } from './support/full.ts';
import { importOf, untilImported } from './support/library-imports.ts';

/** Files of readers' libraries that are refused, and arbitrary files. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

/** The bytes of letters in a Windows encoding. */
const bytesIn = (encoding: string) =>
  new Map(Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Buffer.from([byte])), byte]));
const fileIn = (encoding: string, ...lines: string[]) => {
  const bytes = bytesIn(encoding);
  return Buffer.from(Array.from(['Title,Author,Bookshelves', ...lines].join('\n'), (letter) => bytes.get(letter)!));
};

describe('a file that cannot be imported is refused, and nothing is stored', () => {
  const refused = async (body: Buffer | string, headers: Record<string, string> = {}) => {
    const reader = await server.client().registerSomebody();
    const answer = await reader.importMyLibrary(body, headers);
    const { viewer } = await reader.data('{ viewer { libraryImports { nodes { id } } } }');
    expect(viewer.libraryImports.nodes).toEqual([]);
    return [answer.status, JSON.stringify(await answer.json())] as const;
  };

  test.each<[string, Buffer | string, RegExp]>([
    ['a ZIP archive', Buffer.from('504b030414000000', 'hex'), /ZIP archive.*calls an export/],
    ['JSON', '[{"title":"The Hobbit"}]', /JSON.*CSV/],
    ['a page of the web', '<!DOCTYPE html><title>Log in, please</title>', /web page.*calls an export/],
    ['no lines', 'Title,Author,Bookshelves\n', /no lines below its header/],
    ['unknown columns', 'a,b\n1,2\n', /none of the supported services/],
    ['too many lines', `Title,Author,Bookshelves\n${'a,b,read\n'.repeat(20_001)}`, /more than 20,000 lines/],
    [
      'too many shelves',
      `Title,Author,Bookshelves,Exclusive Shelf\n${Array.from({ length: 101 }, (_, n) => `a,b,,s${n}`).join('\n')}`,
      /101 shelves.*in parts/,
    ],
    [
      'too many columns',
      `Title,Author,Bookshelves${',Date'.repeat(198)}\na,b,read\n`,
      /more than 200 columns.*calls an export/,
    ],
    [
      'a quotation mark that is never closed',
      `Title,Author,Bookshelves\na,b,c\n"d,e,f\n${'g,h,i\n'.repeat(9)}`,
      /from line 3 on.*quotation mark/,
    ],
    ['nothing', '', /The file is empty/],
    [
      'Cyrillic letters of Windows',
      fileIn('windows-1251', 'Война и мир,Лев Толстой,read'),
      /character encoding.*UTF-8/,
    ],
    [
      'Polish letters of Windows',
      fileIn('windows-1250', 'Zażółć gęślą jaźń,Ann Lee,read'),
      /character encoding.*UTF-8/,
    ],
  ])('%s', async (_what, body, told) => {
    const [status, text] = await refused(body);
    expect(text).toMatch(told);
    expect([status, text]).toEqual([400, expect.stringContaining('BAD_USER_INPUT')]);
  });

  test('and is not counted towards the ten imports of a day', async () => {
    const reader = await server.client().registerSomebody();
    const send = async (file: string) => (await reader.importMyLibrary(file)).status;
    const statuses = [];
    for (let sent = 1; sent <= 40; sent++) statuses.push(await send('a,b\n1,2\n'));
    expect(new Set(statuses)).toEqual(new Set([400]));
    for (let sent = 1; sent <= 10; sent++) statuses.push(await send(`Title,Author,Bookshelves\na${sent},b,read\n`));
    expect(statuses.slice(40)).toEqual(Array.from({ length: 10 }, () => 200));

    const answer = await reader.importMyLibrary('a,b\n1,2\n');
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('50 files')]);
  });

  test('a form', async () => {
    expect(await refused('--x', { 'content-type': 'multipart/form-data; boundary=x' })).toEqual([
      400,
      expect.stringContaining('not in a form'),
    ]);
  });

  test('more than 10 MiB', async () => {
    const [status, text] = await refused(Buffer.alloc(10 * 1_024 * 1_024 + 1, 'a'));
    expect(status).toBe(413);
    expect(text).toMatch(/larger than 10 MiB.*in parts.*BAD_USER_INPUT/);
  });

  test('a gigabyte, before it has arrived', async () => {
    const reader = await server.client().registerSomebody();
    const chunk = Buffer.alloc(2 ** 20, 'a');
    let sent = 0;
    const gigabyte = new ReadableStream({
      pull: (controller) => {
        if (sent++ === 1_024) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { authorization: `Bearer ${reader.token}`, 'content-type': 'text/csv' };
    const sending = fetch(`${server.url}/import-my-library`, {
      method: 'POST',
      headers,
      body: gigabyte,
      duplex: 'half',
    });
    // The connection is closed while the client still sends, so the client may not receive the
    // answer.
    const status = await sending.then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(200);
  });

  test('the file of a caller who is signed out', async () => {
    const answer = await server
      .client()
      .importMyLibrary(await readFile(join(import.meta.dirname, 'own-libraries/bookwyrm.csv')));
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([401, expect.stringContaining('NO_TOKEN')]);
  });
});

test.each([
  ['Excel', 'Title\tAuthor\tBookshelves\n"Surely, ""You"" Joke"\tAnn Lee\tread\n"Over\nTwo, Lines"\tBo\tread\n'],
  ['LibreOffice', 'Title\tAuthor\tBookshelves\n"Surely, ""You"" Joke"\tLee, Ann\tread\n"Over\nTwo, Lines"\tBo\tread\n'],
])('a file of Goodreads that %s has saved with tabs has its titles', async (_name, file) => {
  const reader = await server.client().registerSomebody();
  const { rows } = await untilImported(reader, Buffer.from(file));
  expect(rows.map(({ title }) => title)).toEqual(['Surely, "You" Joke', 'Over Two, Lines']);
});

test('a Western file is decoded correctly, however many non-ASCII letters it has', async () => {
  const reader = await server.client().registerSomebody();
  const titles = ['Créée à Nîmes', 'Übergrößenträger', '¿Qué? ¡Sí! 20 m²', 'L’Œuvre – « Été »', 'Ça'];
  const file = fileIn('windows-1252', ...titles.map((title) => `"${title}",Ann Lee,read`));
  const { rows } = await untilImported(reader, file);
  expect(rows.map(({ title }) => title)).toEqual(titles);
});

test('a file may name its charset', async () => {
  const reader = await server.client().registerSomebody();
  const file = fileIn('windows-1252', '"Créée à Nîmes",Ann Lee,read');
  for (const type of ['text/csv; charset=windows-1252', 'text/plain;charset="ISO-8859-1"'])
    expect((await reader.importMyLibrary(file, { 'content-type': type })).status).toBe(200);
});

/** Returns the titles of a file with some lines, after it was imported. */
async function titlesOf(header: string, ...lines: string[]): Promise<string[]> {
  const reader = await server.client().registerSomebody();
  const { rows } = await untilImported(reader, Buffer.from([header, ...lines].join('\n')));
  return rows.map(({ title }) => title);
}

/** A text in UTF-8, read as Windows-1252. */
const misread = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text));

describe('a text whose letters may have been misread', () => {
  const HEADER = 'Title,Author,Bookshelves';

  test('is repaired if it is no possible text', async () => {
    const titles = [
      ...['Pokémon', 'It’s “a” test', 'Østerbro', 'Österreich', 'Étranger', 'voilà', 'Größe', '¿Qué?'],
      ...['Zażółć', 'Małgorzata', 'Český ráj', 'İstanbul’da', 'Война и мир', 'Ὀδύσσεια', '吾輩は猫である', 'Love 😀'],
    ];
    expect(await titlesOf(HEADER, ...titles.map((title) => `${misread(title)},Ann Lee,read`))).toEqual(titles);
  });

  test('is unchanged if it is a correct text, even if it could be a misread one', async () => {
    const titles = [
      ...['Macht Spaß…', 'CAFÉ’S', 'CAFÉ—BAR', 'AMANHÃ…', 'IRMÃ’', 'AMANHÃ—HOJE', 'MENÜ“'],
      ...['CAFÉ™', 'RADIÓ”', 'Ç’A', 'À—B', 'LÄ“', 'ASTRÅ®', 'Créée', 'Ã', 'Â'],
    ];
    expect(await titlesOf(HEADER, ...titles.map((title) => `${title},Ann Lee,read`))).toEqual(titles);
  });

  test('is unchanged in an export of this library', async () => {
    expect(await titlesOf(`${HEADER},Progress,Star Rating`, 'The PokÃ©mon Problem,Ann Lee,read,,')).toEqual([
      'The PokÃ©mon Problem',
    ]);
  });
});

test('a letter of two units is not split, wherever it is in a file', async () => {
  // The file is read in parts of an even length.
  const title = `xx${'😀'.repeat(40_000)}`;
  const { records } = await tableIn(Buffer.from(`Title,\n${title},`));
  for await (const { cell } of records()) expect(cell('Title') === title).toBe(true);
  expect.assertions(1);
});

test('only days that are read determine the order of day and month', async () => {
  const reader = await server.client().registerSomebody();
  const header = 'Title,Author,Bookshelves,Exclusive Shelf,Date Read,Update';
  const { rows } = await untilImported(reader, Buffer.from(`${header}\nA Book,Ann Lee,,read,4/5/2023,25/4/2023`));
  expect(rows[0]?.reason).toContain('"4/5/2023" is not a day');
});

/** Counts the turns in which other requests are answered during some work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  onTestFinished(() => {
    clearImmediate(next);
  });
  await work();
  return turns;
}

test('a record that never ends is not read to the end of the file', async () => {
  const seed = Date.now();
  const cell = fc.constantFrom('', 'a', '""', '"a""b"', 'é');
  const endless = fc.record({
    header: fc.constantFrom('Title,Author,Bookshelves', 'Title\tAuthor\tBookshelves'),
    before: fc.nat({ max: 3 }),
    begin: fc.constantFrom('', '"', '"\n'),
    cells: fc.array(cell, { minLength: 1, maxLength: 5 }),
    encoding: fc.constantFrom('utf8' as const, 'utf16le' as const),
  });
  await fc.assert(
    fc.asyncProperty(endless, async ({ header, before, begin, cells, encoding }) => {
      const part = `${cells.join(header.includes('\t') ? '\t' : ',')}${header.includes('\t') ? '\t' : ','}`;
      const text = [header, ...Array.from({ length: before }, () => 'a,b,read'), begin].join('\n');
      const whole = `\uFEFF${text}${part.repeat(4_000_000 / part.length)}`;
      const turns = await turnsDuring(async () => {
        const reading = readLibrary(Buffer.from(whole, encoding), new Date());
        await expect(reading).rejects.toThrow(/cannot be read from line/);
      });
      // A turn has 8 KiB of the file, which has 500 to 1,000 such parts.
      expect(turns).toBeLessThan(250);
    }),
    { seed, numRuns: runs(12) },
  );
});

test('the empty lines that a spreadsheet writes are ignored, however many', async () => {
  const file = `Title,Author,Bookshelves\nA Book,Ann Lee,read\n${',,\n'.repeat(runs(500_000, 100_000))}Another,Ann Lee,read\n`;
  const { length, lines } = await readLibrary(Buffer.from(file), new Date());
  expect(length).toBe(2);
  expect((await Array.fromAsync(lines())).map(({ line, content }) => [line, content?.title])).toEqual([
    [1, 'A Book'],
    [2, 'Another'],
  ]);
});

describe('others are answered in between', () => {
  const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n');
  const days = Array.from({ length: 197 }, (_, n) => `Date ${n}`).join(',');

  test.each<[string, string, number]>([
    [
      'lists of days',
      `Title,Author,Bookshelves,Dates Read\n${lines(40, `a,b,,"${'2021/03/05,'.repeat(9_000)}"`)}`,
      300,
    ],
    [
      'many columns of days',
      `Title,Author,Bookshelves,${days}\n${lines(2_000, `a,b,${'25/4/2023,'.repeat(197)}`)}`,
      800,
    ],
    ['lines that are cells', `Title,Author,Bookshelves\n${lines(runs(10_000, 2_000), '"a,b,read"')}`, runs(1_300, 260)],
  ])('while a file has %s', async (_what, file, turnsMin) => {
    const turns = await turnsDuring(() => readLibrary(Buffer.from(file), new Date()));
    expect(turns).toBeGreaterThan(turnsMin);
  });
});

test('a shelf may have the name of a JavaScript property', async () => {
  const reader = await server.client().registerSomebody();
  const lines = ['constructor', '__proto__', 'toString'].map((shelf) => `A Book,Ann Lee,,${shelf}`);
  const answer = await reader.importMyLibrary(['Title,Author,Bookshelves,Exclusive Shelf', ...lines].join('\n'));
  const { id } = (await answer.json()) as { id: string };
  expect((await importOf(reader, id)).shelves.map(({ becomes }) => becomes)).toEqual([null, null, null]);
});

describe('a line that no service wrote', () => {
  const lineOf = async (header: string, line: string) => {
    const reader = await server.client().registerSomebody();
    const answer = await reader.importMyLibrary(`${header}\n${line}\n`);
    const { id } = (await answer.json()) as { id: string };
    return (await importOf(reader, id)).rows[0];
  };

  test('is refused if it is too long in any column', async () => {
    const row = await lineOf('Title,Author,Bookshelves,Unknown', `A Book,Ann Lee,read,${'x'.repeat(200_000)}`);
    expect(row).toMatchObject({ fate: 'FAILED', reason: 'The line has more than 200,000 characters.' });
  });

  test('is refused if it is too long, before it is split into its cells', async () => {
    const row = await lineOf('Title,Author,Bookshelves', `"${'a,'.repeat(110_000)}"`);
    expect(row).toMatchObject({ fate: 'FAILED', reason: 'The line has more than 200,000 characters.' });
  });

  test('has its first ISBNs and authors, with a warning', async () => {
    const isbns = Array.from({ length: 1_000 }, (_, n) => isbnOf(979_700_000_000 + n)).join(',');
    const authors = Array.from({ length: 60 }, (_, n) => `Author ${n}`).join(',');
    const row = await lineOf('Title,Authors,Read Status,ISBN/UID', `A Book,"${authors}",to-read,"${isbns}"`);
    expect(row?.reason).toContain('The line has more than 20 ISBNs; only the first 20 were kept.');
    expect(row?.reason).toContain('The line has more than 50 authors; only the first 50 were kept.');
    expect(row?.authors).toHaveLength(50);
  });

  test('has the first readings of a list, with a warning', async () => {
    const row = await lineOf(
      'Title,Authors,Read Status,Dates Read',
      `A Book,Ann Lee,read,"${'2021/03/05,'.repeat(2_000)}"`,
    );
    expect(row?.reason).toContain('The line has more than 500 readings; only the first 500 were read.');
  });

  test('is cited with whole letters', async () => {
    const day = `${'x'.repeat(39)}😀`;
    const row = await lineOf('Title,Author,Bookshelves,Date Read', `A Book,Ann Lee,read,${day}?`);
    expect(row?.reason).toContain(`"${day}" is not a day`);
  });

  test('has few warnings, however many of its days cannot be read', async () => {
    const days = Array.from({ length: 5_000 }, (_, n) => `day ${n}`).join(',');
    const row = await lineOf('Title,Authors,Read Status,Dates Read', `A Book,Ann Lee,to-read,"${days}"`);
    expect(row?.reason?.match(/is not a day/g)).toHaveLength(20);
  });
});

test('a long name of a shelf is cut, and can be mapped', async () => {
  const reader = await server.client().registerSomebody();
  const name = '😀'.repeat(500);
  const file = `Title,Author,Bookshelves,Exclusive Shelf\nA,Ann Lee,,${name}one\nB,Ann Lee,,${name}two\n`;
  const { id, rows, shelves } = await untilImported(reader, Buffer.from(file));
  expect(shelves).toEqual([{ name, lines: 2, becomes: null, isOwn: true }]);
  expect(rows[0]?.reason).toContain('The name of the shelf is longer than 500 characters');

  const mapping = { importId: id, shelf: name, becomes: 'READ' };
  expect(await reader.mutate('mapImportShelf', mapping, '__typename')).toMatchObject({ userErrors: [] });
  expect(await reader.mutate('mapImportShelf', { ...mapping, shelf: `${name}o` }, '__typename')).toMatchObject({
    userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'shelf'] }],
  });
});

describe('any file', () => {
  const HEADERS = [
    'Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,Read Count,Dates Read,Progress',
    'Title,Authors,ISBN/UID,Read Status,Date Added,Last Date Read,Dates Read,Star Rating,Tags',
    'Title\tPrimary Author\tSecondary Author\tISBN\tCollections\tTags\tDate Started\tDate Read\tRating',
    'Title,Author,Status,Date Started,Date Finished,ISBN 13,Lists,Rating',
    'title,author_text,remote_id,goodreads_key,isbn_13,start_date,finish_date,rating,shelf,shelf_name',
  ];
  const oddCell = fc.constantFrom(
    ...[
      '',
      '=""',
      '="9780439023481"',
      '[0618260307]',
      '9780618260300',
      'read',
      'to-read',
      'The Hobbit',
      'J.R.R. Tolkien',
    ],
    ...[
      '2021/02/30',
      '2021/03/05',
      '2021/03/05-',
      '-',
      ',,,',
      '"',
      '""',
      "'",
      '5',
      '-1',
      '1e9',
      'NaN',
      'Ã©',
      '\u0000',
      '\u202E',
    ],
    ...['2767052', '\t', '\n', '\r\n', ' '.repeat(300), 'x'.repeat(3_000), '=cmd|/c', '\uD800'],
  );
  const oddText = fc
    .tuple(
      fc.constantFrom(...HEADERS),
      fc.array(fc.array(fc.oneof(oddCell, fc.string()), { maxLength: 16 }), { maxLength: 12 }),
    )
    .map(([header, lines]) =>
      [header, ...lines.map((cells) => cells.join(header.includes('\t') ? '\t' : ','))].join('\n'),
    );
  const anything = fc.oneof(
    { weight: 4, arbitrary: oddText.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: oddText.map((text) => Buffer.from(text, 'latin1')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  );

  test('is refused with a reason, or each of its lines has a fate', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (file) => {
        const reader = await server.client().registerSomebody();
        const answer = await reader.importMyLibrary(file);
        const { id, errors } = (await answer.json()) as { id?: string; errors?: { message: string }[] };
        if (id === undefined) {
          expect([answer.status, errors?.[0]?.message.length]).toEqual([400, expect.any(Number)]);
          return;
        }
        const done = await importOf(reader, id);
        expect(done).toMatchObject({ status: 'DONE', pending: 0 });
        const { matched, ambiguous, unlisted, failed, notKept, lines } = done;
        expect(matched + ambiguous + unlisted + failed + notKept).toBe(lines);
        expect(done.rows).toHaveLength(Math.min(lines, 100));
      }),
      { numRuns: runs(100, 20) },
    );
  });
});
