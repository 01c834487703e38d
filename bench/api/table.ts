import { median } from '../bench.ts';
import { FLOOR } from './systems.ts';
import type { MeasuredTurn } from './turns.ts';

/** The measurements of one workload: the turns of each system, round by round. */
export type Measurements = ReadonlyMap<string, readonly MeasuredTurn[]>;

/** The medians of a system's turns. */
export interface Row extends MeasuredTurn {
  readonly name: string;
  /** The rate relative to the floor's in the same round: the median, the least and the most. */
  readonly ofFloor: { readonly median: number; readonly least: number; readonly most: number };
}

/** Computes the medians of all systems. */
export function rowsOf(measurements: Measurements): Row[] {
  const floor = measurements.get(FLOOR) ?? [];
  return [...measurements].map(([name, turns]) => {
    const of = (what: keyof MeasuredTurn) => median(turns.map((turn) => turn[what]));
    const ratios = turns.map(({ rate }, round) => rate / (floor[round]?.rate ?? NaN));
    return {
      name,
      rate: of('rate'),
      p50: of('p50'),
      p99: of('p99'),
      processorMs: of('processorMs'),
      residentMebibytes: of('residentMebibytes'),
      ofFloor: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
    };
  });
}

const HEAD = ['system', 'requests/s', '× floor (least to most)', 'p50 ms', 'p99 ms', 'CPU ms a request', 'MiB'];

/** Makes a table in Markdown for one workload. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, rate, ofFloor, p50, p99, processorMs, residentMebibytes }) => [
    name,
    rate.toFixed(0),
    `${ofFloor.median.toFixed(2)} (${ofFloor.least.toFixed(2)} to ${ofFloor.most.toFixed(2)})`,
    p50.toFixed(1),
    p99.toFixed(1),
    processorMs.toFixed(2),
    residentMebibytes.toFixed(0),
  ]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(HEAD), rule, ...cells.map(line)].join('\n');
}
