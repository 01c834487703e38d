import { buildSchema, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';

/** The visibility of a reader's likes and readings. */

const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'FOLLOWERS', 'ONLY_ME'] as const;
type Audience = (typeof AUDIENCES)[number];

let server: TestServer;
let reader: Client;
let book: string;
/**
 * The callers: signed out, signed in, a follower, one who has only asked to follow, the reader, one
 * whom the reader blocks, and one who blocks the reader.
 */
let callers: Record<'stranger' | 'signedIn' | 'follower' | 'asking' | 'owner' | 'blocked' | 'blocker', Client>;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace({ AVATAR_HOSTS: 'faces.example' }));
  [book] = (await ownBooks(server.app, 1)) as [string];
  reader = await server.client().registerSomebody('Ann Lee');
  await reader.mutate('updateProfile', { bio: 'I read.', avatarUrl: 'https://faces.example/1' }, 'viewer { id }');
  await reader.like(book);
  await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
  const price = { amount: '5', currency: 'EUR' };
  await reader.mutate('listItem', { bookId: book, price, condition: 'GOOD' }, 'item { id }');
  const [signedIn, follower, asking, blocked, blocker] = (await Promise.all(
    [1, 2, 3, 4, 5].map(() => server.client().registerSomebody()),
  )) as [Client, Client, Client, Client, Client];
  callers = { stranger: server.client(), signedIn, follower, asking, owner: reader, blocked, blocker };
  for (const each of [follower, blocked, blocker]) await each.mutate('follow', { id: reader.viewerId }, 'changed');
  await reader.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
  await asking.mutate('follow', { id: reader.viewerId }, 'changed');
  await reader.mutate('block', { id: blocked.viewerId }, 'changed');
  await blocker.mutate('block', { id: reader.viewerId }, 'changed');
});

const setPrivacy = async (privacy: { likes?: Audience | null; readings?: Audience | null }) => {
  const { viewer, userErrors } = await reader.mutate('updatePrivacy', privacy, 'viewer { privacy { likes readings } }');
  expect(userErrors).toEqual([]);
  return viewer.privacy as unknown;
};

/** The callers who see nothing of the reader with any audience. */
const NOT_AT_ALL = { blocked: false, blocker: false };

/** Returns for each caller whether data with an audience is visible. */
const shownTo = (audience: Audience) => ({
  stranger: audience === 'EVERYONE',
  signedIn: audience === 'EVERYONE' || audience === 'SIGNED_IN',
  follower: audience !== 'ONLY_ME',
  asking: audience === 'EVERYONE' || audience === 'SIGNED_IN',
  owner: true,
  ...NOT_AT_ALL,
});

