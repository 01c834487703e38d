import { z } from 'zod';
import type { Range } from './range.ts';
import type { Cassandra } from './statement.ts';

/**
 * Shards spread small tables that every server scans, and lists that are too large for one
 * partition.
 */

/** Returns the shard of a UUID. */
export const shardOf = (id: string, shards: number): number => Number.parseInt(id.slice(0, 8), 16) % shards;

/**
 * Returns all shards, beginning at one that the server picks at random, so that several servers
 * share the work without coordination.
 */
export function shardsInTurn({ randomId }: { readonly randomId: () => string }, shards: number): number[] {
  const begin = shardOf(randomId(), shards);
  return Array.from({ length: shards }, (_, turn) => (begin + turn) % shards);
}

/**
 * Reads a page of a list that is spread over shards, for work on the whole list.
 * @param shards the number of shards
 * @param after the end of the previous page, '' at first
 * @returns `next`: the end of this page, `undefined` if nothing follows
 */
export async function pageOfShards<Key extends { readonly shard: number }, Position, Row extends Position, Bound>(
  cassandra: Cassandra,
  range: Range<Key, Position, Row, Bound>,
  key: Omit<Key, 'shard'>,
  { shards, limit, after }: { readonly shards: number; readonly limit: number; readonly after: string },
): Promise<{ rows: Row[]; next: string | undefined }> {
  const position = z.strictObject({ shard: z.int(), from: range.cursor.optional() });
  const begin = after === '' ? { shard: 0 } : position.parse(JSON.parse(after));

  for (let { shard, from } = begin; shard < shards; shard++, from = undefined) {
    const rows = await range.read(cassandra, { ...key, shard } as Key, { descending: false, from, limit });
    const last = rows.at(-1);
    if (!last) continue;
    if (rows.length < limit) return { rows, next: nextShard(shard, shards) };
    return { rows, next: JSON.stringify(z.encode(position, { shard, from: range.positionOf(last) })) };
  }
  return { rows: [], next: undefined };
}

const nextShard = (shard: number, shards: number) =>
  shard + 1 < shards ? JSON.stringify({ shard: shard + 1 }) : undefined;
