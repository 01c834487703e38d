import { Counter, Gauge, Histogram } from 'prom-client';
import { CassandraError, convertError } from './errors.ts';

/** The metrics of statements. A batch counts as one statement. */

/**
 * The number of executions per label. It is a map, because the client of Prometheus looks up labels
 * on each increment, and a request has several.
 */
const executed = new Map<string, number>();
new Counter({
  name: 'cassandra_statements_total',
  help: 'Statements sent to Cassandra, by kind and table; a batch counts as one',
  labelNames: ['statement'],
  collect() {
    this.reset();
    for (const [statement, count] of executed) this.inc({ statement }, count);
  },
});
const durations = new Histogram({
  name: 'cassandra_statement_seconds',
  help: 'Time until Cassandra answered a statement, by kind and table, including statements that failed',
  labelNames: ['statement'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2],
});
const failures = new Counter({
  name: 'cassandra_statement_errors_total',
  help: 'Statements that failed, by kind and table: refused, of unknown outcome, or a bug of ours',
  labelNames: ['statement', 'error'],
});
const conditions = new Counter({
  name: 'cassandra_conditional_writes_total',
  help: 'Conditional writes that were applied, and those that failed because another write was faster',
  labelNames: ['statement', 'result'],
});

let [underWay, waiting] = [0, 0];
/**
 * Creates a gauge that computes its value when it is scraped, because it changes several times per
 * request.
 */
const gauge = (name: string, help: string, value: () => number) =>
  new Gauge({
    name,
    help,
    collect() {
      this.set(value());
    },
  });
gauge('cassandra_statements_under_way', 'Statements that Cassandra has not yet answered', () => underWay);
gauge('cassandra_statements_waiting', 'Statements that wait for the limit of concurrent statements', () => waiting);

/** Counts a statement that is about to wait. */
export const countWaiting = (): void => void waiting++;

/**
 * Sends a statement that has waited, and measures it.
 * @param check throws if the statement must not be sent
 * @throws the error as {@link convertError} converts it
 */
export async function measured<Result>(label: string, check: () => void, sending: () => Promise<Result>) {
  waiting--;
  check();
  executed.set(label, (executed.get(label) ?? 0) + 1);
  underWay++;
  const begunAt = performance.now();
  try {
    return await sending();
  } catch (error) {
    const converted = convertError(label, error);
    failures.inc({ statement: label, error: converted instanceof CassandraError ? converted.outcome : 'bug' });
    throw converted;
  } finally {
    underWay--;
    durations.observe({ statement: label }, (performance.now() - begunAt) / 1_000);
  }
}

/** Counts a conditional write by its result. */
export function countConditional(label: string, isApplied: boolean): void {
  conditions.inc({ statement: label, result: isApplied ? 'applied' : 'preceded' });
}
