import { beforeAll, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';

/** Administrators take down the name of a reader or the title of a copy. */

let server: TestServer;
let administrator: Client;
let books: string[];

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  administrator = await registerAdministrator(server, 'Ada');
  books = await ownBooks(server.app, 3);
});

const ANSWER = 'node { __typename id ... on User { fullName } ... on Item { title } } changed';
const takeDown = (id: string, by = administrator, reason = 'It offends') =>
  by.mutate('takeDown', { id, reason }, ANSWER);
const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const list = async (seller: Client, title?: string) => {
  const { item } = await seller.mutate(
    'listItem',
    { bookId: books[0]!, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD', title },
    'item { id title }',
  );
  return item as { id: string; title: string };
};
const decisionsAbout = async (id: string) => {
  const { administration } = await administrator.data(
    'query ($id: ID!) { administration(id: $id) { edges { node { kind administrator { fullName } reason } } } }',
    { id },
  );
  return administration.edges as object[];
};
const eventsOf = async (reader: Client) =>
  (await reader.data('{ viewer { securityEvents { edges { node { kind } } } } }')).viewer.securityEvents.edges.map(
    ({ node }: { node: { kind: string } }) => node.kind,
  ) as string[];

test('a reader’s name is replaced by a neutral one everywhere, until they set another one', async () => {
  const reader = await somebody('Something bad');
  await reader.like(books[1]!);
  const likers = async () => {
    const { node } = await server
      .client()
      .data(`{ node(id: "${books[1]!}") { ... on Book { likers { edges { node { fullName } } } } } }`);
    return node.likers.edges as object[];
  };
  const node = { __typename: 'User', id: reader.viewerId, fullName: 'Reader' };
  expect(await takeDown(reader.viewerId)).toEqual({ node, changed: true, userErrors: [] });
  expect(await takeDown(reader.viewerId)).toEqual({ node, changed: false, userErrors: [] });
  expect(await likers()).toEqual([{ node: { fullName: 'Reader' } }]);
  const { viewer } = await reader.data('{ viewer { fullName readBooks { readerFullName } } }');
  expect(viewer).toEqual({ fullName: 'Reader', readBooks: { readerFullName: 'Reader' } });

  for (const fullName of ['Something bad', 'SOMETHING BÁD'])
    expect(await reader.mutate('updateProfile', { fullName }, 'viewer { fullName }')).toMatchObject({
      viewer: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'fullName'] }],
    });
  await reader.mutate('updateProfile', { fullName: 'Something good' }, 'viewer { id }');
  expect(await likers()).toEqual([{ node: { fullName: 'Something good' } }]);
  const decision = { kind: 'NAME_TAKEN_DOWN', administrator: { fullName: 'Ada' }, reason: 'It offends' };
  expect(await decisionsAbout(reader.viewerId)).toEqual([{ node: decision }]);
  expect(await eventsOf(reader)).toEqual(['NAME_TAKEN_DOWN', 'REGISTERED']);
});

test('a copy gets the title of its book, in every list', async () => {
  const [seller, reader] = [await somebody(), await somebody()];
  const [copy, plain] = [await list(seller, 'Something bad'), await list(seller)];
  await reader.like(copy.id);
  expect(await takeDown(copy.id)).toEqual({
    node: { __typename: 'Item', id: copy.id, title: plain.title },
    changed: true,
    userErrors: [],
  });
  expect(await takeDown(copy.id)).toMatchObject({ changed: false, userErrors: [] });
  expect(await takeDown(plain.id)).toMatchObject({ node: { title: plain.title }, changed: false, userErrors: [] });
  const lists = await reader.data(
    `query ($book: ID!, $seller: ID!) {
       book: node(id: $book) { ... on Book { copies { edges { title } } } }
       seller: node(id: $seller) { ... on User { dates: listings { edges { title } } prices: listings(orderBy: PRICE) { edges { title } } } }
       viewer { likes { edges { title node { ... on Item { title } } } } }
     }`,
    { book: books[0]!, seller: seller.viewerId },
  );
  const { title } = plain;
  for (const { edges } of [lists.book.copies, lists.seller.dates, lists.seller.prices])
    expect(edges).toEqual([{ title }, { title }]);
  expect(lists.viewer.likes.edges).toEqual([{ title, node: { title } }]);
  const decision = { kind: 'TITLE_TAKEN_DOWN', administrator: { fullName: 'Ada' }, reason: 'It offends' };
  expect(await decisionsAbout(copy.id)).toEqual([{ node: decision }]);
  expect(await decisionsAbout(plain.id)).toEqual([]);
  expect(await eventsOf(seller)).toEqual(['TITLE_TAKEN_DOWN', 'REGISTERED']);
  const change = { itemId: copy.id, price: { amount: '6', currency: 'EUR' } };
  expect((await seller.mutate('changePrice', change, 'item { title }')).item).toEqual({ title });
  expect(await decisionsAbout(copy.id)).toHaveLength(1);
});

test('invalid input is refused, naming the field, and nothing is changed; only administrators can take things down', async () => {
  const reader = await somebody('Something good');
  const nobody = (type: string) => Buffer.from(`${type}:00000000-0000-4000-8000-000000000000`).toString('base64url');
  const gone = await somebody();
  await gone.mutate('deleteAccount', { password: PASSWORD }, '__typename');
  for (const [id, reason, code, field] of [
    ['x', 'Why', 'INVALID_INPUT', 'id'],
    [books[0]!, 'Why', 'INVALID_INPUT', 'id'],
    [nobody('User'), 'Why', 'NOT_FOUND', 'id'],
    [nobody('Item'), 'Why', 'NOT_FOUND', 'id'],
    [gone.viewerId, 'Why', 'NOT_FOUND', 'id'],
    [reader.viewerId, '', 'INVALID_INPUT', 'reason'],
    [reader.viewerId, 'x'.repeat(1_001), 'INVALID_INPUT', 'reason'],
  ] as const)
    expect(await takeDown(id, administrator, reason), `${id} ${reason}`).toMatchObject({
      node: null,
      changed: false,
      userErrors: [{ code, path: ['input', field] }],
    });
  expect((await takeDown(reader.viewerId, reader)).userErrors).toMatchObject([{ code: 'FORBIDDEN', path: ['input'] }]);
  const query = 'mutation ($id: ID!) { takeDown(input: { id: $id, reason: "Why" }) { changed } }';
  expect(await server.client().errorCode(query, { id: reader.viewerId })).toBe('UNAUTHENTICATED');
  expect((await reader.data('{ viewer { fullName } }')).viewer.fullName).toBe('Something good');
  expect(await decisionsAbout(reader.viewerId)).toEqual([]);
});
