/** Reads the number of statements that a server of ours has sent so far, by kind and table. */
export async function statementsOf(url: string): Promise<Map<string, number>> {
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  const counts = metrics.matchAll(/^cassandra_statements_total\{statement="(.*)"\} (\d+)$/gm);
  return new Map([...counts].map(([, name = '', count]) => [name, Number(count)]));
}
