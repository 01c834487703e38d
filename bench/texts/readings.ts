import { parse } from 'graphql';
import { z } from 'zod';
import { normaliseEmail } from '../../src/accounts/emails.ts';
import { newPasswordInput } from '../../src/accounts/inputs.ts';
import { checkCode } from '../../src/accounts/second-factor.ts';
import type { Book } from '../../src/catalogue/book.ts';
import * as books from '../../src/catalogue/inputs.ts';
import { parseIsbn } from '../../src/catalogue/isbn.ts';
import { supportOf } from '../../src/catalogue/likeness.ts';
import { possibleTitleKeys, wordsIn } from '../../src/catalogue/listing.ts';
import { nameKey } from '../../src/catalogue/name-key.ts';
import { nameOf, readingsOf } from '../../src/catalogue/search-terms.ts';
import { clicksInput } from '../../src/clicks/inputs.ts';
import { readConfig } from '../../src/config/config.ts';
import { listNameIn } from '../../src/graphql/connections.ts';
import { withoutValues } from '../../src/graphql/errors.ts';
import { idArgument } from '../../src/graphql/ids.ts';
import { scalars } from '../../src/graphql/scalars.ts';
import { sealed } from '../../src/graphql/sealed.ts';
import { BODY_BYTES_MAX } from '../../src/http/admission.ts';
import { codingFor } from '../../src/http/compression.ts';
import { refusalOf, TOKENS_MAX } from '../../src/http/document-limits.ts';
import { requestIdOf } from '../../src/http/request-id.ts';
import { cityKey, countryKey, stateKey } from '../../src/libraries/geography.ts';
import { CellParser, uninverted } from '../../src/libraryimports/fields.ts';
import { textOfHtml } from '../../src/libraryimports/html.ts';
import { statusForShelf } from '../../src/libraryimports/shelf-names.ts';
import { parseAmount, parseLimit } from '../../src/market/money.ts';
import { spelled } from '../../src/passwords/passwords.ts';
import * as reviews from '../../src/reviews/inputs.ts';
import { sortKey } from '../../src/text/sorting.ts';
import { readShownText } from '../../src/text/text.ts';
import { hashedAddress } from '../../src/throttling/addresses.ts';
import { local } from '../../src/time/zones.ts';
import type { Limit, Worst } from './worst.ts';

/** A function that reads a text of a caller, and the longest text that reaches it. */
export interface Reading {
  readonly name: string;
  readonly limit: Limit;
  readonly read: (text: string) => unknown;
  /** Texts that are expensive only for this function. */
  readonly worst?: readonly Worst[];
  /** True for texts that only administrators send, who may wait. */
  readonly isOfAdministrators?: true;
}

/** The body of a GraphQL request. */
const BODY: Limit = { length: BODY_BYTES_MAX, measure: 'bytes' };
/** The maximum length of all headers of a request in Node. */
const HEADERS: Limit = { length: 16_384, measure: 'bytes' };
const units = (length: number): Limit => ({ length, measure: 'units' });
const points = (length: number): Limit => ({ length, measure: 'points' });
/** The maximum number of units of a shown text with so many characters; a longer one is refused. */
const shown = (length: number): Limit => units(2 * length + 1_000);
/** The longest title or name of the catalogue. */
const NAME = points(books.TEXT_LENGTH_MAX);
/** The part of a cell with a review or a list that is read. */
const CELL = units(20_000);

const config = readConfig({});
const NOW = new Date('2026-01-01T00:00:00Z');
const AUTHORS = 50;
const ID = '00000000-0000-4000-8000-000000000000';

const parser = () => new CellParser(NOW, null, true);
const base64url = (text: string) => Buffer.from(text.slice(0, BODY.length / 2)).toString('base64url');
const partsOf = (text: string, count: number): string[] => {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_part, index) => text.slice(index * length, (index + 1) * length));
};
const click = (target: string) => ({ id: ID, at: NOW, target, subjectId: null, properties: [] });
const bookCalled = (title: string) =>
  ({ title, originalTitle: `${title}.`, authors: Array.from({ length: AUTHORS }, () => title) }) as unknown as Book;
