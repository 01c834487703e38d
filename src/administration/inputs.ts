import { shownInput } from '../graphql/inputs.ts';

/** What people give as a reason, in their own words. */

const TEXT_LENGTH_MAX = 1_000;

/**
 * A text that says why something is done.
 * @param field which input field it came as
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const reasonInput = (field: string, text: string): string =>
  shownInput([field], 'A reason', text, TEXT_LENGTH_MAX);

/**
 * As {@link reasonInput}, where nothing needs to be said.
 * @returns '' for nothing
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const remarkInput = (field: string, text: string | null | undefined): string =>
  text == null || text.trim() === '' ? '' : reasonInput(field, text);
