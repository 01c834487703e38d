import { dayAt } from '../time/days.ts';
import { beginningOf } from '../time/units.ts';
import pLimit from 'p-limit';
import { register } from 'prom-client';
import { write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { figures } from './figures.ts';
import { endOfDay } from './operations.ts';
import { PERIOD_MS, type ServerSeries } from './series.ts';
import { insertMeasurement } from './tables.ts';

const AT_ONCE = 16;
/**
 * The time for which rows are kept after queries stop reading their day. It covers the differences
 * of clocks.
 */
const SPARE_MS = 60_000;

/** Series that also exist as metrics. Their workers update the metrics. */
const GAUGES: readonly (readonly [series: ServerSeries, metric: string])[] = [
  ['log-age', 'transaction_log_age_seconds'],
  ['dead-letters', 'transaction_dead_letters'],
];

/**
 * Writes the figures of this server since the last run. Figures that cannot be written are lost.
 */
export async function measure(app: AppContext): Promise<void> {
  const now = app.clock().getTime();
  const { serverId } = figures(app);
  const taken = figures(app).take();
  for (const [series, metric] of GAUGES) {
    const value = (await register.getSingleMetric(metric)?.get())?.values[0]?.value;
    if (value !== undefined) taken.set(series, value);
  }

  const at = new Date(beginningOf(now, PERIOD_MS));
  const ttl_seconds = Math.ceil((endOfDay(app, at) + SPARE_MS - now) / 1_000);
  const row = { day: dayAt(at), at, server_id: serverId, ttl_seconds };
  await pLimit(AT_ONCE).map([...taken], ([series, value]) =>
    write(app.cassandra, insertMeasurement, { ...row, series, value }),
  );
}
