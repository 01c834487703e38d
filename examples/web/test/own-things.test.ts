import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { doJobsOf } from '../../../src/jobs/operations.ts';
import { registerAdministrator } from '../../../test/support/accounts.ts';
import { isbnOf, ownBooks } from '../../../test/support/books.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { keyOf } from '../../../test/support/ids.ts';
import { answered, openSite, shown, signUp, type Site, type Visitor } from './browser.ts';
import { fill } from './forms.ts';
import { withoutLive } from './live-requests.ts';

/** Readers import libraries, rate and review books and order lists, also by keyboard and screen reader. */

let site: Site;
let books: string[];
beforeAll(async () => {
  site = await openSite();
  books = await ownBooks(site.server.app, 3);
});

const bookPath = (place = 0) => `/book/${books[place]}`;

/** Imports a file in the browser. */
async function upload({ page, open }: Visitor, lines: readonly string[]): Promise<void> {
  await open('/import');
  const buffer = Buffer.from(lines.join('\n'));
  await page.getByLabel('The file').setInputFiles({ name: 'library.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
}

/** The number of books of a list that are loaded at first, and of a list that is longer. */
const [LOADED, LONG_LIST] = [50, 52];
/** The number of books of a shelf that are not all loaded at first. */
const LONG_SHELF = 26;
const HEADER = 'Title,Author,Bookshelves,Exclusive Shelf';

/** Adds books by Ann Lee to the catalogue, with ISBNs that begin at these digits. */
async function addBooks(titles: readonly string[], digits: number): Promise<void> {
  const administrator = await registerAdministrator(site.server);
  for (const [index, title] of titles.entries()) {
    const input = { isbn: isbnOf(digits + index), title, authors: ['Ann Lee'], pages: 100 + index };
    const { userErrors } = await administrator.mutate('addBook', input, '__typename');
    expect(userErrors).toEqual([]);
  }
}

test('a line whose book the catalogue does not have gets a book that the reader finds', async () => {
  const visitor = await site.visit();
  await signUp(visitor, 'Ada Import');
  await upload(visitor, [HEADER, 'The Title Elsewhere,Ann Lee,,read']);
  const { page } = visitor;
  await page.waitForURL('**/import/*');
  // The lines that there are come first.
  await page.getByText('Find the book of “The Title Elsewhere” myself').click();
  const title = `Found Here ${process.pid}`;
  await addBooks([title], 979_500_000_001);
  await fill(page, 'Book of The Title Elsewhere', { 'Title, author or ISBN': title });
  await page.getByRole('button', { name: `It is ${title} by Ann Lee` }).click();
  await shown(page.getByText('On your shelves: 1'));
});

test('a shelf means what the reader sends, not each choice on the way', async () => {
  const visitor = await site.visit();
  await signUp(visitor, 'Grace Import');
  await upload(visitor, [HEADER, 'A Sea Unheard Of,Ann Lee,,beach']);
  const { page } = visitor;
  await page.waitForURL('**/import/*');
  const form = page.getByRole('form', { name: 'Shelf beach' });
  await form.getByLabel(/^beach/).selectOption('READING');
  await form.getByLabel(/^beach/).selectOption('GIVEN_UP');
  await form.getByRole('button').click();
  await shown(page.getByText('The books of “beach” go on the shelf “Given up”.'));
});

test('a file that is empty or too large is refused at its field', async () => {
  const visitor = await site.visit();
  await signUp(visitor, 'Alan Import');
  await upload(visitor, []);
  await shown(visitor.page.getByRole('alert').getByText(/^The file is empty/));
  await upload(visitor, ['x'.repeat(11 * 1_024 * 1_024)]);
  await shown(visitor.page.getByRole('alert').getByText(/larger than 10 MiB/));
});

test('the keyboard goes on at the next line when a line has its book, and an undo says what goes', async () => {
  await addBooks(['Two Doors', 'Two Doors', 'Two Keys', 'Two Keys'], 979_500_000_100);
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Edith Import');
  await upload(visitor, [HEADER, 'Two Doors,Ann Lee,,read', 'Two Keys,Ann Lee,,read', 'Two Locks,Ann Lee,,read']);
  const lines = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await lines
    .getByRole('button', { name: /^It is Two Doors/ })
    .first()
    .press('Enter');
  await shown(page.getByText('On your shelves: 1'));
  await shown(lines.getByRole('button', { name: /^It is Two Keys/ }).and(page.locator(':focus')));
  expect(await lines.count()).toBe(1);

  await page.getByText('Undo this import').click();
  await shown(page.getByText('of 1 book and 1 book that the catalogue does not have.'));
  await shown(page.getByText('What you have said or changed here yourself stays.'));
  await page.getByRole('button', { name: 'Take back what it brought' }).press('Enter');
  await shown(page.getByText('This import was undone.'));
  await shown(page.getByRole('heading', { level: 1 }).and(page.locator(':focus')));
  await visitor.open('/import');
  await shown(page.getByRole('listitem').getByText('Undone', { exact: true }));
});

test('a line is about none of several books, which their pages and ISBNs tell apart', async () => {
  await addBooks(['Twin Tales', 'Twin Tales'], 979_500_000_200);
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Joan Import');
  await upload(visitor, [HEADER, 'Twin Tales,Ann Lee,,read']);
  for (const place of [0, 1]) {
    const facts = `${100 + place} pages · ISBN ${isbnOf(979_500_000_200 + place)}`;
    await shown(page.getByRole('button', { name: `It is Twin Tales by Ann Lee ${facts}` }));
  }
  await page.getByRole('button', { name: 'None of these' }).press('Enter');
  await shown(page.getByText('There are no such lines.'));
  await page.getByRole('button', { name: 'Not in the catalogue: 1' }).click();
  await shown(page.getByText('Find the book of “Twin Tales” myself'));
  expect(await page.getByRole('button', { name: /^It is/ }).count()).toBe(0);
});

test('a line that has a book gets another one, or none', async () => {
  await addBooks(['Wrong Tale', 'Right Tale', 'Known Tale'], 979_500_000_300);
  const visitor = await site.visit();
  const { page } = visitor;
  const reader = await site.server.client().login(await signUp(visitor, 'Mary Import'));
  const { books: known } = await reader.data('{ books(query: "Known Tale", first: 1) { nodes { id } } }');
  await reader.mutate('setReadingStatus', { bookId: known.nodes[0].id, status: 'READING' }, '__typename');
  await upload(visitor, [HEADER, 'Wrong Tale,Ann Lee,,read']);
  const row = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await shown(row.filter({ hasText: /Wrong Tale\s*Ann Lee\s*Read on an unknown day/ }).locator('.cover'));
  const fold = page.locator('details').filter({ hasText: 'Not this book?' });
  await fold.locator('summary').click();
  await shown(fold.getByText('Here it is Wrong Tale by Ann Lee'));
  const search = async (title: string) => {
    await fill(page, 'Book of Wrong Tale', { 'Title, author or ISBN': title });
    await fold.getByRole('button', { name: `It is ${title} by Ann Lee` }).click();
  };
  await search('Right Tale');
  await shown(fold.getByText('Here it is Right Tale by Ann Lee'));
  await shown(row.filter({ hasText: /Right Tale\s*Ann Lee\s*Read on an unknown day\s*In the file: Wrong Tale/ }));
  expect(await page.getByText('On your shelves: 1').count()).toBe(1);

  // The reader has said something else of the book, so that the line has another fate.
  await search('Known Tale');
  await shown(page.getByText('There are no such lines.'));
  await page.getByRole('button', { name: 'Left as it was: 1' }).click();
  await fold.locator('summary').click();
  await page.getByRole('button', { name: 'None of the catalogue' }).click();
  await shown(page.getByText('There are no such lines.'));
  await shown(page.getByText('Not in the catalogue: 1'));
});

/** Makes a list with three books, and returns its address. */
async function makeList(visitor: Visitor, name: string): Promise<string> {
  const { page, open } = visitor;
  await open('/lists');
  await fill(page, 'A new list', { Name: name });
  await shown(page.getByRole('heading', { name }));
  const list = page.url();
  for (const place of [0, 1, 2]) {
    await open(bookPath(place));
    await page.getByText('Add to a list').click();
    await fill(page, 'Add to a list', {});
    await shown(page.getByText(`The book is on “${name}”.`));
  }
  await page.goto(list);
  await shown(page.getByRole('list', { name: 'Books of the list' }).getByRole('listitem').nth(2));
  return list;
}

test('a book is added to no list before the lists are there', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Niklaus Lister');
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<undefined>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('"operationName":"Lists"') === true) await arrival;
    await route.fallback();
  });
  await visitor.open(bookPath());
  await page.getByText('Add to a list').click();
  const list = page.locator('details').filter({ hasText: 'Add to a list' });
  await shown(list.getByRole('status').or(list.getByRole('button')));
  expect(await list.getByRole('button').count()).toBe(0);
  arrive(undefined);
  await shown(list.getByLabel('Name'));
});

