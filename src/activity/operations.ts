import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { ACTION_KIND_COUNT, isActionKind, isReadingStatus } from '../graphql/kinds.ts';
import { actionMonthsOf, yearOf, yearsOfKinds, type Action } from './log.ts';
import type { ActionKind, ActionOrder, Money, ReadingStatus } from '../graphql/generated/schema-types.ts';
import { requireOrderedRange, type TimeRange } from '../time/ranges.ts';
import { monthOf } from '../time/units.ts';
import { actions, actionsByKind } from './tables.ts';

/** A filter for a reader's actions. */
export interface ActionFilter extends TimeRange {
  /** The kinds of the actions; all kinds if unset. */
  readonly kinds?: readonly ActionKind[] | null;
  readonly orderBy: ActionOrder;
}

/**
 * Returns a page of a reader's actions. The order does not depend on the kinds, so a cursor is
 * valid for all of them.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function actionsOf(
  context: RequestContext,
  userId: string,
  { from, to, kinds, orderBy }: ActionFilter,
  page: PageArguments,
): Promise<Connection<{ cursor: Cursor; node: Action; at: Date }>> {
  requireOrderedRange({ from, to });
  const wanted = [...new Set(kinds)];
  const isOfKinds = kinds && wanted.length < ACTION_KIND_COUNT;
  const list = await (isOfKinds
    ? listOfKinds(context, userId, wanted, { from, to })
    : listOfAll(context, userId, { from, to }));

  const name = `actions ${userId} ${from?.toISOString() ?? ''} ${to?.toISOString() ?? ''} ${orderBy}`;
  return connection(
    page,
    { ...list, name, descending: orderBy === 'NEWEST', filter: { keep: hasKnownKind, rowsMin: 0 } },
    ({ at, kind, subject_id, element }, cursor) => ({
      cursor,
      at,
      node: { kind: kind as ActionKind, at, subject: subject_id, element },
    }),
  );
}

const hasKnownKind = ({ kind }: { readonly kind: string }) => isActionKind(kind);

async function listOfAll(context: RequestContext, user_id: string, within: TimeRange) {
  const values = await actionMonthsOf(context, user_id, within);
  const buckets = { column: 'month', values, of: ({ at }: { at: Date }) => monthOf(at) } as const;
  return actions.list(context.cassandra, { user_id }, { within, buckets });
}

async function listOfKinds(context: RequestContext, user_id: string, kinds: readonly ActionKind[], within: TimeRange) {
  const years = await yearsOfKinds(context, user_id, kinds, within);
  const bucketOf = ({ at }: { at: Date }) => yearOf(at);
  const buckets = { column: 'year', values: [...years.keys()], of: bucketOf } as const;
  const sides = { column: 'kind', of: (year: number) => years.get(year) ?? [] } as const;
  return actionsByKind.list(context.cassandra, { user_id }, { within, buckets, sides });
}

/** Returns the name of the clicked part; null for other kinds of actions. */
export const elementOf = ({ kind, element }: Action): string | null => (kind === 'CLICKED' && element ? element : null);

/** Returns the new status of a book; null for other kinds of actions. */
export const newStatusOf = ({ kind, element }: Action): ReadingStatus | null =>
  kind === 'STATUS_CHANGED' && element && isReadingStatus(element) ? element : null;

/** Returns the new price of a copy; null for other kinds of actions. */
export function newPriceOf({ kind, element }: Action): Money | null {
  if ((kind !== 'LISTED' && kind !== 'PRICE_CHANGED') || !element) return null;
  const [amount = '', currency = ''] = element.split(' ');
  return { amount, currency };
}
