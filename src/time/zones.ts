import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { badUserInput } from '../graphql/errors.ts';

/** A name of the tz database in any case, such as `Europe/Berlin`; UTC if unset. */
export type TimeZone = string | null | undefined;

/**
 * The maximum length of a name that is looked up. The longest name of the tz database has 32
 * letters.
 */
const NAME_LENGTH_MAX = 64;

/**
 * All names in the tz database, release 2025b: zones and links, including those for backward
 * compatibility. `Intl` accepts all of them but lists no links, so the file lists them, spelled as
 * in the database.
 */
const TZ_DATABASE_NAMES = readFileSync(join(import.meta.dirname, 'zone-names.txt'), 'utf8')
  .trim()
  .split('\n');

/**
 * The names of all time zones, including links: those of the tz database and any that a newer
 * runtime adds.
 */
export const zoneNames: readonly string[] = [...TZ_DATABASE_NAMES, ...Intl.supportedValuesOf('timeZone')];

const names: ReadonlyMap<string, string> = new Map(zoneNames.map((name) => [name.toLowerCase(), name]));

/**
 * The canonical names of the names that were looked up; `undefined` for a zone that this runtime
 * lacks. The map is bounded by {@link names}.
 */
const canonicalNames = new Map<string, string | undefined>();

/**
 * The canonical name of a time zone, for any spelling of its case. Luxon and ICU keep data for
 * every name that they receive, so they receive only names of a closed set.
 */
function canonicalName(timeZone: string): string | undefined {
  const name = timeZone.length > NAME_LENGTH_MAX ? undefined : names.get(timeZone.toLowerCase());
  if (name === undefined) return undefined;
  if (!canonicalNames.has(name)) canonicalNames.set(name, resolvedName(name));
  return canonicalNames.get(name);
}

/** @param name a name in the tz database, which may have zones that this runtime lacks */
function resolvedName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * Converts a moment to a time zone.
 * @throws `BAD_USER_INPUT` about `timeZone`
 */
export function local(at: Date, timeZone: TimeZone): DateTime {
  const zone = canonicalName(timeZone ?? 'UTC');
  if (zone === undefined) {
    throw badUserInput('The argument "timeZone" is not a time zone; send an IANA name, such as Europe/Berlin.');
  }
  return DateTime.fromJSDate(at, { zone });
}

/**
 * The day of a moment in a time zone, such as 2026-03-01.
 * @throws `BAD_USER_INPUT` about `timeZone`
 */
export function dayIn(at: Date, timeZone: TimeZone): string;
export function dayIn(at: Date | undefined, timeZone: TimeZone): string | null;
export function dayIn(at: Date | undefined, timeZone: TimeZone): string | null {
  return at ? local(at, timeZone).toFormat('yyyy-MM-dd') : null;
}
