import { Gauge } from 'prom-client';
import type { AppContext } from '../context/context.ts';
import { serverClock } from './operations.ts';

const skew = new Gauge({
  name: 'clock_ahead_of_cassandra_seconds',
  help: "Minimum lead of this server's clock over the clocks of the nodes; negative if it is behind",
});

/** Compares the server's clock with Cassandra's, and logs it if it is wrong. */
export async function compareClock(app: AppContext): Promise<void> {
  const own = serverClock(app);
  await own.compare(app);

  skew.set(own.aheadMs / 1_000);
  if (own.isWrong(app))
    app.logger.fatal(
      { aheadMs: own.aheadMs },
      "this server's clock differs from the clocks of the Cassandra nodes, so the server makes no " +
        'changes until that is fixed; check NTP',
    );
}
