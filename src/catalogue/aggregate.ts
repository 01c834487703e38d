import pLimit from 'p-limit';
import { z } from 'zod';
import { settle } from '../cassandra/settle.ts';
import { applied, batch, first, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { aggregate, type Content } from '../aggregates/aggregate.ts';
import { beginJob } from '../jobs/operations.ts';
import { listingOf, listingWrites } from './listing.ts';
import { selectBookSerially, updateBook, type BookState } from './tables.ts';

const bookKey = z.strictObject({ bookId: z.string() });
type BookKey = z.infer<typeof bookKey>;

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

/** The source of truth for what is known of a book, and the lists by author and by word that are projected from it. */
export const books = aggregate<BookKey, BookState, object>({
  name: 'book',
  key: bookKey,
  read: async ({ cassandra }, { bookId }) => (await first(cassandra, selectBookSerially, { book_id: bookId }))?.state,
  compareAndSet: ({ cassandra }, { bookId: book_id }, current, next) =>
    applied(cassandra, updateBook, { book_id, current, next }),
  tombstone: { ...NOTHING, removed_at: null, former: null, retitled: false },
  owner: () => Promise.resolve({}),
  // The new state knows only what the newest one was listed under and called.
  forgets: ({ former, retitled }) => former !== null || retitled,
  projections: (app, { bookId }, state) => {
    const writes = listingWrites(bookId, state);
    const subject = { type: 'Book', key: bookId } as const;
    const job = () => beginJob(app, subject, 'RETITLE', state.version, state.changed_at);
    return [{ lists: () => writeAll(app, writes) }, state.retitled ? { job } : {}];
  },
});

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

/** What a book's state says with some of its fields changed; `undefined` when it says so already. */
export function changedBook(
  state: BookState | undefined,
  fields: Partial<BookFields> & { readonly removed_at?: Date | null },
): Content<BookState> | undefined {
  if (state && isSame(state, { ...state, ...fields })) return undefined;
  const before = state ?? { ...NOTHING, removed_at: null };
  const after = { ...before, ...fields };
  const retitled = before.title !== '' && before.title !== after.title;
  return { ...after, former: state ? listingOf(state) : null, retitled };
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
  const decided = { version: 1, changed_at: app.clock(), change_id: app.randomId() };
  const state: BookState = { ...fields, ...decided, removed_at: null, former: null, retitled: false };
  const found = await settle(app.cassandra, () =>
    applied(app.cassandra, updateBook, { book_id: bookId, current: null, next: state }),
  );
  if (found.applied) return listingWrites(bookId, state);
  const current = found.current?.state;
  if (current && isSame(current, { ...current, ...fields })) return listingWrites(bookId, current);
  await books.change(app, { bookId }, current, (latest) => changedBook(latest, fields));
  return [];
}
