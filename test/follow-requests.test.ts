import { beforeAll, describe, expect, test } from 'vitest';
import { follows } from '../src/follows/aggregate.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';

/** Requests to follow readers who approve their followers. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
});

const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
/** Makes a reader who approves their followers. */
async function careful(fullName?: string): Promise<Client> {
  const reader = await somebody(fullName);
  await reader.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
  return reader;
}

type Verb = 'follow' | 'unfollow' | 'acceptFollower' | 'removeFollower' | 'block' | 'unblock';
const does =
  (verb: Verb) =>
  (reader: Client, { viewerId }: Client) =>
    reader.mutate(verb, { id: viewerId }, 'changed');
const [follow, unfollow, accept, remove] = (['follow', 'unfollow', 'acceptFollower', 'removeFollower'] as const).map(
  does,
) as [ReturnType<typeof does>, ReturnType<typeof does>, ReturnType<typeof does>, ReturnType<typeof does>];

/** Reads what a reader sees of their follow of another one, and what that one sees. */
const seen = async (reader: Client, other: Client) => {
  const { node } = await reader.data(
    'query ($id: ID!) { node(id: $id) { ... on User { viewerFollows viewerHasRequestedFollow followRequests { nodes { id } } } } }',
    { id: other.viewerId },
  );
  expect(node.followRequests).toBeNull();
  const { viewer } = await other.data(
    '{ viewer { followerTally { count isExact } followers { totalCount nodes { fullName } } followRequests { count { value } nodes { fullName } } } }',
  );
  const { followers, followRequests, followerTally } = viewer;
  expect(followerTally).toEqual({ count: followers.nodes.length, isExact: true });
  expect(followers.totalCount).toBe(followers.nodes.length);
  expect(followRequests.count.value).toBe(followRequests.nodes.length);
  const names = ({ nodes }: { nodes: { fullName: string }[] }) => nodes.map(({ fullName }) => fullName);
  return {
    follows: node.viewerFollows as boolean,
    hasRequested: node.viewerHasRequestedFollow as boolean,
    followers: names(followers),
    requests: names(followRequests),
  };
};
const NOTHING = { follows: false, hasRequested: false, followers: [], requests: [] };
const ASKED = { follows: false, hasRequested: true, followers: [], requests: ['Ann'] };
const FOLLOWED = { follows: true, hasRequested: false, followers: ['Ann'], requests: [] };

