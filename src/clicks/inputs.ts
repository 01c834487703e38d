import { UserError } from '../graphql/errors.ts';
import { idInput, subjectOf } from '../graphql/ids.ts';
import type { ClickInput } from '../graphql/schema.generated.ts';
import type { Session } from '../sessions/operations.ts';
import { DAY_MS, MINUTE_MS } from '../time/units.ts';
import type { ClickProperty } from './tables.ts';

/** Something that was clicked in a session. */
export interface Click {
  readonly id: string;
  readonly at: Date;
  readonly sessionId: string;
  readonly target: string | null;
  /** The book or copy that it names, as `Type:key`. */
  readonly subject: string | null;
  readonly properties: readonly ClickProperty[];
}

const TARGET_LENGTH_MAX = 500;
const PROPERTIES_MAX = 10;
const NAME_LENGTH_MAX = 100;
const VALUE_LENGTH_MAX = 500;
const LATE_MS = 7 * DAY_MS;
/** A client's clock may be ahead of ours by this much. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/**
 * A click as a client sent it.
 * @param index which of the clicks of the call it is
 * @throws {UserError} `INVALID_INPUT` about a field of it
 */
export function clickInput(session: Session, input: ClickInput, index: number, now: Date): Click {
  const within = ['clicks', String(index)];
  const { id, at, subjectId } = input;
  checkMoment(session, at, now, within);
  return {
    id: id.toLowerCase(),
    at,
    sessionId: session.id,
    target: targetInput(input.target, within),
    subject: subjectId == null ? null : subjectInput(subjectId, within),
    properties: (input.properties ?? []).map((property, place, all) => propertyInput(property, place, all, within)),
  };
}

const wrong = (path: readonly string[], message: string) => new UserError('INVALID_INPUT', message, ['input', ...path]);

function checkMoment({ startedAt, endedAt }: Session, at: Date, now: Date, within: readonly string[]): void {
  const path = [...within, 'at'];
  const time = at.getTime();
  if (time > now.getTime() + CLOCK_TOLERANCE_MS) throw wrong(path, 'This click is in the future.');
  if (time < now.getTime() - LATE_MS) throw wrong(path, 'This click is older than 7 days.');
  if (at < startedAt) throw wrong(path, 'This click is from before its session.');
  if (endedAt && time > endedAt.getTime() + CLOCK_TOLERANCE_MS)
    throw wrong(path, 'The session had ended by then; start another one.');
}

function targetInput(target: string | null | undefined, within: readonly string[]): string | null {
  const text = target?.normalize('NFC') ?? null;
  if (text !== null && (text.length > TARGET_LENGTH_MAX || /\p{Cc}/u.test(text)))
    throw wrong([...within, 'target'], `A target has at most ${TARGET_LENGTH_MAX} characters, without line breaks.`);
  return text;
}

function subjectInput(id: string, within: readonly string[]): string {
  const subject = idInput('subjectId', id, within);
  if (subject.type !== 'Book' && subject.type !== 'Item') {
    const message = `This is the id of a ${subject.type}; a click names a book or a copy of one.`;
    throw wrong([...within, 'subjectId'], message);
  }
  return subjectOf(subject);
}

function propertyInput(
  property: ClickProperty,
  place: number,
  all: readonly ClickProperty[],
  within: readonly string[],
): ClickProperty {
  const path = [...within, 'properties'];
  if (all.length > PROPERTIES_MAX)
    throw wrong(path, `These are ${all.length} properties; a click has at most ${PROPERTIES_MAX}.`);
  const [name, value] = [property.name.normalize('NFC'), property.value.normalize('NFC')];
  const own = [...path, String(place)];
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    const message = `The name of a property has from 1 to ${NAME_LENGTH_MAX} characters, without line breaks.`;
    throw wrong([...own, 'name'], message);
  }
  if (all.findIndex((each) => each.name.normalize('NFC') === name) < place)
    throw wrong([...own, 'name'], 'Another property of this click has the same name.');
  if (value.length > VALUE_LENGTH_MAX)
    throw wrong([...own, 'value'], `The value of a property has at most ${VALUE_LENGTH_MAX} characters.`);
  return { name, value };
}
