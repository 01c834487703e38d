import { isTombstone, type Content } from '../aggregates/state.ts';
import { changeOrFence, isFromLaterImport, type ImportContext, type RevertContext } from '../aggregates/importing.ts';
import type { Book } from '../catalogue/book.ts';
import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { noonOf } from '../time/days.ts';
import { NOTHING_MOVED, readings, readsIn, statusOf, titlePositionOf, UNREAD, withStep } from './aggregate.ts';
import { finishOn, inOrder, isSame, READS_MAX } from './reads.ts';
import type { Read, ReadingState, ReadingStep } from './tables.ts';
import { yearsOf } from './years.ts';

/**
 * Readings from a reader's imports. An import adds readings that are missing, and an undo removes
 * them. Changes that the reader has made on this server are kept, and so is the data of a later
 * import. So imports can be repeated in any order.
 */

/** The reading of one book in an import. */
export interface ImportedReading {
  /** Null for a book that was read and is on no shelf. */
  readonly status: ReadingStatus | null;
  /** The finished readings, oldest first; an unknown day is null. */
  readonly reads: readonly { readonly startedOn: string | null; readonly finishedOn: string | null }[];
  /** In percent; null if unknown. */
  readonly progress: number | null;
  /** The day on which a book that is being read or was given up was begun; null if unknown. */
  readonly startedOn: string | null;
  /** The day on which the book got the status; null if unknown. */
  readonly since: string | null;
}

const isOwn = ({ import_id }: { readonly import_id: string | null }): boolean => import_id === null;

/** True if the newest step was made by the reader on this server, not by an import. */
function isUserEdit(state: ReadingState | undefined): boolean {
  const last = state?.history.at(-1);
  if (!state || !last || isTombstone(state)) return false;
  // A reading that is added to a book that an import has marked as read adds no step.
  return isOwn(last) || (last.status === 'READ' && readsIn(state).some(isOwn));
}

/** True if the newest step was made by a later import. */
function isLaterImport(state: ReadingState | undefined, importing: ImportContext): boolean {
  const last = state?.history.at(-1);
  // The step of an import that was undone has no status.
  return last !== undefined && last.status !== 'NONE' && isFromLaterImport(importing, last.import_id);
}

/**
 * Adds the status and the readings of an import to a book, and removes readings that the import
 * added before and no longer has. Repeating it changes nothing. A reading without a status leaves
 * the book on its shelf, whichever import is first.
 * @returns false if another status, from the reader or from a later import, was kept
 */
export async function addImportedReading(
  app: AppContext,
  importing: ImportContext,
  book: Book,
  imported: ImportedReading,
): Promise<boolean> {
  const { userId, importId, condition } = importing;
  const status: ReadingStep['status'] = imported.status ?? 'NONE';
  let isKept = true;
  const next = (state: ReadingState | undefined, at: Date): Content<ReadingState> | undefined => {
    const isOfReader = isUserEdit(state);
    const isDecided = isOfReader || isLaterImport(state, importing);
    isKept = !isDecided || statusOf(state) === status;
    const [removed, kept] = isOfReader
      ? [[], readsIn(state)]
      : partitionReads(state, (read) => isObsolete(read, imported, importId) || isDated(read, imported, importId));
    // A book that the reader has removed from their list is not added again.
    const added = isOfReader && !state?.marked ? [] : addedReads(kept, imported, importId, at);
    const isNewStep = !isDecided && (status === 'NONE' ? !hasSteps(state) : !isStepOf(state, importId, status));
    if (added.length === 0 && removed.length === 0 && !isNewStep) return undefined;

    return {
      ...(state ?? UNREAD),
      ...NOTHING_MOVED,
      ...(isNewStep && { history: withImportedStep(state, imported, importId, at) }),
      ...movedReads(state, removed, [...kept, ...added]),
      ...(added.length > 0 && !state?.marked && titlePositionOf(book)),
    };
  };
  await readings.change(app, { userId, bookId: book.id }, undefined, next, condition);
  return isKept;
}

const hasSteps = (state: ReadingState | undefined): boolean => state !== undefined && state.history.length > 0;

/** True if the newest step was made by an import, and has this status. */
const isStepOf = (state: ReadingState | undefined, importId: string, status: ReadingStep['status']): boolean =>
  statusOf(state) === status && state?.history.at(-1)?.import_id === importId;

