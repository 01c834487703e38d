import { EARLIEST, LATEST } from '../cassandra/orders.ts';
import { bind, rows, write, type Bound, type Statement } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { monthOf } from '../time/units.ts';
import { requireOrderedRange, type TimeRange } from '../time/ranges.ts';
import { insertMonth, listedMonths, selectMonths } from './tables.ts';

/** The table of months, for audits. */
export { listedMonths };

/** Lists of a reader that grow without limit, with a partition for each month. */

export const MONTHLY_LISTS = ['sessions', 'security_events', 'logins', 'feed'] as const;
export type MonthlyList = (typeof MONTHLY_LISTS)[number];

/**
 * The writes that list the months of the given moments. Send them before the rows, or in one
 * transaction with them, because a month that is not listed is never read. An empty listed month is
 * harmless.
 * @param keptSeconds 0 for rows that are kept permanently
 */
export function monthWrites(userId: string, list: MonthlyList, moments: readonly Date[], keptSeconds = 0): Bound[] {
  const months = new Set(moments.map((at) => monthOf(at).getTime()));
  const kept = { ttl_seconds: keptSeconds };
  return [...months].map((time) => bind(insertMonth, { user_id: userId, list, month: new Date(time), ...kept }));
}

/** Reads the months of a list that may have rows, newest first. */
export async function monthsOf(
  { cassandra }: AppContext,
  userId: string,
  list: MonthlyList,
  { from, to }: TimeRange = {},
): Promise<Date[]> {
  const found = await rows(cassandra, selectMonths, {
    user_id: userId,
    list,
    from_month: from ? monthOf(from) : EARLIEST,
    to_month: to ? monthOf(to) : LATEST,
  });
  return found.map(({ month }) => month);
}

/** Erases a list of a deleted account, including rows that are still being written. */
export async function eraseMonthly(
  app: AppContext,
  userId: string,
  list: MonthlyList,
  erase: Statement<{ user_id: string; month: Date }, never>,
): Promise<undefined> {
  for (const month of [...(await monthsOf(app, userId, list)), ...monthsOfNow(app)])
    await write(app.cassandra, erase, { user_id: userId, month });
}

/**
 * The last month, this one and the next. An unfinished change may still write to them, even if they
 * are not listed yet. Clicks arrive up to some days late.
 */
export function monthsOfNow({ clock }: AppContext): Date[] {
  const now = clock();
  return [-1, 0, 1].map((months) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)));
}

/**
 * Returns the name and the options that the pages of a monthly list need.
 * @param momentOf the moment by which a row is listed
 * @throws `BAD_USER_INPUT` when the range ends before it begins
 */
export async function monthly<Position>(
  app: AppContext,
  userId: string,
  list: MonthlyList,
  within: TimeRange,
  momentOf: (position: Position) => Date,
) {
  requireOrderedRange(within);
  const { from, to } = within;
  const values = await monthsOf(app, userId, list, within);
  return {
    name: `${list} ${userId} ${from?.toISOString() ?? ''} ${to?.toISOString() ?? ''}`,
    options: { within, buckets: { column: 'month', values, of: (position: Position) => monthOf(momentOf(position)) } },
  } as const;
}
