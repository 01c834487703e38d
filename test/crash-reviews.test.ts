import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { registerAdministrator } from './support/accounts.ts';
import { audited } from './support/audit.ts';
import { bookIds } from './support/books.ts';
import type { Client } from './support/client.ts';
import { startServer } from './support/app.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';

/**
 * Kills a server (-9) at every crash point of every change of a review, and of likes of reviews,
 * which order the list.
 */

let survivor: Survivor;
let administrator: Client;
let books: string[];

beforeAll(async () => {
  survivor = await startSurvivor();
  administrator = await registerAdministrator(survivor, 'Ada');
  books = await bookIds(survivor);
});

const REVIEW = 'review { id }';
const write = (reader: Client, bookId: string, text: string) =>
  reader.mutate('writeReview', { bookId, text, hasSpoilers: false }, REVIEW);

/** The workers take a job over some seconds after it began. */
const POLL = { interval: 500 };

const textsByLikes = async (client: Client, bookId: string) => {
  const query = `{ node(id: "${bookId}") { ... on Book { reviews(first: 100, orderBy: MOST_LIKED) { nodes { text } } } } }`;
  return (await client.data(query)).node.reviews.nodes.map(({ text }: { text: string }) => text) as string[];
};

const VERBS = ['write', 'edit', 'delete', 'take down'] as const;

describe.each(VERBS)('%s, killed at every point', (verb) => {
  const [book, isNew] = [() => books[VERBS.indexOf(verb)]!, verb === 'write'];
  const steps = [...(verb === 'take down' ? ['decision'] : []), 'lists', 'texts'];
  const former = isNew ? [] : ['former lists', 'former texts'];
  const all = points('review', [...former, 'compare-and-set', ...steps]);
  const authors = new Map<string, { author: Client; id: string }>();

  beforeAll(async () => {
    for (const point of all) {
      const author = await survivor.client().registerSomebody(point);
      const id = isNew ? '' : ((await write(author, book(), 'One')).review.id as string);
      authors.set(point, { author, id });
    }
    await survivor.crashAtEach(all, (client, point) => {
      const { author, id } = authors.get(point)!;
      client.token = verb === 'take down' ? administrator.token : author.token;
      if (verb === 'take down') return client.mutate('takeDown', { id, reason: 'Why' }, 'changed');
      if (verb === 'delete') return client.mutate('deleteReview', { bookId: book() }, REVIEW);
      return write(client, book(), isNew ? 'One' : 'Two');
    });
  });

  test.each(all)('%s: the review, its former texts and both lists agree', async (point) => {
    const { author } = authors.get(point)!;
    const isDone = !isUndecided(point);
    const { viewer, node } = await author.data(
      `{ viewer { reviews { nodes { text takenDownReason } } }
         node(id: "${book()}") { ... on Book { viewerReview { text } reviews(first: 100) { nodes { author { fullName } } } byLikes: reviews(first: 100, orderBy: MOST_LIKED) { nodes { author { fullName } } } } } }`,
    );
    const isThere = verb === 'delete' ? !isDone : isDone || !isNew;
    const text = verb === 'edit' && isDone ? 'Two' : 'One';
    const takenDownReason = verb === 'take down' && isDone ? 'Why' : null;
    expect(viewer.reviews.nodes).toEqual(isThere ? [{ text, takenDownReason }] : []);
    expect(node.viewerReview).toEqual(isThere ? { text } : null);
    for (const { nodes } of [node.reviews, node.byLikes]) {
      const named = (nodes as ({ author: { fullName: string } } | null)[]).map((each) => each?.author.fullName);
      expect(named.filter((name) => name === point)).toHaveLength(isThere ? 1 : 0);
    }

    const { user } = await administrator.data(
      'query ($id: ID!) { user: node(id: $id) { ... on User { reviews { nodes { history { text } } } } } }',
      { id: author.viewerId },
    );
    const history = verb === 'edit' && isDone ? [{ text: 'One' }] : [];
    expect(user.reviews.nodes).toEqual(isThere ? [{ history }] : []);
  });
});

describe.each([['like'], ['unlike']] as const)('%s of a review, killed at every point', (verb) => {
  const all = points('like', ['compare-and-set', 'likers', 'count', 'lists', 'after']);
  const reviews = new Map<string, { author: Client; reader: Client; id: string }>();
  const book = () => books[verb === 'like' ? 4 : 5]!;

  beforeAll(async () => {
    for (const point of all) {
      const [author, reader] = [await survivor.client().registerSomebody(), await survivor.client().registerSomebody()];
      const id = (await write(author, book(), point)).review.id as string;
      if (verb === 'unlike') await reader.like(id);
      reviews.set(point, { author, reader, id });
    }
    await survivor.crashAtEach(all, (client, point) => {
      const { reader, id } = reviews.get(point)!;
      client.token = reader.token;
      return client[verb](id);
    });
  });

  test('the list by likes follows', async () => {
    const liked = all.filter((point) => isUndecided(point) === (verb === 'unlike'));
    const texts = [...liked.toReversed(), ...all.filter((point) => !liked.includes(point)).toReversed()];
    await expect.poll(() => textsByLikes(survivor.client(), book()), POLL).toEqual(texts);
  });

  test.each(all)('%s: its author is notified exactly of a like', async (point) => {
    const { author, reader, id } = reviews.get(point)!;
    const { viewer } = await author.data(
      '{ viewer { unreadNotificationCount notifications { nodes { count readers { id } subject { id } } } } }',
    );
    const isLiked = isUndecided(point) === (verb === 'unlike');
    const nodes = isLiked ? [{ count: 1, readers: [{ id: reader.viewerId }], subject: { id } }] : [];
    expect(viewer).toEqual({ unreadNotificationCount: nodes.length, notifications: { nodes } });
  });
});

test('the list by likes is correct in the end, with concurrent likes on several servers', async () => {
  const second = await startServer(survivor.app.config);
  const bookId = books[6]!;
  const ids: string[] = [];
  for (const text of ['0', '1', '2', '3'])
    ids.push((await write(await survivor.client().registerSomebody(), bookId, text)).review.id as string);
  // The last review keeps the most likes.
  const readers = await Promise.all(Array.from({ length: 6 }, () => survivor.client().registerSomebody()));
  const elsewhere = readers.map(({ token }) => Object.assign(second.client(), { token }));
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const changes = readers.map(async (reader, index) => {
    for (let round = 0; round < 3; round++) {
      for (const id of ids) {
        await reader.like(id);
        await elsewhere[index]!.unlike(id);
      }
      await pause(1_000);
    }
    for (const [place, id] of ids.entries()) if (index < place + 1) await elsewhere[index]!.like(id);
  });
  await Promise.all(changes);
  await expect.poll(() => textsByLikes(second.client(), bookId), POLL).toEqual(['3', '2', '1', '0']);
  expect(await audited(survivor.app, everyAudit)).toMatchObject({ drift: [] });
});
