import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';

let server: TestServer;
let books: string[];
let reader: Client;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  books = await ownBooks(server.app, 3);
  reader = await server.client().registerSomebody('Ann');
});

/** Reads the edges of a list of the viewer. */
const edgesOf = async (list: string, edge: string) => {
  const name = list.split('(')[0]!;
  return (await reader.data(`{ viewer { ${list} { edges { ${edge} } } } }`)).viewer[name].edges;
};

describe('the edge in a payload equals the edge in the list', () => {
  const LIKE = 'cursor likedAt title node { id ... on Book { publishedYear } }';
  const READ = 'cursor finishedOn startedOn readAt reads title authors genres publisher node { id }';
  const ITEM = 'cursor listedAt title node { id price { amount } }';

  test('for a like of a book and of a copy', async () => {
    const { item } = await listItem('7');
    for (const id of [books[0]!, books[1]!, item.id as string]) {
      const { likeEdge } = await reader.mutate('like', { id }, `likeEdge { ${LIKE} }`);
      expect(likeEdge).toEqual((await edgesOf('likes(first: 1)', LIKE))[0]);
      expect(likeEdge.node.id).toBe(id);
      expect((await reader.mutate('like', { id }, `likeEdge { ${LIKE} }`)).likeEdge).toEqual(likeEdge);
    }
    const [newest] = await edgesOf('likes(first: 1)', LIKE);
    const after = await edgesOf(`likes(first: 1, after: "${newest.cursor}")`, LIKE);
    expect(after[0].node.id).toBe(books[1]);

    const { likeEdge } = await reader.mutate('unlike', { id: books[0]! }, `likeEdge { ${LIKE} }`);
    expect(likeEdge).toBeNull();
  });

  test('for a follow', async () => {
    const FOLLOW = 'cursor followedAt node { id viewerFollows }';
    const others = await Promise.all([1, 2].map(() => server.client().registerSomebody()));
    for (const { viewerId: id } of others) {
      const { followEdge } = await reader.mutate('follow', { id }, `followEdge { ${FOLLOW} }`);
      expect(followEdge).toEqual((await edgesOf('following(first: 1)', FOLLOW))[0]);
      expect(followEdge.node).toEqual({ id, viewerFollows: true });
      const again = await reader.mutate('follow', { id }, `followEdge { ${FOLLOW} }`);
      expect(again.followEdge).toEqual(followEdge);
    }
    const [newest] = await edgesOf('following(first: 1)', FOLLOW);
    const after = await edgesOf(`following(first: 1, after: "${newest.cursor}")`, FOLLOW);
    expect(after[0].node.id).toBe(others[0]!.viewerId);

    const { followEdge } = await reader.mutate('unfollow', { id: others[0]!.viewerId }, `followEdge { ${FOLLOW} }`);
    expect(followEdge).toBeNull();
  });

  test('for a reading, in both orders', async () => {
    const input = { bookId: books[0]!, startedOn: '2024-02-01', finishedOn: '2024-02-09' };
    const fields = `byTitle: readEdge { ${READ} } byDate: readEdge(orderBy: READ_AT) { ${READ} }`;
    const { byTitle, byDate } = await reader.mutate('markAsRead', input, fields);
    expect(byTitle).toEqual((await edgesOf('readBooks', READ))[0]);
    expect(byDate).toEqual((await edgesOf('readBooks(orderBy: READ_AT)', READ))[0]);
    expect(byDate).toMatchObject({ finishedOn: '2024-02-09', startedOn: '2024-02-01', node: { id: books[0] } });

    const { readEdge } = await reader.mutate('unmarkAsRead', { bookId: books[0]! }, `readEdge { ${READ} }`);
    expect(readEdge).toBeNull();
  });

  test('for a copy, in each order', async () => {
    const fields = ['LISTED_AT', 'PRICE', 'PRICE_DESC'].map(
      (orderBy) => `${orderBy}: itemEdge(orderBy: ${orderBy}) { ${ITEM} }`,
    );
    const payload = await listItem('3', fields.join(' '));
    for (const orderBy of ['LISTED_AT', 'PRICE', 'PRICE_DESC']) {
      const listed = await edgesOf(`listings(orderBy: ${orderBy})`, ITEM);
      expect(listed).toContainEqual(payload[orderBy]);
      expect(payload[orderBy].node.id).toBe(payload.item.id);
    }

    const itemId = payload.item.id as string;
    const dearer = await reader.mutate(
      'changePrice',
      { itemId, price: { amount: '9', currency: 'EUR' } },
      `itemEdge(orderBy: PRICE) { ${ITEM} }`,
    );
    expect(await edgesOf('listings(orderBy: PRICE)', ITEM)).toContainEqual(dearer.itemEdge);
    expect((await reader.mutate('withdrawItem', { itemId }, 'itemEdge { cursor }')).itemEdge).toBeNull();
  });

  const listItem = (amount: string, edges = '') =>
    reader.mutate(
      'listItem',
      { bookId: books[2]!, price: { amount, currency: 'EUR' }, condition: 'GOOD' },
      `item { id } ${edges}`,
    );
});
