import { invalidInput } from '../graphql/errors.ts';
import { shownInput } from '../graphql/inputs.ts';
import { isLanguage } from '../text/languages.ts';

/** Reads the inputs of reviews. */

/** The maximum length of a review, in code points. */
export const TEXT_LENGTH_MAX = 10_000;

/** @throws {UserError} `INVALID_INPUT` about `text` */
export const textInput = (text: string): string => shownInput(['text'], 'A review', text, TEXT_LENGTH_MAX, 'KEPT');

/** @throws {UserError} `INVALID_INPUT` about `language` */
export function languageInput(code: string | null | undefined): string | null {
  if (code == null) return null;
  const given = code.trim().toLowerCase();
  if (isLanguage(given)) return given;
  const message = 'This is no language of ISO 639. Send its code of two or three letters, such as en or eng, or null.';
  throw invalidInput(['language'], message);
}
