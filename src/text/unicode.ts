import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The code points that Unicode 15.1 has not assigned, one range per line. Every Node since 20 knows
 * at least Unicode 15.1, and Unicode promises that normalization and case folding of assigned
 * characters never change. So a text folded by this version alone is the same in every Node.
 */
const UNASSIGNED_15_1 = readFileSync(join(import.meta.dirname, 'unassigned-15.1.txt'), 'utf8')
  .trim()
  .split('\n');

/** The code points that this version does not know, for a class of a regular expression. */
export const UNKNOWN = UNASSIGNED_15_1.map((range) => range.replace(/[0-9A-F]+/g, (point) => `\\u{${point}}`)).join('');