test('a list is made at a book, which is then on it, and made once even if the book is not added', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Adele Lister');
  await visitor.open(bookPath());
  await page.getByText('Add to a list').click();
  const form = page.getByRole('form', { name: 'Add to a list' });
  await form.getByLabel('Name').fill('Made here');
  await form.getByLabel('Who may see it').selectOption('Only me');
  await page.route('**/graphql', async (route) => {
    const isAdding = route.request().postData()?.includes('"operationName":"AddToList"') === true;
    return isAdding ? route.abort() : route.fallback();
  });
  await form.getByRole('button').press('Enter');
  await shown(form.getByRole('alert').getByText(/cannot be reached/));
  await page.unroute('**/graphql');
  await form.getByRole('button', { name: 'Add the book' }).press('Enter');
  await shown(page.getByText('The book is on “Made here”.'));
  expect(await form.getByLabel('Name').count()).toBe(0);

  await form.getByLabel('List', { exact: true }).selectOption('A new list …');
  await form.getByRole('button').press('Enter');
  await shown(form.getByRole('alert').getByText(/^A name has/));
  await shown(form.getByLabel('Name').and(page.locator(':focus')));
  await fill(page, 'Add to a list', { Name: 'Made next', Note: 'Twice' });
  await shown(page.getByText('The list “Made next” is made, and the book is on it.'));
  await shown(form.getByRole('button', { name: 'Add the book' }).and(page.locator(':focus')));
  expect(new URL(page.url()).pathname).toBe(`/app${bookPath()}`);

  await page.getByRole('link', { name: 'Lists', exact: true }).click();
  const lists = page.getByRole('list', { name: 'My lists' }).getByRole('listitem');
  await expect
    .poll(() => lists.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Made next\s*Seen by: Everyone\s*1 book, 0 likes$/),
      expect.stringMatching(/^Made here\s*Seen by: Only me\s*1 book, 0 likes$/),
    ]);
});

