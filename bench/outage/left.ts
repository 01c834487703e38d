import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyAudit } from '../../src/app/workers.ts';
import { audit } from '../../src/audit/audit.ts';
import { EVERYTHING } from '../../src/audit/scan.ts';
import type { AppContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';
import type { ServerProcess } from '../../tools/support/process.ts';
import type { ClusterNode } from '../../tools/support/test-cluster.ts';
import { Meter, type GaugeName } from './meter.ts';

/** The unfinished work and the drift after an outage. */

const GIVEN_UP_AFTER_SECONDS = 1_200;
const LOOK_EVERY_MS = 1_000;
const FAILING: readonly GaugeName[] = ['transactions_orphaned', 'jobs_failing', 'rollup_windows_failing'];

/**
 * Counts the log entries and jobs that began before a moment; not a number if Cassandra does not
 * answer.
 */
export async function openSince({ cassandra }: AppContext, before: Date): Promise<{ log: number; jobs: number }> {
  const count = async (table: string): Promise<number> => {
    try {
      const { rows } = await cassandra.client.execute(`SELECT begun_at FROM ${table}`, [], { fetchSize: 5_000 });
      return rows.filter((row) => (row['begun_at'] as Date) < before).length;
    } catch {
      return NaN;
    }
  };
  return { log: await count('transaction_log'), jobs: await count('jobs') };
}

/**
 * Waits until all work from before the return of a data centre is finished, and until the data
 * centre has received the missed writes.
 * @returns the seconds from now until each was done
 */
export async function untilFinished(
  app: AppContext,
  nodes: readonly ClusterNode[],
  servers: () => readonly ServerProcess[],
): Promise<{ readonly finished: number; readonly delivered: number }> {
  const [returned, returnedAt] = [performance.now(), new Date()];
  const meter = new Meter();
  let finished: number | undefined;
  for (;;) {
    const since = (performance.now() - returned) / 1_000;
    const { log, jobs } = await openSince(app, returnedAt);
    const { gauges } = await meter.read(servers());
    const failing = FAILING.map((name) => gauges.get(name) ?? 0);
    const hints = await hintsOf(nodes);
    if (finished === undefined)
      say(
        `${since.toFixed(1)} s after the return: ${String(log)} in the log, ${String(jobs)} jobs, ` +
          `${failing.join(', ')} orphaned and failing`,
      );
    if ([log, jobs, ...failing].every((count) => count === 0)) finished ??= since;
    if (finished !== undefined && hints === 0) return { finished, delivered: since };
    if (since > GIVEN_UP_AFTER_SECONDS) throw new Error('The work that the outage left is still not finished');
    await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until no work is in progress after the last call. */
export async function untilNothingIsOpen(app: AppContext): Promise<void> {
  const deadline = performance.now() + GIVEN_UP_AFTER_SECONDS * 1_000;
  for (;;) {
    const { log, jobs } = await openSince(app, new Date());
    if (log === 0 && jobs === 0) return;
    if (performance.now() > deadline) throw new Error('Something is still not finished');
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Audits everything without repairing, and prints the drift.
 * @returns the number of drifted rows
 */
export async function auditAll(app: AppContext): Promise<number> {
  let [rows, drift] = [0, 0];
  for await (const page of audit(app, everyAudit, EVERYTHING, false)) {
    rows += page.rows;
    drift += page.drift.length + page.unreadable.length;
    for (const { table, what } of page.drift) say(`${table}: ${what}`);
    for (const { table, partition } of page.unreadable) say(`${table}: unreadable: ${partition}`);
  }
  say(`${String(rows)} rows audited: drift ${String(drift)}`);
  return drift;
}

/** Counts the bytes of hints that the nodes have stored for nodes that are down. */
export async function hintsOf(nodes: readonly ClusterNode[]): Promise<number> {
  let bytes = 0;
  for (const { dataFolder } of nodes) {
    const folder = join(dataFolder, 'hints');
    for (const name of await readdir(folder)) {
      // A hint that was delivered in the meantime no longer exists.
      if (name.endsWith('.hints')) bytes += (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size;
    }
  }
  return bytes;
}

/** Counts the messages in the servers' logs, except for those about each request. */
export async function messagesOf(logFiles: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const file of logFiles) {
    for (const [, message = ''] of (await readFile(file, 'utf8')).matchAll(/"level":(?:40|50|60).*"msg":"([^"]+)"/g))
      counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  return counts;
}
