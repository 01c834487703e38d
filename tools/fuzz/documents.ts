import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { Validation } from '../../src/http/validation.ts';
import type { Chance } from '../support/chance.ts';
import { valueFor, type Seen } from './values.ts';

/**
 * Makes valid documents with all features that two executors may treat differently: directives with
 * variables, fields and fragments that are reached by several paths, omitted, null and default
 * variables, variables within lists and inputs, and several operations.
 */

/** A document, and the requested operation in it. */
export interface AskedDocument {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
  /** The fields of `Mutation` that it has; none for a query. */
  readonly changes: readonly string[];
}

/**
 * The share is small because a change takes the time of many queries, as it is undone and checked
 * each time.
 */
const CHANGES_SHARE = 0.06;
const FAN_SHARE = 0.003;
const FIELDS_MAX = 40;
const DEPTH_MAX = 6;
const ALIASES = 3;
const TEXT_IN_DOCUMENT_MAX = 100;
const PAGE_ARGUMENTS = new Set(['first', 'last', 'after', 'before']);

/**
 * Fields whose values are different each time. They have no alias, so that a comparison can leave
 * them out by their names.
 */
export const VARYING: ReadonlySet<string> = new Set([
  'asOf',
  'resetAt',
  'remaining',
  'duration',
  'cursor',
  'startCursor',
  'endCursor',
]);

/** Lists that grow with every change of the same thing. Mutations do not request them. */
const GROWING = new Set([
  'history',
  'reads',
  'actions',
  'securityEvents',
  'sessions',
  'loginCount',
  'logins',
  'recentlyViewed',
]);

/**
 * Values for input fields that accept hardly any other value. A refused change would not test the
 * stored values.
 */
const FITTING: Readonly<Record<string, unknown>> = {
  publishedOn: '2001-05',
  publishedYear: 2001,
  languageCode: 'eng',
  pages: 300,
  coverUrl: 'https://images.gr-assets.com/books/1447303603m/2767052.jpg',
  authors: ['An Author'],
  genres: ['novels'],
  otherIsbns: ['9780439023481'],
  position: '2.5',
};

/** Makes documents of a schema from a seeded random generator. */
export class Documents {
  /** The number of documents that were made but not valid, and left out. */
  invalid = 0;
  readonly #schema: GraphQLSchema;
  readonly #validation: Validation;
  readonly #chance: Chance;
  readonly #seen: Seen;
  readonly #changed: Seen;
  readonly #changes: readonly string[];

  /**
   * @param seen the values for queries
   * @param changed the values for mutations
   * @param changes the fields of `Mutation` that documents may have
   */
  constructor(schema: GraphQLSchema, chance: Chance, seen: Seen, changed: Seen, changes: readonly string[]) {
    this.#schema = schema;
    this.#validation = new Validation(schema, true);
    this.#chance = chance;
    this.#seen = seen;
    this.#changed = changed;
    this.#changes = changes;
  }

