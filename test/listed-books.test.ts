import fc from 'fast-check';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeBook, updateBook } from '../src/catalogue/operations.ts';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import { doJobsOf } from '../src/jobs/operations.ts';
import { loadLikes } from '../tools/bulk/likes.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf, ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { as } from './support/likers.ts';
import { statementsOf } from '../tools/support/statements.ts';

/**
 * Lists show books from their rows if a row has all requested fields. A page then reads no book,
 * and shows the same as if it had read the books.
 */

let server: TestServer;
let administrator: Client;
let reader: Client;
let viewer: Client;
/** Books that the reader likes, some without most fields, and one removed book. */
let books: string[];

let lastDigits = 979_200_000_000 + (Date.now() % 10 ** 8);

async function addBook(fields: object = {}): Promise<string> {
  const input = { isbn: isbnOf(lastDigits++), title: 'A title', authors: ['Ann Lee', 'Bo'], ...fields };
  return (await administrator.mutate('addBook', input, 'book { id }')).book.id as string;
}

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
  [reader, viewer] = await Promise.all([server.client().registerSomebody(), server.client().registerSomebody()]);
  const whole = { originalTitle: 'Ein Titel', publishedYear: 1998, languageCode: 'eng', genres: ['Fantasy'], pages: 7 };
  books = [
    await addBook(),
    await addBook({ ...whole, publisher: 'Tor', publishedOn: '1998-05' }),
    ...(await ownBooks(server.app, 2)),
    await addBook({ title: 'Gone', authors: ['Cy'] }),
  ];
  for (const id of books) await reader.like(id);
  await removeBook(server.app, keyOf(books.at(-1)!));
  await viewer.like(books[1]!);
  await viewer.mutate('markAsRead', { bookId: books[0] }, 'book { id }');
});

/** A requested field: its arguments, and its selection. */
type Field = readonly [args: string, selection: string];

/** The fields that a row has, and the fields of other features, which need only the id. */
const BY_ROW: Readonly<Record<string, Field>> = {
  __typename: ['', ''],
  id: ['', ''],
  isbn: ['', ''],
  title: ['', ''],
  authors: ['', ''],
  likeCount: ['', ''],
  viewerHasLiked: ['', ''],
  viewerLikedAt: ['', ''],
  likeTally: ['', '{ count isExact }'],
  likers: ['(first: 2)', '{ totalCount nodes { id } }'],
  knownLikers: ['(first: 2)', '{ count isExact nodes { id } }'],
  copies: ['(first: 1)', '{ nodes { id } }'],
  viewerReading: ['', '{ status }'],
  viewerRating: ['', ''],
  ratingTally: ['', '{ count isExact }'],
  viewerReview: ['', '{ text }'],
  reviews: ['(first: 1)', '{ nodes { text } }'],
  alsoLiked: ['(first: 1)', '{ nodes { id } }'],
  activity: ['(granularity: DAY, from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z")', '{ likes }'],
};
/** The fields for which the book is read. */
const BY_BOOK = [
  'originalTitle',
  'publishedYear',
  'languageCode',
  'genres',
  'publisher',
  'pages',
  'publishedOn',
  'coverUrl',
  'averageRating',
  'ratingsCount',
  'work',
  'otherIsbns',
  'series',
  'description',
];
/** The selections of those of them that are objects. */
const SELECTIONS: Readonly<Record<string, string>> = { work: '{ id }', series: '{ position }' };
const NAMES = [...Object.keys(BY_ROW), ...BY_BOOK];
const NAMES_OF = {
  Book: NAMES,
  Node: ['__typename', 'id'],
  Likeable: ['__typename', 'id', 'title', 'likeCount', 'viewerHasLiked', 'viewerLikedAt', 'likeTally'],
} as const;

/** A part of the selection of a node. */
interface Asked {
  readonly type: keyof typeof NAMES_OF;
  readonly isNamed: boolean;
  readonly directive: string;
  readonly fields: readonly { readonly name: string; readonly alias: string | null; readonly directive: string }[];
}

const directive = fc.constantFrom('', '', '', '@include(if: $yes)', '@skip(if: $yes)');

