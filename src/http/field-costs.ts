import {
  getDirectiveValues,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { memoised } from '../context/context.ts';
import type { ListSizeDirectiveArgs } from '../graphql/generated/resolver-types.ts';
import type { ComputedCost } from '../feature/feature.ts';
import { features } from '../features.ts';

/**
 * The costs of fields: their directives `@cost` and `@listSize` in the schema, and what a feature
 * computes from the arguments.
 */

/** The cost of a field with some arguments. */
export interface FieldCost {
  /** The cost of the field without the fields below it. */
  readonly weight: number;
  /** The maximum number of times that the fields below it are resolved. */
  readonly size: number;
  /** The number of partitions that are read in parallel, a whole page from each. */
  readonly partitions: number;
}

type Arguments = Readonly<Record<string, unknown>>;
type Field = GraphQLField<unknown, unknown>;
type CostOf = (args: Arguments) => FieldCost;

/** Returns the costs of the fields of a schema, by their arguments. */
export const fieldCosts = memoised(
  (schema: GraphQLSchema): ReadonlyMap<Field, CostOf> =>
    new Map(
      Object.values(schema.getTypeMap())
        .filter((type) => isObjectType(type) || isInterfaceType(type))
        .flatMap((type) =>
          Object.values(type.getFields()).map((field) => [field, costOfField(schema, type.name, field)] as const),
        ),
    ),
  (schema) => schema,
);

function costOfField(schema: GraphQLSchema, type: string, field: Field): CostOf {
  const weight = weightOf(schema, field) ?? weightOf(schema, getNamedType(field.type)) ?? 1;
  const list = listSizeOf(schema, field);
  const inputs = inputListsOf(schema, field);
  const { size, partitions } = computedCostOf(type, field.name) ?? {};

  return (args) => ({
    weight: inputs.reduce((sum, costOf) => sum + costOf(args), weight),
    size: size ? size(args) : sizeOf(list, args),
    partitions: partitions ? partitions(args) : 1,
  });
}

function weightOf(schema: GraphQLSchema, of: Field | GraphQLInputField | GraphQLNamedType): number | undefined {
  const weight = directiveOf(schema, 'cost', of)?.['weight'];
  return weight === undefined ? undefined : Number(weight);
}

const listSizeOf = (schema: GraphQLSchema, of: Field | GraphQLInputField): ListSizeDirectiveArgs =>
  directiveOf(schema, 'listSize', of) ?? {};

function directiveOf(schema: GraphQLSchema, name: string, { astNode }: Field | GraphQLInputField | GraphQLNamedType) {
  const directive = schema.getDirective(name);
  return directive && astNode ? getDirectiveValues(directive, astNode) : undefined;
}

/** Returns the number of elements of a list. */
function sizeOf({ assumedSize, slicingArguments }: ListSizeDirectiveArgs, args: Arguments): number {
  for (const name of slicingArguments ?? []) {
    const given = args[name];
    if (Array.isArray(given)) return given.length;
    // A page without edges still has a page info.
    if (typeof given === 'number') return Math.max(1, given);
  }
  return assumedSize ?? 1;
}

/** Returns the costs of the lists in the inputs of a field. */
const inputListsOf = (schema: GraphQLSchema, field: Field): ((args: Arguments) => number)[] =>
  field.args.flatMap((argument) => {
    const type = getNamedType(argument.type);
    if (!isInputObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((list) => {
      const weight = weightOf(schema, list);
      if (weight === undefined) return [];

      // A longer list is refused, so the rest costs nothing.
      const lengthMax = listSizeOf(schema, list).assumedSize ?? Infinity;
      return (args: Arguments) => {
        const given = (args[argument.name] as Arguments | undefined)?.[list.name];
        return Array.isArray(given) ? weight * Math.min(given.length, lengthMax) : 0;
      };
    });
  });

/** Returns the parts of a field's cost that a feature computes. */
function computedCostOf(type: string, field: string): ComputedCost | undefined {
  for (const { costs } of features) {
    const found = (costs as Readonly<Record<string, Readonly<Record<string, ComputedCost>>>> | undefined)?.[type]?.[
      field
    ];
    if (found) return found;
  }
  return undefined;
}
