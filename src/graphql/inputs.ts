import { readShownText } from '../text/text.ts';
import { UserError, UserErrors } from './errors.ts';

/**
 * How a mutation reads its input: all of it before it asks the database for anything, so that everything that is wrong is told at
 * once, and before anything is noted, hashed or written.
 */

/** More of them than any form has fields: of a long list it is told what is wrong at its beginning. */
export const INPUT_ERRORS_MAX = 100;

/** How each part of an input is read; a part that cannot be used throws a {@link UserError}. */
type Readers<Input> = { readonly [Field in keyof Input]: () => Input[Field] };

/**
 * Reads the parts of an input, in the order of the schema. What one reader gives may be parts that were read so in turn.
 * @throws {UserError} everything that is wrong with any of them
 */
export function readInput<Input extends object>(readers: Readers<Input>): Input {
  const read = readEach(Object.entries<() => unknown>(readers), ([field, reader]) => [field, reader()] as const);
  return Object.fromEntries(read) as Input;
}

/**
 * Reads the elements of a list in an input.
 * @param read throws a {@link UserError} for one that cannot be used
 * @throws {UserError} everything that is wrong with any of them
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
 * A text that others see, in its one spelling.
 * @param path of the field within the input
 * @param noun what it is, with an article: `A title`
 * @param lengthMax in characters
 * @param breaks whether a line break is a space, as in a title that was pasted, or refused, as in a name
 * @throws {UserError} `INVALID_INPUT` about the field
 */
export function shownInput(
  path: readonly string[],
  noun: string,
  text: string,
  lengthMax: number,
  breaks: 'SPACES' | 'REFUSED' = 'SPACES',
): string {
  const read = readShownText(text, lengthMax, breaks);
  if (read.problem === undefined) return read.text;
  const message = `${noun} has 1 to ${lengthMax.toLocaleString('en')} characters (Unicode code points), all of which can be seen; this ${read.problem}.`;
  throw new UserError('INVALID_INPUT', message, ['input', ...path]);
}
