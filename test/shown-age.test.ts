import { beforeAll, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { books, changedBook } from '../src/catalogue/aggregate.ts';
import { readChanges } from '../src/changes/operations.ts';
import { removeBook } from '../src/catalogue/operations.ts';
import { shownReader } from '../src/identity/privacy.ts';
import { likes } from '../src/likes/aggregate.ts';
import { like } from '../src/likes/operations.ts';
import { likeCounts, openStripes } from '../src/member-sets/counts.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { isStripe } from '../src/member-sets/numbering.ts';
import { block } from '../src/blocks/operations.ts';
import { registerAdministrator } from './support/accounts.ts';
import { endWithFile, sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf, ownBooks } from './support/books.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { as, makeReaders } from './support/likers.ts';
import { statementsOf } from '../tools/support/statements.ts';

/**
 * Servers keep rows for a second, or until they change while they read the list of changes. Books,
 * counts, readers, lists and blocks that others change may be a moment old. A caller's own changes
 * are visible immediately, and hidden data is shown to nobody after the answer.
 */

const KEPT_MS = 1_000;

let server: TestServer;
let other: TestServer;
/** Servers beside the other one, of which one reads the list of changes. */
let beside: TestServer;
let follower: TestServer;
let administrator: Client;
let now = 1_000;
let book: string;

beforeAll(async () => {
  const config = await sharedKeyspace({ SHOWN_AGE_MAX_MS: String(KEPT_MS), CLOCK_SKEW_MAX_MS: '4000' });
  server = await startServer(config, { monotonicNow: () => now });
  other = await startServer(config);
  [beside, follower] = await Promise.all([startServer(other.app.config), startFollower()]);
  administrator = await registerAdministrator(other);
  [book] = (await ownBooks(server.app, 1)) as [string];
});

/** Starts a server that reads the list of changes, as its workers would. */
async function startFollower(): Promise<TestServer> {
  const started = await startServer(other.app.config);
  await readChanges(started.app);
  const reading = setInterval(() => void readChanges(started.app), KEPT_MS / 2);
  endWithFile(() => {
    clearInterval(reading);
  });
  return started;
}

const likers = async (client: Client) =>
  (await client.data(`{ node(id: "${book}") { ... on Book { likers { edges { likedAt } } } } }`)).node.likers.edges
    .length;
/** Returns a client of the same reader at another server. */
const at = ({ client }: TestServer, { token }: Client): Client => Object.assign(client(), { token });

const counted = async (client: Client) =>
  (await client.data(`{ node(id: "${book}") { ... on Book { likeCount } } }`)).node.likeCount as number;
const change = async (client: Client, field: 'like' | 'unlike') => {
  const { userErrors, likeable } = await client.mutate(field, { id: book }, 'likeable { likeCount }');
  expect(userErrors).toEqual([]);
  return likeable.likeCount as number;
};

test('a count that others change is at most a second old, and needs no statement during that time', async () => {
  expect(await counted(server.client())).toBe(0);
  const somebody = await other.client().registerSomebody();
  expect(await change(somebody, 'like')).toBe(1);

  now += KEPT_MS - 1;
  const statements = await statementsOf(server, async () => {
    const seen = await Promise.all(Array.from({ length: 5 }, () => counted(server.client())));
    expect(seen).toEqual([0, 0, 0, 0, 0]);
  });
  expect([...statements.keys()]).not.toContain('SELECT like_counts');

  now += 2;
  const readOnce = await statementsOf(server, async () => {
    const seen = await Promise.all(Array.from({ length: 5 }, () => counted(server.client())));
    expect(seen).toEqual([1, 1, 1, 1, 1]);
  });
  expect(readOnce.get('SELECT like_counts')).toBe(1);
  await change(somebody, 'unlike');
});

test('a reader sees their own like or unlike immediately, in the count and the list, on any server', async () => {
  now += 2 * KEPT_MS;
  const somebody = await other.client().registerSomebody();
  const reader = await other.client().registerSomebody();
  const here = at(server, reader);
  expect([await counted(here), await likers(here)]).toEqual([0, 0]);
  await change(somebody, 'like');
  now += 2 * KEPT_MS;
  expect([await counted(here), await likers(here)]).toEqual([1, 1]);

  expect(await change(reader, 'like')).toBe(2);
  expect([await likers(here), await counted(here)]).toEqual([2, 2]);
  expect([await counted(server.client()), await likers(server.client())]).toEqual([2, 2]);

  expect(await change(reader, 'unlike')).toBe(1);
  expect([await likers(here), await counted(here)]).toEqual([1, 1]);
  expect(await change(here, 'like')).toBe(2);
  expect([await counted(reader), await likers(reader)]).toEqual([2, 2]);
  expect(await change(here, 'unlike')).toBe(1);
  await change(somebody, 'unlike');
});

test('the trending list is read once a second', async () => {
  now += 2 * KEPT_MS;
  const look = () => server.client().data('{ trending(window: DAY) { nodes { __typename } } }');
  await look();
  now += KEPT_MS - 1;
  const statements = await statementsOf(server, look);
  expect([...statements.keys()]).not.toContain('SELECT trending');
  now += 2;
  expect((await statementsOf(server, look)).get('SELECT trending')).toBe(1);
});

const LIKES = { likes: { nodes: [{ __typename: 'Book' }] } };

/**
 * The viewer, the reader whom they view, and the administrator who decides about that reader, each
 * at the server where they changed something.
 */
interface Shown {
  readonly onlooker: Client;
  readonly reader: Client;
  readonly administrator: Client;
}

test.each<[string, (shown: Shown) => Promise<{ userErrors: unknown[] }>, object | null]>([
  ['blocks somebody', ({ onlooker, reader }) => onlooker.mutate('block', { id: reader.viewerId }, 'changed'), null],
  ['is blocked', ({ onlooker, reader }) => reader.mutate('block', { id: onlooker.viewerId }, 'changed'), null],
  [
    'hides their likes',
    ({ reader }) => reader.mutate('updatePrivacy', { likes: 'ONLY_ME' }, ''),
    { fullName: 'Somebody', likes: null },
  ],
  [
    'has another name',
    ({ reader }) => reader.mutate('updateProfile', { fullName: 'Else' }, ''),
    { fullName: 'Else', ...LIKES },
  ],
  [
    'has their name taken down',
    ({ administrator, reader }) =>
      administrator.mutate('takeDown', { id: reader.viewerId, reason: 'a test' }, 'changed'),
    { fullName: 'Reader', ...LIKES },
  ],
  ['leaves', ({ reader }) => reader.mutate('deleteAccount', { password: PASSWORD }, ''), null],
  [
    'is suspended',
    ({ administrator, reader }) =>
      administrator.mutate('suspendAccount', { id: reader.viewerId, reason: 'a test' }, 'changed'),
    null,
  ],
])('once somebody %s, no server shows the former state from the answer on', async (_what, change, left) => {
  const [onlooker, reader] = await Promise.all([other.client().registerSomebody(), other.client().registerSomebody()]);
  const [id = ''] = await ownBooks(other.app, 1);
  await reader.like(id);
  const query = 'query ($id: ID!) { node(id: $id) { ... on User { fullName likes { nodes { __typename } } } } }';
  const lookAt = async (server: TestServer) =>
    (await at(server, onlooker).data(query, { id: reader.viewerId })).node as unknown;
  const look = () => Promise.all([other, beside, follower].map(lookAt));
  const before = { fullName: 'Somebody', ...LIKES };
  expect(await look()).toEqual([before, before, before]);
  await sleep(1.5 * KEPT_MS);
  const kept = await statementsOf(follower, () => lookAt(follower));
  expect([...kept.keys()]).not.toContain('SELECT hidden_by_user');

  expect((await change({ onlooker, reader, administrator })).userErrors).toEqual([]);
  expect(await look()).toEqual([left, left, left]);
});

test('a server that reads the list of changes keeps books and counts until they change', async () => {
  const reader = await other.client().registerSomebody();
  const [id = ''] = await ownBooks(other.app, 1);
  const look = async () =>
    (await follower.client().data(`{ node(id: "${id}") { ... on Book { title likeCount } } }`)).node as object;
  const before = await look();
  await sleep(3 * KEPT_MS);
  const kept = await statementsOf(follower, async () => {
    expect(await look()).toEqual({ ...before, likeCount: 0 });
  });
  expect([...kept.keys()]).not.toContain('SELECT books');
  expect([...kept.keys()]).not.toContain('SELECT like_counts');

  await administrator.mutate('updateBook', { bookId: id, title: 'Another title' }, '');
  expect(await look()).toEqual({ title: 'Another title', likeCount: 0 });
  await reader.like(id);
  await sleep(KEPT_MS);
  expect(await look()).toEqual({ title: 'Another title', likeCount: 1 });
  await sleep(3 * KEPT_MS);
  await reader.unlike(id);
  await sleep(KEPT_MS);
  expect(await look()).toEqual({ title: 'Another title', likeCount: 0 });
});

test('readers see their own changes of their profile immediately, on any server', async () => {
  const reader = await other.client().registerSomebody();
  const query = 'query ($id: ID!) { node(id: $id) { ... on User { fullName } } }';
  const look = () => at(beside, reader).data(query, { id: reader.viewerId });
  expect(await look()).toEqual({ node: { fullName: 'Somebody' } });
  await reader.mutate('updateProfile', { fullName: 'Somebody Else' }, '');
  expect(await look()).toEqual({ node: { fullName: 'Somebody Else' } });
});

test('a new like is stored in a stripe as soon as another server has opened stripes', async () => {
  now += 2 * KEPT_MS;
  const [id = ''] = await ownBooks(server.app, 1);
  const [early = '', late = ''] = await makeReaders(server.app, 2);
  const held = Promise.withResolvers<undefined>();
  const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
    if (cql.includes('user_by_item') && cql.includes(' IF ')) await held.promise;
    return send();
  });
  const busy = { ...server.app, cassandra };
  const shardOf = async (userId: string) =>
    (await likes.read(server.app, { userId, likeableId: storedIdOf(id) }))?.shard;

  const first = like(as(busy, early), { id });
  await expect.poll(() => shardOf(early)).toBe(0);
  await openStripes(other.app, storedIdOf(id), 0);
  await expect.poll(async () => (await likeCounts(other.app).load(storedIdOf(id)))?.stripes).toBe(8);
  now += KEPT_MS / 10;
  const second = like(as(busy, late), { id });
  await expect.poll(() => shardOf(late)).toBeDefined();
  expect(await shardOf(late)).toSatisfy(isStripe);

  held.resolve(undefined);
  expect([await first, await second]).toMatchObject([{ changed: true }, { changed: true }]);
});

