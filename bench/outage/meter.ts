import type { ServerProcess } from '../../tools/support/process.ts';

/** The figures of servers in /metrics, summed over all their processes. */

/**
 * Tables whose statements are sent by recovery, jobs and holders of leases. Inserts into them
 * belong to the changes.
 */
const RECOVERY = /(?<!INSERT) (?:transaction_log|transaction_dead_letters|jobs)$|(?:incarnations|leases)$/;

/**
 * The gauges that are read, by the name of the metric. The highest value among all servers is used.
 */
const GAUGES = [
  'transactions_orphaned',
  'transaction_log_age_seconds',
  'transaction_dead_letters',
  'jobs_unfinished',
  'jobs_failing',
  'rollup_windows_failing',
] as const;
export type GaugeName = (typeof GAUGES)[number];

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** The statements by label, and the highest value of each gauge. */
export interface Reading {
  readonly seconds: number;
  readonly statements: ReadonlyMap<string, number>;
  readonly gauges: ReadonlyMap<GaugeName, number>;
}

/** Reads the metrics of some servers repeatedly. */
export class Meter {
  readonly #seen = new Map<ServerProcess, ReadonlyMap<string, number>>();
  #at = performance.now();

  /**
   * Returns the statements since the last reading, and the gauges. A server that does not answer is
   * left out.
   */
  async read(servers: readonly ServerProcess[]): Promise<Reading> {
    const statements = new Map<string, number>();
    const gauges = new Map<GaugeName, number>();
    await Promise.all(servers.map((server) => this.#readOne(server, statements, gauges).catch(() => undefined)));
    const now = performance.now();
    const seconds = (now - this.#at) / 1_000;
    this.#at = now;
    return { seconds, statements, gauges };
  }

  async #readOne(
    server: ServerProcess,
    statements: Map<string, number>,
    gauges: Map<GaugeName, number>,
  ): Promise<void> {
    const text = await (await fetch(`${server.url}/metrics`, { signal: AbortSignal.timeout(5_000) })).text();
    const before = this.#seen.get(server);
    const counts = new Map<string, number>();
    for (const line of text.split('\n')) {
      const [, name = '', labels = '', value] = LINE.exec(line) ?? [];
      if (name === 'cassandra_statements_total') {
        const label = /statement="([^"]+)"/.exec(labels)?.[1] ?? '';
        counts.set(label, Number(value));
        statements.set(label, (statements.get(label) ?? 0) + Number(value) - (before?.get(label) ?? 0));
      }
      const gauge = GAUGES.find((each) => each === name);
      if (gauge) gauges.set(gauge, Math.max(gauges.get(gauge) ?? 0, Number(value)));
    }
    this.#seen.set(server, counts);
  }
}

/**
 * Computes the rates per second of the statements of recovery, jobs and leases, of logged
 * transactions, and of all statements.
 */
export function ratesOf({ seconds, statements }: Pick<Reading, 'seconds' | 'statements'>) {
  const sumOf = (isCounted: (label: string) => boolean) =>
    [...statements].reduce((sum, [label, count]) => sum + (isCounted(label) ? count : 0), 0) / seconds;
  return {
    recovery: sumOf((label) => RECOVERY.test(label)),
    logged: sumOf((label) => label === 'INSERT transaction_log'),
    all: sumOf(() => true),
  };
}

/** Adds readings up. */
export function summed(readings: readonly Reading[]): Reading {
  const statements = new Map<string, number>();
  const gauges = new Map<GaugeName, number>();
  for (const reading of readings) {
    for (const [label, count] of reading.statements) statements.set(label, (statements.get(label) ?? 0) + count);
    for (const [name, value] of reading.gauges) gauges.set(name, Math.max(gauges.get(name) ?? 0, value));
  }
  return { seconds: readings.reduce((sum, { seconds }) => sum + seconds, 0), statements, gauges };
}
