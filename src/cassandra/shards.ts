/** Small tables that every server scans are spread over shards. */

/** The shard of what has this UUID. */
export const shardOf = (id: string, shards: number): number => Number.parseInt(id.slice(0, 8), 16) % shards;

/** Every shard, from one of the server's own choice on, so that several servers share the work without knowing of each other. */
export function shardsInTurn({ randomId }: { readonly randomId: () => string }, shards: number): number[] {
  const begin = shardOf(randomId(), shards);
  return Array.from({ length: shards }, (_, turn) => (begin + turn) % shards);
}
