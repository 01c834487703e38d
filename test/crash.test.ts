import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { audited } from './support/audit.ts';
import { bookIds } from './support/books.ts';
import { Client } from './support/client.ts';
import { isUndecided, kindsOf, madeForEach, points, startSurvivor, type Survivor } from './support/crash.ts';

/**
 * Kills a server (-9) at every crash point of every transaction on likeables and readings. Another
 * server, which runs the workers, must complete the change or leave it undone.
 */

let survivor: Survivor;
let books: string[];

beforeAll(async () => {
  survivor = await startSurvivor();
  books = await bookIds(survivor);
});

describe.each([['like'], ['unlike']] as const)(
  '%s, killed at every point, while others like and unlike the same',
  (verb) => {
    const all = points('like', ['compare-and-set', 'likers', 'count', 'lists']);
    let readers: Map<string, Client>;
    let id: string;

    beforeAll(async () => {
      id = books[verb === 'like' ? 0 : 1]!;
      readers = await madeForEach(all, async (point) => {
        const reader = await survivor.client().registerSomebody(point);
        if (verb === 'unlike') await reader.like(id);
        return reader;
      });
      const crowd = await Promise.all(Array.from({ length: 4 }, () => survivor.client().registerSomebody()));
      let isOver = false;
      const load = crowd.map(async (reader) => {
        while (!isOver) {
          await reader.like(id);
          await reader.unlike(id);
          await sleep(20);
        }
      });
      const endLoad = async () => {
        isOver = true;
        await Promise.all(load);
      };
      try {
        await survivor.crashAtEach(
          all,
          (client, point) => {
            client.token = readers.get(point)?.token;
            return client[verb](id);
          },
          endLoad,
        );
      } finally {
        // A failure here must not prevent the log from becoming empty for the next tests.
        await endLoad();
      }
    });

    const expectedLike = (point: string) => isUndecided(point) === (verb === 'unlike');

    test.each(all)('%s: the flag and the lists agree', async (point) => {
      const reader = readers.get(point)!;
      const { node, viewer } = await reader.data(
        `{ node(id: "${id}") { ... on Book { viewerHasLiked viewerLikedAt likers(first: 100) { edges { likedAt node { id } } } } }
         viewer { likes { edges { likedAt } } actions(kinds: [LIKED, UNLIKED]) { edges { node { kind } } } } }`,
      );
      const liked = expectedLike(point);
      expect(node.viewerHasLiked).toBe(liked);
      const mine = node.likers.edges.filter((edge: { node: { id: string } }) => edge.node.id === reader.viewerId);
      expect(mine.map(({ likedAt }: { likedAt: string }) => likedAt)).toEqual(liked ? [node.viewerLikedAt] : []);
      expect(viewer.likes.edges).toEqual(liked ? [{ likedAt: node.viewerLikedAt }] : []);
      const history = verb === 'like' ? [] : ['LIKED'];
      expect(kindsOf(viewer.actions)).toEqual(isUndecided(point) ? history : [`${verb.toUpperCase()}D`, ...history]);
    });

    test('the count is exact', async () => {
      const { node } = await survivor
        .client()
        .data(`{ node(id: "${id}") { ... on Book { likeCount likeTally { count isExact } } } }`);
      const expected = all.filter(expectedLike).length;
      expect(node).toEqual({ likeCount: expected, likeTally: { count: expected, isExact: true } });
    });
  },
);

