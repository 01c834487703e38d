import { waitAfterConflict } from '../cassandra/retries.ts';
import { bind, first, rows, type Bound } from '../cassandra/statement.ts';
import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { invalidInput, UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { requireViewer } from '../identity/operations.ts';
import { lists, type ListKey } from './aggregate.ts';
import { afterInput, listIdInput, textInput } from './inputs.ts';
import { answerOf, changeableListNow, type BookList, type BookListAnswer } from './operations.ts';
import { above, AFTER_ALL, BEFORE_ALL, between, POSITION_LENGTH_MAX } from './positions.ts';
import {
  BOOKS,
  deleteRow,
  ENTRIES,
  entriesInOrder,
  insertBook,
  insertEntry,
  selectEntry,
  selectLastBetween,
  selectNext,
  selectPositions,
  type BookListState,
  type EntryRow,
} from './tables.ts';

/**
 * The entries of a list. A change reads entries serially, after the state of the list, and writes
 * the rows of the entries together with the next state. If another call changes the list in
 * between, the condition fails, and everything is read again.
 */

/** The maximum number of entries of a list. */
const ENTRIES_MAX = 10_000;
/** The number of entries that get another position in one write. */
const MOVED_AT_ONCE = 100;

/** The rows of a change, and the difference that it makes to the number of entries. */
interface Change {
  readonly added: number;
  readonly rows: readonly Bound[];
}

/**
 * The viewer adds a book to their list.
 * @param input `after`: the book of the list after which it is placed; at the end if not given
 * @returns `changed`: false if the list has the book already
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used, and about `listId` if the
 *   list is full; `NOT_FOUND` about `listId`, `bookId` or `after`; `FORBIDDEN` about `listId`
 */
export async function addToList(
  context: RequestContext,
  input: { listId: string; bookId: string; note?: string | null; after?: string | null },
): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const { listId, bookId, note, after } = readInput({
    listId: () => listIdInput(input.listId),
    bookId: () => bookIdInput(input.bookId),
    note: () => textInput('note', 'A note', input.note),
    after: () => afterInput(input.after, input.bookId),
  });
  await changeableListNow(context, viewer.id, listId);
  await requireBook(context, bookId);

  const key = { listId, ownerId: viewer.id };
  const added_at = context.clock();
  return changeEntries(context, key, async (state) => {
    const positions = await positionsOf(context, listId, [bookId, after]);
    if (positions.has(bookId)) return undefined;
    if (state.entry_count >= ENTRIES_MAX) {
      const most = ENTRIES_MAX.toLocaleString('en');
      throw invalidInput(['listId'], `This list has ${most} books, and no list can have more. Remove one first.`);
    }

    const before = after === undefined ? await lastPosition(context, listId) : positionIn(positions, after, 'after');
    const next = after === undefined ? undefined : await nextPosition(context, listId, before);
    return place(context, key, state, { book_id: bookId, note, added_at }, before, next);
  });
}

/**
 * The viewer moves a book within their list.
 * @param input `after`: the book of the list after which it is placed; null for the first place
 * @returns `changed`: false if it is there already
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used; `NOT_FOUND` about `listId`,
 *   `bookId` or `after`; `FORBIDDEN` about `listId`
 */
export async function moveInList(
  context: RequestContext,
  input: { listId: string; bookId: string; after?: string | null },
): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const { listId, bookId, after } = readInput({
    listId: () => listIdInput(input.listId),
    bookId: () => bookIdInput(input.bookId),
    after: () => afterInput(input.after, input.bookId),
  });

  const key = { listId, ownerId: viewer.id };
  return changeEntries(context, key, async (state) => {
    const positions = await positionsOf(context, listId, [bookId, after]);
    const position = positionIn(positions, bookId, 'bookId');
    const before = after === undefined ? undefined : positionIn(positions, after, 'after');
    const next = await nextPosition(context, listId, before);
    if (next === position) return undefined;
    const entry = await entryAt(context, listId, position);
    return entry ? place(context, key, state, entry, before, next) : 'AGAIN';
  });
}