const listed = (title: string, authors: string[]) => ({ title, original_title: null, authors });

const OF_CATALOGUE: readonly Reading[] = [
  { name: 'an ISBN', limit: units(200), read: parseIsbn },
  { name: 'the terms of a search', limit: points(200), read: (text) => searched(text).map(nameOf) },
  { name: 'a search that is too long', limit: BODY, read: (text) => searched(text) },
  { name: 'the key of a name', limit: NAME, read: nameKey },
  { name: 'the sort key of a title', limit: NAME, read: sortKey },
  { name: 'the keys of a title', limit: NAME, read: possibleTitleKeys },
  { name: 'a title and authors like those of a book', limit: NAME, read: (text) => supported(text, AUTHORS) },
  { name: 'a title without authors like that of a book', limit: NAME, read: (text) => supported(text, 0) },
  { name: 'a language', limit: BODY, read: books.languageInput, isOfAdministrators: true },
  { name: 'a date', limit: BODY, read: books.dateInput, isOfAdministrators: true },
  { name: 'a cover', limit: BODY, read: (text) => books.coverInput(text, ['a.example']), isOfAdministrators: true },
  {
    name: 'genres',
    limit: BODY,
    read: (text) => books.genresInput(partsOf(text, 130)),
    isOfAdministrators: true,
  },
  {
    name: 'authors',
    limit: units(AUTHORS * 2_000),
    read: (text) => books.authorsInput(partsOf(text, AUTHORS)),
    isOfAdministrators: true,
  },
  { name: 'the words of a title', limit: NAME, read: (text) => wordsIn(listed(text, [])), isOfAdministrators: true },
];

const searched = (text: string) => readingsOf({ query: text, author: text, genre: text }).flat();
const supported = (text: string, authors: number) =>
  supportOf({ title: `other: ${text}`, authors: Array.from({ length: authors }, () => `${text}z`) }, bookCalled(text));

const OF_READERS: readonly Reading[] = [
  { name: 'a review', limit: shown(reviews.TEXT_LENGTH_MAX), read: reviews.textInput },
  { name: 'a note', limit: shown(1_000), read: (text) => readShownText(text, 1_000) },
  { name: 'a title', limit: shown(500), read: (text) => readShownText(text, 500) },
  { name: 'a name', limit: shown(100), read: (text) => readShownText(text, 100, 'REFUSED') },
  { name: 'a text that is too long', limit: BODY, read: (text) => readShownText(text, 500) },
  { name: 'the language of a review', limit: BODY, read: reviews.languageInput },
  {
    name: 'an email',
    limit: units(1_000),
    read: normaliseEmail,
    worst: [
      { name: 'many labels', begin: 'a@', run: 'é.', end: 'de' },
      { name: 'encoded labels', begin: 'a@', run: 'xn--a.', end: 'de' },
      { name: 'a domain with marks', begin: 'a@a', run: '\u0301\u0323', end: '.de' },
    ],
  },
  {
    name: 'a password',
    limit: points(256),
    read: (text) => newPasswordInput('password', text, 8, { fullName: text.slice(0, 100) }),
  },
  { name: 'a password that is too long', limit: BODY, read: (text) => newPasswordInput('password', text, 8, {}) },
  { name: 'the spelling of a password', limit: units(1_024), read: spelled },
  { name: 'a code', limit: BODY, read: (text) => checkCode(text, 'ANY') },
  { name: 'the target of a click', limit: BODY, read: (text) => clicksInput([click(text)], NOW) },
  { name: 'the targets of 400 clicks', limit: BODY, read: (text) => clicksInput(partsOf(text, 400).map(click), NOW) },
  { name: 'amounts', limit: BODY, read: (text) => [parseAmount(text, 2), parseLimit(text, 'UP')] },
  {
    name: 'a place',
    limit: points(200),
    read: (text) => [countryKey(text), stateKey('US', text), cityKey(text)],
  },
];