  make(): AskedDocument {
    for (;;) {
      const isMutation = this.#chance.chance(CHANGES_SHARE);
      const making = new Making(this.#schema, this.#chance, isMutation ? this.#changed : this.#seen);
      if (!isMutation && this.#chance.chance(FAN_SHARE)) return making.fan();
      const made = isMutation ? making.mutation(this.#changes) : making.queries();
      if (this.#validation.errorsOf(parse(made.query)).length === 0) return made;
      this.invalid++;
    }
  }
}

interface Variable {
  readonly type: string;
  /** ` = 5`, or nothing. */
  readonly unlessGiven: string;
}

interface Fragment {
  readonly name: string;
  readonly type: GraphQLNamedType;
  readonly text: string;
}

/** A document under construction. */
class Making {
  readonly #schema: GraphQLSchema;
  readonly #chance: Chance;
  readonly #seen: Seen;
  /**
   * The heads of fields by type and response name. The same head has the same arguments everywhere
   * in the document, so that fields can be merged.
   */
  readonly #heads = new Map<string, { readonly text: string; readonly field: GraphQLField<unknown, unknown> }>();
  readonly #fragments: Fragment[] = [];
  readonly #declared = new Map<string, Variable>();
  readonly #variables: Record<string, unknown> = {};
  #fields = 0;
  #isMutation = false;
  /** Clients with fixed documents have no literal texts in them. */
  readonly #hasTexts: boolean;

  constructor(schema: GraphQLSchema, chance: Chance, seen: Seen) {
    this.#schema = schema;
    this.#chance = chance;
    this.#seen = seen;
    this.#hasTexts = chance.chance(0.6);
  }

  /**
   * Makes a small document that is large with its fragments expanded: each fragment spreads the
   * next one several times.
   */
  fan(): AskedDocument {
    const [arms, levels] = [2 + this.#chance.below(4), 1 + this.#chance.below(5)];
    const fragments = Array.from({ length: levels }, (_, level) => {
      const next = level === levels - 1 ? 'title' : `...F${level + 1}`;
      const spreads = Array.from(
        { length: arms },
        (__, arm) => `a${arm}: copies(first: 1) { nodes { book { ${next} } } }`,
      );
      return `fragment F${level} on Book { ${spreads.join(' ')} }`;
    });
    const query = `query ($isbn: String!) { book(isbn: $isbn) { ...F0 } }\n${fragments.join('\n')}`;
    return { query, operationName: undefined, variables: { isbn: this.#chance.pick(this.#seen.isbns) }, changes: [] };
  }

  /** Makes a document of one query, or of several. */
  queries(): AskedDocument {
    const root = this.#schema.getQueryType();
    if (!root) throw new Error('The schema has no queries');
    const count = this.#chance.chance(0.15) ? 2 : 1;
    return this.#document(
      'query',
      Array.from({ length: count }, () => this.#selectionSet(root, 0)),
      [],
    );
  }

  /** Makes a document of one mutation. */
  mutation(names: readonly string[]): AskedDocument {
    this.#isMutation = true;
    const fields = this.#schema.getMutationType()?.getFields() ?? {};
    const chosen = Array.from({ length: this.#chance.chance(0.85) ? 1 : 2 }, () => this.#chance.pick(names));
    // A logout changes the caller of the other operations.
    const changes = chosen.includes('logout') ? ['logout'] : chosen;
    const selections = changes.map((name, index) => {
      const field = fields[name];
      if (!field) throw new Error(`There is no mutation ${name}`);
      const head = this.#headOf(field, index === 0 ? name : `more${index}`);
      return `${head}${this.#directive(0.05)} ${this.#selectionSet(getNamedType(field.type), 1)}`;
    });
    return this.#document('mutation', [`{ ${selections.join(' ')} }`], changes);
  }

  #document(kind: string, sets: readonly string[], changes: readonly string[]): AskedDocument {
    const isNamed = sets.length > 1 || this.#chance.chance(0.5);
    const names = sets.map((_, index) => (isNamed ? `O${index}` : ''));
    const operations = sets.map((set, index) => `${kind} ${names[index] ?? ''}${this.#declarationsOf(set)} ${set}`);
    const fragments = this.#used(sets.join(' ')).map(
      ({ name, type, text }) => `fragment ${name} on ${type.name} ${text}`,
    );
    const asked = this.#chance.pick(names);
    return {
      query: [...operations, ...fragments].join('\n'),
      operationName: sets.length > 1 || this.#chance.chance(0.3) ? asked || undefined : undefined,
      variables: this.#variables,
      changes,
    };
  }

  /** Returns the fragments that a text spreads, including those within them. */
  #used(text: string): Fragment[] {
    const found = new Set<string>();
    const look = (within: string) => {
      for (const [, name = ''] of within.matchAll(/\.\.\.(F\d+)/g)) {
        if (found.has(name)) continue;
        found.add(name);
        look(this.#fragments.find((each) => each.name === name)?.text ?? '');
      }
    };
    look(text);
    return this.#fragments.filter(({ name }) => found.has(name));
  }

  #declarationsOf(set: string): string {
    const texts = [set, ...this.#used(set).map(({ text }) => text)].join(' ');
    const names = new Set([...texts.matchAll(/\$(v\d+)/g)].map(([, name = '']) => name));
    const declarations = [...names].map((name) => {
      const { type, unlessGiven } = this.#declared.get(name) ?? { type: '', unlessGiven: '' };
      return `$${name}: ${type}${unlessGiven}`;
    });
    return declarations.length > 0 ? `(${declarations.join(', ')})` : '';
  }

  #selectionSet(type: GraphQLNamedType, depth: number): string {
    const chance = this.#chance;
    const count = 1 + chance.below(depth === 0 ? 3 : 5);
    const selections = Array.from({ length: count }, () => {
      if (depth > 0 && chance.chance(0.14)) return this.#spread(type, depth);
      return chance.chance(isAbstractType(type) ? 0.6 : 0.1) ? this.#inline(type, depth) : this.#field(type, depth);
    });
    // The same field is repeated, with another directive or none. Both are merged.
    const again = selections.filter(() => chance.chance(0.08)).map((text) => this.#changed(text));
    return `{ ${[...selections, ...again].join(' ')} }`;
  }

  /** Spreads a fragment again on another path. */
  #changed(selection: string): string {
    const [, spread] = /^(\.\.\.F\d+)/.exec(selection) ?? [];
    return spread === undefined ? selection : `${spread}${this.#directive(0.5)}`;
  }

  #spread(type: GraphQLNamedType, depth: number): string {
    const chance = this.#chance;
    const known = this.#fragments.filter((each) => each.type === type);
    if (known.length > 0 && chance.chance(0.6)) return `...${chance.pick(known).name}${this.#directive(0.35)}`;
    const text = this.#selectionSet(type, depth);
    const name = `F${this.#fragments.length}`;
    this.#fragments.push({ name, type, text });
    const [one, other] = [this.#directive(0.4), this.#directive(0.4)];
    return `...${name}${one}${chance.chance(0.4) ? ` ...${name}${other}` : ''}`;
  }

  #inline(type: GraphQLNamedType, depth: number): string {
    const within = isAbstractType(type) ? this.#chance.pick(this.#schema.getPossibleTypes(type)) : type;
    const condition = within === type && this.#chance.chance(0.5) ? '' : ` on ${within.name}`;
    return `...${condition}${this.#directive(0.4)} ${this.#selectionSet(within, depth)}`;
  }

  #field(type: GraphQLNamedType, depth: number): string {
    const chance = this.#chance;
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const isFull = depth >= DEPTH_MAX || this.#fields >= FIELDS_MAX;
    const possible = fields.filter(
      (field) => (!isFull || isLeafType(getNamedType(field.type))) && !(this.#isMutation && GROWING.has(field.name)),
    );
    if (possible.length === 0 || chance.chance(0.05)) return `__typename${this.#directive(0.1)}`;
    const inner = possible.filter((field) => !isLeafType(getNamedType(field.type)));
    const field = chance.pick(inner.length > 0 && chance.chance(0.45) ? inner : possible);
    this.#fields++;

    const responseName = VARYING.has(field.name) || chance.chance(0.75) ? field.name : `a${chance.below(ALIASES)}`;
    const key = `${type.name}.${responseName}`;
    const head = this.#heads.get(key) ?? { text: this.#headOf(field, responseName), field };
    this.#heads.set(key, head);
    const of = getNamedType(head.field.type);
    const selection = isLeafType(of) ? '' : ` ${this.#selectionSet(of, depth + 1)}`;
    return `${head.text}${this.#directive(0.15)}${selection}`;
  }

  /** Makes a field's alias, name and arguments. */
  #headOf({ name, args }: GraphQLField<unknown, unknown>, responseName: string): string {
    const chance = this.#chance;
    const given = args.filter((argument) => {
      if (isNonNullType(argument.type)) return argument.defaultValue === undefined || chance.chance(0.5);
      if (argument.name === 'first') return chance.chance(0.8);
      return chance.chance(PAGE_ARGUMENTS.has(argument.name) ? 0.06 : 0.5);
    });
    const texts = given.map((argument) => `${argument.name}: ${this.#value(argument.type, argument.name, 0.6)}`);
    const alias = responseName === name ? '' : `${responseName}: `;
    return `${alias}${name}${texts.length > 0 ? `(${texts.join(', ')})` : ''}`;
  }

  #directive(probability: number): string {
    const chance = this.#chance;
    if (!chance.chance(probability)) return '';
    const type = this.#schema.getDirective('skip')?.args[0]?.type;
    if (!type) throw new Error('The schema has no @skip');
    const one = `@${chance.pick(['skip', 'include'])}(if: ${this.#value(type, 'if', 0.7)})`;
    if (!chance.chance(0.1)) return ` ${one}`;
    return ` ${one} @${one.startsWith('@skip') ? 'include' : 'skip'}(if: ${chance.chance(0.5)})`;
  }

  /** Makes a value in a document: a variable, or a literal that may contain variables. */
  #value(type: GraphQLInputType, name: string, asVariable: number): string {
    const chance = this.#chance;
    if (chance.chance(asVariable) || !this.#mayStand(type)) return `$${this.#variable(type, name)}`;
    if (isNonNullType(type)) return this.#value(type.ofType, name, 0);
    if (chance.chance(0.05) && asVariable > 0) return 'null';
    if (isListType(type)) {
      const of = type.ofType;
      return `[${Array.from({ length: chance.below(4) }, () => this.#value(of, name, 0.4)).join(', ')}]`;
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((each) => isNonNullType(each.type) || chance.chance(0.6));
      // Clients write inputs with a variable for each field.
      const within = chance.chance(0.5) ? 1 : 0.6;
      return `{ ${fields.map((each) => `${each.name}: ${this.#value(each.type, each.name, within)}`).join(', ')} }`;
    }
    return this.#literal(type, name);
  }

  #literal(type: GraphQLInputType, name: string): string {
    const value = this.#right(type, name);
    if (isEnumType(type))
      return typeof value === 'string' && /^[A-Z_]+$/.test(value) ? value : (type.getValues()[0]?.name ?? '');
    const text = typeof value === 'string' ? value.slice(0, TEXT_IN_DOCUMENT_MAX).toWellFormed() : value;
    if (getNamedType(type).name === 'Int') return String(Number.isSafeInteger(text) ? Number(text) % 2 ** 31 : 2);
    if (getNamedType(type).name === 'Boolean') return String(text === true);
    return JSON.stringify(typeof text === 'string' || typeof text === 'number' ? String(text) : 'x');
  }

  /** Returns the name of a variable that can be used for a value of this type. */
  #variable(type: GraphQLInputType, name: string): string {
    const chance = this.#chance;
    const nullable = isNonNullType(type) ? type.ofType : type;
    // A nullable variable can be used for a non-null value if it has a default.
    const mayHaveDefault = isLeafType(getNullableType(type)) ? this.#mayStand(type) : this.#hasTexts;
    const isNullable = isNonNullType(type) ? mayHaveDefault && chance.chance(0.3) : !chance.chance(0.15);
    const hasDefault = isNullable && (isNonNullType(type) || (mayHaveDefault && chance.chance(0.3)));
    const declaration: Variable = {
      type: `${String(nullable)}${isNullable ? '' : '!'}`,
      unlessGiven: hasDefault ? ` = ${this.#constant(nullable, name)}` : '',
    };
    const alike = [...this.#declared].filter(
      ([, each]) => each.type === declaration.type && (each.unlessGiven !== '') === hasDefault,
    );
    if (alike.length > 0 && chance.chance(name === 'if' ? 0.6 : 0.3)) return chance.pick(alike)[0];

    const made = `v${this.#declared.size}`;
    this.#declared.set(made, declaration);
    const isOmitted = isNullable && chance.chance(hasDefault ? 0.45 : 0.3);
    const isNull = isNullable && chance.chance(isNonNullType(type) ? 0.03 : 0.12);
    if (!isOmitted) this.#variables[made] = isNull ? null : this.#right(nullable, name);
    return made;
  }

  /** Returns whether a value of a type can be a literal in this document. */
  #mayStand(type: GraphQLInputType): boolean {
    const of = getNullableType(type);
    return this.#hasTexts || !isLeafType(of) || isEnumType(of) || of.name === 'Int' || of.name === 'Boolean';
  }

  /** Makes a literal without variables. */
  #constant(type: GraphQLInputType, name: string): string {
    if (isNonNullType(type)) return this.#constant(type.ofType, name);
    if (isListType(type)) return `[${this.#constant(type.ofType, name)}]`;
    if (isInputObjectType(type)) {
      const needed = Object.values(type.getFields()).filter((each) => isNonNullType(each.type));
      return `{ ${needed.map((each) => `${each.name}: ${this.#constant(each.type, each.name)}`).join(', ')} }`;
    }
    return this.#literal(type, name);
  }

  #right(type: GraphQLInputType, name: string): unknown {
    if (name === 'first' || name === 'last') return this.#chance.chance(0.95) ? this.#chance.below(4) : 101;
    if (name === 'if') return this.#chance.chance(0.5);
    if (this.#isMutation && isFitting(type, FITTING[name]) && this.#chance.chance(0.95)) return FITTING[name];
    return valueFor(this.#chance, this.#seen, type, name);
  }
}

const isFitting = (type: GraphQLInputType, value: unknown): boolean =>
  value !== undefined && isListType(getNullableType(type)) === Array.isArray(value);
