import { TOTP } from 'otpauth';
import { encode } from 'uqr';
import { beforeAll, describe, expect, test } from 'vitest';
import { refreshAlsoLiked } from '../../../src/likes/also-liked.ts';
import { like } from '../../../src/likes/operations.ts';
import { registerAdministrator } from '../../../test/support/accounts.ts';
import { isbnOf, ownBooks } from '../../../test/support/books.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { keyOf } from '../../../test/support/ids.ts';
import { doAllJobs } from '../../../test/support/jobs.ts';
import { as, makeReaders } from '../../../test/support/likers.ts';
import { mailInFolder, tokenIn } from '../../../test/support/mails.ts';
import { answered, logIn, logOut, openSite, shown, signUp, type Site } from './browser.ts';
import { fill } from './forms.ts';
import { importSomeLibraries } from './libraries.ts';

/** What readers do, each in a browser of their own. */

/** The server's limit: a like and taking it back. */
const CHANGES_PER_HOUR = 2;
const LIKERS = 45;
const LIKERS_PER_PAGE = 20;
const TOKEN_MINUTES = 16;

let site: Site;
let books: string[];
beforeAll(async () => {
  site = await openSite({ LIKE_CHANGES_PER_HOUR: String(CHANGES_PER_HOUR) });
  books = await ownBooks(site.server.app, 3);
});

const bookPath = (place = 0) => `/book/${books[place]}`;
const likeButton = { name: /^Like / };

