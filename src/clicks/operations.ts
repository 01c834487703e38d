import { Duration } from 'luxon';
import { EARLIEST, LATEST } from '../cassandra/orders.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { rows } from '../cassandra/statement.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { badUserInput, UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import type { ClickInput } from '../graphql/generated/schema-types.ts';
import { requireAdministratorForQuery } from '../identity/operations.ts';
import { sessionById, sessionInput, type Session } from '../sessions/operations.ts';
import { countClickBytes } from '../throttling/request-costs.ts';
import { normalized } from '../text/text.ts';
import { requireOrderedRange, type TimeRange } from '../time/ranges.ts';
import { DAY_MS } from '../time/units.ts';
import { clickOf, hourOf, hoursOf, retentionOf, wantedHours } from './hours.ts';
import { bytesOfTexts, clicksInput, clicksOfSession, type Click } from './inputs.ts';
import { clickFigureLoader } from './loaders.ts';
import { bucketOf, dayOf, recordInHours } from './recording.ts';
import { clicks, clicksByTime, selectBuckets } from './tables.ts';

/** The maximum range of a query for the clicks of all sessions. */
const RANGE_MS = DAY_MS;

export interface ClickEdge {
  readonly cursor: Cursor;
  readonly node: Click;
  readonly at: Date;
}

/**
 * Records clicks of a session, in any order. A click that was recorded before is skipped.
 * @returns `recorded`: the number of new clicks
 * @throws {UserError} `INVALID_INPUT` about a click, `RATE_LIMITED` for too many bytes, `NOT_FOUND`
 *   about `sessionId`; nothing is recorded in these cases
 */
export async function recordClicks(
  context: RequestContext,
  input: { sessionId: string; clicks: readonly ClickInput[] },
) {
  const { sessionId, clicks: sent } = readInput({
    sessionId: () => sessionInput(input.sessionId),
    clicks: () => clicksInput(input.clicks, context.clock()),
  });
  const session = await sessionById(context, sessionId);
  if (!session) throw new UserError('NOT_FOUND', 'You have no such session.', ['input', 'sessionId']);
  const made = clicksOfSession(session, sent);

  // All hours are checked before any write, so that one full hour makes the whole call fail.
  const hours = await wantedHours(context, sessionId, made);
  countClickBytes(context, context, bytesOfTexts(made));

  const recorded = await recordInHours(
    context,
    sessionId,
    retentionOf(context, session.isAnonymous ? null : context.viewerId),
    hours,
  );
  clickFigureLoader(context).clear(sessionId);
  return { session, recorded };
}

/**
 * Returns a page of the clicks of a session, oldest first.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function clicksOf(
  context: RequestContext,
  session: Session,
  { from, to }: TimeRange,
  page: PageArguments,
): Promise<Connection<ClickEdge>> {
  requireOrderedRange({ from, to });
  const session_id = session.id;
  const hours = await hoursOf(context, session_id, from ? hourOf(from) : EARLIEST, to ?? LATEST);
  const list = {
    name: `clicks ${session_id} ${from?.toISOString() ?? ''} ${to?.toISOString() ?? ''}`,
    descending: false,
    ...clicks.list(
      context.cassandra,
      { session_id },
      {
        // The range begins at the session, because every hour has a row at the zero moment that is
        // not a click. No click is older than its session.
        within: { from: from && from > session.startedAt ? from : session.startedAt, to },
        buckets: { column: 'hour', values: hours, of: ({ at }) => hourOf(at) },
      },
    ),
  };
  return connection(page, list, (row, cursor) => ({ cursor, at: row.at, node: clickOf(session_id, row) }));
}

/**
 * Returns a page of the clicks of all sessions within a time range, oldest first, for
 * administrators.
 * @param range a range of at most a day; `target` selects the clicks on one target
 * @throws `UNAUTHENTICATED` or `FORBIDDEN` for other callers
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function clicksBetween(
  context: RequestContext,
  range: { from: Date; to: Date; target?: string | null },
  page: PageArguments,
): Promise<Connection<ClickEdge>> {
  await requireAdministratorForQuery(context);
  const { from, to } = range;
  requireOrderedRange({ from, to });
  if (to.getTime() - from.getTime() > RANGE_MS)
    throw badUserInput('The argument "to" must be at most a day after "from"; request each day separately.');

  const target = range.target == null ? undefined : normalized(range.target);
  const buckets = await bucketsBetween(context, from, to);
  const list = {
    name: `clicks ${from.toISOString()} ${to.toISOString()} ${JSON.stringify(target ?? null)}`,
    descending: false,
    filter:
      target === undefined
        ? undefined
        : { keep: (row: { target: string | null }) => row.target === target, rowsMin: FILTERED_ROWS_MIN },
    ...clicksByTime.list(
      context.cassandra,
      {},
      {
        within: { from, to },
        buckets: {
          column: 'bucket',
          values: [...buckets.keys()].map((time) => new Date(time)),
          of: ({ at }) => bucketOf(at),
        },
        sides: { column: 'shard', of: (bucket) => buckets.get(bucket.getTime()) ?? [] },
      },
    ),
  };
  return connection(page, list, (row, cursor) => ({ cursor, at: row.at, node: clickOf(row.session_id, row) }));
}

/** Returns the buckets that may have clicks, each with its shards. */
async function bucketsBetween({ cassandra }: RequestContext, from: Date, to: Date): Promise<Map<number, number[]>> {
  const days: Date[] = [];
  for (let time = dayOf(from).getTime(); time < to.getTime(); time += DAY_MS) days.push(new Date(time));
  const found = await Promise.all(
    days.map((day) => rows(cassandra, selectBuckets, { day, from_bucket: bucketOf(from), to_bucket: bucketOf(to) })),
  );
  const byBucket = Map.groupBy(found.flat(), ({ bucket }) => bucket.getTime());
  return new Map([...byBucket].map(([time, ofBucket]) => [time, ofBucket.map(({ shard }) => shard)]));
}

/**
 * Returns the number of clicks of a session, and the moment of the latest one, null if there is
 * none.
 */
export async function clickFiguresOf(context: RequestContext, { id }: Session) {
  const figures = await clickFigureLoader(context).load(id);
  return { clickCount: figures?.click_count ?? 0, lastClickAt: figures?.last_click_at ?? null };
}

/** Returns the duration of a session in ISO 8601, from its beginning to its last activity. */
export async function durationOf(context: RequestContext, session: Session): Promise<string> {
  const { lastClickAt } = await clickFiguresOf(context, session);
  const signs = [session.lastActiveAt, session.stoppedAt, lastClickAt].filter((at) => at !== null);
  const last = Math.max(...signs.map((at) => at.getTime()));
  return Duration.fromMillis(last - session.startedAt.getTime())
    .shiftTo('hours', 'minutes', 'seconds')
    .toISO();
}
