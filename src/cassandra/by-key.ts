import { z } from 'zod';
import { cql, modelOf, type Columns, type Values } from './codecs.ts';
import { declareStatement, type Statement } from './statement.ts';

/** Statements that say nothing but which columns a table has: what writes a row, and what deletes or reads what a key names. */

/** What a write may be given beside its columns: its write timestamp, or how long the row is kept, 0 for good. */
const USING = {
  TIMESTAMP: { version: cql.bigint },
  TTL: { ttl_seconds: cql.int },
} as const;

type Using = keyof typeof USING;
type UsingValues<U extends Using | undefined> = U extends Using ? Values<(typeof USING)[U]> : unknown;

/** `USING TIMESTAMP :version`, with a space before it. */
const usingClause = (using: Using | undefined) => (using ? ` USING ${using} :${Object.keys(USING[using]).join()}` : '');

/**
 * `WHERE user_id = :user_id AND …`
 * @param several the column that is to have one of several values: `month IN :month`
 */
export const whereKey = (key: Columns, several?: string) =>
  `WHERE ${Object.keys(key)
    .map((name) => `${name} ${name === several ? 'IN' : '='} :${name}`)
    .join(' AND ')}`;

/** Declares the write of a row: all of its key, and the columns that it is to have. */
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

/** Declares the deletion of the rows that a key names: one, or those of a partition. */
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
 * Declares the reading of the rows that a key names.
 * @param rowsPerPage where they are several; unset for one row
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
