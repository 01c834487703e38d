import { LOWEST_UUID } from '../../../src/cassandra/orders.ts';
import { clickKeyOf } from '../../../src/clicks/hours.ts';
import { bucketOf, dayOf } from '../../../src/clicks/recording.ts';
import type { SessionState } from '../../../src/sessions/tables.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

const columnsOf = (row: Row, columns: readonly string[]) =>
  columns.map((column) => show(row[column] ?? null)).join(' ');

/** Returns whether a row is a click, not the additional row of its hour. */
const isClick = (row: Row) => show(row['click_id']) !== LOWEST_UUID;

/** Returns the clicks that are stored. */
export const clicksIn = (cluster: Cluster): Row[] => cluster.scan('clicks_by_session').filter(isClick);

/**
 * Compares the clicks of each session with those that callers sent, with the figures of their
 * hours, and with the clicks of all sessions by time. The activity log is checked separately.
 */
export function* driftOfClicks(
  cluster: Cluster,
  { clicks: sent }: Library,
  erased: ReadonlySet<string>,
): Generator<string> {
  const clicks = clicksIn(cluster);
  const nameOf = (row: Row) =>
    `${show(row['session_id'])} ${clickKeyOf({ at: row['at'] as Date, id: show(row['click_id']) })}`;
  const stored = new Set(clicks.map(nameOf));
  // A visitor's session may have become the session of a deleted reader.
  const gone = new Set(
    [
      ...sent,
      ...cluster.decidedIn('sessions_by_id').map((row) => ({
        userId: show((row['state'] as SessionState).user_id),
        sessionId: show(row['session_id']),
      })),
    ].flatMap(({ userId, sessionId }) => (userId !== null && erased.has(userId) ? sessionId : [])),
  );
  const known = new Set<string>();
  for (const click of sent) {
    const name = `${click.sessionId} ${clickKeyOf(click)}`;
    known.add(name);
    if (click.isDone && !gone.has(click.sessionId) && !stored.has(name)) yield `clicks_by_session lacks: ${name}`;
  }
  for (const name of stored) if (!known.has(name)) yield `clicks_by_session has a click that was never sent: ${name}`;

  for (const table of ['clicks_by_session', 'click_hours_by_session', 'clicks_by_time'])
    for (const row of cluster.scan(table))
      if (gone.has(show(row['session_id'])))
        yield `${table} still has a row of a session of a deleted reader: ${show(row)}`;

  yield* driftOfHours(cluster, clicks);

  const told = (row: Row) => columnsOf(row, ['session_id', 'at', 'click_id', 'target', 'subject_id', 'properties']);
  const byTime = cluster.scan('clicks_by_time');
  yield* differences('clicks_by_time', clicks.map(told), byTime.map(told));
  const buckets = new Set(
    cluster.scan('click_buckets_by_day').map((row) => columnsOf(row, ['day', 'bucket', 'shard'])),
  );
  for (const row of byTime) {
    const bucket = bucketOf(row['at'] as Date);
    if (!buckets.has(columnsOf({ ...row, day: dayOf(bucket), bucket }, ['day', 'bucket', 'shard'])))
      yield `click_buckets_by_day lacks the bucket of: ${show(row)}`;
  }
}

/**
 * Compares the figures of each hour, in its own partition and in the list of hours, with its
 * clicks.
 */
function* driftOfHours(cluster: Cluster, clicks: readonly Row[]): Generator<string> {
  const hourOf = (row: Row) => columnsOf(row, ['session_id', 'hour']);
  const figuresOf = (row: Row) => `${show(row['click_count'] ?? 0)} until ${show(row['last_click_at'] ?? null)}`;
  const byHour = Map.groupBy(clicks, hourOf);
  const figures = (hour: string) => {
    const of = byHour.get(hour) ?? [];
    const last = of.map((row) => row['at'] as Date).toSorted((one, other) => other.getTime() - one.getTime())[0];
    return figuresOf({ click_count: of.length, last_click_at: last ?? null });
  };
  const listed = new Set<string>();
  for (const table of ['clicks_by_session', 'click_hours_by_session'])
    for (const row of cluster.scan(table)) {
      const hour = hourOf(row);
      if (table === 'click_hours_by_session') listed.add(hour);
      if (figuresOf(row) !== figures(hour)) yield `${table} has ${figuresOf(row)} for ${hour}, not ${figures(hour)}`;
    }
  for (const hour of byHour.keys()) if (!listed.has(hour)) yield `click_hours_by_session lacks ${hour}`;
}
