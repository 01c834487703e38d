import { z } from 'zod';
import { cql, modelOf, type Columns, type Values } from './codecs.ts';
import { declareStatement, type Statement } from './statement.ts';

/**
 * Plain statements that are built from the columns of a table: inserts of a row, and deletes and
 * selects by key.
 */

/** The options of a write: its write timestamp, or its TTL in seconds, 0 for ever. */
const USING = {
  TIMESTAMP: { version: cql.bigint },
  TTL: { ttl_seconds: cql.int },
} as const;

type Using = keyof typeof USING;
type UsingValues<U extends Using | undefined> = U extends Using ? Values<(typeof USING)[U]> : unknown;

/** Returns ` USING TIMESTAMP :version`, with the leading space. */
const usingClause = (using: Using | undefined) => (using ? ` USING ${using} :${Object.keys(USING[using]).join()}` : '');

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
