import { all, type Soon } from './soon.ts';

/** One list of rows, kept in partitions that follow each other: years, months, shards; often just one. */
export interface PartitionedList<Row, Position> {
  /** The partitions' numbers, in any order; rows of a higher one come before those of a lower one when descending. */
  readonly partitions: readonly number[];
  readonly partitionOf: (position: Position) => number;
  readonly positionOf: (row: Row) => Position;
  /**
   * At most `limit` rows in the given direction.
   * @param partitions that follow each other in that direction; `from` is in the first one, and set for one alone
   */
  readonly read: (partitions: readonly number[], slice: Slice<Position>) => Promise<Row[]>;
  readonly filter?: Filter<Row> | undefined;
}

/** Rows that do not belong into the list are left out, and the page is filled up from those behind them. */
export interface Filter<Row> {
  readonly keep: (row: Row) => Soon<boolean>;
  /** At least so many rows are read at once; 0 where nearly all belong. */
  readonly rowsMin: number;
}

/** For a filter that perhaps leaves out most of the rows. */
export const FILTERED_ROWS_MIN = 30;
/** Each further read is of three times as many rows as the one before, up to so many. */
const FILTERED_ROWS_MAX = 200;
/** So many partitions are read at once, such as the months of a year; at most so many times as many as before. */
const PARTITIONS_AT_ONCE = 12;
const GROWTH = 4;

export interface Slice<Position> {
  readonly descending: boolean;
  /** Exclusive; unset: from the partition's end. */
  readonly from: Position | undefined;
  readonly limit: number;
}

/**
 * Reads a list from a position until `limit` rows are found, or its end. It reads one row more than it returns,
 * to know whether there are more. Partitions are read one after the other while they have many rows, several at once where they have few.
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
      rowsMax = Math.min(3 * rowsMax, FILTERED_ROWS_MAX);
      atOnce = 1;
    }
  }
  return { rows: found, more: false };
}

/** As many partitions as should have so many rows, by those that were read: soon more where there was little, but never many for nothing. */
const nextAtOnce = (rowsMax: number, done: { partitions: number; rows: number }, before: number): number =>
  Math.min(Math.ceil((rowsMax * done.partitions) / done.rows), before * GROWTH, PARTITIONS_AT_ONCE);

async function kept<Row>(rows: readonly Row[], { keep }: Filter<Row>): Promise<Row[]> {
  const isKept = await all(rows.map((row) => keep(row)));
  return rows.filter((_row, index) => isKept[index]);
}

/**
 * A list of rows that were all read at once.
 * @param all in the order of the list, which is not descending
 * @param compare as `sort` takes it, so that it gives that order
 */
export function listInMemory<Row>(
  all: readonly Row[],
  compare: (one: Row, other: Row) => number,
): PartitionedList<Row, Row> {
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
 * At most `limit` rows of several sources as one: each is read, all at once, and the first rows of all are taken.
 * @param sources each gives its rows in the order of the list, behind the slice's position whether or not it is one of its own
 * @param compare as `sort` takes it: rows of different sources; those of one source stay in its order
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

/** The first rows of some, in the order of their list; those of which none comes first stay as they are. */
export const firstOf = <Row>(
  rows: readonly Row[],
  compare: (one: Row, other: Row) => number,
  { descending, limit }: Pick<Slice<never>, 'descending' | 'limit'>,
): Row[] => rows.toSorted((one, other) => (descending ? compare(other, one) : compare(one, other))).slice(0, limit);

/** For a list that is one partition. */
export const ONE_PARTITION = { partitions: [0], partitionOf: () => 0 };
