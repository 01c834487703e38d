/**
 * Fields of a user-defined type that a later release has added, and fields with values that only a
 * later release knows. An older server reads them, and writes them back with its own change of the
 * value.
 */

/**
 * The key of the unknown fields in a decoded value. Their values are the driver's, keyed by name.
 */
export const UNKNOWN_FIELDS = Symbol('unknown fields');

/**
 * A value with its unknown fields; `undefined` drops the unknown fields of the value that it
 * replaces.
 */
interface Holder {
  readonly [UNKNOWN_FIELDS]?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the unknown fields of a decoded value. */
export const unknownFieldsOf = (value: object): Readonly<Record<string, unknown>> | undefined =>
  (value as Holder)[UNKNOWN_FIELDS];

/** Returns a value with the unknown fields of the value that it replaces, unless it drops them. */
export function keepUnknownFields<Value>(former: unknown, next: Value): Value {
  if (!isObject(former) || !isObject(next) || UNKNOWN_FIELDS in next) return next;
  const kept = unknownFieldsOf(former);
  return kept ? { ...next, [UNKNOWN_FIELDS]: kept } : next;
}

/** Marks a value to drop the unknown fields of the value that it replaces. */
export const dropUnknownFields = <Value extends object>(next: Value): Value => ({
  ...next,
  [UNKNOWN_FIELDS]: undefined,
});

/**
 * Returns a value with only the fields that this release knows. Nested values keep their unknown
 * fields.
 */
export const withoutUnknownFields = (value: unknown): unknown =>
  isObject(value) && UNKNOWN_FIELDS in value ? Object.fromEntries(Object.entries(value)) : value;

/** Returns whether a value, or a value nested in it, has unknown fields. */
export const hasUnknownFields = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasUnknownFields)
    : isObject(value) && (unknownFieldsOf(value) !== undefined || Object.values(value).some(hasUnknownFields));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
