import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { types } from 'cassandra-driver';

/**
 * A model of the part of Cassandra that this product uses: rows of cells with write timestamps, row tombstones, time to
 * live, static columns, conditional writes to one partition. One copy of the data; what a cluster adds to that (writes that
 * land late or never) is the business of `cluster.ts`.
 */

export type Value = unknown;
export type Values = Readonly<Record<string, Value>>;
export type Row = Record<string, Value>;

interface Table {
  readonly partitionKey: readonly string[];
  readonly clusteringKey: readonly string[];
  readonly statics: ReadonlySet<string>;
  /** Whether rows come from the highest to the lowest when nothing else is asked for. */
  readonly descending: boolean;
}

interface Cell {
  readonly value: Value;
  readonly timestamp: bigint;
  /** In milliseconds; Infinity for no time to live. */
  readonly expires: number;
}

interface StoredRow {
  readonly key: Row;
  /** That the row is there, whatever its cells: an INSERT writes it. */
  marker: bigint | undefined;
  deleted: bigint | undefined;
  readonly cells: Map<string, Cell>;
}

interface Partition {
  readonly key: Row;
  readonly token: bigint;
  readonly statics: Map<string, Cell>;
  readonly rows: Map<string, StoredRow>;
  /** A tombstone of the whole partition. */
  deleted: bigint | undefined;
}

/** One comparison of a WHERE, on a tuple of columns; `IN` compares with any of a list. */
interface Restriction {
  readonly columns: readonly string[];
  readonly operator: string;
  readonly markers: readonly string[];
}

interface Parsed {
  readonly verb: 'INSERT' | 'UPDATE' | 'DELETE' | 'SELECT';
  readonly tableName: string;
  readonly table: Table;
  readonly assignments: readonly { column: string; marker: string }[];
  readonly where: readonly Restriction[];
  readonly timestamp: string | undefined;
  readonly timeToLive: string | undefined;
  /** The column and marker of `IF column = :marker`; a marker of `null` for no value. */
  readonly condition: { column: string; marker: string } | 'EXISTS' | 'NOT EXISTS' | undefined;
  readonly selected: readonly { name: string; of: string; aggregate: string | undefined }[];
  readonly groupBy: string | undefined;
  readonly descending: boolean;
  readonly limit: string | undefined;
}

/** How many rows are asked for at once, and behind which page. */
export interface Paging {
  readonly fetchSize?: number;
  readonly pageState?: string;
}

export interface Result {
  readonly rows: Row[];
  /** Null when there are no more rows. */
  readonly pageState: string | null;
}

/** A write or read with its values. */
export interface Query {
  readonly cql: string;
  readonly values: Values;
}

export const isConditional = (queries: readonly Query[]) => queries.some(({ cql }) => cql.includes(' IF '));

export class Store {
  readonly #tables = readTables();
  readonly #parsed = new Map<string, Parsed>();
  /** By table, then by the text of their key. */
  readonly #partitions = new Map<string, Map<string, Partition>>();
  /** The last row of every page that was cut off, by what was answered as its state. */
  readonly #pageEnds = new Map<string, Row>();
  #timestamp = 1_000_000_000_000_000n;