describe('a request', () => {
  test('is made by follow, is no follow, and is answered once', async () => {
    const [ann, bob] = [await somebody('Ann'), await careful('Bob')];
    const made = { changed: true, userErrors: [] };
    const again = { changed: false, userErrors: [] };
    expect(await follow(ann, bob)).toEqual(made);
    expect(await follow(ann, bob)).toEqual(again);
    expect(await seen(ann, bob)).toEqual(ASKED);
    expect(await accept(bob, ann)).toEqual(made);
    expect(await accept(bob, ann)).toEqual(again);
    expect(await follow(ann, bob)).toEqual(again);
    expect(await seen(ann, bob)).toEqual(FOLLOWED);
    expect(await remove(bob, ann)).toEqual(made);
    expect(await remove(bob, ann)).toEqual(again);
    expect(await seen(ann, bob)).toEqual(NOTHING);
  });

  test('is taken back by its reader, or declined, and can be made again', async () => {
    const [ann, bob] = [await somebody('Ann'), await careful('Bob')];
    for (const end of [() => unfollow(ann, bob), () => remove(bob, ann)]) {
      await follow(ann, bob);
      expect(await seen(ann, bob)).toEqual(ASKED);
      expect(await end()).toMatchObject({ changed: true });
      expect(await seen(ann, bob)).toEqual(NOTHING);
      expect((await accept(bob, ann)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'id'] }]);
    }
  });

  test('stays when its reader is no longer asked for approval, and a new follow needs none', async () => {
    const [ann, bob, cid] = [await somebody('Ann'), await careful('Bob'), await somebody('Cid')];
    await follow(ann, bob);
    await follow(cid, bob);
    await bob.mutate('updatePrivacy', { approvesFollowers: false }, 'viewer { id }');
    expect(await seen(cid, bob)).toMatchObject({ hasRequested: true, requests: ['Cid', 'Ann'] });
    expect((await follow(ann, bob)).changed).toBe(true);
    expect((await accept(bob, cid)).changed).toBe(true);
    expect(await seen(ann, bob)).toEqual({ ...FOLLOWED, followers: ['Cid', 'Ann'] });
  });

  test('followers until then are kept when a reader begins to approve them', async () => {
    const [ann, bob, cid] = [await somebody('Ann'), await somebody('Bob'), await somebody('Cid')];
    await follow(ann, bob);
    await bob.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
    const { viewer } = await bob.data('{ viewer { privacy { approvesFollowers } } }');
    expect(viewer.privacy).toEqual({ approvesFollowers: true });
    await follow(cid, bob);
    expect(await seen(ann, bob)).toEqual({ ...FOLLOWED, requests: ['Cid'] });
  });

  test('the payloads tell what has become of it', async () => {
    const [ann, bob] = [await somebody('Ann'), await careful('Bob')];
    const asking = 'user { viewerFollows viewerHasRequestedFollow } followEdge { cursor }';
    const asked = await ann.mutate('follow', { id: bob.viewerId }, asking);
    expect(asked).toMatchObject({ user: { viewerFollows: false, viewerHasRequestedFollow: true }, followEdge: null });
    const answering = 'user { fullName } viewer { followers { totalCount } followRequests { nodes { id } } }';
    const viewer = (totalCount: number) => ({ followers: { totalCount }, followRequests: { nodes: [] } });
    expect(await bob.mutate('acceptFollower', { id: ann.viewerId }, answering)).toMatchObject({
      user: { fullName: 'Ann' },
      viewer: viewer(1),
    });
    expect(await bob.mutate('removeFollower', { id: ann.viewerId }, answering)).toMatchObject({ viewer: viewer(0) });
  });

  test.each(['acceptFollower', 'removeFollower'] as const)('%s refuses invalid input', async (verb) => {
    const ann = await somebody();
    const nobody = Buffer.from('User:00000000-0000-4000-8000-000000000000').toString('base64url');
    for (const [id, code] of [
      [ann.viewerId, 'INVALID_INPUT'],
      ['x', 'INVALID_INPUT'],
      [nobody, 'NOT_FOUND'],
    ] as const) {
      const { userErrors, ...rest } = await ann.mutate(verb, { id }, 'user { id } viewer { id } changed');
      expect(userErrors, id).toMatchObject([{ code, path: ['input', 'id'] }]);
      expect(rest).toEqual({ user: null, viewer: null, changed: false });
    }
  });

  test('is listed newest first, in both directions, and its cursor reveals no reader', async () => {
    const bob = await careful();
    const others: Client[] = [];
    for (let count = 0; count < 5; count++) {
      others.push(await somebody());
      await follow(others.at(-1)!, bob);
    }
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await bob.allPages(2, direction, async (args) => {
        const query = `{ viewer { followRequests(${args}) { edges { cursor requestedAt node { id } } ${PAGE_INFO} } } }`;
        return (await bob.data(query)).viewer.followRequests;
      });
      expect(edges.map(({ node }) => node.id as string)).toEqual(others.map(({ viewerId }) => viewerId).toReversed());
      const inClear = edges.map(({ cursor }) => Buffer.from(cursor as string, 'base64url').toString('latin1')).join();
      for (const { viewerId } of others) expect(inClear).not.toContain(keyOf(viewerId));
    }
  });
});

