import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tables as `cql/` declares them. */

export interface Table {
  readonly name: string;
  readonly partitionKey: readonly string[];
  readonly clusteringKey: readonly string[];
  readonly statics: ReadonlySet<string>;
  /** True if rows are ordered from the highest to the lowest by default. */
  readonly descending: boolean;
  /** The seconds for which a write without a time to live is kept; 0 for good. */
  readonly timeToLive: number;
  /** The seconds for which a replica keeps a tombstone. */
  readonly gcGrace: number;
  /** True if a read that finds replicas that differ brings those that it asked to one state. */
  readonly isRepairedByReads: boolean;
}

const GC_GRACE_SECONDS = 864_000;

export function readTables(): Map<string, Table> {
  const folder = join(import.meta.dirname, '../../../cql');
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
    const option = (of: string) => new RegExp(`${of} = '?(\\w+)`).exec(options)?.[1];
    tables.set(name, {
      name,
      partitionKey: keyLine === undefined ? single : names(composite ?? first ?? ''),
      clusteringKey: names(rest),
      statics: new Set(own.filter((line) => line.endsWith(' static')).map(columnOf)),
      descending: options.includes(' DESC'),
      timeToLive: Number(option('default_time_to_live') ?? 0),
      gcGrace: Number(option('gc_grace_seconds') ?? GC_GRACE_SECONDS),
      isRepairedByReads: option('read_repair') !== 'NONE',
    });
  }
  return tables;
}
