import { Gauge } from 'prom-client';
import type { AppContext } from '../context/context.ts';
import { serverTopology } from './operations.ts';

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
