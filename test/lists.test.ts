import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { encodeId } from '../src/graphql/ids.ts';
import { lists } from '../src/lists/aggregate.ts';
import { addToList, moveInList, removeFromList } from '../src/lists/entries.ts';
import { createList, deleteList } from '../src/lists/operations.ts';
import { transactionLog } from '../src/transactions/log.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { callersOf, LIBRARY, LONG, testInput, type Callers } from './support/input-errors.ts';
import { as, makeReaders } from './support/likers.ts';

/** Readers make lists of books, and order them by hand. */

let server: TestServer;
let other: TestServer;
let callers: Callers;
let books: string[];

beforeAll(async () => {
  const config = await ownKeyspace();
  server = await startServer(config);
  other = await startServer(config);
  callers = await callersOf(server);
  books = await ownBooks(server.app, 40);
});

const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const execute = (cql: string, params: unknown[]) => server.app.cassandra.client.execute(cql, params, { prepare: true });

const LIST = 'list { id name title description audience owner { id } entries { count { value isExact } } } changed';

type Audience = 'EVERYONE' | 'SIGNED_IN' | 'ONLY_ME';
async function make(owner: Client, audience: Audience = 'EVERYONE', name = 'Best of all'): Promise<string> {
  const { list } = await owner.mutate('createList', { name, audience }, 'list { id }');
  return list.id as string;
}
const add = (owner: Client, listId: string, bookId: string, more: { note?: string; after?: string } = {}) =>
  owner.mutate('addToList', { listId, bookId, ...more }, LIST);
const move = (owner: Client, listId: string, bookId: string, after: string | null) =>
  owner.mutate('moveInList', { listId, bookId, after }, LIST);
const remove = (owner: Client, listId: string, bookId: string) =>
  owner.mutate('removeFromList', { listId, bookId }, LIST);

/** Reads a list of a reader with all its entries, in pages. */
const entriesOf = (reader: Client, listId: string, size = 7, direction: 'forward' | 'backward' = 'forward') =>
  reader.allPages(size, direction, async (args) => {
    const entries = `entries(${args}) { edges { cursor note addedAt node { id title } } ${PAGE_INFO} }`;
    return (await reader.data(`{ node(id: "${listId}") { ... on BookList { ${entries} } } }`)).node.entries;
  });
const booksIn = async (reader: Client, listId: string) => (await entriesOf(reader, listId)).map(({ node }) => node.id);

const listsOf = async (reader: Client, userId: string): Promise<string[]> => {
  const { node } = await reader.data(
    `{ node(id: "${userId}") { ... on User { lists { nodes { id } count { value } } } } }`,
  );
  expect(node.lists.count.value).toBe(node.lists.nodes.length);
  return node.lists.nodes.map(({ id }: { id: string }) => id);
};

describe('the input', () => {
  testInput(
    'createList',
    { who: 'reader', input: { name: LONG, description: LONG, audience: 'EVERYONE' }, wrong: ['name', 'description'] },
    () => callers,
  );
  testInput(
    'updateList',
    {
      who: 'reader',
      input: { listId: LIBRARY, name: '', description: LONG },
      wrong: ['listId', 'name', 'description'],
    },
    () => callers,
  );
  testInput('deleteList', { who: 'reader', input: { listId: LIBRARY }, wrong: ['listId'] }, () => callers);
  testInput(
    'addToList',
    {
      who: 'reader',
      input: { listId: LIBRARY, bookId: LIBRARY, note: LONG, after: LIBRARY },
      wrong: ['listId', 'bookId', 'note', 'after'],
    },
    () => callers,
  );
  testInput(
    'updateListEntry',
    { who: 'reader', input: { listId: LIBRARY, bookId: LIBRARY, note: LONG }, wrong: ['listId', 'bookId', 'note'] },
    () => callers,
  );
  testInput(
    'removeFromList',
    { who: 'reader', input: { listId: LIBRARY, bookId: LIBRARY }, wrong: ['listId', 'bookId'] },
    () => callers,
  );
  testInput(
    'moveInList',
    {
      who: 'reader',
      input: { listId: LIBRARY, bookId: LIBRARY, after: LIBRARY },
      wrong: ['listId', 'bookId', 'after'],
    },
    () => callers,
  );
});

