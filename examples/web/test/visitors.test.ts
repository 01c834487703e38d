import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ownBooks } from '../../../test/support/books.ts';
import { PASSWORD, type Client } from '../../../test/support/client.ts';
import { openSite, shown, signUp, type Site, type Visitor } from './browser.ts';
import { fill } from './forms.ts';

/** Visitors get what they wished for once they have logged in. The page offers what the server has. */

const LENGTH_MIN = 12;

let site: Site;
let books: string[];
beforeAll(async () => {
  site = await openSite({
    PASSWORD_LENGTH_MIN: String(LENGTH_MIN),
    PASSKEY_ORIGINS: '',
    TWO_FACTOR_KEYS: '',
    EMAIL_VERIFICATION: 'asked',
  });
  books = await ownBooks(site.server.app, 2);
});

/** A reader who is not logged in in any browser yet. */
async function known(name: string): Promise<{ readonly email: string; readonly reader: Client }> {
  const reader = await site.server.client().registerSomebody(name);
  return { email: reader.email, reader };
}

const enter = ({ page }: Visitor, email: string) => fill(page, 'Log in', { Email: email, Password: PASSWORD });
const notice = (page: Page, text: string | RegExp) => shown(page.getByRole('status').getByText(text));

test('the reader whom a visitor wishes to follow is followed after the login, or asked', async () => {
  const ann = await known('Ann Comes');
  for (const [name, asks] of [
    ['Bob Open', false],
    ['Cy Asks', true],
  ] as const) {
    const { reader: other } = await known(name);
    await other.mutate('updatePrivacy', { approvesFollowers: asks }, '__typename');
    const visitor = await site.visit(`/reader/${other.viewerId}`);
    const { page } = visitor;
    const button = page.getByRole('button', { name: `Follow ${name}` });
    await button.click();
    await shown(page.getByText(`Log in to follow ${name}.`));
    await enter(visitor, ann.email);
    await notice(page, asks ? `You have asked ${name} to let you follow them.` : `You follow ${name}.`);
    await expect.poll(() => button.innerText()).toBe(asks ? 'Requested' : 'Following');
    expect(new URL(page.url()).pathname).toBe(`/app/reader/${other.viewerId}`);
  }
});

test('the book that a visitor wants to read is on that shelf after the login, unless it is on another', async () => {
  const { email, reader } = await known('Ann Reads');
  await reader.mutate('setReadingStatus', { bookId: books[1], status: 'READING', progress: 40 }, '__typename');
  for (const [place, said, next] of [
    [0, / is on your shelf “Want to read”\./, 'Start reading'],
    [1, / is on your shelf “Reading” already\./, 'Finished today'],
  ] as const) {
    const visitor = await site.visit(`/book/${books[place]}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Want to read: ' }).first().click();
    await shown(page.getByText(/^Log in to put “.+” on a shelf\.$/));
    await enter(visitor, email);
    await notice(page, said);
    await shown(page.getByRole('button', { name: `${next}: ` }));
  }
});

test('a password is asked for with the length that the server wants, and the address is to be verified', async () => {
  const visitor = await site.visit('/register');
  const { page } = visitor;
  const hint = page.getByText(`At least ${LENGTH_MIN} characters.`);
  await shown(hint);
  await fill(page, 'Sign up', { 'Full name': 'Ann Short', Email: 'short@example.com', Password: 'good books' });
  await shown(page.getByRole('alert').getByText(String(LENGTH_MIN)));
  await signUp(visitor, 'Ann Long');
  await notice(page, 'Welcome! An email is on its way, by which you verify your address.');
  await visitor.open('/profile');
  await page.locator('summary', { hasText: 'Change the password' }).click();
  await shown(hint);
  await visitor.open('/reset');
  await shown(hint);
});

test('nobody is offered a passkey or a second factor that the server does not have', async () => {
  const visitor = await site.visit();
  const { page, open, requests } = visitor;
  await open('/login');
  await page.waitForLoadState('networkidle');
  expect(requests.map((request) => request.postData())).toEqual([expect.stringContaining('Settings')]);
  expect(await page.getByRole('button').allInnerTexts()).toEqual(['Search', 'Log in']);
  await signUp(visitor, 'Ann Plain');
  await open('/profile');
  await shown(page.getByRole('heading', { name: 'Last sessions' }));
  const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(headings).not.toContain('Passkeys');
  expect(headings).not.toContain('Second factor');
});

test('nobody is offered what needs an email by a server that sends none, or a picture where it has no hosts', async () => {
  const mute = await openSite({}, { sendsEmails: false });
  const [bookId] = await ownBooks(mute.server.app, 1);
  const seller = await mute.server.client().registerSomebody('Selma Mute');
  const price = { amount: '4', currency: 'EUR' };
  await seller.mutate('listItem', { bookId, price, condition: 'GOOD' }, '__typename');

  const visitor = await mute.visit();
  const { page, open } = visitor;
  await open('/login');
  await page.waitForLoadState('networkidle');
  await shown(page.getByRole('main').getByRole('link', { name: 'Sign up' }));
  expect(await page.getByRole('link', { name: 'Lost password?' }).count()).toBe(0);
  await signUp(visitor, 'Ann Mute');
  await open('/profile');
  await shown(page.getByText('not verified'));
  expect(await page.getByRole('form', { name: 'Verification' }).count()).toBe(0);
  expect(await page.getByLabel('Link to my picture').count()).toBe(0);
  await open(`/book/${bookId}`);
  await page.getByText('Write to the seller').click();
  await shown(page.getByText('This library sends no emails, so sellers cannot be written to here.'));
});