test('the keyboard stays with the book that it moves, and hears its place', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Barbara Lister');
  await makeList(visitor, 'In order');
  const entries = page.getByRole('list', { name: 'Books of the list' }).getByRole('listitem');
  const [first = ''] = await entries.getByRole('link').allTextContents();
  const focused = () => page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""');

  const up = page.getByRole('button', { name: `Move ${first} up` });
  const down = page.getByRole('button', { name: `Move ${first} down` });
  await down.focus();
  for (const place of [2, 3]) {
    await answered(page, 'MoveInList', () => page.keyboard.press('Enter'));
    await shown(page.getByRole('status').getByText(`${first} is number ${place} of 3.`));
    await expect.poll(focused).toBe(`Move ${first} down`);
  }
  await page.keyboard.press('Enter');
  await up.focus();
  for (const place of [2, 1]) {
    await answered(page, 'MoveInList', () => page.keyboard.press('Enter'));
    await shown(page.getByRole('status').getByText(`${first} is number ${place} of 3.`));
    await expect.poll(focused).toBe(`Move ${first} up`);
  }
  await page.getByRole('button', { name: `Remove ${first}` }).click();
  await shown(page.getByRole('status').getByText(`${first} is no longer on the list.`));
  await shown(entries.first().getByRole('link').and(page.locator(':focus')));
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await shown(page.getByRole('status').getByText(`${first} is back on the list.`));
  expect(await entries.first().getByRole('link').textContent()).toBe(first);
  await page.reload();
  await shown(entries.nth(2));
  expect(await entries.first().getByRole('link').textContent()).toBe(first);
});

