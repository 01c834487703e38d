import { z } from 'zod';
import { cql, modelOf, type Columns, type Values } from './columns.ts';
import { declareStatement, type Statement } from './statement.ts';

/**
 * Plain statements that are built from the columns of a table: inserts of a row, and deletes and
 * selects by key.
 */

const TIMESTAMP = { version: cql.bigint };
const TTL = { ttl_seconds: cql.int };
/** The values of the options of a write. The TTL is in seconds, 0 for none. */
const USING = { TIMESTAMP, TTL, 'TIMESTAMP AND TTL': { ...TIMESTAMP, ...TTL } } as const;

type Using = keyof typeof USING;
type UsingValues<U extends Using | undefined> = U extends Using ? Values<(typeof USING)[U]> : unknown;

/** Returns ` USING TIMESTAMP :version AND TTL :ttl_seconds`, with the leading space. */
const usingClause = (using: Using | undefined) =>
  using ? ` USING ${using.replace('TIMESTAMP', 'TIMESTAMP :version').replace('TTL', 'TTL :ttl_seconds')}` : '';

/**
 * Returns `WHERE user_id = :user_id AND …`.
 * @param several the column that takes several values: `month IN :month`
 */
export const whereKey = (key: Columns, several?: string) =>
  `WHERE ${Object.keys(key)
    .map((name) => `${name} ${name === several ? 'IN' : '='} :${name}`)
    .join(' AND ')}`;

/** Declares the insert of a row: its whole key and the columns to set. */
export function insertInto<Row extends Columns, U extends Using | undefined = undefined>(
  table: string,
  row: Row,
  using?: U,
): Statement<Values<Row> & UsingValues<U>, never> {
  const names = Object.keys(row);
  const markers = names.map((name) => `:${name}`);
  return declareWrite(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${markers.join(', ')})${usingClause(using)}`,
    row,
    using,
  );
}

/** Declares the delete of the rows with a key: one row, or the rows of a partition. */
export const deleteFrom = <Key extends Columns, U extends 'TIMESTAMP' | undefined = undefined>(
  table: string,
  key: Key,
  using?: U,
): Statement<Values<Key> & UsingValues<U>, never> =>
  declareWrite(`DELETE FROM ${table}${usingClause(using)} ${whereKey(key)}`, key, using);

const declareWrite = <C extends Columns, U extends Using | undefined>(text: string, columns: C, using: U | undefined) =>
  declareStatement({
    cql: text,
    params: modelOf({ ...columns, ...(using && USING[using]) }) as z.ZodType<Values<C> & UsingValues<U>>,
    row: z.never(),
  });

/**
 * Declares the select of the rows with a key.
 * @param rowsPerPage the page size if there are several rows; unset for a single row
 */
export const selectFrom = <
  Key extends Columns,
  Row extends Columns,
  const RowsPerPage extends number | undefined = undefined,
>(
  table: string,
  key: Key,
  row: Row,
  rowsPerPage?: RowsPerPage,
): Statement<Values<Key>, Values<Row>, RowsPerPage> =>
  declareStatement({
    cql: `SELECT ${Object.keys(row).join(', ')} FROM ${table} ${whereKey(key)}`,
    params: modelOf(key),
    row: modelOf(row),
    ...(rowsPerPage !== undefined && { rowsPerPage }),
  });

/** Declares the select of the first rows with a key: at most `:rows_max`. */
export const selectFirst = <Key extends Columns, Row extends Columns>(
  table: string,
  key: Key,
  row: Row,
): Statement<Values<Key> & { readonly rows_max: number }, Values<Row>> =>
  selectWhere(table, `${whereKey(key)} LIMIT :rows_max`, { ...key, rows_max: cql.int }, row);

/**
 * Declares the select of the rows with a key within a range: at most `:rows_max` rows, from
 * `:at_least`, inclusive, to `:below`, exclusive.
 * @param column the column of the range, one of the row
 */
export const selectBetween = <Key extends Columns, Row extends Columns, Column extends keyof Row & string>(
  table: string,
  key: Key,
  column: Column,
  row: Row,
): Statement<
  Values<Key> & Readonly<Record<'at_least' | 'below', Values<Row>[Column]>> & { readonly rows_max: number },
  Values<Row>
> =>
  selectWhere(
    table,
    `${whereKey(key)} AND ${column} >= :at_least AND ${column} < :below LIMIT :rows_max`,
    { ...key, at_least: row[column] as z.ZodType, below: row[column] as z.ZodType, rows_max: cql.int },
    row,
  );

/** The values of a select of the rows with several keys: `user_ids` for the column `user_id`. */
type Several<Row extends Columns, Name extends keyof Row & string> = Readonly<
  Record<`${Name}s`, readonly Values<Row>[Name][]>
>;

/** A select of the rows with several keys. */
export interface SelectAmong<Key, Row extends Columns, Name extends keyof Row & string> extends Statement<
  Key & Several<Row, Name>,
  Values<Row>
> {
  readonly several: Name;
}

/**
 * Declares the select of the rows with several keys: `WHERE user_id IN :user_ids`.
 * @param several the column that takes several values, one of the row
 * @param key the other columns of the key
 */
export function selectAmong<
  Name extends keyof Row & string,
  Row extends Columns,
  Key extends Columns | undefined = undefined,
>(table: string, several: Name, row: Row, key?: Key): SelectAmong<Values<Key>, Row, Name> {
  const among = `${several} IN :${several}s`;
  const params = { ...key, [`${several}s`]: z.array(row[several] as z.ZodType) };
  const where = key ? `${whereKey(key)} AND ${among}` : `WHERE ${among}`;
  const select = selectWhere<Values<Key> & Several<Row, Name>, Row>(table, where, params, row);
  return { ...select, several };
}

const selectWhere = <Given, Row extends Columns>(
  table: string,
  where: string,
  params: Columns,
  row: Row,
): Statement<Given, Values<Row>> =>
  declareStatement({
    cql: `SELECT ${Object.keys(row).join(', ')} FROM ${table} ${where}`,
    params: modelOf(params) as unknown as z.ZodType<Given>,
    row: modelOf(row),
  });

/** The maximum length of an IN list, so that its coordinator is not overwhelmed. */
export const KEYS_PER_STATEMENT = 100;

/** Splits keys into lists of at most `size`. */
export const keysInParts = <Key>(keys: readonly Key[], size = KEYS_PER_STATEMENT): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));
