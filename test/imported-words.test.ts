import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Book } from '../src/catalogue/book.ts';
import { supportOf } from '../src/catalogue/likeness.ts';
import { textOfHtml } from '../src/libraryimports/html.ts';
import { statusForShelf } from '../src/libraryimports/shelf-names.ts';
import { readLines as read } from './support/read-library.ts';

/** The texts, names, shelves and days in files of other services. */

describe('the text of HTML', () => {
  test.each([
    ['I <3 it, a < b && c > d, <i mean it> <sigh>', 'I <3 it, a < b && c > d, <i mean it> <sigh>'],
    ['It&#8217;s &mdash; caf&eacute; &#x1F600;&nbsp;!', 'It’s — café 😀 !'],
    ['AT&T, R&D, &nosuch; &amp;lt; &lt;b&gt;', 'AT&T, R&D, &nosuch; &lt; <b>'],
    ['a<br>b<BR/>\nc<br />\r\nd<br><br>e', 'a\nb\nc\nd\n\ne'],
    ['<p>One</p>\n<p align="left">Two</p>', 'One\n\nTwo'],
    ['<div>a</div><div><br></div><div>b</div>', 'a\n\nb'],
    ['Pros:<ul><li>fast</li>\n<li><p>fun</p></li></ul>end', 'Pros:\n\n- fast\n- fun\n\nend'],
    ['<blockquote>He said</blockquote>and left', 'He said\n\nand left'],
    ['<del>old</del> <font color=red size="2">new</font><hr noshade>x', 'old new\n\nx'],
    ['<pre>  a\n  b</pre>', '  a\n  b'],
    ['<a href="x" title="a > b">link</a><img alt="y"/>', 'link'],
    ['a<!-- hid <b>x</b> -->b, a --> b, <!-- never ends', 'ab, a --> b,  never ends'],
    ['a<script>var x = "<b>";</script>b<style>p {}</STYLE >c', 'abc'],
    ['<b>never closed, <script>never closed', 'never closed, never closed'],
    ['a <b', 'a <b'],
  ])('%s', (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  const word = fc.constantFrom('a', 'Über', '1 < 2', 'R&amp;D', '😀', '&lt;b&gt;');
  const inline = fc.constantFrom('b', 'del', 'font', 'SPAN', 'u');
  const marked = fc
    .tuple(word, fc.option(inline))
    .map(([text, tag]) => [tag === null ? text : `<${tag} class="x">${text}</${tag}>`, text] as const);
  const shown = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

  test('has the text of each block element in separate lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('div', 'p', 'h2', 'li', 'td'), fc.array(marked, { minLength: 1 }))),
        fc.constantFrom('', '\n', ' \r\n ', '<!-- x <p> -->', '<script>if (a<b) {}</script>'),
        (elements, between) => {
          const html = elements.map(([tag, words]) => `<${tag}>${words.map(([each]) => each).join('|')}</${tag}>`);
          const lines = textOfHtml(html.join(between))
            .split(/\n+/)
            .flatMap((line) => line.split(/(?<! <) (?!<|2)/));
          const words = elements.map(([, some]) => shown(some.map(([, each]) => each).join('|')));
          expect(
            lines
              .join(' ')
              .replaceAll(/(?:^| )- /g, ' ')
              .split(/\s+/)
              .join(''),
          ).toBe(words.join('').split(/\s+/).join(''));
        },
      ),
    );
  });

  test('is the text itself without markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '3', ' ', '/', '"', '=', '\n', '-', 'é') }), (text) => {
        expect(textOfHtml(text)).toBe(text);
      }),
    );
  });

  test('has no tag left, for any combination of tags and comments', () => {
    const part = fc.constantFrom(
      '<b>',
      '</b>',
      '<p>',
      '<br/>',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '<li>',
      'x',
      ' ',
      '&amp;',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(textOfHtml(parts.join(''))).not.toMatch(/<(?!!--)/);
      }),
    );
  });
});

