import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ownBooks } from '../../../test/support/books.ts';
import type { Client } from '../../../test/support/client.ts';
import { openSite, shown, signUp, type Site, type Visitor } from './browser.ts';

/** Numbers, hearts and feeds that move by themselves, and are right when nothing happens. */

let site: Site;
beforeAll(async () => {
  site = await openSite({ CLOCK_SKEW_MAX_MS: '4000', SHOWN_AGE_MAX_MS: '1000' }, { workers: true });
});

const somebody = (name?: string) => site.server.client().registerSomebody(name);
const ownBook = async () => (await ownBooks(site.server.app, 1))[0] ?? '';

const heart = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Like / })
    .first();

/** Returns what the page shows of the like of a thing: the heart, and the number. */
async function likes(page: Page) {
  const count = await heart(page).locator('xpath=following-sibling::span').innerText();
  return { isLiked: (await heart(page).getAttribute('aria-pressed')) === 'true', count: Number.parseInt(count, 10) };
}

/** Waits until the page shows a heart and a number, and no change is on its way. */
async function expectLikes(page: Page, isLiked: boolean, count: number): Promise<void> {
  await expect.poll(() => heart(page).getAttribute('aria-busy')).toBe('false');
  await expect.poll(() => likes(page)).toEqual({ isLiked, count });
}

/** Does something after which a page opens a stream, and waits until it is open. */
async function streaming(page: Page, operation: string, act: () => Promise<unknown>): Promise<void> {
  const isStream = (text: string | null) => text?.includes(`"operationName":"${operation}"`) === true;
  await Promise.all([page.waitForResponse((response) => isStream(response.request().postData())), act()]);
}

/**
 * Holds back the answer to an operation of a page, which gets no other answers meanwhile.
 * @returns `answered`: once the server has answered; `letGo`: gives the page the answer
 */
async function holdAnswers(page: Page, operation: string) {
  const [answered, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url } = site.server;
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(`"operationName":"${operation}"`)) return route.abort();
    const headers = { ...(await route.request().allHeaders()), origin: url };
    const response = await route.fetch({ url: `${url}/graphql`, headers });
    answered.resolve();
    await late.promise;
    await route.fulfill({ response });
  });
  const letGo = async () => {
    late.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
  return { answered: answered.promise, letGo };
}

/** Opens the page of a book, whose likes are then watched. */
async function openBook({ page, open }: Visitor, bookId: string): Promise<void> {
  await streaming(page, 'LikeTallies', () => open(`/book/${bookId}`));
  await shown(heart(page));
}

/** Signs up in a browser, and logs in on another device. */
async function readerWithDevice(visitor: Visitor, name: string): Promise<Client> {
  return site.server.client().login(await signUp(visitor, name));
}

test('a number moves in every browser, for visitors too', async () => {
  const bookId = await ownBook();
  const [ann, guest] = [await site.visit(), await site.visit()];
  await signUp(ann, 'Ann Watches');
  for (const visitor of [ann, guest]) await openBook(visitor, bookId);
  const bob = await somebody();
  await bob.like(bookId);
  for (const { page } of [ann, guest]) await expectLikes(page, false, 1);

  await heart(ann.page).click();
  await expectLikes(ann.page, true, 2);
  await expectLikes(guest.page, false, 2);
  await shown(guest.page.getByRole('heading', { name: 'Liked by 2' }));
  await bob.unlike(bookId);
  await expectLikes(ann.page, true, 1);
  await expectLikes(guest.page, false, 1);
});

test('a heart is right at rest, whatever others like while it is pressed', async () => {
  const bookId = await ownBook();
  const ann = await site.visit();
  const { page } = ann;
  await signUp(ann, 'Ann Presses');
  await openBook(ann, bookId);
  const others = await Promise.all([1, 2, 3].map(() => somebody()));
  for (const isLiked of [false, true, false, true]) {
    const before = await likes(page);
    const changing = others.map(async (other) => {
      for (let time = 0; time < 4; time++) await (time % 2 === 0 ? other.like(bookId) : other.unlike(bookId));
      await other.like(bookId);
    });
    await heart(page).dblclick();
    if (isLiked !== before.isLiked) await heart(page).click();
    await Promise.all(changing);
    await expectLikes(page, isLiked, others.length + Number(isLiked));
    for (const other of others) await other.unlike(bookId);
    await expectLikes(page, isLiked, Number(isLiked));
  }
  await page.reload();
  await shown(heart(page));
  await expectLikes(page, true, 1);
});

test('a like is counted once, also while its answer is on its way', async () => {
  const bookId = await ownBook();
  const [ann, guest] = [await site.visit(), await site.visit()];
  await signUp(ann, 'Ann Once');
  for (const visitor of [ann, guest]) await openBook(visitor, bookId);
  const { letGo } = await holdAnswers(ann.page, 'Like');
  await heart(ann.page).click();
  await expectLikes(guest.page, false, 1);
  await (await somebody()).like(bookId);
  // The other page has been told of both likes, and so has this one.
  await expectLikes(guest.page, false, 2);
  expect(await likes(ann.page)).toEqual({ isLiked: true, count: 1 });
  await letGo();
  await expectLikes(ann.page, true, 2);
});

