import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeBook } from '../src/catalogue/operations.ts';
import { isOneAway } from '../src/catalogue/spelling.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';

/**
 * Searches as people type and paste them: without letters that their keyboards lack, and with extra
 * characters.
 */

let server: TestServer;
let administrator: Client;
let isbn = 978_000_020_000;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
});

async function add(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const input = { isbn: isbnOf(++isbn), title, authors: ['Ann'], ...more };
  const { book, userErrors } = await administrator.mutate('addBook', input, 'book { id }');
  expect(userErrors).toEqual([]);
  return book.id as string;
}

async function found(query: string): Promise<string[]> {
  const { books } = await server
    .client()
    .data('query ($query: String!) { books(query: $query) { nodes { title } } }', { query });
  return books.nodes.map(({ title }: { title: string }) => title);
}

describe('letters', () => {
  beforeAll(async () => {
    await add('Solaris Nowa', { authors: ['Stanisław Lem'] });
    for (const title of [
      'Die Straße',
      'Benim Adım Kırmızı',
      'दिन',
      'दान',
      'かき',
      'がき',
      'กิน',
      'กาน',
      'D’Artagnan',
      'Tess of the D´Urbervilles',
      "L'Étranger",
      'Don’t Look Now',
    ])
      await add(title);
  });

  test.each([
    ['stanislaw lem', ['Solaris Nowa']],
    ['STRASSE', ['Die Straße']],
    ['KIRMIZI', ['Benim Adım Kırmızı']],
    ['दिन', ['दिन']],
    ['दान', ['दान']],
    ['か', ['かき']],
    ['が', ['がき']],
    ['กิน', ['กิน']],
    ['urbervilles', ['Tess of the D´Urbervilles']],
    ['durbervilles', ['Tess of the D´Urbervilles']],
    ['dʼurbervilles', ['Tess of the D´Urbervilles']],
    ['artagnan', ['D’Artagnan']],
    ['d′artagnan', ['D’Artagnan']],
    ['étranger', ["L'Étranger"]],
    ['etranger', ["L'Étranger"]],
    ['letranger', ["L'Étranger"]],
    ['dont', ['Don’t Look Now']],
    ['don＇t', ['Don’t Look Now']],
    ['stra\u00ADsse\u200B', ['Die Straße']],
  ])('%s', async (query, titles) => {
    expect(await found(query)).toEqual(titles);
  });
});

describe('words in other forms', () => {
  beforeAll(async () => {
    for (const title of [
      'Aspider-Man Rises',
      'Bspiderman Falls',
      'Cspider Man Rests',
      'Q.O.V.A. Filed',
      'Zmith & Zons',
      'Zook and Zink',
      'Dblink 182',
      'Elite99 Plan',
    ])
      await add(title);
    await add('كتاب غريب', { authors: ['أحمد مراد'] });
    await add('Zafka', { authors: ['村上 春樹', 'Νίκος Καζαντζάκης'] });
  });

  test.each([
    ['aspiderman', 'Aspider-Man Rises'],
    ['aspider-man', 'Aspider-Man Rises'],
    ['aspider man', 'Aspider-Man Rises'],
    ['bspider-man', 'Bspiderman Falls'],
    ['falls bspider man', 'Bspiderman Falls'],
    ['cspider-man', 'Cspider Man Rests'],
    ['qova file', 'Q.O.V.A. Filed'],
    ['q o v a', 'Q.O.V.A. Filed'],
    ['zmith and zons', 'Zmith & Zons'],
    ['zmith & zons', 'Zmith & Zons'],
    ['zmith zons', 'Zmith & Zons'],
    ['zook & zink', 'Zook and Zink'],
    ['dblink182', 'Dblink 182'],
    ['dblink-182', 'Dblink 182'],
    ['elite 99', 'Elite99 Plan'],
    ['elite-99 plan', 'Elite99 Plan'],
    ['احمد مراد', 'كتاب غريب'],
    ['أحمد مراد', 'كتاب غريب'],
    ['كِتاب', 'كتاب غريب'],
    ['村上春樹', 'Zafka'],
    ['ΚΑΖΑΝΤΖΑΚΗΣ', 'Zafka'],
  ])('%s finds %s', async (query, title) => {
    expect(await found(query)).toEqual([title]);
  });

  test.each(['احمد مراد', 'أحمد مراد', 'مراد'])('the author %s is found', async (author) => {
    const { books } = await server
      .client()
      .data('query ($author: String!) { books(author: $author) { nodes { title } } }', { author });
    expect(books.nodes).toEqual([{ title: 'كتاب غريب' }]);
  });
});

