import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { encodeId } from '../../src/graphql/ids.ts';
import { beginningOf, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/time/units.ts';
import type { ClusterNode } from '../support/test-cluster.ts';
import { Client } from '../support/client.ts';
import type { ServerProcess } from '../support/process.ts';

/**
 * Faults that occur in production. Each fault is caused, and then ended by the steps of the
 * runbook.
 */

/** The environment of the faults: two servers and their nodes. */
export interface Place {
  /** The only node, or the first one of a cluster. */
  readonly node: ClusterNode;
  readonly nodes: readonly ClusterNode[];
  readonly keyspace: string;
  readonly one: () => ServerProcess;
  readonly two: () => ServerProcess;
  /** Restarts a server, which is ended first if it still runs. */
  readonly restart: (which: 'one' | 'two') => Promise<void>;
  /** Migrates the schema to a later release, and replaces a server by one of that release. */
  readonly upgrade: (which: 'one' | 'two') => Promise<void>;
  /** The file with the deviation of the servers' clock in milliseconds, read at SIGUSR2. */
  readonly clockFile: string;
  readonly bookId: string;
  readonly execute: (cql: string, params?: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs `nodetool` on a node to its end. */
  readonly nodetool: (on: ClusterNode, ...given: readonly string[]) => Promise<void>;
  /** Runs a tool of the project, and accepts any exit code. */
  readonly tool: (name: string, ...given: readonly string[]) => Promise<void>;
  /** Returns the current value of a metric of a server. */
  readonly gauge: (which: 'one' | 'two', name: string) => Promise<number>;
  readonly startMailServer: () => void;
}

/** A fault. */
export interface Fault {
  /** The alerts that the fault must fire. Other alerts may also fire. */
  readonly alerts: readonly string[];
  /**
   * True if it needs three nodes, each with all data, where servers have only the permissions of
   * their role. Other faults use a single node, so that every failure of the node affects the
   * servers.
   */
  readonly inCluster?: true;
  /**
   * Causes the fault, and may repeat it until `over` is aborted.
   * @returns the steps that end it
   */
  readonly make: (place: Place, over: AbortSignal) => Promise<() => Promise<unknown>>;
}

const BURST_MS = 400;
/** More than the 4 s after which a statement of a server times out. */
const LONG_STOP_MS = 6_000;
/** More than the time until a change without an answer from Cassandra has failed and is counted. */
const LEFT_WITHIN_MS = 20_000;
const READERS = 10;
const AT_ONCE = 200;
const CLOCK_WRONG_MS = 20_000;
/** More than the eight days after which a missing repair fires its alert. */
const UNREPAIRED_MS = 9 * DAY_MS;
/** More than the interval of a second at which Prometheus scrapes a server. */
const WATCHED_WITHIN_MS = 3_000;
/** More than the 2 s for which a node caches permissions (`permissions_validity`). */
const RIGHTS_KNOWN_MS = 3_000;
/** More tombstones than Cassandra reads in a query (`tombstone_failure_threshold`). */
const TOMBSTONES = 100_500;
/** Less than the maximum time for which a server assumes that another one holds a part. */
const HELD_MS = 200_000;

/** Repeats an action until a fault is over, even if it fails. */
function repeated(over: AbortSignal, work: () => Promise<unknown>): () => Promise<unknown> {
  const working = (async () => {
    while (!over.aborted) await work().catch(() => undefined);
  })();
  return () => working;
}

/** Repeatedly stops a process for a moment. */
const inBursts = (over: AbortSignal, signal: (name: NodeJS.Signals) => unknown, stopMs = BURST_MS) =>
  repeated(over, async () => {
    signal('SIGSTOP');
    await sleep(stopMs);
    signal('SIGCONT');
    await sleep(BURST_MS);
  });

/** Makes new readers repeatedly like a book and take that back. */
async function likesOfMany(url: string, bookId: string, over: AbortSignal): Promise<() => Promise<unknown>> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => new Client(url).registerSomebody()));
  const likes = readers.map((reader) =>
    repeated(over, async () => {
      await reader.like(bookId);
      await reader.unlike(bookId);
    }),
  );
  return () => Promise.all(likes.map((end) => end()));
}

