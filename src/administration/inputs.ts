import { shownInput } from '../graphql/inputs.ts';

/** Inputs in which people say something in their own words. */

const TEXT_LENGTH_MAX = 1_000;

/**
 * Reads a required reason.
 * @param field the name of the input field
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const reasonInput = (field: string, text: string): string => wordsInput(field, 'A reason', text);

/**
 * Reads an optional remark.
 * @param noun what people call it: `A comment`
 * @returns '' if there is none
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export const remarkInput = (field: string, noun: string, text: string | null | undefined): string =>
  text == null || text.trim() === '' ? '' : wordsInput(field, noun, text);

const wordsInput = (field: string, noun: string, text: string) => shownInput([field], noun, text, TEXT_LENGTH_MAX);
