import { z } from 'zod';
import { whereKey } from '../cassandra/statement-builders.ts';
import { modelOf, type Columns, type Values } from '../cassandra/columns.ts';
import { declareStatement, write, type Statement } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';

/**
 * The write timestamp of erasures, in microseconds. It is later than that of all unfinished writes,
 * so that these are deleted as soon as they arrive. Ids are not reused, so nothing is ever written
 * about the same person again.
 */
const ERASED_FOR_GOOD = Date.UTC(2200, 0, 1) * 1_000;

/** Declares the erasure of a partition, including rows that are still being written. */
export const erasing = <Key extends Columns>(table: string, partition: Key): Statement<Values<Key>, never> =>
  declareStatement({
    cql: `DELETE FROM ${table} USING TIMESTAMP ${ERASED_FOR_GOOD} ${whereKey(partition)}`,
    params: modelOf(partition),
    row: z.never(),
  });

/** Returns a function that erases the only partition of a table for a person. */
export const erasedBy =
  <Column extends string>(erase: Statement<Record<Column, string>, never>, column: Column) =>
  async ({ cassandra }: AppContext, userId: string): Promise<undefined> => {
    await write(cassandra, erase, { [column]: userId } as Record<Column, string>);
  };