describe('a like', () => {
  test('of a reader who has just signed up is on the page of another one', async () => {
    const ada = await site.visit();
    await signUp(ada, 'Ada Lovelace');
    await ada.open(bookPath());
    await ada.page.getByRole('button', likeButton).click();
    await shown(ada.page.getByText('1 like', { exact: true }));
    await shown(ada.page.getByRole('button', { ...likeButton, pressed: true }));

    const other = await site.visit(bookPath());
    await shown(other.page.getByText('1 like', { exact: true }));
    await shown(other.page.getByRole('list', { name: 'Likers' }).getByRole('link', { name: 'Ada Lovelace' }));
    expect(await other.page.getByRole('button', { ...likeButton, pressed: false }).count()).toBe(1);
  });

  test('that is refused is taken back, and the reason is shown', async () => {
    const { page, open, ...visitor } = await site.visit();
    await signUp({ page, open, ...visitor }, 'Grace Hopper');
    await open(bookPath(1));
    const button = page.getByRole('button', likeButton);
    await answered(page, 'Like', () => button.click());
    await answered(page, 'Unlike', () => button.click());
    await answered(page, 'Like', () => button.click());
    await shown(page.getByRole('status').filter({ hasText: /\w/ }));
    await shown(page.getByRole('button', { ...likeButton, pressed: false }));
    await shown(page.getByText('0 likes', { exact: true }));
  });

  test('can be given with the keyboard alone', async () => {
    const visitor = await site.visit();
    const { page, open } = visitor;
    await signUp(visitor, 'Alan Turing');
    await open(bookPath(1));
    const button = page.getByRole('button', likeButton);
    while ((await button.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await shown(page.getByRole('button', { ...likeButton, pressed: true }));
  });
});

test('the days of a reading are corrected, and a wrong one is refused at its field', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  await signUp(visitor, 'Barbara Liskov');
  await open(bookPath());
  await fill(page, 'Mark as read', { 'Begun on': '2024-02-01', 'Finished on': '2024-03-05' });
  const times = page.getByRole('list', { name: 'Times that I read it' });
  await shown(times.getByText('Finished on Mar 5, 2024, begun on Feb 1, 2024'));

  await page.getByText('Correct the days').click();
  const form = page.getByRole('form', { name: 'Days of a reading' });
  await fill(page, 'Days of a reading', { 'Begun on': '2024-03-20' });
  await shown(form.getByRole('alert').filter({ hasText: /\w/ }));
  const begun = form.getByLabel('Begun on', { exact: true });
  expect(await begun.inputValue()).toBe('2024-03-20');
  expect(await begun.getAttribute('aria-invalid')).toBe('true');

  await fill(page, 'Days of a reading', { 'Begun on': '2024-01-20', 'Finished on': '' });
  await shown(times.getByText('Finished at an unknown time, begun on Jan 20, 2024'));
  await page.reload();
  await shown(times.getByText('Finished at an unknown time, begun on Jan 20, 2024'));
  expect(await times.getByRole('listitem').count()).toBe(1);
});

test('a book is rated with the keyboard, and everybody sees the mean', async () => {
  const [one, other] = [await site.visit(), await site.visit()];
  await signUp(one, 'Donald Knuth');
  await one.open(bookPath(2));
  const slider = one.page.getByRole('slider', { name: 'My rating' });
  await slider.focus();
  await answered(one.page, 'RateBook', () => one.page.keyboard.press('End'));
  await shown(one.page.getByText('5.00 of 5, 1 rating'));
  await answered(one.page, 'RateBook', () => one.page.keyboard.press('ArrowLeft'));
  await shown(one.page.getByText('4.75 of 5, 1 rating'));

  await signUp(other, 'Leslie Lamport');
  await other.open(bookPath(2));
  await other.page.getByRole('slider', { name: 'My rating' }).focus();
  await answered(other.page, 'RateBook', () => other.page.keyboard.press('ArrowRight'));
  await shown(other.page.getByText('2 ratings so far: too few to tell the mean.'));
  await answered(other.page, 'UnrateBook', () =>
    other.page.getByRole('button', { name: 'Take my rating back' }).click(),
  );
  await shown(other.page.getByText('1 rating so far: too few to tell the mean.'));
});

test('a goal for the year is set, a book counts towards it, and its month leads to the diary', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Margaret Hamilton');
  await visitor.open(bookPath());
  await answered(page, 'RateBook', () => page.getByRole('slider', { name: 'My rating' }).press('End'));
  await fill(page, 'Mark as read', { 'Finished on': '2024-03-05' });
  const times = page.getByRole('list', { name: 'Times that I read it' }).getByRole('listitem');
  await shown(times.getByText('Finished on Mar 5, 2024'));
  await visitor.open('/year/2024');
  await fill(visitor.page, 'Goal', { 'Books to read': '12' });
  await shown(visitor.page.getByText('1 of 12 books'));
  await shown(visitor.page.getByRole('list', { name: 'Books by month' }).getByText(/^one book/));
  await fill(visitor.page, 'Goal', { 'Books to read': '' });
  await shown(visitor.page.getByText('You have no goal any more.'));
  expect(await visitor.page.getByText('1 of 12 books').count()).toBe(0);

  await page.getByRole('button', { name: 'Share the year' }).click();
  const link = page.getByRole('link', { name: /\/app\/reader\/.*\/year\/2024$/ });
  await shown(link);
  const stranger = await site.visit();
  const shared = new URL((await link.getAttribute('href')) ?? '').pathname.replace('/app', '');
  await stranger.open(shared);
  await shown(stranger.page.getByRole('heading', { name: 'Margaret Hamilton: 2024 in books' }));
  await shown(stranger.page.getByRole('list', { name: 'Books by month' }).getByText(/^one book/));
  await page.getByRole('button', { name: 'Stop sharing the year' }).click();
  await shown(page.getByText('Your year 2024 is not shared any more.'));
  await stranger.open(shared);
  await shown(stranger.page.getByText('This year is not shared.'));
  await visitor.open('/year/2024');

  await visitor.open(bookPath());
  await fill(page, 'Mark as read', { 'Finished on': '2024-03-20' });
  await shown(times.getByText('Finished on Mar 20, 2024'));
  await visitor.open('/year/2024');
  await page.getByRole('list', { name: 'Books by month' }).getByRole('link', { name: 'March' }).click();
  const march = page.getByRole('list', { name: 'Books of March 2024' }).getByRole('listitem');
  await shown(march.first().getByRole('link').and(page.locator(':focus')));
  const days = (await march.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(days).toEqual([
    expect.stringMatching(/5 of 5 Read again Mar 20, 2024$/),
    expect.stringMatching(/5 of 5 Mar 5, 2024$/),
  ]);
  await page.getByRole('link', { name: 'All that I did' }).click();
  const actions = page.getByRole('list', { name: 'Actions' }).getByRole('listitem');
  await shown(actions.filter({ hasText: /^Read .*Mar 5, 2024$/ }));
});

test('a review is published, changed and deleted; another reader reads and likes it', async () => {
  const [author, other] = [await site.visit(), await site.visit()];
  await signUp(author, 'Frances Allen');
  await author.open(bookPath(1));
  await fill(author.page, 'My review', { 'What I think of the book': 'It is\nlong.' });
  const reviews = author.page.getByRole('list', { name: 'Reviews' });
  await shown(reviews.getByText('It is'));
  await author.page.getByRole('slider', { name: 'My rating' }).focus();
  await answered(author.page, 'RateBook', () => author.page.keyboard.press('End'));
  await shown(reviews.getByText('5 of 5'));

  await signUp(other, 'John McCarthy');
  await other.open(bookPath(1));
  const review = other.page.getByRole('list', { name: 'Reviews' }).getByRole('listitem').filter({ hasText: 'It is' });
  await shown(review.getByRole('link', { name: 'Frances Allen' }));
  await shown(review.getByText('5 of 5'));
  await answered(other.page, 'Like', () => review.getByRole('button', likeButton).click());
  await shown(review.getByText('1 like', { exact: true }));

  await author.page.getByLabel('Contains spoilers').check();
  await fill(author.page, 'My review', { 'What I think of the book': 'The whale wins.' });
  await shown(reviews.getByText('Spoiler', { exact: true }));
  expect(await reviews.getByText('The whale wins.').isVisible()).toBe(false);
  await author.page.getByText('Delete my review').click();
  await fill(author.page, 'No review', {});
  await shown(author.page.getByText('Nobody has reviewed the book yet.'));
});

test('a list is filled, and ordered by the keyboard and by dragging', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  await signUp(visitor, 'Katherine Johnson');
  await open('/lists');
  await fill(page, 'A new list', { Name: 'To the moon' });
  await shown(page.getByRole('heading', { name: 'To the moon' }));
  const list = page.url();
  const titles: string[] = [];
  for (const place of [0, 1, 2]) {
    await open(bookPath(place));
    await page.getByText('Add to a list').click();
    titles.push((await page.getByRole('heading', { level: 1 }).textContent()) ?? '');
    await fill(page, 'Add to a list', { Note: `note ${place}` });
    await shown(page.getByText('The book is on “To the moon”.'));
  }
  await page.goto(list);
  const entries = page.getByRole('list', { name: 'Books of the list' }).getByRole('listitem');
  const order = async () => (await entries.getByRole('link').allTextContents()).map((title) => titles.indexOf(title));
  await expect.poll(order).toEqual([0, 1, 2]);

  await page.getByRole('button', { name: `Move ${titles[2]} up` }).focus();
  await answered(page, 'MoveInList', () => page.keyboard.press('Enter'));
  await expect.poll(order).toEqual([0, 2, 1]);
  await answered(page, 'MoveInList', () => entries.nth(2).dragTo(entries.nth(0)));
  await expect.poll(order).toEqual([1, 0, 2]);
  await answered(page, 'RemoveFromList', () => page.getByRole('button', { name: `Remove ${titles[0]}` }).click());
  await expect.poll(order).toEqual([1, 2]);
});

