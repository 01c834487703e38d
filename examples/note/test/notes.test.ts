import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { callersOf, LIBRARY, testInput, type Callers } from './support/input-errors.ts';

/** Readers write notes about books. */

let server: TestServer;
let callers: Callers;
let books: string[];

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
  callers = await callersOf(server);
  books = await ownBooks(server.app, 5);
});

const note = async (reader: Client, bookId: string, text: string | null) => {
  const { book, userErrors } = await reader.mutate('noteBook', { bookId, text }, 'book { viewerNote { text } }');
  expect(userErrors).toEqual([]);
  return book.viewerNote?.text ?? null;
};

const notedBy = (reader: Client, direction: 'forward' | 'backward' = 'forward') =>
  reader.allPages(2, direction, async (args) => {
    const edges = `edges { cursor text notedAt node { id viewerNote { text notedAt } } }`;
    return (await reader.data(`{ viewerNotes(${args}) { ${edges} ${PAGE_INFO} } }`)).viewerNotes;
  });

const idOf = ({ viewerId }: Client) => Buffer.from(viewerId, 'base64url').toString().replace('User:', '');

describe('notes', () => {
  testInput(
    'noteBook',
    { who: 'reader', input: { bookId: LIBRARY, text: '' }, wrong: ['bookId', 'text'] },
    () => callers,
  );

  test('a note is changed, taken back and given again', async () => {
    const reader = await server.client().registerSomebody();
    for (const text of ['good', 'good', 'better', null, null, 'bad'])
      expect(await note(reader, books[0]!, text)).toBe(text);
    expect(await notedBy(reader)).toMatchObject([{ text: 'bad', node: { id: books[0], viewerNote: { text: 'bad' } } }]);
    expect((await server.client().data('{ viewerNotes { nodes { id } } }')).viewerNotes).toBeNull();
  });

  test('the list is read in pages, newest note first, with the notes themselves', async () => {
    const reader = await server.client().registerSomebody();
    for (const [index, id] of books.entries()) await note(reader, id, `note ${index}`);
    await note(reader, books[0]!, 'changed');
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await notedBy(reader, direction);
      expect(edges.map(({ node }) => node.id)).toEqual(books.toReversed());
      for (const { text, notedAt, node } of edges) expect(node.viewerNote).toEqual({ text, notedAt });
    }
  });

  test('the audit finds a lost row and a surplus row of the list, and repairs both', async () => {
    const reader = await server.client().registerSomebody();
    await note(reader, books[0]!, 'four');
    expect(await audited(server.app, [auditOf('notes')])).toMatchObject({ drift: [] });

    const { client } = server.app.cassandra;
    await client.execute('DELETE FROM notes_by_user_by_noted_at USING TIMESTAMP 1 WHERE user_id = ?', [idOf(reader)]);
    await client.execute(
      'INSERT INTO notes_by_user_by_noted_at (user_id, noted_at, book_id, text) VALUES (?, ' +
        "'2020-01-01', 'none', 'x') USING TIMESTAMP 10",
      [idOf(reader)],
    );
    const { drift } = await audited(server.app, [auditOf('notes')], { repair: true });
    expect(drift.map(({ repaired }) => repaired)).toEqual([true, true]);
    expect(await audited(server.app, [auditOf('notes')])).toMatchObject({ drift: [] });
    expect(await notedBy(reader)).toMatchObject([{ text: 'four', node: { id: books[0] } }]);
  });

  test('notes are exported', async () => {
    const reader = await server.client().registerSomebody();
    await note(reader, books[0]!, 'two');
    const exported = (await (await reader.exportMyData()).json()) as Record<string, unknown>;
    expect(exported['notes_by_user']).toMatchObject([{ text: 'two' }]);
  });

  test('notes are deleted with the account', async () => {
    const reader = await server.client().registerSomebody();
    for (const id of books) await note(reader, id, 'two');
    const { userErrors } = await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(userErrors).toEqual([]);
    expect(await server.rowsAbout([idOf(reader)])).toEqual(['users_by_id']);
  });
});
