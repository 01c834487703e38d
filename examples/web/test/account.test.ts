import { TOTP } from 'otpauth';
import { beforeAll, expect, test } from 'vitest';
import { LINK_TOKEN } from '../../../src/config/settings.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { startMailbox, tokenIn, type Mailbox } from '../../../test/support/mails.ts';
import { openSite, shown, signUp, type Site, type Visitor } from './browser.ts';
import { fill } from './forms.ts';

/** Readers look after their accounts: the address with its mails, the password, sessions elsewhere. */

const VERIFICATION = 'Is this your email?';
/** Longer than a login counts as fresh, and than a mail with a new password is good for. */
const [LATER_MINUTES, TOO_LATE_MINUTES] = [16, 31];

let site: Site;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  site = await openSite({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Library <library@example.com>',
    EMAIL_VERIFICATION: 'required',
    EMAIL_VERIFICATION_URL: `http://localhost/app/verify#token=${LINK_TOKEN}`,
  });
});

/** Opens the link of a mail, as a mail program does. */
async function openLink({ page }: Visitor, email: string, subject: string, count = 1): Promise<void> {
  const { body } = await mailbox.arrived(email, subject, count);
  const [link = ''] = /http:\S+/.exec(body) ?? [];
  await page.goto('about:blank');
  await page.goto(link);
  await shown(page.getByRole('main'));
}

const notice = ({ page }: Visitor, text: string) => shown(page.getByRole('status').getByText(text));

/** Signs up a reader, who verifies the address. */
async function verified(visitor: Visitor, name: string): Promise<string> {
  const email = await signUp(visitor, name);
  await openLink(visitor, email, VERIFICATION);
  await fill(visitor.page, 'Verify', {});
  await notice(visitor, `Your email address ${email} is verified.`);
  return email;
}

test('an address is verified by the link of a mail, and a used link leads to another mail', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await signUp(visitor, 'Ann Mails');
  await mailbox.arrived(email, VERIFICATION);
  await open('/profile');
  await fill(page, 'Verification', {});
  await shown(page.getByText(`An email to ${email} is on its way.`));
  await openLink(visitor, email, VERIFICATION, 2);
  // The link has the token, so there is nothing to enter.
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  await fill(page, 'Verify', {});
  await notice(visitor, `Your email address ${email} is verified.`);

  await openLink(visitor, email, VERIFICATION, 2);
  await fill(page, 'Verify', {});
  await shown(page.getByRole('alert').getByText('This token is invalid or has expired.'));
  await page.getByRole('link', { name: 'Ask for another one' }).click();
  await shown(page.getByRole('main').getByText('verified', { exact: true }));
  expect(await page.getByRole('form', { name: 'Verification' }).count()).toBe(0);
});

test('another address is the login once it is verified, and the page says so until then', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await verified(visitor, 'Ann Moves');
  const next = `next-${email}`;
  await open('/profile');
  await page.getByText('Change the email address').click();
  const change = (address: string) =>
    fill(page, 'Email address', { 'New email': address, 'Current password': PASSWORD });
  const isAsked = page.getByText(`An email to ${next} is on its way.`);
  await change('nonsense');
  const form = page.getByRole('form', { name: 'Email address' });
  await shown(form.getByLabel('New email').and(page.locator(':focus')));
  await shown(form.getByRole('alert').getByText('This is not an email address'));
  await fill(page, 'Email address', { 'New email': next, 'Current password': 'wrong' });
  await shown(form.getByRole('alert').getByText('This is not the password of your account.'));
  await shown(form.getByLabel('Current password').and(page.locator(':focus')));
  await change(next);
  await shown(isAsked.and(page.getByText(`Until then you log in as ${email}.`)));

  await change(email.toUpperCase());
  await notice(visitor, `You log in as ${email}, as before.`);
  expect(await isAsked.count()).toBe(0);

  await change(next);
  await isAsked.getByRole('link', { name: 'enter the token' }).click();
  const { body } = await mailbox.arrived(next, VERIFICATION, 2);
  await fill(page, 'Verify', { Token: ` ${tokenIn(body)}\n` });
  await notice(visitor, `Your email address ${next} is verified.`);
  await open('/profile');
  await shown(page.getByRole('main').getByText(next));
});

