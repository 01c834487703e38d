import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXPORT_PATH } from '../../src/http/export.ts';
import { IMPORT_PATH } from '../../src/http/import.ts';
import type { Chance } from '../support/chance.ts';
import { Client, PASSWORD } from '../support/client.ts';
import { aboutOneBook, isbnOf, uploadOf } from './files.ts';
import type { FuzzRequest } from './requests.ts';
import { longText } from './texts.ts';
import { MOMENTS } from './values.ts';

/**
 * The ways in which one reader tries to bring a server down. Every round of an attack uses
 * different values.
 */

/** The attacking reader, and their knowledge. */
export interface Attacker {
  readonly url: string;
  readonly chance: Chance;
  /** The reader's token. Another account takes its place when its allowance is used up. */
  readonly client: Client;
  /** The ids of the reader's imports. */
  readonly imports: string[];
  /** The ids of books that all attackers know. */
  readonly books: readonly string[];
  readonly administrator: Client;
  /** The number of attackers. */
  readonly readers: number;
  /** Sends a request, checks its answer, and returns the body. */
  readonly send: (request: FuzzRequest) => Promise<string>;
}

const headersOf = ({ client }: Attacker, type: string): Record<string, string> => ({
  ...client.headers,
  'content-type': type,
  authorization: `Bearer ${client.token ?? ''}`,
});

/** Sends an operation. */
function ask(by: Attacker, query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const body = Buffer.from(JSON.stringify({ query, variables }));
  return by.send({ method: 'POST', path: '/graphql', headers: headersOf(by, 'application/json'), body });
}

const mutate = (by: Attacker, field: string, input: unknown): Promise<string> => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  return ask(by, `mutation ($input: ${type}) { ${field}(input: $input) { userErrors { code } } }`, { input });
};

/** Sends a file, and keeps the id of its import. */
async function upload(by: Attacker, { body, name }: { readonly body: Buffer; readonly name: string }): Promise<void> {
  const path = `${IMPORT_PATH}?${encodeURIComponent(name)}`;
  const answer = await by.send({ method: 'POST', path, headers: headersOf(by, 'text/csv'), body });
  const [, id] = /^\{"id":"([^"]+)"/.exec(answer) ?? [];
  if (id !== undefined && !by.imports.includes(id)) by.imports.push(id);
}

const download = (by: Attacker, reads: 'AT_ONCE' | 'SLOWLY' = 'AT_ONCE'): Promise<string> => {
  const body = Buffer.from(JSON.stringify({ password: PASSWORD, format: by.chance.pick(['JSON', 'GOODREADS']) }));
  return by.send({ method: 'POST', path: EXPORT_PATH, headers: headersOf(by, 'application/json'), body, reads });
};

/** Repeats a part of a document many times. */
const many = (count: number, written: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => written(index)).join(' ');

const together = (count: number, work: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, work));

/** A field that takes a text, with everything else that it needs. */
const TEXT_FIELDS: Readonly<Record<string, (text: string, by: Attacker) => unknown>> = {
  writeReview: (text, { books, chance }) => ({ bookId: chance.pick(books), text, hasSpoilers: false }),
  createList: (text) => ({ name: 'A list', description: text, audience: 'EVERYONE' }),
  updateProfile: (fullName) => ({ fullName }),
  startSession: (device) => ({ device }),
  register: (fullName) => ({ fullName, email: fullName, password: PASSWORD }),
  listItem: (title, { books, chance }) => ({
    bookId: chance.pick(books),
    title,
    condition: 'GOOD',
    price: { amount: '1', currency: 'EUR' },
  }),
  report: (comment, { books, chance }) => ({ id: chance.pick(books), reason: 'OTHER', comment }),
  mapImportShelf: (shelf, { imports }) => ({ importId: imports.at(-1) ?? '', shelf, becomes: 'READ' }),
};

const ALIASES_MAX = 90;
const SEARCHES = [
  'books(query: $text)',
  'books(author: $text)',
  'books(genre: $text)',
  'cities(country: "US", state: $text)',
];

