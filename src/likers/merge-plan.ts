import { generationOf } from './numbering.ts';

/**
 * The choice of the shards to merge. A page of likers reads all shards with likes that it reaches,
 * side by side or one after the other, so a thing that many liked once and few like now should have
 * few shards.
 *
 * A shard is merged when it holds at most a quarter of a full one, into a shard that is at most
 * half full afterwards; so a merged shard is not merged again soon, and takes new likes. A stripe
 * goes into an earlier one of its block; the last shard of a generation goes into the next
 * generation. Likes never go anywhere else, so merging ends, and the order of the shards stays that
 * of their likes.
 */

const FEW = 1 / 4;
const MANY = 1 / 2;
/**
 * The maximum number of rows that a shard ever had, as a share of a full shard. The remains of
 * deleted rows must stay readable (`cql/likers.cql`).
 */
const ROWS = 9 / 8;

/** The content of a shard. */
export interface Fill {
  readonly shard: number;
  readonly likeCount: number;
  /** The number of rows that it ever had. */
  readonly rowCount: number;
}

/** All likes of one shard are moved to another one. */
export interface Merge {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the next shards to merge; `undefined` if there are none.
 * @param fills of all shards that have likes, in any order; others may be among them
 * @param rowsMax the number of rows of a full shard
 */
export function nextMerge(fills: readonly Fill[], newestShard: number, rowsMax: number): Merge | undefined {
  const open = generationOf(newestShard);
  const isFew = ({ shard, likeCount }: Fill) => shard !== open && likeCount > 0 && likeCount <= FEW * rowsMax;
  const hasRoom = (to: Fill, { likeCount }: Fill) =>
    to.likeCount + likeCount <= MANY * rowsMax && to.rowCount + likeCount <= ROWS * rowsMax;

  const isThere = ({ shard, likeCount }: Fill) => likeCount > 0 || shard === open;
  // The open shard may exist by its count alone.
  const known = fills.some(({ shard }) => shard === open)
    ? fills
    : [...fills, { shard: open, likeCount: 0, rowCount: 0 }];
  const ordered = known.filter(isThere).toSorted((one, other) => one.shard - other.shard);
  const generations = [...Map.groupBy(ordered, ({ shard }) => generationOf(shard)).values()].toReversed();
  for (const [index, generation] of generations.entries())
    for (const from of generation.toReversed().filter(isFew)) {
      const earlier = generation.filter(({ shard }) => shard < from.shard);
      const newer = generation.length === 1 ? (generations[index - 1] ?? []) : [];
      const to = [...earlier, ...newer].find((each) => hasRoom(each, from));
      if (to) return { from: from.shard, to: to.shard };
    }
  return undefined;
}
