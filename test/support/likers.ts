import { expect } from 'vitest';
import { accountStates } from '../../src/accounts/tables.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { like } from '../../src/likes/operations.ts';
import { accountState } from '../../tools/support/account-state.ts';
import type { TestServer } from './app.ts';
import { ownBooks } from './books.ts';
import { PAGE_INFO } from './client.ts';
import { keyOf } from './ids.ts';

/** Many readers who like one book, without logging in. */

/**
 * Makes readers, each with an account.
 * @returns their ids
 */
export async function makeReaders({ cassandra, randomId }: AppContext, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomId());
  await Promise.all(
    ids.map((user_id) =>
      accountStates.compareAndSet(cassandra, { user_id }, null, accountState(randomId, new Date(Date.now() - 1_000))),
    ),
  );
  return ids;
}

/** Makes the context of a reader's request. */
export const as = (app: AppContext, viewerId: string) => requestContext(app, { ...ANONYMOUS, viewerId });

/** Reads a page of the likers of a book that everybody sees. */
export const likersOf = (server: TestServer, id: string) => (args: string) =>
  server
    .client()
    .data(
      `{ node(id: "${id}") { ... on Book { likers(${args}) { edges { cursor likedAt node { id } } ${PAGE_INFO} } } } }`,
    )
    .then((data) => data.node.likers);

/** Returns the ids of readers. */
export const idsOf = (edges: readonly { node: { id: string } }[]): string[] => edges.map(({ node }) => keyOf(node.id));

/**
 * Makes a book that a number of new readers like, one after the other.
 * @returns the book's id, and the readers in that order
 */
export async function likedBook(app: AppContext, count: number): Promise<{ id: string; readers: string[] }> {
  const id = (await ownBooks(app, 1))[0] ?? '';
  const readers = await makeReaders(app, count);
  for (const userId of readers) await like(as(app, userId), { id });
  return { id, readers };
}

/**
 * Expects a book to be liked by exactly these readers. One server lists the likers, and another one
 * counts them.
 * @param by readers in the order of their likes
 * @param pages the pages in which the list is read
 */
export async function expectLikedBy(
  [listing, counting]: readonly [TestServer, TestServer],
  id: string,
  by: readonly string[],
  pages: readonly (readonly [size: number, direction: 'forward' | 'backward'])[],
  isExact = true,
): Promise<void> {
  for (const [size, direction] of pages)
    expect(idsOf(await listing.client().allPages(size, direction, likersOf(listing, id)))).toEqual(by.toReversed());
  const query = `{ node(id: "${id}") { ... on Book { likeCount likeTally { count isExact } } } }`;
  const { node } = await counting.client().data(query);
  expect(node).toEqual({ likeCount: by.length, likeTally: { count: by.length, isExact } });
}
