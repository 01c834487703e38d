import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { changePrice } from '../src/market/operations.ts';
import { digitsOf } from '../src/market/iso-4217.ts';
import { parseAmount, priceOf } from '../src/market/money.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

let server: TestServer;
let now: number;
let books: string[];
const ITEM =
  'item { id title price { amount currency } condition status listedAt endedAt seller { id fullName } book { id title } likeCount } viewer { id }';

beforeAll(async () => {
  now = Date.UTC(2026, 5, 1);
  // Every reading of the clock is a new moment.
  server = await startServer(await sharedKeyspace(), { clock: () => new Date(++now) });
  books = await ownBooks(server.app, 8);
});

const EUR = (amount: string) => ({ amount, currency: 'EUR' });
const list = (seller: Client, input: Record<string, unknown> = {}) =>
  seller.mutate('listItem', { bookId: books[0], price: EUR('12.5'), condition: 'GOOD', ...input }, ITEM);
const change = (seller: Client, itemId: string, amount: string) =>
  seller.mutate('changePrice', { itemId, price: EUR(amount) }, ITEM);
const withdraw = (seller: Client, itemId: string) => seller.mutate('withdrawItem', { itemId }, ITEM);
const sell = (seller: Client, itemId: string) => seller.mutate('markAsSold', { itemId }, ITEM);
const listings = (sellerId: string, filter: string) => (args: string) =>
  server
    .client()
    .data(
      `{ node(id: "${sellerId}") { ... on User { listings(${filter} ${args}) { edges { cursor listedAt node { id price { amount } } } ${PAGE_INFO} } } } }`,
    )
    .then((data) => data.node.listings);
const copiesOf = (bookId: string) =>
  server
    .client()
    .data(`{ node(id: "${bookId}") { ... on Book { copies(first: 100) { edges { node { id } } } } } }`)
    .then((data) => data.node.copies);
const idsOf = (edges: { node: { id: string } }[]) => edges.map(({ node }) => node.id);

