/** What a server sends once in a while however many requests there are: whether one of a request falls into it is chance. */
const NOT_BY_REQUEST: ReadonlySet<string> = new Set([
  // Whether a session is open is asked about once a second, and a dirty window recorded so often.
  'SELECT sessions_by_id',
  'INSERT dirty_windows',
  'INSERT dirty_window_buckets',
  // The log's heartbeat, and the ticks whose entries are all done, which are struck out with it.
  'INSERT incarnations',
  'DELETE incarnations',
  'DELETE transaction_log',
]);

/**
 * The statements that some work makes a server send, by what they do, read from the server's own metrics: `SELECT books`. A
 * batch is one.
 */
export async function statementsOf(
  server: { readonly url: string },
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const before = await counters(server);
  await work();
  const after = await counters(server);
  return new Map(
    [...after]
      .map(([label, count]): [string, number] => [label, count - (before.get(label) ?? 0)])
      .filter(([label, count]) => count > 0 && !NOT_BY_REQUEST.has(label)),
  );
}

async function counters({ url }: { readonly url: string }): Promise<Map<string, number>> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = metrics.matchAll(/^cassandra_statements_total\{statement="([^"]+)"\} (\d+)$/gm);
  return new Map([...found].map(([, label = '', count]) => [label, Number(count)]));
}
