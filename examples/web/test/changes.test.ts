import type { APIResponse, Page, Request, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ownBooks } from '../../../test/support/books.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { answered, logOut, openSite, shown, signUp, type Site, type Visitor } from './browser.ts';
import { fill } from './forms.ts';

/** The page shows the likes, ratings and shelves that the server has, whatever happens to the requests. */

let site: Site;
let books: string[];
beforeAll(async () => {
  site = await openSite();
  books = await ownBooks(site.server.app, 9);
});

const DELAY_MS = 1_500;
const heart = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Like / })
    .first();

/** Opens the page of a book of its own for a new reader. */
async function readerAt(name: string, place: number): Promise<Visitor> {
  const visitor = await site.visit();
  await signUp(visitor, name);
  await visitor.open(`/book/${books[place]}`);
  await shown(heart(visitor.page));
  return visitor;
}

/** Returns the name of the operation of a request. */
const operationOf = (request: Request) =>
  (request.postDataJSON() as { readonly operationName?: string } | null)?.operationName;

/** Sends the request of a route to the server, whose port only the browser's resolver knows. */
async function fetched(route: Route): Promise<APIResponse> {
  const { url } = site.server;
  return route.fetch({ url: `${url}/graphql`, headers: { ...(await route.request().allHeaders()), origin: url } });
}

/** Waits until no change is on its way, and returns what the page shows. */
async function atRest(page: Page): Promise<{ isLiked: boolean; count: string }> {
  await expect.poll(() => heart(page).getAttribute('aria-busy')).toBe('false');
  const count = await heart(page).locator('xpath=following-sibling::span').innerText();
  return { isLiked: (await heart(page).getAttribute('aria-pressed')) === 'true', count };
}

const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
const shelf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Shelf of / })
    .first();
