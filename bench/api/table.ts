import { median } from '../bench.ts';
import { FLOOR, OURS, POSTGRAPHILE } from './systems.ts';
import type { MeasuredTurn } from './turns.ts';

/** The measurements of one workload: the turns of each system, round by round. */
export type Measurements = ReadonlyMap<string, readonly MeasuredTurn[]>;

type Figure = Exclude<keyof MeasuredTurn, 'statements'>;

/** A system's turns, and their medians. */
export interface Row extends MeasuredTurn {
  readonly name: string;
  /**
   * The rate relative to the floor's in the same round: the median, the minimum and the maximum.
   */
  readonly ofFloor: { readonly median: number; readonly least: number; readonly most: number };
  readonly turns: readonly MeasuredTurn[];
}

/** Computes the medians of all systems. */
export function rowsOf(measurements: Measurements): Row[] {
  const floor = measurements.get(FLOOR) ?? [];
  return [...measurements].map(([name, turns]) => {
    const of = (what: Figure) => median(turns.map((turn) => turn[what]));
    const ofFloor = ratios({ turns }, { turns: floor }, 'rate');
    const statements = new Set(turns.flatMap((turn) => [...turn.statements.keys()]));
    return {
      name,
      turns,
      requests: of('requests'),
      rate: of('rate'),
      p50: of('p50'),
      p99: of('p99'),
      processorMs: of('processorMs'),
      databaseMs: of('databaseMs'),
      residentMebibytes: of('residentMebibytes'),
      statements: new Map(
        [...statements].map((each) => [each, median(turns.map((turn) => turn.statements.get(each) ?? 0))]),
      ),
      ofFloor: { median: median(ofFloor), least: Math.min(...ofFloor), most: Math.max(...ofFloor) },
    };
  });
}

/** Compares a figure of two systems, round by round. */
const ratios = (one: Pick<Row, 'turns'>, other: Pick<Row, 'turns'>, what: Figure): number[] =>
  one.turns.map((turn, round) => turn[what] / (other.turns[round]?.[what] ?? NaN));

const spread = ({ median: middle, least, most }: Row['ofFloor']) =>
  `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;

const HEAD = [
  'system',
  'requests/s',
  '× floor (least to most)',
  'p50 ms',
  'p99 ms',
  'CPU ms a request',
  'database CPU ms',
  'MiB',
];

/** Makes the table of one workload in Markdown, with the statements of our server below it. */
export function tableOf(rows: readonly Row[]): string {
  const table = aligned([
    HEAD,
    ...rows.map((row) => [
      row.name,
      row.rate.toFixed(0),
      spread(row.ofFloor),
      row.p50.toFixed(1),
      row.p99.toFixed(1),
      row.processorMs.toFixed(2),
      row.databaseMs.toFixed(2),
      row.residentMebibytes.toFixed(0),
    ]),
  ]);
  const statements = rows.find(({ name }) => name === OURS)?.statements ?? [];
  const shares = [...statements]
    .filter(([, count]) => count >= LEAST_SHOWN)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `- ${count.toFixed(2)} \`${name}\``);
  return [table, 'Statements of ours a request:', shares.join('\n')].join('\n\n');
}

/** Less frequent statements are those of workers. */
const LEAST_SHOWN = 0.05;

const SUMMARY_HEAD = [
  'workload',
  'requests/s',
  '× floor (least to most)',
  '× PostGraphile',
  'p99 ms',
  '× floor',
  'CPU ms',
  'floor',
  'PostGraphile',
  '× PostGraphile',
  'database CPU ms',
  'floor',
  'PostGraphile',
  'MiB',
];

/** Makes a table in Markdown with a line for each workload: our server, compared with others. */
export function summaryOf(results: ReadonlyMap<string, readonly Row[]>): string {
  const lines = [...results].map(([title, rows]) => {
    const [ours, floor, postgraphile] = [OURS, FLOOR, POSTGRAPHILE].map((name) =>
      rows.find((row) => row.name === name),
    );
    const of = (row: Row | undefined, what: Figure, digits = 2) => row?.[what].toFixed(digits) ?? '';
    const ratio = (row: Row | undefined, what: Figure) =>
      ours && row ? median(ratios(ours, row, what)).toFixed(2) : '';
    return [
      title,
      of(ours, 'rate', 0),
      ours ? spread(ours.ofFloor) : '',
      ratio(postgraphile, 'rate'),
      of(ours, 'p99', 1),
      ratio(floor, 'p99'),
      of(ours, 'processorMs'),
      of(floor, 'processorMs'),
      of(postgraphile, 'processorMs'),
      ratio(postgraphile, 'processorMs'),
      of(ours, 'databaseMs'),
      of(floor, 'databaseMs'),
      of(postgraphile, 'databaseMs'),
      of(ours, 'residentMebibytes', 0),
    ];
  });
  return aligned([SUMMARY_HEAD, ...lines]);
}

/** Aligns the cells of a table in Markdown, numbers to the right. The first line is its head. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const [head = [], ...cells] = lines;
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [padded(head), rule, ...cells.map(padded)].join('\n');
}
