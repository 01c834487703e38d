import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import type { Chance } from '../support/chance.ts';
import { valueFor, type Seen } from './values.ts';

/** A GraphQL operation of a client. */
export interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  /** The operation to execute; given if the document has several. */
  readonly operationName?: string;
}

const FIELDS_MAX = 40;
const DEPTH_MAX = 7;
/** Fields whose values later requests need, requested more often than by chance. */
const ASKED_OFTEN = new Set([
  'id',
  'cursor',
  'startCursor',
  'endCursor',
  'edges',
  'node',
  'pageInfo',
  'accessToken',
  'refreshToken',
  'isbn',
  'userErrors',
  'code',
]);
/** The share of operations that request one field several times, with the same variables. */
const REPEATED = 0.02;
const TIMES_MAX = 12;
const LISTS_OF_BOOKS = ['books', 'book', 'node', 'nodes', 'genres', 'trending', 'recentlyViewed', 'libraries'];

/**
 * Makes operations of a schema: any fields, arguments, aliases and fragments that it allows, and
 * sometimes others.
 */
export class Operations {
  readonly #schema: GraphQLSchema;
  readonly #chance: Chance;
  readonly #seen: Seen;

  constructor(schema: GraphQLSchema, chance: Chance, seen: Seen) {
    this.#schema = schema;
    this.#chance = chance;
    this.#seen = seen;
  }

  /** Makes a query or a mutation; a few are invalid. */
  make(): Operation {
    const chance = this.#chance;
    const operation = chance.chance(0.35) ? this.#makeOf('mutation') : this.#makeOf('query');
    return chance.chance(0.03) ? { ...operation, query: this.#broken(operation.query) } : operation;
  }

  #makeOf(kind: 'query' | 'mutation'): Operation {
    const chance = this.#chance;
    const root = kind === 'mutation' ? this.#schema.getMutationType() : this.#schema.getQueryType();
    if (!root) throw new Error('The schema has no such operations');
    const making = new Making(this.#schema, chance, this.#seen);

    const fields = Object.values(root.getFields());
    const often = fields.filter(({ name }) => LISTS_OF_BOOKS.includes(name));
    if (chance.chance(REPEATED)) {
      const selection = making.repeated(chance.pick(fields), 2 + chance.below(TIMES_MAX - 1));
      return {
        query: `${kind} ${declaredBy(making)} { ${selection} } ${making.fragments.join(' ')}`,
        variables: making.variables,
      };
    }
    const roots = Array.from({ length: chance.chance(0.9) ? 1 : 1 + chance.below(4) }, () =>
      chance.pick(often.length > 0 && chance.chance(0.3) ? often : fields),
    );
    const selection = roots.map((field) => making.field(field, 0)).join(' ');
    const hasOthers = chance.chance(0.03);
    const name = hasOthers || chance.chance(0.9) ? 'Fuzz' : '';
    const others = hasOthers ? ' query Other { __typename }' : '';
    const query = `${kind} ${name}${declaredBy(making)} { ${selection} } ${making.fragments.join(' ')}${others}`;
    return { query, variables: making.variables, ...(hasOthers && { operationName: name }) };
  }

  /** Breaks a query: it cuts it, adds a letter, or nests brackets. */
  #broken(query: string): string {
    const chance = this.#chance;
    const at = chance.below(query.length);
    const odd = ['{', '}', '@', '...', '"""', '$x', '!', '{a'.repeat(900), '['.repeat(900), '#', '\uFEFF', '\u0000'];
    return chance.chance(0.3) ? query.slice(0, at) : query.slice(0, at) + chance.pick(odd) + query.slice(at);
  }
}

/** An operation under construction. */
class Making {
  readonly declared: string[] = [];
  readonly variables: Record<string, unknown> = {};
  readonly fragments: string[] = [];
  readonly #schema: GraphQLSchema;
  readonly #chance: Chance;
  readonly #seen: Seen;
  /** The names of the generated fragments, by the names of their types. */
  readonly #fragmentsOf = new Map<string, string[]>();
  #fields = 0;

  constructor(schema: GraphQLSchema, chance: Chance, seen: Seen) {
    this.#schema = schema;
    this.#chance = chance;
    this.#seen = seen;
  }