/** Returns the steps with the step of an import. It replaces an equal step of an earlier import. */
function withImportedStep(
  state: ReadingState | undefined,
  imported: ImportedReading,
  importId: string,
  at: Date,
): ReadingStep[] {
  const by = { import_id: importId, started_on: imported.startedOn };
  const [status, progress] = [imported.status ?? 'NONE', progressOf(imported)] as const;
  const last = state?.history.at(-1);
  // The moment is kept, because it orders the shelf.
  return last?.status === status
    ? [...(state?.history ?? []).slice(0, -1), { status, progress, at: last.at, ...by }]
    : withStep(state, status, progress, sinceOf(imported, at), by);
}

/** True for a reading that the import has added before and no longer has. */
const isObsolete = (read: Read, { reads }: ImportedReading, importId: string): boolean =>
  read.import_id === importId && !reads.some(({ finishedOn }) => finishedOn === read.imported_on);

/**
 * True for a reading on an unknown day from another import, if this import has a reading with a
 * day. Within one file, a reading on an unknown day is an additional one.
 */
const isDated = (read: Read, { reads }: ImportedReading, importId: string): boolean =>
  !isOwn(read) &&
  read.import_id !== importId &&
  read.read_at === null &&
  reads.some(({ finishedOn }) => finishedOn !== null);

/** Partitions the readings into those to remove and those to keep. */
function partitionReads(
  state: ReadingState | undefined,
  isRemoved: (read: Read) => boolean,
): readonly [removed: Read[], kept: Read[]] {
  const reads = readsIn(state);
  return [reads.filter(isRemoved), reads.filter((read) => !isRemoved(read))];
}

/** Returns the fields of a state after some readings were removed and others added. */
function movedReads(state: ReadingState | undefined, removed: readonly Read[], reads: Read[]) {
  // The state of an unmarked book keeps its readings, so that they are deleted from the lists.
  if (reads.length === 0) return { marked: false };
  const newest = removed.at(-1);
  const corrected = newest !== undefined && newest === state?.reads.at(-1) ? newest : null;
  return { marked: true, reads: inOrder(reads), corrected, gone_years: yearsOf(removed) };
}

/**
 * The new readings, oldest first. A reading on an unknown day is left out if the book has any
 * other.
 */
function addedReads(before: readonly Read[], { reads }: ImportedReading, importId: string, at: Date): Read[] {
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

/** The progress: 100 for a book that was read, 0 for one that is not begun, or on no shelf. */
function progressOf({ status, progress }: ImportedReading): number {
  if (status === 'READ') return 100;
  return status === null || status === 'WANT_TO_READ' ? 0 : (progress ?? 0);
}

/** The moment of a status. The progress of a book may have changed since it was begun. */
const sinceOf = ({ startedOn, since, reads }: ImportedReading, at: Date): Date => {
  const lastDay = reads.findLast(({ finishedOn }) => finishedOn !== null)?.finishedOn;
  const isChangedSince = startedOn !== null && since !== null && since > startedOn;
  const day = (isChangedSince ? since : (startedOn ?? since)) ?? lastDay;
  const noon = day == null ? at : noonOf(day);
  return noon < at ? noon : at;
};

/**
 * Removes the status and the readings that an import has added to a book. Repeating it has no
 * visible effect.
 */
export async function removeImportedReading(
  app: AppContext,
  { userId, importId, condition }: RevertContext,
  bookId: string,
): Promise<void> {
  const next = (state: ReadingState | undefined, at: Date) => (state ? without(state, importId, at) : undefined);
  await changeOrFence(app, readings, { userId, bookId }, next, condition);
}

function without(state: ReadingState, importId: string, at: Date): Content<ReadingState> | undefined {
  const isOfImport = ({ import_id }: { readonly import_id: string | null }) => import_id === importId;
  const [removed, kept] = partitionReads(state, isOfImport);
  const last = state.history.at(-1);
  const isStillRead = last?.status === 'READ' && kept.some(isOwn);
  const isStepOfImport = last !== undefined && isOfImport(last) && last.status !== 'NONE' && !isStillRead;
  if (removed.length === 0 && !isStepOfImport) return undefined;

  // Other imports are applied again after this.
  const before = state.history.findLast(isOwn);
  const { status, progress } = before ?? { status: 'NONE', progress: 0 };
  return {
    ...state,
    ...NOTHING_MOVED,
    ...movedReads(state, removed, kept),
    ...(isStepOfImport && {
      history: withStep(state, status, progress, at, { import_id: importId, started_on: null }),
    }),
  };
}