test('libraries are found near the reader, nearest first and to the end of the list', async () => {
  await importSomeLibraries(site.server.app, /^PA,.*,-(?:79|80)\./);
  const { context, page } = await site.visit('/libraries');
  const find = page.getByRole('button', { name: 'Libraries near me' });
  await find.click();
  await shown(page.getByText('Your browser does not tell this page where you are.'));

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 40.44, longitude: -79.99 });
  await find.click();
  await shown(page.getByRole('heading', { name: 'Libraries near me' }));
  const rows = page.getByRole('list', { name: 'Libraries' }).getByRole('listitem');
  await shown(rows);
  const more = page.getByRole('button', { name: /^(?:Show more libraries|Loading …)$/ });
  while ((await more.count()) > 0) {
    const next = rows.nth(await rows.count());
    await more.click().catch(() => undefined);
    await shown(next);
  }
  const distances = (await rows.getByText(/^[\d.]+ km/).allTextContents()).map(Number.parseFloat);
  expect(distances.length).toBe(await rows.count());
  expect(distances.length).toBeGreaterThan(20);
  expect(distances).toEqual(distances.toSorted((one, other) => one - other));
});

test('a page of a book leads to another edition, which leads back, and to its author and series', async () => {
  const [one = '', other = ''] = await ownBooks(site.server.app, 2);
  const administrator = await registerAdministrator(site.server);
  const { node } = await administrator.data(`{ node(id: "${one}") { ... on Book { title work { id } } } }`);
  await administrator.mutate('updateBook', { bookId: other, workId: node.work.id }, 'book { id }');
  const said = { description: 'Of a voyage.', languageCode: 'eng', series: [{ name: 'Whales & co.', position: '2' }] };
  await administrator.mutate('updateBook', { bookId: one, ...said }, 'book { id }');

  const { page, open } = await site.visit(`/book/${one}`);
  await shown(page.getByText('Of a voyage.'));
  await shown(page.getByText('English'));
  for (const [list, link] of [
    ['Books of the author', 'An Author'],
    ['Books of the series', 'Whales & co.'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: link }).click();
    await shown(page.getByRole('heading', { name: link, level: 1 }));
    await shown(page.getByRole('list', { name: list }).getByRole('link', { name: node.title }));
    await open(`/book/${one}`);
  }
  await page.getByRole('region', { name: 'Other editions' }).getByRole('link').click();
  await page.waitForURL(`**/book/${encodeURIComponent(other)}`);
  await shown(page.getByRole('region', { name: 'Other editions' }).getByRole('link', { name: node.title }));
});

