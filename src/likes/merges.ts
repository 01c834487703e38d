import { generationOf } from './shards.ts';

/**
 * Which shards with few likes are merged. A page of likers reads all shards with likes that it comes to, side by side or one after the other;
 * so what was liked by many once, and is by few now, should have few.
 *
 * A shard is merged when it holds at most a quarter of what fills one, into one with which it comes to half at most: so what was
 * merged is not merged again soon, and takes new likes. A stripe goes into an earlier one of its block, a generation of which one shard is
 * left into the next one. Likes never go anywhere else, so that it ends; and the order of the shards stays that of their likes.
 */

const FEW = 1 / 4;
const MANY = 1 / 2;
/** Rows that a shard ever had, of those that fill one: what is left of deleted ones must stay readable (`cql/likes.cql`). */
const ROWS = 9 / 8;

/** What a shard holds. */
export interface Fill {
  readonly shard: number;
  readonly likeCount: number;
  /** The rows that it ever had. */
  readonly rowCount: number;
}

/** All likes of one shard are moved to another one. */
export interface Merge {
  readonly from: number;
  readonly to: number;
}

/**
 * The shards that are to be merged next; `undefined` where none are.
 * @param fills of all shards that have likes, in any order; others may be among them
 * @param rowsMax a shard with so many rows is full
 */
export function nextMerge(fills: readonly Fill[], newestShard: number, rowsMax: number): Merge | undefined {
  const open = generationOf(newestShard);
  const isFew = ({ shard, likeCount }: Fill) => shard !== open && likeCount > 0 && likeCount <= FEW * rowsMax;
  const hasRoom = (to: Fill, { likeCount }: Fill) =>
    to.likeCount + likeCount <= MANY * rowsMax && to.rowCount + likeCount <= ROWS * rowsMax;

  const isThere = ({ shard, likeCount }: Fill) => likeCount > 0 || shard === open;
  // The shard that is open may have been opened by name alone.
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
