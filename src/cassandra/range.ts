import { z } from 'zod';
import { cql, modelOf, type Columns, type Values } from './columns.ts';
import { keysInParts, whereKey } from './statement-builders.ts';
import { orderOf } from './orders.ts';
import { firstOf, mergedRead, type PartitionedList, type Slice } from './paging.ts';
import { declareStatement, rows, type Cassandra, type Statement } from './statement.ts';

/**
 * A restriction of the first column that sorts a list: from a value, inclusive, to another value,
 * exclusive. An unset end is open.
 */
export interface Within<Value> {
  readonly from?: Value | null | undefined;
  readonly to?: Value | null | undefined;
}

/** The type of the bounds of a list. Only values of these types have a predecessor. */
type BoundOf<Order extends Columns> = z.output<
  Extract<Order[keyof Order], typeof cql.bigint | typeof cql.timestamp | typeof cql.date>
>;

/** Consecutive partitions, such as years, months, hours or shards. */
export interface Buckets<Key, Column extends keyof Key, Position> {
  /** The column of the partition key that holds the bucket. */
  readonly column: Column;
  /** The buckets that may have rows, in any order. */
  readonly values: readonly Key[Column][];
  /** Returns the bucket of a position. */
  readonly of: (position: Position) => Key[Column];
}

/** Partitions that are read in parallel and merged, such as kinds or shards. */
export interface Sides<Key, Column extends keyof Key, BucketColumn extends keyof Key> {
  /** The column of the key that holds the side. */
  readonly column: Column;
  /**
   * Returns the sides that may have rows, in any order. If the list has buckets, they are the sides
   * of one bucket.
   */
  readonly of: (bucket: Key[BucketColumn]) => readonly Key[Column][];
}

/**
 * Reads the rows of a table in the order of their partition, in both directions, from any position.
 */
export interface Range<Key, Position, Row extends Position, Bound> {
  /** Encodes a position in JSON. */
  readonly cursor: z.ZodType<Position>;
  readonly positionOf: (row: Position) => Position;
  /**
   * Reads at most `limit` rows of a partition after a position. The position may be in another
   * partition that is read in parallel.
   */
  readonly read: (cassandra: Cassandra, key: Key, slice: Slice<Position>, within?: Within<Bound>) => Promise<Row[]>;
  /**
   * Reads at most `limit` rows of each of many partitions after a position in any of them. The
   * column `several` must be among the `located` ones.
   * @returns the rows of each partition, in the order of the keys
   */
  readonly ofEach: (
    cassandra: Cassandra,
    keys: readonly Key[],
    slice: Slice<Position>,
    within?: Within<Bound>,
  ) => Promise<Row[][]>;
  /**
   * Returns a list of one partition, of consecutive partitions, or of partitions read in parallel.
   * Rows of parallel partitions are sorted by the first column, then by the columns that identify
   * their partition, then as in the partition.
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

/** Returns the codec of the positions in a list, given by the columns that sort it. */
export const cursorOf = <Order extends Columns>(order: Order) =>
  z.strictObject(mapped(order, (codec) => orderOf(codec).json)) as unknown as z.ZodType<Values<Order>>;

/** Makes moments comparable by `===`. */
const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : (value as string | number));

const mapped = <From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));

