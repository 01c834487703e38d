import { CassandraError } from '../cassandra/errors.ts';
import { appliedBatch, bind, rows, write } from '../cassandra/statement.ts';
import { connection, type Connection, type PageArguments } from '../graphql/connections.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { sessionById, sessionInput, type Session } from '../sessions/operations.ts';
import { mustBeInOrder, type TimeRange } from '../time/ranges.ts';
import { clicks, insertClick, insertHour, openHour, selectHours, selectStoredClicks, updateHour } from './tables.ts';
import { LOWEST_UUID, EARLIEST, LATEST } from '../cassandra/orders.ts';
import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '../time/units.ts';

/** Something that was clicked in a session. */
export interface Click {
  readonly id: string;
  readonly at: Date;
  readonly target: string | null;
}

const CLICKS_PER_CALL = 500;
/** Keeps a partition within its bound, whatever a robot does. */
const CLICKS_PER_HOUR = 100_000;
/** So many rows of the longest targets stay under Cassandra's 50 KiB limit for batches. */
const CLICKS_PER_BATCH = 50;
const TARGET_LENGTH_MAX = 500;
const LATE_MS = 7 * DAY_MS;
/** A client's clock may be ahead of ours by this much. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;
/** Those of a visitor, who may never log in. */
const VISIT_KEPT_SECONDS = 40 * DAY_SECONDS;
const TRIES = 20;
const PAUSE_MS = 10;

/** The row that keeps an hour's static columns readable by key. */
const SENTINEL: [Date, string] = [new Date(0), LOWEST_UUID];

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
const keyOf = ({ at, id }: Pick<Click, 'at' | 'id'>) => `${at.getTime()} ${id}`;

/**
 * Records clicks of a session, in any order. A click that was recorded before is not recorded again.
 * @returns `recorded`: how many were new
 * @throws {UserError} `INVALID_INPUT` about a click, nothing is recorded then; `NOT_FOUND` about `sessionId`
 */
export async function recordClicks(
  context: RequestContext,
  input: { sessionId: string; clicks: readonly { id: string; at: Date; target?: string | null }[] },
) {
  const now = context.clock();
  const sessionId = sessionInput(input.sessionId);
  const session = await sessionById(context, sessionId);
  if (!session) throw new UserError('NOT_FOUND', 'No session of yours has this id.', ['input', 'sessionId']);
  if (input.clicks.length > CLICKS_PER_CALL) {
    const message = `These are ${input.clicks.length} clicks; send at most ${CLICKS_PER_CALL} in one call.`;
    throw new UserError('INVALID_INPUT', message, ['input', 'clicks']);
  }
  const clicks = input.clicks.map((click, index) => clickInput(session, click, index, now));
  const hours = Map.groupBy(new Map(clicks.map((click) => [keyOf(click), click])).values(), ({ at }) => hourOf(at).getTime()); // prettier-ignore
  const kept = { ttl_seconds: session.isAnonymous ? VISIT_KEPT_SECONDS : 0 };
  const parts = [...hours].map(([time, ofHour]) => ({ hour: { session_id: sessionId, hour: new Date(time) }, ofHour }));
  // Before anything is written: an hour that cannot take its clicks refuses the whole call.
  await Promise.all(parts.map(({ hour, ofHour }) => lookAt(context, hour, ofHour)));
  let recorded = 0;
  for (const { hour, ofHour } of parts) {
    await write(context.cassandra, insertHour, { ...hour, ...kept });
    for (let begin = 0; begin < ofHour.length; begin += CLICKS_PER_BATCH)
      recorded += await record(context, hour, ofHour.slice(begin, begin + CLICKS_PER_BATCH), kept);
  }
  return { session, recorded };
}

function clickInput(
  { startedAt, endedAt }: Session,
  { id, at, target }: { id: string; at: Date; target?: string | null },
  index: number,
  now: Date,
): Click {
  const wrong = (field: string, message: string) =>
    new UserError('INVALID_INPUT', message, ['input', 'clicks', String(index), field]);
  const time = at.getTime();
  if (time > now.getTime() + CLOCK_TOLERANCE_MS) throw wrong('at', 'This click is in the future.');
  if (time < now.getTime() - LATE_MS) throw wrong('at', 'This click is older than 7 days.');
  if (at < startedAt) throw wrong('at', 'This click is from before its session.');
  if (endedAt && time > endedAt.getTime() + CLOCK_TOLERANCE_MS)
    throw wrong('at', 'The session had ended by then; start another one.');
  const text = target?.normalize('NFC') ?? null;
  if (text !== null && (text.length > TARGET_LENGTH_MAX || /\p{Cc}/u.test(text)))
    throw wrong('target', `A target has at most ${TARGET_LENGTH_MAX} characters, without line breaks.`);
  return { id: id.toLowerCase(), at, target: text };
}