const askedOf = (names: readonly string[]): fc.Arbitrary<Asked[]> => {
  const partOf = (type: Asked['type']) =>
    fc.record({
      type: fc.constant(type),
      isNamed: fc.boolean(),
      directive,
      fields: fc.array(
        fc.record({
          name: fc.constantFrom(...NAMES_OF[type].filter((name) => names.includes(name))),
          alias: fc.option(fc.constantFrom('title', 'authors', 'genres', 'isRemoved', 'type')),
          directive,
        }),
        { minLength: 1, maxLength: 4 },
      ),
    });
  return fc.array(fc.constantFrom('Book', 'Node', 'Likeable').chain(partOf), { minLength: 1, maxLength: 3 });
};
/** Half of them can be answered from rows. */
const someAsked = fc.oneof(askedOf(Object.keys(BY_ROW)), askedOf(NAMES));

/** Writes a selection and its named fragments. An alias that is taken is replaced. */
function written(asked: readonly Asked[], prefix: string) {
  const taken = new Map<string, string>();
  const fragments: string[] = [];
  const fieldOf = ({ name, alias, directive: only }: Asked['fields'][number]) => {
    const wanted = alias ?? name;
    const called = (taken.get(wanted) ?? name) === name ? wanted : `x${taken.size}`;
    taken.set(called, name);
    const [args, selection] = BY_ROW[name] ?? ['', SELECTIONS[name] ?? ''];
    return `${called}: ${name}${args} ${only} ${selection}`;
  };
  const parts = asked.map(({ type, isNamed, directive: only, fields }, index) => {
    const within = `{ ${fields.map(fieldOf).join(' ')} }`;
    if (!isNamed) return `... on ${type} ${only} ${within}`;
    fragments.push(`fragment ${prefix}${index} on ${type} ${within}`);
    return `...${prefix}${index} ${only}`;
  });
  return { selection: parts.join(' '), fragments: fragments.join(' ') };
}

/** Reads the books that the reader likes, and the other requested data. */
const ask = (likes: string, more = '', fragments = '', variables: object = { yes: true }) =>
  viewer.data(
    `query ($id: ID!, $yes: Boolean!) {
       __typename @include(if: $yes)
       node(id: $id) { ... on User { ${likes} } }
       ${more}
     } ${fragments}`,
    { id: reader.viewerId, ...variables },
  );

test('the fields of these tests are all fields of a book', async () => {
  const { __type: type } = await server.client().data('{ __type(name: "Book") { fields { name } } }');
  const names = type.fields.map(({ name }: { name: string }) => name) as string[];
  expect(['__typename', ...names].toSorted()).toEqual(NAMES.toSorted());
});

describe('a page of likes', () => {
  test('shows the same data as the book itself for any selection, and reads the book only if necessary', async () => {
    await fc.assert(
      fc.asyncProperty(someAsked, someAsked, fc.boolean(), async (first, second, yes) => {
        const [one, other] = [written(first, 'A'), written(second, 'B')];
        const fragments = `${one.fragments} ${other.fragments}`;
        const lists = (also: string) =>
          `one: likes(of: BOOK) { nodes { ${also} ${one.selection} } }
           other: likes(of: BOOK) { edges { node { ${also} ${other.selection} } } }`;
        // The page is requested together with another page and with the books themselves.
        const ids = JSON.stringify(books.toReversed());
        const found = await ask(lists(''), `books: nodes(ids: ${ids}) { ${one.selection} }`, fragments, { yes });
        const read = await ask(lists('... on Book { read: genres }'), '', fragments, { yes });

        const without = ({ read: _read, ...rest }: Record<string, unknown>) => rest;
        expect(found.node.one.nodes).toEqual(read.node.one.nodes.map(without));
        expect(found.node.other.edges).toEqual(
          read.node.other.edges.map(({ node }: { node: Record<string, unknown> }) => ({ node: without(node) })),
        );
        // A removed book is in the lists of its likers only.
        expect(found.books).toEqual([null, ...found.node.one.nodes.slice(1)]);

        const statements = await statementsOf(server, () =>
          ask(`likes(of: BOOK) { nodes { ${one.selection} } }`, '', one.fragments, { yes }),
        );
        const names = first.flatMap(({ fields }) => fields.map(({ name }) => name));
        expect(statements.has('SELECT books'), one.selection).toBe(names.some((name) => BY_BOOK.includes(name)));
      }),
      { numRuns: runs(60, 8) },
    );
  });

  test('shows copies and books together, and reads only the copies', async () => {
    const owner = await server.client().registerSomebody();
    const price = { amount: '5', currency: 'EUR' };
    const copy = { bookId: books[0], price, condition: 'GOOD', title: 'Signed by the author' };
    const { item } = await owner.mutate('listItem', copy, 'item { id }');
    await owner.like(books[0]!);
    await owner.like(item.id);

    const query =
      '{ viewer { likes { edges { title node { __typename title likeCount ... on Book { authors } ... on Item { price { amount } } } } } } }';
    const statements = await statementsOf(server, async () => {
      expect((await owner.data(query)).viewer.likes.edges).toEqual([
        {
          title: 'Signed by the author',
          node: { __typename: 'Item', title: 'Signed by the author', likeCount: 1, price: { amount: '5.00' } },
        },
        { title: 'A title', node: { __typename: 'Book', title: 'A title', likeCount: 2, authors: ['Ann Lee', 'Bo'] } },
      ]);
    });
    expect([...statements.keys()]).not.toContain('SELECT books');
  });

  test('shows books whose likes were loaded in bulk', async () => {
    const owner = await server.client().registerSomebody();
    const { app } = server;
    const like = { userId: keyOf(owner.viewerId), fullName: 'Somebody', likedAt: new Date() };
    const book = { likeableId: storedIdOf(books[1]!), title: 'A title', authors: ['Ann Lee', 'Bo'] };
    const log = new ActionsInBulk();
    await loadLikes(app, [{ ...like, ...book }], log);
    await log.write(app);

    const statements = await statementsOf(server, async () => {
      const { viewer: found } = await owner.data('{ viewer { likes { nodes { title ... on Book { authors } } } } }');
      expect(found.likes.nodes).toEqual([{ title: 'A title', authors: ['Ann Lee', 'Bo'] }]);
    });
    expect([...statements.keys()]).not.toContain('SELECT books');
  });
});

