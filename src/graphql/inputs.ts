import { readShownText, type Breaks } from '../text/text.ts';
import { UserError, UserErrors, invalidInput } from './errors.ts';

/**
 * A mutation reads all of its input before it queries the database, and before it counts, hashes or
 * writes anything. So it reports all errors at once.
 */

/**
 * The maximum number of reported errors, more than the fields of any form. Of a longer list, the
 * first errors are reported.
 */
export const INPUT_ERRORS_MAX = 100;

/**
 * A function for each part of an input. It throws a {@link UserError} for a part that cannot be
 * used.
 */
type Readers<Input> = { readonly [Field in keyof Input]: () => Input[Field] };

/**
 * Reads the parts of an input, in the order of the schema. A part may itself be an input read this
 * way.
 * @throws {UserError} all errors of all parts
 */
export function readInput<Input extends object>(readers: Readers<Input>): Input {
  const read = readEach(Object.entries<() => unknown>(readers), ([field, reader]) => [field, reader()] as const);
  return Object.fromEntries(read) as Input;
}

/**
 * Reads the elements of a list in an input.
 * @param read throws a {@link UserError} for an element that cannot be used
 * @throws {UserError} all errors of all elements
 */
export function readEach<Given, Read>(list: readonly Given[], read: (given: Given, index: number) => Read): Read[] {
  const done: Read[] = [];
  const errors: UserError[] = [];
  for (const [index, given] of list.entries()) {
    try {
      done.push(read(given, index));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      errors.push(...error.all);
    }
    if (errors.length >= INPUT_ERRORS_MAX) break;
  }

  const [first, ...others] = errors.slice(0, INPUT_ERRORS_MAX);
  if (first) throw others.length > 0 ? new UserErrors(first, others) : first;
  return done;
}

/**
 * Reads a text that others see, in its normal form.
 * @param path the path of the field within the input
 * @param noun the noun for messages, with an article: `A title`
 * @param lengthMax in characters
 * @param breaks how line breaks are handled
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export function shownInput(
  path: readonly string[],
  noun: string,
  text: string,
  lengthMax: number,
  breaks: Breaks = 'SPACES',
): string {
  const read = readShownText(text, lengthMax, breaks);
  if (read.problem === undefined) return read.text;
  const message =
    `${noun} has 1 to ${lengthMax.toLocaleString('en')} characters, ` + `all of them visible; this ${read.problem}.`;
  throw invalidInput(path, message);
}
