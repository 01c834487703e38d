import fc from 'fast-check';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, test } from 'vitest';
import { countedStates, recount } from '../src/follows/counts.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { registerAdministrator } from './support/accounts.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';

/** Following readers, and the lists and counts that show follows. */

/** The limit is so low that a few followers fill several shards. */
const SHARD_ROWS_MAX = 3;
let server: TestServer;
let other: TestServer;

beforeAll(async () => {
  const config = await sharedKeyspace({ LIKE_SHARD_ROWS_MAX: String(SHARD_ROWS_MAX) });
  server = await startServer(config);
  other = await startServer(config);
});

const ANSWER = 'user { id viewerFollows followers { totalCount } } viewer { id following { totalCount } } changed';
const follow = (reader: Client, { viewerId }: Client) => reader.mutate('follow', { id: viewerId }, ANSWER);
const unfollow = (reader: Client, { viewerId }: Client) => reader.mutate('unfollow', { id: viewerId }, ANSWER);
const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const crowd = (size: number) => Promise.all(Array.from({ length: size }, (_, index) => somebody(`Reader ${index}`)));
const elsewhere = (reader: Client) => {
  const client = other.client();
  client.token = reader.token;
  return client;
};

/** Reads everything that shows the follows of a reader. */
const seen = async (caller: Client, { viewerId }: Client) => {
  const { node } = await caller.data(
    `query ($id: ID!) { node(id: $id) { ... on User {
       viewerFollows followerTally { count isExact }
       followers(first: 100) { totalCount nodes { fullName } edges { followedAt } }
       following(first: 100) { totalCount nodes { fullName } }
     } } }`,
    { id: viewerId },
  );
  const names = ({ nodes }: { nodes: readonly ({ fullName: string } | null)[] }) =>
    nodes.map((each) => each?.fullName ?? null);
  const { viewerFollows, followerTally, followers, following } = node;
  expect(followers.totalCount).toBe(followers.edges.length);
  expect(followerTally).toEqual({ count: followers.totalCount, isExact: true });
  if (following) expect(following.totalCount).toBe(following.nodes.length);
  return { viewerFollows, followers: names(followers), following: following && names(following) };
};

test('nobody follows while a server runs that could not show it; what was followed before can end', async () => {
  const [ann, bob, cid] = await crowd(3);
  await follow(ann!, bob!);
  const log = transactionLog(server.app);
  log.oldestAlive = '1.0.0';
  const query = 'mutation ($id: ID!) { follow(input: { id: $id }) { changed } }';
  expect(await ann!.errorCode(query, { id: cid!.viewerId })).toBe('OVERLOADED');
  expect(await unfollow(ann!, bob!)).toMatchObject({ changed: true });
  log.oldestAlive = '1.1.0';
  expect(await follow(ann!, cid!)).toMatchObject({ changed: true });
});

