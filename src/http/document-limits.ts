import { GraphQLError, type ASTNode, type ValidationContext, type ValidationRule } from 'graphql';

/**
 * Limits on the size of a document, independent of its cost: the same field repeated costs nothing
 * but the work of merging it. Frontends send a tenth of these limits; the introspection query of
 * tools has 150 fields.
 */

/** The maximum number of tokens, checked while the text is parsed. */
export const TOKENS_MAX = 2_000;
const FIELDS_MAX = 400;
const ALIASES_MAX = 100;
/** The maximum number of directives on one field, fragment or operation. */
const DIRECTIVES_MAX = 5;

/**
 * A validation rule that refuses documents with too many fields, aliases, or directives at one
 * place.
 */
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
      // The error is reported once, at the first field over the limit.
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