test('a book leads to those that its readers like, too', async () => {
  const { app } = site.server;
  const [one = '', other = ''] = await ownBooks(app, 2);
  for (const userId of await makeReaders(app, 5)) for (const id of [one, other]) await like(as(app, userId), { id });
  await refreshAlsoLiked(app, keyOf(one));

  const { page } = await site.visit(`/book/${one}`);
  const section = page.getByRole('region', { name: 'Readers who liked this also liked' });
  await shown(section.getByText('5 readers like both'));
  await section.getByRole('link').click();
  await page.waitForURL(`**/book/${encodeURIComponent(other)}`);
});

test('a library from elsewhere is imported, a line is resolved, a shelf is mapped, and all is undone', async () => {
  const titles = ['Quiet Rivers', 'Quiet Rivers', 'The Loud Sea'];
  const administrator = await registerAdministrator(site.server);
  for (const [index, title] of titles.entries()) {
    const input = { isbn: isbnOf(979_400_000_000 + index), title, authors: ['Ann Lee'] };
    expect((await administrator.mutate('addBook', input, '__typename')).userErrors).toEqual([]);
  }
  const lines = [
    'Title,Author,Bookshelves,Exclusive Shelf,My Review',
    'Quiet Rivers,Ann Lee,,to-read,',
    'The Loud Sea,Ann Lee,,beach,Very loud',
    'A Sea Unheard Of,Ann Lee,,read,',
  ];
  const file = { name: 'library.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };

  const visitor = await site.visit();
  await signUp(visitor, 'Ida Import');
  await visitor.open('/import');
  const { page } = visitor;
  await page.getByLabel('The file').setInputFiles(file);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL('**/import/*');
  await page
    .getByRole('button', { name: /^It is Quiet Rivers/ })
    .first()
    .click();
  await shown(page.getByText('On your shelves: 1'));
  await page.getByLabel(/^beach/).selectOption('GIVEN_UP');
  await page.getByRole('button', { name: 'Put them there' }).click();
  await shown(page.getByText('On your shelves: 2'));
  // A shelf that was put elsewhere by mistake can be put somewhere else.
  expect(await page.getByLabel(/^beach/).inputValue()).toBe('GIVEN_UP');
  await page.getByRole('button', { name: 'Publish my reviews' }).click();
  await shown(page.getByText('Your reviews are published.'));
  const link = page.url();
  await visitor.open('/shelves');
  await shown(page.getByText('A Sea Unheard Of Ann Lee · read'));
  const isbn = isbnOf(979_400_000_003);
  await administrator.mutate('addBook', { isbn, title: 'A Sea Unheard Of', authors: ['Ann Lee'] }, '__typename');
  await doAllJobs(site.server.app);
  await visitor.open('/shelves');
  await shown(page.getByRole('list', { name: 'Read books' }).getByText('A Sea Unheard Of'));
  await page.goto(link);
  await page.getByText('Undo this import').click();
  await shown(page.getByText('the shelves, days and ratings of 3 books and the reviews that you published from it'));
  await page.getByRole('button', { name: 'Take back what it brought' }).click();
  await shown(page.getByText('This import was undone.'));
});

test('the list of likers goes on to its end, without a gap', async () => {
  const names = Array.from({ length: LIKERS }, (_each, place) => `Liker ${place}`);
  const readers = await Promise.all(names.map((name) => site.server.client().registerSomebody(name)));
  for (const reader of readers) await reader.like(books[2] ?? '');

  const { page } = await site.visit(bookPath(2));
  const list = page.getByRole('list', { name: 'Likers' });
  await shown(list.getByRole('listitem'));
  for (let more = LIKERS - LIKERS_PER_PAGE; more > 0; more -= LIKERS_PER_PAGE) {
    const next = list.getByRole('listitem').nth(await list.getByRole('listitem').count());
    await page.getByRole('button', { name: 'Show more likers' }).press('Enter');
    await shown(next);
    // The keyboard goes on at the first one that came.
    await shown(next.locator(':focus'));
  }
  const listed = await list.getByRole('link').locator('.hidden').allTextContents();
  expect(listed).toEqual(names.toReversed());
});

describe('a session', () => {
  const account = { name: 'Account' };

  test('has its refresh token where no script can read it, outlives a reload, and ends by logging out', async () => {
    const visitor = await site.visit();
    const { context, page } = visitor;
    await signUp(visitor, 'Radia Perlman');
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: 'refresh-token', httpOnly: true, sameSite: 'Strict' });
    const readable = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    const { origins } = await context.storageState({ indexedDB: true });
    expect(readable).toContain('accessToken');
    expect(JSON.stringify([readable, origins])).not.toContain(cookie?.value);

    await visitor.open('/profile');
    const profile = page.getByRole('form', { name: 'Profile', exact: true });
    await shown(profile);
    site.wait(TOKEN_MINUTES);
    await page.reload();
    await shown(profile);
    await shown(page.getByRole('navigation', account).getByRole('link', { name: 'Radia Perlman' }));

    const logout = page.getByRole('button', { name: 'Log out' });
    await context.setOffline(true);
    await logout.click();
    await shown(page.getByText('The server cannot be reached.'));
    await context.setOffline(false);
    await logout.click();
    await shown(page.getByRole('navigation', account).getByRole('link', { name: 'Log in' }));
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await shown(page.getByRole('navigation', account).getByRole('link', { name: 'Log in' }));
  });

  test('whose token has expired is renewed, and the reader notices nothing', async () => {
    const visitor = await site.visit();
    await signUp(visitor, 'Edsger Dijkstra');
    // No request of the first page may be under way when the token expires.
    await visitor.page.goto('about:blank');
    site.wait(TOKEN_MINUTES);
    await visitor.open(bookPath());
    await shown(visitor.page.getByRole('form', { name: 'My progress' }));
    expect(visitor.requests.filter((request) => request.postData()?.includes('RefreshTokens')).length).toBe(1);
    await shown(visitor.page.getByRole('navigation', account).getByRole('link', { name: 'Edsger Dijkstra' }));
  });

  test('in two tabs is renewed by one of them', async () => {
    const visitor = await site.visit();
    await signUp(visitor, 'Barbara Liskov');
    const second = await visitor.tab(bookPath());
    for (const page of [visitor.page, second]) await page.goto('about:blank');
    site.wait(TOKEN_MINUTES);
    visitor.requests.length = 0;
    await Promise.all([visitor.open(bookPath(1)), second.goto(`/app${bookPath()}`)]);
    for (const page of [visitor.page, second]) await shown(page.getByRole('form', { name: 'My progress' }));

    const renewals = visitor.requests.filter((request) => request.postData()?.includes('RefreshTokens'));
    expect(renewals.length).toBe(1);
  });

  test('that was ended elsewhere is over, and the page says so', async () => {
    const visitor = await site.visit();
    const email = await signUp(visitor, 'Donald Knuth');
    const elsewhere = await site.server.client().login(email);
    await elsewhere.mutate('logout', { everywhere: true }, '__typename');
    await visitor.open(bookPath());
    await shown(visitor.page.getByText('the session has ended'));
    await shown(visitor.page.getByRole('navigation', account).getByRole('link', { name: 'Log in' }));
    await logIn(visitor, email, 'Donald Knuth');
  });

  test('of false tokens is forgotten, and the page is shown', async () => {
    const visitor = await site.visit('/');
    const tokens = { accessToken: 'false', readerId: 'x', fullName: 'Nobody' };
    await visitor.page.evaluate(`localStorage.setItem('session', ${JSON.stringify(JSON.stringify(tokens))})`);
    await visitor.open(bookPath());
    await shown(visitor.page.getByRole('heading', { level: 1, name: /^Book \d/ }));
    await shown(visitor.page.getByRole('navigation', account).getByRole('link', { name: 'Log in' }));
  });
});

