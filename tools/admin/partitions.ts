import { parseArgs, styleText } from 'node:util';
import {
  boundOf,
  BYTES_MAX,
  CELLS_MAX,
  declaredBounds,
  nodeSizes,
  survey,
  tablesOf,
  type NodeSizes,
  type Survey,
  type Width,
} from '../partitions/widths.ts';
import { convertError, isReadFailure } from '../../src/cassandra/errors.ts';
import type { AppContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';
import { progressBar } from '../support/progress-bar.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- partitions`: shows the maximum and the actual width of the partitions of each
 * table.
 */

const USAGE = `Usage: npm run admin -- partitions [--json] [--rows ROWS]
  --json  print the figures as JSON, and nothing else
  --rows  rows to sample of each table, by default 100000; the last partition is read to its end
It exits with 1 if a partition is, or may become, too wide.`;

/** A table with its declared bound, its widest partition, and its problems. */
interface Line {
  readonly table: string;
  readonly bound: Width | null;
  readonly nodes: NodeSizes | null;
  readonly found: Survey;
  /** The factor by which the widest partition may still grow; null if there is no partition. */
  readonly growth: number | null;
  readonly problems: string[];
}

/** Migrations create this table themselves. It has a row for each of their steps. */
const WITHOUT_BOUND = new Set(['schema_steps']);

async function linesOf(
  { cassandra: { client }, config }: AppContext,
  rowsMax: number,
  onTable: (done: number, total: number, rows: number) => void,
): Promise<Line[]> {
  const { keyspace } = config.cassandra;
  const [bounds, tables, sizes] = [
    await declaredBounds(),
    await tablesOf(client, keyspace),
    await nodeSizes(client, keyspace),
  ];
  const lines: Line[] = [];
  let rows = 0;
  for (const [table, columns] of [...tables].toSorted(([one], [other]) => one.localeCompare(other))) {
    if (WITHOUT_BOUND.has(table)) continue;
    const problems: string[] = [];
    const found = await survey(client, keyspace, table, columns, rowsMax).catch((error: unknown): Survey => {
      if (!isReadFailure(convertError(table, error))) throw error;
      problems.push(
        'cannot be read at the beginning of the sample: it may have too many tombstones there; ' +
          'see the log of Cassandra',
      );
      return { partitions: 0, rows: 0, isAll: false, widest: undefined };
    });
    rows += found.rows;
    let bound: Width | null = null;
    const declared = bounds.get(table);
    try {
      bound = declared ? boundOf(columns, declared) : null;
      if (!declared) problems.push('no bound is written above it in cql/*.cql');
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
    if (bound) problems.push(...tooWide('may become', bound));
    const { widest } = found;
    if (widest) problems.push(...tooWide(`is already, at ${widest.key}:`, widest));
    if (widest && bound && widest.rows > bound.rows)
      problems.push(`has ${count(widest.rows)} rows at ${widest.key}; its bound is ${count(bound.rows)}`);
    const growth = widest && bound ? growthOf(widest, bound) : null;
    lines.push({ table, bound, nodes: sizes.get(table) ?? null, found, growth, problems });
    onTable(lines.length, tables.size - WITHOUT_BOUND.size, rows);
  }
  return lines;
}

function tooWide(how: string, { cells, bytes }: Width): string[] {
  const problems: string[] = [];
  if (cells > CELLS_MAX) problems.push(`${how} ${count(cells)} cells wide; ${count(CELLS_MAX)} are allowed`);
  if (bytes > BYTES_MAX) problems.push(`${how} ${size(bytes)} wide; ${size(BYTES_MAX)} are allowed`);
  return problems;
}

/** Computes the growth in rows, cells or bytes, whichever limit is reached first. */
const growthOf = (widest: Width, bound: Width): number =>
  Math.min(bound.rows / widest.rows, CELLS_MAX / widest.cells, BYTES_MAX / widest.bytes);

const count = (value: number) => value.toLocaleString('en');

function size(bytes: number): string {
  const [unit, name] =
    bytes < 1e3 ? ([1, 'B'] as const) : bytes < 1e6 ? ([1e3, 'kB'] as const) : ([1e6, 'MB'] as const);
  return `${(bytes / unit).toLocaleString('en', { maximumFractionDigits: 1 })} ${name}`;
}

/**
 * Returns whether a table is close to its bound. A table with a fixed number of rows may be full;
 * any other needs some room.
 */
const isFilling = ({ growth, bound }: Line) => growth !== null && bound !== null && growth < 10 && bound.rows >= 1_000;

const COLUMNS = [
  'table',
  'bound: rows',
  'cells',
  'bytes',
  'partitions seen',
  'widest: rows',
  'cells',
  'bytes',
  'on disk',
  'can grow',
];

function printed(lines: readonly Line[]): string {
  const cells = lines.map(({ table, bound, nodes, found: { partitions, isAll, widest }, growth }) => [
    table,
    ...(bound ? [count(bound.rows), count(bound.cells), size(bound.bytes)] : ['none', '', '']),
    `${isAll ? '' : 'sample of '}${count(partitions)}`,
    ...(widest ? [count(widest.rows), count(widest.cells), size(widest.bytes)] : ['', '', '']),
    nodes?.diskMiB == null ? '' : `${count(nodes.diskMiB)} MiB`,
    growth === null ? '' : `${count(growth < 10 ? Number(growth.toFixed(1)) : Math.floor(growth))} ×`,
  ]);
  const widths = COLUMNS.map((title, index) =>
    Math.max(title.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  const row = (line: readonly string[]) =>
    line
      .map((text, index) => (index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0)))
      .join('  ');
  const colourOf = (line: Line) => (line.problems.length > 0 ? 'red' : isFilling(line) ? 'yellow' : 'green');
  return [
    styleText('bold', row(COLUMNS), { stream: process.stdout }),
    ...lines.map((line, index) => styleText(colourOf(line), row(cells[index] ?? []), { stream: process.stdout })),
  ].join('\n');
}

function readArguments() {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, rows: { type: 'string', default: '100000' } },
  });
  const rowsMax = Number(values.rows);
  if (!Number.isSafeInteger(rowsMax) || rowsMax < 1) throw new Error('--rows is a whole number of rows');
  return { ...values, rowsMax };
}

async function partitions(app: AppContext, { json, rowsMax }: ReturnType<typeof readArguments>): Promise<number> {
  const bar = progressBar('reading tables', 'rows');
  const lines = await linesOf(app, rowsMax, (done, total, items) => {
    if (!json) bar.update({ items, done, total });
  });
  bar.stop();
  const wrong = lines.filter(({ problems }) => problems.length > 0);
  if (json) {
    process.stdout.write(`${JSON.stringify({ cellsMax: CELLS_MAX, bytesMax: BYTES_MAX, tables: lines }, null, 2)}\n`);
  } else {
    process.stdout.write(`${printed(lines)}\n`);
    for (const { table, problems } of wrong) for (const problem of problems) say(`${table}: ${problem}`);
    say(
      `${String(lines.length)} tables, ` +
        (wrong.length === 0 ? 'all within their bounds' : `${String(wrong.length)} over`),
    );
  }
  return wrong.length === 0 ? 0 : 1;
}

try {
  const given = readArguments();
  const log = given.json ? (line: string) => process.stderr.write(`${line}\n`) : say;
  await withApp((app) => partitions(app, given), log);
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
