import { beforeAll, describe, expect, test } from 'vitest';
import { all } from '../src/cassandra/maybe-promise.ts';
import { createServer } from '../src/http/server.ts';
import { endWithFile, ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { Client, PAGE_INFO, PASSWORD } from './support/client.ts';
import { untilOneSurvives } from './support/dying.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { hiddenReaders } from '../src/identity/privacy.ts';
import { blocks } from '../src/blocks/aggregate.ts';
import { personalData } from '../src/blocks/personal-data.ts';

/** A block hides two readers from each other. */

let server: TestServer;
let books: string[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  books = await ownBooks(server.app, 20);
});

const ANSWER = 'user { id fullName } changed';
const block = (reader: Client, id: string) => reader.mutate('block', { id }, ANSWER);
const unblock = (reader: Client, id: string) => reader.mutate('unblock', { id }, ANSWER);
const blockedBy = async (reader: Client) =>
  (await reader.data('{ viewer { blocked { edges { node { fullName } } } } }')).viewer.blocked.edges.map(
    ({ node }: { node: { fullName: string } }) => node.fullName,
  ) as string[];
const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const list = async (seller: Client, bookId: string, title?: string) => {
  const { item } = await seller.mutate(
    'listItem',
    { bookId, title, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' },
    'item { id title }',
  );
  return item as { id: string; title: string };
};

describe('block and unblock', () => {
  test('are idempotent, and the viewer’s list has the blocked readers, newest block first', async () => {
    const [ann, bob, cid] = [await somebody('Ann'), await somebody('Bob'), await somebody('Cid')];
    const done = { user: { id: bob.viewerId, fullName: 'Bob' }, userErrors: [] };
    expect(await block(ann, bob.viewerId)).toEqual({ ...done, changed: true });
    expect(await block(ann, bob.viewerId)).toEqual({ ...done, changed: false });
    await block(ann, cid.viewerId);
    expect(await blockedBy(ann)).toEqual(['Cid', 'Bob']);
    expect(await unblock(ann, bob.viewerId)).toEqual({ ...done, changed: true });
    expect(await unblock(ann, bob.viewerId)).toEqual({ ...done, changed: false });
    expect(await blockedBy(ann)).toEqual(['Cid']);
    await block(ann, bob.viewerId);
    expect(await blockedBy(ann)).toEqual(['Bob', 'Cid']);
    expect(await blockedBy(bob)).toEqual([]);
    const { node } = await server
      .client()
      .data(`{ node(id: "${ann.viewerId}") { ... on User { blocked { edges { cursor } } } } }`);
    expect(node.blocked).toBeNull();
  });

  test('the list is read by pages, in both directions', async () => {
    const ann = await somebody();
    const names = ['One', 'Two', 'Three', 'Four', 'Five'];
    for (const name of names) await block(ann, (await somebody(name)).viewerId);
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await ann.allPages(2, direction, async (args) => {
        const query = `{ viewer { blocked(${args}) { edges { cursor blockedAt node { fullName } } ${PAGE_INFO} } } }`;
        return (await ann.data(query)).viewer.blocked;
      });
      expect(edges.map(({ node }) => node.fullName as string)).toEqual(names.toReversed());
    }
  });

  test('invalid input is refused, and nothing is written', async () => {
    const ann = await somebody();
    const nobody = Buffer.from('User:00000000-0000-4000-8000-000000000000').toString('base64url');
    for (const change of [block, unblock]) {
      for (const [id, code] of [
        [ann.viewerId, 'INVALID_INPUT'],
        [books[0]!, 'INVALID_INPUT'],
        ['x', 'INVALID_INPUT'],
        [nobody, 'NOT_FOUND'],
      ] as const) {
        const { userErrors, ...rest } = await change(ann, id);
        expect(userErrors, id).toMatchObject([{ code, path: ['input', 'id'] }]);
        expect(rest).toEqual({ user: null, changed: false });
      }
    }
    expect(await blockedBy(ann)).toEqual([]);
    const signedOut = server.client();
    for (const name of ['block', 'unblock']) {
      const query = `mutation ($id: ID!) { ${name}(input: { id: $id }) { changed } }`;
      expect(await signedOut.errorCode(query, { id: ann.viewerId })).toBe('UNAUTHENTICATED');
    }
  });

  test('a reader with a deleted account cannot be blocked', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    await bob.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect((await block(ann, bob.viewerId)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'id'] }]);
  });

  test('nobody learns who blocks them: the blocking reader does not exist for them', async () => {
    const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
    await block(ann, bob.viewerId);
    for (const change of [block, unblock])
      expect(await change(bob, ann.viewerId)).toMatchObject({ user: null, userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await blockedBy(bob)).toEqual([]);
  });

  test('two readers may block each other: each takes back their own block', async () => {
    const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
    const sees = async (one: Client, other: Client) =>
      (await one.data('query ($id: ID!) { node(id: $id) { id } }', { id: other.viewerId })).node !== null;
    // Both blocks are made at once, so neither knows of the other.
    const resume = await heldUpAt(server, 'block: before compare-and-set', ann, (slow) => block(slow, bob.viewerId));
    expect((await block(bob, ann.viewerId)).changed).toBe(true);
    expect((await resume()).changed).toBe(true);
    expect([await blockedBy(ann), await blockedBy(bob)]).toEqual([['Bob'], ['Ann']]);
    expect([await sees(ann, bob), await sees(bob, ann)]).toEqual([false, false]);
    await unblock(ann, bob.viewerId);
    expect([await sees(ann, bob), await sees(bob, ann)]).toEqual([false, false]);
    await unblock(bob, ann.viewerId);
    expect([await sees(ann, bob), await sees(bob, ann)]).toEqual([true, true]);
  });

  test('a reader blocks at most 1,000 others', async () => {
    const ann = await somebody();
    const insert = 'INSERT INTO blocked_by_user (user_id, blocked_at, other_id) VALUES (?, ?, ?)';
    const { client } = server.app.cassandra;
    for (let count = 0; count < 999; count++)
      await client.execute(insert, [keyOf(ann.viewerId), new Date(count), server.app.randomId()], { prepare: true });
    const [one, other] = [await somebody(), await somebody()];
    expect((await block(ann, one.viewerId)).changed).toBe(true);
    const refused = await block(ann, other.viewerId);
    expect(refused.userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'id'], message: expect.stringContaining('1,000') },
    ]);
    expect((await block(ann, one.viewerId)).userErrors).toEqual([]);
    await unblock(ann, one.viewerId);
    expect((await block(ann, other.viewerId)).changed).toBe(true);
  });
});