describe('a list', () => {
  test('is made, changed and deleted; each answer shows it', async () => {
    const owner = await somebody();
    const made = await owner.mutate(
      'createList',
      { name: ' To  read\nin summer ', description: 'By the sea', audience: 'ONLY_ME' },
      LIST,
    );
    const { id } = made.list;
    const list = {
      id,
      name: 'To read in summer',
      title: 'To read in summer',
      description: 'By the sea',
      audience: 'ONLY_ME',
      owner: { id: owner.viewerId },
      entries: { count: { value: 0, isExact: true } },
    };
    expect(made).toEqual({ list, changed: true, userErrors: [] });
    const update = (fields: object) => owner.mutate('updateList', { listId: id, ...fields }, LIST);
    expect(await update({})).toEqual({ list, changed: false, userErrors: [] });
    expect(await update({ name: 'To read in summer' })).toMatchObject({ changed: false });
    const renamed = { ...list, name: 'In winter', title: 'In winter' };
    expect(await update({ name: 'In winter' })).toEqual({ list: renamed, changed: true, userErrors: [] });
    const shown = { ...renamed, description: null, audience: 'EVERYONE' };
    expect(await update({ description: null, audience: 'EVERYONE' })).toMatchObject({ list: shown, changed: true });
    expect(await listsOf(owner, owner.viewerId)).toEqual([id]);

    await add(owner, id, books[0]!);
    expect(await owner.mutate('deleteList', { listId: id }, LIST)).toEqual({
      list: null,
      changed: true,
      userErrors: [],
    });
    expect((await owner.data(`{ node(id: "${id}") { id } }`)).node).toBeNull();
    expect(await listsOf(owner, owner.viewerId)).toEqual([]);
    expect(await owner.mutate('deleteList', { listId: id }, LIST)).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'listId'] }],
    });
    const { rows } = await execute('SELECT part FROM book_lists WHERE list_id = ?', [keyOf(id)]);
    expect(rows.map((row) => row['part'] as string)).toEqual(['LIST']);
  });

  test('is changed only by its owner', async () => {
    const [owner, reader] = [await somebody(), await somebody()];
    const [seen, hidden] = [await make(owner), await make(owner, 'ONLY_ME')];
    for (const [listId, code] of [
      [seen, 'FORBIDDEN'],
      [hidden, 'NOT_FOUND'],
      [encodeId({ type: 'BookList', key: '00000000-0000-4000-8000-000000000000' }), 'NOT_FOUND'],
    ] as const) {
      const refused = { list: null, changed: false, userErrors: [{ code, path: ['input', 'listId'] }] };
      for (const name of ['updateList', 'deleteList'])
        expect(await reader.mutate(name, { listId }, LIST)).toMatchObject(refused);
      for (const name of ['addToList', 'updateListEntry', 'removeFromList', 'moveInList'])
        expect(await reader.mutate(name, { listId, bookId: books[0]! }, LIST)).toMatchObject(refused);
    }
    const { errors } = await server
      .client()
      .send('mutation ($input: DeleteListInput!) { deleteList(input: $input) { changed } }', {
        input: { listId: seen },
      });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  test('is the hundredth of a reader, who can make no more until they delete one', async () => {
    const owner = await somebody();
    for (let index = 0; index < 100; index++)
      await createList(as(server.app, keyOf(owner.viewerId)), { name: String(index), audience: 'ONLY_ME' });
    const input = { name: 'One more', audience: 'EVERYONE' };
    expect(await owner.mutate('createList', input, LIST)).toMatchObject({
      list: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'name'], message: expect.stringContaining('100') }],
    });
    const pages = await owner.allPages(30, 'forward', async (args) => {
      const page = `lists(${args}) { edges { cursor node { id name } } ${PAGE_INFO} }`;
      return (await owner.data(`{ viewer { ${page} } }`)).viewer.lists;
    });
    expect(pages.map(({ node }) => node.name)).toEqual(Array.from({ length: 100 }, (_, index) => String(99 - index)));
    await owner.mutate('deleteList', { listId: pages[50]!.node.id }, LIST);
    expect(await owner.mutate('createList', input, LIST)).toMatchObject({ changed: true });
  });
});