/**
 * The viewer changes the note of an entry of their list.
 * @param input `note`: null removes it
 * @returns `changed`: false if the note is the same
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used; `NOT_FOUND` about `listId`
 *   or `bookId`; `FORBIDDEN` about `listId`
 */
export async function updateListEntry(
  context: RequestContext,
  input: { listId: string; bookId: string; note?: string | null },
): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const { listId, bookId, note } = readInput({
    listId: () => listIdInput(input.listId),
    bookId: () => bookIdInput(input.bookId),
    note: () => textInput('note', 'A note', input.note),
  });

  return changeEntries(context, { listId, ownerId: viewer.id }, async () => {
    const position = positionIn(await positionsOf(context, listId, [bookId]), bookId, 'bookId');
    const entry = await entryAt(context, listId, position);
    if (!entry) return 'AGAIN';
    return entry.note === note ? undefined : { added: 0, rows: rowsOf(listId, { ...entry, note }) };
  });
}

/**
 * The viewer removes a book from their list.
 * @returns `changed`: false if the list does not have it
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used; `NOT_FOUND` and `FORBIDDEN`
 *   about `listId`
 */
export async function removeFromList(
  context: RequestContext,
  input: { listId: string; bookId: string },
): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const { listId, bookId } = readInput({
    listId: () => listIdInput(input.listId),
    bookId: () => bookIdInput(input.bookId),
  });

  return changeEntries(context, { listId, ownerId: viewer.id }, async () => {
    const position = (await positionsOf(context, listId, [bookId])).get(bookId);
    if (position === undefined) return undefined;
    const book = bind(deleteRow, { list_id: listId, ...BOOKS, place: bookId });
    return { added: -1, rows: [withoutEntryAt(listId, position), book] };
  });
}

/**
 * Changes entries of a list of the viewer.
 * @param next reads the entries that the change needs and returns the change; `undefined` if
 *   nothing is left to change, `AGAIN` if the list has changed meanwhile
 * @throws {ContentionError} if others are faster each time
 */
async function changeEntries(
  context: RequestContext,
  key: ListKey,
  next: (state: BookListState) => Promise<Change | 'AGAIN' | undefined>,
): Promise<BookListAnswer> {
  for (let tries = 1; ; tries++) {
    const state = await changeableListNow(context, key.ownerId, key.listId);
    const change = await next(state);
    if (change === undefined) {
      // The entries were read after the state, and no condition has checked that they belong to it.
      const { version } = await changeableListNow(context, key.ownerId, key.listId);
      if (version === state.version) return answerOf(context, key.listId, state, false);
    } else if (change !== 'AGAIN') {
      const done = await makeChange(context, key, state, change);
      if (done) return answerOf(context, key.listId, done, true);
    }

    await waitAfterConflict(context.cassandra, tries, 'the list');
  }
}

/** Returns the next state of a list; `undefined` if another call was faster. */
async function makeChange(
  app: AppContext,
  key: ListKey,
  expected: BookListState,
  { added, rows }: Change,
): Promise<BookListState | undefined> {
  const { changed, state } = await lists.change(
    app,
    key,
    expected,
    // The rows fit only the state of the list that was read.
    (found) => (found?.version === expected.version ? { ...found, entry_count: found.entry_count + added } : undefined),
    undefined,
    rows,
  );
  return changed ? state : undefined;
}

/**
 * Returns the change that places an entry between two positions. If that position would be too
 * long, the entries after it are renumbered, and the caller must read the list again.
 * @param entry has a place if the list has it already
 */
async function place(
  app: AppContext,
  key: ListKey,
  state: BookListState,
  entry: Omit<EntryRow, 'place'> & Partial<EntryRow>,
  before: string | undefined,
  next: string | undefined,
): Promise<Change | 'AGAIN'> {
  const position = between(before, next);
  if (position.length > POSITION_LENGTH_MAX) {
    await renumber(app, key, state, before ?? BEFORE_ALL);
    return 'AGAIN';
  }
  const { listId } = key;
  const former = entry.place === undefined ? [] : [withoutEntryAt(listId, entry.place)];
  return { added: former.length === 0 ? 1 : 0, rows: [...former, ...rowsOf(listId, { ...entry, place: position })] };
}

