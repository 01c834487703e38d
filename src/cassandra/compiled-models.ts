import { z } from 'zod';
import { UNKNOWN_FIELDS, unknownFieldsOf } from './unknown-fields.ts';

/**
 * Decodes rows and encodes values by their models without zod. Zod allocates several objects per
 * value, and a page has hundreds of values. A decoder or encoder is built once per model and
 * returns what zod would return. It passes unknown types and wrong values to zod, which reports the
 * reason.
 */

/** @throws {@link MISFIT} for a value that does not match its model */
type Code = (value: unknown) => unknown;
type Direction = 'decode' | 'encode';

/** An error without details, because zod reports the problem. */
const MISFIT = new Error('does not match its model');

/**
 * Returns a decoder of rows that does the same as `z.decode`. It accepts columns that the model
 * lacks; the contract test of statements finds those.
 * @returns a function that throws a `ZodError` for a row that does not match the model
 */
export function decoderOf<Row>(model: z.ZodType<Row>): (row: object) => Row {
  const decode = codeOf(model, 'decode');
  return (row) => {
    try {
      return decode(row) as Row;
    } catch {
      // The driver's rows are instances of a class, and zod would treat its methods as columns.
      return z.decode(model, { ...row });
    }
  };
}

/**
 * Returns an encoder of the values of a statement that does the same as `z.encode`.
 * @returns a function that throws a `ZodError` for values that do not match the model
 */
export function encoderOf<Values>(
  model: z.ZodType<Values, Record<string, unknown>>,
): (values: Values) => Record<string, unknown> {
  const encode = codeOf(model, 'encode');
  return (values) => {
    try {
      return encode(values) as Record<string, unknown>;
    } catch {
      return z.encode(model, values);
    }
  };
}

function codeOf(model: z.core.$ZodType, direction: Direction): Code {
  const { def } = (model as z.core.$ZodTypes)._zod;
  const byZod: Code = (value) => z[direction](model, value);
  if (def.checks && def.checks.length > 0) return byZod;

  switch (def.type) {
    case 'unknown':
      return (value) => value;
    case 'string':
      if (!('format' in def)) return checked((value) => typeof value === 'string');
      return def.format === 'guid' ? matching((def as z.core.$ZodStringFormatDef).pattern) : byZod;
    case 'number':
      if (!('format' in def)) return checked(Number.isFinite);
      return def.format === 'safeint' ? checked(Number.isSafeInteger) : byZod;
    case 'bigint':
      return 'format' in def ? byZod : checked((value) => typeof value === 'bigint');
    case 'boolean':
      return checked((value) => typeof value === 'boolean');
    case 'date':
      return checked((value) => value instanceof Date && !Number.isNaN(value.getTime()));
    case 'enum': {
      const values = new Set<unknown>(Object.values(def.entries));
      return checked((value) => values.has(value));
    }
    case 'catch': {
      const inner = codeOf(def.innerType, direction);
      return direction === 'decode' ? orElse(inner, byZod(undefined)) : inner;
    }
    case 'nullable': {
      const inner = codeOf(def.innerType, direction);
      return (value) => (value === null ? null : inner(value));
    }
    case 'array':
      return list(codeOf(def.element, direction));
    case 'object':
      return record(def, direction);
    case 'pipe':
      return 'reverseTransform' in def ? codec(def, direction) : byZod;
    default:
      return byZod;
  }
}

const checked =
  (fits: (value: unknown) => boolean): Code =>
  (value) => {
    if (fits(value)) return value;
    throw MISFIT;
  };

const matching = (pattern: RegExp | undefined): Code =>
  checked((value) => typeof value === 'string' && pattern?.test(value) === true);

const orElse =
  (code: Code, otherwise: unknown): Code =>
  (value) => {
    try {
      return code(value);
    } catch {
      return otherwise;
    }
  };

/** Returns whether a model replaces unknown values by a known one. */
const hasStandIn = (model: z.core.$ZodType): boolean => {
  const { def } = (model as z.core.$ZodTypes)._zod;
  return def.type === 'catch' || (def.type === 'nullable' && hasStandIn(def.innerType));
};

const list =
  (item: Code): Code =>
  (value) => {
    if (Array.isArray(value)) return value.map(item);
    throw MISFIT;
  };

/**
 * Copies the columns of a row or of a statement, or the fields of a user-defined type. Unknown
 * fields and values of a type are kept. Fields that were added after the value was written are
 * null. Encoded columns are exactly those of the model.
 */
function record({ shape, catchall }: z.core.$ZodObjectDef, direction: Direction): Code {
  const fields = Object.entries(shape).map(([name, type]) => ({ name, code: codeOf(type, direction) }));
  const names = new Set(Object.keys(shape));
  const standIns = new Map(
    Object.entries(shape).flatMap(([name, type]) =>
      hasStandIn(type) ? [[name, codeOf(type, 'decode')(undefined)]] : [],
    ),
  );
  const isType = catchall === undefined;
  const isCounted = direction === 'encode' && !isType;
  // Each copy has room for all fields from the start.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(fields.map(({ name }) => [name, undefined]));

  const copy = (value: Fields): Record<string, unknown> => {
    const made = { ...empty };
    for (const { name, code } of fields) {
      let field = value[name];
      if (field === undefined && isType && direction === 'decode') field = null;
      if (field === undefined) throw MISFIT;
      made[name] = code(field);
    }
    return made;
  };
  const isUnknown = (name: string, field: unknown, made: Fields) =>
    field !== null && (!names.has(name) || (standIns.has(name) && made[name] !== field));
  const decoded = (value: Fields) => {
    const made = copy(value);
    const unknown = Object.keys(value).filter((name) => isUnknown(name, value[name], made));
    if (unknown.length === 0) return made;
    return { ...made, [UNKNOWN_FIELDS]: Object.fromEntries(unknown.map((name) => [name, value[name]])) };
  };
  const encoded = (value: Fields) => {
    const made = copy(value);
    for (const [name, field] of Object.entries(unknownFieldsOf(value) ?? {}))
      if (!names.has(name) || value[name] === standIns.get(name)) made[name] = field;
    return made;
  };
  const code = isType ? { decode: decoded, encode: encoded }[direction] : copy;
  return (value) => {
    if (typeof value !== 'object' || value === null) throw MISFIT;
    if (isCounted && Object.keys(value).length !== fields.length) throw MISFIT;
    return code(value as Fields);
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Codecs that report problems through zod's second argument throw without it, and are then left to
 * zod.
 */
function codec({ in: given, out, transform, reverseTransform }: z.core.$ZodPipeDef, direction: Direction): Code {
  const [codeGiven, codeOut] = [codeOf(given, direction), codeOf(out, direction)];
  const [decode, encode] = [transform as Code, reverseTransform as Code];
  return direction === 'decode'
    ? (value) => codeOut(decode(codeGiven(value)))
    : (value) => codeGiven(encode(codeOut(value)));
}
