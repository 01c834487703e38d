import { Kind, parse, print, visit } from 'graphql';

/** The pages of the reference: the one of readers is without what only administrators may use. */

const ROOTS = ['Query', 'Mutation', 'Subscription'];
/** The words with which the description of a field says that it is for administrators. */
const FOR_ADMINISTRATORS = /\bFor\s+administrators\b/;

const isForAdministrators = ({ description }) => FOR_ADMINISTRATORS.test(description?.value ?? '');

/**
 * Returns the schemas of both pages. That of administrators has their fields and the types that
 * nobody else needs; it names all other types without their fields. Both have the directives.
 * @param {string} schema a schema in SDL, with descriptions
 */
export function pagesOf(schema) {
  const { definitions } = parse(schema, { noLocation: true });
  const readers = reachedBy(definitions, (field) => !isForAdministrators(field));
  const known = new Set(readers.map(nameOf));
  const administrators = reachedBy(definitions, isForAdministrators).map((definition) =>
    ROOTS.includes(nameOf(definition)) || !known.has(nameOf(definition)) ? definition : mentioned(definition),
  );
  const directives = definitions.filter(({ kind }) => kind === Kind.DIRECTIVE_DEFINITION);
  return {
    readers: printed([...directives, ...readers]),
    administrators: printed([...directives, ...administrators]),
  };
}

const nameOf = (definition) => definition.name.value;
const printed = (definitions) => `${definitions.map(print).join('\n\n')}\n`;

/** Returns the root types with some of their fields, and all types that these lead to. */
function reachedBy(definitions, isShown) {
  const shown = definitions.map((definition) =>
    ROOTS.includes(nameOf(definition)) ? { ...definition, fields: definition.fields.filter(isShown) } : definition,
  );
  const reached = new Set(ROOTS);
  for (const name of reached) {
    const definition = shown.find((each) => nameOf(each) === name);
    if (!definition) continue;
    visit(definition, { NamedType: (type) => void reached.add(nameOf(type)) });
    const implementing = shown.filter(({ interfaces = [] }) => interfaces.some((each) => nameOf(each) === name));
    for (const type of implementing) reached.add(nameOf(type));
  }
  return shown.filter((definition) => reached.has(nameOf(definition)) && definition.fields?.length !== 0);
}

/** Returns a type without its parts, as a scalar, which any field or argument can have. */
function mentioned(definition) {
  if (definition.kind === Kind.SCALAR_TYPE_DEFINITION) return definition;
  const description = { kind: Kind.STRING, value: 'A type of the reference for readers.' };
  return { kind: Kind.SCALAR_TYPE_DEFINITION, name: definition.name, description, directives: [] };
}
