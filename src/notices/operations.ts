import { requiredRows } from '../aggregates/projected-list.ts';
import type { Version } from '../aggregates/state.ts';
import type { RowIn } from '../cassandra/ring.ts';
import { bind, first, rows, write, type Bound } from '../cassandra/statement.ts';
import { announcedAct } from '../changes/operations.ts';
import type { AppContext } from '../context/context.ts';
import type { News } from '../feature/news.ts';
import type { NotificationKind } from '../graphql/generated/schema-types.ts';
import { isNotificationKind } from '../graphql/kinds.ts';
import { dayAt } from '../time/days.ts';
import { DAY_MS } from '../time/units.ts';
import { insertMark, noticesByUser, selectMark, selectNotices, updateNotice } from './tables.ts';

/**
 * Notices: which things of a reader had news on which days. A notice says nothing about the news
 * itself, which is read from the thing. So a notice is written once for a day, is never taken back,
 * and may be written again at any time.
 */

/** The number of days, today included, whose notices are read. */
const DAYS_SHOWN = 90;
/**
 * The time after the beginning of a day at which its notices expire. It is longer than they are
 * read, so that a read meets no expired rows.
 */
const EXPIRY_MS = (DAYS_SHOWN + 1) * DAY_MS;
/** The maximum number of notices that are read at once, those of the newest days. */
const NOTICES_MAX = 500;

/** The row of a notice. */
type NoticeRow = RowIn<typeof noticesByUser>;

/** Returns the row of a notice; `undefined` without news, and for news that is too old. */
export function noticeOf(app: AppContext, news: News | undefined): NoticeRow | undefined {
  if (!news) return undefined;
  const { userId, kind, subject, at } = news;
  const day = dayAt(at);
  return day < firstDay(app.clock()) ? undefined : { user_id: userId, day, kind, subject_id: subject, newest_at: at };
}

/** Returns the first day whose notices are read. */
const firstDay = (now: Date): string => dayAt(new Date(now.getTime() - (DAYS_SHOWN - 1) * DAY_MS));

/**
 * Returns the writes of a notice, to be sent together with others; none if there is no notice. The
 * reader's devices learn that there is one.
 */
export function noticeWrites(app: AppContext, news: News | undefined): Bound[] {
  const row = noticeOf(app, news);
  if (!row) return [];
  const expiresAt = Date.parse(row.day) + EXPIRY_MS;
  const ttl_seconds = Math.ceil((expiresAt - app.clock().getTime()) / 1_000);
  return [
    bind(updateNotice, { ...row, newest_micros: microsOf(row.newest_at), ttl_seconds }),
    announcedAct(app, row.user_id, 'NOTIFICATIONS'),
  ];
}

/** Tells features of some news. Call it once the notice is written. */
export function tellOf(app: AppContext, news: News | undefined): void {
  if (news) for (const listener of app.newsListeners) listener(app, news);
}

/**
 * The write timestamp of a moment, so that the latest moment wins, on any server and in any order.
 */
const microsOf = (at: Date): bigint => BigInt(at.getTime()) * 1_000n;

/** The notice that follows from a state; `undefined` if there is none. */
export interface WithNotice {
  readonly notice: NoticeRow | undefined;
}

/** Declares the notices of the states of an aggregate, for its audit. */
export const requiredNotices = <Key, State extends Version, Joined extends WithNotice = WithNotice>() =>
  requiredRows(noticesByUser, {
    rowsOf: (_key: Key, _state: State, { notice }: Joined) => (notice ? [notice] : []),
    // Newer news may have been written to the same row.
    isAsWanted: (stored, wanted) => stored.newest_at >= wanted.newest_at,
  });

/** Returns a function that finds the notices of some states, for an audit. */
export const noticesBy =
  <Key, State>(newsOf: (key: Key, state: State) => News | undefined) =>
  (app: AppContext, found: readonly { readonly key: Key; readonly state: State }[]): Promise<WithNotice[]> =>
    Promise.resolve(found.map(({ key, state }) => ({ notice: noticeOf(app, newsOf(key, state)) })));

/** A notice: a thing that had news on a day. */
export interface Notice {
  /** The UTC day, such as `2026-03-01`. */
  readonly day: string;
  readonly kind: NotificationKind;
  readonly subject: string;
  /** The moment of the newest news of the day, even if it was taken back. */
  readonly newestAt: Date;
}

/** The notices of a reader, and the moment up to which they have read them. */
export interface Notices {
  /** The notices of the last 90 days, those of the newest day first; at most 500. */
  readonly notices: readonly Notice[];
  /** Null if the reader has read none. */
  readonly readUntil: Date | null;
}

/** Reads the notices of a reader. A kind that only a later release knows is left out. */
export async function noticesOf({ cassandra, clock }: AppContext, user_id: string): Promise<Notices> {
  const slice = { user_id, first_day: firstDay(clock()), rows_max: NOTICES_MAX };
  const [found, mark] = await Promise.all([
    rows(cassandra, selectNotices, slice),
    first(cassandra, selectMark, { user_id }),
  ]);
  const notices = found.flatMap(({ day, kind, subject_id, newest_at }) =>
    isNotificationKind(kind) ? [{ day, kind, subject: subject_id, newestAt: newest_at }] : [],
  );
  return { notices, readUntil: mark?.read_until ?? null };
}

/**
 * Stores that a reader has read the news up to a moment. An earlier moment than the stored one
 * changes nothing, whichever server stores it, and when.
 */
export async function storeReadUntil({ cassandra }: AppContext, userId: string, until: Date): Promise<void> {
  await write(cassandra, insertMark, { user_id: userId, read_until: until, version: microsOf(until) });
}
