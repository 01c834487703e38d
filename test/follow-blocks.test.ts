import { beforeAll, describe, expect, test } from 'vitest';
import { blocks } from '../src/blocks/aggregate.ts';
import { endFollowsIfHidden, follows } from '../src/follows/aggregate.ts';
import { personalData } from '../src/follows/personal-data.ts';
import { everyAudit } from '../src/app/workers.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { untilOneSurvives } from './support/dying.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { doAllJobs } from './support/jobs.ts';

/** Blocks, deletions of accounts, audits and follows. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
});

const does =
  (verb: 'follow' | 'unfollow' | 'block' | 'unblock') =>
  (reader: Client, { viewerId }: Client) =>
    reader.mutate(verb, { id: viewerId }, 'changed');
const [follow, unfollow, block, unblock] = [does('follow'), does('unfollow'), does('block'), does('unblock')];
const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const pair = async () => [await somebody('Ann'), await somebody('Bob')] as const;

/** Reads the follows in which a reader takes part: as a follower, and as the followed reader. */
const followsOf = async (reader: Client) => {
  const { viewer } = await reader.data(
    `{ viewer { followerTally { count isExact } followers { totalCount nodes { fullName } } following { totalCount nodes { fullName } } } }`,
  );
  const { followers, following, followerTally } = viewer;
  expect(followerTally).toEqual({ count: followers.nodes.length, isExact: true });
  expect([followers.totalCount, following.totalCount]).toEqual([followers.nodes.length, following.nodes.length]);
  const names = ({ nodes }: { nodes: ({ fullName: string } | null)[] }) => nodes.map((node) => node?.fullName ?? null);
  return { followers: names(followers), following: names(following) };
};
const NOTHING = { followers: [], following: [] };

describe('a block', () => {
  test.each([
    ['of a follower', (one: Client, other: Client) => block(other, one)],
    ['of the followed reader', (one: Client, other: Client) => block(one, other)],
  ])('%s ends the follows of both, and its end brings none back', async (_whom, blocks) => {
    const [ann, bob] = await pair();
    await follow(ann, bob);
    await follow(bob, ann);
    await blocks(ann, bob);
    expect([await followsOf(ann), await followsOf(bob)]).toEqual([NOTHING, NOTHING]);
    for (const [one, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      expect(await follow(one, other)).toMatchObject({ changed: false, userErrors: [{ code: 'NOT_FOUND' }] });
      expect(await unfollow(one, other)).toMatchObject({ changed: false, userErrors: [{ code: 'NOT_FOUND' }] });
    }
    for (const [one, other] of [
      [ann, bob],
      [bob, ann],
    ] as const)
      if ((await unblock(one, other)).changed) break;
    expect([await followsOf(ann), await followsOf(bob)]).toEqual([NOTHING, NOTHING]);
    expect((await follow(ann, bob)).changed).toBe(true);
  });

  test.each(['compare-and-set', 'followers', 'lists', 'count', 'ends'])(
    'ends a follow that was held up before its %s',
    async (step) => {
      const [ann, bob] = await pair();
      const resume = await heldUpAt(server, `follow: before ${step}`, ann, (client) => follow(client, bob));
      await block(bob, ann);
      await resume();
      expect([await followsOf(ann), await followsOf(bob)]).toEqual([NOTHING, NOTHING]);
    },
  );

  test.each(['compare-and-set', 'hidden', 'list', 'follows', 'readers'])(
    'that is held up before its %s ends a follow that was made meanwhile',
    async (step) => {
      const [ann, bob] = await pair();
      const resume = await heldUpAt(server, `block: before ${step}`, bob, (client) => block(client, ann));
      await follow(ann, bob);
      await resume();
      expect([await followsOf(ann), await followsOf(bob)]).toEqual([NOTHING, NOTHING]);
    },
  );

  test.each(['hidden', 'follows'])(
    'that is held up before its %s ends no follow that was made after it was taken back',
    async (step) => {
      const [ann, bob] = await pair();
      await follow(ann, bob);
      const resume = await heldUpAt(server, `block: before ${step}`, bob, (client) => block(client, ann));
      await unblock(bob, ann);
      // The end of the block has completed the block before.
      expect(await followsOf(ann)).toEqual(NOTHING);
      expect((await follow(ann, bob)).changed).toBe(true);
      await resume();
      expect(await followsOf(bob)).toEqual({ followers: ['Ann'], following: [] });
    },
  );

  test.each([
    ['first', 1, 2],
    // The decision fails, because it is about the former follow.
    ['last', 2, 3],
  ])('ends no follow that was made after its %s look at the readers', async (_which, look, all) => {
    const [ann, bob] = await pair();
    await follow(ann, bob);
    const resume = await heldUpAt(server, 'block: before follows', bob, (client) => block(client, ann));
    let looks = 0;
    const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
      const answer = await send();
      if (cql.includes('FROM hidden_by_user') && ++looks === look) {
        await unblock(bob, ann);
        await follow(ann, bob);
      }
      return answer;
    });
    await endFollowsIfHidden({ ...server.app, cassandra }, keyOf(ann.viewerId), keyOf(bob.viewerId));
    expect(looks).toBe(all);
    expect(await followsOf(bob)).toEqual({ followers: ['Ann'], following: [] });
    await resume();
    expect(await followsOf(bob)).toEqual({ followers: ['Ann'], following: [] });
  });

  test('that its process decided and did not finish is completed before it is taken back', async () => {
    const [ann, bob] = await pair();
    await follow(ann, bob);
    const dying = await startServer(server.app.config, {
      atCrashPoint: (name) => {
        if (name === 'block: after compare-and-set') throw new Error('the process died here');
      },
    });
    const client = dying.client();
    client.token = bob.token;
    const query = `mutation { block(input: { id: "${ann.viewerId}" }) { changed } }`;
    expect(await client.errorCode(query)).toBe('TIMEOUT');
    expect((await unblock(bob, ann)).changed).toBe(true);
    expect([await followsOf(ann), await followsOf(bob)]).toEqual([NOTHING, NOTHING]);
    const key = { userId: keyOf(bob.viewerId), otherId: keyOf(ann.viewerId) };
    expect((await blocks.read(server.app, key))?.blocked).toBe(false);
  });
});

