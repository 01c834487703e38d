import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import { recordActions, type Action } from '../activity/log.ts';
import { inBatches } from '../cassandra/batches.ts';
import { jsonMoment } from '../cassandra/orders.ts';
import { shardOf } from '../cassandra/shards.ts';
import { batch, bind, write, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { readerOfSession } from '../sessions/operations.ts';
import { beginningOf, DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts';
import { transact, type Step, type TransactionKind } from '../transactions/operations.ts';
import {
  CLICKS_KEPT_SECONDS,
  clicksOfHour,
  contentOf,
  fence,
  hourOf,
  hoursOf,
  retentionOf,
  clickKeyOf,
  recordInHour,
  type HourState,
  type Kept,
  type Wanted,
} from './hours.ts';
import type { Click } from './inputs.ts';
import {
  eraseClickByTime,
  eraseClicks,
  eraseListedHour,
  insertBucket,
  insertClickByTime,
  insertHour,
  insertHourFigures,
  type Hour,
} from './tables.ts';

/**
 * The recording of clicks. The hours of the session are the source of truth. Three things are
 * projected from them: the figures of the session, the clicks of all sessions by time, and the
 * actions of the reader.
 */

const BUCKET_MS = 10 * MINUTE_MS;
export const CLICK_SHARDS = 8;
const ERASED_AT_ONCE = 500;

const recording = z.strictObject({ sessionId: uuid, from: jsonMoment, to: jsonMoment });
/** Clicks of a session from one moment to another, both included. */
type Recording = z.infer<typeof recording>;

/** Finishes orphaned clicks, or abandons them permanently. */
export const clickRecording: TransactionKind<Recording> = {
  name: 'clicks',
  payload: recording,
  recover: async (app, { sessionId, from, to }, step) => {
    const reader = await readerOfSession(app, sessionId);
    if (!reader) return forgetClicks(app, sessionId, from, to);
    for (const hour of await hoursOf(app, sessionId, hourOf(from), to)) {
      const key = { session_id: sessionId, hour };
      const state = await step('compare-and-set', () => fence(app, key, retentionOf(app, reader.userId)));
      const clicks: Click[] = [];
      for await (const click of clicksOfHour(app, key)) if (click.at >= from && click.at <= to) clicks.push(click);
      await project(app, sessionId, [{ key, state, clicks }], step);
    }
  },
};

/** The decided clicks and state of an hour. */
interface Decided {
  readonly key: Hour;
  readonly state: HourState;
  readonly clicks: readonly Click[];
}

/**
 * Records clicks of a session.
 * @returns the number of new clicks
 * @throws {UserError} `INVALID_INPUT` when an hour is full; nothing is recorded then
 */
export async function recordInHours(
  app: AppContext,
  sessionId: string,
  kept: Kept,
  hours: readonly Wanted[],
): Promise<number> {
  const moments = hours.flatMap(({ clicks }) => clicks.map(({ at }) => at.getTime()));
  if (moments.length === 0) return 0;

  // The hours are listed before the log entry, because recovery finds them by this list.
  const listed = hours.map(({ key, seen }) => bind(insertHour, { ...key, ...kept, version: BigInt(seen.version + 1) }));
  await batch(app.cassandra, listed);

  const payload = { sessionId, from: new Date(Math.min(...moments)), to: new Date(Math.max(...moments)) };
  return transact(app, clickRecording, payload, async ({ step, logAgain }) => {
    const decided = new Map<Hour, Decided>();
    let recorded = 0;
    await step('compare-and-set', async () => {
      for (const hour of hours) {
        for await (const part of recordInHour(app, hour, kept, recorded === 0, logAgain)) {
          recorded += part.recorded;
          // The projections use the stored content, even if this call sent a different content.
          const stored = hour.clicks.flatMap((click) => part.now.stored.get(clickKeyOf(click)) ?? []);
          decided.set(hour.key, { key: hour.key, state: part.now, clicks: stored });
        }
      }
    });
    // Clicks that were recorded before are projected too, because the process that decided them may
    // have died before projecting them.
    await project(app, sessionId, [...decided.values()], step);
    return recorded;
  });
}

/** Writes the projections of clicks. Newer clicks of the same hours may already be projected. */
async function project(app: AppContext, sessionId: string, decided: readonly Decided[], step: Step): Promise<void> {
  const clicks = decided.flatMap((each) => each.clicks);
  // The reader is read after the decision. An erasure that missed these clicks was decided before
  // them, so this read sees the deletion.
  const reader = await readerOfSession(app, sessionId);
  if (!reader) {
    for (const { key } of decided) await eraseHour(app, key);
    return;
  }

  const { userId } = reader;
  const actions = userId === null || !app.config.recordsLooksAndClicks ? [] : actionsOf(clicks);
  await Promise.all([
    step('figures', () => batch(app.cassandra, figureWrites(decided, retentionOf(app, userId)))),
    step('byTime', () => writeByTime(app, clicks)),
    ...(userId === null || actions.length === 0 ? [] : [step('actions', () => recordActions(app, userId, actions))]),
  ]);
}

const figureWrites = (decided: readonly Decided[], kept: Kept): Bound[] =>
  decided.map(({ key, state: { version, clickCount, lastClickAt } }) =>
    bind(insertHourFigures, {
      ...key,
      ...kept,
      click_count: clickCount,
      last_click_at: lastClickAt,
      version: BigInt(version),
    }),
  );

/** Returns the actions in a reader's log that follow from clicks. */
const actionsOf = (clicks: readonly Click[]): Action[] =>
  clicks.flatMap(({ at, subject, target }) =>
    subject === null ? [] : [{ kind: 'CLICKED', at, subject, element: target ?? '' }],
  );

/** Returns the beginning of the ten minutes that contain a moment. */
export const bucketOf = (at: Date) => new Date(beginningOf(at.getTime(), BUCKET_MS));
export const dayOf = (at: Date) => new Date(beginningOf(at.getTime(), DAY_MS));

const placeOf = ({ at, id, sessionId }: Click) => ({
  bucket: bucketOf(at),
  shard: shardOf(sessionId, CLICK_SHARDS),
  at,
  session_id: sessionId,
  click_id: id,
});

async function writeByTime(app: AppContext, clicks: readonly Click[]): Promise<void> {
  const kept = { ttl_seconds: CLICKS_KEPT_SECONDS };
  const buckets = new Map(clicks.map(placeOf).map(({ bucket, shard }) => [bucket.getTime(), { bucket, shard }]));
  const listed = [...buckets.values()].map((place) =>
    bind(insertBucket, { ...place, day: dayOf(place.bucket), ...kept }),
  );
  const written = clicks.map((click) => bind(insertClickByTime, { ...placeOf(click), ...contentOf(click), ...kept }));
  for (const writes of inBatches([...listed, ...written], partitionOf)) await batch(app.cassandra, writes);
}

const partitionOf = ({ label, params }: Bound) => `${label} ${String(params['day'] ?? params['bucket'])}`;

/** Erases the clicks of a session between two moments, because its reader's account is deleted. */
async function forgetClicks(app: AppContext, sessionId: string, from: Date, to: Date): Promise<void> {
  // Every hour is erased, because the hours may no longer be listed. This also erases later
  // decisions of a slow call.
  for (let time = hourOf(from).getTime(); time <= to.getTime(); time += HOUR_MS)
    await eraseHour(app, { session_id: sessionId, hour: new Date(time) });
}

/**
 * Erases the clicks of an hour: first the rows that are found through the clicks, and last the list
 * entry of this hour. The entries of other hours are kept, because their clicks can only be found
 * through the list. It can be repeated at any time.
 */
export async function eraseHour(app: AppContext, hour: Hour): Promise<void> {
  let writes: Bound[] = [];
  const flush = async () => {
    for (const some of inBatches(writes, partitionOf)) await batch(app.cassandra, some);
    writes = [];
  };
  for await (const click of clicksOfHour(app, hour)) {
    writes.push(bind(eraseClickByTime, placeOf(click)));
    if (writes.length >= ERASED_AT_ONCE) await flush();
  }
  await flush();
  await write(app.cassandra, eraseClicks, hour);
  await write(app.cassandra, eraseListedHour, hour);
}