describe('follow and unfollow', () => {
  test('are idempotent, and seen at once on any server, in the lists of both readers', async () => {
    const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
    const answer = (count: number, changed: boolean) => ({
      user: { id: bob.viewerId, viewerFollows: count === 1, followers: { totalCount: count } },
      viewer: { id: ann.viewerId, following: { totalCount: count } },
      changed,
      userErrors: [],
    });
    expect(await follow(ann, bob)).toEqual(answer(1, true));
    expect(await follow(elsewhere(ann), bob)).toEqual(answer(1, false));
    expect(await seen(elsewhere(ann), bob)).toEqual({ viewerFollows: true, followers: ['Ann'], following: [] });
    expect(await seen(bob, ann)).toEqual({ viewerFollows: false, followers: [], following: ['Bob'] });
    expect(await seen(server.client(), bob)).toMatchObject({ viewerFollows: false, followers: ['Ann'] });

    expect(await unfollow(elsewhere(ann), bob)).toEqual(answer(0, true));
    expect(await unfollow(ann, bob)).toEqual(answer(0, false));
    expect(await seen(ann, bob)).toEqual({ viewerFollows: false, followers: [], following: [] });
    expect(await seen(bob, ann)).toEqual({ viewerFollows: false, followers: [], following: [] });
    expect((await follow(ann, bob)).changed).toBe(true);
  });

  test('of two readers are independent', async () => {
    const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
    await follow(ann, bob);
    await follow(bob, ann);
    expect(await seen(ann, bob)).toEqual({ viewerFollows: true, followers: ['Ann'], following: ['Ann'] });
    await unfollow(ann, bob);
    expect(await seen(ann, bob)).toEqual({ viewerFollows: false, followers: [], following: ['Ann'] });
  });

  test('refuse invalid input, and write nothing', async () => {
    const ann = await somebody();
    const nobody = Buffer.from('User:00000000-0000-4000-8000-000000000000').toString('base64url');
    const library = Buffer.from('Library:US-1').toString('base64url');
    for (const verb of ['follow', 'unfollow']) {
      for (const [id, code] of [
        [ann.viewerId, 'INVALID_INPUT'],
        [library, 'INVALID_INPUT'],
        ['x', 'INVALID_INPUT'],
        [nobody, 'NOT_FOUND'],
      ] as const) {
        const { userErrors, ...rest } = await ann.mutate(verb, { id }, `${ANSWER} followEdge { cursor }`);
        expect(userErrors, id).toMatchObject([{ code, path: ['input', 'id'] }]);
        expect(rest).toEqual({ user: null, viewer: null, changed: false, followEdge: null });
      }
      const query = `mutation ($id: ID!) { ${verb}(input: { id: $id }) { changed } }`;
      expect(await server.client().errorCode(query, { id: ann.viewerId })).toBe('UNAUTHENTICATED');
    }
    expect(await seen(ann, ann)).toEqual({ viewerFollows: false, followers: [], following: [] });
  });

  test('a suspended reader cannot be followed, but no longer be followed', async () => {
    const administrator = await registerAdministrator(server);
    const [ann, bob, cid] = [await somebody('Ann'), await somebody('Bob'), await somebody('Cid')];
    await follow(ann, bob);
    await administrator.mutate('suspendAccount', { id: bob.viewerId, reason: 'A test' }, 'changed');
    const notFound = { user: null, changed: false, userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] };
    expect(await follow(cid, bob)).toMatchObject(notFound);
    expect(await unfollow(cid, bob)).toMatchObject(notFound);
    expect(await seen(ann, ann)).toMatchObject({ following: [null] });
    const { user, changed } = await unfollow(ann, bob);
    expect({ user, changed }).toEqual({ user: null, changed: true });
    expect(await seen(ann, ann)).toMatchObject({ following: [] });
  });
});