test('an answer that an event has overtaken shows no older number', async () => {
  const bookId = await ownBook();
  const ann = await site.visit();
  const { page } = ann;
  await signUp(ann, 'Ann Overtaken');
  await openBook(ann, bookId);
  const { answered, letGo } = await holdAnswers(page, 'LikeState');
  const tab = await ann.tab(`/book/${bookId}`);
  await heart(tab).click();
  await answered;
  await (await somebody()).like(bookId);
  await expect.poll(async () => (await likes(page)).count).toBe(2);
  await letGo();
  await expectLikes(page, true, 2);
});

test('what was missed without a network, or while the tab was hidden, is shown afterwards', async () => {
  const bookId = await ownBook();
  const ann = await site.visit();
  const { page, context } = ann;
  await signUp(ann, 'Ann Away');
  await openBook(ann, bookId);
  const [bob, cy] = await Promise.all([somebody(), somebody()]);
  await context.setOffline(true);
  await bob.like(bookId);
  await context.setOffline(false);
  await expectLikes(page, false, 1);

  // Playwright has no hidden tabs.
  const hide = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await expect.poll(() => openStreams(page)).toBe(2);
  await hide(true);
  await expect.poll(() => openStreams(page)).toBe(0);
  await cy.like(bookId);
  await streaming(page, 'LikeTallies', () => hide(false));
  await expectLikes(page, false, 2);
});

/** Returns the number of streams that a page has open, by the locks that it holds. */
const openStreams = (page: Page): Promise<number> =>
  page.evaluate('navigator.locks.query().then(({ held }) => held.filter(({ name }) => /^stream/.test(name)).length)');

test('what the reader does on another device is shown', async () => {
  const bookId = await ownBook();
  const ann = await site.visit();
  const { page } = ann;
  const device = await readerWithDevice(ann, 'Ann Twice');
  await streaming(page, 'ViewerChanged', () => openBook(ann, bookId));
  await device.like(bookId);
  await expectLikes(page, true, 1);
  await device.mutate('setReadingStatus', { bookId, status: 'READING' }, '__typename');
  await shown(page.getByRole('main').getByRole('button', { name: /^Shelf of .+: Reading$/ }));
  await device.unlike(bookId);
  await expectLikes(page, false, 0);

  const bell = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: /^News/ });
  await (await somebody()).mutate('follow', { id: device.viewerId }, 'changed');
  await expect.poll(async () => (await bell.innerText()).replaceAll(/\s+/g, ' ')).toBe('News 1 unread');
  await device.mutate('markNotificationsRead', { until: new Date().toISOString() }, '__typename');
  await expect.poll(() => bell.innerText()).toBe('News');
});

test('new entries of a feed wait for a button, and what is taken back vanishes', async () => {
  const [first = '', second = ''] = await ownBooks(site.server.app, 2);
  const ann = await site.visit();
  const { page, open } = ann;
  const [device, bob] = await Promise.all([readerWithDevice(ann, 'Ann Follows'), somebody('Bob Busy')]);
  await bob.like(first);
  await device.mutate('follow', { id: bob.viewerId }, 'changed');
  await streaming(page, 'FeedChanged', () => open('/feed'));
  const entries = page.getByRole('list', { name: 'Feed' }).getByRole('listitem');
  await expect.poll(() => entries.count()).toBe(1);

  await bob.like(second);
  const button = page.getByRole('button', { name: 'New in your feed' });
  await shown(button);
  expect(await entries.count()).toBe(1);
  await button.click();
  await expect.poll(() => entries.count()).toBe(2);
  await expect.poll(() => button.count()).toBe(0);
  await bob.unlike(first);
  await expect.poll(() => entries.count()).toBe(1);
  await bob.unlike(second);
  await shown(page.getByText('Here you see what the readers whom you follow'));
});

test('however many tabs are open, requests have connections left', async () => {
  const bookId = await ownBook();
  const ann = await site.visit();
  await signUp(ann, 'Ann Opens');
  for (let tabs = 0; tabs < 5; tabs++) {
    const page = await ann.tab('/feed');
    await shown(page.getByText('Here you see what the readers whom you follow'));
    await expect.poll(() => openStreams(page)).toBe(Math.min(4, 3 * (tabs + 1)));
  }
  await ann.open(`/book/${bookId}`);
  await heart(ann.page).click();
  await expectLikes(ann.page, true, 1);
});

test('GraphiQL shows the events of a subscription', async () => {
  const bookId = await ownBook();
  const { page } = await site.visit();
  const query = `subscription { likeTallies(ids: ["${bookId}"]) { changes { likeTally { count } } } }`;
  await page.goto(`/graphiql?${new URLSearchParams({ query })}`);
  await page.locator('.graphiql-execute-button').click();
  const result = page.locator('.graphiql-response');
  await shown(result.getByText('"count": 0'));
  await (await somebody()).like(bookId);
  await shown(result.getByText('"count": 1'));
});
