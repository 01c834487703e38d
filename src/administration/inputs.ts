import { shownInput } from '../graphql/inputs.ts';

/** Inputs in which people give a reason in their own words. */

const TEXT_LENGTH_MAX = 1_000;

/**
 * Reads a required reason.
 * @param field the name of the input field
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const reasonInput = (field: string, text: string): string =>
  shownInput([field], 'A reason', text, TEXT_LENGTH_MAX);

/**
 * Reads an optional reason.
 * @returns '' if there is none
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const remarkInput = (field: string, text: string | null | undefined): string =>
  text == null || text.trim() === '' ? '' : reasonInput(field, text);
