import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';

/** Books as people look for them: without the letters that their keyboards lack, with what a paste brings along. */

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
    for (const title of ['Die Straße', 'Benim Adım Kırmızı', 'दिन', 'दान', 'かき', 'がき', 'กิน', 'กาน', 'D’Artagnan', 'Tess of the D´Urbervilles', "L'Étranger", 'Don’t Look Now']) await add(title); // prettier-ignore
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
  ])('%s is %s first', async (query, title) => {
    expect((await found(query))[0]).toBe(title);
  });

  test('that are the query come first, by pages of any size and in both directions', async () => {
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

  test('that a book has no longer do not find it', async () => {
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

  test('narrowed by an author or a genre that its book has not got finds nothing', async () => {
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
