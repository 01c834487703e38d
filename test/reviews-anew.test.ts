import { beforeAll, expect, test } from 'vitest';
import { doJobsOf } from '../src/jobs/operations.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';

/**
 * A review that is written after a deletion is a new one, without the likes and reports of the
 * deleted one.
 */

let server: TestServer;
let author: Client;
let liker: Client;
let book: string;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  [author, liker] = await Promise.all([server.client().registerSomebody(), server.client().registerSomebody()]);
});

async function written(by: Client, text: string): Promise<string> {
  const input = { bookId: book, text, hasSpoilers: false };
  return (await by.mutate('writeReview', input, 'review { id }')).review.id as string;
}

/** Writes a review that a reader likes, deletes it, and writes another one. */
async function writtenAnew(): Promise<[former: string, anew: string]> {
  book = (await ownBooks(server.app, 1))[0]!;
  const former = await written(author, 'Readers agree with this');
  await liker.like(former);
  await author.mutate('deleteReview', { bookId: book }, '__typename');
  return [former, await written(author, 'Nobody agrees with this')];
}

const nodeFor = async (caller: Client, id: string, fields: string) =>
  (await caller.data(`query ($id: ID!) { node(id: $id) { ... on Review { ${fields} } } }`, { id })).node;
const doJobs = (id: string) => doJobsOf(server.app, { type: 'Review', key: keyOf(id) });
const notFound = { userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] };

test('it has none of the likes of the former text, whenever they are made or taken back', async () => {
  const [former, anew] = await writtenAnew();
  const other = await written(liker, 'Another one');
  await author.like(other);
  for (const id of [former, anew, other]) await doJobs(id);

  expect(await liker.like(former)).toMatchObject(notFound);
  expect(await nodeFor(liker, former, 'id')).toBeNull();
  const likes = 'likeCount likeTally { count } viewerHasLiked likers { totalCount edges { node { id } } }';
  const none = { likeCount: 0, likeTally: { count: 0 }, viewerHasLiked: false, likers: { totalCount: 0, edges: [] } };
  expect(await nodeFor(liker, anew, likes)).toEqual(none);
  const { node } = await liker.data(
    `{ node(id: "${book}") { ... on Book { reviews(orderBy: MOST_LIKED) { nodes { id } } } } }`,
  );
  expect(node.reviews.nodes).toEqual([{ id: other }, { id: anew }]);

  // The former like remains in its reader's list until the reader takes it back.
  const { viewer } = await liker.data('{ viewer { likes { edges { title node { id } } } } }');
  expect(viewer.likes.edges).toEqual([{ title: null, node: null }]);
  expect(await liker.unlike(former)).toMatchObject({ changed: true });
  await doJobs(former);
  expect(await nodeFor(liker, anew, likes)).toEqual(none);
  expect(await audited(server.app, [auditOf('reviews')])).toMatchObject({ drift: [] });
});

test('it is not taken down because of the former text', async () => {
  const [former, anew] = await writtenAnew();
  const administrator = await registerAdministrator(server);
  const takeDown = (id: string) => administrator.mutate('takeDown', { id, reason: 'It offends' }, 'changed');
  expect(await takeDown(former)).toMatchObject(notFound);
  expect(await nodeFor(server.client(), anew, 'text')).toEqual({ text: 'Nobody agrees with this' });
  expect(await takeDown(anew)).toMatchObject({ changed: true });
});
