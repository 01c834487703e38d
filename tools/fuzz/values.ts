import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Chance } from '../support/chance.ts';
import { PASSWORD } from '../support/client.ts';
import { longText } from './texts.ts';

/** Values for arguments and input fields: valid ones, nearly valid ones, and unexpected ones. */

/** The values of the server's answers so far, to be sent again, changed or not. */
export class Seen {
  readonly ids: string[] = [];
  readonly cursors: string[] = [];
  readonly accessTokens: string[] = [];
  readonly refreshTokens: string[] = [];
  readonly isbns: string[] = [];
  readonly emails: string[] = [];
  readonly names: string[] = [];
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Stores the values of an answer that are useful for later requests. */
  keep(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return;
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'object') this.keep(value);
      else if (typeof value === 'string') this.#listOf(name)?.push(value);
    }
    for (const list of [this.ids, this.cursors, this.accessTokens, this.refreshTokens, this.isbns, this.names])
      while (list.length > KEPT) list.splice(this.#chance.below(list.length), 1);
  }

  #listOf(name: string): string[] | undefined {
    if (name === 'id') return this.ids;
    if (name === 'accessToken') return this.accessTokens;
    if (name === 'refreshToken') return this.refreshTokens;
    if (name === 'isbn') return this.isbns;
    if (name === 'name' || name === 'city' || name === 'state') return this.names;
    return /cursor/i.test(name) ? this.cursors : undefined;
  }
}

const KEPT = 300;

const NUMBERS = [0, 1, -1, 2, 5, 20, 100, 101, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, 1e308, 0.5];

const UGLY = [
  '',
  ' ',
  '\u0000',
  '\uD800',
  '\u202Egnol',
  '\u200B',
  '\u2800',
  'a\u2028\uFFFC\u{1D159}',
  '𠮷'.repeat(501),
  `z${'\u0334'.repeat(5_000)}`,
  '\u{E0061}'.repeat(9_000),
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '%00%0a',
  "'; DROP TABLE books; --",
  '${7*7}{{7*7}}',
  '../../etc/passwd',
  '🂡'.repeat(300),
  'e\u0301'.repeat(2_000),
  'a'.repeat(70_000),
  ' Did you mean '.repeat(3_000),
  '<'.repeat(20_000),
  '"'.repeat(10_000),
  '\\'.repeat(10_000),
  '1e9',
  '-0',
  'NaN',
];

export const MOMENTS = [
  '1970-01-01T00:00:00Z',
  '1960-02-29T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '2016-12-31T23:59:60Z',
  '2026-01-01T00:00:00+25:00',
];
const DAYS = ['2023-02-29', '0000-01-01', '0001-01-01', '9999-12-31', '10000-01-01', '-271821-04-20', 'today'];
const DURATIONS = [
  'PT0S',
  'P2026Y',
  'P99999999Y',
  'P9999999Y',
  'P999999999M999999999W999999999D',
  'PT9999999999999999999999S',
  `PT0.${'9'.repeat(400)}S`,
  '-P1D',
  'PT1e9S',
  'P',
  'P1Y2M3W4DT5H6M7.8S',
];
const ZONES = ['UTC', 'Europe/Berlin', 'aSIA/kOLKATA', 'us/eastern', '+02:00', 'Etc/GMT+99', 'posixrules', '__proto__'];
const DECIMALS = ['0', '-1', '0.001', '1e9', `9${'9'.repeat(400)}`, '١٢', '12,50', '+5'];
const WORDS = ['the', 'hun gam', 'Austen', 'Suzanne Collins', 'fantasy', 'US', 'Alaska', 'ANCHORAGE', 'EUR', 'button'];

/** The probability that a value fits its type and name. */
const RIGHT = 0.95;

const uglyText = (chance: Chance): string => (chance.chance(0.5) ? chance.pick(UGLY) : longText(chance));

/** Makes a value for a type, for use in variables. */
export function valueFor(chance: Chance, seen: Seen, type: GraphQLInputType, name: string, depth = 0): unknown {
  if (isNonNullType(type)) {
    return chance.chance(0.005) ? null : valueFor(chance, seen, type.ofType, name, depth);
  }
  if (chance.chance(0.01)) return anything(chance, seen, depth);
  if (isListType(type)) {
    const length = chance.chance(0.02) ? 600 : chance.below(4);
    const of = type.ofType;
    return Array.from({ length }, () => valueFor(chance, seen, of, name, depth + 1));
  }
  if (isInputObjectType(type)) return inputFor(chance, seen, type, depth);
  if (isEnumType(type)) return enumFor(chance, seen, type);
  return scalarFor(chance, seen, type.name, name);
}

function inputFor(chance: Chance, seen: Seen, type: GraphQLInputObjectType, depth: number): unknown {
  const fields = Object.values(type.getFields()).filter((field) =>
    chance.chance(isNonNullType(field.type) ? 0.995 : 0.4),
  );
  const entries = fields.map((field) => [field.name, valueFor(chance, seen, field.type, field.name, depth + 1)]);
  if (chance.chance(0.01)) entries.push([chance.pick(UGLY).slice(0, 50), anything(chance, seen, depth)]);
  return Object.fromEntries(entries) as unknown;
}

