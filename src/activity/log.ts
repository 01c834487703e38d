import { LRUCache } from 'lru-cache';
import { inBatches } from '../cassandra/batches.ts';
import { EARLIEST, LATEST } from '../cassandra/orders.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import type { ActionKind } from '../graphql/schema.generated.ts';
import type { TimeRange } from '../time/ranges.ts';
import { monthOf } from '../time/months.ts';
import {
  insertAction,
  insertActionByKind,
  insertActionMonth,
  selectActionMonths,
  selectMonthsOfKinds,
} from './tables.ts';

/** The activity log: what each reader did, and when. */

/** Something that a reader did. */
export interface Action {
  readonly kind: ActionKind;
  readonly at: Date;
  /** What it was done to, as `Type:key`; '' where there is nothing. */
  readonly subject: string;
  /** What of that, as the client calls it; '' or unset where there is nothing. */
  readonly element?: string;
}

const KINDS = {
  REGISTERED: true,
  LOGGED_IN: true,
  LIKED: true,
  UNLIKED: true,
  READ: true,
  UNMARKED_READ: true,
  STATUS_CHANGED: true,
  LISTED: true,
  PRICE_CHANGED: true,
  WITHDRAWN: true,
  SOLD: true,
  VIEWED: true,
  CLICKED: true,
} satisfies Record<ActionKind, true>;

/** How many kinds of actions there are. */
export const KIND_COUNT = Object.keys(KINDS).length;

/**
 * Writes what a reader did into the activity log. Writing the same action again changes nothing.
 * @param actions each with its own canonical moment, so that a repetition is the same row
 */
export async function recordActions(app: AppContext, userId: string, actions: readonly Action[]): Promise<void> {
  const months = unlistedMonths(app, userId, actions);
  if (months.writes.length > 0) await batch(app.cassandra, months.writes);
  months.areListed();
  for (const writes of inBatches(entryWrites(userId, actions), partitionOf)) await batch(app.cassandra, writes);
}

/**
 * Writes what a reader did by one statement with other writes of a transaction, which is repeated until all of it is there.
 * @param send sends these writes and the others
 */
export async function recordActionsAmong(
  app: AppContext,
  userId: string,
  actions: readonly Action[],
  send: (writes: readonly Bound[]) => Promise<void>,
): Promise<void> {
  const months = unlistedMonths(app, userId, actions);
  await send([...months.writes, ...entryWrites(userId, actions)]);
  months.areListed();
}

/** So many months of readers are remembered: some 3 MB. */
const MONTHS_REMEMBERED = 20_000;

/**
 * The months that this process has listed. Only the erasure of an account takes them out again, and that leaves tombstones, for good, in
 * all months that it finds: those that are remembered here are among them, as a majority of the replicas has them.
 */
const listedMonths = perProcess(() => new LRUCache<string, true>({ max: MONTHS_REMEMBERED }));

/** The writes that list the months of actions, but for those that are known to be listed; `areListed`: they are from now on. */
function unlistedMonths(app: AppContext, userId: string, actions: readonly Action[]) {
  const listed = listedMonths(app);
  const months = [...monthsOfActions(actions)].filter(([name]) => !listed.has(`${userId} ${name}`));
  return {
    writes: months.map(([, { kind, at }]) => monthWrite(userId, kind, at)),
    areListed: () => {
      for (const [name] of months) listed.set(`${userId} ${name}`, true);
    },
  };
}

const partitionOf = ({ label, params }: Bound) => `${label} ${String(params['month'] ?? params['year'])}`;

/**
 * The writes that {@link recordActions} does, for a batch of a transaction, which is repeated until all of it is there.
 */
export const actionWrites = (userId: string, actions: readonly Action[]): Bound[] => [
  ...actionMonthWrites(userId, actions),
  ...entryWrites(userId, actions),
];

/** The writes that list the months of actions, as {@link monthWrites} does for other lists. */
export function actionMonthWrites(userId: string, actions: readonly Action[]): Bound[] {
  return [...monthsOfActions(actions).values()].map(({ kind, at }) => monthWrite(userId, kind, at));
}

/** One action of each kind and month, by a name of those. */
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

/** The writes of actions into the list of all of them, a partition a month. */
export const entriesByTime = (userId: string, actions: readonly Action[]): Bound[] =>
  actions.map((action) => bind(insertAction, { ...rowOf(userId, action), month: monthOf(action.at) }));

/** The writes of actions into the lists by kind, a partition a year. */
export const entriesByKind = (userId: string, actions: readonly Action[]): Bound[] =>
  actions.map((action) => bind(insertActionByKind, { ...rowOf(userId, action), year: yearOf(action.at) }));

/** The months of a reader's activity log that may not be empty. */
export async function actionMonthsOf(
  { cassandra }: AppContext,
  userId: string,
  { from, to }: TimeRange = {},
): Promise<Date[]> {
  const found = await rows(cassandra, selectActionMonths, { user_id: userId });
  const months = new Map(found.map(({ month }) => [month.getTime(), month]));
  return [...months.values()].filter((month) => (!from || month >= monthOf(from)) && (!to || month <= monthOf(to)));
}

/** The year of a moment (UTC). */
export const yearOf = (at: Date): number => at.getUTCFullYear();

/** The years in which a reader may have done something of some kinds, each with those kinds. */
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
