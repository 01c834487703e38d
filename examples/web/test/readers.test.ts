import { beforeAll, expect, test } from 'vitest';
import { ownBooks } from '../../../test/support/books.ts';
import { countEverything } from '../../../test/support/counting.ts';
import { answered, openSite, shown, signUp, type Site } from './browser.ts';
import { fill } from './forms.ts';

/** Readers show themselves, see each other, and find their way. */

const HOST = 'faces.example';
/** Two seconds. */
const STEP_MINUTES = 1 / 30;
const LIKED = 3;
/** The number of popular books that the first page shows. */
const POPULAR = 6;

let site: Site;
let books: string[];
beforeAll(async () => {
  site = await openSite({ AVATAR_HOSTS: HOST });
  books = await ownBooks(site.server.app, 10);
});

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a reader says who they are and has a picture, whose host does not learn on which page it is', async () => {
  const ann = await site.visit();
  const { page } = ann;
  const sent: Record<string, string>[] = [];
  await page.route(`https://${HOST}/ann.png`, async (route) => {
    sent.push(await route.request().allHeaders());
    await route.fulfill({ contentType: 'image/png', body: PICTURE });
  });
  await signUp(ann, 'Ann Lee');
  await ann.open(`/book/${books[0]}`);
  await answered(page, 'Like', () =>
    page
      .getByRole('main')
      .getByRole('button', { name: /^Like / })
      .first()
      .click(),
  );

  await ann.open('/profile');
  const link = page.getByLabel('Link to my picture');
  await fill(page, 'Profile', { 'About me': 'I read.\n\nA lot.', 'Link to my picture': 'https://example.com/ann.png' });
  await shown(page.getByRole('alert').filter({ hasText: `begins with https:// and one of: ${HOST}` }));
  expect(await link.getAttribute('aria-invalid')).toBe('true');
  await fill(page, 'Profile', { 'Link to my picture': `https://${HOST}/ann.png` });
  await shown(page.getByRole('status').getByText('Your profile is changed.'));

  const likers = page.getByRole('list', { name: 'Likers' });
  await ann.open(`/book/${books[0]}`);
  const width = () => page.evaluate("document.querySelector('[aria-label=Likers] img')?.naturalWidth");
  await expect.poll(width).toBe(1);
  await likers.getByRole('link', { name: 'Ann Lee' }).click();
  await shown(page.getByText('I read.\n\nA lot.'));
  await shown(page.getByRole('main').locator('img'));
  expect(sent.map(({ referer }) => referer)).toEqual(sent.map(() => undefined));
  expect(sent.length).toBeGreaterThan(0);

  // Another browser does not reach the host.
  const bob = await site.visit(`/book/${books[0]}`);
  const bobs = bob.page.getByRole('list', { name: 'Likers' });
  await shown(bobs.getByText('AL', { exact: true }));
  await expect.poll(() => bobs.locator('img').count()).toBe(0);

  await ann.open('/profile');
  await fill(page, 'Profile', { 'About me': '', 'Link to my picture': '' });
  await shown(page.getByRole('status').getByText('Your profile is changed.'));
  await page.reload();
  await shown(link);
  expect([await link.inputValue(), await page.getByLabel('About me').inputValue()]).toEqual(['', '']);
});

test('a reader is blocked only once that is confirmed, and the block can be taken back', async () => {
  const bob = await site.server.client().registerSomebody('Bob Blocked');
  const ann = await site.visit();
  const { page, open, requests } = ann;
  await signUp(ann, 'Ann Blocks');
  await open(`/reader/${bob.viewerId}`);
  const isSent = () => requests.some((request) => request.postData()?.includes('"operationName":"Block"'));
  await page.getByText('Block Bob Blocked', { exact: true }).click();
  await shown(page.getByText('You no longer see anything of each other.'));
  expect(isSent()).toBe(false);
  await page.getByRole('button', { name: 'Yes, block Bob Blocked' }).click();
  await shown(page.getByRole('status').getByText('Bob Blocked is blocked'));
  expect(isSent()).toBe(true);
  await open(`/reader/${bob.viewerId}`);
  await shown(page.getByText('There is no such reader.'));

  await open('/profile');
  await page.getByRole('button', { name: 'Unblock Bob Blocked' }).click();
  await shown(page.getByText('You block nobody.'));
  await open(`/reader/${bob.viewerId}`);
  await shown(page.getByRole('heading', { name: 'Bob Blocked' }));
});