test('a session elsewhere is ended, with the password some time after the login', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await signUp(visitor, 'Ann Elsewhere');
  const elsewhere = await site.server.client().login(email, 'Old phone');
  await open('/profile');
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').filter({ hasText: 'Old phone' });
  site.wait(LATER_MINUTES);
  await fill(page, 'Session on Old phone', {});
  const password = row.getByLabel('Password');
  await shown(password.and(page.locator(':focus')));
  await fill(page, 'Session on Old phone', { Password: 'wrong' });
  await shown(row.getByRole('alert').getByText('This is not the password of your account.'));
  await fill(page, 'Session on Old phone', { Password: PASSWORD });
  await notice(visitor, 'The session has ended.');
  await shown(row.getByText(/, ended /));
  await shown(row.and(page.locator(':focus')));
  expect(await row.getByRole('button').count()).toBe(0);
  const { status } = await elsewhere.send('{ viewer { id } }');
  expect(status).toBe(401);
});

test('a new password ends the other sessions, and the page shows them as ended', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await signUp(visitor, 'Ann Changes');
  await site.server.client().login(email, 'Old phone');
  await open('/profile');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await shown(sessions.getByRole('button', { name: 'End the session' }));
  expect(await sessions.filter({ hasText: /this one/ }).innerText()).toMatch(/^Chrome on Linux/);
  await page.locator('summary', { hasText: 'Change the password' }).click();
  await fill(page, 'Password', { 'Current password': PASSWORD, 'New password': 'short' });
  await shown(page.getByRole('alert').getByText(/use at least/));
  await fill(page, 'Password', { 'Current password': PASSWORD, 'New password': 'another long password' });
  await notice(visitor, 'Your password is changed, and all other sessions have ended.');
  await shown(sessions.filter({ hasText: 'Old phone' }).getByText(/, ended /));
  expect(await sessions.getByRole('button').count()).toBe(0);
});

test('a mail with a new password that is too old leads to another one', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const { email } = await site.server.client().registerSomebody('Ann Late');
  await open('/lost-password');
  await fill(page, 'Lost password', { Email: email });
  await shown(page.getByText('an email is on its way'));
  await mailbox.arrived(email, 'A new password');
  site.wait(TOO_LATE_MINUTES);
  await openLink(visitor, email, 'A new password');
  await fill(page, 'New password', { 'New password': 'another long password' });
  await shown(page.getByRole('alert').getByText('This token is invalid or has expired.'));
  await page.getByRole('link', { name: 'Ask for another one' }).click();
  await fill(page, 'Lost password', { Email: email });
  await shown(page.getByText('an email is on its way'));
  await openLink(visitor, email, 'A new password', 2);
  await fill(page, 'New password', { 'New password': 'another long password' });
  await notice(visitor, 'Your password is changed.');
});

test('a second factor that was turned on elsewhere meanwhile is said to be on', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await verified(visitor, 'Ann Twice');
  const elsewhere = await site.server.client().login(email);
  await open('/profile');
  await page.getByText('Turn the second factor on').click();
  await fill(page, 'Second factor', { Password: PASSWORD });
  const section = page.getByRole('region', { name: 'Second factor' });
  const secret = await section.locator('code').innerText();
  const code = new TOTP({ secret }).generate({ timestamp: site.now() });
  await elsewhere.mutate('confirmTwoFactor', { code }, 'recoveryCodes');
  await fill(page, 'Confirm the second factor', { Code: '123456' });
  await notice(visitor, 'Your account has a second factor already.');
  await shown(section.getByText('Logging in takes a code of your app.'));
  await shown(section.getByText('Turn the second factor off'));
});
