import { monthWrites } from '../activity/months.ts';
import { beginningOf, DAY_MS, HOUR_MS, monthOf } from '../time/units.ts';
import { batch, bind, first, rows, write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { countLogins, insertLogin, selectDays, selectHours, updateDay, updateHour } from './tables.ts';
import { currentWindow, lastWindow, partsOf, type Window } from './windows.ts';

/** A login, or a failed attempt. */
export interface Login {
  readonly userId: string;
  readonly succeeded: boolean;
  readonly at: Date;
  /** The id of the session or attempt, so that a repetition writes the same row. */
  readonly id: string;
}

/** The numbers of logins and failed attempts. */
export interface LoginTally {
  readonly succeeded: number;
  readonly failed: number;
}

/**
 * Records a login and counts it. Recording it again changes nothing.
 * @param keptSeconds 0 to keep it permanently; an attempt on an account that does not exist is kept
 * briefly
 */
export async function recordLogin({ cassandra }: AppContext, login: Login, keptSeconds = 0): Promise<void> {
  const { userId: user_id, succeeded, at, id } = login;
  const key = { user_id, month: monthOf(at) };
  const kept = { ttl_seconds: keptSeconds };
  await batch(cassandra, [
    ...monthWrites(user_id, 'logins', [at], keptSeconds),
    bind(insertLogin, { ...key, succeeded, at, login_id: id, ...kept }),
  ]);
  const hour = wholeOf(at, HOUR_MS);
  const ofHour = await count(cassandra, { ...key, succeeded, ...limitsOf(hour) });
  const outcome = succeeded ? 'succeeded' : 'failed';
  await write(cassandra, updateHour[outcome], { ...key, hour: hour.from, ...absolute(ofHour), ...kept });
  // The hours are read after this hour is written, so that the last of several servers sees all of
  // them.
  const day = wholeOf(at, DAY_MS);
  const hours = await rows(cassandra, selectHours, { ...key, ...limitsOf(day) });
  await write(cassandra, updateDay[outcome], { user_id, day: day.from, ...absolute(tallyOf(hours)[outcome]), ...kept });
}

function wholeOf(at: Date, unitMs: number): Window {
  const begin = beginningOf(at.getTime(), unitMs);
  return { from: new Date(begin), to: new Date(begin + unitMs) };
}

const limitsOf = ({ from, to }: Window) => ({ at_least: from, below: to });

/** A count only grows, so the count is used as its version. */
const absolute = (count: number) => ({ count, write_timestamp: BigInt(count) });

async function count(
  cassandra: AppContext['cassandra'],
  values: { user_id: string; month: Date; succeeded: boolean; at_least: Date; below: Date },
): Promise<number> {
  return Number((await first(cassandra, countLogins, values))?.logins ?? 0);
}

interface Counts {
  readonly succeeded_count: number | null;
  readonly failed_count: number | null;
}

const tallyOf = (counts: readonly Counts[]): LoginTally => ({
  succeeded: counts.reduce((sum, row) => sum + (row.succeeded_count ?? 0), 0),
  failed: counts.reduce((sum, row) => sum + (row.failed_count ?? 0), 0),
});

/** Counts the logins and failed attempts of a reader within a window. */
export async function countWithin({ cassandra }: AppContext, userId: string, window: Window): Promise<LoginTally> {
  const { days, hours, moments } = partsOf(window);
  const inMonth = (part: Window) => ({ user_id: userId, month: monthOf(part.from), ...limitsOf(part) });
  const countsOf = async (part: Window): Promise<Counts[]> => {
    const [succeeded_count = 0, failed_count = 0] = await Promise.all(
      [true, false].map((succeeded) => count(cassandra, { ...inMonth(part), succeeded })),
    );
    return [{ succeeded_count, failed_count }];
  };

  const counts = await Promise.all([
    ...days.map((part) => rows(cassandra, selectDays, { user_id: userId, ...limitsOf(part) })),
    ...hours.map((part) => rows(cassandra, selectHours, inMonth(part))),
    ...moments.map(countsOf),
  ]);
  return tallyOf(counts.flat());
}

/**
 * Counts the logins of a reader within a duration that ends now.
 * @throws `BAD_USER_INPUT` about `last` or `timeZone`
 */
export async function loginCountOf(
  context: RequestContext,
  userId: string,
  { last, timeZone }: { last: string; timeZone?: string | null },
): Promise<number> {
  return (await countWithin(context, userId, lastWindow(last, timeZone, untilNow(context)))).succeeded;
}

/** A login in this millisecond is included. */
const untilNow = ({ clock }: AppContext) => new Date(clock().getTime() + 1);

/** The source of a reader's counts by window. */
export interface LoginWindows {
  readonly userId: string;
  readonly timeZone?: string | null;
}

/** Counts the logins of a reader in the last hours or days: `PT24H`, `P7D`, `P30D`. */
export const countOfLast = (context: RequestContext, { userId, timeZone }: LoginWindows, last: string) =>
  countWithin(context, userId, lastWindow(last, timeZone, untilNow(context)));

/** Counts the logins of a reader in the current day, week or month of their time zone. */
export const countOfCurrent = (
  context: RequestContext,
  { userId, timeZone }: LoginWindows,
  unit: 'day' | 'week' | 'month',
) => countWithin(context, userId, currentWindow(unit, timeZone, untilNow(context)));
