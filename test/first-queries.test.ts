import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { countGenres } from '../src/catalogue/genres.ts';
import { importLibraries } from '../src/libraries/import.ts';
import { ownKeyspace, startServer } from './support/app.ts';
import { importSample } from './support/books.ts';
import type { Client } from './support/client.ts';

/**
 * The queries that people send before they have read anything. Each returns data, or an error that
 * explains what to send instead.
 */

let client: Client;

beforeAll(async () => {
  const server = await startServer(await ownKeyspace());
  await importSample(server.app);
  await countGenres(server.app);
  const file = join(await mkdtemp(join(inject('folder'), 'libraries-')), 'libraries.csv');
  await writeFile(
    file,
    `State,Library ID,Library Name,Street Address,City,Zip Code,Longitude,Latitude
OR,OR0001,SALEM PUBLIC LIBRARY,585 LIBERTY STREET,SALEM,97301,-123.0405,44.9368
MA,MA0001,SALEM PUBLIC LIBRARY,370 ESSEX STREET,SALEM,01970,-70.8995,42.5208`,
  );
  await importLibraries(server.app, file);
  client = server.client();
  await client.registerSomebody();
});

const VALUES_OF_WINDOW = '"TrendingWindow" has the values ';

describe('a query that people send first', () => {
  test.each([
    [
      '{ me { fullName } }',
      /^Cannot query field "me" on type "Query"\. "Query" has the fields viewer, node, nodes, book, /,
    ],
    ['{ search(query: "hunger") { title } }', /^Cannot query field "search" on type "Query"\. .*book, books, /],
    ['{ books { title } }', /on type "BookConnection"\. "BookConnection" has the fields edges, nodes, pageInfo, /],
    [
      '{ books }',
      'Field "books" of type "BookConnection" must have a selection of subfields. Did you mean "books { ... }"?',
    ],
    [
      '{ books(limit: 5) { nodes { title } } }',
      'Unknown argument "limit" on field "Query.books". Did you mean "first" or "last"?',
    ],
    [
      '{ book(isbn: 9780439023481) { title } }',
      '"isbn": String cannot represent a non string value. A text is in quotes.',
    ],
    ['{ book(id: "1") { title } }', 'Unknown argument "id" on field "Query.book". "book" has the arguments isbn.'],
    ['{ book(isbn: "97804390234") { title } }', /an ISBN has 10 digits, or 13, and this has 11\.$/],
    ['{ book(isbn: "9780439023481") { titel } }', 'Cannot query field "titel" on type "Book". Did you mean "title"?'],
    ['{ trending(window: DAILY) { nodes { id } } }', expect.stringContaining(VALUES_OF_WINDOW)],
    ['{ trending(window: "DAY") { nodes { id } } }', expect.stringContaining(VALUES_OF_WINDOW)],
    [
      '{ books(orderBy: NEWEST) { nodes { title } } }',
      /"BookOrder" has the values POPULARITY, TITLE, PUBLISHED, ADDED\.$/,
    ],
    [
      '{ books(genre: "Fantasy", orderBy: TITLE) { nodes { title } } }',
      /Leave it out with "query", "author" or "genre"/,
    ],
    [
      '{ libraries(state: "OR", city: "Salem") { nodes { name } } }',
      'The argument "state" needs "country", such as "US". Without both, the whole world is searched.',
    ],
    [
      '{ libraries { nodes { name } } }',
      'Give the argument "city", such as "Salem", or "near", such as { latitude: 44.94, longitude: -123.04, withinKm: 10 }.',
    ],
    ['{ node(id: "5") { id } }', 'The argument "id" is not an id; send an id exactly as an id field returned it.'],
    [
      'mutation { like(bookId: "x") { changed } }',
      'Unknown argument "bookId" on field "Mutation.like". "like" has the arguments input. "LikeInput" has the fields id.',
    ],
    [
      'mutation { register(input: { email: "a@example.com", pass: "x" }) { accessToken } }',
      /Field "pass" is not defined by type "RegisterInput"\. "RegisterInput" has the fields email, password, fullName/,
    ],
    [
      'mutation { markAsRead(input: { bookId: "x", readAt: "2026-03-01" }) { changed } }',
      '"readAt": A DateTime is a moment of the years 1 to 9999 in the format of RFC 3339, such as 2026-03-01T09:30:00Z.',
    ],
  ])('%s says what would work', async (query, message) => {
    const { errors } = await client.send(query);
    const messages = errors?.map((error) => error.message);
    expect(messages).toContainEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  });

  test.each([
    [
      '$window: TrendingWindow!',
      'trending(window: $window) { nodes { id } }',
      { window: 'weekly' },
      expect.stringContaining(VALUES_OF_WINDOW),
    ],
    [
      '$isbn: String!',
      'book(isbn: $isbn) { id }',
      { isbn: 9_780_439_023_481 },
      expect.stringMatching(/A text is in quotes\.$/),
    ],
    [
      '$from: DateTime',
      'viewer { actions(from: $from) { nodes { at } } }',
      { from: '2026-03-01' },
      expect.stringMatching(/such as 2026-03-01T09:30:00Z\.$/),
    ],
  ])('(%s) { %s } with %j says what would work, and not what was sent', async (variables, fields, values, message) => {
    const { errors } = await client.send(`query (${variables}) { ${fields} }`, values);
    expect(errors?.map((error) => error.message)).toEqual([message]);
    for (const value of Object.values(values)) expect(errors?.[0]?.message).not.toContain(`: ${String(value)}`);
  });

  test.each([
    ['{ books(first: 3) { nodes { title authors likeCount } } }', { books: { nodes: [{}, {}, {}] } }],
    [
      '{ books(query: "hunger games", first: 1) { nodes { title } } }',
      { books: { nodes: [{ title: expect.stringContaining('Hunger Games') }] } },
    ],
    [
      '{ books(orderBy: TITLE, first: 1) { nodes { title } } }',
      { books: { nodes: [{ title: expect.stringMatching(/^\W*\d/) }] } },
    ],
    [
      '{ books(orderBy: PUBLISHED, first: 1) { nodes { publishedYear } } }',
      { books: { nodes: [{ publishedYear: 2016 }] } },
    ],
    ['{ books(orderBy: ADDED, first: 1) { nodes { title } } }', { books: { nodes: [{}] } }],
    [
      '{ books(author: "Tolkien", first: 1) { nodes { authors } } }',
      { books: { nodes: [{ authors: expect.arrayContaining(['J.R.R. Tolkien']) }] } },
    ],
    [
      '{ books(author: "collins suzanne", query: "cathing fire") { nodes { title } } }',
      { books: { nodes: [{ title: expect.stringContaining('Catching Fire') }] } },
    ],
    [
      '{ books(genre: "Fantasy", author: "Sanderson", first: 1) { nodes { genres } similarGenres { name } } }',
      {
        books: { nodes: [{ genres: expect.arrayContaining(['Fantasy']) }], similarGenres: [] },
      },
    ],
    [
      '{ books(query: "0-439-02348-3", author: "Collins") { nodes { isbn } } }',
      { books: { nodes: [{ isbn: '9780439023481' }] } },
    ],
    ['{ books(query: "0-439-02348-3") { nodes { isbn } } }', { books: { nodes: [{ isbn: '9780439023481' }] } }],
    ['{ book(isbn: "0439023483") { title } }', { book: { title: expect.stringContaining('Hunger Games') } }],
    [
      '{ viewer { fullName likes { nodes { title } } readBooks { nodes { title } } } }',
      { viewer: { likes: { nodes: [] } } },
    ],
    [
      '{ viewer { currency shelf { nodes { title } count { value } } blocked { totalCount } } }',
      { viewer: { currency: null, shelf: { nodes: [], count: { value: 0 } }, blocked: { totalCount: 0 } } },
    ],
    [
      '{ books(query: "hunger games", first: 1) { count { value isExact } } }',
      { books: { count: { value: expect.any(Number), isExact: true } } },
    ],
    [
      '{ libraries(city: "Salem") { nodes { name city state } } }',
      {
        libraries: {
          nodes: ['Massachusetts', 'Oregon'].map((state) => ({ name: 'Salem Public Library', city: 'Salem', state })),
        },
      },
    ],
    [
      '{ libraries(near: { latitude: 44.94, longitude: -123.04, withinKm: 10 }) { edges { distanceKm node { city } } } }',
      { libraries: { edges: [{ distanceKm: 0.358, node: { city: 'Salem' } }] } },
    ],
    [
      '{ states(country: "US") { nodes { name } } }',
      { states: { nodes: [{ name: 'Massachusetts' }, { name: 'Oregon' }] } },
    ],
    ['{ currencies { code } }', { currencies: expect.arrayContaining([{ code: 'EUR' }]) }],
    ['{ trending(window: WEEK) { nodes { title } } }', { trending: { nodes: [] } }],
  ])('%s gives data', async (query, data) => {
    expect(await client.data(query)).toMatchObject(data);
  });

  test.each([
    ['Fiction', 'Nonfiction'],
    ['Sci-Fi', 'Science Fiction'],
    ['childrens books', "Children's"],
    ['Romnace', 'Romance'],
  ])('books of the unknown genre %s are none, and %s is suggested', async (genre, similar) => {
    const { books } = await client.data(
      'query ($genre: String) { books(genre: $genre) { nodes { id } similarGenres { name bookCount } } }',
      { genre },
    );
    expect(books.nodes).toEqual([]);
    expect(books.similarGenres).toContainEqual({ name: similar, bookCount: expect.any(Number) });
  });
});
