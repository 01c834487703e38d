import { z } from 'zod';

/** The age of repairs, from the history that Cassandra records. */

/** A repair that Cassandra has recorded. */
export interface Repair {
  /** The time of its end; null while it is running. */
  readonly finished_at: Date | null;
  /** The ranges of tokens that it repaired, such as `(-3,5]`; null if it repaired none. */
  readonly successful_ranges: readonly string[] | null;
}

/** A range of tokens above the first one, up to and including the second one. */
interface Range {
  readonly above: bigint;
  readonly upTo: bigint;
}

/**
 * A row of `parent_repair_history`. Cassandra records only the end of a repair that it refuses, for
 * instance because of a misspelt table. It deletes each value 30 days after it was written, so the
 * beginning of a long repair disappears before its end.
 */
const repairRow = z.object({
  keyspace_name: z.string().nullable(),
  columnfamily_names: z.array(z.string()).nullable(),
  finished_at: z.date().nullable(),
  successful_ranges: z.array(z.string()).nullable(),
});

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/**
 * Returns the repairs of a keyspace.
 * @param rows the rows of `parent_repair_history`, of all keyspaces
 * @param tables the number of the keyspace's tables
 */
export function repairsOf(rows: readonly object[], keyspace: string, tables: number): Repair[] {
  return (
    rows
      .map((row) => repairRow.parse({ ...row }))
      .filter((each) => each.keyspace_name === keyspace)
      // A repair of few tables is ignored. A repair of most tables is used, because a migration may
      // have added tables since.
      .filter((each) => (each.columnfamily_names ?? []).length > tables / 2)
  );
}

/**
 * Returns the latest time since which every part of the ring has been repaired at least once.
 * @param tokens the tokens of all nodes
 * @param since the time of the oldest data, used for parts that were never repaired
 */
export function repairedSince(tokens: readonly bigint[], repairs: readonly Repair[], since: Date): Date {
  const done = repairs.flatMap(({ finished_at: at, successful_ranges: ranges }) =>
    at === null ? [] : (ranges ?? []).flatMap(rangesIn).map((range) => ({ ...range, at: at.getTime() })),
  );
  // A repair may cover a part of a node's range, so the ring is cut at the ends of every range.
  const cuts = [...new Set([LOWEST, HIGHEST, ...tokens, ...done.flatMap(({ above, upTo }) => [above, upTo])])];
  const inOrder = cuts.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const latest = inOrder.slice(1).map((upTo) => {
    const covering = done.filter((range) => range.above < upTo && upTo <= range.upTo);
    return Math.max(since.getTime(), ...covering.map(({ at }) => at));
  });
  return new Date(Math.min(...latest));
}

/** Reads a range. A range across the end of the ring becomes two. */
function rangesIn(text: string): Range[] {
  const [, above, upTo] = /^\((-?\d+),(-?\d+)\]$/.exec(text) ?? [];
  if (above === undefined || upTo === undefined) return [];
  const range = { above: BigInt(above), upTo: BigInt(upTo) };
  if (range.above < range.upTo) return [range];
  return [
    { above: range.above, upTo: HIGHEST },
    { above: LOWEST, upTo: range.upTo },
  ].filter((each) => each.above < each.upTo);
}