describe('a copy', () => {
  test('is listed, repriced, withdrawn or sold; its seller’s activity log has each of these', async () => {
    const seller = await server.client().registerSomebody('Sally Seller');
    const { item, viewer, userErrors } = await list(seller);
    expect(userErrors).toEqual([]);
    expect(viewer.id).toBe(seller.viewerId);
    expect(item).toMatchObject({
      title: expect.stringMatching(/^Book \d+$/) as string,
      price: { amount: '12.50', currency: 'EUR' },
      condition: 'GOOD',
      status: 'FOR_SALE',
      endedAt: null,
      seller: { id: seller.viewerId, fullName: 'Sally Seller' },
      book: { id: books[0], title: item.title as string },
      likeCount: 0,
    });
    expect((await change(seller, item.id, '9')).item.price).toEqual({ amount: '9.00', currency: 'EUR' });
    expect((await change(seller, item.id, '9.00')).userErrors).toEqual([]);
    const other = await list(seller, { title: '  Signed   copy ', condition: 'LIKE_NEW' });
    expect(other.item.title).toBe('Signed copy');
    expect(idsOf((await copiesOf(books[0]!)).edges)).toEqual([other.item.id, item.id]);
    const withdrawn = await withdraw(seller, item.id);
    expect(withdrawn.item).toMatchObject({ status: 'WITHDRAWN', endedAt: expect.any(String) as string });
    expect((await withdraw(seller, item.id)).item).toEqual(withdrawn.item);
    expect((await sell(seller, other.item.id)).item.status).toBe('SOLD');
    expect((await listings(seller.viewerId, '')('first: 5')).edges).toEqual([]);
    const data = await seller.data(
      '{ viewer { actions { edges { node { kind element price { amount currency } likeable { id } book { id } } } } } }',
    );
    const sold = { element: null, price: null, likeable: { id: other.item.id }, book: { id: books[0] } };
    const first = { element: null, price: null, likeable: { id: item.id }, book: { id: books[0] } };
    expect(data.viewer.actions.edges.map((edge: { node: object }) => edge.node).slice(0, 5)).toEqual([
      { kind: 'SOLD', ...sold },
      { kind: 'WITHDRAWN', ...first },
      { kind: 'LISTED', ...sold, price: EUR('12.50') },
      { kind: 'PRICE_CHANGED', ...first, price: EUR('9.00') },
      { kind: 'LISTED', ...first, price: EUR('12.50') },
    ]);
    for (const ended of [item.id, other.item.id]) {
      expect((await change(seller, ended, '8')).userErrors).toMatchObject([
        { code: 'INVALID_INPUT', path: ['input', 'itemId'] },
      ]);
    }
    expect((await sell(seller, item.id)).userErrors).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });

  test('is listed once for an idempotency key', async () => {
    const seller = await server.client().registerSomebody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => list(seller, { idempotencyKey: 'a click' })));
    expect(new Set(answers.map((answer) => answer.item.id)).size).toBe(1);
    expect((await listings(seller.viewerId, '')('first: 5')).edges).toHaveLength(1);
    const other = await server.client().registerSomebody();
    expect((await list(other, { idempotencyKey: 'a click' })).item.id).not.toBe(answers[0].item.id);
  });

  test('can be liked like books, and is listed with them', async () => {
    const [seller, reader] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
    const { item } = await list(seller, { title: 'A signed copy' });
    await reader.like(books[1]!);
    expect(await reader.like(item.id)).toMatchObject({
      changed: true,
      likeable: { likeCount: 1, viewerHasLiked: true },
    });
    await reader.like(books[2]!);
    const likes = await reader.data(
      '{ viewer { likes { edges { title node { __typename id ... on Item { price { amount } } } } } } }',
    );
    expect(
      likes.viewer.likes.edges.map((edge: { node: { __typename: string; id: string } }) => [
        edge.node.__typename,
        edge.node.id,
      ]),
    ).toEqual([
      ['Book', books[2]],
      ['Item', item.id],
      ['Book', books[1]],
    ]);
    expect(likes.viewer.likes.edges[1].title).toBe('A signed copy');
    const { node } = await reader.data(
      `{ node(id: "${item.id}") { ... on Item { likeTally { count isExact } likers { edges { node { id } } } } } }`,
    );
    expect(node).toEqual({
      likeTally: { count: 1, isExact: true },
      likers: { edges: [{ node: { id: reader.viewerId } }] },
    });
    await withdraw(seller, item.id);
    expect((await reader.unlike(item.id)).changed).toBe(true);
    expect((await reader.like(item.id)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'id'] }]);
  });

  test('is kept, withdrawn and without a seller, when its seller deletes the account', async () => {
    const [seller, reader] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
    const { item } = await list(seller);
    await reader.like(item.id);
    await seller.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    const { viewer } = await reader.data(
      '{ viewer { likes { edges { node { id ... on Item { title status seller { id } } } } } } }',
    );
    expect(viewer.likes.edges).toEqual([
      { node: { id: item.id, title: item.title, status: 'WITHDRAWN', seller: null } },
    ]);
    expect(idsOf((await copiesOf(books[0]!)).edges)).not.toContain(item.id);
  });
});

test('a price change is one mutation in the list, so the list has the copy once at any moment', async () => {
  const seller = await server.client().registerSomebody();
  const { item } = await list(seller);
  const listed = async () => {
    const cql = 'SELECT amount_e4 FROM item_by_seller_by_price WHERE seller_id = ?';
    const { rows } = await server.app.cassandra.client.execute(cql, [keyOf(seller.viewerId)], { prepare: true });
    return rows.map((row) => row['amount_e4'] as bigint);
  };
  const seen: bigint[][] = [];
  const cassandra = intercepted(server.app.cassandra, async ({ cql, send }) => {
    const result = await send();
    if (cql.includes('item_by_seller_by_price')) seen.push(await listed());
    return result;
  });
  const caller = { ...ANONYMOUS, viewerId: keyOf(seller.viewerId) };
  for (const amount of ['9', '12.5']) {
    const context = requestContext({ ...server.app, cassandra }, caller);
    await changePrice(context, { itemId: item.id as string, price: EUR(amount) });
  }
  // The former state is projected once more, followed by the new one.
  expect(seen).toEqual([[125_000n], [90_000n], [90_000n], [125_000n]]);
});

