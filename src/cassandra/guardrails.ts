import { errors, types, type Client } from 'cassandra-driver';
import { z } from 'zod';

/**
 * The limits of Cassandra that this server needs. A cluster may have stricter limits (guardrails in
 * cassandra.yaml), which would be noticed only when a statement is refused. A server whose writes
 * would be refused does not start.
 */

/** A setting of Cassandra and the value that this server needs. */
interface Needed {
  readonly name: string;
  /** @param value the value that Cassandra reports, null if unset */
  readonly isEnough: (value: string | null) => boolean;
  readonly needed: string;
  readonly because: string;
}

/** Cassandra uses -1 for "no limit". */
const atLeast = (name: string, least: number, because: string): Needed => ({
  name,
  isEnough: (value) => value === null || Number(value) === -1 || Number(value) >= least,
  needed: `at least ${least}, or -1`,
  because,
});
const unset = (name: string, because: string): Needed => ({
  name,
  isEnough: (value) => value === null,
  needed: 'unset',
  because,
});
const on = (name: string, because: string): Needed => ({
  name,
  isEnough: (value) => value !== 'false',
  needed: 'true',
  because,
});

export const NEEDED: readonly Needed[] = [
  on('user_timestamps_enabled', 'versions are write timestamps'),
  unset('minimum_timestamp_fail_threshold', 'versions are write timestamps and begin at 1'),
  unset('maximum_timestamp_fail_threshold', 'permanent deletions have a write timestamp of the year 2200'),
  atLeast(
    'tombstone_failure_threshold',
    100_000,
    'a full shard of likes that were all taken back has 98,000 tombstones',
  ),
  atLeast('batch_size_fail_threshold_in_kb', 50, 'a hundred likes of one thing are committed in one batch'),
  atLeast(
    'partition_keys_in_select_fail_threshold',
    100,
    'one statement reads everything that a page of 100 rows points to',
  ),
  atLeast(
    'in_select_cartesian_product_fail_threshold',
    202,
    'a commit of 100 likes looks up each one in the likers and the former likers',
  ),
  on('group_by_enabled', 'events are counted by groups'),
  atLeast('page_size_fail_threshold', 1_000, 'long lists are read a thousand rows at a time'),
];

/** Thrown if the limits of Cassandra are too strict. */
export class GuardrailError extends Error {
  override name = 'GuardrailError';
}

const settingRow = z.object({ name: z.string(), value: z.string().nullable() });

/**
 * Checks the limits of the node that answers; all nodes of a cluster must have the same
 * configuration. The check passes for a role that may not read the limits, because a server only
 * needs permissions on its keyspace.
 * @throws {GuardrailError} naming every limit that is too strict, and the needed value
 */
export async function requireAllowedStatements(client: Client): Promise<void> {
  const names = NEEDED.map(({ name }) => name);
  const { rows } = await client
    .execute('SELECT name, value FROM system_views.settings WHERE name IN ?', [names], { prepare: true })
    .catch((error: unknown) => {
      if (isForbidden(error)) return { rows: [] };
      throw error;
    });
  const problems = tooStrict(rows.map((row) => settingRow.parse({ ...row })));
  if (problems.length === 0) return;
  throw new GuardrailError(
    'Cassandra would refuse what this server sends. ' +
      `Change this in cassandra.yaml of every node:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

const FORBIDDEN: number = types.responseErrorCodes.unauthorized;
const isForbidden = (error: unknown) => error instanceof errors.ResponseError && error.code === FORBIDDEN;

/**
 * Returns a sentence for each setting that is too strict. A setting that this version of Cassandra
 * lacks is not a limit.
 */
export function tooStrict(settings: readonly z.output<typeof settingRow>[]): string[] {
  const values = new Map(settings.map(({ name, value }) => [name, value]));
  return NEEDED.flatMap(({ name, isEnough, needed, because }) => {
    const value = values.get(name) ?? null;
    return isEnough(value) ? [] : [`${name} is ${String(value)}, and must be ${needed}: ${because}.`];
  });
}