describe('titles', () => {
  beforeAll(async () => {
    await add('Weaving');
    await add('We');
    await add('Wernher Weber');
    await add('The Longest We (We, #1)', { originalTitle: 'Nous' });
    await add('The Sorcerer Rock (Rock, #1)', { originalTitle: 'The Philosopher Stone' });
    for (const title of ['Zz Fo', 'Fo Zz', 'Zz Fo (Part 1)', 'Zz Foes']) await add(title);
  });

  test.each([
    ['we', 'We'],
    ['WE!', 'We'],
    ['nous', 'The Longest We (We, #1)'],
    ['the longest we', 'The Longest We (We, #1)'],
    ['philosopher stone', 'The Sorcerer Rock (Rock, #1)'],
    ['sorcerer rock', 'The Sorcerer Rock (Rock, #1)'],
  ])('%s finds %s first', async (query, title) => {
    expect((await found(query))[0]).toBe(title);
  });

  test('that equal the query are first, in pages of any size and in both directions', async () => {
    for (const size of [1, 2, 3, 10])
      for (const direction of ['forward', 'backward'] as const) {
        const edges = await server.client().allPages(size, direction, (args) =>
          server
            .client()
            .data(`{ books(query: "zz fo", ${args}) { edges { cursor node { title } } ${PAGE_INFO} } }`)
            .then(({ books }) => books),
        );
        const titles = edges.map(({ node }) => node.title as string);
        expect(titles.slice(0, 2).toSorted()).toEqual(['Zz Fo', 'Zz Fo (Part 1)']);
        expect(titles.slice(2).toSorted()).toEqual(['Fo Zz', 'Zz Foes']);
      }
  });

  test('that a book no longer has do not match it', async () => {
    const id = await add('Quuxbook', { originalTitle: 'Quuxlivre' });
    const update = (input: object) => administrator.mutate('updateBook', { bookId: id, ...input }, 'book { id }');
    await update({ originalTitle: 'Quuxbuch' });
    expect([await found('quuxlivre'), await found('quuxbuch')]).toEqual([[], ['Quuxbook']]);
    await update({ originalTitle: null });
    expect([await found('quuxbuch'), await found('quuxbook')]).toEqual([[], ['Quuxbook']]);
  });
});

describe('an ISBN', () => {
  test.each([
    '9780306406157',
    '0306406152',
    '978-0-306-40615-7',
    'ISBN 0-306-40615-2 (pbk.)',
    '９７８０３０６４０６１５７',
  ])('%s finds its book', async (query) => {
    if ((await found('9780306406157')).length === 0)
      await add('Of An Isbn', { isbn: '9780306406157', genres: ['War'], authors: ['Bo Lee'] });
    expect(await found(query)).toEqual(['Of An Isbn']);
  });

  test('among the other ISBNs of a book also finds it', async () => {
    const other = isbnOf(++isbn);
    await add('Of Another Isbn', { otherIsbns: [other] });
    expect(await found(other)).toEqual(['Of Another Isbn']);
  });

  test('with an author or a genre that its book does not have finds nothing', async () => {
    for (const [more, titles] of [
      ['genre: "war"', ['Of An Isbn']],
      ['author: "bo lee"', ['Of An Isbn']],
      ['genre: "peace"', []],
      ['author: "ann lee"', []],
    ] as const) {
      const { books } = await server.client().data(`{ books(query: "0306406152", ${more}) { nodes { title } } }`);
      expect(books.nodes.map(({ title }: { title: string }) => title)).toEqual(titles);
    }
  });
});