/** Sets the clock of servers wrong, and returns a function that corrects it. */
async function wrongClock(file: string, servers: readonly ServerProcess[]): Promise<() => Promise<void>> {
  const set = async (milliseconds: number) => {
    await writeFile(file, String(milliseconds));
    for (const server of servers) server.process.kill('SIGUSR2');
  };
  await set(CLOCK_WRONG_MS);
  return () => set(0);
}

const query = (url: string, text: string) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  }).then((answer) => answer.text());

/** Returns a query that no cache answers. */
const anyReader = () => `{ node(id: "${encodeId({ type: 'User', key: randomUUID() })}") { id } }`;

/** Deletes the progress of audits, so that servers begin again within a minute. */
const auditAnew = (execute: Place['execute']) => execute('TRUNCATE audits');

/**
 * Makes servers read the history of repairs, which they do at their start, and then once an hour.
 * One of them is always running, because an alert about no server would end as well.
 */
async function lookAgain(restart: Place['restart']): Promise<void> {
  for (const which of ['one', 'two'] as const) {
    await restart(which);
    await sleep(WATCHED_WITHIN_MS);
  }
}

/** Returns a moment in the format of CQL. */
const timestamp = (time: number) => `'${new Date(time).toISOString()}'`;

/** The faults, by their names. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'a server is killed': {
    alerts: ['ServerDown'],
    make: ({ two, restart }) => {
      two().process.kill('SIGKILL');
      return Promise.resolve(() => restart('two'));
    },
  },
  'an upgrade is left half done': {
    alerts: ['ReleasesDiffer'],
    make: async ({ upgrade, restart }) => {
      await upgrade('two');
      return () => restart('two');
    },
  },
  'the clock of a server is wrong': {
    alerts: ['ClockWrong'],
    make: ({ one, clockFile }) => wrongClock(clockFile, [one()]),
  },
  'the clock of each server is wrong': {
    alerts: ['LeaseUnheld'],
    make: ({ one, two, clockFile }) => wrongClock(clockFile, [one(), two()]),
  },
  'the keyspace is replicated otherwise': {
    alerts: ['ReplicationUnsafe'],
    make: async ({ execute, keyspace, restart }) => {
      const replicate = (how: string) => execute(`ALTER KEYSPACE ${keyspace} WITH replication = ${how}`);
      await replicate("{'class': 'SimpleStrategy', 'replication_factor': 1}");
      return async () => {
        await replicate("{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
        await Promise.all([restart('one'), restart('two')]);
      };
    },
  },
  'a server gets no processor': {
    alerts: ['EventLoopDelayed'],
    make: ({ two }, over) => Promise.resolve(inBursts(over, (signal) => two().process.kill(signal))),
  },
  'Cassandra answers late': {
    alerts: ['CassandraSlow'],
    make: ({ node, one }, over) => {
      const bursts = inBursts(over, node.signal);
      const reads = repeated(over, () => query(one().url, anyReader()));
      return Promise.resolve(() => Promise.all([bursts(), reads()]));
    },
  },
  'Cassandra does not answer': {
    alerts: ['CassandraFails', 'LeaseUnheld'],
    make: ({ node, one }, over) => {
      node.signal('SIGSTOP');
      const reads = repeated(over, () => Promise.all(Array.from({ length: 10 }, () => query(one().url, anyReader()))));
      return Promise.resolve(() => {
        node.signal('SIGCONT');
        return reads();
      });
    },
  },
  'Cassandra repeatedly does not answer': {
    alerts: ['RequestsTimeOut'],
    make: async ({ node, one, bookId }, over) => {
      const likes = await likesOfMany(one().url, bookId, over);
      const stops = inBursts(over, node.signal, LONG_STOP_MS);
      return () => Promise.all([stops(), likes()]);
    },
  },
  'Cassandra does not answer for minutes, while there are many changes': {
    alerts: ['TransactionsUnfinished'],
    make: async ({ node, one, bookId, gauge }, over) => {
      const witness = await new Client(one().url).registerSomebody();
      const likes = await likesOfMany(one().url, bookId, over);
      const stops = repeated(over, async () => {
        node.signal('SIGCONT');
        // It fails until the server has found Cassandra again.
        await witness.like(bookId);
        await sleep(BURST_MS);
        node.signal('SIGSTOP');
        // Changes that are not logged at that moment fail, and leave nothing to finish.
        do await sleep(LEFT_WITHIN_MS, undefined, { signal: over });
        while ((await gauge('one', 'transactions_orphaned')) > 0);
      });
      return async () => {
        await stops();
        node.signal('SIGCONT');
        await likes();
      };
    },
  },
  'more requests than the server can handle': {
    alerts: ['RequestsRefused'],
    make: ({ one }, over) =>
      Promise.resolve(
        repeated(over, () => Promise.all(Array.from({ length: AT_ONCE }, () => query(one().url, anyReader())))),
      ),
  },
  'a row is not in the expected form': {
    alerts: ['InternalErrors', 'AuditUnreadable'],
    make: async ({ execute, one }, over) => {
      const itemId = randomUUID();
      await execute(`INSERT INTO items (item_id, state) VALUES (${itemId}, {version: 1})`);
      const id = encodeId({ type: 'Item', key: itemId });
      const reads = repeated(over, () => query(one().url, `{ node(id: "${id}") { id } }`));
      return async () => {
        await reads();
        await execute(`DELETE FROM items WHERE item_id = ${itemId}`);
      };
    },
  },
  'a derived row is lost': {
    alerts: ['DriftRepaired'],
    make: async ({ execute, one, bookId }) => {
      const seller = await new Client(one().url).registerSomebody();
      const copy = { bookId, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' };
      await seller.mutate('listItem', copy, 'item { id }');
      await execute(`TRUNCATE items_by_book`);
      return () => Promise.resolve();
    },
  },
  'two accounts have the same email': {
    alerts: ['DriftUnrepaired'],
    make: async ({ execute, one }) => {
      const [owner, other] = [
        await new Client(one().url).registerSomebody(),
        await new Client(one().url).registerSomebody(),
      ];
      const otherId = Buffer.from(other.viewerId, 'base64url').toString().slice('User:'.length);
      const [row] = await execute(`SELECT JSON user_id, state FROM users_by_id WHERE user_id = ${otherId}`);
      const before = String(row?.['[json]']);
      const write = (json: string) => execute(`INSERT INTO users_by_id JSON '${json.replaceAll("'", "''")}'`);
      await write(before.replace(other.email, owner.email));
      await auditAnew(execute);
      return async () => {
        await write(before);
        await auditAnew(execute);
      };
    },
  },
  'a part of the data is held by a server that does not audit it': {
    alerts: ['AuditLate'],
    make: async ({ execute }) => {
      const part = "name = 'part 1/64'";
      const hold = async (until: number) => {
        const [row] = await execute(`SELECT state.round AS round FROM audits WHERE ${part}`);
        const now = Date.now();
        await execute(
          `UPDATE audits SET state = {round: ${Number(row?.['round'] ?? 1)}, holder: ${randomUUID()},
             held_until: ${timestamp(until)}, rows_done: 0, drift_found: 0, unreadable_found: 0,
             begun_at: ${timestamp(now)}, audited_at: ${timestamp(now - 2 * DAY_MS)}} WHERE ${part}`,
        );
      };
      await hold(Date.now() + HELD_MS);
      return () => hold(0);
    },
  },
  'a minute of events has too many tombstones': {
    alerts: ['RollUpFailing'],
    make: async ({ execute }) => {
      const minute = timestamp(beginningOf(Date.now(), MINUTE_MS));
      const events = `FROM events WHERE minute = ${minute} AND shard = 0`;
      const deletion = `DELETE ${events} AND subject_id = 'Book:none' AND kind = 'LIKE' AND event_id = ?`;
      const limit = pLimit(AT_ONCE);
      await limit.map(Array.from({ length: TOMBSTONES }), () => execute(deletion, [randomUUID()]));
      const now = Date.now();
      const bucket = timestamp(beginningOf(now, 10_000));
      await execute(
        `INSERT INTO dirty_window_buckets (hour, bucket, part)
         VALUES (${timestamp(beginningOf(now, HOUR_MS))}, ${bucket}, 0)`,
      );
      await execute(
        `INSERT INTO dirty_windows (bucket, part, recorded_at, record_id, minute, shard)
         VALUES (${bucket}, 0, ${timestamp(now)}, ${randomUUID()}, ${minute}, 0)`,
      );
      return () => execute(`DELETE ${events}`);
    },
  },
  'a bucket of dirty windows has too many tombstones': {
    alerts: ['RollUpLate'],
    make: async ({ execute }) => {
      const now = Date.now();
      const [hour, bucket] = [timestamp(beginningOf(now, HOUR_MS)), timestamp(beginningOf(now, 10_000))];
      const records = `FROM dirty_windows WHERE bucket = ${bucket} AND part = 0`;
      const deletion = `DELETE ${records} AND recorded_at = ${timestamp(now)} AND record_id = ?`;
      await execute(`INSERT INTO dirty_window_buckets (hour, bucket, part) VALUES (${hour}, ${bucket}, 0)`);
      const limit = pLimit(AT_ONCE);
      await limit.map(Array.from({ length: TOMBSTONES }), () => execute(deletion, [randomUUID()]));
      return () => execute(`DELETE ${records}`);
    },
  },
  'the replicas were not repaired for nine days': {
    alerts: ['RepairLate'],
    inCluster: true,
    make: async ({ execute, keyspace, node, nodes, nodetool, restart }) => {
      // Cassandra records no keyspace of a repair that it refuses. No server may stumble over it.
      await nodetool(node, 'repair', keyspace, 'misspelt').catch(() => undefined);
      const created = timestamp(Date.now() - UNREPAIRED_MS);
      await execute(`UPDATE schema_steps SET applied_at = ${created} WHERE name = '(created)'`);
      await lookAgain(restart);
      return async () => {
        for (const each of nodes) await nodetool(each, 'repair', '-pr', keyspace);
        await lookAgain(restart);
      };
    },
  },
  'servers may not read when the replicas were repaired': {
    alerts: ['RepairLate'],
    inCluster: true,
    make: async ({ execute, restart }) => {
      const right = 'SELECT ON system_distributed.parent_repair_history';
      const change = async (statement: string) => {
        await execute(statement);
        await sleep(RIGHTS_KNOWN_MS);
        await lookAgain(restart);
      };
      await change(`REVOKE ${right} FROM library_server`);
      return () => change(`GRANT ${right} TO library_server`);
    },
  },
  'a change cannot be finished': {
    alerts: ['DeadLetters'],
    make: async ({ execute, tool }) => {
      const id = randomUUID();
      await execute(
        `INSERT INTO transaction_dead_letters
           (shard, transaction_id, kind, payload, begun_at, request_id, reason, dead_lettered_at)
         VALUES (0, ${id}, 'NONE', '{}', toTimestamp(now()), '', 'made by a drill', toTimestamp(now()))`,
      );
      return () => tool('letters', '--give-up', id, '--yes');
    },
  },
  'a job fails': {
    alerts: ['JobsFailing'],
    make: async ({ execute }) => {
      const job = "shard = 0 AND subject = 'User:nobody' AND kind = 'RENAME' AND cause = 'drill'";
      await execute(`UPDATE jobs SET begun_at = toTimestamp(now()), position = '', pages_done = 0 WHERE ${job}`);
      return () => execute(`DELETE FROM jobs WHERE ${job}`);
    },
  },
  'the mail server is away': {
    alerts: ['MailsFail'],
    make: ({ one, startMailServer }, over) => {
      const registrations = repeated(over, () => new Client(one().url).registerSomebody());
      return Promise.resolve(async () => {
        await registrations();
        startMailServer();
      });
    },
  },
};
