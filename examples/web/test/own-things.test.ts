import { beforeAll, test } from 'vitest';
import { registerAdministrator } from '../../../test/support/accounts.ts';
import { isbnOf, ownBooks } from '../../../test/support/books.ts';
import { openSite, shown, signUp, type Site, type Visitor } from './browser.ts';
import { fill } from './forms.ts';

/** What readers bring with them, say of books, and put into an order, by the keyboard and with a screen reader. */

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

const HEADER = 'Title,Author,Bookshelves,Exclusive Shelf';

test('a line whose book the catalogue does not have gets a book that the reader finds', async () => {
  const visitor = await site.visit();
  await signUp(visitor, 'Ada Import');
  await upload(visitor, [HEADER, 'The Title Elsewhere,Ann Lee,,read']);
  const { page } = visitor;
  await page.waitForURL('**/import/*');
  // The lines that there are come first.
  await page.getByText('Find the book of “The Title Elsewhere” myself').click();
  const title = `Found Here ${process.pid}`;
  const administrator = await registerAdministrator(site.server);
  await administrator.mutate('addBook', { isbn: isbnOf(979_500_000_001), title, authors: ['Ann Lee'] }, '__typename');
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
