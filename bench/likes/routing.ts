import { Client, policies, types } from 'cassandra-driver';
import { ConditionalToFirstReplica } from '../../src/cassandra/driver-policies.ts';
import { say } from '../../src/terminal/progress.ts';
import { inTurns, measure, withBench, type Bench } from '../bench.ts';

const SECONDS = 8;
const ROUNDS = 3;
const CLIENTS = 2;
const AT_ONCE = 16;

/**
 * Measures conditional writes of one key by two processes, through one coordinator and through any
 * coordinator, on three nodes.
 */
export async function benchRouting(): Promise<void> {
  await withBench(3, async (bench) => {
    const { client } = bench.app.cassandra;
    await client.execute('CREATE TABLE counters (name text PRIMARY KEY, version int)');
    const { DefaultLoadBalancingPolicy } = policies.loadBalancing;
    const measured = await inTurns(ROUNDS, {
      'one coordinator': writes(bench, () => new ConditionalToFirstReplica('datacenter1')),
      'any coordinator': writes(bench, () => new DefaultLoadBalancingPolicy({ localDc: 'datacenter1' })),
    });
    const ratio = measured['one coordinator'].rate / measured['any coordinator'].rate;
    say(`conditional writes of one key: through one coordinator ${ratio.toFixed(2)} × the rate through any`);
  });
}

function writes({ app, nodes }: Bench, policy: () => policies.loadBalancing.LoadBalancingPolicy) {
  return async () => {
    const name = app.randomId();
    const clients = Array.from(
      { length: CLIENTS },
      () =>
        new Client({
          contactPoints: nodes.map(({ address }) => address),
          protocolOptions: { port: Number(app.config.cassandra.contactPoints?.[0]?.split(':')[1]) },
          localDataCenter: 'datacenter1',
          keyspace: app.config.cassandra.keyspace,
          policies: { loadBalancing: policy() },
          socketOptions: { readTimeout: 4_000 },
        }),
    );
    const options = {
      prepare: true,
      serialConsistency: types.consistencies.serial,
      consistency: types.consistencies.quorum,
    };
    let [turn, applied, timeouts] = [0, 0, 0];
    const known: (number | null)[] = clients.map(() => null);
    const result = await measure({ seconds: SECONDS, atOnce: AT_ONCE }, async () => {
      const index = turn++ % clients.length;
      const version = known[index] ?? null;
      const update = 'UPDATE counters SET version = ? WHERE name = ? IF version = ?';
      try {
        const answer = await clients[index]?.execute(update, [(version ?? 0) + 1, name, version], options);
        if (answer?.wasApplied()) {
          applied++;
          known[index] = (version ?? 0) + 1;
        } else known[index] = (answer?.first()['version'] as number | null | undefined) ?? null;
      } catch {
        timeouts++;
      }
    });
    await Promise.all(clients.map((client) => client.shutdown()));
    say(`    applied ${applied}, timed out ${timeouts}`);
    return result;
  };
}
