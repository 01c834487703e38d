import type { AppContext } from '../context/context.ts';
import { UserError, UserErrors } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { offsetOf } from '../graphql/moments.ts';
import { dayAt, latestDayAt, noonOf } from '../time/days.ts';
import { dayIn, type TimeZone } from '../time/zones.ts';
import type { Read } from './tables.ts';

/** Each time that a reader finished a book: at a moment, on a day, or nobody knows when. */

const READS_MAX = 100;
const EARLIEST_DAY = '1900-01-01';
/** A client's clock may be ahead of ours by this much. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** When a book was finished: of a day alone, `read_at` is its noon in UTC; where nobody knows the day, both are null. */
type Finish = Pick<Read, 'read_at' | 'finished_on'>;

const NOBODY_KNOWS: Finish = { read_at: null, finished_on: null };

/** One reading, as its reader told it. */
export interface SaidOfRead {
  /** Unset where it was not said. */
  readonly finish: Finish | undefined;
  readonly startedOn: string | null | undefined;
}

/** The times in the input of `markAsRead`. A field that is left out says nothing; `finishedOn: null` says that nobody knows. */
export interface TimesInput {
  readonly readAt?: Date | null;
  readonly finishedOn?: string | null;
  readonly startedOn?: string | null;
}

/** @throws {UserError} `INVALID_INPUT` about `finishedOn`, `startedOn` or `readAt` */
export function timesInput(app: AppContext, input: TimesInput): SaidOfRead {
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
  if (day === undefined) return undefined;
  return day === null ? NOBODY_KNOWS : { read_at: noonOf(day), finished_on: day };
}

function readAtInput({ clock }: AppContext, readAt: Date): Date {
  const isTooEarly = dayAt(readAt, offsetOf(readAt)) < EARLIEST_DAY;
  if (isTooEarly || readAt.getTime() > clock().getTime() + CLOCK_TOLERANCE_MS) {
    const message = 'A book is read between the year 1900 and now: send a moment that has passed.';
    throw new UserError('INVALID_INPUT', message, ['input', 'readAt']);
  }
  return readAt;
}

function dayInput<Day extends string | null | undefined>({ clock }: AppContext, field: string, day: Day): Day {
  if (day == null || (day >= EARLIEST_DAY && day <= latestDayAt(clock()))) return day;
  const message = 'A book is read between the year 1900 and today: send a day that is not in the future.';
  throw new UserError('INVALID_INPUT', message, ['input', field]);
}

const reversed = (end: 'finishedOn' | 'readAt') =>
  aboutBoth('A book is finished on the day on which it was started, or later: change one of them.', 'startedOn', end);

function aboutBoth(message: string, one: string, other: string): UserErrors {
  const about = (field: string) => new UserError('INVALID_INPUT', message, ['input', field]);
  return new UserErrors(about(one), [about(other)]);
}

/**
 * The readings of a book after one more was said, oldest first, unknown ones before all others.
 * @param at the moment at which it is said
 * @returns `undefined` where all of it was known
 * @throws {UserError} `INVALID_INPUT` where the book was read too often, or finished before it was started
 */
export function withRead(reads: readonly Read[], { finish, startedOn }: SaidOfRead, at: Date): Read[] | undefined {
  const known = finish ? reads.find((read) => isSame(read, finish)) : newestSince(reads, startedOn);
  if (!known) {
    const field = finish?.read_at && finish.finished_on === null ? 'readAt' : 'finishedOn';
    return withOneMore(reads, { ...nowAt(at), ...finish, started_on: startedOn ?? null }, field);
  }

  const finished_on = finish?.finished_on ?? known.finished_on;
  const started_on = startedOn ?? known.started_on;
  if (finished_on === known.finished_on && started_on === known.started_on) return undefined;
  if (finished_on !== null && started_on !== null && started_on > finished_on) throw reversed('finishedOn');
  return reads.map((read) => (read === known ? { ...known, finished_on, started_on } : read));
}

/** The newest reading, but for one that was finished before the day on which this one was started. */
function newestSince(reads: readonly Read[], startedOn: string | null | undefined): Read | undefined {
  const newest = reads.at(-1);
  if (!newest?.read_at || !startedOn) return newest;
  return startedOn <= (newest.finished_on ?? latestDayAt(newest.read_at)) ? newest : undefined;
}

/** The readings of a book whose status says that it was read once more just now. */
export const withReadNow = (reads: readonly Read[], at: Date): Read[] => withOneMore(reads, nowAt(at), 'status');

const nowAt = (at: Date): Read => ({ read_at: at, finished_on: null, started_on: null, noted_at: at });

function withOneMore(reads: readonly Read[], read: Read, field: string): Read[] {
  if (reads.length >= READS_MAX) {
    const message = `A book can be read ${READS_MAX} times, and this one was.`;
    throw new UserError('INVALID_INPUT', message, ['input', field]);
  }
  return [...reads, read].sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
}

/** A day alone and its noon are one reading: a client that knows moments only may say again what it was answered. */
const isSame = (one: Finish, other: Finish) => timeOf(one) === timeOf(other);

const timeOf = ({ read_at }: Finish): number => read_at?.getTime() ?? -Infinity;

/** Every known moment of reading a book, newest first; of a day alone, its noon in UTC. */
export const momentsOf = (reads: readonly Read[]): Date[] => reads.flatMap(({ read_at }) => read_at ?? []).reverse();

/** The day on which a book was finished, which is the same everywhere; of a moment, its day in a time zone. */
export const finishedOn = (read: Finish | undefined, timeZone: TimeZone): string | null =>
  read?.finished_on ?? dayIn(read?.read_at ?? undefined, timeZone);
