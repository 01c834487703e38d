import { deleteFrom, insertInto } from './statement-builders.ts';
import type { Columns } from './columns.ts';
import { range } from './range.ts';

/**
 * Declares a list that is projected from versions of a state: the range that reads it, and the
 * writes that insert and delete a row. Their write timestamp is the version, so the newest version
 * wins even if an older version is written later.
 * @param declaration the declaration of the {@link range}; a row is its key and `columns`, and the
 *   first of these is set in every row; `statics`: the static columns, which other statements write
 */
export function versionedList<
  Key extends Columns,
  Order extends Columns,
  Read extends Columns,
  Located extends Columns | undefined = undefined,
  Statics extends Columns | undefined = undefined,
>(declaration: {
  table: string;
  partition: Key;
  several?: keyof Key & string;
  order: Order;
  located?: Located;
  columns: Read;
  statics?: Statics;
}) {
  const { table, partition, order, columns, statics } = declaration;
  const key = { ...partition, ...order };
  return {
    ...range({
      ...declaration,
      columns: { ...columns, ...statics } as Statics extends Columns ? Read & Statics : Read,
    }),
    table,
    partition,
    order,
    columns,
    hasStatics: statics !== undefined,
    insert: insertInto(table, { ...key, ...columns }, 'TIMESTAMP'),
    delete: deleteFrom(table, key, 'TIMESTAMP'),
  };
}
