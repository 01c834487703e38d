import { beforeAll, describe, expect, test } from 'vitest';
import { idArgument } from '../src/graphql/ids.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';

/**
 * Lists of books are visible only to their audience, can be liked, and are deleted with their
 * owner.
 */

let server: TestServer;
let administrator: Client;
let books: string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
  books = await ownBooks(server.app, 2);
});

const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const keyIn = (id: string) => idArgument('id', id).key;

type Audience = 'EVERYONE' | 'SIGNED_IN' | 'ONLY_ME';
async function make(owner: Client, audience: Audience = 'EVERYONE', name = 'Best of all'): Promise<string> {
  const { list } = await owner.mutate('createList', { name, audience }, 'list { id }');
  return list.id as string;
}
const add = (owner: Client, listId: string, bookId: string, more: { note?: string; after?: string } = {}) =>
  owner.mutate('addToList', { listId, bookId, ...more }, 'changed');

const listsOf = async (reader: Client, userId: string): Promise<string[]> => {
  const { node } = await reader.data(
    `{ node(id: "${userId}") { ... on User { lists { nodes { id } count { value } } } } }`,
  );
  expect(node.lists.count.value).toBe(node.lists.nodes.length);
  return node.lists.nodes.map(({ id }: { id: string }) => id);
};

describe('privacy', () => {
  const likesOf = async (reader: Client, of = '') => {
    const edges = 'edges { title node { __typename id title } }';
    return (await reader.data(`{ viewer { likes${of} { ${edges} } } }`)).viewer.likes.edges;
  };
  const NODE = '... on BookList { name audience owner { id } viewerHasLiked likeCount likers { nodes { id } } }';
  const nodeFor = async (reader: Client, id: string) => (await reader.data(`{ node(id: "${id}") { ${NODE} } }`)).node;

  test('a list is shown only to its audience, in every field', async () => {
    const [owner, reader] = [await somebody(), await somebody()];
    const nobody = server.client();
    const [all, some, own] = [await make(owner), await make(owner, 'SIGNED_IN'), await make(owner, 'ONLY_ME')];
    for (const [client, shown] of [
      [owner, [own, some, all]],
      [reader, [some, all]],
      [nobody, [all]],
    ] as const) {
      expect(await listsOf(client, owner.viewerId)).toEqual(shown);
      for (const id of [all, some, own]) {
        const node = await nodeFor(client, id);
        expect(node !== null).toBe((shown as readonly string[]).includes(id));
        if (node) expect(node.audience === null).toBe(client !== owner);
      }
    }
    for (const verb of ['like', 'unlike'])
      expect(await reader.mutate(verb, { id: own }, 'changed')).toMatchObject({
        changed: false,
        userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }],
      });
    const report = (id: string) => reader.mutate('report', { id, reason: 'SPAM' }, '__typename');
    expect(await report(own)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await report(some)).toMatchObject({ userErrors: [] });
  });

  test('a list can be liked, and a like of a list that is hidden later shows none of its data', async () => {
    const [owner, reader] = [await somebody(), await somebody()];
    const id = await make(owner, 'EVERYONE', 'Secret plans');
    const liked = 'changed likeable { __typename id viewerHasLiked likeCount likeTally { count isExact } }';
    expect(await reader.mutate('like', { id }, liked)).toMatchObject({
      changed: true,
      likeable: {
        __typename: 'BookList',
        id,
        viewerHasLiked: true,
        likeCount: 1,
        likeTally: { count: 1, isExact: true },
      },
    });
    await reader.like(books[0]!);
    expect(await nodeFor(reader, id)).toMatchObject({ likeCount: 1, likers: { nodes: [{ id: reader.viewerId }] } });
    const edge = { title: 'Secret plans', node: { __typename: 'BookList', id, title: 'Secret plans' } };
    expect(await likesOf(reader)).toMatchObject([{ node: { id: books[0] } }, edge]);
    expect(await likesOf(reader, '(of: LIST)')).toEqual([edge]);

    await owner.mutate('updateList', { listId: id, audience: 'ONLY_ME' }, 'changed');
    expect(await likesOf(reader, '(of: LIST)')).toEqual([{ title: null, node: null }]);
    expect(await nodeFor(reader, id)).toBeNull();
    for (const changed of [true, false])
      expect(await reader.mutate('unlike', { id }, 'changed likeable { id title }')).toEqual({
        changed,
        likeable: null,
        userErrors: [],
      });

    await owner.mutate('updateList', { listId: id, audience: 'EVERYONE' }, 'changed');
    await reader.mutate('like', { id }, 'changed');
    await owner.mutate('deleteList', { listId: id }, 'changed');
    expect(await likesOf(reader, '(of: LIST)')).toEqual([{ title: null, node: null }]);
    expect(await reader.mutate('unlike', { id }, 'changed')).toMatchObject({ changed: true });
    expect(await reader.mutate('like', { id }, 'changed')).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    expect((await reader.data('{ trending(window: HOUR, of: LIST) { nodes { id } } }')).trending.nodes).toEqual([]);
  });

  test.each([
    ['block', 'unblock'],
    ['suspendAccount', 'reinstateAccount'],
  ] as const)('a list is hidden after %s, and shown again after %s', async (hide, show) => {
    const [owner, reader] = [await somebody(), await somebody()];
    const id = await make(owner);
    await reader.like(id);
    const by = hide === 'block' ? owner : administrator;
    const about = hide === 'block' ? { id: reader.viewerId } : { id: owner.viewerId, reason: 'Why' };
    await by.mutate(hide, about, 'changed');
    expect(await nodeFor(reader, id)).toBeNull();
    expect(await likesOf(reader)).toEqual([{ title: null, node: null }]);
    expect(await reader.mutate('like', { id }, 'changed')).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    await by.mutate(show, about, 'changed');
    expect(await nodeFor(reader, id)).toMatchObject({ owner: { id: owner.viewerId }, viewerHasLiked: true });
  });
});

