import pLimit from 'p-limit';
import { beforeAll, describe, expect, test } from 'vitest';
import { startServer } from './support/app.ts';
import { bookIds } from './support/books.ts';
import { Client } from './support/client.ts';
import { isUndecided, kindsOf, points, startSurvivor, type Survivor } from './support/crash.ts';
import { IS_FULL } from './support/full.ts';
import { keyOf } from './support/ids.ts';

/**
 * Kills a server (-9) at every crash point of every change of a copy, while others change the same
 * prices.
 */

const PAIRS = IS_FULL ? 300 : 80;
const COPIES = 10;

let survivor: Survivor;
let books: string[];

beforeAll(async () => {
  survivor = await startSurvivor();
  books = await bookIds(survivor);
});

const price = (amount: string) => ({ amount, currency: 'EUR' });
const list = (seller: Client, idempotencyKey: string) =>
  seller.mutate('listItem', { bookId: books[0], price: price('5'), condition: 'GOOD', idempotencyKey }, 'item { id }');
const change = (seller: Client, itemId: string, amount: string) =>
  seller.mutate('changePrice', { itemId, price: price(amount) }, 'item { id }');
const withdraw = (seller: Client, itemId: string) => seller.mutate('withdrawItem', { itemId }, 'item { id }');

/** Reads a seller's copies from each list, and the copies themselves. */
async function listsOf(seller: Client) {
  const fields = 'edges { node { id price { amount } status } }';
  const { viewer } = await seller.data(
    `{ viewer { up: listings(orderBy: PRICE, first: 100) { ${fields} } down: listings(orderBy: PRICE_DESC, first: 100) { ${fields} } dates: listings(orderBy: LISTED_AT, first: 100) { ${fields} } actions(first: 100) { edges { node { kind } } } } }`,
  );
  const { rows } = await survivor.app.cassandra.client.execute(
    'SELECT item_id, amount_e4 FROM item_by_seller_by_price WHERE seller_id = ?',
    [keyOf(seller.viewerId)],
    { prepare: true },
  );
  return { ...viewer, rows };
}

const steps = ['compare-and-set', 'copies', 'lists'];
const pointsOf = (verb: string) =>
  points('listing', verb === 'listItem' ? steps : ['former copies', 'former lists', ...steps]);

describe.each([['listItem'], ['changePrice'], ['withdrawItem']] as const)('%s, killed at every point', (verb) => {
  const all = pointsOf(verb);
  const sellers = new Map<string, { seller: Client; itemId: string }>();

  beforeAll(async () => {
    for (const point of all) {
      const seller = await survivor.client().registerSomebody(point);
      const itemId = verb === 'listItem' ? '' : ((await list(seller, 'first')).item.id as string);
      sellers.set(point, { seller, itemId });
    }
    await survivor.crashAtEach(all, (client, point) => {
      const { seller, itemId } = sellers.get(point)!;
      client.token = seller.token;
      if (verb === 'listItem') return list(client, 'first');
      return verb === 'changePrice' ? change(client, itemId, '3') : withdraw(client, itemId);
    });
  });

  test.each(all)('%s: whole or absent', async (point) => {
    const { up, down, dates, rows, actions } = await listsOf(sellers.get(point)!.seller);
    const isDone = !isUndecided(point);
    const isListed = verb === 'withdrawItem' ? !isDone : verb === 'listItem' ? isDone : true;
    const amount = verb === 'changePrice' && isDone ? '3.00' : '5.00';
    const listed = isListed ? [amount] : [];
    for (const { edges } of [up, down, dates])
      expect(edges.map(({ node }: { node: { price: { amount: string } } }) => node.price.amount)).toEqual(listed);
    expect(rows).toHaveLength(listed.length);
    const kind = { listItem: 'LISTED', changePrice: 'PRICE_CHANGED', withdrawItem: 'WITHDRAWN' }[verb];
    expect(kindsOf(actions).includes(kind)).toBe(isDone);
    expect(kindsOf(actions).filter((each) => each === 'LISTED')).toHaveLength(verb !== 'listItem' || isDone ? 1 : 0);
  });
});

test(`${PAIRS} pairs of price changes at once, on two servers, while a third dies at every point`, async () => {
  const seller = await survivor.client().registerSomebody();
  const second = await startServer(survivor.app.config);
  const elsewhere = second.client();
  elsewhere.token = seller.token;
  const ids: string[] = [];
  for (let index = 0; index < COPIES; index++) ids.push((await list(seller, String(index))).item.id as string);
  let changes = 0;
  const pairs = pLimit(8).map([...Array(PAIRS).keys()], async (index) => {
    const id = ids[index % COPIES]!;
    const answers = await Promise.all([
      change(seller, id, `${(++changes % 40) + 1}.10`),
      change(elsewhere, id, `${(++changes % 40) + 1}.20`),
    ]);
    for (const { userErrors } of answers) expect(userErrors).toEqual([]);
  });
  let turn = 0;
  await survivor.crashAtEach(
    pointsOf('changePrice'),
    (client) => {
      client.token = seller.token;
      return change(client, ids[turn++ % COPIES]!, '99.99');
    },
    async () => {
      await pairs;
    },
  );
  const { up, down, dates, rows } = await listsOf(seller);
  const listed = (edges: { node: { id: string; price: { amount: string } } }[]) =>
    edges.map(({ node }) => `${node.id} ${node.price.amount}`);
  expect(new Set(listed(up.edges))).toEqual(new Set(listed(dates.edges)));
  expect(listed(up.edges)).toEqual(listed(down.edges).toReversed());
  expect(up.edges).toHaveLength(COPIES);
  // The list's amount is that of the copy, and every copy is listed once.
  expect(rows.map((row: { amount_e4: unknown }) => (Number(row.amount_e4) / 10_000).toFixed(2))).toEqual(
    up.edges.map(({ node }: { node: { price: { amount: string } } }) => node.price.amount),
  );
});
