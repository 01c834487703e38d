import { inParts } from '../cassandra/batches.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { appliedBatch, bind, each, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { beginningOf, DAY_SECONDS, HOUR_MS } from '../time/units.ts';
import type { Click } from './inputs.ts';
import {
  insertClick,
  openHour,
  selectClicks,
  selectHours,
  selectStoredClicks,
  updateHour,
  type Hour,
} from './tables.ts';

/** The clicks of a session, one hour at a time: the source of truth for clicks. */

/**
 * The maximum number of clicks in an hour of a session. It bounds the partition against robots.
 * Concurrent calls that begin below the maximum may exceed it by 500 clicks each.
 */
const CLICKS_PER_HOUR = 100_000;
/**
 * The time for which two kinds of rows are kept: the clicks of visitors, who may never log in, and
 * the clicks of all sessions by time.
 */
export const CLICKS_KEPT_SECONDS = 40 * DAY_SECONDS;
const TRIES = 20;
const PAUSE_MS = 10;

/** The key of the row that a statement selects to read an hour's static columns by key. */
const SENTINEL: [Date, string] = [new Date(0), LOWEST_UUID];

/** The state of an hour. */
export interface HourState {
  /** The number of changes; 0 for an hour without changes. */
  readonly version: number;
  readonly clickCount: number;
  readonly lastClickAt: Date | null;
}

/** An hour at the time of a read, with those of the given clicks that it has stored. */
export interface SeenHour extends HourState {
  readonly stored: ReadonlyMap<string, Click>;
}

/** The TTL of writes; 0 for none. */
export interface Kept {
  readonly ttl_seconds: number;
}

/**
 * Returns the time for which the clicks of a session are kept: {@link CLICKS_KEPT_SECONDS} for a
 * visitor, and the configured time for a reader.
 */
export const retentionOf = ({ config }: AppContext, userId: string | null): Kept => ({
  ttl_seconds: userId === null ? CLICKS_KEPT_SECONDS : config.clicksKeptSeconds,
});

export const hourOf = (at: Date) => new Date(beginningOf(at.getTime(), HOUR_MS));

/** Returns a key that identifies a click within its session. */
export const clickKeyOf = ({ at, id }: Pick<Click, 'at' | 'id'>) => `${at.getTime()} ${id}`;

export const clickOf = (
  sessionId: string,
  row: {
    at: Date;
    click_id: string;
    target: string | null;
    subject_id: string | null;
    properties: Click['properties'];
  },
): Click => ({
  id: row.click_id,
  at: row.at,
  sessionId,
  target: row.target,
  subject: row.subject_id,
  properties: row.properties,
});

/** Returns the columns of a click besides its key. */
export const contentOf = ({ target, subject, properties }: Click) => ({
  target,
  subject_id: subject,
  properties: properties.length > 0 ? [...properties] : null,
});

/**
 * Reads the state of an hour, and those of the given clicks that it has stored. It is a serial
 * read: it first completes the newest change at a majority, so the result contains all writes up to
 * the returned version.
 */
async function readHour(app: AppContext, hour: Hour, clicks: readonly Click[]): Promise<SeenHour> {
  const positions = clicks.map(({ at, id }): [Date, string] => [at, id]);
  const found = await rows(app.cassandra, selectStoredClicks, { ...hour, positions: [SENTINEL, ...positions] });
  const [state] = found;
  return {
    version: state?.version ?? 0,
    clickCount: state?.click_count ?? 0,
    lastClickAt: state?.last_click_at ?? null,
    stored: new Map(found.map((row) => clickOf(hour.session_id, row)).map((click) => [clickKeyOf(click), click])),
  };
}

/** @throws {UserError} `INVALID_INPUT` when an hour would have too many clicks */
function requireRoomInHour({ clickCount, stored }: SeenHour, clicks: readonly Click[]): void {
  const fresh = clicks.filter((click) => !stored.has(clickKeyOf(click)));
  if (clickCount + fresh.length <= CLICKS_PER_HOUR) return;
  const message = `A session has at most ${CLICKS_PER_HOUR} clicks within an hour; no reader clicks more often.`;
  throw invalidInput(['clicks'], message);
}

/** Clicks to be recorded in an hour. */
export interface Wanted {
  readonly key: Hour;
  readonly clicks: readonly Click[];
  /**
   * The hour before the transaction was logged. Recovery fences off a slow call by changing the
   * hour.
   */
  readonly seen: SeenHour;
}

/**
 * Groups clicks by hour, and reads the hours.
 * @throws {UserError} `INVALID_INPUT` when an hour would have too many clicks
 */
export async function wantedHours(app: AppContext, sessionId: string, clicks: readonly Click[]): Promise<Wanted[]> {
  const byKey = new Map(clicks.map((click) => [clickKeyOf(click), click]));
  const byHour = Map.groupBy(byKey.values(), ({ at }) => hourOf(at).getTime());
  const wanted = await Promise.all(
    [...byHour].map(async ([time, ofHour]) => {
      const key = { session_id: sessionId, hour: new Date(time) };
      return { key, clicks: ofHour, seen: await readHour(app, key, ofHour) };
    }),
  );

  for (const { seen, clicks: ofHour } of wanted) requireRoomInHour(seen, ofHour);
  return wanted;
}

/** The number of new clicks in a part of a call, and the state of the hour after it. */
interface DecidedPart {
  readonly recorded: number;
  readonly now: SeenHour;
}

