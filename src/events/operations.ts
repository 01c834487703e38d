import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { first, rows, write } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/operations.ts';
import { connection, type Connection, type PageArguments } from '../graphql/connections.ts';
import { mustBeInOrder } from '../time/ranges.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { parseSubject, subjectOf, uuidOf, type NodeId } from '../graphql/ids.ts';
import type { TrendingWindow } from '../graphql/schema.generated.ts';
import { shardOf } from '../cassandra/shards.ts';
import {
  deleteEvent,
  EVENT_KINDS,
  insertEvent,
  insertMark,
  selectActivity,
  selectTrending,
  type EventKind,
  type Trend,
} from './tables.ts';
import { DAY_MS } from '../time/units.ts';
import { periodOf, windowOf, windowsBetween, type Granularity } from './windows.ts';
import { cql } from '../cassandra/codecs.ts';
import { listInMemory } from '../cassandra/paging.ts';
import { cursorOf } from '../cassandra/range.ts';

export const EVENT_SHARDS = 16;
export const MARK_PARTS = 4;
/** An event that comes later than this is not counted any more: what it would be counted with goes soon after. */
const COUNTED_MS = 7 * DAY_MS;
const KEPT_MS = 8 * DAY_MS;
/** So long a server does not mark a minute again; who counts waits longer before a mark is removed. */
const MARKED_MS = 1_000;
/** An event that took longer to be written is marked once more. */
const WRITTEN_WITHIN_MS = 10_000;
const MARKS_REMEMBERED = 10_000;
const POINTS_MAX = 1_500;

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

/** The minutes that this process has marked. */
const eventMarks = perProcess(() => new EventMarks());

/** Which minutes this server has marked a moment ago. */
export class EventMarks {
  readonly #marked = new LRUCache<string, number>({ max: MARKS_REMEMBERED });

  /** Marks a minute to be counted, unless that was done a moment ago. Returns when it was marked, in ms. */
  async mark(app: AppContext, minute: Date, shard: number): Promise<number> {
    const key = `${minute.getTime()} ${shard}`;
    const now = app.clock();
    const known = this.#marked.get(key);
    if (known !== undefined && now.getTime() - known < MARKED_MS && known <= now.getTime()) return known;
    const part = shard % MARK_PARTS;
    await write(app.cassandra, insertMark, { part, marked_at: now, mark_id: app.randomId(), minute, shard });
    this.#marked.set(key, now.getTime());
    return now.getTime();
  }
}

/** The shard in which a subject's events are counted. */
export const eventShardOf = (subject: string): number => shardOf(uuidOf(subject), EVENT_SHARDS);

/**
 * Records that something happened, or that it did not after all. May be repeated at any time.
 * The minute is marked first: if the process dies in between, it is counted once more than needed.
 */
export async function recordEvent(app: AppContext, event: LibraryEvent): Promise<void> {
  const { kind, subject, at, version, happened } = event;
  const now = app.clock().getTime();
  if (!isCounted(app, at)) {
    refused.inc({ kind });
    return;
  }
  const minute = new Date(windowOf('MINUTE', at.getTime()));
  const shard = eventShardOf(subject);
  const key = { minute, shard, subject_id: subject, kind, event_id: uuidOf(event.id), version: BigInt(version) };
  const ttl_seconds = Math.ceil((minute.getTime() + KEPT_MS - now) / 1_000);
  for (;;) {
    const marked = await eventMarks(app).mark(app, minute, shard);
    if (happened) await write(app.cassandra, insertEvent, { ...key, ttl_seconds });
    else await write(app.cassandra, deleteEvent, key);
    if (app.clock().getTime() - marked < WRITTEN_WITHIN_MS) return;
  }
}

/** Records what happened before, without a word about what is too old to be counted. */
export async function recordFormerEvents(app: AppContext, events: readonly LibraryEvent[]): Promise<void> {
  await Promise.all(events.filter(({ at }) => isCounted(app, at)).map((event) => recordEvent(app, event)));
}

/** Whether what happened at a moment is still counted. */
const isCounted = ({ clock }: AppContext, at: Date): boolean => at.getTime() >= clock().getTime() - COUNTED_MS;

/** What is liked most, and how often it was. */
export interface TrendingEdge {
  readonly cursor: string;
  readonly node: NodeId;
  readonly likes: number;
}

const byLikes = (one: Trend, other: Trend) =>
  other.likes - one.likes || Number(one.subject_id > other.subject_id) - Number(one.subject_id < other.subject_id);

/** What was liked most of several lists, most liked first, at most 100. */
export const mostLiked = (lists: readonly Trend[]): Trend[] => lists.toSorted(byLikes).slice(0, TRENDING_MAX);

const TRENDING_MAX = 100;

/**
 * A page of what was liked most lately, most liked first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function trendingIn(
  { cassandra }: RequestContext,
  last: TrendingWindow,
  thing: 'Book' | 'Item' | 'Likeable',
  page: PageArguments,
): Promise<Connection<TrendingEdge>> {
  const top = (await first(cassandra, selectTrending, { last, thing }))?.top ?? [];
  const list = {
    ...listInMemory(top, byLikes),
    name: `trending ${last} ${thing}`,
    descending: false,
    cursor: cursorOf({ subject_id: cql.text, likes: cql.int }),
  };
  return connection(page, list, ({ subject_id, likes }, cursor) => {
    const node = parseSubject(subject_id);
    if (!node) throw new Error(`What is liked most is ${subject_id}, which is no id of this server's types`);
    return { cursor, node, likes };
  });
}

/** What happened to a book within a window. */
export interface ActivityPoint {
  readonly at: Date;
  readonly counts: Record<EventKind, number>;
}

/**
 * What happened to a book in every window of a time range, empty ones included.
 * @throws `BAD_USER_INPUT` when the range is reversed or has too many windows
 */
export async function activityOf(
  { cassandra }: RequestContext,
  book: Book,
  { granularity, from, to }: { granularity: Granularity; from: Date; to: Date },
): Promise<ActivityPoint[]> {
  mustBeInOrder({ from, to });
  const tooMany = badUserInput(
    `There are more than ${POINTS_MAX} windows from "from" to "to"; ask for a shorter range, or for longer windows.`,
  );
  if (to.getTime() - from.getTime() > POINTS_MAX * DAY_MS) throw tooMany;
  const windows = windowsBetween(granularity, from.getTime(), to.getTime());
  if (windows.length > POINTS_MAX) throw tooMany;
  const subject_id = subjectOf({ type: 'Book', key: book.id });
  const periods = new Set(windows.map((time) => periodOf(granularity, time).getTime()));
  const found = await Promise.all(
    [...periods].map((period) =>
      rows(cassandra, selectActivity, {
        subject_id,
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
