import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change } from '../src/member-sets/shard.ts';
import { groupCommit } from '../src/member-sets/group-commit.ts';
import { likeCounts } from '../src/member-sets/counts.ts';
import { generationOf, shardOfStripe } from '../src/member-sets/numbering.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { newLike, takenBack } from './support/changes.ts';
import { PAGE_INFO } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { statementsOf } from '../tools/support/statements.ts';

/** Pages of likers after any sequence of likes and unlikes. */

const RUNS = runs(25);

const serverWith = async (shardRowsMax: number) =>
  startServer(await sharedKeyspace({ LIKE_SHARD_ROWS_MAX: String(shardRowsMax) }));
const likersOf = async ({ client }: TestServer, id: string, args: string) => {
  const { node } = await client().data(
    `{ node(id: "${id}") { ... on Book { likers(${args}) { edges { likedAt cursor node { id } } ${PAGE_INFO} } } } }`,
  );
  return node.likers;
};

describe('after likes that were taken back', () => {
  test('10,000 in one shard: the first and the last page are one statement on it', async () => {
    const server = await serverWith(40_000);
    const [id = ''] = await ownBooks(server.app, 1);
    const { apply } = applying(server, id);
    const likes = Array.from({ length: 10_001 }, (_, index) => newLike(index + 1));
    await apply(0, likes);
    await apply(0, likes.slice(1).map(takenBack));
    for (const args of ['first: 1', 'last: 1']) {
      const statements = await statementsOf(server, async () =>
        expect((await likersOf(server, id, args)).edges).toMatchObject([{ likedAt: likes[0]?.likedAt.toISOString() }]),
      );
      expect(Object.fromEntries(statements)).toEqual({
        'SELECT books': 1,
        'SELECT like_counts': 1,
        'SELECT user_by_item': 1,
      });
    }
  });

  test('in 30 shards with likes left in only four: only those four are read and counted, newest first', async () => {
    const server = await serverWith(5);
    const [id = ''] = await ownBooks(server.app, 1);
    const { apply } = applying(server, id);
    const kept = [3, 11, 12, 25];
    for (let shard = 0; shard < 30; shard++) {
      const likes = Array.from({ length: 5 }, (_, index) => newLike(10 * shard + index + 1));
      await apply(shard, likes);
      await apply(shard, likes.slice(kept.includes(shard) ? 1 : 0).map(takenBack));
    }
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT shard FROM like_counts WHERE likeable_id = ?',
      [storedIdOf(id)],
      { prepare: true },
    );
    expect(rows.map((row) => row['shard'] as number)).toEqual([...kept, 30]);
    for (const first of [1, 2, 10]) {
      const statements = await statementsOf(server, async () =>
        expect((await likersOf(server, id, `first: ${first}`)).edges).toHaveLength(Math.min(first, kept.length)),
      );
      expect(Object.fromEntries(statements)).toEqual({
        'SELECT books': 1,
        'SELECT like_counts': 1,
        'SELECT user_by_item': 2,
      });
    }
  });
});

/** Applies changes to a book's shards. */
const applying = ({ app }: TestServer, id: string) => ({
  apply: (shard: number, changes: readonly Change[]) =>
    Promise.all(changes.map((change) => groupCommit(app).apply(storedIdOf(id), shard, change))),
});