/**
 * Records clicks of an hour, and yields each part of them once it is decided. The first value is
 * the hour before the call.
 * @param isFirst true if no click of the call is recorded yet. A call is recorded completely once
 *   it has begun, even if the hour becomes full meanwhile
 * @param logAgain is called before every attempt except the first
 * @throws {UserError} `INVALID_INPUT` when the hour is full; then this call recorded none of these
 *   clicks
 */
export async function* recordInHour(
  app: AppContext,
  wanted: Wanted,
  kept: Kept,
  isFirst: boolean,
  logAgain: () => Promise<void>,
): AsyncGenerator<DecidedPart> {
  const { key: hour, clicks } = wanted;
  let decided: DecidedPart = { recorded: 0, now: wanted.seen };
  let mayRefuse = isFirst;
  yield decided;

  const prepare = async (now: SeenHour, tries: number) => {
    if (mayRefuse) requireRoomInHour(now, clicks);
    if (tries > 1) await logAgain();
  };
  for (const part of inParts(clicks, (click) => clickWrite(hour, click, kept))) {
    decided = await recordPart(app, { ...wanted, seen: decided.now }, kept, part, prepare);
    mayRefuse &&= decided.recorded === 0;
    yield decided;
  }
}

/** @param prepare is called before every attempt */
async function recordPart(
  app: AppContext,
  { key: hour, clicks, seen }: Wanted,
  kept: Kept,
  part: readonly Click[],
  prepare: (now: SeenHour, tries: number) => Promise<void>,
): Promise<DecidedPart> {
  let now = seen;
  // Clicks of an attempt without an answer may have been written. If they are stored now, this call
  // recorded them.
  let sent: readonly Click[] = [];
  for (let tries = 1; ; tries++) {
    const { stored } = now;
    const fresh = part.filter((click) => !stored.has(clickKeyOf(click)));
    const landed = sent.filter((click) => !fresh.includes(click)).length;
    if (fresh.length === 0) return { recorded: landed, now };

    await prepare(now, tries);
    try {
      const next = await change(app, hour, now, fresh, kept);
      if (next) return { recorded: landed + fresh.length, now: next };
      sent = sent.filter((click) => !fresh.includes(click));
    } catch (error) {
      if (!(error instanceof CassandraError) || tries === TRIES) throw error;
      sent = [...new Set([...sent, ...fresh])];
    }
    await pauseAfter(app, tries);
    now = await readHour(app, hour, clicks);
  }
}

/**
 * Raises the version of an hour and changes nothing else, so that the condition of a slow call
 * fails.
 */
export async function fence(app: AppContext, hour: Hour, kept: Kept): Promise<HourState> {
  for (let tries = 1; ; tries++) {
    const seen = await readHour(app, hour, []);
    try {
      const next = await change(app, hour, seen, [], kept);
      if (next) return next;
    } catch (error) {
      if (!(error instanceof CassandraError) || tries === TRIES) throw error;
    }
    await pauseAfter(app, tries);
  }
}

async function pauseAfter({ cassandra }: AppContext, tries: number): Promise<void> {
  if (tries === TRIES) throw new CassandraError('unknown', 'the clicks of a session are contended', undefined);
  await cassandra.backOff(PAUSE_MS * tries);
}

/**
 * Adds clicks to an hour, on condition that it is unchanged.
 * @returns the new state; `undefined` when the hour had changed
 */
async function change(app: AppContext, hour: Hour, seen: SeenHour, fresh: readonly Click[], kept: Kept) {
  const moments = [seen.lastClickAt, ...fresh.map(({ at }) => at)].filter((at) => at !== null);
  const next: SeenHour = {
    version: seen.version + 1,
    clickCount: seen.clickCount + fresh.length,
    lastClickAt: moments.length > 0 ? new Date(Math.max(...moments.map((at) => at.getTime()))) : null,
    stored: new Map([...seen.stored, ...fresh.map((click) => [clickKeyOf(click), click] as const)]),
  };
  const state = {
    ...hour,
    ...kept,
    next_version: next.version,
    click_count: next.clickCount,
    last_click_at: next.lastClickAt,
  };
  const [at, click_id] = SENTINEL;
  const nothing = { target: null, subject_id: null, properties: null };
  const header =
    seen.version === 0
      ? [bind(openHour, state), bind(insertClick, { ...hour, ...kept, at, click_id, ...nothing })]
      : [bind(updateHour, { ...state, current_version: seen.version })];
  const applied = await appliedBatch(app.cassandra, [
    ...header,
    ...fresh.map((click) => clickWrite(hour, click, kept)),
  ]);
  return applied ? next : undefined;
}

const clickWrite = (hour: Hour, click: Click, kept: Kept) =>
  bind(insertClick, { ...hour, ...kept, at: click.at, click_id: click.id, ...contentOf(click) });

/** Returns the hours in which a session may have clicks. */
export async function hoursOf(
  { cassandra }: AppContext,
  sessionId: string,
  fromHour: Date,
  toHour: Date,
): Promise<Date[]> {
  const found = await rows(cassandra, selectHours, { session_id: sessionId, from_hour: fromHour, to_hour: toHour });
  return found.map(({ hour }) => hour);
}

/** Yields all clicks of an hour, oldest first. */
export async function* clicksOfHour({ cassandra }: AppContext, hour: Hour): AsyncGenerator<Click> {
  const sentinel = clickKeyOf({ at: SENTINEL[0], id: SENTINEL[1] });
  for await (const row of each(cassandra, selectClicks, hour)) {
    const click = clickOf(hour.session_id, row);
    if (clickKeyOf(click) !== sentinel) yield click;
  }
}
