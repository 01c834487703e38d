import { invalidInput } from '../graphql/errors.ts';
import { idInput, subjectOf } from '../graphql/ids.ts';
import { readEach, readInput } from '../graphql/inputs.ts';
import type { ClickInput } from '../graphql/generated/schema-types.ts';
import type { Session } from '../sessions/operations.ts';
import { isLongerThan, normalized } from '../text/text.ts';
import { DAY_MS, MINUTE_MS } from '../time/units.ts';
import type { ClickProperty } from './tables.ts';

/** A click in a session. */
export interface Click {
  readonly id: string;
  readonly at: Date;
  readonly sessionId: string;
  readonly target: string | null;
  /** The book or copy that the click names, as `Type:key`. */
  readonly subject: string | null;
  readonly properties: readonly ClickProperty[];
}

export const CLICKS_PER_CALL = 500;
const TARGET_LENGTH_MAX = 500;
const PROPERTIES_MAX = 10;
const NAME_LENGTH_MAX = 100;
const VALUE_LENGTH_MAX = 500;
/** Control characters, line breaks and lone surrogates. */
const OF_SEVERAL_LINES = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const LATE_MS = 7 * DAY_MS;
/** The tolerance for clients whose clock is ahead of ours. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** Returns the number of bytes of the caller's own texts in the clicks. */
export const bytesOfTexts = (clicks: readonly Unplaced[]): number =>
  clicks
    .flatMap(({ target, properties }) => [target ?? '', ...properties.flatMap(({ name, value }) => [name, value])])
    .reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);

/** A click whose session has not been looked up yet. */
type Unplaced = Omit<Click, 'sessionId'>;

/** Returns the path of a click in the input. */
const placeOf = (index: number) => ['clicks', String(index)];

/**
 * Reads the clicks that a client sent.
 * @throws {UserError} `INVALID_INPUT` about their number or their fields
 */
export function clicksInput(inputs: readonly ClickInput[], now: Date): Unplaced[] {
  if (inputs.length > CLICKS_PER_CALL)
    throw invalidInput(['clicks'], `These are ${inputs.length} clicks; send at most ${CLICKS_PER_CALL} in one call.`);
  return readEach(inputs, (input, index) => clickInput(input, placeOf(index), now));
}

const clickInput = ({ id, at, target, subjectId, properties }: ClickInput, within: readonly string[], now: Date) =>
  readInput<Unplaced>({
    id: () => id.toLowerCase(),
    at: () => momentInput(at, within, now),
    target: () => targetInput(target, within),
    subject: () => (subjectId == null ? null : subjectInput(subjectId, within)),
    properties: () => propertiesInput(properties ?? [], within),
  });

function momentInput(at: Date, within: readonly string[], now: Date): Date {
  const path = [...within, 'at'];
  const time = at.getTime();
  if (time > now.getTime() + CLOCK_TOLERANCE_MS) throw invalidInput(path, 'This click is in the future.');
  if (time < now.getTime() - LATE_MS) throw invalidInput(path, 'This click is older than 7 days.');
  return at;
}

/**
 * Returns the clicks of a call as clicks of a session.
 * @throws {UserError} `INVALID_INPUT` about clicks from a time when the session was not open
 */
export const clicksOfSession = ({ id, startedAt, endedAt }: Session, clicks: readonly Unplaced[]): Click[] =>
  readEach(clicks, (click, index) => {
    const path = [...placeOf(index), 'at'];
    if (click.at < startedAt) throw invalidInput(path, 'This click is from before its session.');
    if (endedAt && click.at.getTime() > endedAt.getTime() + CLOCK_TOLERANCE_MS)
      throw invalidInput(path, 'The session had ended by then; start another one.');
    return { ...click, sessionId: id };
  });

function targetInput(target: string | null | undefined, within: readonly string[]): string | null {
  const text = target == null ? null : normalized(target);
  if (text !== null && (isLongerThan(text, TARGET_LENGTH_MAX) || OF_SEVERAL_LINES.test(text)))
    throw invalidInput(
      [...within, 'target'],
      `A target has at most ${TARGET_LENGTH_MAX} characters, without line breaks.`,
    );
  return text;
}

function subjectInput(id: string, within: readonly string[]): string {
  const subject = idInput('subjectId', id, within);
  if (subject.type === 'Book' || subject.type === 'Item') return subjectOf(subject);
  const message = `This is the id of a ${subject.type}; a click names a book or a copy of one.`;
  throw invalidInput([...within, 'subjectId'], message);
}

function propertiesInput(properties: readonly ClickProperty[], within: readonly string[]): ClickProperty[] {
  const path = [...within, 'properties'];
  if (properties.length > PROPERTIES_MAX)
    throw invalidInput(path, `These are ${properties.length} properties; a click has at most ${PROPERTIES_MAX}.`);
  const names = properties.map(({ name }) => normalized(name));
  return readEach(properties, ({ value }, place) =>
    readInput({
      name: () => nameInput(names, place, [...path, String(place), 'name']),
      value: () => valueInput(value, [...path, String(place), 'value']),
    }),
  );
}

function nameInput(names: readonly string[], place: number, path: readonly string[]): string {
  const name = names[place] ?? '';
  if (name === '' || isLongerThan(name, NAME_LENGTH_MAX) || OF_SEVERAL_LINES.test(name))
    throw invalidInput(
      path,
      `The name of a property has from 1 to ${NAME_LENGTH_MAX} characters, without line breaks.`,
    );
  if (names.indexOf(name) < place) throw invalidInput(path, 'Another property of this click has the same name.');
  return name;
}

function valueInput(text: string, path: readonly string[]): string {
  const value = normalized(text);
  if (isLongerThan(value, VALUE_LENGTH_MAX) || !value.isWellFormed())
    throw invalidInput(path, `The value of a property has at most ${VALUE_LENGTH_MAX} characters.`);
  return value;
}