describe('a line', () => {
  test('may have a cell that seems completely quoted, with any text after its quotation mark', async () => {
    expect(await read('Title,Author,Bookshelves', '"a,b"c')).toMatchObject([{ content: { title: '"a,b"c' } }]);
  });

  const GOODREADS = 'Title,Author,Bookshelves,Exclusive Shelf,My Review';

  test.each(['', ' ', ',', ',,,', ' , ,\t', '\r', ',\r', '" ', '" ,'])('may end with %j', async (end) => {
    const quote = end.startsWith('"') ? '"' : '';
    const lines = await read(GOODREADS, `A Book,Ann Lee,,read,${quote}Good${end}`, `Another,Bo,,read,${quote}${end}`);
    expect(lines.map(({ content, problem }) => problem ?? [content.title, content.shelf, content.review])).toEqual([
      ['A Book', 'read', 'Good'],
      ['Another', 'read', null],
    ]);
  });

  test.each(['', ' ', ',', ', ,'])('may be quoted as a whole, and end with %j', async (end) => {
    const quoted = (line: string) => `"${line}"${end}`;
    const lines = await read(
      quoted(GOODREADS),
      quoted('A Book,Ann Lee,,read,""Good, or so""'),
      '"One, Two, Three",,,,',
    );
    expect(lines.map(({ content }) => [content?.title, content?.review])).toEqual([
      ['A Book', 'Good, or so'],
      ['One, Two, Three', null],
    ]);
  });

  test.each([';', ';;'])('may be a single cell of a file with semicolons, and end with %j', async (end) => {
    const lines = await read(
      `${GOODREADS}${end}`,
      `"A Book; Part Two,Ann Lee,,read,""Good, or so"""${end}`,
      `Another,Bo,,read,${end}`,
    );
    expect(lines.map(({ content, problem }) => problem ?? [content.title, content.review])).toEqual([
      ['A Book; Part Two', 'Good, or so'],
      ['Another', null],
    ]);
  });

  test('has no more cells than its header', async () => {
    expect(await read(GOODREADS, 'A Book,Ann Lee,,read,Good,,more')).toMatchObject([
      { problem: 'The line has more cells than the header.' },
    ]);
  });

  test('needs no title if an ISBN identifies the book', async () => {
    const header = 'Title,Author,Bookshelves,ISBN13,Book Id';
    const lines = await read(header, ',Ann Lee,read,9780439023481,', ',,read,,5', ',Ann Lee,read,1,x');
    expect(lines.map(({ problem }) => problem)).toEqual([undefined, undefined, expect.stringContaining('no title')]);
  });

  const day = fc
    .integer({ min: 0, max: 8_000 })
    .map((days) => new Date(Date.UTC(2001, 0, 1 + days)).toISOString().slice(0, 10));

  test('keeps the beginning of a reading, or explains why not', async () => {
    const FILES = [
      (start: string, end: string, status: string) => [
        'Title,Author,Status,Date Started,Date Finished',
        `A Book,Ann Lee,${status},${start},${end}`,
      ],
      (start: string, end: string, status: string) => [
        'Title,Primary Author,Collections,Date Started,Date Read',
        `A Book,"Lee, Ann",${status},[${start}],[${end}]`,
      ],
      (start: string, end: string, status: string) => [
        'Title,Authors,Read Status,Dates Read',
        `A Book,Ann Lee,${status},${start.replaceAll('-', '/')}-${end.replaceAll('-', '/')}`,
      ],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FILES),
        fc.constantFrom('read', 'did not finish'),
        day,
        day,
        async (file, status, start, end) => {
          const [line] = await read(...file(start, end, status));
          const { reads = [], startedOn = null, addedOn = null, warnings = [] } = line?.content ?? {};
          const kept = start <= end ? start : null;
          const expected =
            status === 'read'
              ? { reads: [{ startedOn: kept, finishedOn: end }], startedOn: null, addedOn: null }
              : { reads: [], startedOn: kept, addedOn: end };
          expect({ reads, startedOn, addedOn }).toEqual(expected);
          expect(warnings.some((sentence) => sentence.includes(start))).toBe(kept === null);
        },
      ),
    );
  });

  test('has a day and a shelf although it has no column of statuses', async () => {
    const header = 'Title,Author,Bookshelves,Date Read';
    const lines = await read(header, 'A,Ann Lee,,2020/01/02', 'B,Bo,abgebrochen,', 'C,Cy,"slow, favourites",');
    expect(lines.map(({ content }) => content?.shelf)).toEqual(['read', 'abgebrochen', 'slow']);
  });

  test('is cut to the maximum length of the catalogue, with a warning', async () => {
    const long = '7'.repeat(20_000);
    const header = 'Title,Author,Additional Authors,Bookshelves,Exclusive Shelf,My Review';
    const [line] = await read(header, `${long},${long},"${long},b","${long};c",${long},${long}`);
    const { title = '', authors = [], shelf, tags = [], review, warnings } = line?.content ?? {};
    expect([title, ...authors, shelf, ...tags].map((each) => each?.length)).toEqual([500, 500, 500]);
    expect(review).toHaveLength(10_000);
    expect(warnings).toEqual(
      ['list of names', 'name of the shelf', 'title', 'name of an author', 'review'].map((what) =>
        expect.stringMatching(new RegExp(`^The ${what} is longer than .*the rest was cut`)),
      ),
    );
  });

  test('of another service has HTML, and our own export has unchanged texts', async () => {
    const text = 'R&amp;D <b>now</b>';
    const line = `${text},Q &amp; A,,"x &amp; y",${text}`;
    const [other] = await read(GOODREADS, line);
    const [own] = await read(`${GOODREADS},Star Rating,Progress`, `${line},,`);
    expect(other?.content).toMatchObject({ title: 'R&D now', authors: ['Q & A'], shelf: 'x & y', review: 'R&D now' });
    expect(own?.content).toMatchObject({ title: text, authors: ['Q &amp; A'], shelf: 'x &amp; y', review: text });
  });

  test('of another service keeps the apostrophe at its beginning, which the reader wrote', async () => {
    const line = `'@home',Ann Lee,,read,'@home' is good`;
    const [other] = await read(GOODREADS, line);
    const [own] = await read(`${GOODREADS},Star Rating,Progress`, `${line},,`);
    expect(other?.content).toMatchObject({ title: "'@home'", review: "'@home' is good" });
    expect(own?.content).toMatchObject({ title: "@home'", review: "@home' is good" });
  });

  test('of our own export has no tags, because the export writes none', async () => {
    const header = `${GOODREADS},Star Rating,Progress`;
    const [line] = await read(header, 'A Book,Ann Lee,"Books, 2021","Books, 2021",,,');
    expect(line?.content).toMatchObject({ shelf: 'Books, 2021', tags: [] });
  });
});

