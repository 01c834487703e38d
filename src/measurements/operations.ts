import type { GraphQLSchema } from 'graphql';
import { rows } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { requireAdministratorForQuery } from '../identity/operations.ts';
import { dayAt } from '../time/days.ts';
import { requireOrderedRange } from '../time/ranges.ts';
import { beginningOf, DAY_MS } from '../time/units.ts';
import { isSeries, OPERATION_FIGURES, PERIOD_MS, SERVER_SERIES } from './series.ts';
import { selectMeasurements, type MeasurementRow } from './tables.ts';

const RANGE_MS_MAX = DAY_MS;
/** The maximum number of points in an answer. */
const POINTS_MAX = 3_000;
/** The number of servers that the table's bound assumes. */
const SERVERS_MAX = 100;

/** A value that a server measured. */
export interface DataPoint {
  readonly at: Date;
  readonly value: number;
  readonly server: string;
}

/** A range that includes `from` and excludes `to`. */
interface Between {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Returns the points of a series, oldest first, for administrators.
 * @param schema the schema, whose operations are measured
 * @throws `UNAUTHENTICATED`, `FORBIDDEN`; `BAD_USER_INPUT` when there is no such series, or the
 *   range is reversed, too long or has too many points
 */
export async function measurements(
  context: RequestContext,
  { series, ...range }: { series: string } & Between,
  schema: GraphQLSchema,
): Promise<DataPoint[]> {
  await requireAdministratorForQuery(context);
  if (!isSeries(schema, series)) {
    throw badUserInput(
      'The argument "series" is not a series that servers keep: ' +
        `${SERVER_SERIES.join(', ')}, and of each operation ${OPERATION_FIGURES.join(', ')}, ` +
        'as in "p99 Query.book".',
    );
  }
  requireOrderedRange(range);
  if (range.to.getTime() - range.from.getTime() > RANGE_MS_MAX)
    throw badUserInput('The argument "to" is more than a day after "from"; ask for a day at most.');

  const points = await pointsOf(context, series, range, POINTS_MAX + 1);
  if (points.length > POINTS_MAX)
    throw badUserInput(`There are more than ${POINTS_MAX} points from "from" to "to"; ask for a shorter range.`);
  return points;
}

/** The maximum number of points that a range can have. */
export const pointsAtMost = ({ from, to }: Between): number => {
  const periods = Math.ceil((to.getTime() - from.getTime()) / PERIOD_MS) + 1;
  return Math.min(Math.max(periods, 1) * SERVERS_MAX, POINTS_MAX);
};

/**
 * Reads the points of a series within a range, oldest first.
 * @param pointsMax the maximum number of points that are read
 */
export async function pointsOf(
  app: AppContext,
  series: string,
  { from, to }: Between,
  pointsMax: number,
): Promise<DataPoint[]> {
  const found: MeasurementRow[] = [];
  const now = app.clock().getTime();
  // No server's clock is a day ahead.
  const end = Math.min(to.getTime(), now + DAY_MS);
  for (let day = startOfDay(from); day < end && found.length < pointsMax; day += DAY_MS) {
    // Expired rows would be read as tombstones.
    if (endOfDay(app, new Date(day)) <= now) continue;
    const ofDay = { series, day: dayAt(new Date(day)), at_least: from, below: to, rows_max: pointsMax - found.length };
    found.push(...(await rows(app.cassandra, selectMeasurements, ofDay)));
  }
  return found.map(({ at, value, server_id }) => ({ at, value, server: server_id }));
}

const startOfDay = (at: Date) => beginningOf(at.getTime(), DAY_MS);

/** The time until which the points of a moment's day are read, in ms. */
export const endOfDay = ({ config }: AppContext, at: Date): number =>
  startOfDay(at) + DAY_MS + config.measurementsKeptDays * DAY_MS;