test('a list cannot be liked while a server runs that could not show the like', async () => {
  const [owner, reader] = [await somebody(), await somebody()];
  const id = await make(owner);
  const log = transactionLog(server.app);
  const [query, input] = ['mutation ($input: LikeInput!) { like(input: $input) { changed } }', { id }];
  log.oldestAlive = '1.0.0';
  expect(await reader.errorCode(query, { input })).toBe('OVERLOADED');
  expect((await reader.like(books[0] ?? '')).changed).toBe(true);
  log.oldestAlive = '1.1.0';
  expect((await reader.data(query, { input })).like).toEqual({ changed: true });
});

describe('the entries', () => {
  test('are added, moved, noted and removed; each answer has their number', async () => {
    const owner = await somebody();
    const id = await make(owner);
    const [a = '', b = '', c = '', d = ''] = books;
    const count = (value: number) => ({ list: { entries: { count: { value, isExact: true } } } });
    expect(await add(owner, id, a)).toMatchObject({ ...count(1), changed: true });
    expect(await add(owner, id, b, { note: 'Read it\ntwice' })).toMatchObject({ ...count(2), changed: true });
    expect(await add(owner, id, c, { after: a })).toMatchObject({ ...count(3), changed: true });
    expect(await add(owner, id, c, { note: 'Other' })).toMatchObject({ ...count(3), changed: false });
    expect(await booksIn(owner, id)).toEqual([a, c, b]);

    expect(await move(owner, id, b, null)).toMatchObject({ changed: true });
    expect(await move(owner, id, b, null)).toMatchObject({ changed: false });
    expect(await move(owner, id, a, c)).toMatchObject({ ...count(3), changed: true });
    expect(await move(owner, id, a, c)).toMatchObject({ changed: false });
    expect(await entriesOf(server.client(), id)).toMatchObject([
      { node: { id: b }, note: 'Read it twice' },
      { node: { id: c }, note: null },
      { node: { id: a }, note: null },
    ]);

    const note = (bookId: string, text: string | null) =>
      owner.mutate('updateListEntry', { listId: id, bookId, note: text }, LIST);
    expect(await note(c, 'x'.repeat(1_000))).toMatchObject({ changed: true });
    expect(await note(b, null)).toMatchObject({ changed: true });
    expect(await note(b, ' ')).toMatchObject({ changed: false });
    const { edges } = (await owner.data(`{ node(id: "${id}") { ... on BookList { entries { edges { note } } } } }`))
      .node.entries;
    expect(edges).toEqual([{ note: null }, { note: 'x'.repeat(1_000) }, { note: null }]);

    expect(await remove(owner, id, c)).toMatchObject({ ...count(2), changed: true });
    expect(await remove(owner, id, c)).toMatchObject({ ...count(2), changed: false });
    expect(await booksIn(owner, id)).toEqual([b, a]);
    const notFound = (field: string) => ({ list: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', field] }] });
    expect(await note(c, 'Gone')).toMatchObject(notFound('bookId'));
    expect(await move(owner, id, c, a)).toMatchObject(notFound('bookId'));
    expect(await move(owner, id, a, d)).toMatchObject(notFound('after'));
    expect(await add(owner, id, c, { after: d })).toMatchObject(notFound('after'));
    expect(await move(owner, id, a, a)).toMatchObject({
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'after'] }],
    });
    const nothing = encodeId({ type: 'Book', key: 'goodreads-999999999999' });
    expect(await add(owner, id, nothing)).toMatchObject(notFound('bookId'));
  });

  test('are read by pages, in both directions', async () => {
    const owner = await somebody();
    const id = await make(owner);
    for (const bookId of books) await addToList(as(server.app, keyOf(owner.viewerId)), { listId: id, bookId });
    for (const direction of ['forward', 'backward'] as const)
      for (const size of [3, 40])
        expect((await entriesOf(owner, id, size, direction)).map(({ node }) => node.id)).toEqual(books);
  });

  test('have the order that follows from their changes, whichever servers make the changes', async () => {
    const change = fc.record({
      verb: fc.constantFrom('add', 'move', 'remove'),
      book: fc.nat({ max: 7 }),
      after: fc.option(fc.nat({ max: 7 })),
      isOther: fc.boolean(),
    });
    const [userId = ''] = await makeReaders(server.app, 1);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
        const { list } = await createList(as(server.app, userId), { name: 'Any', audience: 'EVERYONE' });
        const listId = encodeId({ type: 'BookList', key: list!.id });
        const model: number[] = [];
        for (const { verb, book, after, isOther } of changes) {
          const context = as((isOther ? other : server).app, userId);
          const [place, bookId] = [model.indexOf(book), books[book]!];
          const isPossible = after === null || (after !== book && model.includes(after));
          if (verb === 'remove') {
            const { changed } = await removeFromList(context, { listId, bookId });
            expect(changed).toBe(place !== -1);
            if (place !== -1) model.splice(place, 1);
            continue;
          }
          if (!isPossible || (verb === 'move') !== (place !== -1)) continue;
          await (verb === 'add' ? addToList : moveInList)(context, {
            listId,
            bookId,
            after: after === null ? null : books[after]!,
          });
          if (verb === 'move') model.splice(place, 1);
          const index = after === null ? (verb === 'add' ? model.length : 0) : model.indexOf(after) + 1;
          model.splice(index, 0, book);
        }
        expect(await booksIn(other.client(), listId)).toEqual(model.map((book) => books[book]));
        const state = await lists.read(server.app, { listId: list!.id, ownerId: userId });
        expect(state?.entry_count).toBe(model.length);
      }),
      { numRuns: runs(15) },
    );
  });

  test('keep their order when entries are renumbered', async () => {
    const owner = await somebody();
    const listId = await make(owner);
    const [first = '', ...others] = books.slice(0, 5);
    const context = () => as(server.app, keyOf(owner.viewerId));
    for (const bookId of [first, ...others]) await addToList(context(), { listId, bookId, note: `On ${bookId}` });
    const lengths: number[] = [];
    let expected = others;
    for (let index = 0; index < 160; index++) {
      const bookId = expected.at(-1)!;
      await moveInList(context(), { listId, bookId, after: first });
      expected = [bookId, ...expected.slice(0, -1)];
      const { rows } = await execute("SELECT place FROM book_lists WHERE list_id = ? AND part = 'ENTRY'", [
        keyOf(listId),
      ]);
      lengths.push(Math.max(...rows.map((row) => (row['place'] as string).length)));
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(32);
    expect(lengths.filter((length, index) => length < (lengths[index - 1] ?? 0)).length).toBeGreaterThan(0);
    expect(await entriesOf(owner, listId)).toMatchObject(
      [first, ...expected].map((id) => ({ node: { id }, note: `On ${id}` })),
    );
  });

  test('are all kept when many are added and moved at once on two servers', async () => {
    const owner = await somebody();
    const listId = await make(owner);
    const some = books.slice(0, 10);
    const context = (index: number) => as((index % 2 ? server : other).app, keyOf(owner.viewerId));
    await Promise.all(some.map((bookId, index) => addToList(context(index), { listId, bookId })));
    const added = await booksIn(owner, listId);
    expect(added.toSorted()).toEqual(some.toSorted());

    await Promise.all(
      some.map((bookId, index) => moveInList(context(index), { listId, bookId, after: some[(index + 3) % 10]! })),
    );
    expect((await booksIn(owner, listId)).toSorted()).toEqual(some.toSorted());
    const { rows } = await execute("SELECT place, position FROM book_lists WHERE list_id = ? AND part = 'BOOK'", [
      keyOf(listId),
    ]);
    const inOrder = rows.toSorted((one, two) => ((one['position'] as string) < (two['position'] as string) ? -1 : 1));
    expect(inOrder.map((row) => encodeId({ type: 'Book', key: row['place'] as string }))).toEqual(
      await booksIn(owner, listId),
    );
  });

  type Context = ReturnType<typeof as>;

  describe('are answered correctly when the list changes between two reads of a call', () => {
    /** Runs a change by another server just before the first statement of a kind is sent. */
    const before = (part: string, change: () => Promise<void>): void => {
      const client = server.app.cassandra.client as unknown as Record<
        'execute',
        (...args: unknown[]) => Promise<unknown>
      >;
      const execute = client.execute.bind(client);
      const spy = vi.spyOn(client, 'execute').mockImplementation(async (...args: unknown[]) => {
        if (String(args[0]).includes(part)) {
          spy.mockRestore();
          await change();
        }
        return execute(...args);
      });
    };
    const makeWith = async (some: readonly string[]) => {
      const owner = await somebody();
      const listId = await make(owner);
      const [here, there] = [server, other].map(({ app }) => as(app, keyOf(owner.viewerId))) as [Context, Context];
      for (const bookId of some) await addToList(here, { listId, bookId });
      return { owner, listId, here, there };
    };

    test('a book is not found if the list was deleted', async () => {
      const { listId, here, there } = await makeWith(books.slice(0, 1));
      before('SELECT place, position', async () => void (await deleteList(there, { listId })));
      await expect(removeFromList(here, { listId, bookId: books[0]! })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        path: ['input', 'listId'],
      });
    });

    test('a book is moved if the one before it was moved away', async () => {
      const [first = '', second = '', third = ''] = books;
      const { owner, listId, here, there } = await makeWith([first, second, third]);
      before('place > :above', async () => {
        await moveInList(there, { listId, bookId: first, after: third });
        await removeFromList(there, { listId, bookId: second });
      });
      expect(await moveInList(here, { listId, bookId: third, after: first })).toMatchObject({ changed: true });
      expect(await booksIn(owner, listId)).toEqual([first, third]);
    });
  });

  test('are at most 10,000, even if several are added at once', async () => {
    const owner = await somebody();
    const listId = await make(owner);
    const key = { listId: keyOf(listId), ownerId: keyOf(owner.viewerId) };
    await lists.amend(server.app, key, (state) => Promise.resolve({ ...state, entry_count: 9_999 }));
    const answers = await Promise.all(
      books.slice(0, 4).map((bookId, index) => {
        const client = (index % 2 ? server : other).client();
        client.token = owner.token;
        return add(client, listId, bookId);
      }),
    );
    expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
    for (const { changed, userErrors } of answers)
      if (!changed)
        expect(userErrors).toMatchObject([
          { code: 'INVALID_INPUT', path: ['input', 'listId'], message: expect.stringContaining('10,000') },
        ]);
    expect(await booksIn(owner, listId)).toHaveLength(1);
  });
});

describe('the audit', () => {
  const WRONG: Record<string, (owner: Client) => Promise<unknown>> = {
    lost: (owner) => execute('DELETE FROM lists_by_user USING TIMESTAMP 1 WHERE user_id = ?', [keyOf(owner.viewerId)]),
    'too many': (owner) =>
      execute(
        "INSERT INTO lists_by_user (user_id, created_at, list_id) VALUES (?, '2020-01-01', ?) USING TIMESTAMP 1",
        [keyOf(owner.viewerId), server.app.randomId()],
      ),
  };

  test.each(Object.entries(WRONG))('finds and repairs a row that is %s', async (_what, spoil) => {
    const owner = await somebody();
    const id = await make(owner);
    await spoil(owner);
    expect((await audited(server.app, [auditOf('lists')], { repair: true })).drift).toHaveLength(1);
    expect(await audited(server.app, [auditOf('lists')])).toMatchObject({ drift: [] });
    expect(await listsOf(owner, owner.viewerId)).toEqual([id]);
  });
});