test('a page reads the same data of all its books in one statement, even if other requests have just read some of them', async () => {
  now += 2 * KEPT_MS;
  const ids = await ownBooks(server.app, 6);
  const [owner = ''] = await makeReaders(server.app, 1);
  for (const id of ids) await like(as(server.app, owner), { id });
  const reader = await server.client().registerSomebody();
  now += 2 * KEPT_MS;
  await server.client().data(`{ nodes(ids: ${JSON.stringify(ids.slice(0, 3))}) { ... on Book { title likeCount } } }`);

  const statements = await statementsOf(server, async () => {
    const query =
      'query ($id: ID!) { node(id: $id) { ... on User { likes { nodes { ... on Book { title likeCount viewerHasLiked } } } } } }';
    const { likes } = (await reader.data(query, { id: encodeId({ type: 'User', key: owner }) })).node;
    expect(likes.nodes).toHaveLength(ids.length);
  });
  expect(statements.get('SELECT likes_by_user')).toBe(1);
});

test('the books, counts and likes of a page are read in parallel', async () => {
  now += 2 * KEPT_MS;
  const ids = await ownBooks(server.app, 3);
  const [owner = ''] = await makeReaders(server.app, 1);
  for (const id of ids) await like(as(server.app, owner), { id });
  const reader = await server.client().registerSomebody();
  now += 2 * KEPT_MS;

  const sent = new Set<string>();
  const all = Promise.withResolvers<undefined>();
  const { client } = server.app.cassandra;
  const execute = client.execute.bind(client);
  // Each read waits for the others.
  const held = async (cql: string, ...rest: [never, never]) => {
    const table = ['books', 'like_counts', 'likes_by_user'].find((name) => cql.includes(`FROM ${name} `));
    if (table !== undefined) sent.add(table);
    if (sent.size === 3) all.resolve(undefined);
    if (table !== undefined) await all.promise;
    return execute(cql, ...rest);
  };
  Object.assign(client, { execute: held });
  try {
    const query =
      'query ($id: ID!) { node(id: $id) { ... on User { likes { edges { node { ...Line } } } } } } fragment Line on Book { genres likeCount viewerHasLiked }';
    const { likes } = (await reader.data(query, { id: encodeId({ type: 'User', key: owner }) })).node;
    expect(likes.edges.map(({ node }: { node: object }) => node)).toEqual(
      ids.map(() => ({ genres: [], likeCount: 1, viewerHasLiked: false })),
    );
  } finally {
    Object.assign(client, { execute });
  }
});