test('what is wrong in a form stands at its field, and nothing that was typed is lost', async () => {
  const { page } = await site.visit('/register');
  await fill(page, 'Sign up', { 'Full name': 'Kurt Gödel', Email: 'kurt', Password: PASSWORD });
  const email = page.getByLabel('Email', { exact: true });
  await shown(page.getByRole('alert').filter({ hasText: /\w/ }));
  expect(await email.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Full name', { exact: true }).inputValue()).toBe('Kurt Gödel');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(PASSWORD);
});

test('what leads to nothing is answered in words for readers, not for programmers', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  await signUp(visitor, 'Karen Spärck Jones');
  for (const path of ['/book/nonsense', '/reader/nonsense', '/list/%E0%A4%A', '/import/nonsense']) {
    await open(path);
    await shown(page.getByText('There is nothing at this address. Check that it is complete.'));
  }
  await open('/search?q=!!!');
  await shown(page.getByText('A search needs letters or digits, and has at most 200 characters.'));
  await open('/year/2999');
  await shown(page.getByRole('heading', { name: `My year ${new Date(site.now()).getFullYear()}` }));

  await open(bookPath());
  await fill(page, 'My progress', { 'Progress in percent': '3.5' });
  const progress = page.locator('.field', { has: page.getByLabel('Progress in percent') });
  await shown(progress.getByRole('alert').getByText('Enter a whole number.'));
});