describe('a list of readings', () => {
  const readsOf = async (dates: string) => {
    const [line] = await read('Title,Authors,Read Status,Dates Read', `A Book,Ann Lee,read,"${dates}"`);
    return { reads: line?.content?.reads, warnings: line?.content?.warnings };
  };
  const MARCH = { startedOn: '2021-03-01', finishedOn: '2021-03-05' };

  test.each([
    ['2021/03/01-2021/03/05', MARCH],
    ['2021/03/01 - 2021/03/05', MARCH],
    ['2021/03/01- 2021/03/05', MARCH],
    ['2021/03/01 -', { startedOn: '2021-03-01', finishedOn: null }],
    ['2021/03/01 - unknown', { startedOn: '2021-03-01', finishedOn: null }],
    ['unknown - 2021/03/05', { startedOn: null, finishedOn: '2021-03-05' }],
    ['2021/03/05 12:30', { startedOn: null, finishedOn: '2021-03-05' }],
    ['2021-03-05T12:30:00Z', { startedOn: null, finishedOn: '2021-03-05' }],
    ['5.3.2021 12.30', { startedOn: null, finishedOn: '2021-03-05' }],
  ])('has the days of %s', async (dates, reading) => {
    expect(await readsOf(dates)).toEqual({ reads: [reading], warnings: [] });
  });

  test.each(['2021/03/01 to 2021/03/05', '2021-03-01 2022-01-01', '1.3.2021 5.3.2021', '2021/03/01 5'])(
    'tells that %s is no day',
    async (dates) => {
      const { reads, warnings } = await readsOf(dates);
      expect(reads).toEqual([{ startedOn: null, finishedOn: null }]);
      expect(warnings).toEqual([expect.stringContaining(`"${dates}" is not a day`)]);
    },
  );
});

describe('a day of a spreadsheet', () => {
  const daysOf = async (...days: string[]) => {
    const lines = await read('Title,Author,Bookshelves,Date Read', ...days.map((day) => `A Book,Ann Lee,read,${day}`));
    return lines.map(({ content }) => content?.reads[0]?.finishedOn);
  };

  test('has the order that other days of the file show', async () => {
    expect(await daysOf('4/5/2023', '25/4/2023')).toEqual(['2023-05-04', '2023-04-25']);
    expect(await daysOf('4/5/2023', '4/25/2023')).toEqual(['2023-04-05', '2023-04-25']);
    expect(await daysOf('4/5/2023', '4/25/2023', '25/4/2023')).toEqual([null, null, null]);
  });

  test('needs no order if its day is its month', async () => {
    expect(await daysOf('4/4/2023', '4/5/2023')).toEqual(['2023-04-04', null]);
  });

  test('shows the order also in a list of readings', async () => {
    const header = 'Title,Authors,Read Status,Dates Read';
    const [line] = await read(header, 'A Book,Ann Lee,read,"25/4/2023, 4/5/2023"');
    expect(line?.content?.reads.map(({ finishedOn }) => finishedOn)).toEqual(['2023-04-25', '2023-05-04']);
  });
});