test(
  'the note about a book of a list is written, changed and removed, and a refused one stays in ' + 'its field',
  async () => {
    const visitor = await site.visit();
    const { page } = visitor;
    await signUp(visitor, 'Ursula Lister');
    const list = await makeList(visitor, 'With notes');
    const row = page.getByRole('list', { name: 'Books of the list' }).getByRole('listitem').nth(1);
    const title = (await row.getByRole('link').textContent()) ?? '';
    const save = async (note: string) => {
      await row.locator('summary').press('Enter');
      await fill(page, `Note about ${title}`, { Note: note });
    };
    await save('x'.repeat(1_001));
    await shown(row.getByRole('alert').getByText(/1,001/));
    await fill(page, `Note about ${title}`, { Note: 'Lent to Vera' });
    await shown(page.getByRole('status').getByText(`The note about ${title} is saved.`));
    await shown(row.locator('summary:focus'));
    await page.reload();
    await shown(row.getByText('Lent to Vera'));

    await save('Lent to Ann');
    await shown(row.getByText('Lent to Ann'));
    await visitor.open(bookPath(1));
    await page.getByText('Add to a list').click();
    await fill(page, 'Add to a list', { Note: 'Lent to nobody' });
    await shown(page.getByRole('alert').getByText('Its note is changed on the page of the list.'));
    await page.goto(list);
    await shown(row.getByText('Lent to Ann'));
    await save('');
    await shown(page.getByRole('status').getByText(`${title} has no note any more.`));
    expect(await row.getByText('Lent to Ann').count()).toBe(0);
  },
);

test('the last book that is loaded of a long list moves down, and no book is shown twice', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  const owner = await site.server.client().login(await signUp(visitor, 'Iris Lister'));
  const many = await ownBooks(site.server.app, LONG_LIST);
  const { list } = await owner.mutate('createList', { name: 'Long', audience: 'EVERYONE' }, 'list { id }');
  for (const bookId of many) await owner.mutate('addToList', { listId: list.id, bookId }, '__typename');

  await visitor.open(`/list/${list.id}`);
  const entries = page.getByRole('list', { name: 'Books of the list' }).getByRole('listitem');
  await shown(entries.nth(LOADED - 1));
  const title =
    (await entries
      .nth(LOADED - 1)
      .getByRole('link')
      .textContent()) ?? '';
  const down = page.getByRole('button', { name: `Move ${title} down` });
  for (const place of [LOADED + 1, LONG_LIST]) {
    await answered(page, 'MoveInList', () => down.press('Enter'));
    await shown(page.getByRole('status').getByText(`${title} is number ${place} of ${LONG_LIST}.`));
    await shown(down.and(page.locator(':focus')));
  }
  const inOrder = await entries.getByRole('link').allTextContents();
  expect(new Set(inOrder).size).toBe(LONG_LIST);
  expect(inOrder.at(-1)).toBe(title);
  await page.reload();
  await page.getByRole('button', { name: 'Show more books' }).press('Enter');
  await shown(entries.nth(LONG_LIST - 1));
  expect(await entries.getByRole('link').allTextContents()).toEqual(inOrder);
});

