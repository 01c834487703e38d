import type { AppContext } from '../context/context.ts';
import { UserError, UserErrors, invalidInput } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { offsetOf } from '../graphql/moments.ts';
import { dayAt, latestDayAt, noonOf } from '../time/days.ts';
import { dayIn, type TimeZone } from '../time/zones.ts';
import type { Read } from './tables.ts';

/** The times at which a reader finished a book. A time is a moment, a day or unknown. */

export const READS_MAX = 100;
const EARLIEST_DAY = '1900-01-01';
/** The maximum time by which a client's clock may be ahead of ours. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * The time at which a book was finished. For a day, `read_at` is its noon in UTC; for an unknown
 * day, both are null.
 */
type Finish = Pick<Read, 'read_at' | 'finished_on'>;

const NOBODY_KNOWS: Finish = { read_at: null, finished_on: null };

/** A reading as its reader reports it. */
export interface ReportedRead {
  /** Unset if it was not given. */
  readonly finish: Finish | undefined;
  readonly startedOn: string | null | undefined;
}

/**
 * The times in the input of `markAsRead`. `finishedOn: null` means that the day is unknown; a
 * missing field means that nothing was given.
 */
export interface TimesInput {
  readonly readAt?: Date | null;
  readonly finishedOn?: string | null;
  readonly startedOn?: string | null;
}

/** @throws {UserError} `INVALID_INPUT` about `finishedOn`, `startedOn` or `readAt` */
export function timesInput(app: AppContext, input: TimesInput): ReportedRead {
  const said = readInput({
    finish: () => finishInput(app, input),
    startedOn: () => dayInput(app, 'startedOn', input.startedOn),
  });
  const { readAt } = input;
  const lastDay = said.finish?.finished_on ?? (readAt ? dayAt(readAt, offsetOf(readAt)) : undefined);
  if (said.startedOn && lastDay !== undefined && said.startedOn > lastDay)
    throw reversed(readAt ? 'readAt' : 'finishedOn');
  return said;
}

function finishInput(app: AppContext, { readAt, finishedOn }: TimesInput): Finish | undefined {
  if (readAt && finishedOn !== undefined) {
    throw aboutBoth('Send the day on which the book was finished, or the moment, not both.', 'finishedOn', 'readAt');
  }
  if (readAt) return { read_at: readAtInput(app, readAt), finished_on: null };
  const day = dayInput(app, 'finishedOn', finishedOn);
  return day === undefined ? undefined : finishOn(day);
}

export const finishOn = (day: string | null): Finish =>
  day === null ? NOBODY_KNOWS : { read_at: noonOf(day), finished_on: day };

/** The days that a reader corrects: null if they are unknown, unset if they are kept. */
export interface CorrectionInput {
  readonly readingId?: string | null;
  readonly finishedOn?: string | null;
  readonly startedOn?: string | null;
}

export interface Correction {
  /** The moment at which the reading was noted; unset for the newest one. */
  readonly notedAt: number | undefined;
  readonly finishedOn: string | null | undefined;
  readonly startedOn: string | null | undefined;
}

/** @throws {UserError} `INVALID_INPUT` about `readingId`, `finishedOn` or `startedOn` */
export function correctionInput(app: AppContext, input: CorrectionInput): Correction {
  if (input.finishedOn === undefined && input.startedOn === undefined) {
    throw aboutBoth('Send the day to correct, or null if it is unknown.', 'finishedOn', 'startedOn');
  }
  return readInput({
    notedAt: () => (input.readingId == null ? undefined : readingIdInput(input.readingId)),
    finishedOn: () => dayInput(app, 'finishedOn', input.finishedOn),
    startedOn: () => dayInput(app, 'startedOn', input.startedOn),
  });
}

/** The id of a reading among those of its book. No two of them were noted at the same moment. */
export const readingIdOf = (bookId: string, { noted_at }: Pick<Read, 'noted_at'>): string =>
  Buffer.from(`${bookId} ${noted_at.getTime()}`).toString('base64url');

function readingIdInput(id: string): number {
  const [, notedAt] = /^\S+ (-?\d+)$/.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  if (notedAt !== undefined) return Number(notedAt);
  throw invalidInput(
    ['readingId'],
    'This is not the id of a reading; send one as `viewerReading { readings { id } }` gave it.',
  );
}

function readAtInput({ clock }: AppContext, readAt: Date): Date {
  const isTooEarly = dayAt(readAt, offsetOf(readAt)) < EARLIEST_DAY;
  if (isTooEarly || readAt.getTime() > clock().getTime() + CLOCK_TOLERANCE_MS) {
    throw invalidInput(['readAt'], 'A book is read between the year 1900 and now: send a moment that has passed.');
  }
  return readAt;
}

/** @throws {UserError} `INVALID_INPUT` about the field */
export function dayInput<Day extends string | null | undefined>({ clock }: AppContext, field: string, day: Day): Day {
  if (day == null || (day >= EARLIEST_DAY && day <= latestDayAt(clock()))) return day;
  throw invalidInput([field], 'A book is read between the year 1900 and today: send a day that is not in the future.');
}

