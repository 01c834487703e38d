import { isTombstone, type Content } from '../aggregates/aggregate.ts';
import { changeOrFence, isSaidLater, type Importing, type Removing } from '../aggregates/importing.ts';
import type { Book } from '../catalogue/book.ts';
import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { noonOf } from '../time/days.ts';
import { NOTHING_MOVED, readings, readsIn, statusOf, titlePositionOf, UNREAD, withStep } from './aggregate.ts';
import { finishOn, inOrder, isSame, READS_MAX } from './reads.ts';
import type { Read, ReadingState, ReadingStep } from './tables.ts';
import { yearsOf } from './years.ts';

/**
 * Readings that a reader imports from elsewhere. An import adds what is missing, and takes back
 * what it added. Whatever the reader has said here stays, and so does what a later import says: in
 * whatever order imports are repeated, the result is the same.
 */

/** The part of an import that is about one book. */
export interface SaidElsewhere {
  readonly status: ReadingStatus;
  /** The finished readings, oldest first; an unknown day is null. */
  readonly reads: readonly { readonly startedOn: string | null; readonly finishedOn: string | null }[];
  /** In percent; null if unknown. */
  readonly progress: number | null;
  /** The day on which the book was begun that is being read, or was given up; null if unknown. */
  readonly startedOn: string | null;
  /** The day on which the book got the status; null if unknown. */
  readonly since: string | null;
}

const isOwn = ({ import_id }: { readonly import_id: string | null }): boolean => import_id === null;

/** True if the reader said the last word about the book here, not an import. */
function isOwnWord(state: ReadingState | undefined): boolean {
  const last = state?.history.at(-1);
  if (!state || !last || isTombstone(state)) return false;
  // Another reading of a book that an import brought as read is no step.
  return isOwn(last) || (last.status === 'READ' && readsIn(state).some(isOwn));
}

/** True if a later import said the last word about the book. */
function isLaterWord(state: ReadingState | undefined, importing: Importing): boolean {
  const last = state?.history.at(-1);
  // An import that was undone says nothing.
  return last !== undefined && last.status !== 'NONE' && isSaidLater(importing, last.import_id);
}

/**
 * Adds what an import says to the reading of a book, and takes back the readings that it added
 * before and that no longer follow from it. Repeating it changes nothing.
 * @returns false if the reader or a later import has said otherwise, which stays
 */
export async function addImported(
  app: AppContext,
  importing: Importing,
  book: Book,
  said: SaidElsewhere,
): Promise<boolean> {
  const { userId, importId, condition } = importing;
  let isKept = true;
  const next = (state: ReadingState | undefined, at: Date): Content<ReadingState> | undefined => {
    const isOfReader = isOwnWord(state);
    const isDecided = isOfReader || isLaterWord(state, importing);
    isKept = !isDecided || statusOf(state) === said.status;
    const [gone, left] = isOfReader
      ? [[], readsIn(state)]
      : partedReads(state, (read) => isSaidNoMore(read, said, importId) || isKnownNow(read, said, importId));
    // A book that the reader has taken off their list stays off it.
    const added = isOfReader && !state?.marked ? [] : addedReads(left, said, importId, at);
    const isNewWord = !isDecided && !isWordOf(state, importId, said.status);
    if (added.length === 0 && gone.length === 0 && !isNewWord) return undefined;

    return {
      ...(state ?? UNREAD),
      ...NOTHING_MOVED,
      ...(isNewWord && { history: withWord(state, said, importId, at) }),
      ...movedReads(state, gone, [...left, ...added]),
      ...(added.length > 0 && !state?.marked && titlePositionOf(book)),
    };
  };
  await readings.change(app, { userId, bookId: book.id }, undefined, next, condition);
  return isKept;
}

/** True if an import said the last word about the book, and the same. */
const isWordOf = (state: ReadingState | undefined, importId: string, status: ReadingStatus): boolean =>
  statusOf(state) === status && state?.history.at(-1)?.import_id === importId;

/** Returns the steps with the word of an import, which replaces the same word of an earlier one. */
function withWord(state: ReadingState | undefined, said: SaidElsewhere, importId: string, at: Date): ReadingStep[] {
  const by = { import_id: importId, started_on: said.startedOn };
  const [status, progress] = [said.status, progressOf(said)];
  const last = state?.history.at(-1);
  // The place on the shelf follows from the moment, which stays.
  return last?.status === status
    ? [...(state?.history ?? []).slice(0, -1), { status, progress, at: last.at, ...by }]
    : withStep(state, status, progress, sinceOf(said, at), by);
}

