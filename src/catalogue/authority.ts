import pLimit from 'p-limit';
import { z } from 'zod';
import { settle } from '../cassandra/settle.ts';
import { applied, batch, first, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { authority, changeOf } from '../aggregates/aggregate.ts';
import { beginJob } from '../jobs/operations.ts';
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
  const writes = listingWrites(bookId, state);
  if (writes.length > 0) await step('lists', () => writeAll(app, writes));
  if (!state.retitled) return;
  const subject = { type: 'Book', key: bookId } as const;
  await step('job', () => beginJob(app, subject, 'RETITLE', state.version, state.changed_at));
}

/** Cassandra refuses batches over 50 KiB to several partitions. */
const BATCH_BYTES_MAX = 30_000;
/** What a row has beside its title and authors. */
const ROW_BYTES = 300;

async function writeAll({ cassandra }: AppContext, writes: readonly Bound[]): Promise<void> {
  let part: Bound[] = [];
  let bytes = 0;
  for (const each of writes) {
    part.push(each);
    // The words are those of the title and the authors, which are there once more, and may not be Latin.
    bytes += ROW_BYTES + 4 * ((each.params['words'] as string | undefined) ?? '').length;
    if (bytes < BATCH_BYTES_MAX) continue;
    await batch(cassandra, part);
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) await batch(cassandra, part);
}

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

const WRITES_AT_ONCE = 64;

/**
 * Makes books of the catalogue what a file says of them. For many at once: only one that is there already, and differs, is
 * changed by a transaction; new ones that a kill leaves without their lists get them when the import is repeated. What goes
 * into one list is written together.
 */
export async function putBooks(
  app: AppContext,
  books: readonly { readonly bookId: string; readonly fields: BookFields }[],
): Promise<void> {
  const limit = pLimit(WRITES_AT_ONCE);
  const lists = await limit.map([...books], ({ bookId, fields }) => putBook(app, bookId, fields));
  const byList = Map.groupBy(
    lists.flat(),
    ({ label, params }) => `${label} ${String(params['author'] ?? params['prefix'])}`,
  );
  await limit.map([...byList.values()], (writes) => writeAll(app, writes));
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
  if (found.applied) return listingWrites(bookId, state);
  const current = found.current?.state;
  if (current && isSame(current, { ...current, ...fields })) return listingWrites(bookId, current);
  await bookAuthority.change(app, { bookId }, current, (latest, step) =>
    changedBook(app, bookId, latest, fields, now, step),
  );
  return [];
}