/**
 * Declares a range with one statement per direction, which reads from a position, exclusive, to the
 * end of the restriction.
 * @param declaration `partition`: the partition key and the leading clustering columns that are
 *   given with it; `several`: the column of these in which the partitions of a list differ; if set,
 *   one statement can read several partitions; `order`: the remaining clustering columns;
 *   `located`: the columns of `partition` that a position needs to be unique, numbers or ASCII
 *   texts; `columns`: the other columns to read
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
        AND (${names.join(', ')}) ${beyond} (${names.map((name) => `:${name}`).join(', ')})
        AND (${firstName}) ${end} (:furthest)
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

  /** Returns the position just before the beginning of a list, which has no row there. */
  function outside(descending: boolean, { from, to }: Within<unknown>) {
    if (descending) return to == null ? highest : { ...lowest, [firstName]: to };
    return from == null ? lowest : { ...highest, [firstName]: before(from) };
  }

  /** Compares the partitions of two positions by the located columns. */
  function compareSides(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): number {
    for (const name of Object.keys(declaration.located ?? {})) {
      const [a, b] = [comparable(one[name]), comparable(other[name])];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  }

  const compareRows = (one: Position, other: Position) =>
    Number(comparable(one[firstName as keyof Position])) - Number(comparable(other[firstName as keyof Position])) ||
    compareSides({ ...one }, { ...other });

  /** Returns the position in a partition after which the rows follow a position of any side. */
  function behind(key: Values<Key>, from: Position, descending: boolean) {
    const side = compareSides(key, { ...from });
    if (side === 0) return positionOf(from);
    const first = from[firstName as keyof Position];
    // Among rows with the same first value, rows of higher sides are after the position, and rows
    // of lower sides before it.
    return side > 0 ? outside(descending, { from: first, to: first }) : { ...highest, [firstName]: first };
  }

  /** Returns the values for the statements of a direction, without the key of the partition. */
  const valuesOf = ({ descending, limit }: Slice<Position>, { from, to }: Within<unknown>, begin: object) => {
    const last = to == null ? firstOrder.highest : before(to);
    return { ...begin, furthest: descending ? (from ?? firstOrder.lowest) : last, rows_max: limit };
  };

  const read = (cassandra: Cassandra, key: Values<Key>, slice: Slice<Position>, within: Within<unknown> = {}) => {
    const { descending, from } = slice;
    const begin = from === undefined ? outside(descending, within) : behind(key, from, descending);
    return rows(cassandra, ofOne[directionOf(slice)], { ...valuesOf(slice, within, begin), ...key });
  };

  /** Groups partitions that one statement can read: they differ in one column only. */
  function inStatements(keys: readonly Values<Key>[]): Values<Key>[][] {
    if (several === undefined || keys.length === 1) return keys.map((key) => [key]);
    const others = Object.keys(partition).filter((name) => name !== several);
    const valueIn = (key: Values<Key>, name: string) => comparable(key[name as keyof Values<Key>]);
    const [only = ''] = others;
    const alike = Map.groupBy(keys, (key) =>
      others.length === 1 ? valueIn(key, only) : JSON.stringify(others.map((name) => valueIn(key, name))),
    );
    return [...alike.values()].flatMap((group) => keysInParts(group));
  }

  /**
   * Groups partitions that one statement can read from a position: they also lie on the same side
   * of it.
   */
  const inStatementsFrom = (keys: readonly Values<Key>[], from: Position | undefined): Values<Key>[][] => {
    if (from === undefined) return inStatements(keys);
    const place = { ...from };
    return [...Map.groupBy(keys, (key) => compareSides(key, place)).values()].flatMap(inStatements);
  };

  /**
   * Reads at most `limit` rows of each of some partitions that {@link inStatementsFrom} has
   * grouped. The rows of each partition are in order.
   */
  const readSeveral = (
    cassandra: Cassandra,
    keys: readonly Values<Key>[],
    slice: Slice<Position>,
    within: Within<unknown> = {},
  ) => {
    const [key, ...others] = keys;
    if (!key) return Promise.resolve([]);
    if (!ofSeveral || others.length === 0) return read(cassandra, key, slice, within);
    const { descending, from } = slice;
    const begin = from === undefined ? outside(descending, within) : behind(key, from, descending);
    const values = valuesOf(slice, within, begin);
    const column = several as keyof Values<Key>;
    const inKeys = keys.map((each) => each[column]);
    return rows(cassandra, ofSeveral[directionOf(slice)], { ...values, ...key, [column]: inKeys });
  };

  const ofEach = async (
    cassandra: Cassandra,
    keys: readonly Values<Key>[],
    slice: Slice<Position>,
    within: Within<unknown> = {},
  ) => {
    const ofKey = new Map<Values<Key>, Row[]>();
    const reading = inStatementsFrom(keys, slice.from).map(async (group) => {
      const found = await readSeveral(cassandra, group, slice, within);
      const byColumn = Map.groupBy(found, (row) => comparable(row[several as keyof Row]));
      for (const key of group) ofKey.set(key, byColumn.get(comparable(key[several as keyof Values<Key>])) ?? []);
    });
    await Promise.all(reading);
    return keys.map((key) => ofKey.get(key) ?? []);
  };

  return {
    cursor,
    positionOf,
    read,
    ofEach,
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
          const parts = inStatementsFrom(keys, slice.from);
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

/** One statement per direction. */
type Directed<Row> = Readonly<Record<'descending' | 'ascending', Statement<Record<string, unknown>, Row>>>;

const directionOf = ({ descending }: { readonly descending: boolean }) => (descending ? 'descending' : 'ascending');
