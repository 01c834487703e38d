import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';

const SCALARS: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Float: 'number',
  Int: 'number',
  JSONObject: 'Readonly<Record<string, unknown>>',
};

/** A field of an answer with all that is asked of it, perhaps in several places. */
interface Asked {
  readonly name: string;
  readonly selections: SelectionNode[];
  /** False if a directive may leave the field out. */
  isSure: boolean;
}

/** Returns the name of the type of what an operation answers. */
export const dataOf = (name: string, operation: string): string =>
  `${name}${operation[0]?.toUpperCase()}${operation.slice(1)}`;

/** Writes TypeScript types of documents. An object of several possible types becomes a union. */
export class TypeWriter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, fragments: readonly FragmentDefinitionNode[]) {
    this.#schema = schema;
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  /** Returns the declaration of an enum or an input type. */
  named(type: GraphQLNamedType): string {
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name }) => `'${name}'`);
      return `export type ${type.name} = ${values.join(' | ')};`;
    }
    if (!isInputObjectType(type)) return '';
    const fields = Object.values(type.getFields()).map((field) =>
      this.#input(field.name, field.type, field.defaultValue),
    );
    return `export interface ${type.name} {\n${fields.join('\n')}\n}`;
  }

  fragment({ name, typeCondition, selectionSet }: FragmentDefinitionNode): string {
    const type = this.#schema.getType(typeCondition.name.value) as GraphQLCompositeType;
    return `export type ${name.value}Fragment = ${this.#object(type, selectionSet.selections)};`;
  }

  /** Returns the types of an operation: what it answers, and its variables. */
  operation({ name, operation, variableDefinitions = [], selectionSet }: OperationDefinitionNode): string {
    const root = this.#schema.getRootType(operation);
    if (!root || !name) throw new Error(`The schema has no ${operation}.`);
    const variables = variableDefinitions.map(({ variable, type, defaultValue }) =>
      // The union of overloads of typeFromAST has no common signature.
      this.#input(
        variable.name.value,
        typeFromAST(this.#schema, type as never) as unknown as GraphQLInputType,
        defaultValue,
      ),
    );
    const data = dataOf(name.value, operation);
    return `export interface ${data} { ${this.#body(root, selectionSet.selections)} }
export interface ${data}Variables {\n${variables.join('\n')}\n}`;
  }

  #input(name: string, type: GraphQLInputType, defaultValue: unknown): string {
    const isNeeded = isNonNullType(type) && defaultValue === undefined;
    return `  readonly ${name}${isNeeded ? '' : '?'}: ${this.#wrapped(type, this.#leaf(getNamedType(type)))};`;
  }

  #leaf(type: GraphQLNamedType): string {
    if (isEnumType(type) || isInputObjectType(type)) return type.name;
    return SCALARS[type.name] ?? 'string';
  }

  #wrapped(type: GraphQLType, inner: string): string {
    if (isNonNullType(type)) return this.#notNull(type.ofType as GraphQLType, inner);
    return `${this.#notNull(type, inner)} | null`;
  }

  #notNull(type: GraphQLType, inner: string): string {
    if (isListType(type)) return `readonly (${this.#wrapped(type.ofType as GraphQLType, inner)})[]`;
    return inner.includes(' | ') ? `(${inner})` : inner;
  }

  #output(type: GraphQLOutputType, selections: readonly SelectionNode[]): string {
    const named = getNamedType(type);
    const inner = isObjectType(named) || isAbstractType(named) ? this.#object(named, selections) : this.#leaf(named);
    return this.#wrapped(type, inner);
  }

  #object(type: GraphQLCompositeType, selections: readonly SelectionNode[]): string {
    const possible = isAbstractType(type) ? this.#schema.getPossibleTypes(type) : [type];
    const bodies = Map.groupBy(possible, (each) => this.#body(each, selections));
    return [...bodies]
      .map(([body, types]) => `{ readonly __typename: ${types.map(({ name }) => `'${name}'`).join(' | ')}; ${body} }`)
      .join(' | ');
  }

  #body(type: GraphQLObjectType, selections: readonly SelectionNode[]): string {
    const asked = new Map<string, Asked>();
    this.#collect(type, selections, true, asked);
    return [...asked]
      .filter(([, { name }]) => name !== '__typename')
      .map(([key, { name, selections: inner, isSure }]) => {
        const field = type.getFields()[name];
        if (!field) throw new Error(`${type.name} has no ${name}.`);
        return `readonly ${key}${isSure ? '' : '?'}: ${this.#output(field.type, inner)};`;
      })
      .join(' ');
  }

  /** Gathers the fields that an object of a type answers, by their names in the answer. */
  #collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    isSure: boolean,
    asked: Map<string, Asked>,
  ): void {
    for (const selection of selections) {
      const isAlways = isSure && !selection.directives?.some(({ name }) => ['include', 'skip'].includes(name.value));
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const known = asked.get(key) ?? { name: selection.name.value, selections: [], isSure: false };
        known.selections.push(...(selection.selectionSet?.selections ?? []));
        known.isSure ||= isAlways;
        asked.set(key, known);
        continue;
      }
      const { typeCondition, selectionSet } =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragmentOf(selection.name.value);
      if (this.#applies(type, typeCondition?.name.value)) this.#collect(type, selectionSet.selections, isAlways, asked);
    }
  }

  #fragmentOf(name: string): FragmentDefinitionNode {
    const fragment = this.#fragments.get(name);
    if (!fragment) throw new Error(`There is no fragment ${name}.`);
    return fragment;
  }

  #applies(type: GraphQLObjectType, condition: string | undefined): boolean {
    const wanted = condition === undefined ? type : this.#schema.getType(condition);
    return wanted === type || (isAbstractType(wanted) && this.#schema.isSubType(wanted, type));
  }
}
