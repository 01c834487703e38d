import { invalidInput } from '../graphql/errors.ts';
import { keyInput } from '../graphql/ids.ts';
import { shownInput } from '../graphql/inputs.ts';

/** Reads the inputs of the mutations of lists. */

const NAME_LENGTH_MAX = 100;
const TEXT_LENGTH_MAX = 1_000;

export const listIdInput = (id: string): string => keyInput('listId', id, 'BookList', 'a list');

export const nameInput = (name: string): string => shownInput(['name'], 'A name', name, NAME_LENGTH_MAX);

/** Reads an optional text. @returns '' if there is none */
export const textInput = (field: 'description' | 'note', noun: string, text: string | null | undefined): string =>
  text == null || text.trim() === '' ? '' : shownInput([field], noun, text, TEXT_LENGTH_MAX);

/**
 * Reads the id of the book after which another one is placed.
 * @returns undefined if there is none
 * @throws {UserError} `INVALID_INPUT` about `after`
 */
export function afterInput(after: string | null | undefined, bookId: string): string | undefined {
  if (after == null) return undefined;
  const key = keyInput('after', after, 'Book', 'a book');
  if (after === bookId)
    throw invalidInput(['after'], 'A book cannot be placed after itself; send the id of another one.');
  return key;
}