const OF_REQUESTS: readonly Reading[] = [
  { name: 'an id', limit: BODY, read: (text) => idArgument('id', text) },
  { name: 'what an id holds', limit: BODY, read: (text) => idArgument('id', base64url(`Library:US-${text}`)) },
  {
    name: 'a cursor',
    limit: BODY,
    read: (text) => listNameIn(base64url(text)),
    worst: [{ name: 'nested arrays', begin: '["a",', run: '[' }],
  },
  {
    name: 'a cursor that is not too long',
    limit: units(7_500),
    read: (text) => listNameIn(base64url(text)),
    worst: [
      { name: 'nested arrays', begin: '["a",', run: '[' },
      { name: 'numbers', begin: '["a"', run: ',1', end: ']' },
    ],
  },
  { name: 'a sealed text', limit: BODY, read: (text) => z.decode(sealed(config, z.string()), text) },
  { name: 'a Date', limit: BODY, read: scalars.Date.parseValue },
  { name: 'a DateTime', limit: BODY, read: scalars.DateTime.parseValue },
  { name: 'a Duration', limit: BODY, read: scalars.Duration.parseValue },
  { name: 'a UUID', limit: BODY, read: scalars.UUID.parseValue },
  { name: 'a time zone', limit: BODY, read: (text) => local(NOW, text) },
  {
    name: 'an error that repeats a value',
    limit: BODY,
    read: (text) => [`Variable "$a" got invalid value "${text}"; Expected`, `Int cannot: ${text}`].map(withoutValues),
  },
  {
    name: 'a document',
    limit: BODY,
    read: (text) => refusalOf(parse(text, { maxLexicalTokens: TOKENS_MAX })),
    worst: [
      { name: 'lines of a block', begin: '{a(b:"""', run: '\n ', end: '""")}' },
      { name: 'escapes', begin: '{a(b:"', run: '\\u0041', end: '")}' },
      { name: 'lines of comments', run: '#\n', end: '{a}' },
    ],
  },
  { name: 'the codings that a client accepts', limit: HEADERS, read: codingFor },
  { name: 'a trace', limit: HEADERS, read: (text) => requestIdOf({ headers: { traceparent: text } }) },
  { name: 'an address', limit: HEADERS, read: (text) => hashedAddress(config, text) },
];

const OF_CELLS: readonly Reading[] = [
  {
    name: 'HTML',
    limit: CELL,
    read: textOfHtml,
    worst: [
      { name: 'attributes of a tag', begin: '<i', run: ' a=b' },
      { name: 'attributes without values', begin: '<i', run: ' open =' },
      { name: 'ends of scripts', begin: '<script>', run: '</script ' },
      { name: 'items', run: '<li>' },
    ],
  },
  { name: 'the review of a cell', limit: CELL, read: (text) => parser().review(text) },
  { name: 'the title of a cell', limit: units(1_000), read: (text) => parser().title(text) },
  { name: 'shelves', limit: CELL, read: (text) => parser().shelves(text).map(statusForShelf) },
  { name: 'people', limit: CELL, read: (text) => parser().authors(parser().people(text)) },
  {
    name: 'people with their last names first',
    limit: CELL,
    read: (text) => parser().authors(parser().people(text, '|'), uninverted),
    worst: [{ name: 'names of commas', run: `${','.repeat(399)}|` }],
  },
  {
    name: 'days of readings',
    limit: CELL,
    read: (text) => parser().reads(text),
    worst: [{ name: 'ranges', run: '2021/03/01-2021/03/05,' }],
  },
  { name: 'ISBNs of two cells', limit: units(40_000), read: (text) => parser().isbns(...partsOf(text, 2)) },
  { name: 'a day', limit: CELL, read: (text) => parser().day(text) },
  { name: 'stars', limit: CELL, read: (text) => parser().stars(text) },
];

/** The functions that process a text without a pause. */
export const READINGS = [...OF_READERS, ...OF_CATALOGUE, ...OF_REQUESTS, ...OF_CELLS];