test('a long shelf goes on to its end', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  const reader = await site.server.client().login(await signUp(visitor, 'Iris Shelf'));
  const many = await ownBooks(site.server.app, LONG_SHELF);
  for (const bookId of many) await reader.mutate('setReadingStatus', { bookId, status: 'WANT_TO_READ' }, '__typename');

  await visitor.open('/shelves');
  const books = page.getByRole('region', { name: 'Want to read' }).getByRole('listitem');
  await shown(books);
  const before = await books.count();
  expect(before).toBeLessThan(LONG_SHELF);
  await page.getByRole('button', { name: 'Show more of “Want to read”' }).press('Enter');
  await shown(books.nth(LONG_SHELF - 1));
  await shown(books.nth(before).locator(':focus'));
  expect(await books.count()).toBe(LONG_SHELF);
});

test('a list gets another name and audience, is found at its reader, and is deleted', async () => {
  const [owner, other] = [await site.visit(), await site.visit()];
  await signUp(owner, 'Edsger Lister');
  const list = await makeList(owner, 'Draft');
  await signUp(other, 'Tony Reader');
  await owner.page.getByText('Change the list').click();
  await fill(owner.page, 'The list', { Name: 'Final', Description: 'The best ones' });
  await shown(owner.page.getByRole('heading', { name: 'Final' }));

  await other.page.goto(list);
  await shown(other.page.getByText('The best ones'));
  expect(await other.page.getByText('Change the list').count()).toBe(0);
  await other.page.getByText('Report the list').click();
  await fill(other.page, 'Report', { Comment: 'Not the best' });
  await shown(other.page.getByText('Thank you. The administrators will look at it.'));
  await other.page.getByRole('main').getByRole('link', { name: 'Edsger Lister' }).click();
  const lists = other.page.getByRole('list', { name: 'Lists of the reader' });
  await shown(lists.getByText('3 books, 0 likes'));
  await lists.getByRole('link', { name: 'Final' }).click();
  await answered(other.page, 'Like', () => other.page.getByRole('button', { name: 'Like Final' }).click());
  await other.open('/history/log');
  await shown(other.page.getByRole('list', { name: 'Actions' }).getByRole('link', { name: 'Final' }));

  await owner.page.getByText('Delete the list', { exact: true }).click();
  await fill(owner.page, 'Deletion', {});
  await shown(owner.page.getByText('You have no list yet.'));
});

test('a changed review keeps its language; others can report it, and a long one is folded', async () => {
  const [author, other] = [await site.visit(), await site.visit()];
  const client = await site.server.client().login(await signUp(author, 'Frances Writer'));
  const input = { bookId: books[1], text: 'Kurz.', hasSpoilers: false, language: 'de' };
  await client.mutate('writeReview', input, '__typename');
  await author.open(bookPath(1));
  const long = `${'L'.repeat(299)}😀 ${'Sehr lang. '.repeat(300)}Ende.`;
  await fill(author.page, 'My review', { 'What I think of the book': long });
  await shown(author.page.getByText('Your review is there for everybody to read.'));
  const { node } = await client.data(`{ node(id: "${books[1]}") { ... on Book { viewerReview { language } } } }`);
  expect(node.viewerReview.language).toBe('de');

  await signUp(other, 'John Reader');
  await other.open(bookPath(1));
  const review = other.page.getByRole('list', { name: 'Reviews' }).getByRole('listitem');
  const text = review.getByText('Ende.');
  await shown(review.getByText('😀 … (read on)'));
  expect(await text.isVisible()).toBe(false);
  await review.getByText('(read on)').click();
  expect(await text.isVisible()).toBe(true);
  await answered(other.page, 'Like', () => review.getByRole('button', { name: /^Like / }).click());
  await review.getByText('Report the review by Frances Writer').click();
  await fill(other.page, 'Report', { Comment: 'Too long' });
  await shown(other.page.getByText('Thank you. The administrators will look at it.'));
  await shown(review.getByText('You have reported it.'));
  await shown(review.locator('summary:focus', { hasText: 'Report the review' }));
  await other.open('/history/log');
  await other.page.getByRole('link', { name: /^a review of / }).click();
  await other.page.waitForURL(`**/book/${encodeURIComponent(books[1] ?? '')}`);
});