  /** Which partition a query is about; for IN the first one. */
  partitionOf({ cql, values }: Query): string {
    const parsed = this.#parse(cql);
    return partitionId(parsed, this.#partitionKeys(parsed, values)[0] ?? {});
  }

  /**
   * Executes a read, a write, or a batch of writes.
   * @param now in milliseconds
   */
  execute(queries: readonly Query[], now: number, paging: Paging = {}): Result {
    const parsed = queries.map(({ cql, values }) => ({ parsed: this.#parse(cql), values }));
    const [read] = parsed;
    if (read?.parsed.verb === 'SELECT') return this.#select(read.parsed, read.values, now, paging);
    const timestamp = this.#timestamp++;
    const conditional = parsed.filter((write) => write.parsed.condition !== undefined);
    for (const write of conditional) {
      const current = this.#standsInTheWay(write.parsed, write.values, now);
      if (current) return { rows: [{ '[applied]': false, ...current }], pageState: null };
    }
    for (const write of parsed) this.#write(write.parsed, write.values, timestamp, now);
    return { rows: conditional.length > 0 ? [{ '[applied]': true }] : [], pageState: null };
  }

  /** Every visible row of a table, for checks. */
  scan(tableName: string, now: number): Row[] {
    const table = this.#tables.get(tableName);
    if (!table) throw new Error(`no table ${tableName}`);
    return [...(this.#partitions.get(tableName)?.values() ?? [])].flatMap((partition) =>
      visibleRows(table, partition, now),
    );
  }

  #standsInTheWay(parsed: Parsed, values: Values, now: number): Row | undefined {
    const { table, condition } = parsed;
    const key = this.#partitionKeys(parsed, values)[0] ?? {};
    const partition = this.#partitions.get(parsed.tableName)?.get(partitionId(parsed, key));
    const clustering = clusteringOf(parsed, values);
    const row =
      partition && visibleRows(table, partition, now, isStatic(parsed)).find((each) => equals(each, clustering));
    if (condition === 'NOT EXISTS') {
      return row && Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('WRITETIME')));
    }
    if (condition === 'EXISTS') return row ? undefined : {};
    if (condition === undefined) return undefined;
    const wanted = condition.marker === 'null' ? null : values[condition.marker];
    const found = row?.[condition.column] ?? null;
    if (encode(found) === encode(wanted)) return undefined;
    return row ? { [condition.column]: found } : {};
  }

  #write(parsed: Parsed, values: Values, now: bigint, milliseconds: number): void {
    const { table, verb, assignments } = parsed;
    const key = this.#partitionKeys(parsed, values)[0] ?? {};
    const id = partitionId(parsed, key);
    const partitions = this.#partitions.get(parsed.tableName) ?? new Map<string, Partition>();
    this.#partitions.set(parsed.tableName, partitions);
    let partition = partitions.get(id);
    if (!partition)
      partitions.set(
        id,
        (partition = { key, token: tokenOf(id), statics: new Map(), rows: new Map(), deleted: undefined }),
      );
    const timestamp = timestampOf(parsed.timestamp, values) ?? now;
    const seconds = parsed.timeToLive === undefined ? 0 : (values[parsed.timeToLive] as number);
    const expires = seconds === 0 ? Infinity : milliseconds + seconds * 1_000;
    const rowKey = clusteringOf(parsed, values);
    const rowId = encode(table.clusteringKey.map((column) => rowKey[column]));
    const row = (): StoredRow => {
      let found = partition.rows.get(rowId);
      if (!found)
        partition.rows.set(rowId, (found = { key: rowKey, marker: undefined, deleted: undefined, cells: new Map() }));
      return found;
    };
    if (verb === 'DELETE') {
      const isWhole = table.clusteringKey.length > 0 && Object.keys(rowKey).length === 0;
      const deleted = isWhole ? partition : row();
      if (deleted.deleted === undefined || deleted.deleted < timestamp) deleted.deleted = timestamp;
      return;
    }
    if (verb === 'INSERT') {
      const inserted = row();
      if (inserted.marker === undefined || inserted.marker < timestamp) inserted.marker = timestamp;
    }
    for (const { column, marker } of assignments) {
      if (table.partitionKey.includes(column) || table.clusteringKey.includes(column)) continue;
      const cells = table.statics.has(column) ? partition.statics : row().cells;
      const before = cells.get(column);
      const cell = { value: values[marker] ?? null, timestamp, expires };
      if (!before || wins(cell, before)) cells.set(column, cell);
    }
  }

  #select(parsed: Parsed, values: Values, now: number, { fetchSize, pageState }: Paging): Result {
    const { table, where, selected, groupBy, descending, limit } = parsed;
    const found: Row[] = [];
    for (const partition of this.#partitionsOf(parsed, values)) {
      const restrictions = where.filter(({ columns }) => !table.partitionKey.includes(columns[0] ?? ''));
      const { key, token } = partition;
      const matching = visibleRows(table, partition, now)
        .map((row): Row => ({ ...row, ring_token: token }))
        .filter((row) => restrictions.every((restriction) => matches(row, restriction, values)))
        .sort((one, other) => compareKeys(table.clusteringKey, one, other) * (descending ? -1 : 1));
      if (groupBy === undefined) found.push(...matching);
      else if (matching.length > 0) {
        const group: Row = { ...key };
        for (const { name, of, aggregate } of selected) {
          const numbers = matching.map((row) => row[of] as number);
          if (aggregate === 'sum') group[name] = numbers.reduce((sum, number) => sum + number, 0);
          if (aggregate === 'max') group[name] = Math.max(...numbers);
        }
        found.push(group);
      }
    }
    const bounded = limit === undefined ? found : found.slice(0, values[limit] as number);
    // As Cassandra does, from behind the last row of the page before, whatever has become of it meanwhile.
    const end = this.#pageEnds.get(pageState ?? '');
    const order = (one: Row, other: Row) =>
      compare(one['ring_token'], other['ring_token']) ||
      compareKeys(table.clusteringKey, one, other) * (descending ? -1 : 1);
    const behind = end === undefined ? bounded : bounded.filter((row) => order(row, end) > 0);
    const page = behind.slice(0, fetchSize);
    const last = page.length < behind.length ? page.at(-1) : undefined;
    const next = last ? Buffer.from(encode([last['ring_token'], table.clusteringKey.map((name) => last[name])])).toString('hex') : null; // prettier-ignore
    if (last && next !== null) this.#pageEnds.set(next, last);
    return {
      rows: page.map((row) =>
        Object.fromEntries(selected.map(({ name, of }) => [name, row[name] ?? fieldOf(row, of) ?? null])),
      ),
      pageState: next,
    };
  }

