import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFile, readLines } from './support/read-library.ts';

/**
 * Files of readers' libraries that a spreadsheet or an editor has spoilt, or that are not tables.
 */

const HEADER = 'Title,Author,Bookshelves';

const titlesIn = async (file: Buffer) => (await readFile(file)).map(({ content, problem }) => problem ?? content.title);

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

  test.each([0, 1, 4])('are read with %i semicolons after each line', async (count) => {
    const padding = ';'.repeat(count);
    await fc.assert(
      fc.asyncProperty(lines, async (books) => {
        const text = books.map(([title, review]) => savedAgain(`${title},Ann Lee,Read,${review},`) + padding);
        // Without it, nothing shows that the lines were cells separated by semicolons.
        const known = savedAgain('Known,Ann Lee,Read,"x; y",') + padding;
        const header = `Title,Author,Status,Review,Lists${padding}`;
        const read = await readLines(header, ...text, known);
        const expected = books.map(([title, review]) => [title, plain(review)]);
        expect(read.slice(0, -1).map(({ content }) => [content?.title, content?.review])).toEqual(expected);
      }),
    );
  });

  test('have their semicolons', async () => {
    const [quoted, plainOne] = await readLines(
      'Title,Author,Status,ISBN 13,Review;',
      '"Foo,Bar,Read,,""hi";"there"""',
      'Foo; Bar,B,Read,,x',
    );
    expect(quoted?.content).toMatchObject({ title: 'Foo', authors: ['Bar'], review: 'hi;there' });
    expect(plainOne?.content).toMatchObject({ title: 'Foo; Bar', authors: ['B'], review: 'x' });
  });
});

test('a file of LibraryThing is read without the quotation marks that LibreOffice has added', async () => {
  const [one, other] = await readLines(
    'Title\tPrimary Author\tCollections\tReview',
    '"""A"" is for Alibi"\tGrafton, Sue\tRead\t"He said ""hi"" to me"',
    '"Quoted"\tLee, Ann\tRead\t"a" and "b"',
  );
  expect(one?.content).toMatchObject({ title: '"A" is for Alibi', review: 'He said "hi" to me' });
  expect(other?.content).toMatchObject({ title: '"Quoted"', review: '"a" and "b"' });
});

describe('the letters of a file with an undeclared encoding', () => {
  const bytesIn = (encoding: string) => {
    const decoder = new TextDecoder(encoding);
    const one = Array.from({ length: 256 }, (_, byte) => [byte]);
    const two = one.slice(0x81).flatMap(([lead = 0]) => one.slice(0x40).map(([trail = 0]) => [lead, trail]));
    const found = [...two, ...one].map((bytes) => [decoder.decode(Buffer.from(bytes)), bytes] as const);
    return new Map(found.filter(([letter]) => Array.from(letter).length === 1 && letter !== '\uFFFD'));
  };
  const DOS = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿';
  const OF_DOS = new Map([...Array.from(DOS, (letter, index) => [letter, [128 + index]] as const), ['ß', [225]]]);
  const fileOf = (encoding: string, text: string) => {
    const bytes = encoding === 'DOS' ? OF_DOS : bytesIn(encoding);
    const letters = Array.from(`${HEADER}\n"${text}",Ann Lee,read\n`);
    return Buffer.from(letters.flatMap((letter) => bytes.get(letter) ?? [letter.charCodeAt(0)]));
  };

  test.each([
    ['windows-1254', 'Kırk yıl önce kasabanın dışında yaşayan yaşlı bir adamın hikâyesi'],
    [
      'windows-1254',
      'Saatleri Ayarlama Enstitüsü, İnce Memed, Kürk Mantolu Madonna, Aylak Adam, Tutunamayanlar, Yılanı',
    ],
    ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy'],
    ['windows-1250', 'W Szczebrzeszynie chrząszcz brzmi w trzcinie, a gżegżółka źle śpiewa'],
    ['windows-1251', 'Мастер и Маргарита'],
    ['windows-1253', 'Βίος και πολιτεία του Αλέξη Ζορμπά'],
    ['windows-1255', 'סיפור על אהבה וחושך'],
    ['windows-1256', 'موسم الهجرة إلى الشمال'],
    ['koi8-r', 'Преступление и наказание'],
    ['ibm866', 'Преступление и наказание'],
    ['shift_jis', '吾輩は猫である。名前はまだ無い。'],
    ['shift_jis', 'ノルウェイの森、海辺のカフカ'],
    ['euc-jp', '吾輩は猫である。名前はまだ無い。'],
    ['gbk', '红楼梦，三国演义，西游记'],
    ['big5', '紅樓夢，三國演義，西遊記'],
    ['euc-kr', '채식주의자, 소년이 온다'],
    ['DOS', 'Die Bücher für Schüler über die Größe der Wälder'],
    ['DOS', 'Le café de la jeunesse perdue, été, élève, très préféré'],
    ['DOS', 'Cien años de soledad, el corazón de la niñez española'],
  ])('are refused in %s: %s', async (encoding, text) => {
    await expect(readFile(fileOf(encoding, text))).rejects.toThrow(/character encoding/);
  });

  test.each([
    'À la recherche du temps perdu – « Du côté de chez Swann » : l’œuvre naïve où l’été s’achève, ça et là, à Noël',
    'Die Übergrößenträger „fräßen“ süße Äpfel, sagte der Bär. §5 der Straßenverkehrsordnung: 20 €',
    'El ingenioso hidalgo don Quijote de la Mancha. ¿Qué? ¡Sí! Año, niñez, corazón; la 2.ª edición, n.º 3; Mª José',
    'Memórias póstumas de Brás Cubas: não há três corações, só ilusões, ações e paixões à toa',
    'Sjálfstætt fólk og Íslandsklukkan: það rís úr djúpinu, Nýja Ísland, bók á borði, hús úr húsi, ný útgáfa',
    'Smilla’s fornemmelse for sne: på ø’en Ærø æder måger ål. Rødgrød med fløde',
    'Så rød var han på øya, òg fêr; én gång på blåbærtur',
    'Män som hatar kvinnor: Över ån är ö, på väg, för några få kronor år 1999',
    'Täällä Pohjantähden alla, Sinuhe egyptiläinen: hän lähti yöllä pääkaupunkiin',
    'Perché così è la città, più o meno: il caffè, già lunedì, cioè',
    'La plaça del Diamant: col·lecció d’històries, això és així; Núria, l’illa, Cançó de les paral·leles',
    'De avonden: één coöperatie, geïnteresseerde weeën en überhaupt à ƒ 5,00',
    'Wi‑Fi® for Dummies™ ©2001 – 5 ± 2 ° ½ ¼ ² µm · 10 £ 5 ¥',
  ])('stay in Windows-1252: %s', async (text) => {
    const western = text.replace('‑', '-');
    const [line] = await readFile(fileOf('windows-1252', western));
    expect(line?.content?.title).toBe(western);
  });

  test.each([
    'It’s “a” très long Été – ÁÍÝ',
    'L’été où j’étais très fâché: « ça m’a coûté »',
    'Für größere Bücher übers Löschen',
  ])('stay in UTF-8 that was cut within a letter: %s', async (text) => {
    const file = Buffer.from(`${HEADER}\n${text},Ann Lee,read\nCut`);
    expect((await titlesIn(Buffer.concat([file, Buffer.from([0xc3])])))[0]).toBe(text);
  });
});
