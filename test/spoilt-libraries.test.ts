import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFile, readLines } from './support/read-library.ts';

/** Files of readers' libraries that a spreadsheet or an editor has spoilt, or that are no files. */

const HEADER = 'Title,Author,Bookshelves';

const titlesIn = async (file: Buffer) => (await readFile(file)).map(({ said, problem }) => problem ?? said.title);

describe('a file with lines of any width', () => {
  const nothing = fc.constantFrom('', ' ', ',', ',,', ',,,,', '""');
  const filled = fc.record({
    title: fc.constantFrom('A Book', '"One; Two"', '"Over\nTwo"'),
    end: fc.constantFrom('', ',,', ',Ann Lee', ',Ann Lee,read', ',Ann Lee,read,,', ',Ann Lee,read,more'),
  });

  test('has those that are not empty', async () => {
    const lines = fc.array(fc.oneof(nothing, filled), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom('\n', '\r\n'), async (some, end) => {
        const books = some.filter((line) => typeof line !== 'string');
        fc.pre(books.length > 0);
        const text = some.map((line) => (typeof line === 'string' ? line : `${line.title}${line.end}`));
        const expected = books.map((book) =>
          book.end.endsWith('more')
            ? 'The line has more cells than the header.'
            : book.title.replaceAll('"', '').replace('\n', ' '),
        );
        expect(await titlesIn(Buffer.from([HEADER, ...text].join(end)))).toEqual(expected);
      }),
    );
  });

  test.each(['\n', ',\n'])('may have hundreds of thousands of %j', async (line) => {
    const file = Buffer.from(`${HEADER}\nA Book,Ann Lee,read\n${line.repeat(200_000)}Another`);
    expect(await titlesIn(file)).toEqual(['A Book', 'Another']);
  });

  test('is refused if a line has more cells than a spreadsheet', async () => {
    const file = (cells: number) => [HEADER, 'A Book,Ann Lee,read', ','.repeat(cells - 1), 'Another'];
    await expect(readLines(...file(16_385))).rejects.toThrow(/cannot be read from line 3 on/);
    expect(await readLines(...file(16_384))).toHaveLength(2);
  });
});

describe('lines with commas that a spreadsheet with semicolons has saved', () => {
  const comma = fc.constantFrom('Foo', 'Foo; Bar', '"A, B"', '"He said ""hi""; there"', 'x;', '"; y"');
  const lines = fc.array(fc.tuple(fc.constantFrom('Foo', 'Foo; Bar', 'Foo;Bar;Baz'), comma), {
    minLength: 1,
    maxLength: 5,
  });

  /** Splits a line at semicolons as a spreadsheet does, and quotes the cells that need it. */
  const savedAgain = (line: string): string =>
    line
      .split(';')
      .map((cell) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(';');
  const plain = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

  test.each([0, 1, 4])('are read with %i semicolons behind each', async (count) => {
    const padding = ';'.repeat(count);
    await fc.assert(
      fc.asyncProperty(lines, async (books) => {
        const text = books.map(([title, review]) => savedAgain(`${title},Ann Lee,Read,${review},`) + padding);
        // Without it, nothing tells that the lines were cells with semicolons in between.
        const known = savedAgain('Known,Ann Lee,Read,"x; y",') + padding;
        const header = `Title,Author,Status,Review,Lists${padding}`;
        const read = await readLines(header, ...text, known);
        const expected = books.map(([title, review]) => [title, plain(review)]);
        expect(read.slice(0, -1).map(({ said }) => [said?.title, said?.review])).toEqual(expected);
      }),
    );
  });

  test('have their semicolons', async () => {
    const [quoted, plainOne] = await readLines(
      'Title,Author,Status,ISBN 13,Review;',
      '"Foo,Bar,Read,,""hi";"there"""',
      'Foo; Bar,B,Read,,x',
    );
    expect(quoted?.said).toMatchObject({ title: 'Foo', authors: ['Bar'], review: 'hi;there' });
    expect(plainOne?.said).toMatchObject({ title: 'Foo; Bar', authors: ['B'], review: 'x' });
  });
});

test('a file of LibraryThing has no marks of quotation that LibreOffice has written', async () => {
  const [one, other] = await readLines(
    'Title\tPrimary Author\tCollections\tReview',
    '"""A"" is for Alibi"\tGrafton, Sue\tRead\t"He said ""hi"" to me"',
    '"Quoted"\tLee, Ann\tRead\t"a" and "b"',
  );
  expect(one?.said).toMatchObject({ title: '"A" is for Alibi', review: 'He said "hi" to me' });
  expect(other?.said).toMatchObject({ title: '"Quoted"', review: '"a" and "b"' });
});