  /** The partitions that a query names; for a walk all of them, in token order. */
  #partitionsOf(parsed: Parsed, values: Values): Partition[] {
    if (parsed.where.some(({ columns }) => columns[0] === 'ring_token')) {
      return [...(this.#partitions.get(parsed.tableName)?.values() ?? [])].sort((one, other) =>
        compare(one.token, other.token),
      );
    }
    return this.#partitionKeys(parsed, values).flatMap(
      (key) => this.#partitions.get(parsed.tableName)?.get(partitionId(parsed, key)) ?? [],
    );
  }

  /** The partitions that a query names, several for IN. */
  #partitionKeys({ table, verb, where, assignments }: Parsed, values: Values): Row[] {
    let keys: Row[] = [{}];
    for (const column of table.partitionKey) {
      const named =
        verb === 'INSERT'
          ? assignments.filter((each) => each.column === column).map(({ marker }) => [values[marker]])
          : where
              .filter(({ columns }) => columns[0] === column)
              .map(({ operator, markers }) => {
                const value = values[markers[0] ?? ''];
                return operator === 'IN' ? (value as Value[]) : [value];
              });
      keys = keys.flatMap((key) => (named[0] ?? []).map((value) => ({ ...key, [column]: value })));
    }
    return keys;
  }

  #parse(cql: string): Parsed {
    let parsed = this.#parsed.get(cql);
    if (!parsed) this.#parsed.set(cql, (parsed = parse(cql, this.#tables)));
    return parsed;
  }
}

/** The write timestamp that a statement gives, by a marker or as a number. */
function timestampOf(given: string | undefined, values: Values): bigint | undefined {
  if (given === undefined) return undefined;
  return /^\d+$/.test(given) ? BigInt(given) : (values[given] as bigint);
}

/** Any even spread will do: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
function tokenOf(id: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return BigInt.asIntN(64, hash);
}

const partitionId = ({ tableName, table }: Parsed, key: Row) =>
  `${tableName} ${encode(table.partitionKey.map((column) => key[column]))}`;

/** A write to static columns alone. */
const isStatic = ({ table, assignments }: Parsed) => assignments.every(({ column }) => table.statics.has(column));

function clusteringOf({ table, verb, where, assignments }: Parsed, values: Values): Row {
  const key: Row = {};
  for (const column of table.clusteringKey) {
    const marker =
      verb === 'INSERT'
        ? assignments.find((each) => each.column === column)?.marker
        : where.find(({ columns }) => columns[0] === column)?.markers[0];
    if (marker !== undefined) key[column] = values[marker];
  }
  return key;
}