describe.each([
  ['rateBook', 'first', null],
  ['rateBook', 'changed', 4.5],
  ['unrateBook', 'changed', 4.5],
] as const)('%s, of a book that is rated %s, killed at every point', (verb, _what, before) => {
  const all = points('rating', ['compare-and-set', 'raters', 'count', 'lists']);
  let readers: Map<string, Client>;
  const id = () => books[verb === 'unrateBook' ? 5 : before === null ? 3 : 4]!;
  const after = verb === 'rateBook' ? 2 : null;

  beforeAll(async () => {
    readers = await madeForEach(all, async (point) => {
      const reader = await survivor.client().registerSomebody(point);
      if (before !== null) await reader.mutate('rateBook', { bookId: id(), rating: before }, 'changed');
      return reader;
    });
    await survivor.crashAtEach(all, (client, point) => {
      client.token = readers.get(point)?.token;
      return client.mutate(verb, { bookId: id(), ...(after !== null && { rating: after }) }, 'changed');
    });
  });

  const expectedRating = (point: string) => (isUndecided(point) ? before : after);

  test.each(all)('%s: the rating and the list agree', async (point) => {
    const { node, viewer } = await readers
      .get(point)!
      .data(`{ node(id: "${id()}") { ... on Book { viewerRating } } viewer { ratings { edges { rating } } } }`);
    const rating = expectedRating(point);
    expect(node.viewerRating).toBe(rating);
    expect(viewer.ratings.edges).toEqual(rating === null ? [] : [{ rating }]);
  });

  test('the tally is exact', async () => {
    const tally = 'ratingTally { count histogram isExact }';
    const { node } = await survivor.client().data(`{ node(id: "${id()}") { ... on Book { ${tally} } } }`);
    const ratings = all.map(expectedRating);
    const count = ratings.filter((each) => each !== null).length;
    const histogram = Array.from(
      { length: 20 },
      // The histogram of fewer than five ratings is not shown.
      (_, index) => (count < 5 ? 0 : ratings.filter((each) => each === (index + 1) / 4).length),
    );
    expect(node.ratingTally).toEqual({ count, histogram, isExact: true });
  });
});

describe.each([
  ['markAsRead', 'a moment', { readAt: '2024-05-05T10:00:00.000Z' }],
  ['markAsRead', 'nobody knows when', { finishedOn: null }],
  ['unmarkAsRead', 'a day', { finishedOn: '2024-05-05' }],
] as const)('%s, of %s, killed at every point', (verb, _what, finish) => {
  const lists = ['shelves', 'events', 'readers', 'actions', 'lists'];
  const former = verb === 'unmarkAsRead' ? lists.map((list) => `former ${list}`) : [];
  const all = points('reading', [...former, 'compare-and-set', ...lists]);
  let readers: Map<string, Client>;
  const times = { ...finish, startedOn: '2024-05-01' };

  beforeAll(async () => {
    const bookId = books[2]!;
    readers = await madeForEach(all, async (point) => {
      const reader = await survivor.client().registerSomebody(point);
      if (verb === 'unmarkAsRead') await reader.mutate('markAsRead', { bookId, ...times }, 'book { id }');
      return reader;
    });
    await survivor.crashAtEach(all, (client, point) => {
      client.token = readers.get(point)?.token;
      return client.mutate(verb, verb === 'markAsRead' ? { bookId, ...times } : { bookId }, 'book { id }');
    });
  });

  test.each(all)('%s: both lists and the activity log agree', async (point) => {
    const { viewer } = await readers.get(point)!.data(
      `{ viewer { byTitle: readBooks { edges { finishedOn startedOn } } byReadAt: readBooks(orderBy: READ_AT) { edges { finishedOn startedOn } }
           shelf(status: READ) { edges { progress } } statistics(year: 2024) { books }
           actions(kinds: [READ, UNMARKED_READ]) { edges { node { kind } } } } }`,
    );
    const { finishedOn = '2024-05-05', startedOn } = { finishedOn: undefined, ...times };
    const expected = isUndecided(point) === (verb === 'unmarkAsRead') ? [{ finishedOn, startedOn }] : [];
    expect(viewer.byTitle.edges).toEqual(expected);
    expect(viewer.byReadAt.edges).toEqual(expected);
    expect(viewer.shelf.edges).toEqual(expected.map(() => ({ progress: 100 })));
    expect(viewer.statistics.books).toBe(expected.filter((each) => each.finishedOn !== null).length);
    const history = verb === 'markAsRead' ? [] : ['READ'];
    const change = verb === 'markAsRead' ? 'READ' : 'UNMARKED_READ';
    expect(kindsOf(viewer.actions)).toEqual(isUndecided(point) ? history : [change, ...history]);
  });
});

