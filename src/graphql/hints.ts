import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { triedNames } from './tried-names.ts';

/**
 * Hints for errors about a request: names of the schema that the caller may have meant. They are
 * for servers whose schema anybody may read by introspection.
 */

/** Returns the hint for a message of GraphQL, with a space in front; empty if there is none. */
export type HintFor = (message: string) => string;

/** The maximum length of a message for regular expressions; a longer one is cut first. */
const READ_LENGTH = 400;
const SUGGESTION = / Did you mean [^?]*\?$/;
const UNKNOWN_FIELD = /^Cannot query field "(\w+)" on type "(\w+)"/;
const UNKNOWN_ARGUMENT = /^Unknown argument "\w+" on field "(\w+)\.(\w+)"/;
const UNKNOWN_VALUE = /does not exist in "(\w+)" enum|Enum "(\w+)" cannot represent/;
const NO_TEXT = /(?:^|; )String cannot represent a non string value: /;
const WRONG_INPUT = /Field "\w+" is not defined by type "(\w+)"|argument "\w+" of type "(\w+)!" is required/;

/** The types whose unknown fields may be fields of one of their own fields. */
const WRAPPER = /(?:Connection|Edge|Payload)$/;

/**
 * Makes the hints of a schema: the field that a name usually means, otherwise GraphQL's own
 * suggestion, or else the names that are possible.
 */
export const hintsOf =
  (schema: GraphQLSchema): HintFor =>
  (message) => {
    const [start, end] = [message.slice(0, READ_LENGTH), message.slice(-READ_LENGTH)];
    return (
      valuesHint(schema, end) ??
      meantHint(schema, start) ??
      SUGGESTION.exec(end)?.[0] ??
      fieldsHint(schema, start) ??
      argumentsHint(schema, start) ??
      inputHint(schema, end) ??
      (NO_TEXT.test(end) ? ' A text is in quotes.' : '')
    );
  };

/** Returns the hint for a name that people try, or for a field that is one level further down. */
function meantHint(schema: GraphQLSchema, message: string): string | undefined {
  const [, name = '', typeName = ''] = UNKNOWN_FIELD.exec(message) ?? [];
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;

  const tried = [type, ...type.getInterfaces()].map((each) => triedNames.get(each.name)?.get(name));
  const path = tried.find((found) => found !== undefined) ?? pathBelow(type, name);
  return path === undefined ? undefined : ` Use ${path} instead.`;
}

function pathBelow(type: GraphQLObjectType | GraphQLInterfaceType, name: string): string | undefined {
  if (!WRAPPER.test(type.name)) return undefined;
  const { nodes, ...others } = type.getFields();
  const field = [...(nodes ? [nodes] : []), ...Object.values(others)].find((each) => {
    const below = getNamedType(each.type);
    return (isObjectType(below) || isInterfaceType(below)) && Object.hasOwn(below.getFields(), name);
  });
  return field && `${field.name} { ${name} }`;
}

function fieldsHint(schema: GraphQLSchema, message: string): string | undefined {
  const [, , name = ''] = UNKNOWN_FIELD.exec(message) ?? [];
  const type = schema.getType(name);
  return isObjectType(type) || isInterfaceType(type) ? hint(name, 'fields', Object.keys(type.getFields())) : undefined;
}

function argumentsHint(schema: GraphQLSchema, message: string): string | undefined {
  const [, typeName = '', fieldName = ''] = UNKNOWN_ARGUMENT.exec(message) ?? [];
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) return undefined;

  const [only] = field.args;
  const input = field.args.length === 1 && only ? getNamedType(only.type) : undefined;
  const ofInput = isInputObjectType(input) ? (hint(input.name, 'fields', Object.keys(input.getFields())) ?? '') : '';
  const names = field.args.map(({ name }) => name);
  return `${hint(fieldName, 'arguments', names) ?? ` "${fieldName}" has no arguments.`}${ofInput}`;
}

function valuesHint(schema: GraphQLSchema, message: string): string | undefined {
  const [, unknown, wrong] = UNKNOWN_VALUE.exec(message) ?? [];
  const type = schema.getType(unknown ?? wrong ?? '');
  if (!isEnumType(type)) return undefined;
  return hint(
    type.name,
    'values',
    type.getValues().map(({ name }) => name),
  );
}

function inputHint(schema: GraphQLSchema, message: string): string | undefined {
  const [, unknown, missing] = WRONG_INPUT.exec(message) ?? [];
  const type = schema.getType(unknown ?? missing ?? '');
  return isInputObjectType(type) ? hint(type.name, 'fields', Object.keys(type.getFields())) : undefined;
}

const hint = (of: string, what: string, names: readonly string[]): string | undefined =>
  names.length > 0 ? ` "${of}" has the ${what} ${names.join(', ')}.` : undefined;
