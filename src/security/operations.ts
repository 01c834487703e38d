import { monthly, monthWrites } from '../activity/months.ts';
import { monthOf } from '../time/units.ts';
import type { TimeRange } from '../time/ranges.ts';
import { batch, bind } from '../cassandra/statement.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { isSecurityEventKind } from '../graphql/kinds.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { SecurityEventKind } from '../graphql/generated/schema-types.ts';
import { insertEvent, securityEvents, updateAddress } from './tables.ts';

/** An event that concerns the security of an account. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  readonly at: Date;
  /** The network address of the caller, null once it is no longer kept. */
  readonly address: string | null;
  /** The session that the event is about. */
  readonly sessionId: string | null;
}

/**
 * Records a security event of an account. Recording the same event again writes the same row.
 * @param id the id of the event, made where the event was decided
 * @param keptSeconds 0 to keep it permanently; events of an account that does not exist are kept
 * briefly
 */
export async function recordSecurityEvent(
  { cassandra, config }: AppContext,
  userId: string,
  id: string,
  { kind, at, address, sessionId }: SecurityEvent,
  keptSeconds = 0,
): Promise<void> {
  const key = { user_id: userId, month: monthOf(at), at, event_id: id };
  const addressKeptSeconds = Math.min(config.addressesKeptSeconds, keptSeconds || Infinity);

  await batch(cassandra, [
    ...monthWrites(userId, 'security_events', [at], keptSeconds),
    bind(insertEvent, { ...key, kind, session_id: sessionId, ttl_seconds: keptSeconds }),
    ...(address === null ? [] : [bind(updateAddress, { ...key, address, ttl_seconds: addressKeptSeconds })]),
  ]);
}

/**
 * Returns a page of the security events of an account, newest first.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function securityEventsOf(
  context: RequestContext,
  userId: string,
  range: TimeRange,
  page: PageArguments,
): Promise<Connection<{ cursor: Cursor; at: Date; node: SecurityEvent }>> {
  const { name, options } = await monthly(context, userId, 'security_events', range, ({ at }: { at: Date }) => at);
  const list = {
    ...securityEvents.list(context.cassandra, { user_id: userId }, options),
    name,
    descending: true,
    filter: { keep: ({ kind }: { readonly kind: string }) => isSecurityEventKind(kind), rowsMin: 0 },
  };
  return connection(page, list, ({ kind, at, address, session_id }, cursor) => ({
    cursor,
    at,
    node: { kind: kind as SecurityEventKind, at, address, sessionId: session_id },
  }));
}
