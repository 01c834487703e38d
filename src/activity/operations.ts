import { connection, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import type { Action } from './log.ts';
import type { ActionKind, ActionOrder } from '../graphql/schema.generated.ts';
import { type TimeRange } from '../time/ranges.ts';
import { monthly } from './months.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { actions } from './tables.ts';

/** Which of a reader's actions are asked for. */
export interface ActionFilter extends TimeRange {
  readonly kinds?: readonly ActionKind[] | null;
  readonly orderBy: ActionOrder;
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
  const { name, options } = await monthly(context, userId, 'actions', { from, to }, ({ at }: { at: Date }) => at);
  const isWanted = ({ kind }: { kind: string }) => kinds?.includes(kind as ActionKind) === true;
  return connection(
    page,
    {
      ...actions.list(context.cassandra, { user_id: userId }, options),
      name: `${name} ${orderBy}`,
      descending: orderBy === 'NEWEST',
      filter: kinds ? { keep: isWanted, rowsMin: FILTERED_ROWS_MIN } : undefined,
    },
    ({ at, kind, subject_id }, cursor) => ({
      cursor,
      at,
      node: { kind: kind as ActionKind, at, subject: subject_id },
    }),
  );
}