/** True for a reading that the import has added and that no longer follows from its shelf. */
const isSaidNoMore = (read: Read, { reads }: SaidElsewhere, importId: string): boolean =>
  read.import_id === importId && !reads.some(({ finishedOn }) => finishedOn === read.imported_on);

/**
 * True for a reading on an unknown day that another import has added, if this one tells a day. What
 * one file says itself of an unknown day is a reading beside those on known days.
 */
const isKnownNow = (read: Read, { reads }: SaidElsewhere, importId: string): boolean =>
  !isOwn(read) &&
  read.import_id !== importId &&
  read.read_at === null &&
  reads.some(({ finishedOn }) => finishedOn !== null);

/** Parts the readings that count into those that go and those that stay. */
function partedReads(state: ReadingState | undefined, isGone: (read: Read) => boolean): readonly [Read[], Read[]] {
  const reads = readsIn(state);
  return [reads.filter(isGone), reads.filter((read) => !isGone(read))];
}

/** Returns the fields of a state that lose some readings and get others. */
function movedReads(state: ReadingState | undefined, gone: readonly Read[], reads: Read[]) {
  // Readings of a book that is not marked stay in its state, so that they leave the lists.
  if (reads.length === 0) return { marked: false };
  const newest = gone.at(-1);
  const isNewestGone = newest !== undefined && newest === state?.reads.at(-1);
  return { marked: true, reads: inOrder(reads), corrected: isNewestGone ? newest : null, gone_years: yearsOf(gone) };
}

/** The readings that are new, oldest first. An unknown day adds nothing to any known reading. */
function addedReads(before: readonly Read[], { reads }: SaidElsewhere, importId: string, at: Date): Read[] {
  const added: Read[] = [];
  for (const { startedOn, finishedOn } of reads) {
    const finish = finishOn(finishedOn);
    const there = [...before, ...added];
    const isThere =
      finishedOn === null
        ? there.length > 0
        : there.some((read) => isSame(read, finish) || read.imported_on === finishedOn);
    if (!isThere)
      added.push({ ...finish, started_on: startedOn, noted_at: at, import_id: importId, imported_on: finishedOn });
  }
  const room = Math.max(READS_MAX - before.length, 0);
  const kept = room === 0 ? [] : added.slice(-room);
  // No two readings of a book were noted at the same moment.
  return kept.map((read, index) => ({ ...read, noted_at: new Date(at.getTime() - (kept.length - 1 - index)) }));
}

/** A book that was read was read to its end, and one that is to be read was not begun. */
function progressOf({ status, progress }: SaidElsewhere): number {
  if (status === 'READ') return 100;
  return status === 'WANT_TO_READ' ? 0 : (progress ?? 0);
}

/** The moment of a status. The progress of a book may have changed since it was begun. */
const sinceOf = ({ startedOn, since, reads }: SaidElsewhere, at: Date): Date => {
  const lastDay = reads.findLast(({ finishedOn }) => finishedOn !== null)?.finishedOn;
  const isChangedSince = startedOn !== null && since !== null && since > startedOn;
  const day = (isChangedSince ? since : (startedOn ?? since)) ?? lastDay;
  const noon = day == null ? at : noonOf(day);
  return noon < at ? noon : at;
};

/**
 * Takes back what an import added to the reading of a book. Repeating it changes nothing that
 * anybody sees.
 */
export async function removeImported(
  app: AppContext,
  { userId, importId, condition }: Removing,
  bookId: string,
): Promise<void> {
  const next = (state: ReadingState | undefined, at: Date) => (state ? without(state, importId, at) : undefined);
  await changeOrFence(app, readings, { userId, bookId }, next, condition);
}

function without(state: ReadingState, importId: string, at: Date): Content<ReadingState> | undefined {
  const isOfImport = ({ import_id }: { readonly import_id: string | null }) => import_id === importId;
  const [gone, left] = partedReads(state, isOfImport);
  const last = state.history.at(-1);
  const isStillRead = last?.status === 'READ' && left.some(isOwn);
  const isStepOfImport = last !== undefined && isOfImport(last) && last.status !== 'NONE' && !isStillRead;
  if (gone.length === 0 && !isStepOfImport) return undefined;

  // Other imports say their words again after this.
  const before = state.history.findLast(isOwn);
  const { status, progress } = before ?? { status: 'NONE', progress: 0 };
  return {
    ...state,
    ...NOTHING_MOVED,
    ...movedReads(state, gone, left),
    ...(isStepOfImport && {
      history: withStep(state, status, progress, at, { import_id: importId, started_on: null }),
    }),
  };
}