test('readers requested at the same moment are read by one statement, and so are their blocks', async () => {
  const ids = await makeReaders(server.app, 6);
  const [blocker = '', blocked = ''] = ids;
  await block(as(other.app, blocker), { id: encodeId({ type: 'User', key: blocked }) });
  now += 2 * KEPT_MS;

  const statements = await statementsOf(server, async () => {
    const shown = await Promise.all(ids.map((id) => shownReader(as(server.app, id), blocked)));
    expect(shown.map((reader) => reader?.id)).toEqual(ids.map((id) => (id === blocker ? undefined : blocked)));
  });
  expect(statements.get('SELECT users_by_id')).toBe(1);
  expect(statements.get('SELECT hidden_by_user')).toBe(1);
});

test('a count that could not be read is not cached', async () => {
  now += 2 * KEPT_MS;
  const { client } = server.app.cassandra;
  const execute = client.execute.bind(client);
  Object.assign(client, { execute: () => Promise.reject(new Error('Cassandra is gone')) });
  await expect(counted(server.client())).rejects.toThrow();
  Object.assign(client, { execute });
  expect(await counted(server.client())).toBe(0);
});

test('a change of a book is answered once no server shows the former state', async () => {
  const titles = async () => {
    const found = await Promise.all(
      [other, beside].map(({ client }) => client().data(`{ node(id: "${book}") { ... on Book { title } } }`)),
    );
    return found.map(({ node }) => node?.title as string | undefined);
  };
  const [before] = await titles();
  expect(await titles()).toEqual([before, before]);

  const change = { bookId: book, title: 'What it is called now' };
  expect(await administrator.mutate('updateBook', change, 'book { title }')).toMatchObject({
    book: { title: change.title },
  });
  expect(await titles()).toEqual([change.title, change.title]);

  await removeBook(other.app, keyOf(book));
  expect(await titles()).toEqual([undefined, undefined]);
});

