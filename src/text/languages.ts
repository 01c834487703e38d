import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The languages of the world, by their codes. */

/**
 * The codes of ISO 639: the two letters of part 1, the three letters of part 2 in both forms and
 * with its collections, and those of part 3, as published by its registration authority, SIL, in
 * July 2026. The runtime's own list changes with each release of ICU.
 */
const CODES: ReadonlySet<string> = new Set(
  readFileSync(join(import.meta.dirname, 'language-codes.txt'), 'utf8')
    .trimEnd()
    .split('\n'),
);

/** True for the code of a language in ISO 639, of two or three small letters. */
export const isLanguage = (code: string): boolean => CODES.has(code);