interface Hour {
  readonly session_id: string;
  readonly hour: Date;
}

/** Which of some clicks an hour does not have yet, and what it says of itself. */
async function lookAt(app: AppContext, hour: Hour, clicks: readonly Click[]) {
  const positions = clicks.map(({ at, id }): [Date, string] => [at, id]);
  const stored = await rows(app.cassandra, selectStoredClicks, { ...hour, positions: [SENTINEL, ...positions] });
  const keys = new Set(stored.map(({ at, click_id }) => keyOf({ at, id: click_id })));
  const fresh = clicks.filter((click) => !keys.has(keyOf(click)));
  const [{ version, click_count } = { version: 0, click_count: 0 }] = stored;
  if (click_count + fresh.length > CLICKS_PER_HOUR) {
    const message = `A session has at most ${CLICKS_PER_HOUR} clicks within an hour, and this is no reader who clicks more.`;
    throw new UserError('INVALID_INPUT', message, ['input', 'clicks']);
  }
  return { fresh, version, count: click_count };
}

/** @returns how many of some clicks of an hour were new */
async function record(app: AppContext, hour: Hour, clicks: readonly Click[], kept: { ttl_seconds: number }) {
  // What was sent without an answer may have landed; it is ours if it is there now.
  let sent: readonly Click[] = [];
  for (let tries = 1; ; tries++) {
    const { fresh, version, count } = await lookAt(app, hour, clicks);
    const landed = sent.filter((click) => !fresh.includes(click)).length;
    if (fresh.length === 0) return landed;
    const state = { ...hour, ...kept, next_version: version + 1, click_count: count + fresh.length };
    const opening = [
      bind(openHour, state),
      bind(insertClick, { ...hour, ...kept, at: SENTINEL[0], click_id: SENTINEL[1], target: null }),
    ];
    const header = version === 0 ? opening : [bind(updateHour, { ...state, current_version: version })];
    const writes = fresh.map(({ at, id, target }) => bind(insertClick, { ...hour, ...kept, at, click_id: id, target }));
    try {
      if (await appliedBatch(app.cassandra, [...header, ...writes])) return landed + fresh.length;
      sent = sent.filter((click) => !fresh.includes(click));
    } catch (error) {
      if (!(error instanceof CassandraError) || tries === TRIES) throw error;
      sent = [...new Set([...sent, ...fresh])];
    }
    if (tries === TRIES) throw new CassandraError('unknown', 'the clicks of a session are contended', undefined);
    await app.cassandra.backOff(PAUSE_MS * tries);
  }
}

/**
 * A page of the clicks of a session, oldest first.
 * @throws `BAD_USER_INPUT` when the range or the paging arguments cannot be used
 */
export async function clicksOf(
  context: RequestContext,
  session: Session,
  { from, to }: TimeRange,
  page: PageArguments,
): Promise<Connection<{ cursor: string; node: Click; at: Date }>> {
  mustBeInOrder({ from, to });
  const session_id = session.id;
  const hours = await hoursOf(context, session_id, from ? hourOf(from) : EARLIEST, to ?? LATEST);
  const list = {
    name: `clicks ${session_id} ${from?.toISOString() ?? ''} ${to?.toISOString() ?? ''}`,
    descending: false,
    ...clicks.list(
      context.cassandra,
      { session_id },
      {
        // Above the row that every hour has at the zero moment.
        within: { from: from ?? session.startedAt, to },
        buckets: { column: 'hour', values: hours, of: ({ at }) => hourOf(at) },
      },
    ),
  };
  return connection(page, list, ({ at, click_id, target }, cursor) => ({
    cursor,
    at,
    node: { id: click_id, at, target },
  }));
}

/** The hours in which a session has clicks. */
export async function hoursOf(
  { cassandra }: AppContext,
  sessionId: string,
  fromHour: Date,
  toHour: Date,
): Promise<Date[]> {
  const found = await rows(cassandra, selectHours, { session_id: sessionId, from_hour: fromHour, to_hour: toHour });
  return found.map(({ hour }) => hour);
}