  field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const chance = this.#chance;
    this.#fields++;
    const alias = chance.chance(depth === 0 ? 0.5 : 0.02) ? `a${this.#fields}: ` : '';
    const selection = this.#selection(getNamedType(field.type), depth + 1);
    const once = `${alias}${field.name}${this.#argumentsOf(field.args)}`;
    const whole = `${once}${this.#directive()}${selection}`;
    // The same response name may be on two paths, one of which may be skipped.
    if (selection === '' || !chance.chance(0.05)) return whole;
    return `${once}${this.#directive(0.7)} { __typename } ${whole}`;
  }

  /** Requests a field several times with the same variables. */
  repeated(field: GraphQLField<unknown, unknown>, times: number): string {
    const asked = `${field.name}${this.#argumentsOf(field.args)}${this.#selection(getNamedType(field.type), 1)}`;
    return Array.from({ length: times }, (_, index) => `r${index}: ${asked}`).join(' ');
  }

  #directive(probability = 0.04): string {
    const chance = this.#chance;
    if (!chance.chance(probability)) return '';
    const name = chance.pick(['include', 'skip']);
    if (chance.chance(0.01)) return ' @nothing';
    if (chance.chance(0.4)) return ` @${name}(if: ${chance.chance(0.5)})`;
    return ` @${name}(if: ${this.#variable('Boolean!', chance.chance(0.5), String(chance.chance(0.5)))})`;
  }

  /** Declares a variable; sometimes one with a default and without a value. */
  #variable(type: string, value: unknown, literal: string | undefined): string {
    const chance = this.#chance;
    const name = `v${this.declared.length}`;
    const isOmitted = chance.chance(0.1) && (literal !== undefined || !type.endsWith('!'));
    const preset = literal !== undefined && (isOmitted || chance.chance(0.1)) ? ` = ${literal}` : '';
    this.declared.push(`$${name}: ${type}${preset}`);
    if (!isOmitted) this.variables[name] = value;
    return `$${name}`;
  }

  #argumentsOf(all: readonly GraphQLArgument[]): string {
    const chance = this.#chance;
    const given = all.filter(({ name, type }) => {
      if (String(type).endsWith('!')) return chance.chance(0.995);
      // A page goes forward or backward. Both are a mistake, which is made rarely.
      return chance.chance(name === 'last' || name === 'before' ? 0.08 : 0.35);
    });
    const texts = given.map((argument) => {
      const value = valueFor(chance, this.#seen, argument.type, argument.name);
      const type = getNullableType(argument.type);
      if (isInputObjectType(type) && isRecord(value) && chance.chance(0.3))
        return `${argument.name}: ${this.#literalInput(type, value)}`;
      const literal = literalOf(value);
      if (literal !== undefined && chance.chance(0.1)) return `${argument.name}: ${literal}`;
      return `${argument.name}: ${this.#variable(String(argument.type), value, literal)}`;
    });
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  /** Writes an input object like a client with a variable for each field, which may be omitted. */
  #literalInput(type: GraphQLInputObjectType, value: Readonly<Record<string, unknown>>): string {
    const fields = Object.values(type.getFields()).filter(
      ({ name }) => Object.hasOwn(value, name) || this.#chance.chance(0.3),
    );
    const texts = fields.map((field) => {
      const name = `v${this.declared.length}`;
      this.declared.push(`$${name}: ${String(field.type)}`);
      if (Object.hasOwn(value, field.name)) this.variables[name] = value[field.name];
      return `${field.name}: $${name}`;
    });
    return `{ ${texts.join(', ')} }`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (isLeafType(type)) return '';
    const chance = this.#chance;
    const inner = isUnionType(type) || isInterfaceType(type) ? this.#selectionOfTypes(type, depth) : '';
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const chosen = fields.filter((field) => {
      const isLeaf = isLeafType(getNamedType(field.type));
      if (!isLeaf && (depth >= DEPTH_MAX || this.#fields >= FIELDS_MAX)) return false;
      if (ASKED_OFTEN.has(field.name)) return chance.chance(0.8);
      return chance.chance(isLeaf ? 0.3 : 0.15);
    });
    const selection = ['__typename', ...chosen.map((field) => this.field(field, depth))].join(' ') + inner;
    const made = this.#fragmentsOf.get(type.name) ?? [];
    const again = made.length > 0 && chance.chance(0.4) ? ` ...${chance.pick(made)}${this.#directive(0.3)}` : '';
    if (!chance.chance(0.08)) return ` { ${selection}${again} }`;
    const name = `F${this.fragments.length}`;
    this.fragments.push(`fragment ${name} on ${type.name} { ${selection} }`);
    this.#fragmentsOf.set(type.name, [...made, name]);
    return ` { ...${name}${this.#directive(0.3)} ...${name}${this.#directive(0.3)}${again} }`;
  }

  #selectionOfTypes(type: GraphQLNamedType, depth: number): string {
    if (!isUnionType(type) && !isInterfaceType(type)) return '';
    const possible = this.#schema.getPossibleTypes(type);
    return possible
      .filter(() => this.#chance.chance(0.5))
      .map((each) => ` ... on ${each.name}${this.#selection(each, depth)}`)
      .join('');
  }
}

const declaredBy = ({ declared }: Making): string => (declared.length > 0 ? `(${declared.join(', ')})` : '');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes a value as a literal; `undefined` if that is impossible, or would be endless. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string' && /^[A-Z_]+$/.test(value)) return value;
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  return undefined;
}
