import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { isbnOf } from './support/books.ts';
import type { Client } from './support/client.ts';
import { doAllJobs } from './support/jobs.ts';
import { importOf, untilImported, type Import } from './support/library-imports.ts';

/** The reviews in the files of other services, which readers may publish here. */

let server: TestServer;
let administrator: Client;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  administrator = await registerAdministrator(server);
});

const HEADER = 'Title,Author,ISBN13,Bookshelves,Exclusive Shelf,My Review,Spoiler,Private Notes';
const fileOf = (...lines: string[]) => Buffer.from([HEADER, ...lines].join('\n'));

/** Adds a book with a title that no other test uses. */
async function addBook(title: string, digits: number): Promise<{ id: string; isbn: string }> {
  const isbn = isbnOf(979_600_000_000 + digits);
  const { book, userErrors } = await administrator.mutate(
    'addBook',
    { isbn, title, authors: ['Ann Lee'] },
    'book { id }',
  );
  expect(userErrors).toEqual([]);
  return { id: book.id, isbn };
}

/** Imports lines for a new reader, and publishes their reviews. */
async function published(...lines: string[]): Promise<{ reader: Client; done: Import }> {
  const reader = await server.client().registerSomebody();
  const { id } = await untilImported(reader, fileOf(...lines));
  await publish(reader, id);
  return { reader, done: await importOf(reader, id) };
}

const publish = (reader: Client, importId: string) =>
  reader.mutate('publishImportedReviews', { importId }, 'libraryImport { status reviews publishesReviews }');

/** Returns the reviews of a book that everybody sees. */
async function reviewsOf(bookId: string): Promise<unknown> {
  const { node } = await server
    .client()
    .data(`{ node(id: "${bookId}") { ... on Book { reviews { nodes { text hasSpoilers showsRating } } } } }`);
  return node.reviews.nodes;
}

const review = (text: string, hasSpoilers = false) => ({ text, hasSpoilers, showsRating: true });

