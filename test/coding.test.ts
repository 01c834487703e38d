import { types } from 'cassandra-driver';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cql } from '../src/cassandra/columns.ts';
import { decoderOf, encoderOf } from '../src/cassandra/compiled-models.ts';
import { allStatements } from '../src/cassandra/statement.ts';
import {
  dropUnknownFields,
  hasUnknownFields,
  keepUnknownFields,
  withoutUnknownFields,
} from '../src/cassandra/unknown-fields.ts';
import '../src/app/workers.ts';
import '../src/http/server.ts';
import { runs } from './support/full.ts';

/**
 * Rows as Cassandra's driver returns them, and values as it accepts them, decoded and encoded with
 * zod and without it.
 */

const uuid = fc.uuid().map((text) => types.Uuid.fromString(text));
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => types.LocalDate.fromDate(date));
/** The input of codecs: at least one value of each kind that a codec accepts. */
const encoded = fc.oneof(
  uuid,
  day,
  fc.bigInt().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constant(types.unset),
  fc.array(fc.string()),
  fc.array(uuid),
  fc.constant(null),
);

/** Makes values that mostly fit a model, on the driver's side or on ours. */
function valuesOf(model: z.core.$ZodType, side: 'driver' | 'ours'): fc.Arbitrary<unknown> {
  const { def } = (model as z.core.$ZodTypes)._zod;
  const fitting = (): fc.Arbitrary<unknown> => {
    switch (def.type) {
      case 'string':
        return fc.oneof(fc.string(), fc.uuid());
      case 'number':
        return fc.oneof(fc.integer(), fc.double());
      case 'bigint':
        return fc.bigInt();
      case 'boolean':
        return fc.boolean();
      case 'date':
        return fc.date();
      case 'enum':
        return fc.constantFrom(...Object.values(def.entries));
      case 'catch':
        return valuesOf(def.innerType, side);
      case 'nullable':
        return fc.option(valuesOf(def.innerType, side));
      case 'array':
        return fc.array(valuesOf(def.element, side), { maxLength: 3 });
      case 'object':
        return fc.record(
          Object.fromEntries(Object.entries(def.shape).map(([name, type]) => [name, valuesOf(type, side)])),
        );
      case 'pipe':
        return side === 'ours'
          ? valuesOf(def.out, side)
          : fc.oneof(encoded, valuesOf(def.out, side), fc.array(valuesOf(def.in, side), { maxLength: 3 }));
      default:
        return encoded;
    }
  };
  return fc.oneof(
    { weight: 60, arbitrary: fitting() },
    { weight: 1, arbitrary: fc.anything().map((value) => value ?? null) },
  );
}

const outcomeOf = (code: () => unknown) => {
  try {
    return { coded: code() };
  } catch (error) {
    return { refused: error instanceof z.ZodError ? error.issues : error };
  }
};

/** Compares both ways of coding for values of many models. */
function compare(
  cases: readonly { name: string; values: fc.Arbitrary<unknown>; code: (value: never) => unknown; byZod: Code }[],
) {
  const seen = { coded: 0, refused: 0 };
  for (const { name, values, code, byZod } of cases) {
    const objects = values.filter((value) => typeof value === 'object' && value !== null);
    fc.assert(
      fc.property(objects, (value) => {
        const outcome = outcomeOf(() => code(value as never));
        expect(outcome, name).toStrictEqual(outcomeOf(() => byZod(value)));
        seen['coded' in outcome ? 'coded' : 'refused']++;
      }),
      { numRuns: runs(100) },
    );
  }
  expect(cases.length).toBeGreaterThan(100);
  expect(seen.coded).toBeGreaterThan(runs(2_000));
  expect(seen.refused).toBeGreaterThan(runs(1_000));
}
type Code = (value: unknown) => unknown;

test('a row is decoded as zod decodes it, or refused for the same reason', () => {
  const selects = allStatements().filter((statement) => statement.cql.startsWith('SELECT'));
  compare(
    selects.map(({ cql: name, row, decode }) => ({
      name,
      values: valuesOf(row, 'driver'),
      // Only our decoder keeps unknown fields; a clone has no symbols.
      code: (value) => structuredClone(decode(value)),
      byZod: (value) => structuredClone(z.decode(row, { ...Object(value) })),
    })),
  );
});

