import { z } from 'zod';
import type { Range } from './range.ts';
import type { Cassandra } from './statement.ts';

/** Small tables that every server scans, and lists that no partition could hold, are spread over shards. */

/** The shard of what has this UUID. */
export const shardOf = (id: string, shards: number): number => Number.parseInt(id.slice(0, 8), 16) % shards;

/** Every shard, from one of the server's own choice on, so that several servers share the work without knowing of each other. */
export function shardsInTurn({ randomId }: { readonly randomId: () => string }, shards: number): number[] {
  const begin = shardOf(randomId(), shards);
  return Array.from({ length: shards }, (_, turn) => (begin + turn) % shards);
}

/**
 * Reads a page of a list that is spread over shards, for work that goes through all of it.
 * @param shards how many there are
 * @param after where the page before it ended, '' at first
 * @returns `next`: where this one ended, `undefined` when there is nothing behind it
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