test('a reader whose account release 1.0.0 has written approves nobody, takes messages, and can change both', async () => {
  const reader = await somebody();
  const { client } = server.app.cassandra;
  const key = [keyOf(reader.viewerId)];
  const { rows } = await client.execute('SELECT state FROM users_by_id WHERE user_id = ?', key, { prepare: true });
  const state = { ...(rows[0]!['state'] as object), approves_followers: null, messages_refused: null };
  const update = 'UPDATE users_by_id SET state = ? WHERE user_id = ? IF EXISTS';
  await client.execute(update, [state, ...key], { prepare: true });

  const privacy = 'viewer { privacy { takesMessages approvesFollowers } }';
  expect((await reader.data(`{ ${privacy} }`)).viewer.privacy).toEqual({
    takesMessages: true,
    approvesFollowers: false,
  });
  const { viewer } = await reader.mutate('updatePrivacy', { approvesFollowers: true, takesMessages: false }, privacy);
  expect(viewer.privacy).toEqual({ takesMessages: false, approvesFollowers: true });
});

describe('a request, with', () => {
  test('a block: it is ended, and does not come back', async () => {
    for (const [blocker, blocked] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const both = [await somebody('Ann'), await careful('Bob')] as const;
      await follow(both[0], both[1]);
      await does('block')(both[blocker], both[blocked]);
      expect(await accept(both[1], both[0])).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
      await does('unblock')(both[blocker], both[blocked]);
      expect(await seen(both[0], both[1])).toEqual(NOTHING);
    }
  });

  test('a block while it is accepted: the follow is ended', async () => {
    const [ann, bob] = [await somebody('Ann'), await careful('Bob')];
    await follow(ann, bob);
    const resume = await heldUpAt(server, 'follow: before followers', bob, (client) => accept(client, ann));
    await does('block')(ann, bob);
    await resume();
    await does('unblock')(ann, bob);
    expect(await seen(ann, bob)).toEqual(NOTHING);
  });

  test.each(['the asking reader', 'the asked reader'])('the erasure of %s: nothing remains', async (who) => {
    const [ann, bob] = [await somebody('Ann'), await careful('Bob')];
    await follow(ann, bob);
    const [gone, left] = who === 'the asking reader' ? [ann, bob] : [bob, ann];
    const exported = (await (await gone.exportMyData()).json()) as Record<string, unknown[]>;
    const time = expect.any(String) as string;
    if (gone === bob)
      expect(exported['follow_requests_by_user']).toEqual([{ readerId: keyOf(ann.viewerId), requestedAt: time }]);
    else expect(exported['follows_by_user']).toMatchObject([{ followed: false, requested: true, requestedAt: time }]);
    await gone.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(await server.rowsAbout([keyOf(gone.viewerId)])).toEqual(['tries_by_subject', 'users_by_id']);
    const { viewer } = await left.data('{ viewer { followRequests { nodes { id } } following { nodes { id } } } }');
    expect(viewer).toEqual({ followRequests: { nodes: [] }, following: { nodes: [] } });
  });

  test('a lost row: the audit finds and repairs it', async () => {
    const [ann, bob] = [await somebody('Ann'), await careful('Bob')];
    await follow(ann, bob);
    const ids = { userId: keyOf(ann.viewerId), followedId: keyOf(bob.viewerId) };
    const { version, requested_at } = (await follows.read(server.app, ids))!;
    await server.app.cassandra.client.execute(
      'DELETE FROM follow_requests_by_user USING TIMESTAMP ? WHERE followed_id = ? AND year = ? AND requested_at = ? AND user_id = ?',
      [BigInt(version), ids.followedId, requested_at!.getUTCFullYear(), requested_at, ids.userId],
      { prepare: true },
    );
    const { drift } = await audited(server.app, [auditOf('follows')], { repair: true });
    expect(drift).toMatchObject([{ table: 'follow_requests_by_user', repaired: true }]);
    expect(await seen(ann, bob)).toEqual(ASKED);
  });
});
