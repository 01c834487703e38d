import type { types } from 'cassandra-driver';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bookById, removeBook } from '../src/catalogue/operations.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { idInput } from '../src/graphql/ids.ts';
import { likeTallyOf, unlike } from '../src/likes/operations.ts';
import { selectLikesAmong } from '../src/likes/tables.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { likedBook } from './support/likers.ts';

/** The limit is so low that a few likes fill several shards. */
const SHARD_ROWS_MAX = 5;
let server: TestServer;
let other: TestServer;
let books: string[];

beforeAll(async () => {
  const config = await sharedKeyspace({ LIKE_SHARD_ROWS_MAX: String(SHARD_ROWS_MAX) });
  server = await startServer(config);
  other = await startServer(config);
  books = await ownBooks(server.app, 8);
});

const crowd = (size: number, from: TestServer = server) =>
  Promise.all(Array.from({ length: size }, (_, index) => from.client().registerSomebody(`Reader ${index}`)));

const BOOK = `viewerHasLiked viewerLikedAt likeCount likeTally { count isExact asOf }`;
const bookSeenBy = async (client: Client, id = books[0]) =>
  (await client.data(`{ node(id: "${id}") { ... on Book { ${BOOK} } } }`)).node;
const likersOf =
  (id = books[0]) =>
  (args: string) =>
    server
      .client()
      .data(
        `{ node(id: "${id}") { ... on Book { likers(${args}) { edges { likedAt cursor node { id fullName } } ${PAGE_INFO} } } } }`,
      )
      .then((data) => data.node.likers);
const likesOf = (userId: string) => (args: string) =>
  server
    .client()
    .data(
      `{ node(id: "${userId}") { ... on User { likes(${args}) { edges { likedAt title cursor node { id ... on Book { title } } } ${PAGE_INFO} } } } }`,
    )
    .then((data) => data.node.likes);