describe('the likes and readings of a reader', () => {
  test('are shown to everybody until they set another audience, and then only to that audience', async () => {
    const { viewer } = await reader.data('{ viewer { privacy { likes readings } } }');
    expect(viewer.privacy).toEqual({ likes: 'EVERYONE', readings: 'ONLY_ME' });
  });

  test('an audience that is not given is unchanged', async () => {
    expect(await setPrivacy({ likes: 'SIGNED_IN' })).toEqual({ likes: 'SIGNED_IN', readings: 'ONLY_ME' });
    expect(await setPrivacy({ readings: 'EVERYONE', likes: null })).toEqual({
      likes: 'SIGNED_IN',
      readings: 'EVERYONE',
    });
    expect(await setPrivacy({})).toEqual({ likes: 'SIGNED_IN', readings: 'EVERYONE' });
  });

  test.each(AUDIENCES.flatMap((likes) => AUDIENCES.map((readings) => [likes, readings] as const)))(
    'likes for %s, readings for %s: nodes, edges and nested lists alike',
    async (likes, readings) => {
      await setPrivacy({ likes, readings });
      for (const [who, caller] of Object.entries(callers)) {
        const data = await caller.data(
          `query ($reader: ID!, $book: ID!) {
             node(id: $reader) { ...Reader }
             nodes(ids: [$reader]) { ...Reader }
             book: node(id: $book) { ... on Book { likeCount likers(first: 2) { edges { likedAt node { fullName ...Reader } } } } }
           }
           fragment Reader on User {
             likes(first: 2) { edges { title node { ... on Book { likers(first: 2) { edges { node { fullName } } } } } } }
             readBooks(first: 2) { readerFullName edges { title } }
           }`,
          { reader: reader.viewerId, book },
        );
        const seesLikes = shownTo(likes)[who as keyof typeof callers];
        const seesReadings = shownTo(readings)[who as keyof typeof callers];
        const liker = seesLikes ? { fullName: 'Ann Lee' } : null;
        if (who in NOT_AT_ALL) expect([data.node, ...data.nodes]).toEqual([null, null]);
        else
          for (const node of [data.node, ...data.nodes]) {
            const edge = { node: { likers: { edges: [{ node: liker }] } } };
            if (seesLikes) expect(node.likes, who).toMatchObject({ edges: [edge] });
            else expect(node.likes, who).toBeNull();
            if (seesReadings) expect(node.readBooks, who).toMatchObject({ readerFullName: 'Ann Lee', edges: [{}] });
            else expect(node.readBooks, who).toBeNull();
          }
        // The like is counted and has its edge, even if its reader is hidden.
        expect(data.book.likeCount).toBe(1);
        expect(data.book.likers.edges).toHaveLength(1);
        const [edge] = data.book.likers.edges as [{ node: { readBooks: object | null } | null }];
        if (liker) expect(edge.node).toMatchObject(liker);
        else expect(edge.node).toBeNull();
        if (edge.node && !seesReadings) expect(edge.node.readBooks).toBeNull();
      }
    },
  );

  test('a page continues after a like whose reader is hidden, and no cursor reveals the reader', async () => {
    const [liked] = (await ownBooks(server.app, 1)) as [string];
    const readers = await Promise.all([1, 2, 3, 4].map(() => server.client().registerSomebody()));
    for (const each of readers) await each.like(liked);
    for (const each of readers.slice(1, 3)) await each.mutate('updatePrivacy', { likes: 'ONLY_ME' }, 'viewer { id }');
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await callers.stranger.allPages(1, direction, async (args) => {
        const query = `query ($id: ID!) { node(id: $id) { ... on Book { likers(${args}) { edges { cursor node { id } } ${PAGE_INFO} } } } }`;
        return (await callers.stranger.data(query, { id: liked })).node.likers;
      });
      const seen = edges.map(({ node }) => (node as { id: string } | null)?.id ?? null);
      expect(seen).toEqual([readers[3]!.viewerId, null, null, readers[0]!.viewerId]);
      for (const { cursor } of edges) {
        const carried = Buffer.from(cursor, 'base64url').toString();
        for (const { viewerId } of readers) expect(carried).not.toContain(keyOf(viewerId));
      }
    }
  });

  test('a cursor that was changed is refused', async () => {
    const query = (after: string) =>
      callers.stranger.send(
        `query ($id: ID!) { node(id: $id) { ... on Book { likers(after: "${after}") { edges { cursor } } } } }`,
        { id: book },
      );
    const { node } = await callers.stranger.data(
      'query ($id: ID!) { node(id: $id) { ... on Book { likers { edges { cursor } } } } }',
      { id: book },
    );
    const [name, sealed] = JSON.parse(Buffer.from(node.likers.edges[0].cursor as string, 'base64url').toString()) as [
      string,
      string,
    ];
    const made = (text: string) => Buffer.from(JSON.stringify([name, text])).toString('base64url');
    expect((await query(made(sealed))).errors).toBeUndefined();
    const changed = `${sealed.slice(0, 40)}${sealed[40] === 'A' ? 'B' : 'A'}${sealed.slice(41)}`;
    for (const wrong of [changed, '', 'x', sealed.slice(0, 30), `${sealed}AAAA`]) {
      expect((await query(made(wrong))).errors, wrong).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    }
  });

  test('a signed-out caller cannot set one, and no other audience is accepted', async () => {
    const query = 'mutation ($input: UpdatePrivacyInput!) { updatePrivacy(input: $input) { userErrors { code } } }';
    const signedOut = await server.client().send(query, { input: { likes: 'EVERYONE' } });
    expect(signedOut.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    const wrong = await reader.send(query, { input: { likes: 'FRIENDS' } });
    expect(wrong.errors).toMatchObject([
      { message: expect.stringContaining('"input.likes"'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });
});

/** The audience of each field of a reader. A new field must be added here. */
const FIELDS: Readonly<Record<string, 'everybody' | 'the reader' | 'likes' | 'readings'>> = {
  id: 'everybody',
  fullName: 'everybody',
  bio: 'everybody',
  avatarUrl: 'everybody',
  registeredAt: 'everybody',
  listings: 'everybody',
  reviews: 'everybody',
  followers: 'everybody',
  followerTally: 'everybody',
  viewerFollows: 'everybody',
  viewerHasRequestedFollow: 'everybody',
  likes: 'likes',
  following: 'likes',
  readBooks: 'readings',
  ratings: 'readings',
  statistics: 'readings',
  email: 'the reader',
  isEmailVerified: 'the reader',
  isTwoFactorEnabled: 'the reader',
  passkeys: 'the reader',
  shelf: 'the reader',
  currency: 'the reader',
  actions: 'the reader',
  sessions: 'the reader',
  securityEvents: 'the reader',
  recentlyViewed: 'the reader',
  libraryImports: 'the reader',
  unlistedBooks: 'the reader',
  lists: 'everybody',
  loginCount: 'the reader',
  logins: 'the reader',
  isAdministrator: 'the reader',
  privacy: 'the reader',
  pendingRename: 'the reader',
  blocked: 'the reader',
  followRequests: 'the reader',
  notifications: 'the reader',
  notificationSettings: 'the reader',
  unreadNotificationCount: 'the reader',
};

test('each field of a reader is shown to its audience', async () => {
  const schema = buildSchema(await readFile(join(import.meta.dirname, '../schema.graphql'), 'utf8'));
  const type = schema.getType('User');
  if (!isObjectType(type)) throw new Error('The schema has no readers');
  const fields = Object.values(type.getFields());
  expect(fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(FIELDS).toSorted());

  await setPrivacy({ likes: 'ONLY_ME', readings: 'ONLY_ME' });
  const given: Readonly<Record<string, string>> = { status: 'READ', last: '"P1D"', year: '2024' };
  const selection = fields.map((field) => {
    const needed = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: ${given[name] ?? ''}`);
    const inner = isObjectType(getNamedType(field.type)) ? ' { __typename }' : '';
    return `${field.name}${needed.length > 0 ? `(${needed.join()})` : ''}${inner}`;
  });
  const query = `query ($id: ID!) { node(id: $id) { ... on User { ${selection.join(' ')} } } }`;
  for (const [who, caller] of Object.entries(callers)) {
    const { node } = await caller.data(query, { id: reader.viewerId });
    if (who in NOT_AT_ALL) {
      expect(node, who).toBeNull();
      continue;
    }
    for (const [name, audience] of Object.entries(FIELDS)) {
      // The reader is not renamed meanwhile.
      const isSeen = name !== 'pendingRename' && (who === 'owner' || audience === 'everybody');
      expect(node[name] !== null, `${name} to ${who}`).toBe(isSeen);
    }
  }
});