const equals = (row: Row, part: Row) =>
  Object.entries(part).every(([column, value]) => encode(row[column]) === encode(value));

/** The later one wins; of two of one moment the one that deletes, else the greater value. */
function wins(cell: Cell, before: Cell): boolean {
  if (cell.timestamp !== before.timestamp) return cell.timestamp > before.timestamp;
  return cell.value === null || (before.value !== null && compare(cell.value, before.value) > 0);
}

const live = (cell: Cell | undefined, now: number): Value =>
  cell === undefined || cell.expires <= now ? null : cell.value;

/** A column, or a field of one: `state.email`. */
function fieldOf(row: Row, of: string): Value {
  const [column = '', field] = of.split('.');
  return field === undefined ? row[column] : (row[column] as Row | null | undefined)?.[field];
}

function visibleRows(table: Table, partition: Partition, now: number, withStaticOnly = false): Row[] {
  const { key, statics, rows } = partition;
  const isAfter = (timestamp: bigint, deleted: bigint | undefined) => deleted === undefined || timestamp > deleted;
  const shared: Row = { ...key };
  for (const column of table.statics) {
    const cell = statics.get(column);
    shared[column] = cell && isAfter(cell.timestamp, partition.deleted) ? live(cell, now) : null;
  }
  const visible: Row[] = [];
  for (const row of rows.values()) {
    const after = (timestamp: bigint) => isAfter(timestamp, row.deleted) && isAfter(timestamp, partition.deleted);
    let isThere = row.marker !== undefined && after(row.marker);
    const full: Row = { ...shared, ...row.key };
    for (const [column, cell] of row.cells) {
      full[`WRITETIME(${column})`] = cell.timestamp;
      full[column] = after(cell.timestamp) ? live(cell, now) : null;
      isThere ||= full[column] !== null;
    }
    if (isThere) visible.push(full);
  }
  if (withStaticOnly && visible.length === 0 && statics.size > 0) visible.push(shared);
  return visible;
}

function matches(row: Row, { columns, operator, markers }: Restriction, values: Values): boolean {
  const own = columns.map((column) => row[column]);
  const given = markers.map((marker) => values[marker]);
  if (operator === 'IN') {
    return (given[0] as Value[]).some(
      (each) => compareAll(own, each instanceof types.Tuple ? each.values() : [each]) === 0,
    );
  }
  const order = compareAll(own, given);
  switch (operator) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      throw new Error(`an operator that the model lacks: ${operator}`);
  }
}

function compareAll(one: readonly Value[], other: readonly Value[]): number {
  for (const [index, value] of one.entries()) {
    const order = index < other.length ? compare(value, other[index]) : 0;
    if (order !== 0) return order;
  }
  return 0;
}

const compareKeys = (columns: readonly string[], one: Row, other: Row) =>
  compareAll(
    columns.map((column) => one[column]),
    columns.map((column) => other[column]),
  );