describe('two readers, one of whom blocks the other', () => {
  /**
   * Reads everything by which a caller can find a reader: the fields of the owner that the caller
   * sees. The owner likes a book and sells two copies.
   */
  async function seen(caller: Client, owner: Client, item: string, book: string) {
    const data = await caller.data(
      `query ($owner: ID!, $item: ID!, $book: ID!) {
         node(id: $owner) { ... on User { fullName likes { edges { title } } listings { edges { title } } } }
         nodes(ids: [$owner, $item, $book]) { __typename }
         item: node(id: $item) { ... on Item { seller { fullName } } }
         book: node(id: $book) { ... on Book { likeCount likers(first: 2) { edges { likedAt node { fullName } } }
           copies(first: 5) { edges { title node { seller { fullName } } } ${PAGE_INFO} } } }
       }`,
      { owner: owner.viewerId, item, book },
    );
    const of = data.book as {
      likeCount: number;
      likers: { edges: { node: object | null }[] };
      copies: { edges: { node: { seller: object | null } }[] };
    };
    // List and count agree, even with hidden readers.
    expect(of.likers.edges).toHaveLength(of.likeCount);
    return {
      user: data.node !== null,
      nodes: (data.nodes as (object | null)[]).map((node) => node !== null),
      item: data.item !== null,
      seller: data.item?.seller != null,
      liker: of.likers.edges.some(({ node }) => node !== null),
      copies: of.copies.edges.length,
    };
  }
  const ALL = { user: true, nodes: [true, true, true], item: true, seller: true, liker: true, copies: 2 };
  const NOTHING = { user: false, nodes: [false, false, true], item: false, seller: false, liker: false, copies: 0 };

  test('see nothing of each other, in any list, node or edge; everybody else sees everything', async () => {
    const [owner, other, third] = [await somebody('Owner'), await somebody(), await somebody()];
    const book = books[1]!;
    await owner.like(book);
    const item = await list(owner, book);
    await list(owner, book);
    for (const [blocker, blocked] of [
      [owner, other],
      [other, owner],
    ] as const) {
      expect(await seen(other, owner, item.id, book)).toEqual(ALL);
      await block(blocker, blocked.viewerId);
      expect(await seen(other, owner, item.id, book)).toEqual(NOTHING);
      for (const caller of [owner, third, server.client()])
        expect(await seen(caller, owner, item.id, book)).toEqual(ALL);
      await unblock(blocker, blocked.viewerId);
    }
  });

  test('keep their likes of each other’s copies, without the copy; they can take such a like back, but not make it again', async () => {
    const [seller, reader] = [await somebody('Seller'), await somebody()];
    const item = await list(seller, books[2]!);
    await reader.like(item.id);
    await reader.like(books[2]!);
    const likes = async () => {
      const { viewer } = await reader.data(
        '{ viewer { likes { edges { title node { id } } } actions(kinds: [LIKED]) { edges { node { likeable { id } book { id } } } } } }',
      );
      return viewer;
    };
    await block(seller, reader.viewerId);
    const { likes: liked, actions } = await likes();
    expect(liked.edges).toEqual([
      { title: item.title, node: { id: books[2] } },
      { title: null, node: null },
    ]);
    const book = { id: books[2] };
    expect(actions.edges).toEqual([{ node: { likeable: book, book } }, { node: { likeable: null, book } }]);
    expect(await reader.like(item.id)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] });
    expect(await reader.unlike(item.id)).toEqual({ changed: true, likeable: null, userErrors: [] });
    expect((await likes()).likes.edges).toHaveLength(1);
  });

  test('see nothing of each other’s copies in any field', async () => {
    const [seller, liker, caller] = [await somebody('Seller'), await somebody('Liker'), await somebody()];
    const title = `A copy of ${server.app.randomId()}`;
    const item = await list(seller, books[4]!, title);
    await liker.like(item.id);
    const told = async () => {
      const { node } = await caller.data(
        'query ($id: ID!) { node(id: $id) { ... on User { likes { edges { title cursor node { id } } pageInfo { startCursor endCursor } } } } }',
        { id: liker.viewerId },
      );
      const answer = JSON.stringify(node);
      const cursors = [...answer.matchAll(/"\w*[cC]ursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor);
      const inClear = cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('latin1')).join();
      return [title, item.id, keyOf(item.id)].map((text) => answer.includes(text) || inClear.includes(text));
    };
    const price = { amount: '1', currency: 'EUR' };
    const changes = async () => [
      (await caller.mutate('changePrice', { itemId: item.id, price }, 'item { id }')).userErrors[0].code,
      (await caller.mutate('withdrawItem', { itemId: item.id }, 'item { id }')).userErrors[0].code,
      (await caller.mutate('markAsSold', { itemId: item.id }, 'item { id }')).userErrors[0].code,
    ];
    expect(await told()).toEqual([true, true, false]);
    expect(await changes()).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);

    await block(caller, seller.viewerId);

    expect(await told()).toEqual([false, false, false]);
    expect(await changes()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  test('a page of a book’s copies is filled with the copies after the hidden ones', async () => {
    const [shown, hidden, reader] = [await somebody('Shown'), await somebody('Hidden'), await somebody()];
    const book = books[3]!;
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      ids.push((await list(shown, book)).id);
      for (let more = 0; more < index; more++) await list(hidden, book);
    }
    await block(reader, hidden.viewerId);
    for (const direction of ['forward', 'backward'] as const) {
      for (const size of [1, 2, 4]) {
        const edges = await reader.allPages(size, direction, async (args) => {
          const query = `query ($id: ID!) { node(id: $id) { ... on Book { copies(${args}) { edges { cursor node { id } } ${PAGE_INFO} } } } }`;
          return (await reader.data(query, { id: book })).node.copies;
        });
        expect(edges.map(({ node }) => node.id as string)).toEqual(ids.toReversed());
      }
    }
  });

  test('a block takes effect within the request that makes it', async () => {
    const [ann, bob] = [await somebody('Ann'), await somebody('Bob')];
    await bob.like(books[4]!);
    const likers = `likeable { likers { edges { node { fullName } } } }`;
    const data = await ann.data(
      `mutation ($book: ID!, $bob: ID!) {
         before: like(input: { id: $book }) { ${likers} }
         block(input: { id: $bob }) { changed }
         after: unlike(input: { id: $book }) { ${likers} }
       }`,
      { book: books[4]!, bob: bob.viewerId },
    );
    const named = (fullName: string) => ({ node: { fullName } });
    expect(data.before.likeable.likers.edges).toEqual([named('Ann'), named('Bob')]);
    expect(data.after.likeable.likers.edges).toEqual([{ node: null }]);
  });

  test('a reader sees none of the blocked readers, even if there are more blocks than one read returns', async () => {
    const reader = await somebody();
    const user_id = keyOf(reader.viewerId);
    const others = Array.from({ length: 1_200 }, () => server.app.randomId()).toSorted();
    const insert = 'INSERT INTO hidden_by_user (user_id, other_id, is_blocked) VALUES (?, ?, true)';
    for (const other of others) await server.app.cassandra.client.execute(insert, [user_id, other], { prepare: true });
    const sent: string[] = [];
    const cassandra = intercepted(server.app.cassandra, ({ cql, send }) => {
      sent.push(cql);
      return send();
    });
    const context = requestContext({ ...server.app, cassandra }, { ...ANONYMOUS, viewerId: user_id });
    const hidden = hiddenReaders(context);
    const asked = [others[0]!, others[1_199]!, others[1_100]!, server.app.randomId()];
    expect(await all(asked.map((id) => hidden.has(id)))).toEqual([true, true, true, false]);
    expect(sent).toHaveLength(2);
  });
});

