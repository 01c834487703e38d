import { UserError } from '../graphql/errors.ts';
import { isVisible, tidied } from '../text/text.ts';

/** What people give as a reason, in their own words. */

const TEXT_LENGTH_MAX = 1_000;

/**
 * A text that says why something is done.
 * @param field which input field it came as
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export function reasonInput(field: string, text: string): string {
  const given = tidied(text);
  if (given === '' || given.length > TEXT_LENGTH_MAX || !isVisible(given)) {
    const message = `This has 1 to ${TEXT_LENGTH_MAX.toLocaleString('en')} characters, none of them invisible.`;
    throw new UserError('INVALID_INPUT', message, ['input', field]);
  }
  return given;
}

/**
 * As {@link reasonInput}, where nothing needs to be said.
 * @returns '' for nothing
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const remarkInput = (field: string, text: string | null | undefined): string =>
  text == null || tidied(text) === '' ? '' : reasonInput(field, text);
