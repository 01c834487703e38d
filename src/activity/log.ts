import { LRUCache } from 'lru-cache';
import { inBatches, type Part } from '../cassandra/batches.ts';
import { EARLIEST, LATEST } from '../cassandra/orders.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import type { ActionKind, Money } from '../graphql/generated/schema-types.ts';
import type { TimeRange } from '../time/ranges.ts';
import { monthOf } from '../time/units.ts';
import {
  insertAction,
  insertActionByKind,
  insertActionMonth,
  selectActionMonths,
  selectMonthsOfKinds,
} from './tables.ts';

/** The activity log: the actions of each reader and their times. */

/** An action of a reader. */
export interface Action {
  readonly kind: ActionKind;
  readonly at: Date;
  /** The subject of the action, as `Type:key`; '' if there is none. */
  readonly subject: string;
  /**
   * The part of the subject that was clicked, in the client's words; the new status; or the price,
   * as {@link priceText}. It is '' or unset if there is none.
   */
  readonly element?: string;
}

/** Returns the text of a price in the log, such as `12.50 EUR`. */
export const priceText = ({ amount, currency }: Money): string => `${amount} ${currency}`;

/**
 * Writes actions of a reader to the activity log. Writing an action again changes nothing.
 * @param actions actions whose moments are derived from the change, so that a repetition writes the
 *   same row
 */
export async function recordActions(app: AppContext, userId: string, actions: readonly Action[]): Promise<void> {
  const months = unlistedMonthsOf(app, userId, actions);
  if (months.writes.length > 0) await batch(app.cassandra, months.writes);
  months.areListed();
  for (const writes of inBatches(entryWrites(userId, actions), partitionOf)) await batch(app.cassandra, writes);
}

/** The writes of {@link recordActions}, to be sent together with others. */
export function actionsPart(app: AppContext, userId: string, actions: readonly Action[]): Part {
  const months = unlistedMonthsOf(app, userId, actions);
  return { writes: [...months.writes, ...entryWrites(userId, actions)], onWritten: months.areListed };
}

/** The number of remembered months, about 3 MB. */
const MONTHS_REMEMBERED = 20_000;

/**
 * The months that this process has listed. Only the erasure of an account removes them. The erasure
 * leaves permanent tombstones in all listed months, including the months remembered here, because a
 * majority of the replicas has stored them.
 */
const listedMonths = perProcess(() => new LRUCache<string, true>({ max: MONTHS_REMEMBERED }));

/**
 * Returns those of some months of a reader that are not known to be listed. `areListed` remembers
 * them as listed.
 * @param nameOf returns the name of a month, which no month of another list has
 */
export function unlistedMonths<Month>(
  app: AppContext,
  userId: string,
  months: readonly Month[],
  nameOf: (month: Month) => string,
) {
  const listed = listedMonths(app);
  const unlisted = months.filter((month) => !listed.has(`${userId} ${nameOf(month)}`));
  return {
    unlisted,
    areListed: () => {
      for (const month of unlisted) listed.set(`${userId} ${nameOf(month)}`, true);
    },
  };
}

/** The writes that list the months of actions, except the months known to be listed. */
function unlistedMonthsOf(app: AppContext, userId: string, actions: readonly Action[]) {
  const { unlisted, areListed } = unlistedMonths(app, userId, [...monthsOfActions(actions)], ([name]) => name);
  return { writes: unlisted.map(([, { kind, at }]) => monthWrite(userId, kind, at)), areListed };
}

const partitionOf = ({ label, params }: Bound) => `${label} ${String(params['month'] ?? params['year'])}`;

/**
 * The writes of {@link recordActions}, for a batch of a transaction. The transaction repeats the
 * batch until all are written.
 */
export const actionWrites = (userId: string, actions: readonly Action[]): Bound[] => [
  ...actionMonthWrites(userId, actions),
  ...entryWrites(userId, actions),
];

/** The writes that list the months of actions, as {@link monthWrites} does for other lists. */
export function actionMonthWrites(userId: string, actions: readonly Action[]): Bound[] {
  return [...monthsOfActions(actions).values()].map(({ kind, at }) => monthWrite(userId, kind, at));
}

/** Returns one action for each kind and month, keyed by both. */
const monthsOfActions = (actions: readonly Action[]) =>
  new Map(actions.map(({ kind, at }) => [`${kind} ${monthOf(at).getTime()}`, { kind, at }]));

const monthWrite = (userId: string, kind: ActionKind, at: Date): Bound =>
  bind(insertActionMonth, { user_id: userId, kind, month: monthOf(at) });

const entryWrites = (userId: string, actions: readonly Action[]): Bound[] => [
  ...entriesByTime(userId, actions),
  ...entriesByKind(userId, actions),
];

const rowOf = (userId: string, { kind, at, subject, element = '' }: Action) =>
  ({ user_id: userId, at, kind, subject_id: subject, element }) as const;

/** The writes of actions to the list of all actions, which has a partition for each month. */
export const entriesByTime = (userId: string, actions: readonly Action[]): Bound[] =>
  actions.map((action) => bind(insertAction, { ...rowOf(userId, action), month: monthOf(action.at) }));

/** The writes of actions to the lists by kind, which have a partition for each year. */
export const entriesByKind = (userId: string, actions: readonly Action[]): Bound[] =>
  actions.map((action) => bind(insertActionByKind, { ...rowOf(userId, action), year: yearOf(action.at) }));

/** Reads the months of a reader's activity log that may have actions. */
export async function actionMonthsOf(
  { cassandra }: AppContext,
  userId: string,
  { from, to }: TimeRange = {},
): Promise<Date[]> {
  const found = await rows(cassandra, selectActionMonths, { user_id: userId });
  const months = new Map(found.map(({ month }) => [month.getTime(), month]));
  return [...months.values()].filter((month) => (!from || month >= monthOf(from)) && (!to || month <= monthOf(to)));
}

/** The UTC year of a moment. */
export const yearOf = (at: Date): number => at.getUTCFullYear();

/**
 * Reads the years in which a reader may have actions of the given kinds, and the kinds of each
 * year.
 */
export async function yearsOfKinds(
  { cassandra }: AppContext,
  userId: string,
  kinds: readonly ActionKind[],
  { from, to }: TimeRange,
): Promise<Map<number, string[]>> {
  const found = await rows(cassandra, selectMonthsOfKinds, {
    user_id: userId,
    kinds: [...kinds],
    from_month: from ? monthOf(from) : EARLIEST,
    to_month: to ? monthOf(to) : LATEST,
  });
  const byYear = Map.groupBy(found, ({ month }) => yearOf(month));
  return new Map([...byYear].map(([year, months]) => [year, [...new Set(months.map(({ kind }) => kind))]]));
}
