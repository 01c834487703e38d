import type { Client } from 'cassandra-driver';

/**
 * Options of a statement that waits for other work, such as CREATE, DROP and TRUNCATE, or that
 * reads a whole table. Both take a long time on a busy machine, on which other test files change
 * schemas.
 */
export const PATIENTLY = { readTimeout: 600_000 };

/** Reads every row of a table, each as JSON. */
export async function jsonRows(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.execute(`SELECT JSON * FROM ${table}`, [], { ...PATIENTLY, fetchSize: 100_000 });
  return rows.map((row) => row['[json]'] as string);
}
