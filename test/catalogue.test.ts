import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importBooks } from '../src/catalogue/import.ts';
import { isImported } from '../src/bulk-import/operations.ts';
import type { AppContext } from '../src/context/context.ts';
import { SAMPLE } from '../tools/places.ts';
import { quoted } from '../src/text/csv.ts';
import { startServer, testEnvironment, ownKeyspace, type TestServer } from './support/app.ts';
import { NEEDED } from './support/books.ts';
import { IS_FULL } from './support/full.ts';
import { emptyKeyspace } from './support/keyspaces.ts';

/**
 * The figures of the rows of the sample that are imported here. All of them are imported in the
 * tests of several servers.
 */
const FIGURES = IS_FULL
  ? { rows: 1_500, imported: 1_497, isbnsRepaired: 1_107, withoutIsbn: 40, rejected: 3 }
  : { rows: 800, imported: 798, isbnsRepaired: 594, withoutIsbn: 23, rejected: 2 };
const ROWS = FIGURES.rows;
/** The number of rows that are also imported without the newer columns. */
const PLAIN_ROWS = IS_FULL ? 300 : 100;
let server: TestServer;
let folder: string;
let environment: Record<string, string | undefined>;
/** The books of the sample without its newer columns. */
let plainBooks: Awaited<ReturnType<typeof statesOf>>;

beforeAll(async () => {
  environment = testEnvironment();
  server = await startServer(await ownKeyspace(environment));
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  plainBooks = await importedPlain();
  await emptyKeyspace(server.app.config.cassandra);
});
afterAll(() => rm(folder, { recursive: true }));

const importCsv = async (name: string, text: string) => {
  const file = join(folder, name);
  await writeFile(file, text);
  const figures = await importBooks(server.app, file, { rejectsFile: `${file}.rejects` });
  const rejects = parse<Record<string, string>>(await readFile(`${file}.rejects`), { columns: true });
  return { figures, rejects };
};

const HEADER = `${NEEDED}
`;

/** Returns the stored books, without what each import writes anew. */
async function statesOf({ cassandra }: AppContext, ids?: ReadonlySet<string>) {
  const { rows } = await cassandra.client.execute('SELECT JSON book_id, state FROM books', [], { fetchSize: 5_000 });
  const books = rows.map(
    (row) => JSON.parse(row['[json]'] as string) as { book_id: string; state: { source_ids: string[] } },
  );
  return new Map(
    books
      .filter(({ book_id }) => ids?.has(book_id) ?? true)
      .map(({ book_id, state }) => [book_id, { ...state, added_at: '', changed_at: '', change_id: '' }] as const),
  );
}

/** Imports the first books of the sample without its newer columns. */
async function importedPlain() {
  const records = parse(await readFile(SAMPLE), { to: PLAIN_ROWS + 1 });
  const kept = HEADER.trim().split(',');
  const columns = kept.map((name) => records[0]?.indexOf(name) ?? -1);
  const plain = records.map((record) => columns.map((column) => quoted(record[column] ?? '')).join(','));
  const file = join(folder, 'plain-sample.csv');
  await writeFile(file, plain.join('\n'));
  const figures = await importBooks(server.app, file);
  expect(figures.rows).toBe(PLAIN_ROWS);
  const states = await statesOf(server.app);
  expect(states.size).toBe(figures.imported);
  return states;
}

const book = (isbn: string) =>
  server
    .client()
    .data(
      'query ($isbn: String!) { book(isbn: $isbn) { isbn title authors originalTitle publishedYear languageCode averageRating ratingsCount } }',
      { isbn },
    )
    .then((data) => data.book);

