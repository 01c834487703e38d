import { Counter } from 'prom-client';
import { batch, bind, rows, write, type Bound } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { mustBeInOrder } from '../time/ranges.ts';
import { mustBeAdministrator } from '../identity/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { subjectOf, uuidOf } from '../graphql/ids.ts';
import { shardOf } from '../cassandra/shards.ts';
import {
  deleteEvent,
  EVENT_KINDS,
  insertEvent,
  selectActivity,
  selectSiteActivity,
  type EventKind,
  type PointOfKind,
} from './tables.ts';
import { DAY_MS } from '../time/units.ts';
import { dirtyWindows, WRITTEN_WITHIN_MS } from './dirty-windows.ts';
import { periodOf, windowOf, windowsBetween, type Granularity } from './windows.ts';

export const EVENT_SHARDS = 16;
/** An event that comes later than this is not counted any more: what it would be counted with goes soon after. */
export const COUNTED_MS = 7 * DAY_MS;
/** So long after its minute an event itself is kept. */
export const KEPT_MS = 8 * DAY_MS;
/** A chart has at most so many windows. */
export const POINTS_MAX = 1_500;

const refused = new Counter({
  name: 'events_too_late_total',
  help: 'Events that came more than seven days late and are not counted',
  labelNames: ['kind'],
});

/** Something that happened once. */
export interface LibraryEvent {
  readonly kind: EventKind;
  /** What it is about, as `Type:key`. */
  readonly subject: string;
  readonly at: Date;
  /** A text that names this event alone, so that it is counted once however often it is recorded. */
  readonly id: string;
  /** Of what it follows from: of two recordings of the same event the one with the higher version holds. */
  readonly version: number;
  /** Whether it happened; false takes it back. */
  readonly happened: boolean;
}

/** The shard in which a subject's events are counted. */
export const eventShardOf = (subject: string): number => shardOf(uuidOf(subject), EVENT_SHARDS);

/**
 * Records that something happened, or that it did not after all. May be repeated at any time.
 * The dirty window is recorded first: if the process dies in between, it is counted once more than needed.
 */
export async function recordEvent(app: AppContext, event: LibraryEvent): Promise<void> {
  if (!isCounted(app, event.at)) {
    refused.inc({ kind: event.kind });
    return;
  }
  const { key, happening } = rowsOf(app, event);
  for (;;) {
    const recorded = await recordWindow(app, key);
    if (happening) await write(app.cassandra, insertEvent, happening);
    else await write(app.cassandra, deleteEvent, key);
    if (isInTime(app, recorded)) return;
  }
}

/**
 * Records an event by one statement with other writes of a transaction, which is repeated until all of it is there.
 * @param isNew whether it happened just now: what is too old to be counted is told of once
 * @param others are found out while the dirty window is recorded
 */
export async function recordEventAmong(
  app: AppContext,
  event: LibraryEvent,
  isNew: boolean,
  others: () => Promise<readonly Bound[]>,
): Promise<void> {
  if (!isCounted(app, event.at)) {
    if (isNew) refused.inc({ kind: event.kind });
    return batch(app.cassandra, await others());
  }
  const { key, happening } = rowsOf(app, event);
  const [recorded, writes] = await Promise.all([recordWindow(app, key), others()]);
  await batch(app.cassandra, [...writes, happening ? bind(insertEvent, happening) : bind(deleteEvent, key)]);
  if (!isInTime(app, recorded)) await recordEvent(app, event);
}

/** The row of an event, and what is written there if it happened. */
function rowsOf({ clock }: AppContext, { kind, subject, at, id, version, happened }: LibraryEvent) {
  const minute = new Date(windowOf('MINUTE', at.getTime()));
  const shard = eventShardOf(subject);
  const key = { minute, shard, subject_id: subject, kind, event_id: uuidOf(id), version: BigInt(version) };
  const ttl_seconds = Math.ceil((minute.getTime() + KEPT_MS - clock().getTime()) / 1_000);
  return { key, happening: happened ? { ...key, at, ttl_seconds } : undefined };
}

const recordWindow = (app: AppContext, { minute, shard }: { minute: Date; shard: number }): Promise<number> =>
  dirtyWindows(app).record(app, minute, shard);

/** Whether an event was written while its dirty window is still to be counted for certain. */
const isInTime = ({ clock }: AppContext, recorded: number): boolean => clock().getTime() - recorded < WRITTEN_WITHIN_MS;

/** Records what happened before, without a word about what is too old to be counted. */
export async function recordFormerEvents(app: AppContext, events: readonly LibraryEvent[]): Promise<void> {
  await Promise.all(events.filter(({ at }) => isCounted(app, at)).map((event) => recordEvent(app, event)));
}

/** Whether what happened at a moment is still counted. */
const isCounted = ({ clock }: AppContext, at: Date): boolean => at.getTime() >= clock().getTime() - COUNTED_MS;

/** What happened to a book, or in all, within a window. */
export interface ActivityPoint {
  readonly at: Date;
  readonly counts: Record<EventKind, number>;
}

/** A time range of a chart, and how long its windows are. */
export interface ChartArguments {
  readonly granularity: Granularity;
  readonly from: Date;
  readonly to: Date;
}

/**
 * What happened to a book in every window of a time range, empty ones included.
 * @throws `BAD_USER_INPUT` when the range is reversed or has too many windows
 */
export function activityOf({ cassandra }: RequestContext, book: Book, args: ChartArguments): Promise<ActivityPoint[]> {
  const subject_id = subjectOf({ type: 'Book', key: book.id });
  return chart(args, (slice) => rows(cassandra, selectActivity, { subject_id, ...slice }));
}

/**
 * What happened in all in every window of a time range, empty ones included, for administrators.
 * @throws `UNAUTHENTICATED`, `FORBIDDEN`; `BAD_USER_INPUT` when the range is reversed or has too many windows
 */
export async function siteActivity(context: RequestContext, args: ChartArguments): Promise<ActivityPoint[]> {
  await mustBeAdministrator(context);
  return chart(args, (slice) => rows(context.cassandra, selectSiteActivity, slice));
}

/** The part of a chart that is in one period. */
interface ChartSlice {
  readonly granularity: Granularity;
  readonly period: Date;
  readonly at_least: Date;
  readonly below: Date;
  readonly rows_max: number;
}

async function chart(
  { granularity, from, to }: ChartArguments,
  read: (slice: ChartSlice) => Promise<PointOfKind[]>,
): Promise<ActivityPoint[]> {
  mustBeInOrder({ from, to });
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
        rows_max: POINTS_MAX * EVENT_KINDS.length,
      }),
    ),
  );
  const points = new Map(windows.map((time) => [time, { LIKE: 0, VIEW: 0, READ: 0, SALE: 0 }]));
  for (const { window_start, kind, event_count } of found.flat()) {
    const counts = points.get(window_start.getTime());
    if (counts) counts[kind] = event_count;
  }
  return [...points].map(([time, counts]) => ({ at: new Date(time), counts }));
}
