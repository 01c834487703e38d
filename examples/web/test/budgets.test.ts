import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { importSample } from '../../../test/support/books.ts';
import { logIn, openSite, type Site, type Visitor } from './browser.ts';
import { withoutLive } from './live-requests.ts';
import { importSomeLibraries } from './libraries.ts';

/** The requests of each page, and the bytes of their answers and scripts as they are sent: compressed. */

const BOOKS = 100;
/** The number of books in each list of the first page. */
const LISTED = 6;
const LIKERS = 25;
/** The city with the most libraries of the sample. */
const CITY = 'Pittsburgh';
const KIB = 1_024;
/** The requests of the header: a reader's number of unread notifications, when the client starts. */
const OWN_REQUESTS = { visitor: 0, reader: 1 } as const;

let site: Site;
let books: string[];
let visitors: Record<'visitor' | 'reader', Visitor>;

/** Makes pages that are full: a popular book, lists of as many books as are shown, a city. */
beforeAll(async () => {
  site = await openSite();
  const { app, client } = site.server;
  await importSample(app, BOOKS);
  await importSomeLibraries(app, new RegExp(`,${CITY},`, 'i'));
  const { edges } = (await client().data('{ books(first: 20) { edges { node { id } } } }')).books;
  books = edges.map(({ node }: { node: { id: string } }) => node.id);
  const names = Array.from({ length: LIKERS }, (_each, place) => `Reader with a Long Name ${place}`);
  const likers = await Promise.all(names.map((name) => client().registerSomebody(name)));
  for (const liker of likers) await liker.like(books[0] ?? '');
  const [reader] = likers;
  if (!reader) throw new Error('There is no reader.');
  for (const bookId of books.slice(0, LISTED)) await reader.like(bookId);
  for (const bookId of books.slice(LISTED, 2 * LISTED))
    await reader.mutate('setReadingStatus', { bookId, status: 'READING' }, '__typename');
  for (const bookId of books.slice(2 * LISTED, 3 * LISTED)) await reader.mutate('recordView', { bookId }, '__typename');

  visitors = { visitor: await site.stay(), reader: await site.stay() };
  for (const visitor of Object.values(visitors)) await withoutLive(visitor);
  await logIn(visitors.reader, reader.email, names[0] ?? '');
});

/** Waits until a page has all that it asks for. A busy machine may rest between its script and its request. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
  await page.waitForLoadState('networkidle');
}

/**
 * The maximum numbers of requests besides those of the header, and of bytes of all answers for a visitor
 * and for a reader.
 */
const BUDGETS = [
  { name: 'the first page', path: () => '/', requestsMax: 1, visitor: 4 * KIB, reader: 4 * KIB },
  { name: 'a search', path: () => '/search?q=the', requestsMax: 1, visitor: 12 * KIB, reader: 12 * KIB },
  { name: 'a book', path: () => `/book/${books[0]}`, requestsMax: 1, visitor: 12 * KIB, reader: 12 * KIB },
  {
    name: 'the libraries of a city',
    path: () => `/libraries?${new URLSearchParams({ country: 'United States', state: 'Pennsylvania', city: CITY })}`,
    requestsMax: 2,
    visitor: 12 * KIB,
    reader: 12 * KIB,
  },
];

test.each(BUDGETS)('$name keeps to its requests and bytes', async ({ path, requestsMax, ...bytesMax }) => {
  for (const who of ['visitor', 'reader'] as const) {
    const { page, open, requests } = visitors[who];
    requests.length = 0;
    await open(path());
    await settled(page);
    expect(requests.length, who).toBeGreaterThan(0);
    expect(requests.length, who).toBeLessThanOrEqual(requestsMax + OWN_REQUESTS[who]);

    const sizes = await Promise.all(requests.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes, who).toBeGreaterThan(0);
    expect(bytes, who).toBeLessThanOrEqual(bytesMax[who]);
  }
});

/** Returns the bytes of the scripts that a browser loads meanwhile, as they are sent. */
async function scriptsOf({ context }: Visitor, act: () => Promise<unknown>): Promise<number> {
  const scripts: Response[] = [];
  context.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  await act();
  const bodies = await Promise.all(scripts.map((response) => response.body()));
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}

test('the scripts of the page of a book keep to their bytes, and so do those loaded after it is shown', async () => {
  const [first, whole] = [await site.visit(), await site.visit()];
  const path = `/book/${books[0]}`;
  await withoutLive(first);
  const bytes = await scriptsOf(first, async () => {
    await first.open(path);
    await settled(first.page);
  });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(150 * KIB);

  const isStream = (response: Response) => response.url().endsWith('/graphql?stream');
  const show = () => Promise.all([whole.page.waitForResponse(isStream), whole.open(path)]);
  const later = (await scriptsOf(whole, show)) - bytes;
  expect(later).toBeGreaterThan(0);
  expect(later).toBeLessThanOrEqual(3 * KIB);
});
