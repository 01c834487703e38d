import { beforeAll, expect, test } from 'vitest';
import { ownBooks } from '../../../test/support/books.ts';
import type { Client } from '../../../test/support/client.ts';
import { listOf, reviewOf } from '../../../test/support/notifications.ts';
import { answered, openSite, shown, signUp, type Site } from './browser.ts';
import { fill } from './forms.ts';

/** Readers see what others do: those whom they follow, and those who like what they made. */

/** More than the half of a page of the feed. */
const BOOKS = 12;

/** Returns a text with single spaces. */
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

let site: Site;
let books: string[];
beforeAll(async () => {
  site = await openSite();
  books = await ownBooks(site.server.app, BOOKS);
});

const somebody = (fullName: string) => site.server.client().registerSomebody(fullName);
/** Makes a change that nothing speaks against. */
async function change(reader: Client, field: string, input: Record<string, unknown>): Promise<void> {
  expect(await reader.mutate(field, input, '__typename'), field).toMatchObject({ userErrors: [] });
}

test('the feed says whom to follow while it is empty, and then what they do, page by page', async () => {
  const bob = await somebody('Bob Busy');
  for (const bookId of books) await bob.like(bookId);
  for (const bookId of books) await change(bob, 'markAsRead', { bookId });
  await change(bob, 'rateBook', { bookId: books[0], rating: 4.5 });
  await change(bob, 'writeReview', { bookId: books[1], text: 'He dies.', hasSpoilers: true });
  await change(bob, 'writeReview', { bookId: books[2], text: 'A fine book.', hasSpoilers: false });
  await change(bob, 'updatePrivacy', { readings: 'EVERYONE' });
  await bob.like(await listOf(await somebody('Dan Lists')));

  const ann = await site.visit();
  const { page } = ann;
  const feed = page.getByRole('list', { name: 'Feed' });
  const entries = feed.getByRole('listitem');
  await signUp(ann, 'Ann Reads');
  await page.getByRole('link', { name: 'Feed' }).click();
  await shown(page.getByText('Here you see what the readers whom you follow'));
  expect(await entries.count()).toBe(0);
  const whom = page.getByRole('list', { name: 'Whom to follow' });
  const follow = whom.getByRole('button', { name: 'Follow Bob Busy' });
  await answered(page, 'Follow', () => follow.click());
  await expect.poll(() => follow.innerText()).toBe('Following');
  await whom.getByRole('link', { name: 'Bob Busy' }).click();
  await shown(page.getByRole('link', { name: '1 follower' }));

  await page.getByRole('link', { name: 'Feed' }).click();
  await shown(entries);
  const said = async () =>
    (await entries.locator('.note').allInnerTexts()).map((text) => onOneLine(text).split(', ')[0]);
  expect((await said()).slice(0, 5)).toEqual([
    'Bob Busy liked the list',
    'Bob Busy reviewed it: “A fine book.”',
    'Bob Busy reviewed it',
    expect.stringMatching(/^Bob Busy rated it .+ 4\.5 of 5 ?$/),
    'Bob Busy read it',
  ]);
  await page.keyboard.press('End');
  await expect.poll(() => entries.count()).toBe(2 * BOOKS + 4);
  expect((await said()).at(-1)).toBe('Bob Busy liked it');
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);

  const { page: visitors } = await site.visit('/feed');
  await shown(visitors.getByText('to see this page'));
  expect(await visitors.getByRole('link', { name: 'Feed' }).count()).toBe(0);
});

test('the bell counts news, which are read once they are shown, of the kinds that the reader wants', async () => {
  const ann = await site.visit();
  const { page, open } = ann;
  const anns = await site.server.client().login(await signUp(ann, 'Ann Writes'));
  const link = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: /^News/ });
  const news = page.getByRole('list', { name: 'News' }).getByRole('listitem');
  const sentences = () => news.locator('> span').allInnerTexts();
  await link.click();
  await shown(page.getByText('There is no news yet.'));

  const review = await reviewOf(site.server, anns);
  const { node } = await anns.data('query ($id: ID!) { node(id: $id) { ... on Review { title } } }', { id: review });
  const list = await listOf(anns);
  for (const name of ['Bob Likes', 'Cy Likes', 'Dan Likes']) await (await somebody(name)).like(review);
  const eve = await somebody('Eve Likes');
  await eve.like(list);
  await change(eve, 'follow', { id: anns.viewerId });
  const unread = async () => {
    await open('/');
    await shown(page.getByRole('heading', { name: 'Popular' }));
    return onOneLine(await link.innerText());
  };
  await expect.poll(unread).toBe('News 3 unread');

  await link.click();
  const expected = [
    'Eve Likes began to follow you.',
    'Eve Likes liked your list Best.',
    `Dan Likes, Cy Likes and 1 other liked your review of ${node.title}.`,
  ];
  await shown(news);
  expect(await sentences()).toEqual(expected.map((sentence) => `New ${sentence}`));
  await expect.poll(() => link.innerText()).toBe('News');
  await page.reload();
  await shown(news);
  expect(await sentences()).toEqual(expected);
  expect(await link.innerText()).toBe('News');

  await page.getByRole('link', { name: 'What I am notified of' }).click();
  await page.getByLabel('Readers follow me.').uncheck();
  await fill(page, 'Notifications', {});
  await shown(page.getByRole('status').getByText('Your notifications are changed.'));
  await link.click();
  await expect.poll(sentences).toEqual(expected.slice(1));
});

test('a reader sees who of those whom they follow like a book', async () => {
  const ann = await site.visit();
  const { page, open } = ann;
  const anns = await site.server.client().login(await signUp(ann, 'Ann Follows'));
  const [bookId = ''] = await ownBooks(site.server.app, 1);
  const others = await Promise.all(['Bob Known', 'Cy Known', 'Dan Known', 'Eve Known', 'Fay Unknown'].map(somebody));
  for (const other of others) await other.like(bookId);
  const known = page.getByText(/^You follow .+ of them\.$/);
  const said = async () => {
    await open(`/book/${bookId}`);
    await shown(page.getByRole('list', { name: 'Likers' }).getByRole('link'));
    return known.allInnerTexts();
  };
  expect(await said()).toEqual([]);

  for (const { viewerId: id } of others.slice(0, 1)) await change(anns, 'follow', { id });
  await expect.poll(said).toEqual(['You follow Bob Known of them.']);
  for (const { viewerId: id } of others.slice(1, 4)) await change(anns, 'follow', { id });
  await expect.poll(said).toEqual(['You follow Eve Known, Dan Known, Cy Known and 1 other of them.']);
  await known.getByRole('link', { name: 'Cy Known' }).click();
  await shown(page.getByRole('heading', { name: 'Cy Known' }));

  const { page: visitors } = await site.visit(`/book/${bookId}`);
  await shown(visitors.getByRole('list', { name: 'Likers' }).getByRole('link'));
  expect(await visitors.getByText('You follow').count()).toBe(0);
});