describe('when an account is deleted', () => {
  const deleteAccount = async (reader: Client) => {
    await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    // A busy machine leaves a part of the erasure to the job.
    await doAllJobs(server.app);
  };
  test('its follows are deleted in both directions; the export has those of both', async () => {
    const [ann, bob, cid, dan] = [
      await somebody('Ann'),
      await somebody('Bob'),
      await somebody('Cid'),
      await somebody(),
    ];
    for (const reader of [ann, cid, dan]) await follow(reader, bob);
    await follow(bob, ann);
    await follow(bob, dan);
    for (const [one, another] of [
      [dan, bob],
      [bob, dan],
    ] as const)
      await unfollow(one, another);
    await cid.mutate('updatePrivacy', { likes: 'ONLY_ME' }, 'viewer { id }');

    const exported = (await (await bob.exportMyData()).json()) as Record<string, object[]>;
    const time = expect.any(String) as string;
    expect(exported['user_by_item']).toEqual(
      expect.arrayContaining([
        { readerId: keyOf(ann.viewerId), followedAt: time },
        { readerId: null, followedAt: time },
      ]),
    );
    expect(exported['user_by_item']).toHaveLength(2);
    const entry = { followedAt: time, requested: false, requestedAt: null, changedAt: time };
    expect(exported['follows_by_user']).toHaveLength(2);
    expect(exported['follows_by_user']).toEqual(
      expect.arrayContaining([
        { readerId: keyOf(ann.viewerId), followed: true, ...entry },
        { readerId: keyOf(dan.viewerId), followed: false, ...entry },
      ]),
    );
    expect(JSON.stringify(exported)).not.toContain(keyOf(cid.viewerId));

    const rowsAboutBob = () => server.rowsAbout([keyOf(bob.viewerId)]);
    expect(await rowsAboutBob()).toEqual(
      expect.arrayContaining(['user_by_item', 'like_counts', 'follower_ids_by_user']),
    );
    await deleteAccount(bob);
    // The number of exports of a day expires with it.
    expect(await rowsAboutBob()).toEqual(['tries_by_subject', 'users_by_id']);
    for (const reader of [ann, cid, dan]) expect(await followsOf(reader)).toEqual(NOTHING);
  });

  test.each([
    ['follower', 'compare-and-set'],
    ['follower', 'followers'],
    ['follower', 'ends'],
    ['followed reader', 'compare-and-set'],
    ['followed reader', 'followers'],
    ['followed reader', 'lists'],
    ['followed reader', 'ends'],
  ] as const)('%s: nothing remains of a follow that was held up before its %s', async (who, step) => {
    const [ann, bob] = await pair();
    const resume = await heldUpAt(server, `follow: before ${step}`, ann, (client) =>
      client.send(`mutation { follow(input: { id: "${bob.viewerId}" }) { changed } }`),
    );
    const [gone, left] = who === 'follower' ? [ann, bob] : [bob, ann];
    await deleteAccount(gone);
    await resume();
    expect(await server.rowsAbout([keyOf(gone.viewerId)])).toEqual(['users_by_id']);
    expect(await followsOf(left)).toEqual(NOTHING);
  });

  test('an erasure leaves no wrong number of follows', async () => {
    const [ann, bob] = await pair();
    await follow(ann, bob);
    const id = keyOf(ann.viewerId);
    const spoil = 'UPDATE follows_by_user SET counts = ? WHERE user_id = ?';
    const counts = { version: 9, at_once: 3, ever: 3 };
    await server.app.cassandra.client.execute(spoil, [counts, id], { prepare: true });
    await deleteAccount(ann);
    const select = 'SELECT counts FROM follows_by_user WHERE user_id = ?';
    const { rows } = await server.app.cassandra.client.execute(select, [id], { prepare: true });
    expect(rows.filter((row) => row['counts'] !== null)).toEqual([]);
  });

  test('an erasure that is cut short finds every follow again', async () => {
    const [ann, bob] = await pair();
    await follow(ann, bob);
    await follow(bob, ann);
    const [annId, bobId] = [keyOf(ann.viewerId), keyOf(bob.viewerId)];

    for (const { erased } of personalData) {
      if (typeof erased === 'string') continue;
      await untilOneSurvives(server.app, async (dying) => {
        for (let after: string | undefined = ''; after !== undefined;) after = await erased(dying, annId, after);
      });
    }

    const states = await Promise.all([
      follows.read(server.app, { userId: annId, followedId: bobId }),
      follows.read(server.app, { userId: bobId, followedId: annId }),
    ]);
    expect(states.filter((state) => state?.followed === true)).toEqual([]);
    expect(await followsOf(bob)).toEqual(NOTHING);
  });
});

