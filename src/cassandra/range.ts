import { z } from 'zod';
import { cql, modelOf, type Columns, type Values } from './codecs.ts';
import { whereKey } from './by-key.ts';
import { orderOf } from './orders.ts';
import { firstOf, mergedRead, type PartitionedList, type Slice } from './paging.ts';
import { keysInParts } from './row-loader.ts';
import { declareStatement, rows, type Cassandra, type Statement } from './statement.ts';

/** Of the column that orders a list: from a value on, before another one. Unset: without an end. */
export interface Within<Value> {
  readonly from?: Value | null | undefined;
  readonly to?: Value | null | undefined;
}

/** What a list may be narrowed by: only values of these types have one before each. */
type BoundOf<Order extends Columns> = z.output<
  Extract<Order[keyof Order], typeof cql.bigint | typeof cql.timestamp | typeof cql.date>
>;

/** Partitions that follow each other: years, months, hours, shards. */
export interface Buckets<Key, Column extends keyof Key, Position> {
  /** The column of the partition key that says which one it is. */
  readonly column: Column;
  /** Those that may have rows, in any order. */
  readonly values: readonly Key[Column][];
  /** The one that a position lies in. */
  readonly of: (position: Position) => Key[Column];
}

/** Partitions that are read side by side, as one: kinds, shards. */
export interface Sides<Key, Column extends keyof Key, BucketColumn extends keyof Key> {
  /** The column of the key that says which one it is. */
  readonly column: Column;
  /** Those that may have rows, in any order; of one bucket, where there are buckets. */
  readonly of: (bucket: Key[BucketColumn]) => readonly Key[Column][];
}

/** Reads the rows of a table in the order of their partition, either way, from any position on. */
export interface Range<Key, Position, Row extends Position, Bound> {
  /** A position as JSON. */
  readonly cursor: z.ZodType<Position>;
  readonly positionOf: (row: Position) => Position;
  /** At most `limit` rows of a partition, behind a position that may be in another one that is read beside it. */
  readonly read: (cassandra: Cassandra, key: Key, slice: Slice<Position>, within?: Within<Bound>) => Promise<Row[]>;
  /**
   * A list that is one partition, or several that follow each other, or lie side by side. The rows of those side by side are
   * in the order of the first column, then of what says which partition they are in, then of the partition itself.
   */
  readonly list: <Column extends keyof Key = never, Side extends keyof Key = never>(
    cassandra: Cassandra,
    key: Omit<Key, Column | Side>,
    options?: {
      readonly within?: Within<Bound>;
      readonly buckets?: Buckets<Key, Column, Position>;
      readonly sides?: Sides<Key, Side, Column>;
    },
  ) => RangeList<Row, Position>;
}

/** A list that is read by a range. */
export interface RangeList<Row, Position> extends PartitionedList<Row, Position> {
  readonly cursor: z.ZodType<Position>;
}

/** The positions in a list, by the columns that order it. */
export const cursorOf = <Order extends Columns>(order: Order) =>
  z.strictObject(mapped(order, (codec) => orderOf(codec).json)) as unknown as z.ZodType<Values<Order>>;

/** Two moments are the same when their times are. */
const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : (value as string | number));

const mapped = <From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));

/**
 * Declares a range with its statements, one for each direction: from behind a position to the end of what it lies within.
 * @param declaration `partition`: the partition key, and the columns of the clustering key that are given with it; `several`: that of
 *   them in which the partitions of a list differ, for which there are statements that read several; `order`: the clustering key from
 *   its first other column on; `located`: those columns of `partition` without which a position does not say where it is, numbers or
 *   ASCII texts; `columns`: what is read beside
 */
export function range<
  Key extends Columns,
  Order extends Columns,
  Located extends Columns | undefined = undefined,
  Read extends Columns | undefined = undefined,
>(declaration: {
  table: string;
  partition: Key;
  several?: keyof Key & string;
  order: Order;
  located?: Located;
  columns?: Read;
}): Range<
  Values<Key>,
  Values<Located> & Values<Order>,
  Values<Located> & Values<Order> & Values<Read>,
  BoundOf<Order>
