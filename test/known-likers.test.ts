import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readChanges } from '../src/changes/operations.ts';
import { MEMBERS_KEPT_OF_ONE } from '../src/member-sets/kept-members.ts';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import { loadLikes } from '../tools/bulk/likes.ts';
import { statementsOf } from '../tools/support/statements.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { storedIdOf } from './support/ids.ts';

/** The readers whom the viewer follows among those who like a thing. */

/** The limit is so low that a few likes fill several shards. */
const SHARD_ROWS_MAX = 3;

let server: TestServer;
let other: TestServer;
let administrator: Client;
/** A book with more likers than a server keeps. */
let hot: string;

beforeAll(async () => {
  const config = await ownKeyspace();
  const start = () => startServer({ ...config, likeShardRowsMax: SHARD_ROWS_MAX });
  [server, other] = await Promise.all([start(), start()]);
  administrator = await registerAdministrator(server);
  hot = await hotBook(await startServer(config));
});

/** Makes a book that just too many strangers like. */
async function hotBook({ app }: TestServer): Promise<string> {
  const [id = ''] = await ownBooks(app, 1);
  const strangers = Array.from({ length: MEMBERS_KEPT_OF_ONE + 1 }, () => ({
    userId: randomUUID(),
    fullName: 'A stranger',
    likeableId: storedIdOf(id),
    title: 'A title',
    authors: [],
    likedAt: new Date(Date.now() - 60_000),
  }));
  await loadLikes(app, strangers, new ActionsInBulk());
  return id;
}

const follow = (reader: Client, id: string) => reader.mutate('follow', { id }, 'changed');
const unfollow = (reader: Client, id: string) => reader.mutate('unfollow', { id }, 'changed');
const KNOWN = 'knownLikers(first: 100) { count isExact nodes { id } }';

