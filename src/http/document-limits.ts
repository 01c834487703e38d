import { GraphQLError, type ASTNode, type ValidationContext, type ValidationRule } from 'graphql';

/**
 * How much may stand in a document, whatever it costs to answer: the same field again and again costs nothing but the work of
 * finding that out. What frontends send has a tenth of it; the introspection of tools 150 fields.
 */

/** Read as text, before it is known what they are. */
export const TOKENS_MAX = 2_000;
const FIELDS_MAX = 400;
const ALIASES_MAX = 100;
/** On one field, fragment or operation. */
const DIRECTIVES_MAX = 5;

/** Refuses documents of too many fields, aliases, or directives at one place. */
export const documentLimits: ValidationRule = (context: ValidationContext) => {
  let fields = 0;
  let aliases = 0;
  const refuse = (what: string, most: number, node: ASTNode) => {
    context.reportError(
      new GraphQLError(`There are too many ${what}; at most ${most} are allowed. Ask in several queries.`, {
        nodes: node,
      }),
    );
  };
  const limitDirectives = (node: { readonly directives?: readonly unknown[] | undefined } & ASTNode) => {
    if ((node.directives?.length ?? 0) > DIRECTIVES_MAX) refuse('directives at one place', DIRECTIVES_MAX, node);
  };
  return {
    Field: (node) => {
      // Said once, for the first one too many.
      if (++fields === FIELDS_MAX + 1) refuse('fields in the query', FIELDS_MAX, node);
      if (node.alias && ++aliases === ALIASES_MAX + 1) refuse('aliases in the query', ALIASES_MAX, node);
      limitDirectives(node);
    },
    OperationDefinition: limitDirectives,
    FragmentDefinition: limitDirectives,
    FragmentSpread: limitDirectives,
    InlineFragment: limitDirectives,
    VariableDefinition: limitDirectives,
  };
};