> {
  type Position = Values<Located> & Values<Order>;
  type Row = Position & Values<Read>;
  const { table, partition, several, order } = declaration;
  const placed = { ...declaration.located, ...order };
  const names = Object.keys(order);
  const [firstName = ''] = names;
  const firstOrder = orderOf(order[firstName] as z.ZodType);
  const lowest = mapped(order, (codec) => orderOf(codec).lowest);
  const highest = mapped(order, (codec) => orderOf(codec).highest);
  const before = (value: unknown) => firstOrder.before?.(value as never);

  const columns = { ...placed, ...declaration.columns };
  const inBothDirections = (key: Columns, where: string, limit: string): Directed<Row> => {
    const towards = (beyond: '<' | '>', end: '>=' | '<=', direction: 'DESC' | 'ASC') =>
      declareStatement({
        cql: `SELECT ${Object.keys(columns).join(', ')} FROM ${table} ${where}
        AND (${names.join(', ')}) ${beyond} (${names.map((name) => `:${name}`).join(', ')}) AND (${firstName}) ${end} (:furthest)
        ORDER BY ${names.map((name) => `${name} ${direction}`).join(', ')} ${limit} :rows_max`,
        params: modelOf({ ...key, ...order, furthest: order[firstName] as z.ZodType, rows_max: cql.int }),
        row: modelOf(columns) as z.ZodType<Row>,
      });
    return { descending: towards('<', '>=', 'DESC'), ascending: towards('>', '<=', 'ASC') };
  };
  const ofOne = inBothDirections(partition, whereKey(partition), 'LIMIT');
  const ofSeveral =
    several === undefined
      ? undefined
      : inBothDirections(
          { ...partition, [several]: z.array(partition[several] as z.ZodType) },
          whereKey(partition, several),
          'PER PARTITION LIMIT',
        );

  const cursor = cursorOf(placed) as unknown as z.ZodType<Position>;
  const positionOf = (row: Position) =>
    Object.fromEntries(Object.keys(placed).map((name) => [name, row[name as keyof Position]])) as Position;

  /** The position just outside of where a list begins: none of its rows is there. */
  function outside(descending: boolean, { from, to }: Within<unknown>) {
    if (descending) return to == null ? highest : { ...lowest, [firstName]: to };
    return from == null ? lowest : { ...highest, [firstName]: before(from) };
  }

  /** Which of two places comes first, by what says which partition they are in. */
  function compareSides(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): number {
    for (const name of Object.keys(declaration.located ?? {})) {
      const [a, b] = [comparable(one[name]), comparable(other[name])];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  }

  const compareRows = (one: Position, other: Position) =>
    Number(one[firstName as keyof Position]) - Number(other[firstName as keyof Position]) ||
    compareSides({ ...one }, { ...other });

  /** The position of a partition that is just before those of its rows that are behind a position of any side. */
  function behind(key: Values<Key>, from: Position, descending: boolean) {
    const side = compareSides(key, { ...from });
    if (side === 0) return positionOf(from);
    const first = from[firstName as keyof Position];
    // Of the rows with the same first value, the sides above come later than the position, the sides below before it.
    return side > 0 ? outside(descending, { from: first, to: first }) : { ...highest, [firstName]: first };
  }

  /** What both statements of a direction are given beside the key of their partitions. */
  const valuesOf = ({ descending, limit }: Slice<Position>, { from, to }: Within<unknown>, begin: object) => {
    const last = to == null ? firstOrder.highest : before(to);
    return { ...begin, furthest: descending ? (from ?? firstOrder.lowest) : last, rows_max: limit };
  };

  const read = (cassandra: Cassandra, key: Values<Key>, slice: Slice<Position>, within: Within<unknown> = {}) => {
    const { descending, from } = slice;
    const begin = from === undefined ? outside(descending, within) : behind(key, from, descending);
    return rows(cassandra, ofOne[directionOf(slice)], { ...valuesOf(slice, within, begin), ...key });
  };

  /** Partitions as those that one statement reads each: which differ in one column alone. */
  function inStatements(keys: readonly Values<Key>[]): Values<Key>[][] {
    if (several === undefined || keys.length === 1) return keys.map((key) => [key]);
    const alike = Map.groupBy(keys, (key) => JSON.stringify({ ...key, [several]: null }));
    return [...alike.values()].flatMap((group) => keysInParts(group));
  }

  /** At most `limit` rows of each of some partitions, from where they begin; those of each in their order. */
  const readSeveral = (
    cassandra: Cassandra,
    keys: readonly Values<Key>[],
    slice: Slice<Position>,
    within: Within<unknown> = {},
  ) => {
    const [key, ...others] = keys;
    if (!key) return Promise.resolve([]);
    if (!ofSeveral || others.length === 0) return read(cassandra, key, slice, within);
    const values = valuesOf(slice, within, outside(slice.descending, within));
    const column = several as keyof Values<Key>;
    return rows(cassandra, ofSeveral[directionOf(slice)], { ...values, ...key, [column]: keys.map((each) => each[column]) }); // prettier-ignore
  };

  return {
    cursor,
    positionOf,
    read,
    list: (cassandra, key, { within, buckets, sides } = {}) => {
      const known = new Map((buckets?.values ?? [0]).map((value) => [Number(value), value]));
      const partitionsOf = (number: number) => {
        const value = known.get(number);
        const bucket = { ...key, ...(buckets && { [buckets.column]: value }) };
        const all = sides ? sides.of(value as never).map((side) => ({ ...bucket, [sides.column]: side })) : [bucket];
        return all as unknown as Values<Key>[];
      };
      const partitionOf = (position: Position) => (buckets ? Number(buckets.of(position)) : 0);
      const compare = (one: Position, other: Position) =>
        partitionOf(one) - partitionOf(other) || compareRows(one, other);
      return {
        cursor,
        partitions: [...known.keys()],
        partitionOf,
        positionOf,
        read: (some, slice) => {
          const keys = some.flatMap(partitionsOf);
          // Behind a position, each of them begins somewhere else.
          const parts = slice.from === undefined ? inStatements(keys) : keys.map((each) => [each]);
          return mergedRead(
            parts.map((part) => async (each: typeof slice) => {
              const found = await readSeveral(cassandra, part, each, within);
              return part.length > 1 ? firstOf(found, compare, each) : found;
            }),
            compare,
            slice,
          );
        },
      };
    },
  };
}

/** A statement for each direction. */
type Directed<Row> = Readonly<Record<'descending' | 'ascending', Statement<Record<string, unknown>, Row>>>;

const directionOf = ({ descending }: { readonly descending: boolean }) => (descending ? 'descending' : 'ascending');