describe('the reviews of a file', () => {
  test('are published only when the reader asks for it, and private notes never', async () => {
    const [one, two] = [await addBook('Said Elsewhere', 1), await addBook('Said of the End', 2)];
    const reader = await server.client().registerSomebody();
    const { id } = await untilImported(
      reader,
      fileOf(
        'Said Elsewhere,Ann Lee,,,read,"Read in <b>one</b> night.<br/>Twice &amp; again.",,Lent to Bo',
        'Said of the End,Ann Lee,,,read,They all live.,true,',
        'Said Elsewhere Not,Ann Lee,,,read,Unheard of.,,',
      ),
    );
    expect([await reviewsOf(one.id), await reviewsOf(two.id)]).toEqual([[], []]);

    const { libraryImport, userErrors } = await publish(reader, id);
    expect(userErrors).toEqual([]);
    expect(libraryImport).toEqual({ status: 'DONE', reviews: 3, publishesReviews: true });
    expect(await reviewsOf(one.id)).toEqual([review('Read in one night.\nTwice & again.')]);
    expect(await reviewsOf(two.id)).toEqual([review('They all live.', true)]);

    const { rows } = await server.app.cassandra.client.execute('SELECT * FROM reviews');
    expect(JSON.stringify(rows)).not.toContain('Lent to Bo');
    await publish(reader, id);
    expect(await reviewsOf(one.id)).toHaveLength(1);
  });

  test('are published when their book is added to the catalogue', async () => {
    const { reader } = await published('Said Too Early,Ann Lee,,,read,Ahead of its time.,,');
    const { id } = await addBook('Said Too Early', 11);
    await doAllJobs(server.app);
    expect(await reviewsOf(id)).toEqual([review('Ahead of its time.')]);
    await reader.mutate('deleteAccount', { password: 'correct horse' }, '__typename');
    expect(await reviewsOf(id)).toEqual([]);
  });

  test('do not change a review that the reader has written or deleted here', async () => {
    const [mine, gone] = [await addBook('Mine Already', 21), await addBook('Gone Already', 22)];
    const reader = await server.client().registerSomebody();
    await reader.mutate('writeReview', { bookId: mine.id, text: 'As I say', hasSpoilers: false }, '__typename');
    await reader.mutate('writeReview', { bookId: gone.id, text: 'Once', hasSpoilers: false }, '__typename');
    await reader.mutate('deleteReview', { bookId: gone.id }, '__typename');
    const { id } = await untilImported(
      reader,
      fileOf('Mine Already,Ann Lee,,,read,As I said,,', 'Gone Already,Ann Lee,,,read,As I said,,'),
    );
    await publish(reader, id);
    const { rows } = await importOf(reader, id);
    const reason = 'Your existing review was kept.';
    expect(rows).toMatchObject([
      { fate: 'MATCHED', reason },
      { fate: 'MATCHED', reason },
    ]);
    expect([await reviewsOf(mine.id), await reviewsOf(gone.id)]).toEqual([[review('As I say')], []]);
  });

  test('are deleted with their import, unless the reader has edited them, and are added again with it', async () => {
    const [kept, edited] = [await addBook('Only Imported', 31), await addBook('Edited Since', 32)];
    const lines = ['Only Imported,Ann Lee,,,read,From the file,,', 'Edited Since,Ann Lee,,,read,From the file,,'];
    const { reader, done } = await published(...lines);
    await reader.mutate('writeReview', { bookId: edited.id, text: 'My own now', hasSpoilers: false }, '__typename');
    await reader.mutate('undoImport', { importId: done.id }, '__typename');
    expect([await reviewsOf(kept.id), await reviewsOf(edited.id)]).toEqual([[], [review('My own now')]]);

    const again = await untilImported(reader, fileOf(...lines));
    expect(again.id).toBe(done.id);
    expect(await reviewsOf(kept.id)).toEqual([]);
    await publish(reader, done.id);
    expect([await reviewsOf(kept.id), await reviewsOf(edited.id)]).toEqual([
      [review('From the file')],
      [review('My own now')],
    ]);
  });

  test('are not added if an administrator took the review down', async () => {
    const { id } = await addBook('Taken Down', 41);
    const { reader, done } = await published('Taken Down,Ann Lee,,,read,Vile,,');
    const { node } = await server.client().data(`{ node(id: "${id}") { ... on Book { reviews { nodes { id } } } } }`);
    const input = { id: node.reviews.nodes[0].id, reason: 'vile' };
    expect((await administrator.mutate('takeDown', input, '__typename')).userErrors).toEqual([]);
    await reader.mutate('undoImport', { importId: done.id }, '__typename');
    await untilImported(reader, fileOf('Taken Down,Ann Lee,,,read,Vile,,'));
    await publish(reader, done.id);
    expect(await reviewsOf(id)).toEqual([]);
    expect((await importOf(reader, done.id)).rows[0]?.reason).toContain('Your existing review was kept');
  });

  test.for([
    ['a mark of a service that does not tell the plot', 'Fine,false', review('Fine')],
    ['the mark inside the text', '"<spoiler>He dies</spoiler>",', review('He dies', true)],
    ['less-than signs, which are no tags', 'a < b &amp; c,', review('a < b & c')],
    ['a text that a spreadsheet would run', "'=1+1,", review("'=1+1")],
  ] as const)('with %s', async ([name, cells, shown]) => {
    const { id } = await addBook(`A Review with ${name}`, 50 + name.length);
    await published(`"A Review with ${name}",Ann Lee,,,read,${cells},`);
    expect(await reviewsOf(id)).toEqual([shown]);
  });

  test('that cannot be shown is left out with a warning', async () => {
    const { id } = await addBook('Invisible', 91);
    const { done } = await published('Invisible,Ann Lee,,,read,a\u202Eb,,');
    expect(done.rows[0]).toMatchObject({
      fate: 'MATCHED',
      reason: expect.stringMatching(/^The review .* was not published\.$/),
    });
    expect(await reviewsOf(id)).toEqual([]);
  });

  test('cannot be published by another reader', async () => {
    const { done } = await published('Whatever,Ann Lee,,,read,Text,,');
    const other = await server.client().registerSomebody();
    expect((await publish(other, done.id)).userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'importId'] },
    ]);
  });

  test('result in lists that agree with the states', async () => {
    expect((await audited(server.app, [auditOf('reviews')])).drift).toEqual([]);
  });
});
