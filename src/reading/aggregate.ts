import pLimit from 'p-limit';
import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { feedMonthsPart } from '../activity/feed-months.ts';
import { actionWrites, recordActions, type Action } from '../activity/log.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import type { Stage } from '../aggregates/kind.ts';
import { versioned, type Content } from '../aggregates/state.ts';
import { inBatches } from '../cassandra/batches.ts';
import { batch, type Bound } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { bookNow } from '../catalogue/operations.ts';
import { pageOfShards } from '../cassandra/shards.ts';
import type { AppContext } from '../context/context.ts';
import { recordEvent, type LibraryEvent } from '../events/operations.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import { accountNow } from '../identity/operations.ts';
import { beginJob } from '../jobs/operations.ts';
import { sortKey } from '../text/sorting.ts';
import { dayAt } from '../time/days.ts';
import { withReadNow } from './reads.ts';
import {
  byMonth,
  byReadAt,
  byTitle,
  listedFields,
  momentsForFeeds,
  ofBook,
  onShelf,
  ownReads,
  placeByReadAt,
  READER_SHARDS,
  rowKeyOf,
} from './lists.ts';
import {
  readersOfBook,
  readingStates,
  type Read,
  type ReadingKey,
  type ReadingState,
  type ReadingStep,
} from './tables.ts';
import { byYear } from './years.ts';

/** The kind of a reading: its key, its states and their projections. */

const STEPS_MAX = 50;

const readingKey: z.ZodType<ReadingKey> = z.strictObject({ userId: uuid, bookId: z.string() });
type Reading = Content<ReadingState>;

/** The part of a state whose change removed nothing from the lists. */
export const NOTHING_MOVED = { former: null, corrected: null, gone_years: [] };

/** The reading of a book that the reader never mentioned. */
export const UNREAD: Reading = {
  marked: false,
  reads: [],
  title_sort: '',
  author_sort: '',
  history: [],
  ...NOTHING_MOVED,
};

/** The state of a book after it was read at a moment. */
export const readAgain = (state: ReadingState | undefined, book: Book, reads: Read[], at: Date): Reading => ({
  ...(state ?? UNREAD),
  ...NOTHING_MOVED,
  marked: true,
  reads,
  history: statusOf(state) === 'READ' ? (state?.history ?? []) : withStep(state, 'READ', 100, at),
  ...(state?.marked ? {} : titlePositionOf(book)),
});

/** The readings in force; none if the book is not marked, because its readings were taken back. */
export const readsIn = (state: ReadingState | undefined): Read[] => (state?.marked ? state.reads : []);

/** True for a step that began a reading. An import may only have the step of giving the book up. */
const isBeginning = ({ status, started_on }: ReadingStep): boolean => status === 'READING' || started_on !== null;

/** True for a step that ended a reading: the book was read, or taken off its shelf. */
const isEnd = ({ status }: ReadingStep): boolean => status === 'READ' || status === 'NONE';

/**
 * True for a book that was begun again after it was read. Only then does READ add a reading;
 * otherwise READ was repeated by mistake.
 */
export const isReReading = (state: Pick<ReadingState, 'history'> | undefined): boolean => {
  const history = state?.history ?? [];
  return history.slice(history.findLastIndex(isEnd) + 1).some(isBeginning);
};

export const statusOf = (state: ReadingState | undefined): ReadingStep['status'] =>
  state?.history.at(-1)?.status ?? 'NONE';

/**
 * True for a book that its reader has taken off its shelf. A book that is no longer marked as read
 * has the same step, but keeps its readings.
 */
const isTakenOff = ({ marked, reads, history }: Reading): boolean =>
  history.at(-1)?.status === 'NONE' && (marked || reads.length === 0);

/** A step by the reader, not by an import. */
const OWN = { import_id: null, started_on: null };

export const withStep = (
  state: ReadingState | undefined,
  status: ReadingStep['status'],
  progress: number,
  at: Date,
  by: Pick<ReadingStep, 'import_id' | 'started_on'> = OWN,
): ReadingStep[] => [...(state?.history ?? []), { status, progress, at, ...by }].slice(-STEPS_MAX);

