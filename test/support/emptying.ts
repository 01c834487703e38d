import type { Client } from 'cassandra-driver';
import pLimit from 'p-limit';

const AT_ONCE = 64;

/**
 * Empties tables, row by row. Cassandra 5.0.9 can deadlock if a TRUNCATE runs concurrently with
 * conditional writes, even those of other tests: the TRUNCATE holds a lock while it waits for a
 * flush, the flush waits for the writes, and the writes wait for the lock. A later row with the key
 * of a removed one is hidden if it has an older timestamp.
 */
export async function emptyTables(client: Client, ...tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const keys = await client.execute(
      'SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?',
      [client.keyspace, table],
      { prepare: true },
    );
    const key = keys.rows.flatMap(({ column_name: name, kind }) =>
      kind === 'partition_key' || kind === 'clustering' ? [name as string] : [],
    );
    const found = await client.execute(`SELECT ${key.join(', ')} FROM ${table}`, [], { fetchSize: 50_000 });
    const where = key.map((column) => `${column} = ?`).join(' AND ');
    await pLimit(AT_ONCE).map(found.rows, (row) =>
      client.execute(
        `DELETE FROM ${table} WHERE ${where}`,
        key.map((column): unknown => row[column]),
        { prepare: true },
      ),
    );
  }
}
