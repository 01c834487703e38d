import { z } from 'zod';

/**
 * Rows and values as their models have them, without zod: it makes some objects for each value, of which a page has hundreds. What decodes or
 * encodes is made of a model once, and gives what zod would give; whatever it does not know, or finds wrong, it leaves to zod, which says why.
 */

/** @throws {@link MISFIT} where a value is not as its model has it */
type Code = (value: unknown) => unknown;
type Direction = 'decode' | 'encode';

/** Says nothing: zod finds out what is wrong. */
const MISFIT = new Error('not as its model has it');

/**
 * What decodes rows by a model, as `z.decode` does; that a row has no more columns than its model, only the contract test of statements checks.
 * @returns throws a `ZodError` for what is not as the model has it
 */
export function decoderOf<Row>(model: z.ZodType<Row>): (row: object) => Row {
  const decode = codeOf(model, 'decode');
  return (row) => {
    try {
      return decode(row) as Row;
    } catch {
      // A row of the driver is one of a class, whose methods zod would take for columns.
      return z.decode(model, { ...row });
    }
  };
}

/**
 * What encodes the values of a statement by a model, as `z.encode` does.
 * @returns throws a `ZodError` for what is not as the model has it
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

const list =
  (item: Code): Code =>
  (value) => {
    if (Array.isArray(value)) return value.map(item);
    throw MISFIT;
  };

/** Of what it is given only what the model has: a type of Cassandra's may have got more by a later release, and what is to be written may not. */
function record({ shape, catchall }: z.core.$ZodObjectDef, direction: Direction): Code {
  const fields = Object.entries(shape).map(([name, type]) => ({ name, code: codeOf(type, direction) }));
  const isCounted = direction === 'encode' && catchall !== undefined;
  // A copy of it has room for all of them from the beginning.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(fields.map(({ name }) => [name, undefined]));
  return (value) => {
    if (typeof value !== 'object' || value === null) throw MISFIT;
    if (isCounted && Object.keys(value).length !== fields.length) throw MISFIT;
    const made = { ...empty };
    for (const { name, code } of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      if (field === undefined) throw MISFIT;
      made[name] = code(field);
    }
    return made;
  };
}

/** What a codec says about its value by zod's second argument is left to zod: without that, it throws. */
function codec({ in: given, out, transform, reverseTransform }: z.core.$ZodPipeDef, direction: Direction): Code {
  const [codeGiven, codeOut] = [codeOf(given, direction), codeOf(out, direction)];
  const [decode, encode] = [transform as Code, reverseTransform as Code];
  return direction === 'decode'
    ? (value) => codeOut(decode(codeGiven(value)))
    : (value) => codeGiven(encode(codeOut(value)));
}