test('a reader is followed, and followed no more; the last wish counts, and the lists say so', async () => {
  const bob = await site.server.client().registerSomebody('Bob Followed');
  const visitor = await site.visit(`/reader/${bob.viewerId}`);
  await visitor.page.getByRole('button', { name: 'Follow Bob Followed' }).click();
  await shown(visitor.page.getByText('Log in to follow Bob Followed.'));

  const ann = await site.visit();
  const { page, open, context } = ann;
  await signUp(ann, 'Ann Follows');
  await open(`/reader/${bob.viewerId}`);
  const button = page.getByRole('button', { name: 'Follow Bob Followed' });
  const expectFollowed = async (isFollowed: boolean) => {
    const state = async () => [
      await button.getAttribute('aria-busy'),
      await button.innerText(),
      await page.getByRole('link', { name: /^\d+ followers?$/ }).innerText(),
    ];
    const expected = ['false', ...(isFollowed ? ['Following', '1 follower'] : ['Follow', '0 followers'])];
    await expect.poll(state).toEqual(expected);
    await page.reload();
    await expect.poll(state).toEqual(expected);
  };
  await button.click();
  await expectFollowed(true);
  await button.dblclick();
  await expectFollowed(true);

  const sent = Promise.withResolvers<void>();
  await context.route(
    '**/graphql',
    async (route) => {
      await sent.promise;
      await route.continue();
    },
    { times: 1 },
  );
  for (let click = 0; click < 3; click++) await button.click();
  sent.resolve();
  await expectFollowed(false);
  await answered(page, 'Follow', () => button.click());

  await page.getByRole('link', { name: '1 follower' }).click();
  await page
    .getByRole('list', { name: 'Followers of Bob Followed' })
    .getByRole('link', { name: 'Ann Follows' })
    .click();
  await page.getByRole('link', { name: 'Following', exact: true }).click();
  await shown(page.getByRole('list', { name: 'Followed by Ann Follows' }).getByRole('link', { name: 'Bob Followed' }));
});

test('a reader who approves followers is asked, and accepts or declines', async () => {
  const [bob, ann] = [await site.visit(), await site.visit()];
  const bobs = await site.server.client().login(await signUp(bob, 'Bob Approves'));
  await signUp(ann, 'Ann Asks');
  await bob.open('/profile');
  await bob.page.getByLabel('Readers ask before they follow me.').check();
  await fill(bob.page, 'Privacy', {});
  await shown(bob.page.getByRole('status').getByText('Your privacy is changed.'));

  await ann.open(`/reader/${bobs.viewerId}`);
  const button = ann.page.getByRole('button', { name: 'Follow Bob Approves' });
  for (const [answer, said, now] of [
    ['Decline', 'The request of Ann Asks is declined.', 'Follow'],
    ['Accept', 'Ann Asks follows you now.', 'Following'],
  ] as const) {
    await button.click();
    await expect.poll(() => button.innerText()).toBe('Requested');
    await shown(ann.page.getByRole('link', { name: '0 followers' }));
    await bob.open('/profile');
    await bob.page.getByRole('button', { name: `${answer} Ann Asks` }).click();
    await shown(bob.page.getByRole('status').getByText(said));
    await expect.poll(() => bob.page.getByRole('list', { name: 'Follow requests' }).count()).toBe(0);
    await ann.page.reload();
    await expect.poll(() => button.innerText()).toBe(now);
  }
  await shown(ann.page.getByRole('link', { name: '1 follower' }));
});

test('the first page shows no popular book among those that are trending too', async () => {
  const { app, client } = site.server;
  const reader = await client().registerSomebody();
  for (const bookId of books.slice(0, LIKED)) await reader.like(bookId);
  await countEverything(app, () => site.wait(STEP_MINUTES));

  const { page } = await site.visit('/');
  const linksIn = (name: string) => page.getByRole('region', { name }).getByRole('listitem').getByRole('link');
  await shown(linksIn('Trending this week'));
  const [trending, popular] = await Promise.all(
    ['Trending this week', 'Popular'].map((name) => linksIn(name).allTextContents()),
  );
  expect([trending?.length, popular?.length]).toEqual([LIKED, POPULAR]);
  expect(new Set([...(trending ?? []), ...(popular ?? [])]).size).toBe(LIKED + POPULAR);
});

test('the keyboard skips the links above a page, and the genres above the results', async () => {
  const { page, open } = await site.visit('/search');
  const focused = page.locator(':focus');
  await shown(page.getByRole('list', { name: 'Books' }).getByRole('link'));
  await page.keyboard.press('Tab');
  await shown(page.getByRole('link', { name: 'Skip to the content' }).and(focused));
  expect((await focused.boundingBox())?.x).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await shown(page.getByRole('main').getByRole('link', { name: 'Skip to the results' }).and(focused));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await shown(page.getByRole('list', { name: 'Books' }).getByRole('link').first().and(focused));

  await open('/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await shown(page.getByRole('main').getByRole('link').first().and(focused));
});
