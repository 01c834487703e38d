import { Gauge } from 'prom-client';
import type { AppContext } from '../context/context.ts';
import { serverClock } from './operations.ts';

const skew = new Gauge({
  name: 'clock_ahead_of_cassandra_seconds',
  help: 'Time by which the clock of this server is at least ahead of those of the nodes; negative if it is behind',
});

/** Compares the server's clock with Cassandra's, and logs it if it is wrong. */
export async function compareClock(app: AppContext): Promise<void> {
  const own = serverClock(app);
  await own.compare(app);

  skew.set(own.aheadMs / 1_000);
  if (own.isWrong(app))
    app.logger.fatal(
      { aheadMs: own.aheadMs },
      'the clock of this server differs from those of the nodes of Cassandra, ' +
        'so it changes nothing until that is fixed; check NTP',
    );
}