/** A process that pauses so long that recovery abandons its transaction must not decide it. */
describe.each([
  ['like', undefined],
  ['unlike', 'like: after compare-and-set'],
] as const)('%s, paused before it decides, then continued (to die at %s)', (verb, crashAt) => {
  test('the flag, the lists and the count agree', async () => {
    const id = books[verb === 'like' ? 3 : 4]!;
    const reader = await survivor.client().registerSomebody();
    if (verb === 'unlike') await reader.like(id);
    const paused = await survivor.startCrashing();
    const client = new Client(paused.url);
    client.token = reader.token;
    client.headers = { 'stop-at': 'like: before compare-and-set', ...(crashAt && { 'crash-at': crashAt }) };
    await survivor.untilLog((entries) => entries === 0);
    const answer = client[verb](id).catch(() => undefined);
    await survivor.untilLog((entries) => entries === 1);
    await survivor.untilLog((entries) => entries === 0);
    paused.process.kill('SIGCONT');
    const liked = verb === 'like';
    if (crashAt) {
      await paused.killAt([crashAt]);
      await survivor.finishAll();
    } else {
      expect(await answer).toMatchObject({ changed: true, likeable: { viewerHasLiked: liked }, userErrors: [] });
      await paused.stop();
    }
    const { node, viewer } = await reader.data(
      `{ node(id: "${id}") { ... on Book { viewerHasLiked likeTally { count } likers(first: 100) { edges { node { id } } } } }
         viewer { id likes { edges { title } } actions(kinds: [LIKED, UNLIKED]) { edges { node { kind } } } } }`,
    );
    expect(node.viewerHasLiked).toBe(liked);
    const likers = node.likers.edges.map((edge: { node: { id: string } }) => edge.node.id) as string[];
    expect(likers.includes(reader.viewerId)).toBe(liked);
    expect(node.likeTally.count).toBe(likers.length);
    expect(viewer.likes.edges).toHaveLength(liked ? 1 : 0);
    expect(kindsOf(viewer.actions)).toEqual(liked ? ['LIKED'] : ['UNLIKED', 'LIKED']);
  });
});

test('a new like while the unlike before it is unfinished: the former like is removed everywhere', async () => {
  const id = books[5]!;
  const reader = await survivor.client().registerSomebody();
  await reader.like(id);
  const crashing = await survivor.startCrashing();
  const client = new Client(crashing.url);
  client.token = reader.token;
  client.headers = { 'crash-at': 'like: after compare-and-set' };
  await Promise.all([crashing.killAt(['like: after compare-and-set']), expect(client.unlike(id)).rejects.toThrow()]);
  // The unlike is decided, but no list has it yet, and recovery has not reached it.
  expect(await reader.like(id)).toMatchObject({ changed: true, likeable: { likeCount: 1 } });
  await survivor.finishAll();
  const { node, viewer } = await reader.data(
    `{ node(id: "${id}") { ... on Book { likeCount likeTally { count } likers { edges { node { id } } } } }
       viewer { likes { edges { title } } actions(kinds: [LIKED, UNLIKED]) { edges { node { kind } } } } }`,
  );
  expect(node).toEqual({
    likeCount: 1,
    likeTally: { count: 1 },
    likers: { edges: [{ node: { id: reader.viewerId } }] },
  });
  expect(viewer.likes.edges).toHaveLength(1);
  expect(kindsOf(viewer.actions)).toEqual(['LIKED', 'UNLIKED', 'LIKED']);
});

test('nothing has drifted', async () => {
  expect((await audited(survivor.app, everyAudit)).drift).toEqual([]);
});
