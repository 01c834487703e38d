import { z } from 'zod';
import { declareStatement, type Statement } from '../cassandra/statement.ts';

/**
 * Of what is removed of a deleted account, in microseconds: later than whatever is still being written, so that it is gone
 * before it lands. Nothing else is ever written about the same person: ids are not used again.
 */
const ERASED_FOR_GOOD = Date.UTC(2200, 0, 1) * 1_000;

/** Declares the erasure of a partition: what is there, and what is still being written. */
export function erasing<Key extends Readonly<Record<string, z.ZodType>>>(
  table: string,
  partition: Key,
): Statement<z.output<z.ZodObject<Key>>, never> {
  const key = Object.keys(partition).map((name) => `${name} = :${name}`);
  return declareStatement({
    cql: `DELETE FROM ${table} USING TIMESTAMP ${ERASED_FOR_GOOD} WHERE ${key.join(' AND ')}`,
    params: z.strictObject(partition),
    row: z.never(),
  });
}
