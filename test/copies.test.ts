import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fillCopies } from '../src/market/aggregate.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';

/** The lists of all copies for sale. */

const DAY = 86_400_000;
const GENRES = [['Poetry'], ['Poetry', 'Essays'], []];

let server: TestServer;
let administrator: Client;
let now = Date.UTC(2026, 2, 1);
let books: string[];
let seller: Client;

beforeAll(async () => {
  // Every reading of the clock is a new moment.
  server = await startServer(await ownKeyspace(), { clock: () => new Date(++now) });
  administrator = await registerAdministrator(server);
  seller = await server.client().registerSomebody();
  books = await ownBooks(server.app, GENRES.length);
});

const nameGenres = async (bookId: string, genres: readonly string[]) => {
  expect((await administrator.mutate('updateBook', { bookId, genres }, 'book { id }')).userErrors).toEqual([]);
};
const login = ({ email }: Client) => server.client().login(email);
const list = async (amount: string, bookId = books[0]!, input: Record<string, unknown> = {}) => {
  const given = { bookId, price: { amount, currency: 'EUR' }, condition: 'GOOD', ...input };
  return (await seller.mutate('listItem', given, 'item { id }')).item.id as string;
};
const withdraw = (itemId: string) => seller.mutate('withdrawItem', { itemId }, 'item { id }');
const queryOf = (args: string) => `{ copies(${args}) { edges { cursor listedAt node { id } } ${PAGE_INFO} } }`;
const copies =
  (args: string, caller = server.client()) =>
  async (page: string) =>
    (await caller.data(queryOf(`${args} ${page}`))).copies;
const idsOf = async (args = '', caller = server.client()): Promise<string[]> =>
  (await copies(args, caller)('first: 100')).edges.map(({ node }: { node: { id: string } }) => node.id);

const ORDERS = ['', 'orderBy: PRICE currency: "EUR"', 'orderBy: PRICE_DESC currency: "EUR"'] as const;

test('after any changes, every order, genre and page matches the model', async () => {
  const step = fc.record({
    what: fc.constantFrom('list', 'list', 'list', 'price', 'end', 'genres', 'month'),
    pick: fc.nat(30),
    amount: fc.constantFrom('0.01', '1', '1.99', '2', '4.99', '5', '12.5', '19', '20', '100000000'),
  });
  const run = async (
    steps: readonly { what: string; pick: number; amount: string }[],
    size: number,
    direction: 'forward' | 'backward',
  ) => {
    const mine = new Map<string, { amount: number; at: number; bookId: string }>();
    const genresOf = new Map(books.map((bookId, index) => [bookId, GENRES[index]!]));
    for (const [bookId, genres] of genresOf) await nameGenres(bookId, genres);
    for (const [at, { what, pick, amount }] of steps.entries()) {
      const bookId = books[pick % books.length]!;
      const itemId = [...mine.keys()][pick % Math.max(1, mine.size)];
      if (what === 'list') mine.set(await list(amount, bookId), { amount: Number(amount), at, bookId });
      if (what === 'month') {
        now += 40 * DAY;
        [seller, administrator] = [await login(seller), await login(administrator)];
      }
      if (what === 'genres') {
        genresOf.set(bookId, GENRES[(pick + 1) % GENRES.length]!);
        await nameGenres(bookId, genresOf.get(bookId)!);
      }
      if (what === 'price' && itemId !== undefined) {
        await seller.mutate('changePrice', { itemId, price: { amount, currency: 'EUR' } }, 'item { id }');
        mine.get(itemId)!.amount = Number(amount);
      }
      if (what === 'end' && itemId !== undefined) {
        await withdraw(itemId);
        mine.delete(itemId);
      }
    }

    for (const genre of [undefined, 'Poetry', 'Essays']) {
      const chosen = [...mine].filter(([, { bookId }]) => genre === undefined || genresOf.get(bookId)!.includes(genre));
      const newest = chosen.toSorted(([, one], [, other]) => other.at - one.at).map(([id]) => id);
      const cheapest = chosen
        .toSorted(([, one], [, other]) => one.amount - other.amount || one.at - other.at)
        .map(([id]) => id);
      const expected = [newest, cheapest, cheapest.toReversed()];
      for (const [index, order] of ORDERS.entries()) {
        const args = `${order} ${genre === undefined ? '' : `genre: "${genre.toUpperCase()} "`}`;
        const edges = await server.client().allPages(size, direction, copies(args));
        expect(
          edges.map((edge) => edge.node.id as string),
          args,
        ).toEqual(expected[index]);
      }
    }
    for (const itemId of mine.keys()) await withdraw(itemId);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('forward' as const, 'backward' as const),
      run,
    ),
    { numRuns: runs(8, 3) },
  );
  expect((await audited(server.app, [auditOf('items')])).drift).toEqual([]);
});