describe('the audit of follows', () => {
  const execute = (cql: string, params: unknown[]) =>
    server.app.cassandra.client.execute(cql, params, { prepare: true });
  const audits = everyAudit.filter(({ kind }) => kind === 'follows' || kind === 'likes');
  const tablesOf = (drift: readonly { table: string }[]) => [...new Set(drift.map(({ table }) => table))].toSorted();
  let ann: Client;
  let bob: Client;
  let ids: [userId: string, followedId: string];
  let state: { followed_at: Date; shard: number };
  const stateNow = async () => (await follows.read(server.app, { userId: ids[0], followedId: ids[1] }))!;
  const versionNow = async () => BigInt((await stateNow()).version);

  beforeAll(async () => {
    [ann, bob] = await pair();
    await follow(bob, ann);
    await follow(ann, bob);
    await unfollow(bob, ann);
    ids = [keyOf(ann.viewerId), keyOf(bob.viewerId)];
    const { followed_at, shard } = await stateNow();
    state = { followed_at: followed_at!, shard };
  });

  test('finds nothing in what servers have written', async () => {
    expect((await audited(server.app, audits)).drift).toEqual([]);
  });

  test.each<[string, string[], () => Promise<unknown>]>([
    [
      'a follow that is not in the list of its reader',
      ['following_by_user'],
      async () =>
        execute(
          'DELETE FROM following_by_user USING TIMESTAMP ? WHERE user_id = ? AND followed_at = ? AND followed_id = ?',
          [await versionNow(), ids[0], state.followed_at, ids[1]],
        ),
    ],
    [
      'a follow in a list that was never made',
      ['following_by_user'],
      () =>
        execute(
          'INSERT INTO following_by_user (user_id, followed_at, followed_id) VALUES (?, ?, ?) USING TIMESTAMP 1',
          [ids[1], new Date(0), ids[0]],
        ),
    ],
    [
      'a request that was never made',
      ['follow_requests_by_user'],
      () =>
        execute(
          'INSERT INTO follow_requests_by_user (followed_id, year, requested_at, user_id) VALUES (?, 1970, ?, ?) USING TIMESTAMP 1',
          [ids[1], new Date(0), ids[0]],
        ),
    ],
    [
      'a follow that its followed reader does not lead to',
      ['follower_ids_by_user'],
      async () =>
        execute(
          'DELETE FROM follower_ids_by_user USING TIMESTAMP ? WHERE followed_id = ? AND shard = ? AND user_id = ?',
          [await versionNow(), ids[1], Number.parseInt(ids[0].slice(0, 8), 16) % 64, ids[0]],
        ),
    ],
    [
      'a follower who is not listed',
      ['user_by_item'],
      () =>
        execute(
          'DELETE FROM user_by_item WHERE likeable_id = ? AND shard = ? AND liked = true AND liked_at = ? AND user_id = ? IF EXISTS',
          [`User:${ids[1]}`, state.shard, state.followed_at, ids[0]],
        ),
    ],
    [
      'a follower who never followed',
      ['user_by_item'],
      () =>
        execute(
          `INSERT INTO user_by_item (likeable_id, shard, liked, liked_at, user_id, version, full_name)
           VALUES (?, 0, true, ?, ?, 1, 'Nobody') IF NOT EXISTS`,
          [`User:${ids[0]}`, new Date(), ids[1]],
        ),
    ],
    ...[null, { version: 9, at_once: 0, ever: 3 }].map((counts): [string, string[], () => Promise<unknown>] => [
      counts ? 'a wrong number of follows' : 'no number of follows',
      ['follows_by_user'],
      () => execute('UPDATE follows_by_user SET counts = ? WHERE user_id = ?', [counts, ids[0]]),
    ]),
    [
      'a number of followers',
      ['like_counts'],
      async () => {
        const select = 'SELECT WRITETIME(like_count) AS written FROM like_counts WHERE likeable_id = ? AND shard = 0';
        const { rows } = await execute(select, [`User:${ids[1]}`]);
        const insert = 'INSERT INTO like_counts (likeable_id, shard, like_count) VALUES (?, 0, 99) USING TIMESTAMP ?';
        return execute(insert, [`User:${ids[1]}`, rows[0]!['written']]);
      },
    ],
  ])('finds and repairs %s', async (_what, tables, spoil) => {
    await spoil();
    expect(tablesOf((await audited(server.app, audits)).drift)).toEqual(tables);
    const repaired = await audited(server.app, audits, { repair: true });
    expect(repaired.drift.length).toBeGreaterThan(0);
    for (const drift of repaired.drift) expect(drift).toMatchObject({ repaired: true });
    expect((await audited(server.app, audits)).drift).toEqual([]);
    expect(await followsOf(ann)).toEqual({ followers: [], following: ['Bob'] });
    expect(await followsOf(bob)).toEqual({ followers: ['Ann'], following: [] });
  });

  test.each([
    ['follow', false],
    ['request', true],
  ])('finds and ends a %s that remains between readers who are hidden from each other', async (_what, isAsked) => {
    const [cid, dan] = await pair();
    if (isAsked) await dan.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
    await follow(cid, dan);
    const key = { userId: keyOf(cid.viewerId), followedId: keyOf(dan.viewerId) };
    const before = await follows.read(server.app, key);
    // The rows of a block by Dan, whose end of the follow is missing.
    const insert = 'INSERT INTO hidden_by_user (user_id, other_id, blocks, is_blocked) VALUES (?, ?, ?, ?)';
    const { userId, followedId } = key;
    await execute(`${insert} USING TIMESTAMP 1`, [userId, followedId, false, true]);
    await execute(`${insert} USING TIMESTAMP 1`, [followedId, userId, true, false]);

    expect(before).toMatchObject(isAsked ? { requested: true } : { followed: true });
    expect(tablesOf((await audited(server.app, audits)).drift)).toEqual(['follows_by_user']);
    const repaired = await audited(server.app, audits, { repair: true });
    expect(repaired.drift).toMatchObject([{ table: 'follows_by_user', repaired: true }]);
    expect((await audited(server.app, audits)).drift).toEqual([]);
    expect(await follows.read(server.app, key)).toMatchObject({ followed: false, requested: false });
    expect([await followsOf(cid), await followsOf(dan)]).toEqual([NOTHING, NOTHING]);
  });
});