describe('the cost of a page', () => {
  test.each([
    ['user_by_item', 'node(id: $book) { ... on Book { likers(first: 2) { edges { node { fullName } } } } }'],
    [
      'items_by_book',
      'node(id: $book) { ... on Book { copies(first: 2) { edges { node { seller { fullName } } } } } }',
    ],
    ['items', 'node(id: $item) { ... on Item { seller { fullName } } }'],
    ['users_by_id', 'node(id: $seller) { ... on User { fullName likes(first: 2) { edges { title } } } }'],
  ])('with %s, hidden readers are read in parallel, and once; never for a signed-out caller', async (table, field) => {
    const [seller, reader] = [await somebody('Seller'), await somebody()];
    const variables = { seller: seller.viewerId, item: (await list(seller, books[5]!)).id, book: books[5]! };
    await seller.like(books[5]!);
    const asked: string[] = [];
    const reads = { [table]: Promise.withResolvers<undefined>(), hidden_by_user: Promise.withResolvers<undefined>() };
    let isHeld = false;
    const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
      const name = /FROM (\w+)/.exec(cql)?.[1] ?? '';
      asked.push(name);
      reads[name]?.resolve(undefined);
      // A read that waited for the other read's answer would never end.
      if (isHeld && name in reads) await Promise.all(Object.values(reads).map(({ promise }) => promise));
      return send();
    });
    const watched = await createServer({ ...server.app, cassandra });
    endWithFile(() => watched.close());
    const caller = new Client(await watched.listen({ host: '127.0.0.1', port: 0 }));

    const used = Object.entries(variables).filter(([name]) => field.includes(`$${name}`));
    const query = `query (${used.map(([name]) => `$${name}: ID!`).join()}) { ${field} }`;
    const ask = async () => {
      asked.length = 0;
      const answer = JSON.stringify(await caller.data(query, Object.fromEntries(used)));
      expect(answer).toContain('Seller');
      return asked.filter((name) => name === 'hidden_by_user').length;
    };
    expect(await ask()).toBe(0);
    caller.token = reader.token;
    isHeld = true;
    expect(await ask()).toBe(1);
  });
});

