import { Counter } from 'prom-client';
import type { Part } from '../cassandra/batches.ts';
import { bind, rows, write } from '../cassandra/statement.ts';
import type { ListedBook } from '../catalogue/book.ts';
import { requireOrderedRange } from '../time/ranges.ts';
import { requireAdministratorForQuery } from '../identity/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { isEventKind } from '../graphql/kinds.ts';
import { subjectOf, uuidOf } from '../graphql/ids.ts';
import { shardOf } from '../cassandra/shards.ts';
import {
  deleteEvent,
  EVENT_KINDS_MAX,
  insertEvent,
  selectActivity,
  selectSiteActivity,
  type EventKind,
  type PointOfKind,
} from './tables.ts';
import { DAY_MS } from '../time/units.ts';
import { dirtyWindows, WRITTEN_WITHIN_MS } from './dirty-windows.ts';
import { lengthOf, periodOf, windowOf, windowsBetween, type Granularity } from './windows.ts';

export const EVENT_SHARDS = 16;
/**
 * The maximum age of a late event that is counted. The other events of its window are removed soon
 * after that.
 */
export const COUNTED_MS = 7 * DAY_MS;
/** The time for which an event is kept, from its minute. */
export const KEPT_MS = 8 * DAY_MS;
/** The maximum number of windows in a chart. */
const POINTS_MAX = 1_500;

const refused = new Counter({
  name: 'events_too_late_total',
  help: 'Events that arrived more than seven days late and are not counted',
  labelNames: ['kind'],
});

/** An event that happened once. */
export interface LibraryEvent {
  readonly kind: EventKind;
  /** The subject of the event, as `Type:key`. */
  readonly subject: string;
  readonly at: Date;
  /** A text that identifies this event. An event that is recorded several times is counted once. */
  readonly id: string;
  /**
   * The version of the state that the event follows from. If an event is recorded twice, the higher
   * version wins.
   */
  readonly version: number;
  /** True if the event happened; false withdraws it. */
  readonly happened: boolean;
}

/** Returns the shard in which a subject's events are counted. */
export const eventShardOf = (subject: string): number => shardOf(uuidOf(subject), EVENT_SHARDS);

/**
 * Records that an event happened, or withdraws it. It can be repeated at any time. The dirty window
 * is recorded first: if the process dies in between, the window is counted once more than needed.
 */
export async function recordEvent(app: AppContext, event: LibraryEvent): Promise<void> {
  if (!isCounted(app, event.at)) {
    refused.inc({ kind: event.kind });
    return;
  }
  const { key, happening } = rowsOf(app, event);
  for (;;) {
    const recorded = await dirtyWindows(app).record(app, key.minute, key.shard);
    if (happening) await write(app.cassandra, insertEvent, happening);
    else await write(app.cassandra, deleteEvent, key);
    if (isInTime(app, recorded)) return;
  }
}

/**
 * Makes the writes of {@link recordEvent}, to be sent together with others. The dirty window is
 * recorded when it returns.
 * @param isNew true if the event happened just now; only then is an event too old to be counted
 *   reported
 */
export async function eventPart(app: AppContext, event: LibraryEvent, isNew: boolean): Promise<Part> {
  if (!isCounted(app, event.at)) {
    if (isNew) refused.inc({ kind: event.kind });
    return { writes: [] };
  }
  const { key, happening } = rowsOf(app, event);
  const recorded = await dirtyWindows(app).record(app, key.minute, key.shard);
  return {
    writes: [happening ? bind(insertEvent, happening) : bind(deleteEvent, key)],
    onWritten: () => (isInTime(app, recorded) ? undefined : recordEvent(app, event)),
  };
}