describe('an ISBN', () => {
  const isbnsOf = async (isbn13: string, isbn = '') => {
    const header = 'Title,Author,Bookshelves,ISBN13,ISBN';
    const [line] = await read(header, `A Book,Ann Lee,read,"${isbn13}","${isbn}"`);
    return { isbns: line?.content?.isbns, warnings: line?.content?.warnings };
  };

  test.each(['9780439023481', '9780439023481.0', '9780439023481,00', ' 9780439023481.0 '])(
    'is known as a number: %s',
    async (isbn) => {
      expect(await isbnsOf(isbn)).toEqual({ isbns: ['9780439023481'], warnings: [] });
    },
  );

  test.each(['9.78044E+12', '9,78044e+12', '9E+12'])('that a spreadsheet has rounded is told: %s', async (isbn) => {
    expect(await isbnsOf(isbn, '0439023483')).toEqual({
      isbns: ['9780439023481'],
      warnings: ['A spreadsheet has rounded the ISBN, so it was left out.'],
    });
  });

  test('is searched among the first hundred of a cell', async () => {
    const others = (count: number) => Array.from({ length: count }, (_, number) => `x${number}`).join(',');
    expect((await isbnsOf(`${others(99)},9780439023481`)).isbns).toEqual(['9780439023481']);
    expect((await isbnsOf(`${others(100)},9780439023481`)).isbns).toEqual([]);
  });
});

describe('a shelf', () => {
  test.each([
    ['Abgebrochen', 'GIVEN_UP'],
    ['GELESEN', 'READ'],
    ['Lese  ich_gerade', 'READING'],
    ['möchte-ich-lesen', 'WANT_TO_READ'],
    ['A lire', 'WANT_TO_READ'],
    ['J’ai lu', 'READ'],
    ['Abandonné', 'GIVEN_UP'],
    ['Leídos', 'READ'],
    ['Sto leggendo', 'READING'],
    ['Quero ler', 'WANT_TO_READ'],
    ['Niet uitgelezen', 'GIVEN_UP'],
    ['Did-Not-Finish', 'GIVEN_UP'],
    ['read?', null],
    ['__proto__', null],
  ])('%s becomes %s', (name, status) => {
    expect(statusForShelf(name)).toBe(status);
  });
});

describe('a title and authors', () => {
  const bookBy = (title: string, ...authors: string[]) => ({ title, originalTitle: null, authors }) as unknown as Book;

  test.each([
    ['Illuminati', ['Brown, Dan'], 'AUTHOR'],
    ['Illuminati', ['Dan Browne'], undefined],
    ['angels and demons (Robert Langdon, #1)', ['Nobody'], 'TITLE'],
    ['Angels & Demons: A Novel', [], 'TITLE'],
    ['Angels & Demons: A Novel', ['Ann Lee'], undefined],
    ['Angels', [], undefined],
    ['', ['Ann Lee'], 'TITLE'],
    ['Illuminati', ['Ann Lee', 'Dan Brown'], 'AUTHOR'],
  ])('%s by %j are those of a book: %s', (title, authors, support) => {
    expect(supportOf({ title, authors }, bookBy('Angels & Demons', 'Dan Brown'))).toBe(support);
  });

  test('match the book for any spelling of its author', () => {
    const part = fc.constantFrom('John', 'Ronald', 'García', 'Lee', 'Le Guin', 'O’Brien', 'Stein', 'Бунин');
    const name = fc.uniqueArray(part, { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(name, fc.nat(4), (parts, way) => {
        const [first = '', ...others] = parts;
        const last = others.at(-1) ?? '';
        const written = [
          parts.join('  '),
          `${others.join(' ')}, ${first}`,
          `${first.charAt(0)}. ${others.join(' ')}`,
          `${first.toUpperCase()} ${last}`,
          `${parts.join(' ')} Jr.`,
        ][way]!;
        expect(supportOf({ title: 'Other', authors: [written] }, bookBy('This', parts.join(' ')))).toBe('AUTHOR');
        expect(
          supportOf({ title: 'Other', authors: ['Q. Xavier', written] }, bookBy('This', 'Ann Zeh')),
        ).toBeUndefined();
      }),
    );
  });
});