test('likes that are hidden from others are hidden on their pages, and counted all the same', async () => {
  const hidden = await site.visit();
  await signUp(hidden, 'Emily Dickinson');
  await hidden.open(bookPath(1));
  await answered(hidden.page, 'Like', () => hidden.page.getByRole('button', likeButton).click());
  const readerId = (await hidden.page.evaluate("JSON.parse(localStorage.getItem('session')).readerId")) as string;
  const other = await site.visit(`/reader/${readerId}`);
  await shown(other.page.getByRole('list', { name: 'Liked books' }).getByRole('link'));

  await hidden.open('/profile');
  const privacy = hidden.page.getByRole('form', { name: 'Privacy' });
  await privacy.getByLabel('My likes are seen by').selectOption('Only me');
  await answered(hidden.page, 'UpdatePrivacy', () => privacy.getByRole('button').click());

  await other.open(`/reader/${readerId}`);
  await shown(other.page.getByText('Emily Dickinson does not show what they like.'));
  await other.open(bookPath(1));
  await shown(other.page.getByText('A reader who shows no likes'));
  expect(await other.page.getByRole('main').getByText('Emily Dickinson').count()).toBe(0);
  await hidden.open(bookPath(1));
  await shown(hidden.page.getByRole('list', { name: 'Likers' }).getByRole('link', { name: 'Emily Dickinson' }));

  await hidden.open('/lists');
  const newList = hidden.page.getByRole('form', { name: 'A new list' });
  await newList.getByLabel('Who may see it').selectOption('Only me');
  await fill(hidden.page, 'A new list', { Name: 'Unsent letters' });
  await shown(hidden.page.getByRole('heading', { name: 'Unsent letters' }));

  const list = hidden.page.getByRole('listitem').filter({ hasText: 'Unsent letters' });
  const eyes = (name: string) => hidden.page.getByRole('navigation', { name: 'Who looks' }).getByRole('link', { name });
  await hidden.open('/profile');
  await hidden.page.getByRole('link', { name: 'What others see of me' }).click();
  await shown(hidden.page.getByText('Emily Dickinson does not show what they like.'));
  expect(await list.count()).toBe(0);
  await eyes('As I see it').click();
  await shown(list.getByText('Seen by: Only me'));
  await shown(hidden.page.getByRole('region', { name: 'Likes' }).getByText('Seen by: Only me'));
  await shown(hidden.page.getByRole('list', { name: 'Liked books' }).getByRole('link'));
  await eyes('As seen by: Readers who are logged in').click();
  await shown(hidden.page.getByText('Emily Dickinson does not show what they like.'));
});

