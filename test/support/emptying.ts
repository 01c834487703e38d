import type { Client } from 'cassandra-driver';
import pLimit from 'p-limit';

const AT_ONCE = 64;

/**
 * Empties tables, row by row: Cassandra 5.0.9 can come to a standstill where a TRUNCATE meets conditional writes, of other tests too
 * (what it keeps of the TRUNCATE holds a lock while it waits for a flush, and that for the writes, which wait for the lock).
 * A row with the key of one that is emptied is hidden, if it is written with an older timestamp.
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
