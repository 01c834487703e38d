/** Before and behind every moment of a list, and above every text: where a walk without a position begins. */
export const EARLIEST = new Date(-8_639_999_999_999_999);
export const LATEST = new Date(8_640_000_000_000_000);
export const HIGHEST_TEXT = '\u{10FFFF}';
export const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** One list of rows, kept in partitions that follow each other: years, months, shards; often just one. */
export interface PartitionedList<Row, Position> {
  /** The partitions' numbers, in any order; rows of a higher one come before those of a lower one when descending. */
  readonly partitions: readonly number[];
  readonly partitionOf: (position: Position) => number;
  readonly positionOf: (row: Row) => Position;
  /** At most `limit` rows of one partition in the given direction, beginning behind `from`. */
  readonly read: (partition: number, slice: Slice<Position>) => Promise<Row[]>;
  /** Rows that do not belong into the list are left out, and the page is filled up from those behind them. */
  readonly keep?: (row: Row) => boolean;
}

export interface Slice<Position> {
  readonly descending: boolean;
  /** Exclusive; unset: from the partition's end. */
  readonly from: Position | undefined;
  readonly limit: number;
}

/** Rows in the direction of the walk, and whether there are more behind them. */
export interface Walked<Row> {
  readonly rows: Row[];
  readonly more: boolean;
}

/**
 * Walks a list from a position until `limit` rows are found, or its end. It reads one row more than it returns,
 * to know whether there are more, and no partition that it does not need.
 */
export async function walk<Row, Position>(
  list: PartitionedList<Row, Position>,
  slice: Slice<Position>,
): Promise<Walked<Row>> {
  const { descending, limit } = slice;
  if (limit === 0) return { rows: [], more: false };
  const wanted = limit + 1;
  const found: Row[] = [];
  const begin = slice.from === undefined ? undefined : list.partitionOf(slice.from);
  const partitions = list.partitions
    .filter((partition) => begin === undefined || (descending ? partition <= begin : partition >= begin))
    .toSorted((one, other) => (descending ? other - one : one - other));
  for (const partition of partitions) {
    let from = partition === begin ? slice.from : undefined;
    for (;;) {
      const missing = wanted - found.length;
      const read = await list.read(partition, { descending, from, limit: missing });
      found.push(...(list.keep ? read.filter(list.keep) : read));
      if (found.length === wanted) return { rows: found.slice(0, limit), more: true };
      const last = read.at(-1);
      if (last === undefined || read.length < missing) break;
      from = list.positionOf(last);
    }
  }
  return { rows: found, more: false };
}

/**
 * A slice of rows that were all read at once.
 * @param all in their list's own order, which is not descending
 * @param compare as `sort` takes it, so that it gives that order
 */
export function sliceOf<Row>(
  all: readonly Row[],
  compare: (one: Row, other: Row) => number,
  { descending, from, limit }: Slice<Row>,
): Row[] {
  const inOrder = descending ? all.toReversed() : all;
  const isBehind = (row: Row) => from === undefined || (descending ? compare(row, from) < 0 : compare(row, from) > 0);
  return inOrder.filter(isBehind).slice(0, limit);
}

const WANTED_AMONG_MIN = 30;
const WANTED_AMONG_MAX = 200;

/**
 * Reads a slice of those rows of a partition that are wanted: 30 rows, or as many as are asked for, and three times as many
 * each time, up to 200, while too few of them are wanted.
 * @param read at most `limit` rows, wanted or not, behind a position
 */
export async function readWanted<Row, Position>(
  list: Pick<PartitionedList<Row, Position>, 'positionOf'>,
  slice: Slice<Position>,
  isWanted: (row: Row) => boolean,
  read: (slice: Slice<Position>) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  let { from } = slice;
  let limit = Math.max(slice.limit, WANTED_AMONG_MIN);
  for (;;) {
    const page = await read({ ...slice, from, limit });
    found.push(...page.filter(isWanted));
    const last = page.at(-1);
    if (found.length >= slice.limit || last === undefined || page.length < limit) return found.slice(0, slice.limit);
    from = list.positionOf(last);
    limit = Math.min(3 * limit, WANTED_AMONG_MAX);
  }
}

/**
 * Every row of a partition, read piece by piece.
 * @param read at most `limit` rows behind the given one, from the beginning for none
 */
export async function* everyRow<Row>(
  limit: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const found = await read(last);
    yield* found;
    last = found.length < limit ? undefined : found.at(-1);
  } while (last !== undefined);
}