describe('when an account is deleted', () => {
  test('its blocks are deleted in both directions; the export has the reader’s own', async () => {
    const [ann, bob, cid] = [await somebody('Ann'), await somebody('Bob'), await somebody('Cid')];
    await block(bob, cid.viewerId);
    for (const reader of [ann, await somebody()]) {
      await block(reader, bob.viewerId);
      await unblock(reader, bob.viewerId);
    }
    await block(ann, bob.viewerId);
    const exported = async (reader: Client) =>
      (await (await reader.exportMyData()).json()) as { blocked_by_user: { readerId: string }[] };
    expect((await exported(ann)).blocked_by_user).toEqual([
      { readerId: keyOf(bob.viewerId), blockedAt: expect.any(String) as string },
    ]);
    expect((await exported(cid)).blocked_by_user).toEqual([]);
    await bob.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(await blockedBy(ann)).toEqual([]);
    expect(await server.rowsAbout([keyOf(bob.viewerId)])).toEqual(['users_by_id']);
  });
});

test.each(['theirs', 'of them', 'both'])('an erasure that is cut short finds every block again: %s', async (which) => {
  const [ann, bob] = [await somebody(), await somebody()];
  if (which !== 'of them') await block(ann, bob.viewerId);
  if (which !== 'theirs') await block(bob, ann.viewerId);
  const [annId, bobId] = [keyOf(ann.viewerId), keyOf(bob.viewerId)];
  const { erased } = personalData.find(({ table }) => table === 'hidden_by_user')!;
  if (typeof erased === 'string') throw new Error('nothing erases it');

  await untilOneSurvives(server.app, (dying) => erased(dying, annId, ''));

  const states = await Promise.all([
    blocks.read(server.app, { userId: annId, otherId: bobId }),
    blocks.read(server.app, { userId: bobId, otherId: annId }),
  ]);
  expect(states.filter((state) => state?.blocked === true)).toEqual([]);
  expect(await blockedBy(ann)).toEqual([]);
  expect(await blockedBy(bob)).toEqual([]);
});
