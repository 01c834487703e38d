import { connectCassandra } from '../cassandra/client.ts';
import type { Cassandra } from '../cassandra/statement.ts';
import type { CassandraConfig, Config } from '../config/config.ts';
import { beginMove, isMoveDone } from '../jobs/operations.ts';
import type { Log } from '../terminal/progress.ts';
import { checkSchema } from '../schema/check.ts';
import { migrate, recordMove } from '../schema/migrate.ts';
import type { Migration } from '../schema/migrations.ts';
import { oldestRelease } from '../transactions/operations.ts';

/**
 * Prepares the schema for a server or a tool. In production it only checks the schema, because a
 * change of the schema is an operator's decision; elsewhere it migrates.
 * @throws {SchemaError} naming the missing parts, and what to do
 */
export const prepareSchema = ({ cassandra, production }: Config, log: Log): Promise<unknown> =>
  production ? checkSchema(cassandra) : applyMigrations(cassandra, log);

/**
 * Updates the keyspace to this release's schema, and begins the data moves of its migrations.
 * Servers of this release do the moves.
 * @throws {SchemaError} if this release does not suit the keyspace
 */
export async function applyMigrations(config: CassandraConfig, log: Log): Promise<void> {
  const progress = await migrate(config, log);
  const toBegin = progress.filter(({ isMoveBegun }) => !isMoveBegun).map(({ migration }) => migration);
  if (toBegin.length === 0) return;

  await connected(config, async (cassandra) => {
    for (const migration of toBegin) {
      await beginMove({ cassandra }, migration.name, migration.move ?? '', new Date());
      await recordMove(config, migration);
      log(`the move of ${migration.name} has begun; servers of this release do it`);
    }
  });
}

/** Returns true if an applied migration has no data move, or its move is finished. */
export const isMoved = (config: CassandraConfig, { name, move }: Migration): Promise<boolean> =>
  move === undefined ? Promise.resolve(true) : connected(config, (cassandra) => isMoveDone({ cassandra }, name));

/** Returns the oldest release among the running servers; `undefined` if none runs. */
export const oldestServer = (config: CassandraConfig): Promise<string | undefined> => connected(config, oldestRelease);

async function connected<Result>(config: CassandraConfig, use: (cassandra: Cassandra) => Promise<Result>) {
  const cassandra = await connectCassandra(config);
  try {
    return await use(cassandra);
  } finally {
    await cassandra.client.shutdown();
  }
}