test('an absent book is found as soon as it is added', async () => {
  const isbn = isbnOf(979_100_000_000 + (Date.now() % 10 ** 8));
  const look = async () => (await server.client().data(`{ book(isbn: "${isbn}") { title } }`)).book;
  expect(await look()).toBeNull();
  const title = 'Just added';
  await books.change(other.app, { bookId: isbn }, undefined, (state, at) =>
    changedBook(state, { isbn, title, authors: ['Somebody'], removed_at: null }, at),
  );
  expect(await look()).toEqual({ title });
});

test('a feed reads the months of a reader once, until another server adds one', async () => {
  const [viewer, reader] = [await other.client().registerSomebody(), await other.client().registerSomebody()];
  const [liked = ''] = await ownBooks(other.app, 1);
  await viewer.mutate('follow', { id: reader.viewerId }, 'changed');
  const here = at(server, viewer);
  const feed = async () =>
    (await here.data('{ feed(first: 5) { nodes { likeable { id } } } }')).feed.nodes.map(
      (node: { likeable: { id: string } }) => node.likeable.id,
    ) as string[];
  const goOn = async () => {
    now += KEPT_MS / 2;
    await readChanges(server.app);
  };

  await goOn();
  expect(await feed()).toEqual([]);
  for (let each = 0; each < 10; each++) await goOn();
  const unchanged = await statementsOf(server, async () => {
    expect(await feed()).toEqual([]);
  });
  expect([...unchanged.keys()]).not.toContain('SELECT months_by_user');

  await reader.like(liked);
  await goOn();
  expect(await feed()).toEqual([liked]);
  await reader.unlike(liked);
  expect(await feed()).toEqual([]);
});
