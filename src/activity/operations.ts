import { z } from 'zod';
import { HIGHEST_TEXT, readWanted, type Slice } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import { connection, cursorMoment, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import type { Action } from './log.ts';
import type { ActionKind, ActionOrder } from '../graphql/schema.generated.ts';
import { type TimeRange } from '../time/ranges.ts';
import { selectActionsAscending, selectActionsDescending } from './tables.ts';
import { monthly } from './months.ts';

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