function compare(one: Value, other: Value): number {
  const [a, b] = [comparable(one), comparable(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparable(value: Value): number | string | bigint {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value;
  return encode(value);
}

/** One text for one value. */
export function encode(value: Value): string {
  if (value instanceof Date) return `@${value.getTime()}`;
  if (value instanceof types.Uuid) return value.toString();
  if (value instanceof types.Tuple) return encode(value.values());
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([name, each]) => `${name}:${encode(each)}`).join(',')}}`;
  }
  return typeof value === 'string' ? value : String(value);
}

function readTables(): Map<string, Table> {
  const folder = join(import.meta.dirname, '../../cql');
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8').replace(/--.*$/gm, ''))
    .join('\n');
  const tables = new Map<string, Table>();
  for (const [, name = '', body = '', options = ''] of text.matchAll(
    /CREATE TABLE IF NOT EXISTS (\w+) \(([\s\S]*?)\n\)([^;]*)/g,
  )) {
    const lines = body.split(/,\s*\n/).map((line) => line.trim());
    const keyLine = lines.find((line) => line.startsWith('PRIMARY KEY'));
    const own = lines.filter((line) => line !== keyLine);
    const columnOf = (line: string) => line.split(' ')[0] ?? '';
    const single = own.filter((line) => line.includes('PRIMARY KEY')).map(columnOf);
    const [, composite, first, rest = ''] =
      /PRIMARY KEY \((?:\(([^)]*)\)|(\w+))(?:, ([^)]*))?\)/.exec(keyLine ?? '') ?? [];
    const names = (list: string) => list.split(',').flatMap((each) => each.trim() || []);
    tables.set(name, {
      partitionKey: keyLine === undefined ? single : names(composite ?? first ?? ''),
      clusteringKey: names(rest),
      statics: new Set(own.filter((line) => line.endsWith(' static')).map(columnOf)),
      descending: options.includes(' DESC'),
    });
  }
  return tables;
}

function parse(text: string, tables: ReadonlyMap<string, Table>): Parsed {
  const cql = text
    .replace(/\s+/g, ' ')
    .replace(/token\([^)]*\)(?: AS ring_token)?/g, 'ring_token')
    .trim();
  const tableName = /(?:INTO|FROM|^UPDATE) (\w+)/.exec(cql)?.[1] ?? '';
  const table = tables.get(tableName);
  const verb = /^(INSERT|UPDATE|DELETE|SELECT)/.exec(cql)?.[1] as Parsed['verb'] | undefined;
  if (!table || !verb) throw new Error(`a statement that the model lacks: ${cql}`);
  const where = / WHERE (.*?)(?: IF | GROUP BY | ORDER BY | LIMIT |$)/.exec(cql)?.[1] ?? '';
  const [, , exists, column, marker] = / IF (((?:NOT )?EXISTS)|(\w+) = :?(\w+))/.exec(cql) ?? [];
  const [, inserted = '', given = ''] = /\(([^)]*)\) VALUES \(([^)]*)\)/.exec(cql) ?? [];
  const list = (of: string) => of.split(',').map((each) => each.trim().replace(/^:/, ''));
  const set = / SET (.*?) WHERE /.exec(cql)?.[1] ?? '';
  const markers = list(given);
  return {
    verb,
    tableName,
    table,
    assignments:
      verb === 'INSERT'
        ? list(inserted).map((name, index) => ({ column: name, marker: markers[index] ?? '' }))
        : [...set.matchAll(/(\w+) = :(\w+)/g)].map(([, name = '', of = '']) => ({ column: name, marker: of })),
    where: where === '' ? [] : where.split(' AND ').map(parseRestriction),
    timestamp: /TIMESTAMP :?(\w+)/.exec(cql)?.[1],
    timeToLive: /TTL :(\w+)/.exec(cql)?.[1],
    condition:
      exists !== undefined
        ? (exists as 'EXISTS' | 'NOT EXISTS')
        : column !== undefined && marker !== undefined
          ? { column, marker }
          : undefined,
    selected:
      verb === 'SELECT'
        ? (/^SELECT (?:DISTINCT )?(.*?) FROM/.exec(cql)?.[1] ?? '').split(', ').map((each) => {
            const [, field, as] = /^(\w+\.\w+) AS (\w+)$/.exec(each) ?? [];
            if (field !== undefined && as !== undefined) return { name: as, of: field, aggregate: undefined };
            const [, call = each, aggregate, column = each, name = column] =
              /^((\w+)\((\w+)\)) AS (\w+)$/.exec(each) ?? [];
            return { name, of: aggregate === 'WRITETIME' ? call : column, aggregate };
          })
        : [],
    groupBy: / GROUP BY (\w+)/.exec(cql)?.[1],
    descending: cql.includes(' ORDER BY ') ? / ORDER BY .* DESC/.test(cql) : table.descending,
    limit: / LIMIT :(\w+)/.exec(cql)?.[1],
  };
}

function parseRestriction(text: string): Restriction {
  const [, left = '', operator = '', right = ''] = /^(.*?) (<=|>=|<|>|=|IN) (.*)$/.exec(text) ?? [];
  const names = (side: string) => [...side.matchAll(/:?(\w+)/g)].map(([, name = '']) => name);
  return { columns: names(left), operator, markers: names(right) };
}
