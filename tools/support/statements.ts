/**
 * Statements that a server sends periodically, independent of the number of requests. They occur
 * during a request only by chance.
 */
const NOT_BY_REQUEST: ReadonlySet<string> = new Set([
  // A server checks the end of a session once a second, and records a dirty window once a second.
  'SELECT sessions_by_id',
  'INSERT dirty_windows',
  'INSERT dirty_window_buckets',
  // A server reads the list of changes twice a second.
  'SELECT changes_by_time',
  // These are the log's heartbeat, and the complete ticks that are struck out with it.
  'INSERT incarnations',
  'DELETE incarnations',
  'DELETE transaction_log',
]);

/**
 * Counts the statements that a server sends during some work, by label (`SELECT books`), from the
 * server's own metrics. A batch is one statement.
 */
export async function statementsOf(
  server: { readonly url: string },
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const before = await statementsSoFar(server);
  await work();
  const after = await statementsSoFar(server);
  return new Map(
    [...after]
      .map(([label, count]): [string, number] => [label, count - (before.get(label) ?? 0)])
      .filter(([label, count]) => count > 0 && !NOT_BY_REQUEST.has(label)),
  );
}

/** Reads the numbers of statements that a server has sent so far, by label. */
export const statementsSoFar = async ({ url }: { readonly url: string }): Promise<Map<string, number>> =>
  statementsIn(await (await fetch(`${url}/metrics`)).text());

/** Returns the numbers of statements in a server's metrics, by label. */
export function statementsIn(metrics: string): Map<string, number> {
  const found = metrics.matchAll(/^cassandra_statements_total\{statement="([^"]+)"\} (\d+)$/gm);
  return new Map([...found].map(([, label = '', count]) => [label, Number(count)]));
}
