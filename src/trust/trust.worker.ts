import { Gauge } from 'prom-client';
import type { AppContext } from '../context/context.ts';
import { serverClock, serverTopology } from './operations.ts';

/** The workers that check whether this server is trusted. */

const unsafe = new Gauge({
  name: 'replication_unsafe',
  help: "1 while this server makes no changes because its promises do not hold with the keyspace's replication",
});

/** Reads the replication of the keyspace, and reports it if it does not match the settings. */
export async function checkTopology(app: AppContext): Promise<void> {
  const topology = serverTopology(app);
  await topology.look(app);

  unsafe.set(topology.unsafe === undefined ? 0 : 1);
  if (topology.unsafe !== undefined)
    app.logger.fatal(
      { reason: topology.unsafe },
      'the keyspace is not replicated as this server needs it, so it changes nothing until that is fixed',
    );
}

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
