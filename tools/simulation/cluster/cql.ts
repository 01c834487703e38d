import type { Table } from './schema.ts';

/** The part of CQL that the product uses, parsed. An unknown statement is an error. */

/** One comparison of a WHERE, on a tuple of columns; `IN` compares with any tuple of a list. */
export interface Restriction {
  readonly columns: readonly string[];
  readonly operator: string;
  readonly markers: readonly string[];
}

/** A selected value: a column, a field of one, or an aggregate of it. */
export interface Selected {
  readonly name: string;
  readonly of: string;
  readonly aggregate: string | undefined;
  /** True if an aggregate is cast. */
  readonly isInt?: boolean;
}

export interface Parsed {
  readonly verb: 'INSERT' | 'UPDATE' | 'DELETE' | 'SELECT';
  readonly table: Table;
  /** The markers of the columns of the partition key, in their order, each with a flag for IN. */
  readonly partitionKey: readonly { readonly marker: string; readonly isIn: boolean }[];
  /**
   * The markers of the clustering columns that a write names. A deletion may name only the first
   * ones.
   */
  readonly clusteringKey: readonly string[];
  /** The columns that a write assigns, with their values. */
  readonly assignments: readonly { readonly column: string; readonly marker: string }[];
  /**
   * The restrictions on clustering columns: those of a read, or those between which a deletion
   * removes rows.
   */
  readonly where: readonly Restriction[];
  /** True if a read scans many partitions between two tokens. */
  readonly isWalk: boolean;
  readonly timestamp: string | undefined;
  readonly timeToLive: string | undefined;
  /**
   * The columns and markers of `IF column = :marker AND other < :marker …`; the marker is `null`
   * for no value.
   */
  readonly condition:
    readonly { column: string; operator: string; marker: string }[] | 'EXISTS' | 'NOT EXISTS' | undefined;
  readonly selected: readonly Selected[];
  /** The columns to group by; none if nothing is grouped. */
  readonly groupBy: readonly string[];
  readonly descending: boolean;
  /** A marker or a number. */
  readonly limit: string | undefined;
  readonly limitOfPartition: string | undefined;
}