describe('random likes, unlikes and repeated likes, in small shards and stripes', () => {
  /** The place of a reader's like in the tables. Former likes must not be visible. */
  interface Liker {
    readonly like: Change;
    readonly shard: number;
  }
  const SHARD_ROWS_MAX = 4;
  let server: TestServer;
  let books: string[];
  beforeAll(async () => {
    server = await serverWith(SHARD_ROWS_MAX);
    books = await ownBooks(server.app, RUNS);
  });

  const turn = fc.record({
    reader: fc.nat(7),
    second: fc.integer({ min: 1, max: 3 }),
    stripe: fc.option(fc.nat(3), { freq: 1 }),
  });
  const turns = fc.array(turn, { minLength: 1, maxLength: 25 });

  test('every page from every cursor, even an earlier one, has every liker once, in order, and no other reader', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(turns, turns, fc.integer({ min: 1, max: 4 }), async (before, after, size) => {
        const id = books[run++ % RUNS] ?? '';
        const liking = readersOf(id);
        await liking.take(before);
        const listed = liking.listed();
        expect(await walked(id, 'forward', size)).toEqual(listed);
        expect(await walked(id, 'backward', size)).toEqual(listed);

        const cursors = await cursorsOf(id);
        await liking.take(after);
        const now = liking.listed();
        for (const [index, cursor] of cursors.entries()) {
          const place = listed[index] ?? '';
          expect(await walked(id, 'forward', size, cursor)).toEqual(now.filter((other) => other > place));
          expect(await walked(id, 'backward', size, cursor)).toEqual(now.filter((other) => other < place));
        }
      }),
      { seed, numRuns: RUNS, endOnFailure: true },
    );
  });

  /** Toggles the likes of some readers. */
  function readersOf(id: string) {
    const readers = Array.from({ length: 8 }, () => randomUUID());
    const likers = new Map<number, Liker>();
    const versions = new Map<number, number>();
    let [second, lastGeneration] = [0, 0];
    return {
      take: async (all: readonly { reader: number; second: number; stripe: number | null }[]) => {
        for (const { reader, second: later, stripe } of all) {
          const liker = likers.get(reader);
          const version = (versions.get(reader) ?? 0) + 1;
          versions.set(reader, version);
          if (liker) {
            likers.delete(reader);
            await applying(server, id).apply(liker.shard, [{ ...liker.like, version, shown: undefined }]);
          } else {
            const newest = (await likeCounts(server.app).load(storedIdOf(id)))?.newestShard ?? 0;
            const shard = stripe === null ? newest : shardOfStripe(newest, stripe);
            // Two likes sometimes share a moment, but not across generations: once the older
            // generation is empty, their order is unknown.
            second += generationOf(shard) === lastGeneration ? later - 1 : later;
            lastGeneration = generationOf(shard);
            const like = { ...newLike(1 + second), userId: readers[reader] ?? '', version };
            likers.set(reader, { like, shard });
            await applying(server, id).apply(shard, [like]);
          }
        }
      },
      /**
       * The likers, newest first, as {@link placeOf} has them. These texts have the sort order of
       * the list.
       */
      listed: () => [...likers.values()].map(({ like, shard }) => placeOf(shard, like.likedAt, like.userId)).toSorted(),
    };
  }

  const descending = (number: number) => String(10 ** 9 - number).padStart(10, '0');
  const placeOf = (shard: number, likedAt: Date, userId: string) =>
    `${descending(generationOf(shard))} ${descending(likedAt.getTime())} ${descending(shard)} ${userId.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16))}`;

  /**
   * Yields the place of every edge, in pages after or before a cursor, in the order of the list.
   */
  async function walked(id: string, direction: 'forward' | 'backward', size: number, begin?: string) {
    const found: { likedAt: string; node: { id: string } }[] = [];
    const [count, from] = direction === 'forward' ? ['first', 'after'] : ['last', 'before'];
    for (let cursor = begin; ;) {
      const args = `${count}: ${size}${cursor === undefined ? '' : `, ${from}: "${cursor}"`}`;
      const { edges, pageInfo } = await likersOf(server, id, args);
      if (direction === 'forward') found.push(...edges);
      else found.unshift(...edges);
      if (!(direction === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
      expect(edges).toHaveLength(size);
      cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor;
    }
    return placesOf(id, found);
  }

  const cursorsOf = async (id: string): Promise<string[]> =>
    (await likersOf(server, id, 'first: 100')).edges.map(({ cursor }: { cursor: string }) => cursor);

  /** Reads the places from the table, because the API does not have the shard of a liker. */
  async function placesOf(id: string, edges: readonly { likedAt: string; node: { id: string } }[]) {
    if (edges.length === 0) return [];
    const { shards: all = [] } = (await likeCounts(server.app).load(storedIdOf(id))) ?? {};
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT shard, liked_at, user_id FROM user_by_item WHERE likeable_id = ? AND shard IN ? AND liked = true',
      [storedIdOf(id), all],
      { prepare: true },
    );
    const shards = new Map(
      rows.map((row) => [
        `${(row['liked_at'] as Date).toISOString()} ${String(row['user_id'])}`,
        row['shard'] as number,
      ]),
    );
    return edges.map(({ likedAt, node }) => {
      const userId = keyOf(node.id);
      return placeOf(shards.get(`${likedAt} ${userId}`) ?? -1, new Date(likedAt), userId);
    });
  }
});