describe('administrators', () => {
  test('see reports of lists, and take them down permanently for all but their owner', async () => {
    const [owner, reader] = [await somebody(), await somebody()];
    const id = await make(owner, 'EVERYONE', 'Something bad');
    await reader.mutate('report', { id, reason: 'OFFENSIVE' }, '__typename');
    const { reports } = await administrator.data(
      '{ reports(status: OPEN, last: 1) { nodes { reader { id } subject { ... on BookList { id name } } } } }',
    );
    expect(reports.nodes).toEqual([{ reader: { id: owner.viewerId }, subject: { id, name: 'Something bad' } }]);

    await add(owner, id, books[0]!, { note: 'Something worse' });
    await reader.like(id);
    const node = { id, name: 'Something bad', takenDownReason: 'Rude' };
    const fields = 'id name takenDownReason';
    const takeDown = () =>
      administrator.mutate('takeDown', { id, reason: 'Rude' }, `changed node { ... on BookList { ${fields} } }`);
    for (const changed of [true, false]) expect(await takeDown()).toEqual({ node, changed, userErrors: [] });
    const decided = `{ administration(id: "${id}") { nodes { kind reason } } }`;
    expect((await administrator.data(decided)).administration.nodes).toEqual([
      { kind: 'TITLE_TAKEN_DOWN', reason: 'Rude' },
    ]);
    const nodeFor = async (caller: Client) =>
      (await caller.data(`{ node(id: "${id}") { ... on BookList { ${fields} } } }`)).node as unknown;
    for (const [verb, more] of [
      ['updateList', { name: 'Something bad' }],
      ['updateList', { audience: 'EVERYONE' }],
      ['addToList', { bookId: books[1] }],
      ['updateListEntry', { bookId: books[0], note: 'Something worse' }],
      ['moveInList', { bookId: books[0] }],
      ['removeFromList', { bookId: books[0] }],
    ] as const)
      expect(await owner.mutate(verb, { listId: id, ...more }, 'list { id }'), verb).toMatchObject({
        list: null,
        userErrors: [{ code: 'FORBIDDEN', path: ['input', 'listId'] }],
      });
    for (const caller of [reader, server.client()]) {
      expect(await nodeFor(caller)).toBeNull();
      expect(await listsOf(caller, owner.viewerId)).toEqual([]);
    }
    const { viewer } = await reader.data('{ viewer { likes { edges { title node { id } } } } }');
    expect(viewer.likes.edges).toEqual([{ title: null, node: null }]);
    expect(await reader.mutate('unlike', { id }, 'changed likeable { id }')).toMatchObject({ likeable: null });
    expect(await reader.mutate('like', { id }, 'changed')).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    for (const caller of [owner, administrator]) expect(await nodeFor(caller)).toEqual(node);
    expect(await owner.mutate('deleteList', { listId: id }, 'changed')).toMatchObject({ changed: true });
    expect(await nodeFor(owner)).toBeNull();

    const gone = await make(owner);
    await owner.mutate('deleteList', { listId: gone }, 'changed');
    expect(await administrator.mutate('takeDown', { id: gone, reason: 'Rude' }, 'changed')).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }],
    });
  });
});

describe('the data of a reader', () => {
  test('is exported with their lists', async () => {
    const owner = await somebody();
    const id = await make(owner, 'ONLY_ME', 'Mine');
    await add(owner, id, books[1]!, { note: 'A note' });
    await add(owner, id, books[0]!, { after: books[1]! });
    const exported = (await (await owner.exportMyData()).json()) as Record<string, unknown>;
    const list = keyIn(id);
    expect(exported['book_lists']).toMatchObject([
      { list, name: 'Mine', audience: 'ONLY_ME' },
      { list, book: keyIn(books[1]!), note: 'A note' },
      { list, book: keyIn(books[0]!), note: '' },
    ]);
  });

  test('is deleted with the account; a like of their list can still be taken back', async () => {
    const [owner, reader] = [await somebody(), await somebody()];
    const [id, others] = [await make(owner, 'EVERYONE', 'A name to forget'), await make(reader)];
    await add(owner, id, books[1]!, { note: 'A note to forget' });
    await reader.like(id);
    await owner.like(others);
    expect(await owner.mutate('deleteAccount', { password: PASSWORD }, '__typename')).toMatchObject({ userErrors: [] });
    expect(await server.rowsAbout([keyIn(owner.viewerId), 'A name to forget', 'A note to forget'])).toEqual([
      'users_by_id',
    ]);
    const { node } = await reader.data(
      `{ node(id: "${others}") { ... on BookList { likeCount likers { nodes { id } } } } }`,
    );
    expect(node).toEqual({ likeCount: 0, likers: { nodes: [] } });
    expect(await reader.mutate('unlike', { id }, 'changed')).toMatchObject({ changed: true });
  });
});
