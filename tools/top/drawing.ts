import { styleText } from 'node:util';
import type { DataPoint } from '../../src/measurements/operations.ts';
import { PERIOD_MS, seriesOf, type ServerSeries } from '../../src/measurements/series.ts';

/** The charts of the last minutes of `npm run admin -- top`. */

/** The number of points that are drawn: five minutes. */
export const PERIODS = 30;
/** The number of operations that are shown, busiest first. */
const BUSIEST = 8;
const STEPS = '▁▂▃▄▅▆▇█';

/** Points by the name of their series. */
export type Points = ReadonlyMap<string, readonly DataPoint[]>;

/** Returns the last five minutes that are over. The present period is still being written. */
export function periodsBefore(now: Date): { readonly from: Date; readonly to: Date } {
  const to = Math.floor(now.getTime() / PERIOD_MS) * PERIOD_MS;
  return { from: new Date(to - PERIODS * PERIOD_MS), to: new Date(to) };
}

/** Returns the most requested operations, busiest first, without `requests` itself. */
export function busiestOf(points: Points): string[] {
  const requests = [...points].flatMap(([series, of]) => {
    const operation = /^requests (.+)$/.exec(series)?.[1];
    const count = of.reduce((sum, { value }) => sum + value, 0);
    return operation === undefined || count === 0 ? [] : [{ operation, count }];
  });
  return requests
    .toSorted((one, other) => other.count - one.count || (one.operation < other.operation ? -1 : 1))
    .slice(0, BUSIEST)
    .map(({ operation }) => operation);
}

/** Draws a line of eight steps from 0 to the greatest value; a space for no value. */
export function sparkline(values: readonly (number | undefined)[]): string {
  const most = Math.max(...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === undefined) return ' ';
      const step = most === 0 ? 0 : Math.ceil((value / most) * STEPS.length) - 1;
      return STEPS[Math.max(0, step)] ?? '';
    })
    .join('');
}

/** A function that combines the points of several servers into one. */
type Combine = (values: readonly number[]) => number;
const sum: Combine = (values) => values.reduce((one, other) => one + other, 0);
const greatest: Combine = (values) => Math.max(...values);
const perSecond: Combine = (values) => sum(values) / (PERIOD_MS / 1_000);

/**
 * The figures that are shown of a server, or of all. Figures of the log are not summed, because
 * several servers read the same log.
 */
const SHOWN: readonly { series: ServerSeries; title: string; combine: Combine; digits: number }[] = [
  { series: 'requests', title: 'requests/s', combine: perSecond, digits: 1 },
  { series: 'errors', title: 'errors/s', combine: perSecond, digits: 1 },
  { series: 'event-loop-delay-p99', title: 'event loop delay p99, ms', combine: greatest, digits: 1 },
  { series: 'log-age', title: 'oldest log entry, s', combine: greatest, digits: 1 },
  { series: 'dead-letters', title: 'dead letters', combine: greatest, digits: 0 },
];

/** Returns one value for each period, `undefined` if there is none. */
function combined(points: readonly DataPoint[], from: Date, combine: Combine): (number | undefined)[] {
  const byPeriod = Map.groupBy(points, ({ at }) => Math.floor((at.getTime() - from.getTime()) / PERIOD_MS));
  return Array.from({ length: PERIODS }, (_, period) => {
    const values = byPeriod.get(period)?.map(({ value }) => value);
    return values && combine(values);
  });
}

const WIDTH = 28;
const number = (value: number | undefined, digits: number) => (value === undefined ? '-' : value.toFixed(digits));

function block(points: Points, busiest: readonly string[], from: Date): string[] {
  const valuesOf = (series: string, combine: Combine) => combined(points.get(series) ?? [], from, combine);
  // Every server writes this series.
  const latest = valuesOf('requests', perSecond).findLastIndex((value) => value !== undefined);
  const shown = SHOWN.map(({ series, title, combine, digits }) => {
    const values = valuesOf(series, combine);
    return `${title.padEnd(WIDTH)}${number(values[latest], digits).padStart(10)}  ${sparkline(values)}`;
  });
  const operations = busiest.map((operation) => {
    const requests = valuesOf(seriesOf('requests', operation), perSecond);
    const durations = (['p50', 'p99'] as const).map((figure) => valuesOf(seriesOf(figure, operation), greatest));
    const figures = [requests[latest] ?? 0, ...durations.map((values) => values[latest])];
    const numbers = figures.map((figure) => number(figure, 1).padStart(10)).join('');
    return `${operation.padEnd(WIDTH)}${numbers}  ${sparkline(requests)}`;
  });
  if (operations.length === 0) return shown;
  const head = ['requests/s', 'p50, ms', 'p99, ms'].map((title) => title.padStart(12).slice(-10)).join('');
  return [...shown, '', `${''.padEnd(WIDTH)}${head}`, ...operations];
}

/**
 * Draws the five minutes before a moment.
 * @param byServer true to show each server separately; otherwise all are combined, with the highest
 * value for figures of the log and durations
 */
export function drawn(points: Points, now: Date, byServer: boolean): string[] {
  const { from, to } = periodsBefore(now);
  const servers = [...new Set([...points.values()].flat().map(({ server }) => server))].toSorted();
  const shownServers = servers.length === 1 ? '1 server' : `${String(servers.length)} servers`;
  const title = `${shownServers}, five minutes to ${to.toISOString().slice(0, 19)}Z`;
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
  if (servers.length === 0) return [bold(title), '', 'There are no measurements in these minutes.'];
  if (!byServer) return [bold(title), '', ...block(points, busiestOf(points), from)];
  return [
    bold(title),
    ...servers.flatMap((server) => {
      const own = new Map([...points].map(([series, of]) => [series, of.filter((point) => point.server === server)]));
      return ['', bold(`server ${server.slice(0, 8)}`), ...block(own, busiestOf(own), from)];
    }),
  ];
}
