import { z } from 'zod';
import { monthly, monthOf, monthWrites } from '../activity/months.ts';
import type { TimeRange } from '../time/ranges.ts';
import { HIGHEST_UUID, LOWEST_UUID, type Slice } from '../cassandra/paging.ts';
import { batch, bind, rows } from '../cassandra/statement.ts';
import { connection, cursorMoment, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { SecurityEventKind } from '../graphql/schema.generated.ts';
import { insertEvent, selectEventsAscending, selectEventsDescending } from './tables.ts';

/** Something that happened to an account. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  readonly at: Date;
  /** The network address that it came from. */
  readonly address: string | null;
  /** The session that it was about. */
  readonly sessionId: string | null;
}

/**
 * Notes what happened to an account. The same event noted again is the same row.
 * @param id of the event, made where it was decided
 * @param keptSeconds 0: for good. What is noted of an account that does not exist goes soon.
 */
export async function recordSecurityEvent(
  { cassandra }: AppContext,
  userId: string,
  id: string,
  { kind, at, address, sessionId }: SecurityEvent,
  keptSeconds = 0,
): Promise<void> {
  const row = { user_id: userId, month: monthOf(at), at, event_id: id, kind, address, session_id: sessionId };
  await batch(cassandra, [
    ...monthWrites(userId, 'security_events', [at], keptSeconds),
    bind(insertEvent, { ...row, ttl_seconds: keptSeconds }),
  ]);
}

interface EventPosition {
  readonly at: Date;
  readonly event_id: string;
}

/**
 * A page of what happened to an account, newest first.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function securityEventsOf(
  context: RequestContext,
  userId: string,
  range: TimeRange,
  page: PageArguments,
): Promise<Connection<{ cursor: string; at: Date; node: SecurityEvent }>> {
  const shared = await monthly(context, userId, 'security_events', range, ({ at }: EventPosition) => at);
  const list = {
    ...shared,
    descending: true,
    cursor: z.object({ at: cursorMoment, event_id: z.uuid() }),
    positionOf: ({ at, event_id }: EventPosition) => ({ at, event_id }),
    read: (month: number, { descending, from, limit }: Slice<EventPosition>) => {
      const partition = { user_id: userId, month: new Date(month), rows_max: limit };
      if (descending) {
        const below = from ?? { at: shared.before, event_id: LOWEST_UUID };
        return rows(context.cassandra, selectEventsDescending, { ...partition, ...below, at_least: shared.notBefore });
      }
      const above = from ?? { at: new Date(shared.notBefore.getTime() - 1), event_id: HIGHEST_UUID };
      return rows(context.cassandra, selectEventsAscending, { ...partition, ...above, at_below: shared.before });
    },
  };
  return connection(page, list, ({ kind, at, address, session_id }, cursor) => ({
    cursor,
    at,
    node: { kind: kind as SecurityEventKind, at, address, sessionId: session_id },
  }));
}