test('a copy is found among all, and its seller gets a mail that they answer', async () => {
  const { app, client } = site.server;
  const folder = app.config.mail.folder ?? '';
  const verified = async (name: string) => {
    const reader = await client().registerSomebody(name);
    await reader.data('mutation { requestEmailVerification { userErrors { code } } }');
    const token = tokenIn(await mailInFolder(folder, reader.email, 'Is this your email?'));
    await reader.mutate('verifyEmail', { token }, '__typename');
    return reader;
  };
  const [seller, buyer] = [await verified('Selma Seller'), await verified('Bo Buyer')];
  const offer = { price: { amount: '4', currency: 'EUR' }, condition: 'GOOD', title: 'Signed', place: 'Oslo' };
  await seller.mutate('listItem', { bookId: books[0], ...offer }, '__typename');

  const visitor = await site.visit();
  const { page } = visitor;
  await logIn(visitor, buyer.email, 'Bo Buyer');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Copies' }).click();
  const order = page.getByRole('form', { name: 'Order' });
  await order.getByLabel('Order', { exact: true }).selectOption('cheapest');
  await order.getByRole('button').click();
  await page.waitForURL('**/copies?order=cheapest&currency=EUR');
  const copy = page.getByRole('list', { name: 'Copies' }).getByRole('listitem').filter({ hasText: 'Good, Oslo' });
  await copy.getByText('Write to the seller').click();
  const consent = copy.getByRole('checkbox', { name: /^The seller may see my email address/ });
  await shown(consent);
  expect(await consent.getAttribute('required')).not.toBeNull();
  await shown(copy.getByText('a message is sent only if they may see your address.'));
  await fill(page, 'Message about Signed', { Message: 'Is it still there?' });
  await shown(copy.getByRole('alert').filter({ hasText: 'The seller answers by mail.' }));
  await shown(consent.and(page.locator(':focus')));
  await consent.check();
  await copy.getByRole('button', { name: 'Send the message' }).click();
  await shown(page.getByText('Your message is on its way.'));
  const mail = await mailInFolder(folder, seller.email, 'A reader writes about your copy of a book');
  expect(mail).toContain(`\nReply-To: ${buyer.email}\n`);
  expect(mail).toContain('\n> Is it still there?\n');
});