describe('a like', () => {
  test('is immediately visible everywhere and on any server; a repeated like changes nothing', async () => {
    const [id] = books;
    const reader = await server.client().registerSomebody('Ann');
    expect(await bookSeenBy(reader)).toMatchObject({ viewerHasLiked: false, viewerLikedAt: null, likeCount: 0 });
    expect(await reader.like(id!)).toEqual({
      changed: true,
      userErrors: [],
      likeable: { likeCount: 1, viewerHasLiked: true },
    });
    expect(await reader.like(id!)).toEqual({
      changed: false,
      userErrors: [],
      likeable: { likeCount: 1, viewerHasLiked: true },
    });

    const elsewhere = other.client();
    elsewhere.token = reader.token;
    const seen = await bookSeenBy(elsewhere);
    expect(seen).toMatchObject({ viewerHasLiked: true, likeCount: 1, likeTally: { count: 1, isExact: true } });
    const [liker] = (await likersOf()('first: 5')).edges;
    expect(liker.node).toEqual({ id: reader.viewerId, fullName: 'Ann' });
    expect(liker.likedAt).toBe(seen.viewerLikedAt);
    const [liked] = (await likesOf(reader.viewerId)('first: 5')).edges;
    expect(liked).toMatchObject({ likedAt: seen.viewerLikedAt, node: { id } });
    expect(liked.title).toBe(liked.node.title);

    expect(await reader.unlike(id!)).toEqual({
      changed: true,
      userErrors: [],
      likeable: { likeCount: 0, viewerHasLiked: false },
    });
    expect(await reader.unlike(id!)).toEqual({
      changed: false,
      userErrors: [],
      likeable: { likeCount: 0, viewerHasLiked: false },
    });
    expect(await bookSeenBy(elsewhere)).toMatchObject({ viewerHasLiked: false, viewerLikedAt: null, likeCount: 0 });
    expect((await likersOf()('first: 5')).edges).toEqual([]);
    expect((await likesOf(reader.viewerId)('first: 5')).edges).toEqual([]);
  });

  test('is taken back even if a plain read returns an older state', async () => {
    const id = books[7]!;
    const [reader] = await crowd(1);
    const userId = idInput('id', reader!.viewerId).key;
    const read = { user_id: userId, likeable_ids: [storedIdOf(id)] };
    await reader!.like(id);
    const former = await server.app.cassandra.client.execute(selectLikesAmong.cql, read, { prepare: true });
    await reader!.unlike(id);

    for (const stale of [{ rows: [], rowLength: 0 }, former]) {
      await reader!.like(id);
      let isRead = false;
      const cassandra = intercepted(server.app.cassandra, ({ cql, send }) => {
        if (cql !== selectLikesAmong.cql) return send();
        isRead = true;
        return Promise.resolve(stale as types.ResultSet);
      });
      const context = requestContext({ ...server.app, cassandra }, { ...ANONYMOUS, viewerId: userId });
      expect(await unlike(context, { id })).toMatchObject({ changed: true });
      expect(isRead).toBe(true);
      expect(await bookSeenBy(reader!, id)).toMatchObject({ viewerHasLiked: false, likeCount: 0 });
    }
  });

  test('many at once of one book by one reader, on two servers: one like, changed once', async () => {
    const id = books[1]!;
    const reader = await server.client().registerSomebody();
    const elsewhere = other.client();
    elsewhere.token = reader.token;
    const answers = await Promise.all(
      Array.from({ length: runs(64, 16) }, (_, index) => (index % 2 ? reader : elsewhere).like(id)),
    );
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([]);
    expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await bookSeenBy(reader, id)).toMatchObject({ likeCount: 1, likeTally: { count: 1, isExact: true } });
    expect((await likesOf(reader.viewerId)('first: 5')).edges).toHaveLength(1);
  });

  test('many readers at once on two servers: as many likes, likers and counted ones, over many shards', async () => {
    const id = books[2]!;
    const count = runs(64, 16);
    const readers = [...(await crowd(count / 2)), ...(await crowd(count / 2, other))];
    const answers = await Promise.all(readers.map((reader) => reader.like(id)));
    expect(answers.every(({ changed }) => changed)).toBe(true);
    expect(await bookSeenBy(server.client(), id)).toMatchObject({
      likeCount: count,
      likeTally: { count, isExact: true },
    });
    const likers = await server.client().allPages(50, 'forward', likersOf(id));
    expect(new Set(likers.map(({ node }) => node.id))).toEqual(new Set(readers.map(({ viewerId }) => viewerId)));
    expect(likers).toHaveLength(count);
  });

  test('random likes and unlikes, many at once: lists, flags and count agree in the end', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}`);
    const id = books[3]!;
    const readers = [...(await crowd(runs(6, 3))), ...(await crowd(runs(6, 3), other))];
    const turns = fc.sample(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), { seed, numRuns: readers.length });
    const wanted = new Map<Client, boolean>();
    await Promise.all(
      readers.map(async (reader, index) => {
        for (const likes of turns[index]!) {
          await (likes ? reader.like(id) : reader.unlike(id));
          wanted.set(reader, likes);
        }
      }),
    );
    const likers = readers.filter((reader) => wanted.get(reader));
    expect(await bookSeenBy(server.client(), id)).toMatchObject({
      likeCount: likers.length,
      likeTally: { count: likers.length, isExact: true },
    });
    const listed = await server.client().allPages(7, 'backward', likersOf(id));
    expect(listed.map(({ node }) => node.id).toSorted()).toEqual(likers.map(({ viewerId }) => viewerId).toSorted());
    for (const reader of readers) {
      expect((await bookSeenBy(reader, id)).viewerHasLiked, reader.viewerId).toBe(wanted.get(reader));
      expect((await likesOf(reader.viewerId)('first: 5')).edges).toHaveLength(wanted.get(reader) ? 1 : 0);
    }
  });
});

describe('pages', () => {
  test('of likers and of likes, of any size and from either end, add up to the full list', async () => {
    const id = books[4]!;
    const readers = await crowd(runs(23, 13));
    for (const reader of readers) await reader.like(id);
    for (const reader of readers.slice(5, 9)) await reader.unlike(id);
    const expected = readers
      .filter((_, index) => index < 5 || index > 8)
      .map(({ viewerId }) => viewerId)
      .toReversed();

    const fan = readers[0]!;
    for (const book of books) await fan.like(book);
    const expectedLikes = [...books.filter((book) => book !== id).toReversed(), id];
    for (const size of [1, 7, 50]) {
      for (const direction of ['forward', 'backward'] as const) {
        const likers = await fan.allPages(size, direction, likersOf(id));
        expect(
          likers.map(({ node }) => node.id),
          `likers by ${size} ${direction}`,
        ).toEqual(expected);
        const likes = await fan.allPages(size, direction, likesOf(fan.viewerId));
        expect(
          likes.map(({ node }) => node.id),
          `likes by ${size} ${direction}`,
        ).toEqual(expectedLikes);
      }
    }
  });

  test('of likers have the total count, including hidden likers, and the nodes of their edges', async () => {
    const [id = ''] = await ownBooks(server.app, 1);
    const readers = await crowd(7);
    for (const reader of readers) await reader.like(id);
    await readers[6]!.mutate('updatePrivacy', { likes: 'ONLY_ME' }, 'viewer { id }');
    const page = '{ totalCount nodes { id } edges { node { id } } }';
    const { node } = await server
      .client()
      .data(
        `{ node(id: "${id}") { ... on Likeable { title likers(first: 3) ${page} none: likers(first: 0) ${page} } } }`,
      );
    expect(node.title).toMatch(/^Book \d+$/);
    expect(node.likers.nodes).toEqual([null, { id: readers[5]!.viewerId }, { id: readers[4]!.viewerId }]);
    expect(node.likers.edges).toEqual(node.likers.nodes.map((each: unknown) => ({ node: each })));
    expect(node.likers.totalCount).toBe(7);
    expect(node.none).toEqual({ totalCount: 7, nodes: [], edges: [] });
  });

  test('of likes of one kind have each of them, in order, and none of the other kind kind', async () => {
    const [reader, seller] = await crowd(2);
    const item = async (bookId: string) => {
      const input = { bookId, price: { amount: '5.00', currency: 'EUR' }, condition: 'GOOD' };
      return (await seller!.mutate('listItem', input, 'item { id }')).item.id as string;
    };
    const items = [await item(books[4]!), await item(books[5]!)];
    const liked = [items[0]!, ...books.slice(4, 7), items[1]!, books[3]!];
    for (const id of liked) await reader!.like(id);

    const ofKind = (of: string) => (args: string) => likesOf(reader!.viewerId)(`of: ${of}, ${args}`);
    for (const size of [1, 2, 100]) {
      for (const direction of ['forward', 'backward'] as const) {
        const all = async (read: ReturnType<typeof ofKind>) =>
          (await reader!.allPages(size, direction, read)).map(({ node }) => node.id);
        expect(await all(ofKind('ITEM'))).toEqual(items.toReversed());
        expect(await all(ofKind('BOOK'))).toEqual(liked.filter((id) => !items.includes(id)).toReversed());
        expect(await all(ofKind('null'))).toEqual(liked.toReversed());
      }
    }
    const { pageInfo } = await ofKind('BOOK')('first: 1');
    expect(
      await server
        .client()
        .errorCode(
          `{ node(id: "${reader!.viewerId}") { ... on User { likes(of: ITEM, after: "${pageInfo.endCursor}") { nodes { id } } } } }`,
        ),
    ).toBe('BAD_USER_INPUT');
  });

  test('refuse invalid sizes and cursors', async () => {
    const [id, id2] = books;
    const reader = await server.client().registerSomebody();
    await reader.like(id!);
    const cursor = (await likersOf()('first: 1')).edges[0].cursor as string;
    const bad = [
      'first: 101',
      'first: -1',
      'last: 101',
      'first: 1, last: 1',
      `first: 1, before: "${cursor}"`,
      'after: "x"',
      'after: ""',
    ];
    for (const args of bad) {
      expect(
        await reader.errorCode(`{ node(id: "${id}") { ... on Book { likers(${args}) { edges { cursor } } } } }`),
        args,
      ).toBe('BAD_USER_INPUT');
    }
    const foreign = `{ node(id: "${id2}") { ... on Book { likers(after: "${cursor}") { edges { cursor } } } } }`;
    expect(await reader.errorCode(foreign)).toBe('BAD_USER_INPUT');
    expect(await likersOf()('first: 0')).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
  });
});

describe('an impossible like', () => {
  test.each([
    ['an unknown book', () => Buffer.from('Book:9780000000002').toString('base64url'), 'NOT_FOUND'],
    ['a reader', (reader: Client) => reader.viewerId, 'INVALID_INPUT'],
    ['a malformed id', () => 'nonsense', 'INVALID_INPUT'],
    ['an empty id', () => '', 'INVALID_INPUT'],
  ])('of %s is refused, and nothing is written', async (_what, idOf, code) => {
    const reader = await server.client().registerSomebody();
    for (const verb of ['like', 'unlike'] as const) {
      const refused = await reader.mutate(verb, { id: idOf(reader) }, 'changed likeable { id } viewer { id }');
      expect(refused).toMatchObject({
        changed: false,
        likeable: null,
        viewer: null,
        userErrors: [{ code, path: ['input', 'id'] }],
      });
    }
    expect((await likesOf(reader.viewerId)('first: 5')).edges).toEqual([]);
  });

  test('of a removed book is refused; earlier likers still see their like, and can take it back', async () => {
    const id = books[5]!;
    const fan = await server.client().registerSomebody();
    const reader = await server.client().registerSomebody();
    await fan.like(id);
    const key = keyOf(id);
    expect(await removeBook(server.app, key)).toBe(true);
    expect(await removeBook(server.app, key)).toBe(false);

    const refused = await reader.like(id);
    expect(refused).toMatchObject({ changed: false, likeable: null, userErrors: [{ code: 'NOT_FOUND' }] });
    expect(refused.userErrors[0].message).toMatch(/removed/);
    expect((await likesOf(reader.viewerId)('first: 5')).edges).toEqual([]);
    expect(await reader.data(`{ node(id: "${id}") { id } }`)).toEqual({ node: null });
    const [liked] = (await likesOf(fan.viewerId)('first: 5')).edges;
    expect(liked.node.title).toBe(liked.title);
    expect(await fan.unlike(id)).toMatchObject({ changed: true, userErrors: [] });
    expect((await likesOf(fan.viewerId)('first: 5')).edges).toEqual([]);
  });

  test('by a signed-out caller is refused', async () => {
    const query = `mutation { like(input: { id: "${books[0]}" }) { changed } }`;
    expect(await server.client().errorCode(query)).toBe('UNAUTHENTICATED');
  });
});

describe('a tally', () => {
  const tallyOf = async (id: string) =>
    (await server.client().data(`{ node(id: "${id}") { ... on Book { likeTally { count isExact } } } }`)).node
      .likeTally;
  const publish = (id: string, shard: number, count: number, version?: number) =>
    server.app.cassandra.client.execute(
      `INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (?, ?, ?)${version === undefined ? '' : ` USING TIMESTAMP ${version}`}`,
      [storedIdOf(id), shard, count],
      { prepare: true },
    );
  const liked = async (likes: number) => (await likedBook(server.app, likes)).id;

  test('is computed from the shards, and is not exact if a published count differs at the same version', async () => {
    const id = await liked(SHARD_ROWS_MAX + 1);
    expect(await tallyOf(id)).toEqual({ count: 6, isExact: true });
    await publish(id, 1, 99, 1);
    expect(await tallyOf(id)).toEqual({ count: 6, isExact: false });
  });

  test('is not exact if a shard is behind its published count', async () => {
    const id = await liked(1);
    await publish(id, 0, 2, 2);
    expect(await tallyOf(id)).toEqual({ count: 1, isExact: false });
  });

  test('is exact if a shard is ahead of its published count, because a change is in progress', async () => {
    const id = await liked(1);
    const [reader] = await crowd(1);
    let isFirst = true;
    const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
      const result = await send();
      if (!cql.includes('WRITETIME(like_count)') || !isFirst) return result;
      isFirst = false;
      await reader!.like(id);
      return result;
    });
    const context = requestContext({ ...server.app, cassandra }, ANONYMOUS);
    const book = await bookById(context, keyOf(id));
    expect(await likeTallyOf(context, book!)).toMatchObject({ count: 2, isExact: true });
    expect(isFirst).toBe(false);
  });

  test('is exact over any number of shards; the tallies of a page are read together', async () => {
    const ids = await Promise.all([liked(1), liked(SHARD_ROWS_MAX + 2), liked(0), liked(2)]);
    const shards = runs(1_000, 200);
    await Promise.all(Array.from({ length: shards - 1 }, (_, index) => publish(ids[0], index + 1, 0, 0)));
    const cql: string[] = [];
    const cassandra = intercepted(server.app.cassandra, (sent) => {
      cql.push(sent.cql);
      return sent.send();
    });
    const context = requestContext({ ...server.app, cassandra }, ANONYMOUS);
    const books = await Promise.all(ids.map((id) => bookById(context, keyOf(id))));
    const tallies = await Promise.all(books.map((book) => likeTallyOf(context, book!)));
    expect(tallies).toMatchObject([
      { count: 1, isExact: true },
      { count: 7, isExact: true },
      { count: 0, isExact: true },
      { count: 2, isExact: true },
    ]);
    // One statement reads the published counts, and one statement reads all likeables with the same
    // number of blocks of shards, or a hundred shards of one likeable.
    expect(cql.filter((each) => each.includes('FROM like_counts'))).toHaveLength(1);
    expect(cql.filter((each) => each.includes('FROM user_by_item'))).toHaveLength(
      2 + Math.ceil((Math.ceil(shards / 64) * 64) / 100),
    );
  });
});