describe('the lists of followers and of followed readers', () => {
  const LISTS = ['followers', 'following'] as const;

  test.each(LISTS)(
    '%s: pages hold each follow once, newest first, in both directions, over any shards',
    async (list) => {
      const [ann, ...others] = await crowd(3 * SHARD_ROWS_MAX);
      for (const each of others) await (list === 'followers' ? follow(each, ann!) : follow(ann!, each));
      for (const direction of ['forward', 'backward'] as const) {
        for (const size of [1, 2, 100]) {
          const edges = await ann!.allPages(size, direction, async (args) => {
            const query = `{ viewer { ${list}(${args}) { edges { cursor followedAt node { id } } ${PAGE_INFO} } } }`;
            return (await ann!.data(query)).viewer[list];
          });
          expect(edges.map(({ node }) => node.id as string)).toEqual(
            others.map(({ viewerId }) => viewerId).toReversed(),
          );
          const moments = edges.map(({ followedAt }) => Date.parse(followedAt as string));
          expect(moments).toEqual(moments.toSorted((one, another) => another - one));
        }
      }
    },
  );

  test.each(LISTS)('%s: a cursor reveals no reader, and is good for its own list alone', async (list) => {
    const [ann, bob, cid] = (await crowd(3)) as [Client, Client, Client];
    for (const [one, another] of [
      [ann, bob],
      [bob, ann],
      [ann, cid],
      [cid, ann],
    ] as const)
      await follow(one, another);
    const { viewer } = await ann.data(`{ viewer { ${list} { edges { cursor } } } }`);
    const cursors = (viewer[list].edges as { cursor: string }[]).map(({ cursor }) => cursor);
    const inClear = cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('latin1')).join();
    for (const reader of [bob, cid]) expect(inClear).not.toContain(keyOf(reader.viewerId));
    const page = (id: string) =>
      `{ node(id: "${id}") { ... on User { ${list}(after: "${cursors[0]!}") { nodes { id } } } } }`;
    expect((await bob.data(page(ann.viewerId))).node[list].nodes).toEqual([{ id: bob.viewerId }]);
    expect(await bob.errorCode(page(bob.viewerId))).toBe('BAD_USER_INPUT');
  });

  test('who does not show their likes is an unnamed follower, who counts, and whose list nobody sees', async () => {
    const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
    await follow(ann, bob);
    for (const [likes, isShown, isShownSignedOut] of [
      ['SIGNED_IN', true, false],
      ['ONLY_ME', false, false],
      ['EVERYONE', true, true],
    ] as const) {
      await ann.mutate('updatePrivacy', { likes }, 'viewer { id }');
      expect((await seen(bob, bob)).followers).toEqual([isShown ? 'Ann' : null]);
      expect((await seen(server.client(), bob)).followers).toEqual([isShownSignedOut ? 'Ann' : null]);
      expect((await seen(bob, ann)).following).toEqual(isShown ? ['Bob'] : null);
      expect(await seen(ann, ann)).toMatchObject({ following: ['Bob'] });
    }
  });

  test('a new name, a suspension and its end reach the followers', async () => {
    const administrator = await registerAdministrator(server);
    const [ann, bob, cid] = [await somebody('Ann'), await somebody('Bob'), await somebody('Cid')];
    await follow(ann, bob);
    await follow(cid, bob);
    await unfollow(cid, bob);
    for (const reader of [ann, cid]) await reader.mutate('updateProfile', { fullName: 'New' }, 'viewer { id }');
    expect((await seen(bob, bob)).followers).toEqual(['New']);
    await administrator.mutate('suspendAccount', { id: ann.viewerId, reason: 'A test' }, 'changed');
    expect((await seen(bob, bob)).followers).toEqual([null]);
    await administrator.mutate('reinstateAccount', { id: ann.viewerId, reason: 'A test' }, 'changed');
    expect((await seen(bob, bob)).followers).toEqual(['New']);
  });
});

describe('the limits of follows', () => {
  const insert = async (reader: Client, count: number, followed: boolean) => {
    const { cassandra, randomId } = server.app;
    const at = new Date(0);
    const state = { followed, followed_at: at, requested: false, requested_at: null, shard: 0 };
    const changed = { version: 1, changed_at: at, change_id: randomId(), hour_began: null, hour_follows: 0 };
    const update = 'UPDATE follows_by_user SET state = ? WHERE user_id = ? AND followed_id = ?';
    const id = keyOf(reader.viewerId);
    await pLimit(200).map(Array.from({ length: count }), () =>
      cassandra.client.execute(update, [{ ...state, ...changed }, id, randomId()], { prepare: true }),
    );
    await recount(server.app, id);
  };
  const refused = (max: string) => ({
    changed: false,
    userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'id'], message: expect.stringContaining(max) }],
  });

  test('a reader follows at most 2,000 at once', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody(), await somebody()];
    await insert(ann, 1_999, true);
    expect((await follow(ann, bob)).changed).toBe(true);
    expect(await follow(ann, cid)).toMatchObject(refused('2,000'));
    expect(await follow(ann, bob)).toMatchObject({ changed: false, userErrors: [] });
    await unfollow(ann, bob);
    expect((await follow(ann, cid)).changed).toBe(true);
  });

  test('a reader follows at most 20,000 ever, and those again', async () => {
    const [ann, bob, cid] = [await somebody(), await somebody(), await somebody()];
    await insert(ann, 19_999, false);
    expect((await follow(ann, bob)).changed).toBe(true);
    await unfollow(ann, bob);
    expect(await follow(ann, cid)).toMatchObject(refused('20,000'));
    expect((await follow(ann, bob)).changed).toBe(true);
  });

  test.each([
    ['2,000', 1_997, true],
    ['20,000', 19_997, false],
  ])('a reader who acts at two servers at once follows exactly %s', async (max, count, followed) => {
    const [ann, ...others] = (await crowd(9)) as [Client, ...Client[]];
    await insert(ann, count, followed);
    const answers = await Promise.all(
      others.map((reader, index) => follow(index % 2 === 0 ? ann : elsewhere(ann), reader)),
    );
    const done = answers.filter(({ changed }) => changed);
    expect(done).toHaveLength(3);
    for (const answer of answers) if (!answer.changed) expect(answer).toMatchObject(refused(max));
    const { viewer } = await ann.data('{ viewer { following { totalCount } } }');
    expect(viewer.following.totalCount).toBe(3);
  });

  test('a last follow whose answer was lost is no follow too many', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    await insert(ann, 1_999, true);
    const [user_id, followed_id] = [keyOf(ann.viewerId), keyOf(bob.viewerId)];
    await follow(ann, bob);
    const state = (await countedStates.read(server.app.cassandra, { user_id, followed_id }))!;
    const again = countedStates.compareAndSet(server.app.cassandra, { user_id, followed_id }, null, state);
    expect(await again).toEqual({ applied: false, current: { state } });
  });

  test('a reader is followed again a few times in an hour', async () => {
    const strict = await startServer(await sharedKeyspace({ LIKE_CHANGES_PER_HOUR: '4' }));
    const [ann, bob] = [await somebody(), await somebody()];
    const client = strict.client();
    client.token = ann.token;
    for (let times = 0; times < 2; times++) {
      expect((await follow(client, bob)).changed).toBe(true);
      expect((await unfollow(client, bob)).changed).toBe(true);
    }
    const { changed, userErrors } = await follow(client, bob);
    expect({ changed, userErrors }).toMatchObject({ changed: false, userErrors: [{ code: 'RATE_LIMITED' }] });
    expect(userErrors[0].retryAfterSeconds).toBeGreaterThan(3_000);
  });
});

