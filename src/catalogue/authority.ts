import type { LimitFunction } from 'p-limit';
import { z } from 'zod';
import { inBatches } from '../cassandra/batches.ts';
import { settle } from '../cassandra/settle.ts';
import { applied, batch, first, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context.ts';
import { authority, changeOf } from '../transactions/authority.ts';
import { beginTask } from '../tasks/operations.ts';
import type { Step } from '../transactions/operations.ts';
import { listingOf, listingWrites } from './listing.ts';
import { insertBook, selectBookSerially, updateBook, type BookState } from './tables.ts';

const bookChange = z.strictObject({ bookId: z.string() });
type BookChange = z.infer<typeof bookChange>;

/** What is known of a book, however it came into the catalogue. */
export type BookFields = Omit<BookState, 'version' | 'changed_at' | 'change_id' | 'removed_at' | 'former' | 'retitled'>;

const NOTHING: BookFields = {
  isbn: null,
  title: '',
  original_title: null,
  authors: [],
  published_year: null,
  language_code: null,
  average_rating: null,
  ratings_count: null,
};

const rowOf = ({ cassandra }: AppContext, bookId: string) => ({
  read: async () => (await first(cassandra, selectBookSerially, { book_id: bookId }))?.state,
  insert: (state: BookState) => applied(cassandra, insertBook, { book_id: bookId, state }),
  replace: (current: BookState, next: BookState) => applied(cassandra, updateBook, { book_id: bookId, current, next }),
});

/** What decides what is known of a book. */
export const bookAuthority = authority<BookChange, BookState>({
  name: 'book',
  payload: bookChange,
  row: (app, { bookId }) => rowOf(app, bookId),
  unmade: { ...NOTHING, removed_at: null, former: null, retitled: false },
  follow,
});

/** Changes a book: the authority's row first, then the lists by author and by word; its title in what is about it. */
export const bookTransaction = bookAuthority.transaction;

/** Brings the lists up to a state of the authority. May be repeated at any time. */
async function follow(app: AppContext, { bookId }: BookChange, state: BookState, step: Step): Promise<void> {
  const writes = await listingWrites(app.cassandra, bookId, state);
  if (writes.length > 0)
    await step('lists', async () => {
      for (const part of inBatches(writes, listOf)) await batch(app.cassandra, part);
    });
  if (!state.retitled) return;
  const subject = { type: 'Book', key: bookId } as const;
  await step('task', () => beginTask(app, subject, 'RETITLE', state.version, state.changed_at));
}

/** The list that a row is written into. */
const listOf = ({ label, params }: Bound) => `${label} ${String(params['author'] ?? params['prefix'])}`;

/**
 * The state that follows a book's with some of its fields changed; `undefined` when it says so already.
 * @throws {CassandraError} when the lists could not be brought up to the state before
 */
export async function changedBook(
  app: AppContext,
  bookId: string,
  state: BookState | undefined,
  fields: Partial<BookFields> & { readonly removed_at?: Date | null },
  now: Date,
  step: Step,
): Promise<BookState | undefined> {
  const before = state ?? { ...NOTHING, removed_at: null };
  const after = { ...before, ...fields };
  if (state && isSame(state, { ...state, ...fields })) return undefined;
  // The new state knows only what the newest one was listed under and called: what came before must have been followed.
  if (state && (state.former ?? state.retitled)) await follow(app, { bookId }, state, step);
  const retitled = before.title !== '' && before.title !== after.title;
  return { ...after, ...changeOf(app, state, now), former: state ? listingOf(state) : null, retitled };
}

const isSame = (one: BookState, other: BookState) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Makes books of the catalogue what a file says of them. For many at once: only one that is there already, and differs, is
 * changed by a transaction; new ones that a kill leaves without their lists get them when the import is repeated. What goes
 * into one list is written together.
 * @param limit how much is written at once
 */
export async function putBooks(
  app: AppContext,
  books: readonly { readonly bookId: string; readonly fields: BookFields }[],
  limit: LimitFunction,
): Promise<void> {
  const lists = await limit.map(books, ({ bookId, fields }) => putBook(app, bookId, fields));
  await limit.map(inBatches(lists.flat(), listOf), (writes) => batch(app.cassandra, writes));
}

/** @returns what is to be written into the lists */
async function putBook(app: AppContext, bookId: string, fields: BookFields): Promise<Bound[]> {
  const now = app.clock();
  const state: BookState = {
    ...fields,
    ...changeOf(app, undefined, now),
    removed_at: null,
    former: null,
    retitled: false,
  };
  const found = await settle(app.cassandra, () => applied(app.cassandra, insertBook, { book_id: bookId, state }));
  if (found.applied) return listingWrites(app.cassandra, bookId, state);
  const current = found.current?.state;
  if (current && isSame(current, { ...current, ...fields })) return listingWrites(app.cassandra, bookId, current);
  await bookAuthority.change(app, { bookId }, current, (latest, step) =>
    changedBook(app, bookId, latest, fields, now, step),
  );
  return [];
}
