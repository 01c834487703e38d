import type { Row } from './table.ts';

/** Bar charts as SVG, made by hand: a group for each workload, a bar for each system. */

/** The figure that is drawn of each row. */
export interface Measure {
  readonly title: string;
  readonly of: (row: Row) => number;
  readonly digits: number;
}

export const MEASURES: Readonly<Record<string, Measure>> = {
  rate: { title: 'requests a second, against the floor', of: ({ ofFloor }) => ofFloor.median, digits: 2 },
  p99: { title: 'p99 latency, ms', of: ({ p99 }) => p99, digits: 1 },
  processor: { title: "the server's processor time a request, ms", of: ({ processorMs }) => processorMs, digits: 2 },
};

const WIDTH = 720;
const LABELS = 190;
const NUMBERS = 60;
const BAR = 14;
const LINE = 18;
const COLOURS = ['#2b6cb0', '#718096', '#a0aec0', '#dd6b20', '#38a169'];

/** @param results the rows of each workload, by its title */
export function plotOf({ title, of, digits }: Measure, results: ReadonlyMap<string, readonly Row[]>): string {
  const parts: string[] = [];
  let y = LINE;
  const text = (x: number, content: string, style = '') =>
    parts.push(`<text x="${x}" y="${y + BAR - 3}"${style}>${escaped(content)}</text>`);
  text(0, title, ' font-weight="bold"');

  for (const [workload, rows] of results) {
    y += 1.5 * LINE;
    text(0, workload, ' font-style="italic"');
    const most = Math.max(...rows.map(of));
    for (const [index, row] of rows.entries()) {
      y += LINE;
      const length = ((WIDTH - LABELS - NUMBERS) * of(row)) / most;
      text(10, row.name);
      parts.push(
        `<rect x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" fill="${COLOURS[index] ?? ''}"/>`,
      );
      text(LABELS + Math.ceil(length) + 5, of(row).toFixed(digits));
    }
  }
  const size = `width="${WIDTH}" height="${y + 2 * LINE}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">\n<rect ${size} fill="white"/>\n${parts.join('\n')}\n</svg>\n`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