async function choose(page: Page, status: string): Promise<void> {
  await shelf(page).click();
  await page
    .getByRole('group', { name: /^Shelves for / })
    .getByRole('button', { name: status, exact: true })
    .click();
}
const step = (page: Page, label: string) =>
  page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${label}: `) })
    .first();

/** Expects that a book is on a shelf, or on none, now and when its page is loaded again. */
async function expectShelf(page: Page, status: string, next: string): Promise<void> {
  const atRest = async () => [
    (await shelf(page).getAttribute('aria-label'))?.split(': ').at(-1),
    await step(page, next).getAttribute('aria-busy'),
  ];
  await expect.poll(atRest).toEqual([status, 'false']);
  await page.reload();
  await shown(shelf(page));
  await expect.poll(atRest).toEqual([status, 'false']);
}

/** Expects that a page shows this, now and when it is loaded again. */
async function expectLiked(page: Page, isLiked: boolean): Promise<void> {
  const expected = { isLiked, count: expect.stringMatching(isLiked ? /^1\b/ : /^0\b/) as string };
  await expect.poll(() => atRest(page)).toEqual(expected);
  await page.reload();
  await shown(heart(page));
  await expect.poll(() => atRest(page)).toEqual(expected);
}

test('ten double clicks leave the book as it was', async () => {
  const { page } = await readerAt('Ada Twice', 0);
  for (let time = 0; time < 10; time++) {
    await heart(page).dblclick();
    expect((await atRest(page)).isLiked).toBe(false);
  }
  await expectLiked(page, false);
});

test('the last of several clicks counts, also if the first request takes long', async () => {
  const { page, context } = await readerAt('Grace Late', 1);
  let requests = 0;
  await context.route('**/graphql', async (route) => {
    if (requests++ === 0) await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    await route.continue();
  });
  await heart(page).click();
  await heart(page).click();
  await expectLiked(page, false);

  requests = 0;
  for (let click = 0; click < 5; click++) await heart(page).click();
  await expectLiked(page, true);
});

test('if the answer is lost, the page asks what the server has', async () => {
  const { page, context } = await readerAt('Alan Lost', 2);
  await context.route(
    '**/graphql',
    async (route) => {
      await fetched(route);
      await route.abort();
    },
    { times: 1 },
  );
  await heart(page).click();
  await shown(page.getByRole('status').getByText(/cannot be reached/));
  await expectLiked(page, true);
});

test('offline the page says so, and shows what the server has as soon as it is back', async () => {
  const { page, context } = await readerAt('Edsger Offline', 3);
  await context.setOffline(true);
  await heart(page).click();
  await shown(page.getByRole('status').getByText(/cannot be reached/));
  await context.setOffline(false);
  await expectLiked(page, false);
});

test('a like that is refused is not shown', async () => {
  const { page, context } = await readerAt('Barbara Refused', 4);
  await context.route(
    '**/graphql',
    (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({ errors: [{ message: 'The server is busy.', extensions: { code: 'OVERLOADED' } }] }),
      }),
    { times: 1 },
  );
  await heart(page).click();
  await shown(page.getByRole('status').getByText('is busy.'));
  await expectLiked(page, false);
});

test('an answer that was under way before the like does not hide it', async () => {
  const { page, context } = await readerAt('Tony Stale', 7);
  await page.getByRole('link', { name: 'Libraries' }).click();
  await shown(page.getByRole('heading', { name: 'Libraries' }));

  // The view of the book is answered with what was read before the like.
  const viewed = Promise.withResolvers<void>();
  const liked = Promise.withResolvers<void>();
  await context.route('**/graphql', async (route) => {
    if (operationOf(route.request()) !== 'ViewBook') return route.continue();
    const answer = await fetched(route);
    viewed.resolve();
    await liked.promise;
    await route.fulfill({ response: answer });
  });
  await page.goBack();
  await viewed.promise;
  await answered(page, 'Like', () => heart(page).click());
  await answered(page, 'ViewBook', async () => liked.resolve());
  await expectLiked(page, true);
});

test('what waits when a reader logs out is not sent in the name of the next one', async () => {
  const { page, context, requests } = await readerAt('Adele Before', 1);
  const gone = Promise.withResolvers<void>();
  await context.route('**/graphql', async (route) => {
    if (operationOf(route.request()) === 'Like') await gone.promise;
    await route.continue();
  });
  await heart(page).dblclick();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  const email = `next-${process.pid}@example.com`;
  await fill(page, 'Sign up', { 'Full name': 'Barbara Next', Email: email, Password: PASSWORD });
  await shown(page.getByRole('link', { name: 'Barbara Next' }));
  await answered(page, 'Like', () => Promise.resolve(gone.resolve()));

  await page.goto(`/app/book/${books[1]}`);
  await shown(heart(page));
  expect((await atRest(page)).isLiked).toBe(false);
  expect(requests.map(operationOf)).not.toContain('Unlike');
});

test('an answer that is late for a reader who has logged out is not shown to the next one', async () => {
  const { page, context } = await readerAt('Adele Gone', 8);
  const [sent, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await context.route('**/graphql', async (route) => {
    if (operationOf(route.request()) !== 'Like') return route.continue();
    const answer = await fetched(route);
    sent.resolve();
    await late.promise;
    await route.fulfill({ response: answer });
  });
  await heart(page).click();
  await sent.promise;
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  const email = `after-${process.pid}@example.com`;
  await fill(page, 'Sign up', { 'Full name': 'Grace After', Email: email, Password: PASSWORD });
  await shown(page.getByRole('link', { name: 'Grace After' }));

  // The way back within the same page, which still has what was there before.
  while (!page.url().includes('/book/')) await page.goBack();
  const likers = page.getByRole('list', { name: 'Likers' }).getByRole('link');
  await shown(likers.filter({ hasText: 'Adele Gone' }));
  await answered(page, 'Like', () => Promise.resolve(late.resolve()));
  // Another answer shows that the page has seen the late one.
  await page.getByText('Add to a list').click();
  await shown(page.getByRole('form', { name: 'Add to a list' }));
  expect(await atRest(page)).toEqual({ isLiked: false, count: expect.stringMatching(/^1\b/) as string });
  await heart(page).click();
  await expect.poll(() => atRest(page)).toEqual({ isLiked: true, count: expect.stringMatching(/^2\b/) as string });
  expect(await page.getByRole('status').innerText()).toBe('');
  expect(await likers.count()).toBe(2);
});

test('a double click is one step of a book, the last wish counts, and a lost answer is asked for', async () => {
  const { page, context } = await readerAt('Joan Steps', 2);
  await step(page, 'Want to read').dblclick();
  await expectShelf(page, 'Want to read', 'Start reading');
  await step(page, 'Start reading').dblclick();
  await expectShelf(page, 'Reading', 'Finished today');

  await context.route(
    '**/graphql',
    async (route) => {
      await fetched(route);
      await route.abort();
    },
    { times: 1 },
  );
  await step(page, 'Finished today').click();
  await shown(page.getByRole('status').getByText(/cannot be reached/));
  await expectShelf(page, 'Read', 'Read again');
  expect(await page.getByRole('list', { name: 'Times that I read it' }).getByRole('listitem').count()).toBe(1);

  for (const status of ['Reading', 'Given up', 'Take off the shelf', 'Want to read']) await choose(page, status);
  await expectShelf(page, 'Want to read', 'Start reading');
});

test('a book is taken off its shelf and put back as it was, and what was read stays in the diary', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  const reader = await site.server.client().login(await signUp(visitor, 'Maria Off'));
  const reading = async () => {
    const book = `node(id: "${books[3]}") { ... on Book { viewerReading { status progress startedOn readings { id } } } }`;
    return (await reader.data(`{ ${book} }`)).node.viewerReading;
  };
  const begun = { status: 'READING', progress: 40, startedOn: '2024-01-02' };
  await reader.mutate('setReadingStatus', { bookId: books[3], ...begun }, '__typename');
  await visitor.open(`/book/${books[3]}`);
  await choose(page, 'Take off the shelf');
  await shown(page.getByRole('status').getByText('is on no shelf.'));
  expect(await reading()).toMatchObject({ status: null });
  await answered(page, 'RestoreReading', () => undo(page));
  await expectShelf(page, 'Reading', 'Finished today');
  expect(await reading()).toEqual({ ...begun, readings: [] });

  await answered(page, 'MarkAsRead', () => step(page, 'Finished today').click());
  await answered(page, 'RestoreReading', () => undo(page));
  await expectShelf(page, 'Reading', 'Finished today');
  expect(await reading()).toEqual({ ...begun, readings: [] });
  await answered(page, 'MarkAsRead', () => step(page, 'Finished today').click());
  await answered(page, 'SetReadingStatus', () => step(page, 'Read again').click());
  await answered(page, 'RestoreReading', () => undo(page));
  await expectShelf(page, 'Read', 'Read again');
  expect((await reading()).readings).toHaveLength(1);

  // The lists of the page follow at once.
  await visitor.open('/shelves');
  const read = page.getByRole('list', { name: 'Read books' }).getByRole('listitem');
  await shown(read);
  await answered(page, 'SetReadingStatus', () => step(page, 'Read again').click());
  await shown(page.getByRole('heading', { name: 'Reading now' }));
  await answered(page, 'SetReadingStatus', () => choose(page, 'Take off the shelf'));
  await expect.poll(() => page.getByRole('heading', { name: 'Reading now' }).count()).toBe(0);
  await expectShelf(page, 'On no shelf', 'Want to read');
  expect(await read.count()).toBe(1);
  expect((await reading()).readings).toHaveLength(1);

  // The log of everything tells one shelf from another, and from none.
  await visitor.open('/history/log?only=reading');
  const actions = page.getByRole('list', { name: 'Actions' }).getByRole('listitem');
  await shown(actions);
  const acts = (await actions.allInnerTexts()).map((text) => text.split(':')[0] ?? '');
  expect(acts.filter((act) => act.includes('shelf')).slice(0, 2)).toEqual([
    'Took off the shelf',
    'Put on the shelf “Reading”',
  ]);
});

test('a like is shown in the other tabs of the reader', async () => {
  const { page, tab } = await readerAt('Donald Tabs', 5);
  const other = await tab(`/book/${books[5]}`);
  await shown(heart(other));
  await answered(page, 'Like', () => heart(page).click());
  await expect.poll(() => atRest(other)).toEqual({ isLiked: true, count: expect.stringMatching(/^1\b/) as string });
  await heart(other).click();
  await expect.poll(() => atRest(page)).toEqual({ isLiked: false, count: expect.stringMatching(/^0\b/) as string });
});

test('a notice moves nothing, stays while it is pointed at, and leaves by itself', async () => {
  const { page } = await readerAt('Niklaus Notice', 0);
  await page.clock.install();
  const slider = page.getByRole('slider', { name: 'My rating' });
  await slider.focus();
  const placeOf = () => page.getByRole('heading', { level: 1 }).boundingBox();
  const [place, notice] = [await placeOf(), page.getByRole('status')];
  await slider.press('End');
  await shown(notice.getByText('You rate the book 5 stars.'));
  expect(await placeOf()).toEqual(place);

  await notice.hover();
  await page.clock.fastForward(60_000);
  await shown(notice.getByText('You rate the book 5 stars.'));
  await page.mouse.move(0, 0);
  await page.clock.fastForward(60_000);
  await expect.poll(() => notice.innerText()).toBe('');
});

test('a rating is the star, and the quarter of it, that is pointed at', async () => {
  const { page } = await readerAt('Radia Stars', 6);
  const slider = page.getByRole('slider', { name: 'My rating' });
  for (const rating of [0.5, 1.5, 3.5, 4.5, 2.75, 1, 5]) {
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    if (!box) throw new Error('there are no stars');
    const at = { x: box.x + (box.width * rating) / 5 - 0.5, y: box.y + box.height / 2 };
    await page.mouse.move(at.x, at.y);
    await answered(page, 'RateBook', () => page.mouse.click(at.x, at.y));
    await expect.poll(() => slider.inputValue()).toBe(String(rating));
    await shown(page.getByRole('status').getByText(rating === 1 ? /1 star\b/ : `${rating} stars`));
  }
  await answered(page, 'UnrateBook', () => page.getByRole('button', { name: 'Take my rating back' }).click());
  await answered(page, 'RateBook', () => undo(page));
  await expect.poll(() => slider.inputValue()).toBe('5');
});

test('the like of a visitor is done once they have signed up, and the page says so', async () => {
  const visitor = await site.visit();
  const { page, requests } = visitor;
  await visitor.open(`/book/${books[6]}?from=afar`);
  await heart(page).click();
  await shown(page.getByText(/^Log in to like “.+”\.$/));
  // Somebody who logs in for something else likes nothing.
  await page.goBack();
  await signUp(visitor, 'Ada Other');
  await visitor.open(`/book/${books[6]}?from=afar`);
  await expectLiked(page, false);

  await logOut(visitor);
  await visitor.open(`/book/${books[6]}?from=afar`);
  await heart(page).click();
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await shown(page.getByText(/^Sign up to like “.+”\.$/));
  const email = `liker-${process.pid}@example.com`;
  await fill(page, 'Sign up', { 'Full name': 'Ada Kept', Email: email, Password: PASSWORD });
  await shown(page.getByRole('status').getByText(/^You like “/));
  expect(new URL(page.url()).search).toBe('?from=afar');
  await expectLiked(page, true);

  // The way back leads past the login, which likes nothing again.
  await heart(page).click();
  await page.goBack();
  await page.waitForURL('**/book/**');
  await expectLiked(page, false);
  expect(requests.map(operationOf).filter((name) => name === 'Like')).toHaveLength(1);
});

test('a page that failed offline is there as soon as the network is, or when the reader tries again', async () => {
  const visitor = await readerAt('Edsger Again', 3);
  const { page, context } = visitor;
  const home = page.getByRole('link', { name: 'Library', exact: true });
  await home.click();
  await shown(page.getByRole('heading', { name: 'Popular' }));
  const book = page.getByRole('listitem').getByRole('link').first();
  await shown(book);
  const failed = page.getByRole('alert').filter({ hasText: /cannot be reached/ });

  await context.setOffline(true);
  await book.click();
  await shown(failed);
  await context.setOffline(false);
  await shown(heart(page));
  expect(await failed.count()).toBe(0);

  await page.getByRole('link', { name: 'Lists' }).click();
  await shown(page.getByText('You have no list yet.'));
  await context.route('**/graphql', (route) => route.abort());
  for (const name of ['History', 'Lists']) await page.getByRole('link', { name }).click();
  await shown(failed);
  await context.unroute('**/graphql');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await failed.waitFor({ state: 'detached' });
});

test('a review that is not sent stays in its field until it is sent, or its writer logs out', async () => {
  const visitor = await readerAt('Grace Draft', 4);
  const { page, open } = visitor;
  const text = page.getByRole('form', { name: 'My review' }).getByRole('textbox');
  const stored = () => page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft'))");
  await text.fill('Half a th');
  await open('/');
  await open(`/book/${books[4]}`);
  await shown(page.getByText('This is your draft.'));
  expect(await text.inputValue()).toBe('Half a th');
  await fill(page, 'My review', { 'What I think of the book': 'A whole thought.' });
  await shown(page.getByRole('list', { name: 'Reviews' }).getByText('A whole thought.'));
  expect(await stored()).toEqual([]);

  await text.fill('A second th');
  expect(await stored()).toHaveLength(1);
  await logOut(visitor);
  expect(await stored()).toEqual([]);
});

test('an answer that takes long is said to, until it is there', async () => {
  const { page, context } = await readerAt('Tony Slow', 7);
  await page.clock.install();
  const [sent, arrival] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await context.route('**/graphql', async (route) => {
    sent.resolve();
    await arrival.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Lists' }).click();
  await sent.promise;
  const waiting = page.getByText('The answer takes longer than usual.');
  await page.clock.fastForward(9_000);
  expect(await waiting.count()).toBe(0);
  await page.clock.fastForward(2_000);
  await shown(waiting);
  arrival.resolve();
  await shown(page.getByText('You have no list yet.'));
  expect(await waiting.count()).toBe(0);
});

test('a copy is offered in a currency by its name, and each change of it is said once', async () => {
  const { page } = await readerAt('Sylvia Seller', 5);
  const done = page.getByRole('status').filter({ hasText: /\w/ });
  await page.getByRole('link', { name: 'Sell a copy' }).click();
  const offer = page.getByRole('form', { name: 'Sell a copy' });
  await offer.getByLabel('Currency').selectOption('Euro (EUR)');
  await fill(page, 'Sell a copy', { Price: '999999999' });
  await shown(offer.getByRole('alert').getByText(/ above 0 and at most 100,000,000\.00,/));
  await fill(page, 'Sell a copy', { Price: '12.50', Place: 'Oslo' });
  await shown(done.getByText('Your copy is for sale.'));
  await shown(page.getByRole('list', { name: 'My copies' }).getByText('Good, €12.50, Oslo, for sale'));

  await page
    .locator('summary')
    .filter({ hasText: /^Change/ })
    .click();
  const [price, withdrawal] = [/^Price of /, /^Withdrawal of /].map((name) => page.getByRole('form', { name }));
  await price?.getByLabel('Price in EUR').fill('11');
  await price?.getByRole('button').click();
  await shown(done.getByText(/^The price of .+ is changed\./));
  await withdrawal?.getByRole('button').click();
  await shown(done.getByText(/^.+ is off the market\./));
  await shown(page.getByRole('list', { name: 'My copies' }).getByText('withdrawn'));
});