/** The place of a book in the list by title. */
export const titlePositionOf = ({ title, authors }: Book) => ({
  title_sort: sortKey(title),
  author_sort: sortKey(authors[0] ?? ''),
});

type TitlePosition = ReturnType<typeof titlePositionOf>;

const isSamePosition = (one: TitlePosition, other: TitlePosition) =>
  one.title_sort === other.title_sort && one.author_sort === other.author_sort;

/** The source of truth for a reader's readings, and its projections. */
export const readings = aggregate({
  name: 'reading',
  key: readingKey,
  table: readingStates,
  rowKey: rowKeyOf,
  tombstone: UNREAD,
  projectionContext: (app, { userId }) => accountNow(app, userId),
  erase: forgetReading,
  // A state has only the rows that the last change removed from the lists.
  needsFormerProjection: () => true,
  projections: (app, key, state, _owner, { occasion }) => [
    { ...shelfProjection(app, key, state), ...readsProjections(app, key, state) },
    // The reader's row at the book is already written. A change of the book that does not find it
    // was decided before this read of the book.
    listProjections(app, key, state, occasion === 'FORMER'),
  ],
});

/** Forgets a reading of a deleted account. The reader's lists are erased as a whole. */
export function forgetReading(app: AppContext, key: ReadingKey): Promise<void> {
  return readings.forget(app, key, async (state) => {
    const unmarked = { ...state, marked: false, version: state.version + 1 };
    const writes = [ofBook, byYear, byMonth].flatMap((list) => list.writes(key, unmarked, undefined));
    await Promise.all(writes.map((each) => batch(app.cassandra, [each])));
  });
}

/**
 * Writes the last step of a reading to the shelves and the activity log. Earlier steps are there
 * already.
 */
function shelfProjection(app: AppContext, key: ReadingKey, state: ReadingState): Stage {
  const writes = onShelf.writes(key, state, undefined);
  const last = state.history.at(-1);
  // Finishing a book and taking that back are separate actions, and an import is not an action.
  if (last?.import_id === null && (isTakenOff(state) || !isEnd(last))) {
    const subject = subjectOf({ type: 'Book', key: key.bookId });
    const element = last.status === 'NONE' ? '' : last.status;
    writes.push(...actionWrites(key.userId, [{ kind: 'STATUS_CHANGED', at: last.at, subject, element }]));
  }
  return writes.length > 0 ? { shelves: () => batch(app.cassandra, writes) } : {};
}

/** The readers of the book, the activity log and the events. */
function readsProjections(app: AppContext, key: ReadingKey, state: ReadingState): Stage {
  const { marked, reads, corrected, version, changed_at } = state;
  if (reads.length === 0) return {};
  // A reading from an import happened elsewhere, so it is neither an action nor an event.
  const own = ownReads(state);
  const actions = own.map((read) => actionOfReading(key.bookId, read));
  if (!marked && own.length > 0) actions.push({ ...actionOf(key.bookId, changed_at), kind: 'UNMARKED_READ' });
  const isCorrected = corrected?.import_id === null;
  if (isCorrected) actions.push({ ...actionOf(key.bookId, changed_at), kind: 'READING_CORRECTED' });
  // A reading without a known day is counted on no day. On every other day, a reader is counted
  // once.
  const known = own.filter(({ read_at }) => read_at);
  const dayOf = (read: Read) => dayAt(countedAt(read));
  const firstOfDay = new Map(known.toReversed().map((read) => [dayOf(read), read]));
  return {
    events: () =>
      Promise.all([
        ...known.map((read) =>
          recordEvent(app, eventOfReading(key, read, version, marked && firstOfDay.get(dayOf(read)) === read)),
        ),
        ...(isCorrected && corrected.read_at ? [recordEvent(app, eventOfReading(key, corrected, version, false))] : []),
      ]),
    readers: () => batch(app.cassandra, ofBook.writes(key, state, undefined)),
    actions: () => Promise.all([recordActions(app, key.userId, actions), writeForFeeds(app, key, state)]),
  };
}

