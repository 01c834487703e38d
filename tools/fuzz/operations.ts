import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import type { Chance } from '../../test/support/chance.ts';
import { valueFor, type Seen } from './values.ts';

/** A GraphQL operation as a client sends it. */
export interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

const FIELDS_MAX = 40;
const DEPTH_MAX = 7;
/** What makes the answers that later requests are made of is asked for more often than chance would. */
const ASKED_OFTEN = new Set(['id', 'cursor', 'startCursor', 'endCursor', 'edges', 'node', 'pageInfo', 'accessToken', 'refreshToken', 'isbn', 'userErrors', 'code']); // prettier-ignore
const LISTS_OF_BOOKS = ['books', 'book', 'node', 'nodes', 'genres', 'trending', 'recentlyViewed', 'libraries'];

/** Makes operations of a schema: any fields, arguments, aliases and fragments that it allows, and now and then others. */
export class Operations {
  readonly #schema: GraphQLSchema;
  readonly #chance: Chance;
  readonly #seen: Seen;

  constructor(schema: GraphQLSchema, chance: Chance, seen: Seen) {
    this.#schema = schema;
    this.#chance = chance;
    this.#seen = seen;
  }

  make(): Operation {
    const chance = this.#chance;
    const isMutation = chance.chance(0.35);
    const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType();
    if (!root) throw new Error('The schema has no such operations');
    const making = new Making(this.#schema, chance, this.#seen);

    const fields = Object.values(root.getFields());
    const often = fields.filter(({ name }) => LISTS_OF_BOOKS.includes(name));
    const roots = Array.from({ length: chance.chance(0.9) ? 1 : 1 + chance.below(4) }, () =>
      chance.pick(often.length > 0 && chance.chance(0.3) ? often : fields),
    );
    const selection = roots.map((field) => making.field(field, 0)).join(' ');
    const declared = making.declared.length > 0 ? `(${making.declared.join(', ')})` : '';
    const name = chance.chance(0.9) ? 'Fuzz' : '';
    const query = `${isMutation ? 'mutation' : 'query'} ${name}${declared} { ${selection} } ${making.fragments.join(' ')}`;
    return { query: chance.chance(0.03) ? this.#broken(query) : query, variables: making.variables };
  }

  /** A query that is cut, has a letter too many, or brackets within brackets. */
  #broken(query: string): string {
    const chance = this.#chance;
    const at = chance.below(query.length);
    const odd = ['{', '}', '@', '...', '"""', '$x', '!', '{a'.repeat(900), '['.repeat(900), '#', '\uFEFF', '\u0000'];
    return chance.chance(0.3) ? query.slice(0, at) : query.slice(0, at) + chance.pick(odd) + query.slice(at);
  }
}

/** One operation that is being made. */
class Making {
  readonly declared: string[] = [];
  readonly variables: Record<string, unknown> = {};
  readonly fragments: string[] = [];
  readonly #schema: GraphQLSchema;
  readonly #chance: Chance;
  readonly #seen: Seen;
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
    const directive = chance.chance(0.01) ? chance.pick([' @include(if: true)', ' @skip(if: false)', ' @nothing']) : '';
    const selection = this.#selection(getNamedType(field.type), depth + 1);
    return `${alias}${field.name}${this.#argumentsOf(field.args)}${directive}${selection}`;
  }

  #argumentsOf(all: readonly GraphQLArgument[]): string {
    const chance = this.#chance;
    const given = all.filter(({ name, type }) => {
      if (String(type).endsWith('!')) return chance.chance(0.995);
      // Forward or backward; both are a mistake, which is made rarely.
      return chance.chance(name === 'last' || name === 'before' ? 0.08 : 0.35);
    });
    const texts = given.map((argument) => {
      const value = valueFor(chance, this.#seen, argument.type, argument.name);
      const literal = chance.chance(0.1) ? literalOf(value) : undefined;
      if (literal !== undefined) return `${argument.name}: ${literal}`;
      const name = `v${this.declared.length}`;
      this.declared.push(`$${name}: ${String(argument.type)}`);
      this.variables[name] = value;
      return `${argument.name}: $${name}`;
    });
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
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
    if (!chance.chance(0.03)) return ` { ${selection} }`;
    const name = `F${this.fragments.length}`;
    this.fragments.push(`fragment ${name} on ${type.name} { ${selection} }`);
    return ` { ...${name} ...${name} }`;
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

/** A value as it stands in a query; `undefined` where it cannot, or would be endless. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'string' && /^[A-Z_]+$/.test(value)) return value;
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  return undefined;
}
