import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { isbnOf, ownBooks } from './support/books.ts';
import { Client, PASSWORD } from './support/client.ts';
import { heldUpAt } from './support/held-up.ts';
import { keyOf } from './support/ids.ts';

/** Administrators suspend and reinstate a reader. */

let server: TestServer;
let other: TestServer;
let administrator: Client;
let books: string[];

beforeAll(async () => {
  const config = await sharedKeyspace();
  server = await startServer(config);
  other = await startServer(config);
  administrator = await registerAdministrator(server, 'Ada');
  books = await ownBooks(server.app, 10);
});

const ANSWER = 'user { id fullName } changed';
const suspend = (id: string, by = administrator, reason = 'Sells what is not theirs') =>
  by.mutate('suspendAccount', { id, reason }, ANSWER);
const reinstate = (id: string, by = administrator, reason = 'It was somebody else') =>
  by.mutate('reinstateAccount', { id, reason }, ANSWER);
const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const login = (reader: Client, password = PASSWORD) =>
  server.client().mutate('login', { email: reader.email, password }, 'accessToken refreshToken viewer { id }');
const refresh = (refreshToken: string) => server.client().mutate('refreshTokens', { refreshToken }, 'accessToken');
const list = async (seller: Client, bookId: string) => {
  const { item } = await seller.mutate(
    'listItem',
    { bookId, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' },
    'item { id }',
  );
  return item.id as string;
};

/**
 * Reads the fields of a reader that a caller sees. The reader likes a book and sells a copy of it.
 */
async function seen(caller: Client, owner: string, item: string, book: string) {
  const data = await caller.data(
    `query ($owner: ID!, $item: ID!, $book: ID!) {
       node(id: $owner) { ... on User { likes { edges { title } } listings { edges { title } } } }
       nodes(ids: [$owner, $item]) { __typename }
       item: node(id: $item) { ... on Item { seller { fullName } } }
       book: node(id: $book) { ... on Book { likeCount likers { edges { node { fullName } } } copies { edges { node { id } } } } }
     }`,
    { owner, item, book },
  );
  expect(data.book.likers.edges).toHaveLength(data.book.likeCount as number);
  return {
    reader: data.node !== null,
    nodes: data.nodes.map((node: object | null) => node !== null) as boolean[],
    seller: data.item?.seller != null,
    liker: data.book.likers.edges.some(({ node }: { node: object | null }) => node !== null) as boolean,
    copies: data.book.copies.edges.length as number,
  };
}
const ALL = { reader: true, nodes: [true, true], seller: true, liker: true, copies: 1 };
const NOTHING = { reader: false, nodes: [false, false], seller: false, liker: false, copies: 0 };

describe('a suspended reader', () => {
  test('is logged out on every server, and cannot log in or continue a session; only a caller with the password learns why', async () => {
    const reader = await somebody('Sid');
    const second = new Client(other.url);
    await second.login(reader.email);
    for (const client of [reader, second]) expect((await client.data('{ viewer { fullName } }')).viewer).not.toBeNull();
    expect(await suspend(reader.viewerId)).toEqual({
      user: { id: reader.viewerId, fullName: 'Sid' },
      changed: true,
      userErrors: [],
    });
    expect(await suspend(reader.viewerId)).toMatchObject({ changed: false, userErrors: [] });
    for (const client of [reader, second]) {
      await expect.poll(() => client.errorCode('{ viewer { id } }'), { timeout: 2_000 }).toBe('UNAUTHENTICATED');
      expect(await refresh(client.refreshToken)).toMatchObject({
        accessToken: null,
        userErrors: [{ code: 'ACCOUNT_SUSPENDED', path: ['input', 'refreshToken'] }],
      });
    }
    expect((await refresh(`${reader.refreshToken}x`)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    expect(await login(reader)).toMatchObject({
      accessToken: null,
      viewer: null,
      userErrors: [{ code: 'ACCOUNT_SUSPENDED', path: ['input'] }],
    });
    expect((await login(reader, 'wrong horse')).userErrors).toMatchObject([{ code: 'INVALID_CREDENTIALS' }]);

    expect(await reinstate(reader.viewerId)).toMatchObject({ changed: true, userErrors: [] });
    expect(await reinstate(reader.viewerId)).toMatchObject({ changed: false, userErrors: [] });
    expect((await refresh(reader.refreshToken)).userErrors).toMatchObject([{ code: 'INVALID_TOKEN' }]);
    reader.useTokens(await login(reader));
  });

  test('is hidden from everybody, as by a block; their likes are still counted, and everything is visible again afterwards', async () => {
    const [owner, reader] = [await somebody('Owner'), await somebody()];
    const book = books[1]!;
    await owner.like(book);
    const item = await list(owner, book);
    const sold = await list(owner, books[2]!);
    await owner.mutate('markAsSold', { itemId: sold }, 'item { id }');
    await reader.like(item);
    const liked = async () =>
      (await reader.data('{ viewer { likes { edges { node { id } } } } }')).viewer.likes.edges as object[];
    const soldTo = async (caller: Client) =>
      (await caller.data('query ($id: ID!) { node(id: $id) { id } }', { id: sold })).node as object | null;
    const callers = [reader, server.client(), administrator];
    for (const caller of callers) expect(await seen(caller, owner.viewerId, item, book)).toEqual(ALL);
    await suspend(owner.viewerId);
    for (const caller of callers) {
      expect(await seen(caller, owner.viewerId, item, book)).toEqual(NOTHING);
      expect(await soldTo(caller)).toBeNull();
    }
    expect(await liked()).toEqual([{ node: null }]);
    expect((await reader.like(book)).likeable.likeCount).toBe(2);
    await reader.unlike(book);
    await reinstate(owner.viewerId);
    for (const caller of callers) {
      expect(await seen(caller, owner.viewerId, item, book)).toEqual(ALL);
      expect(await soldTo(caller)).not.toBeNull();
    }
    expect(await liked()).toEqual([{ node: { id: item } }]);
  });

  test.each([
    ['before compare-and-set', 3],
    ['before copies', 5],
  ])('has a change of the same moment hidden, too: a copy %s', async (point, index) => {
    const [owner, reader] = [await somebody(), await somebody()];
    const book = books[index]!;
    const held: Record<string, PromiseWithResolvers<undefined>> = {
      'like: before compare-and-set': Promise.withResolvers(),
      [`listing: ${point}`]: Promise.withResolvers(),
    };
    const resume = Promise.withResolvers<undefined>();
    const slow = (
      await startServer(server.app.config, {
        atCrashPoint: (name) => {
          held[name]?.resolve(undefined);
          return held[name] && resume.promise;
        },
      })
    ).client();
    slow.token = owner.token;
    const slowly = Promise.all([slow.like(book), list(slow, book)]);
    await Promise.all(Object.values(held).map(({ promise }) => promise));
    await suspend(owner.viewerId);
    resume.resolve(undefined);
    const [, item] = await slowly;
    expect(await seen(reader, owner.viewerId, item, book)).toEqual(NOTHING);
    await reinstate(owner.viewerId);
    expect(await seen(reader, owner.viewerId, item, book)).toEqual(ALL);
  });

  test('cannot log in at the same moment', async () => {
    const reader = await somebody();
    const resume = await heldUpAt(server, 'session: before log', reader, (slow) =>
      slow.mutate('login', { email: reader.email, password: PASSWORD }, 'accessToken viewer { id }'),
    );
    await suspend(reader.viewerId);
    expect(await resume()).toMatchObject({
      accessToken: null,
      viewer: null,
      userErrors: [{ code: 'ACCOUNT_SUSPENDED' }],
    });
    const { rows } = await server.app.cassandra.client.execute(
      'SELECT state.ended_at AS ended_at, state.user_id AS user_id FROM sessions_by_id',
    );
    const open = rows.filter((row) => String(row['user_id']) === keyOf(reader.viewerId) && row['ended_at'] === null);
    expect(open).toEqual([]);
  });
});

test('each decision is recorded with its author, time and reason, and the reader has a security event of it', async () => {
  const reader = await somebody();
  await suspend(reader.viewerId);
  await reinstate(reader.viewerId);
  const decided = (
    await administrator.data(
      'query ($id: ID!) { administration(id: $id) { edges { node { kind administrator { fullName } reason } } } }',
      { id: reader.viewerId },
    )
  ).administration;
  const by = { administrator: { fullName: 'Ada' } };
  expect(decided.edges).toEqual([
    { node: { kind: 'ACCOUNT_REINSTATED', ...by, reason: 'It was somebody else' } },
    { node: { kind: 'ACCOUNT_SUSPENDED', ...by, reason: 'Sells what is not theirs' } },
  ]);
  reader.useTokens(await login(reader));
  const { viewer } = await reader.data('{ viewer { securityEvents { edges { node { kind address } } } } }');
  const kinds = viewer.securityEvents.edges.map(({ node }: { node: { kind: string } }) => node.kind) as string[];
  expect(kinds).toEqual(['LOGGED_IN', 'ACCOUNT_REINSTATED', 'ACCOUNT_SUSPENDED', 'REGISTERED']);
});

describe('callers without permission, and invalid input', () => {
  test('administrators cannot be suspended, and cannot suspend themselves', async () => {
    const second = await registerAdministrator(server);
    for (const id of [administrator.viewerId, second.viewerId])
      expect(await suspend(id)).toMatchObject({
        user: null,
        changed: false,
        userErrors: [{ code: 'FORBIDDEN', path: ['input', 'id'] }],
      });
    expect((await second.data('{ viewer { isAdministrator } }')).viewer.isAdministrator).toBe(true);
  });

  test('is refused, naming the field, and nothing is done', async () => {
    const reader = await somebody();
    const nobody = Buffer.from('User:00000000-0000-4000-8000-000000000000').toString('base64url');
    const gone = await somebody();
    await gone.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    for (const change of [suspend, reinstate]) {
      for (const [id, reason, code, field] of [
        ['x', 'Why', 'INVALID_INPUT', 'id'],
        [books[0]!, 'Why', 'INVALID_INPUT', 'id'],
        [nobody, 'Why', 'NOT_FOUND', 'id'],
        [gone.viewerId, 'Why', 'NOT_FOUND', 'id'],
        [reader.viewerId, ' ', 'INVALID_INPUT', 'reason'],
        [reader.viewerId, 'x'.repeat(1_001), 'INVALID_INPUT', 'reason'],
        [reader.viewerId, 'hidden\u202Etext', 'INVALID_INPUT', 'reason'],
      ] as const)
        expect(await change(id, administrator, reason), `${id} ${reason}`).toMatchObject({
          user: null,
          changed: false,
          userErrors: [{ code, path: ['input', field] }],
        });
      expect((await change(reader.viewerId, reader)).userErrors).toMatchObject([
        { code: 'FORBIDDEN', path: ['input'] },
      ]);
    }
    for (const name of ['suspendAccount', 'reinstateAccount']) {
      const query = `mutation ($id: ID!) { ${name}(input: { id: $id, reason: "Why" }) { changed } }`;
      expect(await server.client().errorCode(query, { id: reader.viewerId })).toBe('UNAUTHENTICATED');
    }
    expect((await reader.data('{ viewer { id } }')).viewer.id).toBe(reader.viewerId);
    const { administration } = await administrator.data(
      `{ administration(id: "${reader.viewerId}") { edges { cursor } } }`,
    );
    expect(administration.edges).toEqual([]);
  });
});

test('changes of a book by administrators are recorded', async () => {
  const book = books[4]!;
  const update = (input: object) => administrator.mutate('updateBook', { bookId: book, ...input }, 'book { title }');
  await update({ pages: 100 });
  await update({ pages: 100 });
  await update({ title: 'Another title' });
  const isbn = isbnOf(978_000_000_000 + randomInt(10 ** 9));
  const added = await administrator.mutate('addBook', { isbn, title: 'Added', authors: ['Ann'] }, 'book { id }');
  const kindsOf = async (id: string) => {
    const { administration } = await administrator.data(
      'query ($id: ID!) { administration(id: $id) { edges { node { kind administrator { fullName } reason } } } }',
      { id },
    );
    return administration.edges.map(({ node }: { node: object }) => node) as object[];
  };
  const updated = { kind: 'BOOK_UPDATED', administrator: { fullName: 'Ada' }, reason: null };
  expect(await kindsOf(book)).toEqual([updated, updated]);
  expect(await kindsOf(added.book.id as string)).toEqual([{ ...updated, kind: 'BOOK_ADDED' }]);
});