export function parse(text: string, tables: ReadonlyMap<string, Table>): Parsed {
  const cql = text
    .replace(/\s+/g, ' ')
    .replace(/token\([^)]*\)(?: AS ring_token)?/g, 'ring_token')
    .trim();
  const table = tables.get(/(?:INTO|FROM|^UPDATE) (\w+)/.exec(cql)?.[1] ?? '');
  const verb = /^(INSERT|UPDATE|DELETE|SELECT)/.exec(cql)?.[1] as Parsed['verb'] | undefined;
  if (!table || !verb) throw new Error(`a statement that the model lacks: ${cql}`);

  const [, condition, exists] = / IF (((?:NOT )?EXISTS)(?: USING .*)?|.*)$/.exec(cql) ?? [];
  const where = restrictionsOf(/ WHERE (.*?)(?: IF | GROUP BY | ORDER BY | PER PARTITION | LIMIT |$)/.exec(cql)?.[1]);
  const assigned = verb === 'INSERT' ? insertedBy(cql) : updatedBy(cql);
  const isWalk = where.some(({ columns }) => columns[0] === 'ring_token');
  const named = (column: string) => {
    const marker = assigned.find((each) => each.column === column)?.marker;
    if (marker !== undefined) return { marker, isIn: false };
    const own = where.find(({ columns, operator }) => columns[0] === column && ['=', 'IN'].includes(operator));
    return own ? { marker: own.markers[0] ?? '', isIn: own.operator === 'IN' } : undefined;
  };
  const partitionKey = isWalk ? [] : table.partitionKey.flatMap((column) => named(column) ?? []);
  const clusteringKey = verb === 'SELECT' ? [] : table.clusteringKey.flatMap((column) => named(column)?.marker ?? []);
  const isOfRow = clusteringKey.length === table.clusteringKey.length;
  const isOfRange =
    verb === 'DELETE' && table.clusteringKey.slice(0, clusteringKey.length).every((column) => named(column));
  const isOfPartition = clusteringKey.length === 0;
  const isOfKnownRows = verb === 'SELECT' || isOfRow || isOfRange || isOfPartition;
  if ((!isWalk && partitionKey.length < table.partitionKey.length) || !isOfKnownRows)
    throw new Error(`a statement that the model lacks: ${cql}`);

  return {
    verb,
    table,
    partitionKey,
    clusteringKey,
    assignments: assigned.filter(({ column }) => ![...table.partitionKey, ...table.clusteringKey].includes(column)),
    where:
      verb === 'DELETE'
        ? []
        : where.filter(({ columns }) => columns[0] === 'ring_token' || table.clusteringKey.includes(columns[0] ?? '')),
    isWalk,
    timestamp: /TIMESTAMP :?(\w+)/.exec(cql)?.[1],
    timeToLive: /TTL :(\w+)/.exec(cql)?.[1],
    condition:
      exists !== undefined
        ? (exists as 'EXISTS' | 'NOT EXISTS')
        : condition
            ?.split(' AND ')
            .map(restrictionOf)
            .map(({ columns, operator, markers: [marker = ''] }) => ({ column: columns[0] ?? '', operator, marker })),
    selected: verb === 'SELECT' ? selectedBy(cql) : [],
    groupBy: / GROUP BY (\w+(?:, \w+)*)/.exec(cql)?.[1]?.split(', ') ?? [],
    descending: cql.includes(' ORDER BY ') ? / ORDER BY .* DESC/.test(cql) : table.descending,
    limit: /(?<!PARTITION) LIMIT :?(\w+)/.exec(cql)?.[1],
    limitOfPartition: / PER PARTITION LIMIT :(\w+)/.exec(cql)?.[1],
  };
}

function insertedBy(cql: string) {
  const [, columns = '', values = ''] = /\(([^)]*)\) VALUES \(([^)]*)\)/.exec(cql) ?? [];
  const list = (of: string) => of.split(',').map((each) => each.trim().replace(/^:/, ''));
  const markers = list(values);
  return list(columns).map((column, index) => ({ column, marker: markers[index] ?? '' }));
}

function updatedBy(cql: string) {
  const set = / SET (.*?) WHERE /.exec(cql)?.[1] ?? '';
  return [...set.matchAll(/(\w+) = :(\w+)/g)].map(([, column = '', marker = '']) => ({ column, marker }));
}

function selectedBy(cql: string): Selected[] {
  const list = /^SELECT (?:DISTINCT )?(.*?) FROM/.exec(cql)?.[1] ?? '';
  return list.split(', ').map((each) => {
    const [, field, as] = /^(\w+\.\w+) AS (\w+)$/.exec(each) ?? [];
    if (field !== undefined && as !== undefined) return { name: as, of: field, aggregate: undefined };
    const [, call, aggregate, column = each, name = each] =
      /^(?:CAST\()?((\w+)\((\w+|\*)\))(?: AS int\))? AS (\w+)$/.exec(each) ?? [];
    if (aggregate === 'WRITETIME') return { name, of: call ?? '', aggregate: undefined };
    return { name, of: column, aggregate, isInt: each.startsWith('CAST') };
  });
}

const restrictionsOf = (where: string | undefined): Restriction[] => where?.split(' AND ').map(restrictionOf) ?? [];

function restrictionOf(text: string): Restriction {
  const [, left = '', operator = '', right = ''] = /^(.*?) (<=|>=|<|>|=|IN) (.*)$/.exec(text) ?? [];
  const names = (side: string) => [...side.matchAll(/:?(\w+)/g)].map(([, name = '']) => name);
  return { columns: names(left), operator, markers: names(right) };
}