describe('listings', () => {
  interface Query {
    readonly orderBy: string;
    readonly min: number | null;
    readonly width: number | null;
    readonly from: number | null;
    readonly to: number | null;
    readonly size: number;
    readonly direction: 'forward' | 'backward';
  }
  interface Copy {
    readonly id: string;
    amount: number;
    readonly listedAt: string;
    isListed: boolean;
  }

  test('after any changes, every order, range and page matches the model', async () => {
    const aStep = fc.record({
      what: fc.constantFrom('list', 'list', 'price', 'price', 'end'),
      pick: fc.nat(),
      cents: fc.integer({ min: 1, max: 30 }),
    });
    const aQuery = fc.record({
      orderBy: fc.constantFrom('PRICE', 'PRICE_DESC', 'LISTED_AT'),
      min: fc.option(fc.integer({ min: 0, max: 30 })),
      width: fc.option(fc.integer({ min: 0, max: 30 })),
      from: fc.option(fc.nat()),
      to: fc.option(fc.nat()),
      size: fc.integer({ min: 1, max: 12 }),
      direction: fc.constantFrom('forward' as const, 'backward' as const),
    });
    const run = async (steps: { what: string; pick: number; cents: number }[], queries: Query[]) => {
      const seller = await server.client().registerSomebody();
      const copies: Copy[] = [];
      for (const { what, pick, cents } of steps) {
        const amount = (cents / 100).toFixed(2);
        const copy = copies[pick % Math.max(copies.length, 1)];
        if (what === 'list' || !copy) {
          const { item } = await list(seller, { price: EUR(amount), bookId: books[pick % books.length] });
          copies.push({ id: item.id, amount: cents, listedAt: item.listedAt, isListed: true });
        } else if (what === 'price') {
          await change(seller, copy.id, amount);
          if (copy.isListed) copy.amount = cents;
        } else {
          await (pick % 2 === 0 ? withdraw(seller, copy.id) : sell(seller, copy.id));
          copy.isListed = false;
        }
      }
      for (const { orderBy, min, width, from, to, size, direction } of queries) {
        const moments = copies.map(({ listedAt }) => listedAt).toSorted();
        let [earliest, latest] = [from, to].map((nat) => (nat === null ? undefined : moments[nat % moments.length]));
        if (earliest !== undefined && latest !== undefined && earliest > latest)
          [earliest, latest] = [latest, earliest];
        const max = width === null ? undefined : (min ?? 0) + width;
        const filters = [`orderBy: ${orderBy}`];
        const cents = (amount: number) => (amount / 100).toFixed(2);
        const range = [min === null ? '' : `min: "${cents(min)}"`, max === undefined ? '' : `max: "${cents(max)}"`];
        if (range.join('') !== '') filters.push(`priceBetween: { ${range.join(' ')} }`);
        const dates = [
          earliest === undefined ? '' : `from: "${earliest}"`,
          latest === undefined ? '' : `to: "${latest}"`,
        ];
        if (dates.join('') !== '') filters.push(`listedBetween: { ${dates.join(' ')} }`);
        const expected = copies
          .filter(({ amount, listedAt, isListed }) => {
            const isPriced = amount >= (min ?? 0) && amount <= (max ?? Infinity);
            return isListed && isPriced && listedAt >= (earliest ?? '') && listedAt < (latest ?? '9');
          })
          .sort((one, other) => one.amount - other.amount || (one.listedAt < other.listedAt ? -1 : 1));
        if (orderBy === 'PRICE_DESC') expected.reverse();
        if (orderBy === 'LISTED_AT') expected.sort((one, other) => (one.listedAt < other.listedAt ? 1 : -1));
        const edges = await server.client().allPages(size, direction, listings(seller.viewerId, filters.join(' ')));
        expect(
          edges.map((edge) => [edge.node.id, edge.node.price.amount]),
          filters.join(' '),
        ).toEqual(expected.map(({ id, amount }) => [id, cents(amount)]));
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 5, maxLength: 30 }),
        fc.array(aQuery, { minLength: 6, maxLength: 6 }),
        run,
      ),
      { numRuns: runs(8, 2) },
    );
  });

  test('of an unknown reader, or of one without copies, are empty', async () => {
    const reader = await server.client().registerSomebody();
    expect((await listings(reader.viewerId, 'priceBetween: { min: "1", max: "2" }')('first: 5')).edges).toEqual([]);
  });

  test.each([
    ['priceBetween: { min: "1e2" }', '"priceBetween"'],
    ['priceBetween: { max: "-1" }', '"priceBetween"'],
    ['priceBetween: { min: "3", max: "2" }', '"priceBetween"'],
    ['listedBetween: { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }', '"listedBetween"'],
    ['first: 101', '"first"'],
    ['after: "x"', '"after"'],
  ])('%s is refused with its name', async (filter, argument) => {
    const seller = await server.client().registerSomebody();
    const { errors } = await seller.send(`{ viewer { listings(${filter}) { edges { cursor } } } }`);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(errors?.[0]?.message).toContain(argument);
  });
});