const enumFor = (chance: Chance, seen: Seen, type: GraphQLEnumType): unknown =>
  chance.chance(0.98) ? chance.pick(type.getValues()).name : textFor(chance, seen, '');

function scalarFor(chance: Chance, seen: Seen, type: string, name: string): unknown {
  if (!chance.chance(RIGHT)) return chance.chance(0.5) ? uglyText(chance) : anything(chance, seen, 3);
  switch (type) {
    case 'Int':
      return usually(chance, [1, 2, 3, 5], NUMBERS);
    case 'Float':
      return usually(chance, [chance.below(100)], NUMBERS);
    case 'Boolean':
      return chance.chance(0.5);
    case 'ID':
      return idFor(chance, seen);
    case 'UUID':
      return chance.uuid();
    case 'DateTime':
      return usually(chance, [new Date(Date.now() - chance.below(3_600_000)).toISOString()], MOMENTS);
    case 'Date':
      return usually(chance, ['2026-01-01', '2024-02-29'], DAYS);
    case 'Duration':
      return usually(chance, ['PT24H', 'P7D'], DURATIONS);
    case 'Decimal':
      return usually(chance, [`${chance.below(90) + 1}.50`], DECIMALS);
    default:
      return textFor(chance, seen, name);
  }
}

const usually = <Value>(chance: Chance, right: readonly Value[], odd: readonly Value[]): Value =>
  chance.pick(chance.chance(0.85) ? right : odd);

function textFor(chance: Chance, seen: Seen, name: string): string {
  switch (name) {
    case 'after':
    case 'before':
      return seen.cursors.length > 0 ? changedOr(chance, chance.pick(seen.cursors)) : chance.pick(UGLY);
    case 'refreshToken':
      return seen.refreshTokens.length > 0 ? changedOr(chance, chance.pick(seen.refreshTokens)) : chance.pick(UGLY);
    case 'email':
      return chance.chance(0.5) && seen.emails.length > 0 ? chance.pick(seen.emails) : newEmail(chance, seen);
    case 'password':
    case 'newPassword':
      return usually(chance, [PASSWORD], UGLY);
    case 'isbn':
      return seen.isbns.length > 0 ? changedOr(chance, chance.pick(seen.isbns)) : '9780439023481';
    case 'timeZone':
      return chance.pick(ZONES);
    case 'currency':
      return chance.pick(['EUR', 'USD', 'JPY', 'XXX', 'eur']);
    default:
      return seen.names.length > 0 && chance.chance(0.3) ? chance.pick(seen.names) : chance.pick(WORDS);
  }
}

function newEmail(chance: Chance, seen: Seen): string {
  const email = `${chance.uuid()}@example.com`;
  seen.emails.push(email);
  return email;
}

const TYPES = ['Book', 'User', 'Item', 'Session', 'Library', 'Genre', '__proto__', ''];

function idFor(chance: Chance, seen: Seen): string {
  if (seen.ids.length > 0 && chance.chance(0.85)) return changedOr(chance, chance.pick(seen.ids));
  const key = chance.pick([chance.uuid(), '9780439023481', 'goodreads-1', 'AK-1', '', '\u0000', '0'.repeat(36)]);
  return Buffer.from(`${chance.pick(TYPES)}:${key}`).toString('base64url');
}

/**
 * Returns a text unchanged, cut, lengthened, with another letter, or with another number in its
 * encoded content.
 */
export function changedOr(chance: Chance, text: string): string {
  if (chance.chance(0.8)) return text;
  const at = chance.below(text.length + 1);
  switch (chance.below(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + chance.pick(UGLY) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(33 + chance.below(90)) + text.slice(at + 1);
    default: {
      const decoded = Buffer.from(text, 'base64url').toString();
      const changed = decoded.replace(/-?\d+/g, (found) => (chance.chance(0.5) ? found : String(chance.pick(NUMBERS))));
      return Buffer.from(changed).toString('base64url');
    }
  }
}

/** Makes a value of any type. */
export function anything(chance: Chance, seen: Seen, depth = 0): unknown {
  switch (chance.below(depth > 4 ? 4 : 7)) {
    case 0:
      return chance.pick(NUMBERS);
    case 1:
      return chance.chance(0.5);
    case 2:
      return null;
    case 3:
      return chance.pick(UGLY);
    case 4:
      return Array.from({ length: chance.below(4) }, () => anything(chance, seen, depth + 1));
    case 5:
      return nested(chance.chance(0.1) ? 1_000 : 20);
    default:
      return { [chance.pick(UGLY).slice(0, 20)]: anything(chance, seen, depth + 1), id: idFor(chance, seen) };
  }
}

/** Makes `[[[…]]]`. */
function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
