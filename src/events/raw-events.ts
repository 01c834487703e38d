import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { jsonMoment } from '../cassandra/orders.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { isEventKind } from '../graphql/kinds.ts';
import { badUserInput } from '../graphql/errors.ts';
import { idArgument, subjectOf } from '../graphql/ids.ts';
import { sealed } from '../graphql/sealed.ts';
import { requireAdministratorForQuery } from '../identity/operations.ts';
import { requireOrderedRange } from '../time/ranges.ts';
import { HOUR_MS } from '../time/units.ts';
import { eventShardOf, KEPT_MS } from './operations.ts';
import { eventsOfSubject, type EventKind } from './tables.ts';
import { windowOf, windowsBetween } from './windows.ts';

/** The single events of a book or copy, for an administrator who examines a chart. */

const RANGE_MS_MAX = HOUR_MS;

/**
 * Seals the ids of events. A stored id is a hash of the reader, the action and the moment, so a
 * caller with a list of readers could find the reader by trying each of them.
 */
const sealedIds = perProcess(({ config }) => sealed(config, uuid));

/** An event without any information about the reader. */
export interface EventEdge {
  readonly cursor: Cursor;
  readonly node: { readonly id: string; readonly kind: EventKind; readonly at: Date };
}

/**
 * Returns a page of the events of a book or copy, oldest minute first, for administrators.
 * @throws `UNAUTHENTICATED`, `FORBIDDEN`; `BAD_USER_INPUT` when the id, the range or the paging
 *   arguments cannot be used
 */
export async function eventsOf(
  context: RequestContext,
  { id, from, to, ...page }: { id: string; from: Date; to: Date } & PageArguments,
): Promise<Connection<EventEdge>> {
  await requireAdministratorForQuery(context);
  const about = idArgument('id', id);
  if (about.type !== 'Book' && about.type !== 'Item')
    throw badUserInput('The argument "id" is not the id of a book or copy; nothing else has events.');
  requireOrderedRange({ from, to });
  if (to.getTime() - from.getTime() > RANGE_MS_MAX)
    throw badUserInput('The argument "to" is more than an hour after "from"; ask for an hour at most.');

  const subject_id = subjectOf(about);
  const ids = sealedIds(context);
  // The range is limited because older events have expired, and would be read as tombstones.
  const oldest = windowOf('MINUTE', context.clock().getTime() - KEPT_MS) + 1;
  const minutes = windowsBetween('MINUTE', from.getTime(), to.getTime()).filter((minute) => minute >= oldest);
  const rows = eventsOfSubject.list(
    context.cassandra,
    { shard: eventShardOf(subject_id), subject_id },
    { buckets: { column: 'minute', values: minutes.map((minute) => new Date(minute)), of: ({ minute }) => minute } },
  );
  const list = {
    ...rows,
    name: `events ${subject_id} ${from.toISOString()} ${to.toISOString()}`,
    descending: false,
    cursor: z.strictObject({ minute: jsonMoment, kind: z.string(), event_id: ids }),
    // The first and the last minute may be only partly within the range.
    filter: {
      keep: ({ at, kind }: { readonly at: Date; readonly kind: string }) => at >= from && at < to && isEventKind(kind),
      rowsMin: 0,
    },
  };
  return connection(page, list, ({ kind, event_id, at }, cursor) => ({
    cursor,
    node: { id: z.encode(ids, event_id), kind: kind as EventKind, at },
  }));
}
