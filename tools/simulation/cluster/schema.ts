import { declaredSchema } from '../../../src/schema/declared.ts';

/** The tables as `cql/` declares them. */

export interface Table {
  readonly name: string;
  readonly partitionKey: readonly string[];
  readonly clusteringKey: readonly string[];
  readonly statics: ReadonlySet<string>;
  /** True if rows are ordered from the highest to the lowest by default. */
  readonly descending: boolean;
  /** The seconds for which a write without a time to live is kept; 0 if it never expires. */
  readonly timeToLive: number;
  /** The seconds for which a replica keeps a tombstone. */
  readonly gcGrace: number;
  /** True if a read that finds differing replicas repairs those that it has queried. */
  readonly isRepairedByReads: boolean;
}

const GC_GRACE_SECONDS = 864_000;

export async function readTables(): Promise<Map<string, Table>> {
  const { tables } = await declaredSchema();
  return new Map(
    tables.map(({ name, columns, options }) => {
      const keyOf = (kind: 'partition_key' | 'clustering') =>
        columns
          .filter((column) => column.kind === kind)
          .toSorted((one, other) => one.position - other.position)
          .map((column) => column.name);
      const option = (of: string) => new RegExp(`${of} = '?(\\w+)`).exec(options)?.[1];
      return [
        name,
        {
          name,
          partitionKey: keyOf('partition_key'),
          clusteringKey: keyOf('clustering'),
          statics: new Set(columns.filter(({ kind }) => kind === 'static').map((column) => column.name)),
          descending: options.includes(' DESC'),
          timeToLive: Number(option('default_time_to_live') ?? 0),
          gcGrace: Number(option('gc_grace_seconds') ?? GC_GRACE_SECONDS),
          isRepairedByReads: option('read_repair') !== 'NONE',
        },
      ];
    }),
  );
}