test('a copy is listed for who may see its seller, until the account is deleted', async () => {
  await nameGenres(books[0]!, ['Poetry']);
  const itemId = await list('7');
  const everyList = (caller?: Client) =>
    Promise.all(ORDERS.flatMap((order) => [order, `${order} genre: "Poetry"`]).map((args) => idsOf(args, caller)));
  const nowhere = ORDERS.flatMap(() => [[], []]);
  const everywhere = nowhere.map(() => [itemId]);
  expect(await everyList()).toEqual(everywhere);
  expect(await idsOf('orderBy: PRICE currency: "USD"')).toEqual([]);
  expect(await idsOf('genre: "Nothing"')).toEqual([]);

  const blocked = await server.client().registerSomebody();
  await seller.mutate('block', { id: blocked.viewerId }, 'changed');
  expect(await everyList(blocked)).toEqual(nowhere);

  const decided = { id: seller.viewerId, reason: 'A reason' };
  await administrator.mutate('suspendAccount', decided, 'changed');
  expect(await everyList()).toEqual(nowhere);
  await nameGenres(books[0]!, ['Essays']);
  await administrator.mutate('reinstateAccount', decided, 'changed');
  expect(await idsOf('genre: "Essays"')).toEqual([itemId]);
  expect(await idsOf('genre: "Poetry"')).toEqual([]);

  seller = await login(seller);
  await seller.mutate('deleteAccount', { password: PASSWORD }, '__typename');
  expect(await everyList()).toEqual(nowhere);
  const rows = ['items_for_sale_by_listed_at', 'items_for_sale_by_price'].map((table) =>
    server.app.cassandra.client.execute(`SELECT item_id FROM ${table}`),
  );
  for (const { rowLength } of await Promise.all(rows)) expect(rowLength).toBe(0);
  seller = await server.client().registerSomebody();
});

test('a copy of an earlier release gets into the lists by the migration', async () => {
  await nameGenres(books[0]!, ['Poetry']);
  const itemId = await list('7');
  const { client } = server.app.cassandra;
  for (const table of ['items_for_sale_by_listed_at', 'items_for_sale_by_price'])
    await client.execute(`TRUNCATE ${table}`);
  expect(await idsOf()).toEqual([]);

  for (let position: string | undefined = ''; position !== undefined;)
    position = await fillCopies(server.app, '0011-market', position, '', '');
  for (const order of ORDERS) expect(await idsOf(`${order} genre: "Poetry"`)).toEqual([itemId]);
  await withdraw(itemId);
});

test('the place of a copy is shown, until an administrator takes it down', async () => {
  const itemId = await list('7', books[0], { place: ' Oslo,  Norway' });
  const placeOf = async () =>
    (await server.client().data('query ($id: ID!) { node(id: $id) { ... on Item { place } } }', { id: itemId })).node
      .place;
  expect(await placeOf()).toBe('Oslo, Norway');

  const { changed } = await administrator.mutate('takeDown', { id: itemId, reason: 'A reason' }, 'changed');
  expect(changed).toBe(true);
  expect(await placeOf()).toBeNull();
  await withdraw(itemId);
});

test.each([
  ['orderBy: PRICE', '"currency"'],
  ['orderBy: PRICE_DESC currency: "eur"', '"currency"'],
  ['currency: "EUR"', '"currency"'],
  ['genre: " "', '"genre"'],
  ['after: "x"', '"after"'],
  ['first: 101', '"first"'],
])('%s is refused with its name', async (args, argument) => {
  const { errors } = await server.client().send(queryOf(args));
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  expect(errors?.[0]?.message).toContain(argument);
});
