import { invalidInput } from '../graphql/errors.ts';
import { shownInput } from '../graphql/inputs.ts';

/** Reads the inputs of reviews. */

/** The longest review, in code points. */
export const TEXT_LENGTH_MAX = 10_000;

/** @throws {UserError} `INVALID_INPUT` about `text` */
export const textInput = (text: string): string => shownInput(['text'], 'A review', text, TEXT_LENGTH_MAX, 'KEPT');

/** @throws {UserError} `INVALID_INPUT` about `language` */
export function languageInput(code: string | null | undefined): string | null {
  if (code == null) return null;
  const given = code.trim().toLowerCase();
  if (/^[a-z]{2,3}$/.test(given)) return given;
  throw invalidInput(['language'], 'A language is a code of ISO 639 of two or three letters, such as en or eng.');
}