async function texts(by: Attacker): Promise<void> {
  const { chance } = by;
  const text = longText(chance);
  if (chance.chance(0.2)) {
    const search = chance.pick(SEARCHES);
    const fields = many(1 + chance.below(ALIASES_MAX), (at) => `s${at}: ${search} { nodes { __typename } }`);
    await ask(by, `query ($text: String!) { ${fields} }`, { text });
    return;
  }
  const field = chance.pick(Object.keys(TEXT_FIELDS));
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const count = chance.pick([1, 11, ALIASES_MAX]);
  const fields = many(count, (at) => `m${at}: ${field}(input: $input) { userErrors { code } }`);
  await ask(by, `mutation ($input: ${type}) { ${fields} }`, { input: TEXT_FIELDS[field]?.(text, by) });
}

/** Uses one long value in many places, or requests all fields for one long text. */
async function repetitions(by: Attacker): Promise<void> {
  const { chance, books } = by;
  const text = chance.pick(['A'.repeat(240_000), '_'.repeat(240_000), longText(chance)]);
  const nested = '['.repeat(90_000) + ']'.repeat(90_000);
  const cursor = Buffer.from(chance.pick([nested, `["books",${nested}]`, text])).toString('base64url');
  switch (chance.below(4)) {
    case 0:
      await ask(by, `query ($t: ID!) { ${many(ALIASES_MAX, (at) => `n${at}: node(id: $t) { id }`)} }`, { t: text });
      return;
    case 1:
      await ask(by, `query ($t: ID!) { nodes(ids: [${many(ALIASES_MAX, () => '$t,')}]) { id } }`, { t: text });
      return;
    case 2:
      await ask(
        by,
        `query ($t: String!) { ${many(ALIASES_MAX, (at) => `b${at}: books(after: $t) { nodes { id } }`)} }`,
        {
          t: cursor.slice(0, 240_000),
        },
      );
      return;
    default: {
      const id = chance.pick(books);
      await mutate(by, 'writeReview', { bookId: id, text: `ж${'"'.repeat(9_990)}`, hasSpoilers: false });
      const review = `viewerReview { ${many(ALIASES_MAX, (at) => `t${at}: text`)} }`;
      await ask(by, `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { ${review} } } }`, {
        ids: Array.from({ length: ALIASES_MAX }, () => id),
      });
    }
  }
}

/** Sends a body with more values than anybody needs. */
const values = (by: Attacker): Promise<string> => {
  const body = Buffer.from(`{"query":"{ __typename }","x":[${'{},'.repeat(by.chance.below(80_000))}{}]}`);
  return by.send({ method: 'POST', path: '/graphql', headers: headersOf(by, 'application/json'), body });
};

/** A document with fragments that validation compares with each other. */
function fragments({ chance, books }: Attacker): string {
  const count = 20 + chance.below(60);
  const names = Array.from({ length: count }, (_, index) => `F${index}`);
  const made = names.map(
    (name, index) =>
      `fragment ${name} on Book {
        ${chance.pick(['id', 'title', `a${index}: id`, 'likers { edges { node { id } } }'])}
      }`,
  );
  const spread = (from: number, to: number) =>
    names
      .slice(from, to)
      .map((name) => `...${name}`)
      .join(' ');
  const half = chance.pick([0, Math.floor(count / 2)]);
  const id = `node(id: "${chance.pick(books)}")`;
  return `{ n: ${id} { ${spread(0, count - half)} } n: ${id} { ${spread(half, count)} } } ${made.join(' ')}`;
}

const PAGES = [
  `{ books(first: 100) { nodes { id title authors genres publisher coverUrl likeCount
    ratingTally { count average } alsoLiked(first: 5) { nodes { title } } } } }`,
  '{ books(first: 25) { nodes { likers(first: 25) { nodes { fullName likes(first: 4) { edges { title } } } } } } }',
  '{ books(first: 40) { nodes { reviews(first: 20) { nodes { text author { fullName } } } } } }',
  `{ viewer { libraryImports(first: 5) { nodes { shelves { name lines }
    rows(first: 100) { nodes { title authors reason candidates { title } } } } } } }`,
  `{ viewer { libraryImports(first: 5) { nodes { rows(first: 100, status: FAILED) { nodes { title reason } } } }
    unlistedBooks(first: 100) { nodes { title } } } }`,
];

/** Sends the head of a request, and its body a byte at a time. */
function sendByteByByte(by: Attacker, seconds: number): Promise<void> {
  const { hostname, port, host } = new URL(by.url);
  const headers = Object.entries({ host, ...headersOf(by, 'text/csv'), 'content-length': '9900000' });
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${IMPORT_PATH} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    const bytes = by.chance.chance(0.5) ? setInterval(() => socket.write('T'), 1_000) : undefined;
    const end = setTimeout(() => socket.destroy(), seconds * 1_000);
    socket.resume().on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(bytes);
      clearTimeout(end);
      resolve();
    });
  });
}