test('a lost password is set anew by the link of the mail, which a page shows in development', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await signUp(visitor, 'Mary Shelley');
  await logOut(visitor);
  await open('/lost-password');
  await fill(page, 'Lost password', { Email: email });
  await shown(page.getByText('an email is on its way'));

  const link = page.getByRole('link', { name: /reset#token=/ });
  await expect.poll(async () => (await page.goto('/mails'), link.count())).toBe(1);
  await link.click();
  const password = 'another long password';
  await fill(page, 'New password', { 'New password': password });
  const account = page.getByRole('navigation', { name: 'Account' });
  await shown(account.getByRole('link', { name: 'Mary Shelley' }));

  await logOut(visitor);
  await open('/login');
  await fill(page, 'Log in', { Email: email, Password: PASSWORD });
  await shown(page.getByRole('alert').filter({ hasText: /\w/ }));
  await fill(page, 'Log in', { Password: password });
  await shown(account.getByRole('link', { name: 'Mary Shelley' }));
});

test('a passkey is created, and is then enough to log in', async () => {
  const visitor = await site.visit();
  const { context, page, open } = visitor;
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await signUp(visitor, 'Charles Babbage');
  await open('/profile');
  await page.getByText('Add a passkey').click();
  await fill(page, 'New passkey', { 'Name of the passkey': 'This laptop', Password: PASSWORD });
  await shown(page.getByRole('list', { name: 'Passkeys' }).getByText('This laptop'));

  await logOut(visitor);
  await open('/login');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await shown(page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Charles Babbage' }));
});

test('a second factor is asked for at the login, and a recovery code does as well', async () => {
  const visitor = await site.visit();
  const { page, open } = visitor;
  const email = await signUp(visitor, 'Hedy Lamarr');
  await open('/profile');
  await page.getByText('Turn the second factor on').click();
  await fill(page, 'Second factor', { Password: PASSWORD });
  const section = page.getByRole('region', { name: 'Second factor' });
  const secret = await section.locator('code').innerText();
  const uri = (await section.getByRole('link', { name: 'open the app on this device' }).getAttribute('href')) ?? '';
  expect(uri).toContain(secret);
  const modules = await section.getByRole('img', { name: 'The secret as a QR code' }).locator('path').getAttribute('d');
  const dark = encode(uri, { border: 4 }).data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [[x, y]] : [])),
  );
  const drawn = Array.from(modules?.matchAll(/M(\d+),(\d+)h1v1h-1z/g) ?? [], ([, x, y]) => [Number(x), Number(y)]);
  expect(drawn).toEqual(dark);
  const code = () => new TOTP({ secret }).generate({ timestamp: site.now() });
  await fill(page, 'Confirm the second factor', { Code: code() });
  const recoveryCode = await section
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .first()
    .innerText();

  const account = page.getByRole('navigation', { name: 'Account' });
  for (const given of [code, () => recoveryCode]) {
    await logOut(visitor);
    await open('/login');
    await fill(page, 'Log in', { Email: email, Password: PASSWORD });
    await shown(page.getByRole('alert').filter({ hasText: 'This account has a second factor.' }));
    // A code of the app can be used once.
    site.wait(1);
    await fill(page, 'Log in', { Code: given() });
    await shown(account.getByRole('link', { name: 'Hedy Lamarr' }));
  }
});

test('an account is deleted with its password, and nothing of it is shown or kept', async () => {
  const visitor = await site.visit();
  const { context, page, open } = visitor;
  const email = await signUp(visitor, 'Franz Kafka');
  await open(bookPath());
  await answered(page, 'Like', () => page.getByRole('button', likeButton).first().click());
  const likers = page.getByRole('list', { name: 'Likers' });
  await shown(likers.getByRole('link', { name: 'Franz Kafka' }));

  await open('/profile');
  await page.getByText('Delete the account').click();
  await fill(page, 'Deletion', { 'Current password': `not ${PASSWORD}` });
  await shown(page.getByRole('alert').filter({ hasText: 'This is not the password of your account.' }));
  await fill(page, 'Deletion', { 'Current password': PASSWORD });
  await shown(page.getByRole('status').filter({ hasText: 'Your account is deleted.' }));
  expect(await context.storageState()).toEqual({ cookies: [], origins: [] });

  await open(bookPath());
  await shown(likers.getByRole('link', { name: 'Ada Lovelace' }));
  expect(await likers.getByRole('link', { name: 'Franz Kafka' }).count()).toBe(0);
  await open('/login');
  await fill(page, 'Log in', { Email: email, Password: PASSWORD });
  await shown(page.getByRole('alert').filter({ hasText: 'No account has this email and password.' }));
});
