import { tableIn } from '../../src/libraryimports/file.ts';
import type { ReadLine } from '../../src/libraryimports/lines.ts';
import { linesOf, surveyOf } from '../../src/libraryimports/sources.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

/** Reads the lines of a reader's library. */
export async function readFile(file: Buffer): Promise<ReadLine[]> {
  const table = await tableIn(file);
  return Array.fromAsync(linesOf(table, await surveyOf(table, NOW), NOW));
}

export const readLines = (...lines: string[]): Promise<ReadLine[]> => readFile(Buffer.from(lines.join('\n')));