const HELD_SECONDS = 20;
const ARRIVES_AFTER_MS = 10_000;
/** The number of concurrent uploads, exports or pages of all attackers. */
const AT_ONCE = 32;

/** The attacks, by their names. Each call runs one round. */
export const ATTACKS: Readonly<Record<string, (by: Attacker) => Promise<unknown>>> = {
  /** Uses much memory, with many uploads, exports and deep pages at once. */
  memory: (by) => {
    const { chance, readers } = by;
    const count = Math.ceil(AT_ONCE / readers);
    switch (chance.below(4)) {
      case 0: {
        const file = uploadOf(chance, 1, 'as many lines as are taken, each as long as fits');
        return together(count, () => upload(by, file));
      }
      case 1:
        return together(count, () => download(by));
      default:
        return together(count, () => ask(by, chance.pick(PAGES)));
    }
  },
  files: (by) => upload(by, uploadOf(by.chance, by.chance.pick([1, 1, 0.2, 0.01]))),
  texts,
  repetitions,
  values,
  /** Makes the server fold titles that no book has. */
  folding: (by) =>
    upload(
      by,
      uploadOf(
        by.chance,
        by.chance.pick([0.1, 1]),
        by.chance.pick(['digits as titles', 'long texts as titles', 'long texts as authors']),
      ),
    ),
  /**
   * Sends many lines about one book. If the catalogue does not have it, it is added while they
   * wait.
   */
  'one book': async (by) => {
    const { chance } = by;
    if (chance.chance(0.5)) return upload(by, uploadOf(chance, 1, 'many lines about a book that is there'));
    const book = { title: `Awaited ${chance.uuid()}`, isbn: isbnOf(chance), authors: 'An Author' };
    await upload(by, aboutOneBook(chance, book, chance.pick([300, 5_000])));
    await sleep(ARRIVES_AFTER_MS);
    const { isbn, title } = book;
    return mutate({ ...by, client: by.administrator }, 'addBook', { isbn, title, authors: [book.authors] });
  },
  /** Asks for work that costs the server more than the reader. */
  work: (by) => {
    const { chance, imports } = by;
    const importId = imports.length === 0 ? '' : chance.pick(imports.slice(-3));
    switch (chance.below(6)) {
      case 0:
      case 1:
        return ask({ ...by, client: new Client(by.url) }, fragments(by));
      case 2:
        return mutate(by, 'mapImportShelf', {
          importId,
          shelf: 'of my own',
          becomes: chance.pick(['READ', 'READING']),
        });
      case 3:
        return mutate(by, 'publishImportedReviews', { importId });
      case 4:
        return mutate(by, 'resolveImportRow', { importId, line: 1 + chance.below(50), bookId: chance.pick(by.books) });
      default:
        return chance.chance(0.1) ? mutate(by, 'undoImport', { importId }) : ask(by, fragments(by));
    }
  },
  /**
   * Blocks the admission of requests, with bodies that never arrive and exports that are read very
   * slowly.
   */
  doors: (by) => {
    const count = Math.ceil(AT_ONCE / by.readers);
    return by.chance.chance(0.5)
      ? together(count, () => sendByteByByte(by, HELD_SECONDS))
      : together(count, () => download(by, 'SLOWLY'));
  },
  /** Asks about moments at the ends of time. */
  moments: (by) => {
    const { chance } = by;
    const [from, to] = [chance.pick(MOMENTS), chance.pick(MOMENTS)];
    const range = chance.pick(['(from: $from, to: $to)', '(from: $from)', '(to: $to)']);
    const used = ['from', 'to'].filter((name) => range.includes(`$${name}`));
    const declared = used.map((name) => `$${name}: DateTime`).join(', ');
    const field = chance.pick([
      `sessions(first: 5) { nodes { clicks${range} { nodes { id } } } }`,
      `sessions${range} { nodes { id } }`,
      `actions${range} { nodes { at } }`,
      `listings(listedBetween: ${range.replace('(', '{ ').replace(')', ' }')}) { nodes { id } }`,
    ]);
    return ask(by, `query (${declared}) { viewer { ${field} } }`, { from, to });
  },
};