/**
 * Gives all entries after a position short positions above the last one. It begins with the last
 * entries, so that the order is right even if it stops early because another call is faster.
 */
async function renumber(app: AppContext, key: ListKey, state: BookListState, after: string): Promise<void> {
  const { listId } = key;
  const lastBelow = (below: string) =>
    rows(app.cassandra, selectLastBetween, {
      list_id: listId,
      ...ENTRIES,
      above: after,
      below,
      rows_max: MOVED_AT_ONCE,
    });
  let some = await lastBelow(AFTER_ALL);
  const last = some[0]?.place ?? after;
  let current: BookListState | undefined = state;
  for (let done = 0; some.length > 0;) {
    const moved = some.map((entry, index) => ({ ...entry, place: above(last, done + index, ENTRIES_MAX) }));
    const change = [
      ...some.map((entry) => withoutEntryAt(listId, entry.place)),
      ...moved.flatMap((entry) => rowsOf(listId, entry)),
    ];
    current = await makeChange(app, key, current, { added: 0, rows: change });
    if (!current) return;
    done += some.length;
    some = await lastBelow(some.at(-1)?.place ?? after);
  }
}

/** Returns the positions of those books that a list has. */
async function positionsOf(
  { cassandra }: AppContext,
  list_id: string,
  bookIds: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const places = bookIds.filter((bookId) => bookId !== undefined);
  const found = await rows(cassandra, selectPositions, { list_id, ...BOOKS, places });
  return new Map(found.map((row) => [row.place, row.position]));
}

/**
 * @throws {UserError} `NOT_FOUND` about a field if the list does not have the book that it names
 */
function positionIn(positions: ReadonlyMap<string, string>, bookId: string, field: 'bookId' | 'after'): string {
  const position = positions.get(bookId);
  if (position === undefined) throw new UserError('NOT_FOUND', 'The list does not have this book.', ['input', field]);
  return position;
}

async function lastPosition({ cassandra }: AppContext, list_id: string): Promise<string | undefined> {
  const all = { above: BEFORE_ALL, below: AFTER_ALL, rows_max: 1 };
  return (await first(cassandra, selectLastBetween, { list_id, ...ENTRIES, ...all }))?.place;
}

const nextPosition = async ({ cassandra }: AppContext, list_id: string, after: string | undefined) =>
  (await first(cassandra, selectNext, { list_id, ...ENTRIES, above: after ?? BEFORE_ALL }))?.place;

/** Reads the entry at a position; `undefined` if another call has moved it since that was read. */
const entryAt = ({ cassandra }: AppContext, list_id: string, place: string): Promise<EntryRow | undefined> =>
  first(cassandra, selectEntry, { list_id, ...ENTRIES, place });

const withoutEntryAt = (list_id: string, position: string): Bound =>
  bind(deleteRow, { list_id, ...ENTRIES, place: position });

/** The rows of an entry in the list of entries and in that of books. */
const rowsOf = (list_id: string, entry: EntryRow): Bound[] => [
  bind(insertEntry, { list_id, ...ENTRIES, ...entry }),
  bind(insertBook, { list_id, ...BOOKS, place: entry.book_id, position: entry.place }),
];

/** An entry of a list. */
export interface BookListEntryEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  readonly note: string | null;
  readonly addedAt: Date;
}

/**
 * Returns a page of the entries of a list, in the order of its owner.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function entriesOf(
  { cassandra }: RequestContext,
  { id, entryCount }: BookList,
  page: PageArguments,
): Promise<CountedConnection<BookListEntryEdge>> {
  const list = {
    ...entriesInOrder.list(cassandra, { list_id: id, ...ENTRIES }),
    name: `list ${id}`,
    descending: false,
  };
  const found = await connection(page, list, ({ book_id, note, added_at }, cursor) => ({
    cursor,
    bookId: book_id,
    note: note === '' ? null : note,
    addedAt: added_at,
  }));
  return { ...found, count: () => Promise.resolve({ value: entryCount, isExact: true }) };
}
