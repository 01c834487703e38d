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