/** Writes the readings of a book to the list that feeds read. */
async function writeForFeeds(app: AppContext, key: ReadingKey, state: ReadingState): Promise<void> {
  const months = feedMonthsPart(app, key.userId, momentsForFeeds(state));
  for (const writes of inBatches([...months.writes, ...byMonth.writes(key, state, undefined)], monthIn))
    await batch(app.cassandra, writes);
  await months.onWritten?.();
}

const monthIn = ({ label, params }: Bound): string => `${label} ${String(params['month'])}`;

/** The lists of read books. */
function listProjections(app: AppContext, key: ReadingKey, state: ReadingState, isFormer: boolean): Stage {
  const { marked, reads } = state;
  if (reads.length === 0) return {};

  const lists = async () => {
    const book = marked ? await bookNow(app, key.bookId) : undefined;
    const ofLists = [byTitle, byReadAt].map((list) => list.writes(key, state, book && listedFields(book)));
    const ofYears = byYear.writes(key, state, undefined).map((write) => [write]);
    await Promise.all([...ofLists, ...ofYears].map((writes) => batch(app.cassandra, writes)));

    // If the book was renamed while this state was decided, the job of the renaming may already
    // have passed it.
    if (!isFormer && book && !isSamePosition(state, titlePositionOf(book))) await beginRelisting(app, key, state);
  };
  return { lists };
}

/**
 * Begins a job that updates a book in the lists of its readers, because one reader's list needs it.
 */
function beginRelisting(app: AppContext, { userId, bookId }: ReadingKey, state: ReadingState): Promise<void> {
  const book: NodeId = { type: 'Book', key: bookId };
  return beginJob(app, book, 'RELIST', `reader ${userId} ${String(state.version)}`, state.changed_at);
}

const READERS_PER_PAGE = 200;
const READERS_AT_ONCE = 16;

/**
 * Updates a book in the lists of one page of its readers.
 * @returns the end of the page, `undefined` when all are done
 */
export async function relistSomeReadings(app: AppContext, bookId: string, after: string): Promise<string | undefined> {
  const book = await bookNow(app, bookId);
  const page = { shards: READER_SHARDS, limit: READERS_PER_PAGE, after };
  const { rows, next } = await pageOfShards(app.cassandra, readersOfBook, { book_id: bookId }, page);
  await pLimit(READERS_AT_ONCE).map(rows, ({ user_id }) => relist(app, { userId: user_id, bookId }, book));
  return next;
}

/** Updates a book in a reader's lists, if they have it. */
async function relist(app: AppContext, key: ReadingKey, book: Book): Promise<void> {
  const position = titlePositionOf(book);
  const expected = await readings.read(app, key);
  await readings.change(app, key, expected, (state) => {
    if (!state?.marked) return undefined;
    const { title_sort, author_sort } = state;
    const former = isSamePosition(state, position) ? null : { title_sort, author_sort };
    return { ...state, ...position, ...NOTHING_MOVED, former };
  });
}

/**
 * The action of reading a book. A reading at an unknown time has the moment at which it was
 * reported.
 */
export const actionOfReading = (bookId: string, { read_at, noted_at }: Read): Action =>
  actionOf(bookId, read_at ?? noted_at);

const actionOf = (bookId: string, at: Date): Action => ({
  kind: 'READ',
  at,
  subject: subjectOf({ type: 'Book', key: bookId }),
});

/**
 * The moment at which a reading is counted. The noon that represents a day may still be in the
 * future.
 */
const countedAt = ({ read_at, noted_at }: Read): Date => (read_at && read_at < noted_at ? read_at : noted_at);

/** The event of reading a book, which is counted. */
export const eventOfReading = (
  { userId, bookId }: ReadingKey,
  read: Read,
  version: number,
  happened: boolean,
): LibraryEvent => ({
  kind: 'READ',
  subject: subjectOf({ type: 'Book', key: bookId }),
  at: countedAt(read),
  id: `${userId} ${bookId} ${placeByReadAt(read).getTime()}`,
  version,
  happened,
});

/** The state of a book that was read once, in the past. */
export const firstReading = (book: Book, readAt: Date, changeId: string): ReadingState =>
  versioned(readAgain(undefined, book, withReadNow([], readAt), readAt), {
    version: 1,
    changed_at: readAt,
    change_id: changeId,
  });
