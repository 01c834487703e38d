import { z } from 'zod';
import { accountNow, existingAccount, requireViewer, type Account, type User } from '../identity/operations.ts';
import { actionWrites, recordActions, type Action } from '../activity/log.ts';
import { applied, batch, bind, first, write, type Bound } from '../cassandra/statement.ts';
import { bookInput, type Book } from '../catalogue/operations.ts';
import { connection, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { recordHappening, type LibraryEvent } from '../events/operations.ts';
import { subjectOf } from '../graphql/ids.ts';
import type { ReadBookOrder, ReadingStatus } from '../graphql/schema.generated.ts';
import { folded } from '../text/text.ts';
import { authority, changeOf, ttlOf } from '../aggregates/aggregate.ts';
import type { Step } from '../transactions/operations.ts';
import {
  deleteByReadAt,
  deleteByTitle,
  deleteFromShelf,
  insertByReadAt,
  insertByTitle,
  insertOnShelf,
  readByTitle,
  readByReadAt,
  selectReadingSerially,
  updateFullName,
  updateReading,
  type ReadingState,
  type ReadingStep,
} from './tables.ts';
import { viewerReadingLoader } from './loaders.ts';

/** A book that a reader has read. */
export interface ReadBookEdge {
  readonly cursor: string;
  readonly bookId: string;
  readonly readAt: Date;
  /** Newest first. */
  readonly reads: Date[];
}

/** A page of the books that a reader has read. */
export interface ReadBookConnection extends Connection<ReadBookEdge> {
  /** The reader's name as the page's own partition has it; unset on an empty page, and by date. */
  readonly fullName: string | undefined;
  readonly userId: string;
}

const READS_MAX = 100;
const STEPS_MAX = 50;
const EARLIEST_READ = new Date('1900-01-01T00:00:00Z');
/** A client's clock may be ahead of ours by this much. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** A book that a reader has nothing to do with. */
const UNREAD = { marked: false, reads: [], title_sort: '', author_sort: '', history: [] };

const readingChange = z.strictObject({ userId: z.uuid(), bookId: z.string() });
type ReadingChange = z.infer<typeof readingChange>;

const readingAuthority = authority<ReadingChange, ReadingState>({
  name: 'reading',
  payload: readingChange,
  row: ({ cassandra }, { userId, bookId }) => {
    const key = { user_id: userId, book_id: bookId };
    const replace = (current: ReadingState | null, next: ReadingState) =>
      applied(cassandra, updateReading, { ...key, current, next, ttl_seconds: ttlOf(next) });
    return {
      read: async () => (await first(cassandra, selectReadingSerially, key))?.state,
      insert: (state) => replace(null, state),
      replace,
    };
  },
  unmade: UNREAD,
  follow,
});

/** Changes what a reader has read: the authority's row first, then the lists and the diary. */
export const readingTransaction = readingAuthority.transaction;

/**
 * The viewer has read a book. Another moment than before is a re-read; without a moment a book that is marked stays as it is.
 * @throws {UserError} `INVALID_INPUT` about `bookId` or `readAt`, `NOT_FOUND` about `bookId`
 */
export async function markAsRead(context: RequestContext, input: { bookId: string; readAt?: Date | null }) {
  const now = context.clock();
  const { readAt } = input;
  const { viewer, book, change } = await readingChangeOf(context, input);
  if (readAt && (readAt < EARLIEST_READ || readAt.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)) {
    throw new UserError('INVALID_INPUT', 'A book is read between the year 1900 and now.', ['input', 'readAt']);
  }
  await readingAuthority.change(context, change, undefined, async (state, step) => {
    const reads = state?.marked ? state.reads : [];
    if (readAt ? reads.some((read) => read.getTime() === readAt.getTime()) : state?.marked) return undefined;
    return readAgain(context, change, book, state, readAt ?? undefined, now, step);
  });
  return answerOf(context, viewer, book);
}

/** The state after one more reading, now unless at another moment. */
async function readAgain(
  context: RequestContext,
  change: ReadingChange,
  book: Book,
  state: ReadingState | undefined,
  readAt: Date | undefined,
  now: Date,
  step: Step,
): Promise<ReadingState> {
  const reads = state?.marked ? state.reads : [];
  if (reads.length >= READS_MAX) {
    throw new UserError('INVALID_INPUT', `A book can be read ${READS_MAX} times, and this one was.`, [
      'input',
      'readAt',
    ]);
  }
  // What the new state forgets of the former one must have reached the lists before.
  if (state) await followFormer(context, change, state, step);
  const changed = changeOf(context, state, now);
  const isOnShelf = statusOf(state) === 'READ';
  return {
    ...(state ?? UNREAD),
    ...changed,
    marked: true,
    reads: [...reads, readAt ?? changed.changed_at].sort((one, other) => one.getTime() - other.getTime()),
    history: isOnShelf ? (state?.history ?? []) : withStep(state, 'READ', 100, changed.changed_at),
    ...(state?.marked ? {} : sortKeysOf(book)),
  };
}

/** Brings everything up to a state that another one is about to follow, and to forget parts of. */
const followFormer: typeof follow = (app, change, state, step) =>
  follow(app, change, state, (name, work) => step(`former ${name}`, work));

/** How it stands with a book. */
const statusOf = (state: ReadingState | undefined): ReadingStep['status'] => state?.history.at(-1)?.status ?? 'NONE';

const withStep = (
  state: ReadingState | undefined,
  status: ReadingStep['status'],
  progress: number,
  at: Date,
): ReadingStep[] => [...(state?.history ?? []), { status, progress, at }].slice(-STEPS_MAX);

/**
 * The viewer wants to read a book, reads it, has read it (once more), or gave it up.
 * @throws {UserError} `INVALID_INPUT` about `bookId` or `progress`, `NOT_FOUND` about `bookId`
 */
export async function setReadingStatus(
  context: RequestContext,
  input: { bookId: string; status: ReadingStatus; progress?: number | null },
) {
  const now = context.clock();
  const { status } = input;
  const progress = progressInput(status, input.progress);
  const { viewer, book, change } = await readingChangeOf(context, input);
  const expected = await readingAuthority.read(context, change);
  await readingAuthority.change(context, change, expected, async (state, step) => {
    const last = state?.history.at(-1);
    if (last?.status === status && (progress === undefined || last.progress === progress)) return undefined;
    if (status === 'READ') return readAgain(context, change, book, state, undefined, now, step);
    if (state) await followFormer(context, change, state, step);
    const changed = changeOf(context, state, now);
    const kept = status === 'GIVEN_UP' && last?.status === 'READING' ? last.progress : 0;
    return {
      ...(state ?? UNREAD),
      ...changed,
      history: withStep(state, status, progress ?? kept, changed.changed_at),
    };
  });
  return answerOf(context, viewer, book);
}

/** @returns in percent; `undefined` where it was not said */
function progressInput(status: ReadingStatus, progress: number | null | undefined): number | undefined {
  if (progress == null) return undefined;
  const wrong = (message: string) => new UserError('INVALID_INPUT', message, ['input', 'progress']);
  if (progress < 0 || progress > 100) throw wrong('Progress is in percent: from 0 to 100.');
  if (status === 'READ' && progress !== 100) throw wrong('A book that was read was read to 100 percent.');
  if (status === 'WANT_TO_READ' && progress !== 0) throw wrong('A book that was not begun has no progress.');
  return progress;
}

/**
 * The viewer has not read a book after all.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `bookId`
 */
export async function unmarkAsRead(context: RequestContext, input: { bookId: string }) {
  const now = context.clock();
  const { viewer, book, change } = await readingChangeOf(context, input);
  const expected = await readingAuthority.read(context, change);
  await readingAuthority.change(context, change, expected, async (state, step) => {
    if (!state?.marked) return undefined;
    await followFormer(context, change, state, step);
    const changed = changeOf(context, state, now);
    const isOnShelf = statusOf(state) === 'READ';
    const history = isOnShelf ? withStep(state, 'NONE', 0, changed.changed_at) : state.history;
    return { ...state, ...changed, marked: false, history };
  });
  return answerOf(context, viewer, book);
}

/** What a change of a reading answers: not what the request had read before it. */
function answerOf(context: RequestContext, viewer: Account, book: Book) {
  viewerReadingLoader(context).clear(book.id);
  return { book, viewer };
}

/** Checks who has read what, before anything is written. */
async function readingChangeOf(context: RequestContext, input: { bookId: string }) {
  const viewer = await requireViewer(context);
  const book = await bookInput(context, input.bookId);
  return { viewer, book, change: { userId: viewer.id, bookId: book.id } };
}

const sortKeysOf = (book: Book) => ({ title_sort: folded(book.title), author_sort: folded(book.authors[0] ?? '') });

/** Brings the lists and the diary up to a state of the authority. May be repeated at any time. */
async function follow(app: AppContext, change: ReadingChange, state: ReadingState, step: Step): Promise<void> {
  const { userId, bookId } = change;
  const { marked, reads, title_sort, author_sort } = state;
  if ((await accountNow(app, userId)).isErased) {
    // The account was deleted meanwhile; its lists take nothing more.
    return forgetReading(app, change);
  }
  const shelves = shelfWrites(change, state);
  const shelved = shelves.length > 0 ? step('shelves', () => batch(app.cassandra, shelves)) : Promise.resolve();
  if (reads.length === 0) return shelved;
  const key = { user_id: userId, book_id: bookId, version: BigInt(state.version) };
  const newest = reads.at(-1);
  const byTitle = { ...key, title_sort, author_sort };
  // By date a book is listed under its newest reading, and no longer under those before.
  const byReadAt = reads.map((read_at) =>
    marked && read_at === newest
      ? bind(insertByReadAt, { ...key, read_at, reads })
      : bind(deleteByReadAt, { ...key, read_at }),
  );
  const actions = reads.map((at) => actionOfReading(bookId, at));
  if (!marked) actions.push({ ...actionOfReading(bookId, state.changed_at), kind: 'UNMARKED_READ' });
  const happened = (at: Date) => recordHappening(app, eventOfReading(change, at, state.version, marked));
  await Promise.all([
    shelved,
    step('events', () => Promise.all(reads.map(happened))),
    step('byTitle', () =>
      marked
        ? write(app.cassandra, insertByTitle, { ...byTitle, reads })
        : write(app.cassandra, deleteByTitle, byTitle),
    ),
    step('byReadAt', () => batch(app.cassandra, byReadAt)),
    step('actions', () => recordActions(app, userId, actions)),
  ]);
}

/** Reading a book, as it is in the diary. */
export const actionOfReading = (bookId: string, at: Date): Action => ({
  kind: 'READ',
  at,
  subject: subjectOf({ type: 'Book', key: bookId }),
});

/** What is counted of reading a book. */
export const eventOfReading = (
  { userId, bookId }: ReadingChange,
  at: Date,
  version: number,
  happened: boolean,
): LibraryEvent => ({
  kind: 'READ',
  subject: subjectOf({ type: 'Book', key: bookId }),
  at,
  id: `${userId} ${bookId} ${String(at.getTime())}`,
  version,
  happened,
});

/** The state of a book that was read once, at a moment of before. */
export const firstReading = (book: Book, readAt: Date, changeId: string): ReadingState => ({
  version: 1,
  changed_at: readAt,
  change_id: changeId,
  marked: true,
  reads: [readAt],
  history: [{ status: 'READ', progress: 100, at: readAt }],
  ...sortKeysOf(book),
});

/** What brings the shelves and the diary up to the last step of a reading; those before it are there already. */
function shelfWrites({ userId, bookId }: ReadingChange, { history, version }: ReadingState): Bound[] {
  const [former, last] = history.length > 1 ? history.slice(-2) : [undefined, history[0]];
  const key = { user_id: userId, book_id: bookId, version: BigInt(version) };
  const writes: Bound[] = [];
  if (former && former.status !== 'NONE') {
    writes.push(bind(deleteFromShelf, { ...key, status: former.status, at: former.at }));
  }
  if (!last || last.status === 'NONE') return writes;
  writes.push(bind(insertOnShelf, { ...key, ...last }));
  const action = { kind: 'STATUS_CHANGED', at: last.at, subject: subjectOf({ type: 'Book', key: bookId }) } as const;
  // Reading a book to its end is an action of its own.
  return last.status === 'READ' ? writes : [...writes, ...actionWrites(userId, [action])];
}

/** Forgets a reading of a reader whose account is deleted; its lists are erased as a whole. */
export const forgetReading = (app: AppContext, change: ReadingChange): Promise<void> =>
  readingAuthority.forget(app, change);

/**
 * Writes a reader's name into their list of books, where it is kept once.
 * @param version of the account that brought the name: an older one changes nothing
 */
export async function nameReadBooks(
  { cassandra }: AppContext,
  userId: string,
  fullName: string,
  version: number,
): Promise<void> {
  await write(cassandra, updateFullName, { user_id: userId, full_name: fullName, version: BigInt(version) });
}

/**
 * A page of the books that a reader has read.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function readBooksOf(
  context: RequestContext,
  user: User,
  orderBy: ReadBookOrder,
  page: PageArguments,
): Promise<ReadBookConnection> {
  switch (orderBy) {
    case 'TITLE':
      return readBooksByTitle(context, user.id, page);
    case 'READ_AT':
      return readBooksByReadAt(context, user.id, page);
  }
}

async function readBooksByTitle(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<ReadBookConnection> {
  let fullName: string | undefined;
  const list = {
    name: `readBooks TITLE ${userId}`,
    descending: false,
    ...readByTitle.list(context.cassandra, { user_id: userId }),
  };
  const found = await connection(page, list, ({ book_id, reads, full_name }, cursor) => {
    fullName = full_name ?? undefined;
    return readBookEdge(book_id, reads, cursor);
  });
  return { ...found, userId, fullName };
}

async function readBooksByReadAt(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<ReadBookConnection> {
  const list = {
    name: `readBooks READ_AT ${userId}`,
    descending: true,
    ...readByReadAt.list(context.cassandra, { user_id: userId }),
  };
  const found = await connection(page, list, ({ book_id, reads }, cursor) => readBookEdge(book_id, reads, cursor));
  return { ...found, userId, fullName: undefined };
}

function readBookEdge(bookId: string, reads: readonly Date[], cursor: string): ReadBookEdge {
  const newestFirst = reads.toReversed();
  const [readAt] = newestFirst;
  if (!readAt) throw new Error(`The book ${bookId} is listed as read, but at no moment`);
  return { cursor, bookId, readAt, reads: newestFirst };
}

/** The name of the reader of a page of books. */
export async function readerOf(context: RequestContext, page: ReadBookConnection): Promise<string> {
  return page.fullName ?? (await existingAccount(context, page.userId)).fullName;
}
