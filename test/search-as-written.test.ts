import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf } from './support/books.ts';
import type { Client } from './support/client.ts';

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