describe('the import', () => {
  test('of the sample, killed in the middle and repeated, accounts for every row and has every book', async () => {
    const all = (await readFile(SAMPLE, 'utf8')).split('\n').slice(0, 1_501);
    // The last rows have most of what is refused.
    const lines = IS_FULL ? all : [...all.slice(0, 301), ...all.slice(-500)];
    const [file, rejects] = [join(folder, 'sample.csv'), join(folder, 'sample.rejects')];
    await writeFile(file, lines.join('\n'));
    const run = () => {
      const args = ['tools/admin/import-books.ts', file, '--rejects', rejects];
      const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
      const ended = new Promise<unknown>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
      return { child, ended, printed: () => printed };
    };
    const { client } = server.app.cassandra;
    const killed = run();
    const rowsDone = async () =>
      (await client.execute('SELECT rows_done FROM imports')).rows[0]?.['rows_done'] as number | undefined;
    while (((await rowsDone()) ?? 0) < 500) await new Promise((resolve) => setTimeout(resolve, 5));
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(await rowsDone()).toBeLessThan(ROWS);
    expect(await isImported(server.app, file)).toBe(false);

    // The import runs to its end, and then once more from the beginning.
    for (const _time of [1, 2]) {
      const repeated = run();
      expect(await repeated.ended).toBe(0);
      for (const figure of Object.values(FIGURES)) expect(repeated.printed()).toContain(String(figure));
      // The parts that an imported row lost are reported as well, with the numbers of the first
      // such lines.
      expect(repeated.printed()).toMatch(
        /\d+ × isbn13 is a number that was rounded.*\(line \d+, \d+, \d+, \d+, \d+, …\)/,
      );
      expect(await isImported(server.app, file)).toBe(true);
      const { rows } = await client.execute('SELECT book_id FROM books', [], { fetchSize: 20_000 });
      expect(rows).toHaveLength(FIGURES.imported);
      const refused = parse<Record<string, string>>(await readFile(rejects), { columns: true });
      expect(refused).toHaveLength(FIGURES.rejected);
      for (const { line, reason, row } of refused) {
        expect(reason).toMatch(/check digit is wrong/);
        expect(lines[Number(line) - 1]).toBe(row);
      }
    }
  });

  test('of the sample without its newer columns gives the same books, with less data', async () => {
    const withThem = await statesOf(server.app, new Set(plainBooks.keys()));
    // In Cassandra's JSON an empty list within a type is null.
    const nothing = { genres: null, publisher: null, pages: null, published_on: null, cover_url: null, work_id: null };
    const withLess = [...withThem].map(
      ([id, state]) => [id, { ...state, ...nothing, source_ids: state.source_ids.slice(0, 1) }] as const,
    );
    expect(new Map(withLess)).toEqual(plainBooks);
    expect([...withThem.values()]).not.toEqual([...plainBooks.values()]);
  });

  test('finds a book by every spelling of its ISBN', async () => {
    const spellings = ['0439023483', '978-0-439-02348-1', '978\u00AD0439−023481', 'ISBN: 0439023483 (pbk.)'];
    for (const isbn of spellings) {
      expect(await book(isbn), isbn).toEqual({
        isbn: '9780439023481',
        title: 'The Hunger Games (The Hunger Games, #1)',
        originalTitle: 'The Hunger Games',
        authors: ['Suzanne Collins'],
        publishedYear: 2008,
        languageCode: 'eng',
        averageRating: 4.34,
        ratingsCount: 4_780_653,
      });
    }
    expect(await book('043965548x')).toMatchObject({ isbn: '9780439655484' });
    expect(await book('9780000000002')).toBeNull();
  });

  test.each(['0439023484', 'hello', '', '439023483', '9790041811529'])(
    'book(isbn: %j) explains what is wrong',
    async (isbn) => {
      const answer = await server.client().send('query ($isbn: String!) { book(isbn: $isbn) { id } }', { isbn });
      expect(answer.errors?.[0]).toMatchObject({ path: ['book'], extensions: { code: 'BAD_USER_INPUT' } });
      // The message does not repeat the value.
      expect(answer.errors?.[0]?.message).toMatch(
        /^The argument "isbn" is (?:an ISMN|not an ISBN: .*(?:check digit is wrong|has 10 digits))[^"]*$/,
      );
    },
  );

  test('gives a book without an ISBN its own stable id', async () => {
    const id = Buffer.from('Book:goodreads-4865').toString('base64url');
    const found = await server
      .client()
      .data('query ($id: ID!) { node(id: $id) { id ... on Book { isbn title } } }', { id });
    expect(found.node).toEqual({ id, isbn: null, title: 'How to Win Friends and Influence People' });
  });

  test('of a file with every kind of dirt imports each row or refuses it with its reason', async () => {
    const { figures, rejects } = await importCsv(
      'dirt.csv',
      HEADER +
        [
          '1,2005018,,"  Ann   Lee, Bo, Ann   Lee",-720.0,,"  Two   spaces ",,4.5,10',
          '2,,978-0-306-40615-7,Bo,0.0,,An ISBN-13 with hyphens,,,',
          '3,,9.78e+12,Bo,,,"A title\nin two lines",,,',
          '4,123,,Bo,,,A wrong ISBN,,,',
          '5,,9780306406158,Bo,,,A wrong ISBN-13,,,',
          '6,,,,,,No author,,,',
          '7,,,Bo,,,  ,,,',
          '8,,,Bo,about 1900,,A strange year,,,',
          '9,2005018,,Bo,,,The same ISBN again,,,',
          'x,,,Bo,,,No number,,,',
          '10,,,Bo,,,Too many,,,,,,',
          '11,,,Bo,,,Too few',
          '12,,,Bo,99999,,A year to come,,,',
          '13,,,Bo,,,Turned \u202Eround,,,',
        ].join('\n'),
    );
    expect(figures).toMatchObject({ rows: 14, imported: 3, isbnsRepaired: 1, withoutIsbn: 1, rejected: 11 });
    expect(figures.leftOut.map(({ reason, lines }) => [reason.slice(0, 28), ...lines])).toEqual([
      ['original_publication_year is', 3],
      ['isbn13 is a number that was ', 4],
      ['isbn is not an ISBN: an ISBN', 6],
      ['isbn13 is not an ISBN: its c', 7],
      ['authors is empty', 8],
      ['title is empty', 9],
      ['original_publication_year is', 10],
      ['is the same book as an earli', 11],
      ['goodreads_book_id is not a n', 12],
      ['does not have as many column', 13, 14],
      ['original_publication_year is', 15],
      ['title has an invisible chara', 16],
    ]);
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      ['6', expect.stringMatching(/^isbn is not an ISBN: an ISBN has 10 digits/)],
      ['7', expect.stringMatching(/^isbn13 is not an ISBN: its check digit/)],
      ['8', 'authors is empty'],
      ['9', 'title is empty'],
      ['10', 'original_publication_year is not a whole number'],
      ['11', 'is the same book as line 2'],
      ['12', 'goodreads_book_id is not a number'],
      ['13', 'does not have as many columns as the header'],
      ['14', 'does not have as many columns as the header'],
      ['15', 'original_publication_year is not a year'],
      ['16', 'title has an invisible character, or nothing visible'],
    ]);
    expect(await book('0002005018')).toMatchObject({
      title: 'Two spaces',
      authors: ['Ann Lee', 'Bo'],
      publishedYear: -720,
      averageRating: 4.5,
    });
    expect(await book('9780306406157')).toMatchObject({
      title: 'An ISBN-13 with hyphens',
      publishedYear: null,
      languageCode: null,
      ratingsCount: null,
    });
  });

  test('of genres and editions keeps the fields that a file lacks, and refuses cells that cannot be read', async () => {
    const fields = 'genres publisher pages publishedOn coverUrl description';
    const read = async () =>
      (await server.client().data(`{ book(isbn: "9780140449136") { title ${fields} } }`)).book as object;
    const nothing = { genres: [], publisher: null, pages: null, publishedOn: null, coverUrl: null, description: null };
    const plain = '31,,9780140449136,Bo,,,Quixote,,,5';
    await importCsv('plain.csv', `${HEADER}${plain}`);
    expect(await read()).toEqual({ title: 'Quixote', ...nothing });

    const more = `${HEADER.trim()},genres,publisher,publication_date,pages,image_url,description\n`;
    const cover = 'https://images.gr-assets.com/books/1.jpg';
    const edition = `Classics| War |classics,"Little, Brown",1998-05,900,${cover},"A man  reads.\n\nHe rides."`;
    await importCsv('edition.csv', `${more}${plain},${edition}`);
    const said = {
      genres: ['Classics', 'War'],
      publisher: 'Little, Brown',
      pages: 900,
      publishedOn: '1998-05',
      coverUrl: cover,
      description: 'A man reads.\n\nHe rides.',
    };
    expect(await read()).toEqual({ title: 'Quixote', ...said });
    await importCsv('again.csv', `${HEADER}${plain.replace('Quixote', 'Don Quixote')}`);
    expect(await read()).toEqual({ title: 'Don Quixote', ...said });
    const elsewhere = await importCsv(
      'elsewhere.csv',
      `${more}${plain},,,,,https://example.com/1.jpg,${'x'.repeat(5_001)}`,
    );
    expect(elsewhere.figures.leftOut).toEqual([
      { reason: expect.stringContaining('without a cover'), count: 1, lines: [2] },
      { reason: expect.stringContaining('description is too long'), count: 1, lines: [2] },
    ]);
    expect(await read()).toEqual({ title: 'Quixote', ...nothing });

    const { rejects } = await importCsv(
      'refused.csv',
      more +
        [
          '32,,,Bo,,,A date,,,,War,,23.05.1998,,,',
          '33,,,Bo,,,Pages,,,,War,,,0,,',
          '34,,,Bo,,,A genre,,,,& |War,,,,,',
        ].join('\n'),
    );
    expect(rejects.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '2: publication_date is not a date such as 1998, 1998-05 or 1998-05-23',
      '3: pages is not a number of pages',
      '4: genres has too many genres, or one that is too long or has no letter',
    ]);
  });

  test('accepts titles so long that two of their rows exceed one batch of Cassandra', async () => {
    const title = `Q${'x'.repeat(13_000)}`;
    const { figures } = await importCsv('long.csv', `${HEADER}21,,,Bo,,,${title},,,1\n22,,,Bo,,,${title} again,,,2\n`);
    expect(figures).toMatchObject({ imported: 2, rejected: 0 });
    const { books } = await server.client().data('{ books(query: "qxx") { edges { node { title } } } }');
    expect(books.edges.map((edge: { node: { title: string } }) => edge.node.title)).toEqual([`${title} again`, title]);
  });

  // Book-Catalogue #761: letters that are lost when Latin-1 is read as UTF-8.
  test.each<[name: string, bytes: Buffer, where: RegExp]>([
    [
      'Latin-1',
      Buffer.from(`${HEADER}51,,,Bo,,,One,,,\n52,,,Émile,,,Two,,,\n`, 'latin1'),
      /line 3, at byte \d+; .*-f WINDOWS-1252/,
    ],
    ['UTF-16', Buffer.from(`\uFEFF${HEADER}51,,,Bo,,,One,,,\n`, 'utf16le'), /line 1, at byte 1; .*-f UTF-16/],
    [
      'UTF-8 that was cut off',
      Buffer.from(`${HEADER}51,,,Bo,,,One,,,\n52,,,Bo,,,Zoë`).subarray(0, -1),
      /line 3, at byte \d+;/,
    ],
  ])('of a file in %s is refused before anything is imported', async (name, bytes, where) => {
    const file = join(folder, `${name}.csv`);
    await writeFile(file, bytes);
    await expect(importBooks(server.app, file)).rejects.toThrow(where);
    const id = Buffer.from('Book:goodreads-51').toString('base64url');
    expect((await server.client().data('query ($id: ID!) { node(id: $id) { id } }', { id })).node).toBeNull();
  });

  test('accepts a file with a byte order mark, and with digits as spreadsheets write them', async () => {
    const { figures, rejects } = await importCsv(
      'spreadsheet.csv',
      `\uFEFF${HEADER}` +
        [
          '61,="",="9780141439518",Jane Austen,,,Zuerst,,,',
          '62,"=""0141439580""","=""""",Jane Austen,,,Zweitens,,,',
          '63,,,Bo,,,"A "quoted" title",,,',
        ].join('\r\n'),
    );
    expect(figures).toMatchObject({ rows: 3, imported: 2, withoutIsbn: 0 });
    expect(rejects.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '4: has a quotation mark that is not doubled',
    ]);
    expect(await book('9780141439518')).toMatchObject({ title: 'Zuerst' });
    expect(await book('0141439580')).toMatchObject({ title: 'Zweitens' });
  });

  test('of a file without a needed column is refused, naming it', async () => {
    await expect(importCsv('no-title.csv', 'goodreads_book_id,isbn,authors\n1,,Bo\n')).rejects.toThrow(
      /has no column isbn13, original_publication_year.*title/,
    );
  });
});
