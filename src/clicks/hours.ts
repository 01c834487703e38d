import { inParts } from '../cassandra/batches.ts';
import { CassandraError } from '../cassandra/errors.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { appliedBatch, bind, each, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
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

/** The clicks of a session, an hour at a time: the source of truth for what was clicked. */

/**
 * Keeps a partition within its bound, whatever a robot does. Calls that begin below it and are recorded in parts at the same moment may
 * go beyond it by what they bring, 500 each.
 */
const CLICKS_PER_HOUR = 100_000;
/** Those of a visitor, who may never log in, and those of all sessions by time. */
export const CLICKS_KEPT_SECONDS = 40 * DAY_SECONDS;
const TRIES = 20;
const PAUSE_MS = 10;

/** The row that keeps an hour's static columns readable by key. */
const SENTINEL: [Date, string] = [new Date(0), LOWEST_UUID];

/** What an hour says of itself. */
export interface HourState {
  /** Counts the changes; 0: there was none. */
  readonly version: number;
  readonly clickCount: number;
  readonly lastClickAt: Date | null;
}

/** An hour as it was looked at, with those of some clicks that it has, as they are stored. */
export interface SeenHour extends HourState {
  readonly stored: ReadonlyMap<string, Click>;
}

/** How long what is written is kept, 0 for good. */
export interface Kept {
  readonly ttl_seconds: number;
}

/** How long the clicks of a session are kept: for good, unless it is a visitor's. */
export const keptOf = (userId: string | null): Kept => ({ ttl_seconds: userId === null ? CLICKS_KEPT_SECONDS : 0 });

export const hourOf = (at: Date) => new Date(beginningOf(at.getTime(), HOUR_MS));

/** What names a click within its session. */
export const keyOf = ({ at, id }: Pick<Click, 'at' | 'id'>) => `${at.getTime()} ${id}`;

/** A click of a row. */
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

/** What tables have of a click beside its key. */
export const contentOf = ({ target, subject, properties }: Click) => ({
  target,
  subject_id: subject,
  properties: properties.length > 0 ? [...properties] : null,
});

/**
 * Which of some clicks an hour has, and what it says of itself: by a serial read, which with a version shows all that was written
 * under it and before, as it first brings the newest change to a majority.
 */
export async function lookAt(app: AppContext, hour: Hour, clicks: readonly Click[]): Promise<SeenHour> {
  const positions = clicks.map(({ at, id }): [Date, string] => [at, id]);
  const found = await rows(app.cassandra, selectStoredClicks, { ...hour, positions: [SENTINEL, ...positions] });
  const [state] = found;
  return {
    version: state?.version ?? 0,
    clickCount: state?.click_count ?? 0,
    lastClickAt: state?.last_click_at ?? null,
    stored: new Map(found.map((row) => clickOf(hour.session_id, row)).map((click) => [keyOf(click), click])),
  };
}

/** @throws {UserError} `INVALID_INPUT` when an hour would have too many clicks */
export function mustFit({ clickCount, stored }: SeenHour, clicks: readonly Click[]): void {
  const fresh = clicks.filter((click) => !stored.has(keyOf(click)));
  if (clickCount + fresh.length <= CLICKS_PER_HOUR) return;
  const message = `A session has at most ${CLICKS_PER_HOUR} clicks within an hour, and this is no reader who clicks more.`;
  throw new UserError('INVALID_INPUT', message, ['input', 'clicks']);
}

/** Clicks of an hour that are to be recorded. */
export interface Wanted {
  readonly key: Hour;
  readonly clicks: readonly Click[];
  /** The hour as it was before the transaction was logged: recovery fences off a slow caller by changing it. */
  readonly seen: SeenHour;
}

/** How many clicks of an hour were new in a part of a call, and what the hour says now. */
interface DecidedPart {
  readonly recorded: number;
  readonly now: SeenHour;
}

/**
 * Records clicks of an hour, and yields each part of them once it is decided; before the first one, the hour as it was seen.
 * @param isFirst whether nothing of the call is recorded yet: what was begun is recorded whole, though the hour became full meanwhile
 * @param logAgain is done before every attempt but the first
 * @throws {UserError} `INVALID_INPUT` when the hour is full; none of these clicks was recorded by this call then
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
    if (mayRefuse) mustFit(now, clicks);
    if (tries > 1) await logAgain();
  };
  for (const part of inParts(clicks, (click) => clickWrite(hour, click, kept))) {
    decided = await recordPart(app, { ...wanted, seen: decided.now }, kept, part, prepare);
    mayRefuse &&= decided.recorded === 0;
    yield decided;
  }
}

/** @param prepare is done before every attempt */
async function recordPart(
  app: AppContext,
  { key: hour, clicks, seen }: Wanted,
  kept: Kept,
  part: readonly Click[],
  prepare: (now: SeenHour, tries: number) => Promise<void>,
): Promise<DecidedPart> {
  let now = seen;
  // What was sent without an answer may have landed; it is ours if it is there now.
  let sent: readonly Click[] = [];
  for (let tries = 1; ; tries++) {
    const { stored } = now;
    const fresh = part.filter((click) => !stored.has(keyOf(click)));
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
    now = await lookAt(app, hour, clicks);
  }
}

/** Changes an hour without changing what it says, so that a caller that is merely slow fails its condition. */
export async function fence(app: AppContext, hour: Hour, kept: Kept): Promise<HourState> {
  for (let tries = 1; ; tries++) {
    const seen = await lookAt(app, hour, []);
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
 * Adds clicks to an hour, on condition that it is as it was seen.
 * @returns what it says then; `undefined` when it was not
 */
async function change(app: AppContext, hour: Hour, seen: SeenHour, fresh: readonly Click[], kept: Kept) {
  const moments = [seen.lastClickAt, ...fresh.map(({ at }) => at)].filter((at) => at !== null);
  const next: SeenHour = {
    version: seen.version + 1,
    clickCount: seen.clickCount + fresh.length,
    lastClickAt: moments.length > 0 ? new Date(Math.max(...moments.map((at) => at.getTime()))) : null,
    stored: new Map([...seen.stored, ...fresh.map((click) => [keyOf(click), click] as const)]),
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

/** The hours in which a session may have clicks. */
export async function hoursOf(
  { cassandra }: AppContext,
  sessionId: string,
  fromHour: Date,
  toHour: Date,
): Promise<Date[]> {
  const found = await rows(cassandra, selectHours, { session_id: sessionId, from_hour: fromHour, to_hour: toHour });
  return found.map(({ hour }) => hour);
}

/** Every click of an hour, oldest first. */
export async function* clicksOfHour({ cassandra }: AppContext, hour: Hour): AsyncGenerator<Click> {
  const sentinel = keyOf({ at: SENTINEL[0], id: SENTINEL[1] });
  for await (const row of each(cassandra, selectClicks, hour)) {
    const click = clickOf(hour.session_id, row);
    if (keyOf(click) !== sentinel) yield click;
  }
}
