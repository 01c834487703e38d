import { z } from 'zod';
import { EARLIEST, HIGHEST_TEXT, LATEST } from '../cassandra/paging.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import { connection, cursorMoment, type Connection, type PageArguments } from '../connections.ts';
import type { AppContext, RequestContext } from '../context.ts';
import { badUserInput } from '../errors.ts';
import type { ActionKind, ActionOrder } from '../schema.generated.ts';
import { insertAction, insertMonth, selectActionsAscending, selectActionsDescending, selectMonths } from './tables.ts';

/** Something that a reader did. */
export interface Action {
  readonly kind: ActionKind;
  readonly at: Date;
  /** What it was done to, as `Type:key`; '' where there is nothing. */
  readonly subject: string;
}

/** Which of a reader's actions are asked for; a missing limit is none. */
export interface ActionFilter {
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly kinds?: readonly ActionKind[] | null;
  readonly orderBy: ActionOrder;
}

/** The UTC month of a moment, as its first moment. */
export const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));

/**
 * Writes what a reader did into their diary. Writing the same action again changes nothing.
 * @param actions each with its own canonical moment, so that a repetition is the same row
 */
export async function recordActions(app: AppContext, userId: string, actions: readonly Action[]): Promise<void> {
  // The directory first: a month that is listed and empty is harmless, one that is not listed is never read.
  await batch(app.cassandra, monthWrites(userId, actions));
  await batch(app.cassandra, entryWrites(userId, actions));
}

/**
 * The writes that {@link recordActions} does, for a batch of a transaction, which is repeated until all of it is there.
 */
export const actionWrites = (userId: string, actions: readonly Action[]): Bound[] => [
  ...monthWrites(userId, actions),
  ...entryWrites(userId, actions),
];

function monthWrites(userId: string, actions: readonly Action[]): Bound[] {
  const months = new Set(actions.map(({ at }) => monthOf(at).getTime()));
  return [...months].map((time) => bind(insertMonth, { user_id: userId, month: new Date(time) }));
}

const entryWrites = (userId: string, actions: readonly Action[]): Bound[] =>
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
  if (from && to && from > to) throw badUserInput('The argument "from" must not be after "to".');
  const notBefore = from ?? EARLIEST;
  const before = to ?? LATEST;
  const months = await rows(context.cassandra, selectMonths, {
    user_id: userId,
    from_month: from ? monthOf(from) : EARLIEST,
    to_month: to ? monthOf(to) : LATEST,
  });
  const descending = orderBy === 'NEWEST';
  const list = {
    name: `actions ${userId} ${orderBy} ${from?.toISOString() ?? ''} ${to?.toISOString() ?? ''}`,
    descending,
    cursor: z.object({ at: cursorMoment, kind: z.string(), subject_id: z.string() }),
    partitions: months.map(({ month }) => month.getTime()),
    partitionOf: ({ at }: { at: Date }) => monthOf(at).getTime(),
    positionOf: ({ at, kind, subject_id }: { at: Date; kind: string; subject_id: string }) => ({
      at,
      kind,
      subject_id,
    }),
    keep: ({ kind }: { kind: string }) => !kinds || kinds.includes(kind as ActionKind),
    read: (
      month: number,
      slice: { descending: boolean; from: { at: Date; kind: string; subject_id: string } | undefined; limit: number },
    ) => {
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
    },
  };
  return connection(page, list, ({ at, kind, subject_id }, cursor) => ({
    cursor,
    at,
    node: { kind: kind as ActionKind, at, subject: subject_id },
  }));
}