/** Returns the ids of the known likers of some things, in order. */
async function knownLikers(viewer: Client, ids: readonly string[]): Promise<string[][]> {
  const { nodes } = await viewer.data(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Likeable { ${KNOWN} } } }`, {
    ids,
  });
  return nodes.map(({ knownLikers }: { knownLikers: Known }) => {
    expect(knownLikers).toMatchObject({ count: knownLikers.nodes.length, isExact: true });
    return knownLikers.nodes.map(({ id }) => id);
  });
}

interface Known {
  readonly count: number;
  readonly isExact: boolean;
  readonly nodes: readonly { readonly id: string }[];
}

/**
 * Returns the known likers of a thing by its list of likers and the viewer's list of followed
 * readers.
 */
async function plainKnownLikers(viewer: Client, id: string): Promise<string[]> {
  const followed = await viewer.allPages(100, 'forward', async (args) => {
    const query = `{ viewer { following(${args}) { edges { cursor node { id } } ${PAGE_INFO} } } }`;
    return (await viewer.data(query)).viewer.following;
  });
  const likers = await viewer.allPages(100, 'forward', async (args) => {
    const query = `{ node(id: "${id}") { ... on Book { likers(${args}) { edges { cursor node { id } } ${PAGE_INFO} } } } }`;
    return (await viewer.data(query)).node.likers;
  });
  const idsOf = (edges: readonly { node: { id: string } | null }[]) => edges.flatMap(({ node }) => node?.id ?? []);
  const isFollowed = new Set(idsOf(followed));
  return idsOf(likers).filter((each) => isFollowed.has(each));
}

const BOOKS = 3;
const READERS = 4;
const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'FOLLOWERS', 'ONLY_ME'] as const;

const reader = fc.nat({ max: READERS - 1 });
const book = fc.nat({ max: BOOKS });
/** Something that changes who of the followed readers likes what; likes are the most frequent. */
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('like' as const), reader, book }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('unlike' as const), reader, book }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('follow' as const), reader }) },
  fc.record({
    act: fc.constantFrom('unfollow' as const, 'block' as const, 'unblock' as const, 'be blocked' as const),
    reader,
  }),
  fc.record({ act: fc.constant('choose' as const), reader, likes: fc.constantFrom(...AUDIENCES) }),
  fc.record({ act: fc.constantFrom('suspend' as const, 'reinstate' as const, 'delete' as const), reader }),
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** A reader of the model. */
interface Modelled {
  readonly client: Client;
  readonly state: {
    isFollowed: boolean;
    /** True if the viewer blocks the reader. */
    isBlocked: boolean;
    /** True if the reader blocks the viewer. */
    blocks: boolean;
    isSuspended: boolean;
    isDeleted: boolean;
    /** True if a suspension or deletion has ended the reader's sessions. */
    isSilent: boolean;
    likes: (typeof AUDIENCES)[number];
  };
}

interface World {
  readonly readers: readonly Modelled[];
  readonly books: readonly string[];
  /** The likers of each book, newest like first. */
  readonly likers: Modelled[][];
}

describe('known likers', () => {
  test('are those of a plain model and of the list of likers, whatever readers do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 30 }), async (acts) => {
        const books = [...(await ownBooks(server.app, BOOKS)), hot];
        const readers = await Promise.all(Array.from({ length: READERS }, modelled));
        const likers = books.map((): Modelled[] => []);
        const viewer = await server.client().registerSomebody('Viewer');
        const viewers = [viewer, at(other, viewer)];
        for (const done of acts) {
          // The servers keep the likers as they were before the act.
          for (const each of viewers) await knownLikers(each, books);
          await perform(viewer, { readers, books, likers }, done);
        }

        const expected = likers.map((of) => of.filter(isKnown).map(({ client }) => client.viewerId));
        for (const each of viewers) expect(await knownLikers(each, books)).toEqual(expected);
        for (const [index, id] of books.slice(0, BOOKS).entries())
          expect(await plainKnownLikers(viewer, id)).toEqual(expected[index]);
      }),
      { numRuns: runs(60, 12) },
    );
  });

  test('are nobody for callers who are signed out or follow nobody', async () => {
    const [id = ''] = await ownBooks(server.app, 1);
    const reader = await server.client().registerSomebody();
    await reader.like(id);
    for (const client of [server.client(), await server.client().registerSomebody(), reader])
      expect(await knownLikers(client, [id, hot])).toEqual([[], []]);
  });

  test('are the reader themselves where they see themselves as a follower does', async () => {
    const [id = ''] = await ownBooks(server.app, 1);
    const reader = await server.client().registerSomebody();
    await reader.like(id);
    const likes = 'likes(first: 1) { edges { node { ... on Book { knownLikers { nodes { id } } } } } }';
    const seenBy = async (audience: string) => {
      const { user } = await reader.data(`{ user(id: "${reader.viewerId}", seenBy: ${audience}) { ${likes} } }`);
      return user.likes.edges[0].node.knownLikers.nodes;
    };
    expect(await seenBy('FOLLOWERS')).toEqual([{ id: reader.viewerId }]);
    expect(await seenBy('SIGNED_IN')).toEqual([]);
  });

  test('are all counted, and the first of them are nodes', async () => {
    const [id = ''] = await ownBooks(server.app, 1);
    const viewer = await server.client().registerSomebody();
    const names = ['One', 'Two', 'Three', 'Four'];
    for (const name of names) {
      const reader = await server.client().registerSomebody(name);
      await reader.like(id);
      await follow(viewer, reader.viewerId);
    }

    const of = (args: string) =>
      `{ node(id: "${id}") { ... on Likeable { knownLikers${args} { count nodes { fullName } } } } }`;
    const shown = async (args: string) => {
      const { count, nodes } = (await viewer.data(of(args))).node.knownLikers;
      expect(count).toBe(4);
      return nodes.map(({ fullName }: { fullName: string }) => fullName) as string[];
    };
    expect(await shown('')).toEqual(['Four', 'Three', 'Two']);
    expect(await shown('(first: 0)')).toEqual([]);
    expect(await shown('(first: 100)')).toEqual(names.toReversed());
    for (const first of [-1, 101])
      expect(await viewer.errorCode(of(`(first: ${first})`)), String(first)).toBe('BAD_USER_INPUT');
  });

  test('are at most a second old; a server reads the likers of a page once, and again after a change', async () => {
    let now = 1_000_000;
    const config = { ...server.app.config, shownAgeMaxMs: 1_000, clockSkewMaxMs: 4_000 };
    const keeping = await startServer(config, { monotonicNow: () => now });
    const books = await ownBooks(server.app, 20);
    const viewer = await server.client().registerSomebody();
    const [one, two] = await Promise.all([1, 2].map(() => server.client().registerSomebody()));
    for (const reader of [one!, two!]) await follow(viewer, reader.viewerId);
    for (const id of books) await one!.like(id);

    const seen = () => knownLikers(at(keeping, viewer), books);
    const byOne = [one!.viewerId];
    const reads = async () => {
      const statements = await statementsOf(keeping, async () => void (await seen()));
      return statements.get('SELECT user_by_item') ?? 0;
    };
    expect(await reads()).toBe(1);
    expect(await seen()).toEqual(books.map(() => byOne));
    now += 1_001;
    expect(await reads()).toBe(0);

    await two!.like(books[0]!);
    now += 1_001;
    expect(await reads()).toBe(1);
    expect((await seen())[0]).toEqual([two!.viewerId, one!.viewerId]);
    await one!.unlike(books[0]!);
    now += 1_001;
    expect((await seen()).slice(0, 2)).toEqual([[two!.viewerId], byOne]);
    expect(await reads()).toBe(0);
  });

  test('include whom the viewer follows at another server a second later, although the follows are kept', async () => {
    let now = 1_000_000;
    const config = { ...server.app.config, shownAgeMaxMs: 1_000, clockSkewMaxMs: 4_000 };
    const keeping = await startServer(config, { monotonicNow: () => now });
    const aSecondLater = async () => {
      now += 1_001;
      await readChanges(keeping.app);
    };
    const [id = ''] = await ownBooks(server.app, 1);
    const viewer = await server.client().registerSomebody();
    const reader = await server.client().registerSomebody();
    await reader.like(id);

    const seen = async () => (await knownLikers(at(keeping, viewer), [id]))[0];
    const reads = async () => (await statementsOf(keeping, seen)).get('SELECT following_by_user') ?? 0;
    await aSecondLater();
    expect([await reads(), await seen()]).toEqual([1, []]);
    await aSecondLater();
    expect(await reads()).toBe(0);

    await follow(viewer, reader.viewerId);
    await aSecondLater();
    expect([await reads(), await seen()]).toEqual([1, [reader.viewerId]]);
    await unfollow(at(keeping, viewer), reader.viewerId);
    expect(await seen()).toEqual([]);
  });
});

async function modelled(): Promise<Modelled> {
  const client = await server.client().registerSomebody('Reader');
  const nothing = { isFollowed: false, isBlocked: false, blocks: false, isSuspended: false };
  return { client, state: { ...nothing, isSilent: false, isDeleted: false, likes: 'EVERYONE' } };
}

const isKnown = ({ state: { isFollowed, isSuspended, likes } }: Modelled) =>
  isFollowed && !isSuspended && likes !== 'ONLY_ME';

/** Performs an act through the API, and in the model. Some change nothing. */
async function perform(viewer: Client, { readers, books, likers }: World, done: Act): Promise<void> {
  const reader = readers[done.reader]!;
  const { client, state } = reader;
  const isHidden = state.isBlocked || state.blocks;
  switch (done.act) {
    case 'like':
    case 'unlike': {
      if (state.isSilent) return;
      await client[done.act](books[done.book]!);
      const others = likers[done.book]!.filter((each) => each !== reader);
      const isLiked = likers[done.book]!.includes(reader);
      if (done.act === 'unlike') likers[done.book] = others;
      else if (!isLiked) likers[done.book] = [reader, ...others];
      return;
    }
    case 'follow':
      await follow(viewer, client.viewerId);
      state.isFollowed ||= !isHidden && !state.isSuspended && !state.isDeleted;
      return;
    case 'unfollow':
      await unfollow(viewer, client.viewerId);
      state.isFollowed = false;
      return;
    case 'block':
    case 'be blocked': {
      if (isHidden || state.isSilent) return;
      const [by, of] = done.act === 'block' ? [viewer, client] : [client, viewer];
      await by.mutate('block', { id: of.viewerId }, 'changed');
      Object.assign(state, { isFollowed: false, isBlocked: done.act === 'block', blocks: done.act !== 'block' });
      return;
    }
    case 'unblock': {
      if (!isHidden || state.isSilent) return;
      const [by, of] = state.isBlocked ? [viewer, client] : [client, viewer];
      await by.mutate('unblock', { id: of.viewerId }, 'changed');
      Object.assign(state, { isBlocked: false, blocks: false });
      return;
    }
    case 'choose':
      if (state.isSilent) return;
      await client.mutate('updatePrivacy', { likes: done.likes }, '__typename');
      state.likes = done.likes;
      return;
    case 'suspend':
    case 'reinstate':
      if (state.isDeleted || state.isSuspended === (done.act === 'suspend')) return;
      state.isSuspended = done.act === 'suspend';
      state.isSilent = true;
      await administrator.mutate(`${done.act}Account`, { id: client.viewerId, reason: 'A test' }, 'changed');
      return;
    case 'delete':
      if (state.isSilent) return;
      await client.mutate('deleteAccount', { password: PASSWORD }, '__typename');
      Object.assign(state, { isDeleted: true, isSilent: true });
      for (const [index, of] of likers.entries()) likers[index] = of.filter((each) => each !== reader);
  }
}

/** Makes a client of the same reader at another server. */
const at = ({ client }: TestServer, { token }: Client): Client => Object.assign(client(), { token });
