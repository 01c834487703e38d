import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type Connection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { requireViewer } from '../identity/operations.ts';
import { notes } from './aggregate.ts';
import { viewerNoteLoader } from './loaders.ts';
import { notedBooks } from './tables.ts';

/** Stores the notes of readers about books, and lists the books with a note. */

const LENGTH_MAX = 1_000;

/** A note that was not taken back. */
export interface Note {
  readonly text: string;
  readonly notedAt: Date;
}

/**
 * Writes the viewer's note about a book, or takes it back if no text is given.
 * @throws {UserError} `INVALID_INPUT` about `bookId` or `text`, `NOT_FOUND` about `bookId`
 */
export async function noteBook(context: RequestContext, input: { bookId: string; text?: string | null }) {
  const viewer = await requireViewer(context);
  const { bookId, text } = readInput({
    bookId: () => bookIdInput(input.bookId),
    text: () => textInput(input.text ?? null),
  });
  const book = await requireBook(context, bookId);
  const key = { userId: viewer.id, bookId };

  const expected = await notes.read(context, key);
  await notes.change(context, key, expected, (state, at) => {
    const former = state?.text ?? null;
    if (text === former) return undefined;
    // A changed note keeps its place in the list.
    return { text, noted_at: former === null ? at : (state?.noted_at ?? at) };
  });

  viewerNoteLoader(context).clear(bookId);
  return { book };
}

function textInput(text: string | null): string | null {
  if (text === null || (text.length >= 1 && text.length <= LENGTH_MAX)) return text;
  throw new UserError('INVALID_INPUT', `A note has 1 to ${LENGTH_MAX} characters.`, ['input', 'text']);
}

/** Returns the viewer's note about a book; null if there is none. */
export async function viewerNote(context: RequestContext, bookId: string): Promise<Note | null> {
  const { text = null, noted_at = null } = (await viewerNoteLoader(context).load(bookId))?.state ?? {};
  return text !== null && noted_at ? { text, notedAt: noted_at } : null;
}

/** A book about which a reader has a note. */
export interface NotedBookEdge extends Note {
  readonly cursor: Cursor;
  readonly bookId: string;
}

/**
 * Returns a page of the books about which a reader has a note, last one first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function notedBooksOf(
  { cassandra }: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<Connection<NotedBookEdge>> {
  const list = { ...notedBooks.list(cassandra, { user_id: userId }), name: `noted ${userId}`, descending: true };
  return connection(page, list, ({ noted_at, book_id, text }, cursor) => ({
    cursor,
    bookId: book_id,
    text,
    notedAt: noted_at,
  }));
}