test('a review that was taken down says why to its author', async () => {
  const visitor = await site.visit();
  const author = await site.server.client().login(await signUp(visitor, 'Simone Writer'));
  const [bookId] = await ownBooks(site.server.app, 1);
  const { review } = await author.mutate('writeReview', { bookId, text: 'Bad.', hasSpoilers: false }, 'review { id }');
  const administrator = await registerAdministrator(site.server);
  await administrator.mutate('takeDown', { id: review.id, reason: 'It offends' }, '__typename');
  await visitor.open(`/book/${bookId}`);
  const shownReview = visitor.page.getByRole('list', { name: 'Reviews' }).getByRole('listitem');
  await shown(shownReview.getByText('An administrator took it down: It offends'));
});

test('reviews are shown by likes or by date, and a new one is in both orders at once', async () => {
  const bookId = books[2] ?? '';
  const write = { bookId, text: 'First of all.', hasSpoilers: false };
  const [first, second] = [
    await site.server.client().registerSomebody('First Reviewer'),
    await site.server.client().registerSomebody('Second Reviewer'),
  ];
  const { review } = await first.mutate('writeReview', write, 'review { id }');
  await second.mutate('writeReview', { ...write, text: 'Second to none.' }, '__typename');
  await first.like(review.id);
  await doJobsOf(site.server.app, { type: 'Review', key: keyOf(review.id) });

  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Third Reviewer');
  const authors = () => page.getByRole('list', { name: 'Reviews' }).getByRole('link').allTextContents();
  await visitor.open(bookPath(2));
  await expect.poll(authors).toEqual(['First Reviewer', 'Second Reviewer']);
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect.poll(authors).toEqual(['Second Reviewer', 'First Reviewer']);

  await fill(page, 'My review', { 'What I think of the book': 'Third time lucky.' });
  await expect.poll(authors).toEqual(['Third Reviewer', 'Second Reviewer', 'First Reviewer']);
  await page.getByRole('button', { name: 'Most liked' }).click();
  await expect.poll(authors).toEqual(['First Reviewer', 'Third Reviewer', 'Second Reviewer']);
});

test('a page of a reader has their reviews and ratings, unless they hide what they have read', async () => {
  const author = await site.server.client().registerSomebody('Agatha Critic');
  const other = await site.visit();
  const { page } = other;
  const review = { bookId: books[0], text: 'Well plotted.', hasSpoilers: false };
  await author.mutate('writeReview', review, '__typename');
  await author.mutate('rateBook', { bookId: books[1], rating: 4.5 }, '__typename');
  const reader = `/reader/${author.viewerId}`;
  await other.open(reader);
  const reviews = page.getByRole('list', { name: 'Reviews of the reader' });
  await shown(reviews.getByText('Well plotted.'));
  expect(await page.getByRole('list', { name: 'Rated books' }).count()).toBe(0);

  await author.mutate('updatePrivacy', { likes: 'EVERYONE', readings: 'EVERYONE' }, '__typename');
  await other.open(reader);
  await shown(page.getByRole('list', { name: 'Rated books' }).getByText('4.5 stars'));
  await reviews.getByRole('link').click();
  await page.waitForURL(`**/book/${encodeURIComponent(books[0] ?? '')}`);
});