describe('other authors and a new title', () => {
  const KEPT_MS = 1_000;
  const QUERY = `query ($id: ID!) {
    node(id: $id) { ... on User { likes { edges { title node { title ... on Book { authors } } } } } }
  }`;
  const look = async (of: TestServer, owner: Client) =>
    (await of.client().data(QUERY, { id: owner.viewerId })).node.likes.edges as object[];
  const shown = (title: string, authors: string[]) => [{ title, node: { title, authors } }];

  test('are in the rows of likes when updateBook has answered', async () => {
    const [book, owner] = [await addBook(), await server.client().registerSomebody()];
    await owner.like(book);
    let now = { title: 'A title', authors: ['Ann Lee', 'Bo'] };
    for (const change of [{ authors: ['Dee'] }, { title: 'Another' }, { authors: ['Eve', 'Flo'], title: 'A third' }]) {
      expect((await administrator.mutate('updateBook', { bookId: book, ...change }, '')).userErrors).toEqual([]);
      now = { ...now, ...change };
      const statements = await statementsOf(server, async () => {
        expect(await look(server, owner)).toEqual(shown(now.title, now.authors));
      });
      expect([...statements.keys()]).not.toContain('SELECT books');
    }
  });

  test('are shown once updateBook has answered, by any server, even if its job is unfinished', async () => {
    let now = 1_000;
    const config = { ...server.app.config, shownAgeMaxMs: KEPT_MS };
    const [here, beside] = [await startServer(config, { monotonicNow: () => now }), await startServer(config)];
    const [book, owner] = [await addBook(), await server.client().registerSomebody()];
    await owner.like(book);
    const before = shown('A title', ['Ann Lee', 'Bo']);
    expect([await look(here, owner), await look(beside, owner)]).toEqual([before, before]);

    const { app } = server;
    const slow = async () => {
      await look(beside, owner);
      await setTimeout(100);
      return 'likes ';
    };
    const slowApp = { ...app, config, jobHandlers: { ...app.jobHandlers, RETITLE: slow } };
    const by = as(slowApp, keyOf(administrator.viewerId));
    await updateBook(by, { bookId: book, title: 'Another', authors: ['Dee'] });
    now += 2 * KEPT_MS;
    const after = shown('Another', ['Dee']);
    expect([await look(here, owner), await look(beside, owner)]).toEqual([after, after]);
    const { rows } = await app.cassandra.client.execute(
      'SELECT title FROM item_by_user WHERE likeable_id = ? ALLOW FILTERING',
      [storedIdOf(book)],
    );
    expect(rows.map((row) => row['title'] as string)).toEqual(['A title']);

    await doJobsOf(app, { type: 'Book', key: keyOf(book) });
    now += 2 * KEPT_MS;
    const statements = await statementsOf(here, async () => {
      expect(await look(here, owner)).toEqual(after);
    });
    expect([...statements.keys()]).not.toContain('SELECT books');
  });
});