const reversed = (end: 'finishedOn' | 'readAt') =>
  aboutBoth('A book is finished on the day on which it was started, or later: change one of them.', 'startedOn', end);

function aboutBoth(message: string, one: string, other: string): UserErrors {
  return new UserErrors(invalidInput([one], message), [invalidInput([other], message)]);
}

/**
 * Adds a reading to the readings of a book, which are sorted oldest first, unknown times before all
 * others.
 * @param at the moment of the report
 * @returns `undefined` if nothing is new
 * @throws {UserError} `INVALID_INPUT` when the book was read too often, or finished before it was
 *   started
 */
export function withRead(reads: readonly Read[], { finish, startedOn }: ReportedRead, at: Date): Read[] | undefined {
  const known = finish ? reads.find((read) => isSame(read, finish)) : newestSince(reads, startedOn);
  if (!known) {
    const field = finish?.read_at && finish.finished_on === null ? 'readAt' : 'finishedOn';
    return withOneMore(reads, { ...nowAt(at), ...finish, started_on: startedOn ?? null }, field);
  }

  const finished_on = finish?.finished_on ?? known.finished_on;
  const started_on = startedOn ?? known.started_on;
  if (finished_on === known.finished_on && started_on === known.started_on) return undefined;
  if (finished_on !== null && started_on !== null && started_on > finished_on) throw reversed('finishedOn');
  return reads.map((read) => (read === known ? { ...known, finished_on, started_on, import_id: null } : read));
}

/**
 * Corrects the days of a reading.
 * @returns the readings, and the former state of the corrected one if its time has changed;
 *   `undefined` if nothing is new
 * @throws {UserError} `NOT_FOUND` about `readingId`; `INVALID_INPUT` when the reading would be
 *   finished before it was started, or at the time of another one
 */
export function withCorrection(
  reads: readonly Read[],
  { notedAt, finishedOn, startedOn }: Correction,
): { reads: Read[]; corrected: Read | null } | undefined {
  const known = notedAt === undefined ? reads.at(-1) : reads.find(({ noted_at }) => noted_at.getTime() === notedAt);
  if (!known) throw new UserError('NOT_FOUND', 'This book has no such reading.', ['input', 'readingId']);

  const finish = finishedOn === undefined ? undefined : finishOn(finishedOn);
  const next: Read = {
    ...known,
    ...finish,
    import_id: null,
    started_on: startedOn === undefined ? known.started_on : startedOn,
  };
  const lastDay = next.finished_on ?? (next.read_at && latestDayAt(next.read_at));
  if (next.started_on !== null && lastDay !== null && next.started_on > lastDay) throw reversed('finishedOn');

  const others = reads.filter((read) => read !== known);
  if (others.some((read) => isSame(read, next))) {
    throw invalidInput(['finishedOn'], 'Another reading of this book has that day already: send another day.');
  }
  const isMoved = !isSame(known, next);
  if (!isMoved && next.finished_on === known.finished_on && next.started_on === known.started_on) return undefined;
  return { reads: inOrder([...others, next]), corrected: isMoved ? known : null };
}

/** The newest reading, unless it was finished before this one was started. */
function newestSince(reads: readonly Read[], startedOn: string | null | undefined): Read | undefined {
  const newest = reads.at(-1);
  if (!newest?.read_at || !startedOn) return newest;
  return startedOn <= (newest.finished_on ?? latestDayAt(newest.read_at)) ? newest : undefined;
}

/** Adds a reading at this moment, for the status READ. */
export const withReadNow = (reads: readonly Read[], at: Date): Read[] => withOneMore(reads, nowAt(at), 'status');

const nowAt = (at: Date): Read => ({
  read_at: at,
  finished_on: null,
  started_on: null,
  noted_at: at,
  import_id: null,
  imported_on: null,
});

function withOneMore(reads: readonly Read[], read: Read, field: string): Read[] {
  if (reads.length >= READS_MAX) {
    throw invalidInput([field], `You can record at most ${READS_MAX} readings per book.`);
  }
  return inOrder([...reads, read]);
}

/** Sorts readings, oldest first, unknown times before all others. */
export const inOrder = (reads: Read[]): Read[] => reads.sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));

/**
 * True for the same time. A day equals its noon, because a client that knows only moments may send
 * back the noon that it received.
 */
export const isSame = (one: Finish, other: Finish) => timeOf(one) === timeOf(other);

const timeOf = ({ read_at }: Finish): number => read_at?.getTime() ?? -Infinity;

/**
 * The known moments at which a book was read, newest first. A day is represented by its noon in
 * UTC.
 */
export const momentsOf = (reads: readonly Read[]): Date[] => reads.flatMap(({ read_at }) => read_at ?? []).reverse();

/**
 * The day on which a book was finished. A day is the same everywhere. The day of a moment depends
 * on the time zone, but is never before the day on which the book was begun.
 */
export function finishedOn(
  read: Pick<Read, 'read_at' | 'finished_on' | 'started_on'> | undefined,
  timeZone: TimeZone,
): string | null {
  if (read?.finished_on) return read.finished_on;
  const day = dayIn(read?.read_at ?? undefined, timeZone);
  return day !== null && read?.started_on && read.started_on > day ? read.started_on : day;
}