test('values are encoded as zod encodes them, or refused for the same reason', () => {
  compare(
    allStatements().map((statement) => ({
      name: statement.cql,
      values: fc
        .tuple(valuesOf(statement.params, 'ours'), fc.integer({ min: 0, max: 9 }))
        .map(([value, lot]) => (lot === 0 ? { ...Object(value), surplus: lot } : value) as unknown),
      code: (value) => statement.encode(value),
      byZod: (value) => z.encode(statement.params, value as never),
    })),
  );
});

test('an error names its column, and the rows of the driver have no other keys than columns', () => {
  const row = cql.row({
    id: cql.uuid,
    state: z.object({ since: cql.timestamp, places: cql.list(cql.int) }).nullable(),
  });
  const decode = decoderOf(row);
  const id = types.Uuid.random();
  const since = new Date(0);
  const asGiven = (columns: object) => Object.assign(Object.create({ forEach: () => undefined }) as object, columns);

  expect(decode(asGiven({ id, state: null }))).toStrictEqual({ id: String(id), state: null });
  expect(decode(asGiven({ id, state: { since, places: null } }))).toStrictEqual({
    id: String(id),
    state: { since, places: [] },
  });
  expect(() => decode(asGiven({ id, state: { since: null, places: [] } }))).toThrow(/"state",\s+"since"/);
  expect(() => decode(asGiven({ id }))).toThrow(/state/);
});

describe('a user-defined type', () => {
  const inner = z.object({ name: cql.text, at: cql.timestamp.nullable() });
  const type = z.object({
    since: cql.timestamp,
    kind: cql.oneOf(['BIG', 'SMALL'], 'SMALL'),
    note: cql.text.nullable(),
    places: cql.list(inner),
  });
  const model = z.strictObject({ state: type });
  const decode = decoderOf(model);
  const encode = encoderOf(model as z.ZodType<z.output<typeof model>, Record<string, unknown>>);

  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.integer()),
    fc.record({ a: fc.string() }),
  );
  const unknown = fc.dictionary(
    fc.string({ minLength: 1 }).map((name) => `later_${name}`),
    value,
    { maxKeys: 3 },
  );
  const withUnknown = <Known extends object>(known: fc.Arbitrary<Known>) =>
    fc.tuple(known, unknown).map(([fields, later]) => ({ ...fields, ...later }));
  const at = fc.date({ noInvalidDate: true });
  const place = withUnknown(fc.record({ name: fc.string(), at: fc.option(at) }));
  const kind = fc.oneof(fc.constantFrom('BIG', 'SMALL'), fc.string());
  const stored = withUnknown(fc.record({ since: at, kind, note: fc.option(fc.string()), places: fc.array(place) }));
  const changed = (state: z.output<typeof type>) => encode({ state })['state'];

  test('keeps unknown fields through a change, including those of nested values', () => {
    fc.assert(
      fc.property(stored, at, (state, since) => {
        const decoded = decode({ state }).state;
        expect(decoded.kind).toBe(state.kind === 'BIG' ? 'BIG' : 'SMALL');
        expect(changed(decoded)).toEqual(state);
        expect(changed({ ...decoded, since })).toEqual({ ...state, since });
        expect(changed({ ...decoded, kind: 'BIG' })).toEqual({ ...state, kind: 'BIG' });

        const { note, places } = decoded;
        const known = { since, kind: decoded.kind, note, places };
        expect(changed(keepUnknownFields(decoded, known))).toEqual({ ...state, since });
        expect(withoutUnknownFields(decoded)).toEqual({ ...known, since: state.since });
        const isKnown = ({ places: all, ...fields }: typeof state) =>
          Object.keys(fields).length === 3 && all.every((each) => Object.keys(each).length === 2);
        expect(hasUnknownFields(decoded)).toBe(!isKnown(state) || decoded.kind !== state.kind);

        const dropped = dropUnknownFields({ ...known, places: [] });
        expect(changed(keepUnknownFields(decoded, dropped))).toEqual({ ...known, places: [] });
      }),
    );
  });

  test('has null in fields that were added after it was written', () => {
    const since = new Date(0);
    expect(decode({ state: { since } })).toStrictEqual({ state: { since, kind: 'SMALL', note: null, places: [] } });
    expect(() => decode({ state: { note: '' } })).toThrow(/"since"/);
  });
});
