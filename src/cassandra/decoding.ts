import { z } from 'zod';

/**
 * Rows as their models have them, without zod: it makes some objects for each value, of which a page has hundreds. What decodes is made of a
 * model once, and gives what zod would give; whatever it does not know, or finds wrong, zod decodes, which says why.
 */

/** @throws {Misfit} where a value is not as its model has it */
type Decode = (value: unknown) => unknown;

/** Says nothing: zod finds out what is wrong. */
class Misfit extends Error {}
const MISFIT = new Misfit('not as its model has it');

/**
 * What decodes by a model, as `z.decode` does.
 * @returns throws a `ZodError` for what is not as the model has it
 */
export function decoderOf<Row>(model: z.ZodType<Row>): (row: object) => Row {
  const decode = decoding(model);
  return (row) => {
    try {
      return decode(row) as Row;
    } catch {
      // A row of the driver is one of a class, whose methods zod would take for columns.
      return z.decode(model, { ...row });
    }
  };
}

function decoding(model: z.core.$ZodType): Decode {
  const { def } = (model as z.core.$ZodTypes)._zod;
  if (def.checks && def.checks.length > 0) return byZod(model);

  switch (def.type) {
    case 'unknown':
      return (value) => value;
    case 'string':
      return 'format' in def
        ? ofFormat(model, def as z.core.$ZodStringFormatDef)
        : checked((value) => typeof value === 'string');
    case 'number':
      if (!('format' in def)) return checked(Number.isFinite);
      return def.format === 'safeint' ? checked(Number.isSafeInteger) : byZod(model);
    case 'bigint':
      return 'format' in def ? byZod(model) : checked((value) => typeof value === 'bigint');
    case 'boolean':
      return checked((value) => typeof value === 'boolean');
    case 'date':
      return checked((value) => value instanceof Date && !Number.isNaN(value.getTime()));
    case 'enum': {
      const values = new Set<unknown>(Object.values(def.entries));
      return checked((value) => values.has(value));
    }
    case 'nullable': {
      const inner = decoding(def.innerType);
      return (value) => (value === null ? null : inner(value));
    }
    case 'array':
      return list(decoding(def.element));
    case 'object':
      return record(def.shape);
    case 'pipe':
      return 'reverseTransform' in def ? codec(def) : byZod(model);
    default:
      return byZod(model);
  }
}

const byZod =
  (model: z.core.$ZodType): Decode =>
  (value) =>
    z.decode(model, value);

const checked =
  (fits: (value: unknown) => boolean): Decode =>
  (value) => {
    if (fits(value)) return value;
    throw MISFIT;
  };

function ofFormat(model: z.core.$ZodType, { format, pattern }: z.core.$ZodStringFormatDef): Decode {
  if (format !== 'guid' || !pattern) return byZod(model);
  return checked((value) => typeof value === 'string' && pattern.test(value));
}

const list =
  (item: Decode): Decode =>
  (value) => {
    if (Array.isArray(value)) return value.map(item);
    throw MISFIT;
  };

/** Of what it is given only the columns that the model has: a type may have got more of them by a later release. */
function record(shape: z.core.$ZodShape): Decode {
  const columns = Object.entries(shape).map(([name, type]) => ({ name, decode: decoding(type) }));
  // A copy of it has room for all of them from the beginning.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(columns.map(({ name }) => [name, undefined]));
  return (value) => {
    if (typeof value !== 'object' || value === null) throw MISFIT;
    const made = { ...empty };
    for (const { name, decode } of columns) {
      const column = (value as Readonly<Record<string, unknown>>)[name];
      if (column === undefined) throw MISFIT;
      made[name] = decode(column);
    }
    return made;
  };
}

function codec({ in: given, out, transform }: z.core.$ZodPipeDef): Decode {
  const [decodeGiven, decodeOut] = [decoding(given), decoding(out)];
  // What one says about its value by zod's second argument is left to zod: without that, it throws.
  const ours = transform as Decode;
  return (value) => decodeOut(ours(decodeGiven(value)));
}