test.each([
  ['12.5', 'HUF', '12.50'],
  ['1250', 'IDR', '1250.00'],
  ['700', 'JPY', '700'],
  ['1.25', 'KWD', '1.250'],
  ['0.0001', 'CLF', '0.0001'],
  ['3.1', 'XCG', '3.10'],
  ['100000000', 'EUR', '100000000.00'],
  ['10000000000', 'JPY', '10000000000'],
])('%s %s has the digits of ISO 4217, whatever another ICU says', async (amount, currency, shown) => {
  const seller = await server.client().registerSomebody();
  const { item } = await list(seller, { price: { amount, currency } });
  expect(item.price).toEqual({ amount: shown, currency });

  // ICU 78 gives HUF, IDR and others no digits.
  const options = vi.spyOn(Intl.NumberFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...new Intl.NumberFormat('en').resolvedOptions(),
    maximumFractionDigits: 1,
  });
  try {
    const { node } = await seller.data('query ($id: ID!) { node(id: $id) { ... on Item { price { amount } } } }', {
      id: item.id,
    });
    expect(node.price.amount).toBe(shown);
    expect((await list(seller, { price: { amount, currency } })).item.price.amount).toBe(shown);
    const within = await listings(seller.viewerId, `priceBetween: { min: "${amount}", max: "${shown}" }`)('first: 5');
    expect(within.edges).toHaveLength(2);
  } finally {
    options.mockRestore();
  }
});

test('a price is shown as it was written, and sorts by its value', () => {
  const codes = fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF');
  const whole = fc.bigInt({ min: 0n, max: 999_999_999_999n });
  fc.assert(
    fc.property(codes, whole, fc.nat(9_999), whole, fc.nat(9_999), (currency, one, oneRest, other, otherRest) => {
      const digits = digitsOf(currency) ?? 0;
      const text = (units: bigint, rest: number) =>
        `${units}${digits === 0 ? '' : `.${String(rest % 10 ** digits).padStart(digits, '0')}`}`;
      const stored = [text(one, oneRest), text(other, otherRest)].map((each) => parseAmount(each, digits) ?? -1n);
      const shown = stored.map((amount_e4) => priceOf({ amount_e4, currency }).amount);
      expect(shown).toEqual([text(one, oneRest), text(other, otherRest)]);

      const isLess = one < other || (one === other && oneRest % 10 ** digits < otherRest % 10 ** digits);
      expect(stored[0]! < stored[1]!).toBe(isLess);
    }),
  );
});