describe('one wrong letter', () => {
  beforeAll(async () => {
    await add('Harry Potter and the Xylophone', { authors: ['J. K. Rowling'] });
    await add('Pottery for Beginners');
    await add('Straße der Wüste');
  });

  test.each([
    ['hary poter', 'Harry Potter and the Xylophone'],
    ['hrary potter', 'Harry Potter and the Xylophone'],
    ['harrry pottter', 'Harry Potter and the Xylophone'],
    ['harri rowlimg', 'Harry Potter and the Xylophone'],
    ['xlyophone', 'Harry Potter and the Xylophone'],
    ['ylophone', 'Harry Potter and the Xylophone'],
    ['xylophones', 'Harry Potter and the Xylophone'],
    ['wusde strase', 'Straße der Wüste'],
  ])('%s finds %s', async (query, title) => {
    expect(await found(query)).toEqual([title]);
  });

  test.each(['xlyophnoe', 'hry xylophone', 'harry xylofone', 'zarri poder'])(
    '%s has more, and finds nothing',
    async (query) => {
      expect(await found(query)).toEqual([]);
    },
  );

  test('is forgiven only if there is no exact match', async () => {
    await add('Xylophono');
    expect(await found('xylophono')).toEqual(['Xylophono']);
    expect((await found('xylophonu')).toSorted()).toEqual(['Harry Potter and the Xylophone', 'Xylophono']);
  });

  test('does not find a former title of a book, or a book that was removed', async () => {
    const id = await add('Zanzibarium');
    expect(await found('zanzibarim')).toEqual(['Zanzibarium']);
    await administrator.mutate('updateBook', { bookId: id, title: 'Quetzalia' }, 'book { id }');
    expect([await found('zanzibarim'), await found('quetzlia')]).toEqual([[], ['Quetzalia']]);
    await removeBook(server.app, keyOf(id));
    expect(await found('quetzlia')).toEqual([]);
  });

  test('has every book once in pages of any size and in both directions', async () => {
    const titles = Array.from({ length: 9 }, (_, index) =>
      `Wolfgangus ${index % 2 === 0 ? 'Wolfgangas' : ''} ${index}`.replace('  ', ' '),
    );
    for (const title of titles) await add(title);
    for (const size of [1, 2, 4, 20])
      for (const direction of ['forward', 'backward'] as const) {
        const edges = await server.client().allPages(size, direction, (args) =>
          server
            .client()
            .data(`{ books(query: "wolfgangxs", ${args}) { edges { cursor node { title } } ${PAGE_INFO} } }`)
            .then(({ books }) => books),
        );
        expect(edges.map(({ node }) => node.title as string).toSorted()).toEqual(titles.toSorted());
      }
  });
});

test('two words differ by one letter exactly if their Damerau–Levenshtein distance is 1', () => {
  const letter = fc.constantFrom<string>('a', 'b', '𝔸');
  const aWord = fc.array(letter, { maxLength: 6 });
  fc.assert(
    fc.property(aWord, aWord, (one, other) => {
      const swapped = one.slice(1).map((_, index) => one.toSpliced(index, 2, one[index + 1]!, one[index]!));
      const left = one.map((_, index) => one.toSpliced(index, 1));
      const letters = ['a', 'b', '𝔸'];
      const added = [...one, ''].flatMap((_, index) => letters.map((each) => one.toSpliced(index, 0, each)));
      const replaced = one.flatMap((_, index) => letters.map((each) => one.toSpliced(index, 1, each)));
      const near = new Set([...swapped, ...left, ...added, ...replaced].map((each) => each.join('')));
      near.delete(one.join(''));
      if (one.join('') !== other.join(''))
        expect(isOneAway(one.join(''), other.join(''))).toBe(near.has(other.join('')));
    }),
    { numRuns: 2_000 },
  );
});
