import { z } from 'zod';
import { EARLIEST, HIGHEST_TEXT, LATEST, readWanted, type Slice } from '../cassandra/paging.ts';
import { batch, bind, rows, write, type Bound, type Statement } from '../cassandra/statement.ts';
import { bookById, type Book } from '../catalogue/operations.ts';
import { connection, cursorMoment, type Connection, type PageArguments } from '../connections.ts';
import type { AppContext, RequestContext } from '../context.ts';
import { parseSubject } from '../ids.ts';
import { itemById } from '../market/operations.ts';
import { ERASED_FOR_GOOD } from '../personal-data.ts';
import type { ActionKind, ActionOrder } from '../schema.generated.ts';
import { mustBeInOrder, type TimeRange } from '../time-ranges.ts';
import { insertAction, insertMonth, selectActionsAscending, selectActionsDescending, selectMonths } from './tables.ts';

/** Something that a reader did. */
export interface Action {
  readonly kind: ActionKind;
  readonly at: Date;
  /** What it was done to, as `Type:key`; '' where there is nothing. */
  readonly subject: string;
}

/** Which of a reader's actions are asked for. */
export interface ActionFilter extends TimeRange {
  readonly kinds?: readonly ActionKind[] | null;
  readonly orderBy: ActionOrder;
}

interface ActionPosition {
  readonly at: Date;
  readonly kind: string;
  readonly subject_id: string;
}

/** The lists of a reader that are kept by months. */
export const MONTHLY_LISTS = ['actions', 'sessions', 'security_events', 'logins'] as const;
export type MonthlyList = (typeof MONTHLY_LISTS)[number];

/** The UTC month of a moment, as its first moment. */
export const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));

/**
 * The writes that list the months of moments. A month that is listed and empty is harmless, one that is not listed is never
 * read: they go before, or into one transaction with, what is written there.
 * @param keptSeconds 0: for good
 */
export function monthWrites(userId: string, list: MonthlyList, moments: readonly Date[], keptSeconds = 0): Bound[] {
  const months = new Set(moments.map((at) => monthOf(at).getTime()));
  const kept = { ttl_seconds: keptSeconds };
  return [...months].map((time) => bind(insertMonth, { user_id: userId, list, month: new Date(time), ...kept }));
}

/** The months of a list that may not be empty, newest first. */
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

/**
 * Erases a list of a reader whose account is deleted, the months included in which there may soon be something: this one
 * and the next, as a change that is under way may still be written there.
 */
export async function eraseMonthly(
  app: AppContext,
  userId: string,
  list: MonthlyList,
  erase: Statement<{ user_id: string; month: Date; write_timestamp: bigint }, never>,
): Promise<undefined> {
  const now = app.clock();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  for (const month of [...(await monthsOf(app, userId, list)), monthOf(now), next])
    await write(app.cassandra, erase, { user_id: userId, month, write_timestamp: ERASED_FOR_GOOD });
}

/**
 * What the pages of every list that is kept by months have in common.
 * @param momentOf the moment by which a row is listed
 * @throws `BAD_USER_INPUT` when the range ends before it begins
 */
export async function monthly<Position>(
  app: AppContext,
  userId: string,
  list: MonthlyList,
  { from, to }: TimeRange,
  momentOf: (position: Position) => Date,
) {
  mustBeInOrder({ from, to });
  const months = await monthsOf(app, userId, list, { from, to });
  return {
    name: `${list} ${userId} ${from?.toISOString() ?? ''} ${to?.toISOString() ?? ''}`,
    partitions: months.map((month) => month.getTime()),
    partitionOf: (position: Position) => monthOf(momentOf(position)).getTime(),
    notBefore: from ?? EARLIEST,
    before: to ?? LATEST,
  };
}

/**
 * Writes what a reader did into their diary. Writing the same action again changes nothing.
 * @param actions each with its own canonical moment, so that a repetition is the same row
 */
export async function recordActions(app: AppContext, userId: string, actions: readonly Action[]): Promise<void> {
  await batch(app.cassandra, monthWrites(userId, 'actions', momentsOf(actions)));
  await batch(app.cassandra, entryWrites(userId, actions));
}

/**
 * The writes that {@link recordActions} does, for a batch of a transaction, which is repeated until all of it is there.
 */
export const actionWrites = (userId: string, actions: readonly Action[]): Bound[] => [
  ...monthWrites(userId, 'actions', momentsOf(actions)),
  ...entryWrites(userId, actions),
];

const momentsOf = (actions: readonly Action[]) => actions.map(({ at }) => at);

/** The writes of actions themselves, without those that list their months. */
export const entryWrites = (userId: string, actions: readonly Action[]): Bound[] =>
  actions.map(({ kind, at, subject }) =>
    bind(insertAction, { user_id: userId, month: monthOf(at), at, kind, subject_id: subject }),
  );

/**
 * A page of what a reader did.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function actionsOf(
  context: RequestContext,
  userId: string,
  { from, to, kinds, orderBy }: ActionFilter,
  page: PageArguments,
): Promise<Connection<{ cursor: string; node: Action; at: Date }>> {
  const shared = await monthly(context, userId, 'actions', { from, to }, ({ at }: { at: Date }) => at);
  const { notBefore, before } = shared;
  const descending = orderBy === 'NEWEST';
  const list = {
    ...shared,
    name: `${shared.name} ${orderBy}`,
    descending,
    cursor: z.object({ at: cursorMoment, kind: z.string(), subject_id: z.string() }),
    positionOf: ({ at, kind, subject_id }: ActionPosition): ActionPosition => ({ at, kind, subject_id }),
  };
  const read = (month: number, slice: Slice<ActionPosition>) => {
    const partition = { user_id: userId, month: new Date(month), rows_max: slice.limit };
    if (slice.descending) {
      const below = slice.from ?? { at: before, kind: '', subject_id: '' };
      return rows(context.cassandra, selectActionsDescending, {
        ...partition,
        below_at: below.at,
        below_kind: below.kind,
        below_subject_id: below.subject_id,
        at_least: notBefore,
      });
    }
    const above = slice.from ?? {
      at: new Date(notBefore.getTime() - 1),
      kind: HIGHEST_TEXT,
      subject_id: HIGHEST_TEXT,
    };
    return rows(context.cassandra, selectActionsAscending, {
      ...partition,
      above_at: above.at,
      above_kind: above.kind,
      above_subject_id: above.subject_id,
      at_below: before,
    });
  };
  const narrowed = (month: number, slice: Slice<ActionPosition>) => {
    const isWanted = ({ kind }: ActionPosition) => kinds?.includes(kind as ActionKind) === true;
    return readWanted<ActionPosition, ActionPosition>(list, slice, isWanted, (some) => read(month, some));
  };
  return connection(page, { ...list, read: kinds ? narrowed : read }, ({ at, kind, subject_id }, cursor) => ({
    cursor,
    at,
    node: { kind: kind as ActionKind, at, subject: subject_id },
  }));
}

/** The book that an action was about, also by way of a copy of it; null where there is none, or none any more. */
export async function bookOfSubject(context: RequestContext, subject: string): Promise<Book | null> {
  const id = parseSubject(subject);
  const bookId = id?.type === 'Item' ? (await itemById(context, id.key))?.bookId : id?.key;
  return bookId !== undefined && (id?.type === 'Book' || id?.type === 'Item') ? bookById(context, bookId) : null;
}
