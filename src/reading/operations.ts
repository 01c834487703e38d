import { rows, write } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { bookIdInput, existingBook, requireBook } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import {
  connection,
  cursorIn,
  type CountedConnection,
  type PageArguments,
  type Cursor,
} from '../graphql/connections.ts';
import { invalidInput, UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import type { ReadBookOrder, ReadingStatus } from '../graphql/generated/schema-types.ts';
import { existingAccount, requireViewer, type Account, type User } from '../identity/operations.ts';
import { isReReading, NOTHING_MOVED, readAgain, readings, readsIn, statusOf, UNREAD, withStep } from './aggregate.ts';
import { listedFields, placeByReadAt } from './lists.ts';
import { viewerReadingLoader } from './loaders.ts';
import {
  correctionInput,
  dayInput,
  momentsOf,
  timesInput,
  withCorrection,
  withRead,
  withReadNow,
  type CorrectionInput,
  type TimesInput,
} from './reads.ts';
import {
  readByTitle,
  readByReadAt,
  selectFullNames,
  updateFullName,
  type Read,
  type ReadBookRow,
  type ReadingStep,
} from './tables.ts';

/** Changes a reader's relation to a book, and lists the books that a reader has read. */

/**
 * Marks a book as read by the viewer: at a moment, on a day or at an unknown time. A new day or
 * moment adds a reading. Without any, a marked book is not changed.
 * @throws {UserError} `INVALID_INPUT` about `bookId`, `finishedOn`, `startedOn` or `readAt`,
 *   `NOT_FOUND` about `bookId`
 */
export async function markAsRead(context: RequestContext, input: TimesInput & { bookId: string }) {
  const viewer = await requireViewer(context);
  const { bookId, said } = readInput({
    bookId: () => bookIdInput(input.bookId),
    said: () => timesInput(context, input),
  });
  const book = await requireBook(context, bookId);
  const key = { userId: viewer.id, bookId };

  await readings.change(context, key, undefined, (state, at) => {
    const before = readsIn(state);
    const reads = withRead(before, said, at);
    if (!reads) return undefined;
    // Adding a day to a known reading adds no step.
    return state && reads.length === before.length
      ? { ...state, ...NOTHING_MOVED, reads }
      : readAgain(state, book, reads, at);
  });

  return answerOf(context, viewer, book);
}

/**
 * Corrects the days of a reading of the viewer: the newest one, unless another is named.
 * @throws {UserError} `INVALID_INPUT` about `bookId`, `readingId`, `finishedOn` or `startedOn`;
 *   `NOT_FOUND` about `bookId` or `readingId`
 */
export async function updateReading(context: RequestContext, input: CorrectionInput & { bookId: string }) {
  const viewer = await requireViewer(context);
  const { bookId, said } = readInput({
    bookId: () => bookIdInput(input.bookId),
    said: () => correctionInput(context, input),
  });
  const book = await requireBook(context, bookId);
  const key = { userId: viewer.id, bookId };

  const expected = await readings.read(context, key);
  await readings.change(context, key, expected, (state) => {
    if (!state?.marked) throw new UserError('NOT_FOUND', 'You have not read this book.', ['input', 'bookId']);
    const correction = withCorrection(state.reads, said);
    return correction && { ...state, ...NOTHING_MOVED, ...correction };
  });

  return answerOf(context, viewer, book);
}

/**
 * Sets the viewer's status of a book: want to read, reading, read (again), given up, or none, which
 * takes the book off its shelf and keeps its readings.
 * @throws {UserError} `INVALID_INPUT` about `bookId`, `progress` or `startedOn`, `NOT_FOUND` about
 *   `bookId`
 */
export async function setReadingStatus(
  context: RequestContext,
  input: {
    bookId: string;
    status?: ReadingStatus | null;
    progress?: number | null;
    startedOn?: string | null;
  },
) {
  const viewer = await requireViewer(context);
  const status = input.status ?? 'NONE';
  const { bookId, progress, startedOn } = readInput({
    bookId: () => bookIdInput(input.bookId),
    progress: () => progressInput(status, input.progress),
    startedOn: () => startedOnInput(context, status, input.startedOn),
  });
  const book = await requireBook(context, bookId);
  const key = { userId: viewer.id, bookId };

  const expected = await readings.read(context, key);
  await readings.change(context, key, expected, (state, at) => {
    const last = state?.history.at(-1);
    const isSame = statusOf(state) === status && (startedOn === null || last?.started_on === startedOn);
    if (isSame && (progress === undefined || (last?.progress ?? 0) === progress)) return undefined;
    if (status === 'READ') {
      const reads = readsIn(state);
      return readAgain(state, book, reads.length > 0 && !isReReading(state) ? reads : withReadNow(reads, at), at);
    }
    const kept = last && isUnderWay(status) && isUnderWay(last.status) ? last.progress : 0;
    const by = { import_id: null, started_on: startedOn };
    // Readings that were taken back are already in the log. If the state kept them, they would be
    // taken back and logged again.
    const before = state?.marked === false ? { ...state, reads: [] } : (state ?? UNREAD);
    return { ...before, ...NOTHING_MOVED, history: withStep(state, status, progress ?? kept, at, by) };
  });

  return answerOf(context, viewer, book);
}

/**
 * Takes back that the viewer has read a book.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `bookId`
 */
export async function unmarkAsRead(context: RequestContext, input: { bookId: string }) {
  const viewer = await requireViewer(context);
  const book = await requireBook(context, bookIdInput(input.bookId));
  const key = { userId: viewer.id, bookId: book.id };

  const expected = await readings.read(context, key);
  await readings.change(context, key, expected, (state, at) => {
    if (!state?.marked) return undefined;
    const history = statusOf(state) === 'READ' ? withStep(state, 'NONE', 0, at) : state.history;
    return { ...state, ...NOTHING_MOVED, marked: false, history };
  });

  return answerOf(context, viewer, book);
}

/** @returns the progress in percent; `undefined` if it was not given */
function progressInput(status: ReadingStep['status'], progress: number | null | undefined): number | undefined {
  if (progress == null) return undefined;
  const wrong = (message: string) => invalidInput(['progress'], message);
  if (progress < 0 || progress > 100) throw wrong('Progress is in percent: from 0 to 100.');
  if (status === 'READ' && progress !== 100) throw wrong('A book that was read was read to 100 percent.');
  if (status === 'NONE' && progress !== 0) throw wrong('A book on no shelf has no progress: leave it out.');
  if (status === 'WANT_TO_READ' && progress !== 0) throw wrong('A book that was not begun has no progress.');
  return progress;
}

/** @returns the day on which the book was begun; null if it was not given */
function startedOnInput(app: AppContext, status: ReadingStep['status'], startedOn: string | null | undefined) {
  if (startedOn == null || isUnderWay(status)) return dayInput(app, 'startedOn', startedOn) ?? null;
  throw invalidInput(['startedOn'], 'Only a book that is being read, or was given up, takes the day of its beginning.');
}

/**
 * True for a status that keeps the progress, so that readers who give up or continue need not enter
 * it again.
 */
const isUnderWay = (status: ReadingStep['status']) => status === 'READING' || status === 'GIVEN_UP';

/** The payload of a change, read after it without the request's own caches. */
function answerOf(context: RequestContext, viewer: Account, book: Book) {
  viewerReadingLoader(context).clear(book.id);
  return { book, viewer };
}

/** A book that a reader has read. */
export interface ReadBookEdge {
  readonly cursor: Cursor;
  readonly bookId: string;
  /** The newest reading. */
  readonly newest: Read;
  /** The known moments, newest first. */
  readonly reads: Date[];
  /** The title in the list's own row. */
  readonly title: string;
  readonly authors: string[];
  readonly genres: string[];
  readonly publisher: string | null;
}

/** A page of the books that a reader has read. */
export interface ReadBookConnection extends CountedConnection<ReadBookEdge> {
  /** The reader's name in the page's own partition; unset on an empty page and by date. */
  readonly fullName: string | undefined;
  readonly userId: string;
}

/**
 * Writes a reader's name into their list of books, which stores it once.
 * @param version the version of the account with this name; an older version changes nothing
 */
export async function nameReadBooks(
  { cassandra }: AppContext,
  userId: string,
  fullName: string,
  version: number,
): Promise<void> {
  await write(cassandra, updateFullName, { user_id: userId, full_name: fullName, version: BigInt(version) });
}

/** Reads the names of readers in their lists of books, by id, each with its version. */
export async function namesOfReaders(
  { cassandra }: AppContext,
  userIds: readonly string[],
): Promise<Map<string, { readonly fullName: string; readonly version: number }>> {
  const found = await rows(cassandra, selectFullNames, { user_ids: [...userIds], rows_max: 1 });
  const named = found.flatMap(({ user_id, full_name, written }) =>
    full_name === null ? [] : [[user_id, { fullName: full_name, version: Number(written ?? 0n) }] as const],
  );
  return new Map(named);
}

const readBooksName = (userId: string, orderBy: ReadBookOrder) => `readBooks ${orderBy} ${userId}`;

/**
 * Returns a page of the books that a reader has read.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function readBooksOf(
  context: RequestContext,
  { id: userId }: User,
  orderBy: ReadBookOrder,
  page: PageArguments,
): Promise<ReadBookConnection> {
  const { cassandra } = context;
  const key = { user_id: userId };
  const name = readBooksName(userId, orderBy);
  if (orderBy === 'READ_AT') {
    const list = { name, descending: true, ...readByReadAt.list(cassandra, key) };
    return { ...(await connection(page, list, readBookEdge)), userId, fullName: undefined };
  }

  let fullName: string | undefined;
  const list = { name, descending: false, ...readByTitle.list(cassandra, key) };
  const found = await connection(page, list, ({ full_name, ...row }, cursor) => {
    fullName = full_name ?? undefined;
    return readBookEdge(row, cursor);
  });
  return { ...found, userId, fullName };
}

function readBookEdge(row: ReadBookRow, cursor: Cursor): ReadBookEdge {
  const { book_id: bookId, title, authors, genres, publisher } = row;
  const newest = row.reads.at(-1);
  if (!newest) throw new Error(`The book ${bookId} is listed as read, but was never read`);
  const reads = momentsOf(row.reads);
  return { cursor, bookId, newest, reads, title, authors, genres, publisher: publisher === '' ? null : publisher };
}

/**
 * Returns the edge of a book in the viewer's list of read books; null if it is not marked as read.
 * @param orderBy the order of the list that the cursor belongs to
 */
export async function readEdgeOf(
  context: RequestContext,
  bookId: string,
  orderBy: ReadBookOrder,
): Promise<ReadBookEdge | null> {
  const state = (await viewerReadingLoader(context).load(bookId))?.state;
  const newest = readsIn(state).at(-1);
  if (!state || !newest || context.viewerId === null) return null;

  const { title_sort, author_sort, reads } = state;
  const row = { ...listedFields(await existingBook(context, bookId)), book_id: bookId, reads };
  const name = readBooksName(context.viewerId, orderBy);
  const cursor =
    orderBy === 'READ_AT'
      ? cursorIn({ ...readByReadAt, name }, { ...row, read_at: placeByReadAt(newest) })
      : cursorIn({ ...readByTitle, name }, { ...row, title_sort, author_sort, full_name: null });
  return readBookEdge(row, cursor);
}

/** Returns the name of the reader of a page of books. */
export async function readerOf(context: RequestContext, page: ReadBookConnection): Promise<string> {
  return page.fullName ?? (await existingAccount(context, page.userId)).fullName;
}