/** Returns the key of an event, and its row unless the event is withdrawn. */
function rowsOf({ clock }: AppContext, { kind, subject, at, id, version, happened }: LibraryEvent) {
  const minute = new Date(windowOf('MINUTE', at.getTime()));
  const shard = eventShardOf(subject);
  const key = { minute, shard, subject_id: subject, kind, event_id: uuidOf(id), version: BigInt(version) };
  const ttl_seconds = Math.ceil((minute.getTime() + KEPT_MS - clock().getTime()) / 1_000);
  return { key, happening: happened ? { ...key, at, ttl_seconds } : undefined };
}

/** True if an event was written while its dirty window is certain to be counted later. */
const isInTime = ({ clock }: AppContext, recorded: number): boolean => clock().getTime() - recorded < WRITTEN_WITHIN_MS;

/** True if an event at that moment is still counted. */
const isCounted = ({ clock }: AppContext, at: Date): boolean => at.getTime() >= clock().getTime() - COUNTED_MS;

/** The counts of the events of a book, or of all events, in a window. */
export interface ActivityPoint {
  readonly at: Date;
  readonly counts: Record<EventKind, number>;
}

/** The time range of a chart, and the granularity of its windows. */
export interface ChartArguments {
  readonly granularity: Granularity;
  readonly from: Date;
  readonly to: Date;
}

/**
 * Returns the counts of a book's events in every window of a time range, including empty ones.
 * @throws `BAD_USER_INPUT` when the range is reversed or has too many windows
 */
export function activityOf(
  { cassandra }: RequestContext,
  book: ListedBook,
  args: ChartArguments,
): Promise<ActivityPoint[]> {
  const subject_id = subjectOf({ type: 'Book', key: book.id });
  return chart(args, (slice) => rows(cassandra, selectActivity, { subject_id, ...slice }));
}

/**
 * Returns the counts of all events in every window of a time range, including empty ones, for
 * administrators.
 * @throws `UNAUTHENTICATED`, `FORBIDDEN`; `BAD_USER_INPUT` when the range is reversed or has too
 *   many windows
 */
export async function siteActivity(context: RequestContext, args: ChartArguments): Promise<ActivityPoint[]> {
  await requireAdministratorForQuery(context);
  return chart(args, (slice) => rows(context.cassandra, selectSiteActivity, slice));
}

/** The part of a chart within one period. */
type ChartSlice = Parameters<typeof selectSiteActivity.encode>[0];

/** Returns the maximum number of windows of a chart. A longer range is refused. */
export function windowsAtMost({ granularity, from, to }: ChartArguments): number {
  const windows = Math.ceil((to.getTime() - from.getTime()) / lengthOf(granularity)) + 1;
  return Math.min(Math.max(windows, 1), POINTS_MAX);
}

async function chart(
  { granularity, from, to }: ChartArguments,
  read: (slice: ChartSlice) => Promise<PointOfKind[]>,
): Promise<ActivityPoint[]> {
  requireOrderedRange({ from, to });
  const tooMany = badUserInput(
    `There are more than ${POINTS_MAX} windows from "from" to "to"; ask for a shorter range, or for longer windows.`,
  );
  if (to.getTime() - from.getTime() > POINTS_MAX * DAY_MS) throw tooMany;
  const windows = windowsBetween(granularity, from.getTime(), to.getTime());
  if (windows.length > POINTS_MAX) throw tooMany;

  const periods = new Set(windows.map((time) => periodOf(granularity, time).getTime()));
  const found = await Promise.all(
    [...periods].map((period) =>
      read({
        granularity,
        period: new Date(period),
        at_least: new Date(windowOf(granularity, from.getTime())),
        below: to,
        rows_max: POINTS_MAX * EVENT_KINDS_MAX,
      }),
    ),
  );
  const points = new Map(windows.map((time) => [time, { LIKE: 0, VIEW: 0, READ: 0, SALE: 0 }]));
  for (const { window_start, kind, event_count } of found.flat()) {
    const counts = points.get(window_start.getTime());
    if (counts && isEventKind(kind)) counts[kind] = event_count;
  }
  return [...points].map(([time, counts]) => ({ at: new Date(time), counts }));
}
