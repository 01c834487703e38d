import { deleteFrom, insertInto } from './by-key.ts';
import type { Columns } from './codecs.ts';
import { range } from './range.ts';

/**
 * Declares a list that is projected from versions of a state: the range by which it is read, and the writes that put a row
 * into it and take it out. Their write timestamp is the version, so that the newest one wins, however late an older one comes.
 * @param declaration as {@link range} takes it; a row is its key and `columns`
 */
export function versionedList<Key extends Columns, Order extends Columns, Read extends Columns>(declaration: {
  table: string;
  partition: Key;
  several?: keyof Key & string;
  order: Order;
  columns: Read;
}) {
  const { table, partition, order, columns } = declaration;
  const key = { ...partition, ...order };
  return {
    ...range(declaration),
    insert: insertInto(table, { ...key, ...columns }, 'TIMESTAMP'),
    delete: deleteFrom(table, key, 'TIMESTAMP'),
  };
}