test('the caller sees their own follow at once on a server that keeps former counts', async () => {
  const config = await sharedKeyspace({ SHOWN_AGE_MAX_MS: '1000' });
  const keeping = await startServer(config);
  const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
  const there = keeping.client();
  const count = async () =>
    (await there.data(`{ node(id: "${bob.viewerId}") { ... on User { viewerFollows followers { totalCount } } } }`))
      .node;
  expect(await count()).toEqual({ viewerFollows: false, followers: { totalCount: 0 } });
  there.token = ann.token;
  await follow(ann, bob);
  expect(await count()).toEqual({ viewerFollows: true, followers: { totalCount: 1 } });
  there.token = bob.token;
  expect(await count()).toEqual({ viewerFollows: false, followers: { totalCount: 1 } });
});

test('random follows through two servers leave the lists and counts of a plain model', async () => {
  const readers = await crowd(4);
  const among = fc.nat({ max: readers.length - 1 });
  const call = fc.record({ from: among, to: among, isFollow: fc.boolean(), isElsewhere: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      const model = new Set<string>();
      for (const one of readers) for (const another of readers) if (one !== another) await unfollow(one, another);
      for (const round of rounds) {
        // The calls of a round are concurrent, each about another follow.
        const distinct = new Map(round.map((each) => [`${each.from} ${each.to}`, each]));
        await Promise.all(
          [...distinct].map(async ([pair, { from, to, isFollow, isElsewhere }]) => {
            if (from === to) return;
            const client = isElsewhere ? elsewhere(readers[from]!) : readers[from]!;
            const { changed } = await (isFollow ? follow : unfollow)(client, readers[to]!);
            expect(changed).toBe(model.has(pair) !== isFollow);
            if (isFollow) model.add(pair);
            else model.delete(pair);
          }),
        );
      }
      const named = (pairs: readonly string[], index: 0 | 1) =>
        pairs.map((pair) => `Reader ${pair.split(' ')[index]!}`).toSorted();
      for (const [index, reader] of readers.entries()) {
        const { followers, following } = await seen(reader, reader);
        const pairs = [...model];
        expect(followers.toSorted()).toEqual(
          named(
            pairs.filter((pair) => pair.endsWith(` ${index}`)),
            0,
          ),
        );
        expect(following.toSorted()).toEqual(
          named(
            pairs.filter((pair) => pair.startsWith(`${index} `)),
            1,
          ),
        );
      }
    }),
    { numRuns: runs(15) },
  );
});