describe('an invalid offer', () => {
  test.each([
    [{ price: EUR('0') }, ['price', 'amount']],
    [{ price: EUR('0.00') }, ['price', 'amount']],
    [{ price: EUR('-1') }, ['price', 'amount']],
    [{ price: EUR('1e9') }, ['price', 'amount']],
    [{ price: EUR('1.234') }, ['price', 'amount']],
    [{ price: EUR('1,50') }, ['price', 'amount']],
    [{ price: EUR(' 1') }, ['price', 'amount']],
    [{ price: EUR('1'.repeat(13)) }, ['price', 'amount']],
    [{ price: EUR('100000000.01') }, ['price', 'amount']],
    [{ price: { amount: '10000000001', currency: 'JPY' } }, ['price', 'amount']],
    [{ price: { amount: '1000000.0001', currency: 'CLF' } }, ['price', 'amount']],
    [{ price: { amount: '1.5', currency: 'JPY' } }, ['price', 'amount']],
    [{ price: { amount: '12.505', currency: 'HUF' } }, ['price', 'amount']],
    [{ price: { amount: '1.2345', currency: 'KWD' } }, ['price', 'amount']],
    [{ price: { amount: '1.23456', currency: 'CLF' } }, ['price', 'amount']],
    [{ price: { amount: '1', currency: 'XAU' } }, ['price', 'currency']],
    [{ price: { amount: '1', currency: 'XXX' } }, ['price', 'currency']],
    [{ price: { amount: '1', currency: 'DEM' } }, ['price', 'currency']],
    [{ price: { amount: '1', currency: 'EURO' } }, ['price', 'currency']],
    [{ price: { amount: '1', currency: 'eur' } }, ['price', 'currency']],
    [{ title: ' ' }, ['title']],
    [{ title: 'x'.repeat(501) }, ['title']],
    [{ idempotencyKey: '' }, ['idempotencyKey']],
    [{ bookId: 'nonsense' }, ['bookId']],
  ])('%j is refused with its name, and nothing is written', async (input, path) => {
    const seller = await server.client().registerSomebody();
    const { item, userErrors } = await list(seller, input);
    expect(item).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', ...path] }]);
    expect((await listings(seller.viewerId, '')('first: 5')).edges).toEqual([]);
    // The refused call does not even decide the currency.
    expect((await list(seller, { price: { amount: '700', currency: 'JPY' } })).item.price.amount).toBe('700');
  });

  test.each([
    ['EUR', '100,000,000.00'],
    ['JPY', '10,000,000,000'],
    ['CLF', '1,000,000.0000'],
  ])('a price in %s that is too high is refused with the maximum, as people read it', async (currency, max) => {
    const { userErrors } = await list(await server.client().registerSomebody(), {
      price: { amount: '100000000000', currency },
    });
    expect(userErrors[0].message).toContain(`at most ${max},`);
  });

  test('a currency that differs from the seller’s or the copy’s', async () => {
    const seller = await server.client().registerSomebody();
    const { item } = await list(seller);
    const dollars = { amount: '5', currency: 'USD' };
    const expected = [{ code: 'INVALID_INPUT', path: ['input', 'price', 'currency'] }];
    expect((await list(seller, { price: dollars })).userErrors).toMatchObject(expected);
    expect((await seller.mutate('changePrice', { itemId: item.id, price: dollars }, ITEM)).userErrors).toMatchObject(
      expected,
    );
    expect((await listings(seller.viewerId, '')('first: 5')).edges).toHaveLength(1);
  });

  test('another reader’s copy, a copy without a seller, or another thing', async () => {
    const [seller, thief] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
    const { item } = await list(seller);
    const none = Buffer.from('Item:00000000-0000-4000-8000-000000000000').toString('base64url');
    for (const [id, code] of [
      [item.id, 'FORBIDDEN'],
      [none, 'NOT_FOUND'],
      [books[0]!, 'INVALID_INPUT'],
      ['x', 'INVALID_INPUT'],
    ])
      for (const answer of [await change(thief, id, '1'), await withdraw(thief, id), await sell(thief, id)])
        expect(answer).toMatchObject({ item: null, viewer: null, userErrors: [{ code, path: ['input', 'itemId'] }] });
    expect((await listings(seller.viewerId, '')('first: 5')).edges).toHaveLength(1);
    const signedOut = `mutation { withdrawItem(input: { itemId: "${item.id}" }) { item { id } } }`;
    expect(await server.client().errorCode(signedOut)).toBe('UNAUTHENTICATED');
    expect((await server.client().data(`{ node(id: "${none}") { id } }`)).node).toBeNull();
  });
});

test('the currency of a reader is the currency of their first copy, and one of the offered currencies', async () => {
  const [seller, other] = [await server.client().registerSomebody(), await server.client().registerSomebody()];
  const query = '{ viewer { currency } currencies { code digits } }';
  expect((await seller.data(query)).viewer.currency).toBeNull();
  await list(seller, { price: { amount: '1200', currency: 'JPY' } });
  const { viewer, currencies } = await seller.data(query);
  expect(currencies).toContainEqual({ code: viewer.currency as string, digits: 0 });
  expect(viewer.currency).toBe('JPY');
  const codes = (currencies as { code: string }[]).map(({ code }) => code);
  expect(codes).toEqual(codes.toSorted());
  expect(codes).toContain('EUR');

  const { node } = await other.data(`{ node(id: "${seller.viewerId}") { ... on User { currency } } }`);
  expect(node.currency).toBeNull();
  const answer = await list(seller, { price: EUR('3') });
  expect(answer.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'price', 'currency'] }]);
});
