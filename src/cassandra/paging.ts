import { all, type MaybePromise } from './maybe-promise.ts';

/**
 * A list of rows in consecutive partitions, such as years, months or shards; often in a single one.
 */
export interface PartitionedList<Row, Position> {
  /**
   * The numbers of the partitions, in any order. In descending order, the rows of higher numbers
   * are first.
   */
  readonly partitions: readonly number[];
  readonly partitionOf: (position: Position) => number;
  readonly positionOf: (row: Row) => Position;
  /**
   * Reads at most `limit` rows in the given direction.
   * @param partitions consecutive partitions in that direction; `from` is set only for a single
   *   partition, and lies in it
   */
  readonly read: (partitions: readonly number[], slice: Slice<Position>) => Promise<Row[]>;
  readonly filter?: Filter<Row> | undefined;
}

/** Filters out rows that do not belong in the list. The page is filled with the rows after them. */
export interface Filter<Row> {
  readonly keep: (row: Row) => MaybePromise<boolean>;
  /** The minimum number of rows per read; 0 if nearly all rows belong. */
  readonly rowsMin: number;
}

/** The minimum for a filter that may drop most rows. */
export const FILTERED_ROWS_MIN = 30;
/**
 * The maximum number of rows of a filtered read. Each read requests at most three times as many
 * rows as the previous one, up to this number.
 */
const FILTERED_ROWS_MAX = 200;
/** The factor by which more rows are requested than the former reads suggest. */
const FILTERED_MARGIN = 2;
/**
 * The maximum number of partitions read at once, such as the months of a year. Each read covers at
 * most `GROWTH` times as many as the previous one.
 */
const PARTITIONS_AT_ONCE = 12;
const GROWTH = 4;

export interface Slice<Position> {
  readonly descending: boolean;
  /** Exclusive; unset for the end of the partition. */
  readonly from: Position | undefined;
  readonly limit: number;
}

/**
 * Reads a list from a position until `limit` rows are found or the list ends. It reads one row more
 * than it returns, to find out whether more rows follow. It reads partitions one by one if they
 * have many rows, and several at once if they have few.
 */
export async function readSlice<Row, Position>(
  list: PartitionedList<Row, Position>,
  slice: Slice<Position>,
): Promise<{ rows: Row[]; more: boolean }> {
  const { descending, limit } = slice;
  if (limit === 0) return { rows: [], more: false };
  const wanted = limit + 1;
  const found: Row[] = [];
  const begin = slice.from === undefined ? undefined : list.partitionOf(slice.from);
  const partitions = list.partitions
    .filter((partition) => begin === undefined || (descending ? partition <= begin : partition >= begin))
    .toSorted((one, other) => (descending ? other - one : one - other));
  let from = partitions[0] === begin ? slice.from : undefined;
  let rowsMax = Math.max(wanted, list.filter?.rowsMin ?? 0);
  const done = { partitions: 0, rows: 0 };
  for (let atOnce = 1; done.partitions < partitions.length;) {
    const some = partitions.slice(done.partitions, done.partitions + atOnce);
    const read = await list.read(some, { descending, from, limit: rowsMax });
    found.push(...(list.filter ? await kept(read, list.filter) : read));
    if (found.length >= wanted) return { rows: found.slice(0, limit), more: true };
    done.rows += read.length;
    const last = read.at(-1);
    if (last === undefined || read.length < rowsMax) {
      done.partitions += some.length;
      from = undefined;
      rowsMax = Math.max(wanted - found.length, list.filter?.rowsMin ?? 0);
      atOnce = nextAtOnce(rowsMax, done, some.length);
    } else {
      from = list.positionOf(last);
      done.partitions = partitions.indexOf(list.partitionOf(from));
      const expected = rowsWith(wanted - found.length, done.rows, found.length);
      rowsMax = Math.min(Math.max(expected, list.filter?.rowsMin ?? 0), 3 * rowsMax, FILTERED_ROWS_MAX);
      atOnce = 1;
    }
  }
  return { rows: found, more: false };
}

/** Estimates the number of rows among which the missing ones are, from the rows already read. */
const rowsWith = (missing: number, read: number, kept: number): number =>
  kept === 0 ? Infinity : Math.ceil((FILTERED_MARGIN * missing * read) / kept);

/**
 * Estimates the number of partitions that contain the wanted rows, from the partitions already
 * read. The number grows quickly while there are few rows, within a bound that avoids wasted reads.
 */
const nextAtOnce = (rowsMax: number, done: { partitions: number; rows: number }, before: number): number =>
  Math.min(Math.ceil((rowsMax * done.partitions) / done.rows), before * GROWTH, PARTITIONS_AT_ONCE);

async function kept<Row>(rows: readonly Row[], { keep }: Filter<Row>): Promise<Row[]> {
  const isKept = await all(rows.map((row) => keep(row)));
  return rows.filter((_row, index) => isKept[index]);
}

/**
 * Returns a list of rows that are all in memory.
 * @param all the rows in ascending order
 * @param compare the comparison, for `sort`, that gives that order
 */
export function listInMemory<Row extends Position, Position = Row>(
  all: readonly Row[],
  compare: (one: Position, other: Position) => number,
): PartitionedList<Row, Position> {
  return {
    ...ONE_PARTITION,
    positionOf: (row) => row,
    read: (_partitions, { descending, from, limit }) => {
      const inOrder = descending ? all.toReversed() : all;
      const isBehind = (row: Row) =>
        from === undefined || (descending ? compare(row, from) < 0 : compare(row, from) > 0);
      return Promise.resolve(inOrder.filter(isBehind).slice(0, limit));
    },
  };
}

/**
 * Reads at most `limit` rows of several sources as one list. It reads all sources in parallel and
 * takes the first rows of all.
 * @param sources each returns rows in the order of the list, after the position of the slice. The
 *   position may belong to another source
 * @param compare the comparison of rows of different sources, for `sort`; the rows of one source
 *   keep their order
 */
export async function mergedRead<Row, Position>(
  sources: readonly ((slice: Slice<Position>) => Promise<Row[]>)[],
  compare: (one: Row, other: Row) => number,
  slice: Slice<Position>,
): Promise<Row[]> {
  const [first = [], ...others] = await Promise.all(sources.map((read) => read(slice)));
  if (others.length === 0) return first;
  return firstOf([first, ...others].flat(), compare, slice);
}

/** Returns the first rows in the order of the list. The sort is stable. */
export const firstOf = <Row>(
  rows: readonly Row[],
  compare: (one: Row, other: Row) => number,
  { descending, limit }: Pick<Slice<never>, 'descending' | 'limit'>,
): Row[] => rows.toSorted((one, other) => (descending ? compare(other, one) : compare(one, other))).slice(0, limit);

/** A list that is one partition. */
export const ONE_PARTITION = { partitions: [0], partitionOf: () => 0 };