test('a rating by a screen reader, which presses no key, is sent when the slider is left', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Donald Rater');
  await visitor.open(bookPath(2));
  const slider = page.getByRole('slider', { name: 'My rating' });
  await slider.focus();
  await slider.fill('3.5');
  await answered(page, 'RateBook', () => page.getByRole('searchbox').focus());
  await shown(page.getByText('3.50 of 5, 1 rating'));
});

test('the keyboard stays near what goes away', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Olive Keys');
  await visitor.open(bookPath());
  const focused = page.locator(':focus');
  const review = page.getByRole('form', { name: 'My review' });
  await review.getByRole('textbox').fill('Short.');
  await review.getByRole('button').press('Enter');
  await shown(review.getByRole('button', { name: 'Change my review' }).and(focused));
  await page.getByText('Delete my review').press('Enter');
  await page.getByRole('button', { name: 'Delete it with its former texts' }).press('Enter');
  await shown(page.getByText('Your review is deleted.'));
  await shown(page.getByRole('heading', { name: 'Reviews' }).and(focused));
  expect(await review.getByRole('textbox').inputValue()).toBe('');

  await page.getByRole('slider', { name: 'My rating' }).press('End');
  await page.getByRole('button', { name: 'Take my rating back' }).press('Enter');
  await shown(page.getByText('Your rating is taken back.'));
  await shown(page.getByRole('heading', { name: 'Ratings' }).and(focused));
});

test('no page is wider than a narrow window', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await page.setViewportSize({ width: 320, height: 640 });
  await signUp(visitor, 'Tim Narrow');
  const list = new URL(await makeList(visitor, 'A list')).pathname.replace('/app', '');
  await visitor.open(bookPath());
  await fill(page, 'Mark as read', { 'Finished on': '2024-03-05' });
  await shown(page.getByText('The book is marked as read.'));
  await visitor.open('/year/2024');
  await page.getByRole('button', { name: 'Share the year' }).click();
  await shown(page.getByRole('button', { name: 'Stop sharing the year' }));
  await withoutLive(visitor);
  for (const path of [
    '/',
    '/search',
    bookPath(),
    '/import',
    '/shelves',
    '/year',
    '/year/2024',
    '/copies',
    '/feed',
    '/lists',
    list,
    '/profile',
    '/history',
    '/history/2024',
    '/history/log',
  ]) {
    await visitor.open(path);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320);
  }
});

test('a goal that is no whole number is refused in plain words, and no pages are told that nobody knows', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Margaret Reader');
  await visitor.open(bookPath());
  await fill(page, 'Mark as read', { 'Finished on': '2024-03-05' });
  await shown(page.getByText('The book is marked as read.'));
  await visitor.open('/year/2024');
  for (const wrong of ['2.5', '0', '10001', 'many']) {
    await fill(page, 'Goal', { 'Books to read': '1' });
    await shown(page.getByText('1 of one book'));
    await fill(page, 'Goal', { 'Books to read': wrong });
    await shown(page.getByRole('alert').getByText('A goal is a whole number of books, from 1 to 10,000.'));
  }
  await fill(page, 'Goal', { 'Books to read': '1' });
  await shown(page.getByText('Your goal is one book.'));
  expect(await page.getByText('0 pages').count()).toBe(0);
});

test('the library is downloaded as a file, which can be imported again', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await signUp(visitor, 'Radia Exporter');
  await visitor.open(bookPath());
  await fill(page, 'Mark as read', { 'Finished on': '2024-03-05' });
  await shown(page.getByText('The book is marked as read.'));
  await visitor.open('/profile');
  await page.getByText('Download my data').click();
  await fill(page, 'Download', { 'Current password': 'wrong' });
  await shown(
    page
      .getByRole('form', { name: 'Download' })
      .getByRole('alert')
      .getByText(/password/),
  );
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    fill(page, 'Download', { 'Current password': PASSWORD }),
  ]);
  expect(file.suggestedFilename()).toBe('my-library.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  await upload(visitor, lines);
  await shown(page.getByText('On your shelves: 1'));
});
