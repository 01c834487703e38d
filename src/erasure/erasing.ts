import { z } from 'zod';
import { whereKey } from '../cassandra/by-key.ts';
import { modelOf, type Columns, type Values } from '../cassandra/codecs.ts';
import { declareStatement, type Statement } from '../cassandra/statement.ts';

/**
 * Of what is removed of a deleted account, in microseconds: later than whatever is still being written, so that it is gone
 * before it lands. Nothing else is ever written about the same person: ids are not used again.
 */
const ERASED_FOR_GOOD = Date.UTC(2200, 0, 1) * 1_000;

/** Declares the erasure of a partition: what is there, and what is still being written. */
export const erasing = <Key extends Columns>(table: string, partition: Key): Statement<Values<Key>, never> =>
  declareStatement({
    cql: `DELETE FROM ${table} USING TIMESTAMP ${ERASED_FOR_GOOD} ${whereKey(partition)}`,
    params: modelOf(partition),
    row: z.never(),
  });
