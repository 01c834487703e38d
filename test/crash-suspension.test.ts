import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { bookIds } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';

/** Kills a server (-9) at every crash point of a suspension: it takes full effect or none. */

let survivor: Survivor;
let administrator: Client;
let books: string[];

beforeAll(async () => {
  survivor = await startSurvivor();
  administrator = await registerAdministrator(survivor, 'Ada');
  books = await bookIds(survivor);
});

describe('suspendAccount, killed at every point', () => {
  const steps = ['compare-and-set', 'release', 'name', 'events', 'decisions', 'job', 'sessions'];
  const all = [
    ...points('account', steps),
    'SUSPENSION: after page 1',
    'SUSPENSION: after page 2',
    'SUSPENSION: after page 3',
  ];
  const readers = new Map<string, { reader: Client; item: string }>();

  beforeAll(async () => {
    for (const point of all) {
      const reader = await survivor.client().registerSomebody(point);
      await reader.like(books[0]!);
      const input = { bookId: books[0]!, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
      const { item } = await reader.mutate('listItem', input, 'item { id }');
      readers.set(point, { reader, item: item.id as string });
    }
    await survivor.crashAtEach(all, (client, point) => {
      client.token = administrator.token;
      const id = readers.get(point)!.reader.viewerId;
      return client.mutate('suspendAccount', { id, reason: point }, 'changed');
    });
  });

  test.each(all)('%s: the reader is logged out and hidden from everybody, or nothing has changed', async (point) => {
    const { reader, item } = readers.get(point)!;
    const isSuspended = !isUndecided(point);
    const login = await survivor.client().mutate('login', { email: reader.email, password: PASSWORD }, 'accessToken');
    expect(login.userErrors).toMatchObject(isSuspended ? [{ code: 'ACCOUNT_SUSPENDED' }] : []);
    expect((await reader.send('{ viewer { id } }')).status).toBe(isSuspended ? 401 : 200);
    const { nodes, book } = await survivor.client().data(
      `query ($ids: [ID!]!, $book: ID!) { nodes(ids: $ids) { id }
         book: node(id: $book) { ... on Book { likers(first: 100) { edges { node { fullName } } } copies(first: 100) { edges { node { id } } } } } }`,
      { ids: [reader.viewerId, item], book: books[0]! },
    );
    expect(nodes.map((node: object | null) => node === null)).toEqual([isSuspended, isSuspended]);
    const named = (book.likers.edges as { node: { fullName: string } | null }[]).map(({ node }) => node?.fullName);
    expect(named.includes(point)).toBe(!isSuspended);
    const copies = (book.copies.edges as { node: { id: string } }[]).map(({ node }) => node.id);
    expect(copies.includes(item)).toBe(!isSuspended);
    const { administration } = await administrator.data(
      'query ($id: ID!) { administration(id: $id) { edges { node { kind reason } } } }',
      { id: reader.viewerId },
    );
    const decision = { node: { kind: 'ACCOUNT_SUSPENDED', reason: point } };
    expect(administration.edges).toEqual(isSuspended ? [decision] : []);
  });
});
